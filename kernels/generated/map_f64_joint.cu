// Generated from named programs by examples/generate_kernels.rs.
// One kernel a program, over contiguous operands, single elements and numbers.

#include "half.cuh"
#include "map.cuh"

// maximum(f64, f64)
struct Formula_0eac7478fd6e572b {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::maximum(v0, v1);
        return v2;
    }
};
SYN_MAP(map_0eac7478fd6e572b, 1, 256, 1, Formula_0eac7478fd6e572b, double, double, double)

// log_sigmoid(f64, f64)
struct Formula_14e83f9bfd497438 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::minimum(v0, v1);
        const double v3 = syn::abs(v0);
        const double v4 = syn::negative(v3);
        const double v5 = syn::exp(v4);
        const double v6 = syn::log1p(v5);
        const double v7 = syn::subtract(v2, v6);
        return v7;
    }
};
SYN_MAP(map_14e83f9bfd497438, 1, 256, 1, Formula_14e83f9bfd497438, double, double, double)

// subtract(f64, f64)
struct Formula_1a387af7c2de91f3 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::subtract(v0, v1);
        return v2;
    }
};
SYN_MAP(map_1a387af7c2de91f3, 1, 256, 1, Formula_1a387af7c2de91f3, double, double, double)

// relu(f64, f64, f64)
struct Formula_1a8d10b5a749d905 {
    SYN_INLINE static double of(double v0, double v1, double v3) {
        const bool v2 = syn::less_equal(v0, v1);
        const double v4 = syn::where(v2, v3, v0);
        return v4;
    }
};
SYN_MAP(map_1a8d10b5a749d905, 1, 256, 1, Formula_1a8d10b5a749d905, double, double, double, double)

// remainder(f64, f64)
struct Formula_1ffe7e372596af57 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::remainder(v0, v1);
        return v2;
    }
};
SYN_MAP(map_1ffe7e372596af57, 1, 256, 1, Formula_1ffe7e372596af57, double, double, double)

// mish(f64, f64)
struct Formula_2220678c86377f2e {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::maximum(v0, v1);
        const double v3 = syn::abs(v0);
        const double v4 = syn::negative(v3);
        const double v5 = syn::exp(v4);
        const double v6 = syn::log1p(v5);
        const double v7 = syn::add(v2, v6);
        const double v8 = syn::tanh(v7);
        const double v9 = syn::multiply(v0, v8);
        return v9;
    }
};
SYN_MAP(map_2220678c86377f2e, 1, 256, 1, Formula_2220678c86377f2e, double, double, double)

// leaky_relu(f64, f64, f64)
struct Formula_232f4afd5c3809ad {
    SYN_INLINE static double of(double v0, double v1, double v3) {
        const bool v2 = syn::greater_equal(v0, v1);
        const double v4 = syn::multiply(v3, v0);
        const double v5 = syn::where(v2, v0, v4);
        return v5;
    }
};
SYN_MAP(map_232f4afd5c3809ad, 1, 256, 1, Formula_232f4afd5c3809ad, double, double, double, double)

// sigmoid(f64, f64, f64, f64)
struct Formula_2f9d24862f63da0b {
    SYN_INLINE static double of(double v0, double v1, double v3, double v8) {
        const bool v2 = syn::greater_equal(v0, v1);
        const double v4 = syn::negative(v0);
        const double v5 = syn::where(v2, v4, v0);
        const double v6 = syn::exp(v5);
        const double v7 = syn::where(v2, v3, v6);
        const double v9 = syn::add(v6, v8);
        const double v10 = syn::divide(v7, v9);
        return v10;
    }
};
SYN_MAP(map_2f9d24862f63da0b, 1, 256, 1, Formula_2f9d24862f63da0b, double, double, double, double, double)

// silu(f64, f64, f64, f64)
struct Formula_30a917177a125827 {
    SYN_INLINE static double of(double v0, double v1, double v3, double v8) {
        const bool v2 = syn::greater_equal(v0, v1);
        const double v4 = syn::negative(v0);
        const double v5 = syn::where(v2, v4, v0);
        const double v6 = syn::exp(v5);
        const double v7 = syn::where(v2, v3, v6);
        const double v9 = syn::add(v6, v8);
        const double v10 = syn::divide(v7, v9);
        const double v11 = syn::multiply(v0, v10);
        return v11;
    }
};
SYN_MAP(map_30a917177a125827, 1, 256, 1, Formula_30a917177a125827, double, double, double, double, double)

// hypot(f64, f64)
struct Formula_3c4525d1106519b5 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::hypot(v0, v1);
        return v2;
    }
};
SYN_MAP(map_3c4525d1106519b5, 1, 256, 1, Formula_3c4525d1106519b5, double, double, double)

// logaddexp(f64, f64)
struct Formula_535d32ce9b458f45 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::logaddexp(v0, v1);
        return v2;
    }
};
SYN_MAP(map_535d32ce9b458f45, 1, 256, 1, Formula_535d32ce9b458f45, double, double, double)

// divide(f64, f64)
struct Formula_64af3c8cc36de771 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::divide(v0, v1);
        return v2;
    }
};
SYN_MAP(map_64af3c8cc36de771, 1, 256, 1, Formula_64af3c8cc36de771, double, double, double)

// elu(f64, f64, f64, f64)
struct Formula_66f1ad0886fd83d8 {
    SYN_INLINE static double of(double v0, double v1, double v3, double v4) {
        const bool v2 = syn::greater(v0, v1);
        const double v5 = syn::where(v2, v4, v0);
        const double v6 = syn::expm1(v5);
        const double v7 = syn::multiply(v3, v6);
        const double v8 = syn::where(v2, v0, v7);
        return v8;
    }
};
SYN_MAP(map_66f1ad0886fd83d8, 1, 256, 1, Formula_66f1ad0886fd83d8, double, double, double, double, double)

// clip(f64, f64, f64)
struct Formula_7123b398bbebca7f {
    SYN_INLINE static double of(double v0, double v1, double v3) {
        const double v2 = syn::maximum(v0, v1);
        const double v4 = syn::minimum(v2, v3);
        return v4;
    }
};
SYN_MAP(map_7123b398bbebca7f, 1, 256, 1, Formula_7123b398bbebca7f, double, double, double, double)

// softplus(f64, f64)
struct Formula_7ae7fa9cb01b1a9e {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::maximum(v0, v1);
        const double v3 = syn::abs(v0);
        const double v4 = syn::negative(v3);
        const double v5 = syn::exp(v4);
        const double v6 = syn::log1p(v5);
        const double v7 = syn::add(v2, v6);
        return v7;
    }
};
SYN_MAP(map_7ae7fa9cb01b1a9e, 1, 256, 1, Formula_7ae7fa9cb01b1a9e, double, double, double)

// floor_divide(f64, f64)
struct Formula_a3702ccd0e94a104 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::floor_divide(v0, v1);
        return v2;
    }
};
SYN_MAP(map_a3702ccd0e94a104, 1, 256, 1, Formula_a3702ccd0e94a104, double, double, double)

// gelu(f64, f64, f64, f64, f64)
struct Formula_a529cf61d858f56e {
    SYN_INLINE static double of(double v0, double v1, double v3, double v4, double v11) {
        const double v2 = syn::multiply(v0, v1);
        const double v5 = syn::multiply(v4, v1);
        const double v6 = syn::square(v1);
        const double v7 = syn::multiply(v5, v6);
        const double v8 = syn::add(v1, v7);
        const double v9 = syn::multiply(v3, v8);
        const double v10 = syn::tanh(v9);
        const double v12 = syn::add(v10, v11);
        const double v13 = syn::multiply(v2, v12);
        return v13;
    }
};
SYN_MAP(map_a529cf61d858f56e, 1, 256, 1, Formula_a529cf61d858f56e, double, double, double, double, double, double)

// gelu_erf(f64, f64, f64)
struct Formula_a7277ff72ab345f6 {
    SYN_INLINE static double of(double v0, double v1, double v3) {
        const double v2 = syn::multiply(v0, v1);
        const double v4 = syn::multiply(v1, v3);
        const double v5 = syn::erfc(v4);
        const double v6 = syn::multiply(v2, v5);
        return v6;
    }
};
SYN_MAP(map_a7277ff72ab345f6, 1, 256, 1, Formula_a7277ff72ab345f6, double, double, double, double)

// minimum(f64, f64)
struct Formula_a936300c714cbe68 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::minimum(v0, v1);
        return v2;
    }
};
SYN_MAP(map_a936300c714cbe68, 1, 256, 1, Formula_a936300c714cbe68, double, double, double)

// add(f64, f64)
struct Formula_b4c2368b36bcf930 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::add(v0, v1);
        return v2;
    }
};
SYN_MAP(map_b4c2368b36bcf930, 1, 256, 1, Formula_b4c2368b36bcf930, double, double, double)

// lerp(f64, f64, f64)
struct Formula_b88c9e5dc1aba48f {
    SYN_INLINE static double of(double v0, double v1, double v2) {
        const double v3 = syn::subtract(v2, v0);
        const double v4 = syn::multiply(v1, v3);
        const double v5 = syn::add(v0, v4);
        return v5;
    }
};
SYN_MAP(map_b88c9e5dc1aba48f, 1, 256, 1, Formula_b88c9e5dc1aba48f, double, double, double, double)

// atan2(f64, f64)
struct Formula_d6a441a735f1657a {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::atan2(v0, v1);
        return v2;
    }
};
SYN_MAP(map_d6a441a735f1657a, 1, 256, 1, Formula_d6a441a735f1657a, double, double, double)

// nextafter(f64, f64)
struct Formula_e6425dbd4a65896f {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::nextafter(v0, v1);
        return v2;
    }
};
SYN_MAP(map_e6425dbd4a65896f, 1, 256, 1, Formula_e6425dbd4a65896f, double, double, double)

// multiply(f64, f64)
struct Formula_f38251e42389f86e {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::multiply(v0, v1);
        return v2;
    }
};
SYN_MAP(map_f38251e42389f86e, 1, 256, 1, Formula_f38251e42389f86e, double, double, double)

// pow(f64, f64)
struct Formula_f9485523864215d2 {
    SYN_INLINE static double of(double v0, double v1) {
        const double v2 = syn::pow(v0, v1);
        return v2;
    }
};
SYN_MAP(map_f9485523864215d2, 1, 256, 1, Formula_f9485523864215d2, double, double, double)
