// Objectives that are sums over coordinates, as `syntonic_srt::evolve::device` computes them: terms in the search's own type, with fused
// multiply-adds where they are written out.
#pragma once
#include "native_types.cuh"

__device__ __forceinline__ f32 fused(f32 a, f32 b, f32 c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ f64 fused(f64 a, f64 b, f64 c) { return __fma_rn(a, b, c); }
// The nearest integer, by adding what has no place for less.
__device__ __forceinline__ f32 nearest_integer(f32 x) {
    return __fsub_rn(__fadd_rn(x, 12582912.0f), 12582912.0f);
}
__device__ __forceinline__ f64 nearest_integer(f64 x) {
    return __dsub_rn(__dadd_rn(x, 6755399441055744.0), 6755399441055744.0);
}

// sin^2(pi r) / r^2 in z = r^2 for |r| <= 1/2, with a relative error of 2^-26 and 2^-62.
__device__ __forceinline__ f32 squared_sine(f32 z) {
    f32 p = -3.336211885f;
    p = fused(p, z, 13.037112775f);
    p = fused(p, z, -30.098553546f);
    p = fused(p, z, 42.726927484f);
    p = fused(p, z, -32.469662363f);
    return fused(p, z, 9.869604264f);
}
__constant__ f64 SQUARED_SINE[11] = {
    9.869604401089358,  -32.46969701133414,  42.728408603346615,   -30.122320685923455,   13.21312839123185,       -3.9517681774753752,
    0.857195263352433,  -0.1410023139933877, 0.018188275000499833, -0.0018806945473003231, 0.00014605351940956307,
};
__device__ __forceinline__ f64 squared_sine(f64 z) {
    f64 p = SQUARED_SINE[10];
#pragma unroll
    for (int k = 9; k >= 0; --k) p = fused(p, z, SQUARED_SINE[k]);
    return p;
}
// sin^2(pi x). The difference to the nearest integer is exact below 2^22 and 2^51; beyond, x has hardly a fraction and the result is small.
template <class T>
__device__ __forceinline__ T squared_sine_of_half_turns(T x) {
    T r = x - nearest_integer(x);
    T z = r * r;
    return z * squared_sine(z);
}

// Functions by their number.
enum Function : u32 { SPHERE = 0, WEIGHTED = 1, RASTRIGIN = 2, ACKLEY = 3, ROSENBROCK = 4 };

// The terms of a coordinate, two at most. `next` is the coordinate after it, NaN after the last, and `weight` its own.
template <u32 F, class T>
__device__ __forceinline__ void term(T& first, T& second, T x, T next, bool last, T weight) {
    second = T(0);
    if (F == SPHERE) {
        first = x * x;
    } else if (F == WEIGHTED) {
        first = x * x * weight;
    } else if (F == RASTRIGIN) {
        first = fused(x, x, T(20) * squared_sine_of_half_turns(x));
    } else if (F == ACKLEY) {
        first = x * x;
        second = squared_sine_of_half_turns(x);
    } else {
        T bend = fused(-x, x, next), way = T(1) - x;
        first = last ? T(0) : fused(T(100) * bend, bend, way * way);
    }
}

// e^x for |x| <= 700, and what is beyond as there: 2^k e^r with |r| <= ln 2 / 2 and 14 terms, every operation rounded.
__constant__ f64 EXPONENTIAL[15] = {
    1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333, 0.001388888888888889, 1.984126984126984e-4,
    2.48015873015873e-5, 2.7557319223985893e-6, 2.755731922398589e-7, 2.505210838544172e-8, 2.08767569878681e-9, 1.6059043836821613e-10,
    1.1470745597729725e-11,
};
__device__ __forceinline__ f64 exponential(f64 x) {
    // NaN stays NaN.
    x = x > 700.0 ? 700.0 : x < -700.0 ? -700.0 : x;
    f64 k = nearest_integer(x * 1.4426950408889634);
    f64 r = (x - k * __longlong_as_double(0x3FE62E42FEE00000ll)) - k * 1.9082149292705877e-10;
    f64 sum = EXPONENTIAL[14];
#pragma unroll
    for (int i = 13; i >= 0; --i) sum = sum * r + EXPONENTIAL[i];
    return sum * __longlong_as_double(((i64)k + 1023) << 52);
}

// The value from the sums of all terms.
template <u32 F>
__device__ __forceinline__ f64 finished(f64 first, f64 second, f64 n) {
    if (F != ACKLEY) return first;
    f64 one = 20.0 - 20.0 * exponential(-0.2 * sqrt(first / n));
    return one + (2.718281828459045 - exponential(1.0 - 2.0 * (second / n)));
}
