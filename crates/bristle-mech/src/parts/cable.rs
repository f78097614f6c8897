use crate::part::Part;
use crate::symbol::Symbol;
use bristle_core::{Card, Choice};

/// A flexible cable in the plane, laid over drums.
///
/// ```text
/// M a = Q(q, v, t) + Aᵀ F,   places and slopes at each node;   F_i friction of touching nodes
/// axial force EA ε + c ε̇,   bending moment EI κ,   weight ρA g;   with damping of the slope EA ε, and c ṙ' besides
/// ```
///
/// A cable has ends (`cable_end`) and drums with what turns them (`drum_servo`, `drum_motor`). Any number of cables may
/// stand alone or beside a mechanism: ends are tied to bodies, drums are carried by them, and `[solver]` moves the whole, at
/// an `rtol` of 1e-5 unless it says otherwise. One alone is asked `limit` as well. It touches the drums it is laid over, and those that no cable is laid over. Ends that are not placed hang down from the first and the last drum
/// with equal tails. Contact is felt at the nodes: at least ten
/// on the arc of every drum give a smooth distribution, and fewer than eight are warned of.
///
/// Nodes arrive at a drum one by one, and what hangs there ripples with each: its speed by a part `(h/R)²/8` for elements
/// of length `h`, its tension by as much as the rope and the load amplify that. With `contact_points` above 1 elements are
/// felt inside as well, each point with its share of the stiffness and its own friction: with 8 of them the tension of a
/// load that a drum of 0.2 m winds up at 1 m/s ripples by a thirtieth of what it does with nodes alone, in fewer steps. A
/// soft drum lets the rope arrive more smoothly, but on a smaller radius: with elements of `R/16` and a stiffness of 1e8 N
/// the load moves with the rim to 3e-5, and the tension ripples by 5e-4 about what it should be. A cable with such
/// points has no `limit`.
///
/// Internal damping acts on the strain: a rope that swings, or runs over a pulley, is not braked by it, and swings on.
/// With `damping_of = "slope"`, as published, every turning of the rope loses energy: hanging ends come to rest, but a
/// rope that runs over a drum is dragged, by a third of the acceleration of two masses of 3 and 5 kg on a light rope.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "cable",
    cite = "westin2020",
    tags("cable"),
    entry(
        name = "over",
        names = 0,
        doc = "The drums the cable is laid over, from its first end to its last."
    )
)]
pub struct Cable<S> {
    /// Unstretched length.
    #[param(symbol = "L", unit = "m", min = 1e-6, max = 1e6)]
    pub length: S,
    /// Number of equal elements.
    #[param(symbol = "n", unit = "1", default = 40.0, min = 1.0, max = 20000.0, whole)]
    pub elements: S,
    /// Axial stiffness.
    #[param(symbol = "EA", unit = "N", min = 1e-6)]
    pub ea: S,
    /// Bending stiffness.
    #[param(symbol = "EI", unit = "N m^2", default = 0.0, min = 0.0)]
    pub ei: S,
    /// Mass per length.
    #[param(symbol = "ρA", unit = "kg/m", min = 1e-9)]
    pub density: S,
    /// Internal damping.
    #[param(symbol = "c", unit = "N s", default = 1.0, min = 0.0)]
    pub damping: S,
    /// Points of contact in each element, evenly spaced, its node among them.
    #[param(symbol = "n_c", unit = "1", default = 1.0, min = 1.0, max = 20.0, whole)]
    pub contact_points: S,
    /// What internal damping acts on: the strain alone, or every change of the slope, which brakes a rope that turns or
    /// runs over a drum.
    #[choice("strain", "slope")]
    pub damping_of: Choice,
    /// Strain measure: the published one, or stretch with material curvature.
    #[choice("green", "engineering")]
    pub strain: Choice,
    /// Whether it comes to rest before the run or starts as it is laid.
    #[choice("rest", "laid")]
    pub start: Choice,
}

// Ropes are built from all their parts together.
impl Part for Cable<f64> {
    type Action = ();
    const SYMBOL: Symbol = Symbol::Cable;
}
