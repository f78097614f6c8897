//! The equations of a rig at one instant.

use super::course::CourseLine;
use super::number::{LANES, Number, Slope};
use super::step::{STATES, States};
use super::{Mount, RIG_NUMBERS, RigNumber, RigQuantity};
use bristle_core::{Mode, seed};
use bristle_law::{AnyLaw, At};

/// A rig in numbers of one kind, over one interval.
pub(crate) struct RigBench<'a, S> {
    pub law: AnyLaw<S>,
    /// The same law without derivatives by the unknowns, to differentiate by its states and its slip rate.
    pub plain: AnyLaw<Slope>,
    pub numbers: &'a [S],
    pub mount: Mount,
    /// How many states the law has.
    pub count: usize,
    pub pull: CourseLine,
    /// The velocity of the far end where it is not a line: before or after its jump.
    pub jumped: Option<S>,
    pub force: CourseLine,
    pub load: Option<CourseLine>,
    /// The force of a controller, between two looks.
    pub held: S,
    /// What is known of the acceleration at the end of the interval, if it is.
    pub acceleration: Option<f64>,
    /// Whether element 0 of the law is the direction of sliding.
    pub directs: bool,
    /// Whether the law bears any force at rest up to its limit, under a mass.
    pub holds: bool,
}

/// What there is at one instant.
pub(crate) struct RigInstant<S> {
    pub slip_rate: S,
    pub load: S,
    pub friction: S,
    pub spring: S,
    pub rates: States<S>,
}

impl<S: Number> RigBench<'_, S> {
    pub(crate) fn number(&self, number: RigNumber) -> S {
        self.numbers[self.numbers.len() - RIG_NUMBERS + number as usize]
    }

    /// Where the states of the law begin.
    pub(crate) fn law_begins(&self) -> usize {
        match self.mount {
            Mount::Prescribed => 0,
            Mount::Pulled => 1,
            Mount::Mass => 2,
        }
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.law_begins() + self.count
    }

    pub(crate) fn normal(&self, tau: S) -> S {
        let load = match &self.load {
            Some(line) => (tau * line.slope + line.at).max(S::zero()),
            None => self.number(RigNumber::Load),
        };
        load * self.number(RigNumber::Scale)
    }

    /// The velocity that is prescribed.
    pub(crate) fn pulled(&self, tau: S) -> S {
        self.jumped.unwrap_or_else(|| tau * self.pull.slope + self.pull.at)
    }

    /// The slip rate, where it is a state or prescribed.
    pub(crate) fn slip_rate(&self, tau: S, y: &States<S>) -> S {
        match self.mount {
            Mount::Prescribed => self.pulled(tau) - self.number(RigNumber::Belt),
            _ => y[1] - self.number(RigNumber::Belt),
        }
    }

    /// Whether it slides backwards, by its mode where that is the direction of sliding.
    fn is_backward(&self, v: f64, mode: &[Mode]) -> bool {
        match mode.first() {
            Some(Mode::Forward) if self.directs => false,
            Some(Mode::Backward) if self.directs => true,
            _ => v < 0.0,
        }
    }

    /// The load as the law feels it in the direction of sliding.
    pub(crate) fn felt(&self, v: f64, n: S, mode: &[Mode]) -> S {
        if self.is_backward(v, mode) { n * self.number(RigNumber::Backward) } else { n }
    }

    /// The force beside that of the law: viscous friction by direction, and an offset.
    fn beside(&self, v: S, mode: &[Mode]) -> S {
        let is_backward = self.is_backward(v.value(), mode);
        let drag = if is_backward { RigNumber::ViscousBackward } else { RigNumber::Viscous };
        self.number(drag) * v + self.number(RigNumber::Offset)
    }

    /// The force of the contact, and the rates of the states of its law.
    pub(crate) fn rubs(&self, v: S, n: S, z: &[S], mode: &[Mode], rates: &mut [S]) -> S {
        let at = At { v, n: self.felt(v.value(), n, mode), hold: S::zero(), mode };
        self.law.eval(&at, z, rates) + self.beside(v, mode)
    }

    /// How far what is borne at rest is from the limits, forwards and backwards.
    pub(crate) fn reserve(&self, bears: S, n: S) -> [S; 2] {
        let own = bears - self.number(RigNumber::Offset);
        let limit = |n: S| self.law.limit(&At::sliding(S::zero(), n), &[]).unwrap_or_else(S::zero);
        [limit(n) - own, limit(n * self.number(RigNumber::Backward)) + own]
    }

    /// All forces and rates. `guess` is a slip rate to begin with where it has to be found.
    pub(crate) fn instant(
        &self,
        tau: S,
        y: &States<S>,
        mode: &[Mode],
        guess: &mut f64,
    ) -> Option<RigInstant<S>> {
        let begin = self.law_begins();
        let (z, n) = (&y[begin..begin + self.count], self.normal(tau));
        let mut rates = [S::zero(); STATES];
        let v = match self.mount {
            Mount::Pulled => self.sliding_under(y[0], n, z, mode, guess)?,
            _ => self.slip_rate(tau, y),
        };
        let mut friction = self.rubs(v, n, z, mode, &mut rates[begin..begin + self.count]);
        let mut spring = S::zero();
        match self.mount {
            Mount::Prescribed => {}
            Mount::Pulled => {
                spring = y[0];
                rates[0] = self.number(RigNumber::Stiffness) * (self.pulled(tau) - v);
            }
            Mount::Mass => {
                let pulled = self.pulled(tau);
                let place = tau * tau * (self.pull.slope / 2.0) + tau * self.pull.at + self.pull.place;
                spring = self.number(RigNumber::Stiffness) * (place - y[0])
                    + self.number(RigNumber::Damping) * (pulled - y[1]);
                let pushed = tau * self.force.slope + self.force.at + self.held;
                if self.holds && mode[0] == Mode::Stick {
                    friction = spring + pushed;
                }
                rates[0] = y[1];
                rates[1] = (spring + pushed - friction) / self.number(RigNumber::Mass);
            }
        }
        Some(RigInstant { slip_rate: v, load: n, friction, spring, rates })
    }

    /// How fast a force makes the contact slide: Newton's method in the logarithm of the rate, along which a direct effect is straight.
    fn sliding_under(&self, force: S, n: S, z: &[S], mode: &[Mode], guess: &mut f64) -> Option<S> {
        let lifted: [Slope; LANES] =
            std::array::from_fn(
                |i| if i < self.count { Slope::from(z[i].value()) } else { Slope::from(0.0) },
            );
        let (target, mut v) = (force.value(), guess.abs().max(1e-30));
        let drag = self.number(RigNumber::Viscous).value();
        let offset = self.number(RigNumber::Offset).value();
        let mut slope = 0.0;
        for _ in 0..60 {
            let at = At { v: seed(v, 0), n: Slope::from(n.value()), hold: Slope::from(0.0), mode };
            let mut dz = [Slope::from(0.0); LANES];
            let found = self.plain.eval(&at, &lifted[..self.count], &mut dz[..self.count]);
            slope = found.eps[0] + drag;
            let by = (target - found.re - drag * v - offset) / (slope * v);
            if !by.is_finite() {
                return None;
            }
            v *= by.clamp(-5.0, 5.0).exp();
            if by.abs() < 1e-13 {
                break;
            }
        }
        if !(1e-40..1e10).contains(&v) {
            return None;
        }
        *guess = v;
        let mut dz = [S::zero(); LANES];
        let found = self.rubs(S::from(v), n, z, mode, &mut dz[..self.count]);
        Some(S::from(v) + (force - found) / slope)
    }

    /// What an instrument sees.
    pub(crate) fn shown(&self, quantity: RigQuantity, tau: S, y: &States<S>, now: &RigInstant<S>) -> S {
        match quantity {
            RigQuantity::Friction => {
                now.friction + self.number(RigNumber::Inertia) * self.acceleration.unwrap_or(self.pull.slope)
            }
            RigQuantity::Servo => self.held,
            RigQuantity::Coefficient => now.friction / now.load,
            RigQuantity::Spring => now.spring,
            RigQuantity::Position => y[0],
            RigQuantity::Velocity if self.mount == Mount::Mass => y[1],
            RigQuantity::Velocity => self.pulled(tau),
            RigQuantity::SlipRate => now.slip_rate,
        }
    }
}
