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

/// The example of a method: its call over the numbers `$x`, and what comes out, of type `$type`; `=>` is exactly, `~` to the
/// last digits that `f64` has.
macro_rules! example {
    ($name:ident $type:ident $x:tt $args:tt => $out:tt) => {
        concat!(
            "\n\n```\nuse syntonic_core::Tensor;\n\nlet x = Tensor::from(",
            stringify!($x),
            ");\n",
            "let y = x.",
            stringify!($name),
            stringify!($args),
            "?;\n",
            "assert_eq!(y.to_vec::<",
            stringify!($type),
            ">()?, ",
            stringify!($out),
            ");\n",
            "# Ok::<(), syntonic_core::Error>(())\n```"
        )
    };
    ($name:ident $type:ident $x:tt $args:tt ~ $out:tt) => {
        concat!(
            "\n\n```\nuse syntonic_core::Tensor;\n\nlet x = Tensor::from(",
            stringify!($x),
            ");\n",
            "let y = x.",
            stringify!($name),
            stringify!($args),
            "?;\n",
            "let off = (y - Tensor::from(",
            stringify!($out),
            ")).abs()?;\n",
            "assert!(off.max(..)?.to_scalar::<",
            stringify!($type),
            ">()? < 1e-15);\n",
            "# Ok::<(), syntonic_core::Error>(())\n```"
        )
    };
}

macro_rules! unary {
    ($($name:ident $prim:ident $type:ident $x:tt $is:tt $out:tt;)*) => {$(
        #[doc = concat!(
            formula_of!($prim), "\n\n[`Prim::", stringify!($prim), "`] of every element `x`.",
            example!($name $type $x () $is $out)
        )]
        pub fn $name(&self) -> Result<Tensor> {
            apply(Prim::$prim, &[self.into()])
        }
    )*};
}

macro_rules! binary {
    ($($name:ident $prim:ident $type:ident $x:tt $other:tt $is:tt $out:tt;)*) => {$(
        #[doc = concat!(
            formula_of!($prim), "\n\n[`Prim::", stringify!($prim), "`] with `a` from `self` and `b` from the other operand.",
            example!($name $type $x $other $is $out)
        )]
        pub fn $name<'a>(&'a self, other: impl Into<Arg<'a>>) -> Result<Tensor> {
            apply(Prim::$prim, &[self.into(), other.into()])
        }
    )*};
}

macro_rules! composites {
    ($($name:ident $composite:ident ($($arg:ident)*) $x:tt $args:tt $is:tt $out:tt;)*) => {$(
        composites!(method $name $composite ($($arg)*) $x $args $is $out);
    )*};
    (method $name:ident $composite:ident () $x:tt $args:tt $is:tt $out:tt) => {
        #[doc = concat!(
            "The composite [`", stringify!($composite), "`](composites::", stringify!($composite), ") of every element `x`.",
            example!($name f64 $x $args $is $out)
        )]
        pub fn $name(&self) -> Result<Tensor> {
            let formula = &composites::$composite;
            composite(formula.name, formula.build, &[self.into()])
        }
    };
    (method $name:ident $composite:ident ($($arg:ident)+) $x:tt $args:tt $is:tt $out:tt) => {
        #[doc = concat!(
            "The composite [`", stringify!($composite), "`](composites::", stringify!($composite), "), whose first operand is `self`.",
            example!($name f64 $x $args $is $out)
        )]
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
        abs Abs i32 [-3, 4] => [3, 4];
        sign Sign i32 [-3, 0, 4] => [-1, 0, 1];
        square Square i32 [-3, 4] => [9, 16];
        sqrt Sqrt f64 [4.0, 9.0] => [2.0, 3.0];
        rsqrt Rsqrt f64 [4.0, 0.25] ~ [0.5, 2.0];
        recip Recip f64 [4.0, -0.5] => [0.25, -2.0];
        exp Exp f64 [0.0, 1.0] ~ [1.0, std::f64::consts::E];
        expm1 Expm1 f64 [0.0, 1e-20] => [0.0, 1e-20];
        exp2 Exp2 f64 [3.0, -1.0] ~ [8.0, 0.5];
        log Log f64 [1.0, std::f64::consts::E] ~ [0.0, 1.0];
        log1p Log1p f64 [0.0, 1e-20] => [0.0, 1e-20];
        log2 Log2 f64 [8.0, 0.5] ~ [3.0, -1.0];
        log10 Log10 f64 [1.0, 100.0] ~ [0.0, 2.0];
        sin Sin f64 [0.0, std::f64::consts::FRAC_PI_6] ~ [0.0, 0.5];
        cos Cos f64 [0.0, std::f64::consts::FRAC_PI_3] ~ [1.0, 0.5];
        tan Tan f64 [0.0, std::f64::consts::FRAC_PI_4] ~ [0.0, 1.0];
        asin Asin f64 [0.0, 0.5] ~ [0.0, std::f64::consts::FRAC_PI_6];
        acos Acos f64 [1.0, 0.5] ~ [0.0, std::f64::consts::FRAC_PI_3];
        atan Atan f64 [0.0, 1.0] ~ [0.0, std::f64::consts::FRAC_PI_4];
        sinh Sinh f64 [0.0, 2f64.ln()] ~ [0.0, 0.75];
        cosh Cosh f64 [0.0, 2f64.ln()] ~ [1.0, 1.25];
        tanh Tanh f64 [2f64.ln(), 1000.0] ~ [0.6, 1.0];
        asinh Asinh f64 [0.0, 0.75] ~ [0.0, 2f64.ln()];
        acosh Acosh f64 [1.0, 1.25] ~ [0.0, 2f64.ln()];
        atanh Atanh f64 [0.0, 0.6] ~ [0.0, 2f64.ln()];
        erf Erf f64 [0.0, 1.0, 10.0] ~ [0.0, 0.8427007929497149, 1.0];
        erfc Erfc f64 [0.0, 1.0] ~ [1.0, 0.15729920705028513];
        floor Floor f64 [1.7, -1.2] => [1.0, -2.0];
        ceil Ceil f64 [1.2, -1.7] => [2.0, -1.0];
        trunc Trunc f64 [1.7, -1.7] => [1.0, -1.0];
        round Round f64 [1.7, 2.5, 3.5] => [2.0, 2.0, 4.0];
        sign_bit SignBit bool [1.0, -2.0, -0.0] => [false, true, true];
        is_nan IsNan bool [1.0, f64::NAN] => [false, true];
        is_inf IsInf bool [1.0, f64::NAN, -f64::INFINITY] => [false, false, true];
        is_finite IsFinite bool [1.0, f64::NAN, f64::INFINITY] => [true, false, false];
        logical_not Not bool [0, 3] => [true, false];
    }

    composites! {
        relu RELU() [-1.0, 2.0] () => [0.0, 2.0];
        leaky_relu LEAKY_RELU(slope) [-2.0, 2.0] (0.25) => [-0.5, 2.0];
        elu ELU(alpha) [-2f64.ln(), 2.0] (1.0) ~ [-0.5, 2.0];
        sigmoid SIGMOID() [0.0, 3f64.ln()] () ~ [0.5, 0.75];
        silu SILU() [0.0, 1000.0] () => [0.0, 1000.0];
        softplus SOFTPLUS() [0.0, 1000.0] () ~ [2f64.ln(), 1000.0];
        log_sigmoid LOG_SIGMOID() [0.0, -1000.0] () ~ [-2f64.ln(), -1000.0];
        gelu GELU() [0.0, 1.0] () ~ [0.0, 0.8411919906082759];
        gelu_erf GELU_ERF() [0.0, 1.0] () ~ [0.0, 0.8413447460685429];
        mish MISH() [0.0, 1000.0] () => [0.0, 1000.0];
        lerp LERP(to weight) [0.0, 10.0] (20, 0.25) => [5.0, 12.5];
    }
}

/// Element-wise functions of two and three operands, tensors or numbers.
impl Tensor {
    binary! {
        pow Pow i32 [2, 3] (4) => [16, 81];
        floor_divide FloorDiv i32 [7, -7] (2) => [3, -4];
        remainder Rem i32 [7, -7] (3) => [1, 2];
        hypot Hypot f64 [3.0, 5.0] (&Tensor::from([4.0, 12.0])) ~ [5.0, 13.0];
        atan2 Atan2 f64 [1.0, -1.0] (0.0) ~ [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2];
        logaddexp LogAddExp f64 [0.0, 1000.0] (&Tensor::from([0.0, -1000.0])) ~ [2f64.ln(), 1000.0];
        minimum Min i32 [1, 5] (3) => [1, 3];
        maximum Max i32 [1, 5] (3) => [3, 5];
        equal Eq bool [1, 2] (2) => [false, true];
        not_equal Ne bool [1, 2] (2) => [true, false];
        less Lt bool [1, 2, 3] (2) => [true, false, false];
        less_equal Le bool [1, 2, 3] (2) => [true, true, false];
        greater Gt bool [1, 2, 3] (2) => [false, false, true];
        greater_equal Ge bool [1, 2, 3] (2) => [false, true, true];
        logical_and And bool [true, true, false] (&Tensor::from([true, false, false])) => [true, false, false];
        logical_or Or bool [true, true, false] (&Tensor::from([true, false, false])) => [true, true, false];
        logical_xor Xor bool [true, true, false] (&Tensor::from([true, false, false])) => [false, true, false];
        copysign CopySign f64 [1.0, -2.0] (-0.0) => [-1.0, -2.0];
        next_after NextAfter f64 [1.0] (2.0) => [1.0 + f64::EPSILON];
    }

    #[doc = concat!(formula_of!(Complex), "\n\n[`Prim::Complex`] with the real part from `self`.")]
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let z = Tensor::from([3f32, 0.0]).complex(&Tensor::from([4f32, 1.0]))?;
    /// assert_eq!(z.dtype(), DType::C64);
    /// assert_eq!(z.abs()?.to_vec::<f32>()?, [5.0, 1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn complex<'a>(&'a self, imaginary: impl Into<Arg<'a>>) -> Result<Tensor> {
        apply(Prim::Complex, &[self.into(), imaginary.into()])
    }

    #[doc = concat!(formula_of!(Conj), "\n\n[`Prim::Conj`] of every element `x`.")]
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let z = Tensor::from([3.0]).complex(4.0)?;
    /// assert_eq!(z.conj()?.imag()?.to_vec::<f64>()?, [-4.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn conj(&self) -> Result<Tensor> {
        apply(Prim::Conj, &[self.into()])
    }

    #[doc = concat!(formula_of!(Fma), "\n\n[`Prim::Fma`] with `a` from `self`.")]
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([1.0, 2.0]);
    /// assert_eq!(x.mul_add(10, 0.5)?.to_vec::<f64>()?, [10.5, 20.5]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
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
    ///
    /// ```
    /// use syntonic_core::prelude::*;
    ///
    /// let x = Tensor::from([-2.0, 0.5, 2.0]);
    /// assert_eq!(x.clip(-1, 1)?.to_vec::<f64>()?, [-1.0, 0.5, 1.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn clip<'a>(&'a self, low: impl Into<Arg<'a>>, high: impl Into<Arg<'a>>) -> Result<Tensor> {
        elementwise::clip(self, Some(low.into()), Some(high.into()))
    }
}
