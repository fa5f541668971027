// The smallest of a row; NaN if any is NaN.
#include "even.cuh"

SYNTONIC_FOLD_REALS(min, Min)
SYNTONIC_EVEN(min, f16, Min<float>)
SYNTONIC_EVEN(min, bf16, Min<float>)
SYNTONIC_EVEN(min, f32, Min<float>)
SYNTONIC_EVEN(min, f64, Min<double>)
