"""Names of NumPy's under which nothing is here, and what there is instead."""

from __future__ import annotations

__all__ = ["missing"]

# Ours, or how it is written.
_INSTEAD = {
    "absolute": "abs",
    "amax": "max",
    "amin": "min",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "around": "round",
    "bool_": "bool",
    "concatenate": "concat",
    "conjugate": "conj",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "dot": "matmul, tensordot or x.dot(y)",
    "double": "float64",
    "float_": "float64",
    "hstack": "concat(arrays, axis=1)",
    "int_": "int64",
    "intp": "int64",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "ndarray": "State",
    "percentile": "quantile with q / 100",
    "power": "pow",
    "ravel": "x.ravel()",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "single": "float32",
    "swapaxes": "x.swapaxes(a, b)",
    "true_divide": "divide",
    "vstack": "concat, after expand_dims for vectors",
}


def missing(name: str) -> AttributeError:
    """The exception for a name that the package does not have."""
    instead = _INSTEAD.get(name)
    known = f"; hint: here it is {instead}, and numpy.{name} takes States too" if instead else ""
    return AttributeError(f"module 'syntonic' has no attribute {name!r}{known}", name=name)
