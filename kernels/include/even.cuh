// Reductions of even rows and columns: contiguous aligned vectors of 16 bytes, or contiguous columns with one row stride. There are
// no edges, so a kernel is short, needs few registers and starts at once.
#pragma once
#include "contract_fold.cuh"
#include "inter_block.cuh"
#include "cache_hints.cuh"
#include "reduce.cuh"

template <class P> using EvenPlain = P;

namespace syntonic {

// Tuning of a fold: vectors in flight a thread, resident blocks of 256 threads, and threads of a block for a part, two of which are
// resident. A fold of few instructions wants many threads, one of many instructions wants registers.
template <class F> struct Pace { static constexpr int VECTORS = 4, BLOCKS = 8, PART_THREADS = 1024; };
template <bool HALF> struct Pace<EvenMoments<HALF>> { static constexpr int VECTORS = 8, BLOCKS = 4, PART_THREADS = 512; };

// Block reduction; thread 0 has the result.
template <class F> __device__ __forceinline__ typename F::Acc even_block(typename F::Acc a) {
    using Acc = typename F::Acc;
    __shared__ __align__(16) unsigned char room[32 * sizeof(Acc)];
    Acc* warps = reinterpret_cast<Acc*>(room);
    a = Lanes<F>::join(a, 32);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = a;
    __syncthreads();
    if (threadIdx.x < 32) {
        const u32 count = blockDim.x >> 5;
        a = threadIdx.x < count ? warps[threadIdx.x] : F::nothing();
        a = Lanes<F>::join(a, count);
    }
    return a;
}
template <class F> __device__ __forceinline__ typename F::Acc even_join(typename F::Acc a, u32 threads) {
    return threads == 32 ? Lanes<F>::join(a, 32) : even_block<F>(a);
}

// Thread `thread` of `threads` folds `n` vectors; `before` elements of the row lie before them.
template <class F, class T>
__device__ __forceinline__ typename F::Acc even_run(const uint4* words, u32 n, u32 thread, u32 threads, u64 before) {
    constexpr int V = 16 / sizeof(T), U = Pace<F>::VECTORS, REST = U / 2;
    using Value = typename F::Value;
    typename F::Thread total = F::start();
    u32 k = thread, ordinal = 0;
#pragma unroll 1
    for (; k + threads * (U - 1) < n; k += threads * U, ordinal += U * V) {
        uint4 w[U];
#pragma unroll
        for (int u = 0; u < U; ++u) w[u] = read_hinted<CacheHint::NO_ALLOCATE>(words + (k + u * threads));
        Value x[U * V];
#pragma unroll
        for (int u = 0; u < U; ++u) unpack<T>(w[u], x + u * V);
        F::template take<U * V>(total, x, ordinal);
    }
    // The rest, less than a round: again some loads in flight before any is used.
#pragma unroll 1
    for (; k < n; k += threads * REST, ordinal += REST * V) {
        uint4 w[REST];
#pragma unroll
        for (int u = 0; u < REST; ++u)
            if (k + u * threads < n) w[u] = read_hinted<CacheHint::NO_ALLOCATE>(words + (k + u * threads));
#pragma unroll
        for (int u = 0; u < REST; ++u) {
            if (k + u * threads >= n) break;
            Value x[V];
            unpack<T>(w[u], x);
            F::template take<V>(total, x, ordinal + u * V);
        }
    }
    u64 at = 0;
    if constexpr (F::POSITIONS) {
        const u32 o = total.ordinal;
        at = before + (u64)(thread + o / V * threads) * V + o % V;
    }
    return F::gathered(total, thread < n, at);
}

// Rows by some threads each; every thread of a block has a row, or leaves with its warp.
template <class F, class T, class P> __device__ __forceinline__ void even_lines(const P& p) {
    const u64 row = (u64)blockIdx.x * (blockDim.x / p.threads) + threadIdx.x / p.threads;
    if (row >= p.rows) return;
    const uint4* words = reinterpret_cast<const uint4*>(static_cast<const T*>(p.from) + (i64)row * p.step);
    const u32 thread = threadIdx.x & (p.threads - 1);
    const typename F::Acc a = even_join<F>(even_run<F, T>(words, (u32)p.vectors, thread, p.threads, 0), p.threads);
    if (thread == 0) store_result<F, T>(p, (i64)row * p.to_step, a);
}

// This thread's share of the partial results of a row's parts: four loads in flight before any is used.
template <class F> __device__ __forceinline__ typename F::Acc parts_of_thread(const typename F::Acc* partials, u32 parts) {
    constexpr u32 AT_ONCE = 4;
    if (threadIdx.x >= parts) return F::nothing();
    Series<F> all(read_l2(partials + threadIdx.x));
#pragma unroll 1
    for (u32 k = threadIdx.x + blockDim.x; k < parts; k += AT_ONCE * blockDim.x) {
        typename F::Acc some[AT_ONCE];
#pragma unroll
        for (u32 u = 0; u < AT_ONCE; ++u)
            some[u] = k + u * blockDim.x < parts ? read_l2(partials + k + u * blockDim.x) : F::nothing();
#pragma unroll
        for (u32 u = 0; u < AT_ONCE; ++u) all.add(some[u]);
    }
    return all.joined();
}

// Parts of rows, a block each. The last block of a row joins all.
template <class F, class T, class P> __device__ __forceinline__ void even_parts(const P& p) {
    using Acc = typename F::Acc;
    const u64 row = blockIdx.y, part = blockIdx.x;
    const u64 first = part * p.part, n = first + p.part < p.vectors ? p.part : p.vectors - first;
    const uint4* words = reinterpret_cast<const uint4*>(static_cast<const T*>(p.from) + (i64)row * p.step) + first;
    Acc a = even_join<F>(even_run<F, T>(words, (u32)n, threadIdx.x, blockDim.x, first * (16 / sizeof(T))), blockDim.x);
    Acc* partials = static_cast<Acc*>(p.partials) + row * p.parts;
    if (threadIdx.x == 0) partials[part] = a;
    if (!comes_last(p.counters + row, p.parts)) return;
    a = even_block<F>(parts_of_thread<F>(partials, p.parts));
    if (threadIdx.x == 0) store_result<F, T>(p, (i64)row * p.to_step, a);
}

// The loops over rows, which some folds specialise.
template <class F, class T> struct EvenOf {
    template <class P> static __device__ __forceinline__ void lines(const P& p) { even_lines<F, T>(p); }
    template <class P> static __device__ __forceinline__ void parts(const P& p) { even_parts<F, T>(p); }
};

// Columns of a thread: words of four bytes at least.
template <class T> constexpr int EVEN_COLUMNS = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
template <class T> constexpr int EVEN_WARPS = sizeof(T) < 4 ? 32 : 16;
constexpr int EVEN_STEPS = 16;

// The elements that a thread reads at once of a row.
template <class T> union Beside {
    static constexpr int C = EVEN_COLUMNS<T>;
    typename std::conditional<C == 1, T, u32>::type word;
    T item[C];
    __device__ Beside() {}
};

// Accumulates `U` rows, each column by itself. Some folds specialise it.
template <class F, class T> struct EvenTake {
    template <int U>
    static __device__ __forceinline__ void rows(typename F::Thread* total, const Beside<T> (&v)[U], u32 ordinal) {
#pragma unroll
        for (int c = 0; c < EVEN_COLUMNS<T>; ++c) {
            typename F::Value x[U];
#pragma unroll
            for (int u = 0; u < U; ++u) x[u] = Stored<T>::load(v[u].item[c]);
            F::template take<U>(total[c], x, ordinal);
        }
    }
};

// Folds the columns of a thread, over the rows of its block: the first plus its warp, then every `EVEN_WARPS`-th.
template <class F, class T>
__device__ __forceinline__ void even_down(const EvenColumns& p, u64 column, typename F::Acc* result) {
    constexpr int C = EVEN_COLUMNS<T>, U = EVEN_STEPS, G = EVEN_WARPS<T>;
    using Word = decltype(Beside<T>::word);
    typename F::Thread total[C];
#pragma unroll
    for (int c = 0; c < C; ++c) total[c] = F::start();
    const u64 from = blockIdx.y * p.part, to = from + p.part < p.length ? from + p.part : p.length;
    const u64 row = from + threadIdx.x / 32;
    const T* at = static_cast<const T*>(p.from) + (i64)blockIdx.z * p.from_outer + (i64)row * p.step + column;
    const i64 step = G * p.step;
    i64 left = column < p.columns ? (i64)to - (i64)row : 0;
    u32 ordinal = 0;
#pragma unroll 1
    for (; left > (U - 1) * G; left -= U * G, ordinal += U) {
        Beside<T> v[U];
#pragma unroll
        for (int u = 0; u < U; ++u) v[u].word = *reinterpret_cast<const Word*>(at + u * step);
        at += U * step;
        EvenTake<F, T>::template rows<U>(total, v, ordinal);
    }
#pragma unroll 1
    for (; left > 0; left -= G, ++ordinal) {
        Beside<T> v[1];
        v[0].word = *reinterpret_cast<const Word*>(at);
        at += step;
        EvenTake<F, T>::template rows<1>(total, v, ordinal);
    }
#pragma unroll
    for (int c = 0; c < C; ++c) {
        u64 place = 0;
        if constexpr (F::POSITIONS) place = row + (u64)total[c].ordinal * G;
        result[c] = F::gathered(total[c], column < p.columns && row < to, place);
    }
}

// Joins values `distance` apart, in independent chains for instruction-level parallelism.
template <class F, int COUNT>
__device__ __forceinline__ typename F::Acc even_series(const typename F::Acc* values, int distance) {
    constexpr int CHAINS = Series<F>::CHAINS;
    static_assert(COUNT % CHAINS == 0, "chains end together");
    typename F::Acc chain[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) {
        Series<F> all(values[c * distance]);
#pragma unroll
        for (int g = c + CHAINS; g < COUNT; g += CHAINS) all.add(values[g * distance]);
        chain[c] = all.joined();
    }
#pragma unroll
    for (int c = 1; c < CHAINS; ++c) chain[0] = F::join(chain[0], chain[c]);
    return chain[0];
}

// A block for each tile, part and outer position.
template <class F, class T, class P> __device__ __forceinline__ void even_columns(const P& p) {
    using Acc = typename F::Acc;
    constexpr int C = EVEN_COLUMNS<T>, G = EVEN_WARPS<T>, WIDTH = 32 * C;
    // Warps whose values fit; the other warps' values are joined with these first.
    constexpr int LEFT = G * WIDTH * sizeof(Acc) <= 40000 ? G : G / 2;
    static_assert(LEFT * WIDTH * sizeof(Acc) <= 40000, "fits");
    __shared__ __align__(16) unsigned char room[LEFT * WIDTH * sizeof(Acc)];
    Acc* shared = reinterpret_cast<Acc*>(room);
    const u32 lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    const u64 first = (u64)blockIdx.x * WIDTH, outer = blockIdx.z;
    Acc mine[C];
    even_down<F, T>(p, first + lane * C, mine);
    if constexpr (LEFT < G) {
        if (warp >= LEFT) {
#pragma unroll
            for (int c = 0; c < C; ++c) shared[((warp - LEFT) * C + c) * 32 + lane] = mine[c];
        }
        __syncthreads();
        if (warp < LEFT) {
#pragma unroll
            for (int c = 0; c < C; ++c) mine[c] = F::join(mine[c], shared[(warp * C + c) * 32 + lane]);
        }
        __syncthreads();
    }
    if (warp < LEFT) {
#pragma unroll
        for (int c = 0; c < C; ++c) shared[(warp * C + c) * 32 + lane] = mine[c];
    }
    __syncthreads();
    // One thread a column: sharing it among lanes costs more than it saves.
    Acc* partials = static_cast<Acc*>(p.partials) + outer * p.parts * p.columns;
#pragma unroll 1
    for (u32 k = threadIdx.x; k < WIDTH; k += blockDim.x) {
        const Acc* values = shared + k % C * 32 + k / C;
        const Acc a = even_series<F, LEFT>(values, WIDTH);
        const u64 column = first + k;
        if (column >= p.columns) break;
        if (p.parts == 1) {
            store_result<F, T>(p, (i64)outer * p.to_outer + (i64)column * p.to_step, a);
        } else {
            partials[blockIdx.y * p.columns + column] = a;
        }
    }
    if (p.parts == 1 || !comes_last(p.counters + outer * p.tiles + blockIdx.x, p.parts)) return;
#pragma unroll 1
    for (u32 k = threadIdx.x; k < WIDTH; k += blockDim.x) {
        const u64 column = first + k;
        if (column >= p.columns) return;
        Series<F> all(read_l2(partials + column));
        for (u32 part = 1; part < p.parts; ++part) all.add(read_l2(partials + part * p.columns + column));
        store_result<F, T>(p, (i64)outer * p.to_outer + (i64)column * p.to_step, all.joined());
    }
}

}  // namespace syntonic

// The three entries of a fold of one element type, over even rows and columns.
#define SYNTONIC_EVEN_AS(NAME, T, P, F)                                                                     \
    extern "C" __global__ void __launch_bounds__(256, syntonic::Pace<syntonic::F>::BLOCKS)                  \
        NAME##_##T##_lines(const __grid_constant__ P<EvenRows> p) {                               \
        using namespace syntonic;                                                                           \
        EvenOf<F, T>::lines(p);                                                                            \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(syntonic::Pace<syntonic::F>::PART_THREADS, 2)                \
        NAME##_##T##_parts(const __grid_constant__ P<EvenRows> p) {                               \
        using namespace syntonic;                                                                           \
        EvenOf<F, T>::parts(p);                                                                            \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(32 * syntonic::EVEN_WARPS<syntonic::T>, sizeof(syntonic::T) < 4 ? 1 : 2) \
        NAME##_##T##_tall(const __grid_constant__ P<EvenColumns> p) {                             \
        using namespace syntonic;                                                                           \
        even_columns<F, T>(p);                                                                              \
    }
#define SYNTONIC_EVEN(NAME, T, F) SYNTONIC_EVEN_AS(NAME, T, EvenPlain, F)
