// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"

// LOGSUMEXP(f32)
namespace syntonic {
template <int N> struct Rows_055fb1ae8f21bbb5 {
    float x0[N];
    float v1;
    float v2;
    float v3;
    bool v4;
    float v5;
    float v6;
    float v9;
    float v10;
    float v11;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v3 = syn::bits_as<float>(0x7f800000u);
        v5 = syn::bits_as<float>(0x00000000u);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Max<float>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            a1[c] = v0;
        }
        Max<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v1 = joined<Max<float>>(folds.f1, threads, any, at);
        v2 = syn::abs(v1);
        v4 = syn::less(v2, v3);
        v6 = syn::where(v4, v1, v5);
    }
    struct Folds1 {
        typename Sum<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v7 = syn::subtract(v0, v6);
            const float v8 = syn::exp(v7);
            a9[c] = v8;
        }
        Sum<float>::template take<V>(folds.f9, a9, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v9 = joined<Sum<float>>(folds.f9, threads, any, at);
        v10 = syn::log(v9);
        v11 = syn::add(v10, v6);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v11;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_055fb1ae8f21bbb5, syntonic::Rows_055fb1ae8f21bbb5, 2, 4, 8)

// NORM_2(f32)
namespace syntonic {
template <int N> struct Rows_16db07ba1d5bc5a4 {
    float x0[N];
    float v2;
    float v3;
    bool v4;
    float v5;
    bool v6;
    bool v7;
    float v8;
    float v9;
    float v12;
    float v13;
    bool v14;
    float v15;
    float v16;
    float v17;
    float v18;
    float v19;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v3 = syn::bits_as<float>(0x00000000u);
        v5 = syn::bits_as<float>(0x7f800000u);
        v8 = syn::bits_as<float>(0x3f800000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v15 = syn::bits_as<float>(0x3f800000u);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Max<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Max<float>>(folds.f2, threads, any, at);
        v4 = syn::greater(v2, v3);
        v6 = syn::less(v2, v5);
        v7 = syn::logical_and(v4, v6);
        v9 = syn::where(v7, v2, v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v1 = syn::abs(v0);
            const float v10 = syn::divide(v1, v9);
            const float v11 = syn::square(v10);
            a12[c] = v11;
        }
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v12 = joined<Sum<float>>(folds.f12, threads, any, at);
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        v17 = syn::sqrt(v16);
        v18 = syn::where(v14, v12, v17);
        v19 = syn::multiply(v18, v9);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v19;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_16db07ba1d5bc5a4, syntonic::Rows_16db07ba1d5bc5a4, 2, 4, 8)

// NORM_0(f32)
namespace syntonic {
template <int N> struct Rows_2fc39bc32c2de20a {
    float x0[N];
    float v1;
    int64_t v3;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v1 = syn::bits_as<float>(0x00000000u);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<bool>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<bool>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        bool a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const bool v2 = syn::not_equal(v0, v1);
            a3[c] = v2;
        }
        Sum<bool>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v3 = joined<Sum<bool>>(folds.f3, threads, any, at);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<int64_t>(p, 1, row, RowPlace{0, 0}) = v3;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2fc39bc32c2de20a, syntonic::Rows_2fc39bc32c2de20a, 2, 4, 8)

// COUNT_NONZERO(f32)
namespace syntonic {
template <int N> struct Rows_3ee566cd848784a3 {
    float x0[N];
    int64_t v4;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<bool>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<bool>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const bool v1 = syn::cast<bool>(v0);
            const bool v2 = syn::logical_not(v1);
            const bool v3 = syn::logical_not(v2);
            a4[c] = v3;
        }
        Sum<bool>::template take<V>(folds.f4, a4, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v4 = joined<Sum<bool>>(folds.f4, threads, any, at);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<int64_t>(p, 1, row, RowPlace{0, 0}) = v4;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3ee566cd848784a3, syntonic::Rows_3ee566cd848784a3, 2, 4, 8)

// NORM_MAX(f32)
namespace syntonic {
template <int N> struct Rows_65f0eb7c38d8050a {
    float x0[N];
    float v2;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Max<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Max<float>>(folds.f2, threads, any, at);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v2;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_65f0eb7c38d8050a, syntonic::Rows_65f0eb7c38d8050a, 2, 4, 8)

// VAR(f32)
namespace syntonic {
template <int N> struct Rows_8bb136f9e38deda5 {
    float x0[N];
    float v1;
    float v2;
    float v3;
    float v7;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    float v13;
    float v14;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v2 = syn::cast<float>(int64_t(p.length));
        v8 = syn::cast<double>(int64_t(p.length));
        v9 = syn::cast<double>(p.number[0]);
        v10 = syn::subtract(v8, v9);
        v11 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::maximum(v10, v11);
        v13 = syn::cast<float>(v12);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            a1[c] = v0;
        }
        Sum<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v1 = joined<Sum<float>>(folds.f1, threads, any, at);
        v3 = syn::divide(v1, v2);
    }
    struct Folds1 {
        typename Sum<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v4 = syn::subtract(v0, v3);
            const float v5 = syn::abs(v4);
            const float v6 = syn::square(v5);
            a7[c] = v6;
        }
        Sum<float>::template take<V>(folds.f7, a7, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v7 = joined<Sum<float>>(folds.f7, threads, any, at);
        v14 = syn::divide(v7, v13);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v14;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8bb136f9e38deda5, syntonic::Rows_8bb136f9e38deda5, 2, 4, 8)

// NORM_1(f32)
namespace syntonic {
template <int N> struct Rows_97a3f82156dc2a39 {
    float x0[N];
    float v2;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Sum<float>>(folds.f2, threads, any, at);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v2;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_97a3f82156dc2a39, syntonic::Rows_97a3f82156dc2a39, 2, 4, 8)

// NORM_MIN(f32)
namespace syntonic {
template <int N> struct Rows_c09167034226a928 {
    float x0[N];
    float v2;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Min<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Min<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Min<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Min<float>>(folds.f2, threads, any, at);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v2;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c09167034226a928, syntonic::Rows_c09167034226a928, 2, 4, 8)

// STD(f32)
namespace syntonic {
template <int N> struct Rows_c6dfee4902894ef8 {
    float x0[N];
    float v1;
    float v2;
    float v3;
    float v7;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    float v13;
    float v14;
    float v15;
    bool v16;
    float v17;
    float v18;
    float v19;
    float v20;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v2 = syn::cast<float>(int64_t(p.length));
        v8 = syn::cast<double>(int64_t(p.length));
        v9 = syn::cast<double>(p.number[0]);
        v10 = syn::subtract(v8, v9);
        v11 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::maximum(v10, v11);
        v13 = syn::cast<float>(v12);
        v15 = syn::bits_as<float>(0x00000000u);
        v17 = syn::bits_as<float>(0x3f800000u);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            a1[c] = v0;
        }
        Sum<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v1 = joined<Sum<float>>(folds.f1, threads, any, at);
        v3 = syn::divide(v1, v2);
    }
    struct Folds1 {
        typename Sum<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v4 = syn::subtract(v0, v3);
            const float v5 = syn::abs(v4);
            const float v6 = syn::square(v5);
            a7[c] = v6;
        }
        Sum<float>::template take<V>(folds.f7, a7, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v7 = joined<Sum<float>>(folds.f7, threads, any, at);
        v14 = syn::divide(v7, v13);
        v16 = syn::equal(v14, v15);
        v18 = syn::where(v16, v17, v14);
        v19 = syn::sqrt(v18);
        v20 = syn::where(v16, v14, v19);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v20;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c6dfee4902894ef8, syntonic::Rows_c6dfee4902894ef8, 2, 4, 8)

// MEAN(f32)
namespace syntonic {
template <int N> struct Rows_d11536534006d568 {
    float x0[N];
    float v1;
    float v2;
    float v3;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v2 = syn::cast<float>(int64_t(p.length));
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            a1[c] = v0;
        }
        Sum<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v1 = joined<Sum<float>>(folds.f1, threads, any, at);
        v3 = syn::divide(v1, v2);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v3;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d11536534006d568, syntonic::Rows_d11536534006d568, 2, 4, 8)

// NORM_P(f32)
namespace syntonic {
template <int N> struct Rows_d2c793f914d55010 {
    float x0[N];
    float v2;
    float v4;
    double v5;
    double v6;
    float v7;
    float v8;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v2 = syn::cast<float>(p.number[0]);
        v5 = syn::cast<double>(p.number[0]);
        v6 = syn::reciprocal(v5);
        v7 = syn::cast<float>(v6);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0[at + c];
            const float v1 = syn::abs(v0);
            const float v3 = syn::pow(v1, v2);
            a4[c] = v3;
        }
        Sum<float>::template take<V>(folds.f4, a4, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v4 = joined<Sum<float>>(folds.f4, threads, any, at);
        v8 = syn::pow(v4, v7);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<float>(p, 1, row, RowPlace{0, 0}) = v8;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d2c793f914d55010, syntonic::Rows_d2c793f914d55010, 2, 4, 8)
