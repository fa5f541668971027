// Running products of long lines, in tiles.
#include "scan_lines.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_prod_##T##_tiles(const __grid_constant__ ScanLines p) {                        \
        scan_tiles<T, Product>(p);                                                                \
    }
FOR_EACH_SUM(ENTRY)
