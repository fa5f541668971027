// The sum of a row.
#include "even.cuh"

SYNTONIC_FOLD_ALL(sum, Sum)
SYNTONIC_EVEN(sum, f16, Sum<float>)
SYNTONIC_EVEN(sum, bf16, Sum<float>)
SYNTONIC_EVEN(sum, f32, Sum<float>)
SYNTONIC_EVEN(sum, f64, Sum<double>)
