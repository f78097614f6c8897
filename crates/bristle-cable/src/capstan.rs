//! The massless capstan: tension ratio with bending stiffness, in closed form.
//!
//! A cable with bending stiffness `EI` touches the drum only where its free elastica has reached the drum's
//! curvature. Each edge then turns by `θ_i` off the drum and carries a point-like reaction `F_i sin θ_i`:
//!
//! ```text
//! cos θ_i = 1 − EI/(2 R² F_i)
//! F₂/F₁ = (cos θ₁ + μ sin θ₁) e^{μ (φ − θ₁ − θ₂)} / (cos θ₂ − μ sin θ₂)
//! ```
//!
//! Without bending this is `e^{μ φ}` (Euler, Eytelwein). Weight is left out.

use crate::error::CableError;
use crate::friction::positive;

/// A cable over a drum without finite elements, for winches in ordinary mechanisms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MasslessCapstan {
    /// Friction coefficient `μ`: what the contact can hold (`α μ` of a sigmoid).
    pub mu: f64,
    /// Wrap angle `φ`, rad.
    pub wrap: f64,
    /// Drum radius `R`, m.
    pub radius: f64,
    /// Bending stiffness `EI`, N m²; zero for a limp cable.
    pub ei: f64,
}

/// What a massless capstan does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CapstanRegime {
    /// It sticks, using this part (0 to 1) of the largest tension ratio, on a logarithmic scale.
    Sticks {
        /// Used part.
        use_of_limit: f64,
    },
    /// It slips towards the second tension.
    SlipsToSecond,
    /// It slips towards the first tension.
    SlipsToFirst,
}

impl MasslessCapstan {
    /// Whether the parameters make sense.
    pub fn check(&self) -> Result<(), CableError> {
        positive("drum radius", self.radius)?;
        positive("wrap angle", self.wrap)?;
        if self.mu < 0.0 || self.ei < 0.0 {
            let expected = "it must not be negative";
            return Err(CableError::Parameter { name: "mu or EI", value: self.mu.min(self.ei), expected });
        }
        Ok(())
    }

    /// The angle `θ` by which bending stiffness holds a cable of tension `f` off the drum at one edge.
    pub fn edge(&self, f: f64) -> f64 {
        if self.ei == 0.0 {
            return 0.0;
        }
        (1.0 - self.ei / (2.0 * self.radius * self.radius * f)).clamp(-1.0, 1.0).acos()
    }

    /// The largest `F₂/F₁` before slip at holding tension `f1 = F₁`.
    pub fn ratio(&self, f1: f64) -> f64 {
        let th1 = self.edge(f1);
        let mut ratio = (self.mu * self.wrap).exp();
        // A contraction: θ₂ depends weakly on F₂.
        for _ in 0..100 {
            let th2 = self.edge(ratio * f1);
            let touching = (self.wrap - th1 - th2).max(0.0);
            let next = (th1.cos() + self.mu * th1.sin()) * (self.mu * touching).exp()
                / (th2.cos() - self.mu * th2.sin());
            let done = (next - ratio).abs() <= 1e-15 * ratio;
            ratio = next;
            if done {
                break;
            }
        }
        ratio
    }

    /// Whether two tensions hold each other.
    pub fn hold(&self, f1: f64, f2: f64) -> CapstanRegime {
        if f2 >= f1 {
            let limit = self.ratio(f1);
            if f2 > limit * f1 {
                CapstanRegime::SlipsToSecond
            } else {
                CapstanRegime::Sticks { use_of_limit: (f2 / f1).ln() / limit.ln() }
            }
        } else {
            let limit = self.ratio(f2);
            if f1 > limit * f2 {
                CapstanRegime::SlipsToFirst
            } else {
                CapstanRegime::Sticks { use_of_limit: (f1 / f2).ln() / limit.ln() }
            }
        }
    }

    /// The second tension when friction is mobilised by `s` between −1 (slips towards the first) and 1 (towards
    /// the second), from the first.
    ///
    /// With `s = h(v/ε + …)` of a sigmoid law it is the tension a sliding or sticking cable passes on.
    pub fn tension(&self, f1: f64, s: f64) -> f64 {
        if s >= 0.0 {
            MasslessCapstan { mu: self.mu * s, ..*self }.ratio(f1) * f1
        } else {
            // Find F₂ with F₁ = ratio(F₂) F₂; the ratio varies slowly.
            let other = MasslessCapstan { mu: -self.mu * s, ..*self };
            let mut f2 = f1 * (self.mu * s * self.wrap).exp();
            for _ in 0..100 {
                f2 = f1 / other.ratio(f2);
            }
            f2
        }
    }

    /// Torque of friction on the drum between two tensions, positive in the direction of the second.
    pub fn torque(&self, f1: f64, f2: f64) -> f64 {
        (f2 - f1) * self.radius
    }
}
