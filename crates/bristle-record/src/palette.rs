//! One colour per friction law throughout, and colours for everything else.
//!
//! The colours are spread in hue *and* lightness so that they stay apart for colour-blind readers and
//! in grey print; from the ninth law on a dash pattern is added.

use crate::layer::{ColourMap, Dash};

/// Colour and dash of a friction law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawStyle {
    /// The colour, as `#rrggbb`.
    pub colour: &'static str,
    /// The dash pattern.
    pub dash: Dash,
}

/// The colours used in turn where no name decides (after Okabe and Ito, darkened for white paper).
pub const CYCLE: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#c1558f", "#b8860b", "#3a9fd8", "#5b3a8c", "#555555"];

const LAWS: &[(&str, &str, Dash)] = &[
    ("coulomb", "#333333", Dash::Solid),
    ("lugre", "#0072b2", Dash::Solid),
    ("dahl", "#d55e00", Dash::Solid),
    ("elasto_plastic", "#009e73", Dash::Solid),
    ("karnopp", "#c1558f", Dash::Solid),
    ("velocity_based", "#b8860b", Dash::Solid),
    ("stick_slip", "#3a9fd8", Dash::Solid),
    ("gonthier", "#5b3a8c", Dash::Solid),
    ("benson", "#8c8c8c", Dash::Dashed),
    ("smooth_coulomb", "#66584a", Dash::Dashed),
    ("magic_formula", "#9c2a1f", Dash::Dashed),
    ("regularised", "#7a7a1f", Dash::Dashed),
    ("quinn", "#e07fb0", Dash::Dashed),
    ("cdq", "#8f1f5c", Dash::DashDot),
    ("frdyn2", "#006b4f", Dash::DashDot),
    ("adams_like", "#e69f00", Dash::DashDot),
    ("simpack_like", "#1f4e79", Dash::DashDot),
    ("lugre_dwell", "#56a0ff", Dash::DashDot),
    ("threlfall", "#a0a0a0", Dash::Dotted),
    ("hollars", "#a05a2c", Dash::Dotted),
    ("ambrosio", "#5f7f8f", Dash::Dotted),
    ("makkar", "#b03060", Dash::Dotted),
    ("andersson", "#3f7f3f", Dash::Dotted),
    ("brown_mcphee", "#7f3fbf", Dash::Dotted),
    ("bouc_wen", "#c04000", Dash::Dashed),
    ("kikuuwe", "#00858a", Dash::Dashed),
    ("simscape_like", "#4a3c8c", Dash::Dotted),
    ("bliman_sorine1", "#d98c5f", Dash::Dotted),
    ("bliman_sorine2", "#8a4b00", Dash::DashDot),
    ("maxwell_slip", "#2e8b57", Dash::Dotted),
    ("gms", "#6a8e00", Dash::Dashed),
    ("leuven", "#004c99", Dash::Dashed),
    ("dieterich", "#c71585", Dash::Dashed),
    ("ruina", "#e0559a", Dash::Dotted),
    ("perrin_rice", "#9b1b4f", Dash::Dotted),
];

/// Colour and dash of anything with a name: fixed for the friction laws, otherwise derived from the name.
pub fn style_for(name: &str) -> LawStyle {
    match LAWS.iter().find(|(law, _, _)| *law == name) {
        Some(&(_, colour, dash)) => LawStyle { colour, dash },
        None => LawStyle { colour: cycle(fingerprint(name) as usize), dash: Dash::Solid },
    }
}

/// The colour of anything with a name, the same in every figure.
///
/// ```
/// use bristle_record::palette::colour_for;
/// assert_eq!(colour_for("lugre"), "#0072b2");
/// assert_eq!(colour_for("my law"), colour_for("my law"));
/// ```
pub fn colour_for(name: &str) -> &'static str {
    style_for(name).colour
}

/// The `i`-th colour of the cycle.
pub fn cycle(i: usize) -> &'static str {
    CYCLE[i % CYCLE.len()]
}

/// The colour a key stands for: `#rrggbb` itself; `ink`, `grey`, `accent`, `good`, `warn`, `bad`;
/// `cycle:3`; otherwise [`colour_for`] the name.
pub fn resolve(key: &str) -> String {
    let is_hex = |h: &str| matches!(h.len(), 3 | 6) && h.bytes().all(|b| b.is_ascii_hexdigit());
    if key.strip_prefix('#').is_some_and(is_hex) {
        return key.to_owned();
    }
    if let Some(i) = key.strip_prefix("cycle:").and_then(|i| i.parse::<usize>().ok()) {
        return cycle(i).to_owned();
    }
    match key {
        "ink" => "#222222",
        "grey" => "#808080",
        "accent" => CYCLE[0],
        "good" => "#2b8a4b",
        "warn" => "#b7791f",
        "bad" => "#c0392b",
        "white" => "#ffffff",
        name => colour_for(name),
    }
    .to_owned()
}

/// A colour of a map at `s` from 0 to 1, as `#rrggbb`.
pub fn map_colour(map: ColourMap, s: f64) -> String {
    let stops: &[[f64; 3]] = match map {
        ColourMap::Viridis => &VIRIDIS,
        ColourMap::Blues => &BLUES,
        ColourMap::Diverging => &DIVERGING,
    };
    let at = s.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let i = (at.floor() as usize).min(stops.len() - 2);
    let f = at - i as f64;
    let mix = |k: usize| (stops[i][k] + f * (stops[i + 1][k] - stops[i][k])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

const VIRIDIS: [[f64; 3]; 9] = [
    [68.0, 1.0, 84.0],
    [71.0, 44.0, 122.0],
    [59.0, 81.0, 139.0],
    [44.0, 113.0, 142.0],
    [33.0, 144.0, 141.0],
    [39.0, 173.0, 129.0],
    [92.0, 200.0, 99.0],
    [170.0, 220.0, 50.0],
    [253.0, 231.0, 37.0],
];

const BLUES: [[f64; 3]; 5] = [
    [247.0, 251.0, 255.0],
    [198.0, 219.0, 239.0],
    [107.0, 174.0, 214.0],
    [33.0, 113.0, 181.0],
    [8.0, 48.0, 107.0],
];

const DIVERGING: [[f64; 3]; 7] = [
    [33.0, 102.0, 172.0],
    [103.0, 169.0, 207.0],
    [209.0, 229.0, 240.0],
    [247.0, 247.0, 247.0],
    [253.0, 219.0, 199.0],
    [239.0, 138.0, 98.0],
    [178.0, 24.0, 43.0],
];

/// Fowler–Noll–Vo hash: the same on every machine and in every version.
fn fingerprint(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod palette_tests {
    use super::*;

    #[test]
    fn no_two_laws_look_the_same() {
        for (i, a) in LAWS.iter().enumerate() {
            for b in &LAWS[i + 1..] {
                assert_ne!(a.1, b.1, "{} and {}", a.0, b.0);
            }
        }
    }

    #[test]
    fn a_key_cannot_smuggle_markup() {
        assert!(resolve("\"/><script>").starts_with('#'));
        assert_eq!(resolve("#12zz45").len(), 7);
        assert_eq!(resolve("#abc"), "#abc");
    }

    #[test]
    fn maps_end_where_they_should() {
        assert_eq!(map_colour(ColourMap::Viridis, 0.0), "#440154");
        assert_eq!(map_colour(ColourMap::Viridis, 2.0), "#fde725");
    }
}
