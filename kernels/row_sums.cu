// Partial sums of a program of rows, added up: one row of them a group, in a fixed order and in double precision.

#include "contract_row_sums.cuh"
#include "element_types.cuh"

namespace syntonic {

// The sum of the lanes that lie `from` or a multiple of it apart, in all of them.
__device__ __forceinline__ double row_sums_lanes(double x, uint32_t from) {
#pragma unroll
    for (uint32_t apart = 1; apart < 32; apart *= 2) {
        if (apart >= from) x += __shfl_xor_sync(~0u, x, apart);
    }
    return x;
}

template <class T, uint32_t V> struct alignas(V * sizeof(T)) RowSumsVector {
    T of[V];
};

template <class T, uint32_t V> __device__ __forceinline__ void row_sums(const RowSumsParams& p) {
    constexpr uint32_t COLUMNS = ROW_SUMS_ACROSS * V, WARPS = ROW_SUMS_THREADS / 32, AT_ONCE = ROW_SUMS_THREADS / ROW_SUMS_ACROSS;
    __shared__ double held[WARPS][COLUMNS];
    const uint64_t tiles = (p.length + COLUMNS - 1) / COLUMNS;
    const uint32_t sum = (uint32_t)(blockIdx.x / tiles);
    const uint64_t first = (blockIdx.x - sum * tiles) * COLUMNS;
    const uint32_t beside = threadIdx.x % ROW_SUMS_ACROSS, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint64_t column = first + beside * V;
    const T* from = reinterpret_cast<const T*>(p.partials) + sum * p.groups * p.length + column;
    double total[V] = {};
    if (column < p.length) {
#pragma unroll 4
        for (uint64_t group = threadIdx.x / ROW_SUMS_ACROSS; group < p.groups; group += AT_ONCE) {
            const auto part = *reinterpret_cast<const RowSumsVector<T, V>*>(from + group * p.length);
#pragma unroll
            for (uint32_t c = 0; c < V; ++c) total[c] += (double)part.of[c];
        }
    }
#pragma unroll
    for (uint32_t c = 0; c < V; ++c) {
        total[c] = row_sums_lanes(total[c], ROW_SUMS_ACROSS);
        if (lane < ROW_SUMS_ACROSS) held[warp][beside * V + c] = total[c];
    }
    __syncthreads();
    if (warp != 0) return;
    const uint32_t inside = lane % COLUMNS;
    double all = 0.0;
#pragma unroll
    for (uint32_t k = 0; k < WARPS * COLUMNS / 32; ++k) all += held[lane / COLUMNS + k * (32 / COLUMNS)][inside];
    all = row_sums_lanes(all, COLUMNS);
    const uint64_t to = first + inside;
    if (lane >= COLUMNS || to >= p.length) return;
    switch (p.dtype) {
        case 9: reinterpret_cast<syn::f16*>(p.to[sum])[to] = syn::cast<syn::f16>(all); break;
        case 10: reinterpret_cast<syn::bf16*>(p.to[sum])[to] = syn::cast<syn::bf16>(all); break;
        case 11: reinterpret_cast<float*>(p.to[sum])[to] = (float)all; break;
        default: reinterpret_cast<double*>(p.to[sum])[to] = all;
    }
}

template <class T> __device__ __forceinline__ void row_sums(const RowSumsParams& p) {
    constexpr uint32_t V = 16 / sizeof(T);
    if (p.length % V == 0) {
        row_sums<T, V>(p);
    } else {
        row_sums<T, 1>(p);
    }
}

}  // namespace syntonic

extern "C" __global__ void __launch_bounds__(ROW_SUMS_THREADS) row_sums_f32(const __grid_constant__ RowSumsParams p) {
    syntonic::row_sums<float>(p);
}
extern "C" __global__ void __launch_bounds__(ROW_SUMS_THREADS) row_sums_f64(const __grid_constant__ RowSumsParams p) {
    syntonic::row_sums<double>(p);
}
