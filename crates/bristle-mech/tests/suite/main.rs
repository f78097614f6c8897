//! Mechanisms against closed forms.

mod belt;
mod mechanisms;
mod stack;
