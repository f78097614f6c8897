"""Numbers of a law from measured records, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bristle import studies
from bristle._bristle import BristleError
from bristle._run import Floats, ScenarioLike, Study, Told, run
from bristle._spec import Number


class Estimate(NamedTuple):
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


class Fit:
    """What a fit found. Rows and columns of `covariance` are in the order of `estimates`."""

    law: str
    estimates: dict[str, Estimate]
    covariance: Floats
    covariance_white: Floats
    #: Times, what was measured, what the fit shows, and the difference, of the first record.
    time: Floats
    measured: Floats
    fitted: Floats
    residuals: Floats
    #: What the record cannot tell, in words.
    doubts: list[str]
    simulations: int
    #: Facts, figures and the report.
    study: Study
    #: The scenario with what was found, in TOML.
    scenario: str

    def __init__(self, **found: Any) -> None:
        self.__dict__.update(found)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"`{name}` was found and cannot be set")

    def __repr__(self) -> str:
        numbers = ", ".join(f"{e.name} = {e.value:.6g} ± {e.error:.2g}" for e in self.estimates.values())
        return f"<Fit of {self.law}: {numbers}>"

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
    # Not at every import.
    import json

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
