// arch: 90a
// c = keep c + factor (a b) for float32 operands that `split_pack.cu` has split: six bf16 products on tensor cores for one.
//
// A persistent kernel. One producer thread brings packed tiles of both operands into shared memory by bulk copies, STAGES in flight;
// two consumer warpgroups multiply, 64 rows of the tile each. Tensor cores truncate what they add to an accumulator, which is the
// largest error of such a product (Ootomo, Yokota: Recovering single precision accuracy from Tensor Cores, 2022). So the product
// of the high parts has an accumulator of its own, to which little is added, and both accumulators take a short run of K; runs are
// added up in float32 registers, rounded to nearest.
#include "contract_split_product.cuh"
#include "split.cuh"
#include "wgmma.cuh"

namespace syntonic {

constexpr u32 SPLIT_CONSUMERS = SPLIT_THREADS - 128;
// Tiles of K after which the accumulators are added to the sum.
constexpr u32 SPLIT_RUN = 4;

struct SplitPlace {
    u64 batch;
    u32 row, col;  // in tiles
};
// Tiles of a group of rows come column by column, so that blocks at work together share both operands in the cache.
__device__ __forceinline__ SplitPlace split_place(const SplitProduct& p, u64 tile, u32 down, u32 across) {
    const u64 batch = tile / ((u64)down * across);
    const u32 at = (u32)(tile % ((u64)down * across));
    const u32 first = at / (p.group * across) * p.group, rows = min(p.group, down - first);
    const u32 inside = at - first * across;
    return {batch, first + inside % rows, inside / rows};
}

#if __CUDA_ARCH_FEAT_SM90_ALL

struct SplitShared {
    unsigned char a[SPLIT_STAGES][SPLIT_TILE];
    unsigned char b[SPLIT_STAGES][SPLIT_TILE];
    u64 full[SPLIT_STAGES], empty[SPLIT_STAGES];
};

__device__ __forceinline__ void split_load(const SplitProduct& p, SplitShared& shared, u64 tiles, u32 down, u32 across, u32 depth) {
    u32 stage = 0, parity = 1;
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const SplitPlace at = split_place(p, tile, down, across);
        const unsigned char* a = reinterpret_cast<const unsigned char*>(p.a) + ((u64)at.row * depth + at.batch * p.a_step) * SPLIT_TILE;
        const unsigned char* b = reinterpret_cast<const unsigned char*>(p.b) + ((u64)at.col * depth + at.batch * p.b_step) * SPLIT_TILE;
        for (u32 k = 0; k < depth; ++k) {
            mbarrier_wait(&shared.empty[stage], parity);
            mbarrier_arrive_expect_tx(&shared.full[stage], 2 * SPLIT_TILE);
            bulk_copy(shared.a[stage], a + (u64)k * SPLIT_TILE, SPLIT_TILE, &shared.full[stage]);
            bulk_copy(shared.b[stage], b + (u64)k * SPLIT_TILE, SPLIT_TILE, &shared.full[stage]);
            if (++stage == SPLIT_STAGES) stage = 0, parity ^= 1;
        }
    }
}

// The product of one row and one column as it is defined. Split infinities give NaN where the product has none: one of three parts
// is 0, and 0 times infinity is NaN. They never give a wrong infinity, so that only what comes out as NaN is computed again.
__device__ __forceinline__ float split_plainly(const SplitProduct& p, u64 batch, int64_t i, int64_t j) {
    float sum = 0.f;
#pragma unroll 1
    for (int64_t k = 0; k < p.k && sum == sum; ++k) {
        sum = fmaf(split_element<false>(p.from_a, batch, i, k), split_element<false>(p.from_b, batch, j, k), sum);
    }
    return sum;
}

// What a consumer thread holds of a tile, into c.
struct SplitEnd {
    const SplitProduct& p;
    u64 batch;
    int64_t row, col;  // of this thread's first element

    __device__ __forceinline__ SplitEnd(const SplitProduct& p, const SplitPlace& at) : p(p), batch(at.batch) {
        const u32 thread = threadIdx.x % 128, lane = thread % 32;
        row = (int64_t)at.row * SPLIT_ROWS + threadIdx.x / 128 * 64 + thread / 32 * 16 + lane / 4;
        col = (int64_t)at.col * SPLIT_ROWS + lane % 4 * 2;
    }
    // Row 0 or 8, and a column of the tile.
    __device__ __forceinline__ float* at(u32 i, u32 j) const {
        return reinterpret_cast<float*>(p.c) + (int64_t)batch * p.c_batch + (row + i) * p.c_row + col + j;
    }
    __device__ __forceinline__ float kept(float value, const float* old) const {
        const float scaled = p.factor * value;
        return p.keep == 0.f ? scaled : scaled + p.keep * *old;
    }

    __device__ __forceinline__ void store(const float (&sum)[64]) const {
        const u32 cols = (u32)max(min(p.n - col, (int64_t)SPLIT_ROWS), (int64_t)0);
        const bool pairs = ((p.c_row | p.c_batch) & 1) == 0 && (p.c & 7) == 0;
        const bool mends = p.from_a.first != 0;
        u64 odd = 0;
#pragma unroll
        for (u32 i = 0; i < 16; i += 8) {
            if (row + i >= p.m) break;
            float* to = at(i, 0);
#pragma unroll
            for (u32 j = 0; j < SPLIT_ROWS; j += 8) {
                const u32 e = j / 2 + i / 4;
                const float x = sum[e], y = sum[e + 1];
                const bool first = j < cols && (x == x || !mends), second = j + 1 < cols && (y == y || !mends);
                if (pairs && first && second) {
                    *reinterpret_cast<float2*>(to + j) = make_float2(kept(x, to + j), kept(y, to + j + 1));
                } else {
                    if (first) to[j] = kept(x, to + j);
                    if (second) to[j + 1] = kept(y, to + j + 1);
                    odd |= (u64)(!first && j < cols) << e | (u64)(!second && j + 1 < cols) << (e + 1);
                }
            }
        }
        if (odd) store_plainly(odd);
        __syncwarp();  // wgmma takes whole warps
    }
    // Inlined: a call would keep to fewer registers than `setmaxnreg` has given the caller.
    __device__ __forceinline__ void store_plainly(u64 odd) const {
#pragma unroll 1
        for (u32 e = 0; e < 64; ++e) {
            if ((odd >> e & 1) == 0) continue;
            const u32 i = (e & 2) * 4, j = e / 4 * 8 + e % 2;
            float* to = at(i, j);
            *to = kept(split_plainly(p, batch, row + i, col + j), to);
        }
    }
};

// The products of one stage: those of the high parts, and the five smaller ones.
__device__ __forceinline__ void split_multiply(const SplitShared& shared, u32 stage, float (&high)[64], float (&low)[64], u32 keep) {
    const u64 a = wgmma_rows_of_64(shared_address(shared.a[stage]) + threadIdx.x / 128 * 64 * SPLIT_COLS * 2);
    const u64 b = wgmma_rows_of_64(shared_address(shared.b[stage]));
    constexpr u64 PART = SPLIT_PART >> 4, STEP = 32 >> 4;
    wgmma_fence();
#pragma unroll
    for (u64 k = 0; k < SPLIT_COLS / 16; ++k) {
        const u32 kept = k == 0 ? keep : 1;
        wgmma_bf16(low, a + k * STEP + 2 * PART, b + k * STEP, kept);
        wgmma_bf16(low, a + k * STEP + PART, b + k * STEP + PART, 1);
        wgmma_bf16(low, a + k * STEP, b + k * STEP + 2 * PART, 1);
        wgmma_bf16(low, a + k * STEP + PART, b + k * STEP, 1);
        wgmma_bf16(low, a + k * STEP, b + k * STEP + PART, 1);
        wgmma_bf16(high, a + k * STEP, b + k * STEP, kept);
    }
    wgmma_commit();
}

__device__ __forceinline__ void split_consume(const SplitProduct& p, SplitShared& shared, u64 tiles, u32 down, u32 across, u32 depth) {
    u32 stage = 0, parity = 0;
    // One arrival a warp: wgmma reads a stage for the whole warpgroup, and the warp has waited for it as one (`sync.aligned`).
    const auto release = [&](u32 stage) {
        if (threadIdx.x % 32 == 0) mbarrier_arrive(&shared.empty[stage]);
    };
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        float sum[64] = {}, high[64], low[64];
        for (u32 begin = 0; begin < depth; begin += SPLIT_RUN) {
            const u32 end = min(begin + SPLIT_RUN, depth);
            u32 before = stage;
            for (u32 k = begin; k < end; ++k) {
                mbarrier_wait(&shared.full[stage], parity);
                split_multiply(shared, stage, high, low, k != begin);
                if (k != begin) {
                    wgmma_wait<1>();
                    release(before);
                }
                before = stage;
                if (++stage == SPLIT_STAGES) stage = 0, parity ^= 1;
            }
            wgmma_wait<0>();
            release(before);
#pragma unroll
            for (int i = 0; i < 64; ++i) sum[i] += high[i] + low[i];
        }
        SplitEnd(p, split_place(p, tile, down, across)).store(sum);
    }
}

__device__ __forceinline__ void split_product(const SplitProduct& p) {
    extern __shared__ unsigned char room[];
    SplitShared& shared = *reinterpret_cast<SplitShared*>(room + (1024 - shared_address(room) % 1024) % 1024);
    const u32 down = (u32)((p.m + SPLIT_ROWS - 1) / SPLIT_ROWS), across = (u32)((p.n + SPLIT_ROWS - 1) / SPLIT_ROWS);
    const u32 depth = (u32)((p.k + SPLIT_COLS - 1) / SPLIT_COLS);
    const u64 tiles = p.batch * down * across;
    if (threadIdx.x == 0) {
        for (u32 s = 0; s < SPLIT_STAGES; ++s) {
            mbarrier_init(&shared.full[s], 1);
            mbarrier_init(&shared.empty[s], SPLIT_CONSUMERS / 32);
        }
        mbarrier_init_fence();
    }
    __syncthreads();
    if (threadIdx.x >= SPLIT_CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == SPLIT_CONSUMERS) split_load(p, shared, tiles, down, across, depth);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        split_consume(p, shared, tiles, down, across, depth);
    }
}

#endif

}  // namespace syntonic

using namespace syntonic;
extern "C" __global__ void __launch_bounds__(SPLIT_THREADS, 1) split_product_f32(const __grid_constant__ SplitProduct p) {
#if __CUDA_ARCH_FEAT_SM90_ALL
    split_product(p);
#endif
}
