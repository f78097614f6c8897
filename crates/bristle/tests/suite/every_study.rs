//! What every study must give: an outcome with a fact, a figure and data, and a card that says what it asks.

use bristle::{CatalogueKind, Scenario, cards, run};

/// A block on a belt under a law whose steady sliding loses its stability.
const BELT: &str = r#"
[parts.block]
kind = "mass"
mass = "1 kg"

[parts.belt]
kind = "drive"
v = "0.3 m/s"

[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "100 N/m"

[parts.damping]
kind = "damper"
between = ["block", "ground"]
d = "1 N s/m"

[parts.pad]
kind = "contact"
between = ["block", "belt"]
law = { kind = "velocity_based", F_d = "10 N", F_s = "20 N", v_s = "1 cm/s", v_d = "0.5 m/s" }
"#;

/// A rope over a fixed drum.
const ROPE: &str = r#"
[parts.rope]
kind = "cable"
length = "2 m"
elements = 20
ea = "2 MN"
ei = "0.1 N m^2"
density = "0.3 kg/m"
over = ["drum"]

[parts.drum]
kind = "drum"
radius = "20 cm"
law = { kind = "quinn", mu_d = 0.3, eps = "1 cm/s" }

[parts.left]
kind = "cable_end"
at = "first"
mass = "10 kg"

[parts.right]
kind = "cable_end"
at = "last"
mass = "10 kg"

[parts.earth]
kind = "gravity"
"#;

/// The parts and the question, as short as a study lets it be; none for a study this file does not know.
fn minimal(study: &str) -> Option<(&'static str, &'static str)> {
    let over_speed = "parameter = \"belt.v\"\nfrom = \"0.2 m/s\"\nto = \"0.8 m/s\"";
    let plane = "x = \"belt.v\"\nx_from = \"0.2 m/s\"\nx_to = \"0.8 m/s\"\ny = \"damping.d\"\ny_from = \"0.5 N s/m\"\n\
                 y_to = \"40 N s/m\"";
    let question: &'static str = match study {
        "simulate" => "duration = \"2 s\"",
        "steady" => "",
        "branch" => over_speed,
        "boundary" => plane,
        "map" => return Some((BELT, MAP)),
        "orbit" => "multiplicities = [1]",
        "sweep" => return Some((BELT, SWEEP)),
        "stages" => "duration = \"10 s\"",
        "spectrum" => "duration = \"10 s\"",
        "work_precision" => return Some((BELT, WORK)),
        "plan" => "noise = \"0.1 N\"\nduration = \"0.5 s\"\nsampling = \"5 ms\"",
        "limit" => return Some((ROPE, "")),
        "vary" => return Some((BELT, VARY)),
        "optimise" => return Some((BELT, OPTIMISE)),
        "fit" => return Some((STAGE, FIT)),
        _ => return None,
    };
    Some((BELT, question))
}

const MAP: &str = "x = \"belt.v\"\nx_from = \"0.2 m/s\"\nx_to = \"0.8 m/s\"\ny = \"damping.d\"\n\
                   y_from = \"0.5 N s/m\"\ny_to = \"40 N s/m\"\nrows = 6\ncolumns = 6";
const SWEEP: &str = "parameter = \"belt.v\"\nfrom = \"0.2 m/s\"\nto = \"0.8 m/s\"\npoints = 4\ntransient = 20\n\
                     window = 4\nlyapunov = 0";
const VARY: &str = "over = [\"belt.v = 0.3 m/s : 0.6 m/s : 3\"]\nresponses = [\"slips(pad)\"]\n\n\
                    [studies.motion]\nkind = \"simulate\"\nduration = \"2 s\"";
const OPTIMISE: &str = "over = [\"damping.d = 0.5 N s/m : 60 N s/m\"]\nminimise = \"value(damping.d)\"\n\
                        constraints = [\"growth() <= 0\"]\naccuracy = 1e-2";
const FIT: &str = "measurements = [\"loops\"]\nunknowns = [{ path = \"pad.F_d\", from = \"0.5 N\", to = \"8 N\" }]\n\n\
                   [measurements.loops]\nfile = \"loops.csv\"\ninputs = { \"stage.position\" = \"position\" }\n\
                   outputs = { \"pad.force\" = \"force\" }";

/// A stage that is moved on the ground.
const STAGE: &str = r#"
[parts.stage]
kind = "drive"

[parts.pad]
kind = "contact"
between = ["stage", "ground"]
law = { kind = "dahl", F_d = "1 N", sigma0 = "4e4 N/m" }
"#;

/// Measures Dahl's friction of 2 N along a sine; a stretch without reversal has a closed form.
fn measure(folder: &std::path::Path) {
    let mut rows = "time [s],position [um],force [N]\n".to_owned();
    let (mut force, mut before) = (0.0, 0.0);
    for i in 0..400 {
        let t = f64::from(i) * 5e-3;
        let x = 2e-4 * (3.0 * t).sin();
        let level = 2.0 * f64::signum(x - before);
        force = level + (force - level) * (-4e4 / 2.0 * f64::abs(x - before)).exp();
        before = x;
        rows += &format!("{t},{},{force}\n", x * 1e6);
    }
    std::fs::write(folder.join("loops.csv"), rows).unwrap();
}

const WORK: &str = "duration = \"1 s\"\ntolerances = [1e-4, 1e-6]";

#[test]
fn every_study_gives_a_fact_a_figure_and_data() {
    let mut lacking = Vec::new();
    let folder = tempfile::tempdir().unwrap();
    measure(folder.path());
    for card in cards(CatalogueKind::Studies) {
        let name = card.name;
        let Some((parts, question)) = minimal(name) else {
            panic!("every_study.rs has no scenario for `{name}`: add the shortest question it can be asked")
        };
        let text = format!("{parts}\n[studies.asked]\nkind = \"{name}\"\n{question}\n");
        let scenario =
            Scenario::from_text(&text, name, folder.path()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let outcome = run(&scenario, &mut ()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let rows: Vec<usize> = outcome.data.columns.iter().map(|c| c.values.len()).collect();
        // One state, one load: their tables hold it all.
        let is_single = ["steady", "limit"].contains(&name);
        for (is_there, what) in [
            (!outcome.record.facts.is_empty(), "tells no fact"),
            (outcome.record.figures().iter().any(|f| f.id() != "mechanism"), "draws no figure"),
            (is_single || rows.first().is_some_and(|n| *n > 0), "keeps no data"),
            (rows.iter().all(|n| *n == rows[0]), "keeps columns of several lengths"),
        ] {
            lacking.extend((!is_there).then(|| format!("{name} {what}")));
        }
        let figures = outcome.record.figures();
        let ids: Vec<&str> = figures.iter().map(|f| f.id()).collect();
        // A motion beside the question has figures of its own.
        let known = |id: &&str| *id == "mechanism" || id.starts_with("asked-") || id.starts_with("motion-");
        assert!(ids.iter().any(|id| id.starts_with("asked-")) && ids.iter().all(known), "{name}: {ids:?}");
        assert!(!card.equation().is_empty() && card.remarks().len() > 40, "{name}: its card says too little");
    }
    assert!(lacking.is_empty(), "{lacking:?}");
}
