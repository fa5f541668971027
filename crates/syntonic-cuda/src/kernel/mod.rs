//! Dispatch: programs by their form, hand-written operators by name.

mod carrier;
#[cfg(all(test, feature = "images"))]
pub(crate) mod planner;
pub(crate) mod registry;

use crate::context::Context;
use crate::fill::Fill;
use crate::moves::count;
use crate::plan::Carrier;
use crate::sorting::{scan, search};
use crate::{
    attention, blas, evolve, exact, fourier, infer, map, moves, random, rows, solver, sorting,
    transfer_entropy,
};
use syntonic_core::device::{Kernel, Launch};
use syntonic_core::fuse::{Op, Program, Task, TypedNode, TypedOutput, Yield};
use syntonic_core::{DeviceId, Error, Result};

/// The GPU's version of a hand-written operator.
pub(crate) type Adapter = unsafe fn(&Context, &Launch) -> Result<()>;

/// The operators of core and of golden arithmetic that run here, by name.
const ADAPTERS: &[(&str, Adapter)] = &[
    ("matmul", blas::matmul),
    ("gemv_chain", blas::gemv_chain),
    ("attention", attention::attention),
    ("attention_dq", attention::slopes::queries),
    ("attention_dkv", attention::slopes::keys),
    ("lu", solver::lu),
    ("solve", solver::solve),
    ("cholesky", solver::cholesky),
    ("qr", solver::qr),
    ("svd", solver::svd),
    ("eigh", solver::eigh),
    ("eig", solver::eig),
    ("fft", fourier::complex),
    ("rfft", fourier::forward),
    ("irfft", fourier::inverse),
    ("scaled_matmul", blas::scaled_matmul),
    ("gather", moves::gather),
    ("scatter", moves::scatter),
    ("scatter_add", moves::scatter_add),
    ("index_offsets", moves::index_offsets),
    ("mask_count", moves::mask_count),
    ("mask_offsets", moves::mask_offsets),
    ("ramp", moves::ramp),
    ("bincount", count::bincount),
    ("searchsorted", search::searchsorted),
    ("unique_groups", search::unique_groups),
    ("cumulative_sum", scan::cumulative_sum),
    ("cumulative_prod", scan::cumulative_prod),
    ("random_uniform", random::uniform),
    ("random_normal", random::normal),
    ("random_integers", random::integers),
    ("random_permutation", random::permutation),
    ("evolve_candidates", evolve::candidates),
    ("evolve_res", evolve::adapt),
    ("evolve_run", evolve::run),
    ("free_energy", infer::free_energy),
    ("ksg", transfer_entropy::ksg),
    ("ksg_counts", transfer_entropy::counts),
    ("belief_update", infer::belief_update),
    ("golden_map", exact::map),
    ("golden_compare", exact::compare),
    ("golden_norms", exact::norms),
    ("golden_floor", exact::floor),
    ("golden_floats", exact::floats),
    ("golden_share", exact::share),
    ("golden_product", exact::product),
    ("golden_snap", exact::snap),
    ("sort", sorting::sort),
    ("argsort", sorting::argsort),
    ("topk", sorting::topk),
];

/// Our version of a hand-written operator.
pub(crate) fn of(name: &str) -> Option<Adapter> {
    ADAPTERS.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// Runs a hand-written operator of ours.
///
/// # Safety
/// As [`syntonic_core::Device::launch`].
pub(crate) unsafe fn launch(context: &Context, kernel: &Kernel, args: &Launch) -> Result<()> {
    match of(kernel.name) {
        // SAFETY: the caller's promise is the kernel's contract, which the adapter keeps.
        Some(adapter) => unsafe { adapter(context, args) },
        None => Err(missing(context.device, kernel.name)),
    }
}

/// Runs a program.
///
/// # Safety
/// As [`syntonic_core::Device::run`].
pub(crate) unsafe fn run<C: Carrier>(carrier: &C, task: &Task<'_>) -> Result<()> {
    if let Some(fill) = Fill::of(task) {
        // SAFETY: the caller's promise.
        return unsafe { fill.run(carrier) };
    }
    let folds = |node: &TypedNode| matches!(node.op, Op::Fold(..));
    // SAFETY: the caller's promise.
    unsafe {
        let sums = |output: &TypedOutput| output.role == Yield::RowSum;
        if task.program.nodes.iter().any(folds) || task.program.outputs.iter().any(sums) {
            rows::run(carrier, task)
        } else {
            map::run(carrier, task)
        }
    }
}

fn missing(device: DeviceId, op: &str) -> Error {
    Error::Fault {
        op: op.to_owned(),
        device,
        what: "it has no kernel for GPUs; hint: move the operands with .to(\"cpu\")".to_owned(),
    }
}

#[doc(hidden)]
pub use crate::jit::Stocked;
#[doc(hidden)]
pub use crate::map::Named;

/// The kernels of named formulas that a wheel has as machine code, for a card; `rows` has to have all formulas over rows that are listed.
#[doc(hidden)]
pub fn stock(
    rows: &[&Program],
    maps: &Named,
    capability: (u32, u32),
) -> std::result::Result<Vec<Stocked>, String> {
    let mut all = crate::rows::jit::stock(rows, capability)?;
    let maps = crate::map::stock(maps, capability);
    all.extend(maps.ok_or("a map has no text")?);
    Ok(all)
}

/// Texts of JIT kernels by name, for a card: input of the proof that old assemblers take them.
#[doc(hidden)]
pub fn texts(capability: (u32, u32)) -> Vec<(String, String)> {
    let maps = crate::map::texts(capability);
    maps.into_iter()
        .chain(crate::rows::jit::texts(capability))
        .collect()
}
