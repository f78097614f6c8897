use super::laws_of_file;
use crate::failure::Failure;
use crate::reply::Reply;
use bristle::law::ParameterSet;
use bristle::law::sets::PUBLISHED;
use bristle::{CatalogueKind, cards, manual, sets};

/// Explain a law, part, signal, method, study or published set: words, equation, parameters.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// The name, from any catalogue; or a scenario file, whose own laws are explained.
    name: String,
    /// Print the card as JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn obey(self) -> Result<Reply, Failure> {
        if let Some(set) = ParameterSet::named(&self.name) {
            if self.json {
                let text = serde_json::to_string_pretty(&sets::json(set));
                return text.map(Reply::new).map_err(|e| Failure::Folder(e.into()));
            }
            return Ok(Reply::new(sets::text(set)));
        }
        let all = || CatalogueKind::ALL.iter().flat_map(|kind| cards(*kind).into_iter().map(|c| (*kind, c)));
        let mut found: Vec<_> = all().filter(|(_, card)| card.name == self.name).collect();
        if let Some(laws) = laws_of_file(&self.name)? {
            found = laws.into_iter().map(|law| (CatalogueKind::Laws, law.card())).collect();
        }
        if found.is_empty() {
            let names = all().map(|(_, card)| card.name).chain(PUBLISHED.iter().map(|set| set.name));
            let near = bristle_core::nearest(&self.name, names);
            let hint = near.map_or_else(
                || {
                    "`bristle list laws` lists the laws; likewise parts, signals, methods, studies, sets"
                        .to_owned()
                },
                |near| format!("did you mean `{near}`?"),
            );
            return Err(Failure::Unknown { what: "entry of a catalogue", name: self.name, hint });
        }
        if self.json {
            let cards: Vec<_> = found.iter().map(|(_, card)| card).collect();
            let text = serde_json::to_string_pretty(&cards);
            return text.map(Reply::new).map_err(|e| Failure::Folder(e.into()));
        }
        let texts: Vec<_> = found.iter().map(|(kind, card)| manual::text(*kind, card)).collect();
        Ok(Reply::new(texts.join("\n\n")))
    }
}
