//! How a cable lies before anything moves.

use super::CableModel;
use bristle_cable::{CableError, CableState, Rest, Statics, Support};

/// A cable at the start of a run.
#[derive(Clone, Debug)]
pub struct Start {
    /// Where it is.
    pub state: CableState,
    /// What is left of the forces at rest; none where it starts as it was laid.
    pub rest: Option<Rest>,
    /// The node that was kept on its drum while the rest came to rest.
    pub kept: Option<usize>,
}

impl CableModel {
    /// The node in the middle of a drum's arc, where the laid cable touches one.
    pub(crate) fn middle_node(&self) -> Option<usize> {
        self.system.cable().middle_node(&self.over, &self.laid)
    }

    /// The cable at rest without friction, or as it was laid.
    ///
    /// A cable whose ends are both free could run off its drums: one node in the middle of an arc is kept in place
    /// while the rest comes to rest, as friction would keep it.
    pub fn start(&self) -> Result<Start, CableError> {
        let mut state = self.system.state(self.laid.clone())?;
        if !self.rests {
            return Ok(Start { state, rest: None, kept: None });
        }
        let held = self.system.cable().ends.iter().any(|e| e.support != Support::Free);
        let kept = if held { None } else { self.middle_node() };
        let keep = kept.map(|node| {
            let slope = state.q[node];
            (node, usize::from(slope[3].abs() > slope[2].abs()))
        });
        let rest = Statics { keep, ..Statics::default() }.solve(&self.system, &mut state)?;
        Ok(Start { state, rest: Some(rest), kept })
    }

    /// What an error means in the words of the scenario.
    pub(crate) fn explain(&self, error: &CableError) -> String {
        match error {
            CableError::FallsOff { drum } => format!(
                "cable `{}` is so slack that it falls off drum `{}`: shorten it, load its ends or move them apart",
                self.name,
                self.drums.get(*drum).map_or("", String::as_str)
            ),
            CableError::NoEquilibrium { .. } => format!(
                "cable `{}`: {error}; is it loaded so that it can rest? `start = \"laid\"` in [cable_solver] starts it \
                 as it is laid",
                self.name
            ),
            CableError::StepTooSmall { .. } => format!(
                "cable `{}`: {error}; a smaller `step`, `damping_of = \"slope\"` or a `fade` helps where nodes bounce",
                self.name
            ),
            other => format!("cable `{}`: {other}", self.name),
        }
    }
}
