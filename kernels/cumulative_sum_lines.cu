// Running sums of lines whose elements lie together.
#include "scan_lines.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_sum_##T##_warp(const __grid_constant__ ScanLines p) {                          \
        scan_warp<T, Sum>(p);                                                                     \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        cumulative_sum_##T##_chunks(const __grid_constant__ ScanLines p) {                        \
        scan_totals<T, Sum>(p);                                                                   \
    }
FOR_EACH_SUM(ENTRY)
