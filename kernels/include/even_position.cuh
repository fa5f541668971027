// Positions of the extremes of even rows. A warp takes chunks of neighbouring vectors and looks only for the best value
// of each, half types two at a time; it remembers in which chunk that was, and the place in the chunk is looked up once.
#pragma once
#include "even.cuh"

namespace syntonic {

template <class Which> constexpr bool LARGEST = std::is_same<Which, Largest>::value;

// A number that is the larger the better: NaN is best, both zeros are alike, and no element has 0.
template <class Which> __device__ __forceinline__ u32 merit(float x) {
    const i32 bits = __float_as_int((LARGEST<Which> ? x : -x) + 0.0f);
    return x != x ? ~0u : (u32)(bits ^ ((bits >> 31) | (i32)0x80000000));
}

// Words of 32 bits: how many elements, which is better, NaN where either is, and what no element is worse than.
template <class Which, class T> struct Words;
template <class Which> struct Words<Which, f32> {
    static constexpr int ITEMS = 1;
    static constexpr u32 WORST = LARGEST<Which> ? 0xff800000u : 0x7f800000u;
    static __device__ __forceinline__ u32 better(u32 a, u32 b) {
        return __float_as_uint(Which::of(__uint_as_float(a), __uint_as_float(b)));
    }
    static __device__ __forceinline__ float item(u32 word, int) { return __uint_as_float(word); }
};
template <class Which> struct Words<Which, bf16> {
    static constexpr int ITEMS = 2;
    static constexpr u32 WORST = LARGEST<Which> ? 0xff80ff80u : 0x7f807f80u;
    static __device__ __forceinline__ u32 better(u32 a, u32 b) {
        u32 r;
        if constexpr (LARGEST<Which>) asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
        else asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
        return r;
    }
    static __device__ __forceinline__ float item(u32 word, int place) {
        return __uint_as_float(place ? word & 0xffff0000u : word << 16);
    }
};
template <class Which> struct Words<Which, f16> {
    static constexpr int ITEMS = 2;
    static constexpr u32 WORST = LARGEST<Which> ? 0xfc00fc00u : 0x7c007c00u;
    static __device__ __forceinline__ u32 better(u32 a, u32 b) {
        u32 r;
        if constexpr (LARGEST<Which>) asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
        else asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
        return r;
    }
    static __device__ __forceinline__ float item(u32 word, int place) {
        return Stored<f16>::load(f16{(u16)(place ? word >> 16 : word & 0xffffu)});
    }
};
template <class Which, class T> __device__ __forceinline__ u32 word_of(uint4 w) {
    using W = Words<Which, T>;
    return W::better(W::better(w.x, w.y), W::better(w.z, w.w));
}
template <class Which, class T> __device__ __forceinline__ u32 merit_of(u32 word) {
    using W = Words<Which, T>;
    if constexpr (W::ITEMS == 1) return merit<Which>(W::item(word, 0));
    else return merit<Which>(Which::of(W::item(word, 0), W::item(word, 1)));
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// Vectors of a lane, and of a chunk.
constexpr u32 OF_LANE = 4, CHUNK = 32 * OF_LANE;

// The best merit, and the first place that has it: a chunk or a part.
struct Found {
    u32 merit, place;
};
__device__ __forceinline__ Found found_nothing() { return Found{0, ~0u}; }
// What a warp has found, in each of its lanes. Integers may be joined in any order.
__device__ __forceinline__ Found found_by_warp(Found a) {
    const u32 most = __reduce_max_sync(~0u, a.merit);
    return Found{most, __reduce_min_sync(~0u, a.merit == most ? a.place : ~0u)};
}
// What all warps of a block have, in each of its threads.
__device__ __forceinline__ Found found_by_block(Found a, u32 warps) {
    __shared__ Found room[32];
    __syncthreads();
    if ((threadIdx.x & 31) == 0) room[threadIdx.x / 32] = a;
    __syncthreads();
    return found_by_warp((threadIdx.x & 31) < warps ? room[threadIdx.x & 31] : found_nothing());
}

// A lane's vectors of a chunk, all loads in flight at once. Elements past the end are the worst value, and compare last.
template <class Which, class T>
__device__ __forceinline__ void read_chunk(const uint4* words, u32 n, u32 chunk, uint4 (&w)[OF_LANE]) {
    constexpr u32 WORST = Words<Which, T>::WORST;
    const u32 first = chunk * CHUNK + (threadIdx.x & 31);
    const uint4* at = words + first;
    if ((chunk + 1) * CHUNK <= n) {
#pragma unroll
        for (u32 u = 0; u < OF_LANE; ++u) w[u] = at[32 * u];
    } else {
#pragma unroll
        for (u32 u = 0; u < OF_LANE; ++u) {
            w[u] = make_uint4(WORST, WORST, WORST, WORST);
            if (first + 32 * u < n) w[u] = at[32 * u];
        }
    }
}

// The best merit of a lane's vectors.
template <class Which, class T> __device__ __forceinline__ u32 merit_of_chunk(const uint4 (&w)[OF_LANE]) {
    u32 word = word_of<Which, T>(w[0]);
#pragma unroll
    for (u32 u = 1; u < OF_LANE; ++u) word = Words<Which, T>::better(word, word_of<Which, T>(w[u]));
    return merit_of<Which, T>(word);
}

// The best of the chunks `warp`, `warp + warps`, ... of `n` vectors; `w` is left as the last chunk filled it.
template <class Which, class T>
__device__ __forceinline__ Found found_in_chunks(const uint4* words, u32 n, u32 warp, u32 warps, uint4 (&w)[OF_LANE]) {
    Found best = found_nothing();
#pragma unroll 1
    for (u32 chunk = warp; chunk * CHUNK < n; chunk += warps) {
        read_chunk<Which, T>(words, n, chunk, w);
        const u32 x = merit_of_chunk<Which, T>(w);
        best.place = x > best.merit ? chunk : best.place;
        best.merit = x > best.merit ? x : best.merit;
    }
    return found_by_warp(best);
}

// Where in a chunk the first element of this merit is.
template <class Which, class T> __device__ __forceinline__ u32 place_in_chunk(const uint4 (&w)[OF_LANE], u32 top) {
    constexpr int ITEMS = Words<Which, T>::ITEMS, V = 4 * ITEMS;
    u32 vector = ~0u;
    uint4 v = w[0];
#pragma unroll
    for (int u = OF_LANE - 1; u >= 0; --u) {
        if (merit_of<Which, T>(word_of<Which, T>(w[u])) != top) continue;
        vector = u * 32 + (threadIdx.x & 31);
        v = w[u];
    }
    const u32 word[4] = {v.x, v.y, v.z, v.w};
    u32 place = ~0u;
#pragma unroll
    for (int e = V - 1; e >= 0; --e)
        if (merit<Which>(Words<Which, T>::item(word[e / ITEMS], e % ITEMS)) == top) place = vector * V + e;
    return __reduce_min_sync(~0u, vector == ~0u ? ~0u : place);
}

template <class Which, class T, class P> __device__ __forceinline__ void position_lines(const P& p) {
    constexpr int V = 16 / sizeof(T);
    const u64 row = (u64)blockIdx.x * (blockDim.x / p.threads) + threadIdx.x / p.threads;
    if (row >= p.rows) return;
    const uint4* words = reinterpret_cast<const uint4*>(static_cast<const T*>(p.from) + (i64)row * p.step);
    const u32 warps = p.threads / 32, warp = threadIdx.x / 32 & (warps - 1), n = (u32)p.vectors;
    uint4 w[OF_LANE];
    const Found mine = found_in_chunks<Which, T>(words, n, warp, warps, w);
    const Found top = warps == 1 ? mine : found_by_block(mine, warps);
    if (mine.place != top.place) return;
    // The last chunk of a warp is there still.
    if ((top.place + warps) * CHUNK < n) read_chunk<Which, T>(words, n, top.place, w);
    const u32 place = place_in_chunk<Which, T>(w, top.merit);
    if ((threadIdx.x & 31) == 0) static_cast<i64*>(p.to)[(i64)row * p.to_step] = (i64)top.place * (CHUNK * V) + place;
}

// A part's best, and the first place in the row that has it.
struct PartFound {
    u64 at;
    u32 merit, unused;
};
static_assert(sizeof(PartFound) == sizeof(Located<float>), "partial values have this size");

// As `found_in_chunks`, for few rows that take long: better chunks are soon rare, so that the place in one is looked up at
// once, and no chunk is read again while all wait for it. `place` is the one in the chunk that is returned.
template <class Which, class T>
__device__ __forceinline__ Found found_and_placed(const uint4* words, u32 n, u32 warp, u32 warps, u32& place) {
    Found best = found_nothing();
#pragma unroll 1
    for (u32 chunk = warp; chunk * CHUNK < n; chunk += warps) {
        uint4 w[OF_LANE];
        read_chunk<Which, T>(words, n, chunk, w);
        const u32 top = __reduce_max_sync(~0u, merit_of_chunk<Which, T>(w));
        if (top <= best.merit) continue;
        best = Found{top, chunk};
        place = place_in_chunk<Which, T>(w, top);
    }
    return best;
}

// The best of the parts, and where it is, for the one thread that has read that part's.
template <class P> __device__ __forceinline__ void join_positions(const P& p, const PartFound* partials, u64 row) {
    Found best = found_nothing();
    u64 at = 0;
#pragma unroll 4
    for (u32 k = threadIdx.x; k < p.parts; k += blockDim.x) {
        const PartFound part = read_l2(partials + k);
        if (part.merit <= best.merit) continue;
        best = Found{part.merit, k};
        at = part.at;
    }
    const Found top = found_by_block(found_by_warp(best), blockDim.x / 32);
    if (best.place == top.place) static_cast<i64*>(p.to)[(i64)row * p.to_step] = (i64)at;
}

template <class Which, class T, class P> __device__ __forceinline__ void position_parts(const P& p) {
    constexpr int V = 16 / sizeof(T);
    const u64 row = blockIdx.y, part = blockIdx.x;
    const u64 first = part * p.part, n = first + p.part < p.vectors ? p.part : p.vectors - first;
    const uint4* words = reinterpret_cast<const uint4*>(static_cast<const T*>(p.from) + (i64)row * p.step);
    const u32 warps = blockDim.x / 32;
    u32 place = 0;
    const Found mine = found_and_placed<Which, T>(words + first, (u32)n, threadIdx.x / 32, warps, place);
    const Found top = found_by_block(mine, warps);
    PartFound* partials = static_cast<PartFound*>(p.partials) + row * p.parts;
    if (mine.place == top.place && (threadIdx.x & 31) == 0)
        partials[part] = PartFound{(first + (u64)top.place * CHUNK) * V + place, top.merit, 0};
    if (comes_last(p.counters + row, p.parts)) join_positions(p, partials, row);
}
#endif

// Rows of two columns side by side: the best of both by one instruction a row, and then which row that was.
template <class Which, class T> struct PairTake {
    using F = Position<Which, float>;
    using W = Words<Which, T>;
    template <int U>
    static __device__ __forceinline__ void rows(typename F::Thread* total, const Beside<T> (&v)[U], u32 ordinal) {
        u32 best = v[0].word;
#pragma unroll
        for (int u = 1; u < U; ++u) best = W::better(best, v[u].word);
#pragma unroll
        for (int c = 0; c < 2; ++c) {
            const float top = W::item(best, c);
            if (!F::replaces(top, total[c].value)) continue;
            // Only a NaN is no number.
            const bool number = top == top;
            u32 row = 0;
#pragma unroll
            for (int u = U - 1; u >= 0; --u) row = W::item(v[u].word, c) == top ? u : row;
            if (!number) row = first_nan(v, c);
            total[c].value = top;
            total[c].ordinal = ordinal + row;
        }
    }
    template <int U> static __device__ __forceinline__ u32 first_nan(const Beside<T> (&v)[U], int c) {
        u32 row = 0;
#pragma unroll
        for (int u = U - 1; u >= 0; --u) {
            const float x = W::item(v[u].word, c);
            row = x != x ? u : row;
        }
        return row;
    }
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <class Which> struct EvenTake<Position<Which, float>, f16> : PairTake<Which, f16> {};
template <class Which> struct EvenTake<Position<Which, float>, bf16> : PairTake<Which, bf16> {};
#endif

template <class Which, class T> struct EvenOf<Position<Which, float>, T> {
    template <class P> static __device__ __forceinline__ void lines(const P& p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        position_lines<Which, T>(p);
#else
        even_lines<Position<Which, float>, T>(p);
#endif
    }
    template <class P> static __device__ __forceinline__ void parts(const P& p) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        position_parts<Which, T>(p);
#else
        even_parts<Position<Which, float>, T>(p);
#endif
    }
};

}  // namespace syntonic
