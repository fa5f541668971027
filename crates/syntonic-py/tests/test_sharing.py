"""Memory shared with other libraries, both ways."""

import gc
import sys
import weakref

import ml_dtypes
import numpy as np
import pytest
from arrays import NAMES, numbers, pairs, same
from hypothesis import given

import syntonic
from syntonic import State


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_every_type_without_copying(name: str) -> None:
    base = numbers((3, 4), name)
    state = syntonic.asarray(base)
    state[0, 0] = 0
    assert base[0, 0] == 0
    back = np.asarray(state)
    assert back.dtype == base.dtype and np.shares_memory(back, base)
    exported = np.asarray(State(base))
    assert exported.dtype == base.dtype and exported.dtype.char == base.dtype.char


@given(pairs([n for n in NAMES]))
def test_layouts_survive(pair: tuple[np.ndarray, State]) -> None:
    base, state = pair
    shared = syntonic.asarray(base)
    same(shared, base)
    same(state, base)
    if base.size:
        base[...] = 0
        same(shared, base)


@given(pairs(["bool", "int16", "uint64", "float32", "complex128"]))
def test_dlpack_both_ways(pair: tuple[np.ndarray, State]) -> None:
    base, state = pair
    np.testing.assert_array_equal(np.from_dlpack(state), base)
    same(syntonic.from_dlpack(base), base)
    same(syntonic.from_dlpack(state), base)


def test_dlpack_shares_and_copies() -> None:
    base = np.arange(4.0)
    shared, copied = syntonic.from_dlpack(base), syntonic.from_dlpack(base, copy=True)
    base[0] = 9
    assert shared[0].item() == 9 and copied[0].item() == 0
    legacy = shared.__dlpack__()
    assert "dltensor" in repr(legacy) and "versioned" not in repr(legacy)
    assert "versioned" in repr(shared.__dlpack__(max_version=(1, 0)))
    assert shared.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        shared.__dlpack__(dl_device=(2, 0))
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    with pytest.raises(ValueError):
        syntonic.from_dlpack(frozen, copy=False)


def test_owners_live_as_long_as_their_memory() -> None:
    class Array(np.ndarray):
        pass

    base = np.arange(5.0).view(Array)
    alive = weakref.ref(base)
    state = syntonic.asarray(base)
    view = state[1:]
    del base, state
    gc.collect()
    assert view.tolist() == [1, 2, 3, 4]
    del view
    gc.collect()
    assert alive() is None
    array = np.asarray(State([1.0, 2.0]))
    gc.collect()
    assert array.tolist() == [1.0, 2.0]


def test_what_cannot_be_shared_is_copied_or_refused() -> None:
    for source in (b"abc", np.arange(3, dtype=">i8"), [1, 2]):
        assert syntonic.asarray(source).size >= 2
        with pytest.raises(ValueError):
            syntonic.asarray(source, copy=False)
    assert syntonic.asarray(b"abc").tolist() == [97, 98, 99]
    odd = np.frombuffer(bytes([0, 7]), dtype=np.bool_)
    assert State(odd).tolist() == [False, True]


def test_memoryview_and_requests_for_order() -> None:
    x = State([[1, 2, 3], [4, 5, 6]], dtype="int16")
    with memoryview(x) as view:
        assert view.shape == (2, 3) and view.format == "h" and view.tolist() == x.tolist()
        view[0, 0] = 50
    assert x[0, 0].item() == 50
    assert bytes(memoryview(x)) == np.asarray(x).tobytes()


def test_bfloat16_goes_through_ml_dtypes_without_a_copy() -> None:
    source = np.array([[1.5, -2.0, 0.0], [np.inf, 2.0**-133, -0.0]], dtype=ml_dtypes.bfloat16)
    for array in (source, source.T, source[:, ::-2]):
        x = syntonic.asarray(array)
        back = x.numpy()
        assert x.dtype == "bfloat16" and back.dtype == array.dtype
        assert back.shape == array.shape and back.tobytes() == array.tobytes()
        assert np.shares_memory(back, source)
    x = syntonic.asarray(source)
    x[0, 0] = 8.0
    assert float(source[0, 0]) == 8.0
    assert np.isnan(float(State([np.nan], dtype="bfloat16").numpy()[0]))


def test_bfloat16_asks_for_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    x = State([1.5, 2.0], dtype="bfloat16")
    assert x.tolist() == [1.5, 2.0] and (x + 1).dtype == "bfloat16"
    with pytest.raises(ImportError, match="ml_dtypes"):
        x.numpy()
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(x)
