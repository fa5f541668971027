// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"

// LOGSUMEXP(f32)
namespace syntonic {
template <int V, int R> struct Rows_055fb1ae8f21bbb5 {
    float v1;
    float v2;
    float v3;
    bool v4;
    float v5;
    float v6;
    float v9;
    float v10;
    float v11;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<float>(0x7f800000u);
        v5 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            a1[c] = v0;
        }
        row_take<Max<float>, V>(at, folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Max<float>>(folds.f1, room, any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Max<float>::finish(room.template get<Max<float>, 0>(a1));
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
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v7 = syn::subtract(v0, v6);
            const float v8 = syn::exp(v7);
            a9[c] = v8;
        }
        row_take<Sum<float>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<float>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<float>::finish(room.template get<Sum<float>, 0>(a9));
        v10 = syn::log(v9);
        v11 = syn::add(v10, v6);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v11;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            a1[c] = v0;
        }
        Max<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v7 = syn::subtract(v0, v6);
            const float v8 = syn::exp(v7);
            a9[c] = v8;
        }
        Sum<float>::template take<V>(folds.f9, a9, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_055fb1ae8f21bbb5, syntonic::Rows_055fb1ae8f21bbb5, 2, 4)
SYNTONIC_ROWS_HELD(rows_055fb1ae8f21bbb5, syntonic::Rows_055fb1ae8f21bbb5, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_055fb1ae8f21bbb5_passes, syntonic::Rows_055fb1ae8f21bbb5, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_055fb1ae8f21bbb5_passes_single, syntonic::Rows_055fb1ae8f21bbb5, 2, 1, 8, 512, 2)

// ACCURACY(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_08af92821ce89694 {
    float v5;
    float v8;
    float v10;
    float v15;
    double v16;
    double v17;
    double v18;
    float v19;
    float v20;
    float v21;
    float v22;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x00000000u);
        v8 = syn::bits_as<float>(0x00000000u);
        v10 = syn::bits_as<float>(0x7f800000u);
        v16 = syn::cast<double>(int64_t(p.length));
        v17 = syn::bits_as<double>(uint64_t(0x3ffd67f1c864beb5ull));
        v18 = syn::multiply(v16, v17);
        v19 = syn::cast<float>(v18);
        v21 = syn::bits_as<float>(0xbf000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = syn::subtract(v0, v1);
            const float v4 = syn::multiply(v2, v3);
            const bool v6 = syn::equal(v3, v5);
            const float v7 = syn::multiply(v4, v3);
            const float v9 = syn::where(v6, v8, v7);
            const bool v11 = syn::equal(v9, v10);
            const float v12 = syn::log(v2);
            const float v13 = syn::subtract(v9, v12);
            const float v14 = syn::where(v11, v9, v13);
            a15[c] = v14;
        }
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<float>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<float>::finish(room.template get<Sum<float>, 0>(a15));
        v20 = syn::add(v15, v19);
        v22 = syn::multiply(v21, v20);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 3, base[3]) = v22;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = syn::subtract(v0, v1);
            const float v4 = syn::multiply(v2, v3);
            const bool v6 = syn::equal(v3, v5);
            const float v7 = syn::multiply(v4, v3);
            const float v9 = syn::where(v6, v8, v7);
            const bool v11 = syn::equal(v9, v10);
            const float v12 = syn::log(v2);
            const float v13 = syn::subtract(v9, v12);
            const float v14 = syn::where(v11, v9, v13);
            a15[c] = v14;
        }
        Sum<float>::template take<V>(folds.f15, a15, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_08af92821ce89694, syntonic::Rows_08af92821ce89694, 4, 4)
SYNTONIC_ROWS_HELD(rows_08af92821ce89694, syntonic::Rows_08af92821ce89694, 4, 4, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_08af92821ce89694_passes, syntonic::Rows_08af92821ce89694, 4, 4, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_08af92821ce89694_passes_single, syntonic::Rows_08af92821ce89694, 4, 1, 2, 512, 2)

// KL_DIVERGENCE(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_09a9cdbf281c7c6a {
    float v7;
    float v10;
    float v12;
    float v16;
    float v19;
    float v23;
    float v28;
    float v29;
    float v30;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v7 = syn::bits_as<float>(0x0da24260u);
        v10 = syn::bits_as<float>(0x00000000u);
        v12 = syn::bits_as<float>(0x7149f2cau);
        v16 = syn::bits_as<float>(0x3f800000u);
        v19 = syn::bits_as<float>(0x3f800000u);
        v23 = syn::bits_as<float>(0x00000000u);
        v29 = syn::bits_as<float>(0x3f000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
        at.template fetch<float, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v5 = syn::abs(v3);
            const float v6 = syn::divide(v2, v5);
            const float v8 = syn::subtract(v6, v7);
            const float v9 = syn::minimum(v8, v3);
            const bool v11 = syn::less_equal(v9, v10);
            const float v13 = syn::minimum(v6, v12);
            const float v14 = syn::where(v11, v2, v13);
            const float v15 = syn::log(v14);
            const float v17 = syn::where(v11, v3, v16);
            const float v18 = syn::log_but_of_one(v17);
            const float v20 = syn::subtract(v6, v19);
            const float v21 = syn::subtract(v15, v18);
            const float v22 = syn::subtract(v20, v21);
            const float v24 = syn::maximum(v22, v23);
            const float v25 = syn::divide(v4, v3);
            const float v26 = syn::multiply(v4, v25);
            const float v27 = syn::add(v24, v26);
            a28[c] = v27;
        }
        row_take<Sum<float>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a28 = row_gathered<Sum<float>>(folds.f28, room, any, position);
        room.template put<0>(a28);
        room.meet();
        v28 = Sum<float>::finish(room.template get<Sum<float>, 0>(a28));
        v30 = syn::multiply(v29, v28);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 4, base[4]) = v30;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v5 = syn::abs(v3);
            const float v6 = syn::divide(v2, v5);
            const float v8 = syn::subtract(v6, v7);
            const float v9 = syn::minimum(v8, v3);
            const bool v11 = syn::less_equal(v9, v10);
            const float v13 = syn::minimum(v6, v12);
            const float v14 = syn::where(v11, v2, v13);
            const float v15 = syn::log(v14);
            const float v17 = syn::where(v11, v3, v16);
            const float v18 = syn::log_but_of_one(v17);
            const float v20 = syn::subtract(v6, v19);
            const float v21 = syn::subtract(v15, v18);
            const float v22 = syn::subtract(v20, v21);
            const float v24 = syn::maximum(v22, v23);
            const float v25 = syn::divide(v4, v3);
            const float v26 = syn::multiply(v4, v25);
            const float v27 = syn::add(v24, v26);
            a28[c] = v27;
        }
        Sum<float>::template take<V>(folds.f28, a28, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_09a9cdbf281c7c6a, syntonic::Rows_09a9cdbf281c7c6a, 5, 4)
SYNTONIC_ROWS_HELD(rows_09a9cdbf281c7c6a, syntonic::Rows_09a9cdbf281c7c6a, 5, 4, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_09a9cdbf281c7c6a_passes, syntonic::Rows_09a9cdbf281c7c6a, 5, 4, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_09a9cdbf281c7c6a_passes_single, syntonic::Rows_09a9cdbf281c7c6a, 5, 1, 2, 512, 2)

// NORM_2(f32)
namespace syntonic {
template <int V, int R> struct Rows_16db07ba1d5bc5a4 {
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
    RowDivisor<float> d9;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<float>(0x00000000u);
        v5 = syn::bits_as<float>(0x7f800000u);
        v8 = syn::bits_as<float>(0x3f800000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v15 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Max<float>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<float>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Max<float>::finish(room.template get<Max<float>, 0>(a2));
        v4 = syn::greater(v2, v3);
        v6 = syn::less(v2, v5);
        v7 = syn::logical_and(v4, v6);
        v9 = syn::where(v7, v2, v8);
        d9.set(v9);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            const float v10 = d9.near(v1);
            const float v11 = syn::square(v10);
            a12[c] = v11;
        }
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a12 = row_gathered<Sum<float>>(folds.f12, room, any, position);
        room.template put<0>(a12);
        room.meet();
        v12 = Sum<float>::finish(room.template get<Sum<float>, 0>(a12));
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        v17 = syn::sqrt(v16);
        v18 = syn::where(v14, v12, v17);
        v19 = syn::multiply(v18, v9);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v19;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            const float v10 = d9.near(v1);
            const float v11 = syn::square(v10);
            a12[c] = v11;
        }
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_16db07ba1d5bc5a4, syntonic::Rows_16db07ba1d5bc5a4, 2, 4)
SYNTONIC_ROWS_HELD(rows_16db07ba1d5bc5a4, syntonic::Rows_16db07ba1d5bc5a4, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_16db07ba1d5bc5a4_passes, syntonic::Rows_16db07ba1d5bc5a4, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_16db07ba1d5bc5a4_passes_single, syntonic::Rows_16db07ba1d5bc5a4, 2, 1, 8, 512, 2)

// NORM_0(f32)
namespace syntonic {
template <int V, int R> struct Rows_2fc39bc32c2de20a {
    float v1;
    int64_t v3;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return operand <= 0 ? 4 : 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        bool a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
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
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        bool a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const bool v2 = syn::not_equal(v0, v1);
            a3[c] = v2;
        }
        Sum<bool>::template take<V>(folds.f3, a3, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2fc39bc32c2de20a, syntonic::Rows_2fc39bc32c2de20a, 2, 4)
SYNTONIC_ROWS_HELD(rows_2fc39bc32c2de20a, syntonic::Rows_2fc39bc32c2de20a, 2, 4, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_2fc39bc32c2de20a_passes, syntonic::Rows_2fc39bc32c2de20a, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_2fc39bc32c2de20a_passes_single, syntonic::Rows_2fc39bc32c2de20a, 2, 1, 8, 512, 2)

// COUNT_NONZERO(f32)
namespace syntonic {
template <int V, int R> struct Rows_3ee566cd848784a3 {
    int64_t v4;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return operand <= 0 ? 4 : 8; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
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
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        bool a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const bool v1 = syn::cast<bool>(v0);
            const bool v2 = syn::logical_not(v1);
            const bool v3 = syn::logical_not(v2);
            a4[c] = v3;
        }
        Sum<bool>::template take<V>(folds.f4, a4, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3ee566cd848784a3, syntonic::Rows_3ee566cd848784a3, 2, 4)
SYNTONIC_ROWS_HELD(rows_3ee566cd848784a3, syntonic::Rows_3ee566cd848784a3, 2, 4, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_3ee566cd848784a3_passes, syntonic::Rows_3ee566cd848784a3, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_3ee566cd848784a3_passes_single, syntonic::Rows_3ee566cd848784a3, 2, 1, 8, 512, 2)

// SYNTONY(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_55c98d30d2e4c5bc {
    float v3;
    float v4;
    bool v5;
    float v6;
    float v7;
    float v10;
    float v12;
    float v13;
    bool v14;
    float v15;
    float v16;
    float v17;
    RowDivisor<float> d7;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = true;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x00000000u);
        v6 = syn::bits_as<float>(0x3f800000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v15 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<float>(1, h1);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = syn::abs(v0);
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
        v7 = syn::where(v5, v3, v6);
        d7.set(v7);
    }
    struct Folds1 {
        typename Sum<float>::Thread f10;
        typename Sum<float>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, true>(1, h1);
        float a10[V];
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::abs(v0);
            const float v8 = d7.near(v2);
            const float v9 = syn::square(v8);
            const float v11 = syn::multiply(v9, v1);
            a10[c] = v9;
            a12[c] = v11;
        }
        row_take<Sum<float>, V>(at, folds.f10, a10, ordinal);
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f10, folds.f12, any);
        v10 = Sum<float>::finish(both.first);
        v12 = Sum<float>::finish(both.second);
        v14 = syn::equal(v10, v13);
        v16 = syn::where(v14, v15, v10);
        v17 = syn::divide(v12, v16);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 2, base[2]) = v17;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = syn::abs(v0);
            a3[c] = v2;
        }
        Max<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a10[V];
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::abs(v0);
            const float v8 = d7.near(v2);
            const float v9 = syn::square(v8);
            const float v11 = syn::multiply(v9, v1);
            a10[c] = v9;
            a12[c] = v11;
        }
        Sum<float>::template take<V>(folds.f10, a10, ordinal);
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
    }
    using Settles = float;
    __device__ __forceinline__ void unscaled() {
        v7 = float(1);
        d7.set(v7);
    }
    __device__ __forceinline__ bool settles() const { return RowSettled<float>{v3}.by(v10, v12); }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_55c98d30d2e4c5bc, syntonic::Rows_55c98d30d2e4c5bc, 3, 4)
SYNTONIC_ROWS_HELD(rows_55c98d30d2e4c5bc, syntonic::Rows_55c98d30d2e4c5bc, 3, 4, 8, 640, 1)
SYNTONIC_ROWS_PASSES(rows_55c98d30d2e4c5bc_passes, syntonic::Rows_55c98d30d2e4c5bc, 3, 4, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_55c98d30d2e4c5bc_passes_single, syntonic::Rows_55c98d30d2e4c5bc, 3, 1, 4, 512, 2)

// NORM_MAX(f32)
namespace syntonic {
template <int V, int R> struct Rows_65f0eb7c38d8050a {
    float v2;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Max<float>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<float>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Max<float>::finish(room.template get<Max<float>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v2;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_65f0eb7c38d8050a, syntonic::Rows_65f0eb7c38d8050a, 2, 4)
SYNTONIC_ROWS_HELD(rows_65f0eb7c38d8050a, syntonic::Rows_65f0eb7c38d8050a, 2, 4, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_65f0eb7c38d8050a_passes, syntonic::Rows_65f0eb7c38d8050a, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_65f0eb7c38d8050a_passes_single, syntonic::Rows_65f0eb7c38d8050a, 2, 1, 8, 512, 2)

// NORM_1(f32)
namespace syntonic {
template <int V, int R> struct Rows_97a3f82156dc2a39 {
    float v2;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Sum<float>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Sum<float>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Sum<float>::finish(room.template get<Sum<float>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v2;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_97a3f82156dc2a39, syntonic::Rows_97a3f82156dc2a39, 2, 4)
SYNTONIC_ROWS_HELD(rows_97a3f82156dc2a39, syntonic::Rows_97a3f82156dc2a39, 2, 4, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_97a3f82156dc2a39_passes, syntonic::Rows_97a3f82156dc2a39, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_97a3f82156dc2a39_passes_single, syntonic::Rows_97a3f82156dc2a39, 2, 1, 8, 512, 2)

// NORM_MIN(f32)
namespace syntonic {
template <int V, int R> struct Rows_c09167034226a928 {
    float v2;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Min<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Min<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        row_take<Min<float>, V>(at, folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Min<float>>(folds.f2, room, any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Min<float>::finish(room.template get<Min<float>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v2;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            a2[c] = v1;
        }
        Min<float>::template take<V>(folds.f2, a2, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c09167034226a928, syntonic::Rows_c09167034226a928, 2, 4)
SYNTONIC_ROWS_HELD(rows_c09167034226a928, syntonic::Rows_c09167034226a928, 2, 4, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_c09167034226a928_passes, syntonic::Rows_c09167034226a928, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_c09167034226a928_passes_single, syntonic::Rows_c09167034226a928, 2, 1, 8, 512, 2)

// MEAN(f32)
namespace syntonic {
template <int V, int R> struct Rows_d11536534006d568 {
    float v1;
    float v2;
    float v3;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<float>(int64_t(p.length));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f1;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            a1[c] = v0;
        }
        row_take<Sum<float>, V>(at, folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Sum<float>>(folds.f1, room, any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Sum<float>::finish(room.template get<Sum<float>, 0>(a1));
        v3 = syn::divide(v1, v2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v3;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a1[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            a1[c] = v0;
        }
        Sum<float>::template take<V>(folds.f1, a1, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d11536534006d568, syntonic::Rows_d11536534006d568, 2, 4)
SYNTONIC_ROWS_HELD(rows_d11536534006d568, syntonic::Rows_d11536534006d568, 2, 4, 4, 512, 1)
SYNTONIC_ROWS_PASSES(rows_d11536534006d568_passes, syntonic::Rows_d11536534006d568, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_d11536534006d568_passes_single, syntonic::Rows_d11536534006d568, 2, 1, 8, 512, 2)

// NORM_P(f32)
namespace syntonic {
template <int V, int R> struct Rows_d2c793f914d55010 {
    float v2;
    float v4;
    double v5;
    double v6;
    float v7;
    float v8;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = p.single[0];
        v5 = syn::cast<double>(p.number[0]);
        v6 = syn::reciprocal(v5);
        v7 = syn::cast<float>(v6);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            const float v3 = syn::pow(v1, v2);
            a4[c] = v3;
        }
        row_take<Sum<float>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<float>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<float>::finish(room.template get<Sum<float>, 0>(a4));
        v8 = syn::pow(v4, v7);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v8;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = syn::abs(v0);
            const float v3 = syn::pow(v1, v2);
            a4[c] = v3;
        }
        Sum<float>::template take<V>(folds.f4, a4, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d2c793f914d55010, syntonic::Rows_d2c793f914d55010, 2, 4)
SYNTONIC_ROWS_HELD(rows_d2c793f914d55010, syntonic::Rows_d2c793f914d55010, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_d2c793f914d55010_passes, syntonic::Rows_d2c793f914d55010, 2, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_d2c793f914d55010_passes_single, syntonic::Rows_d2c793f914d55010, 2, 1, 8, 512, 2)

// CATEGORICAL_KL_DIVERGENCE(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_db6ca7d2ccd2a2f3 {
    float v2;
    float v4;
    float v7;
    float v10;
    float v15;
    float v17;
    float v21;
    float v23;
    float v26;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::bits_as<float>(0x00000000u);
        v4 = syn::bits_as<float>(0x00000000u);
        v7 = syn::bits_as<float>(0x3f800000u);
        v10 = syn::bits_as<float>(0x3f800000u);
        v15 = syn::bits_as<float>(0x00000000u);
        v17 = syn::bits_as<float>(0x00000000u);
        v21 = syn::bits_as<float>(0x7f800000u);
        v23 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const bool v3 = syn::greater(v0, v2);
            const bool v5 = syn::greater(v1, v4);
            const bool v6 = syn::logical_and(v3, v5);
            const float v8 = syn::where(v6, v0, v7);
            const float v9 = syn::log_but_of_one(v8);
            const float v11 = syn::where(v6, v1, v10);
            const float v12 = syn::log_but_of_one(v11);
            const float v13 = syn::subtract(v9, v12);
            const float v14 = syn::multiply(v0, v13);
            const bool v16 = syn::equal(v0, v15);
            const bool v18 = syn::greater_equal(v1, v17);
            const bool v19 = syn::logical_and(v16, v18);
            const float v20 = syn::multiply(v0, v1);
            const float v22 = syn::add(v21, v20);
            const float v24 = syn::where(v19, v23, v22);
            const float v25 = syn::where(v6, v14, v24);
            a26[c] = v25;
        }
        row_take<Sum<float>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a26 = row_gathered<Sum<float>>(folds.f26, room, any, position);
        room.template put<0>(a26);
        room.meet();
        v26 = Sum<float>::finish(room.template get<Sum<float>, 0>(a26));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 2, base[2]) = v26;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const bool v3 = syn::greater(v0, v2);
            const bool v5 = syn::greater(v1, v4);
            const bool v6 = syn::logical_and(v3, v5);
            const float v8 = syn::where(v6, v0, v7);
            const float v9 = syn::log_but_of_one(v8);
            const float v11 = syn::where(v6, v1, v10);
            const float v12 = syn::log_but_of_one(v11);
            const float v13 = syn::subtract(v9, v12);
            const float v14 = syn::multiply(v0, v13);
            const bool v16 = syn::equal(v0, v15);
            const bool v18 = syn::greater_equal(v1, v17);
            const bool v19 = syn::logical_and(v16, v18);
            const float v20 = syn::multiply(v0, v1);
            const float v22 = syn::add(v21, v20);
            const float v24 = syn::where(v19, v23, v22);
            const float v25 = syn::where(v6, v14, v24);
            a26[c] = v25;
        }
        Sum<float>::template take<V>(folds.f26, a26, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_db6ca7d2ccd2a2f3, syntonic::Rows_db6ca7d2ccd2a2f3, 3, 4)
SYNTONIC_ROWS_HELD(rows_db6ca7d2ccd2a2f3, syntonic::Rows_db6ca7d2ccd2a2f3, 3, 4, 4, 512, 2)
SYNTONIC_ROWS_PASSES(rows_db6ca7d2ccd2a2f3_passes, syntonic::Rows_db6ca7d2ccd2a2f3, 3, 4, 2, 512, 2)
SYNTONIC_ROWS_PASSES(rows_db6ca7d2ccd2a2f3_passes_single, syntonic::Rows_db6ca7d2ccd2a2f3, 3, 1, 4, 512, 2)

// EXPECTED_ACCURACY(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_eb643af6d0b3db10 {
    float v6;
    float v9;
    float v11;
    float v14;
    float v17;
    float v22;
    double v23;
    double v24;
    double v25;
    float v26;
    float v27;
    float v28;
    float v29;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v11 = syn::bits_as<float>(0x00000000u);
        v14 = syn::bits_as<float>(0x00000000u);
        v17 = syn::bits_as<float>(0x7f800000u);
        v23 = syn::cast<double>(int64_t(p.length));
        v24 = syn::bits_as<double>(uint64_t(0x3ffd67f1c864beb5ull));
        v25 = syn::multiply(v23, v24);
        v26 = syn::cast<float>(v25);
        v28 = syn::bits_as<float>(0xbf000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
        at.template fetch<float, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f22;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v5 = syn::multiply(v2, v4);
            const bool v7 = syn::equal(v4, v6);
            const float v8 = syn::multiply(v5, v4);
            const float v10 = syn::where(v7, v9, v8);
            const bool v12 = syn::equal(v3, v11);
            const float v13 = syn::multiply(v2, v3);
            const float v15 = syn::where(v12, v14, v13);
            const float v16 = syn::add(v10, v15);
            const bool v18 = syn::equal(v16, v17);
            const float v19 = syn::log(v2);
            const float v20 = syn::subtract(v16, v19);
            const float v21 = syn::where(v18, v16, v20);
            a22[c] = v21;
        }
        row_take<Sum<float>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a22 = row_gathered<Sum<float>>(folds.f22, room, any, position);
        room.template put<0>(a22);
        room.meet();
        v22 = Sum<float>::finish(room.template get<Sum<float>, 0>(a22));
        v27 = syn::add(v22, v26);
        v29 = syn::multiply(v28, v27);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 4, base[4]) = v29;
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v5 = syn::multiply(v2, v4);
            const bool v7 = syn::equal(v4, v6);
            const float v8 = syn::multiply(v5, v4);
            const float v10 = syn::where(v7, v9, v8);
            const bool v12 = syn::equal(v3, v11);
            const float v13 = syn::multiply(v2, v3);
            const float v15 = syn::where(v12, v14, v13);
            const float v16 = syn::add(v10, v15);
            const bool v18 = syn::equal(v16, v17);
            const float v19 = syn::log(v2);
            const float v20 = syn::subtract(v16, v19);
            const float v21 = syn::where(v18, v16, v20);
            a22[c] = v21;
        }
        Sum<float>::template take<V>(folds.f22, a22, ordinal);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_eb643af6d0b3db10, syntonic::Rows_eb643af6d0b3db10, 5, 4)
SYNTONIC_ROWS_HELD(rows_eb643af6d0b3db10, syntonic::Rows_eb643af6d0b3db10, 5, 4, 2, 512, 1)
SYNTONIC_ROWS_PASSES(rows_eb643af6d0b3db10_passes, syntonic::Rows_eb643af6d0b3db10, 5, 4, 1, 512, 2)
SYNTONIC_ROWS_PASSES(rows_eb643af6d0b3db10_passes_single, syntonic::Rows_eb643af6d0b3db10, 5, 1, 2, 512, 2)
