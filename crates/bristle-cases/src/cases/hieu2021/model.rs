//! The two friction models of the paper on its belt oscillator.

use crate::cases::Computed;
use bristle_analysis::AnalysisError;
use bristle_analysis::hopf::Hopf;
use bristle_analysis::shooting::Shooting;
use bristle_analysis::steady::SteadyState;
use bristle_scenario::ChangeError;
use bristle_solve::Dynamics;
use bristle_solve::Progress;
use bristle_study::RunError;
use bristle_study::Scenario;
use bristle_study::analysis;
use bristle_study::model::TimeSpan;
use bristle_study::studies::simulate::{Simulation, simulate};

/// One of the two friction models, as a scenario.
#[derive(Clone)]
pub struct HieuModel {
    /// `two` or `lugre`.
    pub id: &'static str,
    /// In words.
    pub name: &'static str,
    /// Path of the viscous friction `c₁`.
    pub viscous: &'static str,
    pub scenario: Scenario,
}

/// Numbers to be compared, by id.
#[derive(Clone, Debug, Default)]
pub struct HieuNumbers(pub Vec<Computed>);

impl HieuNumbers {
    pub fn add(&mut self, id: impl Into<String>, value: f64) {
        self.0.push(Computed { id: id.into(), value });
    }

    /// The number of that id.
    pub fn get(&self, id: &str) -> f64 {
        self.0.iter().find(|c| c.id == id).map_or(f64::NAN, |c| c.value)
    }
}

/// A failed analysis of the case.
pub fn failed(source: AnalysisError) -> RunError {
    RunError::Analysis { study: "hieu2021".to_owned(), source }
}

impl HieuModel {
    /// Both models, the paper's own first.
    pub fn both() -> Result<[HieuModel; 2], RunError> {
        let read = |text: &str, name: &str| Scenario::from_text(text, name, ".".as_ref());
        Ok([
            HieuModel {
                id: "two",
                name: "two-state",
                viscous: "pad.law.c1",
                scenario: read(include_str!("two.toml"), "two.toml")?,
            },
            HieuModel {
                id: "lugre",
                name: "LuGre",
                viscous: "pad.law.sigma2",
                scenario: read(include_str!("lugre.toml"), "lugre.toml")?,
            },
        ])
    }

    /// Index of a parameter.
    pub fn index(&self, path: &str) -> Result<usize, RunError> {
        self.scenario
            .system
            .param(path)
            .ok_or_else(|| ChangeError::NoSuchParameter { path: path.to_owned(), near: None }.into())
    }

    /// Index of the belt's speed.
    pub fn speed(&self) -> Result<usize, RunError> {
        self.index("belt.v")
    }

    /// The parameters at a belt speed, viscous friction and stiffness.
    pub fn at(&self, v_b: f64, c1: f64, k: f64) -> Result<Vec<f64>, RunError> {
        let mut p = self.scenario.system.params().to_vec();
        for (path, value) in [("belt.v", v_b), (self.viscous, c1), ("tie.k", k)] {
            p[self.index(path)?] = value;
        }
        Ok(p)
    }

    /// Steady sliding.
    pub fn steady(&self, v_b: f64, c1: f64, k: f64) -> Result<SteadyState, RunError> {
        analysis::steady(&self.scenario.system, &self.at(v_b, c1, k)?).map_err(failed)
    }

    /// The onset nearest to a belt speed.
    pub fn onset(&self, v_b: f64, c1: f64, k: f64) -> Result<Hopf, RunError> {
        analysis::hopf_near(&self.scenario.system, &self.at(v_b, c1, k)?, self.speed()?).map_err(failed)
    }

    /// The onset at high speed, from the zero slope of the steady friction curve.
    pub fn boundary(&self, c1: f64, k: f64) -> Result<Hopf, RunError> {
        self.onset((10.0 / c1).ln(), c1, k)
    }

    /// The coefficients of eq. (25), made dimensionless: `b̄₀ …`.
    pub fn bars(&self, v_b: f64, c1: f64, k: f64) -> Result<Vec<f64>, RunError> {
        let steady = self.steady(v_b, c1, k)?;
        let b = steady.polynomial();
        // σ₀/(α c₀) = 4000 1/s and k/m.
        let s = 4000.0;
        Ok(vec![b[0] / (k * k), b[1] / (k * s), b[2] / k, b[3] / s])
    }

    /// `ζ₂, ζ₃, ζ₄` of eq. (28) and `ζ̄₄` of eq. (37).
    pub fn zetas(&self, v_b: f64, c1: f64, k: f64) -> Result<[f64; 4], RunError> {
        let b = self.bars(v_b, c1, k)?;
        let bar = b[1] * b[2] * b[3] - b[0] * b[3] * b[3] - b[1] * b[1];
        Ok([b[3], b[2] - b[1] / b[3], bar / (b[2] * b[3] - b[1]), bar])
    }

    /// Runs the block from `x`, `ẋ` with virgin bristles.
    pub fn run(
        &self,
        v_b: f64,
        start: [f64; 2],
        duration: f64,
        step: f64,
        progress: &mut dyn Progress,
    ) -> Result<Simulation, RunError> {
        let changes = [("belt.v", v_b), ("block.q", start[0]), ("block.v", start[1])];
        let scenario = self.scenario.with(&changes)?;
        let span = TimeSpan { study: "hieu2021", duration, step };
        simulate(&scenario.system, &scenario.solver, &span, progress)
    }

    /// The return map at a belt speed, and a state carried along by the belt.
    pub fn returns(
        &self,
        v_b: f64,
        shooting: Shooting,
    ) -> Result<(analysis::Returns<'_>, Vec<f64>), RunError> {
        let system = &self.scenario.system;
        let p = self.at(v_b, 0.5, 100.0)?;
        let mut start = analysis::steady(system, &p).map_err(failed)?.x;
        let v = (0..system.dim()).find(|&i| system.state_name(i) == "block.v").unwrap_or(1);
        start[v] = v_b;
        let section = analysis::section(system).ok_or_else(|| failed(AnalysisError::Tangent))?;
        Ok((analysis::returns(system, &p, &start, section, shooting).map_err(failed)?, start))
    }
}
