// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// tan(bf16)
struct Formula_00ba7c6f0a4fb425 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::tan(v1);
        return v2;
    }
};
SYN_MAP(map_00ba7c6f0a4fb425, 2, 128, 16, Formula_00ba7c6f0a4fb425, syn::bf16, syn::bf16)

// erf(bf16)
struct Formula_0c4cc6789a1c4966 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::erf(v1);
        return v2;
    }
};
SYN_MAP(map_0c4cc6789a1c4966, 2, 128, 16, Formula_0c4cc6789a1c4966, syn::bf16, syn::bf16)

// erfc(bf16)
struct Formula_0faf4d8fc0b2a069 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::erfc(v1);
        return v2;
    }
};
SYN_MAP(map_0faf4d8fc0b2a069, 2, 128, 16, Formula_0faf4d8fc0b2a069, syn::bf16, syn::bf16)

// rsqrt(bf16)
struct Formula_1063c2c618dbcb41 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::rsqrt(v1);
        return v2;
    }
};
SYN_MAP(map_1063c2c618dbcb41, 2, 128, 16, Formula_1063c2c618dbcb41, syn::bf16, syn::bf16)

// square(bf16)
struct Formula_11aab3da62bd5b67 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::square(v1);
        return v2;
    }
};
SYN_MAP(map_11aab3da62bd5b67, 2, 128, 16, Formula_11aab3da62bd5b67, syn::bf16, syn::bf16)

// expm1(bf16)
struct Formula_1c02fc9dc1c12f8a {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::expm1(v1);
        return v2;
    }
};
SYN_MAP(map_1c02fc9dc1c12f8a, 2, 128, 16, Formula_1c02fc9dc1c12f8a, syn::bf16, syn::bf16)

// abs(bf16)
struct Formula_300594c9c85b9785 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::abs(v1);
        return v2;
    }
};
SYN_MAP(map_300594c9c85b9785, 2, 128, 16, Formula_300594c9c85b9785, syn::bf16, syn::bf16)

// acos(bf16)
struct Formula_43adb1e2b94af207 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::acos(v1);
        return v2;
    }
};
SYN_MAP(map_43adb1e2b94af207, 2, 128, 16, Formula_43adb1e2b94af207, syn::bf16, syn::bf16)

// log(bf16)
struct Formula_53d508e124580ebc {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log(v1);
        return v2;
    }
};
SYN_MAP(map_53d508e124580ebc, 2, 128, 16, Formula_53d508e124580ebc, syn::bf16, syn::bf16)

// cos(bf16)
struct Formula_55a273eafccd9e92 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::cos(v1);
        return v2;
    }
};
SYN_MAP(map_55a273eafccd9e92, 2, 128, 16, Formula_55a273eafccd9e92, syn::bf16, syn::bf16)

// atanh(bf16)
struct Formula_609f734c4cb209af {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::atanh(v1);
        return v2;
    }
};
SYN_MAP(map_609f734c4cb209af, 2, 128, 16, Formula_609f734c4cb209af, syn::bf16, syn::bf16)

// exp2(bf16)
struct Formula_61dada8fd5292e5d {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::exp2(v1);
        return v2;
    }
};
SYN_MAP(map_61dada8fd5292e5d, 2, 128, 16, Formula_61dada8fd5292e5d, syn::bf16, syn::bf16)

// cosh(bf16)
struct Formula_6559852ac4168213 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::cosh(v1);
        return v2;
    }
};
SYN_MAP(map_6559852ac4168213, 2, 128, 16, Formula_6559852ac4168213, syn::bf16, syn::bf16)

// asin(bf16)
struct Formula_6b3f6d0164f285e4 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::asin(v1);
        return v2;
    }
};
SYN_MAP(map_6b3f6d0164f285e4, 2, 128, 16, Formula_6b3f6d0164f285e4, syn::bf16, syn::bf16)

// tanh(bf16)
struct Formula_821ce964810829da {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::tanh(v1);
        return v2;
    }
};
SYN_MAP(map_821ce964810829da, 2, 128, 16, Formula_821ce964810829da, syn::bf16, syn::bf16)

// negative(bf16)
struct Formula_867ac007be9c23f2 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::negative(v1);
        return v2;
    }
};
SYN_MAP(map_867ac007be9c23f2, 2, 128, 16, Formula_867ac007be9c23f2, syn::bf16, syn::bf16)

// atan(bf16)
struct Formula_96a43285c09e2abe {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::atan(v1);
        return v2;
    }
};
SYN_MAP(map_96a43285c09e2abe, 2, 128, 16, Formula_96a43285c09e2abe, syn::bf16, syn::bf16)

// sinh(bf16)
struct Formula_98815fcb826236a0 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::sinh(v1);
        return v2;
    }
};
SYN_MAP(map_98815fcb826236a0, 2, 128, 16, Formula_98815fcb826236a0, syn::bf16, syn::bf16)

// log10(bf16)
struct Formula_b3b9d864d3b0bb19 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log10(v1);
        return v2;
    }
};
SYN_MAP(map_b3b9d864d3b0bb19, 2, 128, 16, Formula_b3b9d864d3b0bb19, syn::bf16, syn::bf16)

// reciprocal(bf16)
struct Formula_c959abe84430bc00 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::reciprocal(v1);
        return v2;
    }
};
SYN_MAP(map_c959abe84430bc00, 2, 128, 16, Formula_c959abe84430bc00, syn::bf16, syn::bf16)

// acosh(bf16)
struct Formula_cc3ddcc85eb5154c {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::acosh(v1);
        return v2;
    }
};
SYN_MAP(map_cc3ddcc85eb5154c, 2, 128, 16, Formula_cc3ddcc85eb5154c, syn::bf16, syn::bf16)

// sqrt(bf16)
struct Formula_d62204561817ed1e {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::sqrt(v1);
        return v2;
    }
};
SYN_MAP(map_d62204561817ed1e, 2, 128, 16, Formula_d62204561817ed1e, syn::bf16, syn::bf16)

// asinh(bf16)
struct Formula_d69a4d0a2a1b65ad {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::asinh(v1);
        return v2;
    }
};
SYN_MAP(map_d69a4d0a2a1b65ad, 2, 128, 16, Formula_d69a4d0a2a1b65ad, syn::bf16, syn::bf16)

// log2(bf16)
struct Formula_e225856469f20596 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log2(v1);
        return v2;
    }
};
SYN_MAP(map_e225856469f20596, 2, 128, 16, Formula_e225856469f20596, syn::bf16, syn::bf16)

// log1p(bf16)
struct Formula_ebe000d1f7bfd25f {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::log1p(v1);
        return v2;
    }
};
SYN_MAP(map_ebe000d1f7bfd25f, 2, 128, 16, Formula_ebe000d1f7bfd25f, syn::bf16, syn::bf16)

// sin(bf16)
struct Formula_f726d4e6e9ac43cb {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::sin(v1);
        return v2;
    }
};
SYN_MAP(map_f726d4e6e9ac43cb, 2, 128, 16, Formula_f726d4e6e9ac43cb, syn::bf16, syn::bf16)

// exp(bf16)
struct Formula_fb9636f71f64b883 {
    SYN_INLINE static float of(syn::bf16 v0) {
        const float v1 = syn::cast<float>(v0);
        const float v2 = syn::half::exp(v1);
        return v2;
    }
};
SYN_MAP(map_fb9636f71f64b883, 2, 128, 16, Formula_fb9636f71f64b883, syn::bf16, syn::bf16)
