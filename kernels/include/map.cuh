// A formula over contiguous operands, single elements and numbers: each thread takes 16 bytes of the widest operand, of a
// half type's where wider ones are numbers, once or several times.
#pragma once
#include "complex.cuh"
#include "integer.cuh"

namespace map {

using namespace syn;

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

template <typename T> struct Halves { static constexpr bool value = false; };
template <> struct Halves<f16> { static constexpr bool value = true; };
template <> struct Halves<bf16> { static constexpr bool value = true; };

SYN_INLINE uint32_t pair_of(f16, float low, float high) {
#if __CUDA_ARCH__ >= 800
    uint32_t both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_f16(low).bits | uint32_t(to_f16(high).bits) << 16;
#endif
}
SYN_INLINE uint32_t pair_of(bf16, float low, float high) {
#if __CUDA_ARCH__ >= 800
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_bf16(low).bits | uint32_t(to_bf16(high).bits) << 16;
#endif
}

// How an operand lies in a thread's registers: halves two in a word; what no vector of 16 bytes has as many of is a number.
enum class Lie { ELEMENTS, PAIRS, NUMBER };
template <typename T, int LANES>
constexpr Lie lie_of = sizeof(T) * LANES > 16 ? Lie::NUMBER : Halves<T>::value && LANES > 1 ? Lie::PAIRS : Lie::ELEMENTS;

// Elements of one operand for a thread.
template <typename T, int LANES, Lie LIE = lie_of<T, LANES>> struct Share {
    T lane[LANES];

    SYN_INLINE T get(int k) const { return lane[k]; }
    SYN_INLINE void all(T x) {
#pragma unroll
        for (int k = 0; k < LANES; k++) lane[k] = x;
    }
    SYN_INLINE void vector(const void* from) {
        Pack<T, LANES> pack = *static_cast<const Pack<T, LANES>*>(from);
#pragma unroll
        for (int k = 0; k < LANES; k++) lane[k] = pack.lane[k];
    }
};
template <typename T, int LANES> struct Share<T, LANES, Lie::NUMBER> {
    T number;

    SYN_INLINE T get(int) const { return number; }
};
template <typename T, int LANES> struct Share<T, LANES, Lie::PAIRS> {
    uint32_t word[LANES / 2];

    SYN_INLINE T get(int k) const { return T{uint16_t(k & 1 ? word[k / 2] >> 16 : word[k / 2] & 0xffff)}; }
    SYN_INLINE void all(T x) {
#pragma unroll
        for (int k = 0; k < LANES / 2; k++) word[k] = x.bits * 0x10001u;
    }
    SYN_INLINE void vector(const void* from) {
        Pack<uint32_t, LANES / 2> pack = *static_cast<const Pack<uint32_t, LANES / 2>*>(from);
#pragma unroll
        for (int k = 0; k < LANES / 2; k++) word[k] = pack.lane[k];
    }
};

// What lies at an address of the GPU's memory, so that the loads need not find out where it is.
SYN_INLINE const void* in_memory(uint64_t address) { return __cvta_global_to_generic(address); }

// The operands' shares, one after the other.
template <int LANES, typename... In> struct Shares;
template <int LANES> struct Shares<LANES> {
    SYN_INLINE void load(const Operand*, uint64_t) {}
    template <class Formula, typename... Before> SYN_INLINE auto of(int, Before... before) const { return Formula::of(before...); }
};
template <int LANES, typename T, typename... More> struct Shares<LANES, T, More...> {
    Share<T, LANES> own;
    Shares<LANES, More...> more;

    // The elements from `first`, of which there are `LANES`.
    SYN_INLINE void load(const Operand* o, uint64_t first) {
        if constexpr (lie_of<T, LANES> == Lie::NUMBER) {
            own.number = *reinterpret_cast<const T*>(o->bits);
        } else if (o->kind == NUMBER) {
            own.all(*reinterpret_cast<const T*>(o->bits));
        } else {
            const void* at = in_memory(o->address + (o->kind == VECTOR ? first * sizeof(T) : 0));
            if (o->kind == VECTOR) own.vector(at);
            else own.all(*static_cast<const T*>(at));
        }
        more.load(o + 1, first);
    }
    // The formula of the elements at place `k`.
    template <class Formula, typename... Before> SYN_INLINE auto of(int k, Before... before) const {
        return more.template of<Formula>(k, before..., own.get(k));
    }
};

template <int LANES, class Formula, typename Out, typename In> SYN_INLINE void store(Out* out, const In& in) {
    if constexpr (Halves<Out>::value && LANES > 1) {
        Pack<uint32_t, LANES / 2> pack;
#pragma unroll
        for (int k = 0; k < LANES / 2; k++)
            pack.lane[k] = pair_of(Out{}, in.template of<Formula>(2 * k), in.template of<Formula>(2 * k + 1));
        *reinterpret_cast<Pack<uint32_t, LANES / 2>*>(out) = pack;
    } else {
        Pack<Out, LANES> pack;
#pragma unroll
        for (int k = 0; k < LANES; k++) pack.lane[k] = cast<Out>(in.template of<Formula>(k));
        *reinterpret_cast<Pack<Out, LANES>*>(out) = pack;
    }
}

// Elements of a vector. Beside results of half types wider operands are numbers, which contiguous.rs sees to.
template <typename Out, typename... In> constexpr int lanes_of = Halves<Out>::value ? 8 : 16 / Widest<Out, In...>::value;

// Whole blocks in vectors, `VECTORS` a thread; the last block element by element. A formula yields its result, or for
// half types the float that is rounded to it.
template <int VECTORS, int THREADS, class Formula, typename Out, typename... In>
SYN_INLINE void run(const Params<sizeof...(In)>& p) {
    constexpr int LANES = lanes_of<Out, In...>;
    constexpr uint64_t BLOCK = uint64_t(THREADS) * VECTORS * LANES;
    Out* out = reinterpret_cast<Out*>(p.out);
    const uint64_t start = blockIdx.x * BLOCK;
    if (start + BLOCK <= p.count) {
        const uint64_t first = start + threadIdx.x * LANES;
        Shares<LANES, In...> in[VECTORS];
#pragma unroll
        for (int v = 0; v < VECTORS; v++) in[v].load(p.in, first + v * (THREADS * LANES));
#pragma unroll
        for (int v = 0; v < VECTORS; v++) store<LANES, Formula>(out + first + v * (THREADS * LANES), in[v]);
        return;
    }
#pragma unroll 1
    for (uint64_t at = start + threadIdx.x; at < p.count; at += THREADS) {
        Shares<1, In...> in;
        in.load(p.in, at);
        store<1, Formula>(out + at, in);
    }
}

}  // namespace map

#define SYN_MAP(entry, VECTORS, THREADS, BLOCKS, Formula, Out, ...)                                              \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) entry(                                         \
        const __grid_constant__ map::Params<map::count<__VA_ARGS__>> p) {                                        \
        map::run<VECTORS, THREADS, Formula, Out, __VA_ARGS__>(p);                                                \
    }
