"""Functions of time, for forces, loads and drives.

Generated from the cards by `cargo xtask gen`; edits are lost.
"""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bristle._spec import Number, Signal

__all__ = [
    "constant",
    "input",
    "step",
    "smooth_step",
    "ramp",
    "pulse",
    "sine",
    "trapezoid",
    "cycloid",
    "polyline",
    "sum",
]


def constant(
    *,
    value: Number,
) -> Signal:
    r"""A constant.

        f(t) = value

    Parameters
    ----------
    value
        The value. [signal]
    """
    return Signal("constant", {"value": value}, {})


def input(
    *,
    value: Number = 0.0,
    slope: Number = 0.0,
    since: Number = 0.0,
) -> Signal:
    r"""A value that is set from outside while a run goes on.

        f(t) = value + slope · (t − since)   until another is set

    Programs that step a scenario by their own clock set it between steps: forces, torques, loads, speeds of drives, numbers of
    laws, whatever takes a signal; with a slope it goes on evenly between them. A study sees what is written here for ever. A drive
    whose velocity is an input goes on from where it is when the velocity changes.

    Parameters
    ----------
    value
        The value until another is set. [signal]
    slope
        Its change per second. [signal/s]
    since
        When it had the value. [s]
    """
    return Signal("input", {"value": value, "slope": slope, "since": since}, {"value": 0.0, "slope": 0.0, "since": 0.0})


def step(
    *,
    from_: Number = 0.0,
    height: Number,
    start: Number = 0.0,
) -> Signal:
    r"""A jump from one level to another.

        f = from for t < start,   f = from + height for t ≥ start

    `smooth_step` rises without a jump, `pulse` comes back.

    Parameters
    ----------
    from_
        Level before. [signal]
    height
        By how much it jumps. [signal]
    start
        When it jumps. [s]
    """
    return Signal("step", {"from": from_, "height": height, "start": start}, {"from": 0.0, "start": 0.0})


def smooth_step(
    *,
    from_: Number = 0.0,
    to: Number,
    start: Number = 0.0,
    duration: Number,
) -> Signal:
    r"""A smooth rise from one level to another: the cubic step.

        f = from + (to − from) q² (3 − 2q),   q = (t − start)/duration clipped to [0, 1]

    Parameters
    ----------
    from_
        Level before. [signal]
    to
        Level after. [signal]
    start
        When the rise begins. [s]
    duration
        How long it takes. [s]
    """
    return Signal("smooth_step", {"from": from_, "to": to, "start": start, "duration": duration}, {"from": 0.0, "start": 0.0})


def ramp(
    *,
    from_: Number = 0.0,
    slope: Number,
    start: Number = 0.0,
    duration: Number = 1e300,
) -> Signal:
    r"""A straight rise that goes on, or stops after a while.

        f = from + slope · clip(t − start, 0, duration)

    Parameters
    ----------
    from_
        Level before. [signal]
    slope
        Rise per second. [signal/s]
    start
        When the rise begins. [s]
    duration
        How long it lasts; for ever unless given. [s]
    """
    return Signal("ramp", {"from": from_, "slope": slope, "start": start, "duration": duration}, {"from": 0.0, "start": 0.0, "duration": 1e300})


def pulse(
    *,
    base: Number = 0.0,
    height: Number,
    start: Number = 0.0,
    width: Number,
    rise: Number = 0.0,
    period: Number = 0.0,
) -> Signal:
    r"""A rectangular or trapezoidal pulse, once or again and again.

        f = base, rising within `rise` to base + height at `start`, back after `width`; repeated every `period`

    Parameters
    ----------
    base
        Level outside the pulse. [signal]
    height
        Height above that level. [signal]
    start
        When the pulse begins. [s]
    width
        How long it lasts, from the begin of the rise to the begin of the fall. [s]
    rise
        How long rise and fall take; zero for a jump. [s]
    period
        Time from one pulse to the next; zero for a single pulse. [s]
    """
    return Signal("pulse", {"base": base, "height": height, "start": start, "width": width, "rise": rise, "period": period}, {"base": 0.0, "start": 0.0, "rise": 0.0, "period": 0.0})


def sine(
    *,
    mean: Number = 0.0,
    amplitude: Number,
    frequency: Number,
    phase: Number = 0.0,
    start: Number = 0.0,
    end: Number = 1e300,
) -> Signal:
    r"""A sine about a mean, from a given time on, for ever or until an end.

        f = mean + amplitude sin(2π frequency (t − start) + phase)   for start ≤ t < end, else mean

    Parameters
    ----------
    mean
        Mean. [signal]
    amplitude
        Amplitude. [signal]
    frequency
        Cycles per second. [1/s]
    phase
        Phase. [rad]
    start
        When it begins. [s]
    end
        When it ends; never unless given. [s]
    """
    return Signal("sine", {"mean": mean, "amplitude": amplitude, "frequency": frequency, "phase": phase, "start": start, "end": end}, {"mean": 0.0, "phase": 0.0, "start": 0.0, "end": 1e300})


def trapezoid(
    *,
    height: Number,
    start: Number = 0.0,
    end: Number,
    ramp: Number,
) -> Signal:
    r"""A trapezoid: rise, plateau, fall. As a velocity, the travel of a crane.

        0 → height within `ramp` from `start`, constant, back to 0 within `ramp` until `end`

    Parameters
    ----------
    height
        Height of the plateau. [signal]
    start
        When the rise begins. [s]
    end
        When the fall ends. [s]
    ramp
        How long rise and fall take. [s]
    """
    return Signal("trapezoid", {"height": height, "start": start, "end": end, "ramp": ramp}, {"start": 0.0})


def cycloid(
    *,
    rise: Number,
    start: Number = 0.0,
    duration: Number,
) -> Signal:
    r"""A cycloidal rise: from rest to rest with continuous acceleration.

        f = rise (s − sin(2π s)/(2π)),   s = (t − start)/duration clipped to [0, 1]

    Parameters
    ----------
    rise
        Total rise. [signal]
    start
        When it begins. [s]
    duration
        How long it takes. [s]
    """
    return Signal("cycloid", {"rise": rise, "start": start, "duration": duration}, {"start": 0.0})


def polyline(
    *,
    times: Sequence[Number] | None = None,
    values: Sequence[Number] | None = None,
    file: str | None = None,
    column: str | None = None,
    scale: Number = 1.0,
) -> Signal:
    r"""Straight lines through points, written in place or read from a CSV file.

        f(t_i) = f_i, straight in between, constant outside

    Parameters
    ----------
    times
        Times of the points, rising.
    values
        Values at these times.
    file
        CSV file with a column of times and one of values, instead. Headings may give units: `force [kN]`, `force (kN)`, `force_kN`.
    column
        Heading, without its unit, of the column of values in a file with more than two columns; the first holds the times.
    scale
        Factor on all values.
    """
    return Signal("polyline", {"times": times, "values": values, "file": file, "column": column, "scale": scale}, {"times": None, "values": None, "file": None, "column": None, "scale": 1.0})


def sum(
    *,
    terms: Sequence[Signal] | None = None,
    offset: Number = 0.0,
) -> Signal:
    r"""The sum of several signals.

        f(t) = f₁(t) + f₂(t) + …

    Parameters
    ----------
    terms
        The signals to add.
    offset
        Constant added to the terms. [signal]
    """
    return Signal("sum", {"terms": terms, "offset": offset}, {"terms": None, "offset": 0.0})
