//! Columns of a MAT file of version 5, as MATLAB and SciPy write by default.
//!
//! A file is a header of 128 bytes and elements: a tag (type, length) and data, packed or not. What is read are real arrays
//! of numbers; a vector is a column of its name, the columns of a matrix are called `name column 1`, `name column 2` …

use super::columns::Columns;
use crate::error::TableError;

const PACKED: u32 = 15;
const MATRIX: u32 = 14;

/// Largest unpacked element.
const MOST: usize = 400_000_000;

/// Reads all columns of numbers.
pub(super) fn read(bytes: &[u8]) -> Result<Columns, TableError> {
    let wrong = |reason: &str| TableError::Unreadable { reason: reason.to_owned() };
    let head = bytes.get(..128).ok_or_else(|| wrong("it is no MAT file"))?;
    if head.starts_with(b"MATLAB 7.3") {
        return Err(wrong("it is a MAT file of version 7.3; save it with `-v7`, or as CSV"));
    }
    let is_little = match &head[126..128] {
        b"IM" => true,
        b"MI" => false,
        _ => return Err(wrong("it is no MAT file of version 5")),
    };
    let mut named = Vec::new();
    let mut rest = MatPiece { bytes: &bytes[128..], is_little };
    while let Some((kind, data)) = rest.element() {
        let cut = || wrong("it is cut short or damaged");
        if kind == PACKED {
            let whole = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(data.bytes, MOST)
                .map_err(|_| cut())?;
            let mut inner = MatPiece { bytes: &whole, is_little };
            if let Some((MATRIX, matrix)) = inner.element() {
                named.extend(array(matrix));
            }
        } else if kind == MATRIX {
            named.extend(array(data));
        }
    }
    Columns::of(named)
}

/// A stretch of a file.
#[derive(Clone, Copy)]
struct MatPiece<'a> {
    bytes: &'a [u8],
    is_little: bool,
}

impl<'a> MatPiece<'a> {
    fn word(&self, at: usize) -> Option<u32> {
        let four: [u8; 4] = self.bytes.get(at..at + 4)?.try_into().ok()?;
        Some(if self.is_little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) })
    }

    /// The next element, which is taken off.
    fn element(&mut self) -> Option<(u32, MatPiece<'a>)> {
        let first = self.word(0)?;
        let (small, kind) = (first >> 16, first & 0xffff);
        let (from, length, whole): (usize, usize, usize) = if small > 0 {
            (4, small as usize, 8)
        } else {
            let length = self.word(4)? as usize;
            // All but packed elements fill words of eight bytes.
            let padded = if kind == PACKED { length } else { length.div_ceil(8) * 8 };
            (8, length, 8 + padded)
        };
        let data = self.bytes.get(from..from.checked_add(length)?)?;
        self.bytes = self.bytes.get(whole.min(self.bytes.len())..)?;
        Some((kind, MatPiece { bytes: data, is_little: self.is_little }))
    }

    /// All numbers of an element of that type.
    fn numbers(&self, kind: u32) -> Option<Vec<f64>> {
        macro_rules! all {
            ($number:ty) => {
                self.bytes
                    .chunks_exact(size_of::<$number>())
                    .map(|chunk| {
                        let own = chunk.try_into().unwrap_or_default();
                        (if self.is_little {
                            <$number>::from_le_bytes(own)
                        } else {
                            <$number>::from_be_bytes(own)
                        }) as f64
                    })
                    .collect()
            };
        }
        Some(match kind {
            1 => all!(i8),
            2 => all!(u8),
            3 => all!(i16),
            4 => all!(u16),
            5 => all!(i32),
            6 => all!(u32),
            7 => all!(f32),
            9 => all!(f64),
            12 => all!(i64),
            13 => all!(u64),
            _ => return None,
        })
    }
}

/// The columns of an array, if it is one of real numbers.
fn array(mut piece: MatPiece) -> Vec<(String, Vec<f64>)> {
    let mut read = || {
        let (_, flags) = piece.element()?;
        let class = flags.word(0)? & 0xff;
        let (kind, sizes) = piece.element()?;
        let sizes = sizes.numbers(kind)?;
        let (_, name) = piece.element()?;
        let name = String::from_utf8_lossy(name.bytes).into_owned();
        let (kind, data) = piece.element()?;
        let values = data.numbers(kind)?;
        // Cells, structures and text are no numbers.
        if !(6..=15).contains(&class) || sizes.len() != 2 {
            return None;
        }
        let [rows, columns] = [sizes[0] as usize, sizes[1] as usize];
        if rows.checked_mul(columns)? != values.len() || values.is_empty() {
            return None;
        }
        if rows == 1 || columns == 1 {
            return Some(vec![(name, values)]);
        }
        let each = values.chunks_exact(rows).enumerate();
        Some(each.map(|(i, column)| (format!("{name} column {}", i + 1), column.to_vec())).collect())
    };
    read().unwrap_or_default()
}

#[cfg(test)]
mod mat_tests {
    use super::*;

    fn element(kind: u32, data: &[u8]) -> Vec<u8> {
        let mut all = [kind.to_le_bytes(), (data.len() as u32).to_le_bytes()].concat();
        all.extend(data);
        all.resize(8 + data.len().div_ceil(8) * 8, 0);
        all
    }

    fn matrix(name: &str, sizes: [i32; 2], values: &[f64]) -> Vec<u8> {
        let doubles: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let sizes: Vec<u8> = sizes.iter().flat_map(|x| x.to_le_bytes()).collect();
        let inner = [
            element(6, &[6, 0, 0, 0, 0, 0, 0, 0]),
            element(5, &sizes),
            element(1, name.as_bytes()),
            element(9, &doubles),
        ];
        element(MATRIX, &inner.concat())
    }

    fn file(elements: &[Vec<u8>]) -> Vec<u8> {
        let mut all = b"MATLAB 5.0 MAT-file".to_vec();
        all.resize(124, b' ');
        all.extend([0, 1, b'I', b'M']);
        all.extend(elements.concat());
        all
    }

    #[test]
    fn vectors_and_matrices_are_columns_packed_or_not() {
        let packed =
            miniz_oxide::deflate::compress_to_vec_zlib(&matrix("force_mN", [1, 3], &[1.0, 2.0, 3.0]), 6);
        let mut third = [PACKED.to_le_bytes(), (packed.len() as u32).to_le_bytes()].concat();
        third.extend(&packed);
        let bytes = file(&[
            matrix("t", [3, 1], &[0.0, 0.5, 1.0]),
            matrix("two", [3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            third,
            matrix("alone", [1, 1], &[9.0]),
        ]);
        let columns = read(&bytes).unwrap();
        assert_eq!(columns.names, ["t", "two column 1", "two column 2", "force"]);
        assert_eq!(columns.column("force", "N").unwrap(), [1e-3, 2e-3, 3e-3]);
        assert_eq!(columns.column("two column 2", "1").unwrap(), [4.0, 5.0, 6.0]);
    }

    #[test]
    fn what_is_no_such_file_is_told_and_nothing_panics() {
        for bytes in [&b""[..], b"MATLAB 7.3 MAT-file", &[0; 200]] {
            assert!(read(bytes).is_err());
        }
        let whole = file(&[matrix("t", [3, 1], &[0.0, 0.5, 1.0])]);
        for end in 0..whole.len() {
            let _ = read(&whole[..end]);
        }
    }
}
