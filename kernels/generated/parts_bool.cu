// Generated from the table of primitives by examples/generate_kernels.rs.
// What kernels made at run time compute with bool.
// arch: 75 80

#include "part.cuh"

SYN_PART_TWO(part_bool_add, bool, add)
SYN_PART_TWO(part_bool_multiply, bool, multiply)
SYN_PART_TWO(part_bool_equal, bool, equal)
SYN_PART_TWO(part_bool_not_equal, bool, not_equal)
SYN_PART_ONE(part_bool_logical_not, bool, logical_not)
SYN_PART_TWO(part_bool_logical_and, bool, logical_and)
SYN_PART_TWO(part_bool_logical_or, bool, logical_or)
SYN_PART_TWO(part_bool_logical_xor, bool, logical_xor)
SYN_PART_ONE(part_bool_bitwise_invert, bool, bitwise_invert)
SYN_PART_TWO(part_bool_bitwise_and, bool, bitwise_and)
SYN_PART_TWO(part_bool_bitwise_or, bool, bitwise_or)
SYN_PART_TWO(part_bool_bitwise_xor, bool, bitwise_xor)
SYN_PART_WHERE(part_where_b4, uint32_t)
SYN_PART_WHERE(part_where_b8, uint64_t)
SYN_PART_WHERE_HALVES(part_where_halves)
SYN_PART_CAST(part_i8_from_bool, int8_t, bool)
SYN_PART_CAST(part_i16_from_bool, int16_t, bool)
SYN_PART_CAST(part_u8_from_bool, uint8_t, bool)
SYN_PART_CAST(part_u16_from_bool, uint16_t, bool)
SYN_PART_CAST(part_u32_from_bool, uint32_t, bool)
SYN_PART_CAST(part_u64_from_bool, uint64_t, bool)
SYN_PART_CAST(part_bool_from_i8, bool, int8_t)
SYN_PART_CAST(part_bool_from_i16, bool, int16_t)
SYN_PART_CAST(part_bool_from_u8, bool, uint8_t)
SYN_PART_CAST(part_bool_from_u16, bool, uint16_t)
SYN_PART_CAST(part_bool_from_u32, bool, uint32_t)
SYN_PART_CAST(part_bool_from_u64, bool, uint64_t)
