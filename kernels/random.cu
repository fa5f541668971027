// Random values by element index: `random_uniform`, `random_normal`, `random_integers`, and the keys
// whose order is a `random_permutation`.
#include "contract_random.cuh"
#include "philox.cuh"

/// What one block yields: `PER_BLOCK` values of `T`. Each thread makes `TURNS` blocks, side by side: enough of them to
/// share constants and to fill each other's waits. A multiprocessor has registers for `BLOCKS` blocks of threads at least:
/// fewer leave a thread more of them, and its blocks lie side by side.
struct Uniform32 {
    typedef float T;
    static const int PER_BLOCK = 4;
    static const int TURNS = 2;
    static const int BLOCKS = 1;
    __device__ static void emit(const philox::Words &w, const RandomParams &, float *out) {
#pragma unroll
        for (int k = 0; k < 4; k++) out[k] = philox::uniform_f32(w.w[k]);
    }
};

struct Uniform64 {
    typedef double T;
    static const int PER_BLOCK = 2;
    static const int TURNS = 2;
    static const int BLOCKS = 1;
    __device__ static void emit(const philox::Words &w, const RandomParams &, double *out) {
        out[0] = philox::uniform_f64(w.w[0], w.w[1]);
        out[1] = philox::uniform_f64(w.w[2], w.w[3]);
    }
};

struct Normal32 {
    typedef float T;
    static const int PER_BLOCK = 4;
    static const int TURNS = 8;
    static const int BLOCKS = 6;
    __device__ static void emit(const philox::Words &w, const RandomParams &, float *out) {
        philox::normals(w.w[0], w.w[1], out[0], out[1]);
        philox::normals(w.w[2], w.w[3], out[2], out[3]);
    }
};

struct Normal64 {
    typedef double T;
    static const int PER_BLOCK = 2;
    static const int TURNS = 8;
    static const int BLOCKS = 1;
    __device__ static void emit(const philox::Words &w, const RandomParams &, double *out) {
        philox::normals(w, out[0], out[1]);
    }
};

struct Integers {
    typedef int64_t T;
    static const int PER_BLOCK = 2;
    static const int TURNS = 2;
    static const int BLOCKS = 1;
    __device__ static int64_t scaled(uint64_t word, const RandomParams &p) {
        return (int64_t)((uint64_t)p.low + __umul64hi(word, p.size));
    }
    __device__ static void emit(const philox::Words &w, const RandomParams &p, int64_t *out) {
        out[0] = scaled(philox::join(w.w[0], w.w[1]), p);
        out[1] = scaled(philox::join(w.w[2], w.w[3]), p);
    }
};

struct Keys {
    typedef uint64_t T;
    static const int PER_BLOCK = 2;
    static const int TURNS = 2;
    static const int BLOCKS = 1;
    __device__ static void emit(const philox::Words &w, const RandomParams &, uint64_t *out) {
        out[0] = philox::join(w.w[0], w.w[1]);
        out[1] = philox::join(w.w[2], w.w[3]);
    }
};

const int THREADS = 256;

/// Philox block `j` of the launch, which holds elements `j * PER_BLOCK - skip ..`; the host sees to it that
/// the lower word of its index does not carry.
template <class D>
__device__ __forceinline__ void draw(const RandomParams &p, uint32_t j, typename D::T *values) {
    D::emit(philox::words(p.keys[0] + j, p.keys), p, values);
}

template <class D>
__device__ __forceinline__ void fill(const RandomParams &p) {
    typedef typename D::T T;
    T *out = (T *)p.out;
    const uint32_t start = blockIdx.x * (THREADS * D::TURNS) + threadIdx.x;
    if (blockIdx.x < p.whole) {
        uint4 *at = (uint4 *)out + start;
#pragma unroll
        for (int turn = 0; turn < D::TURNS; turn++) {
            alignas(16) T values[D::PER_BLOCK];
            draw<D>(p, start + turn * THREADS, values);
            at[turn * THREADS] = *(const uint4 *)values;
        }
        return;
    }
#pragma unroll 1
    for (int turn = 0; turn < D::TURNS; turn++) {
        const uint32_t j = start + turn * THREADS;
        // Whole warps: logarithms take their parts from all lanes.
        if ((uint64_t)(j & ~31u) * D::PER_BLOCK >= p.n + p.skip) return;
        alignas(16) T values[D::PER_BLOCK];
        draw<D>(p, j, values);
#pragma unroll
        for (int k = 0; k < D::PER_BLOCK; k++) {
            // Before the first element this wraps to what is past the last.
            const uint64_t i = (uint64_t)j * D::PER_BLOCK + k - p.skip;
            if (i < p.n) out[i] = values[k];
        }
    }
}

#define RANDOM(name, draw)                                                       \
    extern "C" __global__ void __launch_bounds__(THREADS, draw::BLOCKS) name(const __grid_constant__ RandomParams p) { \
        fill<draw>(p);                                                           \
    }
RANDOM(random_uniform_f32, Uniform32)
RANDOM(random_uniform_f64, Uniform64)
RANDOM(random_normal_f32, Normal32)
RANDOM(random_normal_f64, Normal64)
RANDOM(random_integers_i64, Integers)
RANDOM(random_permutation_u64, Keys)
