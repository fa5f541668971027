// Rows in parts: one kernel measures them, another one writes their elements. Both come after row_program.cuh.
#pragma once
#include "spread.cuh"

namespace syntonic {

// A vector of a row in parts: the first operand is here, others are read where they are needed.
template <class First, int K, int V> struct RowPartAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowPlace place;
    const RowVector<First, V>& first;

    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return RowAt<K, V>{p, base, place, 0, false}.template address<T>(operand);
    }
    template <class T, bool FIRST> __device__ __forceinline__ RowVector<T, V> read(int operand) const {
        if constexpr (FIRST) {
            return first;
        } else {
            RowVector<T, V> v;
            v.read(address<const T>(operand));
            return v;
        }
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.write(address<T>(operand));
    }
};

// A block's part of a row: `turns` vectors of it. Neighbouring blocks have neighbouring rows.
template <class Program, int V, int K> struct RowPart {
    static constexpr int AT_ONCE = 4;
    using First = typename Program::First;
    const RowProgramParams<K>& p;
    u32 row, part;
    int64_t base[K];

    __device__ __forceinline__ RowPart(const RowProgramParams<K>& p, u32 block) : p(p) {
        part = block / p.rows;
        row = block - part * p.rows;
        row_bases(p, row, base);
    }
    __device__ __forceinline__ RowPlace place(u32 vector) const {
        const u32 segment = p.run.quotient(vector);
        return RowPlace{segment, vector - segment * p.run.by};
    }
    // `work(x, place, n)` for each n vectors at once, which have arrived.
    template <class Work> __device__ __forceinline__ void each(Work work) const {
        const u32 begin = part * p.turns, end = min(begin + p.turns, p.vectors);
#pragma unroll 1
        for (u32 v = begin + threadIdx.x; v < end; v += blockDim.x * AT_ONCE) {
            RowVector<First, V> x[AT_ONCE];
            RowPlace at[AT_ONCE];
            u32 n = 0;
#pragma unroll
            for (int k = 0; k < AT_ONCE; ++k) {
                const u32 vector = v + k * blockDim.x;
                at[k] = place(vector);
                if (vector < end) {
                    x[k].read(RowAt<K, V>{p, base, at[k], 0, false}.template address<const First>(Program::FIRST));
                    ++n;
                }
            }
            work(x, at, n);
        }
    }
    __device__ __forceinline__ Spread* partials() const { return reinterpret_cast<Spread*>(p.partial); }
};

// What the parts of rows come to.
template <template <int, int> class Program, int V, int K>
__device__ __forceinline__ void measure_parts(const RowProgramParams<K>& p) {
    using Rows = Program<V, 1>;
    using Part = RowPart<Rows, V, K>;
    const Part part(p, blockIdx.x);
    Rows s;
    s.begin(p, part.base);
    Spread all = Spreads::nothing();
    part.each([&](const auto& x, const RowPlace* at, u32 n) {
        typename Rows::Measured a[Part::AT_ONCE * V];
#pragma unroll
        for (int k = 0; k < Part::AT_ONCE; ++k) {
            if (k < n) s.measure(RowPartAt<typename Rows::First, K, V>{p, part.base, at[k], x[k]}, a + k * V);
        }
        if (n == Part::AT_ONCE) {
            all = Spreads::join(all, Spreads::of<Part::AT_ONCE * V>(a));
        } else {
#pragma unroll
            for (int k = 0; k < Part::AT_ONCE - 1; ++k) {
                if (k < n) all = Spreads::join(all, Spreads::of<V>(a + k * V));
            }
        }
    });
    all = join_block<Spreads>(all);
    if (threadIdx.x == 0) part.partials()[part.row * p.blocks + part.part] = all;
}

// The elements of rows whose parts are measured. The last ones first: they may still be in the cache.
template <template <int, int> class Program, int V, int K>
__device__ __forceinline__ void finish_parts(const RowProgramParams<K>& p) {
    using Rows = Program<V, 1>;
    using Part = RowPart<Rows, V, K>;
    const Part part(p, gridDim.x - 1 - blockIdx.x);
    Rows s;
    s.begin(p, part.base);
    Spread all = Spreads::nothing();
    for (u32 k = threadIdx.x & 31; k < p.blocks; k += 32) all = Spreads::join(all, part.partials()[part.row * p.blocks + k]);
    s.measured(join_lanes<Spreads>(all, 32), p);
    part.each([&](const auto& x, const RowPlace* at, u32 n) {
#pragma unroll
        for (int k = 0; k < Part::AT_ONCE; ++k) {
            if (k < n) s.rest(RowPartAt<typename Rows::First, K, V>{p, part.base, at[k], x[k]});
        }
    });
    if (part.part == 0 && threadIdx.x == 0) s.finish_row(p, part.base);
}

}  // namespace syntonic

// The kernels of a program that needs no more than the sums and spreads of its rows: these in parts of rows, then the rest.
#define SYNTONIC_ROW_PARTS(ENTRY, PROGRAM, K, V)                                                                \
    extern "C" __global__ void __launch_bounds__(256, 2) ENTRY##_measure(                                       \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::measure_parts<PROGRAM, V, K>(p);                                                              \
    }                                                                                                           \
    extern "C" __global__ void __launch_bounds__(256, 4) ENTRY##_rest(                                          \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::finish_parts<PROGRAM, V, K>(p);                                                               \
    }
