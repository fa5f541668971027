// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"

// BATCH_NORM_PLAIN(bf16)
namespace syntonic {
template <int V, int R> struct Rows_08eacae551047ab7 {
    float v2;
    float v3;
    float v4;
    float v7;
    float v8;
    float v9;
    float v10;
    float v11;
    float v12;
    float v13;
    syn::bf16 v16;
    syn::bf16 v17;
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<float>(int64_t(p.length));
        v9 = p.single[1];
        v12 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
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
        v16 = syn::cast<syn::bf16>(v4);
    }
    struct Folds1 {
        typename Sum<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v5 = syn::subtract(v1, v4);
            const float v6 = syn::square(v5);
            a7[c] = v6;
        }
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<float>::finish(room.template get<Sum<float>, 0>(a7));
        v8 = syn::divide(v7, v3);
        v10 = syn::add(v8, v9);
        v11 = syn::rsqrt(v10);
        v13 = syn::multiply(v11, v12);
        v17 = syn::cast<syn::bf16>(v8);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v5 = syn::subtract(v1, v4);
            const float v14 = syn::multiply(v5, v13);
            const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
            y0.set(c, v15);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::bf16>(p, 2, base[2]) = v16;
        *row_address<syn::bf16>(p, 3, base[3]) = v17;
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m2;
        };
        struct Near {
            typename Spreads::Near m2;
        };
        struct Told {
            typename Spreads::Told m2;
        };
        struct Values {
            float m2[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m2, b.m2); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m2, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m2)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m2, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m2, x.m2);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            x.m2[at.k * V + c] = v1;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v2 = (float)all.m2.sum;
        v4 = syn::divide(v2, v3);
        v16 = syn::cast<syn::bf16>(v4);
        v7 = (float)all.m2.squares;
        v8 = syn::divide(v7, v3);
        v10 = syn::add(v8, v9);
        v11 = syn::rsqrt(v10);
        v13 = syn::multiply(v11, v12);
        v17 = syn::cast<syn::bf16>(v8);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_08eacae551047ab7, syntonic::Rows_08eacae551047ab7, 4, 8)
SYNTONIC_ROWS_HELD(rows_08eacae551047ab7, syntonic::Rows_08eacae551047ab7, 4, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_08eacae551047ab7, syntonic::Rows_08eacae551047ab7, 4, 8, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_08eacae551047ab7, syntonic::Rows_08eacae551047ab7, 4, 4, 8, 3)
SYNTONIC_ROW_CLUSTER(rows_08eacae551047ab7, syntonic::Rows_08eacae551047ab7, 4, 8, 4)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_19e7114cc52e3660 {
    float v8;
    float v11;
    float v13;
    float v17;
    float v18;
    float v19;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    RowVector<float, V> h15[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v8 = syn::bits_as<float>(0x3f1e377au);
        v11 = syn::bits_as<float>(0x3f000000u);
        v13 = syn::bits_as<float>(0xbf3504f3u);
        v18 = syn::cast<float>(int64_t(p.length));
        v24 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f17;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k15;
        float a17[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v14 = syn::multiply(v10, v13);
            const float v15 = syn::erfc(v14);
            k15.set(c, v15);
            const float v16 = syn::multiply(v12, v15);
            a17[c] = v16;
        }
        at.template keep<float>(4, k15, h15);
        row_take<Sum<float>, V>(at, folds.f17, a17, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a17 = row_gathered<Sum<float>>(folds.f17, room, any, position);
        room.template put<0>(a17);
        room.meet();
        v17 = Sum<float>::finish(room.template get<Sum<float>, 0>(a17));
        v19 = syn::divide(v17, v18);
    }
    struct Folds1 {
        typename Sum<float>::Thread f22;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<float, V> k15 = at.template kept<float>(4, h15);
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v15 = k15.lane(c);
            const float v16 = syn::multiply(v12, v15);
            const float v20 = syn::subtract(v16, v19);
            const float v21 = syn::square(v20);
            a22[c] = v21;
        }
        row_take<Sum<float>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a22 = row_gathered<Sum<float>>(folds.f22, room, any, position);
        room.template put<0>(a22);
        room.meet();
        v22 = Sum<float>::finish(room.template get<Sum<float>, 0>(a22));
        v23 = syn::divide(v22, v18);
        v25 = syn::add(v23, v24);
        v26 = syn::rsqrt(v25);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        const RowVector<float, V> k15 = at.template kept<float>(4, h15);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v15 = k15.lane(c);
            const float v16 = syn::multiply(v12, v15);
            const float v20 = syn::subtract(v16, v19);
            const float v27 = syn::multiply(v20, v26);
            const float v28 = syn::multiply(v27, v5);
            const float v29 = syn::add(v28, v7);
            const syn::bf16 v30 = syn::cast<syn::bf16>(v29);
            y0.set(c, v30);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_19e7114cc52e3660, syntonic::Rows_19e7114cc52e3660, 5, 8)
SYNTONIC_ROWS_HELD(rows_19e7114cc52e3660, syntonic::Rows_19e7114cc52e3660, 5, 8, 2, 512, 1)

// SOFTMAX_OR_ZERO(bf16)
namespace syntonic {
template <int V, int R> struct Rows_1bd48c2734ee4069 {
    float v2;
    float v3;
    bool v4;
    float v5;
    float v6;
    float v9;
    float v10;
    bool v11;
    float v12;
    float v13;
    RowDivisor<float> d13;
    RowVector<float, V> h8[R];
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<float>(0xff800000u);
        v5 = syn::bits_as<float>(0x00000000u);
        v10 = syn::bits_as<float>(0x00000000u);
        v12 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
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
        v4 = syn::equal(v2, v3);
        v6 = syn::where(v4, v5, v2);
    }
    struct Folds1 {
        typename Sum<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<float, V> k8;
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v7 = syn::subtract(v1, v6);
            const float v8 = syn::exp(v7);
            k8.set(c, v8);
            a9[c] = v8;
        }
        at.template keep<float>(1, k8, h8);
        row_take<Sum<float>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<float>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<float>::finish(room.template get<Sum<float>, 0>(a9));
        v11 = syn::equal(v9, v10);
        v13 = syn::where(v11, v12, v9);
        d13.set(v13);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v8 = k8.lane(c);
            const float v14 = d13.of(v8);
            const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
            y0.set(c, v15);
        }
        at.write(1, y0);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            x.m9[at.k * V + c] = v1;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v2 = (float)all.m9.top;
        v4 = syn::equal(v2, v3);
        v6 = syn::where(v4, v5, v2);
        v9 = (float)all.m9.total;
        v11 = syn::equal(v9, v10);
        v13 = syn::where(v11, v12, v9);
        d13.set(v13);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v7 = syn::subtract(v1, v6);
            const float v8 = syn::exp(v7);
            a9[c] = v8;
        }
        Sum<float>::template take<V>(folds.f9, a9, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v7 = syn::subtract(v1, v6);
            const float v8 = syn::exp(v7);
            const float v14 = d13.of(v8);
            const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
            y0.set(c, v15);
        }
        at.write(1, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_1bd48c2734ee4069, syntonic::Rows_1bd48c2734ee4069, 2, 8)
SYNTONIC_ROWS_HELD(rows_1bd48c2734ee4069, syntonic::Rows_1bd48c2734ee4069, 2, 8, 2, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_1bd48c2734ee4069, syntonic::Rows_1bd48c2734ee4069, 2, 4, 8, 3)
SYNTONIC_ROWS_STREAM(rows_1bd48c2734ee4069_stream, syntonic::Rows_1bd48c2734ee4069, 2, 8, 2, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_ACROSS(rows_1bd48c2734ee4069, syntonic::Rows_1bd48c2734ee4069, 2, 16)
SYNTONIC_ROWS_PASSES(rows_1bd48c2734ee4069_passes, syntonic::Rows_1bd48c2734ee4069, 2, 8, 2, 512, 2)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_276853f990d9fc81 {
    float v9;
    float v11;
    float v13;
    float v18;
    float v21;
    float v24;
    float v25;
    float v26;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    RowVector<float, V> h20[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x3f1e377au);
        v11 = syn::bits_as<float>(0x3f000000u);
        v13 = syn::bits_as<float>(0x3d372713u);
        v18 = syn::bits_as<float>(0x3f4c422au);
        v21 = syn::bits_as<float>(0x3f800000u);
        v25 = syn::cast<float>(int64_t(p.length));
        v31 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f24;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k20;
        float a24[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v14 = syn::multiply(v13, v10);
            const float v15 = syn::square(v10);
            const float v16 = syn::multiply(v14, v15);
            const float v17 = syn::add(v10, v16);
            const float v19 = syn::multiply(v18, v17);
            const float v20 = syn::tanh(v19);
            k20.set(c, v20);
            const float v22 = syn::add(v20, v21);
            const float v23 = syn::multiply(v12, v22);
            a24[c] = v23;
        }
        at.template keep<float>(4, k20, h20);
        row_take<Sum<float>, V>(at, folds.f24, a24, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a24 = row_gathered<Sum<float>>(folds.f24, room, any, position);
        room.template put<0>(a24);
        room.meet();
        v24 = Sum<float>::finish(room.template get<Sum<float>, 0>(a24));
        v26 = syn::divide(v24, v25);
    }
    struct Folds1 {
        typename Sum<float>::Thread f29;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<float, V> k20 = at.template kept<float>(4, h20);
        float a29[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v20 = k20.lane(c);
            const float v22 = syn::add(v20, v21);
            const float v23 = syn::multiply(v12, v22);
            const float v27 = syn::subtract(v23, v26);
            const float v28 = syn::square(v27);
            a29[c] = v28;
        }
        row_take<Sum<float>, V>(at, folds.f29, a29, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a29 = row_gathered<Sum<float>>(folds.f29, room, any, position);
        room.template put<0>(a29);
        room.meet();
        v29 = Sum<float>::finish(room.template get<Sum<float>, 0>(a29));
        v30 = syn::divide(v29, v25);
        v32 = syn::add(v30, v31);
        v33 = syn::rsqrt(v32);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        const RowVector<float, V> k20 = at.template kept<float>(4, h20);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v20 = k20.lane(c);
            const float v22 = syn::add(v20, v21);
            const float v23 = syn::multiply(v12, v22);
            const float v27 = syn::subtract(v23, v26);
            const float v34 = syn::multiply(v27, v33);
            const float v35 = syn::multiply(v34, v5);
            const float v36 = syn::add(v35, v7);
            const syn::bf16 v37 = syn::cast<syn::bf16>(v36);
            y0.set(c, v37);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_276853f990d9fc81, syntonic::Rows_276853f990d9fc81, 5, 8)
SYNTONIC_ROWS_HELD(rows_276853f990d9fc81, syntonic::Rows_276853f990d9fc81, 5, 8, 2, 512, 1)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_3367f7bc7bccb2d7 {
    float v9;
    float v11;
    float v13;
    float v15;
    float v16;
    float v17;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x3f1e377au);
        v11 = syn::bits_as<float>(0x00000000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v16 = syn::cast<float>(int64_t(p.length));
        v22 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            a15[c] = v14;
        }
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<float>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<float>::finish(room.template get<Sum<float>, 0>(a15));
        v17 = syn::divide(v15, v16);
    }
    struct Folds1 {
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            const float v18 = syn::subtract(v14, v17);
            const float v19 = syn::square(v18);
            a20[c] = v19;
        }
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<float>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<float>::finish(room.template get<Sum<float>, 0>(a20));
        v21 = syn::divide(v20, v16);
        v23 = syn::add(v21, v22);
        v24 = syn::rsqrt(v23);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            const float v18 = syn::subtract(v14, v17);
            const float v25 = syn::multiply(v18, v24);
            const float v26 = syn::multiply(v25, v5);
            const float v27 = syn::add(v26, v7);
            const syn::bf16 v28 = syn::cast<syn::bf16>(v27);
            y0.set(c, v28);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m15;
        };
        struct Near {
            typename Spreads::Near m15;
        };
        struct Told {
            typename Spreads::Told m15;
        };
        struct Values {
            float m15[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m15, b.m15); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m15, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m15)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m15, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m15, x.m15);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            x.m15[at.k * V + c] = v14;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v15 = (float)all.m15.sum;
        v17 = syn::divide(v15, v16);
        v20 = (float)all.m15.squares;
        v21 = syn::divide(v20, v16);
        v23 = syn::add(v21, v22);
        v24 = syn::rsqrt(v23);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3367f7bc7bccb2d7, syntonic::Rows_3367f7bc7bccb2d7, 5, 8)
SYNTONIC_ROWS_HELD(rows_3367f7bc7bccb2d7, syntonic::Rows_3367f7bc7bccb2d7, 5, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_3367f7bc7bccb2d7, syntonic::Rows_3367f7bc7bccb2d7, 5, 8, 4, 4)

// SYNTONIC_SOFTMAX(bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_42260c04e89d94a1 {
    float v4;
    float v7;
    float v10;
    RowDivisor<float> d10;
    RowVector<float, V> h9[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            a7[c] = v6;
        }
        row_take<Max<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Max<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Max<float>::finish(room.template get<Max<float>, 0>(a7));
    }
    struct Folds1 {
        typename Sum<float>::Thread f10;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k9;
        float a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            const float v8 = syn::subtract(v6, v7);
            const float v9 = syn::exp(v8);
            k9.set(c, v9);
            a10[c] = v9;
        }
        at.template keep<float>(2, k9, h9);
        row_take<Sum<float>, V>(at, folds.f10, a10, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a10 = row_gathered<Sum<float>>(folds.f10, room, any, position);
        room.template put<0>(a10);
        room.meet();
        v10 = Sum<float>::finish(room.template get<Sum<float>, 0>(a10));
        d10.set(v10);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k9 = at.template kept<float>(2, h9);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v9 = k9.lane(c);
            const float v11 = d10.of(v9);
            const syn::bf16 v12 = syn::cast<syn::bf16>(v11);
            y0.set(c, v12);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m10;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m10;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m10;
        };
        struct Values {
            float m10[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m10; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m10, b.m10); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m10, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m10)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m10, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m10, x.m10);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            x.m10[at.k * V + c] = v6;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v7 = (float)all.m10.top;
        v10 = (float)all.m10.total;
        d10.set(v10);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            a7[c] = v6;
        }
        Max<float>::template take<V>(folds.f7, a7, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a10[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            const float v8 = syn::subtract(v6, v7);
            const float v9 = syn::exp(v8);
            a10[c] = v9;
        }
        Sum<float>::template take<V>(folds.f10, a10, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            const float v8 = syn::subtract(v6, v7);
            const float v9 = syn::exp(v8);
            const float v11 = d10.of(v9);
            const syn::bf16 v12 = syn::cast<syn::bf16>(v11);
            y0.set(c, v12);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_42260c04e89d94a1, syntonic::Rows_42260c04e89d94a1, 3, 8)
SYNTONIC_ROWS_HELD(rows_42260c04e89d94a1, syntonic::Rows_42260c04e89d94a1, 3, 8, 2, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_42260c04e89d94a1, syntonic::Rows_42260c04e89d94a1, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_42260c04e89d94a1_stream, syntonic::Rows_42260c04e89d94a1, 3, 8, 2, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_42260c04e89d94a1_pair, syntonic::Rows_42260c04e89d94a1, 3, 8, 2, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_42260c04e89d94a1, syntonic::Rows_42260c04e89d94a1, 3, 16)
SYNTONIC_ROWS_PASSES(rows_42260c04e89d94a1_passes, syntonic::Rows_42260c04e89d94a1, 3, 8, 2, 512, 2)

// BATCH_NORM_EVAL_PLAIN(bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_5d73f4729f049bef {
    syn::bf16 v2;
    float v3;
    syn::bf16 v4;
    float v5;
    float v7;
    float v8;
    float v9;
    float v10;
    float v11;
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const syn::bf16>(p, 1, base[1]);
        v3 = syn::cast<float>(v2);
        v4 = *row_address<const syn::bf16>(p, 2, base[2]);
        v5 = syn::cast<float>(v4);
        v7 = p.single[1];
        v8 = syn::add(v5, v7);
        v9 = syn::rsqrt(v8);
        v10 = p.single[0];
        v11 = syn::multiply(v9, v10);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v6 = syn::subtract(v1, v3);
            const float v12 = syn::multiply(v6, v11);
            const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
            y0.set(c, v13);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5d73f4729f049bef, syntonic::Rows_5d73f4729f049bef, 4, 8)
SYNTONIC_ROWS_HELD(rows_5d73f4729f049bef, syntonic::Rows_5d73f4729f049bef, 4, 8, 2, 512, 1)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_5f7abe71716265bb {
    float v9;
    float v11;
    float v16;
    float v19;
    float v22;
    float v23;
    float v24;
    float v27;
    float v28;
    float v29;
    float v30;
    float v31;
    RowVector<float, V> h18[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x3f000000u);
        v11 = syn::bits_as<float>(0x3d372713u);
        v16 = syn::bits_as<float>(0x3f4c422au);
        v19 = syn::bits_as<float>(0x3f800000u);
        v23 = syn::cast<float>(int64_t(p.length));
        v29 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f22;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k18;
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v9, v8);
            const float v12 = syn::multiply(v11, v8);
            const float v13 = syn::square(v8);
            const float v14 = syn::multiply(v12, v13);
            const float v15 = syn::add(v8, v14);
            const float v17 = syn::multiply(v16, v15);
            const float v18 = syn::tanh(v17);
            k18.set(c, v18);
            const float v20 = syn::add(v18, v19);
            const float v21 = syn::multiply(v10, v20);
            a22[c] = v21;
        }
        at.template keep<float>(4, k18, h18);
        row_take<Sum<float>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a22 = row_gathered<Sum<float>>(folds.f22, room, any, position);
        room.template put<0>(a22);
        room.meet();
        v22 = Sum<float>::finish(room.template get<Sum<float>, 0>(a22));
        v24 = syn::divide(v22, v23);
    }
    struct Folds1 {
        typename Sum<float>::Thread f27;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<float, V> k18 = at.template kept<float>(4, h18);
        float a27[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v9, v8);
            const float v18 = k18.lane(c);
            const float v20 = syn::add(v18, v19);
            const float v21 = syn::multiply(v10, v20);
            const float v25 = syn::subtract(v21, v24);
            const float v26 = syn::square(v25);
            a27[c] = v26;
        }
        row_take<Sum<float>, V>(at, folds.f27, a27, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a27 = row_gathered<Sum<float>>(folds.f27, room, any, position);
        room.template put<0>(a27);
        room.meet();
        v27 = Sum<float>::finish(room.template get<Sum<float>, 0>(a27));
        v28 = syn::divide(v27, v23);
        v30 = syn::add(v28, v29);
        v31 = syn::rsqrt(v30);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        const RowVector<float, V> k18 = at.template kept<float>(4, h18);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v9, v8);
            const float v18 = k18.lane(c);
            const float v20 = syn::add(v18, v19);
            const float v21 = syn::multiply(v10, v20);
            const float v25 = syn::subtract(v21, v24);
            const float v32 = syn::multiply(v25, v31);
            const float v33 = syn::multiply(v32, v5);
            const float v34 = syn::add(v33, v7);
            const syn::bf16 v35 = syn::cast<syn::bf16>(v34);
            y0.set(c, v35);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5f7abe71716265bb, syntonic::Rows_5f7abe71716265bb, 5, 8)
SYNTONIC_ROWS_HELD(rows_5f7abe71716265bb, syntonic::Rows_5f7abe71716265bb, 5, 8, 2, 512, 1)

// SOFTMAX(bf16)
namespace syntonic {
template <int V, int R> struct Rows_63264932c3560c4f {
    float v2;
    float v5;
    RowDivisor<float> d5;
    RowVector<float, V> h4[R];
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
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
    }
    struct Folds1 {
        typename Sum<float>::Thread f5;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<float, V> k4;
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v3 = syn::subtract(v1, v2);
            const float v4 = syn::exp(v3);
            k4.set(c, v4);
            a5[c] = v4;
        }
        at.template keep<float>(1, k4, h4);
        row_take<Sum<float>, V>(at, folds.f5, a5, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a5 = row_gathered<Sum<float>>(folds.f5, room, any, position);
        room.template put<0>(a5);
        room.meet();
        v5 = Sum<float>::finish(room.template get<Sum<float>, 0>(a5));
        d5.set(v5);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k4 = at.template kept<float>(1, h4);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v4 = k4.lane(c);
            const float v6 = d5.of(v4);
            const syn::bf16 v7 = syn::cast<syn::bf16>(v6);
            y0.set(c, v7);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m5;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m5;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m5;
        };
        struct Values {
            float m5[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m5; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m5, b.m5); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m5, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m5)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m5, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m5, x.m5);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            x.m5[at.k * V + c] = v1;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v2 = (float)all.m5.top;
        v5 = (float)all.m5.total;
        d5.set(v5);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a2[c] = v1;
        }
        Max<float>::template take<V>(folds.f2, a2, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a5[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v3 = syn::subtract(v1, v2);
            const float v4 = syn::exp(v3);
            a5[c] = v4;
        }
        Sum<float>::template take<V>(folds.f5, a5, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v3 = syn::subtract(v1, v2);
            const float v4 = syn::exp(v3);
            const float v6 = d5.of(v4);
            const syn::bf16 v7 = syn::cast<syn::bf16>(v6);
            y0.set(c, v7);
        }
        at.write(1, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_63264932c3560c4f, syntonic::Rows_63264932c3560c4f, 2, 8)
SYNTONIC_ROWS_HELD(rows_63264932c3560c4f, syntonic::Rows_63264932c3560c4f, 2, 8, 2, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_63264932c3560c4f, syntonic::Rows_63264932c3560c4f, 2, 4, 8, 3)
SYNTONIC_ROWS_STREAM(rows_63264932c3560c4f_stream, syntonic::Rows_63264932c3560c4f, 2, 8, 2, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_ACROSS(rows_63264932c3560c4f, syntonic::Rows_63264932c3560c4f, 2, 16)
SYNTONIC_ROWS_PASSES(rows_63264932c3560c4f_passes, syntonic::Rows_63264932c3560c4f, 2, 8, 2, 512, 2)

// CYCLE_NOISY(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_65520622d9b131d8 {
    float v9;
    float v10;
    bool v11;
    float v12;
    float v13;
    float v16;
    float v18;
    float v19;
    bool v20;
    float v21;
    float v22;
    float v23;
    float v25;
    float v26;
    float v27;
    float v28;
    float v30;
    float v33;
    float v34;
    float v35;
    float v41;
    float v42;
    float v43;
    float v46;
    float v50;
    float v51;
    bool v52;
    float v53;
    float v54;
    float v57;
    float v59;
    float v60;
    bool v61;
    float v62;
    float v63;
    float v64;
    syn::bf16 v66;
    RowDivisor<float> d13;
    RowDivisor<float> d54;
    RowVector<float, V> h24[R];
    RowVector<float, V> h37[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 4;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v10 = syn::bits_as<float>(0x00000000u);
        v12 = syn::bits_as<float>(0x3f800000u);
        v19 = syn::bits_as<float>(0x00000000u);
        v21 = syn::bits_as<float>(0x3f800000u);
        v25 = syn::bits_as<float>(0x3f800000u);
        v27 = syn::bits_as<float>(0x3ec3910du);
        v30 = syn::bits_as<float>(0x3f800000u);
        v33 = p.single[0];
        v35 = syn::bits_as<float>(0xbe1e377au);
        v41 = syn::bits_as<float>(0x3f1e377au);
        v43 = syn::bits_as<float>(0x3f800000u);
        v46 = syn::bits_as<float>(0x3f800000u);
        v51 = syn::bits_as<float>(0x00000000u);
        v53 = syn::bits_as<float>(0x3f800000u);
        v60 = syn::bits_as<float>(0x00000000u);
        v62 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<syn::bf16>(2, h4);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(1, h2);
        at.template load<syn::bf16>(3, h6);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<3>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<4>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v8 = syn::abs(v1);
            a9[c] = v8;
        }
        row_take<Max<float>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Max<float>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Max<float>::finish(room.template get<Max<float>, 0>(a9));
        v11 = syn::greater(v9, v10);
        v13 = syn::where(v11, v9, v12);
        d13.set(v13);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
        typename Sum<float>::Thread f18;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        float a16[V];
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v8 = syn::abs(v1);
            const float v14 = d13.near(v8);
            const float v15 = syn::square(v14);
            const float v17 = syn::multiply(v15, v5);
            a16[c] = v15;
            a18[c] = v17;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f16, folds.f18, any);
        v16 = Sum<float>::finish(both.first);
        v18 = Sum<float>::finish(both.second);
        v20 = syn::equal(v16, v19);
        v22 = syn::where(v20, v21, v16);
        v23 = syn::divide(v18, v22);
        v26 = syn::subtract(v25, v23);
        v28 = syn::multiply(v26, v27);
        v34 = syn::multiply(v33, v26);
        v42 = syn::multiply(v23, v41);
    }
    struct Folds2 {
        typename Max<float>::Thread f50;
    };
    static __device__ __forceinline__ Folds2 start(Pass<2>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<2>, Folds2& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, true>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, false>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<float, V> k24;
        RowVector<float, V> k37;
        float a50[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v24 = syn::sqrt(v3);
            k24.set(c, v24);
            const float v29 = syn::multiply(v28, v24);
            const float v31 = syn::add(v29, v30);
            const float v32 = syn::multiply(v1, v31);
            const float v36 = syn::multiply(v3, v35);
            const float v37 = syn::exp(v36);
            k37.set(c, v37);
            const float v38 = syn::multiply(v34, v37);
            const float v39 = syn::multiply(v38, v7);
            const float v40 = syn::add(v32, v39);
            const float v44 = syn::subtract(v43, v5);
            const float v45 = syn::multiply(v42, v44);
            const float v47 = syn::subtract(v46, v45);
            const float v48 = syn::multiply(v40, v47);
            const float v49 = syn::abs(v48);
            a50[c] = v49;
        }
        at.template keep<float>(4, k24, h24);
        at.template keep<float>(5, k37, h37);
        row_take<Max<float>, V>(at, folds.f50, a50, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<2>, Folds2& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a50 = row_gathered<Max<float>>(folds.f50, room, any, position);
        room.template put<0>(a50);
        room.meet();
        v50 = Max<float>::finish(room.template get<Max<float>, 0>(a50));
        v52 = syn::greater(v50, v51);
        v54 = syn::where(v52, v50, v53);
        d54.set(v54);
    }
    struct Folds3 {
        typename Sum<float>::Thread f57;
        typename Sum<float>::Thread f59;
    };
    static __device__ __forceinline__ Folds3 start(Pass<3>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<3>, Folds3& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, false>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, false>(3, h6);
        const RowVector<float, V> k24 = at.template kept<float>(4, h24);
        const RowVector<float, V> k37 = at.template kept<float>(5, h37);
        float a57[V];
        float a59[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v24 = k24.lane(c);
            const float v29 = syn::multiply(v28, v24);
            const float v31 = syn::add(v29, v30);
            const float v32 = syn::multiply(v1, v31);
            const float v37 = k37.lane(c);
            const float v38 = syn::multiply(v34, v37);
            const float v39 = syn::multiply(v38, v7);
            const float v40 = syn::add(v32, v39);
            const float v44 = syn::subtract(v43, v5);
            const float v45 = syn::multiply(v42, v44);
            const float v47 = syn::subtract(v46, v45);
            const float v48 = syn::multiply(v40, v47);
            const float v49 = syn::abs(v48);
            const float v55 = d54.near(v49);
            const float v56 = syn::square(v55);
            const float v58 = syn::multiply(v56, v5);
            a57[c] = v56;
            a59[c] = v58;
        }
        row_take<Sum<float>, V>(at, folds.f57, a57, ordinal);
        row_take<Sum<float>, V>(at, folds.f59, a59, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<3>, Folds3& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f57, folds.f59, any);
        v57 = Sum<float>::finish(both.first);
        v59 = Sum<float>::finish(both.second);
        v61 = syn::equal(v57, v60);
        v63 = syn::where(v61, v62, v57);
        v64 = syn::divide(v59, v63);
        v66 = syn::cast<syn::bf16>(v64);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, false>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, false>(3, h6);
        const RowVector<float, V> k24 = at.template kept<float>(4, h24);
        const RowVector<float, V> k37 = at.template kept<float>(5, h37);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v24 = k24.lane(c);
            const float v29 = syn::multiply(v28, v24);
            const float v31 = syn::add(v29, v30);
            const float v32 = syn::multiply(v1, v31);
            const float v37 = k37.lane(c);
            const float v38 = syn::multiply(v34, v37);
            const float v39 = syn::multiply(v38, v7);
            const float v40 = syn::add(v32, v39);
            const float v44 = syn::subtract(v43, v5);
            const float v45 = syn::multiply(v42, v44);
            const float v47 = syn::subtract(v46, v45);
            const float v48 = syn::multiply(v40, v47);
            const syn::bf16 v65 = syn::cast<syn::bf16>(v48);
            y0.set(c, v65);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::bf16>(p, 5, base[5]) = v66;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_65520622d9b131d8, syntonic::Rows_65520622d9b131d8, 6, 8)
SYNTONIC_ROWS_HELD(rows_65520622d9b131d8, syntonic::Rows_65520622d9b131d8, 6, 8, 2, 512, 1)

// HARMONIZE(bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_737eb6b69201d3c4 {
    syn::bf16 v4;
    float v5;
    float v6;
    float v7;
    float v8;
    float v11;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = *row_address<const syn::bf16>(p, 2, base[2]);
        v5 = syn::cast<float>(v4);
        v6 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::multiply(v5, v6);
        v8 = syn::bits_as<float>(0x3f800000u);
        v11 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::subtract(v8, v3);
            const float v10 = syn::multiply(v7, v9);
            const float v12 = syn::subtract(v11, v10);
            const float v13 = syn::multiply(v1, v12);
            const syn::bf16 v14 = syn::cast<syn::bf16>(v13);
            y0.set(c, v14);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_737eb6b69201d3c4, syntonic::Rows_737eb6b69201d3c4, 4, 8)
SYNTONIC_ROWS_HELD(rows_737eb6b69201d3c4, syntonic::Rows_737eb6b69201d3c4, 4, 8, 2, 512, 1)

// SYNTONIC_SOFTMAX_PROVIDED_OR_ZERO(bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_78fcaec835057c17 {
    float v5;
    float v8;
    float v9;
    bool v10;
    float v11;
    float v12;
    float v15;
    float v16;
    bool v17;
    float v18;
    float v19;
    RowDivisor<float> d19;
    RowVector<float, V> h4[R];
    RowVector<float, V> h14[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = p.single[0];
        v9 = syn::bits_as<float>(0xff800000u);
        v11 = syn::bits_as<float>(0x00000000u);
        v16 = syn::bits_as<float>(0x00000000u);
        v18 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k4;
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            k4.set(c, v4);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            a8[c] = v7;
        }
        at.template keep<float>(2, k4, h4);
        row_take<Max<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Max<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Max<float>::finish(room.template get<Max<float>, 0>(a8));
        v10 = syn::equal(v8, v9);
        v12 = syn::where(v10, v11, v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<float, V> k4 = at.template kept<float>(2, h4);
        RowVector<float, V> k14;
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v4 = k4.lane(c);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            const float v13 = syn::subtract(v7, v12);
            const float v14 = syn::exp(v13);
            k14.set(c, v14);
            a15[c] = v14;
        }
        at.template keep<float>(2, k14, h14);
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<float>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<float>::finish(room.template get<Sum<float>, 0>(a15));
        v17 = syn::equal(v15, v16);
        v19 = syn::where(v17, v18, v15);
        d19.set(v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k14 = at.template kept<float>(2, h14);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v14 = k14.lane(c);
            const float v20 = d19.of(v14);
            const syn::bf16 v21 = syn::cast<syn::bf16>(v20);
            y0.set(c, v21);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m15;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m15;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m15;
        };
        struct Values {
            float m15[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m15; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m15, b.m15); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m15, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m15)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m15, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m15, x.m15);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k4;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            k4.set(c, v4);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            x.m15[at.k * V + c] = v7;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v8 = (float)all.m15.top;
        v10 = syn::equal(v8, v9);
        v12 = syn::where(v10, v11, v8);
        v15 = (float)all.m15.total;
        v17 = syn::equal(v15, v16);
        v19 = syn::where(v17, v18, v15);
        d19.set(v19);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            a8[c] = v7;
        }
        Max<float>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            const float v13 = syn::subtract(v7, v12);
            const float v14 = syn::exp(v13);
            a15[c] = v14;
        }
        Sum<float>::template take<V>(folds.f15, a15, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            const float v13 = syn::subtract(v7, v12);
            const float v14 = syn::exp(v13);
            const float v20 = d19.of(v14);
            const syn::bf16 v21 = syn::cast<syn::bf16>(v20);
            y0.set(c, v21);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_78fcaec835057c17, syntonic::Rows_78fcaec835057c17, 3, 8)
SYNTONIC_ROWS_HELD(rows_78fcaec835057c17, syntonic::Rows_78fcaec835057c17, 3, 8, 2, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_78fcaec835057c17, syntonic::Rows_78fcaec835057c17, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_78fcaec835057c17_stream, syntonic::Rows_78fcaec835057c17, 3, 8, 2, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_78fcaec835057c17_pair, syntonic::Rows_78fcaec835057c17, 3, 8, 2, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_78fcaec835057c17, syntonic::Rows_78fcaec835057c17, 3, 16)
SYNTONIC_ROWS_PASSES(rows_78fcaec835057c17_passes, syntonic::Rows_78fcaec835057c17, 3, 8, 2, 512, 2)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_7a4760344c28e384 {
    float v8;
    float v11;
    float v12;
    float v13;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v8 = syn::bits_as<float>(0x3f1e377au);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            a11[c] = v10;
        }
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = syn::multiply(v21, v5);
            const float v23 = syn::add(v22, v7);
            const syn::bf16 v24 = syn::cast<syn::bf16>(v23);
            y0.set(c, v24);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m11;
        };
        struct Near {
            typename Spreads::Near m11;
        };
        struct Told {
            typename Spreads::Told m11;
        };
        struct Values {
            float m11[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m11, b.m11); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m11, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m11)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m11, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m11, x.m11);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            x.m11[at.k * V + c] = v10;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v11 = (float)all.m11.sum;
        v13 = syn::divide(v11, v12);
        v16 = (float)all.m11.squares;
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_7a4760344c28e384, syntonic::Rows_7a4760344c28e384, 5, 8)
SYNTONIC_ROWS_HELD(rows_7a4760344c28e384, syntonic::Rows_7a4760344c28e384, 5, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_7a4760344c28e384, syntonic::Rows_7a4760344c28e384, 5, 8, 4, 4)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_886ce0cb0d7c4a68 {
    float v9;
    float v11;
    float v13;
    float v17;
    float v18;
    float v19;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    RowVector<float, V> h15[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x3f1e377au);
        v11 = syn::bits_as<float>(0x3f000000u);
        v13 = syn::bits_as<float>(0xbf3504f3u);
        v18 = syn::cast<float>(int64_t(p.length));
        v24 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f17;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k15;
        float a17[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v14 = syn::multiply(v10, v13);
            const float v15 = syn::erfc(v14);
            k15.set(c, v15);
            const float v16 = syn::multiply(v12, v15);
            a17[c] = v16;
        }
        at.template keep<float>(4, k15, h15);
        row_take<Sum<float>, V>(at, folds.f17, a17, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a17 = row_gathered<Sum<float>>(folds.f17, room, any, position);
        room.template put<0>(a17);
        room.meet();
        v17 = Sum<float>::finish(room.template get<Sum<float>, 0>(a17));
        v19 = syn::divide(v17, v18);
    }
    struct Folds1 {
        typename Sum<float>::Thread f22;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<float, V> k15 = at.template kept<float>(4, h15);
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v15 = k15.lane(c);
            const float v16 = syn::multiply(v12, v15);
            const float v20 = syn::subtract(v16, v19);
            const float v21 = syn::square(v20);
            a22[c] = v21;
        }
        row_take<Sum<float>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a22 = row_gathered<Sum<float>>(folds.f22, room, any, position);
        room.template put<0>(a22);
        room.meet();
        v22 = Sum<float>::finish(room.template get<Sum<float>, 0>(a22));
        v23 = syn::divide(v22, v18);
        v25 = syn::add(v23, v24);
        v26 = syn::rsqrt(v25);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        const RowVector<float, V> k15 = at.template kept<float>(4, h15);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v15 = k15.lane(c);
            const float v16 = syn::multiply(v12, v15);
            const float v20 = syn::subtract(v16, v19);
            const float v27 = syn::multiply(v20, v26);
            const float v28 = syn::multiply(v27, v5);
            const float v29 = syn::add(v28, v7);
            const syn::bf16 v30 = syn::cast<syn::bf16>(v29);
            y0.set(c, v30);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_886ce0cb0d7c4a68, syntonic::Rows_886ce0cb0d7c4a68, 5, 8)
SYNTONIC_ROWS_HELD(rows_886ce0cb0d7c4a68, syntonic::Rows_886ce0cb0d7c4a68, 5, 8, 2, 512, 1)

// DIFFERENTIATE_NOISY(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_968b5dec967be035 {
    syn::bf16 v4;
    float v5;
    float v9;
    float v10;
    float v11;
    float v12;
    float v14;
    float v17;
    float v18;
    float v19;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = *row_address<const syn::bf16>(p, 2, base[2]);
        v5 = syn::cast<float>(v4);
        v9 = syn::bits_as<float>(0x3f800000u);
        v10 = syn::subtract(v9, v5);
        v11 = syn::bits_as<float>(0x3ec3910du);
        v12 = syn::multiply(v10, v11);
        v14 = syn::bits_as<float>(0x3f800000u);
        v17 = p.single[0];
        v18 = syn::multiply(v17, v10);
        v19 = syn::bits_as<float>(0xbe1e377au);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
        at.template load<syn::bf16>(3, h6);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, false>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::sqrt(v3);
            const float v13 = syn::multiply(v12, v8);
            const float v15 = syn::add(v13, v14);
            const float v16 = syn::multiply(v1, v15);
            const float v20 = syn::multiply(v3, v19);
            const float v21 = syn::exp(v20);
            const float v22 = syn::multiply(v18, v21);
            const float v23 = syn::multiply(v22, v7);
            const float v24 = syn::add(v16, v23);
            const syn::bf16 v25 = syn::cast<syn::bf16>(v24);
            y0.set(c, v25);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_968b5dec967be035, syntonic::Rows_968b5dec967be035, 5, 8)
SYNTONIC_ROWS_HELD(rows_968b5dec967be035, syntonic::Rows_968b5dec967be035, 5, 8, 2, 512, 1)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_98e9d606f90ed47e {
    float v9;
    float v10;
    float v11;
    float v14;
    float v15;
    float v16;
    float v17;
    float v18;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v10 = syn::cast<float>(int64_t(p.length));
        v16 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            a9[c] = v8;
        }
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v12 = syn::subtract(v8, v11);
            const float v19 = syn::multiply(v12, v18);
            const float v20 = syn::multiply(v19, v5);
            const float v21 = syn::add(v20, v7);
            const syn::bf16 v22 = syn::cast<syn::bf16>(v21);
            y0.set(c, v22);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m9;
        };
        struct Near {
            typename Spreads::Near m9;
        };
        struct Told {
            typename Spreads::Told m9;
        };
        struct Values {
            float m9[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m9, b.m9); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m9, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m9)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m9, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m9, x.m9);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            x.m9[at.k * V + c] = v8;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v9 = (float)all.m9.sum;
        v11 = syn::divide(v9, v10);
        v14 = (float)all.m9.squares;
        v15 = syn::divide(v14, v10);
        v17 = syn::add(v15, v16);
        v18 = syn::rsqrt(v17);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_98e9d606f90ed47e, syntonic::Rows_98e9d606f90ed47e, 5, 8)
SYNTONIC_ROWS_HELD(rows_98e9d606f90ed47e, syntonic::Rows_98e9d606f90ed47e, 5, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_98e9d606f90ed47e, syntonic::Rows_98e9d606f90ed47e, 5, 8, 4, 4)

// LAYER_NORM(bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_9935a80189b22c77 {
    float v6;
    float v7;
    float v8;
    float v11;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    float v17;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v7 = syn::cast<float>(int64_t(p.length));
        v13 = p.single[1];
        v16 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(1, h2);
        at.template load<syn::bf16>(2, h4);
    }
    struct Folds0 {
        typename Sum<float>::Thread f6;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a6[c] = v1;
        }
        row_take<Sum<float>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Sum<float>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Sum<float>::finish(room.template get<Sum<float>, 0>(a6));
        v8 = syn::divide(v6, v7);
    }
    struct Folds1 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v9 = syn::subtract(v1, v8);
            const float v10 = syn::square(v9);
            a11[c] = v10;
        }
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<float>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<float>::finish(room.template get<Sum<float>, 0>(a11));
        v12 = syn::divide(v11, v7);
        v14 = syn::add(v12, v13);
        v15 = syn::rsqrt(v14);
        v17 = syn::multiply(v15, v16);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, true>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v9 = syn::subtract(v1, v8);
            const float v18 = syn::multiply(v9, v17);
            const float v19 = syn::multiply(v18, v3);
            const float v20 = syn::add(v19, v5);
            const syn::bf16 v21 = syn::cast<syn::bf16>(v20);
            y0.set(c, v21);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m6;
        };
        struct Near {
            typename Spreads::Near m6;
        };
        struct Told {
            typename Spreads::Told m6;
        };
        struct Values {
            float m6[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m6, b.m6); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m6, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m6)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m6, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m6, x.m6);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            x.m6[at.k * V + c] = v1;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v6 = (float)all.m6.sum;
        v8 = syn::divide(v6, v7);
        v11 = (float)all.m6.squares;
        v12 = syn::divide(v11, v7);
        v14 = syn::add(v12, v13);
        v15 = syn::rsqrt(v14);
        v17 = syn::multiply(v15, v16);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_9935a80189b22c77, syntonic::Rows_9935a80189b22c77, 4, 8)
SYNTONIC_ROWS_HELD(rows_9935a80189b22c77, syntonic::Rows_9935a80189b22c77, 4, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_9935a80189b22c77, syntonic::Rows_9935a80189b22c77, 4, 8, 4, 4)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_9af2bd0981a242cc {
    float v9;
    float v11;
    float v15;
    float v16;
    float v17;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    RowVector<float, V> h13[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x3f000000u);
        v11 = syn::bits_as<float>(0xbf3504f3u);
        v16 = syn::cast<float>(int64_t(p.length));
        v22 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k13;
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v9, v8);
            const float v12 = syn::multiply(v8, v11);
            const float v13 = syn::erfc(v12);
            k13.set(c, v13);
            const float v14 = syn::multiply(v10, v13);
            a15[c] = v14;
        }
        at.template keep<float>(4, k13, h13);
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<float>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<float>::finish(room.template get<Sum<float>, 0>(a15));
        v17 = syn::divide(v15, v16);
    }
    struct Folds1 {
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<float, V> k13 = at.template kept<float>(4, h13);
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v9, v8);
            const float v13 = k13.lane(c);
            const float v14 = syn::multiply(v10, v13);
            const float v18 = syn::subtract(v14, v17);
            const float v19 = syn::square(v18);
            a20[c] = v19;
        }
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<float>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<float>::finish(room.template get<Sum<float>, 0>(a20));
        v21 = syn::divide(v20, v16);
        v23 = syn::add(v21, v22);
        v24 = syn::rsqrt(v23);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        const RowVector<float, V> k13 = at.template kept<float>(4, h13);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v9, v8);
            const float v13 = k13.lane(c);
            const float v14 = syn::multiply(v10, v13);
            const float v18 = syn::subtract(v14, v17);
            const float v25 = syn::multiply(v18, v24);
            const float v26 = syn::multiply(v25, v5);
            const float v27 = syn::add(v26, v7);
            const syn::bf16 v28 = syn::cast<syn::bf16>(v27);
            y0.set(c, v28);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_9af2bd0981a242cc, syntonic::Rows_9af2bd0981a242cc, 5, 8)
SYNTONIC_ROWS_HELD(rows_9af2bd0981a242cc, syntonic::Rows_9af2bd0981a242cc, 5, 8, 2, 512, 1)

// BATCH_NORM_EVAL(bf16, bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_a4c053760a811750 {
    syn::bf16 v2;
    float v3;
    syn::bf16 v4;
    float v5;
    syn::bf16 v6;
    float v7;
    syn::bf16 v8;
    float v9;
    float v11;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const syn::bf16>(p, 1, base[1]);
        v3 = syn::cast<float>(v2);
        v4 = *row_address<const syn::bf16>(p, 2, base[2]);
        v5 = syn::cast<float>(v4);
        v6 = *row_address<const syn::bf16>(p, 3, base[3]);
        v7 = syn::cast<float>(v6);
        v8 = *row_address<const syn::bf16>(p, 4, base[4]);
        v9 = syn::cast<float>(v8);
        v11 = p.single[1];
        v12 = syn::add(v5, v11);
        v13 = syn::rsqrt(v12);
        v14 = p.single[0];
        v15 = syn::multiply(v13, v14);
        v16 = syn::multiply(v15, v7);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v10 = syn::subtract(v1, v3);
            const float v17 = syn::multiply(v10, v16);
            const float v18 = syn::add(v17, v9);
            const syn::bf16 v19 = syn::cast<syn::bf16>(v18);
            y0.set(c, v19);
        }
        at.write(5, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a4c053760a811750, syntonic::Rows_a4c053760a811750, 6, 8)
SYNTONIC_ROWS_HELD(rows_a4c053760a811750, syntonic::Rows_a4c053760a811750, 6, 8, 2, 512, 1)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_b8800d720a47aedf {
    float v8;
    float v11;
    float v13;
    float v15;
    float v16;
    float v17;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v8 = syn::bits_as<float>(0x3f1e377au);
        v11 = syn::bits_as<float>(0x00000000u);
        v13 = syn::bits_as<float>(0x00000000u);
        v16 = syn::cast<float>(int64_t(p.length));
        v22 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            a15[c] = v14;
        }
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<float>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<float>::finish(room.template get<Sum<float>, 0>(a15));
        v17 = syn::divide(v15, v16);
    }
    struct Folds1 {
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            const float v18 = syn::subtract(v14, v17);
            const float v19 = syn::square(v18);
            a20[c] = v19;
        }
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a20 = row_gathered<Sum<float>>(folds.f20, room, any, position);
        room.template put<0>(a20);
        room.meet();
        v20 = Sum<float>::finish(room.template get<Sum<float>, 0>(a20));
        v21 = syn::divide(v20, v16);
        v23 = syn::add(v21, v22);
        v24 = syn::rsqrt(v23);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            const float v18 = syn::subtract(v14, v17);
            const float v25 = syn::multiply(v18, v24);
            const float v26 = syn::multiply(v25, v5);
            const float v27 = syn::add(v26, v7);
            const syn::bf16 v28 = syn::cast<syn::bf16>(v27);
            y0.set(c, v28);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m15;
        };
        struct Near {
            typename Spreads::Near m15;
        };
        struct Told {
            typename Spreads::Told m15;
        };
        struct Values {
            float m15[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m15, b.m15); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m15, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m15)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m15, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m15, x.m15);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const bool v12 = syn::less_equal(v10, v11);
            const float v14 = syn::where(v12, v13, v10);
            x.m15[at.k * V + c] = v14;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v15 = (float)all.m15.sum;
        v17 = syn::divide(v15, v16);
        v20 = (float)all.m15.squares;
        v21 = syn::divide(v20, v16);
        v23 = syn::add(v21, v22);
        v24 = syn::rsqrt(v23);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_b8800d720a47aedf, syntonic::Rows_b8800d720a47aedf, 5, 8)
SYNTONIC_ROWS_HELD(rows_b8800d720a47aedf, syntonic::Rows_b8800d720a47aedf, 5, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_b8800d720a47aedf, syntonic::Rows_b8800d720a47aedf, 5, 8, 4, 4)

// SYNTONIC_SOFTMAX_PROVIDED(bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_bc2ece053edb3292 {
    float v5;
    float v8;
    float v11;
    RowDivisor<float> d11;
    RowVector<float, V> h4[R];
    RowVector<float, V> h10[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k4;
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            k4.set(c, v4);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            a8[c] = v7;
        }
        at.template keep<float>(2, k4, h4);
        row_take<Max<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Max<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Max<float>::finish(room.template get<Max<float>, 0>(a8));
    }
    struct Folds1 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<float, V> k4 = at.template kept<float>(2, h4);
        RowVector<float, V> k10;
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v4 = k4.lane(c);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            const float v9 = syn::subtract(v7, v8);
            const float v10 = syn::exp(v9);
            k10.set(c, v10);
            a11[c] = v10;
        }
        at.template keep<float>(2, k10, h10);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<float>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<float>::finish(room.template get<Sum<float>, 0>(a11));
        d11.set(v11);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k10 = at.template kept<float>(2, h10);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v10 = k10.lane(c);
            const float v12 = d11.of(v10);
            const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
            y0.set(c, v13);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m11;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m11;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m11;
        };
        struct Values {
            float m11[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m11; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m11, b.m11); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m11, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m11)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m11, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m11, x.m11);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k4;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            k4.set(c, v4);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            x.m11[at.k * V + c] = v7;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v8 = (float)all.m11.top;
        v11 = (float)all.m11.total;
        d11.set(v11);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            a8[c] = v7;
        }
        Max<float>::template take<V>(folds.f8, a8, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            const float v9 = syn::subtract(v7, v8);
            const float v10 = syn::exp(v9);
            a11[c] = v10;
        }
        Sum<float>::template take<V>(folds.f11, a11, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v4 = syn::log(v3);
            const float v6 = syn::multiply(v4, v5);
            const float v7 = syn::add(v1, v6);
            const float v9 = syn::subtract(v7, v8);
            const float v10 = syn::exp(v9);
            const float v12 = d11.of(v10);
            const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
            y0.set(c, v13);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_bc2ece053edb3292, syntonic::Rows_bc2ece053edb3292, 3, 8)
SYNTONIC_ROWS_HELD(rows_bc2ece053edb3292, syntonic::Rows_bc2ece053edb3292, 3, 8, 2, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_bc2ece053edb3292, syntonic::Rows_bc2ece053edb3292, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_bc2ece053edb3292_stream, syntonic::Rows_bc2ece053edb3292, 3, 8, 2, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_bc2ece053edb3292_pair, syntonic::Rows_bc2ece053edb3292, 3, 8, 2, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_bc2ece053edb3292, syntonic::Rows_bc2ece053edb3292, 3, 16)
SYNTONIC_ROWS_PASSES(rows_bc2ece053edb3292_passes, syntonic::Rows_bc2ece053edb3292, 3, 8, 2, 512, 2)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_c326d5f7d89b0549 {
    float v8;
    float v11;
    float v13;
    float v18;
    float v21;
    float v24;
    float v25;
    float v26;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    RowVector<float, V> h20[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v8 = syn::bits_as<float>(0x3f1e377au);
        v11 = syn::bits_as<float>(0x3f000000u);
        v13 = syn::bits_as<float>(0x3d372713u);
        v18 = syn::bits_as<float>(0x3f4c422au);
        v21 = syn::bits_as<float>(0x3f800000u);
        v25 = syn::cast<float>(int64_t(p.length));
        v31 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f24;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k20;
        float a24[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v14 = syn::multiply(v13, v10);
            const float v15 = syn::square(v10);
            const float v16 = syn::multiply(v14, v15);
            const float v17 = syn::add(v10, v16);
            const float v19 = syn::multiply(v18, v17);
            const float v20 = syn::tanh(v19);
            k20.set(c, v20);
            const float v22 = syn::add(v20, v21);
            const float v23 = syn::multiply(v12, v22);
            a24[c] = v23;
        }
        at.template keep<float>(4, k20, h20);
        row_take<Sum<float>, V>(at, folds.f24, a24, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a24 = row_gathered<Sum<float>>(folds.f24, room, any, position);
        room.template put<0>(a24);
        room.meet();
        v24 = Sum<float>::finish(room.template get<Sum<float>, 0>(a24));
        v26 = syn::divide(v24, v25);
    }
    struct Folds1 {
        typename Sum<float>::Thread f29;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<float, V> k20 = at.template kept<float>(4, h20);
        float a29[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v20 = k20.lane(c);
            const float v22 = syn::add(v20, v21);
            const float v23 = syn::multiply(v12, v22);
            const float v27 = syn::subtract(v23, v26);
            const float v28 = syn::square(v27);
            a29[c] = v28;
        }
        row_take<Sum<float>, V>(at, folds.f29, a29, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a29 = row_gathered<Sum<float>>(folds.f29, room, any, position);
        room.template put<0>(a29);
        room.meet();
        v29 = Sum<float>::finish(room.template get<Sum<float>, 0>(a29));
        v30 = syn::divide(v29, v25);
        v32 = syn::add(v30, v31);
        v33 = syn::rsqrt(v32);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        const RowVector<float, V> k20 = at.template kept<float>(4, h20);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v9 = syn::multiply(v3, v8);
            const float v10 = syn::add(v1, v9);
            const float v12 = syn::multiply(v11, v10);
            const float v20 = k20.lane(c);
            const float v22 = syn::add(v20, v21);
            const float v23 = syn::multiply(v12, v22);
            const float v27 = syn::subtract(v23, v26);
            const float v34 = syn::multiply(v27, v33);
            const float v35 = syn::multiply(v34, v5);
            const float v36 = syn::add(v35, v7);
            const syn::bf16 v37 = syn::cast<syn::bf16>(v36);
            y0.set(c, v37);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c326d5f7d89b0549, syntonic::Rows_c326d5f7d89b0549, 5, 8)
SYNTONIC_ROWS_HELD(rows_c326d5f7d89b0549, syntonic::Rows_c326d5f7d89b0549, 5, 8, 2, 512, 1)

// SYNTONIC_SOFTMAX_OR_ZERO(bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_c4f4069811f4d7aa {
    float v4;
    float v7;
    float v8;
    bool v9;
    float v10;
    float v11;
    float v14;
    float v15;
    bool v16;
    float v17;
    float v18;
    RowDivisor<float> d18;
    RowVector<float, V> h13[R];
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = p.single[0];
        v8 = syn::bits_as<float>(0xff800000u);
        v10 = syn::bits_as<float>(0x00000000u);
        v15 = syn::bits_as<float>(0x00000000u);
        v17 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            a7[c] = v6;
        }
        row_take<Max<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Max<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Max<float>::finish(room.template get<Max<float>, 0>(a7));
        v9 = syn::equal(v7, v8);
        v11 = syn::where(v9, v10, v7);
    }
    struct Folds1 {
        typename Sum<float>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<float, V> k13;
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            const float v12 = syn::subtract(v6, v11);
            const float v13 = syn::exp(v12);
            k13.set(c, v13);
            a14[c] = v13;
        }
        at.template keep<float>(2, k13, h13);
        row_take<Sum<float>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a14 = row_gathered<Sum<float>>(folds.f14, room, any, position);
        room.template put<0>(a14);
        room.meet();
        v14 = Sum<float>::finish(room.template get<Sum<float>, 0>(a14));
        v16 = syn::equal(v14, v15);
        v18 = syn::where(v16, v17, v14);
        d18.set(v18);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> k13 = at.template kept<float>(2, h13);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v13 = k13.lane(c);
            const float v19 = d18.of(v13);
            const syn::bf16 v20 = syn::cast<syn::bf16>(v19);
            y0.set(c, v20);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Peaks<float>>::Acc m14;
        };
        struct Near {
            typename Joined<Peaks<float>>::Near m14;
        };
        struct Told {
            typename Joined<Peaks<float>>::Told m14;
        };
        struct Values {
            float m14[R * V];
        };
        using Peaked = float;
        static __device__ __forceinline__ float (&peaked(Values& x))[R * V] { return x.m14; }
        static __device__ __forceinline__ Near none() { return Near{Joined<Peaks<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Peaks<float>>::take(a.m14, b.m14); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Peaks<float>>::template over_lanes<FROM>(a.m14, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Peaks<float>>::tell(a.m14)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Peaks<float>>::heard(a.m14, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Peaks<float>::template take<N * V>(all.m14, x.m14);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            x.m14[at.k * V + c] = v6;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v7 = (float)all.m14.top;
        v9 = syn::equal(v7, v8);
        v11 = syn::where(v9, v10, v7);
        v14 = (float)all.m14.total;
        v16 = syn::equal(v14, v15);
        v18 = syn::where(v16, v17, v14);
        d18.set(v18);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            a7[c] = v6;
        }
        Max<float>::template take<V>(folds.f7, a7, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            const float v12 = syn::subtract(v6, v11);
            const float v13 = syn::exp(v12);
            a14[c] = v13;
        }
        Sum<float>::template take<V>(folds.f14, a14, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<2>, const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void whole(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v5 = syn::multiply(v3, v4);
            const float v6 = syn::add(v1, v5);
            const float v12 = syn::subtract(v6, v11);
            const float v13 = syn::exp(v12);
            const float v19 = d18.of(v13);
            const syn::bf16 v20 = syn::cast<syn::bf16>(v19);
            y0.set(c, v20);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c4f4069811f4d7aa, syntonic::Rows_c4f4069811f4d7aa, 3, 8)
SYNTONIC_ROWS_HELD(rows_c4f4069811f4d7aa, syntonic::Rows_c4f4069811f4d7aa, 3, 8, 2, 512, 2)
SYNTONIC_ROW_COLUMNS(rows_c4f4069811f4d7aa, syntonic::Rows_c4f4069811f4d7aa, 3, 4, 4, 3)
SYNTONIC_ROWS_STREAM(rows_c4f4069811f4d7aa_stream, syntonic::Rows_c4f4069811f4d7aa, 3, 8, 2, 1024, 1, 1024, AGAIN, PASSES)
SYNTONIC_ROWS_STREAM(rows_c4f4069811f4d7aa_pair, syntonic::Rows_c4f4069811f4d7aa, 3, 8, 2, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_c4f4069811f4d7aa, syntonic::Rows_c4f4069811f4d7aa, 3, 16)
SYNTONIC_ROWS_PASSES(rows_c4f4069811f4d7aa_passes, syntonic::Rows_c4f4069811f4d7aa, 3, 8, 2, 512, 2)

// LAYER_NORM_PLAIN(bf16)
namespace syntonic {
template <int V, int R> struct Rows_c7636411c18b2c5c {
    float v2;
    float v3;
    float v4;
    float v7;
    float v8;
    float v9;
    float v10;
    float v11;
    float v12;
    float v13;
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<float>(int64_t(p.length));
        v9 = p.single[1];
        v12 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f2;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a2[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
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
    }
    struct Folds1 {
        typename Sum<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v5 = syn::subtract(v1, v4);
            const float v6 = syn::square(v5);
            a7[c] = v6;
        }
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Sum<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Sum<float>::finish(room.template get<Sum<float>, 0>(a7));
        v8 = syn::divide(v7, v3);
        v10 = syn::add(v8, v9);
        v11 = syn::rsqrt(v10);
        v13 = syn::multiply(v11, v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v5 = syn::subtract(v1, v4);
            const float v14 = syn::multiply(v5, v13);
            const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
            y0.set(c, v15);
        }
        at.write(1, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m2;
        };
        struct Near {
            typename Spreads::Near m2;
        };
        struct Told {
            typename Spreads::Told m2;
        };
        struct Values {
            float m2[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m2, b.m2); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m2, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m2)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m2, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m2, x.m2);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            x.m2[at.k * V + c] = v1;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v2 = (float)all.m2.sum;
        v4 = syn::divide(v2, v3);
        v7 = (float)all.m2.squares;
        v8 = syn::divide(v7, v3);
        v10 = syn::add(v8, v9);
        v11 = syn::rsqrt(v10);
        v13 = syn::multiply(v11, v12);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c7636411c18b2c5c, syntonic::Rows_c7636411c18b2c5c, 2, 8)
SYNTONIC_ROWS_HELD(rows_c7636411c18b2c5c, syntonic::Rows_c7636411c18b2c5c, 2, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_c7636411c18b2c5c, syntonic::Rows_c7636411c18b2c5c, 2, 8, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_c7636411c18b2c5c, syntonic::Rows_c7636411c18b2c5c, 2, 4, 8, 3)
SYNTONIC_ROW_CLUSTER(rows_c7636411c18b2c5c, syntonic::Rows_c7636411c18b2c5c, 2, 8, 4)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_c8ebcb3184a1befc {
    float v9;
    float v11;
    float v12;
    float v13;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x3f1e377au);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            a11[c] = v10;
        }
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = syn::multiply(v21, v5);
            const float v23 = syn::add(v22, v7);
            const syn::bf16 v24 = syn::cast<syn::bf16>(v23);
            y0.set(c, v24);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m11;
        };
        struct Near {
            typename Spreads::Near m11;
        };
        struct Told {
            typename Spreads::Told m11;
        };
        struct Values {
            float m11[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m11, b.m11); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m11, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m11)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m11, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m11, x.m11);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const float v10 = syn::multiply(v8, v9);
            x.m11[at.k * V + c] = v10;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v11 = (float)all.m11.sum;
        v13 = syn::divide(v11, v12);
        v16 = (float)all.m11.squares;
        v17 = syn::divide(v16, v12);
        v19 = syn::add(v17, v18);
        v20 = syn::rsqrt(v19);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c8ebcb3184a1befc, syntonic::Rows_c8ebcb3184a1befc, 5, 8)
SYNTONIC_ROWS_HELD(rows_c8ebcb3184a1befc, syntonic::Rows_c8ebcb3184a1befc, 5, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_c8ebcb3184a1befc, syntonic::Rows_c8ebcb3184a1befc, 5, 8, 4, 4)

// CYCLE(bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_c92cc432d4fb4fa3 {
    float v7;
    float v8;
    bool v9;
    float v10;
    float v11;
    float v14;
    float v16;
    float v17;
    bool v18;
    float v19;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    float v25;
    float v27;
    float v30;
    float v31;
    float v32;
    float v35;
    float v39;
    float v40;
    bool v41;
    float v42;
    float v43;
    float v46;
    float v48;
    float v49;
    bool v50;
    float v51;
    float v52;
    float v53;
    syn::bf16 v55;
    RowDivisor<float> d11;
    RowDivisor<float> d43;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    static constexpr int PASSES = 4;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v8 = syn::bits_as<float>(0x00000000u);
        v10 = syn::bits_as<float>(0x3f800000u);
        v17 = syn::bits_as<float>(0x00000000u);
        v19 = syn::bits_as<float>(0x3f800000u);
        v22 = syn::bits_as<float>(0x3f800000u);
        v24 = syn::bits_as<float>(0x3ec3910du);
        v27 = syn::bits_as<float>(0x3f800000u);
        v30 = syn::bits_as<float>(0x3f1e377au);
        v32 = syn::bits_as<float>(0x3f800000u);
        v35 = syn::bits_as<float>(0x3f800000u);
        v40 = syn::bits_as<float>(0x00000000u);
        v42 = syn::bits_as<float>(0x3f800000u);
        v49 = syn::bits_as<float>(0x00000000u);
        v51 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<syn::bf16>(2, h4);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<3>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<4>, const At& at) {
    }
    struct Folds0 {
        typename Max<float>::Thread f7;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a7[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v6 = syn::abs(v1);
            a7[c] = v6;
        }
        row_take<Max<float>, V>(at, folds.f7, a7, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a7 = row_gathered<Max<float>>(folds.f7, room, any, position);
        room.template put<0>(a7);
        room.meet();
        v7 = Max<float>::finish(room.template get<Max<float>, 0>(a7));
        v9 = syn::greater(v7, v8);
        v11 = syn::where(v9, v7, v10);
        d11.set(v11);
    }
    struct Folds1 {
        typename Sum<float>::Thread f14;
        typename Sum<float>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        float a14[V];
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v6 = syn::abs(v1);
            const float v12 = d11.near(v6);
            const float v13 = syn::square(v12);
            const float v15 = syn::multiply(v13, v5);
            a14[c] = v13;
            a16[c] = v15;
        }
        row_take<Sum<float>, V>(at, folds.f14, a14, ordinal);
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f14, folds.f16, any);
        v14 = Sum<float>::finish(both.first);
        v16 = Sum<float>::finish(both.second);
        v18 = syn::equal(v14, v17);
        v20 = syn::where(v18, v19, v14);
        v21 = syn::divide(v16, v20);
        v23 = syn::subtract(v22, v21);
        v25 = syn::multiply(v23, v24);
        v31 = syn::multiply(v21, v30);
    }
    struct Folds2 {
        typename Max<float>::Thread f39;
    };
    static __device__ __forceinline__ Folds2 start(Pass<2>) {
        return {Max<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<2>, Folds2& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, true>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, false>(2, h4);
        float a39[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v26 = syn::multiply(v25, v3);
            const float v28 = syn::add(v26, v27);
            const float v29 = syn::multiply(v1, v28);
            const float v33 = syn::subtract(v32, v5);
            const float v34 = syn::multiply(v31, v33);
            const float v36 = syn::subtract(v35, v34);
            const float v37 = syn::multiply(v29, v36);
            const float v38 = syn::abs(v37);
            a39[c] = v38;
        }
        row_take<Max<float>, V>(at, folds.f39, a39, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<2>, Folds2& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a39 = row_gathered<Max<float>>(folds.f39, room, any, position);
        room.template put<0>(a39);
        room.meet();
        v39 = Max<float>::finish(room.template get<Max<float>, 0>(a39));
        v41 = syn::greater(v39, v40);
        v43 = syn::where(v41, v39, v42);
        d43.set(v43);
    }
    struct Folds3 {
        typename Sum<float>::Thread f46;
        typename Sum<float>::Thread f48;
    };
    static __device__ __forceinline__ Folds3 start(Pass<3>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<3>, Folds3& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, false>(2, h4);
        float a46[V];
        float a48[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v26 = syn::multiply(v25, v3);
            const float v28 = syn::add(v26, v27);
            const float v29 = syn::multiply(v1, v28);
            const float v33 = syn::subtract(v32, v5);
            const float v34 = syn::multiply(v31, v33);
            const float v36 = syn::subtract(v35, v34);
            const float v37 = syn::multiply(v29, v36);
            const float v38 = syn::abs(v37);
            const float v44 = d43.near(v38);
            const float v45 = syn::square(v44);
            const float v47 = syn::multiply(v45, v5);
            a46[c] = v45;
            a48[c] = v47;
        }
        row_take<Sum<float>, V>(at, folds.f46, a46, ordinal);
        row_take<Sum<float>, V>(at, folds.f48, a48, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<3>, Folds3& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f46, folds.f48, any);
        v46 = Sum<float>::finish(both.first);
        v48 = Sum<float>::finish(both.second);
        v50 = syn::equal(v46, v49);
        v52 = syn::where(v50, v51, v46);
        v53 = syn::divide(v48, v52);
        v55 = syn::cast<syn::bf16>(v53);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, false>(2, h4);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const float v26 = syn::multiply(v25, v3);
            const float v28 = syn::add(v26, v27);
            const float v29 = syn::multiply(v1, v28);
            const float v33 = syn::subtract(v32, v5);
            const float v34 = syn::multiply(v31, v33);
            const float v36 = syn::subtract(v35, v34);
            const float v37 = syn::multiply(v29, v36);
            const syn::bf16 v54 = syn::cast<syn::bf16>(v37);
            y0.set(c, v54);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::bf16>(p, 4, base[4]) = v55;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c92cc432d4fb4fa3, syntonic::Rows_c92cc432d4fb4fa3, 5, 8)
SYNTONIC_ROWS_HELD(rows_c92cc432d4fb4fa3, syntonic::Rows_c92cc432d4fb4fa3, 5, 8, 2, 512, 2)

// DIFFERENTIATE(bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_c953f0c8f83e91be {
    syn::bf16 v4;
    float v5;
    float v7;
    float v8;
    float v9;
    float v10;
    float v12;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    static constexpr int PASSES = 0;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = *row_address<const syn::bf16>(p, 2, base[2]);
        v5 = syn::cast<float>(v4);
        v7 = syn::bits_as<float>(0x3f800000u);
        v8 = syn::subtract(v7, v5);
        v9 = syn::bits_as<float>(0x3ec3910du);
        v10 = syn::multiply(v8, v9);
        v12 = syn::bits_as<float>(0x3f800000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v6 = syn::sqrt(v3);
            const float v11 = syn::multiply(v10, v6);
            const float v13 = syn::add(v11, v12);
            const float v14 = syn::multiply(v1, v13);
            const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
            y0.set(c, v15);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_c953f0c8f83e91be, syntonic::Rows_c953f0c8f83e91be, 4, 8)
SYNTONIC_ROWS_HELD(rows_c953f0c8f83e91be, syntonic::Rows_c953f0c8f83e91be, 4, 8, 2, 512, 2)

// phi_residual_layer_norm(bf16, bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_eb25ab28711a99b1 {
    float v9;
    float v11;
    float v13;
    float v14;
    float v15;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    RowVector<syn::bf16, V> h0[R];
    RowVector<syn::bf16, V> h2[R];
    RowVector<syn::bf16, V> h4[R];
    RowVector<syn::bf16, V> h6[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v9 = syn::bits_as<float>(0x00000000u);
        v11 = syn::bits_as<float>(0x00000000u);
        v14 = syn::cast<float>(int64_t(p.length));
        v20 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
        at.template fetch<syn::bf16, false>(1);
        at.template fetch<syn::bf16, false>(2);
        at.template fetch<syn::bf16, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
        at.template load<syn::bf16>(1, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
        at.template load<syn::bf16>(2, h4);
        at.template load<syn::bf16>(3, h6);
    }
    struct Folds0 {
        typename Sum<float>::Thread f13;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a13[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const bool v10 = syn::less_equal(v8, v9);
            const float v12 = syn::where(v10, v11, v8);
            a13[c] = v12;
        }
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        float a18[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const bool v10 = syn::less_equal(v8, v9);
            const float v12 = syn::where(v10, v11, v8);
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
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
        const RowVector<syn::bf16, V> x4 = at.template read<syn::bf16, false, true>(2, h4);
        const RowVector<syn::bf16, V> x6 = at.template read<syn::bf16, false, true>(3, h6);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const syn::bf16 v4 = x4.lane(c);
            const float v5 = syn::cast<float>(v4);
            const syn::bf16 v6 = x6.lane(c);
            const float v7 = syn::cast<float>(v6);
            const float v8 = syn::add(v1, v3);
            const bool v10 = syn::less_equal(v8, v9);
            const float v12 = syn::where(v10, v11, v8);
            const float v16 = syn::subtract(v12, v15);
            const float v23 = syn::multiply(v16, v22);
            const float v24 = syn::multiply(v23, v5);
            const float v25 = syn::add(v24, v7);
            const syn::bf16 v26 = syn::cast<syn::bf16>(v25);
            y0.set(c, v26);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m13;
        };
        struct Near {
            typename Spreads::Near m13;
        };
        struct Told {
            typename Spreads::Told m13;
        };
        struct Values {
            float m13[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m13, b.m13); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m13, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m13)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m13, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m13, x.m13);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        const RowVector<syn::bf16, V> x2 = at.template read<syn::bf16, false, false>(1, h2);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const syn::bf16 v2 = x2.lane(c);
            const float v3 = syn::cast<float>(v2);
            const float v8 = syn::add(v1, v3);
            const bool v10 = syn::less_equal(v8, v9);
            const float v12 = syn::where(v10, v11, v8);
            x.m13[at.k * V + c] = v12;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v13 = (float)all.m13.sum;
        v15 = syn::divide(v13, v14);
        v18 = (float)all.m13.squares;
        v19 = syn::divide(v18, v14);
        v21 = syn::add(v19, v20);
        v22 = syn::rsqrt(v21);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_eb25ab28711a99b1, syntonic::Rows_eb25ab28711a99b1, 5, 8)
SYNTONIC_ROWS_HELD(rows_eb25ab28711a99b1, syntonic::Rows_eb25ab28711a99b1, 5, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_eb25ab28711a99b1, syntonic::Rows_eb25ab28711a99b1, 5, 8, 4, 4)

// BATCH_NORM(bf16, bf16, bf16)
namespace syntonic {
template <int V, int R> struct Rows_f4412bfb68d7c56f {
    syn::bf16 v2;
    float v3;
    syn::bf16 v4;
    float v5;
    float v6;
    float v7;
    float v8;
    float v11;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    float v17;
    float v18;
    syn::bf16 v22;
    syn::bf16 v23;
    RowVector<syn::bf16, V> h0[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 2; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v2 = *row_address<const syn::bf16>(p, 1, base[1]);
        v3 = syn::cast<float>(v2);
        v4 = *row_address<const syn::bf16>(p, 2, base[2]);
        v5 = syn::cast<float>(v4);
        v7 = syn::cast<float>(int64_t(p.length));
        v13 = p.single[1];
        v16 = p.single[0];
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<syn::bf16, true>(0);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<syn::bf16>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f6;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a6[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            a6[c] = v1;
        }
        row_take<Sum<float>, V>(at, folds.f6, a6, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a6 = row_gathered<Sum<float>>(folds.f6, room, any, position);
        room.template put<0>(a6);
        room.meet();
        v6 = Sum<float>::finish(room.template get<Sum<float>, 0>(a6));
        v8 = syn::divide(v6, v7);
        v22 = syn::cast<syn::bf16>(v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f11;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        float a11[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v9 = syn::subtract(v1, v8);
            const float v10 = syn::square(v9);
            a11[c] = v10;
        }
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a11 = row_gathered<Sum<float>>(folds.f11, room, any, position);
        room.template put<0>(a11);
        room.meet();
        v11 = Sum<float>::finish(room.template get<Sum<float>, 0>(a11));
        v12 = syn::divide(v11, v7);
        v14 = syn::add(v12, v13);
        v15 = syn::rsqrt(v14);
        v17 = syn::multiply(v15, v16);
        v18 = syn::multiply(v17, v3);
        v23 = syn::cast<syn::bf16>(v12);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
        RowVector<syn::bf16, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            const float v9 = syn::subtract(v1, v8);
            const float v19 = syn::multiply(v9, v18);
            const float v20 = syn::add(v19, v5);
            const syn::bf16 v21 = syn::cast<syn::bf16>(v20);
            y0.set(c, v21);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<syn::bf16>(p, 4, base[4]) = v22;
        *row_address<syn::bf16>(p, 5, base[5]) = v23;
    }
    struct Measures {
        struct Acc {
            typename Spreads::Acc m6;
        };
        struct Near {
            typename Spreads::Near m6;
        };
        struct Told {
            typename Spreads::Told m6;
        };
        struct Values {
            float m6[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Spreads::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Spreads::take(a.m6, b.m6); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Spreads::template over_lanes<FROM>(a.m6, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Spreads::tell(a.m6)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Spreads::heard(a.m6, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Spreads::template take<N * V>(all.m6, x.m6);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<syn::bf16, V> x0 = at.template read<syn::bf16, true, false>(0, h0);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const syn::bf16 v0 = x0.lane(c);
            const float v1 = syn::cast<float>(v0);
            x.m6[at.k * V + c] = v1;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v6 = (float)all.m6.sum;
        v8 = syn::divide(v6, v7);
        v22 = syn::cast<syn::bf16>(v8);
        v11 = (float)all.m6.squares;
        v12 = syn::divide(v11, v7);
        v14 = syn::add(v12, v13);
        v15 = syn::rsqrt(v14);
        v17 = syn::multiply(v15, v16);
        v18 = syn::multiply(v17, v3);
        v23 = syn::cast<syn::bf16>(v12);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_f4412bfb68d7c56f, syntonic::Rows_f4412bfb68d7c56f, 6, 8)
SYNTONIC_ROWS_HELD(rows_f4412bfb68d7c56f, syntonic::Rows_f4412bfb68d7c56f, 6, 8, 2, 512, 1)
SYNTONIC_ROW_PARTS(rows_f4412bfb68d7c56f, syntonic::Rows_f4412bfb68d7c56f, 6, 8, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_f4412bfb68d7c56f, syntonic::Rows_f4412bfb68d7c56f, 6, 4, 8, 3)
SYNTONIC_ROW_CLUSTER(rows_f4412bfb68d7c56f, syntonic::Rows_f4412bfb68d7c56f, 6, 8, 4)
