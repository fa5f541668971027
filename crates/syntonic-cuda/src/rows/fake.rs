//! A card, rows and kernels for the tests of all schedules.

use super::known::{Kernel, PartedKernel};
use super::shape::{DeviceLimits, Rows};
use super::stream::Streams;
use crate::codegen::{Parted, Passing};
use syntonic_core::DType;

pub(super) const H200: DeviceLimits = DeviceLimits {
    processors: 132,
    shared: 227 << 10,
    clusters: true,
    column_rings: true,
    widest: 16,
    cache: 50 << 20,
};

/// A program of one f32 operand, and its kernels.
pub(super) fn kernel(has_parts: bool) -> Kernel {
    let entry = String::new;
    let parted = |held: usize| {
        has_parts.then(|| PartedKernel {
            entry: entry(),
            form: Parted {
                size: 32,
                told: 16,
                lanes: 4,
                held,
                residents: 4,
            },
        })
    };
    Kernel {
        family: "",
        held_entry: entry(),
        vectors: entry(),
        single: entry(),
        parts: parted(8),
        columns: parted(8),
        ring: parted(8),
        cluster: parted(8),
        column_ring: parted(8),
        shares_others: false,
        across: None,
        few: None,
        streams: Default::default(),
        passes_entry: entry(),
        has_passes: false,
        passing: Passing {
            threads: 512,
            residents: 2,
        },
        single_passes: None,
        passes: 2,
        has_held: true,
        held: 4,
        holds_deep: false,
        reads_again: has_parts,
        lanes: 4,
        varies: vec![true, true],
        dtypes: vec![DType::F32; 2],
        regions: vec![4],
        sums: Vec::new(),
        first_input: 0,
        replaced: 0,
        exchange: 16,
        maps_elements: false,
    }
}

pub(super) fn rows(rows: usize, length: usize) -> Rows {
    Rows {
        rows,
        length,
        run: length,
        bytes: 4,
        vectors: true,
    }
}

/// The kernels of a norm of one operand, or of its gradient of two, which arrive by bulk copies.
pub(super) fn batch_norm(dtype: DType, operands: usize) -> Kernel {
    Kernel {
        streams: Streams {
            read: (0..operands).collect(),
            ..Default::default()
        },
        lanes: 16 / dtype.size(),
        dtypes: vec![dtype; operands + 1],
        varies: vec![true; operands + 1],
        ..kernel(true)
    }
}

/// A row for each channel, of `count` planes.
pub(super) fn planes(count: usize, channels: usize, plane: usize) -> Rows {
    Rows {
        run: plane,
        ..rows(channels, count * plane)
    }
}
