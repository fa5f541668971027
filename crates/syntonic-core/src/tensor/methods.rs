//! Element-wise mathematics as methods: each is a primitive or a composite of the tables, under a name of Rust's.
//!
//! All of them: operands broadcast together, a number takes the type of the tensors it meets, integers give `float64`
//! where the function is one of real numbers, and results of more than [`EAGER_ELEMENTS`](crate::lazy::EAGER_ELEMENTS)
//! elements are computed when they are read. Errors as [`apply`].

use super::Tensor;
use crate::error::Result;
use crate::fuse::{Prim, formula_of};
use crate::ops::composites;
use crate::ops::elementwise::{self, Arg, apply, composite};

macro_rules! unary {
    ($($name:ident $prim:ident;)*) => {$(
        #[doc = concat!(formula_of!($prim), "\n\n[`Prim::", stringify!($prim), "`] of every element `x`.")]
        pub fn $name(&self) -> Result<Tensor> {
            apply(Prim::$prim, &[self.into()])
        }
    )*};
}

macro_rules! binary {
    ($($name:ident $prim:ident;)*) => {$(
        #[doc = concat!(formula_of!($prim), "\n\n[`Prim::", stringify!($prim), "`] with `a` from `self` and `b` from the other operand.")]
        pub fn $name<'a>(&'a self, other: impl Into<Arg<'a>>) -> Result<Tensor> {
            apply(Prim::$prim, &[self.into(), other.into()])
        }
    )*};
}

macro_rules! composites {
    ($($name:ident $composite:ident ($($arg:ident)*);)*) => {$(
        composites!(method $name $composite $($arg)*);
    )*};
    (method $name:ident $composite:ident) => {
        #[doc = concat!("The composite [`", stringify!($composite), "`](composites::", stringify!($composite), ") of every element `x`.")]
        pub fn $name(&self) -> Result<Tensor> {
            let formula = &composites::$composite;
            composite(formula.name, formula.build, &[self.into()])
        }
    };
    (method $name:ident $composite:ident $($arg:ident)+) => {
        #[doc = concat!("The composite [`", stringify!($composite), "`](composites::", stringify!($composite), "), whose first operand is `self`.")]
        pub fn $name<'a>(&'a self, $($arg: impl Into<Arg<'a>>),+) -> Result<Tensor> {
            let formula = &composites::$composite;
            composite(formula.name, formula.build, &[self.into(), $($arg.into()),+])
        }
    };
}

/// Element-wise functions of one tensor.
///
/// ```
/// use syntonic_core::Tensor;
///
/// let x = Tensor::from([1.0, 4.0, -9.0]);
/// assert_eq!(x.abs()?.sqrt()?.to_vec::<f64>()?, [1.0, 2.0, 3.0]);
/// assert_eq!(x.relu()?.to_vec::<f64>()?, [1.0, 4.0, 0.0]);
/// assert_eq!(x.less(0)?.to_vec::<bool>()?, [false, false, true]);
/// assert_eq!(x.clip(-1.0, 1.0)?.to_vec::<f64>()?, [1.0, 1.0, -1.0]);
/// # Ok::<(), syntonic_core::Error>(())
/// ```
impl Tensor {
    unary! {
        abs Abs; sign Sign; square Square; sqrt Sqrt; rsqrt Rsqrt; recip Recip;
        exp Exp; expm1 Expm1; exp2 Exp2; log Log; log1p Log1p; log2 Log2; log10 Log10;
        sin Sin; cos Cos; tan Tan; asin Asin; acos Acos; atan Atan;
        sinh Sinh; cosh Cosh; tanh Tanh; asinh Asinh; acosh Acosh; atanh Atanh;
        erf Erf; erfc Erfc;
        floor Floor; ceil Ceil; trunc Trunc; round Round;
        sign_bit SignBit; is_nan IsNan; is_inf IsInf; is_finite IsFinite;
        conj Conj; logical_not Not;
    }

    composites! {
        relu RELU(); leaky_relu LEAKY_RELU(slope); elu ELU(alpha);
        sigmoid SIGMOID(); silu SILU(); softplus SOFTPLUS(); log_sigmoid LOG_SIGMOID();
        gelu GELU(); gelu_erf GELU_ERF(); mish MISH();
        lerp LERP(to weight);
    }
}

/// Element-wise functions of two and three operands, tensors or numbers.
impl Tensor {
    binary! {
        pow Pow; floor_divide FloorDiv; remainder Rem; hypot Hypot; atan2 Atan2; logaddexp LogAddExp;
        minimum Min; maximum Max;
        equal Eq; not_equal Ne; less Lt; less_equal Le; greater Gt; greater_equal Ge;
        logical_and And; logical_or Or; logical_xor Xor;
        copysign CopySign; next_after NextAfter; complex Complex;
    }

    #[doc = concat!(formula_of!(Fma), "\n\n[`Prim::Fma`] with `a` from `self`.")]
    pub fn mul_add<'a>(&'a self, b: impl Into<Arg<'a>>, c: impl Into<Arg<'a>>) -> Result<Tensor> {
        apply(Prim::Fma, &[self.into(), b.into(), c.into()])
    }

    /// `b` where `self` is true, that is not zero, else `c`: [`Prim::Select`].
    ///
    /// ```
    /// use syntonic_core::Tensor;
    ///
    /// let x = Tensor::from([-1.0, 2.0]);
    /// assert_eq!(x.less(0.0)?.where_cond(0.0, &x)?.to_vec::<f64>()?, [0.0, 2.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn where_cond<'a>(
        &'a self,
        b: impl Into<Arg<'a>>,
        c: impl Into<Arg<'a>>,
    ) -> Result<Tensor> {
        apply(Prim::Select, &[self.into(), b.into(), c.into()])
    }

    /// `min(max(x, low), high)`; [`Tensor::maximum`] and [`Tensor::minimum`] are one bound alone.
    ///
    /// Errors as [`elementwise::clip`].
    pub fn clip<'a>(&'a self, low: impl Into<Arg<'a>>, high: impl Into<Arg<'a>>) -> Result<Tensor> {
        elementwise::clip(self, Some(low.into()), Some(high.into()))
    }
}
