//! Outputs that somebody derives from others by a formula: `power = "push.force * block.v"`.

use crate::system::System;
use bristle_law::{Expression, WrittenError};

/// An output by a formula.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    formula: Expression,
}

impl System {
    /// Adds an output that is a formula of other outputs, of numbers of the parts (`block.mass`), of `time`, and of outputs derived
    /// before it.
    ///
    /// # Errors
    /// What is wrong with the formula, with its place and a way out.
    pub fn derive(&mut self, name: &str, formula: &str) -> Result<(), WrittenError> {
        let own = self.derived.len();
        let channels = self.channels();
        let (plain, derived) = channels.split_at(channels.len() - own);
        let mut known: Vec<(&str, &str)> = plain.iter().map(|c| (c.name.as_str(), c.unit)).collect();
        known.push(("time", "s"));
        known.extend(self.list.params.iter().map(|p| (p.path.as_str(), p.unit)));
        known.extend(derived.iter().map(|c| (c.name.as_str(), c.unit)));
        let formula = Expression::read(name, formula, &known)?;
        // Units of outputs live as long as the program; there is one for each formula somebody wrote.
        let unit = Box::leak(formula.unit().into_boxed_str());
        self.derived.push(Derived { name: name.to_owned(), unit, formula });
        Ok(())
    }

    /// Adds the values of derived outputs to those of all others.
    pub(crate) fn observe_derived(&self, t: f64, p: &[f64], out: &mut Vec<f64>) {
        if self.derived.is_empty() {
            return;
        }
        let mut known = out.clone();
        known.push(t);
        known.extend_from_slice(p);
        for derived in &self.derived {
            let value = derived.formula.value(&known);
            known.push(value);
            out.push(value);
        }
    }
}
