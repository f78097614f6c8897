//! Mechanisms to pick, and laws with their cards and certificates.

use bristle_certify::fingerprint_of;
use bristle_law::LawKind;
use bristle_record::palette;
use serde_json::{Value, json};

/// A parameter of a map: path, from, to, and whether its steps are ratios.
type Span = (&'static str, f64, f64, bool);

/// A mechanism to begin with.
struct Starter {
    id: &'static str,
    name: &'static str,
    /// What to look for.
    words: &'static str,
    text: &'static str,
    /// Laws laid side by side at first; the empty name is its own.
    laws: &'static [&'static str],
    /// What is drawn over time.
    shown: &'static [&'static str],
    /// What is drawn over what.
    phase: [&'static str; 2],
    /// What can be turned at first; the rest is folded away.
    turned: &'static [&'static str],
    /// Which map is drawn at first, over what.
    map: (&'static str, Span, Span),
}

const STARTERS: &[Starter] = &[
    Starter {
        id: "belt",
        name: "Block on a belt",
        words: "Blue: it sticks. Orange: it slips. Raise the belt’s speed or the damper until the vibration dies; the map shows where.",
        text: include_str!("../mechanisms/belt.toml"),
        laws: &["", "coulomb"],
        shown: &["block.q", "block.v", "pad.force"],
        phase: ["block.q", "block.v"],
        turned: &["belt.v", "damper.d", "tie.k", "pad.load", "block.mass"],
        map: ("stability", ("belt.v", 0.01, 1.0, true), ("damper.d", 0.0, 12.0, false)),
    },
    Starter {
        id: "incline",
        name: "Block on an incline",
        words: "It slides until it stops, and holds while tan θ < μ_s. Tilt the plane until it runs away.",
        text: include_str!("../../../examples/incline.toml"),
        laws: &["", "lugre", "quinn"],
        shown: &["block.q", "block.v", "floor.force"],
        phase: ["block.q", "block.v"],
        turned: &["weight.angle", "block.v", "block.mass"],
        map: ("cycles", ("weight.angle", 0.0, 0.7, false), ("floor.law.mu_d", 0.05, 0.5, false)),
    },
    Starter {
        id: "bench",
        name: "Test bench",
        words: "A force jumps to 95 % of what breaks the contact loose. Bristles give way by micrometres; lengthen the pulse and nothing slips.",
        text: include_str!("../../../examples/bench.toml"),
        laws: &["", "lugre", "coulomb"],
        shown: &["block.q", "block.v", "pad.force"],
        phase: ["block.q", "pad.force"],
        turned: &["push.signal.to", "push.signal.duration", "block.mass"],
        map: ("cycles", ("push.signal.to", 2.0, 7.0, false), ("push.signal.duration", 1e-4, 2e-2, true)),
    },
    Starter {
        id: "servo",
        name: "Servo axis",
        words: "Integral action and static friction do not go together: the axis hunts. Set ki to zero, or make static friction as small as kinetic.",
        text: include_str!("../../../examples/hunting_stage.toml"),
        laws: &["", "lugre"],
        shown: &["stage.q", "stage.v", "servo.force"],
        phase: ["stage.q", "stage.v"],
        turned: &["servo.kp", "servo.ki", "servo.kd", "servo.position", "stage.mass"],
        map: ("cycles", ("servo.ki", 0.0, 2000.0, false), ("servo.kd", 1.0, 100.0, true)),
    },
    Starter {
        id: "drill",
        name: "Drill string",
        words: "The bit sticks until three kilometres of string are wound up, then races. A faster table, less weight on the bit or thicker mud ends it.",
        text: include_str!("../../../examples/drill_string.toml"),
        laws: &["", "coulomb"],
        shown: &["bit.speed", "string.torque", "rock.torque"],
        phase: ["bit.angle", "bit.speed"],
        turned: &["table.speed", "rock.load", "mud.d", "string.k", "bit.inertia"],
        map: ("cycles", ("table.speed", 2.0, 30.0, false), ("mud.d", 0.0, 400.0, false)),
    },
    Starter {
        id: "clutch",
        name: "Clutch",
        words: "Friction that falls with slip makes the car shake as it pulls away. Level it, or damp the shaft.",
        text: include_str!("../../../examples/clutch_judder.toml"),
        laws: &["", "coulomb"],
        shown: &["disc.speed", "car.speed", "clutch.force"],
        phase: ["clutch.slip_rate", "clutch.force"],
        turned: &["clutch.force.slope", "losses.d", "shaft.k", "engine.speed", "car.inertia"],
        map: ("cycles", ("losses.d", 0.01, 5.0, true), ("shaft.k", 50.0, 2000.0, true)),
    },
    Starter {
        id: "stack",
        name: "Three-body stack",
        words: "Who slips on whom changes four times until all rest. Every contact at rest is solved for together, so nothing creeps.",
        text: include_str!("../../../examples/stack.toml"),
        laws: &["", "lugre"],
        shown: &["top.q", "middle.q", "upper.force"],
        phase: ["top.q", "top.v"],
        turned: &["tie.k", "top.q", "top.mass", "middle.mass", "bottom.mass"],
        map: ("cycles", ("tie.k", 5.0, 60.0, false), ("top.q", 0.2, 2.0, false)),
    },
    Starter {
        id: "capstan",
        name: "Capstan",
        words: "A rope over a drum holds a load with less than half of it: e^(μπ) = 2.19 times as much. Raise the load past it and the rope runs away.",
        text: include_str!("../../../examples/capstan.toml"),
        laws: &[""],
        shown: &["load.y", "load.tension", "capstan.friction"],
        phase: ["load.y", "load.vy"],
        turned: &["load.force_y.to", "holder.force_y.value", "capstan.radius", "rope.length"],
        map: ("cycles", ("load.force_y.to", -240.0, -150.0, false), ("capstan.law.mu_d", 0.15, 0.35, false)),
    },
];

/// All of it, as the page reads it.
pub fn catalogue() -> Value {
    let span = |s: &Span| json!({ "path": s.0, "from": s.1, "to": s.2, "log": s.3 });
    let starter = |s: &Starter| {
        json!({
            "id": s.id, "name": s.name, "words": s.words, "text": s.text, "laws": s.laws, "shown": s.shown, "phase": s.phase,
            "turned": s.turned, "map": { "kind": s.map.0, "x": span(&s.map.1), "y": span(&s.map.2) },
        })
    };
    let law = |kind: &LawKind| {
        let card = kind.card();
        json!({
            "name": card.name, "title": bristle_record::markup::plain(card.title()), "equation": card.equation(), "tags": card.tags,
            "colour": palette::colour_for(card.name), "certificate": fingerprint_of(card.name),
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "starters": STARTERS.iter().map(starter).collect::<Vec<_>>(),
        "laws": LawKind::ALL.iter().map(law).collect::<Vec<_>>(),
    })
}
