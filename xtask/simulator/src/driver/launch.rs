//! Launches: what is asked is looked at as a driver does, and then the kernel runs to its end.

use std::ffi::{c_int, c_uint, c_void};
use std::fs::OpenOptions;
use std::io::Write;
use std::mem::MaybeUninit;

use super::code::Code;
use super::exports::{Answer, Out, exports, give};
use super::function::{Function, known};
use super::graph;
use super::handles::Handle;
use super::model::{BLOCK, GRID, THREADS};
use super::raw;
use super::state::{Device, driver};
use super::stream::{context_of, context_of_any};
use crate::machine::{Fault, Launch, Trouble, run};

/// `CUlaunchAttribute`: a kind and a value of up to 64 bytes.
#[repr(C, align(8))]
pub(super) struct Attribute {
    kind: c_uint,
    padding: [u8; 4],
    value: [MaybeUninit<c_uint>; 16],
}

/// `CUlaunchConfig`.
#[repr(C)]
pub(super) struct Config {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: Handle,
    attributes: *const Attribute,
    count: c_uint,
}

/// Blocks of a cooperative launch at most: they are run as a cluster is.
const WIDEST: u32 = 64;

/// How a kernel is spread.
#[derive(Clone, Copy, Debug)]
struct Spread {
    grid: [u32; 3],
    block: [u32; 3],
    cluster: [u32; 3],
    /// The cluster stands for a cooperative launch, which every card has, of as many blocks as are there at once.
    cooperative: bool,
    shared: u32,
}

fn product(sizes: [u32; 3]) -> u64 {
    sizes.into_iter().map(u64::from).product()
}

impl Spread {
    /// What a driver says to it before anything runs.
    fn check(&self, function: &Function, device: &Device) -> Answer {
        let fits = |sizes: [u32; 3], most: [u32; 3]| {
            sizes
                .into_iter()
                .zip(most)
                .all(|(n, most)| (1..=most).contains(&n))
        };
        if !fits(self.grid, GRID) || !fits(self.block, BLOCK) {
            return Err(Code::InvalidValue);
        }
        let threads = product(self.block);
        if threads > u64::from(THREADS.min(function.threads())) {
            return Err(Code::InvalidValue);
        }
        if self.shared > function.added_shared() {
            return Err(Code::InvalidValue);
        }
        let registers = u64::from(function.attributes.registers.max(1));
        if threads.next_multiple_of(32) * registers.next_multiple_of(8)
            > super::model::REGISTERS as u64
        {
            return Err(Code::LaunchOutOfResources);
        }
        self.check_cluster(function, device)
    }

    fn check_cluster(&self, function: &Function, device: &Device) -> Answer {
        let blocks = product(self.cluster);
        if blocks == 1 {
            return Ok(());
        }
        if self.cooperative {
            return match blocks > u64::from(WIDEST) {
                true => Err(Code::CooperativeLaunchTooLarge),
                false => Ok(()),
            };
        }
        if device.card.capability < (9, 0) {
            return Err(Code::NotSupported);
        }
        let whole = self
            .grid
            .iter()
            .zip(self.cluster)
            .all(|(g, c)| c > 0 && g % c == 0);
        if blocks == 0 || blocks > u64::from(function.cluster()) || !whole {
            return Err(Code::InvalidClusterSize);
        }
        Ok(())
    }
}

/// The cluster that a launch asks for, and whether it stands for a cooperative launch.
///
/// # Safety
/// The configuration has as many attributes as it says.
unsafe fn cluster(config: &Config) -> Answer<([u32; 3], bool)> {
    let (mut cluster, mut cooperative) = ([1; 3], false);
    for k in 0..config.count as usize {
        if config.attributes.is_null() {
            return Err(Code::InvalidValue);
        }
        // SAFETY: the caller's promise.
        let attribute = unsafe { &*config.attributes.add(k) };
        match attribute.kind {
            // SAFETY: the kind says that there are three numbers.
            4 => cluster = [0, 1, 2].map(|at| unsafe { attribute.value[at].assume_init() }),
            // Blocks that wait for each other are run side by side where they are a cluster: so all of them are one here.
            // SAFETY: the kind says that there is a number.
            2 if unsafe { attribute.value[0].assume_init() } != 0 => {
                (cluster, cooperative) = (config.grid, true);
            }
            // Hints about caches, priorities and the order of kernels.
            0..=3 | 5 | 6 | 8 => {}
            _ => return Err(Code::NotSupported),
        }
    }
    Ok((cluster, cooperative))
}

/// Runs a kernel. One that faults was launched well: the error belongs to whatever is asked next.
fn start(function: &Function, spread: Spread, stream: Handle, params: &[u8]) -> Answer {
    let (handle, context) = context_of(stream)?;
    if function.context != handle {
        return Err(Code::InvalidHandle);
    }
    let device = context.device()?;
    spread.check(function, device)?;
    let launch = Launch {
        entry: function.entry,
        grid: spread.grid,
        block: spread.block,
        cluster: spread.cluster,
        shared: spread.shared,
        params,
    };
    let _turn = device.turn();
    if let Err(fault) = run(
        &function.loaded.module,
        &launch,
        &device.memory,
        &device.card,
    ) {
        report(function, &spread, &fault);
        match code_of(&fault) {
            // Nothing ran.
            Code::InvalidValue => return Err(Code::InvalidValue),
            code => context.lose(code),
        }
    }
    Ok(())
}

/// The error of a card for a fault.
fn code_of(fault: &Fault) -> Code {
    match fault.trouble {
        Trouble::OutOfBounds { .. } => Code::IllegalAddress,
        Trouble::Misaligned { .. } => Code::MisalignedAddress,
        Trouble::Deadlock(_) => Code::LaunchTimeout,
        Trouble::Assertion(_) => Code::Assert,
        Trouble::Unsupported(_) => Code::IllegalInstruction,
        Trouble::Launch(_) => Code::InvalidValue,
        // A card says nothing to what only a check finds.
        Trouble::Trap
        | Trouble::Uninitialised { .. }
        | Trouble::Race { .. }
        | Trouble::Proxy { .. }
        | Trouble::InFlight => Code::LaunchFailed,
    }
}

/// Says all there is to say about a fault.
fn report(function: &Function, spread: &Spread, fault: &Fault) {
    let text = format!("simulator: {} {spread:?}: {fault}\n", function.name);
    eprint!("{text}");
    let Some(path) = driver().ok().and_then(|d| d.settings.log.as_ref()) else {
        return;
    };
    let log = OpenOptions::new().create(true).append(true).open(path);
    if let Err(error) = log.and_then(|mut file| file.write_all(text.as_bytes())) {
        eprintln!("simulator: {path}: {error}");
    }
}

/// Runs a kernel with the parameters that a caller gives in either of two ways.
///
/// # Safety
/// One of both is what its declaration says, for this kernel.
unsafe fn launch(
    function: Handle,
    spread: Spread,
    stream: Handle,
    places: *const *const c_void,
    extra: *const *const c_void,
) -> Answer {
    let function = known(function)?;
    let Function { attributes, .. } = &*function;
    let bytes = attributes.param_bytes;
    // SAFETY: the caller's promise.
    let params = unsafe {
        match (places.is_null(), extra.is_null()) {
            (true, false) => raw::packed(extra, bytes)?,
            (false, false) => return Err(Code::InvalidValue),
            _ => raw::gather(places, &attributes.params, bytes)?,
        }
    };
    graph::on(stream, move |stream| {
        start(&function, spread, stream, &params)
    })
}

exports! {
    /// Launches a kernel.
    fn cuLaunchKernel(
        function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
        stream: Handle, places: *const *const c_void, extra: *const *const c_void,
    ) {
        let spread = Spread { grid: [gx, gy, gz], block: [bx, by, bz], cluster: [1; 3], cooperative: false, shared };
        // SAFETY: the caller's promise.
        unsafe { launch(function, spread, stream, places, extra) }
    }

    /// Launches a kernel, with attributes.
    fn cuLaunchKernelEx(
        config: Option<&Config>, function: Handle, places: *const *const c_void, extra: *const *const c_void,
    ) {
        let config = config.ok_or(Code::InvalidValue)?;
        // SAFETY: the caller's promise.
        let (cluster, cooperative) = unsafe { cluster(config)? };
        let spread = Spread { grid: config.grid, block: config.block, cluster, cooperative, shared: config.shared };
        // SAFETY: the caller's promise.
        unsafe { launch(function, spread, config.stream, places, extra) }
    }

    /// Clusters of a launch that are there at once, where a multiprocessor has one block.
    fn cuOccupancyMaxActiveClusters(count: Out<'_, c_int>, function: Handle, config: Option<&Config>) {
        let (function, config) = (known(function)?, config.ok_or(Code::InvalidValue)?);
        // SAFETY: the caller's promise.
        let blocks = product(unsafe { cluster(config)? }.0);
        if blocks == 0 || blocks > u64::from(function.cluster()) {
            return Err(Code::InvalidClusterSize);
        }
        let (_, context) = context_of_any(config.stream)?;
        let processors = u64::from(context.device()?.card.processors);
        give(count, (processors / blocks) as c_int)
    }

    /// Blocks that all wait for each other are known by the attribute of a launch alone.
    fn cuLaunchCooperativeKernel(
        _function: Handle, _gx: c_uint, _gy: c_uint, _gz: c_uint, _bx: c_uint, _by: c_uint, _bz: c_uint,
        _shared: c_uint, stream: Handle, _places: *const *const c_void,
    ) {
        context_of(stream)?;
        Err(Code::NotSupported)
    }
}
