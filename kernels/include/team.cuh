// The thread blocks of one search, which wait for each other: all of a cooperative launch, or one alone.
#pragma once
#include "native_types.cuh"

struct Team {
    u32 rank, size;  // this block, and how many there are
    u32* arrived;    // arrivals, and those of the last barrier that was released: both 0 before the launch
    u32 awaited;     // arrivals after the next barrier, thread 0's

    __device__ __forceinline__ Team(u32 rank, u32 size, u32* arrived) : rank(rank), size(size), arrived(arrived), awaited(0) {}

    // What any block wrote before is visible to every block afterwards.
    __device__ __forceinline__ void wait() {
        __syncthreads();
        if (size == 1) return;
        if (threadIdx.x == 0) {
            awaited += size;
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
            poll(arrived);
        }
        __syncthreads();
    }
    // The same, and the block that arrives last works before it lets the others go on.
    template <class Work>
    __device__ __forceinline__ void wait_for(Work&& work) {
        __shared__ u32 last;
        if (threadIdx.x == 0) last = 1;
        __syncthreads();
        if (size > 1 && threadIdx.x == 0) {
            awaited += size;
            u32 before;
            asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(arrived) : "memory");
            last = before + 1 == awaited;
        }
        __syncthreads();
        if (last) work();
        __syncthreads();
        if (size == 1) return;
        if (threadIdx.x == 0) {
            if (last) {
                asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(arrived + 1), "r"(awaited) : "memory");
            } else {
                poll(arrived + 1);
            }
        }
        __syncthreads();
    }
    // The jobs of a thread, of a warp and of a block: from the first to the last by so many.
    __device__ __forceinline__ u64 thread() const { return u64(rank) * blockDim.x + threadIdx.x; }
    __device__ __forceinline__ u64 threads() const { return u64(size) * blockDim.x; }
    __device__ __forceinline__ u64 warp() const { return u64(rank) * (blockDim.x / 32) + threadIdx.x / 32; }
    __device__ __forceinline__ u64 warps() const { return u64(size) * (blockDim.x / 32); }

private:
    __device__ __forceinline__ void poll(u32* count) const {
        u32 now;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(count) : "memory");
        } while (now < awaited);
    }
};
