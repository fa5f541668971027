//! Graphs: what a stream is asked while it captures is kept, and done where the graph is launched.

use std::cell::Cell;
use std::ffi::{c_uint, c_void};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::code::Code;
use super::exports::{Answer, Out, exports, give};
use super::handles::Handle;
use super::raw;
use super::state::driver;
use super::stream::{Stream, context_of, context_of_any};

/// An update of a graph is refused since its steps are not as many.
const TOPOLOGY: c_uint = 2;

/// One thing that a stream was asked, to be done on the stream of a launch.
pub(super) type Step = Box<dyn Fn(Handle) -> Answer + Send + Sync>;

/// What is kept by a stream that captures.
#[derive(Default)]
pub(super) struct Tape(Mutex<Option<Taken>>);

/// Steps, and the graph that they go to, if that is there already.
#[derive(Default)]
struct Taken {
    steps: Vec<Step>,
    to: Option<Handle>,
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.runs() { "capturing" } else { "idle" })
    }
}

impl Tape {
    /// True while the stream captures.
    pub(super) fn runs(&self) -> bool {
        let tape = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tape.is_some()
    }

    fn set(&self, taken: Option<Taken>) -> Option<Taken> {
        let mut tape = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *tape, taken)
    }

    /// Begins to keep what goes to a graph, or to a new one.
    pub(super) fn begin(&self, to: Option<Handle>) -> Answer {
        if self.runs() {
            return Err(Code::InvalidValue);
        }
        self.set(Some(Taken {
            steps: Vec::new(),
            to,
        }));
        Ok(())
    }

    /// Keeps a step, if anything is kept.
    pub(super) fn keep(&self, step: Step) -> Option<Step> {
        let mut tape = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *tape {
            Some(taken) => {
                taken.steps.push(step);
                None
            }
            None => Some(step),
        }
    }
}

/// A graph, and one that is ready to be launched: the same here, but that the latter can be given other steps.
pub(super) struct Graph(Mutex<Arc<Vec<Step>>>);

impl Graph {
    fn of(steps: Arc<Vec<Step>>) -> Graph {
        Graph(Mutex::new(steps))
    }

    /// One that is filled later.
    pub(super) fn empty() -> Graph {
        Graph::of(Arc::default())
    }

    /// Does everything in it.
    pub(super) fn run(&self, stream: Handle) -> Answer {
        self.steps().iter().try_for_each(|step| step(stream))
    }

    fn steps(&self) -> Arc<Vec<Step>> {
        let steps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        steps.clone()
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({} steps)", self.steps().len())
    }
}

/// Does something on a stream, or keeps it there where the stream captures.
pub(super) fn on(
    stream: Handle,
    step: impl Fn(Handle) -> Answer + Send + Sync + 'static,
) -> Answer {
    context_of_any(stream)?;
    match driver()?.streams.get(stream) {
        Some(known) => match known.tape.keep(Box::new(step)) {
            Some(step) => step(stream),
            None => Ok(()),
        },
        None => step(stream),
    }
}

pub(super) fn known(stream: Handle) -> Answer<Arc<Stream>> {
    context_of_any(stream)?;
    driver()?
        .streams
        .get(stream)
        .ok_or(Code::CaptureUnsupported)
}

pub(super) fn graph(handle: Handle) -> Answer<Arc<Graph>> {
    driver()?.graphs.get(handle).ok_or(Code::InvalidValue)
}

thread_local! {
    /// The capture mode of this thread: global at first.
    static MODE: Cell<c_uint> = const { Cell::new(0) };
}

exports! {
    /// Whether a stream captures.
    fn cuStreamIsCapturing(stream: Handle, out: Out<'_, c_uint>) {
        context_of_any(stream)?;
        let known = driver()?.streams.get(stream);
        give(out, known.map_or(0, |s| c_uint::from(s.tape.runs())))
    }

    /// How the thread's calls stand to captures: kept, and without an effect here, where captures are of one stream alone.
    fn cuThreadExchangeStreamCaptureMode(mode: Option<&mut c_uint>) {
        let mode = mode.ok_or(Code::InvalidValue)?;
        if *mode > 2 {
            return Err(Code::InvalidValue);
        }
        *mode = MODE.replace(*mode);
        Ok(())
    }

    /// Keeps what a stream is asked from now on.
    fn cuStreamBeginCapture_v2(stream: Handle, mode: c_uint) {
        let known = known(stream)?;
        if mode > 2 {
            return Err(Code::InvalidValue);
        }
        known.tape.begin(None)
    }

    /// A graph of what was kept.
    fn cuStreamEndCapture(stream: Handle, out: Out<'_, Handle>) {
        let taken = known(stream)?.tape.set(None).ok_or(Code::InvalidValue)?;
        let steps = Arc::new(taken.steps);
        let Some(to) = taken.to else {
            return give(out, driver()?.graphs.insert(Graph::of(steps)));
        };
        let graph = graph(to)?;
        *graph.0.lock().unwrap_or_else(PoisonError::into_inner) = steps;
        give(out, to)
    }

    /// The steps of a graph, which have no handles here: only how many they are.
    fn cuGraphGetNodes(handle: Handle, nodes: *mut c_void, count: Out<'_, usize>) {
        if !nodes.is_null() {
            return Err(Code::NotSupported);
        }
        give(count, graph(handle)?.steps().len())
    }

    /// A graph that can be launched.
    fn cuGraphInstantiateWithFlags(out: Out<'_, Handle>, handle: Handle, _flags: u64) {
        let ready = Graph::of(graph(handle)?.steps());
        give(out, driver()?.ready.insert(ready))
    }

    /// Gives a graph that can be launched the steps of another one, if they are as many.
    fn cuGraphExecUpdate_v2(handle: Handle, from: Handle, about: *mut c_void) {
        let ready = driver()?.ready.get(handle).ok_or(Code::InvalidValue)?;
        let steps = graph(from)?.steps();
        let mut place = ready.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = place.len() == steps.len();
        // SAFETY: the caller's promise: there is room for a result and two nodes, of which there are none here.
        unsafe {
            raw::put(about, if fits { 0 as c_uint } else { TOPOLOGY })?;
            raw::put(about.byte_add(8), [0u64; 2])?;
        }
        if !fits {
            return Err(Code::GraphExecUpdateFailure);
        }
        *place = steps;
        Ok(())
    }

    /// Does what was kept, on this stream.
    fn cuGraphLaunch(handle: Handle, stream: Handle) {
        context_of(stream)?;
        let ready = driver()?.ready.get(handle).ok_or(Code::InvalidValue)?;
        ready.run(stream)
    }

    /// Ends a graph; those made of it stay.
    fn cuGraphDestroy(handle: Handle) {
        driver()?.graphs.remove(handle).map(|_| ()).ok_or(Code::InvalidValue)
    }

    /// Ends a graph that could be launched.
    fn cuGraphExecDestroy(handle: Handle) {
        driver()?.ready.remove(handle).map(|_| ()).ok_or(Code::InvalidValue)
    }
}
