//! Candidates made from what the law says of itself.

use bristle_core::Role;
use bristle_core::units::short;
use bristle_fit::plan::Guess;

/// Three digits are enough for a motion that somebody will set on a machine.
fn rounded(value: f64) -> String {
    format!("{value:.2e}").parse::<f64>().map_or_else(|_| value.to_string(), short)
}

/// Motions that suit the law, within stroke and speed.
pub(super) fn made(guess: &Guess, duration: f64, [stroke, speed, _]: [f64; 3]) -> Vec<String> {
    let number = |role: Role| guess.number(role);
    let mut list = Vec::new();
    if let (Some(v), Some(slip)) = (number(Role::ReferenceVelocity), number(Role::RenewalDistance)) {
        // Each step lasts long enough to renew the contacts where it can.
        let v = v.max(20.0 * slip / duration).min(speed / 10.0);
        let steps = |by: &[f64]| {
            let speeds: Vec<String> = by.iter().map(|by| format!("{} m/s", rounded(by * v))).collect();
            format!("steps {}", speeds.join(", "))
        };
        list.extend([
            steps(&[1.0, 10.0, 1.0]),
            steps(&[1.0, 3.0, 1.0, 3.0]),
            steps(&[1.0, 3.0, 10.0, 3.0, 1.0]),
        ]);
        list.push(format!("hold {} m/s, {} s", rounded(v), rounded(duration / 2.0)));
        list.push(format!("ramp {} m/s", rounded(10.0 * v)));
        return list;
    }
    let (_, give) = guess.grip();
    let falls = [Role::StribeckVelocity, Role::KineticVelocity, Role::RegularisationVelocity];
    let falls =
        falls.into_iter().find_map(number).or(number(Role::Steepness).map(|c| 1.0 / c)).unwrap_or(1e-2);
    let fast = (10.0 * falls).min(speed);
    if let Some(give) = give {
        let swing = 2.0 / duration;
        for (by, times) in [(0.15, 1.0), (0.5, 2.0), (1.5, 1.0), (8.0, 1.0)] {
            let amplitude = (by * give).min(stroke / 2.0);
            list.push(format!("sine {} m, {} Hz", rounded(amplitude), rounded(swing * times)));
        }
        let amplitude = rounded((0.5 * give).min(stroke / 2.0));
        list.push(format!("chirp {amplitude} m, {} Hz, {} Hz", rounded(swing), rounded(10.0 * swing)));
    }
    // Out and back within the stroke.
    let within = |v: f64, share: f64| v.min(0.98 * stroke / (share * duration));
    list.push(format!("ramp {} m/s", rounded(within(fast, 0.25))));
    let steps: Vec<String> = [0.1, 0.3, 1.0, 3.0, 10.0]
        .into_iter()
        .flat_map(|by| [by, -by])
        .map(|by: f64| format!("{} m/s", rounded(by.signum() * within((by.abs() * falls).min(fast), 0.1))))
        .collect();
    list.push(format!("steps {}", steps.join(", ")));
    list.push(format!("hold {} m/s, {} s", rounded(within(falls.min(fast), 0.5)), rounded(duration / 2.0)));
    list.dedup();
    list
}
