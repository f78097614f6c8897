//! What a user types and sees.

mod bad_input;
mod commands;
mod terminal;
