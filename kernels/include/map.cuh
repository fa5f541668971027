// A formula over contiguous operands, single elements and numbers: vectors of 16 bytes, several on their way at once.
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
template <typename T, int LANES, int VECTORS> struct Share {
    T lane[LANES * VECTORS];

    SYN_INLINE void load(const Operand& o, uint64_t first, uint64_t count, bool whole) {
        if (o.kind == VECTOR && whole) {
#pragma unroll
            for (int v = 0; v < VECTORS; v++) {
                using P = Pack<T, LANES>;
                P pack = *reinterpret_cast<const P*>(o.address + (first + uint64_t(v) * THREADS * LANES) * sizeof(T));
#pragma unroll
                for (int k = 0; k < LANES; k++) lane[v * LANES + k] = pack.lane[k];
            }
        } else if (o.kind == VECTOR) {
#pragma unroll
            for (int i = 0; i < LANES * VECTORS; i++) {
                uint64_t at = first + uint64_t(i / LANES) * THREADS * LANES + i % LANES;
                lane[i] = reinterpret_cast<const T*>(o.address)[at < count ? at : count - 1];
            }
        } else {
            const T* from = o.kind == SCALAR ? reinterpret_cast<const T*>(o.address) : reinterpret_cast<const T*>(o.bits);
            T x = *from;
#pragma unroll
            for (int i = 0; i < LANES * VECTORS; i++) lane[i] = x;
        }
    }
};

// The operands' shares, one after the other.
template <int LANES, int VECTORS, typename... In> struct Shares;
template <int LANES, int VECTORS> struct Shares<LANES, VECTORS> {
    SYN_INLINE void load(const Operand*, uint64_t, uint64_t, bool) {}
    template <class Formula, typename... Before> SYN_INLINE auto of(int, Before... before) const { return Formula::of(before...); }
};
template <int LANES, int VECTORS, typename T, typename... More> struct Shares<LANES, VECTORS, T, More...> {
    Share<T, LANES, VECTORS> own;
    Shares<LANES, VECTORS, More...> more;

    SYN_INLINE void load(const Operand* o, uint64_t first, uint64_t count, bool whole) {
        own.load(*o, first, count, whole);
        more.load(o + 1, first, count, whole);
    }
    // The formula of the elements at place `i`.
    template <class Formula, typename... Before> SYN_INLINE auto of(int i, Before... before) const {
        return more.template of<Formula>(i, before..., own.lane[i]);
    }
};

template <class Formula, int VECTORS, typename Out, typename... In> SYN_INLINE void run(const Params<sizeof...(In)>& p) {
    constexpr int LANES = 16 / Widest<Out, In...>::value;
    uint64_t first = (uint64_t(blockIdx.x) * THREADS * VECTORS + threadIdx.x) * LANES;
    if (first >= p.count) return;
    bool whole = first + uint64_t(VECTORS - 1) * THREADS * LANES + LANES <= p.count;
    Shares<LANES, VECTORS, In...> in;
    in.load(p.in, first, p.count, whole);
    Out* out = reinterpret_cast<Out*>(p.out);
#pragma unroll
    for (int v = 0; v < VECTORS; v++) {
        Pack<Out, LANES> pack;
#pragma unroll
        for (int k = 0; k < LANES; k++) pack.lane[k] = in.template of<Formula>(v * LANES + k);
        uint64_t at = first + uint64_t(v) * THREADS * LANES;
        if (whole) {
            *reinterpret_cast<Pack<Out, LANES>*>(out + at) = pack;
        } else {
#pragma unroll
            for (int k = 0; k < LANES; k++)
                if (at + k < p.count) out[at + k] = pack.lane[k];
        }
    }
}

}  // namespace map

#define SYN_MAP(entry, Formula, VECTORS, Out, ...)                                                               \
    extern "C" __global__ void __launch_bounds__(map::THREADS) entry(                                            \
        const __grid_constant__ map::Params<map::count<__VA_ARGS__>> p) {                                        \
        map::run<Formula, VECTORS, Out, __VA_ARGS__>(p);                                                         \
    }
