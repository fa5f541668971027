"""`python -m syntonic.info`: what is installed, and what it runs on."""

from __future__ import annotations

import os
import platform
import sys

from syntonic import _core, cuda

__all__ = ["describe", "main"]


def describe() -> list[tuple[str, str]]:
    """Facts about the installation, for a bug report."""
    facts = [
        ("syntonic", _core.__version__),
        ("python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("system", f"{platform.system()} {platform.release()} on {platform.machine()}"),
        ("processors", str(os.cpu_count())),
    ]
    facts += list(_core.build_info())
    facts += [(f"cuda:{k}", _card(k)) for k in range(cuda.device_count())]
    return facts


def _card(index: int) -> str:
    """Name and memory of a GPU, or why it cannot be opened."""
    try:
        memory = cuda.memory_stats(index)
        free, total = (memory[name] / 2**30 for name in ("free", "total"))
        return f"{cuda.device_name(index)}, {free:.1f} of {total:.1f} GiB free"
    except RuntimeError as error:
        return f"not usable: {error}"


def main() -> int:
    """Prints the facts."""
    for name, value in describe():
        print(f"{name:<12} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
