//! Bytes on a device, shared by every view of them.

use crate::device::{Device, DeviceId};
use crate::error::Result;
use crate::fork::lock;
use crate::graph::session::{self, Arena};
use crate::lazy::Pending;
use crate::profile;
use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, Weak};

/// Who keeps memory of ours that a device did not give, such as memory of the host that a GPU copies from and to by itself.
///
/// It knows of the copies that use the memory after the call that asked for them has returned.
pub trait Keeper: Any + fmt::Debug + Send + Sync {
    /// Waits for copies in flight: those that write the memory, and before it is written also those that read it.
    ///
    /// # Errors
    /// What became of the copies.
    fn wait(&self, before: Use) -> Result<()>;

    /// True while a copy in flight uses the memory.
    fn is_busy(&self) -> bool;

    /// Other memory of the same kind.
    ///
    /// # Errors
    /// Where there is none.
    fn another(&self, bytes: usize) -> Result<Buffer>;
}

/// What somebody is about to do with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Read it.
    Read,
    /// Write it.
    Write,
}

/// Whose the memory is.
enum Owner {
    /// The device's, to which it goes back.
    Device,
    /// That of the graph it is part of.
    Graph(Arc<Arena>),
    /// Somebody's outside, kept alive by this.
    Stranger { _alive: Box<dyn Any + Send + Sync> },
    /// Ours, kept by this.
    Keeper(Arc<dyn Keeper>),
}

/// A block of memory on a device. Views share it through an `Arc`.
///
/// Pending expressions that read it are registered here, so that whoever is about to write it in
/// place can have them evaluated first.
pub struct Buffer {
    address: *mut u8,
    bytes: usize,
    device: Arc<dyn Device>,
    owner: Owner,
    readers: Mutex<Vec<Weak<Pending>>>,
    /// How many parties outside may write the memory without telling us.
    lent: AtomicUsize,
    /// Whether somebody outside has, or ever had, a way to write it.
    strange: AtomicBool,
    /// How often somebody was about to write it in place.
    writes: AtomicU64,
}

// SAFETY: the address is only a number; memory behind it is read and written through tensors, whose
// safe API writes only buffers it alone holds, and whose aliased writes are `unsafe` and documented.
unsafe impl Send for Buffer {}
// SAFETY: as above; the reader list has its own lock.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// New memory of `bytes` bytes with arbitrary contents.
    ///
    /// ```
    /// use syntonic_core::Buffer;
    /// use syntonic_core::prelude::*;
    ///
    /// let buffer = Buffer::allocate(&cpu(), 64)?;
    /// assert!(buffer.bytes() == 64 && buffer.is_host());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn allocate(device: &Arc<dyn Device>, bytes: usize) -> Result<Buffer> {
        Buffer::allocate_for("allocate", device, bytes)
    }

    /// [`Buffer::allocate`] for an operation, which a profile names where nobody named a line.
    pub(crate) fn allocate_for(
        op: &'static str,
        device: &Arc<dyn Device>,
        bytes: usize,
    ) -> Result<Buffer> {
        let (address, owner) = match session::arena(device.id()) {
            Some(arena) => (arena.allocate(bytes)?, Owner::Graph(arena)),
            None => (device.allocate(bytes)?, Owner::Device),
        };
        profile::given(device, op, address, bytes);
        Ok(Buffer::over(device, address, bytes, owner))
    }

    fn over(device: &Arc<dyn Device>, address: *mut u8, bytes: usize, owner: Owner) -> Buffer {
        Buffer {
            address,
            bytes,
            device: device.clone(),
            owner,
            readers: Mutex::default(),
            lent: AtomicUsize::new(0),
            strange: AtomicBool::new(false),
            writes: AtomicU64::new(0),
        }
    }

    /// Memory that somebody else owns, kept alive by `owner`. Where a `bool` lies in it, any byte but 0 is read as true.
    ///
    /// # Safety
    /// `address` must stay valid for reads and writes of `bytes` bytes on `device` as long as `owner`
    /// lives.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{Buffer, Layout};
    ///
    /// // Numbers that another part of the program made.
    /// let mut theirs = Box::new([1.0_f32, 2.0, 3.0, 4.0]);
    /// let address = theirs.as_mut_ptr().cast();
    /// // SAFETY: the box has 16 bytes at the address, which the buffer keeps and nobody else uses.
    /// let x = unsafe {
    ///     let buffer = Buffer::foreign(&cpu(), address, 16, theirs);
    ///     Tensor::from_buffer(DType::F32, Layout::contiguous("mine", &[2, 2])?, Arc::new(buffer))?
    /// };
    /// assert_eq!(x.sum(0)?.to_vec::<f32>()?, [4.0, 6.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub unsafe fn foreign(
        device: &Arc<dyn Device>,
        address: *mut u8,
        bytes: usize,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Buffer {
        // SAFETY: the caller's promise.
        let buffer = unsafe { Buffer::holding(device, address, bytes, owner) };
        buffer.note_stranger();
        buffer
    }

    /// Memory of values that `owner` holds for this buffer alone, so that each is one of its type.
    ///
    /// # Safety
    /// As [`Buffer::foreign`], and nobody else uses the memory.
    pub(crate) unsafe fn holding(
        device: &Arc<dyn Device>,
        address: *mut u8,
        bytes: usize,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Buffer {
        Buffer::over(device, address, bytes, Owner::Stranger { _alive: owner })
    }

    /// Memory of ours that a keeper gives, and takes back when it is dropped itself.
    ///
    /// # Safety
    /// As [`Buffer::foreign`], and nobody else uses the memory but the copies that the keeper knows of.
    #[doc(hidden)]
    pub unsafe fn kept(
        device: &Arc<dyn Device>,
        address: *mut u8,
        bytes: usize,
        keeper: Arc<dyn Keeper>,
    ) -> Buffer {
        Buffer::over(device, address, bytes, Owner::Keeper(keeper))
    }

    /// Address of the first byte; only the device may follow it unless the device is the host.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(!Tensor::from([1.0]).buffer()?.address().is_null());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn address(&self) -> *mut u8 {
        self.address
    }

    /// Size in bytes.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::from([1f32, 2.0]).buffer()?.bytes(), 8);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The device that holds the memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert_eq!(Tensor::from([1.0]).buffer()?.device().id(), DeviceId::Cpu);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    /// True where the host may read the address.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(Tensor::from([1.0]).buffer()?.is_host());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_host(&self) -> bool {
        self.device.id() == DeviceId::Cpu
    }

    /// The memory of a graph that it is part of.
    pub(crate) fn arena(&self) -> Option<&Arc<Arena>> {
        match &self.owner {
            Owner::Graph(arena) => Some(arena),
            _ => None,
        }
    }

    /// True for memory that somebody outside owns, which is never replaced behind its owner.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(!Tensor::from([1.0]).buffer()?.is_foreign());
    /// assert!(Tensor::from_vec(vec![1.0], &[1])?.buffer()?.is_foreign());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_foreign(&self) -> bool {
        matches!(self.owner, Owner::Stranger { .. })
    }

    /// True for memory of the device that nobody outside has, or ever had.
    pub(crate) fn is_ours(&self) -> bool {
        matches!(self.owner, Owner::Device) && !self.is_lent() && !self.is_strange()
    }

    /// Who keeps the memory, if it is neither the device's nor a stranger's.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(Tensor::from([1.0]).buffer()?.keeper().is_none());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn keeper(&self) -> Option<&Arc<dyn Keeper>> {
        match &self.owner {
            Owner::Keeper(keeper) => Some(keeper),
            _ => None,
        }
    }

    /// Waits for copies in flight that keep the memory from being used so.
    #[inline]
    pub(crate) fn wait(&self, before: Use) -> Result<()> {
        self.keeper().map_or(Ok(()), |keeper| keeper.wait(before))
    }

    /// True while a copy in flight uses the memory.
    #[inline]
    pub(crate) fn is_busy(&self) -> bool {
        self.keeper().is_some_and(|keeper| keeper.is_busy())
    }

    /// Hands the memory to somebody outside who may write it at any time, until [`Buffer::take_back`].
    /// Expressions that wait for it are evaluated now, and new ones are computed at once.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::ones(&[10_000], DType::F32)?;
    /// let buffer = x.buffer()?;
    /// buffer.lend()?;
    /// // Whoever has it may write at any time, so what reads it is computed at once.
    /// assert!(buffer.is_lent() && !(&x + 1.0).is_pending());
    /// buffer.take_back();
    /// assert!((&x + 1.0).is_pending());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn lend(&self) -> Result<()> {
        session::check("sharing memory with another library", self.device.id())?;
        self.note_stranger();
        self.lent.fetch_add(1, Ordering::Relaxed);
        self.settle_readers().inspect_err(|_| self.take_back())
    }

    /// Ends one [`Buffer::lend`]; nothing where there is none left.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0]);
    /// let buffer = x.buffer()?;
    /// buffer.lend()?;
    /// buffer.take_back();
    /// assert!(!buffer.is_lent());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn take_back(&self) {
        let one_less = |n: usize| n.checked_sub(1);
        // An error says that nobody has it.
        let _ = (self.lent).fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
    }

    /// True while somebody outside may write the memory.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// assert!(!Tensor::from([1.0]).buffer()?.is_lent());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn is_lent(&self) -> bool {
        self.lent.load(Ordering::Relaxed) > 0
    }

    /// Notes that somebody outside may write the memory, or has.
    #[doc(hidden)]
    pub fn note_stranger(&self) {
        self.strange.store(true, Ordering::Release);
    }

    /// True where somebody outside may have written the memory, who may have left any byte where a `bool` lies. What was
    /// lent stays so.
    pub(crate) fn is_strange(&self) -> bool {
        self.strange.load(Ordering::Acquire)
    }

    /// Registers a pending expression that reads this memory.
    pub(crate) fn add_reader(&self, reader: Weak<Pending>) {
        let mut readers = lock(&self.readers);
        if readers.len() >= 16 && readers.len().is_power_of_two() {
            readers.retain(|r| r.strong_count() > 0);
        }
        readers.push(reader);
    }

    /// How often somebody was about to write the memory in place: a program that reads it meanwhile on another thread sees
    /// by this that it did.
    pub(crate) fn writes(&self) -> u64 {
        self.writes.load(Ordering::Acquire)
    }

    /// To be called before the memory is written in place: expressions that read it are evaluated, copies in flight that use it
    /// are waited for, and a graph that is captured meanwhile will write it too.
    ///
    /// # Errors
    /// Those of the expressions, and of the copies.
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0_f64, 2.0]);
    /// let later = &x + 1.0; // reads `x` when somebody reads it
    /// let buffer = x.buffer()?;
    /// buffer.settle_for_write()?;
    /// // SAFETY: the buffer has room for the number, which begins there, and nobody reads or writes it meanwhile.
    /// unsafe { buffer.address().cast::<f64>().write(7.0) };
    /// assert_eq!((later.to_vec::<f64>()?, x.to_vec::<f64>()?), (vec![2.0, 3.0], vec![7.0, 2.0]));
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn settle_for_write(self: &Arc<Self>) -> Result<()> {
        session::written(self)?;
        self.settle_readers()
    }

    /// [`Buffer::settle_for_write`], but for these expressions, which stay registered.
    pub(crate) fn settle_for_write_but(self: &Arc<Self>, own: &[Arc<Pending>]) -> Result<()> {
        let is_own =
            |r: &Weak<Pending>| own.iter().any(|p| std::ptr::eq(r.as_ptr(), Arc::as_ptr(p)));
        // few: expressions that read one tensor.
        let mut kept = Vec::new();
        lock(&self.readers).retain(|r| {
            let own = is_own(r);
            if own {
                kept.push(r.clone());
            }
            !own
        });
        let settled = self.settle_for_write();
        lock(&self.readers).extend(kept);
        settled
    }

    /// Evaluates every pending expression that reads this memory, so that it may be written, and waits for copies of it. On an error those that
    /// still wait stay registered: the next writer must not pass them by.
    pub(crate) fn settle_readers(&self) -> Result<()> {
        while let Some(reader) = self.last_reader() {
            reader.settle()?;
        }
        self.wait(Use::Write)?;
        self.writes.fetch_add(1, Ordering::AcqRel);
        // Before whatever is written now.
        fence(Ordering::Release);
        Ok(())
    }

    /// The newest expression that waits to read this memory. Those that do not wait are forgotten; one that does stays in the
    /// list until it has its result, for others who are about to write, and for a child of the process.
    fn last_reader(&self) -> Option<Arc<Pending>> {
        loop {
            let last = lock(&self.readers).last().map(Weak::clone)?;
            // Let go of outside of the lock: with an expression its operands may be dropped.
            let waits = last.upgrade().filter(|reader| reader.waits());
            if waits.is_some() {
                return waits;
            }
            let mut readers = lock(&self.readers);
            if readers.last().is_some_and(|now| now.ptr_eq(&last)) {
                readers.pop();
            }
        }
    }

    /// True while a pending expression may still read this memory.
    pub(crate) fn has_readers(&self) -> bool {
        lock(&self.readers).iter().any(|r| r.strong_count() > 0)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if matches!(self.owner, Owner::Device | Owner::Graph(_)) {
            profile::taken_back(&self.device, self.address);
        }
        match &self.owner {
            Owner::Stranger { .. } | Owner::Keeper(_) => {}
            Owner::Graph(arena) => arena.take_back(self.address, self.bytes),
            // SAFETY: the address came from this device's `allocate` with these bytes, and this is
            // the only drop.
            Owner::Device => unsafe { self.device.release(self.address, self.bytes) },
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes on {})", self.bytes, self.device.id())
    }
}
