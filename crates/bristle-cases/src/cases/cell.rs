//! A published number beside ours.

use bristle_record::{Cell, Table, Verdict};
use bristle_study::RunError;
use serde::{Deserialize, Serialize};

/// How far the model behind a number can be trusted to be the authors'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The equations and parameters are printed.
    Exact,
    /// A parameter or form was chosen, but not with this number.
    Predicted,
    /// This number was used to choose a parameter or form: agreement is no evidence.
    Fitted,
    /// A value the text does not give was inferred.
    Inferred,
}

/// What kind of number a paper gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberKind {
    /// Printed: it is known to half a unit of its last digit.
    #[default]
    Printed,
    /// Read off a figure: it is known to the error of reading.
    Figure,
    /// What a run cost on another machine or by another solver: comparable within a factor of two, and no more.
    Cost,
    /// Not in the paper: an independent recomputation stands in its place.
    Recomputed,
}

/// Costs further apart than this factor are not comparable.
const COMPARABLE: f64 = 2.0;

/// A published number, as a case's `published.toml` lists it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Unique within the case, such as `fig5.break_away_time`.
    pub id: String,
    /// Where it stands in the paper, such as `Fig. 5` or `Table 4`.
    pub place: String,
    /// What it is.
    pub what: String,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// As printed, such as `1.1654e-6`; empty where the paper gives none.
    #[serde(default)]
    pub printed: String,
    /// What kind of number it is.
    #[serde(default)]
    pub kind: NumberKind,
    /// The error of reading a figure. A printed value is known to half a unit of its last digit; this may only tighten it.
    #[serde(default)]
    pub within: Option<f64>,
    /// An independent recomputation to compare with as well.
    #[serde(default)]
    pub reference: Option<f64>,
    /// How far off the recomputation may be.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// How far the model can be trusted.
    pub basis: Basis,
    /// Said where the numbers differ.
    #[serde(default)]
    pub reason: String,
}

/// A list of published numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedList {
    cell: Vec<Published>,
    #[serde(default)]
    time: Vec<PublishedTime>,
}

/// A computing time as printed: it depends on the machine and is shown beside ours, not compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTime {
    /// Of which run.
    pub id: String,
    /// Where it stands in the paper.
    pub place: String,
    /// As printed, s.
    pub printed: String,
}

/// The computing times of a published list.
pub fn published_times(case: &str, published: &str) -> Result<Vec<PublishedTime>, RunError> {
    let error = |reason: String| RunError::Case { case: case.to_owned(), reason };
    let list: PublishedList = toml::from_str(published).map_err(|e| error(e.to_string()))?;
    Ok(list.time)
}

/// A number we computed for a published one.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// The published number's id.
    pub id: String,
    /// Ours.
    pub value: f64,
}

/// A published number beside ours, judged.
#[derive(Clone, Debug, Serialize)]
pub struct CellComparison {
    /// Unique within the case.
    pub id: String,
    /// Where it stands in the paper.
    pub place: String,
    /// What it is.
    pub what: String,
    /// Its unit.
    pub unit: String,
    /// As printed; empty where the paper gives none.
    pub published: String,
    /// What kind of number it is.
    pub kind: NumberKind,
    /// Ours.
    pub computed: f64,
    /// How far off the printed value may be; none for a cost.
    pub tolerance: Option<f64>,
    /// The independent recomputation.
    pub reference: Option<f64>,
    /// How far off that may be.
    pub reference_tolerance: Option<f64>,
    /// Whether ours agrees with the recomputation, where there is one.
    pub agrees_with_reference: Option<bool>,
    /// Against the printed value, or the recomputation where nothing is printed.
    pub verdict: Verdict,
    /// How far the model can be trusted.
    pub basis: Basis,
    /// Why they differ, where they do.
    pub reason: String,
}

/// Joins the published list with what was computed. Every published id must have been computed.
pub fn compare_cells(
    case: &str,
    published: &str,
    computed: &[Computed],
) -> Result<Vec<CellComparison>, RunError> {
    let error = |reason: String| RunError::Case { case: case.to_owned(), reason };
    let list: PublishedList = toml::from_str(published).map_err(|e| error(e.to_string()))?;
    list.cell
        .into_iter()
        .map(|cell| {
            let ours = computed.iter().find(|c| c.id == cell.id);
            let ours = ours.ok_or_else(|| error(format!("`{}` was not computed", cell.id)))?;
            judge(cell, ours.value).map_err(error)
        })
        .collect()
}

fn judge(cell: Published, computed: f64) -> Result<CellComparison, String> {
    let printed = match cell.printed.as_str() {
        "" => None,
        text => Some(text.parse::<f64>().map_err(|_| format!("`{}`: `{text}` is not a number", cell.id))?),
    };
    let kind = if printed.is_some() { cell.kind } else { NumberKind::Recomputed };
    let tolerance = tolerance(&cell, kind)?;
    let near = |value: f64, tolerance: f64| (computed - value).abs() <= tolerance * (1.0 + 1e-9);
    let agrees_with_reference = cell.reference.zip(cell.tolerance).map(|(value, tol)| near(value, tol));
    let agrees = match (printed, tolerance) {
        (Some(value), Some(tol)) => Some(near(value, tol)),
        (Some(value), None) => Some(is_comparable(&cell.printed, value, computed)),
        (None, _) => agrees_with_reference,
    };
    let verdict = match agrees {
        None => Verdict::Unknown,
        Some(true) => kind.agreement(),
        Some(false) if cell.reason.is_empty() => Verdict::Differs,
        Some(false) => Verdict::Explained,
    };
    let reason = if agrees == Some(true) { String::new() } else { cell.reason };
    Ok(CellComparison {
        id: cell.id,
        place: cell.place,
        what: cell.what,
        unit: cell.unit,
        published: cell.printed,
        kind,
        computed,
        tolerance,
        reference: cell.reference,
        reference_tolerance: cell.tolerance,
        agrees_with_reference,
        verdict,
        basis: cell.basis,
        reason,
    })
}

impl NumberKind {
    /// What is said of a number of this kind that comes out.
    fn agreement(self) -> Verdict {
        match self {
            NumberKind::Printed => Verdict::Agrees,
            NumberKind::Figure => Verdict::AgreesWithFigure,
            NumberKind::Cost => Verdict::Comparable,
            NumberKind::Recomputed => Verdict::AsRecomputed,
        }
    }
}

/// How far off a published value may be; nothing for a cost, and where nothing is published.
fn tolerance(cell: &Published, kind: NumberKind) -> Result<Option<f64>, String> {
    let id = &cell.id;
    match (kind, cell.within) {
        (NumberKind::Printed, None) => Ok(Some(half_unit(&cell.printed))),
        (NumberKind::Printed, Some(within)) if within <= half_unit(&cell.printed) => Ok(Some(within)),
        (NumberKind::Printed, Some(within)) => {
            let printed = &cell.printed;
            Err(format!(
                "`{id}`: {within} is more than half a unit of the last digit of the printed {printed}"
            ))
        }
        (NumberKind::Figure, Some(within)) => Ok(Some(within)),
        (NumberKind::Figure, None) => Err(format!("`{id}` was read off a figure: `within` says how well")),
        (NumberKind::Cost | NumberKind::Recomputed, None) => Ok(None),
        (NumberKind::Cost, Some(_)) => Err(format!("`{id}` is a cost: it has no `within`")),
        (NumberKind::Recomputed, Some(_)) => {
            Err(format!("`{id}`: nothing is printed that `within` could belong to"))
        }
    }
}

/// Within a factor of two; a cost printed as nothing is met by one that would be printed so.
fn is_comparable(printed: &str, value: f64, computed: f64) -> bool {
    if value == 0.0 {
        return computed.abs() <= half_unit(printed);
    }
    (1.0 / COMPARABLE..=COMPARABLE).contains(&(computed / value))
}

/// Half a unit of the last printed digit.
fn half_unit(printed: &str) -> f64 {
    let (mantissa, exponent) = match printed.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0)),
        None => (printed, 0),
    };
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    0.5 * 10f64.powi(exponent - decimals)
}

/// The comparisons as a table; those at `place` only, or all.
pub fn table_of(caption: &str, cells: &[CellComparison], place: Option<&str>) -> Table {
    let columns = ["where", "what", "unit", "published", "ours", "recomputed", "verdict", "basis", "remark"];
    let mut table = Table::new(caption, &columns.map(|c| (c, "")));
    for cell in cells.iter().filter(|c| place.is_none_or(|p| c.place == p)) {
        let basis = match cell.basis {
            Basis::Exact => "exact",
            Basis::Predicted => "predicted",
            Basis::Fitted => "fitted",
            Basis::Inferred => "inferred",
        };
        table.row([
            cell.place.as_str().into(),
            cell.what.as_str().into(),
            cell.unit.as_str().into(),
            cell.published.as_str().into(),
            Cell::Number { value: cell.computed, digits: 8 },
            cell.reference.map_or_else(|| "".into(), |value| Cell::Number { value, digits: 8 }),
            cell.verdict.into(),
            basis.into(),
            cell.reason.as_str().into(),
        ]);
    }
    table
}

#[cfg(test)]
mod cell_tests {
    use super::*;

    #[test]
    fn the_printed_digits_set_the_tolerance() {
        for (printed, half) in [("1.1654e-6", 5e-11), ("2.27", 5e-3), ("8", 0.5), ("0.9e-3", 5e-5)] {
            assert!((half_unit(printed) - half).abs() < 1e-9 * half, "{printed}");
        }
    }

    #[test]
    fn nothing_is_said_to_agree_that_does_not() {
        let text = r#"
            [[cell]]
            id = "a"
            place = "Fig. 1"
            what = "time"
            printed = "1.23"
            basis = "exact"
            [[cell]]
            id = "b"
            place = "Fig. 1"
            what = "time"
            printed = "1.23"
            basis = "exact"
            reason = "misprint"
        "#;
        let of = |a, b| {
            let computed = [("a", a), ("b", b)].map(|(id, value)| Computed { id: id.to_owned(), value });
            compare_cells("test", text, &computed).unwrap().into_iter().map(|c| c.verdict).collect::<Vec<_>>()
        };
        assert_eq!(of(1.2349, 1.2251), [Verdict::Agrees, Verdict::Agrees]);
        assert_eq!(of(1.2351, 1.24), [Verdict::Differs, Verdict::Explained]);
        let computed = [Computed { id: "a".to_owned(), value: 1.0 }];
        assert!(compare_cells("test", text, &computed).is_err());
    }

    /// One cell with these lines.
    fn one(lines: &str, value: f64) -> Result<CellComparison, RunError> {
        let text =
            format!("[[cell]]\nid = \"a\"\nplace = \"Table 1\"\nwhat = \"x\"\nbasis = \"exact\"\n{lines}");
        let computed = [Computed { id: "a".to_owned(), value }];
        compare_cells("test", &text, &computed).map(|mut cells| cells.remove(0))
    }

    #[test]
    fn a_cost_never_agrees_and_is_comparable_within_a_factor_of_two_only() {
        let cost = |printed: &str, value| {
            one(&format!("printed = \"{printed}\"\nkind = \"cost\""), value).unwrap().verdict
        };
        for (printed, value, verdict) in [
            ("6", 3.3, Verdict::Comparable),
            ("6", 6.0, Verdict::Comparable),
            ("6", 2.999, Verdict::Differs),
            ("6", 12.0, Verdict::Comparable),
            ("6", 12.001, Verdict::Differs),
            ("100", -100.0, Verdict::Differs),
            ("0", 0.5, Verdict::Comparable),
            ("0", 0.51, Verdict::Differs),
        ] {
            assert_eq!(cost(printed, value), verdict, "{printed} {value}");
        }
        let reasoned = one("printed = \"6\"\nkind = \"cost\"\nreason = \"another machine\"", 20.0).unwrap();
        assert_eq!((reasoned.verdict, reasoned.reason.as_str()), (Verdict::Explained, "another machine"));
    }

    #[test]
    fn what_was_read_off_a_figure_agrees_with_the_figure_only() {
        let read = "printed = \"0.60\"\nkind = \"figure\"\nwithin = 0.03";
        assert_eq!(one(read, 0.629).unwrap().verdict, Verdict::AgreesWithFigure);
        assert_eq!(one(read, 0.631).unwrap().verdict, Verdict::Differs);
        assert!(one("printed = \"0.60\"\nkind = \"figure\"", 0.6).is_err());
    }

    #[test]
    fn no_tolerance_can_be_widened_beyond_the_printed_digits() {
        assert!(one("printed = \"6\"\nwithin = 2.0", 6.0).is_err());
        assert_eq!(one("printed = \"0\"\nwithin = 1e-16", 0.4).unwrap().verdict, Verdict::Differs);
        assert!(one("printed = \"6\"\nkind = \"cost\"\nwithin = 2.0", 6.0).is_err());
        assert!(one("within = 2.0", 6.0).is_err());
    }

    #[test]
    fn a_number_no_paper_prints_is_as_recomputed_and_does_not_agree() {
        let cell = one("reference = 1.0\ntolerance = 1e-3", 1.0005).unwrap();
        assert_eq!((cell.verdict, cell.kind), (Verdict::AsRecomputed, NumberKind::Recomputed));
        assert_eq!(one("reference = 1.0\ntolerance = 1e-3", 1.002).unwrap().verdict, Verdict::Differs);
        assert_eq!(one("", 1.0).unwrap().verdict, Verdict::Unknown);
    }
}
