// Walking strided memory: from a position in an index space to one offset per operand.
//
// The host merges and sorts the axes first (crates/syntonic-cuda/src/walk.rs) and mirrors these structs. Axis 0 is the
// innermost. Offsets count elements. Narrow: every position and offset is below 2^31; Wide serves the rest.
#pragma once
#include <cstdint>

#ifdef __CUDACC__
#define SYN_FN __device__ __forceinline__
#else
#define SYN_FN inline
#endif

namespace walk {

constexpr int AXES = 8;

SYN_FN uint32_t high_product(uint32_t a, uint32_t b) {
#ifdef __CUDA_ARCH__
    return __umulhi(a, b);
#else
    return uint32_t((uint64_t(a) * b) >> 32);
#endif
}

SYN_FN uint64_t high_product(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    return uint64_t((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

// A divisor d as a product and a shift: n / d for every n below half of the type's range.
template <typename Index> struct Divisor {
    Index by;
    Index magic;
    Index shift;

    SYN_FN Index quotient(Index n) const { return (high_product(n, magic) + n) >> shift; }
};

// An index space walked by K operands.
template <int K, typename Index, typename Offset> struct Space {
    Index axes;
    Divisor<Index> dims[AXES];
    Offset strides[K][AXES];

    // The offset of every operand at position `i`.
    SYN_FN void offsets(Index i, Offset (&at)[K]) const {
        for (int k = 0; k < K; k++) at[k] = 0;
        Index rest = i;
        for (Index axis = 0; axis + 1 < axes; axis++) {
            Index next = dims[axis].quotient(rest);
            Offset here = Offset(rest - next * dims[axis].by);
            for (int k = 0; k < K; k++) at[k] += here * strides[k][axis];
            rest = next;
        }
        // The outermost axis needs no division. No axes: one position, stride 0.
        for (int k = 0; k < K; k++) at[k] += Offset(rest) * strides[k][axes - 1];
    }

    // The offset of operand `k` alone.
    SYN_FN Offset offset(int k, Index i) const {
        Offset at = 0;
        Index rest = i;
        for (Index axis = 0; axis + 1 < axes; axis++) {
            Index next = dims[axis].quotient(rest);
            at += Offset(rest - next * dims[axis].by) * strides[k][axis];
            rest = next;
        }
        return at + Offset(rest) * strides[k][axes - 1];
    }
};

template <int K> using Narrow = Space<K, uint32_t, int32_t>;
template <int K> using Wide = Space<K, uint64_t, int64_t>;

}  // namespace walk
