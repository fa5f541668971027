//! Complex functions in double precision, with the special cases of C99 Annex G.
//!
//! Errors are relative to |result|: a part much smaller than the other may be less exact. `complex64`
//! runs through these too, and gains range and accuracy by it.

use num_complex::Complex;
use std::f64::consts::{FRAC_PI_2, LN_2, LN_10};

type C = Complex<f64>;

const I_NAN: C = C::new(f64::NAN, f64::NAN);

/// i z.
fn turned(z: C) -> C {
    C::new(-z.im, z.re)
}

/// -i z.
fn turned_back(z: C) -> C {
    C::new(z.im, -z.re)
}

/// The exponent of the larger part; 0 for what has none.
fn exponent(z: C) -> i32 {
    let largest = z.re.abs().max(z.im.abs());
    if largest == 0.0 || !largest.is_finite() {
        return 0;
    }
    let bits = ((largest.to_bits() >> 52) & 0x7ff) as i32;
    if bits == 0 { -1074 } else { bits - 1023 }
}

/// z 2^k, in steps that do not overflow on the way.
fn scaled(z: C, k: i32) -> C {
    let quarter = k / 4;
    let (step, last) = (power_of_two(quarter), power_of_two(k - 3 * quarter));
    let part = |x: f64| x * step * step * step * last;
    C::new(part(z.re), part(z.im))
}

/// 2^k for a normal result.
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// a/b, with both scaled near 1.
pub(crate) fn divide(a: C, b: C) -> C {
    let (ka, kb) = (exponent(a), exponent(b));
    let (u, v) = (scaled(a, -ka), scaled(b, -kb));
    let square = v.re * v.re + v.im * v.im;
    let quotient = C::new(
        (u.re * v.re + u.im * v.im) / square,
        (u.im * v.re - u.re * v.im) / square,
    );
    let result = scaled(quotient, ka - kb);
    if result.re.is_nan() && result.im.is_nan() {
        divide_special(a, b, square)
    } else {
        result
    }
}

/// The infinities and zeros that the formula turns into NaN.
fn divide_special(a: C, b: C, square: f64) -> C {
    let unit = |x: f64| {
        if x.is_infinite() {
            1.0f64.copysign(x)
        } else {
            0.0f64.copysign(x)
        }
    };
    if square == 0.0 && !(a.re.is_nan() && a.im.is_nan()) {
        let infinity = f64::INFINITY.copysign(b.re);
        return C::new(infinity * a.re, infinity * a.im);
    }
    if (a.re.is_infinite() || a.im.is_infinite()) && b.re.is_finite() && b.im.is_finite() {
        let (x, y) = (unit(a.re), unit(a.im));
        return C::new(
            f64::INFINITY * (x * b.re + y * b.im),
            f64::INFINITY * (y * b.re - x * b.im),
        );
    }
    if (b.re.is_infinite() || b.im.is_infinite()) && a.re.is_finite() && a.im.is_finite() {
        let (x, y) = (unit(b.re), unit(b.im));
        return C::new(0.0 * (a.re * x + a.im * y), 0.0 * (a.im * x - a.re * y));
    }
    I_NAN
}

/// 1/z.
pub(crate) fn reciprocal(z: C) -> C {
    divide(C::new(1.0, 0.0), z)
}

/// Principal square root.
pub(crate) fn sqrt(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x == 0.0 && y == 0.0 {
        return C::new(0.0, y);
    }
    if y.is_infinite() {
        return C::new(f64::INFINITY, y);
    }
    if x.is_infinite() {
        let other = if y.is_nan() { y } else { 0.0f64.copysign(y) };
        return if x > 0.0 {
            C::new(x, other)
        } else {
            C::new(other.abs(), f64::INFINITY.copysign(y))
        };
    }
    if x.is_nan() || y.is_nan() {
        return I_NAN;
    }
    // An even power of two comes out of the root exactly.
    let k = exponent(z) & !1;
    let w = scaled(z, -k);
    let t = (0.5 * (w.re.abs() + w.re.hypot(w.im))).sqrt();
    let root = if x >= 0.0 {
        C::new(t, w.im / (2.0 * t))
    } else {
        C::new(w.im.abs() / (2.0 * t), t.copysign(y))
    };
    scaled(root, k / 2)
}

/// e^z.
pub(crate) fn exp(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(x.exp(), y);
    }
    if x == f64::INFINITY && !y.is_finite() {
        return C::new(x, f64::NAN);
    }
    if x == f64::NEG_INFINITY && !y.is_finite() {
        return C::new(0.0, 0.0f64.copysign(y));
    }
    // Two factors, so that a small sine is not lost to an overflow of e^x.
    let half = (0.5 * x).exp();
    if x.abs() > 700.0 {
        return C::new(half * y.cos() * half, half * y.sin() * half);
    }
    C::new(x.exp() * y.cos(), x.exp() * y.sin())
}

/// e^z - 1: Re = (e^x - 1) cos y - 2 sin^2(y/2).
pub(crate) fn expm1(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if !x.is_finite() || !y.is_finite() || x > 700.0 {
        let e = exp(z);
        return C::new(e.re - 1.0, e.im);
    }
    if y == 0.0 {
        return C::new(x.exp_m1(), y);
    }
    let s = (0.5 * y).sin();
    C::new(x.exp_m1() * y.cos() - 2.0 * s * s, x.exp() * y.sin())
}

/// Principal logarithm.
pub(crate) fn ln(z: C) -> C {
    let (large, small) = (z.re.abs().max(z.im.abs()), z.re.abs().min(z.im.abs()));
    let near_one = large > 0.5 && large < 2.0 && !z.re.is_nan() && !z.im.is_nan();
    let re = if near_one {
        0.5 * ((large - 1.0) * (large + 1.0) + small * small).ln_1p()
    } else if large > 1e300 && large.is_finite() {
        (z.re * 0.25).hypot(z.im * 0.25).ln() + 2.0 * LN_2
    } else {
        z.re.hypot(z.im).ln()
    };
    C::new(re, z.im.atan2(z.re))
}

/// ln(1 + z).
pub(crate) fn log1p(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let small = x.abs() < 2.0 && y.abs() < 2.0;
    if !small {
        return ln(C::new(1.0 + x, y));
    }
    if y == 0.0 && x >= -1.0 {
        return C::new(x.ln_1p(), y);
    }
    let u = 1.0 + x;
    let excess = x * (2.0 + x) + y * y;
    let re = if excess > -0.5 {
        0.5 * excess.ln_1p()
    } else {
        u.hypot(y).ln()
    };
    C::new(re, y.atan2(u))
}

/// Logarithm to base 2.
pub(crate) fn log2(z: C) -> C {
    let w = ln(z);
    C::new(w.re / LN_2, w.im / LN_2)
}

/// Logarithm to base 10.
pub(crate) fn log10(z: C) -> C {
    let w = ln(z);
    C::new(w.re / LN_10, w.im / LN_10)
}

/// a^b: products for small integer exponents, else e^(b ln a).
pub(crate) fn pow(a: C, b: C) -> C {
    if b.re == 0.0 && b.im == 0.0 {
        return C::new(1.0, 0.0);
    }
    if a.re == 0.0 && a.im == 0.0 {
        return if b.re > 0.0 { C::new(0.0, 0.0) } else { I_NAN };
    }
    if b.im == 0.0 && b.re.fract() == 0.0 && b.re.abs() <= 64.0 {
        let power = positive_power(a, b.re.abs() as u32);
        return if b.re < 0.0 { reciprocal(power) } else { power };
    }
    let w = ln(a);
    exp(C::new(b.re * w.re - b.im * w.im, b.re * w.im + b.im * w.re))
}

fn positive_power(base: C, mut rest: u32) -> C {
    let (mut base, mut power) = (base, None);
    loop {
        if rest & 1 == 1 {
            power = Some(power.map_or(base, |p| p * base));
        }
        rest >>= 1;
        if rest == 0 {
            return power.unwrap_or(C::new(1.0, 0.0));
        }
        base *= base;
    }
}

/// Hyperbolic sine.
pub(crate) fn sinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(x.sinh(), y);
    }
    if x == 0.0 {
        return if y.is_finite() {
            C::new(x * y.cos(), y.sin())
        } else {
            C::new(x, f64::NAN)
        };
    }
    if x.is_infinite() {
        return if y.is_finite() {
            C::new(x * y.cos(), x.abs() * y.sin())
        } else {
            C::new(x, f64::NAN)
        };
    }
    if x.abs() > 700.0 {
        let half = (0.5 * x.abs()).exp();
        return C::new(
            (0.5 * half * y.cos() * half).copysign(x * y.cos()),
            0.5 * half * y.sin() * half,
        );
    }
    C::new(x.sinh() * y.cos(), x.cosh() * y.sin())
}

/// Hyperbolic cosine.
pub(crate) fn cosh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(x.cosh(), y * 0.0f64.copysign(x));
    }
    if x == 0.0 {
        return if y.is_finite() {
            C::new(y.cos(), x * y.sin())
        } else {
            C::new(f64::NAN, x)
        };
    }
    if x.is_infinite() {
        return if y.is_finite() {
            C::new(x.abs() * y.cos(), x * y.sin())
        } else {
            C::new(f64::INFINITY, f64::NAN)
        };
    }
    if x.abs() > 700.0 {
        let half = (0.5 * x.abs()).exp();
        return C::new(
            0.5 * half * y.cos() * half,
            (0.5 * half * y.sin() * half) * 1.0f64.copysign(x),
        );
    }
    C::new(x.cosh() * y.cos(), x.sinh() * y.sin())
}

/// Hyperbolic tangent, by Kahan's formula.
pub(crate) fn tanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_infinite() {
        let im = if y.is_finite() { (2.0 * y).sin() } else { y };
        return C::new(1.0f64.copysign(x), 0.0f64.copysign(im));
    }
    if x.is_nan() {
        return C::new(x, if y == 0.0 { y } else { x });
    }
    if !y.is_finite() {
        return C::new(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    if x.abs() > 22.0 {
        let decay = (-x.abs()).exp();
        return C::new(1.0f64.copysign(x), 4.0 * y.sin() * y.cos() * decay * decay);
    }
    let t = y.tan();
    let beta = 1.0 + t * t;
    let s = x.sinh();
    let rho = (1.0 + s * s).sqrt();
    let below = 1.0 + beta * s * s;
    C::new(beta * rho * s / below, t / below)
}

/// Sine.
pub(crate) fn sin(z: C) -> C {
    turned_back(sinh(turned(z)))
}

/// Cosine.
pub(crate) fn cos(z: C) -> C {
    cosh(turned(z))
}

/// Tangent.
pub(crate) fn tan(z: C) -> C {
    turned_back(tanh(turned(z)))
}

/// sqrt(1 - z) and sqrt(1 + z), the factors of Kahan's inverse functions.
fn roots(z: C) -> (C, C) {
    (
        sqrt(C::new(1.0 - z.re, -z.im)),
        sqrt(C::new(1.0 + z.re, z.im)),
    )
}

/// Beyond this the 1 in 1 +- z is lost, and the inverse functions are logarithms.
const LARGE: f64 = 1e8;

fn is_large(z: C) -> bool {
    z.re.abs() > LARGE || z.im.abs() > LARGE
}

/// ln|2z|.
fn ln_twice(z: C) -> f64 {
    ln(z).re + LN_2
}

/// Inverse hyperbolic sine.
pub(crate) fn asinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_nan() || y.is_nan() {
        return match () {
            () if x.is_infinite() => C::new(x, f64::NAN),
            () if y.is_infinite() => C::new(f64::INFINITY, f64::NAN),
            () if y == 0.0 => C::new(x, y),
            () => I_NAN,
        };
    }
    if is_large(z) {
        return C::new(ln_twice(z).copysign(x), y.abs().atan2(x.abs()).copysign(y));
    }
    turned_back(asin_near(turned(z)))
}

/// Inverse sine.
pub(crate) fn asin(z: C) -> C {
    turned_back(asinh(turned(z)))
}

fn asin_near(z: C) -> C {
    let (below, above) = roots(z);
    let re = z.re.atan2(below.re * above.re - below.im * above.im);
    let im = below.re * above.im - below.im * above.re;
    C::new(re, im.asinh().abs().copysign(z.im))
}

/// Inverse cosine.
pub(crate) fn acos(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_nan() || y.is_nan() {
        return match () {
            () if x.is_infinite() => C::new(f64::NAN, f64::INFINITY),
            () if y.is_infinite() => C::new(f64::NAN, -y),
            () if x == 0.0 => C::new(FRAC_PI_2, f64::NAN),
            () => I_NAN,
        };
    }
    if is_large(z) {
        return C::new(y.abs().atan2(x), -ln_twice(z).copysign(y));
    }
    let (below, above) = roots(z);
    let im = above.re * below.im - above.im * below.re;
    C::new(
        2.0 * below.re.atan2(above.re),
        -(im.asinh().abs().copysign(y)),
    )
}

/// Inverse hyperbolic cosine: acos turned into the right half plane.
pub(crate) fn acosh(z: C) -> C {
    let w = acos(z);
    if w.re.is_nan() && !w.im.is_nan() {
        return C::new(w.im.abs(), w.re);
    }
    if z.re == 0.0 && z.im.is_nan() {
        return C::new(f64::NAN, FRAC_PI_2);
    }
    C::new(w.im.abs(), w.re.copysign(z.im))
}

/// Inverse hyperbolic tangent.
pub(crate) fn atanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_nan() || y.is_nan() {
        return match () {
            () if y.is_infinite() => C::new(0.0, FRAC_PI_2.copysign(y)),
            () if x.is_infinite() || x == 0.0 => C::new(0.0f64.copysign(x), f64::NAN),
            () => I_NAN,
        };
    }
    if is_large(z) {
        let inverse = if x.is_finite() && y.is_finite() {
            reciprocal(z).re
        } else {
            0.0
        };
        return C::new(inverse.abs().copysign(x), FRAC_PI_2.copysign(y));
    }
    let a = x.abs();
    let re = 0.25 * (4.0 * a / ((1.0 - a) * (1.0 - a) + y * y)).ln_1p();
    let im = if a == 1.0 && y == 0.0 {
        y
    } else {
        0.5 * (2.0 * y).atan2((1.0 - a) * (1.0 + a) - y * y)
    };
    C::new(re.copysign(x), im)
}

/// Inverse tangent.
pub(crate) fn atan(z: C) -> C {
    turned_back(atanh(turned(z)))
}

/// z/|z|; 0 at 0.
pub(crate) fn sign(z: C) -> C {
    if z.re.is_nan() || z.im.is_nan() {
        return I_NAN;
    }
    if z.re == 0.0 && z.im == 0.0 {
        return C::new(0.0, 0.0);
    }
    let direction = if z.re.is_infinite() || z.im.is_infinite() {
        let part = |x: f64| {
            if x.is_infinite() {
                x.signum()
            } else {
                0.0f64.copysign(x)
            }
        };
        C::new(part(z.re), part(z.im))
    } else {
        scaled(z, -exponent(z))
    };
    let length = direction.re.hypot(direction.im);
    C::new(direction.re / length, direction.im / length)
}
