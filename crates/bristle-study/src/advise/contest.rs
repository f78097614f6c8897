//! Methods of integration against each other on one run, whatever moves.

use crate::studies::work_precision::WRONG;
use bristle_record::{Block, Fact, Record, Table, Tone};
use bristle_solve::Method;

/// The methods of a model, tried on one run.
#[derive(Clone, Debug)]
pub struct Contest {
    /// How long was run, s.
    pub duration: f64,
    /// The largest error over time that is allowed, relative to the range of motion.
    pub accuracy: f64,
    /// How well the run is known that the others are measured by.
    pub reference: Fact,
    /// How far anything moves in it, m.
    pub range: f64,
    /// All that was tried.
    pub trials: Vec<MethodTrial>,
    /// The method taken where none is named.
    pub default: &'static str,
    /// What cost is counted in.
    pub unit: &'static str,
    /// What else the table should say.
    pub remark: &'static str,
}

/// One method with one setting.
#[derive(Clone, Debug)]
pub struct MethodTrial {
    /// The method.
    pub method: &'static str,
    /// The setting that was varied, by the name it has in a scenario.
    pub key: &'static str,
    /// Its value, as a scenario would have it.
    pub value: String,
    /// What it cost.
    pub cost: f64,
    /// Largest error over time, relative to the range of motion; NaN for a run that did not end.
    pub error: f64,
    /// The method and its tolerance where `[solver]` names them.
    pub choice: Option<(Method, f64)>,
}

impl MethodTrial {
    /// Nothing for a right answer, `×` for a wrong one, `!` for none.
    fn flag(&self) -> &'static str {
        match self.error {
            e if e.is_nan() => "!",
            e if e <= WRONG => "",
            _ => "×",
        }
    }
}

impl Contest {
    /// Says which method to take, with all of them in a table.
    pub(crate) fn tell(&self, record: &mut Record) -> Option<(Method, f64)> {
        let accuracy = self.accuracy;
        let mut methods: Vec<&str> = self.trials.iter().map(|t| t.method).collect();
        methods.dedup();
        let cheapest = |method: &str| {
            let reaches = |t: &&MethodTrial| t.method == method && t.error <= accuracy;
            self.trials.iter().filter(reaches).min_by(|a, b| a.cost.total_cmp(&b.cost))
        };
        let mut ranking: Vec<(&str, Option<&MethodTrial>)> =
            methods.into_iter().map(|m| (m, cheapest(m))).collect();
        // Among equals the order of the catalogue decides, in which the default comes first.
        let cost = |trial: &Option<&MethodTrial>| trial.map_or(f64::INFINITY, |t| t.cost);
        ranking.sort_by(|a, b| cost(&a.1).total_cmp(&cost(&b.1)));
        let best = ranking.first().and_then(|(_, trial)| *trial);
        record.facts.push(match best {
            Some(trial) => {
                let words = format!("`{}` with {} = {}", trial.method, trial.key, trial.value);
                let mut fact = Fact::verdict("method", words, Tone::Good);
                fact.note = format!(
                    "{} {} for an error of {:.1e}; {accuracy:.0e} was asked",
                    self.cost(trial),
                    self.unit,
                    trial.error
                );
                fact
            }
            None => {
                let mut fact = Fact::verdict("method", "none reached the accuracy asked", Tone::Bad);
                fact.note = "ask for less with `--accuracy`, or look at the notes above".to_owned();
                fact
            }
        });
        if let (Some(best), Some(default)) = (best, cheapest(self.default))
            && best.method != self.default
        {
            let ratio = default.cost / best.cost.max(f64::MIN_POSITIVE);
            let words = format!("`{}` takes {ratio:.1} times as many {}", self.default, self.unit);
            record.facts.push(Fact::new("the default", words));
        }
        let section = record.section("Methods");
        section.push(self.table(&ranking));
        section.push(Block::paragraph(format!(
            "× ended more than 1 % of the motion off the reference, ! did not end. {}",
            self.remark
        )));
        best.and_then(|trial| trial.choice)
    }

    fn table(&self, ranking: &[(&str, Option<&MethodTrial>)]) -> Table {
        // One setting that all methods share heads its column.
        let key = self.trials.first().map_or("", |t| t.key);
        let is_shared = self.trials.iter().all(|t| t.key == key);
        let setting = |t: &MethodTrial| match is_shared {
            true => t.value.clone(),
            false => format!("{} = {}", t.key, t.value),
        };
        let heading = if is_shared { key } else { "setting" };
        let columns =
            [("method", ""), (heading, ""), (self.unit, ""), ("error", ""), ("wrong or failed at", "")];
        let caption = format!("Cheapest run of each method with an error below {:.0e}", self.accuracy);
        let mut table = Table::new(caption, &columns);
        for (method, trial) in ranking {
            let bad = self.trials.iter().filter(|t| t.method == *method && !t.flag().is_empty());
            let bad: Vec<String> = bad.map(|t| t.value.clone() + t.flag()).collect();
            let text = |f: &dyn Fn(&MethodTrial) -> String| trial.map_or_else(|| "–".to_owned(), f);
            table.row([
                (*method).into(),
                text(&setting).into(),
                text(&|t| self.cost(t)).into(),
                text(&|t| format!("{:.0e}", t.error)).into(),
                bad.join(" ").into(),
            ]);
        }
        table
    }

    /// Counts are whole, times are not.
    fn cost(&self, trial: &MethodTrial) -> String {
        if trial.cost.fract() == 0.0 { format!("{}", trial.cost) } else { format!("{:.3}", trial.cost) }
    }
}
