// Running sums and products: how totals join, and how a warp and a block pass them on. All trees are
// of fixed shape, so that results do not depend on timing.
#pragma once
#include "native_types.cuh"

struct Sum {
    template <class A>
    static __device__ __forceinline__ A join(A a, A b) {
        return plus(a, b);
    }
    static __device__ __forceinline__ void identity(u64& a) { a = 0; }
    static __device__ __forceinline__ void identity(f64& a) { a = 0; }
    static __device__ __forceinline__ void identity(c128& a) { a = c128{0, 0}; }
};

struct Product {
    template <class A>
    static __device__ __forceinline__ A join(A a, A b) {
        return times(a, b);
    }
    static __device__ __forceinline__ void identity(u64& a) { a = 1; }
    static __device__ __forceinline__ void identity(f64& a) { a = 1; }
    static __device__ __forceinline__ void identity(c128& a) { a = c128{1, 0}; }
};

template <class J, class A>
__device__ __forceinline__ A identity() {
    A a;
    J::identity(a);
    return a;
}

__device__ __forceinline__ u64 shifted_up(u64 a, u32 by) { return __shfl_up_sync(~0u, a, by); }
__device__ __forceinline__ f64 shifted_up(f64 a, u32 by) { return __shfl_up_sync(~0u, a, by); }
__device__ __forceinline__ c128 shifted_up(c128 a, u32 by) {
    return c128{__shfl_up_sync(~0u, a.re, by), __shfl_up_sync(~0u, a.im, by)};
}
__device__ __forceinline__ u64 of_lane(u64 a, u32 lane) { return __shfl_sync(~0u, a, lane); }
__device__ __forceinline__ f64 of_lane(f64 a, u32 lane) { return __shfl_sync(~0u, a, lane); }
__device__ __forceinline__ c128 of_lane(c128 a, u32 lane) {
    return c128{__shfl_sync(~0u, a.re, lane), __shfl_sync(~0u, a.im, lane)};
}

// The join of the lanes up to and including this one, within groups of `width` lanes.
template <class J, class A>
__device__ __forceinline__ A warp_running(A a, u32 width = 32) {
    u32 lane = threadIdx.x % width;
#pragma unroll
    for (u32 d = 1; d < 32; d *= 2) {
        A other = shifted_up(a, d);
        if (d < width && lane >= d) a = J::join(other, a);
    }
    return a;
}
