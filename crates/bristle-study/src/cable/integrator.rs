//! Which method moves a cable, and how.

use bristle_cable::{CableMethod, GeneralisedAlpha, LinearAlgebra, Rosenbrock};
use bristle_core::{Card, Choice, Params};
use bristle_mech::Spec;

/// The generalised-α method, for cables on drums: implicit, second order, with a choice of numerical damping.
///
/// ```text
/// q₁ = q₀ + h v₀ + h² ((½ − β) A₀ + β A₁),   v₁ = v₀ + h ((1 − γ) A₀ + γ A₁)
/// (1 − α_m) A₁ + α_m A₀ = (1 − α_f) a₁ + α_f a₀,   r(q₁, v₁, a₁) = 0
/// ```
///
/// Newton's iteration with the exact Jacobian, banded and bordered, at every step; steps of fixed length or under
/// error control. What friction laws with kinks (`quinn`) cost a method of high order it does not notice. It is the
/// default of `[cable_solver]`; other mechanisms do not use it.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "generalised_alpha", cite = "chung1993", tags("stiff", "one-step", "cable"))]
pub struct GeneralisedAlphaCard;

/// How a cable is integrated.
///
/// ```text
/// generalised_alpha:  α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ − α_m + α_f,  β = ¼ (γ + ½)²
/// rodas4, rodas5p:    (1/(hγ) − J) u_i = f(x + Σ a_ij u_j) + Σ (c_ij/h) u_j + γ_i h ∂f/∂t
/// ```
///
/// All methods solve the same banded, bordered equations, in time proportional to the number of nodes. `generalised_alpha`
/// takes steps of fixed length unless a `tolerance` is given; where Newton's iteration fails the step is halved.
/// `rodas4` and `rodas5p` always control their error (10⁻⁸ m per step unless given) and do not iterate: they pay where
/// friction is smooth and accuracy is asked for, `rodas4` more than `rodas5p`. Friction laws with internal states need
/// `generalised_alpha`.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "cable_solver")]
pub struct CableSettings<S> {
    /// Which method.
    #[choice("generalised_alpha", "rodas4", "rodas5p")]
    pub method: Choice,
    /// Step; the largest one where the error is controlled. 5 ms unless given, 50 ms for `rodas4` and `rodas5p`.
    #[param(symbol = "h", unit = "s", default = f64::NAN, min = 1e-9, max = 10.0)]
    pub step: S,
    /// Local error of places allowed per step; the step of `generalised_alpha` is fixed unless given.
    #[param(symbol = "tol", unit = "m", default = f64::NAN, min = 1e-12, max = 1.0)]
    pub tolerance: S,
    /// What `generalised_alpha` leaves of a fast oscillation after one step: 0 damps most, 1 conserves.
    #[param(symbol = "ρ", unit = "1", default = 0.6, min = 0.0, max = 1.0)]
    pub rho: S,
    /// Newton's iteration ends where a further change of speed is below this.
    #[param(symbol = "tol_v", unit = "m/s", default = 1e-6, min = 1e-14, max = 1.0)]
    pub newton_tolerance: S,
    /// Iterations before a step is halved.
    #[param(symbol = "k_max", unit = "1", default = 8.0, min = 2.0, max = 100.0, whole)]
    pub newton_limit: S,
    /// Whether the cable comes to rest before the run, or starts as it is laid.
    #[choice("rest", "laid")]
    pub start: Choice,
    /// Linear algebra of `generalised_alpha`: a dense border of contacts, nine unknowns a node, or by the number of
    /// contacts.
    #[choice("auto", "border", "descriptor")]
    pub structure: Choice,
}

/// The integration method, and whether the cable comes to rest first.
pub(super) fn method(settings: Option<&Spec>) -> (CableMethod, bool) {
    let Some(spec) = settings else { return (CableMethod::default(), true) };
    let s: CableSettings<f64> = Params::from_slices(&spec.numbers, &spec.choices);
    let given = |x: f64| Some(x).filter(|x| !x.is_nan());
    let rosenbrock = match s.method.0 {
        1 => Some(bristle_solve::Method::Rodas4),
        2 => Some(bristle_solve::Method::Rodas5p),
        _ => None,
    };
    let method = match rosenbrock {
        Some(method) => {
            let default = Rosenbrock::default();
            CableMethod::Rosenbrock(Rosenbrock {
                method,
                step: given(s.step).unwrap_or(default.step),
                tolerance: given(s.tolerance).or(default.tolerance),
                ..default
            })
        }
        None => {
            let default = GeneralisedAlpha::default();
            CableMethod::GeneralisedAlpha(GeneralisedAlpha {
                rho: s.rho,
                step: given(s.step).unwrap_or(default.step),
                newton_tolerance: s.newton_tolerance,
                newton_limit: s.newton_limit as usize,
                tolerance: given(s.tolerance),
                structure: [LinearAlgebra::Auto, LinearAlgebra::Border, LinearAlgebra::Descriptor]
                    [usize::from(s.structure.0.min(2))],
                ..default
            })
        }
    };
    (method, s.start == Choice(0))
}
