//! Mechanisms written in Rust: parts with handles instead of names in a file.
//!
//! ```
//! use bristle_law::laws::Coulomb;
//! use bristle_mech::mechanism::{GROUND, Mechanism, default};
//! use bristle_mech::parts::{Contact, Mass};
//!
//! let mut m = Mechanism::new();
//! let block = m.mass("block", Mass { mass: 1.0, v: 1.0, ..default() });
//! let law = Coulomb { mu_s: 0.5, mu_d: 0.5 };
//! let floor = m.contact("floor", [block, GROUND], Contact { load: 10.0, ..default() }, law);
//! let run = m.build().unwrap().simulate(1.0).unwrap();
//! assert!((run.last(block.position()) - 0.1).abs() < 1e-9);
//! assert!((run.last(floor.loss()) - 0.5).abs() < 1e-9);
//! ```

use crate::error::MechError;
use crate::live::{LiveError, LiveRun};
use crate::parts::{
    Anchor, Contact, Damper, Drive, Force, Gravity, Mass, PartKind, PlanarMass, RotaryDrive, Rotor, Segment,
    Spring, Torque, TorsionDamper, TorsionSpring, Trolley,
};
use crate::signals::{Shape, SignalKind};
use crate::spec::Spec;
use crate::system::System;
use bristle_core::Params;
use bristle_law::{Law, LawKind};
use bristle_solve::{Dynamics, Observer, Output, SolveError, Solver, Trajectory};

/// The defaults of a law, a part or a signal: `Mass { mass: 2.0, ..default() }`.
pub fn default<T: Default>() -> T {
    T::default()
}

/// A body of a [`Mechanism`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyHandle(usize);

/// What does not move.
pub const GROUND: BodyHandle = BodyHandle(usize::MAX);

/// A contact of a [`Mechanism`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactHandle(usize);

/// One output of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    part: usize,
    name: &'static str,
}

impl BodyHandle {
    /// Any of its outputs, such as `x` and `vy` in the plane.
    pub fn output(self, name: &'static str) -> Quantity {
        Quantity { part: self.0, name }
    }

    /// Its position, m.
    pub fn position(self) -> Quantity {
        self.output("q")
    }

    /// Its velocity, m/s.
    pub fn velocity(self) -> Quantity {
        self.output("v")
    }

    /// Its angle, rad, if it turns.
    pub fn angle(self) -> Quantity {
        self.output("angle")
    }

    /// Its angular velocity, rad/s, if it turns.
    pub fn speed(self) -> Quantity {
        self.output("speed")
    }
}

impl ContactHandle {
    /// Any of its outputs, such as the states of its law.
    pub fn output(self, name: &'static str) -> Quantity {
        Quantity { part: self.0, name }
    }

    /// The friction force, N.
    pub fn force(self) -> Quantity {
        self.output("force")
    }

    /// The friction torque between rotors, N m.
    pub fn torque(self) -> Quantity {
        self.output("torque")
    }

    /// The slip, m.
    pub fn slip(self) -> Quantity {
        self.output("slip")
    }

    /// The slip rate, m/s.
    pub fn slip_rate(self) -> Quantity {
        self.output("slip_rate")
    }

    /// The energy lost so far, J.
    pub fn loss(self) -> Quantity {
        self.output("loss")
    }
}

/// A mechanism in the making.
#[derive(Clone, Debug, Default)]
pub struct Mechanism {
    parts: Vec<(String, Spec)>,
}

impl Mechanism {
    /// One without parts.
    pub fn new() -> Self {
        Mechanism::default()
    }

    /// A body on a line.
    pub fn mass(&mut self, name: &str, mass: Mass<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&mass))
    }

    /// A body in the plane.
    pub fn planar_mass(&mut self, name: &str, mass: PlanarMass<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&mass))
    }

    /// A body on a rail.
    pub fn trolley(&mut self, name: &str, trolley: Trolley<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&trolley))
    }

    /// A point that stays where it is.
    pub fn anchor(&mut self, name: &str, anchor: Anchor<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&anchor))
    }

    /// A body that moves at a given velocity.
    pub fn drive(&mut self, name: &str, drive: Drive<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&drive))
    }

    /// A body whose velocity follows a signal.
    pub fn driven(&mut self, name: &str, drive: Drive<f64>, velocity: impl Shape<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&drive).holding("velocity", Spec::describing(&velocity)))
    }

    /// A body that turns.
    pub fn rotor(&mut self, name: &str, rotor: Rotor<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&rotor))
    }

    /// A shaft that turns at a given angular velocity.
    pub fn rotary_drive(&mut self, name: &str, drive: RotaryDrive<f64>) -> BodyHandle {
        self.body(name, Spec::describing(&drive))
    }

    /// A torsion spring between two rotors.
    pub fn torsion_spring(&mut self, name: &str, between: [BodyHandle; 2], spring: TorsionSpring<f64>) {
        let spec = Spec::describing(&spring);
        self.link(name, between, spec);
    }

    /// A torsion damper between two rotors.
    pub fn torsion_damper(&mut self, name: &str, between: [BodyHandle; 2], damper: TorsionDamper<f64>) {
        let spec = Spec::describing(&damper);
        self.link(name, between, spec);
    }

    /// A constant torque on a rotor.
    pub fn torque(&mut self, name: &str, on: BodyHandle, torque: Torque<f64>) {
        let spec = Spec::describing(&torque).naming("on", &[self.name(on)]);
        self.part(name, spec);
    }

    /// A spring between two bodies.
    pub fn spring(&mut self, name: &str, between: [BodyHandle; 2], spring: Spring<f64>) {
        let spec = Spec::describing(&spring);
        self.link(name, between, spec);
    }

    /// A damper between two bodies.
    pub fn damper(&mut self, name: &str, between: [BodyHandle; 2], damper: Damper<f64>) {
        let spec = Spec::describing(&damper);
        self.link(name, between, spec);
    }

    /// A piece of cable between two bodies.
    pub fn segment(&mut self, name: &str, between: [BodyHandle; 2], segment: Segment<f64>) {
        let spec = Spec::describing(&segment);
        self.link(name, between, spec);
    }

    /// Weight.
    pub fn gravity(&mut self, gravity: Gravity<f64>) {
        self.part("gravity", Spec::describing(&gravity));
    }

    /// A constant force on a body.
    pub fn force(&mut self, name: &str, on: BodyHandle, force: Force<f64>) {
        let spec = Spec::describing(&force).naming("on", &[self.name(on)]);
        self.part(name, spec);
    }

    /// A force that follows a signal.
    pub fn push(&mut self, name: &str, on: BodyHandle, force: impl Shape<f64>) {
        let spec = Spec::describing(&Force::default()).naming("on", &[self.name(on)]);
        self.part(name, spec.holding("signal", Spec::describing(&force)));
    }

    /// Friction between a body and its counter-surface, under a law of the catalogue.
    pub fn contact<L: Law<f64> + Params<f64>>(
        &mut self,
        name: &str,
        between: [BodyHandle; 2],
        contact: Contact<f64>,
        law: L,
    ) -> ContactHandle {
        let spec = Spec::describing(&contact).holding("law", Spec::describing(&law));
        ContactHandle(self.link(name, between, spec))
    }

    /// Any part of the catalogue.
    pub fn part(&mut self, name: &str, spec: Spec) {
        self.add(name, spec);
    }

    fn add(&mut self, name: &str, spec: Spec) -> usize {
        self.parts.push((name.to_owned(), spec));
        self.parts.len() - 1
    }

    fn body(&mut self, name: &str, spec: Spec) -> BodyHandle {
        BodyHandle(self.add(name, spec))
    }

    fn link(&mut self, name: &str, between: [BodyHandle; 2], spec: Spec) -> usize {
        let [a, b] = between.map(|body| self.name(body));
        let spec = spec.naming("between", &[a, b]);
        self.add(name, spec)
    }

    fn name(&self, body: BodyHandle) -> &str {
        self.parts.get(body.0).map_or("ground", |(name, _)| name)
    }

    /// Puts the parts together for a run by the caller's clock, at the default tolerances.
    ///
    /// # Errors
    /// What is wrong with the first part that cannot be used.
    pub fn live(&self) -> Result<LiveRun, LiveError> {
        self.check()?;
        LiveRun::new(&self.parts, &Solver::default())
    }

    /// Puts the parts together.
    ///
    /// # Errors
    /// What is wrong with the first part that cannot be used.
    pub fn build(&self) -> Result<Machine, MechError> {
        self.check()?;
        let names = self.parts.iter().map(|(name, _)| name.clone()).collect();
        Ok(Machine { system: System::assemble(&self.parts)?, names, solver: Solver::default() })
    }

    /// Every number within its range.
    fn check(&self) -> Result<(), MechError> {
        let card = |kind: &str| {
            let part = PartKind::named(kind).map(PartKind::card);
            part.or_else(|| LawKind::named(kind).map(LawKind::card))
                .or_else(|| SignalKind::named(kind).map(SignalKind::card))
        };
        for (name, spec) in &self.parts {
            if let Some((field, value, range)) = spec.out_of_range(&card) {
                return Err(MechError::Range { part: name.clone(), field, value, range });
            }
        }
        Ok(())
    }
}

/// A mechanism that can be moved.
#[derive(Clone, Debug)]
pub struct Machine {
    system: System,
    names: Vec<String>,
    /// Method and tolerances.
    pub solver: Solver,
}

/// Rows of a run, unless another number is asked for.
const ROWS: f64 = 1000.0;

impl Machine {
    /// What solvers and analyses work on.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Its numbers, in the order in which analyses want them.
    pub fn params(&self) -> &[f64] {
        self.system.params()
    }

    /// Moves from the start for so long, s, with a thousand rows.
    ///
    /// # Errors
    /// Why the run could not be completed.
    pub fn simulate(&self, duration: f64) -> Result<MachineRun, SolveError> {
        self.simulate_with(duration, duration / ROWS, &mut ())
    }

    /// The same with rows at a given distance, s, told to `observer`, which may stop it.
    ///
    /// # Errors
    /// Why the run could not be completed.
    pub fn simulate_with(
        &self,
        duration: f64,
        step: f64,
        observer: &mut dyn Observer,
    ) -> Result<MachineRun, SolveError> {
        let run = self.system.run(&self.solver, duration, &Output::Grid { step }, observer)?;
        let columns = self.system.columns(self.params(), &run.samples, 0..run.samples.len());
        let names = self.system.channels().into_iter().map(|c| c.name).collect();
        Ok(MachineRun { parts: self.names.clone(), names, columns, trajectory: run })
    }
}

/// What a [`Machine`] did.
#[derive(Clone, Debug)]
pub struct MachineRun {
    parts: Vec<String>,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    /// States, events and what the run has cost.
    pub trajectory: Trajectory,
}

impl MachineRun {
    /// The times of the rows.
    pub fn time(&self) -> &[f64] {
        &self.trajectory.samples.t
    }

    /// One output over time; none if the part does not have it.
    pub fn column(&self, quantity: Quantity) -> &[f64] {
        let name = self.parts.get(quantity.part).map(|part| format!("{part}.{}", quantity.name));
        name.map_or(&[], |name| self.named(&name))
    }

    /// One output over time by its dotted name, such as `energy.loss`; none if there is no such output.
    pub fn named(&self, name: &str) -> &[f64] {
        self.names.iter().position(|n| n == name).map_or(&[], |i| &self.columns[i])
    }

    /// The last value of an output; not a number if the part does not have it.
    pub fn last(&self, quantity: Quantity) -> f64 {
        self.column(quantity).last().copied().unwrap_or(f64::NAN)
    }

    /// The names of all outputs.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
