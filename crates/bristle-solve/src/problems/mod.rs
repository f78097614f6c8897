//! Problems with known answers: classics, and the friction problems the methods are made for.
//!
//! Tests, benches and examples draw from here. Each implements [`Dynamics`](crate::Dynamics) by hand and says where it starts and ends.

mod chain;
mod coulomb_belt;
mod dwell_belt;
mod frdyn2;
mod gms_belt;
mod harmonic;
mod rabinowicz;
mod robertson;
mod stack;
mod van_der_pol;

pub use chain::Chain;
pub use coulomb_belt::CoulombBelt;
pub use dwell_belt::{Belt, belt};
pub use frdyn2::{BenchLoad, TestBench};
pub use gms_belt::GmsBelt;
pub use harmonic::Harmonic;
pub use rabinowicz::Rabinowicz;
pub use robertson::Robertson;
pub use stack::Stack;
pub use van_der_pol::VanDerPol;
