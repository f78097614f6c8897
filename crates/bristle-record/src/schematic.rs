//! Pictures of mechanisms: strokes that are held by bodies, and how the bodies move.
//!
//! A picture is measured in pixels, `y` downwards. Every point is held by a frame, a body that moves on the page, or hangs between
//! two of them, as the coil of a spring does. Frame 0 is the page itself.

use serde::{Deserialize, Serialize};

/// A picture of a mechanism, drawn from its parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schematic {
    /// Identifier, unique within the record; the file name in `figures/` is made from it.
    pub id: String,
    /// Title. Inline markup is allowed.
    pub title: String,
    /// What is seen; may be empty.
    pub caption: String,
    /// Width and height.
    pub size: [f64; 2],
    /// What is drawn, from behind to the front.
    pub strokes: Vec<Stroke>,
    /// Names of parts.
    pub labels: Vec<PartLabel>,
    /// How it moves; empty for a still picture.
    pub film: Film,
}

/// A piece of the drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// The part it belongs to.
    pub part: String,
    /// Its shape.
    pub form: SymbolForm,
    /// What it is drawn with.
    pub ink: Ink,
    /// What it is filled with, if it is.
    pub fill: Option<Ink>,
    /// Width of the line.
    pub width: f64,
    /// Length of dashes and of the gaps between them; zero for a solid line.
    pub dash: f64,
    /// The frame along whose motion the dashes slide: the surface of a belt.
    pub slide: Option<usize>,
    /// The contact whose state is its colour.
    pub state: Option<usize>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SymbolForm {
    /// A line through points.
    Line {
        /// The points.
        points: Vec<SymbolPlace>,
        /// Whether the last is joined to the first.
        is_closed: bool,
    },
    /// A circle.
    Disc {
        /// Its centre.
        centre: SymbolPlace,
        /// Its radius.
        radius: f64,
    },
    /// An arrow as long as its force is large.
    Arrow {
        /// Where it begins.
        tail: SymbolPlace,
        /// Where it ends at the largest force, from its tail.
        reach: [f64; 2],
        /// Which force of the film; without one it is as long as it can be.
        force: Option<usize>,
    },
    /// A curve of its own at every instant.
    Rope {
        /// Which curve of the film.
        rope: usize,
        /// The curve where nothing moves.
        points: Vec<[f64; 2]>,
    },
}

/// What a stroke is drawn or filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ink {
    /// Outlines.
    Ink,
    /// What stands still.
    Soft,
    /// Bodies.
    Body,
    /// The page.
    Paper,
    /// What drives.
    Drive,
    /// Forces.
    Force,
    /// Ropes.
    Rope,
    /// A contact.
    Contact,
}

impl Ink {
    /// Every ink.
    pub const ALL: [Ink; 8] =
        [Ink::Ink, Ink::Soft, Ink::Body, Ink::Paper, Ink::Drive, Ink::Force, Ink::Rope, Ink::Contact];

    /// The class of styles.
    pub fn name(self) -> &'static str {
        match self {
            Ink::Ink => "ink",
            Ink::Soft => "soft",
            Ink::Body => "body",
            Ink::Paper => "paper",
            Ink::Drive => "drive",
            Ink::Force => "force",
            Ink::Rope => "rope",
            Ink::Contact => "contact",
        }
    }

    /// The colour on white paper.
    pub fn colour(self) -> &'static str {
        match self {
            Ink::Ink => "#1d2329",
            Ink::Soft => "#6b7580",
            Ink::Body => "#d7e3ee",
            Ink::Paper => "#ffffff",
            Ink::Drive => "#0a5a8c",
            Ink::Force => "#a63c00",
            Ink::Rope => "#8a5a00",
            Ink::Contact => "#e3e7eb",
        }
    }
}

/// How a contact behaves, as it is coloured; unknown before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactState {
    /// It sticks.
    Sticks,
    /// It slips.
    Slips,
    /// Nothing presses on it.
    Open,
}

impl ContactState {
    /// Every state.
    pub const ALL: [ContactState; 3] = [ContactState::Sticks, ContactState::Slips, ContactState::Open];

    /// The class of styles, and what the legend says.
    pub fn name(self) -> &'static str {
        match self {
            ContactState::Sticks => "sticks",
            ContactState::Slips => "slips",
            ContactState::Open => "open",
        }
    }

    /// The colour on white paper; words on it stay legible.
    pub fn colour(self) -> &'static str {
        match self {
            ContactState::Sticks => "#9ccbe8",
            ContactState::Slips => "#f2a66a",
            ContactState::Open => "#ffffff",
        }
    }
}

/// A point held by a frame, or hung between two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolPlace {
    /// What holds it.
    pub hold: SymbolHold,
    /// What else holds it, and how far it is from one to the other.
    pub stretch: Option<Stretch>,
}

/// A point of a frame, where the frame is at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolHold {
    /// Which frame; 0 is the page.
    pub frame: usize,
    /// Where.
    pub at: [f64; 2],
}

/// How a point hangs between two others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// The other end.
    pub to: SymbolHold,
    /// The part of the way to it.
    pub share: f64,
    /// Pixels along the way, added to that part.
    pub along: f64,
    /// Pixels to the side.
    pub aside: f64,
}

/// The name of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartLabel {
    /// The part.
    pub part: String,
    /// Where its middle stands, on the line of writing.
    pub at: [f64; 2],
    /// The frame it moves with.
    pub frame: usize,
    /// Where a thin line leads from it, if it stands apart.
    pub leader: Option<[f64; 2]>,
}

/// How a picture moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Film {
    /// Instants, s.
    pub times: Vec<f64>,
    /// The motion of each frame; the first is the page.
    pub tracks: Vec<Track>,
    /// The state of each contact at each instant.
    pub states: Vec<Vec<ContactState>>,
    /// Each force at each instant, as a part of the largest.
    pub forces: Vec<Vec<f64>>,
    /// Each rope at each instant.
    pub ropes: Vec<Vec<Vec<[f64; 2]>>>,
    /// How many times faster than real time it is played unless told otherwise.
    pub speed: f64,
}

/// How a frame moves; a list is empty where nothing changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// What it turns about, where it is at rest.
    pub pivot: [f64; 2],
    /// To the right, px.
    pub x: Vec<f64>,
    /// Downwards, px.
    pub y: Vec<f64>,
    /// Clockwise, rad.
    pub angle: Vec<f64>,
}

impl From<SymbolHold> for SymbolPlace {
    fn from(hold: SymbolHold) -> SymbolPlace {
        SymbolPlace { hold, stretch: None }
    }
}

impl SymbolHold {
    /// A point of the page.
    pub fn page(x: f64, y: f64) -> SymbolHold {
        SymbolHold { frame: 0, at: [x, y] }
    }

    /// A point of the same frame, some pixels away.
    pub fn moved(self, x: f64, y: f64) -> SymbolHold {
        SymbolHold { at: [self.at[0] + x, self.at[1] + y], ..self }
    }
}

impl Film {
    fn hold(&self, hold: &SymbolHold, k: usize) -> [f64; 2] {
        let Some(track) = self.tracks.get(hold.frame) else { return hold.at };
        let value = |list: &[f64]| list.get(k).copied().unwrap_or(0.0);
        let (sin, cos) = value(&track.angle).sin_cos();
        let [x, y] = [hold.at[0] - track.pivot[0], hold.at[1] - track.pivot[1]];
        [
            track.pivot[0] + cos * x - sin * y + value(&track.x),
            track.pivot[1] + sin * x + cos * y + value(&track.y),
        ]
    }

    /// Where a point is at an instant.
    pub fn place(&self, place: &SymbolPlace, k: usize) -> [f64; 2] {
        let from = self.hold(&place.hold, k);
        let Some(stretch) = &place.stretch else { return from };
        let to = self.hold(&stretch.to, k);
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0].hypot(way[1]).max(1e-9);
        let unit = [way[0] / length, way[1] / length];
        let along = stretch.share * length + stretch.along;
        [
            from[0] + along * unit[0] - stretch.aside * unit[1],
            from[1] + along * unit[1] + stretch.aside * unit[0],
        ]
    }

    /// Whether a frame moves at all.
    pub fn moves(&self, frame: usize) -> bool {
        self.tracks.get(frame).is_some_and(|t| !(t.x.is_empty() && t.y.is_empty() && t.angle.is_empty()))
    }
}

impl Stroke {
    /// An outline of a part.
    pub fn new(part: &str, form: SymbolForm) -> Stroke {
        Stroke {
            part: part.to_owned(),
            form,
            ink: Ink::Ink,
            fill: None,
            width: 1.6,
            dash: 0.0,
            slide: None,
            state: None,
        }
    }

    /// A line through points.
    pub fn line(part: &str, points: impl IntoIterator<Item = impl Into<SymbolPlace>>) -> Stroke {
        let points = points.into_iter().map(Into::into).collect();
        Stroke::new(part, SymbolForm::Line { points, is_closed: false })
    }

    /// A closed line through points.
    pub fn shape(part: &str, points: impl IntoIterator<Item = impl Into<SymbolPlace>>) -> Stroke {
        let points = points.into_iter().map(Into::into).collect();
        Stroke::new(part, SymbolForm::Line { points, is_closed: true })
    }

    /// A circle.
    pub fn disc(part: &str, centre: impl Into<SymbolPlace>, radius: f64) -> Stroke {
        Stroke::new(part, SymbolForm::Disc { centre: centre.into(), radius })
    }

    /// The same in another ink.
    pub fn ink(self, ink: Ink) -> Stroke {
        Stroke { ink, ..self }
    }

    /// The same, filled.
    pub fn filled(self, ink: Ink) -> Stroke {
        Stroke { fill: Some(ink), ..self }
    }

    /// The same with a line of another width.
    pub fn wide(self, width: f64) -> Stroke {
        Stroke { width, ..self }
    }

    /// The same, dashed.
    pub fn dashed(self, dash: f64) -> Stroke {
        Stroke { dash, ..self }
    }

    /// Points of the drawing at an instant, to be measured.
    pub fn outline(&self, film: &Film, k: usize) -> Vec<[f64; 2]> {
        match &self.form {
            SymbolForm::Line { points, .. } => points.iter().map(|p| film.place(p, k)).collect(),
            SymbolForm::Disc { centre, radius } => {
                let [x, y] = film.place(centre, k);
                let r = *radius;
                vec![[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]]
            }
            SymbolForm::Arrow { tail, reach, force } => {
                let [x, y] = film.place(tail, k);
                let share = force.and_then(|f| film.forces.get(f)?.get(k)).copied().unwrap_or(1.0);
                vec![[x, y], [x + share * reach[0], y + share * reach[1]]]
            }
            SymbolForm::Rope { rope, points } => {
                film.ropes.get(*rope).and_then(|frames| frames.get(k)).unwrap_or(points).clone()
            }
        }
    }

    /// Whether it changes while the film runs.
    pub fn is_moving(&self, film: &Film) -> bool {
        if film.times.len() < 2 {
            return false;
        }
        let held =
            |p: &SymbolPlace| film.moves(p.hold.frame) || p.stretch.is_some_and(|s| film.moves(s.to.frame));
        let moves = match &self.form {
            SymbolForm::Line { points, .. } => points.iter().any(held),
            SymbolForm::Disc { centre, .. } => held(centre),
            SymbolForm::Arrow { tail, force, .. } => force.is_some() || held(tail),
            SymbolForm::Rope { rope, .. } => film.ropes.get(*rope).is_some_and(|frames| frames.len() > 1),
        };
        moves || self.state.is_some() || self.slide.is_some_and(|frame| film.moves(frame))
    }
}

/// The box a label takes: left, top, right, bottom.
pub fn label_box(label: &PartLabel) -> [f64; 4] {
    let width = crate::render::svg::label_width(&label.part);
    let [x, y] = label.at;
    [x - 0.5 * width, y - 10.0, x + 0.5 * width, y + 3.0]
}

#[cfg(test)]
mod schematic_tests {
    use super::*;

    #[test]
    fn a_point_between_two_bodies_follows_both() {
        let film = Film {
            times: vec![0.0, 1.0],
            tracks: vec![Track::default(), Track { x: vec![0.0, 10.0], ..Track::default() }],
            ..Film::default()
        };
        let middle = SymbolPlace {
            hold: SymbolHold::page(0.0, 0.0),
            stretch: Some(Stretch {
                to: SymbolHold { frame: 1, at: [100.0, 0.0] },
                share: 0.5,
                along: 0.0,
                aside: 4.0,
            }),
        };
        assert_eq!(film.place(&middle, 0), [50.0, 4.0]);
        assert_eq!(film.place(&middle, 1), [55.0, 4.0]);
        let line = Stroke::line("spring", [middle]);
        assert!(line.is_moving(&film) && !line.is_moving(&Film::default()));
    }

    #[test]
    fn a_frame_turns_about_its_pivot() {
        let track = Track { pivot: [5.0, 5.0], angle: vec![std::f64::consts::FRAC_PI_2], ..Track::default() };
        let film = Film { times: vec![0.0], tracks: vec![Track::default(), track], ..Film::default() };
        let [x, y] = film.place(&SymbolHold { frame: 1, at: [6.0, 5.0] }.into(), 0);
        assert!((x - 5.0).abs() < 1e-12 && (y - 6.0).abs() < 1e-12, "clockwise on the page: {x}, {y}");
    }
}
