//! Numbers found again from records that were made with them.

use super::rigs::{numbers, place, respond};
use bristle_fit::{
    AtBound, Begin, FitError, FitRecord, FitTerm, Mount, Order, Random, Rig, RigCourse, Search, Sensor,
    Unknown, fit,
};
use bristle_law::LawKind;

const NOISE: f64 = 0.05;

/// A record of LuGre under a velocity that swings with a growing amplitude.
fn record(begin: Begin, velocity: impl Fn(f64) -> f64, bias: f64) -> (Rig, Vec<f64>) {
    let law = LawKind::LuGre;
    let numbers = numbers(
        law,
        &[("mu_d", 5.0), ("mu_s", 7.0), ("v_s", 0.004), ("sigma0", 5e4), ("sigma1", 100.0), ("sigma2", 20.0)],
    );
    let times: Vec<f64> = (0..1501).map(|i| f64::from(i) * 2e-3).collect();
    let mut rig = Rig::new(law, &numbers, &[], Mount::Prescribed).unwrap().over(&times, 0, 1);
    rig.pull = RigCourse::Lines(times.iter().map(|&t| velocity(t)).collect());
    rig.begin = begin;
    let mut random = Random::new(3);
    let measured = respond(&rig, &[]).iter().map(|f| f + bias + NOISE * random.normal()).collect();
    (rig, measured)
}

const NAMES: [&str; 6] = ["mu_d", "mu_s", "v_s", "sigma0", "sigma1", "sigma2"];

fn unknowns(rig: &mut Rig) -> (Vec<Unknown>, Vec<f64>) {
    rig.places = NAMES.iter().map(|name| vec![place(rig.law, name)]).collect();
    let truth: Vec<f64> = rig.places.iter().map(|p| rig.numbers[p[0]]).collect();
    let mut all: Vec<Unknown> =
        NAMES.iter().zip(&truth).map(|(name, x)| Unknown::new(name, "", x / 20.0, x * 5.0)).collect();
    all[1].order = Order::Above(0);
    (all, truth)
}

fn of(rig: Rig, measured: Vec<f64>, sensor: Sensor) -> FitRecord<'static> {
    FitRecord {
        name: "made".into(),
        experiment: Box::new(rig),
        measured,
        noise: None,
        weights: None,
        sensor,
        along: None,
    }
}

/// Six numbers and a bias are found again within four of their errors, from a box two decades wide.
#[test]
fn the_numbers_a_record_was_made_with_are_found() {
    let (mut rig, measured) = record(Begin::Fresh, |t| 0.03 * t * (5.0 * t).sin(), 0.2);
    let (mut unknowns, mut truth) = unknowns(&mut rig);
    unknowns.push(Unknown::new("bias", "N", -5.0, 5.0));
    rig.places.push(Vec::new());
    truth.push(0.2);
    let sensor = Sensor { bias: FitTerm::Unknown(6), ..Sensor::default() };
    let found = fit(unknowns, &[of(rig, measured, sensor)], &Search::default(), &|_| {}).unwrap();
    for (estimate, truth) in found.estimates.iter().zip(&truth) {
        let off = (estimate.value - truth).abs() / estimate.white;
        assert!(off < 4.0 && estimate.is_known, "{}: {off}", estimate.unknown.name);
    }
    assert!((found.comparisons[0].rms / NOISE - 1.0).abs() < 0.06);
    assert!(found.doubts.is_empty() && found.step_error < 1e-3);
    assert!(found.simulations < 600, "{}", found.simulations);
}

/// Of a contact that only slides, fast, no more is known than its level and its viscous friction.
#[test]
fn what_a_record_cannot_tell_is_said() {
    let (mut rig, measured) = record(Begin::Steady, |t| 0.05 + 0.02 * (3.0 * t).sin(), 0.0);
    let (unknowns, _) = unknowns(&mut rig);
    let found = fit(unknowns, &[of(rig, measured, Sensor::default())], &Search::default(), &|_| {}).unwrap();
    let known: Vec<&str> =
        found.estimates.iter().filter(|e| e.is_known).map(|e| e.unknown.name.as_str()).collect();
    assert_eq!(known, ["mu_d", "sigma2"]);
    assert!(!found.doubts.is_empty());
    let level = &found.estimates[0];
    assert!((level.value - 5.0).abs() < 4.0 * level.white, "{}", level.value);
}

#[test]
fn a_bound_that_holds_a_number_back_is_told() {
    let (mut rig, measured) = record(Begin::Fresh, |t| 0.03 * t * (5.0 * t).sin(), 0.0);
    let (mut unknowns, _) = unknowns(&mut rig);
    (unknowns[5].from, unknowns[5].to) = (1.0, 10.0);
    let found = fit(unknowns, &[of(rig, measured, Sensor::default())], &Search::default(), &|_| {}).unwrap();
    assert_eq!(found.estimates[5].at_bound, Some(AtBound::High));
    assert!(!found.estimates[5].is_known);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (mut rig, measured) = record(Begin::Fresh, |t| t, 0.0);
    let (all, _) = unknowns(&mut rig);
    let error = |change: &dyn Fn(&mut Vec<Unknown>)| {
        let mut unknowns = all.clone();
        change(&mut unknowns);
        let record = of(rig.clone(), measured.clone(), Sensor::default());
        fit(unknowns, &[record], &Search::default(), &|_| {}).unwrap_err()
    };
    assert_eq!(error(&|u| u.clear()), FitError::NothingUnknown);
    assert!(matches!(error(&|u| u[0].from = u[0].to), FitError::Bounds { .. }));
    assert!(matches!(error(&|u| u[0].start = Some(1e9)), FitError::StartOutside { .. }));
    let short = rig.clone().over(&[0.0, 0.1, 0.2], 0, 1);
    let record = of(short, vec![0.0; 3], Sensor::default());
    let few = fit(all.clone(), &[record], &Search::default(), &|_| {}).unwrap_err();
    assert_eq!(few, FitError::TooManyUnknowns { unknowns: 6, rows: 3 });
    let card = LawKind::Karnopp.card();
    let karnopp = Rig::new(LawKind::Karnopp, &card.defaults(), &card.default_choices(), Mount::Mass);
    assert!(matches!(karnopp.map(|_| ()), Err(FitError::Unfit { .. })));
}
