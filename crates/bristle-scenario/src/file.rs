//! Files that are read whole: regular ones, of a size that can be meant.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Largest scenario, in bytes.
pub const SCENARIO: u64 = 4_000_000;

/// Largest table of numbers, in bytes.
pub const TABLE: u64 = 200_000_000;

/// The text of a file, or why there is none.
///
/// A device or a pipe may never end, so that only regular files are read, and no more of them than `most` bytes.
pub fn text(path: &Path, most: u64) -> Result<String, String> {
    let read = || -> Result<String, Error> {
        let about = std::fs::metadata(path)?;
        if about.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !about.is_file() {
            return Err(Error::other("it is not a regular file"));
        }
        let mut text = String::new();
        // The length is not believed: a file may grow while it is read, and some say they are empty.
        File::open(path)?.take(most + 1).read_to_string(&mut text)?;
        if about.len() > most || text.len() as u64 > most {
            let megabytes = |bytes: u64| bytes as f64 / 1e6;
            let (size, most) = (megabytes(about.len().max(most)), megabytes(most));
            return Err(Error::other(format!("it has {size:.1} MB, more than {most} MB")));
        }
        Ok(text)
    };
    read().map_err(|e| reason(&e))
}

/// The bytes of a file, as [`text`].
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let read = || -> Result<Vec<u8>, Error> {
        let about = std::fs::metadata(path)?;
        if about.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !about.is_file() || about.len() > most {
            return Err(Error::other("it is not a regular file of fair size"));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|e| reason(&e))
}

/// What the operating system says, without its number.
pub fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::InvalidData => "it is not a text file".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod file_tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_of_fair_size_is_refused_at_once() {
        let file = std::env::temp_dir().join(format!("bristle-file-{}", std::process::id()));
        std::fs::write(&file, "0123456789").unwrap();
        assert_eq!(text(&file, 10), Ok("0123456789".to_owned()));
        assert_eq!(text(&file, 9), Err("it has 0.0 MB, more than 0.000009 MB".to_owned()));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(text(&file, 9), Err("no such file".to_owned()));
        assert_eq!(text(&std::env::temp_dir(), 9), Err("it is a folder".to_owned()));
        #[cfg(unix)]
        assert_eq!(text(Path::new("/dev/zero"), 9), Err("it is not a regular file".to_owned()));
    }
}
