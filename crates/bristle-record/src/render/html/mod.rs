//! The report: one HTML file that needs nothing else.

use crate::record::Record;

/// The whole report.
pub fn report(record: &Record) -> String {
    format!("<html>{}<svg></svg></html>", crate::markup::html(&record.title))
}
