//! Where a mechanism would rest if nothing rubbed: the start of a run that begins in equilibrium.

use crate::error::RunError;
use crate::scenario::{Scenario, Study};
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Point};
use nalgebra::{DMatrix, DVector};

/// Accelerations below this, relative to those the forces would give if they did not balance, are none.
const BALANCED: f64 = 1e-10;

/// Steps of Newton's method before it is given up.
const STEPS: usize = 60;

/// The mechanism of a scenario with all bodies at rest where springs, weights and forces balance at time zero, friction left out.
///
/// # Errors
/// [`RunError::NoEquilibrium`] where nothing holds a body, or where it would have to lie beyond a hard stop.
pub(crate) fn settled(scenario: &Scenario, study: &Study) -> Result<System, RunError> {
    let fail = |reason: String| RunError::NoEquilibrium { study: study.name.clone(), reason };
    if scenario.system.has_ropes() {
        return Err(fail(
            "cables start at rest by themselves, and bodies beside them where they are said to be".to_owned(),
        ));
    }
    let smooth = System::assemble(&without_friction(&scenario.parts))
        .map_err(|e| fail(format!("without friction there is no mechanism: {e}")))?;
    let mut search = RestSearch::new(&smooth);
    search.run().map_err(fail)?;
    let mut system = scenario.system.clone();
    for (path, value) in &search.starts {
        system.set_param(path, *value);
    }
    match passed_stop(&scenario.parts, &search.starts) {
        Some(stop) => Err(fail(format!(
            "a body would have to lie beyond the hard stop `{stop}`; give its start instead"
        ))),
        None => Ok(system),
    }
}

/// The parts without those that rub, bear one way or lose power in teeth.
fn without_friction(parts: &[(String, Spec)]) -> Vec<(String, Spec)> {
    let left_out =
        [PartKind::HardStop, PartKind::RotaryHardStop, PartKind::Freewheel].map(|kind| kind.card().name);
    let gear = PartKind::Gear.card();
    let kept = parts
        .iter()
        .filter(|(_, spec)| spec.table("law").is_none() && !left_out.contains(&spec.kind.as_str()));
    kept.map(|(name, spec)| {
        let mut spec = spec.clone();
        if spec.kind == gear.name {
            spec.lists.clear();
            spec.tables.clear();
            let losses = [
                ("efficiency", 1.0),
                ("back_efficiency", f64::NAN),
                ("bearing", 0.0),
                ("back_bearing", f64::NAN),
            ];
            spec = losses.into_iter().fold(spec, |spec, (field, value)| spec.with(&gear, field, value));
        }
        (name.clone(), spec)
    })
    .collect()
}

/// The hard stop beyond which a body lies, if there is one.
fn passed_stop<'a>(parts: &'a [(String, Spec)], starts: &[(String, f64)]) -> Option<&'a str> {
    let place = |body: &str| {
        let own =
            starts.iter().find(|(path, _)| ["q", "angle"].iter().any(|q| *path == format!("{body}.{q}")));
        let anchor = || {
            parts.iter().find(|(name, _)| name == body).and_then(|(_, spec)| spec.numbers.first().copied())
        };
        own.map(|(_, q)| *q).or_else(anchor).unwrap_or(0.0)
    };
    let kinds = [PartKind::HardStop, PartKind::RotaryHardStop].map(|kind| kind.card().name);
    let mut stops = parts.iter().filter(|(_, spec)| kinds.contains(&spec.kind.as_str()));
    let is_passed = |spec: &Spec| match spec.named("between") {
        [a, b] => place(a) - place(b) > spec.numbers[0] + 1e-12,
        _ => false,
    };
    stops.find(|(_, spec)| is_passed(spec)).map(|(name, _)| name.as_str())
}

/// Newton's method for the positions.
struct RestSearch<'a> {
    system: &'a System,
    p: Vec<f64>,
    /// Places of positions and velocities that are free, with the names of their bodies.
    free: Vec<([usize; 2], String)>,
    /// Typical sizes of the states.
    scales: Vec<f64>,
    /// Where bodies start, by the path of the number.
    starts: Vec<(String, f64)>,
}

impl<'a> RestSearch<'a> {
    fn new(system: &'a System) -> Self {
        let p = system.params().to_vec();
        let free = system.free_motions().into_iter().map(|motion| (motion.states, motion.body)).collect();
        let mut scales = vec![1.0; system.dim()];
        system.scales(&p, &mut scales);
        RestSearch { system, p, free, scales, starts: Vec::new() }
    }

    /// Puts the free coordinates where they are said to be, at rest, and others where they follow to; gives all accelerations.
    fn put(&mut self, q: &DVector<f64>) -> DVector<f64> {
        let system = self.system;
        let mut at = system.initial(system.params());
        for (value, ([place, rate], _)) in q.iter().zip(&self.free) {
            at.x[*place] = *value;
            at.x[*rate] = 0.0;
        }
        let seen = system.observe(&Point { t: 0.0, x: &at.x, p: system.params(), mode: &at.mode });
        self.starts.clear();
        for (channel, value) in system.channels().into_iter().zip(seen) {
            let Some((_, quantity)) = channel.name.rsplit_once('.') else { continue };
            let value = match quantity {
                "q" | "x" | "y" | "angle" => value,
                "v" | "vx" | "vy" | "speed" => 0.0,
                _ => continue,
            };
            let is_free = system.param(&channel.name).is_some() && self.is_moved(&channel.name);
            if is_free {
                self.starts.push((channel.name, value));
            }
        }
        for (path, value) in &self.starts {
            if let Some(place) = system.param(path) {
                self.p[place] = *value;
            }
        }
        // Stops, ropes and play push where they touch here, not where bodies were said to be.
        let mut at = system.initial(&self.p);
        system.start(&self.p, &mut at);
        let mut rates = vec![0.0; system.dim()];
        system.rates(Point { t: 0.0, x: &at.x, p: &self.p, mode: &at.mode }, &mut rates);
        DVector::from_iterator(self.free.len(), self.free.iter().map(|([_, v], _)| rates[*v]))
    }

    /// Whether a number is the start of a body that forces move, and not of a drive or an anchor.
    fn is_moved(&self, path: &str) -> bool {
        let body = path.rsplit_once('.').map_or("", |(body, _)| body);
        ["mass", "inertia"].iter().any(|inertia| self.system.param(&format!("{body}.{inertia}")).is_some())
    }

    fn start(&self) -> DVector<f64> {
        let x = self.system.initial(self.system.params()).x;
        DVector::from_iterator(self.free.len(), self.free.iter().map(|([q, _], _)| x[*q]))
    }

    /// How accelerations change with positions.
    fn slopes(&mut self, q: &DVector<f64>) -> DMatrix<f64> {
        let n = self.free.len();
        let mut slopes = DMatrix::zeros(n, n);
        for j in 0..n {
            let h = 1e-6 * self.scales[self.free[j].0[0]].max(1e-6 * q[j].abs());
            let [ahead, behind] = [h, -h].map(|h| {
                let mut moved = q.clone();
                moved[j] += h;
                self.put(&moved)
            });
            slopes.set_column(j, &((ahead - behind) / (2.0 * h)));
        }
        slopes
    }

    fn run(&mut self) -> Result<(), String> {
        let mut q = self.start();
        let mut a = self.put(&q);
        let mut size = a.amax();
        for _ in 0..STEPS {
            let slopes = self.slopes(&q);
            size = size.max(slopes.amax() * q.amax());
            if a.amax() <= BALANCED * size || a.amax() == 0.0 {
                self.put(&q);
                return Ok(());
            }
            // Bodies that nothing holds in place stay where they are, as far as nothing pushes them.
            let step = slopes
                .svd(true, true)
                .solve(&-&a, 1e-9 * size.max(1e-300) / q.amax().max(1.0))
                .map_err(str::to_owned)?;
            let (mut length, before) = (1.0, a.norm());
            loop {
                let next = &q + &step * length;
                a = self.put(&next);
                if a.norm() < before || length < 1e-3 {
                    q = next;
                    break;
                }
                length *= 0.5;
            }
        }
        let worst = a.iamax();
        Err(format!(
            "nothing but friction could hold `{}`: it is accelerated by {:.3e} m/s^2 or rad/s^2; hold it by a spring, or leave \
             `start` out",
            self.free[worst].1, a[worst]
        ))
    }
}
