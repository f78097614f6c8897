//! What was measured of the motion and the forces that go in, between the samples.

/// Something prescribed over the samples of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum RigCourse {
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
pub(crate) struct CourseLine {
    pub at: f64,
    pub slope: f64,
    pub place: f64,
}

/// A course that is read interval by interval.
#[derive(Clone, Debug)]
pub(crate) struct CourseTrack {
    course: RigCourse,
    places: Vec<f64>,
}

impl CourseTrack {
    pub(crate) fn new(course: &RigCourse, times: &[f64]) -> CourseTrack {
        let places = match course {
            RigCourse::Lines(values) => {
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
        CourseTrack { course: course.clone(), places }
    }

    /// The course over the interval from sample `i` to the next.
    pub(crate) fn line(&self, i: usize, times: &[f64]) -> CourseLine {
        let h = times[i + 1] - times[i];
        match &self.course {
            RigCourse::Lines(values) => {
                CourseLine { at: values[i], slope: (values[i + 1] - values[i]) / h, place: self.places[i] }
            }
            RigCourse::Positions(places) => {
                CourseLine { at: (places[i + 1] - places[i]) / h, slope: 0.0, place: places[i] }
            }
            RigCourse::Level(value) => CourseLine { at: *value, slope: 0.0, place: value * times[i] },
            RigCourse::Jump => CourseLine::default(),
        }
    }

    /// Whether it jumps once, at a time that is a parameter.
    pub(crate) fn jumps(&self) -> bool {
        self.course == RigCourse::Jump
    }
}
