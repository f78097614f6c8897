//! Names find places where they cover nothing.

use super::draft::Draft;
use bristle_record::schematic::{Film, Ink, PartLabel, SymbolForm, label_box};

/// A name that looks for a place.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The part.
    pub part: String,
    /// What it names.
    pub target: [f64; 2],
    /// Middles of its line, the best first.
    pub places: Vec<[f64; 2]>,
    /// The frame it moves with.
    pub frame: usize,
}

impl Wanted {
    /// A name above, below or beside something of half that size.
    pub fn around(part: &str, target: [f64; 2], half: [f64; 2], frame: usize) -> Wanted {
        let width = bristle_record::render::svg::label_width(part);
        let ([x, y], [w, h]) = (target, half);
        let side = w + 6.0 + 0.5 * width;
        let places = vec![
            [x, y - h - 6.0],
            [x, y + h + 14.0],
            [x + side, y + 4.0],
            [x - side, y + 4.0],
            [x + side, y - h],
            [x - side, y - h],
            [x + side, y + h + 8.0],
            [x - side, y + h + 8.0],
        ];
        Wanted { part: part.to_owned(), target, places, frame }
    }
}

/// Whether two boxes overlap.
fn overlap(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Gives every name its place.
pub fn place_all(draft: &mut Draft) {
    let mut taken = draft.taken.clone();
    taken.extend(draft.labels.iter().map(label_box));
    let ink = ink(draft);
    for wanted in std::mem::take(&mut draft.wanted) {
        let label =
            |at: [f64; 2], leader| PartLabel { part: wanted.part.clone(), at, frame: wanted.frame, leader };
        let near = wanted.places.iter().map(|at| label(*at, None));
        // Farther and farther away, with a line back.
        let far = (1..14).flat_map(|ring| {
            (0..16).map(move |k| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 16.0).sin_cos();
                [26.0 * f64::from(ring) * cos, 20.0 * f64::from(ring) * sin]
            })
        });
        let far = far.map(|d| label([wanted.target[0] + d[0], wanted.target[1] + d[1]], Some(wanted.target)));
        let free = |l: &PartLabel| {
            let own = label_box(l);
            !taken.iter().any(|b| overlap(&own, b))
        };
        let cover = |l: &PartLabel| {
            let own = label_box(l);
            ink.iter().filter(|p| own[0] < p[0] && p[0] < own[2] && own[1] < p[1] && p[1] < own[3]).count()
        };
        // The first place that covers nothing; else the one that covers least.
        let all: Vec<PartLabel> = near.chain(far).filter(free).collect();
        let chosen = all.iter().find(|l| cover(l) == 0).or_else(|| all.iter().min_by_key(|l| cover(l)));
        let chosen =
            chosen.cloned().unwrap_or_else(|| label([wanted.target[0], wanted.target[1] - 300.0], None));
        taken.push(label_box(&chosen));
        draft.labels.push(chosen);
    }
}

/// Points of the drawing, every few pixels.
fn ink(draft: &Draft) -> Vec<[f64; 2]> {
    let still = Film::default();
    let mut points = Vec::new();
    for stroke in &draft.strokes {
        // A name may stand on what lies behind everything.
        if stroke.ink == Ink::Paper {
            continue;
        }
        let mut outline = stroke.outline(&still, 0);
        if matches!(stroke.form, SymbolForm::Line { is_closed: true, .. } | SymbolForm::Disc { .. }) {
            outline.extend(outline.first().copied());
        }
        for pair in outline.windows(2) {
            let way = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
            let count = (way[0].hypot(way[1]) / 4.0).ceil().clamp(1.0, 300.0) as usize;
            points.extend((0..=count).map(|k| {
                let share = k as f64 / count as f64;
                [pair[0][0] + share * way[0], pair[0][1] + share * way[1]]
            }));
        }
    }
    points
}
