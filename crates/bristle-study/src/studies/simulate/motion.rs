//! What the motion of a contact shows: speeds early and late, reversals, net displacement, load against limit.

/// Slower than this share of the fastest slip rate counts as stick between slips; bristles ring on while a contact sticks.
pub(super) const REST: f64 = 0.02;

/// A slip begins above this share.
const SLIP: f64 = 0.1;

/// Speeds below this share of the largest late one do not count as a reversal.
const RIPPLE: f64 = 1e-3;

/// So sharply, by the width of a swing, turning points are known from the motion itself.
const SHARP: f64 = 1e-6;

/// Where a motion turns back.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    t: f64,
    slip: f64,
    /// How far from the nearest sample it was guessed, m.
    doubt: f64,
}

/// A contact over a whole run.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactRun<'a> {
    /// Times, s.
    pub t: &'a [f64],
    /// Slip rate, m/s.
    pub v: &'a [f64],
    /// Slip, m.
    pub slip: &'a [f64],
    /// Friction force, N.
    pub force: &'a [f64],
    /// Largest force borne at rest, N; empty where it is not known.
    pub limit: &'a [f64],
    /// Whether it sticks, by its mode; empty for a law that is not set-valued.
    pub sticks: &'a [bool],
    /// Deflection at which the law's spring bears its limit, m; zero for a law without.
    pub elastic: f64,
}

/// What a part of a run shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MotionPart {
    /// Largest slip rate, m/s.
    pub fastest: f64,
    /// Slip rate at the beginning and at the end, m/s.
    pub ends: [f64; 2],
    /// Least and largest slip rate, m/s.
    pub rates: [f64; 2],
    /// Length of the part, s.
    pub time: f64,
    /// How far it moved on the whole, m.
    pub net: f64,
    /// How far apart the outermost slips lie, m.
    pub range: f64,
    /// Mean of the friction force, N.
    pub force: f64,
    /// Largest share of the limit that is used; not a number where the limit is not known.
    pub used: f64,
    /// The share used at the beginning and at the end.
    pub used_ends: [f64; 2],
    /// Whether it sticks all along, by its mode.
    pub sticks: bool,
}

/// What a whole run shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RunMotion {
    /// The whole run.
    pub whole: MotionPart,
    /// Its third quarter.
    pub before: MotionPart,
    /// Its last quarter, which speaks for what goes on for ever.
    pub late: MotionPart,
    /// Its last tenth, which says whether it is at rest.
    pub end: MotionPart,
    /// Share of the time spent at rest.
    pub rest: f64,
    /// The same for the second half.
    pub late_rest: f64,
    /// How often it went from rest to slip.
    pub slips: usize,
    /// The same, seen by the slip rates of the second half, where modes tell rest; zero where it slipped then less than twice.
    pub slow_slips: usize,
    /// How often the slip rate turned back during the second half.
    pub ripples: usize,
    /// How often the direction changed during the last quarter, or the second half where it did so less than three times.
    pub reversals: usize,
    /// Displacement per swing meanwhile: from one turning point to the next but one, m.
    pub per_swing: f64,
    /// Its speed: the same over the time, m/s.
    pub drift: f64,
    /// When it last moved, s; the end where it still does.
    pub since: f64,
    /// Deflection at which the law's spring bears its limit, m.
    pub elastic: f64,
}

impl ContactRun<'_> {
    fn len(&self) -> usize {
        self.t.len().min(self.v.len()).min(self.slip.len())
    }

    /// The last sample at or before a time.
    fn at(&self, time: f64) -> usize {
        self.t[..self.len()].partition_point(|t| *t <= time).saturating_sub(1)
    }

    /// Whether a row is one of the two sides of a switch.
    fn is_switch(&self, i: usize) -> bool {
        self.t.get(i + 1) == Some(&self.t[i]) || i > 0 && self.t[i - 1] == self.t[i]
    }

    /// Speed between two samples: a whole slip may lie there.
    fn speed(&self, i: usize) -> f64 {
        let mean = (self.slip[i] - self.slip[i - 1]).abs() / (self.t[i] - self.t[i - 1]);
        let mean = if mean.is_finite() { mean } else { 0.0 };
        self.v[i].abs().max(self.v[i - 1].abs()).max(mean)
    }

    fn part(&self, from: usize, to: usize) -> MotionPart {
        let over = |x: &[f64]| {
            let x = &x[from..=to];
            [
                x.iter().copied().fold(f64::INFINITY, f64::min),
                x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ]
        };
        let [low, high] = over(self.slip);
        let used = |i: usize| match (self.force.get(i), self.limit.get(i)) {
            // Of the two rows of a switch one may already show the load of the other side.
            _ if self.is_switch(i) => 0.0,
            (Some(force), Some(limit)) if *limit > 0.0 => force.abs() / limit,
            (Some(force), Some(_)) if *force != 0.0 => f64::INFINITY,
            (Some(_), Some(_)) => 0.0,
            _ => f64::NAN,
        };
        let force: Vec<f64> = self.force.get(from..=to).unwrap_or(&[]).to_vec();
        MotionPart {
            fastest: (from.max(1)..=to).map(|i| self.speed(i)).fold(self.v[from].abs(), f64::max),
            ends: [self.v[from], self.v[to]],
            rates: over(self.v),
            time: self.t[to] - self.t[from],
            net: self.slip[to] - self.slip[from],
            range: high - low,
            force: force.iter().sum::<f64>() / force.len().max(1) as f64,
            used: (from..=to).map(used).reduce(f64::max).unwrap_or(f64::NAN),
            used_ends: [used(from), used(to)],
            sticks: self.sticks.get(from..=to).is_some_and(|s| s.iter().all(|s| *s)),
        }
    }

    /// Turning points of the slip after sample `from`: where the rate changes its sign for good.
    fn turns(&self, from: usize) -> Vec<Turn> {
        let least = RIPPLE * self.v[from..self.len()].iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let (mut turns, mut last) = (Vec::new(), None::<usize>);
        for i in (from..self.len()).filter(|i| self.v[*i].abs() > least) {
            turns.extend(last.filter(|l| self.v[*l].signum() != self.v[i].signum()).map(|l| self.turn(l, i)));
            last = Some(i);
        }
        turns
    }

    /// The turning point between two samples whose rates differ in sign: the outermost sample, or, if that is one of the two,
    /// where a rate that changes evenly vanishes.
    fn turn(&self, before: usize, after: usize) -> Turn {
        let sign = self.v[before].signum();
        let outer = |a: &usize, b: &usize| (sign * self.slip[*a]).total_cmp(&(sign * self.slip[*b]));
        let top = (before..=after).max_by(outer).unwrap_or(after);
        if self.v[top] == 0.0 {
            return Turn { t: self.t[top], slip: self.slip[top], doubt: 0.0 };
        }
        let next = if top == after { top - 1 } else { top + 1 };
        let [v, other] = [self.v[top], self.v[next]];
        let time = if v * other < 0.0 { (self.t[next] - self.t[top]) * v / (v - other) } else { 0.0 };
        let further = 0.5 * v * time;
        Turn { t: self.t[top] + time, slip: self.slip[top] + further, doubt: further.abs() }
    }

    /// Whether it is at rest between a sample and the one before, by its mode where that is known.
    fn rests(&self, i: usize, fastest: f64) -> bool {
        match (self.sticks.get(i - 1), self.sticks.get(i)) {
            (Some(before), Some(now)) => *before && *now,
            _ => self.speed(i) <= REST * fastest,
        }
    }

    /// Share of the time at rest after sample `from`.
    fn rest(&self, from: usize, fastest: f64) -> f64 {
        let last = self.len() - 1;
        let rests = (from + 1..=last).filter(|i| self.rests(*i, fastest)).map(|i| self.t[i] - self.t[i - 1]);
        rests.sum::<f64>() / (self.t[last] - self.t[from])
    }

    /// How often it went from rest to slip after sample `from`.
    fn slips(&self, from: usize, fastest: f64) -> usize {
        let (mut is_slipping, mut slips) = (false, 0);
        for i in from + 1..self.len() {
            if self.rests(i, fastest) {
                is_slipping = false;
            } else if self.speed(i) > SLIP * fastest && !is_slipping {
                is_slipping = true;
                slips += 1;
            }
        }
        slips
    }

    /// Slips that are slow beside the way at first.
    fn slow_slips(&self, half: usize) -> usize {
        let fastest = self.part(half, self.len() - 1).fastest;
        let goes_on = !self.sticks.is_empty() && self.slips(half, fastest) >= 2;
        if goes_on { self.slips(0, fastest) } else { 0 }
    }

    /// How often the slip rate turns back after a sample, by more than a ripple.
    fn ripples(&self, from: usize, fastest: f64) -> usize {
        let (mut count, mut rising, mut extreme) = (0, None, self.v[from]);
        for v in &self.v[from..self.len()] {
            let is_beyond = rising.is_some_and(|up: bool| if up { *v > extreme } else { *v < extreme });
            if is_beyond {
                extreme = *v;
            } else if (v - extreme).abs() > RIPPLE * fastest {
                count += usize::from(rising.is_some());
                (rising, extreme) = (Some(*v > extreme), *v);
            }
        }
        count
    }

    /// Measures everything; nothing for a run of fewer than two samples or of no length.
    pub(super) fn motion(&self) -> Option<RunMotion> {
        let last = self.len().checked_sub(1)?;
        let (start, span) = (self.t[0], self.t[last] - self.t[0]);
        if span <= 0.0 || !span.is_finite() {
            return None;
        }
        let [half, tail, end] = [0.5, 0.75, 0.9].map(|share| self.at(start + share * span));
        let whole = self.part(0, last);
        // Slow swings show over the second half only.
        let turns =
            Some(self.turns(tail)).filter(|turns| turns.len() > 2).unwrap_or_else(|| self.turns(half));
        // From a turning point to the last of the same side: whole swings.
        let (per_swing, drift) = match turns[..] {
            [first, _, _, ..] => {
                let swings = (turns.len() - 1) / 2;
                let end = turns[2 * swings];
                let (net, time) = (end.slip - first.slip, end.t - first.t);
                // Less than what is known of both ends is nothing.
                let least = SHARP * (end.slip - turns[1].slip).abs() + first.doubt + end.doubt;
                let net = if net.abs() > least { net } else { 0.0 };
                (net / swings as f64, net / time)
            }
            _ => (0.0, 0.0),
        };
        let moves = |i: &usize| {
            self.speed(*i) > 1e-9 * whole.fastest && !self.sticks.get(*i).copied().unwrap_or(false)
        };
        let since = (1..=last).rev().find(moves).map_or(start, |i| self.t[i]);
        Some(RunMotion {
            whole,
            before: self.part(half, tail),
            late: self.part(tail, last),
            end: self.part(end, last),
            rest: self.rest(0, whole.fastest),
            late_rest: self.rest(half, whole.fastest),
            slips: self.slips(0, whole.fastest),
            slow_slips: self.slow_slips(half),
            ripples: self.ripples(half, whole.fastest),
            reversals: turns.len(),
            per_swing,
            drift,
            since,
            elastic: self.elastic,
        })
    }
}
