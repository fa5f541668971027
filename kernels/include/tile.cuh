// Stable ranks of a tile of digits within one block.
#pragma once
#include <cstdint>

namespace tile {

const int DIGITS = 256;

/// Lanes of the warp that hold the same 8-bit digit. Written out, since the compiler makes twice the
/// instructions of the same choice between votes and their complement.
__device__ __forceinline__ uint32_t peers(uint32_t digit) {
    uint32_t same = 0xFFFFFFFFu;
#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
        uint32_t agree;
        asm("{\n\t"
            ".reg .pred one;\n\t"
            ".reg .u32 masked, votes;\n\t"
            "and.b32 masked, %1, %2;\n\t"
            "setp.ne.u32 one, masked, 0;\n\t"
            "vote.sync.ballot.b32 votes, one, 0xffffffff;\n\t"
            "@!one not.b32 votes, votes;\n\t"
            "mov.u32 %0, votes;\n\t"
            "}"
            : "=r"(agree)
            : "r"(digit), "r"(1u << bit));
        same &= agree;
    }
    return same;
}

/// Counts one warp's digits, and finds the place of each item among the equal ones before it in the warp.
/// Item `i` of all lanes comes before item `i + 1`. `counts` are this warp's, cleared.
///
/// The lowest lane of each digit counts for all that hold it. What it is told is passed on only after a few
/// more items, so that their counting is under way meanwhile.
template <int ITEMS, class Digit>
__device__ __forceinline__ void warp_ranks(Digit digit, uint32_t *counts, uint32_t (&ranks)[ITEMS]) {
    const int GROUP = 4;
    const uint32_t below = (1u << (threadIdx.x & 31)) - 1;
#pragma unroll
    for (int first = 0; first < ITEMS; first += GROUP) {
        uint32_t before[GROUP], same[GROUP];
#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            if (first + k >= ITEMS) continue;
            const uint32_t d = digit(first + k);
            same[k] = peers(d);
            before[k] = 0;
            if ((same[k] & below) == 0) before[k] = atomicAdd(&counts[d], __popc(same[k]));
            __syncwarp();
        }
#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            if (first + k >= ITEMS) continue;
            uint32_t told = __shfl_sync(0xFFFFFFFFu, before[k], __ffs(same[k]) - 1);
            ranks[first + k] = told + __popc(same[k] & below);
        }
    }
}

/// Inclusive sum over the lanes of a warp.
__device__ __forceinline__ uint32_t warp_sum(uint32_t x) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(0xFFFFFFFFu, x, step);
        if ((threadIdx.x & 31) >= step) x += other;
    }
    return x;
}

/// Exclusive sum of one value for each of the first 256 threads; all threads of the block must call it.
/// `partial` has room for 8 values that nobody else uses meanwhile.
__device__ __forceinline__ uint32_t digit_starts(uint32_t count, uint32_t *partial) {
    uint32_t sum = 0;
    if (threadIdx.x < DIGITS) {
        sum = warp_sum(count);
        if ((threadIdx.x & 31) == 31) partial[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    uint32_t before = 0;
    if (threadIdx.x < DIGITS) {
        for (uint32_t w = 0; w < threadIdx.x / 32; w++) before += partial[w];
    }
    return before + sum - count;
}

/// How many items of digit `threadIdx.x` all warps have.
template <int WARPS>
__device__ __forceinline__ uint32_t all_warps(uint32_t (*counts)[DIGITS]) {
    uint32_t sum = 0;
    if (threadIdx.x < DIGITS) {
#pragma unroll
        for (int w = 0; w < WARPS; w++) sum += counts[w][threadIdx.x];
    }
    return sum;
}

/// Turns the counts of each warp into where its items of a digit begin, if those of digit `threadIdx.x`
/// begin at `begin`.
template <int WARPS>
__device__ __forceinline__ void warp_starts(uint32_t (*counts)[DIGITS], uint32_t begin) {
    if (threadIdx.x < DIGITS) {
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            uint32_t count = counts[w][threadIdx.x];
            counts[w][threadIdx.x] = begin;
            begin += count;
        }
    }
}

}  // namespace tile
