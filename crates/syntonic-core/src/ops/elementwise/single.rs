//! Operators over single numbers, which have no memory: the kernel of arrays is called for one element.

use super::few::have_no_type;
use crate::cpu::lanes;
use crate::dtype::DType;
use crate::fuse::Prim;
use crate::scalar::Scalar;
use crate::tensor::Single;

/// An operand without axes: a number with its type, or one that takes the type of what it meets.
///
/// ```
/// use syntonic_core::ops::elementwise::One;
/// use syntonic_core::{DType, Scalar, Single};
///
/// let all = [One::Number(2.into()), One::Single(Single::new(Scalar::Int(2), DType::U8))];
/// assert!(matches!(all, [One::Number(Scalar::Int(2)), One::Single(_)]));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum One {
    /// A number with a type.
    Single(Single),
    /// A number without a width.
    Number(Scalar),
}

/// A primitive over numbers without axes, with the bits of [`apply`](super::apply) over tensors of them. None where that takes more than
/// one kernel: over half types, which wait in an expression, by some powers, and over what it refuses.
///
/// ```
/// use syntonic_core::fuse::Prim;
/// use syntonic_core::ops::elementwise::{One, apply_single};
/// use syntonic_core::{DType, Scalar, Single};
///
/// let x = One::Single(Single::new(Scalar::Int(7), DType::I32));
/// let half = apply_single(Prim::Div, &[x, One::Number(2.into())]).unwrap();
/// assert_eq!((half.dtype(), half.value()), (DType::F64, Scalar::Float(3.5)));
/// // 300 is no int8, which is an error of `apply`.
/// let small = One::Single(Single::new(Scalar::Int(7), DType::I8));
/// assert!(apply_single(Prim::Add, &[small, One::Number(300.into())]).is_none());
/// ```
pub fn apply_single(prim: Prim, args: &[One]) -> Option<Single> {
    if args.len() != prim.arity() || matches!(prim, Prim::Select | Prim::Pow) {
        return None;
    }
    let singles = args.iter().filter_map(|arg| match arg {
        One::Single(x) => Some(x.dtype()),
        One::Number(_) => None,
    });
    if have_no_type(singles.clone()) {
        return None;
    }
    let mut common = singles.reduce(DType::promote)?;
    for arg in args {
        if let One::Number(x) = arg {
            common = x.promote_with(common);
        }
    }
    let dtype = prim.operand_dtype(common)?;
    let kernel = lanes::kernel(prim, dtype)?;
    let mut operands = [Single::zero(dtype); 2];
    for (operand, arg) in operands.iter_mut().zip(args) {
        *operand = match arg {
            One::Single(x) if x.dtype() == dtype => *x,
            One::Single(x) if x.dtype().is_stored() => return None,
            One::Single(x) => Single::new(x.value(), dtype),
            One::Number(x) if !x.fits(dtype) => return None,
            One::Number(x) => Single::new(*x, dtype),
        };
    }
    let mut out = Single::zero(prim.result_dtype(dtype));
    let (to, none) = (out.address_mut(), std::ptr::null());
    // SAFETY: one element of `dtype` at each address, room for one of the result, and the kernel was chosen for this type.
    unsafe { kernel(to, operands[0].address(), operands[1].address(), none, 1) };
    Some(out)
}
