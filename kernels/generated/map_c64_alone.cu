// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// tanh(c64)
struct Formula_05ffbddab06a5197 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::tanh(v0);
        return v1;
    }
};
SYN_MAP(map_05ffbddab06a5197, 2, 128, 1, Formula_05ffbddab06a5197, syn::c64, syn::c64)

// log2(c64)
struct Formula_078a72915cb1486b {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::log2(v0);
        return v1;
    }
};
SYN_MAP(map_078a72915cb1486b, 2, 128, 1, Formula_078a72915cb1486b, syn::c64, syn::c64)

// cosh(c64)
struct Formula_32e44506676cbd3c {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::cosh(v0);
        return v1;
    }
};
SYN_MAP(map_32e44506676cbd3c, 2, 128, 1, Formula_32e44506676cbd3c, syn::c64, syn::c64)

// log1p(c64)
struct Formula_346ef9bd13b3b410 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::log1p(v0);
        return v1;
    }
};
SYN_MAP(map_346ef9bd13b3b410, 2, 128, 1, Formula_346ef9bd13b3b410, syn::c64, syn::c64)

// sinh(c64)
struct Formula_3f656b1ba74bda55 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::sinh(v0);
        return v1;
    }
};
SYN_MAP(map_3f656b1ba74bda55, 2, 128, 1, Formula_3f656b1ba74bda55, syn::c64, syn::c64)

// cos(c64)
struct Formula_40d6b5be95e93f4f {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::cos(v0);
        return v1;
    }
};
SYN_MAP(map_40d6b5be95e93f4f, 2, 128, 1, Formula_40d6b5be95e93f4f, syn::c64, syn::c64)

// log(c64)
struct Formula_40f01fd25392d129 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::log(v0);
        return v1;
    }
};
SYN_MAP(map_40f01fd25392d129, 2, 128, 1, Formula_40f01fd25392d129, syn::c64, syn::c64)

// reciprocal(c64)
struct Formula_54098b8c11502375 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::reciprocal(v0);
        return v1;
    }
};
SYN_MAP(map_54098b8c11502375, 2, 128, 1, Formula_54098b8c11502375, syn::c64, syn::c64)

// negative(c64)
struct Formula_557ad62effed886f {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::negative(v0);
        return v1;
    }
};
SYN_MAP(map_557ad62effed886f, 1, 256, 1, Formula_557ad62effed886f, syn::c64, syn::c64)

// abs(c64)
struct Formula_8d09cbdfcacdcc16 {
    SYN_INLINE static float of(syn::c64 v0) {
        const float v1 = syn::abs(v0);
        return v1;
    }
};
SYN_MAP(map_8d09cbdfcacdcc16, 2, 128, 1, Formula_8d09cbdfcacdcc16, float, syn::c64)

// asinh(c64)
struct Formula_94077e71860fe166 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::asinh(v0);
        return v1;
    }
};
SYN_MAP(map_94077e71860fe166, 2, 128, 1, Formula_94077e71860fe166, syn::c64, syn::c64)

// atanh(c64)
struct Formula_9578c91474ad4660 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::atanh(v0);
        return v1;
    }
};
SYN_MAP(map_9578c91474ad4660, 2, 128, 1, Formula_9578c91474ad4660, syn::c64, syn::c64)

// log10(c64)
struct Formula_959233283256d83a {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::log10(v0);
        return v1;
    }
};
SYN_MAP(map_959233283256d83a, 2, 128, 1, Formula_959233283256d83a, syn::c64, syn::c64)

// sin(c64)
struct Formula_97037dcb20f43d34 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::sin(v0);
        return v1;
    }
};
SYN_MAP(map_97037dcb20f43d34, 2, 128, 1, Formula_97037dcb20f43d34, syn::c64, syn::c64)

// acosh(c64)
struct Formula_a1f9ef29b48c6379 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::acosh(v0);
        return v1;
    }
};
SYN_MAP(map_a1f9ef29b48c6379, 2, 128, 1, Formula_a1f9ef29b48c6379, syn::c64, syn::c64)

// atan(c64)
struct Formula_a36b39cca329c873 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::atan(v0);
        return v1;
    }
};
SYN_MAP(map_a36b39cca329c873, 2, 128, 1, Formula_a36b39cca329c873, syn::c64, syn::c64)

// expm1(c64)
struct Formula_a4f5ee834f70bf47 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::expm1(v0);
        return v1;
    }
};
SYN_MAP(map_a4f5ee834f70bf47, 2, 128, 1, Formula_a4f5ee834f70bf47, syn::c64, syn::c64)

// sqrt(c64)
struct Formula_b80f5a3d0d2e1193 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::sqrt(v0);
        return v1;
    }
};
SYN_MAP(map_b80f5a3d0d2e1193, 2, 128, 1, Formula_b80f5a3d0d2e1193, syn::c64, syn::c64)

// tan(c64)
struct Formula_cede76556b8ecf1e {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::tan(v0);
        return v1;
    }
};
SYN_MAP(map_cede76556b8ecf1e, 2, 128, 1, Formula_cede76556b8ecf1e, syn::c64, syn::c64)

// acos(c64)
struct Formula_d04fc0f85a2c3418 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::acos(v0);
        return v1;
    }
};
SYN_MAP(map_d04fc0f85a2c3418, 2, 128, 1, Formula_d04fc0f85a2c3418, syn::c64, syn::c64)

// exp(c64)
struct Formula_d1da75af06732aec {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::exp(v0);
        return v1;
    }
};
SYN_MAP(map_d1da75af06732aec, 2, 128, 1, Formula_d1da75af06732aec, syn::c64, syn::c64)

// asin(c64)
struct Formula_dcd0e70d9a0b5131 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::asin(v0);
        return v1;
    }
};
SYN_MAP(map_dcd0e70d9a0b5131, 2, 128, 1, Formula_dcd0e70d9a0b5131, syn::c64, syn::c64)

// square(c64)
struct Formula_e4f3e168c4307d38 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::square(v0);
        return v1;
    }
};
SYN_MAP(map_e4f3e168c4307d38, 1, 256, 1, Formula_e4f3e168c4307d38, syn::c64, syn::c64)

// sign(c64)
struct Formula_f175077e040f9a51 {
    SYN_INLINE static syn::c64 of(syn::c64 v0) {
        const syn::c64 v1 = syn::sign(v0);
        return v1;
    }
};
SYN_MAP(map_f175077e040f9a51, 2, 128, 1, Formula_f175077e040f9a51, syn::c64, syn::c64)
