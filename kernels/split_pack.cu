// arch: 90
// The operands of a float32 product, split into three bf16 parts each: x = high + middle + low, exactly but for what lies below
// the smallest bf16. The parts lie as `split_product.cu` reads them: tiles of 32 columns (K) by 128 rows, the three parts of a tile
// after each other, with the 64-byte swizzle of wgmma, zeros behind the ends. So a stage of the product is one bulk copy an operand,
// and strides, transposes, conjugates and the parts of complex numbers are met here alone.
#include "contract_split_pack.cuh"
#include "split.cuh"

namespace syntonic {

// A tile passes through shared memory, so that the source is read along whichever axis lies closer together.
template <bool COMPLEX> __device__ __forceinline__ void split_pack(const SplitPack& p) {
    __shared__ float tile[SPLIT_ROWS][SPLIT_COLS + 1];
    const bool second = blockIdx.x >= p.tiles;
    const u64 here = second ? blockIdx.x - p.tiles : blockIdx.x;
    const SplitSource from = second ? p.from[1] : p.from[0];
    const bool across = second ? p.across[1] : p.across[0];
    const u64 row_tiles = (u64)(from.rows + SPLIT_ROWS - 1) / SPLIT_ROWS;
    const u64 col_tiles = (u64)(from.cols + SPLIT_COLS - 1) / SPLIT_COLS;
    const u64 batch = here / (row_tiles * col_tiles), at = here % (row_tiles * col_tiles);
    const int64_t row = (int64_t)(at / col_tiles) * SPLIT_ROWS, col = (int64_t)(at % col_tiles) * SPLIT_COLS;
    constexpr int EACH = SPLIT_ROWS * SPLIT_COLS / 256;
    float x[EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const u32 e = threadIdx.x + k * 256;
        const u32 i = across ? e % SPLIT_ROWS : e / SPLIT_COLS, j = across ? e / SPLIT_ROWS : e % SPLIT_COLS;
        const bool inside = row + i < from.rows && col + j < from.cols;
        x[k] = inside ? split_element<COMPLEX>(from, batch, row + i, col + j) : 0.f;
    }
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const u32 e = threadIdx.x + k * 256;
        const u32 i = across ? e % SPLIT_ROWS : e / SPLIT_COLS, j = across ? e / SPLIT_ROWS : e % SPLIT_COLS;
        tile[i][j] = x[k];
    }
    __syncthreads();
    // Eight elements along K are a unit of 16 bytes; units are written in the order in which they lie.
    unsigned char* to = reinterpret_cast<unsigned char*>(second ? p.to[1] : p.to[0]) + here * SPLIT_TILE;
#pragma unroll
    for (u32 e = threadIdx.x; e < SPLIT_PART / 16; e += 256) {
        const u32 i = e / 4, unit = e % 4 ^ (i >> 1 & 3);
        u32 word[SPLIT_PARTS][4];
#pragma unroll
        for (int w = 0; w < 4; ++w) {
            u32 low[3], high[3];
            split_in_three(tile[i][unit * 8 + 2 * w], low);
            split_in_three(tile[i][unit * 8 + 2 * w + 1], high);
#pragma unroll
            for (u32 k = 0; k < SPLIT_PARTS; ++k) word[k][w] = low[k] | high[k] << 16;
        }
#pragma unroll
        for (u32 k = 0; k < SPLIT_PARTS; ++k) {
            *reinterpret_cast<uint4*>(to + k * SPLIT_PART + e * 16) = make_uint4(word[k][0], word[k][1], word[k][2], word[k][3]);
        }
    }
}

}  // namespace syntonic

using namespace syntonic;
extern "C" __global__ void __launch_bounds__(256) split_pack_f32(const __grid_constant__ SplitPack p) { split_pack<false>(p); }
extern "C" __global__ void __launch_bounds__(256) split_pack_c64(const __grid_constant__ SplitPack p) { split_pack<true>(p); }
