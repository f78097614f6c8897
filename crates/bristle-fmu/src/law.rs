//! A friction law alone: slip rate and load in, force out.

use crate::model::{FmuModel, words};
use bristle_core::{Choice, Dual, Kind, Mode, Scalar, nearest};
use bristle_law::{AnyLaw, At, LawKind, OPEN};
use bristle_mech::{LiveInput, OutputChannel, Param};
use bristle_solve::{Dynamics, Integrator, Point, SavedRun, Solver, State};
use std::sync::Arc;

/// A rest within this many metres a second is rest.
const AT_REST: f64 = 1e-12;

/// The inputs: names, units, sentences, smallest values, first values.
const INPUTS: [(&str, &str, &str, f64, f64); 3] = [
    (
        "v",
        "m/s",
        "Slip rate: velocity of the body minus velocity of its counter-surface.",
        f64::NEG_INFINITY,
        0.0,
    ),
    ("n", "N", "Normal load; nothing is transmitted without.", 0.0, 1.0),
    (
        "hold",
        "N",
        "The force that would keep the slip rate: at rest a law that is set-valued there bears it, up to its limit.",
        f64::NEG_INFINITY,
        0.0,
    ),
];

/// Relative tolerance of a law's states.
pub const TOLERANCE: f64 = 1e-9;

/// The equations of a law under a slip rate and a load from outside; the last state is the work that it has turned into heat.
struct LawDynamics {
    kind: LawKind,
    params: Vec<f64>,
    numbers: usize,
    states: usize,
    elements: usize,
    is_set_valued: bool,
    /// Whether its first mode is the direction of sliding and nothing else.
    keeps_direction: bool,
}

impl LawDynamics {
    fn new(kind: LawKind) -> Result<LawDynamics, String> {
        let card = kind.card();
        let mut params = card.defaults();
        let law = kind.build(&params, &choices(kind));
        if let Some(fault) = law.fault() {
            return Err(format!("law {}: {fault}", card.name));
        }
        let (numbers, states, elements) = (params.len(), card.states.len(), law.elements());
        let is_set_valued = law.limit(&At::sliding(0.0, 1.0), &vec![0.0; states]).is_some();
        let keeps_direction = elements > 0 && !is_set_valued && law.keeps_direction();
        params.extend(INPUTS.iter().flat_map(|(.., first)| [*first, 0.0, 0.0]));
        Ok(LawDynamics { kind, params, numbers, states, elements, is_set_valued, keeps_direction })
    }

    fn law<S: Scalar>(&self, p: &[S]) -> AnyLaw<S> {
        self.kind.build(&p[..self.numbers], &choices(self.kind))
    }

    /// Slip rate, load and holding force.
    fn inputs<S: Scalar>(&self, p: &[S], t: S) -> [S; 3] {
        std::array::from_fn(|i| {
            let [value, slope, since] = [0, 1, 2].map(|k| p[self.numbers + 3 * i + k]);
            value + slope * (t - since)
        })
    }

    fn rests(&self, mode: &[Mode]) -> bool {
        self.is_set_valued && mode.first() == Some(&Mode::Stick)
    }

    /// Whether it has not slid yet: the direction is open, and so is which elements slip.
    fn is_open(&self, mode: &[Mode]) -> bool {
        self.keeps_direction && mode.first() == Some(&Mode::Stick)
    }

    /// The force, and the rates of the states.
    fn force<S: Scalar>(&self, at: &Point<S>, dz: &mut [S]) -> S {
        let [v, n, hold] = self.inputs(at.p, at.t);
        let (here, law) = (At { v, n, hold, mode: at.mode }, self.law(at.p));
        let z = &at.x[..self.states];
        let force = law.eval(&here, z, dz);
        match law.limit(&here, z).filter(|_| self.rests(at.mode)) {
            Some(limit) => hold.max(-limit).min(limit),
            None => force,
        }
    }

    /// Modes that go with where the contact is; those that still hold are kept unless all begin `anew`.
    fn settle(&self, p: &[f64], state: &mut State, anew: bool) {
        state.mode.resize(self.elements, Mode::Stick);
        let [v, n, hold] = self.inputs(p, state.t);
        let law = self.law(p);
        let lock = law.lock_speed(&At { v, n, hold, mode: &[] });
        let mut g = vec![0.0; self.elements];
        // Switches first: they know what elements that slipped have to remember.
        for _ in 0..if anew { 0 } else { 2 * self.elements + 2 } {
            self.guards(Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut g);
            let fired = (0..g.len()).filter(|i| g[*i] < 0.0).min_by(|a, b| g[*a].total_cmp(&g[*b]));
            let Some(fired) = fired else { break };
            self.switch(fired, p, state);
        }
        let comes_to_rest = self.is_set_valued && !self.rests(&state.mode) && v.abs() <= lock;
        if comes_to_rest {
            state.mode[0] = Mode::Stick;
        }
        self.guards(Point { t: state.t, x: &state.x, p, mode: &state.mode }, &mut g);
        if !anew && g.iter().all(|g| *g >= 0.0) {
            return;
        }
        let mut mode = vec![Mode::Stick; self.elements];
        law.start(&At { v, n, hold, mode: &[] }, &state.x[..self.states], &mut mode);
        if self.is_set_valued {
            mode[0] = if v.abs() <= lock { Mode::Stick } else { Mode::of(v) };
        }
        state.mode = mode;
    }
}

/// The options of a law as they are unless somebody chooses.
fn choices(kind: LawKind) -> Vec<Choice> {
    kind.card().default_choices()
}

impl Dynamics for LawDynamics {
    fn dim(&self) -> usize {
        self.states + 1
    }

    fn quadratures(&self) -> usize {
        // Steps need a state of their own.
        usize::from(self.states > 0)
    }

    fn mode_count(&self) -> usize {
        self.elements
    }

    fn params(&self) -> &[f64] {
        &self.params
    }

    fn rates<S: Scalar>(&self, at: Point<S>, dx: &mut [S]) {
        let (dz, loss) = dx.split_at_mut(self.states);
        let force = self.force(&at, dz);
        loss[0] = force * self.inputs(at.p, at.t)[0];
    }

    fn guard_count(&self) -> usize {
        self.elements
    }

    fn guards<S: Scalar>(&self, at: Point<S>, g: &mut [S]) {
        let [v, n, hold] = self.inputs(at.p, at.t);
        let (here, law) = (At { v, n, hold, mode: at.mode }, self.law(at.p));
        law.guards(&here, &at.x[..self.states], g);
        if let (true, Some(g)) = (self.is_open(at.mode), g.first_mut()) {
            // A direction that is open is decided as soon as there is one.
            *g = S::from(AT_REST) - v.abs();
        }
        if let (true, Some(g), Some(mode)) = (self.is_set_valued, g.first_mut(), at.mode.first()) {
            let lock = law.lock_speed(&here);
            *g = if *mode == Mode::Stick { lock + AT_REST - v.abs() } else { v * mode.sign() - lock };
        }
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        let [v, n, hold] = self.inputs(p, state.t);
        let law = self.law(p);
        let mode = state.mode.clone();
        let here = At { v, n, hold, mode: &mode };
        if self.is_set_valued && fired == 0 {
            let was = mode[0];
            // On the guard the slip rate is that of the border; where it goes is the way it came from rest, or on through zero.
            let is_leaving = was == Mode::Stick;
            state.mode[0] = if is_leaving {
                Mode::of(v)
            } else if v.abs() <= law.lock_speed(&here) {
                Mode::Stick
            } else {
                Mode::of(v)
            };
            if is_leaving {
                law.on_breakaway(&here, &mut state.mode);
            }
        } else if fired == 0 && self.is_open(&mode) {
            law.start(&At { mode: &[], ..here }, &state.x[..self.states], &mut state.mode);
        } else {
            let x = &mut state.x[..self.states];
            law.switch(fired, &here, x, &mut state.mode);
        }
    }

    fn resettle(&self, p: &[f64], state: &mut State) {
        self.settle(p, state, false);
    }

    fn start(&self, p: &[f64], state: &mut State) {
        self.settle(p, state, true);
    }

    fn has_invariants(&self) -> bool {
        false
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        let [_, n, _] = self.inputs(p, 0.0);
        scale.fill(1.0);
        self.law(p).scales(n, &mut scale[..self.states]);
    }

    fn state_name(&self, index: usize) -> String {
        self.kind.card().states.get(index).map_or("loss", |state| state.name).to_owned()
    }

    fn guard_name(&self, _index: usize) -> String {
        self.kind.card().name.to_owned()
    }
}

/// A law inside an importer.
pub struct LawModel {
    dynamics: Arc<LawDynamics>,
    integrator: Integrator<'static>,
    params: Vec<f64>,
    cards: Vec<Param>,
    inputs: Vec<LiveInput>,
    channels: Vec<OutputChannel>,
    is_changed: bool,
}

impl LawModel {
    /// The law of that name.
    ///
    /// # Errors
    /// A name that no law of the catalogue has.
    pub fn named(name: &str) -> Result<LawModel, String> {
        let Some(kind) = LawKind::ALL.iter().copied().find(|kind| kind.card().name == name) else {
            let near = nearest(name, LawKind::ALL.iter().map(|kind| kind.card().name));
            return Err(near.map_or_else(
                || format!("there is no law `{name}`"),
                |near| format!("there is no law `{name}`; did you mean `{near}`?"),
            ));
        };
        let dynamics = LawDynamics::new(kind)?;
        let params = dynamics.params.clone();
        LawModel::with(Arc::new(dynamics), params)
    }

    fn with(dynamics: Arc<LawDynamics>, params: Vec<f64>) -> Result<LawModel, String> {
        let kind = dynamics.kind;
        let card = kind.card();
        let of_law = card.numbers().map(|field| {
            let (unit, min, max) = match field.kind {
                Kind::Number { unit, min, max, .. } => (unit, min, max),
                _ => ("1", f64::NEG_INFINITY, f64::INFINITY),
            };
            Param { path: field.name.to_owned(), symbol: field.symbol, unit, min, max }
        });
        let of_inputs = INPUTS.iter().flat_map(|(name, unit, _, min, _)| {
            let one = |path: String, unit, min| Param { path, symbol: "", unit, min, max: f64::INFINITY };
            [
                one((*name).to_owned(), *unit, *min),
                one(format!("{name}.slope"), "1", f64::NEG_INFINITY),
                one(format!("{name}.since"), "s", f64::NEG_INFINITY),
            ]
        });
        let cards = of_law.chain(of_inputs).collect();
        let input =
            |(i, (name, unit, doc, min, _)): (usize, &(&str, &'static str, &'static str, f64, f64))| {
                LiveInput {
                    name: (*name).to_owned(),
                    unit,
                    doc,
                    min: *min,
                    max: f64::INFINITY,
                    place: dynamics.numbers + 3 * i,
                }
            };
        let inputs = INPUTS.iter().enumerate().map(input).collect();
        let channel = |name: &str, unit| OutputChannel { name: name.to_owned(), unit };
        let mut channels = vec![channel("force", "N"), channel("power", "W"), channel("loss", "J")];
        if dynamics.is_set_valued {
            channels.push(channel("limit", "N"));
        }
        if dynamics.elements > 0 {
            channels.push(channel("mode", "1"));
        }
        channels.extend(card.states.iter().map(|state| channel(state.name, state.unit)));
        let solver = Solver { rtol: TOLERANCE, ..Solver::default() };
        let mut integrator = Integrator::owning(&dynamics, &params, &solver).map_err(words)?;
        let mut model = {
            let mut x = vec![0.0; dynamics.dim()];
            dynamics.law(&params).initial(&mut x[..dynamics.states]);
            integrator.reset(&State { t: 0.0, x, mode: Vec::new() }).map_err(words)?;
            LawModel { dynamics, integrator, params, cards, inputs, channels, is_changed: false }
        };
        model.settle()?;
        Ok(model)
    }

    fn put(&mut self, place: usize, value: f64) {
        self.is_changed |= self.params[place].to_bits() != value.to_bits();
        self.params[place] = value;
    }

    fn tell(&mut self) -> Result<(), String> {
        if std::mem::take(&mut self.is_changed) {
            self.integrator.set_inputs(&self.params).map_err(words)?;
        }
        Ok(())
    }

    /// What an input lets go on from here.
    fn input(&self, index: usize) -> Result<(LiveInput, f64), String> {
        let input = self.inputs.get(index).ok_or_else(|| format!("there is no input {index}"))?;
        Ok((input.clone(), input.value(&self.params, self.state().t)))
    }

    /// Numbers that go together.
    fn checked(&self, params: &[f64]) -> Result<(), String> {
        let fault = self.dynamics.law(params).fault();
        fault.map_or(Ok(()), |fault| Err(format!("law {}: {fault}", self.dynamics.kind.card().name)))
    }
}

impl FmuModel for LawModel {
    fn inputs(&self) -> &[LiveInput] {
        &self.inputs
    }

    fn channels(&self) -> &[OutputChannel] {
        &self.channels
    }

    fn cards(&self) -> &[Param] {
        &self.cards
    }

    fn params(&self) -> &[f64] {
        &self.params
    }

    fn first(&self, params: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.dynamics.dim()];
        self.dynamics.law(params).initial(&mut x[..self.dynamics.states]);
        x
    }

    fn state_name(&self, index: usize) -> String {
        Dynamics::state_name(&*self.dynamics, index)
    }

    fn guard_count(&self) -> usize {
        self.dynamics.elements
    }

    fn renewed(&self, settings: &[(String, f64)]) -> Result<Box<dyn FmuModel>, String> {
        let mut params = self.dynamics.params.clone();
        for (path, value) in settings {
            let place = self.cards.iter().position(|card| card.path == *path);
            params[place.ok_or_else(|| format!("there is no parameter `{path}`"))?] = *value;
        }
        self.checked(&params)?;
        Ok(Box::new(LawModel::with(Arc::clone(&self.dynamics), params)?))
    }

    fn set_input(&mut self, index: usize, value: f64) -> Result<(), String> {
        let ([place, slope, since], t) = (self.input(index)?.0.places(), self.state().t);
        if self.params[slope] != 0.0 || self.params[place].to_bits() != value.to_bits() {
            self.put(place, value);
            self.put(slope, 0.0);
            self.put(since, t);
        }
        Ok(())
    }

    fn set_slope(&mut self, index: usize, rate: f64) -> Result<(), String> {
        let (input, now) = self.input(index)?;
        if !rate.is_finite() {
            return Err(format!("input {} cannot change by {rate} a second", input.name));
        }
        let ([place, slope, since], t) = (input.places(), self.state().t);
        self.put(place, now);
        self.put(slope, rate);
        self.put(since, t);
        Ok(())
    }

    fn set_param(&mut self, path: &str, value: f64) -> Result<(), String> {
        let place = self.cards.iter().position(|card| card.path == path);
        let place = place.ok_or_else(|| format!("there is no parameter `{path}`"))?;
        let mut params = self.params.clone();
        params[place] = value;
        self.checked(&params)?;
        self.put(place, value);
        Ok(())
    }

    fn settle(&mut self) -> Result<(), String> {
        self.tell()?;
        self.integrator.settle(&mut ());
        Ok(())
    }

    fn advance(&mut self, t: f64) -> Result<(), String> {
        for i in 0..self.inputs.len() {
            let value = self.inputs[i].value(&self.params, t);
            if !self.inputs[i].admits(value) {
                let LiveInput { name, unit, min, .. } = &self.inputs[i];
                return Err(format!(
                    "input {name} would be {value} {unit} at {t} s: it must be {min} or more"
                ));
            }
        }
        self.tell()?;
        self.integrator.advance(t, &mut ()).map_err(words)?;
        Ok(())
    }

    fn state(&self) -> &State {
        self.integrator.state()
    }

    fn save(&mut self) -> Result<SavedRun, String> {
        self.tell()?;
        self.integrator.save().map_err(words)
    }

    fn restore(&mut self, saved: &SavedRun) -> Result<(), String> {
        self.integrator.restore(saved).map_err(words)?;
        self.params.copy_from_slice(&saved.params);
        self.is_changed = false;
        Ok(())
    }

    fn rates(&self, at: Point<f64>, dx: &mut [f64]) {
        self.dynamics.rates(at, dx);
    }

    fn rates_along(&self, at: Point<Dual<1>>, dx: &mut [Dual<1>]) {
        self.dynamics.rates(at, dx);
    }

    fn guards(&self, at: Point<f64>, g: &mut [f64]) {
        self.dynamics.guards(at, g);
    }

    fn switch(&self, fired: usize, p: &[f64], state: &mut State) {
        self.dynamics.switch(fired, p, state);
    }

    fn resettle(&self, p: &[f64], state: &mut State) {
        self.dynamics.resettle(p, state);
    }

    fn project(&self, _p: &[f64], _t: f64, _x: &mut [f64], _mode: &[Mode]) {}

    fn is_broken(&self, _at: Point<f64>, g: &[f64]) -> bool {
        g.iter().any(|g| *g < 0.0)
    }

    fn guard_name(&self, index: usize) -> String {
        Dynamics::guard_name(&*self.dynamics, index)
    }

    fn next_break(&self, _p: &[f64], _t: f64) -> Option<f64> {
        None
    }

    fn scales(&self, p: &[f64], scale: &mut [f64]) {
        Dynamics::scales(&*self.dynamics, p, scale);
    }

    fn observe_into(&self, at: &Point<f64>, out: &mut Vec<f64>) {
        let law = &*self.dynamics;
        let mut dz = vec![0.0; law.states];
        let ([v, n, hold], z) = (law.inputs(at.p, at.t), &at.x[..law.states]);
        let force = law.force(at, &mut dz);
        out.clear();
        out.extend([force, force * v, at.x[law.states]]);
        if law.is_set_valued {
            let limit = law.law(at.p).limit(&At { v, n, hold, mode: at.mode }, z);
            out.push(limit.filter(|_| n >= OPEN).unwrap_or(0.0));
        }
        if law.elements > 0 {
            out.push(if n < OPEN { 2.0 } else { at.mode.first().map_or(0.0, |mode| mode.sign()) });
        }
        out.extend_from_slice(z);
    }
}
