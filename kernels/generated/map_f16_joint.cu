// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// maximum(f16, f16)
struct Formula_077bb70a04e850ba {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::maximum(v1, v3);
        return v4;
    }
};
SYN_MAP(map_077bb70a04e850ba, 1, 128, 16, Formula_077bb70a04e850ba, syn::f16, syn::f16, syn::f16)

// relu(f16, f32, f32)
struct Formula_0da7d8c6933b4f3f {
    SYN_INLINE static float of(syn::f16 v0, float v2, float v4) {
        const float v1 = syn::cast<float>(v0);
        const bool v3 = syn::less_equal(v1, v2);
        const float v5 = syn::where(v3, v4, v1);
        return v5;
    }
};
SYN_MAP(map_0da7d8c6933b4f3f, 2, 128, 16, Formula_0da7d8c6933b4f3f, syn::f16, syn::f16, float, float)

// mish(f16, f32)
struct Formula_10d34903fed9e2f2 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::maximum(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::abs(v1);
        const syn::f16 v7 = syn::cast<syn::f16>(v6);
        const float v8 = syn::cast<float>(v7);
        const float v9 = syn::negative(v8);
        const syn::f16 v10 = syn::cast<syn::f16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::half::exp(v11);
        const syn::f16 v13 = syn::cast<syn::f16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::log1p(v14);
        const syn::f16 v16 = syn::cast<syn::f16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::add(v5, v17);
        const syn::f16 v19 = syn::cast<syn::f16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v21 = syn::half::tanh(v20);
        const syn::f16 v22 = syn::cast<syn::f16>(v21);
        const float v23 = syn::cast<float>(v22);
        const float v24 = syn::multiply(v1, v23);
        return v24;
    }
};
SYN_MAP(map_10d34903fed9e2f2, 2, 128, 16, Formula_10d34903fed9e2f2, syn::f16, syn::f16, float)

// multiply(f16, f32)
struct Formula_157a75d4f8603602 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        return v3;
    }
};
SYN_MAP(map_157a75d4f8603602, 2, 128, 16, Formula_157a75d4f8603602, syn::f16, syn::f16, float)

// add(f16, f16)
struct Formula_1c8beccd620ad565 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        return v4;
    }
};
SYN_MAP(map_1c8beccd620ad565, 1, 128, 16, Formula_1c8beccd620ad565, syn::f16, syn::f16, syn::f16)

// maximum(f16, f32)
struct Formula_2d426a5c1605def3 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::maximum(v1, v2);
        return v3;
    }
};
SYN_MAP(map_2d426a5c1605def3, 2, 128, 16, Formula_2d426a5c1605def3, syn::f16, syn::f16, float)

// softplus(f16, f32)
struct Formula_3d386646cd5c0e77 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::maximum(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::abs(v1);
        const syn::f16 v7 = syn::cast<syn::f16>(v6);
        const float v8 = syn::cast<float>(v7);
        const float v9 = syn::negative(v8);
        const syn::f16 v10 = syn::cast<syn::f16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::half::exp(v11);
        const syn::f16 v13 = syn::cast<syn::f16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::log1p(v14);
        const syn::f16 v16 = syn::cast<syn::f16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::add(v5, v17);
        return v18;
    }
};
SYN_MAP(map_3d386646cd5c0e77, 2, 128, 16, Formula_3d386646cd5c0e77, syn::f16, syn::f16, float)

// subtract(f16, f16)
struct Formula_9e9a5e10062f3f32 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::subtract(v1, v3);
        return v4;
    }
};
SYN_MAP(map_9e9a5e10062f3f32, 1, 128, 16, Formula_9e9a5e10062f3f32, syn::f16, syn::f16, syn::f16)

// divide(f16, f32)
struct Formula_aa2a6652833d821d {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::divide(v1, v2);
        return v3;
    }
};
SYN_MAP(map_aa2a6652833d821d, 2, 128, 16, Formula_aa2a6652833d821d, syn::f16, syn::f16, float)

// divide(f16, f16)
struct Formula_b87dc91dac867ce4 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::divide(v1, v3);
        return v4;
    }
};
SYN_MAP(map_b87dc91dac867ce4, 1, 128, 16, Formula_b87dc91dac867ce4, syn::f16, syn::f16, syn::f16)

// log_sigmoid(f16, f32)
struct Formula_c35b557944f5bf79 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::minimum(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::abs(v1);
        const syn::f16 v7 = syn::cast<syn::f16>(v6);
        const float v8 = syn::cast<float>(v7);
        const float v9 = syn::negative(v8);
        const syn::f16 v10 = syn::cast<syn::f16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::half::exp(v11);
        const syn::f16 v13 = syn::cast<syn::f16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::log1p(v14);
        const syn::f16 v16 = syn::cast<syn::f16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::subtract(v5, v17);
        return v18;
    }
};
SYN_MAP(map_c35b557944f5bf79, 2, 128, 16, Formula_c35b557944f5bf79, syn::f16, syn::f16, float)

// multiply(f16, f16)
struct Formula_c532dd970ba744d7 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::multiply(v1, v3);
        return v4;
    }
};
SYN_MAP(map_c532dd970ba744d7, 1, 128, 16, Formula_c532dd970ba744d7, syn::f16, syn::f16, syn::f16)

// minimum(f16, f32)
struct Formula_c72bbe83a8447550 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::minimum(v1, v2);
        return v3;
    }
};
SYN_MAP(map_c72bbe83a8447550, 2, 128, 16, Formula_c72bbe83a8447550, syn::f16, syn::f16, float)

// silu(f16, f32, f32, f32)
struct Formula_dba153122d34a908 {
    SYN_INLINE static float of(syn::f16 v0, float v2, float v4, float v17) {
        const float v1 = syn::cast<float>(v0);
        const bool v3 = syn::greater_equal(v1, v2);
        const float v5 = syn::negative(v1);
        const syn::f16 v6 = syn::cast<syn::f16>(v5);
        const float v7 = syn::cast<float>(v6);
        const float v8 = syn::where(v3, v7, v1);
        const syn::f16 v9 = syn::cast<syn::f16>(v8);
        const float v10 = syn::cast<float>(v9);
        const float v11 = syn::half::exp(v10);
        const syn::f16 v12 = syn::cast<syn::f16>(v11);
        const float v13 = syn::cast<float>(v12);
        const float v14 = syn::where(v3, v4, v13);
        const syn::f16 v15 = syn::cast<syn::f16>(v14);
        const float v16 = syn::cast<float>(v15);
        const float v18 = syn::add(v13, v17);
        const syn::f16 v19 = syn::cast<syn::f16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v21 = syn::divide(v16, v20);
        const syn::f16 v22 = syn::cast<syn::f16>(v21);
        const float v23 = syn::cast<float>(v22);
        const float v24 = syn::multiply(v1, v23);
        return v24;
    }
};
SYN_MAP(map_dba153122d34a908, 2, 128, 16, Formula_dba153122d34a908, syn::f16, syn::f16, float, float, float)

// sigmoid(f16, f32, f32, f32)
struct Formula_dd87b030cb69cfdb {
    SYN_INLINE static float of(syn::f16 v0, float v2, float v4, float v17) {
        const float v1 = syn::cast<float>(v0);
        const bool v3 = syn::greater_equal(v1, v2);
        const float v5 = syn::negative(v1);
        const syn::f16 v6 = syn::cast<syn::f16>(v5);
        const float v7 = syn::cast<float>(v6);
        const float v8 = syn::where(v3, v7, v1);
        const syn::f16 v9 = syn::cast<syn::f16>(v8);
        const float v10 = syn::cast<float>(v9);
        const float v11 = syn::half::exp(v10);
        const syn::f16 v12 = syn::cast<syn::f16>(v11);
        const float v13 = syn::cast<float>(v12);
        const float v14 = syn::where(v3, v4, v13);
        const syn::f16 v15 = syn::cast<syn::f16>(v14);
        const float v16 = syn::cast<float>(v15);
        const float v18 = syn::add(v13, v17);
        const syn::f16 v19 = syn::cast<syn::f16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v21 = syn::divide(v16, v20);
        return v21;
    }
};
SYN_MAP(map_dd87b030cb69cfdb, 2, 128, 16, Formula_dd87b030cb69cfdb, syn::f16, syn::f16, float, float, float)

// subtract(f16, f32)
struct Formula_eb36fbd93de0270b {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::subtract(v1, v2);
        return v3;
    }
};
SYN_MAP(map_eb36fbd93de0270b, 2, 128, 16, Formula_eb36fbd93de0270b, syn::f16, syn::f16, float)

// add(f16, f32)
struct Formula_f49282075da79448 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::add(v1, v2);
        return v3;
    }
};
SYN_MAP(map_f49282075da79448, 2, 128, 16, Formula_f49282075da79448, syn::f16, syn::f16, float)

// minimum(f16, f16)
struct Formula_fb55440721af8a0d {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::minimum(v1, v3);
        return v4;
    }
};
SYN_MAP(map_fb55440721af8a0d, 1, 128, 16, Formula_fb55440721af8a0d, syn::f16, syn::f16, syn::f16)
