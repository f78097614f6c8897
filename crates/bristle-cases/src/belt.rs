//! Stick–slip of a block on a moving belt under Coulomb friction, in closed form.
//!
//! A block of mass `m` hangs on a spring of stiffness `k` and rides on a belt of speed `v`. With `ω² = k/m`, the
//! kinetic friction `F_d` and the static friction `F_s`, let `x_s = F_s/k`, `x_d = F_d/k` and `A = x_s − x_d`.
//!
//! ```text
//! stick:  x = v t until x = x_s; later sticks last T_stick = 2A/v
//! slip:   x = x_d + A cos ωτ + (v/ω) sin ωτ, for T_slip = (2/ω)(π − atan(Aω/v)), down to x = x_d − A
//! ```
//!
//! ```
//! let belt = bristle_cases::belt::BlockOnBelt { mass: 20.0, k: 10.0, v: 0.5, f_d: 98.1, f_s: 117.72 };
//! assert!((belt.first_slip() - 23.544).abs() < 1e-12);
//! assert!((belt.at(50.0).x - 11.730734316882768).abs() < 1e-12);
//! ```

use std::f64::consts::PI;

/// The block, its spring and its belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockOnBelt {
    /// Mass of the block, kg.
    pub mass: f64,
    /// Stiffness of the spring, N/m.
    pub k: f64,
    /// Speed of the belt, m/s, positive.
    pub v: f64,
    /// Kinetic friction, N.
    pub f_d: f64,
    /// Static friction, N, not below the kinetic one.
    pub f_s: f64,
}

/// The block at one instant; it starts at `x = 0` with the speed of the belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ride {
    /// Stretch of the spring, m.
    pub x: f64,
    /// Velocity, m/s.
    pub v: f64,
    /// Friction force along the belt's motion, N.
    pub force: f64,
    /// Energy dissipated since the start, J.
    pub loss: f64,
    /// Whether the block slips.
    pub is_slipping: bool,
}

impl BlockOnBelt {
    /// Angular frequency of the block on its spring.
    pub fn omega(&self) -> f64 {
        (self.k / self.mass).sqrt()
    }

    /// Stretch at which the block breaks away, `x_s`.
    pub fn break_away(&self) -> f64 {
        self.f_s / self.k
    }

    /// Stretch under kinetic friction, `x_d`.
    pub fn centre(&self) -> f64 {
        self.f_d / self.k
    }

    /// Half the stretch lost by a slip, `A`.
    pub fn fall(&self) -> f64 {
        self.break_away() - self.centre()
    }

    /// Stretch at which the block sticks again.
    pub fn restick(&self) -> f64 {
        self.centre() - self.fall()
    }

    /// When the first slip begins.
    pub fn first_slip(&self) -> f64 {
        self.break_away() / self.v
    }

    /// How long each stick after the first slip lasts.
    pub fn stick_time(&self) -> f64 {
        2.0 * self.fall() / self.v
    }

    /// How long each slip lasts.
    pub fn slip_time(&self) -> f64 {
        let omega = self.omega();
        2.0 / omega * (PI - (self.fall() * omega / self.v).atan())
    }

    /// Stick and slip together.
    pub fn period(&self) -> f64 {
        self.stick_time() + self.slip_time()
    }

    /// Amplitude of the slip about the centre.
    fn amplitude(&self) -> f64 {
        self.fall().hypot(self.v / self.omega())
    }

    /// Largest stretch.
    pub fn highest(&self) -> f64 {
        self.centre() + self.amplitude()
    }

    /// Smallest stretch of a slip.
    pub fn lowest(&self) -> f64 {
        self.centre() - self.amplitude()
    }

    /// Energy dissipated by each slip, which is also what the belt puts in per period.
    pub fn loss_per_cycle(&self) -> f64 {
        self.f_d * (self.v * self.slip_time() + 2.0 * self.fall())
    }

    /// The times of all switches up to `end`, first a break-away, then in turn.
    pub fn switches(&self, end: f64) -> Vec<f64> {
        let (slip, stick) = (self.slip_time(), self.stick_time());
        let mut times = Vec::new();
        let mut next = self.first_slip();
        while next <= end && slip + stick > 0.0 {
            times.push(next);
            next += if times.len() % 2 == 1 { slip } else { stick };
        }
        times
    }

    /// The block at time `t`, not before the start.
    pub fn at(&self, t: f64) -> Ride {
        let since = t - self.first_slip();
        if since <= 0.0 {
            let x = self.v * t;
            return Ride { x, v: self.v, force: self.k * x, loss: 0.0, is_slipping: false };
        }
        let cycles = (since / self.period()).floor();
        let phase = since - cycles * self.period();
        let before = cycles * self.loss_per_cycle();
        if phase < self.slip_time() {
            let (x, v) = self.slip(self.break_away(), phase);
            let slid = self.v * phase + self.break_away() - x;
            return Ride { x, v, force: self.f_d, loss: before + self.f_d * slid, is_slipping: true };
        }
        let x = self.restick() + self.v * (phase - self.slip_time());
        let loss = before + self.loss_per_cycle();
        Ride { x, v: self.v, force: self.k * x, loss, is_slipping: false }
    }

    /// Stretch and velocity a time `tau` after a break-away at stretch `from`.
    fn slip(&self, from: f64, tau: f64) -> (f64, f64) {
        let (omega, fall) = (self.omega(), from - self.centre());
        let (sine, cosine) = (omega * tau).sin_cos();
        let x = self.centre() + fall * cosine + self.v / omega * sine;
        (x, self.v * cosine - fall * omega * sine)
    }

    /// The stretch at `0, step, 2 step, …` if switches are noticed at these samples only.
    ///
    /// A program that tests for break-away and standstill once per sample draws this curve; its switches are late
    /// by up to a step, and the delays add up.
    pub fn noticed_on_grid(&self, step: f64, count: usize) -> Vec<f64> {
        let (mut is_slipping, mut t0, mut x0) = (false, 0.0, 0.0);
        let mut curve = Vec::with_capacity(count);
        for j in 0..count {
            let t = j as f64 * step;
            let x = if is_slipping {
                let (x, v) = self.slip(x0, t - t0);
                if v >= self.v && t > t0 + 0.5 * step {
                    (is_slipping, t0, x0) = (false, t, x);
                }
                x
            } else {
                let x = x0 + self.v * (t - t0);
                if self.k * x > self.f_s {
                    (is_slipping, t0, x0) = (true, t, x);
                }
                x
            };
            curve.push(x);
        }
        curve
    }
}

#[cfg(test)]
mod belt_tests {
    use super::*;

    const BELT: BlockOnBelt = BlockOnBelt { mass: 20.0, k: 10.0, v: 0.5, f_d: 98.1, f_s: 117.72 };

    /// Values computed to 20 digits.
    #[test]
    fn times_extremes_and_loss_are_those_of_the_benchmark() {
        for (ours, exact) in [
            (BELT.first_slip(), 23.544),
            (BELT.slip_time(), 5.421_265_683_117_231),
            (BELT.stick_time(), 7.848),
            (BELT.highest(), 11.895_532_066_404_16),
            (BELT.lowest(), 7.724_467_933_595_841),
            (BELT.loss_per_cycle(), 650.857_481_756_900_2),
            (BELT.switches(50.0)[3], 42.234_531_366_234_46),
        ] {
            assert!((ours - exact).abs() < 1e-13 * exact, "{ours} against {exact}");
        }
    }

    /// Position and velocity join at every switch; energy put in by the belt is stored or lost.
    #[test]
    fn the_ride_is_continuous_and_balances_its_energy() {
        for t in BELT.switches(60.0) {
            let (before, after) = (BELT.at(t - 1e-9), BELT.at(t + 1e-9));
            assert!((before.x - after.x).abs() < 1e-8 && (before.v - after.v).abs() < 1e-8, "at {t}");
        }
        let stored = |t: f64| {
            let ride = BELT.at(t);
            0.5 * BELT.mass * ride.v * ride.v + 0.5 * BELT.k * ride.x * ride.x
        };
        // The belt's work is v ∫F dt; Simpson's rule is exact on each stick and constant on each slip.
        let mut ends = vec![0.0];
        ends.extend(BELT.switches(50.0));
        ends.push(50.0);
        let work: f64 = ends
            .windows(2)
            .map(|w| {
                let force = |s: f64| BELT.at(w[0] + 1e-10 + s * (w[1] - w[0] - 2e-10)).force;
                (w[1] - w[0]) / 6.0 * (force(0.0) + 4.0 * force(0.5) + force(1.0)) * BELT.v
            })
            .sum();
        let gap = stored(50.0) - stored(0.0) + BELT.at(50.0).loss - work;
        assert!(gap.abs() < 1e-6, "{gap}");
    }

    #[test]
    fn samples_notice_the_first_slips_late() {
        let curve = BELT.noticed_on_grid(0.01, 5001);
        assert!((curve[2355] - 11.775).abs() < 1e-12);
        let worst = (1..=5000).map(|j| (1.0 - curve[j] / BELT.at(j as f64 * 0.01).x).abs());
        assert!((100.0 * worst.fold(0.0, f64::max) - 0.242_491_146_206).abs() < 1e-9);
    }
}
