//! The card of a written law. Cards are for ever, and so are the names of every law that was read.

use super::WrittenDraft;
use super::modes::REVERSAL;
use super::read::Contents;
use bristle_core::units::Dimension;
use bristle_core::{Card, Field, Kind, StateCard, StateRole};

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn fields(draft: &WrittenDraft, contents: &Contents) -> Vec<Field> {
    let all = draft.parameters.iter().zip(&contents.parameters);
    all.map(|(parameter, known)| Field {
        name: leak(&parameter.name),
        symbol: leak(&parameter.name),
        doc: leak(&parameter.doc),
        kind: Kind::Number {
            unit: leak(&known.dimension.to_string()),
            default: Some(known.value),
            min: known.range[0],
            max: known.range[1],
            force: None,
            whole: false,
            signal: false,
        },
        role: parameter.role,
    })
    .collect()
}

/// When an event happens, in words.
fn when(text: &str) -> String {
    if text.trim() == REVERSAL { "as the slip reverses".to_owned() } else { format!("{text} < 0") }
}

/// The card of a draft.
pub(super) fn card(draft: &WrittenDraft, name: &str, contents: &Contents) -> Card {
    let mut doc = draft.doc.trim().to_owned();
    if doc.is_empty() {
        doc = format!("The law `{}`, written in a scenario.", draft.name);
    }
    doc.push_str("\n\n```text\n");
    let mut line = |left: &str, right: &str| doc.push_str(&format!("{left} = {right}\n"));
    draft.terms.iter().for_each(|(name, text)| line(name, text));
    draft.rates.iter().for_each(|(name, text)| line(&format!("d{name}/dt"), text));
    line("F", &draft.force);
    if let Some(limit) = &draft.limit {
        line("|F| at rest ≤", limit);
    }
    for event in &draft.events {
        if let (Some(from), Some(to)) = (&event.from, &event.to) {
            doc.push_str(&format!("{from} → {to}: {}\n", when(&event.when)));
        }
    }
    doc.push_str("```\n");
    let cards: Vec<StateCard> = draft
        .states
        .iter()
        .zip(&contents.states)
        .map(|(state, known)| StateCard {
            name: leak(&state.name),
            unit: leak(&known.dimension.to_string()),
            role: state.role.unwrap_or(if Dimension::of("m") == Ok(known.dimension) {
                StateRole::Deflection
            } else {
                StateRole::Strength
            }),
        })
        .collect();
    let tags: &[&str] = if contents.limit.is_some() { &["written", "set-valued"] } else { &["written"] };
    Card {
        name: leak(name),
        doc: leak(&doc),
        fields: Box::leak(fields(draft, contents).into_boxed_slice()),
        states: Box::leak(cards.into_boxed_slice()),
        cite: &[],
        tags: Box::leak(tags.to_vec().into_boxed_slice()),
    }
}
