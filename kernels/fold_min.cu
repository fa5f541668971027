// The smallest of a row; NaN if any is NaN.
#include "reduce.cuh"

SYNTONIC_FOLD_REALS(min, Min)
