//! One module per output format.

pub mod csv;
pub mod html;
pub mod json;
pub mod markdown;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "png")]
pub mod png;
pub mod svg;
pub mod text;
