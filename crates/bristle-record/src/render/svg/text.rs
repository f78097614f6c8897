//! Labels: measuring them before the layout, and writing them as SVG.

use std::fmt::Write;
use std::sync::OnceLock;

use ttf_parser::Face;

use crate::markup::{Level, TextRun, escape, parse};

/// Size of tick labels and legends in pixels.
pub const SMALL: f64 = 12.0;
/// Size of axis labels in pixels.
pub const NORMAL: f64 = 13.0;

/// Size of indices and exponents relative to the line.
const SCRIPT: f64 = 0.74;

/// How a label is set.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// Font size.
    pub size: f64,
    /// `start`, `middle` or `end`.
    pub anchor: &'a str,
    /// Colour.
    pub colour: &'a str,
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether it reads upwards.
    pub is_upright: bool,
    /// Whether a white rim keeps it apart from what lies behind.
    pub has_rim: bool,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Style {
            size: SMALL,
            anchor: "middle",
            colour: "#222222",
            is_bold: false,
            is_upright: false,
            has_rim: false,
        }
    }
}

/// A label at a point of the page, `y` being the baseline.
pub fn label(x: f64, y: f64, text: &str, style: Style) -> String {
    let mut out = format!(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"",
        number(x),
        number(y),
        number(style.size),
        style.anchor,
        style.colour
    );
    if style.is_bold {
        out += " font-weight=\"bold\"";
    }
    if style.is_upright {
        let _ = write!(out, " transform=\"rotate(-90 {} {})\"", number(x), number(y));
    }
    if style.has_rim {
        out += " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3.5\" stroke-linejoin=\"round\"";
    }
    out += ">";
    let mut shift = 0.0;
    for run in parse(text) {
        let level = match run.level {
            Level::Base => 0.0,
            Level::Sub => 0.24 * style.size,
            Level::Sup => -0.38 * style.size,
        };
        out += "<tspan";
        if level != shift {
            let _ = write!(out, " dy=\"{}\"", number(level - shift));
            shift = level;
        }
        if run.level != Level::Base {
            let _ = write!(out, " font-size=\"{}\"", number(SCRIPT * style.size));
        }
        if run.is_italic {
            out += " font-style=\"italic\"";
        }
        if run.is_bold {
            out += " font-weight=\"bold\"";
        }
        let _ = write!(out, ">{}</tspan>", escape(&run.text));
    }
    out + "</text>\n"
}

/// The width of a label in pixels.
pub fn width(text: &str, size: f64, is_bold: bool) -> f64 {
    parse(text).iter().map(|run| run_width(run, size, is_bold)).sum()
}

/// The fonts that words are measured in, in a browser none: they would be half of what is loaded.
const FONTS: [&[u8]; 3] = if cfg!(target_arch = "wasm32") {
    [&[]; 3]
} else {
    [notosans::REGULAR_TTF, notosans::ITALIC_TTF, notosans::BOLD_TTF]
};

/// The width of a letter that is not measured. A glyph that Noto Sans lacks comes from DejaVu Sans, whose signs are about this wide; the
/// letters of names are narrower.
const UNMEASURED: f64 = if cfg!(target_arch = "wasm32") { 0.58 } else { 0.8 };

fn run_width(run: &TextRun, size: f64, is_bold: bool) -> f64 {
    static FACES: OnceLock<[Option<Face<'static>>; 3]> = OnceLock::new();
    let faces = FACES.get_or_init(|| FONTS.map(|ttf| Face::parse(ttf, 0).ok()));
    let face = &faces[if is_bold || run.is_bold { 2 } else { usize::from(run.is_italic) }];
    let size = if run.level == Level::Base { size } else { SCRIPT * size };
    let advance = |c: char| {
        let face = face.as_ref()?;
        let units = face.glyph_hor_advance(face.glyph_index(c)?)?;
        Some(f64::from(units) / f64::from(face.units_per_em()))
    };
    run.text.chars().map(|c| advance(c).unwrap_or(UNMEASURED) * size).sum()
}

/// A coordinate with two decimals and no trailing zeros.
pub fn number(v: f64) -> String {
    let text = format!("{v:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod text_tests {
    use super::*;

    #[test]
    fn widths_follow_the_font() {
        assert!(width("iii", 12.0, false) < width("mmm", 12.0, false));
        assert!(width("10^{-6}", 12.0, false) < width("10-6", 12.0, false) + 3.0);
    }

    #[test]
    fn scripts_return_to_the_line() {
        let svg = label(0.0, 0.0, "$x_1$ & y", Style::default());
        assert!(svg.contains("dy=\"2.88\"") && svg.contains("dy=\"-2.88\"") && svg.contains("&amp;"));
    }
}
