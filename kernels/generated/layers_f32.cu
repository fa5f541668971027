// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"

// BATCH_NORM_EVAL(f32, f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_012883281cb54243 {
    float v1;
    float v2;
    float v3;
    float v4;
    float v6;
    float v7;
    float v8;
    float v9;
    float v10;
    float v11;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const float>(p, 1, base[1]);
        v2 = *row_address<const float>(p, 2, base[2]);
        v3 = *row_address<const float>(p, 3, base[3]);
        v4 = *row_address<const float>(p, 4, base[4]);
        v6 = p.single[1];
        v7 = syn::add(v2, v6);
        v8 = syn::rsqrt(v7);
        v9 = p.single[0];
        v10 = syn::multiply(v8, v9);
        v11 = syn::multiply(v10, v3);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v5 = syn::subtract(v0, v1);
            const float v12 = syn::multiply(v5, v11);
            const float v13 = syn::add(v12, v4);
            y0.set(c, v13);
        }
        at.write(5, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_012883281cb54243, syntonic::Rows_012883281cb54243, 6, 4)
SYNTONIC_ROWS_HELD(rows_012883281cb54243, syntonic::Rows_012883281cb54243, 6, 4, 4, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_04e44145060d8e28 {
    float v5;
    float v7;
    float v8;
    float v9;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    RowVector<float, V> h6[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v8 = syn::cast<float>(int64_t(p.length));
        v14 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k6;
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            a7[c] = v6;
        }
        at.template keep<float>(0, k6, h6);
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<float>::finish(room.template get<Sum<float>, 0>(a7));
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
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
        v13 = syn::divide(v12, v8);
        v15 = syn::add(v13, v14);
        v16 = syn::rsqrt(v15);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
            const float v17 = syn::multiply(v10, v16);
            const float v18 = syn::multiply(v17, v2);
            const float v19 = syn::add(v18, v3);
            y0.set(c, v19);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_04e44145060d8e28, syntonic::Rows_04e44145060d8e28, 5, 4)
SYNTONIC_ROWS_HELD(rows_04e44145060d8e28, syntonic::Rows_04e44145060d8e28, 5, 4, 4, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_0b66bc68035acba8 {
    float v5;
    float v7;
    float v11;
    float v12;
    float v13;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    RowVector<float, V> h10[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f000000u);
        v7 = syn::bits_as<float>(0xbf3504f3u);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k10;
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v5, v4);
            const float v8 = syn::multiply(v4, v7);
            const float v9 = syn::erfc(v8);
            const float v10 = syn::multiply(v6, v9);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<float>(0, k10, h10);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<float>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<float>::finish(room.template get<Sum<float>, 0>(a11));
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k10 = at.template kept<float>(0, h10);
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v15 = syn::square(v14);
            a16[c] = v15;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a16 = row_gathered<Sum<float>>(folds.f16, room, any, position);
        room.template put<0>(a16);
        room.meet();
        v16 = Sum<float>::finish(room.template get<Sum<float>, 0>(a16));
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k10 = at.template kept<float>(0, h10);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = syn::multiply(v21, v2);
            const float v23 = syn::add(v22, v3);
            y0.set(c, v23);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_0b66bc68035acba8, syntonic::Rows_0b66bc68035acba8, 5, 4)
SYNTONIC_ROWS_HELD(rows_0b66bc68035acba8, syntonic::Rows_0b66bc68035acba8, 5, 4, 4, 512, 1)

// SYNTONIC_SOFTMAX(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_1214720fba89665d {
    float v2;
    float v5;
    float v8;
    RowDivisor<float> d8;
    RowVector<float, V> h4[R];
    RowVector<float, V> h7[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = p.single[0];
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k4;
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<float>(0, k4, h4);
        row_take<Max<float>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Max<float>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Max<float>::finish(room.template get<Max<float>, 0>(a5));
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        RowVector<float, V> k7;
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v4 = k4.lane(c);
            const float v6 = syn::subtract(v4, v5);
            const float v7 = syn::exp(v6);
            k7.set(c, v7);
            a8[c] = v7;
        }
        at.template keep<float>(0, k7, h7);
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<float>::finish(room.template get<Sum<float>, 0>(a8));
        d8.set(v8);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k7 = at.template kept<float>(0, h7);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v7 = k7.lane(c);
            const float v9 = d8.of(v7);
            y0.set(c, v9);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m8;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m8;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m8;
        };
        struct Values {
            float m8[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m8; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m8, b.m8); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m8, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m8)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m8, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m8, x.m8);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k4;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            k4.set(c, v4);
            x.m8[at.k * V + c] = v4;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v5 = (float)all.m8.top;
        v8 = (float)all.m8.total;
        d8.set(v8);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            a5[c] = v4;
        }
        Max<float>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            const float v6 = syn::subtract(v4, v5);
            const float v7 = syn::exp(v6);
            a8[c] = v7;
        }
        Sum<float>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            const float v6 = syn::subtract(v4, v5);
            const float v7 = syn::exp(v6);
            const float v9 = d8.of(v7);
            y0.set(c, v9);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_1214720fba89665d, syntonic::Rows_1214720fba89665d, 3, 4)
SYNTONIC_ROWS_HELD(rows_1214720fba89665d, syntonic::Rows_1214720fba89665d, 3, 4, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_1214720fba89665d, syntonic::Rows_1214720fba89665d, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_1214720fba89665d_stream, syntonic::Rows_1214720fba89665d, 3, 4, 4, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_1214720fba89665d_pair, syntonic::Rows_1214720fba89665d, 3, 4, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_1214720fba89665d, syntonic::Rows_1214720fba89665d, 3, 16)
SYNTONIC_ROWS_PASSES(rows_1214720fba89665d_passes, syntonic::Rows_1214720fba89665d, 3, 4, 4, 512, 2)

// LAYER_NORM_PLAIN(f32)
namespace syntonic {
template <int V, int R> struct Rows_14078c7544cdd3ae {
    float v1;
    float v2;
    float v3;
    float v6;
    float v7;
    float v8;
    float v9;
    float v10;
    float v11;
    float v12;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<float>(int64_t(p.length));
        v8 = p.single[1];
        v11 = p.single[0];
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
    struct Folds1 {
        typename Sum<float>::Thread f6;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = syn::subtract(v0, v3);
            const float v5 = syn::square(v4);
            a6[c] = v5;
        }
        row_take<Sum<float>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Sum<float>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Sum<float>::finish(room.template get<Sum<float>, 0>(a6));
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = syn::subtract(v0, v3);
            const float v13 = syn::multiply(v4, v12);
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
            float m1[R * V];
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            x.m1[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (float)all.m1.sum;
        v3 = syn::divide(v1, v2);
        v6 = (float)all.m1.squares;
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4)
SYNTONIC_ROWS_HELD(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 8, 4)
SYNTONIC_ROW_COLUMNS(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 8, 3)
SYNTONIC_ROW_RING(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 8)
SYNTONIC_ROW_CLUSTER(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 8)
SYNTONIC_ROW_COLUMN_RING(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 8)
SYNTONIC_ROWS_FEW(rows_14078c7544cdd3ae, syntonic::Rows_14078c7544cdd3ae, 2, 4, 8)

// DIFFERENTIATE_NOISY(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_15a642e1ac530237 {
    float v2;
    float v5;
    float v6;
    float v7;
    float v8;
    float v10;
    float v13;
    float v14;
    float v15;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const float>(p, 2, base[2]);
        v5 = syn::bits_as<float>(0x3f800000u);
        v6 = syn::subtract(v5, v2);
        v7 = syn::bits_as<float>(0x3ec3910du);
        v8 = syn::multiply(v6, v7);
        v10 = syn::bits_as<float>(0x3f800000u);
        v13 = p.single[0];
        v14 = syn::multiply(v13, v6);
        v15 = syn::bits_as<float>(0xbe1e377au);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
        at.template load<float>(3, h3);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::sqrt(v1);
            const float v9 = syn::multiply(v8, v4);
            const float v11 = syn::add(v9, v10);
            const float v12 = syn::multiply(v0, v11);
            const float v16 = syn::multiply(v1, v15);
            const float v17 = syn::exp(v16);
            const float v18 = syn::multiply(v14, v17);
            const float v19 = syn::multiply(v18, v3);
            const float v20 = syn::add(v12, v19);
            y0.set(c, v20);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_15a642e1ac530237, syntonic::Rows_15a642e1ac530237, 5, 4)
SYNTONIC_ROWS_HELD(rows_15a642e1ac530237, syntonic::Rows_15a642e1ac530237, 5, 4, 2, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_161f90343621aeb3 {
    float v5;
    float v7;
    float v9;
    float v13;
    float v14;
    float v15;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    RowVector<float, V> h12[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0xbf3504f3u);
        v14 = syn::cast<float>(int64_t(p.length));
        v20 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k12;
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            const float v8 = syn::multiply(v7, v6);
            const float v10 = syn::multiply(v6, v9);
            const float v11 = syn::erfc(v10);
            const float v12 = syn::multiply(v8, v11);
            k12.set(c, v12);
            a13[c] = v12;
        }
        at.template keep<float>(0, k12, h12);
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<float>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<float>::finish(room.template get<Sum<float>, 0>(a13));
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<float>::Thread f18;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k12 = at.template kept<float>(0, h12);
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v12 = k12.lane(c);
            const float v16 = syn::subtract(v12, v15);
            const float v17 = syn::square(v16);
            a18[c] = v17;
        }
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<float>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<float>::finish(room.template get<Sum<float>, 0>(a18));
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k12 = at.template kept<float>(0, h12);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v12 = k12.lane(c);
            const float v16 = syn::subtract(v12, v15);
            const float v23 = syn::multiply(v16, v22);
            const float v24 = syn::multiply(v23, v2);
            const float v25 = syn::add(v24, v3);
            y0.set(c, v25);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_161f90343621aeb3, syntonic::Rows_161f90343621aeb3, 5, 4)
SYNTONIC_ROWS_HELD(rows_161f90343621aeb3, syntonic::Rows_161f90343621aeb3, 5, 4, 4, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_1e034a97b2b71bb1 {
    float v5;
    float v7;
    float v12;
    float v15;
    float v18;
    float v19;
    float v20;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    RowVector<float, V> h17[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f000000u);
        v7 = syn::bits_as<float>(0x3d372713u);
        v12 = syn::bits_as<float>(0x3f4c422au);
        v15 = syn::bits_as<float>(0x3f800000u);
        v19 = syn::cast<float>(int64_t(p.length));
        v25 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f18;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k17;
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v5, v4);
            const float v8 = syn::multiply(v7, v4);
            const float v9 = syn::square(v4);
            const float v10 = syn::multiply(v8, v9);
            const float v11 = syn::add(v4, v10);
            const float v13 = syn::multiply(v12, v11);
            const float v14 = syn::tanh(v13);
            const float v16 = syn::add(v14, v15);
            const float v17 = syn::multiply(v6, v16);
            k17.set(c, v17);
            a18[c] = v17;
        }
        at.template keep<float>(0, k17, h17);
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<float>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<float>::finish(room.template get<Sum<float>, 0>(a18));
        v20 = syn::divide(v18, v19);
    }
    struct Folds1 {
        typename Sum<float>::Thread f23;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k17 = at.template kept<float>(0, h17);
        float a23[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v17 = k17.lane(c);
            const float v21 = syn::subtract(v17, v20);
            const float v22 = syn::square(v21);
            a23[c] = v22;
        }
        row_take<Sum<float>, V>(at, folds.f23, a23, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a23 = row_gathered<Sum<float>>(folds.f23, room, any, position);
        room.template put<0>(a23);
        room.meet();
        v23 = Sum<float>::finish(room.template get<Sum<float>, 0>(a23));
        v24 = syn::divide(v23, v19);
        v26 = syn::add(v24, v25);
        v27 = syn::rsqrt(v26);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k17 = at.template kept<float>(0, h17);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v17 = k17.lane(c);
            const float v21 = syn::subtract(v17, v20);
            const float v28 = syn::multiply(v21, v27);
            const float v29 = syn::multiply(v28, v2);
            const float v30 = syn::add(v29, v3);
            y0.set(c, v30);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_1e034a97b2b71bb1, syntonic::Rows_1e034a97b2b71bb1, 5, 4)
SYNTONIC_ROWS_HELD(rows_1e034a97b2b71bb1, syntonic::Rows_1e034a97b2b71bb1, 5, 4, 4, 512, 1)

// CYCLE_NOISY(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_2276bbd30d39657a {
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
    float v21;
    float v22;
    float v23;
    float v24;
    float v26;
    float v29;
    float v30;
    float v31;
    float v37;
    float v38;
    float v39;
    float v42;
    float v46;
    float v47;
    bool v48;
    float v49;
    float v50;
    float v53;
    float v55;
    float v56;
    bool v57;
    float v58;
    float v59;
    float v60;
    RowDivisor<float> d9;
    RowDivisor<float> d50;
    RowVector<float, V> h44[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 4;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = true;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::bits_as<float>(0x00000000u);
        v8 = syn::bits_as<float>(0x3f800000u);
        v15 = syn::bits_as<float>(0x00000000u);
        v17 = syn::bits_as<float>(0x3f800000u);
        v21 = syn::bits_as<float>(0x3f800000u);
        v23 = syn::bits_as<float>(0x3ec3910du);
        v26 = syn::bits_as<float>(0x3f800000u);
        v29 = p.single[0];
        v31 = syn::bits_as<float>(0xbe1e377au);
        v37 = syn::bits_as<float>(0x3f1e377au);
        v39 = syn::bits_as<float>(0x3f800000u);
        v42 = syn::bits_as<float>(0x3f800000u);
        v47 = syn::bits_as<float>(0x00000000u);
        v49 = syn::bits_as<float>(0x3f800000u);
        v56 = syn::bits_as<float>(0x00000000u);
        v58 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
        at.template fetch<float, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(1, h1);
        at.template load<float>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<3>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<4>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = syn::abs(v0);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        float a12[V];
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = x2.lane(c);
            const float v4 = syn::abs(v0);
            const float v10 = d9.near(v4);
            const float v11 = syn::square(v10);
            const float v13 = syn::multiply(v11, v2);
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
        v22 = syn::subtract(v21, v19);
        v24 = syn::multiply(v22, v23);
        v30 = syn::multiply(v29, v22);
        v38 = syn::multiply(v19, v37);
    }
    struct Folds2 {
        typename Max<float>::Thread f46;
    };
    static __device__ __forceinline__ Folds2 start(Pass<2>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<2>, Folds2& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, true>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        RowVector<float, V> k44;
        float a46[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v20 = syn::sqrt(v1);
            const float v25 = syn::multiply(v24, v20);
            const float v27 = syn::add(v25, v26);
            const float v28 = syn::multiply(v0, v27);
            const float v32 = syn::multiply(v1, v31);
            const float v33 = syn::exp(v32);
            const float v34 = syn::multiply(v30, v33);
            const float v35 = syn::multiply(v34, v3);
            const float v36 = syn::add(v28, v35);
            const float v40 = syn::subtract(v39, v2);
            const float v41 = syn::multiply(v38, v40);
            const float v43 = syn::subtract(v42, v41);
            const float v44 = syn::multiply(v36, v43);
            k44.set(c, v44);
            const float v45 = syn::abs(v44);
            a46[c] = v45;
        }
        at.template keep<float>(0, k44, h44);
        row_take<Max<float>, V>(at, folds.f46, a46, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<2>, Folds2& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a46 = row_gathered<Max<float>>(folds.f46, room, any, position);
        room.template put<0>(a46);
        room.meet();
        v46 = Max<float>::finish(room.template get<Max<float>, 0>(a46));
        v48 = syn::greater(v46, v47);
        v50 = syn::where(v48, v46, v49);
        d50.set(v50);
    }
    struct Folds3 {
        typename Sum<float>::Thread f53;
        typename Sum<float>::Thread f55;
    };
    static __device__ __forceinline__ Folds3 start(Pass<3>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<3>, Folds3& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> k44 = at.template kept<float>(0, h44);
        float a53[V];
        float a55[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v44 = k44.lane(c);
            const float v45 = syn::abs(v44);
            const float v51 = d50.near(v45);
            const float v52 = syn::square(v51);
            const float v54 = syn::multiply(v52, v2);
            a53[c] = v52;
            a55[c] = v54;
        }
        row_take<Sum<float>, V>(at, folds.f53, a53, ordinal);
        row_take<Sum<float>, V>(at, folds.f55, a55, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<3>, Folds3& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f53, folds.f55, any);
        v53 = Sum<float>::finish(both.first);
        v55 = Sum<float>::finish(both.second);
        v57 = syn::equal(v53, v56);
        v59 = syn::where(v57, v58, v53);
        v60 = syn::divide(v55, v59);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k44 = at.template kept<float>(0, h44);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v44 = k44.lane(c);
            y0.set(c, v44);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 5, base[5]) = v60;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2276bbd30d39657a, syntonic::Rows_2276bbd30d39657a, 6, 4)
SYNTONIC_ROWS_HELD(rows_2276bbd30d39657a, syntonic::Rows_2276bbd30d39657a, 6, 4, 8, 640, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_2b4fc3ebe062f63a {
    float v5;
    float v6;
    float v7;
    float v10;
    float v11;
    float v12;
    float v13;
    float v14;
    RowVector<float, V> h4[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::cast<float>(int64_t(p.length));
        v12 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k4;
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<float>(0, k4, h4);
        row_take<Sum<float>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Sum<float>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Sum<float>::finish(room.template get<Sum<float>, 0>(a5));
        v7 = syn::divide(v5, v6);
    }
    struct Folds1 {
        typename Sum<float>::Thread f10;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        float a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v4 = k4.lane(c);
            const float v8 = syn::subtract(v4, v7);
            const float v9 = syn::square(v8);
            a10[c] = v9;
        }
        row_take<Sum<float>, V>(at, folds.f10, a10, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a10 = row_gathered<Sum<float>>(folds.f10, room, any, position);
        room.template put<0>(a10);
        room.meet();
        v10 = Sum<float>::finish(room.template get<Sum<float>, 0>(a10));
        v11 = syn::divide(v10, v6);
        v13 = syn::add(v11, v12);
        v14 = syn::rsqrt(v13);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = k4.lane(c);
            const float v8 = syn::subtract(v4, v7);
            const float v15 = syn::multiply(v8, v14);
            const float v16 = syn::multiply(v15, v2);
            const float v17 = syn::add(v16, v3);
            y0.set(c, v17);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_2b4fc3ebe062f63a, syntonic::Rows_2b4fc3ebe062f63a, 5, 4)
SYNTONIC_ROWS_HELD(rows_2b4fc3ebe062f63a, syntonic::Rows_2b4fc3ebe062f63a, 5, 4, 4, 512, 1)

// SOFTMAX(f32)
namespace syntonic {
template <int V, int R> struct Rows_370bd454978b4568 {
    float v1;
    float v4;
    RowDivisor<float> d4;
    RowVector<float, V> h3[R];
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
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
    }
    struct Folds1 {
        typename Sum<float>::Thread f4;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> k3;
        float a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = syn::subtract(v0, v1);
            const float v3 = syn::exp(v2);
            k3.set(c, v3);
            a4[c] = v3;
        }
        at.template keep<float>(0, k3, h3);
        row_take<Sum<float>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Sum<float>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Sum<float>::finish(room.template get<Sum<float>, 0>(a4));
        d4.set(v4);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k3 = at.template kept<float>(0, h3);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = k3.lane(c);
            const float v5 = d4.of(v3);
            y0.set(c, v5);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m4;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m4;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m4;
        };
        struct Values {
            float m4[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m4; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m4, b.m4); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m4, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m4)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m4, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m4, x.m4);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            x.m4[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (float)all.m4.top;
        v4 = (float)all.m4.total;
        d4.set(v4);
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
        float a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = syn::subtract(v0, v1);
            const float v3 = syn::exp(v2);
            a4[c] = v3;
        }
        Sum<float>::template take<V>(folds.f4, a4, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = syn::subtract(v0, v1);
            const float v3 = syn::exp(v2);
            const float v5 = d4.of(v3);
            y0.set(c, v5);
        }
        at.write(1, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_370bd454978b4568, syntonic::Rows_370bd454978b4568, 2, 4)
SYNTONIC_ROWS_HELD(rows_370bd454978b4568, syntonic::Rows_370bd454978b4568, 2, 4, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_370bd454978b4568, syntonic::Rows_370bd454978b4568, 2, 4, 8, 3)
SYNTONIC_ROWS_STREAM(rows_370bd454978b4568_stream, syntonic::Rows_370bd454978b4568, 2, 4, 4, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_ACROSS(rows_370bd454978b4568, syntonic::Rows_370bd454978b4568, 2, 16)
SYNTONIC_ROWS_PASSES(rows_370bd454978b4568_passes, syntonic::Rows_370bd454978b4568, 2, 4, 4, 512, 2)

// SYNTONIC_SOFTMAX_PROVIDED(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_4c787177580f3a72 {
    float v3;
    float v6;
    float v9;
    RowDivisor<float> d9;
    RowVector<float, V> h5[R];
    RowVector<float, V> h8[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = p.single[0];
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f6;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k5;
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            k5.set(c, v5);
            a6[c] = v5;
        }
        at.template keep<float>(0, k5, h5);
        row_take<Max<float>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Max<float>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Max<float>::finish(room.template get<Max<float>, 0>(a6));
    }
    struct Folds1 {
        typename Sum<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k5 = at.template kept<float>(0, h5);
        RowVector<float, V> k8;
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v5 = k5.lane(c);
            const float v7 = syn::subtract(v5, v6);
            const float v8 = syn::exp(v7);
            k8.set(c, v8);
            a9[c] = v8;
        }
        at.template keep<float>(0, k8, h8);
        row_take<Sum<float>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<float>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<float>::finish(room.template get<Sum<float>, 0>(a9));
        d9.set(v9);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v8 = k8.lane(c);
            const float v10 = d9.of(v8);
            y0.set(c, v10);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m9;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m9;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m9;
        };
        struct Values {
            float m9[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m9; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m9, b.m9); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m9, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m9)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m9, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m9, x.m9);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k5;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            k5.set(c, v5);
            x.m9[at.k * V + c] = v5;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v6 = (float)all.m9.top;
        v9 = (float)all.m9.total;
        d9.set(v9);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            a6[c] = v5;
        }
        Max<float>::template take<V>(folds.f6, a6, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            const float v7 = syn::subtract(v5, v6);
            const float v8 = syn::exp(v7);
            a9[c] = v8;
        }
        Sum<float>::template take<V>(folds.f9, a9, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            const float v7 = syn::subtract(v5, v6);
            const float v8 = syn::exp(v7);
            const float v10 = d9.of(v8);
            y0.set(c, v10);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_4c787177580f3a72, syntonic::Rows_4c787177580f3a72, 3, 4)
SYNTONIC_ROWS_HELD(rows_4c787177580f3a72, syntonic::Rows_4c787177580f3a72, 3, 4, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_4c787177580f3a72, syntonic::Rows_4c787177580f3a72, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_4c787177580f3a72_stream, syntonic::Rows_4c787177580f3a72, 3, 4, 4, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_4c787177580f3a72_pair, syntonic::Rows_4c787177580f3a72, 3, 4, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_4c787177580f3a72, syntonic::Rows_4c787177580f3a72, 3, 16)
SYNTONIC_ROWS_PASSES(rows_4c787177580f3a72_passes, syntonic::Rows_4c787177580f3a72, 3, 4, 4, 512, 2)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_539d4a535745df3e {
    float v4;
    float v7;
    float v9;
    float v11;
    float v12;
    float v13;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    RowVector<float, V> h10[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k10;
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            const bool v8 = syn::less_equal(v6, v7);
            const float v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<float>(0, k10, h10);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<float>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<float>::finish(room.template get<Sum<float>, 0>(a11));
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k10 = at.template kept<float>(0, h10);
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v15 = syn::square(v14);
            a16[c] = v15;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a16 = row_gathered<Sum<float>>(folds.f16, room, any, position);
        room.template put<0>(a16);
        room.meet();
        v16 = Sum<float>::finish(room.template get<Sum<float>, 0>(a16));
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k10 = at.template kept<float>(0, h10);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = syn::multiply(v21, v2);
            const float v23 = syn::add(v22, v3);
            y0.set(c, v23);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_539d4a535745df3e, syntonic::Rows_539d4a535745df3e, 5, 4)
SYNTONIC_ROWS_HELD(rows_539d4a535745df3e, syntonic::Rows_539d4a535745df3e, 5, 4, 4, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_5b1bc7c354169f31 {
    float v4;
    float v7;
    float v9;
    float v13;
    float v14;
    float v15;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    RowVector<float, V> h12[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0xbf3504f3u);
        v14 = syn::cast<float>(int64_t(p.length));
        v20 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k12;
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            const float v8 = syn::multiply(v7, v6);
            const float v10 = syn::multiply(v6, v9);
            const float v11 = syn::erfc(v10);
            const float v12 = syn::multiply(v8, v11);
            k12.set(c, v12);
            a13[c] = v12;
        }
        at.template keep<float>(0, k12, h12);
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<float>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<float>::finish(room.template get<Sum<float>, 0>(a13));
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<float>::Thread f18;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k12 = at.template kept<float>(0, h12);
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v12 = k12.lane(c);
            const float v16 = syn::subtract(v12, v15);
            const float v17 = syn::square(v16);
            a18[c] = v17;
        }
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a18 = row_gathered<Sum<float>>(folds.f18, room, any, position);
        room.template put<0>(a18);
        room.meet();
        v18 = Sum<float>::finish(room.template get<Sum<float>, 0>(a18));
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k12 = at.template kept<float>(0, h12);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v12 = k12.lane(c);
            const float v16 = syn::subtract(v12, v15);
            const float v23 = syn::multiply(v16, v22);
            const float v24 = syn::multiply(v23, v2);
            const float v25 = syn::add(v24, v3);
            y0.set(c, v25);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5b1bc7c354169f31, syntonic::Rows_5b1bc7c354169f31, 5, 4)
SYNTONIC_ROWS_HELD(rows_5b1bc7c354169f31, syntonic::Rows_5b1bc7c354169f31, 5, 4, 4, 512, 1)

// LAYER_NORM(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_6202112153e42b14 {
    float v3;
    float v4;
    float v5;
    float v8;
    float v9;
    float v10;
    float v11;
    float v12;
    float v13;
    float v14;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::cast<float>(int64_t(p.length));
        v10 = p.single[1];
        v13 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
    }
    struct Folds0 {
        typename Sum<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            a3[c] = v0;
        }
        row_take<Sum<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<float>::finish(room.template get<Sum<float>, 0>(a3));
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::square(v6);
            a8[c] = v7;
        }
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<float>::finish(room.template get<Sum<float>, 0>(a8));
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, true>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v15 = syn::multiply(v6, v14);
            const float v16 = syn::multiply(v15, v1);
            const float v17 = syn::add(v16, v2);
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
            float m3[R * V];
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            x.m3[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v3 = (float)all.m3.sum;
        v5 = syn::divide(v3, v4);
        v8 = (float)all.m3.squares;
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_6202112153e42b14, syntonic::Rows_6202112153e42b14, 4, 4)
SYNTONIC_ROWS_HELD(rows_6202112153e42b14, syntonic::Rows_6202112153e42b14, 4, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_6202112153e42b14, syntonic::Rows_6202112153e42b14, 4, 4, 8, 4)

// SYNTONIC_SOFTMAX_PROVIDED_OR_ZERO(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_64a40f80549c85ea {
    float v3;
    float v6;
    float v7;
    bool v8;
    float v9;
    float v10;
    float v13;
    float v14;
    bool v15;
    float v16;
    float v17;
    RowDivisor<float> d17;
    RowVector<float, V> h5[R];
    RowVector<float, V> h12[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = p.single[0];
        v7 = syn::bits_as<float>(0xff800000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v14 = syn::bits_as<float>(0x00000000u);
        v16 = syn::bits_as<float>(0x3f800000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f6;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k5;
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            k5.set(c, v5);
            a6[c] = v5;
        }
        at.template keep<float>(0, k5, h5);
        row_take<Max<float>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Max<float>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Max<float>::finish(room.template get<Max<float>, 0>(a6));
        v8 = syn::equal(v6, v7);
        v10 = syn::where(v8, v9, v6);
    }
    struct Folds1 {
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k5 = at.template kept<float>(0, h5);
        RowVector<float, V> k12;
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v5 = k5.lane(c);
            const float v11 = syn::subtract(v5, v10);
            const float v12 = syn::exp(v11);
            k12.set(c, v12);
            a13[c] = v12;
        }
        at.template keep<float>(0, k12, h12);
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a13 = row_gathered<Sum<float>>(folds.f13, room, any, position);
        room.template put<0>(a13);
        room.meet();
        v13 = Sum<float>::finish(room.template get<Sum<float>, 0>(a13));
        v15 = syn::equal(v13, v14);
        v17 = syn::where(v15, v16, v13);
        d17.set(v17);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k12 = at.template kept<float>(0, h12);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v12 = k12.lane(c);
            const float v18 = d17.of(v12);
            y0.set(c, v18);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m13;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m13;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m13;
        };
        struct Values {
            float m13[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m13; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m13, b.m13); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m13, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m13)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m13, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m13, x.m13);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k5;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            k5.set(c, v5);
            x.m13[at.k * V + c] = v5;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v6 = (float)all.m13.top;
        v8 = syn::equal(v6, v7);
        v10 = syn::where(v8, v9, v6);
        v13 = (float)all.m13.total;
        v15 = syn::equal(v13, v14);
        v17 = syn::where(v15, v16, v13);
        d17.set(v17);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            a6[c] = v5;
        }
        Max<float>::template take<V>(folds.f6, a6, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            const float v11 = syn::subtract(v5, v10);
            const float v12 = syn::exp(v11);
            a13[c] = v12;
        }
        Sum<float>::template take<V>(folds.f13, a13, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::log(v1);
            const float v4 = syn::multiply(v2, v3);
            const float v5 = syn::add(v0, v4);
            const float v11 = syn::subtract(v5, v10);
            const float v12 = syn::exp(v11);
            const float v18 = d17.of(v12);
            y0.set(c, v18);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_64a40f80549c85ea, syntonic::Rows_64a40f80549c85ea, 3, 4)
SYNTONIC_ROWS_HELD(rows_64a40f80549c85ea, syntonic::Rows_64a40f80549c85ea, 3, 4, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_64a40f80549c85ea, syntonic::Rows_64a40f80549c85ea, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_64a40f80549c85ea_stream, syntonic::Rows_64a40f80549c85ea, 3, 4, 4, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_64a40f80549c85ea_pair, syntonic::Rows_64a40f80549c85ea, 3, 4, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_64a40f80549c85ea, syntonic::Rows_64a40f80549c85ea, 3, 16)
SYNTONIC_ROWS_PASSES(rows_64a40f80549c85ea_passes, syntonic::Rows_64a40f80549c85ea, 3, 4, 4, 512, 2)

// HARMONIZE(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_7f431fbc83cc6930 {
    float v2;
    float v3;
    float v4;
    float v5;
    float v8;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const float>(p, 2, base[2]);
        v3 = syn::bits_as<float>(0x3f1e377au);
        v4 = syn::multiply(v2, v3);
        v5 = syn::bits_as<float>(0x3f800000u);
        v8 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v6 = syn::subtract(v5, v1);
            const float v7 = syn::multiply(v4, v6);
            const float v9 = syn::subtract(v8, v7);
            const float v10 = syn::multiply(v0, v9);
            y0.set(c, v10);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_7f431fbc83cc6930, syntonic::Rows_7f431fbc83cc6930, 4, 4)
SYNTONIC_ROWS_HELD(rows_7f431fbc83cc6930, syntonic::Rows_7f431fbc83cc6930, 4, 4, 2, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_85ad5d9a47c726e3 {
    float v4;
    float v7;
    float v9;
    float v14;
    float v17;
    float v20;
    float v21;
    float v22;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    RowVector<float, V> h19[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0x3d372713u);
        v14 = syn::bits_as<float>(0x3f4c422au);
        v17 = syn::bits_as<float>(0x3f800000u);
        v21 = syn::cast<float>(int64_t(p.length));
        v27 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k19;
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            const float v8 = syn::multiply(v7, v6);
            const float v10 = syn::multiply(v9, v6);
            const float v11 = syn::square(v6);
            const float v12 = syn::multiply(v10, v11);
            const float v13 = syn::add(v6, v12);
            const float v15 = syn::multiply(v14, v13);
            const float v16 = syn::tanh(v15);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            k19.set(c, v19);
            a20[c] = v19;
        }
        at.template keep<float>(0, k19, h19);
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<float>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<float>::finish(room.template get<Sum<float>, 0>(a20));
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<float>::Thread f25;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k19 = at.template kept<float>(0, h19);
        float a25[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v19 = k19.lane(c);
            const float v23 = syn::subtract(v19, v22);
            const float v24 = syn::square(v23);
            a25[c] = v24;
        }
        row_take<Sum<float>, V>(at, folds.f25, a25, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a25 = row_gathered<Sum<float>>(folds.f25, room, any, position);
        room.template put<0>(a25);
        room.meet();
        v25 = Sum<float>::finish(room.template get<Sum<float>, 0>(a25));
        v26 = syn::divide(v25, v21);
        v28 = syn::add(v26, v27);
        v29 = syn::rsqrt(v28);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k19 = at.template kept<float>(0, h19);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v19 = k19.lane(c);
            const float v23 = syn::subtract(v19, v22);
            const float v30 = syn::multiply(v23, v29);
            const float v31 = syn::multiply(v30, v2);
            const float v32 = syn::add(v31, v3);
            y0.set(c, v32);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_85ad5d9a47c726e3, syntonic::Rows_85ad5d9a47c726e3, 5, 4)
SYNTONIC_ROWS_HELD(rows_85ad5d9a47c726e3, syntonic::Rows_85ad5d9a47c726e3, 5, 4, 4, 512, 1)

// SOFTMAX_OR_ZERO(f32)
namespace syntonic {
template <int V, int R> struct Rows_93167506aad97c22 {
    float v1;
    float v2;
    bool v3;
    float v4;
    float v5;
    float v8;
    float v9;
    bool v10;
    float v11;
    float v12;
    RowDivisor<float> d12;
    RowVector<float, V> h7[R];
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::bits_as<float>(0xff800000u);
        v4 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v11 = syn::bits_as<float>(0x3f800000u);
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
        v3 = syn::equal(v1, v2);
        v5 = syn::where(v3, v4, v1);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> k7;
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::exp(v6);
            k7.set(c, v7);
            a8[c] = v7;
        }
        at.template keep<float>(0, k7, h7);
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<float>::finish(room.template get<Sum<float>, 0>(a8));
        v10 = syn::equal(v8, v9);
        v12 = syn::where(v10, v11, v8);
        d12.set(v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k7 = at.template kept<float>(0, h7);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v7 = k7.lane(c);
            const float v13 = d12.of(v7);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m8;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m8;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m8;
        };
        struct Values {
            float m8[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m8; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m8, b.m8); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m8, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m8)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m8, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m8, x.m8);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            x.m8[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (float)all.m8.top;
        v3 = syn::equal(v1, v2);
        v5 = syn::where(v3, v4, v1);
        v8 = (float)all.m8.total;
        v10 = syn::equal(v8, v9);
        v12 = syn::where(v10, v11, v8);
        d12.set(v12);
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
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::exp(v6);
            a8[c] = v7;
        }
        Sum<float>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::exp(v6);
            const float v13 = d12.of(v7);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_93167506aad97c22, syntonic::Rows_93167506aad97c22, 2, 4)
SYNTONIC_ROWS_HELD(rows_93167506aad97c22, syntonic::Rows_93167506aad97c22, 2, 4, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_93167506aad97c22, syntonic::Rows_93167506aad97c22, 2, 4, 8, 3)
SYNTONIC_ROWS_STREAM(rows_93167506aad97c22_stream, syntonic::Rows_93167506aad97c22, 2, 4, 4, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_ACROSS(rows_93167506aad97c22, syntonic::Rows_93167506aad97c22, 2, 16)
SYNTONIC_ROWS_PASSES(rows_93167506aad97c22_passes, syntonic::Rows_93167506aad97c22, 2, 4, 4, 512, 2)

// BATCH_NORM_EVAL_PLAIN(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_a4096f3fbfbaf5a3 {
    float v1;
    float v2;
    float v4;
    float v5;
    float v6;
    float v7;
    float v8;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const float>(p, 1, base[1]);
        v2 = *row_address<const float>(p, 2, base[2]);
        v4 = p.single[1];
        v5 = syn::add(v2, v4);
        v6 = syn::rsqrt(v5);
        v7 = p.single[0];
        v8 = syn::multiply(v6, v7);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v3 = syn::subtract(v0, v1);
            const float v9 = syn::multiply(v3, v8);
            y0.set(c, v9);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a4096f3fbfbaf5a3, syntonic::Rows_a4096f3fbfbaf5a3, 4, 4)
SYNTONIC_ROWS_HELD(rows_a4096f3fbfbaf5a3, syntonic::Rows_a4096f3fbfbaf5a3, 4, 4, 4, 512, 1)

// BATCH_NORM_PLAIN(f32)
namespace syntonic {
template <int V, int R> struct Rows_a6ddf9024bdc579a {
    float v1;
    float v2;
    float v3;
    float v6;
    float v7;
    float v8;
    float v9;
    float v10;
    float v11;
    float v12;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = syn::cast<float>(int64_t(p.length));
        v8 = p.single[1];
        v11 = p.single[0];
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
    struct Folds1 {
        typename Sum<float>::Thread f6;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = syn::subtract(v0, v3);
            const float v5 = syn::square(v4);
            a6[c] = v5;
        }
        row_take<Sum<float>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Sum<float>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Sum<float>::finish(room.template get<Sum<float>, 0>(a6));
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = syn::subtract(v0, v3);
            const float v13 = syn::multiply(v4, v12);
            y0.set(c, v13);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 2, base[2]) = v3;
        *row_address<float>(p, 3, base[3]) = v7;
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
            float m1[R * V];
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            x.m1[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v1 = (float)all.m1.sum;
        v3 = syn::divide(v1, v2);
        v6 = (float)all.m1.squares;
        v7 = syn::divide(v6, v2);
        v9 = syn::add(v7, v8);
        v10 = syn::rsqrt(v9);
        v12 = syn::multiply(v10, v11);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4)
SYNTONIC_ROWS_HELD(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 8, 4)
SYNTONIC_ROW_COLUMNS(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 8, 3)
SYNTONIC_ROW_RING(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 8)
SYNTONIC_ROW_CLUSTER(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 8)
SYNTONIC_ROW_COLUMN_RING(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 8)
SYNTONIC_ROWS_FEW(rows_a6ddf9024bdc579a, syntonic::Rows_a6ddf9024bdc579a, 4, 4, 8)

// SYNTONIC_SOFTMAX_OR_ZERO(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_a87019cff69488a3 {
    float v2;
    float v5;
    float v6;
    bool v7;
    float v8;
    float v9;
    float v12;
    float v13;
    bool v14;
    float v15;
    float v16;
    RowDivisor<float> d16;
    RowVector<float, V> h4[R];
    RowVector<float, V> h11[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = p.single[0];
        v6 = syn::bits_as<float>(0xff800000u);
        v8 = syn::bits_as<float>(0x00000000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v15 = syn::bits_as<float>(0x3f800000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k4;
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<float>(0, k4, h4);
        row_take<Max<float>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Max<float>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Max<float>::finish(room.template get<Max<float>, 0>(a5));
        v7 = syn::equal(v5, v6);
        v9 = syn::where(v7, v8, v5);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        RowVector<float, V> k11;
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v4 = k4.lane(c);
            const float v10 = syn::subtract(v4, v9);
            const float v11 = syn::exp(v10);
            k11.set(c, v11);
            a12[c] = v11;
        }
        at.template keep<float>(0, k11, h11);
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a12 = row_gathered<Sum<float>>(folds.f12, room, any, position);
        room.template put<0>(a12);
        room.meet();
        v12 = Sum<float>::finish(room.template get<Sum<float>, 0>(a12));
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        d16.set(v16);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k11 = at.template kept<float>(0, h11);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v11 = k11.lane(c);
            const float v17 = d16.of(v11);
            y0.set(c, v17);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m12;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m12;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m12;
        };
        struct Values {
            float m12[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m12; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m12, b.m12); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m12, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m12)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m12, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m12, x.m12);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k4;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            k4.set(c, v4);
            x.m12[at.k * V + c] = v4;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v5 = (float)all.m12.top;
        v7 = syn::equal(v5, v6);
        v9 = syn::where(v7, v8, v5);
        v12 = (float)all.m12.total;
        v14 = syn::equal(v12, v13);
        v16 = syn::where(v14, v15, v12);
        d16.set(v16);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            a5[c] = v4;
        }
        Max<float>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            const float v10 = syn::subtract(v4, v9);
            const float v11 = syn::exp(v10);
            a12[c] = v11;
        }
        Sum<float>::template take<V>(folds.f12, a12, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::multiply(v1, v2);
            const float v4 = syn::add(v0, v3);
            const float v10 = syn::subtract(v4, v9);
            const float v11 = syn::exp(v10);
            const float v17 = d16.of(v11);
            y0.set(c, v17);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a87019cff69488a3, syntonic::Rows_a87019cff69488a3, 3, 4)
SYNTONIC_ROWS_HELD(rows_a87019cff69488a3, syntonic::Rows_a87019cff69488a3, 3, 4, 4, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_a87019cff69488a3, syntonic::Rows_a87019cff69488a3, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_a87019cff69488a3_stream, syntonic::Rows_a87019cff69488a3, 3, 4, 4, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_a87019cff69488a3_pair, syntonic::Rows_a87019cff69488a3, 3, 4, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_a87019cff69488a3, syntonic::Rows_a87019cff69488a3, 3, 16)
SYNTONIC_ROWS_PASSES(rows_a87019cff69488a3_passes, syntonic::Rows_a87019cff69488a3, 3, 4, 4, 512, 2)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_a929157c92d9312d {
    float v5;
    float v7;
    float v9;
    float v14;
    float v17;
    float v20;
    float v21;
    float v22;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    RowVector<float, V> h19[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0x3d372713u);
        v14 = syn::bits_as<float>(0x3f4c422au);
        v17 = syn::bits_as<float>(0x3f800000u);
        v21 = syn::cast<float>(int64_t(p.length));
        v27 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k19;
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            const float v8 = syn::multiply(v7, v6);
            const float v10 = syn::multiply(v9, v6);
            const float v11 = syn::square(v6);
            const float v12 = syn::multiply(v10, v11);
            const float v13 = syn::add(v6, v12);
            const float v15 = syn::multiply(v14, v13);
            const float v16 = syn::tanh(v15);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            k19.set(c, v19);
            a20[c] = v19;
        }
        at.template keep<float>(0, k19, h19);
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<float>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<float>::finish(room.template get<Sum<float>, 0>(a20));
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<float>::Thread f25;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k19 = at.template kept<float>(0, h19);
        float a25[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v19 = k19.lane(c);
            const float v23 = syn::subtract(v19, v22);
            const float v24 = syn::square(v23);
            a25[c] = v24;
        }
        row_take<Sum<float>, V>(at, folds.f25, a25, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a25 = row_gathered<Sum<float>>(folds.f25, room, any, position);
        room.template put<0>(a25);
        room.meet();
        v25 = Sum<float>::finish(room.template get<Sum<float>, 0>(a25));
        v26 = syn::divide(v25, v21);
        v28 = syn::add(v26, v27);
        v29 = syn::rsqrt(v28);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k19 = at.template kept<float>(0, h19);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v19 = k19.lane(c);
            const float v23 = syn::subtract(v19, v22);
            const float v30 = syn::multiply(v23, v29);
            const float v31 = syn::multiply(v30, v2);
            const float v32 = syn::add(v31, v3);
            y0.set(c, v32);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a929157c92d9312d, syntonic::Rows_a929157c92d9312d, 5, 4)
SYNTONIC_ROWS_HELD(rows_a929157c92d9312d, syntonic::Rows_a929157c92d9312d, 5, 4, 4, 512, 1)

// DIFFERENTIATE(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_d77d7f8873e2e0a8 {
    float v2;
    float v4;
    float v5;
    float v6;
    float v7;
    float v9;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const float>(p, 2, base[2]);
        v4 = syn::bits_as<float>(0x3f800000u);
        v5 = syn::subtract(v4, v2);
        v6 = syn::bits_as<float>(0x3ec3910du);
        v7 = syn::multiply(v5, v6);
        v9 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v3 = syn::sqrt(v1);
            const float v8 = syn::multiply(v7, v3);
            const float v10 = syn::add(v8, v9);
            const float v11 = syn::multiply(v0, v10);
            y0.set(c, v11);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_d77d7f8873e2e0a8, syntonic::Rows_d77d7f8873e2e0a8, 4, 4)
SYNTONIC_ROWS_HELD(rows_d77d7f8873e2e0a8, syntonic::Rows_d77d7f8873e2e0a8, 4, 4, 2, 512, 2)

// BATCH_NORM(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_e7d18aec6fffdde2 {
    float v1;
    float v2;
    float v3;
    float v4;
    float v5;
    float v8;
    float v9;
    float v10;
    float v11;
    float v12;
    float v13;
    float v14;
    float v15;
    RowVector<float, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const float>(p, 1, base[1]);
        v2 = *row_address<const float>(p, 2, base[2]);
        v4 = syn::cast<float>(int64_t(p.length));
        v10 = p.single[1];
        v13 = p.single[0];
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
        typename Sum<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            a3[c] = v0;
        }
        row_take<Sum<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<float>::finish(room.template get<Sum<float>, 0>(a3));
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::square(v6);
            a8[c] = v7;
        }
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<float>::finish(room.template get<Sum<float>, 0>(a8));
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
        v15 = syn::multiply(v14, v1);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v16 = syn::multiply(v6, v15);
            const float v17 = syn::add(v16, v2);
            y0.set(c, v17);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 4, base[4]) = v5;
        *row_address<float>(p, 5, base[5]) = v9;
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
            float m3[R * V];
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            x.m3[at.k * V + c] = v0;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v3 = (float)all.m3.sum;
        v5 = syn::divide(v3, v4);
        v8 = (float)all.m3.squares;
        v9 = syn::divide(v8, v4);
        v11 = syn::add(v9, v10);
        v12 = syn::rsqrt(v11);
        v14 = syn::multiply(v12, v13);
        v15 = syn::multiply(v14, v1);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4)
SYNTONIC_ROWS_HELD(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 8, 4)
SYNTONIC_ROW_COLUMNS(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 8, 3)
SYNTONIC_ROW_RING(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 8)
SYNTONIC_ROW_CLUSTER(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 8)
SYNTONIC_ROW_COLUMN_RING(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 8)
SYNTONIC_ROWS_FEW(rows_e7d18aec6fffdde2, syntonic::Rows_e7d18aec6fffdde2, 6, 4, 8)

// CYCLE(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_ed7280f90a274eff {
    float v4;
    float v5;
    bool v6;
    float v7;
    float v8;
    float v11;
    float v13;
    float v14;
    bool v15;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    float v24;
    float v27;
    float v28;
    float v29;
    float v32;
    float v36;
    float v37;
    bool v38;
    float v39;
    float v40;
    float v43;
    float v45;
    float v46;
    bool v47;
    float v48;
    float v49;
    float v50;
    RowDivisor<float> d8;
    RowDivisor<float> d40;
    RowVector<float, V> h34[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 4;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = true;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x00000000u);
        v7 = syn::bits_as<float>(0x3f800000u);
        v14 = syn::bits_as<float>(0x00000000u);
        v16 = syn::bits_as<float>(0x3f800000u);
        v19 = syn::bits_as<float>(0x3f800000u);
        v21 = syn::bits_as<float>(0x3ec3910du);
        v24 = syn::bits_as<float>(0x3f800000u);
        v27 = syn::bits_as<float>(0x3f1e377au);
        v29 = syn::bits_as<float>(0x3f800000u);
        v32 = syn::bits_as<float>(0x3f800000u);
        v37 = syn::bits_as<float>(0x00000000u);
        v39 = syn::bits_as<float>(0x3f800000u);
        v46 = syn::bits_as<float>(0x00000000u);
        v48 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<3>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<4>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f4;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        float a4[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v3 = syn::abs(v0);
            a4[c] = v3;
        }
        row_take<Max<float>, V>(at, folds.f4, a4, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a4 = row_gathered<Max<float>>(folds.f4, room, any, position);
        room.template put<0>(a4);
        room.meet();
        v4 = Max<float>::finish(room.template get<Max<float>, 0>(a4));
        v6 = syn::greater(v4, v5);
        v8 = syn::where(v6, v4, v7);
        d8.set(v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f11;
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        float a11[V];
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = syn::abs(v0);
            const float v9 = d8.near(v3);
            const float v10 = syn::square(v9);
            const float v12 = syn::multiply(v10, v2);
            a11[c] = v10;
            a13[c] = v12;
        }
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f11, folds.f13, any);
        v11 = Sum<float>::finish(both.first);
        v13 = Sum<float>::finish(both.second);
        v15 = syn::equal(v11, v14);
        v17 = syn::where(v15, v16, v11);
        v18 = syn::divide(v13, v17);
        v20 = syn::subtract(v19, v18);
        v22 = syn::multiply(v20, v21);
        v28 = syn::multiply(v18, v27);
    }
    struct Folds2 {
        typename Max<float>::Thread f36;
    };
    static __device__ __forceinline__ Folds2 start(Pass<2>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<2>, Folds2& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, true>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        RowVector<float, V> k34;
        float a36[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v23 = syn::multiply(v22, v1);
            const float v25 = syn::add(v23, v24);
            const float v26 = syn::multiply(v0, v25);
            const float v30 = syn::subtract(v29, v2);
            const float v31 = syn::multiply(v28, v30);
            const float v33 = syn::subtract(v32, v31);
            const float v34 = syn::multiply(v26, v33);
            k34.set(c, v34);
            const float v35 = syn::abs(v34);
            a36[c] = v35;
        }
        at.template keep<float>(0, k34, h34);
        row_take<Max<float>, V>(at, folds.f36, a36, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<2>, Folds2& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a36 = row_gathered<Max<float>>(folds.f36, room, any, position);
        room.template put<0>(a36);
        room.meet();
        v36 = Max<float>::finish(room.template get<Max<float>, 0>(a36));
        v38 = syn::greater(v36, v37);
        v40 = syn::where(v38, v36, v39);
        d40.set(v40);
    }
    struct Folds3 {
        typename Sum<float>::Thread f43;
        typename Sum<float>::Thread f45;
    };
    static __device__ __forceinline__ Folds3 start(Pass<3>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<3>, Folds3& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> k34 = at.template kept<float>(0, h34);
        float a43[V];
        float a45[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v34 = k34.lane(c);
            const float v35 = syn::abs(v34);
            const float v41 = d40.near(v35);
            const float v42 = syn::square(v41);
            const float v44 = syn::multiply(v42, v2);
            a43[c] = v42;
            a45[c] = v44;
        }
        row_take<Sum<float>, V>(at, folds.f43, a43, ordinal);
        row_take<Sum<float>, V>(at, folds.f45, a45, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<3>, Folds3& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f43, folds.f45, any);
        v43 = Sum<float>::finish(both.first);
        v45 = Sum<float>::finish(both.second);
        v47 = syn::equal(v43, v46);
        v49 = syn::where(v47, v48, v43);
        v50 = syn::divide(v45, v49);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k34 = at.template kept<float>(0, h34);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v34 = k34.lane(c);
            y0.set(c, v34);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 4, base[4]) = v50;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_ed7280f90a274eff, syntonic::Rows_ed7280f90a274eff, 5, 4)
SYNTONIC_ROWS_HELD(rows_ed7280f90a274eff, syntonic::Rows_ed7280f90a274eff, 5, 4, 8, 640, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_ef857727dee12724 {
    float v5;
    float v7;
    float v9;
    float v10;
    float v11;
    float v14;
    float v15;
    float v16;
    float v17;
    float v18;
    RowVector<float, V> h8[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x00000000u);
        v7 = syn::bits_as<float>(0x00000000u);
        v10 = syn::cast<float>(int64_t(p.length));
        v16 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k8;
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const bool v6 = syn::less_equal(v4, v5);
            const float v8 = syn::where(v6, v7, v4);
            k8.set(c, v8);
            a9[c] = v8;
        }
        at.template keep<float>(0, k8, h8);
        row_take<Sum<float>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<float>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<float>::finish(room.template get<Sum<float>, 0>(a9));
        v11 = syn::divide(v9, v10);
    }
    struct Folds1 {
        typename Sum<float>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v8 = k8.lane(c);
            const float v12 = syn::subtract(v8, v11);
            const float v13 = syn::square(v12);
            a14[c] = v13;
        }
        row_take<Sum<float>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a14 = row_gathered<Sum<float>>(folds.f14, room, any, position);
        room.template put<0>(a14);
        room.meet();
        v14 = Sum<float>::finish(room.template get<Sum<float>, 0>(a14));
        v15 = syn::divide(v14, v10);
        v17 = syn::add(v15, v16);
        v18 = syn::rsqrt(v17);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v12 = syn::subtract(v8, v11);
            const float v19 = syn::multiply(v12, v18);
            const float v20 = syn::multiply(v19, v2);
            const float v21 = syn::add(v20, v3);
            y0.set(c, v21);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_ef857727dee12724, syntonic::Rows_ef857727dee12724, 5, 4)
SYNTONIC_ROWS_HELD(rows_ef857727dee12724, syntonic::Rows_ef857727dee12724, 5, 4, 4, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_ef886385a6f64bac {
    float v5;
    float v7;
    float v9;
    float v11;
    float v12;
    float v13;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    RowVector<float, V> h10[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k10;
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            const bool v8 = syn::less_equal(v6, v7);
            const float v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<float>(0, k10, h10);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<float>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<float>::finish(room.template get<Sum<float>, 0>(a11));
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k10 = at.template kept<float>(0, h10);
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v15 = syn::square(v14);
            a16[c] = v15;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a16 = row_gathered<Sum<float>>(folds.f16, room, any, position);
        room.template put<0>(a16);
        room.meet();
        v16 = Sum<float>::finish(room.template get<Sum<float>, 0>(a16));
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k10 = at.template kept<float>(0, h10);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = syn::multiply(v21, v2);
            const float v23 = syn::add(v22, v3);
            y0.set(c, v23);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_ef886385a6f64bac, syntonic::Rows_ef886385a6f64bac, 5, 4)
SYNTONIC_ROWS_HELD(rows_ef886385a6f64bac, syntonic::Rows_ef886385a6f64bac, 5, 4, 4, 512, 1)

// phi_residual_layer_norm(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_fcbd47507d34c74a {
    float v4;
    float v7;
    float v8;
    float v9;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    RowVector<float, V> h6[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v8 = syn::cast<float>(int64_t(p.length));
        v14 = p.single[0];
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
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<float>(2, h2);
        at.template load<float>(3, h3);
    }
    struct Folds0 {
        typename Sum<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> k6;
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            k6.set(c, v6);
            a7[c] = v6;
        }
        at.template keep<float>(0, k6, h6);
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<float>::finish(room.template get<Sum<float>, 0>(a7));
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        float a12[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
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
        v13 = syn::divide(v12, v8);
        v15 = syn::add(v13, v14);
        v16 = syn::rsqrt(v15);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x2 = at.template read<float, false, true>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, true>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
            const float v17 = syn::multiply(v10, v16);
            const float v18 = syn::multiply(v17, v2);
            const float v19 = syn::add(v18, v3);
            y0.set(c, v19);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_fcbd47507d34c74a, syntonic::Rows_fcbd47507d34c74a, 5, 4)
SYNTONIC_ROWS_HELD(rows_fcbd47507d34c74a, syntonic::Rows_fcbd47507d34c74a, 5, 4, 4, 512, 1)
