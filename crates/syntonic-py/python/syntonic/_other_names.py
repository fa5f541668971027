"""Names of NumPy's under which nothing is here, and what there is instead."""

from __future__ import annotations

__all__ = ["RENAMED", "missing"]

# Functions of the Array API by NumPy's names.
RENAMED = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "true_divide": "divide",
}
# Ours, or how it is written.
_INSTEAD = {
    **RENAMED,
    "amax": "max",
    "amin": "min",
    "around": "round",
    "bool_": "bool",
    "concatenate": "concat",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "dot": "matmul, tensordot or x.dot(y)",
    "double": "float64",
    "float_": "float64",
    "hstack": "concat(arrays, axis=1)",
    "int_": "int64",
    "intp": "int64",
    "mod": "remainder",
    "ndarray": "State",
    "percentile": "quantile with q / 100",
    "ravel": "x.ravel()",
    "single": "float32",
    "swapaxes": "x.swapaxes(a, b)",
    "vstack": "concat, after expand_dims for vectors",
}


def missing(name: str) -> AttributeError:
    """The exception for a name that the package does not have."""
    instead = _INSTEAD.get(name)
    known = f"; hint: here it is {instead}, and numpy.{name} takes States too" if instead else ""
    return AttributeError(f"module 'syntonic' has no attribute {name!r}{known}", name=name)
