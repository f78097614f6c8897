//! Parts: what each brings to a mechanism, stage by stage.

use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::coupled::Coupling;
use crate::element::Element;
use crate::error::MechError;
use crate::planar::ResolvedPlanarContact;
use crate::symbol::Symbol;
use bristle_core::Described;

/// A part of the catalogue, which knows what it becomes when a mechanism is assembled.
///
/// Assembly goes through all parts once for each stage, in the order of the methods below, so that a stage finds what those
/// before it have made, wherever it stands in the scenario. A part implements the stages it has something to add to; what is
/// wrong with it is said with its name, the field and a way out.
pub(crate) trait Part: Described {
    /// What acts while the mechanism moves; `()` for a part that puts no force on coordinates.
    type Action: Element;

    /// What it is drawn as.
    const SYMBOL: Symbol;

    /// Whether a mechanism has one of it at most.
    const IS_SINGLE: bool = false;

    /// Adds coordinates, and the body that others name.
    fn place(_builder: &mut Builder, _part: &Placed) -> Result<(), MechError> {
        Ok(())
    }

    /// The force element, its ends resolved to coordinates.
    fn act(_builder: &mut Builder, _part: &Placed) -> Result<Option<Self::Action>, MechError> {
        Ok(None)
    }

    /// The contact along a line.
    fn touch(_builder: &mut Builder, _part: &Placed) -> Result<Option<ResolvedContact>, MechError> {
        Ok(None)
    }

    /// The contact in the plane.
    fn touch_in_plane(
        _builder: &mut Builder,
        _part: &Placed,
    ) -> Result<Option<ResolvedPlanarContact>, MechError> {
        Ok(None)
    }

    /// The coupling that makes one coordinate follow others.
    fn couple(_builder: &mut Builder, _part: &Placed) -> Result<Option<Coupling>, MechError> {
        Ok(None)
    }
}
