//! Axes sorted for coalesced access.

use crate::walk::Space;
use syntonic_core::layout::{Dims, Strides};

/// The space `shape` with its axes flipped and sorted: operand 0 walks every axis forwards, its smallest stride is innermost,
/// and its broadcast axes are outermost. For folds that treat all positions alike.
pub(super) fn arrange(shape: &[usize], strides: &[&[isize]]) -> Space {
    let lead = strides[0];
    let mut axes: Vec<usize> = (0..shape.len()).filter(|&a| shape[a] != 1).collect();
    // Stable, so that equal steps keep their order.
    axes.sort_by_key(|&a| std::cmp::Reverse(lead[a].unsigned_abs().wrapping_sub(1)));
    let mut bases = vec![0isize; strides.len()];
    let mut turned = vec![Strides::new(); strides.len()];
    for &a in &axes {
        for (k, from) in strides.iter().enumerate() {
            if lead[a] < 0 {
                bases[k] += from[a] * (shape[a] as isize - 1);
            }
            turned[k].push(if lead[a] < 0 { -from[a] } else { from[a] });
        }
    }
    let dims: Dims = axes.iter().map(|&a| shape[a]).collect();
    let views: Vec<&[isize]> = turned.iter().map(|s| &s[..]).collect();
    Space {
        bases,
        ..Space::new(&dims, &views)
    }
}

/// One axis of a space, with the strides of every operand, and the space without it.
pub(super) fn take_axis(space: &Space, axis: usize) -> (usize, Vec<isize>, Space) {
    let keep = |s: &[isize]| -> Strides { without(s, axis).collect() };
    let strides = space.strides.iter().map(|s| s[axis]).collect();
    let rest: Vec<Strides> = space.strides.iter().map(|s| keep(s)).collect();
    let views: Vec<&[isize]> = rest.iter().map(|s| &s[..]).collect();
    let dims: Dims = without(&space.dims, axis).collect();
    let rest = Space {
        bases: space.bases.clone(),
        ..Space::new(&dims, &views)
    };
    (space.dims[axis], strides, rest)
}

fn without<T: Copy>(items: &[T], axis: usize) -> impl Iterator<Item = T> + '_ {
    let kept = items.iter().enumerate().filter(move |(k, _)| *k != axis);
    kept.map(|(_, &item)| item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_steps_come_last_and_standstill_first() {
        let space = arrange(&[4, 3, 5], &[&[1, 0, 4]]);
        assert_eq!(space.dims[..], [3, 20]);
        assert_eq!(space.strides[0][..], [0, 1]);
        let space = arrange(&[4, 5], &[&[-5, -1], &[5, 1]]);
        assert_eq!((&space.dims[..], space.bases), (&[20][..], vec![-19, 19]));
        assert_eq!(space.strides[1][..], [-1]);
    }

    #[test]
    fn an_axis_is_taken_out() {
        let space = arrange(&[2, 3, 4], &[&[100, 10, 1], &[12, 4, 1]]);
        let (length, strides, rest) = take_axis(&space, 1);
        assert_eq!((length, strides), (3, vec![10, 4]));
        assert_eq!(rest.dims[..], [2, 4]);
    }
}
