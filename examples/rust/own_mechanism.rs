//! A mechanism of one's own: a block on a belt, held back by a spring.

#![allow(clippy::print_stdout)]

use bristle::laws::LuGre;
use bristle::parts::{Contact, Drive, Mass, Spring};
use bristle::{GROUND, Mechanism, default};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut m = Mechanism::new();
    let block = m.mass("block", Mass { mass: 1.0, ..default() });
    let belt = m.drive("belt", Drive { v: 0.1, ..default() });
    m.spring("tie", [block, GROUND], Spring { k: 100.0, ..default() });
    let pad = m.contact(
        "pad",
        [block, belt],
        Contact { load: 10.0, ..default() },
        LuGre { mu_s: 0.45, ..default() },
    );
    let run = m.build()?.simulate(10.0)?;
    let furthest = run.column(block.position()).iter().copied().fold(0.0, f64::max);
    println!(
        "the belt carries the block as far as {furthest:.4} m, and the pad loses {:.3} J",
        run.last(pad.loss())
    );
    Ok(())
}
