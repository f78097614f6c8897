//! How large the states of a mechanism typically are: absolute tolerances are measured by it.

use crate::contact::ResolvedContact;
use crate::coordinate::Coordinate;
use crate::element::Element;
use crate::system::{System, SystemEval};
use bristle_core::Mode;
use bristle_law::At;
use bristle_solve::Point;

/// Typical magnitudes of the states: bristles as their laws say, the bodies they touch in proportion, energies
/// from the forces at work.
pub(crate) fn scales(system: &System, p: &[f64], scale: &mut [f64]) {
    scale.fill(1.0);
    let p = &*system.params_at(p, 0.0);
    let start = system.initial(p);
    let mode = vec![Mode::Stick; system.slots];
    let point = Point { t: 0.0, x: &start.x, p, mode: &mode };
    let flow = system.flow(&point, None);
    for coordinate in &system.coordinates {
        if let Coordinate::Free { q, v, .. } = coordinate {
            (scale[*q], scale[*v]) = (1e-2, 1e-2);
        } else if let Coordinate::Driven { way: Some(way), .. } = coordinate {
            scale[*way] = 1e-2;
        }
    }
    for (contact, touch) in system.contacts.iter().zip(&flow.touch) {
        let z = contact.z..contact.z + contact.states;
        contact.law(p).scales(touch.n.abs().max(1e-9), &mut scale[z.clone()]);
        for s in &mut scale[z.clone()] {
            *s = if s.is_finite() && *s > 0.0 { *s } else { 1.0 };
        }
        scale[contact.work] = 1e-2;
        // A body on bristles moves by bristle deflections when it sticks.
        let metres = contact.kind.card().has_bristles();
        if metres {
            let deflection = scale[contact.z];
            let level = bristle_force(contact, p, touch.n.abs().max(1e-9), deflection);
            for end in contact.ends {
                let Some(mass) = system.mass(end, p) else { continue };
                let deflection = deflection / contact.at_radius(p, 1.0);
                // The speed at which it passes its rest on such a spring.
                let speed = (deflection * contact.at_radius(p, level) / mass).sqrt();
                for (q, v, by) in system.states_behind(end, p) {
                    let by = by.abs().max(1e-300);
                    scale[q] = scale[q].min(deflection / by);
                    scale[v] = scale[v].min(speed.max(10.0 * deflection) / by);
                }
            }
        }
    }
    for contact in system.bending() {
        contact.scales(system, &point, scale);
        scale[contact.work] = 1e-2;
        if !contact.kind.card().has_bristles() {
            continue;
        }
        let deflection = scale[contact.z];
        for c in contact.coordinates() {
            if let Coordinate::Free { q, v, .. } = system.coordinates[c] {
                scale[q] = scale[q].min(deflection);
                scale[v] = scale[v].min(10.0 * deflection);
            }
        }
    }
    for element in &system.elements {
        scale[element.z..element.z + element.states].fill(1e-2);
    }
    for drum in &system.drums {
        scale[drum.work] = 1e-2;
    }
    system.rope_scales(p, scale);
    scale[system.input] = 1e-2;
    if let Some(damping) = system.damping {
        scale[damping] = 1e-2;
    }
    shrink_to_slow_motion(system, &flow, scale);
}

/// The force of a contact at rest whose bristle is deflected by so much.
fn bristle_force(contact: &ResolvedContact, p: &[f64], load: f64, deflection: f64) -> f64 {
    let mut z = vec![0.0; contact.states];
    let mut rates = z.clone();
    z[0] = deflection;
    contact.law(p).eval(&At::sliding(0.0, load), &z, &mut rates).abs()
}

/// Motion slower than this, m/s, shrinks all scales.
const SLOW: f64 = 1e-3;

/// Where drives and starts are slow and nothing else can move the bodies faster, states are as small as that motion: a belt at
/// a tenth of a micrometre per second is not to be followed to a tenth of a millimetre.
fn shrink_to_slow_motion(system: &System, flow: &SystemEval<f64>, scale: &mut [f64]) {
    let is_pushed =
        system.gravity.is_some() || system.has_ropes() || system.elements.iter().any(|e| e.action.pushes());
    let speed = flow.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let is_signalled = (0..system.coordinates.len()).any(|c| system.follows_signal(c));
    let is_stretched = flow.q.iter().any(|q| *q != 0.0);
    if is_pushed || is_signalled || is_stretched || speed == 0.0 || speed >= SLOW {
        return;
    }
    let free = system.coordinates.iter().filter_map(|c| match c {
        Coordinate::Free { q, v, .. } => Some([*q, *v]),
        _ => None,
    });
    // Works are forces of some newtons times such distances.
    for i in free.flatten().chain(system.core..scale.len()) {
        scale[i] = scale[i].min(speed);
    }
}
