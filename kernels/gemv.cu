// y = alpha A x + beta y for every float type: the matrix product where one side is a vector.
#include "gemv.cuh"

namespace syntonic {

// Results go to y; with beta 0 what was there is not read.
template <class T> struct GemvStore {
    const Gemv& p;
    __device__ __forceinline__ void take(u64 batch, u64 at, typename Stored<T>::Value sum) const {
        T* to = reinterpret_cast<T*>(p.y) + (i64)batch * p.y_batch + (i64)at * p.y_step;
        auto value = scaled(p.alpha, sum);
        if (p.beta[0] != 0.0 || p.beta[1] != 0.0) value = plus(value, scaled(p.beta, Stored<T>::load(*to)));
        *to = Stored<T>::store(value);
    }
    __device__ __forceinline__ void close() const {}
};

}  // namespace syntonic

#define GEMV(NAME, T, V, WAY, BLOCKS)                                                                                        \
    extern "C" __global__ void __launch_bounds__(GEMV_THREADS, BLOCKS) NAME(const __grid_constant__ Gemv p) { \
        syntonic::gemv_##WAY<syntonic::T, syntonic::T, V>(p, syntonic::GemvStore<syntonic::T>{p});                   \
    }
// Whole vectors of 16 bytes, and single elements wherever they lie.
#define GEMVS(T, V)                        \
    GEMV(gemv_##T##_rows, T, 1, rows, 3)      \
    GEMV(gemv_##T##_columns, T, 1, columns, 4) \
    GEMV(gemv_##T##_even_rows, T, V, rows, 3) \
    GEMV(gemv_##T##_even_columns, T, V, columns, 4)
GEMVS(f16, 8)
GEMVS(bf16, 8)
GEMVS(f32, 4)
GEMVS(f64, 2)
GEMVS(c64, 2)
GEMV(gemv_c128_rows, c128, 1, rows, 3)
GEMV(gemv_c128_columns, c128, 1, columns, 4)
