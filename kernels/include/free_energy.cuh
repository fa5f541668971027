// Variational free energy of diagonal Gaussian beliefs: the terms of `syntonic_srt::infer`, and their sums in a block. Threads add what
// they take one after the other, a warp and then the block its threads in halves.
#pragma once
#include "fold.cuh"
#include "native_types.cuh"
#include "real.cuh"

// (r - 1) - ln r of r = a / b, as `spread` of divergence.rs.
template <class T>
__device__ __forceinline__ T spread(T a, T b) {
    const T far = T(1e-30), beyond = T(1.0 / 1e-30);
    T r = a / syn::abs(b);
    bool apart = syn::minimum(r - far, b) <= T(0);
    T of_a = syn::log(apart ? a : syn::minimum(r, beyond));
    T of_b = syn::log(apart ? b : T(1));
    return syn::maximum((r - T(1)) - (of_a - of_b), T(0));
}
// pi d^2 + pi v - ln pi, as `surprise` of accuracy.rs.
template <class T>
__device__ __forceinline__ T surprise(T d, T precision, T variance) {
    T error = d == T(0) ? T(0) : (precision * d) * d;
    error = error + (variance == T(0) ? T(0) : precision * variance);
    return error == syn::infinity(T(0)) ? error : error - syn::log(precision);
}

template <class T>
struct Sums {
    T states, observed;
};
// Those of a block of WARPS warps, in every thread.
template <u32 WARPS, class T>
__device__ __forceinline__ Sums<T> of_block(Sums<T> a) {
    __shared__ Sums<T> warps[WARPS];
    for (u32 half = 16; half > 0; half /= 2) {
        a.states = a.states + __shfl_xor_sync(0xffffffffu, a.states, half);
        a.observed = a.observed + __shfl_xor_sync(0xffffffffu, a.observed, half);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = a;
    __syncthreads();
    a = warps[threadIdx.x % WARPS];
    for (u32 half = WARPS / 2; half > 0; half /= 2) {
        a.states = a.states + __shfl_xor_sync(0xffffffffu, a.states, half);
        a.observed = a.observed + __shfl_xor_sync(0xffffffffu, a.observed, half);
    }
    return a;
}

// Terms of a thread: states or observations from `j` on to `end`, by so many.
template <class T>
__device__ __forceinline__ T of_states(const T* mean_q, const T* mean_p, const T* var_q, const T* var_p, u64 j, u64 end, u32 by) {
    T sum = T(0);
#pragma unroll 4
    for (; j < end; j += by) {
        T apart = mean_q[j] - mean_p[j], b = var_p[j];
        sum = sum + (spread(var_q[j], b) + apart * (apart / b));
    }
    return sum;
}
template <class T>
__device__ __forceinline__ T of_observations(const T* observation, const T* prediction, const T* precision, u64 i, u64 end, u32 by) {
    T sum = T(0);
#pragma unroll 4
    for (; i < end; i += by) sum = sum + surprise(observation[i] - prediction[i], precision[i], T(0));
    return sum;
}
template <class T>
__device__ __forceinline__ T complexity_of(Sums<T> sums) { return T(0.5) * sums.states; }
// Without observations there is nothing to explain.
template <class T>
__device__ __forceinline__ T accuracy_of(Sums<T> sums, u64 m) {
    return m == 0 ? T(0) : T(-0.5) * (sums.observed + T(m) * T(1.8378770664093455));
}
