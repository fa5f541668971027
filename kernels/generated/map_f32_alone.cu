// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// atanh(f32)
struct Formula_00d02c50e6cc2f04 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::atanh(v0);
        return v1;
    }
};
SYN_MAP(map_00d02c50e6cc2f04, 1, 256, 1, Formula_00d02c50e6cc2f04, float, float)

// acosh(f32)
struct Formula_0d51526626ab4c1d {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::acosh(v0);
        return v1;
    }
};
SYN_MAP(map_0d51526626ab4c1d, 1, 256, 1, Formula_0d51526626ab4c1d, float, float)

// erf(f32)
struct Formula_0ec29d091548b117 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::erf(v0);
        return v1;
    }
};
SYN_MAP(map_0ec29d091548b117, 1, 256, 1, Formula_0ec29d091548b117, float, float)

// expm1(f32)
struct Formula_104d51bfc18fa7eb {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::expm1(v0);
        return v1;
    }
};
SYN_MAP(map_104d51bfc18fa7eb, 1, 256, 1, Formula_104d51bfc18fa7eb, float, float)

// tan(f32)
struct Formula_3a35d991ddadb7c2 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::tan(v0);
        return v1;
    }
};
SYN_MAP(map_3a35d991ddadb7c2, 1, 256, 1, Formula_3a35d991ddadb7c2, float, float)

// acos(f32)
struct Formula_3ba72434cc4b1cbc {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::acos(v0);
        return v1;
    }
};
SYN_MAP(map_3ba72434cc4b1cbc, 1, 256, 1, Formula_3ba72434cc4b1cbc, float, float)

// log10(f32)
struct Formula_3bc08e4889f4ae96 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::log10(v0);
        return v1;
    }
};
SYN_MAP(map_3bc08e4889f4ae96, 1, 256, 1, Formula_3bc08e4889f4ae96, float, float)

// sin(f32)
struct Formula_3d31d8eb78921390 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::sin(v0);
        return v1;
    }
};
SYN_MAP(map_3d31d8eb78921390, 1, 256, 1, Formula_3d31d8eb78921390, float, float)

// asin(f32)
struct Formula_48284a4a0c2a39d5 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::asin(v0);
        return v1;
    }
};
SYN_MAP(map_48284a4a0c2a39d5, 1, 256, 1, Formula_48284a4a0c2a39d5, float, float)

// atan(f32)
struct Formula_499994ecfac79ecf {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::atan(v0);
        return v1;
    }
};
SYN_MAP(map_499994ecfac79ecf, 1, 256, 1, Formula_499994ecfac79ecf, float, float)

// abs(f32)
struct Formula_4ed9fa0247b200e2 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::abs(v0);
        return v1;
    }
};
SYN_MAP(map_4ed9fa0247b200e2, 1, 256, 1, Formula_4ed9fa0247b200e2, float, float)

// square(f32)
struct Formula_504b44a5364f65dc {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::square(v0);
        return v1;
    }
};
SYN_MAP(map_504b44a5364f65dc, 1, 256, 1, Formula_504b44a5364f65dc, float, float)

// sqrt(f32)
struct Formula_5e3db55d64cbe7ef {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::sqrt(v0);
        return v1;
    }
};
SYN_MAP(map_5e3db55d64cbe7ef, 1, 256, 1, Formula_5e3db55d64cbe7ef, float, float)

// tanh(f32)
struct Formula_7157211722893a3b {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::tanh(v0);
        return v1;
    }
};
SYN_MAP(map_7157211722893a3b, 1, 256, 1, Formula_7157211722893a3b, float, float)

// exp(f32)
struct Formula_7808d0cf5e110148 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::exp(v0);
        return v1;
    }
};
SYN_MAP(map_7808d0cf5e110148, 1, 256, 1, Formula_7808d0cf5e110148, float, float)

// erfc(f32)
struct Formula_9cca5d9feaee40e6 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::erfc(v0);
        return v1;
    }
};
SYN_MAP(map_9cca5d9feaee40e6, 1, 256, 1, Formula_9cca5d9feaee40e6, float, float)

// exp2(f32)
struct Formula_9e551256973537ba {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::exp2(v0);
        return v1;
    }
};
SYN_MAP(map_9e551256973537ba, 1, 256, 1, Formula_9e551256973537ba, float, float)

// log1p(f32)
struct Formula_9fc65cf985d29cb4 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::log1p(v0);
        return v1;
    }
};
SYN_MAP(map_9fc65cf985d29cb4, 1, 256, 1, Formula_9fc65cf985d29cb4, float, float)

// cos(f32)
struct Formula_ac2e18fb080827f3 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::cos(v0);
        return v1;
    }
};
SYN_MAP(map_ac2e18fb080827f3, 1, 256, 1, Formula_ac2e18fb080827f3, float, float)

// log(f32)
struct Formula_ac47830ec5b1b9cd {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::log(v0);
        return v1;
    }
};
SYN_MAP(map_ac47830ec5b1b9cd, 1, 256, 1, Formula_ac47830ec5b1b9cd, float, float)

// log2(f32)
struct Formula_adb8cdb1b44f1ec7 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::log2(v0);
        return v1;
    }
};
SYN_MAP(map_adb8cdb1b44f1ec7, 1, 256, 1, Formula_adb8cdb1b44f1ec7, float, float)

// negative(f32)
struct Formula_c0d2396b720c7113 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::negative(v0);
        return v1;
    }
};
SYN_MAP(map_c0d2396b720c7113, 1, 256, 1, Formula_c0d2396b720c7113, float, float)

// cosh(f32)
struct Formula_d912a026bf0a9398 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::cosh(v0);
        return v1;
    }
};
SYN_MAP(map_d912a026bf0a9398, 1, 256, 1, Formula_d912a026bf0a9398, float, float)

// sinh(f32)
struct Formula_e593c63bfee9b0b1 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::sinh(v0);
        return v1;
    }
};
SYN_MAP(map_e593c63bfee9b0b1, 1, 256, 1, Formula_e593c63bfee9b0b1, float, float)

// rsqrt(f32)
struct Formula_ec4575f43a7177be {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::rsqrt(v0);
        return v1;
    }
};
SYN_MAP(map_ec4575f43a7177be, 1, 256, 1, Formula_ec4575f43a7177be, float, float)

// reciprocal(f32)
struct Formula_fa37e6ac68edf9d1 {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::reciprocal(v0);
        return v1;
    }
};
SYN_MAP(map_fa37e6ac68edf9d1, 1, 256, 1, Formula_fa37e6ac68edf9d1, float, float)

// asinh(f32)
struct Formula_ff5ee1adf82eca0a {
    SYN_INLINE static float of(float v0) {
        const float v1 = syn::asinh(v0);
        return v1;
    }
};
SYN_MAP(map_ff5ee1adf82eca0a, 1, 256, 1, Formula_ff5ee1adf82eca0a, float, float)
