//! How much can a cable hold?

use crate::error::RunError;
use crate::rope::{Wrap, cautions, figures};
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use crate::scene::{Scene, curve};
use bristle_cable::capstan::MasslessCapstan;
use bristle_cable::{CableError, CableState, LimitLoad, Support, carried, end_tension};
use bristle_core::{Card, Choice};
use bristle_mech::{CableAlone, DrumShape, RopeShape, Spec};
use bristle_record::{Block, Cell, Fact, Section, Table, Tone};
use bristle_solve::Progress;

/// Looks for the largest load a cable holds before it slips over its drums.
///
/// ```text
/// Q(q) + Aᵀ F = 0 at zero speed,   F_i = −s c N_i at every touching node,   load unknown
/// ```
///
/// The criterion: friction is mobilised at every node, up to the coefficient `c` the law can hold without creeping
/// (`α μ` for `cdq`, `μ` for `quinn`, `μ_s` for `karnopp`). One static solution, no integration in time.
/// Reports the load, its ratio to what holds the other end, the exponential `e^{cφ}` and the closed form with
/// bending stiffness.
#[derive(Clone, Copy, Debug, Card)]
#[card(name = "limit", cite = "westin2020", tags("cable"))]
pub struct Limit<S> {
    /// The end that is loaded; the cable slips towards it.
    #[choice("last", "first")]
    pub end: Choice,
    /// Direction of the load, counter-clockwise from the right; downwards unless given.
    #[param(symbol = "ψ", unit = "rad", default = -std::f64::consts::FRAC_PI_2, min = -6.3, max = 6.3)]
    pub direction: S,
    /// Stages in which friction is mobilised.
    #[param(symbol = "k", unit = "1", default = 8.0, min = 1.0, max = 1000.0, whole)]
    pub stages: S,
}

/// The answer of the limit analysis.
pub struct LimitAnswer {
    /// The load, mass included, N.
    pub load: f64,
    /// What holds the other end, N.
    pub holds: f64,
    pub(crate) state: CableState,
    /// What the cable does on each drum.
    pub wraps: Vec<Wrap>,
    pub(crate) iterations: usize,
}

/// The largest load of a model at one of its ends.
pub fn limit(model: &CableAlone, study: &str, spec: &Spec) -> Result<LimitAnswer, RunError> {
    let fail = |reason: String| RunError::Cable { study: study.to_owned(), reason };
    let end = 1 - usize::from(spec.choices[0].0);
    let cable = model.system.cable();
    if cable.ends[end].support != Support::Free {
        let name = &model.ends[end];
        return Err(fail(format!("`{name}` is held: a load can be sought at a free end only")));
    }
    let unknown =
        cable.drums.iter().position(|d| d.friction.acts() && d.friction.holding_coefficient().is_none());
    if let Some(drum) = unknown {
        let name = &model.drums[drum];
        return Err(fail(format!(
            "the law of drum `{name}` does not say what it holds at rest: take quinn, cdq or karnopp"
        )));
    }
    let none = || fail("the cable is laid over no drum".to_owned());
    let keep = model.middle_node().ok_or_else(none)?;
    let explain = |e: CableError| fail(format!("cable `{}`: {e}", model.name));
    let mut state = model.start().map_err(explain)?;
    let (sin, cos) = spec.numbers[0].sin_cos();
    // A quarter turn is meant exactly.
    let direction = [cos, sin].map(|c: f64| if c.abs() < 1e-12 { 0.0 } else { c });
    let question =
        LimitLoad { end, direction, keep, stages: spec.numbers[1] as usize, ..LimitLoad::downwards(keep) };
    let found = question.solve(&model.system, &mut state).map_err(explain)?;
    let weight = |i: usize| cable.ends[i].mass * cable.gravity;
    let other = 1 - end;
    let holds = if cable.ends[other].support == Support::Free {
        let [x, y] = [0, 1].map(|c| cable.ends[other].force[c].value(0.0));
        x.hypot(y - weight(other))
    } else {
        end_tension(&model.system, &state)[other]
    };
    let load = found.load - weight(end) * direction[1];
    let wraps = Wrap::of_state(model, &state);
    Ok(LimitAnswer { load, holds, state, wraps, iterations: found.iterations })
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    _progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let fail = |reason: String| RunError::Cable { study: study.name.clone(), reason };
    let model = scenario.system.cable_alone().ok_or_else(|| fail("there is no cable".to_owned()))?;
    let model = &model.map_err(|e| fail(e.to_string()))?;
    let found = limit(model, &study.name, &study.spec)?;
    let mut section = Section { heading: format!("Limit load ({})", study.name), blocks: Vec::new() };
    section.push(Block::paragraph(
        "The cable is about to slip: friction is mobilised at every touching node up to the coefficient its law can \
         hold without creeping, and the load is what balances it at zero speed.",
    ));
    section.push(table(model, &found));
    let cable = model.system.cable();
    let shape = RopeShape { nodes: found.state.q.clone(), length: cable.element_length(), loads: Vec::new() };
    section.push(scene(model, &shape).plot(format!("{}-shape", study.name)));
    for (drum, wrap) in found.wraps.iter().enumerate().filter(|(_, w)| !w.contacts.is_empty()) {
        let id = format!("{}-{}-pressure", study.name, model.drums[drum]);
        let at = [("at the limit".to_owned(), wrap)];
        section.push(figures::pressure(id, &model.drums[drum], cable.drums[drum].radius, &at));
    }
    let wraps = found.wraps.iter().enumerate().map(|(drum, wrap)| (wrap.clone(), holds(model, drum)));
    let at = [("at the limit".to_owned(), carried(&model.system, &found.state.q), wraps.collect())];
    section.push(figures::tension(format!("{}-tension-along", study.name), shape.length, &at));
    let end = &model.ends[1 - usize::from(study.spec.choices[0].0)];
    let mut ratio =
        Fact::verdict("largest ratio of the loads before slip", found.load / found.holds, Tone::Neutral);
    ratio.note = format!("exponential e^{{cφ}} over the nominal wrap: {:.4}", exponential(model, &found));
    let mut facts = vec![ratio, Fact::number(format!("largest load at `{end}`"), found.load, "N")];
    let laid = model.over.iter().map(|&drum| (&model.drums[drum], &found.wraps[drum]));
    facts.extend(laid.filter_map(|(drum, wrap)| cautions::coarse(drum, wrap, cable.length, "at the limit")));
    Ok(Answer { facts, sections: vec![section], ..Answer::default() })
}

/// The cable and its drums.
fn scene(model: &CableAlone, shape: &RopeShape) -> Scene {
    let drums = model.system.cable().drums.iter();
    let drums = drums.map(|d| DrumShape { centre: d.centre, radius: d.radius, angle: 0.0 });
    let ropes = vec![curve(&shape.nodes, shape.length)];
    Scene { time: 0.0, ropes, drums: drums.collect(), loads: Vec::new() }
}

/// The largest friction over normal force that a drum's law bears at rest, where it says so.
fn holds(model: &CableAlone, drum: usize) -> Option<f64> {
    model.system.cable().drums[drum].friction.holding_coefficient()
}

/// Angle between the directions in which the cable arrives at a drum and leaves it.
fn nominal(model: &CableAlone, found: &LimitAnswer, drum: usize) -> f64 {
    let wrap = &found.wraps[drum];
    let (Some(first), Some(last)) = (wrap.contacts.first(), wrap.contacts.last()) else { return 0.0 };
    // The directions are those half way along the free spans, where bending at the drum is no longer felt.
    let (first, last) = (first.point, last.point);
    let all = found.wraps.iter().flat_map(|w| &w.contacts).map(|c| c.point);
    let previous = all.clone().filter(|n| *n < first).max().unwrap_or(0);
    let next = all.filter(|n| *n > last).min().unwrap_or(model.system.cable().elements);
    let (before, after) = (found.state.q[(previous + first) / 2], found.state.q[(last + next) / 2]);
    let sense = model.system.cable().drums[drum].sense.sign();
    let turn = sense * (before[3].atan2(before[2]) - after[3].atan2(after[2]));
    let full = std::f64::consts::TAU;
    // The touching arc tells how many whole turns there are.
    turn.rem_euclid(full) + full * ((wrap.total() - turn.rem_euclid(full)) / full).round().max(0.0)
}

fn exponential(model: &CableAlone, found: &LimitAnswer) -> f64 {
    let exponent = |drum: usize| holds(model, drum).unwrap_or(0.0) * nominal(model, found, drum);
    (0..model.drums.len()).map(exponent).sum::<f64>().exp()
}

fn table(model: &CableAlone, found: &LimitAnswer) -> Table {
    let columns = [
        ("drum", ""),
        ("holds $c$", ""),
        ("turns the cable by", "deg"),
        ("touches over", "deg"),
        ("$e^{cφ}$", ""),
        ("with bending", ""),
    ];
    let mut table =
        Table::new(format!("Drums at the limit, found in {} iterations", found.iterations), &columns);
    for drum in 0..model.drums.len() {
        let (mu, wrap) = (holds(model, drum).unwrap_or(0.0), nominal(model, found, drum));
        let radius = model.system.cable().drums[drum].radius;
        let capstan = MasslessCapstan { mu, wrap, radius, ei: model.system.cable().ei };
        table.row([
            model.drums[drum].as_str().into(),
            Cell::number(mu),
            Cell::number(wrap.to_degrees()),
            Cell::number(found.wraps[drum].total().to_degrees()),
            Cell::Number { value: (mu * wrap).exp(), digits: 6 },
            Cell::Number { value: capstan.ratio(found.holds), digits: 6 },
        ]);
    }
    table
}
