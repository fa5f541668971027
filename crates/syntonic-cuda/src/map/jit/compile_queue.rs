//! JIT kernels of one context: the program cache, the compile queue, and the thread that works on it.
//!
//! A program is compiled once, in the background: launches run bytecode until its kernel is ready, and for ever where it has
//! none.

use super::program::{Operands, Program, Spread};
use super::text::kernel;
use crate::codegen::form::Form;
use crate::guest::exchange;
use crate::jit::MOST_MADE;
use crate::modules::assembly::queues_stop;
use crate::modules::function::Function;
use crate::service::leases::Leases;
use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUstreamCaptureMode;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;
use syntonic_core::DeviceId;
use syntonic_core::fork::{Home, Locked, lock};

/// The launch of a program that queues it for the JIT: a program that runs once is not worth a kernel.
const LAUNCHES: u32 = 2;
/// The most programs in the cache; those that were never queued are evicted first.
const MOST_KNOWN: usize = 16_384;

/// The time between two looks whether the queue is empty.
const PAUSE: Duration = Duration::from_millis(1);

/// When the JIT compiles programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum JitMode {
    /// Programs that are launched again, over many elements.
    #[default]
    Auto,
    /// Every program that can have a kernel, at its first launch and without a limit: for tests.
    Always,
    /// Never; existing JIT kernels are not used either.
    Never,
}

/// The JIT's results so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JitCounts {
    /// Programs with a JIT kernel.
    pub there: usize,
    /// Programs that stay bytecode.
    pub refused: usize,
    /// Launches of JIT kernels.
    pub launches: u64,
}

#[derive(Debug)]
enum Progress {
    Seen(u32),
    UnderWay,
    There(Ready),
    Refused,
}

/// A kernel and how it is launched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ready {
    pub(super) function: Function,
    pub(super) spread: Spread,
}

#[derive(Debug)]
struct Known {
    program: Arc<Program>,
    progress: Progress,
}

#[derive(Debug, Default)]
struct State {
    known: HashMap<u64, Known>,
    made: usize,
    waiting: VecDeque<Arc<Program>>,
    working: bool,
    /// The thread that works on the queue, and rests while it is empty.
    worker: Option<Thread>,
    launches: u64,
}

#[derive(Debug)]
struct Shared {
    device: DeviceId,
    capability: (u32, u32),
    driver: Arc<CudaContext>,
    leases: Arc<Leases>,
    state: Mutex<State>,
    home: Home,
    /// A [`JitMode`], read by every launch.
    mode: AtomicU8,
}

/// The JIT kernels of one context.
#[derive(Debug)]
pub(crate) struct CompileQueue(Arc<Shared>);

impl CompileQueue {
    pub(crate) fn new(
        device: DeviceId,
        capability: (u32, u32),
        driver: Arc<CudaContext>,
        leases: Arc<Leases>,
    ) -> CompileQueue {
        CompileQueue(Arc::new(Shared {
            device,
            capability,
            driver,
            leases,
            state: Mutex::default(),
            home: Home::here(),
            mode: AtomicU8::new(JitMode::Auto as u8),
        }))
    }

    pub(crate) fn mode(&self) -> JitMode {
        let all = [JitMode::Auto, JitMode::Always, JitMode::Never];
        all[usize::from(self.0.mode.load(Ordering::Relaxed)) % all.len()]
    }

    pub(crate) fn set_jit_mode(&self, mode: JitMode) {
        self.0.mode.store(mode as u8, Ordering::Relaxed);
    }

    /// Programs that were queued so far.
    pub(crate) fn queued(&self) -> usize {
        self.0.state().made
    }

    /// Waits for the JIT, until its compile queue is empty.
    pub(crate) fn wait_for_jit(&self) -> JitCounts {
        let state = loop {
            let state = self.0.state();
            // The thread that works on it is no more in a child.
            if !state.working || self.0.home.is_elsewhere() {
                break state;
            }
            drop(state);
            thread::sleep(PAUSE);
        };
        let count = |wanted: fn(&Progress) -> bool| {
            state.known.values().filter(|k| wanted(&k.progress)).count()
        };
        JitCounts {
            there: count(|p| matches!(p, Progress::There(_))),
            refused: count(|p| matches!(p, Progress::Refused)),
            launches: state.launches,
        }
    }

    /// The kernel of a program, if it is ready; else the program may be queued.
    pub(super) fn ready(&self, form: &Form, operands: Operands<'_>) -> Option<Ready> {
        let key = operands.fingerprint(form);
        let (wanted, most) = match self.mode() {
            JitMode::Always => (1, usize::MAX),
            _ => (LAUNCHES, MOST_MADE),
        };
        let mut state = self.0.state();
        let seen = match state.known.get(&key) {
            None => 1,
            Some(known) if !known.program.is(form, operands) => {
                return None;
            }
            Some(Known {
                progress: Progress::Seen(times),
                ..
            }) => times + 1,
            Some(Known {
                progress: Progress::There(ready),
                ..
            }) => {
                let ready = *ready;
                state.launches += 1;
                return Some(ready);
            }
            Some(_) => return None,
        };
        if state.made >= most {
            return None;
        }
        let progress = match seen >= wanted {
            true => Progress::UnderWay,
            false => Progress::Seen(seen),
        };
        let known = state.enter(key, form, operands, progress);
        if seen >= wanted {
            state.made += 1;
            state.waiting.push_back(known);
            self.begin(&mut state);
        }
        None
    }

    /// Wakes the thread that works on the compile queue, or starts it.
    fn begin(&self, state: &mut State) {
        if state.working {
            return;
        }
        if let Some(worker) = &state.worker {
            state.working = true;
            worker.unpark();
            return;
        }
        let shared = self.0.clone();
        let begun = thread::Builder::new()
            .name("syntonic-jit".to_owned())
            .spawn(move || shared.work());
        match begun {
            Ok(handle) => {
                state.working = true;
                state.worker = Some(handle.thread().clone());
            }
            Err(error) => {
                tracing::warn!(%error, "no thread to make kernels: bytecode goes on");
                state.refuse_waiting();
            }
        }
    }
}

impl State {
    /// Records the progress of a program.
    fn enter(
        &mut self,
        key: u64,
        form: &Form,
        operands: Operands<'_>,
        progress: Progress,
    ) -> Arc<Program> {
        if let Some(known) = self.known.get_mut(&key) {
            known.progress = progress;
            return known.program.clone();
        }
        if self.known.len() >= MOST_KNOWN {
            self.known
                .retain(|_, known| !matches!(known.progress, Progress::Seen(_)));
        }
        let program = Arc::new(operands.program(form));
        let known = Known {
            program: program.clone(),
            progress,
        };
        self.known.insert(key, known);
        program
    }

    fn settle(&mut self, program: &Program, ready: Option<Ready>) {
        if let Some(known) = self.known.get_mut(&program.fingerprint()) {
            known.progress = ready.map_or(Progress::Refused, Progress::There);
        }
    }

    fn refuse_waiting(&mut self) {
        while let Some(program) = self.waiting.pop_front() {
            self.settle(&program, None);
        }
    }
}

impl Shared {
    fn state(&self) -> Locked<'_, State> {
        lock(&self.state)
    }

    /// Works on the compile queue for ever. A thread that ended would give back what the driver has for it, which must not meet the end of the
    /// process: the driver takes its own memory down then.
    fn work(&self) -> ! {
        let _leaving = Leaving(self);
        // Loading is no work of a stream: another library's capture, on another thread, has nothing to fear of it.
        exchange(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
        loop {
            while let Some(program) = self.next() {
                let ready = self.make(&program);
                self.state().settle(&program, ready);
            }
            thread::park();
        }
    }

    /// The next program of the queue; when it is empty, the thread rests.
    fn next(&self) -> Option<Arc<Program>> {
        let mut state = self.state();
        if queues_stop() {
            state.refuse_waiting();
        }
        let next = state.waiting.pop_front();
        state.working = next.is_some();
        next
    }

    fn make(&self, program: &Program) -> Option<Ready> {
        let name = program.name();
        let _span = tracing::debug_span!("make", name).entered();
        let text = kernel(program, self.capability)?;
        self.driver.bind_to_thread().ok()?;
        let (device, capability) = (self.device, self.capability);
        match Function::assembled(text, &name, device, capability, &self.leases) {
            Ok(function) => Some(Ready {
                function,
                spread: program.spread(),
            }),
            Err(error) => {
                tracing::warn!(%error, name, "a kernel that was made is refused: bytecode goes on");
                None
            }
        }
    }
}

/// The thread ends by a panic alone: nobody waits for what it had to do, and the next one begins anew.
struct Leaving<'a>(&'a Shared);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.working = false;
        state.worker = None;
        state.refuse_waiting();
    }
}
