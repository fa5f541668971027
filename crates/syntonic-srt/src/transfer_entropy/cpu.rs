//! The CPU's version: trees of each space, one query after the other, leaves on all threads.

use super::kernel::{Asked, Form, Wanted};
use super::mean::mean;
use super::points::{Points, Space};
use super::real::Real;
use super::search::{Found, Given, Trees, leaf};
use super::tree::{LEAF, Tree};
use std::sync::OnceLock;
use syntonic_core::cpu::threads::{share, share_chunks};
use syntonic_core::interrupt::poll;
use syntonic_core::ops::vectors::Places;
use syntonic_core::{Error, Result, room};

/// Leaves that a thread does in one go.
const LEAVES: usize = 4;

/// All tasks of a launch.
pub(super) struct Work<'a, T> {
    pub(super) asked: Asked,
    pub(super) series: &'a [T],
    pub(super) length: usize,
    pub(super) coordinates: &'a [[i32; 2]],
    pub(super) orders: &'a [i32],
    pub(super) which: &'a [i32],
    pub(super) psi: &'a [f64],
    pub(super) finite: &'a [bool],
    pub(super) summary: Places<f64>,
    pub(super) local: Places<f64>,
    pub(super) counts: Places<i32>,
    pub(super) distances: Places<T>,
}

impl<T: Real> Work<'_, T> {
    pub(super) fn run(&self) -> Result<()> {
        let tasks = self.which.len();
        let mut from = 0;
        // Neighbouring tasks of one target share the trees that x is no part of.
        let mut groups = room::empty(tasks)?;
        while from < tasks {
            let same = |t: &usize| self.target(*t) == self.target(from);
            let to = from + (from..tasks).take_while(same).count();
            groups.push((from, to));
            from = to;
        }
        each(groups.len(), |group| {
            let (from, to) = groups[group];
            let points = self.points(from);
            let [yz, z] = built(&points, [Space::Yz, Space::Z])?;
            each(to - from, |task| self.task(from + task, &yz, &z))
        })
    }

    fn target(&self, task: usize) -> &[[i32; 2]] {
        let width = self.asked.width();
        &self.coordinates[task * width + self.asked.widths[0]..(task + 1) * width]
    }

    fn points(&self, task: usize) -> Points<'_, T> {
        let (width, n) = (self.asked.width(), self.asked.points);
        let order = usize::try_from(self.which[task]).ok();
        Points {
            series: self.series,
            length: self.length,
            coordinates: &self.coordinates[task * width..][..width],
            order: order.map(|row| &self.orders[row * n..][..n]),
            asked: &self.asked,
        }
    }

    fn task(&self, task: usize, yz: &Tree<T>, z: &Tree<T>) -> Result<()> {
        let points = self.points(task);
        let mut rows = points.coordinates.iter().map(|[row, _]| *row as usize);
        if !rows.all(|row| self.finite[row]) {
            return self.nothing(task);
        }
        let [all, xz] = built(&points, [Space::All, Space::Xz])?;
        let trees = Trees {
            all: &all,
            yz,
            xz: &xz,
            z,
        };
        let found = search(trees, &points, None)?;
        let (n, wanted) = (self.asked.points, self.asked.wanted);
        let mut local = room::zeros::<f64>(n)?;
        let mut zeros = 0i32;
        for (place, (found, &i)) in found.iter().zip(&all.order).enumerate() {
            if place % UNASKED == 0 {
                poll()?;
            }
            let i = i as usize;
            local[i] = self.local(i, found.counts);
            zeros += i32::from(found.eps == T::ZERO);
            // SAFETY: each task has places of its own, of the lengths that the contract names.
            unsafe {
                if wanted.has(Wanted::COUNTS) {
                    for (row, count) in found.counts.into_iter().enumerate() {
                        (*self.counts.range((task * 3 + row) * n + i, 1))[0] = count as i32;
                    }
                }
                if wanted.has(Wanted::DISTANCES) {
                    (*self.distances.range(task * n + i, 1))[0] = found.eps;
                }
            }
        }
        // SAFETY: as above.
        unsafe {
            if wanted.has(Wanted::LOCAL) {
                (*self.local.range(task * n, n)).copy_from_slice(&local);
            }
            let summary = &mut *self.summary.range(2 * task, 2);
            (summary[0], summary[1]) = (mean(&mut local), f64::from(zeros));
        }
        Ok(())
    }

    /// What is told of a task with a series whose distances are no numbers.
    fn nothing(&self, task: usize) -> Result<()> {
        let (n, wanted) = (self.asked.points, self.asked.wanted);
        // SAFETY: each task has places of its own, of the lengths that the contract names.
        unsafe {
            if wanted.has(Wanted::LOCAL) {
                (*self.local.range(task * n, n)).fill(f64::NAN);
            }
            if wanted.has(Wanted::COUNTS) {
                (*self.counts.range(task * 3 * n, 3 * n)).fill(0);
            }
            if wanted.has(Wanted::DISTANCES) {
                (*self.distances.range(task * n, n)).fill(T::INFINITY);
            }
            (*self.summary.range(2 * task, 2)).copy_from_slice(&[f64::NAN, 0.0]);
        }
        Ok(())
    }

    fn local(&self, i: usize, counts: [u32; 3]) -> f64 {
        let psi = |n: usize| self.psi[n];
        let [yz, xz, z] = counts.map(|count| psi(count as usize + 1));
        let Asked {
            points, k, window, ..
        } = self.asked;
        match self.asked.form {
            Form::Conditional => ((psi(k) + z) - yz) - xz,
            Form::Mutual => {
                let left = points - window.min(i) - window.min(points - 1 - i);
                ((psi(k) + psi(left)) - xz) - yz
            }
        }
    }
}

/// Points whose results are written before the caller is asked whether to go on.
const UNASKED: usize = 1 << 16;

/// Counts within distances that are given, into the places of a task.
pub(super) fn counts<T: Real>(points: &Points<'_, T>, given: &[T], to: &mut [i32]) -> Result<()> {
    let [all, yz, xz, z] = built(points, [Space::All, Space::Yz, Space::Xz, Space::Z])?;
    let trees = Trees {
        all: &all,
        yz: &yz,
        xz: &xz,
        z: &z,
    };
    let found = search(trees, points, Some(given))?;
    let n = points.asked.points;
    for (place, (found, &i)) in found.iter().zip(&all.order).enumerate() {
        if place % UNASKED == 0 {
            poll()?;
        }
        for (row, count) in found.counts.into_iter().enumerate() {
            to[row * n + i as usize] = count as i32;
        }
    }
    Ok(())
}

/// What is found at each point, in the order of the tree of all coordinates.
fn search<T: Real>(
    trees: Trees<'_, T>,
    points: &Points<'_, T>,
    given: Given<'_, T>,
) -> Result<Vec<Found<T>>> {
    let nothing = Found {
        eps: T::ZERO,
        counts: [0; 3],
    };
    let mut found = room::filled(points.asked.points, nothing)?;
    share_chunks(&mut found, LEAVES * LEAF, |from, piece| {
        for (number, found) in piece.chunks_mut(LEAF).enumerate() {
            leaf(trees, points, given, from / LEAF + number, found);
        }
    })?;
    Ok(found)
}

/// Trees of these spaces, on several threads.
fn built<T: Real, const N: usize>(
    points: &Points<'_, T>,
    spaces: [Space; N],
) -> Result<[Tree<T>; N]> {
    let trees: [OnceLock<Tree<T>>; N] = [const { OnceLock::new() }; N];
    each(N, |k| {
        let tree = points.tree(spaces[k])?;
        let _ = trees[k].set(tree);
        Ok(())
    })?;
    let mut missing = false;
    let made = trees.map(|tree| {
        let tree = tree.into_inner();
        missing |= tree.is_none();
        tree
    });
    match missing {
        true => Err(syntonic_core::interrupt::Interrupted.into()),
        false => Ok(made.map(|tree| tree.unwrap_or_else(|| unreachable!("none is missing")))),
    }
}

/// `body` for each of `0..count`, on several threads; one of its errors comes out.
fn each(count: usize, body: impl Fn(usize) -> Result<()> + Sync) -> Result<()> {
    let failed: OnceLock<Error> = OnceLock::new();
    let outcome = share(count, |k| {
        if failed.get().is_none()
            && let Err(error) = body(k)
        {
            // Of several errors any one will do.
            let _ = failed.set(error);
        }
    });
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(outcome?),
    }
}
