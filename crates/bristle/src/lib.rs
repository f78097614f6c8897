//! bristle
