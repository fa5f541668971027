// Reading elements from where offsets point, or from where strides lead when there are none.
#include "contract_gather.cuh"
#include "cells.cuh"

constexpr u32 BLOCK = 256;
constexpr u32 PER = 4;

// out[p · strides] = source[p · strides + offsets[p]].
template <class T, class S>
__device__ __forceinline__ void gather(const Gather<S>& p) {
    using Position = PositionOf<S>;
    T* to = reinterpret_cast<T*>(p.to);
    const T* from = reinterpret_cast<const T*>(p.from);
    const i64* index = reinterpret_cast<const i64*>(p.index);
    const Position count = Position(p.count);
    for (Position base = Position(blockIdx.x) * (BLOCK * PER) + threadIdx.x; base < count;
         base += Position(gridDim.x) * (BLOCK * PER)) {
        OffsetOf<S> at[PER][3];
        T value[PER];
#pragma unroll
        for (u32 i = 0; i < PER; ++i) {
            // The last positions stand in for those beyond the end; they are not stored.
            Position here = base + i * BLOCK;
            p.space.offsets(here < count ? here : count - 1, at[i]);
        }
        i64 jump[PER];
#pragma unroll
        for (u32 i = 0; i < PER; ++i) jump[i] = index ? __ldg(index + at[i][2]) : 0;
#pragma unroll
        for (u32 i = 0; i < PER; ++i) value[i] = from[at[i][1] + jump[i]];
#pragma unroll
        for (u32 i = 0; i < PER; ++i)
            if (base + i * BLOCK < count) to[at[i][0]] = value[i];
    }
}

// The same where the innermost axis is one run of memory in both and has one offset: `lanes` threads
// copy `piece` elements of a run of `len` at a time.
template <class V>
__device__ __forceinline__ void copy_run(V* to, const V* from, u64 n, u32 lane, u32 lanes) {
    u64 i = lane;
    for (; i + 3 * lanes < n; i += 4 * lanes) {
        V a = from[i], b = from[i + lanes], c = from[i + 2 * lanes], d = from[i + 3 * lanes];
        to[i] = a;
        to[i + lanes] = b;
        to[i + 2 * lanes] = c;
        to[i + 3 * lanes] = d;
    }
    for (; i < n; i += lanes) to[i] = from[i];
}

template <class T>
__device__ __forceinline__ void gather_runs(const GatherRuns& p) {
    const i64* index = reinterpret_cast<const i64*>(p.index);
    u32 lane = threadIdx.x & (p.lanes - 1);
    u32 groups = BLOCK / p.lanes;
    u64 items = p.count * p.pieces;
    for (u64 item = u64(blockIdx.x) * groups + threadIdx.x / p.lanes; item < items;
         item += u64(gridDim.x) * groups) {
        u64 row = quotient(item, p.pieces);
        u64 first = (item - row * p.pieces) * p.piece;
        i64 at[3];
        p.space.offsets(row, at);
        i64 jump = index ? __ldg(index + at[2]) : 0;
        T* to = reinterpret_cast<T*>(p.to) + at[0] + first;
        const T* from = reinterpret_cast<const T*>(p.from) + at[1] + jump + first;
        u64 n = min(p.piece, p.len - first);
        u64 bits = reinterpret_cast<u64>(to) | reinterpret_cast<u64>(from) | (n * sizeof(T));
        if ((bits & 15) == 0)
            copy_run(reinterpret_cast<uint4*>(to), reinterpret_cast<const uint4*>(from),
                     n * sizeof(T) / 16, lane, p.lanes);
        else if (sizeof(T) < 8 && (bits & 7) == 0)
            copy_run(reinterpret_cast<u64*>(to), reinterpret_cast<const u64*>(from),
                     n * sizeof(T) / 8, lane, p.lanes);
        else if (sizeof(T) < 4 && (bits & 3) == 0)
            copy_run(reinterpret_cast<u32*>(to), reinterpret_cast<const u32*>(from),
                     n * sizeof(T) / 4, lane, p.lanes);
        else
            copy_run(to, from, n, lane, p.lanes);
    }
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        gather_##T(const __grid_constant__ Gather<walk::Narrow<3>> p) {                           \
        gather<T>(p);                                                                             \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        gather_##T##_wide(const __grid_constant__ Gather<walk::Wide<3>> p) {                      \
        gather<T>(p);                                                                             \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        gather_##T##_runs(const __grid_constant__ GatherRuns p) {                                 \
        gather_runs<T>(p);                                                                        \
    }
FOR_EACH_CELL(ENTRY)
#undef ENTRY
