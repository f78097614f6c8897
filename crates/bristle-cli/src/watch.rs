//! Looks on while a study runs: a bar for long runs on a terminal, and the wish to stop passed on.

use crate::stop;
use bristle::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Runs shorter than this need no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Ticks of a full bar.
const FULL: u64 = 1000;

/// A move of this much is shown whatever the number of steps.
const NOTABLE: f64 = 0.002;

/// Shows progress on standard error and passes on the wish to stop.
pub struct ProgressDisplay {
    bar: ProgressBar,
    what: String,
    begun: Instant,
    is_shown: bool,
    steps: u32,
    last: f64,
}

impl ProgressDisplay {
    /// Begins to watch.
    pub fn new() -> ProgressDisplay {
        ProgressDisplay {
            bar: ProgressBar::hidden(),
            what: String::new(),
            begun: Instant::now(),
            is_shown: false,
            steps: 0,
            last: 0.0,
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&mut self, fraction: f64) {
        if !self.is_shown && self.begun.elapsed() > PATIENCE && std::io::stderr().is_terminal() {
            self.is_shown = true;
            self.bar = ProgressBar::with_draw_target(Some(FULL), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} %  {eta} left") {
                self.bar.set_style(style);
            }
            self.bar.set_message(self.what.clone());
        }
        if self.is_shown {
            self.bar.set_position((fraction.clamp(0.0, 1.0) * FULL as f64) as u64);
        }
    }
}

impl Progress for ProgressDisplay {
    fn begin(&mut self, what: &str) {
        self.what = what.to_owned();
        self.bar.set_message(self.what.clone());
    }

    fn at(&mut self, fraction: f64) -> bool {
        // Asking the clock at every step would cost more than a small step itself; long steps are seen by how far they go.
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(256) || (fraction - self.last).abs() >= NOTABLE {
            self.last = fraction;
            self.show(fraction);
        }
        !stop::is_wanted()
    }
}
