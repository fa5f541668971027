//! Orders in which a source is read, so that it tells nothing of the target: the same integers on every device.

use std::sync::Arc;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Result, Tensor, room};

/// How the points of a source are taken apart from those of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// [`Scheme::Shift`] where there are as many shifts as surrogates, else [`Scheme::Blocks`] of about `sqrt(n)` points. It hangs on the numbers
    /// of points and surrogates alone, and the result says which it was.
    #[default]
    Auto,
    /// The pasts of the source in a random order, each as it is. It keeps nothing of the source's own rhythm: where source and target are both
    /// autocorrelated, p-values are too small.
    Permutation,
    /// The source later by a random number of points, its end first: all of its rhythm is kept, but where its end meets its beginning. All shifts
    /// differ as long as there are enough, and each is by at least a twentieth of the points in either direction, so that a source is not compared with itself.
    Shift,
    /// Blocks of so many consecutive points in a random order, each as it is, so that what happens within one keeps its place. The last block
    /// may be shorter.
    Blocks(usize),
}

/// A shift is by at least so much of the points.
const LEAST: usize = 20;

/// The least shift of `n` points, and how many different ones there are.
fn shifts(n: usize) -> (usize, usize) {
    let least = n.div_ceil(LEAST).max(1);
    (least, (n + 1).saturating_sub(2 * least).max(1))
}

/// How many surrogates there are, and which: by default 99 of [`Scheme::Auto`].
///
/// ```
/// use syntonic_core::prelude::*;
/// use syntonic_srt::transfer_entropy::{Estimator, Histories, Scheme, Surrogates, transfer_entropy};
///
/// let noise = Tensor::randn(&[501], DType::F64, &mut Generator::new(7))?;
/// let (source, target) = (noise.index(1..)?, noise.index(..500)?);
/// let estimator = Estimator { surrogates: Some(Surrogates::default()), ..Estimator::default() };
/// let found = transfer_entropy(&source, &target, None, Histories::default(), &estimator)?;
/// assert_eq!((found.p_values, found.scheme), (vec![0.01], Some(Scheme::Shift)));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surrogates {
    /// How many.
    pub count: usize,
    /// How they are made.
    pub scheme: Scheme,
    /// What their random numbers come from.
    pub seed: u64,
}

impl Default for Surrogates {
    fn default() -> Surrogates {
        Surrogates {
            count: 99,
            scheme: Scheme::Auto,
            seed: 0,
        }
    }
}

impl Surrogates {
    /// The scheme of `n` points: never [`Scheme::Auto`].
    pub(super) fn scheme_of(&self, n: usize) -> Scheme {
        match self.scheme {
            Scheme::Auto if self.count <= shifts(n).1 => Scheme::Shift,
            Scheme::Auto => Scheme::Blocks((n as f64).sqrt().round() as usize),
            scheme => scheme,
        }
    }

    /// Orders of `n` points, `int32` `[count, n]`.
    pub(super) fn orders(
        &self,
        op: &'static str,
        n: usize,
        device: &Arc<dyn Device>,
    ) -> Result<Tensor> {
        let mut generator = Generator::new(self.seed);
        let mut keys =
            |count| Tensor::rand_on(&[self.count, count], DType::F64, &mut generator, device);
        let made = match self.scheme_of(n) {
            Scheme::Permutation => order::argsort(&keys(n)?, -1, Direction::Ascending)?,
            Scheme::Blocks(length) if length < 1 || length >= n => {
                let what = format!(
                    "blocks of {length} of {n} points have no order; hint: from 1 to {}",
                    n.saturating_sub(1)
                );
                return Err(super::error::refused(op, what));
            }
            Scheme::Blocks(length) => {
                // Points of a block have one key, and what is equal keeps its order.
                let blocks = n.div_ceil(length);
                let keys = keys(blocks)?.reshape(&[self.count as isize, blocks as isize, 1])?;
                let keys = keys.broadcast_to(&[self.count, blocks, length])?;
                let keys =
                    keys.reshape(&[self.count as isize, blocks.saturating_mul(length) as isize])?;
                let keys = keys.slice(1, None, Some(n as isize), 1)?;
                order::argsort(&keys, -1, Direction::Ascending)?
            }
            Scheme::Auto | Scheme::Shift => {
                let (least, different) = shifts(n);
                // Drawn on the CPU, where all of them are few numbers: those with the least keys, again and again if there are not enough.
                let keys = Tensor::rand(&[different], DType::F64, &mut generator)?;
                let drawn = order::argsort(&keys, 0, Direction::Ascending)?.to_vec::<i64>()?;
                let by = drawn.iter().cycle().take(self.count);
                let by = room::collected(by.map(|shift| shift + least as i64))?;
                let by = Tensor::from_vec(by, &[self.count, 1])?.to(device)?;
                let places = Tensor::arange(0, n as i64, 1)?.to(device)?;
                places.try_add(&by)?.remainder(n as i64)?
            }
        };
        made.cast(DType::I32)?.contiguous()?.eval()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use syntonic_core::cpu;

    fn firsts(count: usize, n: usize) -> Vec<i32> {
        let surrogates = Surrogates {
            count,
            scheme: Scheme::Shift,
            seed: 3,
        };
        let orders = surrogates.orders("test", n, &cpu()).unwrap();
        let orders = orders.to_vec::<i32>().unwrap();
        for order in orders.chunks(n) {
            let next = |w: &[i32]| w[1] == (w[0] + 1) % n as i32;
            assert!(order.windows(2).all(next));
        }
        orders.chunks(n).map(|order| order[0]).collect()
    }

    #[test]
    fn shifts_differ_and_are_far_enough() {
        for (n, least) in [(40, 2), (41, 3), (1000, 50)] {
            let different = n + 1 - 2 * least;
            let by = firsts(different, n);
            let range = least as i32..=(n - least) as i32;
            assert!(by.iter().all(|shift| range.contains(shift)));
            assert_eq!(by.iter().collect::<BTreeSet<_>>().len(), different);
            // Then they come again, each as often.
            let twice = firsts(2 * different, n);
            assert_eq!(twice[..different], twice[different..]);
        }
        assert_eq!(firsts(3, 2), [1, 1, 1]);
        assert_eq!(firsts(2, 3), firsts(2, 3));
    }

    #[test]
    fn auto_shifts_where_there_are_enough_shifts() {
        let of = |count, n| {
            let surrogates = Surrogates {
                count,
                ..Surrogates::default()
            };
            surrogates.scheme_of(n)
        };
        assert_eq!(
            (of(99, 109), of(99, 110)),
            (Scheme::Blocks(10), Scheme::Shift)
        );
        assert_eq!(
            (of(999, 1000), of(999, 1110)),
            (Scheme::Blocks(32), Scheme::Shift)
        );
        for n in 1..5 {
            assert!(
                Surrogates::default()
                    .orders("test", n.max(2), &cpu())
                    .is_ok()
            );
        }
    }
}
