// Partial sums of a program of rows, added up: one row of them a group, in a fixed order and in double precision.

#include "number.cuh"

namespace syntonic {

constexpr int ROW_SUMS = 4;

struct RowSumsParams {
    uint64_t partials;  // `sums` times `groups` rows of `length`
    uint64_t groups;
    uint64_t length;
    uint32_t sums;
    uint32_t dtype;  // core's number of the type of the results
    uint64_t to[ROW_SUMS];
};
// This number, the columns and the threads below stand in crates/syntonic-cuda/src/rows/sums.rs, too.
static_assert(sizeof(RowSumsParams) == 64, "mirrored in Rust");

// A block has so many columns, a sector of the cache where they are floats, and takes as many groups at once as it has threads
// for each of them: few columns, so that there are blocks for all multiprocessors.
constexpr uint32_t ROW_SUMS_COLUMNS = 8;
constexpr uint32_t ROW_SUMS_THREADS = 512;

// The sum of the lanes that have the same column, in all of them.
__device__ __forceinline__ double row_sums_lanes(double x) {
#pragma unroll
    for (uint32_t apart = ROW_SUMS_COLUMNS; apart < 32; apart *= 2) x += __shfl_xor_sync(~0u, x, apart);
    return x;
}

template <class T> __device__ __forceinline__ void row_sums(const RowSumsParams& p) {
    constexpr uint32_t WARPS = ROW_SUMS_THREADS / 32, AT_ONCE = ROW_SUMS_THREADS / ROW_SUMS_COLUMNS;
    __shared__ double held[WARPS][ROW_SUMS_COLUMNS];
    const uint64_t tiles = (p.length + ROW_SUMS_COLUMNS - 1) / ROW_SUMS_COLUMNS;
    const uint32_t sum = (uint32_t)(blockIdx.x / tiles);
    const uint32_t beside = threadIdx.x % ROW_SUMS_COLUMNS, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint64_t column = (blockIdx.x - sum * tiles) * ROW_SUMS_COLUMNS + beside;
    const T* from = reinterpret_cast<const T*>(p.partials) + sum * p.groups * p.length + column;
    double total = 0.0;
    if (column < p.length) {
#pragma unroll 8
        for (uint64_t group = threadIdx.x / ROW_SUMS_COLUMNS; group < p.groups; group += AT_ONCE) {
            total += (double)from[group * p.length];
        }
    }
    total = row_sums_lanes(total);
    if (lane < ROW_SUMS_COLUMNS) held[warp][beside] = total;
    __syncthreads();
    if (warp != 0) return;
    total = 0.0;
#pragma unroll
    for (uint32_t k = lane / ROW_SUMS_COLUMNS; k < WARPS; k += 32 / ROW_SUMS_COLUMNS) total += held[k][beside];
    total = row_sums_lanes(total);
    if (lane >= ROW_SUMS_COLUMNS || column >= p.length) return;
    switch (p.dtype) {
        case 9: reinterpret_cast<syn::f16*>(p.to[sum])[column] = syn::cast<syn::f16>(total); break;
        case 10: reinterpret_cast<syn::bf16*>(p.to[sum])[column] = syn::cast<syn::bf16>(total); break;
        case 11: reinterpret_cast<float*>(p.to[sum])[column] = (float)total; break;
        default: reinterpret_cast<double*>(p.to[sum])[column] = total;
    }
}

}  // namespace syntonic

extern "C" __global__ void __launch_bounds__(syntonic::ROW_SUMS_THREADS) row_sums_f32(const __grid_constant__ syntonic::RowSumsParams p) {
    syntonic::row_sums<float>(p);
}
extern "C" __global__ void __launch_bounds__(syntonic::ROW_SUMS_THREADS) row_sums_f64(const __grid_constant__ syntonic::RowSumsParams p) {
    syntonic::row_sums<double>(p);
}
