// Generated from the table of primitives by examples/generate_kernels.rs.
// What kernels made at run time compute with bfloat16.
// arch: 75 80

#include "part.cuh"

SYN_PART_HALVES(syn::bf16, part_bf16_both, part_bf16_low, part_bf16_high)
SYN_PART_CAST(part_bf16_from_bool, syn::bf16, bool)
SYN_PART_CAST(part_bf16_from_i32, syn::bf16, int32_t)
SYN_PART_CAST(part_bf16_from_i64, syn::bf16, int64_t)
SYN_PART_CAST(part_bool_from_bf16, bool, syn::bf16)
SYN_PART_CAST(part_i32_from_bf16, int32_t, syn::bf16)
SYN_PART_CAST(part_i64_from_bf16, int64_t, syn::bf16)
SYN_PART_CAST(part_f64_from_bf16, double, syn::bf16)
SYN_PART_CAST(part_bf16_from_f64, syn::bf16, double)
