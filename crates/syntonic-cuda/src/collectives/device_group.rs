//! The GPUs of a group, and the calls that all of them take part in.

use super::operands::{names, one_each, one_row_shape, one_shape, reducible};
use super::reduction::Reduction;
use super::shares::{coarse, even};
use crate::context::gpu::Cuda;
use crate::memory::{copies, peer};
use crate::nccl::{self, Communicator};
use std::ops::Range;
use std::sync::Arc;
use syntonic_core::graph::check;
use syntonic_core::group::TIMEOUT;
use syntonic_core::{Device, Error, Result, Tensor};

/// What carries the tensors of a [`DeviceGroup`]. Nothing is chosen silently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Copies between GPUs beside their work, and our own additions: needs no library, takes any type, and gives the same bits on all GPUs
    /// and in every run, in the order of [`Reduction`]. The host does not wait.
    #[default]
    Copies,
    /// NCCL's [`broadcast`](DeviceGroup::broadcast), [`all_gather`](DeviceGroup::all_gather) and [`all_reduce`](DeviceGroup::all_reduce), for
    /// large tensors on many GPUs; the other calls are those of `Copies`. Sums are in NCCL's order, tensors of a call have one shape, and the
    /// host waits for each call.
    Nccl,
}

/// Some GPUs of this process in an order, each once.
#[derive(Debug)]
pub struct DeviceGroup {
    gpus: Vec<Arc<Cuda>>,
    /// None where copies carry the tensors.
    communicators: Vec<Communicator>,
}

impl DeviceGroup {
    /// A group of GPUs. Later calls return as many tensors, in this order.
    ///
    /// # Errors
    /// [`Error::Value`] for no GPU and for one that is named twice; with [`Transport::Nccl`] [`Error::Fault`] where its library is not
    /// installed, with what to install.
    ///
    /// ```
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let group = DeviceGroup::new(std::slice::from_ref(&gpu), Transport::Copies)?;
    ///     assert_eq!(group.gpus().len(), 1);
    ///     assert!(DeviceGroup::new(&[gpu.clone(), gpu], Transport::Copies).is_err());
    /// }
    /// assert!(DeviceGroup::new(&[], Transport::Copies).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(gpus: &[Arc<Cuda>], transport: Transport) -> Result<DeviceGroup> {
        const OP: &str = "DeviceGroup";
        if gpus.is_empty() {
            return Err(Error::value(OP, "no GPU; hint: name at least one"));
        }
        let before = |k: usize| gpus[..k].iter().any(|gpu| gpu.id() == gpus[k].id());
        if let Some(twice) = (1..gpus.len()).find(|&k| before(k)) {
            let what = format!("{} is named twice; hint: each GPU once", gpus[twice].id());
            return Err(Error::value(OP, what));
        }
        let communicators = match transport {
            Transport::Nccl => Communicator::of_devices(gpus, TIMEOUT)?,
            // few: none.
            Transport::Copies => Vec::new(),
        };
        Ok(DeviceGroup {
            // few: one for each GPU.
            gpus: gpus.to_vec(),
            communicators,
        })
    }

    /// The GPUs.
    ///
    /// ```
    /// use syntonic_core::Device;
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     let names = group.gpus().iter().map(|gpu| gpu.id().to_string());
    ///     assert!(names.enumerate().all(|(k, name)| name == format!("cuda:{k}")));
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn gpus(&self) -> &[Arc<Cuda>] {
        &self.gpus
    }

    /// What carries the tensors.
    ///
    /// ```
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let group = DeviceGroup::new(&[syntonic_cuda::open(0)?], Transport::default())?;
    ///     assert_eq!(group.transport(), Transport::Copies);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn transport(&self) -> Transport {
        match self.communicators.is_empty() {
            true => Transport::Copies,
            false => Transport::Nccl,
        }
    }

    /// No graph can have what goes between devices.
    fn outside_of_captures(&self, op: &'static str) -> Result<()> {
        self.gpus.iter().try_for_each(|gpu| check(op, gpu.id()))
    }

    /// `x [..]`, on any device, on every GPU: `[..]` each, where `x` itself is the result on its own GPU.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Capture`] inside of a capture, and those of a pending `x`.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     let weights = group.broadcast(&Tensor::from([0.5, -0.25]))?;
    ///     assert_eq!(weights.len(), gpus.len());
    ///     assert!(weights.iter().all(|w| w.to_vec::<f64>().is_ok_and(|w| w == [0.5, -0.25])));
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn broadcast(&self, x: &Tensor) -> Result<Vec<Tensor>> {
        const OP: &str = "broadcast";
        self.outside_of_captures(OP)?;
        let root = self.gpus.iter().position(|gpu| gpu.id() == x.device_id());
        // From elsewhere it comes to one GPU first, and from there to the others.
        let x = match root {
            Some(_) => x.eval()?,
            None => copies::upload(&self.gpus[0], x)?,
        };
        if !self.communicators.is_empty() {
            return nccl::broadcast_each(&self.communicators, &x, root.unwrap_or(0));
        }
        self.gpus.iter().map(|gpu| peer::bring(gpu, &x)).collect()
    }

    /// `parts`, `[n_k, ..]` on the k-th GPU, one behind the other along axis 0 on every GPU: `[n_0 + n_1 + .., ..]` each.
    ///
    /// # Errors
    /// [`Error::Value`] for another number of tensors than GPUs, [`Error::Device`] for one that is not on its GPU, [`Error::DType`] and
    /// [`Error::Shape`] where types differ, or lengths of other axes than the first; with NCCL also of that. [`Error::OutOfMemory`],
    /// [`Error::Capture`] inside of a capture.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     // Each GPU computes its part, and all need the whole.
    ///     let parts = group.scatter(&Tensor::from([1.0, 2.0, 3.0, 4.0, 5.0]), 0)?;
    ///     let squares = parts.iter().map(|x| x.try_mul(x)).collect::<Result<Vec<_>, _>>()?;
    ///     for whole in group.all_gather(&squares)? {
    ///         assert_eq!(whole.to_vec::<f64>()?, [1.0, 4.0, 9.0, 16.0, 25.0]);
    ///     }
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn all_gather(&self, parts: &[Tensor]) -> Result<Vec<Tensor>> {
        const OP: &str = "all_gather";
        self.outside_of_captures(OP)?;
        one_each(OP, &self.gpus, parts)?;
        one_row_shape(OP, parts)?;
        let rows: usize = parts.iter().map(|x| x.shape()[0]).sum();
        let mut shape = syntonic_core::room::copied(parts[0].shape())?;
        shape[0] = rows;
        if !self.communicators.is_empty() {
            let hint = "NCCL gathers tensors of one shape; a group with copies takes those whose first axes differ";
            one_shape(OP, parts, hint)?;
            let stacked = nccl::all_gather_each(&self.communicators, &by_reference(parts))?;
            let long: Vec<isize> = shape.iter().map(|&n| n as isize).collect(); // few: axes.
            return stacked.iter().map(|x| x.reshape(&long)).collect();
        }
        let parts = in_memory(parts)?;
        let spans = parts.iter().scan(0, |at, x| {
            let start = *at;
            *at += x.shape()[0];
            Some(start..*at)
        });
        let spans: Vec<Range<usize>> = spans.collect(); // few: one for each GPU.
        self.assembled(OP, &shape, &parts, &spans)
    }

    /// One tensor of `parts`, `[..]` on each GPU, element by element: the same bits on every GPU, `[..]` each.
    ///
    /// Each GPU owns a range of elements, joins those of all in the order of [`Reduction`], and sends the others what came of it: twice the
    /// bytes of a tensor go in and out of each, however many there are.
    ///
    /// # Errors
    /// As [`DeviceGroup::all_gather`], [`Error::Shape`] where shapes differ at all, and [`Error::DType`] for a type without that reduction; with
    /// NCCL also for types that it has no sums of.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_cuda::collectives::{DeviceGroup, Reduction, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     // Each GPU sums its samples, and all get the sum of these.
    ///     let samples = group.scatter(&Tensor::arange(0.0, 12.0, 1.0)?.reshape(&[6, 2])?, 0)?;
    ///     let sums = samples.iter().map(|x| x.sum(0)).collect::<Result<Vec<_>, _>>()?;
    ///     for total in group.all_reduce(&sums, Reduction::Sum)? {
    ///         assert_eq!(total.to_vec::<f64>()?, [30.0, 36.0]);
    ///     }
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn all_reduce(&self, parts: &[Tensor], reduction: Reduction) -> Result<Vec<Tensor>> {
        const OP: &str = "all_reduce";
        self.reducible(OP, parts, reduction)?;
        if !self.communicators.is_empty() {
            return self.reduced_by_nccl(parts, reduction);
        }
        let shape: Vec<isize> = parts[0].shape().iter().map(|&n| n as isize).collect(); // few: axes.
        let flat = in_memory(parts)?;
        let flat: Vec<Tensor> = flat
            .iter()
            .map(|x| x.reshape(&[-1]))
            .collect::<Result<_>>()?; // few: one for each GPU.
        let total = parts[0].numel();
        // few: one for each GPU.
        let spans: Vec<Range<usize>> = coarse(total, self.gpus.len()).collect();
        let joined = self.joined(&flat, &spans, reduction)?;
        let whole = self.assembled(OP, &[total], &joined, &spans)?;
        whole.iter().map(|x| x.reshape(&shape)).collect()
    }

    /// As [`DeviceGroup::all_reduce`], of which every GPU gets a part along axis 0 alone: of `[n, ..]` each, the k-th of as many nearly equal
    /// parts as there are GPUs, the first ones longer. Copies carry it, whatever the transport.
    ///
    /// # Errors
    /// As [`DeviceGroup::all_reduce`], and [`Error::Shape`] for numbers, which have no axis.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_cuda::collectives::{DeviceGroup, Reduction, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     // Each GPU updates its part of the mean gradient, and one has the whole in the end.
    ///     let gradients = group.broadcast(&Tensor::from([3.0, 6.0, 9.0]))?;
    ///     let mut parts = group.reduce_scatter(&gradients, Reduction::Mean)?;
    ///     for part in &mut parts {
    ///         *part = part.try_mul(-0.5)?;
    ///     }
    ///     let step = group.gather(&parts, 0, &gpus[0])?;
    ///     assert_eq!(step.to_vec::<f64>()?, [-1.5, -3.0, -4.5]);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn reduce_scatter(&self, parts: &[Tensor], reduction: Reduction) -> Result<Vec<Tensor>> {
        const OP: &str = "reduce_scatter";
        self.reducible(OP, parts, reduction)?;
        one_row_shape(OP, parts)?;
        let spans: Vec<Range<usize>> = even(parts[0].shape()[0], self.gpus.len()).collect(); // few: one for each GPU.
        let joined = self.joined(&in_memory(parts)?, &spans, reduction)?;
        match self.gpus.len() {
            // Of one tensor nothing is made anew.
            1 => joined.iter().map(Tensor::copy).collect(),
            _ => Ok(joined),
        }
    }

    /// `x`, on any device, in nearly equal parts along an axis, one on each GPU; the first ones are longer where the length leaves some.
    ///
    /// # Errors
    /// [`Error::Axis`], and as [`DeviceGroup::broadcast`].
    ///
    /// ```
    /// use syntonic_core::{Device, Tensor};
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     let parts = group.scatter(&Tensor::arange(0.0, 10.0, 1.0)?, 0)?;
    ///     assert_eq!(parts[0].shape(), [10_usize.div_ceil(gpus.len())]);
    ///     assert!(parts.iter().zip(&gpus).all(|(x, gpu)| x.device_id() == gpu.id()));
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn scatter(&self, x: &Tensor, axis: isize) -> Result<Vec<Tensor>> {
        const OP: &str = "scatter";
        self.outside_of_captures(OP)?;
        let length = length(OP, x, axis)?;
        // A view of what is computed, and not a part of an expression for each.
        let x = x.eval()?;
        let spans = even(length, self.gpus.len());
        let sent = self.gpus.iter().zip(spans).map(|(gpu, span)| {
            let part = part(&x, axis, &span)?;
            match part.device_id() == gpu.id() {
                // Memory of its own, as the others have.
                true => part.copy(),
                false => copies::upload(gpu, &part),
            }
        });
        sent.collect()
    }

    /// `parts`, one on each GPU, joined along an axis on one GPU of the group.
    ///
    /// # Errors
    /// As [`DeviceGroup::all_gather`], where lengths may differ along `axis` alone, and [`Error::Value`] for a GPU that is not of the group.
    ///
    /// ```
    /// use syntonic_core::Tensor;
    /// use syntonic_cuda::collectives::{DeviceGroup, Transport};
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// if !gpus.is_empty() {
    ///     let group = DeviceGroup::new(&gpus, Transport::Copies)?;
    ///     let x = Tensor::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    ///     // Columns, since they are cut along axis 1.
    ///     let doubled = group.scatter(&x, 1)?.iter().map(|x| x.try_mul(2)).collect::<Result<Vec<_>, _>>()?;
    ///     let whole = group.gather(&doubled, 1, &gpus[0])?;
    ///     assert_eq!(whole.to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn gather(&self, parts: &[Tensor], axis: isize, to: &Arc<Cuda>) -> Result<Tensor> {
        const OP: &str = "gather";
        self.outside_of_captures(OP)?;
        one_each(OP, &self.gpus, parts)?;
        if self.gpus.iter().all(|gpu| gpu.id() != to.id()) {
            let what = format!(
                "{} is none of the {}; hint: name one of them",
                to.id(),
                names(&self.gpus)
            );
            return Err(Error::value(OP, what));
        }
        let near: Vec<Tensor> = parts
            .iter()
            .map(|x| peer::bring(to, x))
            .collect::<Result<_>>()?; // few: one for each GPU.
        Tensor::concat(&by_reference(&near), axis)
    }

    fn reducible(&self, op: &'static str, parts: &[Tensor], reduction: Reduction) -> Result<()> {
        self.outside_of_captures(op)?;
        one_each(op, &self.gpus, parts)?;
        one_shape(op, parts, "all have one shape")?;
        reducible(op, parts, reduction)
    }

    fn reduced_by_nccl(&self, parts: &[Tensor], reduction: Reduction) -> Result<Vec<Tensor>> {
        let theirs = match reduction {
            Reduction::Sum | Reduction::Mean => nccl::Reduction::Sum,
            Reduction::Prod => nccl::Reduction::Product,
            Reduction::Max => nccl::Reduction::Max,
            Reduction::Min => nccl::Reduction::Min,
        };
        let whole = nccl::all_reduce_each(&self.communicators, &by_reference(parts), theirs)?;
        match reduction {
            Reduction::Mean => {
                let count = self.gpus.len() as f64;
                whole.iter().map(|x| x.try_div(count)).collect()
            }
            _ => Ok(whole),
        }
    }

    /// Spans along axis 0 of all parts, the k-th joined on the k-th GPU.
    fn joined(
        &self,
        parts: &[Tensor],
        spans: &[Range<usize>],
        reduction: Reduction,
    ) -> Result<Vec<Tensor>> {
        let one = |(gpu, span): (&Arc<Cuda>, &Range<usize>)| {
            let near = parts.iter().map(|x| peer::bring(gpu, &part(x, 0, span)?));
            // few: one for each GPU.
            reduction.join(&near.collect::<Result<Vec<_>>>()?)
        };
        self.gpus.iter().zip(spans).map(one).collect()
    }

    /// A tensor of `shape` on each GPU, of which the k-th part is the span along axis 0.
    fn assembled(
        &self,
        op: &'static str,
        shape: &[usize],
        parts: &[Tensor],
        spans: &[Range<usize>],
    ) -> Result<Vec<Tensor>> {
        let one = |gpu: &Arc<Cuda>| {
            let out = peer::empty(gpu, op, shape, parts[0].dtype())?;
            for (x, span) in parts.iter().zip(spans).filter(|(_, span)| !span.is_empty()) {
                let place = part(&out, 0, span)?;
                match x.device_id() == gpu.id() {
                    // SAFETY: nobody else has the memory yet.
                    true => unsafe { place.assign_aliased(x)? },
                    false => peer::write(&place, x)?,
                }
            }
            Ok(out)
        };
        self.gpus.iter().map(one).collect()
    }
}

/// Row-major in memory.
fn in_memory(parts: &[Tensor]) -> Result<Vec<Tensor>> {
    parts.iter().map(|x| x.contiguous()?.eval()).collect()
}

fn by_reference(parts: &[Tensor]) -> Vec<&Tensor> {
    // few: one for each GPU.
    parts.iter().collect()
}

fn part(x: &Tensor, axis: isize, span: &Range<usize>) -> Result<Tensor> {
    x.slice(axis, Some(span.start as isize), Some(span.end as isize), 1)
}

/// The length of an axis.
fn length(op: &'static str, x: &Tensor, axis: isize) -> Result<usize> {
    let ndim = x.ndim();
    let at = match axis < 0 {
        true => axis + ndim as isize,
        false => axis,
    };
    let found = usize::try_from(at).ok().and_then(|at| x.shape().get(at));
    found.copied().ok_or(Error::Axis { op, axis, ndim })
}
