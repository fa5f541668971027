//! Streams: names for an order that everything has anyway.

use std::ffi::{c_int, c_uint, c_void};

use super::code::Code;
use super::context::{Context, usable};
use super::exports::{Answer, Out, exports, give};
use super::graph::Tape;
use super::handles::Handle;
use super::state::{Device, driver};
use std::sync::Arc;

/// A stream.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) context: Handle,
    flags: c_uint,
    priority: c_int,
    /// What is kept while it captures.
    pub(super) tape: Tape,
}

/// The special handles: both default streams, and the thread's own.
const SPECIAL: std::ops::RangeInclusive<Handle> = 0..=2;

/// The context of a stream that does not capture, if no kernel of it faulted.
pub(super) fn context_of(stream: Handle) -> Answer<(Handle, Arc<Context>)> {
    let known = driver()?.streams.get(stream);
    if known.is_some_and(|s| s.tape.runs()) {
        return Err(Code::CaptureUnsupported);
    }
    context_of_any(stream)
}

/// The context of a stream, if no kernel of it faulted.
pub(super) fn context_of_any(stream: Handle) -> Answer<(Handle, Arc<Context>)> {
    let (current, here) = usable()?;
    if SPECIAL.contains(&stream) {
        return Ok((current, here));
    }
    let known = driver()?.streams.get(stream).ok_or(Code::InvalidHandle)?;
    let context = driver()?.contexts.get(known.context);
    let context = context.ok_or(Code::ContextIsDestroyed)?;
    Ok((known.context, context.sound()?))
}

/// The card of a stream.
pub(super) fn device_of(stream: Handle) -> Answer<&'static Device> {
    context_of(stream)?.1.device()
}

fn create(out: Out<'_, Handle>, flags: c_uint, priority: c_int) -> Answer {
    let (context, _) = usable()?;
    if flags > 1 {
        return Err(Code::InvalidValue);
    }
    let stream = Stream {
        context,
        flags,
        priority: priority.clamp(-5, 0),
        tape: Tape::default(),
    };
    give(out, driver()?.streams.insert(stream))
}

fn look<T: Default>(stream: Handle, ask: impl Fn(&Stream) -> T) -> Answer<T> {
    context_of(stream)?;
    let known = driver()?.streams.get(stream);
    Ok(known.map_or_else(T::default, |s| ask(&s)))
}

exports! {
    /// A new stream.
    fn cuStreamCreate(out: Out<'_, Handle>, flags: c_uint) {
        create(out, flags, 0)
    }

    /// A new stream, with a priority that changes nothing here.
    fn cuStreamCreateWithPriority(out: Out<'_, Handle>, flags: c_uint, priority: c_int) {
        create(out, flags, priority)
    }

    /// Ends a stream.
    fn cuStreamDestroy_v2(stream: Handle) {
        driver()?.streams.remove(stream).ok_or(Code::InvalidHandle)?;
        usable().map(|_| ())
    }

    /// Waits for a stream, whose work is done already: a fault of it appears here.
    fn cuStreamSynchronize(stream: Handle) {
        context_of(stream).map(|_| ())
    }

    /// Whether a stream's work is done: it is.
    fn cuStreamQuery(stream: Handle) {
        context_of(stream).map(|_| ())
    }

    /// Makes a stream wait for an event, which has happened already.
    fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: c_uint) {
        context_of(stream)?;
        driver()?.events.get(event).ok_or(Code::InvalidHandle).map(|_| ())
    }

    /// The context of a stream.
    fn cuStreamGetCtx(stream: Handle, out: Out<'_, Handle>) {
        give(out, context_of(stream)?.0)
    }

    /// The flags of a stream.
    fn cuStreamGetFlags(stream: Handle, out: Out<'_, c_uint>) {
        give(out, look(stream, |s| s.flags)?)
    }

    /// The priority of a stream.
    fn cuStreamGetPriority(stream: Handle, out: Out<'_, c_int>) {
        give(out, look(stream, |s| s.priority)?)
    }

    /// Calls a function of the host's, in its turn, which is now.
    fn cuLaunchHostFunc(stream: Handle, function: Option<unsafe extern "C" fn(*mut c_void)>, data: *mut c_void) {
        context_of(stream)?;
        let function = function.ok_or(Code::InvalidValue)?;
        // SAFETY: the caller's promise: the function takes this data.
        unsafe { function(data) };
        Ok(())
    }
}
