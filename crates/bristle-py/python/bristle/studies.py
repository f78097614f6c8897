"""Questions put to a scenario, one function each.

Generated from the cards by `cargo xtask gen`; edits are lost.
"""

# ruff: noqa
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from bristle._run import ScenarioLike, Study, ask
from bristle._spec import Number, Part

__all__ = [
    "simulate",
    "steady",
    "branch",
    "boundary",
    "map",
    "orbit",
    "sweep",
    "stages",
    "spectrum",
    "work_precision",
    "limit",
]


def simulate(
    scenario: ScenarioLike,
    *,
    show: Sequence[Part | str] | None = None,
    duration: Number,
    step: Number | None = None,
    start: Literal["given", "equilibrium"] = "given",
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Simulates the mechanism over a time span.

        ẋ = f(t, x) from the start given by the parts, every stick, slip and break point located

    Reports how each contact moves (rest, creep, steady sliding, stick–slip), what friction costs, and how well
    the energy balance closes; a gap above a thousandth of what was exchanged is a failed run. For a cable on drums it shows the shape over time, contact forces, slip and tension;
    how that is integrated is said under `[cable_solver]`.

    Parameters
    ----------
    show
        Outputs to draw, each in a figure of its own; a sensible set unless given.
    duration
        How long. [s]
    step
        Distance of the samples; a two-thousandth of the duration unless given, more with over five hundred outputs. [s]
    start
        Where bodies start: as given by the parts, or at rest where springs, weights and forces balance without friction.
    """
    return ask(scenario, "simulate", {"show": show, "duration": duration, "step": step, "start": start}, {"show": None, "step": None, "start": "given"}, set, progress)


def steady(
    scenario: ScenarioLike,
    *,
    neutral: Number = 1e-9,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Looks for the steady state and says how stable it is.

        0 = f(x),   J = ∂f/∂x,   det(λ − J) = λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀,   Hurwitz determinants Δ₁ … Δ_n

    On a moving belt the steady state is the body at rest while the belt slides below it. Positions that grow for
    ever without any effect are left out. Where the state near rest is unstable, the one that the motion from the
    scenario's start reaches is told instead, if it reaches one; a motion that runs away has none. Reports eigenvalues, modes, damping and the margins of Routh and Hurwitz.

    Parameters
    ----------
    neutral
        Real parts closer to zero than this share of the frequency count as neutral.
    """
    return ask(scenario, "steady", {"neutral": neutral}, {"neutral": 1e-9}, set, progress)


def branch(
    scenario: ScenarioLike,
    *,
    parameter: str,
    from_: Number,
    to: Number,
    cycles: bool = False,
    section: str | None = None,
    step: Number = 0.05,
    points: Number = 2000.0,
    amplitude: Number = 0.05,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Follows the steady state over one parameter.

        0 = f(x, p) by pseudo-arclength;  Hopf: λ = ±iω, p = p_H + κ A² + …,  l₁ < 0 supercritical, l₁ > 0 subcritical

    Locates folds and Hopf points; a zero of the Hurwitz determinant that belongs to two real eigenvalues is
    reported as a neutral saddle. Every Hopf point comes with its first Lyapunov coefficient, the curvature of the
    branch of cycles and a verdict in words. With `cycles = true` that branch is followed too, so that the verdict
    can say how far a cycle coexists with the stable steady state.

    Parameters
    ----------
    parameter
        Path of the parameter, such as `belt.v`.
    from_
        First value, with its unit.
    to
        Last value, with its unit.
    cycles
        Whether the cycles born at Hopf points are followed as well.
    section
        State whose fall through zero cuts the cycles; the integral of a controller or the first body's velocity unless given.
    step
        Longest step along the branch, relative.
    points
        Most points.
    amplitude
        Amplitude of the first cycle, relative to the steady displacement.
    """
    return ask(scenario, "branch", {"parameter": parameter, "from": from_, "to": to, "cycles": cycles, "section": section, "step": step, "points": points, "amplitude": amplitude}, {"cycles": False, "section": None, "step": 0.05, "points": 2000.0, "amplitude": 0.05}, set, progress)


def boundary(
    scenario: ScenarioLike,
    *,
    x: str,
    x_from: Number,
    x_to: Number,
    y: str,
    y_from: Number,
    y_to: Number,
    step: Number = 0.05,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Follows the onset of self-excited vibration in two parameters.

        0 = f(x, p),   Re λ(x, p) = 0;   generalised Hopf points where l₁ = 0

    The first Lyapunov coefficient is known all along the curve: where it is positive, crossing the boundary makes
    the motion jump, and a cycle coexists with stable sliding on the other side.

    Parameters
    ----------
    x
        Path of the first parameter, drawn to the right.
    x_from
        Its smallest value, with its unit.
    x_to
        Its largest value, with its unit.
    y
        Path of the second parameter, drawn upwards.
    y_from
        Its smallest value, with its unit.
    y_to
        Its largest value, with its unit.
    step
        Longest step along the curve, relative.
    """
    return ask(scenario, "boundary", {"x": x, "x_from": x_from, "x_to": x_to, "y": y, "y_from": y_from, "y_to": y_to, "step": step}, {"step": 0.05}, set, progress)


def map(
    scenario: ScenarioLike,
    *,
    x: str,
    x_from: Number,
    x_to: Number,
    y: str,
    y_from: Number,
    y_to: Number,
    columns: Number = 100.0,
    rows: Number = 100.0,
    step: Number = 0.05,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Maps the stability of the steady state over two parameters.

        0 = f(x, p_ij),  Routh's array of det(λ − ∂f/∂x) in every cell

    The onset is drawn on top with its criticality, because a cell called stable here is stable against small
    disturbances only: beside a subcritical boundary a large kick starts a vibration that stays.

    Parameters
    ----------
    x
        Path of the first parameter, drawn to the right.
    x_from
        Its smallest value, with its unit.
    x_to
        Its largest value, with its unit.
    y
        Path of the second parameter, drawn upwards.
    y_from
        Its smallest value, with its unit.
    y_to
        Its largest value, with its unit.
    columns
        Cells to the right.
    rows
        Cells upwards.
    step
        Longest step along the boundary, relative.
    """
    return ask(scenario, "map", {"x": x, "x_from": x_from, "x_to": x_to, "y": y, "y_from": y_from, "y_to": y_to, "columns": columns, "rows": rows, "step": step}, {"columns": 100.0, "rows": 100.0, "step": 0.05}, set, progress)


def orbit(
    scenario: ScenarioLike,
    *,
    section: str | None = None,
    parameter: str | None = None,
    from_: Number | None = None,
    to: Number | None = None,
    multiplicities: Sequence[Number] | None = None,
    transient: Number = 40.0,
    points: Number = 0.0,
    limit: Number = 100.0,
    rtol: Number = 1e-11,
    step: Number = 0.05,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Finds periodic motions, stable and unstable, and follows one over a parameter.

        ξ = P(ξ), P the return map of a section;   Floquet multipliers μ = eigenvalues of ∂P/∂ξ

    The motion from the scenario's start is watched; from its nearest recurrences Newton's method, with exact
    derivatives through every switch, closes the cycle. With `points` a line across the returns is sent through the
    return map as well, and wherever it comes back on the other side another cycle is closed; each is listed once. No
    sequence of stick and slip is prescribed. With a parameter the first stable cycle, or else the first, is followed
    through folds and grazing, and flips are located.

    Parameters
    ----------
    section
        State whose fall through zero cuts the cycle; the integral of a controller or the first body's velocity unless given.
    parameter
        Path of a parameter to follow a cycle over.
    from_
        Smallest value, with its unit.
    to
        Largest value, with its unit.
    multiplicities
        Returns per period of the cycles looked for; 1 and 2 unless given.
    transient
        Returns that are watched before cycles are looked for.
    points
        Points across the returns between which coexisting cycles are looked for; 100 find most, 0 none.
    limit
        Longest wait for a return. [s]
    rtol
        Relative tolerance of the integration.
    step
        Longest step along the branch, relative.
    """
    return ask(scenario, "orbit", {"section": section, "parameter": parameter, "from": from_, "to": to, "multiplicities": multiplicities, "transient": transient, "points": points, "limit": limit, "rtol": rtol, "step": step}, {"section": None, "parameter": None, "from": None, "to": None, "multiplicities": None, "transient": 40.0, "points": 0.0, "limit": 100.0, "rtol": 1e-11, "step": 0.05}, set, progress)


def sweep(
    scenario: ScenarioLike,
    *,
    parameter: str,
    from_: Number,
    to: Number,
    section: str | None = None,
    multiplicities: Sequence[Number] | None = None,
    store: str | None = None,
    points: Number = 25.0,
    transient: Number = 200.0,
    window: Number = 48.0,
    lyapunov: Number = 100.0,
    limit: Number = 100.0,
    rtol: Number = 1e-8,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Watches what motions settle to over a parameter, from several starts and along rising and falling values.

        ξ → P(ξ) again and again: rest, a period of n returns, or chaos with the leading Lyapunov exponent

    A motion that does not return within the limit is at rest, slides on steadily or runs away; which, its rates say.
    At every value the motion starts near the steady state, carried along by the fastest drive, and as the scenario
    says; two chains carry the end of one value to the next. Where one start comes to rest and another vibrates for
    ever the range is bistable. Cells run on all cores and do not depend on their number. With `store` finished cells
    are kept in a file of their own, and an interrupted sweep goes on from there; a file that is something else is refused.

    Parameters
    ----------
    parameter
        Path of the parameter, such as `belt.v`.
    from_
        First value, with its unit.
    to
        Last value, with its unit.
    section
        State whose fall through zero marks a return; the integral of a controller or the first body's velocity unless given.
    multiplicities
        Returns per period of the cycles, stable or not, also looked for at every value; none unless given.
    store
        File for finished cells; an interrupted sweep goes on from it.
    points
        Number of values.
    transient
        Returns that are let pass.
    window
        Returns that are then looked at.
    lyapunov
        Returns over which the Lyapunov exponent of a motion without period is taken.
    limit
        Longest wait for a return. [s]
    rtol
        Relative tolerance of the integration.
    """
    return ask(scenario, "sweep", {"parameter": parameter, "from": from_, "to": to, "section": section, "multiplicities": multiplicities, "store": store, "points": points, "transient": transient, "window": window, "lyapunov": lyapunov, "limit": limit, "rtol": rtol}, {"section": None, "multiplicities": None, "store": None, "points": 25.0, "transient": 200.0, "window": 48.0, "lyapunov": 100.0, "limit": 100.0, "rtol": 1e-8}, set, progress)


def stages(
    scenario: ScenarioLike,
    *,
    contact: str | None = None,
    duration: Number,
    transient: Number = 0.0,
    threshold: Number = 0.005,
    step: Number | None = None,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Cuts stick–slip cycles into stick, acceleration and deceleration.

        III deceleration: largest slip rate → first minimum after it
        II  acceleration: last rise through the threshold → largest slip rate
        I   stick: the rest

    Elastic bristles ring while they stick; the threshold says which slip rate still counts as sticking, and the
    durations depend on it.

    Parameters
    ----------
    contact
        Which contact; the first unless given.
    duration
        How long the motion is watched. [s]
    transient
        How much of the beginning is left out. [s]
    threshold
        Slip rate above which the acceleration has begun. [m/s]
    step
        Distance of the samples; a fifty-thousandth of the duration unless given. [s]
    """
    return ask(scenario, "stages", {"contact": contact, "duration": duration, "transient": transient, "threshold": threshold, "step": step}, {"contact": None, "transient": 0.0, "threshold": 0.005, "step": None}, set, progress)


def spectrum(
    scenario: ScenarioLike,
    *,
    output: str | None = None,
    duration: Number,
    transient: Number | None = None,
    highest: Number | None = None,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Finds the tones of a motion: at which frequencies it vibrates, and how strongly.

        x(t) ≈ mean + Σ a_k cos(2π f_k t + φ_k)   amplitudes under a Hann window, peaks interpolated between the lines

    A stick–slip cycle shows its frequency of repetition and its harmonics, a squeal its pitch. Two tones closer than about
    four lines (four over the time looked at) cannot be told apart: look longer. What lies above `highest` is not seen; a
    jump of the quantity that is looked at has tones up to any frequency, some of which fold back as faint false ones.

    Parameters
    ----------
    output
        Which output, such as `block.v`; the slip rate of the first contact unless given.
    duration
        How long the motion is watched. [s]
    transient
        How much of the beginning is left out; a fifth unless given. [s]
    highest
        Highest frequency that is looked for; four thousand lines unless given. [Hz]
    """
    return ask(scenario, "spectrum", {"output": output, "duration": duration, "transient": transient, "highest": highest}, {"output": None, "transient": None, "highest": None}, set, progress)


def work_precision(
    scenario: ScenarioLike,
    *,
    tolerances: Sequence[Number] | None = None,
    methods: Sequence[Part | str] | None = None,
    laws: Sequence[Part | str] | None = None,
    duration: Number,
    accuracy: Number = 1e-6,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Weighs the methods against each other: error against work.

        error = max over time and bodies of |q − q_reference| / range of q_reference
        work  = rate evaluations + states × Jacobians

    Runs every method at every tolerance, under the scenario's law or several, and compares with a run at the
    tightest tolerance. A run that ends more than 1 % off is wrong (×), one that does not end has failed (!).

    Parameters
    ----------
    tolerances
        Tolerances; 1e-3 to 1e-10 unless given.
    methods
        Methods; all unless given.
    laws
        Friction laws to run under; the scenario's own unless given.
    duration
        How long to run. [s]
    accuracy
        The error at which the methods are compared.
    """
    return ask(scenario, "work_precision", {"tolerances": tolerances, "methods": methods, "laws": laws, "duration": duration, "accuracy": accuracy}, {"tolerances": None, "methods": None, "laws": None, "accuracy": 1e-6}, set, progress)


def limit(
    scenario: ScenarioLike,
    *,
    end: Literal["last", "first"] = "last",
    direction: Number = -1.5707963267948966,
    stages: Number = 8.0,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Looks for the largest load a cable holds before it slips over its drums.

        Q(q) + Aᵀ F = 0 at zero speed,   F_i = −s c N_i at every touching node,   load unknown

    The criterion: friction is mobilised at every node, up to the coefficient `c` the law can hold without creeping
    (`α μ` for `cdq`, `μ` for `quinn`, `μ_s` for `karnopp`). One static solution, no integration in time.
    Reports the load, its ratio to what holds the other end, the exponential `e^{cφ}` and the closed form with
    bending stiffness.

    Parameters
    ----------
    end
        The end that is loaded; the cable slips towards it.
    direction
        Direction of the load, counter-clockwise from the right; downwards unless given. [rad]
    stages
        Stages in which friction is mobilised.
    """
    return ask(scenario, "limit", {"end": end, "direction": direction, "stages": stages}, {"end": "last", "direction": -1.5707963267948966, "stages": 8.0}, set, progress)
