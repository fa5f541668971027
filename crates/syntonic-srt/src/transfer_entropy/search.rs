//! Neighbours of a leaf's points, compiled for wider registers and chosen by the level of instructions that the process runs at.
//! There are no contracted operations, so every level gives the same distances and counts.

use super::kernel::MAX_COORDINATES;
use super::points::{Points, Space};
use super::real::Real;
use super::tree::{LEAF, Tree};
use syntonic_core::cpu::lanes::Level;

/// What the trees of a task have: all coordinates, and those of the counts. There is none of z where it has no coordinate.
#[derive(Clone, Copy)]
pub(super) struct Trees<'a, T> {
    pub(super) all: &'a Tree<T>,
    pub(super) yz: &'a Tree<T>,
    pub(super) xz: &'a Tree<T>,
    pub(super) z: &'a Tree<T>,
}

/// What is found at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found<T> {
    pub(super) eps: T,
    /// `n_yz`, `n_xz`, `n_z`.
    pub(super) counts: [u32; 3],
}

/// What distances are, where they are not looked for.
pub(super) type Given<'a, T> = Option<&'a [T]>;

/// What is found at the points of a leaf of the tree of all coordinates.
pub(super) fn leaf<T: Real>(
    trees: Trees<'_, T>,
    points: &Points<'_, T>,
    given: Given<'_, T>,
    number: usize,
    found: &mut [Found<T>],
) {
    match Level::current() {
        // SAFETY: the level is that of `Level::current`, which this processor has.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { leaf_v4(trees, points, given, number, found) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { leaf_v3(trees, points, given, number, found) },
        _ => each(trees, points, given, number, found),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn leaf_v3<T: Real>(
    trees: Trees<'_, T>,
    points: &Points<'_, T>,
    given: Given<'_, T>,
    number: usize,
    found: &mut [Found<T>],
) {
    each(trees, points, given, number, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn leaf_v4<T: Real>(
    trees: Trees<'_, T>,
    points: &Points<'_, T>,
    given: Given<'_, T>,
    number: usize,
    found: &mut [Found<T>],
) {
    each(trees, points, given, number, found);
}

#[inline(always)]
fn each<T: Real>(
    trees: Trees<'_, T>,
    points: &Points<'_, T>,
    given: Given<'_, T>,
    number: usize,
    found: &mut [Found<T>],
) {
    let asked = points.asked;
    let [dx, dy, dz] = asked.widths;
    let width = dx + dy + dz;
    let block = &trees.all.coordinates[number * width * LEAF..];
    let mut q = [T::ZERO; MAX_COORDINATES];
    // Those of x and z side by side.
    let mut beside = [T::ZERO; MAX_COORDINATES];
    let mut best = [T::INFINITY; super::kernel::MAX_NEIGHBOURS];
    for (lane, found) in found.iter_mut().enumerate() {
        let me = trees.all.order[number * LEAF + lane] as usize;
        for (c, q) in q[..width].iter_mut().enumerate() {
            *q = block[c * LEAF + lane];
        }
        beside[..dx].copy_from_slice(&q[..dx]);
        beside[dx..dx + dz].copy_from_slice(&q[dx + dy..width]);
        let eps = match given {
            Some(given) => given[me],
            None => {
                let best = &mut best[..asked.k];
                trees
                    .all
                    .nearest(&q[..width], me, number, asked.window, best);
                best[asked.k - 1]
            }
        };
        let count = |space, tree: &Tree<T>, q: &[T]| {
            // The window's own points are in what a tree counts.
            tree.count(q, eps)
                .saturating_sub(points.excluded(space, q, me, eps)) as u32
        };
        found.eps = eps;
        found.counts = [
            count(Space::Yz, trees.yz, &q[dx..width]),
            count(Space::Xz, trees.xz, &beside[..dx + dz]),
            match dz {
                0 => 0,
                _ => count(Space::Z, trees.z, &q[dx + dy..width]),
            },
        ];
    }
}
