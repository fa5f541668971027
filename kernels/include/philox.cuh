// Random words and values by block index: the same integer and floating-point operations, in the same
// order, as syntonic-core's `random` module. Compiles for the host too, so that the two can be compared.
#pragma once
#include <cstdint>
#ifndef __CUDACC__
#include <math.h>
#include <string.h>
#define __device__
#define __forceinline__ inline
#endif

namespace philox {

/// Which stream of a seed is read: the third word of the counter.
enum Stream : uint32_t {
    UNIFORM_32 = 2,
    UNIFORM_64 = 3,
    NORMAL_32 = 4,
    NORMAL_64 = 5,
    INTEGER = 6,
    PERMUTATION = 7,
};

/// The product of two words. Written out, since the compiler adds the upper half of a constant that has none.
__device__ __forceinline__ uint64_t product(uint32_t a, uint32_t b) {
#ifdef __CUDA_ARCH__
    uint64_t both;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(both) : "r"(a), "r"(b));
    return both;
#else
    return (uint64_t)a * b;
#endif
}

struct Words {
    uint32_t w[4];
};

/// Philox4x32-10 of the counter (block, stream, 0) under the key `seed`.
__device__ __forceinline__ Words words(uint64_t block, uint32_t stream, uint64_t seed) {
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32), c2 = stream, c3 = 0;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int round = 0; round < 10; round++) {
        uint64_t even = product(0xD2511F53u, c0);
        uint64_t odd = product(0xCD9E8D57u, c2);
        c0 = (uint32_t)(odd >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(even >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)odd;
        c3 = (uint32_t)even;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}

__device__ __forceinline__ uint64_t join(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}

#ifdef __CUDACC__
__device__ __forceinline__ float as_float(uint32_t bits) { return __uint_as_float(bits); }
__device__ __forceinline__ uint32_t bits_of(float x) { return __float_as_uint(x); }
__device__ __forceinline__ double as_double(uint64_t bits) {
    return __longlong_as_double((long long)bits);
}
__device__ __forceinline__ uint64_t bits_of(double x) { return (uint64_t)__double_as_longlong(x); }
__device__ __forceinline__ float root(float x) { return __fsqrt_rn(x); }
__device__ __forceinline__ double root(double x) { return __dsqrt_rn(x); }
__device__ __forceinline__ double quotient(double a, double b) { return __ddiv_rn(a, b); }
#else
template <class To, class From>
inline To same_bits(From x) {
    To y;
    memcpy(&y, &x, sizeof y);
    return y;
}
inline float as_float(uint32_t bits) { return same_bits<float>(bits); }
inline uint32_t bits_of(float x) { return same_bits<uint32_t>(x); }
inline double as_double(uint64_t bits) { return same_bits<double>(bits); }
inline uint64_t bits_of(double x) { return same_bits<uint64_t>(x); }
inline float root(float x) { return sqrtf(x); }
inline double root(double x) { return sqrt(x); }
inline double quotient(double a, double b) { return a / b; }
#endif

const double UNIT_HIGH = 1.0 / 4294967296.0;
const double UNIT_LOW = UNIT_HIGH * UNIT_HIGH;

__device__ __forceinline__ float uniform_f32(uint32_t w) {
    return (float)(int32_t)(w >> 8) * (1.0f / 16777216.0f);
}

__device__ __forceinline__ double uniform_f64(uint32_t low, uint32_t high) {
    return (double)high * UNIT_HIGH + (double)(int32_t)(low >> 11) * (1.0 / 9007199254740992.0);
}

/// ln x for normal positive x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt 2).
__device__ __forceinline__ float ln(float x) {
    const uint32_t SQRT_HALF = 0x3F3504F3u;
    uint32_t shifted = bits_of(x) - SQRT_HALF;
    float e = (float)((int32_t)shifted >> 23);
    float f = as_float((shifted & 0x007FFFFFu) + SQRT_HALF) - 1.0f;
    float f2 = f * f;
    float p = -0.07859618f;
    p = p * f + 0.12881651f;
    p = p * f + -0.13128755f;
    p = p * f + 0.14181192f;
    p = p * f + -0.16624554f;
    p = p * f + 0.20002286f;
    p = p * f + -0.2500081f;
    p = p * f + 0.33333317f;
    float tail = (f * f2) * p + e * -2.1219444e-4f - 0.5f * f2;
    return (f + tail) + e * 0.6933594f;
}

/// ln x for normal positive x, through s = f / (2 + f).
__device__ __forceinline__ double ln(double x) {
    const uint64_t SQRT_HALF = 0x3FE6A09E667F3BCDull;
    const uint64_t TWO_52 = 0x4330000000000000ull;
    const uint64_t BIAS = 1 << 11;
    uint64_t shifted = bits_of(x) - SQRT_HALF;
    double f = as_double((shifted & 0x000FFFFFFFFFFFFFull) + SQRT_HALF) - 1.0;
    double e = as_double(TWO_52 | (shifted + (BIAS << 52)) >> 52) - (4503599627370496.0 + BIAS);
    double s = quotient(f, 2.0 + f);
    double z = s * s;
    double r = 0.14797507692233255;
    r = r * z + 0.1531390323651928;
    r = r * z + 0.181835697407507;
    r = r * z + 0.22222198475955784;
    r = r * z + 0.2857142874326311;
    r = r * z + 0.3999999999941109;
    r = r * z + 0.6666666666666735;
    double half = 0.5 * (f * f);
    double tail = half - (s * (half + z * r) + e * 1.9082149292705877e-10);
    return e * as_double(0x3FE62E42FEE00000ull) + (f - tail);
}

/// cos and sin of 2 pi angle / 2^32.
__device__ __forceinline__ void turn(uint32_t angle, float &cosine, float &sine) {
    uint32_t quarter = (angle + (1u << 29)) >> 30;
    float x = (float)(int32_t)(angle - (quarter << 30)) * (float)(6.28318530717958647692 / 4294967296.0);
    float z = x * x;
    float s = x + (x * z) * ((-1.9517298e-4f * z + 0.008332178f) * z + -0.16666655f);
    float c = (1.0f - 0.5f * z) + (z * z) * ((2.4438452e-5f * z + -0.0013887368f) * z + 0.041666646f);
    bool odd = quarter & 1;
    cosine = as_float(bits_of(odd ? s : c) ^ ((quarter + 1) & 2) << 30);
    sine = as_float(bits_of(odd ? c : s) ^ (quarter & 2) << 30);
}

/// cos and sin of 2 pi (low + 2^32 high) / 2^64.
__device__ __forceinline__ void turn(uint32_t low, uint32_t high, double &cosine, double &sine) {
    uint32_t quarter = (high + (1u << 29)) >> 30;
    int32_t rest = (int32_t)(high - (quarter << 30));
    double x = ((double)rest * UNIT_HIGH + (double)low * UNIT_LOW) * 6.28318530717958647692;
    double z = x * x;
    double s = 1.5896827967466006e-10;
    s = s * z + -2.5050758653862346e-8;
    s = s * z + 2.75573136950231e-6;
    s = s * z + -1.984126982981696e-4;
    s = s * z + 0.008333333333322425;
    s = s * z + -0.16666666666666632;
    double c = -1.1359669853625797e-11;
    c = c * z + 2.087572368411907e-9;
    c = c * z + -2.755731435523906e-7;
    c = c * z + 2.4801587289491815e-5;
    c = c * z + -0.001388888888887414;
    c = c * z + 0.0416666666666666;
    s = x + (x * z) * s;
    c = (1.0 - 0.5 * z) + (z * z) * c;
    bool odd = quarter & 1;
    cosine = as_double(bits_of(odd ? s : c) ^ (uint64_t)((quarter + 1) & 2) << 62);
    sine = as_double(bits_of(odd ? c : s) ^ (uint64_t)(quarter & 2) << 62);
}

/// Two normals from a radius word and an angle word.
__device__ __forceinline__ void normals(uint32_t radius, uint32_t angle, float &a, float &b) {
    const float UNIT = 1.0f / 4294967296.0f;
    float u = (float)radius * UNIT + 0.5f * UNIT;
    float r = root(-2.0f * ln(u));
    float c, s;
    turn(angle, c, s);
    a = r * c;
    b = r * s;
}

/// Two normals from a radius and an angle of two words each, low word first.
__device__ __forceinline__ void normals(const Words &w, double &a, double &b) {
    double u = (double)w.w[1] * UNIT_HIGH + ((double)w.w[0] + 0.5) * UNIT_LOW;
    double r = root(-2.0 * ln(u));
    double c, s;
    turn(w.w[2], w.w[3], c, s);
    a = r * c;
    b = r * s;
}

}  // namespace philox
