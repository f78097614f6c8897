use super::*;
use crate::vary::question::VaryQuestion;
use bristle_vary::store::Shard;
use std::path::Path;

const BELT: &str = include_str!("../../../../examples/belt.toml");

/// The belt of the examples with a question, loosely integrated.
fn belt(question: &str) -> Scenario {
    let text = BELT.replace("rtol = 1e-11", "rtol = 1e-8") + "\n[studies.vary]\nkind = \"vary\"\n" + question;
    Scenario::from_text(&text, "belt.toml", Path::new(".")).unwrap()
}

const DRAWN: &str = r#"
design = "sobol"
runs = 48
over = ["pad.law.F_s = normal(117.72 N, 5 N)", "belt.v = uniform(0.4 m/s, 0.6 m/s)", "tie.k = triangular(8 N/m, 10 N/m, 12 N/m)"]
responses = ["slips(pad)", "largest = max(block.q)", "end(energy.loss)", "rms(block.v)", "at(block.q, 7 s)", "switches()"]
events = ["often = slips(pad) > 2"]
"#;

fn csv(outcome: &Outcome) -> String {
    bristle_record::render::csv::table(&outcome.data).unwrap()
}

fn whole(scenario: &Scenario) -> Outcome {
    vary(scenario, None, &VaryOptions::default(), &mut ()).unwrap()
}

fn threads<R: Send>(count: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}

#[test]
fn the_table_is_the_same_for_threads_shards_and_a_single_run_at_a_time() {
    let scenario = belt(DRAWN);
    let alone = csv(&threads(1, || whole(&scenario)));
    assert_eq!(csv(&threads(2, || whole(&scenario))), alone);
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    for number in 0..8 {
        let options = VaryOptions {
            shard: Shard { number, count: 8 },
            store: Some(runs.clone()),
            ..VaryOptions::default()
        };
        let done = run_shard(&scenario, None, &options, &mut ()).unwrap();
        assert_eq!((done.total, done.finished, done.resumed), (6, 6, 0));
        if number == 4 {
            let (_, part) = gather(&runs, &mut ()).unwrap();
            assert!(part.stopped_early && part.data.columns[0].values.len() == 30);
        }
        assert_eq!(run_shard(&scenario, None, &options, &mut ()).unwrap().resumed, 6);
    }
    let (_, gathered) = gather(&runs, &mut ()).unwrap();
    assert!(!gathered.stopped_early);
    assert_eq!(csv(&gathered), alone);
    // Every run by itself, with everything made anew.
    let question = VaryQuestion::new(&scenario, &scenario.studies[1]).unwrap();
    assert!(question.engine(&[]).is_fast());
    let mut point = vec![0.0; 3];
    for (i, line) in alone.lines().skip(1).enumerate() {
        question.design.point(i as u64, &mut point);
        let found = question.engine(&[]).worker().run(&point).unwrap().unwrap();
        let cells: Vec<f64> = line.split(',').skip(4).take(6).map(|c| c.parse().unwrap()).collect();
        assert_eq!(found, cells, "run {i}");
    }
}

/// A run of the scenario as it stands teaches many others how to begin: what they find is the same to the tolerance, and to the last
/// bit however they are divided.
#[test]
fn many_runs_learn_from_the_first_whoever_makes_them() {
    let scenario = belt(&DRAWN.replace("runs = 48", "runs = 120"));
    let alone = csv(&threads(1, || whole(&scenario)));
    assert_eq!(csv(&threads(2, || whole(&scenario))), alone);
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    for number in 0..3 {
        let shard = Shard { number, count: 3 };
        let options = VaryOptions { shard, store: Some(runs.clone()), ..VaryOptions::default() };
        assert_eq!(run_shard(&scenario, None, &options, &mut ()).unwrap().finished, 40);
    }
    assert_eq!(csv(&gather(&runs, &mut ()).unwrap().1), alone);
    let question = VaryQuestion::new(&scenario, &scenario.studies[1]).unwrap();
    let (mut point, mut taught) = (vec![0.0; 3], question.engine(&[]));
    assert!(taught.learn(120, &mut || true));
    let mut differ = 0;
    for (i, line) in alone.lines().skip(1).enumerate().step_by(13) {
        question.design.point(i as u64, &mut point);
        let cells: Vec<f64> = line.split(',').skip(4).take(6).map(|c| c.parse().unwrap()).collect();
        assert_eq!(taught.worker().run(&point).unwrap().unwrap(), cells, "run {i}");
        let untaught = question.engine(&[]).worker().run(&point).unwrap().unwrap();
        for (a, b) in untaught.iter().zip(&cells) {
            assert!((a - b).abs() <= 1e-6 * a.abs(), "run {i}: {a} {b}");
        }
        differ += usize::from(untaught != cells);
    }
    assert!(differ > 0, "nothing was learnt");
    // Somebody who does not want to go on is heard while the first run is made.
    assert!(!question.engine(&[]).learn(120, &mut || false));
}

/// Reductions on the way against those of the samples of a whole run, and the largest stretch against its closed form.
#[test]
fn what_is_measured_on_the_way_is_what_happened() {
    let scenario = belt(
        "over = [\"belt.v = [0.45 m/s, 0.5 m/s]\"]\nresponses = [\"max(block.q)\", \"min(block.q)\", \"rms(block.v)\", \"mean(pad.force)\", \"end(pad.loss)\", \"peak(block.v)\", \"slips(pad)\", \"at(block.q, 20 s)\", \"range(block.q, 30 s, 60 s)\"]\n",
    );
    let found = whole(&scenario);
    let column = |name: &str| found.data.column(name).unwrap()[0];
    // The start moves with the old speed: the belt catches it at once.
    let mut alone = scenario.with(&[("belt.v", 0.45)]).unwrap();
    alone.studies.truncate(1);
    let run = crate::run(&alone, &mut ()).unwrap();
    let sample = |name: &str| run.data.column(name).unwrap();
    let t = sample("time");
    let fold = |x: &[f64], f: fn(f64, f64) -> f64| x.iter().copied().reduce(f).unwrap();
    let mean = |x: &[f64], square: bool| {
        let term = |a: f64, b: f64| if square { (a * a + a * b + b * b) / 3.0 } else { 0.5 * (a + b) };
        t.windows(2).zip(x.windows(2)).map(|(t, x)| (t[1] - t[0]) * term(x[0], x[1])).sum::<f64>() / 60.0
    };
    let close = |name: &str, expected: f64, relative: f64| {
        let value = column(name);
        assert!((value - expected).abs() <= relative * expected.abs(), "{name}: {value} {expected}");
    };
    // Samples lie 30 ms apart, and see turning points to their square.
    close("max(block.q)", fold(sample("block.q"), f64::max), 1e-4);
    close("min(block.q)", fold(sample("block.q"), f64::min), 1e-4);
    close("peak(block.v)", sample("block.v").iter().fold(0.0, |m, v| f64::max(m, v.abs())), 1e-4);
    close("rms(block.v)", mean(sample("block.v"), true).sqrt(), 1e-4);
    close("mean(pad.force)", mean(sample("pad.force"), false), 1e-4);
    close("end(pad.loss)", *sample("pad.loss").last().unwrap(), 1e-6);
    let at = t.iter().position(|t| *t >= 20.0).unwrap();
    close("at(block.q, 20 s)", sample("block.q")[at], 1e-3);
    let slips = run.studies[0].events.len().div_ceil(2) as f64;
    assert!((column("slips(pad)") - slips).abs() <= 1.0, "{} {slips}", column("slips(pad)"));
    let late = t.iter().position(|t| *t >= 30.0).unwrap();
    let q = &sample("block.q")[late..];
    close("range(block.q, 30 s, 60 s)", fold(q, f64::max) - fold(q, f64::min), 1e-3);
    // Closed form of the largest stretch, which the start does not change.
    let exact = |v: f64| 9.81 + ((11.772f64 - 9.81).powi(2) + 20.0 * v * v / 10.0).sqrt();
    for (v, value) in [0.45, 0.5].into_iter().zip(found.data.column("max(block.q)").unwrap()) {
        assert!((value - exact(v)).abs() < 1e-6, "{v}: {value} {}", exact(v));
    }
}

#[test]
fn a_run_that_fails_is_a_row_with_its_reason() {
    let scenario = belt("design = \"list\"\nover = [\"pad.law.F_s = [80 N, 117.72 N]\"]\n");
    let found = whole(&scenario);
    let text = csv(&found);
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].ends_with(",failure"), "{}", rows[0]);
    assert!(rows[1].contains("NaN") && rows[1].contains("law `coulomb`"), "{}", rows[1]);
    assert!(rows[2].ends_with(',') && !rows[2].contains("NaN"), "{}", rows[2]);
    assert_eq!(found.failures().count(), 0);
}

#[test]
fn an_interrupted_study_goes_on_where_it_was() {
    /// Stops after so many looks.
    struct StopAfter(usize);
    impl Progress for StopAfter {
        fn begin(&mut self, _what: &str) {}
        fn at(&mut self, _fraction: f64) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 > 0
        }
    }
    let scenario = belt(&DRAWN.replace("runs = 48", "runs = 3000"));
    let dir = tempfile::tempdir().unwrap();
    let store = Some(dir.path().join("runs"));
    let options = VaryOptions { store, ..VaryOptions::default() };
    // While the first run is made that teaches the others, and while those are made.
    let none = run_shard(&scenario, None, &options, &mut StopAfter(1)).unwrap();
    assert!(none.stopped_early && none.finished == 0, "{none:?}");
    let first = run_shard(&scenario, None, &options, &mut StopAfter(2)).unwrap();
    assert!(first.stopped_early && first.finished < 3000, "{first:?}");
    let second = run_shard(&scenario, None, &options, &mut ()).unwrap();
    assert_eq!((second.resumed, second.finished), (first.finished, 3000));
    let other = belt(DRAWN);
    let refused = run_shard(&other, None, &options, &mut ()).unwrap_err();
    assert!(refused.to_string().contains("another scenario, study or seed"), "{refused}");
}

/// The share of belts that are unstable against the stability boundary of the map, which is known: 2.996 m/s.
#[test]
fn the_probability_of_stick_slip_is_that_of_the_stability_map() {
    let text = include_str!("../../../../examples/belt_dwell.toml").to_owned()
        + "\n[studies.vary]\nkind = \"vary\"\ndesign = \"sobol\"\nruns = 256\nover = [\"belt.v = uniform(2 m/s, 4 m/s)\"]\nresponses = [\"growth()\"]\nevents = [\"squeals = growth() > 0\"]\n";
    let scenario = Scenario::from_text(&text, "dwell.toml", Path::new(".")).unwrap();
    let found = whole(&scenario);
    let fact = found.record.facts.iter().find(|f| f.label.starts_with("probability")).unwrap();
    let share = fact.number_of().unwrap().value;
    // 256 even points know a share to about one of them.
    assert!((share - 0.498).abs() < 0.006, "{share}");
}

/// Derivatives through switches against differences of whole runs.
#[test]
fn local_sensitivities_are_exact() {
    let scenario = belt(
        "over = [\"tie.k = 8 N/m : 12 N/m : 3\", \"pad.law.F_s = 110 N : 120 N : 3\"]\nresponses = [\"max(block.q)\", \"end(block.q)\"]\n",
    );
    let question = VaryQuestion::new(&scenario, &scenario.studies[1]).unwrap();
    let engine = question.engine(&[]);
    let at = |k: f64, f: f64| engine.worker().run(&[k, f]).unwrap().unwrap();
    for i in 0..2 {
        let h = [1e-4, 1e-3][i];
        let moved = |s: f64| if i == 0 { at(10.0 + s * h, 117.72) } else { at(10.0, 117.72 + s * h) };
        let (above, below) = (moved(1.0), moved(-1.0));
        for j in 0..2 {
            let difference = (above[j] - below[j]) / (2.0 * h);
            let exact = local::derivative(&question, j, i).unwrap().unwrap();
            // Runs at 1e-8 make differences good to some thousandths.
            assert!(
                (exact - difference).abs() < 5e-3 * difference.abs().max(0.1),
                "{i} {j}: {exact} {difference}"
            );
        }
    }
}

#[test]
fn days_of_work_have_to_be_wanted() {
    let scenario =
        belt("design = \"random\"\nruns = 1e12\nover = [\"belt.v = uniform(0.4 m/s, 0.6 m/s)\"]\n");
    let error = run_shard(&scenario, None, &VaryOptions::default(), &mut ()).unwrap_err();
    assert!(matches!(error, RunError::TooLong { runs: 1_000_000_000_000, .. }), "{error}");
    assert!(error.hint().contains("--yes"));
}

/// Indices of the largest stretch, from motions, against those that SALib computes of its closed form with 16,384 base points,
/// within the intervals of both.
#[test]
fn global_sensitivities_of_the_largest_stretch_are_those_of_its_formula() {
    let scenario = belt(
        "design = \"saltelli\"\nruns = 128\nover = [\"pad.law.F_s = uniform(105 N, 125 N)\", \"pad.law.F_d = uniform(85 N, 104 N)\", \"tie.k = uniform(9.5 N/m, 10.5 N/m)\", \"belt.v = uniform(0.3 m/s, 1.5 m/s)\"]\nresponses = [\"max(block.q)\"]\n",
    );
    let question = VaryQuestion::new(&scenario, &scenario.studies[1]).unwrap();
    let done = job::work(&question, &VaryOptions::default(), &mut ()).unwrap();
    let found = bristle_vary::saltelli::indices(&done.rows.column(0), 4, 0.95).unwrap();
    let salib = [
        ([0.523_75, 0.012_93], [0.536_17, 0.012_14]),
        ([0.025_48, 0.003_97], [0.036_76, 0.001_45]),
        ([0.263_60, 0.009_78], [0.264_18, 0.005_17]),
        ([0.169_01, 0.009_32], [0.181_84, 0.005_01]),
    ];
    for (found, (first, total)) in found.iter().zip(salib) {
        for (own, [value, doubt]) in [(found.first, first), (found.total, total)] {
            assert!((own.value - value).abs() <= own.doubt + doubt, "{own:?} {value} ± {doubt}");
        }
    }
}
