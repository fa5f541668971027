// Streaming rows in pieces: as row_stream.cuh, with column sums, but a pipeline of many stages with a fixed in-flight depth. A row
// that is copied at once leaves memory idle from its last byte to the next row's first one; here a producer warp keeps the same
// number of pieces in flight while consumer threads work.
//
// A piece is a vector of every operand for each consumer thread. Consumers move pieces into registers as they arrive, so their
// stages are refilled while the row is folded and written.
#pragma once
#include "row_stream.cuh"

namespace syntonic {

// Consumer threads, one vector of a piece each, and the producer warp. The same numbers stand in
// crates/syntonic-cuda/src/rows/pieces.rs.
constexpr u32 ROW_PIECE = 256;
constexpr u32 ROW_PIECE_PRODUCERS = 32;

#if __CUDA_ARCH__ >= 900

// Consumers synchronise without the producer warp.
template <int BYTES> struct RowPiecesExchange : RowStreamExchange<BYTES> {
    using RowStreamExchange<BYTES>::RowStreamExchange;
    __device__ __forceinline__ void sync() const { asm volatile("barrier.cta.sync 1, %0;" ::"n"(ROW_PIECE) : "memory"); }
};
template <int BYTES> struct RowJoins<RowPiecesExchange<BYTES>> : RowHalves<RowPiecesExchange<BYTES>> {
    template <class F>
    static __device__ __forceinline__ typename F::Acc lanes(const RowPiecesExchange<BYTES>&, typename F::Acc a) {
        return join_few<F>(a, 32);
    }
};

// The pieces of a block, numbered over all its rows: p.turns to a row, p.chunk stages, p.ahead in flight.
template <class Program, int V, int K> struct RowPieces {
    const RowProgramParams<K>& p;
    u32 slot_bytes;

    __device__ __forceinline__ RowPieces(const RowProgramParams<K>& p) : p(p), slot_bytes(p.buffer_bytes / p.chunk) {}
    // Of a stage: its piece has arrived; every consumer thread has read it.
    __device__ __forceinline__ u64* full(u32 slot) const { return reinterpret_cast<u64*>(row_shared() + p.buffer_bytes) + slot; }
    __device__ __forceinline__ u64* empty(u32 slot) const { return full(p.chunk + slot); }
    __device__ __forceinline__ unsigned char* exchange() const { return reinterpret_cast<unsigned char*>(full(2 * p.chunk)); }
    __device__ __forceinline__ u32 slot(u32 piece) const { return piece & (p.chunk - 1); }
    __device__ __forceinline__ u32 parity(u32 piece) const { return piece / p.chunk & 1; }

    __device__ __forceinline__ void begin() const {
        if (threadIdx.x < 2 * p.chunk) {
            mbarrier_init(full(threadIdx.x), threadIdx.x < p.chunk ? 1 : ROW_PIECE);
            mbarrier_init_fence();
        }
        __syncthreads();
    }
    // Called when no thread waits at an mbarrier any more.
    __device__ __forceinline__ void end() const {
        __syncthreads();
        if (threadIdx.x < 2 * p.chunk) mbarrier_inval(full(threadIdx.x));
    }
    __device__ __forceinline__ void await(u32 piece) const { mbarrier_wait(full(slot(piece)), parity(piece)); }
    // Each consumer thread by itself.
    __device__ __forceinline__ void release(u32 piece) const { mbarrier_arrive(empty(slot(piece))); }
    // Issues all pieces of all rows in order, p.ahead in flight at most, and no faster than memory delivers, so that blocks
    // alternate.
    __device__ __forceinline__ void produce() const;
};

// Cycles between pieces: a multiprocessor's share of the read bandwidth is 9.6 bytes a cycle where three operands are read and
// two results written, and a third more than that keeps consumers busy.
__device__ __forceinline__ u32 row_piece_pace(u32 bytes) { return bytes * 5 / 64; }
__device__ __forceinline__ u32 row_clock() {
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

template <class Program, int V, int K> __device__ __forceinline__ void RowPieces<Program, V, K>::produce() const {
    u32 piece = 0, last = row_clock(), pace = 0;
#pragma unroll 1
    for (u32 row = blockIdx.x; row < p.rows; row += gridDim.x) {
        int64_t base[K];
        row_bases(p, row, base);
#pragma unroll 1
        for (u32 at = 0; at < p.vectors; at += ROW_PIECE, ++piece) {
            const u32 vectors = min(ROW_PIECE, p.vectors - at);
            u32 bytes = 0;
            Program::fetch(RowBytes<K, V>{p, vectors, bytes});
            if (piece >= p.chunk) mbarrier_wait(empty(slot(piece)), parity(piece) ^ 1);
            if (piece >= p.ahead) await(piece - p.ahead);
            while (row_clock() - last < pace) {
            }
            last = row_clock(), pace = row_piece_pace(bytes);
            mbarrier_arrive_expect_tx(full(slot(piece)), bytes);
            Program::fetch(RowCopy<K, V>{p, base, at, vectors, row_shared() + slot(piece) * slot_bytes, full(slot(piece))});
        }
    }
}

// Moves a piece into registers.
template <class Program, int V, int K> struct RowPieceLoad {
    const RowProgramParams<K>& p;
    const unsigned char* slot;
    int k;

    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        if (operand != Program::FIRST_INPUT && (p.direct >> operand & 1)) return;
        held[k].read(slot + p.region[operand] + threadIdx.x * (u32)(V * sizeof(T)));
    }
};

// One row in registers. FULL: every thread has R vectors.
template <class Program, int V, int R, bool FULL, int K>
struct RowPiecesRow : RowStream<Program, V, R, (int)ROW_PIECE, RowAside::HELD, FULL, K> {
    using Base = RowStream<Program, V, R, (int)ROW_PIECE, RowAside::HELD, FULL, K>;
    using Base::base, Base::columns, Base::each, Base::p, Base::reach;
    RowPiecesExchange<Program::EXCHANGE_BYTES>& piece_exchange;

    __device__ __forceinline__ RowPiecesRow(const RowProgramParams<K>& p, RowPiecesExchange<Program::EXCHANGE_BYTES>& exchange,
                                            RowColumnSums<Program, V, R>& columns)
        : Base{p, RowReach{0, p.vectors}, exchange, columns, {}}, piece_exchange(exchange) {}

    // The loads of the other operands are in flight while the threads wait for the row. `piece`: the row's first one.
    __device__ __forceinline__ void load(Program& s, const RowPieces<Program, V, K>& pieces, u32 piece) {
        each([&](u32 vector, u32 index, int k) { s.load(RowStreamLoad<Program, V, K, false>{p, base, vector, index, k}); });
#pragma unroll
        for (int k = 0; k < R; ++k) {
            if (!FULL && k * ROW_PIECE >= p.vectors) break;
            const u32 slot = pieces.slot(piece + k);
            pieces.await(piece + k);
            if (FULL || k * ROW_PIECE + threadIdx.x < p.vectors) {
                s.load(RowPieceLoad<Program, V, K>{p, row_shared() + slot * pieces.slot_bytes, k});
            }
            pieces.release(piece + k);
        }
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            auto folds = s.start(Pass<PASS>{});
            each([&](u32 vector, u32, int k) {
                s.statements(Pass<PASS>{}, folds, RowStreamAt<Program, V, R, RowAside::HELD, K>{p, base, columns, vector, k}, k * V);
            });
            s.join(Pass<PASS>{}, folds, piece_exchange, FULL || threadIdx.x < p.vectors, [&](u32 k) {
                return (u64)(threadIdx.x + k / V * ROW_PIECE) * V + k % V;
            }, p);
            piece_exchange.next();
            passes<PASS + 1>(s);
        }
    }
};

// A block writes one row of partial column sums.
template <class Program, int V, int R, int K> struct RowPiecesEnd {
    const RowProgramParams<K>& p;
    const RowColumnSums<Program, V, R>& columns;

    template <class T> __device__ __forceinline__ void sum(int region, int operand) const {
        T* to = row_address<T>(p, operand, (i64)blockIdx.x * p.length);
#pragma unroll
        for (int k = 0; k < R; ++k) {
            const u32 vector = threadIdx.x + k * ROW_PIECE;
            if (vector < p.vectors) columns.sum[region - Program::SUMS_FROM][k].write(to + vector * (u32)V);
        }
    }
};

// All rows of a block, for its consumers.
template <class Rows, int V, int R, bool FULL, int K>
__device__ __forceinline__ void pieces_through(const RowProgramParams<K>& p, const RowPieces<Rows, V, K>& pieces) {
    RowPiecesExchange<Rows::EXCHANGE_BYTES> exchange(pieces.exchange(), ROW_PIECE, 1, 0);
    RowColumnSums<Rows, V, R> columns;
    u32 piece = 0;
#pragma unroll 1
    for (u32 row = blockIdx.x; row < p.rows; row += gridDim.x, piece += FULL ? R : p.turns) {
        RowPiecesRow<Rows, V, R, FULL, K> here(p, exchange, columns);
        row_bases(p, row, here.base);
        // The registers of missing vectors are zero: else they would be those of the row before.
        Rows s{};
        s.begin(p, here.base);
        here.load(s, pieces, piece);
        here.template passes<0>(s);
        if constexpr (Rows::ELEMENTS > 0) here.finish(s);
        if (threadIdx.x == 0) s.finish_row(p, here.base);
    }
    Rows::sums(RowPiecesEnd<Rows, V, R, K>{p, columns});
}

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_pieces(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    const RowPieces<Rows, V, K> pieces(p);
    pieces.begin();
    if (threadIdx.x >= ROW_PIECE) {
        if (threadIdx.x == ROW_PIECE) pieces.produce();
        __syncwarp();
    } else if (p.vectors == R * ROW_PIECE) {
        pieces_through<Rows, V, R, true>(p, pieces);
    } else {
        pieces_through<Rows, V, R, false>(p, pieces);
    }
    pieces.end();
}

#else

// There are no bulk copies before 9.0, and these kernels are not launched there.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_pieces(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The streaming kernel in pieces, R vectors a thread.
#define SYNTONIC_ROWS_PIECES(ENTRY, PROGRAM, K, V, R)                                                              \
    extern "C" __global__ void __launch_bounds__(syntonic::ROW_PIECE + syntonic::ROW_PIECE_PRODUCERS, 1)                \
        ENTRY##_summed_pieces(const __grid_constant__ syntonic::RowProgramParams<K> p) {                           \
        syntonic::rows_in_pieces<PROGRAM, V, R, K>(p);                                                             \
    }
