// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"
#include "row_pieces.cuh"

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_00021107422411df {
    double v4;
    double v7;
    double v8;
    double v9;
    double v12;
    double v13;
    double v14;
    double v15;
    double v16;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v33;
    double v34;
    double v35;
    double v36;
    double v38;
    RowVector<double, V> h6[R];
    RowVector<double, V> h18[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(4, 6);
        each.template sum<double>(5, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v8 = syn::cast<double>(int64_t(p.length));
        v14 = syn::cast<double>(p.number[0]);
        v25 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v29 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v38 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f7;
        typename Sum<double>::Thread f33;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k18;
        double a7[V];
        double a33[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            k6.set(c, v6);
            const double v18 = syn::multiply(v3, v2);
            k18.set(c, v18);
            a7[c] = v6;
            a33[c] = v18;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k18, h18);
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
        row_take<Sum<double>, V>(at, folds.f33, a33, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f7, folds.f33, any);
        v7 = Sum<double>::finish(both.first);
        v33 = Sum<double>::finish(both.second);
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
        typename Sum<double>::Thread f22;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k18 = at.template kept<double>(1, h18);
        double a12[V];
        double a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
            const double v11 = syn::square(v10);
            const double v18 = k18.lane(c);
            const double v21 = syn::multiply(v18, v10);
            a12[c] = v11;
            a22[c] = v21;
        }
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<double>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f12, folds.f22, any);
        v12 = Sum<double>::finish(both.first);
        v22 = Sum<double>::finish(both.second);
        v13 = syn::divide(v12, v8);
        v15 = syn::add(v13, v14);
        v16 = syn::rsqrt(v15);
        v23 = syn::multiply(v16, v16);
        v24 = syn::multiply(v16, v23);
        v26 = syn::multiply(v24, v25);
        v27 = syn::multiply(v26, v22);
        v28 = syn::divide(v27, v8);
        v30 = syn::multiply(v29, v28);
        v34 = syn::multiply(v16, v33);
        v35 = syn::negative(v34);
        v36 = syn::divide(v35, v8);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k18 = at.template kept<double>(1, h18);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
        RowVector<double, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
            const double v17 = syn::multiply(v10, v16);
            const double v18 = k18.lane(c);
            const double v19 = syn::multiply(v3, v17);
            const double v20 = syn::multiply(v18, v16);
            const double v31 = syn::multiply(v10, v30);
            const double v32 = syn::add(v20, v31);
            const double v37 = syn::add(v32, v36);
            const double v39 = syn::multiply(v37, v38);
            y0.set(c, v37);
            y1.set(c, v39);
            y2.set(c, v19);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<double>(4, y2);
        at.template gather<double>(5, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_00021107422411df, syntonic::Rows_00021107422411df, 8, 2)
SYNTONIC_ROWS_STREAM(rows_00021107422411df_summed, syntonic::Rows_00021107422411df, 8, 2, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_00021107422411df, syntonic::Rows_00021107422411df, 8, 2, 4)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_041bfd755386d802 {
    double v5;
    double v7;
    double v9;
    double v10;
    double v11;
    double v14;
    double v15;
    double v16;
    double v17;
    double v18;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v31;
    double v32;
    double v35;
    double v36;
    double v37;
    double v38;
    double v40;
    RowVector<double, V> h4[R];
    RowVector<double, V> h8[R];
    RowVector<double, V> h20[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(4, 5);
        each.template sum<double>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v10 = syn::cast<double>(int64_t(p.length));
        v16 = syn::cast<double>(p.number[0]);
        v27 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v31 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v40 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f9;
        typename Sum<double>::Thread f35;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k4;
        RowVector<double, V> k8;
        RowVector<double, V> k20;
        double a9[V];
        double a35[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            k4.set(c, v4);
            const bool v6 = syn::less_equal(v4, v5);
            const double v8 = syn::where(v6, v7, v4);
            k8.set(c, v8);
            const double v20 = syn::multiply(v3, v2);
            k20.set(c, v20);
            a9[c] = v8;
            a35[c] = v20;
        }
        at.template keep<double>(0, k4, h4);
        at.template keep<double>(1, k8, h8);
        at.template keep<double>(2, k20, h20);
        row_take<Sum<double>, V>(at, folds.f9, a9, ordinal);
        row_take<Sum<double>, V>(at, folds.f35, a35, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f9, folds.f35, any);
        v9 = Sum<double>::finish(both.first);
        v35 = Sum<double>::finish(both.second);
        v11 = syn::divide(v9, v10);
    }
    struct Folds1 {
        typename Sum<double>::Thread f14;
        typename Sum<double>::Thread f24;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k20 = at.template kept<double>(2, h20);
        double a14[V];
        double a24[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v8 = k8.lane(c);
            const double v12 = syn::subtract(v8, v11);
            const double v13 = syn::square(v12);
            const double v20 = k20.lane(c);
            const double v23 = syn::multiply(v20, v12);
            a14[c] = v13;
            a24[c] = v23;
        }
        row_take<Sum<double>, V>(at, folds.f14, a14, ordinal);
        row_take<Sum<double>, V>(at, folds.f24, a24, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f14, folds.f24, any);
        v14 = Sum<double>::finish(both.first);
        v24 = Sum<double>::finish(both.second);
        v15 = syn::divide(v14, v10);
        v17 = syn::add(v15, v16);
        v18 = syn::rsqrt(v17);
        v25 = syn::multiply(v18, v18);
        v26 = syn::multiply(v18, v25);
        v28 = syn::multiply(v26, v27);
        v29 = syn::multiply(v28, v24);
        v30 = syn::divide(v29, v10);
        v32 = syn::multiply(v31, v30);
        v36 = syn::multiply(v18, v35);
        v37 = syn::negative(v36);
        v38 = syn::divide(v37, v10);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k20 = at.template kept<double>(2, h20);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = x3.lane(c);
            const double v4 = k4.lane(c);
            const bool v6 = syn::less_equal(v4, v5);
            const double v8 = k8.lane(c);
            const double v12 = syn::subtract(v8, v11);
            const double v19 = syn::multiply(v12, v18);
            const double v20 = k20.lane(c);
            const double v21 = syn::multiply(v3, v19);
            const double v22 = syn::multiply(v20, v18);
            const double v33 = syn::multiply(v12, v32);
            const double v34 = syn::add(v22, v33);
            const double v39 = syn::add(v34, v38);
            const double v41 = syn::where(v6, v40, v39);
            y0.set(c, v41);
            y1.set(c, v21);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(4, y1);
        at.template gather<double>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_041bfd755386d802, syntonic::Rows_041bfd755386d802, 7, 2)
SYNTONIC_ROWS_STREAM(rows_041bfd755386d802_summed, syntonic::Rows_041bfd755386d802, 7, 2, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_041bfd755386d802, syntonic::Rows_041bfd755386d802, 7, 2, 4)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_0668d5f8faafd33c {
    double v5;
    double v7;
    double v9;
    double v11;
    double v12;
    double v13;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v31;
    double v32;
    double v33;
    double v34;
    double v37;
    double v38;
    double v39;
    double v40;
    double v42;
    double v44;
    RowVector<double, V> h6[R];
    RowVector<double, V> h10[R];
    RowVector<double, V> h22[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(4, 5);
        each.template sum<double>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::cast<double>(int64_t(p.length));
        v18 = syn::cast<double>(p.number[0]);
        v29 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v33 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v42 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v44 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f11;
        typename Sum<double>::Thread f37;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k10;
        RowVector<double, V> k22;
        double a11[V];
        double a37[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            const bool v8 = syn::less_equal(v6, v7);
            const double v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            const double v22 = syn::multiply(v3, v2);
            k22.set(c, v22);
            a11[c] = v10;
            a37[c] = v22;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k10, h10);
        at.template keep<double>(2, k22, h22);
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<double>, V>(at, folds.f37, a37, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f11, folds.f37, any);
        v11 = Sum<double>::finish(both.first);
        v37 = Sum<double>::finish(both.second);
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<double>::Thread f16;
        typename Sum<double>::Thread f26;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k10 = at.template kept<double>(1, h10);
        const RowVector<double, V> k22 = at.template kept<double>(2, h22);
        double a16[V];
        double a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v15 = syn::square(v14);
            const double v22 = k22.lane(c);
            const double v25 = syn::multiply(v22, v14);
            a16[c] = v15;
            a26[c] = v25;
        }
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<double>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f16, folds.f26, any);
        v16 = Sum<double>::finish(both.first);
        v26 = Sum<double>::finish(both.second);
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
        v27 = syn::multiply(v20, v20);
        v28 = syn::multiply(v20, v27);
        v30 = syn::multiply(v28, v29);
        v31 = syn::multiply(v30, v26);
        v32 = syn::divide(v31, v12);
        v34 = syn::multiply(v33, v32);
        v38 = syn::multiply(v20, v37);
        v39 = syn::negative(v38);
        v40 = syn::divide(v39, v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k10 = at.template kept<double>(1, h10);
        const RowVector<double, V> k22 = at.template kept<double>(2, h22);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const bool v8 = syn::less_equal(v6, v7);
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v21 = syn::multiply(v14, v20);
            const double v22 = k22.lane(c);
            const double v23 = syn::multiply(v3, v21);
            const double v24 = syn::multiply(v22, v20);
            const double v35 = syn::multiply(v14, v34);
            const double v36 = syn::add(v24, v35);
            const double v41 = syn::add(v36, v40);
            const double v43 = syn::where(v8, v42, v41);
            const double v45 = syn::multiply(v43, v44);
            y0.set(c, v45);
            y1.set(c, v23);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(4, y1);
        at.template gather<double>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_0668d5f8faafd33c, syntonic::Rows_0668d5f8faafd33c, 7, 2)
SYNTONIC_ROWS_STREAM(rows_0668d5f8faafd33c_summed, syntonic::Rows_0668d5f8faafd33c, 7, 2, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_0668d5f8faafd33c, syntonic::Rows_0668d5f8faafd33c, 7, 2, 4)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_0e345f8608a5194b {
    double v5;
    double v7;
    double v11;
    double v12;
    double v13;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v31;
    double v32;
    double v33;
    double v34;
    double v37;
    double v38;
    double v39;
    double v40;
    double v48;
    double v50;
    RowVector<double, V> h6[R];
    RowVector<double, V> h8[R];
    RowVector<double, V> h9[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(5, 5);
        each.template sum<double>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0xbfe6a09e667f3bcdull));
        v12 = syn::cast<double>(int64_t(p.length));
        v18 = syn::cast<double>(p.number[0]);
        v29 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v33 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v48 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v50 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f11;
        typename Sum<double>::Thread f37;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k8;
        RowVector<double, V> k9;
        double a11[V];
        double a37[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v5, v4);
            k6.set(c, v6);
            const double v8 = syn::multiply(v4, v7);
            k8.set(c, v8);
            const double v9 = syn::erfc(v8);
            k9.set(c, v9);
            const double v10 = syn::multiply(v6, v9);
            const double v22 = syn::multiply(v3, v2);
            a11[c] = v10;
            a37[c] = v22;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k8, h8);
        at.template keep<double>(4, k9, h9);
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<double>, V>(at, folds.f37, a37, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f11, folds.f37, any);
        v11 = Sum<double>::finish(both.first);
        v37 = Sum<double>::finish(both.second);
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<double>::Thread f16;
        typename Sum<double>::Thread f26;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k9 = at.template kept<double>(4, h9);
        double a16[V];
        double a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v9 = k9.lane(c);
            const double v10 = syn::multiply(v6, v9);
            const double v14 = syn::subtract(v10, v13);
            const double v15 = syn::square(v14);
            const double v22 = syn::multiply(v3, v2);
            const double v25 = syn::multiply(v22, v14);
            a16[c] = v15;
            a26[c] = v25;
        }
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<double>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f16, folds.f26, any);
        v16 = Sum<double>::finish(both.first);
        v26 = Sum<double>::finish(both.second);
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
        v27 = syn::multiply(v20, v20);
        v28 = syn::multiply(v20, v27);
        v30 = syn::multiply(v28, v29);
        v31 = syn::multiply(v30, v26);
        v32 = syn::divide(v31, v12);
        v34 = syn::multiply(v33, v32);
        v38 = syn::multiply(v20, v37);
        v39 = syn::negative(v38);
        v40 = syn::divide(v39, v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k9 = at.template kept<double>(4, h9);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v8 = k8.lane(c);
            const double v9 = k9.lane(c);
            const double v10 = syn::multiply(v6, v9);
            const double v14 = syn::subtract(v10, v13);
            const double v21 = syn::multiply(v14, v20);
            const double v22 = syn::multiply(v3, v2);
            const double v23 = syn::multiply(v3, v21);
            const double v24 = syn::multiply(v22, v20);
            const double v35 = syn::multiply(v14, v34);
            const double v36 = syn::add(v24, v35);
            const double v41 = syn::add(v36, v40);
            const double v42 = syn::multiply(v41, v9);
            const double v43 = syn::multiply(v41, v6);
            const double v44 = syn::square(v8);
            const double v45 = syn::negative(v44);
            const double v46 = syn::exp(v45);
            const double v47 = syn::multiply(v43, v46);
            const double v49 = syn::multiply(v47, v48);
            const double v51 = syn::multiply(v42, v50);
            const double v52 = syn::add(v49, v51);
            y0.set(c, v52);
            y1.set(c, v23);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(5, y1);
        at.template gather<double>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_0e345f8608a5194b, syntonic::Rows_0e345f8608a5194b, 7, 2)
SYNTONIC_ROWS_STREAM(rows_0e345f8608a5194b_summed, syntonic::Rows_0e345f8608a5194b, 7, 2, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_1ce439357bdd3e33 {
    double v5;
    double v6;
    double v7;
    double v10;
    double v11;
    double v12;
    double v13;
    double v14;
    double v20;
    double v21;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    double v31;
    double v32;
    double v33;
    double v34;
    RowVector<double, V> h4[R];
    RowVector<double, V> h16[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(4, 5);
        each.template sum<double>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::cast<double>(int64_t(p.length));
        v12 = syn::cast<double>(p.number[0]);
        v23 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v27 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f5;
        typename Sum<double>::Thread f31;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k4;
        RowVector<double, V> k16;
        double a5[V];
        double a31[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            k4.set(c, v4);
            const double v16 = syn::multiply(v3, v2);
            k16.set(c, v16);
            a5[c] = v4;
            a31[c] = v16;
        }
        at.template keep<double>(0, k4, h4);
        at.template keep<double>(1, k16, h16);
        row_take<Sum<double>, V>(at, folds.f5, a5, ordinal);
        row_take<Sum<double>, V>(at, folds.f31, a31, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f5, folds.f31, any);
        v5 = Sum<double>::finish(both.first);
        v31 = Sum<double>::finish(both.second);
        v7 = syn::divide(v5, v6);
    }
    struct Folds1 {
        typename Sum<double>::Thread f10;
        typename Sum<double>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        const RowVector<double, V> k16 = at.template kept<double>(1, h16);
        double a10[V];
        double a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v4 = k4.lane(c);
            const double v8 = syn::subtract(v4, v7);
            const double v9 = syn::square(v8);
            const double v16 = k16.lane(c);
            const double v19 = syn::multiply(v16, v8);
            a10[c] = v9;
            a20[c] = v19;
        }
        row_take<Sum<double>, V>(at, folds.f10, a10, ordinal);
        row_take<Sum<double>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f10, folds.f20, any);
        v10 = Sum<double>::finish(both.first);
        v20 = Sum<double>::finish(both.second);
        v11 = syn::divide(v10, v6);
        v13 = syn::add(v11, v12);
        v14 = syn::rsqrt(v13);
        v21 = syn::multiply(v14, v14);
        v22 = syn::multiply(v14, v21);
        v24 = syn::multiply(v22, v23);
        v25 = syn::multiply(v24, v20);
        v26 = syn::divide(v25, v6);
        v28 = syn::multiply(v27, v26);
        v32 = syn::multiply(v14, v31);
        v33 = syn::negative(v32);
        v34 = syn::divide(v33, v6);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        const RowVector<double, V> k16 = at.template kept<double>(1, h16);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = x3.lane(c);
            const double v4 = k4.lane(c);
            const double v8 = syn::subtract(v4, v7);
            const double v15 = syn::multiply(v8, v14);
            const double v16 = k16.lane(c);
            const double v17 = syn::multiply(v3, v15);
            const double v18 = syn::multiply(v16, v14);
            const double v29 = syn::multiply(v8, v28);
            const double v30 = syn::add(v18, v29);
            const double v35 = syn::add(v30, v34);
            y0.set(c, v35);
            y1.set(c, v17);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(4, y1);
        at.template gather<double>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_1ce439357bdd3e33, syntonic::Rows_1ce439357bdd3e33, 7, 2)
SYNTONIC_ROWS_STREAM(rows_1ce439357bdd3e33_summed, syntonic::Rows_1ce439357bdd3e33, 7, 2, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_1ce439357bdd3e33, syntonic::Rows_1ce439357bdd3e33, 7, 2, 4)

// BATCH_NORM_backward(f64, f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_2704876159c77fee {
    double v1;
    double v2;
    double v3;
    double v6;
    double v7;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v15;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v21;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v30;
    double v31;
    double v32;
    RowVector<double, V> h0[R];
    RowVector<double, V> h4[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const double>(p, 1, base[1]);
        v2 = *row_address<const double>(p, 2, base[2]);
        v3 = *row_address<const double>(p, 3, base[3]);
        v6 = syn::cast<double>(p.number[1]);
        v7 = syn::add(v3, v6);
        v8 = syn::rsqrt(v7);
        v9 = syn::cast<double>(p.number[0]);
        v10 = syn::multiply(v8, v9);
        v11 = syn::multiply(v10, v1);
        v19 = syn::multiply(v8, v8);
        v20 = syn::multiply(v8, v19);
        v21 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v22 = syn::multiply(v20, v21);
        v24 = syn::cast<double>(int64_t(p.length));
        v26 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(4);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(4, h4);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f12;
        typename Sum<double>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x4 = at.template read<double, false, false>(4, h4);
        double a12[V];
        double a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = x4.lane(c);
            const double v5 = syn::subtract(v0, v2);
            const double v14 = syn::multiply(v4, v5);
            a12[c] = v4;
            a15[c] = v14;
        }
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<double>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f12, folds.f15, any);
        v12 = Sum<double>::finish(both.first);
        v15 = Sum<double>::finish(both.second);
        v16 = syn::multiply(v1, v15);
        v17 = syn::multiply(v10, v15);
        v18 = syn::multiply(v9, v16);
        v23 = syn::multiply(v22, v18);
        v25 = syn::divide(v23, v24);
        v27 = syn::multiply(v26, v25);
        v30 = syn::multiply(v11, v12);
        v31 = syn::negative(v30);
        v32 = syn::divide(v31, v24);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x4 = at.template read<double, false, false>(4, h4);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = x4.lane(c);
            const double v5 = syn::subtract(v0, v2);
            const double v13 = syn::multiply(v4, v11);
            const double v28 = syn::multiply(v5, v27);
            const double v29 = syn::add(v13, v28);
            const double v33 = syn::add(v29, v32);
            y0.set(c, v33);
        }
        at.write(5, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 6, base[6]) = v17;
        *row_address<double>(p, 7, base[7]) = v12;
    }
    struct Measures {
        struct Acc {
            typename Joined<Sum<double>>::Acc m12;
            typename Joined<Sum<double>>::Acc m15;
        };
        struct Near {
            typename Joined<Sum<double>>::Near m12;
            typename Joined<Sum<double>>::Near m15;
        };
        struct Told {
            typename Joined<Sum<double>>::Told m12;
            typename Joined<Sum<double>>::Told m15;
        };
        struct Values {
            double m12[R * V];
            double m15[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Joined<Sum<double>>::none(), Joined<Sum<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Sum<double>>::take(a.m12, b.m12); Joined<Sum<double>>::take(a.m15, b.m15); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Sum<double>>::template over_lanes<FROM>(a.m12, apart), Joined<Sum<double>>::template over_lanes<FROM>(a.m15, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Sum<double>>::tell(a.m12), Joined<Sum<double>>::tell(a.m15)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Sum<double>>::heard(a.m12, count), Joined<Sum<double>>::heard(a.m15, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Sum<double>::template take<N * V>(all.m12, x.m12, 0);
            Sum<double>::template take<N * V>(all.m15, x.m15, 0);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x4 = at.template read<double, false, false>(4, h4);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = x4.lane(c);
            const double v5 = syn::subtract(v0, v2);
            const double v14 = syn::multiply(v4, v5);
            x.m12[at.k * V + c] = v4;
            x.m15[at.k * V + c] = v14;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v12 = Sum<double>::finish(all.m12);
        v15 = Sum<double>::finish(all.m15);
        v16 = syn::multiply(v1, v15);
        v17 = syn::multiply(v10, v15);
        v18 = syn::multiply(v9, v16);
        v23 = syn::multiply(v22, v18);
        v25 = syn::divide(v23, v24);
        v27 = syn::multiply(v26, v25);
        v30 = syn::multiply(v11, v12);
        v31 = syn::negative(v30);
        v32 = syn::divide(v31, v24);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2)
SYNTONIC_ROWS_HELD(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2, 4, 2)
SYNTONIC_ROW_RING(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2, 4)
SYNTONIC_ROW_CLUSTER(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2, 4)
SYNTONIC_ROW_COLUMN_RING(rows_2704876159c77fee, syntonic::Rows_2704876159c77fee, 8, 2, 4)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_2840b4215464c57d {
    double v4;
    double v7;
    double v9;
    double v13;
    double v14;
    double v15;
    double v18;
    double v19;
    double v20;
    double v21;
    double v22;
    double v28;
    double v29;
    double v30;
    double v31;
    double v32;
    double v33;
    double v34;
    double v35;
    double v36;
    double v39;
    double v40;
    double v41;
    double v42;
    double v50;
    double v52;
    double v55;
    RowVector<double, V> h8[R];
    RowVector<double, V> h10[R];
    RowVector<double, V> h11[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(5, 6);
        each.template sum<double>(6, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0xbfe6a09e667f3bcdull));
        v14 = syn::cast<double>(int64_t(p.length));
        v20 = syn::cast<double>(p.number[0]);
        v31 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v35 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v50 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v52 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v55 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f13;
        typename Sum<double>::Thread f39;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k8;
        RowVector<double, V> k10;
        RowVector<double, V> k11;
        double a13[V];
        double a39[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            const double v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const double v10 = syn::multiply(v6, v9);
            k10.set(c, v10);
            const double v11 = syn::erfc(v10);
            k11.set(c, v11);
            const double v12 = syn::multiply(v8, v11);
            const double v24 = syn::multiply(v3, v2);
            a13[c] = v12;
            a39[c] = v24;
        }
        at.template keep<double>(0, k8, h8);
        at.template keep<double>(1, k10, h10);
        at.template keep<double>(4, k11, h11);
        row_take<Sum<double>, V>(at, folds.f13, a13, ordinal);
        row_take<Sum<double>, V>(at, folds.f39, a39, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f13, folds.f39, any);
        v13 = Sum<double>::finish(both.first);
        v39 = Sum<double>::finish(both.second);
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<double>::Thread f18;
        typename Sum<double>::Thread f28;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        const RowVector<double, V> k11 = at.template kept<double>(4, h11);
        double a18[V];
        double a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v11 = k11.lane(c);
            const double v12 = syn::multiply(v8, v11);
            const double v16 = syn::subtract(v12, v15);
            const double v17 = syn::square(v16);
            const double v24 = syn::multiply(v3, v2);
            const double v27 = syn::multiply(v24, v16);
            a18[c] = v17;
            a28[c] = v27;
        }
        row_take<Sum<double>, V>(at, folds.f18, a18, ordinal);
        row_take<Sum<double>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f18, folds.f28, any);
        v18 = Sum<double>::finish(both.first);
        v28 = Sum<double>::finish(both.second);
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
        v29 = syn::multiply(v22, v22);
        v30 = syn::multiply(v22, v29);
        v32 = syn::multiply(v30, v31);
        v33 = syn::multiply(v32, v28);
        v34 = syn::divide(v33, v14);
        v36 = syn::multiply(v35, v34);
        v40 = syn::multiply(v22, v39);
        v41 = syn::negative(v40);
        v42 = syn::divide(v41, v14);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        const RowVector<double, V> k10 = at.template kept<double>(1, h10);
        const RowVector<double, V> k11 = at.template kept<double>(4, h11);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
        RowVector<double, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v10 = k10.lane(c);
            const double v11 = k11.lane(c);
            const double v12 = syn::multiply(v8, v11);
            const double v16 = syn::subtract(v12, v15);
            const double v23 = syn::multiply(v16, v22);
            const double v24 = syn::multiply(v3, v2);
            const double v25 = syn::multiply(v3, v23);
            const double v26 = syn::multiply(v24, v22);
            const double v37 = syn::multiply(v16, v36);
            const double v38 = syn::add(v26, v37);
            const double v43 = syn::add(v38, v42);
            const double v44 = syn::multiply(v43, v11);
            const double v45 = syn::multiply(v43, v8);
            const double v46 = syn::square(v10);
            const double v47 = syn::negative(v46);
            const double v48 = syn::exp(v47);
            const double v49 = syn::multiply(v45, v48);
            const double v51 = syn::multiply(v49, v50);
            const double v53 = syn::multiply(v44, v52);
            const double v54 = syn::add(v51, v53);
            const double v56 = syn::multiply(v54, v55);
            y0.set(c, v54);
            y1.set(c, v56);
            y2.set(c, v25);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<double>(5, y2);
        at.template gather<double>(6, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2840b4215464c57d, syntonic::Rows_2840b4215464c57d, 8, 2)
SYNTONIC_ROWS_STREAM(rows_2840b4215464c57d_summed, syntonic::Rows_2840b4215464c57d, 8, 2, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_3a2df9cfaab29ce4 {
    double v5;
    double v7;
    double v8;
    double v9;
    double v12;
    double v13;
    double v14;
    double v15;
    double v16;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v33;
    double v34;
    double v35;
    double v36;
    double v38;
    RowVector<double, V> h6[R];
    RowVector<double, V> h18[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(4, 5);
        each.template sum<double>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v8 = syn::cast<double>(int64_t(p.length));
        v14 = syn::cast<double>(p.number[0]);
        v25 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v29 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v38 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f7;
        typename Sum<double>::Thread f33;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k18;
        double a7[V];
        double a33[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            const double v18 = syn::multiply(v3, v2);
            k18.set(c, v18);
            a7[c] = v6;
            a33[c] = v18;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k18, h18);
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
        row_take<Sum<double>, V>(at, folds.f33, a33, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f7, folds.f33, any);
        v7 = Sum<double>::finish(both.first);
        v33 = Sum<double>::finish(both.second);
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
        typename Sum<double>::Thread f22;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k18 = at.template kept<double>(1, h18);
        double a12[V];
        double a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
            const double v11 = syn::square(v10);
            const double v18 = k18.lane(c);
            const double v21 = syn::multiply(v18, v10);
            a12[c] = v11;
            a22[c] = v21;
        }
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<double>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f12, folds.f22, any);
        v12 = Sum<double>::finish(both.first);
        v22 = Sum<double>::finish(both.second);
        v13 = syn::divide(v12, v8);
        v15 = syn::add(v13, v14);
        v16 = syn::rsqrt(v15);
        v23 = syn::multiply(v16, v16);
        v24 = syn::multiply(v16, v23);
        v26 = syn::multiply(v24, v25);
        v27 = syn::multiply(v26, v22);
        v28 = syn::divide(v27, v8);
        v30 = syn::multiply(v29, v28);
        v34 = syn::multiply(v16, v33);
        v35 = syn::negative(v34);
        v36 = syn::divide(v35, v8);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k18 = at.template kept<double>(1, h18);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
            const double v17 = syn::multiply(v10, v16);
            const double v18 = k18.lane(c);
            const double v19 = syn::multiply(v3, v17);
            const double v20 = syn::multiply(v18, v16);
            const double v31 = syn::multiply(v10, v30);
            const double v32 = syn::add(v20, v31);
            const double v37 = syn::add(v32, v36);
            const double v39 = syn::multiply(v37, v38);
            y0.set(c, v39);
            y1.set(c, v19);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(4, y1);
        at.template gather<double>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3a2df9cfaab29ce4, syntonic::Rows_3a2df9cfaab29ce4, 7, 2)
SYNTONIC_ROWS_STREAM(rows_3a2df9cfaab29ce4_summed, syntonic::Rows_3a2df9cfaab29ce4, 7, 2, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_3a2df9cfaab29ce4, syntonic::Rows_3a2df9cfaab29ce4, 7, 2, 4)

// SOFTMAX_backward(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_4b268d09f5866d10 {
    double v3;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
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
        typename Sum<double>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::multiply(v1, v0);
            a3[c] = v2;
        }
        row_take<Sum<double>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<double>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<double>::finish(room.template get<Sum<double>, 0>(a3));
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::subtract(v1, v3);
            const double v5 = syn::multiply(v0, v4);
            y0.set(c, v5);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Sum<double>>::Acc m3;
        };
        struct Near {
            typename Joined<Sum<double>>::Near m3;
        };
        struct Told {
            typename Joined<Sum<double>>::Told m3;
        };
        struct Values {
            double m3[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Joined<Sum<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Sum<double>>::take(a.m3, b.m3); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Sum<double>>::template over_lanes<FROM>(a.m3, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Sum<double>>::tell(a.m3)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Sum<double>>::heard(a.m3, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Sum<double>::template take<N * V>(all.m3, x.m3, 0);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::multiply(v1, v0);
            x.m3[at.k * V + c] = v2;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v3 = Sum<double>::finish(all.m3);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2)
SYNTONIC_ROWS_HELD(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2, 4, 3)
SYNTONIC_ROW_RING(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2, 4)
SYNTONIC_ROW_CLUSTER(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2, 4)
SYNTONIC_ROW_COLUMN_RING(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 2, 4)
SYNTONIC_ROWS_STREAM(rows_4b268d09f5866d10_pair, syntonic::Rows_4b268d09f5866d10, 3, 2, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_4b268d09f5866d10, syntonic::Rows_4b268d09f5866d10, 3, 8)

// LAYER_NORM_backward(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_59517289e494cb45 {
    double v3;
    double v4;
    double v5;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v13;
    double v14;
    double v20;
    double v21;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v32;
    double v33;
    double v34;
    double v35;
    RowVector<double, V> h16[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(3, 4);
        each.template sum<double>(4, 5);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::cast<double>(int64_t(p.length));
        v10 = syn::cast<double>(p.number[1]);
        v13 = syn::cast<double>(p.number[0]);
        v24 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v28 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f3;
        typename Sum<double>::Thread f32;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        RowVector<double, V> k16;
        double a3[V];
        double a32[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v16 = syn::multiply(v2, v1);
            k16.set(c, v16);
            a3[c] = v0;
            a32[c] = v16;
        }
        at.template keep<double>(1, k16, h16);
        row_take<Sum<double>, V>(at, folds.f3, a3, ordinal);
        row_take<Sum<double>, V>(at, folds.f32, a32, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f3, folds.f32, any);
        v3 = Sum<double>::finish(both.first);
        v32 = Sum<double>::finish(both.second);
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<double>::Thread f8;
        typename Sum<double>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> k16 = at.template kept<double>(1, h16);
        double a8[V];
        double a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::square(v6);
            const double v16 = k16.lane(c);
            const double v19 = syn::multiply(v16, v6);
            a8[c] = v7;
            a20[c] = v19;
        }
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
        row_take<Sum<double>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f8, folds.f20, any);
        v8 = Sum<double>::finish(both.first);
        v20 = Sum<double>::finish(both.second);
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
        v21 = syn::multiply(v13, v20);
        v22 = syn::multiply(v12, v12);
        v23 = syn::multiply(v12, v22);
        v25 = syn::multiply(v23, v24);
        v26 = syn::multiply(v25, v21);
        v27 = syn::divide(v26, v4);
        v29 = syn::multiply(v28, v27);
        v33 = syn::multiply(v14, v32);
        v34 = syn::negative(v33);
        v35 = syn::divide(v34, v4);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> k16 = at.template kept<double>(1, h16);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = x2.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v15 = syn::multiply(v6, v14);
            const double v16 = k16.lane(c);
            const double v17 = syn::multiply(v2, v15);
            const double v18 = syn::multiply(v16, v14);
            const double v30 = syn::multiply(v6, v29);
            const double v31 = syn::add(v18, v30);
            const double v36 = syn::add(v31, v35);
            y0.set(c, v36);
            y1.set(c, v17);
            y2.set(c, v2);
        }
        at.write(3, y0);
        at.template gather<double>(3, y1);
        at.template gather<double>(4, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 3;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_59517289e494cb45, syntonic::Rows_59517289e494cb45, 6, 2)
SYNTONIC_ROWS_STREAM(rows_59517289e494cb45_summed, syntonic::Rows_59517289e494cb45, 6, 2, 2, 512, 1, 0, HELD, PASSES)

// BATCH_NORM_PLAIN_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_7051cc2cfc401cfa {
    double v1;
    double v2;
    double v5;
    double v6;
    double v7;
    double v8;
    double v9;
    double v12;
    double v13;
    double v14;
    double v15;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v21;
    double v22;
    double v25;
    double v26;
    double v27;
    double v28;
    RowVector<double, V> h0[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const double>(p, 1, base[1]);
        v2 = *row_address<const double>(p, 2, base[2]);
        v5 = syn::cast<double>(p.number[1]);
        v6 = syn::add(v2, v5);
        v7 = syn::rsqrt(v6);
        v8 = syn::cast<double>(p.number[0]);
        v9 = syn::multiply(v7, v8);
        v14 = syn::multiply(v7, v7);
        v15 = syn::multiply(v7, v14);
        v16 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v17 = syn::multiply(v15, v16);
        v19 = syn::cast<double>(int64_t(p.length));
        v21 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f12;
        typename Sum<double>::Thread f25;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        double a12[V];
        double a25[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v11 = syn::multiply(v3, v4);
            a12[c] = v11;
            a25[c] = v3;
        }
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<double>, V>(at, folds.f25, a25, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f12, folds.f25, any);
        v12 = Sum<double>::finish(both.first);
        v25 = Sum<double>::finish(both.second);
        v13 = syn::multiply(v8, v12);
        v18 = syn::multiply(v17, v13);
        v20 = syn::divide(v18, v19);
        v22 = syn::multiply(v21, v20);
        v26 = syn::multiply(v9, v25);
        v27 = syn::negative(v26);
        v28 = syn::divide(v27, v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v10 = syn::multiply(v3, v9);
            const double v23 = syn::multiply(v4, v22);
            const double v24 = syn::add(v10, v23);
            const double v29 = syn::add(v24, v28);
            y0.set(c, v29);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Sum<double>>::Acc m12;
            typename Joined<Sum<double>>::Acc m25;
        };
        struct Near {
            typename Joined<Sum<double>>::Near m12;
            typename Joined<Sum<double>>::Near m25;
        };
        struct Told {
            typename Joined<Sum<double>>::Told m12;
            typename Joined<Sum<double>>::Told m25;
        };
        struct Values {
            double m12[R * V];
            double m25[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Joined<Sum<double>>::none(), Joined<Sum<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Sum<double>>::take(a.m12, b.m12); Joined<Sum<double>>::take(a.m25, b.m25); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Sum<double>>::template over_lanes<FROM>(a.m12, apart), Joined<Sum<double>>::template over_lanes<FROM>(a.m25, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Sum<double>>::tell(a.m12), Joined<Sum<double>>::tell(a.m25)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Sum<double>>::heard(a.m12, count), Joined<Sum<double>>::heard(a.m25, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Sum<double>::template take<N * V>(all.m12, x.m12, 0);
            Sum<double>::template take<N * V>(all.m25, x.m25, 0);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::subtract(v0, v1);
            const double v11 = syn::multiply(v3, v4);
            x.m12[at.k * V + c] = v11;
            x.m25[at.k * V + c] = v3;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v12 = Sum<double>::finish(all.m12);
        v25 = Sum<double>::finish(all.m25);
        v13 = syn::multiply(v8, v12);
        v18 = syn::multiply(v17, v13);
        v20 = syn::divide(v18, v19);
        v22 = syn::multiply(v21, v20);
        v26 = syn::multiply(v9, v25);
        v27 = syn::negative(v26);
        v28 = syn::divide(v27, v19);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2)
SYNTONIC_ROWS_HELD(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2, 4, 3)
SYNTONIC_ROW_RING(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2, 4)
SYNTONIC_ROW_CLUSTER(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2, 4)
SYNTONIC_ROW_COLUMN_RING(rows_7051cc2cfc401cfa, syntonic::Rows_7051cc2cfc401cfa, 5, 2, 4)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_75083633a6860cbf {
    double v5;
    double v7;
    double v9;
    double v13;
    double v14;
    double v15;
    double v18;
    double v19;
    double v20;
    double v21;
    double v22;
    double v28;
    double v29;
    double v30;
    double v31;
    double v32;
    double v33;
    double v34;
    double v35;
    double v36;
    double v39;
    double v40;
    double v41;
    double v42;
    double v50;
    double v52;
    double v55;
    RowVector<double, V> h8[R];
    RowVector<double, V> h10[R];
    RowVector<double, V> h11[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(5, 5);
        each.template sum<double>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0xbfe6a09e667f3bcdull));
        v14 = syn::cast<double>(int64_t(p.length));
        v20 = syn::cast<double>(p.number[0]);
        v31 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v35 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v50 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v52 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v55 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f13;
        typename Sum<double>::Thread f39;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k8;
        RowVector<double, V> k10;
        RowVector<double, V> k11;
        double a13[V];
        double a39[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            const double v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const double v10 = syn::multiply(v6, v9);
            k10.set(c, v10);
            const double v11 = syn::erfc(v10);
            k11.set(c, v11);
            const double v12 = syn::multiply(v8, v11);
            const double v24 = syn::multiply(v3, v2);
            a13[c] = v12;
            a39[c] = v24;
        }
        at.template keep<double>(0, k8, h8);
        at.template keep<double>(1, k10, h10);
        at.template keep<double>(4, k11, h11);
        row_take<Sum<double>, V>(at, folds.f13, a13, ordinal);
        row_take<Sum<double>, V>(at, folds.f39, a39, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f13, folds.f39, any);
        v13 = Sum<double>::finish(both.first);
        v39 = Sum<double>::finish(both.second);
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<double>::Thread f18;
        typename Sum<double>::Thread f28;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        const RowVector<double, V> k11 = at.template kept<double>(4, h11);
        double a18[V];
        double a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v11 = k11.lane(c);
            const double v12 = syn::multiply(v8, v11);
            const double v16 = syn::subtract(v12, v15);
            const double v17 = syn::square(v16);
            const double v24 = syn::multiply(v3, v2);
            const double v27 = syn::multiply(v24, v16);
            a18[c] = v17;
            a28[c] = v27;
        }
        row_take<Sum<double>, V>(at, folds.f18, a18, ordinal);
        row_take<Sum<double>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f18, folds.f28, any);
        v18 = Sum<double>::finish(both.first);
        v28 = Sum<double>::finish(both.second);
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
        v29 = syn::multiply(v22, v22);
        v30 = syn::multiply(v22, v29);
        v32 = syn::multiply(v30, v31);
        v33 = syn::multiply(v32, v28);
        v34 = syn::divide(v33, v14);
        v36 = syn::multiply(v35, v34);
        v40 = syn::multiply(v22, v39);
        v41 = syn::negative(v40);
        v42 = syn::divide(v41, v14);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        const RowVector<double, V> k10 = at.template kept<double>(1, h10);
        const RowVector<double, V> k11 = at.template kept<double>(4, h11);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v10 = k10.lane(c);
            const double v11 = k11.lane(c);
            const double v12 = syn::multiply(v8, v11);
            const double v16 = syn::subtract(v12, v15);
            const double v23 = syn::multiply(v16, v22);
            const double v24 = syn::multiply(v3, v2);
            const double v25 = syn::multiply(v3, v23);
            const double v26 = syn::multiply(v24, v22);
            const double v37 = syn::multiply(v16, v36);
            const double v38 = syn::add(v26, v37);
            const double v43 = syn::add(v38, v42);
            const double v44 = syn::multiply(v43, v11);
            const double v45 = syn::multiply(v43, v8);
            const double v46 = syn::square(v10);
            const double v47 = syn::negative(v46);
            const double v48 = syn::exp(v47);
            const double v49 = syn::multiply(v45, v48);
            const double v51 = syn::multiply(v49, v50);
            const double v53 = syn::multiply(v44, v52);
            const double v54 = syn::add(v51, v53);
            const double v56 = syn::multiply(v54, v55);
            y0.set(c, v56);
            y1.set(c, v25);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(5, y1);
        at.template gather<double>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_75083633a6860cbf, syntonic::Rows_75083633a6860cbf, 7, 2)
SYNTONIC_ROWS_STREAM(rows_75083633a6860cbf_summed, syntonic::Rows_75083633a6860cbf, 7, 2, 2, 512, 1, 0, HELD, PASSES)

// WEIGHTED_backward(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_770394322475ee34 {
    double v3;
    double v5;
    double v8;
    double v11;
    double v14;
    double v15;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 2;
    static constexpr int SUMS = 1;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(3, 4);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<double>(uint64_t(0xfff0000000000000ull));
        v5 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v11 = syn::cast<double>(p.number[0]);
        v15 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f8;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v7 = syn::multiply(v2, v1);
            a8[c] = v7;
        }
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<double>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<double>::finish(room.template get<Sum<double>, 0>(a8));
    }
    struct Folds1 {
        typename Sum<double>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, true>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const double v6 = syn::where(v4, v5, v0);
            const double v9 = syn::subtract(v2, v8);
            const double v10 = syn::multiply(v1, v9);
            const double v13 = syn::multiply(v10, v6);
            a14[c] = v13;
        }
        row_take<Sum<double>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a14 = row_gathered<Sum<double>>(folds.f14, room, any, position);
        room.template put<0>(a14);
        room.meet();
        v14 = Sum<double>::finish(room.template get<Sum<double>, 0>(a14));
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const double v9 = syn::subtract(v2, v8);
            const double v10 = syn::multiply(v1, v9);
            const double v12 = syn::multiply(v10, v11);
            const double v16 = syn::where(v4, v15, v12);
            y0.set(c, v10);
            y1.set(c, v16);
        }
        at.write(3, y0);
        at.template gather<double>(3, y1);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 5, base[5]) = v14;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_770394322475ee34, syntonic::Rows_770394322475ee34, 6, 2)

// BATCH_NORM_PLAIN_backward(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_8312fa76e4738615 {
    double v2;
    double v3;
    double v4;
    double v7;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v13;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v21;
    double v22;
    double v23;
    double v24;
    double v25;
    double v28;
    double v29;
    double v30;
    double v31;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<double>(int64_t(p.length));
        v9 = syn::cast<double>(p.number[1]);
        v12 = syn::cast<double>(p.number[0]);
        v20 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v24 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f2;
        typename Sum<double>::Thread f28;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a2[V];
        double a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            a2[c] = v0;
            a28[c] = v1;
        }
        row_take<Sum<double>, V>(at, folds.f2, a2, ordinal);
        row_take<Sum<double>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f2, folds.f28, any);
        v2 = Sum<double>::finish(both.first);
        v28 = Sum<double>::finish(both.second);
        v4 = syn::divide(v2, v3);
    }
    struct Folds1 {
        typename Sum<double>::Thread f7;
        typename Sum<double>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a7[V];
        double a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::subtract(v0, v4);
            const double v6 = syn::square(v5);
            const double v15 = syn::multiply(v1, v5);
            a7[c] = v6;
            a16[c] = v15;
        }
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f7, folds.f16, any);
        v7 = Sum<double>::finish(both.first);
        v16 = Sum<double>::finish(both.second);
        v8 = syn::divide(v7, v3);
        v10 = syn::add(v8, v9);
        v11 = syn::rsqrt(v10);
        v13 = syn::multiply(v11, v12);
        v17 = syn::multiply(v12, v16);
        v18 = syn::multiply(v11, v11);
        v19 = syn::multiply(v11, v18);
        v21 = syn::multiply(v19, v20);
        v22 = syn::multiply(v21, v17);
        v23 = syn::divide(v22, v3);
        v25 = syn::multiply(v24, v23);
        v29 = syn::multiply(v13, v28);
        v30 = syn::negative(v29);
        v31 = syn::divide(v30, v3);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::subtract(v0, v4);
            const double v14 = syn::multiply(v1, v13);
            const double v26 = syn::multiply(v5, v25);
            const double v27 = syn::add(v14, v26);
            const double v32 = syn::add(v27, v31);
            y0.set(c, v32);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a2[V];
        double a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            a2[c] = v0;
            a28[c] = v1;
        }
        Sum<double>::template take<V>(folds.f2, a2, ordinal);
        Sum<double>::template take<V>(folds.f28, a28, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a7[V];
        double a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::subtract(v0, v4);
            const double v6 = syn::square(v5);
            const double v15 = syn::multiply(v1, v5);
            a7[c] = v6;
            a16[c] = v15;
        }
        Sum<double>::template take<V>(folds.f7, a7, ordinal);
        Sum<double>::template take<V>(folds.f16, a16, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::subtract(v0, v4);
            const double v14 = syn::multiply(v1, v13);
            const double v26 = syn::multiply(v5, v25);
            const double v27 = syn::add(v14, v26);
            const double v32 = syn::add(v27, v31);
            y0.set(c, v32);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8312fa76e4738615, syntonic::Rows_8312fa76e4738615, 3, 2)
SYNTONIC_ROWS_HELD(rows_8312fa76e4738615, syntonic::Rows_8312fa76e4738615, 3, 2, 4, 512, 1)
SYNTONIC_ROWS_STREAM(rows_8312fa76e4738615_pair, syntonic::Rows_8312fa76e4738615, 3, 2, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_8312fa76e4738615, syntonic::Rows_8312fa76e4738615, 3, 8)
SYNTONIC_ROWS_PASSES(rows_8312fa76e4738615_passes, syntonic::Rows_8312fa76e4738615, 3, 2, 4, 512, 2)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_89d34bf66a59af62 {
    double v4;
    double v7;
    double v9;
    double v11;
    double v12;
    double v13;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v31;
    double v32;
    double v33;
    double v34;
    double v37;
    double v38;
    double v39;
    double v40;
    double v42;
    double v44;
    RowVector<double, V> h6[R];
    RowVector<double, V> h10[R];
    RowVector<double, V> h22[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(4, 6);
        each.template sum<double>(5, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::cast<double>(int64_t(p.length));
        v18 = syn::cast<double>(p.number[0]);
        v29 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v33 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v42 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v44 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f11;
        typename Sum<double>::Thread f37;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k10;
        RowVector<double, V> k22;
        double a11[V];
        double a37[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            k6.set(c, v6);
            const bool v8 = syn::less_equal(v6, v7);
            const double v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            const double v22 = syn::multiply(v3, v2);
            k22.set(c, v22);
            a11[c] = v10;
            a37[c] = v22;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k10, h10);
        at.template keep<double>(2, k22, h22);
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<double>, V>(at, folds.f37, a37, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f11, folds.f37, any);
        v11 = Sum<double>::finish(both.first);
        v37 = Sum<double>::finish(both.second);
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<double>::Thread f16;
        typename Sum<double>::Thread f26;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k10 = at.template kept<double>(1, h10);
        const RowVector<double, V> k22 = at.template kept<double>(2, h22);
        double a16[V];
        double a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v15 = syn::square(v14);
            const double v22 = k22.lane(c);
            const double v25 = syn::multiply(v22, v14);
            a16[c] = v15;
            a26[c] = v25;
        }
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<double>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f16, folds.f26, any);
        v16 = Sum<double>::finish(both.first);
        v26 = Sum<double>::finish(both.second);
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
        v27 = syn::multiply(v20, v20);
        v28 = syn::multiply(v20, v27);
        v30 = syn::multiply(v28, v29);
        v31 = syn::multiply(v30, v26);
        v32 = syn::divide(v31, v12);
        v34 = syn::multiply(v33, v32);
        v38 = syn::multiply(v20, v37);
        v39 = syn::negative(v38);
        v40 = syn::divide(v39, v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k10 = at.template kept<double>(1, h10);
        const RowVector<double, V> k22 = at.template kept<double>(2, h22);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
        RowVector<double, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const bool v8 = syn::less_equal(v6, v7);
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v21 = syn::multiply(v14, v20);
            const double v22 = k22.lane(c);
            const double v23 = syn::multiply(v3, v21);
            const double v24 = syn::multiply(v22, v20);
            const double v35 = syn::multiply(v14, v34);
            const double v36 = syn::add(v24, v35);
            const double v41 = syn::add(v36, v40);
            const double v43 = syn::where(v8, v42, v41);
            const double v45 = syn::multiply(v43, v44);
            y0.set(c, v43);
            y1.set(c, v45);
            y2.set(c, v23);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<double>(4, y2);
        at.template gather<double>(5, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_89d34bf66a59af62, syntonic::Rows_89d34bf66a59af62, 8, 2)
SYNTONIC_ROWS_STREAM(rows_89d34bf66a59af62_summed, syntonic::Rows_89d34bf66a59af62, 8, 2, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_89d34bf66a59af62, syntonic::Rows_89d34bf66a59af62, 8, 2, 4)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_8d9e3ef073d02f98 {
    double v5;
    double v7;
    double v9;
    double v14;
    double v17;
    double v20;
    double v21;
    double v22;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v35;
    double v36;
    double v37;
    double v38;
    double v39;
    double v40;
    double v41;
    double v42;
    double v43;
    double v46;
    double v47;
    double v48;
    double v49;
    double v53;
    double v55;
    double v59;
    double v62;
    double v67;
    double v70;
    double v73;
    RowVector<double, V> h6[R];
    RowVector<double, V> h8[R];
    RowVector<double, V> h16[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(5, 5);
        each.template sum<double>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x3fa6e4e26d4801f7ull));
        v14 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v17 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v21 = syn::cast<double>(int64_t(p.length));
        v27 = syn::cast<double>(p.number[0]);
        v38 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v42 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v53 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v55 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v59 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v62 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v67 = syn::bits_as<double>(uint64_t(0x3fa2444f2a4d8b4bull));
        v70 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v73 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f20;
        typename Sum<double>::Thread f46;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k8;
        RowVector<double, V> k16;
        double a20[V];
        double a46[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            const double v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const double v10 = syn::multiply(v9, v6);
            const double v11 = syn::square(v6);
            const double v12 = syn::multiply(v10, v11);
            const double v13 = syn::add(v6, v12);
            const double v15 = syn::multiply(v14, v13);
            const double v16 = syn::tanh(v15);
            k16.set(c, v16);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            const double v31 = syn::multiply(v3, v2);
            a20[c] = v19;
            a46[c] = v31;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k8, h8);
        at.template keep<double>(4, k16, h16);
        row_take<Sum<double>, V>(at, folds.f20, a20, ordinal);
        row_take<Sum<double>, V>(at, folds.f46, a46, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f20, folds.f46, any);
        v20 = Sum<double>::finish(both.first);
        v46 = Sum<double>::finish(both.second);
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<double>::Thread f25;
        typename Sum<double>::Thread f35;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k16 = at.template kept<double>(4, h16);
        double a25[V];
        double a35[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v16 = k16.lane(c);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            const double v23 = syn::subtract(v19, v22);
            const double v24 = syn::square(v23);
            const double v31 = syn::multiply(v3, v2);
            const double v34 = syn::multiply(v31, v23);
            a25[c] = v24;
            a35[c] = v34;
        }
        row_take<Sum<double>, V>(at, folds.f25, a25, ordinal);
        row_take<Sum<double>, V>(at, folds.f35, a35, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f25, folds.f35, any);
        v25 = Sum<double>::finish(both.first);
        v35 = Sum<double>::finish(both.second);
        v26 = syn::divide(v25, v21);
        v28 = syn::add(v26, v27);
        v29 = syn::rsqrt(v28);
        v36 = syn::multiply(v29, v29);
        v37 = syn::multiply(v29, v36);
        v39 = syn::multiply(v37, v38);
        v40 = syn::multiply(v39, v35);
        v41 = syn::divide(v40, v21);
        v43 = syn::multiply(v42, v41);
        v47 = syn::multiply(v29, v46);
        v48 = syn::negative(v47);
        v49 = syn::divide(v48, v21);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k16 = at.template kept<double>(4, h16);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v8 = k8.lane(c);
            const double v10 = syn::multiply(v9, v6);
            const double v11 = syn::square(v6);
            const double v16 = k16.lane(c);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            const double v23 = syn::subtract(v19, v22);
            const double v30 = syn::multiply(v23, v29);
            const double v31 = syn::multiply(v3, v2);
            const double v32 = syn::multiply(v3, v30);
            const double v33 = syn::multiply(v31, v29);
            const double v44 = syn::multiply(v23, v43);
            const double v45 = syn::add(v33, v44);
            const double v50 = syn::add(v45, v49);
            const double v51 = syn::multiply(v50, v18);
            const double v52 = syn::multiply(v50, v8);
            const double v54 = syn::subtract(v53, v16);
            const double v56 = syn::add(v55, v16);
            const double v57 = syn::multiply(v54, v56);
            const double v58 = syn::multiply(v52, v57);
            const double v60 = syn::multiply(v58, v59);
            const double v61 = syn::multiply(v60, v10);
            const double v63 = syn::multiply(v6, v62);
            const double v64 = syn::multiply(v61, v63);
            const double v65 = syn::add(v60, v64);
            const double v66 = syn::multiply(v58, v11);
            const double v68 = syn::multiply(v66, v67);
            const double v69 = syn::add(v65, v68);
            const double v71 = syn::multiply(v51, v70);
            const double v72 = syn::add(v69, v71);
            const double v74 = syn::multiply(v72, v73);
            y0.set(c, v74);
            y1.set(c, v32);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(5, y1);
        at.template gather<double>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8d9e3ef073d02f98, syntonic::Rows_8d9e3ef073d02f98, 7, 2)
SYNTONIC_ROWS_STREAM(rows_8d9e3ef073d02f98_summed, syntonic::Rows_8d9e3ef073d02f98, 7, 2, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_cc82a71f5db5942a {
    double v4;
    double v7;
    double v9;
    double v14;
    double v17;
    double v20;
    double v21;
    double v22;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v35;
    double v36;
    double v37;
    double v38;
    double v39;
    double v40;
    double v41;
    double v42;
    double v43;
    double v46;
    double v47;
    double v48;
    double v49;
    double v53;
    double v55;
    double v59;
    double v62;
    double v67;
    double v70;
    double v73;
    RowVector<double, V> h6[R];
    RowVector<double, V> h8[R];
    RowVector<double, V> h16[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(5, 6);
        each.template sum<double>(6, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x3fa6e4e26d4801f7ull));
        v14 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v17 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v21 = syn::cast<double>(int64_t(p.length));
        v27 = syn::cast<double>(p.number[0]);
        v38 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v42 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v53 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v55 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v59 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v62 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v67 = syn::bits_as<double>(uint64_t(0x3fa2444f2a4d8b4bull));
        v70 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v73 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f20;
        typename Sum<double>::Thread f46;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k6;
        RowVector<double, V> k8;
        RowVector<double, V> k16;
        double a20[V];
        double a46[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            k6.set(c, v6);
            const double v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const double v10 = syn::multiply(v9, v6);
            const double v11 = syn::square(v6);
            const double v12 = syn::multiply(v10, v11);
            const double v13 = syn::add(v6, v12);
            const double v15 = syn::multiply(v14, v13);
            const double v16 = syn::tanh(v15);
            k16.set(c, v16);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            const double v31 = syn::multiply(v3, v2);
            a20[c] = v19;
            a46[c] = v31;
        }
        at.template keep<double>(0, k6, h6);
        at.template keep<double>(1, k8, h8);
        at.template keep<double>(4, k16, h16);
        row_take<Sum<double>, V>(at, folds.f20, a20, ordinal);
        row_take<Sum<double>, V>(at, folds.f46, a46, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f20, folds.f46, any);
        v20 = Sum<double>::finish(both.first);
        v46 = Sum<double>::finish(both.second);
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<double>::Thread f25;
        typename Sum<double>::Thread f35;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k16 = at.template kept<double>(4, h16);
        double a25[V];
        double a35[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v16 = k16.lane(c);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            const double v23 = syn::subtract(v19, v22);
            const double v24 = syn::square(v23);
            const double v31 = syn::multiply(v3, v2);
            const double v34 = syn::multiply(v31, v23);
            a25[c] = v24;
            a35[c] = v34;
        }
        row_take<Sum<double>, V>(at, folds.f25, a25, ordinal);
        row_take<Sum<double>, V>(at, folds.f35, a35, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f25, folds.f35, any);
        v25 = Sum<double>::finish(both.first);
        v35 = Sum<double>::finish(both.second);
        v26 = syn::divide(v25, v21);
        v28 = syn::add(v26, v27);
        v29 = syn::rsqrt(v28);
        v36 = syn::multiply(v29, v29);
        v37 = syn::multiply(v29, v36);
        v39 = syn::multiply(v37, v38);
        v40 = syn::multiply(v39, v35);
        v41 = syn::divide(v40, v21);
        v43 = syn::multiply(v42, v41);
        v47 = syn::multiply(v29, v46);
        v48 = syn::negative(v47);
        v49 = syn::divide(v48, v21);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        const RowVector<double, V> k8 = at.template kept<double>(1, h8);
        const RowVector<double, V> k16 = at.template kept<double>(4, h16);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
        RowVector<double, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v8 = k8.lane(c);
            const double v10 = syn::multiply(v9, v6);
            const double v11 = syn::square(v6);
            const double v16 = k16.lane(c);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            const double v23 = syn::subtract(v19, v22);
            const double v30 = syn::multiply(v23, v29);
            const double v31 = syn::multiply(v3, v2);
            const double v32 = syn::multiply(v3, v30);
            const double v33 = syn::multiply(v31, v29);
            const double v44 = syn::multiply(v23, v43);
            const double v45 = syn::add(v33, v44);
            const double v50 = syn::add(v45, v49);
            const double v51 = syn::multiply(v50, v18);
            const double v52 = syn::multiply(v50, v8);
            const double v54 = syn::subtract(v53, v16);
            const double v56 = syn::add(v55, v16);
            const double v57 = syn::multiply(v54, v56);
            const double v58 = syn::multiply(v52, v57);
            const double v60 = syn::multiply(v58, v59);
            const double v61 = syn::multiply(v60, v10);
            const double v63 = syn::multiply(v6, v62);
            const double v64 = syn::multiply(v61, v63);
            const double v65 = syn::add(v60, v64);
            const double v66 = syn::multiply(v58, v11);
            const double v68 = syn::multiply(v66, v67);
            const double v69 = syn::add(v65, v68);
            const double v71 = syn::multiply(v51, v70);
            const double v72 = syn::add(v69, v71);
            const double v74 = syn::multiply(v72, v73);
            y0.set(c, v72);
            y1.set(c, v74);
            y2.set(c, v32);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<double>(5, y2);
        at.template gather<double>(6, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_cc82a71f5db5942a, syntonic::Rows_cc82a71f5db5942a, 8, 2)
SYNTONIC_ROWS_STREAM(rows_cc82a71f5db5942a_summed, syntonic::Rows_cc82a71f5db5942a, 8, 2, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_d1fcebd5d9ea1c99 {
    double v5;
    double v7;
    double v12;
    double v15;
    double v18;
    double v19;
    double v20;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v33;
    double v34;
    double v35;
    double v36;
    double v37;
    double v38;
    double v39;
    double v40;
    double v41;
    double v44;
    double v45;
    double v46;
    double v47;
    double v51;
    double v53;
    double v57;
    double v60;
    double v65;
    double v68;
    RowVector<double, V> h4[R];
    RowVector<double, V> h6[R];
    RowVector<double, V> h14[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<double>(5, 5);
        each.template sum<double>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fa6e4e26d4801f7ull));
        v12 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v15 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v19 = syn::cast<double>(int64_t(p.length));
        v25 = syn::cast<double>(p.number[0]);
        v36 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v40 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v51 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v53 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v57 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v60 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
        v65 = syn::bits_as<double>(uint64_t(0x3fa2444f2a4d8b4bull));
        v68 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f18;
        typename Sum<double>::Thread f44;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> k4;
        RowVector<double, V> k6;
        RowVector<double, V> k14;
        double a18[V];
        double a44[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::add(v0, v1);
            k4.set(c, v4);
            const double v6 = syn::multiply(v5, v4);
            k6.set(c, v6);
            const double v8 = syn::multiply(v7, v4);
            const double v9 = syn::square(v4);
            const double v10 = syn::multiply(v8, v9);
            const double v11 = syn::add(v4, v10);
            const double v13 = syn::multiply(v12, v11);
            const double v14 = syn::tanh(v13);
            k14.set(c, v14);
            const double v16 = syn::add(v14, v15);
            const double v17 = syn::multiply(v6, v16);
            const double v29 = syn::multiply(v3, v2);
            a18[c] = v17;
            a44[c] = v29;
        }
        at.template keep<double>(0, k4, h4);
        at.template keep<double>(1, k6, h6);
        at.template keep<double>(4, k14, h14);
        row_take<Sum<double>, V>(at, folds.f18, a18, ordinal);
        row_take<Sum<double>, V>(at, folds.f44, a44, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f18, folds.f44, any);
        v18 = Sum<double>::finish(both.first);
        v44 = Sum<double>::finish(both.second);
        v20 = syn::divide(v18, v19);
    }
    struct Folds1 {
        typename Sum<double>::Thread f23;
        typename Sum<double>::Thread f33;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(1, h6);
        const RowVector<double, V> k14 = at.template kept<double>(4, h14);
        double a23[V];
        double a33[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v14 = k14.lane(c);
            const double v16 = syn::add(v14, v15);
            const double v17 = syn::multiply(v6, v16);
            const double v21 = syn::subtract(v17, v20);
            const double v22 = syn::square(v21);
            const double v29 = syn::multiply(v3, v2);
            const double v32 = syn::multiply(v29, v21);
            a23[c] = v22;
            a33[c] = v32;
        }
        row_take<Sum<double>, V>(at, folds.f23, a23, ordinal);
        row_take<Sum<double>, V>(at, folds.f33, a33, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f23, folds.f33, any);
        v23 = Sum<double>::finish(both.first);
        v33 = Sum<double>::finish(both.second);
        v24 = syn::divide(v23, v19);
        v26 = syn::add(v24, v25);
        v27 = syn::rsqrt(v26);
        v34 = syn::multiply(v27, v27);
        v35 = syn::multiply(v27, v34);
        v37 = syn::multiply(v35, v36);
        v38 = syn::multiply(v37, v33);
        v39 = syn::divide(v38, v19);
        v41 = syn::multiply(v40, v39);
        v45 = syn::multiply(v27, v44);
        v46 = syn::negative(v45);
        v47 = syn::divide(v46, v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        const RowVector<double, V> k6 = at.template kept<double>(1, h6);
        const RowVector<double, V> k14 = at.template kept<double>(4, h14);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
        RowVector<double, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = k4.lane(c);
            const double v6 = k6.lane(c);
            const double v8 = syn::multiply(v7, v4);
            const double v9 = syn::square(v4);
            const double v14 = k14.lane(c);
            const double v16 = syn::add(v14, v15);
            const double v17 = syn::multiply(v6, v16);
            const double v21 = syn::subtract(v17, v20);
            const double v28 = syn::multiply(v21, v27);
            const double v29 = syn::multiply(v3, v2);
            const double v30 = syn::multiply(v3, v28);
            const double v31 = syn::multiply(v29, v27);
            const double v42 = syn::multiply(v21, v41);
            const double v43 = syn::add(v31, v42);
            const double v48 = syn::add(v43, v47);
            const double v49 = syn::multiply(v48, v16);
            const double v50 = syn::multiply(v48, v6);
            const double v52 = syn::subtract(v51, v14);
            const double v54 = syn::add(v53, v14);
            const double v55 = syn::multiply(v52, v54);
            const double v56 = syn::multiply(v50, v55);
            const double v58 = syn::multiply(v56, v57);
            const double v59 = syn::multiply(v58, v8);
            const double v61 = syn::multiply(v4, v60);
            const double v62 = syn::multiply(v59, v61);
            const double v63 = syn::add(v58, v62);
            const double v64 = syn::multiply(v56, v9);
            const double v66 = syn::multiply(v64, v65);
            const double v67 = syn::add(v63, v66);
            const double v69 = syn::multiply(v49, v68);
            const double v70 = syn::add(v67, v69);
            y0.set(c, v70);
            y1.set(c, v30);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<double>(5, y1);
        at.template gather<double>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = double;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d1fcebd5d9ea1c99, syntonic::Rows_d1fcebd5d9ea1c99, 7, 2)
SYNTONIC_ROWS_STREAM(rows_d1fcebd5d9ea1c99_summed, syntonic::Rows_d1fcebd5d9ea1c99, 7, 2, 2, 512, 1, 0, HELD, PASSES)

// BATCH_NORM_backward(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_dca7fc77c874cad2 {
    double v1;
    double v3;
    double v4;
    double v5;
    double v8;
    double v9;
    double v10;
    double v11;
    double v12;
    double v13;
    double v14;
    double v15;
    double v16;
    double v19;
    double v20;
    double v21;
    double v22;
    double v23;
    double v24;
    double v25;
    double v26;
    double v27;
    double v28;
    double v29;
    double v30;
    double v33;
    double v34;
    double v35;
    RowVector<double, V> h0[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const double>(p, 1, base[1]);
        v4 = syn::cast<double>(int64_t(p.length));
        v10 = syn::cast<double>(p.number[1]);
        v13 = syn::cast<double>(p.number[0]);
        v25 = syn::bits_as<double>(uint64_t(0xbfe0000000000000ull));
        v29 = syn::bits_as<double>(uint64_t(0x4000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f3;
        typename Sum<double>::Thread f16;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a3[V];
        double a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = x2.lane(c);
            a3[c] = v0;
            a16[c] = v2;
        }
        row_take<Sum<double>, V>(at, folds.f3, a3, ordinal);
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f3, folds.f16, any);
        v3 = Sum<double>::finish(both.first);
        v16 = Sum<double>::finish(both.second);
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<double>::Thread f8;
        typename Sum<double>::Thread f19;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a8[V];
        double a19[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = x2.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::square(v6);
            const double v18 = syn::multiply(v2, v6);
            a8[c] = v7;
            a19[c] = v18;
        }
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
        row_take<Sum<double>, V>(at, folds.f19, a19, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f8, folds.f19, any);
        v8 = Sum<double>::finish(both.first);
        v19 = Sum<double>::finish(both.second);
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
        v15 = syn::multiply(v14, v1);
        v20 = syn::multiply(v1, v19);
        v21 = syn::multiply(v14, v19);
        v22 = syn::multiply(v13, v20);
        v23 = syn::multiply(v12, v12);
        v24 = syn::multiply(v12, v23);
        v26 = syn::multiply(v24, v25);
        v27 = syn::multiply(v26, v22);
        v28 = syn::divide(v27, v4);
        v30 = syn::multiply(v29, v28);
        v33 = syn::multiply(v15, v16);
        v34 = syn::negative(v33);
        v35 = syn::divide(v34, v4);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = x2.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v17 = syn::multiply(v2, v15);
            const double v31 = syn::multiply(v6, v30);
            const double v32 = syn::add(v17, v31);
            const double v36 = syn::add(v32, v35);
            y0.set(c, v36);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 4, base[4]) = v21;
        *row_address<double>(p, 5, base[5]) = v16;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_dca7fc77c874cad2, syntonic::Rows_dca7fc77c874cad2, 6, 2)
SYNTONIC_ROWS_HELD(rows_dca7fc77c874cad2, syntonic::Rows_dca7fc77c874cad2, 6, 2, 4, 512, 1)

// WEIGHTED_EACH_backward(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_f211e899ca045ad6 {
    double v3;
    double v5;
    double v9;
    double v12;
    double v15;
    double v17;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 2;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v5 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v12 = syn::cast<double>(p.number[0]);
        v17 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<double>::Thread f9;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v8 = syn::multiply(v2, v1);
            a9[c] = v8;
        }
        row_take<Sum<double>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<double>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<double>::finish(room.template get<Sum<double>, 0>(a9));
    }
    struct Folds1 {
        typename Sum<double>::Thread f15;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, true>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        double a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const double v6 = syn::where(v4, v5, v0);
            const double v7 = syn::row_log(v6);
            const double v10 = syn::subtract(v2, v9);
            const double v11 = syn::multiply(v1, v10);
            const double v14 = syn::multiply(v11, v7);
            a15[c] = v14;
        }
        row_take<Sum<double>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<double>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<double>::finish(room.template get<Sum<double>, 0>(a15));
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        RowVector<double, V> y0;
        RowVector<double, V> y1;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const double v6 = syn::where(v4, v5, v0);
            const double v10 = syn::subtract(v2, v9);
            const double v11 = syn::multiply(v1, v10);
            const double v13 = syn::multiply(v11, v12);
            const double v16 = syn::divide(v13, v6);
            const double v18 = syn::where(v4, v17, v16);
            y0.set(c, v11);
            y1.set(c, v18);
        }
        at.write(3, y0);
        at.write(4, y1);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 5, base[5]) = v15;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_f211e899ca045ad6, syntonic::Rows_f211e899ca045ad6, 6, 2)
SYNTONIC_ROWS_HELD(rows_f211e899ca045ad6, syntonic::Rows_f211e899ca045ad6, 6, 2, 4, 512, 1)
