//! A program's life with the driver, from its first call to a fault.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::ptr::{from_mut, null};

use super::code::{Code, Status};
use super::context::*;
use super::copy::*;
use super::device::*;
use super::event::*;
use super::function::*;
use super::graph::*;
use super::handles::Handle;
use super::launch::*;
use super::memory::*;
use super::module::*;
use super::pointer::*;
use super::stream::*;
use super::symbols::{cuGetErrorName, find};

/// `y[i] = 2 x[i]` for i < n.
const TWICE: &CStr = c"
.version 8.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 px, .param .u64 py, .param .u32 pn)
{
    .reg .pred %out;
    .reg .b32 %n, %i, %b, %t, %w;
    .reg .f32 %x;
    .reg .b64 %p, %q, %o;
    ld.param.u32 %n, [pn];
    mov.u32 %b, %ctaid.x;
    mov.u32 %w, %ntid.x;
    mov.u32 %t, %tid.x;
    mad.lo.u32 %i, %b, %w, %t;
    setp.ge.u32 %out, %i, %n;
    @%out ret;
    mul.wide.u32 %o, %i, 4;
    ld.param.u64 %p, [px];
    ld.param.u64 %q, [py];
    add.u64 %p, %p, %o;
    add.u64 %q, %q, %o;
    ld.global.f32 %x, [%p];
    add.rn.f32 %x, %x, %x;
    st.global.f32 [%q], %x;
    ret;
}
";

/// What a function writes, if it says that all is well.
fn ask<T>(call: impl FnOnce(Option<&mut MaybeUninit<T>>) -> Status) -> Result<T, Status> {
    let mut value = MaybeUninit::uninit();
    match call(Some(&mut value)) {
        // SAFETY: a function that says so wrote its result.
        0 => Ok(unsafe { value.assume_init() }),
        status => Err(status),
    }
}

fn code(code: Code) -> Status {
    code as Status
}

/// A context and a stream of it on the first card.
fn begin() -> (Handle, Handle) {
    // SAFETY: flags are zero, and results have room.
    unsafe {
        assert_eq!(cuInit(0), 0);
        // A context of the test's own, since tests share the process and one of them faults.
        let context = ask(|out| cuCtxCreate_v4(out, std::ptr::null_mut(), 0, 0)).unwrap();
        let stream = ask(|out| cuStreamCreate(out, 1)).unwrap();
        (context, stream)
    }
}

fn twice() -> Handle {
    // SAFETY: both texts end with a zero byte.
    unsafe {
        let module = ask(|out| cuModuleLoadData(out, TWICE.as_ptr().cast())).unwrap();
        ask(|out| cuModuleGetFunction(out, module, c"twice".as_ptr())).unwrap()
    }
}

fn launch(function: Handle, stream: Handle, x: u64, y: u64, n: u32, threads: u32) -> Status {
    let (mut x, mut y, mut n) = (x, y, n);
    let blocks = n.div_ceil(threads.max(1));
    let places: [*const c_void; 3] = [
        from_mut(&mut x).cast(),
        from_mut(&mut y).cast(),
        from_mut(&mut n).cast(),
    ];
    // SAFETY: the kernel has these three parameters.
    unsafe {
        cuLaunchKernel(
            function,
            blocks,
            1,
            1,
            threads,
            1,
            1,
            0,
            stream,
            places.as_ptr(),
            null(),
        )
    }
}

#[test]
fn what_is_captured_runs_at_each_launch() {
    let (_, stream) = begin();
    let function = twice();
    let mut number = 0f32;
    let read = |to: &mut f32, from: u64| {
        // SAFETY: both sides have four bytes.
        unsafe { cuMemcpyDtoHAsync_v2(from_mut(to).cast(), from, 4, stream) }
    };
    // SAFETY: results have room, and copies as many bytes as they say.
    unsafe {
        let x = ask(|out| cuMemAlloc_v2(out, 4)).unwrap();
        assert_eq!(cuStreamBeginCapture_v2(stream, 2), 0);
        assert_eq!(cuStreamBeginCapture_v2(stream, 2), code(Code::InvalidValue));
        assert_eq!(ask(|out| cuStreamIsCapturing(stream, out)), Ok(1));
        assert_eq!(launch(function, stream, x, x, 1, 32), 0);
        assert_eq!(launch(function, stream, x, x, 1, 32), 0);
        let refused = code(Code::CaptureUnsupported);
        assert_eq!(cuStreamSynchronize(stream), refused);
        assert_eq!(cuCtxSynchronize(), refused);
        assert_eq!(read(&mut number, x), refused);
        let graph = ask(|out| cuStreamEndCapture(stream, out)).unwrap();
        assert_eq!(
            ask(|out| cuGraphGetNodes(graph, std::ptr::null_mut(), out)),
            Ok(2)
        );
        let ready = ask(|out| cuGraphInstantiateWithFlags(out, graph, 0)).unwrap();
        assert_eq!(cuGraphDestroy(graph), 0);
        assert_eq!(cuMemsetD32Async(x, 3f32.to_bits(), 1, stream), 0);
        for wanted in [12.0, 48.0] {
            assert_eq!(cuGraphLaunch(ready, stream), 0);
            assert_eq!(read(&mut number, x), 0);
            assert_eq!(number, wanted);
        }
        // Another graph takes its place if it has as many steps.
        let mut about = [u64::MAX; 3];
        let y = ask(|out| cuMemAlloc_v2(out, 4)).unwrap();
        for (launches, wanted) in [(1, code(Code::GraphExecUpdateFailure)), (2, 0)] {
            assert_eq!(cuStreamBeginCapture_v2(stream, 2), 0);
            for _ in 0..launches {
                assert_eq!(launch(function, stream, x, y, 1, 32), 0);
            }
            let other = ask(|out| cuStreamEndCapture(stream, out)).unwrap();
            let about = about.as_mut_ptr();
            assert_eq!(cuGraphExecUpdate_v2(ready, other, about.cast()), wanted);
            assert_eq!(cuGraphDestroy(other), 0);
            assert_eq!(cuGraphLaunch(ready, stream), 0);
        }
        assert_eq!((about[0] as u32, about[1], about[2]), (0, 0, 0));
        // The launch of the refused turn changed `x`, the other one did not.
        assert_eq!((read(&mut number, x), number), (0, 192.0));
        assert_eq!((read(&mut number, y), number), (0, 384.0));
        assert_eq!(cuGraphExecDestroy(ready), 0);
        assert_eq!(cuGraphLaunch(ready, stream), code(Code::InvalidValue));
    }
}

#[test]
fn a_kernel_runs_between_copies() {
    let (_, stream) = begin();
    let function = twice();
    let numbers: Vec<f32> = (0..1000u16).map(f32::from).collect();
    let mut doubled = vec![0f32; 1000];
    // SAFETY: both sides of each copy have 4000 bytes.
    unsafe {
        let x = ask(|out| cuMemAllocAsync(out, 4000, stream)).unwrap();
        let y = ask(|out| cuMemAlloc_v2(out, 4000)).unwrap();
        assert_eq!(
            cuMemcpyHtoDAsync_v2(x, numbers.as_ptr().cast(), 4000, stream),
            0
        );
        assert_eq!(launch(function, stream, x, y, 1000, 128), 0);
        assert_eq!(cuStreamSynchronize(stream), 0);
        assert_eq!(cuMemcpyDtoH_v2(doubled.as_mut_ptr().cast(), y, 4000), 0);
        assert!(doubled.iter().zip(&numbers).all(|(y, x)| *y == 2.0 * x));
        let mut ordinal = -1i32;
        assert_eq!(
            cuPointerGetAttribute(from_mut(&mut ordinal).cast(), 9, y + 8),
            0
        );
        assert_eq!(ordinal, 0);
        // A byte more than there is.
        assert_eq!(
            cuMemcpyDtoH_v2(doubled.as_mut_ptr().cast(), y + 1, 4000),
            code(Code::InvalidValue)
        );
        assert_eq!((cuMemFree_v2(x), cuMemFreeAsync(y, stream)), (0, 0));
        assert_eq!(cuMemFree_v2(x), code(Code::InvalidValue));
    }
}

#[test]
fn a_fault_stays_with_its_context() {
    let (context, stream) = begin();
    let function = twice();
    // SAFETY: the kernel's addresses are no memory, which is for the driver to find out.
    unsafe {
        let kept = ask(|out| cuMemAlloc_v2(out, 64)).unwrap();
        assert_eq!(launch(function, stream, 1 << 12, kept, 16, 32), 0);
        let illegal = code(Code::IllegalAddress);
        assert_eq!(cuStreamSynchronize(stream), illegal);
        assert_eq!(cuMemsetD8Async(kept, 0, 64, stream), illegal);
        assert_eq!(ask(|out| cuMemAlloc_v2(out, 64)), Err(illegal));
        assert_eq!(launch(function, stream, kept, kept, 16, 32), illegal);
        assert_eq!(cuCtxDestroy_v2(context), 0);
        // Another context of the same card works.
        let (_, stream) = begin();
        assert_eq!(cuStreamSynchronize(stream), 0);
    }
}

#[test]
fn mistakes_have_their_errors() {
    let (_, stream) = begin();
    let function = twice();
    let load = |text: &CStr| {
        // SAFETY: the text ends with a zero byte.
        unsafe { ask(|out| cuModuleLoadData(out, text.as_ptr().cast())) }
    };
    assert_eq!(load(c"no PTX at all"), Err(code(Code::InvalidPtx)));
    assert_eq!(
        load(c".version 99.0\n.target sm_75\n"),
        Err(code(Code::UnsupportedPtxVersion))
    );
    assert_eq!(
        load(c".version 8.3\n.target sm_120\n"),
        Err(code(Code::InvalidPtx))
    );
    assert_eq!(load(c"\x7fELF"), Err(code(Code::NoBinaryForGpu)));
    let invalid = code(Code::InvalidValue);
    assert_eq!(launch(function, stream, 0, 0, 1, 2048), invalid);
    assert_eq!(launch(function, stream, 0, 0, 0, 32), invalid);
    assert_eq!(launch(77, stream, 0, 0, 1, 32), code(Code::InvalidHandle));
    assert_eq!(launch(function, 78, 0, 0, 1, 32), code(Code::InvalidHandle));
    // SAFETY: results have room.
    unsafe {
        assert_eq!(ask(|out| cuMemAlloc_v2(out, 0)), Err(invalid));
        assert_eq!(
            ask(|out| cuMemAlloc_v2(out, 1 << 50)),
            Err(code(Code::OutOfMemory))
        );
        assert_eq!(
            ask(|out| cuDeviceGet(out, 9)),
            Err(code(Code::InvalidDevice))
        );
        // 227 KiB are what a block may have, without a byte more.
        assert_eq!(cuFuncSetAttribute(function, 8, 232_448), 0);
        assert_eq!(ask(|out| cuFuncGetAttribute(out, 8, function)), Ok(232_448));
        assert_eq!(cuFuncSetAttribute(function, 8, 232_449), invalid);
    }
}

#[test]
fn events_measure_time() {
    let (_, stream) = begin();
    // SAFETY: results have room, and handles are of this test.
    unsafe {
        let events = [0, 0, 2].map(|flags| ask(|out| cuEventCreate(out, flags)).unwrap());
        for event in events {
            assert_eq!(cuEventRecord(event, stream), 0);
        }
        let between =
            |a: usize, b: usize| ask(|out| cuEventElapsedTime_v2(out, events[a], events[b]));
        assert!(between(0, 1).is_ok_and(|t| (0.0..1e6).contains(&t)));
        assert_eq!(between(0, 2), Err(code(Code::InvalidHandle)));
        assert_eq!(cuStreamWaitEvent(stream, events[2], 0), 0);
        assert_eq!(cuEventDestroy_v2(events[2]), 0);
        assert_eq!(
            cuStreamWaitEvent(stream, events[2], 0),
            code(Code::InvalidHandle)
        );
    }
}

#[test]
fn functions_are_found_by_name() {
    assert_eq!(find("cuMemAlloc"), find("cuMemAlloc_v2"));
    assert!(find("cuGraphCreate").is_none());
    // SAFETY: there is room for a pointer, which is to a text.
    let name = unsafe { CStr::from_ptr(ask(|out| cuGetErrorName(700, out)).unwrap()) };
    assert_eq!(name, c"CUDA_ERROR_ILLEGAL_ADDRESS");
}

/// The environment says of no card that it reaches others: a pool is its own card's, and a context its own.
#[test]
fn who_reaches_memory_is_checked() {
    let (context, _) = begin();
    // SAFETY: results have room, and there is one description.
    unsafe {
        let pool = ask(|out| cuDeviceGetDefaultMemPool(out, 0)).unwrap();
        let told = |kind, ordinal, flags| {
            let one = Access {
                kind,
                ordinal,
                flags,
            };
            cuMemPoolSetAccess(pool, &one, 1)
        };
        assert_eq!(told(1, 0, 3), 0);
        assert_eq!(told(2, 0, 3), code(Code::InvalidValue));
        assert_eq!(told(1, 0, 2), code(Code::InvalidValue));
        assert_eq!(told(1, 64, 3), code(Code::InvalidDevice));
        assert_eq!(
            cuMemPoolSetAccess(pool, null(), 1),
            code(Code::InvalidValue)
        );
        assert_eq!(cuMemPoolSetAccess(0, null(), 0), code(Code::InvalidValue));
        assert_eq!(ask(|out| cuDeviceCanAccessPeer(out, 0, 0)).unwrap(), 0);
        let enabled = cuCtxEnablePeerAccess(context, 0);
        assert_eq!(enabled, code(Code::PeerAccessUnsupported));
        assert_eq!(cuCtxEnablePeerAccess(context, 1), code(Code::InvalidValue));
        assert_eq!(cuCtxEnablePeerAccess(1, 0), code(Code::InvalidContext));
    }
}
