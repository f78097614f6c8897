use bristle_solve::problems::*;
use bristle_solve::*;

const OURS: [Method; 5] = [Method::Auto, Method::Rodas5p, Method::Rodas4, Method::Dopri5, Method::Dop853];

#[test]
fn harmonic() {
    for method in OURS {
        for tol in [1e-4, 1e-6, 1e-8, 1e-10] {
            let s = Solver { method, ..Solver::with_tolerance(tol) };
            let d = Harmonic;
            let r = s.run(&d, d.params(), d.initial(), 10.0, &Output::Ends, &mut ()).unwrap();
            let e = d.exact(10.0);
            println!(
                "{method:?} {tol:e} {:.2e} {:.2e} w {:.2e} {:?}",
                r.end.x[0] - e[0],
                r.end.x[1] - e[1],
                r.end.x[2] - d.exact_work(10.0),
                r.statistics
            );
        }
    }
}

#[test]
fn coulomb() {
    let d = CoulombBelt;
    for method in OURS {
        let s = Solver { method, ..Solver::with_tolerance(1e-10) };
        let r = s.run(&d, d.params(), d.initial(), 50.0, &Output::Ends, &mut ()).unwrap();
        let times = d.switch_times(4);
        for (e, t) in r.events.iter().zip(&times) {
            println!("{method:?} {} {:.2e} {:?}", e.t, e.t - t, e.after.mode);
        }
        println!("{:.3e} {:?}", r.end.x[0] - 11.730734316882768974, r.statistics);
    }
}

#[test]
fn others() {
    for method in OURS {
        for tol in [1e-4, 1e-6, 1e-8, 1e-10] {
            let s = Solver { method, max_steps: 300_000, ..Solver::with_tolerance(tol) };
            let go = |name: &str, r: Result<Trajectory, SolveError>| match r {
                Ok(r) => println!("{name} {method:?} {tol:e} x0={:.12e} {:?}", r.end.x[0], r.statistics),
                Err(e) => println!("{name} {method:?} {tol:e} {e}"),
            };
            let d = DwellBelt::new(0.1);
            go("dwell", s.run(&d, d.params(), d.initial(), 10.0, &Output::Ends, &mut ()));
            let d = TestBench::new(Load::Hold);
            go("hold", s.run(&d, d.params(), d.initial(), 300.0, &Output::Ends, &mut ()));
            let d = TestBench::new(Load::Pulse { rise: 0.001 });
            go("pulse", s.run(&d, d.params(), d.initial(), 0.1, &Output::Ends, &mut ()));
            let d = Rabinowicz;
            go("rabin", s.run(&d, d.params(), d.initial(), 50.0, &Output::Ends, &mut ()));
            let d = Robertson;
            go("robertson", s.run(&d, d.params(), d.initial(), 40.0, &Output::Ends, &mut ()));
            let d = VanDerPol::new(1e-6);
            go("vdp", s.run(&d, d.params(), d.initial(), 2.0, &Output::Ends, &mut ()));
        }
    }
}
