// Random words and values by block index: the same integer and floating-point operations, in the same
// order, as syntonic-core's `random` module. Compiles for the host too, so that the two can be compared.
#pragma once
#include <cstdint>
#ifndef __CUDACC__
#include <math.h>
#include <string.h>
#define __device__
#define __constant__ const
#define __forceinline__ inline
#endif

namespace philox {

/// Whether that bit of a word is set: written out, since the compiler makes a shift, a mask and a comparison of
/// it where a mask alone can set a predicate.
__device__ __forceinline__ bool bit(uint32_t word, uint32_t mask) {
#ifdef __CUDA_ARCH__
    uint32_t set;
    asm("and.b32 %0, %1, %2;" : "=r"(set) : "r"(word), "r"(mask));
    return set != 0;
#else
    return (word & mask) != 0;
#endif
}

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

/// Words that the host makes once for a launch, whose blocks all have one stream and one upper word: the keys
/// of the ten rounds, two each, with what those two words add to the first three rounds folded in. The first
/// is the lower word of block 0 instead.
const int KEYS = 20;

/// Philox4x32-10 of the counter (block, upper word, stream, 0).
template <class Keys> __device__ __forceinline__ Words words(uint32_t block, const Keys &keys) {
    // The first round's odd product and the second's even one are the same for all blocks.
    uint64_t even = product(0xD2511F53u, block);
    uint64_t odd = product(0xCD9E8D57u, (uint32_t)(even >> 32) ^ keys[1]);
    uint32_t c0 = (uint32_t)(odd >> 32) ^ keys[2], c1 = (uint32_t)odd;
    uint32_t c2 = (uint32_t)even ^ keys[3], c3 = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int round = 2; round < 10; round++) {
        even = product(0xD2511F53u, c0);
        odd = product(0xCD9E8D57u, c2);
        c0 = (uint32_t)(odd >> 32) ^ c1 ^ keys[2 * round];
        c2 = (uint32_t)(even >> 32) ^ c3 ^ keys[2 * round + 1];
        c1 = (uint32_t)odd;
        c3 = (uint32_t)even;
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
/// Square roots as IEEE 754 rounds them, for normal positive numbers alone: without the branch for the others.
__device__ __forceinline__ float root(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    float s = x * y;
    return fmaf(fmaf(-s, s, x), 0.5f * y, s);
}
__device__ __forceinline__ double root(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    // Half of it, by its exponent.
    double h = __hiloint2double(__double2hiint(y) - 0x00100000, __double2loint(y));
    double s = x * y;
    double e = fma(-s, h, 0.5);
    // 1 / sqrt(1 - 2e) - 1 but for 5/2 e^3, which is less than 2^-58.
    e = fma(1.5 * e, e, e);
    s = fma(s, e, s);
    return fma(fma(-s, s, x), fma(h, e, h), s);
}
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
#endif

const double UNIT_HIGH = 1.0 / 4294967296.0;

__device__ __forceinline__ float uniform_f32(uint32_t w) {
    return (float)(int32_t)(w >> 8) * (1.0f / 16777216.0f);
}

__device__ __forceinline__ double uniform_f64(uint32_t low, uint32_t high) {
    return (double)high * UNIT_HIGH + (double)(int32_t)(low >> 11) * (1.0 / 9007199254740992.0);
}

/// -2 ln x for normal positive x = 2^e (1 + f) with 1 + f in [sqrt(1/2), sqrt 2).
__device__ __forceinline__ float minus_two_ln(float x) {
    uint32_t e = (bits_of(x) - 0x3F3504F3u) & 0xFF800000u;
    float f = as_float(bits_of(x) - e) - 1.0f;
    float p = -0.1744397f;
    p = fmaf(p, f, 0.2873341f);
    p = fmaf(p, f, -0.2990468f);
    p = fmaf(p, f, 0.33124837f);
    p = fmaf(p, f, -0.39913657f);
    p = fmaf(p, f, 0.5000414f);
    p = fmaf(p, f, -0.66668373f);
    p = fmaf(p, f, 0.99999976f);
    p = fmaf(p, f, -2.0f);
    return fmaf((float)(int32_t)e, (float)(-2.0 * 0.69314718055994530942 / 8388608.0), f * p);
}

// Coefficients in constant memory: as part of the code each would take two instructions of its own.
__constant__ double LOGARITHM[8] = {
    -2.0, 1.0, -0.6666666666674677, 0.500000000000721,
    -0.3999999835429663, 0.3333333185219047, -0.28582247533353855, 0.2500973711510676,
};
__constant__ double SINE[6] = {
    -0.16666666666666632, 0.008333333333322425, -1.984126982981696e-4, 2.75573136950231e-6,
    -2.5050758653862346e-8, 1.5896827967466006e-10,
};
__constant__ double COSINE[7] = {
    -0.5, 0.04166666666666649, -0.0013888888888863912, 2.4801587285010552e-5, -2.755731333940286e-7,
    2.0875608648427552e-9, -1.13545203978361e-11,
};
__constant__ double STEPS[6] = {
    // The double before 2^-32, and the one before 2^-12.
    (1.0 - 1.1102230246251565e-16) / 4294967296.0, (1.0 - 1.1102230246251565e-16) / 4096.0,
    // -2 ln 2 over the 2^20 by which the exponent is too large where it stands.
    -2.0 * 0.69314718055994530942 / 1048576.0,
    // Radians of the two words of an angle.
    1.57079632679489661923 / 4294967296.0, 1.57079632679489661923 / 4294967296.0 / 4294967296.0,
    // What the lower of them has too much while 2^52 stands beside it.
    -1.57079632679489661923 / 4096.0,
};

/// The numbers of syntonic-core's table of logarithms: the upper words of the inverses, whose lower are 0, and
/// both words of their logarithms.
const int PARTS = 32;
__device__ const uint32_t TABLE[3][PARTS] = {
    {
        0x3FF6567D, 0x3FF5DD02, 0x3FF56841, 0x3FF4F82A, 0x3FF48B48, 0x3FF424CD, 0x3FF3C163, 0x3FF362A1,
        0x3FF3064C, 0x3FF2AD7E, 0x3FF2581E, 0x3FF20405, 0x3FF1B4F2, 0x3FF167AE, 0x3FF11DB9, 0x3FF0D4AC,
        0x3FF08F1F, 0x3FF04C78, 0x3FF00000, 0x3FEF3124, 0x3FEE441B, 0x3FED64F6, 0x3FEC929C, 0x3FEBCCA7,
        0x3FEB107A, 0x3FEA5E7C, 0x3FE9B5E0, 0x3FE912D0, 0x3FE87AE9, 0x3FE7E75B, 0x3FE75C73, 0x3FE6D799,
    },
    {
        0x62AC4B8F, 0xD453E8C8, 0xF443EB26, 0xAFDDAE01, 0x76B6A4CD, 0x865CD804, 0xC02CFEC6, 0x5BEE7F7D,
        0x34C4090C, 0x2903AFF4, 0xAE3BAB1E, 0xB7C528B7, 0xB950191A, 0xF1EBF1A0, 0x74C20EEF, 0xBA624DAF,
        0x57CF6614, 0x9BD28F17, 0x00000000, 0x89C6C7A8, 0xB100447E, 0x098F47E5, 0x72E5AA55, 0x339AC5D3,
        0xC537D9B7, 0x201EBF84, 0xA131265B, 0xAC957035, 0xA5375B99, 0xE64875B1, 0xB10711A3, 0xBF4B3623,
    },
    {
        0x3FE55B3C, 0x3FE3FB6E, 0x3FE2A20B, 0x3FE14F76, 0x3FDFFF75, 0x3FDD7AA6, 0x3FDAFCC5, 0x3FD890FD,
        0x3FD62995, 0x3FD3CE94, 0x3FD18035, 0x3FCE602B, 0x3FC9F2CB, 0x3FC58C14, 0x3FC14329, 0x3FB9EAB5,
        0x3FB195AD, 0x3FA2F0E0, 0x00000000, 0xBFAA3082, 0xBFBC85FB, 0xBFC5BE22, 0xBFCD0035, 0xBFD20322,
        0xBFD5713B, 0xBFD8C60B, 0xBFDC02E5, 0xBFDF38EE, 0xBFE124DB, 0xBFE2AB3B, 0xBFE4236D, 0xBFE5937D,
    },
};

/// A word of the table. Each lane of a warp holds those of one part, and lanes give each other what they need:
/// no two of them ever wait for the same bank. All lanes must come here together.
__device__ __forceinline__ uint32_t looked_up(int word, uint32_t part) {
#ifdef __CUDA_ARCH__
    return __shfl_sync(~0u, TABLE[word][threadIdx.x % PARTS], part);
#else
    return TABLE[word][part % PARTS];
#endif
}

/// The polynomial with these coefficients.
template <int N> __device__ __forceinline__ double polynomial(const double (&c)[N], double x) {
    double p = c[N - 1];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int k = N - 2; k >= 0; k--) p = fma(p, x, c[k]);
    return p;
}

/// 2^52 and a word: exact, and where it meets an addition anyway it saves a conversion, which takes four times
/// as long as any other step.
__device__ __forceinline__ double beside(uint32_t word) { return as_double(join(word, 0x43300000u)); }
const double BESIDE = 4503599627370496.0;

/// Whether words that meet no addition are made into numbers by one more, not by a conversion.
const bool BY_ADDING = false;

__device__ __forceinline__ double number(uint32_t word) {
    return BY_ADDING ? beside(word) - BESIDE : (double)word;
}
__device__ __forceinline__ double number(int32_t word) {
    return BY_ADDING ? beside((uint32_t)word ^ 0x80000000u) - (BESIDE + 2147483648.0) : (double)word;
}

/// -2 ln x for normal positive x = 2^e m with m in a part of [0.7083, 1.4167), by the inverse of a number in
/// that part: m times it is 1 + f, with |f| < 2^-6. Around 1 it is 1 itself.
__device__ __forceinline__ double minus_two_ln(double x) {
    uint32_t high = (uint32_t)(bits_of(x) >> 32), t = high - 0x3FE6AAABu, e = t & 0xFFF00000u, part = t >> 15;
    double m = as_double(join((uint32_t)bits_of(x), high - e));
    double f = fma(m, as_double(join(0, looked_up(0, part))), -1.0);
    double p = fma(f, polynomial(LOGARITHM, f), as_double(join(looked_up(1, part), looked_up(2, part))));
    return fma(number((int32_t)e), STEPS[2], p);
}

/// (cos x, sin x) with x in [-pi/4, pi/4) from the lower 30 bits, the first negative if bit 31 is set, both
/// exchanged if bit 30 is.
__device__ __forceinline__ void unit_point(uint32_t angle, float &a, float &b) {
    float x = (float)(int32_t)(angle << 2) * (float)(1.57079632679489661923 / 4294967296.0);
    float z = x * x;
    float s = -1.9517298e-4f;
    s = fmaf(s, z, 0.008332178f);
    s = fmaf(s, z, -0.16666655f);
    s = fmaf(s, x * z, x);
    float c = -0.0013597823f;
    c = fmaf(c, z, 0.041656293f);
    c = fmaf(c, z, -0.49999896f);
    c = fmaf(c, z, 1.0f);
    c = as_float(bits_of(c) ^ (angle & 0x80000000u));
    bool turned = bit(angle, 0x40000000u);
    a = turned ? s : c;
    b = turned ? c : s;
}

/// The same from the lower 62 bits of two words.
__device__ __forceinline__ void unit_point(uint32_t low, uint32_t high, double &a, double &b) {
    // The product of the lower word is rounded once, as it would be alone: the other terms are exact.
    double x = fma(number((int32_t)(high << 2 | low >> 30)), STEPS[3], fma(beside(low << 2), STEPS[4], STEPS[5]));
    double z = x * x;
    double s = fma(polynomial(SINE, z), x * z, x);
    double c = fma(polynomial(COSINE, z), z, 1.0);
    c = as_double(bits_of(c) ^ (uint64_t)(high & 0x80000000u) << 32);
    bool turned = bit(high, 0x40000000u);
    a = turned ? s : c;
    b = turned ? c : s;
}

/// Two normals from a radius word and an angle word.
__device__ __forceinline__ void normals(uint32_t radius, uint32_t angle, float &a, float &b) {
    // The float before 2^-32, so that no word gives 1, whose logarithm is 0.
    const float STEP = (1.0f - 5.9604645e-8f) / 4294967296.0f;
    float u = fmaf((float)radius, STEP, 0.5f / 4294967296.0f);
    float r = root(minus_two_ln(u));
    unit_point(angle, a, b);
    a *= r;
    b *= r;
}

/// Two normals from a radius and an angle of two words each, low word first.
__device__ __forceinline__ void normals(const Words &w, double &a, double &b) {
    // 2^-12 and the lower word in steps of 2^-64; the difference, odd multiples of 2^-65, is exact.
    double low = as_double(join(w.w[0], 0x3F300000u)) - STEPS[1];
    double u = fma(number(w.w[1]), STEPS[0], low);
    double r = root(minus_two_ln(u));
    unit_point(w.w[2], w.w[3], a, b);
    a *= r;
    b *= r;
}

}  // namespace philox
