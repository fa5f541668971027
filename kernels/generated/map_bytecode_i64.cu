// Generated from the table of primitives by examples/generate_kernels.rs.
// Programs of int64, as bytecode.

// Primitives in line, and those that are called: number and function.
#define SYN_PRIMS(ONE, TWO) \
    ONE(0, negative) \
    ONE(1, abs) \
    ONE(2, sign) \
    ONE(3, square) \
    TWO(7, add) \
    TWO(8, subtract) \
    TWO(9, multiply) \
    TWO(15, minimum) \
    TWO(16, maximum) \
    TWO(17, equal) \
    TWO(18, not_equal) \
    TWO(19, less) \
    TWO(20, less_equal) \
    TWO(21, greater) \
    TWO(22, greater_equal) \
    ONE(47, floor) \
    ONE(48, ceil) \
    ONE(49, trunc) \
    ONE(50, round) \
    ONE(54, isnan) \
    ONE(55, isinf) \
    ONE(56, isfinite) \
    ONE(57, real) \
    ONE(58, imag) \
    ONE(59, conj) \
    ONE(65, bitwise_invert) \
    TWO(66, bitwise_and) \
    TWO(67, bitwise_or) \
    TWO(68, bitwise_xor) \
    TWO(69, bitwise_left_shift) \
    TWO(70, bitwise_right_shift)
#define SYN_CALLED(ONE, TWO) \
    TWO(11, floor_divide) \
    TWO(12, remainder) \
    TWO(13, pow)
#define SYN_WHERE 71
#define SYN_FMA 14

#include "bytecode.cuh"

SYN_BYTECODE(int64_t, int64_t, 8, map_bytecode_i64)
