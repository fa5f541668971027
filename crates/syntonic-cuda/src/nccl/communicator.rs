//! One GPU's place among those that exchange tensors.

use super::exchange::Exchange;
use super::library::{Comm, Config, Functions, IN_PROGRESS, SUCCESS, UINT8, UniqueId, functions};
use super::reduction::{Reduction, kind};
use super::several::together;
use crate::context::gpu::Cuda;
use cudarc::driver::sys::{self, CUresult, CUstream};
use std::ffi::c_int;
use std::ptr;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use syntonic_core::fork::{Locked, lock};
use syntonic_core::group::Group;
use syntonic_core::{Device, Error, Result, Tensor, interrupt};

/// One GPU's place among several that make the same calls in the same order, each in a thread or process of its own.
///
/// A call returns when the GPU has done it, within the timeout; a communicator that fails is aborted, and of no use any more.
/// Which rank is at fault NCCL does not tell: [`Ranks`](super::Ranks) does.
#[derive(Debug)]
pub struct Communicator {
    gpu: Arc<Cuda>,
    rank: usize,
    size: usize,
    timeout: Duration,
    functions: &'static Functions,
    comm: Mutex<Option<Handle>>,
}

/// The library's own object.
#[derive(Clone, Copy, Debug)]
struct Handle(Comm);

// SAFETY: NCCL allows calls from any thread, by one at a time, which the lock around it ensures.
unsafe impl Send for Handle {}

/// Asked while a call goes on: an error of the others ends it.
pub(super) type Check<'a> = &'a dyn Fn() -> Result<()>;

/// How often others are asked for, and how long a call that they left may still take to be complete.
const TURN: Duration = Duration::from_millis(20);
pub(super) const GRACE: Duration = Duration::from_secs(1);
/// How long an abort is waited for.
const ABORT: Duration = Duration::from_secs(10);

pub(super) fn fault(gpu: &Cuda, op: &str, what: impl Into<String>) -> Error {
    Error::Fault {
        op: op.to_owned(),
        device: gpu.id(),
        what: what.into(),
    }
}

impl Communicator {
    /// This rank's GPU among those of a group, one for each rank, which nobody shares.
    ///
    /// Errors: the library is not installed ([`Error::Fault`] with the package to install and every place searched), another rank
    /// failed, and ranks that did not come within the timeout.
    ///
    /// ```
    /// use syntonic_core::group::{self, TIMEOUT};
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::nccl::{Communicator, Reduction};
    ///
    /// let group = group::from_env(TIMEOUT)?; // one process for each GPU, or this one alone
    /// let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else {
    ///     return Ok(()); // there is no GPU here
    /// };
    /// match Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) {
    ///     Ok(ranks) => {
    ///         let device: std::sync::Arc<dyn Device> = gpu;
    ///         let ones = Tensor::ones_on(&[3], DType::F32, &device)?;
    ///         let counted = ranks.all_reduce(&ones, Reduction::Sum)?;
    ///         assert_eq!(counted.to_vec::<f32>()?, [group.size() as f32; 3]);
    ///     }
    ///     // Its library is not installed, and the error says what to install.
    ///     Err(error) => assert!(error.to_string().contains("pip install nvidia-nccl")),
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn of_rank(gpu: Arc<Cuda>, group: &dyn Group, timeout: Duration) -> Result<Communicator> {
        const OP: &str = "nccl";
        let found = functions().map_err(|what| fault(&gpu, OP, what));
        // All hear of it where one has no library, in place of waiting for it.
        let mut mine = Vec::new();
        if let (Ok(functions), 0) = (&found, group.rank()) {
            mine.extend(new_id(&gpu, functions)?.0);
        }
        let ready = group.all_gather(&[u8::from(found.is_ok())])?;
        let functions = found?;
        if let Some(rank) = ready.iter().position(|said| *said != [1]) {
            let what = format!("rank {rank} of {} has no NCCL", group.size());
            return Err(fault(&gpu, OP, what));
        }
        let told = group.all_gather(&mine)?;
        let id = told
            .first()
            .and_then(|id| <[u8; 128]>::try_from(&id[..]).ok());
        let id = UniqueId(
            id.ok_or_else(|| fault(&gpu, OP, "rank 0 sent no name for the communicator"))?,
        );
        let mut made = Communicator::begun(gpu, functions, group.rank(), group.size(), timeout);
        made.init(id)?;
        made.settle(OP, None, &|| group.check())?;
        Ok(made)
    }

    /// A communicator for each of several GPUs of this process. Each is used by a thread of its own, or all by
    /// [`all_gather_each`](super::all_gather_each).
    ///
    /// Errors: as [`Communicator::of_rank`]; no GPU, and one that is named twice.
    ///
    /// ```
    /// use syntonic_core::group::TIMEOUT;
    /// use syntonic_cuda::nccl::Communicator;
    ///
    /// let gpus = (0..syntonic_cuda::device_count() as u32).map(syntonic_cuda::open);
    /// let gpus = gpus.collect::<Result<Vec<_>, _>>()?;
    /// match Communicator::of_devices(&gpus, TIMEOUT) {
    ///     Ok(all) => assert!(all.iter().enumerate().all(|(k, one)| (one.rank(), one.size()) == (k, gpus.len()))),
    ///     Err(error) if gpus.is_empty() => assert!(error.to_string().contains("at least one GPU")),
    ///     Err(error) => assert!(error.to_string().contains("pip install nvidia-nccl")),
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn of_devices(gpus: &[Arc<Cuda>], timeout: Duration) -> Result<Vec<Communicator>> {
        const OP: &str = "nccl";
        let twice = (1..gpus.len()).any(|k| gpus[..k].iter().any(|gpu| gpu.id() == gpus[k].id()));
        let (Some(first), false) = (gpus.first(), twice) else {
            return Err(Error::value(OP, "at least one GPU, and each once"));
        };
        let functions = functions().map_err(|what| fault(first, OP, what))?;
        let id = new_id(first, functions)?;
        let begun = |(rank, gpu): (usize, &Arc<Cuda>)| {
            Communicator::begun(gpu.clone(), functions, rank, gpus.len(), timeout)
        };
        let mut all: Vec<Communicator> = gpus.iter().enumerate().map(begun).collect();
        together(first, functions, || {
            all.iter_mut().try_for_each(|one| one.init(id))
        })?;
        all.iter()
            .try_for_each(|one| one.settle(OP, None, &|| Ok(())))?;
        Ok(all)
    }

    fn begun(
        gpu: Arc<Cuda>,
        functions: &'static Functions,
        rank: usize,
        size: usize,
        timeout: Duration,
    ) -> Communicator {
        Communicator {
            gpu,
            rank,
            size,
            timeout,
            functions,
            comm: Mutex::new(None),
        }
    }

    fn init(&mut self, id: UniqueId) -> Result<()> {
        let short =
            |n: usize| c_int::try_from(n).map_err(|_| Error::value("nccl", format!("{n} ranks")));
        let (size, rank) = (short(self.size)?, short(self.rank)?);
        self.gpu.context().bind()?;
        let mut config = Config::without_waiting();
        let mut comm = ptr::null_mut();
        // SAFETY: the GPU's context is current, and the pointers are our own; the configuration is copied by the call.
        let code = unsafe { (self.functions.init)(&mut comm, size, id, rank, &mut config) };
        self.checked("nccl", code)?;
        *self.lock() = Some(Handle(comm));
        Ok(())
    }

    /// This rank's number, from 0.
    ///
    /// ```
    /// # use {syntonic_core::group::{self, TIMEOUT}, syntonic_core::prelude::*, syntonic_cuda::nccl::Communicator};
    /// # let group = group::from_env(TIMEOUT)?;
    /// # let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else { return Ok(()) };
    /// let Ok(ranks) = Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) else {
    ///     return Ok(()); // NCCL is not installed
    /// };
    /// assert_eq!(ranks.rank(), group.rank());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many ranks there are.
    ///
    /// ```
    /// # use {syntonic_core::group::{self, TIMEOUT}, syntonic_core::prelude::*, syntonic_cuda::nccl::Communicator};
    /// # let group = group::from_env(TIMEOUT)?;
    /// # let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else { return Ok(()) };
    /// let Ok(ranks) = Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) else {
    ///     return Ok(()); // NCCL is not installed
    /// };
    /// assert_eq!(ranks.size(), group.size());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn size(&self) -> usize {
        self.size
    }

    /// The GPU.
    ///
    /// ```
    /// # use {syntonic_core::group::{self, TIMEOUT}, syntonic_core::prelude::*, syntonic_cuda::nccl::Communicator};
    /// # let group = group::from_env(TIMEOUT)?;
    /// # let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else { return Ok(()) };
    /// let Ok(ranks) = Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) else {
    ///     return Ok(()); // NCCL is not installed
    /// };
    /// assert_eq!(ranks.gpu().id(), gpu.id());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn gpu(&self) -> &Arc<Cuda> {
        &self.gpu
    }

    pub(super) fn functions(&self) -> &'static Functions {
        self.functions
    }

    fn lock(&self) -> Locked<'_, Option<Handle>> {
        lock(&self.comm)
    }

    pub(super) fn checked(&self, op: &str, code: c_int) -> Result<()> {
        match code {
            SUCCESS | IN_PROGRESS => Ok(()),
            code => Err(fault(&self.gpu, op, self.functions.text(code))),
        }
    }

    /// The tensors of all ranks, which have one type and shape: `[size, ..]`, in the order of ranks.
    ///
    /// Errors: a tensor on another device, ranks that do not come, and [`Error::Interrupted`].
    ///
    /// ```
    /// # use {syntonic_core::group::{self, TIMEOUT}, syntonic_core::prelude::*, syntonic_cuda::nccl::Communicator};
    /// # let group = group::from_env(TIMEOUT)?;
    /// # let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else { return Ok(()) };
    /// let Ok(ranks) = Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) else {
    ///     return Ok(()); // NCCL is not installed
    /// };
    /// let mine = Tensor::from([group.rank() as f64, 0.5]).to(&syntonic_cuda::device(group.rank() as u32)?)?;
    /// let all = ranks.all_gather(&mine)?;
    /// assert_eq!(all.shape(), [group.size(), 2]);
    /// assert_eq!(all.index((group.rank(), ..))?.to_vec::<f64>()?, mine.to_vec::<f64>()?);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn all_gather(&self, x: &Tensor) -> Result<Tensor> {
        self.all_gather_while(x, &|| Ok(()))
    }

    pub(super) fn all_gather_while(&self, x: &Tensor, check: Check<'_>) -> Result<Tensor> {
        let out = Exchange::new(self, "all_gather", x, &[&[self.size], x.shape()].concat())?;
        out.begin(|from, to, bytes, comm, stream| {
            // SAFETY: `Exchange::begin`.
            unsafe { (self.functions.all_gather)(from, to, bytes, UINT8, comm, stream) }
        })?;
        out.done(check)
    }

    /// One tensor of those of all ranks, element by element.
    ///
    /// Errors: as [`Communicator::all_gather`], and types that NCCL has no sums of: truth values, complex numbers, small integers.
    ///
    /// ```
    /// # use {syntonic_core::group::{self, TIMEOUT}, syntonic_core::prelude::*, syntonic_cuda::nccl::{Communicator, Reduction}};
    /// # let group = group::from_env(TIMEOUT)?;
    /// # let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else { return Ok(()) };
    /// let Ok(ranks) = Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) else {
    ///     return Ok(()); // NCCL is not installed
    /// };
    /// let gradient = Tensor::from([2.0, -4.0]).to(&syntonic_cuda::device(group.rank() as u32)?)?;
    /// let mean = ranks.all_reduce(&gradient, Reduction::Sum)? / group.size() as f64;
    /// assert_eq!(mean.to_vec::<f64>()?, [2.0, -4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn all_reduce(&self, x: &Tensor, reduction: Reduction) -> Result<Tensor> {
        const OP: &str = "all_reduce";
        let (kind, reduction) = (kind(OP, x)?, reduction.number());
        let out = Exchange::new(self, OP, x, x.shape())?;
        out.begin(|from, to, _, comm, stream| {
            // SAFETY: `Exchange::begin`; the type is that of the elements.
            unsafe {
                (self.functions.all_reduce)(from, to, x.numel(), kind, reduction, comm, stream)
            }
        })?;
        out.done(&|| Ok(()))
    }

    /// The tensor of rank `root` on every rank; all give one of its type and shape.
    ///
    /// Errors: as [`Communicator::all_gather`], and a root that is no rank.
    ///
    /// ```
    /// # use {syntonic_core::group::{self, TIMEOUT}, syntonic_core::prelude::*, syntonic_cuda::nccl::Communicator};
    /// # let group = group::from_env(TIMEOUT)?;
    /// # let Ok(gpu) = syntonic_cuda::open(group.rank() as u32) else { return Ok(()) };
    /// let Ok(ranks) = Communicator::of_rank(gpu.clone(), &*group, TIMEOUT) else {
    ///     return Ok(()); // NCCL is not installed
    /// };
    /// // What rank 0 has read from a file; the others have room for it.
    /// let x = Tensor::from([group.rank() as f64 + 1.0, 2.0]).to(&syntonic_cuda::device(group.rank() as u32)?)?;
    /// assert_eq!(ranks.broadcast(&x, 0)?.to_vec::<f64>()?, [1.0, 2.0]);
    /// assert!(ranks.broadcast(&x, group.size()).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn broadcast(&self, x: &Tensor, root: usize) -> Result<Tensor> {
        const OP: &str = "broadcast";
        if root >= self.size {
            return Err(Error::value(
                OP,
                format!("root {root} of {} ranks", self.size),
            ));
        }
        let out = Exchange::new(self, OP, x, x.shape())?;
        out.begin(|from, to, bytes, comm, stream| {
            // SAFETY: `Exchange::begin`.
            unsafe {
                (self.functions.broadcast)(from, to, bytes, UINT8, root as c_int, comm, stream)
            }
        })?;
        out.done(&|| Ok(()))
    }

    /// Waits until the library has done what it was asked, and the stream too; where it takes too long, fails, or nobody wants it
    /// any more, the communicator is aborted.
    pub(super) fn settle(
        &self,
        op: &'static str,
        stream: Option<CUstream>,
        check: Check<'_>,
    ) -> Result<()> {
        let began = Instant::now();
        let (mut asked, mut left): (Instant, Option<(Instant, Error)>) = (began, None);
        let failed = loop {
            match self.progress(op, stream) {
                Ok(Progress::Done) => return Ok(()),
                Ok(Progress::Going) => {}
                Err(error) => break error,
            }
            if began.elapsed() > self.timeout {
                let seconds = self.timeout.as_secs_f64();
                let what = format!(
                    "rank {} of {} waited {seconds} s for the others",
                    self.rank, self.size
                );
                break fault(&self.gpu, op, what);
            }
            if left
                .as_ref()
                .is_some_and(|(since, _)| since.elapsed() > GRACE)
            {
                break left.map_or_else(|| fault(&self.gpu, op, "left"), |(_, error)| error);
            }
            if left.is_none() && asked.elapsed() > TURN {
                asked = Instant::now();
                left = check().err().map(|error| (asked, error));
            }
            if let Err(stopped) = interrupt::poll() {
                break stopped.into();
            }
            match began.elapsed() {
                soon if soon < Duration::from_micros(200) => thread::yield_now(),
                later => thread::sleep((later / 16).min(Duration::from_millis(1))),
            }
        };
        self.abort();
        Err(failed)
    }

    /// The library's communicator, for this thread alone.
    pub(super) fn held(&self, op: &str) -> Result<Held<'_>> {
        self.gpu.context().bind()?;
        let held = self.lock();
        match *held {
            Some(_) => Ok(Held(held)),
            None => Err(self.over(op)),
        }
    }

    fn progress(&self, op: &'static str, stream: Option<CUstream>) -> Result<Progress> {
        let held = self.held(op)?;
        let comm = held.comm();
        let mut state = SUCCESS;
        // SAFETY: the communicator is alive, and the out-pointer is our own.
        let code = unsafe { (self.functions.async_error)(comm, &mut state) };
        self.checked(op, code)?;
        self.checked(op, state)?;
        if state == IN_PROGRESS {
            return Ok(Progress::Going);
        }
        let Some(stream) = stream else {
            return Ok(Progress::Done);
        };
        self.gpu.context().bind()?;
        // SAFETY: the context is current, and the stream is one of its own.
        match unsafe { sys::cuStreamQuery(stream) } {
            CUresult::CUDA_ERROR_NOT_READY => Ok(Progress::Going),
            code => self.gpu.context().check(op, code).map(|()| Progress::Done),
        }
    }

    fn over(&self, op: &str) -> Error {
        fault(
            &self.gpu,
            op,
            "the communicator failed before; hint: make another one on all ranks",
        )
    }

    /// Ends the communicator, in a thread of its own: a driver that hangs is not waited for.
    fn abort(&self) {
        if self.gpu.context().is_of_parent() {
            return;
        }
        let Some(handle) = self.lock().take() else {
            return;
        };
        let (done, wait) = mpsc::channel();
        let (gpu, functions) = (self.gpu.clone(), self.functions);
        let ended = thread::Builder::new().spawn(move || {
            // The whole handle, which may go to another thread.
            let handle: Handle = handle;
            if gpu.context().bind().is_ok() {
                // SAFETY: nobody else has the handle any more, and every later call finds none.
                unsafe { (functions.abort)(handle.0) };
            }
            let _ = done.send(());
        });
        if ended.is_err() || wait.recv_timeout(ABORT).is_err() {
            tracing::warn!(rank = self.rank, "a communicator could not be ended");
        }
    }
}

/// The library's communicator while nobody else uses it.
pub(super) struct Held<'a>(Locked<'a, Option<Handle>>);

impl Held<'_> {
    pub(super) fn comm(&self) -> Comm {
        self.0.as_ref().map_or(ptr::null_mut(), |handle| handle.0)
    }
}

enum Progress {
    Done,
    Going,
}

impl Drop for Communicator {
    fn drop(&mut self) {
        self.abort();
    }
}

fn new_id(gpu: &Cuda, functions: &Functions) -> Result<UniqueId> {
    let mut id = UniqueId([0; 128]);
    gpu.context().bind()?;
    // SAFETY: the out-pointer is our own.
    match unsafe { (functions.unique_id)(&mut id) } {
        SUCCESS => Ok(id),
        code => Err(fault(gpu, "nccl", functions.text(code))),
    }
}
