//! Tangential friction of a touching node.
//!
//! All touching nodes share one question: which tangential forces `λ` would keep every slip speed constant?
//!
//! ```text
//! W λ = A M⁻¹ Q − b,   W = A M⁻¹ Aᵀ
//! ```
//!
//! with one row `tᵢᵀ` of `A` per node, `Q` all forces but friction and `b` the surface's acceleration. A law then
//! caps each `λ`. Since `M a = Q + Aᵀ F`, the same question reads `W (λ + F) = A a − b`: at rest `F = −λ` exactly.

use crate::error::CableError;
use crate::sigmoid::Sigmoid;
use bristle_core::{Choice, Dual, Scalar, partial, seed};
use bristle_law::{AnyLaw, At, Law, LawKind};

/// The friction between a cable and a drum.
#[derive(Clone, Debug, Default)]
pub enum Friction {
    /// None.
    #[default]
    None,
    /// Quinn's regularisation, and its continuously differentiable variant where the sigmoid is smooth.
    ///
    /// ```text
    /// F = −μ N h(v/ε + h(λ/(μ N)))
    /// ```
    Quinn {
        /// Friction coefficient `μ`.
        mu: f64,
        /// Regularisation speed `ε`.
        eps: f64,
        /// The sigmoid `h`: [`Sigmoid::CLAMP`] for Quinn, another for CDQ.
        sigmoid: Sigmoid,
    },
    /// Karnopp's dead band with a cap: `F = −λ`, at most `μ_s N`, while `|v| ≤ ε`; `−μ_d N sgn v` beyond, and from the
    /// step on at whose end a node's `|λ|` exceeds `μ_s N`, unless `literal`: `F = −μ_d N clamp(v/ε + clamp(λ/(μ_d N)))`
    /// inside the band, of one direction with its load.
    Karnopp {
        /// Static coefficient `μ_s`.
        mu: f64,
        /// Kinetic coefficient `μ_d`.
        kinetic: f64,
        /// Half width `ε` of the dead band.
        eps: f64,
        /// Adds `−μ_s N v/ε` inside the band: without it a node keeps any speed it has there.
        steady: bool,
        /// Whether a node that breaks away bears the static level until it leaves the band.
        literal: bool,
    },
    /// A law of the catalogue, with its numbers and choices in the order of its card.
    Law {
        /// Which law.
        kind: LawKind,
        /// Its parameters.
        numbers: Vec<f64>,
        /// Its choices.
        choices: Vec<Choice>,
    },
}

/// A friction force along the cable and its partial derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub struct RopePull {
    /// The force `F` on the cable, along its tangent.
    pub force: f64,
    /// `∂F/∂v`.
    pub by_speed: f64,
    /// `∂F/∂N`.
    pub by_load: f64,
    /// `∂F/∂λ`.
    pub by_hold: f64,
}

/// The largest number of internal states a law may have here.
pub(crate) const STATES: usize = 4;

impl Friction {
    /// Quinn's law.
    pub fn quinn(mu: f64, eps: f64) -> Friction {
        Friction::Quinn { mu, eps, sigmoid: Sigmoid::CLAMP }
    }

    /// The continuously differentiable variant with `β = 2 − α`.
    pub fn cdq(mu: f64, eps: f64, alpha: f64) -> Result<Friction, CableError> {
        Ok(Friction::Quinn { mu, eps, sigmoid: Sigmoid::parabolic(alpha)? })
    }

    /// A law of the catalogue: `quinn`, `cdq` and `karnopp` in their fast form, any other as it is.
    pub fn from_law(kind: LawKind, numbers: &[f64], choices: &[Choice]) -> Result<Friction, CableError> {
        let friction = match kind.build::<f64>(numbers, choices) {
            AnyLaw::Quinn(law) => Friction::quinn(law.mu_d, law.eps),
            AnyLaw::Cdq(law) => {
                let beta = if law.beta > 0.0 { law.beta } else { 2.0 - law.alpha };
                Friction::Quinn { mu: law.mu_d, eps: law.eps, sigmoid: Sigmoid::new(law.alpha, beta)? }
            }
            AnyLaw::Karnopp(law) => Friction::Karnopp {
                mu: law.mu_s,
                kinetic: law.mu_d,
                eps: law.band,
                steady: !law.coasts(),
                // With one level there is nothing to fall to.
                literal: law.break_away == Choice(1) || law.mu_s == law.mu_d,
            },
            _ => Friction::Law { kind, numbers: numbers.to_vec(), choices: choices.to_vec() },
        };
        friction.check()?;
        Ok(friction)
    }

    /// Whether there is any friction.
    pub fn acts(&self) -> bool {
        !matches!(self, Friction::None)
    }

    /// Whether the law needs the holding forces `λ`.
    pub fn uses_hold(&self) -> bool {
        match self {
            Friction::None => false,
            Friction::Quinn { .. } | Friction::Karnopp { .. } => true,
            Friction::Law { kind, numbers, choices } => kind.build::<f64>(numbers, choices).uses_hold(),
        }
    }

    /// How many internal states each touching node has.
    pub fn states(&self) -> usize {
        match self {
            Friction::Law { kind, .. } => kind.states(),
            _ => 0,
        }
    }

    /// The largest ratio of friction to `N` borne at rest, where the law says so: `α μ` for a sigmoid.
    pub fn holding_coefficient(&self) -> Option<f64> {
        match self {
            Friction::Quinn { mu, sigmoid, .. } => Some(mu * sigmoid.alpha()),
            Friction::Karnopp { mu, .. } => Some(*mu),
            _ => None,
        }
    }

    /// Friction fully mobilised at this part of what the law can hold, against sliding towards the last node.
    pub(crate) fn mobilised(&self, scale: f64, load: f64) -> RopePull {
        let c = scale * self.holding_coefficient().unwrap_or(0.0);
        RopePull { force: -c * load, by_load: -c, ..RopePull::default() }
    }

    /// The speed below which a node counts as stuck.
    pub fn rest_speed(&self) -> f64 {
        match self {
            Friction::Quinn { eps, .. } | Friction::Karnopp { eps, .. } => *eps,
            _ => 0.0,
        }
    }

    /// Whether a node is held at the end of a step, in the dead band of a law that has one; `was` tells whether it was
    /// before.
    ///
    /// A node that has broken away inside the band locks again once the kinetic level can bring it to rest.
    pub(crate) fn holds(&self, was: bool, slip: f64, load: f64, hold: f64) -> bool {
        let slow = slip.abs() <= self.rest_speed();
        match self {
            Friction::Karnopp { mu, kinetic, literal: false, .. } => {
                slow && hold.abs() <= load * if was { *mu } else { *kinetic }
            }
            _ => slow,
        }
    }

    /// Whether this friction can act on a cable.
    pub fn check(&self) -> Result<(), CableError> {
        match self {
            Friction::None => Ok(()),
            Friction::Quinn { mu, eps, .. } => {
                positive("mu", *mu)?;
                positive("eps", *eps)
            }
            Friction::Karnopp { mu, eps, .. } => {
                positive("mu_s", *mu)?;
                positive("band", *eps)
            }
            Friction::Law { kind, numbers, choices } => {
                let law = kind.build::<f64>(numbers, choices);
                let name = kind.card().name;
                if let Some(why) = law.fault() {
                    return Err(CableError::Law { name, why });
                }
                if law.limit(&At::sliding(0.0, 1.0), &[0.0; STATES]).is_some() {
                    let why = "it is set-valued at rest; take quinn, cdq or karnopp";
                    return Err(CableError::Law { name, why });
                }
                if kind.states() > STATES {
                    return Err(CableError::Law { name, why: "it has more than four internal states" });
                }
                Ok(())
            }
        }
    }

    /// Force on the cable along its tangent at slip speed `v`, load `n > 0`, holding force `hold`; `stuck`
    /// freezes the branch of a dead band, and the speed decides where it is left open.
    pub fn force<S: Scalar>(&self, v: S, n: S, hold: S, stuck: Option<bool>) -> S {
        match self {
            Friction::None => S::zero(),
            Friction::Quinn { mu, eps, sigmoid } => {
                let cap = n * *mu;
                -cap * sigmoid.value(v / *eps + sigmoid.value(hold / cap))
            }
            Friction::Karnopp { mu, kinetic, eps, steady, literal } => {
                let cap = n * *mu;
                if stuck.unwrap_or(v.value().abs() <= *eps) {
                    let drag = if *steady { cap * v / *eps } else { S::zero() };
                    -(hold + drag).clamp_to(-cap, cap)
                } else if *literal || v.value().abs() > *eps {
                    -(n * *kinetic) * v.sign()
                } else {
                    // Broken away inside the band, it is pulled off to where its load wants it to go.
                    let cap = n * *kinetic;
                    -(cap * v / *eps + hold.clamp_to(-cap, cap)).clamp_to(-cap, cap)
                }
            }
            Friction::Law { kind, numbers, choices } => {
                let law = build::<S>(*kind, numbers, choices);
                -law.eval(&At { v, n, hold, mode: &[] }, &[], &mut [])
            }
        }
    }

    /// The force with its partial derivatives.
    #[inline]
    pub fn pull(&self, v: f64, n: f64, hold: f64, stuck: Option<bool>) -> RopePull {
        let f = self.force::<Dual<3>>(seed(v, 0), seed(n, 1), seed(hold, 2), stuck);
        RopePull {
            force: f.value(),
            by_speed: partial(&f, 0),
            by_load: partial(&f, 1),
            by_hold: partial(&f, 2),
        }
    }
}

pub(crate) fn build<S: Scalar>(kind: LawKind, numbers: &[f64], choices: &[Choice]) -> AnyLaw<S> {
    let mut lifted = [S::zero(); 32];
    for (to, from) in lifted.iter_mut().zip(numbers) {
        *to = S::from(*from);
    }
    kind.build(&lifted[..numbers.len().min(32)], choices)
}

pub(crate) fn positive(name: &'static str, value: f64) -> Result<(), CableError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(CableError::Parameter { name, value, expected: "it must be positive and finite" })
    }
}
