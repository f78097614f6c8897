//! Which experiment would tell the numbers of a law?

mod candidates;
mod show;

use crate::error::RunError;
use crate::run::Answer;
use crate::scenario::{Scenario, Study};
use bristle_core::{Card, Kind};
use bristle_fit::FitError;
use bristle_fit::plan::{Beside, Guess, Information, PlannedMotion, best};
use bristle_mech::{PartKind, Spec};
use bristle_solve::{Dynamics, Point, Progress};

/// Plans an experiment: which motions would tell the numbers of a law, and how sharply.
///
/// ```text
/// M = Σ JᵀJ/σ²,   J = ∂F/∂ ln θ along a motion,   expected standard error of θ_k = √(M⁻¹)_kk
/// ```
///
/// The law of a contact, with its numbers as they stand, is the guess. Each candidate is a motion of one surface over the other, made
/// for `duration` with the force measured once every `sampling` with white noise of size `noise`: `sine 20 um, 1 Hz`
/// (from rest, x = A (1 − cos 2πft)), `chirp 20 um, 1 Hz, 20 Hz`, `ramp 10 mm/s` (through both directions), `steps 1 mm/s, 3 mm/s`
/// (each for the same time), `hold 1 mm/s, 0.5 s` (a rest in the middle of sliding). Left out, candidates are made from the law's own
/// deflection and speeds. What exceeds `stroke`, `speed` or `force` is left out; of the rest the best so many are chosen as
/// fit into `time`. A `record` that exists is counted with them, and what it cannot tell is said in words. The errors are the smallest
/// that any program could reach: correlated noise makes them larger, and a guess that is far off makes them wrong.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "plan",
    entry(name = "contact", text, optional, doc = "Whose law is the guess; the first contact unless given."),
    entry(
        name = "motions",
        names = 0,
        doc = "Candidates, such as `sine 20 um, 1 Hz`; made from the law unless given."
    ),
    entry(name = "known", names = 0, doc = "Numbers that are known and not to be found, such as `gamma`."),
    entry(
        name = "record",
        table = "signal",
        unit = "m/s",
        optional,
        doc = "Slip rate of a record that exists already: a `polyline`, with its `file` and `column` or its points."
    )
)]
pub struct Plan<S> {
    /// Standard deviation of the measured force.
    #[param(symbol = "σ", unit = "N", min = 1e-12)]
    pub noise: S,
    /// Time from one value to the next.
    #[param(symbol = "Δt", unit = "s", default = 1e-3, min = 1e-9)]
    pub sampling: S,
    /// How long each motion is made.
    #[param(symbol = "T", unit = "s", default = 2.0, min = 1e-6)]
    pub duration: S,
    /// How much time there is for all; three motions unless given.
    #[param(symbol = "T_max", unit = "s", default = f64::NAN, min = 1e-6)]
    pub time: S,
    /// Longest way from end to end.
    #[param(symbol = "s_max", unit = "m", default = f64::NAN, min = 1e-12)]
    pub stroke: S,
    /// Fastest slip rate.
    #[param(symbol = "v_max", unit = "m/s", default = f64::NAN, min = 1e-12)]
    pub speed: S,
    /// Largest force.
    #[param(symbol = "F_max", unit = "N", default = f64::NAN, min = 1e-12)]
    pub force: S,
}

/// Values a motion may have at most: hundreds of thousands tell no more.
const MOST_VALUES: f64 = 2e5;

/// What the study is asked for.
struct PlanQuestion {
    noise: f64,
    sampling: f64,
    duration: f64,
    time: f64,
    limits: [f64; 3],
}

fn question(spec: &Spec) -> PlanQuestion {
    let [noise, sampling, duration, time, stroke, speed, force] = std::array::from_fn(|i| spec.numbers[i]);
    let time = if time.is_nan() { 3.0 * duration } else { time };
    let limits = [stroke, speed, force].map(|limit: f64| if limit.is_nan() { f64::INFINITY } else { limit });
    PlanQuestion { noise, sampling, duration, time, limits }
}

pub(super) fn error(spec: &Spec) -> Option<(&'static str, String)> {
    let asked = question(spec);
    let values = asked.duration / asked.sampling;
    if !(8.0..=MOST_VALUES).contains(&values) {
        let words = format!("{values:.0} values in each motion: between 8 and {MOST_VALUES:.0} are meant");
        return Some(("sampling", words));
    }
    if asked.time < asked.duration {
        return Some(("time", "there is no time for a single motion of this duration".to_owned()));
    }
    let record = spec.table("record").map(|signal| signal.kind.as_str());
    if record.is_some_and(|kind| kind != "polyline") {
        return Some(("record", "a record has points: give a signal of kind `polyline`".to_owned()));
    }
    let wrong = |text: &String| {
        let error = PlannedMotion::read(text, asked.duration, asked.sampling).err()?;
        Some(format!("{error}; motions are written {}", PlannedMotion::forms().join(", or ")))
    };
    spec.named("motions").iter().find_map(wrong).map(|words| ("motions", words))
}

/// A motion with what it would tell.
pub(super) struct PlanCandidate {
    pub motion: PlannedMotion,
    pub force: Vec<f64>,
    pub information: Information,
    /// Stroke, speed and force it needs.
    pub needs: [f64; 3],
    /// Why it cannot be made.
    pub obstacle: Option<String>,
}

/// Everything that was found.
pub(super) struct PlanAnswer<'a> {
    pub study: &'a str,
    pub contact: String,
    pub guess: Guess,
    /// The record that exists, and what it tells.
    pub record: Option<PlanCandidate>,
    pub candidates: Vec<PlanCandidate>,
    /// The best of them.
    pub chosen: Vec<usize>,
    pub noise: f64,
    /// The wrong guess under which they tell least.
    pub wrong: Option<WrongGuess>,
}

/// What the best motions would tell if the guess were wrong in one number.
pub(super) struct WrongGuess {
    /// Which number.
    pub number: usize,
    /// The true value over the guess.
    pub factor: f64,
    /// The number that is known least then, and its error.
    pub least: usize,
    pub error: f64,
}

/// So far is a guess taken to be off, in each of its numbers.
const OFF: [f64; 2] = [2.0 / 3.0, 1.5];

impl PlanAnswer<'_> {
    /// What is known before any of the motions.
    pub(super) fn before(&self) -> Information {
        let count = self.guess.unknown.len();
        self.record.as_ref().map_or_else(|| Information::nothing(count), |record| record.information.clone())
    }

    /// What is known with some of the motions.
    pub(super) fn with(&self, taken: &[usize]) -> Information {
        taken.iter().fold(self.before(), |sum, &i| sum.and(&self.candidates[i].information))
    }
}

pub(super) fn answer(
    scenario: &Scenario,
    study: &Study,
    progress: &mut dyn Progress,
) -> Result<Answer, RunError> {
    let fail = |reason: String| RunError::Plan { study: study.name.clone(), reason };
    let asked = question(&study.spec);
    let (contact, guess) = guess(scenario, study)?;
    let texts = match study.spec.named("motions") {
        [] => candidates::made(&guess, asked.duration, asked.limits),
        given => given.to_vec(),
    };
    let record = recorded(&study.spec).map_err(&fail)?;
    let total = texts.len() + usize::from(record.is_some());
    let mut done = 0;
    let mut tried = |motion: PlannedMotion| {
        done += 1;
        if !progress.at(f64::from(done) / total as f64) {
            return Err(RunError::Stopped);
        }
        candidate(&guess, motion, &asked).map_err(|e| match e {
            FitError::Stopped => RunError::Stopped,
            other => fail(other.to_string()),
        })
    };
    let record = record.map(&mut tried).transpose()?;
    let mut candidates = Vec::new();
    for text in &texts {
        let motion =
            PlannedMotion::read(text, asked.duration, asked.sampling).map_err(|e| fail(e.to_string()))?;
        candidates.push(tried(motion)?);
    }
    let usable: Vec<usize> = (0..candidates.len()).filter(|&i| candidates[i].obstacle.is_none()).collect();
    if usable.is_empty() {
        let words =
            candidates.iter().filter_map(|c| c.obstacle.as_ref().map(|o| format!("`{}` {o}", c.motion.name)));
        let words: Vec<String> = words.collect();
        return Err(fail(format!("no motion keeps within the limits: {}", words.join("; "))));
    }
    let mut found = PlanAnswer {
        study: &study.name,
        contact,
        guess,
        record,
        candidates,
        chosen: Vec::new(),
        noise: asked.noise,
        wrong: None,
    };
    let most = (asked.time / asked.duration + 1e-9).floor() as usize;
    let informations: Vec<Information> =
        usable.iter().map(|&i| found.candidates[i].information.clone()).collect();
    found.chosen = best(&found.before(), &informations, most).into_iter().map(|i| usable[i]).collect();
    found.wrong = wrong_guess(&found, &asked);
    Ok(show::answer(&found))
}

/// The numbers that the best motions tell least sharply where one number of the guess is off.
fn wrong_guess(found: &PlanAnswer, asked: &PlanQuestion) -> Option<WrongGuess> {
    let motions: Vec<&PlannedMotion> = found
        .record
        .iter()
        .map(|record| &record.motion)
        .chain(found.chosen.iter().map(|&i| &found.candidates[i].motion))
        .collect();
    let count = found.guess.unknown.len();
    let cases = (0..count).flat_map(|k| OFF.map(|factor| (k, factor)));
    let told = cases.filter_map(|(number, factor)| {
        let guess = found.guess.off(number, factor)?;
        let mut sum = Information::nothing(count);
        for motion in &motions {
            sum = sum.and(&guess.informed(motion, asked.noise).ok()?.1);
        }
        let errors = sum.errors().into_iter().enumerate().filter(|(k, _)| guess.unknown[*k].value != 0.0);
        let (least, error) = errors.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(WrongGuess { number, factor, least, error })
    });
    told.max_by(|a, b| a.error.total_cmp(&b.error))
}

/// The contact, and its law as a guess.
fn guess(scenario: &Scenario, study: &Study) -> Result<(String, Guess), RunError> {
    let fail = |reason: String| RunError::Plan { study: study.name.clone(), reason };
    let of_contacts = || {
        scenario.laws_in_use().filter(|(name, ..)| scenario.system.contacts().iter().any(|c| c.name == *name))
    };
    let wanted = study.spec.named("contact").first();
    let found = of_contacts().find(|(name, ..)| wanted.is_none_or(|wanted| wanted == name));
    let Some((name, law, spec)) = found else {
        let names: Vec<String> = of_contacts().map(|(name, ..)| format!("`{name}`")).collect();
        let there = if names.is_empty() {
            "there is none".to_owned()
        } else {
            format!("there are {}", names.join(", "))
        };
        let which = wanted.map_or("a contact with a law".to_owned(), |name| format!("contact `{name}`"));
        return Err(fail(format!("{which} is not in the scenario: {there}")));
    };
    let known = study.spec.named("known");
    let is_number = |known: &String| {
        law.card().numbers().any(|field| match field.kind {
            Kind::Number { force: Some(force), .. } if spec.as_forces => force == known,
            _ => field.name == known,
        }) || ["offset", "viscous", "viscous_backward"].contains(&known.as_str())
    };
    if let Some(stranger) = known.iter().find(|known| !is_number(known)) {
        return Err(fail(format!("`{stranger}` is no number of law `{}` or of a contact", law.card().name)));
    }
    let system = &scenario.system;
    let mut state = system.initial(system.params());
    system.start(system.params(), &mut state);
    let seen = system.observe(&Point { t: 0.0, x: &state.x, p: system.params(), mode: &state.mode });
    let load = system.channels().iter().position(|c| c.name == format!("{name}.load")).map(|i| seen[i]);
    let load = if spec.as_forces { 1.0 } else { load.unwrap_or(f64::NAN) };
    if load.is_nan() || load <= 0.0 {
        return Err(fail(format!("contact `{name}` is not loaded at the start: give it a `load`")));
    }
    let part = scenario.parts.iter().find(|(part, _)| part == name).map(|(_, spec)| spec);
    let own = |field: &str| {
        let spec = part.filter(|spec| spec.kind == PartKind::Contact.card().name)?;
        let place = PartKind::Contact.card().numbers().position(|f| f.name == field)?;
        spec.numbers.get(place).copied().filter(|value| value.is_finite())
    };
    let load = load * own("scale").unwrap_or(1.0);
    let beside =
        Beside { offset: own("offset"), viscous: own("viscous"), viscous_backward: own("viscous_backward") };
    let mut guess = Guess::new(law, &spec.numbers, spec.as_forces, load, known).beside(beside, known);
    guess.choices.clone_from(&spec.choices);
    if guess.unknown.is_empty() {
        return Err(fail("every number is known: there is nothing to plan for".to_owned()));
    }
    Ok((name.to_owned(), guess))
}

/// The slip rate of the record that exists, evenly sampled.
fn recorded(spec: &Spec) -> Result<Option<PlannedMotion>, String> {
    let Some(signal) = spec.table("record") else { return Ok(None) };
    let (times, values) = (signal.list("times"), signal.list("values"));
    let scale = signal.numbers.first().copied().unwrap_or(1.0);
    let (Some(first), Some(last), true) = (times.first(), times.last(), times.len() > 2) else {
        return Err("the record has fewer than three points".to_owned());
    };
    let step = (last - first) / (times.len() - 1) as f64;
    let is_even = times.windows(2).all(|t| (t[1] - t[0] - step).abs() < 0.01 * step);
    if !is_even {
        return Err("the record is not evenly sampled".to_owned());
    }
    let velocities = values.iter().map(|v| v * scale).collect();
    Ok(Some(PlannedMotion { name: "the record".to_owned(), velocities, step }))
}

fn candidate(guess: &Guess, motion: PlannedMotion, asked: &PlanQuestion) -> Result<PlanCandidate, FitError> {
    let (force, information) = guess.informed(&motion, asked.noise)?;
    let [stroke, speed] = motion.reach();
    let most = force.iter().fold(0.0, |m: f64, f| m.max(f.abs()));
    let needs = [stroke, speed, most];
    let too_much = (0..3).find(|&i| needs[i] > asked.limits[i] * (1.0 + 1e-9));
    let obstacle = too_much.map(|i| {
        let (what, unit) = [("a stroke", "m"), ("a speed", "m/s"), ("a force", "N")][i];
        let [need, limit] =
            [needs[i], asked.limits[i]].map(|x| format!("{x:.3e}").parse().map_or(x, |y: f64| y));
        format!("needs {what} of {need} {unit}, more than {limit} {unit}")
    });
    Ok(PlanCandidate { motion, force, information, needs, obstacle })
}

#[cfg(test)]
mod plan_tests {
    use crate::scenario::Scenario;
    use bristle_record::{Fact, Tone};
    use std::path::Path;

    fn facts(motion: &str) -> Vec<Fact> {
        let text = format!(
            "title = \"A plan\"\n[parts.block]\nkind = \"mass\"\nmass = \"1 kg\"\n[parts.pad]\nkind = \"contact\"\nbetween = [\"block\", \"ground\"]\nlaw = {{ kind = \"lugre\", F_d = \"10 N\", F_s = \"14 N\", v_s = \"2 mm/s\", sigma0 = \"1e5 N/m\", sigma1 = \"300 N s/m\", sigma2 = \"40 N s/m\" }}\n[studies.next]\nkind = \"plan\"\nnoise = \"0.005 N\"\nknown = [\"gamma\"]\nmotions = [\"{motion}\"]\n"
        );
        let scenario = Scenario::from_text(&text, "plan.toml", Path::new(".")).unwrap();
        crate::run(&scenario, &mut ()).unwrap().studies.remove(0).facts
    }

    fn tone(facts: &[Fact], label: &str) -> (Tone, String) {
        let fact = facts.iter().find(|f| f.label == label).unwrap();
        (fact.tone, format!("{}; {}", fact.value.markup(), fact.note))
    }

    /// A motion far beyond break-away is good under any guess nearby; one that just slides tells the guess to a tenth, and little of a
    /// contact whose friction falls half as fast.
    #[test]
    fn a_plan_that_hangs_on_its_guess_is_no_tick() {
        let firm = facts("sine 2 mm, 1 Hz");
        assert_eq!(tone(&firm, "best motions").0, Tone::Good);
        let bare = facts("sine 100 um, 2 Hz");
        let least = bare.iter().find(|f| f.label == "least known then").unwrap();
        assert!(least.number_of().unwrap().value < 0.1, "{}", least.value.markup());
        assert_eq!((least.tone, tone(&bare, "best motions").0), (Tone::Warn, Tone::Warn));
        let wrong = tone(&bare, "the same if the guess is wrong");
        assert_eq!(wrong.0, Tone::Warn);
        assert!(wrong.1.ends_with("at worst: `v_s` is one and a half times the guess"), "{}", wrong.1);
    }
}
