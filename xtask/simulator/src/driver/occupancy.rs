//! How many blocks of a kernel a processor holds at once.

use std::ffi::{c_int, c_uint};

use super::code::Code;
use super::context::usable;
use super::exports::{Answer, Out, exports, give};
use super::function::{Function, known};
use super::handles::Handle;
use super::model::{Model, REGISTERS, THREADS};
use super::state::driver;

/// Bytes of shared memory for blocks of so many threads, as the caller has it.
type Shared = Option<unsafe extern "C" fn(c_int) -> usize>;

/// Blocks of `threads` threads that a processor of the model holds, where each adds `shared` bytes of shared memory.
fn blocks(model: &Model, function: &Function, threads: u32, shared: usize) -> i32 {
    if threads == 0 || threads > function.threads() {
        return 0;
    }
    let warps = threads.div_ceil(32) as i32;
    let by_threads = model.threads / (32 * warps);
    // Registers are given out to warps in portions of 256.
    let registers = (function.attributes.registers.max(1) * 32).next_multiple_of(256) as i32;
    let by_registers = REGISTERS / (registers * warps);
    let used = function.attributes.shared as usize + shared;
    let by_shared = if used > model.shared_optin as usize {
        0
    } else {
        model.shared_of_processor as usize / (used + model.shared_reserved as usize).max(1)
    };
    let by_shared = i32::try_from(by_shared).unwrap_or(i32::MAX);
    by_threads
        .min(by_registers)
        .min(by_shared)
        .min(model.blocks)
}

fn give_blocks(out: Out<'_, c_int>, function: Handle, threads: c_int, shared: usize) -> Answer {
    usable()?;
    let threads = u32::try_from(threads).map_err(|_| Code::InvalidValue)?;
    give(
        out,
        blocks(&driver()?.model()?, &*known(function)?, threads, shared),
    )
}

/// The size of blocks at which most threads are at work, and how many such blocks fill the card.
///
/// # Safety
/// `by_size` can be called.
unsafe fn best(
    function: &Function,
    by_size: Shared,
    shared: usize,
    limit: c_int,
) -> Answer<(c_int, c_int)> {
    let most = match limit {
        0 => function.threads(),
        limit => u32::try_from(limit)
            .map_err(|_| Code::InvalidValue)?
            .min(function.threads()),
    };
    let model = driver()?.model()?;
    let mut found = (0, 0);
    let mut working = 0;
    let mut size = most.min(THREADS).next_multiple_of(32).min(THREADS);
    while size > 0 {
        // SAFETY: the caller's promise.
        let shared = by_size.map_or(shared, |f| unsafe { f(size as c_int) });
        let count = blocks(&model, function, size, shared);
        if count * size as i32 > working {
            working = count * size as i32;
            found = (count * driver()?.settings.processors as i32, size as c_int);
        }
        size -= 32;
    }
    Ok(found)
}

exports! {
    /// Blocks that a processor holds at once.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        out: Out<'_, c_int>, function: Handle, threads: c_int, shared: usize,
    ) {
        give_blocks(out, function, threads, shared)
    }

    /// As above; flags are about caches.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        out: Out<'_, c_int>, function: Handle, threads: c_int, shared: usize, _flags: c_uint,
    ) {
        give_blocks(out, function, threads, shared)
    }

    /// The best size of blocks.
    fn cuOccupancyMaxPotentialBlockSize(
        grid: Out<'_, c_int>, block: Out<'_, c_int>, function: Handle, by_size: Shared, shared: usize, limit: c_int,
    ) {
        usable()?;
        // SAFETY: the caller's promise.
        let (blocks, threads) = unsafe { best(&*known(function)?, by_size, shared, limit)? };
        give(grid, blocks)?;
        give(block, threads)
    }

    /// As above; flags are about caches.
    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<'_, c_int>, block: Out<'_, c_int>, function: Handle, by_size: Shared, shared: usize, limit: c_int,
        _flags: c_uint,
    ) {
        usable()?;
        // SAFETY: the caller's promise.
        let (blocks, threads) = unsafe { best(&*known(function)?, by_size, shared, limit)? };
        give(grid, blocks)?;
        give(block, threads)
    }

    /// Bytes of shared memory that each of so many blocks of a processor may add.
    fn cuOccupancyAvailableDynamicSMemPerBlock(
        out: Out<'_, usize>, function: Handle, blocks: c_int, _threads: c_int,
    ) {
        usable()?;
        let model = driver()?.model()?;
        let blocks = usize::try_from(blocks).ok().filter(|n| *n > 0).ok_or(Code::InvalidValue)?;
        let each = model.shared_of_processor as usize / blocks;
        let used = model.shared_reserved as usize + known(function)?.attributes.shared as usize;
        give(out, each.min(model.shared_optin as usize).saturating_sub(used))
    }
}
