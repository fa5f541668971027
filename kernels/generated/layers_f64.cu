// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_0a4aa81c8f3c215f {
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
    RowVector<double, V> h10[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::cast<double>(int64_t(p.length));
        v18 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k10;
        double a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            const bool v8 = syn::less_equal(v6, v7);
            const double v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<double>(0, k10, h10);
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<double>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<double>::finish(room.template get<Sum<double>, 0>(a11));
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<double>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k10 = at.template kept<double>(0, h10);
        double a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v15 = syn::square(v14);
            a16[c] = v15;
        }
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a16 = row_gathered<Sum<double>>(folds.f16, room, any, position);
        room.template put<0>(a16);
        room.meet();
        v16 = Sum<double>::finish(room.template get<Sum<double>, 0>(a16));
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k10 = at.template kept<double>(0, h10);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v21 = syn::multiply(v14, v20);
            const double v22 = syn::multiply(v21, v2);
            const double v23 = syn::add(v22, v3);
            y0.set(c, v23);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_0a4aa81c8f3c215f, syntonic::Rows_0a4aa81c8f3c215f, 5, 2)
SYNTONIC_ROWS_HELD(rows_0a4aa81c8f3c215f, syntonic::Rows_0a4aa81c8f3c215f, 5, 2, 4, 512, 1)

// BATCH_NORM_EVAL(f64, f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_128f8d747a40dc9b {
    double v1;
    double v2;
    double v3;
    double v4;
    double v6;
    double v7;
    double v8;
    double v9;
    double v10;
    double v11;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const double>(p, 1, base[1]);
        v2 = *row_address<const double>(p, 2, base[2]);
        v3 = *row_address<const double>(p, 3, base[3]);
        v4 = *row_address<const double>(p, 4, base[4]);
        v6 = syn::cast<double>(p.number[1]);
        v7 = syn::add(v2, v6);
        v8 = syn::rsqrt(v7);
        v9 = syn::cast<double>(p.number[0]);
        v10 = syn::multiply(v8, v9);
        v11 = syn::multiply(v10, v3);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v5 = syn::subtract(v0, v1);
            const double v12 = syn::multiply(v5, v11);
            const double v13 = syn::add(v12, v4);
            y0.set(c, v13);
        }
        at.write(5, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_128f8d747a40dc9b, syntonic::Rows_128f8d747a40dc9b, 6, 2)
SYNTONIC_ROWS_HELD(rows_128f8d747a40dc9b, syntonic::Rows_128f8d747a40dc9b, 6, 2, 4, 512, 1)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_18a7a89b99706da4 {
    double v5;
    double v7;
    double v8;
    double v9;
    double v12;
    double v13;
    double v14;
    double v15;
    double v16;
    RowVector<double, V> h6[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v8 = syn::cast<double>(int64_t(p.length));
        v14 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k6;
        double a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            a7[c] = v6;
        }
        at.template keep<double>(0, k6, h6);
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<double>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<double>::finish(room.template get<Sum<double>, 0>(a7));
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
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
        v13 = syn::divide(v12, v8);
        v15 = syn::add(v13, v14);
        v16 = syn::rsqrt(v15);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
            const double v17 = syn::multiply(v10, v16);
            const double v18 = syn::multiply(v17, v2);
            const double v19 = syn::add(v18, v3);
            y0.set(c, v19);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_18a7a89b99706da4, syntonic::Rows_18a7a89b99706da4, 5, 2)
SYNTONIC_ROWS_HELD(rows_18a7a89b99706da4, syntonic::Rows_18a7a89b99706da4, 5, 2, 4, 512, 1)

// CYCLE_NOISY(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_1da40bce538eb1a6 {
    double v5;
    double v6;
    bool v7;
    double v8;
    double v9;
    double v12;
    double v14;
    double v15;
    bool v16;
    double v17;
    double v18;
    double v19;
    double v21;
    double v22;
    double v23;
    double v24;
    double v26;
    double v29;
    double v30;
    double v31;
    double v37;
    double v38;
    double v39;
    double v42;
    double v46;
    double v47;
    bool v48;
    double v49;
    double v50;
    double v53;
    double v55;
    double v56;
    bool v57;
    double v58;
    double v59;
    double v60;
    RowDivisor<double> d9;
    RowDivisor<double> d50;
    RowVector<double, V> h44[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 4;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = true;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v8 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v15 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v17 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v21 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v23 = syn::bits_as<double>(uint64_t(0x3fd8722191a02d61ull));
        v26 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v29 = syn::cast<double>(p.number[0]);
        v31 = syn::bits_as<double>(uint64_t(0xbfc3c6ef372fe950ull));
        v37 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v39 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v42 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v47 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v49 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v56 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v58 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
        at.template fetch<double, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(1, h1);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<3>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<4>, const At& at) {
    }
    struct Folds0 {
        typename Max<double>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::abs(v0);
            a5[c] = v4;
        }
        row_take<Max<double>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Max<double>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Max<double>::finish(room.template get<Max<double>, 0>(a5));
        v7 = syn::greater(v5, v6);
        v9 = syn::where(v7, v5, v8);
        d9.set(v9);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
        typename Sum<double>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        double a12[V];
        double a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = x2.lane(c);
            const double v4 = syn::abs(v0);
            const double v10 = d9.near(v4);
            const double v11 = syn::square(v10);
            const double v13 = syn::multiply(v11, v2);
            a12[c] = v11;
            a14[c] = v13;
        }
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<double>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f12, folds.f14, any);
        v12 = Sum<double>::finish(both.first);
        v14 = Sum<double>::finish(both.second);
        v16 = syn::equal(v12, v15);
        v18 = syn::where(v16, v17, v12);
        v19 = syn::divide(v14, v18);
        v22 = syn::subtract(v21, v19);
        v24 = syn::multiply(v22, v23);
        v30 = syn::multiply(v29, v22);
        v38 = syn::multiply(v19, v37);
    }
    struct Folds2 {
        typename Max<double>::Thread f46;
    };
    static __device__ __forceinline__ Folds2 start(Pass<2>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<2>, Folds2& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, true>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        RowVector<double, V> k44;
        double a46[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v20 = syn::sqrt(v1);
            const double v25 = syn::multiply(v24, v20);
            const double v27 = syn::add(v25, v26);
            const double v28 = syn::multiply(v0, v27);
            const double v32 = syn::multiply(v1, v31);
            const double v33 = syn::exp(v32);
            const double v34 = syn::multiply(v30, v33);
            const double v35 = syn::multiply(v34, v3);
            const double v36 = syn::add(v28, v35);
            const double v40 = syn::subtract(v39, v2);
            const double v41 = syn::multiply(v38, v40);
            const double v43 = syn::subtract(v42, v41);
            const double v44 = syn::multiply(v36, v43);
            k44.set(c, v44);
            const double v45 = syn::abs(v44);
            a46[c] = v45;
        }
        at.template keep<double>(0, k44, h44);
        row_take<Max<double>, V>(at, folds.f46, a46, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<2>, Folds2& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a46 = row_gathered<Max<double>>(folds.f46, room, any, position);
        room.template put<0>(a46);
        room.meet();
        v46 = Max<double>::finish(room.template get<Max<double>, 0>(a46));
        v48 = syn::greater(v46, v47);
        v50 = syn::where(v48, v46, v49);
        d50.set(v50);
    }
    struct Folds3 {
        typename Sum<double>::Thread f53;
        typename Sum<double>::Thread f55;
    };
    static __device__ __forceinline__ Folds3 start(Pass<3>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<3>, Folds3& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> k44 = at.template kept<double>(0, h44);
        double a53[V];
        double a55[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v44 = k44.lane(c);
            const double v45 = syn::abs(v44);
            const double v51 = d50.near(v45);
            const double v52 = syn::square(v51);
            const double v54 = syn::multiply(v52, v2);
            a53[c] = v52;
            a55[c] = v54;
        }
        row_take<Sum<double>, V>(at, folds.f53, a53, ordinal);
        row_take<Sum<double>, V>(at, folds.f55, a55, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<3>, Folds3& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f53, folds.f55, any);
        v53 = Sum<double>::finish(both.first);
        v55 = Sum<double>::finish(both.second);
        v57 = syn::equal(v53, v56);
        v59 = syn::where(v57, v58, v53);
        v60 = syn::divide(v55, v59);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k44 = at.template kept<double>(0, h44);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v44 = k44.lane(c);
            y0.set(c, v44);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 5, base[5]) = v60;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_1da40bce538eb1a6, syntonic::Rows_1da40bce538eb1a6, 6, 2)
SYNTONIC_ROWS_HELD(rows_1da40bce538eb1a6, syntonic::Rows_1da40bce538eb1a6, 6, 2, 8, 640, 1)

// LAYER_NORM_PLAIN(f64)
namespace syntonic {
template <int V, int R> struct Rows_29d82bf2e0141d4c {
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
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(int64_t(p.length));
        v8 = syn::cast<double>(p.number[1]);
        v11 = syn::cast<double>(p.number[0]);
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
        typename Sum<double>::Thread f6;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v5 = syn::square(v4);
            a6[c] = v5;
        }
        row_take<Sum<double>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Sum<double>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Sum<double>::finish(room.template get<Sum<double>, 0>(a6));
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v13 = syn::multiply(v4, v12);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m1;
        };
        struct Near {
            typename Spreads::Near m1;
        };
        struct Told {
            typename Spreads::Told m1;
        };
        struct Values {
            double m1[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m1, b.m1); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m1, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m1)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m1, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m1, x.m1);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            x.m1[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (double)all.m1.sum;
        v3 = syn::divide(v1, v2);
        v6 = (double)all.m1.squares;
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2)
SYNTONIC_ROWS_HELD(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 8, 4)
SYNTONIC_ROW_COLUMNS(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 8, 3)
SYNTONIC_ROW_RING(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 8)
SYNTONIC_ROW_CLUSTER(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 8)
SYNTONIC_ROW_COLUMN_RING(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 8)
SYNTONIC_ROWS_FEW(rows_29d82bf2e0141d4c, syntonic::Rows_29d82bf2e0141d4c, 2, 2, 16)

// SYNTONIC_SOFTMAX_PROVIDED(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_342b04696f9c6859 {
    double v3;
    double v6;
    double v9;
    RowDivisor<double> d9;
    RowVector<double, V> h5[R];
    RowVector<double, V> h8[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<double>(p.number[0]);
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
        typename Max<double>::Thread f6;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k5;
        double a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            k5.set(c, v5);
            a6[c] = v5;
        }
        at.template keep<double>(0, k5, h5);
        row_take<Max<double>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Max<double>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Max<double>::finish(room.template get<Max<double>, 0>(a6));
    }
    struct Folds1 {
        typename Sum<double>::Thread f9;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k5 = at.template kept<double>(0, h5);
        RowVector<double, V> k8;
        double a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v5 = k5.lane(c);
            const double v7 = syn::subtract(v5, v6);
            const double v8 = syn::exp(v7);
            k8.set(c, v8);
            a9[c] = v8;
        }
        at.template keep<double>(0, k8, h8);
        row_take<Sum<double>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<double>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<double>::finish(room.template get<Sum<double>, 0>(a9));
        d9.set(v9);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v8 = k8.lane(c);
            const double v10 = d9.of(v8);
            y0.set(c, v10);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<double>>::Acc m9;
        };
        struct Near {
            typename Joined<Peaks<double>>::Near m9;
        };
        struct Told {
            typename Joined<Peaks<double>>::Told m9;
        };
        struct Values {
            double m9[R * V];
        };
        using Peaked = double;
        static __device__ __forceinline__ double (&peaked(Values& x))[R * V] { return x.m9; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<double>>::take(a.m9, b.m9); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<double>>::template over_lanes<FROM>(a.m9, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<double>>::tell(a.m9)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<double>>::heard(a.m9, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<double>::template take<N * V>(all.m9, x.m9);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k5;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            k5.set(c, v5);
            x.m9[at.k * V + c] = v5;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v6 = (double)all.m9.top;
        v9 = (double)all.m9.total;
        d9.set(v9);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            a6[c] = v5;
        }
        Max<double>::template take<V>(folds.f6, a6, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            const double v7 = syn::subtract(v5, v6);
            const double v8 = syn::exp(v7);
            a9[c] = v8;
        }
        Sum<double>::template take<V>(folds.f9, a9, ordinal);
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
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            const double v7 = syn::subtract(v5, v6);
            const double v8 = syn::exp(v7);
            const double v10 = d9.of(v8);
            y0.set(c, v10);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_342b04696f9c6859, syntonic::Rows_342b04696f9c6859, 3, 2)
SYNTONIC_ROWS_HELD(rows_342b04696f9c6859, syntonic::Rows_342b04696f9c6859, 3, 2, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_342b04696f9c6859, syntonic::Rows_342b04696f9c6859, 3, 2, 4, 2)
SYNTONIC_ROWS_STREAM(rows_342b04696f9c6859_stream, syntonic::Rows_342b04696f9c6859, 3, 2, 16, 512, 1, 512, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_342b04696f9c6859_once, syntonic::Rows_342b04696f9c6859, 3, 2, 16, 512, 1, 512, AGAIN, ONCE)
SYNTONIC_ROWS_STREAM(rows_342b04696f9c6859_pair, syntonic::Rows_342b04696f9c6859, 3, 2, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_342b04696f9c6859, syntonic::Rows_342b04696f9c6859, 3, 8)
SYNTONIC_ROWS_PASSES(rows_342b04696f9c6859_passes, syntonic::Rows_342b04696f9c6859, 3, 2, 4, 512, 2)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_3b863676a3f5aed7 {
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
    RowVector<double, V> h19[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x3fa6e4e26d4801f7ull));
        v14 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v17 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v21 = syn::cast<double>(int64_t(p.length));
        v27 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f20;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k19;
        double a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            const double v8 = syn::multiply(v7, v6);
            const double v10 = syn::multiply(v9, v6);
            const double v11 = syn::square(v6);
            const double v12 = syn::multiply(v10, v11);
            const double v13 = syn::add(v6, v12);
            const double v15 = syn::multiply(v14, v13);
            const double v16 = syn::tanh(v15);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            k19.set(c, v19);
            a20[c] = v19;
        }
        at.template keep<double>(0, k19, h19);
        row_take<Sum<double>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<double>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<double>::finish(room.template get<Sum<double>, 0>(a20));
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<double>::Thread f25;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k19 = at.template kept<double>(0, h19);
        double a25[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v19 = k19.lane(c);
            const double v23 = syn::subtract(v19, v22);
            const double v24 = syn::square(v23);
            a25[c] = v24;
        }
        row_take<Sum<double>, V>(at, folds.f25, a25, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a25 = row_gathered<Sum<double>>(folds.f25, room, any, position);
        room.template put<0>(a25);
        room.meet();
        v25 = Sum<double>::finish(room.template get<Sum<double>, 0>(a25));
        v26 = syn::divide(v25, v21);
        v28 = syn::add(v26, v27);
        v29 = syn::rsqrt(v28);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k19 = at.template kept<double>(0, h19);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v19 = k19.lane(c);
            const double v23 = syn::subtract(v19, v22);
            const double v30 = syn::multiply(v23, v29);
            const double v31 = syn::multiply(v30, v2);
            const double v32 = syn::add(v31, v3);
            y0.set(c, v32);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3b863676a3f5aed7, syntonic::Rows_3b863676a3f5aed7, 5, 2)
SYNTONIC_ROWS_HELD(rows_3b863676a3f5aed7, syntonic::Rows_3b863676a3f5aed7, 5, 2, 4, 512, 1)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_400a967f7b056b5e {
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
    RowVector<double, V> h12[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0xbfe6a09e667f3bcdull));
        v14 = syn::cast<double>(int64_t(p.length));
        v20 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f13;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k12;
        double a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            const double v8 = syn::multiply(v7, v6);
            const double v10 = syn::multiply(v6, v9);
            const double v11 = syn::erfc(v10);
            const double v12 = syn::multiply(v8, v11);
            k12.set(c, v12);
            a13[c] = v12;
        }
        at.template keep<double>(0, k12, h12);
        row_take<Sum<double>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<double>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<double>::finish(room.template get<Sum<double>, 0>(a13));
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<double>::Thread f18;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k12 = at.template kept<double>(0, h12);
        double a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v12 = k12.lane(c);
            const double v16 = syn::subtract(v12, v15);
            const double v17 = syn::square(v16);
            a18[c] = v17;
        }
        row_take<Sum<double>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<double>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<double>::finish(room.template get<Sum<double>, 0>(a18));
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k12 = at.template kept<double>(0, h12);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v12 = k12.lane(c);
            const double v16 = syn::subtract(v12, v15);
            const double v23 = syn::multiply(v16, v22);
            const double v24 = syn::multiply(v23, v2);
            const double v25 = syn::add(v24, v3);
            y0.set(c, v25);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_400a967f7b056b5e, syntonic::Rows_400a967f7b056b5e, 5, 2)
SYNTONIC_ROWS_HELD(rows_400a967f7b056b5e, syntonic::Rows_400a967f7b056b5e, 5, 2, 4, 512, 1)

// BATCH_NORM_PLAIN(f64)
namespace syntonic {
template <int V, int R> struct Rows_58bbd92fa704d7e8 {
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
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(int64_t(p.length));
        v8 = syn::cast<double>(p.number[1]);
        v11 = syn::cast<double>(p.number[0]);
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
        typename Sum<double>::Thread f6;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v5 = syn::square(v4);
            a6[c] = v5;
        }
        row_take<Sum<double>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Sum<double>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Sum<double>::finish(room.template get<Sum<double>, 0>(a6));
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v4 = syn::subtract(v0, v3);
            const double v13 = syn::multiply(v4, v12);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 2, base[2]) = v3;
        *row_address<double>(p, 3, base[3]) = v7;
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m1;
        };
        struct Near {
            typename Spreads::Near m1;
        };
        struct Told {
            typename Spreads::Told m1;
        };
        struct Values {
            double m1[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m1, b.m1); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m1, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m1)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m1, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m1, x.m1);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            x.m1[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (double)all.m1.sum;
        v3 = syn::divide(v1, v2);
        v6 = (double)all.m1.squares;
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2)
SYNTONIC_ROWS_HELD(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 8, 4)
SYNTONIC_ROW_COLUMNS(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 8, 3)
SYNTONIC_ROW_RING(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 8)
SYNTONIC_ROW_CLUSTER(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 8)
SYNTONIC_ROW_COLUMN_RING(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 8)
SYNTONIC_ROWS_FEW(rows_58bbd92fa704d7e8, syntonic::Rows_58bbd92fa704d7e8, 4, 2, 16)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_599b97635d364cdc {
    double v5;
    double v6;
    double v7;
    double v10;
    double v11;
    double v12;
    double v13;
    double v14;
    RowVector<double, V> h4[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::cast<double>(int64_t(p.length));
        v12 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k4;
        double a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<double>(0, k4, h4);
        row_take<Sum<double>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Sum<double>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Sum<double>::finish(room.template get<Sum<double>, 0>(a5));
        v7 = syn::divide(v5, v6);
    }
    struct Folds1 {
        typename Sum<double>::Thread f10;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        double a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v4 = k4.lane(c);
            const double v8 = syn::subtract(v4, v7);
            const double v9 = syn::square(v8);
            a10[c] = v9;
        }
        row_take<Sum<double>, V>(at, folds.f10, a10, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a10 = row_gathered<Sum<double>>(folds.f10, room, any, position);
        room.template put<0>(a10);
        room.meet();
        v10 = Sum<double>::finish(room.template get<Sum<double>, 0>(a10));
        v11 = syn::divide(v10, v6);
        v13 = syn::add(v11, v12);
        v14 = syn::rsqrt(v13);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = k4.lane(c);
            const double v8 = syn::subtract(v4, v7);
            const double v15 = syn::multiply(v8, v14);
            const double v16 = syn::multiply(v15, v2);
            const double v17 = syn::add(v16, v3);
            y0.set(c, v17);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_599b97635d364cdc, syntonic::Rows_599b97635d364cdc, 5, 2)
SYNTONIC_ROWS_HELD(rows_599b97635d364cdc, syntonic::Rows_599b97635d364cdc, 5, 2, 4, 512, 1)

// SOFTMAX_OR_ZERO(f64)
namespace syntonic {
template <int V, int R> struct Rows_5f3cb9083e1f61be {
    double v1;
    double v2;
    bool v3;
    double v4;
    double v5;
    double v8;
    double v9;
    bool v10;
    double v11;
    double v12;
    RowDivisor<double> d12;
    RowVector<double, V> h7[R];
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::bits_as<double>(uint64_t(0xfff0000000000000ull));
        v4 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v11 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
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
        v3 = syn::equal(v1, v2);
        v5 = syn::where(v3, v4, v1);
    }
    struct Folds1 {
        typename Sum<double>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> k7;
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::exp(v6);
            k7.set(c, v7);
            a8[c] = v7;
        }
        at.template keep<double>(0, k7, h7);
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<double>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<double>::finish(room.template get<Sum<double>, 0>(a8));
        v10 = syn::equal(v8, v9);
        v12 = syn::where(v10, v11, v8);
        d12.set(v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k7 = at.template kept<double>(0, h7);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v7 = k7.lane(c);
            const double v13 = d12.of(v7);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<double>>::Acc m8;
        };
        struct Near {
            typename Joined<Peaks<double>>::Near m8;
        };
        struct Told {
            typename Joined<Peaks<double>>::Told m8;
        };
        struct Values {
            double m8[R * V];
        };
        using Peaked = double;
        static __device__ __forceinline__ double (&peaked(Values& x))[R * V] { return x.m8; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<double>>::take(a.m8, b.m8); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<double>>::template over_lanes<FROM>(a.m8, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<double>>::tell(a.m8)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<double>>::heard(a.m8, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<double>::template take<N * V>(all.m8, x.m8);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            x.m8[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (double)all.m8.top;
        v3 = syn::equal(v1, v2);
        v5 = syn::where(v3, v4, v1);
        v8 = (double)all.m8.total;
        v10 = syn::equal(v8, v9);
        v12 = syn::where(v10, v11, v8);
        d12.set(v12);
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
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::exp(v6);
            a8[c] = v7;
        }
        Sum<double>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::exp(v6);
            const double v13 = d12.of(v7);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5f3cb9083e1f61be, syntonic::Rows_5f3cb9083e1f61be, 2, 2)
SYNTONIC_ROWS_HELD(rows_5f3cb9083e1f61be, syntonic::Rows_5f3cb9083e1f61be, 2, 2, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_5f3cb9083e1f61be, syntonic::Rows_5f3cb9083e1f61be, 2, 2, 8, 2)
SYNTONIC_ROWS_STREAM(rows_5f3cb9083e1f61be_stream, syntonic::Rows_5f3cb9083e1f61be, 2, 2, 16, 512, 1, 512, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_5f3cb9083e1f61be_once, syntonic::Rows_5f3cb9083e1f61be, 2, 2, 16, 512, 1, 512, AGAIN, ONCE)
SYNTONIC_ROWS_ACROSS(rows_5f3cb9083e1f61be, syntonic::Rows_5f3cb9083e1f61be, 2, 8)
SYNTONIC_ROWS_PASSES(rows_5f3cb9083e1f61be_passes, syntonic::Rows_5f3cb9083e1f61be, 2, 2, 4, 512, 2)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_6e167abd83a389d9 {
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
    RowVector<double, V> h10[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0xbfe6a09e667f3bcdull));
        v12 = syn::cast<double>(int64_t(p.length));
        v18 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k10;
        double a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v5, v4);
            const double v8 = syn::multiply(v4, v7);
            const double v9 = syn::erfc(v8);
            const double v10 = syn::multiply(v6, v9);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<double>(0, k10, h10);
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<double>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<double>::finish(room.template get<Sum<double>, 0>(a11));
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<double>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k10 = at.template kept<double>(0, h10);
        double a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v15 = syn::square(v14);
            a16[c] = v15;
        }
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a16 = row_gathered<Sum<double>>(folds.f16, room, any, position);
        room.template put<0>(a16);
        room.meet();
        v16 = Sum<double>::finish(room.template get<Sum<double>, 0>(a16));
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k10 = at.template kept<double>(0, h10);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v21 = syn::multiply(v14, v20);
            const double v22 = syn::multiply(v21, v2);
            const double v23 = syn::add(v22, v3);
            y0.set(c, v23);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_6e167abd83a389d9, syntonic::Rows_6e167abd83a389d9, 5, 2)
SYNTONIC_ROWS_HELD(rows_6e167abd83a389d9, syntonic::Rows_6e167abd83a389d9, 5, 2, 4, 512, 1)

// SOFTMAX(f64)
namespace syntonic {
template <int V, int R> struct Rows_700bff7be3c14b2c {
    double v1;
    double v4;
    RowDivisor<double> d4;
    RowVector<double, V> h3[R];
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
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
    }
    struct Folds1 {
        typename Sum<double>::Thread f4;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> k3;
        double a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = syn::subtract(v0, v1);
            const double v3 = syn::exp(v2);
            k3.set(c, v3);
            a4[c] = v3;
        }
        at.template keep<double>(0, k3, h3);
        row_take<Sum<double>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<double>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<double>::finish(room.template get<Sum<double>, 0>(a4));
        d4.set(v4);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k3 = at.template kept<double>(0, h3);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v3 = k3.lane(c);
            const double v5 = d4.of(v3);
            y0.set(c, v5);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<double>>::Acc m4;
        };
        struct Near {
            typename Joined<Peaks<double>>::Near m4;
        };
        struct Told {
            typename Joined<Peaks<double>>::Told m4;
        };
        struct Values {
            double m4[R * V];
        };
        using Peaked = double;
        static __device__ __forceinline__ double (&peaked(Values& x))[R * V] { return x.m4; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<double>>::take(a.m4, b.m4); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<double>>::template over_lanes<FROM>(a.m4, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<double>>::tell(a.m4)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<double>>::heard(a.m4, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<double>::template take<N * V>(all.m4, x.m4);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            x.m4[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (double)all.m4.top;
        v4 = (double)all.m4.total;
        d4.set(v4);
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
        double a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = syn::subtract(v0, v1);
            const double v3 = syn::exp(v2);
            a4[c] = v3;
        }
        Sum<double>::template take<V>(folds.f4, a4, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = syn::subtract(v0, v1);
            const double v3 = syn::exp(v2);
            const double v5 = d4.of(v3);
            y0.set(c, v5);
        }
        at.write(1, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_700bff7be3c14b2c, syntonic::Rows_700bff7be3c14b2c, 2, 2)
SYNTONIC_ROWS_HELD(rows_700bff7be3c14b2c, syntonic::Rows_700bff7be3c14b2c, 2, 2, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_700bff7be3c14b2c, syntonic::Rows_700bff7be3c14b2c, 2, 2, 8, 2)
SYNTONIC_ROWS_STREAM(rows_700bff7be3c14b2c_stream, syntonic::Rows_700bff7be3c14b2c, 2, 2, 16, 512, 1, 512, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_700bff7be3c14b2c_once, syntonic::Rows_700bff7be3c14b2c, 2, 2, 16, 512, 1, 512, AGAIN, ONCE)
SYNTONIC_ROWS_ACROSS(rows_700bff7be3c14b2c, syntonic::Rows_700bff7be3c14b2c, 2, 8)
SYNTONIC_ROWS_PASSES(rows_700bff7be3c14b2c_passes, syntonic::Rows_700bff7be3c14b2c, 2, 2, 4, 512, 2)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_731904abd85d8cb7 {
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
    RowVector<double, V> h17[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fa6e4e26d4801f7ull));
        v12 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v15 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v19 = syn::cast<double>(int64_t(p.length));
        v25 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f18;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k17;
        double a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v5, v4);
            const double v8 = syn::multiply(v7, v4);
            const double v9 = syn::square(v4);
            const double v10 = syn::multiply(v8, v9);
            const double v11 = syn::add(v4, v10);
            const double v13 = syn::multiply(v12, v11);
            const double v14 = syn::tanh(v13);
            const double v16 = syn::add(v14, v15);
            const double v17 = syn::multiply(v6, v16);
            k17.set(c, v17);
            a18[c] = v17;
        }
        at.template keep<double>(0, k17, h17);
        row_take<Sum<double>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<double>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<double>::finish(room.template get<Sum<double>, 0>(a18));
        v20 = syn::divide(v18, v19);
    }
    struct Folds1 {
        typename Sum<double>::Thread f23;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k17 = at.template kept<double>(0, h17);
        double a23[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v17 = k17.lane(c);
            const double v21 = syn::subtract(v17, v20);
            const double v22 = syn::square(v21);
            a23[c] = v22;
        }
        row_take<Sum<double>, V>(at, folds.f23, a23, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a23 = row_gathered<Sum<double>>(folds.f23, room, any, position);
        room.template put<0>(a23);
        room.meet();
        v23 = Sum<double>::finish(room.template get<Sum<double>, 0>(a23));
        v24 = syn::divide(v23, v19);
        v26 = syn::add(v24, v25);
        v27 = syn::rsqrt(v26);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k17 = at.template kept<double>(0, h17);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v17 = k17.lane(c);
            const double v21 = syn::subtract(v17, v20);
            const double v28 = syn::multiply(v21, v27);
            const double v29 = syn::multiply(v28, v2);
            const double v30 = syn::add(v29, v3);
            y0.set(c, v30);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_731904abd85d8cb7, syntonic::Rows_731904abd85d8cb7, 5, 2)
SYNTONIC_ROWS_HELD(rows_731904abd85d8cb7, syntonic::Rows_731904abd85d8cb7, 5, 2, 4, 512, 1)

// LAYER_NORM(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_78234be99a39bda0 {
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
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::cast<double>(int64_t(p.length));
        v10 = syn::cast<double>(p.number[1]);
        v13 = syn::cast<double>(p.number[0]);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(1, h1);
        at.template load<double>(2, h2);
    }
    struct Folds0 {
        typename Sum<double>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a3[c] = v0;
        }
        row_take<Sum<double>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<double>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<double>::finish(room.template get<Sum<double>, 0>(a3));
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<double>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::square(v6);
            a8[c] = v7;
        }
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<double>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<double>::finish(room.template get<Sum<double>, 0>(a8));
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, true>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v15 = syn::multiply(v6, v14);
            const double v16 = syn::multiply(v15, v1);
            const double v17 = syn::add(v16, v2);
            y0.set(c, v17);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m3;
        };
        struct Near {
            typename Spreads::Near m3;
        };
        struct Told {
            typename Spreads::Told m3;
        };
        struct Values {
            double m3[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m3, b.m3); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m3, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m3)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m3, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m3, x.m3);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            x.m3[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v3 = (double)all.m3.sum;
        v5 = syn::divide(v3, v4);
        v8 = (double)all.m3.squares;
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_78234be99a39bda0, syntonic::Rows_78234be99a39bda0, 4, 2)
SYNTONIC_ROWS_HELD(rows_78234be99a39bda0, syntonic::Rows_78234be99a39bda0, 4, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_78234be99a39bda0, syntonic::Rows_78234be99a39bda0, 4, 2, 8, 4)

// CYCLE(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_84ed055d83e09928 {
    double v4;
    double v5;
    bool v6;
    double v7;
    double v8;
    double v11;
    double v13;
    double v14;
    bool v15;
    double v16;
    double v17;
    double v18;
    double v19;
    double v20;
    double v21;
    double v22;
    double v24;
    double v27;
    double v28;
    double v29;
    double v32;
    double v36;
    double v37;
    bool v38;
    double v39;
    double v40;
    double v43;
    double v45;
    double v46;
    bool v47;
    double v48;
    double v49;
    double v50;
    RowDivisor<double> d8;
    RowDivisor<double> d40;
    RowVector<double, V> h34[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    static constexpr int PASSES = 4;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = true;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v14 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v16 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v19 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v21 = syn::bits_as<double>(uint64_t(0x3fd8722191a02d61ull));
        v24 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v27 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v29 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v32 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v37 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v39 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v46 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v48 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<double>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<3>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<4>, const At& at) {
    }
    struct Folds0 {
        typename Max<double>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v3 = syn::abs(v0);
            a4[c] = v3;
        }
        row_take<Max<double>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Max<double>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Max<double>::finish(room.template get<Max<double>, 0>(a4));
        v6 = syn::greater(v4, v5);
        v8 = syn::where(v6, v4, v7);
        d8.set(v8);
    }
    struct Folds1 {
        typename Sum<double>::Thread f11;
        typename Sum<double>::Thread f13;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        double a11[V];
        double a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v2 = x2.lane(c);
            const double v3 = syn::abs(v0);
            const double v9 = d8.near(v3);
            const double v10 = syn::square(v9);
            const double v12 = syn::multiply(v10, v2);
            a11[c] = v10;
            a13[c] = v12;
        }
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<double>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f11, folds.f13, any);
        v11 = Sum<double>::finish(both.first);
        v13 = Sum<double>::finish(both.second);
        v15 = syn::equal(v11, v14);
        v17 = syn::where(v15, v16, v11);
        v18 = syn::divide(v13, v17);
        v20 = syn::subtract(v19, v18);
        v22 = syn::multiply(v20, v21);
        v28 = syn::multiply(v18, v27);
    }
    struct Folds2 {
        typename Max<double>::Thread f36;
    };
    static __device__ __forceinline__ Folds2 start(Pass<2>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<2>, Folds2& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, true>(1, h1);
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        RowVector<double, V> k34;
        double a36[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = x2.lane(c);
            const double v23 = syn::multiply(v22, v1);
            const double v25 = syn::add(v23, v24);
            const double v26 = syn::multiply(v0, v25);
            const double v30 = syn::subtract(v29, v2);
            const double v31 = syn::multiply(v28, v30);
            const double v33 = syn::subtract(v32, v31);
            const double v34 = syn::multiply(v26, v33);
            k34.set(c, v34);
            const double v35 = syn::abs(v34);
            a36[c] = v35;
        }
        at.template keep<double>(0, k34, h34);
        row_take<Max<double>, V>(at, folds.f36, a36, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<2>, Folds2& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a36 = row_gathered<Max<double>>(folds.f36, room, any, position);
        room.template put<0>(a36);
        room.meet();
        v36 = Max<double>::finish(room.template get<Max<double>, 0>(a36));
        v38 = syn::greater(v36, v37);
        v40 = syn::where(v38, v36, v39);
        d40.set(v40);
    }
    struct Folds3 {
        typename Sum<double>::Thread f43;
        typename Sum<double>::Thread f45;
    };
    static __device__ __forceinline__ Folds3 start(Pass<3>) {
        return {Sum<double>::start(), Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<3>, Folds3& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x2 = at.template read<double, false, false>(2, h2);
        const RowVector<double, V> k34 = at.template kept<double>(0, h34);
        double a43[V];
        double a45[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v34 = k34.lane(c);
            const double v35 = syn::abs(v34);
            const double v41 = d40.near(v35);
            const double v42 = syn::square(v41);
            const double v44 = syn::multiply(v42, v2);
            a43[c] = v42;
            a45[c] = v44;
        }
        row_take<Sum<double>, V>(at, folds.f43, a43, ordinal);
        row_take<Sum<double>, V>(at, folds.f45, a45, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<3>, Folds3& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<double>>(room, folds.f43, folds.f45, any);
        v43 = Sum<double>::finish(both.first);
        v45 = Sum<double>::finish(both.second);
        v47 = syn::equal(v43, v46);
        v49 = syn::where(v47, v48, v43);
        v50 = syn::divide(v45, v49);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k34 = at.template kept<double>(0, h34);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v34 = k34.lane(c);
            y0.set(c, v34);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 4, base[4]) = v50;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_84ed055d83e09928, syntonic::Rows_84ed055d83e09928, 5, 2)
SYNTONIC_ROWS_HELD(rows_84ed055d83e09928, syntonic::Rows_84ed055d83e09928, 5, 2, 8, 640, 1)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_8794094cf26d8df0 {
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
    RowVector<double, V> h12[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0xbfe6a09e667f3bcdull));
        v14 = syn::cast<double>(int64_t(p.length));
        v20 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f13;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k12;
        double a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            const double v8 = syn::multiply(v7, v6);
            const double v10 = syn::multiply(v6, v9);
            const double v11 = syn::erfc(v10);
            const double v12 = syn::multiply(v8, v11);
            k12.set(c, v12);
            a13[c] = v12;
        }
        at.template keep<double>(0, k12, h12);
        row_take<Sum<double>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<double>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<double>::finish(room.template get<Sum<double>, 0>(a13));
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<double>::Thread f18;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k12 = at.template kept<double>(0, h12);
        double a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v12 = k12.lane(c);
            const double v16 = syn::subtract(v12, v15);
            const double v17 = syn::square(v16);
            a18[c] = v17;
        }
        row_take<Sum<double>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<double>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<double>::finish(room.template get<Sum<double>, 0>(a18));
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k12 = at.template kept<double>(0, h12);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v12 = k12.lane(c);
            const double v16 = syn::subtract(v12, v15);
            const double v23 = syn::multiply(v16, v22);
            const double v24 = syn::multiply(v23, v2);
            const double v25 = syn::add(v24, v3);
            y0.set(c, v25);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8794094cf26d8df0, syntonic::Rows_8794094cf26d8df0, 5, 2)
SYNTONIC_ROWS_HELD(rows_8794094cf26d8df0, syntonic::Rows_8794094cf26d8df0, 5, 2, 4, 512, 1)

// BATCH_NORM(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_879665581139aaec {
    double v1;
    double v2;
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
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const double>(p, 1, base[1]);
        v2 = *row_address<const double>(p, 2, base[2]);
        v4 = syn::cast<double>(int64_t(p.length));
        v10 = syn::cast<double>(p.number[1]);
        v13 = syn::cast<double>(p.number[0]);
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
        typename Sum<double>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            a3[c] = v0;
        }
        row_take<Sum<double>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<double>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<double>::finish(room.template get<Sum<double>, 0>(a3));
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<double>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v7 = syn::square(v6);
            a8[c] = v7;
        }
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<double>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<double>::finish(room.template get<Sum<double>, 0>(a8));
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
        v15 = syn::multiply(v14, v1);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v6 = syn::subtract(v0, v5);
            const double v16 = syn::multiply(v6, v15);
            const double v17 = syn::add(v16, v2);
            y0.set(c, v17);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<double>(p, 4, base[4]) = v5;
        *row_address<double>(p, 5, base[5]) = v9;
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m3;
        };
        struct Near {
            typename Spreads::Near m3;
        };
        struct Told {
            typename Spreads::Told m3;
        };
        struct Values {
            double m3[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m3, b.m3); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m3, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m3)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m3, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m3, x.m3);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            x.m3[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v3 = (double)all.m3.sum;
        v5 = syn::divide(v3, v4);
        v8 = (double)all.m3.squares;
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
        v15 = syn::multiply(v14, v1);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2)
SYNTONIC_ROWS_HELD(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 8, 4)
SYNTONIC_ROW_COLUMNS(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 8, 3)
SYNTONIC_ROW_RING(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 8)
SYNTONIC_ROW_CLUSTER(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 8)
SYNTONIC_ROW_COLUMN_RING(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 8)
SYNTONIC_ROWS_FEW(rows_879665581139aaec, syntonic::Rows_879665581139aaec, 6, 2, 16)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_8b71a968f889c95e {
    double v4;
    double v7;
    double v8;
    double v9;
    double v12;
    double v13;
    double v14;
    double v15;
    double v16;
    RowVector<double, V> h6[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v8 = syn::cast<double>(int64_t(p.length));
        v14 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k6;
        double a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            k6.set(c, v6);
            a7[c] = v6;
        }
        at.template keep<double>(0, k6, h6);
        row_take<Sum<double>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<double>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<double>::finish(room.template get<Sum<double>, 0>(a7));
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
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
        v13 = syn::divide(v12, v8);
        v15 = syn::add(v13, v14);
        v16 = syn::rsqrt(v15);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k6 = at.template kept<double>(0, h6);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v6 = k6.lane(c);
            const double v10 = syn::subtract(v6, v9);
            const double v17 = syn::multiply(v10, v16);
            const double v18 = syn::multiply(v17, v2);
            const double v19 = syn::add(v18, v3);
            y0.set(c, v19);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8b71a968f889c95e, syntonic::Rows_8b71a968f889c95e, 5, 2)
SYNTONIC_ROWS_HELD(rows_8b71a968f889c95e, syntonic::Rows_8b71a968f889c95e, 5, 2, 4, 512, 1)

// SYNTONIC_SOFTMAX_PROVIDED_OR_ZERO(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_8e09b26e77df0097 {
    double v3;
    double v6;
    double v7;
    bool v8;
    double v9;
    double v10;
    double v13;
    double v14;
    bool v15;
    double v16;
    double v17;
    RowDivisor<double> d17;
    RowVector<double, V> h5[R];
    RowVector<double, V> h12[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<double>(p.number[0]);
        v7 = syn::bits_as<double>(uint64_t(0xfff0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v14 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v16 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
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
        typename Max<double>::Thread f6;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k5;
        double a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            k5.set(c, v5);
            a6[c] = v5;
        }
        at.template keep<double>(0, k5, h5);
        row_take<Max<double>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Max<double>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Max<double>::finish(room.template get<Max<double>, 0>(a6));
        v8 = syn::equal(v6, v7);
        v10 = syn::where(v8, v9, v6);
    }
    struct Folds1 {
        typename Sum<double>::Thread f13;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k5 = at.template kept<double>(0, h5);
        RowVector<double, V> k12;
        double a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v5 = k5.lane(c);
            const double v11 = syn::subtract(v5, v10);
            const double v12 = syn::exp(v11);
            k12.set(c, v12);
            a13[c] = v12;
        }
        at.template keep<double>(0, k12, h12);
        row_take<Sum<double>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<double>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<double>::finish(room.template get<Sum<double>, 0>(a13));
        v15 = syn::equal(v13, v14);
        v17 = syn::where(v15, v16, v13);
        d17.set(v17);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k12 = at.template kept<double>(0, h12);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v12 = k12.lane(c);
            const double v18 = d17.of(v12);
            y0.set(c, v18);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<double>>::Acc m13;
        };
        struct Near {
            typename Joined<Peaks<double>>::Near m13;
        };
        struct Told {
            typename Joined<Peaks<double>>::Told m13;
        };
        struct Values {
            double m13[R * V];
        };
        using Peaked = double;
        static __device__ __forceinline__ double (&peaked(Values& x))[R * V] { return x.m13; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<double>>::take(a.m13, b.m13); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<double>>::template over_lanes<FROM>(a.m13, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<double>>::tell(a.m13)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<double>>::heard(a.m13, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<double>::template take<N * V>(all.m13, x.m13);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k5;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            k5.set(c, v5);
            x.m13[at.k * V + c] = v5;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v6 = (double)all.m13.top;
        v8 = syn::equal(v6, v7);
        v10 = syn::where(v8, v9, v6);
        v13 = (double)all.m13.total;
        v15 = syn::equal(v13, v14);
        v17 = syn::where(v15, v16, v13);
        d17.set(v17);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            a6[c] = v5;
        }
        Max<double>::template take<V>(folds.f6, a6, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            const double v11 = syn::subtract(v5, v10);
            const double v12 = syn::exp(v11);
            a13[c] = v12;
        }
        Sum<double>::template take<V>(folds.f13, a13, ordinal);
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
            const double v2 = syn::row_log(v1);
            const double v4 = syn::multiply(v2, v3);
            const double v5 = syn::add(v0, v4);
            const double v11 = syn::subtract(v5, v10);
            const double v12 = syn::exp(v11);
            const double v18 = d17.of(v12);
            y0.set(c, v18);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_8e09b26e77df0097, syntonic::Rows_8e09b26e77df0097, 3, 2)
SYNTONIC_ROWS_HELD(rows_8e09b26e77df0097, syntonic::Rows_8e09b26e77df0097, 3, 2, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_8e09b26e77df0097, syntonic::Rows_8e09b26e77df0097, 3, 2, 4, 2)
SYNTONIC_ROWS_STREAM(rows_8e09b26e77df0097_stream, syntonic::Rows_8e09b26e77df0097, 3, 2, 16, 512, 1, 512, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_8e09b26e77df0097_once, syntonic::Rows_8e09b26e77df0097, 3, 2, 16, 512, 1, 512, AGAIN, ONCE)
SYNTONIC_ROWS_STREAM(rows_8e09b26e77df0097_pair, syntonic::Rows_8e09b26e77df0097, 3, 2, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_8e09b26e77df0097, syntonic::Rows_8e09b26e77df0097, 3, 8)
SYNTONIC_ROWS_PASSES(rows_8e09b26e77df0097_passes, syntonic::Rows_8e09b26e77df0097, 3, 2, 4, 512, 2)

// SYNTONIC_SOFTMAX(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_acaff8e186225b73 {
    double v2;
    double v5;
    double v8;
    RowDivisor<double> d8;
    RowVector<double, V> h4[R];
    RowVector<double, V> h7[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(p.number[0]);
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
        typename Max<double>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k4;
        double a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<double>(0, k4, h4);
        row_take<Max<double>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Max<double>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Max<double>::finish(room.template get<Max<double>, 0>(a5));
    }
    struct Folds1 {
        typename Sum<double>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        RowVector<double, V> k7;
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v4 = k4.lane(c);
            const double v6 = syn::subtract(v4, v5);
            const double v7 = syn::exp(v6);
            k7.set(c, v7);
            a8[c] = v7;
        }
        at.template keep<double>(0, k7, h7);
        row_take<Sum<double>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<double>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<double>::finish(room.template get<Sum<double>, 0>(a8));
        d8.set(v8);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k7 = at.template kept<double>(0, h7);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v7 = k7.lane(c);
            const double v9 = d8.of(v7);
            y0.set(c, v9);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<double>>::Acc m8;
        };
        struct Near {
            typename Joined<Peaks<double>>::Near m8;
        };
        struct Told {
            typename Joined<Peaks<double>>::Told m8;
        };
        struct Values {
            double m8[R * V];
        };
        using Peaked = double;
        static __device__ __forceinline__ double (&peaked(Values& x))[R * V] { return x.m8; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<double>>::take(a.m8, b.m8); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<double>>::template over_lanes<FROM>(a.m8, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<double>>::tell(a.m8)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<double>>::heard(a.m8, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<double>::template take<N * V>(all.m8, x.m8);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k4;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            k4.set(c, v4);
            x.m8[at.k * V + c] = v4;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v5 = (double)all.m8.top;
        v8 = (double)all.m8.total;
        d8.set(v8);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            a5[c] = v4;
        }
        Max<double>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            const double v6 = syn::subtract(v4, v5);
            const double v7 = syn::exp(v6);
            a8[c] = v7;
        }
        Sum<double>::template take<V>(folds.f8, a8, ordinal);
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
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            const double v6 = syn::subtract(v4, v5);
            const double v7 = syn::exp(v6);
            const double v9 = d8.of(v7);
            y0.set(c, v9);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_acaff8e186225b73, syntonic::Rows_acaff8e186225b73, 3, 2)
SYNTONIC_ROWS_HELD(rows_acaff8e186225b73, syntonic::Rows_acaff8e186225b73, 3, 2, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_acaff8e186225b73, syntonic::Rows_acaff8e186225b73, 3, 2, 4, 2)
SYNTONIC_ROWS_STREAM(rows_acaff8e186225b73_stream, syntonic::Rows_acaff8e186225b73, 3, 2, 16, 512, 1, 512, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_acaff8e186225b73_once, syntonic::Rows_acaff8e186225b73, 3, 2, 16, 512, 1, 512, AGAIN, ONCE)
SYNTONIC_ROWS_STREAM(rows_acaff8e186225b73_pair, syntonic::Rows_acaff8e186225b73, 3, 2, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_acaff8e186225b73, syntonic::Rows_acaff8e186225b73, 3, 8)
SYNTONIC_ROWS_PASSES(rows_acaff8e186225b73_passes, syntonic::Rows_acaff8e186225b73, 3, 2, 4, 512, 2)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_b716feb7a67898c5 {
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
    RowVector<double, V> h10[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v12 = syn::cast<double>(int64_t(p.length));
        v18 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k10;
        double a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v5 = syn::multiply(v1, v4);
            const double v6 = syn::add(v0, v5);
            const bool v8 = syn::less_equal(v6, v7);
            const double v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<double>(0, k10, h10);
        row_take<Sum<double>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<double>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<double>::finish(room.template get<Sum<double>, 0>(a11));
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<double>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k10 = at.template kept<double>(0, h10);
        double a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v15 = syn::square(v14);
            a16[c] = v15;
        }
        row_take<Sum<double>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a16 = row_gathered<Sum<double>>(folds.f16, room, any, position);
        room.template put<0>(a16);
        room.meet();
        v16 = Sum<double>::finish(room.template get<Sum<double>, 0>(a16));
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k10 = at.template kept<double>(0, h10);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v10 = k10.lane(c);
            const double v14 = syn::subtract(v10, v13);
            const double v21 = syn::multiply(v14, v20);
            const double v22 = syn::multiply(v21, v2);
            const double v23 = syn::add(v22, v3);
            y0.set(c, v23);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_b716feb7a67898c5, syntonic::Rows_b716feb7a67898c5, 5, 2)
SYNTONIC_ROWS_HELD(rows_b716feb7a67898c5, syntonic::Rows_b716feb7a67898c5, 5, 2, 4, 512, 1)

// DIFFERENTIATE_NOISY(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_bd1ab9fa4de7b3d7 {
    double v2;
    double v5;
    double v6;
    double v7;
    double v8;
    double v10;
    double v13;
    double v14;
    double v15;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const double>(p, 2, base[2]);
        v5 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v6 = syn::subtract(v5, v2);
        v7 = syn::bits_as<double>(uint64_t(0x3fd8722191a02d61ull));
        v8 = syn::multiply(v6, v7);
        v10 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v13 = syn::cast<double>(p.number[0]);
        v14 = syn::multiply(v13, v6);
        v15 = syn::bits_as<double>(uint64_t(0xbfc3c6ef372fe950ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
        at.template fetch<double, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
        at.template load<double>(3, h3);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        const RowVector<double, V> x3 = at.template read<double, false, false>(3, h3);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = x3.lane(c);
            const double v4 = syn::sqrt(v1);
            const double v9 = syn::multiply(v8, v4);
            const double v11 = syn::add(v9, v10);
            const double v12 = syn::multiply(v0, v11);
            const double v16 = syn::multiply(v1, v15);
            const double v17 = syn::exp(v16);
            const double v18 = syn::multiply(v14, v17);
            const double v19 = syn::multiply(v18, v3);
            const double v20 = syn::add(v12, v19);
            y0.set(c, v20);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_bd1ab9fa4de7b3d7, syntonic::Rows_bd1ab9fa4de7b3d7, 5, 2)
SYNTONIC_ROWS_HELD(rows_bd1ab9fa4de7b3d7, syntonic::Rows_bd1ab9fa4de7b3d7, 5, 2, 2, 512, 1)

// BATCH_NORM_EVAL_PLAIN(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_c388b97bfabd4ebf {
    double v1;
    double v2;
    double v4;
    double v5;
    double v6;
    double v7;
    double v8;
    RowVector<double, V> h0[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const double>(p, 1, base[1]);
        v2 = *row_address<const double>(p, 2, base[2]);
        v4 = syn::cast<double>(p.number[1]);
        v5 = syn::add(v2, v4);
        v6 = syn::rsqrt(v5);
        v7 = syn::cast<double>(p.number[0]);
        v8 = syn::multiply(v6, v7);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v3 = syn::subtract(v0, v1);
            const double v9 = syn::multiply(v3, v8);
            y0.set(c, v9);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c388b97bfabd4ebf, syntonic::Rows_c388b97bfabd4ebf, 4, 2)
SYNTONIC_ROWS_HELD(rows_c388b97bfabd4ebf, syntonic::Rows_c388b97bfabd4ebf, 4, 2, 4, 512, 1)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_ca31e2b1c29a4711 {
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
    RowVector<double, V> h19[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v7 = syn::bits_as<double>(uint64_t(0x3fe0000000000000ull));
        v9 = syn::bits_as<double>(uint64_t(0x3fa6e4e26d4801f7ull));
        v14 = syn::bits_as<double>(uint64_t(0x3fe9884533d43651ull));
        v17 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v21 = syn::cast<double>(int64_t(p.length));
        v27 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f20;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k19;
        double a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const double v6 = syn::multiply(v4, v5);
            const double v8 = syn::multiply(v7, v6);
            const double v10 = syn::multiply(v9, v6);
            const double v11 = syn::square(v6);
            const double v12 = syn::multiply(v10, v11);
            const double v13 = syn::add(v6, v12);
            const double v15 = syn::multiply(v14, v13);
            const double v16 = syn::tanh(v15);
            const double v18 = syn::add(v16, v17);
            const double v19 = syn::multiply(v8, v18);
            k19.set(c, v19);
            a20[c] = v19;
        }
        at.template keep<double>(0, k19, h19);
        row_take<Sum<double>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<double>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<double>::finish(room.template get<Sum<double>, 0>(a20));
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<double>::Thread f25;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k19 = at.template kept<double>(0, h19);
        double a25[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v19 = k19.lane(c);
            const double v23 = syn::subtract(v19, v22);
            const double v24 = syn::square(v23);
            a25[c] = v24;
        }
        row_take<Sum<double>, V>(at, folds.f25, a25, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a25 = row_gathered<Sum<double>>(folds.f25, room, any, position);
        room.template put<0>(a25);
        room.meet();
        v25 = Sum<double>::finish(room.template get<Sum<double>, 0>(a25));
        v26 = syn::divide(v25, v21);
        v28 = syn::add(v26, v27);
        v29 = syn::rsqrt(v28);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k19 = at.template kept<double>(0, h19);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v19 = k19.lane(c);
            const double v23 = syn::subtract(v19, v22);
            const double v30 = syn::multiply(v23, v29);
            const double v31 = syn::multiply(v30, v2);
            const double v32 = syn::add(v31, v3);
            y0.set(c, v32);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_ca31e2b1c29a4711, syntonic::Rows_ca31e2b1c29a4711, 5, 2)
SYNTONIC_ROWS_HELD(rows_ca31e2b1c29a4711, syntonic::Rows_ca31e2b1c29a4711, 5, 2, 4, 512, 1)

// phi_residual_layer_norm(f64, f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_d86bd37fe892bb67 {
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
    RowVector<double, V> h8[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    RowVector<double, V> h2[R];
    RowVector<double, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v7 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v10 = syn::cast<double>(int64_t(p.length));
        v16 = syn::cast<double>(p.number[0]);
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<double>(2, h2);
        at.template load<double>(3, h3);
    }
    struct Folds0 {
        typename Sum<double>::Thread f9;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k8;
        double a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v4 = syn::add(v0, v1);
            const bool v6 = syn::less_equal(v4, v5);
            const double v8 = syn::where(v6, v7, v4);
            k8.set(c, v8);
            a9[c] = v8;
        }
        at.template keep<double>(0, k8, h8);
        row_take<Sum<double>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<double>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<double>::finish(room.template get<Sum<double>, 0>(a9));
        v11 = syn::divide(v9, v10);
    }
    struct Folds1 {
        typename Sum<double>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        double a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v8 = k8.lane(c);
            const double v12 = syn::subtract(v8, v11);
            const double v13 = syn::square(v12);
            a14[c] = v13;
        }
        row_take<Sum<double>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a14 = row_gathered<Sum<double>>(folds.f14, room, any, position);
        room.template put<0>(a14);
        room.meet();
        v14 = Sum<double>::finish(room.template get<Sum<double>, 0>(a14));
        v15 = syn::divide(v14, v10);
        v17 = syn::add(v15, v16);
        v18 = syn::rsqrt(v17);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x2 = at.template read<double, false, true>(2, h2);
        const RowVector<double, V> x3 = at.template read<double, false, true>(3, h3);
        const RowVector<double, V> k8 = at.template kept<double>(0, h8);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v2 = x2.lane(c);
            const double v3 = x3.lane(c);
            const double v8 = k8.lane(c);
            const double v12 = syn::subtract(v8, v11);
            const double v19 = syn::multiply(v12, v18);
            const double v20 = syn::multiply(v19, v2);
            const double v21 = syn::add(v20, v3);
            y0.set(c, v21);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d86bd37fe892bb67, syntonic::Rows_d86bd37fe892bb67, 5, 2)
SYNTONIC_ROWS_HELD(rows_d86bd37fe892bb67, syntonic::Rows_d86bd37fe892bb67, 5, 2, 4, 512, 1)

// SYNTONIC_SOFTMAX_OR_ZERO(f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_da2d7b98297f5dc1 {
    double v2;
    double v5;
    double v6;
    bool v7;
    double v8;
    double v9;
    double v12;
    double v13;
    bool v14;
    double v15;
    double v16;
    RowDivisor<double> d16;
    RowVector<double, V> h4[R];
    RowVector<double, V> h11[R];
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<double>(p.number[0]);
        v6 = syn::bits_as<double>(uint64_t(0xfff0000000000000ull));
        v8 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v13 = syn::bits_as<double>(uint64_t(0x0000000000000000ull));
        v15 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
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
        typename Max<double>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k4;
        double a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<double>(0, k4, h4);
        row_take<Max<double>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Max<double>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Max<double>::finish(room.template get<Max<double>, 0>(a5));
        v7 = syn::equal(v5, v6);
        v9 = syn::where(v7, v8, v5);
    }
    struct Folds1 {
        typename Sum<double>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<double>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> k4 = at.template kept<double>(0, h4);
        RowVector<double, V> k11;
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v4 = k4.lane(c);
            const double v10 = syn::subtract(v4, v9);
            const double v11 = syn::exp(v10);
            k11.set(c, v11);
            a12[c] = v11;
        }
        at.template keep<double>(0, k11, h11);
        row_take<Sum<double>, V>(at, folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a12 = row_gathered<Sum<double>>(folds.f12, room, any, position);
        room.template put<0>(a12);
        room.meet();
        v12 = Sum<double>::finish(room.template get<Sum<double>, 0>(a12));
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        d16.set(v16);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> k11 = at.template kept<double>(0, h11);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v11 = k11.lane(c);
            const double v17 = d16.of(v11);
            y0.set(c, v17);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<double>>::Acc m12;
        };
        struct Near {
            typename Joined<Peaks<double>>::Near m12;
        };
        struct Told {
            typename Joined<Peaks<double>>::Told m12;
        };
        struct Values {
            double m12[R * V];
        };
        using Peaked = double;
        static __device__ __forceinline__ double (&peaked(Values& x))[R * V] { return x.m12; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<double>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<double>>::take(a.m12, b.m12); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<double>>::template over_lanes<FROM>(a.m12, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<double>>::tell(a.m12)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<double>>::heard(a.m12, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<double>::template take<N * V>(all.m12, x.m12);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> k4;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            k4.set(c, v4);
            x.m12[at.k * V + c] = v4;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v5 = (double)all.m12.top;
        v7 = syn::equal(v5, v6);
        v9 = syn::where(v7, v8, v5);
        v12 = (double)all.m12.total;
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        d16.set(v16);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            a5[c] = v4;
        }
        Max<double>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        double a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            const double v10 = syn::subtract(v4, v9);
            const double v11 = syn::exp(v10);
            a12[c] = v11;
        }
        Sum<double>::template take<V>(folds.f12, a12, ordinal);
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
            const double v3 = syn::multiply(v1, v2);
            const double v4 = syn::add(v0, v3);
            const double v10 = syn::subtract(v4, v9);
            const double v11 = syn::exp(v10);
            const double v17 = d16.of(v11);
            y0.set(c, v17);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_da2d7b98297f5dc1, syntonic::Rows_da2d7b98297f5dc1, 3, 2)
SYNTONIC_ROWS_HELD(rows_da2d7b98297f5dc1, syntonic::Rows_da2d7b98297f5dc1, 3, 2, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_da2d7b98297f5dc1, syntonic::Rows_da2d7b98297f5dc1, 3, 2, 4, 2)
SYNTONIC_ROWS_STREAM(rows_da2d7b98297f5dc1_stream, syntonic::Rows_da2d7b98297f5dc1, 3, 2, 16, 512, 1, 512, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_da2d7b98297f5dc1_once, syntonic::Rows_da2d7b98297f5dc1, 3, 2, 16, 512, 1, 512, AGAIN, ONCE)
SYNTONIC_ROWS_STREAM(rows_da2d7b98297f5dc1_pair, syntonic::Rows_da2d7b98297f5dc1, 3, 2, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_da2d7b98297f5dc1, syntonic::Rows_da2d7b98297f5dc1, 3, 8)
SYNTONIC_ROWS_PASSES(rows_da2d7b98297f5dc1_passes, syntonic::Rows_da2d7b98297f5dc1, 3, 2, 4, 512, 2)

// HARMONIZE(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_db98d88a8d958425 {
    double v2;
    double v3;
    double v4;
    double v5;
    double v8;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const double>(p, 2, base[2]);
        v3 = syn::bits_as<double>(uint64_t(0x3fe3c6ef372fe950ull));
        v4 = syn::multiply(v2, v3);
        v5 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v8 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v6 = syn::subtract(v5, v1);
            const double v7 = syn::multiply(v4, v6);
            const double v9 = syn::subtract(v8, v7);
            const double v10 = syn::multiply(v0, v9);
            y0.set(c, v10);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_db98d88a8d958425, syntonic::Rows_db98d88a8d958425, 4, 2)
SYNTONIC_ROWS_HELD(rows_db98d88a8d958425, syntonic::Rows_db98d88a8d958425, 4, 2, 2, 512, 1)

// DIFFERENTIATE(f64, f64, f64)
namespace syntonic {
template <int V, int R> struct Rows_e6d32647d1f29d7e {
    double v2;
    double v4;
    double v5;
    double v6;
    double v7;
    double v9;
    RowVector<double, V> h0[R];
    RowVector<double, V> h1[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const double>(p, 2, base[2]);
        v4 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
        v5 = syn::subtract(v4, v2);
        v6 = syn::bits_as<double>(uint64_t(0x3fd8722191a02d61ull));
        v7 = syn::multiply(v5, v6);
        v9 = syn::bits_as<double>(uint64_t(0x3ff0000000000000ull));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<double, true>(0);
        at.template fetch<double, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<double>(0, h0);
        at.template load<double>(1, h1);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<double, V> x0 = at.template read<double, true, false>(0, h0);
        const RowVector<double, V> x1 = at.template read<double, false, false>(1, h1);
        RowVector<double, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const double v0 = x0.lane(c);
            const double v1 = x1.lane(c);
            const double v3 = syn::sqrt(v1);
            const double v8 = syn::multiply(v7, v3);
            const double v10 = syn::add(v8, v9);
            const double v11 = syn::multiply(v0, v10);
            y0.set(c, v11);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_e6d32647d1f29d7e, syntonic::Rows_e6d32647d1f29d7e, 4, 2)
SYNTONIC_ROWS_HELD(rows_e6d32647d1f29d7e, syntonic::Rows_e6d32647d1f29d7e, 4, 2, 2, 512, 2)
