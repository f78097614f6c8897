"""Questions put to a scenario, one function each.

Generated from the cards by `cargo xtask gen`; edits are lost.
"""

# ruff: noqa
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from bristle._run import ScenarioLike, Study, ask
from bristle._spec import Number, Part, Signal

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
    "vary",
    "optimise",
    "plan",
    "fit",
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
    the energy balance closes; a gap above a thousandth of what was exchanged is a failed run. What was measured of an output
    (`[measurements.NAME]`, in the time of the run) is drawn over its figure with the error below. For cables on drums it shows the
    shape over time, contact forces, slip and tension.

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


def vary(
    scenario: ScenarioLike,
    *,
    over: Sequence[Part | str] | None = None,
    responses: Sequence[Part | str] | None = None,
    events: Sequence[Part | str] | None = None,
    bands: Sequence[Part | str] | None = None,
    covariance: str | None = None,
    of: str | None = None,
    store: str | None = None,
    local: bool = False,
    runs: Number | None = None,
    seed: Number = 1.0,
    design: Literal["grid", "list", "random", "latin", "sobol", "saltelli", "morris"] = "grid",
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Runs many variants of the scenario and lays what they do side by side.

        y_i = response(scenario with p_i),   p_i from a grid, a list, or drawn from distributions;   Sobol: S_i, T_i;   Morris: μ*_i, σ_i

    `over` says what varies: `belt.v = 0.2 m/s : 0.6 m/s : 41` (even steps), `tie.k = [8 N/m, 10 N/m]`, or a distribution such as
    `pad.law.mu_s = normal(0.6, 0.05)`, `lognormal(median, s)`, `uniform(a, b)`, `triangular(a, mode, b)`. `responses` says what is
    asked of every run: `max(block.q)`, `rms(block.v, 10 s, 20 s)`, `settling(stage.q)`, `end(energy.loss)`, `at(block.q, 5 s)`,
    `slips(pad)`, `switches()`, `growth()` of disturbances of steady motion, or any `fact(study.name)`. A run that fails is a row with its
    reason. Every run depends on its index and the seed alone: threads, shards and machines change nothing.

    Parameters
    ----------
    over
        What varies: a path, `=`, and values or a distribution.
    responses
        What is asked of every run; slips, extremes and losses unless given.
    events
        What happens or does not, such as `slips(pad) > 0`: how often, with an interval.
    bands
        Outputs whose histories are drawn as bands of percentiles.
    covariance
        Table of estimates and their covariance, as a fit gives it: these parameters vary together.
    of
        Which study of kind `simulate` is measured; the first unless given.
    store
        Folder for finished runs; an interrupted study goes on from it.
    local
        Whether derivatives at the scenario's own values are told as well.
    runs
        How many: draws of a sample, base points of Saltelli's scheme, or paths of Morris's; 1000, 512 or 40 unless given.
    seed
        Where random numbers begin.
    design
        How points are chosen.
    """
    return ask(scenario, "vary", {"over": over, "responses": responses, "events": events, "bands": bands, "covariance": covariance, "of": of, "store": store, "local": local, "runs": runs, "seed": seed, "design": design}, {"over": None, "responses": None, "events": None, "bands": None, "covariance": None, "of": None, "store": None, "local": False, "runs": None, "seed": 1.0, "design": "grid"}, set, progress)


def optimise(
    scenario: ScenarioLike,
    *,
    over: Sequence[Part | str] | None = None,
    minimise: str | None = None,
    maximise: str | None = None,
    target: str | None = None,
    constraints: Sequence[Part | str] | None = None,
    of: str | None = None,
    accuracy: Number = 1e-5,
    runs: Number = 5000.0,
    seed: Number = 1.0,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Finds the parameters that make something smallest, largest, or equal to a target, under constraints.

        min f(p)  over  low ≤ p ≤ high,  g_j(p) ≤ limit_j

    Goal and constraints are responses as `vary` has them: `minimise = "value(loss.d)"`, `maximise = "value(servo.ki)"`,
    `target = "max(block.q) = 12 m"`; `constraints = ["growth(guide.v, 5 mm/s, 200 mm/s) <= 0"]`. Where all of them are parameters or growth
    rates of disturbances, which are smooth, the search goes along gradients (sequential quadratic programming) from the best of a
    spread of points; elsewhere, as where motions switch, by differential evolution, which needs none and sees the whole range.

    Parameters
    ----------
    over
        What is free, each between two bounds: `loss.d = 1 N s/m : 300 N s/m`, `: log` behind it for ratios.
    minimise
        The response that is to be smallest.
    maximise
        The response that is to be largest.
    target
        The response that is to have a value: `max(block.q) = 12 m`.
    constraints
        What must hold: `slips(pad) <= 0`.
    of
        Which study of kind `simulate` is measured; the first unless given.
    accuracy
        How closely the parameters are found, as a share of their ranges.
    runs
        Most runs.
    seed
        Where random numbers begin.
    """
    return ask(scenario, "optimise", {"over": over, "minimise": minimise, "maximise": maximise, "target": target, "constraints": constraints, "of": of, "accuracy": accuracy, "runs": runs, "seed": seed}, {"over": None, "minimise": None, "maximise": None, "target": None, "constraints": None, "of": None, "accuracy": 1e-5, "runs": 5000.0, "seed": 1.0}, set, progress)


def plan(
    scenario: ScenarioLike,
    *,
    contact: str | None = None,
    motions: Sequence[Part | str] | None = None,
    known: Sequence[Part | str] | None = None,
    record: Signal | None = None,
    noise: Number,
    sampling: Number = 0.001,
    duration: Number = 2.0,
    time: Number | None = None,
    stroke: Number | None = None,
    speed: Number | None = None,
    force: Number | None = None,
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Plans an experiment: which motions would tell the numbers of a law, and how sharply.

        M = Σ JᵀJ/σ²,   J = ∂F/∂ ln θ along a motion,   expected standard error of θ_k = √(M⁻¹)_kk

    The law of a contact, with its numbers as they stand, is the guess. Each candidate is a motion of one surface over the other, made
    for `duration` with the force measured once every `sampling` with white noise of size `noise`: `sine 20 um, 1 Hz`
    (from rest, x = A (1 − cos 2πft)), `chirp 20 um, 1 Hz, 20 Hz`, `ramp 10 mm/s` (through both directions), `steps 1 mm/s, 3 mm/s`
    (each for the same time), `hold 1 mm/s, 0.5 s` (a rest in the middle of sliding). Left out, candidates are made from the law's own
    deflection and speeds. What exceeds `stroke`, `speed` or `force` is left out; of the rest the best so many are chosen as
    fit into `time`. A `record` that exists is counted with them, and what it cannot tell is said in words. The errors are the smallest
    that any program could reach: correlated noise makes them larger, and a guess that is far off makes them wrong.

    Parameters
    ----------
    contact
        Whose law is the guess; the first contact unless given.
    motions
        Candidates, such as `sine 20 um, 1 Hz`; made from the law unless given.
    known
        Numbers that are known and not to be found, such as `gamma`.
    record
        Slip rate of a record that exists already: a `polyline`, with its `file` and `column` or its points.
    noise
        Standard deviation of the measured force. [N]
    sampling
        Time from one value to the next. [s]
    duration
        How long each motion is made. [s]
    time
        How much time there is for all; three motions unless given. [s]
    stroke
        Longest way from end to end. [m]
    speed
        Fastest slip rate. [m/s]
    force
        Largest force. [N]
    """
    return ask(scenario, "plan", {"contact": contact, "motions": motions, "known": known, "record": record, "noise": noise, "sampling": sampling, "duration": duration, "time": time, "stroke": stroke, "speed": speed, "force": force}, {"contact": None, "motions": None, "known": None, "record": None, "sampling": 0.001, "duration": 2.0, "time": None, "stroke": None, "speed": None, "force": None}, set, progress)


def fit(
    scenario: ScenarioLike,
    *,
    measurements: Sequence[Part | str] | None = None,
    validate: Sequence[Part | str] | None = None,
    laws: Sequence[Part | str] | None = None,
    unknowns: Sequence[Signal] | None = None,
    starts: Number = 16.0,
    seed: Number = 1.0,
    horizon: Number | None = None,
    intervals: Literal["correlated", "wald", "profile", "bootstrap"] = "correlated",
    set: Mapping[str, Number] | None = None,
    progress: Callable[[str, float], object] | bool | None = None,
) -> Study:
    r"""Finds numbers of a law, and the law, from measured records.

        min Σ [(y(t_i; θ) − y_i)/σ]²    from many starts, bounded, in logarithms, with F_s ≥ F_d and shares that sum to one

    The records are sections `[measurements.NAME]`. What is simulated is one contact: between prescribed motions, behind a spring
    without inertia for laws with a direct effect, under a mass on a spring or under a sampled controller, or under a mass whose motion was
    measured (inverse dynamics). Derivatives are exact, through every switch. Each law of
    `laws` is fitted, and ranked by the records of `validate`, which no fit has seen. Intervals take into account that residuals
    are correlated; what the record cannot tell is said in words, and makes the program end with code 3. Without `unknowns` every number of the law is looked for within
    what the record suggests. The fitted scenario is written beside the report.

    Parameters
    ----------
    measurements
        Records to fit; all that are not for validation unless given.
    validate
        Records that no fit sees, to rank laws by.
    laws
        Laws to try in place of the contact's own: a list, or lists by contact, `{ pad = ["dahl", "lugre"] }`.
    unknowns
        What is to be found: `{ path = "pad.F_d", from = "1 N", to = "5 N" }`; every number of the law unless given.
    starts
        Places tried per unknown before the first descent.
    seed
        Where the sequence of starts begins.
    horizon
        First stretch of a free motion that is compared; it doubles until the end. Chosen from the record unless given. [s]
    intervals
        How intervals are found: with correlated residuals, as if they were independent, by profiles of the likelihood, or by records
drawn anew from blocks of residuals.
    """
    return ask(scenario, "fit", {"measurements": measurements, "validate": validate, "laws": laws, "unknowns": unknowns, "starts": starts, "seed": seed, "horizon": horizon, "intervals": intervals}, {"measurements": None, "validate": None, "laws": None, "unknowns": None, "starts": 16.0, "seed": 1.0, "horizon": None, "intervals": "correlated"}, set, progress)
