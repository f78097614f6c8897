"""How many belts a second in a loop over SciPy's solve_ivp: what `vary_rate` does with bristle.

    python3 benches/vary.py [RUNS]

Every run gives the number of slips, the largest stretch and the energy lost, at the same tolerance as `examples/belt.toml`.
Slipping is integrated by DOP853 with its end located as an event. Sticking is integrated as well, as a loop over phases does
for any mechanism; or, faster, told in closed form, which only a belt with a plain spring allows.
"""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

MASS, KINETIC, END = 20.0, 98.1, 60.0
SETTINGS = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-11}


def run(static, belt, stiffness, is_closed):
    """Slips, largest stretch and loss of one belt."""

    def stick(t, x):
        return [belt, 0.0, 0.0]

    def slip(t, x):
        return [x[1], (KINETIC - stiffness * x[0]) / MASS, KINETIC * (belt - x[1])]

    def breaks(t, x):
        return static - stiffness * x[0]

    def catches(t, x):
        return belt - x[1]

    def turns(t, x):
        return x[1]

    breaks.terminal = catches.terminal = True
    breaks.direction = catches.direction = turns.direction = -1
    t, q, loss, slips, top = 0.0, 0.0, 0.0, 0, 0.0
    while t < END:
        if is_closed:
            wait = (static / stiffness - q) / belt
            if t + wait >= END:
                return slips, max(top, q + belt * (END - t)), loss
            t, q = t + wait, static / stiffness
        else:
            rest = solve_ivp(stick, (t, END), [q, belt, loss], events=breaks, **SETTINGS)
            t, q = rest.t[-1], rest.y[0, -1]
            if rest.status != 1:
                return slips, max(top, q), loss
        slips += 1
        # A hair below the belt's speed, so that its being caught is not found at once.
        slide = solve_ivp(slip, (t, END), [q, belt - 1e-12, loss], events=[catches, turns], **SETTINGS)
        top = max([top, slide.y[0].max(), *(x[0] for x in slide.y_events[1])])
        t, q, loss = slide.t[-1], slide.y[0, -1], slide.y[2, -1]
    return slips, top, loss


if __name__ == "__main__":
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    random = np.random.default_rng(1)
    belts = np.c_[random.normal(117.72, 4.0, runs), random.uniform(0.4, 0.6, runs), random.normal(10.0, 0.5, runs)]
    for is_closed, words in [(False, "sticking integrated"), (True, "sticking in closed form")]:
        begun = time.process_time()
        for belt in belts:
            run(*belt, is_closed)
        each = (time.process_time() - begun) / runs
        print(f"SciPy, {words}: {1e3 * each:.2f} ms of processor time a run, {1 / each:.0f} runs a second")
    print("slips, stretch, loss of the usual belt:", *run(117.72, 0.5, 10.0, True))
