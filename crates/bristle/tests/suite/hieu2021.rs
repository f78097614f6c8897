//! The belt oscillator of hieu2021 through the scenario path, against an independent recomputation.
//!
//! Boundary speeds, Jacobians and eigenvalues come from 40-digit arithmetic, cycles from an eighth-order method
//! confirmed by a 32-digit Taylor series; `tests/data/` holds them.

use bristle::Scenario;
use bristle::analysis;
use bristle_analysis::ContinuationSettings;
use bristle_analysis::branch::{Range, SpecialKind};
use bristle_analysis::cycles::OrbitKind;
use bristle_analysis::hopf::Criticality;
use bristle_analysis::map::MapAxis;
use bristle_analysis::shooting::Shooting;
use bristle_solve::Dynamics;
use std::path::Path;

struct Model {
    scenario: Scenario,
    viscous: &'static str,
}

/// `two` or `lugre`.
fn model(name: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(folder.join("belt_dwell.toml")).unwrap();
    let (text, viscous) = if name == "two" {
        (text, "pad.law.c1")
    } else {
        let law = "law = { kind = \"lugre\", F_d = \"15 N\", F_s = \"25 N\", v_s = \"1 m/s\", gamma = 1, sigma0 = \"6e4 N/m\", sigma1 = \"2 N s/m\", sigma2 = \"0.5 N s/m\" }";
        let start = text.find("law = ").unwrap();
        let end = start + text[start..].find('\n').unwrap();
        (format!("{}{law}{}", &text[..start], &text[end..]), "pad.law.sigma2")
    };
    Model { scenario: Scenario::from_text(&text, "belt.toml", ".".as_ref()).unwrap(), viscous }
}

impl Model {
    fn speed(&self) -> usize {
        self.scenario.system.param("belt.v").unwrap()
    }

    fn at(&self, v_b: f64, c1: f64, k: f64) -> Vec<f64> {
        let scenario = self.scenario.with(&[("belt.v", v_b), (self.viscous, c1), ("tie.k", k)]).unwrap();
        scenario.system.params().to_vec()
    }

    fn state(&self, name: &str) -> Option<usize> {
        let system = &self.scenario.system;
        (0..system.dim()).find(|&i| system.state_name(i) == name)
    }

    /// The return map at a belt speed and a start that the belt carries along.
    fn returns(&self, v_b: f64) -> (analysis::Returns<'_>, Vec<f64>, Vec<f64>) {
        let system = &self.scenario.system;
        let p = self.at(v_b, 0.5, 100.0);
        let mut start = analysis::steady(system, &p).unwrap().x;
        start[self.state("block.v").unwrap()] = v_b;
        let section = analysis::section(system).unwrap();
        (analysis::returns(system, &p, &start, section, Shooting::default()).unwrap(), p, start)
    }
}

fn rows(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| l.split(',').map(str::to_owned).collect()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} against {expected}");
}

#[test]
fn all_boundary_speeds_of_table_2() {
    let models = [model("lugre"), model("two")];
    for row in rows("hieu2021_table2.csv") {
        let [k, c1, lugre, two] = [0, 1, 2, 3].map(|i| number(&row[i]));
        for (model, expected) in models.iter().zip([lugre, two]) {
            let p = model.at((10.0 / c1).ln(), c1, k);
            let onset = analysis::hopf_near(&model.scenario.system, &p, model.speed()).unwrap();
            close(onset.steady.p[model.speed()], expected, 1e-9);
            assert_eq!(onset.verdict, Criticality::Subcritical);
        }
    }
}

/// The scenario counts slip of the block against the belt, so the bristle has the other sign.
#[test]
fn jacobians_and_eigenvalues_at_the_listed_points() {
    for row in rows("hieu2021_points.csv") {
        let model = model(&row[0]);
        let values: Vec<f64> = row[1..].iter().map(|c| number(c)).collect();
        let found = analysis::steady(&model.scenario.system, &model.at(values[1], values[0], 100.0)).unwrap();
        let names = ["block.q", "block.v", "pad.z", "pad.phi"];
        let places: Vec<usize> = names.iter().filter_map(|n| model.state(n)).collect();
        let n = places.len();
        let slot = |i: usize| found.active.iter().position(|a| *a == places[i]).unwrap();
        let sign = |i: usize| if i == 2 { -1.0 } else { 1.0 };
        for i in 0..n {
            for j in 0..n {
                let (ours, expected) =
                    (sign(i) * sign(j) * found.jacobian[(slot(i), slot(j))], values[2 + i * n + j]);
                close(ours, expected, 1e-10 * expected.abs().max(1.0));
            }
        }
        let eigen = &values[2 + n * n..];
        for pair in eigen.chunks(2) {
            let gap = |e: &bristle_analysis::linear::C64| (e.re - pair[0]).hypot(e.im - pair[1]);
            let best = found.eigenvalues().iter().map(gap).fold(f64::INFINITY, f64::min);
            assert!(best <= 1e-10 * pair[0].hypot(pair[1]).max(1.0), "{row:?}: {best}");
        }
    }
}

#[test]
fn the_onset_is_subcritical_and_neutral_saddles_are_not_hopf_points() {
    for (name, l1, kappa, saddles, low) in [
        ("two", 0.012374846911, 12.498670662, 2, 5.0376529933922e-5),
        ("lugre", 0.012374993649, 12.498587054, 0, 8.570017099089e-4),
    ] {
        let model = model(name);
        let range = Range { parameter: model.speed(), from: 2e-5, to: 4.0 };
        let pace = ContinuationSettings { max_step: 0.03, points: 5000, ..ContinuationSettings::default() };
        let found =
            analysis::branch(&model.scenario.system, &model.at(2e-5, 0.5, 100.0), range, pace).unwrap();
        let hopfs: Vec<_> = found.hopfs().collect();
        assert_eq!(hopfs.len(), 2, "{name}");
        close(hopfs[0].steady.p[model.speed()] / low, 1.0, 1e-7);
        assert_eq!(hopfs[0].verdict, Criticality::Supercritical);
        close(hopfs[1].l1, l1, 1e-7);
        close(hopfs[1].curvature[model.state("block.q").unwrap()], kappa, 1e-6);
        assert_eq!(hopfs[1].verdict, Criticality::Subcritical);
        let neutral = found.special.iter().filter(|s| matches!(s.kind, SpecialKind::NeutralSaddle)).count();
        assert_eq!(neutral, saddles, "{name}");
    }
}

#[test]
fn generalised_hopf_points() {
    for (name, c1, v_b) in [("two", 9.4955058434, 0.0606338016837), ("lugre", 8.71540554058, 0.136686271244)]
    {
        let model = model(name);
        let viscous = model.scenario.system.param(model.viscous).unwrap();
        let start =
            analysis::hopf_near(&model.scenario.system, &model.at(3.0, 0.5, 100.0), model.speed()).unwrap();
        let ranges = [
            Range { parameter: viscous, from: 0.2, to: 12.0 },
            Range { parameter: model.speed(), from: 0.02, to: 5.0 },
        ];
        let curve =
            analysis::boundary(&model.scenario.system, &start, ranges, ContinuationSettings::default())
                .unwrap();
        assert_eq!(curve.generalised.len(), 1);
        close(curve.generalised[0].at[0], c1, 1e-6);
        close(curve.generalised[0].at[1], v_b, 1e-6);
    }
}

#[test]
fn the_map_has_26853_stable_cells() {
    let model = model("two");
    let viscous = model.scenario.system.param(model.viscous).unwrap();
    let (rows, columns) =
        (MapAxis::linear(viscous, 0.05, 5.0, 200), MapAxis::linear(model.speed(), 0.02, 5.0, 200));
    let map = analysis::map(&model.scenario.system, &model.at(0.02, 0.05, 100.0), rows, columns).unwrap();
    assert_eq!(map.stable_cells(), 26853);
}

/// Attracting cycles, and the unstable ones that bound the basin of sliding.
#[test]
fn periods_and_multipliers() {
    for (name, v_b) in [("two", 0.1), ("two", 0.5), ("lugre", 0.05), ("lugre", 0.2)] {
        let model = model(name);
        let (map, p, start) = model.returns(v_b);
        let hits = analysis::hits(&map, &p, &start, 60).unwrap();
        let found = analysis::orbit(&map, &p, &hits[59].state, 1).unwrap();
        let expected = rows("hieu2021_orbits.csv")
            .into_iter()
            .find(|r| r[0] == name && number(&r[1]) == v_b && r[2] == "1")
            .unwrap();
        close(found.period / number(&expected[3]), 1.0, 1e-9);
        close(found.leading().re, number(&expected[4]), 1e-4);
        close(found.hits[0].x[model.state("block.q").unwrap()], number(&expected[5]), 1e-9);
    }
}

#[test]
fn the_slow_cycle_doubles_its_period() {
    let model = model("two");
    let (map, p, start) = model.returns(0.12);
    let hits = analysis::hits(&map, &p, &start, 30).unwrap();
    let found = analysis::orbit(&map, &p, &hits[29].state, 1).unwrap();
    let range = Range { parameter: model.speed(), from: 0.12, to: 0.09 };
    let branch = analysis::cycles(&map, &found, range, ContinuationSettings::default()).unwrap();
    close(branch.at(OrbitKind::Flip)[0], 0.09733498390, 1e-5);
}
