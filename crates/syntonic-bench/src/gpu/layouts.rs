//! The memory layouts that every operator is tried on.

use super::Gpu;
use anyhow::Result;
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::random::uniform;
use syntonic_core::random::Generator;
use syntonic_core::{DType, Tensor, cpu};

/// How the operand lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row-major without gaps.
    Contiguous,
    /// Every other element of each axis.
    Strided,
    /// Backwards along every axis.
    Negative,
    /// The first axis is one row, repeated.
    Broadcast,
    /// The two last axes swapped.
    Transposed,
    /// No elements.
    Empty,
    /// One element.
    One,
    /// One more element than a block of threads handles.
    PastBlock,
    /// Row-major without gaps, but the first element lies where no vector may begin.
    Unaligned,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 9] = [
        Layout::Contiguous,
        Layout::Strided,
        Layout::Negative,
        Layout::Broadcast,
        Layout::Transposed,
        Layout::Empty,
        Layout::One,
        Layout::PastBlock,
        Layout::Unaligned,
    ];

    /// The shape of the view.
    pub fn shape(self) -> &'static [usize] {
        match self {
            Layout::Empty => &[3, 0, 5],
            Layout::One => &[1],
            Layout::PastBlock => &[4097],
            Layout::Unaligned => &[4090],
            _ => &[3, 37, 35],
        }
    }

    /// The shape of the memory behind the view.
    fn base(self) -> Vec<usize> {
        let shape = self.shape();
        match self {
            Layout::Strided => shape.iter().map(|n| 2 * n).collect(),
            Layout::Unaligned => vec![shape[0] + 1],
            Layout::Broadcast => [&[1], &shape[1..]].concat(),
            Layout::Transposed => vec![shape[0], shape[2], shape[1]],
            _ => shape.to_vec(),
        }
    }

    /// The view of such memory.
    fn view(self, base: &Tensor) -> Result<Tensor> {
        let axes: Vec<isize> = (0..base.ndim() as isize).collect();
        Ok(match self {
            Layout::Strided => axes
                .iter()
                .try_fold(base.clone(), |x, &axis| x.slice(axis, Some(1), None, 2))?,
            Layout::Unaligned => base.slice(0, Some(1), None, 1)?,
            Layout::Negative => base.flip(&axes)?,
            Layout::Broadcast => base.broadcast_to(self.shape())?,
            Layout::Transposed => base.transpose(-1, -2)?,
            _ => base.clone(),
        })
    }
}

/// The same values on both devices, in the same layout.
#[derive(Clone, Debug)]
pub struct Pair {
    /// On the CPU.
    pub cpu: Tensor,
    /// On the GPU.
    pub gpu: Tensor,
}

impl Pair {
    /// Values of `dtype` that depend on `seed`, laid out so on both devices.
    pub fn new(gpu: &Gpu, dtype: DType, layout: Layout, seed: u64) -> Result<Pair> {
        Pair::of(gpu, layout, &|shape| sample(dtype, shape, seed))
    }

    /// What `values` makes of the shape in memory, laid out so on both devices.
    pub fn of(
        gpu: &Gpu,
        layout: Layout,
        values: &dyn Fn(&[usize]) -> Result<Tensor>,
    ) -> Result<Pair> {
        let base = values(&layout.base())?;
        Ok(Pair {
            gpu: layout.view(&gpu.take(&base)?)?,
            cpu: layout.view(&base)?,
        })
    }
}

/// A tensor on the CPU whose elements are `value` of their places, converted.
pub(super) fn made_of(
    dtype: DType,
    shape: &[usize],
    value: impl Fn(usize) -> f64,
) -> Result<Tensor> {
    let values: Vec<f64> = (0..shape.iter().product()).map(value).collect();
    let x = Tensor::from_vec(values, shape)?.cast(dtype)?;
    Ok(x.eval()?.contiguous()?)
}

/// Real or complex floats on the CPU, of which each part is within -1..1: for sums, in which one infinity would be everywhere.
pub fn finite(dtype: DType, shape: &[usize], seed: u64) -> Result<Tensor> {
    let mut generator = Generator::new(seed);
    let mut part = || uniform(shape, -1.0, 1.0, dtype.real(), &mut generator, &cpu());
    let x = part()?.cast(dtype)?;
    if !dtype.is_complex() {
        return Ok(x.eval()?);
    }
    let turned = part()?.cast(dtype)?.try_mul(Complex::new(0.0, 1.0))?;
    Ok(x.try_add(&turned)?.eval()?)
}

/// Numbers that a formula meets: most around 1, some large and small, zeros of both signs, and now and
/// then a NaN or an infinity; integers over the whole range of their type.
pub fn sample(dtype: DType, shape: &[usize], seed: u64) -> Result<Tensor> {
    let n: usize = shape.iter().product();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    if dtype.is_bool() || dtype.is_integer() {
        let values: Vec<i64> = (0..n)
            .map(|i| {
                if i % 3 == 0 {
                    (next() >> 60) as i64 - 8
                } else {
                    next() as i64
                }
            })
            .collect();
        let x = Tensor::from_vec(values, shape)?;
        return Ok(if dtype.is_bool() {
            x.cast(DType::U8)?.cast(DType::Bool)?.eval()?
        } else {
            x.cast(dtype)?.eval()?
        });
    }
    let mut real = move || {
        let bits = next();
        let unit = (bits >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
        match bits & 63 {
            0 => 0.0,
            1 => -0.0,
            2 => f64::NAN,
            3 => f64::INFINITY,
            4 => f64::NEG_INFINITY,
            5..8 => unit * 1e4,
            8..11 => unit * 1e-4,
            _ => unit * 4.0,
        }
    };
    let values: Vec<Complex<f64>> = (0..n).map(|_| Complex::new(real(), real())).collect();
    let x = Tensor::from_vec(values, shape)?;
    let x = if dtype.is_complex() { x } else { x.real()? };
    Ok(x.cast(dtype)?.eval()?.contiguous()?)
}
