// Elements that are only moved: unsigned integers of their size.
#pragma once
#include <type_traits>

#include "walk.cuh"

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

struct alignas(16) Cell16 {
    u64 low, high;
};

using b1 = u8;
using b2 = u16;
using b4 = u32;
using b8 = u64;
using b16 = Cell16;

// Runs `M(size name)` for each size.
#define FOR_EACH_CELL(M) M(b1) M(b2) M(b4) M(b8) M(b16)

// Most numbers are small even where they need not be, and a division of 32 bits costs a quarter.
__device__ __forceinline__ u64 quotient(u64 n, u64 by) {
    return ((n | by) >> 32) == 0 ? u32(n) / u32(by) : n / by;
}

// The types that a walk counts positions and offsets in.
template <class S>
using PositionOf = decltype(S::axes);
template <class S>
using OffsetOf = std::remove_reference_t<decltype(S::strides[0][0])>;
