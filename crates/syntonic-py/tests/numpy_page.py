"""The page of the documentation that says of each public name of NumPy's what is under it in `syntonic.numpy`."""

from __future__ import annotations

from pathlib import Path

from syntonic.numpy import _names, _table

PAGE = Path(__file__).parent.parent / "docs" / "guides" / "numpy-names.md"

_TOP = """# Names of NumPy

What is under each public name of NumPy's in `syntonic.numpy` ({doc}`from-numpy`). A test compares this page with the table of the package, and the
table with the installed NumPy.

- *each device*: computed by Syntonic, on the CPU and on a GPU.
- *host*: NumPy computes it in memory of the host; for an array on a GPU it is an error.
- *NumPy's own object*: the same type, number or setting.
- *not here*: an error with this hint.
"""


def page() -> str:
    """Its text."""
    parts = [_TOP]
    for module, title in (("", "Main namespace"), ("linalg", "linalg"), ("fft", "fft")):
        parts.append(f"\n## {title}\n\n| name | where | |\n| --- | --- | --- |\n")
        for name in _names.public(module):
            path = f"{module}.{name}" if module else name
            note = _table.REFUSED.get(path, _table.DIFFERENCES.get(path, ""))
            parts.append(f"| `{path}` | {_names.where(module, name)} | {note} |\n".replace("**", r"\*\*"))
    return "".join(parts)
