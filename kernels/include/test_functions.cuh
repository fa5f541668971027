// Objectives that are sums over coordinates, as `syntonic_srt::evolve::device` computes them: terms in the search's own type, sums in
// double precision.
#pragma once
#include "native_types.cuh"

// The nearest integer, by adding what has no place for less.
__device__ __forceinline__ f32 nearest_integer(f32 x) {
    return __fsub_rn(__fadd_rn(x, 12582912.0f), 12582912.0f);
}
__device__ __forceinline__ f64 nearest_integer(f64 x) {
    return __dsub_rn(__dadd_rn(x, 6755399441055744.0), 6755399441055744.0);
}

// cos(2 pi x): x less the nearest integer is exact, and so is what is left of it beside the nearest quarter turn. Beyond 2^22 and 2^51
// every number counts as whole.
template <class T>
__device__ __forceinline__ T cosine_of_turns(T x, T whole_from, const T (&sine)[4], const T (&cosine)[4]) {
    if (!(fabs(x) < whole_from)) return x - x + T(1);
    T r = x - nearest_integer(x);
    T quarter = nearest_integer(r * T(4));
    T t = (r - quarter * T(0.25)) * T(6.283185307179586);
    T z = t * t;
    T s = ((sine[3] * z + sine[2]) * z + sine[1]) * z + sine[0];
    T c = ((cosine[3] * z + cosine[2]) * z + cosine[1]) * z + cosine[0];
    s = t + t * z * s;
    c = T(1) + z * c;
    return quarter == T(0) ? c : quarter == T(1) ? -s : quarter == T(-1) ? s : -c;
}
__device__ __forceinline__ f32 cosine_of_turns(f32 x) {
    const f32 sine[4] = {-0.16666667f, 0.008333333f, -1.984127e-4f, 2.7557319e-6f};
    const f32 cosine[4] = {-0.5f, 0.041666668f, -0.0013888889f, 2.4801588e-5f};
    return cosine_of_turns<f32>(x, 4194304.0f, sine, cosine);
}
__device__ __forceinline__ f64 cosine_of_turns(f64 x) {
    if (!(fabs(x) < 2251799813685248.0)) return x - x + 1.0;
    f64 r = x - nearest_integer(x);
    f64 quarter = nearest_integer(r * 4.0);
    f64 t = (r - quarter * 0.25) * 6.283185307179586;
    f64 z = t * t;
    f64 s = -7.647163731819816e-13, c = 4.779477332387385e-14;
    s = s * z + 1.6059043836821613e-10;
    s = s * z + -2.505210838544172e-8;
    s = s * z + 2.7557319223985893e-6;
    s = s * z + -1.984126984126984e-4;
    s = s * z + 0.008333333333333333;
    s = s * z + -0.16666666666666666;
    c = c * z + -1.1470745597729725e-11;
    c = c * z + 2.08767569878681e-9;
    c = c * z + -2.755731922398589e-7;
    c = c * z + 2.48015873015873e-5;
    c = c * z + -0.001388888888888889;
    c = c * z + 0.041666666666666664;
    c = c * z + -0.5;
    s = t + t * z * s;
    c = 1.0 + z * c;
    return quarter == 0 ? c : quarter == 1 ? -s : quarter == -1 ? s : -c;
}

// Functions by their number.
enum Function : u32 { SPHERE = 0, WEIGHTED = 1, RASTRIGIN = 2, ACKLEY = 3, ROSENBROCK = 4 };

struct Totals {
    f64 first, second;
};

// The term of a coordinate; `next` is the coordinate after it and `weight` its own, where the function has them.
template <u32 F, class T>
__device__ __forceinline__ void add_term(Totals& to, T x, T next, f64 weight, bool last) {
    if (F == SPHERE) {
        to.first = to.first + f64(x * x);
    } else if (F == WEIGHTED) {
        to.first = to.first + f64(x) * f64(x) * weight;
    } else if (F == RASTRIGIN) {
        to.first = to.first + f64(x * x - T(10) * cosine_of_turns(x));
    } else if (F == ACKLEY) {
        to.first = to.first + f64(x * x);
        to.second = to.second + f64(cosine_of_turns(x));
    } else if (!last) {
        T bend = next - x * x, way = T(1) - x;
        to.first = to.first + f64(T(100) * (bend * bend) + way * way);
    }
}
