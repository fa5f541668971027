// The product of a row.
#include "reduce.cuh"

SYNTONIC_FOLD_ALL(prod, Prod)
