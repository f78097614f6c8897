"""Scenarios, runs and what they found."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from bristle import _bristle
from bristle._bristle import BristleError, Scenario
from bristle._spec import Number, is_same, plain

if TYPE_CHECKING:
    import pandas as _pandas
    import polars as _polars

    from bristle._mechanism import Mechanism

#: A scenario, the path of a file, a text in TOML, a dictionary, or a mechanism.
ScenarioLike = Union[Scenario, str, "os.PathLike[str]", Mapping[str, Any], "Mechanism"]

#: Told what is being done and how much of it is done, from 0 to 1; or whether to show a bar.
Told = Union[Callable[[str, float], object], bool, None]

Floats = npt.NDArray[np.float64]


class Fact(NamedTuple):
    """One value worth naming."""

    id: str
    study: str
    label: str
    value: float | None
    unit: str | None
    text: str
    note: str
    tone: str
    is_verdict: bool


class Event(NamedTuple):
    """Something that switched, and when."""

    time: float
    name: str


def scenario(source: ScenarioLike, set: Mapping[str, Number] | None = None) -> Scenario:
    """Reads and checks a scenario: a file, a text in TOML, a dictionary or a mechanism, with some numbers changed.

    In a dictionary bare numbers are in SI units. In `set` numbers are named by their paths, such as
    ``"pad.law.mu_s"``.
    """
    read = _read(source)
    return read.changed(_changes(read, set)) if set else read


def _read(source: ScenarioLike) -> Scenario:
    if isinstance(source, Scenario):
        return source
    if isinstance(source, os.PathLike):
        return Scenario.from_file(os.fspath(source))
    if isinstance(source, str):
        # A text of several lines is no path.
        return Scenario.from_text(source) if "\n" in source else Scenario.from_file(source)
    if isinstance(source, Mapping):
        return Scenario.from_dict(dict(source))
    if hasattr(source, "scenario"):
        made: Scenario = source.scenario()
        return made
    raise BristleError(
        f"{source!r} is no scenario\n  help: give a path, a text in TOML, a dictionary or a Mechanism"
    )


def _changes(read: Scenario, set: Mapping[str, Number]) -> list[tuple[str, float]]:
    units = {path: unit for path, _, unit in read.parameters}
    return [
        (path, _bristle.quantity(value, units.get(path, "1")) if isinstance(value, str) else float(value))
        for path, value in set.items()
    ]


class Study:
    """What one study found."""

    def __init__(self, name: str, kind: str, state: str, error: str | None) -> None:
        self.name = name
        self.kind = kind
        #: ``complete``, ``partial``, ``failed`` or ``stopped``.
        self.state = state
        #: Why it failed, if it did.
        self.error = error
        self.facts: dict[str, Fact] = {}
        self.events: list[Event] = []
        self.units: dict[str, str] = {}
        self.meanings: dict[str, str] = {}
        self._columns: dict[str, Floats] = {}
        self.run: Run | None = None

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return list(self._columns)

    def __getitem__(self, name: str) -> Floats:
        """One column: a read-only view of what was computed."""
        try:
            return self._columns[name]
        except KeyError:
            known = ", ".join(self._columns) or "none"
            raise KeyError(f"study `{self.name}` has no column `{name}`; there are {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        return len(self._columns)

    def fact(self, id: str) -> Fact:
        """One fact by its identifier, with or without the study's name before it."""
        for key in (id, f"{self.name}.{id}"):
            if key in self.facts:
                return self.facts[key]
        raise KeyError(f"study `{self.name}` has no fact `{id}`; there are {', '.join(self.facts)}")

    def to_pandas(self) -> _pandas.DataFrame:
        """The columns as a frame of pandas; motions are indexed by time."""
        import pandas

        frame = pandas.DataFrame(dict(self._columns))
        return frame.set_index("time") if "time" in frame else frame

    def to_polars(self) -> _polars.DataFrame:
        """The columns as a frame of polars."""
        import polars

        return polars.DataFrame(dict(self._columns))

    def _repr_html_(self) -> str:
        return _facts_html(f"{self.name} ({self.kind}, {self.state})", self.facts.values())

    def __repr__(self) -> str:
        facts = "; ".join(f"{fact.label}: {fact.text}" for fact in list(self.facts.values())[:4])
        return f"<Study {self.name!r} ({self.kind}, {self.state}): {facts}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "run": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for column in self._columns.values():
            column.flags.writeable = False


class Run:
    """What the studies of a scenario found.

    ``run["block.q"]`` is a column of the first study that has it, read-only and without a copy.
    """

    def __init__(self, outcome: _bristle.Outcome) -> None:
        self._outcome: _bristle.Outcome | None = outcome
        self._pages: dict[str, Any] = {}
        self.scenario = outcome.scenario
        import json

        found = json.loads(outcome.facts())
        self.title: str = found["title"]
        #: Whether it was stopped before its end.
        self.stopped_early: bool = found["stopped_early"]
        #: Texts that stand beside the report, such as `estimates.json` of a fit, by their names.
        self.files: dict[str, str] = dict(outcome.files)
        #: All facts by their identifiers.
        self.facts = {one["id"]: Fact(**one) for one in found["facts"]}
        #: The studies by their names.
        self.studies: dict[str, Study] = {}
        for i, (name, kind, state, error) in enumerate(outcome.studies):
            study = Study(name, kind, state, error)
            study.run = self
            study.facts = {id: fact for id, fact in self.facts.items() if fact.study == name}
            study.events = [Event(*event) for event in outcome.events(i)]
            for column in outcome.columns(i):
                study._columns[column.name] = np.asarray(column)
                study.units[column.name] = column.unit
                study.meanings[column.name] = column.meaning
            self.studies[name] = study

    def _first(self) -> Study:
        for study in self.studies.values():
            if len(study):
                return study
        return next(iter(self.studies.values()))

    def __getitem__(self, name: str) -> Floats:
        for study in self.studies.values():
            if name in study:
                return study[name]
        return self._first()[name]

    @property
    def columns(self) -> list[str]:
        """The names of the columns of the first study that has any."""
        return self._first().columns

    @property
    def events(self) -> list[Event]:
        """When something switched in the first study that has columns, and what."""
        return self._first().events

    @property
    def units(self) -> dict[str, str]:
        """The units of all columns."""
        return {name: unit for study in self.studies.values() for name, unit in study.units.items()}

    @property
    def figures(self) -> list[str]:
        """The names of all figures."""
        if self._outcome is not None:
            return self._outcome.figures
        return list(self._pages["figures"])

    def figure(self, name: str | int = 0) -> Figure:
        """A figure by its name or its place, shown as such in a notebook."""
        names = self.figures
        if isinstance(name, str) and name not in names:
            raise KeyError(f"there is no figure `{name}`; there are {', '.join(names)}")
        place = names.index(name) if isinstance(name, str) else name
        if not -len(names) <= place < len(names):
            raise IndexError(f"there is no figure {place}; there are {len(names)}")
        key = names[place]
        if self._outcome is not None:
            return Figure(key, self._outcome.svg(place % len(names)) or "")
        return Figure(key, self._pages["figures"][key])

    def html(self) -> str:
        """The report as a page that stands alone."""
        return self._outcome.html() if self._outcome is not None else str(self._pages["html"])

    def text(self) -> str:
        """The report as text for a terminal."""
        return self._outcome.text() if self._outcome is not None else str(self._pages["text"])

    def report(self, path: str | os.PathLike[str]) -> str:
        """Writes the report; gives its path."""
        path = os.fspath(path)
        aside = f"{path}.part"
        with open(aside, "w", encoding="utf-8") as file:
            file.write(self.html())
        os.replace(aside, path)
        return path

    def to_pandas(self) -> _pandas.DataFrame:
        """The columns of the first study that has any, as a frame of pandas."""
        return self._first().to_pandas()

    def to_polars(self) -> _polars.DataFrame:
        """The columns of the first study that has any, as a frame of polars."""
        return self._first().to_polars()

    def _repr_svg_(self) -> str | None:
        return self.figure(0).svg if self.figures else None

    def _repr_html_(self) -> str:
        figures = "".join(self.figure(i).svg for i in range(min(2, len(self.figures))))
        return _facts_html(self.title, self.facts.values()) + figures

    def __repr__(self) -> str:
        studies = ", ".join(f"{s.name} ({s.kind}, {s.state})" for s in self.studies.values())
        return f"<Run {self.title!r}: {studies}>"

    def __getstate__(self) -> dict[str, Any]:
        figures = {name: self.figure(i).svg for i, name in enumerate(self.figures)}
        pages = {"html": self.html(), "text": self.text(), "figures": figures}
        return {**self.__dict__, "_outcome": None, "_pages": pages}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for study in self.studies.values():
            study.run = self


class Figure:
    """A figure as SVG, shown as such in a notebook."""

    def __init__(self, name: str, svg: str) -> None:
        self.name = name
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Figure {self.name!r}>"


class Certificate:
    """What laws do, measured by small experiments."""

    def __init__(self, found: list[dict[str, Any]], html: str) -> None:
        #: The certificates by the names of the laws.
        self.laws: dict[str, dict[str, Any]] = {one["law"]: one for one in found}
        self._html = html

    def __getitem__(self, law: str) -> dict[str, Any]:
        return self.laws[law]

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the report."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._html)

    def __repr__(self) -> str:
        return f"<Certificate of {', '.join(self.laws)}>"


def run(
    source: ScenarioLike,
    *,
    set: Mapping[str, Number] | None = None,
    progress: Told = None,
) -> Run:
    """Answers all questions of a scenario: a file, a text in TOML, a dictionary or a mechanism.

    `set` changes numbers by their paths, such as ``{"pad.law.mu_s": 0.5}``. `progress` is told the study
    and how much of it is done; ``True`` shows a bar. Ctrl-C ends it at once.
    """
    return Run(_bristle.run(scenario(source, set), _teller(progress)))


def ask(
    source: ScenarioLike,
    kind: str,
    values: Mapping[str, object],
    defaults: Mapping[str, object],
    set: Mapping[str, Number] | None,
    progress: Told,
) -> Study:
    """Puts one question to a scenario, in place of its own."""
    read = scenario(source, set)
    study: dict[str, object] = {"kind": kind}
    units: dict[str, str] | None = None
    for key, value in values.items():
        if value is None or (key in defaults and is_same(value, defaults[key])):
            continue
        if key.endswith(("from", "to")) and not isinstance(value, str):
            units = units or {path: unit for path, _, unit in read.parameters}
            path = values.get(key[0] if "_" in key else "parameter")
            unit = units.get(str(path), "1")
            value = repr(float(value)) + ("" if unit == "1" else f" {unit}")  # type: ignore[arg-type]
        study[key] = plain(value)
    found = Run(_bristle.run(read.asking({kind: study}), _teller(progress))).studies[kind]
    if found.state == "failed":
        raise BristleError(f"study `{kind}` failed: {found.error}")
    return found


def certify(*laws: str, progress: Told = None) -> Certificate:
    """Certifies laws of the catalogue: what each of them does, measured."""
    import json

    found, html = _bristle.certify(list(laws), _teller(progress))
    return Certificate(json.loads(found), html)


def _teller(progress: Told) -> Callable[[str, float], object] | None:
    if progress is None or progress is False:
        return None
    return _Bar() if progress is True else progress


class _Bar:
    """A bar of text, in a terminal or below a cell."""

    def __init__(self) -> None:
        self.last = ""

    def __call__(self, what: str, fraction: float) -> None:
        done = round(30 * min(max(fraction, 0.0), 1.0))
        line = f"\r{what:<20.20} {'█' * done}{'·' * (30 - done)} {100 * fraction:3.0f} %"
        if line != self.last:
            sys.stderr.write(line + ("\n" if fraction >= 1.0 else ""))
            sys.stderr.flush()
            self.last = line


def _facts_html(title: str, facts: Any) -> str:
    from html import escape

    rows = "".join(
        f"<tr><td>{escape(f.label)}</td><td>{escape(f.text)}</td><td>{escape(f.note)}</td></tr>" for f in facts
    )
    return f"<b>{escape(title)}</b><table>{rows}</table>"
