//! Programs as C99.

use crate::graph::{Graph, Node, Term, operands};
use crate::operation::{Binary, Unary};
use crate::program::{Program, is_leaf};
use std::fmt::Write;

/// Functions of ours that C does not have, or has in another form, in the order in which they are printed.
const HELPERS: [(&[Unary], &str); 4] = [
    (
        &[Unary::Sign],
        "static double bristle_sign(double a)\n{\n    return 0.0 < a ? 1.0 : a < 0.0 ? -1.0 : 0.0;\n}\n",
    ),
    (
        &[Unary::Tanh],
        "static double bristle_tanh(double a)\n{\n    return fabs(a) > 20.0 ? copysign(1.0, a) : tanh(a);\n}\n",
    ),
    (
        &[Unary::SechSquared],
        "static double bristle_sech_squared(double a)\n{\n    const double e = exp((a < 0.0 ? -a : a) * -2.0);\n    \
         const double d = e + 1.0;\n    return e * 4.0 / (d * d);\n}\n",
    ),
    (
        &[Unary::Asinh],
        "static double bristle_asinh(double a)\n{\n    const double size = fabs(a);\n    \
         const double inverse = 1.0 / size;\n    \
         return copysign(log1p(size + size / (hypot(1.0, inverse) + inverse)), a);\n}\n",
    ),
];

/// The program as one function, preceded by what it needs.
pub(crate) fn function(program: &Program, name: &str) -> String {
    format!("#include <math.h>\n\n{}{}", helpers(&[program]), body(program, name))
}

/// The terms that results depend on.
fn terms(program: &Program) -> impl Iterator<Item = Term> {
    let is_reached = program.graph.reachable(&program.roots);
    let all: Vec<Term> =
        (0..is_reached.len()).filter(|i| is_reached[*i]).map(|i| program.graph.term_at(i)).collect();
    all.into_iter()
}

/// The functions that these programs call, once each.
pub(crate) fn helpers(programs: &[&Program]) -> String {
    let mut text = String::new();
    for (functions, helper) in HELPERS {
        let calls = |term: Term| matches!(term, Term::Unary(f, _) if functions.contains(&f));
        if programs.iter().any(|program| terms(program).any(calls)) {
            text += helper;
            text.push('\n');
        }
    }
    text
}

/// The program as one function.
pub(crate) fn body(program: &Program, name: &str) -> String {
    let graph = &program.graph;
    let is_reached = graph.reachable(&program.roots);
    let terms = || terms(program);
    let mut text = String::new();
    let mut line = |indented: String| {
        text += &indented;
        text.push('\n');
    };
    line(format!(
        "/* y[0..{}] from variables x[0..{}] and parameters p[0..{}]; compile with -ffp-contract=off. */",
        program.roots.len(),
        program.variables,
        program.parameters
    ));
    line(format!("void {name}(const double *x, const double *p, double *y)"));
    line("{".to_owned());
    for (input, is_used) in [
        ('x', terms().any(|term| matches!(term, Term::Variable(_)))),
        ('p', terms().any(|term| matches!(term, Term::Parameter(_)))),
        ('y', !program.roots.is_empty()),
    ] {
        if !is_used {
            line(format!("    (void){input};"));
        }
    }
    let mut printer = Printer { graph, names: vec![String::new(); is_reached.len()] };
    let is_root = |i: usize| program.roots.iter().any(|root| root.index() == i);
    let mut count = 0;
    for i in (0..is_reached.len()).filter(|i| is_reached[*i]) {
        let term = graph.term_at(i);
        // Comparisons stand where they are used.
        if is_leaf(term) || (matches!(term, Term::Less(..)) && !is_root(i)) {
            printer.names[i] = printer.expression(term);
            continue;
        }
        line(format!("    const double t{count} = {};", printer.expression(term)));
        printer.names[i] = format!("t{count}");
        count += 1;
    }
    for (i, root) in program.roots.iter().enumerate() {
        line(format!("    y[{i}] = {};", printer.names[root.index()]));
    }
    line("}".to_owned());
    text
}

struct Printer<'a> {
    graph: &'a Graph,
    names: Vec<String>,
}

impl Printer<'_> {
    fn expression(&self, term: Term) -> String {
        let name = |node: Node| self.names[node.index()].as_str();
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = match term {
            Term::Constant(bits) => write!(text, "{}", literal(f64::from_bits(bits))),
            Term::Variable(i) => write!(text, "x[{i}]"),
            Term::Parameter(i) => write!(text, "p[{i}]"),
            Term::Truth(truth) => write!(text, "{:?}", f64::from(truth)),
            Term::Unary(f, a) => match f {
                Unary::Neg => write!(text, "-{}", name(a)),
                Unary::Abs => write!(text, "{0} < 0.0 ? -{0} : {0}", name(a)),
                Unary::Sign => write!(text, "bristle_sign({})", name(a)),
                Unary::Sqrt => write!(text, "sqrt({})", name(a)),
                Unary::Exp => write!(text, "exp({})", name(a)),
                Unary::Ln => write!(text, "log({})", name(a)),
                Unary::Sin => write!(text, "sin({})", name(a)),
                Unary::Cos => write!(text, "cos({})", name(a)),
                Unary::Tanh => write!(text, "bristle_tanh({})", name(a)),
                Unary::SechSquared => write!(text, "bristle_sech_squared({})", name(a)),
                Unary::Atan => write!(text, "atan({})", name(a)),
                Unary::Asinh => write!(text, "bristle_asinh({})", name(a)),
                Unary::Floor => write!(text, "floor({})", name(a)),
            },
            Term::Binary(f, a, b) => match f {
                Binary::Add => write!(text, "{} + {}", name(a), name(b)),
                Binary::Sub => write!(text, "{} - {}", name(a), name(b)),
                Binary::Mul => write!(text, "{} * {}", name(a), name(b)),
                Binary::Div => write!(text, "{} / {}", name(a), name(b)),
                Binary::Max => write!(text, "{0} < {1} ? {1} : {0}", name(a), name(b)),
                Binary::Min => write!(text, "{1} < {0} ? {1} : {0}", name(a), name(b)),
            },
            Term::Less(a, b) => write!(text, "{} < {}", name(a), name(b)),
            Term::Select(mask, yes, no) => match self.graph.term(mask) {
                Term::Less(a, b) => write!(text, "{} < {} ? {} : {}", name(a), name(b), name(yes), name(no)),
                _ => Ok(()),
            },
            Term::Frozen(_) | Term::Sloped(..) => {
                operands(term).take(1).try_for_each(|a| write!(text, "{}", name(a)))
            }
        };
        text
    }
}

/// A number that C reads back exactly: the shortest decimals that belong to no other number.
fn literal(value: f64) -> String {
    if value.is_nan() {
        "NAN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "INFINITY".to_owned() } else { "(-INFINITY)".to_owned() }
    } else if value.is_sign_negative() {
        format!("({value:?})")
    } else {
        format!("{value:?}")
    }
}
