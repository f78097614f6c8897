//! Integration of stick-slip motion: located events, exact derivatives, restarts at no cost.

mod dynamics;

pub use dynamics::{Band, Dynamics, Point, State};
