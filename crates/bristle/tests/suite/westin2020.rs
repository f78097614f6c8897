//! The capstan and the pulley, run again: nothing may differ without a reason.

use bristle::CaseKind;
use bristle::cases::CaseOutcome;
use bristle_record::Verdict;
use std::sync::OnceLock;

fn outcome() -> &'static CaseOutcome {
    static OUTCOME: OnceLock<CaseOutcome> = OnceLock::new();
    OUTCOME.get_or_init(|| CaseKind::Westin2020.reproduce(&mut ()).unwrap())
}

#[test]
fn every_number_agrees_with_the_recomputation() {
    for cell in &outcome().cells {
        assert_ne!(
            cell.agrees_with_reference,
            Some(false),
            "{}: {} against {:?}",
            cell.id,
            cell.computed,
            cell.reference
        );
        assert_ne!(
            cell.verdict,
            Verdict::Differs,
            "{}: {} against {}",
            cell.id,
            cell.computed,
            cell.published
        );
    }
}

/// Six ratios at 4.5 m, six at 2 m, six without weight, to 1e-5; the paper's within 0.035.
#[test]
fn the_capstan_column() {
    let of = |prefix: &str| outcome().cells.iter().filter(|c| c.id.starts_with(prefix)).collect::<Vec<_>>();
    for prefix in ["table2.ratio.", "ratio.L2.", "ratio.massless."] {
        let cells = of(prefix);
        assert_eq!(cells.len(), 6, "{prefix}");
        for cell in cells {
            let reference = cell.reference.unwrap();
            assert!((cell.computed - reference).abs() < 1e-5 * reference, "{}: {}", cell.id, cell.computed);
            if let Ok(printed) = cell.published.parse::<f64>() {
                assert!((cell.computed - printed).abs() < 0.035, "{}: {}", cell.id, cell.computed);
            }
        }
    }
}

/// A load above the level creeps at the speed of the closed form, within one per cent.
#[test]
fn creep_in_motion_is_creep_in_closed_form() {
    let value = |id: &str| outcome().cells.iter().find(|c| c.id == id).unwrap().computed;
    for law in ["cdq_0.9", "cdq_0.5"] {
        for load in ["x1.01", "x1.02"] {
            let (simulated, closed) =
                (value(&format!("hold.{law}.{load}")), value(&format!("creep.{law}.{load}")));
            assert!((simulated / closed - 1.0).abs() < 0.01, "{law} {load}: {simulated} against {closed}");
        }
    }
}

#[test]
fn the_figures_of_the_paper_are_there() {
    let figures: Vec<String> = outcome().record.figures().iter().map(|f| f.id().to_owned()).collect();
    for id in ["westin-fig1", "westin-fig2", "westin-fig5", "westin-fig6", "westin-creep", "westin-pulley"] {
        assert!(figures.iter().any(|f| f == id), "{figures:?}");
    }
}
