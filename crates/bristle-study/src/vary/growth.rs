//! How fast disturbances of steady motion grow.

use crate::analysis;
use crate::error::RunError;
use crate::scenario::Scenario;
use crate::studies::subject::View;
use bristle_analysis::AnalysisError;
use bristle_solve::{Cancel, Dynamics};

/// Points at which a range is looked at before its largest growth is narrowed down, and steps of that.
const POINTS: usize = 48;
const STEPS: usize = 40;

/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// Steady motion of a scenario, seen from a frame that moves along.
pub(crate) struct Growth<'a> {
    scenario: &'a Scenario,
    view: View<'a>,
}

impl<'a> Growth<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        Growth { scenario, view: View::of(scenario) }
    }

    /// The largest real part of the eigenvalues with these parameters changed; the largest over a range of another parameter
    /// where one is given.
    pub fn at(
        &self,
        paths: &[&str],
        point: &[f64],
        over: Option<&(String, [f64; 2])>,
    ) -> Result<f64, RunError> {
        let system = self.view.system();
        let fail = |source| RunError::Analysis { study: "growth".to_owned(), source };
        let mut p = system.params().to_vec();
        if system.depends_on_time(&p) {
            return Err(RunError::DependsOnTime { study: "growth".to_owned() });
        }
        let place = |path: &str| {
            let found = analysis::place(self.scenario, path).map(|place| place.index);
            found.ok_or_else(|| bristle_scenario::ChangeError::NoSuchParameter {
                path: path.to_owned(),
                near: None,
            })
        };
        for (path, value) in paths.iter().zip(point) {
            p[place(path)?] = *value;
        }
        if let Some(source) = system.fault(&p) {
            return Err(RunError::Parameters { source });
        }
        let mut at = |value: Option<(usize, f64)>| {
            if let Some((place, value)) = value {
                p[place] = value;
            }
            let found = analysis::steady(system, &p)?;
            found.eigen.first().map(|e| e.value.re).ok_or(AnalysisError::Singular)
        };
        let Some((path, [from, to])) = over else { return at(None).map_err(fail) };
        let other = place(path)?;
        let mut value = |s: f64| at(Some((other, from + (to - from) * s)));
        let mut best: Option<(f64, f64)> = None;
        let mut error = None;
        for i in 0..=POINTS {
            Cancel::check().map_err(|_| RunError::Stopped)?;
            let s = i as f64 / POINTS as f64;
            match value(s) {
                Ok(growth) if best.is_none_or(|(_, other)| growth > other) => best = Some((s, growth)),
                Ok(_) => {}
                Err(source) => error = Some(source),
            }
        }
        let Some((centre, largest)) = best else {
            return Err(fail(error.unwrap_or(AnalysisError::Singular)));
        };
        let width = 1.0 / POINTS as f64;
        let (mut low, mut high) = ((centre - width).max(0.0), (centre + width).min(1.0));
        let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let mut found = [value(inner[0]).map_err(fail)?, value(inner[1]).map_err(fail)?];
        for _ in 0..STEPS {
            if found[0] > found[1] {
                high = inner[1];
                inner = [high - GOLDEN * (high - low), inner[0]];
                found = [value(inner[0]).map_err(fail)?, found[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + GOLDEN * (high - low)];
                found = [found[1], value(inner[1]).map_err(fail)?];
            }
            if high - low < 1e-7 {
                break;
            }
        }
        Ok(largest.max(found[0]).max(found[1]))
    }
}
