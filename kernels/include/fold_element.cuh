// Elements as folds see them: the type in memory, the type in arithmetic, and the result's type.
#pragma once

namespace syntonic {

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
struct f16 { u16 bits; };
struct bf16 { u16 bits; };
struct __align__(8) c64 { float re, im; };
struct __align__(16) c128 { double re, im; };

template <class T> struct Stored {
    using Value = T;
    static __device__ __forceinline__ T load(T x) { return x; }
    static __device__ __forceinline__ T store(T x) { return x; }
};
template <> struct Stored<bool> {
    using Value = bool;
    static __device__ __forceinline__ bool load(bool x) { return x; }
    static __device__ __forceinline__ bool store(bool x) { return x; }
};
template <> struct Stored<f16> {
    using Value = float;
    static __device__ __forceinline__ float load(f16 x) {
        float r;
        asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x.bits));
        return r;
    }
    static __device__ __forceinline__ f16 store(float x) {
        f16 r;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
        return r;
    }
};
template <> struct Stored<bf16> {
    using Value = float;
    static __device__ __forceinline__ float load(bf16 x) { return __uint_as_float((u32)x.bits << 16); }
    static __device__ __forceinline__ bf16 store(float x) {
        const u32 bits = __float_as_uint(x);
        const u32 rounded = x != x ? (bits >> 16) | 0x40u : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
        return bf16{(u16)rounded};
    }
};

template <class T> struct IsHalf { static constexpr bool YES = false; };
template <> struct IsHalf<f16> { static constexpr bool YES = true; };
template <> struct IsHalf<bf16> { static constexpr bool YES = true; };

// The element type a sum of T yields: floats keep theirs, integers are summed in 64 bits.
template <class T, class Total> struct Result { using Out = Total; };
template <> struct Result<float, double> { using Out = float; };
template <class Total> struct Result<c64, Total> { using Out = c64; };

template <class T> struct Limits;
#define SYNTONIC_LIMITS(T, LOW, HIGH)                                        \
    template <> struct Limits<T> {                                           \
        static __device__ __forceinline__ T lowest() { return LOW; }         \
        static __device__ __forceinline__ T highest() { return HIGH; }       \
    };
SYNTONIC_LIMITS(bool, false, true)
SYNTONIC_LIMITS(i8, -128, 127)
SYNTONIC_LIMITS(i16, -32768, 32767)
SYNTONIC_LIMITS(i32, (i32)0x80000000u, 0x7fffffff)
SYNTONIC_LIMITS(i64, (i64)0x8000000000000000ull, 0x7fffffffffffffffll)
SYNTONIC_LIMITS(u8, 0, 255)
SYNTONIC_LIMITS(u16, 0, 65535)
SYNTONIC_LIMITS(u32, 0, 0xffffffffu)
SYNTONIC_LIMITS(u64, 0, ~0ull)
SYNTONIC_LIMITS(float, __int_as_float(0xff800000), __int_as_float(0x7f800000))
SYNTONIC_LIMITS(double, __longlong_as_double(0xfff0000000000000ll), __longlong_as_double(0x7ff0000000000000ll))
#undef SYNTONIC_LIMITS

}  // namespace syntonic
