// C = alpha A B + beta C where B has at most 16 columns: memory-bound, so A is read once.
//
// Tiles of A pass through shared memory while the next one is loaded into registers. The warps of a block split the inner length
// of a tile; a lane has 8 rows by 4 columns of sums. The inner length may be split into parts, a block each, and the last block
// adds them up. The order of additions depends on the numbers in `Thin` alone, which the host derives from shape and dtype.
#include "contract_thin.cuh"
#include "gemv.cuh"

namespace syntonic {

constexpr u32 THIN_WARPS = THIN_THREADS / 32;
constexpr int THIN_TILE = THIN_ROWS * THIN_COLUMNS;

// 16 bytes of neighbours, as they are added up.
template <class Sum> struct alignas(16) Quad { Sum of[16 / sizeof(Sum)]; };

// ALONG: neighbours in memory are those that are added up; else they are rows.
template <class T, int V, bool ALONG> __device__ __forceinline__ void thin(const Thin& p) {
    using Sum = GemvSum<T>;
    constexpr int W = 16 / sizeof(Sum), DEPTH = 64 * 4 / sizeof(Sum), PITCH = DEPTH + W;
    constexpr int LOADS = THIN_ROWS * DEPTH / V / THIN_THREADS, FACTORS = DEPTH * THIN_COLUMNS / THIN_THREADS;
    constexpr int OF_WARP = DEPTH / THIN_WARPS;
    __shared__ __align__(16) unsigned char room[2 * (THIN_ROWS * PITCH + DEPTH * THIN_COLUMNS) * sizeof(Sum)];
    Sum* const shared = reinterpret_cast<Sum*>(room);
    constexpr int STAGE = THIN_ROWS * PITCH + DEPTH * THIN_COLUMNS;

    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, row_of_lane = lane / 4, column_of_lane = lane % 4;
    const u64 first = (u64)blockIdx.x * THIN_ROWS;
    const u64 from = (u64)blockIdx.y * p.part;
    const u64 to = from + p.part < p.inner ? from + p.part : p.inner;
    const T* const a = reinterpret_cast<const T*>(p.a);
    const T* const b = reinterpret_cast<const T*>(p.b);

    Neighbours<T, V> next[LOADS];
    Sum factors[FACTORS];
    // Where load `u` of this thread lies in a tile.
    const auto row_of = [](int u) { return ALONG ? (u * THIN_THREADS + threadIdx.x) / (DEPTH / V) : (u * THIN_THREADS + threadIdx.x) % (THIN_ROWS / V) * V; };
    const auto k_of = [](int u) { return ALONG ? (u * THIN_THREADS + threadIdx.x) % (DEPTH / V) * V : (u * THIN_THREADS + threadIdx.x) / (THIN_ROWS / V); };
    // Neighbours of B are read by neighbours.
    const bool down = p.b_row == 1;
    const auto factor_k = [&](int u) { const u32 at = u * THIN_THREADS + threadIdx.x; return down ? at % DEPTH : at / THIN_COLUMNS; };
    const auto factor_column = [&](int u) { const u32 at = u * THIN_THREADS + threadIdx.x; return down ? at / DEPTH : at % THIN_COLUMNS; };
    // What lies past an edge is 0: rows and columns of it are kept nowhere, and along k both factors are.
    const auto read = [&](u64 k0) {
#pragma unroll
        for (int u = 0; u < LOADS; ++u) {
            const u64 row = first + row_of(u), k = k0 + k_of(u);
            const T* const at = a + (ALONG ? (i64)row * p.lead + (i64)k : (i64)k * p.lead + (i64)row);
            if (row < p.rows && k < to) {
                next[u].once(at);
            } else {
                memset(next[u].of, 0, sizeof(next[u].of));
            }
        }
#pragma unroll
        for (int u = 0; u < FACTORS; ++u) {
            const u64 k = k0 + factor_k(u), column = factor_column(u);
            Neighbours<T, 1> one;
            if (k < to && column < p.columns) {
                one.again(b + (i64)k * p.b_row + (i64)column * p.b_column);
            } else {
                memset(one.of, 0, sizeof(one.of));
            }
            factors[u] = one.value(0);
        }
    };
    const auto keep = [&](Sum* stage) {
#pragma unroll
        for (int u = 0; u < LOADS; ++u) {
#pragma unroll
            for (int c = 0; c < V; ++c) stage[(row_of(u) + (ALONG ? 0 : c)) * PITCH + k_of(u) + (ALONG ? c : 0)] = next[u].value(c);
        }
        Sum* const beside = stage + THIN_ROWS * PITCH;
#pragma unroll
        for (int u = 0; u < FACTORS; ++u) beside[factor_k(u) * THIN_COLUMNS + factor_column(u)] = factors[u];
    };

    Sum sums[8][4];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[r][c] = Sum(0);
    }
    if (from < to) read(from);
    int turn = 0;
#pragma unroll 1
    for (u64 k0 = from; k0 < to; k0 += DEPTH, turn ^= 1) {
        Sum* const stage = shared + turn * STAGE;
        keep(stage);
        // The stage that is written next was read before the barrier of the round before.
        __syncthreads();
        if (k0 + DEPTH < to) read(k0 + DEPTH);
        const Sum* const beside = stage + THIN_ROWS * PITCH;
#pragma unroll
        for (int k = 0; k < OF_WARP; k += W) {
            const int here = warp * OF_WARP + k;
            Quad<Sum> right[W][4 / W];
#pragma unroll
            for (int i = 0; i < W; ++i) {
#pragma unroll
                for (int q = 0; q < 4 / W; ++q)
                    right[i][q] = *reinterpret_cast<const Quad<Sum>*>(beside + (here + i) * THIN_COLUMNS + column_of_lane * 4 + q * W);
            }
#pragma unroll
            for (int r = 0; r < 8; ++r) {
                const Quad<Sum> left = *reinterpret_cast<const Quad<Sum>*>(stage + (row_of_lane + 8 * r) * PITCH + here);
#pragma unroll
                for (int i = 0; i < W; ++i) {
#pragma unroll
                    for (int c = 0; c < 4; ++c) sums[r][c] = fused(left.of[i], right[i][c / W].of[c % W], sums[r][c]);
                }
            }
        }
    }
    // The warps' sums, by halves of them.
#pragma unroll
    for (u32 half = THIN_WARPS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (warp >= half && warp < 2 * half) {
#pragma unroll
            for (int e = 0; e < 32; ++e) shared[((warp - half) * 32 + e) * 32 + lane] = sums[e / 4][e % 4];
        }
        __syncthreads();
        if (warp < half) {
#pragma unroll
            for (int e = 0; e < 32; ++e) sums[e / 4][e % 4] += shared[(warp * 32 + e) * 32 + lane];
        }
    }
    __syncthreads();
    if (warp == 0) {
#pragma unroll
        for (int r = 0; r < 8; ++r) {
#pragma unroll
            for (int c = 0; c < 4; ++c) shared[(row_of_lane + 8 * r) * THIN_COLUMNS + column_of_lane * 4 + c] = sums[r][c];
        }
    }
    __syncthreads();
    Sum* const partials = reinterpret_cast<Sum*>(p.partials) + (u64)blockIdx.x * p.parts * THIN_TILE;
    if (p.parts > 1) {
#pragma unroll
        for (int e = threadIdx.x; e < THIN_TILE; e += THIN_THREADS) partials[blockIdx.y * THIN_TILE + e] = shared[e];
        if (!comes_last(reinterpret_cast<u32*>(p.counters) + blockIdx.x, p.parts)) return;
    }
#pragma unroll
    for (int e = threadIdx.x; e < THIN_TILE; e += THIN_THREADS) {
        const u64 row = first + e / THIN_COLUMNS, column = e % THIN_COLUMNS;
        if (row >= p.rows || column >= p.columns) continue;
        Sum sum = shared[e];
        if (p.parts > 1) {
            sum = read_l2(partials + e);
#pragma unroll 4
            for (u32 part = 1; part < p.parts; ++part) sum += read_l2(partials + (u64)part * THIN_TILE + e);
        }
        T* const at = reinterpret_cast<T*>(p.c) + (i64)row * p.c_row + (i64)column * p.c_column;
        Sum value = (Sum)p.alpha * sum;
        if (p.beta != 0.0) value += (Sum)p.beta * Stored<T>::load(*at);
        *at = Stored<T>::store(value);
    }
}

}  // namespace syntonic

#define THIN(NAME, T, V, ALONG)                                                                                     \
    extern "C" __global__ void __launch_bounds__(THIN_THREADS, 2) NAME(const __grid_constant__ Thin p) { \
        syntonic::thin<syntonic::T, V, ALONG>(p);                                                                   \
    }
#define THINS(T, V)                        \
    THIN(thin_##T##_rows, T, 1, true)      \
    THIN(thin_##T##_columns, T, 1, false)  \
    THIN(thin_##T##_even_rows, T, V, true) \
    THIN(thin_##T##_even_columns, T, V, false)
THINS(f32, 4)
