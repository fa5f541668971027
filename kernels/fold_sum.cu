// The sum of a row.
#include "reduce.cuh"

SYNTONIC_FOLD_ALL(sum, Sum)
