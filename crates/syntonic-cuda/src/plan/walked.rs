//! Operands in any layout over an index space of several axes, and the parameter of kernels that walk it.

use super::operand::{Source, Span, repeated};
use super::straight::{INPUTS, OUTPUTS};
use crate::walk::{AXES, Divisor32, Space};
use std::mem::offset_of;
use syntonic_core::DType;
use syntonic_core::layout::Strides;

/// Units of a walk at most: positions are numbers of 32 bits.
const UNITS: usize = i32::MAX as usize;

/// How a thread reads an operand for one vector of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// An operand of a launch.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Operand {
    address: u64,
    bits: u64,
}

/// The parameter.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Params {
    outputs: [u64; OUTPUTS],
    inputs: [Operand; INPUTS],
    /// Vectors of a result.
    units: u32,
    /// Lengths of the axes in vectors, the innermost first.
    lengths: [Divisor32; AXES],
    /// In elements; results come behind the operands.
    strides: [[i32; AXES]; INPUTS + OUTPUTS],
}

/// The byte offsets of its fields.
pub(crate) mod place {
    use super::{AXES, Divisor32, INPUTS, Operand, Params, offset_of};

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

    /// The stride of operand `k` along axis `a`.
    pub(crate) fn stride(k: usize, a: usize) -> usize {
        offset_of!(Params, strides) + 4 * (AXES * k + a)
    }

    /// The stride of result `k` along axis `a`.
    pub(crate) fn output_stride(k: usize, a: usize) -> usize {
        stride(INPUTS + k, a)
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
struct Reached<'a> {
    address: u64,
    size: usize,
    strides: &'a Strides,
}

impl Reached<'_> {
    fn inner(&self) -> isize {
        self.strides.last().copied().unwrap_or(0)
    }

    /// True if every vector of `lanes` elements is contiguous and aligned.
    fn is_whole(&self, lanes: usize) -> bool {
        let outer = self.strides.iter().rev().skip(1);
        self.inner() == 1
            && self.address.is_multiple_of((lanes * self.size) as u64)
            && outer.into_iter().all(|s| s % lanes as isize == 0)
    }

    fn access(&self, lanes: usize) -> Access {
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
fn moves(strides: &Strides) -> u8 {
    let each = strides.iter().rev().enumerate();
    each.fold(0, |bits, (a, &s)| bits | u8::from(s != 0) << a)
}

/// Elements of a tile along the innermost axis of the results, and along that of what is turned.
const TILE: (usize, usize) = (64, 32);
/// Vectors of a tile at least: fewer are no better than none.
const LEAST: usize = 64;

/// The largest power of two up to `most` that divides `n`.
fn part(n: usize, most: usize) -> usize {
    (1 << n.trailing_zeros().min(20)).min(most)
}

/// The space in vectors, in whose order a block covers a tile where an operand's innermost axis is another than that of the results: what
/// a sector has beside the element that is wanted is then wanted by a neighbour, and in the first-level cache. Strides are those of
/// elements, of the innermost axis those of vectors but for the first.
fn tiled(space: Space, results: usize, lanes: usize) -> Space {
    let last = space.dims.len() - 1;
    let units = space.dims[last] / lanes;
    let mut whole = space.clone();
    whole.dims[last] = units;
    let apart = |strides: &&Strides| !matches!(strides[last], 0 | 1);
    let turned = space.strides[results..].iter().filter(apart);
    let axis = turned.flat_map(|strides| (0..last).find(|&a| strides[a].unsigned_abs() == 1));
    let Some(axis) = axis.into_iter().next() else {
        return whole;
    };
    let (i, j) = (part(units, TILE.0 / lanes), part(space.dims[axis], TILE.1));
    if i * j < LEAST || last + 2 >= AXES {
        return whole;
    }
    let others: Vec<usize> = (0..last).filter(|&a| a != axis).collect();
    let of = |each: &dyn Fn(usize) -> isize, tail: [isize; 4]| -> Vec<isize> {
        others.iter().map(|&a| each(a)).chain(tail).collect()
    };
    let rest = [space.dims[axis] / j, units / i, j, i].map(|n| n as isize);
    let dims = of(&|a| space.dims[a] as isize, rest);
    let strides = space.strides.iter().map(|s| {
        let tail = [
            s[axis] * j as isize,
            s[last] * (i * lanes) as isize,
            s[axis],
            s[last],
        ];
        of(&|a| s[a], tail).into_iter().collect()
    });
    Space {
        dims: dims.into_iter().map(|n| n as usize).collect(),
        strides: strides.collect(),
        bases: space.bases,
    }
}

impl Walked {
    /// The operands over their index space; nothing where its positions are too many. A thread has at most `most` elements.
    pub(crate) fn of(
        sources: &[(Source, DType)],
        outputs: &[(Span, DType)],
        dims: &[usize],
        most: usize,
    ) -> Option<Walked> {
        let tensors = sources.iter().filter_map(|(source, dtype)| match source {
            Source::Tensor(span) => Some((span, dtype.size())),
            Source::Number(_) => None,
        });
        let written = outputs.iter().map(|(span, dtype)| (span, dtype.size()));
        let all: Vec<(&Span, usize)> = written.chain(tensors).collect();
        let views: Vec<&[isize]> = all.iter().map(|(span, _)| &span.strides[..]).collect();
        let space = Space::sorted(dims, &views, 0);
        let axes = space.dims.len();
        if axes > AXES || sources.len() > INPUTS || outputs.len() > OUTPUTS || !space.is_narrow() {
            return None;
        }
        let reached = all.iter().zip(&space.bases).zip(&space.strides);
        let reached: Vec<Reached<'_>> = reached
            .map(|((&(span, size), &base), strides)| Reached {
                address: (span.address).wrapping_add_signed((base * size as isize) as i64),
                size,
                strides,
            })
            .collect();
        let (written, read) = reached.split_at(outputs.len());
        let inner = *space.dims.last()?;
        let rows = reached.iter().filter(|t| t.inner() == 1);
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
        let units = space.len() / lanes;
        if units > UNITS {
            return None;
        }
        let accesses: Vec<Access> = read.iter().map(|t| t.access(lanes)).collect();
        let addresses: Vec<u64> = reached.iter().map(|t| t.address).collect();
        let space = tiled(space, outputs.len(), lanes);
        let axes = space.dims.len();
        let mut params = Params {
            outputs: [0; OUTPUTS],
            inputs: [Operand::default(); INPUTS],
            units: units as u32,
            lengths: [Divisor32::default(); AXES],
            strides: [[0; AXES]; INPUTS + OUTPUTS],
        };
        for (a, &n) in space.dims.iter().rev().enumerate() {
            params.lengths[a] = Divisor32::new(n as u32);
        }
        let steps = |to: &mut [i32; AXES], from: &Strides| {
            for (to, &stride) in to.iter_mut().zip(from.iter().rev()) {
                *to = stride as i32;
            }
        };
        let (written, read) = space.strides.split_at(outputs.len());
        for (k, strides) in written.iter().enumerate() {
            params.outputs[k] = addresses[k];
            steps(&mut params.strides[INPUTS + k], strides);
        }
        let mut read = addresses[outputs.len()..].iter().zip(read).zip(accesses);
        let mut reads = Vec::new();
        for (k, (source, dtype)) in sources.iter().enumerate() {
            reads.push(match source {
                Source::Number(value) => {
                    params.inputs[k].bits = repeated(*value, *dtype)[0];
                    (Access::Number, 0)
                }
                Source::Tensor(_) => {
                    let ((&address, strides), access) = read.next()?;
                    params.inputs[k].address = address;
                    steps(&mut params.strides[k], strides);
                    (access, moves(strides))
                }
            });
        }
        let walk = Walk {
            axes,
            lanes,
            vectors,
            reads,
            writes: written.iter().map(moves).collect(),
        };
        Some(Walked {
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
        let mut all: Vec<Vec<i64>> = (0..walked.units)
            .map(|unit| {
                let mut rest = unit;
                let mut at = vec![0i64; operands + 1];
                for a in 0..walked.walk.axes {
                    let n = params.lengths[a].length() as usize;
                    let last = a + 1 == walked.walk.axes;
                    let here = if last { rest } else { rest % n };
                    rest /= n;
                    let here = if a == 0 {
                        here * walked.walk.lanes
                    } else {
                        here
                    } as i64;
                    let strides = params.strides[..operands]
                        .iter()
                        .chain([&params.strides[INPUTS]]);
                    for (at, strides) in at.iter_mut().zip(strides) {
                        *at += here * i64::from(strides[a]);
                    }
                }
                at
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn tiles_visit_every_vector_once() {
        for dims in [[3usize, 32, 128], [2, 48, 64], [1, 30, 63]] {
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
            assert_eq!(walked.walk.axes > 3, dims[1] != 30, "{dims:?}");
        }
    }

    #[test]
    fn results_decide_the_order() {
        // A transposed result, read as it is stored.
        let got = walk(&[tensor(4096, &[1, 32])], &[1, 32], &[32, 64]);
        assert_eq!((got.axes, got.lanes), (1, 4));
        assert_eq!(got.reads, [(Access::Vector, 1)]);
    }
}
