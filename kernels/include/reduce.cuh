// Reductions of one operand by geometry.
//
// `reduce_rows`: a few lanes of a warp, or a block, fold a row or one part of it; parts are joined by
// `reduce_join`. `reduce_columns`: threads lie along a kept axis whose
// elements are neighbours, and step through the row. A row is `segments` runs of `inner` elements; runs
// of neighbours are read 16 bytes at a time whatever their alignment.
#pragma once
#include "contract_fold.cuh"
#include "fold.cuh"
#include "variance.cuh"
#include "walk.cuh"

namespace syntonic {

// A part of a position that runs fastest with `length`; the rest stays in `at`.
__device__ __forceinline__ u64 split(u64& at, u64 length) {
    u64 rest;
    if ((at | length) >> 32) {
        rest = at % length;
        at /= length;
    } else {
        rest = (u32)at % (u32)length;
        at = (u32)at / (u32)length;
    }
    return rest;
}

// The offset of position `at` where a walk has several axes; not inlined, since that is rare.
static __device__ __noinline__ i64 rugged_offset(const walk::Wide<1>& axes, u64 at) { return axes.offset(0, at); }
__device__ __forceinline__ i64 offset_of(const walk::Wide<1>& axes, u64 at) {
    return axes.axes <= 1 ? (i64)at * axes.strides[0][0] : rugged_offset(axes, at);
}

// Vectors a thread reads before it adds them up; `unroll` of geometry.rs.
template <class T> struct Unroll { static constexpr int N = sizeof(T) == 1 ? 4 : 8; };

template <class T> __device__ __forceinline__ void unpack(uint4 word, typename Stored<T>::Value* x) {
    constexpr int V = 16 / sizeof(T);
    union {
        uint4 word;
        T item[V];
    } bits;
    bits.word = word;
#pragma unroll
    for (int k = 0; k < V; ++k) x[k] = Stored<T>::load(bits.item[k]);
}
// A float whose low half is zero: two instructions a pair, where cutting out the items takes three.
template <> __device__ __forceinline__ void unpack<bf16>(uint4 word, float* x) {
    const u32 words[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = __uint_as_float(k % 2 ? words[k / 2] & 0xffff0000u : words[k / 2] << 16);
}
template <> __device__ __forceinline__ void unpack<bool>(uint4 word, bool* x) {
    const u32 words[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) x[k] = (words[k / 4] >> (8 * (k % 4))) & 0xffu;
}

// Folds `n` neighbours at `first` into `total`: lane `lane` of `lanes`. Ordinal `k` of the run is the
// element `(lane + k / V * lanes) * V + k % V - shift`.
template <class F, class T>
__device__ __forceinline__ void fold_run(typename F::Thread& total, const T* first, u64 n, u32 lane, u32 lanes,
                                         u32 ordinal) {
    constexpr int V = 16 / sizeof(T);
    constexpr int U = Unroll<T>::N;
    using Value = typename F::Value;
    const u32 shift = (u32)((reinterpret_cast<u64>(first) & 15) / sizeof(T));
    const uint4* words = reinterpret_cast<const uint4*>(first - shift);
    const u64 end = n + shift;
    const u64 windows = (end + V - 1) / V;
    const u64 stride = (u64)lanes * U;
    u64 k = lane;
    const u64 whole = end / V;  // windows that end inside the run
    bool edge = k == 0 && shift != 0;
    for (; k < windows; k += stride, ordinal += U * V) {
        if (!edge && k + (u64)lanes * (U - 1) < whole) {
            uint4 w[U];
#pragma unroll
            for (int u = 0; u < U; ++u) w[u] = words[k + (u64)u * lanes];
            Value x[U * V];
#pragma unroll
            for (int u = 0; u < U; ++u) unpack<T>(w[u], x + u * V);
            F::template take<U * V>(total, x, ordinal);
            continue;
        }
        // Vectors one by one, and those that stick out of the run element by element.
        edge = false;
        uint4 w[U];
        bool full[U];
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const u64 at = k + (u64)u * lanes;
            full[u] = (at > 0 || shift == 0) && at < whole;
            if (full[u]) w[u] = words[at];
        }
#pragma unroll
        for (int u = 0; u < U; ++u) {
            const u64 at = k + (u64)u * lanes;
            if (full[u]) {
                Value x[V];
                unpack<T>(w[u], x);
                F::template take<V>(total, x, ordinal + u * V);
            } else if (at < windows) {
                const T* item = reinterpret_cast<const T*>(words + at);
#pragma unroll 1
                for (int v = 0; v < V; ++v) {
                    const u64 place = at * V + v;
                    if (place >= shift && place < end) {
                        const Value one = Stored<T>::load(item[v]);
                        F::template take<1>(total, &one, ordinal + u * V + v);
                    }
                }
            }
        }
    }
}

// As `fold_run` for elements `step` apart; ordinal `k` is the element `lane + k * lanes`.
template <class F, class T>
__device__ __forceinline__ void fold_steps(typename F::Thread& total, const T* first, i64 step, u64 n, u32 lane,
                                           u32 lanes, u32 ordinal) {
    constexpr int U = Unroll<T>::N;
    using Value = typename F::Value;
    u64 k = lane;
    for (; k + (u64)lanes * (U - 1) < n; k += (u64)lanes * U) {
        Value x[U];
        T item[U];
#pragma unroll
        for (int u = 0; u < U; ++u) item[u] = first[(i64)(k + (u64)u * lanes) * step];
#pragma unroll
        for (int u = 0; u < U; ++u) x[u] = Stored<T>::load(item[u]);
        F::template take<U>(total, x, ordinal);
        ordinal += U;
    }
    for (; k < n; k += lanes) {
        const Value one = Stored<T>::load(first[(i64)k * step]);
        F::template take<1>(total, &one, ordinal++);
    }
}

// Folds the part `[inner_from, inner_to) x [segment_from, segment_to)` of the row at `row`.
template <class F, class T>
__device__ __forceinline__ typename F::Acc fold_part(const RowsParams& p, const T* row, u64 inner_from, u64 inner_to,
                                                     u64 segment_from, u64 segment_to, u32 thread) {
    constexpr u32 V = 16 / sizeof(T);
    const u32 lane = thread & (p.lanes - 1), group = thread / p.lanes, groups = p.threads / p.lanes;
    const u64 n = inner_to - inner_from;
    typename F::Thread total = F::start();
    const bool run = p.step == 1 && n >= 2 * V;
    u32 shift_seen = 0;
    u64 best_segment = segment_from + group;
    bool any = false;
    for (u64 s = segment_from + group; s < segment_to; s += groups) {
        const T* first = row + offset_of(p.segment, s) + (i64)inner_from * p.step;
        if constexpr (F::POSITIONS) {
            // Each segment gathers alone, so that ordinals stay small; a later one must be better.
            typename F::Thread here = F::start();
            const u32 shift = run ? (u32)((reinterpret_cast<u64>(first) & 15) / sizeof(T)) : 0;
            // The first window of lane 0 begins `shift` places early: its first place is ordinal `shift`.
            here.ordinal = lane == 0 ? shift : 0;
            if (run) {
                fold_run<F, T>(here, first, n, lane, p.lanes, 0);
            } else {
                fold_steps<F, T>(here, first, p.step, n, lane, p.lanes, 0);
            }
            const bool has = run ? (u64)lane * V < n + shift : lane < n;
            const auto before = F::gathered(total, any, 0);
            const auto after = F::gathered(here, has, 1);
            if (has && F::join(before, after).at == 1) {
                total = here;
                best_segment = s;
                shift_seen = shift;
                any = true;
            }
        } else if (run) {
            fold_run<F, T>(total, first, n, lane, p.lanes, 0);
        } else {
            fold_steps<F, T>(total, first, p.step, n, lane, p.lanes, 0);
        }
    }
    if constexpr (F::POSITIONS) {
        const u64 k = total.ordinal;
        const u64 inner = run ? (lane + k / V * p.lanes) * V + k % V - shift_seen : lane + k * p.lanes;
        return F::gathered(total, any, best_segment * p.inner + inner_from + inner);
    } else {
        return F::gathered(total, true, 0);
    }
}

// The result of a fold of elements T; where it is a float, half types get theirs unless it stays wide.
template <class F, class T, class P>
__device__ __forceinline__ void store_result(const P& p, i64 at, typename F::Acc a) {
    void* const to = p.to;
    const u32 wide = p.wide;
    typename F::Out value;
    if constexpr (IsVariance<P>::YES) {
        const double variance = (a.spread < 0.0 ? 0.0 : a.spread) / p.divisor;
        value = (float)(p.root ? sqrt(variance) : variance);
    } else {
        value = F::finish(a);
    }
    if constexpr (IsHalf<T>::YES && !F::POSITIONS && sizeof(typename F::Out) == sizeof(float)) {
        if (!wide) {
            static_cast<T*>(to)[at] = Stored<T>::store(value);
            return;
        }
    }
    static_cast<typename F::Out*>(to)[at] = value;
}

// A block has `blockDim.x / p.threads` rows or parts at a time. Every thread makes the same number of turns,
// so that all can take part in the joins.
template <class F, class T, class P> __device__ __forceinline__ void reduce_rows(const P& p) {
    const T* from = static_cast<const T*>(p.from);
    const u64 parts = (u64)p.inner_parts * p.segment_parts;
    const u32 thread = threadIdx.x & (p.threads - 1);
    const u32 at_once = blockDim.x / p.threads;
    const u64 items = p.rows * parts;
    for (u64 first = (u64)blockIdx.x * at_once; first < items; first += (u64)gridDim.x * at_once) {
        const u64 item = first + threadIdx.x / p.threads;
        typename F::Acc a = F::nothing();
        u64 row = item;
        if (item < items) {
            u64 i0 = 0, i1 = p.inner, s0 = 0, s1 = p.segments;
            if (parts > 1) {
                const u64 part = split(row, parts);
                i0 = part % p.inner_parts * p.inner_part;
                s0 = part / p.inner_parts * p.segment_part;
                i1 = i0 + p.inner_part < p.inner ? i0 + p.inner_part : p.inner;
                s1 = s0 + p.segment_part < p.segments ? s0 + p.segment_part : p.segments;
            }
            a = fold_part<F, T>(p, from + p.outer.offset(0, row), i0, i1, s0, s1, thread);
        }
        a = p.threads <= 32 ? join_lanes<F>(a, p.threads) : join_block<F>(a);
        if (thread == 0 && item < items) {
            if (parts == 1) {
                store_result<F, T>(p, p.outer.offset(1, row), a);
            } else {
                static_cast<typename F::Acc*>(p.to)[item] = a;
            }
        }
    }
}

template <class F, class T, class P> __device__ __forceinline__ void reduce_join(const P& p) {
    using Acc = typename F::Acc;
    const Acc* from = static_cast<const Acc*>(p.from);
    const u32 thread = threadIdx.x % p.threads;
    const u64 per_block = blockDim.x / p.threads;
    for (u64 first = blockIdx.x * per_block; first < p.rows; first += gridDim.x * per_block) {
        const u64 row = first + threadIdx.x / p.threads;
        Acc a = F::nothing();
        if (row < p.rows) {
            const Acc* at = from + row * p.row_stride;
            for (u64 k = thread; k < p.parts; k += p.threads) a = F::join(a, at[k * p.part_stride]);
        }
        if (p.threads == 32) a = join_lanes<F>(a, 32);
        if (p.threads > 32) a = join_block<F>(a);
        if (row < p.rows && thread == 0) store_result<F, T>(p, p.outer.offset(1, row), a);
    }
}

template <class T> struct ColumnWidth { static constexpr int N = 16 / sizeof(T) < 8 ? 16 / sizeof(T) : 8; };
template <int BYTES> struct Word;
template <> struct Word<8> { using Type = uint2; };
template <> struct Word<16> { using Type = uint4; };

template <class F, class T, int V>
__device__ __forceinline__ void fold_columns(const ColumnsParams& p, const T* first, u64 from, u64 to, u32 group,
                                             u32 groups, typename F::Thread* total) {
    constexpr int U = 8;
    using Value = typename F::Value;
    union Vector {
        typename Word<V * sizeof(T) < 8 ? 8 : V * sizeof(T)>::Type word;
        T item[V];
        __device__ Vector() {}
    };
    auto at = [&](u64 r) { return first + offset_of(p.row, r); };
    auto read = [&](u64 r) {
        Vector v;
        if constexpr (V == 1) {
            v.item[0] = *at(r);
        } else {
            v.word = *reinterpret_cast<const decltype(v.word)*>(at(r));
        }
        return v;
    };
    u32 ordinal = 0;
    u64 r = from + group;
    for (; r + (u64)groups * (U - 1) < to; r += (u64)groups * U) {
        Vector v[U];
#pragma unroll
        for (int u = 0; u < U; ++u) v[u] = read(r + (u64)u * groups);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            Value x[U];
#pragma unroll
            for (int u = 0; u < U; ++u) x[u] = Stored<T>::load(v[u].item[c]);
            F::template take<U>(total[c], x, ordinal);
        }
        ordinal += U;
    }
    for (; r < to; r += groups) {
        const Vector v = read(r);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const Value one = Stored<T>::load(v.item[c]);
            F::template take<1>(total[c], &one, ordinal);
        }
        ++ordinal;
    }
}

template <class F, class T, int V, class P> __device__ __forceinline__ void column_tile(const P& p, u64 item) {
    using Acc = typename F::Acc;
    __shared__ __align__(16) unsigned char room[128 * V * sizeof(Acc)];
    Acc* shared = reinterpret_cast<Acc*>(room);
    const u32 lane = threadIdx.x % p.lanes, group = threadIdx.x / p.lanes, groups = blockDim.x / p.lanes;
    u64 rest = item;
    const u64 tile = split(rest, p.tiles);
    const u64 part = split(rest, p.parts);
    const u64 outer = rest;
    const u64 column = (tile * p.lanes + lane) * V;
    const u64 from = part * p.part, to = from + p.part < p.length ? from + p.part : p.length;
    Acc a[V];
    if (column < p.columns) {
        typename F::Thread total[V];
#pragma unroll
        for (int c = 0; c < V; ++c) total[c] = F::start();
        const T* first = static_cast<const T*>(p.from) + p.outer.offset(0, outer) + (i64)column * p.column_step;
        fold_columns<F, T, V>(p, first, from, to, group, groups, total);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            u64 at = 0;
            if constexpr (F::POSITIONS) at = from + group + (u64)total[c].ordinal * groups;
            a[c] = F::gathered(total[c], from + group < to, at);
        }
    }
    // Halve the groups until one is left.
    for (u32 half = groups / 2; half > 0; half /= 2) {
        __syncthreads();
        if (group >= half && group < 2 * half && column < p.columns) {
#pragma unroll
            for (int c = 0; c < V; ++c) shared[c * 128 + (group - half) * p.lanes + lane] = a[c];
        }
        __syncthreads();
        if (group < half && column < p.columns) {
#pragma unroll
            for (int c = 0; c < V; ++c) a[c] = F::join(a[c], shared[c * 128 + group * p.lanes + lane]);
        }
    }
    __syncthreads();
    if (group == 0 && column < p.columns) {
        if (p.parts == 1) {
            const i64 target = p.outer.offset(1, outer) + (i64)column * p.column_to;
#pragma unroll
            for (int c = 0; c < V; ++c) store_result<F, T>(p, target + c * p.column_to, a[c]);
        } else {
            const u64 rows = p.outers * p.columns;
            Acc* to = static_cast<Acc*>(p.to) + part * rows + outer * p.columns + column;
#pragma unroll
            for (int c = 0; c < V; ++c) to[c] = a[c];
        }
    }
}

template <class F, class T, class P> __device__ __forceinline__ void reduce_columns(const P& p) {
    const u64 items = p.tiles * p.parts * p.outers;
    for (u64 item = blockIdx.x; item < items; item += gridDim.x) {
        if constexpr (ColumnWidth<T>::N > 1) {
            if (p.width > 1) {
                column_tile<F, T, ColumnWidth<T>::N>(p, item);
                continue;
            }
        }
        column_tile<F, T, 1>(p, item);
    }
}

}  // namespace syntonic

// The three entries of a fold of one element type.
#define SYNTONIC_FOLD(NAME, FOLD, T)                                                                        \
    extern "C" __global__ void __launch_bounds__(512) NAME##_##T##_rows(                                    \
        const __grid_constant__ RowsParams p) {                                                             \
        using namespace syntonic;                                                                           \
        reduce_rows<FOLD<Stored<T>::Value>, T>(p);                                                          \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(256) NAME##_##T##_columns(                                 \
        const __grid_constant__ ColumnsParams p) {                                                          \
        using namespace syntonic;                                                                           \
        reduce_columns<FOLD<Stored<T>::Value>, T>(p);                                                       \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(256) NAME##_##T##_join(                                    \
        const __grid_constant__ JoinParams p) {                                                             \
        using namespace syntonic;                                                                           \
        reduce_join<FOLD<Stored<T>::Value>, T>(p);                                                          \
    }
// Real numbers; `bool` is ordered as u8.
#define SYNTONIC_FOLD_REALS(NAME, FOLD)                                                                     \
    SYNTONIC_FOLD(NAME, FOLD, i8)                                                                           \
    SYNTONIC_FOLD(NAME, FOLD, i16)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, i32)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, i64)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, u8)                                                                           \
    SYNTONIC_FOLD(NAME, FOLD, u16)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, u32)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, u64)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, f16)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, bf16)                                                                         \
    SYNTONIC_FOLD(NAME, FOLD, f32)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, f64)
// Every type.
#define SYNTONIC_FOLD_ALL(NAME, FOLD)                                                                       \
    SYNTONIC_FOLD_REALS(NAME, FOLD)                                                                         \
    SYNTONIC_FOLD(NAME, FOLD, bool)                                                                         \
    SYNTONIC_FOLD(NAME, FOLD, c64)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, c128)
// One type of each size and zero: only zero or not matters.
#define SYNTONIC_FOLD_TRUTH(NAME, FOLD)                                                                     \
    SYNTONIC_FOLD(NAME, FOLD, u8)                                                                           \
    SYNTONIC_FOLD(NAME, FOLD, u16)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, u32)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, u64)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, f16)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, f32)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, f64)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, c64)                                                                          \
    SYNTONIC_FOLD(NAME, FOLD, c128)
