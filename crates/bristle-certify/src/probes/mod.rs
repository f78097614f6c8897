//! The probes, one file each: a small experiment that measures one property of a law.

pub mod break_away;
pub mod cost;
pub mod dwell;
pub mod fixed_step;
pub mod hold;
pub mod kernel;
pub mod lag;
pub mod levels;
pub mod methods;
pub mod passivity;
pub mod presliding;
pub mod pulses;
pub mod release;
pub mod rotation;
pub mod shake;
pub mod smoothness;
pub mod steady;
