// What blocks of one launch say to each other.
//
// A counter that several blocks share is zero before a launch, and whoever comes last leaves it so
// (crates/syntonic-cuda/src/tickets.rs).
#pragma once
#include "fold.cuh"

namespace syntonic {

// A value that another block wrote.
template <class Acc> __device__ __forceinline__ Acc seen(const Acc* at) {
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

// The same where it lies at a multiple of its size, or of 16 bytes: in as few accesses as there may be.
template <class Acc> __device__ __forceinline__ Acc seen_whole(const Acc* at) {
    constexpr int BYTES = sizeof(Acc);
    if constexpr (BYTES % 16 != 0) {
        return seen(at);
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

// Whether this block is the last of `count` that come by; what they wrote before is visible to it. The order of their
// values is their own, not that of their coming. The last ticket makes the count zero again.
__device__ __forceinline__ bool comes_last(u32* ticket, u32 count) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(ticket, count - 1) == count - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

// A gate that the others wait at until one block opens it, once what it wrote before is visible. Thread 0 calls this.
__device__ __forceinline__ void open_gate(u32* gate) {
    __threadfence();
    atomicAdd(gate, 1);
}

// Waits for that. Each of `count` blocks goes through once, and the last one closes the gate behind it. Whoever has to
// open it must have begun before: no block waits for one that may not have a place yet.
__device__ __forceinline__ void pass_gate(u32* gate, u32 count) {
    if (threadIdx.x == 0) {
        while (*static_cast<volatile const u32*>(gate) == 0) __nanosleep(100);
        __threadfence();
        atomicInc(gate, count);
    }
    __syncthreads();
}

}  // namespace syntonic
