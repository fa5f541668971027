//! Points of a task: coordinates that are read from series, those of x through an order.

use super::kernel::Asked;
use super::real::Real;
use super::tree::Tree;
use syntonic_core::Result;

/// Coordinates of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    All,
    Yz,
    Xz,
    Z,
}

/// The points of a task.
#[derive(Clone, Copy)]
pub(super) struct Points<'a, T> {
    pub(super) series: &'a [T],
    pub(super) length: usize,
    /// `(row, first)` of each coordinate.
    pub(super) coordinates: &'a [[i32; 2]],
    pub(super) order: Option<&'a [i32]>,
    pub(super) asked: &'a Asked,
}

impl<T: Real> Points<'_, T> {
    /// Coordinate `c` of point `i`.
    #[inline(always)]
    pub(super) fn at(&self, c: usize, i: usize) -> T {
        let [row, first] = self.coordinates[c];
        let i = match self.order {
            Some(order) if c < self.asked.widths[0] => order[i] as usize,
            _ => i,
        };
        self.series[row as usize * self.length + first as usize + i]
    }

    /// The coordinate of all that a space's coordinate is.
    #[inline(always)]
    pub(super) fn of(&self, space: Space, c: usize) -> usize {
        let [dx, dy, _] = self.asked.widths;
        match space {
            Space::All => c,
            Space::Yz => dx + c,
            Space::Xz if c < dx => c,
            Space::Xz => dy + c,
            Space::Z => dx + dy + c,
        }
    }

    pub(super) fn width(&self, space: Space) -> usize {
        let [dx, dy, dz] = self.asked.widths;
        match space {
            Space::All => dx + dy + dz,
            Space::Yz => dy + dz,
            Space::Xz => dx + dz,
            Space::Z => dz,
        }
    }

    pub(super) fn tree(&self, space: Space) -> Result<Tree<T>> {
        Tree::new(self.asked.points, self.width(space), &|c, i| {
            self.at(self.of(space, c), i)
        })
    }

    /// How many points that are no neighbours of point `i`, itself among them, are nearer to `q` than `eps`.
    #[inline(always)]
    pub(super) fn excluded(&self, space: Space, q: &[T], i: usize, eps: T) -> usize {
        let window = self.asked.window;
        let last = (i + window).min(self.asked.points - 1);
        (i.saturating_sub(window)..=last)
            .filter(|&j| {
                let near =
                    |(c, q): (usize, &T)| (*q - self.at(self.of(space, c), j)).magnitude() < eps;
                eps > T::ZERO && q.iter().enumerate().all(near)
            })
            .count()
    }
}
