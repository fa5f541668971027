//! Kernels into a stream.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use cudarc::driver::sys;
use syntonic_core::Result;

use crate::context::{Context, Geometry};
use crate::module::Function;

impl Context {
    /// Puts a kernel with one parameter, a struct, into this thread's stream.
    ///
    /// # Safety
    /// `P` is the `repr(C)` twin of the kernel's parameter, and what it points to is live and fits.
    pub(crate) unsafe fn launch<P: Copy>(
        &self,
        function: &Function,
        geometry: Geometry,
        params: &P,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.launch_clusters(function, geometry, 1, params) }
    }

    /// As [`Context::launch`], with `cluster` neighbouring blocks side by side, which read each other's shared memory.
    ///
    /// # Safety
    /// As [`Context::launch`].
    pub(crate) unsafe fn launch_clusters<P: Copy>(
        &self,
        function: &Function,
        geometry: Geometry,
        cluster: u32,
        params: &P,
    ) -> Result<()> {
        self.bind()?;
        function.allow_shared(geometry.shared, self.shared_limit(), self.device)?;
        let entry = std::ptr::from_ref(function.entry()).cast_mut();
        self.last.store(entry, Ordering::Relaxed);
        let mut args = [std::ptr::from_ref(params).cast_mut().cast::<c_void>()];
        let mut attributes = [overlap(), clusters_of(cluster)];
        let wanted = match (function.entry().overlaps, cluster > 1) {
            (true, false) => &mut attributes[..1],
            (true, true) => &mut attributes[..],
            (false, true) => &mut attributes[1..],
            (false, false) => &mut [],
        };
        let [x, y, z] = geometry.grid;
        let config = sys::CUlaunchConfig {
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: geometry.block,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: geometry.shared,
            hStream: self.stream(),
            attrs: wanted.as_mut_ptr(),
            numAttrs: wanted.len() as u32,
        };
        // SAFETY: the context is current, the function belongs to it, the attributes outlive the call, and the driver copies
        // the parameter before it returns; the rest is the caller's promise.
        let code = unsafe {
            sys::cuLaunchKernelEx(
                &config,
                function.handle(),
                args.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        self.check(function.name(), code)
    }
}

/// The kernel may come before the one ahead of it is complete, for which it waits by itself ([`crate::overlap`]).
fn overlap() -> sys::CUlaunchAttribute {
    let value = sys::CUlaunchAttributeValue {
        programmaticStreamSerializationAllowed: 1,
    };
    attribute(
        sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        value,
    )
}

fn clusters_of(blocks: u32) -> sys::CUlaunchAttribute {
    let value = sys::CUlaunchAttributeValue {
        clusterDim: sys::CUlaunchAttributeValue_union__bindgen_ty_1 {
            x: blocks,
            y: 1,
            z: 1,
        },
    };
    attribute(
        sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        value,
    )
}

fn attribute(
    id: sys::CUlaunchAttributeID,
    value: sys::CUlaunchAttributeValue,
) -> sys::CUlaunchAttribute {
    sys::CUlaunchAttribute {
        id,
        pad: [0; 4],
        value,
    }
}
