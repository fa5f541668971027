"""NumPy's functions over States, which are ours of the same name. Loaded when NumPy first meets a State."""

from __future__ import annotations

from typing import Any

import syntonic
from syntonic._core import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Where NumPy's name is not the Array API's.
_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "fabs": "abs",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "true_divide": "divide",
}


def ufunc(function: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any] | None) -> Any:
    """Answers `__array_ufunc__`: plain calls of functions we have, with or without `out`."""
    options = dict(options or {})
    (out,) = options.pop("out", (None,)) or (None,)
    name = _NAMES.get(function.__name__, function.__name__)
    ours = getattr(syntonic, name, None) if name in syntonic.__all__ else None
    if method != "__call__" or options or ours is None:
        return NotImplemented
    if isinstance(out, State):
        return ours(*inputs, out=out)
    result = ours(*inputs)
    if out is None:
        return result
    import numpy as np

    np.copyto(out, np.asarray(result), casting="same_kind")
    return out
