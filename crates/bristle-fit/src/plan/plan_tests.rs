use super::*;

/// The guess of the reference: LuGre with its Stribeck exponent known.
fn lugre() -> Guess {
    let kind = LawKind::LuGre;
    let numbers = [10.0, 14.0, 2e-3, 2.0, 1e5, 300.0, 40.0];
    Guess::new(kind, &numbers, true, 1.0, &["gamma".to_owned()])
}

/// Sliding in one direction, between 12 and 28 mm/s, for 5.6 s.
fn sliding() -> PlannedMotion {
    let at = |t: f64| 0.02 + 0.008 * (std::f64::consts::PI * (t + 0.4)).sin();
    PlannedMotion {
        name: "sliding".to_owned(),
        velocities: (0..5601).map(|i| at(f64::from(i) * 1e-3)).collect(),
        step: 1e-3,
    }
}

/// Standard errors of `F_s`, `v_s`, `σ₀`, `σ₁` in per cent, as an independent program in differences has them.
#[test]
fn presliding_motions_tell_what_sliding_alone_cannot() {
    let guess = lugre();
    let names: Vec<&str> = guess.unknown.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["F_d", "F_s", "v_s", "sigma0", "sigma1", "sigma2"]);
    let noise = 0.1;
    let (_, alone) = guess.informed(&sliding(), noise).unwrap();
    let errors = alone.errors();
    assert!(errors[1..5].iter().all(|e| *e > VAGUE_SHARE), "{errors:?}");
    assert!(errors[0] < 1e-3 && errors[5] < 1e-2, "{errors:?}");
    let read = |text: &str| guess.informed(&PlannedMotion::read(text, 2.0, 1e-3).unwrap(), noise).unwrap().1;
    let motions = [read("sine 20 um, 1 Hz"), read("sine 60 um, 2 Hz"), read("sine 1 mm, 1 Hz")];
    let unknown = f64::INFINITY;
    let rows = [
        (vec![0], [9.6, unknown, 0.15, 16.0]),
        (vec![1], [2.0, 37.0, 0.07, 4.1]),
        (vec![2], [0.55, 0.96, 0.26, 3.2]),
        (vec![0, 1, 2], [0.18, 0.44, 0.06, 1.2]),
    ];
    for (taken, expected) in rows {
        let all = taken.iter().fold(alone.clone(), |sum, &i| sum.and(&motions[i]));
        let errors = all.errors();
        println!("{taken:?} {errors:?}");
        for (found, expected) in errors[1..5].iter().zip(expected) {
            let found = 100.0 * found;
            let is_right =
                if expected.is_finite() { (found / expected - 1.0).abs() < 0.1 } else { found > 100.0 };
            assert!(is_right, "{taken:?}: {found}, not {expected}");
        }
    }
    // Two of the three: the smallest loop tells least.
    assert_eq!(best(&alone, &motions, 2), [1, 2]);
    assert_eq!(best(&alone, &motions, 5), [0, 1, 2]);
}

/// `F = F_d + σ₂ v` at two speeds: errors are those of a straight line.
#[test]
fn errors_of_a_straight_line_come_out() {
    let guess = Guess::new(
        LawKind::LuGre,
        &[10.0, 10.0, 1e-3, 2.0, 1e6, 0.0, 5.0],
        true,
        1.0,
        &["F_s", "v_s", "gamma", "sigma0", "sigma1"].map(str::to_owned),
    );
    let motion = PlannedMotion::read("steps 1 m/s, 2 m/s", 1.0, 1e-3).unwrap();
    let (force, information) = guess.informed(&motion, 0.5).unwrap();
    assert!((force[0] - 15.0).abs() < 1e-9 && (force[1000] - 20.0).abs() < 1e-6);
    let (n1, n2) = (500.0, 501.0);
    let (sum, first, second) = (n1 + n2, n1 + 2.0 * n2, n1 + 4.0 * n2);
    let determinant: f64 = sum * second - first * first;
    let expected = [0.5 * (second / determinant).sqrt() / 10.0, 0.5 * (sum / determinant).sqrt() / 5.0];
    for (found, expected) in information.errors().iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
    }
}

/// Numbers of which only the sum is told are not known.
#[test]
fn what_is_told_only_together_is_not_known() {
    let column: Vec<f64> = (0..50).map(|i| 1.0 + f64::from(i)).collect();
    let other: Vec<f64> = column.iter().map(|x| x * x).collect();
    let errors = Information::of(&[column.clone(), column, other.clone()]).errors();
    assert!(errors[0].is_infinite() && errors[1].is_infinite() && errors[2].is_finite());
    let nothing = Information::of(&[other, vec![0.0; 50]]).errors();
    assert!(nothing[0].is_finite() && nothing[1].is_infinite());
    assert_eq!(Information::nothing(2).errors(), [f64::INFINITY; 2]);
}

#[test]
fn motions_are_read_and_refused_with_the_form_that_is_meant() {
    let read = |text: &str| PlannedMotion::read(text, 2.0, 1e-3);
    let [stroke, speed] = read("sine 20 um, 1 Hz").unwrap().reach();
    assert!((stroke / 40e-6 - 1.0).abs() < 1e-5 && (speed / 1.256637e-4 - 1.0).abs() < 1e-5);
    let hold = read("hold 1 mm/s, 0.5 s").unwrap();
    assert_eq!([hold.velocities[0], hold.velocities[1000], hold.velocities[1999]], [1e-3, 0.0, 1e-3]);
    assert_eq!(read("steps 1 mm/s, -2 mm/s").unwrap().velocities[1500], -2e-3);
    assert!(read("chirp 10 um, 1 Hz, 10 Hz").is_ok() && read("ramp 10 mm/s").is_ok());
    assert!(matches!(read("wobble 3 mm"), Err(MotionError::Unknown { .. })));
    assert!(matches!(read("sine 3 mm"), Err(MotionError::Count { given: 1, .. })));
    for text in ["sine 3 mm, 2 kg", "sine -3 mm, 1 Hz", "hold 1 mm/s, 3 s"] {
        assert!(matches!(read(text), Err(MotionError::Quantity { .. })), "{text}");
    }
}
