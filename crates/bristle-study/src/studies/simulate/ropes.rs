//! How drums hold cables, what is wrong with how they lie, and pictures of them.

use super::{Simulation, column};
use crate::grip::DrumSlip;
use crate::levels::levels;
use crate::rope::{Wrap, cautions, figures};
use crate::scenario::Scenario;
use crate::scene::{self, FRAMES, Scene, curve};
use bristle_cable::Friction;
use bristle_mech::{DrumContact, RopeShape, Spec, System, drum_friction};
use bristle_record::{Block, Fact, Section, Tone};
use bristle_solve::{Dynamics, Point};

/// Cables and drums over a run, at instants evenly spread over it.
pub(super) struct RopeHistory<'a> {
    scenario: &'a Scenario,
    run: &'a Simulation,
    /// Samples that are looked at, and how the cables lie on each drum then.
    rows: Vec<usize>,
    seen: Vec<Vec<DrumContact>>,
}

/// The friction of a drum and the largest ratio to the normal force that a point of a cable bears, as far as they are known.
struct DrumLimit {
    friction: Option<Friction>,
    ratio: Option<f64>,
}

impl<'a> RopeHistory<'a> {
    /// Of a run; nothing where there are no cables.
    pub(super) fn new(scenario: &'a Scenario, run: &'a Simulation) -> Option<RopeHistory<'a>> {
        let samples = &run.trajectory.samples;
        let last = samples.t.len().checked_sub(1).filter(|_| scenario.system.has_ropes())?;
        let count = samples.t.len().min(FRAMES);
        let mut rows: Vec<usize> = (0..count).map(|k| k * last / (count - 1).max(1)).collect();
        rows.dedup();
        let mut history = RopeHistory { scenario, run, rows, seen: Vec::new() };
        let seen = history.rows.iter().map(|&row| history.system().rope_contact(&history.at(row)));
        history.seen = seen.collect();
        Some(history)
    }

    fn system(&self) -> &'a System {
        &self.scenario.system
    }

    fn at(&self, row: usize) -> Point<'a, f64> {
        let samples = &self.run.trajectory.samples;
        let p = self.system().params();
        Point { t: samples.seen[row], x: samples.row(row), p, mode: samples.modes(row) }
    }

    fn column(&self, name: &str) -> &'a [f64] {
        column(&self.run.data, name)
    }

    fn limit(&self, drum: &str) -> DrumLimit {
        let part = self.scenario.parts.iter().find(|(part, _)| part == drum);
        let law: Option<&Spec> = part.and_then(|(_, spec)| spec.table("law"));
        let friction = law.and_then(|law| drum_friction(drum, law).ok());
        let own = || law.and_then(|law| levels(law, 1.0)).map(|(kinetic, peak)| kinetic.max(peak));
        let ratio = friction.as_ref().and_then(|f| f.holding_coefficient().or_else(own));
        DrumLimit { friction, ratio }
    }

    /// How each drum holds its cable, when it first slipped, how far its ends rose, the largest tension, and what is said of drums
    /// that are too soft for their cables, and of arcs with few nodes.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let most = |name: &str| self.column(name).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let Some(drums) = self.seen.first() else { return Vec::new() };
        let ends = self.system().rope_end_names();
        let speeds = ends.iter().flat_map(|end| ["vx", "vy"].map(|v| most(&format!("{end}.{v}"))));
        let turning = drums.iter().map(|drum| most(&format!("{}.speed", drum.drum)) * drum.radius);
        let fastest = speeds.chain(turning).fold(0.0, f64::max);
        let (shapes, _) = self.system().shapes(&self.at(0));
        let (mut facts, mut slips, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for (d, drum) in drums.iter().enumerate() {
            let history: Vec<&DrumContact> = self.seen.iter().map(|drums| &drums[d]).collect();
            let limit = self.limit(&drum.drum);
            let has_touched = history.iter().any(|now| now.nodes > 0);
            if drum.is_laid_over || has_touched {
                facts.push(self.drum_fact(&history, &limit, fastest));
                slips.extend(self.first_slip(&drum.drum, &limit));
            }
            if drum.is_laid_over {
                let cable = drum.points.first().map_or(0, |point| point.cable);
                let length =
                    shapes.get(cable).map_or(0.0, |s: &RopeShape| s.length * (s.nodes.len() - 1) as f64);
                told.extend(cautions::coarse(&drum.drum, &Wrap::of_drum(drum), length, "at the start"));
            }
            let depth = history.iter().map(|now| now.depth).fold(0.0, f64::max);
            told.extend(cautions::sunk(&drum.drum, depth));
        }
        facts.extend(slips);
        if self.system().is_cable_alone() {
            for end in &ends {
                let y = self.column(&format!("{end}.y"));
                let gained = y.last().unwrap_or(&0.0) - y.first().unwrap_or(&0.0);
                facts.push(Fact::number(format!("height gained by `{end}`"), gained, "m"));
            }
        }
        let tension = ends.iter().map(|end| most(&format!("{end}.tension"))).fold(0.0, f64::max);
        facts.push(Fact::number("largest tension at an end", tension, "N"));
        facts.extend(told);
        facts
    }

    /// When a cable first slipped over a drum faster than its law holds.
    fn first_slip(&self, drum: &str, limit: &DrumLimit) -> Option<Fact> {
        let rest = limit.friction.as_ref().map_or(0.0, Friction::rest_speed);
        let slip = self.column(&format!("{drum}.slip_rate"));
        let first = slip.iter().position(|v| rest > 0.0 && v.abs() > rest)?;
        Some(Fact::number(format!("first slip at `{drum}`"), *self.column("time").get(first)?, "s"))
    }

    /// How a drum holds the cable at the end. It slips where every point does: that some arrive slipping, or slip where the pull
    /// on them changes, is how ropes run over drums.
    fn drum_fact(&self, history: &[&DrumContact], limit: &DrumLimit, fastest: f64) -> Fact {
        let Some(end) = history.last() else { return Fact::verdict("drum", "not seen", Tone::Neutral) };
        let label = format!("drum `{}` at the end", end.drum);
        if end.nodes == 0 {
            let mut fact = Fact::verdict(label, "the cable has run off it", Tone::Warn);
            fact.note = "shorten the cable, load its ends evenly, or end the run before".to_owned();
            return fact;
        }
        let mut fact = match &limit.friction {
            Some(friction) => {
                let ratio = limit.ratio.unwrap_or(f64::NAN);
                let v: Vec<f64> = history.iter().map(|now| now.slip).collect();
                let t: Vec<f64> = self.rows.iter().map(|&row| self.run.trajectory.samples.t[row]).collect();
                let (rest, used) = (friction.rest_speed(), end.shares[0] / ratio);
                let ends =
                    end.ends.as_ref().map_or(["", ""], |[first, last]| [first.as_str(), last.as_str()]);
                let (words, tone) = DrumSlip { t: &t, v: &v, scale: fastest, rest, used }.grip().words(ends);
                Fact::verdict(label, words, tone)
            }
            None => Fact::verdict(label, "smooth: nothing holds the cable", Tone::Neutral),
        };
        let wrap = Wrap::of_drum(end);
        fact.note =
            format!("it touches over {:.1}° at {} points", wrap.total().to_degrees(), wrap.contacts.len());
        // A rounded law holds without slip up to a part of what it bears at all, and a point at the edge may be beyond that part.
        let most = match &limit.friction {
            Some(Friction::Quinn { mu, .. }) => Some(*mu),
            Some(_) => limit.ratio,
            None => None,
        };
        if let Some(most) = most {
            fact.note +=
                &format!("; a point bears at most {:.1} % of full friction", 100.0 * wrap.used(most));
        }
        fact
    }

    /// The scene as it moves.
    pub(super) fn scenes(&self) -> Vec<Scene> {
        let scene = |&row: &usize| {
            let at = self.at(row);
            let (ropes, drums) = self.system().shapes(&at);
            let hanging = ropes.iter().flat_map(|r| r.loads.iter().copied());
            let loads = self.system().body_places(&at).into_iter().chain(hanging);
            let loads = loads.map(|place| (place, 0.0)).collect();
            let ropes = ropes.iter().map(|rope| curve(&rope.nodes, rope.length)).collect();
            Scene { time: self.run.trajectory.samples.t[row], ropes, drums, loads }
        };
        let mut scenes: Vec<Scene> = self.rows.iter().map(scene).collect();
        let size = 0.02 * scene::extent(&scenes);
        scenes.iter_mut().flat_map(|s| &mut s.loads).for_each(|load| load.1 = size);
        scenes
    }

    /// Contact force, slip and tension at instants that matter, and a table of the contacts at the end.
    pub(super) fn contact(&self, study: &str) -> Option<Section> {
        let (first, last) = (self.seen.first()?, self.seen.last()?);
        let mut section = Section { heading: format!("Contact ({study})"), blocks: Vec::new() };
        let name = |k: usize| format!("$t$ = {:.3} s", self.run.trajectory.samples.t[self.rows[k]]);
        let end = self.rows.len() - 1;
        let touched = |k: usize, d: usize| self.seen[k][d].nodes > 0;
        for d in 0..first.len() {
            let drum = &first[d].drum;
            let wraps: Vec<Wrap> = self.seen.iter().map(|drums| Wrap::of_drum(&drums[d])).collect();
            let instants = |of: &[usize]| -> Vec<(String, &Wrap)> {
                of.iter().filter(|k| touched(**k, d)).map(|&k| (name(k), &wraps[k])).collect()
            };
            let ends = instants(&[0, end]);
            if ends.is_empty() {
                continue;
            }
            let id = |what: &str| format!("{study}-{drum}-{what}");
            section.push(figures::pressure(id("pressure"), drum, first[d].radius, &ends));
            if self.limit(drum).friction.is_some() {
                // The instant of the largest slip, half way to it, and the end.
                let all: Vec<usize> = (0..=end).filter(|k| touched(*k, d)).collect();
                let speed = |i: &usize| wraps[all[*i]].slip().abs();
                let worst = (0..all.len()).max_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap_or(0);
                let mut chosen = vec![worst / 2, worst, (worst + all.len()) / 2, all.len() - 1];
                chosen.dedup();
                let chosen: Vec<usize> = chosen.into_iter().filter_map(|i| all.get(i).copied()).collect();
                section.push(figures::slips(id("slips"), drum, &instants(&chosen)));
            }
        }
        let (shapes, _) = self.system().shapes(&self.at(self.rows[0]));
        let tensions = [0, end].map(|k| self.system().rope_tensions(&self.at(self.rows[k])));
        for (cable, shape) in shapes.iter().enumerate() {
            let at = [0, end].into_iter().zip(&tensions).map(|(k, tensions)| {
                let of_cable = |drum: &&DrumContact| drum.points.first().is_some_and(|p| p.cable == cable);
                let drums = self.seen[k].iter().filter(of_cable);
                let wraps = drums.map(|drum| (Wrap::of_drum(drum), self.limit(&drum.drum).ratio));
                (name(k), tensions[cable].clone(), wraps.collect())
            });
            let number = if cable == 0 { String::new() } else { format!("-{}", cable + 1) };
            let id = format!("{study}-tension-along{number}");
            section.push(figures::tension(id, shape.length, &at.collect::<Vec<_>>()));
        }
        let wraps: Vec<Wrap> = last.iter().map(Wrap::of_drum).collect();
        let names = last.iter().map(|drum| drum.drum.as_str());
        section.push(figures::table(names.zip(&wraps)));
        Some(section)
    }
}

/// The scene as it moves, and some instants side by side.
pub(super) fn moving(study: &str, scenes: &[Scene]) -> Vec<Block> {
    if scenes.is_empty() {
        return Vec::new();
    }
    let animation = scene::animation(format!("{study}-animation"), scenes);
    vec![animation.into(), scene::strip(format!("{study}-shapes"), scenes).into()]
}
