// The thread blocks of one search, which wait for each other: all of a cooperative launch, or one alone.
#pragma once
#include "native_types.cuh"

struct Team {
    u32 rank, size;  // this block, and how many there are
    u32* arrived;    // 0 before the launch
    u32 awaited;     // arrivals after the next barrier, thread 0's

    __device__ __forceinline__ Team(u32 rank, u32 size, u32* arrived) : rank(rank), size(size), arrived(arrived), awaited(0) {}

    // What any block wrote before is visible to every block afterwards.
    __device__ __forceinline__ void wait() {
        __syncthreads();
        if (size == 1) return;
        if (threadIdx.x == 0) {
            awaited += size;
            __threadfence();
            atomicAdd(arrived, 1u);
            u32 now;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
            } while (now < awaited);
            __threadfence();
        }
        __syncthreads();
    }
    // The jobs of a thread, of a warp and of a block: from the first to the last by so many.
    __device__ __forceinline__ u64 thread() const { return u64(rank) * blockDim.x + threadIdx.x; }
    __device__ __forceinline__ u64 threads() const { return u64(size) * blockDim.x; }
    __device__ __forceinline__ u64 warp() const { return u64(rank) * (blockDim.x / 32) + threadIdx.x / 32; }
    __device__ __forceinline__ u64 warps() const { return u64(size) * (blockDim.x / 32); }
};
