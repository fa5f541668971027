// Sums of belief updates, in the order that `syntonic_srt::infer` documents (belief/kernel.rs).
#pragma once
#include "native_types.cuh"

// Halves of 32 lanes from `from` on down to `to`; the lowest lane of each group has the documented order.
template <u32 FROM, u32 TO, class T>
__device__ __forceinline__ T halved(T x) {
#pragma unroll
    for (u32 half = FROM; half >= TO; half /= 2) x = x + __shfl_xor_sync(0xffffffffu, x, half);
    return x;
}
// The numbers of a vector.
__device__ __forceinline__ void unpack(f32 (&x)[4], uint4 bits) {
    x[0] = __uint_as_float(bits.x), x[1] = __uint_as_float(bits.y), x[2] = __uint_as_float(bits.z), x[3] = __uint_as_float(bits.w);
}
__device__ __forceinline__ void unpack(f64 (&x)[2], uint4 bits) {
    x[0] = __hiloint2double(int(bits.y), int(bits.x)), x[1] = __hiloint2double(int(bits.w), int(bits.z));
}
// The sums over 32 lanes of COUNT numbers, in the order of `halved`: that of number `lane / (32 / COUNT)` in each lane. Lanes pass each
// other half of what they still have, so that COUNT numbers take hardly more exchanges than one.
template <u32 COUNT, class T>
__device__ __forceinline__ T each_halved(T (&x)[COUNT]) {
    u32 half = 16;
#pragma unroll
    for (u32 count = COUNT / 2; count > 0; count /= 2, half /= 2) {
        const bool upper = threadIdx.x & half;
#pragma unroll
        for (u32 k = 0; k < count; ++k) {
            const T mine = upper ? x[k + count] : x[k], other = upper ? x[k] : x[k + count];
            x[k] = mine + __shfl_xor_sync(0xffffffffu, other, half);
        }
    }
    T sum = x[0];
#pragma unroll
    for (; half > 0; half /= 2) sum = sum + __shfl_xor_sync(0xffffffffu, sum, half);
    return sum;
}
// COUNT numbers in halves: `k` with `k + COUNT / 2`, and so on.
template <u32 COUNT>
struct Halves {
    template <class T>
    static __device__ __forceinline__ T of(const T* x, u32 apart = 1) {
        return Halves<COUNT / 2>::of(x, apart * 2) + Halves<COUNT / 2>::of(x + apart, apart * 2);
    }
};
template <>
struct Halves<1> {
    template <class T>
    static __device__ __forceinline__ T of(const T* x, u32) {
        return *x;
    }
};
