//! How much of a computed number can be rounding.

use bristle_tape::{Binary, Graph, Node, Term, Unary};
use std::collections::HashMap;

/// A running error analysis: the value of each term, and a bound of what rounding in it and before it can do.
pub struct Rounding<'a> {
    graph: &'a Graph,
    variables: &'a [f64],
    parameters: &'a [f64],
    found: HashMap<Node, (f64, f64)>,
}

/// Operations and library functions are right to this.
const UNIT: f64 = 2.0 * f64::EPSILON;

impl<'a> Rounding<'a> {
    pub fn new(graph: &'a Graph, variables: &'a [f64], parameters: &'a [f64]) -> Self {
        Rounding { graph, variables, parameters, found: HashMap::new() }
    }

    /// Value and error of a term.
    pub fn of(&mut self, node: Node) -> (f64, f64) {
        if let Some(found) = self.found.get(&node) {
            return *found;
        }
        let found = match self.graph.term(node) {
            Term::Constant(bits) => (f64::from_bits(bits), 0.0),
            Term::Variable(i) => (self.variables[i as usize], 0.0),
            Term::Parameter(i) => (self.parameters[i as usize], 0.0),
            Term::Truth(truth) => (f64::from(truth), 0.0),
            Term::Frozen(a) | Term::Sloped(a, _) => self.of(a),
            Term::Less(a, b) => (f64::from(self.of(a).0 < self.of(b).0), 0.0),
            Term::Select(mask, yes, no) => {
                if self.of(mask).0 != 0.0 {
                    self.of(yes)
                } else {
                    self.of(no)
                }
            }
            Term::Unary(f, a) => {
                let (a, error) = self.of(a);
                unary(f, a, error)
            }
            Term::Binary(f, a, b) => {
                let ((a, ea), (b, eb)) = (self.of(a), self.of(b));
                let rounded = |value: f64, error: f64| (value, error + UNIT * value.abs());
                match f {
                    Binary::Add => rounded(a + b, ea + eb),
                    Binary::Sub => rounded(a - b, ea + eb),
                    Binary::Mul => rounded(a * b, a.abs() * eb + b.abs() * ea),
                    Binary::Div => rounded(a / b, (ea + (a / b).abs() * eb) / b.abs()),
                    Binary::Max => {
                        if a < b {
                            (b, eb)
                        } else {
                            (a, ea)
                        }
                    }
                    Binary::Min => {
                        if b < a {
                            (b, eb)
                        } else {
                            (a, ea)
                        }
                    }
                }
            }
        };
        self.found.insert(node, found);
        found
    }
}

fn unary(f: Unary, a: f64, error: f64) -> (f64, f64) {
    let sech_squared = 1.0 / (a.cosh() * a.cosh());
    let (value, slope) = match f {
        Unary::Neg => return (-a, error),
        Unary::Abs => return (a.abs(), error),
        Unary::Sign => return (if a == 0.0 { 0.0 } else { a.signum() }, 0.0),
        Unary::Floor => return (a.floor(), 0.0),
        Unary::Sqrt => (a.sqrt(), 0.5 / a.sqrt()),
        Unary::Exp => (a.exp(), a.exp()),
        Unary::Ln => (a.ln(), 1.0 / a),
        Unary::Sin => (a.sin(), a.cos()),
        Unary::Cos => (a.cos(), a.sin()),
        Unary::Tanh => (a.tanh(), sech_squared),
        // The exponential in it amplifies the rounding of its argument. Dual numbers subtract from one instead.
        Unary::SechSquared => {
            let own = sech_squared * (2.0 * error + UNIT * (4.0 + 2.0 * a.abs()));
            return (sech_squared, own + UNIT);
        }
        Unary::Atan => (a.atan(), 1.0 / (1.0 + a * a)),
        Unary::Asinh => (a.asinh(), 1.0 / (1.0 + a * a).sqrt()),
    };
    let before = if error == 0.0 { 0.0 } else { slope.abs() * error };
    (value, before + UNIT * value.abs())
}
