//! Markers, dashes and paths.

use std::collections::HashSet;
use std::fmt::Write;

use super::text::number;
use super::thin::PagePoint;
use crate::layer::{Dash, Marker};

/// The dash attribute; empty for a solid line.
pub fn dash(dash: Dash) -> &'static str {
    match dash {
        Dash::Solid => "",
        Dash::Dashed => " stroke-dasharray=\"7 3.5\"",
        Dash::Dotted => " stroke-dasharray=\"1.6 2.8\"",
        Dash::DashDot => " stroke-dasharray=\"8 3 1.8 3\"",
    }
}

/// The path data of open curves.
pub fn curve(pieces: &[Vec<PagePoint>]) -> String {
    let mut d = String::new();
    for piece in pieces {
        for (k, p) in piece.iter().enumerate() {
            let command = match k {
                0 => "M",
                1 => "L",
                _ => " ",
            };
            let _ = write!(d, "{command}{},{}", number(p.0), number(p.1));
        }
        // A lone point between gaps shows as a dot.
        if piece.len() == 1 {
            d += "h.01";
        }
    }
    d
}

/// All markers of one kind as a single path. Every marker starts with an absolute move to its centre, so
/// that a script can shift it without changing its shape.
pub fn path(points: &[PagePoint], marker: Marker, is_hollow: bool, size: f64, colour: &str) -> String {
    let r = 0.5 * size;
    let n = number;
    let shape = match marker {
        Marker::Circle => format!(
            "m{},0a{r},{r} 0 1,0 {s},0a{r},{r} 0 1,0 {},0z",
            n(-r),
            n(-2.0 * r),
            r = n(r),
            s = n(2.0 * r)
        ),
        Marker::Square => {
            let a = 0.88 * r;
            format!("m{m},{m}h{s}v{s}h{}z", n(-2.0 * a), m = n(-a), s = n(2.0 * a))
        }
        Marker::Triangle => format!("m0,{}l{},{}h{}z", n(-1.15 * r), n(r), n(1.8 * r), n(-2.0 * r)),
        Marker::Diamond => format!(
            "m0,{}l{a},{a} {},{a} {m},{m}z",
            n(-1.15 * r),
            n(-1.15 * r),
            a = n(1.15 * r),
            m = n(-1.15 * r)
        ),
        Marker::Cross => {
            let a = 0.8 * r;
            format!("m{m},{m}l{s},{s}m0,{}l{},{s}", n(-2.0 * a), n(-2.0 * a), m = n(-a), s = n(2.0 * a))
        }
        Marker::Plus => format!("m{},0h{s}m{},{}v{s}", n(-r), n(-r), n(-r), s = n(2.0 * r)),
        Marker::Dot => "h.01".into(),
    };
    let mut d = String::new();
    for p in points {
        let _ = write!(d, "M{},{}{shape}", n(p.0), n(p.1));
    }
    let look = match marker {
        Marker::Dot => {
            format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"", n(size))
        }
        Marker::Cross | Marker::Plus => format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\""),
        _ if is_hollow => format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.3\""),
        _ => format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.6\""),
    };
    format!("<path d=\"{d}\" {look}/>")
}

/// Clouds of points without those that fall on the same third of a pixel.
pub fn distinct(points: Vec<PagePoint>) -> Vec<PagePoint> {
    if points.len() < 2000 {
        return points;
    }
    let mut seen = HashSet::new();
    let cell = |v: f64| (v * 3.0).round() as i64;
    points.into_iter().filter(|p| seen.insert((cell(p.0), cell(p.1)))).collect()
}
