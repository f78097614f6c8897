//! Steady points: force against speed, without a time.

use crate::error::FitError;
use crate::experiment::Experiment;
use crate::rig::{Begin, Mount, Rig, RigCourse};
use bristle_core::Choice;
use bristle_law::LawKind;

/// A law in steady sliding at given speeds.
#[derive(Clone, Debug)]
pub struct FitCurve {
    rig: Rig,
    speeds: Vec<f64>,
    count: Vec<f64>,
}

impl FitCurve {
    /// The curve of a law at these speeds. Places of unknowns are those of a [`Rig`] whose motion is prescribed.
    ///
    /// # Errors
    /// [`FitError::Unfit`] for a law that needs a system around it.
    pub fn new(
        law: LawKind,
        numbers: &[f64],
        choices: &[Choice],
        speeds: &[f64],
    ) -> Result<FitCurve, FitError> {
        let mut rig = Rig::new(law, numbers, choices, Mount::Prescribed)?;
        rig.begin = Begin::Steady;
        Ok(FitCurve { rig, speeds: speeds.to_vec(), count: (0..speeds.len()).map(|i| i as f64).collect() })
    }

    /// The numbers of the rig behind it, and the places of unknowns among them.
    pub fn rig(&mut self) -> &mut Rig {
        &mut self.rig
    }
}

impl Experiment for FitCurve {
    fn rows(&self) -> usize {
        self.speeds.len()
    }

    fn times(&self) -> &[f64] {
        &self.count
    }

    fn respond(
        &self,
        values: &[f64],
        _horizon: f64,
        outputs: &mut Vec<f64>,
        mut slopes: Option<&mut Vec<Vec<f64>>>,
    ) -> Result<(), FitError> {
        for &speed in &self.speeds {
            // A moment at that speed is all: it begins in the steady state.
            let mut rig = self.rig.clone().over(&[0.0, 1e-9], 0, 2);
            rig.pull = RigCourse::Level(speed);
            let mut one = Vec::new();
            match slopes.as_deref_mut() {
                None => rig.respond(values, 0.0, &mut one, None)?,
                Some(slopes) => {
                    let mut own = vec![Vec::new(); values.len()];
                    rig.respond(values, 0.0, &mut one, Some(&mut own))?;
                    slopes.iter_mut().zip(own).for_each(|(all, own)| all.extend(own));
                }
            }
            outputs.extend(one);
        }
        Ok(())
    }
}
