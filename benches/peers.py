"""Other solvers on the problems of the race, at the same errors.

Reads the file written by `cargo run --release -p bristle --example race -- --peers FILE`: start, parameters,
reference states and our times. Runs SciPy's solvers and CVODE (through scikit-sundae) with right-hand sides compiled
by numba, scans tolerances, and prints how many times longer each takes to the same error.

A Python right-hand side, even a compiled one, costs CVODE a call through the interpreter each time. The columns "packaged",
"C plain" and "C tuned" are what the race measured with `benches/cvode.c` instead, where it could be compiled; the count of
CVODE's evaluations is for information.
"""

import json
import math
import sys
import time

import numpy as np
from numba import njit
from scipy.integrate import solve_ivp
from sksundae.cvode import CVODE


@njit(cache=False)
def cubic(q):
    q = min(max(q, 0.0), 1.0)
    return q * q * (3.0 - 2.0 * q)


@njit(cache=False)
def bench(t, x, p, dx):
    m, n, s0, s1, mu_s, v_s, mu_d, v_d, rise, share = p
    v, z, dz = x[1], x[2], x[3]
    fs = mu_s * n
    push = share * fs * cubic(t / rise)
    f0 = s0 * z + s1 * v
    if abs(f0) < fs:
        shift = f0 * v_s / (fs * (1.0 + math.sqrt(1.0 - abs(f0) / fs)))
    else:
        shift = math.copysign(v_s, f0)
    w = v - dz + shift
    a = abs(w)
    if a < v_s:
        friction = n * w * mu_s * (2.0 - a / v_s) / v_s
    else:
        friction = n * math.copysign(mu_d + (mu_s - mu_d) * (1.0 - cubic((a - v_s) / (v_d - v_s))), w)
    dx[0] = v
    dx[1] = (push - friction) / m
    dx[2] = dz
    dx[3] = (friction - s0 * z - s1 * dz) * 4.0 * s0 / (s1 * s1)


@njit(cache=False)
def dwell(t, x, p, dx):
    m, k, v_b, c0, cs, alpha, c1, a, phi0, d0, s0, s1 = p
    v = v_b - x[1]
    speed = abs(v)
    dx[0] = x[1]
    dx[2] = v - s0 * speed * x[2] / (c0 + cs * math.exp(-alpha * speed))
    dx[3] = 1.0 - speed * x[3] / d0
    grip = 1.0 + a * (1.0 - math.exp(-x[3] / phi0))
    dx[1] = (s0 * x[2] * grip + s1 * dx[2] + c1 * v - k * x[0]) / m


@njit(cache=False)
def belt(t, x, p, dx):
    m, k, v_b, f_d, f_s, v_s, v_d = p
    w = x[1] - v_b
    a = abs(w)
    if a < v_s:
        force = f_s * math.sin(0.5 * math.pi * w / v_s)
    elif a < v_d:
        force = math.copysign(f_d + 0.5 * (f_s - f_d) * (1.0 + math.cos(math.pi * (a - v_s) / (v_d - v_s))), w)
    else:
        force = math.copysign(f_d, w)
    dx[0] = x[1]
    dx[1] = -(k * x[0] + force) / m


@njit(cache=False)
def chain(t, x, p, dx):
    m, k, c, s0, s1, s2, f_c, f_s, v_s, pull = p
    n = x.shape[0] // 3
    for i in range(n):
        q, v, z = x[3 * i], x[3 * i + 1], x[3 * i + 2]
        lq, lv = (x[3 * i - 3], x[3 * i - 2]) if i > 0 else (q, v)
        rq, rv = (x[3 * i + 3], x[3 * i + 4]) if i + 1 < n else (pull * t, pull)
        speed = math.sqrt(v * v + 1e-12)
        g = f_c + (f_s - f_c) * math.exp(-((v / v_s) ** 2))
        dz = v - s0 * speed * z / g
        spring = k * (rq - 2.0 * q + lq) + c * (rv - 2.0 * v + lv)
        dx[3 * i] = v
        dx[3 * i + 1] = (spring - s0 * z - s1 * dz - s2 * v) / m
        dx[3 * i + 2] = dz


RATES = {
    "FrDyn2 pulse": bench,
    "FrDyn2 300 s hold": bench,
    "dwell-time belt 10 s": dwell,
    "velocity-based belt": belt,
    "chain of 200": chain,
}


def error_of(problem, rows):
    """Largest deviation from the reference, relative to the state and its scale."""
    exact = np.array(problem["exact"]).reshape(len(problem["times"]), -1)
    rows = np.asarray(rows)
    if rows.shape != exact.shape or not np.all(np.isfinite(rows)):
        return math.inf
    return float(np.max(np.abs(rows - exact) / (np.array(problem["scales"]) + np.abs(exact))))


def scipy_run(problem, method, tol):
    f, p = RATES[problem["name"]], np.array(problem["params"])
    x0, dim = np.array(problem["start"]), len(problem["start"])

    def rates(t, x):
        dx = np.empty(dim)
        f(t, x, p, dx)
        return dx

    options = {}
    if dim > 50 and method == "LSODA":
        options = {"lband": 4, "uband": 3}
    elif dim > 50:
        pattern = np.zeros((dim, dim), bool)
        for i in range(dim):
            pattern[max(0, i - 4) : i + 5, i] = True
        from scipy.sparse import csc_matrix

        options = {"jac_sparsity": csc_matrix(pattern)}
    begun = time.perf_counter()
    s = solve_ivp(rates, (0.0, problem["t_end"]), x0, method=method, t_eval=problem["times"], rtol=max(tol, 2.3e-14),
                  atol=tol * np.array(problem["scales"]), **options)
    return time.perf_counter() - begun, error_of(problem, s.y.T), s.nfev


def cvode_run(problem, tol):
    f, p = RATES[problem["name"]], np.array(problem["params"])
    dim = len(problem["start"])

    def rates(t, x, dx):
        f(t, x, p, dx)

    options = {"linsolver": "band", "lband": 4, "uband": 3} if dim > 50 else {"linsolver": "dense"}
    solver = CVODE(rates, method="BDF", rtol=tol, atol=tol * np.array(problem["scales"]), max_num_steps=500_000, **options)
    times = np.concatenate([[0.0], problem["times"]])
    begun = time.perf_counter()
    s = solver.solve(times, np.array(problem["start"]))
    return time.perf_counter() - begun, error_of(problem, s.y[1:]), s.nfev


def least(points, target):
    """The least time and count at which the error is reached, interpolated between neighbouring runs."""
    best = (math.inf, math.inf)
    for i, (t, e, n) in enumerate(points):
        if e <= target:
            best = min(best, (t, n))
        elif i + 1 < len(points) and points[i + 1][1] <= target:
            t2, e2, n2 = points[i + 1]
            share = math.log(e / target) / math.log(e / max(e2, 1e-300))
            best = min(best, (t * (t2 / t) ** share, n * (n2 / n) ** share))
    return best


def scan(run, target, slowest):
    """Runs over falling tolerances until the target is reached or a run takes too long."""
    points = []
    for k in range(6, 25):
        try:
            point = min((run(10 ** (-k / 2)) for _ in range(2)), key=lambda r: r[0])
        except Exception:
            continue
        points.append(point)
        if point[1] <= target or point[0] > slowest:
            break
    return points


def main():
    with open(sys.argv[1]) as file:
        problems = json.load(file)
    target = 1e-4
    print(f"\ntimes longer than the scenario to a relative error of {target:g}")
    print(f"{'problem':<22}{'ours, ms':>10}{'by hand':>9}{'SciPy best':>22}{'CVODE':>10}{'evaluations':>13}{'packaged':>10}{'C plain':>10}{'C tuned':>10}")
    for problem in problems:
        ours = problem["ours"][problem["errors"].index(target)]
        f = RATES[problem["name"]]
        f(0.0, np.array(problem["start"]), np.array(problem["params"]), np.empty(len(problem["start"])))
        methods = ["LSODA", "Radau", "BDF"] + (["DOP853"] if "belt" in problem["name"] else [])
        found = [(least(scan(lambda tol, m=m: scipy_run(problem, m, tol), target, 8.0), target), m) for m in methods]
        (scipy_time, _), scipy_name = min(found)
        cvode_time, count = least(scan(lambda tol: cvode_run(problem, tol), target, 8.0), target)
        level = problem["errors"].index(target)
        keys = ("cvode_packaged", "cvode_plain", "cvode_tuned")
        times = [problem[key][level] if problem[key] else -1.0 for key in keys]
        native = "".join(f"{t / ours if t > 0.0 else math.nan:>10.2f}" for t in times)
        print(f"{problem['name']:<22}{1e3 * ours:>10.3f}{problem['by_hand'][level] / ours:>9.2f}{scipy_time / ours:>14.0f} {scipy_name:<7}"
              f"{cvode_time / ours:>10.1f}{count:>13.0f}{native}", flush=True)


if __name__ == "__main__":
    main()
