//! Positions and places, one after the other.

use super::script::View;

/// All positions of a shape, row-major.
pub(crate) fn positions(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let n: usize = shape.iter().product();
    (0..n).map(move |k| position(k, shape))
}

fn position(mut k: usize, shape: &[usize]) -> Vec<usize> {
    let mut place = vec![0; shape.len()];
    for (at, &len) in place.iter_mut().zip(shape).rev() {
        *at = k % len;
        k /= len;
    }
    place
}

/// The row-major number of a position.
pub(crate) fn flat(place: impl Iterator<Item = usize>, shape: &[usize]) -> usize {
    place.zip(shape).fold(0, |at, (i, &len)| at * len + i)
}

/// The shape of a view, and which element of the viewed each of its own is; `None` where there is no such view.
pub(crate) fn viewed(shape: &[usize], view: &View) -> Option<(Vec<usize>, Vec<usize>)> {
    let mut to = shape.to_vec();
    let has = |axis: usize| axis < shape.len();
    match view {
        View::Permute(order) => {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(0..shape.len()) {
                return None;
            }
            to = order.iter().map(|&axis| shape[axis]).collect();
        }
        View::Slice {
            axis,
            start,
            stop,
            step,
        } => {
            if !has(*axis) || *step == 0 || start > stop || *stop > shape[*axis] {
                return None;
            }
            to[*axis] = (stop - start).div_ceil(*step);
        }
        View::Flip(axis) => has(*axis).then_some(())?,
        View::Select { axis, index } => {
            (has(*axis) && *index < shape[*axis]).then_some(())?;
            to.remove(*axis);
        }
        View::Expand(axis) => {
            (*axis <= shape.len() && shape.len() < 6).then_some(())?;
            to.insert(*axis, 1);
        }
        View::Squeeze(axis) => {
            (has(*axis) && shape[*axis] == 1).then_some(())?;
            to.remove(*axis);
        }
        View::Broadcast(wide) => {
            let more = wide.len().checked_sub(shape.len())?;
            let fits = wide[more..].iter().zip(shape);
            fits.clone().all(|(w, s)| w == s || *s == 1).then_some(())?;
            to.clone_from(wide);
        }
        View::Reshape(other) => {
            let count = |shape: &[usize]| shape.iter().product::<usize>();
            (count(other) == count(shape)).then_some(())?;
            let all = (0..count(shape)).collect();
            return Some((other.clone(), all));
        }
        View::Diagonal(a, b) => {
            (has(*a) && has(*b) && a != b).then_some(())?;
            let length = shape[*a].min(shape[*b]);
            let kept = (0..shape.len()).filter(|axis| axis != a && axis != b);
            to = kept.map(|axis| shape[axis]).collect();
            to.push(length);
        }
    }
    let from = |place: Vec<usize>| flat(source(&place, shape, view).into_iter(), shape);
    let all = positions(&to).map(from).collect();
    Some((to, all))
}

/// Where the element at `place` of a view lies in what it views.
fn source(place: &[usize], shape: &[usize], view: &View) -> Vec<usize> {
    let mut from = place.to_vec();
    match view {
        View::Permute(order) => {
            for (&axis, &at) in order.iter().zip(place) {
                from[axis] = at;
            }
        }
        View::Slice {
            axis, start, step, ..
        } => from[*axis] = start + place[*axis] * step,
        View::Flip(axis) => from[*axis] = shape[*axis] - 1 - place[*axis],
        View::Select { axis, index } => from.insert(*axis, *index),
        View::Expand(axis) => {
            from.remove(*axis);
        }
        View::Squeeze(axis) => from.insert(*axis, 0),
        View::Broadcast(wide) => {
            from.drain(..wide.len() - shape.len());
            for (at, &len) in from.iter_mut().zip(shape) {
                *at = if len == 1 { 0 } else { *at };
            }
        }
        View::Reshape(_) => {}
        View::Diagonal(a, b) => {
            let along = from.pop().unwrap_or(0);
            for axis in [*a.min(b), *a.max(b)] {
                from.insert(axis, along);
            }
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_lists_of_places() {
        let (shape, places) = viewed(&[2, 3], &View::Permute(vec![1, 0])).unwrap();
        assert_eq!((shape, places), (vec![3, 2], vec![0, 3, 1, 4, 2, 5]));
        let slice = View::Slice {
            axis: 1,
            start: 1,
            stop: 3,
            step: 2,
        };
        assert_eq!(viewed(&[2, 3], &slice).unwrap().1, [1, 4]);
        assert_eq!(
            viewed(&[1, 2], &View::Broadcast(vec![2, 2])).unwrap().1,
            [0, 1, 0, 1]
        );
        assert_eq!(viewed(&[3, 3], &View::Diagonal(0, 1)).unwrap().1, [0, 4, 8]);
        assert!(viewed(&[3], &View::Squeeze(0)).is_none());
    }
}
