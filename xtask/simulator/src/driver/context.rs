//! Contexts: which card a thread's calls are for, and whether that still works.

use std::cell::RefCell;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::code::Code;
use super::exports::{Answer, Out, exports, give};
use super::handles::Handle;
use super::state::{Device, driver};

/// A context. The primary one of a card is the same for everybody.
#[derive(Debug)]
pub(super) struct Context {
    device: usize,
    primary: bool,
    /// How often the primary one was asked for and not given back.
    retained: AtomicU32,
    /// The error that everything fails with since a kernel faulted.
    lost: OnceLock<Code>,
    flags: AtomicU32,
    destroyed: AtomicBool,
    /// The contexts whose memory it reaches.
    peers: Mutex<Vec<Handle>>,
}

thread_local! {
    /// The contexts of this thread; the last one is current.
    static CURRENT: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
}

/// The current context of this thread, and its handle.
pub(super) fn current() -> Answer<(Handle, Arc<Context>)> {
    let top = CURRENT.with_borrow(|all| all.last().copied());
    let handle = top.ok_or(Code::InvalidContext)?;
    let context = driver()?.contexts.get(handle);
    Ok((handle, context.ok_or(Code::ContextIsDestroyed)?))
}

/// The current context, if no kernel of it faulted.
pub(super) fn usable() -> Answer<(Handle, Arc<Context>)> {
    let (handle, context) = current()?;
    Ok((handle, context.sound()?))
}

impl Context {
    fn new(device: usize, primary: bool) -> Context {
        Context {
            device,
            primary,
            retained: AtomicU32::new(0),
            lost: OnceLock::new(),
            flags: AtomicU32::new(0),
            destroyed: AtomicBool::new(false),
            peers: Mutex::default(),
        }
    }

    /// Its card.
    pub(super) fn device(&self) -> Answer<&'static Device> {
        driver()?
            .devices
            .get(self.device)
            .ok_or(Code::InvalidDevice)
    }

    /// Itself, if no kernel of it faulted.
    pub(super) fn sound(self: Arc<Self>) -> Answer<Arc<Context>> {
        self.lost.get().map_or(Ok(()), |code| Err(*code))?;
        Ok(self)
    }

    /// Whether it is the primary one of a card.
    pub(super) fn is_primary_of(&self, ordinal: usize) -> bool {
        self.primary && self.device == ordinal
    }

    /// Everything fails from now on.
    pub(super) fn lose(&self, code: Code) {
        let _ = self.lost.set(code);
    }
}

/// The primary context of a card, if there is one.
fn primary(ordinal: usize) -> Answer<Option<Handle>> {
    Ok(driver()?.contexts.find(|c| c.is_primary_of(ordinal)))
}

/// Forgets a context and everything of it.
fn destroy(handle: Handle) -> Answer<()> {
    let driver = driver()?;
    driver.contexts.remove(handle).ok_or(Code::InvalidContext)?;
    driver.streams.retain(|s| s.context != handle);
    driver.events.retain(|e| e.context != handle);
    driver.modules.retain(|m| m.context != handle);
    driver.functions.retain(|f| f.context != handle);
    Ok(())
}

fn create(out: Out<'_, Handle>, flags: c_uint, ordinal: c_int) -> Answer {
    let device = driver()?.device(ordinal)?.ordinal;
    let context = Context::new(device, false);
    context.flags.store(flags, Ordering::Relaxed);
    let handle = driver()?.contexts.insert(context);
    CURRENT.with_borrow_mut(|all| all.push(handle));
    give(out, handle)
}

exports! {
    /// The primary context of a card, which is made by the first call.
    fn cuDevicePrimaryCtxRetain(out: Out<'_, Handle>, ordinal: c_int) {
        let device = driver()?.device(ordinal)?;
        let _turn = device.turn();
        let handle = match primary(device.ordinal)? {
            Some(handle) => handle,
            None => driver()?.contexts.insert(Context::new(device.ordinal, true)),
        };
        let context = driver()?.contexts.get(handle).ok_or(Code::InvalidContext)?;
        context.retained.fetch_add(1, Ordering::Relaxed);
        give(out, handle)
    }

    /// Gives a primary context back; the last one to do so ends it.
    fn cuDevicePrimaryCtxRelease_v2(ordinal: c_int) {
        let device = driver()?.device(ordinal)?;
        let handle = primary(device.ordinal)?.ok_or(Code::InvalidContext)?;
        let context = driver()?.contexts.get(handle).ok_or(Code::InvalidContext)?;
        match context.retained.fetch_sub(1, Ordering::Relaxed) {
            1 => destroy(handle),
            _ => Ok(()),
        }
    }

    /// Ends a primary context, whoever uses it.
    fn cuDevicePrimaryCtxReset_v2(ordinal: c_int) {
        let device = driver()?.device(ordinal)?;
        primary(device.ordinal)?.map_or(Ok(()), destroy)
    }

    /// The flags of a primary context, and whether there is one.
    fn cuDevicePrimaryCtxGetState(ordinal: c_int, flags: Out<'_, c_uint>, active: Out<'_, c_int>) {
        let device = driver()?.device(ordinal)?;
        let found = primary(device.ordinal)?.and_then(|handle| driver().ok()?.contexts.get(handle));
        give(active, c_int::from(found.is_some()))?;
        give(flags, found.map_or(0, |c| c.flags.load(Ordering::Relaxed)))
    }

    /// Flags of a primary context, which change nothing here.
    fn cuDevicePrimaryCtxSetFlags_v2(ordinal: c_int, _flags: c_uint) {
        driver()?.device(ordinal).map(|_| ())
    }

    /// A context of one's own, current from now on.
    fn cuCtxCreate_v2(out: Out<'_, Handle>, flags: c_uint, ordinal: c_int) {
        create(out, flags, ordinal)
    }

    /// As `cuCtxCreate_v2`; other than the default affinity is not known.
    fn cuCtxCreate_v3(out: Out<'_, Handle>, affinity: *mut c_void, count: c_int, flags: c_uint, ordinal: c_int) {
        if !affinity.is_null() || count != 0 {
            return Err(Code::NotSupported);
        }
        create(out, flags, ordinal)
    }

    /// As `cuCtxCreate_v2`; parameters are not known.
    fn cuCtxCreate_v4(out: Out<'_, Handle>, params: *mut c_void, flags: c_uint, ordinal: c_int) {
        if !params.is_null() {
            return Err(Code::NotSupported);
        }
        create(out, flags, ordinal)
    }

    /// Ends a context of one's own.
    fn cuCtxDestroy_v2(handle: Handle) {
        let context = driver()?.contexts.get(handle).ok_or(Code::InvalidContext)?;
        if context.primary || context.destroyed.swap(true, Ordering::Relaxed) {
            return Err(Code::InvalidContext);
        }
        CURRENT.with_borrow_mut(|all| all.retain(|h| *h != handle));
        destroy(handle)
    }

    /// The current context; null where there is none.
    fn cuCtxGetCurrent(out: Out<'_, Handle>) {
        driver()?;
        give(out, CURRENT.with_borrow(|all| all.last().copied()).unwrap_or(0))
    }

    /// Makes a context current; null leaves none.
    fn cuCtxSetCurrent(handle: Handle) {
        if handle != 0 && driver()?.contexts.get(handle).is_none() {
            return Err(Code::InvalidContext);
        }
        CURRENT.with_borrow_mut(|all| {
            all.pop();
            all.extend((handle != 0).then_some(handle));
        });
        Ok(())
    }

    /// Makes a context current until it is popped.
    fn cuCtxPushCurrent_v2(handle: Handle) {
        driver()?.contexts.get(handle).ok_or(Code::InvalidContext)?;
        CURRENT.with_borrow_mut(|all| all.push(handle));
        Ok(())
    }

    /// The context before this one is current again.
    fn cuCtxPopCurrent_v2(out: Out<'_, Handle>) {
        driver()?;
        let popped = CURRENT.with_borrow_mut(Vec::pop).ok_or(Code::InvalidContext)?;
        out.map_or(Ok(()), |out| give(Some(out), popped))
    }

    /// The card of the current context.
    fn cuCtxGetDevice(out: Out<'_, c_int>) {
        give(out, current()?.1.device as c_int)
    }

    /// Waits for everything, which is done already. As on a card, nobody may wait so while a stream captures.
    fn cuCtxSynchronize() {
        let (handle, context) = usable()?;
        if driver()?.streams.find(|s| s.context == handle && s.tape.runs()).is_some() {
            return Err(Code::CaptureUnsupported);
        }
        context.device().map(|_| ())
    }

    /// A number that says which interface a context has.
    fn cuCtxGetApiVersion(_handle: Handle, out: Out<'_, c_uint>) {
        give(out, 3020)
    }

    /// The flags of the current context.
    fn cuCtxGetFlags(out: Out<'_, c_uint>) {
        give(out, current()?.1.flags.load(Ordering::Relaxed))
    }

    /// Flags of the current context: how to wait, which is never needed here.
    fn cuCtxSetFlags(flags: c_uint) {
        current()?.1.flags.store(flags, Ordering::Relaxed);
        Ok(())
    }

    /// A limit of the current context.
    fn cuCtxGetLimit(out: Out<'_, usize>, limit: c_uint) {
        current()?;
        match limit {
            0 => give(out, 1024),
            1 => give(out, 1 << 20),
            2 => give(out, 8 << 20),
            _ => Err(Code::UnsupportedLimit),
        }
    }

    /// A limit of the current context; none binds here.
    fn cuCtxSetLimit(limit: c_uint, _value: usize) {
        current()?;
        if limit <= 2 { Ok(()) } else { Err(Code::UnsupportedLimit) }
    }

    /// How the first cache is shared out: no preference.
    fn cuCtxGetCacheConfig(out: Out<'_, c_uint>) {
        current()?;
        give(out, 0)
    }

    /// How the first cache is shared out, which changes nothing here.
    fn cuCtxSetCacheConfig(_config: c_uint) {
        current().map(|_| ())
    }

    /// The priorities of streams.
    fn cuCtxGetStreamPriorityRange(least: Out<'_, c_int>, greatest: Out<'_, c_int>) {
        current()?;
        least.map_or(Ok(()), |out| give(Some(out), 0))?;
        greatest.map_or(Ok(()), |out| give(Some(out), -5))
    }

    /// The current context reaches another card's memory, once, where the environment says that cards do.
    fn cuCtxEnablePeerAccess(peer: Handle, flags: c_uint) {
        let (_, context) = current()?;
        let other = driver()?.contexts.get(peer).ok_or(Code::InvalidContext)?;
        if flags != 0 {
            return Err(Code::InvalidValue);
        }
        if !context.device()?.reaches(other.device()?) {
            return Err(Code::PeerAccessUnsupported);
        }
        let mut peers = context.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if peers.contains(&peer) {
            return Err(Code::PeerAccessAlreadyEnabled);
        }
        peers.push(peer);
        Ok(())
    }
}
