//! Operands in any layout over an index space of several axes, and the parameter of kernels that walk it.

use super::operand::{Source, Span, with_factor};
use super::straight::{MADE, OUTPUTS};
use crate::walk::{AXES, Divisor32, Space};
use std::mem::offset_of;
use syntonic_core::DType;
use syntonic_core::layout::Strides;

/// Units of a walk at most: positions are numbers of 32 bits.
const UNITS: usize = i32::MAX as usize;

/// How a thread reads an operand for one vector of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Access {
    /// A number passed at launch.
    Number,
    /// One element of memory for all.
    Point,
    /// A whole vector.
    Vector,
    /// One element for the vector.
    Splat,
    /// Neighbours that begin where no vector may.
    Neighbours,
    /// One by one, a stride apart.
    Apart,
    /// No memory: one index for the vector.
    Index,
    /// No memory: an index, and others a stride apart.
    Indices,
}

/// What a kernel over walked operands is made for; lengths, strides and addresses are its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    /// Axes, after those that continue each other are merged.
    pub(crate) axes: usize,
    /// Elements per vector, along the innermost axis.
    pub(crate) lanes: usize,
    /// Vectors per thread.
    pub(crate) vectors: usize,
    /// How each operand is read, and a bit for each axis along which it moves, the innermost first.
    pub(crate) reads: Vec<(Access, u8)>,
    /// The same bits of each result.
    pub(crate) writes: Vec<u8>,
    /// The axes of tiles, where operands lie turned: the innermost of the results, and that of each that lies otherwise.
    pub(crate) tile: Vec<Side>,
}

/// A side of a tile. Positions go tile by tile where an operand's innermost axis is another than that of the results: what a sector has
/// beside the element that is wanted is then wanted by a neighbour, and in the first-level cache. Tiles at the ends of the axes have
/// positions beyond them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// The axis, counted from the innermost of the results.
    pub(crate) axis: usize,
    /// Positions along it, as a power of two; along the innermost axis they are vectors.
    pub(crate) bits: u32,
}

/// An operand of a launch.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Operand {
    address: u64,
    bits: [u64; 2],
}

/// The parameter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Params {
    outputs: [u64; OUTPUTS],
    inputs: [Operand; MADE],
    /// Vectors of a result.
    units: u32,
    /// Lengths of the axes in vectors, the innermost first; those of a tile's axes in tiles.
    lengths: [Divisor32; AXES],
    /// Where the axes of tiles end, the innermost in vectors.
    ends: [u32; SIDES],
    /// In elements; results come behind the operands.
    strides: [[i32; AXES]; MADE + OUTPUTS],
}

/// The byte offsets of its fields.
pub(crate) mod place {
    use super::{AXES, Divisor32, MADE, Operand, Params, offset_of};

    pub(crate) const SIZE: usize = size_of::<Params>();
    pub(crate) const UNITS: usize = offset_of!(Params, units);
    const _: () = assert!(SIZE <= 4096);

    /// The address of result `k`.
    pub(crate) fn output(k: usize) -> usize {
        offset_of!(Params, outputs) + 8 * k
    }

    /// The address of operand `k`.
    pub(crate) fn address(k: usize) -> usize {
        offset_of!(Params, inputs) + size_of::<Operand>() * k
    }

    /// The number that operand `k` is.
    pub(crate) fn bits(k: usize) -> usize {
        address(k) + offset_of!(Operand, bits)
    }

    /// The divisor, factor and shift of axis `a`.
    pub(crate) fn length(a: usize) -> [usize; 3] {
        let first = offset_of!(Params, lengths) + size_of::<Divisor32>() * a;
        [first, first + 4, first + 8]
    }

    /// Where the axis of a tile's side ends.
    pub(crate) fn end(side: usize) -> usize {
        offset_of!(Params, ends) + 4 * side
    }

    /// The stride of operand `k` along axis `a`.
    pub(crate) fn stride(k: usize, a: usize) -> usize {
        offset_of!(Params, strides) + 4 * (AXES * k + a)
    }

    /// The stride of result `k` along axis `a`.
    pub(crate) fn output_stride(k: usize, a: usize) -> usize {
        stride(MADE + k, a)
    }
}

/// A launch over walked operands.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    /// What its kernel is made for.
    pub(crate) walk: Walk,
    /// Vectors of a result.
    pub(crate) units: usize,
    /// Its parameter.
    pub(crate) params: Params,
}

/// A tensor of a launch.
pub(crate) struct Reached<'a> {
    pub(crate) address: u64,
    pub(crate) size: usize,
    /// Over all axes, the vector axis last.
    pub(crate) strides: &'a Strides,
}

impl Reached<'_> {
    pub(crate) fn inner(&self) -> isize {
        self.strides.last().copied().unwrap_or(0)
    }

    /// True if every vector of `lanes` elements is contiguous and aligned.
    pub(crate) fn is_whole(&self, lanes: usize) -> bool {
        let outer = self.strides.iter().rev().skip(1);
        self.inner() == 1
            && self.address.is_multiple_of((lanes * self.size) as u64)
            && outer.into_iter().all(|s| s % lanes as isize == 0)
    }

    pub(crate) fn access(&self, lanes: usize) -> Access {
        match self.inner() {
            _ if self.strides.iter().all(|&s| s == 0) => Access::Point,
            _ if lanes > 1 && self.is_whole(lanes) => Access::Vector,
            0 if lanes > 1 => Access::Splat,
            1 if lanes > 1 => Access::Neighbours,
            _ => Access::Apart,
        }
    }
}

/// A bit for each axis along which an operand moves, the innermost first.
pub(crate) fn moves(strides: &Strides) -> u8 {
    let each = strides.iter().rev().enumerate();
    each.fold(0, |bits, (a, &s)| bits | u8::from(s != 0) << a)
}

/// Bytes of a result along a tile, and elements along the other axis as a power of two: whole lines of either.
const TILE: (usize, u32) = (128, 5);
/// The same of tiles of three sides: what the first-level cache has room for.
const CUBE: (usize, u32) = (64, 3);
/// Sides of a tile at most.
const SIDES: usize = 3;

/// The power of two, up to `most`, whose multiples leave few positions beyond `n`.
fn part(n: usize, most: u32) -> u32 {
    let idle = |k: &u32| {
        let part = 1usize << k;
        // A short part leaves what its sectors have beside to another tile.
        let cost = (n.div_ceil(part) * part) as f64 * (1.0 + 2.0 / part as f64);
        cost.round() as usize
    };
    (0..=most).rev().min_by_key(idle).unwrap_or(most)
}

/// The tiles of a space whose first `results` strides are those of results, with vectors of so many bytes and `lanes` elements. Operands that
/// are not `of_memory` are indices, and lie nowhere.
fn tile(
    space: &Space,
    of_memory: impl Fn(usize) -> bool,
    results: usize,
    lanes: usize,
    bytes: usize,
) -> Vec<Side> {
    let last = space.dims.len() - 1;
    let mut turned: Vec<usize> = Vec::new();
    let read = results..space.strides.len();
    for strides in read.filter(|&k| of_memory(k)).map(|k| &space.strides[k]) {
        let axis = (0..last).find(|&a| strides[a].unsigned_abs() == 1);
        if let Some(axis) = axis.filter(|a| !matches!(strides[last], 0 | 1) && !turned.contains(a))
        {
            turned.push(axis);
        }
    }
    turned.truncate(SIDES - 1);
    let (across, along) = if turned.len() > 1 { CUBE } else { TILE };
    let across = (across / bytes.max(1)).max(2).ilog2();
    let inner = Side {
        axis: 0,
        bits: part(space.dims[last] / lanes, across),
    };
    let mut sides = vec![inner];
    sides.extend(turned.into_iter().map(|axis| Side {
        axis: last - axis,
        bits: part(space.dims[axis], along),
    }));
    sides.retain(|side| side.bits > 0);
    match sides.first() {
        Some(Side { axis: 0, .. }) if sides.len() > 1 => sides,
        _ => Vec::new(),
    }
}

/// Why no kernel walks operands over an index space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unwalkable {
    /// It has too many axes.
    Axes,
    /// It has too many positions, or elements lie too far apart.
    Large,
    /// A complex operand lies at a multiple of its parts' size.
    Misaligned,
}

impl Unwalkable {
    /// The axis whose halves are easier to walk; nothing where that is of no help.
    pub(crate) fn axis(
        self,
        sources: &[(Source, DType)],
        outputs: &[(Span, DType)],
        dims: &[usize],
    ) -> Option<usize> {
        let long = (0..dims.len()).filter(|&a| dims[a] > 1);
        let read = sources
            .iter()
            .filter_map(|(source, dtype)| Some(source.lies(*dtype)?.0));
        let spans: Vec<&Span> = read.chain(outputs.iter().map(|(span, _)| span)).collect();
        let reach = |a: usize| {
            let steps = spans
                .iter()
                .map(|span| span.strides[a].unsigned_abs().max(1));
            (dims[a] - 1).saturating_mul(steps.max().unwrap_or(1))
        };
        match self {
            Unwalkable::Axes => long.min_by_key(|&a| dims[a]),
            Unwalkable::Large => long.max_by_key(|&a| reach(a)),
            Unwalkable::Misaligned => None,
        }
    }
}

impl Walked {
    /// The operands over their index space: no more than a kernel takes. A thread has at most `most` elements.
    pub(crate) fn of(
        sources: &[(Source, DType)],
        outputs: &[(Span, DType)],
        dims: &[usize],
        most: usize,
    ) -> Result<Walked, Unwalkable> {
        let lying = || {
            sources
                .iter()
                .filter(|(s, _)| !matches!(s, Source::Number(_)))
        };
        let index = |(source, _): &(Source, DType)| matches!(source, Source::Index(_));
        let indices: Vec<bool> = lying().map(index).collect();
        let tensors = lying().filter_map(|(source, dtype)| source.lies(*dtype));
        let written = outputs.iter().map(|(span, dtype)| (span, dtype.size()));
        let all: Vec<(&Span, usize)> = written.chain(tensors).collect();
        let views: Vec<&[isize]> = all.iter().map(|(span, _)| &span.strides[..]).collect();
        let space = Space::sorted(dims, &views, 0);
        let axes = space.dims.len();
        if axes > AXES {
            return Err(Unwalkable::Axes);
        }
        if !space.is_narrow() {
            return Err(Unwalkable::Large);
        }
        let reached = all.iter().zip(&space.bases).zip(&space.strides);
        let reached: Vec<Reached<'_>> = reached
            .map(|((&(span, size), &base), strides)| Reached {
                address: (span.address).wrapping_add_signed((base * size as isize) as i64),
                size,
                strides,
            })
            .collect();
        // Complex numbers may lie at multiples of their parts' size, which no load of both takes.
        if reached
            .iter()
            .any(|t| !t.address.is_multiple_of(t.size as u64))
        {
            return Err(Unwalkable::Misaligned);
        }
        let (written, read) = reached.split_at(outputs.len());
        let inner = space.dims.last().copied().unwrap_or(1);
        let in_memory = read.iter().zip(&indices).filter(|(_, index)| !**index);
        let rows = written.iter().chain(in_memory.map(|(t, _)| t));
        let rows = rows.filter(|t| t.inner() == 1);
        let widest = rows.map(|t| t.size).max().unwrap_or(16);
        let fits = |lanes: usize| {
            lanes <= most
                && inner.is_multiple_of(lanes)
                && written.iter().all(|t| t.is_whole(lanes))
        };
        let lanes = [8, 4, 2].into_iter().find(|&n| n * widest <= 16 && fits(n));
        let lanes = lanes.unwrap_or(1);
        // A thread that works on single elements takes several of them, so that enough bytes are in flight.
        let vectors = if lanes > 1 {
            1
        } else {
            (16 / widest.max(2)).min(most).max(1)
        };
        let narrowest = written.iter().map(|t| t.size).min().unwrap_or(1);
        let of_memory = |k: usize| k < outputs.len() || !indices[k - outputs.len()];
        let tile = tile(&space, of_memory, outputs.len(), lanes, lanes * narrowest);
        let mut lengths: Vec<usize> = space.dims.iter().rev().copied().collect();
        lengths[0] /= lanes;
        let mut ends = [0; SIDES];
        let mut inside = 1;
        for (end, side) in ends.iter_mut().zip(&tile) {
            *end = lengths[side.axis] as u32;
            lengths[side.axis] = lengths[side.axis].div_ceil(1 << side.bits);
            inside <<= side.bits;
        }
        let units = lengths.iter().product::<usize>() * inside;
        if units > UNITS {
            return Err(Unwalkable::Large);
        }
        let accesses = read.iter().zip(&indices).map(|(t, index)| match t.inner() {
            0 if *index && lanes > 1 => Access::Index,
            _ if *index => Access::Indices,
            _ => t.access(lanes),
        });
        let accesses: Vec<Access> = accesses.collect();
        let addresses: Vec<u64> = reached.iter().map(|t| t.address).collect();
        let mut params = Params {
            outputs: [0; OUTPUTS],
            inputs: [Operand::default(); MADE],
            units: units as u32,
            lengths: [Divisor32::default(); AXES],
            ends,
            strides: [[0; AXES]; MADE + OUTPUTS],
        };
        for (to, &n) in params.lengths.iter_mut().zip(&lengths) {
            *to = Divisor32::new(n as u32);
        }
        let steps = |to: &mut [i32; AXES], from: &Strides| {
            for (to, &stride) in to.iter_mut().zip(from.iter().rev()) {
                *to = stride as i32;
            }
        };
        let (written, read) = space.strides.split_at(outputs.len());
        for (k, strides) in written.iter().enumerate() {
            params.outputs[k] = addresses[k];
            steps(&mut params.strides[MADE + k], strides);
        }
        let mut reads = vec![(Access::Number, 0); sources.len()];
        for (to, (source, dtype)) in params.inputs.iter_mut().zip(sources) {
            if let Source::Number(value) = source {
                to.bits = with_factor(*value, *dtype);
            }
        }
        let lying = (0..sources.len()).filter(|&k| !matches!(sources[k].0, Source::Number(_)));
        let read = addresses[outputs.len()..].iter().zip(read).zip(accesses);
        for (k, ((&address, strides), access)) in lying.zip(read) {
            params.inputs[k].address = address;
            steps(&mut params.strides[k], strides);
            reads[k] = (access, moves(strides));
        }
        let walk = Walk {
            axes,
            lanes,
            vectors,
            reads,
            writes: written.iter().map(moves).collect(),
            tile,
        };
        Ok(Walked {
            walk,
            units,
            params,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(address: u64, strides: &[isize]) -> (Source, DType) {
        let strides = strides.iter().copied().collect();
        (Source::Tensor(Span { address, strides }), DType::F32)
    }

    fn walk(sources: &[(Source, DType)], out: &[isize], dims: &[usize]) -> Walk {
        let strides = out.iter().copied().collect();
        let outputs = [(
            Span {
                address: 4096,
                strides,
            },
            DType::F32,
        )];
        Walked::of(sources, &outputs, dims, 64).unwrap().walk
    }

    #[test]
    fn each_operand_is_read_as_it_lies() {
        let sources = [
            tensor(4096, &[64, 1]),
            tensor(4100, &[64, 1]),
            tensor(4096, &[1, 0]),
            tensor(4096, &[2, 64]),
            tensor(4096, &[0, 0]),
            (Source::Number(2.0.into()), DType::F32),
            tensor(4096, &[0, 1]),
        ];
        let got = walk(&sources, &[64, 1], &[32, 64]);
        assert_eq!((got.axes, got.lanes, got.vectors), (2, 4, 1));
        let access = [
            (Access::Vector, 3),
            (Access::Neighbours, 3),
            (Access::Splat, 2),
            (Access::Apart, 3),
            (Access::Point, 0),
            (Access::Number, 0),
            (Access::Vector, 1),
        ];
        assert_eq!(got.reads, access);
    }

    #[test]
    fn a_row_of_odd_length_goes_element_by_element() {
        let got = walk(&[tensor(4096, &[64, 1])], &[63, 1], &[32, 63]);
        assert_eq!((got.lanes, got.vectors), (1, 4));
        assert_eq!(got.reads, [(Access::Apart, 3)]);
    }

    /// Where each vector of each operand and result begins, in elements.
    fn visited(walked: &Walked, operands: usize) -> Vec<Vec<i64>> {
        let params = &walked.params;
        let mut all = Vec::new();
        for unit in 0..walked.units {
            let mut rest = unit;
            let mut take = |bits: u32| {
                let part = rest & ((1 << bits) - 1);
                rest >>= bits;
                part
            };
            let inside: Vec<usize> = walked.walk.tile.iter().map(|s| take(s.bits)).collect();
            let mut at = vec![0i64; operands + 1];
            let mut beyond = false;
            for a in 0..walked.walk.axes {
                let n = params.lengths[a].length() as usize;
                let last = a + 1 == walked.walk.axes;
                let mut here = if last { rest } else { rest % n };
                rest /= n;
                let sides = walked.walk.tile.iter().zip(&inside).zip(params.ends);
                for ((side, within), end) in sides.filter(|((side, _), _)| side.axis == a) {
                    here = (here << side.bits) + within;
                    beyond |= here >= end as usize;
                }
                let times = if a == 0 { walked.walk.lanes } else { 1 };
                let strides = params.strides[..operands]
                    .iter()
                    .chain([&params.strides[MADE]]);
                for (at, strides) in at.iter_mut().zip(strides) {
                    *at += (here * times) as i64 * i64::from(strides[a]);
                }
            }
            if !beyond {
                all.push(at);
            }
        }
        all.sort();
        all
    }

    #[test]
    fn tiles_visit_every_vector_once() {
        for dims in [[3usize, 32, 128], [2, 48, 64], [1, 30, 63], [5, 54, 1254]] {
            let [_, b, c] = dims.map(|n| n as isize);
            let sources = [tensor(4096, &[b * c, 1, b]), tensor(4096, &[b * c, c, 1])];
            let strides = [b * c, c, 1].into_iter().collect();
            let outputs = [(
                Span {
                    address: 4096,
                    strides,
                },
                DType::F32,
            )];
            let walked = Walked::of(&sources, &outputs, &dims, 64).unwrap();
            let lanes = walked.walk.lanes as i64;
            let mut want = Vec::new();
            for x in 0..dims[0] as i64 {
                for y in 0..b as i64 {
                    for z in (0..c as i64).step_by(lanes as usize) {
                        let (b, c) = (b as i64, c as i64);
                        let straight = x * b * c + y * c + z;
                        want.push(vec![x * b * c + y + z * b, straight, straight]);
                    }
                }
            }
            want.sort();
            assert_eq!(visited(&walked, 2), want, "{dims:?}");
            assert_eq!(walked.walk.tile.len(), 2, "{dims:?}");
            assert!(walked.units < 3 * want.len(), "{dims:?}");
        }
    }

    #[test]
    fn operands_that_lie_two_other_ways_make_tiles_of_three_sides() {
        let [a, b, c] = [6, 20, 36];
        let sources = [tensor(4096, &[1, a, a * b]), tensor(4096, &[b * c, 1, b])];
        let outputs = [(
            Span {
                address: 4096,
                strides: [b * c, c, 1].into_iter().collect(),
            },
            DType::F32,
        )];
        let dims = [a, b, c].map(|n| n as usize);
        let walked = Walked::of(&sources, &outputs, &dims, 64).unwrap();
        assert_eq!(walked.walk.tile.len(), 3);
        let mut results: Vec<i64> = visited(&walked, 2).iter().map(|at| at[2]).collect();
        results.sort_unstable();
        let lanes = walked.walk.lanes as i64;
        let all: Vec<i64> = (0..(a * b * c) as i64 / lanes).map(|k| k * lanes).collect();
        assert_eq!(results, all);
    }

    #[test]
    fn results_decide_the_order() {
        // A transposed result, read as it is stored.
        let got = walk(&[tensor(4096, &[1, 32])], &[1, 32], &[32, 64]);
        assert_eq!((got.axes, got.lanes), (1, 4));
        assert_eq!(got.reads, [(Access::Vector, 1)]);
    }
}
