use super::output::{beside, kept, write_safely};
use super::{law_named, laws_of_file};
use crate::failure::Failure;
use crate::reply::{INTERRUPTED, Reply};
use crate::stop;
use crate::watch::ProgressDisplay;
use bristle::LawKind;
use bristle::certify::{Certificate, certify, fingerprints, page, record, timing};
use bristle_record::{ExtraFile, Fact, RecordError, Table, Tone, check_folder, holds_result, render};
use serde_json::json;
use std::path::PathBuf;

/// Measure what friction laws do: holding, drift, break-away, hysteresis, dwell, energy, smoothness, cost.
#[derive(Debug, clap::Args)]
pub struct Certify {
    /// The laws, such as `lugre coulomb`, which `bristle list laws` lists; or a scenario file with laws of its own.
    #[arg(required_unless_present = "all", value_name = "LAW")]
    laws: Vec<String>,
    /// Every law of the catalogue.
    #[arg(long, conflicts_with = "laws")]
    all: bool,
    /// Folder for the results; `out/certificates` unless given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the certificates as JSON.
    #[arg(long)]
    json: bool,
}

/// The columns of the table on the terminal; the report has all of them.
const SHOWN: [&str; 10] = [
    "law",
    "static level",
    "below the static level",
    "at 99.9 %",
    "predicted at 99.9 %",
    "per pulse of 90 %",
    "drift per cycle",
    "ageing per decade of hold time",
    "random motions",
    "smoothness",
];

impl Certify {
    pub fn obey(self) -> Result<Reply, Failure> {
        let mut laws: Vec<LawKind> = Vec::new();
        for name in &self.laws {
            let found = match laws_of_file(name)? {
                Some(own) => own,
                None => vec![law_named(name)?],
            };
            for law in found {
                if !laws.contains(&law) {
                    laws.push(law);
                }
            }
        }
        if self.all {
            laws = LawKind::ALL.to_vec();
        }
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from("out/certificates"));
        check_folder(&folder).map_err(Failure::Folder)?;
        let mut watch = ProgressDisplay::new();
        let certificates = certify(&laws, &mut watch);
        watch.finish();
        let certificates = certificates.map_err(|e| Failure::of_run(e.into()))?;
        stop::keep();
        let is_partial = certificates.len() < laws.len();
        let folder = if is_partial && holds_result(&folder) { beside(&folder, "partial") } else { folder };
        let text = certificate_json(&certificates).map_err(Failure::Folder)?;
        let mut extra = vec![
            ExtraFile::text("certificate.json", &text),
            ExtraFile::text("fingerprints.json", fingerprints(&certificates)),
        ];
        for certificate in &certificates {
            let html = render::html::report(&page(certificate));
            extra.push(ExtraFile::text(format!("laws/{}.html", certificate.law), html));
        }
        let mut record = record(&certificates);
        if is_partial {
            let words = format!("{} of {} laws", certificates.len(), laws.len());
            record.facts.insert(0, Fact::verdict("stopped early", words, Tone::Warn));
            record.is_partial = true;
        }
        let written = write_safely(&folder, &record, &[], &extra)?;
        let code = if is_partial { INTERRUPTED } else { 0 };
        if self.json {
            return Ok(Reply::new(text).with_code(code));
        }
        let report = written.folder.join("report.html");
        let mut out = render::text::facts(&record) + "\n";
        if let Some(bristle_record::Block::Table(table)) = record.sections[0].blocks.first() {
            out += &render::text::table(&shown(table));
        }
        out += &format!("\n{}", render::text::table(&timing(&certificates)));
        out += &format!("\nreport: {}\n{}", report.display(), kept(&written));
        Ok(Reply::new(out).with_code(code))
    }
}

fn certificate_json(certificates: &[Certificate]) -> Result<String, RecordError> {
    let text =
        serde_json::to_string_pretty(&json!({ "load": bristle::certify::LOAD, "laws": certificates }))?;
    Ok(text + "\n")
}

/// The table with only those columns that fit a terminal.
fn shown(table: &Table) -> Table {
    let places: Vec<usize> =
        SHOWN.iter().filter_map(|name| table.columns.iter().position(|c| c.name == *name)).collect();
    let mut narrow = Table { caption: table.caption.clone(), ..Table::default() };
    narrow.columns = places.iter().map(|i| table.columns[*i].clone()).collect();
    for row in &table.rows {
        narrow.row(places.iter().filter_map(|i| row.get(*i).cloned()));
    }
    narrow
}
