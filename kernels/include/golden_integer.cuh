// Integers of Q(phi), a + b phi, in 64 bits with 128 on the way, as `syntonic_srt::exact` computes them: the same integers and
// the same bits of floats.
#pragma once
#include "native_types.cuh"

using wide = __int128;
using uwide = unsigned __int128;

constexpr f64 PHI = 1.6180339887498949;
constexpr f64 INV_PHI = 0.6180339887498949;

struct Golden {
    i64 a, b;
};

// A sum that tells whether it left 128 bits.
__device__ __forceinline__ wide sum(wide x, wide y, bool& lost) {
    wide s = wide(uwide(x) + uwide(y));
    lost |= ((x ^ s) & (y ^ s)) < 0;
    return s;
}

// Coefficients that were computed without loss, if they fit.
__device__ __forceinline__ bool fits(wide a, wide b, Golden& to) {
    to = Golden{i64(a), i64(b)};
    return a == to.a && b == to.b;
}

// (a + b phi) (c + d phi).
__device__ __forceinline__ void product(Golden x, Golden y, wide& a, wide& b, bool& lost) {
    wide last = wide(x.b) * y.b;
    wide cross = sum(wide(x.a) * y.b, wide(x.b) * y.a, lost);
    a = sum(wide(x.a) * y.a, last, lost);
    b = sum(cross, last, lost);
}

// a^2 + a b - b^2: at most 0.625 * 2^127, and in this order no step leaves 128 bits.
__device__ __forceinline__ wide norm(Golden x) {
    wide a = x.a, b = x.b;
    return a * a + b * (a - b);
}

// The halves of x * y.
__device__ __forceinline__ void whole_product(uwide x, uwide y, uwide& high, uwide& low) {
    const uwide LOW = ~u64(0);
    uwide x1 = x >> 64, x0 = x & LOW, y1 = y >> 64, y0 = y & LOW;
    uwide first = x0 * y0;
    uwide middle = x1 * y0 + (first >> 64);
    uwide other = x0 * y1 + (middle & LOW);
    high = x1 * y1 + (middle >> 64) + (other >> 64);
    low = (other << 64) | (first & LOW);
}

__device__ __forceinline__ i32 sign_of(wide x) { return x < 0 ? -1 : x > 0; }

// The sign of p + q phi: where the signs differ, P > Q phi exactly where P > Q and P (P - Q) > Q^2.
__device__ __forceinline__ i32 sign(wide p, wide q) {
    i32 by_p = sign_of(p), by_q = sign_of(q);
    if (by_p == by_q || by_q == 0) return by_p;
    if (by_p == 0) return by_q;
    uwide P = p < 0 ? -uwide(p) : uwide(p), Q = q < 0 ? -uwide(q) : uwide(q);
    if (P <= Q) return by_q;
    uwide left_high, left_low, right_high, right_low;
    whole_product(P, P - Q, left_high, left_low);
    whole_product(Q, Q, right_high, right_low);
    bool above = left_high != right_high ? left_high > right_high : left_low > right_low;
    return above ? by_p : by_q;
}

__device__ __forceinline__ i32 compare(Golden x, Golden y) {
    return sign(wide(x.a) - y.a, wide(x.b) - y.b);
}

// The largest integer that is at most b phi, and a more. 1/phi in units of 2^-64, rounded down, is wrong by less than one, so its
// product with |b| by less than one half.
__device__ __forceinline__ wide floor_of(Golden x) {
    u64 size = x.b < 0 ? -u64(x.b) : u64(x.b);
    wide part = __umul64hi(size, 0x9e3779b97f4a7c15ull);
    wide whole = x.b + (x.b < 0 ? -part - 1 : part);
    while (sign(-(whole + 1), x.b) >= 0) ++whole;
    while (sign(-whole, x.b) < 0) --whole;
    return x.a + whole;
}

// The nearest double: what is shifted out is kept as one bit, below those that decide the rounding.
__device__ __forceinline__ f64 to_double(wide x) {
    uwide size = x < 0 ? -uwide(x) : uwide(x);
    u64 high = u64(size >> 64);
    f64 value;
    if (high == 0) {
        value = __ull2double_rn(u64(size));
    } else {
        i32 shift = 64 - __clzll(i64(high));
        u64 kept = u64(size >> shift);
        bool rest = (size & ((uwide(1) << shift) - 1)) != 0;
        value = __ull2double_rn(kept | u64(rest)) * __longlong_as_double(i64(1023 + shift) << 52);
    }
    return x < 0 ? -value : value;
}

// a + b phi, through the norm where the sum would cancel.
__device__ __forceinline__ f64 value(Golden x) {
    f64 a = __ll2double_rn(x.a), b = __ll2double_rn(x.b);
    i32 signs = sign_of(x.a) * sign_of(x.b);
    if (signs >= 0) return __dadd_rn(a, __dmul_rn(b, PHI));
    return __ddiv_rn(to_double(norm(x)), __dsub_rn(a, __dmul_rn(b, INV_PHI)));
}
