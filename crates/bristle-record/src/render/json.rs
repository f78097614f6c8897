//! The record as JSON: `result.json`.

use serde::Serialize;

use crate::error::RecordError;
use crate::record::Record;

/// The record as indented JSON. Numbers that are not finite are `null`.
///
/// # Errors
/// [`RecordError::Json`] if a value cannot be written.
pub fn record(record: &Record) -> Result<String, RecordError> {
    with(record, &serde_json::Map::new())
}

/// The record plus further top-level keys, such as the scenario and solver statistics; a key of the
/// record wins over one of the same name.
///
/// # Errors
/// [`RecordError::Json`] if a value cannot be written.
pub fn with(
    record: &Record,
    extra: &serde_json::Map<String, serde_json::Value>,
) -> Result<String, RecordError> {
    #[derive(Serialize)]
    struct Whole<'a> {
        generator: &'static str,
        #[serde(flatten)]
        record: &'a Record,
        #[serde(flatten)]
        extra: serde_json::Map<String, serde_json::Value>,
    }
    let own = ["generator", "title", "summary", "facts", "sections"];
    let extra = extra.iter().filter(|(k, _)| !own.contains(&k.as_str()));
    let extra = extra.map(|(k, v)| (k.clone(), v.clone())).collect();
    let generator = concat!("bristle ", env!("CARGO_PKG_VERSION"));
    Ok(serde_json::to_string_pretty(&Whole { generator, record, extra })? + "\n")
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
