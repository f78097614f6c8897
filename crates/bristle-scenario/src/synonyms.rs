//! What people type who know the field but not this format, and what it is called here.

use bristle_core::nearest;

/// Words with what they may mean, the likeliest first.
const WORDS: &[(&str, &[&str])] = &[
    ("abstol", &["atol"]),
    ("adams_moulton", &["adams"]),
    ("anchored", &["anchor"]),
    ("bifurcation", &["branch"]),
    ("block", &["mass"]),
    ("bodies", &["between", "parts"]),
    ("body", &["on", "mass"]),
    ("c", &["d"]),
    ("coefficient", &["mu_d"]),
    ("cof", &["mu_d"]),
    ("components", &["parts"]),
    ("connects", &["between"]),
    ("controller", &["pid", "rotary_pid"]),
    ("conveyor", &["drive"]),
    ("damping", &["d", "sigma1", "damper"]),
    ("dashpot", &["damper"]),
    ("disc", &["rotor"]),
    ("disk", &["rotor"]),
    ("displacement", &["q", "position"]),
    ("dry_friction", &["coulomb", "contact"]),
    ("dt", &["step"]),
    ("dynamic_friction", &["mu_d"]),
    ("eigenvalues", &["steady"]),
    ("end", &["duration"]),
    ("end_time", &["duration"]),
    ("fft", &["spectrum"]),
    ("fixed", &["anchor"]),
    ("friction", &["law", "contact"]),
    ("friction_coefficient", &["mu_d"]),
    ("friction_law", &["law"]),
    ("friction_model", &["law"]),
    ("gain", &["kp"]),
    ("gear_ratio", &["ratio"]),
    ("ground", &["anchor"]),
    ("inertia", &["mass", "rotor"]),
    ("initial_position", &["q", "angle"]),
    ("initial_velocity", &["v", "speed"]),
    ("integrator", &["method", "solver"]),
    ("j", &["inertia"]),
    ("joint", &["contact"]),
    ("kinetic_friction", &["mu_d"]),
    ("m", &["mass"]),
    ("model", &["kind", "law"]),
    ("moment_of_inertia", &["inertia"]),
    ("motor", &["rotary_drive", "drive"]),
    ("mu", &["mu_d"]),
    ("mu_k", &["mu_d"]),
    ("mu_static", &["mu_s"]),
    ("n", &["load"]),
    ("normal_force", &["load"]),
    ("normal_load", &["load"]),
    ("ode113", &["adams"]),
    ("ode15s", &["bdf", "rodas5p"]),
    ("ode23s", &["rodas4"]),
    ("ode45", &["dopri5"]),
    ("ode78", &["dop853"]),
    ("ode89", &["dop853"]),
    ("omega", &["speed"]),
    ("options", &["solver"]),
    ("outputs", &["show"]),
    ("particle", &["mass"]),
    ("plot", &["show"]),
    ("position", &["q"]),
    ("pre_load", &["load"]),
    ("preload", &["load"]),
    ("proportional", &["kp"]),
    ("pulley", &["drum"]),
    ("radau", &["rodas5p", "bdf"]),
    ("reltol", &["rtol"]),
    ("rk4", &["dopri5"]),
    ("rk45", &["dopri5"]),
    ("rope", &["cable", "segment"]),
    ("run", &["simulate", "studies"]),
    ("sample_time", &["step"]),
    ("settings", &["solver"]),
    ("shaft", &["rotor"]),
    ("simulation", &["simulate", "studies"]),
    ("slider", &["mass"]),
    ("solver", &["method"]),
    ("spring_constant", &["k"]),
    ("stability", &["steady"]),
    ("static_friction", &["mu_s"]),
    ("stick_slip_law", &["law"]),
    ("stiffness", &["k", "sigma0", "spring"]),
    ("stop_time", &["duration"]),
    ("stribeck", &["benson", "lugre"]),
    ("stribeck_velocity", &["v_s"]),
    ("study", &["studies"]),
    ("t", &["duration"]),
    ("t_end", &["duration"]),
    ("t_final", &["duration"]),
    ("tend", &["duration"]),
    ("tf", &["duration"]),
    ("time", &["duration"]),
    ("timestep", &["step"]),
    ("tol", &["rtol"]),
    ("tolerance", &["rtol"]),
    ("transient", &["simulate"]),
    ("tspan", &["duration"]),
    ("tstop", &["duration"]),
    ("type", &["kind"]),
    ("velocity", &["v", "speed"]),
    ("viscous_friction", &["d", "damper"]),
    ("wall", &["anchor"]),
    ("wheel", &["rotor"]),
    ("winch", &["drum"]),
];

/// What a word most likely means among those that are known: another word for it, or one spelt alike.
pub fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let typed = word.to_lowercase().replace(['-', ' '], "_");
    let meanings = WORDS.iter().find(|(w, _)| *w == typed).map_or(&[][..], |(_, meanings)| meanings);
    let found = meanings.iter().find_map(|m| known.iter().find(|k| *k == m).copied());
    found.or_else(|| nearest(word, known))
}

/// The number as it has to be written, where somebody has written a decimal comma.
pub fn with_point(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut commas = text.match_indices(',').map(|(i, _)| i);
    let (first, more) = (commas.next()?, commas.next());
    let is_digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    (more.is_none() && is_digit(first.checked_sub(1)) && is_digit(Some(first + 1)))
        .then(|| text.replacen(',', ".", 1))
}

#[cfg(test)]
mod synonyms_tests {
    use super::*;

    #[test]
    fn words_of_the_field_lead_to_those_of_the_format() {
        assert_eq!(meant("stiffness", ["k", "rest", "between"]), Some("k"));
        assert_eq!(meant("stiffness", ["sigma0", "sigma1"]), Some("sigma0"));
        assert_eq!(meant("t_end", ["duration", "step"]), Some("duration"));
        assert_eq!(meant("controller", ["mass", "pid"]), Some("pid"));
        assert_eq!(meant("ode45", ["auto", "dopri5"]), Some("dopri5"));
        assert_eq!(meant("Friction", ["law", "load"]), Some("law"));
        // What is only spelt wrongly is found as before.
        assert_eq!(meant("sigma_0", ["sigma0", "sigma1"]), Some("sigma0"));
        assert_eq!(meant("zzzz", ["k"]), None);
    }

    #[test]
    fn a_decimal_comma_becomes_a_point() {
        assert_eq!(with_point("1,5 kg").as_deref(), Some("1.5 kg"));
        assert_eq!(with_point("1,000,000 N"), None);
        assert_eq!(with_point("1, 5"), None);
    }

    #[test]
    fn the_words_are_in_order_and_each_stands_once() {
        assert!(WORDS.windows(2).all(|w| w[0].0 < w[1].0));
    }
}
