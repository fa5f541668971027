//! Points of a space in leaves of neighbours, under boxes. Differences round monotonically, so that what a box says of its points is exact.

use super::real::{Real, larger};
use syntonic_core::interrupt::{Outcome, poll};
use syntonic_core::{Result, room};

/// Points of a leaf.
pub(super) const LEAF: usize = 32;

/// Points of a space, cut at medians.
pub(super) struct Tree<T> {
    pub(super) width: usize,
    /// The point at each place.
    pub(super) order: Vec<u32>,
    /// `[leaf][coordinate][LEAF]`, infinite behind the last point.
    pub(super) coordinates: Vec<T>,
    /// `[node][coordinate]`, the least and the largest. The root comes first, its lesser half next.
    boxes: Vec<[T; 2]>,
}

/// A node with the leaves below it, and how near it is.
#[derive(Clone, Copy)]
struct Node<T> {
    number: u32,
    from: u32,
    to: u32,
    near: T,
}

/// Points that are read before the caller is asked whether to go on.
const UNASKED: usize = 1 << 14;

/// A path from the root: halves of at most 2^32 leaves, and one more at each level.
const DEPTH: usize = 34;

impl<T: Real> Tree<T> {
    /// The tree of `count` points, by their coordinates.
    pub(super) fn new(
        count: usize,
        width: usize,
        at: &(impl Fn(usize, usize) -> T + Sync),
    ) -> Result<Tree<T>> {
        let leaves = count.div_ceil(LEAF).max(1);
        let mut tree = Tree {
            width,
            order: room::collected(0..count as u32)?,
            coordinates: room::filled(leaves * width * LEAF, T::INFINITY)?,
            boxes: room::filled((2 * leaves - 1) * width, [T::INFINITY, T::ZERO])?,
        };
        let mut order = std::mem::take(&mut tree.order);
        tree.cut(&mut order, 0, 0, at)?;
        tree.order = order;
        Ok(tree)
    }

    pub(super) fn leaves(&self) -> usize {
        self.order.len().div_ceil(LEAF).max(1)
    }

    /// The subtree of these points, whose first leaf is `leaf`. As deep as there are halves.
    fn cut(
        &mut self,
        order: &mut [u32],
        node: usize,
        leaf: usize,
        at: &impl Fn(usize, usize) -> T,
    ) -> Outcome {
        let mut widest = (T::ZERO, 0);
        for c in 0..self.width {
            let mut ends: Option<[T; 2]> = None;
            for some in order.chunks(UNASKED) {
                if some.len() == UNASKED {
                    poll()?;
                }
                for &i in some {
                    let x = at(c, i as usize);
                    let [low, high] = ends.unwrap_or([x, x]);
                    ends = Some([if x < low { x } else { low }, larger(high, x)]);
                }
            }
            if let Some([low, high]) = ends {
                self.boxes[node * self.width + c] = [low, high];
                if high - low > widest.0 {
                    widest = (high - low, c);
                }
            }
        }
        let leaves = order.len().div_ceil(LEAF);
        if leaves < 2 {
            // Points of a leaf in the order of time: reading the series goes forward.
            order.sort_unstable();
            for c in 0..self.width {
                let lanes = &mut self.coordinates[(leaf * self.width + c) * LEAF..][..LEAF];
                for (lane, &i) in lanes.iter_mut().zip(order.iter()) {
                    *lane = at(c, i as usize);
                }
            }
            return Ok(());
        }
        let half = leaves / 2;
        if self.width > 0 {
            let c = widest.1;
            let by = |a: &u32, b: &u32| at(c, *a as usize).order(&at(c, *b as usize));
            order.select_nth_unstable_by(half * LEAF, by);
        }
        let (less, more) = order.split_at_mut(half * LEAF);
        self.cut(less, node + 1, leaf, at)?;
        self.cut(more, node + 2 * half, leaf + half, at)
    }

    fn root(&self) -> Node<T> {
        Node {
            number: 0,
            from: 0,
            to: self.leaves() as u32,
            near: T::ZERO,
        }
    }

    /// A lower bound of the distances from `q` to the points of a box.
    #[inline(always)]
    fn near(&self, node: u32, q: &[T]) -> T {
        let ends = &self.boxes[node as usize * self.width..][..self.width];
        let mut near = T::ZERO;
        for ([low, high], &q) in ends.iter().zip(q) {
            near = larger(larger(near, *low - q), q - *high);
        }
        near
    }

    /// Whether all points of a box are nearer than `eps`.
    #[inline(always)]
    fn within(&self, node: u32, q: &[T], eps: T) -> bool {
        let ends = &self.boxes[node as usize * self.width..][..self.width];
        let mut far = T::ZERO;
        for ([low, high], &q) in ends.iter().zip(q) {
            far = larger(larger(far, *high - q), q - *low);
        }
        far < eps
    }

    /// Distances from `q` to the places of a leaf.
    #[inline(always)]
    fn distances(&self, leaf: usize, q: &[T]) -> [T; LEAF] {
        let block = &self.coordinates[leaf * self.width * LEAF..][..self.width * LEAF];
        let mut far = [T::ZERO; LEAF];
        for (x, &q) in block.as_chunks::<LEAF>().0.iter().zip(q) {
            for (far, x) in far.iter_mut().zip(x) {
                *far = larger(*far, (q - *x).magnitude());
            }
        }
        far
    }

    /// Places of a leaf that hold points, a bit each. Those behind the last point are infinitely far only of what is finite, and at no distance
    /// where there are no coordinates.
    #[inline(always)]
    fn lanes(&self, leaf: usize) -> u32 {
        match self.order.len().saturating_sub(leaf * LEAF) {
            0 => 0,
            held => u32::MAX >> (LEAF - held.min(LEAF)),
        }
    }

    /// The halves of a node.
    #[inline(always)]
    fn halves(&self, node: Node<T>, q: &[T]) -> [Node<T>; 2] {
        let half = (node.to - node.from) / 2;
        let of = |number, from, to| Node {
            number,
            from,
            to,
            near: self.near(number, q),
        };
        let middle = node.from + half;
        [
            of(node.number + 1, node.from, middle),
            of(node.number + 2 * half, middle, node.to),
        ]
    }

    /// The `k` smallest distances from `q` to points that are no further than `window` from point `me`, in order, at the front of `best`.
    #[inline(always)]
    pub(super) fn nearest(&self, q: &[T], me: usize, own: usize, window: usize, best: &mut [T]) {
        best.fill(T::INFINITY);
        self.offer(own, q, me, window, best);
        let mut stack = [self.root(); DEPTH];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let mut node = stack[height];
            while node.near < best[best.len() - 1] {
                if node.to - node.from == 1 {
                    if node.from as usize != own {
                        self.offer(node.from as usize, q, me, window, best);
                    }
                    break;
                }
                let [a, b] = self.halves(node, q);
                let (first, second) = if b.near < a.near { (b, a) } else { (a, b) };
                stack[height] = second;
                height += 1;
                node = first;
            }
        }
    }

    /// Takes the distances to a leaf's points into the smallest.
    #[inline(always)]
    fn offer(&self, leaf: usize, q: &[T], me: usize, window: usize, best: &mut [T]) {
        let far = self.distances(leaf, q);
        let last = best.len() - 1;
        let mut nearer = mask(&far, best[last]) & self.lanes(leaf);
        while nearer != 0 {
            let lane = nearer.trailing_zeros() as usize;
            nearer &= nearer - 1;
            let point = self.order[leaf * LEAF + lane] as usize;
            if far[lane] < best[last] && point.abs_diff(me) > window {
                let mut at = last;
                while at > 0 && far[lane] < best[at - 1] {
                    best[at] = best[at - 1];
                    at -= 1;
                }
                best[at] = far[lane];
            }
        }
    }

    /// How many points are nearer to `q` than `eps`.
    #[inline(always)]
    pub(super) fn count(&self, q: &[T], eps: T) -> usize {
        let mut stack = [self.root(); DEPTH];
        let (mut height, mut count) = (1, 0);
        while height > 0 {
            height -= 1;
            let mut node = stack[height];
            while node.near < eps {
                if self.within(node.number, q, eps) {
                    let to = (node.to as usize * LEAF).min(self.order.len());
                    count += to - node.from as usize * LEAF;
                    break;
                }
                if node.to - node.from == 1 {
                    let leaf = node.from as usize;
                    let far = self.distances(leaf, q);
                    count += (mask(&far, eps) & self.lanes(leaf)).count_ones() as usize;
                    break;
                }
                let [a, b] = self.halves(node, q);
                stack[height] = b;
                height += 1;
                node = a;
            }
        }
        count
    }
}

/// The lanes that are below `limit`, a bit each.
#[inline(always)]
fn mask<T: Real>(lanes: &[T; LEAF], limit: T) -> u32 {
    let mut bits = 0;
    for (lane, x) in lanes.iter().enumerate() {
        bits |= u32::from(*x < limit) << lane;
    }
    bits
}
