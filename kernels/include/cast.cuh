// Contiguous conversions: each thread takes LANES neighbouring elements, in accesses of up to 16 bytes.
#pragma once
#include "element_types.cuh"

namespace conversion {

using namespace syn;

struct Params {
    uint64_t from, to;
    uint64_t count;
    uint32_t dtype;  // core's number of the type that is written
    uint32_t unused;
};
static_assert(sizeof(Params) == 32, "mirrored by map/cast.rs");

constexpr int THREADS = 256;
constexpr int LANES = 4;

template <typename T> struct alignas(LANES * sizeof(T) > 16 ? 16 : LANES * sizeof(T)) Pack { T lane[LANES]; };

template <typename From, typename To> SYN_INLINE void convert(const Params& p) {
    const From* from = reinterpret_cast<const From*>(p.from);
    To* to = reinterpret_cast<To*>(p.to);
    uint64_t first = (uint64_t(blockIdx.x) * THREADS + threadIdx.x) * LANES;
    bool aligned = p.from % alignof(Pack<From>) == 0 && p.to % alignof(Pack<To>) == 0;
    if (aligned && first + LANES <= p.count) {
        Pack<From> x = *reinterpret_cast<const Pack<From>*>(from + first);
        Pack<To> y;
#pragma unroll
        for (int k = 0; k < LANES; k++) y.lane[k] = cast<To>(x.lane[k]);
        *reinterpret_cast<Pack<To>*>(to + first) = y;
    } else {
        for (int k = 0; k < LANES; k++)
            if (first + k < p.count) to[first + k] = cast<To>(from[first + k]);
    }
}

template <typename From> SYN_INLINE void dispatch(const Params& p) {
    switch (p.dtype) {  // the same way for every thread
        case 0: return convert<From, bool>(p);
        case 1: return convert<From, int8_t>(p);
        case 2: return convert<From, int16_t>(p);
        case 3: return convert<From, int32_t>(p);
        case 4: return convert<From, int64_t>(p);
        case 5: return convert<From, uint8_t>(p);
        case 6: return convert<From, uint16_t>(p);
        case 7: return convert<From, uint32_t>(p);
        case 8: return convert<From, uint64_t>(p);
        case 9: return convert<From, f16>(p);
        case 10: return convert<From, bf16>(p);
        case 11: return convert<From, float>(p);
        case 12: return convert<From, double>(p);
        case 13: return convert<From, c64>(p);
        default: return convert<From, c128>(p);
    }
}

}  // namespace conversion

#define SYN_CAST(entry, From)                                                                                    \
    extern "C" __global__ void __launch_bounds__(conversion::THREADS) entry(const __grid_constant__ conversion::Params p) { \
        conversion::dispatch<From>(p);                                                                           \
    }
