//! The cable: what it is made of, what holds its ends, what it lies on.

use crate::damping::CableDamping;
use crate::drum::CableDrum;
use crate::elastic::Strain;
use crate::error::CableError;
use crate::friction::positive;
use crate::signal::CableSignal;

/// A planar cable of equal elements.
///
/// ```text
/// M a = Q(q, v, t) + Aᵀ F,   4 coordinates (x, y, x', y') per node
/// ```
#[derive(Clone, Debug)]
pub struct FlexibleCable {
    /// Unstretched length, m.
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Axial stiffness `EA`, N.
    pub ea: f64,
    /// Bending stiffness `EI`, N m².
    pub ei: f64,
    /// Mass per length `ρA`, kg/m.
    pub density: f64,
    /// Internal damping `c`, N s.
    pub damping: f64,
    /// What internal damping acts on.
    pub damping_of: CableDamping,
    /// Strain measure.
    pub strain: Strain,
    /// Acceleration of gravity, downwards, m/s².
    pub gravity: f64,
    /// What holds and loads the first node and the last.
    pub ends: [EndCondition; 2],
    /// The drums.
    pub drums: Vec<CableDrum>,
    /// Points of contact in each element: 1 for its node alone.
    pub contact_points: usize,
    /// Fades light contacts out of the holding forces: adds `γ/N` to the diagonal of `W`, N/kg; zero by default.
    pub fade: f64,
}

/// What holds and loads one end of a cable.
#[derive(Clone, Debug, Default)]
pub struct EndCondition {
    /// Attached mass, kg.
    pub mass: f64,
    /// Applied force `(x, y)`, N.
    pub force: [CableSignal; 2],
    /// Support.
    pub support: Support,
}

/// How an end is held.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Support {
    /// Not at all.
    #[default]
    Free,
    /// At its place, free to turn.
    Pinned,
    /// At its place and in its direction and stretch.
    Clamped,
    /// Moved from its starting place by these signals, free to turn: a vessel, a hand, a pay-out.
    Moving([CableSignal; 2]),
    /// Some of the four coordinates `(x, y, x', y')`.
    Some([bool; 4]),
}

impl Support {
    /// Which coordinates are held.
    pub fn held(&self) -> [bool; 4] {
        match self {
            Support::Free => [false; 4],
            Support::Pinned | Support::Moving(_) => [true, true, false, false],
            Support::Clamped => [true; 4],
            Support::Some(held) => *held,
        }
    }
}

impl Default for FlexibleCable {
    /// The published cable: 10 mm steel rope of 2 m in 40 elements, no drum, free ends.
    fn default() -> Self {
        FlexibleCable {
            length: 2.0,
            elements: 40,
            ea: 9.2e6,
            ei: 0.7,
            density: 5.8e3 * std::f64::consts::PI * 0.25e-4,
            damping: 1.0,
            damping_of: CableDamping::Slope,
            strain: Strain::Green,
            gravity: 9.81,
            ends: <[EndCondition; 2]>::default(),
            drums: Vec::new(),
            contact_points: 1,
            fade: 0.0,
        }
    }
}

impl FlexibleCable {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.elements + 1
    }

    /// Length of an element.
    pub fn element_length(&self) -> f64 {
        self.length / self.elements as f64
    }

    /// Whether the cable can be computed at all.
    pub fn check(&self) -> Result<(), CableError> {
        if self.elements == 0 {
            return Err(CableError::NoElements { elements: 0 });
        }
        positive("length", self.length)?;
        positive("EA", self.ea)?;
        positive("density", self.density)?;
        for (name, value) in [("EI", self.ei), ("damping", self.damping), ("fade", self.fade)] {
            if value < 0.0 || !value.is_finite() {
                let expected = "it must not be negative";
                return Err(CableError::Parameter { name, value, expected });
            }
        }
        for (i, drum) in self.drums.iter().enumerate() {
            drum.check()?;
            for (j, other) in self.drums.iter().enumerate().skip(i + 1) {
                let distance = (drum.centre[0] - other.centre[0]).hypot(drum.centre[1] - other.centre[1]);
                let radii = drum.radius + other.radius;
                if distance < radii {
                    return Err(CableError::OverlappingDrums { first: i, second: j, distance, radii });
                }
            }
        }
        Ok(())
    }
}
