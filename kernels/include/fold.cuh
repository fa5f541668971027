// Folds: how a row of values becomes one.
//
// A fold has three stages. `Thread` is what one thread gathers: it takes values in the order of their
// positions and counts them with a 32-bit ordinal. `Acc` is the partial value that is joined across
// threads and kept between launches. `Out` is the element written. Sums and products of floats gather in
// double precision; a sum first adds up to 64 values in the type itself, pairwise, which moves it by at
// most 6 roundings of the sum of their magnitudes. Nothing here depends on timing: the
// order of joins is a fixed tree.
#pragma once
#include <type_traits>

#include "fold_element.cuh"

namespace syntonic {

// The type a value of T is gathered in, and the one short runs of a sum are added in.
template <class T> struct Wide { using Total = double; using Run = T; };
template <> struct Wide<c64> { using Total = c128; using Run = c64; };
template <> struct Wide<c128> { using Total = c128; using Run = c128; };
template <> struct Wide<bool> { using Total = i64; using Run = i32; };
template <> struct Wide<i8> { using Total = i64; using Run = i32; };
template <> struct Wide<i16> { using Total = i64; using Run = i32; };
template <> struct Wide<i32> { using Total = i64; using Run = i64; };
template <> struct Wide<i64> { using Total = i64; using Run = i64; };
template <> struct Wide<u8> { using Total = u64; using Run = u32; };
template <> struct Wide<u16> { using Total = u64; using Run = u32; };
template <> struct Wide<u32> { using Total = u64; using Run = u64; };
template <> struct Wide<u64> { using Total = u64; using Run = u64; };

template <class To, class From> __device__ __forceinline__ To widened(From x) { return (To)x; }
template <> __device__ __forceinline__ c128 widened<c128, c64>(c64 x) { return c128{(double)x.re, (double)x.im}; }
template <class To, class From> __device__ __forceinline__ To narrowed(From x) { return (To)x; }
template <> __device__ __forceinline__ c64 narrowed<c64, c128>(c128 x) { return c64{(float)x.re, (float)x.im}; }

template <class T> __device__ __forceinline__ T plus(T x, T y) { return x + y; }
__device__ __forceinline__ i64 plus(i64 x, i64 y) { return (i64)((u64)x + (u64)y); }
__device__ __forceinline__ c64 plus(c64 x, c64 y) { return c64{x.re + y.re, x.im + y.im}; }
__device__ __forceinline__ c128 plus(c128 x, c128 y) { return c128{x.re + y.re, x.im + y.im}; }
template <class T> __device__ __forceinline__ T times(T x, T y) { return x * y; }
__device__ __forceinline__ i64 times(i64 x, i64 y) { return (i64)((u64)x * (u64)y); }
__device__ __forceinline__ c128 times(c128 x, c128 y) {
    return c128{x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

template <class T> __device__ __forceinline__ bool holds(T x) { return x != T(0); }
__device__ __forceinline__ bool holds(bool x) { return x; }
__device__ __forceinline__ bool holds(c64 x) { return x.re != 0.0f || x.im != 0.0f; }
__device__ __forceinline__ bool holds(c128 x) { return x.re != 0.0 || x.im != 0.0; }

template <class T> __device__ __forceinline__ T one() { return T(1); }
template <> __device__ __forceinline__ c128 one<c128>() { return c128{1.0, 0.0}; }
template <class T> __device__ __forceinline__ T zero() { return T(0); }
template <> __device__ __forceinline__ c64 zero<c64>() { return c64{0.0f, 0.0f}; }
template <> __device__ __forceinline__ c128 zero<c128>() { return c128{0.0, 0.0}; }

// Pairwise sum of N values.
template <int N, class T> __device__ __forceinline__ T tree(const T* x) {
    if constexpr (N == 1) {
        return x[0];
    } else {
        return plus(tree<N / 2>(x), tree<N - N / 2>(x + N / 2));
    }
}

// The sum. T is the type of a value in arithmetic: half types come as float.
template <class T> struct Sum {
    using Value = T;
    using Acc = typename Wide<T>::Total;
    using Thread = Acc;
    using Out = typename Result<T, Acc>::Out;
    static constexpr bool POSITIONS = false;
    static __device__ __forceinline__ Thread start() { return zero<Acc>(); }
    template <int N> static __device__ __forceinline__ void take(Thread& a, const T* x, u32) {
        typename Wide<T>::Run run[N];
#pragma unroll
        for (int k = 0; k < N; ++k) run[k] = widened<typename Wide<T>::Run>(x[k]);
        a = plus(a, widened<Acc>(tree<N>(run)));
    }
    static __device__ __forceinline__ Acc gathered(Thread a, bool, u64) { return a; }
    static __device__ __forceinline__ Acc nothing() { return start(); }
    static __device__ __forceinline__ Acc join(Acc a, Acc b) { return plus(a, b); }
    static __device__ __forceinline__ Out finish(Acc a) { return narrowed<Out>(a); }
};

// The product. Products may leave the narrow type's range on the way, so there are no short runs.
template <class T> struct Prod {
    using Value = T;
    using Acc = typename Wide<T>::Total;
    using Thread = Acc;
    using Out = typename Result<T, Acc>::Out;
    static constexpr bool POSITIONS = false;
    static __device__ __forceinline__ Thread start() { return one<Acc>(); }
    template <int N> static __device__ __forceinline__ void take(Thread& a, const T* x, u32) {
#pragma unroll
        for (int k = 0; k < N; ++k) a = times(a, widened<Acc>(x[k]));
    }
    static __device__ __forceinline__ Acc gathered(Thread a, bool, u64) { return a; }
    static __device__ __forceinline__ Acc nothing() { return start(); }
    static __device__ __forceinline__ Acc join(Acc a, Acc b) { return times(a, b); }
    static __device__ __forceinline__ Out finish(Acc a) { return narrowed<Out>(a); }
};

// The extreme a fold looks for.
struct Smallest {
    template <class T> static __device__ __forceinline__ bool better(T x, T y) { return x < y; }
    template <class T> static __device__ __forceinline__ T worst() { return Limits<T>::highest(); }
    template <class T> static __device__ __forceinline__ T of(T x, T y) { return y < x || y != y ? y : x; }
    static __device__ __forceinline__ float of(float x, float y) {
#if __CUDA_ARCH__ >= 800
        float r;
        asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
        return r;
#else
        return y < x || y != y ? y : x;
#endif
    }
};
struct Largest {
    template <class T> static __device__ __forceinline__ bool better(T x, T y) { return x > y; }
    template <class T> static __device__ __forceinline__ T worst() { return Limits<T>::lowest(); }
    template <class T> static __device__ __forceinline__ T of(T x, T y) { return y > x || y != y ? y : x; }
    static __device__ __forceinline__ float of(float x, float y) {
#if __CUDA_ARCH__ >= 800
        float r;
        asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
        return r;
#else
        return y > x || y != y ? y : x;
#endif
    }
};

// The smallest or largest value; NaN if any is NaN.
template <class Which, class T> struct Extreme {
    using Value = T;
    using Acc = T;
    using Thread = T;
    using Out = T;
    static constexpr bool POSITIONS = false;
    static __device__ __forceinline__ Thread start() { return Which::template worst<T>(); }
    template <int N> static __device__ __forceinline__ void take(Thread& a, const T* x, u32) {
#pragma unroll
        for (int k = 0; k < N; ++k) a = Which::of(a, x[k]);
    }
    static __device__ __forceinline__ Acc gathered(Thread a, bool, u64) { return a; }
    static __device__ __forceinline__ Acc nothing() { return start(); }
    static __device__ __forceinline__ Acc join(Acc a, Acc b) { return Which::of(a, b); }
    static __device__ __forceinline__ Out finish(Acc a) { return a; }
};
template <class T> using Min = Extreme<Smallest, T>;
template <class T> using Max = Extreme<Largest, T>;

// Whether any value is not zero, or none is.
template <bool ALL, class T> struct Truth {
    using Value = T;
    using Acc = bool;
    using Thread = bool;
    using Out = bool;
    static constexpr bool POSITIONS = false;
    static __device__ __forceinline__ Thread start() { return ALL; }
    template <int N> static __device__ __forceinline__ void take(Thread& a, const T* x, u32) {
#pragma unroll
        for (int k = 0; k < N; ++k) a = ALL ? a & holds(x[k]) : a | holds(x[k]);
    }
    static __device__ __forceinline__ Acc gathered(Thread a, bool, u64) { return a; }
    static __device__ __forceinline__ Acc nothing() { return start(); }
    static __device__ __forceinline__ Acc join(Acc a, Acc b) { return ALL ? a & b : a | b; }
    static __device__ __forceinline__ Out finish(Acc a) { return a; }
};
template <class T> using Any = Truth<false, T>;
template <class T> using All = Truth<true, T>;

// A value and where it is. Positions of nothing lie past every row.
template <class T> struct Located {
    T value;
    u64 at;
};
template <class T> struct Seen {
    T value;
    u32 ordinal;
};

// Position of the first extreme, or of the first NaN.
template <class Which, class T> struct Position {
    using Value = T;
    using Acc = Located<T>;
    using Thread = Seen<T>;
    using Out = i64;
    static constexpr bool POSITIONS = true;
    static constexpr u64 NOWHERE = ~(u64)0;
    // Ordinal 0 with the worst value: if no value of the thread is better, its first is as good.
    static __device__ __forceinline__ Thread start() { return Thread{Which::template worst<T>(), 0}; }
    // True if `y`, which comes later, takes the place of `x`.
    static __device__ __forceinline__ bool replaces(T y, T x) {
        return (Which::better(y, x) || y != y) && x == x;
    }
    // A tournament, so that comparisons do not wait for each other.
    template <int N> static __device__ __forceinline__ void take(Thread& a, const T* x, u32 ordinal) {
        T value[N];
        u32 place[N];
#pragma unroll
        for (int k = 0; k < N; ++k) {
            value[k] = x[k];
            place[k] = k;
        }
#pragma unroll
        for (int width = 1; width < N; width *= 2) {
#pragma unroll
            for (int k = 0; k + width < N; k += 2 * width) {
                const bool later = replaces(value[k + width], value[k]);
                value[k] = later ? value[k + width] : value[k];
                place[k] = later ? place[k + width] : place[k];
            }
        }
        const bool later = replaces(value[0], a.value);
        a.value = later ? value[0] : a.value;
        a.ordinal = later ? ordinal + place[0] : a.ordinal;
    }
    // `at` is the position of the remembered ordinal.
    static __device__ __forceinline__ Acc gathered(Thread a, bool any, u64 at) {
        return Acc{a.value, any ? at : NOWHERE};
    }
    static __device__ __forceinline__ Acc nothing() { return Acc{Which::template worst<T>(), NOWHERE}; }
    static __device__ __forceinline__ Acc join(Acc a, Acc b) {
        const bool nan_a = a.value != a.value, nan_b = b.value != b.value;
        const bool equal = a.value == b.value || (nan_a && nan_b);
        const bool better = !nan_a && (nan_b || Which::better(b.value, a.value));
        return (equal ? b.at < a.at : better) ? b : a;
    }
    static __device__ __forceinline__ Out finish(Acc a) { return (i64)a.at; }
};
template <class T> using ArgMin = Position<Smallest, T>;
template <class T> using ArgMax = Position<Largest, T>;

// How many values, their mean, and the sum of their squared distances from it.
struct Moment {
    double count, mean, spread;
};

// The variance in one reading. A thread gathers distances from its first value, so that large means cost no digits.
// HALF: the values are half types, of whose distances some may be added up in float.
template <bool HALF> struct Moments {
    using Value = float;
    using Acc = Moment;
    struct Thread {
        double sum, squares;
        float first;
        u32 count;
    };
    using Out = float;
    static constexpr bool POSITIONS = false;
    static __device__ __forceinline__ Thread start() { return Thread{0.0, 0.0, 0.0f, 0}; }
    template <int N> static __device__ __forceinline__ void take(Thread& a, const float* x, u32) {
        if (a.count == 0) a.first = x[0];
        a.count += N;
        using Run = typename std::conditional<HALF, float, double>::type;
        constexpr int AT_ONCE = N < 8 ? N : 8;
        const Run first = a.first;
#pragma unroll
        for (int k = 0; k < N; k += AT_ONCE) {
            Run d[AT_ONCE], square[AT_ONCE];
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) {
                d[c] = (Run)x[k + c] - first;
                square[c] = d[c] * d[c];
            }
            a.sum += (double)tree<AT_ONCE>(d);
            a.squares += (double)tree<AT_ONCE>(square);
        }
    }
    static __device__ __forceinline__ Acc gathered(Thread a, bool, u64) {
        if (a.count == 0) return nothing();
        const double n = a.count, mean = a.sum / n;
        return Acc{n, (double)a.first + mean, a.squares - a.sum * mean};
    }
    static __device__ __forceinline__ Acc nothing() { return Acc{0.0, 0.0, 0.0}; }
    // The same bits whichever comes first.
    static __device__ __forceinline__ Acc join(Acc a, Acc b) {
        const double n = a.count + b.count;
        if (a.count == 0.0 || b.count == 0.0) return a.count == 0.0 ? b : a;
        const double apart = b.mean - a.mean, part = 1.0 / n;
        return Acc{n, (a.count * a.mean + b.count * b.mean) * part,
                   (a.spread + b.spread) + apart * apart * (a.count * b.count * part)};
    }
};

// The same value of another lane, whatever its size.
template <class T> __device__ __forceinline__ T from_lane(T x, int distance, int width) {
    constexpr int WORDS = (sizeof(T) + 3) / 4;
    union Bits {
        u32 word[WORDS];
        T value;
        __device__ Bits() {}
    } bits;
    bits.word[WORDS - 1] = 0;
    bits.value = x;
#pragma unroll
    for (int k = 0; k < WORDS; ++k) bits.word[k] = __shfl_xor_sync(0xffffffffu, bits.word[k], distance, width);
    return bits.value;
}

// Joins the values of `width` neighbouring lanes (a power of two, at most 32); each has the result.
template <class F> __device__ __forceinline__ typename F::Acc join_lanes(typename F::Acc a, int width) {
    for (int distance = 1; distance < width; distance *= 2) a = F::join(a, from_lane(a, distance, 32));
    return a;
}

// Joins the values of a block of at most 1024 threads; thread 0 has the result.
template <class F> __device__ __forceinline__ typename F::Acc join_block(typename F::Acc a) {
    using Acc = typename F::Acc;
    __shared__ __align__(16) unsigned char room[32 * sizeof(Acc)];
    Acc* warps = reinterpret_cast<Acc*>(room);
    a = join_lanes<F>(a, 32);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = a;
    __syncthreads();
    if (threadIdx.x < 32) {
        const u32 count = blockDim.x >> 5;
        a = threadIdx.x < count ? warps[threadIdx.x] : F::nothing();
        a = join_lanes<F>(a, 32);
    }
    return a;
}

}  // namespace syntonic
