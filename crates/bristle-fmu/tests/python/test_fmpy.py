"""FMUs in a foreign importer: FMPy validates them and runs them, by steps of ours (Co-Simulation) and by CVode (Model Exchange).

`cargo xtask fmu` and the gate run these tests; by hand: BRISTLE=target/debug/bristle python -m pytest crates/bristle-fmu/tests/python
"""

import csv
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy.fmi2 import FMU2Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

ROOT = Path(__file__).parents[4]
BRISTLE = os.environ.get("BRISTLE", "bristle")

BELT = """
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
velocity = {speed}
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "10 N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = LAW
[parts.push]
kind = "force"
on = "block"
value = {force}
[solver]
rtol = 1e-11
[studies.run]
kind = "simulate"
duration = "12 s"
step = "10 ms"
"""
COULOMB = BELT.replace("LAW", '{{ kind = "coulomb", mu_s = 0.5, mu_d = 0.4 }}')
LUGRE = BELT.replace("LAW", '{{ kind = "lugre", mu_s = 0.5, mu_d = 0.4, sigma0 = "1e4 N/m", sigma1 = "100 N s/m" }}').replace("rtol = 1e-11", "rtol = 1e-12")

BENCH = """
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.weight]
kind = "gravity"
[parts.push]
kind = "force"
on = "block"
value = {force}
[parts.pad]
kind = "contact"
between = ["block", "ground"]
law = {{ kind = "frdyn2", mu_s = 0.6, mu_d = 0.3, v_s = "1 mm/s", v_d = "10 mm/s", sigma0 = "5e6 N/m", sigma1 = "3192.75 N s/m" }}
[solver]
rtol = 1e-12
[studies.run]
kind = "simulate"
duration = "2 s"
step = "2 ms"
"""

STACK = """
[parts.top]
kind = "mass"
mass = "2 kg"
q = "1 m"
[parts.middle]
kind = "mass"
mass = "2 kg"
[parts.bottom]
kind = "mass"
mass = "2 kg"
[parts.tie]
kind = "spring"
between = ["top", "ground"]
k = "30 N/m"
[parts.upper]
kind = "contact"
between = ["top", "middle"]
law = {{ kind = "coulomb", F_d = "9.81 N", F_s = "14.71 N" }}
[parts.inner]
kind = "contact"
between = ["middle", "bottom"]
law = {{ kind = "coulomb", F_d = "3.92 N", F_s = "5.88 N" }}
[parts.lower]
kind = "contact"
between = ["bottom", "ground"]
law = {{ kind = "coulomb", F_d = "11.77 N", F_s = "17.66 N" }}
[parts.push]
kind = "force"
on = "middle"
value = {force}
[solver]
rtol = 1e-11
[studies.run]
kind = "simulate"
duration = "5 s"
step = "5 ms"
"""

CLUTCH = """
[parts.motor]
kind = "rotor"
inertia = "0.2 kg m^2"
speed = "10 rad/s"
[parts.machine]
kind = "rotor"
inertia = "0.35 kg m^2"
[parts.shaft]
kind = "torsion_spring"
between = ["machine", "ground"]
k = "20 N m/rad"
[parts.push]
kind = "torque"
on = "motor"
value = {torque}
[parts.clutch]
kind = "clutch"
between = ["motor", "machine"]
force = {clamp}
radius = "9 cm"
faces = 2
law = {{ kind = "coulomb", mu_d = 0.32, mu_s = 0.36 }}
[solver]
rtol = 1e-11
[studies.run]
kind = "simulate"
duration = "3 s"
step = "5 ms"
"""


@dataclass(frozen=True)
class Signal:
    """An input: its words in a scenario, its value just before and just after any time, and where it is not smooth."""

    words: str
    before: Callable[[float], float]
    after: Callable[[float], float]
    breaks: tuple = ()
    jumps: bool = False


def step(before, after, at, unit):
    """An input that jumps."""
    words = f'{{ kind = "sum", terms = [{{ kind = "constant", value = "{before} {unit}" }}, {{ kind = "step", height = "{after - before} {unit}", start = "{at} s" }}] }}'
    return Signal(
        words, lambda t: after if t > at + 1e-9 else before, lambda t: after if t >= at - 1e-9 else before, (at,), True
    )


def line(times, values, unit):
    """An input along straight lines."""
    points = ", ".join(f'"{v} {unit}"' for v in values)
    instants = ", ".join(f'"{t} s"' for t in times)
    words = f'{{ kind = "polyline", times = [{instants}], values = [{points}] }}'
    value = lambda t: float(np.interp(t, times, values))  # noqa: E731
    return Signal(words, value, value, tuple(times[1:-1]))


def level(value, unit):
    return Signal(f'{{ kind = "constant", value = "{value} {unit}" }}', lambda t: value, lambda t: value)


# Scenario, and for each of its places the input's name, its unit, and how it goes.
CASES = {
    "belt, step": (COULOMB, {"speed": step(0.1, -0.2, 5.0, "m/s"), "force": level(0.0, "N")}),
    "belt, ramp": (COULOMB, {"speed": line([0, 2, 8, 12], [0.1, 0.1, 0.4, 0.4], "m/s"), "force": level(0.0, "N")}),
    "belt, reversing": (COULOMB, {"speed": line([0, 4, 8, 12], [0.1, -0.1, 0.2, -0.1], "m/s"), "force": level(0.0, "N")}),
    "belt, push": (COULOMB, {"speed": level(0.1, "m/s"), "force": line([0, 3, 6, 9, 12], [0, 4, -4, 2, 0], "N")}),
    "lugre, step": (LUGRE, {"speed": level(0.1, "m/s"), "force": step(0.0, 3.0, 5.0, "N")}),
    "lugre, reversing": (LUGRE, {"speed": line([0, 4, 8, 12], [0.1, -0.1, 0.2, -0.1], "m/s"), "force": level(0.0, "N")}),
    "bench, step": (BENCH, {"force": step(0.0, 6.5, 0.5, "N")}),
    "bench, reversing": (BENCH, {"force": line([0, 0.5, 1, 1.5, 2], [0, 6.5, -6.5, 6.5, 0], "N")}),
    "stack, step": (STACK, {"force": step(0.0, 30.0, 1.0, "N")}),
    "stack, ramp": (STACK, {"force": line([0, 5], [0, 50], "N")}),
    "clutch, step": (CLUTCH, {"torque": level(2.0, "N m"), "clamp": step(100.0, 900.0, 1.0, "N")}),
    "clutch, ramp": (CLUTCH, {"torque": level(2.0, "N m"), "clamp": line([0, 0.5, 1.5, 3], [0, 0, 900, 900], "N")}),
    "clutch, reversing": (CLUTCH, {"torque": line([0, 1, 2, 3], [10, -60, 60, 0], "N m"), "clamp": level(600.0, "N")}),
}
NAMES = {"speed": "inputs.belt.velocity", "force": "inputs.push.value", "torque": "inputs.push.value", "clamp": "inputs.clutch.force"}
UNITS = {"speed": "m/s", "force": "N", "torque": "N m", "clamp": "N"}
EXAMPLES = ["belt", "bench", "stack", "drill_string", "incline"]
LAWS = ["coulomb", "lugre", "frdyn2", "gms"]


def export(what: str, folder: Path, fmi: int = 2) -> Path:
    out = folder / f"model{fmi}.fmu"
    subprocess.run([BRISTLE, "export", "fmu", what, "--fmi", str(fmi), "--out", str(out)], check=True, capture_output=True)
    return out


def columns(scenario: Path, folder: Path) -> dict[str, np.ndarray]:
    """What `bristle run` gives, by output; of two rows at a switch the later one."""
    subprocess.run([BRISTLE, "run", str(scenario), "--out", str(folder)], check=True, capture_output=True)
    path = sorted(folder.rglob("*.csv"))[0]
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names = [name.split(" [")[0].split(" (")[0].strip() for name in rows[0]]
    values = np.array([[float(cell) for cell in row] for row in rows[1:]])
    return {name: values[:, i] for i, name in enumerate(names)}


# Rows of a run lie on the dense output of its method, which is less exact than its steps: where bristles snap, LuGre's rows are off by
# 2e-9 of the range at steps of their own length, though Co-Simulation at 10 and at 5 ms agrees to 6e-12. So the run takes short steps.
SHORT = '[solver]\nh_max = "1 ms"\n'
MADE: dict[str, tuple] = {}


def prepared(case: str, folders):
    """The FMU with inputs, and what the scenario with their signals does; made once for all tests."""
    if case not in MADE:
        folder = folders.mktemp("case")
        text, inputs = CASES[case]
        open_ends = {
            key: f'{{ kind = "input", value = "{signal.before(0.0)} {UNITS[key]}" }}' for key, signal in inputs.items()
        }
        (folder / "fmu.toml").write_text(text.format(**open_ends))
        closed = text.format(**{key: signal.words for key, signal in inputs.items()})
        (folder / "run.toml").write_text(closed.replace("[solver]\n", SHORT))
        fmu = export(str(folder / "fmu.toml"), folder)
        MADE[case] = fmu, columns(folder / "run.toml", folder / "out"), {NAMES[key]: rest for key, rest in inputs.items()}
    return MADE[case]


def compared(found: dict[str, np.ndarray], times: np.ndarray, run: dict[str, np.ndarray], most: float, case: str) -> float:
    """The largest deviation of any position, velocity and work as a share of its range; at the instant of a jump there are two."""
    jumps = [t for signal in CASES[case][1].values() if signal.jumps for t in signal.breaks]
    is_clear = np.array([all(abs(t - jump) > 1e-9 for jump in jumps) for t in times])
    found, times = {name: values[is_clear] for name, values in found.items()}, times[is_clear]
    rows = np.searchsorted(run["time"], times + 1e-9, side="right") - 1
    assert np.max(np.abs(run["time"][rows] - times)) < 1e-9
    worst = 0.0
    for name, values in found.items():
        span = np.ptp(run[name])
        # What rests moves by rounding.
        if span < 1e-12:
            continue
        apart = np.max(np.abs(values - run[name][rows])) / span
        worst = max(worst, apart)
        assert apart < most, f"{case}: {name} is {apart:.2e} of its range off"
    print(f"{case}: {worst:.1e}")
    return worst


def motions(run: dict[str, np.ndarray]) -> list[str]:
    """Positions, speeds and works: what has no jumps where modes change."""
    ends = (".q", ".v", ".angle", ".speed", ".loss", ".z")
    return [name for name in run if name.endswith(ends)]


@pytest.mark.parametrize("case", CASES)
def test_co_simulation(case, tmp_path_factory):
    fmu, run, inputs = prepared(case, tmp_path_factory)
    description = fmpy.read_model_description(str(fmu))
    variables = {v.name: v.valueReference for v in description.modelVariables}
    folder = fmpy.extract(str(fmu))
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="slave",
    )
    slave.instantiate()
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    end, h = run["time"][-1], run["time"][1] - run["time"][0]
    count = round(end / h)
    names = motions(run)
    references = [variables[name] for name in names]
    rows = [slave.getReal(references)]
    for k in range(count):
        t = k * h
        for name, signal in inputs.items():
            now = signal.after(t)
            slope = (signal.before(t + h) - now) / h
            slave.setReal([variables[name]], [now])
            if slope:
                slave.setRealInputDerivatives([variables[name]], [1], [slope])
        slave.doStep(t, h)
        rows.append(slave.getReal(references))
    slave.terminate()
    slave.freeInstance()
    shutil.rmtree(folder)
    found = dict(zip(names, np.array(rows).T))
    compared(found, h * np.arange(count + 1), run, 1e-9, case)


@pytest.mark.parametrize("case", CASES)
def test_model_exchange(case, tmp_path_factory):
    fmu, run, inputs = prepared(case, tmp_path_factory)
    by_cvode(case, fmu, run, inputs)


def by_cvode(case, fmu, run, inputs):
    """Model Exchange with CVode, against the run."""
    end, h = run["time"][-1], run["time"][1] - run["time"][0]
    grid = h * np.arange(round(end / h) + 1)
    # Two rows at one time are an event to the importer: where an input jumps, and where it bends.
    breaks = sorted({t for signal in inputs.values() for t in signal.breaks})
    times = np.sort(np.concatenate([grid[np.min(np.abs(grid[:, None] - [*breaks, -1.0]), axis=1) > 1e-9], breaks, breaks]))
    is_first = np.concatenate([np.diff(times) == 0.0, [False]])
    signals = np.zeros(len(times), dtype=[("time", float)] + [(name, float) for name in inputs])
    signals["time"] = times
    for name, signal in inputs.items():
        signals[name] = [signal.before(t) if first else signal.after(t) for t, first in zip(times, is_first)]
    names = motions(run)
    result = fmpy.simulate_fmu(
        str(fmu),
        fmi_type="ModelExchange",
        solver="CVode",
        stop_time=end,
        output_interval=h,
        relative_tolerance=1e-9,
        input=signals,
        output=names,
    )
    # Of rows at one time the last; what is recorded at events between is left out.
    place = np.searchsorted(result["time"], grid + 1e-9, side="right") - 1
    on_grid = np.abs(result["time"][place] - grid) < 1e-9
    assert on_grid.mean() > 0.99
    found = {name: result[name][place[on_grid]] for name in names}
    compared(found, grid[on_grid], run, 1e-5, case)


@pytest.mark.parametrize("what", EXAMPLES + LAWS)
def test_validity(what, tmp_path):
    path = what if what in LAWS else str(ROOT / "examples" / f"{what}.toml")
    assert validate_fmu(str(export(path, tmp_path))) == []


@pytest.mark.parametrize("case", ["belt, step", "lugre, step", "bench, step", "stack, step", "clutch, step"])
def test_validity_with_inputs(case, tmp_path_factory):
    fmu, _, _ = prepared(case, tmp_path_factory)
    assert validate_fmu(str(fmu)) == []


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_a_law_alone(kind, tmp_path):
    """LuGre under a slow triangle of slip rates, far slower than its bristles: its steady curve, whoever integrates."""
    fmu = export("lugre", tmp_path)
    times = np.linspace(0.0, 2.0, 201)
    signals = np.zeros(201, dtype=[("time", float), ("inputs.v", float), ("inputs.n", float)])
    signals["time"], signals["inputs.n"] = times, 10.0
    signals["inputs.v"] = np.interp(times, [0.0, 0.5, 1.5, 2.0], [0.01, 0.1, 0.1, 0.02])
    result = fmpy.simulate_fmu(
        str(fmu), fmi_type=kind, stop_time=2.0, output_interval=0.01, relative_tolerance=1e-9, input=signals, output=["force"]
    )
    parameters = {v.name: float(v.start) for v in fmpy.read_model_description(str(fmu)).modelVariables if v.name.startswith("parameters.")}
    p = {name.removeprefix("parameters."): value for name, value in parameters.items()}
    at = np.searchsorted(result["time"], 1.4)
    v = 0.1
    g = 10.0 * (p["mu_d"] + (p["mu_s"] - p["mu_d"]) * np.exp(-((v / p["v_s"]) ** 2)))
    assert abs(result["force"][at] - g - p.get("sigma2", 0.0) * v) < 1e-6 * g
