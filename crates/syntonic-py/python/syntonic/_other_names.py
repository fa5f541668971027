"""Names of NumPy's and of the first designs under which nothing is here, and what there is instead."""

from __future__ import annotations

__all__ = ["RENAMED", "missing", "missing_from_core", "missing_from_linalg"]

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


# Names of the first designs.
_FIRST = {
    "GoldenExact": "exact.GoldenInt and exact.GoldenRational",
    "LazyTensor": "State, whose operators wait until they are read",
    "ResonantTensor": "resonant.Crystallized for exact values and resonant.Flux for floats",
    "state": "asarray, or State(data)",
}
# Functions that the first designs had in the compiled module.
_IN_CORE = {
    "GoldenNormMode": "GoldenNormMode",
    "PhiResidualMode": "PhiResidualMode",
    "SyntonicSoftmaxMode": "SyntonicSoftmaxMode",
    "golden_batch_norm_1d_py": "golden_batch_norm_1d",
    "golden_batch_norm_2d_py": "golden_batch_norm_2d",
    "phi_residual": "phi_residual",
    "phi_residual_relu": "phi_residual_relu",
}


def missing(name: str) -> AttributeError:
    """The exception for a name that the package does not have."""
    known = f"; hint: here it is {_FIRST[name]}" if name in _FIRST else ""
    instead = _INSTEAD.get(name)
    if instead:
        known = f"; hint: here it is {instead}; syntonic.numpy has NumPy's names, and numpy.{name} takes States too"
    return AttributeError(f"module 'syntonic' has no attribute {name!r}{known}", name=name)


def missing_from_linalg(name: str) -> AttributeError:
    """The exception for a name that `syntonic.linalg` does not have."""
    from syntonic import golden

    known = f"; hint: here it is syntonic.golden.{name}" if name in golden.__all__ else ""
    return AttributeError(f"module 'syntonic.linalg' has no attribute {name!r}{known}", name=name)


def missing_from_core(name: str) -> object:
    """What the compiled module had under a name once, which is the package's own."""
    if name in _IN_CORE:
        import syntonic

        return getattr(syntonic, _IN_CORE[name])
    raise AttributeError(f"module 'syntonic._core' has no attribute {name!r}", name=name)
