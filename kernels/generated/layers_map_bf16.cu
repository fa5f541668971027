// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"
#include "map_pair.cuh"

// a layer(bf16, f32, f32, f32, f32)
struct Formula_01b28d585fcf010e {
    SYN_INLINE static float of(syn::bf16 v0, float v2, float v4, float v6, float v11) {
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
SYN_MAP(map_01b28d585fcf010e, 2, 128, 16, Formula_01b28d585fcf010e, syn::bf16, syn::bf16, float, float, float, float)

// a layer(bf16, bf16, f32)
struct Formula_1864714f24e29331 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v5) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const float v6 = syn::multiply(v4, v5);
        return v6;
    }
};
SYN_MAP(map_1864714f24e29331, 1, 128, 16, Formula_1864714f24e29331, syn::bf16, syn::bf16, syn::bf16, float)

// two results of a layer(bf16, bf16, f32, f32, f32, bf16, f32)
struct Formula_2340ea0f0351ce2b {
    SYN_INLINE static map::Both<float, float> of(syn::bf16 v0, syn::bf16 v2, float v4, float v7, float v9, syn::bf16 v10, float v14) {
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
SYN_MAP_PAIR(map_2340ea0f0351ce2b, 1, 128, 16, Formula_2340ea0f0351ce2b, syn::bf16, syn::bf16, syn::bf16, syn::bf16, float, float, float, syn::bf16, float)

// golden_gelu(bf16, f32, f32, f32, f32)
struct Formula_324d51d62bcc974b {
    SYN_INLINE static float of(syn::bf16 v0, float v2, float v6, float v8, float v21) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const bool v7 = syn::greater_equal(v5, v6);
        const float v9 = syn::negative(v5);
        const syn::bf16 v10 = syn::cast<syn::bf16>(v9);
        const float v11 = syn::cast<float>(v10);
        const float v12 = syn::where(v7, v11, v5);
        const syn::bf16 v13 = syn::cast<syn::bf16>(v12);
        const float v14 = syn::cast<float>(v13);
        const float v15 = syn::half::exp(v14);
        const syn::bf16 v16 = syn::cast<syn::bf16>(v15);
        const float v17 = syn::cast<float>(v16);
        const float v18 = syn::where(v7, v8, v17);
        const syn::bf16 v19 = syn::cast<syn::bf16>(v18);
        const float v20 = syn::cast<float>(v19);
        const float v22 = syn::add(v17, v21);
        const syn::bf16 v23 = syn::cast<syn::bf16>(v22);
        const float v24 = syn::cast<float>(v23);
        const float v25 = syn::divide(v20, v24);
        const syn::bf16 v26 = syn::cast<syn::bf16>(v25);
        const float v27 = syn::cast<float>(v26);
        const float v28 = syn::multiply(v1, v27);
        return v28;
    }
};
SYN_MAP(map_324d51d62bcc974b, 2, 128, 16, Formula_324d51d62bcc974b, syn::bf16, syn::bf16, float, float, float, float)

// a layer(bf16, f32, bf16, bf16, f32, f32, f32, f32, f32)
struct Formula_42daa8811520de5f {
    SYN_INLINE static float of(syn::bf16 v0, float v2, syn::bf16 v3, syn::bf16 v5, float v8, float v12, float v18, float v22, float v25) {
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
SYN_MAP(map_42daa8811520de5f, 1, 128, 16, Formula_42daa8811520de5f, syn::bf16, syn::bf16, float, syn::bf16, syn::bf16, float, float, float, float, float)

// a layer(bf16, bf16, f32, f32, bf16)
struct Formula_4fa7ecb515eda071 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v5, float v7, syn::bf16 v8) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v9 = syn::cast<float>(v8);
        const float v10 = syn::where(v6, v7, v9);
        return v10;
    }
};
SYN_MAP(map_4fa7ecb515eda071, 1, 128, 16, Formula_4fa7ecb515eda071, syn::bf16, syn::bf16, syn::bf16, float, float, syn::bf16)

// fma_phi(bf16, f32, f32)
struct Formula_711905ad488ea499 {
    SYN_INLINE static float of(syn::bf16 v0, float v2, float v6) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v7 = syn::add(v5, v6);
        return v7;
    }
};
SYN_MAP(map_711905ad488ea499, 2, 128, 16, Formula_711905ad488ea499, syn::bf16, syn::bf16, float, float)

// two results of a layer(bf16, f32)
struct Formula_7ee5a60a891ee77e {
    SYN_INLINE static map::Both<float, float> of(syn::bf16 v0, float v3) {
        const float v1 = syn::cast<float>(v0);
        const float v4 = syn::multiply(v1, v3);
        return {v1, v4};
    }
};
SYN_MAP_PAIR(map_7ee5a60a891ee77e, 2, 128, 16, Formula_7ee5a60a891ee77e, syn::bf16, syn::bf16, syn::bf16, float)

// a layer(bf16, bf16, f32, f32, f32)
struct Formula_80add4311fc36595 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v5, float v7, float v9) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const float v6 = syn::multiply(v4, v5);
        const bool v8 = syn::less_equal(v6, v7);
        const float v10 = syn::where(v8, v9, v6);
        return v10;
    }
};
SYN_MAP(map_80add4311fc36595, 1, 128, 16, Formula_80add4311fc36595, syn::bf16, syn::bf16, syn::bf16, float, float, float)

// a layer(bf16)
struct Formula_90803a99eb184882 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        return v1;
    }
};
SYN_MAP(map_90803a99eb184882, 2, 128, 16, Formula_90803a99eb184882, syn::bf16, syn::bf16)

// a layer(bf16, bf16, f32, f32)
struct Formula_9ca8776e2667ebb1 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v5, float v7) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v4 = syn::add(v1, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v8 = syn::where(v6, v7, v4);
        return v8;
    }
};
SYN_MAP(map_9ca8776e2667ebb1, 1, 128, 16, Formula_9ca8776e2667ebb1, syn::bf16, syn::bf16, syn::bf16, float, float)

// a layer(bf16, f32, bf16, bf16, f32, f32, f32)
struct Formula_9de098e2f4146853 {
    SYN_INLINE static float of(syn::bf16 v0, float v2, syn::bf16 v3, syn::bf16 v5, float v10, float v16, float v20) {
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
SYN_MAP(map_9de098e2f4146853, 1, 128, 16, Formula_9de098e2f4146853, syn::bf16, syn::bf16, float, syn::bf16, syn::bf16, float, float, float)

// exp_golden(bf16, f32)
struct Formula_a475717ae0a7051c {
    SYN_INLINE static float of(syn::bf16 v0, float v2) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v6 = syn::half::exp(v5);
        return v6;
    }
};
SYN_MAP(map_a475717ae0a7051c, 2, 128, 16, Formula_a475717ae0a7051c, syn::bf16, syn::bf16, float)

// two results of a layer(bf16, f32, bf16, bf16, f32, f32, f32, f32, f32)
struct Formula_addfdc65d151a781 {
    SYN_INLINE static map::Both<float, float> of(syn::bf16 v0, float v2, syn::bf16 v3, syn::bf16 v5, float v7, float v12, float v18, float v22, float v26) {
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
SYN_MAP_PAIR(map_addfdc65d151a781, 1, 128, 16, Formula_addfdc65d151a781, syn::bf16, syn::bf16, syn::bf16, float, syn::bf16, syn::bf16, float, float, float, float, float)

// a layer(bf16, bf16, f32)
struct Formula_cd68029fd76b64b1 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v4) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::add(v1, v5);
        return v6;
    }
};
SYN_MAP(map_cd68029fd76b64b1, 1, 128, 16, Formula_cd68029fd76b64b1, syn::bf16, syn::bf16, syn::bf16, float)

// a layer(bf16, bf16, f32, f32, f32)
struct Formula_e4e7bc22cf65de15 {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v4, float v7, float v9) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::cast<float>(v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::add(v1, v5);
        const bool v8 = syn::less_equal(v6, v7);
        const float v10 = syn::where(v8, v9, v6);
        return v10;
    }
};
SYN_MAP(map_e4e7bc22cf65de15, 1, 128, 16, Formula_e4e7bc22cf65de15, syn::bf16, syn::bf16, syn::bf16, float, float, float)

// fma_phi(bf16, f32, bf16)
struct Formula_ebf5b57932f03aea {
    SYN_INLINE static float of(syn::bf16 v0, float v2, syn::bf16 v6) {
        const float v1 = syn::cast<float>(v0);
        const float v3 = syn::multiply(v1, v2);
        const syn::bf16 v4 = syn::cast<syn::bf16>(v3);
        const float v5 = syn::cast<float>(v4);
        const float v7 = syn::cast<float>(v6);
        const float v8 = syn::add(v5, v7);
        return v8;
    }
};
SYN_MAP(map_ebf5b57932f03aea, 1, 128, 16, Formula_ebf5b57932f03aea, syn::bf16, syn::bf16, float, syn::bf16)

// a layer(bf16, bf16, f32, f32, f32, f32, f32, f32)
struct Formula_f8876a6698bbaa6e {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v4, float v6, float v8, float v13, float v17, float v26) {
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
SYN_MAP(map_f8876a6698bbaa6e, 2, 128, 16, Formula_f8876a6698bbaa6e, syn::bf16, syn::bf16, syn::bf16, float, float, float, float, float, float)

// a layer(bf16, bf16, f32, f32, f32, bf16, f32)
struct Formula_ffa838189f7e70ed {
    SYN_INLINE static float of(syn::bf16 v0, syn::bf16 v2, float v5, float v7, float v9, syn::bf16 v10, float v13) {
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
SYN_MAP(map_ffa838189f7e70ed, 1, 128, 16, Formula_ffa838189f7e70ed, syn::bf16, syn::bf16, syn::bf16, float, float, float, syn::bf16, float)
