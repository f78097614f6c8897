//! The law of the manual's page "add a law", compiled, and checked to be what the page shows.

// The listing in docs/src/add_a_law.md begins here.
use bristle_core::{Card, Scalar};
use bristle_law::{At, Law};

/// Friction that grows with speed, smoothed near rest.
///
/// ```text
/// F = n (μ tanh(v/v_d) + c v)
/// ```
///
/// Cheap and without memory. It cannot hold: under any load it creeps.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "growing", tags("static", "creeps"))]
pub struct Growing<S> {
    /// Friction coefficient at low speed.
    #[param(symbol = "μ", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0)]
    pub mu: S,
    /// Velocity over which the sign is smoothed.
    #[param(symbol = "v_d", role = RegularisationVelocity, unit = "m/s", default = 1e-3, min = 1e-9, max = 1e3)]
    pub v_d: S,
    /// Rise of the coefficient with speed.
    #[param(symbol = "c", role = ViscousCoefficient, unit = "s/m", default = 0.1, min = 0.0, max = 1e3)]
    pub c: S,
}

impl<S: Scalar> Law<S> for Growing<S> {
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        at.load() * (self.mu * (at.v / self.v_d).tanh() + self.c * at.v)
    }
}
// The listing ends here.

#[test]
fn the_example_is_a_law() {
    use bristle_core::Described;
    let law = Growing { mu: 0.3, v_d: 1e-3, c: 0.1 };
    assert!((law.eval(&At::sliding(2.0, 10.0), &[], &mut []) - 5.0).abs() < 1e-12);
    assert_eq!(Growing::<f64>::CARD.equation(), "F = n (μ tanh(v/v_d) + c v)");
}

#[test]
fn the_manual_shows_this_very_law() {
    let source = include_str!("add_a_law.rs");
    let page = include_str!("../../../../docs/src/add_a_law.md");
    let listing = source.split("begins here.\n").nth(1).unwrap().split("// The listing ends").next().unwrap();
    assert!(page.contains(listing), "docs/src/add_a_law.md shows another law:\n{listing}");
}
