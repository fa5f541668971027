//! The capture of a thread, and the loops in it: the memory that is made, the memory that is used, and what is refused.

use crate::buffer::Buffer;
use crate::device::{Device, DeviceId};
use crate::error::{Error, Result};
use crate::fork::lock;
use crate::tensor::Tensor;
use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Captures of all threads, to be asked where every launch comes by.
static OPEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The capture that this thread is in.
    static HERE: RefCell<Option<Arc<Session>>> = const { RefCell::new(None) };
}

/// Sizes are multiples of this, so that nearly equal temporaries share memory.
const GRAIN: usize = 512;

/// The memory of a graph. What is given back serves the same capture again, and all of it goes back to the device with the
/// last tensor in it.
#[derive(Debug)]
pub(crate) struct Arena {
    device: Arc<dyn Device>,
    blocks: Mutex<Blocks>,
}

#[derive(Debug, Default)]
struct Blocks {
    /// Addresses by size.
    free: HashMap<usize, Vec<usize>>,
    /// Every block and the bytes that were asked for.
    all: Vec<(usize, usize)>,
    live: usize,
}

impl Arena {
    fn new(device: &Arc<dyn Device>) -> Arc<Arena> {
        Arc::new(Arena {
            device: device.clone(),
            blocks: Mutex::default(),
        })
    }

    /// The size of the block that serves a request; one that is too large for any is left for the device to refuse.
    fn class(bytes: usize) -> usize {
        bytes
            .max(1)
            .checked_next_multiple_of(GRAIN)
            .unwrap_or(bytes)
    }

    pub(crate) fn allocate(&self, bytes: usize) -> Result<*mut u8> {
        let size = Arena::class(bytes);
        let waiting = lock(&self.blocks).free.get_mut(&size).and_then(Vec::pop);
        let address = match waiting {
            Some(address) => address,
            None => {
                let address = self.device.allocate(size)? as usize;
                // few: as many as the captured work has temporaries at once.
                lock(&self.blocks).all.push((address, size));
                address
            }
        };
        lock(&self.blocks).live += 1;
        Ok(address as *mut u8)
    }

    pub(crate) fn take_back(&self, address: *mut u8, bytes: usize) {
        let mut blocks = lock(&self.blocks);
        blocks.live -= 1;
        let free = blocks.free.entry(Arena::class(bytes)).or_default();
        free.push(address as usize);
    }

    /// Blocks in it.
    #[cfg(test)]
    pub(super) fn blocks(&self) -> usize {
        lock(&self.blocks).all.len()
    }

    /// Buffers in it.
    pub(super) fn live(&self) -> usize {
        lock(&self.blocks).live
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let blocks = self.blocks.get_mut();
        let blocks = blocks.unwrap_or_else(std::sync::PoisonError::into_inner);
        for (address, size) in blocks.all.drain(..) {
            // SAFETY: the block came from this device with this size, and no buffer in it is left: each holds the arena.
            unsafe { self.device.release(address as *mut u8, size) };
        }
    }
}

/// What the work that is asked for in a session is.
#[derive(Debug)]
enum Kind {
    /// That of a graph.
    Graph,
    /// A turn of a loop in one, which may write this memory in place.
    Turn(Vec<usize>),
    /// Such a turn over copies, which is run and not captured, so that its kernels are there.
    Rehearsal,
}

/// One capture of one thread, or a turn of a loop in it.
#[derive(Debug)]
pub(super) struct Session {
    /// Each has its own; 0 is no capture.
    number: usize,
    kind: Kind,
    /// The session that the loop is in.
    around: Option<Arc<Session>>,
    pub(super) device: DeviceId,
    pub(super) arena: Arc<Arena>,
    uses: Mutex<Uses>,
    refused: Mutex<Option<String>>,
    /// Whether random numbers are drawn in it.
    draws: AtomicBool,
}

/// Memory from outside of the capture.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// What it reads or writes, by its address in memory.
    pub(super) kept: HashMap<usize, Arc<Buffer>>,
    /// What it writes in place.
    pub(super) written: Vec<Arc<Buffer>>,
    /// Memory of the turns of its loops.
    turns: Vec<Arc<Arena>>,
}

impl Uses {
    /// Keeps this memory no longer.
    pub(super) fn leave(&mut self, buffer: &Arc<Buffer>) {
        self.kept.remove(&(Arc::as_ptr(buffer) as usize));
        self.written.retain(|b| !Arc::ptr_eq(b, buffer));
    }
}

impl Session {
    pub(super) fn new(device: &Arc<dyn Device>) -> Arc<Session> {
        Session::of(Kind::Graph, device, None)
    }

    /// A session whose work is run, over copies, for what it makes ready.
    pub(super) fn rehearsal(device: &Arc<dyn Device>) -> Arc<Session> {
        Session::of(Kind::Rehearsal, device, None)
    }

    /// A turn of a loop, which writes nothing but these in place. Its memory is its own: what is asked for around the loop meanwhile is
    /// done before it.
    pub(super) fn turn(
        self: &Arc<Session>,
        device: &Arc<dyn Device>,
        state: &[Tensor],
    ) -> Result<Arc<Session>> {
        let place = |t: &Tensor| Ok(Arc::as_ptr(&t.buffer()?) as usize);
        // few: one for each tensor of a state.
        let state = state.iter().map(place).collect::<Result<_>>()?;
        Ok(Session::of(Kind::Turn(state), device, Some(self.clone())))
    }

    fn of(kind: Kind, device: &Arc<dyn Device>, around: Option<Arc<Session>>) -> Arc<Session> {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        Arc::new(Session {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            kind,
            around,
            device: device.id(),
            arena: Arena::new(device),
            uses: Mutex::default(),
            refused: Mutex::default(),
            draws: AtomicBool::new(false),
        })
    }

    /// This thread is in the capture until the guard is dropped.
    pub(super) fn enter(self: &Arc<Session>) -> Inside {
        Inside::with(Some(self.clone()))
    }

    /// The memory from outside, so far; the next attempt begins with none.
    pub(super) fn take_uses(&self) -> Uses {
        std::mem::take(&mut *lock(&self.uses))
    }

    /// What was refused in it. A function that went on after that would give a graph of something else.
    pub(super) fn check(&self) -> Result<()> {
        match lock(&self.refused).take() {
            Some(op) => Err(refusal(op)),
            None => Ok(()),
        }
    }

    /// True where work is run, and not captured.
    pub(super) fn is_rehearsal(&self) -> bool {
        let own = matches!(self.kind, Kind::Rehearsal);
        own || self.around.as_ref().is_some_and(|s| s.is_rehearsal())
    }

    /// Takes what a turn uses, which has ended: its memory, and what it used of outside.
    pub(super) fn absorb(&self, turn: &Session) {
        let used = turn.take_uses();
        let mut uses = lock(&self.uses);
        uses.turns.push(turn.arena.clone()); // few: one for each loop.
        uses.turns.extend(used.turns);
        for (address, buffer) in used.kept {
            if !self.owns(&buffer) {
                uses.kept.entry(address).or_insert(buffer);
            }
        }
    }

    /// No graph can be made of it any more.
    pub(super) fn spoil(&self, op: &str) {
        lock(&self.refused).get_or_insert_with(|| op.to_owned());
        if let Some(around) = &self.around {
            around.spoil(op);
        }
    }

    /// Whether random numbers were drawn in it.
    pub(super) fn draws(&self) -> bool {
        self.draws.load(Ordering::Relaxed)
    }

    fn note_draw(&self) {
        self.draws.store(true, Ordering::Relaxed);
        if let Some(around) = &self.around {
            around.note_draw();
        }
    }

    /// How many loops it is in.
    fn depth(&self) -> usize {
        self.around.as_ref().map_or(0, |around| 1 + around.depth())
    }

    /// An error where a turn of a loop would write what is not its own.
    fn may_write(&self, buffer: &Arc<Buffer>) -> Result<()> {
        let place = Arc::as_ptr(buffer) as usize;
        let may = match &self.kind {
            Kind::Graph => true,
            Kind::Turn(state) => state.contains(&place) || self.owns(buffer),
            Kind::Rehearsal => self.owns(buffer),
        };
        if may || self.device != buffer.device().id() {
            return Ok(());
        }
        Err(Error::Capture {
            op: "loop".to_owned(),
            what: "the body writes in place what is no part of the loop's state; hint: make it a part, and write to what the body is \
                   given"
                .to_owned(),
        })
    }

    fn owns(&self, buffer: &Buffer) -> bool {
        buffer.arena().is_some_and(|a| Arc::ptr_eq(a, &self.arena))
    }
}

/// What a thread was in before it entered a capture, or left one for a moment.
#[derive(Debug)]
pub(super) struct Inside {
    before: Option<Arc<Session>>,
    now: bool,
    /// It is this thread's.
    here: PhantomData<*const ()>,
}

impl Inside {
    fn with(session: Option<Arc<Session>>) -> Inside {
        let now = session.is_some();
        OPEN.fetch_add(usize::from(now), Ordering::Relaxed);
        Inside {
            before: HERE.replace(session),
            now,
            here: PhantomData,
        }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        // While a thread ends, the place may be gone already.
        let _ = HERE.try_with(|here| here.replace(self.before.take()));
        OPEN.fetch_sub(usize::from(self.now), Ordering::Relaxed);
    }
}

fn here<T>(look: impl FnOnce(&Arc<Session>) -> T) -> Option<T> {
    if OPEN.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let found = HERE.try_with(|here| here.borrow().as_ref().map(look));
    found.ok().flatten()
}

/// The memory for what is made on `device` now, if that is part of a capture of this thread.
#[inline]
pub(crate) fn arena(device: DeviceId) -> Option<Arc<Arena>> {
    here(|s| (s.device == device).then(|| s.arena.clone())).flatten()
}

/// True while this thread captures what is asked of `device`.
///
/// ```
/// use syntonic_core::graph::is_capturing;
/// use syntonic_core::prelude::*;
///
/// assert!(!is_capturing(DeviceId::Cpu));
/// Graph::capture(&[&Tensor::from([0.0])], |own| {
///     assert!(is_capturing(DeviceId::Cpu));
///     Ok(vec![own[0] + 1.0])
/// })?;
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[inline]
pub fn is_capturing(device: DeviceId) -> bool {
    here(|s| s.device == device).unwrap_or(false)
}

/// True while this thread captures anything.
pub(super) fn is_inside() -> bool {
    here(|_| ()).is_some()
}

/// Notes that random numbers are drawn.
#[inline]
pub(crate) fn draw() {
    here(|s| s.note_draw());
}

/// The session that this thread is in.
pub(super) fn current() -> Option<Arc<Session>> {
    here(Arc::clone)
}

/// How many loops what is asked for now is a part of, in the capture of this thread.
///
/// ```
/// use syntonic_core::graph::{fori_loop, loops_around};
/// use syntonic_core::prelude::*;
///
/// assert_eq!(loops_around(), 0);
/// fori_loop(0..3, &[&Tensor::from([1.0])], |_, x| {
///     assert_eq!(loops_around(), 1);
///     Ok(vec![x[0] * 2.0])
/// })?;
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn loops_around() -> usize {
    here(|s| s.depth()).unwrap_or(0)
}

/// A number for the capture that this thread is in; 0 outside of any.
#[inline]
pub(crate) fn number() -> usize {
    here(|s| s.number).unwrap_or(0)
}

/// Runs work of another session: of one around the loop that this thread is in, whose part it becomes, before the loop; else of before the
/// capture, at once, and as no part of it.
pub(crate) fn within<T>(number: usize, work: impl FnOnce() -> T) -> T {
    let mut found = current();
    while let Some(session) = found.as_ref().filter(|s| s.number != number) {
        found = session.around.clone();
    }
    let _there = Inside::with(found);
    work()
}

/// Runs work at once, and as no part of a capture.
pub(crate) fn outside<T>(work: impl FnOnce() -> T) -> T {
    let _outside = Inside::with(None);
    work()
}

/// Keeps memory from outside alive as long as the graph that uses it.
#[inline]
pub(crate) fn keep(buffer: &Arc<Buffer>) {
    here(|s| {
        if s.device == buffer.device().id() && !s.owns(buffer) {
            let address = Arc::as_ptr(buffer) as usize;
            let mut uses = lock(&s.uses);
            uses.kept.entry(address).or_insert_with(|| buffer.clone());
        }
    });
}

/// Notes that memory from outside is written in place, as it will be at each replay.
///
/// # Errors
/// Where a turn of a loop must not.
#[inline]
pub(crate) fn written(buffer: &Arc<Buffer>) -> Result<()> {
    here(|s| s.may_write(buffer)).unwrap_or(Ok(()))?;
    keep(buffer);
    here(|s| {
        if s.device == buffer.device().id() && !s.owns(buffer) {
            let mut uses = lock(&s.uses);
            if !uses.written.iter().any(|b| Arc::ptr_eq(b, buffer)) {
                // few: as many as the captured work writes in place.
                uses.written.push(buffer.clone());
            }
        }
    });
    Ok(())
}

/// The error for an operation that no graph can have, which ends the capture of this thread: also where the captured function
/// goes on after it.
///
/// ```
/// use syntonic_core::graph::{is_capturing, refuse};
/// use syntonic_core::prelude::*;
/// use syntonic_core::{Error, Result};
///
/// /// A step that asks the host each time.
/// fn noisy(x: &Tensor) -> Result<Tensor> {
///     if is_capturing(x.device_id()) {
///         return Err(refuse("noisy"));
///     }
///     x.try_add(1.0)
/// }
///
/// let x = Tensor::from([1.0]);
/// assert_eq!(noisy(&x)?.to_vec::<f64>()?, [2.0]);
/// let graph = Graph::capture(&[&x], |x| Ok(vec![noisy(&x[0])?]));
/// assert!(matches!(graph, Err(Error::Capture { op, .. }) if op == "noisy"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn refuse(op: &str) -> Error {
    here(|s| s.spoil(op));
    refusal(op.to_owned())
}

/// An error if what is asked of `device` is being captured and this operation cannot be.
///
/// # Errors
/// [`Error::Capture`].
///
/// ```
/// use syntonic_core::graph::check;
/// use syntonic_core::prelude::*;
/// use syntonic_core::{Error, Result};
///
/// /// Prints a tensor, which no graph can do at each run.
/// fn shown(x: &Tensor) -> Result<Tensor> {
///     check("shown", x.device_id())?;
///     println!("{x}");
///     Ok(x.clone())
/// }
///
/// let x = Tensor::from([1.0]);
/// assert_eq!(shown(&x)?.numel(), 1);
/// let graph = Graph::capture(&[&x], |x| Ok(vec![shown(&x[0])?]));
/// assert!(matches!(graph, Err(Error::Capture { op, .. }) if op == "shown"));
/// # Ok::<(), syntonic_core::Error>(())
/// ```
#[inline]
pub fn check(op: &str, device: DeviceId) -> Result<()> {
    match is_capturing(device) {
        true => Err(refuse(op)),
        false => Ok(()),
    }
}

fn refusal(op: String) -> Error {
    Error::Capture {
        op,
        what: "cannot be part of a graph, since it needs the host at each run; hint: do it outside of the captured \
               function, and give what it yields as an input"
            .to_owned(),
    }
}
