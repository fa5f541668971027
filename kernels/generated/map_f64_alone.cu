// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// expm1(f64)
struct Formula_01ed751bb97098c3 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::expm1(v0);
        return v1;
    }
};
SYN_MAP(map_01ed751bb97098c3, 2, 128, 1, Formula_01ed751bb97098c3, double, double)

// asinh(f64)
struct Formula_1a4745eac4184d22 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::asinh(v0);
        return v1;
    }
};
SYN_MAP(map_1a4745eac4184d22, 2, 128, 1, Formula_1a4745eac4184d22, double, double)

// atanh(f64)
struct Formula_1bb8908db2b5b21c {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::atanh(v0);
        return v1;
    }
};
SYN_MAP(map_1bb8908db2b5b21c, 2, 128, 1, Formula_1bb8908db2b5b21c, double, double)

// acosh(f64)
struct Formula_2839b6a2f294cf35 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::acosh(v0);
        return v1;
    }
};
SYN_MAP(map_2839b6a2f294cf35, 2, 128, 1, Formula_2839b6a2f294cf35, double, double)

// erf(f64)
struct Formula_29ab0145e132342f {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::erf(v0);
        return v1;
    }
};
SYN_MAP(map_29ab0145e132342f, 2, 128, 1, Formula_29ab0145e132342f, double, double)

// log10(f64)
struct Formula_2d60b1a481d59f6e {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::log10(v0);
        return v1;
    }
};
SYN_MAP(map_2d60b1a481d59f6e, 2, 128, 1, Formula_2d60b1a481d59f6e, double, double)

// sin(f64)
struct Formula_2ed1fc4770730468 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::sin(v0);
        return v1;
    }
};
SYN_MAP(map_2ed1fc4770730468, 2, 128, 1, Formula_2ed1fc4770730468, double, double)

// negative(f64)
struct Formula_3cc46cff9eef867b {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::negative(v0);
        return v1;
    }
};
SYN_MAP(map_3cc46cff9eef867b, 1, 256, 1, Formula_3cc46cff9eef867b, double, double)

// cos(f64)
struct Formula_51688d7008f3cf9b {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::cos(v0);
        return v1;
    }
};
SYN_MAP(map_51688d7008f3cf9b, 2, 128, 1, Formula_51688d7008f3cf9b, double, double)

// rsqrt(f64)
struct Formula_6837a98867548d26 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::rsqrt(v0);
        return v1;
    }
};
SYN_MAP(map_6837a98867548d26, 2, 128, 1, Formula_6837a98867548d26, double, double)

// reciprocal(f64)
struct Formula_762a1a4095d10f39 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::reciprocal(v0);
        return v1;
    }
};
SYN_MAP(map_762a1a4095d10f39, 1, 256, 1, Formula_762a1a4095d10f39, double, double)

// cosh(f64)
struct Formula_7e4d149bbff63b40 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::cosh(v0);
        return v1;
    }
};
SYN_MAP(map_7e4d149bbff63b40, 2, 128, 1, Formula_7e4d149bbff63b40, double, double)

// sinh(f64)
struct Formula_8ace3ab0ffd55859 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::sinh(v0);
        return v1;
    }
};
SYN_MAP(map_8ace3ab0ffd55859, 2, 128, 1, Formula_8ace3ab0ffd55859, double, double)

// tanh(f64)
struct Formula_8c3f8553ee72bd53 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::tanh(v0);
        return v1;
    }
};
SYN_MAP(map_8c3f8553ee72bd53, 2, 128, 1, Formula_8c3f8553ee72bd53, double, double)

// exp2(f64)
struct Formula_8ff535b28f162892 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::exp2(v0);
        return v1;
    }
};
SYN_MAP(map_8ff535b28f162892, 2, 128, 1, Formula_8ff535b28f162892, double, double)

// log1p(f64)
struct Formula_916680557db38d8c {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::log1p(v0);
        return v1;
    }
};
SYN_MAP(map_916680557db38d8c, 2, 128, 1, Formula_916680557db38d8c, double, double)

// log(f64)
struct Formula_9de7a66abd92aaa5 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::log(v0);
        return v1;
    }
};
SYN_MAP(map_9de7a66abd92aaa5, 2, 128, 1, Formula_9de7a66abd92aaa5, double, double)

// log2(f64)
struct Formula_9f58f10dac300f9f {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::log2(v0);
        return v1;
    }
};
SYN_MAP(map_9f58f10dac300f9f, 2, 128, 1, Formula_9f58f10dac300f9f, double, double)

// erfc(f64)
struct Formula_b7b2c1dcb6d7c3fe {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::erfc(v0);
        return v1;
    }
};
SYN_MAP(map_b7b2c1dcb6d7c3fe, 2, 128, 1, Formula_b7b2c1dcb6d7c3fe, double, double)

// abs(f64)
struct Formula_cacc2d967495164a {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::abs(v0);
        return v1;
    }
};
SYN_MAP(map_cacc2d967495164a, 1, 256, 1, Formula_cacc2d967495164a, double, double)

// square(f64)
struct Formula_cc3d783963327b44 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::square(v0);
        return v1;
    }
};
SYN_MAP(map_cc3d783963327b44, 1, 256, 1, Formula_cc3d783963327b44, double, double)

// sqrt(f64)
struct Formula_da2fe8f191aefd57 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::sqrt(v0);
        return v1;
    }
};
SYN_MAP(map_da2fe8f191aefd57, 1, 256, 1, Formula_da2fe8f191aefd57, double, double)

// tan(f64)
struct Formula_df704e06de995f6a {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::tan(v0);
        return v1;
    }
};
SYN_MAP(map_df704e06de995f6a, 2, 128, 1, Formula_df704e06de995f6a, double, double)

// acos(f64)
struct Formula_e0e198a9cd36c464 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::acos(v0);
        return v1;
    }
};
SYN_MAP(map_e0e198a9cd36c464, 2, 128, 1, Formula_e0e198a9cd36c464, double, double)

// asin(f64)
struct Formula_ed62bebf0d15e17d {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::asin(v0);
        return v1;
    }
};
SYN_MAP(map_ed62bebf0d15e17d, 2, 128, 1, Formula_ed62bebf0d15e17d, double, double)

// atan(f64)
struct Formula_eed40961fbb34677 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::atan(v0);
        return v1;
    }
};
SYN_MAP(map_eed40961fbb34677, 2, 128, 1, Formula_eed40961fbb34677, double, double)

// exp(f64)
struct Formula_f3fb04638af416b0 {
    SYN_INLINE static double of(double v0) {
        const double v1 = syn::exp(v0);
        return v1;
    }
};
SYN_MAP(map_f3fb04638af416b0, 2, 128, 1, Formula_f3fb04638af416b0, double, double)
