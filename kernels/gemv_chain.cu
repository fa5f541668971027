// y = alpha A x + beta y0, z = a y + b w, and one number of z, while the matrix is read once. Half matrices have vectors of float.
#include "contract_gemv_chain.cuh"
#include "gemv.cuh"

namespace syntonic {

// Numbers of core's `Reduce`.
enum class OfZ : u32 { NOTHING, SUM, SUM_OF_SQUARES, MAX_ABS, DOT };

template <class X> struct ChainEnd {
    const GemvChain& p;
    double number = 0.0;

    __device__ __forceinline__ double joined(double x, double y) const {
        // NaN stays.
        if (p.of_z == (u32)OfZ::MAX_ABS) return y > x || y != y ? y : x;
        return x + y;
    }
    __device__ __forceinline__ void take(u64, u64 at, X sum) {
        X y = (X)p.gemv.alpha[0] * sum;
        if (p.gemv.beta[0] != 0.0) y += (X)p.gemv.beta[0] * reinterpret_cast<const X*>(p.y0)[(i64)at * p.y0_step];
        if (p.y != 0) reinterpret_cast<X*>(p.y)[at] = y;
        X z = (X)p.a * y;
        if (p.b != 0.0) z += (X)p.b * reinterpret_cast<const X*>(p.w)[(i64)at * p.w_step];
        if (p.z != 0) reinterpret_cast<X*>(p.z)[at] = z;
        const double wide = z;
        switch ((OfZ)p.of_z) {
            case OfZ::NOTHING: break;
            case OfZ::SUM: number += wide; break;
            case OfZ::SUM_OF_SQUARES: number += wide * wide; break;
            case OfZ::MAX_ABS: number = joined(number, fabs(wide)); break;
            case OfZ::DOT: number += wide * (double)reinterpret_cast<const X*>(p.v)[(i64)at * p.v_step]; break;
        }
    }
    // The numbers of all threads of a block, in thread 0.
    __device__ __forceinline__ double of_block(double x) const {
        __shared__ double warps[GEMV_WARPS];
#pragma unroll
        for (int apart = 1; apart < 32; apart *= 2) x = joined(x, __shfl_xor_sync(~0u, x, apart));
        __syncthreads();
        if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
        __syncthreads();
        x = warps[0];
#pragma unroll
        for (u32 w = 1; w < GEMV_WARPS; ++w) x = joined(x, warps[w]);
        return x;
    }
    __device__ __forceinline__ void close() {
        if (p.of_z == (u32)OfZ::NOTHING) return;
        double* numbers = reinterpret_cast<double*>(p.numbers);
        const double mine = of_block(number);
        if (threadIdx.x == 0) numbers[blockIdx.x] = mine;
        if (!comes_last(reinterpret_cast<u32*>(p.finished), gridDim.x)) return;
        double all = 0.0;
#pragma unroll 4
        for (u32 k = threadIdx.x; k < gridDim.x; k += GEMV_THREADS) all = joined(all, read_l2(numbers + k));
        all = of_block(all);
        if (threadIdx.x == 0) *reinterpret_cast<X*>(p.r) = (X)all;
    }
};

}  // namespace syntonic

#define CHAIN(NAME, A, X, V, WAY, BLOCKS)                                                                                        \
    extern "C" __global__ void __launch_bounds__(GEMV_THREADS, BLOCKS) NAME(const __grid_constant__ GemvChain p) { \
        syntonic::gemv_##WAY<syntonic::A, syntonic::X, V>(p.gemv, syntonic::ChainEnd<syntonic::X>{p});                            \
    }
#define CHAINS(A, X, V)                                   \
    CHAIN(gemv_chain_##A##_rows, A, X, 1, rows, 3)        \
    CHAIN(gemv_chain_##A##_columns, A, X, 1, columns, 4)  \
    CHAIN(gemv_chain_##A##_even_rows, A, X, V, rows, 2)   \
    CHAIN(gemv_chain_##A##_even_columns, A, X, V, columns, 4)
CHAINS(f16, f32, 8)
CHAINS(bf16, f32, 8)
CHAINS(f32, f32, 4)
CHAINS(f64, f64, 2)
