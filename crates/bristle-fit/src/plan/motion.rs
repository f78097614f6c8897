//! Motions that could be made: how fast one surface slides over the other, from sample to sample.

use bristle_core::units;
use std::f64::consts::TAU;
use thiserror::Error;

/// A motion with what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedMotion {
    /// As a scenario writes it.
    pub name: String,
    /// Slip rates, straight in between.
    pub velocities: Vec<f64>,
    /// Time from one to the next.
    pub step: f64,
}

/// Why words are no motion.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MotionError {
    /// A word that no motion begins with.
    #[error("`{text}` is no motion")]
    Unknown {
        /// What was written.
        text: String,
    },
    /// Too few quantities, or too many.
    #[error("`{text}` has {given} quantities, where `{form}` is meant")]
    Count {
        /// What was written.
        text: String,
        /// How many quantities it has.
        given: usize,
        /// How it is written.
        form: &'static str,
    },
    /// A quantity that cannot be read, or is not positive.
    #[error("`{text}`: {reason}")]
    Quantity {
        /// What was written.
        text: String,
        /// What is wrong.
        reason: String,
    },
}

/// How motions are written: what each begins with, what follows, and in which units.
const FORMS: [(&str, &str, &[&str]); 5] = [
    ("sine", "sine AMPLITUDE, FREQUENCY", &["m", "Hz"]),
    ("chirp", "chirp AMPLITUDE, FREQUENCY, FREQUENCY", &["m", "Hz", "Hz"]),
    ("ramp", "ramp SPEED", &["m/s"]),
    ("hold", "hold SPEED, TIME", &["m/s", "s"]),
    ("steps", "steps SPEED, SPEED, …", &[]),
];

impl PlannedMotion {
    /// How motions are written.
    pub fn forms() -> Vec<&'static str> {
        FORMS.iter().map(|(_, form, _)| *form).collect()
    }

    /// The motion that is written so, over so much time, with samples so far apart.
    ///
    /// ```text
    /// sine A, f           x = A (1 − cos 2πft), from rest
    /// chirp A, f₁, f₂     the same with a frequency that rises evenly
    /// ramp V              the slip rate to V, to −V, and back to rest, evenly
    /// steps V₁, V₂ …      the slip rates one after the other, for the same time each
    /// hold V, T           sliding at V, at rest for T in the middle, sliding again
    /// ```
    ///
    /// # Errors
    /// [`MotionError`] for words that are no motion.
    pub fn read(text: &str, duration: f64, step: f64) -> Result<PlannedMotion, MotionError> {
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let known = FORMS.iter().find(|(name, ..)| *name == word);
        let Some(&(_, form, wanted)) = known else {
            return Err(MotionError::Unknown { text: text.to_owned() });
        };
        let parts: Vec<&str> = rest.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let is_list = wanted.is_empty();
        if parts.is_empty() || !is_list && parts.len() != wanted.len() {
            return Err(MotionError::Count { text: text.to_owned(), given: parts.len(), form });
        }
        let wrong = |reason: String| MotionError::Quantity { text: text.to_owned(), reason };
        let mut values = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let unit = if is_list { "m/s" } else { wanted[i] };
            let value = units::parse(part, unit).map_err(|e| wrong(e.to_string()))?;
            if !(value.is_finite() && (value > 0.0 || is_list)) {
                return Err(wrong(format!("{part} is not positive")));
            }
            values.push(value);
        }
        if word == "hold" && values[1] >= duration {
            return Err(wrong(format!("it rests longer than the {duration} s of the motion")));
        }
        let count = (duration / step).round() as usize;
        let at = |t: f64| match (word, values.as_slice()) {
            ("sine", [a, f]) => TAU * f * a * (TAU * f * t).sin(),
            ("chirp", [a, from, to]) => {
                let rise = (to - from) / duration;
                TAU * (from + rise * t) * a * (TAU * (from + rise * t / 2.0) * t).sin()
            }
            ("ramp", [v]) => {
                let phase = 4.0 * t / duration;
                v * if phase <= 1.0 {
                    phase
                } else if phase <= 3.0 {
                    2.0 - phase
                } else {
                    phase - 4.0
                }
            }
            ("hold", [v, rest]) => {
                if (t - duration / 2.0).abs() < rest / 2.0 {
                    0.0
                } else {
                    *v
                }
            }
            (_, list) => {
                let place = (t / duration * list.len() as f64) as usize;
                list[place.min(list.len() - 1)]
            }
        };
        let velocities = (0..=count).map(|i| at(i as f64 * step)).collect();
        Ok(PlannedMotion { name: text.trim().to_owned(), velocities, step })
    }

    /// When the samples are.
    pub fn times(&self) -> Vec<f64> {
        (0..self.velocities.len()).map(|i| i as f64 * self.step).collect()
    }

    /// Where the body is at each sample.
    pub fn positions(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let steps = self.velocities.windows(2).map(|v| {
            sum += (v[0] + v[1]) / 2.0 * self.step;
            sum
        });
        std::iter::once(0.0).chain(steps).collect()
    }

    /// From the one end of the way to the other, and the largest speed.
    pub fn reach(&self) -> [f64; 2] {
        let (low, high) =
            self.positions().iter().fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(*x), h.max(*x)));
        [high - low, self.velocities.iter().fold(0.0, |m: f64, v| m.max(v.abs()))]
    }
}
