// Warpgroup matrix instructions (wgmma) of compute capability 9.0a: bf16 operands in shared memory, float32 accumulators in
// registers.
#pragma once
#include "bulk_copy.cuh"

namespace syntonic {

// What a matrix in shared memory looks like to wgmma: rows of 64 bytes along K, eight rows after the other, with the 16-byte
// units of a row exchanged by bits 7 and 8 of their address (the 64-byte swizzle). `shared` is a multiple of 512.
__device__ __forceinline__ u64 wgmma_rows_of_64(u32 shared) {
    constexpr u64 EIGHT_ROWS = 512 >> 4, SWIZZLE_64 = 2;
    return SWIZZLE_64 << 62 | EIGHT_ROWS << 32 | (u64)1 << 16 | (u64)((shared & 0x3FFFF) >> 4);
}

#if __CUDA_ARCH_FEAT_SM90_ALL

// Registers and shared memory that were written before are seen by the instructions that follow.
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Waits until at most N groups of this warpgroup are in flight.
template <int N> __device__ __forceinline__ void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// d = a b^T + keep d, for 64 rows of a and 128 rows of b along 16 columns of each. Thread t of the warpgroup holds of row
// 16 (t / 32) + t % 32 / 4 the columns 8 j + 2 (t % 4) + {0, 1} in d[4 j + {0, 1}], and of the row eight below in d[4 j + {2, 3}].
#define FOUR(k) "+f"(d[k]), "+f"(d[k + 1]), "+f"(d[k + 2]), "+f"(d[k + 3])
#define SIXTEEN(k) FOUR(k), FOUR(k + 4), FOUR(k + 8), FOUR(k + 12)
__device__ __forceinline__ void wgmma_bf16(float (&d)[64], u64 a, u64 b, u32 keep) {
    asm volatile(
        "{ .reg .pred keep; setp.ne.b32 keep, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
        "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
        "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
        "%62, %63}, %64, %65, keep, 1, 1, 0, 0; }"
        : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
        : "l"(a), "l"(b), "r"(keep)
        : "memory");
}
__device__ __forceinline__ void wgmma_bf16(float (&d)[96], u64 a, u64 b, u32 keep) {
    asm volatile(
        "{ .reg .pred keep; setp.ne.b32 keep, %98, 0; wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
        "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
        "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
        "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "
        "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, %96, %97, keep, 1, 1, 0, 0; }"
        : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80)
        : "l"(a), "l"(b), "r"(keep)
        : "memory");
}
#undef SIXTEEN
#undef FOUR

#endif

}  // namespace syntonic
