//! Streams: the work of one runs in order, the work of several may run concurrently.
//!
//! Every thread has a current stream for each GPU; at first that is the GPU's own. Results are right whichever streams their
//! operands were made on: the device inserts the waits.

use crate::context::gpu::Cuda;
use crate::driver::fault::Checked;
use crate::streams::event::Event;
use cudarc::driver::sys::CUstream;
use cudarc::driver::{CudaStream, result};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;
use syntonic_core::{DeviceId, Result};

/// A stream of a GPU.
#[derive(Clone, Debug)]
pub struct Stream {
    gpu: Arc<Cuda>,
    inner: Arc<CudaStream>,
}

/// Which of several streams goes first where the GPU has room for the work of one only. Work that runs is not interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priority {
    /// The most urgent that the GPU knows.
    High,
    /// That of other streams.
    #[default]
    Normal,
    /// The least urgent that the GPU knows; on many cards that is the normal one.
    Low,
}

thread_local! {
    /// The streams that this thread chose, at most one a GPU.
    static CURRENT: RefCell<Vec<(DeviceId, Stream)>> = const { RefCell::new(Vec::new()) };
}

/// The stream this thread chose for a GPU; `None` is the GPU's own.
pub(crate) fn chosen(device: DeviceId) -> Option<CUstream> {
    let look = |current: &RefCell<Vec<(DeviceId, Stream)>>| {
        let current = current.borrow();
        let found = current.iter().find(|(d, _)| *d == device);
        found.map(|(_, stream)| stream.inner.cu_stream())
    };
    // While a thread ends, its choice may be gone already.
    CURRENT.try_with(look).ok().flatten()
}

impl Cuda {
    /// This thread's stream.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let other = Stream::new(&gpu)?;
    ///     let _entered = other.enter();
    ///     assert_eq!(gpu.current_stream().handle(), other.handle());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn current_stream(self: &Arc<Self>) -> Stream {
        Stream::current(self)
    }
}

impl Stream {
    /// A new stream, which does not wait for the legacy default stream.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let (one, two) = (Stream::new(&gpu)?, Stream::new(&gpu)?);
    ///     assert_ne!(one.handle(), two.handle());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn new(gpu: &Arc<Cuda>) -> Result<Stream> {
        let context = gpu.context();
        context.bind()?;
        context.begin_several_streams()?;
        let inner = context.driver().new_stream();
        Ok(Stream::made(
            gpu,
            inner.during("new stream", context.device)?,
        ))
    }

    /// As [`Stream::new`], with a priority of its own.
    ///
    /// ```
    /// use syntonic_cuda::{Priority, Stream};
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     assert!(Stream::with_priority(&gpu, Priority::High)?.synchronize().is_ok());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn with_priority(gpu: &Arc<Cuda>, priority: Priority) -> Result<Stream> {
        let (context, op) = (gpu.context(), "new stream");
        context.bind()?;
        context.begin_several_streams()?;
        let (least, greatest) = result::stream::get_priority_range().during(op, context.device)?;
        let number = match priority {
            Priority::High => greatest,
            Priority::Normal => 0,
            Priority::Low => least,
        };
        let inner = context.driver().new_stream_with_priority(number);
        Ok(Stream::made(gpu, inner.during(op, context.device)?))
    }

    /// A stream that the driver has just made.
    fn made(gpu: &Arc<Cuda>, inner: Arc<CudaStream>) -> Stream {
        gpu.context().order.made(inner.cu_stream());
        Stream {
            gpu: gpu.clone(),
            inner,
        }
    }

    /// A stream of another owner, by the driver's handle.
    ///
    /// # Safety
    /// The handle is a stream of this GPU's primary context, or a special handle of the driver (0 and 1 for the legacy
    /// default stream, 2 for the thread's own), and lives as long as this.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     // A stream that the rest of the program made.
    ///     let theirs = gpu.context().driver().new_stream()?;
    ///     // SAFETY: it is a stream of this GPU's primary context, and is dropped after the adopted one.
    ///     let stream = unsafe { Stream::adopt(&gpu, theirs.cu_stream() as usize)? };
    ///     let _entered = stream.enter();
    ///     let x = Tensor::from([1.0, 2.0]).to(&syntonic_cuda::device(0)?)?;
    ///     assert_eq!((x * 3).to_vec::<f64>()?, [3.0, 6.0]); // ran in their stream
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn adopt(gpu: &Arc<Cuda>, handle: usize) -> Result<Stream> {
        let context = gpu.context();
        context.bind()?;
        context.begin_several_streams()?;
        // SAFETY: the caller's promise; a borrowed stream is not destroyed by us.
        let inner = unsafe { context.driver().wrap_borrowed_stream(handle as CUstream) };
        Ok(Stream {
            gpu: gpu.clone(),
            inner,
        })
    }

    /// The GPU's own stream.
    pub(crate) fn own(gpu: &Arc<Cuda>) -> Stream {
        Stream {
            gpu: gpu.clone(),
            inner: gpu.context().compute().clone(),
        }
    }

    /// This thread's stream.
    pub(crate) fn current(gpu: &Arc<Cuda>) -> Stream {
        let device = gpu.context().device;
        CURRENT.with_borrow(|current| {
            let found = current.iter().find(|(d, _)| *d == device);
            found.map_or_else(|| Stream::own(gpu), |(_, stream)| stream.clone())
        })
    }

    /// The GPU it belongs to.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     assert!(std::sync::Arc::ptr_eq(Stream::new(&gpu)?.gpu(), &gpu));
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn gpu(&self) -> &Arc<Cuda> {
        &self.gpu
    }

    /// The driver's handle.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     assert_ne!(Stream::new(&gpu)?.handle(), 0);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn handle(&self) -> usize {
        self.inner.cu_stream() as usize
    }

    /// cudarc's stream, for programs that use both.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let stream = Stream::new(&gpu)?;
    ///     let entered = stream.enter();
    ///     let x = Tensor::from([1.0, 2.0, 3.0]).to(&syntonic_cuda::device(0)?)?.sqrt()?.eval()?;
    ///     drop(entered);
    ///     // What cudarc is asked for in the stream comes behind our work.
    ///     let copied = stream.inner().clone_htod(&[4_u32, 5])?;
    ///     stream.inner().synchronize()?;
    ///     assert_eq!((x.numel(), copied.len()), (3, 2));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inner(&self) -> &Arc<CudaStream> {
        &self.inner
    }

    /// Makes it this thread's current stream and says which one was.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let other = Stream::new(&gpu)?;
    ///     let before = other.make_current();
    ///     assert_eq!(gpu.current_stream().handle(), other.handle());
    ///     before.make_current();
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn make_current(&self) -> Stream {
        let device = self.gpu.context().device;
        CURRENT.with_borrow_mut(
            |current| match current.iter_mut().find(|(d, _)| *d == device) {
                Some((_, place)) => std::mem::replace(place, self.clone()),
                None => {
                    current.push((device, self.clone()));
                    Stream::own(&self.gpu)
                }
            },
        )
    }

    /// This thread's current stream until the guard is dropped.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let (before, other) = (gpu.current_stream().handle(), Stream::new(&gpu)?);
    ///     drop(other.enter());
    ///     assert_eq!(gpu.current_stream().handle(), before);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn enter(&self) -> Entered {
        Entered {
            before: self.make_current(),
            here: PhantomData,
        }
    }

    /// Waits for all earlier work of the stream.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let stream = Stream::new(&syntonic_cuda::open(0)?)?;
    ///     let end = stream.record()?;
    ///     stream.synchronize()?;
    ///     assert!(end.is_done()?);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        self.gpu
            .context()
            .wait_for("synchronize", self.inner.cu_stream())
    }

    /// Later work of this stream waits for `event`.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let gpu = syntonic_cuda::open(0)?;
    ///     let (first, second) = (Stream::new(&gpu)?, Stream::new(&gpu)?);
    ///     second.wait(&first.record()?)?;
    ///     assert!(second.synchronize().is_ok());
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.gpu.context().bind()?;
        event.raw().hold(self.gpu.context(), self.inner.cu_stream())
    }

    /// An event at the end of the stream's work so far.
    ///
    /// ```
    /// use syntonic_cuda::Stream;
    ///
    /// if syntonic_cuda::device_count() > 0 {
    ///     let event = Stream::new(&syntonic_cuda::open(0)?)?.record()?;
    ///     event.synchronize()?;
    ///     assert!(event.is_done()?);
    /// }
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn record(&self) -> Result<Event> {
        Event::record(&self.gpu, self.inner.cu_stream())
    }
}

/// The stream is current as long as this lives; then the previous one is again.
#[must_use = "the stream is current only while this lives"]
#[derive(Debug)]
pub struct Entered {
    before: Stream,
    /// The choice is this thread's.
    here: PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.before.make_current();
    }
}
