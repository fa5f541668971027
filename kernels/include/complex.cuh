// Primitives of complex numbers.
//
// Each function first asks whether its operand is common, that is finite and far from overflow and underflow. A common
// operand needs no scaling, and complex64 then runs in float where that is exact enough. All others, rare in practice,
// go to the CPU's definitions in complex_special.cuh, out of line. Errors are relative to |result|.
#pragma once
#include "complex_special.cuh"
#include "elementary.cuh"

namespace syn {

// The parts together within the range whose squares and quotients are safe.
SYN_INLINE bool common(c128 z) {
    double length = fabs(z.re) + fabs(z.im);
    return length > 1e-140 && length < 1e140;
}
SYN_INLINE bool common(c64 z) {
    float length = fabsf(z.re) + fabsf(z.im);
    return length > 1e-15f && length < 1e18f;
}
template <typename C> SYN_INLINE bool is_zero(C z) { return z.re == 0 && z.im == 0; }
SYN_INLINE c128 wide(c64 z) { return {z.re, z.im}; }
SYN_INLINE c128 wide(c128 z) { return z; }
SYN_INLINE c64 narrow(c128 z) { return {float(z.re), float(z.im)}; }
SYN_INLINE c128 annexed(c128 w, c128) { return w; }
SYN_INLINE c64 annexed(c128 w, c64) { return narrow(w); }

// ln|z|, from the larger and the smaller part: near 1 from |z|^2 - 1.
template <typename T> SYN_INLINE T log_length(T x, T y) {
    T ax = abs(x), ay = abs(y);
    T large = ax > ay ? ax : ay, small = ax > ay ? ay : ax;
    bool near = large > T(0.5) && large < T(2);
    T rest = small * small, square = fma(large, large, rest), excess = fma(large - T(1), large + T(1), rest);
    return T(0.5) * log_sum(near ? excess : square, near ? T(1) + excess : square, near);
}

SYN_INLINE bool moderate(double x, double y) { return fabs(x) < 700.0 && fabs(y) < 1e5; }
SYN_INLINE bool moderate(float x, float y) { return fabsf(x) < 80.0f && fabsf(y) < 1e5f; }
// The range in which sinh^2 does not overflow.
SYN_INLINE bool tangent_moderate(double x, double y) { return fabs(x) < 300.0 && fabs(y) < 1e5; }
SYN_INLINE bool tangent_moderate(float x, float y) { return fabsf(x) < 40.0f && fabsf(y) < 1e5f; }

// Formulas over the primitives of elementary.cuh, the same for both types.
#define SYN_COMMON(C, T)                                                                                         \
    SYN_INLINE C divide(C a, C b) {                                                                              \
        if (!common(b) || !(common(a) || is_zero(a))) return annexed(annex_g::divide(wide(a), wide(b)), a);      \
        T scale = inverse(fma(b.re, b.re, b.im * b.im));                                                         \
        return {fma(a.re, b.re, a.im * b.im) * scale, fma(a.im, b.re, -(a.re * b.im)) * scale};                  \
    }                                                                                                            \
    SYN_INLINE C reciprocal(C z) {                                                                               \
        if (!common(z)) return annexed(annex_g::divide(c128{1.0, 0.0}, wide(z)), z);                             \
        T scale = inverse(fma(z.re, z.re, z.im * z.im));                                                         \
        return {z.re * scale, -z.im * scale};                                                                    \
    }                                                                                                            \
    SYN_INLINE C sign(C z) {                                                                                     \
        if (!common(z)) return annexed(annex_g::sign(wide(z)), z);                                               \
        T scale = inverse_root(fma(z.re, z.re, z.im * z.im));                                                    \
        return {z.re * scale, z.im * scale};                                                                     \
    }                                                                                                            \
    SYN_INLINE C sqrt(C z) {                                                                                     \
        if (!common(z)) return annexed(annex_g::sqrt(wide(z)), z);                                               \
        T square = T(0.5) * (abs(z.re) + root(fma(z.re, z.re, z.im * z.im)));                                    \
        T scale = inverse_root(square), t = square * scale, other = T(0.5) * abs(z.im) * scale;                  \
        bool right = z.re >= T(0);                                                                               \
        return {right ? t : other, copysign(right ? other : t, z.im)};                                           \
    }                                                                                                            \
    SYN_INLINE C exp(C z) {                                                                                      \
        if (!moderate(z.re, z.im)) return annexed(annex_g::exp(wide(z)), z);                                     \
        T s, c, e = exponential(z.re);                                                                           \
        sine_cosine(z.im, s, c);                                                                                 \
        return {e * c, e * s};                                                                                   \
    }                                                                                                            \
    SYN_INLINE C log(C z) {                                                                                      \
        if (!common(z)) return annexed(annex_g::log(wide(z)), z);                                                \
        return {log_length(z.re, z.im), angle(z.im, z.re)};                                                      \
    }                                                                                                            \
    SYN_INLINE C tanh(C z) {                                                                                     \
        if (!tangent_moderate(z.re, z.im)) return annexed(annex_g::tanh(wide(z)), z);                            \
        T s, c, sh, ch;                                                                                          \
        sine_cosine(z.im, s, c);                                                                                 \
        sinh_cosh(z.re, sh, ch);                                                                                 \
        T scale = inverse(fma(sh, sh, c * c));                                                                   \
        return {sh * ch * scale, s * c * scale};                                                                 \
    }
SYN_COMMON(c64, float)
SYN_COMMON(c128, double)
#undef SYN_COMMON

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

// a^b = e^(b ln a). For complex64 the logarithm is in double, to 2^-36: the exponent's absolute error is the result's
// relative one.
SYN_INLINE bool has_products(c128 b) { return b.im == 0.0 && ::trunc(b.re) == b.re && fabs(b.re) <= 64.0; }
SYN_INLINE bool has_products(c64 b) { return b.im == 0.0f && ::truncf(b.re) == b.re && fabsf(b.re) <= 64.0f; }
SYN_INLINE c128 log_for_power(c128 z) { return {log_length(z.re, z.im), angle(z.im, z.re)}; }
SYN_INLINE c128 log_for_power(c64 z) {
    double x = z.re, y = z.im, square = ::fma(x, x, y * y);
    uint64_t bits = bits_as<uint64_t>(square);
    uint32_t whole = (uint32_t(bits >> 32) - 0x3fe6a09eu) & 0xfff00000u;
    double f = bits_as<double>(bits - (uint64_t(whole) << 32)) - 1.0, s = f * rough_inverse(2.0 + f), t = s * s;
    // (ln(1 + f)/s - 2)/t in t, 2^-37.6.
    double p = ::fma(0.23582577758618778, t, 0.28537287509998033);
    p = ::fma(p, t, 0.40000335498216932);
    p = ::fma(p, t, 0.66666665644211487);
    double re = ::fma(double(int32_t(whole) >> 20), 0.5 * LN_2, ::fma(0.5 * s, t * p, s));
    float ax = fabsf(z.re), ay = fabsf(z.im);
    bool steep = ay > ax;
    float large = steep ? ay : ax, small = steep ? ax : ay;
    bool turned = small > 0.414213562f * large;
    double wide_large = large, wide_small = small;
    double q = (turned ? wide_small - wide_large : wide_small) * rough_inverse(turned ? wide_small + wide_large : wide_large);
    t = q * q;
    // (atan(q)/q - 1)/t in t, 2^-40.
    p = ::fma(-0.037951059491186698, t, 0.069928362306719977);
    p = ::fma(p, t, -0.089972230248703405);
    p = ::fma(p, t, 0.11104048395304462);
    p = ::fma(p, t, -0.14285426237820853);
    p = ::fma(p, t, 0.19999994396950568);
    p = ::fma(p, t, -0.33333333296360024);
    return {re, unfolded(::fma(q * t, p, q), turned, steep, z.re, z.im)};
}
// e^w with the parts of w reduced in double.
SYN_INLINE c64 exp_reduced(c128 w, c64) {
    uint32_t k, m;
    double n = nearest(w.re, 1.4426950408889634, k);
    float r = float(::fma(n, -0.69314718055994529, w.re));
    // (e^r - 1 - r)/r^2 in r, 2^-28.
    float p = ::fmaf(0.00139507023f, r, 0.00836895406f);
    p = ::fmaf(p, r, 0.0416662022f);
    p = ::fmaf(p, r, 0.166665182f);
    p = ::fmaf(p, r, 0.5f);
    float scale = two_to(k, 0, r), e = ::fmaf(::fmaf(r * r, p, r), scale, scale), s, c;
    n = nearest(w.im, 0.63661977236758134, m);
    sine_cosine_rest(float(::fma(n, -1.5707963267948966, w.im)), m, s, c);
    return {e * c, e * s};
}
SYN_INLINE c128 exp_reduced(c128 w, c128) {
    double s, c, e = exponential(w.re);
    sine_cosine(w.im, s, c);
    return {e * c, e * s};
}
template <typename C> SYN_INLINE C power(C a, C b) {
    c128 l = log_for_power(a);
    c128 w = {::fma(double(b.re), l.re, -(double(b.im) * l.im)), ::fma(double(b.re), l.im, double(b.im) * l.re)};
    bool fits = fabs(w.re) < (sizeof(C) == 8 ? 80.0 : 700.0) && fabs(w.im) < 1e5;
    if (!(common(a) && fits && !has_products(b))) return annexed(annex_g::pow(wide(a), wide(b)), a);
    return exp_reduced(w, a);
}
SYN_INLINE c64 pow(c64 a, c64 b) { return power(a, b); }
SYN_INLINE c128 pow(c128 a, c128 b) { return power(a, b); }

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
    SYN_INLINE C log1p(C z) {                                                                                    \
        T x = z.re, y = z.im, u = T(1) + x;                                                                      \
        if (!common(C{u, y})) return annexed(annex_g::log1p(wide(z)), z);                                        \
        T t = fma(x, T(2) + x, y * y);                                                                           \
        bool near = abs(x) < T(2) && abs(y) < T(2) && t > T(-0.5);                                               \
        T square = fma(u, u, y * y);                                                                             \
        return {T(0.5) * log_sum(near ? t : square, near ? T(1) + t : square, near), angle(y, u)};               \
    }                                                                                                            \
    SYN_INLINE C log2(C z) {                                                                                     \
        C w = log(z);                                                                                            \
        return {times_log2_e(w.re), times_log2_e(w.im)};                                                         \
    }                                                                                                            \
    SYN_INLINE C log10(C z) {                                                                                    \
        C w = log(z);                                                                                            \
        return {times_log10_e(w.re), times_log10_e(w.im)};                                                       \
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
