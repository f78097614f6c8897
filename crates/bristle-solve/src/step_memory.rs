//! First steps after a switch, remembered.
//!
//! Stick and slip follow each other, and each has a time scale of its own: the step kept from before a switch is far too long for
//! one and too short for the other. The step that was right the last time the same guard led into the same modes is right again.

use bristle_core::Mode;

/// What was learnt of the last few kinds of switches.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepMemory {
    known: [Option<(usize, f64)>; PLACES],
    /// The switch that has just happened, until its first step is known.
    now: Option<usize>,
}

/// Two kinds of switches that fall into one place displace each other.
const PLACES: usize = 31;

impl StepMemory {
    /// Guard `guard` has led to `modes`; gives the step learnt from the last such switch.
    pub(crate) fn open(&mut self, guard: usize, modes: &[Mode]) -> Option<f64> {
        let key = modes.iter().fold(guard, |key, &mode| key.wrapping_mul(3).wrapping_add(mode as usize));
        self.now = Some(key);
        self.known[key % PLACES].filter(|(known, _)| *known == key).map(|(_, h)| h)
    }

    /// The first step since has passed, and one of `h` should follow.
    pub(crate) fn learn(&mut self, h: f64) {
        if let Some(key) = self.now.take() {
            self.known[key % PLACES] = Some((key, h));
        }
    }
}

#[cfg(test)]
mod step_memory_tests {
    use super::*;

    #[test]
    fn a_step_is_remembered_for_the_same_switch_only() {
        let mut step_memory = StepMemory::default();
        assert_eq!(step_memory.open(0, &[Mode::Stick]), None);
        step_memory.learn(0.25);
        assert_eq!(step_memory.open(0, &[Mode::Forward]), None);
        assert_eq!(step_memory.open(0, &[Mode::Stick]), Some(0.25));
        assert_eq!(step_memory.open(0, &[Mode::Forward]), None);
        assert_eq!(step_memory.open(1, &[Mode::Stick]), None);
    }
}
