// Evolution strategies whose noise is made anew where it is needed: candidates, scores of built-in functions, and sums over the selected
// steps. Coordinate j of draw d is value j % HELD of Philox block d * ceil(n / HELD) + j / HELD, in `syntonic_srt::evolve::device` too.
#include "philox.cuh"
#include "test_functions.cuh"

constexpr u32 BLOCK = 256;
// Coordinates that a thread block scores: partial sums of longer candidates are added in the order of these pieces.
constexpr u32 PIECE = 1 << 15;
// Draws whose steps one thread adds up.
constexpr u32 SEGMENT = 256;

template <class T>
struct Held;
template <>
struct Held<f32> {
    static constexpr u32 COUNT = 4;
    static __device__ __forceinline__ void make(u32 block, const u32* keys, f32* z) {
        philox::Words w = philox::words(keys[0] + block, keys);
        philox::normals(w.w[0], w.w[1], z[0], z[1]);
        philox::normals(w.w[2], w.w[3], z[2], z[3]);
    }
};
template <>
struct Held<f64> {
    static constexpr u32 COUNT = 2;
    static __device__ __forceinline__ void make(u32 block, const u32* keys, f64* z) {
        philox::Words w = philox::words(keys[0] + block, keys);
        philox::normals(w, z[0], z[1]);
    }
};

struct Evolve {
    u64 mean, deviation, weights;  // of the search's type; weights are f64
    u64 out, other;
    u64 n, draws;
    u32 mirrored;                  // 1: each draw makes two candidates, with + and -
    u32 first;                     // the first draw
    u32 keys[20];
};
static_assert(sizeof(Evolve) == 144, "the Rust mirror has this size");

// Candidates, row after row.
template <class T>
__device__ __forceinline__ void candidates(const Evolve& p) {
    constexpr u32 HELD = Held<T>::COUNT;
    const T *mean = reinterpret_cast<const T*>(p.mean), *deviation = reinterpret_cast<const T*>(p.deviation);
    T* out = reinterpret_cast<T*>(p.out);
    u64 blocks = (p.n + HELD - 1) / HELD, all = blocks * p.draws;
    // Whole warps: the logarithms of double precision take their parts from all lanes.
    for (u64 base = u64(blockIdx.x) * BLOCK; base < all; base += u64(gridDim.x) * BLOCK) {
        u64 i = base + threadIdx.x, draw = i / blocks, q = i % blocks;
        alignas(16) T z[HELD];
        Held<T>::make(u32((p.first + draw) * blocks + q), p.keys, z);
        if (i >= all) continue;
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) {
            u64 j = q * HELD + k;
            if (j >= p.n) break;
            T step = deviation[j] * z[k];
            if (p.mirrored) {
                out[2 * draw * p.n + j] = mean[j] + step;
                out[(2 * draw + 1) * p.n + j] = mean[j] - step;
            } else {
                out[draw * p.n + j] = mean[j] + step;
            }
        }
    }
}

// Adds what all threads have, as a tree over the lanes.
__device__ __forceinline__ f64 over_lanes(f64 x, f64* shared) {
    u32 lane = threadIdx.x;
    __syncthreads();
    shared[lane] = x;
    __syncthreads();
    for (u32 half = BLOCK / 2; half > 0; half /= 2) {
        if (lane < half) shared[lane] = shared[lane] + shared[lane + half];
        __syncthreads();
    }
    return shared[0];
}

// Partial sums of a function for every candidate and piece: `[candidates, pieces, 2]`. Block b of a piece goes to lane b % 256.
template <u32 F, class T>
__device__ __forceinline__ void scores(const Evolve& p) {
    constexpr u32 HELD = Held<T>::COUNT, EACH = PIECE / HELD;
    __shared__ f64 shared[BLOCK];
    const T *mean = reinterpret_cast<const T*>(p.mean), *deviation = reinterpret_cast<const T*>(p.deviation);
    const f64* weights = reinterpret_cast<const f64*>(p.weights);
    f64* out = reinterpret_cast<f64*>(p.out);
    u64 blocks = (p.n + HELD - 1) / HELD, pieces = (p.n + PIECE - 1) / PIECE;
    for (u64 job = blockIdx.x; job < p.draws * pieces; job += gridDim.x) {
        u64 draw = job / pieces, piece = job % pieces;
        u64 from = piece * EACH, to = min(from + EACH, blocks);
        Totals plus{0, 0}, minus{0, 0};
        for (u64 base = from; base < to; base += BLOCK) {
            u64 q = base + threadIdx.x;
            alignas(16) T z[HELD], after[HELD];
            Held<T>::make(u32((p.first + draw) * blocks + q), p.keys, z);
            if (F == ROSENBROCK) Held<T>::make(u32((p.first + draw) * blocks + q + 1), p.keys, after);
            if (q >= to) continue;
            u64 j0 = q * HELD;
#pragma unroll
            for (u32 k = 0; k < HELD; ++k) {
                u64 j = j0 + k;
                if (j >= p.n) break;
                T centre = mean[j], step = deviation[j] * z[k];
                T next_centre = 0, next_step = 0;
                bool last = j + 1 == p.n;
                if (F == ROSENBROCK && !last) {
                    next_centre = mean[j + 1];
                    next_step = deviation[j + 1] * (k + 1 < HELD ? z[(k + 1) % HELD] : after[0]);
                }
                f64 weight = F == WEIGHTED ? weights[j] : 0;
                add_term<F, T>(plus, centre + step, next_centre + next_step, weight, last);
                if (p.mirrored) add_term<F, T>(minus, centre - step, next_centre - next_step, weight, last);
            }
        }
        u64 row = p.mirrored ? 2 * draw : draw;
        f64 first = over_lanes(plus.first, shared), second = F == ACKLEY ? over_lanes(plus.second, shared) : 0;
        if (threadIdx.x == 0) {
            out[(row * pieces + piece) * 2] = first;
            out[(row * pieces + piece) * 2 + 1] = second;
        }
        if (p.mirrored) {
            first = over_lanes(minus.first, shared);
            second = F == ACKLEY ? over_lanes(minus.second, shared) : 0;
            if (threadIdx.x == 0) {
                out[((row + 1) * pieces + piece) * 2] = first;
                out[((row + 1) * pieces + piece) * 2 + 1] = second;
            }
        }
    }
}

// Sums over the draws of a segment, by coordinate: `out` has those of (w+ - w-) z and `other` those of (w+ + w-) z z, `[segments, n]`.
// `weights` has w+ and w- of every draw, or one weight.
template <class T>
__device__ __forceinline__ void sums(const Evolve& p) {
    constexpr u32 HELD = Held<T>::COUNT;
    const f64* weights = reinterpret_cast<const f64*>(p.weights);
    f64 *first = reinterpret_cast<f64*>(p.out), *second = reinterpret_cast<f64*>(p.other);
    u64 blocks = (p.n + HELD - 1) / HELD, segments = (p.draws + SEGMENT - 1) / SEGMENT;
    u64 across = (blocks + BLOCK - 1) / BLOCK;
    for (u64 job = blockIdx.x; job < across * segments; job += gridDim.x) {
        u64 segment = job / across, q = job % across * BLOCK + threadIdx.x;
        u64 from = segment * SEGMENT, to = min(from + SEGMENT, p.draws);
        f64 a[HELD] = {}, b[HELD] = {};
        for (u64 draw = from; draw < to; ++draw) {
            f64 plus = p.mirrored ? weights[2 * draw] : weights[draw];
            f64 minus = p.mirrored ? weights[2 * draw + 1] : 0;
            f64 difference = plus - minus, total = plus + minus;
            if (difference == 0 && total == 0) continue;
            alignas(16) T z[HELD];
            Held<T>::make(u32(draw * blocks + q), p.keys, z);
#pragma unroll
            for (u32 k = 0; k < HELD; ++k) {
                f64 x = z[k];
                a[k] = a[k] + difference * x;
                b[k] = b[k] + total * (x * x);
            }
        }
        if (q >= blocks) continue;
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) {
            u64 j = q * HELD + k;
            if (j >= p.n) break;
            first[segment * p.n + j] = a[k];
            second[segment * p.n + j] = b[k];
        }
    }
}

#define ENTRIES(T)                                                                                       \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_candidates_##T(const __grid_constant__ Evolve p) {                                        \
        candidates<T>(p);                                                                                \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_sphere_##T(const __grid_constant__ Evolve p) {                                            \
        scores<SPHERE, T>(p);                                                                            \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_weighted_##T(const __grid_constant__ Evolve p) {                                          \
        scores<WEIGHTED, T>(p);                                                                          \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_rastrigin_##T(const __grid_constant__ Evolve p) {                                         \
        scores<RASTRIGIN, T>(p);                                                                         \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_ackley_##T(const __grid_constant__ Evolve p) {                                            \
        scores<ACKLEY, T>(p);                                                                            \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_rosenbrock_##T(const __grid_constant__ Evolve p) {                                        \
        scores<ROSENBROCK, T>(p);                                                                        \
    }                                                                                                    \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                  \
        evolve_sums_##T(const __grid_constant__ Evolve p) {                                              \
        sums<T>(p);                                                                                      \
    }
ENTRIES(f32)
ENTRIES(f64)
#undef ENTRIES
