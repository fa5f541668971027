// Generated from the table of primitives by examples/generate_kernels.rs.
// What kernels made at run time compute with float16.
// arch: 75 80

#include "part.cuh"

SYN_PART_HALVES(syn::f16, part_f16_both, part_f16_low, part_f16_high)
SYN_PART_CAST(part_f16_from_bool, syn::f16, bool)
SYN_PART_CAST(part_f16_from_i32, syn::f16, int32_t)
SYN_PART_CAST(part_f16_from_i64, syn::f16, int64_t)
SYN_PART_CAST(part_bool_from_f16, bool, syn::f16)
SYN_PART_CAST(part_i32_from_f16, int32_t, syn::f16)
SYN_PART_CAST(part_i64_from_f16, int64_t, syn::f16)
SYN_PART_CAST(part_f64_from_f16, double, syn::f16)
SYN_PART_CAST(part_f16_from_f64, syn::f16, double)
