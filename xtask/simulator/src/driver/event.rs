//! Events: the time at which a stream came by.

use std::ffi::c_uint;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::code::Code;
use super::context::usable;
use super::exports::{Answer, Out, exports, give};
use super::handles::Handle;
use super::state::driver;
use super::stream::context_of;

/// An event.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) context: Handle,
    timed: bool,
    recorded: Mutex<Option<Instant>>,
}

/// `CU_EVENT_DISABLE_TIMING`.
const NO_TIMING: c_uint = 2;

fn known(event: Handle) -> Answer<Arc<Event>> {
    driver()?.events.get(event).ok_or(Code::InvalidHandle)
}

fn record(event: Handle, stream: Handle) -> Answer {
    let (context, _) = context_of(stream)?;
    let event = known(event)?;
    if event.context != context {
        return Err(Code::InvalidHandle);
    }
    let mut place = event
        .recorded
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    *place = Some(Instant::now());
    Ok(())
}

/// When an event was recorded; one that measures no time, or was not recorded, has no answer.
fn time(event: Handle) -> Answer<Instant> {
    let event = known(event)?;
    let recorded = *event
        .recorded
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    recorded.filter(|_| event.timed).ok_or(Code::InvalidHandle)
}

fn elapsed(out: Out<'_, f32>, start: Handle, end: Handle) -> Answer {
    usable()?;
    let (start, end) = (time(start)?, time(end)?);
    let milliseconds = match end.checked_duration_since(start) {
        Some(after) => after.as_secs_f64() * 1e3,
        None => start.duration_since(end).as_secs_f64() * -1e3,
    };
    give(out, milliseconds as f32)
}

exports! {
    /// A new event.
    fn cuEventCreate(out: Out<'_, Handle>, flags: c_uint) {
        let (context, _) = usable()?;
        if flags > 7 {
            return Err(Code::InvalidValue);
        }
        let event = Event {
            context,
            timed: flags & NO_TIMING == 0,
            recorded: Mutex::default(),
        };
        give(out, driver()?.events.insert(event))
    }

    /// Ends an event.
    fn cuEventDestroy_v2(event: Handle) {
        driver()?.events.remove(event).ok_or(Code::InvalidHandle)?;
        usable().map(|_| ())
    }

    /// Marks the end of what a stream was asked so far, which is done.
    fn cuEventRecord(event: Handle, stream: Handle) {
        record(event, stream)
    }

    /// As `cuEventRecord`; flags are about graphs.
    fn cuEventRecordWithFlags(event: Handle, stream: Handle, _flags: c_uint) {
        record(event, stream)
    }

    /// Whether an event has happened: it has.
    fn cuEventQuery(event: Handle) {
        usable()?;
        known(event).map(|_| ())
    }

    /// Waits for an event, which has happened.
    fn cuEventSynchronize(event: Handle) {
        usable()?;
        known(event).map(|_| ())
    }

    /// Milliseconds between two events.
    fn cuEventElapsedTime(out: Out<'_, f32>, start: Handle, end: Handle) {
        elapsed(out, start, end)
    }

    /// As `cuEventElapsedTime`.
    fn cuEventElapsedTime_v2(out: Out<'_, f32>, start: Handle, end: Handle) {
        elapsed(out, start, end)
    }
}
