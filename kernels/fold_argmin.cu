// Position of the first smallest of a row, or of the first NaN.
#include "even_position.cuh"

SYNTONIC_FOLD_REALS(argmin, ArgMin)
SYNTONIC_EVEN(argmin, f16, ArgMin<float>)
SYNTONIC_EVEN(argmin, bf16, ArgMin<float>)
SYNTONIC_EVEN(argmin, f32, ArgMin<float>)
SYNTONIC_EVEN(argmin, f64, ArgMin<double>)
