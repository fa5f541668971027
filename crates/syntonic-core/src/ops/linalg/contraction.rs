//! A launch of the matrix product, read once for every device.

use crate::device::{Account, Arg, Arithmetic, End, Launch};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// `out = end(alpha op(a) op(b) + beta out)`: what a launch of [`MATMUL`](super::MATMUL) asks for.
#[derive(Clone, Copy, Debug)]
pub struct Contraction<'a> {
    /// The left factors, `[.., m, k]`.
    pub a: &'a Arg,
    /// The right factors, `[.., k, n]`, of the same type.
    pub b: &'a Arg,
    /// What is written, `[.., m, n]`: of the same type too, unless there is an end.
    pub out: &'a Arg,
    /// The factor of the product.
    pub alpha: Scalar,
    /// The factor of what is there; with 0 it is not read.
    pub beta: Scalar,
    /// Whether `a` is conjugated.
    pub conj_a: bool,
    /// Whether `b` is conjugated.
    pub conj_b: bool,
    /// The arithmetic that is enough.
    pub arithmetic: Arithmetic,
    /// What happens to each element before it is written.
    pub end: Option<&'a End>,
    account: Option<&'a Account>,
}

impl<'a> Contraction<'a> {
    /// The launch as a product.
    ///
    /// Errors where the operands are of no numeric type, their numbers of axes, lengths or types do not fit each other, an
    /// end reads or writes other types or shapes than those that are there, or a sum with `beta` is not of the type that is
    /// written: an end then takes `c` as an operand.
    ///
    /// ```
    /// use syntonic_core::device::{Arg, Launch};
    /// use syntonic_core::ops::linalg::Contraction;
    /// use syntonic_core::{DType, Layout};
    ///
    /// // What a device is given for `[2, 3] [3, 4] -> [2, 4]`, and how it reads that.
    /// let arg = |shape: &[usize]| -> syntonic_core::Result<Arg> {
    ///     let layout = Layout::contiguous("matmul", shape)?;
    ///     Ok(Arg { base: std::ptr::null_mut(), dtype: DType::F16, layout })
    /// };
    /// let mut launch = Launch { inputs: vec![arg(&[2, 3])?, arg(&[3, 4])?], outputs: vec![arg(&[2, 4])?], ..Launch::default() };
    /// let product = Contraction::of(&launch)?;
    /// assert!(product.end.is_none() && !product.conj_a && !product.in_place());
    /// assert_eq!((product.dtype(), product.sum_dtype()), (DType::F16, DType::F32));
    /// launch.inputs.swap(0, 1);
    /// assert!(Contraction::of(&launch).is_err());
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn of(launch: &'a Launch) -> Result<Contraction<'a>> {
        let ([a, b], [out]) = (&launch.inputs[..], &launch.outputs[..]) else {
            return Err(wrong("two operands and one result".into()));
        };
        let number = |at: usize| launch.params.get(at).copied();
        let flag = |at: usize| number(at).is_some_and(Scalar::to_bool);
        let product = Contraction {
            a,
            b,
            out,
            alpha: number(0).unwrap_or(Scalar::Int(1)),
            beta: number(1).unwrap_or(Scalar::Int(0)),
            conj_a: flag(2),
            conj_b: flag(3),
            arithmetic: Arithmetic::from_scalar(number(4)),
            end: launch.end.as_ref(),
            account: launch.account.as_ref(),
        };
        product.check()?;
        Ok(product)
    }

    /// The type of the factors.
    pub fn dtype(&self) -> DType {
        self.a.dtype
    }

    /// The type that a product is summed in, which an end's first input has: `float32` for the half types.
    pub fn sum_dtype(&self) -> DType {
        self.a.dtype.compute()
    }

    /// True where the sums can lie where the result will: an end then runs in place.
    pub fn in_place(&self) -> bool {
        self.out.dtype == self.sum_dtype()
    }

    /// The product alone: its sums, into `sums`, which has the shape of the result and the type that is summed in.
    pub fn sums<'b>(&self, sums: &'b Arg) -> Contraction<'b>
    where
        'a: 'b,
    {
        Contraction {
            out: sums,
            end: None,
            ..*self
        }
    }

    /// Notes which arithmetic was used.
    pub fn note(&self, used: Arithmetic) {
        if let Some(account) = self.account {
            account.note(used);
        }
    }

    fn check(&self) -> Result<()> {
        if self.dtype().is_bool() || self.dtype().is_stored() {
            return Err(Error::value(
                "matmul",
                format!(
                    "the kernel has no product of {}; hint: cast first",
                    self.dtype()
                ),
            ));
        }
        let (a, b, out) = (
            self.a.layout.shape(),
            self.b.layout.shape(),
            self.out.layout.shape(),
        );
        let ndim = out.len();
        let fits = ndim >= 2
            && a.len() == ndim
            && b.len() == ndim
            && a[..ndim - 2] == out[..ndim - 2]
            && b[..ndim - 2] == out[..ndim - 2]
            && (a[ndim - 2], b[ndim - 1]) == (out[ndim - 2], out[ndim - 1])
            && a[ndim - 1] == b[ndim - 2]
            && self.a.dtype == self.b.dtype;
        if !fits {
            return Err(wrong(format!(
                "one stack of products, not {a:?} @ {b:?} -> {out:?}"
            )));
        }
        match self.end {
            None if self.out.dtype != self.dtype() => {
                Err(wrong(format!("a result of {}", self.dtype())))
            }
            None => Ok(()),
            Some(end) => self.check_end(end),
        }
    }

    fn check_end(&self, end: &End) -> Result<()> {
        let program = &end.program;
        let operands = end.operands.iter();
        let types = program.inputs.first() == Some(&self.sum_dtype())
            && program.inputs.len() == end.operands.len() + 1
            && operands
                .clone()
                .zip(&program.inputs[1..])
                .all(|(o, &t)| o.dtype == t)
            && matches!(&program.outputs[..], [one] if one.dtype == self.out.dtype);
        let shape = self.out.layout.shape();
        if !types || operands.clone().any(|o| o.layout.shape() != shape) {
            return Err(wrong(format!(
                "an end whose operands have the types and the shape of the result {shape:?}, not {}",
                program.name
            )));
        }
        if self.beta.to_bool() && !self.in_place() {
            return Err(wrong("what beta counts as an operand of the end".into()));
        }
        Ok(())
    }
}

fn wrong(what: String) -> Error {
    Error::value("matmul", format!("the kernel takes {what}"))
}
