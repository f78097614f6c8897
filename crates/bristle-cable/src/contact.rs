//! Normal contact of a node with a circular drum after Hunt and Crossley.
//!
//! ```text
//! δ = R − |r − r₀| > 0,  u = (r − r₀)/|r − r₀|,  N = max(0, k δⁿ (1 + D δ̇)),  force N u on the node
//! ```

use crate::drum::CableDrum;

/// The normal force of one touching node with its derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Normal {
    /// Penetration `δ`.
    pub depth: f64,
    /// Distance from the centre.
    pub distance: f64,
    /// Outward unit normal `u`.
    pub u: [f64; 2],
    /// Normal force `N`.
    pub force: f64,
    /// `∂N/∂r`.
    pub by_place: [f64; 2],
    /// `∂N/∂v`.
    pub by_speed: [f64; 2],
}

/// The normal force at place `r` and velocity `v`, if the node touches the drum.
#[inline]
pub fn normal(drum: &CableDrum, r: [f64; 2], v: [f64; 2]) -> Option<Normal> {
    normal_share(drum, 1.0, r, v)
}

/// The normal force of a point with a share of a node's stiffness.
#[inline]
pub(crate) fn normal_share(drum: &CableDrum, share: f64, r: [f64; 2], v: [f64; 2]) -> Option<Normal> {
    let d = [r[0] - drum.centre[0], r[1] - drum.centre[1]];
    let square = d[0] * d[0] + d[1] * d[1];
    if square >= drum.radius * drum.radius {
        return None;
    }
    let distance = square.sqrt();
    let depth = drum.radius - distance;
    if depth <= 0.0 || distance <= 0.0 {
        return None;
    }
    let u = [d[0] / distance, d[1] / distance];
    let out = u[0] * v[0] + u[1] * v[1];
    let power = if drum.exponent == 1.5 { depth * depth.sqrt() } else { depth.powf(drum.exponent) };
    let elastic = share * drum.stiffness * power;
    let force = elastic * (1.0 - drum.damping * out);
    if force <= 0.0 {
        return None;
    }
    let rise = drum.exponent * force / depth;
    let drag = elastic * drum.damping;
    // ∂δ̇/∂r = −(v − u (u·v))/|r − r₀|.
    let by_place = std::array::from_fn(|c| -rise * u[c] - drag * (v[c] - u[c] * out) / distance);
    Some(Normal { depth, distance, u, force, by_place, by_speed: [-drag * u[0], -drag * u[1]] })
}

/// Energy stored in the penetration, `k δⁿ⁺¹/(n + 1)`.
pub fn energy(drum: &CableDrum, r: [f64; 2]) -> f64 {
    let depth = drum.radius - (r[0] - drum.centre[0]).hypot(r[1] - drum.centre[1]);
    if depth > 0.0 { drum.stiffness * depth.powf(drum.exponent + 1.0) / (drum.exponent + 1.0) } else { 0.0 }
}
