// The sum of a row and of its squared distances from the mean, in one reading.
#pragma once
#include "fold.cuh"

namespace syntonic {

// What some values of a row come to.
struct Spread {
    double count, sum, mean, squares;
};

// Sixteen values or fewer are measured from their own mean, so that a large mean costs no digits; what groups of them
// come to is joined by counts and means.
struct Spreads {
    using Acc = Spread;
    static __device__ __forceinline__ Acc nothing() { return Acc{0.0, 0.0, 0.0, 0.0}; }
    template <int N, class T> static __device__ __forceinline__ Acc of(const T* x) {
        const T sum = tree<N>(x), mean = sum * T(1.0 / N);
        T apart[N], square[N];
#pragma unroll
        for (int k = 0; k < N; ++k) {
            apart[k] = x[k] - mean;
            square[k] = apart[k] * apart[k];
        }
        // What rounding the mean has left.
        const double rest = (double)tree<N>(apart) * (1.0 / N);
        return Acc{(double)N, (double)sum, (double)mean + rest, (double)tree<N>(square) - rest * rest * N};
    }
    // The same bits whichever comes first.
    static __device__ __forceinline__ Acc join(Acc a, Acc b) {
        if (a.count == 0.0 || b.count == 0.0) return a.count == 0.0 ? b : a;
        const double n = a.count + b.count, part = 1.0 / n, apart = b.mean - a.mean;
        return Acc{n, a.sum + b.sum, (a.count * a.mean + b.count * b.mean) * part,
                   (a.squares + b.squares) + apart * apart * (a.count * b.count * part)};
    }
    // What the lanes of a warp come to, by one quotient: first their mean, then how far each is from it. All have the same bits.
    static __device__ __forceinline__ Acc over_lanes(const Acc& a) {
        Acc all{a.count, a.sum, a.count * a.mean, 0.0};
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) {
            all.count += from_lane(all.count, distance, 32);
            all.sum += from_lane(all.sum, distance, 32);
            all.mean += from_lane(all.mean, distance, 32);
        }
        if (all.count == 0.0) return nothing();
        all.mean = all.mean / all.count;
        const double apart = a.mean - all.mean;
        all.squares = a.squares + a.count * apart * apart;
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) all.squares += from_lane(all.squares, distance, 32);
        return all;
    }
};

}  // namespace syntonic
