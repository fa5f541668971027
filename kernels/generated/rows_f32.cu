// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"

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
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
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
        Max<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Max<float>>(folds.f1, room.lanes(), any, position);
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
        Sum<float>::template take<V>(folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<float>>(folds.f9, room.lanes(), any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<float>::finish(room.template get<Sum<float>, 0>(a9));
        v10 = syn::log(v9);
        v11 = syn::add(v10, v6);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v11;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_055fb1ae8f21bbb5, syntonic::Rows_055fb1ae8f21bbb5, 2, 4)
SYNTONIC_ROWS_HELD(rows_055fb1ae8f21bbb5, syntonic::Rows_055fb1ae8f21bbb5, 2, 4, 4)

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
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
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
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<float>>(folds.f2, room.lanes(), any, position);
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
            const float v10 = d9.of(v1);
            const float v11 = syn::square(v10);
            a12[c] = v11;
        }
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a12 = row_gathered<Sum<float>>(folds.f12, room.lanes(), any, position);
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
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_16db07ba1d5bc5a4, syntonic::Rows_16db07ba1d5bc5a4, 2, 4)
SYNTONIC_ROWS_HELD(rows_16db07ba1d5bc5a4, syntonic::Rows_16db07ba1d5bc5a4, 2, 4, 4)

// NORM_0(f32)
namespace syntonic {
template <int V, int R> struct Rows_2fc39bc32c2de20a {
    float v1;
    int64_t v3;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        Sum<bool>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<bool>>(folds.f3, room.lanes(), any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<bool>::finish(room.template get<Sum<bool>, 0>(a3));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<int64_t>(p, 1, base[1]) = v3;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2fc39bc32c2de20a, syntonic::Rows_2fc39bc32c2de20a, 2, 4)
SYNTONIC_ROWS_HELD(rows_2fc39bc32c2de20a, syntonic::Rows_2fc39bc32c2de20a, 2, 4, 4)

// COUNT_NONZERO(f32)
namespace syntonic {
template <int V, int R> struct Rows_3ee566cd848784a3 {
    int64_t v4;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        Sum<bool>::template take<V>(folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<bool>>(folds.f4, room.lanes(), any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<bool>::finish(room.template get<Sum<bool>, 0>(a4));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<int64_t>(p, 1, base[1]) = v4;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3ee566cd848784a3, syntonic::Rows_3ee566cd848784a3, 2, 4)
SYNTONIC_ROWS_HELD(rows_3ee566cd848784a3, syntonic::Rows_3ee566cd848784a3, 2, 4, 4)

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
    static constexpr int PASSES = 2;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
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
        Max<float>::template take<V>(folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Max<float>>(folds.f3, room.lanes(), any, position);
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
        const RowVector<float, V> x1 = at.template read<float, false>(1);
        float a10[V];
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::abs(v0);
            const float v8 = d7.of(v2);
            const float v9 = syn::square(v8);
            const float v11 = syn::multiply(v9, v1);
            a10[c] = v9;
            a12[c] = v11;
        }
        Sum<float>::template take<V>(folds.f10, a10, ordinal);
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a10 = row_gathered<Sum<float>>(folds.f10, room.lanes(), any, position);
        const auto a12 = row_gathered<Sum<float>>(folds.f12, room.lanes(), any, position);
        room.template put<0>(a10);
        room.template put<16>(a12);
        room.meet();
        v10 = Sum<float>::finish(room.template get<Sum<float>, 0>(a10));
        v12 = Sum<float>::finish(room.template get<Sum<float>, 16>(a12));
        v14 = syn::equal(v10, v13);
        v16 = syn::where(v14, v15, v10);
        v17 = syn::divide(v12, v16);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 2, base[2]) = v17;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_55c98d30d2e4c5bc, syntonic::Rows_55c98d30d2e4c5bc, 3, 4)
SYNTONIC_ROWS_HELD(rows_55c98d30d2e4c5bc, syntonic::Rows_55c98d30d2e4c5bc, 3, 4, 4)

// NORM_MAX(f32)
namespace syntonic {
template <int V, int R> struct Rows_65f0eb7c38d8050a {
    float v2;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Max<float>>(folds.f2, room.lanes(), any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Max<float>::finish(room.template get<Max<float>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v2;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_65f0eb7c38d8050a, syntonic::Rows_65f0eb7c38d8050a, 2, 4)
SYNTONIC_ROWS_HELD(rows_65f0eb7c38d8050a, syntonic::Rows_65f0eb7c38d8050a, 2, 4, 4)

// NORM_1(f32)
namespace syntonic {
template <int V, int R> struct Rows_97a3f82156dc2a39 {
    float v2;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Sum<float>>(folds.f2, room.lanes(), any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Sum<float>::finish(room.template get<Sum<float>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v2;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_97a3f82156dc2a39, syntonic::Rows_97a3f82156dc2a39, 2, 4)
SYNTONIC_ROWS_HELD(rows_97a3f82156dc2a39, syntonic::Rows_97a3f82156dc2a39, 2, 4, 4)

// NORM_MIN(f32)
namespace syntonic {
template <int V, int R> struct Rows_c09167034226a928 {
    float v2;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        Min<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a2 = row_gathered<Min<float>>(folds.f2, room.lanes(), any, position);
        room.template put<0>(a2);
        room.meet();
        v2 = Min<float>::finish(room.template get<Min<float>, 0>(a2));
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v2;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c09167034226a928, syntonic::Rows_c09167034226a928, 2, 4)
SYNTONIC_ROWS_HELD(rows_c09167034226a928, syntonic::Rows_c09167034226a928, 2, 4, 4)

// MEAN(f32)
namespace syntonic {
template <int V, int R> struct Rows_d11536534006d568 {
    float v1;
    float v2;
    float v3;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 1;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<float>(int64_t(p.length));
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
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
        Sum<float>::template take<V>(folds.f1, a1, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a1 = row_gathered<Sum<float>>(folds.f1, room.lanes(), any, position);
        room.template put<0>(a1);
        room.meet();
        v1 = Sum<float>::finish(room.template get<Sum<float>, 0>(a1));
        v3 = syn::divide(v1, v2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v3;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d11536534006d568, syntonic::Rows_d11536534006d568, 2, 4)
SYNTONIC_ROWS_HELD(rows_d11536534006d568, syntonic::Rows_d11536534006d568, 2, 4, 4)

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
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 0;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<float>(p.number[0]);
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
        Sum<float>::template take<V>(folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<float>>(folds.f4, room.lanes(), any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<float>::finish(room.template get<Sum<float>, 0>(a4));
        v8 = syn::pow(v4, v7);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 1, base[1]) = v8;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d2c793f914d55010, syntonic::Rows_d2c793f914d55010, 2, 4)
SYNTONIC_ROWS_HELD(rows_d2c793f914d55010, syntonic::Rows_d2c793f914d55010, 2, 4, 4)
