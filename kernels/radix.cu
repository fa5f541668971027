// Sorting long lines by 8-bit digits, lowest first: the digits of all passes are counted once, then each
// pass reads and writes every key once. A block orders a tile in shared memory and learns from the tiles
// before it in the line where its digits go (decoupled look-back, Merrill and Garland 2016). The elements may be written by others
// between counting and the first pass: then places are any, and what has none within its line is left out.
#include "contract_radix.cuh"
#include "rank.cuh"
#include "tile.cuh"

const int DIGITS = tile::DIGITS;

template <class K>
__device__ __forceinline__ void count_digits(const CountParams &p) {
    const int PASSES = sizeof(K);
    __shared__ uint32_t counts[PASSES][DIGITS];
    for (uint64_t at = blockIdx.x; at < p.rows * p.pieces; at += gridDim.x) {
        for (int i = threadIdx.x; i < PASSES * DIGITS; i += blockDim.x) (&counts[0][0])[i] = 0;
        __syncthreads();
        uint64_t row = at / p.pieces;
        uint32_t first = (uint32_t)(at % p.pieces) * p.piece;
        uint32_t last = p.n - first < p.piece ? p.n : first + p.piece;
        const K *from = (const K *)p.from + (int64_t)row * p.from_row;
        for (uint32_t i = first + threadIdx.x; i < last && i >= first; i += blockDim.x) {
            K rank = rank_of(from[i], p.ranking);
#pragma unroll
            for (int pass = 0; pass < PASSES; pass++)
                atomicAdd(&counts[pass][rank >> (8 * pass) & 255], 1u);
        }
        __syncthreads();
        uint32_t *to = (uint32_t *)p.counts + row * p.passes * DIGITS;
        for (int i = threadIdx.x; i < PASSES * DIGITS; i += blockDim.x) {
            uint32_t count = (&counts[0][0])[i];
            if (count) atomicAdd(to + i, count);
        }
        __syncthreads();
    }
}

/// A count with a state above it: 0 nothing, 1 of this tile, 2 of all tiles up to it.
const int STATE = 40;
const uint64_t VALUE = (1ull << STATE) - 1;

__device__ __forceinline__ void publish(uint64_t *at, uint64_t x) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(x) : "memory");
}
__device__ __forceinline__ uint64_t observe(const uint64_t *at) {
    uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(at) : "memory");
    return x;
}

/// The number of items with digit `threadIdx.x` in the tiles before this one. `status` is this tile's.
__device__ __forceinline__ uint32_t look_back(uint64_t *status, uint32_t tile, uint32_t count) {
    // Several tiles are asked at once: the answers take long, and many tiles may have only their own count.
    const int ASKED = 8;
    const uint64_t *at = status + threadIdx.x;
    uint64_t before = 0;
    bool found = false;
    while (!found) {
        uint64_t seen[ASKED];
#pragma unroll
        for (int k = 0; k < ASKED; k++)
            seen[k] = k < tile ? observe(at - (k + 1) * DIGITS) : 2ull << STATE;
#pragma unroll
        for (int k = 0; k < ASKED; k++) {
            if (found) continue;
            while (seen[k] >> STATE == 0) seen[k] = observe(at - (k + 1) * DIGITS);
            before += seen[k] & VALUE;
            found = seen[k] >> STATE == 2;
        }
        at -= ASKED * DIGITS;
        tile -= min(tile, (uint32_t)ASKED);
    }
    publish(status + threadIdx.x, 2ull << STATE | (before + count));
    return (uint32_t)before;
}

template <class K, bool PAIRS, int THREADS, int ITEMS>
__device__ __forceinline__ void pass(const PassParams &p) {
    const int WARPS = THREADS / 32, TILE = THREADS * ITEMS;
    __shared__ uint32_t warps[WARPS][DIGITS];
    __shared__ uint32_t places[DIGITS];  // from places in the tile to places in the line
    __shared__ uint32_t partial[16];
    __shared__ uint64_t ticket;
    extern __shared__ __align__(16) unsigned char sorted[];
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;

    // Tiles in the order in which blocks begin, so that those before are always running or done.
    if (threadIdx.x == 0) ticket = atomicAdd((unsigned long long *)p.ticket, 1ull);
    for (int i = threadIdx.x; i < WARPS * DIGITS; i += THREADS) (&warps[0][0])[i] = 0;
    __syncthreads();
    const uint64_t row = ticket / p.tiles;
    const uint32_t at = (uint32_t)(ticket % p.tiles);
    const uint64_t first = (uint64_t)at * TILE;
    const uint32_t here = p.n - first < TILE ? (uint32_t)(p.n - first) : TILE;
    uint64_t *status = (uint64_t *)p.status + ticket * DIGITS;

    const K *from = (const K *)p.from + (int64_t)row * p.from_row + first;
    const uint32_t start = warp * 32 * ITEMS + lane;
    const bool full = here == TILE;
    K keys[ITEMS];
    uint32_t ranks[ITEMS];
    // Beyond the end: the last digit, behind all that are there.
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        keys[i] = full || start + 32 * i < here ? from[start + 32 * i] : (K)~(K)0;
    if (!p.raw_load) {
        if (p.load.infinity) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) keys[i] = float_rank(keys[i], p.load);
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                keys[i] = full || start + 32 * i < here ? integer_rank(keys[i], p.load) : (K)~(K)0;
        }
    }
    uint32_t total = 0;
    if (threadIdx.x < DIGITS)
        total = ((const uint32_t *)p.counts)[(row * p.passes + p.pass) * DIGITS + threadIdx.x];
    auto digit = [&](K key) { return (uint32_t)(key >> (8 * p.pass)) & 255; };
    tile::warp_ranks<ITEMS>([&](int i) { return digit(keys[i]); }, warps[warp], ranks);
    __syncthreads();

    uint32_t count = tile::all_warps<WARPS>(warps);
    const uint32_t kept = threadIdx.x == DIGITS - 1 ? count - (TILE - here) : count;
    if (threadIdx.x < DIGITS) {
        publish(status + threadIdx.x, (at == 0 ? 2ull : 1ull) << STATE | kept);
        if (p.next_status) ((uint64_t *)p.next_status)[ticket * DIGITS + threadIdx.x] = 0;
    }
    const uint32_t begin = tile::digit_starts(count, partial);
    tile::warp_starts<WARPS>(warps, begin);
    // Counts of the whole line give where each digit begins in it.
    uint32_t base = tile::digit_starts(total, partial + 8);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        ranks[i] += warps[warp][digit(keys[i])];
        ((K *)sorted)[ranks[i]] = keys[i];
    }
    if (threadIdx.x < DIGITS) {
        if (at > 0) base += look_back(status, at, kept);
        places[threadIdx.x] = base - begin;
    }
    __syncthreads();

    K *to = (K *)p.to + (int64_t)row * p.to_row;
    const K *mine = (const K *)sorted + threadIdx.x;
    uint32_t places_of[ITEMS];
    if (PAIRS || !p.raw_store || !full) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const uint32_t j = threadIdx.x + i * THREADS;
            const K key = mine[i * THREADS];
            places_of[i] = places[digit(key)] + j;
            if (p.to && j < here && places_of[i] < p.n) to[places_of[i]] = p.raw_store ? key : bits_of_rank(key, p.store);
        }
    } else {
        // The way that most tiles go.
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const K key = mine[i * THREADS];
            const uint32_t place = places[digit(key)] + (threadIdx.x + i * THREADS);
            if (place < p.n) to[place] = key;
        }
    }
    if (!PAIRS) return;

    const uint64_t line = row * p.n;
    const uint32_t *positions = (const uint32_t *)p.from_positions + line + first;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        uint32_t j = start + 32 * i;
        uint32_t position = (uint32_t)first + j;
        if (p.from_positions && j < here) position = positions[j];
        ((uint32_t *)sorted)[ranks[i]] = position;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        uint32_t j = threadIdx.x + i * THREADS;
        uint32_t position = ((const uint32_t *)sorted)[j];
        if (j >= here || places_of[i] >= p.n) continue;
        if (p.widen) {
            ((int64_t *)p.to_positions)[(int64_t)row * p.to_row + places_of[i]] = position;
        } else {
            ((uint32_t *)p.to_positions)[line + places_of[i]] = position;
        }
    }
}

#define COUNT(size, K)                                                                             \
    extern "C" __global__ void __launch_bounds__(512) radix_count_##size(const __grid_constant__ CountParams p) { \
        count_digits<K>(p);                                                                        \
    }
COUNT(b1, uint8_t)
COUNT(b2, uint16_t)
COUNT(b4, uint32_t)
COUNT(b8, uint64_t)

// Items: mirrored in radix.rs.
#define PASS(name, K, PAIRS, THREADS, ITEMS)                                                          \
    extern "C" __global__ void __launch_bounds__(THREADS, 2) name(const __grid_constant__ PassParams p) { \
        pass<K, PAIRS, THREADS, ITEMS>(p);                                                            \
    }
#define PASSES(size, K, KEYS, PAIRS)                  \
    PASS(radix_keys_##size, K, false, 512, KEYS)      \
    PASS(radix_pairs_##size, K, true, 512, PAIRS)
PASSES(b1, uint8_t, 20, 12)
PASSES(b2, uint16_t, 20, 12)
PASSES(b4, uint32_t, 20, 12)
PASSES(b8, uint64_t, 11, 11)
