//! The runs as a table: one row each, failures with their reason.

use super::question::VaryQuestion;
use bristle_record::Data;
use bristle_vary::store::RunRecord;
use std::collections::BTreeMap;

/// Finished runs, in little room.
#[derive(Clone, Debug)]
pub(crate) struct TableRows {
    width: usize,
    index: Vec<u64>,
    /// Row after row.
    values: Vec<f64>,
    reasons: BTreeMap<u64, String>,
}

impl TableRows {
    pub fn new(width: usize) -> TableRows {
        TableRows { width, index: Vec::new(), values: Vec::new(), reasons: BTreeMap::new() }
    }

    pub fn push(&mut self, run: RunRecord) {
        self.index.push(run.index);
        let from = self.values.len();
        match run.found {
            Ok(values) => self.values.extend(values.into_iter().take(self.width)),
            Err(reason) => {
                self.reasons.insert(run.index, reason);
            }
        }
        self.values.resize(from + self.width, f64::NAN);
    }

    /// In the order of the runs, each once.
    pub fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.index.len()).collect();
        order.sort_by_key(|&i| self.index[i]);
        order.dedup_by_key(|i| self.index[*i]);
        let width = self.width;
        self.values = order.iter().flat_map(|&i| &self.values[i * width..(i + 1) * width]).copied().collect();
        self.index = order.iter().map(|&i| self.index[i]).collect();
    }

    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn indices(&self) -> &[u64] {
        &self.index
    }

    /// One response over all runs.
    pub fn column(&self, j: usize) -> Vec<f64> {
        self.values.iter().skip(j).step_by(self.width.max(1)).copied().collect()
    }

    /// Why runs failed.
    pub fn reasons(&self) -> &BTreeMap<u64, String> {
        &self.reasons
    }
}

/// The parameters of all runs, a column each.
pub(crate) fn points(question: &VaryQuestion, rows: &TableRows) -> Vec<Vec<f64>> {
    let k = question.varied.len();
    let mut columns = vec![Vec::with_capacity(rows.len()); k];
    let mut point = vec![0.0; k];
    for &index in rows.indices() {
        question.design.point(index, &mut point);
        columns.iter_mut().zip(&point).for_each(|(column, value)| column.push(*value));
    }
    columns
}

/// The table as data columns: the run, its parameters, what it found, and why it failed.
pub(crate) fn data(question: &VaryQuestion, rows: &TableRows, points: &[Vec<f64>]) -> Data {
    let mut data = Data::default();
    data.explain("run", "1", "index of the run, from 0", rows.indices().iter().map(|i| *i as f64).collect());
    for (varied, column) in question.varied.iter().zip(points) {
        data.push(&varied.path, &varied.unit, column.clone());
    }
    for (j, response) in question.asked.iter().enumerate().take(question.shown) {
        let name = unique(&data, &response.name);
        data.push(name, &response.unit, rows.column(j));
    }
    for (event, place) in question.events.iter().zip(&question.event_places) {
        let column = rows.column(*place);
        let holds = |v: &f64| if v.is_nan() { f64::NAN } else { f64::from(u8::from(event.holds(*v))) };
        let name = unique(&data, &event.name);
        data.explain(name, "1", "1 where it happened, 0 where not", column.iter().map(holds).collect());
    }
    let mut words: Vec<String> = Vec::new();
    let mut codes = Vec::with_capacity(rows.len());
    for index in rows.indices() {
        codes.push(match rows.reasons().get(index) {
            None => f64::NAN,
            Some(reason) => {
                let known = words.iter().position(|w| w == reason);
                known.unwrap_or_else(|| {
                    words.push(reason.clone());
                    words.len() - 1
                }) as f64
            }
        });
    }
    data.label("failure", "why the run failed; empty where it did not", words, codes);
    data
}

/// A name that no column has yet.
fn unique(data: &Data, name: &str) -> String {
    let mut found = name.to_owned();
    for k in 2.. {
        if data.columns.iter().all(|c| c.name != found) {
            break;
        }
        found = format!("{name} ({k})");
    }
    found
}
