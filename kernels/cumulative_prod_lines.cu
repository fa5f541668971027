// Running products of lines whose elements lie together.
#include "scan_lines.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_prod_##T##_warp(const __grid_constant__ ScanLines p) {                         \
        scan_warp<T, Product>(p);                                                                 \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_prod_##T##_chunks(const __grid_constant__ ScanLines p) {                       \
        scan_totals<T, Product>(p);                                                               \
    }
FOR_EACH_SUM(ENTRY)
