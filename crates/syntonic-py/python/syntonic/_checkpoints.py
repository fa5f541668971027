"""Checkpoints that searches write while they run."""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager

from syntonic import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    _Saved = _core.Res | _core.DeviceSearch | _core.MatrixSearch


def place_of(search: _Saved, checkpoint: str | os.PathLike[str] | None) -> str | None:
    """Where a checkpoint goes, if it can be written there: the objective may go to another folder."""
    if checkpoint is None:
        return None
    place = os.path.join(os.getcwd(), os.fspath(checkpoint))
    search.check_save(place)
    return place


@contextmanager
def saved_at_the_end(search: _Saved | None, checkpoint: str | None) -> Iterator[None]:
    """Writes the checkpoint when the work is over. What the work raised comes out unchanged."""
    try:
        yield
    except BaseException as raised:
        if search is not None and checkpoint is not None:
            try:
                search.save(checkpoint)
            except Exception as failed:
                raised.add_note(f"the checkpoint could not be written: {failed}")
        raise
    if search is not None and checkpoint is not None:
        search.save(checkpoint)


def try_saving(search: _Saved, checkpoint: str) -> None:
    try:
        search.save(checkpoint)
    except (OSError, _core.FileError) as failed:
        text = f"the checkpoint could not be written, the run goes on: {failed}"
        warnings.warn(text, RuntimeWarning, stacklevel=4)
