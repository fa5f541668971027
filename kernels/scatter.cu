// Writing elements to where offsets point. Of several values for one element the last stays: each
// element's last position is found first, in a hash table, and the others are left out.
#include "contract_scatter.cuh"
#include "cells.cuh"

constexpr u32 BLOCK = 256;
constexpr u32 PER = 4;

// target[p · strides + offsets[p]] = values[p] where keep[p].
template <class T, class S>
__device__ __forceinline__ void scatter(const Scatter<S>& p) {
    using Position = PositionOf<S>;
    T* to = reinterpret_cast<T*>(p.to);
    const T* from = reinterpret_cast<const T*>(p.from);
    const i64* index = reinterpret_cast<const i64*>(p.index);
    const u8* keep = reinterpret_cast<const u8*>(p.keep);
    const Position count = Position(p.count);
    for (Position base = Position(blockIdx.x) * (BLOCK * PER) + threadIdx.x; base < count;
         base += Position(gridDim.x) * (BLOCK * PER)) {
        OffsetOf<S> at[PER][4];
        bool kept[PER];
        i64 jump[PER];
        T value[PER];
#pragma unroll
        for (u32 i = 0; i < PER; ++i) {
            Position here = base + i * BLOCK;
            p.space.offsets(here < count ? here : count - 1, at[i]);
            kept[i] = here < count;
        }
#pragma unroll
        for (u32 i = 0; i < PER; ++i) {
            kept[i] = kept[i] && (!keep || keep[at[i][3]] != 0);
            jump[i] = __ldg(index + at[i][2]);
            value[i] = from[at[i][1]];
        }
#pragma unroll
        for (u32 i = 0; i < PER; ++i)
            if (kept[i]) to[at[i][0] + jump[i]] = value[i];
    }
}

// The table of claims: open addresses, `mask + 1` slots, at least twice as many as positions. Bytes
// of EMPTY mark a free slot: no offset is as small, and every position is larger.
struct Slot {
    i64 key, last;
};
constexpr i64 EMPTY = i64(0x8080808080808080ull);

__device__ __forceinline__ u64 mixed(i64 key) {
    u64 h = u64(key) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 32);
}

__device__ __forceinline__ i64 key_of(const Claim& p, u64 position) {
    i64 at[2];
    p.space.offsets(position, at);
    return at[0] + reinterpret_cast<const i64*>(p.index)[at[1]];
}

extern "C" __global__ void __launch_bounds__(BLOCK) scatter_claim(const __grid_constant__ Claim p) {
    Slot* table = reinterpret_cast<Slot*>(p.table);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        i64 key = key_of(p, i);
        for (u64 s = mixed(key) & p.mask;; s = (s + 1) & p.mask) {
            u64 found = atomicCAS(reinterpret_cast<unsigned long long*>(&table[s].key), u64(EMPTY), u64(key));
            if (found == u64(EMPTY) || found == u64(key)) {
                atomicMax(reinterpret_cast<long long*>(&table[s].last), i64(i));
                break;
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) scatter_settle(const __grid_constant__ Claim p) {
    const Slot* table = reinterpret_cast<const Slot*>(p.table);
    u8* keep = reinterpret_cast<u8*>(p.keep);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        i64 key = key_of(p, i);
        u64 s = mixed(key) & p.mask;
        while (table[s].key != key) s = (s + 1) & p.mask;
        keep[i] = table[s].last == i64(i);
    }
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        scatter_##T(const __grid_constant__ Scatter<walk::Narrow<4>> p) {                         \
        scatter<T>(p);                                                                            \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        scatter_##T##_wide(const __grid_constant__ Scatter<walk::Wide<4>> p) {                    \
        scatter<T>(p);                                                                            \
    }
FOR_EACH_CELL(ENTRY)
#undef ENTRY
