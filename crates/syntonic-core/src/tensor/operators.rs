//! The operators of Rust over tensors and numbers, and their twins that return the error instead of panicking.
//!
//! `&a + &b`, `a * 2.0`, `1 - &a` and `-&a` are what [`apply`] makes of them, so shapes broadcast, numbers take the type
//! of the tensor they meet, and large results are computed when they are read. There is no `%`: the remainder has the
//! sign of the divisor here ([`Tensor::remainder`]), and that of the dividend in Rust.
//! A number on the left is an `f64`, an `i64` or a complex one; on the right it is of any type.

use super::{Tensor, describe};
use crate::error::{Error, Result, way_out};
use crate::fuse::{Prim, formula_of};
use crate::num_complex::Complex;
use crate::ops::elementwise::{Arg, apply};

/// The value, or a panic with the text of the error, at the line of whoever wrote the operator.
#[track_caller]
fn or_panic<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(e) => panic!("{e}"),
    }
}

/// `prim(a, b)` as what `a` becomes: of its shape and its type.
fn assigned(prim: Prim, a: &Tensor, b: Arg<'_>) -> Result<Tensor> {
    let out = apply(prim, &[a.into(), b])?;
    let operands = || match b {
        Arg::Tensor(b) => describe(&[a, b]),
        Arg::Number(_) => describe(&[a]),
    };
    if out.shape() != a.shape() {
        return Err(Error::Shape {
            op: prim.name(),
            operands: operands(),
            hint: format!(
                "the result has shape {:?}, and assignment keeps that of the left side",
                out.shape()
            ),
        });
    }
    let held =
        out.dtype().kind() <= a.dtype().kind() || out.dtype().promote(a.dtype()) == a.dtype();
    if !held {
        return Err(Error::DType {
            op: prim.name(),
            operands: operands(),
            hint: format!(
                "the result is {}, and assignment keeps the type of the left side; {}",
                out.dtype(),
                way_out::CONVERT
            ),
        });
    }
    out.cast(a.dtype())
}

macro_rules! binary_operators {
    ($($trait:ident $method:ident $assign:ident $method_assign:ident $fallible:ident $fallible_assign:ident $prim:ident $sign:literal $a:tt $b:tt $out:tt;)*) => {
        /// The operators as methods that return the error.
        impl Tensor {
            $(
                #[doc = concat!("`self ", $sign, " other`, or why it cannot be: ", formula_of!($prim), "\n")]
                ///
                /// Shapes broadcast together; a number takes the type of the tensor. Errors as [`apply`].
                ///
                #[doc = concat!(
                    "```\nuse syntonic_core::Tensor;\n\nlet a = Tensor::from(", stringify!($a), ");\n",
                    "let y = a.", stringify!($fallible), "(", stringify!($b), ")?;\n",
                    "assert_eq!(y.to_string(), (&a ", $sign, " ", stringify!($b), ").to_string());\n",
                    "assert_eq!(y.to_vec::<i32>()?, ", stringify!($out), ");\n",
                    "assert!(a.", stringify!($fallible), "(&Tensor::from([1, 2, 3])).is_err());\n",
                    "# Ok::<(), syntonic_core::Error>(())\n```"
                )]
                pub fn $fallible<'a>(&'a self, other: impl Into<Arg<'a>>) -> Result<Tensor> {
                    apply(Prim::$prim, &[self.into(), other.into()])
                }

                #[doc = concat!("`self ", $sign, "= other`, or why it cannot be; `self` is then unchanged.\n")]
                ///
                #[doc = concat!("Errors as [`Tensor::", stringify!($fallible), "`], and where the result would have another shape, or its type")]
                /// another kind, than `self`.
                ///
                #[doc = concat!(
                    "```\nuse syntonic_core::Tensor;\n\nlet mut a = Tensor::from(", stringify!($a), ");\n",
                    "a.", stringify!($fallible_assign), "(", stringify!($b), ")?;\n",
                    "assert_eq!(a.to_vec::<i32>()?, ", stringify!($out), ");\n",
                    "assert!(a.", stringify!($fallible_assign), "(&Tensor::from([[1, 2], [3, 4]])).is_err());\n",
                    "# Ok::<(), syntonic_core::Error>(())\n```"
                )]
                pub fn $fallible_assign<'a>(&mut self, other: impl Into<Arg<'a>>) -> Result<()> {
                    *self = assigned(Prim::$prim, self, other.into())?;
                    Ok(())
                }
            )*
        }

        $(
            #[doc = concat!("As [`Tensor::", stringify!($fallible), "`].\n\n# Panics\nWith the text of its error.")]
            impl<'a, R: Into<Arg<'a>>> std::ops::$trait<R> for &Tensor {
                type Output = Tensor;
                #[track_caller]
                fn $method(self, other: R) -> Tensor {
                    or_panic(apply(Prim::$prim, &[self.into(), other.into()]))
                }
            }

            #[doc = concat!("As [`Tensor::", stringify!($fallible), "`].\n\n# Panics\nWith the text of its error.")]
            impl<'a, R: Into<Arg<'a>>> std::ops::$trait<R> for Tensor {
                type Output = Tensor;
                #[track_caller]
                fn $method(self, other: R) -> Tensor {
                    or_panic(apply(Prim::$prim, &[(&self).into(), other.into()]))
                }
            }

            #[doc = concat!("As [`Tensor::", stringify!($fallible), "`].\n\n# Panics\nWith the text of its error.")]
            impl std::ops::$trait<Tensor> for &Tensor {
                type Output = Tensor;
                #[track_caller]
                fn $method(self, other: Tensor) -> Tensor {
                    or_panic(self.$fallible(&other))
                }
            }

            #[doc = concat!("As [`Tensor::", stringify!($fallible), "`].\n\n# Panics\nWith the text of its error.")]
            impl std::ops::$trait<Tensor> for Tensor {
                type Output = Tensor;
                #[track_caller]
                fn $method(self, other: Tensor) -> Tensor {
                    or_panic(self.$fallible(&other))
                }
            }

            #[doc = concat!("As [`Tensor::", stringify!($fallible_assign), "`].\n\n# Panics\nWith the text of its error.")]
            impl<'a, R: Into<Arg<'a>>> std::ops::$assign<R> for Tensor {
                #[track_caller]
                fn $method_assign(&mut self, other: R) {
                    or_panic(self.$fallible_assign(other));
                }
            }

            #[doc = concat!("As [`Tensor::", stringify!($fallible_assign), "`].\n\n# Panics\nWith the text of its error.")]
            impl std::ops::$assign<Tensor> for Tensor {
                #[track_caller]
                fn $method_assign(&mut self, other: Tensor) {
                    or_panic(self.$fallible_assign(&other));
                }
            }

            numbers_first!($trait $method $prim: i64 f64 Complex<f64>);
        )*
    };
}

/// The operators with a number on the left. Of one type for each kind, so that a literal has it at once and `2.0 * &a + &b`
/// needs no annotation; numbers of other types stand on the right.
macro_rules! numbers_first {
    ($trait:ident $method:ident $prim:ident: $($number:ty)*) => {$(
        impl std::ops::$trait<&Tensor> for $number {
            type Output = Tensor;
            #[track_caller]
            fn $method(self, other: &Tensor) -> Tensor {
                or_panic(apply(Prim::$prim, &[self.into(), other.into()]))
            }
        }

        impl std::ops::$trait<Tensor> for $number {
            type Output = Tensor;
            #[track_caller]
            fn $method(self, other: Tensor) -> Tensor {
                or_panic(apply(Prim::$prim, &[self.into(), (&other).into()]))
            }
        }
    )*};
}

binary_operators! {
    Add add AddAssign add_assign try_add try_add_assign Add "+" [6, 12] 3 [9, 15];
    Sub sub SubAssign sub_assign try_sub try_sub_assign Sub "-" [6, 12] 3 [3, 9];
    Mul mul MulAssign mul_assign try_mul try_mul_assign Mul "*" [6, 12] 3 [18, 36];
    Div div DivAssign div_assign try_div try_div_assign Div "/" [6.0, 12.0] 3 [2, 4];
    BitAnd bitand BitAndAssign bitand_assign try_bitand try_bitand_assign BitAnd "&" [6, 12] 4 [4, 4];
    BitOr bitor BitOrAssign bitor_assign try_bitor try_bitor_assign BitOr "|" [6, 12] 4 [6, 12];
    BitXor bitxor BitXorAssign bitxor_assign try_bitxor try_bitxor_assign BitXor "^" [6, 12] 4 [2, 8];
    Shl shl ShlAssign shl_assign try_shl try_shl_assign Shl "<<" [6, 12] 2 [24, 48];
    Shr shr ShrAssign shr_assign try_shr try_shr_assign Shr ">>" [6, 12] 2 [1, 3];
}

macro_rules! unary_operators {
    ($($trait:ident $method:ident $fallible:ident $prim:ident $sign:literal $a:tt $out:tt;)*) => {
        impl Tensor {
            $(
                #[doc = concat!("`", $sign, "self`, or why it cannot be: ", formula_of!($prim), "\n")]
                ///
                /// Errors as [`apply`].
                ///
                #[doc = concat!(
                    "```\nuse syntonic_core::Tensor;\n\nlet a = Tensor::from(", stringify!($a), ");\n",
                    "assert_eq!(a.", stringify!($fallible), "()?.to_vec::<i32>()?, ", stringify!($out), ");\n",
                    "assert_eq!((", $sign, "&a).to_vec::<i32>()?, ", stringify!($out), ");\n",
                    "# Ok::<(), syntonic_core::Error>(())\n```"
                )]
                pub fn $fallible(&self) -> Result<Tensor> {
                    apply(Prim::$prim, &[self.into()])
                }
            )*
        }

        $(
            #[doc = concat!("As [`Tensor::", stringify!($fallible), "`].\n\n# Panics\nWith the text of its error.")]
            impl std::ops::$trait for &Tensor {
                type Output = Tensor;
                #[track_caller]
                fn $method(self) -> Tensor {
                    or_panic(self.$fallible())
                }
            }

            #[doc = concat!("As [`Tensor::", stringify!($fallible), "`].\n\n# Panics\nWith the text of its error.")]
            impl std::ops::$trait for Tensor {
                type Output = Tensor;
                #[track_caller]
                fn $method(self) -> Tensor {
                    or_panic(self.$fallible())
                }
            }
        )*
    };
}

unary_operators! {
    Neg neg try_neg Neg "-" [1, -2] [-1, 2];
    Not not try_not BitNot "!" [0, 5] [-1, -6];
}
