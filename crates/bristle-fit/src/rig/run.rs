//! A run of a rig over its samples.

use super::course::{CourseLine, CourseTrack, RigCourse};
use super::implicit::Still;
use super::motion::RigBench;
use super::number::{LANES, Number, Slope};
use super::servo::ServoState;
use super::step::{STATES, States, step};
use super::{Begin, Mount, Rig, RigNumber};
use crate::error::FitError;
use bristle_core::{Mode, Role};
use bristle_law::At;

/// So many steps an interval may take, and so many a run on average; beyond, the numbers belong to another world.
const MOST_STEPS: usize = 4000;
const MEAN_STEPS: usize = 60;

/// States that decay by more than this over an interval follow at once.
const STIFF: f64 = 30.0;

/// So often in a row modes may switch without time passing.
const MOST_SWITCHES: usize = 40;

/// A run on its way.
struct RigRun<'a, S> {
    bench: RigBench<'a, S>,
    y: States<S>,
    mode: Vec<Mode>,
    /// The last step, and the slip rate found last.
    h: f64,
    guess: f64,
    scale: [f64; STATES],
    tolerance: f64,
    budget: usize,
    /// Guards before this are not watched.
    watched: usize,
    elements: usize,
}

impl Rig {
    /// Runs over the samples up to `horizon` and tells what is measured at each that is compared.
    pub(crate) fn run<S: Number>(
        &self,
        numbers: &[S],
        plain: &[f64],
        horizon: f64,
        mut tell: impl FnMut(S),
    ) -> Result<(), FitError> {
        let count = self.law.states();
        let own = numbers.len() - super::RIG_NUMBERS;
        let lifted: Vec<Slope> = plain[..own].iter().map(|&x| Slope::from(x)).collect();
        let law = self.law.build(&numbers[..own], &self.choices);
        let lost = |time: f64| FitError::Lost { time };
        if self.law.build(&plain[..own], &self.choices).fault().is_some() || self.samples.len() < 2 {
            return Err(lost(0.0));
        }
        let track = |course: &RigCourse| CourseTrack::new(course, &self.samples);
        let (pull, force, load) =
            (track(&self.pull), self.force.as_ref().map(track), self.load.as_ref().map(track));
        let elements = law.elements();
        let keeps = law.keeps_direction();
        let holds = self.mount == Mount::Mass && law.limit(&At::sliding(S::zero(), S::one()), &[]).is_some();
        let mut control = self.servo.as_ref().map(|servo| ServoState::new(servo, numbers));
        let mut run = RigRun {
            bench: RigBench {
                plain: self.law.build(&lifted, &self.choices),
                law,
                numbers,
                mount: self.mount,
                count,
                pull: CourseLine::default(),
                jumped: None,
                force: CourseLine::default(),
                load: None,
                held: S::zero(),
                acceleration: None,
                directs: keeps && elements > 0,
                holds,
            },
            y: [S::zero(); STATES],
            mode: vec![Mode::Stick; elements.max(1)],
            h: f64::INFINITY,
            guess: 1e-6,
            scale: [1.0; STATES],
            tolerance: self.tolerance,
            budget: MEAN_STEPS * self.samples.len() + MOST_STEPS,
            watched: usize::from(self.mount == Mount::Prescribed && keeps),
            elements,
        };
        let instant = run.bench.number(RigNumber::Instant);
        for i in 0..self.samples.len() - 1 {
            let (t0, t1) = (self.samples[i], self.samples[i + 1]);
            if t0 > horizon {
                break;
            }
            run.bench.pull = pull.line(i, &self.samples);
            run.bench.force = force.as_ref().map_or(CourseLine::default(), |f| f.line(i, &self.samples));
            run.bench.load = load.as_ref().map(|n| n.line(i, &self.samples));
            if pull.jumps() {
                let is_before = t0 < instant.value();
                let which = if is_before { RigNumber::Before } else { RigNumber::After };
                run.bench.jumped = Some(run.bench.number(which));
            }
            if i == 0 {
                run.begin(self.begin).ok_or(lost(t0))?;
                run.bench.acceleration = self.acceleration.as_ref().map(|a| a[0]);
                if let Some(control) = &mut control {
                    run.bench.held = control.begin(run.y[0], run.y[1]);
                }
                if self.first == 0 {
                    tell(run.shown(self, S::zero()).ok_or(lost(t0))?);
                }
            }
            let whole = S::from(t1 - t0);
            let jump = instant.value() - t0;
            let mut tau = S::zero();
            if pull.jumps() && jump > 0.0 && jump < t1 - t0 {
                tau = run.advance(tau, instant - t0).ok_or(lost(t0))?;
                run.bench.jumped = Some(run.bench.number(RigNumber::After));
                run.h = f64::INFINITY;
            }
            if let Some(later) = control.as_ref().and_then(|c| c.waits(t1 - t0)) {
                tau = run.advance(tau, S::from(later.0)).ok_or(lost(t0))?;
                run.bench.held = later.1;
            }
            run.cross(tau, whole).ok_or(lost(t0))?;
            let k = i + 1;
            if let Some(control) = &mut control {
                run.bench.held = control.look(k, run.y[0], run.bench.held);
            }
            run.bench.acceleration = self.acceleration.as_ref().map(|a| a[k]);
            if k >= self.first && (k - self.first).is_multiple_of(self.thin) && t1 <= horizon {
                tell(run.shown(self, whole).ok_or(lost(t1))?);
            }
            if i.is_multiple_of(256) && bristle_solve::Cancel::check().is_err() {
                return Err(FitError::Stopped);
            }
        }
        Ok(())
    }
}

impl<S: Number> RigRun<'_, S> {
    fn shown(&mut self, rig: &Rig, tau: S) -> Option<S> {
        let now = self.bench.instant(tau, &self.y, &self.mode, &mut self.guess)?;
        Some(self.bench.shown(rig.quantity, tau, &self.y, &now))
    }

    /// States and modes at the start.
    fn begin(&mut self, begin: Begin) -> Option<()> {
        let (first, count) = (self.bench.law_begins(), self.bench.count);
        let zero = S::zero();
        let mut z = [0.0; STATES];
        self.bench.law.initial(&mut z[..count]);
        for i in 0..count {
            self.y[first + i] = S::from(z[i]);
        }
        let n = self.bench.normal(zero);
        let mut scale = [1.0; STATES];
        self.bench.law.scales(n.value(), &mut scale[..count]);
        self.scale[first..first + count].copy_from_slice(&scale[..count]);
        let (place, speed) = (self.bench.number(RigNumber::Place), self.bench.number(RigNumber::Speed));
        let mut v = self.bench.pulled(zero);
        if self.bench.mount == Mount::Mass {
            (self.y[0], self.y[1]) = (place, speed);
            if begin == Begin::Fresh {
                v = speed;
            }
        }
        v -= self.bench.number(RigNumber::Belt);
        self.settle(v.value(), n.value());
        if begin == Begin::Steady && v.value() != 0.0 || self.bench.mount == Mount::Pulled {
            let felt = self.bench.felt(v.value(), n, &self.mode);
            let still =
                Still { law: &self.bench.law, plain: &self.bench.plain, v, n: felt, mode: &self.mode, count };
            let steady = still.steady(&self.y[first..first + count])?;
            self.y[first..first + count].copy_from_slice(&steady[..count]);
            self.settle(v.value(), n.value());
            let mut dz = [S::zero(); LANES];
            let friction = self.bench.rubs(v, n, &steady[..count], &self.mode, &mut dz[..count]);
            self.guess = v.value().abs();
            match self.bench.mount {
                Mount::Prescribed => {}
                Mount::Pulled => self.y[0] = friction,
                Mount::Mass => {
                    self.y[1] = v + self.bench.number(RigNumber::Belt);
                    let pushed = friction - self.bench.force.at;
                    self.y[0] =
                        S::from(self.bench.pull.place) - pushed / self.bench.number(RigNumber::Stiffness);
                }
            }
        }
        match self.bench.mount {
            Mount::Prescribed => {}
            Mount::Pulled => self.scale[0] = self.y[0].value().abs().max(1e-12),
            Mount::Mass => {
                let stiffness = self.bench.law.kind().card().place(Role::BristleStiffness);
                let k = stiffness.map_or(0.0, |i| self.bench.numbers[i].value());
                let k = k + self.bench.number(RigNumber::Stiffness).value();
                self.scale[0] = scale[..count].iter().copied().fold(1e-6, f64::max);
                self.scale[1] =
                    self.scale[0] * (k / self.bench.number(RigNumber::Mass).value()).sqrt().max(1.0);
            }
        }
        Some(())
    }

    /// Modes that belong to a slip rate.
    fn settle(&mut self, v: f64, n: f64) {
        let first = self.bench.law_begins();
        let z = self.plain_states();
        let at = At { v, n, hold: 0.0, mode: &[] };
        if self.elements > 0 {
            self.bench.law.start(&at, &z[first..first + self.bench.count], &mut self.mode);
        } else {
            self.mode[0] = Mode::of(v);
        }
    }

    fn plain_states(&self) -> [f64; STATES] {
        std::array::from_fn(|i| self.y[i].value())
    }

    /// Goes to the end of an interval, and where the prescribed slip rate turns round, through its zero.
    fn cross(&mut self, tau: S, end: S) -> Option<()> {
        if self.bench.mount != Mount::Prescribed {
            self.advance(tau, end)?;
            return Some(());
        }
        let (pull, jumped, belt) = (self.bench.pull, self.bench.jumped, self.bench.number(RigNumber::Belt));
        let slip = |tau: S| jumped.unwrap_or_else(|| tau * pull.slope + pull.at) - belt;
        let (v0, v1) = (slip(tau), slip(end));
        let mut from = tau;
        if v0.value() * v1.value() < 0.0 {
            let turn = tau - v0 / self.bench.pull.slope;
            self.head(slip((tau + turn) * 0.5).value(), tau);
            from = self.advance(tau, turn)?;
        }
        let middle = slip((from + end) * 0.5).value();
        self.head(middle, from);
        self.advance(from, end)?;
        Some(())
    }

    /// Turns the modes to a slip rate of that sign.
    fn head(&mut self, v: f64, tau: S) {
        let way = Mode::of(v);
        if way == Mode::Stick || self.mode[0] == way && self.elements > 0 || self.watched == 0 {
            return;
        }
        let n = self.bench.normal(tau).value();
        if self.elements > 0 && self.mode[0] == way.reversed() {
            self.switch(0, v, n);
        } else {
            self.settle(v, n);
        }
        self.mode[0] = way;
        self.h = f64::INFINITY;
    }

    /// Lets a guard change modes, and states by a constant where the law says so.
    fn switch(&mut self, fired: usize, v: f64, n: f64) {
        let (first, count) = (self.bench.law_begins(), self.bench.count);
        let before = self.plain_states();
        let mut z = before;
        let mode = self.mode.clone();
        let at = At { v, n, hold: 0.0, mode: &mode };
        self.bench.law.switch(fired, &at, &mut z[first..first + count], &mut self.mode);
        for i in first..first + count {
            if z[i] != before[i] {
                self.y[i] += S::from(z[i] - before[i]);
            }
        }
    }

    /// The watched guard that is least, and which it is.
    fn least_guard(&mut self, tau: S, y: &States<S>) -> Option<(usize, S)> {
        if self.elements <= self.watched {
            return None;
        }
        if self.bench.holds {
            return Some((0, self.grip(tau, y)?));
        }
        let first = self.bench.law_begins();
        let v = self.bench.slip_rate(tau, y);
        let n = self.bench.felt(v.value(), self.bench.normal(tau), &self.mode);
        let at = At { v, n, hold: S::zero(), mode: &self.mode };
        let mut guards = [S::one(); STATES];
        self.bench.law.guards(&at, &y[first..first + self.bench.count], &mut guards[..self.elements]);
        let all = (self.watched..self.elements).map(|k| (k, guards[k]));
        all.min_by(|a, b| a.1.value().total_cmp(&b.1.value()))
    }

    /// The guard of a contact that bears any force at rest: what is left to its limit, or the speed at which it slides.
    fn grip(&mut self, tau: S, y: &States<S>) -> Option<S> {
        if self.mode[0] != Mode::Stick {
            return Some(self.bench.slip_rate(tau, y) * self.mode[0].sign());
        }
        let now = self.bench.instant(tau, y, &self.mode, &mut self.guess)?;
        let [ahead, behind] = self.bench.reserve(now.friction, now.load);
        Some(if ahead.value() < behind.value() { ahead } else { behind })
    }

    /// Lets go of a contact that cannot bear what it should, or catches one that comes to rest.
    fn grip_or_slip(&mut self, tau: S) -> Option<()> {
        let was = std::mem::replace(&mut self.mode[0], Mode::Stick);
        let now = self.bench.instant(tau, &self.y, &self.mode, &mut self.guess)?;
        let [ahead, behind] = self.bench.reserve(now.friction, now.load);
        // Located to the last bit, a limit that is reached may not be passed yet.
        if was == Mode::Stick || ahead.value() < 0.0 || behind.value() < 0.0 {
            self.mode[0] = if ahead.value() < behind.value() { Mode::Forward } else { Mode::Backward };
        } else {
            self.y[1] = self.bench.number(RigNumber::Belt);
        }
        Some(())
    }

    /// Lets guard `fired` change what it guards.
    fn fire(&mut self, fired: usize, tau: S) -> Option<()> {
        if self.bench.holds {
            return self.grip_or_slip(tau);
        }
        let (v, n) = (self.bench.slip_rate(tau, &self.y).value(), self.bench.normal(tau).value());
        self.switch(fired, v, n);
        Some(())
    }

    /// Goes from one time of the interval to another, through every switch; gives the time reached.
    fn advance(&mut self, from: S, end: S) -> Option<S> {
        let (mut tau, mut steps, mut switches) = (from, 0, 0);
        if self.bench.mount == Mount::Prescribed && self.bench.count > 0 && self.leap(tau, end)? {
            return Some(end);
        }
        loop {
            let left = end - tau;
            if left.value() <= 1e-14 * end.value().abs().max(1e-9) {
                return Some(end);
            }
            let is_undecided = self.watched == 0 && self.mode[0] == Mode::Stick && !self.bench.holds;
            if is_undecided && self.bench.mount == Mount::Mass {
                let v = self.bench.slip_rate(tau, &self.y).value();
                if v != 0.0 {
                    self.settle(v, self.bench.normal(tau).value());
                }
            }
            if let Some((k, guard)) = self.least_guard(tau, &self.y.clone())
                && guard.value() < 0.0
                && switches < MOST_SWITCHES
            {
                switches += 1;
                self.fire(k, tau)?;
                continue;
            }
            steps += 1;
            self.budget = self.budget.checked_sub(1)?;
            if steps > MOST_STEPS {
                return None;
            }
            let is_last = self.h >= left.value();
            let h = if is_last { left } else { S::from(self.h) };
            let Some((y, error)) = self.try_step(tau, h) else {
                self.h = 0.2 * h.value();
                continue;
            };
            if error > 1.0 {
                self.h = h.value() * (0.9 * error.powf(-0.2)).clamp(0.1, 0.9);
                continue;
            }
            let grown = h.value() * (0.9 * error.max(1e-8).powf(-0.2)).clamp(0.3, 6.0);
            match self.least_guard(tau + h, &y) {
                Some((_, guard)) if guard.value() < 0.0 => {
                    tau = self.land(tau, h.value())?;
                    switches += 1;
                    if switches > MOST_SWITCHES {
                        return None;
                    }
                }
                _ => {
                    self.y = y;
                    tau = if is_last { end } else { tau + h };
                    switches = 0;
                    self.h = if is_last { self.h.min(grown.max(self.h)).max(grown) } else { grown };
                }
            }
        }
    }

    fn try_step(&mut self, tau: S, h: S) -> Option<(States<S>, f64)> {
        let mut guess = self.guess;
        let first = self.bench.instant(tau, &self.y, &self.mode, &mut guess)?.rates;
        let count = self.bench.states();
        let (end, _, error) = step(count, tau, h, &self.y, &first, |at, y| {
            Some(self.bench.instant(at, y, &self.mode, &mut guess)?.rates)
        })?;
        let mut worst = 0.0_f64;
        for i in 0..count {
            let size = self.scale[i].max(end[i].value().abs());
            worst = worst.max(error[i].abs() / (self.tolerance * size));
        }
        if !worst.is_finite() {
            return None;
        }
        self.guess = guess;
        Some((end, worst))
    }

    /// Ends a step on the first guard that falls within it, lets it switch, and gives the time there.
    fn land(&mut self, tau: S, whole: f64) -> Option<S> {
        let (mut low, mut high) = (0.0, whole);
        let mut fall = [f64::NAN; 2];
        for turn in 0..60 {
            // Between halving and a secant: never slower than the one, mostly as fast as the other.
            let secant = low + (high - low) * fall[0] / (fall[0] - fall[1]);
            let is_inside = secant > low && secant < high && turn % 3 != 2;
            let middle = if is_inside { secant } else { 0.5 * (low + high) };
            let (y, _) = self.try_step(tau, S::from(middle))?;
            let (_, guard) = self.least_guard(tau + middle, &y)?;
            let value = guard.value();
            if value <= 0.0 {
                (high, fall[1]) = (middle, value);
            } else {
                (low, fall[0]) = (middle, value);
            }
            if high - low <= 1e-14 * whole || value == 0.0 {
                break;
            }
        }
        let h = S::movable(high);
        let (mut y, _) = self.try_step(tau, h)?;
        let mut at = tau + h;
        let (fired, guard) = self.least_guard(at, &y)?;
        S::onto(guard, &mut y, &mut at);
        self.y = y;
        self.fire(fired, at)?;
        Some(at)
    }

    /// Where states follow at once goes to the end in one implicit step; says whether it did.
    fn leap(&mut self, from: S, end: S) -> Option<bool> {
        let count = self.bench.count;
        let h = (end - from).value();
        if h <= 0.0 {
            return Some(false);
        }
        let (v, n) = (self.bench.slip_rate(end, &self.y), self.bench.normal(end));
        let n = self.bench.felt(v.value(), n, &self.mode);
        let still = Still { law: &self.bench.law, plain: &self.bench.plain, v, n, mode: &self.mode, count };
        let z: [f64; LANES] = std::array::from_fn(|i| if i < count { self.y[i].value() } else { 0.0 });
        let (_, jacobian) = still.jacobian(&z);
        let fastest = (0..count).map(|i| -jacobian[(i, i)]).fold(0.0, f64::max);
        if fastest * h < STIFF {
            return Some(false);
        }
        let next = still.step(&self.y[..count], h)?;
        self.y[..count].copy_from_slice(&next[..count]);
        for _ in 0..self.elements {
            match self.least_guard(end, &self.y.clone()) {
                Some((k, guard)) if guard.value() < 0.0 => self.switch(k, v.value(), n.value()),
                _ => break,
            }
        }
        Some(true)
    }
}
