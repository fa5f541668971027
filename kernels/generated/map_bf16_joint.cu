// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// silu(bf16, f32, f32, f32)
struct Formula_04c02234213e2eec {
    SYN_INLINE static float of(syn::bf16 v0, float v2, float v4, float v17) {
        const float v1 = syn::cast<float>(v0);
        const bool v3 = syn::greater_equal(v1, v2);
        const float v5 = syn::negative(v1);
        const syn::bf16 v6 = syn::cast<syn::bf16>(v5);
        const float v7 = syn::cast<float>(v6);
        const float v8 = syn::where(v3, v7, v1);
        const syn::bf16 v9 = syn::cast<syn::bf16>(v8);
        const float v10 = syn::cast<float>(v9);
        const float v11 = syn::half::exp(v10);
        const syn::bf16 v12 = syn::cast<syn::bf16>(v11);
        const float v13 = syn::cast<float>(v12);
        const float v14 = syn::where(v3, v4, v13);
        const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
        const float v16 = syn::cast<float>(v15);
        const float v18 = syn::add(v13, v17);
        const syn::bf16 v19 = syn::cast<syn::bf16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v21 = syn::divide(v16, v20);
        const syn::bf16 v22 = syn::cast<syn::bf16>(v21);
        const float v23 = syn::cast<float>(v22);
        const float v24 = syn::multiply(v1, v23);
        return v24;
    }
};
SYN_MAP(map_04c02234213e2eec, 2, 128, 16, Formula_04c02234213e2eec, syn::bf16, syn::bf16, float, float, float)

// log_sigmoid(bf16, f32)
struct Formula_0f2c728bd216c909 {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::minimum(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::abs(v1);
        const syn::bf16 v7 = syn::cast<syn::bf16>(v6);
        const float v8 = syn::cast<float>(v7);
        const float v9 = syn::negative(v8);
        const syn::bf16 v10 = syn::cast<syn::bf16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::half::exp(v11);
        const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::log1p(v14);
        const syn::bf16 v16 = syn::cast<syn::bf16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::subtract(v5, v17);
        return v18;
    }
};
SYN_MAP(map_0f2c728bd216c909, 2, 128, 16, Formula_0f2c728bd216c909, syn::bf16, syn::bf16, float)

// minimum(bf16, bf16)
struct Formula_1589efc02d488e9f {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::minimum(v1, v3);
        return v4;
    }
};
SYN_MAP(map_1589efc02d488e9f, 1, 128, 16, Formula_1589efc02d488e9f, syn::bf16, syn::bf16, syn::bf16)

// divide(bf16, bf16)
struct Formula_1638d63f53f0e34c {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::divide(v1, v3);
        return v4;
    }
};
SYN_MAP(map_1638d63f53f0e34c, 1, 128, 16, Formula_1638d63f53f0e34c, syn::bf16, syn::bf16, syn::bf16)

// sigmoid(bf16, f32, f32, f32)
struct Formula_2441b1ab6daf2515 {
    SYN_INLINE static float of(syn::bf16 v0, float v2, float v4, float v17) {
        const float v1 = syn::cast<float>(v0);
        const bool v3 = syn::greater_equal(v1, v2);
        const float v5 = syn::negative(v1);
        const syn::bf16 v6 = syn::cast<syn::bf16>(v5);
        const float v7 = syn::cast<float>(v6);
        const float v8 = syn::where(v3, v7, v1);
        const syn::bf16 v9 = syn::cast<syn::bf16>(v8);
        const float v10 = syn::cast<float>(v9);
        const float v11 = syn::half::exp(v10);
        const syn::bf16 v12 = syn::cast<syn::bf16>(v11);
        const float v13 = syn::cast<float>(v12);
        const float v14 = syn::where(v3, v4, v13);
        const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
        const float v16 = syn::cast<float>(v15);
        const float v18 = syn::add(v13, v17);
        const syn::bf16 v19 = syn::cast<syn::bf16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v21 = syn::divide(v16, v20);
        return v21;
    }
};
SYN_MAP(map_2441b1ab6daf2515, 2, 128, 16, Formula_2441b1ab6daf2515, syn::bf16, syn::bf16, float, float, float)

// multiply(bf16, f32)
struct Formula_260721a36a4b8d4c {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        return v3;
    }
};
SYN_MAP(map_260721a36a4b8d4c, 2, 128, 16, Formula_260721a36a4b8d4c, syn::bf16, syn::bf16, float)

// multiply(bf16, bf16)
struct Formula_2696d2444a4f4245 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::multiply(v1, v3);
        return v4;
    }
};
SYN_MAP(map_2696d2444a4f4245, 1, 128, 16, Formula_2696d2444a4f4245, syn::bf16, syn::bf16, syn::bf16)

// softplus(bf16, f32)
struct Formula_2ad1b949e46c185d {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::maximum(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::abs(v1);
        const syn::bf16 v7 = syn::cast<syn::bf16>(v6);
        const float v8 = syn::cast<float>(v7);
        const float v9 = syn::negative(v8);
        const syn::bf16 v10 = syn::cast<syn::bf16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::half::exp(v11);
        const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::log1p(v14);
        const syn::bf16 v16 = syn::cast<syn::bf16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::add(v5, v17);
        return v18;
    }
};
SYN_MAP(map_2ad1b949e46c185d, 2, 128, 16, Formula_2ad1b949e46c185d, syn::bf16, syn::bf16, float)

// relu(bf16, f32, f32)
struct Formula_382fa6d171ccfd57 {
    SYN_INLINE static float of(syn::bf16 v0, float v2, float v4) {
        const float v1 = syn::cast<float>(v0);
        const bool v3 = syn::less_equal(v1, v2);
        const float v5 = syn::where(v3, v4, v1);
        return v5;
    }
};
SYN_MAP(map_382fa6d171ccfd57, 2, 128, 16, Formula_382fa6d171ccfd57, syn::bf16, syn::bf16, float, float)

// mish(bf16, f32)
struct Formula_42aa6e782d38b946 {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::maximum(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::abs(v1);
        const syn::bf16 v7 = syn::cast<syn::bf16>(v6);
        const float v8 = syn::cast<float>(v7);
        const float v9 = syn::negative(v8);
        const syn::bf16 v10 = syn::cast<syn::bf16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::half::exp(v11);
        const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::log1p(v14);
        const syn::bf16 v16 = syn::cast<syn::bf16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::add(v5, v17);
        const syn::bf16 v19 = syn::cast<syn::bf16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v21 = syn::half::tanh(v20);
        const syn::bf16 v22 = syn::cast<syn::bf16>(v21);
        const float v23 = syn::cast<float>(v22);
        const float v24 = syn::multiply(v1, v23);
        return v24;
    }
};
SYN_MAP(map_42aa6e782d38b946, 2, 128, 16, Formula_42aa6e782d38b946, syn::bf16, syn::bf16, float)

// add(bf16, bf16)
struct Formula_4c46512d40ac04d7 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        return v4;
    }
};
SYN_MAP(map_4c46512d40ac04d7, 1, 128, 16, Formula_4c46512d40ac04d7, syn::bf16, syn::bf16, syn::bf16)

// subtract(bf16, bf16)
struct Formula_6f3aa48ebebecf66 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::subtract(v1, v3);
        return v4;
    }
};
SYN_MAP(map_6f3aa48ebebecf66, 1, 128, 16, Formula_6f3aa48ebebecf66, syn::bf16, syn::bf16, syn::bf16)

// maximum(bf16, bf16)
struct Formula_94bb5642a29eed8e {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::maximum(v1, v3);
        return v4;
    }
};
SYN_MAP(map_94bb5642a29eed8e, 1, 128, 16, Formula_94bb5642a29eed8e, syn::bf16, syn::bf16, syn::bf16)

// subtract(bf16, f32)
struct Formula_95a2d8a6c2ef8d03 {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::subtract(v1, v2);
        return v3;
    }
};
SYN_MAP(map_95a2d8a6c2ef8d03, 2, 128, 16, Formula_95a2d8a6c2ef8d03, syn::bf16, syn::bf16, float)

// minimum(bf16, f32)
struct Formula_c81824c3b1ff4e82 {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::minimum(v1, v2);
        return v3;
    }
};
SYN_MAP(map_c81824c3b1ff4e82, 2, 128, 16, Formula_c81824c3b1ff4e82, syn::bf16, syn::bf16, float)

// add(bf16, f32)
struct Formula_cf6a9cb40f60bc0a {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::add(v1, v2);
        return v3;
    }
};
SYN_MAP(map_cf6a9cb40f60bc0a, 2, 128, 16, Formula_cf6a9cb40f60bc0a, syn::bf16, syn::bf16, float)

// maximum(bf16, f32)
struct Formula_e923e0fd585ede7b {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::maximum(v1, v2);
        return v3;
    }
};
SYN_MAP(map_e923e0fd585ede7b, 2, 128, 16, Formula_e923e0fd585ede7b, syn::bf16, syn::bf16, float)

// divide(bf16, f32)
struct Formula_f7a42b941df7b265 {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::divide(v1, v2);
        return v3;
    }
};
SYN_MAP(map_f7a42b941df7b265, 2, 128, 16, Formula_f7a42b941df7b265, syn::bf16, syn::bf16, float)
