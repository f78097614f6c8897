//! A certificate in a row: the same properties on the table, on the law's page and in the manual.

use super::certificate::{Certificate, Measured};
use super::probes::hold::{Hold, HoldVerdict};
use super::probes::kernel::Kernel;
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

fn of<T>(found: &Measured<T>, cell: impl Fn(&T) -> Cell) -> Cell {
    found.found().map_or_else(|| "–".into(), cell)
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

/// A pulse that carries the block by centimetres has broken it loose.
fn walked(per_pulse: f64) -> Cell {
    if per_pulse.abs() > 1e-2 { "breaks away".into() } else { none_or(per_pulse, NONE) }
}

/// What the law does to a block that should rest.
fn rest(c: &Certificate) -> Vec<Property> {
    let verdict = match c.verdict() {
        Some(HoldVerdict::Holds) => good("holds"),
        Some(HoldVerdict::Creeps) => bad("creeps"),
        Some(HoldVerdict::BreaksAway) => mixed("breaks away early"),
        None => "–".into(),
    };
    let at = |share: usize, cell: &dyn Fn(&Hold) -> Cell| {
        of(&c.hold, |holds| holds.get(share).map_or_else(|| "–".into(), cell))
    };
    let predicted = |h: &Hold| if h.predicted == 0.0 { "none".into() } else { number(h.predicted) };
    let moved = |h: &Hold| h.moved_1e6.map_or_else(|| "not reached".into(), |m| none_or(m, 1e-12));
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
        Property { name: "left after 90 %", unit: "m", cell: of(&c.release, |r| none_or(r.set, 1e-12)) },
        Property { name: "per pulse of 50 %", unit: "m", cell: of(&c.pulses, |p| walked(p.half)) },
        Property { name: "per pulse of 90 %", unit: "m", cell: of(&c.pulses, |p| walked(p.high)) },
        Property { name: "drift per cycle", unit: "m", cell: of(&c.shake, |s| none_or(s.drift, NONE)) },
        Property { name: "drift on the soft bench", unit: "mm", cell: of(&c.shake, soft) },
    ]
}

fn soft(shake: &super::probes::shake::Shake) -> Cell {
    let Some(drifts) = shake.soft else { return "–".into() };
    let text = drifts.map(|d| if d.abs() < 5e-8 { "0".to_owned() } else { format!("{:.4}", 1e3 * d) });
    text.join(" / ").replace('-', "−").into()
}

/// What it does on the way to sliding and in sliding.
fn motion(c: &Certificate) -> Vec<Property> {
    let stiffness =
        |r: &super::probes::release::Release| r.stiffness.map_or_else(|| "rigid or none".into(), number);
    let loops =
        |p: &super::probes::presliding::Presliding| if p.closes { good("close") } else { mixed("open") };
    let grows = |d: &super::probes::dwell::Dwell| {
        if d.strengthens { per_cent(d.per_decade) } else { "none".to_owned() }
    };
    vec![
        Property { name: "stiffness", unit: "N/m", cell: of(&c.release, stiffness) },
        Property { name: "loss per loop", unit: "J", cell: of(&c.presliding, |p| none_or(p.loss, 1e-9)) },
        Property { name: "loops within loops", unit: "", cell: of(&c.presliding, loops) },
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
        Property { name: "grows per decade of rest", unit: "%", cell: of(&c.dwell, |d| grows(d).into()) },
        Property {
            name: "off its steady curve",
            unit: "%",
            cell: of(&c.steady, |s| per_cent(s.error).into()),
        },
    ]
}

/// The order stated, and seen.
fn kernel_order(kernel: &Option<Kernel>) -> Cell {
    let Some(k) = kernel else { return "–".into() };
    let seen = k.seen_order.map(|seen| format!(", {seen:.1} seen")).unwrap_or_default();
    format!("{}{seen}", k.order).into()
}

fn kernel_error(kernel: &Option<Kernel>) -> Cell {
    let error = kernel.and_then(|k| k.error).map(|e| e[1]);
    error.map_or_else(|| "–".into(), |e| none_or(e, 1e-10))
}

/// What it is.
fn nature(c: &Certificate) -> Vec<Property> {
    let passive =
        |p: &super::probes::passivity::Passivity| if p.is_passive { good("passive") } else { bad("active") };
    let mirror = |p: &super::probes::passivity::Passivity| none_or(p.asymmetry, 1e-5);
    let rotation = of(&c.rotation, |r| r.map_or_else(|| "–".into(), |r| none_or(r.error, 1e-6)));
    let step = |s: &super::probes::fixed_step::FixedStep| {
        s.largest.map_or_else(|| "none".into(), |value| Cell::Number { value, digits: 2 })
    };
    let methods = of(&c.methods, |all| {
        let first = all.first().and_then(|m| m.speed).unwrap_or(f64::NAN);
        let near = |v: f64| (v - first).abs() <= 1e-9 + 0.01 * first.abs();
        let agree = all.iter().filter(|m| m.speed.is_some_and(near)).count();
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
        Property { name: "order of its own step", unit: "", cell: of(&c.kernel, kernel_order) },
        Property { name: "its error at 0.1 ms", unit: "", cell: of(&c.kernel, kernel_error) },
    ]
}
