// Communication between the blocks of a launch: reads past L1, the last-block counter, and a ready flag.
//
// A counter that blocks share is zero before a launch, and the last block resets it (crates/syntonic-cuda/src/tickets.rs).
#pragma once
#include "fold.cuh"

namespace syntonic {

// Reads a value that another block wrote, from L2.
template <class Acc> __device__ __forceinline__ Acc read_l2(const Acc* at) {
    static_assert(sizeof(Acc) % 4 == 0, "whole words");
    constexpr int WORDS = sizeof(Acc) / 4;
    union Bits {
        u32 word[WORDS];
        Acc value;
        __device__ Bits() {}
    } bits;
#pragma unroll
    for (int k = 0; k < WORDS; ++k) bits.word[k] = __ldcg(reinterpret_cast<const u32*>(at) + k);
    return bits.value;
}

// The same for a value aligned to its size or to 16 bytes, by vector loads.
template <class Acc> __device__ __forceinline__ Acc read_l2_vector(const Acc* at) {
    constexpr int BYTES = sizeof(Acc);
    if constexpr (BYTES % 16 != 0) {
        return read_l2(at);
    } else {
        union Bits {
            uint4 vector[BYTES / 16];
            Acc value;
            __device__ Bits() {}
        } bits;
#pragma unroll
        for (int k = 0; k < BYTES / 16; ++k) bits.vector[k] = __ldcg(reinterpret_cast<const uint4*>(at) + k);
        return bits.value;
    }
}

// Last-block counter: true in the last of `count` blocks to call this, to which the earlier writes of the others are visible. The
// last call resets the counter.
__device__ __forceinline__ bool comes_last(u32* counter, u32 count) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(counter, count - 1) == count - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

// Sets a ready flag, and publishes the block's earlier writes. Thread 0 calls this.
__device__ __forceinline__ void set_ready(u32* flag) {
    __threadfence();
    atomicAdd(flag, 1);
}

// Waits for the flag. Each of `count` blocks waits once, and the last one resets it. The block that sets the flag must have begun
// before: a block may not wait for one that is not resident yet.
__device__ __forceinline__ void await_ready(u32* flag, u32 count) {
    if (threadIdx.x == 0) {
        while (*static_cast<volatile const u32*>(flag) == 0) __nanosleep(100);
        __threadfence();
        atomicInc(flag, count);
    }
    __syncthreads();
}

}  // namespace syntonic
