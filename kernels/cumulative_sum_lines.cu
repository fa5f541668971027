// Running sums of lines whose elements lie together.
#include "scan_halves.cuh"

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
#undef ENTRY

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS, 8)                                      \
        cumulative_sum_##T##_even(const __grid_constant__ ScanLines p) {                          \
        scan_even_lines<T>(p);                                                                    \
    }
ENTRY(f16)
ENTRY(bf16)
