"""Errors that are NumPy's as well as ours, for programs that catch NumPy's."""

from __future__ import annotations

import numpy as np

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["AxisError", "LinAlgError", "called"]


class AxisError(_core.AxisError, np.exceptions.AxisError):
    """An axis that an array has not."""


class LinAlgError(_core.LinAlgError, np.linalg.LinAlgError):
    """A matrix for which there is no result."""


class MatrixError(_core.ShapeError, LinAlgError):
    """Shapes that are none of matrices, or that do not fit; in `linalg` NumPy has one error for all that it refuses."""


def called(function: Callable[..., Any], arguments: Any, options: Any, theirs: Any = None) -> Any:
    """What a function returns, which stands for one of NumPy's; of errors that both sides have, one that is both."""
    try:
        return function(*arguments, **options)
    except _core.ShapeError as error:
        if getattr(theirs, "__module__", "") != "numpy.linalg" or isinstance(error, LinAlgError):
            raise
        raise MatrixError(str(error)) from None
    except (_core.AxisError, np.exceptions.AxisError) as error:
        raise error if isinstance(error, AxisError) else AxisError(str(error)) from None
    except (_core.LinAlgError, np.linalg.LinAlgError) as error:
        raise error if isinstance(error, LinAlgError) else LinAlgError(str(error)) from None
