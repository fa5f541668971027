"""Fits the polynomials of the lane kernels and prints them as Rust.

Needs mpmath. Each constant is the Chebyshev interpolant of the named function at 60 digits; the printed
error is its largest absolute deviation on the interval. Run:

    python fit_polynomials.py > ../../src/cpu/lanes/polynomials.rs
"""
import mpmath as mp

mp.mp.dps = 60
TINY = mp.mpf(10) ** -18
A = mp.log(2) / 2 * mp.mpf("1.01")
QUARTER_PI_SQUARED = (mp.pi / 4 * mp.mpf("1.01")) ** 2
ROOT = mp.sqrt(2)
LOG_EDGE = ((ROOT - 1) / (ROOT + 1)) ** 2 * mp.mpf("1.02")


def away_from_zero(f):
    return lambda x: f(x if abs(x) > TINY else TINY)


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def from_t(t):
    """The x of t = (x - 2) / (x + 2)."""
    return 2 * (1 + t) / (1 - t)


def t_of(x):
    return (mp.mpf(x) - 2) / (mp.mpf(x) + 2)


FITS = [
    ("EXP_F64", "(e^r - 1 - r) / r^2 for |r| <= ln(2)/2", away_from_zero(lambda r: (mp.exp(r) - 1 - r) / r**2), (-A, A), 10, "f64"),
    ("EXP_F32", "(e^r - 1 - r) / r^2 for |r| <= ln(2)/2", away_from_zero(lambda r: (mp.exp(r) - 1 - r) / r**2), (-A, A), 6, "f32"),
    ("LOG_F64", "(ln((1 + s) / (1 - s)) / s - 2) / z in z = s^2", away_from_zero(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z), (0, LOG_EDGE), 7, "f64"),
    ("LOG_F32", "(ln(1 + f) - f + f^2/2) / f^3 for 1 + f in [1/sqrt(2), sqrt(2)]", away_from_zero(lambda f: (mp.log(1 + f) - f + f * f / 2) / f**3), (1 / ROOT - 1 - mp.mpf("0.002"), ROOT - 1 + mp.mpf("0.002")), 9, "f32"),
    ("SIN_F64", "(sin y - y) / y^3 in z = y^2, |y| <= pi/4", away_from_zero(lambda z: (mp.sin(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3), (0, QUARTER_PI_SQUARED), 6, "f64"),
    ("COS_F64", "(cos y - 1 + y^2/2) / y^4 in z = y^2, |y| <= pi/4", away_from_zero(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2), (0, QUARTER_PI_SQUARED), 6, "f64"),
    ("SIN_SHORT", "as SIN_F64, for results rounded to f32", away_from_zero(lambda z: (mp.sin(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3), (0, QUARTER_PI_SQUARED), 3, "f64"),
    ("COS_SHORT", "as COS_F64, for results rounded to f32", away_from_zero(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2), (0, QUARTER_PI_SQUARED), 3, "f64"),
    ("ATAN_F64", "(atan(y)/y - 1) / z in z = y^2, |y| <= tan(pi/8)", away_from_zero(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z), (0, (ROOT - 1) ** 2 * mp.mpf("1.02")), 11, "f64"),
    ("ASIN_F64", "(asin(y)/y - 1) / z in z = y^2, |y| <= 1/2", away_from_zero(lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z), (0, mp.mpf("0.2501")), 13, "f64"),
    ("ERF_F64", "(erf(x)/x - 2/sqrt(pi)) / z in z = x^2, |x| <= 1", away_from_zero(lambda z: (mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 2 / mp.sqrt(mp.pi)) / z), (0, mp.mpf("1.01")), 12, "f64"),
    ("ERFCX_F64", "(1 + 2x) e^(x^2) erfc(x) in t = (x - 2) / (x + 2), x in [0.45, 28]", lambda t: (1 + 2 * from_t(t)) * erfcx(from_t(t)), (t_of("0.45"), t_of(28)), 23, "f64"),
    ("ERF_F32", "(erf(x)/x - 2/sqrt(pi)) / z in z = x^2, |x| <= 1", away_from_zero(lambda z: (mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 2 / mp.sqrt(mp.pi)) / z), (0, mp.mpf("1.01")), 7, "f32"),
    ("ERF_TAIL_F32", "-ln(1 - erf(x)) in u = x - 5/2, x in [1, 4]", lambda u: -mp.log(mp.erfc(u + mp.mpf("2.5"))), (mp.mpf("-1.51"), mp.mpf("1.51")), 9, "f32"),
]


def rust_number(value, kind):
    number = float(value)
    if kind == "f32":
        import struct
        number = struct.unpack("f", struct.pack("f", number))[0]
        text = None
        for digits in range(6, 12):
            text = f"{number:.{digits}g}"
            if struct.unpack("f", struct.pack("f", float(text)))[0] == number:
                break
    else:
        text = repr(number)
    if "e" not in text and "." not in text:
        text += ".0"
    return text


def main():
    print("//! Polynomial coefficients, lowest power first. Written by `tests/data/fit_polynomials.py`.\n")
    for name, what, f, interval, count, kind in FITS:
        coefficients, error = mp.chebyfit(f, [mp.mpf(x) for x in interval], count, error=True)
        print(f"/// {what}; error {mp.nstr(error, 2)}.")
        print("#[rustfmt::skip]")
        print(f"pub(super) const {name}: [{kind}; {count}] = [")
        for value in reversed(coefficients):
            print(f"    {rust_number(value, kind)},")
        print("];\n")


main()
