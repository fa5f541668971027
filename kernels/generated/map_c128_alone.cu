// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// square(c128)
struct Formula_0550a964aec166c4 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::square(v0);
        return v1;
    }
};
SYN_MAP(map_0550a964aec166c4, 1, 256, 1, Formula_0550a964aec166c4, syn::c128, syn::c128)

// sign(c128)
struct Formula_11d1cf79eea083dd {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::sign(v0);
        return v1;
    }
};
SYN_MAP(map_11d1cf79eea083dd, 1, 128, 16, Formula_11d1cf79eea083dd, syn::c128, syn::c128)

// sqrt(c128)
struct Formula_13431a1cdd3de8d7 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::sqrt(v0);
        return v1;
    }
};
SYN_MAP(map_13431a1cdd3de8d7, 1, 128, 16, Formula_13431a1cdd3de8d7, syn::c128, syn::c128)

// tan(c128)
struct Formula_18837f322a284aea {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::tan(v0);
        return v1;
    }
};
SYN_MAP(map_18837f322a284aea, 1, 128, 16, Formula_18837f322a284aea, syn::c128, syn::c128)

// acos(c128)
struct Formula_19f4c9d518c5afe4 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::acos(v0);
        return v1;
    }
};
SYN_MAP(map_19f4c9d518c5afe4, 1, 128, 16, Formula_19f4c9d518c5afe4, syn::c128, syn::c128)

// abs(c128)
struct Formula_23b95254bb37138a {
    SYN_INLINE static double of(syn::c128 v0) {
        const double v1 = syn::abs(v0);
        return v1;
    }
};
SYN_MAP(map_23b95254bb37138a, 1, 128, 16, Formula_23b95254bb37138a, double, syn::c128)

// asin(c128)
struct Formula_2675efea58a4ccfd {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::asin(v0);
        return v1;
    }
};
SYN_MAP(map_2675efea58a4ccfd, 1, 128, 16, Formula_2675efea58a4ccfd, syn::c128, syn::c128)

// atan(c128)
struct Formula_27e73a8d474231f7 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::atan(v0);
        return v1;
    }
};
SYN_MAP(map_27e73a8d474231f7, 1, 128, 16, Formula_27e73a8d474231f7, syn::c128, syn::c128)

// exp(c128)
struct Formula_2d0e358ed6830230 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::exp(v0);
        return v1;
    }
};
SYN_MAP(map_2d0e358ed6830230, 1, 128, 16, Formula_2d0e358ed6830230, syn::c128, syn::c128)

// expm1(c128)
struct Formula_3b00a64704ff8443 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::expm1(v0);
        return v1;
    }
};
SYN_MAP(map_3b00a64704ff8443, 1, 128, 16, Formula_3b00a64704ff8443, syn::c128, syn::c128)

// asinh(c128)
struct Formula_535a77160fa738a2 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::asinh(v0);
        return v1;
    }
};
SYN_MAP(map_535a77160fa738a2, 1, 128, 16, Formula_535a77160fa738a2, syn::c128, syn::c128)

// atanh(c128)
struct Formula_54cbc1b8fe449d9c {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::atanh(v0);
        return v1;
    }
};
SYN_MAP(map_54cbc1b8fe449d9c, 1, 128, 16, Formula_54cbc1b8fe449d9c, syn::c128, syn::c128)

// acosh(c128)
struct Formula_614ce7ce3e23bab5 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::acosh(v0);
        return v1;
    }
};
SYN_MAP(map_614ce7ce3e23bab5, 1, 128, 16, Formula_614ce7ce3e23bab5, syn::c128, syn::c128)

// log10(c128)
struct Formula_6673e2cfcd648aee {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::log10(v0);
        return v1;
    }
};
SYN_MAP(map_6673e2cfcd648aee, 1, 128, 16, Formula_6673e2cfcd648aee, syn::c128, syn::c128)

// sin(c128)
struct Formula_67e52d72bc01efe8 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::sin(v0);
        return v1;
    }
};
SYN_MAP(map_67e52d72bc01efe8, 1, 128, 16, Formula_67e52d72bc01efe8, syn::c128, syn::c128)

// negative(c128)
struct Formula_75d79e2aea7e71fb {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::negative(v0);
        return v1;
    }
};
SYN_MAP(map_75d79e2aea7e71fb, 1, 256, 1, Formula_75d79e2aea7e71fb, syn::c128, syn::c128)

// cos(c128)
struct Formula_8a7bbe9b5482bb1b {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::cos(v0);
        return v1;
    }
};
SYN_MAP(map_8a7bbe9b5482bb1b, 1, 128, 16, Formula_8a7bbe9b5482bb1b, syn::c128, syn::c128)

// reciprocal(c128)
struct Formula_af3d4b6be15ffab9 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::reciprocal(v0);
        return v1;
    }
};
SYN_MAP(map_af3d4b6be15ffab9, 1, 128, 16, Formula_af3d4b6be15ffab9, syn::c128, syn::c128)

// cosh(c128)
struct Formula_b76045c70b8526c0 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::cosh(v0);
        return v1;
    }
};
SYN_MAP(map_b76045c70b8526c0, 1, 128, 16, Formula_b76045c70b8526c0, syn::c128, syn::c128)

// sinh(c128)
struct Formula_c3e16bdc4b6443d9 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::sinh(v0);
        return v1;
    }
};
SYN_MAP(map_c3e16bdc4b6443d9, 1, 128, 16, Formula_c3e16bdc4b6443d9, syn::c128, syn::c128)

// tanh(c128)
struct Formula_c552b67f3a01a8d3 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::tanh(v0);
        return v1;
    }
};
SYN_MAP(map_c552b67f3a01a8d3, 1, 128, 16, Formula_c552b67f3a01a8d3, syn::c128, syn::c128)

// log1p(c128)
struct Formula_ca79b180c942790c {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::log1p(v0);
        return v1;
    }
};
SYN_MAP(map_ca79b180c942790c, 1, 128, 16, Formula_ca79b180c942790c, syn::c128, syn::c128)

// log(c128)
struct Formula_d6fad79609219625 {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::log(v0);
        return v1;
    }
};
SYN_MAP(map_d6fad79609219625, 1, 128, 16, Formula_d6fad79609219625, syn::c128, syn::c128)

// log2(c128)
struct Formula_d86c2238f7befb1f {
    SYN_INLINE static syn::c128 of(syn::c128 v0) {
        const syn::c128 v1 = syn::log2(v0);
        return v1;
    }
};
SYN_MAP(map_d86c2238f7befb1f, 1, 128, 16, Formula_d86c2238f7befb1f, syn::c128, syn::c128)
