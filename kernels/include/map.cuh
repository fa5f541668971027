// A formula over contiguous operands, single elements and numbers: each thread takes 16 bytes of the widest operand.
// Several vectors a thread are no faster.
#pragma once
#include "complex.cuh"
#include "integer.cuh"

namespace map {

using namespace syn;

constexpr int THREADS = 256;
enum : uint32_t { VECTOR = 0, SCALAR = 1, NUMBER = 2 };

// An operand: elements from `address`, the one element there, or the number in `bits`.
struct Operand {
    uint64_t address;
    uint32_t kind, unused;
    uint64_t bits[2];
};
template <int K> struct Params {
    uint64_t out, count;
    Operand in[K];
};
static_assert(sizeof(Operand) == 32, "mirrored by map/contiguous.rs");

template <typename... T> constexpr int count = sizeof...(T);
template <typename A, typename... More> struct Widest { static constexpr int value = Widest<More...>::value > int(sizeof(A)) ? Widest<More...>::value : int(sizeof(A)); };
template <typename A> struct Widest<A> { static constexpr int value = sizeof(A); };
template <typename T, int N> struct alignas(N * sizeof(T)) Pack { T lane[N]; };

// Elements of one operand for a thread.
template <typename T, int LANES> struct Share {
    T lane[LANES];

    SYN_INLINE void load(const Operand& o, uint64_t first, uint64_t count) {
        if (o.kind == VECTOR && first + LANES <= count) {
            Pack<T, LANES> pack = *reinterpret_cast<const Pack<T, LANES>*>(o.address + first * sizeof(T));
#pragma unroll
            for (int k = 0; k < LANES; k++) lane[k] = pack.lane[k];
        } else if (o.kind == VECTOR) {
#pragma unroll
            for (int k = 0; k < LANES; k++) lane[k] = reinterpret_cast<const T*>(o.address)[first + k < count ? first + k : count - 1];
        } else {
            T x = *(o.kind == SCALAR ? reinterpret_cast<const T*>(o.address) : reinterpret_cast<const T*>(o.bits));
#pragma unroll
            for (int k = 0; k < LANES; k++) lane[k] = x;
        }
    }
};

// The operands' shares, one after the other.
template <int LANES, typename... In> struct Shares;
template <int LANES> struct Shares<LANES> {
    SYN_INLINE void load(const Operand*, uint64_t, uint64_t) {}
    template <class Formula, typename... Before> SYN_INLINE auto of(int, Before... before) const { return Formula::of(before...); }
};
template <int LANES, typename T, typename... More> struct Shares<LANES, T, More...> {
    Share<T, LANES> own;
    Shares<LANES, More...> more;

    SYN_INLINE void load(const Operand* o, uint64_t first, uint64_t count) {
        own.load(*o, first, count);
        more.load(o + 1, first, count);
    }
    // The formula of the elements at place `k`.
    template <class Formula, typename... Before> SYN_INLINE auto of(int k, Before... before) const {
        return more.template of<Formula>(k, before..., own.lane[k]);
    }
};

template <class Formula, typename Out, typename... In> SYN_INLINE void run(const Params<sizeof...(In)>& p) {
    constexpr int LANES = 16 / Widest<Out, In...>::value;
    uint64_t first = (uint64_t(blockIdx.x) * THREADS + threadIdx.x) * LANES;
    if (first >= p.count) return;
    Shares<LANES, In...> in;
    in.load(p.in, first, p.count);
    Out* out = reinterpret_cast<Out*>(p.out);
    Pack<Out, LANES> pack;
#pragma unroll
    for (int k = 0; k < LANES; k++) pack.lane[k] = in.template of<Formula>(k);
    if (first + LANES <= p.count) {
        *reinterpret_cast<Pack<Out, LANES>*>(out + first) = pack;
    } else {
#pragma unroll
        for (int k = 0; k < LANES; k++)
            if (first + k < p.count) out[first + k] = pack.lane[k];
    }
}

}  // namespace map

#define SYN_MAP(entry, Formula, Out, ...)                                                                        \
    extern "C" __global__ void __launch_bounds__(map::THREADS) entry(                                            \
        const __grid_constant__ map::Params<map::count<__VA_ARGS__>> p) {                                        \
        map::run<Formula, Out, __VA_ARGS__>(p);                                                                  \
    }
