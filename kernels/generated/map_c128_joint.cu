// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// divide(c128, c128)
struct Formula_0d8a041d66481ff1 {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1) {
        const syn::c128 v2 = syn::divide(v0, v1);
        return v2;
    }
};
SYN_MAP(map_0d8a041d66481ff1, 1, 128, 16, Formula_0d8a041d66481ff1, syn::c128, syn::c128, syn::c128)

// add(c128, c128)
struct Formula_5d9cfe1bd99731b0 {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1) {
        const syn::c128 v2 = syn::add(v0, v1);
        return v2;
    }
};
SYN_MAP(map_5d9cfe1bd99731b0, 1, 256, 1, Formula_5d9cfe1bd99731b0, syn::c128, syn::c128, syn::c128)

// multiply(c128, c128)
struct Formula_9c5d1974c66430ee {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1) {
        const syn::c128 v2 = syn::multiply(v0, v1);
        return v2;
    }
};
SYN_MAP(map_9c5d1974c66430ee, 1, 256, 1, Formula_9c5d1974c66430ee, syn::c128, syn::c128, syn::c128)

// pow(c128, c128)
struct Formula_a2231cb4291c4e52 {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1) {
        const syn::c128 v2 = syn::pow(v0, v1);
        return v2;
    }
};
SYN_MAP(map_a2231cb4291c4e52, 1, 256, 6, Formula_a2231cb4291c4e52, syn::c128, syn::c128, syn::c128)

// gelu(c128, c128, c128, c128, c128)
struct Formula_baa1f440479723a6 {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1, syn::c128 v3, syn::c128 v4, syn::c128 v11) {
        const syn::c128 v2 = syn::multiply(v0, v1);
        const syn::c128 v5 = syn::multiply(v4, v1);
        const syn::c128 v6 = syn::square(v1);
        const syn::c128 v7 = syn::multiply(v5, v6);
        const syn::c128 v8 = syn::add(v1, v7);
        const syn::c128 v9 = syn::multiply(v3, v8);
        const syn::c128 v10 = syn::tanh(v9);
        const syn::c128 v12 = syn::add(v10, v11);
        const syn::c128 v13 = syn::multiply(v2, v12);
        return v13;
    }
};
SYN_MAP(map_baa1f440479723a6, 1, 256, 6, Formula_baa1f440479723a6, syn::c128, syn::c128, syn::c128, syn::c128, syn::c128, syn::c128)

// subtract(c128, c128)
struct Formula_c313428865b8ca73 {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1) {
        const syn::c128 v2 = syn::subtract(v0, v1);
        return v2;
    }
};
SYN_MAP(map_c313428865b8ca73, 1, 256, 1, Formula_c313428865b8ca73, syn::c128, syn::c128, syn::c128)

// lerp(c128, c128, c128)
struct Formula_f2fb8491151c3009 {
    SYN_INLINE static syn::c128 of(syn::c128 v0, syn::c128 v1, syn::c128 v2) {
        const syn::c128 v3 = syn::subtract(v2, v0);
        const syn::c128 v4 = syn::multiply(v1, v3);
        const syn::c128 v5 = syn::add(v0, v4);
        return v5;
    }
};
SYN_MAP(map_f2fb8491151c3009, 1, 256, 1, Formula_f2fb8491151c3009, syn::c128, syn::c128, syn::c128, syn::c128)
