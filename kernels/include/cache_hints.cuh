// Loads of device memory with cache hints. kernels/notes/cache_hints.md has what they gain.
#pragma once
#include "fold_element.cuh"

namespace syntonic {

// No hint; L1::no_allocate; evict-first; or evict-last in L2, until the line is read as evict-first.
enum class CacheHint { DEFAULT, NO_ALLOCATE, EVICT_FIRST, EVICT_LAST };

// L1 stays free for other data, and L2 answers sooner.
__device__ __forceinline__ uint4 read_no_allocate(const uint4* at) {
    uint4 v;
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(__cvta_generic_to_global(at)));
    return v;
}

__device__ __forceinline__ uint4 read_evict_last(const uint4* at) {
#if __CUDA_ARCH__ >= 800
    uint4 v;
    u64 policy;
    // Created for each load: two registers that hold the policy throughout cause spills.
    asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(__cvta_generic_to_global(at)), "l"(policy));
    return v;
#else
    return *at;
#endif
}

// 16 bytes of device memory.
template <CacheHint HINT> __device__ __forceinline__ uint4 read_hinted(const uint4* at) {
    if constexpr (HINT == CacheHint::NO_ALLOCATE) {
        return read_no_allocate(at);
    } else if constexpr (HINT == CacheHint::EVICT_FIRST) {
        return __ldcs(at);
    } else if constexpr (HINT == CacheHint::EVICT_LAST) {
        return read_evict_last(at);
    } else {
        return *at;
    }
}

}  // namespace syntonic
