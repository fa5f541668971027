// Online softmax: the maximum of a row and the sum of exponentials relative to it, in one reading.
#pragma once
#include "fold.cuh"

namespace syntonic {

// The partial result of some values. Both members are double, so that there is no padding.
struct Peak {
    double top, total;
};

// A larger maximum scales the sum so far. Values are of type T.
template <class T> struct Peaks {
    using Acc = Peak;
    static __device__ __forceinline__ T worst() { return Largest::worst<T>(); }
    static __device__ __forceinline__ Acc nothing() { return Acc{(double)worst(), 0.0}; }
    // The factor of a sum of exponentials relative to `from` that makes it relative to `top`: 1 where both are equal, infinity
    // included.
    static __device__ __forceinline__ double scale(T from, T top) {
        return from == top ? 1.0 : (double)syn::exp(from - top);
    }
    // Values that are all minus infinity count for nothing: their distance from the maximum is NaN.
    template <int N> static __device__ __forceinline__ void take(Acc& a, const T* x) {
        const T before = (T)a.top;
        T top = before;
#pragma unroll
        for (int k = 0; k < N; ++k) top = Largest::of(top, x[k]);
        const T from = top == worst() ? T(0) : top;
        T part[N];
#pragma unroll
        for (int k = 0; k < N; ++k) part[k] = syn::exp(x[k] - from);
        a.total = a.total * scale(before, top) + (double)tree<N>(part);
        a.top = (double)top;
    }
    // Commutative to the bit.
    static __device__ __forceinline__ Acc join(Acc a, Acc b) {
        const T first = (T)a.top, second = (T)b.top, top = Largest::of(first, second);
        return Acc{(double)top, a.total * scale(first, top) + b.total * scale(second, top)};
    }
};

}  // namespace syntonic
