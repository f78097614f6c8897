//! Local sensitivities, exactly: through the variational equations, switches included.

use super::question::VaryQuestion;
use super::response::{Reduction, Response, ResponseMeasure};
use crate::error::RunError;
use bristle_analysis::sensitivity::sensitivity;
use bristle_record::{Cell, Section, Table};
use bristle_solve::{AcceptedStep, Dynamics, Observer, State};

/// A place among the states, and when it is looked at.
struct LocalInstant {
    place: usize,
    t: f64,
}

/// Follows a place and notes its largest or smallest value, and when.
struct Turning {
    place: usize,
    rate: usize,
    sign: f64,
    best: (f64, f64),
    row: Vec<f64>,
}

impl Turning {
    fn keep(&mut self, t: f64, value: f64) {
        if self.sign * value > self.sign * self.best.1 || self.best.1.is_nan() {
            self.best = (t, value);
        }
    }
}

impl Observer for Turning {
    fn looks_inside(&self, _t0: f64, _t1: f64) -> bool {
        true
    }

    fn step(&mut self, step: &AcceptedStep) -> bool {
        self.keep(step.t1, step.x1[self.place]);
        let speed = |v: f64| self.sign * v;
        if speed(step.x0[self.rate]) > 0.0 && speed(step.x1[self.rate]) < 0.0 {
            let (mut low, mut high) = (step.t0, step.t1);
            let mut row = std::mem::take(&mut self.row);
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                step.at(middle, &mut row);
                if self.sign * row[self.rate] > 0.0 { low = middle } else { high = middle }
            }
            step.at(low, &mut row);
            self.keep(low, row[self.place]);
            self.row = row;
        }
        true
    }
}

/// When and where a response is a state, if it is one: at an instant, or where it turns.
fn instant(question: &VaryQuestion, response: &Response) -> Result<Option<LocalInstant>, RunError> {
    let (system, solver) = (&question.scenario.system, &question.scenario.solver);
    let Some(motion) = question.motion else { return Ok(None) };
    let names = system.state_names();
    let ResponseMeasure::Output { name, reduction, window: None } = &response.measure else {
        return Ok(None);
    };
    let place = names.iter().position(|n| n == name);
    let coupled = system.dim() - system.quadratures();
    let Some(place) = place.filter(|place| *place < coupled) else { return Ok(None) };
    let duration = motion.spec.numbers[0];
    let fail = |source| RunError::Solve { study: motion.name.clone(), source };
    let mut run = system.integrator(system.params(), solver).map_err(fail)?;
    run.reset(&system.initial(system.params())).map_err(fail)?;
    let at = |t: f64, run: &mut bristle_solve::Integrator| -> Result<Option<LocalInstant>, RunError> {
        run.advance(t, &mut ()).map_err(fail)?;
        Ok(Some(LocalInstant { place, t }))
    };
    let sign = match *reduction {
        Reduction::End => return at(duration, &mut run),
        Reduction::At(t) if t > 0.0 && t <= duration => return at(t, &mut run),
        Reduction::Max => 1.0,
        Reduction::Min => -1.0,
        _ => return Ok(None),
    };
    let motions = system.free_motions();
    let Some(rate) = motions.iter().find(|m| m.states[0] == place).map(|m| m.states[1]) else {
        return Ok(None);
    };
    let start = (0.0, run.state().x[place]);
    let mut turning = Turning { place, rate, sign, best: start, row: vec![0.0; system.dim()] };
    run.advance(duration, &mut turning).map_err(fail)?;
    let (t, _) = turning.best;
    // What is largest at the very start is no turn of the motion.
    Ok((t > 0.0).then_some(LocalInstant { place, t }))
}

/// Derivatives of those responses that are states at an instant or at a turn, at the values of the scenario, and what one per cent
/// of a parameter does.
pub(crate) fn table(question: &VaryQuestion, section: &mut Section) -> Result<(), RunError> {
    let system = &question.scenario.system;
    if system.has_ropes() {
        return Ok(());
    }
    let heads =
        [("response", ""), ("parameter", ""), ("derivative", ""), ("unit", ""), ("one per cent makes", "")];
    let mut table =
        Table::new("Local sensitivities at the scenario's own values, by the variational equations", &heads);
    for response in question.asked.iter().take(question.shown) {
        let Some(instant) = instant(question, response)? else { continue };
        for varied in &question.varied {
            let Some(place) = crate::analysis::place(question.scenario, &varied.path) else { continue };
            let slope = slope(question, place.index, &instant)?;
            let (above, below) = (&response.unit, &varied.unit);
            let unit = if below == "1" { above.clone() } else { format!("{above}/({below})") };
            table.row([
                response.name.as_str().into(),
                varied.path.as_str().into(),
                Cell::Number { value: slope, digits: 6 },
                unit.into(),
                Cell::Text {
                    text: crate::studies::subject::with_unit(0.01 * varied.usual * slope, &response.unit),
                },
            ]);
        }
    }
    if !table.rows.is_empty() {
        section.push(table);
    }
    Ok(())
}

/// The derivative of a state at an instant by a parameter.
fn slope(question: &VaryQuestion, parameter: usize, instant: &LocalInstant) -> Result<f64, RunError> {
    let (system, solver) = (&question.scenario.system, &question.scenario.solver);
    let p = system.params();
    let fail = |source| RunError::Analysis { study: question.study.name.clone(), source };
    let start = system.initial(p);
    // Starts are parameters themselves, or follow from them straight: a difference of any step gives the derivative.
    let h = p[parameter].abs().max(1.0) * 2f64.powi(-20);
    let moved = |h: f64| -> State {
        let mut p = p.to_vec();
        p[parameter] += h;
        system.initial(&p)
    };
    let (above, below) = (moved(h), moved(-h));
    let slope: Vec<f64> = above.x.iter().zip(&below.x).map(|(a, b)| (a - b) / (2.0 * h)).collect();
    let found = sensitivity(system, p, parameter, (&start, &slope), instant.t, solver).map_err(fail)?;
    Ok(found.slope[instant.place])
}

/// The derivative of a response by a varied parameter at the scenario's own values, where the variational equations give it.
#[cfg(test)]
pub(crate) fn derivative(question: &VaryQuestion, j: usize, i: usize) -> Result<Option<f64>, RunError> {
    let Some(instant) = instant(question, &question.asked[j])? else { return Ok(None) };
    let Some(place) = crate::analysis::place(question.scenario, &question.varied[i].path) else {
        return Ok(None);
    };
    slope(question, place.index, &instant).map(Some)
}
