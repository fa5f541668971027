// TMA bulk copies from global to shared memory, and the mbarriers that count their bytes. Compute capability 9.0 and newer; empty
// before.
#pragma once
#include "integer.cuh"

namespace syntonic {

#if __CUDA_ARCH__ >= 900

__device__ __forceinline__ u32 shared_address(const void* shared) { return (u32)__cvta_generic_to_shared(shared); }

// An mbarrier whose phase ends after `arrivals` arrivals and the bytes that these expect.
__device__ __forceinline__ void mbarrier_init(u64* barrier, u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}
// Makes initialised mbarriers visible to the async proxy and to the other blocks of the cluster.
__device__ __forceinline__ void mbarrier_init_fence() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// Ends the life of an mbarrier: its memory may be reused.
__device__ __forceinline__ void mbarrier_inval(u64* barrier) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}
// Releases what this thread did before to those who wait. Every consumer thread that read a stage arrives by itself: an arrival
// covers one thread, and racecheck counts arrivals so (notes/streaming.md).
__device__ __forceinline__ void mbarrier_arrive(u64* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ __forceinline__ void mbarrier_arrive_expect_tx(u64* barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}
// Both addresses and the size are multiples of 16 bytes.
__device__ __forceinline__ void bulk_copy(void* to, const void* from, u32 bytes, u64* barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
// The distributed shared memory (DSMEM) address of `shared` in block `rank` of the cluster.
__device__ __forceinline__ u32 cluster_address(const void* shared, u32 rank) {
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(shared)), "r"(rank));
    return there;
}
// Stores whole words in another block of the cluster (st.async), whose mbarrier counts the bytes. Waiting at that mbarrier makes
// them visible, so this thread needs no fence, which would wait for its earlier stores.
template <class T> __device__ __forceinline__ void cluster_store_async(u32 to, const T& value, u32 barrier) {
    constexpr int WORDS = (sizeof(T) + 3) / 4;
    u32 word[WORDS] = {};
    memcpy(word, &value, sizeof(T));
#pragma unroll
    for (int k = 0; k < WORDS; ++k) {
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to + 4 * k),
                     "r"(word[k]), "r"(barrier)
                     : "memory");
    }
}
// Waits until the phase of this parity ends. The text is one line: a brace at the beginning of a line ends a kernel (slice.rs).
__device__ __forceinline__ void mbarrier_wait(u64* barrier, u32 parity) {
    u32 done;
    do {
        asm volatile(
            "{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
            : "=r"(done)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
    } while (!done);
}

#endif

}  // namespace syntonic
