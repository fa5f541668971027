// Generated from named programs by examples/generate_kernels.rs: one launch a program of rows.

#include "row_program.cuh"
#include "row_held.cuh"
#include "row_passes.cuh"
#include "row_stream.cuh"
#include "row_across.cuh"
#include "row_few.cuh"
#include "row_pieces.cuh"

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_08556149a6361285 {
    float v5;
    float v7;
    float v8;
    float v9;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v33;
    float v34;
    float v35;
    float v36;
    float v38;
    RowVector<float, V> h6[R];
    RowVector<float, V> h18[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(4, 5);
        each.template sum<float>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v8 = syn::cast<float>(int64_t(p.length));
        v14 = p.single[0];
        v25 = syn::bits_as<float>(0xbf000000u);
        v29 = syn::bits_as<float>(0x40000000u);
        v38 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f7;
        typename Sum<float>::Thread f33;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k18;
        float a7[V];
        float a33[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            const float v18 = syn::multiply(v3, v2);
            k18.set(c, v18);
            a7[c] = v6;
            a33[c] = v18;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k18, h18);
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
        row_take<Sum<float>, V>(at, folds.f33, a33, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f7, folds.f33, any);
        v7 = Sum<float>::finish(both.first);
        v33 = Sum<float>::finish(both.second);
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
        typename Sum<float>::Thread f22;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k18 = at.template kept<float>(1, h18);
        float a12[V];
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
            const float v11 = syn::square(v10);
            const float v18 = k18.lane(c);
            const float v21 = syn::multiply(v18, v10);
            a12[c] = v11;
            a22[c] = v21;
        }
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<float>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f12, folds.f22, any);
        v12 = Sum<float>::finish(both.first);
        v22 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k18 = at.template kept<float>(1, h18);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
            const float v17 = syn::multiply(v10, v16);
            const float v18 = k18.lane(c);
            const float v19 = syn::multiply(v3, v17);
            const float v20 = syn::multiply(v18, v16);
            const float v31 = syn::multiply(v10, v30);
            const float v32 = syn::add(v20, v31);
            const float v37 = syn::add(v32, v36);
            const float v39 = syn::multiply(v37, v38);
            y0.set(c, v39);
            y1.set(c, v19);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(4, y1);
        at.template gather<float>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_08556149a6361285, syntonic::Rows_08556149a6361285, 7, 4)
SYNTONIC_ROWS_STREAM(rows_08556149a6361285_summed, syntonic::Rows_08556149a6361285, 7, 4, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_08556149a6361285, syntonic::Rows_08556149a6361285, 7, 4, 4)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_340976d86948dcf3 {
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
    float v35;
    float v36;
    float v37;
    float v38;
    float v39;
    float v40;
    float v41;
    float v42;
    float v43;
    float v46;
    float v47;
    float v48;
    float v49;
    float v53;
    float v55;
    float v59;
    float v62;
    float v67;
    float v70;
    float v73;
    RowVector<float, V> h6[R];
    RowVector<float, V> h8[R];
    RowVector<float, V> h16[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(5, 6);
        each.template sum<float>(6, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0x3d372713u);
        v14 = syn::bits_as<float>(0x3f4c422au);
        v17 = syn::bits_as<float>(0x3f800000u);
        v21 = syn::cast<float>(int64_t(p.length));
        v27 = p.single[0];
        v38 = syn::bits_as<float>(0xbf000000u);
        v42 = syn::bits_as<float>(0x40000000u);
        v53 = syn::bits_as<float>(0x3f800000u);
        v55 = syn::bits_as<float>(0x3f800000u);
        v59 = syn::bits_as<float>(0x3f4c422au);
        v62 = syn::bits_as<float>(0x40000000u);
        v67 = syn::bits_as<float>(0x3d122279u);
        v70 = syn::bits_as<float>(0x3f000000u);
        v73 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f20;
        typename Sum<float>::Thread f46;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k8;
        RowVector<float, V> k16;
        float a20[V];
        float a46[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            k6.set(c, v6);
            const float v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const float v10 = syn::multiply(v9, v6);
            const float v11 = syn::square(v6);
            const float v12 = syn::multiply(v10, v11);
            const float v13 = syn::add(v6, v12);
            const float v15 = syn::multiply(v14, v13);
            const float v16 = syn::tanh(v15);
            k16.set(c, v16);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            const float v31 = syn::multiply(v3, v2);
            a20[c] = v19;
            a46[c] = v31;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k8, h8);
        at.template keep<float>(4, k16, h16);
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
        row_take<Sum<float>, V>(at, folds.f46, a46, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f20, folds.f46, any);
        v20 = Sum<float>::finish(both.first);
        v46 = Sum<float>::finish(both.second);
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<float>::Thread f25;
        typename Sum<float>::Thread f35;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k16 = at.template kept<float>(4, h16);
        float a25[V];
        float a35[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v16 = k16.lane(c);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            const float v23 = syn::subtract(v19, v22);
            const float v24 = syn::square(v23);
            const float v31 = syn::multiply(v3, v2);
            const float v34 = syn::multiply(v31, v23);
            a25[c] = v24;
            a35[c] = v34;
        }
        row_take<Sum<float>, V>(at, folds.f25, a25, ordinal);
        row_take<Sum<float>, V>(at, folds.f35, a35, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f25, folds.f35, any);
        v25 = Sum<float>::finish(both.first);
        v35 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k16 = at.template kept<float>(4, h16);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
        RowVector<float, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v8 = k8.lane(c);
            const float v10 = syn::multiply(v9, v6);
            const float v11 = syn::square(v6);
            const float v16 = k16.lane(c);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            const float v23 = syn::subtract(v19, v22);
            const float v30 = syn::multiply(v23, v29);
            const float v31 = syn::multiply(v3, v2);
            const float v32 = syn::multiply(v3, v30);
            const float v33 = syn::multiply(v31, v29);
            const float v44 = syn::multiply(v23, v43);
            const float v45 = syn::add(v33, v44);
            const float v50 = syn::add(v45, v49);
            const float v51 = syn::multiply(v50, v18);
            const float v52 = syn::multiply(v50, v8);
            const float v54 = syn::subtract(v53, v16);
            const float v56 = syn::add(v55, v16);
            const float v57 = syn::multiply(v54, v56);
            const float v58 = syn::multiply(v52, v57);
            const float v60 = syn::multiply(v58, v59);
            const float v61 = syn::multiply(v60, v10);
            const float v63 = syn::multiply(v6, v62);
            const float v64 = syn::multiply(v61, v63);
            const float v65 = syn::add(v60, v64);
            const float v66 = syn::multiply(v58, v11);
            const float v68 = syn::multiply(v66, v67);
            const float v69 = syn::add(v65, v68);
            const float v71 = syn::multiply(v51, v70);
            const float v72 = syn::add(v69, v71);
            const float v74 = syn::multiply(v72, v73);
            y0.set(c, v72);
            y1.set(c, v74);
            y2.set(c, v32);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<float>(5, y2);
        at.template gather<float>(6, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_340976d86948dcf3, syntonic::Rows_340976d86948dcf3, 8, 4)
SYNTONIC_ROWS_STREAM(rows_340976d86948dcf3_summed, syntonic::Rows_340976d86948dcf3, 8, 4, 2, 512, 1, 0, HELD, PASSES)

// WEIGHTED_backward(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_34d7b8e4e909c537 {
    float v3;
    float v5;
    float v8;
    float v11;
    float v14;
    float v15;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 2;
    static constexpr int SUMS = 1;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(3, 4);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<float>(0xff800000u);
        v5 = syn::bits_as<float>(0x00000000u);
        v11 = p.single[0];
        v15 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f8;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a8[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v7 = syn::multiply(v2, v1);
            a8[c] = v7;
        }
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a8 = row_gathered<Sum<float>>(folds.f8, room, any, position);
        room.template put<0>(a8);
        room.meet();
        v8 = Sum<float>::finish(room.template get<Sum<float>, 0>(a8));
    }
    struct Folds1 {
        typename Sum<float>::Thread f14;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, true>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a14[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const float v6 = syn::where(v4, v5, v0);
            const float v9 = syn::subtract(v2, v8);
            const float v10 = syn::multiply(v1, v9);
            const float v13 = syn::multiply(v10, v6);
            a14[c] = v13;
        }
        row_take<Sum<float>, V>(at, folds.f14, a14, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a14 = row_gathered<Sum<float>>(folds.f14, room, any, position);
        room.template put<0>(a14);
        room.meet();
        v14 = Sum<float>::finish(room.template get<Sum<float>, 0>(a14));
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const float v9 = syn::subtract(v2, v8);
            const float v10 = syn::multiply(v1, v9);
            const float v12 = syn::multiply(v10, v11);
            const float v16 = syn::where(v4, v15, v12);
            y0.set(c, v10);
            y1.set(c, v16);
        }
        at.write(3, y0);
        at.template gather<float>(3, y1);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 5, base[5]) = v14;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_34d7b8e4e909c537, syntonic::Rows_34d7b8e4e909c537, 6, 4)

// WEIGHTED_EACH_backward(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_379ae5b809937aa9 {
    float v3;
    float v5;
    float v9;
    float v12;
    float v15;
    float v17;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 2;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::bits_as<float>(0x00000000u);
        v5 = syn::bits_as<float>(0x3f800000u);
        v12 = p.single[0];
        v17 = syn::bits_as<float>(0x00000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(1);
        at.template fetch<float, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(1, h1);
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f9;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a9[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v8 = syn::multiply(v2, v1);
            a9[c] = v8;
        }
        row_take<Sum<float>, V>(at, folds.f9, a9, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a9 = row_gathered<Sum<float>>(folds.f9, room, any, position);
        room.template put<0>(a9);
        room.meet();
        v9 = Sum<float>::finish(room.template get<Sum<float>, 0>(a9));
    }
    struct Folds1 {
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, true>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const float v6 = syn::where(v4, v5, v0);
            const float v7 = syn::log(v6);
            const float v10 = syn::subtract(v2, v9);
            const float v11 = syn::multiply(v1, v10);
            const float v14 = syn::multiply(v11, v7);
            a15[c] = v14;
        }
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a15 = row_gathered<Sum<float>>(folds.f15, room, any, position);
        room.template put<0>(a15);
        room.meet();
        v15 = Sum<float>::finish(room.template get<Sum<float>, 0>(a15));
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const bool v4 = syn::equal(v0, v3);
            const float v6 = syn::where(v4, v5, v0);
            const float v10 = syn::subtract(v2, v9);
            const float v11 = syn::multiply(v1, v10);
            const float v13 = syn::multiply(v11, v12);
            const float v16 = syn::divide(v13, v6);
            const float v18 = syn::where(v4, v17, v16);
            y0.set(c, v11);
            y1.set(c, v18);
        }
        at.write(3, y0);
        at.write(4, y1);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 5, base[5]) = v15;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_379ae5b809937aa9, syntonic::Rows_379ae5b809937aa9, 6, 4)
SYNTONIC_ROWS_HELD(rows_379ae5b809937aa9, syntonic::Rows_379ae5b809937aa9, 6, 4, 4, 512, 1)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_3fd43133978fa5be {
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
    float v33;
    float v34;
    float v35;
    float v36;
    float v37;
    float v38;
    float v39;
    float v40;
    float v41;
    float v44;
    float v45;
    float v46;
    float v47;
    float v51;
    float v53;
    float v57;
    float v60;
    float v65;
    float v68;
    RowVector<float, V> h4[R];
    RowVector<float, V> h6[R];
    RowVector<float, V> h14[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(5, 5);
        each.template sum<float>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f000000u);
        v7 = syn::bits_as<float>(0x3d372713u);
        v12 = syn::bits_as<float>(0x3f4c422au);
        v15 = syn::bits_as<float>(0x3f800000u);
        v19 = syn::cast<float>(int64_t(p.length));
        v25 = p.single[0];
        v36 = syn::bits_as<float>(0xbf000000u);
        v40 = syn::bits_as<float>(0x40000000u);
        v51 = syn::bits_as<float>(0x3f800000u);
        v53 = syn::bits_as<float>(0x3f800000u);
        v57 = syn::bits_as<float>(0x3f4c422au);
        v60 = syn::bits_as<float>(0x40000000u);
        v65 = syn::bits_as<float>(0x3d122279u);
        v68 = syn::bits_as<float>(0x3f000000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f18;
        typename Sum<float>::Thread f44;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k4;
        RowVector<float, V> k6;
        RowVector<float, V> k14;
        float a18[V];
        float a44[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            k4.set(c, v4);
            const float v6 = syn::multiply(v5, v4);
            k6.set(c, v6);
            const float v8 = syn::multiply(v7, v4);
            const float v9 = syn::square(v4);
            const float v10 = syn::multiply(v8, v9);
            const float v11 = syn::add(v4, v10);
            const float v13 = syn::multiply(v12, v11);
            const float v14 = syn::tanh(v13);
            k14.set(c, v14);
            const float v16 = syn::add(v14, v15);
            const float v17 = syn::multiply(v6, v16);
            const float v29 = syn::multiply(v3, v2);
            a18[c] = v17;
            a44[c] = v29;
        }
        at.template keep<float>(0, k4, h4);
        at.template keep<float>(1, k6, h6);
        at.template keep<float>(4, k14, h14);
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
        row_take<Sum<float>, V>(at, folds.f44, a44, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f18, folds.f44, any);
        v18 = Sum<float>::finish(both.first);
        v44 = Sum<float>::finish(both.second);
        v20 = syn::divide(v18, v19);
    }
    struct Folds1 {
        typename Sum<float>::Thread f23;
        typename Sum<float>::Thread f33;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(1, h6);
        const RowVector<float, V> k14 = at.template kept<float>(4, h14);
        float a23[V];
        float a33[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v14 = k14.lane(c);
            const float v16 = syn::add(v14, v15);
            const float v17 = syn::multiply(v6, v16);
            const float v21 = syn::subtract(v17, v20);
            const float v22 = syn::square(v21);
            const float v29 = syn::multiply(v3, v2);
            const float v32 = syn::multiply(v29, v21);
            a23[c] = v22;
            a33[c] = v32;
        }
        row_take<Sum<float>, V>(at, folds.f23, a23, ordinal);
        row_take<Sum<float>, V>(at, folds.f33, a33, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f23, folds.f33, any);
        v23 = Sum<float>::finish(both.first);
        v33 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        const RowVector<float, V> k6 = at.template kept<float>(1, h6);
        const RowVector<float, V> k14 = at.template kept<float>(4, h14);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = k4.lane(c);
            const float v6 = k6.lane(c);
            const float v8 = syn::multiply(v7, v4);
            const float v9 = syn::square(v4);
            const float v14 = k14.lane(c);
            const float v16 = syn::add(v14, v15);
            const float v17 = syn::multiply(v6, v16);
            const float v21 = syn::subtract(v17, v20);
            const float v28 = syn::multiply(v21, v27);
            const float v29 = syn::multiply(v3, v2);
            const float v30 = syn::multiply(v3, v28);
            const float v31 = syn::multiply(v29, v27);
            const float v42 = syn::multiply(v21, v41);
            const float v43 = syn::add(v31, v42);
            const float v48 = syn::add(v43, v47);
            const float v49 = syn::multiply(v48, v16);
            const float v50 = syn::multiply(v48, v6);
            const float v52 = syn::subtract(v51, v14);
            const float v54 = syn::add(v53, v14);
            const float v55 = syn::multiply(v52, v54);
            const float v56 = syn::multiply(v50, v55);
            const float v58 = syn::multiply(v56, v57);
            const float v59 = syn::multiply(v58, v8);
            const float v61 = syn::multiply(v4, v60);
            const float v62 = syn::multiply(v59, v61);
            const float v63 = syn::add(v58, v62);
            const float v64 = syn::multiply(v56, v9);
            const float v66 = syn::multiply(v64, v65);
            const float v67 = syn::add(v63, v66);
            const float v69 = syn::multiply(v49, v68);
            const float v70 = syn::add(v67, v69);
            y0.set(c, v70);
            y1.set(c, v30);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(5, y1);
        at.template gather<float>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_3fd43133978fa5be, syntonic::Rows_3fd43133978fa5be, 7, 4)
SYNTONIC_ROWS_STREAM(rows_3fd43133978fa5be_summed, syntonic::Rows_3fd43133978fa5be, 7, 4, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_41ffcd5696c72342 {
    float v5;
    float v6;
    float v7;
    float v10;
    float v11;
    float v12;
    float v13;
    float v14;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    float v28;
    float v31;
    float v32;
    float v33;
    float v34;
    RowVector<float, V> h4[R];
    RowVector<float, V> h16[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(4, 5);
        each.template sum<float>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v6 = syn::cast<float>(int64_t(p.length));
        v12 = p.single[0];
        v23 = syn::bits_as<float>(0xbf000000u);
        v27 = syn::bits_as<float>(0x40000000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f5;
        typename Sum<float>::Thread f31;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k4;
        RowVector<float, V> k16;
        float a5[V];
        float a31[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            k4.set(c, v4);
            const float v16 = syn::multiply(v3, v2);
            k16.set(c, v16);
            a5[c] = v4;
            a31[c] = v16;
        }
        at.template keep<float>(0, k4, h4);
        at.template keep<float>(1, k16, h16);
        row_take<Sum<float>, V>(at, folds.f5, a5, ordinal);
        row_take<Sum<float>, V>(at, folds.f31, a31, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f5, folds.f31, any);
        v5 = Sum<float>::finish(both.first);
        v31 = Sum<float>::finish(both.second);
        v7 = syn::divide(v5, v6);
    }
    struct Folds1 {
        typename Sum<float>::Thread f10;
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        const RowVector<float, V> k16 = at.template kept<float>(1, h16);
        float a10[V];
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v4 = k4.lane(c);
            const float v8 = syn::subtract(v4, v7);
            const float v9 = syn::square(v8);
            const float v16 = k16.lane(c);
            const float v19 = syn::multiply(v16, v8);
            a10[c] = v9;
            a20[c] = v19;
        }
        row_take<Sum<float>, V>(at, folds.f10, a10, ordinal);
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f10, folds.f20, any);
        v10 = Sum<float>::finish(both.first);
        v20 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        const RowVector<float, V> k16 = at.template kept<float>(1, h16);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = x3.lane(c);
            const float v4 = k4.lane(c);
            const float v8 = syn::subtract(v4, v7);
            const float v15 = syn::multiply(v8, v14);
            const float v16 = k16.lane(c);
            const float v17 = syn::multiply(v3, v15);
            const float v18 = syn::multiply(v16, v14);
            const float v29 = syn::multiply(v8, v28);
            const float v30 = syn::add(v18, v29);
            const float v35 = syn::add(v30, v34);
            y0.set(c, v35);
            y1.set(c, v17);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(4, y1);
        at.template gather<float>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_41ffcd5696c72342, syntonic::Rows_41ffcd5696c72342, 7, 4)
SYNTONIC_ROWS_STREAM(rows_41ffcd5696c72342_summed, syntonic::Rows_41ffcd5696c72342, 7, 4, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_41ffcd5696c72342, syntonic::Rows_41ffcd5696c72342, 7, 4, 4)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_5789fb267abfbf2b {
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
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    float v34;
    float v37;
    float v38;
    float v39;
    float v40;
    float v42;
    float v44;
    RowVector<float, V> h6[R];
    RowVector<float, V> h10[R];
    RowVector<float, V> h22[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(4, 5);
        each.template sum<float>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
        v29 = syn::bits_as<float>(0xbf000000u);
        v33 = syn::bits_as<float>(0x40000000u);
        v42 = syn::bits_as<float>(0x00000000u);
        v44 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
        typename Sum<float>::Thread f37;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k10;
        RowVector<float, V> k22;
        float a11[V];
        float a37[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            const bool v8 = syn::less_equal(v6, v7);
            const float v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            const float v22 = syn::multiply(v3, v2);
            k22.set(c, v22);
            a11[c] = v10;
            a37[c] = v22;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k10, h10);
        at.template keep<float>(2, k22, h22);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<float>, V>(at, folds.f37, a37, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f11, folds.f37, any);
        v11 = Sum<float>::finish(both.first);
        v37 = Sum<float>::finish(both.second);
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
        typename Sum<float>::Thread f26;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k10 = at.template kept<float>(1, h10);
        const RowVector<float, V> k22 = at.template kept<float>(2, h22);
        float a16[V];
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v15 = syn::square(v14);
            const float v22 = k22.lane(c);
            const float v25 = syn::multiply(v22, v14);
            a16[c] = v15;
            a26[c] = v25;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<float>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f16, folds.f26, any);
        v16 = Sum<float>::finish(both.first);
        v26 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k10 = at.template kept<float>(1, h10);
        const RowVector<float, V> k22 = at.template kept<float>(2, h22);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const bool v8 = syn::less_equal(v6, v7);
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = k22.lane(c);
            const float v23 = syn::multiply(v3, v21);
            const float v24 = syn::multiply(v22, v20);
            const float v35 = syn::multiply(v14, v34);
            const float v36 = syn::add(v24, v35);
            const float v41 = syn::add(v36, v40);
            const float v43 = syn::where(v8, v42, v41);
            const float v45 = syn::multiply(v43, v44);
            y0.set(c, v45);
            y1.set(c, v23);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(4, y1);
        at.template gather<float>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5789fb267abfbf2b, syntonic::Rows_5789fb267abfbf2b, 7, 4)
SYNTONIC_ROWS_STREAM(rows_5789fb267abfbf2b_summed, syntonic::Rows_5789fb267abfbf2b, 7, 4, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_5789fb267abfbf2b, syntonic::Rows_5789fb267abfbf2b, 7, 4, 4)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_5d5f3a42f6e7468e {
    float v4;
    float v7;
    float v8;
    float v9;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v33;
    float v34;
    float v35;
    float v36;
    float v38;
    RowVector<float, V> h6[R];
    RowVector<float, V> h18[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(4, 6);
        each.template sum<float>(5, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v8 = syn::cast<float>(int64_t(p.length));
        v14 = p.single[0];
        v25 = syn::bits_as<float>(0xbf000000u);
        v29 = syn::bits_as<float>(0x40000000u);
        v38 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f7;
        typename Sum<float>::Thread f33;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k18;
        float a7[V];
        float a33[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            k6.set(c, v6);
            const float v18 = syn::multiply(v3, v2);
            k18.set(c, v18);
            a7[c] = v6;
            a33[c] = v18;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k18, h18);
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
        row_take<Sum<float>, V>(at, folds.f33, a33, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f7, folds.f33, any);
        v7 = Sum<float>::finish(both.first);
        v33 = Sum<float>::finish(both.second);
        v9 = syn::divide(v7, v8);
    }
    struct Folds1 {
        typename Sum<float>::Thread f12;
        typename Sum<float>::Thread f22;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k18 = at.template kept<float>(1, h18);
        float a12[V];
        float a22[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
            const float v11 = syn::square(v10);
            const float v18 = k18.lane(c);
            const float v21 = syn::multiply(v18, v10);
            a12[c] = v11;
            a22[c] = v21;
        }
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<float>, V>(at, folds.f22, a22, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f12, folds.f22, any);
        v12 = Sum<float>::finish(both.first);
        v22 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k18 = at.template kept<float>(1, h18);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
        RowVector<float, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v10 = syn::subtract(v6, v9);
            const float v17 = syn::multiply(v10, v16);
            const float v18 = k18.lane(c);
            const float v19 = syn::multiply(v3, v17);
            const float v20 = syn::multiply(v18, v16);
            const float v31 = syn::multiply(v10, v30);
            const float v32 = syn::add(v20, v31);
            const float v37 = syn::add(v32, v36);
            const float v39 = syn::multiply(v37, v38);
            y0.set(c, v37);
            y1.set(c, v39);
            y2.set(c, v19);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<float>(4, y2);
        at.template gather<float>(5, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_5d5f3a42f6e7468e, syntonic::Rows_5d5f3a42f6e7468e, 8, 4)
SYNTONIC_ROWS_STREAM(rows_5d5f3a42f6e7468e_summed, syntonic::Rows_5d5f3a42f6e7468e, 8, 4, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_5d5f3a42f6e7468e, syntonic::Rows_5d5f3a42f6e7468e, 8, 4, 4)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_6aecf58f929c6fe7 {
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
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    float v34;
    float v37;
    float v38;
    float v39;
    float v40;
    float v48;
    float v50;
    RowVector<float, V> h6[R];
    RowVector<float, V> h8[R];
    RowVector<float, V> h9[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(5, 5);
        each.template sum<float>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f000000u);
        v7 = syn::bits_as<float>(0xbf3504f3u);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
        v29 = syn::bits_as<float>(0xbf000000u);
        v33 = syn::bits_as<float>(0x40000000u);
        v48 = syn::bits_as<float>(0x3f4c422au);
        v50 = syn::bits_as<float>(0x3f000000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
        typename Sum<float>::Thread f37;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k8;
        RowVector<float, V> k9;
        float a11[V];
        float a37[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v5, v4);
            k6.set(c, v6);
            const float v8 = syn::multiply(v4, v7);
            k8.set(c, v8);
            const float v9 = syn::erfc(v8);
            k9.set(c, v9);
            const float v10 = syn::multiply(v6, v9);
            const float v22 = syn::multiply(v3, v2);
            a11[c] = v10;
            a37[c] = v22;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k8, h8);
        at.template keep<float>(4, k9, h9);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<float>, V>(at, folds.f37, a37, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f11, folds.f37, any);
        v11 = Sum<float>::finish(both.first);
        v37 = Sum<float>::finish(both.second);
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
        typename Sum<float>::Thread f26;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k9 = at.template kept<float>(4, h9);
        float a16[V];
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v9 = k9.lane(c);
            const float v10 = syn::multiply(v6, v9);
            const float v14 = syn::subtract(v10, v13);
            const float v15 = syn::square(v14);
            const float v22 = syn::multiply(v3, v2);
            const float v25 = syn::multiply(v22, v14);
            a16[c] = v15;
            a26[c] = v25;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<float>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f16, folds.f26, any);
        v16 = Sum<float>::finish(both.first);
        v26 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k9 = at.template kept<float>(4, h9);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v8 = k8.lane(c);
            const float v9 = k9.lane(c);
            const float v10 = syn::multiply(v6, v9);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = syn::multiply(v3, v2);
            const float v23 = syn::multiply(v3, v21);
            const float v24 = syn::multiply(v22, v20);
            const float v35 = syn::multiply(v14, v34);
            const float v36 = syn::add(v24, v35);
            const float v41 = syn::add(v36, v40);
            const float v42 = syn::multiply(v41, v9);
            const float v43 = syn::multiply(v41, v6);
            const float v44 = syn::square(v8);
            const float v45 = syn::negative(v44);
            const float v46 = syn::exp(v45);
            const float v47 = syn::multiply(v43, v46);
            const float v49 = syn::multiply(v47, v48);
            const float v51 = syn::multiply(v42, v50);
            const float v52 = syn::add(v49, v51);
            y0.set(c, v52);
            y1.set(c, v23);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(5, y1);
        at.template gather<float>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_6aecf58f929c6fe7, syntonic::Rows_6aecf58f929c6fe7, 7, 4)
SYNTONIC_ROWS_STREAM(rows_6aecf58f929c6fe7_summed, syntonic::Rows_6aecf58f929c6fe7, 7, 4, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_7e457aa81ebd18ed {
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
    float v35;
    float v36;
    float v37;
    float v38;
    float v39;
    float v40;
    float v41;
    float v42;
    float v43;
    float v46;
    float v47;
    float v48;
    float v49;
    float v53;
    float v55;
    float v59;
    float v62;
    float v67;
    float v70;
    float v73;
    RowVector<float, V> h6[R];
    RowVector<float, V> h8[R];
    RowVector<float, V> h16[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(5, 5);
        each.template sum<float>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0x3d372713u);
        v14 = syn::bits_as<float>(0x3f4c422au);
        v17 = syn::bits_as<float>(0x3f800000u);
        v21 = syn::cast<float>(int64_t(p.length));
        v27 = p.single[0];
        v38 = syn::bits_as<float>(0xbf000000u);
        v42 = syn::bits_as<float>(0x40000000u);
        v53 = syn::bits_as<float>(0x3f800000u);
        v55 = syn::bits_as<float>(0x3f800000u);
        v59 = syn::bits_as<float>(0x3f4c422au);
        v62 = syn::bits_as<float>(0x40000000u);
        v67 = syn::bits_as<float>(0x3d122279u);
        v70 = syn::bits_as<float>(0x3f000000u);
        v73 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f20;
        typename Sum<float>::Thread f46;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k8;
        RowVector<float, V> k16;
        float a20[V];
        float a46[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            k6.set(c, v6);
            const float v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const float v10 = syn::multiply(v9, v6);
            const float v11 = syn::square(v6);
            const float v12 = syn::multiply(v10, v11);
            const float v13 = syn::add(v6, v12);
            const float v15 = syn::multiply(v14, v13);
            const float v16 = syn::tanh(v15);
            k16.set(c, v16);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            const float v31 = syn::multiply(v3, v2);
            a20[c] = v19;
            a46[c] = v31;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k8, h8);
        at.template keep<float>(4, k16, h16);
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
        row_take<Sum<float>, V>(at, folds.f46, a46, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f20, folds.f46, any);
        v20 = Sum<float>::finish(both.first);
        v46 = Sum<float>::finish(both.second);
        v22 = syn::divide(v20, v21);
    }
    struct Folds1 {
        typename Sum<float>::Thread f25;
        typename Sum<float>::Thread f35;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k16 = at.template kept<float>(4, h16);
        float a25[V];
        float a35[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v16 = k16.lane(c);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            const float v23 = syn::subtract(v19, v22);
            const float v24 = syn::square(v23);
            const float v31 = syn::multiply(v3, v2);
            const float v34 = syn::multiply(v31, v23);
            a25[c] = v24;
            a35[c] = v34;
        }
        row_take<Sum<float>, V>(at, folds.f25, a25, ordinal);
        row_take<Sum<float>, V>(at, folds.f35, a35, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f25, folds.f35, any);
        v25 = Sum<float>::finish(both.first);
        v35 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k16 = at.template kept<float>(4, h16);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const float v8 = k8.lane(c);
            const float v10 = syn::multiply(v9, v6);
            const float v11 = syn::square(v6);
            const float v16 = k16.lane(c);
            const float v18 = syn::add(v16, v17);
            const float v19 = syn::multiply(v8, v18);
            const float v23 = syn::subtract(v19, v22);
            const float v30 = syn::multiply(v23, v29);
            const float v31 = syn::multiply(v3, v2);
            const float v32 = syn::multiply(v3, v30);
            const float v33 = syn::multiply(v31, v29);
            const float v44 = syn::multiply(v23, v43);
            const float v45 = syn::add(v33, v44);
            const float v50 = syn::add(v45, v49);
            const float v51 = syn::multiply(v50, v18);
            const float v52 = syn::multiply(v50, v8);
            const float v54 = syn::subtract(v53, v16);
            const float v56 = syn::add(v55, v16);
            const float v57 = syn::multiply(v54, v56);
            const float v58 = syn::multiply(v52, v57);
            const float v60 = syn::multiply(v58, v59);
            const float v61 = syn::multiply(v60, v10);
            const float v63 = syn::multiply(v6, v62);
            const float v64 = syn::multiply(v61, v63);
            const float v65 = syn::add(v60, v64);
            const float v66 = syn::multiply(v58, v11);
            const float v68 = syn::multiply(v66, v67);
            const float v69 = syn::add(v65, v68);
            const float v71 = syn::multiply(v51, v70);
            const float v72 = syn::add(v69, v71);
            const float v74 = syn::multiply(v72, v73);
            y0.set(c, v74);
            y1.set(c, v32);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(5, y1);
        at.template gather<float>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_7e457aa81ebd18ed, syntonic::Rows_7e457aa81ebd18ed, 7, 4)
SYNTONIC_ROWS_STREAM(rows_7e457aa81ebd18ed_summed, syntonic::Rows_7e457aa81ebd18ed, 7, 4, 2, 512, 1, 0, HELD, PASSES)

// LAYER_NORM_backward(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_86c8f898b97c8257 {
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
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    float v32;
    float v33;
    float v34;
    float v35;
    RowVector<float, V> h16[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(3, 4);
        each.template sum<float>(4, 5);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::cast<float>(int64_t(p.length));
        v10 = p.single[1];
        v13 = p.single[0];
        v24 = syn::bits_as<float>(0xbf000000u);
        v28 = syn::bits_as<float>(0x40000000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f3;
        typename Sum<float>::Thread f32;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        RowVector<float, V> k16;
        float a3[V];
        float a32[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v16 = syn::multiply(v2, v1);
            k16.set(c, v16);
            a3[c] = v0;
            a32[c] = v16;
        }
        at.template keep<float>(1, k16, h16);
        row_take<Sum<float>, V>(at, folds.f3, a3, ordinal);
        row_take<Sum<float>, V>(at, folds.f32, a32, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f3, folds.f32, any);
        v3 = Sum<float>::finish(both.first);
        v32 = Sum<float>::finish(both.second);
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
        typename Sum<float>::Thread f20;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> k16 = at.template kept<float>(1, h16);
        float a8[V];
        float a20[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::square(v6);
            const float v16 = k16.lane(c);
            const float v19 = syn::multiply(v16, v6);
            a8[c] = v7;
            a20[c] = v19;
        }
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
        row_take<Sum<float>, V>(at, folds.f20, a20, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f8, folds.f20, any);
        v8 = Sum<float>::finish(both.first);
        v20 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> k16 = at.template kept<float>(1, h16);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = x2.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v15 = syn::multiply(v6, v14);
            const float v16 = k16.lane(c);
            const float v17 = syn::multiply(v2, v15);
            const float v18 = syn::multiply(v16, v14);
            const float v30 = syn::multiply(v6, v29);
            const float v31 = syn::add(v18, v30);
            const float v36 = syn::add(v31, v35);
            y0.set(c, v36);
            y1.set(c, v17);
            y2.set(c, v2);
        }
        at.write(3, y0);
        at.template gather<float>(3, y1);
        at.template gather<float>(4, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 3;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_86c8f898b97c8257, syntonic::Rows_86c8f898b97c8257, 6, 4)
SYNTONIC_ROWS_STREAM(rows_86c8f898b97c8257_summed_wide, syntonic::Rows_86c8f898b97c8257, 6, 4, 4, 256, 2, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_a7c091f89380dd41 {
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
    float v28;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    float v34;
    float v35;
    float v36;
    float v39;
    float v40;
    float v41;
    float v42;
    float v50;
    float v52;
    float v55;
    RowVector<float, V> h8[R];
    RowVector<float, V> h10[R];
    RowVector<float, V> h11[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(5, 5);
        each.template sum<float>(6, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0xbf3504f3u);
        v14 = syn::cast<float>(int64_t(p.length));
        v20 = p.single[0];
        v31 = syn::bits_as<float>(0xbf000000u);
        v35 = syn::bits_as<float>(0x40000000u);
        v50 = syn::bits_as<float>(0x3f4c422au);
        v52 = syn::bits_as<float>(0x3f000000u);
        v55 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f13;
        typename Sum<float>::Thread f39;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k8;
        RowVector<float, V> k10;
        RowVector<float, V> k11;
        float a13[V];
        float a39[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            const float v6 = syn::multiply(v4, v5);
            const float v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const float v10 = syn::multiply(v6, v9);
            k10.set(c, v10);
            const float v11 = syn::erfc(v10);
            k11.set(c, v11);
            const float v12 = syn::multiply(v8, v11);
            const float v24 = syn::multiply(v3, v2);
            a13[c] = v12;
            a39[c] = v24;
        }
        at.template keep<float>(0, k8, h8);
        at.template keep<float>(1, k10, h10);
        at.template keep<float>(4, k11, h11);
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
        row_take<Sum<float>, V>(at, folds.f39, a39, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f13, folds.f39, any);
        v13 = Sum<float>::finish(both.first);
        v39 = Sum<float>::finish(both.second);
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<float>::Thread f18;
        typename Sum<float>::Thread f28;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        const RowVector<float, V> k11 = at.template kept<float>(4, h11);
        float a18[V];
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v11 = k11.lane(c);
            const float v12 = syn::multiply(v8, v11);
            const float v16 = syn::subtract(v12, v15);
            const float v17 = syn::square(v16);
            const float v24 = syn::multiply(v3, v2);
            const float v27 = syn::multiply(v24, v16);
            a18[c] = v17;
            a28[c] = v27;
        }
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
        row_take<Sum<float>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f18, folds.f28, any);
        v18 = Sum<float>::finish(both.first);
        v28 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        const RowVector<float, V> k10 = at.template kept<float>(1, h10);
        const RowVector<float, V> k11 = at.template kept<float>(4, h11);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v10 = k10.lane(c);
            const float v11 = k11.lane(c);
            const float v12 = syn::multiply(v8, v11);
            const float v16 = syn::subtract(v12, v15);
            const float v23 = syn::multiply(v16, v22);
            const float v24 = syn::multiply(v3, v2);
            const float v25 = syn::multiply(v3, v23);
            const float v26 = syn::multiply(v24, v22);
            const float v37 = syn::multiply(v16, v36);
            const float v38 = syn::add(v26, v37);
            const float v43 = syn::add(v38, v42);
            const float v44 = syn::multiply(v43, v11);
            const float v45 = syn::multiply(v43, v8);
            const float v46 = syn::square(v10);
            const float v47 = syn::negative(v46);
            const float v48 = syn::exp(v47);
            const float v49 = syn::multiply(v45, v48);
            const float v51 = syn::multiply(v49, v50);
            const float v53 = syn::multiply(v44, v52);
            const float v54 = syn::add(v51, v53);
            const float v56 = syn::multiply(v54, v55);
            y0.set(c, v56);
            y1.set(c, v25);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(5, y1);
        at.template gather<float>(6, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_a7c091f89380dd41, syntonic::Rows_a7c091f89380dd41, 7, 4)
SYNTONIC_ROWS_STREAM(rows_a7c091f89380dd41_summed, syntonic::Rows_a7c091f89380dd41, 7, 4, 2, 512, 1, 0, HELD, PASSES)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_aa48e425663cc111 {
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
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    float v34;
    float v37;
    float v38;
    float v39;
    float v40;
    float v42;
    float v44;
    RowVector<float, V> h6[R];
    RowVector<float, V> h10[R];
    RowVector<float, V> h22[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(4, 6);
        each.template sum<float>(5, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x00000000u);
        v9 = syn::bits_as<float>(0x00000000u);
        v12 = syn::cast<float>(int64_t(p.length));
        v18 = p.single[0];
        v29 = syn::bits_as<float>(0xbf000000u);
        v33 = syn::bits_as<float>(0x40000000u);
        v42 = syn::bits_as<float>(0x00000000u);
        v44 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f11;
        typename Sum<float>::Thread f37;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k6;
        RowVector<float, V> k10;
        RowVector<float, V> k22;
        float a11[V];
        float a37[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            k6.set(c, v6);
            const bool v8 = syn::less_equal(v6, v7);
            const float v10 = syn::where(v8, v9, v6);
            k10.set(c, v10);
            const float v22 = syn::multiply(v3, v2);
            k22.set(c, v22);
            a11[c] = v10;
            a37[c] = v22;
        }
        at.template keep<float>(0, k6, h6);
        at.template keep<float>(1, k10, h10);
        at.template keep<float>(2, k22, h22);
        row_take<Sum<float>, V>(at, folds.f11, a11, ordinal);
        row_take<Sum<float>, V>(at, folds.f37, a37, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f11, folds.f37, any);
        v11 = Sum<float>::finish(both.first);
        v37 = Sum<float>::finish(both.second);
        v13 = syn::divide(v11, v12);
    }
    struct Folds1 {
        typename Sum<float>::Thread f16;
        typename Sum<float>::Thread f26;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k10 = at.template kept<float>(1, h10);
        const RowVector<float, V> k22 = at.template kept<float>(2, h22);
        float a16[V];
        float a26[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v15 = syn::square(v14);
            const float v22 = k22.lane(c);
            const float v25 = syn::multiply(v22, v14);
            a16[c] = v15;
            a26[c] = v25;
        }
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
        row_take<Sum<float>, V>(at, folds.f26, a26, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f16, folds.f26, any);
        v16 = Sum<float>::finish(both.first);
        v26 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k6 = at.template kept<float>(0, h6);
        const RowVector<float, V> k10 = at.template kept<float>(1, h10);
        const RowVector<float, V> k22 = at.template kept<float>(2, h22);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
        RowVector<float, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = x3.lane(c);
            const float v6 = k6.lane(c);
            const bool v8 = syn::less_equal(v6, v7);
            const float v10 = k10.lane(c);
            const float v14 = syn::subtract(v10, v13);
            const float v21 = syn::multiply(v14, v20);
            const float v22 = k22.lane(c);
            const float v23 = syn::multiply(v3, v21);
            const float v24 = syn::multiply(v22, v20);
            const float v35 = syn::multiply(v14, v34);
            const float v36 = syn::add(v24, v35);
            const float v41 = syn::add(v36, v40);
            const float v43 = syn::where(v8, v42, v41);
            const float v45 = syn::multiply(v43, v44);
            y0.set(c, v43);
            y1.set(c, v45);
            y2.set(c, v23);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<float>(4, y2);
        at.template gather<float>(5, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_aa48e425663cc111, syntonic::Rows_aa48e425663cc111, 8, 4)
SYNTONIC_ROWS_STREAM(rows_aa48e425663cc111_summed, syntonic::Rows_aa48e425663cc111, 8, 4, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_aa48e425663cc111, syntonic::Rows_aa48e425663cc111, 8, 4, 4)

// BATCH_NORM_backward(f32, f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_acfb52e9acc7334b {
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
    float v15;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    float v30;
    float v31;
    float v32;
    RowVector<float, V> h0[R];
    RowVector<float, V> h4[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const float>(p, 1, base[1]);
        v2 = *row_address<const float>(p, 2, base[2]);
        v3 = *row_address<const float>(p, 3, base[3]);
        v6 = p.single[1];
        v7 = syn::add(v3, v6);
        v8 = syn::rsqrt(v7);
        v9 = p.single[0];
        v10 = syn::multiply(v8, v9);
        v11 = syn::multiply(v10, v1);
        v19 = syn::multiply(v8, v8);
        v20 = syn::multiply(v8, v19);
        v21 = syn::bits_as<float>(0xbf000000u);
        v22 = syn::multiply(v20, v21);
        v24 = syn::cast<float>(int64_t(p.length));
        v26 = syn::bits_as<float>(0x40000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(4);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(4, h4);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f12;
        typename Sum<float>::Thread f15;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x4 = at.template read<float, false, false>(4, h4);
        float a12[V];
        float a15[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = x4.lane(c);
            const float v5 = syn::subtract(v0, v2);
            const float v14 = syn::multiply(v4, v5);
            a12[c] = v4;
            a15[c] = v14;
        }
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<float>, V>(at, folds.f15, a15, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f12, folds.f15, any);
        v12 = Sum<float>::finish(both.first);
        v15 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x4 = at.template read<float, false, false>(4, h4);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = x4.lane(c);
            const float v5 = syn::subtract(v0, v2);
            const float v13 = syn::multiply(v4, v11);
            const float v28 = syn::multiply(v5, v27);
            const float v29 = syn::add(v13, v28);
            const float v33 = syn::add(v29, v32);
            y0.set(c, v33);
        }
        at.write(5, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 6, base[6]) = v17;
        *row_address<float>(p, 7, base[7]) = v12;
    }
    struct Measures {
        struct Acc {
            typename Joined<Sum<float>>::Acc m12;
            typename Joined<Sum<float>>::Acc m15;
        };
        struct Near {
            typename Joined<Sum<float>>::Near m12;
            typename Joined<Sum<float>>::Near m15;
        };
        struct Told {
            typename Joined<Sum<float>>::Told m12;
            typename Joined<Sum<float>>::Told m15;
        };
        struct Values {
            float m12[R * V];
            float m15[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Joined<Sum<float>>::none(), Joined<Sum<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Sum<float>>::take(a.m12, b.m12); Joined<Sum<float>>::take(a.m15, b.m15); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Sum<float>>::template over_lanes<FROM>(a.m12, apart), Joined<Sum<float>>::template over_lanes<FROM>(a.m15, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Sum<float>>::tell(a.m12), Joined<Sum<float>>::tell(a.m15)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Sum<float>>::heard(a.m12, count), Joined<Sum<float>>::heard(a.m15, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Sum<float>::template take<N * V>(all.m12, x.m12, 0);
            Sum<float>::template take<N * V>(all.m15, x.m15, 0);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x4 = at.template read<float, false, false>(4, h4);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v4 = x4.lane(c);
            const float v5 = syn::subtract(v0, v2);
            const float v14 = syn::multiply(v4, v5);
            x.m12[at.k * V + c] = v4;
            x.m15[at.k * V + c] = v14;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v12 = Sum<float>::finish(all.m12);
        v15 = Sum<float>::finish(all.m15);
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
SYNTONIC_ROWS(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4)
SYNTONIC_ROWS_HELD(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4, 4, 2)
SYNTONIC_ROW_RING(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4, 4)
SYNTONIC_ROW_CLUSTER(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4, 4)
SYNTONIC_ROW_COLUMN_RING(rows_acfb52e9acc7334b, syntonic::Rows_acfb52e9acc7334b, 8, 4, 4)

// SOFTMAX_backward(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_b008bbdc85844252 {
    float v3;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 16;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
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
        typename Sum<float>::Thread f3;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a3[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::multiply(v1, v0);
            a3[c] = v2;
        }
        row_take<Sum<float>, V>(at, folds.f3, a3, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto a3 = row_gathered<Sum<float>>(folds.f3, room, any, position);
        room.template put<0>(a3);
        room.meet();
        v3 = Sum<float>::finish(room.template get<Sum<float>, 0>(a3));
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v4 = syn::subtract(v1, v3);
            const float v5 = syn::multiply(v0, v4);
            y0.set(c, v5);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Sum<float>>::Acc m3;
        };
        struct Near {
            typename Joined<Sum<float>>::Near m3;
        };
        struct Told {
            typename Joined<Sum<float>>::Told m3;
        };
        struct Values {
            float m3[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Joined<Sum<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Sum<float>>::take(a.m3, b.m3); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Sum<float>>::template over_lanes<FROM>(a.m3, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Sum<float>>::tell(a.m3)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Sum<float>>::heard(a.m3, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Sum<float>::template take<N * V>(all.m3, x.m3, 0);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = syn::multiply(v1, v0);
            x.m3[at.k * V + c] = v2;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v3 = Sum<float>::finish(all.m3);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4)
SYNTONIC_ROWS_HELD(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4, 4, 3)
SYNTONIC_ROW_RING(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4, 4)
SYNTONIC_ROW_CLUSTER(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4, 4)
SYNTONIC_ROW_COLUMN_RING(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 4, 4)
SYNTONIC_ROWS_STREAM(rows_b008bbdc85844252_pair, syntonic::Rows_b008bbdc85844252, 3, 4, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_b008bbdc85844252, syntonic::Rows_b008bbdc85844252, 3, 16)

// BATCH_NORM_backward(f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_b0f38de64094d770 {
    float v1;
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
    float v16;
    float v19;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v33;
    float v34;
    float v35;
    RowVector<float, V> h0[R];
    RowVector<float, V> h2[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const float>(p, 1, base[1]);
        v4 = syn::cast<float>(int64_t(p.length));
        v10 = p.single[1];
        v13 = p.single[0];
        v25 = syn::bits_as<float>(0xbf000000u);
        v29 = syn::bits_as<float>(0x40000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(2);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(2, h2);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f3;
        typename Sum<float>::Thread f16;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a3[V];
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = x2.lane(c);
            a3[c] = v0;
            a16[c] = v2;
        }
        row_take<Sum<float>, V>(at, folds.f3, a3, ordinal);
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f3, folds.f16, any);
        v3 = Sum<float>::finish(both.first);
        v16 = Sum<float>::finish(both.second);
        v5 = syn::divide(v3, v4);
    }
    struct Folds1 {
        typename Sum<float>::Thread f8;
        typename Sum<float>::Thread f19;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        float a8[V];
        float a19[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = x2.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v7 = syn::square(v6);
            const float v18 = syn::multiply(v2, v6);
            a8[c] = v7;
            a19[c] = v18;
        }
        row_take<Sum<float>, V>(at, folds.f8, a8, ordinal);
        row_take<Sum<float>, V>(at, folds.f19, a19, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f8, folds.f19, any);
        v8 = Sum<float>::finish(both.first);
        v19 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v2 = x2.lane(c);
            const float v6 = syn::subtract(v0, v5);
            const float v17 = syn::multiply(v2, v15);
            const float v31 = syn::multiply(v6, v30);
            const float v32 = syn::add(v17, v31);
            const float v36 = syn::add(v32, v35);
            y0.set(c, v36);
        }
        at.write(3, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
        *row_address<float>(p, 4, base[4]) = v21;
        *row_address<float>(p, 5, base[5]) = v16;
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_b0f38de64094d770, syntonic::Rows_b0f38de64094d770, 6, 4)
SYNTONIC_ROWS_HELD(rows_b0f38de64094d770, syntonic::Rows_b0f38de64094d770, 6, 4, 4, 512, 1)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_decdeb913ddec54d {
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
    float v24;
    float v25;
    float v26;
    float v27;
    float v28;
    float v29;
    float v30;
    float v31;
    float v32;
    float v35;
    float v36;
    float v37;
    float v38;
    float v40;
    RowVector<float, V> h4[R];
    RowVector<float, V> h8[R];
    RowVector<float, V> h20[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 3;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(4, 5);
        each.template sum<float>(5, 6);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v5 = syn::bits_as<float>(0x00000000u);
        v7 = syn::bits_as<float>(0x00000000u);
        v10 = syn::cast<float>(int64_t(p.length));
        v16 = p.single[0];
        v27 = syn::bits_as<float>(0xbf000000u);
        v31 = syn::bits_as<float>(0x40000000u);
        v40 = syn::bits_as<float>(0x00000000u);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f9;
        typename Sum<float>::Thread f35;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k4;
        RowVector<float, V> k8;
        RowVector<float, V> k20;
        float a9[V];
        float a35[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::add(v0, v1);
            k4.set(c, v4);
            const bool v6 = syn::less_equal(v4, v5);
            const float v8 = syn::where(v6, v7, v4);
            k8.set(c, v8);
            const float v20 = syn::multiply(v3, v2);
            k20.set(c, v20);
            a9[c] = v8;
            a35[c] = v20;
        }
        at.template keep<float>(0, k4, h4);
        at.template keep<float>(1, k8, h8);
        at.template keep<float>(2, k20, h20);
        row_take<Sum<float>, V>(at, folds.f9, a9, ordinal);
        row_take<Sum<float>, V>(at, folds.f35, a35, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f9, folds.f35, any);
        v9 = Sum<float>::finish(both.first);
        v35 = Sum<float>::finish(both.second);
        v11 = syn::divide(v9, v10);
    }
    struct Folds1 {
        typename Sum<float>::Thread f14;
        typename Sum<float>::Thread f24;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k20 = at.template kept<float>(2, h20);
        float a14[V];
        float a24[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v8 = k8.lane(c);
            const float v12 = syn::subtract(v8, v11);
            const float v13 = syn::square(v12);
            const float v20 = k20.lane(c);
            const float v23 = syn::multiply(v20, v12);
            a14[c] = v13;
            a24[c] = v23;
        }
        row_take<Sum<float>, V>(at, folds.f14, a14, ordinal);
        row_take<Sum<float>, V>(at, folds.f24, a24, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f14, folds.f24, any);
        v14 = Sum<float>::finish(both.first);
        v24 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k4 = at.template kept<float>(0, h4);
        const RowVector<float, V> k8 = at.template kept<float>(1, h8);
        const RowVector<float, V> k20 = at.template kept<float>(2, h20);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v3 = x3.lane(c);
            const float v4 = k4.lane(c);
            const bool v6 = syn::less_equal(v4, v5);
            const float v8 = k8.lane(c);
            const float v12 = syn::subtract(v8, v11);
            const float v19 = syn::multiply(v12, v18);
            const float v20 = k20.lane(c);
            const float v21 = syn::multiply(v3, v19);
            const float v22 = syn::multiply(v20, v18);
            const float v33 = syn::multiply(v12, v32);
            const float v34 = syn::add(v22, v33);
            const float v39 = syn::add(v34, v38);
            const float v41 = syn::where(v6, v40, v39);
            y0.set(c, v41);
            y1.set(c, v21);
            y2.set(c, v3);
        }
        at.write(4, y0);
        at.template gather<float>(4, y1);
        at.template gather<float>(5, y2);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 4;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_decdeb913ddec54d, syntonic::Rows_decdeb913ddec54d, 7, 4)
SYNTONIC_ROWS_STREAM(rows_decdeb913ddec54d_summed, syntonic::Rows_decdeb913ddec54d, 7, 4, 2, 512, 1, 0, HELD, PASSES)
SYNTONIC_ROWS_PIECES(rows_decdeb913ddec54d, syntonic::Rows_decdeb913ddec54d, 7, 4, 4)

// phi_residual_layer_norm_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_e96904ea8be41f2f {
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
    float v28;
    float v29;
    float v30;
    float v31;
    float v32;
    float v33;
    float v34;
    float v35;
    float v36;
    float v39;
    float v40;
    float v41;
    float v42;
    float v50;
    float v52;
    float v55;
    RowVector<float, V> h8[R];
    RowVector<float, V> h10[R];
    RowVector<float, V> h11[R];
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    RowVector<float, V> h2[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 4;
    static constexpr int SUMS = 2;
    static constexpr bool OVER = false;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Each> static __device__ __forceinline__ void sums(const Each& each) {
        each.template sum<float>(5, 6);
        each.template sum<float>(6, 7);
    }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v4 = syn::bits_as<float>(0x3f1e377au);
        v7 = syn::bits_as<float>(0x3f000000u);
        v9 = syn::bits_as<float>(0xbf3504f3u);
        v14 = syn::cast<float>(int64_t(p.length));
        v20 = p.single[0];
        v31 = syn::bits_as<float>(0xbf000000u);
        v35 = syn::bits_as<float>(0x40000000u);
        v50 = syn::bits_as<float>(0x3f4c422au);
        v52 = syn::bits_as<float>(0x3f000000u);
        v55 = syn::bits_as<float>(0x3f1e377au);
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
    template <class At> __device__ __forceinline__ void load_ahead(Pass<2>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f13;
        typename Sum<float>::Thread f39;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> k8;
        RowVector<float, V> k10;
        RowVector<float, V> k11;
        float a13[V];
        float a39[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v5 = syn::multiply(v1, v4);
            const float v6 = syn::add(v0, v5);
            const float v8 = syn::multiply(v7, v6);
            k8.set(c, v8);
            const float v10 = syn::multiply(v6, v9);
            k10.set(c, v10);
            const float v11 = syn::erfc(v10);
            k11.set(c, v11);
            const float v12 = syn::multiply(v8, v11);
            const float v24 = syn::multiply(v3, v2);
            a13[c] = v12;
            a39[c] = v24;
        }
        at.template keep<float>(0, k8, h8);
        at.template keep<float>(1, k10, h10);
        at.template keep<float>(4, k11, h11);
        row_take<Sum<float>, V>(at, folds.f13, a13, ordinal);
        row_take<Sum<float>, V>(at, folds.f39, a39, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f13, folds.f39, any);
        v13 = Sum<float>::finish(both.first);
        v39 = Sum<float>::finish(both.second);
        v15 = syn::divide(v13, v14);
    }
    struct Folds1 {
        typename Sum<float>::Thread f18;
        typename Sum<float>::Thread f28;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        const RowVector<float, V> k11 = at.template kept<float>(4, h11);
        float a18[V];
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v11 = k11.lane(c);
            const float v12 = syn::multiply(v8, v11);
            const float v16 = syn::subtract(v12, v15);
            const float v17 = syn::square(v16);
            const float v24 = syn::multiply(v3, v2);
            const float v27 = syn::multiply(v24, v16);
            a18[c] = v17;
            a28[c] = v27;
        }
        row_take<Sum<float>, V>(at, folds.f18, a18, ordinal);
        row_take<Sum<float>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f18, folds.f28, any);
        v18 = Sum<float>::finish(both.first);
        v28 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x2 = at.template read<float, false, false>(2, h2);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        const RowVector<float, V> k8 = at.template kept<float>(0, h8);
        const RowVector<float, V> k10 = at.template kept<float>(1, h10);
        const RowVector<float, V> k11 = at.template kept<float>(4, h11);
        RowVector<float, V> y0;
        RowVector<float, V> y1;
        RowVector<float, V> y2;
        RowVector<float, V> y3;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v2 = x2.lane(c);
            const float v3 = x3.lane(c);
            const float v8 = k8.lane(c);
            const float v10 = k10.lane(c);
            const float v11 = k11.lane(c);
            const float v12 = syn::multiply(v8, v11);
            const float v16 = syn::subtract(v12, v15);
            const float v23 = syn::multiply(v16, v22);
            const float v24 = syn::multiply(v3, v2);
            const float v25 = syn::multiply(v3, v23);
            const float v26 = syn::multiply(v24, v22);
            const float v37 = syn::multiply(v16, v36);
            const float v38 = syn::add(v26, v37);
            const float v43 = syn::add(v38, v42);
            const float v44 = syn::multiply(v43, v11);
            const float v45 = syn::multiply(v43, v8);
            const float v46 = syn::square(v10);
            const float v47 = syn::negative(v46);
            const float v48 = syn::exp(v47);
            const float v49 = syn::multiply(v45, v48);
            const float v51 = syn::multiply(v49, v50);
            const float v53 = syn::multiply(v44, v52);
            const float v54 = syn::add(v51, v53);
            const float v56 = syn::multiply(v54, v55);
            y0.set(c, v54);
            y1.set(c, v56);
            y2.set(c, v25);
            y3.set(c, v3);
        }
        at.write(4, y0);
        at.write(5, y1);
        at.template gather<float>(5, y2);
        at.template gather<float>(6, y3);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    using Summed = float;
    static constexpr int SUMS_FROM = 5;
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_e96904ea8be41f2f, syntonic::Rows_e96904ea8be41f2f, 8, 4)
SYNTONIC_ROWS_STREAM(rows_e96904ea8be41f2f_summed, syntonic::Rows_e96904ea8be41f2f, 8, 4, 2, 512, 1, 0, HELD, PASSES)

// BATCH_NORM_PLAIN_backward(f32, f32, f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_ed1f680f40f4080d {
    float v1;
    float v2;
    float v5;
    float v6;
    float v7;
    float v8;
    float v9;
    float v12;
    float v13;
    float v14;
    float v15;
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    float v25;
    float v26;
    float v27;
    float v28;
    RowVector<float, V> h0[R];
    RowVector<float, V> h3[R];
    static constexpr int PASSES = 1;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v1 = *row_address<const float>(p, 1, base[1]);
        v2 = *row_address<const float>(p, 2, base[2]);
        v5 = p.single[1];
        v6 = syn::add(v2, v5);
        v7 = syn::rsqrt(v6);
        v8 = p.single[0];
        v9 = syn::multiply(v7, v8);
        v14 = syn::multiply(v7, v7);
        v15 = syn::multiply(v7, v14);
        v16 = syn::bits_as<float>(0xbf000000u);
        v17 = syn::multiply(v15, v16);
        v19 = syn::cast<float>(int64_t(p.length));
        v21 = syn::bits_as<float>(0x40000000u);
    }
    template <class At> static __device__ __forceinline__ void fetch(const At& at) {
        at.template fetch<float, true>(0);
        at.template fetch<float, false>(3);
    }
    template <class At> __device__ __forceinline__ void load(const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(3, h3);
    }
    template <class At> __device__ __forceinline__ void load_ahead(Pass<1>, const At& at) {
    }
    struct Folds0 {
        typename Sum<float>::Thread f12;
        typename Sum<float>::Thread f25;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        float a12[V];
        float a25[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v11 = syn::multiply(v3, v4);
            a12[c] = v11;
            a25[c] = v3;
        }
        row_take<Sum<float>, V>(at, folds.f12, a12, ordinal);
        row_take<Sum<float>, V>(at, folds.f25, a25, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f12, folds.f25, any);
        v12 = Sum<float>::finish(both.first);
        v25 = Sum<float>::finish(both.second);
        v13 = syn::multiply(v8, v12);
        v18 = syn::multiply(v17, v13);
        v20 = syn::divide(v18, v19);
        v22 = syn::multiply(v21, v20);
        v26 = syn::multiply(v9, v25);
        v27 = syn::negative(v26);
        v28 = syn::divide(v27, v19);
    }
    template <class At> __device__ __forceinline__ void finish(const At& at) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v10 = syn::multiply(v3, v9);
            const float v23 = syn::multiply(v4, v22);
            const float v24 = syn::add(v10, v23);
            const float v29 = syn::add(v24, v28);
            y0.set(c, v29);
        }
        at.write(4, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    struct Measures {
        struct Acc {
            typename Joined<Sum<float>>::Acc m12;
            typename Joined<Sum<float>>::Acc m25;
        };
        struct Near {
            typename Joined<Sum<float>>::Near m12;
            typename Joined<Sum<float>>::Near m25;
        };
        struct Told {
            typename Joined<Sum<float>>::Told m12;
            typename Joined<Sum<float>>::Told m25;
        };
        struct Values {
            float m12[R * V];
            float m25[R * V];
        };
        static __device__ __forceinline__ Near none() { return Near{Joined<Sum<float>>::none(), Joined<Sum<float>>::none()}; }
        static __device__ __forceinline__ void take(Near& a, const Acc& b) { Joined<Sum<float>>::take(a.m12, b.m12); Joined<Sum<float>>::take(a.m25, b.m25); }
        template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) { return Acc{Joined<Sum<float>>::template over_lanes<FROM>(a.m12, apart), Joined<Sum<float>>::template over_lanes<FROM>(a.m25, apart)}; }
        static __device__ __forceinline__ Told tell(const Acc& a) { return Told{Joined<Sum<float>>::tell(a.m12), Joined<Sum<float>>::tell(a.m25)}; }
        static __device__ __forceinline__ Acc heard(const Told& a, u32 count) { return Acc{Joined<Sum<float>>::heard(a.m12, count), Joined<Sum<float>>::heard(a.m25, count)}; }
        // Takes in N vectors.
        template <int N> static __device__ __forceinline__ void gather(Near& all, const Values& x) {
            Sum<float>::template take<N * V>(all.m12, x.m12, 0);
            Sum<float>::template take<N * V>(all.m25, x.m25, 0);
        }
    };
    template <class At> __device__ __forceinline__ void measure(const At& at, typename Measures::Values& x) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x3 = at.template read<float, false, false>(3, h3);
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v3 = x3.lane(c);
            const float v4 = syn::subtract(v0, v1);
            const float v11 = syn::multiply(v3, v4);
            x.m12[at.k * V + c] = v11;
            x.m25[at.k * V + c] = v3;
        }
    }
    template <class Acc, class Params> __device__ __forceinline__ void measured(const Acc& all, const Params& p) {
        v12 = Sum<float>::finish(all.m12);
        v25 = Sum<float>::finish(all.m25);
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
SYNTONIC_ROWS(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4)
SYNTONIC_ROWS_HELD(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4, 4, 512, 1)
SYNTONIC_ROW_PARTS(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4, 4, 4)
SYNTONIC_ROW_COLUMNS(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4, 4, 3)
SYNTONIC_ROW_RING(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4, 4)
SYNTONIC_ROW_CLUSTER(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4, 4)
SYNTONIC_ROW_COLUMN_RING(rows_ed1f680f40f4080d, syntonic::Rows_ed1f680f40f4080d, 5, 4, 4)

// BATCH_NORM_PLAIN_backward(f32, f32)
namespace syntonic {
template <int V, int R> struct Rows_ff80dc799924435f {
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
    float v16;
    float v17;
    float v18;
    float v19;
    float v20;
    float v21;
    float v22;
    float v23;
    float v24;
    float v25;
    float v28;
    float v29;
    float v30;
    float v31;
    RowVector<float, V> h0[R];
    RowVector<float, V> h1[R];
    static constexpr int PASSES = 2;
    static constexpr int FIRST_INPUT = 0;
    static constexpr int ROOM = 32;
    static constexpr int ELEMENTS = 1;
    static constexpr int SUMS = 0;
    static constexpr bool OVER = true;
    static constexpr bool DEEP = false;
    static __device__ __forceinline__ u32 element_bytes(int operand) { return 4; }
    template <class Params, int K> __device__ __forceinline__ void begin(const Params& p, const int64_t (&base)[K]) {
        v3 = syn::cast<float>(int64_t(p.length));
        v9 = p.single[1];
        v12 = p.single[0];
        v20 = syn::bits_as<float>(0xbf000000u);
        v24 = syn::bits_as<float>(0x40000000u);
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
        typename Sum<float>::Thread f2;
        typename Sum<float>::Thread f28;
    };
    static __device__ __forceinline__ Folds0 start(Pass<0>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a2[V];
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            a2[c] = v0;
            a28[c] = v1;
        }
        row_take<Sum<float>, V>(at, folds.f2, a2, ordinal);
        row_take<Sum<float>, V>(at, folds.f28, a28, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<0>, Folds0& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f2, folds.f28, any);
        v2 = Sum<float>::finish(both.first);
        v28 = Sum<float>::finish(both.second);
        v4 = syn::divide(v2, v3);
    }
    struct Folds1 {
        typename Sum<float>::Thread f7;
        typename Sum<float>::Thread f16;
    };
    static __device__ __forceinline__ Folds1 start(Pass<1>) {
        return {Sum<float>::start(), Sum<float>::start()};
    }
    template <class At> __device__ __forceinline__ void statements(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a7[V];
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::subtract(v0, v4);
            const float v6 = syn::square(v5);
            const float v15 = syn::multiply(v1, v5);
            a7[c] = v6;
            a16[c] = v15;
        }
        row_take<Sum<float>, V>(at, folds.f7, a7, ordinal);
        row_take<Sum<float>, V>(at, folds.f16, a16, ordinal);
    }
    template <class Room, class Position, class Params> __device__ __forceinline__ void join(Pass<1>, Folds1& folds, const Room& room, bool any, Position position, const Params& p) {
        const auto both = row_joined<Sum<float>>(room, folds.f7, folds.f16, any);
        v7 = Sum<float>::finish(both.first);
        v16 = Sum<float>::finish(both.second);
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
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        RowVector<float, V> y0;
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::subtract(v0, v4);
            const float v14 = syn::multiply(v1, v13);
            const float v26 = syn::multiply(v5, v25);
            const float v27 = syn::add(v14, v26);
            const float v32 = syn::add(v27, v31);
            y0.set(c, v32);
        }
        at.write(2, y0);
    }
    template <class Params, int K> __device__ __forceinline__ void finish_row(const Params& p, const int64_t (&base)[K]) {
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<0>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<0>, Folds0& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a2[V];
        float a28[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            a2[c] = v0;
            a28[c] = v1;
        }
        Sum<float>::template take<V>(folds.f2, a2, ordinal);
        Sum<float>::template take<V>(folds.f28, a28, ordinal);
    }
    template <class At> __device__ __forceinline__ void load_again(Pass<1>, const At& at) {
        at.template load<float>(0, h0);
        at.template load<float>(1, h1);
    }
    template <class At> __device__ __forceinline__ void again(Pass<1>, Folds1& folds, const At& at, u32 ordinal) {
        const RowVector<float, V> x0 = at.template read<float, true, false>(0, h0);
        const RowVector<float, V> x1 = at.template read<float, false, false>(1, h1);
        float a7[V];
        float a16[V];
#pragma unroll
        for (int c = 0; c < V; ++c) {
            const float v0 = x0.lane(c);
            const float v1 = x1.lane(c);
            const float v5 = syn::subtract(v0, v4);
            const float v6 = syn::square(v5);
            const float v15 = syn::multiply(v1, v5);
            a7[c] = v6;
            a16[c] = v15;
        }
        Sum<float>::template take<V>(folds.f7, a7, ordinal);
        Sum<float>::template take<V>(folds.f16, a16, ordinal);
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
            const float v5 = syn::subtract(v0, v4);
            const float v14 = syn::multiply(v1, v13);
            const float v26 = syn::multiply(v5, v25);
            const float v27 = syn::add(v14, v26);
            const float v32 = syn::add(v27, v31);
            y0.set(c, v32);
        }
        at.write(2, y0);
    }
};
}  // namespace syntonic
SYNTONIC_ROWS(rows_ff80dc799924435f, syntonic::Rows_ff80dc799924435f, 3, 4)
SYNTONIC_ROWS_HELD(rows_ff80dc799924435f, syntonic::Rows_ff80dc799924435f, 3, 4, 4, 512, 1)
SYNTONIC_ROWS_STREAM(rows_ff80dc799924435f_pair, syntonic::Rows_ff80dc799924435f, 3, 4, 4, 1024, 1, 1024, HELD, PASSES)
SYNTONIC_ROWS_ACROSS(rows_ff80dc799924435f, syntonic::Rows_ff80dc799924435f, 3, 16)
SYNTONIC_ROWS_PASSES(rows_ff80dc799924435f_passes, syntonic::Rows_ff80dc799924435f, 3, 4, 4, 512, 2)
