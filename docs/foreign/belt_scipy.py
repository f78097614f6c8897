"""Solves the belt of the benchmark pack with SciPy, in two ways that other programs use.

    python3 belt_scipy.py pack/belt events.csv smooth.csv

`events.csv`: stick and slip integrated apart, switches located by solve_ivp's events.
`smooth.csv`: one equation, the sign of the slip rate replaced by a hyperbolic tangent 1 mm/s wide, static level left out.
"""

import csv
import json
import pathlib
import sys

import numpy as np
from scipy.integrate import solve_ivp


def read(folder):
    """The problem's numbers and the times of its reference."""
    problem = json.loads((folder / "problem.json").read_text())
    value = {name: p["value"] for name, p in problem["parameters"].items()}
    with open(folder / "reference.csv", newline="") as file:
        times = np.array([float(row[0]) for row in list(csv.reader(file))[1:]])
    return value, times


def by_events(p, times):
    """Stick and slip in turn; states are position, velocity and energy lost."""
    m, k, belt = p["block.mass"], p["tie.k"], p["belt.v"]
    kinetic, static = p["pad.law.mu_d"], p["pad.law.mu_s"]

    def stick(t, x):
        return [belt, 0.0, 0.0]

    def slip(t, x):
        return [x[1], (kinetic - k * x[0]) / m, kinetic * abs(x[1] - belt)]

    def breaks(t, x):
        return k * x[0] - static

    def catches(t, x):
        return x[1] - belt

    breaks.terminal = catches.terminal = True
    catches.direction = 1
    t, x, out, sticks = 0.0, np.array([p["block.q"], p["block.v"], 0.0]), [], True
    while t < times[-1]:
        event = breaks if sticks else catches
        run = solve_ivp(stick if sticks else slip, (t, times[-1]), x, "DOP853", rtol=1e-9, atol=1e-9,
                        events=event, dense_output=True)
        wanted = times[(times >= t) & (times < run.t[-1])]
        out.extend(run.sol(wanted).T)
        t, x, sticks = run.t[-1], run.y[:, -1].copy(), not sticks
        if sticks:
            x[1] = belt
    out.append(x)
    return np.array(out)


def by_smoothing(p, times):
    """One smooth equation for stick and slip."""
    m, k, belt, kinetic = p["block.mass"], p["tie.k"], p["belt.v"], p["pad.law.mu_d"]

    def rates(t, x):
        slip = x[1] - belt
        friction = -kinetic * np.tanh(slip / 1e-3)
        return [x[1], (friction - k * x[0]) / m, -friction * slip]

    run = solve_ivp(rates, (0.0, times[-1]), [p["block.q"], p["block.v"], 0.0], "LSODA", t_eval=times,
                    rtol=1e-8, atol=1e-10)
    return run.y.T


def write(path, times, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", "block.q", "block.v", "pad.loss"])
        for t, row in zip(times, rows):
            writer.writerow([repr(float(v)) for v in (t, *row)])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    parameters, times = read(pathlib.Path(sys.argv[1]))
    write(sys.argv[2], times, by_events(parameters, times))
    write(sys.argv[3], times, by_smoothing(parameters, times))
