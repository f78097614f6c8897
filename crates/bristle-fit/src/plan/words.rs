//! Which regime a record lacks, in words.

use super::Guess;
use bristle_core::Role;
use bristle_core::units::short;

/// A length with a prefix that suits it.
fn length(metres: f64) -> String {
    let (value, unit) = match metres {
        m if m < 1e-3 => (m * 1e6, "µm"),
        m if m < 1.0 => (m * 1e3, "mm"),
        m => (m, "m"),
    };
    format!("{} {unit}", rounded(value))
}

fn rounded(value: f64) -> String {
    let text = format!("{value:.1e}");
    text.parse::<f64>().map_or(text, short)
}

/// Where the law shows a number of this role, as a motion to be made.
pub fn regime(guess: &Guess, role: Option<Role>) -> String {
    let (_, give) = guess.grip();
    let about = [Role::StribeckVelocity, Role::KineticVelocity, Role::RegularisationVelocity];
    let speed = about.into_iter().find_map(|role| guess.number(role));
    let speed = speed.map_or(String::new(), |v| format!(" ({}/s)", length(v)));
    let within = give.map_or(String::new(), |z| format!(" of {}", length(z)));
    match role {
        Some(
            Role::StaticFriction
            | Role::StaticExcess
            | Role::StribeckVelocity
            | Role::StribeckExponent
            | Role::Steepness,
        ) => {
            format!("slow sliding, at and below the speed where friction falls{speed}")
        }
        Some(Role::KineticFriction | Role::KineticVelocity | Role::ReferenceFriction) => {
            format!("steady sliding, faster than friction falls{speed}")
        }
        Some(Role::ViscousCoefficient) | None => {
            "sliding at clearly different speeds, in both directions, as fast as can be".to_owned()
        }
        Some(Role::BristleStiffness) => format!("reversals before sliding, within the deflection{within}"),
        Some(Role::BristleDamping) => {
            format!(
                "fast reversals before sliding, so that bristles bend quickly within the deflection{within}"
            )
        }
        Some(
            Role::ElasticDeflection | Role::SaturationDeflection | Role::PreslidingDistance | Role::Shape,
        ) => {
            format!("loops of small amplitude, below and about the deflection{within}")
        }
        Some(Role::FrictionShare | Role::StiffnessShare) => {
            format!(
                "loops of several amplitudes, up to where every element yields, some times the deflection{within}"
            )
        }
        Some(Role::DwellTime) => "rests of different lengths between slides".to_owned(),
        Some(Role::RenewalDistance | Role::DirectEffect | Role::EvolutionEffect) => {
            let over =
                guess.number(Role::RenewalDistance).map_or(String::new(), |d| format!(" of {}", length(d)));
            format!(
                "steps of speed by a factor of three or ten, each held over several renewal distances{over}"
            )
        }
        Some(Role::RegularisationVelocity | Role::RestVelocity | Role::ReferenceVelocity) => {
            format!("passing through rest slowly{speed}")
        }
        Some(Role::Other) => {
            "more of what the law describes beside sliding: reversals, rests, steps of speed".to_owned()
        }
    }
}
