//! One module per output format.

pub mod csv;
pub mod html;
pub mod json;
pub mod markdown;
pub mod parquet;
pub mod png;
pub mod svg;
pub mod text;
