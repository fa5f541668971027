"""Named tuples made without `typing`."""

from __future__ import annotations

import pickle
import subprocess
import sys
import typing

import pytest
from syntonic import infer, linalg
from syntonic._records import NamedTuple


class Pair(NamedTuple):
    """Two numbers."""

    first: int
    second: int = 7

    @property
    def total(self) -> int:
        """Both together."""
        return self.first + self.second


class Twin(typing.NamedTuple):
    """Two numbers."""

    first: int
    second: int = 7


def test_a_record_is_what_typing_makes() -> None:
    ours, theirs = Pair(1), Twin(1)
    assert ours == theirs == (1, 7) and ours.total == 8 and repr(ours) == "Pair(first=1, second=7)"
    for name in ("_fields", "_field_defaults", "__doc__", "__module__", "__match_args__"):
        assert getattr(Pair, name) == getattr(Twin, name), name
    assert Pair.__mro__ == (Pair, tuple, object) and Pair.__qualname__ == "Pair"
    assert typing.get_type_hints(Pair) == typing.get_type_hints(Twin) == {"first": int, "second": int}
    assert pickle.loads(pickle.dumps(ours)) == ours and type(pickle.loads(pickle.dumps(ours))) is Pair
    assert ours._replace(first=5)._asdict() == {"first": 5, "second": 7}
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]


def test_results_keep_their_names() -> None:
    for kind in (linalg.QRResult, linalg.EighResult, infer.FreeEnergy):
        assert issubclass(kind, tuple) and kind.__module__ in ("syntonic.linalg", "syntonic.infer") and kind.__doc__
        made = kind(*kind._fields)
        assert pickle.loads(pickle.dumps(made)) == made and list(kind.__annotations__) == list(kind._fields)


def test_importing_the_package_does_not_import_typing() -> None:
    text = "import sys; sys.modules.pop('typing', None); import syntonic; print('typing' in sys.modules)"
    said = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {text}"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"
