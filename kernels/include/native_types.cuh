// Element types as CUDA's native types, and the accumulator type of each.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "cells.cuh"

using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using f16 = __half;
using bf16 = __nv_bfloat16;
using f32 = float;
using f64 = double;
struct alignas(8) c64 {
    float re, im;
};
struct alignas(16) c128 {
    double re, im;
};

// Sums as the CPU rounds them: halves through f32, once each time.
__device__ __forceinline__ u8 plus(u8 a, u8 b) { return u8(a + b); }
__device__ __forceinline__ u16 plus(u16 a, u16 b) { return u16(a + b); }
__device__ __forceinline__ u32 plus(u32 a, u32 b) { return a + b; }
__device__ __forceinline__ u64 plus(u64 a, u64 b) { return a + b; }
__device__ __forceinline__ f16 plus(f16 a, f16 b) {
    return __float2half_rn(__half2float(a) + __half2float(b));
}
__device__ __forceinline__ bf16 plus(bf16 a, bf16 b) {
    return __float2bfloat16_rn(__bfloat162float(a) + __bfloat162float(b));
}
__device__ __forceinline__ f32 plus(f32 a, f32 b) { return a + b; }
__device__ __forceinline__ f64 plus(f64 a, f64 b) { return a + b; }
__device__ __forceinline__ c64 plus(c64 a, c64 b) { return c64{a.re + b.re, a.im + b.im}; }
__device__ __forceinline__ c128 plus(c128 a, c128 b) { return c128{a.re + b.re, a.im + b.im}; }

__device__ __forceinline__ u64 times(u64 a, u64 b) { return a * b; }
__device__ __forceinline__ f64 times(f64 a, f64 b) { return a * b; }
__device__ __forceinline__ c128 times(c128 a, c128 b) {
    return c128{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// A double as a half, rounded once. Through `float` rounded to odd it needs no 64-bit conversion,
// which not every architecture has for `bf16`.
__device__ __forceinline__ float round_to_odd(f64 x) {
    float near = __double2float_rn(x);
    f64 wide = near;
    u32 bits = __float_as_uint(near) - u32(fabs(wide) > fabs(x));
    return __uint_as_float(bits | u32(wide != x && x == x));
}

// Through `float` rounded to nearest the result is the same, unless that lies half way between two halves or is too small
// to be a normal one.
__device__ __forceinline__ bf16 to_bf16(f64 x) {
    float near = __double2float_rn(x);
    if ((__float_as_uint(near) & 0xffff) == 0x8000) near = round_to_odd(x);
    return __float2bfloat16_rn(near);
}
__device__ __forceinline__ f16 to_f16(f64 x) {
    float near = __double2float_rn(x);
    u32 bits = __float_as_uint(near) & 0x7fffffff;
    if ((bits & 0x1fff) == 0x1000 || bits < 113u << 23) near = round_to_odd(x);
    return __float2half_rn(near);
}

// Integers wrap, so 64 bits without sign are right for all of them.
template <class T>
struct Running;
#define RUNNING(T, IN, WIDEN, NARROW)                                                             \
    template <>                                                                                   \
    struct Running<T> {                                                                           \
        using In = IN;                                                                            \
        static __device__ __forceinline__ IN widen(T x) { return WIDEN; }                         \
        static __device__ __forceinline__ T narrow(IN x) { return NARROW; }                       \
    };
RUNNING(u8, u64, x, u8(x))
RUNNING(u16, u64, x, u16(x))
RUNNING(u32, u64, x, u32(x))
RUNNING(u64, u64, x, x)
RUNNING(f16, f64, f64(__half2float(x)), to_f16(x))
RUNNING(bf16, f64, f64(__bfloat162float(x)), to_bf16(x))
RUNNING(f32, f64, f64(x), __double2float_rn(x))
RUNNING(f64, f64, x, x)
RUNNING(c64, c128, (c128{x.re, x.im}), (c64{__double2float_rn(x.re), __double2float_rn(x.im)}))
RUNNING(c128, c128, x, x)
#undef RUNNING

// Types whose sums are different code: signed integers add as unsigned ones do.
#define FOR_EACH_SUM(M, ...)                                                                      \
    M(u8, ##__VA_ARGS__) M(u16, ##__VA_ARGS__) M(u32, ##__VA_ARGS__) M(u64, ##__VA_ARGS__)        \
    M(f16, ##__VA_ARGS__) M(bf16, ##__VA_ARGS__) M(f32, ##__VA_ARGS__) M(f64, ##__VA_ARGS__)      \
    M(c64, ##__VA_ARGS__) M(c128, ##__VA_ARGS__)
