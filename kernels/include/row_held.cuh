// Register-resident rows: the threads of a row hold R vectors each, of one run, and all loads are in flight before any arithmetic.
// Blocks are not persistent. Included after row_program.cuh.
#pragma once
#include "row_block.cuh"

namespace syntonic {

// The beginning of every operand's row.
template <class Program, int K> struct RowStarts {
    u64 at[K];

    __device__ __forceinline__ RowStarts(const RowProgramParams<K>& p, const int64_t (&base)[K]) {
#pragma unroll
        for (int k = 0; k < K; ++k) at[k] = p.operand[k].address + base[k] * (i64)Program::element_bytes(k);
    }
    // One instruction: the compiler would compute the start anew for every vector.
    template <class T, int V> __device__ __forceinline__ T* address(int operand, u32 vector) const {
        u64 there;
        asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(there) : "r"(vector), "n"(V * sizeof(T)), "l"(at[operand]));
        return static_cast<T*>(__cvta_global_to_generic(there));
    }
};

// Cache hints of the first operand, which is read once, and of the results. Programs that only fold, or whose rows have a warp each,
// do not need L1. With stores, L1::no_allocate pays only where these are evict-first.
template <class Program> constexpr CacheHint ROW_READ_HINT = Program::ELEMENTS == 0 || Program::DEEP ? CacheHint::NO_ALLOCATE : CacheHint::DEFAULT;
template <class Program> constexpr CacheHint ROW_WRITE_HINT = Program::DEEP ? CacheHint::EVICT_FIRST : CacheHint::DEFAULT;

// Vector k of a thread, of a register-resident contiguous row. Past the row's end, loads repeat the last vector and the result is
// dropped. AHEAD: all operands were loaded before.
template <class Program, int V, int K, bool AHEAD> struct RowEvenAt {
    const RowStarts<Program, K>& starts;
    u32 vector;
    int k;
    bool there;

    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return starts.template address<T, V>(operand, vector);
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, V> read(int operand, Held& held) const {
        if (BEGINS && !AHEAD) load<T>(operand, held);
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        if (operand == Program::FIRST_INPUT) {
            held[k].template read<ROW_READ_HINT<Program>>(address<T>(operand));
        } else {
            held[k].read(address<T>(operand));
        }
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        if (there) v.template store<ROW_WRITE_HINT<Program>>(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, V> kept(int, const Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, V>& v, Held& held) const {
        held[k] = v;
    }
};

// One row whose threads hold R vectors each. There are no branches on missing vectors, so that work on all of them overlaps.
template <class Program, class Exchange, int V, int R, int K> struct RowHeld {
    const RowProgramParams<K>& p;
    const RowStarts<Program, K> starts;
    Exchange& exchange;
    u32 thread;  // in the row

    template <bool AHEAD = true, class Work> __device__ __forceinline__ void each(Work work) {
#pragma unroll
        for (int k = 0; k < R; ++k) {
            const u32 vector = thread + k * p.threads;
            work(RowEvenAt<Program, V, K, AHEAD>{starts, min(vector, p.vectors - 1), k, vector < p.vectors});
        }
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            constexpr bool AHEAD = !Program::DEEP;
            auto folds = s.start(Pass<PASS>{});
            each<AHEAD || PASS == 0>([&](const auto& at) {
                const auto before = folds;
                s.statements(Pass<PASS>{}, folds, at, at.k * V);
                if (!at.there) folds = before;
            });
            // Operands that the next pass reads first are in flight during the exchange. Operands of the results alone are read
            // with them: they would cost the registers of a quarter of the threads.
            if constexpr (AHEAD && PASS + 1 < Program::PASSES) {
                each([&](const auto& at) { s.load_ahead(Pass<PASS + 1>{}, at); });
            }
            s.join(Pass<PASS>{}, folds, exchange, thread < p.vectors, [&](u32 k) {
                return (u64)(thread + k / V * p.threads) * V + k % V;
            }, p);
            exchange.next();
            passes<PASS + 1>(s);
        }
    }
};

template <class Rows, int V, int R, class Exchange, int K>
__device__ __forceinline__ void hold_rows(const RowProgramParams<K>& p, Exchange exchange) {
    const u32 row = blockIdx.x * row_part(blockDim.x, p.threads) + row_part(threadIdx.x, p.threads);
    int64_t base[K];
    // Spare threads work on the last row, so that all take part in the reductions.
    row_bases(p, min(row, p.rows - 1), base);
    RowHeld<Rows, Exchange, V, R, K> held{p, {p, base}, exchange, threadIdx.x & (p.threads - 1)};
    Rows s;
    // All loads are in flight before any arithmetic, per-row values included.
    held.each([&](const auto& at) { s.load(at); });
    __syncwarp();
    s.begin(p, base);
    held.template passes<0>(s);
    if (row >= p.rows) return;
    if constexpr (Rows::ELEMENTS > 0) held.template each<false>([&](const auto& at) { s.finish(at); });
    if (held.thread == 0) s.finish_row(p, base);
}

// Rows without folds: few threads go through a row, so that few compute its per-row values.
template <class Rows, int V, int R, int K> __device__ __forceinline__ void map_rows(const RowProgramParams<K>& p) {
    // A block with one row has whole warps, not always a power of two.
    const bool alone = p.threads == blockDim.x;
    const u32 row = alone ? blockIdx.x : blockIdx.x * row_part(blockDim.x, p.threads) + row_part(threadIdx.x, p.threads);
    if (row >= p.rows) return;
    int64_t base[K];
    row_bases(p, row, base);
    RowLanes exchange{p.threads};
    RowHeld<Rows, RowLanes, V, R, K> held{p, {p, base}, exchange, alone ? threadIdx.x : threadIdx.x & (p.threads - 1)};
    Rows s;
    held.each([&](const auto& at) { s.load(at); });
    s.begin(p, base);
    if (held.thread == 0) s.finish_row(p, base);
    while (true) {
        held.each([&](const auto& at) { s.finish(at); });
        held.thread += R * p.threads;
        if (held.thread >= p.vectors) return;
        held.each([&](const auto& at) { s.load(at); });
    }
}

// Register-resident rows of a block each, or of lanes of a warp.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void hold_rows(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    if constexpr (Rows::PASSES == 0) {
        map_rows<Rows, V, R>(p);
    } else if (p.vectors <= p.threads && p.threads <= 32) {
        // Narrow rows: one vector a thread.
        hold_rows<Program<V, 1>, V, 1>(p, RowLanes{p.threads});
    } else if (Rows::DEEP && p.threads == 32) {
        hold_rows<Rows, V, R>(p, RowWarp{});
    } else if (p.threads <= 32) {
        hold_rows<Rows, V, R>(p, RowLanes{p.threads});
    } else {
        hold_rows<Rows, V, R>(p, RowBlock<Rows::EXCHANGE_BYTES>{row_shared(), p.threads >> 5, 0});
    }
}

}  // namespace syntonic

// The kernel of register-resident rows, R vectors a thread; BLOCKS of MOST threads are resident: two of 512 leave 64 registers.
// Programs that keep three values of each element would spill.
#define SYNTONIC_ROWS_HELD(ENTRY, PROGRAM, K, V, R, MOST, BLOCKS)                                               \
    extern "C" __global__ void __launch_bounds__(MOST, BLOCKS) ENTRY##_held(                                \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::hold_rows<PROGRAM, V, R, K>(p);                                                               \
    }
