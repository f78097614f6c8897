use crate::failure::Failure;
use crate::reply::Reply;
use bristle::law::sets::PUBLISHED;
use bristle::{CatalogueKind, cards, sets};
use bristle_record::{Table, render};

/// List what a scenario can name.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Which catalogue.
    catalogue: Catalogue,
    /// Print the whole cards as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Catalogue {
    Laws,
    Parts,
    Signals,
    Methods,
    Studies,
    Cases,
    /// Published parameters of laws.
    Sets,
}

impl Catalogue {
    /// The catalogue of cards; sets are no cards.
    fn kind(self) -> Option<CatalogueKind> {
        match self {
            Catalogue::Laws => Some(CatalogueKind::Laws),
            Catalogue::Parts => Some(CatalogueKind::Parts),
            Catalogue::Signals => Some(CatalogueKind::Signals),
            Catalogue::Methods => Some(CatalogueKind::Methods),
            Catalogue::Studies => Some(CatalogueKind::Studies),
            Catalogue::Cases => Some(CatalogueKind::Cases),
            Catalogue::Sets => None,
        }
    }
}

/// The published sets, as a table or as JSON.
fn sets(json: bool) -> Result<Reply, Failure> {
    if json {
        let all: Vec<_> = PUBLISHED.iter().map(sets::json).collect();
        let text = serde_json::to_string_pretty(&all);
        return text.map(Reply::new).map_err(|e| Failure::Folder(e.into()));
    }
    let text = render::text::table(&sets::overview());
    Ok(Reply::new(format!(
        "{text}\n`bristle show NAME` has the numbers; a law takes them by `set = \"NAME\"`\n"
    )))
}

impl List {
    pub fn obey(self) -> Result<Reply, Failure> {
        let Some(kind) = self.catalogue.kind() else { return sets(self.json) };
        let cards = cards(kind);
        if self.json {
            let text = serde_json::to_string_pretty(&cards);
            return text.map(Reply::new).map_err(|e| Failure::Folder(e.into()));
        }
        if cards.is_empty() {
            return Ok(Reply::new(format!("there are no {} in this build", kind.name())));
        }
        let mut table = Table::new("", &[("name", ""), ("what it is", ""), ("tags", "")]);
        for card in &cards {
            table.row([card.name.into(), card.title().into(), card.tags.join(", ").into()]);
        }
        let text = render::text::table(&table);
        Ok(Reply::new(format!("{text}\n`bristle show NAME` explains one of them\n")))
    }
}
