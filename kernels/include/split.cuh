// Products of float32 from tensor cores: what packing and multiplying agree on. A float32 has 24 bits of significand, so it is the
// sum of three bf16 of 8 bits each; of the nine products of parts, the three that lie below 2^-24 of the whole are left out.
// (Henry, Tang, Heinecke: Leveraging the bfloat16 artificial intelligence datatype for higher-precision computations, 2019.)
#pragma once
#include "contract_split.cuh"
#include "cells.cuh"

namespace syntonic {

// Bytes of one part of a tile, and of all.
constexpr u32 SPLIT_PART = SPLIT_ROWS * SPLIT_COLS * 2;
constexpr u32 SPLIT_TILE = SPLIT_PARTS * SPLIT_PART;

// What is read of a complex element.
enum SplitField : u32 { SPLIT_REAL = 0, SPLIT_IMAGINARY = 1, SPLIT_SUM = 2 };

// Element (i, j) of a matrix of the batch.
template <bool COMPLEX> __device__ __forceinline__ float split_element(const SplitSource& s, u64 batch, int64_t i, int64_t j) {
    const float* at = reinterpret_cast<const float*>(s.first) + (int64_t)batch * s.batch + i * s.row + j * s.col;
    if constexpr (!COMPLEX) {
        return *at;
    } else {
        const float2 z = *reinterpret_cast<const float2*>(at);
        const float im = s.conjugate ? -z.y : z.y;
        return s.field == SPLIT_REAL ? z.x : s.field == SPLIT_IMAGINARY ? im : z.x + im;
    }
}

__device__ __forceinline__ bool split_finite(float x) { return (__float_as_uint(x) & 0x7F800000u) != 0x7F800000u; }

// The nearest bf16, ties to even; of a finite float that lies beyond the largest, the largest. NaN is a quiet NaN.
__device__ __forceinline__ u32 split_nearest(float x) {
    const u32 bits = __float_as_uint(x);
    if (x != x) return 0x7FC0u;
    const u32 rounded = (bits + 0x7FFFu + (bits >> 16 & 1)) >> 16;
    return (rounded & 0x7F80u) == 0x7F80u ? bits >> 16 : rounded;
}
// x as a sum of three bf16. What is not finite has its first part alone.
__device__ __forceinline__ void split_in_three(float x, u32 (&parts)[3]) {
    const bool finite = split_finite(x);
    parts[0] = split_nearest(x);
    const float rest = finite ? x - __uint_as_float(parts[0] << 16) : 0.f;
    parts[1] = split_nearest(rest);
    parts[2] = split_nearest(rest - __uint_as_float(parts[1] << 16));
}

}  // namespace syntonic
