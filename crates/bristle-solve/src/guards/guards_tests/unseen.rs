//! Guards that fall, or rise and fall, where neither end of a step shows it.

use super::*;

/// A force that swings a thousand times within a step and overcomes the contact once.
#[test]
fn a_crossing_that_no_end_shows_is_found() {
    let w = 2e3 * std::f64::consts::PI;
    for (h, t0) in [(1.0, T0), (0.5, 0.0), (3.0, 17.0)] {
        // 1 + slope − sin: positive at both ends, first below zero where a scan says.
        let shape = [1.0005, -1e-3 / h, 0.0, 0.0, 1.0, 0.0, w / h, 0.3];
        let value = |s: f64| 1.0005 - 1e-3 * s / h + (w / h * s + 0.3).sin();
        let steps = 4_000_000;
        let first = (0..=steps).map(|k| h * f64::from(k) / f64::from(steps)).find(|s| value(*s) <= 0.0);
        let line = GuardLine { t0, ..GuardLine::timed(&[cubic([1.0, 0.0, 0.0, 0.0]), shape]) };
        line.crosses(h, 1, first.unwrap(), 1e-6);
        let parts = |guards: &mut Guards, look: Look| {
            guards.verdict(look);
            guards.bound_evaluations()
        };
        assert!(line.step(h, parts).0 <= 50);
        // The bounds over the whole step do not call it clear.
        let clear = |guards: &mut Guards, look: Look| guards.is_clear(look.eval, &look.course);
        assert!(!line.step(h, clear).0);
    }
}

/// A contact that begins at its limit, or beyond: a force that swings lets it rest first and slip then.
#[test]
fn a_guard_that_rises_unseen_fires_where_it_falls_unseen() {
    let w = 20.0 * std::f64::consts::PI;
    for (offset, h) in [(0.0, 1.0), (0.0, 0.31), (-0.5, 1.0), (-0.9, 2.0)] {
        let falls = (std::f64::consts::PI + f64::asin(offset)) / w;
        let wave = [offset, 0.0, 0.0, 0.0, 1.0, 0.0, w, 0.0];
        GuardLine::timed(&[wave]).crosses(h, 0, falls, 1e-7);
        // Beside one that is positive throughout, and one that never is.
        let beside = [cubic([1.0, 0.0, 0.0, 0.0]), cubic([-1.0, 0.0, 0.0, 0.0]), wave];
        GuardLine::timed(&beside).crosses(h, 2, falls, 1e-7);
    }
    // One that stays on zero while its bounds leave that open is followed in parts of 2⁻¹⁴, and never taken for risen.
    let (verdict, _) = GuardLine::timed(&[[0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1e30, 0.0]]).verdict(1.0);
    assert!(matches!(verdict, GuardVerdict::ClearUntil(theta) if (theta - 0.25).abs() < 1e-3), "{verdict:?}");
    // It falls from the start, or rises and stays.
    assert_eq!(GuardLine::timed(&[cubic([0.0, -1.0, 0.0, 0.0])]).verdict(1.0).0, GuardVerdict::AtStart(0));
    assert_eq!(GuardLine::timed(&[cubic([0.0, 1.0, 0.0, 0.0])]).verdict(1.0).0, GuardVerdict::Pass);
}

#[test]
fn a_part_of_a_step_is_located_as_precisely_as_the_part_is_short() {
    // The last of eight waves falls through zero; the part it lies in is an eighth or shorter.
    let w = 16.0 * std::f64::consts::PI;
    let line = GuardLine::timed(&[[1.03, -0.04, 0.0, 0.0, 1.0, 0.0, w, 0.0]]);
    let (verdict, looks) = line.verdict(1.0);
    let GuardVerdict::Inside(0, theta, [low, high]) = verdict else { panic!("{verdict:?}") };
    assert!(low > 0.5 && low <= theta && theta <= high && high - low < 0.125, "{low} {high}");
    let value = |s: f64| 1.03 - 0.04 * s + (w * s).sin();
    let width = 1e-10 * (high - low);
    assert!(value(theta) <= 0.0 && value(theta - 2.0 * width) > 0.0, "{theta}");
    assert!(looks <= 60, "{looks}");
}

/// What is shown to be clear costs one evaluation, and is not asked again.
#[test]
fn a_step_that_is_clear_costs_one_evaluation() {
    let clear = |guards: &mut Guards, look: Look| {
        let before = guards.bound_evaluations();
        (guards.is_clear(look.eval, &look.course), guards.bound_evaluations() - before)
    };
    let wave = |least: f64| [1.0 + least, 0.0, 0.0, 0.0, 1.0, 0.0, 50.0, 0.0];
    assert_eq!(GuardLine::timed(&[wave(0.1)]).step(1.0, clear).0, (true, 1));
    assert_eq!(GuardLine::timed(&[wave(-0.1)]).step(1.0, clear).0, (false, 1));
    assert_eq!(GuardLine::timed(&[wave(0.1), wave(-0.1)]).step(1.0, clear).0, (false, 1));
    // Silent, or not watched: nothing to bound.
    let silent = |guards: &mut Guards, look: Look| {
        guards.is_mute[0] = true;
        clear(guards, look)
    };
    assert_eq!(GuardLine::timed(&[cubic([-1.0, 0.0, 0.0, 0.0])]).step(1.0, silent).0, (true, 0));
    // One that waits is clear where it never rises, or does nothing else.
    assert_eq!(GuardLine::timed(&[cubic([-1.0, 0.0, 0.0, 0.0])]).step(1.0, clear).0, (true, 1));
    assert_eq!(GuardLine::timed(&[cubic([0.0, 1.0, 0.0, 0.0])]).step(1.0, clear).0, (true, 1));
    assert_eq!(GuardLine::timed(&[[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 50.0, 0.0]]).step(1.0, clear).0, (false, 1));
    assert_eq!(GuardLine::of(&[wave(-0.1)]).step(1.0, clear).0, (true, 0));
    // One that is armed among others that wait.
    assert_eq!(GuardLine::timed(&[cubic([-1.0, 0.0, 0.0, 0.0]), wave(-0.1)]).step(1.0, clear).0, (false, 1));
    assert_eq!(GuardLine::timed(&[cubic([-1.0, 0.0, 0.0, 0.0]), wave(0.1)]).step(1.0, clear).0, (true, 1));
}

/// A long step is taken up to where it is known to be clear, so that the run can be followed and stopped.
#[test]
fn looking_into_a_step_ends_after_so_many_parts() {
    let line = GuardLine::timed(&[[1.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1e6, 0.0]]);
    let scan = |guards: &mut Guards, look: Look| {
        let Look { eval, inside, course, precision } = look;
        let verdict = guards.verdict(Look { eval: &mut *eval, inside, course, precision });
        let GuardVerdict::ClearUntil(theta) = verdict else { panic!("{verdict:?}") };
        let spent = guards.bound_evaluations();
        // The shorter step needs no second look, neither by a glance nor by a search; a longer one does.
        let shorter = Course { h: theta * course.h, ..course };
        assert!(guards.is_clear(eval, &shorter));
        let verdict = guards.verdict(Look { eval: &mut *eval, inside, course: shorter, precision });
        assert_eq!((verdict, guards.bound_evaluations()), (GuardVerdict::Pass, spent));
        assert!(!guards.is_clear(eval, &Course { h: 1.1 * theta * course.h, ..course }));
        assert_eq!(guards.bound_evaluations(), spent + 1);
        let longer = Course { h: 1.1 * theta * course.h, ..course };
        guards.verdict(Look { eval: &mut *eval, inside, course: longer, precision });
        assert!(guards.bound_evaluations() > spent + 1);
        // In other modes nothing is known.
        guards.bounds.choose(eval, course.at);
        assert!(!guards.is_clear(eval, &shorter));
        (theta, spent)
    };
    for h in [1.0, 0.25] {
        let ((theta, spent), _) = line.step(h, scan);
        // Half of the parts were clear, each for a microsecond and a half: by their rates, which reach 2·10⁶ 1/s. By their values
        // alone it would be half as long.
        let part = theta * h / 4096.0;
        assert!(part > 1.5e-6 && part < 1.7e-6, "{part:e}");
        assert_eq!(spent, 1 << 13);
    }
}

/// Where the bounds leave everything open, a step is halved down to what time can resolve and no further.
#[test]
fn parts_are_no_shorter_than_the_resolution_of_time() {
    for (t0, h) in [(0.0, 1.0), (0.0, 1e3), (1e6, 1.0), (1e6, 1e-3), (1e6, 1e3), (-1e6, 1.0)] {
        let line = GuardLine { t0, ..GuardLine::timed(&[[1.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1e30, 0.0]]) };
        let (verdict, _) = line.verdict(h);
        let GuardVerdict::ClearUntil(theta) = verdict else { panic!("{verdict:?}") };
        // A tree of 2¹³ nodes, half of which are leaves of equal width.
        let (part, shortest) = (theta / 4096.0, f64::max(1e-13, 8.0 * f64::EPSILON * f64::abs(t0) / h));
        assert!(part <= 1.01 * shortest && part > 0.49 * shortest, "{part:e} for {shortest:e}");
    }
}
