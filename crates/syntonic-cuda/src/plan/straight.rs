//! Operands in one linear order: contiguous, one broadcast element, or a number. And the parameter of kernels over them.

use super::operand::{Source, Span, with_factor};
use crate::walk::Space;
use syntonic_core::DType;
use syntonic_core::layout::Strides;

/// The most operands of a JIT kernel: tensors, and numbers of the formula.
pub(crate) const MADE: usize = 48;
/// The most tensors that a launch writes.
pub(crate) const OUTPUTS: usize = 8;

/// What an operand is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    /// Contiguous elements.
    #[default]
    Vector = 0,
    /// One element in memory.
    Scalar = 1,
    /// A number passed at launch.
    Number = 2,
    /// No memory: positions, counted from the address.
    Index = 3,
}

/// An operand in the parameter.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Operand {
    pub(crate) address: u64,
    pub(crate) kind: Kind,
    unused: u32,
    bits: [u64; 2],
}

/// The parameter of a kernel over straight operands. One of fewer operands takes the first of them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Params {
    out: u64,
    count: u64,
    /// The results after the first.
    more: [u64; OUTPUTS - 1],
    inputs: [Operand; MADE],
}

/// The byte offsets of the fields of [`super::Params`].
pub(crate) mod place {
    use super::{Operand, Params};
    use std::mem::offset_of;

    pub(crate) const COUNT: usize = offset_of!(Params, count);

    /// The address of result `k`.
    pub(crate) fn output(k: usize) -> usize {
        match k.checked_sub(1) {
            None => offset_of!(Params, out),
            Some(k) => offset_of!(Params, more) + size_of::<u64>() * k,
        }
    }

    /// The address of operand `k`.
    pub(crate) fn address(k: usize) -> usize {
        offset_of!(Params, inputs) + size_of::<Operand>() * k
    }

    /// The number that operand `k` is.
    pub(crate) fn bits(k: usize) -> usize {
        address(k) + offset_of!(Operand, bits)
    }

    /// Bytes that a kernel of so many operands takes of the parameter.
    pub(crate) fn size(operands: usize) -> usize {
        address(operands)
    }
}

/// A launch's operands, if all are in linear order.
#[derive(Clone, Debug)]
pub(crate) struct Straight {
    /// Elements of each result.
    pub(crate) count: usize,
    /// Address and type of each result.
    pub(crate) outputs: Vec<(u64, DType)>,
    /// The form's operands.
    pub(crate) inputs: Vec<(Operand, DType)>,
}

impl Straight {
    /// The operands, if all are contiguous in one order, one element, or numbers.
    pub(crate) fn of(
        sources: &[(Source, DType)],
        outputs: &[(Span, DType)],
        dims: &[usize],
    ) -> Option<Straight> {
        let mut strides: Vec<&Strides> = outputs.iter().map(|(span, _)| &span.strides).collect();
        let lying = sources.iter().filter_map(|(s, dtype)| s.lies(*dtype));
        strides.extend(lying.map(|(span, _)| &span.strides));
        let views: Vec<&[isize]> = strides.iter().map(|s| &s[..]).collect();
        let space = Space::sorted(dims, &views, 0);
        let ready = |k: usize| space.is_contiguous(k) || (k >= outputs.len() && space.repeats(k));
        if !(0..views.len()).all(ready) {
            return None;
        }
        let mut bases = space.bases.iter();
        let mut at = |span: &Span, size: usize| {
            let bytes = *bases.next()? * size as isize;
            Some(span.address.wrapping_add_signed(bytes as i64))
        };
        let outputs = outputs
            .iter()
            .map(|(span, dtype)| Some((at(span, dtype.size())?, *dtype)))
            .collect::<Option<_>>()?;
        let inputs = sources
            .iter()
            .map(|(source, dtype)| {
                let operand = match source {
                    Source::Number(value) => Operand {
                        kind: Kind::Number,
                        bits: with_factor(*value, *dtype),
                        ..Operand::default()
                    },
                    Source::Tensor(span) => Operand {
                        kind: if span.repeats(dims) {
                            Kind::Scalar
                        } else {
                            Kind::Vector
                        },
                        address: at(span, dtype.size())?,
                        ..Operand::default()
                    },
                    Source::Index(span) => Operand {
                        kind: Kind::Index,
                        address: at(span, 1)?,
                        ..Operand::default()
                    },
                };
                Some((operand, *dtype))
            })
            .collect::<Option<_>>()?;
        Some(Straight {
            count: space.len(),
            outputs,
            inputs,
        })
    }

    /// What each operand is.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.inputs.iter().map(|(operand, _)| operand.kind)
    }

    /// True if every access by vectors of `lanes` elements is aligned.
    pub(crate) fn is_aligned(&self, lanes: usize) -> bool {
        let whole = |at: u64, size: usize| at.is_multiple_of(size as u64);
        let read = |(operand, dtype): &(Operand, DType)| match operand.kind {
            Kind::Vector => whole(operand.address, lanes * dtype.size()),
            Kind::Scalar => whole(operand.address, dtype.size()),
            Kind::Number | Kind::Index => true,
        };
        let written = |(at, dtype): &(u64, DType)| whole(*at, lanes * dtype.size());
        self.inputs.iter().all(read) && self.outputs.iter().all(written)
    }

    /// True if the whole is vectors of 16 bytes of the widest operand or result.
    pub(crate) fn is_in_vectors(&self) -> bool {
        let read = self.inputs.iter().filter(|(o, _)| o.kind == Kind::Vector);
        let sizes = read.map(|i| i.1).chain(self.outputs.iter().map(|o| o.1));
        let widest = sizes.map(DType::size).max().unwrap_or(16);
        self.is_aligned(16 / widest)
    }

    /// The parameter; nothing where there are more operands or results than it has room for.
    pub(crate) fn params(&self) -> Option<Params> {
        let (&(out, _), others) = self.outputs.split_first()?;
        if self.outputs.len() > OUTPUTS || self.inputs.len() > MADE {
            return None;
        }
        let mut params = Params {
            out,
            count: self.count as u64,
            more: [0; OUTPUTS - 1],
            inputs: [Operand::default(); MADE],
        };
        for (to, &(at, _)) in params.more.iter_mut().zip(others) {
            *to = at;
        }
        for (to, &(operand, _)) in params.inputs.iter_mut().zip(&self.inputs) {
            *to = operand;
        }
        Some(params)
    }
}
