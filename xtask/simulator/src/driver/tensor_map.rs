//! Maps of tensors, by which kernels copy boxes of them.

use std::ffi::{c_int, c_uint};

use super::code::Code;
use super::exports::exports;
use super::raw;
use crate::machine::swizzle::Swizzle;
use crate::machine::tensor_map::{BYTES, Element, MOST, TensorMap};

exports! {
    /// Makes the map of a tensor that lies in plain rows.
    fn cuTensorMapEncodeTiled(
        out: *mut [u8; BYTES], kind: c_int, rank: c_uint, address: u64, extents: *const u64, strides: *const u64,
        spans: *const c_uint, steps: *const c_uint, interleave: c_int, swizzle: c_int, promotion: c_int, fill: c_int,
    ) {
        let rank = usize::try_from(rank).map_err(|_| Code::InvalidValue)?;
        if out.is_null() || !(out as u64).is_multiple_of(64) || !(1..=MOST).contains(&rank) {
            return Err(Code::InvalidValue);
        }
        let swizzle = match swizzle {
            0 => Swizzle::None,
            1 => Swizzle::Of32,
            2 => Swizzle::Of64,
            3 => Swizzle::Of128,
            _ => return Err(Code::InvalidValue),
        };
        let known = (0..=12).contains(&kind) && (0..=2).contains(&interleave);
        if !known || !(0..=3).contains(&promotion) || !(0..=1).contains(&fill) {
            return Err(Code::InvalidValue);
        }
        // Interleaved tensors, and types that a copy changes, are not known here.
        if interleave != 0 || kind > 9 {
            return Err(Code::NotSupported);
        }
        // SAFETY: the caller's promise: each list is as long as the rank says.
        let map = unsafe {
            TensorMap {
                address,
                element: Element(kind as u8),
                rank,
                extents: raw::list(extents, rank)?,
                strides: raw::list(strides, rank - 1)?,
                spans: raw::list(spans, rank)?,
                steps: raw::list(steps, rank)?,
                swizzle,
                nan: fill == 1,
            }
        };
        if !map.is_valid() {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's promise: there is room for a map, and the pointer is not null.
        unsafe { out.write(map.encode()) };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::{CStr, c_void};
    use std::mem::MaybeUninit;
    use std::ptr::null;

    use super::super::code::Status;
    use super::super::context::cuCtxCreate_v4;
    use super::super::device::cuInit;
    use super::super::launch::cuLaunchKernel;
    use super::super::memory::{cuMemAlloc_v2, cuMemFree_v2};
    use super::super::module::{cuModuleGetFunction, cuModuleLoadData};
    use super::super::stream::{cuStreamCreate, cuStreamSynchronize};
    use super::super::symbols::find;
    use super::*;

    #[repr(align(64))]
    struct Room([u8; BYTES + 64]);

    /// What a program says of a matrix of 300 by 70 bf16, of which one thing may be wrong.
    #[derive(Clone)]
    struct Asked {
        offset: usize,
        kind: c_int,
        rank: c_uint,
        address: u64,
        extents: [u64; 2],
        stride: u64,
        spans: [c_uint; 2],
        steps: [c_uint; 2],
        how: [c_int; 4],
    }

    const GOOD: Asked = Asked {
        offset: 0,
        kind: 9,
        rank: 2,
        address: 0x1_0000,
        extents: [300, 70],
        stride: 608,
        spans: [64, 128],
        steps: [1, 1],
        how: [0, 3, 2, 0],
    };

    fn ask(change: impl FnOnce(&mut Asked)) -> Result<Option<TensorMap>, Status> {
        let mut asked = GOOD;
        change(&mut asked);
        let mut room = Room([0; BYTES + 64]);
        let out = room.0[asked.offset..].as_mut_ptr().cast();
        let [interleave, swizzle, promotion, fill] = asked.how;
        // SAFETY: lists have two elements, and there is room for the map.
        let status = unsafe {
            cuTensorMapEncodeTiled(
                out,
                asked.kind,
                asked.rank,
                asked.address,
                asked.extents.as_ptr(),
                &raw const asked.stride,
                asked.spans.as_ptr(),
                asked.steps.as_ptr(),
                interleave,
                swizzle,
                promotion,
                fill,
            )
        };
        match status {
            0 => Ok(room.0.first_chunk().and_then(TensorMap::decode)),
            other => Err(other),
        }
    }

    #[test]
    fn a_map_says_what_was_asked() {
        let map = ask(|_| ()).unwrap().unwrap();
        assert_eq!(
            (map.address, map.rank, map.element),
            (0x1_0000, 2, Element(9))
        );
        assert_eq!(map.extents[..2], [300, 70]);
        assert_eq!(
            (map.strides[0], map.spans[..2].to_vec()),
            (608, vec![64, 128])
        );
        assert_eq!((map.swizzle, map.nan), (Swizzle::Of128, false));
        assert!(ask(|asked| asked.how[3] = 1).unwrap().unwrap().nan);
        assert!(ask(|asked| asked.rank = 1).unwrap().is_some());
        assert!(find("cuTensorMapEncodeTiled").is_some());
    }

    #[test]
    fn what_the_manual_forbids_is_refused() {
        let wrong: [fn(&mut Asked); 21] = [
            |asked| asked.offset = 16,
            |asked| asked.kind = 16,
            |asked| asked.rank = 0,
            |asked| asked.rank = 6,
            |asked| asked.address = 0x1_0008,
            |asked| asked.address = 0,
            |asked| asked.extents[1] = 0,
            |asked| asked.extents[0] = (1 << 32) + 1,
            |asked| asked.stride = 600,
            |asked| asked.stride = 1 << 40,
            |asked| asked.spans[1] = 0,
            |asked| asked.spans[1] = 257,
            |asked| asked.spans[0] = 60,
            // More than the swizzle's 128 bytes.
            |asked| asked.spans[0] = 72,
            |asked| asked.steps[1] = 0,
            |asked| asked.steps[1] = 9,
            |asked| asked.how[0] = 3,
            |asked| asked.how[1] = 4,
            |asked| asked.how[2] = 4,
            |asked| asked.how[3] = 2,
            // Integers have no NaN.
            |asked| (asked.kind, asked.how[3]) = (1, 1),
        ];
        for (number, change) in wrong.into_iter().enumerate() {
            assert_eq!(ask(change), Err(Code::InvalidValue as Status), "{number}");
        }
        let unknown = Err(Code::NotSupported as Status);
        assert_eq!(ask(|asked| asked.how[0] = 1), unknown);
        assert_eq!(ask(|asked| asked.kind = 12), unknown);
    }

    /// Stores a box of ones, whose map is a parameter.
    const ONES: &CStr = c"
.version 8.3
.target sm_90a
.address_size 64
.visible .entry ones(.param .u32 x, .param .align 64 .b8 map[128])
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %d<3>;
    .shared .align 128 .b8 room[128];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, room;
    add.u32 %r2, %r2, %r3;
    mov.u32 %r4, 1;
    st.shared.u32 [%r2], %r4;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 ret;
    ld.param.u32 %r5, [x];
    mov.b64 %d1, map;
    cvta.param.u64 %d2, %d1;
    cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%d2, {%r5}], [%r3];
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group.read 0;
    ret;
}
";

    #[test]
    fn a_map_is_a_parameter_like_others() {
        fn give<T>(call: impl FnOnce(Option<&mut MaybeUninit<T>>) -> Status) -> T {
            let mut value = MaybeUninit::uninit();
            assert_eq!(call(Some(&mut value)), 0);
            // SAFETY: a function that says that all is well wrote its result.
            unsafe { value.assume_init() }
        }
        let mut room = Room([0; BYTES + 64]);
        // SAFETY: results have room, lists are as long as they have to be, and the kernel has these parameters.
        unsafe {
            assert_eq!(cuInit(0), 0);
            give(|out| cuCtxCreate_v4(out, std::ptr::null_mut(), 0, 0));
            let stream = give(|out| cuStreamCreate(out, 1));
            let module = give(|out| cuModuleLoadData(out, ONES.as_ptr().cast()));
            let function = give(|out| cuModuleGetFunction(out, module, c"ones".as_ptr()));
            let memory = give(|out| cuMemAlloc_v2(out, 160));
            let (extent, span, step) = (40u64, 32, 1);
            let (out, nothing) = (room.0.as_mut_ptr().cast(), null());
            let status = cuTensorMapEncodeTiled(
                out,
                2,
                1,
                memory,
                &raw const extent,
                nothing,
                &raw const span,
                &raw const step,
                0,
                0,
                0,
                0,
            );
            assert_eq!(status, 0);
            let start = 30i32;
            let places: [*const c_void; 2] = [(&raw const start).cast(), room.0.as_ptr().cast()];
            let launched = cuLaunchKernel(
                function,
                1,
                1,
                1,
                32,
                1,
                1,
                0,
                stream,
                places.as_ptr(),
                null(),
            );
            assert_eq!((launched, cuStreamSynchronize(stream)), (0, 0));
            let words: Vec<u32> = (0..40)
                .map(|k| (memory as *const u32).add(k).read())
                .collect();
            assert_eq!(words[30..], [1; 10]);
            assert_ne!(words[29], 1);
            assert_eq!(cuMemFree_v2(memory), 0);
        }
    }
}
