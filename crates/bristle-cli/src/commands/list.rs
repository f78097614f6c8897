use crate::failure::Failure;
use crate::reply::Reply;
use bristle::{CatalogueKind, cards};
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
}

impl From<Catalogue> for CatalogueKind {
    fn from(catalogue: Catalogue) -> Self {
        match catalogue {
            Catalogue::Laws => CatalogueKind::Laws,
            Catalogue::Parts => CatalogueKind::Parts,
            Catalogue::Signals => CatalogueKind::Signals,
            Catalogue::Methods => CatalogueKind::Methods,
            Catalogue::Studies => CatalogueKind::Studies,
            Catalogue::Cases => CatalogueKind::Cases,
        }
    }
}

impl List {
    pub fn obey(self) -> Result<Reply, Failure> {
        let kind = CatalogueKind::from(self.catalogue);
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
