//! Mechanisms against closed forms.

mod belt;
mod mechanisms;
mod signals;
mod stack;
