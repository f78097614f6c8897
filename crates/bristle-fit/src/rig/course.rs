//! What was measured of the motion and the forces that go in, between the samples.

/// Something prescribed over the samples of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// Straight lines between values: a velocity, a force or a load.
    Lines(Vec<f64>),
    /// A velocity, straight between positions: a step at every sample.
    Positions(Vec<f64>),
    /// A velocity that jumps once; before, after and when are parameters of the rig.
    Jump,
    /// The same all the time.
    Level(f64),
}

/// A course over one interval: value at its begin, slope, and for a velocity where it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    pub at: f64,
    pub slope: f64,
    pub place: f64,
}

/// A course that is read interval by interval.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    course: Course,
    places: Vec<f64>,
}

impl Track {
    pub(crate) fn new(course: &Course, times: &[f64]) -> Track {
        let places = match course {
            Course::Lines(values) => {
                let mut sum = 0.0;
                let steps = times.windows(2).zip(values.windows(2));
                let rest = steps.map(|(t, v)| {
                    sum += (t[1] - t[0]) * (v[0] + v[1]) / 2.0;
                    sum
                });
                std::iter::once(0.0).chain(rest).collect()
            }
            _ => Vec::new(),
        };
        Track { course: course.clone(), places }
    }

    /// The course over the interval from sample `i` to the next.
    pub(crate) fn line(&self, i: usize, times: &[f64]) -> Line {
        let h = times[i + 1] - times[i];
        match &self.course {
            Course::Lines(values) => {
                Line { at: values[i], slope: (values[i + 1] - values[i]) / h, place: self.places[i] }
            }
            Course::Positions(places) => {
                Line { at: (places[i + 1] - places[i]) / h, slope: 0.0, place: places[i] }
            }
            Course::Level(value) => Line { at: *value, slope: 0.0, place: value * times[i] },
            Course::Jump => Line::default(),
        }
    }

    /// Whether it jumps once, at a time that is a parameter.
    pub(crate) fn jumps(&self) -> bool {
        self.course == Course::Jump
    }
}
