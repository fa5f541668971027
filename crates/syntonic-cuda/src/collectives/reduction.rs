//! How one tensor is made of those of all GPUs, element by element.

use syntonic_core::{DType, Result, Tensor};

/// How [`all_reduce`](super::DeviceGroup::all_reduce) makes one number of those of all GPUs.
///
/// Numbers are joined one after the other in the order of the group, `((x0 + x1) + x2) + ..`, as the operators of tensors join two:
/// integers wrap, a sum of `bool` is "or" and a product "and", and a NaN makes the largest and the smallest NaN. `float16` and `bfloat16` are
/// joined in `float32` and rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The sum.
    Sum,
    /// The sum over the number of GPUs, of floats and complex numbers.
    Mean,
    /// The product.
    Prod,
    /// The largest, of integers and real floats.
    Max,
    /// The smallest, of integers and real floats.
    Min,
}

impl Reduction {
    /// Why a type has no such reduction, as the way out.
    pub(super) fn objection(self, dtype: DType) -> Option<&'static str> {
        match self {
            _ if dtype.is_stored() => Some("8-bit floats are storage; convert with .cast(dtype)"),
            Reduction::Mean if !dtype.is_inexact() => Some(
                "a mean is of floats or complex numbers; convert with .cast(dtype), or take the sum",
            ),
            Reduction::Max | Reduction::Min if dtype.is_complex() => {
                Some("complex numbers have no order; take real parts or magnitudes")
            }
            Reduction::Max | Reduction::Min if dtype.is_bool() => {
                Some("of bool the sum is \"or\" and the product \"and\"")
            }
            _ => None,
        }
    }

    /// One tensor of several of one shape and type on one device.
    pub(super) fn join(self, parts: &[Tensor]) -> Result<Tensor> {
        let Some((first, rest)) = parts.split_first() else {
            return Err(syntonic_core::Error::value("all_reduce", "no tensor"));
        };
        let dtype = first.dtype();
        let wide = match dtype.is_half() {
            true => DType::F32,
            false => dtype,
        };
        let mut all = first.cast(wide)?;
        for x in rest {
            let x = x.cast(wide)?;
            all = match self {
                Reduction::Sum | Reduction::Mean => all.try_add(&x)?,
                Reduction::Prod => all.try_mul(&x)?,
                Reduction::Max => all.maximum(&x)?,
                Reduction::Min => all.minimum(&x)?,
            };
        }
        if self == Reduction::Mean {
            all = all.try_div(parts.len() as f64)?;
        }
        all.cast(dtype)?.eval()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntonic_core::half::{bf16, f16};

    const ALL: [Reduction; 5] = [
        Reduction::Sum,
        Reduction::Mean,
        Reduction::Prod,
        Reduction::Max,
        Reduction::Min,
    ];

    fn joined(reduction: Reduction, parts: &[&[f64]], dtype: DType) -> Tensor {
        let parts: Vec<Tensor> = parts
            .iter()
            .map(|x| Tensor::from_slice(x, &[x.len()])?.cast(dtype)?.eval())
            .collect::<Result<_>>()
            .expect("small tensors");
        reduction.join(&parts).expect("one shape and type")
    }

    /// Numbers whose sums and products every type but the bool holds.
    #[test]
    fn known_values_in_every_type() {
        let parts: [&[f64]; 3] = [&[1.0, 5.0, 0.0], &[3.0, 2.0, 0.0], &[2.0, 2.0, 3.0]];
        for dtype in DType::ALL.into_iter().filter(|dtype| !dtype.is_bool()) {
            for (reduction, want) in [
                (Reduction::Sum, [6.0, 9.0, 3.0]),
                (Reduction::Mean, [2.0, 3.0, 1.0]),
                (Reduction::Prod, [6.0, 20.0, 0.0]),
                (Reduction::Max, [3.0, 5.0, 3.0]),
                (Reduction::Min, [1.0, 2.0, 0.0]),
            ] {
                if reduction.objection(dtype).is_some() {
                    continue;
                }
                let got = joined(reduction, &parts, dtype);
                assert_eq!(got.dtype(), dtype);
                let got = match dtype.is_complex() {
                    true => got.real().expect("a view"),
                    false => got,
                };
                let got = got.cast(DType::F64).and_then(|x| x.to_vec::<f64>());
                assert_eq!(got.expect("numbers"), want, "{reduction:?} {dtype}");
            }
        }
        for (reduction, want) in [
            (Reduction::Sum, [true, true, true]),
            (Reduction::Prod, [true, true, false]),
        ] {
            let got = joined(reduction, &parts, DType::Bool).to_vec::<bool>();
            assert_eq!(got.expect("truth values"), want, "{reduction:?}");
        }
    }

    /// `2^24 + 1 + 1` in `float32` is `2^24` from the left, and `2^24 + 2` from the right.
    #[test]
    fn sums_go_from_the_first_to_the_last() {
        let large = f64::from(1 << 24);
        let ones = [1.0];
        let sum = |parts: &[&[f64]]| joined(Reduction::Sum, parts, DType::F32).to_vec::<f32>();
        let first = sum(&[&[large], &ones, &ones]).expect("one number");
        let last = sum(&[&ones, &ones, &[large]]).expect("one number");
        assert_eq!((first[0], last[0]), (large as f32, large as f32 + 2.0));
    }

    /// Small numbers that a sum in the type itself would lose one by one.
    #[test]
    fn halves_are_rounded_once() {
        let parts: [&[f64]; 5] = [&[2048.0], &[1.0], &[1.0], &[1.0], &[1.0]];
        let sum = joined(Reduction::Sum, &parts, DType::F16).to_vec::<f16>();
        assert_eq!(sum.expect("one number"), [f16::from_f64(2052.0)]);
        let parts: [&[f64]; 5] = [&[256.0], &[1.0], &[1.0], &[1.0], &[1.0]];
        let sum = joined(Reduction::Sum, &parts, DType::BF16).to_vec::<bf16>();
        assert_eq!(sum.expect("one number"), [bf16::from_f64(260.0)]);
    }

    #[test]
    fn integers_wrap_and_a_nan_stays() {
        let bytes = joined(Reduction::Sum, &[&[200.0], &[100.0]], DType::U8).to_vec::<u8>();
        assert_eq!(bytes.expect("one number"), [44]);
        for reduction in ALL {
            for parts in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
                let parts = [&parts[..1], &parts[1..]];
                let got = joined(reduction, &parts, DType::F64).to_vec::<f64>();
                assert!(got.expect("one number")[0].is_nan(), "{reduction:?}");
            }
        }
    }

    #[test]
    fn one_tensor_and_no_elements() {
        for reduction in ALL {
            let same = joined(reduction, &[&[1.5, -0.25]], DType::F64).to_vec::<f64>();
            assert_eq!(same.expect("numbers"), [1.5, -0.25]);
            let none = joined(reduction, &[&[], &[]], DType::F32);
            assert_eq!(none.shape(), [0]);
            assert!(reduction.join(&[]).is_err());
        }
    }

    #[test]
    fn what_a_type_has_not_is_said() {
        for reduction in ALL {
            assert!(reduction.objection(DType::F8E4M3).is_some());
            assert!(reduction.objection(DType::F16).is_none());
        }
        assert!(Reduction::Mean.objection(DType::I32).is_some());
        assert!(Reduction::Mean.objection(DType::C64).is_none());
        assert!(Reduction::Max.objection(DType::C128).is_some());
        assert!(Reduction::Min.objection(DType::Bool).is_some());
        assert!(Reduction::Sum.objection(DType::Bool).is_none());
    }
}
