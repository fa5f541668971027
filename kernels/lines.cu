// Lines of a tensor, along its last axis, moved to where a sort wants them and back.
#include <cstdint>

#include "contract_lines.cuh"
#include "rank.cuh"
#include "walk.cuh"

/// Copies lines to lines through tiles of 32 by 32, so that both sides are walked in their own order.
template <class T>
__device__ __forceinline__ void copy_lines(const CopyParams &p) {
    __shared__ T tile[32][33];
    const uint64_t wide = (p.n + 31) / 32, tiles = (p.rows + 31) / 32 * wide;
    const int lane = threadIdx.x & 31, part = threadIdx.x / 32;
    for (uint64_t at = blockIdx.x; at < tiles; at += gridDim.x) {
        const uint64_t row = at / wide * 32, first = at % wide * 32;
        __syncthreads();
        for (int k = part; k < 32; k += 8) {
            int r = p.from_across ? lane : k, i = p.from_across ? k : lane;
            if (row + r < p.rows && first + i < p.n)
                tile[r][i] = ((const T *)p.from)[p.lines.offset(0, row + r) + (int64_t)(first + i) * p.from_step];
        }
        __syncthreads();
        for (int k = part; k < 32; k += 8) {
            int r = p.to_across ? lane : k, i = p.to_across ? k : lane;
            if (row + r < p.rows && first + i < p.n)
                ((T *)p.to)[p.lines.offset(1, row + r) + (int64_t)(first + i) * p.to_step] = tile[r][i];
        }
    }
}

template <class P>
__device__ __forceinline__ void usual_nan(P *part, P infinity, P nan) {
    if ((P)(*part << 1) > (P)(infinity << 1)) *part = nan;
}

/// The elements at the positions, and the positions.
template <class T>
__device__ __forceinline__ void take_lines(const TakeParams &p) {
    const uint64_t all = p.rows * p.n;
    uint64_t at = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < all; at += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t row = at / p.n, i = at % p.n;
        int64_t starts[3];
        p.lines.offsets(row, starts);
        const int64_t position = ((const uint32_t *)p.positions)[row * p.line + i];
        if (p.to_positions)
            ((int64_t *)p.to_positions)[starts[2] + (int64_t)i * p.to_positions_step] = position;
        if (!p.from) continue;
        T x = ((const T *)p.from)[starts[0] + position * p.from_step];
        if (sizeof(T) == 8 && p.canonical == 4) {
            usual_nan<uint32_t>((uint32_t *)&x, 0x7F800000u, 0x7FC00000u);
            usual_nan<uint32_t>((uint32_t *)&x + 1, 0x7F800000u, 0x7FC00000u);
        }
        if (sizeof(T) == 16 && p.canonical == 8) {
            usual_nan<uint64_t>((uint64_t *)&x, 0x7FF0000000000000ull, 0x7FF8000000000000ull);
            usual_nan<uint64_t>((uint64_t *)&x + 1, 0x7FF0000000000000ull, 0x7FF8000000000000ull);
        }
        ((T *)p.to)[starts[1] + (int64_t)i * p.to_step] = x;
    }
}

/// The ranks of one part of complex numbers, which order by which parts are NaN, then the real and then
/// the imaginary part.
template <class P>
__device__ __forceinline__ void part_ranks(const PartParams &p) {
    const uint64_t all = p.rows * p.n;
    uint64_t at = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < all; at += (uint64_t)gridDim.x * blockDim.x) {
        uint64_t i = at;
        if (p.positions) i = at / p.n * p.n + ((const uint32_t *)p.positions)[at];
        const P re = rank_of(((const P *)p.from)[2 * i], p.ranking);
        const P im = rank_of(((const P *)p.from)[2 * i + 1], p.ranking);
        const P ALL = (P)~(P)0;
        uint64_t rank = p.part == 0 ? im : re;
        if (sizeof(P) == 4 && p.part == 3) rank = (uint64_t)re << 32 | im;
        if (p.part == 2) rank = (uint64_t)(re == ALL) << 1 | (im == ALL);
        ((uint64_t *)p.to)[at] = rank;
    }
}

#define LINES(size, T)                                                                              \
    extern "C" __global__ void __launch_bounds__(256) lines_copy_##size(const __grid_constant__ CopyParams p) { \
        copy_lines<T>(p);                                                                           \
    }                                                                                               \
    extern "C" __global__ void __launch_bounds__(256) lines_take_##size(const __grid_constant__ TakeParams p) { \
        take_lines<T>(p);                                                                           \
    }
LINES(b1, uint8_t)
LINES(b2, uint16_t)
LINES(b4, uint32_t)
LINES(b8, uint64_t)
LINES(b16, ulonglong2)

#define PARTS(dtype, P)                                                                              \
    extern "C" __global__ void __launch_bounds__(256) lines_part_##dtype(const __grid_constant__ PartParams p) { \
        part_ranks<P>(p);                                                                            \
    }
PARTS(c64, uint32_t)
PARTS(c128, uint64_t)
