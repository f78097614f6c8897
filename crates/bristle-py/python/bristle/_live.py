"""A mechanism that moves by the caller's clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bristle import _bristle
from bristle._bristle import BristleError


class Input(NamedTuple):
    """What can be set while a run goes on."""

    name: str
    unit: str
    doc: str
    min: float
    max: float


class Live:
    """A run by the caller's clock: signals of kind ``input`` are set on the way.

    >>> import bristle
    >>> m = bristle.Mechanism()
    >>> block = m.mass("block", mass=2.0)
    >>> pad = m.contact("pad", block, m.ground, load=20, law=bristle.laws.coulomb(mu_s=0.5, mu_d=0.4))
    >>> push = m.force("push", block, signal=bristle.signals.input())
    >>> live = m.live()
    >>> live.advance(1.0)
    >>> live["push.signal"] = 12.0
    >>> live.advance(2.0)
    >>> round(live["block.v"], 9)
    2.0
    """

    def __init__(self, scenario: Any) -> None:
        from bristle._run import scenario as read

        self._native = scenario if isinstance(scenario, _bristle.Live) else read(scenario).live()
        self._outputs = {name: i for i, (name, _) in enumerate(self._native.outputs)}

    @property
    def time(self) -> float:
        """Where the clock stands, s."""
        return self._native.time

    @property
    def inputs(self) -> list[Input]:
        """What can be set."""
        return [Input(*one) for one in self._native.inputs]

    @property
    def outputs(self) -> list[str]:
        """What can be read."""
        return list(self._outputs)

    @property
    def units(self) -> dict[str, str]:
        """The units of all outputs."""
        return dict(self._native.outputs)

    def advance(self, t: float) -> None:
        """Moves on to a time, s."""
        self._native.advance(t)

    def step(self, h: float) -> None:
        """Moves on by a time, s."""
        self._native.advance(self._native.time + h)

    def set_inputs(self, values: Mapping[str, float] | npt.ArrayLike) -> None:
        """Sets inputs by their names, or all of them in their order; they count from where the run is."""
        if isinstance(values, Mapping):
            for name, value in values.items():
                self._native.set_input(name, float(value))
        else:
            self._native.set_inputs(np.ascontiguousarray(values, dtype=np.float64))

    def observe(self) -> npt.NDArray[np.float64]:
        """The values of all outputs, in their order."""
        return self._native.observe()

    def settle(self) -> None:
        """Makes modes consistent with inputs that have changed, here and now."""
        self._native.settle()

    def save(self) -> bytes:
        """All that the run goes on from; it goes on from it itself, to the last bit."""
        return self._native.save()

    def restore(self, saved: bytes) -> None:
        """Goes on from where a run of the same mechanism was saved."""
        self._native.restore(saved)

    def copy(self) -> Live:
        """Another run that goes on exactly as this one."""
        return Live(self._native.copy())

    def __getitem__(self, name: str) -> float:
        place = self._outputs.get(name)
        if place is None:
            raise BristleError(f"there is no output `{name}`\n  help: there are {', '.join(self._outputs)}")
        return float(self._native.observe()[place])

    def __setitem__(self, name: str, value: float) -> None:
        self._native.set_input(name, float(value))

    def __repr__(self) -> str:
        inputs = ", ".join(one.name for one in self.inputs) or "none"
        return f"<Live at t = {self.time} s; inputs: {inputs}>"
