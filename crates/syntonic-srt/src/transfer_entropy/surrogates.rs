//! Orders in which a source is read, so that it tells nothing of the target: the same integers on every device.

use std::sync::Arc;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::random::Generator;
use syntonic_core::{DType, Device, Result, Tensor, room};

/// How the points of a source are taken apart from those of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The pasts of the source in a random order, each as it is.
    Permutation,
    /// The source later by a random number of points, its end first.
    Shift,
    /// Blocks of so many consecutive points in a random order, each as it is, so that what happens within one keeps its place. The last block
    /// may be shorter.
    Blocks(usize),
}

/// How many surrogates there are, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surrogates {
    /// How many.
    pub count: usize,
    /// How they are made.
    pub scheme: Scheme,
    /// What their random numbers come from.
    pub seed: u64,
}

impl Surrogates {
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
        let made = match self.scheme {
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
            Scheme::Shift => {
                let mut by = room::zeros(self.count)?;
                let last = n.max(2) as i64;
                generator
                    .integers(&mut by, 1, last)
                    .map_err(|e| super::error::refused(op, e.to_string()))?;
                let by = Tensor::from_vec(by, &[self.count, 1])?.to(device)?;
                let places = Tensor::arange(0, n as i64, 1)?.to(device)?;
                places.try_add(&by)?.remainder(n as i64)?
            }
        };
        made.cast(DType::I32)?.contiguous()?.eval()
    }
}
