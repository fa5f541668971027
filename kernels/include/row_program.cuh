// A program of rows in one launch. A few lanes of a warp or a block take a row. `held`: the row's operands
// stay in registers from their one reading to the last statement. `again`: each pass reads them anew.
//
// A generated program `P<N>` holds the values of N elements of a thread and those of the row. Its statements
// come in passes; between two passes lie folds.
#pragma once
#include "complex.cuh"
#include "fold.cuh"
#include "integer.cuh"
#include "walk.cuh"

namespace syntonic {

struct RowOperand {
    u64 address;
    i64 step;  // along the inner axis; 0 or 1 where vectors are read
};
template <int K> struct RowProgramParams {
    u64 rows;
    u64 length;   // of a row
    u64 inner;    // neighbours of a row: `length / inner` runs make a row
    u32 threads;  // of a row: a power of two up to 32, or the block
    u32 unused;
    walk::Wide<K> outer;
    walk::Wide<K> segment;
    RowOperand operand[K];
    double number[4];
};

// The same number stands in crates/syntonic-cuda/src/rows/fused.rs.
static_assert(sizeof(RowProgramParams<2>) == 752, "mirrored in Rust");

// Where a vector of a row lies: the run it is in, and its place there.
struct RowPlace {
    u64 segment;
    u64 at;
};

template <int K> __device__ __forceinline__ RowPlace row_place(const RowProgramParams<K>& p, u64 at) {
    if (p.inner == p.length) return RowPlace{0, at};
    const u64 segment = (at | p.inner) >> 32 ? at / p.inner : (u32)at / (u32)p.inner;
    return RowPlace{segment, at - segment * p.inner};
}

template <class T, int K>
__device__ __forceinline__ T* row_element(const RowProgramParams<K>& p, int operand, u64 row, RowPlace place) {
    i64 offset = p.outer.offset(operand, row) + (i64)place.at * p.operand[operand].step;
    if (p.inner != p.length) offset += p.segment.offset(operand, place.segment);
    return reinterpret_cast<T*>(p.operand[operand].address) + offset;
}

template <class T, int V> struct alignas(V * sizeof(T) < 16 ? V * sizeof(T) : 16) RowVector { T lane[V]; };

template <int V, class T, int K>
__device__ __forceinline__ void row_load(T* to, const RowProgramParams<K>& p, int operand, u64 row, RowPlace place) {
    const T* from = row_element<const T>(p, operand, row, place);
    if (V > 1 && p.operand[operand].step == 1) {
        const RowVector<T, V> v = *reinterpret_cast<const RowVector<T, V>*>(from);
#pragma unroll
        for (int k = 0; k < V; ++k) to[k] = v.lane[k];
    } else {
        const T one = *from;
#pragma unroll
        for (int k = 0; k < V; ++k) to[k] = one;
    }
}

template <int V, class T, int K>
__device__ __forceinline__ void row_store(const T* from, const RowProgramParams<K>& p, int operand, u64 row, RowPlace place) {
    T* to = row_element<T>(p, operand, row, place);
    RowVector<T, V> v;
#pragma unroll
    for (int k = 0; k < V; ++k) v.lane[k] = from[k];
    *reinterpret_cast<RowVector<T, V>*>(to) = v;
}

// Joins what a row's threads have gathered; each has the result.
template <class F> __device__ __forceinline__ typename F::Acc join_row(typename F::Acc a, u32 threads) {
    if (threads <= 32) return join_lanes<F>(a, threads);
    using Acc = typename F::Acc;
    __shared__ __align__(16) unsigned char room[sizeof(Acc)];
    a = join_block<F>(a);
    if (threadIdx.x == 0) *reinterpret_cast<Acc*>(room) = a;
    __syncthreads();
    return *reinterpret_cast<Acc*>(room);
}

template <class F, class At>
__device__ __forceinline__ typename F::Out joined(typename F::Thread t, u32 threads, bool any, At at) {
    u64 position = 0;
    if constexpr (F::POSITIONS) position = at(t.ordinal);
    return F::finish(join_row<F>(F::gathered(t, any, position), threads));
}

template <int P> struct Pass {};

// The passes of a row whose elements are held: E vectors of V elements a thread.
template <int PASS, int V, int E, class Program, class Params>
__device__ __forceinline__ void held_passes(Program& s, const Params& p, const bool (&valid)[E], u32 thread) {
    if constexpr (PASS < Program::PASSES) {
        auto folds = s.start(Pass<PASS>{});
#pragma unroll
        for (int e = 0; e < E; ++e) {
            if (valid[e]) s.template statements<V, true>(Pass<PASS>{}, folds, e * V, e * V);
        }
        s.join(Pass<PASS>{}, folds, p.threads, valid[0], [&](u32 k) {
            return ((u64)thread + (u64)(k / V) * p.threads) * V + k % V;
        }, p);
        held_passes<PASS + 1, V, E>(s, p, valid, thread);
    }
}

template <template <int> class Program, int V, int E, class Params> __device__ __forceinline__ void run_held(const Params& p) {
    const u32 thread = threadIdx.x & (p.threads - 1), at_once = blockDim.x / p.threads;
    // Every thread makes the same number of turns, so that all can take part in the joins.
    for (u64 first = (u64)blockIdx.x * at_once; first < p.rows; first += (u64)gridDim.x * at_once) {
        const u64 row = first + threadIdx.x / p.threads;
        Program<V * E> s;
        bool valid[E];
        s.begin(p, row < p.rows ? row : p.rows - 1);
#pragma unroll
        for (int e = 0; e < E; ++e) {
            const u64 at = ((u64)thread + (u64)e * p.threads) * V;
            valid[e] = row < p.rows && at < p.length;
            if (valid[e]) s.template load<V>(p, row, row_place(p, at), e * V);
        }
        held_passes<0, V, E>(s, p, valid, thread);
#pragma unroll
        for (int e = 0; e < E; ++e) {
            const u64 at = ((u64)thread + (u64)e * p.threads) * V;
            if (valid[e]) s.template finish<V, true>(p, row, row_place(p, at), e * V);
        }
        if (thread == 0 && row < p.rows) s.finish_row(p, row);
    }
}

// The passes of a row that is read anew in each.
template <int PASS, int V, class Program, class Params>
__device__ __forceinline__ void again_passes(Program& s, const Params& p, u64 row, u32 thread) {
    if constexpr (PASS < Program::PASSES) {
        auto folds = s.start(Pass<PASS>{});
        u32 ordinal = 0;
        for (u64 at = (u64)thread * V; at < p.length; at += (u64)p.threads * V, ordinal += V) {
            s.template load<V>(p, row, row_place(p, at), 0);
            s.template statements<V, false>(Pass<PASS>{}, folds, 0, ordinal);
        }
        s.join(Pass<PASS>{}, folds, p.threads, (u64)thread * V < p.length, [&](u32 k) {
            return ((u64)thread + (u64)(k / V) * p.threads) * V + k % V;
        }, p);
        again_passes<PASS + 1, V>(s, p, row, thread);
    }
}

template <template <int> class Program, int V, class Params> __device__ __forceinline__ void run_again(const Params& p) {
    // A block a row.
    for (u64 row = blockIdx.x; row < p.rows; row += gridDim.x) {
        Program<V> s;
        s.begin(p, row);
        again_passes<0, V>(s, p, row, threadIdx.x);
        if (Program<V>::ELEMENTS) {
            for (u64 at = (u64)threadIdx.x * V; at < p.length; at += (u64)p.threads * V) {
                const RowPlace place = row_place(p, at);
                s.template load<V>(p, row, place, 0);
                s.template finish<V, false>(p, row, place, 0);
            }
        }
        if (threadIdx.x == 0) s.finish_row(p, row);
    }
}

}  // namespace syntonic

// The kernels of a program with K operands: in vectors of V elements, or one by one.
#define SYNTONIC_ROWS(ENTRY, PROGRAM, K, V, E)                                                                  \
    extern "C" __global__ void __launch_bounds__(512) ENTRY##_held(                                             \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_held<PROGRAM, V, E>(p);                                                                   \
    }                                                                                                           \
    extern "C" __global__ void __launch_bounds__(512) ENTRY##_again(                                            \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_again<PROGRAM, V>(p);                                                                     \
    }                                                                                                           \
    extern "C" __global__ void __launch_bounds__(512) ENTRY##_single(                                           \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_again<PROGRAM, 1>(p);                                                                     \
    }
