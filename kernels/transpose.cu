// Copies where the operands' fastest axes differ: tiles turned in shared memory.
#include "contract_transpose.cuh"
#include "cells.cuh"

// Axis `a` is the fastest of the output, `b` the fastest of the input; `batch` holds the others.

struct Tile {
    i64 to, from;
    u64 a, b;
};

// Tiles along `a` follow each other: blocks that run together write whole rows of the output.
template <int A, int B>
__device__ __forceinline__ Tile tile_at(const Transpose& p, u64 tile) {
    u64 rest = quotient(tile, p.a_tiles);
    u64 a = tile - rest * p.a_tiles;
    u64 batch = quotient(rest, p.b_tiles);
    u64 b = rest - batch * p.b_tiles;
    i64 at[2];
    p.batch.offsets(batch, at);
    return Tile{at[0], at[1], a * A, b * B};
}

// Any strides, one element at a time. A row of the tile is one word longer than its elements, so that
// a column lies in all banks.
constexpr u32 THREADS = 256;

template <class T, u32 SIDE>
__device__ __forceinline__ void turn(const Transpose& p) {
    constexpr u32 LINES = THREADS / SIDE;
    __shared__ T tile[SIDE][SIDE + (sizeof(T) < 4 ? 4 / sizeof(T) : 1)];
    u32 x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    u64 tiles = p.count * p.a_tiles * p.b_tiles;
    for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
        Tile at = tile_at<SIDE, SIDE>(p, t);
        u64 a_left = p.a_len - at.a, b_left = p.b_len - at.b;
        const T* from = reinterpret_cast<const T*>(p.from) + at.from + i64(at.a + y) * p.from_a +
                        i64(at.b + x) * p.from_b;
        T value[SIDE / LINES];
#pragma unroll
        for (u32 i = 0; i < SIDE / LINES; ++i)
            if (y + i * LINES < a_left && x < b_left) value[i] = from[i64(i * LINES) * p.from_a];
#pragma unroll
        for (u32 i = 0; i < SIDE / LINES; ++i) tile[y + i * LINES][x] = value[i];
        __syncthreads();
        T* to = reinterpret_cast<T*>(p.to) + at.to + i64(at.a + x) * p.to_a + i64(at.b + y) * p.to_b;
#pragma unroll
        for (u32 i = 0; i < SIDE / LINES; ++i)
            if (x < a_left && y + i * LINES < b_left) to[i64(i * LINES) * p.to_b] = tile[x][y + i * LINES];
        __syncthreads();
    }
}

// Unit strides along `a` and `b`, and everything aligned to 16 bytes: a thread reads a square of
// V x V elements as V vectors, turns it in registers, and stores V vectors of the turned tile.
template <class T>
union Pack {
    uint4 bits;
    T item[16 / sizeof(T)];
    __device__ Pack() {}
};

// The tile of this block, at the block's place in the grid: there is no division before the first load, and no loop to take
// registers. Tiles along `a` lie along the grid's first axis.
template <int A, int B>
__device__ __forceinline__ Tile tile_of_block(const Transpose& p) {
    const u64 b = p.first_b + blockIdx.y, batch = p.first_batch + blockIdx.z;
    i64 at[2] = {i64(batch) * p.batch.strides[0][0], i64(batch) * p.batch.strides[1][0]};
    if (p.batch.axes > 1) p.batch.offsets(batch, at);
    return Tile{at[0], at[1], u64(blockIdx.x) * A, b * B};
}

// Lets the next kernel launch early, and prefetches this block's tile to L2 before the previous kernel is complete. L2 is coherent:
// a line that the previous kernel still changes is changed there, so no stale value is read. A thread prefetches rows of the tile.
template <class T, int A, int B>
__device__ __forceinline__ void prefetch_tile(const Transpose& p, const Tile& at, const T* from) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    const u32 a_left = u32(p.a_len - at.a < A ? p.a_len - at.a : A), b_left = u32(p.b_len - at.b < B ? p.b_len - at.b : B);
    for (u32 a = threadIdx.x; a < a_left; a += blockDim.x) {
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(
                         __cvta_generic_to_global(from + i64(at.a + a) * p.from_a + i64(at.b))),
                     "r"(b_left * u32(sizeof(T)))
                     : "memory");
    }
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <class T, int GROUPS, int REPEAT>
__device__ __forceinline__ void turn_wide(const Transpose& p) {
    constexpr int V = 16 / sizeof(T);
    constexpr int B = GROUPS * V;
    constexpr int MASK = GROUPS < 8 ? GROUPS - 1 : 7;
    __shared__ uint4 tile[B][GROUPS * REPEAT];
    const Tile at = tile_of_block<GROUPS * V * REPEAT, B>(p);
    u32 fast = threadIdx.x % GROUPS, slow = threadIdx.x / GROUPS;
    const T* from = reinterpret_cast<const T*>(p.from) + at.from;
    T* to = reinterpret_cast<T*>(p.to) + at.to;
    prefetch_tile<T, GROUPS * V * REPEAT, B>(p, at, from);
    u64 b = at.b + fast * V;
    Pack<T> in[REPEAT][V];
#pragma unroll
    for (int r = 0; r < REPEAT; ++r) {
        u64 a = at.a + (r * GROUPS + slow) * V;
        if (a < p.a_len && b < p.b_len) {
            const T* first = from + i64(a) * p.from_a + i64(b);
#pragma unroll
            for (int i = 0; i < V; ++i) in[r][i].bits = *reinterpret_cast<const uint4*>(first + i * p.from_a);
        }
    }
#pragma unroll
    for (int r = 0; r < REPEAT; ++r) {
#pragma unroll
        for (int j = 0; j < V; ++j) {
            Pack<T> out;
#pragma unroll
            for (int i = 0; i < V; ++i) out.item[i] = in[r][i].item[j];
            tile[fast * V + j][(r * GROUPS + slow) ^ (fast & MASK)] = out.bits;
        }
    }
    __syncthreads();
    constexpr int ACROSS = GROUPS * REPEAT;
    constexpr int STEP = GROUPS * GROUPS / ACROSS;
    u32 group = threadIdx.x % ACROSS;
    u64 a = at.a + group * V;
    if (a < p.a_len) {
#pragma unroll
        for (int i = 0; i < B; i += STEP) {
            u32 row = threadIdx.x / ACROSS + i;
            u64 line = at.b + row;
            if (line < p.b_len) {
                uint4 bits = tile[row][group ^ ((row / V) & MASK)];
                *reinterpret_cast<uint4*>(to + i64(a) + i64(line) * p.to_b) = bits;
            }
        }
    }
}

#define ENTRY(T, SIDE)                                                                            \
    extern "C" __global__ void __launch_bounds__(THREADS)                                         \
        transpose_##T(const __grid_constant__ Transpose p) {                                      \
        turn<T, SIDE>(p);                                                                         \
    }
ENTRY(b1, 64)
ENTRY(b2, 64)
ENTRY(b4, 64)
ENTRY(b8, 32)
ENTRY(b16, 32)
#undef ENTRY

// BLOCKS: the fewest resident blocks; there are more where registers allow.
#define ENTRY(T, GROUPS, REPEAT, BLOCKS)                                                          \
    extern "C" __global__ void __launch_bounds__(GROUPS* GROUPS, BLOCKS)                          \
        transpose_##T##_wide(const __grid_constant__ Transpose p) {                               \
        turn_wide<T, GROUPS, REPEAT>(p);                                                          \
    }
ENTRY(b1, 8, 1, 8)
ENTRY(b2, 16, 1, 5)
ENTRY(b4, 16, 1, 4)
ENTRY(b8, 16, 2, 4)
ENTRY(b16, 16, 4, 4)
#undef ENTRY
