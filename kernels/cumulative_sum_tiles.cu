// Running sums of long lines, in tiles.
#include "scan_lines.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_sum_##T##_tiles(const __grid_constant__ ScanLines p) {                         \
        scan_tiles<T, Sum>(p);                                                                    \
    }
FOR_EACH_SUM(ENTRY)
