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
// The same number stands in crates/syntonic-cuda/src/rows/sums.rs.
static_assert(sizeof(RowSumsParams) == 64, "mirrored in Rust");

// A block has 32 columns; its warps take the groups in turn.
template <class T> __device__ __forceinline__ void row_sums(const RowSumsParams& p) {
    __shared__ double held[16][32];
    const uint64_t tiles = (p.length + 31) / 32;
    const uint32_t sum = (uint32_t)(blockIdx.x / tiles);
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    const uint64_t column = (blockIdx.x - sum * tiles) * 32 + lane;
    const T* from = reinterpret_cast<const T*>(p.partials) + sum * p.groups * p.length + column;
    double total = 0.0;
    if (column < p.length) {
#pragma unroll 4
        for (uint64_t group = warp; group < p.groups; group += warps) total += (double)from[group * p.length];
    }
    held[warp][lane] = total;
    __syncthreads();
    if (warp != 0 || column >= p.length) return;
    total = 0.0;
    for (uint32_t k = 0; k < warps; ++k) total += held[k][lane];
    switch (p.dtype) {
        case 9: reinterpret_cast<syn::f16*>(p.to[sum])[column] = syn::cast<syn::f16>(total); break;
        case 10: reinterpret_cast<syn::bf16*>(p.to[sum])[column] = syn::cast<syn::bf16>(total); break;
        case 11: reinterpret_cast<float*>(p.to[sum])[column] = (float)total; break;
        default: reinterpret_cast<double*>(p.to[sum])[column] = total;
    }
}

}  // namespace syntonic

extern "C" __global__ void __launch_bounds__(512) row_sums_f32(const __grid_constant__ syntonic::RowSumsParams p) {
    syntonic::row_sums<float>(p);
}
extern "C" __global__ void __launch_bounds__(512) row_sums_f64(const __grid_constant__ syntonic::RowSumsParams p) {
    syntonic::row_sums<double>(p);
}
