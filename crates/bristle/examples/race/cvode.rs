//! CVODE at native speed: `benches/cvode.c` as another program, given a problem, answering with states and times.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// What CVODE is asked to solve.
pub struct Problem<'a> {
    /// The name picks the right-hand side.
    pub name: &'a str,
    /// Where the load has a corner.
    pub breaks: Vec<f64>,
    /// Times at which the states are wanted.
    pub times: &'a [f64],
    /// The first state.
    pub start: &'a [f64],
    /// Scale of each state; absolute tolerances are in proportion.
    pub scales: &'a [f64],
}

/// One run of CVODE.
pub struct Run {
    /// Seconds taken.
    pub time: f64,
    /// Evaluations of the rates.
    pub evaluations: u64,
    /// Steps.
    pub steps: u64,
    /// The states at all times.
    pub rows: Vec<f64>,
}

/// All runs over a problem.
#[derive(Default)]
pub struct Answer {
    /// Version of SUNDIALS.
    pub version: String,
    /// Deviation of the hand-written Jacobian from differences.
    pub jacobian: f64,
    /// Runs by variant, tolerances falling.
    pub runs: BTreeMap<String, Vec<Run>>,
}

impl Answer {
    /// Keeps the lesser times of two answers to the same question.
    pub fn merge(self, other: Answer) -> Answer {
        let mut merged = other;
        for (variant, runs) in self.runs {
            let Some(others) = merged.runs.get_mut(&variant) else { continue };
            others.iter_mut().zip(runs).for_each(|(o, r)| o.time = o.time.min(r.time));
        }
        merged
    }
}

/// Asks the program; nothing if it fails.
pub fn ask(program: &str, problem: &Problem, seconds: f64) -> Option<Answer> {
    let list = |xs: &[f64]| xs.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ");
    let text = format!(
        "{}\n{} {} {}\n{}\n{}\n{}\n{}\n",
        problem.name,
        problem.start.len(),
        problem.breaks.len(),
        problem.times.len(),
        list(&problem.breaks),
        list(problem.times),
        list(problem.start),
        list(problem.scales)
    );
    let mut command = Command::new(program);
    command.arg(seconds.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().ok()?;
    // Taken, so that the input ends here.
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok().filter(|o| o.status.success())?;
    let mut answer = Answer::default();
    for line in String::from_utf8(output.stdout).ok()?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["version", version] => version.clone_into(&mut answer.version),
            ["jacobian", deviation] => answer.jacobian = deviation.parse().ok()?,
            ["run", variant, _, time, evaluations, steps, ref rows @ ..] => {
                let rows = rows.iter().map(|x| x.parse().ok()).collect::<Option<_>>()?;
                let run = Run {
                    time: time.parse().ok()?,
                    evaluations: evaluations.parse().ok()?,
                    steps: steps.parse().ok()?,
                    rows,
                };
                answer.runs.entry(variant.to_owned()).or_default().push(run);
            }
            _ => return None,
        }
    }
    Some(answer)
}
