"""Four friction problems with known answers, and how an engine is scored on them.

An engine is a function `simulate(problem, setting)` that gives times and places of a block of 1 kg (20 kg on the belt) which starts at
rest on the ground. What acts on it besides friction is `problem.force(t, x)`. The belt is seen from the belt: the block starts at
rest on ground that does not move, and its spring is pulled away, which is the same motion.
"""

from dataclasses import dataclass
from math import pi, sqrt
from typing import Callable

import numpy as np

GRAVITY = 9.81
SHARES = (0.5, 0.9, 0.99)
PULSES = 40


@dataclass(frozen=True)
class Problem:
    """What is asked of an engine."""

    name: str
    mass: float
    static: float
    kinetic: float
    duration: float
    force: Callable[[float, float], float]
    #: The same force as parts of a scenario, for bristle.
    parts: str

    @property
    def load(self):
        return self.mass * GRAVITY


def hold(share):
    push = share * 0.5 * GRAVITY
    return Problem(f"hold {share}", 1.0, 0.5, 0.5, 60.0, lambda t, x: push, pushed(f'"{push} N"'))


def ramp():
    return Problem("ramp", 1.0, 0.5, 0.5, 7.0, lambda t, x: t, pushed('{ kind = "ramp", slope = "1 N/s" }'))


def pulses():
    push = 0.25 * GRAVITY
    signal = f'{{ kind = "pulse", height = "{push} N", width = "0.1 s", period = "0.2 s" }}'
    force = lambda t, x: push if t < 0.2 * PULSES and t % 0.2 < 0.1 else 0.0  # noqa: E731
    return Problem("pulses", 1.0, 0.5, 0.5, 0.2 * PULSES, force, pushed(signal))


def belt(static):
    speed, stiffness = 0.5, 10.0
    parts = f"""
[parts.pull]
kind = "drive"
v = "-{speed} m/s"
[parts.tie]
kind = "spring"
between = ["block", "pull"]
k = "{stiffness} N/m"
"""
    return Problem(f"belt {static}", 20.0, static, 0.5, 100.0, lambda t, x: -stiffness * (x + speed * t), parts)


def pushed(signal):
    return f'\n[parts.push]\nkind = "force"\non = "block"\nvalue = {signal}\n'


def closed_belt(static):
    """Period and largest stretch of the rigid belt, in closed form."""
    mass, stiffness, speed, load = 20.0, 10.0, 0.5, 20.0 * GRAVITY
    omega = sqrt(stiffness / mass)
    rise, kinetic = static * load / stiffness, 0.5 * load / stiffness
    above = rise - kinetic
    amplitude = sqrt(above**2 + (speed / omega) ** 2)
    # It slips around the kinetic stretch from +above to −above, at both of which it has the belt's speed, and rides back.
    slip = (pi + 2 * np.arctan2(speed / omega, above)) / omega
    ride = 2 * above / speed
    return slip + ride, kinetic + amplitude


def score(simulate, setting):
    """All figures of an engine at a setting; what cannot be run is left out and named."""
    row, missing = {}, []

    def tried(name, body):
        try:
            row[name] = body()
        except NotImplementedError as reason:
            missing.append(f"{name}: {reason}")

    tried("drift", lambda: [drift(simulate(hold(share), setting)) for share in SHARES])
    tried("break_away", lambda: passing(simulate(ramp(), setting), 1e-3))
    for static in (0.5, 0.6):
        tried(f"belt {static}", lambda static=static: belt_errors(simulate(belt(static), setting), static))
    tried("pulses", lambda: float(simulate(pulses(), setting)[1][-1]))
    row["missing"] = missing
    return row


def drift(motion):
    """Speed over the last half, m/s, and how far it has moved in all, m."""
    t, x = motion
    half = np.searchsorted(t, t[-1] / 2)
    return [float((x[-1] - x[half]) / (t[-1] - t[half])), float(x[-1] - x[0])]


def passing(motion, place):
    """The time, which is the force in newtons, at which a place is passed."""
    t, x = motion
    beyond = np.nonzero(x >= place)[0]
    if len(beyond) == 0:
        raise NotImplementedError("never got there")
    i = max(beyond[0], 1)
    return float(t[i - 1] + (place - x[i - 1]) / (x[i] - x[i - 1]) * (t[i] - t[i - 1]))


def belt_errors(motion, static):
    """Errors of the period, s, and of the largest stretch, m."""
    t, x = motion
    stretch = x + 0.5 * t
    period, largest = closed_belt(static)
    late = t > 25.0
    level = 0.5 * 20.0 * GRAVITY / 10.0
    inside = (stretch[:-1] > level) & (stretch[1:] <= level) & late[1:]
    i = np.nonzero(inside)[0]
    crossings = t[i] + (stretch[i] - level) / (stretch[i] - stretch[i + 1]) * (t[i + 1] - t[i])
    if len(crossings) < 3:
        raise NotImplementedError("no cycle")
    return [float(np.mean(np.diff(crossings)) - period), float(stretch[late].max() - largest)]
