//! Machines of bodies in one line integrated as Moreau (1999) does it: small steps of equal length, in which impulses make an end of
//! slip and of blows at once. Without events, modes or guards, it goes to the same motion as the step goes to zero.

/// A force or a load over time.
pub type Course = Box<dyn Fn(f64) -> f64>;

/// Friction between two bodies, or a body and the ground: what it bears at rest and while it slides.
pub struct Rub {
    pub ends: [Option<usize>; 2],
    pub holds: Course,
    pub rubs: Course,
}

/// What bears in one direction: from a distance `q_a − q_b` on, or wherever `v_a > v_b` would be. Nothing bounces.
pub struct Bearing {
    pub ends: [Option<usize>; 2],
    pub at: Option<f64>,
}

/// A spring with a damper.
pub struct Tie {
    pub ends: [Option<usize>; 2],
    pub k: f64,
    pub d: f64,
}

#[derive(Default)]
pub struct Stepped {
    pub masses: Vec<f64>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub pushes: Vec<(usize, Course)>,
    pub rubs: Vec<Rub>,
    pub bearings: Vec<Bearing>,
    pub ties: Vec<Tie>,
}

/// Rounds in which the impulses of one step are made to agree, and by how much the last may still change a velocity.
const ROUNDS: usize = 300;
const AGREED: f64 = 1e-14;

fn difference(of: &[f64], [a, b]: [Option<usize>; 2]) -> f64 {
    a.map_or(0.0, |a| of[a]) - b.map_or(0.0, |b| of[b])
}

impl Stepped {
    /// Velocities at every `row`-th of so many steps.
    pub fn run(mut self, end: f64, steps: usize, row: usize) -> Vec<Vec<f64>> {
        let h = end / steps as f64;
        let mut is_held: Vec<bool> =
            self.rubs.iter().map(|rub| difference(&self.v, rub.ends) == 0.0).collect();
        let mut impulses = vec![0.0; self.rubs.len() + self.bearings.len()];
        let mut rows = vec![self.v.clone()];
        for step in 0..steps {
            let middle = (step as f64 + 0.5) * h;
            for (q, v) in self.q.iter_mut().zip(&self.v) {
                *q += 0.5 * h * v;
            }
            let mut force = vec![0.0; self.masses.len()];
            self.pushes.iter().for_each(|(on, push)| force[*on] += push(middle));
            for tie in &self.ties {
                let pull = tie.k * difference(&self.q, tie.ends) + tie.d * difference(&self.v, tie.ends);
                tie.ends[0].into_iter().for_each(|a| force[a] -= pull);
                tie.ends[1].into_iter().for_each(|b| force[b] += pull);
            }
            for ((v, force), mass) in self.v.iter_mut().zip(&force).zip(&self.masses) {
                *v += h * force / mass;
            }
            self.press(middle, h, &is_held, &mut impulses);
            for (held, rub) in is_held.iter_mut().zip(&self.rubs) {
                *held = difference(&self.v, rub.ends).abs() < 1e-11;
            }
            for (q, v) in self.q.iter_mut().zip(&self.v) {
                *q += 0.5 * h * v;
            }
            if (step + 1) % row == 0 {
                rows.push(self.v.clone());
            }
        }
        rows
    }

    /// The impulses of a step, one contact after the other until they agree.
    fn press(&mut self, t: f64, h: f64, is_held: &[bool], impulses: &mut [f64]) {
        let inverse =
            |ends: [Option<usize>; 2]| ends.into_iter().flatten().map(|c| 1.0 / self.masses[c]).sum::<f64>();
        let rubs = self.rubs.iter().zip(is_held).map(|(rub, held)| {
            let most = h * if *held { (rub.holds)(t) } else { (rub.rubs)(t) };
            (rub.ends, -most, most, inverse(rub.ends))
        });
        let bearings = self.bearings.iter().map(|bearing| {
            let is_near = bearing.at.is_none_or(|at| difference(&self.q, bearing.ends) >= at);
            (bearing.ends, 0.0, if is_near { f64::INFINITY } else { 0.0 }, inverse(bearing.ends))
        });
        let all: Vec<_> = rubs.chain(bearings).collect();
        // From where the last step has left them: resting contacts bear much the same.
        for ((ends, least, most, _), impulse) in all.iter().zip(impulses.iter_mut()) {
            *impulse = impulse.clamp(*least, *most);
            self.kick(*ends, *impulse);
        }
        for _ in 0..ROUNDS {
            let mut change = 0.0_f64;
            for ((ends, least, most, inverse), impulse) in all.iter().zip(impulses.iter_mut()) {
                let next = (*impulse + difference(&self.v, *ends) / inverse).clamp(*least, *most);
                let more = next - *impulse;
                *impulse = next;
                self.kick(*ends, more);
                change = change.max(more.abs() * inverse);
            }
            if change < AGREED {
                return;
            }
        }
    }

    fn kick(&mut self, [a, b]: [Option<usize>; 2], impulse: f64) {
        a.into_iter().for_each(|a| self.v[a] -= impulse / self.masses[a]);
        b.into_iter().for_each(|b| self.v[b] += impulse / self.masses[b]);
    }
}
