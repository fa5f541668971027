// The lattice point nearest to a number: six candidates in floats, and where these cannot tell, all that are near in integers.
// `syntonic_srt::exact::snap` has the mathematics; both give the same integers, because both are exact.
#pragma once
#include "golden_integer.cuh"

constexpr f64 ROOT = 2.23606797749979;
constexpr f64 INV_ROOT = 0.44721359549995794;
constexpr f64 ROUNDER = 6755399441055744.0;
constexpr f64 SLACK = 0.15;
constexpr f64 TOLD = 2e-5;
constexpr f64 FEW = 8.0;
constexpr i32 POWERS = 52;

// phi^k, its conjugate, and what multiplies by phi^-k in integers.
struct Power {
    f64 up, conjugate;
    i64 a, b;
};
struct PowerTable {
    Power of[POWERS];
};

constexpr PowerTable powers() {
    PowerTable table{};
    table.of[0] = Power{1.0, 1.0, 1, 0};
    i64 before = 0, here = 1;
    for (i32 k = 1; k < POWERS; ++k) {
        f64 up = f64(before) + f64(here) * PHI;
        i64 next = before + here;
        bool odd = k % 2 == 1;
        table.of[k] = Power{up, odd ? -1.0 / up : 1.0 / up, odd ? -next : next, odd ? here : -here};
        before = here;
        here = next;
    }
    return table;
}
static __constant__ PowerTable POWER_TABLE = powers();

__device__ __forceinline__ f64 rounded(f64 x) { return __dsub_rn(__dadd_rn(x, ROUNDER), ROUNDER); }

// The exponent of the largest power of phi that is at most x.
__device__ __forceinline__ i32 exponent(f64 x) {
    i32 binary = i32(u64(__double_as_longlong(x)) >> 52) - 1023;
    i32 low = (binary * 1475) >> 10;
    return low + i32(POWER_TABLE.of[low + 1].up <= x) + i32(POWER_TABLE.of[low + 2].up <= x);
}

// False where floats cannot tell.
__device__ __forceinline__ bool nearest_by_floats(f64 x, f64 bound, Golden& to) {
    f64 whole = rounded(x), rest = x - whole;
    f64 low = fmax((x - bound) * INV_PHI, -bound) - SLACK;
    f64 high = fmin((x + bound) * INV_PHI, bound) + SLACK;
    if (high - low < FEW + 2.0) return false;
    Power power = POWER_TABLE.of[exponent((high - low) * ROOT)];
    f64 one = (rest - low * ROOT) * power.conjugate, other = (rest - high * ROOT) * power.conjugate;
    f64 starts[2] = {fmin(one, other) - TOLD, fmax(one, other) + TOLD - 1.0};
    f64 centre = rest * power.up;
    f64 a = 0, b = 0, distance = INFINITY, second = INFINITY;
#pragma unroll
    for (i32 i = 0; i < 2; ++i) {
        f64 middle = rounded((centre - starts[i]) * INV_ROOT - 0.5);
#pragma unroll
        for (i32 step = -1; step <= 1; ++step) {
            f64 next_b = middle + step;
            f64 next_a = rounded(starts[i] + next_b * INV_PHI + 0.5);
            f64 far = fabs(next_a + next_b * PHI - centre);
            bool nearer = far < distance;
            f64 beaten = nearer ? distance : far;
            // The same point may be a candidate of both intervals.
            bool same = next_a == a && next_b == b;
            if (beaten < second && !same) second = beaten;
            a = nearer ? next_a : a;
            b = nearer ? next_b : b;
            distance = nearer ? far : distance;
        }
    }
    if (second - distance < TOLD) return false;
    // The result fits, so that what wraps on the way wraps back.
    u64 p = u64(i64(a)), q = u64(i64(b)), up = u64(power.a), down = u64(power.b);
    to.a = i64(u64(i64(whole)) + p * up + q * down);
    to.b = i64(p * down + q * up + q * down);
    i64 most = i64(bound);
    return to.a <= most && -to.a <= most && to.b <= most && -to.b <= most;
}

// A number from -1/2 to 1/2 as mantissa * 2^-places.
struct Dyadic {
    i64 mantissa;
    u32 places;
};

__device__ inline Dyadic dyadic(f64 x) {
    u64 bits = u64(__double_as_longlong(x));
    i32 exponent = i32(bits >> 52) & 0x7ff;
    i64 fraction = i64(bits & ((u64(1) << 52) - 1));
    i64 mantissa = exponent == 0 ? fraction : fraction | i64(1) << 52;
    u32 power = exponent == 0 ? 1074 : u32(1075 - exponent);
    u32 zeros = mantissa == 0 ? 0 : min(u32(__ffsll(mantissa) - 1), power);
    mantissa >>= zeros;
    return Dyadic{x < 0 ? -mantissa : mantissa, power - zeros};
}

// The search through all points that are near.
struct Search {
    i64 bound, whole;
    Dyadic exact;
    Golden best;
    bool any;

    // Where a point lies beside so many times the number.
    __device__ i32 below(Golden x, wide times) const {
        if (exact.mantissa == 0) return sign(x.a, x.b);
        if (exact.places > 91) {
            i32 side = sign(x.a, x.b);
            return side != 0 ? side : exact.mantissa > 0 ? -1 : 1;
        }
        return sign((wide(x.a) << exact.places) - times * exact.mantissa, wide(x.b) << exact.places);
    }

    // Negative where x is nearer than y.
    __device__ i32 nearer(Golden x, Golden y) const {
        x.a -= whole;
        y.a -= whole;
        bool x_below = below(x, 1) < 0, y_below = below(y, 1) < 0;
        Golden both = Golden{x.a + y.a, x.b + y.b};
        if (x_below && y_below) return compare(y, x);
        if (x_below) return -below(both, 2);
        if (y_below) return below(both, 2);
        return compare(x, y);
    }

    __device__ bool meet(Golden point) {
        i64 a = point.a < 0 ? -point.a : point.a, b = point.b < 0 ? -point.b : point.b;
        if (a > bound || b > bound) return false;
        if (any) {
            i32 order = nearer(point, best);
            i64 best_a = best.a < 0 ? -best.a : best.a, best_b = best.b < 0 ? -best.b : best.b;
            if (order == 0) order = b != best_b ? (b < best_b ? -1 : 1) : a < best_a ? -1 : a > best_a;
            if (order >= 0) return true;
        }
        best = point;
        any = true;
        return true;
    }
};

__device__ inline i64 fibonacci(i32 n) {
    i64 x = 0, y = 1;
    for (i32 k = 0; k < n; ++k) {
        i64 z = x + y;
        x = y;
        y = z;
    }
    return x;
}

__device__ __noinline__ bool nearest_by_search(f64 x, f64 bound, Golden& to) {
    f64 whole = round(x), rest = x - whole;
    Search search{i64(bound), i64(whole), dyadic(rest), Golden{0, 0}, false};
    f64 low = fmax((x - bound - 1.0) * INV_PHI, -bound), high = fmin((x + bound + 1.0) * INV_PHI, bound);
    f64 inner_low = fmax((x - bound + 1.0) * INV_PHI, -bound);
    f64 inner_high = fmin((x + bound - 1.0) * INV_PHI, bound);
    f64 sure = floor(inner_high) - ceil(inner_low) + 1.0;
    if (sure < FEW) {
        for (i64 b = i64(floor(low)); b <= i64(ceil(high)); ++b) {
            i64 a = search.whole + i64(floor(rest - f64(b) * PHI));
            for (i32 k = 0; k < 2; ++k, ++a) {
                search.meet(Golden{max(-search.bound, min(search.bound, a)), b});
            }
        }
    } else {
        i32 k = 2;
        while (fibonacci(k + 1) <= i64(sure)) ++k;
        i64 next = fibonacci(k + 1), here = fibonacci(k);
        bool odd = k % 2 == 1;
        i64 back_a = odd ? -next : next, back_b = odd ? here : -here;
        f64 stretch = POWER_TABLE.of[k].up, reach = PHI * PHI + 0.1;
        f64 centre = rest * stretch, shrink = POWER_TABLE.of[k].conjugate;
        f64 one = (rest - low * ROOT) * shrink, other = (rest - high * ROOT) * shrink;
        f64 least = fmin(one, other) - 0.1, most = fmax(one, other) + 0.1;
        i64 first = i64(floor((centre - reach - most) / ROOT)), last = i64(ceil((centre + reach - least) / ROOT));
        f64 nearest = reach;
        for (i64 b = first; b <= last; ++b) {
            f64 left = centre - f64(b) * PHI;
            for (i64 a = i64(ceil(left - reach)); a <= i64(floor(left + reach)); ++a) {
                f64 far = fabs(f64(a) - left);
                if (far > nearest + 1e-3) continue;
                u64 p = u64(a), q = u64(b), both = q * u64(back_b);
                Golden point{i64(p * u64(back_a) + both) + search.whole,
                             i64(p * u64(back_b) + q * u64(back_a) + both)};
                if (search.meet(point)) nearest = fmin(nearest, far);
            }
        }
    }
    to = search.best;
    return search.any;
}

// The nearest point with |a|, |b| <= bound; false where there is none.
__device__ __forceinline__ bool snap(f64 x, f64 bound, Golden& to) {
    // False for NaN as well.
    if (!(fabs(x) <= bound + bound * PHI)) return false;
    return nearest_by_floats(x, bound, to) || nearest_by_search(x, bound, to);
}
