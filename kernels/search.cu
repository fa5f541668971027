// Looking elements up in a sorted vector, runs of equal neighbours, and counting small integers.
#include "contract_search.cuh"
#include "native_types.cuh"

constexpr u32 BLOCK = 256;

// An integer, or a few, whose order is that of the elements: NaN last, -0.0 as 0.0.
template <class T>
struct Rank;
#define RANK(T, U, FLIP)                                                                          \
    template <>                                                                                   \
    struct Rank<T> {                                                                              \
        using Type = U;                                                                           \
        static __device__ __forceinline__ U of(T x) { return U(U(x) ^ U(FLIP)); }                 \
    };
RANK(u8, u8, 0)
RANK(u16, u16, 0)
RANK(u32, u32, 0)
RANK(u64, u64, 0)
RANK(i8, u8, 0x80)
RANK(i16, u16, 0x8000)
RANK(i32, u32, 0x80000000u)
RANK(i64, u64, 0x8000000000000000ull)
#undef RANK

// Negative numbers descend with their bits, the others ascend above them.
template <class U>
__device__ __forceinline__ U float_rank(U bits, bool nan, bool zero) {
    constexpr U SIGN = U(1) << (sizeof(U) * 8 - 1);
    if (nan) return U(~U(0));
    if (zero) return SIGN;
    return bits & SIGN ? U(~bits) : U(bits | SIGN);
}
template <>
struct Rank<f16> {
    using Type = u16;
    static __device__ __forceinline__ u16 of(f16 x) {
        u16 bits = __half_as_ushort(x);
        u16 size = bits & 0x7FFF;
        return float_rank<u16>(bits, size > 0x7C00, size == 0);
    }
};
template <>
struct Rank<bf16> {
    using Type = u16;
    static __device__ __forceinline__ u16 of(bf16 x) {
        u16 bits = __bfloat16_as_ushort(x);
        u16 size = bits & 0x7FFF;
        return float_rank<u16>(bits, size > 0x7F80, size == 0);
    }
};
template <>
struct Rank<f32> {
    using Type = u32;
    static __device__ __forceinline__ u32 of(f32 x) {
        return float_rank<u32>(__float_as_uint(x), x != x, x == 0);
    }
};
template <>
struct Rank<f64> {
    using Type = u64;
    static __device__ __forceinline__ u64 of(f64 x) {
        return float_rank<u64>(u64(__double_as_longlong(x)), x != x, x == 0);
    }
};

// Which parts are NaN, then the real and the imaginary part.
template <class U>
struct PairRank {
    u32 nan;
    U re, im;
    __device__ __forceinline__ bool operator<(const PairRank& o) const {
        if (nan != o.nan) return nan < o.nan;
        return re != o.re ? re < o.re : im < o.im;
    }
};
template <class P, class U>
__device__ __forceinline__ PairRank<U> pair_rank(P re, P im) {
    return PairRank<U>{u32(re != re) << 1 | u32(im != im), Rank<P>::of(re), Rank<P>::of(im)};
}
template <>
struct Rank<c64> {
    using Type = PairRank<u32>;
    static __device__ __forceinline__ Type of(c64 x) { return pair_rank<f32, u32>(x.re, x.im); }
};
template <>
struct Rank<c128> {
    using Type = PairRank<u64>;
    static __device__ __forceinline__ Type of(c128 x) { return pair_rank<f64, u64>(x.re, x.im); }
};

template <class T>
__device__ __forceinline__ void search(const Search& p) {
    const T* table = reinterpret_cast<const T*>(p.table);
    const T* wanted = reinterpret_cast<const T*>(p.wanted);
    i64* to = reinterpret_cast<i64*>(p.to);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        auto x = Rank<T>::of(wanted[i]);
        u64 low = 0, high = p.len;
        while (low < high) {
            u64 middle = low + (high - low) / 2;
            auto y = Rank<T>::of(table[i64(middle) * p.step]);
            bool below = p.right ? !(x < y) : y < x;
            low = below ? middle + 1 : low;
            high = below ? high : middle;
        }
        to[i] = i64(low);
    }
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        searchsorted_##T(const __grid_constant__ Search p) {                                      \
        search<T>(p);                                                                             \
    }
ENTRY(i8)
ENTRY(i16)
ENTRY(i32)
ENTRY(i64)
ENTRY(u8)
ENTRY(u16)
ENTRY(u32)
ENTRY(u64)
ENTRY(f16)
ENTRY(bf16)
ENTRY(f32)
ENTRY(f64)
ENTRY(c64)
ENTRY(c128)
#undef ENTRY

// Runs of equal neighbours: how many begin in each part, where each part starts, and then their
// places.

constexpr u32 RUN = 8;
constexpr u32 PART = BLOCK * RUN;

// NaN differs from itself, and -0.0 equals 0.0.
template <class T>
__device__ __forceinline__ bool differ(T a, T b) {
    return a != b;
}
__device__ __forceinline__ bool differ(f16 a, f16 b) { return __half2float(a) != __half2float(b); }
__device__ __forceinline__ bool differ(bf16 a, bf16 b) {
    return __bfloat162float(a) != __bfloat162float(b);
}
__device__ __forceinline__ bool differ(c64 a, c64 b) { return a.re != b.re || a.im != b.im; }
__device__ __forceinline__ bool differ(c128 a, c128 b) { return a.re != b.re || a.im != b.im; }

template <class T>
__device__ __forceinline__ u32 heads(const Groups& p, u64 first) {
    const T* sorted = reinterpret_cast<const T*>(p.sorted);
    u32 bits = 0;
#pragma unroll
    for (u32 i = 0; i < RUN; ++i) {
        u64 at = first + i;
        if (at < p.len && (at == 0 || differ(sorted[at], sorted[at - 1]))) bits |= 1u << i;
    }
    return bits;
}

// What the threads of the block before this one have, and all of them.
__device__ __forceinline__ u64 before(u64 count, u64& total) {
    __shared__ u64 warps[BLOCK / 32];
    u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    u64 sum = count;
#pragma unroll
    for (u32 d = 1; d < 32; d *= 2) {
        u64 other = __shfl_up_sync(~0u, sum, d);
        if (lane >= d) sum += other;
    }
    __syncthreads();
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    u64 base = 0;
    total = 0;
#pragma unroll
    for (u32 w = 0; w < BLOCK / 32; ++w) {
        if (w < warp) base += warps[w];
        total += warps[w];
    }
    return base + sum - count;
}

template <class T>
__device__ __forceinline__ void group_counts(const Groups& p) {
    u64* counts = reinterpret_cast<u64*>(p.counts);
    u64 parts = (p.len + PART - 1) / PART;
    for (u64 part = blockIdx.x; part < parts; part += gridDim.x) {
        u64 total;
        before(__popc(heads<T>(p, part * PART + threadIdx.x * RUN)), total);
        if (threadIdx.x == 0) counts[part] = total;
    }
}

// One block: the counts of all parts become what lies before each; the number of runs is their sum.
extern "C" __global__ void __launch_bounds__(BLOCK)
    unique_groups_starts(const __grid_constant__ Groups p) {
    u64* counts = reinterpret_cast<u64*>(p.counts);
    u64 parts = (p.len + PART - 1) / PART;
    u64 sum = 0;
    for (u64 base = 0; base < parts; base += BLOCK) {
        u64 at = base + threadIdx.x, total;
        u64 mine = before(at < parts ? counts[at] : 0, total);
        if (at < parts) counts[at] = sum + mine;
        sum += total;
    }
    if (threadIdx.x == 0) *reinterpret_cast<i64*>(p.number) = i64(sum);
}

template <class T>
__device__ __forceinline__ void group_places(const Groups& p) {
    const u64* counts = reinterpret_cast<const u64*>(p.counts);
    const i64* order = reinterpret_cast<const i64*>(p.order);
    i64* starts = reinterpret_cast<i64*>(p.starts);
    i64* inverse = reinterpret_cast<i64*>(p.inverse);
    u64 parts = (p.len + PART - 1) / PART;
    for (u64 part = blockIdx.x; part < parts; part += gridDim.x) {
        u64 first = part * PART + threadIdx.x * RUN;
        u32 bits = heads<T>(p, first);
        u64 total;
        u64 run = counts[part] + before(__popc(bits), total);
        for (u32 i = 0; i < RUN && first + i < p.len; ++i) {
            if (bits >> i & 1) starts[run++] = i64(first + i);
            inverse[order[first + i]] = i64(run) - 1;
        }
    }
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        unique_groups_##T##_counts(const __grid_constant__ Groups p) {                            \
        group_counts<T>(p);                                                                       \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        unique_groups_##T##_places(const __grid_constant__ Groups p) {                            \
        group_places<T>(p);                                                                       \
    }
FOR_EACH_SUM(ENTRY)
#undef ENTRY

// How often each integer occurs. Few bins are counted in shared memory first. Integers may have been written since they were looked at:
// those that have no bin are left out.

extern "C" __global__ void __launch_bounds__(BLOCK) bincount_few(const __grid_constant__ Bins p) {
    __shared__ u32 counts[FEW_BINS];
    const i64* from = reinterpret_cast<const i64*>(p.from);
    auto* to = reinterpret_cast<unsigned long long*>(p.to);
    u32 bins = u32(p.bins);
    for (u32 b = threadIdx.x; b < bins; b += BLOCK) counts[b] = 0;
    __syncthreads();
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.len; i += u64(gridDim.x) * BLOCK)
        if (u64 bin = u64(from[i]); bin < p.bins) atomicAdd(&counts[bin], 1u);
    __syncthreads();
    for (u32 b = threadIdx.x; b < bins; b += BLOCK)
        if (counts[b]) atomicAdd(&to[b], counts[b]);
}

extern "C" __global__ void __launch_bounds__(BLOCK) bincount_many(const __grid_constant__ Bins p) {
    const i64* from = reinterpret_cast<const i64*>(p.from);
    auto* to = reinterpret_cast<unsigned long long*>(p.to);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.len; i += u64(gridDim.x) * BLOCK)
        if (u64 bin = u64(from[i]); bin < p.bins) atomicAdd(&to[bin], 1ull);
}
