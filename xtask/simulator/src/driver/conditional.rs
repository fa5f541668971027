//! Conditional nodes of graphs, which do what is in their body again and again.
//!
//! A handle is the address of a word on the card, which kernels write by `cudaGraphSetConditional`. The graph that a stream captures into has
//! no handle before its end: here it has that of the stream, and a node comes into it where the stream is told to go on behind it.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use super::code::Code;
use super::exports::{Answer, Out, exports, give};
use super::graph::{self, Graph, Step};
use super::handles::Handle;
use super::raw;
use super::state::{Device, driver};
use super::stream::context_of_any;

/// `CU_GRAPH_NODE_TYPE_CONDITIONAL`.
const CONDITIONAL: c_int = 13;
/// `CU_GRAPH_COND_TYPE_WHILE`.
const WHILE: c_int = 1;

/// `CUgraphNodeParams` of a conditional node.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Params {
    kind: c_int,
    reserved: [c_int; 3],
    condition: u64,
    what: c_int,
    bodies: c_uint,
    /// Where the driver writes where its list of bodies is.
    list: *mut Handle,
    context: Handle,
}

/// The word of a condition.
struct Condition {
    device: &'static Device,
    word: u64,
}

impl Drop for Condition {
    fn drop(&mut self) {
        let _ = self.device.free(self.word);
    }
}

/// Conditions that no node has yet, by their handles.
static CONDITIONS: Mutex<BTreeMap<u64, Arc<Condition>>> = Mutex::new(BTreeMap::new());

/// Nodes that no stream goes on behind yet.
static NODES: Mutex<BTreeMap<Handle, Step>> = Mutex::new(BTreeMap::new());

exports! {
    /// What a stream captures into. Nodes have no handles here.
    fn cuStreamGetCaptureInfo_v3(
        stream: Handle, status: Out<'_, c_uint>, id: *mut u64, out: *mut Handle, nodes: *mut c_void, edges: *mut c_void,
        count: *mut usize,
    ) {
        let runs = graph::known(stream)?.tape.runs();
        give(status, c_uint::from(runs))?;
        // SAFETY: the caller's promise.
        unsafe {
            raw::put(id.cast(), stream as u64)?;
            raw::put(out.cast(), stream)?;
            raw::put(nodes, 0usize)?;
            raw::put(edges, 0usize)?;
            raw::put(count.cast(), 0usize)
        }
    }

    /// A word that kernels will write.
    fn cuGraphConditionalHandleCreate(
        out: Out<'_, u64>, stream: Handle, _context: Handle, at_first: c_uint, flags: c_uint,
    ) {
        graph::known(stream)?;
        let device = context_of_any(stream)?.1.device()?;
        if flags > 1 {
            return Err(Code::InvalidValue);
        }
        let word = device.allocate(size_of::<c_uint>())?;
        device.memory.write(word, &at_first.to_ne_bytes());
        let mut all = CONDITIONS.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(word, Arc::new(Condition { device, word }));
        give(out, word)
    }

    /// A conditional node, with an empty body. Other nodes are captured, and never added.
    fn cuGraphAddNode_v2(
        out: Out<'_, Handle>, stream: Handle, _behind: *const Handle, _edges: *const c_void, _count: usize, about: Option<&mut Params>,
    ) {
        graph::known(stream)?;
        let about = about.ok_or(Code::InvalidValue)?;
        if (about.kind, about.what, about.bodies) != (CONDITIONAL, WHILE, 1) {
            return Err(Code::NotSupported);
        }
        let mut all = CONDITIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let condition = all.remove(&about.condition).ok_or(Code::InvalidValue)?;
        let handle = driver()?.graphs.insert(Graph::empty());
        let body = graph::graph(handle)?;
        about.list = Box::leak(Box::new(handle));
        let step = move |stream| -> Answer {
            // SAFETY: the word is the condition's, which lives with this step.
            while unsafe { (condition.word as *const c_uint).read_volatile() } != 0 {
                body.run(stream)?;
            }
            Ok(())
        };
        let mut nodes = NODES.lock().unwrap_or_else(PoisonError::into_inner);
        nodes.insert(handle, Box::new(step));
        give(out, handle)
    }

    /// Nothing follows anything but in the order of a stream.
    fn cuGraphAddDependencies_v2(
        _graph: Handle, _from: *const Handle, _to: *const Handle, _edges: *const c_void, _count: usize,
    ) {
        Err(Code::NotSupported)
    }

    /// The stream goes on behind a node.
    fn cuStreamUpdateCaptureDependencies_v2(
        stream: Handle, nodes: Option<&Handle>, _edges: *const c_void, count: usize, flags: c_uint,
    ) {
        let (Some(node), 1, 1) = (nodes, count, flags) else {
            return Err(Code::NotSupported);
        };
        let mut all = NODES.lock().unwrap_or_else(PoisonError::into_inner);
        let step = all.remove(node).ok_or(Code::InvalidValue)?;
        match graph::known(stream)?.tape.keep(step) {
            Some(_) => Err(Code::InvalidValue),
            None => Ok(()),
        }
    }

    /// Keeps what a stream is asked from now on for a graph that is there.
    fn cuStreamBeginCaptureToGraph(
        stream: Handle, to: Handle, _behind: *const Handle, _edges: *const c_void, _count: usize, mode: c_uint,
    ) {
        context_of_any(stream)?;
        graph::graph(to)?;
        if mode > 2 {
            return Err(Code::InvalidValue);
        }
        graph::known(stream)?.tape.begin(Some(to))
    }
}
