//! bristle-analysis
