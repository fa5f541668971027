// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// square(f16)
struct Formula_0812e73722afee6f {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::square(v1);
        return v2;
    }
};
SYN_MAP(map_0812e73722afee6f, 2, 128, 16, Formula_0812e73722afee6f, syn::f16, syn::f16)

// exp2(f16)
struct Formula_0b1bd9d868625515 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::exp2(v1);
        return v2;
    }
};
SYN_MAP(map_0b1bd9d868625515, 2, 128, 16, Formula_0b1bd9d868625515, syn::f16, syn::f16)

// log1p(f16)
struct Formula_121da64dbaeca2d7 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log1p(v1);
        return v2;
    }
};
SYN_MAP(map_121da64dbaeca2d7, 2, 128, 16, Formula_121da64dbaeca2d7, syn::f16, syn::f16)

// expm1(f16)
struct Formula_14e460c2903dff14 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::expm1(v1);
        return v2;
    }
};
SYN_MAP(map_14e460c2903dff14, 2, 128, 16, Formula_14e460c2903dff14, syn::f16, syn::f16)

// acos(f16)
struct Formula_1fc0e8e06edc7d0f {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::acos(v1);
        return v2;
    }
};
SYN_MAP(map_1fc0e8e06edc7d0f, 2, 128, 16, Formula_1fc0e8e06edc7d0f, syn::f16, syn::f16)

// tan(f16)
struct Formula_2feb5b6f419a70ad {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::tan(v1);
        return v2;
    }
};
SYN_MAP(map_2feb5b6f419a70ad, 2, 128, 16, Formula_2feb5b6f419a70ad, syn::f16, syn::f16)

// acosh(f16)
struct Formula_431cd2c05e3b9f26 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::acosh(v1);
        return v2;
    }
};
SYN_MAP(map_431cd2c05e3b9f26, 2, 128, 16, Formula_431cd2c05e3b9f26, syn::f16, syn::f16)

// sqrt(f16)
struct Formula_4b00fd7bdb4bbfe0 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::sqrt(v1);
        return v2;
    }
};
SYN_MAP(map_4b00fd7bdb4bbfe0, 2, 128, 16, Formula_4b00fd7bdb4bbfe0, syn::f16, syn::f16)

// log2(f16)
struct Formula_4c850341e3eb6fe8 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log2(v1);
        return v2;
    }
};
SYN_MAP(map_4c850341e3eb6fe8, 2, 128, 16, Formula_4c850341e3eb6fe8, syn::f16, syn::f16)

// sinh(f16)
struct Formula_5ddab1be05ea45d2 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::sinh(v1);
        return v2;
    }
};
SYN_MAP(map_5ddab1be05ea45d2, 2, 128, 16, Formula_5ddab1be05ea45d2, syn::f16, syn::f16)

// exp(f16)
struct Formula_61e2a7319fd689e3 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::exp(v1);
        return v2;
    }
};
SYN_MAP(map_61e2a7319fd689e3, 2, 128, 16, Formula_61e2a7319fd689e3, syn::f16, syn::f16)

// erf(f16)
struct Formula_631e013afac079d8 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::erf(v1);
        return v2;
    }
};
SYN_MAP(map_631e013afac079d8, 2, 128, 16, Formula_631e013afac079d8, syn::f16, syn::f16)

// log(f16)
struct Formula_8718a32cfadf6d76 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log(v1);
        return v2;
    }
};
SYN_MAP(map_8718a32cfadf6d76, 2, 128, 16, Formula_8718a32cfadf6d76, syn::f16, syn::f16)

// sin(f16)
struct Formula_98bcf7b0af6ecb3b {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::sin(v1);
        return v2;
    }
};
SYN_MAP(map_98bcf7b0af6ecb3b, 2, 128, 16, Formula_98bcf7b0af6ecb3b, syn::f16, syn::f16)

// erfc(f16)
struct Formula_9db5ea8a3a742799 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::erfc(v1);
        return v2;
    }
};
SYN_MAP(map_9db5ea8a3a742799, 2, 128, 16, Formula_9db5ea8a3a742799, syn::f16, syn::f16)

// abs(f16)
struct Formula_ace6d801caa19f8d {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::abs(v1);
        return v2;
    }
};
SYN_MAP(map_ace6d801caa19f8d, 2, 128, 16, Formula_ace6d801caa19f8d, syn::f16, syn::f16)

// cosh(f16)
struct Formula_c135dab46e11b613 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::cosh(v1);
        return v2;
    }
};
SYN_MAP(map_c135dab46e11b613, 2, 128, 16, Formula_c135dab46e11b613, syn::f16, syn::f16)

// cos(f16)
struct Formula_c3454dc33faa568c {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::cos(v1);
        return v2;
    }
};
SYN_MAP(map_c3454dc33faa568c, 2, 128, 16, Formula_c3454dc33faa568c, syn::f16, syn::f16)

// asinh(f16)
struct Formula_c720096bcbbe86c5 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::asinh(v1);
        return v2;
    }
};
SYN_MAP(map_c720096bcbbe86c5, 2, 128, 16, Formula_c720096bcbbe86c5, syn::f16, syn::f16)

// atanh(f16)
struct Formula_ce21d5e11e48d487 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::atanh(v1);
        return v2;
    }
};
SYN_MAP(map_ce21d5e11e48d487, 2, 128, 16, Formula_ce21d5e11e48d487, syn::f16, syn::f16)

// atan(f16)
struct Formula_cf92b4ab56073300 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::atan(v1);
        return v2;
    }
};
SYN_MAP(map_cf92b4ab56073300, 2, 128, 16, Formula_cf92b4ab56073300, syn::f16, syn::f16)

// tanh(f16)
struct Formula_d0e89055f39a30c4 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::tanh(v1);
        return v2;
    }
};
SYN_MAP(map_d0e89055f39a30c4, 2, 128, 16, Formula_d0e89055f39a30c4, syn::f16, syn::f16)

// asin(f16)
struct Formula_d51f32b02fbff02e {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::asin(v1);
        return v2;
    }
};
SYN_MAP(map_d51f32b02fbff02e, 2, 128, 16, Formula_d51f32b02fbff02e, syn::f16, syn::f16)

// log10(f16)
struct Formula_d6b596b026d78829 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log10(v1);
        return v2;
    }
};
SYN_MAP(map_d6b596b026d78829, 2, 128, 16, Formula_d6b596b026d78829, syn::f16, syn::f16)

// reciprocal(f16)
struct Formula_dad62e508ef174b2 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::reciprocal(v1);
        return v2;
    }
};
SYN_MAP(map_dad62e508ef174b2, 2, 128, 16, Formula_dad62e508ef174b2, syn::f16, syn::f16)

// negative(f16)
struct Formula_e2029a832fcdddec {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::negative(v1);
        return v2;
    }
};
SYN_MAP(map_e2029a832fcdddec, 2, 128, 16, Formula_e2029a832fcdddec, syn::f16, syn::f16)

// rsqrt(f16)
struct Formula_f5e1e585ea433ae1 {
    SYN_INLINE static float of(syn::f16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::rsqrt(v1);
        return v2;
    }
};
SYN_MAP(map_f5e1e585ea433ae1, 2, 128, 16, Formula_f5e1e585ea433ae1, syn::f16, syn::f16)
