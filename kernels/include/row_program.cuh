// A program of rows in one launch: every operand is read from device memory once.
//
// The threads of a row are a few lanes of a warp, a block, or a cluster of blocks. Each has places for its vectors
// in shared memory that it alone fills and reads: the next rows arrive while this one is worked on. A generated
// program `P<V>` holds the values of a row; its statements, on vectors of V elements, come in passes, and between
// two passes lie folds.
#pragma once
#include "complex.cuh"
#include "fold.cuh"
#include "integer.cuh"
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
    u32 stages;   // rows that a thread has places for
    u32 turns;    // vectors of a thread in a row, at most
    u32 direct;   // bit k: operand k has no place, it is read where it is needed
    u32 vectors;  // of a row
    u32 room;     // where partial folds are joined, in bytes of shared memory
    walk::Divisor<u32> inner;  // rows along the inner of two axes
    walk::Divisor<u32> run;    // vectors of a run of neighbours; a row is some runs
    u32 region[ROW_REGIONS];  // where operands and kept values lie in shared memory
    RowOperand operand[K];
    double number[4];
};

// The same number stands in crates/syntonic-cuda/src/rows/fused.rs.
static_assert(sizeof(RowProgramParams<2>) == 224, "mirrored in Rust");

// Where a vector of a row lies: the run it is in, and its element there.
struct RowPlace {
    u32 segment;
    u32 at;
};

template <int V, int K> __device__ __forceinline__ RowPlace row_place(const RowProgramParams<K>& p, u32 vector) {
    if (p.run.by == p.vectors) return RowPlace{0, vector * V};
    const u32 segment = p.run.quotient(vector);
    return RowPlace{segment, (vector - segment * p.run.by) * V};
}

// Where every operand's row begins. Rows lie along at most two axes.
template <int K> __device__ __forceinline__ void row_bases(const RowProgramParams<K>& p, u32 row, int64_t (&base)[K]) {
    const u32 next = p.inner.quotient(row);
    const u32 here = row - next * p.inner.by;
#pragma unroll
    for (int k = 0; k < K; ++k) base[k] = here * p.operand[k].rows[0] + next * p.operand[k].rows[1];
}

// The offset of a vector in its row. Runs lie along at most one axis.
template <int V, int K>
__device__ __forceinline__ i64 row_offset(const RowProgramParams<K>& p, int operand, RowPlace place) {
    const i64 at = V > 1 ? (i64)place.at : (i64)place.at * p.operand[operand].step;
    return p.run.by == p.vectors ? at : at + (i64)place.segment * p.operand[operand].run;
}

template <class T, int K>
__device__ __forceinline__ T* row_address(const RowProgramParams<K>& p, int operand, i64 offset) {
    return reinterpret_cast<T*>(p.operand[operand].address) + offset;
}

// V elements in registers, as they lie in memory.
template <class T, int V> struct RowVector {
    static constexpr int BYTES = V * sizeof(T);
    u32 word[(BYTES + 3) / 4];

    __device__ __forceinline__ T lane(int k) const {
        if constexpr (sizeof(T) == 8) {
            return syn::bits_as<T>(uint64_t((u64)word[2 * k + 1] << 32 | word[2 * k]));
        } else if constexpr (sizeof(T) == 4) {
            return syn::bits_as<T>(word[k]);
        } else if constexpr (sizeof(T) == 2) {
            return syn::bits_as<T>(uint16_t(word[k / 2] >> (16 * (k % 2))));
        } else {
            return syn::bits_as<T>(uint8_t(word[k / 4] >> (8 * (k % 4))));
        }
    }
    // Lanes are set in order.
    __device__ __forceinline__ void set(int k, T value) {
        if constexpr (sizeof(T) == 8) {
            const u64 bits = syn::bits_as<uint64_t>(value);
            word[2 * k] = (u32)bits;
            word[2 * k + 1] = (u32)(bits >> 32);
        } else if constexpr (sizeof(T) == 4) {
            word[k] = syn::bits_as<uint32_t>(value);
        } else if constexpr (sizeof(T) == 2) {
            const u32 bits = (u32)syn::bits_as<uint16_t>(value) << (16 * (k % 2));
            word[k / 2] = k % 2 == 0 ? bits : word[k / 2] | bits;
        } else {
            const u32 bits = (u32)syn::bits_as<uint8_t>(value) << (8 * (k % 4));
            word[k / 4] = k % 4 == 0 ? bits : word[k / 4] | bits;
        }
    }
    __device__ __forceinline__ void read(const void* from) {
        if constexpr (BYTES >= 16) {
#pragma unroll
            for (int k = 0; k < BYTES / 16; ++k) {
                const uint4 v = static_cast<const uint4*>(from)[k];
                word[4 * k] = v.x, word[4 * k + 1] = v.y, word[4 * k + 2] = v.z, word[4 * k + 3] = v.w;
            }
        } else if constexpr (BYTES == 8) {
            const uint2 v = *static_cast<const uint2*>(from);
            word[0] = v.x, word[1] = v.y;
        } else if constexpr (BYTES == 4) {
            word[0] = *static_cast<const u32*>(from);
        } else if constexpr (BYTES == 2) {
            word[0] = *static_cast<const u16*>(from);
        } else {
            word[0] = *static_cast<const u8*>(from);
        }
    }
    __device__ __forceinline__ void write(void* to) const {
        if constexpr (BYTES >= 16) {
#pragma unroll
            for (int k = 0; k < BYTES / 16; ++k) {
                static_cast<uint4*>(to)[k] =
                    make_uint4(word[4 * k], word[4 * k + 1], word[4 * k + 2], word[4 * k + 3]);
            }
        } else if constexpr (BYTES == 8) {
            *static_cast<uint2*>(to) = make_uint2(word[0], word[1]);
        } else if constexpr (BYTES == 4) {
            *static_cast<u32*>(to) = word[0];
        } else if constexpr (BYTES == 2) {
            *static_cast<u16*>(to) = (u16)word[0];
        } else {
            *static_cast<u8*>(to) = (u8)word[0];
        }
    }
};

// Copies to shared memory, without waiting where the hardware can.
template <int BYTES> __device__ __forceinline__ void row_copy(unsigned char* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    if constexpr (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from)
                     : "memory");
        return;
    } else if constexpr (BYTES == 4 || BYTES == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from),
                     "n"(BYTES)
                     : "memory");
        return;
    }
#endif
    RowVector<unsigned char, BYTES> v;
    v.read(from);
    v.write(to);
}
__device__ __forceinline__ void row_commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most `left` of the last groups are under way.
__device__ __forceinline__ void row_wait(u32 left) {
#if __CUDA_ARCH__ >= 800
    if (left >= 2) {
        asm volatile("cp.async.wait_group 2;" ::: "memory");
    } else if (left == 1) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
#endif
}

__device__ __forceinline__ unsigned char* row_shared() {
    extern __shared__ __align__(16) unsigned char shared[];
    return shared;
}

// A vector of the row being worked on.
template <int K, int V> struct RowAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowPlace place;
    u32 index;  // of the vector's place among those of the block

    template <class T> __device__ __forceinline__ unsigned char* slot(int region) const {
        return row_shared() + p.region[region] + index * (u32)(V * sizeof(T));
    }
    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return row_address<T>(p, operand, base[operand] + row_offset<V>(p, operand, place));
    }
    // The first operand along the row always has a place.
    template <class T, bool FIRST> __device__ __forceinline__ RowVector<T, V> read(int operand) const {
        RowVector<T, V> v;
        if (!FIRST && (p.direct >> operand & 1)) {
            v.read(address<const T>(operand));
        } else {
            v.read(slot<T>(operand));
        }
        return v;
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.write(address<T>(operand));
    }
    template <class T> __device__ __forceinline__ RowVector<T, V> kept(int region) const {
        RowVector<T, V> v;
        v.read(slot<T>(region));
        return v;
    }
    template <class T> __device__ __forceinline__ void keep(int region, const RowVector<T, V>& v) const {
        v.write(slot<T>(region));
    }
    // Adds to what this thread's rows before this one have left.
    template <class T> __device__ __forceinline__ void gather(int region, const RowVector<T, V>& v) const {
        RowVector<T, V> sum;
        sum.read(slot<T>(region));
#pragma unroll
        for (int c = 0; c < V; ++c) sum.set(c, sum.lane(c) + v.lane(c));
        sum.write(slot<T>(region));
    }
};

// The share of a thread in the rows.
struct RowShare {
    u32 thread;   // in the row
    u32 threads;  // of the row
    u32 groups;   // rows at once
    u32 mine;     // vectors of a row

    template <int K> static __device__ __forceinline__ RowShare of(const RowProgramParams<K>& p, u32 rank) {
        const u32 thread = rank * p.threads + (threadIdx.x & (p.threads - 1)), threads = p.blocks * p.threads;
        return RowShare{thread, threads, (gridDim.x / p.blocks) * (blockDim.x / p.threads),
                        thread < p.vectors ? (p.vectors - thread - 1) / threads + 1 : 0};
    }
};

// Asks for this thread's vectors of the row at `base`, for the places from `index` on, unless they are read where
// they are needed.
template <class T, int V, bool FIRST, int K>
__device__ __forceinline__ void row_fetch(const RowProgramParams<K>& p, const RowShare& share, i64 base, int operand,
                                          u32 index) {
    if (!FIRST && (p.direct >> operand & 1)) return;
    constexpr u32 BYTES = V * sizeof(T);
    unsigned char* to = row_shared() + p.region[operand] + index * BYTES;
    const T* row = row_address<const T>(p, operand, base);
    if (V > 1 && p.run.by == p.vectors) {
        const T* from = row + share.thread * V;
#pragma unroll 2
        for (u32 k = 0; k < share.mine; ++k, from += share.threads * V, to += blockDim.x * BYTES) {
            row_copy<BYTES>(to, from);
        }
    } else {
#pragma unroll 1
        for (u32 k = 0; k < share.mine; ++k, to += blockDim.x * BYTES) {
            const RowPlace place = row_place<V>(p, share.thread + k * share.threads);
            row_copy<BYTES>(to, row + row_offset<V>(p, operand, place));
        }
    }
}

__device__ __forceinline__ u32 cluster_rank() {
    u32 rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}
__device__ __forceinline__ void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

// Where the warps of a row's threads exchange what they have gathered. A pass takes one of two halves, so that
// one barrier is enough: a warp that is a pass ahead writes into the other.
template <int BYTES> struct RowRoom {
    unsigned char* here;
    u32 threads;
    u32 blocks;
    u32 rank;
    u32 warps;  // of the row, in all its blocks
    u32 half;

    __device__ __forceinline__ bool alone() const { return threads <= 32 && blocks == 1; }
    __device__ __forceinline__ unsigned char* entry(u32 warp) const { return here + (half * warps + warp) * BYTES; }
    template <int AT, class Acc> __device__ __forceinline__ void put(Acc a) const {
        if (alone()) return;
        const u32 lane = threadIdx.x & 31;
        unsigned char* mine = entry(rank * (warps / blocks) + (threadIdx.x >> 5)) + AT;
        if (blocks == 1) {
            if (lane == 0) *reinterpret_cast<Acc*>(mine) = a;
        } else {
#if __CUDA_ARCH__ >= 900
            if (lane < blocks) {
                RowVector<unsigned char, (sizeof(Acc) + 3) / 4 * 4> bits{};
                memcpy(bits.word, &a, sizeof(Acc));
                u32 there;
                asm("mapa.shared::cluster.u32 %0, %1, %2;"
                    : "=r"(there)
                    : "r"((u32)__cvta_generic_to_shared(mine)), "r"(lane));
#pragma unroll
                for (int k = 0; k < (int)sizeof(bits.word) / 4; ++k) {
                    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * k), "r"(bits.word[k]) : "memory");
                }
            }
#endif
        }
    }
    __device__ __forceinline__ void meet() const {
        if (alone()) return;
        if (blocks == 1) {
            __syncthreads();
        } else {
            cluster_arrive();
            cluster_wait();
        }
    }
    // Every thread has the result.
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const {
        if (alone()) return a;
        using Acc = typename F::Acc;
        const u32 lane = threadIdx.x & 31;
        a = *reinterpret_cast<const Acc*>(entry(lane & (warps - 1)) + AT);
        for (u32 k = lane + 32; k < warps; k += 32) a = F::join(a, *reinterpret_cast<const Acc*>(entry(k) + AT));
        return join_lanes<F>(a, warps < 32 ? warps : 32);
    }
};

// Division of many by one. The quotient of a product with the reciprocal, once corrected, is the nearest one where
// nothing overflows or vanishes on the way.
template <class T> struct RowDivisor {
    T by;
    T reciprocal;
    bool plain;

    __device__ __forceinline__ void set(T value) {
        by = value;
        reciprocal = T(1) / value;
        const T size = value < T(0) ? -value : value;
        plain = size > T(1e-30) && size < T(1e30);
    }
    __device__ __forceinline__ T of(T x) const {
        if (!plain) return x / by;
        const T near = x * reciprocal;
        const T right = fma(fma(-near, by, x), reciprocal, near);
        return near - near == T(0) ? right : near;
    }
};

// What a row's lanes of one warp have gathered.
template <class F, class At>
__device__ __forceinline__ typename F::Acc row_gathered(typename F::Thread t, u32 threads, bool any, At at) {
    u64 position = 0;
    if constexpr (F::POSITIONS) position = at(t.ordinal);
    return join_lanes<F>(F::gathered(t, any, position), threads < 32 ? threads : 32);
}

template <int P> struct Pass {};

// One row being worked on.
template <class Program, int V, int K> struct RowTurn {
    const RowProgramParams<K>& p;
    const RowShare& share;
    RowRoom<Program::ROOM>& room;
    int64_t base[K];
    u32 mine;   // vectors of this thread
    u32 first;  // the place of its first

    // `work(at, ordinal)` for each of them.
    template <class Work> __device__ __forceinline__ void each(Work work) {
        u32 index = first, vector = share.thread, ordinal = 0;
#pragma unroll 1
        for (u32 k = 0; k < mine; ++k, index += blockDim.x, vector += share.threads, ordinal += V) {
            work(RowAt<K, V>{p, base, row_place<V>(p, vector), index}, ordinal);
        }
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            auto folds = s.start(Pass<PASS>{});
            each([&](const RowAt<K, V>& at, u32 ordinal) { s.statements(Pass<PASS>{}, folds, at, ordinal); });
            s.join(Pass<PASS>{}, folds, room, mine > 0, [&](u32 k) {
                return (u64)(share.thread + k / V * share.threads) * V + k % V;
            }, p);
            room.half ^= 1;
            passes<PASS + 1>(s);
        }
    }
};

// The sums over rows begin with nothing.
template <int V, int K> struct RowSumsStart {
    const RowProgramParams<K>& p;

    template <class T> __device__ __forceinline__ void sum(int region, int) const {
        RowVector<T, V> zero;
#pragma unroll
        for (int c = 0; c < V; ++c) zero.set(c, T(0));
        for (u32 k = 0; k < p.stages * p.turns; ++k) {
            zero.write(row_shared() + p.region[region] + (k * blockDim.x + threadIdx.x) * (u32)(V * sizeof(T)));
        }
    }
};

// A block adds up what its threads of the same columns have, and leaves one row of partial sums.
template <int V, int K> struct RowSumsEnd {
    const RowProgramParams<K>& p;
    const RowShare& share;
    u32 rank;

    template <class T> __device__ __forceinline__ void sum(int region, int operand) const {
        const u32 groups = blockDim.x / p.threads;
        T* to = row_address<T>(p, operand, (i64)(blockIdx.x / p.blocks) * p.length);
        for (u32 at = threadIdx.x; at < p.turns * p.threads; at += blockDim.x) {
            const u32 turn = at / p.threads, thread = at % p.threads;
            const u32 vector = rank * p.threads + thread + turn * share.threads;
            if (vector >= p.vectors) continue;
            T total[V] = {};
            for (u32 k = 0; k < p.stages * groups; ++k) {
                const u32 place = (k / groups * p.turns + turn) * blockDim.x + k % groups * p.threads + thread;
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

template <template <int> class Program, int V, int K> __device__ __forceinline__ void run_rows(const RowProgramParams<K>& p) {
    using Rows = Program<V>;
    if (p.blocks > 1) cluster_arrive();
    const u32 rank = p.blocks > 1 ? cluster_rank() : 0;
    const RowShare share = RowShare::of(p, rank);
    RowRoom<Rows::ROOM> room{row_shared() + p.room, p.threads, p.blocks, rank, p.blocks * (p.threads / 32), 0};
    const u32 inside = threadIdx.x / p.threads;
    u32 first = blockIdx.x / p.blocks * (blockDim.x / p.threads);
    const u32 stage_size = p.turns * blockDim.x;
    u32 next = first + inside, filled = 0, stage = 0, left = p.stages - 1;
    if constexpr (Rows::SUMS > 0) Rows::sums(RowSumsStart<V, K>{p});
    // Blocks of a cluster write into each other: all have to be there.
    if (p.blocks > 1) cluster_wait();
    // Every thread makes the same number of turns, so that all can take part in the joins. The first ones only ask.
#pragma unroll 1
    while (first < p.rows) {
        if (next < p.rows) {
            int64_t base[K];
            row_bases(p, next, base);
            Rows::fetch(p, share, base, filled * stage_size + threadIdx.x);
        }
        row_commit();
        next += share.groups;
        if (++filled == p.stages) filled = 0;
        if (left > 0) {
            --left;
            continue;
        }
        const u32 row = first + inside;
        RowTurn<Rows, V, K> turn{p, share, room, {}, row < p.rows ? share.mine : 0, stage * stage_size + threadIdx.x};
        row_bases(p, row < p.rows ? row : p.rows - 1, turn.base);
        Rows s;
        s.begin(p, turn.base);
        row_wait(p.stages - 1);
        turn.template passes<0>(s);
        if constexpr (Rows::ELEMENTS > 0) {
            turn.each([&](const RowAt<K, V>& at, u32) { s.finish(at); });
        }
        if (share.thread == 0 && row < p.rows) s.finish_row(p, turn.base);
        if (++stage == p.stages) stage = 0;
        first += share.groups;
    }
    if constexpr (Rows::SUMS > 0) {
        __syncthreads();
        Rows::sums(RowSumsEnd<V, K>{p, share, rank});
    }
}

}  // namespace syntonic

// The kernels of a program with K operands: in vectors of V elements, or one by one.
#define SYNTONIC_ROWS(ENTRY, PROGRAM, K, V)                                                                     \
    extern "C" __global__ void __launch_bounds__(512, 2) ENTRY##_vectors(                                       \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_rows<PROGRAM, V, K>(p);                                                                   \
    }                                                                                                           \
    extern "C" __global__ void __launch_bounds__(512, 2) ENTRY##_single(                                        \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::run_rows<PROGRAM, 1, K>(p);                                                                   \
    }
