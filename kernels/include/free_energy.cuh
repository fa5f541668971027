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

// The terms of a state and of an observation.
struct OfState {
    template <class T>
    __device__ __forceinline__ T operator()(T mean_q, T mean_p, T var_q, T var_p) const {
        T apart = mean_q - mean_p;
        return spread(var_q, var_p) + apart * (apart / var_p);
    }
};
struct OfObservation {
    template <class T>
    __device__ __forceinline__ T operator()(T observation, T prediction, T precision) const {
        return surprise(observation - prediction, precision, T(0));
    }
};

// Sixteen bytes of elements that are stored as S.
template <class S>
struct Vector {
    static constexpr u32 WIDTH = 16 / sizeof(S);
    uint4 bits;
    __device__ __forceinline__ explicit Vector(const S* at) : bits(__ldcs(reinterpret_cast<const uint4*>(at))) {}
    __device__ __forceinline__ typename syntonic::Stored<S>::Value operator[](u32 k) const {
        S x[WIDTH];
        memcpy(x, &bits, sizeof(x));
        return syntonic::Stored<S>::load(x[k]);
    }
};
template <u32 WIDTH, class T, class Term, class... Vectors>
__device__ __forceinline__ T with_vectors(T sum, const Term& term, const Vectors&... x) {
#pragma unroll
    for (u32 k = 0; k < WIDTH; ++k) sum = sum + term(x[k]...);
    return sum;
}
// The terms that a thread of a block adds up, of elements from `from` on to `end`: by vectors where all rows begin at whole ones.
template <class S, class Term, class... Rows>
__device__ __forceinline__ typename syntonic::Stored<S>::Value of_part(u64 from, u64 end, bool aligned, u32 threads, const Term& term, const S* first, Rows... rows) {
    using Stored = syntonic::Stored<S>;
    constexpr u32 WIDTH = Vector<S>::WIDTH;
    typename Stored::Value sum = 0;
    if (aligned && from < end) {
        const u64 whole = from + (end - from) / WIDTH * WIDTH;
#pragma unroll 2
        for (u64 j = from + threadIdx.x * WIDTH; j < whole; j += threads * WIDTH) {
            sum = with_vectors<WIDTH>(sum, term, Vector<S>(first + j), Vector<S>(rows + j)...);
        }
        from = whole;
    }
#pragma unroll 4
    for (u64 j = from + threadIdx.x; j < end; j += threads) sum = sum + term(Stored::load(first[j]), Stored::load(rows[j])...);
    return sum;
}
template <class T>
__device__ __forceinline__ T complexity_of(Sums<T> sums) { return T(0.5) * sums.states; }
// Without observations there is nothing to explain.
template <class T>
__device__ __forceinline__ T accuracy_of(Sums<T> sums, u64 m) {
    return m == 0 ? T(0) : T(-0.5) * (sums.observed + T(m) * T(1.8378770664093455));
}
