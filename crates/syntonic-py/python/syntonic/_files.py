"""States in files: safetensors, and NumPy's npy and npz."""

from __future__ import annotations

import os

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["load", "load_with_metadata", "save"]


def _kind(path: str | os.PathLike[str]) -> str:
    kind = os.path.splitext(os.fspath(path))[1]
    if kind not in (".npy", ".npz", ".safetensors"):
        raise _core.ArgumentError(f"{os.fspath(path)}: the name must end in .safetensors, .npz or .npy")
    return kind


def save(
    path: str | os.PathLike[str],
    states: ArrayLike | dict[str, ArrayLike],
    *,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Writes States by name to a .safetensors or .npz file, or one State to an .npy file, as the path's ending says.

    The file appears when it is complete. Only .safetensors holds metadata.
    """
    kind = _kind(path)
    if metadata is not None and kind != ".safetensors":
        raise _core.ArgumentError(f"save: {kind} holds no metadata; hint: use .safetensors")
    if kind == ".npy":
        _core.save_npy(path, states)
        return
    if not isinstance(states, dict):
        raise _core.DTypeError(f"save: {kind} holds States by name; hint: give a dict")
    if kind == ".npz":
        _core.save_npz(path, states)
    else:
        _core.save_safetensors(path, states, dict(metadata or {}))


def load(path: str | os.PathLike[str]) -> State | dict[str, State]:
    """The State of an .npy file, or the States by name of a .safetensors or .npz file."""
    kind = _kind(path)
    if kind == ".npy":
        return _core.load_npy(path)
    return _core.load_npz(path) if kind == ".npz" else _core.load_safetensors(path)[0]


def load_with_metadata(path: str | os.PathLike[str]) -> tuple[dict[str, State], dict[str, str]]:
    """The States of a .safetensors file by name, and its metadata."""
    return _core.load_safetensors(path)
