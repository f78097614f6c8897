//! Fits of records that the tests make themselves.

mod suite;
