//! What an importer sees of a scenario, each with a number by which it is called.

use crate::model::FmuModel;

/// What a variable is, with its place among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableRole {
    /// Set from outside while the model runs.
    Input(usize),
    /// An output channel.
    Output(usize),
    /// A number of a part or law, by its place among the parameters.
    Parameter(usize),
    /// A continuous state.
    State(usize),
    /// The rate of a state.
    Derivative(usize),
    /// An event indicator; a variable in FMI 3.0 alone.
    Indicator(usize),
    /// The time; a variable in FMI 3.0 alone.
    Time,
}

/// References of one kind begin here; the next kind begins as much further on.
const KIND: u32 = 1 << 24;

impl VariableRole {
    /// The number importers call it by.
    pub fn reference(self) -> u32 {
        let (kind, place) = match self {
            VariableRole::Input(i) => (0, i),
            VariableRole::Output(i) => (1, i),
            VariableRole::Parameter(i) => (2, i),
            VariableRole::State(i) => (3, i),
            VariableRole::Derivative(i) => (4, i),
            VariableRole::Indicator(i) => (5, i),
            VariableRole::Time => (6, 0),
        };
        kind * KIND + place as u32
    }

    /// What a number stands for.
    pub fn of(reference: u32) -> Option<VariableRole> {
        let place = (reference % KIND) as usize;
        match reference / KIND {
            0 => Some(VariableRole::Input(place)),
            1 => Some(VariableRole::Output(place)),
            2 => Some(VariableRole::Parameter(place)),
            3 => Some(VariableRole::State(place)),
            4 => Some(VariableRole::Derivative(place)),
            5 => Some(VariableRole::Indicator(place)),
            6 if place == 0 => Some(VariableRole::Time),
            _ => None,
        }
    }
}

/// A variable as the description tells of it.
#[derive(Clone, Debug)]
pub struct Variable {
    /// A name nobody else has.
    pub name: String,
    /// What it is.
    pub role: VariableRole,
    /// SI unit, `1` for a pure number.
    pub unit: &'static str,
    /// A sentence, or nothing.
    pub doc: String,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// The value it begins with; none for what is computed.
    pub start: Option<f64>,
    /// Whether a parameter may change while the model runs.
    pub is_tunable: bool,
}

/// All variables of a model: inputs, outputs, parameters, states, derivatives.
pub fn variables(model: &dyn FmuModel) -> Vec<Variable> {
    let free = [f64::NEG_INFINITY, f64::INFINITY];
    let plain = |name: String, role, unit| Variable {
        name,
        role,
        unit,
        doc: String::new(),
        range: free,
        start: None,
        is_tunable: false,
    };
    let mut all = Vec::new();
    for (i, input) in model.inputs().iter().enumerate() {
        let mut variable = plain(format!("inputs.{}", input.name), VariableRole::Input(i), input.unit);
        variable.doc = input.doc.to_owned();
        variable.range = [input.min, input.max];
        variable.start = Some(input.value(model.params(), model.state().t));
        all.push(variable);
    }
    for (i, channel) in model.channels().iter().enumerate() {
        all.push(plain(channel.name.clone(), VariableRole::Output(i), channel.unit));
    }
    let is_input = |place: usize| model.inputs().iter().any(|input| input.places().contains(&place));
    for (place, param) in model.cards().iter().enumerate().filter(|(place, _)| !is_input(*place)) {
        let value = model.params()[place];
        if !value.is_finite() || all.iter().any(|v: &Variable| v.name == format!("parameters.{}", param.path))
        {
            continue;
        }
        let role = VariableRole::Parameter(place);
        let mut variable = plain(format!("parameters.{}", param.path), role, param.unit);
        variable.doc = param.symbol.to_owned();
        variable.range = [param.min.min(value), param.max.max(value)];
        variable.start = Some(value);
        variable.is_tunable = !starts_with(model, place);
        all.push(variable);
    }
    let states = model.state().x.len();
    for i in 0..states {
        let mut state = plain(format!("states[{}]", i + 1), VariableRole::State(i), "1");
        state.doc = model.state_name(i);
        all.push(state);
    }
    for i in 0..states {
        all.push(plain(format!("der(states[{}])", i + 1), VariableRole::Derivative(i), "1"));
    }
    all
}

/// Whether a parameter decides where the motion begins, so that it cannot be changed later on.
fn starts_with(model: &dyn FmuModel, place: usize) -> bool {
    let params = model.params();
    let mut other = params.to_vec();
    other[place] += 1e-3 * params[place].abs().max(1e-3);
    model.first(params) != model.first(&other)
}
