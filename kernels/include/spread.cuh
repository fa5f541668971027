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
};

}  // namespace syntonic
