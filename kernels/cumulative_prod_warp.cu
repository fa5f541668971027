// Running products of lines of medium length, some lanes of a warp each.
#include "scan_lines.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_prod_##T##_warp(const __grid_constant__ ScanLines p) {                         \
        scan_warp<T, Product>(p);                                                                 \
    }
FOR_EACH_SUM(ENTRY)
