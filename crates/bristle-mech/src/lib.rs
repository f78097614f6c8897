//! bristle-mech
