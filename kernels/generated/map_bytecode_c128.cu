// Generated from the table of primitives by examples/generate_kernels.rs.
// Programs of complex128, as bytecode.

// Primitives in line, and those that are called: number and function.
#define SYN_PRIMS(ONE, TWO) \
    ONE(0, negative) \
    ONE(3, square) \
    TWO(7, add) \
    TWO(8, subtract) \
    TWO(9, multiply) \
    TWO(17, equal) \
    TWO(18, not_equal) \
    ONE(50, round) \
    ONE(54, isnan) \
    ONE(55, isinf) \
    ONE(56, isfinite) \
    ONE(57, real) \
    ONE(58, imag) \
    ONE(59, conj)
#define SYN_CALLED(ONE, TWO) \
    ONE(1, abs) \
    ONE(2, sign) \
    ONE(4, sqrt) \
    ONE(6, reciprocal) \
    TWO(10, divide) \
    TWO(13, pow) \
    ONE(23, exp) \
    ONE(24, expm1) \
    ONE(26, log) \
    ONE(27, log1p) \
    ONE(28, log2) \
    ONE(29, log10) \
    ONE(31, sin) \
    ONE(32, cos) \
    ONE(33, tan) \
    ONE(34, asin) \
    ONE(35, acos) \
    ONE(36, atan) \
    ONE(38, sinh) \
    ONE(39, cosh) \
    ONE(40, tanh) \
    ONE(41, asinh) \
    ONE(42, acosh) \
    ONE(43, atanh)
#define SYN_WHERE 71
#define SYN_FMA 14
#define SYN_DIVIDES

#include "bytecode.cuh"

SYN_BYTECODE(syn::c128, syn::c128, 8, map_bytecode_c128)
