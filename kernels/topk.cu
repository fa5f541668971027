// Top-k of long lines. The best elements of the threads bound the k-th one: a block gathers all elements up to that bound, and sorts
// these alone. Where they are too many, a radix select on leading digits finds the bound.
#include "contract_topk.cuh"
#include "rank.cuh"

const int THREADS = 512, GATHERED = 2048, WIDTH = 11, BINS = 1 << WIDTH, AHEAD = 8;
/// More would need more than is gathered.
const uint32_t MOST_OF_BEST = 448;
const uint32_t NONE = ~0u;

template <class K>
struct Item {
    K rank;
    uint32_t at;
    __device__ bool operator<(const Item &o) const {
        return rank < o.rank || (rank == o.rank && at < o.at);
    }
};

/// A block's part of a line.
template <class K>
struct Chunk {
    const K *from;
    const uint32_t *among;
    uint32_t first, last;

    /// Calls `use(rank, position)` for every element, in any order.
    template <class F>
    __device__ __forceinline__ void each(const Ranking &ranking, F use) const {
        const uint32_t count = last - first;
        for (uint32_t start = threadIdx.x; start < count; start += THREADS * AHEAD) {
            uint32_t at[AHEAD];
            K bits[AHEAD];
#pragma unroll
            for (int k = 0; k < AHEAD; k++) {
                uint32_t i = start + k * THREADS;
                at[k] = i < count ? first + i : NONE;
                if (among && at[k] != NONE) at[k] = among[at[k]];
            }
#pragma unroll
            for (int k = 0; k < AHEAD; k++) bits[k] = at[k] != NONE ? from[at[k]] : (K)0;
#pragma unroll
            for (int k = 0; k < AHEAD; k++)
                if (at[k] != NONE) use(rank_of(bits[k], ranking), at[k]);
        }
    }
};

/// Shared between the threads of a block.
struct Board {
    uint32_t counts[BINS];
    uint32_t warps[THREADS / 32];
    uint32_t bin, under, inside, total, used;
};

/// The bin that holds element `want` (from 0) of all counted, how many lie in bins before it and in it.
__device__ __forceinline__ void find_bin(Board &b, uint32_t want) {
    const int EACH = BINS / THREADS;
    uint32_t sum = 0;
    for (int k = 0; k < EACH; k++) sum += b.counts[threadIdx.x * EACH + k];
    uint32_t upto = sum;
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(0xFFFFFFFFu, upto, step);
        if ((threadIdx.x & 31) >= step) upto += other;
    }
    if ((threadIdx.x & 31) == 31) b.warps[threadIdx.x / 32] = upto;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; w++) upto += b.warps[w];
    uint32_t before = upto - sum;
    for (int k = 0; k < EACH; k++) {
        uint32_t count = b.counts[threadIdx.x * EACH + k];
        if (before <= want && want < before + count) {
            b.bin = threadIdx.x * EACH + k;
            b.under = before;
            b.inside = count;
        }
        before += count;
    }
    if (threadIdx.x == THREADS - 1) b.total = upto;
    __syncthreads();
}

/// Puts the first `padded` items, a power of two, in order.
template <class I>
__device__ __forceinline__ void network(I *items, uint32_t padded) {
    for (uint32_t run = 2; run <= padded; run *= 2) {
        for (uint32_t gap = run / 2; gap > 0; gap /= 2) {
            __syncthreads();
            for (uint32_t t = threadIdx.x; t < padded / 2; t += THREADS) {
                uint32_t low = 2 * t - (t & (gap - 1)), high = low + gap;
                I a = items[low], c = items[high];
                if ((low & run) == 0 ? c < a : a < c) {
                    items[low] = c;
                    items[high] = a;
                }
            }
        }
    }
    __syncthreads();
}

/// Fills up `items` with the first elements of this rank, in the order of the line, to `wanted` items.
template <class K>
__device__ __forceinline__ void gather_equal(const Chunk<K> &chunk, K rank, const Ranking &ranking,
                                             Board &b, Item<K> *items, uint32_t wanted) {
    const int warp = threadIdx.x / 32;
    const uint32_t below = (1u << (threadIdx.x & 31)) - 1;
    const uint32_t count = chunk.last - chunk.first;
    for (uint32_t start = 0; start < count; start += THREADS) {
        uint32_t i = start + threadIdx.x;
        uint32_t at = i < count ? chunk.first + i : NONE;
        if (chunk.among && at != NONE) at = chunk.among[at];
        bool mine = at != NONE && rank_of(chunk.from[at], ranking) == rank;
        uint32_t votes = __ballot_sync(0xFFFFFFFFu, mine);
        if ((threadIdx.x & 31) == 0) b.warps[warp] = __popc(votes);
        __syncthreads();
        uint32_t to = b.used, all = 0;
        for (int w = 0; w < THREADS / 32; w++) {
            if (w < warp) to += b.warps[w];
            all += b.warps[w];
        }
        to += __popc(votes & below);
        if (mine && to < wanted) items[to] = {rank, at};
        __syncthreads();
        if (threadIdx.x == 0) b.used += all;
        __syncthreads();
        if (b.used >= wanted) break;
    }
}

/// Gathers all elements up to the `k`-th best of the threads' best ones, of which there are hardly more than `k` unless many
/// are equal; says whether there was room.
template <class K>
__device__ __forceinline__ bool gather_best(const SelectParams &p, const Chunk<K> &chunk, Board &b, Item<K> *items) {
    if (chunk.among || p.k > MOST_OF_BEST || chunk.last - chunk.first < 8 * THREADS) return false;
    K best = (K)~(K)0;
    chunk.each(p.ranking, [&](K rank, uint32_t) { best = rank < best ? rank : best; });
    items[threadIdx.x] = {best, threadIdx.x};
    if (threadIdx.x == 0) b.used = 0;
    network(items, THREADS);
    const K limit = items[p.k - 1].rank;
    __syncthreads();
    chunk.each(p.ranking, [&](K rank, uint32_t at) {
        if (rank > limit) return;
        const uint32_t to = atomicAdd(&b.used, 1u);
        if (to < GATHERED) items[to] = {rank, at};
    });
    __syncthreads();
    const bool fits = b.used <= GATHERED;
    __syncthreads();
    return fits;
}

/// The first `wanted` of `used` items, in order, or in that of their positions.
template <class K>
__device__ __forceinline__ void put_in_order(const SelectParams &p, uint32_t *to, Item<K> *items, uint32_t used,
                                             uint32_t wanted) {
    uint32_t padded = 1;
    while (padded < used) padded *= 2;
    for (uint32_t i = used + threadIdx.x; i < padded; i += THREADS) items[i] = {(K)~(K)0, NONE};
    network(items, padded);
    if (p.in_place) {
        padded = 1;
        while (padded < wanted) padded *= 2;
        for (uint32_t i = threadIdx.x; i < padded; i += THREADS) {
            items[i].rank = 0;
            if (i >= wanted) items[i].at = NONE;
        }
        network(items, padded);
    }
    // In the end a line has as many as are wanted, unless others wrote it meanwhile: the first position stands for those that are missing.
    const uint32_t missing = p.chunks == 1 ? 0 : NONE;
    for (uint32_t i = threadIdx.x; i < p.k; i += THREADS) to[i] = i < wanted ? items[i].at : missing;
    __syncthreads();
}

template <class K>
__device__ __forceinline__ void select_chunk(const SelectParams &p, const Chunk<K> &chunk, uint32_t *to,
                                             Board &b, Item<K> *items) {
    if (gather_best(p, chunk, b, items)) {
        put_in_order(p, to, items, b.used, min(p.k, b.used));
        return;
    }
    // Ranks with `prefix` above their lowest `shift` bits hold the last wanted element; `under` are less.
    K prefix = 0;
    int shift = 8 * sizeof(K);
    uint32_t under = 0, wanted = p.k;
    for (;;) {
        const int width = min(shift, WIDTH), above = shift;
        shift -= width;
        for (int i = threadIdx.x; i < BINS; i += THREADS) b.counts[i] = 0;
        if (threadIdx.x == 0) b.inside = 0, b.under = 0, b.bin = 0, b.used = 0;
        __syncthreads();
        chunk.each(p.ranking, [&](K rank, uint32_t) {
            if (above < 8 * (int)sizeof(K) && (K)(rank >> above) != prefix) return;
            atomicAdd(&b.counts[(uint32_t)(rank >> shift) & ((1u << width) - 1)], 1u);
        });
        __syncthreads();
        find_bin(b, wanted - 1 - under);
        if (above == 8 * sizeof(K) && b.total < wanted) {
            // Fewer than wanted: all of them.
            wanted = b.total;
            __syncthreads();
            if (wanted == 0) break;
            find_bin(b, wanted - 1);
        }
        prefix = (K)(above == 8 * sizeof(K) ? 0 : prefix << width) | (K)b.bin;
        under += b.under;
        if (under + b.inside <= GATHERED || shift == 0) break;
        __syncthreads();
    }
    const bool all = under + b.inside <= GATHERED;
    if (wanted > 0) {
        chunk.each(p.ranking, [&](K rank, uint32_t at) {
            K lead = (K)(rank >> shift);
            if (lead < prefix || (all && lead == prefix)) {
                const uint32_t to = atomicAdd(&b.used, 1u);
                if (to < GATHERED) items[to] = {rank, at};
            }
        });
    }
    __syncthreads();
    if (!all) gather_equal(chunk, prefix, p.ranking, b, items, wanted);
    // Elements that others wrote since they were counted may be more than there is room for, or fewer than are wanted.
    const uint32_t used = min(b.used, all ? (uint32_t)GATHERED : wanted);
    put_in_order(p, to, items, used, min(wanted, used));
}

template <class K>
__device__ __forceinline__ void select(const SelectParams &p) {
    __shared__ Board board;
    extern __shared__ __align__(16) unsigned char memory[];
    for (uint64_t at = blockIdx.x; at < p.rows * p.chunks; at += gridDim.x) {
        const uint64_t row = at / p.chunks;
        Chunk<K> chunk;
        chunk.from = (const K *)p.from + (int64_t)row * p.from_row;
        chunk.among = p.among ? (const uint32_t *)p.among + row * p.n : nullptr;
        chunk.first = (uint32_t)(at % p.chunks) * p.chunk;
        chunk.last = p.n - chunk.first < p.chunk ? p.n : chunk.first + p.chunk;
        select_chunk<K>(p, chunk, (uint32_t *)p.to + at * p.k, board, (Item<K> *)memory);
    }
}

#define SELECT(size, K)                                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS) topk_select_##size(const __grid_constant__ SelectParams p) { \
        select<K>(p);                                                                               \
    }
SELECT(b1, uint8_t)
SELECT(b2, uint16_t)
SELECT(b4, uint32_t)
SELECT(b8, uint64_t)
