//! The mini markup of labels and paragraphs.
//!
//! ```text
//! $x_1$, $v_{rel}^2$     symbols: letters italic, digits and indices upright
//! v_{b}, 10^{-6}         indices and exponents in running text
//! \mu, \sigma_0          Greek letters by name, inside $…$
//! **bold**, `code`       for paragraphs
//! [words](laws/dahl.html) a link to a file of the same result
//! ```
//!
//! Anything that does not fit is taken literally, so plain names need no escaping.

use std::fmt::Write;

/// Whether a run stands on, below or above the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// On the line.
    #[default]
    Base,
    /// An index.
    Sub,
    /// An exponent.
    Sup,
}

/// Text of one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRun {
    /// The text.
    pub text: String,
    /// Whether it is italic.
    pub is_italic: bool,
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether it is source code.
    pub is_code: bool,
    /// Whether it is raised or lowered.
    pub level: Level,
    /// The file of the same result it leads to; empty for none.
    pub link: String,
}

/// Splits marked-up text into runs.
pub fn parse(text: &str) -> Vec<TextRun> {
    let mut out = Writer::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = if let Some((inner, tail)) = enclosed(rest, "$").filter(|(i, _)| !i.trim().is_empty()) {
            out.symbols(inner);
            tail
        } else if let Some((inner, tail)) = enclosed(rest, "**") {
            out.bold = true;
            out.text(inner);
            out.bold = false;
            tail
        } else if let Some((inner, tail)) = enclosed(rest, "`") {
            out.push_run(TextRun { text: inner.into(), is_code: true, ..TextRun::default() });
            tail
        } else if let Some((words, target, tail)) = link(rest) {
            out.push_run(TextRun { text: words.into(), link: target.into(), ..TextRun::default() });
            tail
        } else if let Some((level, inner, tail)) = braced_script(rest) {
            out.italicise_single_letter();
            out.script(level, inner);
            tail
        } else {
            out.character(c);
            after
        };
    }
    out.runs
}

/// The text without any markup, scripts written with Unicode where it has them.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    for run in parse(text) {
        match run.level {
            Level::Base => out.push_str(&run.text),
            level => match script_characters(&run.text, level) {
                Some(script) => out.push_str(&script),
                None => {
                    out.push(if level == Level::Sub { '_' } else { '^' });
                    out.push_str(&run.text);
                }
            },
        }
    }
    out
}

/// The text as HTML, escaped.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    for run in parse(text) {
        let mut piece = escape(&run.text);
        for (applies, tag) in [
            (run.is_code, "code"),
            (run.is_italic, "i"),
            (run.is_bold, "b"),
            (run.level == Level::Sub, "sub"),
            (run.level == Level::Sup, "sup"),
        ] {
            if applies {
                piece = format!("<{tag}>{piece}</{tag}>");
            }
        }
        if !run.link.is_empty() {
            piece = format!("<a href=\"{}\">{piece}</a>", escape(&run.link));
        }
        let _ = write!(out, "{piece}");
    }
    out
}

/// `[words](target)` at the begin of a text, where the target is a path within the same result: letters, digits and
/// `._-/`, not from the root and not upwards, so that no text can lead a reader elsewhere.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (target, tail) = rest.split_once(')')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let is_inside = target.chars().all(is_plain) && target.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_one = !words.is_empty() && !words.contains(['[', ']']);
    (is_one && is_inside && !target.contains("..")).then_some((words, target, tail))
}

/// A unit for display: `m/s^2` becomes `m/s²`, `N*s` becomes `N·s`.
pub fn unit(unit: &str) -> String {
    let mut out = String::new();
    let mut chars = unit.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' => out.push('·'),
            '^' => {
                let mut power = String::new();
                while let Some(d) = chars.next_if(|&d| matches!(d, '-' | '−') || d.is_ascii_digit()) {
                    power.push(if d == '-' { '−' } else { d });
                }
                match script_characters(&power, Level::Sup).filter(|p| !p.is_empty()) {
                    Some(power) => out.push_str(&power),
                    None => out.push('^'),
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// Escapes text for HTML, SVG and attribute values; characters XML forbids are dropped.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

#[derive(Default)]
struct Writer {
    runs: Vec<TextRun>,
    bold: bool,
}

impl Writer {
    fn push_run(&mut self, run: TextRun) {
        match self.runs.last_mut() {
            Some(last)
                if TextRun { text: String::new(), ..last.clone() }
                    == TextRun { text: String::new(), ..run.clone() } =>
            {
                last.text.push_str(&run.text);
            }
            _ => self.runs.push(run),
        }
    }

    fn put(&mut self, text: &str, is_italic: bool, level: Level) {
        self.push_run(TextRun {
            text: text.into(),
            is_italic,
            is_bold: self.bold,
            is_code: false,
            level,
            link: String::new(),
        });
    }

    /// Bold text may hold symbols but no further emphasis.
    fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            rest = if let Some((inner, tail)) = enclosed(rest, "$") {
                self.symbols(inner);
                tail
            } else {
                self.character(c);
                &rest[c.len_utf8()..]
            };
        }
    }

    /// A character of running text; Unicode scripts become true indices and exponents.
    fn character(&mut self, c: char) {
        match unscript(c) {
            Some((level, base)) => self.put(base.encode_utf8(&mut [0; 4]), false, level),
            None => self.put(c.encode_utf8(&mut [0; 4]), false, Level::Base),
        }
    }

    fn script(&mut self, level: Level, text: &str) {
        let mut inner = Writer { bold: self.bold, ..Writer::default() };
        inner.symbols(text);
        let text: String = inner.runs.iter().map(|r| r.text.as_str()).collect();
        self.put(&text.replace('-', "−"), false, level);
    }

    /// A lone letter before an index is a symbol: the `v` of `v_{b}`.
    fn italicise_single_letter(&mut self) {
        let Some(last) = self.runs.last_mut() else { return };
        if last.is_italic || last.level != Level::Base {
            return;
        }
        let mut back = last.text.chars().rev();
        let (letter, before) = (back.next(), back.next());
        if let Some(letter) = letter.filter(|c| c.is_alphabetic())
            && !before.is_some_and(char::is_alphanumeric)
        {
            last.text.truncate(last.text.len() - letter.len_utf8());
            if last.text.is_empty() {
                self.runs.pop();
            }
            self.put(letter.encode_utf8(&mut [0; 4]), true, Level::Base);
        }
    }

    /// The inside of `$…$`.
    fn symbols(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let after = &rest[c.len_utf8()..];
            rest = after;
            if let Some((level, inner, tail)) =
                braced_script(&text[text.len() - after.len() - c.len_utf8()..])
            {
                self.script(level, inner);
                rest = tail;
            } else if matches!(c, '_' | '^') && !after.is_empty() {
                let level = if c == '_' { Level::Sub } else { Level::Sup };
                let mut end = after.chars().next().map_or(0, char::len_utf8);
                if let Some(name) = after.strip_prefix('\\') {
                    end = 1 + name.find(|d: char| !d.is_ascii_alphabetic()).unwrap_or(name.len());
                }
                self.script(level, &after[..end]);
                rest = &after[end..];
            } else if c == '\\' {
                let end = after.find(|d: char| !d.is_ascii_alphabetic()).unwrap_or(after.len());
                match greek(&after[..end]) {
                    Some(symbol) => {
                        let is_letter = symbol.chars().all(char::is_alphabetic);
                        self.put(symbol, is_letter, Level::Base);
                    }
                    // A name such as \log stays upright.
                    None => self.put(&after[..end], false, Level::Base),
                }
                rest = &after[end..];
            } else if let Some((level, base)) = unscript(c) {
                self.put(base.encode_utf8(&mut [0; 4]), false, level);
            } else if c == '-' {
                self.put("−", false, Level::Base);
            } else {
                self.put(c.encode_utf8(&mut [0; 4]), c.is_alphabetic(), Level::Base);
            }
        }
    }
}

/// `text` between two marks at the start of `rest`, and what follows.
fn enclosed<'a>(rest: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let inner = rest.strip_prefix(mark)?;
    let end = inner.find(mark)?;
    Some((&inner[..end], &inner[end + mark.len()..]))
}

/// `_{…}` or `^{…}` at the start of `rest`, and what follows.
fn braced_script(rest: &str) -> Option<(Level, &str, &str)> {
    let (level, inner) = match (rest.strip_prefix("_{"), rest.strip_prefix("^{")) {
        (Some(inner), _) => (Level::Sub, inner),
        (_, Some(inner)) => (Level::Sup, inner),
        _ => return None,
    };
    let end = inner.find('}')?;
    Some((level, &inner[..end], &inner[end + 1..]))
}

const SCRIPTS: [(char, char, char); 14] = [
    ('0', '₀', '⁰'),
    ('1', '₁', '¹'),
    ('2', '₂', '²'),
    ('3', '₃', '³'),
    ('4', '₄', '⁴'),
    ('5', '₅', '⁵'),
    ('6', '₆', '⁶'),
    ('7', '₇', '⁷'),
    ('8', '₈', '⁸'),
    ('9', '₉', '⁹'),
    ('+', '₊', '⁺'),
    ('−', '₋', '⁻'),
    ('(', '₍', '⁽'),
    (')', '₎', '⁾'),
];

/// The level and base character of a Unicode index or exponent.
fn unscript(c: char) -> Option<(Level, char)> {
    SCRIPTS.iter().find_map(|&(base, sub, sup)| match c {
        _ if c == sub => Some((Level::Sub, base)),
        _ if c == sup => Some((Level::Sup, base)),
        _ => None,
    })
}

fn script_characters(text: &str, level: Level) -> Option<String> {
    text.chars()
        .map(|c| {
            let row = SCRIPTS.iter().find(|s| s.0 == c)?;
            Some(if level == Level::Sub { row.1 } else { row.2 })
        })
        .collect()
}

fn greek(name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 30] = [
        ("alpha", "α"),
        ("beta", "β"),
        ("gamma", "γ"),
        ("delta", "δ"),
        ("epsilon", "ε"),
        ("zeta", "ζ"),
        ("eta", "η"),
        ("theta", "θ"),
        ("kappa", "κ"),
        ("lambda", "λ"),
        ("mu", "μ"),
        ("nu", "ν"),
        ("xi", "ξ"),
        ("pi", "π"),
        ("rho", "ρ"),
        ("sigma", "σ"),
        ("tau", "τ"),
        ("phi", "φ"),
        ("psi", "ψ"),
        ("omega", "ω"),
        ("Gamma", "Γ"),
        ("Delta", "Δ"),
        ("Omega", "Ω"),
        ("Phi", "Φ"),
        ("cdot", "·"),
        ("times", "×"),
        ("le", "≤"),
        ("ge", "≥"),
        ("infty", "∞"),
        ("pm", "±"),
    ];
    NAMES.iter().find(|(n, _)| *n == name).map(|(_, s)| *s)
}

#[cfg(test)]
mod markup_tests {
    use super::*;

    #[test]
    fn a_link_stays_within_the_result() {
        assert_eq!(html("see [dahl](laws/dahl.html)"), "see <a href=\"laws/dahl.html\">dahl</a>");
        assert_eq!(plain("see [dahl](laws/dahl.html)"), "see dahl");
        for elsewhere in ["[x](https://a.b)", "[x](/etc)", "[x](a/../../b)", "[x](javascript:y)", "[x](a b)"]
        {
            assert!(!html(elsewhere).contains("href"), "{elsewhere}");
        }
    }

    #[test]
    fn symbols_are_italic_and_indices_upright() {
        assert_eq!(
            html("speed $v_{rel}^2$ of $\\mu_s$"),
            "speed <i>v</i><sub>rel</sub><sup>2</sup> of <i>μ</i><sub>s</sub>"
        );
        assert_eq!(html("v_{b}, 10^{-6}"), "<i>v</i><sub>b</sub>, 10<sup>−6</sup>");
        assert_eq!(html("σ₀ and $x_1$"), "σ<sub>0</sub> and <i>x</i><sub>1</sub>");
    }

    #[test]
    fn everything_else_is_literal() {
        assert_eq!(plain("file_name costs 5$ ^ *"), "file_name costs 5$ ^ *");
        assert_eq!(html("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
        assert_eq!(plain("open $x and **bold"), "open $x and **bold");
        assert_eq!(plain("$$ x_{ ^{"), "$$ x_{ ^{");
    }

    #[test]
    fn plain_text_keeps_scripts_where_unicode_has_them() {
        assert_eq!(plain("$x_1^2$ at 1.5×10^{−7} $v_{max}$"), "x₁² at 1.5×10⁻⁷ v_max");
    }

    #[test]
    fn units_get_true_exponents() {
        assert_eq!(unit("N*s/m^2"), "N·s/m²");
        assert_eq!(unit("m s^-2"), "m s⁻²");
        assert_eq!(unit("s^x"), "s^x");
        assert_eq!(html(&unit("m/s^2")), "m/s<sup>2</sup>");
    }

    #[test]
    fn emphasis_and_code() {
        assert_eq!(html("**so $x$** `a_b`"), "<b>so </b><b><i>x</i></b> <code>a_b</code>");
    }
}
