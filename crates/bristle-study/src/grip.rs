//! How a drum holds the cable, judged by the end of a run.

use bristle_record::Tone;

/// A cable slower on its drum, over the last tenth, than this share of the fastest motion of the run sticks.
const STILL: f64 = 1e-5;

/// Nodes that all carry less than this share of their limit are held.
const HELD: f64 = 0.9999;

/// Slip that comes back to within this share of the way it went is elastic.
const RETURNS: f64 = 0.1;

/// Slip that fell to this share of its fastest, and by half since the quarter before, settles.
const SETTLED: f64 = 1e-2;

/// Slip of the fastest node of a drum over a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrumSlip<'a> {
    /// Times, s.
    pub t: &'a [f64],
    /// Slip speed of the fastest node, m/s.
    pub v: &'a [f64],
    /// The fastest motion of cable or drum during the run, m/s.
    pub scale: f64,
    /// Speed up to which the law holds, m/s.
    pub rest: f64,
    /// The largest share of its limit any node carries at the end; not a number where there is no limit.
    pub used: f64,
}

/// What the cable does on a drum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Grip {
    /// It sticks; its fastest node at the end, m/s.
    Sticks(f64),
    /// It sticks and stretches to and fro, at up to this speed, m/s.
    SticksElastically(f64),
    /// It slows down, at most at this speed over the last tenth, m/s.
    Settles(f64),
    /// It moves on under a load that it should hold, at this mean speed, m/s.
    Creeps(f64),
    /// It slips, at this mean speed, m/s.
    Slips(f64),
}

impl DrumSlip<'_> {
    /// Largest speed, mean speed and mean of its size between two shares of the run.
    fn part(&self, from: f64, to: f64) -> [f64; 3] {
        let count = self.t.len().min(self.v.len());
        let [Some(first), Some(last)] = [self.t.first(), self.t[..count].last()] else { return [0.0; 3] };
        let [from, to] = [from, to].map(|share| first + share * (last - first));
        let inside = |i: &usize| self.t[*i] >= from && self.t[*i] <= to;
        let fastest = (0..count).filter(inside).map(|i| self.v[i].abs()).fold(0.0, f64::max);
        let (mut way, mut length, mut time) = (0.0, 0.0, 0.0);
        for i in (1..count).filter(inside).filter(|i| inside(&(i - 1))) {
            let (dt, mean) = (self.t[i] - self.t[i - 1], 0.5 * (self.v[i] + self.v[i - 1]));
            way += mean * dt;
            length += mean.abs() * dt;
            time += dt;
        }
        if time > 0.0 { [fastest, way / time, length / time] } else { [fastest, 0.0, 0.0] }
    }

    /// Judges.
    pub(crate) fn grip(&self) -> Grip {
        let [whole, ..] = self.part(0.0, 1.0);
        let [before, ..] = self.part(0.5, 0.75);
        let [late, mean, size] = self.part(0.75, 1.0);
        let [end, ..] = self.part(0.9, 1.0);
        let is_held = self.used < HELD;
        // What is at its limit moves on however slowly, unless it dies away.
        let is_dying = end <= 0.5 * before || end == 0.0;
        if end <= STILL * self.scale && (is_held || is_dying) {
            Grip::Sticks(end)
        } else if is_held && mean.abs() <= RETURNS * size {
            Grip::SticksElastically(late)
        } else if late < 0.5 * before && late < SETTLED * whole {
            Grip::Settles(end)
        } else if is_held || late <= self.rest {
            Grip::Creeps(mean)
        } else {
            Grip::Slips(mean)
        }
    }
}

impl Grip {
    /// In words, with the ends it may move towards, the first and the last.
    pub(crate) fn words(self, ends: [&str; 2]) -> (String, Tone) {
        let towards = |v: f64| ends[usize::from(v > 0.0)];
        match self {
            Grip::Sticks(_) => ("the cable sticks".to_owned(), Tone::Good),
            Grip::SticksElastically(v) => (
                format!("the cable sticks elastically: it stretches to and fro at up to {v:.2e} m/s"),
                Tone::Good,
            ),
            Grip::Settles(v) => {
                (format!("the cable settles: {v:.2e} m/s at the end, and falling"), Tone::Neutral)
            }
            Grip::Creeps(v) => {
                (format!("the cable creeps towards `{}` at {:.2e} m/s", towards(v), v.abs()), Tone::Warn)
            }
            Grip::Slips(v) => {
                (format!("the cable slips towards `{}` at {:.2e} m/s", towards(v), v.abs()), Tone::Bad)
            }
        }
    }
}

#[cfg(test)]
mod grip_tests {
    use super::*;

    fn grip(v: impl Fn(f64) -> f64, used: f64) -> Grip {
        let t: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 0.01).collect();
        let v: Vec<f64> = t.iter().map(|t| v(*t)).collect();
        DrumSlip { t: &t, v: &v, scale: 1.0, rest: 1e-3, used }.grip()
    }

    #[test]
    fn a_cable_that_stretches_to_and_fro_below_its_limit_sticks() {
        let swing = |t: f64| 1e-4 * (20.0 * t).sin();
        assert!(matches!(grip(swing, 0.9), Grip::SticksElastically(v) if (v - 1e-4).abs() < 1e-6));
        // The same at the limit, or with a law that has none, slips to and fro within what the law holds.
        assert!(matches!(grip(swing, 1.0), Grip::Creeps(_)));
        assert!(matches!(grip(swing, f64::NAN), Grip::Creeps(_)));
        assert!(matches!(grip(|t| 100.0 * swing(t), 1.0), Grip::Slips(_)));
    }

    #[test]
    fn what_moves_on_creeps_or_slips_and_what_does_not_sticks() {
        assert!(matches!(grip(|_| 1e-4, 0.9), Grip::Creeps(v) if (v - 1e-4).abs() < 1e-9));
        assert!(matches!(grip(|_| -0.5, 0.9), Grip::Creeps(v) if v < 0.0));
        assert!(matches!(grip(|_| 0.5, 1.0), Grip::Slips(v) if (v - 0.5).abs() < 1e-9));
        assert!(matches!(grip(|_| 1.1e-3, 1.0), Grip::Slips(_)));
        assert!(matches!(grip(|_| 0.9e-3, 1.0), Grip::Creeps(_)));
        assert!(matches!(grip(|_| 0.9e-5, 0.9), Grip::Sticks(_)));
        assert!(matches!(grip(|_| 1.1e-5, 1.0), Grip::Creeps(_)));
        assert!(matches!(grip(|t| if t < 8.9 { 1.0 } else { 0.0 }, 0.5), Grip::Sticks(v) if v == 0.0));
        assert!(
            matches!(grip(|t| if t < 9.1 { 1.0 } else { 0.0 }, 1.0), Grip::Slips(_)),
            "not for long enough"
        );
    }

    /// A whip of 100 m/s somewhere in the run makes any slip look small.
    #[test]
    fn slow_slip_at_the_limit_is_not_called_sticking() {
        assert!(matches!(grip(|_| 0.9e-5, 1.0), Grip::Creeps(_)));
        assert!(matches!(grip(|_| 0.9e-5, f64::NAN), Grip::Creeps(_)));
        assert!(matches!(grip(|t| if t < 1.0 { 1.0 } else { 0.9e-5 }, 1.0), Grip::Creeps(_)), "it goes on");
        assert!(matches!(grip(|t| (-2.0 * t).exp(), 1.0), Grip::Sticks(_)), "it dies away");
        assert!(matches!(grip(|t| if t < 8.0 { 1.0 } else { 0.0 }, 1.0), Grip::Sticks(_)), "it stands");
    }

    #[test]
    fn what_slows_down_settles() {
        assert!(matches!(grip(|t| (-t).exp(), 1.0), Grip::Settles(v) if (v - (-9f64).exp()).abs() < 1e-12));
        assert!(matches!(grip(|t| (-0.2 * t).exp(), 1.0), Grip::Slips(_)), "too fast yet");
        assert!(
            matches!(grip(|t| if t < 1.0 { 1.0 } else { 5e-3 }, 1.0), Grip::Slips(_)),
            "it does not slow down"
        );
    }

    #[test]
    fn nothing_sampled_sticks() {
        assert_eq!(DrumSlip { t: &[], v: &[], scale: 0.0, rest: 0.0, used: 0.0 }.grip(), Grip::Sticks(0.0));
    }
}
