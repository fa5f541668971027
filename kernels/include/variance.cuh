// What is special about variances: their parameters, and how the moments of many threads are joined at once.
#pragma once
#include "fold.cuh"

namespace syntonic {

// Parameters of a variance: those of the geometry and what the spread is divided by.
template <class P> struct VarianceParams : P {
    double divisor;
    u32 root;  // its root is the result
    u32 reserved;
};
template <class P> struct IsVariance { static constexpr bool YES = false; };
template <class P> struct IsVariance<VarianceParams<P>> { static constexpr bool YES = true; };

// The moments of half types, of whose distances sixteen are added up in float before a double takes them: six roundings.
struct HalfMoments : Moments<true> {
    template <int N> static __device__ __forceinline__ void take(Thread& a, const float* x, u32) {
        if (a.count == 0) a.first = x[0];
        a.count += N;
        constexpr int AT_ONCE = N < 16 ? N : 16, CHAINS = N < 4 ? N : 4;
#pragma unroll
        for (int k = 0; k < N; k += AT_ONCE) {
            float sum[CHAINS], squares[CHAINS];
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) {
                const float d = x[k + c] - a.first;
                sum[c % CHAINS] = c < CHAINS ? d : sum[c % CHAINS] + d;
                squares[c % CHAINS] = c < CHAINS ? d * d : fmaf(d, d, squares[c % CHAINS]);
            }
            a.sum += (double)tree<CHAINS>(sum);
            a.squares += (double)tree<CHAINS>(squares);
        }
    }
};

// The lanes' sum, the same bits in each.
__device__ __forceinline__ double added_lanes(double x, int width) {
    for (int distance = 1; distance < width; distance *= 2) x += from_lane(x, distance, 32);
    return x;
}

// Joins the values of `width` neighbouring lanes, as `join_lanes` does.
template <class F> struct Lanes {
    static __device__ __forceinline__ typename F::Acc join(typename F::Acc a, int width) {
        return join_lanes<F>(a, width);
    }
};
// Moments two by two would take a quotient each time. The common mean is found first, and then how far all are from it.
struct MomentLanes {
    static __device__ __forceinline__ Moment join(Moment a, int width) {
        const double count = added_lanes(a.count, width);
        const double sum = added_lanes(a.count * a.mean, width);
        const double mean = count > 0.0 ? sum / count : 0.0;
        const double apart = a.count > 0.0 ? a.mean - mean : 0.0;
        return Moment{count, mean, added_lanes(a.spread + a.count * (apart * apart), width)};
    }
};
template <bool HALF> struct Lanes<Moments<HALF>> : MomentLanes {};
template <> struct Lanes<HalfMoments> : MomentLanes {};

}  // namespace syntonic
