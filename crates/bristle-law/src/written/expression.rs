//! Formulas of named values: outputs that somebody derives from others.

use super::WrittenError;
use super::code::{Compiler, Meaning, Names};
use super::formula::{self, Misread};
use super::reach::ANY;
use super::run::{CodePlace, LawCode};
use crate::law::At;
use bristle_core::units::Dimension;

/// A formula of values that have names and units, such as `push.force * block.v`.
///
/// An angle counts as a pure number, so that a torque times a speed is a power.
///
/// ```
/// use bristle_law::Expression;
///
/// let known = [("push.force", "N"), ("block.v", "m/s")];
/// let power = Expression::read("power", "push.force * block.v", &known).unwrap();
/// assert_eq!((power.value(&[3.0, 2.0]), power.unit().as_str()), (6.0, "W"));
/// let wrong = Expression::read("sum", "push.force + block.v", &known).unwrap_err();
/// assert_eq!(wrong.reason, "it adds `N` and `m/s`");
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    code: LawCode,
    place: CodePlace,
    dimension: Dimension,
}

impl Expression {
    /// Reads a formula of values with these names and units; `key` is what errors call it.
    ///
    /// # Errors
    /// What is wrong with it, with its place and a way out.
    pub fn read(key: &str, text: &str, known: &[(&str, &str)]) -> Result<Expression, WrittenError> {
        let wrong = |misread: Misread| {
            let Misread { span, reason, hint } = misread;
            WrittenError { key: key.to_owned(), text: text.to_owned(), span, reason, hint }
        };
        let formula = formula::read(text).map_err(wrong)?;
        // Of two values with one name the first is meant.
        let mut names = Names::new();
        for (i, (name, unit)) in known.iter().enumerate().rev() {
            let dimension = Dimension::of(unit).unwrap_or(Dimension::ONE).without_angle();
            names.insert(name, Meaning::State(i, dimension, ANY));
        }
        let mut compiler = Compiler::of_values(&names);
        let (place, dimension) = compiler.measured(&formula).map_err(wrong)?;
        Ok(Expression { code: compiler.finish(), place, dimension })
    }

    /// Its SI unit.
    pub fn unit(&self) -> String {
        self.dimension.to_string()
    }

    /// Its value, where `values` are those of the names it was read with.
    pub fn value(&self, values: &[f64]) -> f64 {
        self.code.run(&[], &At::sliding(0.0, 1.0), &[], values)[self.place as usize]
    }
}
