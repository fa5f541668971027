"""States in files: safetensors, and NumPy's npy and npz."""

from __future__ import annotations

import os

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from syntonic._core import State
    from syntonic._typing import ArrayLike

__all__ = ["load", "load_with_metadata", "save"]


def _kind(path: str | os.PathLike[str]) -> str:
    kind = os.path.splitext(os.fspath(path))[1].lower()
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

    The file appears when it is complete: a failure leaves the old one. A link is followed, and a file that is replaced
    gives the new one its mode. Only .safetensors holds metadata.
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


def load(
    path: str | os.PathLike[str], *, names: Iterable[str] | None = None, most_bytes: int | None = None
) -> State | dict[str, State]:
    """The State of an .npy file, or the States by name of a .safetensors or .npz file.

    names       only these are read, where a file holds several
    most_bytes  the most that a compressed .npz file may unpack to; 1 GiB or 100 times its length if not given
    """
    kind = _kind(path)
    if most_bytes is not None and kind != ".npz":
        raise _core.ArgumentError(f"load: {kind} is never compressed; hint: leave most_bytes out")
    if kind == ".npy":
        if names is not None:
            raise _core.ArgumentError("load: .npy holds one State without a name; hint: leave names out")
        return _core.load_npy(path)
    if isinstance(names, str):
        raise _core.ArgumentError(f"load: names is one string; hint: give a list, [{names!r}]")
    wanted = None if names is None else list(names)
    if kind == ".npz":
        return _core.load_npz(path, wanted, most_bytes)
    return _core.load_safetensors(path, wanted)[0]


def load_with_metadata(path: str | os.PathLike[str]) -> tuple[dict[str, State], dict[str, str]]:
    """The States of a .safetensors file by name, and its metadata."""
    return _core.load_safetensors(path)
