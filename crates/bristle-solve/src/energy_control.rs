//! The balance of energy beside the error of each state: a step over which it does not close has passed over something that its
//! stages did not touch.

/// What a system holds, has been given and has lost at an instant, in joules: kinetic, potential, put in, lost.
pub type Energies = [f64; 4];

/// The part of all that was exchanged that may stay unaccounted for, and the tolerance from which on more is allowed: who asks
/// for a rough motion does not want to pay for its balance.
const SHARE: f64 = 5e-7;
const ROUGH: f64 = 1e-6;

/// What rounding may leave, relative to the energies themselves.
const ROUNDING: f64 = 1e-13;

/// Less than this, J, is nothing.
const NOTHING: f64 = 1e-18;

/// A run that exchanges less than this, J, is not measured by what it exchanges, however closely its energies are followed.
const LITTLE: f64 = 1e-9;

/// The most by which a step counts as too long: one that passed over something is made shorter in turns.
const MOST: f64 = 100.0;

/// So often in a row a step is made shorter for its balance alone; a balance that does not close then is not a matter of steps.
const PATIENCE: usize = 8;

/// Keeps the balance of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnergyControl {
    /// Unaccounted for since the run began.
    pub gap: f64,
    /// Exchanged since the run began.
    pub exchanged: f64,
    pub refused: usize,
}

impl EnergyControl {
    /// Judges a step by the energies at its ends: at most one where it may pass. A step may leave more open than its share as long as
    /// the whole run does not. An exchange of less than `least`, the absolute tolerance of energies, counts as that, up to [`LITTLE`].
    pub(crate) fn judge(&mut self, [from, to]: [&Energies; 2], rtol: f64, least: f64) -> f64 {
        let share = SHARE * (rtol / ROUGH).max(1.0).powi(3);
        let (gap, exchanged) = change(from, to);
        let add = |energies: &Energies, sum: f64| energies.iter().fold(sum, |sum, e| sum + e.abs());
        let rounding = ROUNDING * add(to, add(from, 0.0));
        let (floor, least) = (rounding + NOTHING, least.min(LITTLE));
        let step = gap.abs() / (0.2 * share * exchanged.max(least) + floor);
        let run = (self.gap + gap).abs() / (share * (self.exchanged + exchanged).max(least) + floor);
        let ratio = step.min(run).min(MOST);
        if ratio > 1.0 && self.refused < PATIENCE {
            self.refused += 1;
            return ratio;
        }
        (self.gap, self.exchanged, self.refused) = (self.gap + gap, self.exchanged + exchanged, 0);
        if ratio <= 1.0 { ratio } else { 0.0 }
    }
}

/// What does not close between two instants, and how much was exchanged.
fn change(from: &Energies, to: &Energies) -> (f64, f64) {
    let [kinetic, potential, input, loss] =
        [to[0] - from[0], to[1] - from[1], to[2] - from[2], to[3] - from[3]];
    (kinetic + potential - input + loss, kinetic.abs() + potential.abs() + input.abs() + loss.abs())
}

#[cfg(test)]
mod energy_control_tests {
    use super::*;

    const FROM: Energies = [3.0, 1.0, 0.5, 0.2];

    /// Energies 2 J later, all of it lost, but for a part that is missing.
    fn later(from: &Energies, missing: f64) -> Energies {
        [from[0] - 1.0, from[1] - 1.0, from[2], from[3] + 2.0 - missing]
    }

    #[test]
    fn a_step_passes_that_leaves_no_more_open_than_its_share() {
        let judge = |missing: f64, rtol: f64| {
            EnergyControl::default().judge([&FROM, &later(&FROM, missing)], rtol, 0.0)
        };
        assert!(judge(0.0, 1e-9) < 1e-9);
        // Of 4 J exchanged, half a millionth may be missing: 2 µJ.
        assert!((judge(1.9e-6, 1e-9) - 0.95).abs() < 1e-5);
        assert!((judge(4e-6, 1e-9) - 2.0).abs() < 1e-5);
        // A looser tolerance allows more.
        assert!(judge(1.9e-3, 1e-5) <= 1.0);
        assert!(judge(4e-3, 1e-5) > 1.0);
        assert_eq!(judge(1.0, 1e-9), MOST);
    }

    /// The whole run counts: what one step leaves open, steps before may have spared, but small leaks that add up do not pass.
    #[test]
    fn a_run_passes_as_a_whole() {
        let mut spared = EnergyControl::default();
        let mut at = FROM;
        for _ in 0..9 {
            let next = later(&at, 0.0);
            assert!(spared.judge([&at, &next], 1e-9, 0.0) < 1e-6);
            at = next;
        }
        assert!(spared.judge([&at, &later(&at, 1.5e-5)], 1e-9, 0.0) <= 1.0);
        assert!(spared.judge([&at, &later(&at, 1.5e-5)], 1e-9, 0.0) > 1.0);
    }

    /// A balance that no step closes is for the report to tell, not to hold a run up.
    #[test]
    fn after_some_refusals_a_step_passes() {
        let mut control = EnergyControl::default();
        let to = later(&FROM, 1.0);
        for _ in 0..PATIENCE {
            assert!(control.judge([&FROM, &to], 1e-9, 0.0) > 1.0);
        }
        assert_eq!(control.judge([&FROM, &to], 1e-9, 0.0), 0.0);
        assert!(control.judge([&FROM, &to], 1e-9, 0.0) > 1.0, "and the count begins anew");
    }

    #[test]
    fn what_rounding_leaves_is_nothing() {
        let heavy = [1e6, -1e6, 0.0, 0.0];
        let to = [1e6, -1e6 + 1e-8, 0.0, 0.0];
        assert!(EnergyControl::default().judge([&heavy, &to], 1e-9, 0.0) <= 1.0);
        assert!(EnergyControl::default().judge([&[0.0; 4], &[1e-25, 0.0, 0.0, 0.0]], 1e-9, 0.0) <= 1.0);
    }

    /// Of an exchange of a picojoule a thousandth may be missing where energies are followed to 10 mJ, and not where they are
    /// followed to a picojoule; all of it may be missing in neither case.
    #[test]
    fn an_exchange_below_the_tolerance_of_energies_counts_as_the_tolerance() {
        let judge = |missing: f64, least: f64| {
            let to = [0.0, 0.0, 1e-12 + missing, 1e-12];
            EnergyControl::default().judge([&[0.0; 4], &to], 1e-9, least)
        };
        assert!(judge(4e-16, 1e-2) < 1.0);
        assert!(judge(4e-16, 1e-12) > 1.0);
        assert!(judge(1e-12, 1e-2) > 1.0);
    }
}
