//! A fixed step allocates nothing.

use crate::bench::Contact;
use allocation_counter::measure;
use bristle_law::{At, LawKind, fixed_step};

#[test]
fn fixed_steps_allocate_nothing() {
    for &kind in LawKind::ALL {
        let mut contact = Contact::new(kind, 10.0, 0.0);
        let Some(kernel) = fixed_step::kernel(&contact.law) else { continue };
        let made = measure(|| {
            for i in 0..200 {
                let at = At { hold: 1.0, ..At::sliding(1e-4 * f64::from(i % 7 - 3), f64::from(i % 5)) };
                kernel.step(&at, &mut contact.z, &mut contact.mode, 1e-3);
            }
        });
        assert_eq!(made.count_total, 0, "{}", kind.card().name);
    }
}
