// Running sums and products of many neighbouring lines: a block goes down a strip of 32 of them, and reads and writes every
// element once.
#pragma once
#include "scan_columns.cuh"

constexpr u32 STRIP_WARPS = 16;
// Neighbouring elements of a line that a thread takes at once.
template <class T> constexpr u32 STEPS = sizeof(T) <= 4 ? 8 : 32 / sizeof(T);

template <class T>
__device__ __forceinline__ void read_steps(T (&value)[STEPS<T>], const T* from, i64 step, u64 first, u64 end) {
#pragma unroll
    for (u32 k = 0; k < STEPS<T>; ++k)
        if (first + k < end) value[k] = from[i64(first + k) * step];
}

template <class T, class J>
__device__ __forceinline__ void scan_strip(const ScanColumns& p) {
    using R = Running<T>;
    using A = typename R::In;
    constexpr u64 TILE = STRIP_WARPS * STEPS<T>;
    __shared__ __align__(16) unsigned char room[2][STRIP_WARPS * 32 * sizeof(A)];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    u32 turn = 0;
    for (u64 strip = blockIdx.x; strip * 32 < p.count; strip += gridDim.x) {
        const bool inside = strip * 32 + lane < p.count;
        const u64 line = inside ? strip * 32 + lane : strip * 32;
        // Lanes without a line only take part in the barriers.
        const u64 end = inside ? p.len : 0;
        i64 at[2];
        p.lines.offsets(line, at);
        const T* from = reinterpret_cast<const T*>(p.from) + at[0];
        T* to = reinterpret_cast<T*>(p.to) + at[1];
        A carry = identity<J, A>();
        if (p.lead) {
            if (warp == 0 && inside) *to = R::narrow(carry);
            to += p.to_step;
        }
        T next[STEPS<T>];
        read_steps<T>(next, from, p.from_step, warp * STEPS<T>, end);
        for (u64 base = 0; base < p.len; base += TILE, ++turn) {
            const u64 first = base + warp * STEPS<T>;
            A upto[STEPS<T>], sum = identity<J, A>();
#pragma unroll
            for (u32 k = 0; k < STEPS<T>; ++k) {
                if (first + k < end) sum = J::join(sum, R::widen(next[k]));
                upto[k] = sum;
            }
            // The loads of the next tile are in flight while this one's totals are exchanged.
            read_steps<T>(next, from, p.from_step, first + TILE, end);
            // Double-buffered, so one barrier a tile is enough.
            A* totals = reinterpret_cast<A*>(room[turn & 1]);
            totals[warp * 32 + lane] = sum;
            __syncthreads();
            A start = carry;
#pragma unroll
            for (u32 w = 0; w < STRIP_WARPS; ++w) {
                if (w == warp) start = carry;
                carry = J::join(carry, totals[w * 32 + lane]);
            }
#pragma unroll
            for (u32 k = 0; k < STEPS<T>; ++k)
                if (first + k < end) to[i64(first + k) * p.to_step] = R::narrow(J::join(start, upto[k]));
        }
    }
}
