// Generated from the table of primitives by examples/generate_kernels.rs.
// Programs of float64, as bytecode.

// Primitives in line, and those that are called: number and function.
#define SYN_PRIMS(ONE, TWO) \
    ONE(0, negative) \
    ONE(1, abs) \
    ONE(2, sign) \
    ONE(3, square) \
    ONE(4, sqrt) \
    ONE(6, reciprocal) \
    TWO(7, add) \
    TWO(8, subtract) \
    TWO(9, multiply) \
    TWO(10, divide) \
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
    TWO(51, copysign) \
    ONE(53, signbit) \
    ONE(54, isnan) \
    ONE(55, isinf) \
    ONE(56, isfinite) \
    ONE(57, real) \
    ONE(58, imag) \
    ONE(59, conj)
#define SYN_CALLED(ONE, TWO) \
    ONE(5, rsqrt) \
    TWO(11, floor_divide) \
    TWO(12, remainder) \
    TWO(13, pow) \
    ONE(23, exp) \
    ONE(24, expm1) \
    ONE(25, exp2) \
    ONE(26, log) \
    ONE(27, log1p) \
    ONE(28, log2) \
    ONE(29, log10) \
    TWO(30, logaddexp) \
    ONE(31, sin) \
    ONE(32, cos) \
    ONE(33, tan) \
    ONE(34, asin) \
    ONE(35, acos) \
    ONE(36, atan) \
    TWO(37, atan2) \
    ONE(38, sinh) \
    ONE(39, cosh) \
    ONE(40, tanh) \
    ONE(41, asinh) \
    ONE(42, acosh) \
    ONE(43, atanh) \
    ONE(44, erf) \
    ONE(45, erfc) \
    TWO(46, hypot) \
    TWO(52, nextafter)
#define SYN_WHERE 71
#define SYN_FMA 14
#define SYN_REAL_FLOAT
#define SYN_DIVIDES

#include "bytecode.cuh"

SYN_BYTECODE(double, double, 8, map_bytecode_f64)
