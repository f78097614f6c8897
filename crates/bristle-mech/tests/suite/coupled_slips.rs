//! No slip is missed where contacts at rest share what they hold, between bodies and through gears.
//!
//! Trains of rotors on gears are one unknown each. A contact `k` between rotors slips at `w_k = c_k · u` when the trains move at
//! `u`, and bears up to `L_k`. All stay at rest as long as no motion pays: under the torques `f` on the trains, for every `u`,
//!
//! ```text
//! f(t) · u ≤ Σ_k L_k(t) |c_k · u|
//! ```
//!
//! (the kinematic theorem of limit analysis). It is enough to try the motions in which all but the least number of contacts
//! stand still. This knows nothing of holding forces or of how they are shared, and a scan in time finds the first slip.

use crate::every_slip::{METHODS, Wave, first_positive, shortest};
use crate::mechanisms::{law, part};
use crate::random::Random;
use bristle_core::Mode;
use bristle_law::LawKind;
use bristle_mech::{PartKind, Spec, System};
use bristle_solve::{Dynamics, Method, Output, Solver};
use std::f64::consts::TAU;

/// Static friction: a number, or a coefficient under a load that pulsates without ever opening the contact.
#[derive(Debug)]
enum Limit {
    Force(f64),
    Pulsating(f64, Wave),
}

/// A contact: the motion of the trains it slips with, and what it bears.
#[derive(Debug)]
struct Link {
    c: Vec<f64>,
    limit: Limit,
}

/// Trains of rotors, what holds them and what turns them.
#[derive(Debug)]
struct Yard {
    trains: usize,
    parts: Vec<(String, Spec)>,
    links: Vec<Link>,
    /// Torques: how each train feels it, and its course.
    pushes: Vec<(Vec<f64>, Wave)>,
    /// The shortest time in which something happens.
    finest: f64,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Yard {
    fn random(r: &mut Random, end: f64, is_geared: bool) -> Yard {
        let trains = 1 + r.below(3);
        let mut yard = Yard { trains, parts: Vec::new(), links: Vec::new(), pushes: Vec::new(), finest: end };
        // Rotors: which train they belong to, and how fast they turn when it moves.
        let mut rotors: Vec<(String, usize, f64)> = Vec::new();
        for train in 0..trains {
            let count = if is_geared { 1 + r.below(3) } else { 1 };
            for i in 0..count {
                let name = format!("r{train}{i}");
                let speed = if i == 0 { 1.0 } else { r.decade(0.2, 5.0) * *r.of(&[1.0, -1.0]) };
                yard.parts.push((name.clone(), part(PartKind::Rotor, &[("inertia", r.decade(0.1, 10.0))])));
                if i > 0 {
                    let lead = format!("r{train}0");
                    let gear = part(PartKind::Gear, &[("ratio", speed)]).naming("between", &[&name, &lead]);
                    yard.parts.push((format!("g{train}{i}"), gear));
                }
                rotors.push((name, train, speed));
            }
        }
        let of_train = |r: &mut Random, train: usize| {
            let own: Vec<usize> = (0..rotors.len()).filter(|i| rotors[*i].1 == train).collect();
            *r.of(&own)
        };
        for k in 0..trains + 1 + r.below(4) {
            // Every train hangs on the ground or on an earlier one; further contacts close loops.
            let a = if k < trains { of_train(r, k) } else { r.below(rotors.len()) };
            let b = match if k < trains { r.below(k + 1) } else { r.below(trains + 1) } {
                0 => None,
                train => Some(of_train(r, train - 1)).filter(|b| rotors[*b].1 != rotors[a].1),
            };
            yard.link(r, k, end, &rotors[a], b.map(|b| &rotors[b]));
        }
        for k in 0..1 + r.below(3) {
            let peak = r.decade(0.3, 3.0);
            let wave = Wave::random(r, end, peak);
            let (name, train, speed) = r.of(&rotors);
            let torque = part(PartKind::Torque, &[]).naming("on", &[name]).holding("value", wave.spec());
            yard.parts.push((format!("t{k}"), torque));
            let mut feels = vec![0.0; trains];
            feels[*train] = *speed;
            yard.finest = yard.finest.min(shortest(&wave));
            yard.pushes.push((feels, wave));
        }
        if r.unit() < 0.3 {
            yard.swing(r, end, &rotors);
        }
        yard
    }

    fn link(
        &mut self,
        r: &mut Random,
        k: usize,
        end: f64,
        a: &(String, usize, f64),
        b: Option<&(String, usize, f64)>,
    ) {
        let (radius, force) = (r.decade(0.1, 1.0), r.decade(0.5, 3.0));
        let mut c = vec![0.0; self.trains];
        c[a.1] += radius * a.2;
        if let Some(b) = b {
            c[b.1] -= radius * b.2;
        }
        let names = [a.0.as_str(), b.map_or("ground", |b| b.0.as_str())];
        let contact = part(PartKind::Contact, &[("radius", radius)]).naming("between", &names);
        let (mu_s, mu_d) = (force, force * *r.of(&[0.5, 1.0]));
        let kind = *r.of(&[LawKind::Coulomb, LawKind::Benson, LawKind::Karnopp]);
        let law = law(kind, &[("mu_s", mu_s), ("mu_d", mu_d)]);
        let (contact, limit) = if r.unit() < 0.3 {
            let f = r.decade(0.3, 100.0) / end;
            self.finest = self.finest.min(1.0 / f);
            let load = Wave::Sines(1.0, vec![[r.between(0.1, 0.9), f, r.between(0.0, TAU), 0.0]]);
            let law = Spec { as_forces: false, ..law };
            (contact.holding("load", load.spec()).holding("law", law), Limit::Pulsating(mu_s, load))
        } else {
            (contact.holding("law", law), Limit::Force(mu_s))
        };
        self.parts.push((format!("c{k}"), contact));
        self.links.push(Link { c, limit });
    }

    /// A rotor that swings on a spring and pulls at another: `k A cos(ωt)` on it as long as that one stands still.
    fn swing(&mut self, r: &mut Random, end: f64, rotors: &[(String, usize, f64)]) {
        let (name, train, speed) = r.of(rotors);
        let (f, inertia, peak) = (r.decade(1.0, 30.0) / end, r.decade(0.1, 10.0), r.decade(0.3, 1.5));
        let k = inertia * (TAU * f).powi(2);
        let bob = part(PartKind::Rotor, &[("inertia", inertia), ("angle", peak / k)]);
        self.parts.push(("bob".to_owned(), bob));
        let spring = part(PartKind::TorsionSpring, &[("k", k)]).naming("between", &["bob", name]);
        self.parts.push(("spring".to_owned(), spring));
        let mut feels = vec![0.0; self.trains];
        feels[*train] = *speed;
        self.finest = self.finest.min(1.0 / f);
        self.pushes.push((feels, Wave::Sines(0.0, vec![[peak, f, TAU / 4.0, 0.0]])));
    }

    /// Motions in which all but the least number of contacts stand still.
    fn motions(&self) -> Vec<Vec<f64>> {
        let c: Vec<&[f64]> = self.links.iter().map(|l| l.c.as_slice()).collect();
        match self.trains {
            1 => vec![vec![1.0]],
            2 => c.iter().map(|c| vec![-c[1], c[0]]).collect(),
            _ => {
                let cross = |a: &[f64], b: &[f64]| {
                    vec![a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
                };
                let all = c.iter().flat_map(|a| c.iter().map(move |b| (cross(a, b), dot(a, a) * dot(b, b))));
                all.filter(|(u, size)| dot(u, u) > 1e-20 * size).map(|(u, _)| u).collect()
            }
        }
    }

    /// By how much the best motion pays, relative to what it costs.
    fn excess(&self, motions: &[Vec<f64>], t: f64) -> f64 {
        let mut f = vec![0.0; self.trains];
        for (feels, wave) in &self.pushes {
            let torque = wave.value(t);
            f.iter_mut().zip(feels).for_each(|(f, feels)| *f += feels * torque);
        }
        let bears = |link: &Link| match &link.limit {
            Limit::Force(force) => *force,
            Limit::Pulsating(mu, load) => mu * load.value(t),
        };
        let limits: Vec<f64> = self.links.iter().map(bears).collect();
        let pays = |u: &Vec<f64>| {
            let cost: f64 = self.links.iter().zip(&limits).map(|(l, limit)| limit * dot(&l.c, u).abs()).sum();
            if cost > 1e-9 * dot(u, u).sqrt() { dot(&f, u).abs() / cost - 1.0 } else { -1.0 }
        };
        motions.iter().map(pays).fold(-1.0, f64::max)
    }

    fn knots(&self, end: f64) -> Vec<f64> {
        let loads = self.links.iter().filter_map(|l| match &l.limit {
            Limit::Pulsating(_, load) => Some(load),
            Limit::Force(_) => None,
        });
        let waves = self.pushes.iter().map(|(_, wave)| wave).chain(loads);
        let mut knots: Vec<f64> = waves.flat_map(|wave| wave.knots(end)).collect();
        knots.extend((0..400).map(|i| end * f64::from(i) / 400.0));
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }
}

/// When something slides for the first time.
fn first_slip(system: &System, method: Method, rtol: f64, end: f64) -> Result<Option<f64>, String> {
    let solver = Solver { method, rtol, atol: rtol, ..Solver::default() };
    // The first mode of each contact.
    let places: Vec<usize> = (system.contacts().iter())
        .scan(0, |next, contact| {
            *next += contact.law(system.params()).elements();
            Some(*next - contact.law(system.params()).elements())
        })
        .collect();
    let rests = |mode: &[Mode]| places.iter().all(|place| mode[*place] == Mode::Stick);
    let mut watch = |_: f64, _: &[f64], mode: &[Mode]| rests(mode);
    let run = system.run(&solver, end, &Output::Ends, &mut watch).map_err(|e| e.to_string())?;
    let at_once = (!rests(run.samples.modes(0))).then_some(0.0);
    Ok(at_once.or_else(|| run.events.iter().find(|e| !rests(&e.after.mode)).map(|e| e.t)))
}

fn cases(seed: u64, count: usize, is_geared: bool) {
    let mut r = Random(seed);
    let (mut wrong, mut slips) = (Vec::new(), 0);
    for case in 0..count {
        let end = r.decade(0.1, 1e4);
        let yard = Yard::random(&mut r, end, is_geared);
        let system = System::assemble(&yard.parts).unwrap();
        let is_swinging = yard.parts.iter().any(|(name, _)| name == "bob");
        let (method, rtol) = (*r.of(&METHODS), r.decade(1e-10, if is_swinging { 1e-8 } else { 1e-3 }));
        let (motions, knots) = (yard.motions(), yard.knots(end));
        let expected = first_positive(&knots, 0.2, |t| yard.excess(&motions, t));
        slips += usize::from(expected.is_some());
        let found = first_slip(&system, method, rtol, end);
        let is_right = match (&found, expected) {
            (Ok(None), None) => true,
            (Ok(Some(found)), Some(expected)) => {
                let slack = if is_swinging { 1e-4 } else { 1e-6 };
                (found - expected).abs() <= slack * yard.finest.min(end) + 1e-12 * end
            }
            _ => false,
        };
        if !is_right {
            wrong.push(format!(
                "case {case}, {method:?} at {rtol:.1e}: {found:?} instead of {expected:?} of {end:e} s; {} trains, {:?}, {:?}",
                yard.trains, yard.links, yard.pushes
            ));
        }
    }
    println!("{count} cases, {slips} slip");
    assert!(slips * 3 > count && slips < count, "{slips} of {count} slip");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn slips_shared_through_gears_come_when_they_must() {
    cases(1, 120, true);
}

#[test]
fn slips_shared_between_bodies_come_when_they_must() {
    cases(2, 120, false);
}
