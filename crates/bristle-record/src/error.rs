//! What can go wrong when a record is written.

use std::path::PathBuf;

/// Why a record could not be rendered or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The operating system refused a file operation.
    #[error("cannot {action} `{}`: {source}", path.display())]
    Io {
        /// What was attempted: `create`, `write`, `replace` …
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// The reason the operating system gave.
        source: std::io::Error,
    },
    /// The target exists, is not empty and was not written by this tool.
    #[error(
        "`{}` is not empty and holds no `{marker}`: it does not look like a result folder, so it is left alone (choose another folder or empty this one)",
        path.display()
    )]
    NotOurs {
        /// The folder that was to be replaced.
        path: PathBuf,
        /// The file whose presence marks a result folder.
        marker: &'static str,
    },
    /// The list of what the program wrote is damaged, so that nothing in the folder may be replaced.
    #[error(
        "`{}` cannot be understood: which files of this folder may be replaced is not known, so it is left alone (choose another folder, or move this one away)",
        path.display()
    )]
    Manifest {
        /// The list.
        path: PathBuf,
    },
    /// Files of an earlier result were changed since; replacing them would lose the changes.
    #[error(
        "in `{}` {} changed after the result was written, and would be replaced: move {} away, or choose another folder",
        path.display(), listed(files), if files.len() == 1 { "it" } else { "them" }
    )]
    Changed {
        /// The folder.
        path: PathBuf,
        /// The files, relative to it.
        files: Vec<String>,
    },
    /// The target is a link that leads nowhere.
    #[error("`{}` is a link to nothing, but a folder is to be written there", path.display())]
    Dangling {
        /// The path given.
        path: PathBuf,
    },
    /// The target exists and is a file.
    #[error("`{}` is a file, but a folder is to be written there", path.display())]
    NotAFolder {
        /// The path given.
        path: PathBuf,
    },
    /// A column of the data has another length than the first.
    #[error("column `{column}` has {len} values, but the first column has {expected}")]
    Ragged {
        /// Name of the odd column.
        column: String,
        /// Its length.
        len: usize,
        /// The length of the first column.
        expected: usize,
    },
    /// An extra file would leave the result folder or overwrite a file of the record.
    #[error("extra file `{name}` is not allowed: give a relative path that no part of the record uses")]
    ExtraName {
        /// The name given.
        name: String,
    },
    /// A figure could not be turned into pixels.
    #[error("figure `{figure}` could not be rasterised: {reason}")]
    Raster {
        /// Identifier of the figure.
        figure: String,
        /// Which step refused it.
        reason: RasterReason,
    },
    /// The parquet writer refused the data.
    #[cfg(feature = "parquet")]
    #[error("cannot encode parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The record could not be written as JSON.
    #[error("cannot encode JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// The first few names, and whether they are one or many.
fn listed(files: &[String]) -> String {
    const SHOWN: usize = 3;
    let names: Vec<String> = files.iter().take(SHOWN).map(|f| format!("`{f}`")).collect();
    let further = files.len().saturating_sub(SHOWN);
    let verb = if files.len() == 1 { "was" } else { "were" };
    let further = if further > 0 { format!(" and {further} more") } else { String::new() };
    format!("{}{further} {verb}", names.join(", "))
}

/// The step of rasterisation that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterReason {
    /// The drawing is not valid.
    #[cfg(feature = "png")]
    #[error("{0}")]
    Parse(#[from] resvg::usvg::Error),
    /// The picture would have no or too many pixels.
    #[error("{width} × {height} pixels")]
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The pixels could not be encoded.
    #[error("the PNG encoder failed")]
    Encode,
}
