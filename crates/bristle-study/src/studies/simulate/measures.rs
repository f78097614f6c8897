//! Mean, effective value, peak and settling of outputs.

use super::column;
use crate::scenario::{Scenario, Study};
use bristle_record::{Cell, Data, Fact, Table};

/// What has come this near to its end value, relative to its greatest distance from it, and stays there, has settled.
const SETTLED: f64 = 0.02;

/// What settles later than this part of the run has not been watched long enough.
const WATCHED: f64 = 0.95;

/// An output over a run.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measures {
    mean: f64,
    rms: f64,
    /// The value of largest size, and when it is reached.
    peak: [f64; 2],
    end: f64,
    /// From when on it stays near its end value, if it does.
    settling: Option<f64>,
}

impl Measures {
    /// Of values that are straight between times.
    fn of(t: &[f64], x: &[f64]) -> Option<Measures> {
        let (&first, &last, &end) = (t.first()?, t.last()?, x.last()?);
        let pairs = || t.windows(2).zip(x.windows(2));
        let (mut sum, mut squares) = (0.0, 0.0);
        for (t, x) in pairs() {
            sum += (t[1] - t[0]) * (x[0] + x[1]) / 2.0;
            squares += (t[1] - t[0]) * (x[0] * x[0] + x[0] * x[1] + x[1] * x[1]) / 3.0;
        }
        let span = last - first;
        let (mean, rms) = if span > 0.0 { (sum / span, (squares / span).sqrt()) } else { (end, end.abs()) };
        let at_peak = (0..x.len()).max_by(|i, j| x[*i].abs().total_cmp(&x[*j].abs()).then(j.cmp(i)))?;
        let far = x.iter().fold(0.0, |m: f64, x| m.max((x - end).abs()));
        // What changes by rounding alone has settled from the start on.
        let band = (SETTLED * far).max(1e-9 * x[at_peak].abs());
        let is_near = |x: f64| (x - end).abs() <= band;
        let settles = match x.iter().rposition(|x| !is_near(*x)) {
            None => first,
            Some(i) if i + 1 == x.len() => last,
            // It enters the band between two samples.
            Some(i) => {
                let [a, b] = [i, i + 1].map(|k| (x[k] - end).abs());
                t[i] + (t[i + 1] - t[i]) * if a > b { (a - band) / (a - b) } else { 1.0 }
            }
        };
        let settling = (settles <= first + WATCHED * span).then_some(settles);
        Some(Measures { mean, rms, peak: [x[at_peak], t[at_peak]], end, settling })
    }
}

/// The outputs that somebody asked for: those shown and those derived, each once.
fn asked<'a>(scenario: &'a Scenario, study: &'a Study) -> Vec<&'a str> {
    let shown = study.spec.named("show").iter();
    let derived = scenario.outputs_by_formula.iter().map(|(name, _)| name);
    let mut all: Vec<&str> = Vec::new();
    for name in shown.chain(derived) {
        if !all.contains(&name.as_str()) {
            all.push(name);
        }
    }
    all
}

/// Measures of every output asked for as a table; effective value, peak and settling time of those derived by a formula as facts
/// too.
pub(super) fn measure(scenario: &Scenario, study: &Study, data: &Data) -> (Vec<Fact>, Option<Table>) {
    let columns = [
        ("output", ""),
        ("unit", ""),
        ("mean", ""),
        ("RMS", ""),
        ("peak", ""),
        ("at", "s"),
        ("end", ""),
        ("settles at", "s"),
    ];
    let mut table = Table::new("Measures", &columns);
    let mut facts = Vec::new();
    let times = column(data, "time");
    for name in asked(scenario, study) {
        let Some(own) = data.columns.iter().find(|c| c.name == name) else { continue };
        let Some(found) = Measures::of(times, &own.values) else { continue };
        let unit = if own.unit == "1" { "" } else { own.unit.as_str() };
        if scenario.outputs_by_formula.iter().any(|(derived, _)| derived == name) {
            facts.push(Fact::number(format!("RMS of `{name}`"), found.rms, unit));
            facts.push(Fact::number(format!("peak of `{name}`"), found.peak[0], unit));
            facts.push(match found.settling {
                Some(t) => Fact::number(format!("settling time of `{name}`"), t, "s"),
                None => Fact::new(
                    format!("settling time of `{name}`"),
                    "it does not settle within the run".to_owned(),
                ),
            });
        }
        let number = |value: f64| Cell::Number { value, digits: 7 };
        let settling = found.settling.map_or_else(|| "–".into(), number);
        let [peak, at] = found.peak.map(number);
        let (mean, rms, end) = (number(found.mean), number(found.rms), number(found.end));
        table.row([name.into(), unit.into(), mean, rms, peak, at, end, settling]);
    }
    (facts, (!table.rows.is_empty()).then_some(table))
}

#[cfg(test)]
mod measures_tests {
    use super::*;

    /// A ramp from 0 to 3 has the effective value √3, a decay e^{-t} enters its two per cent at ln 50 or so.
    #[test]
    fn ramps_and_decays_measure_what_they_should() {
        let ramp = Measures::of(&[0.0, 1.0, 3.0], &[0.0, 1.0, 3.0]).unwrap();
        assert!((ramp.mean - 1.5).abs() < 1e-15 && (ramp.rms - 3f64.sqrt()).abs() < 1e-15);
        assert_eq!((ramp.peak, ramp.settling), ([3.0, 3.0], None));
        let t: Vec<f64> = (0..=20_000).map(|i| i as f64 * 1e-3).collect();
        let decay: Vec<f64> = t.iter().map(|t| 5.0 - 2.0 * (-t).exp()).collect();
        let found = Measures::of(&t, &decay).unwrap();
        assert!((found.settling.unwrap() - 50f64.ln()).abs() < 1e-6, "{found:?}");
        assert_eq!(Measures::of(&[], &[]), None);
        assert_eq!(Measures::of(&[0.0, 1.0], &[2.0, 2.0]).unwrap().settling, Some(0.0));
    }
}
