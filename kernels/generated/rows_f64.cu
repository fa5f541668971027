// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"

// LOGSUMEXP(f64)
namespace syntonic {
template <int V, int R> struct Rows_13576ad390de227a {
    double v1;
    double v2;
    double v3;
    bool v4;
    double v5;
    double v6;
    double v9;
    double v10;
    double v11;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<double>(uint64_t(0x7ff0000000000000ull));
        v5 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<double>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        row_take<Max<double>, V>(at, folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Max<double>>(folds.f1, room, any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Max<double>::finish(room.template get<Max<double>, 0>(a1));
        v2 = syn::abs(v1);
        v4 = syn::less(v2, v3);
        v6 = syn::where(v4, v1, v5);
    }
    struct Folds1 {
        typename Sum<double>::Thread f9;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v7 = syn::subtract(v0, v6);
            const double v8 = syn::exp(v7);
            a9[c] = v8;
        }
        row_take<Sum<double>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<double>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<double>::finish(room.template get<Sum<double>, 0>(a9));
        v10 = syn::row_log(v9);
        v11 = syn::add(v10, v6);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v11;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        Max<double>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v7 = syn::subtract(v0, v6);
            const double v8 = syn::exp(v7);
            a9[c] = v8;
        }
        Sum<double>::template take<V>(folds.f9, a9, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_13576ad390de227a, syntonic::Rows_13576ad390de227a, 2, 2)
SYNTONIC_ROWS_HELD(rows_13576ad390de227a, syntonic::Rows_13576ad390de227a, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_13576ad390de227a_passes, syntonic::Rows_13576ad390de227a, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_13576ad390de227a_passes_single, syntonic::Rows_13576ad390de227a, 2, 1, 8, 512, 2)

// NORM_MAX(f64)
namespace syntonic {
template <int V, int R> struct Rows_15fe5470f481a7b5 {
    double v2;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Max<double>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Max<double>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<double>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Max<double>::finish(room.template get<Max<double>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v2;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Max<double>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_15fe5470f481a7b5, syntonic::Rows_15fe5470f481a7b5, 2, 2)
SYNTONIC_ROWS_HELD(rows_15fe5470f481a7b5, syntonic::Rows_15fe5470f481a7b5, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_15fe5470f481a7b5_passes, syntonic::Rows_15fe5470f481a7b5, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_15fe5470f481a7b5_passes_single, syntonic::Rows_15fe5470f481a7b5, 2, 1, 8, 512, 2)

// ACCURACY(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_2649f6f7d30121c8 {
    double v5;
    double v8;
    double v10;
    double v15;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v21;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v8 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v10 = syn::bits_as<double>(uint64_t(0x7ff0000000000000ull));
        v16 = syn::cast<double>(int64_t(p.length));
        v17 = syn::bits_as<double>(uint64_t(0x3ffd67f1c864beb5ull));
        v18 = syn::multiply(v16, v17);
        v20 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = syn::subtract(v0, v1);
            const double v4 = syn::multiply(v2, v3);
            const bool v6 = syn::equal(v3, v5);
            const double v7 = syn::multiply(v4, v3);
            const double v9 = syn::where(v6, v8, v7);
            const bool v11 = syn::equal(v9, v10);
            const double v12 = syn::row_log(v2);
            const double v13 = syn::subtract(v9, v12);
            const double v14 = syn::where(v11, v9, v13);
            a15[c] = v14;
        }
        row_take<Sum<double>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<double>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<double>::finish(room.template get<Sum<double>, 0>(a15));
        v19 = syn::add(v15, v18);
        v21 = syn::multiply(v20, v19);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 3, base[3]) = v21;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = syn::subtract(v0, v1);
            const double v4 = syn::multiply(v2, v3);
            const bool v6 = syn::equal(v3, v5);
            const double v7 = syn::multiply(v4, v3);
            const double v9 = syn::where(v6, v8, v7);
            const bool v11 = syn::equal(v9, v10);
            const double v12 = syn::row_log(v2);
            const double v13 = syn::subtract(v9, v12);
            const double v14 = syn::where(v11, v9, v13);
            a15[c] = v14;
        }
        Sum<double>::template take<V>(folds.f15, a15, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2649f6f7d30121c8, syntonic::Rows_2649f6f7d30121c8, 4, 2)
SYNTONIC_ROWS_HELD(rows_2649f6f7d30121c8, syntonic::Rows_2649f6f7d30121c8, 4, 2, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_2649f6f7d30121c8_passes, syntonic::Rows_2649f6f7d30121c8, 4, 2, 1, 512, 3)
SYNTONIC_ROWS_PASSES(rows_2649f6f7d30121c8_passes_single, syntonic::Rows_2649f6f7d30121c8, 4, 1, 2, 512, 3)

// KL_DIVERGENCE(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_2a700b6fd7a5b587 {
    double v7;
    double v10;
    double v12;
    double v16;
    double v19;
    double v23;
    double v28;
    double v29;
    double v30;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v7 = syn::bits_as<double>(uint64_t(0x39b4484bfeebc2a0ull));
        v10 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::bits_as<double>(uint64_t(0x46293e5939a08ce9ull));
        v16 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v19 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v23 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v29 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
        at.template fetch<double, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f28;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        double a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v5 = syn::abs(v3);
            const double v6 = syn::divide(v2, v5);
            const double v8 = syn::subtract(v6, v7);
            const double v9 = syn::minimum(v8, v3);
            const bool v11 = syn::less_equal(v9, v10);
            const double v13 = syn::minimum(v6, v12);
            const double v14 = syn::where(v11, v2, v13);
            const double v15 = syn::row_log(v14);
            const double v17 = syn::where(v11, v3, v16);
            const double v18 = syn::log_but_of_one(v17);
            const double v20 = syn::subtract(v6, v19);
            const double v21 = syn::subtract(v15, v18);
            const double v22 = syn::subtract(v20, v21);
            const double v24 = syn::maximum(v22, v23);
            const double v25 = syn::divide(v4, v3);
            const double v26 = syn::multiply(v4, v25);
            const double v27 = syn::add(v24, v26);
            a28[c] = v27;
        }
        row_take<Sum<double>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a28 = row_gathered<Sum<double>>(folds.f28, room, any, position);
        room.template put<0>(a28);
        room.meet();
        v28 = Sum<double>::finish(room.template get<Sum<double>, 0>(a28));
        v30 = syn::multiply(v29, v28);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 4, base[4]) = v30;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        double a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v5 = syn::abs(v3);
            const double v6 = syn::divide(v2, v5);
            const double v8 = syn::subtract(v6, v7);
            const double v9 = syn::minimum(v8, v3);
            const bool v11 = syn::less_equal(v9, v10);
            const double v13 = syn::minimum(v6, v12);
            const double v14 = syn::where(v11, v2, v13);
            const double v15 = syn::row_log(v14);
            const double v17 = syn::where(v11, v3, v16);
            const double v18 = syn::log_but_of_one(v17);
            const double v20 = syn::subtract(v6, v19);
            const double v21 = syn::subtract(v15, v18);
            const double v22 = syn::subtract(v20, v21);
            const double v24 = syn::maximum(v22, v23);
            const double v25 = syn::divide(v4, v3);
            const double v26 = syn::multiply(v4, v25);
            const double v27 = syn::add(v24, v26);
            a28[c] = v27;
        }
        Sum<double>::template take<V>(folds.f28, a28, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2a700b6fd7a5b587, syntonic::Rows_2a700b6fd7a5b587, 5, 2)
SYNTONIC_ROWS_HELD(rows_2a700b6fd7a5b587, syntonic::Rows_2a700b6fd7a5b587, 5, 2, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_2a700b6fd7a5b587_passes, syntonic::Rows_2a700b6fd7a5b587, 5, 2, 1, 1024, 1)
SYNTONIC_ROWS_PASSES(rows_2a700b6fd7a5b587_passes_single, syntonic::Rows_2a700b6fd7a5b587, 5, 1, 2, 1024, 1)

// SYNTONY(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_2e4fba7780bd494a {
    double v3;
    double v4;
    bool v5;
    double v6;
    double v7;
    double v10;
    double v12;
    double v13;
    bool v14;
    double v15;
    double v16;
    double v17;
    RowDivisor<double> d7;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = true;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v6 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v13 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v15 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<double>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = syn::abs(v0);
            a3[c] = v2;
        }
        row_take<Max<double>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Max<double>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Max<double>::finish(room.template get<Max<double>, 0>(a3));
        v5 = syn::greater(v3, v4);
        v7 = syn::where(v5, v3, v6);
        d7.set(v7);
    }
    struct Folds1 {
        typename Sum<double>::Thread f10;
        typename Sum<double>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, true>(1, h1);
        double a10[V];
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::abs(v0);
            const double v8 = d7.near(v2);
            const double v9 = syn::square(v8);
            const double v11 = syn::multiply(v9, v1);
            a10[c] = v9;
            a12[c] = v11;
        }
        row_take<Sum<double>, V>(at, folds.f10, a10, ordinal);
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f10, folds.f12, any);
        v10 = Sum<double>::finish(both.first);
        v12 = Sum<double>::finish(both.second);
        v14 = syn::equal(v10, v13);
        v16 = syn::where(v14, v15, v10);
        v17 = syn::divide(v12, v16);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 2, base[2]) = v17;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = syn::abs(v0);
            a3[c] = v2;
        }
        Max<double>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a10[V];
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::abs(v0);
            const double v8 = d7.near(v2);
            const double v9 = syn::square(v8);
            const double v11 = syn::multiply(v9, v1);
            a10[c] = v9;
            a12[c] = v11;
        }
        Sum<double>::template take<V>(folds.f10, a10, ordinal);
        Sum<double>::template take<V>(folds.f12, a12, ordinal);
    }
    using Settles = double;
    __device__ __forceinline__ void unscaled() {
        v7 = double(1);
        d7.set(v7);
    }
    __device__ __forceinline__ bool settles() const { return RowSettled<double>{v3}.by(v10, v12); }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2e4fba7780bd494a, syntonic::Rows_2e4fba7780bd494a, 3, 2)
SYNTONIC_ROWS_HELD(rows_2e4fba7780bd494a, syntonic::Rows_2e4fba7780bd494a, 3, 2, 8, 640, 1)
SYNTONIC_ROWS_PASSES(rows_2e4fba7780bd494a_passes, syntonic::Rows_2e4fba7780bd494a, 3, 2, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_2e4fba7780bd494a_passes_single, syntonic::Rows_2e4fba7780bd494a, 3, 1, 4, 512, 2)

// MEAN(f64)
namespace syntonic {
template <int V, int R> struct Rows_3e7d8b0e40673f92 {
    double v1;
    double v2;
    double v3;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(int64_t(p.length));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        row_take<Sum<double>, V>(at, folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Sum<double>>(folds.f1, room, any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Sum<double>::finish(room.template get<Sum<double>, 0>(a1));
        v3 = syn::divide(v1, v2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v3;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        Sum<double>::template take<V>(folds.f1, a1, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3e7d8b0e40673f92, syntonic::Rows_3e7d8b0e40673f92, 2, 2)
SYNTONIC_ROWS_HELD(rows_3e7d8b0e40673f92, syntonic::Rows_3e7d8b0e40673f92, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_3e7d8b0e40673f92_passes, syntonic::Rows_3e7d8b0e40673f92, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_3e7d8b0e40673f92_passes_single, syntonic::Rows_3e7d8b0e40673f92, 2, 1, 8, 512, 2)

// NORM_MIN(f64)
namespace syntonic {
template <int V, int R> struct Rows_5cc0ad4e6da08f7b {
    double v2;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Min<double>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Min<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Min<double>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Min<double>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Min<double>::finish(room.template get<Min<double>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v2;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Min<double>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5cc0ad4e6da08f7b, syntonic::Rows_5cc0ad4e6da08f7b, 2, 2)
SYNTONIC_ROWS_HELD(rows_5cc0ad4e6da08f7b, syntonic::Rows_5cc0ad4e6da08f7b, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_5cc0ad4e6da08f7b_passes, syntonic::Rows_5cc0ad4e6da08f7b, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_5cc0ad4e6da08f7b_passes_single, syntonic::Rows_5cc0ad4e6da08f7b, 2, 1, 8, 512, 2)

// VAR(f64)
namespace syntonic {
template <int V, int R> struct Rows_8bd2e403d7d5fd07 {
    double v1;
    double v2;
    double v3;
    double v7;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(int64_t(p.length));
        v8 = syn::cast<double>(p.number[0]);
        v9 = syn::subtract(v2, v8);
        v10 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v11 = syn::maximum(v9, v10);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        row_take<Sum<double>, V>(at, folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Sum<double>>(folds.f1, room, any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Sum<double>::finish(room.template get<Sum<double>, 0>(a1));
        v3 = syn::divide(v1, v2);
    }
    struct Folds1 {
        typename Sum<double>::Thread f7;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v5 = syn::abs(v4);
            const double v6 = syn::square(v5);
            a7[c] = v6;
        }
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<double>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<double>::finish(room.template get<Sum<double>, 0>(a7));
        v12 = syn::divide(v7, v11);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v12;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        Sum<double>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v5 = syn::abs(v4);
            const double v6 = syn::square(v5);
            a7[c] = v6;
        }
        Sum<double>::template take<V>(folds.f7, a7, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8bd2e403d7d5fd07, syntonic::Rows_8bd2e403d7d5fd07, 2, 2)
SYNTONIC_ROWS_HELD(rows_8bd2e403d7d5fd07, syntonic::Rows_8bd2e403d7d5fd07, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_8bd2e403d7d5fd07_passes, syntonic::Rows_8bd2e403d7d5fd07, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_8bd2e403d7d5fd07_passes_single, syntonic::Rows_8bd2e403d7d5fd07, 2, 1, 8, 512, 2)

// NORM_1(f64)
namespace syntonic {
template <int V, int R> struct Rows_92dee05e006aef86 {
    double v2;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Sum<double>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Sum<double>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Sum<double>::finish(room.template get<Sum<double>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v2;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Sum<double>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_92dee05e006aef86, syntonic::Rows_92dee05e006aef86, 2, 2)
SYNTONIC_ROWS_HELD(rows_92dee05e006aef86, syntonic::Rows_92dee05e006aef86, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_92dee05e006aef86_passes, syntonic::Rows_92dee05e006aef86, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_92dee05e006aef86_passes_single, syntonic::Rows_92dee05e006aef86, 2, 1, 8, 512, 2)

// NORM_2(f64)
namespace syntonic {
template <int V, int R> struct Rows_a25096aaa37695b1 {
    double v2;
    double v3;
    bool v4;
    double v5;
    bool v6;
    bool v7;
    double v8;
    double v9;
    double v12;
    double v13;
    bool v14;
    double v15;
    double v16;
    double v17;
    double v18;
    double v19;
    RowDivisor<double> d9;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v5 = syn::bits_as<double>(uint64_t(0x7ff0000000000000ull));
        v8 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v13 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v15 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<double>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Max<double>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<double>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Max<double>::finish(room.template get<Max<double>, 0>(a2));
        v4 = syn::greater(v2, v3);
        v6 = syn::less(v2, v5);
        v7 = syn::logical_and(v4, v6);
        v9 = syn::where(v7, v2, v8);
        d9.set(v9);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            const double v10 = d9.near(v1);
            const double v11 = syn::square(v10);
            a12[c] = v11;
        }
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a12 = row_gathered<Sum<double>>(folds.f12, room, any, position);
        room.template put<0>(a12);
        room.meet();
        v12 = Sum<double>::finish(room.template get<Sum<double>, 0>(a12));
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        v17 = syn::sqrt(v16);
        v18 = syn::where(v14, v12, v17);
        v19 = syn::multiply(v18, v9);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v19;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Max<double>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            const double v10 = d9.near(v1);
            const double v11 = syn::square(v10);
            a12[c] = v11;
        }
        Sum<double>::template take<V>(folds.f12, a12, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a25096aaa37695b1, syntonic::Rows_a25096aaa37695b1, 2, 2)
SYNTONIC_ROWS_HELD(rows_a25096aaa37695b1, syntonic::Rows_a25096aaa37695b1, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_a25096aaa37695b1_passes, syntonic::Rows_a25096aaa37695b1, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_a25096aaa37695b1_passes_single, syntonic::Rows_a25096aaa37695b1, 2, 1, 8, 512, 2)

// EXPECTED_ACCURACY(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_a9144b5c3eb55db7 {
    double v6;
    double v9;
    double v11;
    double v14;
    double v17;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v11 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v14 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v17 = syn::bits_as<double>(uint64_t(0x7ff0000000000000ull));
        v23 = syn::cast<double>(int64_t(p.length));
        v24 = syn::bits_as<double>(uint64_t(0x3ffd67f1c864beb5ull));
        v25 = syn::multiply(v23, v24);
        v27 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
        at.template fetch<double, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f22;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        double a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v5 = syn::multiply(v2, v4);
            const bool v7 = syn::equal(v4, v6);
            const double v8 = syn::multiply(v5, v4);
            const double v10 = syn::where(v7, v9, v8);
            const bool v12 = syn::equal(v3, v11);
            const double v13 = syn::multiply(v2, v3);
            const double v15 = syn::where(v12, v14, v13);
            const double v16 = syn::add(v10, v15);
            const bool v18 = syn::equal(v16, v17);
            const double v19 = syn::row_log(v2);
            const double v20 = syn::subtract(v16, v19);
            const double v21 = syn::where(v18, v16, v20);
            a22[c] = v21;
        }
        row_take<Sum<double>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a22 = row_gathered<Sum<double>>(folds.f22, room, any, position);
        room.template put<0>(a22);
        room.meet();
        v22 = Sum<double>::finish(room.template get<Sum<double>, 0>(a22));
        v26 = syn::add(v22, v25);
        v28 = syn::multiply(v27, v26);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 4, base[4]) = v28;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        double a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v5 = syn::multiply(v2, v4);
            const bool v7 = syn::equal(v4, v6);
            const double v8 = syn::multiply(v5, v4);
            const double v10 = syn::where(v7, v9, v8);
            const bool v12 = syn::equal(v3, v11);
            const double v13 = syn::multiply(v2, v3);
            const double v15 = syn::where(v12, v14, v13);
            const double v16 = syn::add(v10, v15);
            const bool v18 = syn::equal(v16, v17);
            const double v19 = syn::row_log(v2);
            const double v20 = syn::subtract(v16, v19);
            const double v21 = syn::where(v18, v16, v20);
            a22[c] = v21;
        }
        Sum<double>::template take<V>(folds.f22, a22, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a9144b5c3eb55db7, syntonic::Rows_a9144b5c3eb55db7, 5, 2)
SYNTONIC_ROWS_HELD(rows_a9144b5c3eb55db7, syntonic::Rows_a9144b5c3eb55db7, 5, 2, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_a9144b5c3eb55db7_passes, syntonic::Rows_a9144b5c3eb55db7, 5, 2, 1, 1024, 1)
SYNTONIC_ROWS_PASSES(rows_a9144b5c3eb55db7_passes_single, syntonic::Rows_a9144b5c3eb55db7, 5, 1, 2, 1024, 1)

// NORM_P(f64)
namespace syntonic {
template <int V, int R> struct Rows_c288db6ac9919326 {
    double v2;
    double v4;
    double v5;
    double v6;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(p.number[0]);
        v5 = syn::reciprocal(v2);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            const double v3 = syn::pow(v1, v2);
            a4[c] = v3;
        }
        row_take<Sum<double>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<double>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<double>::finish(room.template get<Sum<double>, 0>(a4));
        v6 = syn::pow(v4, v5);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v6;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = syn::abs(v0);
            const double v3 = syn::pow(v1, v2);
            a4[c] = v3;
        }
        Sum<double>::template take<V>(folds.f4, a4, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c288db6ac9919326, syntonic::Rows_c288db6ac9919326, 2, 2)
SYNTONIC_ROWS_HELD(rows_c288db6ac9919326, syntonic::Rows_c288db6ac9919326, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_c288db6ac9919326_passes, syntonic::Rows_c288db6ac9919326, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_c288db6ac9919326_passes_single, syntonic::Rows_c288db6ac9919326, 2, 1, 8, 512, 2)

// STD(f64)
namespace syntonic {
template <int V, int R> struct Rows_cd58fdd1e0a85430 {
    double v1;
    double v2;
    double v3;
    double v7;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v13;
    bool v14;
    double v15;
    double v16;
    double v17;
    double v18;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(int64_t(p.length));
        v8 = syn::cast<double>(p.number[0]);
        v9 = syn::subtract(v2, v8);
        v10 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v11 = syn::maximum(v9, v10);
        v13 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v15 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        row_take<Sum<double>, V>(at, folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Sum<double>>(folds.f1, room, any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Sum<double>::finish(room.template get<Sum<double>, 0>(a1));
        v3 = syn::divide(v1, v2);
    }
    struct Folds1 {
        typename Sum<double>::Thread f7;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v5 = syn::abs(v4);
            const double v6 = syn::square(v5);
            a7[c] = v6;
        }
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<double>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<double>::finish(room.template get<Sum<double>, 0>(a7));
        v12 = syn::divide(v7, v11);
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        v17 = syn::sqrt(v16);
        v18 = syn::where(v14, v12, v17);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 1, base[1]) = v18;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a1[c] = v0;
        }
        Sum<double>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v5 = syn::abs(v4);
            const double v6 = syn::square(v5);
            a7[c] = v6;
        }
        Sum<double>::template take<V>(folds.f7, a7, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_cd58fdd1e0a85430, syntonic::Rows_cd58fdd1e0a85430, 2, 2)
SYNTONIC_ROWS_HELD(rows_cd58fdd1e0a85430, syntonic::Rows_cd58fdd1e0a85430, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_cd58fdd1e0a85430_passes, syntonic::Rows_cd58fdd1e0a85430, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_cd58fdd1e0a85430_passes_single, syntonic::Rows_cd58fdd1e0a85430, 2, 1, 8, 512, 2)

// NORM_0(f64)
namespace syntonic {
template <int V, int R> struct Rows_f19bb615c8bae3e1 {
    double v1;
    int64_t v3;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<bool>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<bool>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        bool a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const bool v2 = syn::not_equal(v0, v1);
            a3[c] = v2;
        }
        row_take<Sum<bool>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<bool>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<bool>::finish(room.template get<Sum<bool>, 0>(a3));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<int64_t>(p, 1, base[1]) = v3;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        bool a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const bool v2 = syn::not_equal(v0, v1);
            a3[c] = v2;
        }
        Sum<bool>::template take<V>(folds.f3, a3, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_f19bb615c8bae3e1, syntonic::Rows_f19bb615c8bae3e1, 2, 2)
SYNTONIC_ROWS_HELD(rows_f19bb615c8bae3e1, syntonic::Rows_f19bb615c8bae3e1, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_f19bb615c8bae3e1_passes, syntonic::Rows_f19bb615c8bae3e1, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_f19bb615c8bae3e1_passes_single, syntonic::Rows_f19bb615c8bae3e1, 2, 1, 8, 512, 2)

// CATEGORICAL_KL_DIVERGENCE(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_f9d744a4d6564e04 {
    double v2;
    double v4;
    double v7;
    double v10;
    double v15;
    double v17;
    double v21;
    double v23;
    double v26;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v4 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v10 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v15 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v17 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v21 = syn::bits_as<double>(uint64_t(0x7ff0000000000000ull));
        v23 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f26;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const bool v3 = syn::greater(v0, v2);
            const bool v5 = syn::greater(v1, v4);
            const bool v6 = syn::logical_and(v3, v5);
            const double v8 = syn::where(v6, v0, v7);
            const double v9 = syn::log_but_of_one(v8);
            const double v11 = syn::where(v6, v1, v10);
            const double v12 = syn::log_but_of_one(v11);
            const double v13 = syn::subtract(v9, v12);
            const double v14 = syn::multiply(v0, v13);
            const bool v16 = syn::equal(v0, v15);
            const bool v18 = syn::greater_equal(v1, v17);
            const bool v19 = syn::logical_and(v16, v18);
            const double v20 = syn::multiply(v0, v1);
            const double v22 = syn::add(v21, v20);
            const double v24 = syn::where(v19, v23, v22);
            const double v25 = syn::where(v6, v14, v24);
            a26[c] = v25;
        }
        row_take<Sum<double>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a26 = row_gathered<Sum<double>>(folds.f26, room, any, position);
        room.template put<0>(a26);
        room.meet();
        v26 = Sum<double>::finish(room.template get<Sum<double>, 0>(a26));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 2, base[2]) = v26;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const bool v3 = syn::greater(v0, v2);
            const bool v5 = syn::greater(v1, v4);
            const bool v6 = syn::logical_and(v3, v5);
            const double v8 = syn::where(v6, v0, v7);
            const double v9 = syn::log_but_of_one(v8);
            const double v11 = syn::where(v6, v1, v10);
            const double v12 = syn::log_but_of_one(v11);
            const double v13 = syn::subtract(v9, v12);
            const double v14 = syn::multiply(v0, v13);
            const bool v16 = syn::equal(v0, v15);
            const bool v18 = syn::greater_equal(v1, v17);
            const bool v19 = syn::logical_and(v16, v18);
            const double v20 = syn::multiply(v0, v1);
            const double v22 = syn::add(v21, v20);
            const double v24 = syn::where(v19, v23, v22);
            const double v25 = syn::where(v6, v14, v24);
            a26[c] = v25;
        }
        Sum<double>::template take<V>(folds.f26, a26, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_f9d744a4d6564e04, syntonic::Rows_f9d744a4d6564e04, 3, 2)
SYNTONIC_ROWS_HELD(rows_f9d744a4d6564e04, syntonic::Rows_f9d744a4d6564e04, 3, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_f9d744a4d6564e04_passes, syntonic::Rows_f9d744a4d6564e04, 3, 2, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_f9d744a4d6564e04_passes_single, syntonic::Rows_f9d744a4d6564e04, 3, 1, 4, 512, 2)

// COUNT_NONZERO(f64)
namespace syntonic {
template <int V, int R> struct Rows_fc030ab82a219f9e {
    int64_t v4;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<bool>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<bool>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const bool v1 = syn::cast<bool>(v0);
            const bool v2 = syn::logical_not(v1);
            const bool v3 = syn::logical_not(v2);
            a4[c] = v3;
        }
        row_take<Sum<bool>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<bool>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<bool>::finish(room.template get<Sum<bool>, 0>(a4));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<int64_t>(p, 1, base[1]) = v4;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const bool v1 = syn::cast<bool>(v0);
            const bool v2 = syn::logical_not(v1);
            const bool v3 = syn::logical_not(v2);
            a4[c] = v3;
        }
        Sum<bool>::template take<V>(folds.f4, a4, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_fc030ab82a219f9e, syntonic::Rows_fc030ab82a219f9e, 2, 2)
SYNTONIC_ROWS_HELD(rows_fc030ab82a219f9e, syntonic::Rows_fc030ab82a219f9e, 2, 2, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_fc030ab82a219f9e_passes, syntonic::Rows_fc030ab82a219f9e, 2, 2, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_fc030ab82a219f9e_passes_single, syntonic::Rows_fc030ab82a219f9e, 2, 1, 8, 512, 2)
