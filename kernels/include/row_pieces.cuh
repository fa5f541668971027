// Rows in pieces: as rows that stream by (row_stream.cuh, which this comes after), with sums over rows, but for what is under
// way. A row that is asked for all at once leaves memory idle from its last byte to the next row's first one; here one warp
// asks for pieces, of which the same number is always under way, while the others work on what has come.
//
// A piece is a vector of every operand for each thread that works. A thread has the R vectors of its row in registers as soon
// as they have arrived, so that their slots are asked for again while the row is folded and written.
#pragma once
#include "row_stream.cuh"

namespace syntonic {

// Threads that work, one vector of a piece each, and the warp that asks. The same numbers stand in
// crates/syntonic-cuda/src/rows/pieces.rs.
constexpr u32 ROW_PIECE = 256;
constexpr u32 ROW_PIECE_ASKS = 32;

#if __CUDA_ARCH__ >= 900

// Threads that work meet without the warp that asks.
template <int BYTES> struct RowPiecesRoom : RowStreamRoom<BYTES> {
    using RowStreamRoom<BYTES>::RowStreamRoom;
    __device__ __forceinline__ void meet() const { asm volatile("barrier.cta.sync 1, %0;" ::"n"(ROW_PIECE) : "memory"); }
};
template <int BYTES> struct RowJoins<RowPiecesRoom<BYTES>> : RowHalves<RowPiecesRoom<BYTES>> {
    template <class F>
    static __device__ __forceinline__ typename F::Acc lanes(const RowPiecesRoom<BYTES>&, typename F::Acc a) {
        return join_few<F>(a, 32);
    }
};

// The pieces of a block, numbered over all its rows: p.turns to a row, p.chunk slots for them, p.ahead under way.
template <class Program, int V, int K> struct RowPieces {
    const RowProgramParams<K>& p;
    u32 slot_bytes;

    __device__ __forceinline__ RowPieces(const RowProgramParams<K>& p) : p(p), slot_bytes(p.room / p.chunk) {}
    // Of a slot: its piece has arrived; every thread has read it.
    __device__ __forceinline__ u64* full(u32 slot) const { return reinterpret_cast<u64*>(row_shared() + p.room) + slot; }
    __device__ __forceinline__ u64* empty(u32 slot) const { return full(p.chunk + slot); }
    __device__ __forceinline__ unsigned char* room() const { return reinterpret_cast<unsigned char*>(full(2 * p.chunk)); }
    __device__ __forceinline__ u32 slot(u32 piece) const { return piece & (p.chunk - 1); }
    __device__ __forceinline__ u32 parity(u32 piece) const { return piece / p.chunk & 1; }

    __device__ __forceinline__ void begin() const {
        if (threadIdx.x < 2 * p.chunk) {
            bulk_begin(full(threadIdx.x), threadIdx.x < p.chunk ? 1 : ROW_PIECE);
            bulk_begun();
        }
        __syncthreads();
    }
    // No thread waits at any of them any more.
    __device__ __forceinline__ void end() const {
        __syncthreads();
        if (threadIdx.x < 2 * p.chunk) bulk_end(full(threadIdx.x));
    }
    __device__ __forceinline__ void await(u32 piece) const { bulk_wait(full(slot(piece)), parity(piece)); }
    // Each thread by itself.
    __device__ __forceinline__ void release(u32 piece) const { bulk_arrive(empty(slot(piece))); }
    // Asks for all pieces of all rows, one after the other: no faster than memory brings them, by which blocks take turns, and
    // with no more than p.ahead under way.
    __device__ __forceinline__ void ask() const;
};

// Cycles from one piece to the next: a multiprocessor's share of reading is 9.6 bytes a cycle where three operands are read
// and two results written, and a third more than that lets nobody wait.
__device__ __forceinline__ u32 row_piece_pace(u32 bytes) { return bytes * 5 / 64; }
__device__ __forceinline__ u32 row_clock() {
    u32 now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

template <class Program, int V, int K> __device__ __forceinline__ void RowPieces<Program, V, K>::ask() const {
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
            if (piece >= p.chunk) bulk_wait(empty(slot(piece)), parity(piece) ^ 1);
            if (piece >= p.ahead) await(piece - p.ahead);
            while (row_clock() - last < pace) {
            }
            last = row_clock(), pace = row_piece_pace(bytes);
            bulk_announce(full(slot(piece)), bytes);
            Program::fetch(RowCopy<K, V>{p, base, at, vectors, row_shared() + slot(piece) * slot_bytes, full(slot(piece))});
        }
    }
}

// Moves what the first stage reads of a piece that has arrived into registers.
template <class Program, int V, int K> struct RowPieceLoad {
    const RowProgramParams<K>& p;
    const unsigned char* slot;
    int k;

    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        if (operand != Program::FIRST_INPUT && (p.direct >> operand & 1)) return;
        held[k].read(slot + p.region[operand] + threadIdx.x * (u32)(V * sizeof(T)));
    }
};

// One row, in registers. FULL: every thread has R vectors.
template <class Program, int V, int R, bool FULL, int K>
struct RowPiecesRow : RowStream<Program, V, R, (int)ROW_PIECE, RowAside::HELD, FULL, K> {
    using Base = RowStream<Program, V, R, (int)ROW_PIECE, RowAside::HELD, FULL, K>;
    using Base::base, Base::columns, Base::each, Base::p, Base::reach;
    RowPiecesRoom<Program::ROOM>& meeting;

    __device__ __forceinline__ RowPiecesRow(const RowProgramParams<K>& p, RowPiecesRoom<Program::ROOM>& room,
                                            RowColumnSums<Program, V, R>& columns)
        : Base{p, RowReach{0, p.vectors}, room, columns, {}}, meeting(room) {}

    // What lies aside is under way while the row is waited for. `piece`: the row's first one.
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
            s.join(Pass<PASS>{}, folds, meeting, FULL || threadIdx.x < p.vectors, [&](u32 k) {
                return (u64)(threadIdx.x + k / V * ROW_PIECE) * V + k % V;
            }, p);
            meeting.next();
            passes<PASS + 1>(s);
        }
    }
};

// A block leaves one row of partial sums.
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

// All rows of a block, for the threads that work.
template <class Rows, int V, int R, bool FULL, int K>
__device__ __forceinline__ void pieces_through(const RowProgramParams<K>& p, const RowPieces<Rows, V, K>& pieces) {
    RowPiecesRoom<Rows::ROOM> room(pieces.room(), ROW_PIECE, 1, 0);
    RowColumnSums<Rows, V, R> columns;
    u32 piece = 0;
#pragma unroll 1
    for (u32 row = blockIdx.x; row < p.rows; row += gridDim.x, piece += FULL ? R : p.turns) {
        RowPiecesRow<Rows, V, R, FULL, K> here(p, room, columns);
        row_bases(p, row, here.base);
        // Where a vector is missing its registers hold nothing; else they would be those of the row before.
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
        if (threadIdx.x == ROW_PIECE) pieces.ask();
        __syncwarp();
    } else if (p.vectors == R * ROW_PIECE) {
        pieces_through<Rows, V, R, true>(p, pieces);
    } else {
        pieces_through<Rows, V, R, false>(p, pieces);
    }
    pieces.end();
}

#else

// Cards before 9.0 have no bulk copies: nobody launches these kernels there.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_pieces(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The kernel of a program whose rows come in pieces, R vectors a thread.
#define SYNTONIC_ROWS_PIECES(ENTRY, PROGRAM, K, V, R)                                                              \
    extern "C" __global__ void __launch_bounds__(syntonic::ROW_PIECE + syntonic::ROW_PIECE_ASKS, 1)                \
        ENTRY##_summed_pieces(const __grid_constant__ syntonic::RowProgramParams<K> p) {                           \
        syntonic::rows_in_pieces<PROGRAM, V, R, K>(p);                                                             \
    }
