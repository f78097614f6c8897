//! A cable with nothing but drums beside it, as questions of statics take it.

use super::Rope;
use super::start::come_to_rest;
use crate::error::MechError;
use crate::system::System;
use bristle_cable::{CableError, CableNode, CableState, CableSystem, LayError};

/// A cable with its ends and drums and nothing beside it; its drums stand still.
#[derive(Clone, Debug)]
pub struct CableAlone {
    /// What the scenario calls the cable.
    pub name: String,
    /// What it calls the drums.
    pub drums: Vec<String>,
    /// What it calls the first end and the last.
    pub ends: [String; 2],
    /// The drums the cable is laid over, in order.
    pub over: Vec<usize>,
    /// The cable made ready for computing.
    pub system: CableSystem,
    /// The shape it is laid in, before it comes to rest.
    pub laid: Vec<CableNode>,
    /// Whether it comes to rest before a run.
    pub rests: bool,
}

impl System {
    /// The cable, if there is nothing but its drums beside it.
    ///
    /// # Errors
    /// As [`System::fault`], for parameters that make no cable.
    pub fn cable_alone(&self) -> Option<Result<CableAlone, MechError>> {
        let rope = self.ropes.first().filter(|_| self.is_cable_alone)?;
        let p = &self.list.values;
        Some(rope.alone(self, p).map_err(|error| rope.unlaid(&self.drums, error)))
    }
}

impl Rope {
    fn alone(&self, system: &System, p: &[f64]) -> Result<CableAlone, LayError> {
        let (laid_system, laid) = self.lay(&system.scene(p))?;
        let mut cable = laid_system.cable().clone();
        for (body, &d) in cable.drums.iter_mut().zip(&self.drums) {
            body.friction = system.drums[d].friction(p).map_err(LayError::Cable)?;
        }
        Ok(CableAlone {
            name: self.name.clone(),
            drums: self.drums.iter().map(|&d| system.drums[d].name.clone()).collect(),
            ends: self.ends.each_ref().map(|end| end.name.clone()),
            over: self.over.clone(),
            system: CableSystem::new(cable).map_err(LayError::Cable)?,
            laid,
            rests: self.rests,
        })
    }
}

impl CableAlone {
    /// The node in the middle of a drum's arc, where the laid cable touches one.
    pub fn middle_node(&self) -> Option<usize> {
        self.system.cable().middle_node(&self.over, &self.laid)
    }

    /// The cable at rest without friction, or as it was laid.
    ///
    /// # Errors
    /// [`CableError`] where it does not come to rest.
    pub fn start(&self) -> Result<CableState, CableError> {
        if self.rests {
            come_to_rest(&self.system, self.laid.clone(), &self.over)
        } else {
            self.system.state(self.laid.clone())
        }
    }
}
