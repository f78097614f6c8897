//! Where a run is, as numbers that can be kept.

use crate::State;
use bristle_core::Mode;

/// All that a run goes on from: made by [`Integrator::save`](crate::Integrator::save).
#[derive(Clone, Debug, PartialEq)]
pub struct SavedRun {
    /// Time, states and modes.
    pub state: State,
    /// Parameters, inputs among them.
    pub params: Vec<f64>,
    /// The step to try next, s.
    pub(crate) step: f64,
    /// What the balance of energy has left open so far, what was exchanged, and how often a step was refused for it.
    pub(crate) energy: [f64; 3],
    /// Whether inputs have changed since the modes were settled.
    pub(crate) is_unsettled: bool,
}

/// What bytes of a saved run begin with: a name and the version of the form.
const MARK: &[u8; 8] = b"bristle1";

impl SavedRun {
    /// As bytes, the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let State { t, x, mode } = &self.state;
        let mut bytes = MARK.to_vec();
        for count in [x.len(), mode.len(), self.params.len()] {
            bytes.extend((count as u64).to_le_bytes());
        }
        let head = [*t, self.step].into_iter().chain(self.energy);
        for number in head.chain(x.iter().copied()).chain(self.params.iter().copied()) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(mode.iter().map(|&mode| mode as u8));
        bytes.push(u8::from(self.is_unsettled));
        bytes
    }

    /// From bytes that [`to_bytes`](Self::to_bytes) has made; nothing from any others.
    pub fn from_bytes(bytes: &[u8]) -> Option<SavedRun> {
        let mut rest = bytes.strip_prefix(MARK)?;
        let mut counts = [0; 3];
        for count in &mut counts {
            let (head, tail) = rest.split_first_chunk::<8>()?;
            *count = usize::try_from(u64::from_le_bytes(*head)).ok()?;
            rest = tail;
        }
        let [states, modes, params] = counts;
        let numbers = states.checked_add(params)?.checked_add(5)?;
        if rest.len() != numbers.checked_mul(8)?.checked_add(modes)?.checked_add(1)? {
            return None;
        }
        let (head, tail) = rest.split_at(8 * numbers);
        let mut number = head.chunks_exact(8).map(|chunk| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(chunk);
            f64::from_le_bytes(bytes)
        });
        let (t, step) = (number.next()?, number.next()?);
        let energy = [number.next()?, number.next()?, number.next()?];
        let x: Vec<f64> = number.by_ref().take(states).collect();
        let params = number.collect();
        let mode = tail[..modes].iter().map(|&byte| mode_of(byte)).collect::<Option<_>>()?;
        let is_unsettled = tail[modes] == 1;
        Some(SavedRun { state: State { t, x, mode }, params, step, energy, is_unsettled })
    }
}

fn mode_of(byte: u8) -> Option<Mode> {
    [Mode::Stick, Mode::Forward, Mode::Backward].into_iter().find(|mode| *mode as u8 == byte)
}

#[cfg(test)]
mod saved_tests {
    use super::*;
    use crate::problems::CoulombBelt;
    use crate::{Dynamics, Integrator, Solver};
    use std::sync::Arc;

    fn run_to(integrator: &mut Integrator, times: impl IntoIterator<Item = f64>) -> State {
        for t in times {
            integrator.advance(t, &mut ()).unwrap();
        }
        integrator.state().clone()
    }

    #[test]
    fn clones_and_saved_runs_go_on_bit_by_bit() {
        let belt = Arc::new(CoulombBelt);
        let mut first = Integrator::owning(&belt, belt.params(), &Solver::default()).unwrap();
        first.reset(&belt.initial()).unwrap();
        run_to(&mut first, [10.0, 23.9]);
        let mut clone = first.clone();
        assert_eq!(run_to(&mut clone, [30.0, 60.0]), run_to(&mut first.clone(), [30.0, 60.0]));
        let saved = first.save().unwrap();
        let kept = SavedRun::from_bytes(&saved.to_bytes()).unwrap();
        assert_eq!(kept, saved);
        let end = run_to(&mut first, [30.0, 60.0]);
        let mut other = Integrator::owning(&belt, belt.params(), &Solver::default()).unwrap();
        other.restore(&kept).unwrap();
        assert_eq!(run_to(&mut other, [30.0, 60.0]), end);
        first.restore(&saved).unwrap();
        assert_eq!(run_to(&mut first, [30.0, 60.0]), end);
        std::thread::spawn(move || run_to(&mut other, [61.0])).join().unwrap();
    }

    #[test]
    fn bytes_of_something_else_are_refused() {
        let belt = CoulombBelt;
        let mut run = Integrator::new(&belt, belt.params(), &Solver::default()).unwrap();
        run.reset(&belt.initial()).unwrap();
        let bytes = run.save().unwrap().to_bytes();
        assert!(SavedRun::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(SavedRun::from_bytes(b"").is_none() && SavedRun::from_bytes(b"bristle0").is_none());
        let mut huge = bytes.clone();
        huge[8..16].fill(255);
        assert!(SavedRun::from_bytes(&huge).is_none());
    }
}
