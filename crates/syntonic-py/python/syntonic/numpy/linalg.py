"""Linear algebra: the names and parameters of NumPy's `linalg`, over States.

>>> import syntonic.numpy as np
>>> np.linalg.det([[1.0, 2.0], [3.0, 5.0]]).round(6).item()
-1.0
"""

from __future__ import annotations

from syntonic.numpy._names import dir_of, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = dir_of("linalg")


def __getattr__(name: str) -> Any:
    value = globals()[name] = resolved("linalg", name)
    return value


def __dir__() -> list[str]:
    return __all__
