"""Making States of Python objects."""

import array

import numpy as np
import pytest
from arrays import NAMES, numbers, pairs, same
from hypothesis import given

import syntonic
from syntonic import State


@pytest.mark.parametrize(
    "value",
    [3, 2.5, True, 1 + 2j, [1, 2, 3], [[1, 2.5], [3, 4]], [[True], [False]], [], [[], []], (1, (2)), [1, 2j], 2**63],
)
def test_nested_lists_are_what_numpy_makes_of_them(value: object) -> None:
    same(State(value), np.array(value))


@given(pairs())
def test_copies_of_arrays(pair: tuple[np.ndarray, State]) -> None:
    base, state = pair
    same(State(base), base)
    same(State(state), base)
    assert State(base.tolist(), dtype=base.dtype).tolist() == base.tolist() if base.size else True
    assert state.tolist() == base.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_every_type_by_every_name(name: str) -> None:
    dtype = getattr(syntonic, name)
    for spelling in (dtype, name, np.dtype(name), np.dtype(name).type):
        same(State([1, 0, 1], dtype=spelling), np.array([1, 0, 1], dtype=name))
    assert dtype == name and hash(dtype) == hash(name) and str(dtype) == name
    assert dtype.__eq__(object()) is NotImplemented


def test_a_copy_is_a_copy() -> None:
    base = numbers((3, 4), "float64")
    State(base)[0, 0] = 99.0
    assert base[0, 0] == 3.0


def test_other_buffers_and_orders() -> None:
    same(State(array.array("f", [1, 2])), np.array([1, 2], dtype="float32"))
    same(State(np.arange(5, dtype=">i4")), np.arange(5, dtype="int32"))
    packed = np.frombuffer(b"\0" + np.arange(3.0).tobytes(), dtype=np.float64, offset=1)
    same(State(packed), np.arange(3.0))
    same(State([np.float32(1), np.float32(2)]), np.array([1, 2], dtype="float32"))
    same(State([State([1, 2]), State([3, 4])]), np.array([[1, 2], [3, 4]]))


def test_shape_and_device_arguments() -> None:
    same(State(range_list := list(range(6)), shape=(2, 3)), np.array(range_list).reshape(2, 3))
    same(State(1.5, shape=(2, 2)), np.full((2, 2), 1.5))
    assert State([1], device="cpu").device == "cpu"


def test_what_no_array_can_be_made_of() -> None:
    for wrong in (object(), None, "12", [None], [[1, 2], [3]], [1, [2]]):
        with pytest.raises((TypeError, ValueError)):
            State(wrong)
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested deeper"):
        State(endless)
    with pytest.raises(OverflowError, match="300 does not fit uint8"):
        State([300], dtype="uint8")
    with pytest.raises(syntonic.DTypeError, match="float99"):
        State([1], dtype="float99")


def test_creation_functions() -> None:
    same(syntonic.arange(5), np.arange(5))
    same(syntonic.arange(1, 2, 0.25), np.arange(1, 2, 0.25))
    same(syntonic.linspace(0, 1, 5), np.linspace(0, 1, 5))
    same(syntonic.eye(2, 3, k=1), np.eye(2, 3, k=1))
    same(syntonic.zeros((2, 3)), np.zeros((2, 3)))
    same(syntonic.ones(3, dtype="int8"), np.ones(3, dtype="int8"))
    same(syntonic.full((2,), 7), np.full((2,), 7))
    same(syntonic.zeros_like(State([1, 2])), np.zeros(2, dtype="int64"))
    with pytest.raises(syntonic.ShapeError):
        syntonic.zeros((-1,))
    with pytest.raises((syntonic.ShapeError, MemoryError)):
        syntonic.zeros((2**40, 2**40))
