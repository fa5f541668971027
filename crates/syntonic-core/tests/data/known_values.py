"""Writes known_values.txt: values of the transcendental functions at 60 digits, rounded to double.

Needs mpmath. A line is a name, the operands' bits and the result's bits, all hexadecimal; complex numbers
are two words. Run in this directory:

    python known_values.py > known_values.txt
"""
import random
import struct

import mpmath as mp

mp.mp.dps = 60
random.seed(20)


def bits(x):
    return struct.pack(">d", float(x)).hex()


def signed(low, high):
    """A number with its size spread evenly over powers of ten."""
    return random.choice((-1, 1)) * 10 ** random.uniform(low, high)


def plain(low, high):
    return random.uniform(low, high)


def positive(low, high):
    return 10 ** random.uniform(low, high)


def expm1(x):
    with mp.workdps(400):
        return mp.exp(x) - 1


def log1p(x):
    with mp.workdps(400):
        return mp.log(1 + x)


def logaddexp(a, b):
    return mp.log(mp.exp(a) + mp.exp(b))


SIGNED = lambda: signed(-12, 0)
REAL = {
    "exp": (mp.exp, [lambda: plain(-745, 709.7), SIGNED, lambda: plain(-2, 2)]),
    "expm1": (expm1, [lambda: plain(-40, 709.7), SIGNED, lambda: plain(-2, 2)]),
    "exp2": (lambda x: mp.mpf(2) ** x, [lambda: plain(-1074, 1023.9), SIGNED, lambda: plain(-2, 2)]),
    "log": (mp.log, [lambda: positive(-320, 308), lambda: plain(0.5, 2), lambda: 1 + signed(-10, -1)]),
    "log1p": (log1p, [lambda: positive(-300, 308), SIGNED, lambda: plain(-0.9999, 2)]),
    "log2": (lambda x: mp.log(x, 2), [lambda: positive(-320, 308), lambda: plain(0.5, 2), lambda: 1 + signed(-10, -1)]),
    "log10": (mp.log10, [lambda: positive(-320, 308), lambda: plain(0.5, 2), lambda: 1 + signed(-10, -1)]),
    "sin": (mp.sin, [lambda: plain(-10, 10), lambda: signed(-12, 5), lambda: signed(5, 300)]),
    "cos": (mp.cos, [lambda: plain(-10, 10), lambda: signed(-12, 5), lambda: signed(5, 300)]),
    "tan": (mp.tan, [lambda: plain(-10, 10), lambda: signed(-12, 5), lambda: signed(5, 300)]),
    "asin": (mp.asin, [lambda: plain(-1, 1), SIGNED]),
    "acos": (mp.acos, [lambda: plain(-1, 1), SIGNED, lambda: 1 - positive(-12, -1)]),
    "atan": (mp.atan, [lambda: plain(-4, 4), lambda: signed(-12, 20)]),
    "sinh": (mp.sinh, [lambda: plain(-710.4, 710.4), SIGNED, lambda: plain(-2, 2)]),
    "cosh": (mp.cosh, [lambda: plain(-710.4, 710.4), SIGNED, lambda: plain(-2, 2)]),
    "tanh": (mp.tanh, [lambda: plain(-20, 20), SIGNED, lambda: plain(-2, 2)]),
    "asinh": (mp.asinh, [lambda: signed(-12, 300), lambda: plain(-3, 3)]),
    "acosh": (mp.acosh, [lambda: 1 + positive(-12, 0), lambda: positive(0, 300), lambda: plain(1, 3)]),
    "atanh": (mp.atanh, [lambda: plain(-1, 1), SIGNED]),
    "erf": (mp.erf, [lambda: plain(-6, 6), SIGNED, lambda: plain(-1.2, 1.2)]),
    "erfc": (mp.erfc, [lambda: plain(-6, 26), SIGNED, lambda: plain(-1.2, 3)]),
}
PAIRS = {
    "pow": (lambda a, b: a**b, lambda: (positive(-5, 5), plain(-50, 50))),
    "atan2": (mp.atan2, lambda: (signed(-5, 5), signed(-5, 5))),
    "hypot": (mp.hypot, lambda: (signed(-300, 300) if random.random() < 0.3 else signed(-3, 3), signed(-3, 3))),
    "logaddexp": (logaddexp, lambda: (plain(-30, 30), plain(-30, 30))),
}
COMPLEX = {
    "exp": mp.exp, "expm1": expm1, "log": mp.log, "log1p": log1p, "sqrt": mp.sqrt, "sin": mp.sin, "cos": mp.cos,
    "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh,
    "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh, "reciprocal": lambda z: 1 / z,
}


def main():
    for name, (function, sources) in REAL.items():
        for i in range(180):
            x = float(sources[i % len(sources)]())
            print("real", name, bits(x), bits(function(mp.mpf(x))))
    for name, (function, source) in PAIRS.items():
        for _ in range(150):
            a, b = map(float, source())
            print("pair", name, bits(a), bits(b), bits(function(mp.mpf(a), mp.mpf(b))))
    for name, function in COMPLEX.items():
        for i in range(60):
            size = signed if i % 2 else lambda low, high: plain(-3, 3)
            re, im = float(size(-8, 1)), float(size(-8, 1))
            w = function(mp.mpc(re, im))
            print("complex", name, bits(re), bits(im), bits(w.real), bits(w.imag))


main()
