"""Friction laws, one function each.

Generated from the cards by `cargo xtask gen`; edits are lost.
"""

# ruff: noqa
from __future__ import annotations

from typing import Literal

from bristle._spec import Law, Number, Signal

__all__ = [
    "coulomb",
    "benson",
    "smooth_coulomb",
    "velocity_based",
    "magic_formula",
    "regularised",
    "karnopp",
    "quinn",
    "cdq",
    "dahl",
    "lugre",
    "elasto_plastic",
    "stick_slip",
    "gonthier",
    "frdyn2",
    "adams_like",
    "simpack_like",
    "lugre_dwell",
    "threlfall",
    "hollars",
    "ambrosio",
    "makkar",
    "andersson",
    "brown_mcphee",
    "simscape_like",
    "bouc_wen",
    "kikuuwe",
    "bliman_sorine1",
    "bliman_sorine2",
    "maxwell_slip",
    "gms",
    "leuven",
    "dieterich",
    "ruina",
    "perrin_rice",
]


def coulomb(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
) -> Law:
    r"""Coulomb friction with a static level, set-valued at rest.

        F = s μ_d n    sliding in direction s
        |F| ≤ μ_s n    at rest

    The exact stick-slip of textbooks: no creep, no compliance, break-away as soon as the load passes the static
    level. It knows no Stribeck fall, no presliding and no dwell, and it needs events: never integrate through
    the jump. With several contacts at rest the rest forces are found together.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    """
    return Law("coulomb", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None})


def benson(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    c: Number | Signal = 100.0,
) -> Law:
    r"""Benson's exponential fall from the static to the kinetic level, set-valued at rest.

        F = s [μ_d + (μ_s − μ_d) exp(−c |v|)] n    sliding in direction s
        |F| ≤ μ_s n                                at rest

    Adds the Stribeck fall to Coulomb friction and leaves rest continuously, since sliding starts at the static
    level. The falling curve feeds energy into slow sliding, which is how belts squeal. No presliding, no dwell.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    c
        Decay with speed; the reciprocal of a Stribeck velocity. [s/m]
    """
    return Law("benson", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "c": c}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "c": 100.0})


def smooth_coulomb(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    v_d: Number | Signal = 0.001,
    shape: Literal["tanh", "normalised"] = "tanh",
) -> Law:
    r"""Coulomb friction smoothed by a hyperbolic tangent.

        F = μ_d n tanh(v/v_d)                        shape = "tanh"
        F = μ_d n tanh(v/v_d)/tanh 1,  |v| < v_d     shape = "normalised"
            μ_d n sgn v                beyond

    Cheap, without memory and, as a plain tangent, without events. It has no static level and cannot hold: under any load it creeps,
    at `v_d atanh(F/μ_d n)`. Narrow it to creep less, at the price of stiffness.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    v_d
        Velocity over which the sign is smoothed. [m/s]
    shape
        Plain tangent, or one scaled to reach the level exactly at `v_d`, with a kink there.
    """
    return Law("smooth_coulomb", {"mu_d": mu_d, "F_d": F_d, "v_d": v_d, "shape": shape}, {"mu_d": 0.3, "F_d": None, "v_d": 0.001, "shape": "tanh"})


def velocity_based(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.001,
    v_d: Number | Signal = 0.01,
    shape: Literal["trigonometric", "cubic"] = "trigonometric",
) -> Law:
    r"""The velocity-based law of contact codes: a rise to the static level, a fall to the kinetic one.

        F = n μ_s R(v/v_s)                                 |v| ≤ v_s
            n sgn v [μ_s − (μ_s − μ_d) D((|v| − v_s)/(v_d − v_s))]   v_s < |v| < v_d
            n sgn v μ_d                                    beyond
        R(q) = sin(πq/2),  D(q) = (1 − cos πq)/2           shape = "trigonometric"
        R(q) = q(3 − q²)/2, D(q) = q²(3 − 2q)              shape = "cubic"

    One smooth curve without memory, the default friction of many multibody codes. Its curvature jumps at both
    velocities; each is passed as an event, and between them a step sees one piece only. Below the static level
    it creeps instead of sticking, at about `2 v_s F/(π μ_s n)`, and explicit methods pay for a small `v_s`.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient: the peak of the curve.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Static velocity, at which the peak is reached. [m/s]
    v_d
        Dynamic velocity, from which the kinetic level holds. [m/s]
    shape
        Pieces of sine and cosine, or cubic steps.
    """
    return Law("velocity_based", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "v_d": v_d, "shape": shape}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.001, "v_d": 0.01, "shape": "trigonometric"})


def magic_formula(
    *,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    b: Number | Signal = 185.2499,
    c: Number | Signal = 1.4601069,
    e: Number | Signal = 0.0,
) -> Law:
    r"""The magic formula of tyre models as a friction curve.

        F = μ_s n sin{C atan[B v − E (B v − atan B v)]}

    Smooth everywhere, with a peak `μ_s n` and an asymptote `μ_s n sin(C π/2)`; [`MagicFormula::shape`] gives `B`
    and `C` from the kinetic level and the velocity of the peak. Creeps like every curve through the origin.

    Parameters
    ----------
    mu_s
        Peak friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    b
        Stiffness factor; the default puts the peak at 1 cm/s. [s/m]
    c
        Shape factor; the default makes the asymptote three quarters of the peak.
    e
        Curvature factor; at most 1, else the force could change sign.
    """
    return Law("magic_formula", {"mu_s": mu_s, "F_s": F_s, "b": b, "c": c, "e": e}, {"mu_s": 0.4, "F_s": None, "b": 185.2499, "c": 1.4601069, "e": 0.0})


def regularised(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.001,
    v_d: Number | Signal = 0.01,
) -> Law:
    r"""The static law under FrDyn2: a parabola up to the static level, a cubic down to the kinetic one.

        F = n sgn v μ(|v|)
        μ(w) = μ_s q (2 − q),                 q = w/v_s                 w ≤ v_s
               μ_d + (μ_s − μ_d)(1 − q²(3 − 2q)), q = (w − v_s)/(v_d − v_s)   v_s < w < v_d
               μ_d                                                      beyond

    No memory and no events. It creeps under load, at `v_s (1 − √(1 − F/μ_s n))`: 0.9 `v_s` under 99 % of the
    static level. `frdyn2` is the same curve with bristles, which hold.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient: the peak of the curve.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Static velocity, at which the peak is reached. [m/s]
    v_d
        Dynamic velocity, from which the kinetic level holds. [m/s]
    """
    return Law("regularised", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "v_d": v_d}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.001, "v_d": 0.01})


def karnopp(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    band: Number | Signal = 0.001,
    lock_in: Literal["reset", "coast"] = "reset",
    break_away: Literal["kinetic", "literal"] = "kinetic",
) -> Law:
    r"""Karnopp's dead band: a sliding contact locks once it is slow enough.

        F = s μ_d n    sliding in direction s
        |F| ≤ μ_s n    locked
        locks where |v| falls to the band, once |v| has left the band since the last break-away

    Stick-slip without chatter for codes that cannot land on `v = 0` exactly; the error is of second order in the
    band when the slip rate is reset on locking. With `lock_in = "coast"` the locked contact keeps its residual
    slip rate, as published comparisons seem to have done. With `break_away = "literal"` the force stays at the
    static level until the band is left. At a point of a cable on a drum `reset` does not jump: it slows the locked point
    down within the band.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    band
        Half width of the dead band. [m/s]
    lock_in
        Whether locking sets the slip rate to zero or lets the contact coast.
    break_away
        Whether the force falls to the kinetic level at break-away or when the band is left.
    """
    return Law("karnopp", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "band": band, "lock_in": lock_in, "break_away": break_away}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "band": 0.001, "lock_in": "reset", "break_away": "kinetic"})


def quinn(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    eps: Number | Signal = 0.001,
) -> Law:
    r"""Quinn's regularisation, which holds a load at rest without creep.

        F = μ n h(v/ε + h(F_hold/(μ n))),   h(x) = x clamped to [−1, 1]

    `F_hold` is the friction that would keep the slip rate as it is; the system finds it for all such contacts
    together. At rest with `|F_hold| ≤ μ n` the force equals it, so the contact stays put; near rest the slip
    rate decays within `ε`. No events and no memory, one level for stick and slip. `h` has corners, which cost
    high-order multistep methods dearly; `cdq` rounds them.

    Parameters
    ----------
    mu_d
        Friction coefficient, at rest and in sliding.
    F_d
        The same as a force, in place of `mu_d` [N].
    eps
        Velocity over which the sign is smoothed. [m/s]
    """
    return Law("quinn", {"mu_d": mu_d, "F_d": F_d, "eps": eps}, {"mu_d": 0.3, "F_d": None, "eps": 0.001})


def cdq(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    eps: Number | Signal = 0.001,
    alpha: Number | Signal = 0.9,
    beta: Number | Signal = 0.0,
) -> Law:
    r"""CDQ: Quinn's regularisation with rounded corners.

        F = μ n h(v/ε + h(F_hold/(μ n)))
        h(x) = x                                             |x| ≤ α
               α + w [s + (3m − 2)s² − (2m − 1)s³]           α < x < β,  h odd
               1                                             x ≥ β
        w = β − α,  s = (x − α)/w,  m = (1 − α)/w

    Continuously differentiable, so implicit multistep methods take long steps. The price is that it holds only
    up to `α μ n`; beyond, it creeps at `ε [h⁻¹(x) − h(x)]` with `x = F_hold/(μ n)`. `h` is monotone and below 1
    only for `β ≤ 3 − 2α`, and never above the holding force only for `β ≥ (3 − α)/2`; the published choice
    `β = 2 − α` is a parabola between the two.

    Parameters
    ----------
    mu_d
        Friction coefficient, at rest and in sliding.
    F_d
        The same as a force, in place of `mu_d` [N].
    eps
        Velocity over which the sign is smoothed. [m/s]
    alpha
        Share of the level up to which the contact holds without creep.
    beta
        Where the full level is reached; zero stands for `2 − α`.
    """
    return Law("cdq", {"mu_d": mu_d, "F_d": F_d, "eps": eps, "alpha": alpha, "beta": beta}, {"mu_d": 0.3, "F_d": None, "eps": 0.001, "alpha": 0.9, "beta": 0.0})


def dahl(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    sigma0: Number | Signal = 100000.0,
    alpha: Number | Signal = 1.0,
) -> Law:
    r"""Dahl: an elastic bristle that yields towards the kinetic level.

        ż = v sgn(q) |q|^α,   q = 1 − σ₀ z sgn(v)/(μ_d n)
        F = σ₀ z

    Presliding hysteresis that depends on displacement only; the exponent is 1 for brittle and near 2 for ductile
    materials. There is no static peak and no Stribeck fall, hence no stick-slip, and small oscillating loads make
    it drift. Without load the bristle springs back within a millisecond.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    sigma0
        Bristle stiffness. [N/m]
    alpha
        Shape exponent.
    """
    return Law("dahl", {"mu_d": mu_d, "F_d": F_d, "sigma0": sigma0, "alpha": alpha}, {"mu_d": 0.3, "F_d": None, "sigma0": 100000.0, "alpha": 1.0})


def lugre(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.01,
    gamma: Number | Signal = 2.0,
    sigma0: Number | Signal = 100000.0,
    sigma1: Number | Signal = 300.0,
    sigma2: Number | Signal = 0.0,
) -> Law:
    r"""LuGre: elastic bristles that bend before they slip.

        ż = v − σ₀ |v| z / (n g(v))
        F = σ₀ z + σ₁ ż + σ₂ v
        g(v) = μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)

    Gives presliding stiffness, break-away that falls with the rate of loading, and frictional lag. It drifts
    under small oscillating loads; use `elasto_plastic` where that matters. It is passive only if σ₁ is small
    enough at high speed. Without load the bristle springs back at the rate `σ₀/σ₁`.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Stribeck velocity. [m/s]
    gamma
        Stribeck exponent.
    sigma0
        Bristle stiffness. [N/m]
    sigma1
        Bristle damping. [N s/m]
    sigma2
        Viscous friction. [N s/m]
    """
    return Law("lugre", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "gamma": gamma, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.01, "gamma": 2.0, "sigma0": 100000.0, "sigma1": 300.0, "sigma2": 0.0})


def elasto_plastic(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.01,
    gamma: Number | Signal = 2.0,
    sigma0: Number | Signal = 100000.0,
    sigma1: Number | Signal = 300.0,
    sigma2: Number | Signal = 0.0,
    z_ba: Number | Signal = 1e-6,
) -> Law:
    r"""The elasto-plastic bristle: purely elastic up to break-away, so that it does not drift.

        ż = v − α σ₀ |v| z / (n g(v))
        F = σ₀ z + σ₁ ż + σ₂ v,   g(v) = μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)
        α = 0    z v ≤ 0 or |z| < z_ba
            1    |z| ≥ z_max = n g(v)/σ₀
            ½ + ½ sin(π (|z| − (z_max + z_ba)/2)/(z_max − z_ba))   else

    LuGre with a truly elastic range: a load that keeps the bristle below `z_ba` leaves no displacement behind. The
    end of that range is an event. With `z_ba` above `μ_d n/σ₀` plasticity is a step at speed: the bristle then stays
    at `z_ba`, and integrators that do not locate the event fail or err. Without load the bristle springs back at the
    rate `σ₀/σ₁`.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Stribeck velocity. [m/s]
    gamma
        Stribeck exponent.
    sigma0
        Bristle stiffness. [N/m]
    sigma1
        Bristle damping. [N s/m]
    sigma2
        Viscous friction. [N s/m]
    z_ba
        Deflection up to which the bristle is purely elastic. [m]
    """
    return Law("elasto_plastic", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "gamma": gamma, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2, "z_ba": z_ba}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.01, "gamma": 2.0, "sigma0": 100000.0, "sigma1": 300.0, "sigma2": 0.0, "z_ba": 1e-6})


def stick_slip(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_t: Number | Signal = 0.01,
    d_max: Number | Signal = 1e-5,
) -> Law:
    r"""The stick-slip law of contact codes: below a threshold speed the force follows the displacement.

        |v| > v_t:  F = μ_d n sgn v,                                  Δ̇ = 0
        |v| ≤ v_t:  F = (1 − b) μ_s n S(Δ/Δ_max) + b μ_d n sgn v,     Δ̇ = v
        b = S(|v|/v_t),  S(u) = u(3 − u²)/2 clipped,  Δ := 0 at each entry into |v| ≤ v_t

    A reconstruction from published descriptions, not the vendor's code. The displacement `Δ` counts from the
    entry into the band, a reset at an event; the force is continuous there. With a load between the kinetic and
    the static level its damping is negative along `Δ` and positive against it, so the instant of break-away is
    decided by a self-excited micro-oscillation: compare ranges, not trajectories.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_t
        Threshold speed of the band. [m/s]
    d_max
        Displacement at which the static level is reached. [m]
    """
    return Law("stick_slip", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_t": v_t, "d_max": d_max}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_t": 0.01, "d_max": 1e-5})


def gonthier(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.01,
    v_t: Number | Signal = 0.001,
    sigma0: Number | Signal = 100000.0,
    sigma1: Number | Signal = 300.0,
    sigma2: Number | Signal = 0.0,
    tau_dw: Number | Signal = 0.1,
) -> Law:
    r"""Gonthier: a bristle with a dwell time, so that break-away grows with the time at rest.

        ż = s_v v + (1 − s_v)(μ_d n d(v) − σ₀ z)/σ₁,   s_v = exp(−(v/v_s)²)
        F = clip(σ₀ z + σ₁ ż, ±n [μ_d + (μ_s − μ_d) s]) + σ₂ v
        ṡ = (s_v − s)/τ,   τ = τ_dw while s_v ≥ s, else σ₁/σ₀
        d(v) = q(3 − q²)/2, q = v/v_t clipped to ±1

    Sticks through its bristle, slides through its damper, and remembers in `s` how long it has been at rest. The
    bristle relaxes a little whenever `|v|` comes near `v_s`, so it drifts slowly under oscillating loads. Kinks at
    the clip and at the switch of τ are left to the step control. Without load the bristle springs back at `σ₀/σ₁`.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient, reached after a long dwell.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Stribeck velocity, over which sticking fades into sliding. [m/s]
    v_t
        Velocity over which the direction is smoothed. [m/s]
    sigma0
        Bristle stiffness. [N/m]
    sigma1
        Bristle damping. [N s/m]
    sigma2
        Viscous friction. [N s/m]
    tau_dw
        Dwell time constant. [s]
    """
    return Law("gonthier", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "v_t": v_t, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2, "tau_dw": tau_dw}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.01, "v_t": 0.001, "sigma0": 100000.0, "sigma1": 300.0, "sigma2": 0.0, "tau_dw": 0.1})


def frdyn2(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.001,
    v_d: Number | Signal = 0.01,
    sigma0: Number | Signal = 1000000.0,
    sigma1: Number | Signal = 1000.0,
) -> Law:
    r"""FrDyn2: a bristle with mass, and a shift that makes a regularised curve hold.

        F₀ = σ₀ z + σ₁ v,  F_s = μ_s n
        δ = sgn(F₀) v_s (1 − √max(0, 1 − |F₀|/F_s))
        w = v − ż + δ
        F = n sgn(w) μ(|w|)         μ as in `regularised`
        z̈ = (F − σ₀ z − σ₁ ż)/m_b,  m_b = σ₁²/(4 σ₀)

    One law for stick and slip: on `ż = v` the force is `F₀` exactly, so a load below the static level is held for
    good. Break-away is an event, since the slope of δ is unbounded there; that slope is limited in derivatives
    only, never in the force. The bristle mass is not small, so fast transients differ from a massless bristle;
    repeated pulses below break-away walk the body backwards by nanometres. Without load the bristle swings free.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Static velocity, at which the peak is reached. [m/s]
    v_d
        Dynamic velocity, from which the kinetic level holds. [m/s]
    sigma0
        Bristle stiffness. [N/m]
    sigma1
        Bristle damping; the authors take `2 √(σ₀ F_ref/g)` with a typical load `F_ref`. [N s/m]
    """
    return Law("frdyn2", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "v_d": v_d, "sigma0": sigma0, "sigma1": sigma1}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.001, "v_d": 0.01, "sigma0": 1000000.0, "sigma1": 1000.0})


def adams_like(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.001,
    v_d: Number | Signal = 0.01,
    d_max: Number | Signal = 1e-6,
) -> Law:
    r"""An Adams-like joint friction: a limited displacement at rest, a velocity curve in sliding.

        F = n [(1 − b) μ_s S(x/D) + b sgn(v) μ_v(|v|)],   b = |S(v/v_s)|
        ẋ = v, but 0 while |x| = D and x v > 0
        S(q) = q(15 − 10q² + 3q⁴)/8 clipped to ±1
        μ_v = μ_s below v_s, quintic to μ_d at v_d

    A reconstruction from published results, not the vendor's code. The stop at `±D` is an event, so nothing hides
    in the rates. It holds up to the static level; unloading is damped far more strongly than loading, so an
    overshoot comes back slowly.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Static velocity, below which the displacement takes part. [m/s]
    v_d
        Dynamic velocity, from which the kinetic level holds. [m/s]
    d_max
        Largest displacement at rest. [m]
    """
    return Law("adams_like", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "v_d": v_d, "d_max": d_max}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.001, "v_d": 0.01, "d_max": 1e-6})


def simpack_like(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    sigma0: Number | Signal = 1000000.0,
    sigma1: Number | Signal = 1000.0,
    restick: Literal["zero", "continuous"] = "zero",
) -> Law:
    r"""A Simpack-like hybrid: a spring and damper while sticking, Coulomb friction while slipping.

        stick:   ż = v, F = σ₀ z + σ₁ v;   slips once |σ₀ z| > μ_s n, towards sgn z
        slip s:  ż = 0, F = s μ_d n;       sticks once s v < 0, with z := 0 or z := s μ_d n/σ₀

    A reconstruction from published results, not the vendor's code. Slip is triggered by the spring alone, so the
    force may pass the static level on a fast load. It jumps at both transitions, at re-sticking unless
    `restick = "continuous"`. It starts out sticking whatever its slip rate, and a moving one slips at once.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    sigma0
        Stiffness while sticking. [N/m]
    sigma1
        Damping while sticking. [N s/m]
    restick
        The deflection after re-sticking: none, or the one that keeps the force.
    """
    return Law("simpack_like", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "sigma0": sigma0, "sigma1": sigma1, "restick": restick}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "sigma0": 1000000.0, "sigma1": 1000.0, "restick": "zero"})


def lugre_dwell(
    *,
    mu_0: Number | Signal = 0.3,
    c0: Number | Signal | None = None,
    mu_1: Number | Signal = 0.2,
    cs: Number | Signal | None = None,
    alpha: Number | Signal = 1.0,
    c1: Number | Signal = 0.5,
    a: Number | Signal = 0.1,
    phi0: Number | Signal = 10.0,
    d0: Number | Signal = 0.002,
    sigma0: Number | Signal = 60000.0,
    sigma1: Number | Signal = 2.0,
) -> Law:
    r"""LuGre with a dwell time: bristles stiffen with the time of contact.

        ż = v − σ₀ |v| z/g(v),   g = n (μ_0 + μ_1 e^{−α|v|}),   c₀ = μ_0 n,  c_s = μ_1 n
        φ̇ = 1 − |v| φ/D₀
        F = σ₀ z [1 + a (1 − e^{−φ/φ₀})] + σ₁ ż + c₁ v

    `φ` is the mean age of the contacts: it grows with time at rest and settles at `D₀/|v|` in sliding, so the
    break-away force grows with the time of sticking. Lightly damped bristles ring at low speed, and the motion on
    a slow belt is often chaotic. Drifts like LuGre. Without load bristle and age vanish within a millisecond or
    the bristle's own time.

    Parameters
    ----------
    mu_0
        Kinetic level as a coefficient.
    c0
        The same as a force, in place of `mu_0` [N].
    mu_1
        Rise of the level towards rest as a coefficient.
    cs
        The same as a force, in place of `mu_1` [N].
    alpha
        Decay of the rise with speed. [s/m]
    c1
        Viscous friction. [N s/m]
    a
        Share by which a long contact stiffens the bristles.
    phi0
        Time in which contacts stiffen. [s]
    d0
        Slip that renews the contacts. [m]
    sigma0
        Bristle stiffness. [N/m]
    sigma1
        Bristle damping. [N s/m]
    """
    return Law("lugre_dwell", {"mu_0": mu_0, "c0": c0, "mu_1": mu_1, "cs": cs, "alpha": alpha, "c1": c1, "a": a, "phi0": phi0, "d0": d0, "sigma0": sigma0, "sigma1": sigma1}, {"mu_0": 0.3, "c0": None, "mu_1": 0.2, "cs": None, "alpha": 1.0, "c1": 0.5, "a": 0.1, "phi0": 10.0, "d0": 0.002, "sigma0": 60000.0, "sigma1": 2.0})


def threlfall(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    v_r: Number | Signal = 0.001,
    k: Number | Signal = 3.0,
) -> Law:
    r"""Threlfall's regularised Coulomb friction: an exponential rise that is cut off.

        F = μ_d n sgn v [1 − exp(−k |v|/v_r)]    |v| ≤ v_r
            μ_d n sgn v [1 − exp(−k)]            |v| > v_r

    An early smoothing of the jump in multibody codes, where `k` is 3 and the plateau 95 % of the level.
    Without memory, without a static level; it creeps under any load, at `v_r F/(k μ_d n)` under small loads `F`,
    and its slope jumps at `v_r`.

    Parameters
    ----------
    mu_d
        Friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    v_r
        Velocity at which the rise ends. [m/s]
    k
        Steepness of the rise.
    """
    return Law("threlfall", {"mu_d": mu_d, "F_d": F_d, "v_r": v_r, "k": k}, {"mu_d": 0.3, "F_d": None, "v_r": 0.001, "k": 3.0})


def hollars(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_t: Number | Signal = 0.001,
    mu_v: Number | Signal = 0.0,
) -> Law:
    r"""Hollars' curve, of Simbody and OpenSim: a rise to the static level at the transition velocity, a fall beyond.

        F = n sgn v {min(|v|/v_t, 1) [μ_d + 2(μ_s − μ_d)/(1 + (v/v_t)²)] + μ_v |v|}

    Made for the contacts of biomechanics, where it must be cheap and continuous. Without memory; it creeps under any
    load below the static level, never faster than `v_t`, and at `v_t F/((2μ_s − μ_d) n)` under small loads `F`. The
    slope jumps at `v_t`; beyond, the level falls slowly: at `10 v_t` a fiftieth of the difference is left. Viscous
    friction grows with the load.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient: the peak of the curve.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_t
        Transition velocity, at which the peak lies. [m/s]
    mu_v
        Viscous friction per load. [s/m]
    """
    return Law("hollars", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_t": v_t, "mu_v": mu_v}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_t": 0.001, "mu_v": 0.0})


def ambrosio(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    v_0: Number | Signal = 0.0001,
    v_1: Number | Signal = 0.001,
) -> Law:
    r"""Ambrósio's ramp: no friction near rest, then a straight rise to the Coulomb level.

        F = μ_d n sgn v c,   c = 0                          |v| ≤ v_0
                                 (|v| − v_0)/(v_1 − v_0)    v_0 < |v| < v_1
                                 1                          |v| ≥ v_1

    Keeps explicit integrators from chattering about a direction that rounding decides. In exchange there is no
    friction at all below `v_0`: it cannot hold, and any load moves it at least that fast. No static level.

    Parameters
    ----------
    mu_d
        Friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    v_0
        Velocity below which there is no friction. [m/s]
    v_1
        Velocity from which the full level acts. [m/s]
    """
    return Law("ambrosio", {"mu_d": mu_d, "F_d": F_d, "v_0": v_0, "v_1": v_1}, {"mu_d": 0.3, "F_d": None, "v_0": 0.0001, "v_1": 0.001})


def makkar(
    *,
    gamma1: Number | Signal = 0.1,
    F_1: Number | Signal | None = None,
    gamma2: Number | Signal = 1000.0,
    gamma3: Number | Signal = 100.0,
    gamma4: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    gamma5: Number | Signal = 1000.0,
    gamma6: Number | Signal = 0.0,
) -> Law:
    r"""Makkar's six-parameter curve: hyperbolic tangents for stiction, Coulomb and viscous friction.

        F = n [γ₁ (tanh γ₂v − tanh γ₃v) + γ₄ tanh γ₅v] + γ₆ v

    Smooth to every order, hence made for control design: the static level is near `γ₁ + γ₄`, the Stribeck fall is
    the difference of the first two tangents, `γ₄` is the kinetic level. Without memory; it creeps under any load,
    at `F/(n [γ₁(γ₂ − γ₃) + γ₄γ₅] + γ₆)` under small loads `F`.

    Parameters
    ----------
    gamma1
        Rise of the level towards rest.
    F_1
        The same as a force, in place of `gamma1` [N].
    gamma2
        Steepness at rest of the rise. [s/m]
    gamma3
        Steepness of the Stribeck fall. [s/m]
    gamma4
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `gamma4` [N].
    gamma5
        Steepness at rest of the kinetic part. [s/m]
    gamma6
        Viscous friction. [N s/m]
    """
    return Law("makkar", {"gamma1": gamma1, "F_1": F_1, "gamma2": gamma2, "gamma3": gamma3, "gamma4": gamma4, "F_d": F_d, "gamma5": gamma5, "gamma6": gamma6}, {"gamma1": 0.1, "F_1": None, "gamma2": 1000.0, "gamma3": 100.0, "gamma4": 0.3, "F_d": None, "gamma5": 1000.0, "gamma6": 0.0})


def andersson(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.01,
    gamma: Number | Signal = 2.0,
    k_t: Number | Signal = 1000.0,
    sigma2: Number | Signal = 0.0,
) -> Law:
    r"""Andersson's combined law: a Stribeck curve behind a hyperbolic tangent, plus viscous friction.

        F = n [μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)] tanh(k_t v) + σ₂ v

    The common curve of tribology made usable for simulation. Without memory; it creeps under any load, at
    `F/(k_t μ_s n)` under small loads `F`. The static level is reached only if `1/k_t` is small against `v_s`.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Stribeck velocity. [m/s]
    gamma
        Stribeck exponent.
    k_t
        Steepness at rest. [s/m]
    sigma2
        Viscous friction. [N s/m]
    """
    return Law("andersson", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "gamma": gamma, "k_t": k_t, "sigma2": sigma2}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.01, "gamma": 2.0, "k_t": 1000.0, "sigma2": 0.0})


def brown_mcphee(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_t: Number | Signal = 0.001,
    sigma2: Number | Signal = 0.0,
    n_t: Number | Signal = 1.0,
) -> Law:
    r"""Brown and McPhee's continuous curve: a peak at the transition velocity, without a switch.

        F = n [μ_d tanh(4q) + (μ_s − μ_d) q/(q²/4 + 3/4)²] + σ₂ v tanh(4n/n_t),   q = v/v_t

    Smooth to every order, and each parameter can be read off a measured curve: the second term peaks exactly at
    `v_t`, where the whole is `μ_s − 0.0007 μ_d` times the load. Without memory; below the peak it creeps, at
    about `9 v_t F/(16 (μ_s + 5 μ_d/4) n)` under small loads `F`, so it cannot hold. Wet friction fades with the
    load below `n_t`.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient: the peak of the curve.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_t
        Transition velocity, at which the peak lies. [m/s]
    sigma2
        Viscous friction. [N s/m]
    n_t
        Load from which viscous friction acts in full. [N]
    """
    return Law("brown_mcphee", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_t": v_t, "sigma2": sigma2, "n_t": n_t}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_t": 0.001, "sigma2": 0.0, "n_t": 1.0})


def simscape_like(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.001,
    sigma2: Number | Signal = 0.0,
) -> Law:
    r"""A Simscape-like curve: a Stribeck bump over a hyperbolic tangent, plus viscous friction.

        F = n [√(2e) (μ_s − μ_d) exp(−q²) q + μ_d tanh(10 v/v_s)] + σ₂ v,   q = v/(√2 v_s)

    Smooth to every order, one formula for stiction, Coulomb and viscous friction in tools for physical networks. The
    bump peaks exactly at `v_s`, where the tangent has come within 10⁻⁸ of one. Without memory; below the peak it
    creeps, at about `v_s F/((√e (μ_s − μ_d) + 10 μ_d) n)` under small loads `F`. After published descriptions of the
    block, not after its code.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient: the peak of the curve.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Break-away velocity, at which the peak lies. [m/s]
    sigma2
        Viscous friction. [N s/m]
    """
    return Law("simscape_like", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "sigma2": sigma2}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.001, "sigma2": 0.0})


def bouc_wen(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    sigma0: Number | Signal = 100000.0,
    beta: Number | Signal = 0.5,
    nu: Number | Signal = 2.0,
) -> Law:
    r"""Bouc–Wen: hysteresis whose loops are rounded by an exponent.

        ż = v [1 − (β sgn(v z) + 1 − β) |z/z_y|^ν],   z_y = μ_d n/σ₀
        F = σ₀ z

    The model of structural engineering, `ż = A v − β' |v| |z|^(ν−1) z − γ' v |z|^ν`, in the form that saturates at the
    friction level: `A = 1` and the two shape parameters in the proportion `β : 1 − β`, with the sum `z_y^−ν`. Loading follows `z' = 1 − (z/z_y)^ν`; a large exponent is an elastic bar
    on a Coulomb slider. With `β = 1/2` unloading is elastic, with `β = 1` and `ν = 1` it is Dahl's law; below 1/2
    it would give back energy. Rate-independent; no static peak, and it drifts under small oscillating loads.
    Without load the bristle springs back within a millisecond. A falling load leaves deflections beyond `z_y` behind;
    there the power `u^ν` goes on as its tangent `1 + ν (u − 1)`.

    Parameters
    ----------
    mu_d
        Friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    sigma0
        Bristle stiffness. [N/m]
    beta
        Share of the term that tells loading from unloading.
    nu
        Sharpness of the bend.
    """
    return Law("bouc_wen", {"mu_d": mu_d, "F_d": F_d, "sigma0": sigma0, "beta": beta, "nu": nu}, {"mu_d": 0.3, "F_d": None, "sigma0": 100000.0, "beta": 0.5, "nu": 2.0})


def kikuuwe(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    sigma0: Number | Signal = 100000.0,
    sigma1: Number | Signal = 300.0,
    sigma2: Number | Signal = 0.0,
) -> Law:
    r"""Kikuuwe's differential inclusion: a visco-elastic bristle on a Coulomb slider.

        σ₀ e + σ₁ ė ∈ μ_d n Sgn(v − ė),   F = σ₀ e + σ₁ ė + σ₂ v
        solved for ė:   F = clip(σ₀ e + σ₁ v, ±μ_d n) + σ₂ v,   ė = (F − σ₂ v − σ₀ e)/σ₁

    Below the level it is a spring and a damper to the ground, so it holds any load without creep and leaves no
    displacement behind; above it slides at exactly the Coulomb level. No static peak and no Stribeck fall. The
    implicit Euler step has a closed form, which made it a law for real-time simulation. Without load the bristle
    springs back at the rate `σ₀/σ₁`.

    Parameters
    ----------
    mu_d
        Friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    sigma0
        Bristle stiffness. [N/m]
    sigma1
        Bristle damping. [N s/m]
    sigma2
        Viscous friction. [N s/m]
    """
    return Law("kikuuwe", {"mu_d": mu_d, "F_d": F_d, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2}, {"mu_d": 0.3, "F_d": None, "sigma0": 100000.0, "sigma1": 300.0, "sigma2": 0.0})


def bliman_sorine1(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    slip: Number | Signal = 3e-5,
) -> Law:
    r"""Bliman and Sorine's law of order one: friction that depends on the path of slip alone.

        ż = v − |v| z/ε,   F = μ_d n z/ε

    With the path length `s` as the time of the law, `ds = |v| dt`, it is linear: `ε dF/ds = μ_d n sgn v − F`. That
    is Dahl's law with exponent one and the stiffness `μ_d n/ε`, which grows with the load here, so that the
    deflection does not depend on it. No static peak; it drifts under small oscillating loads. Without load the
    bristle springs back within a millisecond.

    Parameters
    ----------
    mu_d
        Friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    slip
        Slip over which friction builds up. [m]
    """
    return Law("bliman_sorine1", {"mu_d": mu_d, "F_d": F_d, "slip": slip}, {"mu_d": 0.3, "F_d": None, "slip": 3e-5})


def bliman_sorine2(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_2: Number | Signal = 0.2,
    F_2: Number | Signal | None = None,
    slip: Number | Signal = 0.0001,
    eta: Number | Signal = 0.1,
) -> Law:
    r"""Bliman and Sorine's law of order two: a fast and a slow bristle whose difference has a static peak.

        η ż₁ = v − |v| z₁/ε,   ż₂ = v − |v| z₂/ε
        F = n [(μ_d + μ_2) z₁ − μ_2 z₂]/ε

    Two laws of order one in parallel, the second with a negative force: the first builds up over the slip `ηε`, the
    second takes part of it back over `ε`. The peak comes after the slip `ηε/(1 − η) ln[(μ_d + μ_2)/(η μ_2)]`, at
    every start anew and whatever the speed: it depends on the path, not on the velocity, so there is no Stribeck
    curve in steady sliding, and no dwell. Without load the bristles spring back within a millisecond.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_2
        What the slow bristle takes back, as a coefficient.
    F_2
        The same as a force, in place of `mu_2` [N].
    slip
        Slip over which the slow bristle builds up. [m]
    eta
        Slip of the fast bristle over that of the slow one.
    """
    return Law("bliman_sorine2", {"mu_d": mu_d, "F_d": F_d, "mu_2": mu_2, "F_2": F_2, "slip": slip, "eta": eta}, {"mu_d": 0.3, "F_d": None, "mu_2": 0.2, "F_2": None, "slip": 0.0001, "eta": 0.1})


def maxwell_slip(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    sigma0: Number | Signal = 100000.0,
    level1: Number | Signal = 0.1,
    level2: Number | Signal = 0.2,
    level3: Number | Signal = 0.3,
    level4: Number | Signal = 0.4,
    stiff1: Number | Signal = 0.4,
    stiff2: Number | Signal = 0.3,
    stiff3: Number | Signal = 0.2,
    stiff4: Number | Signal = 0.1,
) -> Law:
    r"""Maxwell slip: springs behind Coulomb sliders, in parallel.

        F = Σ F_i,   F_i = k_i z_i,   k_i = σ₀ κ_i/Σκ,   i = 1 … 4
        element i sticks:  ż_i = v;             slips once F_i reaches ±μ_d n α_i/Σα
        element i slips:   F_i stays there;     sticks once v reverses

    Hysteresis with non-local memory: minor loops close, and a load that no element yields to leaves nothing behind.
    The virgin curve is a polygon with a corner where each element yields; with equal `α_i/κ_i` all yield at once, as
    one. Rate-independent, without static peak or Stribeck fall. A slipping element follows its level when the load
    changes. Without load the springs go back within a millisecond.

    Parameters
    ----------
    mu_d
        Friction coefficient of all elements together.
    F_d
        The same as a force, in place of `mu_d` [N].
    sigma0
        Stiffness of all elements together. [N/m]
    level1
        Part of the level borne by element 1.
    level2
        Part of the level borne by element 2.
    level3
        Part of the level borne by element 3.
    level4
        Part of the level borne by element 4.
    stiff1
        Part of the stiffness in element 1.
    stiff2
        Part of the stiffness in element 2.
    stiff3
        Part of the stiffness in element 3.
    stiff4
        Part of the stiffness in element 4.
    """
    return Law("maxwell_slip", {"mu_d": mu_d, "F_d": F_d, "sigma0": sigma0, "level1": level1, "level2": level2, "level3": level3, "level4": level4, "stiff1": stiff1, "stiff2": stiff2, "stiff3": stiff3, "stiff4": stiff4}, {"mu_d": 0.3, "F_d": None, "sigma0": 100000.0, "level1": 0.1, "level2": 0.2, "level3": 0.3, "level4": 0.4, "stiff1": 0.4, "stiff2": 0.3, "stiff3": 0.2, "stiff4": 0.1})


def gms(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.01,
    gamma: Number | Signal = 2.0,
    sigma0: Number | Signal = 100000.0,
    sigma1: Number | Signal = 100.0,
    sigma2: Number | Signal = 0.0,
    attraction: Number | Signal = 300.0,
    level1: Number | Signal = 0.1,
    level2: Number | Signal = 0.2,
    level3: Number | Signal = 0.3,
    level4: Number | Signal = 0.4,
    stiff1: Number | Signal = 0.4,
    stiff2: Number | Signal = 0.3,
    stiff3: Number | Signal = 0.2,
    stiff4: Number | Signal = 0.1,
) -> Law:
    r"""Generalised Maxwell slip: elements that slip towards a Stribeck curve with a lag.

        F = Σ (F_i + c_i ż_i) + σ₂ v,   F_i = k_i z_i,   [k_i, c_i] = [σ₀, σ₁] κ_i/Σκ,   i = 1 … 4
        element i sticks:  Ḟ_i = k_i v;                           slips once |F_i| = a_i s(v)
        element i slips:   Ḟ_i = sgn(v) C (a_i − |F_i|/s(v));     sticks once v reverses
        a_i = α_i/Σα,   s(v) = n [μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)]

    The memory of Maxwell slip in presliding, a Stribeck curve in sliding, and between them the frictional lag that
    `C` sets: the level is forgotten over the time `s/C`. It does not drift under loads that no element yields to.
    Events at every yield and reversal make it dearer than one bristle; with `σ₁ = 0` it rings on after every
    stick. Where an element yields its damper lets go, and the force falls by `c_i v`. Without load the springs go
    back within a millisecond.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Stribeck velocity. [m/s]
    gamma
        Stribeck exponent.
    sigma0
        Stiffness of all elements together. [N/m]
    sigma1
        Damping of all elements together. [N s/m]
    sigma2
        Viscous friction. [N s/m]
    attraction
        Attraction to the Stribeck curve. [N/s]
    level1
        Part of the level borne by element 1.
    level2
        Part of the level borne by element 2.
    level3
        Part of the level borne by element 3.
    level4
        Part of the level borne by element 4.
    stiff1
        Part of the stiffness in element 1.
    stiff2
        Part of the stiffness in element 2.
    stiff3
        Part of the stiffness in element 3.
    stiff4
        Part of the stiffness in element 4.
    """
    return Law("gms", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "gamma": gamma, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2, "attraction": attraction, "level1": level1, "level2": level2, "level3": level3, "level4": level4, "stiff1": stiff1, "stiff2": stiff2, "stiff3": stiff3, "stiff4": stiff4}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.01, "gamma": 2.0, "sigma0": 100000.0, "sigma1": 100.0, "sigma2": 0.0, "attraction": 300.0, "level1": 0.1, "level2": 0.2, "level3": 0.3, "level4": 0.4, "stiff1": 0.4, "stiff2": 0.3, "stiff3": 0.2, "stiff4": 0.1})


def leuven(
    *,
    mu_d: Number | Signal = 0.3,
    F_d: Number | Signal | None = None,
    mu_s: Number | Signal = 0.4,
    F_s: Number | Signal | None = None,
    v_s: Number | Signal = 0.01,
    gamma: Number | Signal = 2.0,
    sigma0: Number | Signal = 100000.0,
    sigma1: Number | Signal = 100.0,
    sigma2: Number | Signal = 0.0,
    p: Number | Signal = 1.0,
    level1: Number | Signal = 0.1,
    level2: Number | Signal = 0.2,
    level3: Number | Signal = 0.3,
    level4: Number | Signal = 0.4,
    stiff1: Number | Signal = 0.4,
    stiff2: Number | Signal = 0.3,
    stiff3: Number | Signal = 0.2,
    stiff4: Number | Signal = 0.1,
) -> Law:
    r"""The modified Leuven law: a bristle whose spring is a bundle of Maxwell-slip elements.

        ż = v − |v| sgn(F_h) |F_h/s(v)|^p,   s(v) = n [μ_d + (μ_s − μ_d) exp(−|v/v_s|^γ)]
        F = F_h + σ₁ ż + σ₂ v,   F_h = Σ k_i δ_i,   k_i = σ₀ κ_i/Σκ,   i = 1 … 4
        δ̇_i = ż, but 0 where |k_i δ_i| would pass μ_s n α_i/Σα

    LuGre's transition to sliding with hysteresis that has non-local memory: the elements are moved by the state `z`
    of the bristle, not by the body. Once the whole slides, no element needs to. It still drifts under small
    oscillating loads, since `ż` falls behind `v` at any force; a large `p` keeps that small. An element comes to
    its level over the last ten-thousandth of it, so that it can follow a level that rises with the load; one that a falling load
    has left beyond its level bears no more than that, and is drawn back within a millisecond. Without load it springs back at `σ₀/σ₁`. Where the
    bracket in the rate of `z` belongs was settled by the limit of one spring and `p = 1`, which is LuGre.

    Parameters
    ----------
    mu_d
        Kinetic friction coefficient.
    F_d
        The same as a force, in place of `mu_d` [N].
    mu_s
        Static friction coefficient, borne by all elements together.
    F_s
        The same as a force, in place of `mu_s` [N].
    v_s
        Stribeck velocity. [m/s]
    gamma
        Stribeck exponent.
    sigma0
        Stiffness of all elements together. [N/m]
    sigma1
        Damping of the bristle. [N s/m]
    sigma2
        Viscous friction. [N s/m]
    p
        Exponent of the transition to sliding.
    level1
        Part of the level borne by element 1.
    level2
        Part of the level borne by element 2.
    level3
        Part of the level borne by element 3.
    level4
        Part of the level borne by element 4.
    stiff1
        Part of the stiffness in element 1.
    stiff2
        Part of the stiffness in element 2.
    stiff3
        Part of the stiffness in element 3.
    stiff4
        Part of the stiffness in element 4.
    """
    return Law("leuven", {"mu_d": mu_d, "F_d": F_d, "mu_s": mu_s, "F_s": F_s, "v_s": v_s, "gamma": gamma, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2, "p": p, "level1": level1, "level2": level2, "level3": level3, "level4": level4, "stiff1": stiff1, "stiff2": stiff2, "stiff3": stiff3, "stiff4": stiff4}, {"mu_d": 0.3, "F_d": None, "mu_s": 0.4, "F_s": None, "v_s": 0.01, "gamma": 2.0, "sigma0": 100000.0, "sigma1": 100.0, "sigma2": 0.0, "p": 1.0, "level1": 0.1, "level2": 0.2, "level3": 0.3, "level4": 0.4, "stiff1": 0.4, "stiff2": 0.3, "stiff3": 0.2, "stiff4": 0.1})


def dieterich(
    *,
    mu_ref: Number | Signal = 0.3,
    F_0: Number | Signal | None = None,
    direct: Number | Signal = 0.02,
    F_a: Number | Signal | None = None,
    evolution: Number | Signal = 0.03,
    F_b: Number | Signal | None = None,
    v_ref: Number | Signal = 0.001,
    d_c: Number | Signal = 1e-5,
) -> Law:
    r"""Rate-and-state friction with the ageing law: contacts grow stronger with their age, even at rest.

        F = n a asinh{v/(2v_0) exp[(μ_0 + b ln(v_0 θ/L))/a]}
        θ̇ = 1 − |v| θ/L

    The friction of rocks, and of paper and plastics, in Dieterich's form; the inverse hyperbolic sine replaces the
    logarithm, so that it passes through rest. Steady sliding bears `μ_0 + (a − b) ln(v/v_0)`: with `b > a` it
    weakens with speed and a soft spring makes it stick and slip. A step in speed shows first `a`, then, over the
    slip `L`, `b`. After a hold the strength has grown by `b` times the logarithm of the time. It never holds: below
    the level it creeps, though exponentially slowly: a block that rests on the ground wants `atol = 1e-13` of the
    solver, since an error as large as its creep changes the force as a whole. Without load the age vanishes within a
    millisecond.

    Parameters
    ----------
    mu_ref
        Coefficient of steady sliding at the reference velocity.
    F_0
        The same as a force, in place of `mu_ref` [N].
    direct
        Direct effect: rise of the coefficient with the logarithm of speed.
    F_a
        The same as a force, in place of `direct` [N].
    evolution
        Evolution: rise of the coefficient with the logarithm of the state; negative where contacts weaken with their age.
    F_b
        The same as a force, in place of `evolution` [N].
    v_ref
        Reference velocity. [m/s]
    d_c
        Slip that renews the contacts. [m]
    """
    return Law("dieterich", {"mu_ref": mu_ref, "F_0": F_0, "direct": direct, "F_a": F_a, "evolution": evolution, "F_b": F_b, "v_ref": v_ref, "d_c": d_c}, {"mu_ref": 0.3, "F_0": None, "direct": 0.02, "F_a": None, "evolution": 0.03, "F_b": None, "v_ref": 0.001, "d_c": 1e-5})


def ruina(
    *,
    mu_ref: Number | Signal = 0.3,
    F_0: Number | Signal | None = None,
    direct: Number | Signal = 0.02,
    F_a: Number | Signal | None = None,
    evolution: Number | Signal = 0.03,
    F_b: Number | Signal | None = None,
    v_ref: Number | Signal = 0.001,
    d_c: Number | Signal = 1e-5,
) -> Law:
    r"""Rate-and-state friction with the slip law: contacts change only while they slide.

        F = n a asinh{v/(2v_0) exp[(μ_0 + b ln(v_0 θ/L))/a]}
        θ̇ = −(|v| θ/L) ln(|v| θ/L)

    As `dieterich`, with Ruina's evolution: after a step in speed the coefficient goes to its new level over the same
    slip `L` whether the step was up or down, as measured. At rest nothing evolves, so a hold strengthens only as
    far as the contact still creeps. It never holds: below the level it creeps, though exponentially slowly, and a block
    that rests on the ground wants `atol = 1e-13` of the solver. Without load the state vanishes within a millisecond.

    Parameters
    ----------
    mu_ref
        Coefficient of steady sliding at the reference velocity.
    F_0
        The same as a force, in place of `mu_ref` [N].
    direct
        Direct effect: rise of the coefficient with the logarithm of speed.
    F_a
        The same as a force, in place of `direct` [N].
    evolution
        Evolution: rise of the coefficient with the logarithm of the state; negative where contacts weaken with their age.
    F_b
        The same as a force, in place of `evolution` [N].
    v_ref
        Reference velocity. [m/s]
    d_c
        Slip that renews the contacts. [m]
    """
    return Law("ruina", {"mu_ref": mu_ref, "F_0": F_0, "direct": direct, "F_a": F_a, "evolution": evolution, "F_b": F_b, "v_ref": v_ref, "d_c": d_c}, {"mu_ref": 0.3, "F_0": None, "direct": 0.02, "F_a": None, "evolution": 0.03, "F_b": None, "v_ref": 0.001, "d_c": 1e-5})


def perrin_rice(
    *,
    mu_ref: Number | Signal = 0.3,
    F_0: Number | Signal | None = None,
    direct: Number | Signal = 0.02,
    F_a: Number | Signal | None = None,
    evolution: Number | Signal = 0.03,
    F_b: Number | Signal | None = None,
    v_ref: Number | Signal = 0.001,
    d_c: Number | Signal = 1e-5,
) -> Law:
    r"""Rate-and-state friction between ageing and slip law: contacts heal at rest, and fast sliding renews them sooner.

        F = n a asinh{v/(2v_0) exp[(μ_0 + b ln(v_0 θ/L))/a]}
        θ̇ = ½ [1 − (|v| θ/L)²]

    As `dieterich`, with the evolution of Perrin, Rice and Zheng, whose state is twice this one: near steady sliding all
    three laws are the same, far above it the state falls faster than by ageing, which lets slip pulses on a long
    surface heal behind their front. After a hold the strength has grown by `b` times the logarithm of the time. It never
    holds: below the level it creeps, though exponentially slowly, and a block that rests on the ground wants
    `atol = 1e-13` of the solver. Without load the state vanishes within a millisecond.

    Parameters
    ----------
    mu_ref
        Coefficient of steady sliding at the reference velocity.
    F_0
        The same as a force, in place of `mu_ref` [N].
    direct
        Direct effect: rise of the coefficient with the logarithm of speed.
    F_a
        The same as a force, in place of `direct` [N].
    evolution
        Evolution: rise of the coefficient with the logarithm of the state; negative where contacts weaken with their age.
    F_b
        The same as a force, in place of `evolution` [N].
    v_ref
        Reference velocity. [m/s]
    d_c
        Slip that renews the contacts. [m]
    """
    return Law("perrin_rice", {"mu_ref": mu_ref, "F_0": F_0, "direct": direct, "F_a": F_a, "evolution": evolution, "F_b": F_b, "v_ref": v_ref, "d_c": d_c}, {"mu_ref": 0.3, "F_0": None, "direct": 0.02, "F_a": None, "evolution": 0.03, "F_b": None, "v_ref": 0.001, "d_c": 1e-5})
