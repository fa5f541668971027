// Reads of device memory that say what becomes of it in the caches.
#pragma once
#include "fold_element.cuh"

namespace syntonic {

// Words are wanted again soon; or nobody asks the multiprocessor's own cache for them again; or they make room for others in
// every cache; or they leave the common cache after all others, until they are read as DONE.
enum class Then { WANTED, ONCE, DONE, LAST };

// Whoever reads without a place in the nearer cache leaves that to others, and the common cache answers sooner.
__device__ __forceinline__ uint4 read_once(const uint4* at) {
    uint4 v;
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(__cvta_generic_to_global(at)));
    return v;
}

__device__ __forceinline__ uint4 read_to_last(const uint4* at) {
#if __CUDA_ARCH__ >= 800
    uint4 v;
    u64 policy;
    // Made again for each: two registers that hold it all the time are two too many.
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
template <Then THEN> __device__ __forceinline__ uint4 read_then(const uint4* at) {
    if constexpr (THEN == Then::ONCE) {
        return read_once(at);
    } else if constexpr (THEN == Then::DONE) {
        return __ldcs(at);
    } else if constexpr (THEN == Then::LAST) {
        return read_to_last(at);
    } else {
        return *at;
    }
}

}  // namespace syntonic
