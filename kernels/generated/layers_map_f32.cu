// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"
#include "map_pair.cuh"

// a layer(f32, bf16, bf16, f32)
struct Formula_23ff3c9d281b4d0b {
    SYN_INLINE static float of(float v0, syn::bf16 v1, syn::bf16 v3, float v7) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v8 = syn::multiply(v5, v7);
        const float v9 = syn::erfc(v8);
        const float v10 = syn::multiply(v6, v9);
        return v10;
    }
};
SYN_MAP(map_23ff3c9d281b4d0b, 1, 128, 16, Formula_23ff3c9d281b4d0b, syn::bf16, float, syn::bf16, syn::bf16, float)

// a layer(f32, f32, f32, f32, f32, f32, f32)
struct Formula_2eaf2a76af979c20 {
    SYN_INLINE static float of(float v0, float v1, float v2, float v3, float v7, float v8, float v15) {
        const float v4 = syn::multiply(v2, v3);
        const float v5 = syn::add(v1, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v9 = syn::multiply(v8, v5);
        const float v10 = syn::square(v5);
        const float v11 = syn::multiply(v9, v10);
        const float v12 = syn::add(v5, v11);
        const float v13 = syn::multiply(v7, v12);
        const float v14 = syn::tanh(v13);
        const float v16 = syn::add(v14, v15);
        const float v17 = syn::multiply(v6, v16);
        return v17;
    }
};
SYN_MAP(map_2eaf2a76af979c20, 1, 256, 1, Formula_2eaf2a76af979c20, float, float, float, float, float, float, float, float)

// a layer(f32, f16, f16, f32, f32, f32, f32)
struct Formula_33e1148c4f928bd9 {
    SYN_INLINE static float of(float v0, syn::f16 v1, syn::f16 v3, float v5, float v9, float v10, float v17) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::multiply(v4, v5);
        const float v7 = syn::add(v2, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v11 = syn::multiply(v10, v7);
        const float v12 = syn::square(v7);
        const float v13 = syn::multiply(v11, v12);
        const float v14 = syn::add(v7, v13);
        const float v15 = syn::multiply(v9, v14);
        const float v16 = syn::tanh(v15);
        const float v18 = syn::add(v16, v17);
        const float v19 = syn::multiply(v8, v18);
        return v19;
    }
};
SYN_MAP(map_33e1148c4f928bd9, 1, 128, 16, Formula_33e1148c4f928bd9, syn::f16, float, syn::f16, syn::f16, float, float, float, float)

// a layer(f32, f16, f16, f32, f32)
struct Formula_367b54257bf1a9a5 {
    SYN_INLINE static float of(float v0, syn::f16 v1, syn::f16 v3, float v5, float v9) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::multiply(v4, v5);
        const float v7 = syn::add(v2, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v10 = syn::multiply(v7, v9);
        const float v11 = syn::erfc(v10);
        const float v12 = syn::multiply(v8, v11);
        return v12;
    }
};
SYN_MAP(map_367b54257bf1a9a5, 1, 128, 16, Formula_367b54257bf1a9a5, syn::f16, float, syn::f16, syn::f16, float, float)

// a layer(f32, f32, f32, f32)
struct Formula_40b6456dcc3fce2f {
    SYN_INLINE static float of(float v0, float v1, float v2, float v5) {
        const float v3 = syn::add(v1, v2);
        const float v4 = syn::multiply(v0, v3);
        const float v6 = syn::multiply(v3, v5);
        const float v7 = syn::erfc(v6);
        const float v8 = syn::multiply(v4, v7);
        return v8;
    }
};
SYN_MAP(map_40b6456dcc3fce2f, 1, 256, 1, Formula_40b6456dcc3fce2f, float, float, float, float, float)

// a layer(f32, f32, f32)
struct Formula_42e8a4512a7212ad {
    SYN_INLINE static float of(float v0, float v1, float v2) {
        const float v3 = syn::multiply(v1, v2);
        const float v4 = syn::add(v0, v3);
        return v4;
    }
};
SYN_MAP(map_42e8a4512a7212ad, 1, 256, 1, Formula_42e8a4512a7212ad, float, float, float, float)

// a layer(f32, f32, f32, f32, f32, f32, f32)
struct Formula_4362c9e1ddbc22d2 {
    SYN_INLINE static float of(float v0, float v1, float v2, float v4, float v7, float v8, float v15) {
        const float v3 = syn::add(v1, v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v9 = syn::multiply(v8, v5);
        const float v10 = syn::square(v5);
        const float v11 = syn::multiply(v9, v10);
        const float v12 = syn::add(v5, v11);
        const float v13 = syn::multiply(v7, v12);
        const float v14 = syn::tanh(v13);
        const float v16 = syn::add(v14, v15);
        const float v17 = syn::multiply(v6, v16);
        return v17;
    }
};
SYN_MAP(map_4362c9e1ddbc22d2, 1, 256, 1, Formula_4362c9e1ddbc22d2, float, float, float, float, float, float, float, float)

// a layer(f32, f32, f32, f32, f32)
struct Formula_43efb5d2277699eb {
    SYN_INLINE static float of(float v0, float v1, float v3, float v5, float v7) {
        const float v2 = syn::add(v0, v1);
        const float v4 = syn::multiply(v2, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v8 = syn::where(v6, v7, v4);
        return v8;
    }
};
SYN_MAP(map_43efb5d2277699eb, 1, 256, 1, Formula_43efb5d2277699eb, float, float, float, float, float, float)

// a layer(f32, f32, f32, f32, f32)
struct Formula_4c2f705232a63384 {
    SYN_INLINE static float of(float v0, float v1, float v3, float v5, float v10) {
        const float v2 = syn::multiply(v0, v1);
        const bool v4 = syn::greater_equal(v2, v3);
        const float v6 = syn::negative(v2);
        const float v7 = syn::where(v4, v6, v2);
        const float v8 = syn::exp(v7);
        const float v9 = syn::where(v4, v5, v8);
        const float v11 = syn::add(v8, v10);
        const float v12 = syn::divide(v9, v11);
        const float v13 = syn::multiply(v0, v12);
        return v13;
    }
};
SYN_MAP(map_4c2f705232a63384, 1, 256, 1, Formula_4c2f705232a63384, float, float, float, float, float, float)

// a layer(f32, f32, f32, f32, f32)
struct Formula_5db7222ba12826f5 {
    SYN_INLINE static float of(float v0, float v1, float v2, float v4, float v7) {
        const float v3 = syn::add(v1, v2);
        const float v5 = syn::multiply(v3, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v8 = syn::multiply(v5, v7);
        const float v9 = syn::erfc(v8);
        const float v10 = syn::multiply(v6, v9);
        return v10;
    }
};
SYN_MAP(map_5db7222ba12826f5, 1, 256, 1, Formula_5db7222ba12826f5, float, float, float, float, float, float)

// a layer(f32, f16, f16, f32)
struct Formula_5e0d5c16f301aaf3 {
    SYN_INLINE static float of(float v0, syn::f16 v1, syn::f16 v3, float v7) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v8 = syn::multiply(v5, v7);
        const float v9 = syn::erfc(v8);
        const float v10 = syn::multiply(v6, v9);
        return v10;
    }
};
SYN_MAP(map_5e0d5c16f301aaf3, 1, 128, 16, Formula_5e0d5c16f301aaf3, syn::f16, float, syn::f16, syn::f16, float)

// a layer(f32, bf16, bf16, f32, f32, f32, f32)
struct Formula_72672cbbaa1fcb99 {
    SYN_INLINE static float of(float v0, syn::bf16 v1, syn::bf16 v3, float v6, float v9, float v10, float v17) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v7 = syn::multiply(v5, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v11 = syn::multiply(v10, v7);
        const float v12 = syn::square(v7);
        const float v13 = syn::multiply(v11, v12);
        const float v14 = syn::add(v7, v13);
        const float v15 = syn::multiply(v9, v14);
        const float v16 = syn::tanh(v15);
        const float v18 = syn::add(v16, v17);
        const float v19 = syn::multiply(v8, v18);
        return v19;
    }
};
SYN_MAP(map_72672cbbaa1fcb99, 1, 128, 16, Formula_72672cbbaa1fcb99, syn::bf16, float, syn::bf16, syn::bf16, float, float, float, float)

// a layer(f32, f32, f32, f32, f32, f32, f32)
struct Formula_76d75fd9282d979c {
    SYN_INLINE static float of(float v0, float v1, float v2, float v3, float v7, float v13, float v17) {
        const float v4 = syn::add(v2, v3);
        const float v5 = syn::multiply(v1, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v8 = syn::multiply(v4, v7);
        const float v9 = syn::square(v8);
        const float v10 = syn::negative(v9);
        const float v11 = syn::exp(v10);
        const float v12 = syn::multiply(v6, v11);
        const float v14 = syn::multiply(v12, v13);
        const float v15 = syn::erfc(v8);
        const float v16 = syn::multiply(v0, v15);
        const float v18 = syn::multiply(v16, v17);
        const float v19 = syn::add(v14, v18);
        return v19;
    }
};
SYN_MAP(map_76d75fd9282d979c, 1, 256, 1, Formula_76d75fd9282d979c, float, float, float, float, float, float, float, float)

// two results of a layer(f32, f32)
struct Formula_7966a8de889ef583 {
    SYN_INLINE static map::Both<float, float> of(float v0, float v1) {
        const float v2 = syn::multiply(v0, v1);
        return {v0, v2};
    }
};
SYN_MAP_PAIR(map_7966a8de889ef583, 1, 256, 1, Formula_7966a8de889ef583, float, float, float, float)

// a layer(f32, bf16, bf16, f32, f32)
struct Formula_81bb16d7be5de035 {
    SYN_INLINE static float of(float v0, syn::bf16 v1, syn::bf16 v3, float v6, float v9) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v7 = syn::multiply(v5, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v10 = syn::multiply(v7, v9);
        const float v11 = syn::erfc(v10);
        const float v12 = syn::multiply(v8, v11);
        return v12;
    }
};
SYN_MAP(map_81bb16d7be5de035, 1, 128, 16, Formula_81bb16d7be5de035, syn::bf16, float, syn::bf16, syn::bf16, float, float)

// exp_golden(f32, f32)
struct Formula_928801773e1600dc {
    SYN_INLINE static float of(float v0, float v1) {
        const float v2 = syn::multiply(v0, v1);
        const float v3 = syn::exp(v2);
        return v3;
    }
};
SYN_MAP(map_928801773e1600dc, 1, 256, 1, Formula_928801773e1600dc, float, float, float)

// a layer(f32, bf16, bf16, f32, f32, f32)
struct Formula_92f34fa86354035d {
    SYN_INLINE static float of(float v0, syn::bf16 v1, syn::bf16 v3, float v7, float v8, float v15) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v9 = syn::multiply(v8, v5);
        const float v10 = syn::square(v5);
        const float v11 = syn::multiply(v9, v10);
        const float v12 = syn::add(v5, v11);
        const float v13 = syn::multiply(v7, v12);
        const float v14 = syn::tanh(v13);
        const float v16 = syn::add(v14, v15);
        const float v17 = syn::multiply(v6, v16);
        return v17;
    }
};
SYN_MAP(map_92f34fa86354035d, 1, 128, 16, Formula_92f34fa86354035d, syn::bf16, float, syn::bf16, syn::bf16, float, float, float)

// a layer(f32, f16, f16, f32, f32)
struct Formula_94f7f9c2d718aa8d {
    SYN_INLINE static float of(float v0, syn::f16 v1, syn::f16 v3, float v6, float v9) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v7 = syn::multiply(v5, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v10 = syn::multiply(v7, v9);
        const float v11 = syn::erfc(v10);
        const float v12 = syn::multiply(v8, v11);
        return v12;
    }
};
SYN_MAP(map_94f7f9c2d718aa8d, 1, 128, 16, Formula_94f7f9c2d718aa8d, syn::f16, float, syn::f16, syn::f16, float, float)

// a layer(f32, f32, f32, f32, f32, f32)
struct Formula_9a7ffb9f676b72b2 {
    SYN_INLINE static float of(float v0, float v1, float v2, float v5, float v6, float v13) {
        const float v3 = syn::add(v1, v2);
        const float v4 = syn::multiply(v0, v3);
        const float v7 = syn::multiply(v6, v3);
        const float v8 = syn::square(v3);
        const float v9 = syn::multiply(v7, v8);
        const float v10 = syn::add(v3, v9);
        const float v11 = syn::multiply(v5, v10);
        const float v12 = syn::tanh(v11);
        const float v14 = syn::add(v12, v13);
        const float v15 = syn::multiply(v4, v14);
        return v15;
    }
};
SYN_MAP(map_9a7ffb9f676b72b2, 1, 256, 1, Formula_9a7ffb9f676b72b2, float, float, float, float, float, float, float)

// a layer(f32, f16, f16, f32, f32, f32)
struct Formula_9d31900f52a435c5 {
    SYN_INLINE static float of(float v0, syn::f16 v1, syn::f16 v3, float v7, float v8, float v15) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v9 = syn::multiply(v8, v5);
        const float v10 = syn::square(v5);
        const float v11 = syn::multiply(v9, v10);
        const float v12 = syn::add(v5, v11);
        const float v13 = syn::multiply(v7, v12);
        const float v14 = syn::tanh(v13);
        const float v16 = syn::add(v14, v15);
        const float v17 = syn::multiply(v6, v16);
        return v17;
    }
};
SYN_MAP(map_9d31900f52a435c5, 1, 128, 16, Formula_9d31900f52a435c5, syn::f16, float, syn::f16, syn::f16, float, float, float)

// fma_phi(f32, f32, f32)
struct Formula_a1ab7c6a61f65637 {
    SYN_INLINE static float of(float v0, float v1, float v3) {
        const float v2 = syn::multiply(v0, v1);
        const float v4 = syn::add(v2, v3);
        return v4;
    }
};
SYN_MAP(map_a1ab7c6a61f65637, 1, 256, 1, Formula_a1ab7c6a61f65637, float, float, float, float)

// a layer(f32, f32, f32, f32, f32)
struct Formula_af6163684926b717 {
    SYN_INLINE static float of(float v0, float v1, float v2, float v3, float v7) {
        const float v4 = syn::multiply(v2, v3);
        const float v5 = syn::add(v1, v4);
        const float v6 = syn::multiply(v0, v5);
        const float v8 = syn::multiply(v5, v7);
        const float v9 = syn::erfc(v8);
        const float v10 = syn::multiply(v6, v9);
        return v10;
    }
};
SYN_MAP(map_af6163684926b717, 1, 256, 1, Formula_af6163684926b717, float, float, float, float, float, float)

// a layer(f32, f32, f32, f32, f32)
struct Formula_b8266cc0bf547109 {
    SYN_INLINE static float of(float v0, float v1, float v2, float v5, float v7) {
        const float v3 = syn::multiply(v1, v2);
        const float v4 = syn::add(v0, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v8 = syn::where(v6, v7, v4);
        return v8;
    }
};
SYN_MAP(map_b8266cc0bf547109, 1, 256, 1, Formula_b8266cc0bf547109, float, float, float, float, float, float)

// a layer(f32, f32, f32, f32, f32, f32, f32)
struct Formula_bd45e2ba61439071 {
    SYN_INLINE static float of(float v0, float v1, float v3, float v5, float v7, float v8, float v10) {
        const float v2 = syn::add(v0, v1);
        const float v4 = syn::multiply(v2, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v9 = syn::where(v6, v7, v8);
        const float v11 = syn::multiply(v9, v10);
        return v11;
    }
};
SYN_MAP(map_bd45e2ba61439071, 1, 256, 1, Formula_bd45e2ba61439071, float, float, float, float, float, float, float, float)

// two results of a layer(f32, f32, f32, f32, f32, f32, f32)
struct Formula_c0c6a9b4bae701ea {
    SYN_INLINE static map::Both<float, float> of(float v0, float v1, float v2, float v5, float v7, float v8, float v10) {
        const float v3 = syn::multiply(v1, v2);
        const float v4 = syn::add(v0, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const float v9 = syn::where(v6, v7, v8);
        const float v11 = syn::multiply(v9, v10);
        return {v9, v11};
    }
};
SYN_MAP_PAIR(map_c0c6a9b4bae701ea, 1, 256, 1, Formula_c0c6a9b4bae701ea, float, float, float, float, float, float, float, float, float)

// a layer(f32, f32, f32, f32)
struct Formula_c11199959f941957 {
    SYN_INLINE static float of(float v0, float v1, float v3, float v5) {
        const float v2 = syn::add(v0, v1);
        const bool v4 = syn::less_equal(v2, v3);
        const float v6 = syn::where(v4, v5, v2);
        return v6;
    }
};
SYN_MAP(map_c11199959f941957, 1, 256, 1, Formula_c11199959f941957, float, float, float, float, float)

// a layer(f32, f32, f32, f32, f32)
struct Formula_c6d1f82b195add37 {
    SYN_INLINE static float of(float v0, float v1, float v3, float v5, float v6) {
        const float v2 = syn::add(v0, v1);
        const bool v4 = syn::less_equal(v2, v3);
        const float v7 = syn::where(v4, v5, v6);
        return v7;
    }
};
SYN_MAP(map_c6d1f82b195add37, 1, 256, 1, Formula_c6d1f82b195add37, float, float, float, float, float, float)

// a layer(f32, bf16, bf16, f32, f32)
struct Formula_efcbedf9394f377d {
    SYN_INLINE static float of(float v0, syn::bf16 v1, syn::bf16 v3, float v5, float v9) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::multiply(v4, v5);
        const float v7 = syn::add(v2, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v10 = syn::multiply(v7, v9);
        const float v11 = syn::erfc(v10);
        const float v12 = syn::multiply(v8, v11);
        return v12;
    }
};
SYN_MAP(map_efcbedf9394f377d, 1, 128, 16, Formula_efcbedf9394f377d, syn::bf16, float, syn::bf16, syn::bf16, float, float)

// a layer(f32, f32, f32)
struct Formula_f689b569598dd0af {
    SYN_INLINE static float of(float v0, float v1, float v3) {
        const float v2 = syn::add(v0, v1);
        const float v4 = syn::multiply(v2, v3);
        return v4;
    }
};
SYN_MAP(map_f689b569598dd0af, 1, 256, 1, Formula_f689b569598dd0af, float, float, float, float)

// a layer(f32, bf16, bf16, f32, f32, f32, f32)
struct Formula_f7b9488d0a28c531 {
    SYN_INLINE static float of(float v0, syn::bf16 v1, syn::bf16 v3, float v5, float v9, float v10, float v17) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v6 = syn::multiply(v4, v5);
        const float v7 = syn::add(v2, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v11 = syn::multiply(v10, v7);
        const float v12 = syn::square(v7);
        const float v13 = syn::multiply(v11, v12);
        const float v14 = syn::add(v7, v13);
        const float v15 = syn::multiply(v9, v14);
        const float v16 = syn::tanh(v15);
        const float v18 = syn::add(v16, v17);
        const float v19 = syn::multiply(v8, v18);
        return v19;
    }
};
SYN_MAP(map_f7b9488d0a28c531, 1, 128, 16, Formula_f7b9488d0a28c531, syn::bf16, float, syn::bf16, syn::bf16, float, float, float, float)

// a layer(f32, f16, f16, f32, f32, f32, f32)
struct Formula_fb9d6116e93c9e31 {
    SYN_INLINE static float of(float v0, syn::f16 v1, syn::f16 v3, float v6, float v9, float v10, float v17) {
        const float v2 = syn::cast<float>(v1);
        const float v4 = syn::cast<float>(v3);
        const float v5 = syn::add(v2, v4);
        const float v7 = syn::multiply(v5, v6);
        const float v8 = syn::multiply(v0, v7);
        const float v11 = syn::multiply(v10, v7);
        const float v12 = syn::square(v7);
        const float v13 = syn::multiply(v11, v12);
        const float v14 = syn::add(v7, v13);
        const float v15 = syn::multiply(v9, v14);
        const float v16 = syn::tanh(v15);
        const float v18 = syn::add(v16, v17);
        const float v19 = syn::multiply(v8, v18);
        return v19;
    }
};
SYN_MAP(map_fb9d6116e93c9e31, 1, 128, 16, Formula_fb9d6116e93c9e31, syn::f16, float, syn::f16, syn::f16, float, float, float, float)
