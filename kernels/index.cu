// From indices and masks to offsets, evenly spaced numbers.
#include "contract_index.cuh"
#include "cells.cuh"
#include "native_types.cuh"

constexpr u32 BLOCK = 256;

// out[p] = wrap(index[p]) * stride; `bad` gets the smallest position whose index lies outside the axis.

// An unsigned index that no signed number holds lies outside every axis.
template <class T>
__device__ __forceinline__ i64 as_index(T i) {
    return i64(i);
}
template <>
__device__ __forceinline__ i64 as_index<u64>(u64 i) {
    return i >> 63 ? 0x7FFFFFFFFFFFFFFFll : i64(i);
}

template <class T>
__device__ __forceinline__ void index_offsets(const IndexOffsets& p) {
    i64* to = reinterpret_cast<i64*>(p.to);
    const T* from = reinterpret_cast<const T*>(p.from);
    for (u64 at = u64(blockIdx.x) * BLOCK + threadIdx.x; at < p.count; at += u64(gridDim.x) * BLOCK) {
        i64 offset[2];
        p.space.offsets(at, offset);
        i64 i = as_index(from[offset[1]]);
        i = i64(u64(i) + u64(p.len & (i >> 63)));
        to[offset[0]] = i64(u64(i) * u64(p.stride));
        if (u64(i) >= u64(p.len)) atomicMin(reinterpret_cast<unsigned long long*>(p.bad), at);
    }
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        index_offsets_##T(const __grid_constant__ IndexOffsets p) {                               \
        index_offsets<T>(p);                                                                      \
    }
ENTRY(i8)
ENTRY(i16)
ENTRY(i32)
ENTRY(i64)
ENTRY(u8)
ENTRY(u16)
ENTRY(u32)
ENTRY(u64)
#undef ENTRY

// Positions that a thread looks at in a row, and a block at once.
constexpr u32 RUN = 16;
constexpr u32 PART = BLOCK * RUN;

// Which of the positions `first..first + RUN` are true, a bit each.
__device__ __forceinline__ u32 truths(const Mask& p, u64 first) {
    const u8* mask = reinterpret_cast<const u8*>(p.mask);
    u32 bits = 0;
    if (p.packed && first + RUN <= p.count) {
        uint4 run = *reinterpret_cast<const uint4*>(mask + first);
        u32 word[4] = {run.x, run.y, run.z, run.w};
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j) bits |= u32((word[i] >> (8 * j) & 255) != 0) << (4 * i + j);
        return bits;
    }
    for (u32 i = 0; i < RUN && first + i < p.count; ++i) {
        i64 at[2];
        p.space.offsets(first + i, at);
        bits |= u32(mask[at[0]] != 0) << i;
    }
    return bits;
}

// The sum over the block of `count`, and what the threads before this one have.
__device__ __forceinline__ u32 before(u32 count, u32& total) {
    __shared__ u32 warps[BLOCK / 32];
    u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    u32 sum = count;
#pragma unroll
    for (u32 d = 1; d < 32; d *= 2) {
        u32 other = __shfl_up_sync(~0u, sum, d);
        if (lane >= d) sum += other;
    }
    __syncthreads();
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    u32 base = 0;
    total = 0;
#pragma unroll
    for (u32 w = 0; w < BLOCK / 32; ++w) {
        if (w < warp) base += warps[w];
        total += warps[w];
    }
    return base + sum - count;
}

extern "C" __global__ void __launch_bounds__(BLOCK) mask_count(const __grid_constant__ Mask p) {
    i64* out = reinterpret_cast<i64*>(p.starts);
    u64 blocks = (p.count + MASK_BLOCK - 1) / MASK_BLOCK;
    for (u64 block = blockIdx.x; block < blocks; block += gridDim.x) {
        u32 count = 0;
#pragma unroll
        for (u32 part = 0; part < MASK_BLOCK; part += PART)
            count += __popc(truths(p, block * MASK_BLOCK + part + threadIdx.x * RUN));
        u32 total;
        before(count, total);
        if (threadIdx.x == 0) out[block] = total;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) mask_offsets(const __grid_constant__ Mask p) {
    __shared__ u16 found[PART];
    i64* to = reinterpret_cast<i64*>(p.to);
    const i64* starts = reinterpret_cast<const i64*>(p.starts);
    u64 blocks = (p.count + MASK_BLOCK - 1) / MASK_BLOCK;
    for (u64 block = blockIdx.x; block < blocks; block += gridDim.x) {
        i64 out = starts[block], end = starts[block + 1];
        for (u32 part = 0; part < MASK_BLOCK; part += PART) {
            u64 first = block * MASK_BLOCK + part;
            u32 bits = truths(p, first + threadIdx.x * RUN);
            u32 total;
            u32 place = before(__popc(bits), total);
            for (; bits; bits &= bits - 1) found[place++] = u16(threadIdx.x * RUN + __ffs(bits) - 1);
            __syncthreads();
            // The mask may have been written since it was counted: what there is no room for is left out.
            for (u32 i = threadIdx.x; i < total && out + i < end; i += BLOCK) {
                i64 at[2];
                p.space.offsets(first + found[i], at);
                to[out + i] = at[1];
            }
            out += total;
            __syncthreads();
        }
        // And what is missing is the first position.
        for (i64 i = out + threadIdx.x; i < end; i += BLOCK) to[i] = 0;
    }
}

// out[i] = start + i * step. Integers are of 128 bits, as the CPU has them.
struct Whole {
    u64 low;
    i64 high;
};

__device__ __forceinline__ Whole whole_at(const Ramp& p, u64 i) {
    u64 low = p.step_low * i;
    u64 high = __umul64hi(p.step_low, i) + p.step_high * i;
    u64 sum = low + p.start_low;
    return Whole{sum, i64(high + p.start_high + u64(sum < low))};
}

// The nearest double or float: the 64 leading bits, the last of which also stands for all below.
__device__ __forceinline__ void leading(Whole w, u64& bits, int& scale) {
    u64 low = w.low, high = u64(w.high);
    if (w.high < 0) {
        low = ~low + 1;
        high = ~high + u64(low == 0);
    }
    if (high == 0) {
        bits = low;
        scale = 0;
        return;
    }
    scale = 64 - __clzll(i64(high));
    bits = scale == 64 ? high : (high << (64 - scale) | low >> scale);
    u64 rest = scale == 64 ? low : low << (64 - scale);
    bits |= u64(rest != 0);
}
__device__ __forceinline__ f64 whole_f64(Whole w) {
    u64 bits;
    int scale;
    leading(w, bits, scale);
    f64 x = scalbn(__ull2double_rn(bits), scale);
    return w.high < 0 ? -x : x;
}
__device__ __forceinline__ f32 whole_f32(Whole w) {
    u64 bits;
    int scale;
    leading(w, bits, scale);
    f32 x = scalbnf(__ull2float_rn(bits), scale);
    return w.high < 0 ? -x : x;
}

// A float as an integer: towards zero, the nearest where it does not fit, 0 for NaN.
template <class T>
__device__ __forceinline__ T saturated(f64 x) {
    if (x != x) return T(0);
    constexpr bool SIGNED = T(-1) < T(0);
    constexpr int BITS = int(sizeof(T)) * 8 - (SIGNED ? 1 : 0);
    constexpr T MOST = SIGNED ? T((u64(1) << (BITS % 64)) - 1) : T(~T(0));
    constexpr T LEAST = SIGNED ? T(-MOST - 1) : T(0);
    f64 limit = scalbn(1.0, BITS);
    if (x >= limit) return MOST;
    if (x <= (SIGNED ? -limit : 0.0)) return LEAST;
    return SIGNED ? T(i64(x)) : T(u64(x));
}

enum class Number { Whole, Real, Complex };

__device__ __forceinline__ f64 real_at(const Ramp& p, u64 i) {
    return p.start[0] + __ull2double_rn(i) * p.step[0];
}
__device__ __forceinline__ f64 imaginary_at(const Ramp& p, u64 i) {
    return p.start[1] + __ull2double_rn(i) * p.step[1];
}

template <class T>
struct Make {
    static __device__ __forceinline__ T whole(Whole w) { return T(w.low); }
    static __device__ __forceinline__ T real(f64 x) { return saturated<T>(x); }
};
template <>
struct Make<bool> {
    static __device__ __forceinline__ bool whole(Whole w) { return (w.low | u64(w.high)) != 0; }
};
template <>
struct Make<f16> {
    static __device__ __forceinline__ f16 whole(Whole w) { return real(whole_f64(w)); }
    static __device__ __forceinline__ f16 real(f64 x) { return __float2half_rn(round_to_odd(x)); }
};
template <>
struct Make<bf16> {
    static __device__ __forceinline__ bf16 whole(Whole w) { return real(whole_f64(w)); }
    static __device__ __forceinline__ bf16 real(f64 x) { return __float2bfloat16_rn(round_to_odd(x)); }
};
template <>
struct Make<f32> {
    static __device__ __forceinline__ f32 whole(Whole w) { return whole_f32(w); }
    static __device__ __forceinline__ f32 real(f64 x) { return __double2float_rn(x); }
};
template <>
struct Make<f64> {
    static __device__ __forceinline__ f64 whole(Whole w) { return whole_f64(w); }
    static __device__ __forceinline__ f64 real(f64 x) { return x; }
};

template <class T>
__device__ __forceinline__ T made(const Ramp& p, u64 i, Number kind) {
    return kind == Number::Whole ? Make<T>::whole(whole_at(p, i)) : Make<T>::real(real_at(p, i));
}
template <>
__device__ __forceinline__ bool made<bool>(const Ramp& p, u64 i, Number kind) {
    if (kind == Number::Whole) return Make<bool>::whole(whole_at(p, i));
    return real_at(p, i) != 0 || (kind == Number::Complex && imaginary_at(p, i) != 0);
}
template <>
__device__ __forceinline__ c64 made<c64>(const Ramp& p, u64 i, Number kind) {
    f32 im = kind == Number::Complex ? __double2float_rn(imaginary_at(p, i)) : 0.0f;
    return c64{made<f32>(p, i, kind), im};
}
template <>
__device__ __forceinline__ c128 made<c128>(const Ramp& p, u64 i, Number kind) {
    return c128{made<f64>(p, i, kind), kind == Number::Complex ? imaginary_at(p, i) : 0.0};
}

template <class T>
__device__ __forceinline__ void ramp(const Ramp& p, Number kind) {
    T* to = reinterpret_cast<T*>(p.to);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK)
        to[i] = made<T>(p, i, kind);
}

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        ramp_##T##_whole(const __grid_constant__ Ramp p) {                                        \
        ramp<T>(p, Number::Whole);                                                                \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        ramp_##T##_real(const __grid_constant__ Ramp p) {                                         \
        ramp<T>(p, Number::Real);                                                                 \
    }
ENTRY(bool)
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
// Only complex types have room for complex numbers.
#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        ramp_##T##_complex(const __grid_constant__ Ramp p) {                                      \
        ramp<T>(p, Number::Complex);                                                              \
    }
ENTRY(c64)
ENTRY(c128)
#undef ENTRY
