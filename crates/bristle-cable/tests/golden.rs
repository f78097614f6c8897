//! Unit-level golden values of an independent implementation.

use crate::common::*;
use crate::explicit::rates;
use bristle_cable::*;
use serde_json::Value;

fn nodes(q: &[f64]) -> Vec<CableNode> {
    q.chunks(4).map(|c| [c[0], c[1], c[2], c[3]]).collect()
}

#[test]
fn internal_force_energy_and_tangent() {
    let g = &golden()["G1_internal_force"];
    let cable = FlexibleCable { length: 0.2, elements: 2, damping: 0.0, ..FlexibleCable::default() };
    let system = CableSystem::new(FlexibleCable { gravity: 0.0, ..cable.clone() }).unwrap();
    let mut state = system.state(nodes(&floats(&g["q"]))).unwrap();
    let mut assembly = Assembly::new(3);
    let w = Weights { mass: 0.0, speed: 0.0, place: 1.0, dt: 0.0 };
    let z = state.z.clone();
    system.assemble(&mut state, &z, w, ActiveFriction::Off, &mut assembly);
    let force: Vec<f64> = assembly.tri.rhs.iter().flatten().copied().collect();
    let expected = floats(&g["Qint"]);
    assert_eq!(force.len(), expected.len());
    for (i, (f, e)) in force.iter().zip(&expected).enumerate() {
        close(*f, *e, 1e-11, 1e4, &format!("force {i}"));
    }
    close(energy(&system, &state).strain, g["strain_energy"].as_f64().unwrap(), 1e-12, 0.0, "strain energy");
    let row: Vec<f64> = assembly.tri.diag[0][0].iter().chain(&assembly.tri.upper[0][0]).copied().collect();
    let expected = floats(&g["Kint_row0"]);
    // The first node meets its neighbour and nothing beyond.
    assert!(row.len() <= expected.len() && expected[row.len()..].iter().all(|k| *k == 0.0), "{expected:?}");
    for (k, e) in row.iter().zip(&expected) {
        close(*k, *e, 1e-12, 1e6, "tangent");
    }
    let heavy = CableSystem::new(cable).unwrap();
    heavy.assemble(&mut state, &z, w, ActiveFriction::Off, &mut assembly);
    let weighed: Vec<f64> = assembly.tri.rhs.iter().flatten().copied().collect();
    for (i, e) in floats(&g["Qg"]).iter().enumerate() {
        close(force[i] - weighed[i], *e, 1e-7, 1e-3, "gravity");
    }
    let w = Weights { mass: 1.0, speed: 0.0, place: 0.0, dt: 0.0 };
    heavy.assemble(&mut state, &z, w, ActiveFriction::Off, &mut assembly);
    for (scalar, row) in [("Mscalar_row0", 0), ("Mscalar_row1", 2)] {
        let (d, u) = (assembly.tri.diag[0][row], assembly.tri.upper[0][row]);
        let expected = floats(&g[scalar]);
        assert!(expected.len() >= 4 && expected[4..].iter().all(|m| *m == 0.0), "{expected:?}");
        for (m, e) in [d[0], d[2], u[0], u[2]].iter().zip(&expected) {
            close(*m, *e, 1e-13, 0.0, "mass");
        }
    }
}

fn rhs_case(entry: &Value, case: &str, friction: Friction) {
    let number = |k: &str| entry[k].as_f64().unwrap();
    let drum = drum(friction);
    let end = EndCondition { mass: number("m_end"), ..EndCondition::default() };
    let cable = FlexibleCable {
        length: number("L"),
        elements: 12,
        ea: number("EA"),
        ends: [end.clone(), end],
        drums: vec![drum],
        ..FlexibleCable::default()
    };
    let system = CableSystem::new(cable).unwrap();
    let mut state = system.state(arc_over(system.cable(), 0, 3e-4)).unwrap();
    let scale = number("velocity_scale");
    for (i, v) in state.v.iter_mut().enumerate() {
        let i = i as f64;
        *v = [0.02 * i.cos(), 0.01 * (2.0 * i).sin(), 0.05 * i.sin(), -0.03 * (3.0 * i).cos()]
            .map(|x| scale * x);
    }
    state.spin[0] = [0.0, number("omega"), number("omega_dot")];
    rates(&system, &mut state).unwrap();
    let expected = &entry["cases"][case];
    let found = contacts(&system, &state);
    let listed: Vec<usize> = floats(&expected["contact_nodes"]).iter().map(|x| *x as usize).collect();
    assert_eq!(found.iter().map(|c| c.node).collect::<Vec<_>>(), listed);
    let friction_acts = case != "none";
    for (i, c) in found.iter().enumerate() {
        close(c.normal, expected["N"][i].as_f64().unwrap(), 1e-9, 0.0, "normal force");
        if friction_acts {
            close(c.slip, expected["slip_speed"][i].as_f64().unwrap(), 1e-11, 1e-3, "slip");
            close(c.hold, expected["lam"][i].as_f64().unwrap(), 1e-8, 1.0, "holding force");
            close(c.friction, expected["friction"][i].as_f64().unwrap(), 1e-8, 1.0, "friction");
        }
    }
    let (node, end) = (floats(&expected["acc_node6"]), floats(&expected["acc_end"]));
    assert_eq!((state.a[6].len(), state.a[12].len()), (node.len(), end.len()));
    for (a, e) in state.a[6].iter().zip(&node) {
        close(*a, *e, 1e-8, 1e2, "acceleration of node 6");
    }
    for (a, e) in state.a[12].iter().zip(&end) {
        close(*a, *e, 1e-8, 1e2, "acceleration of the end");
    }
    let norm = state.a.iter().flatten().map(|a| a * a).sum::<f64>().sqrt();
    close(norm, expected["acc_norm2"].as_f64().unwrap(), 1e-9, 0.0, "norm of the accelerations");
}

#[test]
fn right_hand_sides_of_five_friction_variants() {
    for entry in ["G2a_rhs", "G2b_rhs"] {
        let entry = &golden()[entry];
        rhs_case(entry, "none", Friction::None);
        rhs_case(entry, "Quinn", law(1.0));
        rhs_case(entry, "CDQ alpha=0.9", law(0.9));
        rhs_case(entry, "CDQ alpha=0.5", law(0.5));
        rhs_case(
            entry,
            "Karnopp (saturated)",
            Friction::Karnopp { mu: MU, kinetic: MU, eps: EPS, steady: false, literal: true },
        );
    }
}

#[test]
fn static_shapes() {
    let load = [CableSignal::Constant(0.0), CableSignal::Constant(-98.1)];
    let forced = EndCondition { force: load, ..EndCondition::default() };
    let heavy = EndCondition { mass: 10.0, ..EndCondition::default() };
    for (id, end) in
        [("G3_static n=40 L=2 end forces 98.1 N", forced), ("G3_static n=40 L=2 end masses 10 kg", heavy)]
    {
        let g = &golden()[id];
        let (system, state) = resting(FlexibleCable {
            ends: [end.clone(), end],
            drums: vec![drum(Friction::None)],
            ..FlexibleCable::default()
        });
        close(state.q[40][1], g["y_end"].as_f64().unwrap(), 1e-9, 1.0, "height of the end");
        close(state.q[40][0], g["x_end"].as_f64().unwrap(), 1e-8, 1.0, "place of the end");
        close(state.q[20][1], g["y_crown"].as_f64().unwrap(), 1e-10, 1.0, "height of the crown");
        close(
            energy(&system, &state).strain,
            g["strain_energy"].as_f64().unwrap(),
            1e-7,
            1.0,
            "strain energy",
        );
        let found = contacts(&system, &state);
        assert_eq!(found.len(), 15, "nodes that touch");
        let expected = floats(&g["N"]);
        assert_eq!(found.len(), expected.len());
        for (c, n) in found.iter().zip(&expected) {
            close(c.normal, *n, 1e-4, 1.0, "normal force");
        }
    }
}
