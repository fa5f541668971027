"""Errors and warnings under NumPy's names. `AxisError` is ours, which what NumPy raises for us is too.

>>> import syntonic.numpy as np
>>> try:
...     np.sum(np.ones(3), axis=1)
... except np.exceptions.AxisError:
...     print("one axis")
one axis
"""

from __future__ import annotations

from numpy.exceptions import ComplexWarning, DTypePromotionError, ModuleDeprecationWarning, RankWarning, TooHardError, VisibleDeprecationWarning

from syntonic._core import AxisError

__all__ = ["AxisError", "ComplexWarning", "DTypePromotionError", "ModuleDeprecationWarning", "RankWarning", "TooHardError", "VisibleDeprecationWarning"]
