//! Bodies in the plane, cables and drums: where and as large as they are.

use super::draft::{Draft, DraftFollows, choice, ends, number, symbol};
use super::labels::Wanted;
use crate::scene::Scene;
use bristle_mech::{PartKind, Spec, Symbol};
use bristle_record::render::svg::label_width;
use bristle_record::schematic::{Ink, Stroke, SymbolForm, SymbolHold};
use std::collections::{HashMap, HashSet};

/// The largest picture, px.
const WIDEST: f64 = 600.0;
const HIGHEST: f64 = 330.0;

/// Everything that is drawn where it is.
pub struct Plane<'a> {
    members: HashSet<&'a str>,
}

/// Where things are at one instant.
pub struct Sight<'s> {
    /// Bodies, by name.
    pub places: HashMap<String, [f64; 2]>,
    /// Ropes and drums.
    pub scene: Option<&'s Scene>,
}

/// From metres to pixels.
#[derive(Clone, Copy, Debug)]
pub struct SchematicSheet {
    /// Pixels of a metre.
    pub scale: f64,
    /// What lies at the origin of the page.
    pub corner: [f64; 2],
}

impl SchematicSheet {
    /// A point of the plane on the page.
    pub fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.corner[0]) * self.scale, (self.corner[1] - y) * self.scale]
    }

    /// The sheet on which all of it fits.
    fn fitting(sights: &[Sight], members: &HashSet<&str>) -> SchematicSheet {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut hold = |p: [f64; 2], r: f64| {
            for c in 0..2 {
                low[c] = low[c].min(p[c] - r);
                high[c] = high[c].max(p[c] + r);
            }
        };
        for sight in sights {
            sight
                .places
                .iter()
                .filter(|(n, _)| members.contains(n.as_str()))
                .for_each(|(_, p)| hold(*p, 0.0));
            if let Some(scene) = sight.scene {
                scene.ropes.iter().flatten().for_each(|p| hold(*p, 0.0));
                scene.drums.iter().for_each(|d| hold(d.centre, d.radius));
            }
        }
        if !(low[0].is_finite() && low[1].is_finite()) {
            return SchematicSheet { scale: 100.0, corner: [0.0, 0.0] };
        }
        let [w, h] = [high[0] - low[0], high[1] - low[1]];
        let scale = (WIDEST / w.max(1e-9)).min(HIGHEST / h.max(1e-9));
        SchematicSheet {
            scale: if scale.is_finite() && scale < 1e7 { scale } else { 100.0 },
            corner: [low[0], high[1]],
        }
    }
}

/// Kinds that lie in the plane whatever they are joined to.
fn is_planar(spec: &Spec) -> bool {
    let kind = PartKind::named(&spec.kind);
    kind.is_some_and(PartKind::is_of_cable)
        || matches!(
            spec.kind.as_str(),
            "planar_mass" | "planar_drive" | "trolley" | "segment" | "planar_contact"
        )
}

impl<'a> Plane<'a> {
    /// Which of the parts lie in the plane.
    pub fn new(parts: &'a [(String, Spec)]) -> Plane<'a> {
        let mut members: HashSet<&str> =
            parts.iter().filter(|(_, s)| is_planar(s)).map(|(n, _)| n.as_str()).collect();
        let joins = |s: &&Spec| matches!(s.kind.as_str(), "segment" | "planar_contact");
        for spec in parts.iter().map(|(_, s)| s).filter(joins) {
            members.extend(spec.named("between").iter().map(String::as_str));
        }
        // Surfaces under trolleys and in the plane, and what carries drums and ends.
        let is_body =
            |name: &str| parts.iter().any(|(n, s)| n == name && symbol(s).is_some_and(Symbol::is_body));
        for (_, spec) in parts.iter().filter(|(_, s)| matches!(s.kind.as_str(), "drum" | "cable_end")) {
            let carrier = spec.named("on").iter().map(String::as_str);
            let lies = |n: &&str| {
                parts.iter().any(|(p, s)| {
                    p == n && matches!(s.kind.as_str(), "planar_mass" | "trolley" | "drive" | "anchor")
                })
            };
            members.extend(carrier.filter(lies));
        }
        members.retain(|n| *n != "ground");
        for (name, spec) in parts {
            let ends: Vec<&str> = ends(spec).into_iter().filter(|e| is_body(e)).collect();
            let is_link = symbol(spec).is_some_and(|s| !s.is_body());
            if is_link && !ends.is_empty() && ends.iter().all(|e| members.contains(e)) {
                members.insert(name);
            }
        }
        // The weight of what lies in the plane is drawn there.
        let is_weight = |s: &Spec| symbol(s) == Some(Symbol::Gravity);
        if !members.is_empty() {
            members.extend(parts.iter().filter(|(_, s)| is_weight(s)).map(|(n, _)| n.as_str()));
        }
        Plane { members }
    }

    /// Whether a part is drawn here.
    pub fn holds(&self, part: &str) -> bool {
        self.members.contains(part)
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Draws it; tells where each body is, how large a metre is, and how far down the drawing reaches.
    pub fn draw(
        &self,
        draft: &mut Draft<'a>,
        sights: &[Sight],
    ) -> (HashMap<&'a str, SymbolHold>, SchematicSheet, f64) {
        let sheet = SchematicSheet::fitting(sights, &self.members);
        let mut holds: HashMap<&'a str, SymbolHold> = HashMap::new();
        let Some(first) = sights.first() else { return (holds, sheet, 0.0) };
        let parts = draft.parts;
        let mine = || parts.iter().filter(|(n, _)| self.holds(n)).map(|(n, s)| (n.as_str(), s));
        // Bodies hold what joins them, so that their frames come first.
        let mut drums = 0;
        for (name, spec) in mine() {
            let Some(kind) = symbol(spec).filter(|s| s.is_body()) else { continue };
            if kind == Symbol::Drum {
                let Some(shape) = first.scene.and_then(|s| s.drums.get(drums)) else { continue };
                let at = sheet.at(shape.centre);
                let frame = draft.frame(DraftFollows::Drum(drums, false), at);
                holds.insert(name, SymbolHold { frame, at });
                drums += 1;
            } else {
                let at = sheet.at(first.places.get(name).copied().unwrap_or([0.0, 0.0]));
                let frame = if kind == Symbol::Wall {
                    0
                } else {
                    draft.frame(DraftFollows::Plane(name.to_owned()), at)
                };
                holds.insert(name, SymbolHold { frame, at });
            }
        }
        let ground = [sheet.at([0.0, 0.0])[0], sheet.at([0.0, 0.0])[1]];
        let bounds = bounds(sights, &sheet, &self.members);
        self.surfaces(draft, &holds, &bounds, sights, &sheet);
        self.ropes(draft, first, &sheet, &mut holds);
        let mut pairs: Vec<Vec<&str>> = Vec::new();
        for (name, spec) in mine() {
            let Some(kind) = symbol(spec).filter(|s| !s.is_body()) else { continue };
            let joined = ends(spec);
            match (kind, &joined[..]) {
                (Symbol::Contact, [on, other]) if spec.kind == "planar_contact" => {
                    planar_contact(draft, name, holds.get(on).or(holds.get(other)).copied());
                }
                (Symbol::Contact, [one, two]) => {
                    let hold = holds.get(one).or(holds.get(two)).copied();
                    rail_contact(draft, name, hold, ground[1]);
                }
                (Symbol::Contact, [on]) => {
                    shoe(draft, name, holds.get(on).copied(), radius(parts, on, &sheet, first))
                }
                (Symbol::Force | Symbol::Torque, [on, ..]) => {
                    push(draft, name, spec, holds.get(on).copied());
                }
                (Symbol::Gravity, _) => {
                    let beside =
                        if parts.iter().any(|(_, s)| s.kind == "planar_drive") { 120.0 } else { 34.0 };
                    let at = [bounds[2] + beside, bounds[1] + 6.0];
                    if choice(spec, "plane") == Some("floor") {
                        // The weight points into the page.
                        let centre = SymbolHold::page(at[0], at[1] + 12.0);
                        draft.push(Stroke::disc(name, centre, 9.0).ink(Ink::Force));
                        for s in [-1.0, 1.0] {
                            let cross = [centre.moved(-6.0, -6.0 * s), centre.moved(6.0, 6.0 * s)];
                            draft.push(Stroke::line(name, cross).ink(Ink::Force));
                        }
                    } else {
                        draft.arrow(name, SymbolHold::page(at[0], at[1]), [0.0, 34.0], None, Ink::Force);
                    }
                    draft.wanted.push(Wanted::around(name, [at[0], at[1] + 12.0], [8.0, 22.0], 0));
                }
                (Symbol::Cable | Symbol::CableEnd | Symbol::Controller, _) => {}
                (_, [one, two, ..]) => {
                    let mut pair = vec![*one, *two];
                    pair.sort_unstable();
                    let aside = 26.0 * pairs.iter().filter(|p| **p == pair).count() as f64;
                    pairs.push(pair);
                    let hold =
                        |n: &str| holds.get(n).copied().unwrap_or(SymbolHold::page(ground[0], ground[1]));
                    let (a, b) = (hold(one).moved(0.0, aside), hold(two).moved(0.0, aside));
                    for (n, h) in [(one, a), (two, b)] {
                        if !holds.contains_key(n) {
                            draft.ground(
                                name,
                                0,
                                [h.at[0], h.at[1] - 11.0],
                                [h.at[0], h.at[1] + 11.0],
                                [-1.0, 0.0],
                            );
                        }
                    }
                    draft.link(kind, name, a, b);
                    let middle = [0.5 * (a.at[0] + b.at[0]), 0.5 * (a.at[1] + b.at[1])];
                    draft.wanted.push(Wanted::around(name, middle, [10.0, 8.0], 0));
                }
                _ => {}
            }
        }
        self.bodies(draft, &holds, first, &sheet);
        self.cable_ends(draft, &holds, first, &sheet);
        let low = self.controllers(draft, &holds, &bounds);
        (holds, sheet, low)
    }

    /// Rails, and surfaces seen from above.
    fn surfaces(
        &self,
        draft: &mut Draft<'a>,
        holds: &HashMap<&'a str, SymbolHold>,
        bounds: &[f64; 4],
        sights: &[Sight],
        sheet: &SchematicSheet,
    ) {
        let [left, top, right, low] = *bounds;
        let parts = draft.parts;
        for (name, spec) in parts.iter().filter(|(n, _)| self.holds(n)) {
            if spec.kind == "planar_drive" {
                let Some(hold) = holds.get(name.as_str()) else { continue };
                let plate = [left - 90.0, top - 56.0, right - left + 180.0, low - top + 112.0];
                draft.rect(name, 0, plate, Ink::Paper).ink = Ink::Drive;
                let way = |c: usize| {
                    let of = |s: &Sight| s.places.get(name.as_str()).map_or(0.0, |p| p[c]);
                    sights.last().map_or(0.0, of) - sights.first().map_or(0.0, of)
                };
                let is_upright = way(1).abs() > way(0).abs()
                    || number(spec, "vy").unwrap_or(0.0).abs() > number(spec, "vx").unwrap_or(0.0).abs();
                for k in 1..=5 {
                    let share = f64::from(k) / 6.0;
                    let [x, y] = [plate[0] + share * plate[2], plate[1] + share * plate[3]];
                    let (a, b) = if is_upright {
                        ([x, plate[1] + 5.0], [x, plate[1] + plate[3] - 5.0])
                    } else {
                        ([plate[0] + 5.0, y], [plate[0] + plate[2] - 5.0, y])
                    };
                    let mut line = Stroke::line(name, [a, b].map(|p| SymbolHold::page(p[0], p[1])))
                        .ink(Ink::Soft)
                        .wide(1.0)
                        .dashed(9.0);
                    line.slide = Some(hold.frame);
                    draft.push(line);
                }
                let middle = [plate[0] + 0.5 * plate[2], plate[1] + 0.5 * plate[3]];
                draft.wanted.push(Wanted::around(name, middle, [0.5 * plate[2], 0.5 * plate[3]], 0));
            }
        }
        let is_railed = |(n, s): &&(String, Spec)| self.holds(n) && s.kind == "trolley";
        if let Some((name, _)) = parts.iter().find(is_railed) {
            let y = sheet.at([0.0, 0.0])[1];
            let rail = [SymbolHold::page(left - 30.0, y), SymbolHold::page(right + 30.0, y)];
            draft.push(Stroke::line(name, rail).ink(Ink::Soft).wide(3.0));
        }
    }

    /// Cables in their shapes, and the frames of their ends.
    fn ropes(
        &self,
        draft: &mut Draft<'a>,
        sight: &Sight,
        sheet: &SchematicSheet,
        holds: &mut HashMap<&'a str, SymbolHold>,
    ) {
        let parts = draft.parts;
        let cables = || parts.iter().filter(|(_, s)| symbol(s) == Some(Symbol::Cable));
        for (k, (name, _)) in cables().enumerate() {
            let Some(curve) = sight.scene.and_then(|s| s.ropes.get(k)) else { continue };
            let points: Vec<[f64; 2]> = curve.iter().map(|p| sheet.at(*p)).collect();
            let middle = points.get(points.len() / 2).copied().unwrap_or_default();
            let quarter = points.get(points.len() / 8).copied().unwrap_or_default();
            draft.push(Stroke {
                width: 2.2,
                ink: Ink::Rope,
                ..Stroke::new(name, SymbolForm::Rope { rope: k, points })
            });
            let mut wanted = Wanted::around(name, quarter, [7.0, 7.0], 0);
            wanted.places.rotate_left(2);
            wanted.places.extend(Wanted::around(name, middle, [7.0, 7.0], 0).places);
            draft.wanted.push(wanted);
        }
        for (name, spec) in parts.iter().filter(|(_, s)| symbol(s) == Some(Symbol::CableEnd)) {
            let of = spec.named("of").first();
            let rope = cables().position(|(n, _)| of.is_none_or(|of| of == n)).unwrap_or(0);
            let is_last = choice(spec, "at") == Some("last");
            let curve = sight.scene.and_then(|s| s.ropes.get(rope));
            let end = curve.and_then(|c| if is_last { c.last() } else { c.first() });
            let Some(at) = end.map(|p| sheet.at(*p)) else { continue };
            let frame = draft.frame(DraftFollows::RopeEnd(rope, is_last), at);
            holds.insert(name, SymbolHold { frame, at });
        }
    }

    /// Bodies over what joins them.
    fn bodies(
        &self,
        draft: &mut Draft<'a>,
        holds: &HashMap<&'a str, SymbolHold>,
        sight: &Sight,
        sheet: &SchematicSheet,
    ) {
        let parts = draft.parts;
        let mut drum = 0;
        for (name, spec) in parts.iter().filter(|(n, _)| self.holds(n)) {
            let (Some(kind), Some(&hold)) = (symbol(spec), holds.get(name.as_str())) else { continue };
            let wanted = |half: [f64; 2]| Wanted::around(name, hold.at, half, 0);
            match kind {
                Symbol::Drum => {
                    let Some(shape) = sight.scene.and_then(|s| s.drums.get(drum)) else { continue };
                    let radius = (shape.radius * sheet.scale).max(3.0);
                    if spec.table("law").is_some() {
                        let state = draft.contact(name);
                        let mut ring =
                            Stroke::disc(name, hold, (radius - 1.5).max(2.5)).filled(Ink::Contact).wide(1.8);
                        ring.state = Some(state);
                        draft.push(ring);
                        let hub = (radius - 7.0).max(1.5);
                        draft.push(Stroke::disc(name, hold, hub).filled(Ink::Body).ink(Ink::Soft).wide(0.8));
                    } else {
                        draft.push(Stroke::disc(name, hold, radius - 1.0).filled(Ink::Body).wide(1.8));
                    }
                    let turning = draft.frame(DraftFollows::Drum(drum, true), hold.at);
                    let turning = SymbolHold { frame: turning, at: hold.at };
                    draft.push(Stroke::line(name, [turning, turning.moved(0.0, 4.0 - radius)]).wide(2.2));
                    draft.push(Stroke::disc(name, hold, 2.5).filled(Ink::Paper));
                    let mut wanted = wanted([radius, radius]);
                    if radius > 0.5 * label_width(name) + 8.0 {
                        wanted.places.insert(0, [hold.at[0], hold.at[1] + 0.5 * radius]);
                    }
                    draft.wanted.push(wanted);
                    drum += 1;
                }
                Symbol::Trolley => {
                    let [x, y] = hold.at;
                    draft.rect(name, hold.frame, [x - 15.0, y - 17.0, 30.0, 10.0], Ink::Body);
                    for side in [-9.0, 9.0] {
                        draft.push(Stroke::disc(name, hold.moved(side, -4.5), 4.0).filled(Ink::Paper));
                    }
                    let mut wanted = wanted([15.0, 17.0]);
                    wanted.places.truncate(1);
                    draft.wanted.push(wanted);
                }
                Symbol::Point | Symbol::Block => {
                    draft.push(Stroke::disc(name, hold, 8.0).filled(Ink::Body).wide(1.8));
                    draft.wanted.push(wanted([8.0, 8.0]));
                }
                Symbol::Wall => {
                    let [x, y] = hold.at;
                    draft.ground(name, 0, [x - 12.0, y], [x + 12.0, y], [0.0, -1.0]);
                    draft.wanted.push(wanted([12.0, 10.0]));
                }
                Symbol::Belt if spec.kind != "planar_drive" => {
                    let [x, y] = hold.at;
                    draft.rect(name, hold.frame, [x - 8.0, y - 8.0, 16.0, 16.0], Ink::Paper).ink = Ink::Drive;
                    draft.arrow(name, hold.moved(-6.0, 0.0), [12.0, 0.0], None, Ink::Drive);
                    draft.wanted.push(wanted([8.0, 9.0]));
                }
                _ => {}
            }
        }
    }

    /// What hangs on the ends of cables, holds or pulls them.
    fn cable_ends(
        &self,
        draft: &mut Draft<'a>,
        holds: &HashMap<&'a str, SymbolHold>,
        sight: &Sight,
        _sheet: &SchematicSheet,
    ) {
        let parts = draft.parts;
        let middle = sight.scene.map_or(0.0, |_| {
            let all: Vec<f64> = holds.values().map(|h| h.at[1]).collect();
            all.iter().sum::<f64>() / all.len().max(1) as f64
        });
        for (name, spec) in parts.iter().filter(|(_, s)| symbol(s) == Some(Symbol::CableEnd)) {
            let Some(&hold) = holds.get(name.as_str()) else { continue };
            let [x, y] = hold.at;
            let mut half = [7.0, 7.0];
            match choice(spec, "support") {
                _ if !spec.named("on").is_empty() || !spec.named("rim").is_empty() => {
                    draft.push(Stroke::disc(name, hold, 3.5).filled(Ink::Rope));
                }
                Some("pinned" | "clamped") => {
                    let away = if y > middle { 1.0 } else { -1.0 };
                    draft.ground(name, 0, [x - 11.0, y], [x + 11.0, y], [0.0, away]);
                    half = [11.0, 9.0];
                }
                Some("moving") => {
                    draft.rect(name, hold.frame, [x - 8.0, y - 8.0, 16.0, 16.0], Ink::Paper).ink = Ink::Drive;
                    half = [8.0, 8.0];
                }
                _ if number(spec, "mass").is_some_and(|m| m > 0.0) => {
                    let weight = [x - 10.0, y, 20.0, 18.0];
                    draft.rect(name, hold.frame, weight, Ink::Body);
                    draft.wanted.push(Wanted::around(name, [x, y + 9.0], [10.0, 9.0], 0));
                    half = [0.0; 2];
                }
                _ => draft.push(Stroke::disc(name, hold, 3.5).filled(Ink::Rope)),
            }
            for (field, reach) in [("force_x", [34.0, 0.0]), ("force_y", [0.0, -34.0])] {
                if let Some(signal) = spec.table(field) {
                    // An arrow points where a constant pulls.
                    let is_back = signal.numbers.iter().any(|v| *v < 0.0);
                    let reach = if is_back { [-reach[0], -reach[1]] } else { reach };
                    draft.arrow(name, hold, reach, None, Ink::Force);
                }
            }
            if half[0] > 0.0 {
                draft.wanted.push(Wanted::around(name, hold.at, half, 0));
            }
        }
    }

    /// Boxes of controllers in a row below, each with a line to what it acts on.
    fn controllers(
        &self,
        draft: &mut Draft<'a>,
        holds: &HashMap<&'a str, SymbolHold>,
        bounds: &[f64; 4],
    ) -> f64 {
        let parts = draft.parts;
        let y = bounds[3] + 64.0;
        let is_box = |(n, s): &&(String, Spec)| self.holds(n) && symbol(s) == Some(Symbol::Controller);
        let mut boxes: Vec<(&str, SymbolHold)> = parts
            .iter()
            .filter(is_box)
            .filter_map(|(n, s)| Some((n.as_str(), *ends(s).iter().find_map(|e| holds.get(e))?)))
            .collect();
        boxes.sort_by(|a, b| a.1.at[0].total_cmp(&b.1.at[0]));
        let mut right = f64::NEG_INFINITY;
        for (name, target) in &boxes {
            let half = 0.5 * label_width(name) + 8.0;
            let x = target.at[0].max(right + half + 12.0);
            let line = [SymbolHold::page(x, y - 12.0), *target];
            draft.push(Stroke::line(name, line).ink(Ink::Drive).wide(1.2).dashed(4.0));
            draft.named_box(name, [x, y]);
            draft.taken.push([x - half, y - 13.0, x + half, y + 13.0]);
            right = x + half;
        }
        if boxes.is_empty() { bounds[3] + 36.0 } else { y + 24.0 }
    }
}

/// The corners of everything in the plane on the page: left, top, right, bottom.
fn bounds(sights: &[Sight], sheet: &SchematicSheet, members: &HashSet<&str>) -> [f64; 4] {
    let mut b = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let mut hold = |[x, y]: [f64; 2], r: f64| {
        b = [b[0].min(x - r), b[1].min(y - r), b[2].max(x + r), b[3].max(y + r)];
    };
    for sight in sights {
        for (_, place) in sight.places.iter().filter(|(n, _)| members.contains(n.as_str())) {
            hold(sheet.at(*place), 0.0);
        }
        if let Some(scene) = sight.scene {
            scene.ropes.iter().flatten().for_each(|p| hold(sheet.at(*p), 0.0));
            scene.drums.iter().for_each(|d| hold(sheet.at(d.centre), d.radius * sheet.scale));
        }
    }
    if b[0].is_finite() { b } else { [0.0; 4] }
}

/// The radius of a drum on the page.
fn radius(parts: &[(String, Spec)], drum: &str, sheet: &SchematicSheet, sight: &Sight) -> f64 {
    let mut drums = parts.iter().filter(|(_, s)| symbol(s) == Some(Symbol::Drum));
    let shape = drums.position(|(n, _)| n == drum).and_then(|k| sight.scene?.drums.get(k));
    shape.map_or(10.0, |d| d.radius * sheet.scale)
}

/// A surface under a body seen from above.
fn planar_contact(draft: &mut Draft, part: &str, hold: Option<SymbolHold>) {
    let Some(hold) = hold else { return };
    let state = draft.contact(part);
    let mut patch = Stroke::disc(part, hold, 15.0).filled(Ink::Contact).wide(0.8);
    patch.state = Some(state);
    draft.push(patch);
    draft.wanted.push(Wanted::around(part, hold.at, [15.0, 15.0], 0));
}

/// The rail under a trolley.
fn rail_contact(draft: &mut Draft, part: &str, hold: Option<SymbolHold>, _rail: f64) {
    let Some(hold) = hold else { return };
    let state = draft.contact(part);
    let [x, y] = hold.at;
    let band = draft.rect(part, hold.frame, [x - 17.0, y - 1.5, 34.0, 7.0], Ink::Contact);
    (band.state, band.ink, band.width) = (Some(state), Ink::Soft, 0.8);
    let mut wanted = Wanted::around(part, [x, y + 4.0], [17.0, 4.0], 0);
    wanted.places.rotate_left(1);
    draft.wanted.push(wanted);
}

/// A brake on a drum.
fn shoe(draft: &mut Draft, part: &str, hold: Option<SymbolHold>, radius: f64) {
    let Some(hold) = hold else { return };
    let state = draft.contact(part);
    let [x, y] = hold.at;
    let band = draft.rect(part, hold.frame, [x + radius, y - 10.0, 8.0, 20.0], Ink::Contact);
    (band.state, band.width) = (Some(state), 1.2);
    draft.ground(part, 0, [x + radius + 9.0, y - 12.0], [x + radius + 9.0, y + 12.0], [1.0, 0.0]);
    draft.wanted.push(Wanted::around(part, [x + radius + 8.0, y], [10.0, 12.0], 0));
}

/// A force on a body in the plane.
fn push(draft: &mut Draft, part: &str, spec: &Spec, hold: Option<SymbolHold>) {
    let Some(hold) = hold else { return };
    let reach = if choice(spec, "direction") == Some("y") { [0.0, -44.0] } else { [44.0, 0.0] };
    let start = hold.moved(0.25 * reach[0], 0.25 * reach[1]);
    draft.arrow(part, start, reach, Some(format!("{part}.force")), Ink::Force);
    let middle = [start.at[0] + 0.6 * reach[0], start.at[1] + 0.6 * reach[1]];
    draft.wanted.push(Wanted::around(part, middle, [12.0, 10.0], 0));
}
