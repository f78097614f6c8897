//! Long holds below the static level: does the block stay?

use crate::CertifyError;
use crate::bench::{BlockFate, LawBench, signal};
use crate::slide::{Slide, SlipHistory};
use bristle_law::At;
use bristle_mech::SignalKind;
use bristle_solve::{Method, SolveError, Solver};
use serde::Serialize;

/// Shares of the static level.
pub const SHARES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

/// How long the load takes to come on, and when the block counts as settled, s.
const RAMP: f64 = 30.0;
const SETTLED: f64 = 60.0;

/// The block that is held, as a share of the block of the bench.
pub const LIGHT: f64 = 1e-3;

/// A block slower than this, a nanometre in ten days, rests, m/s.
pub const REST: f64 = 1e-15;

/// A block that moves less than this within 300 s, a hundredth of an atom, rests as far as such a run can tell, m.
const STILL: f64 = 1e-12;

/// What became of a block under a load below the static level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldVerdict {
    /// It rests.
    Holds,
    /// It moves on and on.
    Creeps,
    /// It broke away, although the load is below the level at which it did before.
    BreaksAway,
}

/// One hold.
#[derive(Clone, Debug, Serialize)]
pub struct Hold {
    /// Share of the static level.
    pub share: f64,
    /// Load, N.
    pub load: f64,
    /// When the block broke away, s since the load began to come on, if it did.
    pub broke_away: Option<f64>,
    /// Moved within 300 s after settling, m; nothing if it broke away.
    pub moved_300: Option<f64>,
    /// Mean speed over these 300 s, m/s.
    pub speed_300: Option<f64>,
    /// Moved within 10⁶ s, m; nothing if the run was too long for any method.
    pub moved_1e6: Option<f64>,
    /// Mean speed over the last 10⁵ of them, m/s.
    pub speed_1e6: Option<f64>,
    /// The slip rate at which the law's own steady curve bears the load, m/s; zero where it bears it at rest.
    pub predicted: f64,
}

impl HoldVerdict {
    /// The word used in tables.
    pub fn words(self) -> &'static str {
        match self {
            HoldVerdict::Holds => "holds",
            HoldVerdict::Creeps => "creeps",
            HoldVerdict::BreaksAway => "breaks away early",
        }
    }
}

impl Hold {
    /// Speed at the end, m/s; infinite once it broke away.
    pub fn speed(&self) -> f64 {
        self.speed_1e6.or(self.speed_300).unwrap_or(f64::INFINITY)
    }

    /// What became of the block.
    pub fn verdict(&self) -> HoldVerdict {
        let rests = match (self.speed_1e6, self.moved_300) {
            (Some(speed), _) => speed.abs() <= REST,
            (None, moved) => moved.is_some_and(|moved| moved.abs() <= STILL),
        };
        match rests {
            _ if self.broke_away.is_some() => HoldVerdict::BreaksAway,
            true => HoldVerdict::Holds,
            false => HoldVerdict::Creeps,
        }
    }
}

/// Measures it on a bench.
pub fn measure(bench: &LawBench, breaking: f64) -> Result<Vec<Hold>, CertifyError> {
    SHARES.iter().map(|share| hold(bench, *share, share * breaking)).collect()
}

/// What is said of several holds: the worst of them.
pub fn worst(holds: &[Hold]) -> HoldVerdict {
    let has = |verdict: HoldVerdict| holds.iter().any(|h| h.verdict() == verdict);
    let worst = [HoldVerdict::Creeps, HoldVerdict::BreaksAway].into_iter().find(|v| has(*v));
    worst.unwrap_or(HoldVerdict::Holds)
}

/// What is said of all holds up to nearly the static level, with as few of them as decide it: who holds the heaviest load,
/// or creeps under it, does so under no other.
pub fn judge(bench: &LawBench, breaking: f64) -> Result<HoldVerdict, CertifyError> {
    let [lighter @ .., heaviest] = SHARES;
    let first = hold(bench, heaviest, heaviest * breaking)?.verdict();
    if first != HoldVerdict::BreaksAway {
        return Ok(first);
    }
    let others: Result<Vec<Hold>, CertifyError> =
        lighter.into_iter().map(|share| hold(bench, share, share * breaking)).collect();
    Ok(if worst(&others?) == HoldVerdict::Creeps { HoldVerdict::Creeps } else { HoldVerdict::BreaksAway })
}

/// One hold under a load that is this share of the static level.
pub fn hold(bench: &LawBench, share: f64, load: f64) -> Result<Hold, CertifyError> {
    let push = signal(SignalKind::SmoothStep, &[("to", load), ("duration", RAMP)]);
    // A light block: bristles ring fast, settle soon, and the slow load hardly excites them.
    let system = bench.pushed(LIGHT * bench.mass, vec![("push", push)])?;
    // Fast parts have died out for most of the time, so an implicit method takes few steps; where the kink at rest keeps one
    // from growing its steps, another may not mind.
    let solver = |method| Solver { method, max_steps: 100_000, ..bench.solver() };
    let times = [SETTLED, SETTLED + 300.0, 9e5, SETTLED + 1e6];
    let is_too_long =
        |e: &CertifyError| matches!(e, CertifyError::Solve { source: SolveError::TooManySteps { .. }, .. });
    let mut whole = bench.places(&system, &times, &solver(Method::Rodas5p));
    if whole.as_ref().is_err_and(is_too_long) {
        whole = bench.places(&system, &times, &solver(Method::Rodas4));
    }
    let (fate, is_whole) = match whole {
        Err(e) if is_too_long(&e) => {
            let patient = Solver { max_steps: 500_000, ..solver(Method::Rodas5p) };
            (bench.places(&system, &times[..2], &patient)?, false)
        }
        other => (other?, true),
    };
    let predicted = predicted(bench, load)?;
    let none = Hold {
        share,
        load,
        broke_away: None,
        moved_300: None,
        speed_300: None,
        moved_1e6: None,
        speed_1e6: None,
        predicted,
    };
    Ok(match fate {
        BlockFate::BrokeAway(t) => Hold { broke_away: Some(t), ..none },
        BlockFate::Stayed(x) => Hold {
            moved_300: Some(x[1] - x[0]),
            speed_300: Some((x[1] - x[0]) / 300.0),
            moved_1e6: is_whole.then(|| x[3] - x[0]),
            speed_1e6: is_whole.then(|| (x[3] - x[2]) / (times[3] - times[2])),
            ..none
        },
    })
}

/// The smallest slip rate at which the law bears exactly this load, from its own steady curve.
///
/// Found on the branch that rises from rest; a curve that starts at a level of its own bears no load by creeping.
pub fn predicted(bench: &LawBench, load: f64) -> Result<f64, CertifyError> {
    if bench.is_set_valued()? {
        return Ok(0.0);
    }
    let kind = bench.kind()?;
    let uses_hold = kind.build(&bench.law.numbers, &bench.law.choices).uses_hold();
    let damper = bench.damper(LIGHT * bench.mass);
    let excess = |v: f64| -> Result<f64, CertifyError> { Ok(borne(bench, v, load)? + damper * v - load) };
    let mut low = 1e-12;
    let at_rest = excess(low)?;
    if at_rest >= -1e-9 * load || (!uses_hold && at_rest > -0.99 * load) {
        return Ok(0.0);
    }
    // A peak may be narrow; a law with states pays for each look with a run.
    let pace = if kind.states() > 0 { 1.2 } else { 1.005 };
    let mut high = low;
    while excess(high)? < 0.0 {
        low = high;
        high *= pace;
        if high > 1e3 {
            return Ok(f64::NAN);
        }
    }
    while high / low > 1.0 + 1e-10 {
        let middle = (low * high).sqrt();
        if excess(middle)? < 0.0 { low = middle } else { high = middle }
    }
    Ok(low)
}

/// The force at a constant slip rate under a load that would hold.
fn borne(bench: &LawBench, v: f64, load: f64) -> Result<f64, CertifyError> {
    let kind = bench.kind()?;
    let law = kind.build(&bench.law.numbers, &bench.law.choices);
    if kind.states() > 0 {
        return bench.steady_force(v);
    }
    if law.uses_hold() {
        return Ok(law.eval(&At { hold: load, ..At::sliding(v, bench.normal()) }, &[], &mut []));
    }
    let slide = Slide::new(bench, SlipHistory::steady(v))?;
    Ok(slide.rub(0.0, &slide.initial().x, &[]).force)
}

#[cfg(test)]
mod hold_tests {
    use super::*;

    fn of(verdicts: &[HoldVerdict]) -> HoldVerdict {
        let hold = |verdict: &HoldVerdict| Hold {
            share: 0.5,
            load: 1.0,
            broke_away: (*verdict == HoldVerdict::BreaksAway).then_some(1.0),
            moved_300: Some(0.0),
            speed_300: Some(0.0),
            moved_1e6: Some(0.0),
            speed_1e6: Some(if *verdict == HoldVerdict::Creeps { 2.0 * REST } else { REST }),
            predicted: 0.0,
        };
        worst(&verdicts.iter().map(hold).collect::<Vec<_>>())
    }

    #[test]
    fn the_worst_hold_counts() {
        use HoldVerdict::{BreaksAway, Creeps, Holds};
        assert_eq!(of(&[Holds, Holds]), Holds);
        assert_eq!(of(&[Holds, BreaksAway]), BreaksAway);
        assert_eq!(of(&[Creeps, BreaksAway]), Creeps);
    }
}
