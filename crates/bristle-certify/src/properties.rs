//! A certificate in a row: the same properties on the table, on the law's page and in the manual.

use super::certificate::{Certificate, Measured};
use super::probes::hold::{Hold, HoldVerdict};
use super::probes::kernel::Kernel;
use super::probes::presliding::Presliding;
use super::probes::pulses::Walk;
use super::probes::release::Release;
use bristle_law::LawKind;
use bristle_record::{Cell, Verdict};

/// One property of a law.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its value.
    pub cell: Cell,
}

/// Less than this counts as none, m per cycle or pulse: a thousandth of an atom.
const NONE: f64 = 1e-13;

/// In the place of findings that do not apply.
const NO_SPRING: &str = "no spring";
const NO_STATES: &str = "no states";

fn good(words: &str) -> Cell {
    Cell::Verdict { verdict: Verdict::Agrees, text: words.to_owned() }
}

fn bad(words: &str) -> Cell {
    Cell::Verdict { verdict: Verdict::Differs, text: words.to_owned() }
}

fn mixed(words: &str) -> Cell {
    Cell::Verdict { verdict: Verdict::Explained, text: words.to_owned() }
}

fn number(value: f64) -> Cell {
    Cell::Number { value, digits: 3 }
}

fn none_or(value: f64, least: f64) -> Cell {
    if value.abs() < least { "none".into() } else { number(value) }
}

fn per_cent(value: f64) -> String {
    let text = if value.abs() < 5e-6 { "0".to_owned() } else { format!("{:.2}", 100.0 * value) };
    text.replace('-', "−")
}

/// A finding as a cell. A probe that could not be made says so; the law's page tells why.
fn of<T>(found: &Measured<T>, cell: impl Fn(&T) -> Cell) -> Cell {
    found.found().map_or_else(|| "not measured".into(), cell)
}

/// A finding that not every law can have: in words why it does not apply.
fn where_any<T>(found: &Measured<Option<T>>, none: &str, cell: impl Fn(&T) -> Cell) -> Cell {
    of(found, |found| found.as_ref().map_or_else(|| none.into(), &cell))
}

/// All properties, in the order of the table.
pub fn properties(certificate: &Certificate) -> Vec<Property> {
    let mut all = rest(certificate);
    all.extend(motion(certificate));
    all.extend(nature(certificate));
    all
}

fn held(hold: &Hold) -> Cell {
    match hold.verdict() {
        HoldVerdict::Holds => "none".into(),
        HoldVerdict::Creeps => number(hold.speed()),
        HoldVerdict::BreaksAway => "breaks away".into(),
    }
}

fn walked(walk: Walk) -> Cell {
    match walk {
        Walk::PerPulse(moved) => none_or(moved, NONE),
        Walk::BrokeAwayInPulse(_) => "breaks away".into(),
    }
}

/// What the law does to a block that should rest.
fn rest(c: &Certificate) -> Vec<Property> {
    let verdict = match c.verdict() {
        Some(verdict @ HoldVerdict::Holds) => good(verdict.words()),
        Some(verdict @ HoldVerdict::Creeps) => bad(verdict.words()),
        Some(verdict @ HoldVerdict::BreaksAway) => mixed(verdict.words()),
        None => "not measured".into(),
    };
    let at = |share: usize, cell: &dyn Fn(&Hold) -> Cell| {
        of(&c.hold, |holds| holds.get(share).map_or_else(|| "not measured".into(), cell))
    };
    let predicted = |h: &Hold| if h.predicted == 0.0 { "none".into() } else { number(h.predicted) };
    let moved = |h: &Hold| match (h.broke_away, h.moved_1e6) {
        (Some(_), _) => "breaks away".into(),
        (None, Some(moved)) => none_or(moved, 1e-12),
        (None, None) => "not reached".into(),
    };
    let left = |r: &Release| r.set.map_or_else(|| "breaks away".into(), |set| none_or(set, 1e-12));
    vec![
        Property { name: "kinetic level", unit: "N", cell: of(&c.levels, |l| number(l.kinetic)) },
        Property { name: "static level", unit: "N", cell: of(&c.levels, |l| number(l.breaking)) },
        Property { name: "below the static level", unit: "", cell: verdict },
        Property { name: "creep at 50 %", unit: "m/s", cell: at(0, &held) },
        Property { name: "at 90 %", unit: "m/s", cell: at(1, &held) },
        Property { name: "at 99 %", unit: "m/s", cell: at(2, &held) },
        Property { name: "at 99.9 %", unit: "m/s", cell: at(3, &held) },
        Property { name: "predicted at 99.9 %", unit: "m/s", cell: at(3, &predicted) },
        Property { name: "moved in 10⁶ s at 99.9 %", unit: "m", cell: at(3, &moved) },
        Property { name: "left after 90 %", unit: "m", cell: of(&c.release, left) },
        Property { name: "per pulse of 50 %", unit: "m", cell: of(&c.pulses, |p| walked(p.half)) },
        Property { name: "per pulse of 90 %", unit: "m", cell: of(&c.pulses, |p| walked(p.high)) },
        Property { name: "drift per cycle", unit: "m", cell: of(&c.shake, |s| none_or(s.drift, NONE)) },
        Property { name: "drift on the soft bench", unit: "mm", cell: of(&c.shake, soft) },
    ]
}

fn soft(shake: &super::probes::shake::Shake) -> Cell {
    let Some(drifts) = shake.soft else { return "no such numbers".into() };
    let text = drifts.map(|d| if d.abs() < 5e-8 { "0".to_owned() } else { format!("{:.4}", 1e3 * d) });
    text.join(" / ").replace('-', "−").into()
}

/// What it does on the way to sliding and in sliding.
fn motion(c: &Certificate) -> Vec<Property> {
    let stiffness = |r: &Release| r.stiffness.map_or_else(|| "rigid or none".into(), number);
    let loops = |p: &Presliding| if p.closes { good("close") } else { mixed("open") };
    let grows = |d: &super::probes::dwell::Dwell| {
        if d.strengthens { per_cent(d.per_decade) } else { "none".to_owned() }
    };
    vec![
        Property { name: "stiffness", unit: "N/m", cell: of(&c.release, stiffness) },
        Property {
            name: "loss per loop",
            unit: "J",
            cell: where_any(&c.presliding, NO_SPRING, |p| none_or(p.loss, 1e-9)),
        },
        Property { name: "loops within loops", unit: "", cell: where_any(&c.presliding, NO_SPRING, loops) },
        Property {
            name: "break-away falls with rate",
            unit: "%",
            cell: of(&c.break_away, |b| per_cent(b.fall).into()),
        },
        Property {
            name: "lag at 1 / 10 / 100 Hz",
            unit: "%",
            cell: of(&c.lag, |l| l.width.map(per_cent).join(" / ").into()),
        },
        Property {
            name: "ageing per decade of hold time",
            unit: "%",
            cell: of(&c.dwell, |d| grows(d).into()),
        },
        Property {
            name: "off its steady curve",
            unit: "%",
            cell: of(&c.steady, |s| per_cent(s.error).into()),
        },
    ]
}

/// The order stated, and seen.
fn kernel_order(k: &Kernel) -> Cell {
    let seen = k.seen_order.map(|seen| format!(", {seen:.1} seen")).unwrap_or_default();
    format!("{}{seen}", k.order).into()
}

fn kernel_error(k: &Kernel) -> Cell {
    k.error.map_or_else(|| NO_STATES.into(), |e| none_or(e[1], 1e-10))
}

/// Why a law has no fixed step of its own.
fn no_step(law: &str) -> &'static str {
    let states = LawKind::named(law).map_or(0, LawKind::states);
    if states == 0 { "needs none" } else { "has none" }
}

/// What it is.
fn nature(c: &Certificate) -> Vec<Property> {
    let passive =
        |p: &super::probes::passivity::Passivity| if p.is_passive { good("passive") } else { bad("active") };
    let mirror = |p: &super::probes::passivity::Passivity| none_or(p.asymmetry, 1e-5);
    let rotation = where_any(&c.rotation, "no vector form", |r| none_or(r.error, 1e-6));
    let no_step = no_step(c.law);
    let step = |s: &super::probes::fixed_step::FixedStepLimit| {
        s.largest.map_or_else(|| "none".into(), |value| Cell::Number { value, digits: 2 })
    };
    let methods = of(&c.methods, |all| {
        let agree = all.iter().filter(|m| m.agrees_with(&all[0])).count();
        format!("{agree} of {}", all.len()).into()
    });
    vec![
        Property { name: "random motions", unit: "", cell: of(&c.passivity, passive) },
        Property {
            name: "energy given back",
            unit: "J",
            cell: of(&c.passivity, |p| none_or(p.returned, 1e-12)),
        },
        Property { name: "left and right differ", unit: "", cell: of(&c.passivity, mirror) },
        Property { name: "directions in the plane differ", unit: "", cell: rotation },
        Property { name: "smoothness", unit: "", cell: of(&c.smoothness, |s| s.words().into()) },
        Property { name: "methods that agree", unit: "", cell: methods },
        Property {
            name: "evaluations per second of belt",
            unit: "",
            cell: of(&c.cost, |c| Cell::Number { value: c.per_second, digits: 3 }),
        },
        Property { name: "largest explicit step", unit: "s", cell: of(&c.fixed_step, step) },
        Property {
            name: "order of its own step",
            unit: "",
            cell: where_any(&c.kernel, no_step, kernel_order),
        },
        Property { name: "its error at 0.1 ms", unit: "", cell: where_any(&c.kernel, no_step, kernel_error) },
    ]
}
