// Numbers that blocks tell each other without barriers.
#pragma once
#include "native_types.cuh"

// A number on its way between blocks, beside a tag that says which step it is of: whoever reads the tag that it waits for has the number
// of that step, and no fence and no barrier is needed. Words of 32 bits travel with a tag each, since 8 bytes are written at once.
template <class T>
struct Packet;
template <>
struct __align__(8) Packet<f32> {
    u32 low, tag;
    __device__ __forceinline__ void send(f32 x, u32 step) {
        asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(this), "r"(__float_as_uint(x)), "r"(step) : "memory");
    }
    // Whether it has come.
    __device__ __forceinline__ bool take(f32& x, u32 step) const {
        u32 a, b;
        asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(this) : "memory");
        x = __uint_as_float(a);
        return b == step;
    }
};
template <>
struct __align__(16) Packet<f64> {
    u32 low, tag, high, again;
    __device__ __forceinline__ void send(f64 x, u32 step) {
        const u64 bits = u64(__double_as_longlong(x));
        asm volatile("st.relaxed.gpu.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(this), "r"(u32(bits)), "r"(step), "r"(u32(bits >> 32)), "r"(step)
                     : "memory");
    }
    __device__ __forceinline__ bool take(f64& x, u32 step) const {
        u32 a, b, c, d;
        asm volatile("ld.relaxed.gpu.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(this) : "memory");
        x = __longlong_as_double((long long)(u64(c) << 32 | a));
        return b == step && d == step;
    }
};
// COUNT numbers, `apart` packets from each other, all asked for before one is waited for; those from `there` on are 0.
template <u32 COUNT, class T>
__device__ __forceinline__ void receive(T (&x)[COUNT], const Packet<T>* from, u64 apart, u64 there, u32 step) {
    bool all;
    do {
        all = true;
#pragma unroll
        for (u32 k = 0; k < COUNT; ++k) {
            x[k] = T(0);
            if (k < there) all &= from[k * apart].take(x[k], step);
        }
    } while (!all);
}
