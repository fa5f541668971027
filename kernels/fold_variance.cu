// The variance of a row, or its root, in one reading.
#include "reduce.cuh"

SYNTONIC_VARIANCE(f16)
SYNTONIC_VARIANCE(bf16)
SYNTONIC_VARIANCE(f32)
