"""A block on a belt, integrated by SciPy with the equations, guards and switches of bristle.

`solve_ivp` finds where a guard falls to zero; the system then says how the modes go on. The cycle is that of
`bristle.run`, event by event.
"""

import bristle
import numpy as np
from scipy.integrate import solve_ivp


def mechanism():
    m = bristle.Mechanism("Belt")
    block = m.mass("block", mass=20.0, v=0.5)
    belt = m.drive("belt", v=0.5)
    m.spring("tie", block, m.ground, k=10.0)
    m.contact("pad", block, belt, law=bristle.laws.coulomb(F_s=117.72, F_d=98.1))
    return m


def by_scipy(system, duration):
    """Times of all switches, and the largest stretch."""
    t, (x, mode) = 0.0, system.initial()
    switches, largest = [], 0.0
    while t < duration:
        # A guard that has just fired is zero; it counts again once it has been positive.
        armed = system.guards(t, x, mode) > 1e-9
        events = []
        for i in range(system.mode_count):
            event = lambda t, x, i=i, mode=mode, armed=armed: (
                system.guards(t, x, mode)[i] if armed[i] else 1.0
            )
            event.terminal, event.direction = True, -1
            events.append(event)
        first = 1e-3 if not armed.all() else duration - t
        run = solve_ivp(
            lambda t, x: system.rates(t, x, mode), (t, min(t + first, duration)), x, method="DOP853",
            events=events, rtol=1e-11, atol=1e-12, dense_output=True,
        )
        t, x = run.t[-1], run.y[:, -1]
        largest = max(largest, run.sol(np.linspace(run.t[0], t, 4001))[0].max())
        fired = [i for i, times in enumerate(run.t_events) if len(times)]
        if fired:
            x, mode = system.switch(fired[0], t, x, mode)
            switches.append(t)
    return np.array(switches), largest


def compare(duration=60.0):
    """Switches of both, and how far apart they are at most, s."""
    m = mechanism()
    ours = np.array([event.time for event in m.simulate(duration).events])
    theirs, largest = by_scipy(m.scenario().system(), duration)
    return ours, theirs, largest


if __name__ == "__main__":
    ours, theirs, largest = compare()
    print(f"{len(theirs)} switches, largest stretch {largest:.6f} m")
    print(f"apart by at most {np.abs(ours[:len(theirs)] - theirs).max():.1e} s")
