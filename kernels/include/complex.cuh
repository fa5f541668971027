// Primitives of complex numbers with the special cases of C99 Annex G: the CPU's compositions, in double.
//
// Each function first asks whether its operand is common, that is finite and far from overflow and underflow. A common
// operand needs no scaling, and complex64 then runs in float where that is exact enough. All others, rare in practice,
// go to one function out of line. Errors are relative to |result|.
#pragma once
#include "real.cuh"

namespace syn {

// ---- the CPU's definitions, for any operand ---------------------------------------------------------------------
namespace annex_g {

typedef c128 C;

SYN_INLINE C undefined() { return {not_a_number(0.0), not_a_number(0.0)}; }
SYN_INLINE C turned(C z) { return {-z.im, z.re}; }
SYN_INLINE C turned_back(C z) { return {z.im, -z.re}; }
SYN_INLINE bool infinite(double x) { return fabs(x) == infinity(x); }
SYN_INLINE bool finite(double x) { return fabs(x) < infinity(x); }
SYN_INLINE bool undefined(double x) { return x != x; }

// The exponent of the larger part; 0 for what has none.
SYN_INLINE int exponent(C z) {
    double largest = fmax(fabs(z.re), fabs(z.im));
    if (largest == 0.0 || !finite(largest)) return 0;
    int bits = int(bits_as<uint64_t>(largest) >> 52) & 0x7ff;
    return bits == 0 ? -1074 : bits - 1023;
}
SYN_INLINE double power_of_two(int k) { return bits_as<double>(uint64_t(int64_t(k) + 1023) << 52); }

// z 2^k, in steps that do not overflow on the way.
SYN_INLINE C scaled(C z, int k) {
    int quarter = k / 4;
    double step = power_of_two(quarter), last = power_of_two(k - 3 * quarter);
    return {z.re * step * step * step * last, z.im * step * step * step * last};
}

// The infinities and zeros that the quotient's formula turns into NaN.
SYN_INLINE C divide_special(C a, C b, double square) {
    auto unit = [](double x) { return ::copysign(infinite(x) ? 1.0 : 0.0, x); };
    double top = infinity(0.0);
    if (square == 0.0 && !(undefined(a.re) && undefined(a.im))) {
        double far = ::copysign(top, b.re);
        return {far * a.re, far * a.im};
    }
    if ((infinite(a.re) || infinite(a.im)) && finite(b.re) && finite(b.im)) {
        double x = unit(a.re), y = unit(a.im);
        return {top * (x * b.re + y * b.im), top * (y * b.re - x * b.im)};
    }
    if ((infinite(b.re) || infinite(b.im)) && finite(a.re) && finite(a.im)) {
        double x = unit(b.re), y = unit(b.im);
        return {0.0 * (a.re * x + a.im * y), 0.0 * (a.im * x - a.re * y)};
    }
    return undefined();
}

// a/b, with both scaled near 1.
SYN_CALL C divide(C a, C b) {
    int ka = exponent(a), kb = exponent(b);
    C u = scaled(a, -ka), v = scaled(b, -kb);
    double square = v.re * v.re + v.im * v.im;
    C quotient = {(u.re * v.re + u.im * v.im) / square, (u.im * v.re - u.re * v.im) / square};
    C result = scaled(quotient, ka - kb);
    return undefined(result.re) && undefined(result.im) ? divide_special(a, b, square) : result;
}

SYN_CALL C sqrt(C z) {
    double x = z.re, y = z.im, top = infinity(0.0);
    if (x == 0.0 && y == 0.0) return {0.0, y};
    if (infinite(y)) return {top, y};
    if (infinite(x)) {
        double other = undefined(y) ? y : ::copysign(0.0, y);
        return x > 0.0 ? C{x, other} : C{fabs(other), ::copysign(top, y)};
    }
    if (undefined(x) || undefined(y)) return undefined();
    int k = exponent(z) & ~1;  // an even power of two comes out of the root exactly
    C w = scaled(z, -k);
    double t = ::sqrt(0.5 * (fabs(w.re) + hypot(w.re, w.im)));
    C root = x >= 0.0 ? C{t, w.im / (2.0 * t)} : C{fabs(w.im) / (2.0 * t), ::copysign(t, y)};
    return scaled(root, k / 2);
}

SYN_CALL C exp(C z) {
    double x = z.re, y = z.im, top = infinity(0.0);
    if (y == 0.0) return {::exp(x), y};
    if (x == top && !finite(y)) return {x, not_a_number(0.0)};
    if (x == -top && !finite(y)) return {0.0, ::copysign(0.0, y)};
    double s, c;
    ::sincos(y, &s, &c);
    if (fabs(x) > 700.0) {  // two factors, so that a small sine is not lost to an overflow of e^x
        double half = ::exp(0.5 * x);
        return {half * c * half, half * s * half};
    }
    double e = ::exp(x);
    return {e * c, e * s};
}

// e^z - 1: Re = (e^x - 1) cos y - 2 sin^2(y/2).
SYN_CALL C expm1(C z) {
    double x = z.re, y = z.im;
    if (!finite(x) || !finite(y) || x > 700.0) {
        C e = exp(z);
        return {e.re - 1.0, e.im};
    }
    if (y == 0.0) return {::expm1(x), y};
    double s, c, half = ::sin(0.5 * y);
    ::sincos(y, &s, &c);
    double e = ::expm1(x);
    return {e * c - 2.0 * half * half, ::exp(x) * s};
}

SYN_CALL C log(C z) {
    double large = fmax(fabs(z.re), fabs(z.im)), small = fmin(fabs(z.re), fabs(z.im));
    double re;
    if (large > 0.5 && large < 2.0 && !undefined(z.re) && !undefined(z.im))
        re = 0.5 * ::log1p((large - 1.0) * (large + 1.0) + small * small);
    else if (large > 1e300 && finite(large))
        re = ::log(hypot(z.re * 0.25, z.im * 0.25)) + 2.0 * LN_2;
    else
        re = ::log(hypot(z.re, z.im));
    return {re, ::atan2(z.im, z.re)};
}

SYN_CALL C log1p(C z) {
    double x = z.re, y = z.im;
    if (!(fabs(x) < 2.0 && fabs(y) < 2.0)) return log({1.0 + x, y});
    if (y == 0.0 && x >= -1.0) return {::log1p(x), y};
    double u = 1.0 + x, excess = x * (2.0 + x) + y * y;
    double re = excess > -0.5 ? 0.5 * ::log1p(excess) : ::log(hypot(u, y));
    return {re, ::atan2(y, u)};
}

SYN_INLINE C multiply(C a, C b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

SYN_INLINE C positive_power(C base, unsigned rest) {
    C power = base;
    bool started = false;
    while (true) {
        if (rest & 1) {
            power = started ? multiply(power, base) : base;
            started = true;
        }
        rest >>= 1;
        if (rest == 0) return power;
        base = multiply(base, base);
    }
}

// a^b: products for small integer exponents, else e^(b ln a).
SYN_CALL C pow(C a, C b) {
    if (b.re == 0.0 && b.im == 0.0) return {1.0, 0.0};
    if (a.re == 0.0 && a.im == 0.0) return b.re > 0.0 ? C{0.0, 0.0} : undefined();
    if (b.im == 0.0 && ::trunc(b.re) == b.re && fabs(b.re) <= 64.0) {
        C power = positive_power(a, unsigned(fabs(b.re)));
        return b.re < 0.0 ? divide({1.0, 0.0}, power) : power;
    }
    return exp(multiply(b, log(a)));
}

SYN_CALL C sinh(C z) {
    double x = z.re, y = z.im;
    if (y == 0.0) return {::sinh(x), y};
    if ((x == 0.0 || infinite(x)) && !finite(y)) return {x, not_a_number(0.0)};
    double s, c;
    ::sincos(y, &s, &c);
    if (x == 0.0) return {x * c, s};
    if (infinite(x)) return {x * c, fabs(x) * s};
    if (fabs(x) > 700.0) {
        double half = ::exp(0.5 * fabs(x));
        return {::copysign(0.5 * half * c * half, x * c), 0.5 * half * s * half};
    }
    return {::sinh(x) * c, ::cosh(x) * s};
}

SYN_CALL C cosh(C z) {
    double x = z.re, y = z.im;
    if (y == 0.0) return {::cosh(x), y * ::copysign(0.0, x)};
    if (x == 0.0 && !finite(y)) return {not_a_number(0.0), x};
    if (infinite(x) && !finite(y)) return {infinity(0.0), not_a_number(0.0)};
    double s, c;
    ::sincos(y, &s, &c);
    if (x == 0.0) return {c, x * s};
    if (infinite(x)) return {fabs(x) * c, x * s};
    if (fabs(x) > 700.0) {
        double half = ::exp(0.5 * fabs(x));
        return {0.5 * half * c * half, (0.5 * half * s * half) * ::copysign(1.0, x)};
    }
    return {::cosh(x) * c, ::sinh(x) * s};
}

// By Kahan's formula.
SYN_CALL C tanh(C z) {
    double x = z.re, y = z.im;
    if (infinite(x)) {
        double im = finite(y) ? ::sin(2.0 * y) : y;
        return {::copysign(1.0, x), ::copysign(0.0, im)};
    }
    if (undefined(x)) return {x, y == 0.0 ? y : x};
    if (!finite(y)) return {x == 0.0 ? x : not_a_number(0.0), not_a_number(0.0)};
    double s, c;
    ::sincos(y, &s, &c);
    if (fabs(x) > 22.0) {
        double decay = ::exp(-fabs(x));
        return {::copysign(1.0, x), 4.0 * s * c * decay * decay};
    }
    double t = s / c, beta = 1.0 + t * t, h = ::sinh(x);
    double rho = ::sqrt(1.0 + h * h), below = 1.0 + beta * h * h;
    return {beta * rho * h / below, t / below};
}

// sqrt(1 - z) and sqrt(1 + z), the factors of Kahan's inverse functions.
SYN_INLINE void roots(C z, C& below, C& above) {
    below = sqrt({1.0 - z.re, -z.im});
    above = sqrt({1.0 + z.re, z.im});
}
// Beyond 1e8 the 1 in 1 +- z is lost, and the inverse functions are logarithms.
SYN_INLINE bool is_large(C z) { return fabs(z.re) > 1e8 || fabs(z.im) > 1e8; }
SYN_INLINE double log_twice(C z) { return log(z).re + LN_2; }

SYN_INLINE C asin_near(C z) {
    C below, above;
    roots(z, below, above);
    double re = ::atan2(z.re, below.re * above.re - below.im * above.im);
    double im = below.re * above.im - below.im * above.re;
    return {re, ::copysign(fabs(::asinh(im)), z.im)};
}

SYN_CALL C asinh(C z) {
    double x = z.re, y = z.im, nan = not_a_number(0.0);
    if (undefined(x) || undefined(y)) {
        if (infinite(x)) return {x, nan};
        if (infinite(y)) return {infinity(0.0), nan};
        if (y == 0.0) return {x, y};
        return undefined();
    }
    if (is_large(z)) return {::copysign(log_twice(z), x), ::copysign(::atan2(fabs(y), fabs(x)), y)};
    return turned_back(asin_near(turned(z)));
}

SYN_CALL C acos(C z) {
    double x = z.re, y = z.im, nan = not_a_number(0.0);
    if (undefined(x) || undefined(y)) {
        if (infinite(x)) return {nan, infinity(0.0)};
        if (infinite(y)) return {nan, -y};
        if (x == 0.0) return {HALF_PI, nan};
        return undefined();
    }
    if (is_large(z)) return {::atan2(fabs(y), x), -::copysign(log_twice(z), y)};
    C below, above;
    roots(z, below, above);
    double im = above.re * below.im - above.im * below.re;
    return {2.0 * ::atan2(below.re, above.re), -::copysign(fabs(::asinh(im)), y)};
}

// acos turned into the right half plane.
SYN_CALL C acosh(C z) {
    C w = acos(z);
    if (undefined(w.re) && !undefined(w.im)) return {fabs(w.im), w.re};
    if (z.re == 0.0 && undefined(z.im)) return {not_a_number(0.0), HALF_PI};
    return {fabs(w.im), ::copysign(w.re, z.im)};
}

SYN_CALL C atanh(C z) {
    double x = z.re, y = z.im;
    if (undefined(x) || undefined(y)) {
        if (infinite(y)) return {0.0, ::copysign(HALF_PI, y)};
        if (infinite(x) || x == 0.0) return {::copysign(0.0, x), not_a_number(0.0)};
        return undefined();
    }
    if (is_large(z)) {
        double inverse = finite(x) && finite(y) ? divide({1.0, 0.0}, z).re : 0.0;
        return {::copysign(fabs(inverse), x), ::copysign(HALF_PI, y)};
    }
    double a = fabs(x);
    double re = 0.25 * ::log1p(4.0 * a / ((1.0 - a) * (1.0 - a) + y * y));
    double im = a == 1.0 && y == 0.0 ? y : 0.5 * ::atan2(2.0 * y, (1.0 - a) * (1.0 + a) - y * y);
    return {::copysign(re, x), im};
}

SYN_CALL C sign(C z) {
    if (undefined(z.re) || undefined(z.im)) return undefined();
    if (z.re == 0.0 && z.im == 0.0) return {0.0, 0.0};
    auto part = [](double x) { return ::copysign(infinite(x) ? 1.0 : 0.0, x); };
    C direction = infinite(z.re) || infinite(z.im) ? C{part(z.re), part(z.im)} : scaled(z, -exponent(z));
    double length = hypot(direction.re, direction.im);
    return {direction.re / length, direction.im / length};
}

}  // namespace annex_g

// ---- common operands ----------------------------------------------------------------------------------------------

// The larger part within the range whose squares and quotients are safe.
SYN_INLINE bool common(c128 z) {
    double large = fmax(fabs(z.re), fabs(z.im));
    return large > 1e-140 && large < 1e140 && z.re == z.re && z.im == z.im;
}
SYN_INLINE bool common(c64 z) {
    float large = fmaxf(fabsf(z.re), fabsf(z.im));
    return large > 1e-15f && large < 1e18f && z.re == z.re && z.im == z.im;
}
SYN_INLINE c128 wide(c64 z) { return {z.re, z.im}; }
SYN_INLINE c64 narrow(c128 z) { return {float(z.re), float(z.im)}; }

// a/b for operands far from overflow and underflow, within one unit in the last place.
SYN_INLINE float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
    float r;
    asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(b));
    float q = a * r;
    return fmaf(fmaf(-q, b, a), r, q);
#else
    return a / b;
#endif
}
SYN_INLINE double quotient(double a, double b) { return a / b; }

// The angle of a common number: atan of the smaller part over the larger, by a polynomial, then unfolded.
SYN_INLINE float angle(float y, float x) {
    float ax = fabsf(x), ay = fabsf(y);
    float q = quotient(fminf(ax, ay), fmaxf(ax, ay)), z = q * q;
    float p = -1.793665811419487e-3f;
    p = fmaf(p, z, 1.0914810933172703e-2f);
    p = fmaf(p, z, -3.1178247183561325e-2f);
    p = fmaf(p, z, 5.795801803469658e-2f);
    p = fmaf(p, z, -8.403477072715759e-2f);
    p = fmaf(p, z, 0.10952195525169373f);
    p = fmaf(p, z, -0.14264243841171265f);
    p = fmaf(p, z, 0.19998548924922943f);
    p = fmaf(p, z, -0.33333298563957214f);
    float r = fmaf(q * z, p, q);
    // pi/2 and pi in two parts each.
    if (ay > ax) r = (1.57079637f - r) - 4.37113883e-8f;
    if (sign_bit(x)) r = (3.14159274f - r) - 8.74227766e-8f;
    return ::copysignf(r, y);
}
SYN_INLINE double angle(double y, double x) { return ::atan2(y, x); }

// ln|z|, from the larger and the smaller part: near 1 what 1 + t lost to rounding is put back.
template <typename T> SYN_INLINE T log_of(T t, T square, bool near) {
    T h = near ? T(1) + t : square;
    T lost = near ? quotient(t - (h - T(1)), h) : T(0);
    return T(0.5) * (log(h) + lost);
}
template <typename T> SYN_INLINE T log_length(T x, T y) {
    T ax = abs(x), ay = abs(y);
    T large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
    bool near = large > T(0.5) && large < T(2);
    return log_of(fma(large - T(1), large + T(1), small * small), fma(large, large, small * small), near);
}

// Sine and cosine together, by the nearest multiple of pi/2 in three parts, for |x| below 1e5.
SYN_INLINE void sine_cosine(float x, float& s, float& c) {
    float n = ::rintf(x * 0.636619772f);
    int k = int(n);
    float r = fmaf(n, -1.57079625129699707031f, x);
    r = fmaf(n, -7.54978941586159635335e-8f, r);
    r = fmaf(n, -5.39030252995776476554e-15f, r);
    float z = r * r;
    float p = fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f);
    p = fmaf(p, z, -1.6666654611e-1f);
    float sine = fmaf(p, z * r, r);
    float q = fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f);
    q = fmaf(q, z, 4.166664568298827e-2f);
    float cosine = fmaf(q, z * z, fmaf(-0.5f, z, 1.0f));
    s = k & 1 ? cosine : sine;
    c = k & 1 ? sine : cosine;
    s = k & 2 ? -s : s;
    c = (k + 1) & 2 ? -c : c;
    s = x == 0.0f ? x : s;
}
SYN_INLINE void sine_cosine(double x, double& s, double& c) { ::sincos(x, &s, &c); }

SYN_INLINE c128 divide(c128 a, c128 b) {
    double large = fmax(fabs(a.re), fabs(a.im));
    if (!common(b) || !(large < 1e140)) return annex_g::divide(a, b);
    double square = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}
SYN_INLINE c64 divide(c64 a, c64 b) {
    double re = b.re, im = b.im;
    double square = re * re + im * im;  // no float is too large or too small for this
    double x = (a.re * re + a.im * im), y = (a.im * re - a.re * im);
    if (!(square > 0.0 && square < 1e100 && x - x == 0.0 && y - y == 0.0)) return narrow(annex_g::divide(wide(a), wide(b)));
    double inverse = 1.0 / square;
    return {float(x * inverse), float(y * inverse)};
}

SYN_INLINE c128 sqrt(c128 z) {
    if (!common(z)) return annex_g::sqrt(z);
    double t = ::sqrt(0.5 * (fabs(z.re) + ::sqrt(z.re * z.re + z.im * z.im)));
    double other = fabs(z.im) / (2.0 * t);
    bool right = z.re >= 0.0;
    return {right ? t : other, ::copysign(right ? other : t, z.im)};
}
SYN_INLINE c64 sqrt(c64 z) {
    if (!common(z)) return narrow(annex_g::sqrt(wide(z)));
    float t = ::sqrtf(0.5f * (fabsf(z.re) + ::sqrtf(fmaf(z.re, z.re, z.im * z.im))));
    float other = fabsf(z.im) / (2.0f * t);
    bool right = z.re >= 0.0f;
    return {right ? t : other, ::copysignf(right ? other : t, z.im)};
}

SYN_INLINE c128 exp(c128 z) {
    if (!(fabs(z.re) < 700.0 && fabs(z.im) < 1e5)) return annex_g::exp(z);
    double s, c, e = ::exp(z.re);
    ::sincos(z.im, &s, &c);
    return {e * c, e * s};
}
SYN_INLINE c64 exp(c64 z) {
    if (!(fabsf(z.re) < 80.0f && fabsf(z.im) < 1e5f)) return narrow(annex_g::exp(wide(z)));
    float s, c, e = ::expf(z.re);
    sine_cosine(z.im, s, c);
    return {e * c, e * s};
}

// sinh and cosh of one number with one exponential, from E = e^|x| - 1: (E + E/(E + 1))/2 and 1 + E^2/(E + 1)/2.
SYN_INLINE void sinh_cosh(double x, double& s, double& c) {
    double e = ::expm1(fabs(x)), r = e / (e + 1.0);
    s = ::copysign(0.5 * (e + r), x);
    c = 1.0 + 0.5 * (e * r);
}
// In float e^|x| does, with a series where the difference would cancel.
SYN_INLINE void sinh_cosh(float x, float& s, float& c) {
    float e = ::expf(fabsf(x)), r = quotient(1.0f, e), z = x * x;
    float p = fmaf(2.7557319e-6f, z, 1.9841270e-4f);
    p = fmaf(fmaf(p, z, 8.3333333e-3f), z, 0.16666667f);
    s = fabsf(x) < 1.0f ? fmaf(p * z, x, x) : ::copysignf(0.5f * (e - r), x);
    c = 0.5f * (e + r);
}
SYN_INLINE bool moderate(double x, double y) { return fabs(x) < 700.0 && fabs(y) < 1e5; }
SYN_INLINE bool moderate(float x, float y) { return fabsf(x) < 80.0f && fabsf(y) < 1e5f; }
SYN_INLINE c128 annexed(c128 w, c128) { return w; }
SYN_INLINE c64 annexed(c128 w, c64) { return narrow(w); }
SYN_INLINE c128 wide(c128 z) { return z; }

// Whether 1 + z and 1 - z have roots and angles without surprises.
SYN_INLINE bool is_near(c64 z) { return fabsf(z.re) < 1e4f && fabsf(z.im) < 1e4f; }

// The inverse functions of complex64 in float, by the formulas of annex_g.
SYN_INLINE c64 asinh(c64 z) {
    if (!is_near(z)) return narrow(annex_g::asinh(wide(z)));
    c64 w = {-z.im, z.re};
    c64 below = sqrt(c64{1.0f - w.re, -w.im}), above = sqrt(c64{1.0f + w.re, w.im});
    float re = ::atan2f(w.re, below.re * above.re - below.im * above.im);
    float im = ::asinhf(below.re * above.im - below.im * above.re);
    return {::copysignf(im, w.im), -re};
}
SYN_INLINE c64 acos(c64 z) {
    if (!is_near(z)) return narrow(annex_g::acos(wide(z)));
    c64 below = sqrt(c64{1.0f - z.re, -z.im}), above = sqrt(c64{1.0f + z.re, z.im});
    float im = ::asinhf(above.re * below.im - above.im * below.re);
    return {2.0f * ::atan2f(below.re, above.re), -::copysignf(im, z.im)};
}
SYN_INLINE c64 acosh(c64 z) {
    if (!is_near(z)) return narrow(annex_g::acosh(wide(z)));
    c64 w = acos(z);
    return {fabsf(w.im), ::copysignf(w.re, z.im)};
}
SYN_INLINE c64 atanh(c64 z) {
    float a = fabsf(z.re), y = z.im;
    float below = fmaf(1.0f - a, 1.0f - a, y * y);
    if (!(is_near(z) && below > 1e-12f)) return narrow(annex_g::atanh(wide(z)));
    float re = 0.25f * ::log1pf(4.0f * a / below);
    float im = 0.5f * ::atan2f(2.0f * y, fmaf(1.0f - a, 1.0f + a, -(y * y)));
    return {::copysignf(re, z.re), im};
}
SYN_INLINE c128 asinh(c128 z) { return annex_g::asinh(z); }
SYN_INLINE c128 acos(c128 z) { return annex_g::acos(z); }
SYN_INLINE c128 acosh(c128 z) { return annex_g::acosh(z); }
SYN_INLINE c128 atanh(c128 z) { return annex_g::atanh(z); }

SYN_INLINE c64 tanh(c64 z) {
    if (!(fabsf(z.re) < 15.0f && fabsf(z.im) < 1e5f)) return narrow(annex_g::tanh(wide(z)));
    float s, c, sh, ch;
    sine_cosine(z.im, s, c);
    sinh_cosh(z.re, sh, ch);
    float below = fmaf(sh, sh, c * c);
    return {quotient(sh * ch, below), quotient(s * c, below)};
}
SYN_INLINE c128 tanh(c128 z) { return annex_g::tanh(z); }

SYN_INLINE c64 reciprocal(c64 z) {
    if (!common(z)) return divide(c64{1.0f, 0.0f}, z);
    float inverse = quotient(1.0f, fmaf(z.re, z.re, z.im * z.im));
    return {z.re * inverse, -z.im * inverse};
}
SYN_INLINE c128 reciprocal(c128 z) { return divide(c128{1.0, 0.0}, z); }
SYN_INLINE c64 sign(c64 z) {
    if (!common(z)) return narrow(annex_g::sign(wide(z)));
    float inverse = quotient(1.0f, ::sqrtf(fmaf(z.re, z.re, z.im * z.im)));
    return {z.re * inverse, z.im * inverse};
}
SYN_INLINE c128 sign(c128 z) { return annex_g::sign(z); }

#define SYN_CIRCULAR(C, T)                                                                                       \
    SYN_INLINE C sinh(C z) {                                                                                     \
        if (!moderate(z.re, z.im)) return annexed(annex_g::sinh(wide(z)), z);                                    \
        T s, c, sh, ch;                                                                                          \
        sine_cosine(z.im, s, c);                                                                                 \
        sinh_cosh(z.re, sh, ch);                                                                                 \
        return {sh * c, ch * s};                                                                                 \
    }                                                                                                            \
    SYN_INLINE C cosh(C z) {                                                                                     \
        if (!moderate(z.re, z.im)) return annexed(annex_g::cosh(wide(z)), z);                                    \
        T s, c, sh, ch;                                                                                          \
        sine_cosine(z.im, s, c);                                                                                 \
        sinh_cosh(z.re, sh, ch);                                                                                 \
        return {ch * c, sh * s};                                                                                 \
    }                                                                                                            \
    SYN_INLINE C sin(C z) {                                                                                      \
        C w = sinh(C{-z.im, z.re});                                                                              \
        return {w.im, -w.re};                                                                                    \
    }                                                                                                            \
    SYN_INLINE C cos(C z) { return cosh(C{-z.im, z.re}); }                                                       \
    SYN_INLINE C tan(C z) {                                                                                      \
        C w = tanh(C{-z.im, z.re});                                                                              \
        return {w.im, -w.re};                                                                                    \
    }                                                                                                            \
    SYN_INLINE C asin(C z) {                                                                                     \
        C w = asinh(C{-z.im, z.re});                                                                             \
        return {w.im, -w.re};                                                                                    \
    }                                                                                                            \
    SYN_INLINE C atan(C z) {                                                                                     \
        C w = atanh(C{-z.im, z.re});                                                                             \
        return {w.im, -w.re};                                                                                    \
    }                                                                                                            \
    SYN_INLINE C log(C z) {                                                                                      \
        if (!common(z)) return annexed(annex_g::log(wide(z)), z);                                                \
        return {log_length(z.re, z.im), angle(z.im, z.re)};                                                      \
    }                                                                                                            \
    SYN_INLINE C log1p(C z) {                                                                                    \
        T x = z.re, y = z.im, u = T(1) + x;                                                                      \
        if (!common(C{u, y})) return annexed(annex_g::log1p(wide(z)), z);                                        \
        T t = fma(x, T(2) + x, y * y);                                                                           \
        bool near = abs(x) < T(2) && abs(y) < T(2) && t > T(-0.5);                                               \
        return {log_of(t, fma(u, u, y * y), near), angle(y, u)};                                                 \
    }                                                                                                            \
    SYN_INLINE C log2(C z) {                                                                                     \
        C w = log(z);                                                                                            \
        return {T(w.re * (1.0 / LN_2)), T(w.im * (1.0 / LN_2))};                                                 \
    }                                                                                                            \
    SYN_INLINE C log10(C z) {                                                                                    \
        C w = log(z);                                                                                            \
        return {T(w.re * (1.0 / LN_10)), T(w.im * (1.0 / LN_10))};                                               \
    }                                                                                                            \
    SYN_INLINE C expm1(C z) {                                                                                    \
        T x = z.re, y = z.im;                                                                                    \
        if (!moderate(x, y)) return annexed(annex_g::expm1(wide(z)), z);                                         \
        T s, c, half, unused, e = expm1(x);                                                                      \
        sine_cosine(y, s, c);                                                                                    \
        sine_cosine(T(0.5) * y, half, unused);                                                                   \
        /* e^x is only a factor of the smaller part where e^x - 1 has lost its digits. */                        \
        return {fma(T(-2) * half, half, e * c), (e + T(1)) * s};                                                 \
    }                                                                                                            \
    SYN_INLINE C pow(C a, C b) { return annexed(annex_g::pow(wide(a), wide(b)), a); }                            \
    SYN_INLINE C negative(C z) { return {-z.re, -z.im}; }                                                        \
    SYN_INLINE C add(C a, C b) { return {a.re + b.re, a.im + b.im}; }                                            \
    SYN_INLINE C subtract(C a, C b) { return {a.re - b.re, a.im - b.im}; }                                       \
    SYN_INLINE C multiply(C a, C b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }           \
    SYN_INLINE C square(C z) { return multiply(z, z); }                                                          \
    SYN_INLINE T abs(C z) { return hypot(z.re, z.im); }                                                          \
    SYN_INLINE bool equal(C a, C b) { return a.re == b.re && a.im == b.im; }                                     \
    SYN_INLINE bool not_equal(C a, C b) { return !equal(a, b); }                                                 \
    SYN_INLINE C round(C z) { return {round(z.re), round(z.im)}; }                                               \
    SYN_INLINE bool isnan(C z) { return isnan(z.re) || isnan(z.im); }                                            \
    SYN_INLINE bool isinf(C z) { return isinf(z.re) || isinf(z.im); }                                            \
    SYN_INLINE bool isfinite(C z) { return isfinite(z.re) && isfinite(z.im); }                                   \
    SYN_INLINE T real(C z) { return z.re; }                                                                      \
    SYN_INLINE T imag(C z) { return z.im; }                                                                      \
    SYN_INLINE C conj(C z) { return {z.re, -z.im}; }
SYN_CIRCULAR(c64, float)
SYN_CIRCULAR(c128, double)
#undef SYN_CIRCULAR

}  // namespace syn
