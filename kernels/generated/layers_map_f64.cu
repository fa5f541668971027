// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"
#include "map_pair.cuh"

// a layer(f64, f64, f64, f64)
struct Formula_0a09e7de8c973ea9 {
    SYN_INLINE static double of(double v0, double v1, double v3, double v5) {
        const double v2 = syn::add(v0, v1);
        const bool v4 = syn::less_equal(v2, v3);
        const double v6 = syn::where(v4, v5, v2);
        return v6;
    }
};
SYN_MAP(map_0a09e7de8c973ea9, 1, 256, 1, Formula_0a09e7de8c973ea9, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64, f64, f64)
struct Formula_1a3ba745b2b2f368 {
    SYN_INLINE static double of(double v0, double v1, double v2, double v3, double v7, double v13, double v17) {
        const double v4 = syn::add(v2, v3);
        const double v5 = syn::multiply(v1, v4);
        const double v6 = syn::multiply(v0, v5);
        const double v8 = syn::multiply(v4, v7);
        const double v9 = syn::square(v8);
        const double v10 = syn::negative(v9);
        const double v11 = syn::exp(v10);
        const double v12 = syn::multiply(v6, v11);
        const double v14 = syn::multiply(v12, v13);
        const double v15 = syn::erfc(v8);
        const double v16 = syn::multiply(v0, v15);
        const double v18 = syn::multiply(v16, v17);
        const double v19 = syn::add(v14, v18);
        return v19;
    }
};
SYN_MAP(map_1a3ba745b2b2f368, 1, 256, 1, Formula_1a3ba745b2b2f368, double, double, double, double, double, double, double, double)

// two results of a layer(f64, f64, f64, f64, f64, f64, f64)
struct Formula_2d33f1b8bd3f6f43 {
    SYN_INLINE static map::Both<double, double> of(double v0, double v1, double v2, double v5, double v7, double v8, double v10) {
        const double v3 = syn::multiply(v1, v2);
        const double v4 = syn::add(v0, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const double v9 = syn::where(v6, v7, v8);
        const double v11 = syn::multiply(v9, v10);
        return {v9, v11};
    }
};
SYN_MAP_PAIR(map_2d33f1b8bd3f6f43, 1, 256, 1, Formula_2d33f1b8bd3f6f43, double, double, double, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64)
struct Formula_3135c180b99578fb {
    SYN_INLINE static double of(double v0, double v1, double v3, double v5, double v7) {
        const double v2 = syn::add(v0, v1);
        const double v4 = syn::multiply(v2, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const double v8 = syn::where(v6, v7, v4);
        return v8;
    }
};
SYN_MAP(map_3135c180b99578fb, 1, 256, 1, Formula_3135c180b99578fb, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64)
struct Formula_4805c70b1a797514 {
    SYN_INLINE static double of(double v0, double v1, double v3, double v5, double v6) {
        const double v2 = syn::add(v0, v1);
        const bool v4 = syn::less_equal(v2, v3);
        const double v7 = syn::where(v4, v5, v6);
        return v7;
    }
};
SYN_MAP(map_4805c70b1a797514, 1, 256, 1, Formula_4805c70b1a797514, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64)
struct Formula_5113434440e1cb25 {
    SYN_INLINE static double of(double v0, double v1, double v3, double v5, double v10) {
        const double v2 = syn::multiply(v0, v1);
        const bool v4 = syn::greater_equal(v2, v3);
        const double v6 = syn::negative(v2);
        const double v7 = syn::where(v4, v6, v2);
        const double v8 = syn::exp(v7);
        const double v9 = syn::where(v4, v5, v8);
        const double v11 = syn::add(v8, v10);
        const double v12 = syn::divide(v9, v11);
        const double v13 = syn::multiply(v0, v12);
        return v13;
    }
};
SYN_MAP(map_5113434440e1cb25, 1, 256, 1, Formula_5113434440e1cb25, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64)
struct Formula_5e42c3ecce81c428 {
    SYN_INLINE static double of(double v0, double v1, double v2, double v4, double v7) {
        const double v3 = syn::add(v1, v2);
        const double v5 = syn::multiply(v3, v4);
        const double v6 = syn::multiply(v0, v5);
        const double v8 = syn::multiply(v5, v7);
        const double v9 = syn::erfc(v8);
        const double v10 = syn::multiply(v6, v9);
        return v10;
    }
};
SYN_MAP(map_5e42c3ecce81c428, 1, 256, 1, Formula_5e42c3ecce81c428, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64, f64, f64)
struct Formula_7378614884af241c {
    SYN_INLINE static double of(double v0, double v1, double v2, double v4, double v7, double v8, double v15) {
        const double v3 = syn::add(v1, v2);
        const double v5 = syn::multiply(v3, v4);
        const double v6 = syn::multiply(v0, v5);
        const double v9 = syn::multiply(v8, v5);
        const double v10 = syn::square(v5);
        const double v11 = syn::multiply(v9, v10);
        const double v12 = syn::add(v5, v11);
        const double v13 = syn::multiply(v7, v12);
        const double v14 = syn::tanh(v13);
        const double v16 = syn::add(v14, v15);
        const double v17 = syn::multiply(v6, v16);
        return v17;
    }
};
SYN_MAP(map_7378614884af241c, 1, 256, 1, Formula_7378614884af241c, double, double, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64)
struct Formula_775fa2eba4ad293a {
    SYN_INLINE static double of(double v0, double v1, double v2, double v5) {
        const double v3 = syn::add(v1, v2);
        const double v4 = syn::multiply(v0, v3);
        const double v6 = syn::multiply(v3, v5);
        const double v7 = syn::erfc(v6);
        const double v8 = syn::multiply(v4, v7);
        return v8;
    }
};
SYN_MAP(map_775fa2eba4ad293a, 1, 256, 1, Formula_775fa2eba4ad293a, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64)
struct Formula_786e561787f79a28 {
    SYN_INLINE static double of(double v0, double v1, double v2, double v3, double v7) {
        const double v4 = syn::multiply(v2, v3);
        const double v5 = syn::add(v1, v4);
        const double v6 = syn::multiply(v0, v5);
        const double v8 = syn::multiply(v5, v7);
        const double v9 = syn::erfc(v8);
        const double v10 = syn::multiply(v6, v9);
        return v10;
    }
};
SYN_MAP(map_786e561787f79a28, 1, 256, 1, Formula_786e561787f79a28, double, double, double, double, double, double)

// a layer(f64, f64, f64)
struct Formula_8228ded4fa4afdac {
    SYN_INLINE static double of(double v0, double v1, double v2) {
        const double v3 = syn::multiply(v1, v2);
        const double v4 = syn::add(v0, v3);
        return v4;
    }
};
SYN_MAP(map_8228ded4fa4afdac, 1, 256, 1, Formula_8228ded4fa4afdac, double, double, double, double)

// exp_golden(f64, f64)
struct Formula_873a936f577d7b22 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::multiply(v0, v1);
        const double v3 = syn::exp(v2);
        return v3;
    }
};
SYN_MAP(map_873a936f577d7b22, 1, 256, 1, Formula_873a936f577d7b22, double, double, double)

// a layer(f64, f64, f64, f64, f64, f64)
struct Formula_8a6b7bd555c7c350 {
    SYN_INLINE static double of(double v0, double v1, double v2, double v5, double v6, double v13) {
        const double v3 = syn::add(v1, v2);
        const double v4 = syn::multiply(v0, v3);
        const double v7 = syn::multiply(v6, v3);
        const double v8 = syn::square(v3);
        const double v9 = syn::multiply(v7, v8);
        const double v10 = syn::add(v3, v9);
        const double v11 = syn::multiply(v5, v10);
        const double v12 = syn::tanh(v11);
        const double v14 = syn::add(v12, v13);
        const double v15 = syn::multiply(v4, v14);
        return v15;
    }
};
SYN_MAP(map_8a6b7bd555c7c350, 1, 256, 1, Formula_8a6b7bd555c7c350, double, double, double, double, double, double, double)

// a layer(f64, f64, f64)
struct Formula_8ccc101369fbbe84 {
    SYN_INLINE static double of(double v0, double v1, double v3) {
        const double v2 = syn::add(v0, v1);
        const double v4 = syn::multiply(v2, v3);
        return v4;
    }
};
SYN_MAP(map_8ccc101369fbbe84, 1, 256, 1, Formula_8ccc101369fbbe84, double, double, double, double)

// fma_phi(f64, f64, f64)
struct Formula_b6001409b7eaa770 {
    SYN_INLINE static double of(double v0, double v1, double v3) {
        const double v2 = syn::multiply(v0, v1);
        const double v4 = syn::add(v2, v3);
        return v4;
    }
};
SYN_MAP(map_b6001409b7eaa770, 1, 256, 1, Formula_b6001409b7eaa770, double, double, double, double)

// a layer(f64, f64, f64, f64, f64, f64, f64)
struct Formula_baae0658e91ee61c {
    SYN_INLINE static double of(double v0, double v1, double v2, double v3, double v7, double v8, double v15) {
        const double v4 = syn::multiply(v2, v3);
        const double v5 = syn::add(v1, v4);
        const double v6 = syn::multiply(v0, v5);
        const double v9 = syn::multiply(v8, v5);
        const double v10 = syn::square(v5);
        const double v11 = syn::multiply(v9, v10);
        const double v12 = syn::add(v5, v11);
        const double v13 = syn::multiply(v7, v12);
        const double v14 = syn::tanh(v13);
        const double v16 = syn::add(v14, v15);
        const double v17 = syn::multiply(v6, v16);
        return v17;
    }
};
SYN_MAP(map_baae0658e91ee61c, 1, 256, 1, Formula_baae0658e91ee61c, double, double, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64, f64, f64)
struct Formula_ed6361abbb5eef72 {
    SYN_INLINE static double of(double v0, double v1, double v3, double v5, double v7, double v8, double v10) {
        const double v2 = syn::add(v0, v1);
        const double v4 = syn::multiply(v2, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const double v9 = syn::where(v6, v7, v8);
        const double v11 = syn::multiply(v9, v10);
        return v11;
    }
};
SYN_MAP(map_ed6361abbb5eef72, 1, 256, 1, Formula_ed6361abbb5eef72, double, double, double, double, double, double, double, double)

// a layer(f64, f64, f64, f64, f64)
struct Formula_f536905abe7a1a73 {
    SYN_INLINE static double of(double v0, double v1, double v2, double v5, double v7) {
        const double v3 = syn::multiply(v1, v2);
        const double v4 = syn::add(v0, v3);
        const bool v6 = syn::less_equal(v4, v5);
        const double v8 = syn::where(v6, v7, v4);
        return v8;
    }
};
SYN_MAP(map_f536905abe7a1a73, 1, 256, 1, Formula_f536905abe7a1a73, double, double, double, double, double, double)

// two results of a layer(f64, f64)
struct Formula_f7c516c56ce9632e {
    SYN_INLINE static map::Both<double, double> of(double v0, double v1) {
        const double v2 = syn::multiply(v0, v1);
        return {v0, v2};
    }
};
SYN_MAP_PAIR(map_f7c516c56ce9632e, 1, 256, 1, Formula_f7c516c56ce9632e, double, double, double, double)
