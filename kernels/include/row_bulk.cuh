// Bulk copies from global to shared memory, and the barriers in shared memory that count their bytes. From 9.0 on; nothing
// before.
#pragma once
#include "integer.cuh"

namespace syntonic {

#if __CUDA_ARCH__ >= 900

__device__ __forceinline__ u32 bulk_address(const void* shared) { return (u32)__cvta_generic_to_shared(shared); }

// A barrier that waits for `arrivals` threads, and for the bytes that these announce.
__device__ __forceinline__ void bulk_begin(u64* barrier, u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bulk_address(barrier)), "r"(arrivals) : "memory");
}
// Copies, and other blocks of the cluster, see the barriers only after this.
__device__ __forceinline__ void bulk_begun() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// The memory may be used for something else: whoever tracks barriers is told that this is none any more.
__device__ __forceinline__ void bulk_end(u64* barrier) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(bulk_address(barrier)) : "memory");
}
// What this thread did before comes before what those do who wait.
__device__ __forceinline__ void bulk_arrive(u64* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bulk_address(barrier)) : "memory");
}
__device__ __forceinline__ void bulk_announce(u64* barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bulk_address(barrier)), "r"(bytes)
                 : "memory");
}
// Both addresses and the size are multiples of 16 bytes.
__device__ __forceinline__ void bulk_copy(void* to, const void* from, u32 bytes, u64* barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     bulk_address(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(bulk_address(barrier))
                 : "memory");
}
// The address of this block's memory in another block of the cluster.
__device__ __forceinline__ u32 bulk_there(const void* shared, u32 rank) {
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(bulk_address(shared)), "r"(rank));
    return there;
}
// Stores whole words in another block, whose barrier counts the bytes: whoever waits there sees them, and no fence has to
// wait for what this thread wrote before.
template <class T> __device__ __forceinline__ void bulk_send(u32 to, const T& value, u32 barrier) {
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
// Waits for the phase of that parity. The text is one line: a brace at the beginning of a line ends a kernel (slice.rs).
__device__ __forceinline__ void bulk_wait(u64* barrier, u32 parity) {
    u32 done;
    do {
        asm volatile(
            "{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
            : "=r"(done)
            : "r"(bulk_address(barrier)), "r"(parity)
            : "memory");
    } while (!done);
}

#endif

}  // namespace syntonic
