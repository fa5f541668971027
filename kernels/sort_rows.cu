// Sorting lines that fit in a block: digit by digit in shared memory, one line a block.
#include "contract_sort_rows.cuh"
#include "rank.cuh"
#include "tile.cuh"

template <class K, bool PAIRS, int THREADS, int ITEMS>
__device__ __forceinline__ void sort_row(const RowsParams &p) {
    const int WARPS = THREADS / 32;
    __shared__ uint32_t warps[WARPS][tile::DIGITS];
    __shared__ uint32_t partial[8];
    extern __shared__ __align__(16) unsigned char sorted[];
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    const int start = warp * 32 * ITEMS + lane;

    for (uint64_t row = blockIdx.x; row < p.rows; row += gridDim.x) {
        K keys[ITEMS];
        uint32_t positions[ITEMS];
        const K *from = (const K *)p.from + (int64_t)row * p.from_row;
        const uint32_t *before = (const uint32_t *)p.from_positions + (int64_t)row * p.from_row;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            uint32_t j = start + 32 * i;
            keys[i] = (K)~(K)0;
            positions[i] = j;
            if (j < p.n) {
                keys[i] = p.raw ? from[j] : rank_of(from[j], p.ranking);
                if (PAIRS && p.from_positions) positions[i] = before[j];
            }
        }
#pragma unroll 1
        for (int pass = 0; pass < (int)p.passes; pass++) {
            uint32_t ranks[ITEMS];
            auto digit = [&](int i) { return (uint32_t)(keys[i] >> (8 * pass)) & 255; };
            for (int i = threadIdx.x; i < WARPS * tile::DIGITS; i += THREADS) (&warps[0][0])[i] = 0;
            __syncthreads();
            tile::warp_ranks<ITEMS>(digit, warps[warp], ranks);
            __syncthreads();
            uint32_t count = tile::all_warps<WARPS>(warps);
            tile::warp_starts<WARPS>(warps, tile::digit_starts(count, partial));
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                ranks[i] += warps[warp][digit(i)];
                ((K *)sorted)[ranks[i]] = keys[i];
            }
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++) keys[i] = ((const K *)sorted)[start + 32 * i];
            if (PAIRS) {
                __syncthreads();
#pragma unroll
                for (int i = 0; i < ITEMS; i++) ((uint32_t *)sorted)[ranks[i]] = positions[i];
                __syncthreads();
#pragma unroll
                for (int i = 0; i < ITEMS; i++)
                    positions[i] = ((const uint32_t *)sorted)[start + 32 * i];
            }
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            uint32_t j = start + 32 * i;
            if (j >= p.n) continue;
            int64_t to = (int64_t)row * p.to_row + j;
            if (p.to) ((K *)p.to)[to] = p.raw ? keys[i] : bits_of_rank(keys[i], p.ranking);
            if (!PAIRS) continue;
            if (p.widen) {
                ((int64_t *)p.to_positions)[to] = positions[i];
            } else {
                ((uint32_t *)p.to_positions)[to] = positions[i];
            }
        }
        __syncthreads();
    }
}

// Threads and items: mirrored in rows.rs.
#define ROWS(name, K, PAIRS, THREADS, ITEMS)                                                         \
    extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS * 2) name(const __grid_constant__ RowsParams p) { \
        sort_row<K, PAIRS, THREADS, ITEMS>(p);                                                       \
    }
#define SIZES(size, K, ITEMS)                                 \
    ROWS(sort_rows_keys_##size##_t256, K, false, 256, 8)      \
    ROWS(sort_rows_pairs_##size##_t256, K, true, 256, 8)      \
    ROWS(sort_rows_keys_##size##_t512, K, false, 512, ITEMS)  \
    ROWS(sort_rows_pairs_##size##_t512, K, true, 512, ITEMS)
SIZES(b1, uint8_t, 12)
SIZES(b2, uint16_t, 12)
SIZES(b4, uint32_t, 12)
SIZES(b8, uint64_t, 7)
