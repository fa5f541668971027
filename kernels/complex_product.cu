// Complex products from three real ones: with p = re(a) re(b), q = im(a) im(b) and r = (re a + im a)(re b + im b), the product is
// (p - q) + (r - p - q) i. Here are the parts of the operands, and the sum of the products.
#include "contract_complex_product.cuh"
#include "cells.cuh"

namespace syntonic {

template <class T> struct Parts { T re, im; };

template <class T> __device__ __forceinline__ Parts<T> complex_at(const ComplexPlace& m, u64 batch, int64_t i, int64_t j) {
    const T* at = reinterpret_cast<const T*>(m.first) + (int64_t)batch * m.batch + i * m.row + j * m.col;
    return {at[0], m.conjugate ? -at[1] : at[1]};
}

// Tiles of 32 x 32 pass through shared memory, so that both sides are walked along their neighbours.
template <class T> __device__ void complex_split(const ComplexSplit& p) {
    __shared__ T re[32][33], im[32][33];
    T* to = reinterpret_cast<T*>(p.to);
    const u64 down = (u64)(p.rows + 31) / 32, right = (u64)(p.cols + 31) / 32, size = (u64)p.rows * p.cols;
    const u32 lane = threadIdx.x % 32;
    for (u64 t = blockIdx.x; t < down * right * p.batch; t += gridDim.x) {
        const u64 batch = t / (down * right), at = t % (down * right);
        const int64_t row = (int64_t)(at / right) * 32, col = (int64_t)(at % right) * 32;
        for (u32 k = threadIdx.x / 32; k < 32; k += blockDim.x / 32) {
            const u32 i = p.across ? lane : k, j = p.across ? k : lane;
            if (row + i < p.rows && col + j < p.cols) {
                const Parts<T> z = complex_at<T>(p.from, batch, row + i, col + j);
                re[i][j] = z.re, im[i][j] = z.im;
            }
        }
        __syncthreads();
        for (u32 i = threadIdx.x / 32; i < 32; i += blockDim.x / 32) {
            if (row + i >= p.rows || col + lane >= p.cols) continue;
            const u64 place = batch * size + (row + i) * p.cols + col + lane;
            const T x = re[i][lane], y = im[i][lane];
            to[place] = x, to[place + size * p.batch] = y, to[place + 2 * size * p.batch] = x + y;
        }
        __syncthreads();
    }
}

template <class T> __device__ __forceinline__ Parts<T> times(Parts<T> x, Parts<T> y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

// An element of the product as it is defined. Three products turn an infinity into NaN where the definition keeps it, so what
// comes out as NaN is computed again.
template <class T> __device__ __noinline__ Parts<T> complex_plainly(const ComplexJoin& p, u64 batch, int64_t i, int64_t j) {
    Parts<T> sum = {0, 0};
    for (int64_t k = 0; k < p.inner && (sum.re == sum.re || sum.im == sum.im); ++k) {
        const Parts<T> z = times(complex_at<T>(p.a, batch, i, k), complex_at<T>(p.b, batch, k, j));
        sum.re += z.re, sum.im += z.im;
    }
    return sum;
}

template <class T> __device__ void complex_join(const ComplexJoin& p) {
    const T* from = reinterpret_cast<const T*>(p.products);
    const u64 all = (u64)p.rows * p.cols * p.batch;
    const Parts<T> alpha = {(T)p.alpha[0], (T)p.alpha[1]}, beta = {(T)p.beta[0], (T)p.beta[1]};
    const bool scaled = p.alpha[0] != 1 || p.alpha[1] != 0, kept = p.beta[0] != 0 || p.beta[1] != 0;
    for (u64 e = (u64)blockIdx.x * blockDim.x + threadIdx.x; e < all; e += (u64)gridDim.x * blockDim.x) {
        const u64 line = quotient(e, (u64)p.cols), j = e - line * p.cols;
        const u64 batch = quotient(line, (u64)p.rows), i = line - batch * p.rows;
        const T x = from[e], y = from[e + all], both = from[e + 2 * all];
        Parts<T> z = {x - y, both - x - y};
        if (z.re != z.re || z.im != z.im) z = complex_plainly<T>(p, batch, i, j);
        if (scaled) z = times(alpha, z);
        T* to = reinterpret_cast<T*>(p.c.first) + (int64_t)batch * p.c.batch + (int64_t)i * p.c.row + (int64_t)j * p.c.col;
        if (kept) {
            const Parts<T> old = times(beta, Parts<T>{to[0], to[1]});
            z.re += old.re, z.im += old.im;
        }
        to[0] = z.re, to[1] = z.im;
    }
}

}  // namespace syntonic

using namespace syntonic;
extern "C" __global__ void __launch_bounds__(256) complex_split_c64(const __grid_constant__ ComplexSplit p) { complex_split<float>(p); }
extern "C" __global__ void __launch_bounds__(256) complex_split_c128(const __grid_constant__ ComplexSplit p) { complex_split<double>(p); }
extern "C" __global__ void __launch_bounds__(256) complex_join_c64(const __grid_constant__ ComplexJoin p) { complex_join<float>(p); }
extern "C" __global__ void __launch_bounds__(256) complex_join_c128(const __grid_constant__ ComplexJoin p) { complex_join<double>(p); }
