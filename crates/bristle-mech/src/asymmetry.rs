//! Friction that is not the same in both directions, and a force beside it.
//!
//! ```text
//! F = F_law(w, s n) + d w + F_o,   s = 1 and d = d₊ forwards,   s = s₋ and d = d₋ backwards
//! ```
//!
//! The factor acts on the load that the law feels, so that its static, kinetic and Stribeck levels differ by direction while bristles
//! keep their stiffness. What stands beside the law pushes like any other force: it is in equilibrium with what holds a contact at
//! rest, whose limits differ by direction.

use crate::builder::{Builder, Placed};
use crate::contact::ResolvedContact;
use crate::error::MechError;
use crate::system::{System, SystemEval};
use bristle_core::{Mode, Scalar};
use bristle_law::{At, OPEN};
use bristle_solve::Point;

/// Places of what makes a contact differ by direction; what is left out is not there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Asymmetry {
    /// The factor on the friction of backward sliding.
    backward: Option<usize>,
    /// Viscous friction forwards and backwards.
    viscous: [Option<usize>; 2],
    /// The force beside friction.
    offset: Option<usize>,
}

impl Asymmetry {
    /// What a contact part says of it; nothing if it is the same in both directions.
    pub(crate) fn of(part: &Placed) -> Option<Asymmetry> {
        let [backward, forth, back, offset] =
            ["backward", "viscous", "viscous_backward", "offset"].map(|field| part.place_if_given(field));
        let is_given = [backward, forth, back, offset].iter().any(Option::is_some);
        is_given.then_some(Asymmetry { backward, viscous: [forth, back.or(forth)], offset })
    }

    /// Whether something changes at the moment a contact turns round.
    fn has_kink(&self) -> bool {
        self.backward.is_some() || self.viscous[0] != self.viscous[1]
    }
}

impl ResolvedContact {
    /// The same contact with what differs by direction; one whose law has no mode of its own then keeps its direction.
    pub(crate) fn made_asymmetric(
        self,
        builder: &Builder,
        part: &Placed,
    ) -> Result<ResolvedContact, MechError> {
        let Some(asymmetry) = Asymmetry::of(part) else { return Ok(self) };
        if asymmetry.backward.is_some() {
            self.refuse_factor(&builder.list.values)?;
        }
        let elements = if asymmetry.has_kink() { self.elements.max(1) } else { self.elements };
        Ok(ResolvedContact { asymmetry: Some(asymmetry), elements, ..self })
    }

    /// A law whose force at rest depends on the load would jump where the load it feels does.
    fn refuse_factor(&self, p: &[f64]) -> Result<(), MechError> {
        let law = self.law(p);
        let mut z = vec![0.0; self.states];
        law.scales(1.0, &mut z);
        let mut rates = z.clone();
        let mut at_rest = |n: f64| law.eval(&At { hold: 1e3, ..At::sliding(0.0, n) }, &z, &mut rates);
        let (light, heavy) = (at_rest(1.0), at_rest(2.0));
        let depends = (heavy - light).abs() > 1e-9 * (heavy.abs() + light.abs());
        let turns = self.set_valued || self.elements <= 1 && law.keeps_direction() && !depends;
        if turns {
            return Ok(());
        }
        let law = self.kind.card().name;
        let reason = if depends {
            format!("the force of law `{law}` would jump at rest if its friction differed by direction")
        } else {
            format!("law `{law}` remembers which of its elements yield, under one load for both directions")
        };
        let hint = "give an `offset` of half the difference of both levels instead, which is the same to elements that yield";
        Err(MechError::Misfit { part: self.name.clone(), field: "backward", reason, hint: hint.to_owned() })
    }

    /// The direction of sliding that decides what a contact feels: that of its mode, else that of its slip rate.
    #[inline]
    fn is_backward<S: Scalar>(&self, v: S, mode: &[Mode], yes: S, no: S) -> S {
        match self.modes(mode).first() {
            Some(Mode::Forward) => no,
            Some(Mode::Backward) => yes,
            _ => S::select(v.lt(S::zero()), yes, no),
        }
    }

    /// The load as the law feels it: times the factor on its coefficients, and that of the direction.
    #[inline]
    pub(crate) fn felt<S: Scalar>(&self, p: &[S], load: S, v: S, mode: &[Mode]) -> S {
        let n = self.scale.map_or(load, |scale| load * p[scale]);
        match self.asymmetry.and_then(|asymmetry| asymmetry.backward) {
            Some(backward) => self.is_backward(v, mode, n * p[backward], n),
            None => n,
        }
    }

    /// The load that limits forces forwards and backwards.
    #[inline]
    pub(crate) fn felt_both_ways<S: Scalar>(&self, p: &[S], load: S) -> [S; 2] {
        let n = self.scale.map_or(load, |scale| load * p[scale]);
        let back = self.asymmetry.and_then(|asymmetry| asymmetry.backward);
        [n, back.map_or(n, |backward| n * p[backward])]
    }

    /// The force beside that of the law, of a contact that is not open.
    fn beside<S: Scalar>(&self, p: &[S], load: S, v: S, mode: &[Mode]) -> S {
        let Some(asymmetry) = self.asymmetry else { return S::zero() };
        let [forth, back] = asymmetry.viscous.map(|place| place.map(|place| p[place]));
        let viscosity = match (forth, back) {
            (None, None) => None,
            (forth, back) if asymmetry.viscous[0] != asymmetry.viscous[1] => {
                let [forth, back] = [forth, back].map(|d| d.unwrap_or_else(S::zero));
                Some(self.is_backward(v, mode, back, forth))
            }
            (forth, _) => forth,
        };
        let drag = viscosity.map_or_else(S::zero, |d| d * v);
        let force = asymmetry.offset.map_or(drag, |offset| drag + p[offset]);
        S::select(load.lt(S::from(OPEN)), S::zero(), force)
    }
}

impl System {
    /// Puts what stands beside friction on the bodies of contacts.
    pub(crate) fn push_beside<S: Scalar>(&self, at: &Point<S>, flow: &mut SystemEval<S>) {
        for (k, contact) in self.contacts.iter().enumerate().filter(|(_, c)| c.asymmetry.is_some()) {
            let touch = &flow.touch[k];
            let force = contact.beside(at.p, touch.load, touch.v, at.mode);
            flow.touch[k].beside = force;
            self.put_force(k, at.p, force, &mut flow.f);
        }
    }
}
