//! Batches of data that are on the GPU before they are asked for.

use crate::context::gpu::Cuda;
use crate::memory::{copies, pinned};
use crate::streams::stream::Stream;
use std::collections::VecDeque;
use std::sync::Arc;
use syntonic_core::{DeviceId, Error, Result, Tensor};

/// An iterator over batches that copies ahead: each is copied to pinned memory and from there, on a stream of
/// its own, to the GPU, while the GPU works on those before. What is done with a batch follows its copy, and no host waits.
///
/// ```
/// use syntonic_core::Tensor;
/// use syntonic_cuda::{Prefetch, open};
///
/// let Ok(gpu) = open(0) else {
///     return Ok(()); // there is no GPU here
/// };
/// let batches = (0..4).map(|k| Ok(vec![Tensor::from_vec(vec![k as f32; 8], &[8])?]));
/// let mut sums = Vec::new();
/// for batch in Prefetch::new(&gpu, batches, 2)? {
///     sums.push(&batch?[0] * 2.0);
/// }
/// assert_eq!(sums[3].to_vec::<f32>()?, [6.0; 8]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Prefetch<I> {
    gpu: Arc<Cuda>,
    stream: Stream,
    batches: I,
    depth: usize,
    /// Under way, or what became of it.
    coming: VecDeque<Result<Vec<Tensor>>>,
    /// Whether more may be asked of `batches`.
    more: bool,
}

impl<I: Iterator<Item = Result<Vec<Tensor>>>> Prefetch<I> {
    /// At most `depth` batches are on the GPU ahead of the one that is handed out.
    ///
    /// # Errors
    /// [`Error::Value`] for a depth of 0, and what a new stream can meet. The iterator hands on the first error of `batches` or
    /// of a copy in its place, and ends behind it.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::Prefetch;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let batch = |k: i32| Ok(vec![Tensor::from([k, k])]);
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let mut sums = Vec::new();
    ///     for batch in Prefetch::new(&gpu, (0..3).map(batch), 2)? {
    ///         sums.push(batch?[0].sum(..)?.to_scalar::<i64>()?);
    ///     }
    ///     assert_eq!(sums, [0, 2, 4]);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(gpu: &Arc<Cuda>, batches: I, depth: usize) -> Result<Prefetch<I>> {
        if depth == 0 {
            let what = "no batch would come ahead at a depth of 0; hint: 2 are enough for most";
            return Err(Error::value("prefetch", what));
        }
        Ok(Prefetch {
            gpu: gpu.clone(),
            stream: Stream::new(gpu)?,
            batches,
            depth,
            // few: `depth` and one more.
            coming: VecDeque::new(),
            more: true,
        })
    }

    /// Asks for the copies of a batch.
    fn send(&self, batch: &[Tensor]) -> Result<Vec<Tensor>> {
        let _current = self.stream.enter();
        let send = |x: &Tensor| match x.device_id() {
            DeviceId::Cpu => copies::upload(&self.gpu, &pinned::pin(&self.gpu, x)?),
            _ => copies::upload(&self.gpu, x),
        };
        batch.iter().map(send).collect()
    }

    fn fetch(&mut self) {
        // The batch is made before the stream is entered: what its maker asks of the GPU goes where it would go anyway.
        let Some(batch) = self.batches.next() else {
            self.more = false;
            return;
        };
        let sent = batch.and_then(|batch| self.send(&batch));
        self.more = sent.is_ok();
        self.coming.push_back(sent);
    }
}

impl<I: Iterator<Item = Result<Vec<Tensor>>>> Iterator for Prefetch<I> {
    type Item = Result<Vec<Tensor>>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.more && self.coming.len() <= self.depth {
            self.fetch();
        }
        self.coming.pop_front()
    }
}
