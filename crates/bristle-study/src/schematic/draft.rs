//! What a picture is drawn on: strokes, names and the bodies that hold them.

use super::labels::Wanted;
use bristle_mech::{PartKind, Spec, Symbol};
use bristle_record::schematic::{Ink, PartLabel, Stretch, Stroke, SymbolForm, SymbolHold, SymbolPlace};

/// What a frame of the picture follows.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftFollows {
    /// A body on a line; its travel is drawn larger or smaller than it is.
    Line(String),
    /// What turns; positive angles are clockwise.
    Turn(String),
    /// A body in the plane, to scale.
    Plane(String),
    /// A drum, by its place among the drums of a scene, and whether it turns.
    Drum(usize, bool),
    /// The first or the last point of a rope.
    RopeEnd(usize, bool),
}

/// A frame: what it follows, and what it turns about.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameOf {
    /// What it follows.
    pub follows: DraftFollows,
    /// Where it is drawn at rest.
    pub home: [f64; 2],
}

/// The picture as it grows.
pub struct Draft<'a> {
    /// Parts as written.
    pub parts: &'a [(String, Spec)],
    /// Pieces of the drawing.
    pub strokes: Vec<Stroke>,
    /// Names that have their place.
    pub labels: Vec<PartLabel>,
    /// Names that look for one.
    pub wanted: Vec<Wanted>,
    /// Frames from the second on; the first is the page.
    pub frames: Vec<FrameOf>,
    /// Contacts whose state is shown.
    pub contacts: Vec<String>,
    /// Forces shown as arrows: outputs.
    pub forces: Vec<String>,
    /// Boxes that names keep off.
    pub taken: Vec<[f64; 4]>,
    /// Whether there is a run, and with it friction to show.
    pub has_run: bool,
}

impl<'a> Draft<'a> {
    pub fn new(parts: &'a [(String, Spec)]) -> Draft<'a> {
        Draft {
            parts,
            strokes: Vec::new(),
            labels: Vec::new(),
            wanted: Vec::new(),
            frames: Vec::new(),
            contacts: Vec::new(),
            forces: Vec::new(),
            taken: Vec::new(),
            has_run: false,
        }
    }

    /// A frame that follows something; its number.
    pub fn frame(&mut self, follows: DraftFollows, home: [f64; 2]) -> usize {
        self.frames.push(FrameOf { follows, home });
        self.frames.len()
    }

    pub fn push(&mut self, stroke: Stroke) {
        self.strokes.push(stroke);
    }

    /// The number of a contact whose state is shown.
    pub fn contact(&mut self, part: &str) -> usize {
        self.contacts.push(part.to_owned());
        self.contacts.len() - 1
    }

    /// The number of a force shown as an arrow.
    pub fn force(&mut self, output: String) -> usize {
        self.forces.push(output);
        self.forces.len() - 1
    }

    /// A name at its place.
    pub fn label(&mut self, part: &str, x: f64, y: f64, frame: usize) {
        self.labels.push(PartLabel { part: part.to_owned(), at: [x, y], frame, leader: None });
    }

    /// A filled rectangle that belongs to a frame, from its corner.
    pub fn rect(&mut self, part: &str, frame: usize, [x, y, w, h]: [f64; 4], fill: Ink) -> &mut Stroke {
        let corner = |dx: f64, dy: f64| SymbolHold { frame, at: [x + dx, y + dy] };
        let corners = [corner(0.0, 0.0), corner(w, 0.0), corner(w, h), corner(0.0, h)];
        self.push(Stroke::shape(part, corners).filled(fill));
        let last = self.strokes.len() - 1;
        &mut self.strokes[last]
    }

    /// A band between two surfaces, coloured by the state of its contact.
    pub fn band(&mut self, part: &str, frame: usize, at: [f64; 4]) {
        let state = self.contact(part);
        let band = self.rect(part, frame, at, Ink::Contact);
        (band.state, band.ink, band.width) = (Some(state), Ink::Soft, 0.8);
    }

    /// The friction on the body above a contact, once there is a run.
    pub fn friction(&mut self, part: &str, upper: &str, tail: SymbolHold) {
        let spec = self.parts.iter().find(|(name, _)| name == part).map(|(_, spec)| spec);
        let is_first = spec.is_some_and(|s| s.named("between").first().is_some_and(|b| b == upper));
        if self.has_run {
            let sign = if is_first { "-" } else { "" };
            self.arrow(part, tail, [34.0, 0.0], Some(format!("{sign}{part}.force")), Ink::Force);
        }
    }

    /// Ground: a line and short strokes on its far side, which lies in the direction `away`.
    pub fn ground(&mut self, part: &str, frame: usize, from: [f64; 2], to: [f64; 2], away: [f64; 2]) {
        let hold = |p: [f64; 2]| SymbolHold { frame, at: p };
        self.push(Stroke::line(part, [hold(from), hold(to)]).wide(2.0));
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0].hypot(way[1]);
        let count = (length / 8.0).round().max(2.0);
        for k in 0..count as usize {
            let share = (k as f64 + 0.5) / count;
            let start = [from[0] + share * way[0], from[1] + share * way[1]];
            let unit = [way[0] / length, way[1] / length];
            let end = [start[0] + 7.0 * away[0] - 5.0 * unit[0], start[1] + 7.0 * away[1] - 5.0 * unit[1]];
            self.push(Stroke::line(part, [hold(start), hold(end)]).ink(Ink::Soft).wide(1.1));
        }
    }

    /// The symbol of a part from one hold to another.
    pub fn link(&mut self, symbol: Symbol, part: &str, a: SymbolHold, b: SymbolHold) {
        // A point at `share` of the way between leads, some pixels aside.
        let at = |share: f64, lead: f64, aside: f64| SymbolPlace {
            hold: a,
            stretch: Some(Stretch { to: b, share, along: lead * (1.0 - 2.0 * share), aside }),
        };
        let line = |points: &[(f64, f64)]| {
            Stroke::line(part, points.iter().map(|&(s, w)| at(s, 0.0, w)).collect::<Vec<_>>())
        };
        let coil = |from: f64, to: f64| {
            let turns = (0..12).map(|k| {
                let share = f64::from(k) / 11.0;
                let aside = if k == 0 || k == 11 {
                    0.0
                } else if k % 2 == 0 {
                    7.0
                } else {
                    -7.0
                };
                at(from + share * (to - from), 6.0, aside)
            });
            let ends = [at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0)];
            let mut points: Vec<SymbolPlace> = Vec::new();
            if from == 0.0 {
                points.push(ends[0]);
            }
            points.extend(turns);
            if to == 1.0 {
                points.push(ends[1]);
            }
            Stroke::line(part, points)
        };
        let piston = |from: f64, to: f64| {
            let s = |share: f64| from + share * (to - from);
            [
                line(&[(s(0.0), 0.0), (s(0.3), 0.0)]),
                line(&[(s(0.72), -8.0), (s(0.3), -8.0), (s(0.3), 8.0), (s(0.72), 8.0)]),
                line(&[(s(0.55), -6.0), (s(0.55), 6.0)]).wide(2.4),
                line(&[(s(0.55), 0.0), (s(1.0), 0.0)]),
            ]
        };
        match symbol {
            Symbol::Spring => self.push(coil(0.0, 1.0)),
            Symbol::VariableSpring => {
                self.push(coil(0.0, 1.0));
                let head = [(0.62, -8.0), (0.68, -13.0), (0.6, -13.5)];
                self.push(line(&[(0.32, 13.0), (0.68, -13.0)]).wide(1.1));
                self.push(line(&head).wide(1.1));
            }
            Symbol::Damper => piston(0.0, 1.0).into_iter().for_each(|s| self.push(s)),
            Symbol::SpringDamper => {
                self.push(coil(0.0, 0.5));
                piston(0.5, 1.0).into_iter().for_each(|s| self.push(s));
            }
            Symbol::Gap => {
                self.push(line(&[(0.0, 0.0), (0.3, 0.0)]));
                self.push(line(&[
                    (0.68, -5.0),
                    (0.68, -10.0),
                    (0.3, -10.0),
                    (0.3, 10.0),
                    (0.68, 10.0),
                    (0.68, 5.0),
                ]));
                self.push(line(&[(0.5, -6.0), (0.5, 6.0)]).wide(2.4));
                self.push(line(&[(0.5, 0.0), (1.0, 0.0)]));
            }
            Symbol::Stop => {
                self.push(line(&[(0.0, 0.0), (0.4, 0.0)]));
                self.push(line(&[(0.4, -10.0), (0.4, 10.0)]).wide(3.0));
                self.push(line(&[(0.6, -10.0), (0.6, 10.0)]).wide(3.0));
                self.push(line(&[(0.6, 0.0), (1.0, 0.0)]));
            }
            Symbol::Magnet => {
                self.push(line(&[(0.0, 0.0), (0.54, 0.0)]));
                self.push(line(&[(0.54, -8.0), (0.54, 8.0)]).wide(3.0));
                for side in [-1.0, 1.0] {
                    let magnet = [(0.4, 3.5), (0.68, 3.5), (0.68, 12.0), (0.4, 12.0)];
                    let magnet = magnet.map(|(s, w)| at(s, 0.0, side * w));
                    self.push(Stroke::shape(part, magnet).filled(Ink::Body));
                    self.push(line(&[(0.68, side * 8.0), (0.82, side * 8.0), (0.82, 0.0)]));
                }
                self.push(line(&[(0.82, 0.0), (1.0, 0.0)]));
            }
            Symbol::Contact | Symbol::Capstan => {
                let state = self.contact(part);
                let lining = [(0.44, -13.0), (0.56, -13.0), (0.56, 13.0), (0.44, 13.0)];
                let lining = lining.map(|(s, w)| at(s, 0.0, w));
                self.push(line(&[(0.0, 0.0), (0.44, 0.0)]));
                self.push(line(&[(0.56, 0.0), (1.0, 0.0)]));
                let mut lining = Stroke::shape(part, lining).filled(Ink::Contact).wide(0.8);
                lining.state = Some(state);
                self.push(lining);
                for share in [0.44, 0.56] {
                    self.push(line(&[(share, -13.0), (share, 13.0)]).wide(3.0));
                }
            }
            Symbol::Freewheel => {
                self.push(line(&[(0.0, 0.0), (0.4, 0.0)]));
                let wedge = [(0.4, -9.0), (0.6, 0.0), (0.4, 9.0)].map(|(s, w)| at(s, 0.0, w));
                self.push(Stroke::shape(part, wedge).filled(Ink::Body));
                self.push(line(&[(0.6, -10.0), (0.6, 10.0)]).wide(2.6));
                self.push(line(&[(0.6, 0.0), (1.0, 0.0)]));
            }
            Symbol::Gear => {
                let (small, large) = (at(0.5, 0.0, -8.0), at(0.5, 0.0, 6.5));
                self.push(Stroke::line(part, [at(0.0, 0.0, 0.0), at(0.32, 0.0, 0.0), small]));
                self.push(Stroke::line(part, [large, at(0.68, 0.0, 0.0), at(1.0, 0.0, 0.0)]));
                for (centre, radius) in [(small, 5.0), (large, 8.5)] {
                    self.push(Stroke::disc(part, centre, radius + 1.5).wide(3.0).dashed(2.2));
                    self.push(Stroke::disc(part, centre, radius).filled(Ink::Body).wide(1.2));
                }
            }
            Symbol::Rack => {
                self.push(line(&[(0.0, 0.0), (0.25, 0.0), (0.25, 9.0), (0.8, 9.0)]).wide(2.2));
                self.push(line(&[(0.3, 11.5), (0.8, 11.5)]).wide(3.0).dashed(2.2));
                let centre = at(0.62, 0.0, -1.0);
                self.push(Stroke::disc(part, centre, 9.0).filled(Ink::Body));
                self.push(Stroke::line(part, [centre, at(1.0, 0.0, 0.0)]));
            }
            Symbol::Lever => {
                self.push(line(&[(0.0, 0.0), (1.0, 0.0)]).wide(3.0));
                let pivot = [(0.4, 1.5), (0.3, 12.0), (0.5, 12.0)].map(|(s, w)| at(s, 0.0, w));
                self.push(Stroke::shape(part, pivot).filled(Ink::Paper));
            }
            Symbol::Rope | Symbol::Cable => {
                self.push(line(&[(0.0, 0.0), (1.0, 0.0)]).ink(Ink::Rope).wide(2.2))
            }
            // What is no link is joined by a thin line.
            Symbol::Block
            | Symbol::Point
            | Symbol::Trolley
            | Symbol::Wall
            | Symbol::Belt
            | Symbol::Rotor
            | Symbol::Motor
            | Symbol::Gravity
            | Symbol::Force
            | Symbol::Torque
            | Symbol::Controller
            | Symbol::CableEnd
            | Symbol::Drum => self.push(line(&[(0.0, 0.0), (1.0, 0.0)]).ink(Ink::Soft).wide(1.2).dashed(4.0)),
        }
    }

    /// An arrow from a hold, as long as an output is large.
    pub fn arrow(&mut self, part: &str, tail: SymbolHold, reach: [f64; 2], output: Option<String>, ink: Ink) {
        let force = output.map(|o| self.force(o));
        let form = SymbolForm::Arrow { tail: tail.into(), reach, force };
        self.push(Stroke::new(part, form).ink(ink).wide(2.4));
    }

    /// A box with its name in it, around a middle; its width.
    pub fn named_box(&mut self, part: &str, [x, y]: [f64; 2]) -> f64 {
        let width = bristle_record::render::svg::label_width(part) + 16.0;
        self.rect(part, 0, [x - 0.5 * width, y - 12.0, width, 24.0], Ink::Paper).ink = Ink::Drive;
        self.label(part, x, y + 4.0, 0);
        width
    }
}

/// The symbol of a part as written.
pub fn symbol(spec: &Spec) -> Option<Symbol> {
    PartKind::named(&spec.kind).map(PartKind::symbol)
}

/// The number of that name in a part as written.
pub fn number(spec: &Spec, name: &str) -> Option<f64> {
    let card = PartKind::named(&spec.kind)?.card();
    let place = card.numbers().position(|f| f.name == name)?;
    spec.numbers.get(place).copied().filter(|v| v.is_finite())
}

/// The word chosen for a field of a part as written.
pub fn choice(spec: &Spec, name: &str) -> Option<&'static str> {
    let card = PartKind::named(&spec.kind)?.card();
    let place = card.choices().position(|f| f.name == name)?;
    let bristle_core::Kind::Choice { options } = card.field(name)?.kind else { return None };
    options.get(usize::from(spec.choices.get(place)?.0)).copied()
}

/// The bodies a part names, the ground among them.
pub fn ends(spec: &Spec) -> Vec<&str> {
    let fields = ["between", "on", "against", "body", "rotor", "sun", "ring", "carrier", "turns"];
    let named = |field: &&str| spec.named(field).iter().map(String::as_str).collect::<Vec<_>>();
    fields.iter().flat_map(named).collect()
}
