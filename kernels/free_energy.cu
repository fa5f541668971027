// Variational free energy of diagonal Gaussian beliefs with both its parts, in one launch: the formulas of `syntonic_srt::infer`, in
// the operands' type. A block has a part of a row: states, and observations beside them. Threads add every 256th element, a warp and
// then the block its threads in halves, and the last block of a row adds the parts in the same way.
#include "fold.cuh"
#include "inter_block.cuh"
#include "native_types.cuh"
#include "real.cuh"

constexpr u32 BLOCK = 256, WARPS = BLOCK / 32;

struct FreeEnergy {
    u64 mean_q, mean_p, var_q, var_p, observation, prediction, precision;
    u64 jacobian;  // null without
    u64 free_energy, complexity, accuracy;
    u64 sums;      // the type [rows, parts, 2], where a row has several parts
    u64 counters;  // u32 [rows], 0
    u64 n, m, rows;
    u64 states, observed;  // of a part
    u32 parts;             // of a row
    u32 own;               // bit k: operand k has rows of its own
};
static_assert(sizeof(FreeEnergy) == 152, "the Rust mirror has this size");

// (r - 1) - ln r of r = a / b, as `spread` of divergence.rs.
template <class T>
__device__ __forceinline__ T spread(T a, T b) {
    const T far = T(1e-30), beyond = T(1.0 / 1e-30);
    T r = a / syn::abs(b);
    bool apart = syn::minimum(r - far, b) <= T(0);
    T of_a = syn::log(apart ? a : syn::minimum(r, beyond));
    T of_b = syn::log(apart ? b : T(1));
    return syn::maximum((r - T(1)) - (of_a - of_b), T(0));
}
// pi d^2 + pi v - ln pi, as `surprise` of accuracy.rs.
template <class T>
__device__ __forceinline__ T surprise(T d, T precision, T variance) {
    T error = d == T(0) ? T(0) : (precision * d) * d;
    error = error + (variance == T(0) ? T(0) : precision * variance);
    return error == syn::infinity(T(0)) ? error : error - syn::log(precision);
}

template <class T>
struct Sums {
    T states, observed;
};
// In every thread.
template <class T>
__device__ __forceinline__ Sums<T> of_block(Sums<T> a) {
    __shared__ Sums<T> warps[WARPS];
    for (u32 half = 16; half > 0; half /= 2) {
        a.states = a.states + __shfl_xor_sync(0xffffffffu, a.states, half);
        a.observed = a.observed + __shfl_xor_sync(0xffffffffu, a.observed, half);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = a;
    __syncthreads();
    a = warps[threadIdx.x % WARPS];
    for (u32 half = WARPS / 2; half > 0; half /= 2) {
        a.states = a.states + __shfl_xor_sync(0xffffffffu, a.states, half);
        a.observed = a.observed + __shfl_xor_sync(0xffffffffu, a.observed, half);
    }
    return a;
}

template <class T>
__device__ __forceinline__ void free_energy(const FreeEnergy& p) {
    u64 row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    auto of = [&](u64 address, u32 k, u64 each) { return reinterpret_cast<const T*>(address) + (p.own >> k & 1 ? row * each : 0); };
    const T *mean_q = of(p.mean_q, 0, p.n), *mean_p = of(p.mean_p, 1, p.n), *var_q = of(p.var_q, 2, p.n), *var_p = of(p.var_p, 3, p.n);
    const T *observation = of(p.observation, 4, p.m), *prediction = of(p.prediction, 5, p.m), *precision = of(p.precision, 6, p.m);
    Sums<T> sums = {T(0), T(0)};
    u64 end = min((part + 1) * p.states, p.n);
#pragma unroll 4
    for (u64 j = part * p.states + threadIdx.x; j < end; j += BLOCK) {
        T apart = mean_q[j] - mean_p[j], b = var_p[j];
        sums.states = sums.states + (spread(var_q[j], b) + apart * (apart / b));
    }
    end = min((part + 1) * p.observed, p.m);
    if (p.jacobian) {
        const T* jacobian = of(p.jacobian, 7, p.m * p.n);
        // A row of the Jacobian a warp.
        for (u64 i = part * p.observed + threadIdx.x / 32; i < end; i += WARPS) {
            T variance = T(0);
#pragma unroll 4
            for (u64 j = threadIdx.x % 32; j < p.n; j += 32) {
                T x = jacobian[i * p.n + j];
                variance = variance + (x * x) * var_q[j];
            }
            for (u32 half = 16; half > 0; half /= 2) variance = variance + __shfl_xor_sync(0xffffffffu, variance, half);
            if (threadIdx.x % 32 == 0) sums.observed = sums.observed + surprise(observation[i] - prediction[i], precision[i], variance);
        }
    } else {
#pragma unroll 4
        for (u64 i = part * p.observed + threadIdx.x; i < end; i += BLOCK) {
            sums.observed = sums.observed + surprise(observation[i] - prediction[i], precision[i], T(0));
        }
    }
    sums = of_block(sums);
    if (p.parts > 1) {
        T* all = reinterpret_cast<T*>(p.sums) + row * p.parts * 2;
        if (threadIdx.x == 0) __stcg(all + part * 2, sums.states), __stcg(all + part * 2 + 1, sums.observed);
        if (!syntonic::comes_last(reinterpret_cast<u32*>(p.counters) + row, p.parts)) return;
        sums = {T(0), T(0)};
        for (u32 k = threadIdx.x; k < p.parts; k += BLOCK) {
            sums.states = sums.states + __ldcg(all + u64(k) * 2);
            sums.observed = sums.observed + __ldcg(all + u64(k) * 2 + 1);
        }
        sums = of_block(sums);
    }
    if (threadIdx.x == 0) {
        T complexity = T(0.5) * sums.states, accuracy = T(-0.5) * (sums.observed + T(p.m) * T(1.8378770664093455));
        // Without observations there is nothing to explain.
        if (p.m == 0) accuracy = T(0);
        reinterpret_cast<T*>(p.complexity)[row] = complexity;
        reinterpret_cast<T*>(p.accuracy)[row] = accuracy;
        reinterpret_cast<T*>(p.free_energy)[row] = complexity - accuracy;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) free_energy_f32(const __grid_constant__ FreeEnergy p) { free_energy<f32>(p); }
extern "C" __global__ void __launch_bounds__(BLOCK) free_energy_f64(const __grid_constant__ FreeEnergy p) { free_energy<f64>(p); }
