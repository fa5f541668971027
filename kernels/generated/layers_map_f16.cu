// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"
#include "map_pair.cuh"

// a layer(f16, f16, f32, f32)
struct Formula_153019d45b7eb11f {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v5, float v7) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v8 = syn::where(v6, v7, v4);
        return v8;
    }
};
SYN_MAP(map_153019d45b7eb11f, 1, 128, 16, Formula_153019d45b7eb11f, syn::f16, syn::f16, syn::f16, float, float)

// a layer(f16)
struct Formula_23427a5f2ade1ed8 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        return v1;
    }
};
SYN_MAP(map_23427a5f2ade1ed8, 2, 128, 16, Formula_23427a5f2ade1ed8, syn::f16, syn::f16)

// a layer(f16, f16, f32, f32, f32, f16, f32)
struct Formula_32a23aef5db9c15d {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v5, float v7, float v9, syn::f16 v10, float v13) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const float v6 = syn::multiply(v4, v5);
        const bool v8 = syn::less_equal(v6, v7);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::where(v8, v9, v11);
        const float v14 = syn::multiply(v12, v13);
        return v14;
    }
};
SYN_MAP(map_32a23aef5db9c15d, 1, 128, 16, Formula_32a23aef5db9c15d, syn::f16, syn::f16, syn::f16, float, float, float, syn::f16, float)

// golden_gelu(f16, f32, f32, f32, f32)
struct Formula_40382dcf97d11843 {
    SYN_INLINE static float of(syn::f16 v0, float v2, float v6, float v8, float v21) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const bool v7 = syn::greater_equal(v5, v6);
        const float v9 = syn::negative(v5);
        const syn::f16 v10 = syn::cast<syn::f16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::where(v7, v11, v5);
        const syn::f16 v13 = syn::cast<syn::f16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::exp(v14);
        const syn::f16 v16 = syn::cast<syn::f16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::where(v7, v8, v17);
        const syn::f16 v19 = syn::cast<syn::f16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v22 = syn::add(v17, v21);
        const syn::f16 v23 = syn::cast<syn::f16>(v22);
        const float v24 = syn::cast<float>(v23);
        const float v25 = syn::divide(v20, v24);
        const syn::f16 v26 = syn::cast<syn::f16>(v25);
        const float v27 = syn::cast<float>(v26);
        const float v28 = syn::multiply(v1, v27);
        return v28;
    }
};
SYN_MAP(map_40382dcf97d11843, 2, 128, 16, Formula_40382dcf97d11843, syn::f16, syn::f16, float, float, float, float)

// a layer(f16, f16, f32, f32, f32)
struct Formula_4155417d6551a20f {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v4, float v7, float v9) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::add(v1, v5);
        const bool v8 = syn::less_equal(v6, v7);
        const float v10 = syn::where(v8, v9, v6);
        return v10;
    }
};
SYN_MAP(map_4155417d6551a20f, 1, 128, 16, Formula_4155417d6551a20f, syn::f16, syn::f16, syn::f16, float, float, float)

// exp_golden(f16, f32)
struct Formula_45f7290410b1dc50 {
    SYN_INLINE static float of(syn::f16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::half::exp(v5);
        return v6;
    }
};
SYN_MAP(map_45f7290410b1dc50, 2, 128, 16, Formula_45f7290410b1dc50, syn::f16, syn::f16, float)

// fma_phi(f16, f32, f32)
struct Formula_48080409476fc08f {
    SYN_INLINE static float of(syn::f16 v0, float v2, float v6) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v7 = syn::add(v5, v6);
        return v7;
    }
};
SYN_MAP(map_48080409476fc08f, 2, 128, 16, Formula_48080409476fc08f, syn::f16, syn::f16, float, float)

// two results of a layer(f16, f16, f32, f32, f32, f16, f32)
struct Formula_5cf079a1065e2a61 {
    SYN_INLINE static map::Both<float, float> of(syn::f16 v0, syn::f16 v2, float v4, float v7, float v9, syn::f16 v10, float v14) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::add(v1, v5);
        const bool v8 = syn::less_equal(v6, v7);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::where(v8, v9, v11);
        const float v15 = syn::multiply(v12, v14);
        return {v12, v15};
    }
};
SYN_MAP_PAIR(map_5cf079a1065e2a61, 1, 128, 16, Formula_5cf079a1065e2a61, syn::f16, syn::f16, syn::f16, syn::f16, float, float, float, syn::f16, float)

// a layer(f16, f32, f32, f32, f32)
struct Formula_74c00587592579b0 {
    SYN_INLINE static float of(syn::f16 v0, float v2, float v4, float v6, float v11) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const bool v5 = syn::greater_equal(v3, v4);
        const float v7 = syn::negative(v3);
        const float v8 = syn::where(v5, v7, v3);
        const float v9 = syn::half::exp(v8);
        const float v10 = syn::where(v5, v6, v9);
        const float v12 = syn::add(v9, v11);
        const float v13 = syn::half::divide(v10, v12);
        const float v14 = syn::multiply(v1, v13);
        return v14;
    }
};
SYN_MAP(map_74c00587592579b0, 2, 128, 16, Formula_74c00587592579b0, syn::f16, syn::f16, float, float, float, float)

// a layer(f16, f16, f32)
struct Formula_8265834a6f9d60e7 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v5) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const float v6 = syn::multiply(v4, v5);
        return v6;
    }
};
SYN_MAP(map_8265834a6f9d60e7, 1, 128, 16, Formula_8265834a6f9d60e7, syn::f16, syn::f16, syn::f16, float)

// two results of a layer(f16, f32, f16, f16, f32, f32, f32, f32, f32)
struct Formula_8e85ffa3ab7da0c7 {
    SYN_INLINE static map::Both<float, float> of(syn::f16 v0, float v2, syn::f16 v3, syn::f16 v5, float v7, float v12, float v18, float v22, float v26) {
        const float v1 = syn::cast<float>(v0);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::cast<float>(v5);
        const float v8 = syn::multiply(v6, v7);
        const float v9 = syn::add(v4, v8);
        const float v10 = syn::multiply(v2, v9);
        const float v11 = syn::multiply(v1, v10);
        const float v13 = syn::multiply(v9, v12);
        const float v14 = syn::square(v13);
        const float v15 = syn::negative(v14);
        const float v16 = syn::half::exp(v15);
        const float v17 = syn::multiply(v11, v16);
        const float v19 = syn::multiply(v17, v18);
        const float v20 = syn::erfc(v13);
        const float v21 = syn::multiply(v1, v20);
        const float v23 = syn::multiply(v21, v22);
        const float v24 = syn::add(v19, v23);
        const float v27 = syn::multiply(v24, v26);
        return {v24, v27};
    }
};
SYN_MAP_PAIR(map_8e85ffa3ab7da0c7, 1, 128, 16, Formula_8e85ffa3ab7da0c7, syn::f16, syn::f16, syn::f16, float, syn::f16, syn::f16, float, float, float, float, float)

// a layer(f16, f16, f32, f32, f32)
struct Formula_928be8752070be37 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v5, float v7, float v9) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const float v6 = syn::multiply(v4, v5);
        const bool v8 = syn::less_equal(v6, v7);
        const float v10 = syn::where(v8, v9, v6);
        return v10;
    }
};
SYN_MAP(map_928be8752070be37, 1, 128, 16, Formula_928be8752070be37, syn::f16, syn::f16, syn::f16, float, float, float)

// fma_phi(f16, f32, f16)
struct Formula_92dfbc5f938994f2 {
    SYN_INLINE static float of(syn::f16 v0, float v2, syn::f16 v6) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v7 = syn::cast<float>(v6);
        const float v8 = syn::add(v5, v7);
        return v8;
    }
};
SYN_MAP(map_92dfbc5f938994f2, 1, 128, 16, Formula_92dfbc5f938994f2, syn::f16, syn::f16, float, syn::f16)

// a layer(f16, f32, f16, f16, f32, f32, f32, f32, f32)
struct Formula_9875354ecffa3cc7 {
    SYN_INLINE static float of(syn::f16 v0, float v2, syn::f16 v3, syn::f16 v5, float v8, float v12, float v18, float v22, float v25) {
        const float v1 = syn::cast<float>(v0);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::cast<float>(v5);
        const float v7 = syn::add(v4, v6);
        const float v9 = syn::multiply(v7, v8);
        const float v10 = syn::multiply(v2, v9);
        const float v11 = syn::multiply(v1, v10);
        const float v13 = syn::multiply(v9, v12);
        const float v14 = syn::square(v13);
        const float v15 = syn::negative(v14);
        const float v16 = syn::half::exp(v15);
        const float v17 = syn::multiply(v11, v16);
        const float v19 = syn::multiply(v17, v18);
        const float v20 = syn::erfc(v13);
        const float v21 = syn::multiply(v1, v20);
        const float v23 = syn::multiply(v21, v22);
        const float v24 = syn::add(v19, v23);
        const float v26 = syn::multiply(v24, v25);
        return v26;
    }
};
SYN_MAP(map_9875354ecffa3cc7, 1, 128, 16, Formula_9875354ecffa3cc7, syn::f16, syn::f16, float, syn::f16, syn::f16, float, float, float, float, float)

// a layer(f16, f16, f32, f32, f32, f32, f32, f32)
struct Formula_afc4384cde8062a6 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v4, float v6, float v8, float v13, float v17, float v26) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v5 = syn::multiply(v3, v4);
        const bool v7 = syn::greater_equal(v5, v6);
        const float v9 = syn::negative(v5);
        const float v10 = syn::where(v7, v9, v5);
        const float v11 = syn::half::exp(v10);
        const float v12 = syn::where(v7, v8, v11);
        const float v14 = syn::add(v11, v13);
        const float v15 = syn::half::divide(v12, v14);
        const float v16 = syn::multiply(v1, v15);
        const float v18 = syn::multiply(v1, v3);
        const float v19 = syn::half::divide(v18, v14);
        const float v20 = syn::where(v7, v17, v19);
        const float v21 = syn::multiply(v19, v15);
        const float v22 = syn::subtract(v20, v21);
        const float v23 = syn::multiply(v22, v11);
        const float v24 = syn::negative(v23);
        const float v25 = syn::where(v7, v24, v23);
        const float v27 = syn::multiply(v25, v26);
        const float v28 = syn::add(v16, v27);
        return v28;
    }
};
SYN_MAP(map_afc4384cde8062a6, 2, 128, 16, Formula_afc4384cde8062a6, syn::f16, syn::f16, syn::f16, float, float, float, float, float, float)

// two results of a layer(f16, f32)
struct Formula_c7f002daf525e8ee {
    SYN_INLINE static map::Both<float, float> of(syn::f16 v0, float v3) {
        const float v1 = syn::cast<float>(v0);
        const float v4 = syn::multiply(v1, v3);
        return {v1, v4};
    }
};
SYN_MAP_PAIR(map_c7f002daf525e8ee, 2, 128, 16, Formula_c7f002daf525e8ee, syn::f16, syn::f16, syn::f16, float)

// a layer(f16, f32, f16, f16, f32, f32, f32)
struct Formula_e46605c8877713b3 {
    SYN_INLINE static float of(syn::f16 v0, float v2, syn::f16 v3, syn::f16 v5, float v10, float v16, float v20) {
        const float v1 = syn::cast<float>(v0);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::cast<float>(v5);
        const float v7 = syn::add(v4, v6);
        const float v8 = syn::multiply(v2, v7);
        const float v9 = syn::multiply(v1, v8);
        const float v11 = syn::multiply(v7, v10);
        const float v12 = syn::square(v11);
        const float v13 = syn::negative(v12);
        const float v14 = syn::half::exp(v13);
        const float v15 = syn::multiply(v9, v14);
        const float v17 = syn::multiply(v15, v16);
        const float v18 = syn::erfc(v11);
        const float v19 = syn::multiply(v1, v18);
        const float v21 = syn::multiply(v19, v20);
        const float v22 = syn::add(v17, v21);
        return v22;
    }
};
SYN_MAP(map_e46605c8877713b3, 1, 128, 16, Formula_e46605c8877713b3, syn::f16, syn::f16, float, syn::f16, syn::f16, float, float, float)

// a layer(f16, f16, f32, f32, f16)
struct Formula_e50ad313770edcc9 {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v5, float v7, syn::f16 v8) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v9 = syn::cast<float>(v8);
        const float v10 = syn::where(v6, v7, v9);
        return v10;
    }
};
SYN_MAP(map_e50ad313770edcc9, 1, 128, 16, Formula_e50ad313770edcc9, syn::f16, syn::f16, syn::f16, float, float, syn::f16)

// a layer(f16, f16, f32)
struct Formula_ee6ce52a9b8f809f {
    SYN_INLINE static float of(syn::f16 v0, syn::f16 v2, float v4) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::add(v1, v5);
        return v6;
    }
};
SYN_MAP(map_ee6ce52a9b8f809f, 1, 128, 16, Formula_ee6ce52a9b8f809f, syn::f16, syn::f16, syn::f16, float)
