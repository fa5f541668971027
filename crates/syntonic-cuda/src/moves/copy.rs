//! Copies of any layout: tiled transposes through shared memory where the operands' innermost axes differ, else copies of
//! runs.

use super::gather::{Places, along, has_runs};
use super::{BLOCK, cell, further, part};
use crate::context::Geometry;
use crate::contract::{Contract, contract};
use crate::plan::Carrier;
use crate::walk::{Space, Wide};
use syntonic_core::Result;

contract! {
    "transpose":
    /// Two axes change places.
    pub(crate) struct Transpose as "Transpose" {
        /// Output, input.
        batch: Wide<2>,
        /// Of positions of the batch.
        count: u64,
        to: u64,
        from: u64,
        a_len: u64,
        b_len: u64,
        a_tiles: u64,
        b_tiles: u64,
        to_a: i64,
        to_b: i64,
        from_a: i64,
        from_b: i64,
        /// The tile along `b`, and the batch, that a launch of vectors begins with.
        first_b: u64,
        first_batch: u64,
    }
}

/// An address and strides in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strided<'a> {
    /// Address of the first element.
    pub(crate) address: u64,
    /// Strides over the shape.
    pub(crate) strides: &'a [isize],
}

/// The accesses of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vectors {
    /// 16-byte vectors on both sides.
    Wide,
    /// One element at a time.
    Single,
}

/// The kernel for tiles of elements of a size: elements of a tile along the output's and the input's innermost axis, and
/// threads per block.
fn tile(size: usize, vectors: Vectors) -> (usize, usize, u32) {
    match (vectors, size) {
        (Vectors::Wide, 1) => (128, 128, 64),
        (Vectors::Wide, 2) => (128, 128, BLOCK),
        (Vectors::Wide, 4) => (64, 64, BLOCK),
        (Vectors::Wide, 8) => (64, 32, BLOCK),
        (Vectors::Wide, _) => (64, 16, BLOCK),
        (Vectors::Single, 1 | 2 | 4) => (64, 64, BLOCK),
        (Vectors::Single, _) => (32, 32, BLOCK),
    }
}

/// Tiles along the second and the third axis of a grid; more take further launches.
const GRID: usize = Geometry::BEYOND as usize;

/// Axes shorter than this are not worth a tile.
const SHORT_AXIS: usize = 8;

/// The innermost axis of the input, if transposing tiles of it and of the last axis, the innermost of the output, pays.
fn turned_axis(space: &Space) -> Option<usize> {
    let last = space.dims.len() - 1;
    let step = |a: usize| space.strides[1][a].unsigned_abs();
    let axis = (0..last)
        .filter(|&a| step(a) != 0)
        .min_by_key(|&a| step(a))?;
    let long = space.dims[axis] >= SHORT_AXIS && space.dims[last] >= SHORT_AXIS;
    // Output neighbours within 32 bytes of the input need no transpose.
    let apart = step(last) > 2 * step(axis) && step(last) != 0;
    (long && apart).then_some(axis)
}

/// Whether 16-byte vectors fit everywhere; `axis` is the input's innermost.
fn vectors(space: &Space, axis: usize, size: usize, addresses: [u64; 2]) -> Vectors {
    let per = 16 / size;
    let last = space.dims.len() - 1;
    let units = space.strides[0][last] == 1 && space.strides[1][axis] == 1;
    let whole = [axis, last]
        .iter()
        .all(|&a| space.dims[a].is_multiple_of(per));
    let rows = (0..2).all(|k| {
        let unit = if k == 0 { last } else { axis };
        let fits = |a: usize| a == unit || space.strides[k][a].unsigned_abs().is_multiple_of(per);
        (0..=last).all(fits)
    });
    let aligned = addresses.iter().all(|a| a.is_multiple_of(16));
    if units && whole && rows && aligned {
        Vectors::Wide
    } else {
        Vectors::Single
    }
}

/// Copies elements of `size` bytes, `shape` of them, from one layout to another, if they form runs or a tiled transpose fits;
/// says whether it did. Scattered elements are left to other kernels.
///
/// # Safety
/// Both name live memory of this GPU that fits their strides; they do not overlap, and no two elements of `to` are the same.
pub(crate) unsafe fn copy<C: Carrier>(
    carrier: &C,
    size: usize,
    shape: &[usize],
    to: Strided<'_>,
    from: Strided<'_>,
) -> Result<bool> {
    let still = vec![0; shape.len()];
    let space = Space::sorted(shape, &[to.strides, from.strides, &still], 0);
    if space.len() == 0 {
        return Ok(true);
    }
    let places = Places {
        to: to.address,
        from: from.address,
        index: 0,
    };
    // SAFETY: the caller's promise.
    unsafe {
        match turned_axis(&space) {
            Some(axis) => turn(carrier, size, &space, axis, places)?,
            None if has_runs(&space, size) => along(carrier, size, &space, places)?,
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Copies by transposing tiles of `axis` and the last axis.
unsafe fn turn<C: Carrier>(
    carrier: &C,
    size: usize,
    space: &Space,
    axis: usize,
    places: Places,
) -> Result<()> {
    let last = space.dims.len() - 1;
    let addresses = [
        further(places.to, space.bases[0], size),
        further(places.from, space.bases[1], size),
    ];
    let vectors = vectors(space, axis, size, addresses);
    let rest: Vec<usize> = (0..last).filter(|&a| a != axis).collect();
    let batch = part(space, &rest, &[0, 1]);
    let (a_side, b_side, threads) = tile(size, vectors);
    let (a_tiles, b_tiles) = (
        space.dims[last].div_ceil(a_side),
        space.dims[axis].div_ceil(b_side),
    );
    let suffix = if vectors == Vectors::Wide {
        "_wide"
    } else {
        ""
    };
    let name = format!("transpose_{}{suffix}", cell(size));
    for piece in batch.pieces() {
        let params = Transpose {
            batch: piece.wide(),
            count: piece.len() as u64,
            to: further(addresses[0], piece.bases[0], size),
            from: further(addresses[1], piece.bases[1], size),
            a_len: space.dims[last] as u64,
            b_len: space.dims[axis] as u64,
            a_tiles: a_tiles as u64,
            b_tiles: b_tiles as u64,
            to_a: space.strides[0][last] as i64,
            to_b: space.strides[0][axis] as i64,
            from_a: space.strides[1][last] as i64,
            from_b: space.strides[1][axis] as i64,
            first_b: 0,
            first_batch: 0,
        };
        for (geometry, [first_b, first_batch]) in
            grids(vectors, [a_tiles, b_tiles, piece.len()], threads)
        {
            let params = Transpose {
                first_b: first_b as u64,
                first_batch: first_batch as u64,
                ..params
            };
            // SAFETY: the caller's promise; the struct is the kernel's.
            unsafe { params.launch(carrier, &name, geometry)? };
        }
    }
    Ok(())
}

/// The launches over these tiles: along `a`, along `b`, and over the batch; each with its first tile along `b` and its first
/// batch.
fn grids(
    vectors: Vectors,
    [a, b, batches]: [usize; 3],
    threads: u32,
) -> impl Iterator<Item = (Geometry, [usize; 2])> {
    let most = match vectors {
        Vectors::Wide => GRID,
        Vectors::Single => usize::MAX,
    };
    let firsts = (0..batches).step_by(most);
    let firsts = firsts.flat_map(move |batch| (0..b).step_by(most).map(move |b| [b, batch]));
    firsts.map(move |first| {
        let [b, batches] = [b - first[0], batches - first[1]].map(|left| left.min(most));
        let geometry = match vectors {
            Vectors::Wide => Geometry {
                grid: [a, b, batches].map(|tiles| tiles as u32),
                ..Geometry::line(1, threads)
            },
            Vectors::Single => Geometry::line((a * b * batches) as u64, threads),
        };
        (geometry, first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(shape: &[usize], to: &[isize], from: &[isize]) -> Space {
        Space::sorted(shape, &[to, from, &vec![0; shape.len()]], 0)
    }

    #[test]
    fn tiles_are_turned_where_fastest_axes_differ() {
        let transposed = space(&[4096, 4096], &[4096, 1], &[1, 4096]);
        assert_eq!(turned_axis(&transposed), Some(0));
        let permuted = space(
            &[1024, 64, 512],
            &[64 * 512, 512, 1],
            &[1, 512 * 1024, 1024],
        );
        assert_eq!(permuted.dims[..], [1024, 64 * 512]);
        assert_eq!(turned_axis(&permuted), Some(0));
        assert_eq!(vectors(&permuted, 0, 4, [0, 0]), Vectors::Wide);
        for along in [
            space(&[100, 100], &[100, 1], &[200, 1]),
            space(&[100, 100], &[100, 1], &[0, 1]),
            space(&[100, 100], &[100, 1], &[1, 0]),
            space(&[100, 100], &[100, 1], &[200, 2]),
            space(&[100, 3], &[3, 1], &[1, 100]),
        ] {
            assert_eq!(turned_axis(&along), None, "{along:?}");
        }
    }

    #[test]
    fn launches_have_every_tile_once() {
        let of = |vectors, tiles| -> Vec<([u32; 3], [usize; 2])> {
            let all = grids(vectors, tiles, BLOCK);
            all.map(|(geometry, first)| (geometry.grid, first))
                .collect()
        };
        let grid = of(Vectors::Wide, [7, 5, 3]);
        assert_eq!(grid, [([7, 5, 3], [0, 0])]);
        let few = of(Vectors::Wide, [2, GRID + 4, GRID + 1]);
        let most = GRID as u32;
        assert_eq!(
            few,
            [
                ([2, most, most], [0, 0]),
                ([2, 4, most], [GRID, 0]),
                ([2, most, 1], [0, GRID]),
                ([2, 4, 1], [GRID, GRID]),
            ]
        );
        let single = of(Vectors::Single, [2, GRID + 4, 3]);
        assert_eq!(single, [([6 * (most + 4), 1, 1], [0, 0])]);
        assert!(of(Vectors::Wide, [1, 1, 0]).is_empty());
    }

    #[test]
    fn vectors_need_whole_sixteens() {
        let odd = space(&[4095, 4096], &[4096, 1], &[1, 4095]);
        assert_eq!(vectors(&odd, 0, 4, [0, 0]), Vectors::Single);
        let even = space(&[4096, 4096], &[4096, 1], &[1, 4096]);
        assert_eq!(vectors(&even, 0, 4, [0, 0]), Vectors::Wide);
        assert_eq!(vectors(&even, 0, 4, [0, 4]), Vectors::Single);
        assert_eq!(vectors(&even, 0, 1, [16, 32]), Vectors::Wide);
        let backwards = space(&[64, 64], &[64, 1], &[-1, 64]);
        assert_eq!(vectors(&backwards, 0, 4, [0, 0]), Vectors::Single);
        let padded = space(&[64, 64], &[64, 1], &[1, 66]);
        assert_eq!(vectors(&padded, 0, 4, [0, 0]), Vectors::Single);
        assert_eq!(vectors(&padded, 0, 8, [0, 0]), Vectors::Wide);
    }
}
