// Primitives of integers and bool: they wrap, x / 0 and x % 0 give 0, shifts out of range give 0 or the sign.
#pragma once
#include "element_types.cuh"

namespace syn {

template <typename T> struct Unsigned;
template <> struct Unsigned<int8_t> { using Type = uint8_t; };
template <> struct Unsigned<int16_t> { using Type = uint16_t; };
template <> struct Unsigned<int32_t> { using Type = uint32_t; };
template <> struct Unsigned<int64_t> { using Type = uint64_t; };
template <> struct Unsigned<uint8_t> { using Type = uint8_t; };
template <> struct Unsigned<uint16_t> { using Type = uint16_t; };
template <> struct Unsigned<uint32_t> { using Type = uint32_t; };
template <> struct Unsigned<uint64_t> { using Type = uint64_t; };
template <typename T> using unsigned_of = typename Unsigned<T>::Type;
template <typename T> constexpr bool is_signed = T(-1) < T(1);
template <typename T> SYN_INLINE bool below_zero(T a) {
    if constexpr (is_signed<T>) return a < T(0);
    else return false;
}

// A negative power: 1 and -1 are their own reciprocals, everything else rounds to 0.
template <typename T> SYN_INLINE T negative_power(T a, bool odd) {
    if (a == T(-1) && odd) return T(-1);
    return T(a == T(1) || a == T(-1));
}

#define SYN_INTEGER(T)                                                                                           \
    SYN_INLINE T negative(T a) { return T(unsigned_of<T>(0) - unsigned_of<T>(a)); }                              \
    SYN_INLINE T abs(T a) { return below_zero(a) ? negative(a) : a; }                                 \
    SYN_INLINE T sign(T a) { return T((a > T(0)) - (below_zero(a))); }                                \
    SYN_INLINE T add(T a, T b) { return T(unsigned_of<T>(a) + unsigned_of<T>(b)); }                              \
    SYN_INLINE T subtract(T a, T b) { return T(unsigned_of<T>(a) - unsigned_of<T>(b)); }                         \
    /* Unsigned shorts would be promoted to int, whose products may not overflow. */                             \
    SYN_INLINE T multiply(T a, T b) { return T(unsigned_of<T>(1u * unsigned_of<T>(a) * unsigned_of<T>(b))); }    \
    SYN_INLINE T square(T a) { return multiply(a, a); }                                                          \
    SYN_INLINE T floor_divide(T a, T b) {                                                                        \
        if (b == T(0)) return T(0);                                                                              \
        if (is_signed<T> && b == T(-1)) return negative(a);                                                      \
        T quotient = T(a / b);                                                                                   \
        T rest = T(a - quotient * b);                                                                            \
        return rest != T(0) && below_zero(rest) != below_zero(b) ? T(quotient - 1) : quotient;                         \
    }                                                                                                            \
    SYN_INLINE T remainder(T a, T b) {                                                                           \
        if (b == T(0) || (is_signed<T> && b == T(-1))) return T(0);                                              \
        T rest = T(a % b);                                                                                       \
        return rest != T(0) && below_zero(rest) != below_zero(b) ? T(rest + b) : rest;                                 \
    }                                                                                                            \
    SYN_INLINE T pow(T a, T b) {                                                                                 \
        if (below_zero(b)) return negative_power(a, b & 1);                                           \
        T power = T(1);                                                                                          \
        for (unsigned_of<T> rest = unsigned_of<T>(b); rest != 0; rest = unsigned_of<T>(rest >> 1)) {             \
            if (rest & 1) power = multiply(power, a);                                                            \
            a = multiply(a, a);                                                                                  \
        }                                                                                                        \
        return power;                                                                                            \
    }                                                                                                            \
    SYN_INLINE T minimum(T a, T b) { return a < b ? a : b; }                                                     \
    SYN_INLINE T maximum(T a, T b) { return a > b ? a : b; }                                                     \
    SYN_INLINE bool equal(T a, T b) { return a == b; }                                                           \
    SYN_INLINE bool not_equal(T a, T b) { return a != b; }                                                       \
    SYN_INLINE bool less(T a, T b) { return a < b; }                                                             \
    SYN_INLINE bool less_equal(T a, T b) { return a <= b; }                                                      \
    SYN_INLINE bool greater(T a, T b) { return a > b; }                                                          \
    SYN_INLINE bool greater_equal(T a, T b) { return a >= b; }                                                   \
    SYN_INLINE T floor(T a) { return a; }                                                                        \
    SYN_INLINE T ceil(T a) { return a; }                                                                         \
    SYN_INLINE T trunc(T a) { return a; }                                                                        \
    SYN_INLINE T round(T a) { return a; }                                                                        \
    SYN_INLINE bool isnan(T) { return false; }                                                                   \
    SYN_INLINE bool isinf(T) { return false; }                                                                   \
    SYN_INLINE bool isfinite(T) { return true; }                                                                 \
    SYN_INLINE T real(T a) { return a; }                                                                         \
    SYN_INLINE T imag(T) { return T(0); }                                                                        \
    SYN_INLINE T conj(T a) { return a; }                                                                         \
    SYN_INLINE T bitwise_invert(T a) { return T(~a); }                                                           \
    SYN_INLINE T bitwise_and(T a, T b) { return T(a & b); }                                                      \
    SYN_INLINE T bitwise_or(T a, T b) { return T(a | b); }                                                       \
    SYN_INLINE T bitwise_xor(T a, T b) { return T(a ^ b); }                                                      \
    SYN_INLINE T bitwise_left_shift(T a, T b) {                                                                  \
        return unsigned_of<T>(b) < 8 * sizeof(T) ? T(unsigned_of<T>(a) << unsigned_of<T>(b)) : T(0);             \
    }                                                                                                            \
    SYN_INLINE T bitwise_right_shift(T a, T b) {                                                                 \
        return unsigned_of<T>(b) < 8 * sizeof(T) ? T(a >> unsigned_of<T>(b)) : T(below_zero(a) ? -1 : 0); \
    }
SYN_INTEGER(int8_t)
SYN_INTEGER(int16_t)
SYN_INTEGER(int32_t)
SYN_INTEGER(int64_t)
SYN_INTEGER(uint8_t)
SYN_INTEGER(uint16_t)
SYN_INTEGER(uint32_t)
SYN_INTEGER(uint64_t)
#undef SYN_INTEGER

SYN_INLINE bool add(bool a, bool b) { return a || b; }
SYN_INLINE bool multiply(bool a, bool b) { return a && b; }
SYN_INLINE bool equal(bool a, bool b) { return a == b; }
SYN_INLINE bool not_equal(bool a, bool b) { return a != b; }
SYN_INLINE bool logical_not(bool a) { return !a; }
SYN_INLINE bool logical_and(bool a, bool b) { return a && b; }
SYN_INLINE bool logical_or(bool a, bool b) { return a || b; }
SYN_INLINE bool logical_xor(bool a, bool b) { return a != b; }
SYN_INLINE bool bitwise_invert(bool a) { return !a; }
SYN_INLINE bool bitwise_and(bool a, bool b) { return a && b; }
SYN_INLINE bool bitwise_or(bool a, bool b) { return a || b; }
SYN_INLINE bool bitwise_xor(bool a, bool b) { return a != b; }

template <typename T> SYN_INLINE T where(bool condition, T a, T b) { return condition ? a : b; }

}  // namespace syn
