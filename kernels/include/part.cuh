// Primitives and conversions one by one, each a function of its own: kernels that are made at run time are put together of
// their bodies, which crates/syntonic-cuda/src/jit cuts out of the image. So a value passes in a register of 32 or 64 bits whatever
// its type: truth values as 0 or 1, short integers extended, half types two in a word, complex64 with its real part low. complex128
// passes in two of 64 bits.
#pragma once
#include <type_traits>

#include "complex.cuh"
#include "integer.cuh"

namespace part {

using namespace syn;

template <typename T> struct Halves { static constexpr bool value = false; };
template <> struct Halves<f16> { static constexpr bool value = true; };
template <> struct Halves<bf16> { static constexpr bool value = true; };

SYN_INLINE uint32_t pair_of(f16, float low, float high) {
#if __CUDA_ARCH__ >= 800
    uint32_t both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_f16(low).bits | uint32_t(to_f16(high).bits) << 16;
#endif
}
SYN_INLINE uint32_t pair_of(bf16, float low, float high) {
#if __CUDA_ARCH__ >= 800
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_bf16(low).bits | uint32_t(to_bf16(high).bits) << 16;
#endif
}

template <typename T> struct Register { using Type = T; };
template <> struct Register<bool> { using Type = uint32_t; };
template <> struct Register<int8_t> { using Type = int32_t; };
template <> struct Register<int16_t> { using Type = int32_t; };
template <> struct Register<uint8_t> { using Type = uint32_t; };
template <> struct Register<uint16_t> { using Type = uint32_t; };
template <> struct Register<f16> { using Type = uint32_t; };
template <> struct Register<bf16> { using Type = uint32_t; };
template <> struct Register<c64> { using Type = uint64_t; };
// Aligned as its parts are, so that the compiler moves them one by one.
struct Pair { double re, im; };
template <> struct Register<c128> { using Type = Pair; };
template <typename T> using In = typename Register<T>::Type;

// An operand whole: the compiler would load the part that it needs, and a register cannot be cut so.
SYN_INLINE uint32_t whole(uint32_t x) { asm("mov.b32 %0, %0;" : "+r"(x)); return x; }
SYN_INLINE int32_t whole(int32_t x) { asm("mov.b32 %0, %0;" : "+r"(x)); return x; }
SYN_INLINE uint64_t whole(uint64_t x) { asm("mov.b64 %0, %0;" : "+l"(x)); return x; }
SYN_INLINE int64_t whole(int64_t x) { asm("mov.b64 %0, %0;" : "+l"(x)); return x; }
SYN_INLINE float whole(float x) { return x; }
SYN_INLINE double whole(double x) { asm("mov.b64 %0, %0;" : "+d"(x)); return x; }
SYN_INLINE Pair whole(Pair x) { return {whole(x.re), whole(x.im)}; }

// Halves lie in the low half of their word.
template <typename T> SYN_INLINE T value(In<T> given) {
    const In<T> x = whole(given);
    if constexpr (Halves<T>::value) return T{uint16_t(x)};
    else if constexpr (std::is_same_v<T, c64>) {
        c64 z;
        asm("mov.b64 {%0, %1}, %2;" : "=f"(z.re), "=f"(z.im) : "l"(x));
        return z;
    }
    else if constexpr (std::is_same_v<T, c128>) return {x.re, x.im};
    else return T(x);
}
template <typename T> SYN_INLINE In<T> word(T x) {
    if constexpr (Halves<T>::value) return x.bits;
    else if constexpr (std::is_same_v<T, c64>) {
        uint64_t bits;
        asm("mov.b64 %0, {%1, %2};" : "=l"(bits) : "f"(x.re), "f"(x.im));
        return bits;
    }
    else if constexpr (std::is_same_v<T, c128>) return Pair{x.re, x.im};
    else return In<T>(x);
}

}  // namespace part

// Nothing calls them, and yet they stay.
#define SYN_PART extern "C" __device__ __noinline__ __attribute__((used))

#define SYN_PART_ONE(entry, T, name) \
    SYN_PART auto entry(part::In<T> a) { return part::word(syn::name(part::value<T>(a))); }
#define SYN_PART_TWO(entry, T, name) \
    SYN_PART auto entry(part::In<T> a, part::In<T> b) { return part::word(syn::name(part::value<T>(a), part::value<T>(b))); }
#define SYN_PART_FMA(entry, T) \
    SYN_PART T entry(T a, T b, T c) { return syn::fma(a, b, c); }
#define SYN_PART_WHERE(entry, T) \
    SYN_PART T entry(uint32_t condition, T a, T b) { return condition ? a : b; }
#define SYN_PART_CAST(entry, To, From) \
    SYN_PART auto entry(part::In<From> a) { return part::word(syn::cast<To>(part::value<From>(a))); }

// Two halves of a word: rounded at once, one of them as a float, and each chosen by a condition of its own.
#define SYN_PART_HALVES(T, both, low, high)                                                              \
    SYN_PART uint32_t both(float a, float b) { return part::pair_of(T{}, a, b); }                         \
    SYN_PART float low(uint32_t a) { return syn::widen(T{uint16_t(part::whole(a) & 0xffff)}); }          \
    SYN_PART float high(uint32_t a) { return syn::widen(T{uint16_t(part::whole(a) >> 16)}); }
#define SYN_PART_WHERE_HALVES(entry)                                                                     \
    SYN_PART uint32_t entry(uint32_t low, uint32_t high, uint32_t x, uint32_t y) {                       \
        const uint32_t a = part::whole(x), b = part::whole(y);                                           \
        return (low ? a & 0xffffu : b & 0xffffu) | (high ? a & 0xffff0000u : b & 0xffff0000u);           \
    }
