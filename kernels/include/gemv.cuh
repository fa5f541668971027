// Matrix-vector product, y = alpha A x + beta y, bound by one reading of the matrix.
//
// Rows: the elements of a sum are contiguous. Some lanes take a few rows at a time, so that a load of x serves all of them. Columns:
// the results are contiguous, and a lane has 16 bytes of them and goes down the rows. Either way the inner length may be split into
// parts, a block each, and the last block adds them up. The order of additions depends on the numbers in `Gemv` alone, which the
// host derives from shape, layout and dtype.
#pragma once
#include "contract_gemv.cuh"
#include "inter_block.cuh"
#include "cache_hints.cuh"

namespace syntonic {

constexpr u32 GEMV_WARPS = GEMV_THREADS / 32;

// s + a x. Kernels are compiled without contraction, so the fused operation is explicit.
__device__ __forceinline__ float fused(float a, float x, float s) { return __fmaf_rn(a, x, s); }
__device__ __forceinline__ double fused(double a, double x, double s) { return __fma_rn(a, x, s); }
template <class Z> __device__ __forceinline__ Z fused_parts(Z a, Z x, Z s) {
    return Z{fused(-a.im, x.im, fused(a.re, x.re, s.re)), fused(a.im, x.re, fused(a.re, x.im, s.im))};
}
__device__ __forceinline__ c64 fused(c64 a, c64 x, c64 s) { return fused_parts(a, x, s); }
__device__ __forceinline__ c128 fused(c128 a, c128 x, c128 s) { return fused_parts(a, x, s); }

// The conjugate if `yes`.
template <class Z> __device__ __forceinline__ Z turned(Z z, u32) { return z; }
__device__ __forceinline__ c64 turned(c64 z, u32 yes) { return c64{z.re, yes ? -z.im : z.im}; }
__device__ __forceinline__ c128 turned(c128 z, u32 yes) { return c128{z.re, yes ? -z.im : z.im}; }

// A factor times a value. A real factor is no complex one: infinite parts stay what they are.
__device__ __forceinline__ float scaled(const double* by, float x) { return (float)by[0] * x; }
__device__ __forceinline__ double scaled(const double* by, double x) { return by[0] * x; }
template <class Real, class Z> __device__ __forceinline__ Z scaled_parts(const double* by, Z z) {
    const Real re = (Real)by[0], im = (Real)by[1];
    return im == Real(0) ? Z{re * z.re, re * z.im} : Z{re * z.re - im * z.im, re * z.im + im * z.re};
}
__device__ __forceinline__ c64 scaled(const double* by, c64 z) { return scaled_parts<float>(by, z); }
__device__ __forceinline__ c128 scaled(const double* by, c128 z) { return scaled_parts<double>(by, z); }

// V neighbours, as values. Elements of a matrix are read once; elements of a vector are used by other rows.
template <class T, int V> struct Neighbours {
    T of[V];
    static constexpr int WORDS = V * sizeof(T) / 16;
    __device__ __forceinline__ void once(const T* at) {
        if constexpr (WORDS == 1) {
            const uint4 word = read_no_allocate(reinterpret_cast<const uint4*>(at));
            memcpy(of, &word, 16);
        } else {
            again(at);
        }
    }
    __device__ __forceinline__ void again(const T* at) {
        if constexpr (WORDS > 0) {
            uint4 words[WORDS];
#pragma unroll
            for (int w = 0; w < WORDS; ++w) words[w] = __ldg(reinterpret_cast<const uint4*>(at) + w);
            memcpy(of, words, 16 * WORDS);
        } else if constexpr (sizeof(T) == 2) {
            const u16 word = __ldg(reinterpret_cast<const u16*>(at));
            memcpy(of, &word, 2);
        } else if constexpr (sizeof(T) == 4) {
            const u32 word = __ldg(reinterpret_cast<const u32*>(at));
            memcpy(of, &word, 4);
        } else {
            const u64 word = __ldg(reinterpret_cast<const u64*>(at));
            memcpy(of, &word, 8);
        }
    }
    __device__ __forceinline__ typename Stored<T>::Value value(int k) const { return Stored<T>::load(of[k]); }
};

// The type that sums are made in: that of the vector, or float for half types.
template <class X> using GemvSum = typename Stored<X>::Value;

template <class Sum> __device__ __forceinline__ Sum nothing_yet() { return zero<Sum>(); }

// V products, added up before they meet the sum: its chain of roundings is as much shorter.
template <class A, class X, int V>
__device__ __forceinline__ void gemv_take(GemvSum<X>& sum, const Neighbours<A, V>& a, const GemvSum<X>* x, u32 conj) {
    using Sum = GemvSum<X>;
    if constexpr (V == 1) {
        sum = fused(turned((Sum)a.value(0), conj), x[0], sum);
    } else {
        Sum some = zero<Sum>();
#pragma unroll
        for (int k = 0; k < V; ++k) some = fused(turned((Sum)a.value(k), conj), x[k], some);
        sum = plus(sum, some);
    }
}

// R rows, from `k` on in steps of `step`, as far as whole vectors go before `to`. U vectors of each are read before any is used.
template <class A, class X, int V, int R, int U>
__device__ __forceinline__ void gemv_run(const Gemv& p, const A* const* rows, const X* x, u64 k, u64 step, u64 to,
                                         GemvSum<X>* sums) {
    using Sum = GemvSum<X>;
#pragma unroll 1
    for (; k + (U - 1) * step + V <= to; k += U * step) {
        Neighbours<A, V> a[U][R];
        Neighbours<X, V> beside[U];
#pragma unroll
        for (int u = 0; u < U; ++u) {
#pragma unroll
            for (int r = 0; r < R; ++r) a[u][r].once(rows[r] + (k + u * step));
        }
#pragma unroll
        for (int u = 0; u < U; ++u) beside[u].again(x + (i64)(k + u * step) * p.x_step);
#pragma unroll
        for (int u = 0; u < U; ++u) {
            Sum values[V];
#pragma unroll
            for (int c = 0; c < V; ++c) values[c] = turned((Sum)beside[u].value(c), p.conj_x);
#pragma unroll
            for (int r = 0; r < R; ++r) gemv_take<A, X, V>(sums[r], a[u][r], values, p.conj_a);
        }
    }
    if constexpr (U > 1) gemv_run<A, X, V, R, 1>(p, rows, x, k, step, to, sums);
}

// This lane's share of the rows' sums.
template <class A, class X, int V, int R, int U>
__device__ __forceinline__ void gemv_gather(const Gemv& p, const A* const* rows, const X* x, u32 lane, u64 from, u64 to,
                                            GemvSum<X>* sums) {
    gemv_run<A, X, V, R, U>(p, rows, x, from + lane * V, (u64)p.lanes * V, to, sums);
    // The rest of a row after whole vectors.
    if constexpr (V > 1) gemv_run<A, X, 1, R, 1>(p, rows, x, to - (to - from) % V + lane, p.lanes, to, sums);
}

// The sum over lanes of a warp at distances of `from` and its multiples, in all of them.
template <class Sum> __device__ __forceinline__ Sum sum_of_lanes(Sum x, u32 from, u32 below) {
#pragma unroll
    for (u32 apart = 1; apart < 32; apart *= 2) {
        if (apart >= from && apart < below) x = plus(x, from_lane(x, apart, 32));
    }
    return x;
}

// What every result goes to: `take` has the sum, `close` is called by all threads of a block that had some.
template <class A, class X, int V, class End> __device__ __forceinline__ void gemv_rows(const Gemv& p, End end) {
    using Sum = GemvSum<X>;
    constexpr int R = GEMV_ROWS, WIDE = V * sizeof(A) >= 16 ? 2 : 4;
    __shared__ __align__(16) unsigned char room[GEMV_WARPS * R * sizeof(Sum)];
    Sum(*held)[R] = reinterpret_cast<Sum(*)[R]>(room);
    const u32 lane = threadIdx.x & (p.lanes - 1), warp = threadIdx.x / 32;
    // Units are `R` rows. Those past the last repeat its work and store nothing.
    const u64 each = (p.outputs + R - 1) / R, units = each * p.batch;
    const u64 unit = (u64)blockIdx.x * (GEMV_THREADS / p.lanes) + threadIdx.x / p.lanes;
    const u64 mine = unit < units ? unit : units - 1;
    const u64 batch = p.batch == 1 ? 0 : mine / each;
    const u64 first = (mine - batch * each) * R;
    const u64 live = unit < units ? (p.outputs - first < R ? p.outputs - first : R) : 0;

    const A* matrix = reinterpret_cast<const A*>(p.a) + (i64)batch * p.a_batch;
    const X* x = reinterpret_cast<const X*>(p.x) + (i64)batch * p.x_batch;
    const A* rows[R];
#pragma unroll
    for (int r = 0; r < R; ++r) {
        const u64 row = first + r < p.outputs ? first + r : p.outputs - 1;
        rows[r] = matrix + (i64)row * p.lead;
    }
    const u64 from = (u64)blockIdx.y * p.part;
    const u64 to = from + p.part < p.inner ? from + p.part : p.inner;
    Sum sums[R];
#pragma unroll
    for (int r = 0; r < R; ++r) sums[r] = zero<Sum>();
    if (live == 1) {
        gemv_gather<A, X, V, 1, 2 * WIDE>(p, rows, x, lane, from, to, sums);
    } else {
        gemv_gather<A, X, V, R, WIDE>(p, rows, x, lane, from, to, sums);
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < R; ++r) sums[r] = sum_of_lanes(sums[r], 1, p.lanes);
    if (p.lanes <= 32) {
#pragma unroll
        for (int r = 0; r < R; ++r) {
            if (lane == (r & (p.lanes - 1)) && r < live) end.take(batch, first + r, sums[r]);
        }
        end.close();
        return;
    }
    // The whole block had these rows.
    if (threadIdx.x % 32 == 0) {
#pragma unroll
        for (int r = 0; r < R; ++r) held[warp][r] = sums[r];
    }
    __syncthreads();
    Sum total = zero<Sum>();
    if (threadIdx.x < R) {
        total = held[0][threadIdx.x];
#pragma unroll
        for (u32 w = 1; w < GEMV_WARPS; ++w) total = plus(total, held[w][threadIdx.x]);
    }
    if (p.parts == 1) {
        if (threadIdx.x < live) end.take(batch, first + threadIdx.x, total);
        end.close();
        return;
    }
    Sum* partials = reinterpret_cast<Sum*>(p.partials) + unit * p.parts * R;
    if (threadIdx.x < R) partials[threadIdx.x * p.parts + blockIdx.y] = total;
    if (!comes_last(reinterpret_cast<u32*>(p.counters) + unit, p.parts)) return;
    if (warp < R) {
        total = zero<Sum>();
        for (u32 k = threadIdx.x % 32; k < p.parts; k += 32) total = plus(total, read_l2(partials + warp * p.parts + k));
        total = sum_of_lanes(total, 1, 32);
        if (threadIdx.x % 32 == 0 && warp < live) end.take(batch, first + warp, total);
    }
    end.close();
}

// The sums of all threads of a column, of which thread k of the first `W` then has that of column k: a lane's V columns lie
// side by side, and a block's lanes `across` by `GEMV_THREADS / across`.
template <int V, class Sum>
__device__ __forceinline__ Sum gemv_down(Sum (*held)[32 * V], const Sum* sums, u32 across) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
    for (int c = 0; c < V; ++c) {
        const Sum all = sum_of_lanes(sums[c], across, 32);
        if (lane < across) held[warp][lane * V + c] = all;
    }
    __syncthreads();
    Sum total = zero<Sum>();
    if (threadIdx.x < across * V) {
        total = held[0][threadIdx.x];
#pragma unroll
        for (u32 w = 1; w < GEMV_WARPS; ++w) total = plus(total, held[w][threadIdx.x]);
    }
    return total;
}

template <class A, class X, int V, class End> __device__ __forceinline__ void gemv_columns(const Gemv& p, End end) {
    using Sum = GemvSum<X>;
    constexpr int U = 8;
    __shared__ __align__(16) unsigned char room[GEMV_WARPS * 32 * V * sizeof(Sum)];
    Sum(*held)[32 * V] = reinterpret_cast<Sum(*)[32 * V]>(room);
    const u32 across = p.lanes, down = GEMV_THREADS / across, width = across * V;
    const u32 lane = threadIdx.x & (across - 1), group = threadIdx.x / across;
    const u64 tiles = (p.outputs + width - 1) / width;
    const u64 batch = p.batch == 1 ? 0 : blockIdx.x / tiles;
    const u64 first = (blockIdx.x - batch * tiles) * width;
    // A lane past the end reads the first columns, whose sums it does not keep.
    const u64 column = first + lane * V < p.outputs ? first + lane * V : 0;
    const A* a = reinterpret_cast<const A*>(p.a) + (i64)batch * p.a_batch + column;
    const X* x = reinterpret_cast<const X*>(p.x) + (i64)batch * p.x_batch;
    const u64 from = (u64)blockIdx.y * p.part;
    const u64 to = from + p.part < p.inner ? from + p.part : p.inner;
    Sum sums[V];
#pragma unroll
    for (int c = 0; c < V; ++c) sums[c] = zero<Sum>();
    const auto take = [&](const Neighbours<A, V>& some, const Neighbours<X, 1>& by) {
        const Sum factor = turned((Sum)by.value(0), p.conj_x);
#pragma unroll
        for (int c = 0; c < V; ++c) sums[c] = fused(turned((Sum)some.value(c), p.conj_a), factor, sums[c]);
    };
    const i64 hop = p.lead * down, x_hop = p.x_step * down;
    a += (i64)(from + group) * p.lead;
    x += (i64)(from + group) * p.x_step;
    i64 left = (i64)to - (i64)(from + group);
#pragma unroll 1
    for (; left > (i64)(U - 1) * down; left -= (i64)U * down) {
        Neighbours<A, V> some[U];
        Neighbours<X, 1> by[U];
#pragma unroll
        for (int u = 0; u < U; ++u) {
            some[u].once(a);
            by[u].again(x);
            a += hop;
            x += x_hop;
        }
#pragma unroll
        for (int u = 0; u < U; ++u) take(some[u], by[u]);
    }
#pragma unroll 1
    for (; left > 0; left -= down) {
        Neighbours<A, V> some;
        Neighbours<X, 1> by;
        some.once(a);
        by.again(x);
        a += hop;
        x += x_hop;
        take(some, by);
    }
    __syncwarp();
    Sum total = gemv_down<V>(held, sums, across);
    if (p.parts > 1) {
        Sum* partials = reinterpret_cast<Sum*>(p.partials) + (u64)blockIdx.x * p.parts * width;
        if (threadIdx.x < width) partials[(u64)blockIdx.y * width + threadIdx.x] = total;
        if (!comes_last(reinterpret_cast<u32*>(p.counters) + blockIdx.x, p.parts)) return;
        // All threads: some parts of a column each, then those of a column together.
        const u32 at_once = GEMV_THREADS / width;
        total = zero<Sum>();
#pragma unroll 4
        for (u32 part = threadIdx.x / width; part < p.parts; part += at_once)
            total = plus(total, read_l2(partials + (u64)part * width + threadIdx.x % width));
        Sum* beside = reinterpret_cast<Sum*>(room);
        beside[threadIdx.x] = total;
        __syncthreads();
        if (threadIdx.x < width) {
            for (u32 other = 1; other < at_once; ++other) total = plus(total, beside[other * width + threadIdx.x]);
        }
    }
    if (threadIdx.x < width && first + threadIdx.x < p.outputs) end.take(batch, first + threadIdx.x, total);
    end.close();
}

}  // namespace syntonic
