// Primitives of complex numbers.
//
// Each function first asks whether its operand is common, that is finite and far from overflow and underflow. A common
// operand needs no scaling, and complex64 then runs in float where that is exact enough. All others, rare in practice,
// go to the CPU's definitions in annex_g.cuh, out of line. Errors are relative to |result|.
#pragma once
#include "annex_g.cuh"

namespace syn {

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
