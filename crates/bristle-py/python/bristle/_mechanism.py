"""A mechanism in code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bristle._bristle import BristleError, Scenario
from bristle._builder import Builder
from bristle._live import Live
from bristle._run import Run, run
from bristle._spec import Number, Part


class Mechanism(Builder):
    """Bodies, springs, drives and contacts, part by part.

    Bare numbers are in SI units, texts carry units. Every part of the catalogue is a method; the bodies
    it joins come after its name.

    >>> m = Mechanism()
    >>> block = m.mass("block", mass=1.0)
    >>> spring = m.spring("spring", block, m.ground, k="10 N/m")
    >>> m.names
    ['block', 'spring']
    """

    #: What does not move.
    ground = "ground"

    def __init__(self, title: str = "Mechanism", *, solver: Mapping[str, object] | None = None) -> None:
        self.title = title
        self.solver = dict(solver or {})
        self._parts: dict[str, Part] = {}

    def add(self, name: str, part: Part) -> Part:
        """Adds a part under a name."""
        if not isinstance(part, Part):
            raise BristleError(f"`{name}` is {part!r}\n  help: functions of `bristle.parts` make parts")
        if name in self._parts:
            raise BristleError(f"two parts are named `{name}`\n  help: give one of them another name")
        part.name = name
        self._parts[name] = part
        return part

    @property
    def names(self) -> list[str]:
        """The names of its parts, in their order."""
        return list(self._parts)

    def to_dict(self, studies: Mapping[str, object] | None = None) -> dict[str, object]:
        """As a scenario; without questions of its own it is asked for a second of motion."""
        table: dict[str, Any] = {
            "title": self.title,
            "parts": {name: part.to_dict() for name, part in self._parts.items()},
            "studies": dict(studies or {"run": {"kind": "simulate", "duration": 1.0}}),
        }
        if self.solver:
            table["solver"] = self.solver
        return table

    def scenario(self, studies: Mapping[str, object] | None = None) -> Scenario:
        """Reads and checks it, with the given questions."""
        return Scenario.from_dict(self.to_dict(studies), self.title)

    def simulate(
        self,
        duration: Number,
        *,
        step: Number | None = None,
        set: Mapping[str, Number] | None = None,
        progress: Callable[[str, float], object] | bool | None = None,
    ) -> Run:
        """Moves from the start for so long, s."""
        study = {"kind": "simulate", "duration": duration, "step": step}
        return run(self.scenario({"run": study}), set=set, progress=progress)

    def live(self) -> Live:
        """A run by the caller's clock, with inputs that change on the way."""
        return Live(self.scenario())

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{name}</td><td>{part.kind}</td></tr>" for name, part in self._parts.items())
        return f"<b>{self.title}</b><table><tr><th>part</th><th>kind</th></tr>{rows}</table>"

    def __repr__(self) -> str:
        return f"<Mechanism {self.title!r}: {', '.join(self._parts) or 'empty'}>"

