// Whether any of a row is not zero.
#include "reduce.cuh"

SYNTONIC_FOLD_TRUTH(any, Any)
