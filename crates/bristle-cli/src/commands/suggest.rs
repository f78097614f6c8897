use super::law_named;
use crate::failure::Failure;
use crate::reply::Reply;
use bristle::suggest::{SuggestedValue, suggest};
use bristle_core::units;

/// Suggest bristle stiffness and damping from an estimated friction force and deflection.
#[derive(Debug, clap::Args)]
pub struct Suggest {
    /// The law, such as `frdyn2` or `lugre`.
    law: String,
    /// Estimated friction force, such as `"5 N"`.
    #[arg(long)]
    force: String,
    /// Deflection that bears it, such as `"1 um"`.
    #[arg(long)]
    deflection: String,
    /// Mass that swings on the bristles; the one whose weight is the force unless given.
    #[arg(long)]
    mass: Option<String>,
    /// Damping ratio of that swing.
    #[arg(long, default_value_t = 1.0)]
    damping: f64,
}

impl Suggest {
    pub fn obey(self) -> Result<Reply, Failure> {
        let law = law_named(&self.law)?;
        let estimate = SuggestedValue {
            force: quantity("--force", &self.force, "N")?,
            deflection: quantity("--deflection", &self.deflection, "m")?,
            mass: self.mass.as_deref().map(|text| quantity("--mass", text, "kg")).transpose()?,
            damping: positive("--damping", self.damping, "1")?,
        };
        let suggestion = suggest(law, &estimate)?;
        Ok(Reply::new(suggestion.text()))
    }
}

fn quantity(option: &'static str, text: &str, unit: &'static str) -> Result<f64, Failure> {
    let value = units::parse(text, unit).map_err(|error| Failure::Quantity { option, error, unit })?;
    positive(option, value, unit)
}

fn positive(option: &'static str, value: f64, unit: &'static str) -> Result<f64, Failure> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Failure::NotPositive { option, value, unit })
    }
}
