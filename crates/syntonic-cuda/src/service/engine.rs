//! Leases on a GPU: one launch of the service's kernel, on a stream that nothing else uses.

use super::board::{self, Board};
use super::lease::{Begin, Engine};
use super::leases::Place;
use super::models::Models;
use super::settings::{Settings, nanoseconds};
use crate::context::gpu::Cuda;
use crate::context::{Context, Geometry};
use crate::contract::{Contract, contract};
use crate::driver::fault::Checked;
use crate::foreign::address;
use crate::modules::function::Function;
use cudarc::driver::sys::{self, CUdevice_attribute};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use syntonic_core::device::DeviceId;
use syntonic_core::{DType, Error, Result, Tensor};

contract! {
    "service":
    /// A lease of the device to a kernel that stays.
    #[derive(Debug)]
    pub(crate) struct Params as "Lease" {
        /// The control block.
        board: u64,
        /// `f64 [capacity]`, in the host's memory.
        arguments: u64,
        /// `f64 [capacity]`, in the host's memory.
        answers: u64,
        /// `Belief [known]`, in the device's memory.
        models: u64,
        /// `f64 [most]`, in the device's memory: arguments that shared memory does not hold.
        stage: u64,
        /// A multiple of `GRAIN`.
        capacity: u64,
        /// Doubles of a command.
        most: u64,
        /// Of this lease.
        number: u64,
        /// The command that was answered last.
        done: u64,
        /// Nanoseconds without a command.
        idle: u64,
        /// Nanoseconds of the lease.
        lifetime: u64,
        /// Nanoseconds of a command.
        limit: u64,
        /// That this lease takes.
        commands: u64,
        known: u32,
        blocks: u32,
    }
}

/// Threads of a block, and doubles of arguments that shared memory holds: `kernels/include/service.cuh`.
const BLOCK: u32 = 512;
pub(super) const STAGED: usize = 4096;
/// Bytes of shared memory that the kernel declares itself, at most.
const DECLARED: u32 = (8 * STAGED as u32) + 2048;
/// Sizes of the cluster, the best first.
const CLUSTERS: [u32; 4] = [8, 4, 2, 1];

/// The GPU, and what leases use on it.
#[derive(Debug)]
pub(super) struct Launcher {
    gpu: Arc<Cuda>,
    function: Function,
    /// Blocks of the cluster.
    pub(super) blocks: u32,
    settings: Settings,
    /// Left alone where a lease may still use it.
    place: ManuallyDrop<Place>,
    pub(super) models: ManuallyDrop<Models>,
    /// Arguments that shared memory does not hold.
    stage: ManuallyDrop<Option<Tensor>>,
}

/// Why no service can run on a GPU, as a sentence with the way out.
pub(super) fn objection(context: &Context) -> Result<Option<String>> {
    use CUdevice_attribute as A;
    let op = "service";
    let ask = |what| context.driver().attribute(what).during(op, context.device);
    if ask(A::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT)? != 0 {
        return Ok(Some(
            "this GPU drives a display, whose watchdog ends kernels that run on; hint: use another GPU, or a graph, whose replay \
             ends by itself"
                .to_owned(),
        ));
    }
    let sees = [
        A::CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY,
        A::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING,
    ];
    for what in sees {
        if ask(what)? == 0 {
            return Ok(Some(
                "this GPU cannot read the host's memory by the host's addresses; hint: use a graph"
                    .to_owned(),
            ));
        }
    }
    Ok(None)
}

impl Launcher {
    /// What leases need, with the kernel loaded.
    pub(super) fn new(gpu: &Arc<Cuda>, settings: Settings) -> Result<Launcher> {
        let context = gpu.context();
        context.bind()?;
        // What follows may wait for the whole GPU.
        context.leases.ask_to_leave();
        let function = context.function(Params::FAMILY, "service_f64")?;
        let blocks = cluster(context, &function)?;
        let stage = match settings.most_doubles > STAGED {
            true => {
                let device: Arc<dyn syntonic_core::Device> = gpu.clone();
                let shape = [settings.most_doubles.next_multiple_of(board::GRAIN)];
                let memory = Tensor::zeros_on(&shape, DType::F64, &device)?.eval()?;
                context.synchronize("service")?;
                Some(memory)
            }
            false => None,
        };
        let place = place(context, board::bytes(settings.most_doubles))?;
        Ok(Launcher {
            gpu: gpu.clone(),
            function,
            blocks,
            settings,
            place: ManuallyDrop::new(place),
            models: ManuallyDrop::new(Models::default()),
            stage: ManuallyDrop::new(stage),
        })
    }

    /// A board in the page-locked memory.
    pub(super) fn board(&self) -> Board {
        // SAFETY: the memory has as many bytes, at the start of a page; it is left alone or kept for the next service, never freed.
        unsafe { Board::new(self.place.memory, self.settings.most_doubles, 0) }
    }

    pub(super) fn gpu(&self) -> &Arc<Cuda> {
        &self.gpu
    }

    /// Bytes of shared memory that a block of a model may take.
    pub(super) fn shared(&self) -> u64 {
        self.gpu
            .context()
            .shared_limit()
            .saturating_sub(DECLARED)
            .into()
    }

    /// Gives back what leases used. To be called once none runs any more, and once.
    pub(super) fn give_back(&mut self) {
        // SAFETY: nobody uses them afterwards, as the caller says.
        let (place, models, stage) = unsafe {
            (
                ManuallyDrop::take(&mut self.place),
                ManuallyDrop::take(&mut self.models),
                ManuallyDrop::take(&mut self.stage),
            )
        };
        self.gpu.context().leases.keep(place);
        drop((models, stage));
    }
}

/// The largest cluster that the card takes; older cards have one block.
fn cluster(context: &Context, function: &Function) -> Result<u32> {
    if !context.limits().has_clusters() {
        return Ok(1);
    }
    for size in CLUSTERS {
        let geometry = Geometry::line(size.into(), BLOCK);
        if context.clusters_at_once(function, geometry, size)? > 0 {
            return Ok(size);
        }
    }
    Ok(1)
}

/// Page-locked memory and a stream of the highest priority.
pub(super) fn place(context: &Context, bytes: usize) -> Result<Place> {
    if let Some(place) = context.leases.take(bytes) {
        return Ok(place);
    }
    let (op, device) = ("service", context.device);
    let (mut least, mut greatest) = (0, 0);
    // SAFETY: the context is current, and the driver writes two numbers.
    unsafe { sys::cuCtxGetStreamPriorityRange(&mut least, &mut greatest) }.during(op, device)?;
    let stream = context.driver().new_stream_with_priority(greatest);
    let stream = stream.during(op, device)?;
    let mut memory = std::ptr::null_mut();
    let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
    // SAFETY: the context is current, and the driver writes one address.
    unsafe { sys::cuMemHostAlloc(&mut memory, bytes, flags) }
        .during("page-locked memory", device)?;
    Ok(Place {
        memory: memory.cast(),
        bytes,
        stream,
    })
}

impl Engine for Launcher {
    fn begin(&mut self, board: &Board, begin: Begin) -> Result<()> {
        let [first, arguments, answers] = board.addresses();
        let stage = self.stage.as_ref().map(address).transpose()?;
        let params = Params {
            board: first,
            arguments,
            answers,
            models: self.models.address()?,
            stage: stage.unwrap_or(0),
            capacity: board::capacity(self.settings.most_doubles) as u64,
            most: self.settings.most_doubles as u64,
            number: begin.number,
            done: begin.done,
            idle: nanoseconds(self.settings.idle),
            lifetime: nanoseconds(self.settings.lifetime),
            limit: nanoseconds(2 * self.settings.deadline),
            commands: self.settings.most_commands,
            known: self.models.known(),
            blocks: self.blocks,
        };
        let geometry = Geometry {
            shared: self.models.shared(),
            ..Geometry::line(self.blocks.into(), BLOCK)
        };
        let stream = self.place.stream.cu_stream();
        // SAFETY: the struct is the kernel's; board, slots, models and stage live until no lease runs, which `give_back` waits for.
        unsafe {
            self.gpu
                .context()
                .launch_cluster(&self.function, geometry, stream, &params)
        }
    }

    fn is_over(&self) -> Result<bool> {
        self.place.is_over("service", self.gpu.context())
    }
}

/// The GPU of a device, where it is one.
pub(super) fn gpu_of(device: DeviceId) -> Result<Arc<Cuda>> {
    match device {
        DeviceId::Cuda(ordinal) => crate::open(ordinal),
        other => Err(Error::NoDevice {
            device: other.to_string(),
            reason: "a service runs on a GPU; hint: name one, such as cuda:0".to_owned(),
        }),
    }
}
