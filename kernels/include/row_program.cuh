// A program over rows in one launch that reads every operand from device memory once.
//
// The threads of a row are a few lanes of a warp, a block, or a cluster. Each holds its vectors in registers, or in slots of shared
// memory that it alone fills and reads: after the last use of a vector, the copy of the next row's vector into its slot is issued.
// A generated program `P<V, R>` holds the values of a row. Its statements work on vectors of V elements, of which a thread holds R;
// they are passes with folds between them.
#pragma once
#include "integer.cuh"
#include "row_log.cuh"
#include "row_exchange.cuh"
#include "walk.cuh"

namespace syntonic {

constexpr int ROW_REGIONS = 12;

struct RowOperand {
    u64 address;
    i64 step;     // along a run; 1 where vectors are read
    i64 run;      // from run to run
    i64 rows[2];  // from row to row
};
// Positions are below 2^31; offsets may lie beyond.
template <int K> struct RowProgramParams {
    u32 rows;
    u32 length;   // elements of a row
    u32 threads;  // of a row in one block: a power of two up to 32, or the block
    u32 blocks;   // of a row: a cluster, a power of two
    u32 across;   // neighbouring threads have as many neighbouring rows; 0: they share a row
    u32 turns;    // vectors of a thread in a row that have a slot, at most
    u32 chunk;    // vectors of a thread that are awaited together
    u32 direct;   // bit k: operand k has no slot, it is read at each use
    u32 vectors;  // of a row
    u32 buffer_bytes;  // of shared memory for operands; barriers and the exchange lie behind
    walk::Divisor<u32> inner;  // rows along the inner of two axes
    walk::Divisor<u32> run;    // vectors of a contiguous run; a row is some runs
    u32 region[ROW_REGIONS];  // offsets of operands and kept values in shared memory
    RowOperand operand[K];
    double number[4];
    float single[4];  // the same numbers, rounded: each use would convert again
    u64 partial;   // partial results of parts, where several blocks without a cluster share a row
    u64 counters;  // all zero before and after: the scheduler's, then two for each row
    walk::Divisor<u32> parts;  // of a row
    u32 ahead;                 // parts that are measured before any is written
};

// The same number stands in crates/syntonic-cuda/src/rows/params.rs.
static_assert(sizeof(RowProgramParams<2>) == 272, "mirrored in Rust");

// The place of a vector of a row: its run, and the vector within that.
struct RowPlace {
    u32 segment;
    u32 at;
};

// The beginning of every operand's row. Rows lie along at most two axes.
template <int K> __device__ __forceinline__ void row_bases(const RowProgramParams<K>& p, u32 row, int64_t (&base)[K]) {
#pragma unroll
    for (int k = 0; k < K; ++k) base[k] = row * p.operand[k].rows[0];
    if (p.inner.by >= p.rows) return;
    const u32 next = p.inner.quotient(row), before = next * p.inner.by;
#pragma unroll
    for (int k = 0; k < K; ++k) base[k] += next * p.operand[k].rows[1] - before * p.operand[k].rows[0];
}

template <class T, int K>
__device__ __forceinline__ T* row_address(const RowProgramParams<K>& p, int operand, i64 offset) {
    return reinterpret_cast<T*>(p.operand[operand].address) + offset;
}

template <int K> __device__ __forceinline__ RowPlace row_place(const RowProgramParams<K>& p, u32 vector) {
    const u32 segment = p.run.quotient(vector);
    return RowPlace{segment, vector - segment * p.run.by};
}

template <class T> __device__ __forceinline__ T* row_global(T* at) {
    __builtin_assume(__isGlobal(at));
    return at;
}

// The address of an operand's vector of V elements.
template <class T, int V, int K>
__device__ __forceinline__ T* row_vector(const RowProgramParams<K>& p, const int64_t (&base)[K], const RowPlace& place, int operand) {
    T* start = row_address<T>(p, operand, base[operand]);
    const i64 at = V > 1 ? (i64)(place.at * (u32)V) : (i64)place.at * p.operand[operand].step;
    return row_global(start + at + (i64)(i32)place.segment * (i32)p.operand[operand].run);
}

// A vector of the current row.
template <int K, int V> struct RowAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    u32 vector;  // in the row; its address is computed at each use
    u32 index;   // of the vector's slot in the block
    bool over;   // it has no slot

    template <class T> __device__ __forceinline__ unsigned char* slot(int region) const {
        return row_shared() + p.region[region] + index * (u32)(V * sizeof(T));
    }
    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return row_vector<T, V>(p, base, row_place(p, vector), operand);
    }
    // The first operand along the row always has a slot.
    template <class T, bool FIRST, bool BEGINS = true, class Held = int>
    __device__ __forceinline__ RowVector<T, V> read(int operand, const Held& = 0) const {
        RowVector<T, V> v;
        if ((!FIRST && (p.direct >> operand & 1)) || over) {
            v.read(address<const T>(operand));
        } else {
            v.read(slot<T>(operand));
        }
        return v;
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.write(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, V> kept(int region, const Held&) const {
        RowVector<T, V> v;
        v.read(slot<T>(region));
        return v;
    }
    template <class T, class Held>
    __device__ __forceinline__ void keep(int region, const RowVector<T, V>& v, const Held&) const {
        v.write(slot<T>(region));
    }
    // Adds to the column sums of this thread's earlier rows.
    template <class T> __device__ __forceinline__ void gather(int region, const RowVector<T, V>& v) const {
        RowVector<T, V> sum;
        sum.read(slot<T>(region));
#pragma unroll
        for (int c = 0; c < V; ++c) sum.set(c, sum.lane(c) + v.lane(c));
        sum.write(slot<T>(region));
    }
    // Issues the copy of an operand's vector, unless it is read at each use.
    template <class T, bool FIRST> __device__ __forceinline__ void fetch(int operand) const {
        if (!FIRST && (p.direct >> operand & 1)) return;
        row_copy<V * sizeof(T)>(slot<T>(operand), address<const T>(operand));
    }
};

// Adds up the bytes of the operands that are copied with a row's vectors.
template <int K, int V> struct RowBytes {
    const RowProgramParams<K>& p;
    u32 vectors;
    u32& bytes;

    template <class T, bool FIRST> __device__ __forceinline__ void fetch(int operand) const {
        if (FIRST || !(p.direct >> operand & 1)) bytes += vectors * (u32)(V * sizeof(T));
    }
};

// Vector k of a thread, of a register-resident row.
template <int K, int V, CacheHint HINT = CacheHint::DEFAULT> struct RowHeldAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowPlace place;
    int k;

    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return row_vector<T, V>(p, base, place, operand);
    }
    template <class T, bool FIRST> __device__ __forceinline__ RowVector<T, V> read(int operand) const {
        RowVector<T, V> v;
        v.read(address<const T>(operand));
        return v;
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, V> read(int operand, Held& held) const {
        if (BEGINS) held[k] = read<T, FIRST>(operand);
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        held[k].template read<HINT>(address<const T>(operand));
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.write(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, V> kept(int, const Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, V>& v, Held& held) const {
        held[k] = v;
    }
};

// n / by, for a power of two.
__device__ __forceinline__ u32 row_part(u32 n, u32 by) { return n >> (31 - __clz(by)); }

// The share of a thread in the rows.
struct RowShare {
    u32 inside;   // which of the block's rows
    u32 thread;   // in the row
    u32 threads;  // of the row
    u32 mine;     // vectors of a row
    u32 held;     // those that have a slot

    template <int K> static __device__ __forceinline__ RowShare of(const RowProgramParams<K>& p, u32 rank, bool across) {
        const u32 here = threadIdx.x;
        const u32 inside = across ? here & (p.across - 1) : row_part(here, p.threads);
        const u32 thread = across ? row_part(here, p.across) : rank * p.threads + (here & (p.threads - 1));
        const u32 threads = p.blocks * p.threads;
        const u32 mine = thread < p.vectors ? row_part(p.vectors - thread - 1, threads) + 1 : 0;
        return RowShare{inside, thread, threads, mine, mine < p.turns ? mine : p.turns};
    }
};

// Division of many numbers by one, without a branch. The product with the reciprocal, corrected once, is the nearest quotient.
// Where the reciprocal would overflow, divisor and dividend are scaled by 2^64 (2^512 in double precision), which loses nothing:
// where the dividend overflows, so does the quotient. Where it would lose digits, both are scaled down as much: where the dividend
// then loses some, the quotient is zero.
template <class T> struct RowDivisor {
    T by;
    T reciprocal;
    T scale;

    __device__ __forceinline__ void set(T value) {
        constexpr bool SINGLE = sizeof(T) == 4;
        const T size = value < T(0) ? -value : value;
        const bool tiny = size < T(SINGLE ? 0x1p-100 : 0x1p-900), huge = size > T(SINGLE ? 0x1p100 : 0x1p900);
        scale = tiny ? T(SINGLE ? 0x1p64 : 0x1p512) : huge ? T(SINGLE ? 0x1p-64 : 0x1p-512) : T(1);
        by = value * scale;
        reciprocal = T(1) / by;
    }
    __device__ __forceinline__ T of(T x) const {
        x *= scale;
        const T near = x * reciprocal;
        const T right = fma(fma(-near, by, x), reciprocal, near);
        // The correction of a quotient that is not finite is NaN.
        return right == right ? right : near;
    }
    // The quotient within three roundings, one of them of the reciprocal: for values that are only multiplied and added up.
    __device__ __forceinline__ T near(T x) const { return x * scale * reciprocal; }
};

template <int P> struct Pass {};

// Resident blocks of 512 threads: double precision and half types take more registers than two leave.
constexpr int row_blocks(int lanes) { return lanes == 4 ? 2 : 1; }

// The current row.
template <class Program, int V, int K> struct RowTurn {
    const RowProgramParams<K>& p;
    const RowShare& share;
    RowExchange<Program::EXCHANGE_BYTES>& exchange;
    int64_t base[K];
    int64_t next[K];
    u32 mine;   // vectors of this thread
    bool more;  // a row follows
    u32 edge;   // where its next commit group ends

    // `work(at, k)` for each vector. FIRST: the first reading, which waits for the copies.
    template <bool FIRST, class Work> __device__ __forceinline__ void each(Work work) {
        u32 vector = share.thread, index = threadIdx.x, due = 0, left = share.held / p.chunk;
#pragma unroll 1
        for (u32 k = 0; k < mine; ++k, vector += share.threads, index += blockDim.x) {
            if (FIRST && k == due) {
                row_wait(left);
                due += p.chunk, --left;
            }
            work(RowAt<K, V>{p, base, vector, index, Program::OVER && k >= p.turns}, k);
        }
    }
    // Issues the copy of the next row's vector into the slot of this one.
    __device__ __forceinline__ void follow(const RowAt<K, V>& at, u32 k) {
        if (!more || at.over) return;
        Program::fetch(RowAt<K, V>{p, next, at.vector, at.index, false});
        if (k + 1 == edge) row_commit(), edge += p.chunk;
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            constexpr bool LAST = Program::ELEMENTS == 0 && PASS == Program::PASSES - 1;
            auto folds = s.start(Pass<PASS>{});
            each<PASS == 0>([&](const RowAt<K, V>& at, u32 k) {
                s.statements(Pass<PASS>{}, folds, at, k * V);
                if (LAST) follow(at, k);
            });
            s.join(Pass<PASS>{}, folds, exchange, mine > 0, [&](u32 k) {
                return (u64)(share.thread + k / V * share.threads) * V + k % V;
            }, p);
            exchange.next();
            passes<PASS + 1>(s);
        }
    }
};

// Issues the copies of a thread's part of the first row.
template <class Program, int V, int K>
__device__ __forceinline__ void row_begin(const RowProgramParams<K>& p, const RowShare& share, u32 row) {
    int64_t base[K];
    row_bases(p, row, base);
    u32 vector = share.thread, index = threadIdx.x, edge = p.chunk;
#pragma unroll 1
    for (u32 k = 0; k < share.held; ++k, vector += share.threads, index += blockDim.x) {
        Program::fetch(RowAt<K, V>{p, base, vector, index, false});
        if (k + 1 == edge) row_commit(), edge += p.chunk;
    }
}

// Column sums start at zero.
template <int V, int K> struct RowSumsStart {
    const RowProgramParams<K>& p;

    template <class T> __device__ __forceinline__ void sum(int region, int) const {
        RowVector<T, V> zero;
#pragma unroll
        for (int c = 0; c < V; ++c) zero.set(c, T(0));
        for (u32 k = 0; k < p.turns; ++k) {
            zero.write(row_shared() + p.region[region] + (k * blockDim.x + threadIdx.x) * (u32)(V * sizeof(T)));
        }
    }
};

// A block adds up the column sums of its threads, and writes one row of partial sums.
template <int V, int K> struct RowSumsEnd {
    const RowProgramParams<K>& p;
    const RowShare& share;
    u32 rank;

    template <class T> __device__ __forceinline__ void sum(int region, int operand) const {
        const u32 groups = row_part(blockDim.x, p.threads);
        T* to = row_address<T>(p, operand, (i64)row_part(blockIdx.x, p.blocks) * p.length);
        for (u32 at = threadIdx.x; at < p.turns * p.threads; at += blockDim.x) {
            const u32 turn = row_part(at, p.threads), thread = at & (p.threads - 1);
            const u32 vector = rank * p.threads + thread + turn * share.threads;
            if (vector >= p.vectors) continue;
            T total[V] = {};
            for (u32 group = 0; group < groups; ++group) {
                const u32 place = turn * blockDim.x + group * p.threads + thread;
                RowVector<T, V> part;
                part.read(row_shared() + p.region[region] + place * (u32)(V * sizeof(T)));
#pragma unroll
                for (int c = 0; c < V; ++c) total[c] += part.lane(c);
            }
#pragma unroll
            for (int c = 0; c < V; ++c) to[(u64)vector * V + c] = total[c];
        }
    }
};

template <template <int, int> class Program, int V, int K>
__device__ __forceinline__ void run_rows(const RowProgramParams<K>& p) {
    using Rows = Program<V, 1>;
    const u32 rank = p.blocks > 1 ? cluster_rank() : 0;
    const u32 across = V == 1 ? p.across : 0;
    const RowShare share = RowShare::of(p, rank, across > 0);
    unsigned char* behind = row_shared() + p.buffer_bytes + (p.blocks > 1 ? ROW_BARRIERS : 0);
    RowExchange<Rows::EXCHANGE_BYTES> exchange(behind, p.threads, p.blocks, rank, across);
    if (p.blocks > 1) {
        exchange.begin();
        cluster_arrive();
    }
    const u32 at_once = across ? across : row_part(blockDim.x, p.threads);
    const u32 groups = row_part(gridDim.x, p.blocks) * at_once;
    u32 first = row_part(blockIdx.x, p.blocks) * at_once;
    if constexpr (Rows::SUMS > 0) Rows::sums(RowSumsStart<V, K>{p});
    if (first + share.inside < p.rows) row_begin<Rows, V>(p, share, first + share.inside);
    // Blocks of a cluster write to each other's shared memory: all have to be resident.
    if (p.blocks > 1) cluster_wait();
    // Every thread makes the same number of turns, so that all take part in the reductions.
#pragma unroll 1
    for (; first < p.rows; first += groups) {
        row_commit();
        const u32 row = first + share.inside;
        const bool here = row < p.rows, more = row + groups < p.rows;
        RowTurn<Rows, V, K> turn{p, share, exchange, {}, {}, here ? share.mine : 0, more, p.chunk};
        row_bases(p, here ? row : p.rows - 1, turn.base);
        row_bases(p, more ? row + groups : p.rows - 1, turn.next);
        Rows s;
        s.begin(p, turn.base);
        turn.template passes<0>(s);
        if constexpr (Rows::ELEMENTS > 0) {
            turn.template each<Rows::PASSES == 0>([&](const RowAt<K, V>& at, u32 k) {
                s.finish(at);
                turn.follow(at, k);
            });
        }
        if (share.thread == 0 && here) s.finish_row(p, turn.base);
    }
    if (Rows::SUMS > 0 || p.blocks > 1) __syncthreads();
    if (p.blocks > 1) exchange.end();
    if constexpr (Rows::SUMS > 0) Rows::sums(RowSumsEnd<V, K>{p, share, rank});
}

}  // namespace syntonic

// The kernels of a program with K operands: rows in shared memory, in vectors of V elements; and element by element.
#define SYNTONIC_ROWS(ENTRY, PROGRAM, K, V)                                                                     \
    extern "C" __global__ void __launch_bounds__(512, syntonic::row_blocks(V)) ENTRY##_vectors(                \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_rows<PROGRAM, V, K>(p);                                                                   \
    }                                                                                                           \
    extern "C" __global__ void __launch_bounds__(512, 2) ENTRY##_single(                                       \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_rows<PROGRAM, 1, K>(p);                                                                   \
    }

#include "row_parts.cuh"
