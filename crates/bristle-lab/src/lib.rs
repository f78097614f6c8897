//! The lab: scenarios, laws, runs and maps for a page in the browser.
//!
//! The page asks in JSON and is answered in JSON, with columns of numbers beside it; [`door`] is where both go through.
//!
//! | module | answers |
//! |---|---|
//! | [`catalogue`] | mechanisms to pick, laws with cards and certificates |
//! | [`session`] | a scenario that is open, under up to three laws |
//! | [`sliders`] | what can be turned, from the cards |
//! | [`motion`] | runs, their facts and films |
//! | [`curve`] | friction over slip rate |
//! | [`maps`] | stability and swing over two parameters |
//! | [`text`] | the scenario as a file |

pub mod catalogue;
pub mod curve;
pub mod door;
pub mod maps;
pub mod motion;
pub mod session;
pub mod sliders;
pub mod text;

use serde_json::{Value, json};
use session::Session;

/// What is said when something is asked of a scenario before one is open.
const CLOSED: &str = "no scenario is open";

/// An answer: words and numbers.
#[derive(Default)]
pub struct LabAnswer {
    /// As JSON.
    pub words: Value,
    /// Columns one after the other.
    pub numbers: Vec<f64>,
}

/// Answers a question; what went wrong is an answer too.
pub fn answer(question: &str, session: &mut Option<Session>) -> LabAnswer {
    let failed = |reason: String| LabAnswer { words: json!({ "error": reason }), numbers: Vec::new() };
    let question: Value = match serde_json::from_str(question) {
        Ok(question) => question,
        Err(error) => return failed(error.to_string()),
    };
    asked(&question, session).unwrap_or_else(failed)
}

fn asked(question: &Value, session: &mut Option<Session>) -> Result<LabAnswer, String> {
    let of_words = |words: Value| LabAnswer { words, numbers: Vec::new() };
    match question["ask"].as_str().unwrap_or_default() {
        "catalogue" => Ok(of_words(catalogue::catalogue())),
        "open" => {
            let opened = Session::open(question)?;
            let words = opened.describe();
            *session = Some(opened);
            Ok(of_words(words))
        }
        other => {
            let session = session.as_ref().ok_or(CLOSED)?;
            match other {
                "run" => motion::run(session, question),
                "curve" => curve::curve(session, question),
                "stability" => maps::stability(session, question),
                "cells" => maps::cells(session, question),
                "text" => text::written(session, question).map(of_words),
                _ => Err(format!("nothing answers to `{other}`")),
            }
        }
    }
}
