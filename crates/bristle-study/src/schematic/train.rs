//! Bodies on a line and shafts that turn: a row of columns, with what joins them between.
//!
//! A column is a body and whatever slides on top of it. Between two columns there is room for what acts on the left one alone, for
//! what joins both, and for what joins the right one to the ground.

use super::draft::{Draft, DraftFollows, ends, number, symbol};
use bristle_mech::Symbol;
use bristle_record::render::svg::label_width;
use bristle_record::schematic::{Film, Ink, Stroke, SymbolHold};
use std::collections::HashMap;

/// Distance of lanes, of the first from the foot of a body.
const PITCH: f64 = 44.0;
const FOOT: f64 = 26.0;
/// Thickness of the band of a contact.
const BAND: f64 = 18.0;
/// Length of a symbol.
const SPAN: f64 = 96.0;

/// What is at the other end.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Node(usize),
    Ground,
}

/// A part that joins two ends from side to side.
struct Link<'a> {
    part: &'a str,
    symbol: Symbol,
    ends: [End; 2],
}

/// A body.
struct TrainNode<'a> {
    part: &'a str,
    symbol: Symbol,
    /// What it slides on, if that moves freely itself.
    lower: Option<(usize, &'a str)>,
    /// Contacts below it with the ground (none) or a surface that is driven.
    base: Vec<(&'a str, Option<usize>)>,
    left: Vec<Slot>,
    right: Vec<Slot>,
    size: [f64; 2],
    /// Middle of its foot.
    at: [f64; 2],
    /// The frame it moves with, and the one that what joins it holds.
    frame: usize,
    hold: usize,
}

/// What is joined to a side of a body.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    Chain(usize),
    Ground(usize),
    Single(usize),
}

impl TrainNode<'_> {
    fn is_round(&self) -> bool {
        matches!(self.symbol, Symbol::Rotor | Symbol::Motor)
    }

    /// Whether it stands still or moves as prescribed, so that others slide on it.
    fn is_led(&self) -> bool {
        matches!(self.symbol, Symbol::Belt | Symbol::Wall)
    }

    /// Where the lane of a slot leaves it.
    fn port(&self, is_right: bool, slot: Slot) -> [f64; 2] {
        let side = if is_right { &self.right } else { &self.left };
        let k = side.iter().position(|s| *s == slot).unwrap_or(0);
        let half = if self.is_round() && side.len() > 1 { 34.0 } else { self.reach() };
        [self.at[0] + if is_right { half } else { -half }, self.at[1] - FOOT - PITCH * k as f64]
    }

    fn reach(&self) -> f64 {
        if self.is_round() {
            26.0
        } else if self.symbol == Symbol::Wall {
            4.0
        } else {
            0.5 * self.size[0]
        }
    }
}

/// The whole row.
pub struct Train<'a> {
    nodes: Vec<TrainNode<'a>>,
    links: Vec<Link<'a>>,
    singles: Vec<(&'a str, Symbol, usize)>,
    gravity: Option<&'a str>,
    /// Columns from left to right, by their lowest bodies.
    order: Vec<usize>,
}

/// Draws the bodies that are not `elsewhere`, with their feet at height `foot`; tells where each body is, to be joined from elsewhere.
pub fn draw<'a>(
    draft: &mut Draft<'a>,
    elsewhere: &dyn Fn(&str) -> bool,
    foot: f64,
) -> HashMap<&'a str, SymbolHold> {
    let parts = draft.parts;
    let mut train = Train::new(parts, elsewhere);
    if train.nodes.is_empty() && train.gravity.is_none() {
        return HashMap::new();
    }
    train.join();
    train.measure();
    train.put(foot);
    train.frames(draft);
    train.draw(draft);
    let hold = |n: &TrainNode<'a>| (n.part, SymbolHold { frame: n.hold, at: [n.at[0], n.at[1] - FOOT] });
    train.nodes.iter().map(hold).collect()
}

impl<'a> Train<'a> {
    /// Bodies, and what joins them.
    fn new(parts: &'a [(String, bristle_mech::Spec)], elsewhere: &dyn Fn(&str) -> bool) -> Train<'a> {
        let node = |(name, spec): &'a (String, _)| {
            let symbol = symbol(spec)?;
            (symbol.is_body() && !elsewhere(name)).then(|| TrainNode {
                part: name.as_str(),
                symbol,
                lower: None,
                base: Vec::new(),
                left: Vec::new(),
                right: Vec::new(),
                size: [0.0; 2],
                at: [0.0; 2],
                frame: 0,
                hold: 0,
            })
        };
        let nodes: Vec<TrainNode> = parts.iter().filter_map(node).collect();
        let mut train =
            Train { nodes, links: Vec::new(), singles: Vec::new(), gravity: None, order: Vec::new() };
        for (name, spec) in parts.iter().filter(|(name, _)| !elsewhere(name)) {
            let Some(symbol) = symbol(spec).filter(|s| !s.is_body()) else { continue };
            let end =
                |body: &&str| train.nodes.iter().position(|n| n.part == *body).map_or(End::Ground, End::Node);
            let ends: Vec<End> = ends(spec).iter().map(end).collect();
            let is_single = matches!(symbol, Symbol::Force | Symbol::Torque | Symbol::Controller);
            match (symbol, &ends[..]) {
                (Symbol::Gravity, _) => train.gravity = Some(name),
                (_, [End::Node(on), ..]) if is_single => train.singles.push((name, symbol, *on)),
                (Symbol::Contact | Symbol::Capstan, &[a, b]) => train.contact(name, symbol, a, b),
                (_, &[a]) => train.links.push(Link { part: name, symbol, ends: [End::Ground, a] }),
                // A planetary gear: sun and ring both act on the carrier.
                (_, &[a, b, c]) => {
                    train.links.extend([a, b].map(|end| Link { part: name, symbol, ends: [end, c] }));
                }
                (_, &[a, b, ..]) => train.links.push(Link { part: name, symbol, ends: [a, b] }),
                _ => {}
            }
        }
        train
    }

    /// A contact lies between a body and what it slides on, unless something turns.
    fn contact(&mut self, part: &'a str, symbol: Symbol, a: End, b: End) {
        let mut pair = [a, b];
        let is =
            |end: End, test: &dyn Fn(&TrainNode) -> bool| matches!(end, End::Node(i) if test(&self.nodes[i]));
        if a == End::Ground || (is(a, &|n: &TrainNode| n.is_led()) && is(b, &|n: &TrainNode| !n.is_led())) {
            pair.swap(0, 1);
        }
        let blocks = |end: End| end == End::Ground || is(end, &|n: &TrainNode| !n.is_round());
        let [End::Node(upper), lower] = pair else { return };
        if !blocks(a) || !blocks(b) || self.nodes[upper].is_led() {
            self.links.push(Link { part, symbol, ends: pair });
            return;
        }
        match lower {
            End::Node(below) if !self.nodes[below].is_led() => {
                let mut root = below;
                while let Some((next, _)) = self.nodes[root].lower {
                    root = next;
                }
                if root == upper || self.nodes[upper].lower.is_some() {
                    self.links.push(Link { part, symbol, ends: pair });
                } else {
                    self.nodes[upper].lower = Some((below, part));
                }
            }
            End::Node(belt) => self.nodes[upper].base.push((part, Some(belt))),
            End::Ground => self.nodes[upper].base.push((part, None)),
        }
    }

    /// What lies below a column's lowest body is drawn there; for others beside them.
    fn join(&mut self) {
        for i in 0..self.nodes.len() {
            if self.nodes[i].lower.is_none() {
                continue;
            }
            for (part, belt) in std::mem::take(&mut self.nodes[i].base) {
                let other = belt.map_or(End::Ground, End::Node);
                self.links.push(Link { part, symbol: Symbol::Contact, ends: [End::Node(i), other] });
            }
        }
        self.order = self.columns();
        let place = |train: &Train, i: usize| train.order.iter().position(|&r| r == train.root(i));
        let mut slots: Vec<(usize, bool, Slot)> = Vec::new();
        for (k, link) in self.links.iter().enumerate() {
            match link.ends {
                [End::Node(a), End::Node(b)] => {
                    let (at_a, at_b) = (place(self, a), place(self, b));
                    slots.push((a, at_a <= at_b, Slot::Chain(k)));
                    slots.push((b, at_b <= at_a, Slot::Chain(k)));
                }
                [End::Node(a), End::Ground] | [End::Ground, End::Node(a)] => {
                    let last = self.order.len() - 1;
                    let is_right = last > 0 && place(self, a) == Some(last);
                    slots.push((a, is_right, Slot::Ground(k)));
                }
                _ => {}
            }
        }
        // Chains first, so that they meet at the same height.
        slots.sort_by_key(|(_, _, slot)| !matches!(slot, Slot::Chain(_)));
        slots.extend(self.singles.iter().enumerate().map(|(k, single)| (single.2, true, Slot::Single(k))));
        for (i, is_right, slot) in slots {
            let node = &mut self.nodes[i];
            if is_right { node.right.push(slot) } else { node.left.push(slot) }
        }
    }

    /// The lowest body of a column.
    fn root(&self, mut i: usize) -> usize {
        while let Some((below, _)) = self.nodes[i].lower {
            i = below;
        }
        i
    }

    /// Whether it is a surface under others, and drawn there.
    fn is_surface(&self, i: usize) -> bool {
        self.nodes.iter().any(|n| n.base.iter().any(|(_, belt)| *belt == Some(i)))
    }

    /// Columns in the order in which links follow each other, what is held or driven first.
    fn columns(&self) -> Vec<usize> {
        let roots: Vec<usize> =
            (0..self.nodes.len()).filter(|&i| self.nodes[i].lower.is_none() && !self.is_surface(i)).collect();
        let neighbours = |root: usize| -> Vec<usize> {
            let of = |link: &Link| match link.ends {
                [End::Node(a), End::Node(b)] => Some((self.root(a), self.root(b))),
                _ => None,
            };
            let pairs = self.links.iter().filter_map(of);
            let other = |(a, b)| {
                if a == root {
                    Some(b)
                } else if b == root {
                    Some(a)
                } else {
                    None
                }
            };
            pairs.filter_map(other).filter(|r| *r != root && roots.contains(r)).collect()
        };
        let is_held = |root: usize| {
            matches!(self.nodes[root].symbol, Symbol::Motor | Symbol::Wall | Symbol::Belt)
                || self.links.iter().any(|l| {
                    l.ends.contains(&End::Ground)
                        && l.ends.iter().any(|e| matches!(e, End::Node(i) if self.root(*i) == root))
                })
        };
        let mut starts = roots.clone();
        starts.sort_by_key(|&r| (neighbours(r).len() > 1, !is_held(r)));
        let mut order = Vec::new();
        for start in starts {
            let mut next = vec![start];
            while let Some(root) = next.pop() {
                if !order.contains(&root) {
                    order.push(root);
                    next.extend(neighbours(root).into_iter().rev());
                }
            }
        }
        order
    }

    /// What slides on a body.
    fn uppers(&self, i: usize) -> Vec<(usize, &'a str)> {
        let on = |(k, n): (usize, &TrainNode<'a>)| n.lower.filter(|l| l.0 == i).map(|l| (k, l.1));
        self.nodes.iter().enumerate().filter_map(on).collect()
    }

    /// Sizes, from the top of each column down.
    fn measure(&mut self) {
        for i in 0..self.nodes.len() {
            if self.nodes[i].lower.is_none() {
                self.measure_column(i);
            }
        }
    }

    fn measure_column(&mut self, i: usize) -> f64 {
        let uppers = self.uppers(i);
        let mut above = 12.0;
        for &(k, contact) in &uppers {
            above += (self.measure_column(k) + 12.0).max(label_width(contact) + 28.0);
        }
        let node = &mut self.nodes[i];
        let lanes = node.left.len().max(node.right.len()).max(1);
        let bands: f64 = node.base.iter().map(|(part, _)| band_width(part) + 10.0).sum();
        let wide =
            (label_width(node.part) + 20.0).max(bands + 4.0).max(if uppers.is_empty() { 0.0 } else { above });
        let least = match node.symbol {
            Symbol::Rotor | Symbol::Motor => 68.0,
            Symbol::Wall => 24.0,
            _ => 84.0,
        };
        node.size = [wide.max(least), 52.0 + PITCH * (lanes - 1) as f64];
        node.size[0]
    }

    /// Places of all bodies.
    fn put(&mut self, foot: f64) {
        let mut x = 0.0;
        for k in 0..self.order.len() {
            let root = self.order[k];
            x += self.room(k.checked_sub(1).map(|j| self.order[j]), Some(root));
            let width = self.nodes[root].size[0];
            self.put_column(root, x + 0.5 * width, foot);
            x += width;
        }
        // Surfaces lie below what slides on them.
        for i in (0..self.nodes.len()).filter(|&i| self.is_surface(i)).collect::<Vec<_>>() {
            let riders = self.nodes.iter().filter(|n| n.base.iter().any(|(_, belt)| *belt == Some(i)));
            let places: Vec<f64> = riders.map(|n| n.at[0]).collect();
            self.nodes[i].at = [places.iter().sum::<f64>() / places.len().max(1) as f64, foot + BAND + 40.0];
        }
    }

    fn put_column(&mut self, i: usize, middle: f64, foot: f64) {
        self.nodes[i].at = [middle, foot];
        let uppers = self.uppers(i);
        let widths: Vec<f64> = uppers
            .iter()
            .map(|(k, contact)| (self.nodes[*k].size[0] + 12.0).max(label_width(contact) + 28.0))
            .collect();
        let mut x = middle - 0.5 * widths.iter().sum::<f64>();
        let top = foot - self.nodes[i].size[1] - BAND;
        for (&(k, _), width) in uppers.iter().zip(&widths) {
            self.put_column(k, x + 0.5 * width, top);
            x += width;
        }
    }

    /// All bodies of a column.
    fn members(&self, root: usize) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&i| self.root(i) == root && !self.is_surface(i)).collect()
    }

    /// Room between two columns; none is the end of the row.
    fn room(&self, left: Option<usize>, right: Option<usize>) -> f64 {
        let [singles, chain, grounds] = self.zones(left, right);
        let sum = singles + chain + grounds;
        if sum == 0.0 && left.is_some() && right.is_some() { 40.0 } else { sum }
    }

    /// Widths for what acts on the left column, what joins it to others, and what joins the right column to the ground.
    fn zones(&self, left: Option<usize>, right: Option<usize>) -> [f64; 3] {
        let slots = |root: Option<usize>, is_right: bool| -> Vec<Slot> {
            let members = root.map_or_else(Vec::new, |r| self.members(r));
            let side =
                |i: usize| if is_right { self.nodes[i].right.clone() } else { self.nodes[i].left.clone() };
            members.into_iter().flat_map(side).collect()
        };
        let wide = |names: Vec<&str>, least: f64| {
            let widest = names.iter().map(|n| label_width(n) + 18.0).fold(0.0, f64::max);
            if names.is_empty() { 0.0 } else { widest.max(least) }
        };
        let (from, to) = (slots(left, true), slots(right, false));
        let single = |s: &Slot| if let Slot::Single(k) = s { Some(self.singles[*k].0) } else { None };
        let chain = |s: &Slot| if let Slot::Chain(k) = s { Some(self.links[*k].part) } else { None };
        let ground = |s: &Slot| if let Slot::Ground(k) = s { Some(self.links[*k].part) } else { None };
        let singles = wide(from.iter().filter_map(single).collect(), 74.0)
            .max(wide(from.iter().filter_map(ground).collect(), SPAN + 14.0));
        let joined = wide(from.iter().chain(&to).filter_map(chain).collect(), SPAN);
        let joined = if joined > 0.0 { joined + 34.0 } else { 0.0 };
        [
            if singles > 0.0 { singles + 14.0 } else { 0.0 },
            joined,
            wide(to.iter().filter_map(ground).collect(), SPAN),
        ]
    }

    fn frames(&mut self, draft: &mut Draft) {
        for node in &mut self.nodes {
            let name = node.part.to_owned();
            let home = [node.at[0], node.at[1] - FOOT];
            if node.is_round() {
                node.frame = draft.frame(DraftFollows::Turn(name), home);
            } else if node.symbol != Symbol::Wall {
                node.frame = draft.frame(DraftFollows::Line(name), home);
                node.hold = node.frame;
            }
        }
    }

    fn draw(&self, draft: &mut Draft<'a>) {
        self.draw_bases(draft);
        for (i, node) in self.nodes.iter().enumerate() {
            if !self.is_surface(i) {
                draw_node(draft, node);
            }
            if let Some((below, contact)) = node.lower {
                let width = band_width(contact).min(self.nodes[below].size[0]);
                let corner = [node.at[0] - 0.5 * width, node.at[1], width, BAND];
                draft.band(contact, node.frame, corner);
                draft.label(contact, node.at[0], node.at[1] + 13.0, node.frame);
                let tail = SymbolHold { frame: node.frame, at: [node.at[0], node.at[1] - 7.0] };
                draft.friction(contact, node.part, tail);
            }
        }
        for node in self.nodes.iter() {
            for (k, (contact, _)) in node.base.iter().enumerate() {
                let share = (k as f64 + 0.5) / node.base.len() as f64 - 0.5;
                let at = [node.at[0] + share * node.size[0], node.at[1] - 7.0];
                draft.friction(contact, node.part, SymbolHold { frame: node.frame, at });
            }
        }
        let mut over = 0;
        let top = self.nodes.iter().map(|n| n.at[1] - n.size[1]).fold(f64::INFINITY, f64::min);
        for (k, link) in self.links.iter().enumerate() {
            match link.ends {
                [End::Node(a), End::Node(b)] => self.draw_chain(draft, k, link, a, b, top, &mut over),
                [End::Node(a), End::Ground] | [End::Ground, End::Node(a)] => {
                    self.draw_ground_link(draft, k, link, a)
                }
                _ => {}
            }
        }
        for (k, &(part, symbol, on)) in self.singles.iter().enumerate() {
            self.draw_single(draft, part, symbol, &self.nodes[on], Slot::Single(k));
        }
        if let Some(part) = self.gravity {
            // To the left of everything.
            let still = Film::default();
            let points = draft.strokes.iter().flat_map(|s| s.outline(&still, 0));
            let low = points.map(|p| p[0]).fold(f64::INFINITY, f64::min);
            let x = if low.is_finite() { low } else { 0.0 } - 0.5 * label_width(part) - 34.0;
            let y = if top.is_finite() { top } else { 0.0 };
            draw_gravity(draft, part, [x, y]);
        }
    }

    /// Grounds and driven surfaces below the lowest bodies.
    fn draw_bases(&self, draft: &mut Draft<'a>) {
        let mut surfaces: HashMap<usize, [f64; 2]> = HashMap::new();
        for node in &self.nodes {
            let total: f64 = node.base.iter().map(|(part, _)| band_width(part) + 10.0).sum::<f64>() - 10.0;
            let mut x = node.at[0] - 0.5 * total;
            let y = node.at[1];
            for (contact, belt) in &node.base {
                let width = band_width(contact);
                if let Some(belt) = belt {
                    let span = surfaces.entry(*belt).or_insert([f64::INFINITY, f64::NEG_INFINITY]);
                    *span = [span[0].min(x), span[1].max(x + width)];
                } else if is_capstan(draft, contact) {
                    let post = SymbolHold::page(x + 0.5 * width, y + BAND + 15.0);
                    draft.push(Stroke::disc(contact, post, 15.0).filled(Ink::Body).wide(2.0));
                } else {
                    let (left, right) = ([x - 6.0, y + BAND], [x + width + 6.0, y + BAND]);
                    draft.ground(contact, 0, left, right, [0.0, 1.0]);
                }
                draft.band(contact, node.frame, [x, y, width, BAND]);
                draft.label(contact, x + 0.5 * width, y + 13.0, node.frame);
                x += width + 10.0;
            }
        }
        for (&belt, span) in &surfaces {
            let node = &self.nodes[belt];
            let middle = 0.5 * (span[0] + span[1]);
            let half = (0.5 * (span[1] - span[0]) + 30.0).max(0.5 * label_width(node.part) + 34.0);
            let foot = self.nodes.iter().filter(|n| n.base.iter().any(|b| b.1 == Some(belt)));
            let y = foot.map(|n| n.at[1]).fold(f64::NEG_INFINITY, f64::max) + BAND;
            draw_belt(draft, node, [middle - half, middle + half], y);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn draw_chain(
        &self,
        draft: &mut Draft<'a>,
        k: usize,
        link: &Link<'a>,
        a: usize,
        b: usize,
        top: f64,
        over: &mut usize,
    ) {
        let place = |i: usize| self.order.iter().position(|&r| r == self.root(i));
        // From left to right.
        let (a, b) = if place(a) <= place(b) { (a, b) } else { (b, a) };
        let (left, right) = (&self.nodes[a], &self.nodes[b]);
        let is_near = matches!((place(a), place(b)), (Some(i), Some(j)) if j == i + 1);
        let is_same = place(a) == place(b);
        let from = left.port(true, Slot::Chain(k));
        let to = right.port(is_same, Slot::Chain(k));
        let (out, into) =
            (SymbolHold { frame: left.hold, at: from }, SymbolHold { frame: right.hold, at: to });
        if is_near {
            let [singles, _, grounds] = self.zones(Some(self.root(a)), Some(self.root(b)));
            let edge = |i: usize, s: f64| {
                self.nodes[self.root(i)].at[0] + s * 0.5 * self.nodes[self.root(i)].size[0]
            };
            let start = [(edge(a, 1.0) + singles).max(from[0]), from[1]];
            let end = [(edge(b, -1.0) - grounds).min(to[0]), from[1]];
            let bend = if (from[1] - to[1]).abs() > 0.5 { 14.0 + 5.0 * (k % 3) as f64 } else { 0.0 };
            let (start_hold, end_hold) =
                (SymbolHold { at: start, ..out }, SymbolHold { at: [end[0] - bend, end[1]], ..into });
            draft.push(Stroke::line(link.part, [out, start_hold]));
            draft.link(link.symbol, link.part, start_hold, end_hold);
            draft.push(Stroke::line(
                link.part,
                [end_hold, SymbolHold { at: [end[0] - bend, to[1]], ..into }, into],
            ));
            self.name(draft, k, [0.5 * (start[0] + end[0] - bend), from[1] - 17.0]);
            return;
        }
        // Over the tops of what is between, or beside bodies of one column.
        let exit = self.nodes[self.root(a)].at[0]
            + 0.5 * self.nodes[self.root(a)].size[0]
            + 10.0
            + 6.0 * *over as f64;
        let y = top - 40.0 - PITCH * *over as f64;
        let entry = self.nodes[self.root(b)].at[0]
            + if is_same { 0.5 } else { -0.5 } * self.nodes[self.root(b)].size[0]
            + if is_same { 130.0 } else { -10.0 - 6.0 * *over as f64 };
        *over += 1;
        let (up, down) = (SymbolHold { at: [exit, y], ..out }, SymbolHold { at: [entry, y], ..into });
        draft.push(Stroke::line(link.part, [out, SymbolHold { at: [exit, from[1]], ..out }, up]));
        draft.link(link.symbol, link.part, up, down);
        draft.push(Stroke::line(link.part, [down, SymbolHold { at: [entry, to[1]], ..into }, into]));
        self.name(draft, k, [0.5 * (exit + entry), y - 17.0]);
    }

    /// Names a link, once where a part is drawn as two.
    fn name(&self, draft: &mut Draft<'a>, k: usize, [x, y]: [f64; 2]) {
        let part = self.links[k].part;
        if self.links[..k].iter().all(|link| link.part != part) {
            draft.label(part, x, y, 0);
        }
    }

    fn draw_ground_link(&self, draft: &mut Draft<'a>, k: usize, link: &Link<'a>, i: usize) {
        let node = &self.nodes[i];
        let is_right = node.right.contains(&Slot::Ground(k));
        let port = node.port(is_right, Slot::Ground(k));
        let way = if is_right { 1.0 } else { -1.0 };
        let edge = self.nodes[self.root(i)].at[0] + way * 0.5 * self.nodes[self.root(i)].size[0];
        let wall = [edge + way * (SPAN.max(label_width(link.part) + 8.0) - 4.0), port[1]];
        let hold = SymbolHold { frame: node.hold, at: port };
        draft.ground(link.part, 0, [wall[0], wall[1] - 11.0], [wall[0], wall[1] + 11.0], [way, 0.0]);
        draft.link(link.symbol, link.part, SymbolHold::page(wall[0], wall[1]), hold);
        self.name(draft, k, [0.5 * (wall[0] + edge), port[1] - 17.0]);
    }

    fn draw_single(
        &self,
        draft: &mut Draft<'a>,
        part: &'a str,
        symbol: Symbol,
        node: &TrainNode<'a>,
        slot: Slot,
    ) {
        let [x, y] = node.port(true, slot);
        let edge = self.nodes.iter().filter(|n| n.part == node.part).map(|n| n.at[0] + 0.5 * n.size[0]);
        let x_0 = edge.fold(x, f64::max) + 6.0;
        let hold = SymbolHold { frame: node.hold, at: [x, y] };
        let near = SymbolHold { at: [x_0, y], ..hold };
        if x_0 - x > 8.0 {
            draft.push(Stroke::line(part, [hold, near]).wide(1.1));
        }
        let room = (label_width(part) + 6.0).max(56.0);
        match symbol {
            Symbol::Torque => {
                let arc = (0..=18).map(|k| {
                    let (sin, cos) = (f64::from(k) * 0.27 - 2.4).sin_cos();
                    near.moved(0.5 * room + 11.0 * cos, 11.0 * sin)
                });
                let arc: Vec<SymbolHold> = arc.collect();
                let end = arc[arc.len() - 1];
                draft.push(
                    Stroke::line(part, [near, near.moved(0.5 * room - 3.0, 0.0)]).ink(Ink::Force).wide(1.4),
                );
                draft.push(Stroke::line(part, arc).ink(Ink::Force).wide(2.2));
                draft.push(
                    Stroke::line(part, [end.moved(7.5, -1.0), end, end.moved(1.5, -7.5)])
                        .ink(Ink::Force)
                        .wide(2.2),
                );
                draft.label(part, x_0 + 0.5 * room, y - 17.0, node.hold);
            }
            Symbol::Controller => {
                let width = label_width(part) + 16.0;
                let middle = [x_0 + 20.0 + 0.5 * width, y];
                let tail = SymbolHold::page(x_0 + 20.0, y);
                draft.push(Stroke::line(part, [tail, near]).ink(Ink::Drive).wide(1.4));
                let tip = [near.moved(7.0, -4.0), near, near.moved(7.0, 4.0)];
                draft.push(Stroke::line(part, tip).ink(Ink::Drive).wide(1.8));
                draft.named_box(part, middle);
            }
            _ => {
                draft.arrow(part, near, [room, 0.0], Some(format!("{part}.force")), Ink::Force);
                draft.label(part, x_0 + 0.5 * room, y - 9.0, node.hold);
            }
        }
    }
}

fn band_width(part: &str) -> f64 {
    (label_width(part) + 14.0).max(58.0)
}

fn is_capstan(draft: &Draft, part: &str) -> bool {
    draft.parts.iter().any(|(name, spec)| name == part && symbol(spec) == Some(Symbol::Capstan))
}

/// A body by itself.
fn draw_node<'a>(draft: &mut Draft<'a>, node: &TrainNode<'a>) {
    let ([x, y], [w, h]) = (node.at, node.size);
    let part = node.part;
    match node.symbol {
        Symbol::Rotor | Symbol::Motor => {
            let centre = SymbolHold { frame: node.frame, at: [x, y - FOOT] };
            for (slots, way) in [(&node.left, -1.0), (&node.right, 1.0)] {
                if slots.len() > 1 {
                    let high = y - FOOT - PITCH * (slots.len() - 1) as f64;
                    let plate = [[x + way * 34.0, high - 6.0], [x + way * 34.0, y - FOOT + 6.0]];
                    draft.push(Stroke::line(part, plate.map(|p| SymbolHold::page(p[0], p[1]))).wide(3.0));
                    let shaft = [x + way * 26.0, x + way * 34.0].map(|x| SymbolHold::page(x, y - FOOT));
                    draft.push(Stroke::line(part, shaft).wide(3.0));
                }
            }
            let fill = if node.symbol == Symbol::Motor { Ink::Paper } else { Ink::Body };
            let ink = if node.symbol == Symbol::Motor { Ink::Drive } else { Ink::Ink };
            draft.push(
                Stroke::disc(part, SymbolHold::page(x, y - FOOT), 26.0).filled(fill).ink(ink).wide(2.0),
            );
            for angle in [0.0, 2.0, 4.0].map(|k| k * std::f64::consts::PI / 3.0 - std::f64::consts::FRAC_PI_2)
            {
                let (sin, cos) = f64::sin_cos(angle);
                let rim = centre.moved(
                    if angle < -1.0 { 25.0 } else { 13.0 } * cos,
                    if angle < -1.0 { 25.0 } else { 13.0 } * sin,
                );
                draft.push(Stroke::line(part, [centre, rim]).ink(ink).wide(if angle < -1.0 {
                    2.4
                } else {
                    1.2
                }));
            }
            draft.push(Stroke::disc(part, centre, 3.5).filled(Ink::Paper).ink(ink));
            draft.label(part, x, y + 14.0, 0);
        }
        Symbol::Wall => {
            draft.ground(part, 0, [x, y - FOOT - 18.0], [x, y - FOOT + 18.0], [-1.0, 0.0]);
            draft.label(part, x, y + 14.0, 0);
        }
        _ => {
            let is_driven = node.symbol == Symbol::Belt;
            let fill = if is_driven { Ink::Paper } else { Ink::Body };
            let body = draft.rect(part, node.frame, [x - 0.5 * w, y - h, w, h], fill);
            body.width = 1.8;
            if is_driven {
                body.ink = Ink::Drive;
                let tail = SymbolHold { frame: node.frame, at: [x - 18.0, y - h + 12.0] };
                draft.arrow(part, tail, [36.0, 0.0], None, Ink::Drive);
            }
            draft.label(part, x, y - 0.5 * h + 4.0, node.frame);
        }
    }
}

/// A surface that moves under others.
fn draw_belt<'a>(draft: &mut Draft<'a>, node: &TrainNode<'a>, [left, right]: [f64; 2], y: f64) {
    let part = node.part;
    if node.symbol == Symbol::Wall {
        draft.ground(part, 0, [left, y], [right, y], [0.0, 1.0]);
        draft.label(part, 0.5 * (left + right), y + 24.0, 0);
        return;
    }
    let rim = (0..=12).map(|k| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::PI / 12.0).sin_cos();
        [right - 14.0 + 14.0 * sin, y + 14.0 - 14.0 * cos]
    });
    let back = (0..=12).map(|k| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::PI / 12.0).sin_cos();
        [left + 14.0 - 14.0 * sin, y + 14.0 + 14.0 * cos]
    });
    let outline: Vec<SymbolHold> = rim.chain(back).map(|p| SymbolHold::page(p[0], p[1])).collect();
    draft.push(Stroke::shape(part, outline).filled(Ink::Paper).ink(Ink::Drive).wide(2.0));
    for x in [left + 14.0, right - 14.0] {
        draft.push(Stroke::disc(part, SymbolHold::page(x, y + 14.0), 9.0).ink(Ink::Drive).wide(1.2));
    }
    // Its dashes run with the surface.
    let dashes = [SymbolHold::page(left + 14.0, y + 3.5), SymbolHold::page(right - 14.0, y + 3.5)];
    let mut dashes = Stroke::line(part, dashes).ink(Ink::Drive).wide(2.2).dashed(7.0);
    dashes.slide = Some(node.frame);
    draft.push(dashes);
    draft.label(part, 0.5 * (left + right), y + 19.5, 0);
}

/// The arrow of the weight, as it points seen from the line.
pub fn draw_gravity<'a>(draft: &mut Draft<'a>, part: &'a str, at: [f64; 2]) {
    let spec = draft.parts.iter().find(|(name, _)| name == part).map(|(_, spec)| spec);
    let angle = spec.and_then(|s| number(s, "angle")).unwrap_or(0.0);
    let (sin, cos) = angle.sin_cos();
    let tail = SymbolHold::page(at[0], at[1]);
    draft.arrow(part, tail, [34.0 * sin, 34.0 * cos], None, Ink::Force);
    draft.label(part, at[0], at[1] - 8.0, 0);
}
