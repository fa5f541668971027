// The largest value of a row and the sum of exponentials of the distances from it, in one reading.
#pragma once
#include "fold.cuh"

namespace syntonic {

// What some values of a row come to. Both are double so that no bytes lie between them.
struct Peak {
    double top, total;
};

// Whoever meets a larger value scales what it has added up. Values are of type T.
template <class T> struct Peaks {
    using Acc = Peak;
    static __device__ __forceinline__ T worst() { return Largest::worst<T>(); }
    static __device__ __forceinline__ Acc nothing() { return Acc{(double)worst(), 0.0}; }
    // What a sum of distances from `from` is multiplied by where `top` takes its place: 1 where both are the same, be
    // it infinity.
    static __device__ __forceinline__ double scale(T from, T top) {
        return from == top ? 1.0 : (double)syn::exp(from - top);
    }
    // Where every value is minus infinity none counts: their distance from it is no number.
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
    // The same bits whichever comes first.
    static __device__ __forceinline__ Acc join(Acc a, Acc b) {
        const T first = (T)a.top, second = (T)b.top, top = Largest::of(first, second);
        return Acc{(double)top, a.total * scale(first, top) + b.total * scale(second, top)};
    }
};

}  // namespace syntonic
