//! A group whose tensors go from GPU to GPU.

use super::communicator::Communicator;
use crate::context::gpu::Cuda;
use std::sync::Arc;
use std::time::Duration;
use syntonic_core::group::Group;
use syntonic_core::{Device, Error, Result, Tensor, describe};

/// The ranks of another group, each with a GPU of its own: tensors on it are gathered by NCCL, bytes as before.
///
/// While NCCL works, the other group is asked whether its ranks are there: one that dies or gives up is named as it is there.
#[derive(Debug)]
pub struct Ranks {
    group: Arc<dyn Group>,
    communicator: Communicator,
}

impl Ranks {
    /// The ranks of `group` with this GPU; every rank calls it.
    ///
    /// Errors: as [`Communicator::of_rank`].
    ///
    /// ```
    /// use syntonic_core::group::{self, Group, TIMEOUT};
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::nccl::Ranks;
    ///
    /// let group = group::from_env(TIMEOUT)?; // one process for each GPU, or this one alone
    /// let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else {
    ///     return Ok(()); // there is no GPU here
    /// };
    /// match Ranks::new(group.clone(), gpu, TIMEOUT) {
    ///     Ok(ranks) => {
    ///         // What takes a group exchanges tensors from GPU to GPU now.
    ///         let part = Tensor::from([1.0, 2.0]).to(&syntonic_cuda::device(group.rank() as u32)?)?;
    ///         let whole = ranks.concat(&part, &vec![2; group.size()])?;
    ///         assert_eq!(whole.to_vec::<f64>()?, [1.0, 2.0].repeat(group.size()));
    ///     }
    ///     Err(error) => assert!(error.to_string().contains("pip install nvidia-nccl")),
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(group: Arc<dyn Group>, gpu: Arc<Cuda>, timeout: Duration) -> Result<Ranks> {
        let communicator = Communicator::of_rank(gpu, &*group, timeout)?;
        Ok(Ranks {
            group,
            communicator,
        })
    }

    /// The error of a call: the rank that is at fault, where the other group knows it.
    fn blamed(&self, error: Error) -> Error {
        match error {
            Error::Fault { .. } => self.group.barrier().err().unwrap_or(error),
            Error::Interrupted { .. } => {
                self.group.abort("was interrupted");
                error
            }
            other => other,
        }
    }
}

impl Group for Ranks {
    fn rank(&self) -> usize {
        self.group.rank()
    }

    fn size(&self) -> usize {
        self.group.size()
    }

    fn all_gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.group.all_gather(bytes)
    }

    fn all_gather_within(&self, bytes: &[u8], most: usize) -> Result<Vec<Vec<u8>>> {
        self.group.all_gather_within(bytes, most)
    }

    fn abort(&self, why: &str) {
        self.group.abort(why);
    }

    fn check(&self) -> Result<()> {
        self.group.check()
    }

    fn concat(&self, part: &Tensor, lengths: &[usize]) -> Result<Tensor> {
        if part.device_id() != self.communicator.gpu().id() {
            return self.group.concat(part, lengths);
        }
        let mine = lengths.get(self.rank());
        if lengths.len() != self.size() || part.ndim() == 0 || part.shape().last() != mine {
            return Err(Error::Shape {
                op: "all_gather",
                operands: describe(&[part]),
                hint: format!("this rank's last axis as long as {lengths:?} say"),
            });
        }
        let lead = &part.shape()[..part.ndim() - 1];
        let rows: usize = lead.iter().product();
        let longest = rows * lengths.iter().copied().max().unwrap_or(0);
        // All send as much as the longest part.
        let flat = part.reshape(&[-1])?;
        let rest = Tensor::zeros_on(&[longest - flat.numel()], part.dtype(), part.device())?;
        let sent = match rest.numel() {
            0 => flat,
            _ => Tensor::concat(&[&flat, &rest], 0)?,
        };
        let all = self
            .communicator
            .all_gather_while(&sent, &|| self.group.check());
        let all = all.map_err(|error| self.blamed(error))?;
        let parts = lengths.iter().enumerate().map(|(rank, &len)| {
            let shape: Vec<isize> = lead.iter().chain([&len]).map(|&n| n as isize).collect();
            let row = all.slice(0, Some(rank as isize), Some(rank as isize + 1), 1)?;
            row.slice(1, Some(0), Some((rows * len) as isize), 1)?
                .reshape(&shape)
        });
        let parts: Vec<Tensor> = parts.collect::<Result<_>>()?;
        Tensor::concat(&parts.iter().collect::<Vec<_>>(), -1)?.eval()
    }
}
