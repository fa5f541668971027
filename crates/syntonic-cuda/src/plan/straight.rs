//! Operands in one linear order: contiguous, one broadcast element, or a number. And the parameter of kernels over them.

use super::operand::{Source, Span, with_factor};
use super::{Carrier, Launch};
use crate::walk::Space;
use syntonic_core::layout::Strides;
use syntonic_core::{DType, Result};

/// The most tensors that a launch reads.
pub(crate) const INPUTS: usize = 16;
/// The most operands of a JIT kernel: tensors, and numbers of the formula.
pub(crate) const MADE: usize = 48;
/// The most tensors that a launch writes.
pub(crate) const OUTPUTS: usize = 8;

/// What an operand is, as `map::Operand` has it.
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
    /// Positions, counted from the address: of made kernels alone.
    Index = 3,
}

/// As `map::Operand`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Operand {
    pub(crate) address: u64,
    pub(crate) kind: Kind,
    unused: u32,
    bits: [u64; 2],
}
const _: () = assert!(size_of::<Operand>() == 32);

/// The parameter of a kernel over straight operands: as `map::Params` without further results, as `map::PairParams` with two
/// words for them. A kernel of fewer operands takes the first of them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Params<const MORE: usize, const INPUTS: usize> {
    out: u64,
    count: u64,
    /// The results after the first.
    more: [u64; MORE],
    inputs: [Operand; INPUTS],
}

/// The parameter of JIT kernels.
pub(crate) type Many = Params<OUTPUTS, MADE>;

/// The byte offsets of the fields of [`Many`] in a JIT kernel.
pub(crate) mod place {
    use super::{MADE, Many, OUTPUTS, Operand};

    pub(crate) const COUNT: usize = 8;
    pub(crate) const SIZE: usize = size_of::<Many>();
    const FIRST_INPUT: usize = 16 + 8 * OUTPUTS;

    /// The address of result `k`.
    pub(crate) fn output(k: usize) -> usize {
        if k == 0 { 0 } else { 8 + 8 * k }
    }

    /// The address of operand `k`.
    pub(crate) fn address(k: usize) -> usize {
        FIRST_INPUT + size_of::<Operand>() * k
    }

    /// The number that operand `k` is.
    pub(crate) fn bits(k: usize) -> usize {
        address(k) + 16
    }

    const _: () = assert!(SIZE == FIRST_INPUT + MADE * size_of::<Operand>());
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

    /// Starts a kernel with room for `MORE` results after the first and `INPUTS` operands, if that is enough; says whether it
    /// is.
    ///
    /// # Safety
    /// The kernel takes such a parameter, and the operands are live memory that fits.
    pub(crate) unsafe fn start<C: Carrier, const MORE: usize, const INPUTS: usize>(
        &self,
        carrier: &C,
        launch: &Launch<'_>,
    ) -> Result<bool> {
        let Some(params) = self.params::<MORE, INPUTS>() else {
            return Ok(false);
        };
        // SAFETY: the caller's promise.
        unsafe { carrier.start(launch, &params)? };
        Ok(true)
    }

    pub(crate) fn params<const MORE: usize, const INPUTS: usize>(
        &self,
    ) -> Option<Params<MORE, INPUTS>> {
        let (&(out, _), others) = self.outputs.split_first()?;
        if others.len() > MORE || self.inputs.len() > INPUTS {
            return None;
        }
        let mut params = Params {
            out,
            count: self.count as u64,
            more: [0; MORE],
            inputs: [Operand::default(); INPUTS],
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
