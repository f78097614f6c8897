//! Where does it slide steadily, and how stably?

use super::StudyKind;
use super::subject::{Subject, View, say};
use crate::analysis::{self, Reached};
use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_analysis::steady::SteadyState;
use bristle_core::Card;
use bristle_record::{Axis, Cell, Fact, Plot, Rule, Scatter, Section, Table, Tone};
use bristle_solve::Dynamics;
use bristle_solve::Progress;
use std::f64::consts::TAU;

/// Looks for the steady state and says how stable it is.
///
/// ```text
/// 0 = f(x),   J = ∂f/∂x,   det(λ − J) = λⁿ + b_{n−1} λⁿ⁻¹ + … + b₀,   Hurwitz determinants Δ₁ … Δ_n
/// ```
///
/// On a moving belt the steady state is the body at rest while the belt slides below it. Positions that grow for
/// ever without any effect are left out. Where the state near rest is unstable, the one that the motion from the
/// scenario's start reaches is told instead, if it reaches one; a motion that runs away has none. Reports eigenvalues, modes, damping and the margins of Routh and Hurwitz.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "steady")]
pub struct Steady<S> {
    /// Real parts closer to zero than this share of the frequency count as neutral.
    #[param(symbol = "ε", unit = "1", default = 1e-9, min = 0.0, max = 1.0)]
    pub neutral: S,
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    _progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let view = View::of(scenario);
    let subject = Subject::new(scenario, study, &view)?;
    let (found, other) = match settle(&subject)? {
        Settled::At(found, other) => (*found, other),
        Settled::RunsAway { speed, time } => {
            let words = format!("none: the motion runs away, {} m/s after {} s", say(speed), say(time));
            let fact = Fact::verdict("steady state", words, Tone::Bad);
            return Ok(Answer { facts: vec![fact], ..Answer::default() });
        }
    };
    let mut section = Section { heading: format!("Steady state ({})", study.name), blocks: Vec::new() };
    section.push(state_table(&subject, &found));
    section.push(mode_table(&subject, &found));
    section.push(margin_table(&found));
    section.push(plane(&subject, &found));
    let mut facts = facts(&subject, &found);
    facts.extend(other.map(|rate| {
        let mut fact = Fact::new(
            "another steady state is unstable",
            format!("disturbances of it grow at {} 1/s", say(rate)),
        );
        fact.note = "the motion from the scenario's start does not go there".to_owned();
        fact
    }));
    Ok(Answer { facts, sections: vec![section], ..Answer::default() })
}

/// Which steady state is told.
enum Settled {
    /// This one; the rate of growth of another that was found first and is left.
    At(Box<SteadyState>, Option<f64>),
    /// There is none.
    RunsAway { speed: f64, time: f64 },
}

/// The steady state near rest if it is stable, else the one that the motion from the scenario's start reaches, else the
/// unstable one.
fn settle(subject: &Subject) -> Result<Settled, RunError> {
    let first = analysis::steady(subject.system, &subject.p);
    if let Ok(found) = &first
        && found.is_stable()
    {
        return Ok(Settled::At(Box::new(found.clone()), None));
    }
    let durations = subject.scenario.studies.iter().filter(|s| s.kind == StudyKind::Simulate);
    let time = durations.map(|s| s.spec.numbers[0]).fold(0.0, f64::max);
    let time = if time > 0.0 { time } else { analysis::WATCHED };
    // A motion that cannot be followed says nothing about the equilibrium.
    let reached = analysis::reached(subject.system, &subject.p, &subject.scenario.solver, time);
    match (reached, first) {
        (Ok(Reached::Steady(found)), Ok(other)) if !is_same(subject, &found, &other) => {
            let rate = other.eigen.first().map(|e| e.value.re);
            Ok(Settled::At(found, rate))
        }
        (Ok(Reached::Steady(found)), Err(_)) => Ok(Settled::At(found, None)),
        (Ok(Reached::RunsAway { speed, time }), _) => Ok(Settled::RunsAway { speed, time }),
        (_, first) => first.map(|found| Settled::At(Box::new(found), None)).map_err(|e| subject.fail(e)),
    }
}

fn is_same(subject: &Subject, a: &SteadyState, b: &SteadyState) -> bool {
    let mut scale = vec![1.0; subject.system.dim()];
    subject.system.scales(&subject.p, &mut scale);
    a.active == b.active
        && a.active.iter().all(|&i| (a.x[i] - b.x[i]).abs() <= 1e-6 * scale[i].max(a.x[i].abs()))
}

fn facts(subject: &Subject, found: &SteadyState) -> Vec<Fact> {
    let Some(worst) = found.eigen.first() else {
        return vec![Fact::verdict("steady state", "nothing in it can move", Tone::Neutral)];
    };
    let rate = worst.value.re;
    let is_neutral = rate.abs() <= subject.number("neutral") * worst.value.norm();
    let (words, tone) = if is_neutral {
        ("neutral: disturbances neither grow nor decay".to_owned(), Tone::Warn)
    } else if rate < 0.0 {
        (format!("stable: the slowest disturbance decays at {} 1/s", say(-rate)), Tone::Good)
    } else {
        (format!("unstable: disturbances grow at {} 1/s", say(rate)), Tone::Bad)
    };
    let mut verdict = Fact::verdict("steady state", words, tone).measuring(rate, "1/s");
    if worst.frequency() > 0.0 {
        verdict.note = format!("it rings at {} Hz", say(worst.frequency() / TAU));
    }
    let mut facts = vec![verdict];
    facts.push(Fact::number("damping ratio of the least stable mode", worst.damping(), ""));
    if worst.frequency() > 0.0 {
        facts.push(Fact::number("its frequency", worst.frequency() / TAU, "Hz"));
    }
    facts
}

fn state_table(subject: &Subject, found: &SteadyState) -> Table {
    let mut table = Table::new("Equilibrium, in SI units", &[("state", ""), ("value", "")]);
    for &i in &found.active {
        table.row([subject.system.state_name(i).into(), Cell::Number { value: found.x[i], digits: 12 }]);
    }
    table
}

fn mode_table(subject: &Subject, found: &SteadyState) -> Table {
    let columns = [
        ("real part", "1/s"),
        ("imaginary part", "1/s"),
        ("frequency", "Hz"),
        ("damping ratio", ""),
        ("moves most", ""),
    ];
    let mut table = Table::new("Eigenvalues and modes, the least stable first", &columns);
    let mut scale = vec![1.0; subject.system.dim()];
    subject.system.scales(&subject.p, &mut scale);
    for eigen in found.eigen.iter().filter(|e| e.value.im >= 0.0) {
        let size = |k: &usize| eigen.right[*k].norm() / scale[found.active[*k]];
        let most = (0..found.active.len()).max_by(|a, b| size(a).total_cmp(&size(b)));
        let name = most.map(|k| subject.system.state_name(found.active[k])).unwrap_or_default();
        let number = |value| Cell::Number { value, digits: 11 };
        let sign = if eigen.value.im > 0.0 { "±" } else { "" };
        let imaginary = format!("{sign}{}", bristle_record::number::significant(eigen.value.im, 11));
        let frequency = Cell::Number { value: eigen.frequency() / TAU, digits: 6 };
        table.row([
            number(eigen.value.re),
            imaginary.into(),
            frequency,
            Cell::number(eigen.damping()),
            name.into(),
        ]);
    }
    table
}

fn margin_table(found: &SteadyState) -> Table {
    let columns = [("$i$", ""), ("coefficient $b_i$", ""), ("determinant $Δ_{i+1}$", "")];
    let caption = "Characteristic polynomial and Hurwitz determinants; all are positive where the equilibrium is stable";
    let mut table = Table::new(caption, &columns);
    for (i, (b, d)) in found.polynomial().iter().zip(found.hurwitz()).enumerate() {
        table.row([
            i.to_string().into(),
            Cell::Number { value: *b, digits: 9 },
            Cell::Number { value: d, digits: 9 },
        ]);
    }
    table
}

/// Eigenvalues in the complex plane; those far to the left are named in the table only.
fn plane(subject: &Subject, found: &SteadyState) -> Plot {
    let mut plot =
        Plot::new(subject.id("eigenvalues"), "", Axis::new("$Re λ$", "1/s"), Axis::new("$Im λ$", "1/s"));
    let swing = found.eigen.iter().filter(|e| e.value.im != 0.0).map(|e| e.value.norm()).fold(0.0, f64::max);
    let shown = |re: f64| swing == 0.0 || re.abs() <= 3.0 * swing;
    let kept = found.eigen.iter().filter(|e| shown(e.value.re));
    let (x, y) = kept.map(|e| (e.value.re, e.value.im)).unzip();
    plot.push(Rule::vertical(0.0, "stable to the left"));
    plot.push(Scatter::new("", x, y));
    plot.caption = "Eigenvalues that take part in the ringing; very fast ones are in the table".to_owned();
    plot
}
