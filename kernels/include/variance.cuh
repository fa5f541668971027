// Variances: their parameters, and the joint reduction of the moments of many threads.
#pragma once
#include "contract_fold_variance.cuh"
#include "fold.cuh"

namespace syntonic {

template <class P> struct IsVariance { static constexpr bool YES = false; };
template <class P> struct IsVariance<VarianceParams<P>> { static constexpr bool YES = true; };

// 1/n to the last bit or two: no count is zero, subnormal or infinite, so that nothing has to be asked.
__device__ __forceinline__ double inverse_of_count(double n) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(n));
    r = fma(r, fma(-n, r, 1.0), r);
    return fma(r, fma(-n, r, 1.0), r);
}

// Moments one after the other, without a quotient each: their means are measured from that of the first, which has no
// fewer values than the others. So the common mean is at most `sqrt(joined)` spreads from it, which costs few digits.
struct MomentSum {
    double reference, count, sum, squares;
    __device__ __forceinline__ explicit MomentSum(double from) : reference(from), count(0.0), sum(0.0), squares(0.0) {}
    __device__ __forceinline__ void add(const Moment& a) {
        const double apart = a.mean - reference, weighed = a.count * apart;
        count += a.count;
        sum += weighed;
        squares += fma(weighed, apart, a.spread);
    }
    __device__ __forceinline__ Moment joined() const {
        // Sums of nothing are zero.
        const double apart = sum * inverse_of_count(count > 0.0 ? count : 1.0);
        return Moment{count, reference + apart, squares - sum * apart};
    }
};

// What a thread of even rows or columns gathers. Distances of half types are added up in float, sixteen at a time, before a
// double takes them: six roundings. Others are as exact as doubles are.
template <bool HALF> struct EvenMoments : Moments<HALF> {
    using Thread = typename Moments<HALF>::Thread;
    template <int N> static __device__ __forceinline__ void take(Thread& a, const float* x, u32) {
        using Run = typename std::conditional<HALF, float, double>::type;
        if (a.count == 0) a.first = x[0];
        a.count += N;
        constexpr int AT_ONCE = HALF && N > 16 ? 16 : N, CHAINS = HALF ? 4 : 2, C = N < CHAINS ? N : CHAINS;
        const Run first = a.first;
#pragma unroll
        for (int k = 0; k < N; k += AT_ONCE) {
            Run sum[C], squares[C];
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) {
                const Run d = (Run)x[k + c] - first;
                sum[c % C] = c < C ? d : sum[c % C] + d;
                squares[c % C] = c < C ? d * d : fma(d, d, squares[c % C]);
            }
            a.sum += (double)tree<C>(sum);
            a.squares += (double)tree<C>(squares);
        }
    }
    static __device__ __forceinline__ Moment gathered(const Thread& a, bool, u64) {
        const double n = a.count, mean = a.sum * inverse_of_count(n > 0.0 ? n : 1.0);
        return Moment{n, (double)a.first + mean, a.squares - a.sum * mean};
    }
};

// Several values of a fold, one after the other.
template <class F> struct Series {
    static constexpr int CHAINS = 4;  // where there are many
    typename F::Acc all;
    __device__ __forceinline__ explicit Series(const typename F::Acc& first) : all(first) {}
    __device__ __forceinline__ void add(const typename F::Acc& a) { all = F::join(all, a); }
    __device__ __forceinline__ typename F::Acc joined() const { return all; }
};
template <bool HALF> struct Series<EvenMoments<HALF>> : MomentSum {
    static constexpr int CHAINS = 1;
    __device__ __forceinline__ explicit Series(const Moment& first) : MomentSum(first.mean) { add(first); }
};

// Joins the values of the first `width` lanes; each of them has the result.
template <class F> struct Lanes {
    static __device__ __forceinline__ typename F::Acc join(typename F::Acc a, int width) {
        return join_lanes<F>(a, width);
    }
};
// Three sums side by side, and one quotient.
template <bool HALF> struct Lanes<EvenMoments<HALF>> {
    static __device__ __forceinline__ Moment join(Moment a, int width) {
        MomentSum all(__shfl_sync(~0u, a.mean, 0));
        all.add(a);
        for (int distance = 1; distance < width; distance *= 2) {
            all.count += from_lane(all.count, distance, 32);
            all.sum += from_lane(all.sum, distance, 32);
            all.squares += from_lane(all.squares, distance, 32);
        }
        return all.joined();
    }
};

}  // namespace syntonic
