//! Exact slopes through events, against differences.

use super::*;

/// A block on a spring that a belt carries along, seen for so long every 5 ms: it sticks and slips.
fn belt(law: LawKind, numbers: &[f64], time: f64) -> Rig {
    let choices = law.card().default_choices();
    let times: Vec<f64> = (0..=(time / 5e-3).round() as usize).map(|i| i as f64 * 5e-3).collect();
    let mut rig = Rig::new(law, numbers, &choices, Mount::Mass).unwrap();
    for (number, value) in [
        (RigNumber::Mass, 1.0),
        (RigNumber::Stiffness, 500.0),
        (RigNumber::Belt, 0.01),
        (RigNumber::Speed, 0.01),
    ] {
        rig = rig.with(number, value);
    }
    rig.quantity = RigQuantity::Position;
    rig.tolerance = 1e-13;
    rig.over(&times, 0, 1)
}

fn positions(rig: &Rig, values: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    rig.respond(values, f64::INFINITY, &mut out, None).unwrap();
    out
}

/// Slopes by the logarithm of unknown `k`: central differences with steps `h`, `h/2`, `h/4`, extrapolated twice.
fn extrapolated(rig: &Rig, values: &[f64], k: usize, h: f64) -> Vec<f64> {
    let central = |h: f64| {
        let [ahead, behind] = [h, -h].map(|h| {
            let mut moved = values.to_vec();
            moved[k] *= h.exp();
            positions(rig, &moved)
        });
        ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<_>>()
    };
    let [one, half, quarter] = [h, h / 2.0, h / 4.0].map(central);
    let better = |fine: &[f64], coarse: &[f64], by: f64| -> Vec<f64> {
        fine.iter().zip(coarse).map(|(f, c)| f + (f - c) / (by - 1.0)).collect()
    };
    better(&better(&quarter, &half, 4.0), &better(&half, &one, 4.0), 16.0)
}

/// Largest difference over the largest slope.
fn apart(exact: &[f64], other: &[f64]) -> f64 {
    let largest = exact.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    exact.iter().zip(other).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / largest
}

/// Bristles under a belt: it breaks loose and is caught again some six times. Slopes agree to one part in a million with
/// differences that are extrapolated from runs of thirteen digits.
#[test]
fn slopes_through_stick_slip_are_those_of_extrapolated_differences() {
    let lugre = [5.0, 6.5, 0.02, 2.0, 5e4, 150.0, 2.0];
    let mut rig = belt(LawKind::LuGre, &lugre, 6.0);
    let unknown = [0usize, 1, 2, 4, 5, 6];
    rig.places = unknown.iter().map(|&i| vec![i]).collect();
    let values: Vec<f64> = unknown.iter().map(|&i| lugre[i]).collect();
    let (mut outputs, mut slopes) = (Vec::new(), vec![Vec::new(); values.len()]);
    rig.respond(&values, f64::INFINITY, &mut outputs, Some(&mut slopes)).unwrap();
    // It does stick and slip: the block comes back many times.
    let turns = outputs.windows(3).filter(|q| (q[1] - q[0]) * (q[2] - q[1]) < 0.0).count();
    assert!(turns > 4, "{turns}");
    for (k, column) in slopes.iter().enumerate() {
        let exact: Vec<f64> = column.iter().map(|s| s * values[k]).collect();
        let found = apart(&exact, &extrapolated(&rig, &values, k, 1e-4));
        println!("lugre {}: {found:e}", unknown[k]);
        assert!(found < 1e-6, "number {}: {found}", unknown[k]);
    }
}

/// Elements that yield one by one: rates jump at every event, and slopes with them.
#[test]
fn slopes_through_elements_that_yield_are_those_of_extrapolated_differences() {
    let card = LawKind::Gms.card();
    let mut gms = card.defaults();
    for (name, value) in
        [("mu_d", 5.0), ("mu_s", 6.5), ("v_s", 0.02), ("sigma0", 5e4), ("sigma1", 0.0), ("sigma2", 20.0)]
    {
        gms[card.numbers().position(|f| f.name == name).unwrap()] = value;
    }
    let mut rig = belt(LawKind::Gms, &gms, 2.0);
    let unknown = [0usize, 1, 2, 4, 7];
    rig.places = unknown.iter().map(|&i| vec![i]).collect();
    let values: Vec<f64> = unknown.iter().map(|&i| gms[i]).collect();
    let (mut outputs, mut slopes) = (Vec::new(), vec![Vec::new(); values.len()]);
    rig.respond(&values, f64::INFINITY, &mut outputs, Some(&mut slopes)).unwrap();
    for (k, column) in slopes.iter().enumerate() {
        let exact: Vec<f64> = column.iter().map(|s| s * values[k]).collect();
        // Between samples an event of a neighbour may change side: small steps keep their order.
        let found = apart(&exact, &extrapolated(&rig, &values, k, 1e-5));
        println!("gms {}: {found:e}", unknown[k]);
        assert!(found < 1e-6, "number {}: {found}", unknown[k]);
    }
}

/// Coulomb friction under a belt, with a static level above the kinetic one: stick and slip are modes of the rig itself. The
/// acceleration jumps where it breaks away, so that differences err by as much as their step.
#[test]
fn slopes_through_a_contact_that_holds_are_those_of_extrapolated_differences() {
    let coulomb = [5.0, 6.5];
    let mut rig = belt(LawKind::Coulomb, &coulomb, 6.0);
    rig.places =
        vec![vec![0], vec![1], vec![rig.place(RigNumber::Viscous), rig.place(RigNumber::ViscousBackward)]];
    let values = [5.0, 6.5, 2.0];
    let mut outputs = Vec::new();
    let mut slopes = vec![Vec::new(); 3];
    rig.respond(&values, f64::INFINITY, &mut outputs, Some(&mut slopes)).unwrap();
    assert!(outputs.iter().fold(0.0, |m: f64, x| m.max(x.abs())) > 0.012, "it never sticks up to its limit");
    for (k, slopes) in slopes.iter().enumerate() {
        let exact: Vec<f64> = slopes.iter().map(|s| s * values[k]).collect();
        let other = extrapolated(&rig, &values, k, 4e-6);
        assert!(apart(&exact, &other) < 1e-6, "{k}: {}", apart(&exact, &other));
    }
}

/// A controller closes the loop around a mass with Coulomb friction that differs by direction: what it saw moves with the unknowns.
#[test]
fn slopes_in_closed_loop_are_those_of_extrapolated_differences() {
    let times: Vec<f64> = (0..=800).map(|i| f64::from(i) * 2e-3).collect();
    let mut rig = Rig::new(LawKind::Coulomb, &[12.0, 12.0], &[], Mount::Mass).unwrap();
    for (number, value) in [
        (RigNumber::Mass, 40.0),
        (RigNumber::Gain, 2e5),
        (RigNumber::RateGain, 2.5e3),
        (RigNumber::Viscous, 90.0),
        (RigNumber::ViscousBackward, 130.0),
        (RigNumber::Backward, 1.2),
    ] {
        rig = rig.with(number, value);
    }
    rig.servo = Some(RigServo {
        reference: times.iter().map(|t| 0.02 * (1.0 - (6.0 * t).cos())).collect(),
        period: 2e-3,
        every: 1,
        delay: 0.0,
        quantum: None,
        limit: f64::INFINITY,
        average: 2,
        filter: 1e-3,
        derives_measurement: true,
        looks_at_start: true,
    });
    rig.quantity = RigQuantity::Servo;
    rig.tolerance = 1e-13;
    let mut rig = rig.over(&times, 0, 1);
    let numbers = [RigNumber::Mass, RigNumber::Viscous, RigNumber::Backward];
    rig.places = numbers.iter().map(|n| vec![rig.place(*n)]).chain([vec![0, 1]]).collect();
    let values = [40.0, 90.0, 1.2, 12.0];
    let mut outputs = Vec::new();
    let mut slopes = vec![Vec::new(); 4];
    rig.respond(&values, f64::INFINITY, &mut outputs, Some(&mut slopes)).unwrap();
    for (k, slopes) in slopes.iter().enumerate() {
        let exact: Vec<f64> = slopes.iter().map(|s| s * values[k]).collect();
        let other = extrapolated(&rig, &values, k, 2e-4);
        assert!(apart(&exact, &other) < 1e-5, "{k}: {}", apart(&exact, &other));
    }
}

/// A block that slides on the ground stops after `m v²/(2F)` and stays there.
#[test]
fn a_block_slides_as_far_as_its_energy_lasts_and_holds() {
    let times: Vec<f64> = (0..=100).map(|i| f64::from(i) * 1e-2).collect();
    let rig = Rig::new(LawKind::Coulomb, &[3.0, 4.0], &[], Mount::Mass).unwrap();
    let mut rig = rig.with(RigNumber::Mass, 2.0).with(RigNumber::Speed, 0.9).over(&times, 0, 1);
    rig.quantity = RigQuantity::Position;
    let places = positions(&rig, &[]);
    for late in &places[65..] {
        assert!((late - 0.27).abs() < 1e-9, "{late}");
    }
}
