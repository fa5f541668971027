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

// What a warp needs of its tile: coordinates of its lanes and weights of the function.
template <u32 F, class T>
struct Tile {
    static constexpr u32 HELD = Held<T>::COUNT;
    const Search<T>& s;
    const Keys& keys;
    u64 q, j0;  // this lane's block of noise and its first coordinate
    Lane<T> place;
    T factor[HELD];
    T* parts;

    __device__ __forceinline__ Tile(const Search<T>& s, const Keys& keys, u64 tile)
        : s(s), keys(keys), q(tile * 32 + threadIdx.x % 32), j0(q * HELD), place(s, j0), parts(s.parts + tile * s.p.population) {
        const T* factors = reinterpret_cast<const T*>(s.p.factors);
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) factor[k] = F == WEIGHTED && j0 + k < s.p.n ? factors[j0 + k] : T(0);
    }
    __device__ __forceinline__ void noise(u64 draw, T* z) const { Held<T>::make(u32(draw * s.blocks + q), keys, z); }

    // The terms of a candidate.
    __device__ __forceinline__ void terms(u64 draw, const T* z, bool minus, T& first, T& second) const {
        const bool bounded = s.p.bounds;
        T x[HELD + 1], t[HELD], u[HELD];
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) x[k] = place.at(k, z[k], minus, bounded);
        x[HELD] = 0;
        if (F == ROSENBROCK) {
            T after[HELD];
            Held<T>::make(u32(draw * s.blocks + q + 1), keys, after);
            x[HELD] = place.at(HELD, after[0], minus, bounded);
        }
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) term<F, T>(t[k], u[k], x[k], x[k + 1], j0 + k + 1 >= s.p.n, factor[k]);
        first = HELD == 4 ? (t[0] + t[1]) + (t[HELD - 2] + t[HELD - 1]) : t[0] + t[1];
        second = HELD == 4 ? (u[0] + u[1]) + (u[HELD - 2] + u[HELD - 1]) : u[0] + u[1];
    }
    // The sums of four candidates over the tile, of those before `end`.
    __device__ __forceinline__ void keep(u64 member, u64 end, const T (&v)[4], const T (&other)[4]) const {
        const u32 lane = threadIdx.x % 32;
        T sum = over_lanes(v), both = F == ACKLEY ? over_lanes(other) : T(0);
        member += lane / 8;
        if (lane % 8 == 0 && member < end) {
            parts[member] = sum;
            if (F == ACKLEY) parts[s.p.tiles * s.p.population + member] = both;
        }
    }
};

// Sums of a lane over a segment, by coordinate: plane after plane of `steps`.
template <class T>
__device__ __forceinline__ void keep_sums(const Search<T>& s, u32 plane, u64 segment, u64 j0, const T (&sums)[Held<T>::COUNT]) {
#pragma unroll
    for (u32 k = 0; k < Held<T>::COUNT; ++k)
        if (j0 + k < s.p.n) s.steps[(plane * s.p.segments + segment) * s.p.n + j0 + k] = sums[k];
}

// A tile's sums for every candidate of a segment.
template <u32 F, bool MIRRORED, class T>
__device__ __forceinline__ void score_tile(const Search<T>& s, const Keys& keys, u64 segment, u64 which) {
    constexpr u32 HELD = Held<T>::COUNT, EACH = MIRRORED ? 2 : 1;
    const Tile<F, T> tile(s, keys, which);
    T first[HELD] = {}, second[HELD] = {};
    const u64 from = segment * s.p.segment, to = min(from + s.p.segment, s.p.draws);
    for (u64 base = from; base < to; base += 4 / EACH) {
        T v[4] = {}, other[4] = {};
#pragma unroll
        for (u32 c = 0; c < 4 / EACH; ++c) {
            const u64 draw = base + c;
            if (draw >= to) break;
            T z[HELD];
            tile.noise(draw, z);
            if (!MIRRORED && s.p.centred) {
#pragma unroll
                for (u32 k = 0; k < HELD; ++k) {
                    first[k] = first[k] + z[k];
                    second[k] = fused(z[k], z[k], second[k]);
                }
            }
#pragma unroll
            for (u32 sign = 0; sign < EACH; ++sign) tile.terms(draw, z, sign, v[c * EACH + sign], other[c * EACH + sign]);
        }
        tile.keep(base * EACH, to * EACH, v, other);
    }
    if (!MIRRORED && s.p.centred) {
        keep_sums(s, 2, segment, tile.j0, first);
        keep_sums(s, 3, segment, tile.j0, second);
    }
}

// The draws of a warp's only segment, kept between scores and sums: memory of a block.
template <class T>
struct Draws {
    T z[WARPS][DRAWS][32][Held<T>::COUNT];
    __device__ __forceinline__ const T* of(u32 draw) const { return z[threadIdx.x / 32][draw][threadIdx.x % 32]; }
    // Draws past the last are made too: nobody weighs them.
    __device__ __forceinline__ void make(const Search<T>& s, const Keys& keys, u64 segment, u64 tile) {
#pragma unroll sizeof(T) == 4 ? 4 : 1
        for (u32 c = 0; c < s.p.segment; ++c)
            Held<T>::make(u32((segment * s.p.segment + c) * s.blocks + tile * 32 + threadIdx.x % 32), keys, z[threadIdx.x / 32][c][threadIdx.x % 32]);
    }
};

// The same of draws that are kept.
template <u32 F, bool MIRRORED, class T>
__device__ __forceinline__ void score_kept(const Search<T>& s, const Keys& keys, u64 segment, u64 which, const Draws<T>& draws) {
    constexpr u32 EACH = MIRRORED ? 2 : 1;
    const Tile<F, T> tile(s, keys, which);
    const u64 from = segment * s.p.segment, to = min(from + s.p.segment, s.p.draws);
#pragma unroll sizeof(T) == 4 ? 2 : 1
    for (u32 base = 0; base < s.p.segment; base += 4 / EACH) {
        T v[4], other[4];
#pragma unroll
        for (u32 c = 0; c < 4; ++c) {
            // A segment of fewer draws than these has no more.
            const u32 draw = min(base + c / EACH, s.p.segment - 1);
            tile.terms(from + draw, draws.of(draw), c % EACH, v[c], other[c]);
        }
        tile.keep((from + base) * EACH, to * EACH, v, other);
    }
}

// Sums of a group of tiles over one candidate.
template <class T>
__device__ __forceinline__ f64 group_sum(const Search<T>& s, u64 plane, u64 which, u64 member) {
    const Evolve& p = s.p;
    const T* from = s.parts + (plane * p.tiles + which * GROUP) * p.population + member;
    u32 count = u32(min(u64(GROUP), p.tiles - which * GROUP));
    f64 sum = 0;
#pragma unroll 8
    for (u32 k = 0; k < count; ++k) sum = sum + f64(from[k * p.population]);
    return sum;
}

// The score of a candidate from the sums of its tiles, or of its groups where there are several.
template <u32 F, class T>
__device__ __forceinline__ f64 score_of(const Search<T>& s, u64 member) {
    const Evolve& p = s.p;
    constexpr u32 PLANES = F == ACKLEY ? 2 : 1;
    f64 sums[2] = {};
#pragma unroll
    for (u32 plane = 0; plane < PLANES; ++plane) {
        if (p.grouped == 1) {
            sums[plane] = group_sum(s, plane, 0, member);
        } else {
            const f64* groups = s.template at<const f64>(p.groups, PLANES * p.grouped * p.population) + plane * p.grouped * p.population + member;
#pragma unroll 8
            for (u64 which = 0; which < p.grouped; ++which) sums[plane] = sums[plane] + groups[which * p.population];
        }
    }
    return finished<F>(sums[0], sums[1], f64(p.n));
}

// The sums of all tiles that are asked for.
template <u32 F, class T>
__device__ __forceinline__ void score_tiles(const Search<T>& s, const Keys& keys) {
    const Evolve& p = s.p;
    const bool some = p.stages == SCORES;
    const u64 first = some ? p.from / p.segment : 0, last = some ? (p.to + p.segment - 1) / p.segment : p.segments;
    for (u64 job = first * p.tiles + s.team.warp(); job < last * p.tiles; job += s.team.warps()) {
        if (p.mirrored) {
            score_tile<F, true>(s, keys, job / p.tiles, job % p.tiles);
        } else {
            score_tile<F, false>(s, keys, job / p.tiles, job % p.tiles);
        }
    }
    s.team.wait();
}

// Scores of all candidates that are asked for, and their keys, from the sums of tiles.
template <u32 F, class T>
__device__ __forceinline__ void add_tiles(const Search<T>& s) {
    const Evolve& p = s.p;
    constexpr u32 PLANES = F == ACKLEY ? 2 : 1;
    const u64 each = p.mirrored ? 2 : 1;
    const bool some = p.stages == SCORES;
    const u64 first = some ? p.from * each : 0, members = some ? (p.to - p.from) * each : p.population;
    if (p.grouped > 1) {
        f64* groups = s.template at<f64>(p.groups, PLANES * p.grouped * p.population);
        for (u64 job = s.team.thread(); job < PLANES * p.grouped * members; job += s.team.threads()) {
            u64 member = first + job % members, row = job / members;
            groups[row * p.population + member] = group_sum(s, row / p.grouped, row % p.grouped, member);
        }
        s.team.wait();
    }
    f64* scores = s.template at<f64>(p.scores, p.population);
    for (u64 k = s.team.thread(); k < members; k += s.team.threads()) {
        f64 value = score_of<F>(s, first + k);
        scores[first + k] = value;
        s.ranked[first + k] = key_of(value);
    }
    s.team.wait();
}
