// Running sums of half types in even lines: contiguous aligned vectors. The few neighbours of a thread are added up in float, which holds eight such
// numbers exactly unless their sizes are 2^13 apart (2^10 for f16); totals of threads are doubles, and each result is the
// float before its thread plus the thread's own, rounded. It errs by 2^-20 of the sum of magnitudes beside its rounding.
#pragma once
#include "scan_columns.cuh"
#include "scan_lines.cuh"

__device__ __forceinline__ float2 both_of(bf16, u32 pair) {
    return float2{__uint_as_float(pair << 16), __uint_as_float(pair & 0xffff0000u)};
}
__device__ __forceinline__ float2 both_of(f16, u32 pair) {
    return float2{__half2float(__ushort_as_half(u16(pair))), __half2float(__ushort_as_half(u16(pair >> 16)))};
}
__device__ __forceinline__ u32 rounded_pair(bf16, float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const u32*>(&pair);
}
__device__ __forceinline__ u32 rounded_pair(f16, float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const u32*>(&pair);
}

// Each becomes the sum up to it; fours first, so that additions do not all wait for each other.
template <u32 N>
__device__ __forceinline__ void run_floats(float (&x)[N]) {
#pragma unroll
    for (u32 k = 0; k < N; k += 4) {
        x[k + 1] += x[k];
        x[k + 3] += x[k + 2];
        x[k + 2] += x[k + 1];
        x[k + 3] += x[k + 1];
    }
#pragma unroll
    for (u32 k = 4; k < N; k += 4) {
        const float before = x[k - 1];
#pragma unroll
        for (u32 j = 0; j < 4; ++j) x[k + j] += before;
    }
}

// Lines of whole vectors of eight, a warp each.
template <class T>
__device__ __forceinline__ void scan_even_lines(const ScanLines& p) {
    const u32 lane = threadIdx.x % 32;
    const u64 line = u64(blockIdx.x) * (THREADS / 32) + threadIdx.x / 32;
    if (line >= p.count) return;
    i64 at[2];
    p.lines.offsets(line, at);
    const uint4* from = reinterpret_cast<const uint4*>(reinterpret_cast<const T*>(p.from) + at[0]) + lane;
    uint4* to = reinterpret_cast<uint4*>(reinterpret_cast<T*>(p.to) + at[1]) + lane;
    f64 carry = 0;
    i64 left = i64(p.len / 8) - lane;
    uint4 next = left > 0 ? *from : uint4{0, 0, 0, 0};
#pragma unroll 1
    for (u64 round = 0; round < p.len; round += 32 * 8) {
        const u32 word[4] = {next.x, next.y, next.z, next.w};
        float x[8];
#pragma unroll
        for (u32 k = 0; k < 4; ++k) {
            const float2 both = both_of(T(), word[k]);
            x[2 * k] = both.x;
            x[2 * k + 1] = both.y;
        }
        // The loads of the next vectors are in flight while these are added up.
        from += 32;
        left -= 32;
        next = left > 0 ? *from : uint4{0, 0, 0, 0};
        run_floats(x);
        const f64 upto = warp_running<Sum>(f64(x[7]));
        f64 before = shifted_up(upto, 1);
        if (lane == 0) before = 0;
        const float start = float(carry + before);
        carry += of_lane(upto, 31);
        if (left > -32) {
            *to = uint4{rounded_pair(T(), start + x[0], start + x[1]), rounded_pair(T(), start + x[2], start + x[3]),
                        rounded_pair(T(), start + x[4], start + x[5]), rounded_pair(T(), start + x[6], start + x[7])};
        }
        to += 32;
    }
}

// Neighbouring columns, two a thread: a block of 16 warps goes down 64 of them, 16 rows a thread at a time.
constexpr u32 EVEN_WARPS = 16, EVEN_STEPS = 16;

__device__ __forceinline__ void read_pairs(u32 (&pair)[EVEN_STEPS], const char* from, i64 step, i64 left) {
    if (left >= EVEN_STEPS) {
#pragma unroll
        for (u32 k = 0; k < EVEN_STEPS; ++k) pair[k] = *reinterpret_cast<const u32*>(from + k * step);
    } else {
#pragma unroll
        for (u32 k = 0; k < EVEN_STEPS; ++k) pair[k] = k < left ? *reinterpret_cast<const u32*>(from + k * step) : 0;
    }
}

template <class T>
__device__ __forceinline__ void scan_even_strip(const ScanColumns& p) {
    constexpr u32 W = EVEN_WARPS, S = EVEN_STEPS;
    __shared__ double2 room[2][W][32];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const u64 column = (u64(blockIdx.x) * 32 + lane) * 2;
    const bool inside = column < p.count;
    const i64 from_step = p.from_step * i64(sizeof(T)), to_step = p.to_step * i64(sizeof(T));
    const char* from = reinterpret_cast<const char*>(reinterpret_cast<const T*>(p.from) + column) + warp * S * from_step;
    char* to = reinterpret_cast<char*>(reinterpret_cast<T*>(p.to) + column) + warp * S * to_step;
    // Rows from this thread's first one on. Lanes without columns only take part in the barriers.
    i64 left = inside ? i64(p.len) - warp * S : 0;
    double2 carry = {0, 0};
    u32 turn = 0, next[S];
    read_pairs(next, from, from_step, left);
#pragma unroll 1
    for (u64 base = 0; base < p.len; base += W * S, turn ^= 1) {
        float low[S], high[S];
#pragma unroll
        for (u32 k = 0; k < S; ++k) {
            const float2 both = both_of(T(), next[k]);
            low[k] = both.x;
            high[k] = both.y;
        }
        // The loads of the next tile are in flight while this one's totals are exchanged.
        from += i64(W * S) * from_step;
        read_pairs(next, from, from_step, left - i64(W * S));
        run_floats(low);
        run_floats(high);
        // Double-buffered, so one barrier a tile is enough.
        room[turn][warp][lane] = double2{low[S - 1], high[S - 1]};
        __syncthreads();
        double2 before = {0, 0}, all = {0, 0};
#pragma unroll
        for (u32 w = 0; w < W; ++w) {
            if (w == warp) before = all;
            const double2 total = room[turn][w][lane];
            all.x += total.x;
            all.y += total.y;
        }
        const float first = float(carry.x + before.x), second = float(carry.y + before.y);
        carry.x += all.x;
        carry.y += all.y;
        if (left >= i64(S)) {
#pragma unroll
            for (u32 k = 0; k < S; ++k)
                *reinterpret_cast<u32*>(to + k * to_step) = rounded_pair(T(), first + low[k], second + high[k]);
        } else {
#pragma unroll
            for (u32 k = 0; k < S; ++k)
                if (k < left) *reinterpret_cast<u32*>(to + k * to_step) = rounded_pair(T(), first + low[k], second + high[k]);
        }
        to += i64(W * S) * to_step;
        left -= i64(W * S);
    }
}
