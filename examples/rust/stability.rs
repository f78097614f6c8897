//! Does it squeal? Eigenvalues of steady sliding for some speeds of the belt.

#![allow(clippy::print_stdout)]

use bristle::laws::LuGre;
use bristle::parts::{Contact, Damper, Drive, Mass, Spring};
use bristle::{GROUND, Mechanism, analysis, default};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for speed in [1e-4, 1e-3, 1e-2, 0.1] {
        let mut m = Mechanism::new();
        let block = m.mass("block", Mass { mass: 1.0, ..default() });
        let belt = m.drive("belt", Drive { v: speed, ..default() });
        m.spring("tie", [block, GROUND], Spring { k: 1e3, ..default() });
        m.damper("air", [block, GROUND], Damper { d: 1.0, ..Damper::default() });
        m.contact("pad", [block, belt], Contact { load: 100.0, ..default() }, LuGre::default());
        let machine = m.build()?;
        let system = machine.system();
        let steady = analysis::steady(system, machine.params())?;
        let verdict = if steady.is_stable() { "slides quietly" } else { "squeals" };
        println!("{speed} m/s: {verdict}, {:.3} of critical damping", steady.eigen[0].damping());
    }
    Ok(())
}
