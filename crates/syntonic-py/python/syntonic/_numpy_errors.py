"""Errors that are NumPy's as well as ours, for programs that catch NumPy's."""

from __future__ import annotations

import numpy as np

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["SHARED", "AxisError", "LinAlgError", "called", "shared"]


class AxisError(_core.AxisError, np.exceptions.AxisError):
    """An axis that an array has not."""


class LinAlgError(_core.LinAlgError, np.linalg.LinAlgError):
    """A matrix for which there is no result."""


class MatrixError(_core.ShapeError, LinAlgError):
    """Shapes that are none of matrices, or that do not fit; in `linalg` NumPy has one error for all that it refuses."""


#: Errors that both sides have.
SHARED = (_core.ShapeError, _core.AxisError, np.exceptions.AxisError, _core.LinAlgError, np.linalg.LinAlgError)


def shared(error: Exception, theirs: Any = None) -> Exception:
    """An error of a function that stands for one of NumPy's, as one of both sides."""
    if isinstance(error, _core.ShapeError):
        of_matrices = getattr(theirs, "__module__", "") == "numpy.linalg" and not isinstance(error, LinAlgError)
        return MatrixError(str(error)) if of_matrices else error
    if isinstance(error, (_core.AxisError, np.exceptions.AxisError)):
        return error if isinstance(error, AxisError) else AxisError(str(error))
    return error if isinstance(error, LinAlgError) else LinAlgError(str(error))


def called(function: Callable[..., Any], arguments: Any, options: Any, theirs: Any = None) -> Any:
    """What a function returns, which stands for one of NumPy's; of errors that both sides have, one that is both."""
    try:
        return function(*arguments, **options)
    except SHARED as error:
        raise shared(error, theirs) from None
