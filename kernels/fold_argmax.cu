// Position of the first largest of a row, or of the first NaN.
#include "reduce.cuh"

SYNTONIC_FOLD_REALS(argmax, ArgMax)
