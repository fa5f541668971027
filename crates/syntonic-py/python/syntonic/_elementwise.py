"""Element-wise functions. Written by `cargo xtask gen` from the tables of the engine; do not edit.

Operands broadcast together; a Python number takes the type of what it meets. The result goes to `out` if that is given.
"""

from __future__ import annotations

from syntonic._core import Elementwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "complex",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "elu",
    "equal",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "exp_golden",
    "expm1",
    "floor",
    "floor_divide",
    "fma",
    "fma_phi",
    "fma_phi_inv",
    "gelu",
    "gelu_erf",
    "golden_gelu",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "leaky_relu",
    "lerp",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_sigmoid",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mish",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "phi_exp",
    "phi_exp_inv",
    "pow",
    "real",
    "reciprocal",
    "relu",
    "remainder",
    "round",
    "rsqrt",
    "scale_phi",
    "scale_phi_inv",
    "sigmoid",
    "sign",
    "signbit",
    "silu",
    "sin",
    "sinh",
    "softplus",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


_abs = Elementwise("abs").call


def abs(x: ArrayLike, /, *, out: State | None = None) -> State:
    """|x|; for complex numbers hypot(re, im). The smallest signed integer wraps."""
    return _abs(out, x)


_acos = Elementwise("acos").call


def acos(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Inverse cosine, radians."""
    return _acos(out, x)


_acosh = Elementwise("acosh").call


def acosh(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Inverse hyperbolic cosine."""
    return _acosh(out, x)


_add = Elementwise("add").call


def add(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a + b; integers wrap, bool is logical or."""
    return _add(out, x1, x2)


_asin = Elementwise("asin").call


def asin(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Inverse sine, radians."""
    return _asin(out, x)


_asinh = Elementwise("asinh").call


def asinh(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Inverse hyperbolic sine."""
    return _asinh(out, x)


_atan = Elementwise("atan").call


def atan(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Inverse tangent, radians."""
    return _atan(out, x)


_atan2 = Elementwise("atan2").call


def atan2(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """Angle of the point (x = b, y = a), in (-pi, pi]."""
    return _atan2(out, x1, x2)


_atanh = Elementwise("atanh").call


def atanh(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Inverse hyperbolic tangent."""
    return _atanh(out, x)


_bitwise_and = Elementwise("bitwise_and").call


def bitwise_and(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """Bitwise and."""
    return _bitwise_and(out, x1, x2)


_bitwise_invert = Elementwise("bitwise_invert").call


def bitwise_invert(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Every bit flipped; for bool logical not."""
    return _bitwise_invert(out, x)


_bitwise_left_shift = Elementwise("bitwise_left_shift").call


def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a shifted left by b bits; b outside 0..width gives 0."""
    return _bitwise_left_shift(out, x1, x2)


_bitwise_or = Elementwise("bitwise_or").call


def bitwise_or(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """Bitwise or."""
    return _bitwise_or(out, x1, x2)


_bitwise_right_shift = Elementwise("bitwise_right_shift").call


def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a shifted right by b bits, keeping the sign; b outside 0..width gives 0, or -1 for negative a."""
    return _bitwise_right_shift(out, x1, x2)


_bitwise_xor = Elementwise("bitwise_xor").call


def bitwise_xor(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """Bitwise exclusive or."""
    return _bitwise_xor(out, x1, x2)


_ceil = Elementwise("ceil").call


def ceil(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The smallest integer not below x."""
    return _ceil(out, x)


_complex = Elementwise("complex").call


def complex(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """re + i*im."""
    return _complex(out, x1, x2)


_conj = Elementwise("conj").call


def conj(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The complex conjugate; real numbers unchanged."""
    return _conj(out, x)


_copysign = Elementwise("copysign").call


def copysign(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """The magnitude of a with the sign of b."""
    return _copysign(out, x1, x2)


_cos = Elementwise("cos").call


def cos(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Cosine, radians."""
    return _cos(out, x)


_cosh = Elementwise("cosh").call


def cosh(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Hyperbolic cosine."""
    return _cosh(out, x)


_divide = Elementwise("divide").call


def divide(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a / b."""
    return _divide(out, x1, x2)


_elu = Elementwise("elu").call


def elu(x: ArrayLike, alpha: ArrayLike = 1.0, /, *, out: State | None = None) -> State:
    """x where x > 0, else alpha * (e^x - 1)."""
    return _elu(out, x, alpha)


_equal = Elementwise("equal").call


def equal(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a == b."""
    return _equal(out, x1, x2)


_erf = Elementwise("erf").call


def erf(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Error function, 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x."""
    return _erf(out, x)


_erfc = Elementwise("erfc").call


def erfc(x: ArrayLike, /, *, out: State | None = None) -> State:
    """1 - erf(x), exact for large x."""
    return _erfc(out, x)


_exp = Elementwise("exp").call


def exp(x: ArrayLike, /, *, out: State | None = None) -> State:
    """e^x."""
    return _exp(out, x)


_exp2 = Elementwise("exp2").call


def exp2(x: ArrayLike, /, *, out: State | None = None) -> State:
    """2^x."""
    return _exp2(out, x)


_exp_golden = Elementwise("exp_golden").call


def exp_golden(x: ArrayLike, /, *, out: State | None = None) -> State:
    """e^(-x/phi)."""
    return _exp_golden(out, x)


_expm1 = Elementwise("expm1").call


def expm1(x: ArrayLike, /, *, out: State | None = None) -> State:
    """e^x - 1, exact near 0."""
    return _expm1(out, x)


_floor = Elementwise("floor").call


def floor(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The largest integer not above x."""
    return _floor(out, x)


_floor_divide = Elementwise("floor_divide").call


def floor_divide(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """floor(a / b); integers: x // 0 is 0."""
    return _floor_divide(out, x1, x2)


_fma = Elementwise("fma").call


def fma(x1: ArrayLike, x2: ArrayLike, x3: ArrayLike, /, *, out: State | None = None) -> State:
    """a*b + c, rounded once."""
    return _fma(out, x1, x2, x3)


_fma_phi = Elementwise("fma_phi").call


def fma_phi(a: ArrayLike, b: ArrayLike, /, *, out: State | None = None) -> State:
    """phi a + b."""
    return _fma_phi(out, a, b)


_fma_phi_inv = Elementwise("fma_phi_inv").call


def fma_phi_inv(a: ArrayLike, b: ArrayLike, /, *, out: State | None = None) -> State:
    """a / phi + b."""
    return _fma_phi_inv(out, a, b)


_gelu = Elementwise("gelu").call


def gelu(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))): the tanh form of GELU."""
    return _gelu(out, x)


_gelu_erf = Elementwise("gelu_erf").call


def gelu_erf(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x/2 * erfc(-x/sqrt(2)): GELU as the normal distribution function times x."""
    return _gelu_erf(out, x)


_golden_gelu = Elementwise("golden_gelu").call


def golden_gelu(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x / (1 + e^(-phi x)): GELU with the golden ratio as its slope."""
    return _golden_gelu(out, x)


_greater = Elementwise("greater").call


def greater(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a > b."""
    return _greater(out, x1, x2)


_greater_equal = Elementwise("greater_equal").call


def greater_equal(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a >= b."""
    return _greater_equal(out, x1, x2)


_hypot = Elementwise("hypot").call


def hypot(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """sqrt(a^2 + b^2) without overflow."""
    return _hypot(out, x1, x2)


_imag = Elementwise("imag").call


def imag(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The imaginary part; 0 for real numbers."""
    return _imag(out, x)


_isfinite = Elementwise("isfinite").call


def isfinite(x: ArrayLike, /, *, out: State | None = None) -> State:
    """True for a number that is neither NaN nor infinite."""
    return _isfinite(out, x)


_isinf = Elementwise("isinf").call


def isinf(x: ArrayLike, /, *, out: State | None = None) -> State:
    """True for an infinity (either part of a complex number)."""
    return _isinf(out, x)


_isnan = Elementwise("isnan").call


def isnan(x: ArrayLike, /, *, out: State | None = None) -> State:
    """True for NaN (either part of a complex number)."""
    return _isnan(out, x)


_leaky_relu = Elementwise("leaky_relu").call


def leaky_relu(x: ArrayLike, slope: ArrayLike = 0.01, /, *, out: State | None = None) -> State:
    """x where x >= 0, else slope * x."""
    return _leaky_relu(out, x, slope)


_lerp = Elementwise("lerp").call


def lerp(a: ArrayLike, b: ArrayLike, weight: ArrayLike, /, *, out: State | None = None) -> State:
    """a + weight * (b - a), from the nearer end, without overflow between the ends."""
    return _lerp(out, a, b, weight)


_less = Elementwise("less").call


def less(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a < b."""
    return _less(out, x1, x2)


_less_equal = Elementwise("less_equal").call


def less_equal(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a <= b."""
    return _less_equal(out, x1, x2)


_log = Elementwise("log").call


def log(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Natural logarithm, principal branch for complex numbers."""
    return _log(out, x)


_log10 = Elementwise("log10").call


def log10(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Logarithm to base 10."""
    return _log10(out, x)


_log1p = Elementwise("log1p").call


def log1p(x: ArrayLike, /, *, out: State | None = None) -> State:
    """ln(1 + x), exact near 0."""
    return _log1p(out, x)


_log2 = Elementwise("log2").call


def log2(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Logarithm to base 2."""
    return _log2(out, x)


_log_sigmoid = Elementwise("log_sigmoid").call


def log_sigmoid(x: ArrayLike, /, *, out: State | None = None) -> State:
    """-ln(1 + e^-x), without overflow."""
    return _log_sigmoid(out, x)


_logaddexp = Elementwise("logaddexp").call


def logaddexp(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """ln(e^a + e^b) without overflow. A result below 1 is as exact as 1: near 0 two larger numbers cancel."""
    return _logaddexp(out, x1, x2)


_logical_and = Elementwise("logical_and").call


def logical_and(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """True where both are non-zero."""
    return _logical_and(out, x1, x2)


_logical_not = Elementwise("logical_not").call


def logical_not(x: ArrayLike, /, *, out: State | None = None) -> State:
    """True where x is zero."""
    return _logical_not(out, x)


_logical_or = Elementwise("logical_or").call


def logical_or(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """True where either is non-zero."""
    return _logical_or(out, x1, x2)


_logical_xor = Elementwise("logical_xor").call


def logical_xor(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """True where exactly one is non-zero."""
    return _logical_xor(out, x1, x2)


_maximum = Elementwise("maximum").call


def maximum(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """The larger; NaN if either is NaN."""
    return _maximum(out, x1, x2)


_minimum = Elementwise("minimum").call


def minimum(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """The smaller; NaN if either is NaN."""
    return _minimum(out, x1, x2)


_mish = Elementwise("mish").call


def mish(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x * tanh(ln(1 + e^x))."""
    return _mish(out, x)


_multiply = Elementwise("multiply").call


def multiply(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a * b; integers wrap, bool is logical and."""
    return _multiply(out, x1, x2)


_negative = Elementwise("negative").call


def negative(x: ArrayLike, /, *, out: State | None = None) -> State:
    """-x; integers wrap."""
    return _negative(out, x)


_nextafter = Elementwise("nextafter").call


def nextafter(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """The next number from a towards b."""
    return _nextafter(out, x1, x2)


_not_equal = Elementwise("not_equal").call


def not_equal(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a != b."""
    return _not_equal(out, x1, x2)


_phi_exp = Elementwise("phi_exp").call


def phi_exp(x: ArrayLike, /, *, out: State | None = None) -> State:
    """phi^x."""
    return _phi_exp(out, x)


_phi_exp_inv = Elementwise("phi_exp_inv").call


def phi_exp_inv(x: ArrayLike, /, *, out: State | None = None) -> State:
    """phi^-x."""
    return _phi_exp_inv(out, x)


_pow = Elementwise("pow").call


def pow(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a to the power b; a negative integer exponent gives 0 except for bases 1 and -1."""
    return _pow(out, x1, x2)


_real = Elementwise("real").call


def real(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The real part."""
    return _real(out, x)


_reciprocal = Elementwise("reciprocal").call


def reciprocal(x: ArrayLike, /, *, out: State | None = None) -> State:
    """1/x."""
    return _reciprocal(out, x)


_relu = Elementwise("relu").call


def relu(x: ArrayLike, /, *, out: State | None = None) -> State:
    """max(x, 0); NaN stays NaN. The slope at 0 is 0."""
    return _relu(out, x)


_remainder = Elementwise("remainder").call


def remainder(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a - floor(a/b)*b, with the sign of b; integers: x % 0 is 0."""
    return _remainder(out, x1, x2)


_round = Elementwise("round").call


def round(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The nearest integer, halves to even; complex numbers by parts."""
    return _round(out, x)


_rsqrt = Elementwise("rsqrt").call


def rsqrt(x: ArrayLike, /, *, out: State | None = None) -> State:
    """1/sqrt(x)."""
    return _rsqrt(out, x)


_scale_phi = Elementwise("scale_phi").call


def scale_phi(x: ArrayLike, /, *, out: State | None = None) -> State:
    """phi x."""
    return _scale_phi(out, x)


_scale_phi_inv = Elementwise("scale_phi_inv").call


def scale_phi_inv(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x / phi."""
    return _scale_phi_inv(out, x)


_sigmoid = Elementwise("sigmoid").call


def sigmoid(x: ArrayLike, /, *, out: State | None = None) -> State:
    """1 / (1 + e^-x)."""
    return _sigmoid(out, x)


_sign = Elementwise("sign").call


def sign(x: ArrayLike, /, *, out: State | None = None) -> State:
    """-1, 0 or 1; NaN stays NaN; for complex numbers x/|x|, and 0 at 0."""
    return _sign(out, x)


_signbit = Elementwise("signbit").call


def signbit(x: ArrayLike, /, *, out: State | None = None) -> State:
    """True if the sign bit is set."""
    return _signbit(out, x)


_silu = Elementwise("silu").call


def silu(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x / (1 + e^-x)."""
    return _silu(out, x)


_sin = Elementwise("sin").call


def sin(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Sine, radians."""
    return _sin(out, x)


_sinh = Elementwise("sinh").call


def sinh(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Hyperbolic sine."""
    return _sinh(out, x)


_softplus = Elementwise("softplus").call


def softplus(x: ArrayLike, /, *, out: State | None = None) -> State:
    """ln(1 + e^x), without overflow."""
    return _softplus(out, x)


_sqrt = Elementwise("sqrt").call


def sqrt(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Square root, principal branch for complex numbers."""
    return _sqrt(out, x)


_square = Elementwise("square").call


def square(x: ArrayLike, /, *, out: State | None = None) -> State:
    """x*x."""
    return _square(out, x)


_subtract = Elementwise("subtract").call


def subtract(x1: ArrayLike, x2: ArrayLike, /, *, out: State | None = None) -> State:
    """a - b; integers wrap."""
    return _subtract(out, x1, x2)


_tan = Elementwise("tan").call


def tan(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Tangent, radians."""
    return _tan(out, x)


_tanh = Elementwise("tanh").call


def tanh(x: ArrayLike, /, *, out: State | None = None) -> State:
    """Hyperbolic tangent."""
    return _tanh(out, x)


_trunc = Elementwise("trunc").call


def trunc(x: ArrayLike, /, *, out: State | None = None) -> State:
    """The integer part of x."""
    return _trunc(out, x)
