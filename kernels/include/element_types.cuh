// Element types of tensors as bit patterns and plain C++ types, and the conversions between them.
//
// The rules are those of the CPU: integers wrap, floats saturate into integers and NaN gives 0, complex numbers lose
// their imaginary part in real types, bool is "not zero", half types are rounded once. Plain C++ compiles this too.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define SYN_INLINE __device__ __forceinline__
#define SYN_CALL __device__ __noinline__
#else
#define SYN_INLINE inline
#define SYN_CALL inline
#endif

namespace syn {

// Half types as they lie in memory. Arithmetic runs in float.
struct f16 { uint16_t bits; };
struct bf16 { uint16_t bits; };
struct alignas(8) c64 { float re, im; };
struct alignas(16) c128 { double re, im; };

template <typename T> struct Numbers { using Real = T; static constexpr bool complex = false; };
template <> struct Numbers<c64> { using Real = float; static constexpr bool complex = true; };
template <> struct Numbers<c128> { using Real = double; static constexpr bool complex = true; };
template <typename T> struct Complexes;
template <> struct Complexes<float> { using Type = c64; };
template <> struct Complexes<double> { using Type = c128; };

template <typename To, typename From> SYN_INLINE To bits_as(From x) {
    static_assert(sizeof(To) == sizeof(From), "same bytes, another name");
    To to;
    memcpy(&to, &x, sizeof(To));
    return to;
}

SYN_INLINE float widen(bf16 x) { return bits_as<float>(uint32_t(x.bits) << 16); }

SYN_INLINE float widen(f16 x) {
#ifdef __CUDA_ARCH__
    float y;
    asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
    return y;
#else
    uint32_t magnitude = uint32_t(x.bits & 0x7fff) << 13;
    uint32_t finite = bits_as<uint32_t>(bits_as<float>(magnitude) * bits_as<float>(uint32_t(127 + 112) << 23));
    uint32_t value = magnitude >= (0x7c00u << 13) ? magnitude | 0x7f800000u : finite;
    return bits_as<float>(value | (uint32_t(x.bits & 0x8000) << 16));
#endif
}

SYN_INLINE f16 to_f16(float x) {
#ifdef __CUDA_ARCH__
    f16 y;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
#else
    uint32_t bits = bits_as<uint32_t>(x), magnitude = bits & 0x7fffffffu;
    uint32_t subnormal = bits_as<uint32_t>(bits_as<float>(magnitude) + 0.5f) - bits_as<uint32_t>(0.5f);
    uint32_t normal = (magnitude - (112u << 23) + 0xfff + ((magnitude >> 13) & 1)) >> 13;
    uint32_t value = magnitude < (113u << 23) ? subnormal : normal;
    if (magnitude >= (143u << 23)) value = 0x7c00;
    if (magnitude > 0x7f800000u) value = 0x7e00;
    return {uint16_t(value | ((bits >> 16) & 0x8000))};
#endif
}

SYN_INLINE bf16 to_bf16(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    bf16 y;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
#else
    uint32_t bits = bits_as<uint32_t>(x);
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    return {uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40 : rounded)};
#endif
}

// `x` as a float whose last bit is set where that was not exact: rounded once more, it is as if rounded once.
SYN_INLINE float to_odd(double x) {
    float near = float(x);
    double wide = near;
    uint32_t bits = bits_as<uint32_t>(near) - uint32_t(fabs(wide) > fabs(x));
    return bits_as<float>(bits | uint32_t(wide != x && x == x));
}

// Conversion of one element: cast<To>(x).
template <typename To> struct Cast;

// Floats to integers of at most 32 bits through the 32-bit conversions, which saturate.
template <typename To> SYN_INLINE To saturate(double x) {
    constexpr double low = To(-1) < To(1) ? -double(1ull << (8 * sizeof(To) - 1)) : 0.0;
    constexpr double high = To(-1) < To(1) ? double((1ull << (8 * sizeof(To) - 1)) - 1)
                                           : double(sizeof(To) == 8 ? ~0ull : (1ull << (8 * (sizeof(To) % 8))) - 1);
    if (!(x == x)) return 0;
    if (x <= low) return To(To(-1) < To(1) ? To(1ull << (8 * sizeof(To) - 1)) : 0);
    // For 64 bits `high` is rounded up to a power of two, which no element reaches.
    if (x >= high) return To(-1) < To(1) ? To((1ull << (8 * sizeof(To) - 1)) - 1) : To(-1);
    return To(x);
}
template <typename To> SYN_INLINE To saturate(float x) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(To) <= 4) {
        if constexpr (To(-1) < To(1)) {
            int32_t whole = __float2int_rz(x);  // saturates; NaN gives 0
            if constexpr (sizeof(To) == 4) return whole;
            constexpr int32_t high = (1ll << (8 * sizeof(To) - 1)) - 1;
            return To(whole < -high - 1 ? -high - 1 : whole > high ? high : whole);
        } else {
            uint32_t whole = __float2uint_rz(x);
            if constexpr (sizeof(To) == 4) return whole;
            constexpr uint32_t high = (1ull << (8 * sizeof(To))) - 1;
            return To(whole > high ? high : whole);
        }
    }
#endif
    return saturate<To>(double(x));
}

template <typename T> constexpr bool is_small_integer = sizeof(T) <= 2;

template <typename To> struct Cast {
    SYN_INLINE static To from(float x) {
        if constexpr (To(0.5) == To(0)) return saturate<To>(x);
        else return To(x);
    }
    SYN_INLINE static To from(double x) {
        if constexpr (To(0.5) == To(0)) return saturate<To>(x);
        else return To(x);
    }
    SYN_INLINE static To from(f16 x) { return from(widen(x)); }
    SYN_INLINE static To from(bf16 x) { return from(widen(x)); }
    SYN_INLINE static To from(c64 x) { return from(x.re); }
    SYN_INLINE static To from(c128 x) { return from(x.re); }
    template <typename From> SYN_INLINE static To from(From x) { return To(x); }
};
template <> struct Cast<bool> {
    SYN_INLINE static bool from(f16 x) { return widen(x) != 0; }
    SYN_INLINE static bool from(bf16 x) { return widen(x) != 0; }
    SYN_INLINE static bool from(c64 x) { return x.re != 0 || x.im != 0; }
    SYN_INLINE static bool from(c128 x) { return x.re != 0 || x.im != 0; }
    template <typename From> SYN_INLINE static bool from(From x) { return x != From(0); }
};
// Integers of more than 16 bits reach the half types through double, so that they are rounded once.
#define SYN_HALF(T, to_half)                                                                                     \
    template <> struct Cast<T> {                                                                                 \
        SYN_INLINE static T from(float x) { return to_half(x); }                                                 \
        SYN_INLINE static T from(double x) { return to_half(to_odd(x)); }                                        \
        SYN_INLINE static T from(T x) { return x; }                                                              \
        SYN_INLINE static T from(c64 x) { return from(x.re); }                                                   \
        SYN_INLINE static T from(c128 x) { return from(x.re); }                                                  \
        template <typename From> SYN_INLINE static T from(From x) {                                              \
            if constexpr (sizeof(From) <= 2) return to_half(Cast<float>::from(x));                               \
            else return to_half(to_odd(double(x)));                                                              \
        }                                                                                                        \
    };
SYN_HALF(f16, to_f16)
SYN_HALF(bf16, to_bf16)
#undef SYN_HALF
#define SYN_COMPLEX(T, part)                                                                                     \
    template <> struct Cast<T> {                                                                                 \
        SYN_INLINE static T from(c64 x) { return {part(x.re), part(x.im)}; }                                     \
        SYN_INLINE static T from(c128 x) { return {part(x.re), part(x.im)}; }                                    \
        template <typename From> SYN_INLINE static T from(From x) { return {Cast<part>::from(x), part(0)}; }     \
    };
SYN_COMPLEX(c64, float)
SYN_COMPLEX(c128, double)
#undef SYN_COMPLEX

template <typename To, typename From> SYN_INLINE To cast(From x) { return Cast<To>::from(x); }

}  // namespace syn
