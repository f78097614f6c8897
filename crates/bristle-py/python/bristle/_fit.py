"""Numbers of a law from measured records, as arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bristle import studies
from bristle._bristle import BristleError
from bristle._run import Floats, ScenarioLike, Study, Told, run
from bristle._spec import Number


@dataclass(frozen=True)
class Estimate:
    """A number that was looked for."""

    name: str
    unit: str
    value: float
    #: Standard error with residuals as correlated as they are; infinite where the record says nothing of it.
    error: float
    #: Standard error as if residuals were independent.
    error_white: float
    #: Lower and upper end of 95 % of what it may be.
    interval: tuple[float, float]
    #: Whether the record tells it.
    is_known: bool
    #: The bound it lies on, "low" or "high", if it does.
    at_bound: str | None


@dataclass(frozen=True)
class Fit:
    """What a fit found. Rows and columns of `covariance` are in the order of `estimates`."""

    law: str
    estimates: dict[str, Estimate]
    covariance: Floats = field(repr=False)
    covariance_white: Floats = field(repr=False)
    #: Times, what was measured, what the fit shows, and the difference, of the first record.
    time: Floats = field(repr=False)
    measured: Floats = field(repr=False)
    fitted: Floats = field(repr=False)
    residuals: Floats = field(repr=False)
    #: What the record cannot tell, in words.
    doubts: list[str]
    simulations: int
    #: Facts, figures and the report.
    study: Study = field(repr=False)
    #: The scenario with what was found, in TOML.
    scenario: str = field(repr=False)

    def __getitem__(self, name: str) -> float:
        """The value of an estimate by its path."""
        return self.estimates[name].value


def fit(
    source: ScenarioLike,
    study: str | None = None,
    *,
    set: Mapping[str, Number] | None = None,
    progress: Told = None,
    **options: Any,
) -> Fit:
    """Finds numbers of a law from the records of a scenario.

    Its study of kind `fit` is answered, or the one of that name; `options` are those of `bristle.studies.fit`, in place of its own.

    >>> found = bristle.fit("identify.toml")  # doctest: +SKIP
    >>> found["pad.F_d"], found.estimates["pad.F_d"].error, found.covariance  # doctest: +SKIP
    """
    if options:
        answer = studies.fit(source, set=set, progress=progress, **options)
    else:
        found = run(source, set=set, progress=progress).studies.values()
        fits = [s for s in found if s.kind == "fit" and study in (None, s.name)]
        if not fits:
            called = f" called `{study}`" if study else ""
            raise BristleError(f"the scenario has no study of kind `fit`{called}")
        answer = fits[0]
    if answer.state == "failed":
        raise BristleError(f"study `{answer.name}` failed: {answer.error}")
    files = answer.run.files if answer.run is not None else {}
    own = {kind: files.get(f"{answer.name}-{kind}", files.get(kind, "")) for kind in ("estimates.json", "fitted.toml")}
    return _read(answer, own)


def _read(study: Study, files: Mapping[str, str]) -> Fit:
    found: dict[str, Any] = json.loads(files["estimates.json"])

    def number(x: float | None) -> float:
        return float("inf") if x is None else float(x)

    def matrix(rows: Any) -> Floats:
        return np.array([[number(x) for x in row] for row in rows], dtype=float)

    estimates = {
        e["name"]: Estimate(
            name=e["name"],
            unit=e["unit"],
            value=number(e["value"]),
            error=number(e["se_correlated"]),
            error_white=number(e["se"]),
            interval=(number(e["interval"][0]), number(e["interval"][1])),
            is_known=bool(e["identifiable"]),
            at_bound=e["at_bound"],
        )
        for e in found["parameters"]
    }
    return Fit(
        law=found["law"],
        estimates=estimates,
        covariance=matrix(found["covariance"]),
        covariance_white=matrix(found["covariance_white"]),
        time=study["time"],
        measured=study["measured"],
        fitted=study["fitted"],
        residuals=study["residual"],
        doubts=list(found["doubts"]),
        simulations=int(found["simulations"]),
        study=study,
        scenario=files.get("fitted.toml", ""),
    )
