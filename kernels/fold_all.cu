// Whether none of a row is zero.
#include "reduce.cuh"

SYNTONIC_FOLD_TRUTH(all, All)
