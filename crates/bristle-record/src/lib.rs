//! bristle-record
