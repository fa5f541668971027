// Positions of the extremes of even rows of half types. Two elements are compared by one instruction, and a thread
// remembers only which of its groups had the best; where in it is looked up at the end.
#pragma once
#include "even.cuh"

namespace syntonic {

template <class Which> constexpr bool LARGEST = std::is_same<Which, Largest>::value;

// The better ones of two pairs; NaN where either is.
template <class Which, class T> __device__ __forceinline__ u32 of_pairs(u32 a, u32 b) {
    u32 r;
    if constexpr (std::is_same<T, bf16>::value) {
        if constexpr (LARGEST<Which>) asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
        else asm("min.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    } else {
        if constexpr (LARGEST<Which>) asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
        else asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    }
    return r;
}
template <class Which, class T> __device__ __forceinline__ u32 of_vector(uint4 w) {
    return of_pairs<Which, T>(of_pairs<Which, T>(w.x, w.y), of_pairs<Which, T>(w.z, w.w));
}

// A number that is the larger the better: NaN is best, both zeros are alike, and no element has 0.
template <class Which> __device__ __forceinline__ u32 merit(float x) {
    const i32 bits = __float_as_int((LARGEST<Which> ? x : -x) + 0.0f);
    return x != x ? ~0u : (u32)(bits ^ ((bits >> 31) | (i32)0x80000000));
}
template <class T> __device__ __forceinline__ float half_of(u32 pair, int place) {
    return Stored<T>::load(T{(u16)(place ? pair >> 16 : pair & 0xffffu)});
}
template <class Which, class T> __device__ __forceinline__ u32 merit_of(u32 pair) {
    return merit<Which>(Which::of(half_of<T>(pair, 0), half_of<T>(pair, 1)));
}

// The largest, and the smallest, of all threads of a warp or of a block. Integers may be joined in any order.
struct Agreed {
    u32 most, least;
};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ __forceinline__ u32 most_of(u32 x, u32 threads, Agreed& room) {
    x = __reduce_max_sync(~0u, x);
    if (threads == 32) return x;
    if (threadIdx.x == 0) room = Agreed{0, ~0u};
    __syncthreads();
    if ((threadIdx.x & 31) == 0) atomicMax(&room.most, x);
    __syncthreads();
    return room.most;
}
__device__ __forceinline__ u32 least_of(u32 x, u32 threads, Agreed& room) {
    x = __reduce_min_sync(~0u, x);
    if (threads == 32) return x;
    if ((threadIdx.x & 31) == 0) atomicMin(&room.least, x);
    __syncthreads();
    return room.least;
}

template <class Which, class T>
__device__ __forceinline__ Located<float> packed_run(const uint4* words, u32 n, u32 thread, u32 threads, u64 before) {
    using F = Position<Which, float>;
    constexpr int U = Pace<F>::VECTORS;
    __shared__ Agreed room;
    __shared__ Located<float> found;
    u32 best = 0, group = thread, k = thread;
    auto look = [&](u32 pair) {
        const u32 x = merit_of<Which, T>(pair);
        group = x > best ? k : group;
        best = x > best ? x : best;
    };
#pragma unroll 1
    for (; k + threads * (U - 1) < n; k += threads * U) {
        uint4 w[U];
#pragma unroll
        for (int u = 0; u < U; ++u) w[u] = words[k + u * threads];
        u32 pair = of_vector<Which, T>(w[0]);
#pragma unroll
        for (int u = 1; u < U; ++u) pair = of_pairs<Which, T>(pair, of_vector<Which, T>(w[u]));
        look(pair);
    }
#pragma unroll 1
    for (; k < n; k += threads) look(of_vector<Which, T>(words[k]));
    const u32 top = most_of(best, threads, room);
    // The first vector with the best. Groups are in the order of their vectors, within a thread and among them.
    u32 vector = ~0u;
    if (best == top) {
        const int count = group + threads * (U - 1) < n ? U : 1;
        uint4 w[U];
#pragma unroll
        for (int u = 0; u < U; ++u)
            if (u < count) w[u] = words[group + u * threads];
#pragma unroll
        for (int u = U - 1; u >= 0; --u)
            if (u < count && merit_of<Which, T>(of_vector<Which, T>(w[u])) == top) vector = group + u * threads;
    }
    const u32 first = least_of(vector, threads, room);
    Located<float> a{0.0f, 0};
    if (vector == first) {
        const uint4 w = words[first];
        const u32 word[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
        for (int e = 7; e >= 0; --e) {
            const float x = half_of<T>(word[e / 2], e & 1);
            if (merit<Which>(x) == top) a = Located<float>{x, before + (u64)first * 8 + e};
        }
    }
    if (threads == 32) {
        const int owner = __ffs(__ballot_sync(~0u, vector == first)) - 1;
        a.value = __shfl_sync(~0u, a.value, owner);
        a.at = __shfl_sync(~0u, a.at, owner);
        return a;
    }
    if (vector == first) found = a;
    __syncthreads();
    return found;
}
#endif

template <class Which, class T> struct EvenRun<Position<Which, float>, T> {
    using F = Position<Which, float>;
    static __device__ __forceinline__ Located<float> of(const uint4* words, u32 n, u32 thread, u32 threads, u64 before) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        if constexpr (IsHalf<T>::YES) return packed_run<Which, T>(words, n, thread, threads, before);
        else
#endif
            return even_join<F>(even_run<F, T>(words, n, thread, threads, before), threads);
    }
};

}  // namespace syntonic
