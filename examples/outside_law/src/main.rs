//! A friction law in a crate of its own: entered once, it stands beside those of the catalogue in scenarios, comparisons and
//! certificates.

use bristle::core::{Card, Scalar};
use bristle::law::{At, Law, Symbol};
use bristle::{LawKind, Scenario, compare, run};

/// LuGre whose bristle damping fades with speed.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "fading_bristles", state("z", "m", Deflection), tags("bristle"), crate = bristle::core)]
struct FadingBristles<S> {
    /// Coefficient of static friction.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.45, min = 0.0)]
    mu_s: S,
    /// Coefficient of kinetic friction.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 1e-6)]
    mu_d: S,
    /// Stribeck velocity.
    #[param(symbol = "v_s", role = StribeckVelocity, unit = "m/s", default = 0.01, min = 1e-9)]
    v_s: S,
    /// Bristle stiffness.
    #[param(symbol = "σ_0", role = BristleStiffness, unit = "N/m", default = 1e5, min = 1e-3)]
    sigma0: S,
    /// Bristle damping at rest.
    #[param(symbol = "σ_1", role = BristleDamping, unit = "N s/m", default = 300.0, min = 0.0)]
    sigma1: S,
    /// Speed at which the damping has faded.
    #[param(symbol = "v_d", unit = "m/s", default = 5e-3, min = 1e-9)]
    v_d: S,
}

impl<S: Scalar> Law<S> for FadingBristles<S> {
    fn eval(&self, at: &At<S>, z: &[S], dz: &mut [S]) -> S {
        let bell = |v: S| (-(at.v / v).squared()).exp();
        let steady = (self.mu_d + (self.mu_s - self.mu_d) * bell(self.v_s)) * at.load_floored();
        dz[0] = at.v - self.sigma0 * at.speed() * z[0] / steady;
        at.closed(self.sigma0 * z[0] + self.sigma1 * bell(self.v_d) * dz[0])
    }

    // The direction of sliding is kept, and each reversal located.
    fn elements(&self) -> usize {
        1
    }

    fn scales(&self, n: f64, scale: &mut [f64]) {
        scale[0] = (self.mu_s.value() * n / self.sigma0.value()).max(1e-12);
    }
}

const BELT: &str = r#"
title = "A block on a belt under a law of another crate"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
v = "2 mm/s"
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "100 N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = { kind = "fading_bristles" }
[studies.run]
kind = "simulate"
duration = "60 s"
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let law = LawKind::guest::<FadingBristles<f64>, FadingBristles<Symbol>>()?;

    let scenario = Scenario::from_text(BELT, "belt.toml", ".".as_ref())?;
    let outcome = run(&scenario, &mut ())?;
    let q = outcome.data.columns.iter().find(|column| column.name == "block.q").ok_or("no block.q")?;
    let farthest = q.values.iter().copied().fold(0.0, f64::max);
    println!("{}: the belt takes the block as far as {:.2} mm", law.card().name, 1e3 * farthest);

    let outcome = compare(&scenario, &[law, LawKind::LuGre], &mut ())?;
    println!("{}", outcome.record.title);

    for certificate in bristle::certify::certify(&[law], &mut ())? {
        println!("certified: {} {:?}", certificate.law, certificate.verdict());
    }
    Ok(())
}
