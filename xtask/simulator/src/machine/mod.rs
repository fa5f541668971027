//! The machine that runs kernels: grids of blocks of warps.

pub(crate) mod context;
mod fault;
mod grid;
mod hall;
pub(crate) mod op;
pub(crate) mod ops;
mod proxy;
pub(crate) mod reach;
pub(crate) mod rows;
mod scratch;
mod shadow;
mod shape;
pub(crate) mod swizzle;
pub(crate) mod tensor_map;
mod unit;
mod vector;
mod warp;

use std::sync::Arc;

pub use fault::{Fault, Trouble};
pub use shadow::Checks;

use self::grid::Grid;
use self::reach::SHARED_START;
use self::rows::{Line, lines};
use self::shape::Shape;
use crate::code::Code;
use crate::memory::Memory;
use crate::ptx::{EntryId, Module};

/// The card that is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Compute capability.
    pub capability: (u32, u32),
    /// Streaming multiprocessors.
    pub processors: u32,
    /// Bytes of shared memory that a block may have at most.
    pub shared_per_block_optin: u32,
    /// Checks beyond those of bounds.
    pub checks: Checks,
}

/// A kernel's launch.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The kernel.
    pub entry: EntryId,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Blocks of a cluster; ones for none.
    pub cluster: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The parameters as one piece of memory.
    pub params: &'a [u8],
}

/// Runs a launch to its end; how many instructions its lanes ran.
pub fn run(
    module: &Module,
    launch: &Launch<'_>,
    memory: &Memory,
    card: &Card,
) -> Result<u64, Fault> {
    let blank = |trouble| Fault {
        entry: module.name(launch.entry).into(),
        line: 0,
        text: Box::default(),
        block: [0; 3],
        thread: [0; 3],
        trouble,
    };
    if !vector::is_supported() {
        return Err(blank(Trouble::Unsupported(
            "a host processor without AVX2 and FMA".to_owned(),
        )));
    }
    let code = module.code(launch.entry).map_err(|error| Fault {
        line: error.line,
        text: error.text.clone().into(),
        ..blank(Trouble::Unsupported(error.what))
    })?;
    let shape = shape(&code, launch, card).map_err(|what| blank(Trouble::Launch(what)))?;
    let params = parameters(&code, launch.params);
    let most = resident(&shape, card);
    let grid = Grid::new(&code, shape, params, memory, card.checks, most);
    grid.run().map_err(|fault| module.locate(*fault))
}

fn shape(code: &Code, launch: &Launch<'_>, card: &Card) -> Result<Shape, String> {
    let cluster = launch.cluster.map(|extent| extent.max(1));
    let shape = Shape {
        grid: launch.grid,
        block: launch.block,
        cluster,
        dynamic_shared: launch.shared,
        total_shared: (code.shared_end - SHARED_START).saturating_add(launch.shared),
        processors: card.processors,
        ..Shape::default()
    };
    let threads: u64 = launch
        .block
        .iter()
        .map(|extent| u64::from(*extent))
        .product();
    if threads == 0 || threads > 1024 || launch.block[2] > 64 {
        return Err(format!("blocks of {:?} threads", launch.block));
    }
    if launch.grid.contains(&0) || launch.grid[1] > 65535 || launch.grid[2] > 65535 {
        return Err(format!("a grid of {:?} blocks", launch.grid));
    }
    if cluster.iter().product::<u32>() > 64
        || (0..3).any(|axis| !launch.grid[axis].is_multiple_of(cluster[axis]))
    {
        return Err(format!(
            "a grid of {:?} blocks in clusters of {cluster:?}",
            launch.grid
        ));
    }
    if shape.total_shared > card.shared_per_block_optin {
        return Err(format!("{} bytes of shared memory", shape.total_shared));
    }
    if launch.params.len() < code.param_bytes as usize {
        return Err(format!(
            "{} bytes of parameters in place of {}",
            launch.params.len(),
            code.param_bytes
        ));
    }
    Ok(shape)
}

fn parameters(code: &Code, bytes: &[u8]) -> Arc<[Line]> {
    let mut params = lines(code.param_bytes.max(1) as usize);
    for (index, byte) in bytes.iter().take(code.param_bytes as usize).enumerate() {
        params[index / 64].0[index % 64] = *byte;
    }
    params.into()
}

/// Clusters that the card holds at once.
fn resident(shape: &Shape, card: &Card) -> usize {
    let by_threads = 2048 / shape.threads().next_multiple_of(32).max(32);
    let by_shared = (card.shared_per_block_optin + 1024) / (shape.total_shared + 1024);
    let blocks = card.processors.max(1) * by_threads.min(by_shared).clamp(1, 32);
    (blocks / shape.cluster.iter().product::<u32>()).max(1) as usize
}
