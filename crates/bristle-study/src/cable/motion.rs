//! A cable moves: samples, snapshots, progress.

use super::wrap::{Wrap, wraps};
use super::{CableModel, Start};
use crate::error::RunError;
use crate::model::TimeSpan;
use crate::scene::FRAMES;
use bristle_cable::{CableError, CableState, Integration, RunCost};
use bristle_mech::OutputChannel;
use bristle_record::Data;
use bristle_solve::Progress;

/// A run of a cable.
pub struct CableMotion<'a> {
    /// The cable.
    pub(crate) model: &'a CableModel,
    /// Time and all outputs.
    pub data: Data,
    /// Whole states to draw, evenly in time.
    pub snapshots: Vec<Snapshot>,
    /// How it began.
    pub(crate) start: Start,
    /// What it cost.
    pub(crate) statistics: RunCost,
    /// When and where each drum's cable first slipped: time and angle gone round from the first contact.
    pub(crate) first_slips: Vec<Option<(f64, f64)>>,
    /// How far any node sank into each drum at any step, m.
    pub(crate) deepest: Vec<f64>,
    /// Whether it was stopped before its end.
    pub(crate) stopped_early: bool,
}

/// A state worth drawing.
pub struct Snapshot {
    pub(crate) state: CableState,
    pub(crate) wraps: Vec<Wrap>,
}

/// From one time to the next.
fn advance(run: &mut dyn Integration, mut ends: impl Iterator<Item = f64>) -> Result<(), CableError> {
    ends.try_for_each(|end| run.advance_to(end))
}

impl CableModel {
    /// Moves the cable over a span.
    pub fn run(&self, span: &TimeSpan, progress: &mut dyn Progress) -> Result<CableMotion<'_>, RunError> {
        let TimeSpan { study, duration, step } = *span;
        let fail = |e| match e {
            CableError::Cancelled(_) => RunError::Stopped,
            e => RunError::Cable { study: study.to_owned(), reason: self.explain(&e) },
        };
        let start = self.start().map_err(fail)?;
        let mut run = self.method.start(&self.system, start.state.clone()).map_err(fail)?;
        let count = (duration / step).round().max(1.0) as usize;
        let stride = count.div_ceil(FRAMES - 1);
        let breaks = self.breaks(duration);
        let mut next_break = breaks.iter().copied().peekable();
        let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(count + 1); self.outputs().len() + 1];
        let mut snapshots = Vec::new();
        let mut first_slips = vec![None; self.drums.len()];
        let mut stopped_early = false;
        for i in 0..=count {
            let t = if i == count { duration } else { step * i as f64 };
            let corners = std::iter::from_fn(|| next_break.next_if(|corner| *corner < t)).chain([t]);
            // What was reached until then is kept.
            stopped_early = match advance(run.as_mut(), corners) {
                Err(CableError::Cancelled(_)) => true,
                other => other.map(|()| false).map_err(fail)?,
            };
            if columns[0].last().is_none_or(|last| run.state().t > *last) {
                self.sample(run.as_ref(), &mut columns, &mut first_slips);
            }
            stopped_early |= !progress.at(i as f64 / count as f64) && i < count;
            if i % stride == 0 || i == count || stopped_early {
                let state = run.state().clone();
                snapshots.push(Snapshot { wraps: wraps(self, &state), state });
            }
            if stopped_early {
                break;
            }
        }
        let mut data = Data::default();
        let names =
            std::iter::once(OutputChannel { name: "time".to_owned(), unit: "s" }).chain(self.outputs());
        for (OutputChannel { name, unit }, column) in names.zip(columns) {
            data.push(name, unit, column);
        }
        let statistics = run.statistics();
        let deepest = run.deepest().to_vec();
        Ok(CableMotion {
            model: self,
            data,
            snapshots,
            start,
            statistics,
            first_slips,
            deepest,
            stopped_early,
        })
    }

    fn sample(&self, run: &dyn Integration, columns: &mut [Vec<f64>], first: &mut [Option<(f64, f64)>]) {
        let state = run.state();
        columns[0].push(state.t);
        for (column, value) in columns[1..].iter_mut().zip(self.observe(state, run.ledger())) {
            column.push(value);
        }
        for (drum, wrap) in wraps(self, state).iter().enumerate() {
            let rest = self.system.cable().drums[drum].friction.rest_speed();
            let slips = wrap.contacts.iter().position(|c| rest > 0.0 && c.slip.abs() > rest);
            if let (None, Some(i)) = (first[drum], slips) {
                first[drum] = Some((state.t, wrap.angle[i]));
            }
        }
    }
}
