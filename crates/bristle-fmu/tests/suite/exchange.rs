//! Model Exchange: an importer with a Runge–Kutta method of its own, which locates events by halving its steps.

use crate::host::*;

struct Importer {
    host: Host,
    x: Vec<f64>,
    t: f64,
    indicators: usize,
}

impl Importer {
    fn new(text: &str) -> Importer {
        let host = Host::new(text, MODEL_EXCHANGE);
        host.begin();
        host.event();
        let model = model(text);
        let indicators = bristle_fmu::instance::indicator_count(&model);
        let mut x = vec![0.0; bristle_fmu::model::FmuModel::state(&model).x.len()];
        host.fill("fmi2GetContinuousStates", &mut x);
        Importer { host, x, t: 0.0, indicators }
    }

    fn rates(&self, t: f64, x: &[f64]) -> Vec<f64> {
        self.host.set_time(t);
        self.host.set_states(x);
        let mut rates = vec![0.0; x.len()];
        self.host.fill("fmi2GetDerivatives", &mut rates);
        rates
    }

    /// The states after a classical Runge–Kutta step, and whether an indicator has changed its sign over it.
    fn tried(&self, h: f64) -> (Vec<f64>, bool) {
        let moved =
            |k: &[f64], h: f64| -> Vec<f64> { self.x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
        let before = self.indicators(self.t, &self.x);
        let a = self.rates(self.t, &self.x);
        let b = self.rates(self.t + h / 2.0, &moved(&a, h / 2.0));
        let c = self.rates(self.t + h / 2.0, &moved(&b, h / 2.0));
        let d = self.rates(self.t + h, &moved(&c, h));
        let mean: Vec<f64> = (0..a.len()).map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0).collect();
        let x = moved(&mean, h);
        let after = self.indicators(self.t + h, &x);
        let crossed = before.iter().zip(&after).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        (x, crossed)
    }

    fn indicators(&self, t: f64, x: &[f64]) -> Vec<f64> {
        self.host.set_time(t);
        self.host.set_states(x);
        let mut out = vec![0.0; self.indicators];
        self.host.fill("fmi2GetEventIndicators", &mut out);
        out
    }

    fn advance(&mut self, end: f64, h: f64) {
        while end - self.t > 1e-12 {
            let mut step = h.min(end - self.t);
            let (mut x, crossed) = self.tried(step);
            if crossed {
                let (mut low, mut high) = (0.0, step);
                while high - low > 1e-13 {
                    let middle = 0.5 * (low + high);
                    if self.tried(middle).1 { high = middle } else { low = middle }
                }
                step = high;
                x = self.tried(step).0;
            }
            self.t += step;
            self.host.set_time(self.t);
            self.host.set_states(&x);
            self.x = x;
            if self.host.completed() || crossed {
                self.host.event();
                self.host.fill("fmi2GetContinuousStates", &mut self.x);
            }
        }
        self.host.set_time(self.t);
        self.host.set_states(&self.x);
    }
}

/// The speed of a drive over time.
type Speed = fn(f64) -> f64;

/// Stick–slip of the belt, with a jump of its speed: the motion is that of the scenario.
#[test]
fn an_importer_integrates_stick_and_slip() {
    let mut importer = Importer::new(BELT);
    let mut run = scenario(BELT).live().unwrap();
    run.settle().unwrap();
    let (q, mode) = (reference(BELT, "block.q"), reference(BELT, "pad.mode"));
    let velocity = reference(BELT, "inputs.belt.velocity");
    let mut modes = std::collections::BTreeSet::new();
    for k in 1..=40 {
        let t = 0.5 * f64::from(k);
        importer.advance(t, 0.01);
        run.advance(t).unwrap();
        let expected = run.output("block.q").unwrap();
        let found = importer.host.get(q);
        assert!((found - expected).abs() < 1e-6, "at {t} s: {found} {expected}");
        assert_eq!(importer.host.get(mode), run.output("pad.mode").unwrap(), "at {t} s");
        modes.insert(importer.host.get(mode) as i32);
        if k == 30 {
            importer.host.set(velocity, -0.2);
            importer.host.event();
            importer.host.fill("fmi2GetContinuousStates", &mut importer.x);
            run.set_input("belt.velocity", -0.2).unwrap();
        }
    }
    assert!(modes.len() >= 2, "{modes:?}");
}

/// The speed of the belt jumps, rises and falls little by little, and turns round, under a block that sticks to it for a while: both
/// kinds of FMU follow, with the same values over each step. Nothing but the end of a step tells of what was set.
#[test]
fn a_speed_that_varies_carries_what_sticks_to_it() {
    let speeds: [(&str, Speed); 3] = [
        ("step", |t| if t < 1.0 { 0.1 } else { 0.3 }),
        ("ramp", |t| 0.1 + 0.2 * t.min(2.0)),
        ("reversal", |t| 0.1 - 0.15 * t.clamp(0.5, 2.5)),
    ];
    let q = reference(BELT, "block.q");
    let velocity = reference(BELT, "inputs.belt.velocity");
    for (name, speed) in speeds {
        let mut importer = Importer::new(BELT);
        let mut run = scenario(BELT).live().unwrap();
        run.settle().unwrap();
        for k in 0..300 {
            let (from, to) = (0.01 * f64::from(k), 0.01 * f64::from(k + 1));
            importer.host.set(velocity, speed(from));
            if importer.host.completed() {
                importer.host.event();
                importer.host.fill("fmi2GetContinuousStates", &mut importer.x);
            }
            importer.advance(to, 0.01);
            run.set_input("belt.velocity", speed(from)).unwrap();
            run.advance(to).unwrap();
            let (found, expected) = (importer.host.get(q), run.output("block.q").unwrap());
            assert!((found - expected).abs() < 1e-5, "{name} at {to} s: {found} {expected}");
        }
    }
}
