// The largest of a row; NaN if any is NaN.
#include "reduce.cuh"

SYNTONIC_FOLD_REALS(max, Max)
