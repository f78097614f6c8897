//! Every law of the catalogue, recorded.

mod c_text;
mod catalogue;
mod derivatives;
mod hyper;
mod lanes;
mod rounding;
mod values;
