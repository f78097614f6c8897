//! Sliding in the plane: is the law the same in every direction?

use crate::CertifyError;
use crate::bench::{LawBench, part, signal};
use bristle_core::Choice;
use bristle_mech::{PartKind, SignalKind, Spec, System};
use bristle_solve::Output;
use serde::Serialize;

/// Angles of the load, degrees.
const ANGLES: [f64; 5] = [0.0, 17.0, 45.0, 73.0, 90.0];

/// Less than this, m, is no displacement: a set-valued law holds the block where it is.
const NOWHERE: f64 = 1e-12;

/// How a load turned in the plane moves the block.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rotation {
    /// Largest difference of the displacement, turned back, from that along the first axis, over it, below and above break-away.
    pub error: f64,
}

/// Nothing for a law without a form in the plane.
pub(crate) fn measure(bench: &LawBench, breaking: f64) -> Result<Option<Rotation>, CertifyError> {
    let law = bench.kind()?.build(&bench.law.numbers, &bench.law.choices);
    if !law.slides_in_plane() {
        return Ok(None);
    }
    let mut error: f64 = 0.0;
    for share in [0.9, 1.2] {
        let [along, across] = displaced(bench, share * breaking, 0.0)?;
        for angle in ANGLES {
            let turned = displaced(bench, share * breaking, angle.to_radians())?;
            let apart = (turned[0] - along).hypot(turned[1] - across);
            error = error.max(apart / along.abs().max(NOWHERE));
        }
    }
    Ok(Some(Rotation { error }))
}

/// How far the block is along the load, and across it, after a second.
fn displaced(bench: &LawBench, load: f64, angle: f64) -> Result<[f64; 2], CertifyError> {
    let push = |size: f64, direction: u8| -> Spec {
        let rise = signal(SignalKind::SmoothStep, &[("to", size), ("duration", 0.5)]);
        let mut push = part(PartKind::Force, &[]).naming("on", &["block"]).holding("signal", rise);
        push.choices = vec![Choice(direction)];
        push
    };
    let contact = part(PartKind::PlanarContact, &[("load", bench.load)]);
    let parts = [
        ("block", part(PartKind::PlanarMass, &[("mass", bench.mass)])),
        ("along", push(load * angle.cos(), 0)),
        ("across", push(load * angle.sin(), 1)),
        ("floor", contact.naming("between", &["block", "ground"]).holding("law", bench.law.clone())),
    ];
    let parts: Vec<(String, Spec)> = parts.into_iter().map(|(n, s)| (n.to_owned(), s)).collect();
    let system = System::assemble(&parts)
        .map_err(|source| CertifyError::Law { law: bench.law.kind.clone(), source })?;
    use bristle_solve::Dynamics;
    let run = bench.run(&system, system.initial(system.params()), 1.0, &Output::Ends, &bench.solver())?;
    let names: Vec<String> = system.channels().into_iter().map(|c| c.name).collect();
    let point = bristle_solve::Point { t: 1.0, x: &run.end.x, p: system.params(), mode: &run.end.mode };
    let values = system.observe(&point);
    let at = |name: &str| names.iter().position(|n| n == name).map_or(f64::NAN, |i| values[i]);
    let ([x, y], (s, c)) = ([at("block.x"), at("block.y")], angle.sin_cos());
    Ok([c * x + s * y, c * y - s * x])
}
