// Elements as unsigned integers whose order is the order of the elements, NaN last in both directions.
#pragma once
#include <cstdint>

#include "contract_ranking.cuh"

template <class K>
__device__ __forceinline__ K sign_of() {
    return (K)1 << (8 * sizeof(K) - 1);
}

template <class K>
__device__ __forceinline__ K float_rank(K bits, const Ranking &r) {
    const K SIGN = sign_of<K>(), ALL = (K)~(K)0;
    const K value = r.plain && bits == SIGN ? (K)0 : bits;
    const K up = value & SIGN ? (K)~value : (K)(value | SIGN);
    return (K)(bits & (K)~SIGN) > (K)r.infinity ? ALL : (K)(r.descending ? ~up : up);
}

template <class K>
__device__ __forceinline__ K integer_rank(K bits, const Ranking &r) {
    return bits ^ (K)r.flip ^ (K)(r.descending ? ~(K)0 : (K)0);
}

template <class K>
__device__ __forceinline__ K rank_of(K bits, const Ranking &r) {
    return r.infinity ? float_rank(bits, r) : integer_rank(bits, r);
}

template <class K>
__device__ __forceinline__ K float_bits(K rank, const Ranking &r) {
    const K SIGN = sign_of<K>(), ALL = (K)~(K)0;
    const K up = r.descending ? (K)~rank : rank;
    const K value = up & SIGN ? (K)(up & (K)~SIGN) : (K)~up;
    return rank == ALL ? (K)r.nan : value;
}

/// The element of a rank; what `rank_of` merges comes back as one of them. Integers are their own way back.
template <class K>
__device__ __forceinline__ K bits_of_rank(K rank, const Ranking &r) {
    return r.infinity ? float_bits(rank, r) : integer_rank(rank, r);
}
