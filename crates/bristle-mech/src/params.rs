//! The numbers of a system, under the names a scenario gives them.

use crate::system::System;
use bristle_core::{Card, Kind};

/// One number of a system: what a scenario calls it, its value and its admissible range.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Dotted path, such as `belt.v` or `pad.law.mu_s`.
    pub path: String,
    /// Symbol in the equations.
    pub symbol: &'static str,
    /// SI unit.
    pub unit: &'static str,
    /// Smallest admissible value.
    pub min: f64,
    /// Largest admissible value.
    pub max: f64,
}

/// The parameters while a system is being put together.
#[derive(Clone, Debug, Default)]
pub struct ParamList {
    /// Values, in SI.
    pub values: Vec<f64>,
    /// What they are.
    pub params: Vec<Param>,
    /// Paths and places of those that are set from outside.
    pub inputs: Vec<(String, usize)>,
}

impl ParamList {
    /// Appends the numbers of a card under a path; gives the place of the first.
    pub fn push_all(&mut self, path: &str, card: &Card, numbers: &[f64]) -> usize {
        let first = self.values.len();
        for (field, value) in card.numbers().zip(numbers) {
            let Kind::Number { unit, min, max, .. } = field.kind else { continue };
            self.values.push(*value);
            let path = format!("{path}.{}", field.name);
            self.params.push(Param { path, symbol: field.symbol, unit, min, max });
        }
        first
    }
}

impl System {
    /// What the parameters are, in the order of [`Dynamics::params`](bristle_solve::Dynamics::params).
    pub fn param_cards(&self) -> &[Param] {
        &self.list.params
    }

    /// The place of the parameter with that path.
    pub fn param(&self, path: &str) -> Option<usize> {
        self.list.params.iter().position(|p| p.path == path)
    }

    /// Changes one parameter; `false` if there is none of that path.
    pub fn set_param(&mut self, path: &str, value: f64) -> bool {
        self.param(path).map(|place| self.list.values[place] = value).is_some()
    }
}
