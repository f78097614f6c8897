//! What the laws made of several Maxwell-slip elements share: an element is a spring behind a slider.

use bristle_core::Scalar;

/// How many elements there are.
pub(crate) const ELEMENTS: usize = 4;

/// Shares of one whole.
#[inline]
pub(crate) fn shares<S: Scalar>(parts: [S; ELEMENTS]) -> [S; ELEMENTS] {
    let sum = parts[0] + parts[1] + parts[2] + parts[3];
    parts.map(|part| part / sum)
}
