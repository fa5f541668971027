// Scores of a generation: a warp has a tile of 32 blocks of noise and a segment of draws, and leaves a sum for each candidate. With it
// come the sums of all noise by coordinate, where weights are centred.
#pragma once
#include "evolve.cuh"

// Sums of four values over the lanes of a warp, pairs 16 lanes apart first. Afterwards a lane has the sum of value `lane / 8`.
template <class T>
__device__ __forceinline__ T over_lanes(const T (&v)[4]) {
    u32 lane = threadIdx.x % 32;
    bool high = lane & 16, odd = lane & 8;
    T a = (high ? v[2] : v[0]) + __shfl_xor_sync(~0u, high ? v[0] : v[2], 16);
    T b = (high ? v[3] : v[1]) + __shfl_xor_sync(~0u, high ? v[1] : v[3], 16);
    T c = (odd ? b : a) + __shfl_xor_sync(~0u, odd ? a : b, 8);
    c = c + __shfl_xor_sync(~0u, c, 4);
    c = c + __shfl_xor_sync(~0u, c, 2);
    return c + __shfl_xor_sync(~0u, c, 1);
}

// A tile's sums for every candidate of a segment.
template <u32 F, bool MIRRORED, class T>
__device__ __forceinline__ void score_tile(const Search<T>& s, const Keys& keys, u64 segment, u64 tile) {
    constexpr u32 HELD = Held<T>::COUNT, EACH = MIRRORED ? 2 : 1;
    const Evolve& p = s.p;
    const u32 lane = threadIdx.x % 32;
    const bool bounded = p.bounds;
    const u64 q = tile * 32 + lane, j0 = q * HELD;
    Lane<T> place(s, j0);
    T factor[HELD];
#pragma unroll
    for (u32 k = 0; k < HELD; ++k) factor[k] = F == WEIGHTED && j0 + k < p.n ? reinterpret_cast<const T*>(p.factors)[j0 + k] : T(0);
    T first[HELD] = {}, second[HELD] = {};
    T* parts = s.template at<T>(p.parts, (F == ACKLEY ? 2 : 1) * p.tiles * p.population) + tile * p.population;
    const u64 from = segment * p.segment, to = min(from + p.segment, p.draws);
    for (u64 base = from; base < to; base += 4 / EACH) {
        T v[4] = {}, other[4] = {};
#pragma unroll
        for (u32 c = 0; c < 4 / EACH; ++c) {
            const u64 draw = base + c;
            if (draw >= to) break;
            T z[HELD], after[HELD];
            Held<T>::make(u32(draw * s.blocks + q), keys, z);
            if (F == ROSENBROCK) Held<T>::make(u32(draw * s.blocks + q + 1), keys, after);
            if (!MIRRORED && p.centred) {
#pragma unroll
                for (u32 k = 0; k < HELD; ++k) {
                    first[k] = first[k] + z[k];
                    second[k] = fused(z[k], z[k], second[k]);
                }
            }
#pragma unroll
            for (u32 sign = 0; sign < EACH; ++sign) {
                T x[HELD + 1], t[HELD], u[HELD];
#pragma unroll
                for (u32 k = 0; k < HELD; ++k) x[k] = place.at(k, z[k], sign, bounded);
                x[HELD] = F == ROSENBROCK ? place.at(HELD, after[0], sign, bounded) : T(0);
#pragma unroll
                for (u32 k = 0; k < HELD; ++k) term<F, T>(t[k], u[k], x[k], x[k + 1], j0 + k + 1 >= p.n, factor[k]);
                v[c * EACH + sign] = HELD == 4 ? (t[0] + t[1]) + (t[HELD - 2] + t[HELD - 1]) : t[0] + t[1];
                other[c * EACH + sign] = HELD == 4 ? (u[0] + u[1]) + (u[HELD - 2] + u[HELD - 1]) : u[0] + u[1];
            }
        }
        const u64 member = base * EACH + lane / 8;
        T sum = over_lanes(v), both = F == ACKLEY ? over_lanes(other) : T(0);
        if (lane % 8 == 0 && member < to * EACH) {
            parts[member] = sum;
            if (F == ACKLEY) parts[p.tiles * p.population + member] = both;
        }
    }
    if (!MIRRORED && p.centred) {
        T* all = s.steps + (2 * p.segments + segment) * p.n;
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) {
            if (j0 + k >= p.n) break;
            all[j0 + k] = first[k];
            all[p.segments * p.n + j0 + k] = second[k];
        }
    }
}

// A score as a whole number in the same order; NaN is the largest, and zeros are equal.
__device__ __forceinline__ u64 key_of(f64 score) {
    if (score != score) return ~0ull;
    u64 bits = u64(__double_as_longlong(score + 0.0));
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

// Scores of all candidates, and their keys.
template <u32 F, class T>
__device__ __forceinline__ void score(const Search<T>& s, const Keys& keys) {
    const Evolve& p = s.p;
    constexpr u32 PLANES = F == ACKLEY ? 2 : 1;
    for (u64 job = s.team.warp(); job < p.tiles * p.segments; job += s.team.warps()) {
        if (p.mirrored) {
            score_tile<F, true>(s, keys, job / p.tiles, job % p.tiles);
        } else {
            score_tile<F, false>(s, keys, job / p.tiles, job % p.tiles);
        }
    }
    s.team.wait();
    const T* parts = s.template at<const T>(p.parts, PLANES * p.tiles * p.population);
    f64* groups = s.template at<f64>(p.groups, PLANES * p.grouped * p.population);
    auto group = [&](u64 plane, u64 which, u64 member) {
        const T* from = parts + (plane * p.tiles + which * GROUP) * p.population + member;
        u32 count = u32(min(u64(GROUP), p.tiles - which * GROUP));
        f64 sum = 0;
#pragma unroll 8
        for (u32 k = 0; k < count; ++k) sum = sum + f64(from[k * p.population]);
        return sum;
    };
    if (p.grouped > 1) {
        for (u64 job = s.team.thread(); job < PLANES * p.grouped * p.population; job += s.team.threads()) {
            u64 member = job % p.population, which = job / p.population % p.grouped, plane = job / p.population / p.grouped;
            groups[job] = group(plane, which, member);
        }
        s.team.wait();
    }
    f64* scores = s.template at<f64>(p.scores, p.population);
    u64* ranked = s.template at<u64>(p.keys_of, p.population);
    for (u64 member = s.team.thread(); member < p.population; member += s.team.threads()) {
        f64 sums[2] = {};
        for (u32 plane = 0; plane < PLANES; ++plane) {
            if (p.grouped == 1) {
                sums[plane] = group(plane, 0, member);
            } else {
#pragma unroll 8
                for (u64 which = 0; which < p.grouped; ++which)
                    sums[plane] = sums[plane] + groups[(plane * p.grouped + which) * p.population + member];
            }
        }
        f64 value = finished<F>(sums[0], sums[1], f64(p.n));
        scores[member] = value;
        ranked[member] = key_of(value);
    }
    s.team.wait();
}
