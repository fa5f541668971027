// What all searches have in common: the numbers of a state, the noise of a generation, and scores as keys in their order.
#pragma once
#include "native_types.cuh"
#include "philox.cuh"

constexpr u32 BLOCK = 256, WARPS = BLOCK / 32;

// Stages of a launch.
constexpr u32 SCORES = 1, RANKS = 2, MOVES = 4, ADAPTS = 8;
// The numbers behind the rows of a state.
enum Number : u32 { SIGMA = 0, MISSING = 1, BEST_SCORE = 2, DONE = 3, GENERATION = 4, LEAST = 5, WHICH = 6, USABLE = 7, STEADY = 8, PAIRS = 9, NUMBERS = 12 };
// The number of a launch that computes no scores.
constexpr u32 NO_FUNCTION = 5;

// The keys of a generation: those of the launch, but for what the upper word of the counter adds to two of them. The first word of the
// launch's is what that word meets in the first round.
struct Keys {
    const u32* keys;
    u32 third, fifth;
    __device__ __forceinline__ Keys(const u32* keys, u32 upper) : keys(keys) {
        u64 even = philox::product(0xD2511F53u, keys[0] ^ upper);
        third = keys[3] ^ u32(even >> 32);
        fifth = keys[5] ^ u32(even);
    }
    __device__ __forceinline__ u32 operator[](int k) const { return k == 3 ? third : k == 5 ? fifth : keys[k]; }
};

template <class T>
struct Held;
template <>
struct Held<f32> {
    static constexpr u32 COUNT = 4;
    static __device__ __forceinline__ void make(u32 block, const Keys& keys, f32* z) {
        philox::Words w = philox::words(block, keys);
        philox::normals(w.w[0], w.w[1], z[0], z[1]);
        philox::normals(w.w[2], w.w[3], z[2], z[3]);
    }
};
template <>
struct Held<f64> {
    static constexpr u32 COUNT = 2;
    static __device__ __forceinline__ void make(u32 block, const Keys& keys, f64* z) {
        philox::Words w = philox::words(block, keys);
        philox::normals(w, z[0], z[1]);
    }
};

// x between two bounds; NaN stays NaN.
template <class T>
__device__ __forceinline__ T within(T x, T least, T most) {
    return x < least ? least : x > most ? most : x;
}

// A score as a whole number in the same order; NaN is the largest, and zeros are equal.
__device__ __forceinline__ u64 key_of(f64 score) {
    if (score != score) return ~0ull;
    u64 bits = u64(__double_as_longlong(score + 0.0));
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

// The score of a key, but for the sign of zero and the kind of NaN.
__device__ __forceinline__ f64 score_of_key(u64 key) {
    return __longlong_as_double(i64(key >> 63 ? key & ~(1ull << 63) : ~key));
}

// The key of infinity: from it on, no score is usable.
constexpr u64 UNUSABLE = 0xFFF0000000000000ull;

__device__ __forceinline__ u32 over_warp(u32 x) {
#pragma unroll
    for (u32 half = 16; half > 0; half /= 2) x += __shfl_xor_sync(~0u, x, half);
    return x;
}
