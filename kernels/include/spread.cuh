// The sum of a row and of its squared distances from the mean, in one reading.
#pragma once
#include "fold.cuh"

namespace syntonic {

// The moments of some values of a row.
struct Spread {
    double count, sum, mean, squares;
};

// The accumulator of groups: the sum of the distances of their means from the first group's mean, and of the squares about it. It
// needs no quotient until all are in. A first mean far from the others costs few digits: where it stands for one of G values, the
// squares about it are at most G times those about the common mean, since its own distance is one of them; so their sum in double
// precision has G roundings more.
struct SpreadNear {
    double sum, from, apart, squares;
    u32 count;
};

// Groups of sixteen values or fewer are measured from their own mean, so that a large mean costs no digits; groups are joined by
// counts and means.
struct Spreads {
    using Acc = Spread;
    using Near = SpreadNear;
    // What is sent to other blocks, which know the count.
    struct Message {
        double mean, squares;
    };
    static __device__ __forceinline__ Message to_message(const Acc& a) { return Message{a.mean, a.squares}; }
    static __device__ __forceinline__ Acc from_message(const Message& a, u32 count) {
        return Acc{(double)count, (double)count * a.mean, a.mean, a.squares};
    }
    static __device__ __forceinline__ Near none() { return Near{0.0, 0.0, 0.0, 0.0, 0}; }
    template <int N, class T> static __device__ __forceinline__ Acc of(const T* x) {
        const T sum = tree<N>(x), mean = sum * T(1.0 / N);
        T apart[N], square[N];
#pragma unroll
        for (int k = 0; k < N; ++k) {
            apart[k] = x[k] - mean;
            square[k] = apart[k] * apart[k];
        }
        // The rounding error of the mean.
        const double rest = (double)tree<N>(apart) * (1.0 / N);
        return Acc{(double)N, (double)sum, (double)mean + rest, fma(-rest * N, rest, (double)tree<N>(square))};
    }
    // Adds another group. Where counts are alike, the bound is that of as many sums.
    static __device__ __forceinline__ void take(Near& a, const Acc& b) { add(a, b, b.count, (u32)b.count); }
    // Adds N values.
    template <int N, class T> static __device__ __forceinline__ void take(Near& a, const T* x) {
        add(a, of<N>(x), (double)N, (u32)N);
    }
    // Reduces over lanes of a warp at distances of `apart` and its multiples, with one quotient: first their mean, then the distance
    // of each from it. All have the same bits. FROM: the least `apart`.
    template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) {
        const double count = (double)a.count;
        Acc all{count, a.sum, fma(count, a.from, a.apart), 0.0};
#pragma unroll
        for (int distance = FROM; distance < 32; distance *= 2) {
            const bool joins = (u32)distance >= apart;
            all.count += other(all.count, distance, joins);
            all.sum += other(all.sum, distance, joins);
            all.mean += other(all.mean, distance, joins);
        }
        all.mean = all.count == 0.0 ? 0.0 : all.mean / all.count;
        const double off = all.mean - a.from;
        all.squares = fma(off, fma(count, off, -2.0 * a.apart), a.squares);
#pragma unroll
        for (int distance = FROM; distance < 32; distance *= 2) {
            all.squares += other(all.squares, distance, (u32)distance >= apart);
        }
        return all;
    }

  private:
    static __device__ __forceinline__ void add(Near& a, const Acc& b, double count, u32 counted) {
        if (a.count == 0) a.from = b.mean;
        const double off = b.mean - a.from, all = count * off;
        a.count += counted;
        a.sum += b.sum;
        a.apart += all;
        a.squares += fma(all, off, b.squares);
    }
    static __device__ __forceinline__ double other(double x, int distance, bool joins) {
        const double there = from_lane(x, distance, 32);
        return joins ? there : 0.0;
    }
};

}  // namespace syntonic
