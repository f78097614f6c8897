//! Friction over slip rate once everything has settled, for every law of the session.

use crate::LabAnswer;
use crate::session::Session;
use bristle_certify::bench_for;
use serde_json::{Value, json};

/// Slip rates to either side, over so many decades.
const POINTS: usize = 36;
const DECADES: f64 = 4.0;

/// The steady force at the first contact under every law, up to the slip rate `fastest`, under `load` newtons where the law states
/// coefficients.
///
/// # Errors
/// What is wrong, in words.
pub fn curve(session: &Session, question: &Value) -> Result<LabAnswer, String> {
    let fastest = question["fastest"].as_f64().filter(|v| *v > 0.0).ok_or("there is no slip rate")?;
    let load = question["load"].as_f64();
    let mut answer = LabAnswer::default();
    let mut curves = Vec::new();
    for law in 0..session.variants.len() {
        let scenario = session.changed(law, question)?;
        let Some((part, kind, spec)) = scenario.laws_in_use().next() else { continue };
        let mut bench = bench_for(kind, None);
        bench.load = if spec.as_forces { f64::NAN } else { load.unwrap_or(bench.load) };
        bench.law = spec.clone();
        let (mut rates, mut forces) = (Vec::new(), Vec::new());
        for k in 0..POINTS {
            let rate = fastest * 10f64.powf(DECADES * (k as f64 / (POINTS - 1) as f64 - 1.0));
            if let Ok(force) = bench.steady_force(rate) {
                rates.push(rate);
                forces.push(force);
            }
        }
        let first = answer.numbers.len();
        curves.push(json!({ "law": session.names[law], "part": part, "rates": [first, rates.len()], "forces": [first + rates.len(), forces.len()] }));
        answer.numbers.extend(rates);
        answer.numbers.extend(forces);
    }
    answer.words = json!({ "curves": curves });
    Ok(answer)
}
