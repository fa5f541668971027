// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"

// NORM_MAX(f16)
namespace syntonic {
template <int V, int R> struct Rows_0add7a3a6df37e2f {
    float v3;
    syn::f16 v4;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        row_take<Max<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Max<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Max<float>::finish(room.template get<Max<float>, 0>(a3));
        v4 = syn::cast<syn::f16>(v3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v4;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Max<float>::template take<V>(folds.f3, a3, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_0add7a3a6df37e2f, syntonic::Rows_0add7a3a6df37e2f, 2, 8)
SYNTONIC_ROWS_HELD(rows_0add7a3a6df37e2f, syntonic::Rows_0add7a3a6df37e2f, 2, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_0add7a3a6df37e2f_passes, syntonic::Rows_0add7a3a6df37e2f, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_0add7a3a6df37e2f_passes_single, syntonic::Rows_0add7a3a6df37e2f, 2, 1, 8, 512, 2)

// EXPECTED_ACCURACY(f16, f16, f16, f16)
namespace syntonic {
template <int V, int R> struct Rows_14c8852ff7fe6afd {
    float v10;
    float v13;
    float v15;
    float v18;
    float v21;
    float v26;
    double v27;
    double v28;
    double v29;
    float v30;
    float v31;
    float v32;
    float v33;
    syn::f16 v34;
    RowVector<syn::f16, V> h0[R];
    RowVector<syn::f16, V> h2[R];
    RowVector<syn::f16, V> h4[R];
    RowVector<syn::f16, V> h6[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v10 = syn::bits_as<float>(0x00000000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v15 = syn::bits_as<float>(0x00000000u);
        v18 = syn::bits_as<float>(0x00000000u);
        v21 = syn::bits_as<float>(0x7f800000u);
        v27 = syn::cast<double>(int64_t(p.length));
        v28 = syn::bits_as<double>(uint64_t(0x3ffd67f1c864beb5ull));
        v29 = syn::multiply(v27, v28);
        v30 = syn::cast<float>(v29);
        v32 = syn::bits_as<float>(0xbf000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
        at.template fetch<syn::f16, false>(1);
        at.template fetch<syn::f16, false>(2);
        at.template fetch<syn::f16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
        at.template load<syn::f16>(2, h4);
        at.template load<syn::f16>(3, h6);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f26;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        const RowVector<syn::f16, V> x4 = at.template read<syn::f16, false, false>(2, h4);
        const RowVector<syn::f16, V> x6 = at.template read<syn::f16, false, false>(3, h6);
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::f16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::f16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::subtract(v1, v3);
            const float v9 = syn::multiply(v5, v8);
            const bool v11 = syn::equal(v8, v10);
            const float v12 = syn::multiply(v9, v8);
            const float v14 = syn::where(v11, v13, v12);
            const bool v16 = syn::equal(v7, v15);
            const float v17 = syn::multiply(v5, v7);
            const float v19 = syn::where(v16, v18, v17);
            const float v20 = syn::add(v14, v19);
            const bool v22 = syn::equal(v20, v21);
            const float v23 = syn::log(v5);
            const float v24 = syn::subtract(v20, v23);
            const float v25 = syn::where(v22, v20, v24);
            a26[c] = v25;
        }
        row_take<Sum<float>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a26 = row_gathered<Sum<float>>(folds.f26, room, any, position);
        room.template put<0>(a26);
        room.meet();
        v26 = Sum<float>::finish(room.template get<Sum<float>, 0>(a26));
        v31 = syn::add(v26, v30);
        v33 = syn::multiply(v32, v31);
        v34 = syn::cast<syn::f16>(v33);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 4, base[4]) = v34;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
        at.template load<syn::f16>(2, h4);
        at.template load<syn::f16>(3, h6);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        const RowVector<syn::f16, V> x4 = at.template read<syn::f16, false, false>(2, h4);
        const RowVector<syn::f16, V> x6 = at.template read<syn::f16, false, false>(3, h6);
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::f16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::f16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::subtract(v1, v3);
            const float v9 = syn::multiply(v5, v8);
            const bool v11 = syn::equal(v8, v10);
            const float v12 = syn::multiply(v9, v8);
            const float v14 = syn::where(v11, v13, v12);
            const bool v16 = syn::equal(v7, v15);
            const float v17 = syn::multiply(v5, v7);
            const float v19 = syn::where(v16, v18, v17);
            const float v20 = syn::add(v14, v19);
            const bool v22 = syn::equal(v20, v21);
            const float v23 = syn::log(v5);
            const float v24 = syn::subtract(v20, v23);
            const float v25 = syn::where(v22, v20, v24);
            a26[c] = v25;
        }
        Sum<float>::template take<V>(folds.f26, a26, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_14c8852ff7fe6afd, syntonic::Rows_14c8852ff7fe6afd, 5, 8)
SYNTONIC_ROWS_HELD(rows_14c8852ff7fe6afd, syntonic::Rows_14c8852ff7fe6afd, 5, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_14c8852ff7fe6afd_passes, syntonic::Rows_14c8852ff7fe6afd, 5, 8, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_14c8852ff7fe6afd_passes_single, syntonic::Rows_14c8852ff7fe6afd, 5, 1, 2, 512, 2)

// COUNT_NONZERO(f16)
namespace syntonic {
template <int V, int R> struct Rows_3bb46360e91e3460 {
    int64_t v5;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return operand <= 0 ? 2 : 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<bool>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<bool>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        bool a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const bool v2 = syn::cast<bool>(v1);
            const bool v3 = syn::logical_not(v2);
            const bool v4 = syn::logical_not(v3);
            a5[c] = v4;
        }
        row_take<Sum<bool>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Sum<bool>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Sum<bool>::finish(room.template get<Sum<bool>, 0>(a5));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<int64_t>(p, 1, base[1]) = v5;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        bool a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const bool v2 = syn::cast<bool>(v1);
            const bool v3 = syn::logical_not(v2);
            const bool v4 = syn::logical_not(v3);
            a5[c] = v4;
        }
        Sum<bool>::template take<V>(folds.f5, a5, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3bb46360e91e3460, syntonic::Rows_3bb46360e91e3460, 2, 8)
SYNTONIC_ROWS_HELD(rows_3bb46360e91e3460, syntonic::Rows_3bb46360e91e3460, 2, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_3bb46360e91e3460_passes, syntonic::Rows_3bb46360e91e3460, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_3bb46360e91e3460_passes_single, syntonic::Rows_3bb46360e91e3460, 2, 1, 8, 512, 2)

// KL_DIVERGENCE(f16, f16, f16, f16)
namespace syntonic {
template <int V, int R> struct Rows_42dbc3d4297d567b {
    float v11;
    float v14;
    float v16;
    float v20;
    float v23;
    float v27;
    float v32;
    float v33;
    float v34;
    syn::f16 v35;
    RowVector<syn::f16, V> h0[R];
    RowVector<syn::f16, V> h2[R];
    RowVector<syn::f16, V> h4[R];
    RowVector<syn::f16, V> h6[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v11 = syn::bits_as<float>(0x0da24260u);
        v14 = syn::bits_as<float>(0x00000000u);
        v16 = syn::bits_as<float>(0x7149f2cau);
        v20 = syn::bits_as<float>(0x3f800000u);
        v23 = syn::bits_as<float>(0x3f800000u);
        v27 = syn::bits_as<float>(0x00000000u);
        v33 = syn::bits_as<float>(0x3f000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
        at.template fetch<syn::f16, false>(1);
        at.template fetch<syn::f16, false>(2);
        at.template fetch<syn::f16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
        at.template load<syn::f16>(2, h4);
        at.template load<syn::f16>(3, h6);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f32;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        const RowVector<syn::f16, V> x4 = at.template read<syn::f16, false, false>(2, h4);
        const RowVector<syn::f16, V> x6 = at.template read<syn::f16, false, false>(3, h6);
        float a32[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::f16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::f16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::subtract(v1, v3);
            const float v9 = syn::abs(v7);
            const float v10 = syn::divide(v5, v9);
            const float v12 = syn::subtract(v10, v11);
            const float v13 = syn::minimum(v12, v7);
            const bool v15 = syn::less_equal(v13, v14);
            const float v17 = syn::minimum(v10, v16);
            const float v18 = syn::where(v15, v5, v17);
            const float v19 = syn::log(v18);
            const float v21 = syn::where(v15, v7, v20);
            const float v22 = syn::log_but_of_one(v21);
            const float v24 = syn::subtract(v10, v23);
            const float v25 = syn::subtract(v19, v22);
            const float v26 = syn::subtract(v24, v25);
            const float v28 = syn::maximum(v26, v27);
            const float v29 = syn::divide(v8, v7);
            const float v30 = syn::multiply(v8, v29);
            const float v31 = syn::add(v28, v30);
            a32[c] = v31;
        }
        row_take<Sum<float>, V>(at, folds.f32, a32, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a32 = row_gathered<Sum<float>>(folds.f32, room, any, position);
        room.template put<0>(a32);
        room.meet();
        v32 = Sum<float>::finish(room.template get<Sum<float>, 0>(a32));
        v34 = syn::multiply(v33, v32);
        v35 = syn::cast<syn::f16>(v34);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 4, base[4]) = v35;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
        at.template load<syn::f16>(2, h4);
        at.template load<syn::f16>(3, h6);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        const RowVector<syn::f16, V> x4 = at.template read<syn::f16, false, false>(2, h4);
        const RowVector<syn::f16, V> x6 = at.template read<syn::f16, false, false>(3, h6);
        float a32[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::f16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::f16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::subtract(v1, v3);
            const float v9 = syn::abs(v7);
            const float v10 = syn::divide(v5, v9);
            const float v12 = syn::subtract(v10, v11);
            const float v13 = syn::minimum(v12, v7);
            const bool v15 = syn::less_equal(v13, v14);
            const float v17 = syn::minimum(v10, v16);
            const float v18 = syn::where(v15, v5, v17);
            const float v19 = syn::log(v18);
            const float v21 = syn::where(v15, v7, v20);
            const float v22 = syn::log_but_of_one(v21);
            const float v24 = syn::subtract(v10, v23);
            const float v25 = syn::subtract(v19, v22);
            const float v26 = syn::subtract(v24, v25);
            const float v28 = syn::maximum(v26, v27);
            const float v29 = syn::divide(v8, v7);
            const float v30 = syn::multiply(v8, v29);
            const float v31 = syn::add(v28, v30);
            a32[c] = v31;
        }
        Sum<float>::template take<V>(folds.f32, a32, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_42dbc3d4297d567b, syntonic::Rows_42dbc3d4297d567b, 5, 8)
SYNTONIC_ROWS_HELD(rows_42dbc3d4297d567b, syntonic::Rows_42dbc3d4297d567b, 5, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_42dbc3d4297d567b_passes, syntonic::Rows_42dbc3d4297d567b, 5, 8, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_42dbc3d4297d567b_passes_single, syntonic::Rows_42dbc3d4297d567b, 5, 1, 2, 512, 2)

// NORM_1(f16)
namespace syntonic {
template <int V, int R> struct Rows_4b82df7f0df3edf2 {
    float v3;
    syn::f16 v4;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        row_take<Sum<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<float>::finish(room.template get<Sum<float>, 0>(a3));
        v4 = syn::cast<syn::f16>(v3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v4;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Sum<float>::template take<V>(folds.f3, a3, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_4b82df7f0df3edf2, syntonic::Rows_4b82df7f0df3edf2, 2, 8)
SYNTONIC_ROWS_HELD(rows_4b82df7f0df3edf2, syntonic::Rows_4b82df7f0df3edf2, 2, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_4b82df7f0df3edf2_passes, syntonic::Rows_4b82df7f0df3edf2, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_4b82df7f0df3edf2_passes_single, syntonic::Rows_4b82df7f0df3edf2, 2, 1, 8, 512, 2)

// NORM_0(f16)
namespace syntonic {
template <int V, int R> struct Rows_5da61886f69c632c {
    float v2;
    int64_t v4;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return operand <= 0 ? 2 : 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
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
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const bool v3 = syn::not_equal(v1, v2);
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
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const bool v3 = syn::not_equal(v1, v2);
            a4[c] = v3;
        }
        Sum<bool>::template take<V>(folds.f4, a4, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5da61886f69c632c, syntonic::Rows_5da61886f69c632c, 2, 8)
SYNTONIC_ROWS_HELD(rows_5da61886f69c632c, syntonic::Rows_5da61886f69c632c, 2, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_5da61886f69c632c_passes, syntonic::Rows_5da61886f69c632c, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_5da61886f69c632c_passes_single, syntonic::Rows_5da61886f69c632c, 2, 1, 8, 512, 2)

// NORM_MIN(f16)
namespace syntonic {
template <int V, int R> struct Rows_7974839e31d7d155 {
    float v3;
    syn::f16 v4;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Min<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Min<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        row_take<Min<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Min<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Min<float>::finish(room.template get<Min<float>, 0>(a3));
        v4 = syn::cast<syn::f16>(v3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v4;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Min<float>::template take<V>(folds.f3, a3, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_7974839e31d7d155, syntonic::Rows_7974839e31d7d155, 2, 8)
SYNTONIC_ROWS_HELD(rows_7974839e31d7d155, syntonic::Rows_7974839e31d7d155, 2, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_7974839e31d7d155_passes, syntonic::Rows_7974839e31d7d155, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_7974839e31d7d155_passes_single, syntonic::Rows_7974839e31d7d155, 2, 1, 8, 512, 2)

// MEAN(f16)
namespace syntonic {
template <int V, int R> struct Rows_99ef276a6e388e7d {
    float v2;
    float v3;
    float v4;
    syn::f16 v5;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<float>(int64_t(p.length));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        row_take<Sum<float>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Sum<float>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Sum<float>::finish(room.template get<Sum<float>, 0>(a2));
        v4 = syn::divide(v2, v3);
        v5 = syn::cast<syn::f16>(v4);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v5;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_99ef276a6e388e7d, syntonic::Rows_99ef276a6e388e7d, 2, 8)
SYNTONIC_ROWS_HELD(rows_99ef276a6e388e7d, syntonic::Rows_99ef276a6e388e7d, 2, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_99ef276a6e388e7d_passes, syntonic::Rows_99ef276a6e388e7d, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_99ef276a6e388e7d_passes_single, syntonic::Rows_99ef276a6e388e7d, 2, 1, 8, 512, 2)

// NORM_2(f16)
namespace syntonic {
template <int V, int R> struct Rows_b4cc9b798207b6f7 {
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
    syn::f16 v21;
    RowDivisor<float> d10;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x00000000u);
        v6 = syn::bits_as<float>(0x7f800000u);
        v9 = syn::bits_as<float>(0x3f800000u);
        v14 = syn::bits_as<float>(0x00000000u);
        v16 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        row_take<Max<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Max<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Max<float>::finish(room.template get<Max<float>, 0>(a3));
        v5 = syn::greater(v3, v4);
        v7 = syn::less(v3, v6);
        v8 = syn::logical_and(v5, v7);
        v10 = syn::where(v8, v3, v9);
        d10.set(v10);
    }
    struct Folds1 {
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            const float v11 = d10.near(v2);
            const float v12 = syn::square(v11);
            a13[c] = v12;
        }
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<float>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<float>::finish(room.template get<Sum<float>, 0>(a13));
        v15 = syn::equal(v13, v14);
        v17 = syn::where(v15, v16, v13);
        v18 = syn::sqrt(v17);
        v19 = syn::where(v15, v13, v18);
        v20 = syn::multiply(v19, v10);
        v21 = syn::cast<syn::f16>(v20);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v21;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            a3[c] = v2;
        }
        Max<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            const float v11 = d10.near(v2);
            const float v12 = syn::square(v11);
            a13[c] = v12;
        }
        Sum<float>::template take<V>(folds.f13, a13, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_b4cc9b798207b6f7, syntonic::Rows_b4cc9b798207b6f7, 2, 8)
SYNTONIC_ROWS_HELD(rows_b4cc9b798207b6f7, syntonic::Rows_b4cc9b798207b6f7, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_b4cc9b798207b6f7_passes, syntonic::Rows_b4cc9b798207b6f7, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_b4cc9b798207b6f7_passes_single, syntonic::Rows_b4cc9b798207b6f7, 2, 1, 8, 512, 2)

// SYNTONY(f16, f16)
namespace syntonic {
template <int V, int R> struct Rows_bdedbaac3e3fba82 {
    float v5;
    float v6;
    bool v7;
    float v8;
    float v9;
    float v12;
    float v14;
    float v15;
    bool v16;
    float v17;
    float v18;
    float v19;
    syn::f16 v20;
    RowDivisor<float> d9;
    RowVector<syn::f16, V> h0[R];
    RowVector<syn::f16, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::bits_as<float>(0x00000000u);
        v8 = syn::bits_as<float>(0x3f800000u);
        v15 = syn::bits_as<float>(0x00000000u);
        v17 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
        at.template fetch<syn::f16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<syn::f16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v4 = syn::abs(v1);
            a5[c] = v4;
        }
        row_take<Max<float>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Max<float>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Max<float>::finish(room.template get<Max<float>, 0>(a5));
        v7 = syn::greater(v5, v6);
        v9 = syn::where(v7, v5, v8);
        d9.set(v9);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
        typename Sum<float>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, true>(1, h2);
        float a12[V];
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::abs(v1);
            const float v10 = d9.near(v4);
            const float v11 = syn::square(v10);
            const float v13 = syn::multiply(v11, v3);
            a12[c] = v11;
            a14[c] = v13;
        }
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<float>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f12, folds.f14, any);
        v12 = Sum<float>::finish(both.first);
        v14 = Sum<float>::finish(both.second);
        v16 = syn::equal(v12, v15);
        v18 = syn::where(v16, v17, v12);
        v19 = syn::divide(v14, v18);
        v20 = syn::cast<syn::f16>(v19);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 2, base[2]) = v20;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v4 = syn::abs(v1);
            a5[c] = v4;
        }
        Max<float>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        float a12[V];
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::abs(v1);
            const float v10 = d9.near(v4);
            const float v11 = syn::square(v10);
            const float v13 = syn::multiply(v11, v3);
            a12[c] = v11;
            a14[c] = v13;
        }
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
        Sum<float>::template take<V>(folds.f14, a14, ordinal);
    }
    using Settles = float;
    __device__ __forceinline__ void unscaled() {
        v9 = float(1);
        d9.set(v9);
    }
    __device__ __forceinline__ bool settles() const { return RowSettled<float>{v5}.by(v12, v14); }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_bdedbaac3e3fba82, syntonic::Rows_bdedbaac3e3fba82, 3, 8)
SYNTONIC_ROWS_HELD(rows_bdedbaac3e3fba82, syntonic::Rows_bdedbaac3e3fba82, 3, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_bdedbaac3e3fba82_passes, syntonic::Rows_bdedbaac3e3fba82, 3, 8, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_bdedbaac3e3fba82_passes_single, syntonic::Rows_bdedbaac3e3fba82, 3, 1, 4, 512, 2)

// LOGSUMEXP(f16)
namespace syntonic {
template <int V, int R> struct Rows_cd35161c82296e11 {
    float v2;
    float v3;
    float v4;
    bool v5;
    float v6;
    float v7;
    float v10;
    float v11;
    float v12;
    syn::f16 v13;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x7f800000u);
        v6 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        row_take<Max<float>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<float>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Max<float>::finish(room.template get<Max<float>, 0>(a2));
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
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v8 = syn::subtract(v1, v7);
            const float v9 = syn::exp(v8);
            a10[c] = v9;
        }
        row_take<Sum<float>, V>(at, folds.f10, a10, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a10 = row_gathered<Sum<float>>(folds.f10, room, any, position);
        room.template put<0>(a10);
        room.meet();
        v10 = Sum<float>::finish(room.template get<Sum<float>, 0>(a10));
        v11 = syn::log(v10);
        v12 = syn::add(v11, v7);
        v13 = syn::cast<syn::f16>(v12);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v13;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v8 = syn::subtract(v1, v7);
            const float v9 = syn::exp(v8);
            a10[c] = v9;
        }
        Sum<float>::template take<V>(folds.f10, a10, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_cd35161c82296e11, syntonic::Rows_cd35161c82296e11, 2, 8)
SYNTONIC_ROWS_HELD(rows_cd35161c82296e11, syntonic::Rows_cd35161c82296e11, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_cd35161c82296e11_passes, syntonic::Rows_cd35161c82296e11, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_cd35161c82296e11_passes_single, syntonic::Rows_cd35161c82296e11, 2, 1, 8, 512, 2)

// CATEGORICAL_KL_DIVERGENCE(f16, f16)
namespace syntonic {
template <int V, int R> struct Rows_daf142d523adda3f {
    float v4;
    float v6;
    float v9;
    float v12;
    float v17;
    float v19;
    float v23;
    float v25;
    float v28;
    syn::f16 v29;
    RowVector<syn::f16, V> h0[R];
    RowVector<syn::f16, V> h2[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x00000000u);
        v6 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x3f800000u);
        v12 = syn::bits_as<float>(0x3f800000u);
        v17 = syn::bits_as<float>(0x00000000u);
        v19 = syn::bits_as<float>(0x00000000u);
        v23 = syn::bits_as<float>(0x7f800000u);
        v25 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
        at.template fetch<syn::f16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f28;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const bool v5 = syn::greater(v1, v4);
            const bool v7 = syn::greater(v3, v6);
            const bool v8 = syn::logical_and(v5, v7);
            const float v10 = syn::where(v8, v1, v9);
            const float v11 = syn::log_but_of_one(v10);
            const float v13 = syn::where(v8, v3, v12);
            const float v14 = syn::log_but_of_one(v13);
            const float v15 = syn::subtract(v11, v14);
            const float v16 = syn::multiply(v1, v15);
            const bool v18 = syn::equal(v1, v17);
            const bool v20 = syn::greater_equal(v3, v19);
            const bool v21 = syn::logical_and(v18, v20);
            const float v22 = syn::multiply(v1, v3);
            const float v24 = syn::add(v23, v22);
            const float v26 = syn::where(v21, v25, v24);
            const float v27 = syn::where(v8, v16, v26);
            a28[c] = v27;
        }
        row_take<Sum<float>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a28 = row_gathered<Sum<float>>(folds.f28, room, any, position);
        room.template put<0>(a28);
        room.meet();
        v28 = Sum<float>::finish(room.template get<Sum<float>, 0>(a28));
        v29 = syn::cast<syn::f16>(v28);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 2, base[2]) = v29;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const bool v5 = syn::greater(v1, v4);
            const bool v7 = syn::greater(v3, v6);
            const bool v8 = syn::logical_and(v5, v7);
            const float v10 = syn::where(v8, v1, v9);
            const float v11 = syn::log_but_of_one(v10);
            const float v13 = syn::where(v8, v3, v12);
            const float v14 = syn::log_but_of_one(v13);
            const float v15 = syn::subtract(v11, v14);
            const float v16 = syn::multiply(v1, v15);
            const bool v18 = syn::equal(v1, v17);
            const bool v20 = syn::greater_equal(v3, v19);
            const bool v21 = syn::logical_and(v18, v20);
            const float v22 = syn::multiply(v1, v3);
            const float v24 = syn::add(v23, v22);
            const float v26 = syn::where(v21, v25, v24);
            const float v27 = syn::where(v8, v16, v26);
            a28[c] = v27;
        }
        Sum<float>::template take<V>(folds.f28, a28, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_daf142d523adda3f, syntonic::Rows_daf142d523adda3f, 3, 8)
SYNTONIC_ROWS_HELD(rows_daf142d523adda3f, syntonic::Rows_daf142d523adda3f, 3, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_daf142d523adda3f_passes, syntonic::Rows_daf142d523adda3f, 3, 8, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_daf142d523adda3f_passes_single, syntonic::Rows_daf142d523adda3f, 3, 1, 4, 512, 2)

// ACCURACY(f16, f16, f16)
namespace syntonic {
template <int V, int R> struct Rows_ed12bebce86c2ca5 {
    float v8;
    float v11;
    float v13;
    float v18;
    double v19;
    double v20;
    double v21;
    float v22;
    float v23;
    float v24;
    float v25;
    syn::f16 v26;
    RowVector<syn::f16, V> h0[R];
    RowVector<syn::f16, V> h2[R];
    RowVector<syn::f16, V> h4[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v8 = syn::bits_as<float>(0x00000000u);
        v11 = syn::bits_as<float>(0x00000000u);
        v13 = syn::bits_as<float>(0x7f800000u);
        v19 = syn::cast<double>(int64_t(p.length));
        v20 = syn::bits_as<double>(uint64_t(0x3ffd67f1c864beb5ull));
        v21 = syn::multiply(v19, v20);
        v22 = syn::cast<float>(v21);
        v24 = syn::bits_as<float>(0xbf000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
        at.template fetch<syn::f16, false>(1);
        at.template fetch<syn::f16, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
        at.template load<syn::f16>(2, h4);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f18;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        const RowVector<syn::f16, V> x4 = at.template read<syn::f16, false, false>(2, h4);
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::f16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v6 = syn::subtract(v1, v3);
            const float v7 = syn::multiply(v5, v6);
            const bool v9 = syn::equal(v6, v8);
            const float v10 = syn::multiply(v7, v6);
            const float v12 = syn::where(v9, v11, v10);
            const bool v14 = syn::equal(v12, v13);
            const float v15 = syn::log(v5);
            const float v16 = syn::subtract(v12, v15);
            const float v17 = syn::where(v14, v12, v16);
            a18[c] = v17;
        }
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<float>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<float>::finish(room.template get<Sum<float>, 0>(a18));
        v23 = syn::add(v18, v22);
        v25 = syn::multiply(v24, v23);
        v26 = syn::cast<syn::f16>(v25);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 3, base[3]) = v26;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
        at.template load<syn::f16>(1, h2);
        at.template load<syn::f16>(2, h4);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        const RowVector<syn::f16, V> x2 = at.template read<syn::f16, false, false>(1, h2);
        const RowVector<syn::f16, V> x4 = at.template read<syn::f16, false, false>(2, h4);
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::f16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::f16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v6 = syn::subtract(v1, v3);
            const float v7 = syn::multiply(v5, v6);
            const bool v9 = syn::equal(v6, v8);
            const float v10 = syn::multiply(v7, v6);
            const float v12 = syn::where(v9, v11, v10);
            const bool v14 = syn::equal(v12, v13);
            const float v15 = syn::log(v5);
            const float v16 = syn::subtract(v12, v15);
            const float v17 = syn::where(v14, v12, v16);
            a18[c] = v17;
        }
        Sum<float>::template take<V>(folds.f18, a18, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_ed12bebce86c2ca5, syntonic::Rows_ed12bebce86c2ca5, 4, 8)
SYNTONIC_ROWS_HELD(rows_ed12bebce86c2ca5, syntonic::Rows_ed12bebce86c2ca5, 4, 8, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_ed12bebce86c2ca5_passes, syntonic::Rows_ed12bebce86c2ca5, 4, 8, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_ed12bebce86c2ca5_passes_single, syntonic::Rows_ed12bebce86c2ca5, 4, 1, 2, 512, 2)

// NORM_P(f16)
namespace syntonic {
template <int V, int R> struct Rows_fab2e137a435ee40 {
    float v3;
    float v5;
    double v6;
    double v7;
    float v8;
    float v9;
    syn::f16 v10;
    RowVector<syn::f16, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = p.single[0];
        v6 = syn::cast<double>(p.number[0]);
        v7 = syn::reciprocal(v6);
        v8 = syn::cast<float>(v7);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::f16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            const float v4 = syn::pow(v2, v3);
            a5[c] = v4;
        }
        row_take<Sum<float>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Sum<float>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Sum<float>::finish(room.template get<Sum<float>, 0>(a5));
        v9 = syn::pow(v5, v8);
        v10 = syn::cast<syn::f16>(v9);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::f16>(p, 1, base[1]) = v10;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::f16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::f16, V> x0 = at.template read<syn::f16, true, false>(0, h0);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::f16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v2 = syn::abs(v1);
            const float v4 = syn::pow(v2, v3);
            a5[c] = v4;
        }
        Sum<float>::template take<V>(folds.f5, a5, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_fab2e137a435ee40, syntonic::Rows_fab2e137a435ee40, 2, 8)
SYNTONIC_ROWS_HELD(rows_fab2e137a435ee40, syntonic::Rows_fab2e137a435ee40, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_fab2e137a435ee40_passes, syntonic::Rows_fab2e137a435ee40, 2, 8, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_fab2e137a435ee40_passes_single, syntonic::Rows_fab2e137a435ee40, 2, 1, 8, 512, 2)
