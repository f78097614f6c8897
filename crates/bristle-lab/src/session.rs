//! A scenario that is open, under up to three laws.

use crate::sliders;
use bristle_law::LawKind;
use bristle_study::Scenario;
use bristle_study::schematic;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The most laws that are laid side by side.
const MOST_LAWS: usize = 3;

/// The question of a scenario that asks for no motion.
const WATCH: &str = "\n\n[studies.watch]\nkind = \"simulate\"\nduration = \"10 s\"\n";

/// A scenario and what it is under each law.
pub struct Session {
    /// As it was read.
    pub base: Scenario,
    /// One for each law, the first one chosen first.
    pub variants: Vec<Scenario>,
    /// What the laws are called.
    pub names: Vec<String>,
}

impl Session {
    /// Reads `text` and puts the laws of the list `laws` in; an empty name is the law the text has.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn open(question: &Value) -> Result<Session, String> {
        let text = question["text"].as_str().ok_or("there is no text")?;
        let read =
            |text: &str| Scenario::from_text(text, "scenario.toml", Path::new(".")).map_err(|e| e.plain());
        let mut base = read(text)?;
        if base.first_simulation().is_err() {
            base = read(&format!("{}{WATCH}", text.trim_end()))?;
        }
        let wanted = question["laws"].as_array().map_or(&[][..], Vec::as_slice);
        let wanted: Vec<&str> = wanted.iter().filter_map(Value::as_str).take(MOST_LAWS).collect();
        let mut session = Session { base, variants: Vec::new(), names: Vec::new() };
        for name in if wanted.is_empty() { &[""][..] } else { &wanted } {
            session.add(name)?;
        }
        Ok(session)
    }

    fn add(&mut self, name: &str) -> Result<(), String> {
        let own = self.base.laws_in_use().next().map(|(_, kind, _)| kind.card().name);
        let is_own = name.is_empty() || own == Some(name);
        let variant = if is_own {
            self.base.clone()
        } else {
            let law = self.law(name).ok_or_else(|| format!("there is no law `{name}`"))?;
            self.base.with_law(law).map_err(|e| said(&e))?
        };
        self.variants.push(variant);
        self.names.push(if is_own { own.unwrap_or("no law").to_owned() } else { name.to_owned() });
        Ok(())
    }

    /// The law of that name, of the text first.
    fn law(&self, name: &str) -> Option<LawKind> {
        self.base.laws.iter().copied().find(|l| l.card().name == name).or_else(|| LawKind::named(name))
    }

    /// What the page shows of it before anything runs.
    pub fn describe(&self) -> Value {
        let laws = self.variants.iter().zip(&self.names).map(|(variant, name)| {
            let kind = variant.laws_in_use().next().map(|(_, kind, _)| kind);
            let card = kind.map(LawKind::card);
            json!({
                "name": name,
                "title": card.map(|c| c.title()),
                "equation": card.map(|c| c.equation()),
                "sliders": sliders::of_laws(variant),
            })
        });
        let contacts: Vec<&str> = self.base.laws_in_use().map(|(part, ..)| part).collect();
        let channels = self.base.model().channels();
        let outputs: Vec<Value> =
            channels.into_iter().map(|c| json!({ "name": c.name, "unit": c.unit })).collect();
        let study = self.base.first_simulation().ok();
        let own: Vec<&str> = self.base.laws.iter().map(|l| l.card().name).collect();
        json!({
            "title": self.base.title,
            "warnings": self.base.warnings().iter().map(|w| bristle_record::markup::plain(w)).collect::<Vec<_>>(),
            "contents": self.base.contents(),
            "contacts": contacts,
            "sliders": sliders::of_parts(&self.base),
            "laws": laws.collect::<Vec<_>>(),
            "written": own,
            "outputs": outputs,
            "duration": study.map_or(f64::NAN, |s| s.spec.numbers[0]),
            "show": study.map_or(&[][..], |s| s.spec.named("show")),
            "cable": self.base.has_cables(),
            "still": schematic::still(&self.base).map(|s| bristle_record::render::svg::inline_schematic(&s)),
        })
    }

    /// One variant with numbers changed: those of the parts, then those of its own law.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn changed(&self, law: usize, question: &Value) -> Result<Scenario, String> {
        let variant = self.variants.get(law).ok_or("there is no such law")?;
        let nothing = Map::new();
        let of_parts = question["changes"].as_object().unwrap_or(&nothing);
        let of_law = question["laws"][law].as_object().unwrap_or(&nothing);
        let both = of_parts.iter().chain(of_law);
        let changes: Vec<(&str, f64)> = both.filter_map(|(k, v)| Some((k.as_str(), v.as_f64()?))).collect();
        if changes.is_empty() {
            return Ok(variant.clone());
        }
        variant.with(&changes).map_err(|e| said(&e))
    }
}

/// What went wrong, with what it comes from.
pub fn said(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let more = inner.to_string();
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        source = inner.source();
    }
    bristle_record::markup::plain(&words)
}
