//! A block on a moving belt sticks, breaks away and rings.
//!
//! While stuck the spring loads until `k q = F_s`; it then slides under `F_d`, so with `A = (F_s − F_d)/k` the
//! slip lasts `(2/ω)(π − atan(Aω/v))` and the stretch swings between `F_d/k ± √(A² + (v/ω)²)`.

use crate::mechanisms::{belt, law, run};
use bristle_law::LawKind;
use bristle_solve::{Dynamics, Output, Point};

#[test]
fn stick_slip_under_coulomb_friction_follows_the_closed_form() {
    let system = belt(law(LawKind::Coulomb, &[("mu_d", 98.1), ("mu_s", 117.72)]));
    let run = run(&system, 1e-10, 60.0, &Output::Grid { step: 0.01 });
    let times: Vec<f64> = run.events.iter().map(|e| e.t).collect();
    println!("{times:?} {:?}", run.statistics);
    let (slip, stick) = (5.421_265_683_117_231, 7.848);
    let mut expected = vec![23.544];
    for i in 0.. {
        let next = expected[i] + if i % 2 == 0 { slip } else { stick };
        if next > 60.0 {
            break;
        }
        expected.push(next);
    }
    assert_eq!(times.len(), expected.len(), "{times:?} against {expected:?}");
    for (found, expected) in times.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-9 * expected, "{found} against {expected}");
    }
    let extreme = run.samples.column(0).fold(f64::NEG_INFINITY, f64::max);
    assert!((extreme - 11.8955320664042).abs() < 1e-4, "{extreme}");
}

#[test]
fn the_energy_balance_closes_under_every_law() {
    for kind in LawKind::ALL {
        let card = kind.card();
        let levels = [
            ("mu_d", 98.1),
            ("mu_s", 117.72),
            ("mu", 98.1),
            ("mu_0", 98.1),
            ("mu_1", 19.62),
            ("sigma0", 98100.0),
            ("sigma1", 780.0),
            ("v_s", 0.01),
            ("v_d", 0.05),
            ("z_ba", 1e-4),
            ("d_max", 1e-4),
            ("v_t", 0.05),
            ("tau_dw", 0.1),
            ("gamma", 1.0),
            ("band", 0.01),
            ("gamma1", 19.62),
            ("gamma4", 98.1),
            ("v_1", 0.01),
            ("v_r", 0.01),
            ("mu_2", 60.0),
            ("slip", 1e-3),
            ("attraction", 1e4),
            ("mu_ref", 98.1),
            ("direct", 6.5),
            ("evolution", 9.8),
        ];
        let system = belt(law(*kind, &levels));
        let p = system.params().to_vec();
        let begun = std::time::Instant::now();
        let run = run(&system, 1e-9, 50.0, &Output::Ends);
        let energies =
            |x: &[f64], mode: &[bristle_core::Mode], t| system.energies(&Point { t, x, p: &p, mode });
        let first = energies(run.samples.row(0), run.samples.modes(0), 0.0);
        let last = energies(&run.end.x, &run.end.mode, 50.0);
        let [kinetic, potential, input, loss] = std::array::from_fn(|i| last[i] - first[i]);
        let gap = kinetic + potential - input + loss;
        let turnover = input.abs().max(loss.abs());
        println!(
            "{:16} gap {:9.2e} of {turnover:.1} J, x(50) {:.9}, {:?} {:?}",
            card.name,
            gap / turnover,
            run.end.x[0],
            run.statistics,
            begun.elapsed()
        );
        assert!(gap.abs() <= 1e-8 * turnover, "{}: {gap:e} of {turnover}", card.name);
    }
}
