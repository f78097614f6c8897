//! Laws written in a scenario: they run, are compared, certified and analysed like any other, and mistakes are shown where they
//! stand.

use bristle::{LawKind, Scenario, run};

/// A block on a belt under LuGre; `pad` is the rest of the contact.
fn belt(laws: &str, pad: &str, studies: &str) -> Result<Scenario, bristle::ScenarioError> {
    let text = format!(
        r#"{laws}
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
v = "2 mm/s"
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
load = "10 N"
law = {pad}
{studies}
"#
    );
    Scenario::from_text(&text, "own.toml", ".".as_ref())
}

/// LuGre as formulas.
const LUGRE: &str = r#"
[laws.my_lugre]
doc = "LuGre as formulas."
parameters = { mu_d = 0.3, mu_s = 0.4, v_s = "10 mm/s", sigma0 = "1e5 N/m", sigma1 = "300 N s/m" }
states = { z = "m" }
where = { g = "n * (mu_d + (mu_s - mu_d) * exp(-(v/v_s)^2))", slide = "v - sigma0 * abs(v) * z / g" }
rates = { z = "slide" }
force = "sigma0 * z + sigma1 * slide"
"#;

/// A made-up law of two states: a bristle, and a film that softens it with sliding and recovers at rest.
const FILM: &str = r#"
[laws.film]
parameters = { F = "3 N", k = "2e5 N/m", c = "200 N s/m", tau = "0.5 s", x_f = "1 mm", soft = 0.4 }
states = { z = "m", s = { unit = "1", initial = "1", min = "0", max = "1" } }
where = { level = "F * (1 - soft * (1 - s))", slide = "v - k * abs(v) * z / level" }
rates = { z = "slide", s = "(1 - s) / tau - s * abs(v) / x_f" }
force = "k * z + c * slide"
"#;

const RUN: &str = "[studies.run]\nkind = \"simulate\"\nduration = \"20 s\"\n";

#[test]
fn a_written_law_moves_as_the_one_of_the_catalogue_does() {
    let own = belt(LUGRE, "{ kind = \"my_lugre\", mu_s = 0.45 }", RUN).unwrap();
    let known = belt("", "{ kind = \"lugre\", mu_s = 0.45 }", RUN).unwrap();
    let column = |scenario: &Scenario| {
        let outcome = run(scenario, &mut ()).unwrap();
        let found = outcome.data.columns.iter().find(|c| c.name == "block.q").unwrap();
        found.values.to_vec()
    };
    let (a, b) = (column(&own), column(&known));
    assert_eq!(a.len(), b.len());
    let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let size = b.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(worst < 1e-8 * size, "{worst} of {size}");
}

#[test]
fn stability_is_the_same_with_its_verdict() {
    let branch =
        "[studies.b]\nkind = \"branch\"\nparameter = \"belt.v\"\nfrom = \"1 mm/s\"\nto = \"80 mm/s\"\n";
    let facts = |laws: &str, law: &str| {
        let pad = format!("{{ kind = \"{law}\" }}");
        let outcome = run(&belt(laws, &pad, branch).unwrap(), &mut ()).unwrap();
        outcome.record.facts.iter().map(|f| format!("{f:?}")).collect::<Vec<_>>()
    };
    let (own, known) = (facts(LUGRE, "my_lugre"), facts("", "lugre"));
    let verdicts = |all: &[String]| all.iter().filter(|f| f.contains("critical")).count();
    assert!(verdicts(&known) > 0, "{known:?}");
    assert_eq!(verdicts(&own), verdicts(&known), "{own:?}");
}

#[test]
fn a_law_of_two_states_runs_and_is_certified() {
    let scenario = belt(FILM, "{ kind = \"film\" }", RUN).unwrap();
    let outcome = run(&scenario, &mut ()).unwrap();
    assert!(outcome.failures().next().is_none());
    assert!(outcome.data.columns.iter().any(|c| c.name == "pad.s"), "the state is an output");
    let certificates = bristle::certify::certify(&scenario.laws, &mut ()).unwrap();
    assert_eq!(certificates.len(), 1);
    let page = format!("{:?}", certificates[0]);
    assert!(page.contains("film"));
}

#[test]
fn laws_are_compared_with_those_of_the_catalogue() {
    let scenario = belt(LUGRE, "{ kind = \"my_lugre\" }", RUN).unwrap();
    let laws = [scenario.laws[0], LawKind::LuGre];
    let outcome = bristle::compare(&scenario, &laws, &mut ()).unwrap();
    assert!(!outcome.record.figures().is_empty());
}

/// A wrong unit, an unknown name, a divisor that can be zero, a missing rate: place, reason and a way out.
#[test]
fn mistakes_are_shown_where_they_stand() {
    for (from, to, place, reason, hint) in [
        (
            "sigma0 * z + sigma1 * slide",
            "sigma0 * z + sigma1 * z",
            "sigma0 * z + sigma1 * z",
            "adds `N` and `N s`",
            "same",
        ),
        (
            "sigma0 * z + sigma1 * slide",
            "sigma0 * z + sigma1 * glide",
            "glide",
            "`glide` is not known",
            "`slide`",
        ),
        (
            "sigma0 * abs(v) * z / g",
            "mu_d * v * v_s / (z * sigma0 / sigma1)",
            "(z * sigma0 / sigma1)",
            "divisor can be zero",
            "max(",
        ),
        ("rates = { z = \"slide\" }", "rates = {}", "\"m\"", "rate of this state is missing", "rates = { z"),
        ("\"10 mm/s\"", "\"10 mm/zs\"", "\"10 mm/zs\"", "not a known unit", "unit"),
        ("force =", "farce =", "farce", "`farce` is not", "did you mean `force`"),
    ] {
        let laws = LUGRE.replace(from, to);
        assert_ne!(laws, LUGRE, "{from}");
        let error = belt(&laws, "{ kind = \"my_lugre\" }", RUN).unwrap_err();
        let text = format!("{:?}", miette::Report::new(error.clone()));
        let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(reason) && words.contains(hint), "{to}:\n{text}");
        let span = error.span().unwrap();
        let whole = format!("{laws}\n");
        let shown = whole.get(span.clone()).unwrap_or_default();
        assert!(shown.contains(place.trim_matches('"')) || place.contains(shown), "{to}: shows `{shown}`");
    }
    let error = belt(&LUGRE.replace("my_lugre", "lugre"), "{ kind = \"lugre\" }", RUN).unwrap_err();
    assert!(format!("{error:?}").contains("catalogue has a law"));
}
