//! Formulas as people write them: `sigma0 * z + sigma1 * exp(-(v/v_d)^2) * slide`.

use bristle_core::units::{self, Dimension};
use std::ops::Range;

/// A formula, with the place of each piece in its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Formula {
    pub(super) span: Range<usize>,
    pub(super) node: FormulaNode,
}

impl Formula {
    /// Its number, if it is nothing else.
    pub(super) fn literal(&self) -> Option<f64> {
        match &self.node {
            FormulaNode::Number(x) => Some(*x),
            FormulaNode::Negative(inner) => inner.literal().map(|x| -x),
            _ => None,
        }
    }
}

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FormulaNode {
    Number(f64),
    /// `'1e-3 m/s'`: a number with a unit, in SI.
    Quantity(f64, Dimension),
    Name(String),
    Negative(Box<Formula>),
    BinaryOperator(BinaryOperator, Box<[Formula; 2]>),
    /// A function of one or two arguments.
    Call(BuiltIn, Vec<Formula>),
    /// `if(a < b, yes, no)`: `a`, `b`, `yes`, `no`.
    If(Box<[Formula; 4]>),
    /// `choose(a < b, yes, no)`: the same, by the values alone.
    Choose(Box<[Formula; 4]>),
    /// `if(slider.slips, yes, no)`: a value of a mode, `yes`, `no`.
    InMode(String, Box<[Formula; 2]>),
}

/// An operation between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A function that formulas may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BuiltIn {
    Abs,
    Sign,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Tanh,
    Atan,
    Asinh,
    Min,
    Max,
}

impl BuiltIn {
    /// Names and numbers of arguments.
    pub(super) const ALL: &'static [(&'static str, BuiltIn, usize)] = &[
        ("abs", BuiltIn::Abs, 1),
        ("sign", BuiltIn::Sign, 1),
        ("sqrt", BuiltIn::Sqrt, 1),
        ("exp", BuiltIn::Exp, 1),
        ("ln", BuiltIn::Ln, 1),
        ("sin", BuiltIn::Sin, 1),
        ("cos", BuiltIn::Cos, 1),
        ("tanh", BuiltIn::Tanh, 1),
        ("atan", BuiltIn::Atan, 1),
        ("asinh", BuiltIn::Asinh, 1),
        ("min", BuiltIn::Min, 2),
        ("max", BuiltIn::Max, 2),
    ];
}

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Misread {
    pub(super) span: Range<usize>,
    pub(super) reason: String,
    pub(super) hint: String,
}

/// Brackets nested deeper than this are a mistake.
const DEEPEST: usize = 64;

/// Longest text of a formula.
const LONGEST: usize = 4000;

/// Reads a formula.
pub(super) fn read(text: &str) -> Result<Formula, Misread> {
    if text.len() > LONGEST {
        let reason = format!("a formula of {} characters", text.len());
        let hint = "give pieces of it names of their own under `where`".to_owned();
        return Err(Misread { span: 0..0, reason, hint });
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let formula = parser.sum()?;
    parser.space();
    if parser.at < text.len() {
        let end = parser.at + parser.rest().chars().next().map_or(0, char::len_utf8);
        let found = &text[parser.at..end];
        let hint = match found {
            ")" => "a bracket closes that was never opened",
            "=" => "a formula has no equals sign; its name stands before it",
            _ => "operations are + - * / ^; multiplication is written with *",
        };
        return Err(parser.wrong(parser.at..end, format!("`{found}` does not belong here"), hint));
    }
    Ok(formula)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn wrong(&self, span: Range<usize>, reason: String, hint: &str) -> Misread {
        Misread { span, reason, hint: hint.to_owned() }
    }

    /// Takes a sign if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        self.space();
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    fn expect(&mut self, sign: &str, hint: &str) -> Result<(), Misread> {
        if self.take(sign) {
            return Ok(());
        }
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        Err(self.wrong(self.at..end, format!("a `{sign}` is missing"), hint))
    }

    fn join(left: Formula, kind: BinaryOperator, right: Formula) -> Formula {
        let span = left.span.start..right.span.end;
        Formula { span, node: FormulaNode::BinaryOperator(kind, Box::new([left, right])) }
    }

    fn sum(&mut self) -> Result<Formula, Misread> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let reason = format!("brackets nested deeper than {DEEPEST}");
            return Err(self.wrong(self.at..self.at, reason, "name pieces of it under `where`"));
        }
        let mut left = self.product()?;
        loop {
            let kind = match () {
                () if self.take("+") => BinaryOperator::Add,
                () if self.take("-") => BinaryOperator::Subtract,
                () => break,
            };
            left = Self::join(left, kind, self.product()?);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn product(&mut self) -> Result<Formula, Misread> {
        let mut left = self.signed()?;
        loop {
            let kind = match () {
                () if self.take("**") => {
                    let span = self.at - 2..self.at;
                    return Err(self.wrong(
                        span,
                        "`**` is not an operation".to_owned(),
                        "a power is written x^2",
                    ));
                }
                () if self.take("*") || self.take("·") => BinaryOperator::Multiply,
                () if self.take("/") => BinaryOperator::Divide,
                () => return Ok(left),
            };
            left = Self::join(left, kind, self.signed()?);
        }
    }

    /// A sign binds less than a power: `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<Formula, Misread> {
        self.space();
        let start = self.at;
        let mut is_negative = false;
        loop {
            match () {
                () if self.take("-") => is_negative = !is_negative,
                () if self.take("+") => {}
                () => break,
            }
        }
        let inner = self.power()?;
        if !is_negative {
            return Ok(inner);
        }
        Ok(Formula { span: start..inner.span.end, node: FormulaNode::Negative(Box::new(inner)) })
    }

    fn power(&mut self) -> Result<Formula, Misread> {
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(
                self.at..self.at,
                "powers of powers".to_owned(),
                "name pieces of it under `where`",
            ));
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(Self::join(base, BinaryOperator::Power, exponent))
    }

    fn atom(&mut self) -> Result<Formula, Misread> {
        self.space();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Err(self.wrong(
                start..start,
                "the formula ends too early".to_owned(),
                "something is missing here",
            ));
        };
        if first == '(' {
            self.at += 1;
            let inner = self.sum()?;
            self.expect(")", "every bracket that opens must close")?;
            return Ok(Formula { span: start..self.at, node: inner.node });
        }
        if first.is_ascii_digit() || first == '.' {
            return self.number(start);
        }
        if first == '\'' {
            return self.quantity(start);
        }
        let length = self.name_length();
        if !is_letter(first) || length == 0 {
            let span = start..start + first.len_utf8();
            return Err(self.wrong(
                span,
                format!("`{first}` does not belong here"),
                "a number, a name or a bracket comes here",
            ));
        }
        self.at += length;
        let name = self.text[start..self.at].to_owned();
        if self.take("(") {
            return self.call(start, &name);
        }
        Ok(Formula { span: start..start + length, node: FormulaNode::Name(name) })
    }

    /// How long a name is that comes next: letters and digits, and dots between them, as in `block.v`.
    fn name_length(&self) -> usize {
        let mut length = 0;
        for (i, c) in self.rest().char_indices() {
            let goes_on = || self.rest()[i + 1..].starts_with(is_letter);
            if !(is_letter(c) || c.is_ascii_digit() || c == '.' && i > 0 && goes_on()) {
                break;
            }
            length = i + c.len_utf8();
        }
        length
    }

    /// A number with a unit, between single quotation marks.
    fn quantity(&mut self, start: usize) -> Result<Formula, Misread> {
        const SHAPE: &str = "a number with a unit stands between quotation marks: '0.5 m/s'";
        let Some(length) = self.rest()[1..].find('\'') else {
            return Err(self.wrong(
                start..self.text.len(),
                "a quotation mark does not close".to_owned(),
                SHAPE,
            ));
        };
        self.at += length + 2;
        let span = start..self.at;
        match units::quantity(&self.text[start + 1..self.at - 1]) {
            Ok((value, dimension)) => Ok(Formula { span, node: FormulaNode::Quantity(value, dimension) }),
            Err(error) => Err(self.wrong(span, error.to_string(), SHAPE)),
        }
    }

    fn number(&mut self, start: usize) -> Result<Formula, Misread> {
        let bytes = self.text.as_bytes();
        let digits = |mut i: usize| {
            while bytes.get(i).is_some_and(u8::is_ascii_digit) {
                i += 1;
            }
            i
        };
        let mut end = digits(start);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
                end = digits(end + 1 + sign);
            }
        }
        self.at = end;
        let text = &self.text[start..end];
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                Ok(Formula { span: start..end, node: FormulaNode::Number(number) })
            }
            _ => Err(self.wrong(start..end, format!("`{text}` is not a number"), "write 0.5 or 1e-3")),
        }
    }

    fn call(&mut self, start: usize, name: &str) -> Result<Formula, Misread> {
        if name == "if" || name == "choose" {
            return self.choice(start, name == "if");
        }
        let Some((_, function, count)) = BuiltIn::ALL.iter().find(|(n, ..)| *n == name).copied() else {
            let names: Vec<&str> = BuiltIn::ALL.iter().map(|f| f.0).chain(["if", "choose"]).collect();
            let hint = match bristle_core::nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? A product is written with *"),
                None => format!("functions are {}; a product is written with *", names.join(", ")),
            };
            return Err(self.wrong(start..start + name.len(), format!("`{name}` is not a function"), &hint));
        };
        let mut arguments = vec![self.sum()?];
        while self.take(",") {
            arguments.push(self.sum()?);
        }
        self.expect(")", "the bracket of a function must close")?;
        if arguments.len() != count {
            let reason = format!(
                "`{name}` has {count} argument{}, not {}",
                if count == 1 { "" } else { "s" },
                arguments.len()
            );
            return Err(self.wrong(start..self.at, reason, "arguments are separated by commas"));
        }
        Ok(Formula { span: start..self.at, node: FormulaNode::Call(function, arguments) })
    }

    fn choice(&mut self, start: usize, is_located: bool) -> Result<Formula, Misread> {
        const SHAPE: &str = "a choice is written if(a < b, yes, no), or if(slider.slips, yes, no) for a mode";
        let left = self.sum()?;
        let is_less = match () {
            () if self.take("<=") || self.take("<") => Some(true),
            () if self.take(">=") || self.take(">") => Some(false),
            () if is_located && matches!(&left.node, FormulaNode::Name(name) if name.contains('.')) => None,
            () => return Err(self.wrong(left.span.clone(), "a comparison is missing".to_owned(), SHAPE)),
        };
        let right = if is_less.is_some() { self.sum()? } else { left.clone() };
        self.expect(",", SHAPE)?;
        let yes = self.sum()?;
        self.expect(",", SHAPE)?;
        let no = self.sum()?;
        self.expect(")", SHAPE)?;
        let node = match (is_less, left.node) {
            (None, FormulaNode::Name(mode)) => FormulaNode::InMode(mode, Box::new([yes, no])),
            (is_less, node) => {
                let left = Formula { span: left.span, node };
                let (a, b) = if is_less == Some(false) { (right, left) } else { (left, right) };
                let four = Box::new([a, b, yes, no]);
                if is_located { FormulaNode::If(four) } else { FormulaNode::Choose(four) }
            }
        };
        Ok(Formula { span: start..self.at, node })
    }
}

/// Letters of a name: those of any alphabet, and the underscore.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_' || ('₀'..='₉').contains(&c)
}

#[cfg(test)]
mod formula_tests {
    use super::*;

    fn shape(text: &str) -> String {
        fn show(f: &Formula) -> String {
            match &f.node {
                FormulaNode::Number(x) => format!("{x}"),
                FormulaNode::Quantity(x, unit) => format!("{x} {unit}"),
                FormulaNode::Name(n) => n.clone(),
                FormulaNode::Negative(a) => format!("(-{})", show(a)),
                FormulaNode::BinaryOperator(kind, ab) => {
                    let sign = match kind {
                        BinaryOperator::Add => '+',
                        BinaryOperator::Subtract => '-',
                        BinaryOperator::Multiply => '*',
                        BinaryOperator::Divide => '/',
                        BinaryOperator::Power => '^',
                    };
                    format!("({}{sign}{})", show(&ab[0]), show(&ab[1]))
                }
                FormulaNode::Call(function, list) => {
                    format!("{function:?}[{}]", list.iter().map(show).collect::<Vec<_>>().join(","))
                }
                FormulaNode::If(four) | FormulaNode::Choose(four) => {
                    format!("if[{}]", four.iter().map(show).collect::<Vec<_>>().join(","))
                }
                FormulaNode::InMode(name, both) => {
                    format!("{name}[{}]", both.iter().map(show).collect::<Vec<_>>().join(","))
                }
            }
        }
        show(&read(text).unwrap())
    }

    #[test]
    fn operations_bind_as_in_mathematics() {
        for (text, expected) in [
            ("a + b*c", "(a+(b*c))"),
            ("a - b - c", "((a-b)-c)"),
            ("a/b/c", "((a/b)/c)"),
            ("-x^2", "(-(x^2))"),
            ("2^-1", "(2^(-1))"),
            ("a^b^c", "(a^(b^c))"),
            ("exp(-(v/v_s)^2)", "Exp[(-((v/v_s)^2))]"),
            ("1.5e-3*σ₀", "(0.0015*σ₀)"),
            ("if(a >= b, 1, 2)", "if[b,a,1,2]"),
            ("choose(a < b, 1, 2)", "if[a,b,1,2]"),
            ("if(first.slips, a, b*c)", "first.slips[a,(b*c)]"),
            ("max(a, -b)", "Max[a,(-b)]"),
            ("a * -b", "(a*(-b))"),
            ("push.force * block.v", "(push.force*block.v)"),
            ("max(a.b2, '5 mm/s')", "Max[a.b2,0.005 m/s]"),
            ("2.5*a", "(2.5*a)"),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        for (text, span, reason) in [
            ("a + ", 4..4, "ends too early"),
            ("a b", 2..3, "does not belong"),
            ("a ** 2", 2..4, "not an operation"),
            ("(a + b", 6..6, "`)` is missing"),
            ("a)", 1..2, "does not belong"),
            ("foo(a)", 0..3, "not a function"),
            ("min(a)", 0..6, "2 arguments"),
            ("if(a, b, c)", 3..4, "comparison"),
            ("a = 2", 2..3, "does not belong"),
            ("$x", 0..1, "does not belong"),
            ("a. * b", 1..2, "does not belong"),
            ("'3 parsecs'", 0..11, "parsecs"),
            ("'3 m", 0..4, "does not close"),
        ] {
            let wrong = read(text).unwrap_err();
            assert_eq!(wrong.span, span, "{text}");
            assert!(wrong.reason.contains(reason), "{text}: {}", wrong.reason);
        }
        assert!(read(&"(".repeat(1000)).is_err());
        assert!(read(&"-".repeat(3000)).is_err());
    }
}
