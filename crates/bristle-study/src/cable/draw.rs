//! Figures of a cable on its drums.

use super::CableModel;
use super::motion::Snapshot;
use super::wrap::{Tensions, Wrap, tensions};
use crate::scene::{Scene, curve};
use bristle_cable::{CableDrum, CableState};
use bristle_mech::DrumShape;
use bristle_record::{Axis, Dash, Line, Marker, Plot, Scatter};

/// The cable, its drums and what hangs on its ends.
pub(crate) fn scene(model: &CableModel, state: &CableState) -> Scene {
    let cable = model.system.cable();
    let drums = cable.drums.iter().zip(&state.spin);
    let drum =
        |(d, spin): (&CableDrum, &[f64; 3])| DrumShape { centre: d.centre, radius: d.radius, angle: spin[0] };
    Scene {
        time: state.t,
        ropes: vec![curve(&state.q, cable.element_length())],
        drums: drums.map(drum).collect(),
        loads: masses(model, state),
    }
}

/// The same at all instants kept.
pub fn scenes(model: &CableModel, snapshots: &[Snapshot]) -> Vec<Scene> {
    snapshots.iter().map(|snapshot| scene(model, &snapshot.state)).collect()
}

/// Discs for the masses at the ends.
fn masses(model: &CableModel, state: &CableState) -> Vec<([f64; 2], f64)> {
    let cable = model.system.cable();
    let heaviest = cable.ends.iter().map(|e| e.mass).fold(0.0, f64::max);
    let size =
        0.03 * cable.length.min(4.0 * cable.drums.iter().map(|d| d.radius).fold(cable.length, f64::min));
    [(0, 0), (1, cable.elements)]
        .into_iter()
        .filter(|(end, _)| cable.ends[*end].mass > 0.0)
        .map(|(end, node)| {
            let radius = size * (cable.ends[end].mass / heaviest).cbrt();
            ([state.q[node][0], state.q[node][1] - radius], radius)
        })
        .collect()
}

/// Normal force over the angle on a drum, per angle, at some instants.
pub(crate) fn pressure(model: &CableModel, id: String, drum: usize, at: &[(String, &Wrap)]) -> Plot {
    let body = &model.system.cable().drums[drum];
    let per = body.radius / model.system.cable().element_length();
    let x = Axis::new("angle on the drum, clockwise from the crown", "deg");
    let mut plot = Plot::new(id, "", x, Axis::new("contact force per angle", "N/rad"));
    for (i, (label, wrap)) in at.iter().enumerate() {
        let y: Vec<f64> = wrap.contacts.iter().map(|c| c.normal * per).collect();
        let x = wrap.degrees(body.sense.sign());
        let colour = format!("cycle:{i}");
        plot.push(Line { colour: colour.clone(), ..Line::new(label.clone(), x.clone(), y.clone()) });
        plot.push(Scatter { colour, size: 4.0, marker: Marker::Circle, ..Scatter::new("", x, y) });
    }
    plot.caption = format!("Contact force over the wrap of `{}`", model.drums[drum]);
    plot
}

/// Slip speed over the angle on a drum: who slips first.
pub(crate) fn slips(model: &CableModel, id: String, drum: usize, at: &[(String, &Wrap)]) -> Plot {
    let sense = model.system.cable().drums[drum].sense.sign();
    let x = Axis::new("angle on the drum, clockwise from the crown", "deg");
    let mut plot = Plot::new(id, "", x, Axis::new("slip speed towards the last end", "m/s"));
    for (label, wrap) in at {
        let y = wrap.contacts.iter().map(|c| c.slip).collect();
        plot.push(Line::new(label.clone(), wrap.degrees(sense), y));
    }
    plot.caption = format!("Slip speed over the wrap of `{}`", model.drums[drum]);
    plot
}

/// Tension along the cable, and the exponential friction could hold.
pub(crate) fn tension_plot(model: &CableModel, id: String, at: &[(String, &CableState)]) -> Plot {
    let mut plot = Plot::new(id, "", Axis::new("arc length $s$", "m"), Axis::new("tension", "N"));
    for (i, (label, state)) in at.iter().enumerate() {
        let Tensions { s, tension, limits } = tensions(model, state);
        let colour = format!("cycle:{i}");
        plot.push(Line { colour: colour.clone(), ..Line::new(label.clone(), s, tension) });
        if i + 1 < at.len() {
            continue;
        }
        for (k, (_, x, y)) in limits.into_iter().enumerate() {
            let label = if k == 0 { "$e^{cφ}$ from the weaker side" } else { "" };
            plot.push(Line { colour: colour.clone(), dash: Dash::Dashed, ..Line::new(label, x, y) });
        }
    }
    plot.caption = "Tension along the cable; dashed, the most that friction at rest could make of it at the last instant".to_owned();
    plot
}
