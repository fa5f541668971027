//! Kernel launches.

use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering;

use cudarc::driver::sys;
use syntonic_core::profile::{Footprint, note_kernel};
use syntonic_core::{Error, Result};

use crate::context::{Context, Geometry};
use crate::modules::function::Function;

/// The portable cluster size.
const PORTABLE: u32 = 8;

/// How the blocks of a launch depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// Independent blocks.
    Apart,
    /// Clusters of this many blocks, with DSMEM.
    Clusters(u32),
    /// A cooperative launch: all blocks are co-resident, so that each may wait for any other; too large a grid is refused.
    Together,
}

impl Context {
    /// Launches a kernel with one parameter, a struct, on this thread's stream.
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
        unsafe { self.launch_blocks(function, geometry, Blocks::Apart, params) }
    }

    /// As [`Context::launch`], with clusters or a cooperative launch.
    ///
    /// # Safety
    /// As [`Context::launch`].
    pub(crate) unsafe fn launch_blocks<P: Copy>(
        &self,
        function: &Function,
        geometry: Geometry,
        blocks: Blocks,
        params: &P,
    ) -> Result<()> {
        self.bind()?;
        function.allow_shared(geometry.shared, self.shared_limit(), self.device)?;
        let entry = std::ptr::from_ref(function.entry()).cast_mut();
        self.last.store(entry, Ordering::Relaxed);
        let placed = match blocks {
            Blocks::Apart | Blocks::Clusters(1) => None,
            Blocks::Clusters(size) => {
                if size > PORTABLE {
                    function.allow_wide_clusters(self.device)?;
                }
                Some(clusters_of(size))
            }
            Blocks::Together => Some(together()),
        };
        let overlapped = function.entry().overlaps.then(overlap);
        // Used attributes come first.
        let count = usize::from(placed.is_some()) + usize::from(overlapped.is_some());
        let other = overlap();
        let mut attributes = [placed.or(overlapped), overlapped].map(|a| a.unwrap_or(other));
        let config = self.config(geometry, &mut attributes[..count]);
        // SAFETY: the context is current and the attributes outlive the call; the rest is the caller's promise.
        unsafe { self.submit(function, &config, params) }
    }

    /// How many clusters of `size` blocks are co-resident, of a kernel with one block per multiprocessor: a cluster lives
    /// within one GPC, and GPCs differ in size. None where the card has no such clusters.
    pub(crate) fn clusters_at_once(
        &self,
        function: &Function,
        geometry: Geometry,
        size: u32,
    ) -> Result<u32> {
        if let Some(known) = function.known_clusters(size) {
            return Ok(known);
        }
        self.bind()?;
        function.allow_shared(geometry.shared, self.shared_limit(), self.device)?;
        function.allow_wide_clusters(self.device)?;
        let mut attributes = [clusters_of(size)];
        let config = self.config(geometry, &mut attributes);
        let mut count = 0;
        // SAFETY: the context is current, the function belongs to it, and the attributes outlive the call.
        let code =
            unsafe { sys::cuOccupancyMaxActiveClusters(&mut count, function.handle(), &config) };
        let count = match code {
            sys::CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE => 0,
            other => {
                self.check(function.name(), other)?;
                count.max(0) as u32
            }
        };
        function.keep_clusters(size, count);
        Ok(count)
    }

    /// Launches one cluster, which is all of a grid, on a stream that nothing else of ours uses and no order of streams knows.
    ///
    /// The hardware starts a cluster as a whole, so its blocks may wait for each other. The launch is not cooperative: cooperative
    /// launches wait for each other, and a persistent one would keep those of others from starting. Devices without clusters start blocks one by one.
    ///
    /// # Safety
    /// As [`Context::launch`], until the kernel has ended; the stream is one of this context.
    pub(crate) unsafe fn launch_cluster<P: Copy>(
        &self,
        function: &Function,
        geometry: Geometry,
        stream: sys::CUstream,
        params: &P,
    ) -> Result<()> {
        self.bind()?;
        function.allow_shared(geometry.shared, self.shared_limit(), self.device)?;
        let mut attributes = [clusters_of(geometry.grid[0])];
        let count = usize::from(geometry.grid[0] > 1 && self.limits().has_clusters());
        let mut config = self.config(geometry, &mut attributes[..count]);
        config.hStream = stream;
        // SAFETY: the context is current and the attributes outlive the call; the rest is the caller's promise.
        unsafe { self.submit(function, &config, params) }
    }

    /// Hands a launch to the driver.
    ///
    /// # Safety
    /// As [`Context::launch`]; the context is current, and what the configuration points to is live.
    unsafe fn submit<P: Copy>(
        &self,
        function: &Function,
        config: &sys::CUlaunchConfig,
        params: &P,
    ) -> Result<()> {
        // The driver reads as many bytes as the kernel declares.
        if let Some(declared) = function.entry().parameter
            && declared as usize > size_of::<P>()
        {
            let given = size_of::<P>();
            return Err(Error::Fault {
                op: function.name().to_owned(),
                device: self.device,
                what: format!(
                    "it takes {declared} bytes and is given {given}; this is a fault of the build, please report it"
                ),
            });
        }
        let mut args = [std::ptr::from_ref(params).cast_mut().cast::<c_void>()];
        // SAFETY: the function belongs to the context, and the driver copies the parameter before it returns; the rest is the
        // caller's promise.
        let code = unsafe {
            sys::cuLaunchKernelEx(
                config,
                function.handle(),
                args.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        self.check(function.name(), code)?;
        note_kernel(|| self.footprint(function, config));
        Ok(())
    }

    /// Blocks of so many threads and of so many bytes of added shared memory that a multiprocessor has at once.
    pub(crate) fn resident(&self, function: &Function, threads: u32, shared: u32) -> Result<u32> {
        self.bind()?;
        let mut resident = 0;
        // SAFETY: the context is current, the function belongs to it, and the driver writes one number.
        let code = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut resident,
                function.handle(),
                threads as c_int,
                shared as usize,
            )
        };
        self.check(function.name(), code)?;
        Ok(resident.max(0) as u32)
    }

    /// What a kernel takes of a multiprocessor; none where the driver does not say. The context is current.
    fn footprint(&self, function: &Function, config: &sys::CUlaunchConfig) -> Option<Footprint> {
        use sys::CUfunction_attribute::{
            CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, CU_FUNC_ATTRIBUTE_NUM_REGS,
        };
        let (threads, asked) = (config.blockDimX, config.sharedMemBytes);
        let resident = self.resident(function, threads, asked).ok()?;
        let grid = [config.gridDimX, config.gridDimY, config.gridDimZ];
        let whole = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        let whole = self.driver().attribute(whole).ok()?;
        let held = resident * threads.next_multiple_of(32);
        Some(Footprint {
            kernel: function.name().to_owned(),
            blocks: grid.map(|n| n as usize).iter().product(),
            threads,
            registers: function.attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            shared: function.entry().declared.saturating_add(asked),
            local: function.attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            occupancy: f64::from(held) / f64::from(whole.max(1)),
        })
    }

    fn config(
        &self,
        geometry: Geometry,
        attributes: &mut [sys::CUlaunchAttribute],
    ) -> sys::CUlaunchConfig {
        let [x, y, z] = geometry.grid;
        sys::CUlaunchConfig {
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: geometry.block,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: geometry.shared,
            hStream: self.stream(),
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as u32,
        }
    }
}

/// The PDL attribute: the kernel may start before the preceding one completes, and waits for it itself ([`crate::modules::overlap`]).
fn overlap() -> sys::CUlaunchAttribute {
    let value = sys::CUlaunchAttributeValue {
        programmaticStreamSerializationAllowed: 1,
    };
    attribute(
        sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        value,
    )
}

fn together() -> sys::CUlaunchAttribute {
    let value = sys::CUlaunchAttributeValue { cooperative: 1 };
    attribute(
        sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
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
