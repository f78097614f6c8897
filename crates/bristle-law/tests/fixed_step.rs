//! What every fixed step must satisfy: it exists for every bristle, it stays bounded, and it is as accurate as it says.

use crate::bench::Contact;
use bristle_core::Mode;
use bristle_law::{AnyLaw, At, LawKind, fixed_step};
use proptest::test_runner::{RngAlgorithm, TestRng};
use rand_like::Draw;
use std::f64::consts::TAU;

/// Numbers from the generator of the property tests, without its strategies.
mod rand_like {
    use super::{RngAlgorithm, TestRng};
    use proptest::prelude::Rng;

    pub struct Draw(TestRng);

    impl Draw {
        pub fn new() -> Self {
            Draw(TestRng::deterministic_rng(RngAlgorithm::ChaCha))
        }

        /// A number between 0 and 1.
        pub fn share(&mut self) -> f64 {
            (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
        }

        /// A signed number whose size is spread over decades.
        pub fn signed(&mut self, smallest: f64, largest: f64) -> f64 {
            let size = smallest * (largest / smallest).powf(self.share());
            if self.share() < 0.5 { -size } else { size }
        }
    }
}

/// The laws with a fixed step, at their defaults.
fn stepped() -> impl Iterator<Item = (LawKind, AnyLaw<f64>)> {
    let all = LawKind::ALL.iter().map(|&kind| (kind, Contact::new(kind, 10.0, 0.0).law));
    all.filter(|(_, law)| fixed_step::kernel(law).is_some())
}

#[test]
fn every_bristle_has_a_fixed_step() {
    for &kind in LawKind::ALL {
        let law = Contact::new(kind, 10.0, 0.0).law;
        let has = fixed_step::kernel(&law).is_some();
        assert!(has || !kind.card().tags.contains(&"bristle"), "{}", kind.card().name);
    }
    assert!(stepped().count() >= 16);
}

/// Over random slip rates the force stays below the largest level plus what the dampers add, and a deflection never
/// grows by more than the slip.
#[test]
fn no_step_is_long_enough_to_blow_up() {
    for (kind, law) in stepped() {
        for h in [1e-4, 1.0, 1e6] {
            for n in [1.0, 100.0] {
                shake(kind, &law, h, |_| n, |force, v| force.abs() <= 1.1 * n + 1e3 * v.abs());
            }
            // When the load falls a bristle is left with more than its level: bounded, but by what it was.
            let jumps = |draw: &mut Draw| if draw.share() < 0.1 { 0.0 } else { 100.0 * draw.share() };
            shake(kind, &law, h, jumps, |force, _| force.is_finite());
        }
    }
}

/// Steps a law over random slip rates, under loads from `load`; forces must pass `holds(force, v)`.
fn shake(
    kind: LawKind,
    law: &AnyLaw<f64>,
    h: f64,
    load: impl Fn(&mut Draw) -> f64,
    holds: impl Fn(f64, f64) -> bool,
) {
    let (card, kernel) = (kind.card(), fixed_step::kernel(law).unwrap());
    let (mut draw, contact) = (Draw::new(), Contact::new(kind, 10.0, 0.0));
    let (mut z, mut mode) = (contact.z, contact.mode);
    for _ in 0..2000 {
        let v = if draw.share() < 0.1 { 0.0 } else { draw.signed(1e-7, 1.0) };
        let at = At { hold: draw.signed(1e-3, 1e3), ..At::sliding(v, load(&mut draw)) };
        let before = z.clone();
        let force = kernel.step(&at, &mut z, &mut mode, h);
        assert!(holds(force, v), "{} at h = {h}, v = {v}, n = {}: {force} N", card.name, at.n);
        assert!(at.n > 0.0 || force == 0.0, "{}: friction without load", card.name);
        for (i, state) in card.states.iter().enumerate() {
            // No law bends its bristle by more than two millimetres at these loads, but the slip may.
            let (own, growth) = match state.unit {
                "m" => (2e-3, v.abs() * h),
                "s" => (2e-3 / v.abs().max(1e-300), h),
                _ => (1.0, 0.0),
            };
            let bound = (before[i].abs().max(own) + growth) * (1.0 + 1e-12);
            assert!(z[i].abs() <= bound, "{} at h = {h}: {} to {}", card.name, before[i], z[i]);
        }
    }
}

/// A smooth slip that goes on in one direction, over three of the law's own lengths.
struct Slip {
    length: f64,
}

impl Slip {
    /// How long it lasts: long against no law's own times, short against none.
    const TIME: f64 = 0.02;

    fn at(&self, t: f64) -> f64 {
        let u = t / Self::TIME;
        self.length * (u - 0.8 / TAU * ((TAU * u).cos() - 1.0))
    }

    fn rate(&self, t: f64) -> f64 {
        self.length / Self::TIME * (1.0 + 0.8 * (TAU * t / Self::TIME).sin())
    }
}

/// A contact that has been bent against the motion that is to come.
fn bent(kind: LawKind) -> (Contact, Vec<f64>, Slip) {
    let mut contact = Contact::new(kind, 10.0, 1.0);
    let mut scale = vec![1.0; kind.states()];
    contact.law.scales(10.0, &mut scale);
    let is_length = kind.card().states[0].unit == "m";
    for (z, scale) in contact.z.iter_mut().zip(&scale) {
        *z = if is_length { -0.5 * scale } else { 3.0 * scale };
    }
    if !is_length {
        // Ages: the slip that renews the contacts.
        return (contact, scale, Slip { length: 3e-5 });
    }
    for (i, state) in kind.card().states.iter().enumerate() {
        contact.z[i] *= f64::from(u8::from(state.unit == "m"));
    }
    let length = 3.0 * scale[0];
    (contact, scale, Slip { length })
}

fn errors(kind: LawKind, steps: &[u32]) -> Vec<f64> {
    let (mut exact, scale, slip) = bent(kind);
    let start = exact.z.clone();
    let fine = 200_000;
    for i in 0..fine {
        let h = Slip::TIME / f64::from(fine);
        exact.step(|t| slip.rate(t), f64::from(i) * h, h);
    }
    let run = |&steps: &u32| {
        let (law, mut z) = (exact.law, start.clone());
        let mut mode = vec![Mode::Stick; law.elements()];
        let h = Slip::TIME / f64::from(steps);
        for i in 0..steps {
            let t = f64::from(i) * h;
            let mean = (slip.at(t + h) - slip.at(t)) / h;
            fixed_step::kernel(&law).unwrap().step(&At::sliding(mean, 10.0), &mut z, &mut mode, h);
        }
        let off = z.iter().zip(&exact.z).zip(&scale).map(|((z, exact), scale)| (z - exact).abs() / scale);
        off.fold(0.0, f64::max)
    };
    steps.iter().map(run).collect()
}

#[test]
fn every_step_converges_with_the_order_it_states() {
    for (kind, law) in stepped().filter(|(kind, _)| kind.states() > 0) {
        let (name, order) = (kind.card().name, fixed_step::kernel(&law).unwrap().order());
        let errors = errors(kind, &[50, 200, 800]);
        // Switches fall on other places of the grid at every step length; four times shorter steps, twice.
        let observed = (errors[0] / errors[2]).log2() / 4.0;
        println!("{name:18} order {order}: {errors:?}, observed {observed:.2}");
        // The reference finds its switches to one of its own steps.
        let floor = if kind.card().tags.contains(&"hybrid") { 4e-5 } else { 1e-8 };
        assert!(errors[2] < floor || observed > f64::from(order) - 0.25, "{name}: {errors:?}");
        assert!(errors[2] < 3e-2, "{name}: {errors:?}");
    }
}

/// An implicit step ends where its own equation holds: a root given up too early would show here, not in the order.
#[test]
fn implicit_steps_solve_their_equation() {
    for kind in [LawKind::FrDyn2, LawKind::Leuven] {
        let (contact, mut draw) = (Contact::new(kind, 10.0, 0.0), Draw::new());
        let (law, mut z, mut mode) = (contact.law, contact.z, contact.mode);
        let kernel = fixed_step::kernel(&law).unwrap();
        for h in [1e-6, 1e-5, 1e-4, 1e-3, 1e-2] {
            for _ in 0..4000 {
                let at = At::sliding(draw.signed(1e-6, 1.0), 10.0);
                let before = z.clone();
                let force = kernel.step(&at, &mut z, &mut mode, h);
                let mut dz = vec![0.0; z.len()];
                let told = law.eval(&at, &z, &mut dz);
                let name = kind.card().name;
                // The shift of FrDyn2 is a root: it makes 1e-8 of a rounding error at break-away.
                assert!((told - force).abs() < 1e-7, "{name} at h = {h}: {told} and {force}");
                if kind == LawKind::Leuven {
                    let off = (0..z.len()).map(|i| (z[i] - before[i] - h * dz[i]).abs());
                    // An element that yields within the step has gone a shorter way.
                    let moving = off.zip(&dz).filter(|(_, dz)| **dz != 0.0).map(|(off, _)| off);
                    let least = moving.fold(f64::INFINITY, f64::min);
                    assert!(
                        least == f64::INFINITY || least < 1e-14 * (1.0 + 1e3 * at.v.abs() * h),
                        "{least}"
                    );
                }
            }
        }
    }
}

#[test]
fn exact_steps_may_be_of_any_length() {
    let exact = stepped().filter(|(_, law)| fixed_step::kernel(law).unwrap().is_exact());
    for (kind, law) in exact {
        let (contact, scale, slip) = bent(kind);
        let kernel = fixed_step::kernel(&law).unwrap();
        for v in [slip.length, -slip.length] {
            let run = |steps: u32| {
                let (mut z, mut mode) = (contact.z.clone(), vec![Mode::Stick; law.elements()]);
                let at = At::sliding(v, 10.0);
                let step = |_| kernel.step(&at, &mut z, &mut mode, 1.0 / f64::from(steps));
                let force = (0..steps).map(step).last().unwrap();
                (force, z)
            };
            let (whole, parts) = (run(1), run(64));
            let name = kind.card().name;
            assert!((whole.0 - parts.0).abs() < 1e-11, "{name}: {} and {}", whole.0, parts.0);
            for i in 0..scale.len() {
                assert!((whole.1[i] - parts.1[i]).abs() < 1e-12 * scale[i], "{name}");
            }
        }
    }
}

/// A block of one kilogram slides to rest over `v²/(2 μ_d g)`, and there it stays.
#[test]
fn a_block_stops_within_the_step_and_stays() {
    let (law, n) = (Contact::new(LawKind::Coulomb, 10.0, 0.0).law, 9.81);
    let kernel = fixed_step::kernel(&law).unwrap();
    let slide = |h: f64, load: f64| {
        let (mut x, mut v, mut mode) = (0.0, 1.0, [Mode::Forward]);
        for _ in 0..(2.0 / h).ceil() as u32 {
            let at = At { hold: load + v / h, ..At::sliding(v, n) };
            v += h * (load - kernel.step(&at, &mut [], &mut mode, h));
            x += h * v;
        }
        (x, v)
    };
    let exact = 1.0 / (2.0 * 0.3 * n);
    let errors = [1e-2, 1e-3, 1e-4].map(|h| (slide(h, 0.0).0 - exact).abs());
    assert!(errors[1] < 0.15 * errors[0] && errors[2] < 0.15 * errors[1], "{errors:?}");
    for h in [1e-3, 1.0] {
        assert_eq!(slide(h, 0.0).1, 0.0);
        // At rest up to the static level.
        let (x, v) = slide(h, 2.0);
        assert!(v.abs() < 1e-15 && x >= 0.0, "{h}: {v}");
    }
}
