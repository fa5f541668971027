"""NumPy's main namespace over States: `import syntonic.numpy as np` in place of `import numpy as np`.

Names, parameters and methods of ufuncs are NumPy's; arrays are States, on the CPU or on a GPU. What Syntonic has no kernel for, NumPy
computes in memory of the host, over the same memory; for an array on a GPU that is an error, and nothing goes to the host unasked.
The guide `from-numpy` has what differs, and a table of all names. This module is loaded by its own name alone, and loads NumPy.

>>> import syntonic.numpy as np
>>> x = np.linspace(0.0, 1.0, 5)
>>> np.percentile(x, 50).item(), np.add.outer([1, 2], [3, 4]).tolist(), np.float32(3) + np.ones(1, np.float32)
(0.5, [[4, 5], [5, 6]], State([4.], shape=(1,), dtype=float32, device='cpu'))
"""

from __future__ import annotations

from syntonic.numpy._names import dir_of, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = dir_of("")


def __getattr__(name: str) -> Any:
    value = globals()[name] = resolved("", name)
    return value


def __dir__() -> list[str]:
    return __all__
