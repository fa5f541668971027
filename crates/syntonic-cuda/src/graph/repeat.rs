//! Loops of a capture: conditional nodes, whose body is captured from a stream of its own.
//!
//! A turn ends with a kernel that tells the node whether another one follows. It calls a function that only the driver has, which finds
//! the name when it loads the text.

use super::capture::Taking;
use crate::context::gpu::{Cuda, open};
use crate::driver::fault::Checked;
use crate::driver::reason::CudaVersion;
use crate::foreign::{Argument, Code, Spread};
use cudarc::driver::CudaStream;
use cudarc::driver::sys::{self, CUgraph, CUgraphNode, CUstream};
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;
use syntonic_core::device::{Again, CapturedLoop};
use syntonic_core::graph::refuse;
use syntonic_core::{DeviceId, Error, Result};

/// The first driver that captures the body of a conditional node from a stream.
const FIRST: CudaVersion = CudaVersion::from_driver(12_040);

/// `go_on`: another turn follows where a byte is not 0. `count`: adds `step` to a number, and another turn follows where it is below `end` then.
static AGAIN: Code = Code::new(
    "
.version 7.8
.target sm_80
.address_size 64
.extern .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value);
.visible .entry go_on(.param .u64 handle, .param .u64 at)
{
    .reg .b64 %to, %from;
    .reg .b32 %value;
    .reg .pred %more;
    ld.param.u64 %to, [handle];
    ld.param.u64 %from, [at];
    cvta.to.global.u64 %from, %from;
    ld.global.u8 %value, [%from];
    setp.ne.u32 %more, %value, 0;
    selp.u32 %value, 1, 0, %more;
    {
        .param .b64 first;
        .param .b32 second;
        st.param.b64 [first], %to;
        st.param.b32 [second], %value;
        call.uni cudaGraphSetConditional, (first, second);
    }
    ret;
}
.visible .entry count(.param .u64 handle, .param .u64 at, .param .u64 step, .param .u64 end)
{
    .reg .b64 %to, %from, %number, %step, %end;
    .reg .b32 %value;
    .reg .pred %more;
    ld.param.u64 %to, [handle];
    ld.param.u64 %from, [at];
    ld.param.u64 %step, [step];
    ld.param.u64 %end, [end];
    cvta.to.global.u64 %from, %from;
    ld.global.u64 %number, [%from];
    add.s64 %number, %number, %step;
    st.global.u64 [%from], %number;
    setp.lt.s64 %more, %number, %end;
    selp.u32 %value, 1, 0, %more;
    {
        .param .b64 first;
        .param .b32 second;
        st.param.b64 [first], %to;
        st.param.b32 [second], %value;
        call.uni cudaGraphSetConditional, (first, second);
    }
    ret;
}
",
);

/// A loop whose turn is captured.
#[derive(Debug)]
struct Turn {
    gpu: Arc<Cuda>,
    taking: Arc<Taking>,
    again: Again,
    handle: u64,
    /// The graph that the loop is in, and its node there.
    graph: CUgraph,
    node: CUgraphNode,
    /// What the node follows.
    behind: Vec<CUgraphNode>,
    /// The stream of the turn, until it has ended.
    stream: Option<Arc<CudaStream>>,
    /// It is this thread's.
    here: PhantomData<*const ()>,
}

/// Begins one in the capture of this thread.
///
/// # Safety
/// As of `Device::begin_loop`.
pub(crate) unsafe fn begin_loop(device: DeviceId, again: Again) -> Result<Box<dyn CapturedLoop>> {
    let (DeviceId::Cuda(ordinal), Some(taking)) = (device, Taking::here(device)) else {
        return Err(refuse("loop"));
    };
    let gpu = open(ordinal)?;
    let context = gpu.context();
    let driver = context.limits().driver;
    if driver < FIRST {
        return Err(Error::Capture {
            op: "loop".to_owned(),
            what: format!(
                "the driver of {device} is that of CUDA {driver}, and graphs have loops from {FIRST} on; hint: a loop of the host over a \
                 captured turn runs with any driver"
            ),
        });
    }
    context.bind()?;
    let stream = context.driver().new_stream().during("capture", device)?;
    let (graph, behind) = behind(&gpu, taking.stream())?;
    let mut turn = Turn {
        gpu: gpu.clone(),
        taking: taking.clone(),
        again,
        handle: 0,
        graph,
        node: ptr::null_mut(),
        behind,
        stream: None,
        here: PhantomData,
    };
    // SAFETY: the context is current and the graph is alive: it is being captured.
    let code = unsafe {
        let driver = context.driver().cu_ctx();
        sys::cuGraphConditionalHandleCreate(&mut turn.handle, graph, driver, 0, 0)
    };
    context.check("capture", code)?;
    // Also a loop in the turn of another one begins anew each time.
    turn.tell(0)?;
    turn.behind = self::behind(&gpu, taking.stream())?.1;
    let body = turn.add_node()?;
    let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    // SAFETY: the context is current, the stream is this turn's own, and the body is an empty graph that lives with its node.
    let code = unsafe {
        sys::cuStreamBeginCaptureToGraph(
            stream.cu_stream(),
            body,
            ptr::null(),
            ptr::null(),
            0,
            mode,
        )
    };
    context.check("capture", code)?;
    taking.push(&stream);
    turn.stream = Some(stream);
    Ok(Box::new(turn))
}

/// The graph that a stream is captured into, and what its next node would follow.
fn behind(gpu: &Cuda, stream: CUstream) -> Result<(CUgraph, Vec<CUgraphNode>)> {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    let (mut id, mut graph, mut count) = (0, ptr::null_mut(), 0);
    let (mut nodes, mut edges) = (ptr::null(), ptr::null());
    // SAFETY: the stream is alive, and the driver writes one of each.
    let code = unsafe {
        sys::cuStreamGetCaptureInfo_v3(
            stream,
            &mut status,
            &mut id,
            &mut graph,
            &mut nodes,
            &mut edges,
            &mut count,
        )
    };
    gpu.context().check("capture", code)?;
    let nodes = match nodes.is_null() {
        true => &[][..],
        // SAFETY: the driver's list has so many nodes, and stays until the next call with the stream.
        false => unsafe { std::slice::from_raw_parts(nodes, count) },
    };
    Ok((graph, nodes.to_vec()))
}

impl Turn {
    /// A conditional node that follows what is there; gives its body.
    fn add_node(&mut self) -> Result<CUgraph> {
        let context = self.gpu.context();
        // SAFETY: zeros are a value of it.
        let mut about: sys::CUgraphNodeParams = unsafe { std::mem::zeroed() };
        about.type_ = sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL;
        about.__bindgen_anon_1.conditional = sys::CUDA_CONDITIONAL_NODE_PARAMS {
            handle: self.handle,
            type_: sys::CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE,
            size: 1,
            phGraph_out: ptr::null_mut(),
            ctx: context.driver().cu_ctx(),
        };
        // SAFETY: the context is current, the graph is being captured, the nodes are in it, and what is said of the new one is complete.
        let code = unsafe {
            sys::cuGraphAddNode_v2(
                &mut self.node,
                self.graph,
                self.behind.as_ptr(),
                ptr::null(),
                self.behind.len(),
                &mut about,
            )
        };
        context.check("capture", code)?;
        // SAFETY: the driver has written where its list of one body is, which lives with the node.
        Ok(unsafe { *about.__bindgen_anon_1.conditional.phGraph_out })
    }

    /// Has a kernel say whether another turn follows, after this step of a number.
    fn tell(&self, step: i64) -> Result<()> {
        let module = AGAIN.on(&self.gpu)?;
        let spread = Spread {
            grid: [1; 3],
            block: [1; 3],
            shared: 0,
        };
        let handle = Argument::I64(self.handle as i64);
        // SAFETY: the kernels take these arguments, and who began the loop promised that the memory lives.
        unsafe {
            match self.again {
                Again::While(at) => {
                    module.launch("go_on", spread, &[handle, Argument::I64(at.addr() as i64)])
                }
                Again::Below(at, end) => {
                    let [at, step, end] = [at.addr() as i64, step, end].map(Argument::I64);
                    module.launch("count", spread, &[handle, at, step, end])
                }
            }
        }
    }

    /// Ends the capture of the turn.
    fn end(&mut self) -> Result<()> {
        let Some(stream) = self.stream.take() else {
            return Ok(());
        };
        self.taking.pop();
        let context = self.gpu.context();
        let mut body = ptr::null_mut();
        context.bind()?;
        // SAFETY: the stream is alive and captured, and the driver writes one handle, that of the node's body.
        let code = unsafe { sys::cuStreamEndCapture(stream.cu_stream(), &mut body) };
        context.check("capture", code)
    }
}

impl CapturedLoop for Turn {
    fn finish(mut self: Box<Self>) -> Result<()> {
        self.tell(1)?;
        self.end()?;
        let context = self.gpu.context();
        let around = self.taking.innermost();
        // What was asked of the stream around the loop meanwhile comes before the loop.
        let (_, now) = behind(&self.gpu, around)?;
        for node in now.into_iter().filter(|node| !self.behind.contains(node)) {
            // SAFETY: the graph is being captured, and both nodes are in it.
            let code = unsafe {
                sys::cuGraphAddDependencies_v2(self.graph, &node, &self.node, ptr::null(), 1)
            };
            context.check("capture", code)?;
        }
        let in_place_of_all = 1;
        // SAFETY: the stream is captured into the graph that the node is in.
        let code = unsafe {
            sys::cuStreamUpdateCaptureDependencies_v2(
                around,
                &mut self.node,
                ptr::null(),
                1,
                in_place_of_all,
            )
        };
        context.check("capture", code)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::debug!(%error, "a loop of a capture that is given up");
        }
    }
}
