"""How exact matrix products are."""

from __future__ import annotations

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["get_matmul_precision", "matmul_precision", "set_matmul_precision"]


def set_matmul_precision(precision: str | float, /) -> str | float:
    """Chooses for the whole process how exact matrix products are, and returns the former choice:

    - "highest", the default: the arithmetic of the type itself;
    - "high": as exact, by whichever way the device finds quicker. A GPU of compute capability 9.0 (H100, H200)
      sums bfloat16 products for float32 and complex64, and any GPU multiplies complex128 by three real products; else
      products are native;
    - "medium": a GPU of 8.0 and newer rounds factors of float32 to the 11 bits of TF32; others compute natively;
    - a number, a tolerance: |result - a @ b| <= tolerance * | |a| @ |b| | in the Frobenius norm, kept with the cheapest
      arithmetic that should keep it, checked with random vectors, and computed again more exactly where it does not. The
      check is an estimate, no proof, and says nothing of single elements where terms cancel.

    A CPU computes natively whatever is asked."""
    return _core.set_matmul_precision(precision)


def get_matmul_precision() -> str | float:
    """How exact matrix products are that do not say so themselves; see `set_matmul_precision`."""
    return _core.get_matmul_precision()


class matmul_precision:
    """`with syntonic.matmul_precision("high"):` makes matrix products as exact as that in the whole process, as
    `set_matmul_precision` says; products keep the choice they were asked for with."""

    _precision: str | float
    _former: list[str | float]

    def __init__(self, precision: str | float, /) -> None:
        self._precision = precision
        self._former = []

    def __enter__(self) -> None:
        self._former.append(_core.set_matmul_precision(self._precision))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core.set_matmul_precision(self._former.pop())
