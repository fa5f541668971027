// Matrix products that cuBLAS has no routine for: integers, which wrap, and the copies that bring a
// matrix of any strides, perhaps conjugated, into the row-major form that cuBLAS takes.
#include <cstdint>
#include <type_traits>

#include "contract_matmul.cuh"

// The imaginary part is the second half of an element.
template <class T> struct Parts { T re, im; };
__device__ inline uint8_t conjugated(uint8_t x) { return x; }
__device__ inline uint16_t conjugated(uint16_t x) { return x; }
__device__ inline uint32_t conjugated(uint32_t x) { return x; }
__device__ inline Parts<float> conjugated(Parts<float> z) { return {z.re, -z.im}; }
__device__ inline Parts<double> conjugated(Parts<double> z) { return {z.re, -z.im}; }

// Tiles of 32 x 32 pass through shared memory, so that both sides are walked along their neighbours.
template <class T> __device__ void pack(const Pack& p) {
    __shared__ T tile[32][33];
    const T* from = reinterpret_cast<const T*>(p.from);
    T* to = reinterpret_cast<T*>(p.to);
    const int64_t down = (p.rows + 31) / 32, right = (p.cols + 31) / 32;
    const int64_t tiles = down * right * p.batch;
    for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int64_t b = t / (down * right), at = t % (down * right);
        const int64_t row = at / right * 32, col = at % right * 32;
        const T* source = from + b * p.from_batch;
        T* target = to + b * p.to_batch;
        for (int k = threadIdx.x / 32; k < 32; k += blockDim.x / 32) {
            const int lane = threadIdx.x % 32;
            const int i = p.across ? lane : k, j = p.across ? k : lane;
            if (row + i < p.rows && col + j < p.cols) {
                T x = source[(row + i) * p.from_row + (col + j) * p.from_col];
                tile[i][j] = p.conjugate ? conjugated(x) : x;
            }
        }
        __syncthreads();
        for (int i = threadIdx.x / 32; i < 32; i += blockDim.x / 32) {
            const int j = threadIdx.x % 32;
            if (row + i < p.rows && col + j < p.cols)
                target[(row + i) * p.to_row + (col + j) * p.to_col] = tile[i][j];
        }
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(256) pack_b1(const __grid_constant__ Pack p) { pack<uint8_t>(p); }
extern "C" __global__ void __launch_bounds__(256) pack_b2(const __grid_constant__ Pack p) { pack<uint16_t>(p); }
extern "C" __global__ void __launch_bounds__(256) pack_b4(const __grid_constant__ Pack p) { pack<uint32_t>(p); }
extern "C" __global__ void __launch_bounds__(256) pack_b8(const __grid_constant__ Pack p) { pack<Parts<float>>(p); }
extern "C" __global__ void __launch_bounds__(256) pack_b16(const __grid_constant__ Pack p) { pack<Parts<double>>(p); }

// c = alpha a b + beta c modulo 2^bits. A block has a tile of 64 x 64, a thread 4 x 4 of it.
template <class T> __device__ void product(const Product& p) {
    // Narrow types are multiplied in 32 bits: the low bits are the same.
    using Wide = typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type;
    __shared__ Wide left[16][65], right[16][65];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    const int64_t down = (p.m + 63) / 64, across = (p.n + 63) / 64;
    for (int64_t t = blockIdx.x; t < down * across * p.batch; t += gridDim.x) {
        const int64_t s = t / (down * across), at = t % (down * across);
        const int64_t row = at / across * 64, col = at % across * 64;
        const T* a = reinterpret_cast<const T*>(p.a) + s * p.a_batch;
        const T* b = reinterpret_cast<const T*>(p.b) + s * p.b_batch;
        T* c = reinterpret_cast<T*>(p.c) + s * p.c_batch;
        Wide sum[4][4] = {};
        for (int64_t k0 = 0; k0 < p.k; k0 += 16) {
            for (int e = threadIdx.x; e < 1024; e += 256) {
                const int64_t i = row + e / 16, ka = k0 + e % 16;
                left[e % 16][e / 16] = i < p.m && ka < p.k ? Wide(a[i * p.a_row + ka * p.a_col]) : 0;
                const int64_t j = col + e % 64, kb = k0 + e / 64;
                right[e / 64][e % 64] = j < p.n && kb < p.k ? Wide(b[kb * p.b_row + j * p.b_col]) : 0;
            }
            __syncthreads();
            for (int k = 0; k < 16; k++)
                for (int i = 0; i < 4; i++)
                    for (int j = 0; j < 4; j++) sum[i][j] += left[k][y + 16 * i] * right[k][x + 16 * j];
            __syncthreads();
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                const int64_t r = row + y + 16 * i, q = col + x + 16 * j;
                if (r >= p.m || q >= p.n) continue;
                T* to = c + r * p.c_row + q * p.c_col;
                Wide value = Wide(p.alpha) * sum[i][j];
                if (p.beta) value += Wide(p.beta) * Wide(*to);
                *to = T(value);
            }
    }
}

extern "C" __global__ void __launch_bounds__(256) integer_product_b1(const __grid_constant__ Product p) { product<uint8_t>(p); }
extern "C" __global__ void __launch_bounds__(256) integer_product_b2(const __grid_constant__ Product p) { product<uint16_t>(p); }
extern "C" __global__ void __launch_bounds__(256) integer_product_b4(const __grid_constant__ Product p) { product<uint32_t>(p); }
extern "C" __global__ void __launch_bounds__(256) integer_product_b8(const __grid_constant__ Product p) { product<uint64_t>(p); }
