// Running sums of lines that lie side by side.
#include "scan_halves.cuh"
#include "scan_strip.cuh"

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        cumulative_sum_##T##_totals(const __grid_constant__ ScanColumns p) {                      \
        scan_column<T, Sum, Pass::Totals>(p);                                                     \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                           \
        cumulative_sum_##T##_columns(const __grid_constant__ ScanColumns p) {                     \
        scan_column<T, Sum, Pass::Results>(p);                                                    \
    }                                                                                             \
    extern "C" __global__ void __launch_bounds__(32 * STRIP_WARPS)                                \
        cumulative_sum_##T##_strip(const __grid_constant__ ScanColumns p) {                       \
        scan_strip<T, Sum>(p);                                                                    \
    }
FOR_EACH_SUM(ENTRY)
#undef ENTRY

#define ENTRY(T)                                                                                  \
    extern "C" __global__ void __launch_bounds__(32 * EVEN_WARPS)                                 \
        cumulative_sum_##T##_tall(const __grid_constant__ ScanColumns p) {                        \
        scan_even_strip<T>(p);                                                                    \
    }
ENTRY(f16)
ENTRY(bf16)
