// A formula with two results over contiguous operands, single elements and numbers: as map.cuh.
#pragma once
#include "map.cuh"

namespace map {

// What a formula yields: its results, or for half types the floats that are rounded to them.
template <typename A, typename B> struct Both {
    A first;
    B second;
};

template <int K> struct PairParams {
    uint64_t out, count, other, unused;
    Operand in[K];
};

template <int LANES, class Formula, typename OutA, typename OutB, typename In>
SYN_INLINE void store_pair(OutA* a, OutB* b, const In& in) {
    if constexpr (Halves<OutA>::value && Halves<OutB>::value && LANES > 1) {
        Pack<uint32_t, LANES / 2> first, second;
#pragma unroll
        for (int k = 0; k < LANES / 2; k++) {
            const auto low = in.template of<Formula>(2 * k), high = in.template of<Formula>(2 * k + 1);
            first.lane[k] = pair_of(OutA{}, low.first, high.first);
            second.lane[k] = pair_of(OutB{}, low.second, high.second);
        }
        *reinterpret_cast<Pack<uint32_t, LANES / 2>*>(a) = first;
        *reinterpret_cast<Pack<uint32_t, LANES / 2>*>(b) = second;
    } else {
        Pack<OutA, LANES> first;
        Pack<OutB, LANES> second;
#pragma unroll
        for (int k = 0; k < LANES; k++) {
            const auto both = in.template of<Formula>(k);
            first.lane[k] = cast<OutA>(both.first);
            second.lane[k] = cast<OutB>(both.second);
        }
        *reinterpret_cast<Pack<OutA, LANES>*>(a) = first;
        *reinterpret_cast<Pack<OutB, LANES>*>(b) = second;
    }
}

// As `lanes_of` of one result.
template <typename OutA, typename OutB, typename... In>
constexpr int lanes_of_pair = Halves<OutA>::value && Halves<OutB>::value ? 8 : 16 / Widest<OutA, OutB, In...>::value;

template <int VECTORS, int THREADS, class Formula, typename OutA, typename OutB, typename... In>
SYN_INLINE void run_pair(const PairParams<sizeof...(In)>& p) {
    constexpr int LANES = lanes_of_pair<OutA, OutB, In...>;
    constexpr uint64_t BLOCK = uint64_t(THREADS) * VECTORS * LANES;
    OutA* a = reinterpret_cast<OutA*>(p.out);
    OutB* b = reinterpret_cast<OutB*>(p.other);
    const uint64_t start = blockIdx.x * BLOCK;
    if (start + BLOCK <= p.count) {
        const uint64_t first = start + threadIdx.x * LANES;
        Shares<LANES, In...> in[VECTORS];
#pragma unroll
        for (int v = 0; v < VECTORS; v++) in[v].load(p.in, first + v * (THREADS * LANES));
#pragma unroll
        for (int v = 0; v < VECTORS; v++) {
            const uint64_t at = first + v * (THREADS * LANES);
            store_pair<LANES, Formula>(a + at, b + at, in[v]);
        }
        return;
    }
#pragma unroll 1
    for (uint64_t at = start + threadIdx.x; at < p.count; at += THREADS) {
        Shares<1, In...> in;
        in.load(p.in, at);
        store_pair<1, Formula>(a + at, b + at, in);
    }
}

}  // namespace map

#define SYN_MAP_PAIR(entry, VECTORS, THREADS, BLOCKS, Formula, OutA, OutB, ...)                                   \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) entry(                                          \
        const __grid_constant__ map::PairParams<map::count<__VA_ARGS__>> p) {                                     \
        map::run_pair<VECTORS, THREADS, Formula, OutA, OutB, __VA_ARGS__>(p);                                     \
    }
