// C = alpha A B + beta C for matrices so small that a library takes longer to call than to compute, with a bias and relu.
//
// Tiles: a block has 32 rows by 8 columns of C, and its warps share the inner length. In a warp four lanes share a row: each has 16
// bytes of A along it, and 8 columns of B beside them, for four rows. What the lanes and the warps have is added up in one order,
// which depends on the shape alone. Stacks: one thread an element of C, for stacks of matrices of a few rows and columns.
#include "contract_small_product.cuh"
#include "cells.cuh"
#include "gemv.cuh"

namespace syntonic {

constexpr u32 SMALL_WARPS = SMALL_THREADS / 32;
// Lanes that share a row, and rows that one lane has.
constexpr u32 SMALL_PARTS = 4, SMALL_OF_LANE = 4;

template <class T> __device__ __forceinline__ T rectified(T x) { return x <= T(0) ? T(0) : x; }
__device__ __forceinline__ c64 rectified(c64 x) { return x; }
__device__ __forceinline__ c128 rectified(c128 x) { return x; }

// The end of an element. With beta 0 what was there is not read.
template <class T>
__device__ __forceinline__ void small_store(const SmallProduct& p, u64 batch, u64 row, u64 column, GemvSum<T> sum) {
    T* const to = reinterpret_cast<T*>(p.c) + (i64)batch * p.c_batch + (i64)row * p.c_row + (i64)column * p.c_column;
    auto value = scaled(p.alpha, sum);
    if (p.beta[0] != 0.0 || p.beta[1] != 0.0) value = plus(value, scaled(p.beta, Stored<T>::load(*to)));
    if (p.bias != 0) value = plus(value, Stored<T>::load(reinterpret_cast<const T*>(p.bias)[column]));
    if (p.relu) value = rectified(value);
    *to = Stored<T>::store(value);
}

// What a lane reads at a time: V elements along each of its rows, and the V rows of B that they meet.
template <class T, int V, bool EVEN> struct SmallStage {
    static constexpr int W = EVEN ? SMALL_COLUMNS : 1;
    Neighbours<T, V> a[SMALL_OF_LANE];
    Neighbours<T, W> b[V][SMALL_COLUMNS / W];

    // Zeros past the end of the inner length, for both factors.
    __device__ __forceinline__ void read(const SmallProduct& p, const T* const (&rows)[SMALL_OF_LANE],
                                         const T* const (&columns)[SMALL_COLUMNS / W], u64 k) {
        if (k < p.inner) {
#pragma unroll
            for (int r = 0; r < SMALL_OF_LANE; ++r) a[r].again(rows[r] + (i64)k * p.a_column);
#pragma unroll
            for (int v = 0; v < V; ++v) {
#pragma unroll
                for (int c = 0; c < SMALL_COLUMNS / W; ++c) b[v][c].again(columns[c] + (i64)(k + v) * p.b_row);
            }
        } else {
            memset(a, 0, sizeof(a));
            memset(b, 0, sizeof(b));
        }
    }

    template <class Sum>
    __device__ __forceinline__ void add(const SmallProduct& p, Sum (&sums)[SMALL_OF_LANE][SMALL_COLUMNS]) const {
#pragma unroll
        for (int v = 0; v < V; ++v) {
#pragma unroll
            for (int c = 0; c < SMALL_COLUMNS; ++c) {
                const Sum factor = turned(b[v][c / W].value(c % W), p.conj_b);
#pragma unroll
                for (int r = 0; r < SMALL_OF_LANE; ++r) sums[r][c] = fused(turned(a[r].value(v), p.conj_a), factor, sums[r][c]);
            }
        }
    }
};

// EVEN: the inner axis is contiguous in A and columns are contiguous in B, in whole vectors, and columns are a
// multiple of 8.
template <class T, int V, bool EVEN> __device__ __forceinline__ void small_tiles(const SmallProduct& p) {
    using Sum = GemvSum<T>;
    using Stage = SmallStage<T, V, EVEN>;
    constexpr u32 STEP = SMALL_WARPS * SMALL_PARTS * V;
    __shared__ __align__(16) unsigned char room[SMALL_WARPS * SMALL_ROWS * SMALL_COLUMNS * sizeof(Sum)];
    Sum(*const held)[SMALL_ROWS * SMALL_COLUMNS] = reinterpret_cast<Sum(*)[SMALL_ROWS * SMALL_COLUMNS]>(room);
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const u32 of_row = lane % SMALL_PARTS, row_of_lane = lane / SMALL_PARTS;
    const u64 across = (p.columns + SMALL_COLUMNS - 1) / SMALL_COLUMNS, down = (p.rows + SMALL_ROWS - 1) / SMALL_ROWS;
    const u64 batch = quotient(blockIdx.x, across * down), tile = blockIdx.x - batch * across * down;
    const u64 tile_row = quotient(tile, across);
    const u64 first_row = tile_row * SMALL_ROWS, first_column = (tile - tile_row * across) * SMALL_COLUMNS;

    // Rows and columns past the end are the last ones again, and kept nowhere.
    const T* rows[SMALL_OF_LANE];
#pragma unroll
    for (u32 r = 0; r < SMALL_OF_LANE; ++r) {
        const u64 row = first_row + row_of_lane + r * (SMALL_ROWS / SMALL_OF_LANE);
        rows[r] = reinterpret_cast<const T*>(p.a) + (i64)batch * p.a_batch + (i64)(row < p.rows ? row : p.rows - 1) * p.a_row;
    }
    const T* columns[SMALL_COLUMNS / Stage::W];
#pragma unroll
    for (u32 c = 0; c < SMALL_COLUMNS / Stage::W; ++c) {
        const u64 column = first_column + c;
        columns[c] = reinterpret_cast<const T*>(p.b) + (i64)batch * p.b_batch +
                     (i64)(column < p.columns ? column : p.columns - 1) * p.b_column;
    }
    Sum sums[SMALL_OF_LANE][SMALL_COLUMNS];
#pragma unroll
    for (u32 r = 0; r < SMALL_OF_LANE; ++r) {
#pragma unroll
        for (u32 c = 0; c < SMALL_COLUMNS; ++c) sums[r][c] = zero<Sum>();
    }
    // The loads of the next stage are in flight while one is added up.
    Stage now, next;
    u64 k = (warp * SMALL_PARTS + of_row) * V;
    now.read(p, rows, columns, k);
#pragma unroll 1
    for (u64 done = 0; done < p.inner; done += STEP) {
        k += STEP;
        next.read(p, rows, columns, k);
        now.add(p, sums);
        now = next;
    }
    // Of the four rows of a lane each of the four that share them keeps one: half of them go to the lane that keeps those.
    Sum two[2][SMALL_COLUMNS];
#pragma unroll
    for (u32 i = 0; i < 2; ++i) {
#pragma unroll
        for (u32 c = 0; c < SMALL_COLUMNS; ++c) {
            const bool upper = of_row & 2;
            const Sum kept = upper ? sums[2 + i][c] : sums[i][c], given = upper ? sums[i][c] : sums[2 + i][c];
            two[i][c] = plus(kept, from_lane(given, 2, 32));
        }
    }
    const u32 row_kept = row_of_lane + of_row * (SMALL_ROWS / SMALL_OF_LANE);
#pragma unroll
    for (u32 c = 0; c < SMALL_COLUMNS; ++c) {
        const bool upper = of_row & 1;
        const Sum kept = upper ? two[1][c] : two[0][c], given = upper ? two[0][c] : two[1][c];
        held[warp][row_kept * SMALL_COLUMNS + c] = plus(kept, from_lane(given, 1, 32));
    }
    __syncthreads();
    Sum total = held[0][threadIdx.x];
#pragma unroll
    for (u32 w = 1; w < SMALL_WARPS; ++w) total = plus(total, held[w][threadIdx.x]);
    const u64 row = first_row + threadIdx.x / SMALL_COLUMNS, column = first_column + threadIdx.x % SMALL_COLUMNS;
    if (row < p.rows && column < p.columns) small_store<T>(p, batch, row, column, total);
}

template <class T> __device__ __forceinline__ void small_stack(const SmallProduct& p) {
    using Sum = GemvSum<T>;
    const u64 at = (u64)blockIdx.x * SMALL_THREADS + threadIdx.x;
    if (at >= p.batch * p.rows * p.columns) return;
    const u64 line = quotient(at, p.columns), column = at - line * p.columns;
    const u64 batch = quotient(line, p.rows), row = line - batch * p.rows;
    const T* a = reinterpret_cast<const T*>(p.a) + (i64)batch * p.a_batch + (i64)row * p.a_row;
    const T* b = reinterpret_cast<const T*>(p.b) + (i64)batch * p.b_batch + (i64)column * p.b_column;
    Sum sum = zero<Sum>();
#pragma unroll 4
    for (u64 k = 0; k < p.inner; ++k) {
        Neighbours<T, 1> left, right;
        left.again(a + (i64)k * p.a_column);
        right.again(b + (i64)k * p.b_row);
        sum = fused(turned(left.value(0), p.conj_a), turned(right.value(0), p.conj_b), sum);
    }
    small_store<T>(p, batch, row, column, sum);
}

}  // namespace syntonic

#define SMALL_TILES(NAME, T, V, EVEN)                                                                                    \
    extern "C" __global__ void __launch_bounds__(SMALL_THREADS) NAME(const __grid_constant__ SmallProduct p) { \
        syntonic::small_tiles<syntonic::T, V, EVEN>(p);                                                                  \
    }
#define SMALL_STACK(NAME, T)                                                                                             \
    extern "C" __global__ void __launch_bounds__(SMALL_THREADS) NAME(const __grid_constant__ SmallProduct p) { \
        syntonic::small_stack<syntonic::T>(p);                                                                           \
    }
// V elements are 16 bytes.
#define SMALLS(T, V)                         \
    SMALL_TILES(small_##T##_tiles, T, 1, false)     \
    SMALL_TILES(small_##T##_even_tiles, T, V, true) \
    SMALL_STACK(small_##T##_stack, T)
SMALLS(f16, 8)
SMALLS(bf16, 8)
SMALLS(f32, 4)
SMALLS(f64, 2)
SMALLS(c64, 2)
SMALLS(c128, 1)
