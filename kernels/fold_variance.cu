// The variance of a row, or its root, in one reading.
#include "even.cuh"

// The entries of one element type.
#define SYNTONIC_VARIANCE(T)                                                                                \
    extern "C" __global__ void __launch_bounds__(512) variance_##T##_rows(                                  \
        const __grid_constant__ VarianceParams<RowsParams> p) {                                             \
        using namespace syntonic;                                                                           \
        reduce_rows<Moments<IsHalf<T>::YES>, T>(p);                                                         \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(256) variance_##T##_columns(                               \
        const __grid_constant__ VarianceParams<ColumnsParams> p) {                                          \
        using namespace syntonic;                                                                           \
        reduce_columns<Moments<IsHalf<T>::YES>, T>(p);                                                      \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(256) variance_##T##_join(                                  \
        const __grid_constant__ VarianceParams<JoinParams> p) {                                             \
        using namespace syntonic;                                                                           \
        reduce_join<Moments<IsHalf<T>::YES>, T>(p);                                                         \
    }
SYNTONIC_VARIANCE(f16)
SYNTONIC_VARIANCE(bf16)
SYNTONIC_VARIANCE(f32)
SYNTONIC_EVEN_AS(variance, f16, VarianceParams, EvenMoments<true>)
SYNTONIC_EVEN_AS(variance, bf16, VarianceParams, EvenMoments<true>)
SYNTONIC_EVEN_AS(variance, f32, VarianceParams, EvenMoments<false>)
