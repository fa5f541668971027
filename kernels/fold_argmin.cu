// Position of the first smallest of a row, or of the first NaN.
#include "reduce.cuh"

SYNTONIC_FOLD_REALS(argmin, ArgMin)
