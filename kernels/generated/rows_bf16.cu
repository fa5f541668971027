// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"

// NORM_MAX(bf16)
namespace syntonic {
template <int N> struct Rows_13434dbec4242177 {
    syn::bf16 x0[N];
    float v3;
    syn::bf16 v4;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Max<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Max<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v3 = joined<Max<float>>(folds.f3, threads, any, at);
        v4 = syn::cast<syn::bf16>(v3);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v4;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_13434dbec4242177, syntonic::Rows_13434dbec4242177, 2, 8, 8)

// VAR(bf16)
namespace syntonic {
template <int N> struct Rows_275691b1bca15055 {
    syn::bf16 x0[N];
    float v2;
    float v3;
    float v4;
    float v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v13;
    float v14;
    float v15;
    syn::bf16 v16;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v3 = syn::cast<float>(int64_t(p.length));
        v9 = syn::cast<double>(int64_t(p.length));
        v10 = syn::cast<double>(p.number[0]);
        v11 = syn::subtract(v9, v10);
        v12 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v13 = syn::maximum(v11, v12);
        v14 = syn::cast<float>(v13);
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
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Sum<float>>(folds.f2, threads, any, at);
        v4 = syn::divide(v2, v3);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v5 = syn::subtract(v1, v4);
            const float v6 = syn::abs(v5);
            const float v7 = syn::square(v6);
            a8[c] = v7;
        }
        Sum<float>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v8 = joined<Sum<float>>(folds.f8, threads, any, at);
        v15 = syn::divide(v8, v14);
        v16 = syn::cast<syn::bf16>(v15);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v16;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_275691b1bca15055, syntonic::Rows_275691b1bca15055, 2, 8, 8)

// LOGSUMEXP(bf16)
namespace syntonic {
template <int N> struct Rows_3329adbf8fc8f741 {
    syn::bf16 x0[N];
    float v2;
    float v3;
    float v4;
    bool v5;
    float v6;
    float v7;
    float v10;
    float v11;
    float v12;
    syn::bf16 v13;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v4 = syn::bits_as<float>(0x7f800000u);
        v6 = syn::bits_as<float>(0x00000000u);
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
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Max<float>>(folds.f2, threads, any, at);
        v3 = syn::abs(v2);
        v5 = syn::less(v3, v4);
        v7 = syn::where(v5, v2, v6);
    }
    struct Folds1 {
        typename Sum<float>::Thread f10;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v8 = syn::subtract(v1, v7);
            const float v9 = syn::exp(v8);
            a10[c] = v9;
        }
        Sum<float>::template take<V>(folds.f10, a10, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v10 = joined<Sum<float>>(folds.f10, threads, any, at);
        v11 = syn::log(v10);
        v12 = syn::add(v11, v7);
        v13 = syn::cast<syn::bf16>(v12);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v13;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3329adbf8fc8f741, syntonic::Rows_3329adbf8fc8f741, 2, 8, 8)

// NORM_0(bf16)
namespace syntonic {
template <int N> struct Rows_4fd16efd558fdb6a {
    syn::bf16 x0[N];
    float v2;
    int64_t v4;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v2 = syn::bits_as<float>(0x00000000u);
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
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const bool v3 = syn::not_equal(v1, v2);
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
SYNTONIC_ROWS(rows_4fd16efd558fdb6a, syntonic::Rows_4fd16efd558fdb6a, 2, 8, 8)

// NORM_MIN(bf16)
namespace syntonic {
template <int N> struct Rows_9e3504eed4a142c9 {
    syn::bf16 x0[N];
    float v3;
    syn::bf16 v4;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Min<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Min<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Min<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v3 = joined<Min<float>>(folds.f3, threads, any, at);
        v4 = syn::cast<syn::bf16>(v3);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v4;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_9e3504eed4a142c9, syntonic::Rows_9e3504eed4a142c9, 2, 8, 8)

// COUNT_NONZERO(bf16)
namespace syntonic {
template <int N> struct Rows_a24930ef5c6d688a {
    syn::bf16 x0[N];
    int64_t v5;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<bool>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<bool>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        bool a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const bool v2 = syn::cast<bool>(v1);
            const bool v3 = syn::logical_not(v2);
            const bool v4 = syn::logical_not(v3);
            a5[c] = v4;
        }
        Sum<bool>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v5 = joined<Sum<bool>>(folds.f5, threads, any, at);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<int64_t>(p, 1, row, RowPlace{0, 0}) = v5;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a24930ef5c6d688a, syntonic::Rows_a24930ef5c6d688a, 2, 8, 8)

// NORM_2(bf16)
namespace syntonic {
template <int N> struct Rows_b6aab0c02d36bcf1 {
    syn::bf16 x0[N];
    float v3;
    float v4;
    bool v5;
    float v6;
    bool v7;
    bool v8;
    float v9;
    float v10;
    float v13;
    float v14;
    bool v15;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    syn::bf16 v21;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v4 = syn::bits_as<float>(0x00000000u);
        v6 = syn::bits_as<float>(0x7f800000u);
        v9 = syn::bits_as<float>(0x3f800000u);
        v14 = syn::bits_as<float>(0x00000000u);
        v16 = syn::bits_as<float>(0x3f800000u);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Max<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Max<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v3 = joined<Max<float>>(folds.f3, threads, any, at);
        v5 = syn::greater(v3, v4);
        v7 = syn::less(v3, v6);
        v8 = syn::logical_and(v5, v7);
        v10 = syn::where(v8, v3, v9);
    }
    struct Folds1 {
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            const float v11 = syn::divide(v2, v10);
            const float v12 = syn::square(v11);
            a13[c] = v12;
        }
        Sum<float>::template take<V>(folds.f13, a13, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v13 = joined<Sum<float>>(folds.f13, threads, any, at);
        v15 = syn::equal(v13, v14);
        v17 = syn::where(v15, v16, v13);
        v18 = syn::sqrt(v17);
        v19 = syn::where(v15, v13, v18);
        v20 = syn::multiply(v19, v10);
        v21 = syn::cast<syn::bf16>(v20);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v21;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_b6aab0c02d36bcf1, syntonic::Rows_b6aab0c02d36bcf1, 2, 8, 8)

// MEAN(bf16)
namespace syntonic {
template <int N> struct Rows_c3fb9dd15c1a778b {
    syn::bf16 x0[N];
    float v2;
    float v3;
    float v4;
    syn::bf16 v5;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v3 = syn::cast<float>(int64_t(p.length));
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
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Sum<float>>(folds.f2, threads, any, at);
        v4 = syn::divide(v2, v3);
        v5 = syn::cast<syn::bf16>(v4);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v5;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c3fb9dd15c1a778b, syntonic::Rows_c3fb9dd15c1a778b, 2, 8, 8)

// NORM_P(bf16)
namespace syntonic {
template <int N> struct Rows_d5d26751b44c4d00 {
    syn::bf16 x0[N];
    float v3;
    float v5;
    double v6;
    double v7;
    float v8;
    float v9;
    syn::bf16 v10;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v3 = syn::cast<float>(p.number[0]);
        v6 = syn::cast<double>(p.number[0]);
        v7 = syn::reciprocal(v6);
        v8 = syn::cast<float>(v7);
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            const float v4 = syn::pow(v2, v3);
            a5[c] = v4;
        }
        Sum<float>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v5 = joined<Sum<float>>(folds.f5, threads, any, at);
        v9 = syn::pow(v5, v8);
        v10 = syn::cast<syn::bf16>(v9);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v10;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d5d26751b44c4d00, syntonic::Rows_d5d26751b44c4d00, 2, 8, 8)

// NORM_1(bf16)
namespace syntonic {
template <int N> struct Rows_dee87dcc5d6d7f68 {
    syn::bf16 x0[N];
    float v3;
    syn::bf16 v4;
    static constexpr int PASSES = 1;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
    }
    template <int V, class Params> __device__ __forceinline__ void load(const Params& p, u64 row, RowPlace place, int at) {
        row_load<V>(x0 + at, p, 0, row, place);
    }
    struct Folds0 {
        typename Sum<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, int at, u32 ordinal) {
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Sum<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v3 = joined<Sum<float>>(folds.f3, threads, any, at);
        v4 = syn::cast<syn::bf16>(v3);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v4;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_dee87dcc5d6d7f68, syntonic::Rows_dee87dcc5d6d7f68, 2, 8, 8)

// STD(bf16)
namespace syntonic {
template <int N> struct Rows_f800c47a01b325cb {
    syn::bf16 x0[N];
    float v2;
    float v3;
    float v4;
    float v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v13;
    float v14;
    float v15;
    float v16;
    bool v17;
    float v18;
    float v19;
    float v20;
    float v21;
    syn::bf16 v22;
    static constexpr int PASSES = 2;
    template <class Params> __device__ __forceinline__ void begin(const Params& p, u64 row) {
        v3 = syn::cast<float>(int64_t(p.length));
        v9 = syn::cast<double>(int64_t(p.length));
        v10 = syn::cast<double>(p.number[0]);
        v11 = syn::subtract(v9, v10);
        v12 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v13 = syn::maximum(v11, v12);
        v14 = syn::cast<float>(v13);
        v16 = syn::bits_as<float>(0x00000000u);
        v18 = syn::bits_as<float>(0x3f800000u);
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
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, u32 threads, bool any, At at, const Params& p) {
        v2 = joined<Sum<float>>(folds.f2, threads, any, at);
        v4 = syn::divide(v2, v3);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <int V, bool KEPT> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, int at, u32 ordinal) {
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0[at + c];
            const float v1 = syn::cast<float>(v0);
            const float v5 = syn::subtract(v1, v4);
            const float v6 = syn::abs(v5);
            const float v7 = syn::square(v6);
            a8[c] = v7;
        }
        Sum<float>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, u32 threads, bool any, At at, const Params& p) {
        v8 = joined<Sum<float>>(folds.f8, threads, any, at);
        v15 = syn::divide(v8, v14);
        v17 = syn::equal(v15, v16);
        v19 = syn::where(v17, v18, v15);
        v20 = syn::sqrt(v19);
        v21 = syn::where(v17, v15, v20);
        v22 = syn::cast<syn::bf16>(v21);
    }
    static constexpr int ELEMENTS = 0;
    template <int V, bool KEPT, class Params> __device__ __forceinline__ void finish(const Params& p, u64 row, RowPlace place, int at) {
#pragma unroll
        for (int c = 0; c < V; ++c) {
        }
    }
    template <class Params> __device__ __forceinline__ void finish_row(const Params& p, u64 row) {
        *row_element<syn::bf16>(p, 1, row, RowPlace{0, 0}) = v22;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_f800c47a01b325cb, syntonic::Rows_f800c47a01b325cb, 2, 8, 8)
