// Reduction across the warps of a block that has one row. Included after row_exchange.cuh.
#pragma once
#include "row_exchange.cuh"

namespace syntonic {

// A float as an unsigned integer that is larger where the float is better, and largest for NaN; and back.
template <class Which, class T> struct Ranked;
template <class Which> struct Ranked<Which, float> {
    static constexpr u32 TURNED = std::is_same<Which, Smallest>::value ? ~0u : 0u;

    static __device__ __forceinline__ u32 of(float x) {
        const u32 bits = __float_as_uint(x), sign = (u32)((i32)bits >> 31);
        return x != x ? ~0u : bits ^ (sign | 0x80000000u) ^ TURNED;
    }
    static __device__ __forceinline__ float back(u32 rank) {
        const u32 turned = rank ^ TURNED, positive = (u32)((i32)turned >> 31);
        return __uint_as_float(turned ^ (~positive | 0x80000000u));
    }
};

#if __CUDA_ARCH__ >= 800
template <class Which> __device__ __forceinline__ float warp_extreme(float x) {
    return Ranked<Which, float>::back(__reduce_max_sync(0xffffffffu, Ranked<Which, float>::of(x)));
}
// The upper halves decide, then the lower halves of the lanes that have the best upper half.
template <class Which> __device__ __forceinline__ double warp_extreme(double x) {
    constexpr u32 TURNED = std::is_same<Which, Smallest>::value ? ~0u : 0u;
    const u64 bits = (u64)__double_as_longlong(x);
    const u32 upper = (u32)(bits >> 32), sign = (u32)((i32)upper >> 31);
    const u32 first = x != x ? ~0u : upper ^ (sign | 0x80000000u) ^ TURNED;
    const u32 second = (u32)bits ^ sign ^ TURNED;
    const u32 best = __reduce_max_sync(0xffffffffu, first);
    const u32 next = __reduce_max_sync(0xffffffffu, first == best ? second : 0u) ^ TURNED;
    const u32 turned = best ^ TURNED, negative = ~(u32)((i32)turned >> 31);
    const u32 high = turned ^ (negative | 0x80000000u), low = next ^ negative;
    return __longlong_as_double((i64)((u64)high << 32 | low));
}
#endif

// Warp reduction; every lane has the result.
template <class F> struct OfWarp {
    static __device__ __forceinline__ typename F::Acc joined(typename F::Acc a) { return join_few<F>(a, 32); }
};
#if __CUDA_ARCH__ >= 800
template <class Which> struct OfWarp<Extreme<Which, float>> {
    static __device__ __forceinline__ float joined(float a) { return warp_extreme<Which>(a); }
};
template <class Which> struct OfWarp<Extreme<Which, double>> {
    static __device__ __forceinline__ double joined(double a) { return warp_extreme<Which>(a); }
};
#endif

// As RowExchange, for a block that has one row: a power of two of warps, at least two.
template <int BYTES> struct RowBlock {
    unsigned char* here;
    u32 warps;
    u32 half;

    __device__ __forceinline__ void next() { half ^= 1; }
    static __device__ __forceinline__ u32 lanes() { return 32; }
    template <class T> __device__ __forceinline__ T& entry(u32 warp, u32 at) const {
        return *reinterpret_cast<T*>(here + (half * warps + warp) * BYTES + at);
    }
    template <int AT, class Acc> __device__ __forceinline__ void put(Acc a) const {
        if ((threadIdx.x & 31) == 0) entry<Acc>(threadIdx.x >> 5, AT) = a;
    }
    __device__ __forceinline__ void sync() const { __syncthreads(); }
    // Reduces the entries of the warps in one order for every thread. Each thread reads all of few entries; of many, each lane one.
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        using Acc = typename F::Acc;
        if (warps > 4) return join_few<F>(entry<Acc>(threadIdx.x & (warps - 1), AT), warps);
        const Acc a = F::join(entry<Acc>(0, AT), entry<Acc>(1, AT));
        if (warps == 2) return a;
        return F::join(a, F::join(entry<Acc>(2, AT), entry<Acc>(3, AT)));
    }
    // As `put`, of two values: the first is in the lower half of the lanes, the second in the upper half.
    template <class Acc> __device__ __forceinline__ void put_halves(Acc a) const {
        const u32 lane = threadIdx.x & 31;
        if ((lane & 15) == 0) entry<Acc>(threadIdx.x >> 5, lane / 16 * sizeof(Acc)) = a;
    }
    template <class F> __device__ __forceinline__ RowPair<typename F::Acc> get_pair() const {
        using Pair = RowPair<typename F::Acc>;
        static_assert(sizeof(Pair) <= BYTES, "room for two folds");
        if (warps > 4) {
            const Pair p = entry<Pair>(threadIdx.x & (warps - 1), 0);
            return {join_few<F>(p.first, warps), join_few<F>(p.second, warps)};
        }
        const Pair p = Pair::template joined<F>(entry<Pair>(0, 0), entry<Pair>(1, 0));
        if (warps == 2) return p;
        return Pair::template joined<F>(p, Pair::template joined<F>(entry<Pair>(2, 0), entry<Pair>(3, 0)));
    }
};

template <int BYTES> struct RowJoins<RowBlock<BYTES>> : RowHalves<RowBlock<BYTES>> {
    template <class F> static __device__ __forceinline__ typename F::Acc lanes(const RowBlock<BYTES>&, typename F::Acc a) {
        return OfWarp<F>::joined(a);
    }
};

// As RowBlock, for a row of one warp: there is nothing to exchange.
struct RowWarp {
    __device__ __forceinline__ void next() {}
    static __device__ __forceinline__ u32 lanes() { return 32; }
    template <int AT, class Acc> __device__ __forceinline__ void put(Acc) const {}
    __device__ __forceinline__ void sync() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const { return a; }
};

template <> struct RowJoins<RowWarp> {
    template <class F> static __device__ __forceinline__ typename F::Acc lanes(const RowWarp&, typename F::Acc a) {
        return OfWarp<F>::joined(a);
    }
    // In the first butterfly step the halves of the warp swap operands and each goes on with one fold; in the last they swap results.
    template <class F>
    static __device__ __forceinline__ RowPair<typename F::Acc> pair(const RowWarp&, typename F::Acc s, typename F::Acc t) {
        const bool upper = threadIdx.x & 16;
        const auto sent = upper ? s : t, begun = upper ? t : s;
        const auto mine = join_few<F>(F::join(begun, from_lane(sent, 16, 32)), 16), other = from_lane(mine, 16, 32);
        return {upper ? other : mine, upper ? mine : other};
    }
};

}  // namespace syntonic
