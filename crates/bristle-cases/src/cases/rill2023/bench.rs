//! The virtual test bench: a load rises smoothly on a block that friction holds.

use super::ComparedLaw;
use crate::cases::Computed;
use crate::cases::reading::{Find, Instant, Readings, Seek, read_off};
use bristle_scenario::ChangeError;
use bristle_solve::Progress;
use bristle_solve::{Dynamics, Integrator};
use bristle_study::RunError;
use bristle_study::Scenario;
use std::path::Path;

/// The scenario a user may edit.
const SCENARIO: &str = include_str!("../../../../../examples/bench.toml");

/// The damping with which both printed peaks of the hybrid model come out.
const FITTED_DAMPING: f64 = 3178.0;

/// The bench with its parameters.
pub(super) struct PaperBench {
    base: Scenario,
    /// Static and kinetic friction force.
    pub(super) f_s: f64,
    pub(super) f_d: f64,
    /// Of the static curve.
    pub(super) v_s: f64,
    pub(super) v_d: f64,
    sigma0: f64,
    sigma1: f64,
    mass: f64,
}

/// A load that rises to `share` of the static force within `rise` seconds.
#[derive(Clone, Copy)]
pub(super) struct Push {
    pub(super) share: f64,
    pub(super) rise: f64,
}

/// The long hold of figures 3 and 4, the break-away of figure 5, the steps of figure 6.
pub(super) const HOLD: Push = Push { share: 0.99, rise: 30.0 };
pub(super) const BREAK_AWAY: Push = Push { share: 1.05, rise: 10.0 };
pub(super) const STEPS: [Push; 4] = [
    Push { share: 0.95, rise: 0.1 },
    Push { share: 0.95, rise: 0.01 },
    Push { share: 0.95, rise: 0.001 },
    Push { share: 0.95, rise: 0.0001 },
];

impl PaperBench {
    pub(super) fn new() -> Result<PaperBench, RunError> {
        let base = Scenario::from_text(SCENARIO, "bench.toml", Path::new("."))?;
        let number = |path: &str| {
            let missing = || ChangeError::NoSuchParameter { path: path.to_owned(), near: None };
            base.system.param(path).map(|place| base.system.params()[place]).ok_or_else(missing)
        };
        let mass = number("block.mass")?;
        let weight = mass * number("weight.g")?;
        Ok(PaperBench {
            f_s: weight * number("pad.law.mu_s")?,
            f_d: weight * number("pad.law.mu_d")?,
            v_s: number("pad.law.v_s")?,
            v_d: number("pad.law.v_d")?,
            sigma0: number("pad.law.sigma0")?,
            sigma1: number("pad.law.sigma1")?,
            mass,
            base,
        })
    }

    /// The bench under a law and a load.
    pub(super) fn under(&self, law: ComparedLaw, push: Push) -> Result<Scenario, RunError> {
        let other = self.base.with_law(law.kind())?;
        other.with(&[("push.signal.to", push.share * self.f_s), ("push.signal.duration", push.rise)])
    }

    /// The load at a time: the cubic step.
    pub(super) fn load(&self, push: Push, t: f64) -> f64 {
        let q = (t / push.rise).clamp(0.0, 1.0);
        push.share * self.f_s * q * q * (3.0 - 2.0 * q)
    }

    /// When the load reaches the static force, by halving.
    pub(super) fn break_away(&self, push: Push) -> f64 {
        let (mut a, mut b) = (0.0, push.rise);
        for _ in 0..80 {
            let middle = 0.5 * (a + b);
            if self.load(push, middle) < self.f_s { a = middle } else { b = middle }
        }
        b
    }

    /// The static curve shifted so that it starts from the static force at rest.
    pub(super) fn shifted(&self, v: f64) -> f64 {
        let q = (v / (self.v_d - self.v_s)).clamp(0.0, 1.0);
        self.f_s - (self.f_s - self.f_d) * q * q * (3.0 - 2.0 * q)
    }

    /// The argument `w` of the curve in FrDyn2.
    fn argument(&self, at: &Instant) -> f64 {
        let (v, z, zdot) = (at.get("block.v"), at.get("pad.z"), at.get("pad.zdot"));
        let used = (self.sigma0 * z + self.sigma1 * v) / self.f_s;
        v - zdot + used.signum() * self.v_s * (1.0 - (1.0 - used.abs()).max(0.0).sqrt())
    }

    /// The displacement, force and all else at the end of a run, at a rest that needs no fine sampling.
    fn read(
        &self,
        law: ComparedLaw,
        push: Push,
        duration: f64,
        questions: &[Find],
        progress: &mut dyn Progress,
    ) -> Result<Readings, RunError> {
        read_off(&self.under(law, push)?, duration, questions, progress)
    }

    /// Every number of the bench.
    pub(super) fn compute(&self, progress: &mut dyn Progress) -> Result<Vec<Computed>, RunError> {
        let mut cells = Cells(Vec::new());
        self.hold(&mut cells, progress)?;
        self.slow_load(&mut cells, progress)?;
        self.steps(&mut cells, progress)?;
        self.simpack(&mut cells, progress)?;
        self.adams(&mut cells, progress)?;
        Ok(cells.0)
    }

    /// Figures 3 and 4.
    fn hold(&self, cells: &mut Cells, progress: &mut dyn Progress) -> Result<(), RunError> {
        progress.begin("long hold");
        let u = |at: &Instant| at.get("block.q");
        let questions = [Find::at(300.0, u), Find::at(300.0, |at| at.get("pad.z")), Find::at(50.0, u)];
        let run = self.read(ComparedLaw::FrDyn2, HOLD, 300.0, &questions, progress)?;
        cells.push("fig3.u_300", run.first(0).value);
        cells.push("fig3.z_300", run.first(1).value);
        cells.push("fig3.creep", run.first(0).value - run.first(2).value);
        let questions = [Find::at(300.0, |at| at.get("block.v")), Find::at(300.0, u)];
        let run = self.read(ComparedLaw::Regularised, HOLD, 300.0, &questions, progress)?;
        cells.push("fig4.velocity", run.first(0).value);
        cells.push("fig4.u_300", run.first(1).value);
        Ok(())
    }

    /// Figure 5.
    fn slow_load(&self, cells: &mut Cells, progress: &mut dyn Progress) -> Result<(), RunError> {
        progress.begin("break-away");
        let t_b = self.break_away(BREAK_AWAY);
        let force = |at: &Instant| at.get("pad.force");
        let middle = 0.5 * (self.f_s + self.f_d);
        let questions = [
            Find::new(Seek::Largest, |at| (self.load(BREAK_AWAY, at.t) - force(at)) / self.mass),
            Find::new(Seek::Largest, |at| at.get("pad.z")),
            Find::new(Seek::Falls(middle), force),
            Find::new(Seek::Rises(self.v_d), |at| self.argument(at)),
            Find::new(Seek::Largest, |at| (force(at) - self.shifted(at.get("block.v"))).abs())
                .within(t_b, 11.0),
        ];
        let run = self.read(ComparedLaw::FrDyn2, BREAK_AWAY, 11.0, &questions, progress)?;
        cells.push("fig5.break_away", t_b);
        cells.push("fig5.a_max", run.first(0).value);
        cells.push("fig5.x_R", run.first(1).value);
        cells.push("fig5.drop", run.first(2).t);
        cells.push("fig5.delay", run.first(2).t - t_b);
        cells.push("fig5.full_sliding", run.first(3).t);
        cells.push("fig5.gap", run.first(4).value);
        let run = self.read(ComparedLaw::Simpack, BREAK_AWAY, 9.0, &[], progress)?;
        let slip = run.events.first().map_or(f64::NAN, |event| event.t);
        cells.push("simpack.break_away", slip);
        cells.push("simpack.lag", slip - t_b);
        let questions = [Find::at(8.78, force), Find::new(Seek::Largest, |at| at.get("pad.x"))];
        let run = self.read(ComparedLaw::Adams, BREAK_AWAY, 9.0, &questions, progress)?;
        cells.push("adams.late", run.first(0).value);
        cells.push("adams.saturation", run.first(1).value);
        Ok(())
    }

    /// Figure 6: four rises to 95 % of the static force.
    fn steps(&self, cells: &mut Cells, progress: &mut dyn Progress) -> Result<(), RunError> {
        progress.begin("load steps");
        let u = |at: &Instant| at.get("block.q");
        for (push, letter) in STEPS.into_iter().zip(["a", "b", "c", "d"]) {
            let rest = push.rise + 0.1;
            let questions = [
                Find::new(Seek::Largest, |at| at.get("pad.force")),
                Find::at(rest, u),
                Find::at(0.01132825, u),
            ];
            let run = self.read(ComparedLaw::FrDyn2, push, rest, &questions, progress)?;
            cells.push(format!("fig6{letter}.force"), run.first(0).value);
            cells.push(format!("fig6{letter}.u_rest"), run.first(1).value);
            if letter == "c" {
                cells.push("fig6c.u_T", run.first(2).value);
            }
        }
        cells.push("eigen_period", 2.0 * std::f64::consts::PI * (self.mass / self.sigma0).sqrt());
        Ok(())
    }

    /// The hybrid model on the two fast steps, with the damping as printed and as fitted.
    fn simpack(&self, cells: &mut Cells, progress: &mut dyn Progress) -> Result<(), RunError> {
        progress.begin("hybrid model");
        for (push, rise) in [(STEPS[2], "1ms"), (STEPS[3], "0.1ms")] {
            for (name, damping) in [("force", self.sigma1), ("fitted", FITTED_DAMPING)] {
                let scenario =
                    self.under(ComparedLaw::Simpack, push)?.with(&[("pad.law.sigma1", damping)])?;
                let questions = [
                    Find::new(Seek::Largest, |at| at.get("pad.force")),
                    Find::new(Seek::Largest, |at| at.get("block.q")),
                    Find::new(Seek::Largest, |at| self.sigma0 * at.get("pad.z")),
                ];
                let run = read_off(&scenario, 0.02, &questions, progress)?;
                cells.push(format!("simpack.{name}_{rise}"), run.first(0).value);
                match (name, rise) {
                    ("force", "1ms") => cells.push("simpack.u_max", run.first(1).value),
                    ("fitted", "1ms") => cells.push("simpack.fitted_u_max", run.first(1).value),
                    _ => {}
                }
                if name == "force" {
                    cells.push(format!("simpack.spring_{rise}"), run.first(2).value);
                }
            }
        }
        Ok(())
    }

    /// The reconstructed joint friction: quasi-static displacement, overshoot and slow return.
    fn adams(&self, cells: &mut Cells, progress: &mut dyn Progress) -> Result<(), RunError> {
        progress.begin("joint friction model");
        let u = |at: &Instant| at.get("block.q");
        let slow = self.read(ComparedLaw::Adams, STEPS[0], 0.4, &[Find::at(0.4, u)], progress)?;
        let x_rest = slow.first(0).value;
        let questions = [
            Find::at(0.4, u),
            Find::new(Seek::Largest, u),
            Find::new(Seek::Largest, |at| at.get("pad.force")),
        ];
        let run = self.read(ComparedLaw::Adams, STEPS[2], 0.4, &questions, progress)?;
        let (rest, top) = (run.first(0).value, run.first(1));
        cells.push("adams.x_095", x_rest);
        cells.push("adams.u_rest", rest);
        cells.push("adams.offset", rest - x_rest);
        cells.push("adams.u_max", top.value);
        cells.push("adams.t_u_max", top.t);
        cells.push("adams.force", run.first(2).value);
        let left =
            |share: f64| Find::new(Seek::Falls(rest + share * (top.value - rest)), u).within(top.t, 0.4);
        let run =
            self.read(ComparedLaw::Adams, STEPS[2], 0.4, &[left(0.05), left(0.02), left(0.01)], progress)?;
        for (k, name) in ["adams.decay_5", "adams.decay_2", "adams.decay_1"].into_iter().enumerate() {
            cells.push(name, run.first(k).t);
        }
        Ok(())
    }

    /// The hold continued: displacement gained between 50 s and `duration`, and the steps it took.
    pub(super) fn longer_hold(&self, duration: f64) -> Result<(f64, usize), RunError> {
        let scenario = self.under(ComparedLaw::FrDyn2, HOLD)?;
        let (system, p) = (&scenario.system, scenario.system.params());
        let failed = |source| RunError::Solve { study: "hold".to_owned(), source };
        let mut integrator = Integrator::new(system, p, &scenario.solver).map_err(failed)?;
        integrator.reset(&system.initial(p)).map_err(failed)?;
        let place = (0..system.dim()).find(|&i| system.state_name(i) == "block.q").unwrap_or(0);
        integrator.advance(50.0, &mut ()).map_err(failed)?;
        let early = integrator.state().x[place];
        integrator.advance(duration, &mut ()).map_err(failed)?;
        Ok((integrator.state().x[place] - early, integrator.statistics().steps))
    }
}

/// Numbers with their ids.
struct Cells(Vec<Computed>);

impl Cells {
    fn push(&mut self, id: impl Into<String>, value: f64) {
        self.0.push(Computed { id: id.into(), value });
    }
}
