//! Parameters of row kernels: they mirror the structs in CUDA.

use super::passes::Waves;
use crate::walk::Divisor32;

/// Inputs and kept values with a region of shared memory.
pub(super) const REGIONS: usize = 12;

/// Mirrors `RowOperand` of `kernels/include/row_program.cuh`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Operand {
    pub(super) address: u64,
    pub(super) step: i64,
    pub(super) run: i64,
    pub(super) rows: [i64; 2],
}

/// Mirrors `RowProgramParams`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Params<const K: usize> {
    pub(super) rows: u32,
    pub(super) length: u32,
    pub(super) threads: u32,
    pub(super) blocks: u32,
    pub(super) across: u32,
    pub(super) turns: u32,
    pub(super) chunk: u32,
    pub(super) direct: u32,
    pub(super) vectors: u32,
    pub(super) exchange: u32,
    pub(super) inner: Divisor32,
    pub(super) run: Divisor32,
    pub(super) region: [u32; REGIONS],
    pub(super) operand: [Operand; K],
    pub(super) number: [f64; 4],
    pub(super) single: [f32; 4],
    pub(super) partial: u64,
    pub(super) counters: u64,
    pub(super) parts: Divisor32,
    pub(super) ahead: u32,
}

// The same number stands beside the struct.
const _: () = assert!(size_of::<Params<2>>() == 272);

/// Mirrors `RowPassesParams` of `kernels/include/row_passes.cuh`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct PassesParams<const K: usize> {
    pub(super) rows: Params<K>,
    pub(super) waves: Waves,
}
const _: () = assert!(size_of::<PassesParams<2>>() == size_of::<Params<2>>() + 16);
