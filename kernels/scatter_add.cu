// Adding elements to where offsets point, in the order of positions and rounded each time, as the CPU
// does. Where positions never meet each adds for itself; integers, whose sums do not depend on the
// order, add with atomics; floats are brought together by a stable sort of where they go, and one
// thread adds those of an element from first to last.
#include <cstring>

#include "contract_scatter_add.cuh"
#include "native_types.cuh"

constexpr u32 BLOCK = 256;

// target[p · strides + offsets[p]] += values[p].
template <class T>
__device__ __forceinline__ void add_alone(T* to, T value) {
    *to = plus(*to, value);
}

__device__ __forceinline__ void add_atomic(u64* to, u64 value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), value);
}
__device__ __forceinline__ void add_atomic(u32* to, u32 value) { atomicAdd(to, value); }

// An integer narrower than what atomics take, within the aligned word that holds it. A sum that
// carries out of its own bits is cut off.
template <class T>
__device__ __forceinline__ void add_within(T* to, T value) {
    u64 address = reinterpret_cast<u64>(to);
    u32* word = reinterpret_cast<u32*>(address & ~u64(3));
    u32 shift = u32(address & 3) * 8;
    u32 mask = u32(T(~T(0))) << shift;
    u32 old = *reinterpret_cast<volatile u32*>(word), seen;
    do {
        seen = old;
        u32 sum = ((seen & mask) + (u32(value) << shift)) & mask;
        old = atomicCAS(word, seen, (seen & ~mask) | sum);
    } while (old != seen);
}
__device__ __forceinline__ void add_atomic(u8* to, u8 value) { add_within(to, value); }
__device__ __forceinline__ void add_atomic(u16* to, u16 value) { add_within(to, value); }

enum class Meet { Never, Atomic };

template <class T, Meet M>
__device__ __forceinline__ void scatter_add(const ScatterAdd& p) {
    T* to = reinterpret_cast<T*>(p.to);
    const T* from = reinterpret_cast<const T*>(p.from);
    const i64* index = reinterpret_cast<const i64*>(p.index);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        i64 at[3];
        p.space.offsets(i, at);
        T* place = to + at[0] + __ldg(index + at[2]);
        if constexpr (M == Meet::Never)
            add_alone(place, from[at[1]]);
        else
            add_atomic(place, from[at[1]]);
    }
}

// Where each position goes, over the axes that decide who meets.
extern "C" __global__ void __launch_bounds__(BLOCK) scatter_add_keys(const __grid_constant__ AddKeys p) {
    i64* keys = reinterpret_cast<i64*>(p.keys);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        i64 at[2];
        p.space.offsets(i, at);
        keys[i] = at[0] + reinterpret_cast<const i64*>(p.index)[at[1]];
    }
}

// The additions of each group of equal keys. `inner` are the axes along which offsets do not vary and
// positions never meet.

// Values read before the first of them is added.
constexpr int AHEAD = 8;

// The value of another lane, whatever its type.
template <class T>
__device__ __forceinline__ T of_lane(T value, u32 lane) {
    constexpr int WORDS = sizeof(T) < 4 ? 1 : sizeof(T) / 4;
    u32 words[WORDS] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int w = 0; w < WORDS; ++w) words[w] = __shfl_sync(~0u, words[w], lane);
    memcpy(&value, words, sizeof(T));
    return value;
}

// The same where there are no inner axes: a lane adds a short group, the warp reads a long one.
template <class T>
__device__ __forceinline__ void add_lines(const AddGroups& p) {
    const i64* keys = reinterpret_cast<const i64*>(p.keys);
    const i64* order = reinterpret_cast<const i64*>(p.order);
    const T* from = reinterpret_cast<const T*>(p.from);
    T* to = reinterpret_cast<T*>(p.to);
    u32 lane = threadIdx.x % 32;
    u64 n = p.count;
    auto value_at = [&](u64 place) {
        i64 by[1];
        p.outer.offsets(u64(order[place]), by);
        return from[by[0]];
    };
    for (u64 base = u64(blockIdx.x) * BLOCK + threadIdx.x - lane; base < n; base += u64(gridDim.x) * BLOCK) {
        u64 i = base + lane;
        i64 key = i < n ? keys[i] : 0;
        bool head = i < n && (i == 0 || keys[i - 1] != key);
        bool is_long = head && i + 32 < n && keys[i + 32] == key;
        if (head && !is_long) {
            T sum = to[key];
            for (u64 j = i; j < n && keys[j] == key; ++j) sum = plus(sum, value_at(j));
            to[key] = sum;
        }
        for (u32 todo = __ballot_sync(~0u, is_long); todo; todo &= todo - 1) {
            u32 source = __ffs(todo) - 1;
            i64 own = of_lane(key, source);
            T sum = to[own];
            u32 count = 32;
            T next{};
            u64 j = base + source + lane;
            if (j < n && keys[j] == own) next = value_at(j);
            for (; count == 32; j += 32) {
                T value = next;
                count = __popc(__ballot_sync(~0u, j < n && keys[j] == own));
                if (j + 32 < n && keys[j + 32] == own) next = value_at(j + 32);
#pragma unroll
                for (u32 k = 0; k < 32; ++k) {
                    T other = of_lane(value, k);
                    if (k < count) sum = plus(sum, other);
                }
            }
            if (lane == 0) to[own] = sum;
        }
    }
}

template <class T>
__device__ __forceinline__ void add_groups(const AddGroups& p) {
    const i64* keys = reinterpret_cast<const i64*>(p.keys);
    const i64* order = reinterpret_cast<const i64*>(p.order);
    u64 n = p.count, width = p.width;
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < n * width; i += u64(gridDim.x) * BLOCK) {
        u64 first = quotient(i, width);
        i64 key = keys[first];
        if (first > 0 && keys[first - 1] == key) continue;
        i64 at[2];
        p.inner.offsets(i - first * width, at);
        T* place = reinterpret_cast<T*>(p.to) + at[0] + key;
        const T* from = reinterpret_cast<const T*>(p.from) + at[1];
        T sum = *place;
        for (u64 j = first; j < n; j += AHEAD) {
            T value[AHEAD];
            bool mine[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; ++k) {
                mine[k] = j + k < n && keys[j + k] == key;
                if (mine[k]) {
                    i64 by[1];
                    p.outer.offsets(u64(order[j + k]), by);
                    value[k] = from[by[0]];
                }
            }
#pragma unroll
            for (int k = 0; k < AHEAD; ++k)
                if (mine[k]) sum = plus(sum, value[k]);
            if (!mine[AHEAD - 1]) break;
        }
        *place = sum;
    }
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        scatter_add_##T(const __grid_constant__ ScatterAdd p) {                                   \
        scatter_add<T, Meet::Never>(p);                                                           \
    }
FOR_EACH_SUM(ENTRY)
#undef ENTRY
#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        scatter_add_##T##_atomic(const __grid_constant__ ScatterAdd p) {                          \
        scatter_add<T, Meet::Atomic>(p);                                                          \
    }
ENTRY(u8)
ENTRY(u16)
ENTRY(u32)
ENTRY(u64)
#undef ENTRY
#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        scatter_add_##T##_groups(const __grid_constant__ AddGroups p) {                           \
        add_groups<T>(p);                                                                         \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        scatter_add_##T##_lines(const __grid_constant__ AddGroups p) {                            \
        add_lines<T>(p);                                                                          \
    }
ENTRY(f16)
ENTRY(bf16)
ENTRY(f32)
ENTRY(f64)
ENTRY(c64)
ENTRY(c128)
#undef ENTRY
