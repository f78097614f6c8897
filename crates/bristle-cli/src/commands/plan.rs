use super::law_named;
use super::output::OutputArgs;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::watch::ProgressDisplay;
use bristle::law::ParameterSet;
use bristle::{Scenario, StudyKind};
use std::path::{Path, PathBuf};

/// Plan an experiment: which motions would tell the numbers of a law, and how sharply.
#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// A scenario with a study of kind `plan`; or a law or a published set, which is the guess.
    guess: String,
    /// Standard deviation of the measured force, such as `"0.1 N"`; of a law or a set a hundredth of its friction unless given.
    #[arg(long)]
    noise: Option<String>,
    /// Motions, such as `"sine 20 um, 1 Hz"`; may be given several times.
    #[arg(long = "motion", value_name = "MOTION")]
    motions: Vec<String>,
    /// Numbers that are known, such as `gamma`.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    known: Vec<String>,
    /// How long each motion is made.
    #[arg(long)]
    duration: Option<String>,
    /// Time from one measured value to the next.
    #[arg(long)]
    sampling: Option<String>,
    /// How much time there is for all motions.
    #[arg(long)]
    time: Option<String>,
    /// Longest way from end to end.
    #[arg(long)]
    stroke: Option<String>,
    /// Fastest slip rate.
    #[arg(long)]
    speed: Option<String>,
    /// Largest force.
    #[arg(long)]
    force: Option<String>,
    /// Normal load, for a law in coefficients.
    #[arg(long)]
    load: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

impl PlanArgs {
    pub fn obey(self) -> Result<Reply, Failure> {
        let is_file = self.guess.ends_with(".toml");
        let mut scenario = if is_file {
            self.refuse_options()?;
            Scenario::from_file(Path::new(&self.guess))?
        } else {
            let text = self.scenario()?;
            Scenario::from_text(&text, &format!("{}.toml", self.guess), Path::new("."))?
        };
        scenario.studies.retain(|study| study.kind == StudyKind::Plan);
        if scenario.studies.is_empty() {
            let hint = "add [studies.plan] with kind = \"plan\" and noise = \"0.1 N\"; `bristle show plan` explains it";
            return Err(Failure::Unknown {
                what: "scenario with a study of kind `plan`",
                name: self.guess,
                hint: hint.to_owned(),
            });
        }
        let path = PathBuf::from(&self.guess);
        let folder = self.output.folder(&path, "-plan")?;
        let mut watch = ProgressDisplay::new();
        let outcome = bristle::run(&scenario, &mut watch);
        watch.finish();
        self.output.write(&folder, &scenario, &outcome.map_err(Failure::of_run)?)
    }

    /// The options that stand for keys of the study.
    fn options(&self) -> [(&'static str, &Option<String>); 7] {
        [
            ("noise", &self.noise),
            ("duration", &self.duration),
            ("sampling", &self.sampling),
            ("time", &self.time),
            ("stroke", &self.stroke),
            ("speed", &self.speed),
            ("force", &self.force),
        ]
    }

    /// A scenario says all of it itself.
    fn refuse_options(&self) -> Result<(), Failure> {
        let others = [
            ("load", self.load.is_some()),
            ("motion", !self.motions.is_empty()),
            ("known", !self.known.is_empty()),
        ];
        let given = self.options().into_iter().map(|(name, value)| (name, value.is_some())).chain(others);
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => {
                let hint = format!("write `{name}` into the study of kind `plan` in {}", self.guess);
                Err(Failure::Unknown {
                    what: "option beside a scenario file:",
                    name: format!("--{name}"),
                    hint,
                })
            }
        }
    }

    /// A block on the ground under the law, with the question.
    fn scenario(&self) -> Result<String, Failure> {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let list = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
        let (law, level, in_forces) = match ParameterSet::named(&self.guess) {
            Some(set) => {
                let law = format!("{{ kind = \"{}\", set = \"{}\" }}", set.law, set.name);
                (law, set.level(), set.as_forces())
            }
            None => (format!("{{ kind = \"{}\" }}", law_named(&self.guess)?.card().name), f64::NAN, false),
        };
        let set_load = ParameterSet::named(&self.guess).and_then(|set| set.load);
        let load = match (&self.load, in_forces) {
            (Some(load), _) => format!("load = {}\n", quoted(load)),
            (None, true) => String::new(),
            (None, false) => format!("load = \"{} N\"\n", set_load.unwrap_or(10.0)),
        };
        let mut text = format!(
            "title = \"Plan for {}\"\n[parts.block]\nkind = \"mass\"\nmass = \"1 kg\"\n[parts.contact]\nkind = \"contact\"\n\
             between = [\"block\", \"ground\"]\n{load}law = {law}\n[studies.plan]\nkind = \"plan\"\n",
            self.guess
        );
        let noise = self.noise.clone().unwrap_or_else(|| {
            let level = if level.is_finite() {
                level * if in_forces { 1.0 } else { set_load.unwrap_or(10.0) / set_load.unwrap_or(1.0) }
            } else {
                4.0
            };
            format!("{} N", level / 100.0)
        });
        text += &format!("noise = {}\n", quoted(&noise));
        for (name, value) in self.options().into_iter().skip(1) {
            if let Some(value) = value {
                text += &format!("{name} = {}\n", quoted(value));
            }
        }
        if !self.motions.is_empty() {
            text += &format!("motions = [{}]\n", list(&self.motions));
        }
        if !self.known.is_empty() {
            text += &format!("known = [{}]\n", list(&self.known));
        }
        Ok(text)
    }
}
