//! Laws and mechanisms as C: one source file and its header, C99, without dependencies or allocation.
//!
//! What is printed is what was recorded, so that the compiled text gives the bits of the equations (with contraction off).

mod law;
mod scenario;

pub use law::law;
pub use scenario::scenario;

use crate::error::RunError;
use bristle_tape::Program;

/// A source file and its header.
#[derive(Clone, Debug, PartialEq)]
pub struct CFiles {
    /// What the files and functions are called.
    pub name: String,
    /// `name.h`.
    pub header: String,
    /// `name.c`.
    pub source: String,
}

/// A word that C takes for a name.
fn identifier(text: &str) -> String {
    let word: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let word = word.trim_matches('_').to_owned();
    let begins_well = word.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins_well { word } else { format!("model_{word}") }
}

/// A number as C writes it, to the last bit.
fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "0.0".to_owned() }
}

/// A list of numbers.
fn list(all: &[f64]) -> String {
    if all.is_empty() {
        "0.0".to_owned()
    } else {
        all.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ")
    }
}

/// A line of a comment, which nothing in it can end.
fn remark(text: &str) -> String {
    text.replace("*/", "* /").replace('\n', " ")
}

/// A program as a function of this file alone.
fn own(program: &Program, name: &str) -> String {
    program.c_function(name).replacen(&format!("void {name}("), &format!("static void {name}("), 1)
}

/// The guard of a header.
fn header(name: &str, text: &str) -> String {
    let word = format!("BRISTLE_{}_H", name.to_uppercase());
    format!(
        "#ifndef {word}\n#define {word}\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{text}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n"
    )
}

/// Why something cannot be printed.
fn refused(what: &str, reason: impl ToString) -> RunError {
    RunError::Case { case: format!("export of {what}"), reason: reason.to_string() }
}
