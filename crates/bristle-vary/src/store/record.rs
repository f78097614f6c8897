//! One finished run as bytes.
//!
//! ```text
//! mark (4)  length (4)  checksum (4)  | index (8)  kind (1)  values (8 each) or a reason (UTF-8)
//! ```

/// What every record begins with.
const MARK: [u8; 4] = [0xb7, b'r', b'u', b'n'];

/// Longer than any record.
const LONGEST: usize = 1 << 24;

/// A finished run: what it found, or why it failed.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// Which run.
    pub index: u64,
    /// Its values, or the reason.
    pub found: Result<Vec<f64>, String>,
}

impl RunRecord {
    /// As it stands in a shard.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.index.to_le_bytes().to_vec();
        match &self.found {
            Ok(values) => {
                body.push(0);
                values.iter().for_each(|v| body.extend(v.to_le_bytes()));
            }
            Err(reason) => {
                body.push(1);
                body.extend(reason.as_bytes());
            }
        }
        let mut bytes = MARK.to_vec();
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn of_body(body: &[u8]) -> Option<RunRecord> {
        let (index, rest) = body.split_first_chunk::<8>()?;
        let (kind, rest) = rest.split_first()?;
        let found = match kind {
            0 => Ok(rest
                .chunks_exact(8)
                .filter_map(|c| Some(f64::from_le_bytes(c.try_into().ok()?)))
                .collect()),
            1 => Err(String::from_utf8_lossy(rest).into_owned()),
            _ => return None,
        };
        Some(RunRecord { index: u64::from_le_bytes(*index), found })
    }
}

/// The whole records of a shard, one after the other; what lies between them is passed over.
pub(super) struct StoreReading<'a>(&'a [u8]);

impl<'a> StoreReading<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        StoreReading(bytes)
    }

    /// The record at the very beginning, if there is a whole one, and what follows it.
    fn first(&self) -> Option<(RunRecord, &'a [u8])> {
        let rest = self.0.strip_prefix(&MARK)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (checksum, rest) = rest.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > LONGEST || length > rest.len() {
            return None;
        }
        let (body, rest) = rest.split_at(length);
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return None;
        }
        Some((RunRecord::of_body(body)?, rest))
    }
}

impl Iterator for StoreReading<'_> {
    type Item = RunRecord;

    fn next(&mut self) -> Option<RunRecord> {
        while !self.0.is_empty() {
            if let Some((run, rest)) = self.first() {
                self.0 = rest;
                return Some(run);
            }
            // On to the next mark.
            let next = self.0[1..].iter().position(|b| *b == MARK[0]);
            self.0 = next.map_or(&[], |n| &self.0[n + 1..]);
        }
        None
    }
}
