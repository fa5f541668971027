//! The functions of complex numbers as loops; the bodies are `annex_g`'s.

use super::LaneFn;
use super::annex_g;
use super::lane::{lanes, offer};
use super::level::Level;
use crate::dtype::DType;
use crate::fuse::Prim;
use num_complex::Complex;

/// A complex number that goes through double precision.
trait Analytic: Copy + 'static {
    fn wide(self) -> Complex<f64>;
    fn narrow(z: Complex<f64>) -> Self;

    #[inline(always)]
    fn map(self, f: impl Fn(Complex<f64>) -> Complex<f64>) -> Self {
        Self::narrow(f(self.wide()))
    }
}

macro_rules! analytic {
    ($($t:ty)*) => {$(
        impl Analytic for Complex<$t> {
            #[inline(always)]
            fn wide(self) -> Complex<f64> {
                Complex::new(f64::from(self.re), f64::from(self.im))
            }
            #[inline(always)]
            fn narrow(z: Complex<f64>) -> Self {
                Complex::new(z.re as $t, z.im as $t)
            }
        }
    )*};
}
analytic!(f32 f64);

lanes! {
    Sqrt [T: Analytic] (a: T) -> T |L| a.map(annex_g::sqrt);
    Recip [T: Analytic] (a: T) -> T |L| a.map(annex_g::reciprocal);
    Exp [T: Analytic] (a: T) -> T |L| a.map(annex_g::exp);
    Expm1 [T: Analytic] (a: T) -> T |L| a.map(annex_g::expm1);
    Log [T: Analytic] (a: T) -> T |L| a.map(annex_g::ln);
    Log1p [T: Analytic] (a: T) -> T |L| a.map(annex_g::log1p);
    Log2 [T: Analytic] (a: T) -> T |L| a.map(annex_g::log2);
    Log10 [T: Analytic] (a: T) -> T |L| a.map(annex_g::log10);
    Sin [T: Analytic] (a: T) -> T |L| a.map(annex_g::sin);
    Cos [T: Analytic] (a: T) -> T |L| a.map(annex_g::cos);
    Tan [T: Analytic] (a: T) -> T |L| a.map(annex_g::tan);
    Asin [T: Analytic] (a: T) -> T |L| a.map(annex_g::asin);
    Acos [T: Analytic] (a: T) -> T |L| a.map(annex_g::acos);
    Atan [T: Analytic] (a: T) -> T |L| a.map(annex_g::atan);
    Sinh [T: Analytic] (a: T) -> T |L| a.map(annex_g::sinh);
    Cosh [T: Analytic] (a: T) -> T |L| a.map(annex_g::cosh);
    Tanh [T: Analytic] (a: T) -> T |L| a.map(annex_g::tanh);
    Asinh [T: Analytic] (a: T) -> T |L| a.map(annex_g::asinh);
    Acosh [T: Analytic] (a: T) -> T |L| a.map(annex_g::acosh);
    Atanh [T: Analytic] (a: T) -> T |L| a.map(annex_g::atanh);
}

lanes! {
    Div [T: Analytic] (a: T, b: T) -> T |L| T::narrow(annex_g::divide(a.wide(), b.wide()));
    Pow [T: Analytic] (a: T, b: T) -> T |L| T::narrow(annex_g::pow(a.wide(), b.wide()));
}

/// The kernels of this family.
pub(super) fn kernel(_level: Level, prim: Prim, dtype: DType) -> Option<LaneFn> {
    macro_rules! table {
        ($($name:ident)*) => {
            match prim {
                $(Prim::$name => offer!(_level, dtype, $name, complex_scalar),)*
                _ => None,
            }
        };
    }
    table!(Sqrt Recip Exp Expm1 Log Log1p Log2 Log10 Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Div Pow)
}
