// Position of the first largest of a row, or of the first NaN.
#include "even_position.cuh"

SYNTONIC_FOLD_REALS(argmax, ArgMax)
SYNTONIC_EVEN(argmax, f16, ArgMax<float>)
SYNTONIC_EVEN(argmax, bf16, ArgMax<float>)
SYNTONIC_EVEN(argmax, f32, ArgMax<float>)
SYNTONIC_EVEN(argmax, f64, ArgMax<double>)
