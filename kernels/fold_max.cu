// The largest of a row; NaN if any is NaN.
#include "even.cuh"

SYNTONIC_FOLD_REALS(max, Max)
SYNTONIC_EVEN(max, f16, Max<float>)
SYNTONIC_EVEN(max, bf16, Max<float>)
SYNTONIC_EVEN(max, f32, Max<float>)
SYNTONIC_EVEN(max, f64, Max<double>)
