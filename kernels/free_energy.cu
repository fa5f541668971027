// Variational free energy of diagonal Gaussian beliefs with both its parts, in one launch: the formulas of `syntonic_srt::infer`, in
// the operands' type, of which halves are computed in f32. A block has a part of a row: states, and observations beside them. Threads
// add every 256th element or vector, a warp and then the block its threads in halves, and the last block of a row adds the parts in the
// same way.
#include "contract_free_energy.cuh"
#include "free_energy.cuh"
#include "inter_block.cuh"

constexpr u32 BLOCK = 256, WARPS = BLOCK / 32;

template <class S>
__device__ __forceinline__ void free_energy(const FreeEnergy& p) {
    using Stored = syntonic::Stored<S>;
    using T = typename Stored::Value;
    u64 row = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    auto of = [&](u64 address, u32 k, u64 each) { return reinterpret_cast<const S*>(address) + (p.own >> k & 1 ? row * each : 0); };
    const S *mean_q = of(p.mean_q, 0, p.n), *mean_p = of(p.mean_p, 1, p.n), *var_q = of(p.var_q, 2, p.n), *var_p = of(p.var_p, 3, p.n);
    const S *observation = of(p.observation, 4, p.m), *prediction = of(p.prediction, 5, p.m), *precision = of(p.precision, 6, p.m);
    Sums<T> sums = {T(0), T(0)};
    u64 end = min((part + 1) * p.states, p.n);
    sums.states = of_part(part * p.states, end, p.aligned & 1, BLOCK, OfState(), mean_q, mean_p, var_q, var_p);
    end = min((part + 1) * p.observed, p.m);
    if (p.jacobian) {
        const S* jacobian = of(p.jacobian, 7, p.m * p.n);
        // A row of the Jacobian a warp.
        for (u64 i = part * p.observed + threadIdx.x / 32; i < end; i += WARPS) {
            T variance = T(0);
#pragma unroll 4
            for (u64 j = threadIdx.x % 32; j < p.n; j += 32) {
                T x = Stored::load(jacobian[i * p.n + j]);
                variance = variance + (x * x) * Stored::load(var_q[j]);
            }
            for (u32 half = 16; half > 0; half /= 2) variance = variance + __shfl_xor_sync(0xffffffffu, variance, half);
            if (threadIdx.x % 32 == 0) {
                const T apart = Stored::load(observation[i]) - Stored::load(prediction[i]);
                sums.observed = sums.observed + surprise(apart, Stored::load(precision[i]), variance);
            }
        }
    } else {
        sums.observed = of_part(part * p.observed, end, p.aligned >> 1 & 1, BLOCK, OfObservation(), observation, prediction, precision);
    }
    sums = of_block<WARPS>(sums);
    if (p.parts > 1) {
        T* all = reinterpret_cast<T*>(p.sums) + row * p.parts * 2;
        if (threadIdx.x == 0) __stcg(all + part * 2, sums.states), __stcg(all + part * 2 + 1, sums.observed);
        if (!syntonic::comes_last(reinterpret_cast<u32*>(p.counters) + row, p.parts)) return;
        sums = {T(0), T(0)};
        for (u32 k = threadIdx.x; k < p.parts; k += BLOCK) {
            sums.states = sums.states + __ldcg(all + u64(k) * 2);
            sums.observed = sums.observed + __ldcg(all + u64(k) * 2 + 1);
        }
        sums = of_block<WARPS>(sums);
    }
    if (threadIdx.x == 0) {
        T complexity = complexity_of(sums), accuracy = accuracy_of(sums, p.m);
        reinterpret_cast<S*>(p.complexity)[row] = Stored::store(complexity);
        reinterpret_cast<S*>(p.accuracy)[row] = Stored::store(accuracy);
        reinterpret_cast<S*>(p.free_energy)[row] = Stored::store(complexity - accuracy);
    }
}

#define FREE_ENERGY(name, S) \
    extern "C" __global__ void __launch_bounds__(BLOCK) free_energy_##name(const __grid_constant__ FreeEnergy p) { free_energy<S>(p); }
FREE_ENERGY(f16, syntonic::f16)
FREE_ENERGY(bf16, syntonic::bf16)
FREE_ENERGY(f32, f32)
FREE_ENERGY(f64, f64)
