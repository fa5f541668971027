//! Strided operands for kernels: axes merged on the host, divisions turned into products.
//!
//! `kernels/include/walk.cuh` has [`Narrow`] and [`Wide`], too. Strides and offsets count elements.

use syntonic_core::layout::{Dims, Strides, collapse};

/// The most axes a kernel walks; [`Space::pieces`] loops over further outer ones.
pub(crate) const AXES: usize = 8;

/// The largest position or offset that 32-bit kernels reach.
const NARROW: i128 = i32::MAX as i128;

/// An index space with merged axes, the outermost first, and how each operand walks it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Space {
    /// Lengths; at least one axis.
    pub(crate) dims: Dims,
    /// Strides of every operand.
    pub(crate) strides: Vec<Strides>,
    /// The distance from each operand's first element to where its walk begins.
    pub(crate) bases: Vec<isize>,
}

impl Space {
    /// The space `shape` in its own order, walked by operands with these strides.
    pub(crate) fn new(shape: &[usize], strides: &[&[isize]]) -> Space {
        let (mut dims, mut strides) = collapse(shape, strides);
        if dims.is_empty() {
            dims.push(1);
            strides.iter_mut().for_each(|s| s.push(0));
        }
        let bases = vec![0; strides.len()];
        Space {
            dims,
            strides,
            bases,
        }
    }

    /// One position, where this many operands have stride 0.
    pub(crate) fn point(operands: usize) -> Space {
        Space::new(&[], &vec![&[][..]; operands])
    }

    /// The space `shape` in whatever order suits memory: axes run backwards where operand `by` does, the axis it
    /// takes the smallest steps along is innermost, and axes that then continue each other are merged.
    ///
    /// For kernels that treat every position alike.
    pub(crate) fn sorted(shape: &[usize], strides: &[&[isize]], by: usize) -> Space {
        let first = Space::new(shape, strides);
        let mut bases = first.bases;
        let mut axes: Vec<usize> = (0..first.dims.len()).collect();
        // Stable, so that axes along which `by` has stride 0 keep their order.
        axes.sort_by_key(|&a| std::cmp::Reverse(first.strides[by][a].unsigned_abs()));
        let dims: Dims = axes.iter().map(|&a| first.dims[a]).collect();
        let mut turned: Vec<Strides> = vec![Strides::new(); strides.len()];
        for &a in &axes {
            let backwards = first.strides[by][a] < 0;
            for (k, from) in first.strides.iter().enumerate() {
                let stride = if backwards { -from[a] } else { from[a] };
                if backwards {
                    bases[k] += from[a] * (first.dims[a] as isize - 1);
                }
                turned[k].push(stride);
            }
        }
        let views: Vec<&[isize]> = turned.iter().map(|s| &s[..]).collect();
        Space {
            bases,
            ..Space::new(&dims, &views)
        }
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.dims.iter().product()
    }

    /// True if operand `k` is one broadcast element.
    pub(crate) fn repeats(&self, k: usize) -> bool {
        self.strides[k].iter().all(|&s| s == 0)
    }

    /// True if operand `k` moves one element on with every position.
    pub(crate) fn is_contiguous(&self, k: usize) -> bool {
        let mut want = 1;
        for (&len, &stride) in self.dims.iter().zip(&self.strides[k]).rev() {
            if len > 1 && stride != want {
                return false;
            }
            want *= len as isize;
        }
        true
    }

    /// True if every position, and every offset from where a walk begins, is below 2^31.
    pub(crate) fn is_narrow(&self) -> bool {
        self.is_narrow_beside(&Space::point(self.strides.len()))
    }

    /// True if every position of either space, and every offset over both, is below 2^31.
    pub(crate) fn is_narrow_beside(&self, other: &Space) -> bool {
        let near = |k: usize| self.reach(k) + other.reach(k) <= NARROW;
        let positions = self.len().max(other.len()) as i128;
        positions <= NARROW && (0..self.strides.len()).all(near)
    }

    /// The largest distance of an element of operand `k` from where its walk begins.
    fn reach(&self, k: usize) -> i128 {
        let far = |(&n, &s): (&usize, &isize)| (n as i128 - 1) * (s as i128).abs();
        self.dims.iter().zip(&self.strides[k]).map(far).sum()
    }

    /// The space in pieces of at most [`AXES`] axes; almost always itself.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Space> + '_ {
        let outer = self.dims.len().saturating_sub(AXES);
        let count: usize = self.dims[..outer].iter().product();
        (0..count).map(move |at| self.piece(outer, at))
    }

    /// The piece at position `at` of the `outer` outermost axes.
    fn piece(&self, outer: usize, at: usize) -> Space {
        let mut bases = self.bases.clone();
        let mut rest = at;
        for axis in (0..outer).rev() {
            let here = (rest % self.dims[axis]) as isize;
            rest /= self.dims[axis];
            for (base, strides) in bases.iter_mut().zip(&self.strides) {
                *base += here * strides[axis];
            }
        }
        Space {
            dims: self.dims[outer..].into(),
            strides: self.strides.iter().map(|s| s[outer..].into()).collect(),
            bases,
        }
    }

    /// The space for a 32-bit kernel of `K` operands; operands past those of the space stand still.
    pub(crate) fn narrow<const K: usize>(&self) -> Narrow<K> {
        let mut walk = Narrow::<K> {
            axes: self.dims.len() as u32,
            ..Default::default()
        };
        for (at, &len) in self.dims.iter().rev().enumerate() {
            walk.dims[at] = Divisor32::new(len as u32);
        }
        for (to, from) in walk.strides.iter_mut().zip(&self.strides) {
            for (to, &stride) in to.iter_mut().zip(from.iter().rev()) {
                *to = stride as i32;
            }
        }
        walk
    }

    /// The space for a 64-bit kernel of `K` operands; operands past those of the space stand still.
    pub(crate) fn wide<const K: usize>(&self) -> Wide<K> {
        let mut walk = Wide::<K> {
            axes: self.dims.len() as u64,
            ..Default::default()
        };
        for (at, &len) in self.dims.iter().rev().enumerate() {
            walk.dims[at] = Divisor64::new(len as u64);
        }
        for (to, from) in walk.strides.iter_mut().zip(&self.strides) {
            for (to, &stride) in to.iter_mut().zip(from.iter().rev()) {
                *to = stride as i64;
            }
        }
        walk
    }
}

/// A divisor as a product and a shift: n/d = (high half of n·magic + n) >> shift for every n < 2^31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Divisor32 {
    by: u32,
    magic: u32,
    shift: u32,
}

impl Divisor32 {
    /// The factor, and the shift in the upper half.
    pub(crate) fn factor(self) -> u64 {
        u64::from(self.shift) << 32 | u64::from(self.magic)
    }

    /// As it lies in memory.
    pub(crate) fn words(self) -> [u32; 3] {
        [self.by, self.magic, self.shift]
    }

    /// For a divisor of at least 1 and below 2^31.
    pub(crate) fn new(by: u32) -> Divisor32 {
        let shift = 32 - by.max(1).saturating_sub(1).leading_zeros();
        let magic = ((1u64 << 32) * ((1u64 << shift) - u64::from(by)) / u64::from(by.max(1))) + 1;
        Divisor32 {
            by,
            magic: magic as u32,
            shift,
        }
    }
}

#[cfg(test)]
impl Divisor32 {
    /// What it divides by.
    pub(crate) fn length(self) -> u32 {
        self.by
    }
}

/// As [`Divisor32`], for every n < 2^63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Divisor64 {
    by: u64,
    magic: u64,
    shift: u64,
}

impl Divisor64 {
    /// The factor; the shift is the length of the divisor less 1.
    pub(crate) fn factor(self) -> u64 {
        self.magic
    }

    /// For a divisor of at least 1 and below 2^63.
    pub(crate) fn new(by: u64) -> Divisor64 {
        let shift = 64 - by.max(1).saturating_sub(1).leading_zeros();
        let magic =
            ((1u128 << 64) * ((1u128 << shift) - u128::from(by)) / u128::from(by.max(1))) + 1;
        Divisor64 {
            by,
            magic: magic as u64,
            shift: u64::from(shift),
        }
    }
}

/// What a 32-bit kernel is given to walk `K` operands; axis 0 is the innermost.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Narrow<const K: usize> {
    axes: u32,
    dims: [Divisor32; AXES],
    strides: [[i32; AXES]; K],
}

impl<const K: usize> Default for Narrow<K> {
    fn default() -> Self {
        Narrow {
            axes: 1,
            dims: [Divisor32::default(); AXES],
            strides: [[0; AXES]; K],
        }
    }
}

/// What a 64-bit kernel is given to walk `K` operands; axis 0 is the innermost.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Wide<const K: usize> {
    axes: u64,
    dims: [Divisor64; AXES],
    strides: [[i64; AXES]; K],
}

impl<const K: usize> Default for Wide<K> {
    fn default() -> Self {
        Wide {
            axes: 1,
            dims: [Divisor64::default(); AXES],
            strides: [[0; AXES]; K],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `Space::offset` of walk.cuh computes.
    fn offset<const K: usize>(walk: &Wide<K>, k: usize, i: u64) -> i64 {
        let (mut at, mut rest) = (0, i);
        for axis in 0..walk.axes as usize - 1 {
            let d = walk.dims[axis];
            let high = ((u128::from(rest) * u128::from(d.magic)) >> 64) as u64;
            let next = (high + rest) >> d.shift;
            at += (rest - next * d.by) as i64 * walk.strides[k][axis];
            rest = next;
        }
        at + rest as i64 * walk.strides[k][walk.axes as usize - 1]
    }

    fn offset_narrow<const K: usize>(walk: &Narrow<K>, k: usize, i: u32) -> i32 {
        let (mut at, mut rest) = (0, i);
        for axis in 0..walk.axes as usize - 1 {
            let d = walk.dims[axis];
            let high = ((u64::from(rest) * u64::from(d.magic)) >> 32) as u32;
            let next = (high + rest) >> d.shift;
            at += (rest - next * d.by) as i32 * walk.strides[k][axis];
            rest = next;
        }
        at + rest as i32 * walk.strides[k][walk.axes as usize - 1]
    }

    #[test]
    fn products_divide_exactly() {
        let edges = [1u64, 2, 3, 5, 7, 10, 63, 64, 65, 641, 1_000_003];
        for by in edges.into_iter().chain([(1 << 31) - 1, (1 << 30) + 1]) {
            let d = Divisor32::new(by as u32);
            for near in [0u64, 1, by, 3 * by, 1 << 30, (1 << 31) - 2] {
                for n in near.saturating_sub(2)..=(near + 2).min((1 << 31) - 1) {
                    let high = (n * u64::from(d.magic)) >> 32;
                    assert_eq!((high + n) >> d.shift, n / by, "{n}/{by}");
                }
            }
        }
        for by in edges.into_iter().chain([(1 << 63) - 1, (1 << 40) + 1]) {
            let d = Divisor64::new(by);
            for near in [0u64, 1, by, 1 << 40, 1 << 62, (1 << 63) - 3] {
                for n in near.saturating_sub(2)..=(near + 2).min((1 << 63) - 1) {
                    let high = ((u128::from(n) * u128::from(d.magic)) >> 64) as u64;
                    assert_eq!((high + n) >> d.shift, n / by, "{n}/{by}");
                }
            }
        }
    }

    /// Every position of the shape, as the offsets of all operands, in any order.
    fn visited(shape: &[usize], strides: &[&[isize]]) -> Vec<Vec<isize>> {
        let mut all: Vec<Vec<isize>> = vec![vec![0; strides.len()]];
        for (axis, &len) in shape.iter().enumerate() {
            let step = |at: &Vec<isize>, i: usize| -> Vec<isize> {
                let moved = |(x, s): (&isize, &&[isize])| x + i as isize * s[axis];
                at.iter().zip(strides).map(moved).collect()
            };
            all = all
                .iter()
                .flat_map(|at| (0..len).map(move |i| step(at, i)))
                .collect();
        }
        all.sort();
        all
    }

    fn walked(space: &Space) -> Vec<Vec<isize>> {
        let mut all = Vec::new();
        for piece in space.pieces() {
            let (narrow, wide) = (piece.narrow::<3>(), piece.wide::<3>());
            for i in 0..piece.len() {
                let at: Vec<isize> = (0..piece.strides.len())
                    .map(|k| {
                        let at = offset(&wide, k, i as u64);
                        assert_eq!(at, i64::from(offset_narrow(&narrow, k, i as u32)));
                        piece.bases[k] + at as isize
                    })
                    .collect();
                all.push(at);
            }
        }
        all.sort();
        all
    }

    #[test]
    fn every_element_is_visited_once() {
        let cases: [(&[usize], &[&[isize]]); 6] = [
            (&[3, 4, 5], &[&[20, 5, 1], &[1, 3, 12], &[0, 0, 1]]),
            (&[3, 4, 5], &[&[-20, 5, -1], &[20, 5, 1], &[0, 1, 0]]),
            (&[7], &[&[-2], &[0], &[1]]),
            (&[], &[&[], &[], &[]]),
            (&[1, 6, 1], &[&[9, 1, 4], &[0, 0, 0], &[0, -1, 0]]),
            (
                &[2; 11],
                &[
                    &[1, 4, 2, 16, 8, 64, 32, 256, 128, 1024, 512],
                    &[0, 1, 0, 2, 0, 4, 0, 8, 0, 16, 0],
                    &[3; 11],
                ],
            ),
        ];
        for (shape, strides) in cases {
            let want = visited(shape, strides);
            assert_eq!(walked(&Space::new(shape, strides)), want, "{shape:?}");
            for by in 0..3 {
                let space = Space::sorted(shape, strides, by);
                assert_eq!(walked(&space), want, "{shape:?} by {by}");
            }
        }
    }

    #[test]
    fn sorting_makes_a_transposed_result_contiguous() {
        let space = Space::sorted(&[30, 40], &[&[1, 30], &[1, 30]], 1);
        assert_eq!(space.dims[..], [1200]);
        assert!(space.is_contiguous(0) && space.is_contiguous(1));
        let space = Space::sorted(&[30, 40], &[&[40, 1], &[-40, 1]], 1);
        assert_eq!((space.bases[0], space.bases[1]), (29 * 40, -29 * 40));
        assert!(space.is_contiguous(1) && !space.is_contiguous(0));
    }

    #[test]
    fn far_offsets_are_not_narrow() {
        assert!(Space::new(&[1 << 20], &[&[2]]).is_narrow());
        assert!(!Space::new(&[1 << 20], &[&[1 << 12]]).is_narrow());
        assert!(!Space::new(&[1 << 31], &[&[0]]).is_narrow());
    }
}
