//! Walks over fewer, longer axes.

use super::{Dims, Strides};
use smallvec::SmallVec;

/// Merges neighbouring axes that every operand walks as one, and drops axes of length 1.
///
/// `strides[k]` are the strides of operand `k` over `shape`, 0 where there are fewer. The order of elements is kept.
///
/// ```
/// use syntonic_core::layout::collapse;
///
/// // Both walk the rows one after the other, so three axes are one.
/// let (shape, strides) = collapse(&[2, 1, 3], &[&[3, 3, 1], &[6, 6, 2]]);
/// assert_eq!((&shape[..], &strides[1][..]), (&[6][..], &[2][..]));
/// ```
pub fn collapse(shape: &[usize], strides: &[&[isize]]) -> (Dims, Vec<Strides>) {
    if shape.contains(&0) {
        let still = SmallVec::from_elem(0, 1);
        return (SmallVec::from_elem(0, 1), vec![still; strides.len()]);
    }
    let mut dims = Dims::new();
    let mut out: Vec<Strides> = vec![Strides::new(); strides.len()];
    let stride = |operand: &[isize], axis: usize| operand.get(axis).copied().unwrap_or(0);
    for (axis, &len) in shape.iter().enumerate() {
        if len == 1 {
            continue;
        }
        // What overflows is no walk of an operand, and is left as it is.
        let whole = dims.last().and_then(|&last| last.checked_mul(len));
        let joins = whole.filter(|_| {
            let mut pairs = strides.iter().zip(&out);
            pairs.all(|(s, o)| o.last().copied() == stride(s, axis).checked_mul(len as isize))
        });
        match (joins, dims.len().wrapping_sub(1)) {
            (Some(whole), last) => {
                dims[last] = whole;
                for (s, o) in strides.iter().zip(&mut out) {
                    o[last] = stride(s, axis);
                }
            }
            (None, _) => {
                dims.push(len);
                for (s, o) in strides.iter().zip(&mut out) {
                    o.push(stride(s, axis));
                }
            }
        }
    }
    (dims, out)
}
