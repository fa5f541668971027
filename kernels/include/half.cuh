// Functions of half-precision operands. A result of 8 or 11 significant bits does not need the last bits of a float:
// these err by 2^-16 or less of the result before it is rounded, by the GPU's own approximations and short polynomials.
#pragma once
#include "elementary.cuh"

namespace syn {
namespace half {

constexpr float LOG2_E_F = 1.44269504f, LN_2_F = 0.693147181f, LOG10_2_F = 0.301029996f;

#ifdef __CUDA_ARCH__
#define SYN_APPROXIMATION(name, instruction, host)                                                               \
    SYN_INLINE float name(float x) {                                                                             \
        float y;                                                                                                 \
        asm volatile(instruction " %0, %1;" : "=f"(y) : "f"(x));                                                          \
        return y;                                                                                                \
    }
#else
#define SYN_APPROXIMATION(name, instruction, host)                                                               \
    SYN_INLINE float name(float x) { return host; }
#endif
SYN_APPROXIMATION(exp2, "ex2.approx.f32", ::exp2f(x))
SYN_APPROXIMATION(log2, "lg2.approx.f32", ::log2f(x))
SYN_APPROXIMATION(sqrt, "sqrt.approx.f32", ::sqrtf(x))
SYN_APPROXIMATION(rsqrt, "rsqrt.approx.f32", 1.0f / ::sqrtf(x))
SYN_APPROXIMATION(reciprocal, "rcp.approx.f32", 1.0f / x)
// For operands and results that are no subnormal numbers. `volatile` keeps all of these out of branches.
SYN_APPROXIMATION(power_of_two, "ex2.approx.ftz.f32", ::exp2f(x))
SYN_APPROXIMATION(inverse, "rcp.approx.ftz.f32", 1.0f / x)
SYN_APPROXIMATION(log2_normal, "lg2.approx.ftz.f32", ::log2f(x))
SYN_APPROXIMATION(sqrt_normal, "sqrt.approx.ftz.f32", ::sqrtf(x))
#undef SYN_APPROXIMATION

// e^x as a square, whose root is a normal number wherever e^x is more than 0 and less than infinity: the error is twice that
// of the root, 2^-21, and |x| 2^-24 from the product.
SYN_INLINE float exp(float x) {
    float root = power_of_two(x * (0.5f * LOG2_E_F));
    return root * root;
}
// a/b to 2^-21 for all operands: both are divided by about the root of |b|, so that the divisor has a normal inverse, and the
// dividend loses digits or overflows only where the quotient does. Equal divisors share their inverse, which therefore is not
// `volatile`.
SYN_INLINE float divide(float a, float b) {
    float scale = bits_as<float>(((~bits_as<uint32_t>(b) & 0x7f000000u) >> 1) + 0x1f800000u), r;
#ifdef __CUDA_ARCH__
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b * scale));
#else
    r = 1.0f / (b * scale);
#endif
    return a * scale * r;
}
SYN_INLINE float expm1(float x) {
    // x (1 + x/2 + ...), which holds to 2^-19 where e^x - 1 would cancel.
    float p = ::fmaf(::fmaf(::fmaf(::fmaf(8.3333333e-3f, x, 4.1666667e-2f), x, 0.16666667f), x, 0.5f), x, 1.0f);
    return fabsf(x) < 0.25f ? x * p : exp(x) - 1.0f;
}
SYN_INLINE float log(float x) { return log2(x) * LN_2_F; }
SYN_INLINE float log10(float x) { return log2(x) * LOG10_2_F; }
SYN_INLINE float log1p(float x) {
    float p = ::fmaf(::fmaf(::fmaf(::fmaf(0.2f, x, -0.25f), x, 0.33333333f), x, -0.5f), x, 1.0f);
    return fabsf(x) < 0.0625f ? x * p : log2_normal(1.0f + x) * LN_2_F;
}

// x - n (high + low); both parts are positive, so that -0 stays -0.
SYN_INLINE float less_turns(float x, float n, float high, float low) { return ::fmaf(n, -low, ::fmaf(n, -high, x)); }
// sin(r) (-1)^n for |r| <= pi/2.
SYN_INLINE float sine_of(float r, uint32_t n) {
    float z = r * r;
    // (sin(r)/r - 1)/z, 2^-19.
    float p = ::fmaf(::fmaf(-0.000185419354f, z, 0.00831426587f), z, -0.166658521f);
    float s = ::fmaf(p, z, 1.0f) * r;
    return bits_as<float>(bits_as<uint32_t>(s) ^ n << 31);
}
constexpr float FAR = 1e5f;  // beyond this the reduction by pi in two parts is not enough
SYN_CALL float far_sin(float x) { return ::sinf(x); }
SYN_CALL float far_cos(float x) { return ::cosf(x); }
SYN_CALL float far_tan(float x) { return ::tanf(x); }
SYN_INLINE float sin(float x) {
    if (fabsf(x) > FAR) return far_sin(x);
    uint32_t k;
    float n = nearest(x, 0.318309886f, k);
    return sine_of(less_turns(x, n, 3.14159250f, 1.50995799e-7f), k);
}
SYN_INLINE float cos(float x) {
    if (fabsf(x) > FAR) return far_cos(x);
    uint32_t k;
    // cos x = sin(x + pi/2), with n the nearest integer to x/pi + 1/2, less 1/2.
    float shifted = ::fmaf(x, 0.318309886f, 0.5f) + 12582912.0f;
    k = bits_as<uint32_t>(shifted);
    float n = (shifted - 12582912.0f) - 0.5f;
    return sine_of(less_turns(x, n, 3.14159250f, 1.50995799e-7f), k);
}
SYN_INLINE float tan(float x) {
    if (fabsf(x) > FAR) return far_tan(x);
    uint32_t k;
    float n = nearest(x, 0.636619772f, k);
    float r = less_turns(x, n, 1.57079625f, 7.54978995e-8f), z = r * r;
    float s = ::fmaf(::fmaf(0.00816323888f, z, -0.166633889f), z, 1.0f) * r;
    float c = ::fmaf(::fmaf(::fmaf(-0.00135975343f, z, 0.0416562743f), z, -0.499998957f), z, 1.0f);
    bool odd = k & 1;
    float t = (odd ? c : s) * inverse(odd ? s : c);
    return bits_as<float>(bits_as<uint32_t>(t) ^ k << 31);
}

// From E = e^|x|/2: E - 1/(4E) and E + 1/(4E).
SYN_INLINE float sinh(float x) {
    float e = power_of_two(::fmaf(fabsf(x), LOG2_E_F, -1.0f)), z = x * x;
    float p = ::fmaf(::fmaf(1.9841270e-4f, z, 8.3333333e-3f), z, 0.16666667f);
    return fabsf(x) < 1.0f ? ::fmaf(p * z, x, x) : ::copysignf(::fmaf(-0.25f, inverse(e), e), x);
}
SYN_INLINE float cosh(float x) {
    float e = power_of_two(::fmaf(fabsf(x), LOG2_E_F, -1.0f));
    return ::fmaf(0.25f, inverse(e), e);
}
SYN_INLINE float tanh(float x) {
    // 1 - 2/(e^2|x| + 1), and a polynomial where that would cancel.
    float e = power_of_two(fminf(fabsf(x), 20.0f) * (2.0f * LOG2_E_F)), z = x * x;
    float p = ::fmaf(::fmaf(-0.0474614613f, z, 0.132713407f), z, -0.333316296f);
    float t = ::fmaf(-2.0f, inverse(e + 1.0f), 1.0f);
    t = x != x ? x : t;
    return fabsf(x) < 0.4f ? ::fmaf(p, z, 1.0f) * x : ::copysignf(t, x);
}

// asin(x)/x for x^2 = z <= 1/4, 2^-19.
SYN_INLINE float arc_ratio(float z) {
    return ::fmaf(::fmaf(::fmaf(0.0641841888f, z, 0.0718735531f), z, 0.166803256f), z, 1.0f);
}
SYN_INLINE float asin(float x) {
    float a = fabsf(x), w = ::fmaf(-0.5f, a, 0.5f), s = sqrt_normal(w);
    bool small = a <= 0.5f;
    float ratio = arc_ratio(small ? x * x : w);
    return small ? x * ratio : ::copysignf(::fmaf(-2.0f * s, ratio, 1.57079633f), x);
}
SYN_INLINE float acos(float x) {
    float a = fabsf(x), w = ::fmaf(-0.5f, a, 0.5f), s = sqrt_normal(w);
    bool small = a <= 0.5f;
    float ratio = arc_ratio(small ? x * x : w);
    float far = 2.0f * s * ratio;
    return small ? ::fmaf(-x, ratio, 1.57079633f) : x < 0.0f ? 3.14159265f - far : far;
}
SYN_INLINE float atan(float x) {
    float a = fabsf(x);
    bool steep = a > 1.0f;
    float q = steep ? inverse(a) : a, z = q * q;
    // (atan(q)/q - 1)/z, 2^-18.
    float p = ::fmaf(::fmaf(::fmaf(-0.0141725019f, z, 0.0593052618f), z, -0.122968741f), z, 0.19633469f);
    float t = ::fmaf(::fmaf(p, z, -0.33310473f), z, 1.0f) * q;
    return ::copysignf(steep ? 1.57079633f - t : t, x);
}
SYN_INLINE float asinh(float x) {
    float a = fabsf(x), z = x * x;
    float p = ::fmaf(::fmaf(::fmaf(-4.4642857e-2f, z, 7.5e-2f), z, -0.16666667f), z, 1.0f);
    bool large = a > 1e9f;
    float t = (log2_normal(large ? a : a + sqrt_normal(z + 1.0f)) + (large ? 1.0f : 0.0f)) * LN_2_F;
    return a < 0.25f ? x * p : ::copysignf(t, x);
}
SYN_INLINE float acosh(float x) {
    bool large = x > 1e9f;
    // Below 1 the root need not say that there is none.
    float whole = x < 1.0f ? -1.0f : large ? x : x + sqrt_normal(::fmaf(x, x, -1.0f));
    return (log2_normal(whole) + (large ? 1.0f : 0.0f)) * LN_2_F;
}
SYN_INLINE float atanh(float x) {
    float z = x * x;
    float p = ::fmaf(::fmaf(::fmaf(0.14285714f, z, 0.2f), z, 0.33333333f), z, 1.0f);
    return fabsf(x) < 0.25f ? x * p : (log2_normal(1.0f + x) - log2_normal(1.0f - x)) * (0.5f * LN_2_F);
}

}  // namespace half
}  // namespace syn
