// Primitives of real floats, as the CPU defines them: NaN propagates in minimum and maximum, the remainder has the
// sign of the divisor. Compiled without contraction. The transcendentals are the toolkit's where their error is
// within the table's; the others are written here.
#pragma once
#include "element_types.cuh"

namespace syn {

constexpr double LN_2 = 0.69314718055994530941723212145818;
constexpr double LN_10 = 2.30258509299404568401799145468436;
constexpr double HALF_PI = 1.57079632679489661923132169163975;

SYN_INLINE bool sign_bit(float a) { return bits_as<uint32_t>(a) >> 31; }
SYN_INLINE bool sign_bit(double a) { return bits_as<uint64_t>(a) >> 63; }
SYN_INLINE float infinity(float) { return bits_as<float>(0x7f800000u); }
SYN_INLINE double infinity(double) { return bits_as<double>(0x7ff0000000000000ull); }
SYN_INLINE float not_a_number(float) { return bits_as<float>(0x7fc00000u); }
SYN_INLINE double not_a_number(double) { return bits_as<double>(0x7ff8000000000000ull); }

// The next number of larger magnitude bits, or of smaller.
SYN_INLINE float stepped(float a, bool away) { return bits_as<float>(bits_as<uint32_t>(a) + (away ? 1u : ~0u)); }
SYN_INLINE double stepped(double a, bool away) { return bits_as<double>(bits_as<uint64_t>(a) + (away ? 1ull : ~0ull)); }
SYN_INLINE float smallest(float) { return bits_as<float>(1u); }
SYN_INLINE double smallest(double) { return bits_as<double>(1ull); }

// sqrt(a^2 + b^2) with no overflow on the way; an infinity wins over NaN.
SYN_INLINE float hypot(float a, float b) {
    float x = fabsf(a), y = fabsf(b);
    float large = x > y ? x : y;
    // Powers of two keep both squares within range; what is then lost is below rounding.
    float scale = large > 1e18f ? 0x1p-70f : large < 1e-12f ? 0x1p100f : 1.0f;
    float back = large > 1e18f ? 0x1p70f : large < 1e-12f ? 0x1p-100f : 1.0f;
    float u = x * scale, v = y * scale;
    float length = sqrtf(fmaf(u, u, v * v)) * back;
    float top = infinity(a);
    return x == top || y == top ? top : length;
}
SYN_INLINE double hypot(double a, double b) {
    double x = fabs(a), y = fabs(b);
    double large = x > y ? x : y;
    double scale = large > 1e150 ? 0x1p-600 : large < 1e-140 ? 0x1p600 : 1.0;
    double back = large > 1e150 ? 0x1p600 : large < 1e-140 ? 0x1p-600 : 1.0;
    double u = x * scale, v = y * scale;
    double length = sqrt(fma(u, u, v * v)) * back;
    double top = infinity(a);
    return x == top || y == top ? top : length;
}

// ln(e^a + e^b); the distance is 0 for equal infinities. In double, because the sum of the two parts may cancel.
SYN_INLINE double logaddexp(double a, double b) {
    double largest = a > b ? a : b;
    double distance = a == b ? 0.0 : fabs(a - b);
    return largest + ::log1p(::exp(-distance));
}
SYN_INLINE float logaddexp(float a, float b) { return float(logaddexp(double(a), double(b))); }

// Every real primitive of `T` over the C functions with suffix `f`, or none.
#define SYN_REAL(T, f)                                                                                           \
    SYN_INLINE T negative(T a) { return -a; }                                                                    \
    SYN_INLINE T abs(T a) { return fabs##f(a); }                                                                 \
    SYN_INLINE T sign(T a) { return a != a ? a : T(a > T(0)) - T(a < T(0)); }                                    \
    SYN_INLINE T square(T a) { return a * a; }                                                                   \
    SYN_INLINE T sqrt(T a) { return ::sqrt##f(a); }                                                              \
    SYN_INLINE T rsqrt(T a) { return T(1) / ::sqrt##f(a); }                                                      \
    SYN_INLINE T reciprocal(T a) { return T(1) / a; }                                                            \
    SYN_INLINE T add(T a, T b) { return a + b; }                                                                 \
    SYN_INLINE T subtract(T a, T b) { return a - b; }                                                            \
    SYN_INLINE T multiply(T a, T b) { return a * b; }                                                            \
    SYN_INLINE T divide(T a, T b) { return a / b; }                                                              \
    SYN_INLINE T floor_divide(T a, T b) {                                                                        \
        T rest = ::fmod##f(a, b);                                                                                \
        if (b == T(0) || rest != rest) return a / b;                                                             \
        /* The quotient is within rounding of an integer. */                                                     \
        T quotient = (a - rest) / b;                                                                             \
        if (rest != T(0) && (rest < T(0)) != (b < T(0))) quotient -= T(1);                                       \
        return quotient == T(0) ? ::copysign##f(T(0), a / b) : ::rint##f(quotient);                              \
    }                                                                                                            \
    SYN_INLINE T remainder(T a, T b) {                                                                           \
        T rest = ::fmod##f(a, b);                                                                                \
        if (rest == T(0)) return ::copysign##f(T(0), b);                                                         \
        return (rest < T(0)) != (b < T(0)) ? rest + b : rest;                                                    \
    }                                                                                                            \
    SYN_INLINE T pow(T a, T b) { return ::pow##f(a, b); }                                                        \
    SYN_INLINE T fma(T a, T b, T c) { return ::fma##f(a, b, c); }                                              \
    SYN_INLINE T minimum(T a, T b) { return a < b || a != a ? a : b; }                                           \
    SYN_INLINE T maximum(T a, T b) { return a > b || a != a ? a : b; }                                           \
    SYN_INLINE bool equal(T a, T b) { return a == b; }                                                           \
    SYN_INLINE bool not_equal(T a, T b) { return a != b; }                                                       \
    SYN_INLINE bool less(T a, T b) { return a < b; }                                                             \
    SYN_INLINE bool less_equal(T a, T b) { return a <= b; }                                                      \
    SYN_INLINE bool greater(T a, T b) { return a > b; }                                                          \
    SYN_INLINE bool greater_equal(T a, T b) { return a >= b; }                                                   \
    SYN_INLINE T exp(T a) { return ::exp##f(a); }                                                                \
    SYN_INLINE T expm1(T a) { return ::expm1##f(a); }                                                            \
    SYN_INLINE T exp2(T a) { return ::exp2##f(a); }                                                              \
    SYN_INLINE T log(T a) { return ::log##f(a); }                                                                \
    SYN_INLINE T log1p(T a) { return ::log1p##f(a); }                                                            \
    SYN_INLINE T log2(T a) { return ::log2##f(a); }                                                              \
    SYN_INLINE T log10(T a) { return ::log10##f(a); }                                                            \
    SYN_INLINE T sin(T a) { return ::sin##f(a); }                                                                \
    SYN_INLINE T cos(T a) { return ::cos##f(a); }                                                                \
    SYN_INLINE T tan(T a) { return ::tan##f(a); }                                                                \
    SYN_INLINE T asin(T a) { return ::asin##f(a); }                                                              \
    SYN_INLINE T acos(T a) { return ::acos##f(a); }                                                              \
    SYN_INLINE T atan(T a) { return ::atan##f(a); }                                                              \
    SYN_INLINE T atan2(T a, T b) { return ::atan2##f(a, b); }                                                    \
    SYN_INLINE T sinh(T a) { return ::sinh##f(a); }                                                              \
    SYN_INLINE T cosh(T a) { return ::cosh##f(a); }                                                              \
    SYN_INLINE T tanh(T a) { return ::tanh##f(a); }                                                              \
    SYN_INLINE T asinh(T a) { return ::asinh##f(a); }                                                            \
    SYN_INLINE T acosh(T a) { return ::acosh##f(a); }                                                            \
    SYN_INLINE T atanh(T a) { return ::atanh##f(a); }                                                            \
    SYN_INLINE T erf(T a) { return ::erf##f(a); }                                                                \
    SYN_INLINE T erfc(T a) { return ::erfc##f(a); }                                                              \
    SYN_INLINE T floor(T a) { return ::floor##f(a); }                                                            \
    SYN_INLINE T ceil(T a) { return ::ceil##f(a); }                                                              \
    SYN_INLINE T trunc(T a) { return ::trunc##f(a); }                                                            \
    SYN_INLINE T round(T a) { return ::rint##f(a); }                                                             \
    SYN_INLINE T copysign(T a, T b) { return ::copysign##f(a, b); }                                              \
    SYN_INLINE T nextafter(T a, T b) {                                                                           \
        if (a != a || b != b) return not_a_number(a);                                                            \
        if (a == b) return b;                                                                                    \
        if (a == T(0)) return ::copysign##f(smallest(a), b);                                                     \
        return stepped(a, (b > a) == (a > T(0)));                                                                \
    }                                                                                                            \
    SYN_INLINE bool signbit(T a) { return sign_bit(a); }                                                         \
    SYN_INLINE bool isnan(T a) { return a != a; }                                                                \
    SYN_INLINE bool isinf(T a) { return fabs##f(a) == infinity(a); }                                             \
    SYN_INLINE bool isfinite(T a) { return fabs##f(a) < infinity(a); }                                           \
    SYN_INLINE T real(T a) { return a; }                                                                         \
    SYN_INLINE T imag(T) { return T(0); }                                                                        \
    SYN_INLINE T conj(T a) { return a; }                                                                         \
    SYN_INLINE typename Complexes<T>::Type complex(T a, T b) { return {a, b}; }
SYN_REAL(float, f)
SYN_REAL(double, )
#undef SYN_REAL

}  // namespace syn
