// Running products of lines that lie side by side.
#include "scan_strip.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        cumulative_prod_##T##_totals(const __grid_constant__ ScanColumns p) {                     \
        scan_column<T, Product, Pass::Totals>(p);                                                 \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        cumulative_prod_##T##_columns(const __grid_constant__ ScanColumns p) {                    \
        scan_column<T, Product, Pass::Results>(p);                                                \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(32 * STRIP_WARPS)                                \
        cumulative_prod_##T##_strip(const __grid_constant__ ScanColumns p) {                      \
        scan_strip<T, Product>(p);                                                                \
    }
FOR_EACH_SUM(ENTRY)
