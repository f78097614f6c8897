//! How a contact moves, in words: force against limit, net displacement over reversals, and trend.

use super::motion::{REST, RunMotion};
use bristle_record::{Fact, Tone};

/// A contact whose load stays below this share of its limit is held by it.
const HELD: f64 = 0.9999;

/// A contact that sticks under more than this share of its limit should have slid.
const OVER: f64 = 1.0 + 1e-6;

/// A contact that sticks does not move by more than this, m.
const SLACK: f64 = 1e-9;

/// Less than this, m, is no way at all: the size of an atomic nucleus.
const NOWHERE: f64 = 1e-15;

/// A spring may deflect by this many times the deflection at which it bears its limit before it must have slid.
const WITHIN: f64 = 2.0;

/// A net displacement per swing below this share of the swing is none.
const CLOSED: f64 = 0.01;

/// Late motion that would add less than this share of the whole displacement in as long a run again is none.
const STILL: f64 = 1e-6;

/// A speed that changes by less than this share over the last quarter is steady.
const STEADY: f64 = 0.01;

/// A swing or speed that falls by more than this from quarter to quarter decays; one that rises so grows.
const TREND: f64 = 0.1;

/// A motion that has decayed to this share of its fastest, and decays on, settles.
const SETTLED: f64 = 1e-2;

/// A load that rises by this share of the limit over the last tenth is still coming on.
const RISING: f64 = 0.01;

/// At rest for less than this share of the time is not at rest at all.
const SOME: f64 = 0.05;

/// A run creeps where it moves no faster than this many times the creep of its law.
const LIKE: f64 = 2.0;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Finding {
    /// It never slid.
    Sticks { used: f64 },
    /// It never slid; its spring gives way and swings.
    SticksElastically { range: f64, used: f64 },
    /// It slid, and rests since.
    Rests { since: f64 },
    /// It slid, and its spring swings since.
    RestsElastically { range: f64 },
    /// It sticks at the end under a load that is still rising.
    Loaded { used: f64, from: f64 },
    /// It sticks and slips again and again.
    StickSlip { slips: usize, rest: f64 },
    /// It slides both ways without an end.
    ToAndFro { drift: f64 },
    /// It decays and is nearly at rest.
    Settles { speed: f64, share: f64 },
    /// It still changes.
    NotSettled { speed: f64, change: f64 },
    /// It slides at a steady speed.
    SlidesSteadily { speed: f64 },
    /// It slides on in one direction, faster and slower again and again, between these rates.
    SlidesUnevenly { speed: f64, rates: [f64; 2] },
    /// It moves on and on under a load that it should hold; the law's own creep at that load, m/s.
    Creeps { speed: f64, law: f64, used: f64 },
    /// It walks on by so much per swing under a load that it should hold.
    Walks { per_swing: f64, speed: f64, used: f64 },
    /// It gets faster without an end.
    RunsAway { speed: f64, acceleration: f64 },
    /// Its mode says that it sticks, and it carries more than it can bear: the run is wrong.
    Overloaded { used: f64 },
    /// Its mode says that it sticks, and it moves: the run is wrong.
    SlidesStuck { range: f64 },
    /// Too short to say.
    Nothing,
}

/// Judges a motion. `creep` gives the slip rate at which the law's own steady curve bears a force, zero where it bears it
/// at rest.
pub(super) fn judge(motion: Option<&RunMotion>, creep: &dyn Fn(f64) -> f64) -> Finding {
    let Some(m) = motion else { return Finding::Nothing };
    if let Some(part) = [m.whole, m.end].into_iter().find(|part| part.sticks) {
        if part.used > OVER {
            return Finding::Overloaded { used: part.used };
        }
        if part.range > SLACK {
            return Finding::SlidesStuck { range: part.range };
        }
    }
    if m.whole.range <= NOWHERE || m.whole.sticks {
        return Finding::Sticks { used: m.whole.used };
    }
    let is_held = m.end.sticks || is_elastic(m, m.end.range, m.end.used);
    if is_held && is_rising(m) {
        return if m.slips >= 2 && m.late_rest > SOME { stick_slip(m) } else { loaded(m) };
    }
    if m.end.sticks {
        return Finding::Rests { since: m.since };
    }
    // What still slides is no rest, though it be within the spring for the moment.
    let is_elastic = is_elastic(m, m.late.range - m.late.net.abs(), m.late.used);
    if is_held && !is_elastic {
        return Finding::RestsElastically { range: m.end.range };
    }
    if m.slips >= 2 && m.late_rest > SOME && m.late.fastest > REST * m.whole.fastest && !is_elastic {
        return stick_slip(m);
    }
    // A controller that hunts moves slowly beside its way there.
    if m.slow_slips >= 2 && m.late_rest > SOME && m.late.fastest >= (1.0 - TREND) * m.before.fastest {
        return Finding::StickSlip { slips: m.slow_slips, rest: m.rest };
    }
    if m.reversals >= 3 { swinging(m, creep) } else { one_way(m, creep) }
}

fn stick_slip(m: &RunMotion) -> Finding {
    Finding::StickSlip { slips: m.slips, rest: m.rest }
}

/// The load on a contact at rest is still coming on.
fn is_rising(m: &RunMotion) -> bool {
    let [begin, end] = m.end.used_ends;
    end - begin > RISING && end >= HELD * m.end.used
}

fn loaded(m: &RunMotion) -> Finding {
    let [from, used] = m.end.used_ends;
    if is_elastic(m, m.whole.range, m.whole.used) {
        return Finding::SticksElastically { range: m.whole.range, used };
    }
    Finding::Loaded { used, from }
}

/// Whether a stretch of motion lies within the law's spring, under a load that it holds.
fn is_elastic(m: &RunMotion, range: f64, used: f64) -> bool {
    m.elastic > 0.0 && range <= WITHIN * m.elastic && used < HELD
}

/// Whether what is left of the motion would add nothing in as long a run again.
fn is_still(m: &RunMotion) -> bool {
    m.late.fastest * m.whole.time <= STILL * m.whole.range
}

/// What the law's own curve says of the mean load, if the contact should hold it.
fn held_creep(m: &RunMotion, creep: &dyn Fn(f64) -> f64) -> f64 {
    if m.late.used < HELD { creep(m.late.force.abs()) } else { 0.0 }
}

fn swinging(m: &RunMotion, creep: &dyn Fn(f64) -> f64) -> Finding {
    let late = m.late;
    let swing = late.range - late.net.abs();
    if is_elastic(m, swing, late.used) {
        // A decaying or growing swing moves its turning points, which is no walk.
        let is_even = (late.fastest / m.before.fastest - 1.0).abs() <= TREND;
        if is_even && m.per_swing.abs() > (CLOSED * swing).max(STILL * m.elastic) {
            return Finding::Walks { per_swing: m.per_swing, speed: m.drift, used: late.used };
        }
        return elastic(m);
    }
    if is_still(m) {
        return Finding::Rests { since: m.since };
    }
    let law = held_creep(m, creep);
    if law > 0.0 && m.drift.abs() <= LIKE * law && m.drift.abs() * LIKE >= law {
        return Finding::Creeps { speed: m.drift, law, used: late.used };
    }
    let change = late.fastest / m.before.fastest - 1.0;
    match change {
        c if c < -TREND && late.fastest < SETTLED * m.whole.fastest => {
            Finding::Settles { speed: late.fastest, share: late.fastest / m.whole.fastest }
        }
        c if c.abs() > TREND => Finding::NotSettled { speed: late.fastest, change },
        _ => Finding::ToAndFro { drift: m.drift },
    }
}

fn elastic(m: &RunMotion) -> Finding {
    if is_elastic(m, m.whole.range, m.whole.used) {
        Finding::SticksElastically { range: m.whole.range, used: m.whole.used }
    } else {
        Finding::RestsElastically { range: m.late.range }
    }
}

/// Late motion in one direction, or hardly any.
fn one_way(m: &RunMotion, creep: &dyn Fn(f64) -> f64) -> Finding {
    let late = m.late;
    let speed = late.net / late.time;
    if is_elastic(m, late.range, late.used) {
        return elastic(m);
    }
    let law = held_creep(m, creep);
    if law > 0.0 && speed.abs() <= LIKE * law && speed.abs() * LIKE >= law {
        return Finding::Creeps { speed, law, used: late.used };
    }
    if is_still(m) {
        return Finding::Rests { since: m.since };
    }
    let [begin, end] = late.ends.map(f64::abs);
    let [low, high] = late.rates;
    if high - low <= STEADY * late.fastest {
        return Finding::SlidesSteadily { speed };
    }
    if m.ripples >= 3 && (late.fastest / m.before.fastest - 1.0).abs() <= TREND {
        return Finding::SlidesUnevenly { speed, rates: late.rates };
    }
    let gain = (end - begin) / late.time;
    let gained = (m.before.ends[1].abs() - m.before.ends[0].abs()) / m.before.time;
    // Not finite from rest.
    let change = end / begin - 1.0;
    if gain > 0.0 && gain >= 0.5 * gained {
        Finding::RunsAway { speed: late.ends[1], acceleration: gain }
    } else if end < 0.1 * begin || end < begin && late.fastest < SETTLED * m.whole.fastest {
        Finding::Settles { speed: end, share: end / m.whole.fastest }
    } else {
        Finding::NotSettled { speed: end, change }
    }
}

/// Said beside what cannot be.
const WRONG: &str = "the run is wrong";

impl Finding {
    /// Why the run cannot be trusted, if so.
    pub(super) fn failure(self, contact: &str) -> Option<String> {
        let is_wrong = matches!(self, Finding::Overloaded { .. } | Finding::SlidesStuck { .. });
        is_wrong.then(|| format!("contact `{contact}` {}", self.words().0))
    }

    /// The verdict in words and the figure it rests on.
    pub(super) fn fact(self, contact: &str) -> Fact {
        let (words, tone, note) = self.words();
        let mut fact = Fact::verdict(format!("contact `{contact}`"), words, tone);
        fact.note = note;
        fact
    }

    fn words(self) -> (String, Tone, String) {
        let good = |words: String, note: String| (words, Tone::Good, note);
        match self {
            Finding::Sticks { used } => good("sticks throughout".to_owned(), carried(used)),
            Finding::SticksElastically { range, used } => {
                good(format!("sticks elastically, within {} m", short(range)), carried(used))
            }
            Finding::Rests { since } => {
                good("comes to rest and holds".to_owned(), format!("at rest since {} s", short(since)))
            }
            Finding::RestsElastically { range } => good(
                "comes to rest and holds".to_owned(),
                format!("its spring swings within {} m at the end", short(range)),
            ),
            other => other.moving(),
        }
    }

    fn moving(self) -> (String, Tone, String) {
        let warn = |words: String, note: String| (words, Tone::Warn, note);
        match self {
            Finding::Loaded { used, from } => (
                "sticks at the end, under a load that still rises".to_owned(),
                Tone::Neutral,
                format!("from {} to {} of its limit over the last tenth", percent(from), percent(used)),
            ),
            Finding::StickSlip { slips, rest } => warn(
                format!("stick–slip: {slips} slips, at rest {:.0} % of the time", 100.0 * rest),
                "at rest below 2 % of the fastest slip rate".to_owned(),
            ),
            Finding::ToAndFro { drift: 0.0 } => {
                warn("slides to and fro, without drift".to_owned(), "over whole swings".to_owned())
            }
            Finding::ToAndFro { drift } => warn(
                format!("slides to and fro, drifting at {} m/s", short(drift)),
                "over whole swings".to_owned(),
            ),
            Finding::Settles { speed, share } => (
                format!("settles: {} m/s at the end, and falling", short(speed)),
                Tone::Neutral,
                format!("{:.1e} of the fastest slip rate", share),
            ),
            Finding::NotSettled { speed, change } => warn(
                format!("not settled yet: {} m/s at the end", short(speed)),
                format!("{} by {} over the last quarter; run on", verb(change), percent(change.abs())),
            ),
            Finding::SlidesSteadily { speed } => (
                format!("slides steadily at {} m/s", short(speed)),
                Tone::Neutral,
                "changes by less than 1 % over the last quarter".to_owned(),
            ),
            Finding::SlidesUnevenly { speed, rates: [low, high] } => (
                format!("slides on unevenly, at {} m/s on the whole", short(speed)),
                Tone::Neutral,
                format!("between {} and {} m/s over the last quarter", short(low), short(high)),
            ),
            Finding::Creeps { speed, law, used } => warn(
                format!("creeps at {} m/s (the law says {} m/s)", short(speed), short(law)),
                carried(used),
            ),
            Finding::Walks { per_swing, speed, used } => warn(
                format!("creeps by {} m per swing, {} m/s", short(per_swing), short(speed)),
                carried(used),
            ),
            Finding::RunsAway { speed, acceleration } => (
                format!("runs away: {} m/s at the end", short(speed)),
                Tone::Bad,
                format!("still gaining {} m/s²", short(acceleration)),
            ),
            Finding::Overloaded { used } => (
                format!("should slide: it sticks under {} of its limit", percent(used)),
                Tone::Bad,
                WRONG.to_owned(),
            ),
            Finding::SlidesStuck { range } => (
                format!("should not move: it is said to stick, and moves by {} m", short(range)),
                Tone::Bad,
                WRONG.to_owned(),
            ),
            _ => ("too short to say".to_owned(), Tone::Neutral, String::new()),
        }
    }
}

fn verb(change: f64) -> &'static str {
    if change < 0.0 { "falls" } else { "rises" }
}

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.3} %", 100.0 * share) } else { "much".to_owned() }
}

/// How much of its limit a contact carries.
fn carried(used: f64) -> String {
    if used.is_finite() { format!("carries at most {} of its limit", percent(used)) } else { String::new() }
}

/// A number in few digits.
fn short(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e4).contains(&size) => format!("{x:.4}"),
        _ => format!("{x:.3e}"),
    }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod verdict_tests;
