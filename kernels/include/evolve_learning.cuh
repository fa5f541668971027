// What a generation teaches: ranks, sums over the selected draws by coordinate, and the update of the rule.
#pragma once
#include "evolve_scores.cuh"

// Keys of candidates that a block compares with at a time.
constexpr u32 COMPARED = 1024;

__device__ __forceinline__ u32 over_warp(u32 x) {
#pragma unroll
    for (u32 half = 16; half > 0; half /= 2) x += __shfl_xor_sync(~0u, x, half);
    return x;
}

// The weight of a rank, less what all have; a candidate without a usable value has none where paths are followed.
template <class T>
__device__ __forceinline__ void weigh(const Search<T>& s, u64 member, u64 rank, u64 key, u32 generation) {
    const Evolve& p = s.p;
    f64 weight = reinterpret_cast<const f64*>(p.utilities)[rank] - p.base;
    s.weights[member] = p.rule == PATHS && key >= key_of(__longlong_as_double(0x7FF0000000000000ll)) ? T(0) : T(weight);
    if (rank == 0) {
        f64 least = s.template at<const f64>(p.stages & SCORES ? p.scores : p.given, p.population)[member];
        s.facts[LEAST] = least;
        s.facts[WHICH] = f64(member);
        s.template at<f64>(p.history, p.generations)[generation] = least;
    }
}

// The weight of every candidate. Its rank is how many are better, or as good and before it; in the order that is given it is its place.
template <class T>
__device__ __forceinline__ void rank_all(const Search<T>& s, u32 generation, u64* shared) {
    const Evolve& p = s.p;
    const u64* ranked = s.template at<const u64>(p.keys_of, p.population);
    if (p.order) {
        const i64* order = s.template at<const i64>(p.order, p.population);
        for (u64 k = s.team.thread(); k < p.population; k += s.team.threads()) weigh(s, u64(order[k]), k, ranked[order[k]], generation);
        s.team.wait();
        return;
    }
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (u64 job = s.team.rank; job * (4 * WARPS) < p.population; job += s.team.size) {
        u64 mine[4], member = (job * WARPS + warp) * 4;
        u32 better[4] = {};
#pragma unroll
        for (u32 c = 0; c < 4; ++c) mine[c] = member + c < p.population ? ranked[member + c] : 0;
        for (u64 base = 0; base < p.population; base += COMPARED) {
            __syncthreads();
            for (u32 k = threadIdx.x; k < COMPARED; k += BLOCK) shared[k] = base + k < p.population ? ranked[base + k] : ~0ull;
            __syncthreads();
            u32 count = u32(min(u64(COMPARED), p.population - base));
            for (u32 k = lane; k < count; k += 32) {
                u64 other = shared[k];
                // Before the candidate, equal is better too.
#pragma unroll
                for (u32 c = 0; c < 4; ++c) better[c] += base + k < member + c ? other <= mine[c] : other < mine[c];
            }
        }
#pragma unroll
        for (u32 c = 0; c < 4; ++c) {
            u32 rank = over_warp(better[c]);
            if (lane == 0 && member + c < p.population) weigh(s, member + c, rank, mine[c], generation);
        }
    }
    s.team.wait();
}

// Sums over a segment's draws, of a tile: of (w+ - w-) z and (w+ + w-) z z; and of z and z z where the scores did not leave them.
template <class T>
__device__ __forceinline__ void sum_tile(const Search<T>& s, const Keys& keys, u64 segment, u64 tile) {
    constexpr u32 HELD = Held<T>::COUNT;
    const Evolve& p = s.p;
    const u32 lane = threadIdx.x % 32;
    const bool all = p.centred && !(p.stages & SCORES);
    const u64 q = tile * 32 + lane, j0 = q * HELD, from = segment * p.segment, to = min(from + p.segment, p.draws);
    T sums[4][HELD] = {};
    for (u64 base = from; base < to; base += 32) {
        u64 draw = base + lane;
        T plus = 0, minus = 0;
        if (draw < to) {
            plus = p.mirrored ? s.weights[2 * draw] : s.weights[draw];
            minus = p.mirrored ? s.weights[2 * draw + 1] : T(0);
        }
        u32 asked = __ballot_sync(~0u, draw < to && (all || plus != T(0) || minus != T(0)));
        while (asked) {
            u32 k = u32(__ffs(i32(asked)) - 1);
            asked &= asked - 1;
            T a = __shfl_sync(~0u, plus, k), b = __shfl_sync(~0u, minus, k), difference = a - b, total = a + b;
            T z[HELD];
            Held<T>::make(u32((base + k) * s.blocks + q), keys, z);
#pragma unroll
            for (u32 i = 0; i < HELD; ++i) {
                T square = z[i] * z[i];
                sums[0][i] = fused(difference, z[i], sums[0][i]);
                sums[1][i] = fused(total, square, sums[1][i]);
                if (all) {
                    sums[2][i] = sums[2][i] + z[i];
                    sums[3][i] = fused(z[i], z[i], sums[3][i]);
                }
            }
        }
    }
#pragma unroll
    for (u32 plane = 0; plane < 4; ++plane) {
        if (plane >= 2 && !all) break;
#pragma unroll
        for (u32 i = 0; i < HELD; ++i)
            if (j0 + i < p.n) s.steps[(plane * p.segments + segment) * p.n + j0 + i] = sums[plane][i];
    }
}

// Sums over what all threads of a block have, as a tree.
__device__ __forceinline__ f64 over_block(f64 x, f64* shared) {
    shared[threadIdx.x] = x;
    __syncthreads();
    for (u32 half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) shared[threadIdx.x] = shared[threadIdx.x] + shared[threadIdx.x + half];
        __syncthreads();
    }
    return shared[0];
}

// A coordinate of the best candidate of the generation.
template <class T>
__device__ __forceinline__ f64 best_of(const Search<T>& s, const Keys& keys, u64 j) {
    constexpr u32 HELD = Held<T>::COUNT;
    const Evolve& p = s.p;
    u64 member = u64(s.facts[WHICH]), draw = p.mirrored ? member / 2 : member;
    T z[HELD];
    Held<T>::make(u32(draw * s.blocks + j / HELD), keys, z);
    T mine = z[0];
#pragma unroll
    for (u32 k = 1; k < HELD; ++k) mine = j % HELD == k ? z[k] : mine;
    bool there = j < p.n, minus = p.mirrored && member % 2;
    T deviation = there ? T(s.row(DEVIATION)[j]) : T(0), x = fused(minus ? -deviation : deviation, mine, there ? T(s.row(MEAN)[j]) : T(0));
    const T* bounds = reinterpret_cast<const T*>(p.bounds);
    return f64(bounds && there ? within(x, bounds[j], bounds[p.n + j]) : x);
}

// Moves mean and deviations of 32 coordinates by the sums over all segments. Warp w adds segments w, w + 8 and so on.
template <class T>
__device__ __forceinline__ void move(const Search<T>& s, const Keys& keys, u64 job, f64* shared) {
    const Evolve& p = s.p;
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, planes = p.centred ? 4 : 2;
    const u64 j = job * 32 + lane;
    f64 sums[4] = {};
    if (j < p.n) {
#pragma unroll
        for (u32 plane = 0; plane < 4; ++plane) {
            if (plane >= planes) break;
            const T* from = s.steps + plane * p.segments * p.n + j;
#pragma unroll 4
            for (u64 k = warp; k < p.segments; k += WARPS) sums[plane] = sums[plane] + f64(from[k * p.n]);
        }
    }
    __syncthreads();
#pragma unroll
    for (u32 plane = 0; plane < 4; ++plane) shared[(plane * WARPS + warp) * 32 + lane] = sums[plane];
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (u32 plane = 0; plane < 4; ++plane) {
        sums[plane] = shared[plane * BLOCK + lane];
        for (u32 k = 1; k < WARPS; ++k) sums[plane] = sums[plane] + shared[plane * BLOCK + k * 32 + lane];
    }
    f64 first = sums[0] + p.base * sums[2], second = sums[1] + p.base * sums[3];
    bool better = s.facts[LEAST] < s.numbers[BEST_SCORE];
    f64 best = better ? best_of(s, keys, j) : 0;
    f64 length = 0;
    if (j < p.n) {
        if (better) s.row(BEST)[j] = best;
        f64 &mean = s.row(MEAN)[j], &deviation = s.row(DEVIATION)[j];
        if (p.rule == SNES) {
            mean = mean + deviation * first;
            deviation = within(deviation * exponential(p.rates[0] * second), 1e-150, 1e150);
        } else if (p.rule == OPEN_AI) {
            mean = mean + p.rates[0] * (first / deviation);
        } else if (s.facts[USABLE] > 0) {
            f64 total = reinterpret_cast<const f64*>(p.prefixes)[u64(s.facts[USABLE]) - 1];
            first = first / total;
            f64 &path = s.row(PATH)[j], *kept = s.template at<f64>(p.sums, 2 * p.n);
            path = (1.0 - p.rates[0]) * path + p.rates[1] * first;
            mean = mean + deviation * first;
            length = path * path;
            kept[j] = first;
            kept[p.n + j] = second / total;
        }
    }
    if (p.rule == PATHS) {
#pragma unroll
        for (u32 half = 16; half > 0; half /= 2) length = length + __shfl_xor_sync(~0u, length, half);
        if (lane == 0) s.template at<f64>(p.lengths, (p.n + 31) / 32)[job] = length;
    }
}

// The step size by the length of its path: by one block.
template <class T>
__device__ __forceinline__ void adapt_size(const Search<T>& s, f64* shared) {
    const Evolve& p = s.p;
    const f64* lengths = s.template at<const f64>(p.lengths, (p.n + 31) / 32);
    f64 sum = 0;
    for (u64 k = threadIdx.x; k < (p.n + 31) / 32; k += BLOCK) sum = sum + lengths[k];
    sum = over_block(sum, shared);
    if (threadIdx.x > 0) return;
    f64 factor = 0.5, c = p.rates[0];
    s.facts[STEADY] = 0;
    if (s.facts[USABLE] > 0) {
        f64 missing = s.numbers[MISSING] * ((1.0 - c) * (1.0 - c)), length = sqrt(sum) / p.rates[7];
        s.numbers[MISSING] = missing;
        s.facts[STEADY] = length < p.rates[9] * sqrt(1.0 - missing) ? 1.0 : 0.0;
        f64 change = p.rates[2] * (length - 1.0);
        factor = exponential(change > 1.0 ? 1.0 : change);
    }
    s.numbers[SIGMA] = within(s.numbers[SIGMA] * factor, p.rates[8], 1e100);
}

// Variances by their path and the selected steps, and the deviations that they make.
template <class T>
__device__ __forceinline__ void adapt_shape(const Search<T>& s) {
    const Evolve& p = s.p;
    const f64* kept = s.template at<const f64>(p.sums, 2 * p.n);
    const f64 sigma = s.numbers[SIGMA], c = p.rates[3], one = p.rates[5], many = p.rates[6];
    const bool steady = s.facts[STEADY] > 0, usable = s.facts[USABLE] > 0;
    const f64 push = steady ? p.rates[4] : 0.0, lost = steady ? 0.0 : c * (2.0 - c), keep = 1.0 - one - many + one * lost;
    for (u64 j = s.team.thread(); j < p.n; j += s.team.threads()) {
        f64 &variance = s.row(VARIANCE)[j], &path = s.row(SHAPE_PATH)[j];
        if (usable) {
            path = (1.0 - c) * path + push * (sqrt(variance) * kept[j]);
            variance = within(keep * variance + one * (path * path) + many * (variance * kept[p.n + j]), 1e-60, 1e60);
        }
        s.row(DEVIATION)[j] = sigma * sqrt(variance);
    }
}

// Learns from the scores of a generation.
template <class T>
__device__ __forceinline__ void learn(const Search<T>& s, const Keys& keys, f64* shared) {
    const Evolve& p = s.p;
    for (u64 job = s.team.warp(); job < p.tiles * p.segments; job += s.team.warps()) sum_tile(s, keys, job / p.tiles, job % p.tiles);
    if (p.rule == PATHS && s.team.rank == s.team.size - 1) {
        const u64* ranked = s.template at<const u64>(p.keys_of, p.population);
        f64 usable = 0;
        for (u64 k = threadIdx.x; k < p.population; k += BLOCK)
            usable += ranked[k] < key_of(__longlong_as_double(0x7FF0000000000000ll)) ? 1.0 : 0.0;
        __syncthreads();
        usable = over_block(usable, shared);
        if (threadIdx.x == 0) s.facts[USABLE] = usable;
    }
    s.team.wait();
    for (u64 job = s.team.rank; job * 32 < p.n; job += s.team.size) move(s, keys, job, shared);
    s.team.wait();
    if (s.team.rank == 0) {
        if (threadIdx.x == 0 && s.facts[LEAST] < s.numbers[BEST_SCORE]) s.numbers[BEST_SCORE] = s.facts[LEAST];
        if (p.rule == PATHS) adapt_size(s, shared);
    }
    if (p.rule != PATHS) return;
    s.team.wait();
    adapt_shape(s);
    s.team.wait();
}
