// Running products of lines that lie side by side.
#include "scan_columns.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        cumulative_prod_##T##_totals(const __grid_constant__ ScanColumns p) {                     \
        scan_column<T, Product, Pass::Totals>(p);                                                 \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        cumulative_prod_##T##_columns(const __grid_constant__ ScanColumns p) {                    \
        scan_column<T, Product, Pass::Results>(p);                                                \
    }
FOR_EACH_SUM(ENTRY)
