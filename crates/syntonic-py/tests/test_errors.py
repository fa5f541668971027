"""Each mistake has its own class, which is also what a user would catch without us."""

from collections.abc import Callable

import pytest

import syntonic
from syntonic import State

X = syntonic.ones((2, 3))



def _closed() -> syntonic.distributed.Group:
    group = syntonic.distributed.Group.alone()
    group.close()
    return group


CASES: list[tuple[str, Callable[[], object], type[Exception], type[Exception]]] = [
    ("shapes", lambda: X + syntonic.ones(7), syntonic.ShapeError, ValueError),
    ("reshape", lambda: X.reshape(7), syntonic.ShapeError, ValueError),
    ("operator", lambda: X << 1, syntonic.DTypeError, TypeError),
    ("name of type", lambda: X.astype("float7"), syntonic.DTypeError, TypeError),
    ("axis", lambda: syntonic.sum(X, axis=2), syntonic.AxisError, IndexError),
    ("axis again", lambda: syntonic.sum(X, axis=(0, 0)), syntonic.AxisError, ValueError),
    ("device", lambda: X.to("cuda:7"), syntonic.DeviceError, RuntimeError),
    ("name of device", lambda: X.to("abacus"), syntonic.DeviceError, RuntimeError),
    ("index", lambda: X[5], syntonic.OutOfRangeError, IndexError),
    ("empty", lambda: syntonic.max(syntonic.zeros(0)), syntonic.EmptyReductionError, ValueError),
    ("overflow", lambda: syntonic.zeros((2**62, 2**62)), syntonic.ShapeError, ValueError),
    ("memory", lambda: syntonic.zeros(2**50), syntonic.OutOfMemoryError, MemoryError),
    ("complex into real", lambda: X.__setitem__(0, 1j), syntonic.DTypeError, TypeError),
    ("a value in a graph", lambda: syntonic.Graph.capture(float, syntonic.ones(1)), syntonic.GraphError, RuntimeError),
    ("singular", lambda: syntonic.linalg.inv(syntonic.ones((3, 3))), syntonic.LinAlgError, ValueError),
    ("closed group", lambda: _closed().barrier(), syntonic.GroupError, RuntimeError),
    ("file", lambda: syntonic.load("/nonexistent/x.npy"), syntonic.MissingFileError, FileNotFoundError),
]


@pytest.mark.parametrize(("what", "mistake", "ours", "builtin"), CASES, ids=[case[0] for case in CASES])
def test_mistakes(what: str, mistake: Callable[[], object], ours: type[Exception], builtin: type[Exception]) -> None:
    with pytest.raises(ours) as caught:
        mistake()
    assert isinstance(caught.value, builtin) and isinstance(caught.value, syntonic.SyntonicError)
    assert len(str(caught.value)) > 20
    assert X.tolist() == [[1.0] * 3] * 2


def test_messages_name_the_operands() -> None:
    with pytest.raises(ValueError, match=r"add.*float64\[2, 3\] on cpu.*float64\[7\] on cpu.*hint"):
        X + syntonic.ones(7)


def test_a_broken_file(tmp_path: object) -> None:
    path = f"{tmp_path}/broken.safetensors"
    with open(path, "wb") as file:
        file.write(b"\xff" * 20)
    with pytest.raises(syntonic.FileError) as caught:
        syntonic.load(path)
    assert isinstance(caught.value, ValueError)
    assert isinstance(State([1]), State)
