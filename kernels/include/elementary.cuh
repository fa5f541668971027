// Functions of numbers in a range without surprises: no overflow, no subnormal, no branch. The complex functions are made
// of them. Each polynomial is a minimax fit of the remainder named beside it, whose error is given relative to the result.
#pragma once
#include "real.cuh"

namespace syn {

// x log2(e) and x log10(e) by the factor in two positive parts, so that an infinity stays one.
SYN_INLINE float times_log2_e(float x) { return ::fmaf(x, 1.44269502f, x * 1.92596299e-8f); }
SYN_INLINE double times_log2_e(double x) { return ::fma(x, 1.4426950408889634, x * 2.0355273740931032e-17); }
SYN_INLINE float times_log10_e(float x) { return ::fmaf(x, 0.434294462f, x * 1.96994745e-8f); }
SYN_INLINE double times_log10_e(double x) { return ::fma(x, 0.4342944819032518, x * 1.0983196502167651e-17); }

// 1/sqrt(x), to about the last place.
SYN_INLINE float inverse_root(float x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return ::fmaf(0.5f * y, ::fmaf(-x * y, y, 1.0f), y);
#else
    return 1.0f / ::sqrtf(x);
#endif
}
SYN_INLINE double inverse_root(double x) {
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double e = ::fma(-x * y, y, 1.0);
    return ::fma(::fma(0.375, e, 0.5), e * y, y);
#else
    return 1.0 / ::sqrt(x);
#endif
}
// sqrt(x), with one correction of what the inverse gives.
SYN_INLINE float root(float x) {
    float y = inverse_root(x), s = x * y;
    return ::fmaf(::fmaf(-s, s, x), 0.5f * y, s);
}
SYN_INLINE double root(double x) {
    double y = inverse_root(x), s = x * y;
    return ::fma(::fma(-s, s, x), 0.5 * y, s);
}

// 1/b within a unit in the last place.
SYN_INLINE float inverse(float b) {
#ifdef __CUDA_ARCH__
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return ::fmaf(::fmaf(-b, r, 1.0f), r, r);
#else
    return 1.0f / b;
#endif
}
SYN_INLINE double inverse(double b) {
#ifdef __CUDA_ARCH__
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    double e = ::fma(-b, r, 1.0);
    return ::fma(::fma(e, e, e), r, r);
#else
    return 1.0 / b;
#endif
}
// 1/b to 2^-36.
SYN_INLINE double rough_inverse(double b) {
#ifdef __CUDA_ARCH__
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    return ::fma(::fma(-b, r, 1.0), r, r);
#else
    return 1.0 / b;
#endif
}
// a/b, with one correction of the remainder.
SYN_INLINE float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    float q = a * r;
    return ::fmaf(::fmaf(-q, b, a), r, q);
#else
    return a / b;
#endif
}
SYN_INLINE double quotient(double a, double b) {
    double r = inverse(b), q = a * r;
    return ::fma(::fma(-q, b, a), r, q);
}

// The nearest integer to x c, as a number and in the low bits of the second result.
SYN_INLINE float nearest(float x, float c, uint32_t& bits) {
    float shifted = ::fmaf(x, c, 12582912.0f);
    bits = bits_as<uint32_t>(shifted);
    return shifted - 12582912.0f;
}
SYN_INLINE double nearest(double x, double c, uint32_t& bits) {
    double shifted = ::fma(x, c, 6755399441055744.0);
    bits = uint32_t(bits_as<uint64_t>(shifted));
    return shifted - 6755399441055744.0;
}

// 2^k from the integer k in the low bits; `offset` is added to it.
SYN_INLINE float two_to(uint32_t k, int offset, float) { return bits_as<float>((k + uint32_t(127 + offset)) << 23); }
SYN_INLINE double two_to(uint32_t k, int offset, double) {
    return bits_as<double>(uint64_t((k + uint32_t(1023 + offset)) << 20) << 32);
}

// ln(v + base), where h is that sum rounded: with 2^e the power of two in h, f = v 2^-e + base 2^-e - 1 keeps the digits
// of v that h has lost. `base` is 1 or 0.
SYN_INLINE float log_sum(float v, float h, bool one) {
    uint32_t whole = (bits_as<uint32_t>(h) - 0x3f3504f3u) & 0xff800000u;
    float scale = bits_as<float>(0x3f800000u - whole);
    float f = ::fmaf(v, scale, one ? scale - 1.0f : -1.0f);
    float e = float(int32_t(whole));  // times 2^23
    // (ln(1 + f) - f)/f^2 in f, 2^-27.8.
    float p = -0.0764470026f;
    p = ::fmaf(p, f, 0.129241869f);
    p = ::fmaf(p, f, -0.132439151f);
    p = ::fmaf(p, f, 0.141790017f);
    p = ::fmaf(p, f, -0.166086346f);
    p = ::fmaf(p, f, 0.200020954f);
    p = ::fmaf(p, f, -0.250016034f);
    p = ::fmaf(p, f, 0.333333254f);
    p = ::fmaf(p, f, -0.499999881f);
    return ::fmaf(e, 8.26295832e-8f, ::fmaf(f * f, p, f));
}
// What the double takes: (ln(1 + f)/s - 2)/z in z, 2^-59.5, its last coefficient first; ln 2 in two parts.
struct LogTerms {
    double p[7], low, high;
};
#define SYN_LOG_TERMS                                                                                            \
    {                                                                                                            \
        {0.14796442735580176, 0.15314004066451456, 0.1818356602887804, 0.22222198542734642, 0.28571428742660387, \
         0.39999999999413571, 0.6666666666666734},                                                               \
            1.9082149292705877e-10, 0.69314718036912382                                                          \
    }
SYN_INLINE double log_sum(double v, double h, bool one, const LogTerms& terms) {
    uint32_t whole = (uint32_t(bits_as<uint64_t>(h) >> 32) - 0x3fe6a09eu) & 0xfff00000u;
    double scale = bits_as<double>(uint64_t(0x3ff00000u - whole) << 32);
    double f = ::fma(v, scale, one ? scale - 1.0 : -1.0);
    double e = double(int32_t(whole) >> 20);
    double s = quotient(f, 2.0 + f), z = s * s;
    double p = terms.p[0];
#pragma unroll
    for (int k = 1; k < 7; ++k) p = ::fma(p, z, terms.p[k]);
    double half = 0.5 * f * f;
    // ln(1 + f) = f - (f^2/2 - s (f^2/2 + z p))
    double tail = half - ::fma(s, ::fma(z, p, half), e * terms.low);
    return ::fma(e, terms.high, f - tail);
}
SYN_INLINE double log_sum(double v, double h, bool one) {
    const LogTerms terms = SYN_LOG_TERMS;
    return log_sum(v, h, one, terms);
}

// The angle of (x, y), neither of them large or small: atan of the smaller part over the larger, unfolded.
SYN_INLINE float angle(float y, float x) {
    float ax = fabsf(x), ay = fabsf(y);
    float q = quotient(fminf(ax, ay), fmaxf(ax, ay)), z = q * q;
    float p = -1.793665811419487e-3f;
    p = ::fmaf(p, z, 1.0914810933172703e-2f);
    p = ::fmaf(p, z, -3.1178247183561325e-2f);
    p = ::fmaf(p, z, 5.795801803469658e-2f);
    p = ::fmaf(p, z, -8.403477072715759e-2f);
    p = ::fmaf(p, z, 0.10952195525169373f);
    p = ::fmaf(p, z, -0.14264243841171265f);
    p = ::fmaf(p, z, 0.19998548924922943f);
    p = ::fmaf(p, z, -0.33333298563957214f);
    float r = ::fmaf(q * z, p, q);
    // pi/2 and pi in two parts each.
    if (ay > ax) r = (1.57079637f - r) - 4.37113883e-8f;
    if (sign_bit(x)) r = (3.14159274f - r) - 8.74227766e-8f;
    return ::copysignf(r, y);
}
// An angle of the first eighth turn in place, from r = that angle, less pi/4 if it was turned.
template <typename T> SYN_INLINE double unfolded(double r, bool turned, bool steep, T x, T y) {
    double base = turned ? 0.78539816339744828 : 0.0;
    if (steep) r = -r, base = 1.5707963267948966 - base;
    if (sign_bit(x)) r = -r, base = 3.1415926535897931 - base;
    double theta = base + r;
    return sign_bit(y) ? -theta : theta;
}
// In double the quotient is first turned by pi/4 where that makes it smaller, which halves the polynomial.
SYN_INLINE double angle(double y, double x) {
    double ax = fabs(x), ay = fabs(y);
    bool steep = ay > ax;
    double large = steep ? ay : ax, small = steep ? ax : ay;
    bool turned = small > 0.41421356237309503 * large;
    double q = quotient(turned ? small - large : small, turned ? small + large : large), z = q * q;
    // (atan(q)/q - 1)/z in z, 2^-59.5.
    double p = -0.017916044989244949;
    p = ::fma(p, z, 0.038072743091230161);
    p = ::fma(p, z, -0.050396307664567222);
    p = ::fma(p, z, 0.05847962389024973);
    p = ::fma(p, z, -0.066631141556513396);
    p = ::fma(p, z, 0.076920611048706983);
    p = ::fma(p, z, -0.090908978074762226);
    p = ::fma(p, z, 0.1111111078516594);
    p = ::fma(p, z, -0.14285714280229841);
    p = ::fma(p, z, 0.19999999999953905);
    p = ::fma(p, z, -0.33333333333333198);
    return unfolded(::fma(q * z, p, q), turned, steep, x, y);
}

// Sine and cosine of r + k pi/2, |r| at most pi/4.
SYN_INLINE void sine_cosine_rest(float r, uint32_t k, float& s, float& c) {
    float z = r * r;
    // (sin(r)/r - 1)/z, 2^-28, and (cos(r) - 1)/z, 2^-34.
    float p = ::fmaf(-0.000195169778f, z, 0.00833217613f);
    p = ::fmaf(p, z, -0.166666552f);
    float sine = ::copysignf(::fmaf(p, z * r, r), r);
    float q = ::fmaf(2.43900486e-5f, z, -0.001388676f);
    q = ::fmaf(q, z, 0.0416666232f);
    q = ::fmaf(q, z, -0.5f);
    float cosine = ::fmaf(q, z, 1.0f);
    s = bits_as<float>(bits_as<uint32_t>(k & 1 ? cosine : sine) ^ (k << 30 & 0x80000000u));
    c = bits_as<float>(bits_as<uint32_t>(k & 1 ? sine : cosine) ^ ((k + 1) << 30 & 0x80000000u));
}
// Sine and cosine together, by the nearest multiple of pi/2 in three parts, for |x| below 1e5.
SYN_INLINE void sine_cosine(float x, float& s, float& c) {
    uint32_t k;
    float n = nearest(x, 0.636619772f, k);
    float r = ::fmaf(n, -1.57079625129699707031f, x);
    r = ::fmaf(n, -7.54978941586159635335e-8f, r);
    sine_cosine_rest(::fmaf(n, -5.39030252995776476554e-15f, r), k, s, c);
}
SYN_INLINE void sine_cosine(double x, double& s, double& c) {
    uint32_t k;
    double n = nearest(x, 0.63661977236758134, k);
    double r = ::fma(n, -1.5707963267948966, x);
    r = ::fma(n, -6.123233995736765e-17, r);
    r = ::fma(n, -1.082856673921914e-32, r);
    double z = r * r;
    // (sin(r)/r - 1)/z, 2^-58, and (cos(r) - 1)/z, 2^-64.7.
    double p = ::fma(1.5896666008223587e-10, z, -2.5050755954318748e-8);
    p = ::fma(p, z, 2.7557313678634968e-6);
    p = ::fma(p, z, -0.00019841269829771148);
    p = ::fma(p, z, 0.0083333333333223698);
    p = ::fma(p, z, -0.16666666666666632);
    double sine = ::copysign(::fma(p, z * r, r), r);
    double q = ::fma(-1.1354404726123393e-11, z, 2.0875606357896173e-9);
    q = ::fma(q, z, -2.7557313321773544e-7);
    q = ::fma(q, z, 2.480158728494427e-5);
    q = ::fma(q, z, -0.0013888888888863788);
    q = ::fma(q, z, 0.041666666666666484);
    double cosine = ::fma(q, z * z, ::fma(-0.5, z, 1.0));
    s = bits_as<double>(bits_as<uint64_t>(k & 1 ? cosine : sine) ^ (uint64_t(k << 30 & 0x80000000u) << 32));
    c = bits_as<double>(bits_as<uint64_t>(k & 1 ? sine : cosine) ^ (uint64_t((k + 1) << 30 & 0x80000000u) << 32));
}

// sinh r and cosh r - 1 for x = k ln 2 + r with |r| at most half of ln 2.
SYN_INLINE void hyperbolic_rest(float x, uint32_t& k, float& s, float& c) {
    float n = nearest(x, 1.44269502f, k);
    float r = ::fmaf(n, -5.76999905e-8f, ::fmaf(n, -0.693147123f, x));
    float z = r * r;
    // (sinh(r)/r - 1)/z, 2^-26, and (cosh(r) - 1)/z, 2^-34.
    s = ::fmaf(::fmaf(0.00836671144f, z, 0.16666542f), z * r, r);
    c = ::fmaf(::fmaf(0.00139464485f, z, 0.0416662656f), z, 0.5f) * z;
}
SYN_INLINE void hyperbolic_rest(double x, uint32_t& k, double& s, double& c) {
    double n = nearest(x, 1.4426950408889634, k);
    double r = ::fma(n, -2.3190468138462996e-17, ::fma(n, -0.69314718055994529, x));
    double z = r * r;
    // (sinh(r)/r - 1)/z, 2^-61, and (cosh(r) - 1)/z, 2^-58.
    double p = ::fma(2.5109262222998673e-8, z, 2.7557243608089084e-6);
    p = ::fma(p, z, 0.00019841269886674336);
    p = ::fma(p, z, 0.0083333333333214365);
    p = ::fma(p, z, 0.16666666666666677);
    s = ::fma(p, z * r, r);
    double q = ::fma(2.7631631635729761e-7, z, 2.4801488978855211e-5);
    q = ::fma(q, z, 0.0013888888947929771);
    q = ::fma(q, z, 0.041666666666511962);
    q = ::fma(q, z, 0.50000000000000133);
    c = q * z;
}
// sinh and cosh together, by their addition theorems: nothing cancels, since k = 0 leaves sinh r. A zero keeps its sign.
template <typename T> SYN_INLINE void sinh_cosh(T x, T& s, T& c) {
    uint32_t k;
    T sr, cr;
    hyperbolic_rest(x, k, sr, cr);
    T up = two_to(k, -1, x), down = two_to(0u - k, -1, x);
    T sk = up - down, ck = up + down;
    s = copysign(fma(ck, sr, fma(sk, cr, sk)), x);
    c = fma(sk, sr, fma(ck, cr, ck));
}
// e^x.
template <typename T> SYN_INLINE T exponential(T x) {
    uint32_t k;
    T s, c;
    hyperbolic_rest(x, k, s, c);
    T scale = two_to(k, 0, x);
    return fma(s + c, scale, scale);
}

}  // namespace syn
