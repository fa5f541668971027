// What a generation teaches: sums over the selected draws by coordinate, and the update of the rule.
#pragma once
#include "evolve_ranks.cuh"

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
    for (u32 plane = 0; plane < 4; ++plane)
        if (plane < 2 || all) keep_sums(s, plane, segment, j0, sums[plane]);
}

// The same of draws that are kept, with the weights of these draws' candidates.
template <class T>
__device__ __forceinline__ void sum_kept(const Search<T>& s, u64 segment, u64 tile, const Draws<T>& draws, const T* weights) {
    constexpr u32 HELD = Held<T>::COUNT;
    const Evolve& p = s.p;
    T sums[4][HELD] = {};
    const u64 from = segment * p.segment, count = min(u64(p.segment), p.draws - from);
#pragma unroll 4
    for (u32 c = 0; c < count; ++c) {
        const T plus = p.mirrored ? weights[2 * c] : weights[c], minus = p.mirrored ? weights[2 * c + 1] : T(0);
        const T difference = plus - minus, total = plus + minus, *z = draws.of(c);
#pragma unroll
        for (u32 i = 0; i < HELD; ++i) {
            sums[0][i] = fused(difference, z[i], sums[0][i]);
            sums[1][i] = fused(total, z[i] * z[i], sums[1][i]);
            sums[2][i] = sums[2][i] + z[i];
            sums[3][i] = fused(z[i], z[i], sums[3][i]);
        }
    }
#pragma unroll
    for (u32 plane = 0; plane < 4; ++plane)
        if (plane < 2 || p.centred) keep_sums(s, plane, segment, (tile * 32 + threadIdx.x % 32) * HELD, sums[plane]);
}

// What a block remembers.
template <class T>
struct Memory {
    union {
        f64 sums[4 * BLOCK];
        u64 keys[CLOSE];
    };
    u32 counts[WARPS], ranks[2 * DRAWS * WARPS];
    T weights[2 * DRAWS * WARPS];
    union {
        Draws<T> draws;
        f64 parts[4][WARPS][FEW];
    };
};

// The sum over what all threads of a block have, as a tree whose first pairs are half a block apart.
__device__ __forceinline__ f64 over_block(f64 x, f64* shared) {
    static_assert(BLOCK == 256, "eight values a lane");
    __syncthreads();
    shared[threadIdx.x] = x;
    __syncthreads();
    if (threadIdx.x < 32) {
        f64 v[8];
#pragma unroll
        for (u32 k = 0; k < 8; ++k) v[k] = shared[threadIdx.x + 32 * k];
#pragma unroll
        for (u32 half = 4; half > 0; half /= 2)
#pragma unroll
            for (u32 k = 0; k < half; ++k) v[k] = v[k] + v[k + half];
        x = v[0];
#pragma unroll
        for (u32 half = 16; half > 0; half /= 2) x = x + __shfl_xor_sync(~0u, x, half);
        shared[threadIdx.x] = x;
    }
    __syncthreads();
    return shared[0];
}

// The sums over all segments at a coordinate, for the first warp of a block: warp k adds segments k, k + 8 and so on.
template <u32 PLANES, class T>
__device__ __forceinline__ void over_segments(f64 (&sums)[4], const Search<T>& s, u64 j, f64* shared) {
    const u64 segments = s.p.segments;
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    f64 parts[PLANES] = {};
    if (j < s.p.n) {
        const T* from = s.steps + warp * s.p.n + j;
        const u64 step = WARPS * s.p.n, plane_step = segments * s.p.n;
#pragma unroll 16 / PLANES
        for (u64 k = warp; k < segments; k += WARPS, from += step)
#pragma unroll
            for (u32 plane = 0; plane < PLANES; ++plane) parts[plane] = parts[plane] + f64(from[plane * plane_step]);
    }
    __syncthreads();
#pragma unroll
    for (u32 plane = 0; plane < PLANES; ++plane) shared[(plane * WARPS + warp) * 32 + lane] = parts[plane];
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (u32 plane = 0; plane < PLANES; ++plane) {
        sums[plane] = shared[plane * BLOCK + lane];
#pragma unroll
        for (u32 k = 1; k < WARPS; ++k) sums[plane] = sums[plane] + shared[plane * BLOCK + k * 32 + lane];
    }
}

// The same for all coordinates of a small search, a thread each.
template <u32 PLANES, class T>
__device__ __forceinline__ void over_segments(f64 (&sums)[4], const Search<T>& s, Memory<T>& memory) {
    const u32 n = u32(s.p.n), segments = u32(s.p.segments);
#pragma unroll 2
    for (u32 k = threadIdx.x; k < WARPS * n; k += BLOCK) {
        const u32 part = k / n, j = k % n;
        f64 parts[PLANES] = {};
#pragma unroll 4
        for (u32 segment = part; segment < segments; segment += WARPS)
#pragma unroll
            for (u32 plane = 0; plane < PLANES; ++plane) parts[plane] = parts[plane] + f64(s.steps[(plane * segments + segment) * n + j]);
#pragma unroll
        for (u32 plane = 0; plane < PLANES; ++plane) memory.parts[plane][part][j] = parts[plane];
    }
    __syncthreads();
    if (threadIdx.x >= n) return;
#pragma unroll
    for (u32 plane = 0; plane < PLANES; ++plane) {
        sums[plane] = memory.parts[plane][0][threadIdx.x];
#pragma unroll
        for (u32 k = 1; k < WARPS; ++k) sums[plane] = sums[plane] + memory.parts[plane][k][threadIdx.x];
    }
}

// What a move reads of a coordinate, asked for before the sums over segments are there.
template <class T>
struct Place {
    f64 mean, deviation, path, best, usable, total;
    bool there, better;

    __device__ __forceinline__ Place(const Search<T>& s, const Keys& keys, u64 j) {
        const Evolve& p = s.p;
        there = j < p.n;
        mean = there ? s.row(MEAN)[j] : 0;
        deviation = there ? s.row(DEVIATION)[j] : 0;
        path = there && p.rule == PATHS ? s.row(PATH)[j] : 0;
        usable = p.rule == PATHS ? s.numbers[USABLE] : 0;
        better = s.numbers[LEAST] < s.numbers[BEST_SCORE];
        total = usable > 0 ? __ldg(reinterpret_cast<const f64*>(p.prefixes) + u64(usable) - 1) : 1;
        best = better ? coordinate(s, keys, j, u64(s.numbers[WHICH])) : 0;
    }

private:
    // That of a candidate.
    __device__ __forceinline__ f64 coordinate(const Search<T>& s, const Keys& keys, u64 j, u64 member) const {
        constexpr u32 HELD = Held<T>::COUNT;
        const u64 draw = s.p.mirrored ? member / 2 : member;
        T z[HELD];
        Held<T>::make(u32(draw * s.blocks + j / HELD), keys, z);
        T mine = z[0];
#pragma unroll
        for (u32 k = 1; k < HELD; ++k) mine = j % HELD == k ? z[k] : mine;
        const bool minus = s.p.mirrored && member % 2;
        const T x = fused(minus ? -T(deviation) : T(deviation), mine, T(mean));
        const T* bounds = reinterpret_cast<const T*>(s.p.bounds);
        return f64(bounds && there ? within(x, bounds[j], bounds[s.p.n + j]) : x);
    }
};

// Moves mean and deviations of 32 coordinates by the sums over all segments: a warp's work.
template <class T>
__device__ __forceinline__ void move(const Search<T>& s, const Place<T>& place, u64 job, const f64 (&sums)[4]) {
    const Evolve& p = s.p;
    const u32 lane = threadIdx.x % 32;
    const u64 j = job * 32 + lane;
    f64 first = sums[0] + p.base * sums[2], second = sums[1] + p.base * sums[3], length = 0;
    if (place.there) {
        if (place.better) s.row(BEST)[j] = place.best;
        if (p.rule == SNES) {
            s.row(MEAN)[j] = place.mean + place.deviation * first;
            s.row(DEVIATION)[j] = within(place.deviation * exponential(p.rates[0] * second), 1e-150, 1e150);
        } else if (p.rule == OPEN_AI) {
            s.row(MEAN)[j] = place.mean + p.rates[0] * (first / place.deviation);
        } else if (place.usable > 0) {
            f64* kept = s.template at<f64>(p.sums, 2 * p.n);
            first = first / place.total;
            const f64 path = (1.0 - p.rates[0]) * place.path + p.rates[1] * first;
            s.row(PATH)[j] = path;
            s.row(MEAN)[j] = place.mean + place.deviation * first;
            length = path * path;
            kept[j] = first;
            kept[p.n + j] = second / place.total;
        }
    }
    if (p.rule == PATHS) {
#pragma unroll
        for (u32 half = 16; half > 0; half /= 2) length = length + __shfl_xor_sync(~0u, length, half);
        if (lane == 0) s.template at<f64>(p.lengths, (p.n + 31) / 32)[job] = length;
    }
}

// What the length of the path decides.
struct Size {
    f64 sigma;
    bool usable, steady;
};

// The step size by the length of its path: by one block, of which all threads know it afterwards.
template <class T>
__device__ __forceinline__ Size adapt_size(const Search<T>& s, f64* shared) {
    const Evolve& p = s.p;
    const f64 *lengths = s.template at<const f64>(p.lengths, (p.n + 31) / 32), c = p.rates[0];
    const f64 before = s.numbers[SIGMA], usable = s.numbers[USABLE], missing = s.numbers[MISSING] * ((1.0 - c) * (1.0 - c));
    f64 sum = 0;
    for (u64 k = threadIdx.x; k < (p.n + 31) / 32; k += BLOCK) sum = sum + lengths[k];
    // A barrier of the block is in it: all have read.
    sum = over_block(sum, shared);
    f64 factor = 0.5;
    bool steady = false;
    if (usable > 0) {
        const f64 length = sqrt(sum) / p.rates[7], change = p.rates[2] * (length - 1.0);
        steady = length < p.rates[9] * sqrt(1.0 - missing);
        factor = exponential(change > 1.0 ? 1.0 : change);
    }
    const f64 sigma = within(before * factor, p.rates[8], 1e100);
    if (threadIdx.x == 0) {
        if (usable > 0) s.numbers[MISSING] = missing;
        s.numbers[STEADY] = steady ? 1.0 : 0.0;
        s.numbers[SIGMA] = sigma;
    }
    return Size{sigma, usable > 0, steady};
}

// Variances by their path and the selected steps, and the deviations that they make, from a coordinate on.
template <class T>
__device__ __forceinline__ void adapt_shape(const Search<T>& s, const Size& size, u64 from, u64 by) {
    const Evolve& p = s.p;
    const f64 *kept = s.template at<const f64>(p.sums, 2 * p.n), c = p.rates[3], one = p.rates[5], many = p.rates[6];
    const bool steady = size.steady, usable = size.usable;
    const f64 push = steady ? p.rates[4] : 0.0, lost = steady ? 0.0 : c * (2.0 - c), keep = 1.0 - one - many + one * lost;
#pragma unroll 4
    for (u64 j = from; j < p.n; j += by) {
        f64 variance = s.row(VARIANCE)[j];
        if (usable) {
            const f64 path = (1.0 - c) * s.row(SHAPE_PATH)[j] + push * (sqrt(variance) * kept[j]);
            variance = within(keep * variance + one * (path * path) + many * (variance * kept[p.n + j]), 1e-60, 1e60);
            s.row(SHAPE_PATH)[j] = path;
            s.row(VARIANCE)[j] = variance;
        }
        s.row(DEVIATION)[j] = size.sigma * sqrt(variance);
    }
}

// Scores, ranks and sums of a search whose warps have a tile and a segment each: they keep their draws, each block finishes all scores
// itself, and no barrier is between ranks and sums.
template <u32 F, class T>
__device__ __forceinline__ void learn_close(const Search<T>& s, const Keys& keys, u32 generation, Memory<T>& memory) {
    const Evolve& p = s.p;
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const u64 jobs = p.tiles * p.segments, job0 = u64(s.team.rank) * WARPS, job = job0 + warp, segment = job / p.tiles, tile = job % p.tiles;
    if (job < jobs) {
        memory.draws.make(s, keys, segment, tile);
        if constexpr (F != NO_FUNCTION) {
            if (p.mirrored) {
                score_kept<F, true>(s, keys, segment, tile, memory.draws);
            } else {
                score_kept<F, false>(s, keys, segment, tile, memory.draws);
            }
        }
    }
    s.team.wait();
    const f64* given = s.template at<const f64>(p.given, p.population);
#pragma unroll 4
    for (u64 k = threadIdx.x; k < p.population; k += BLOCK) {
        f64 value;
        if constexpr (F == NO_FUNCTION) {
            value = given[k];
        } else {
            value = score_of<F>(s, k);
        }
        memory.keys[k] = key_of(value);
    }
    __syncthreads();
    if (job0 < jobs) {
        const u64 each = (p.mirrored ? 2 : 1) * p.segment, last = min(job0 + WARPS, jobs) - 1;
        const u64 first = job0 / p.tiles * each, end = min((last / p.tiles + 1) * each, p.population);
        for (u64 member = first + warp * 4; member < end; member += 4 * WARPS) {
            u64 mine[4];
            u32 rank[4];
            compare(rank, mine, memory.keys, u32(member), u32(min(u64(4), end - member)), u32(p.population));
            if (lane == 0)
#pragma unroll
                for (u32 c = 0; c < 4; ++c) memory.ranks[member + c - first] = rank[c];
        }
        __syncthreads();
        for (u64 k = threadIdx.x; k < end - first; k += BLOCK)
            memory.weights[k] = weight_of(s, first + k, memory.ranks[k], memory.keys[first + k], generation);
        __syncthreads();
        if (job < jobs) sum_kept(s, segment, tile, memory.draws, memory.weights + (segment * each - first));
    }
    if (p.rule == PATHS && s.team.rank == s.team.size - 1) count_usable(s, memory.keys, memory.counts);
}

// Sums over segments, of all tiles that are asked for.
template <class T>
__device__ __forceinline__ void sum_tiles(const Search<T>& s, const Keys& keys, u32* counts) {
    const Evolve& p = s.p;
    const u64 first = p.stages & SCORES ? 0 : p.from, tiles = p.stages & SCORES ? p.tiles : p.to - p.from;
    for (u64 job = s.team.warp(); job < tiles * p.segments; job += s.team.warps()) sum_tile(s, keys, job / tiles, first + job % tiles);
    if (p.rule == PATHS && s.team.rank == s.team.size - 1) count_usable(s, s.ranked, counts);
}

// Moves the coordinates of all tiles that are asked for, and adapts what all of them decide. Few coordinates are one block's work.
template <class T>
__device__ __forceinline__ void update(const Search<T>& s, const Keys& keys, Memory<T>& memory) {
    const Evolve& p = s.p;
    constexpr u64 JOBS = Search<T>::TILE / 32;
    const u64 first = (p.stages & SCORES ? 0 : p.from) * JOBS, last = min((p.stages & SCORES ? p.tiles : p.to) * JOBS, (p.n + 31) / 32);
    const bool whole = first == 0 && last * 32 >= p.n, adapts = p.stages & ADAPTS, together = p.n <= SHAPED;
    auto adapt = [&] {
        if (!adapts) return;
        if (threadIdx.x == 0 && s.numbers[LEAST] < s.numbers[BEST_SCORE]) s.numbers[BEST_SCORE] = s.numbers[LEAST];
        if (p.rule != PATHS) return;
        const Size size = adapt_size(s, memory.sums);
        if (together) adapt_shape(s, size, threadIdx.x, BLOCK);
    };
    f64 sums[4] = {};
    if (whole && p.n <= FEW && p.segments <= FEW_SEGMENTS) {
        s.team.wait_for([&] {
            const Place<T> place(s, keys, threadIdx.x);
            if (p.centred) {
                over_segments<4>(sums, s, memory);
            } else {
                over_segments<2>(sums, s, memory);
            }
            if (threadIdx.x / 32 * 32 < p.n) move(s, place, threadIdx.x / 32, sums);
            __syncthreads();
            adapt();
        });
    } else {
        s.team.wait();
        for (u64 job = first + s.team.rank; job < last; job += s.team.size) {
            const u64 j = job * 32 + threadIdx.x % 32;
            const Place<T> place(s, keys, j);
            if (p.centred) {
                over_segments<4>(sums, s, j, memory.sums);
            } else {
                over_segments<2>(sums, s, j, memory.sums);
            }
            if (threadIdx.x < 32) move(s, place, job, sums);
        }
        s.team.wait_for(adapt);
    }
    if (p.rule != PATHS || together || !adapts) return;
    adapt_shape(s, Size{s.numbers[SIGMA], s.numbers[USABLE] > 0, s.numbers[STEADY] > 0}, s.team.thread(), s.team.threads());
    s.team.wait();
}
