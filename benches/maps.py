"""Stability maps and maps of limit cycles of the belt oscillator: ours against NumPy and numba, in one run.

Called as `maps.py PROGRAM`, where PROGRAM is the example `maps` of bristle: ours are scenarios. Both sides compute the same maps:

- 200 x 200 cells, stability of steady sliding. NumPy is given the closed forms of the equilibrium and of the Jacobian;
  ours solves for both in every cell, as for any mechanism.
- 100 x 100 cells, twenty returns each from the same start. The numba program is what one writes by hand for this one
  oscillator: Dormand-Prince 5(4) with step control and dense output, the kink of |v| located as an event. Ours takes the
  same pair, for any dynamics, in lanes of vector instructions.

Strips of rows alternate between the two programs, each on one thread. Times are CPU times, the least of several runs, so
that other work on the machine counts as little as possible. Errors are those of the time of the last return and of the
displacement there, against order eight at 1e-11, in the median over the cells: some cells are chaotic, and there every
program parts from every other. numba compiles for the processor it runs on, and
`cargo xtask bench` compiles ours the same way; compiled as usual ours takes about a tenth longer.
"""

import math
import os
import resource
import subprocess
import sys
import time

import numpy as np
from numba import njit

SIDE, RETURNS = 100, 20
M, K, C0, CS, ALPHA, A, PHI0, D0, S0, S1 = 1.0, 100.0, 15.0, 10.0, 1.0, 0.1, 10.0, 0.002, 6e4, 2.0


# Dormand-Prince 5(4): Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I.
@njit(cache=False)
def rates(x, sign, v_b, c1, dx):
    v = v_b - x[1]
    speed = sign * v
    dz = v - S0 * speed * x[2] / (C0 + CS * math.exp(-ALPHA * speed))
    dx[0] = x[1]
    dx[1] = (S0 * x[2] * (1.0 + A * (1.0 - math.exp(-x[3] / PHI0))) + S1 * dz + c1 * v - K * x[0]) / M
    dx[2] = dz
    dx[3] = 1.0 - speed * x[3] / D0


@njit(cache=False)
def inside(theta, x, r):
    """Velocity inside a step."""
    other = 1.0 - theta
    return x + theta * (r[0] + other * (r[1] + theta * (r[2] + other * r[3])))


@njit(cache=False)
def root(low, high, x, r, level):
    """Share of the step at which the velocity passes a level."""
    f_low = inside(low, x, r) - level
    f_high = inside(high, x, r) - level
    for _ in range(60):
        share = (low * f_high - high * f_low) / (f_high - f_low)
        f = inside(share, x, r) - level
        if abs(f) < 1e-14 or abs(high - low) < 1e-14:
            return share
        if f * f_high < 0.0:
            low, f_low = high, f_high
        else:
            f_low *= 0.5
        high, f_high = share, f
    return high


@njit(cache=False)
def cell(c1, v_b, rtol, returns, limit):
    """Time of the last return, last period, last swing, displacement at the last return, evaluations."""
    scale = np.array((0.1, 0.1, 1e-4, 1e-2))
    x = np.array((0.2, v_b, 0.0, 0.0))
    k1, k2, k3, k4 = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    k5, k6, k7 = np.empty(4), np.empty(4), np.empty(4)
    y, new = np.empty(4), np.empty(4)
    dense = np.empty((4, 4))
    sign = 1.0
    rates(x, sign, v_b, c1, k1)
    if k1[1] > 0.0:
        sign = -1.0
        rates(x, sign, v_b, c1, k1)
    t, h, count, calls = 0.0, 1e-5, 0, 1
    last, period, low, high = 0.0, 0.0, x[0], x[0]
    swing, old = 0.0, 1e-4
    is_rejected = False
    while t < limit:
        for i in range(4):
            y[i] = x[i] + h * 0.2 * k1[i]
        rates(y, sign, v_b, c1, k2)
        for i in range(4):
            y[i] = x[i] + h * (3.0 / 40.0 * k1[i] + 9.0 / 40.0 * k2[i])
        rates(y, sign, v_b, c1, k3)
        for i in range(4):
            y[i] = x[i] + h * (44.0 / 45.0 * k1[i] - 56.0 / 15.0 * k2[i] + 32.0 / 9.0 * k3[i])
        rates(y, sign, v_b, c1, k4)
        for i in range(4):
            y[i] = x[i] + h * (19372.0 / 6561.0 * k1[i] - 25360.0 / 2187.0 * k2[i] + 64448.0 / 6561.0 * k3[i]
                               - 212.0 / 729.0 * k4[i])
        rates(y, sign, v_b, c1, k5)
        for i in range(4):
            y[i] = x[i] + h * (9017.0 / 3168.0 * k1[i] - 355.0 / 33.0 * k2[i] + 46732.0 / 5247.0 * k3[i]
                               + 49.0 / 176.0 * k4[i] - 5103.0 / 18656.0 * k5[i])
        rates(y, sign, v_b, c1, k6)
        for i in range(4):
            new[i] = x[i] + h * (35.0 / 384.0 * k1[i] + 500.0 / 1113.0 * k3[i] + 125.0 / 192.0 * k4[i]
                                 - 2187.0 / 6784.0 * k5[i] + 11.0 / 84.0 * k6[i])
        rates(new, sign, v_b, c1, k7)
        calls += 6
        total = 0.0
        for i in range(4):
            e = h * (71.0 / 57600.0 * k1[i] - 71.0 / 16695.0 * k3[i] + 71.0 / 1920.0 * k4[i]
                     - 17253.0 / 339200.0 * k5[i] + 22.0 / 525.0 * k6[i] - 1.0 / 40.0 * k7[i])
            w = rtol * (scale[i] + max(abs(x[i]), abs(new[i])))
            total += (e / w) ** 2
        error = math.sqrt(0.25 * total)
        if not error <= 1.0:
            h *= max(0.2, 0.9 * error**-0.2) if error < 1e300 else 0.2
            is_rejected = True
            continue
        factor = 0.9 * max(error, 1e-10) ** -0.17 * old**0.04
        factor = min(max(factor, 0.2), 1.0 if is_rejected else 10.0)
        is_rejected = False
        old = max(error, 1e-4)
        taken, share = h, 1.0
        switches = sign * (v_b - new[1]) < 0.0
        falls = x[1] > 0.0 and new[1] <= 0.0
        if switches or falls:
            for i in range(4):
                d = new[i] - x[i]
                dense[i, 0] = d
                dense[i, 1] = h * k1[i] - d
                dense[i, 2] = d - h * k7[i] - dense[i, 1]
                dense[i, 3] = h * (-12715105075.0 / 11282082432.0 * k1[i] + 87487479700.0 / 32700410799.0 * k3[i]
                                   - 10690763975.0 / 1880347072.0 * k4[i] + 701980252875.0 / 199316789632.0 * k5[i]
                                   - 1453857185.0 / 822651844.0 * k6[i] + 69997945.0 / 29380423.0 * k7[i])
        if switches:
            share = root(0.0, 1.0, x[1], dense[1], v_b)
            for i in range(4):
                new[i] = inside(share, x[i], dense[i])
            taken = share * h
            falls = x[1] > 0.0 and new[1] <= 0.0
        if falls:
            part = root(0.0, share, x[1], dense[1], 0.0)
            at = t + part * h
            count += 1
            period, last, swing = at - last, at, high - low
            low, high = new[0], new[0]
            if count == returns:
                return last, period, swing, inside(part, x[0], dense[0]), calls
        t += taken
        for i in range(4):
            x[i] = new[i]
        if switches:
            x[1] = v_b
            sign = -sign
            rates(x, sign, v_b, c1, k1)
            calls += 1
            h = min(h * factor, h)
        else:
            for i in range(4):
                k1[i] = k7[i]
            h *= factor
        low, high = min(low, x[0]), max(high, x[0])
    return math.nan, math.nan, math.nan, math.nan, calls


@njit(cache=False)
def strip(first, end, rtol, out):
    calls = 0
    for i in range(first * SIDE, end * SIDE):
        c1 = 0.2 + 3.8 * (i // SIDE) / (SIDE - 1)
        v_b = 0.05 + 0.75 * (i % SIDE) / (SIDE - 1)
        t, period, swing, turn, n = cell(c1, v_b, rtol, RETURNS, 20.0 * RETURNS)
        row = i - first * SIDE
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = t, period, swing, turn
        calls += n
    return calls


def numba_strip(first, end, rtol):
    out = np.empty(((end - first) * SIDE, 4))
    begun = time.process_time()
    strip(first, end, rtol, out)
    return time.process_time() - begun, out


def ours(program, *words):
    """CPU time and output of our program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text


def our_strip(program, first, end, rtol, threads=1, method="auto"):
    cpu, text = ours(program, "cycles", "belt", method, rtol, first, end, threads)
    lines = text.splitlines()
    return cpu, np.array([[float(w) for w in line.split()] for line in lines[1:]]), float(lines[0])


def jacobians(c1, v):
    """Jacobians of steady sliding in closed form, one per cell."""
    e = CS * np.exp(-ALPHA * v)
    g, slope = C0 + e, -ALPHA * e
    z, phi = g / S0, D0 / v
    age = np.exp(-phi / PHI0)
    grip = 1.0 + A * (1.0 - age)
    j = np.zeros(v.shape + (4, 4))
    dz_dv = 1.0 - S0 * z / g + S0 * v * z * slope / g**2
    j[..., 0, 1] = 1.0
    j[..., 2, 1] = -dz_dv
    j[..., 2, 2] = -S0 * v / g
    j[..., 3, 1] = phi / D0
    j[..., 3, 3] = -v / D0
    j[..., 1, 0] = -K / M
    j[..., 1, 1] = (-S1 * dz_dv - c1) / M
    j[..., 1, 2] = (S0 * grip - S1 * S0 * v / g) / M
    j[..., 1, 3] = S0 * z * A * age / PHI0 / M
    return j


def hurwitz(j):
    """Stability by the Hurwitz conditions on the characteristic polynomial, by powers of the matrix."""
    trace = lambda a: np.trace(a, axis1=-2, axis2=-1)
    j2 = j @ j
    j3 = j2 @ j
    p1, p2, p3, p4 = trace(j), trace(j2), trace(j3), trace(j3 @ j)
    b3 = -p1
    b2 = -(p2 + b3 * p1) / 2.0
    b1 = -(p3 + b3 * p2 + b2 * p1) / 3.0
    b0 = -(p4 + b3 * p3 + b2 * p2 + b1 * p1) / 4.0
    return (b3 > 0) & (b2 > 0) & (b1 > 0) & (b0 > 0) & (b1 * b2 * b3 - b0 * b3**2 - b1**2 > 0)


def stability(program):
    c1, v = np.meshgrid(np.linspace(0.05, 5.0, 200), np.linspace(0.02, 5.0, 200), indexing="ij")
    best, repeats = [math.inf] * 4, 20
    for _ in range(5):
        begun = time.process_time()
        eigen = int(np.sum(np.linalg.eigvals(jacobians(c1, v)).real.max(axis=-1) < 0.0))
        best[0] = min(best[0], time.process_time() - begun)
        begun = time.process_time()
        powers = int(np.sum(hurwitz(jacobians(c1, v))))
        best[1] = min(best[1], time.process_time() - begun)
        for slot, word in [(2, "eigen"), (3, "routh")]:
            cpu, text = ours(program, word, "belt", 200, repeats, 1)
            best[slot] = min(best[slot], cpu / repeats)
    cells = text.split()[1]
    print("\n200 x 200 stability map, one thread, CPU ms (stable cells)")
    print(f"  NumPy, closed forms and eigvals     {1e3 * best[0]:8.1f}  ({eigen})")
    print(f"  NumPy, closed forms and Hurwitz     {1e3 * best[1]:8.1f}  ({powers})")
    print(f"  ours, equilibria and eigenvalues    {1e3 * best[2]:8.1f}   {best[0] / best[2]:.2f} times as fast as eigvals")
    print(f"  ours, equilibria and Routh          {1e3 * best[3]:8.1f}  ({cells})   {best[0] / best[3]:.2f} times as fast as eigvals, "
          f"{best[1] / best[3]:.2f} as Hurwitz", flush=True)


def errors(found, exact):
    """Median relative errors of the time of the last return and of the displacement there."""
    return [float(np.nanmedian(np.abs(found[: len(exact), i] / exact[:, i] - 1.0))) for i in (0, 3)]


def cycles(program, strips, height):
    """Times and errors of both programs over tolerances, and the ratio at the error of the peer."""
    numba_strip(50, 51, 1e-4)
    tolerances = (1e-5, 1e-6, 1e-7)
    runs = {(who, rtol): [] for who in ("ours", "numba") for rtol in tolerances}
    for first in strips:
        exact = our_strip(program, first, first + 1, 1e-11, method="dop853")[1]
        for (who, rtol), results in runs.items():
            strip = (lambda: our_strip(program, first, first + height, rtol)) if who == "ours" else (
                lambda: numba_strip(first, first + height, rtol))
            tries = [strip() for _ in range(3)]
            results.append((min(t[0] for t in tries), *errors(tries[0][1], exact)))
    cells = len(strips) * height * SIDE
    print(f"\n100 x 100 limit-cycle map, {RETURNS} returns a cell, one thread, {cells} cells timed, CPU; median errors of time and turn")
    summary = {}
    for (who, rtol), results in runs.items():
        cpu = sum(r[0] for r in results) / cells
        summary[who, rtol] = (cpu, *(float(np.median([r[i] for r in results])) for i in (1, 2)))
        print(f"  {who:<6} rtol {rtol:.0e} {1e3 * cpu:8.3f} ms a cell {1e4 * cpu:7.1f} s the map, errors "
              f"{summary[who, rtol][1]:.1e} and {summary[who, rtol][2]:.1e}")
    mine = [summary["ours", rtol] for rtol in tolerances]
    for rtol in tolerances:
        cpu, *peer = summary["numba", rtol]
        # The time in which ours is as accurate in both respects; never less than at our loosest tolerance.
        needed = max(math.exp(np.interp(-math.log(error), [-math.log(m[i + 1]) for m in mine],
                                        [math.log(m[0]) for m in mine])) for i, error in enumerate(peer))
        print(f"  at numba's errors of {peer[0]:.0e} and {peer[1]:.0e}: {cpu / needed:.2f} times as fast per core, "
              f"at the same tolerance {cpu / summary['ours', rtol][0]:.2f} times", flush=True)


def scaling(program):
    print("\nscaling of the limit-cycle map over cores, wall time of twenty rows, the least of five runs")
    single = min(our_strip(program, 40, 60, 1e-6, 1)[2] for _ in range(5))
    for threads in range(2, (os.cpu_count() or 1) + 1):
        both = min(our_strip(program, 40, 60, 1e-6, threads)[2] for _ in range(5))
        print(f"  {threads} threads: {single:.2f} s -> {both:.2f} s, {single / both:.2f} times"
              f" (load of the machine {os.getloadavg()[0]:.1f})", flush=True)


if __name__ == "__main__":
    stability(sys.argv[1])
    cycles(sys.argv[1], range(0, SIDE, 4 if "--whole" in sys.argv else 24), 4)
    scaling(sys.argv[1])
