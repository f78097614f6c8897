//! The record as JSON: `result.json`.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::RecordError;
use crate::layer::Layer;
use crate::record::{Block, Record};
use crate::render::svg::samples;

/// Longer series are thinned in figures: the full ones are in `data.csv` and `data.parquet`.
const LONGEST: usize = 4000;

/// The same for a record that was stopped before its end.
const LONGEST_PARTIAL: usize = 400;

/// The record as JSON, one line per fact and per section. Numbers that are not finite are `null`.
///
/// # Errors
/// [`RecordError::Json`] if a value cannot be written.
pub fn record(record: &Record) -> Result<String, RecordError> {
    with(record, &Map::new())
}

/// The record plus further top-level keys, such as the scenario and solver statistics; a key of the
/// record wins over one of the same name.
///
/// # Errors
/// [`RecordError::Json`] if a value cannot be written.
pub fn with(record: &Record, extra: &Map<String, Value>) -> Result<String, RecordError> {
    let record = thinned(record);
    let own = [
        ("generator", serde_json::to_string(concat!("bristle ", env!("CARGO_PKG_VERSION")))?),
        ("title", serde_json::to_string(&record.title)?),
        ("summary", serde_json::to_string(&record.summary)?),
        ("is_partial", record.is_partial.to_string()),
        ("facts", lines(&record.facts)?),
        ("sections", lines(&record.sections)?),
    ];
    let mut parts: Vec<String> = own.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
    for (key, value) in extra.iter().filter(|(k, _)| !own.iter().any(|(o, _)| o == k)) {
        let value = serde_json::to_string_pretty(value)?.replace('\n', "\n  ");
        parts.push(format!("  {}: {value}", serde_json::to_string(key)?));
    }
    Ok(format!("{{\n{}\n}}\n", parts.join(",\n")))
}

/// A list with one line per item.
fn lines<T: Serialize>(items: &[T]) -> Result<String, RecordError> {
    if items.is_empty() {
        return Ok("[]".into());
    }
    let items: Result<Vec<String>, _> = items.iter().map(serde_json::to_string).collect();
    Ok(format!("[\n    {}\n  ]", items?.join(",\n    ")))
}

fn thinned(record: &Record) -> Record {
    let longest = if record.is_partial { LONGEST_PARTIAL } else { LONGEST };
    let mut record = record.clone();
    for block in record.sections.iter_mut().flat_map(|s| &mut s.blocks) {
        let plots = match block {
            Block::Plot(p) => std::slice::from_mut(p),
            Block::PlotGrid(g) => &mut g.plots[..],
            _ => continue,
        };
        for layer in plots.iter_mut().flat_map(|p| &mut p.layers) {
            let (x, y) = match layer {
                Layer::Line(l) => (&mut l.x, &mut l.y),
                Layer::Scatter(s) => (&mut s.x, &mut s.y),
                _ => continue,
            };
            if x.len() > longest {
                (*x, *y) = samples(x, y, longest).into_iter().unzip();
            }
        }
    }
    record
}

#[cfg(test)]
mod json_tests {
    use crate::{Axis, Block, Fact, Line, Plot, Record};

    #[test]
    fn missing_numbers_are_null_and_come_back_as_nan() {
        let mut record = Record::new("gaps");
        record.facts.push(Fact::number("T", f64::NAN, "s"));
        let mut plot = Plot::new("p", "", Axis::default(), Axis::default());
        plot.push(Line::new("", vec![0.0, 1.0], vec![f64::INFINITY, 2.0]));
        record.section("s").push(plot);
        let text = super::record(&record).unwrap();
        assert!(text.contains("null") && !text.contains("NaN"));
        let back: Record = serde_json::from_str(&text).unwrap();
        let Block::Plot(p) = &back.sections[0].blocks[0] else { panic!() };
        let crate::Layer::Line(line) = &p.layers[0] else { panic!() };
        assert!(line.y[0].is_nan() && line.y[1] == 2.0);
    }

    #[test]
    fn further_keys_do_not_displace_the_record() {
        let extra = serde_json::json!({"title": "other", "statistics": {"steps": 3}});
        let text = super::with(&Record::new("mine"), extra.as_object().unwrap()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["title"], "mine");
        assert_eq!(value["statistics"]["steps"], 3);
    }
}
