// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// floor_divide(f32, f32)
struct Formula_06e9ac642573b971 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::floor_divide(v0, v1);
        return v2;
    }
};
SYN_MAP(map_06e9ac642573b971, 1, 256, 1, Formula_06e9ac642573b971, float, float, float)

// minimum(f32, f32)
struct Formula_0cafafa3882bd6d5 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::minimum(v0, v1);
        return v2;
    }
};
SYN_MAP(map_0cafafa3882bd6d5, 1, 256, 1, Formula_0cafafa3882bd6d5, float, float, float)

// add(f32, f32)
struct Formula_183bb6224d9c119d {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::add(v0, v1);
        return v2;
    }
};
SYN_MAP(map_183bb6224d9c119d, 1, 256, 1, Formula_183bb6224d9c119d, float, float, float)

// clip(f32, f32, f32)
struct Formula_1a4b29dc2c4de5e0 {
    SYN_INLINE static float of(float v0, float v1, float v3) {
        const float v2 = syn::maximum(v0, v1);
        const float v4 = syn::minimum(v2, v3);
        return v4;
    }
};
SYN_MAP(map_1a4b29dc2c4de5e0, 1, 256, 1, Formula_1a4b29dc2c4de5e0, float, float, float, float)

// hypot(f32, f32)
struct Formula_1d4085e8bd91a548 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::hypot(v0, v1);
        return v2;
    }
};
SYN_MAP(map_1d4085e8bd91a548, 1, 256, 1, Formula_1d4085e8bd91a548, float, float, float)

// gelu(f32, bf16, f32, f32, f32)
struct Formula_2f5b82485c1c1226 {
    SYN_INLINE static float of(float v0, syn::bf16 v1, float v6, float v7, float v26) {
        const float v2 = syn::cast<float>(v1);
        const float v3 = syn::multiply(v0, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v8 = syn::multiply(v7, v2);
        const syn::bf16 v9 = syn::cast<syn::bf16>(v8);
        const float v10 = syn::cast<float>(v9);
        const float v11 = syn::square(v2);
        const syn::bf16 v12 = syn::cast<syn::bf16>(v11);
        const float v13 = syn::cast<float>(v12);
        const float v14 = syn::multiply(v10, v13);
        const syn::bf16 v15 = syn::cast<syn::bf16>(v14);
        const float v16 = syn::cast<float>(v15);
        const float v17 = syn::add(v2, v16);
        const syn::bf16 v18 = syn::cast<syn::bf16>(v17);
        const float v19 = syn::cast<float>(v18);
        const float v20 = syn::multiply(v6, v19);
        const syn::bf16 v21 = syn::cast<syn::bf16>(v20);
        const float v22 = syn::cast<float>(v21);
        const float v23 = syn::half::tanh(v22);
        const syn::bf16 v24 = syn::cast<syn::bf16>(v23);
        const float v25 = syn::cast<float>(v24);
        const float v27 = syn::add(v25, v26);
        const syn::bf16 v28 = syn::cast<syn::bf16>(v27);
        const float v29 = syn::cast<float>(v28);
        const float v30 = syn::multiply(v5, v29);
        return v30;
    }
};
SYN_MAP(map_2f5b82485c1c1226, 2, 128, 16, Formula_2f5b82485c1c1226, syn::bf16, float, syn::bf16, float, float, float)

// logaddexp(f32, f32)
struct Formula_345892e648721ad8 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::logaddexp(v0, v1);
        return v2;
    }
};
SYN_MAP(map_345892e648721ad8, 1, 256, 1, Formula_345892e648721ad8, float, float, float)

// divide(f32, f32)
struct Formula_45aa9ca4709a7304 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::divide(v0, v1);
        return v2;
    }
};
SYN_MAP(map_45aa9ca4709a7304, 1, 256, 1, Formula_45aa9ca4709a7304, float, float, float)

// softplus(f32, f32)
struct Formula_49fd1cfe8e9133d0 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::maximum(v0, v1);
        const float v3 = syn::abs(v0);
        const float v4 = syn::negative(v3);
        const float v5 = syn::exp(v4);
        const float v6 = syn::log1p(v5);
        const float v7 = syn::add(v2, v6);
        return v7;
    }
};
SYN_MAP(map_49fd1cfe8e9133d0, 1, 256, 1, Formula_49fd1cfe8e9133d0, float, float, float)

// mish(f32, f32)
struct Formula_4b402aa2009658fa {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::maximum(v0, v1);
        const float v3 = syn::abs(v0);
        const float v4 = syn::negative(v3);
        const float v5 = syn::exp(v4);
        const float v6 = syn::log1p(v5);
        const float v7 = syn::add(v2, v6);
        const float v8 = syn::tanh(v7);
        const float v9 = syn::multiply(v0, v8);
        return v9;
    }
};
SYN_MAP(map_4b402aa2009658fa, 1, 256, 1, Formula_4b402aa2009658fa, float, float, float)

// elu(f32, f32, f32, f32)
struct Formula_5dce472012ad2bf4 {
    SYN_INLINE static float of(float v0, float v1, float v3, float v4) {
        const bool v2 = syn::greater(v0, v1);
        const float v5 = syn::where(v2, v4, v0);
        const float v6 = syn::expm1(v5);
        const float v7 = syn::multiply(v3, v6);
        const float v8 = syn::where(v2, v0, v7);
        return v8;
    }
};
SYN_MAP(map_5dce472012ad2bf4, 1, 256, 1, Formula_5dce472012ad2bf4, float, float, float, float, float)

// nextafter(f32, f32)
struct Formula_61c6a4810d16c1ea {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::nextafter(v0, v1);
        return v2;
    }
};
SYN_MAP(map_61c6a4810d16c1ea, 1, 256, 1, Formula_61c6a4810d16c1ea, float, float, float)

// gelu_erf(f32, f32, f32)
struct Formula_655ff623584f33cf {
    SYN_INLINE static float of(float v0, float v1, float v3) {
        const float v2 = syn::multiply(v0, v1);
        const float v4 = syn::multiply(v1, v3);
        const float v5 = syn::erfc(v4);
        const float v6 = syn::multiply(v2, v5);
        return v6;
    }
};
SYN_MAP(map_655ff623584f33cf, 1, 256, 1, Formula_655ff623584f33cf, float, float, float, float)

// gelu(f32, f32, f32, f32, f32)
struct Formula_71c030127157670c {
    SYN_INLINE static float of(float v0, float v1, float v3, float v4, float v11) {
        const float v2 = syn::multiply(v0, v1);
        const float v5 = syn::multiply(v4, v1);
        const float v6 = syn::square(v1);
        const float v7 = syn::multiply(v5, v6);
        const float v8 = syn::add(v1, v7);
        const float v9 = syn::multiply(v3, v8);
        const float v10 = syn::tanh(v9);
        const float v12 = syn::add(v10, v11);
        const float v13 = syn::multiply(v2, v12);
        return v13;
    }
};
SYN_MAP(map_71c030127157670c, 1, 256, 1, Formula_71c030127157670c, float, float, float, float, float, float)

// sigmoid(f32, f32, f32, f32)
struct Formula_7caab5bd91b8fe31 {
    SYN_INLINE static float of(float v0, float v1, float v3, float v8) {
        const bool v2 = syn::greater_equal(v0, v1);
        const float v4 = syn::negative(v0);
        const float v5 = syn::where(v2, v4, v0);
        const float v6 = syn::exp(v5);
        const float v7 = syn::where(v2, v3, v6);
        const float v9 = syn::add(v6, v8);
        const float v10 = syn::divide(v7, v9);
        return v10;
    }
};
SYN_MAP(map_7caab5bd91b8fe31, 1, 256, 1, Formula_7caab5bd91b8fe31, float, float, float, float, float)

// gelu_erf(f32, bf16, f32)
struct Formula_87b29b4b93e93286 {
    SYN_INLINE static float of(float v0, syn::bf16 v1, float v6) {
        const float v2 = syn::cast<float>(v1);
        const float v3 = syn::multiply(v0, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v7 = syn::multiply(v2, v6);
        const syn::bf16 v8 = syn::cast<syn::bf16>(v7);
        const float v9 = syn::cast<float>(v8);
        const float v10 = syn::erfc(v9);
        const syn::bf16 v11 = syn::cast<syn::bf16>(v10);
        const float v12 = syn::cast<float>(v11);
        const float v13 = syn::multiply(v5, v12);
        return v13;
    }
};
SYN_MAP(map_87b29b4b93e93286, 2, 128, 16, Formula_87b29b4b93e93286, syn::bf16, float, syn::bf16, float)

// maximum(f32, f32)
struct Formula_8a30bb3cc01f8fa6 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::maximum(v0, v1);
        return v2;
    }
};
SYN_MAP(map_8a30bb3cc01f8fa6, 1, 256, 1, Formula_8a30bb3cc01f8fa6, float, float, float)

// gelu_erf(f32, f16, f32)
struct Formula_9030f497cbf77fc4 {
    SYN_INLINE static float of(float v0, syn::f16 v1, float v6) {
        const float v2 = syn::cast<float>(v1);
        const float v3 = syn::multiply(v0, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v7 = syn::multiply(v2, v6);
        const syn::f16 v8 = syn::cast<syn::f16>(v7);
        const float v9 = syn::cast<float>(v8);
        const float v10 = syn::erfc(v9);
        const syn::f16 v11 = syn::cast<syn::f16>(v10);
        const float v12 = syn::cast<float>(v11);
        const float v13 = syn::multiply(v5, v12);
        return v13;
    }
};
SYN_MAP(map_9030f497cbf77fc4, 2, 128, 16, Formula_9030f497cbf77fc4, syn::f16, float, syn::f16, float)

// log_sigmoid(f32, f32)
struct Formula_925a9ab9809f5536 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::minimum(v0, v1);
        const float v3 = syn::abs(v0);
        const float v4 = syn::negative(v3);
        const float v5 = syn::exp(v4);
        const float v6 = syn::log1p(v5);
        const float v7 = syn::subtract(v2, v6);
        return v7;
    }
};
SYN_MAP(map_925a9ab9809f5536, 1, 256, 1, Formula_925a9ab9809f5536, float, float, float)

// subtract(f32, f32)
struct Formula_95bcc1bb858fca6e {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::subtract(v0, v1);
        return v2;
    }
};
SYN_MAP(map_95bcc1bb858fca6e, 1, 256, 1, Formula_95bcc1bb858fca6e, float, float, float)

// remainder(f32, f32)
struct Formula_9b82c4fae847e7d2 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::remainder(v0, v1);
        return v2;
    }
};
SYN_MAP(map_9b82c4fae847e7d2, 1, 256, 1, Formula_9b82c4fae847e7d2, float, float, float)

// atan2(f32, f32)
struct Formula_9f94da92374bd0ff {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::atan2(v0, v1);
        return v2;
    }
};
SYN_MAP(map_9f94da92374bd0ff, 1, 256, 1, Formula_9f94da92374bd0ff, float, float, float)

// relu(f32, f32, f32)
struct Formula_a3c2fffe9f8d766d {
    SYN_INLINE static float of(float v0, float v1, float v3) {
        const bool v2 = syn::less_equal(v0, v1);
        const float v4 = syn::where(v2, v3, v0);
        return v4;
    }
};
SYN_MAP(map_a3c2fffe9f8d766d, 1, 256, 1, Formula_a3c2fffe9f8d766d, float, float, float, float)

// gelu(f32, f16, f32, f32, f32)
struct Formula_b9d2ce2300381a04 {
    SYN_INLINE static float of(float v0, syn::f16 v1, float v6, float v7, float v26) {
        const float v2 = syn::cast<float>(v1);
        const float v3 = syn::multiply(v0, v2);
        const syn::f16 v4 = syn::cast<syn::f16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v8 = syn::multiply(v7, v2);
        const syn::f16 v9 = syn::cast<syn::f16>(v8);
        const float v10 = syn::cast<float>(v9);
        const float v11 = syn::square(v2);
        const syn::f16 v12 = syn::cast<syn::f16>(v11);
        const float v13 = syn::cast<float>(v12);
        const float v14 = syn::multiply(v10, v13);
        const syn::f16 v15 = syn::cast<syn::f16>(v14);
        const float v16 = syn::cast<float>(v15);
        const float v17 = syn::add(v2, v16);
        const syn::f16 v18 = syn::cast<syn::f16>(v17);
        const float v19 = syn::cast<float>(v18);
        const float v20 = syn::multiply(v6, v19);
        const syn::f16 v21 = syn::cast<syn::f16>(v20);
        const float v22 = syn::cast<float>(v21);
        const float v23 = syn::half::tanh(v22);
        const syn::f16 v24 = syn::cast<syn::f16>(v23);
        const float v25 = syn::cast<float>(v24);
        const float v27 = syn::add(v25, v26);
        const syn::f16 v28 = syn::cast<syn::f16>(v27);
        const float v29 = syn::cast<float>(v28);
        const float v30 = syn::multiply(v5, v29);
        return v30;
    }
};
SYN_MAP(map_b9d2ce2300381a04, 2, 128, 16, Formula_b9d2ce2300381a04, syn::f16, float, syn::f16, float, float, float)

// multiply(f32, f32)
struct Formula_bc72eacf24e463f3 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::multiply(v0, v1);
        return v2;
    }
};
SYN_MAP(map_bc72eacf24e463f3, 1, 256, 1, Formula_bc72eacf24e463f3, float, float, float)

// pow(f32, f32)
struct Formula_c238ee0e879c8157 {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::pow(v0, v1);
        return v2;
    }
};
SYN_MAP(map_c238ee0e879c8157, 1, 256, 1, Formula_c238ee0e879c8157, float, float, float)

// silu(f32, f32, f32, f32)
struct Formula_dc88e1fa23470efc {
    SYN_INLINE static float of(float v0, float v1, float v3, float v8) {
        const bool v2 = syn::greater_equal(v0, v1);
        const float v4 = syn::negative(v0);
        const float v5 = syn::where(v2, v4, v0);
        const float v6 = syn::exp(v5);
        const float v7 = syn::where(v2, v3, v6);
        const float v9 = syn::add(v6, v8);
        const float v10 = syn::divide(v7, v9);
        const float v11 = syn::multiply(v0, v10);
        return v11;
    }
};
SYN_MAP(map_dc88e1fa23470efc, 1, 256, 1, Formula_dc88e1fa23470efc, float, float, float, float, float)

// leaky_relu(f32, f32, f32)
struct Formula_df9a860aba7ce920 {
    SYN_INLINE static float of(float v0, float v1, float v3) {
        const bool v2 = syn::greater_equal(v0, v1);
        const float v4 = syn::multiply(v3, v0);
        const float v5 = syn::where(v2, v0, v4);
        return v5;
    }
};
SYN_MAP(map_df9a860aba7ce920, 1, 256, 1, Formula_df9a860aba7ce920, float, float, float, float)

// lerp(f32, f32, f32)
struct Formula_e27f69000e4833a5 {
    SYN_INLINE static float of(float v0, float v1, float v2) {
        const float v3 = syn::subtract(v2, v0);
        const float v4 = syn::multiply(v1, v3);
        const float v5 = syn::add(v0, v4);
        return v5;
    }
};
SYN_MAP(map_e27f69000e4833a5, 1, 256, 1, Formula_e27f69000e4833a5, float, float, float, float)
