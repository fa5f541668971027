// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// add(c64, c64)
struct Formula_0e155ae63a1e38b5 {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1) {
        const syn::c64 v2 = syn::add(v0, v1);
        return v2;
    }
};
SYN_MAP(map_0e155ae63a1e38b5, 1, 256, 1, Formula_0e155ae63a1e38b5, syn::c64, syn::c64, syn::c64)

// lerp(c64, c64, c64)
struct Formula_19b30985dc92ae19 {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1, syn::c64 v2) {
        const syn::c64 v3 = syn::subtract(v2, v0);
        const syn::c64 v4 = syn::multiply(v1, v3);
        const syn::c64 v5 = syn::add(v0, v4);
        return v5;
    }
};
SYN_MAP(map_19b30985dc92ae19, 1, 256, 1, Formula_19b30985dc92ae19, syn::c64, syn::c64, syn::c64, syn::c64)

// divide(c64, c64)
struct Formula_529c4e65e7fd0fac {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1) {
        const syn::c64 v2 = syn::divide(v0, v1);
        return v2;
    }
};
SYN_MAP(map_529c4e65e7fd0fac, 2, 128, 1, Formula_529c4e65e7fd0fac, syn::c64, syn::c64, syn::c64)

// subtract(c64, c64)
struct Formula_a2ae737cfcf26716 {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1) {
        const syn::c64 v2 = syn::subtract(v0, v1);
        return v2;
    }
};
SYN_MAP(map_a2ae737cfcf26716, 1, 256, 1, Formula_a2ae737cfcf26716, syn::c64, syn::c64, syn::c64)

// multiply(c64, c64)
struct Formula_c9649c909c47009b {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1) {
        const syn::c64 v2 = syn::multiply(v0, v1);
        return v2;
    }
};
SYN_MAP(map_c9649c909c47009b, 1, 256, 1, Formula_c9649c909c47009b, syn::c64, syn::c64, syn::c64)

// pow(c64, c64)
struct Formula_cf2a9fcffeff1dff {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1) {
        const syn::c64 v2 = syn::pow(v0, v1);
        return v2;
    }
};
SYN_MAP(map_cf2a9fcffeff1dff, 2, 128, 1, Formula_cf2a9fcffeff1dff, syn::c64, syn::c64, syn::c64)

// gelu(c64, c64, c64, c64, c64)
struct Formula_f1f8b04354b04958 {
    SYN_INLINE static syn::c64 of(syn::c64 v0, syn::c64 v1, syn::c64 v3, syn::c64 v4, syn::c64 v11) {
        const syn::c64 v2 = syn::multiply(v0, v1);
        const syn::c64 v5 = syn::multiply(v4, v1);
        const syn::c64 v6 = syn::square(v1);
        const syn::c64 v7 = syn::multiply(v5, v6);
        const syn::c64 v8 = syn::add(v1, v7);
        const syn::c64 v9 = syn::multiply(v3, v8);
        const syn::c64 v10 = syn::tanh(v9);
        const syn::c64 v12 = syn::add(v10, v11);
        const syn::c64 v13 = syn::multiply(v2, v12);
        return v13;
    }
};
SYN_MAP(map_f1f8b04354b04958, 2, 128, 1, Formula_f1f8b04354b04958, syn::c64, syn::c64, syn::c64, syn::c64, syn::c64, syn::c64)
