//! Matrices whose numbers are near the edges of the range: their squares vanish or overflow.
//!
//! The host's kernels scale such a matrix themselves. Other devices' libraries do not say whether they do, so theirs are scaled
//! before: by powers of 2, which lose nothing.

use super::field::Part;
use crate::device::DeviceId;
use crate::dtype::DType;
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::reduce::{self, Over};
use crate::tensor::Tensor;

/// A stack of matrices whose squares neither vanish nor overflow.
pub(super) struct Ranged {
    /// The matrices to decompose.
    pub(super) given: Tensor,
    /// What their values are multiplied with: `[..]`, real; nothing where the kernel sees to it.
    back: Option<Tensor>,
}

impl Ranged {
    /// The finite matrices of a stack with elements: `[.., m, n]`.
    pub(super) fn of(x: &Tensor) -> Result<Ranged> {
        match x.device_id() {
            DeviceId::Cpu => Ok(Ranged {
                given: x.clone(),
                back: None,
            }),
            _ => Ranged::scaled(x),
        }
    }

    fn scaled(x: &Tensor) -> Result<Ranged> {
        let (squares, most) = match x.dtype().real() {
            DType::F32 => (f32::SQUARES, 100.0),
            _ => (f64::SQUARES, 1000.0),
        };
        let sizes = apply(Prim::Abs, &[x.into()])?;
        let largest = reduce::max(&sizes, &Over::axes(&[-2, -1]))?;
        let exponent = apply(Prim::Log2, &[(&largest).into()])?;
        let exponent = apply(Prim::Floor, &[(&exponent).into()])?;
        // Both powers of 2 are normal numbers.
        let exponent = apply(Prim::Min, &[(&exponent).into(), most.into()])?;
        let exponent = apply(Prim::Max, &[(&exponent).into(), (-most).into()])?;
        let far = apply(Prim::Abs, &[(&exponent).into()])?;
        let far = apply(Prim::Gt, &[(&far).into(), f64::from(squares).into()])?;
        let up = apply(
            Prim::Select,
            &[(&far).into(), (&exponent).into(), 0.0.into()],
        )?;
        let down = apply(Prim::Neg, &[(&up).into()])?;
        let factor = apply(Prim::Exp2, &[(&down).into()])?;
        let factor = factor.cast(x.dtype())?.expand_dims(&[-2, -1])?;
        Ok(Ranged {
            given: apply(Prim::Mul, &[x.into(), (&factor).into()])?,
            back: Some(apply(Prim::Exp2, &[(&up).into()])?),
        })
    }

    /// Values of the matrices, `own` axes of them for each, as those of the stack.
    pub(super) fn restore(&self, values: Tensor, own: usize) -> Result<Tensor> {
        let Some(back) = &self.back else {
            return Ok(values);
        };
        let axes: Vec<isize> = (1..=own as isize).map(|k| -k).collect();
        let back = back.cast(values.dtype())?.expand_dims(&axes)?;
        apply(Prim::Mul, &[(&values).into(), (&back).into()])
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{FIELDS, numbers};
    use super::*;
    use num_complex::Complex;

    /// A stack of sizes, each brought into the range and back.
    #[test]
    fn nothing_is_lost_on_the_way() {
        for dtype in FIELDS {
            let (edge, limit) = match dtype.real() {
                DType::F32 => (1e36, 2f64.powi(41)),
                _ => (1e300, 2f64.powi(401)),
            };
            let plain = numbers(dtype, &[5, 4, 3], 1);
            let sizes = Tensor::from_slice(&[1.0, edge, 1.0 / edge, 0.0, 1e-3], &[5, 1, 1]);
            let sizes = sizes.unwrap().cast(dtype).unwrap();
            let x = apply(Prim::Mul, &[(&plain).into(), (&sizes).into()]).unwrap();
            let ranged = Ranged::scaled(&x).unwrap();
            let of = |x: &Tensor| x.to_vec::<Complex<f64>>().unwrap();
            let (given, wanted) = (of(&ranged.given), of(&x));
            for (k, part) in given.chunks(12).enumerate() {
                let largest = part.iter().map(|z| z.norm()).fold(0.0, f64::max);
                let fits = largest == 0.0 || (1.0 / limit..limit).contains(&largest);
                assert!(fits, "{dtype} {k}: {largest}");
            }
            let back = ranged.restore(ranged.given.clone(), 2).unwrap();
            assert_eq!(of(&back), wanted, "{dtype}");
            // What is well within the range is left as it is.
            assert_eq!(given[..12], wanted[..12]);
            assert_eq!(given[48..], wanted[48..]);
        }
    }

    #[test]
    fn the_host_sees_to_it_itself() {
        let x = numbers(DType::F64, &[2, 2], 1);
        let ranged = Ranged::of(&x).unwrap();
        assert!(ranged.back.is_none());
        let values = ranged.restore(x.clone(), 2).unwrap();
        assert_eq!(values.to_vec::<f64>().unwrap(), x.to_vec::<f64>().unwrap());
    }
}
