// Sorting many short lines: several to a block, by a bitonic network in shared memory. With positions it
// also takes the first few of each line.
#include "contract_sort_few.cuh"
#include "rank.cuh"
#include "walk.cuh"

/// Elements held in shared memory by one block, and its threads: mirrored in few.rs.
const int HELD = 2048, THREADS = 256;

template <class K>
struct Key {
    typedef K Bits;
    K rank;
    __device__ static Key of(K bits, uint32_t, const Ranking &r) { return {rank_of(bits, r)}; }
    __device__ static Key last() { return {(K)~(K)0}; }
    __device__ bool operator<(const Key &o) const { return rank < o.rank; }
    __device__ K bits(const Ranking &r) const { return bits_of_rank(rank, r); }
    __device__ uint32_t position() const { return 0; }
    __device__ void forget() {}
};

/// Rank and position in one word.
template <class K>
struct Pair {
    typedef K Bits;
    uint64_t both;
    __device__ static Pair of(K bits, uint32_t at, const Ranking &r) {
        return {(uint64_t)rank_of(bits, r) << 32 | at};
    }
    __device__ static Pair last() { return {~0ull}; }
    __device__ bool operator<(const Pair &o) const { return both < o.both; }
    __device__ K bits(const Ranking &r) const { return bits_of_rank((K)(both >> 32), r); }
    __device__ uint32_t position() const { return (uint32_t)both; }
    __device__ void forget() { both &= 0xFFFFFFFFull; }
};

template <>
struct Pair<uint64_t> {
    typedef uint64_t Bits;
    uint64_t rank;
    uint32_t at;
    __device__ static Pair of(uint64_t bits, uint32_t at, const Ranking &r) {
        return {rank_of(bits, r), at};
    }
    __device__ static Pair last() { return {~0ull, ~0u}; }
    __device__ bool operator<(const Pair &o) const {
        return rank < o.rank || (rank == o.rank && at < o.at);
    }
    __device__ uint64_t bits(const Ranking &r) const { return bits_of_rank(rank, r); }
    __device__ uint32_t position() const { return at; }
    __device__ void forget() { rank = 0; }
};

template <class P>
struct alignas(2 * sizeof(P)) Parts {
    P re, im;
};

/// A complex number: which parts are NaN, the real part, the imaginary part.
template <class P>
struct Complex {
    typedef Parts<P> Bits;
    P re, im;
    uint32_t nan, at;
    __device__ static Complex of(Bits bits, uint32_t at, const Ranking &r) {
        Complex c = {rank_of(bits.re, r), rank_of(bits.im, r), 0, at};
        c.nan = (uint32_t)(c.re == (P)~(P)0) << 1 | (c.im == (P)~(P)0);
        return c;
    }
    __device__ static Complex last() { return {(P)~(P)0, (P)~(P)0, ~0u, ~0u}; }
    __device__ bool operator<(const Complex &o) const {
        if (nan != o.nan) return nan < o.nan;
        if (re != o.re) return re < o.re;
        if (im != o.im) return im < o.im;
        return at < o.at;
    }
    __device__ Bits bits(const Ranking &r) const {
        return {bits_of_rank(re, r), bits_of_rank(im, r)};
    }
    __device__ uint32_t position() const { return at; }
    __device__ void forget() { nan = 0, re = 0, im = 0; }
};

/// Puts every run of `padded` of the `HELD` items in order.
template <class I>
__device__ __forceinline__ void network(I *items, uint32_t padded) {
    for (uint32_t run = 2; run <= padded; run *= 2) {
        for (uint32_t gap = run / 2; gap > 0; gap /= 2) {
            __syncthreads();
            for (uint32_t t = threadIdx.x; t < HELD / 2; t += THREADS) {
                uint32_t low = 2 * t - (t & (gap - 1)), high = low + gap;
                bool up = (low & (padded - 1) & run) == 0;
                I a = items[low], b = items[high];
                if (up ? b < a : a < b) {
                    items[low] = b;
                    items[high] = a;
                }
            }
        }
    }
    __syncthreads();
}

/// Line and place in it of item `t` of a block's `lines` lines of `n` items.
__device__ __forceinline__ void place(uint32_t t, uint32_t lines, uint32_t n, bool across,
                                      uint32_t &line, uint32_t &i) {
    line = across ? t % lines : t / n;
    i = across ? t / lines : t % n;
}

template <class I>
__device__ __forceinline__ void sort_few(const FewParams &p) {
    typedef typename I::Bits Bits;
    extern __shared__ __align__(16) unsigned char memory[];
    I *items = (I *)memory;
    const uint32_t lines = HELD / p.padded;
    for (uint64_t row = (uint64_t)blockIdx.x * lines; row < p.rows; row += (uint64_t)gridDim.x * lines) {
        for (uint32_t t = threadIdx.x; t < HELD; t += THREADS) {
            uint32_t line, i;
            place(t, lines, p.padded, p.across, line, i);
            I item = I::last();
            if (row + line < p.rows && i < p.n) {
                int64_t at = p.lines.offset(0, row + line) + (int64_t)i * p.from_step;
                item = I::of(((const Bits *)p.from)[at], i, p.ranking);
            }
            items[line * p.padded + i] = item;
        }
        network(items, p.padded);
        if (p.in_place) {
            for (uint32_t t = threadIdx.x; t < HELD; t += THREADS) {
                if ((t & (p.padded - 1)) < p.keep) {
                    items[t].forget();
                } else {
                    items[t] = I::last();
                }
            }
            network(items, p.padded);
        }
        for (uint32_t t = threadIdx.x; t < lines * p.keep; t += THREADS) {
            uint32_t line, i;
            place(t, lines, p.keep, p.across, line, i);
            if (row + line >= p.rows) continue;
            int64_t starts[3];
            p.lines.offsets(row + line, starts);
            const I item = items[line * p.padded + i];
            if (p.to) {
                Bits bits = p.original
                                ? ((const Bits *)p.from)[starts[0] + item.position() * p.from_step]
                                : item.bits(p.ranking);
                ((Bits *)p.to)[starts[1] + (int64_t)i * p.to_step] = bits;
            }
            if (p.to_positions)
                ((int64_t *)p.to_positions)[starts[2] + (int64_t)i * p.to_positions_step] = item.position();
        }
        __syncthreads();
    }
}

#define FEW(name, ITEM)                                                                              \
    extern "C" __global__ void __launch_bounds__(THREADS) name(const __grid_constant__ FewParams p) { \
        sort_few<ITEM>(p);                                                                           \
    }
FEW(sort_few_keys_b1, Key<uint8_t>)
FEW(sort_few_keys_b2, Key<uint16_t>)
FEW(sort_few_keys_b4, Key<uint32_t>)
FEW(sort_few_keys_b8, Key<uint64_t>)
FEW(sort_few_pairs_b1, Pair<uint8_t>)
FEW(sort_few_pairs_b2, Pair<uint16_t>)
FEW(sort_few_pairs_b4, Pair<uint32_t>)
FEW(sort_few_pairs_b8, Pair<uint64_t>)
FEW(sort_few_pairs_c64, Complex<uint32_t>)
FEW(sort_few_pairs_c128, Complex<uint64_t>)
