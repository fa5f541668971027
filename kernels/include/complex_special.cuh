// Complex functions with the special cases of C99 Annex G, in double, for any operand: the CPU's compositions, term by
// term. complex.cuh sends the operands here that are not common.
#pragma once
#include "real.cuh"

namespace syn {
namespace annex_g {

typedef c128 C;

SYN_INLINE C undefined() { return {not_a_number(0.0), not_a_number(0.0)}; }
SYN_INLINE C turned(C z) { return {-z.im, z.re}; }
SYN_INLINE C turned_back(C z) { return {z.im, -z.re}; }
SYN_INLINE bool infinite(double x) { return fabs(x) == infinity(x); }
SYN_INLINE bool finite(double x) { return fabs(x) < infinity(x); }
SYN_INLINE bool undefined(double x) { return x != x; }

// The exponent of the larger part; 0 for what has none.
SYN_INLINE int exponent(C z) {
    double largest = fmax(fabs(z.re), fabs(z.im));
    if (largest == 0.0 || !finite(largest)) return 0;
    int bits = int(bits_as<uint64_t>(largest) >> 52) & 0x7ff;
    return bits == 0 ? -1074 : bits - 1023;
}
SYN_INLINE double power_of_two(int k) { return bits_as<double>(uint64_t(int64_t(k) + 1023) << 52); }

// z 2^k, in steps that do not overflow on the way.
SYN_INLINE C scaled(C z, int k) {
    int quarter = k / 4;
    double step = power_of_two(quarter), last = power_of_two(k - 3 * quarter);
    return {z.re * step * step * step * last, z.im * step * step * step * last};
}

// The infinities and zeros that the quotient's formula turns into NaN.
SYN_INLINE C divide_special(C a, C b, double square) {
    auto unit = [](double x) { return ::copysign(infinite(x) ? 1.0 : 0.0, x); };
    double top = infinity(0.0);
    if (square == 0.0 && !(undefined(a.re) && undefined(a.im))) {
        double far = ::copysign(top, b.re);
        return {far * a.re, far * a.im};
    }
    if ((infinite(a.re) || infinite(a.im)) && finite(b.re) && finite(b.im)) {
        double x = unit(a.re), y = unit(a.im);
        return {top * (x * b.re + y * b.im), top * (y * b.re - x * b.im)};
    }
    if ((infinite(b.re) || infinite(b.im)) && finite(a.re) && finite(a.im)) {
        double x = unit(b.re), y = unit(b.im);
        return {0.0 * (a.re * x + a.im * y), 0.0 * (a.im * x - a.re * y)};
    }
    return undefined();
}

// a/b, with both scaled near 1.
SYN_CALL C divide(C a, C b) {
    int ka = exponent(a), kb = exponent(b);
    C u = scaled(a, -ka), v = scaled(b, -kb);
    double square = v.re * v.re + v.im * v.im;
    C quotient = {(u.re * v.re + u.im * v.im) / square, (u.im * v.re - u.re * v.im) / square};
    C result = scaled(quotient, ka - kb);
    return undefined(result.re) && undefined(result.im) ? divide_special(a, b, square) : result;
}

SYN_CALL C sqrt(C z) {
    double x = z.re, y = z.im, top = infinity(0.0);
    if (x == 0.0 && y == 0.0) return {0.0, y};
    if (infinite(y)) return {top, y};
    if (infinite(x)) {
        double other = undefined(y) ? y : ::copysign(0.0, y);
        return x > 0.0 ? C{x, other} : C{fabs(other), ::copysign(top, y)};
    }
    if (undefined(x) || undefined(y)) return undefined();
    int k = exponent(z) & ~1;  // an even power of two comes out of the root exactly
    C w = scaled(z, -k);
    double t = ::sqrt(0.5 * (fabs(w.re) + hypot(w.re, w.im)));
    C root = x >= 0.0 ? C{t, w.im / (2.0 * t)} : C{fabs(w.im) / (2.0 * t), ::copysign(t, y)};
    return scaled(root, k / 2);
}

SYN_CALL C exp(C z) {
    double x = z.re, y = z.im, top = infinity(0.0);
    if (y == 0.0) return {::exp(x), y};
    if (x == top && !finite(y)) return {x, not_a_number(0.0)};
    if (x == -top && !finite(y)) return {0.0, ::copysign(0.0, y)};
    double s, c;
    ::sincos(y, &s, &c);
    if (fabs(x) > 700.0) {  // two factors, so that a small sine is not lost to an overflow of e^x
        double half = ::exp(0.5 * x);
        return {half * c * half, half * s * half};
    }
    double e = ::exp(x);
    return {e * c, e * s};
}

// e^z - 1: Re = (e^x - 1) cos y - 2 sin^2(y/2).
SYN_CALL C expm1(C z) {
    double x = z.re, y = z.im;
    if (!finite(x) || !finite(y) || x > 700.0) {
        C e = exp(z);
        return {e.re - 1.0, e.im};
    }
    if (y == 0.0) return {::expm1(x), y};
    double s, c, half = ::sin(0.5 * y);
    ::sincos(y, &s, &c);
    double e = ::expm1(x);
    return {e * c - 2.0 * half * half, ::exp(x) * s};
}

SYN_CALL C log(C z) {
    double large = fmax(fabs(z.re), fabs(z.im)), small = fmin(fabs(z.re), fabs(z.im));
    double re;
    if (large > 0.5 && large < 2.0 && !undefined(z.re) && !undefined(z.im))
        re = 0.5 * ::log1p((large - 1.0) * (large + 1.0) + small * small);
    else if (large > 1e300 && finite(large))
        re = ::log(hypot(z.re * 0.25, z.im * 0.25)) + 2.0 * LN_2;
    else
        re = ::log(hypot(z.re, z.im));
    return {re, ::atan2(z.im, z.re)};
}

SYN_CALL C log1p(C z) {
    double x = z.re, y = z.im;
    if (!(fabs(x) < 2.0 && fabs(y) < 2.0)) return log({1.0 + x, y});
    if (y == 0.0 && x >= -1.0) return {::log1p(x), y};
    double u = 1.0 + x, excess = x * (2.0 + x) + y * y;
    double re = excess > -0.5 ? 0.5 * ::log1p(excess) : ::log(hypot(u, y));
    return {re, ::atan2(y, u)};
}

SYN_INLINE C multiply(C a, C b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

SYN_INLINE C positive_power(C base, unsigned rest) {
    C power = base;
    bool started = false;
    while (true) {
        if (rest & 1) {
            power = started ? multiply(power, base) : base;
            started = true;
        }
        rest >>= 1;
        if (rest == 0) return power;
        base = multiply(base, base);
    }
}

// a^b: products for small integer exponents, else e^(b ln a).
SYN_CALL C pow(C a, C b) {
    if (b.re == 0.0 && b.im == 0.0) return {1.0, 0.0};
    if (a.re == 0.0 && a.im == 0.0) return b.re > 0.0 ? C{0.0, 0.0} : undefined();
    if (b.im == 0.0 && ::trunc(b.re) == b.re && fabs(b.re) <= 64.0) {
        C power = positive_power(a, unsigned(fabs(b.re)));
        return b.re < 0.0 ? divide({1.0, 0.0}, power) : power;
    }
    return exp(multiply(b, log(a)));
}

SYN_CALL C sinh(C z) {
    double x = z.re, y = z.im;
    if (y == 0.0) return {::sinh(x), y};
    if ((x == 0.0 || infinite(x)) && !finite(y)) return {x, not_a_number(0.0)};
    double s, c;
    ::sincos(y, &s, &c);
    if (x == 0.0) return {x * c, s};
    if (infinite(x)) return {x * c, fabs(x) * s};
    if (fabs(x) > 700.0) {
        double half = ::exp(0.5 * fabs(x));
        return {::copysign(0.5 * half * c * half, x * c), 0.5 * half * s * half};
    }
    return {::sinh(x) * c, ::cosh(x) * s};
}

SYN_CALL C cosh(C z) {
    double x = z.re, y = z.im;
    if (y == 0.0) return {::cosh(x), y * ::copysign(0.0, x)};
    if (x == 0.0 && !finite(y)) return {not_a_number(0.0), x};
    if (infinite(x) && !finite(y)) return {infinity(0.0), not_a_number(0.0)};
    double s, c;
    ::sincos(y, &s, &c);
    if (x == 0.0) return {c, x * s};
    if (infinite(x)) return {fabs(x) * c, x * s};
    if (fabs(x) > 700.0) {
        double half = ::exp(0.5 * fabs(x));
        return {0.5 * half * c * half, (0.5 * half * s * half) * ::copysign(1.0, x)};
    }
    return {::cosh(x) * c, ::sinh(x) * s};
}

// By Kahan's formula.
SYN_CALL C tanh(C z) {
    double x = z.re, y = z.im;
    if (infinite(x)) {
        double im = finite(y) ? ::sin(2.0 * y) : y;
        return {::copysign(1.0, x), ::copysign(0.0, im)};
    }
    if (undefined(x)) return {x, y == 0.0 ? y : x};
    if (!finite(y)) return {x == 0.0 ? x : not_a_number(0.0), not_a_number(0.0)};
    double s, c;
    ::sincos(y, &s, &c);
    if (fabs(x) > 22.0) {
        double decay = ::exp(-fabs(x));
        return {::copysign(1.0, x), 4.0 * s * c * decay * decay};
    }
    double t = s / c, beta = 1.0 + t * t, h = ::sinh(x);
    double rho = ::sqrt(1.0 + h * h), below = 1.0 + beta * h * h;
    return {beta * rho * h / below, t / below};
}

// sqrt(1 - z) and sqrt(1 + z), the factors of Kahan's inverse functions.
SYN_INLINE void roots(C z, C& below, C& above) {
    below = sqrt({1.0 - z.re, -z.im});
    above = sqrt({1.0 + z.re, z.im});
}
// Beyond 1e8 the 1 in 1 +- z is lost, and the inverse functions are logarithms.
SYN_INLINE bool is_large(C z) { return fabs(z.re) > 1e8 || fabs(z.im) > 1e8; }
SYN_INLINE double log_twice(C z) { return log(z).re + LN_2; }

SYN_INLINE C asin_near(C z) {
    C below, above;
    roots(z, below, above);
    double re = ::atan2(z.re, below.re * above.re - below.im * above.im);
    double im = below.re * above.im - below.im * above.re;
    return {re, ::copysign(fabs(::asinh(im)), z.im)};
}

SYN_CALL C asinh(C z) {
    double x = z.re, y = z.im, nan = not_a_number(0.0);
    if (undefined(x) || undefined(y)) {
        if (infinite(x)) return {x, nan};
        if (infinite(y)) return {infinity(0.0), nan};
        if (y == 0.0) return {x, y};
        return undefined();
    }
    if (is_large(z)) return {::copysign(log_twice(z), x), ::copysign(::atan2(fabs(y), fabs(x)), y)};
    return turned_back(asin_near(turned(z)));
}

SYN_CALL C acos(C z) {
    double x = z.re, y = z.im, nan = not_a_number(0.0);
    if (undefined(x) || undefined(y)) {
        if (infinite(x)) return {nan, infinity(0.0)};
        if (infinite(y)) return {nan, -y};
        if (x == 0.0) return {HALF_PI, nan};
        return undefined();
    }
    if (is_large(z)) return {::atan2(fabs(y), x), -::copysign(log_twice(z), y)};
    C below, above;
    roots(z, below, above);
    double im = above.re * below.im - above.im * below.re;
    return {2.0 * ::atan2(below.re, above.re), -::copysign(fabs(::asinh(im)), y)};
}

// acos turned into the right half plane.
SYN_CALL C acosh(C z) {
    C w = acos(z);
    if (undefined(w.re) && !undefined(w.im)) return {fabs(w.im), w.re};
    if (z.re == 0.0 && undefined(z.im)) return {not_a_number(0.0), HALF_PI};
    return {fabs(w.im), ::copysign(w.re, z.im)};
}

SYN_CALL C atanh(C z) {
    double x = z.re, y = z.im;
    if (undefined(x) || undefined(y)) {
        if (infinite(y)) return {0.0, ::copysign(HALF_PI, y)};
        if (infinite(x) || x == 0.0) return {::copysign(0.0, x), not_a_number(0.0)};
        return undefined();
    }
    if (is_large(z)) {
        double inverse = finite(x) && finite(y) ? divide({1.0, 0.0}, z).re : 0.0;
        return {::copysign(fabs(inverse), x), ::copysign(HALF_PI, y)};
    }
    double a = fabs(x);
    double re = 0.25 * ::log1p(4.0 * a / ((1.0 - a) * (1.0 - a) + y * y));
    double im = a == 1.0 && y == 0.0 ? y : 0.5 * ::atan2(2.0 * y, (1.0 - a) * (1.0 + a) - y * y);
    return {::copysign(re, x), im};
}

SYN_CALL C sign(C z) {
    if (undefined(z.re) || undefined(z.im)) return undefined();
    if (z.re == 0.0 && z.im == 0.0) return {0.0, 0.0};
    auto part = [](double x) { return ::copysign(infinite(x) ? 1.0 : 0.0, x); };
    C direction = infinite(z.re) || infinite(z.im) ? C{part(z.re), part(z.im)} : scaled(z, -exponent(z));
    double length = hypot(direction.re, direction.im);
    return {direction.re / length, direction.im / length};
}

}  // namespace annex_g

}  // namespace syn
