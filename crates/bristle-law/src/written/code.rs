//! Formulas become a list of operations: units checked, equal pieces shared.

use super::formula::{BinaryOperator, BuiltIn, Formula, FormulaNode, Misread};
use super::reach::{ANY, ValueReach, add, hull, multiply};
use super::run::{CodePlace, LawCode, LawOperation, Leaving};
use bristle_core::units::Dimension;
use std::collections::HashMap;

/// What a name in a formula stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'a> {
    /// A parameter: its place, what it measures and its value.
    Parameter(usize, Dimension, f64),
    /// A state: its place, what it measures and where it can be.
    State(usize, Dimension, [f64; 2]),
    /// Another formula, by its name.
    Term(&'a Formula),
    /// A value of a mode that the author has declared: the place of the mode, and that of the value.
    Mode(u8, u8),
}

/// Where names are looked up.
pub(super) type Names<'a> = HashMap<&'a str, Meaning<'a>>;

/// Names that always mean the same: slip rate, normal load, holding force, the circle's constant.
pub(super) const RESERVED: &[&str] = &["v", "n", "hold", "pi"];

/// What is known of an operation beside its place.
#[derive(Clone, Copy, Debug)]
struct KnownValue {
    place: CodePlace,
    /// Nothing for the number zero, which goes with everything.
    dimension: Option<Dimension>,
}

/// More operations than this are a mistake.
const MOST: usize = 2000;

/// Turns formulas into operations.
pub(super) struct Compiler<'a> {
    names: &'a Names<'a>,
    /// Whether slip rate, load and holding force have their names.
    is_law: bool,
    code: LawCode,
    places: HashMap<LawOperation, CodePlace>,
    reaches: Vec<ValueReach>,
    open: Vec<String>,
    /// Whether the modes that the author has declared are still to be decided.
    is_before_modes: bool,
}

fn misread<T>(at: &Formula, reason: String, hint: impl Into<String>) -> Result<T, Misread> {
    Err(Misread { span: at.span.clone(), reason, hint: hint.into() })
}

impl<'a> Compiler<'a> {
    pub(super) fn new(names: &'a Names<'a>) -> Self {
        Compiler {
            names,
            is_law: true,
            code: LawCode::default(),
            places: HashMap::new(),
            reaches: Vec::new(),
            open: Vec::new(),
            is_before_modes: false,
        }
    }

    /// A law with declared modes: what leads away from their first values is added before anything that asks for them.
    pub(super) fn before_modes(names: &'a Names<'a>) -> Self {
        Compiler { is_before_modes: true, ..Compiler::new(names) }
    }

    /// The law keeps the direction of sliding, whether or not a formula asks for it.
    pub(super) fn keep_direction(&mut self) {
        self.code.uses_direction = true;
    }

    /// From now on formulas may ask for modes.
    pub(super) fn decide(&mut self, modes: Vec<Leaving>) {
        self.code.modes = modes;
        self.is_before_modes = false;
    }

    /// For formulas that are no law's: all their values have names of their own.
    pub(super) fn of_values(names: &'a Names<'a>) -> Self {
        Compiler { is_law: false, ..Compiler::new(names) }
    }

    /// Adds a formula, and gives its place and what it measures.
    pub(super) fn measured(&mut self, formula: &Formula) -> Result<(CodePlace, Dimension), Misread> {
        let known = self.formula(formula)?;
        Ok((known.place, known.dimension.unwrap_or(Dimension::ONE)))
    }

    pub(super) fn finish(self) -> LawCode {
        self.code
    }

    /// Adds a formula and gives its place; it must measure what is expected.
    pub(super) fn add(&mut self, formula: &Formula, expected: Dimension) -> Result<CodePlace, Misread> {
        let known = self.formula(formula)?;
        if known.dimension.is_some_and(|d| d != expected) {
            let found = known.dimension.unwrap_or(expected);
            let reason = format!("it comes out in `{found}`, but `{expected}` is needed");
            return misread(formula, reason, "check the units of its factors");
        }
        Ok(known.place)
    }

    /// Adds a formula that may measure anything.
    pub(super) fn any(&mut self, formula: &Formula) -> Result<CodePlace, Misread> {
        self.formula(formula).map(|known| known.place)
    }

    fn push(
        &mut self,
        operation: LawOperation,
        dimension: Option<Dimension>,
        reach: ValueReach,
    ) -> KnownValue {
        let place = *self.places.entry(operation).or_insert_with(|| {
            self.code.operations.push(operation);
            self.reaches.push(reach);
            (self.code.operations.len() - 1) as CodePlace
        });
        KnownValue { place, dimension }
    }

    fn reach(&self, known: KnownValue) -> ValueReach {
        self.reaches[known.place as usize]
    }

    fn formula(&mut self, f: &Formula) -> Result<KnownValue, Misread> {
        if self.code.operations.len() > MOST {
            return misread(f, "the law has too many operations".to_owned(), "use fewer or shorter formulas");
        }
        match &f.node {
            FormulaNode::Number(x) => {
                let dimension = (*x != 0.0).then_some(Dimension::ONE);
                Ok(self.push(LawOperation::Number(x.to_bits()), dimension, ValueReach::fixed(*x)))
            }
            FormulaNode::Quantity(x, dimension) => {
                let dimension = if self.is_law { *dimension } else { dimension.without_angle() };
                Ok(self.push(LawOperation::Number(x.to_bits()), Some(dimension), ValueReach::fixed(*x)))
            }
            FormulaNode::Name(name) => self.name(f, name),
            FormulaNode::Negative(inner) => {
                let inner = self.formula(inner)?;
                let ValueReach { range: [low, high], is_moving } = self.reach(inner);
                Ok(self.push(
                    LawOperation::Negative(inner.place),
                    inner.dimension,
                    ValueReach { range: [-high, -low], is_moving },
                ))
            }
            FormulaNode::BinaryOperator(BinaryOperator::Power, ab) => self.power(f, &ab[0], &ab[1]),
            FormulaNode::BinaryOperator(kind, ab) => {
                let (a, b) = (self.formula(&ab[0])?, self.formula(&ab[1])?);
                self.binary(f, *kind, a, b, &ab[1])
            }
            FormulaNode::Call(function, list) => self.call(f, *function, list),
            FormulaNode::If(four) => {
                let (a, b, yes, no, dimension) = self.compared(f, four)?;
                let choice = (a.place, b.place);
                let element = self.code.choices.iter().position(|c| *c == choice).unwrap_or_else(|| {
                    self.code.choices.push(choice);
                    self.code.choices.len() - 1
                });
                let (one, other) = (self.reach(yes), self.reach(no));
                let reach = ValueReach { range: hull(one.range, other.range), is_moving: true };
                let operation = LawOperation::If {
                    element: element as u16,
                    a: a.place,
                    b: b.place,
                    yes: yes.place,
                    no: no.place,
                };
                Ok(self.push(operation, dimension, reach))
            }
            FormulaNode::Choose(four) => {
                let (a, b, yes, no, dimension) = self.compared(f, four)?;
                let (left, right) = (self.reach(a), self.reach(b));
                // Parameters decide once and for all.
                let range = match (left.is_moving || right.is_moving, left.range[0] < right.range[0]) {
                    (true, _) => hull(self.reach(yes).range, self.reach(no).range),
                    (false, true) => self.reach(yes).range,
                    (false, false) => self.reach(no).range,
                };
                let is_moving = [a, b, yes, no].into_iter().any(|known| self.reach(known).is_moving);
                let [a, b, yes, no] = [a, b, yes, no].map(|known| known.place);
                let operation = LawOperation::Choose { a, b, yes, no };
                Ok(self.push(operation, dimension, ValueReach { range, is_moving }))
            }
            FormulaNode::InMode(name, both) => {
                let Some(Meaning::Mode(slot, value)) = self.names.get(name.as_str()).copied() else {
                    let modes = self.names.iter().filter(|(_, m)| matches!(m, Meaning::Mode(..)));
                    let hint = match bristle_core::nearest(name, modes.map(|(name, _)| *name)) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "a comparison, as in if(a < b, yes, no), or a value of a mode, as in \
                                 if(slider.slips, yes, no) with modes = { slider = [\"sticks\", \"slips\"] }"
                            .to_owned(),
                    };
                    return misread(f, format!("`{name}` is not the value of a mode"), hint);
                };
                if self.is_before_modes {
                    let reason = "a formula that decides about modes asks for one".to_owned();
                    return misread(f, reason, "let it depend on the slip rate, the load and the states");
                }
                let (yes, no) = (self.formula(&both[0])?, self.formula(&both[1])?);
                let dimension = self.alike(f, "chooses between", yes, no)?;
                let range = hull(self.reach(yes).range, self.reach(no).range);
                let operation = LawOperation::InMode { slot, value, yes: yes.place, no: no.place };
                Ok(self.push(operation, dimension, ValueReach { range, is_moving: true }))
            }
        }
    }

    /// `a`, `b`, `yes`, `no` of a choice, and what it measures.
    #[allow(clippy::type_complexity)]
    fn compared(
        &mut self,
        f: &Formula,
        four: &[Formula; 4],
    ) -> Result<(KnownValue, KnownValue, KnownValue, KnownValue, Option<Dimension>), Misread> {
        let [a, b, yes, no] = four;
        let (a, b) = (self.formula(a)?, self.formula(b)?);
        self.alike(f, "compares", a, b)?;
        let (yes, no) = (self.formula(yes)?, self.formula(no)?);
        let dimension = self.alike(f, "chooses between", yes, no)?;
        Ok((a, b, yes, no, dimension))
    }

    fn name(&mut self, f: &Formula, name: &str) -> Result<KnownValue, Misread> {
        let of = |unit: &str| Dimension::of(unit).ok();
        let moving = |range: [f64; 2]| ValueReach { range, is_moving: true };
        match name {
            "v" | "n" | "hold" if !self.is_law => {}
            "v" => return Ok(self.push(LawOperation::SlipRate, of("m/s"), moving(ANY))),
            "n" => return Ok(self.push(LawOperation::Load, of("N"), moving([1e-9, ANY[1]]))),
            "hold" => {
                self.code.uses_hold = true;
                return Ok(self.push(LawOperation::Hold, of("N"), moving(ANY)));
            }
            "pi" => {
                let pi = std::f64::consts::PI;
                let number = LawOperation::Number(pi.to_bits());
                return Ok(self.push(number, Some(Dimension::ONE), ValueReach::fixed(pi)));
            }
            _ => {}
        }
        match self.names.get(name) {
            Some(Meaning::Parameter(i, dimension, value)) => {
                let parameter = LawOperation::Parameter(*i as u16);
                Ok(self.push(parameter, Some(*dimension), ValueReach::fixed(*value)))
            }
            Some(Meaning::State(i, dimension, range)) => {
                Ok(self.push(LawOperation::State(*i as u16), Some(*dimension), moving(*range)))
            }
            Some(Meaning::Term(term)) => {
                if self.open.iter().any(|o| o == name) {
                    let reason = format!("`{name}` is defined by itself");
                    return misread(f, reason, "a term may use terms that do not use it in turn");
                }
                self.open.push(name.to_owned());
                // What is wrong inside a term is told where the term is read on its own.
                let known = self.formula(term).map_err(|e| Misread { span: f.span.clone(), ..e })?;
                self.open.pop();
                Ok(known)
            }
            Some(Meaning::Mode(..)) => {
                let hint = format!("ask for it: if({name}, yes, no)");
                misread(f, format!("`{name}` is a value of a mode, not a number"), hint)
            }
            None => {
                let reserved = if self.is_law { RESERVED } else { &["pi"] };
                let known = self.names.keys().copied().chain(reserved.iter().copied());
                let hint = match bristle_core::nearest(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if !self.is_law => {
                        "a name is an output such as `block.v`, a number such as `block.mass`, `time`, or pi; \
                         `bristle check` lists the outputs"
                            .to_owned()
                    }
                    None => "a name is a parameter, a state, a term under `where`, or v (slip rate, m/s), n (normal load, N), \
                             hold (force that keeps the slip rate, N), pi"
                        .to_owned(),
                };
                misread(f, format!("`{name}` is not known"), hint)
            }
        }
    }

    /// The dimension two values share.
    fn alike(
        &self,
        f: &Formula,
        verb: &str,
        a: KnownValue,
        b: KnownValue,
    ) -> Result<Option<Dimension>, Misread> {
        match (a.dimension, b.dimension) {
            (Some(a), Some(b)) if a != b => {
                misread(f, format!("it {verb} `{a}` and `{b}`"), "both sides must measure the same")
            }
            (a, b) => Ok(a.or(b)),
        }
    }

    fn binary(
        &mut self,
        f: &Formula,
        kind: BinaryOperator,
        a: KnownValue,
        b: KnownValue,
        right: &Formula,
    ) -> Result<KnownValue, Misread> {
        let (x, y) = (self.reach(a), self.reach(b));
        let is_moving = x.is_moving || y.is_moving;
        let (one, other) = (a.dimension.unwrap_or(Dimension::ONE), b.dimension.unwrap_or(Dimension::ONE));
        let (dimension, range) = match kind {
            BinaryOperator::Add => (self.alike(f, "adds", a, b)?, add(x.range, y.range)),
            BinaryOperator::Subtract => {
                (self.alike(f, "subtracts", a, b)?, add(x.range, [-y.range[1], -y.range[0]]))
            }
            BinaryOperator::Multiply => (Some(one.times(other)), multiply(x.range, y.range)),
            BinaryOperator::Divide | BinaryOperator::Power => {
                if y.range[0] <= 0.0 && y.range[1] >= 0.0 {
                    let hint = "keep it away from zero: max(…, small), a `min` or `max` of the state above or below zero, or 1 + …";
                    return misread(right, "the divisor can be zero".to_owned(), hint);
                }
                (Some(one.over(other)), multiply(x.range, [1.0 / y.range[1], 1.0 / y.range[0]]))
            }
        };
        Ok(self.push(
            LawOperation::BinaryOperator(kind, a.place, b.place),
            dimension,
            ValueReach { range, is_moving },
        ))
    }

    fn power(&mut self, f: &Formula, base: &Formula, exponent: &Formula) -> Result<KnownValue, Misread> {
        let a = self.formula(base)?;
        let dimension = a.dimension.unwrap_or(Dimension::ONE);
        let x = self.reach(a);
        if let Some(k) = exponent.literal().filter(|k| k.fract() == 0.0 && k.abs() <= 16.0) {
            if k < 0.0 && x.range[0] <= 0.0 && x.range[1] >= 0.0 {
                let hint = "keep it away from zero: max(…, small), or 1 + …";
                return misread(base, "the divisor can be zero".to_owned(), hint);
            }
            let k = k as i8;
            return Ok(self.push(
                LawOperation::Whole(a.place, k),
                Some(dimension.power(k.into())),
                x.power(k),
            ));
        }
        let b = self.formula(exponent)?;
        if dimension != Dimension::ONE || b.dimension.is_some_and(|d| d != Dimension::ONE) {
            let reason = format!("a power that is not a whole number needs a pure number, not `{dimension}`");
            return misread(f, reason, "divide by a reference value first: (v/v_s)^gamma");
        }
        if x.range[0] < 0.0 {
            return misread(
                base,
                "the base of this power can be negative".to_owned(),
                "write abs(…)^…, or a whole power",
            );
        }
        let y = self.reach(b);
        let ends = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| x.range[i].powf(y.range[j]));
        let range = ends.iter().fold([f64::MAX, f64::MIN], |r, e| [r[0].min(*e), r[1].max(*e)]);
        let reach = ValueReach { range, is_moving: x.is_moving || y.is_moving };
        Ok(self.push(
            LawOperation::BinaryOperator(BinaryOperator::Power, a.place, b.place),
            Some(Dimension::ONE),
            reach,
        ))
    }

    fn call(&mut self, f: &Formula, function: BuiltIn, list: &[Formula]) -> Result<KnownValue, Misread> {
        if self.is_law
            && function == BuiltIn::Abs
            && let Some(known) = self.speed(&list[0])?
        {
            return Ok(known);
        }
        if self.is_law && function == BuiltIn::Sign && list[0].node == FormulaNode::Name("v".to_owned()) {
            self.code.uses_direction = true;
            let reach = ValueReach { range: [-1.0, 1.0], is_moving: true };
            return Ok(self.push(LawOperation::Direction, Some(Dimension::ONE), reach));
        }
        let a = self.formula(&list[0])?;
        let x = self.reach(a);
        let mut b = a;
        let pure = |at: &Formula, dimension: Option<Dimension>| match dimension {
            Some(d) if d != Dimension::ONE => misread(
                at,
                format!("this function needs a pure number, not `{d}`"),
                "divide by a reference value first",
            ),
            _ => Ok(Some(Dimension::ONE)),
        };
        let each = |g: fn(f64) -> f64| [g(x.range[0]), g(x.range[1])];
        let (dimension, range) = match function {
            BuiltIn::Abs => (a.dimension, x.size()),
            BuiltIn::Sign => (Some(Dimension::ONE), [-1.0, 1.0]),
            BuiltIn::Sqrt => {
                if x.range[0] < 0.0 {
                    return misread(
                        &list[0],
                        "the root of what can be negative".to_owned(),
                        "write sqrt(abs(…)) or sqrt(max(…, 0))",
                    );
                }
                let root = a.dimension.map(Dimension::root);
                let Some(dimension) = root.unwrap_or(Some(Dimension::ONE)) else {
                    let d = a.dimension.unwrap_or(Dimension::ONE);
                    return misread(
                        f,
                        format!("`{d}` has no root"),
                        "the root needs an even power of its unit",
                    );
                };
                (Some(dimension), each(f64::sqrt))
            }
            BuiltIn::Exp => (pure(f, a.dimension)?, each(f64::exp)),
            BuiltIn::Ln => {
                if x.range[0] <= 0.0 {
                    let hint = "write ln(1 + …) or ln(max(…, small))";
                    return misread(
                        &list[0],
                        "the logarithm of what can be zero or negative".to_owned(),
                        hint,
                    );
                }
                (pure(f, a.dimension)?, each(f64::ln))
            }
            BuiltIn::Sin | BuiltIn::Cos => {
                // An angle is a pure number here as in a textbook.
                let is_angle = a.dimension.is_some_and(|d| Dimension::of("rad") == Ok(d));
                if !is_angle {
                    pure(f, a.dimension)?;
                }
                (Some(Dimension::ONE), [-1.0, 1.0])
            }
            BuiltIn::Tanh => (pure(f, a.dimension)?, each(f64::tanh)),
            BuiltIn::Atan => (pure(f, a.dimension)?, each(f64::atan)),
            BuiltIn::Asinh => (pure(f, a.dimension)?, each(f64::asinh)),
            BuiltIn::Min | BuiltIn::Max => {
                b = self.formula(&list[1])?;
                let y = self.reach(b).range;
                let g = if function == BuiltIn::Min { f64::min } else { f64::max };
                (self.alike(f, "compares", a, b)?, [g(x.range[0], y[0]), g(x.range[1], y[1])])
            }
        };
        let is_moving = x.is_moving || self.reach(b).is_moving;
        Ok(self.push(
            LawOperation::Call(function, a.place, b.place),
            dimension,
            ValueReach { range, is_moving },
        ))
    }

    /// `|v|`, and products and quotients that hold it, whose direction the system keeps.
    fn speed(&mut self, f: &Formula) -> Result<Option<KnownValue>, Misread> {
        let names = self.names;
        match &f.node {
            FormulaNode::Name(name) if name == "v" => {
                self.code.uses_direction = true;
                let reach = ValueReach { range: [0.0, ANY[1]], is_moving: true };
                Ok(Some(self.push(LawOperation::Speed, Dimension::of("m/s").ok(), reach)))
            }
            FormulaNode::Name(name) => match names.get(name.as_str()) {
                Some(Meaning::Term(term)) if !self.open.contains(name) => {
                    self.open.push(name.clone());
                    let found = self.speed(term).map_err(|e| Misread { span: f.span.clone(), ..e });
                    self.open.pop();
                    found
                }
                _ => Ok(None),
            },
            FormulaNode::Negative(inner) => self.speed(inner),
            FormulaNode::BinaryOperator(kind @ (BinaryOperator::Multiply | BinaryOperator::Divide), ab) => {
                let (a, b) = (self.speed(&ab[0])?, self.speed(&ab[1])?);
                if a.is_none() && b.is_none() {
                    return Ok(None);
                }
                let mut side = |known: Option<KnownValue>, f: &Formula| match known {
                    Some(known) => Ok(known),
                    None => self.call(f, BuiltIn::Abs, std::slice::from_ref(f)),
                };
                let (a, b) = (side(a, &ab[0])?, side(b, &ab[1])?);
                self.binary(f, *kind, a, b, &ab[1]).map(Some)
            }
            _ => Ok(None),
        }
    }
}
