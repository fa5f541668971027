"""The libraries that take part: how each makes an array, forces a result and gives it back."""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any

import numpy as np

THREADS = os.cpu_count() or 1


class Library:
    """NumPy, and what the others have in common with it."""

    name = "numpy"
    package = "numpy"
    lazy = False

    def __init__(self) -> None:
        self.module: Any = importlib.import_module(self.package)
        self.version = str(getattr(self.module, "__version__", ""))

    def array(self, values: np.ndarray, dtype: str | None) -> Any:
        """An array in memory of its own. `dtype` says what NumPy has no type for."""
        return values.copy()

    def numpy(self, result: Any) -> np.ndarray:
        """The result for the oracle."""
        return np.asarray(result)

    def warm(self) -> None:
        """Starts the threads, which are made on the first large product."""
        a = np.ones((512, 512))
        a @ a


class Torch(Library):
    """PyTorch, eager, without gradients."""

    name = "torch"
    package = "torch"

    def __init__(self) -> None:
        super().__init__()
        self.module.set_grad_enabled(False)
        self.module.set_num_threads(THREADS)

    def array(self, values: np.ndarray, dtype: str | None) -> Any:
        made = self.module.from_numpy(values).clone()
        return made.to(self.module.bfloat16) if dtype == "bfloat16" else made

    def numpy(self, result: Any) -> np.ndarray:
        return (result.float() if result.dtype == self.module.bfloat16 else result).numpy()

    def warm(self) -> None:
        a = self.module.ones((512, 512))
        (a @ a).exp().sum()


class TorchNative(Torch):
    """PyTorch's own fused functions where they cover a formula."""

    name = "torch.native"


class Syntonic(Library):
    """Ours."""

    name = "syntonic"
    package = "syntonic"
    lazy = True

    def array(self, values: np.ndarray, dtype: str | None) -> Any:
        made = self.module.State(values)
        return made.astype("bfloat16").eval() if dtype == "bfloat16" else made.copy()

    def numpy(self, result: Any) -> np.ndarray:
        if isinstance(result, np.ndarray):
            return result
        return (result.astype("float32") if str(result.dtype) == "bfloat16" else result).numpy()

    def warm(self) -> None:
        m = self.module
        (m.State(np.ones((512, 512))) @ m.State(np.ones((512, 512)))).eval()
        m.exp(m.State(np.ones(4194304, dtype=np.float32))).eval()


KNOWN = {kind.name: kind for kind in (Library, Torch, TorchNative, Syntonic)}
HINTS = {
    "torch": "`cargo xtask bench --peers` installs it",
    "torch.native": "`cargo xtask bench --peers` installs it",
    "numpy": "`cargo xtask bench --peers` installs it",
    "syntonic": "`cargo xtask bench` builds and installs it",
}


def absent(name: str) -> str | None:
    """Why a library cannot take part, in one line; None if it can be imported."""
    package = KNOWN[name].package
    if importlib.util.find_spec(package) is not None:
        return None
    return f"{name}: not installed; {HINTS[name]}"
