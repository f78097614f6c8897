use crate::law::{At, Law};
use bristle_core::{Card, Choice, Mode, Scalar};

/// So close to the edge of the band, relative to its width, a slip rate lies on it.
const EDGE: f64 = 1e-9;

/// Karnopp's dead band: a sliding contact locks once it is slow enough.
///
/// ```text
/// F = s μ_d n    sliding in direction s
/// |F| ≤ μ_s n    locked
/// locks where |v| falls to the band, once |v| has left the band since the last break-away
/// ```
///
/// Stick-slip without chatter for codes that cannot land on `v = 0` exactly; the error is of second order in the
/// band when the slip rate is reset on locking. With `lock_in = "coast"` the locked contact keeps its residual
/// slip rate, as published comparisons seem to have done. With `break_away = "literal"` the force stays at the
/// static level until the band is left. At a point of a cable on a drum `reset` does not jump: it slows the locked point
/// down within the band.
#[derive(Clone, Copy, Debug, Card)]
#[card(
    name = "karnopp",
    cite = "karnopp1985",
    cite = "pennestri2016",
    tags("static", "set-valued", "hybrid", "holds-load")
)]
pub struct Karnopp<S> {
    /// Kinetic friction coefficient.
    #[param(symbol = "μ_d", role = KineticFriction, unit = "1", default = 0.3, min = 0.0, max = 10.0, force = "F_d")]
    pub mu_d: S,
    /// Static friction coefficient.
    #[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]
    pub mu_s: S,
    /// Half width of the dead band.
    #[param(symbol = "Δv", role = RestVelocity, unit = "m/s", default = 1e-3, min = 0.0, max = 1e3)]
    pub band: S,
    /// Whether locking sets the slip rate to zero or lets the contact coast.
    #[choice("reset", "coast")]
    pub lock_in: Choice,
    /// Whether the force falls to the kinetic level at break-away or when the band is left.
    #[choice("kinetic", "literal")]
    pub break_away: Choice,
}

impl<S: Scalar> Karnopp<S> {
    /// Element 1 is `Forward` once the slip rate has left the band since the last break-away.
    fn is_armed(at: &At<S>) -> bool {
        at.mode.get(1) != Some(&Mode::Stick)
    }
}

impl<S: Scalar> Law<S> for Karnopp<S> {
    #[inline]
    fn eval(&self, at: &At<S>, _z: &[S], _dz: &mut [S]) -> S {
        let mu = if self.break_away == Choice(1) && !Self::is_armed(at) { self.mu_s } else { self.mu_d };
        mu * at.load() * at.direction()
    }

    #[inline]
    fn limit(&self, at: &At<S>, _z: &[S]) -> Option<S> {
        Some(self.mu_s * at.load())
    }

    fn lock_speed(&self, at: &At<S>) -> S {
        if Self::is_armed(at) { self.band } else { S::zero() }
    }

    fn coasts(&self) -> bool {
        self.lock_in == Choice(1)
    }

    fn elements(&self) -> usize {
        2
    }

    fn guards(&self, at: &At<S>, _z: &[S], g: &mut [S]) {
        g[0] = at.speed() - self.lock_speed(at);
        // A locked contact may coast exactly on the edge of the band; only a sliding one can leave it.
        let waits = at.mode.first() != Some(&Mode::Stick) && !Self::is_armed(at);
        g[1] = if waits { self.band - at.speed() } else { S::one() };
    }

    fn switch(&self, fired: usize, _at: &At<f64>, _z: &mut [f64], mode: &mut [Mode]) {
        mode[fired] = if fired == 1 { Mode::Forward } else { mode[0].reversed() };
    }

    fn start(&self, at: &At<f64>, _z: &[f64], mode: &mut [Mode]) {
        mode[0] = Mode::of(at.v);
        mode[1] = if at.v.abs() > self.band.value() { Mode::Forward } else { Mode::Stick };
    }

    /// A contact that coasts on the edge of the band has left it as soon as it slides; the edge itself is only known to
    /// rounding.
    fn on_breakaway(&self, at: &At<f64>, mode: &mut [Mode]) {
        let band = self.band.value();
        if self.break_away == Choice(1) && self.coasts() && at.v.abs() >= band * (1.0 - EDGE) {
            mode[1] = Mode::Forward;
        }
    }

    fn fault(&self) -> Option<&'static str> {
        (self.mu_s.value() < self.mu_d.value()).then_some("the static level lies below the kinetic one")
    }
}

#[cfg(test)]
mod karnopp_tests {
    use super::*;

    const LAW: Karnopp<f64> =
        Karnopp { mu_d: 0.3, mu_s: 0.4, band: 0.01, lock_in: Choice(0), break_away: Choice(1) };

    #[test]
    fn the_band_locks_only_after_it_has_been_left() {
        let mut mode = [Mode::Forward, Mode::Stick];
        let at = At { mode: &mode, ..At::sliding(0.005, 10.0) };
        assert_eq!(LAW.lock_speed(&at), 0.0);
        let mut g = [0.0; 2];
        LAW.guards(&at, &[], &mut g);
        assert_eq!(g, [0.005, 0.005]);
        LAW.switch(1, &At::sliding(0.01, 10.0), &mut [], &mut mode);
        let at = At { mode: &mode, ..At::sliding(0.02, 10.0) };
        assert_eq!(LAW.lock_speed(&at), 0.01);
        LAW.guards(&at, &[], &mut g);
        assert_eq!(g, [0.01, 1.0]);
    }

    #[test]
    fn read_literally_the_static_level_lasts_until_the_band_is_left() {
        let force = |mode: &[Mode]| LAW.eval(&At { mode, ..At::sliding(0.005, 10.0) }, &[], &mut []);
        assert_eq!(force(&[Mode::Forward, Mode::Stick]), 4.0);
        assert_eq!(force(&[Mode::Forward, Mode::Forward]), 3.0);
        assert_eq!(force(&[]), 3.0);
    }

    #[test]
    fn read_literally_a_contact_on_the_edge_of_the_band_leaves_it_as_it_breaks_away() {
        let law = Karnopp { lock_in: Choice(1), ..LAW };
        let armed = |v: f64| {
            let mut mode = [Mode::Backward, Mode::Stick];
            law.on_breakaway(&At::sliding(v, 10.0), &mut mode);
            mode[1] == Mode::Forward
        };
        assert!(armed(-0.01 + 1e-15));
        assert!(!armed(-0.009));
    }
}
