//! A thread in the kernel's place: it reads the same board, in plain memory, and answers as the kernel would. It has no clock but the
//! host's, and its faults are those that a test asks for.

use super::board::{
    self, ABORT, ANSWERED, Board, GRAIN, HEART, LEAVE, POSTED, REASON, STATE, STATUS, TEXT,
};
use super::lease::{Begin, Engine};
use super::settings::Settings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;
use syntonic_core::{Error, Result};

/// What the thread does that a kernel should not.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// It never takes a command, but for the wish to end.
    pub(super) deaf: AtomicBool,
    /// It does not even end; a test lets it go at last.
    pub(super) stuck: AtomicBool,
    /// Launches are refused.
    pub(super) refused: AtomicBool,
    /// Commands go on until the host stops them.
    pub(super) endless: AtomicBool,
}

/// What a test sees of the thread.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) leases: AtomicU64,
    pub(super) commands: AtomicU64,
    pub(super) faults: Faults,
}

/// Leases as threads.
#[derive(Debug)]
pub(super) struct Simulated {
    settings: Settings,
    pub(super) seen: Arc<Seen>,
    running: Option<JoinHandle<()>>,
}

impl Simulated {
    pub(super) fn new(settings: Settings, seen: &Arc<Seen>) -> Simulated {
        Simulated {
            settings,
            seen: seen.clone(),
            running: None,
        }
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        self.seen.faults.stuck.store(false, Ordering::SeqCst);
        if let Some(thread) = self.running.take() {
            drop(thread.join());
        }
    }
}

impl Engine for Simulated {
    fn begin(&mut self, board: &Board, begin: Begin) -> Result<()> {
        if self.seen.faults.refused.load(Ordering::SeqCst) {
            return Err(Error::value("launch", "refused by the test"));
        }
        if let Some(thread) = self.running.take() {
            // A stream: one after the other.
            drop(thread.join());
        }
        let (board, settings, seen) = (*board, self.settings, self.seen.clone());
        self.running = Some(std::thread::spawn(move || {
            lease(board, begin, settings, &seen)
        }));
        Ok(())
    }

    fn is_over(&self) -> Result<bool> {
        Ok(self.running.as_ref().is_none_or(JoinHandle::is_finished))
    }
}

/// `Poller` of service.cuh, in the same order of looks.
fn lease(board: Board, begin: Begin, settings: Settings, seen: &Seen) {
    seen.leases.fetch_add(1, Ordering::SeqCst);
    let load = |at: usize| board.word(at).load(Ordering::Acquire);
    let store = |at: usize, value: u64| board.word(at).store(value, Ordering::Release);
    store(HEART, 0);
    store(STATE, begin.number << 2 | board::RUNNING);
    let born = Instant::now();
    let (mut done, mut last, mut commands) = (begin.done, born, 0);
    let reason = loop {
        if seen.faults.stuck.load(Ordering::SeqCst) {
            std::thread::yield_now();
            continue;
        }
        let (number, text) = (load(POSTED), load(TEXT));
        if load(ABORT) == begin.number {
            break 5;
        }
        if load(LEAVE) == begin.number {
            break 4;
        }
        if born.elapsed() >= settings.lifetime {
            break 2;
        }
        if commands >= settings.most_commands {
            break 3;
        }
        let deaf = seen.faults.deaf.load(Ordering::SeqCst);
        if !deaf && number != done && text >> 48 == number & 0xffff {
            (done, commands) = (number, commands + 1);
            seen.commands.fetch_add(1, Ordering::SeqCst);
            let mut status = carry_out(&board, text, settings.most_doubles);
            while seen.faults.endless.load(Ordering::SeqCst) && status == 0 {
                if load(ABORT) == begin.number {
                    status = 5;
                }
                std::thread::yield_now();
            }
            store(STATUS, status);
            store(ANSWERED, number);
            last = Instant::now();
            continue;
        }
        if last.elapsed() >= settings.idle {
            break 1;
        }
        store(HEART, born.elapsed().as_millis() as u64);
        std::thread::yield_now();
    };
    store(REASON, reason);
    store(STATE, begin.number << 2 | board::ENDED);
}

/// Echo and sum, with the checks of the kernel; the status.
fn carry_out(board: &Board, text: u64, most: usize) -> u64 {
    let length = (text & 0xf_ffff) as usize;
    let offset = (text >> 20 & 0xf_ffff) as usize * GRAIN;
    if length > most || offset + length > board::capacity(most) {
        return 2;
    }
    let [_, arguments, answers] = board.addresses();
    let from = (arguments as usize + 8 * offset) as *const f64;
    let to = (answers as usize + 8 * offset) as *mut f64;
    // SAFETY: the range lies in the slots, as was looked at, and the host waits for the answer.
    unsafe {
        match text >> 40 & 0xff {
            1 => std::ptr::copy_nonoverlapping(from, to, length),
            2 => *to = (0..length).map(|k| *from.add(k)).sum(),
            _ => return 1,
        }
    }
    0
}
