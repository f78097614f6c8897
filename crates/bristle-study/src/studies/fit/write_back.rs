//! The fitted scenario as a file, and the estimates for programs.

use super::FitTask;
use super::one::Fitted;
use super::unknowns::name_of;
use bristle_core::{Kind, units::short};
use bristle_record::ExtraFile;
use serde_json::{Value, json};

/// `fitted.toml` and `estimates.json`.
pub(super) fn files(task: &FitTask, best: &Fitted) -> Vec<ExtraFile> {
    // Of several fits each has files of its own.
    let is_one = task.scenario.studies.iter().filter(|s| s.spec.kind == task.study.spec.kind).count() < 2;
    let name = |file: &str| if is_one { file.to_owned() } else { format!("{}-{file}", task.study.name) };
    let mut all = vec![ExtraFile::text(name("estimates.json"), estimates(task, best))];
    all.extend(scenario(task, best).map(|text| ExtraFile::text(name("fitted.toml"), text)));
    all
}

/// Estimates with errors, intervals and covariance.
fn estimates(task: &FitTask, best: &Fitted) -> String {
    let number = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    let one = |e: &bristle_fit::Estimate| {
        json!({
            "name": e.unknown.name, "unit": e.unknown.unit, "value": number(e.value),
            "se": number(e.white), "se_correlated": number(e.correlated),
            "interval": [number(e.interval[0]), number(e.interval[1])],
            "identifiable": e.is_known, "held": e.is_held,
            "at_bound": e.at_bound.map(|b| format!("{b:?}").to_lowercase()),
            "from": number(e.unknown.from), "to": number(e.unknown.to),
        })
    };
    let matrix = |m: &nalgebra::DMatrix<f64>| -> Vec<Vec<Value>> {
        m.row_iter().map(|row| row.iter().map(|&x| number(x)).collect()).collect()
    };
    let comparison = |c: &bristle_fit::Comparison| json!({ "name": c.name, "rms": number(c.rms), "relative": number(c.relative), "rows": c.shown.len(), "effective": number(c.series.effective) });
    let fit = &best.fit;
    let all = json!({
        "study": task.study.name,
        "law": best.law.card().name,
        "parameters": fit.estimates.iter().map(one).collect::<Vec<_>>(),
        "covariance": matrix(&fit.correlated),
        "covariance_white": matrix(&fit.white),
        "fitted": fit.comparisons.iter().map(comparison).collect::<Vec<_>>(),
        "held_out": best.held_out.iter().map(comparison).collect::<Vec<_>>(),
        "aic": number(fit.aic), "bic": number(fit.bic), "aic_effective": number(fit.aic_effective),
        "condition": number(fit.condition),
        "doubts": fit.doubts.iter().map(|d| d.words.clone()).collect::<Vec<_>>(),
        "simulations": fit.simulations, "seconds": best.seconds,
        "waterfall": fit.waterfall.iter().map(|&x| number(x)).collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

/// The scenario with the fitted law and what else was found, headed by the intervals.
fn scenario(task: &FitTask, best: &Fitted) -> Option<String> {
    let mut table: toml::Table = task.scenario.text.parse().ok()?;
    let parts = table.get_mut("parts")?.as_table_mut()?;
    let mut law = toml::Table::new();
    law.insert("kind".to_owned(), best.law.card().name.into());
    for (field, value) in best.law.card().numbers().zip(&best.spec.numbers) {
        let Kind::Number { unit, force, .. } = field.kind else { continue };
        let unit = if force.is_some() && best.spec.as_forces { "N" } else { unit };
        law.insert(name_of(field, &best.spec).to_owned(), written(*value, unit));
    }
    parts.get_mut(&task.contact)?.as_table_mut()?.insert("law".to_owned(), law.into());
    let mut head = String::from("# Fitted values with 95 % of what they may be:\n");
    for e in &best.fit.estimates {
        let path = &e.unknown.name;
        let words = if e.is_known { "" } else { "; cannot be known from the record" };
        let [low, high] = e.interval.map(short);
        head += &format!("# {path} = {} {}, {low} to {high}{words}\n", short(e.value), e.unknown.unit);
        if let Some((part, field)) = path.split_once('.')
            && (part != task.contact || is_of_contact(field))
            && !field.contains('.')
            && let Some(part) = parts.get_mut(part).and_then(toml::Value::as_table_mut)
        {
            part.insert(field.to_owned(), written(e.value, &e.unknown.unit));
        }
    }
    Some(format!("{head}\n{}", toml::to_string(&table).ok()?))
}

/// A quantity as a scenario has it.
fn written(value: f64, unit: &str) -> toml::Value {
    if unit == "1" { toml::Value::Float(value) } else { format!("{value} {unit}").into() }
}

/// Whether that is a number of a contact itself, not of its law.
fn is_of_contact(field: &str) -> bool {
    bristle_mech::PartKind::named("contact")
        .is_some_and(|kind| kind.card().numbers().any(|f| f.name == field))
}
