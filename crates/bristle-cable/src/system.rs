//! The cable made ready for computing: constants of its elements, what is held, where it starts.

use crate::damping::{CableDamping, StrainDamping};
use crate::delassus::Delassus;
use crate::elastic::{CableNode, Elastic};
use crate::element::{self, Mat4};
use crate::error::CableError;
use crate::model::{FlexibleCable, Support};
use crate::points::ContactPoint;
use crate::state::CableState;

/// A cable made ready for computing.
#[derive(Clone, Debug)]
pub struct CableSystem {
    pub(crate) cable: FlexibleCable,
    pub(crate) elastic: Elastic,
    pub(crate) mass: Mat4,
    /// Damping of the slope over the shape functions; zero where the strain is damped.
    pub(crate) slope_damping: Mat4,
    pub(crate) strain_damping: Option<StrainDamping>,
    pub(crate) gravity: [f64; 4],
    pub(crate) held: Vec<[bool; 4]>,
    delassus: Delassus,
    pub(crate) hold_laws: Vec<bool>,
    /// Points that touch where elements have some inside.
    pub(crate) points: Vec<ContactPoint>,
}

impl CableSystem {
    /// Checks the cable and prepares its constants.
    pub fn new(cable: FlexibleCable) -> Result<CableSystem, CableError> {
        cable.check()?;
        Ok(CableSystem::unchecked(cable))
    }

    /// Prepares the constants of a cable that was checked before, or whose parameters are judged elsewhere; one that
    /// makes no sense gives forces that make none.
    pub fn unchecked(cable: FlexibleCable) -> CableSystem {
        let h = cable.element_length();
        let nodes = cable.nodes();
        let mass = element::mass(h).map(|row| row.map(|m| m * cable.density));
        let mut held = vec![[false; 4]; nodes];
        held[0] = cable.ends[0].support.held();
        held[nodes - 1] = cable.ends[1].support.held();
        let (by_slope, by_strain) = match cable.damping_of {
            CableDamping::Slope => (cable.damping, 0.0),
            CableDamping::Strain => (0.0, cable.damping),
        };
        let ends = [cable.ends[0].mass, cable.ends[1].mass];
        CableSystem {
            elastic: Elastic::new(cable.strain, cable.ea, cable.ei, h),
            slope_damping: element::slopes(h).map(|row| row.map(|d| d * by_slope)),
            strain_damping: (by_strain > 0.0).then(|| StrainDamping::new(by_strain, h)),
            gravity: element::load(h).map(|l| l * cable.density * cable.gravity),
            delassus: Delassus::new(nodes, &mass, ends, &held),
            hold_laws: cable.drums.iter().map(|d| d.friction.uses_hold()).collect(),
            points: if cable.contact_points > 1 {
                ContactPoint::all(cable.elements, cable.contact_points, h)
            } else {
                Vec::new()
            },
            mass,
            held,
            cable,
        }
    }

    /// The cable.
    pub fn cable(&self) -> &FlexibleCable {
        &self.cable
    }

    /// The elements' elasticity.
    pub fn elastic(&self) -> &Elastic {
        &self.elastic
    }

    /// Mass of an element over its shape functions.
    pub fn element_mass(&self) -> &Mat4 {
        &self.mass
    }

    /// Which coordinates are held.
    pub fn held(&self) -> &[[bool; 4]] {
        &self.held
    }

    /// The position block of the inverse mass matrix.
    pub fn delassus(&self) -> &Delassus {
        &self.delassus
    }

    /// A state at rest in the given shape, with drums at their starting speed and laws at their initial states.
    pub fn state(&self, q: Vec<CableNode>) -> Result<CableState, CableError> {
        if q.len() != self.cable.nodes() {
            return Err(CableError::Size { found: q.len(), expected: self.cable.nodes() });
        }
        for (node, r) in q.iter().enumerate() {
            for (drum, d) in self.cable.drums.iter().enumerate() {
                let depth = d.radius - (r[0] - d.centre[0]).hypot(r[1] - d.centre[1]);
                // Contact is a penalty: a laid cable penetrates by a small part of the radius, no more.
                if depth > 0.05 * d.radius {
                    return Err(CableError::InsideDrum { node, drum, depth });
                }
            }
        }
        let mut state = CableState::at_rest(q, self.cable.drums.len());
        for (spin, drum) in state.spin.iter_mut().zip(&self.cable.drums) {
            *spin = drum.drive.start(0.0);
        }
        if let Some(drum) = self.cable.drums.iter().find(|d| d.friction.states() > 0) {
            for z in &mut state.z {
                drum.friction.initial_states(z);
            }
        }
        Ok(state)
    }

    /// An error where contact inside elements is asked for: only the simulation of mechanisms knows it in motion.
    pub(crate) fn touches_at_nodes(&self) -> Result<(), CableError> {
        let value = self.cable.contact_points as f64;
        let expected = "a cable that moves by itself touches at its nodes: it must be 1";
        let error = CableError::Parameter { name: "contact_points", value, expected };
        if self.points.is_empty() { Ok(()) } else { Err(error) }
    }

    /// Puts moved ends where they have to be at time `state.t`, relative to the places they started from.
    pub fn move_ends(&self, state: &mut CableState, start: &[CableNode; 2]) {
        let last = self.cable.elements;
        for (end, node, origin) in [(0, 0, &start[0]), (1, last, &start[1])] {
            if let Support::Moving(signals) = &self.cable.ends[end].support {
                for c in 0..2 {
                    let [place, speed, acceleration] = signals[c].at(state.t);
                    let [origin_place, ..] = signals[c].at(0.0);
                    state.q[node][c] = origin[c] + place - origin_place;
                    state.v[node][c] = speed;
                    state.a[node][c] = acceleration;
                }
            }
        }
    }
}
