// Rows in registers: the threads of a row hold R vectors each, of one run, and all of these are under way before any is worked
// on. A block comes and goes with its rows. Comes after row_program.cuh.
#pragma once
#include "row_block.cuh"

namespace syntonic {

// Where every operand's row begins.
template <class Program, int K> struct RowStarts {
    u64 at[K];

    __device__ __forceinline__ RowStarts(const RowProgramParams<K>& p, const int64_t (&base)[K]) {
#pragma unroll
        for (int k = 0; k < K; ++k) at[k] = p.operand[k].address + base[k] * (i64)Program::element_bytes(k);
    }
    // One instruction, which the compiler does not take apart to put the start together anew for every vector.
    template <class T, int V> __device__ __forceinline__ T* address(int operand, u32 vector) const {
        u64 there;
        asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(there) : "r"(vector), "n"(V * sizeof(T)), "l"(at[operand]));
        return static_cast<T*>(__cvta_global_to_generic(there));
    }
};

// What becomes in the caches of a row's first operand, which is read once, and of its results: who only folds, or has a warp for a
// row, has no use for the nearer cache. Of who writes, that is only good where the results make room as well.
template <class Program> constexpr Then ROW_READ = Program::ELEMENTS == 0 || Program::DEEP ? Then::ONCE : Then::WANTED;
template <class Program> constexpr Then ROW_WRITTEN = Program::DEEP ? Then::DONE : Then::WANTED;

// Vector k of a thread, of a row in registers whose elements lie side by side. What lies behind the row's end is its last
// vector once more, of which nothing comes. AHEAD: whatever is read was loaded before.
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
            held[k].template read<ROW_READ<Program>>(address<T>(operand));
        } else {
            held[k].read(address<T>(operand));
        }
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        if (there) v.template store<ROW_WRITTEN<Program>>(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, V> kept(int, const Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, V>& v, Held& held) const {
        held[k] = v;
    }
};

// One row whose threads hold R vectors each. Nothing branches on whether there is a vector: work on all of them overlaps.
template <class Program, class Room, int V, int R, int K> struct RowHeld {
    const RowProgramParams<K>& p;
    const RowStarts<Program, K> starts;
    Room& room;
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
            // What the next statements are the first to read is under way while the threads meet; but what only the results
            // take is read with them: it would cost the registers of a quarter of the threads.
            if constexpr (AHEAD && PASS + 1 < Program::PASSES) {
                each([&](const auto& at) { s.load_ahead(Pass<PASS + 1>{}, at); });
            }
            s.join(Pass<PASS>{}, folds, room, thread < p.vectors, [&](u32 k) {
                return (u64)(thread + k / V * p.threads) * V + k % V;
            }, p);
            room.next();
            passes<PASS + 1>(s);
        }
    }
};

template <class Rows, int V, int R, class Room, int K>
__device__ __forceinline__ void hold_rows(const RowProgramParams<K>& p, Room room) {
    const u32 row = blockIdx.x * row_part(blockDim.x, p.threads) + row_part(threadIdx.x, p.threads);
    int64_t base[K];
    // Threads that are left over work on the last row, so that all can take part in the joins.
    row_bases(p, min(row, p.rows - 1), base);
    RowHeld<Rows, Room, V, R, K> held{p, {p, base}, room, threadIdx.x & (p.threads - 1)};
    Rows s;
    // All that has to come from memory is under way before any of it is worked on, values of the row included.
    held.each([&](const auto& at) { s.load(at); });
    __syncwarp();
    s.begin(p, base);
    held.template passes<0>(s);
    if (row >= p.rows) return;
    if constexpr (Rows::ELEMENTS > 0) held.template each<false>([&](const auto& at) { s.finish(at); });
    if (held.thread == 0) s.finish_row(p, base);
}

// Rows that nothing is folded of, which a few threads go through: what a row's own values take is done by few.
template <class Rows, int V, int R, int K> __device__ __forceinline__ void map_rows(const RowProgramParams<K>& p) {
    // A block that has one row has whole warps for it, and not always a power of two.
    const bool alone = p.threads == blockDim.x;
    const u32 row = alone ? blockIdx.x : blockIdx.x * row_part(blockDim.x, p.threads) + row_part(threadIdx.x, p.threads);
    if (row >= p.rows) return;
    int64_t base[K];
    row_bases(p, row, base);
    RowLanes room{p.threads};
    RowHeld<Rows, RowLanes, V, R, K> held{p, {p, base}, room, alone ? threadIdx.x : threadIdx.x & (p.threads - 1)};
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

// Rows in registers of one block each, or of lanes of a warp: as many at once as a block has, and no more.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void hold_rows(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    if constexpr (Rows::PASSES == 0) {
        map_rows<Rows, V, R>(p);
    } else if (p.vectors <= p.threads && p.threads <= 32) {
        // Narrow rows: no thread works on what is not there.
        hold_rows<Program<V, 1>, V, 1>(p, RowLanes{p.threads});
    } else if (Rows::DEEP && p.threads == 32) {
        hold_rows<Rows, V, R>(p, RowWarp{});
    } else if (p.threads <= 32) {
        hold_rows<Rows, V, R>(p, RowLanes{p.threads});
    } else {
        hold_rows<Rows, V, R>(p, RowBlock<Rows::ROOM>{row_shared(), p.threads >> 5, 0});
    }
}

}  // namespace syntonic

// The kernel of rows in registers, R vectors a thread, of which BLOCKS of MOST threads fit a multiprocessor: two of 512 leave 64
// registers. Those that keep three values of each element would spill.
#define SYNTONIC_ROWS_HELD(ENTRY, PROGRAM, K, V, R, MOST, BLOCKS)                                               \
    extern "C" __global__ void __launch_bounds__(MOST, BLOCKS) ENTRY##_held(                                \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::hold_rows<PROGRAM, V, R, K>(p);                                                               \
    }
