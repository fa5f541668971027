"""Element types among those of NumPy, ml_dtypes, PyTorch and Python."""

import sys
import types

import ml_dtypes
import numpy as np
import pytest
from arrays import NAMES

import syntonic
from syntonic import DType, State

# Ways to write a type.
WRITTEN = {
    "bool": ["?", "b1", "|b1", "bool_", np.bool_, bool, np.dtype(bool)],
    "int8": ["b", "i1", "byte", np.int8],
    "int16": ["h", "i2", "<i2", "short", np.int16],
    "int32": ["i", "i4", "intc", np.int32, np.intc],
    "int64": ["q", "l", "i8", "=i8", "int", "intp", "long", "longlong", int, np.int64, np.longlong, np.dtype("int64")],
    "uint8": ["B", "u1", "|u1", ">u1", "ubyte", np.uint8],
    "uint16": ["H", "u2", "ushort", np.uint16],
    "uint32": ["I", "u4", "uintc", np.uint32],
    "uint64": ["Q", "L", "u8", "uint", "uintp", np.uint64],
    "float16": ["e", "f2", "half", np.float16],
    "float32": ["f", "f4", "<f4", "single", "torch.float32", np.float32, np.dtype("f4")],
    "float64": ["d", "f8", "<f8", "float", "double", float, np.float64, np.zeros(1), State([1.0])],
    "complex64": ["F", "c8", "csingle", np.complex64],
    "complex128": ["D", "c16", "complex", "cdouble", complex, np.complex128],
    "bfloat16": [ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)],
    "float8_e4m3fn": [ml_dtypes.float8_e4m3fn, np.dtype(ml_dtypes.float8_e4m3fn)],
    "float8_e5m2": [ml_dtypes.float8_e5m2],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_type_is_written_in_many_ways(name: str) -> None:
    ours = getattr(syntonic, name)
    for written in WRITTEN[name]:
        assert DType(written) is not None and DType(written).name == name, written
        assert State([1], dtype=written).dtype == name
        if not isinstance(written, (np.ndarray, State)):
            assert ours == written and not ours != written and (written == ours or isinstance(written, str)), written
            assert all(getattr(syntonic, other) != written for other in WRITTEN if other != name)
    assert len({ours, DType(name), name}) == 1


@pytest.mark.parametrize("name", WRITTEN)
def test_numpy_takes_our_types(name: str) -> None:
    x = syntonic.zeros(2, dtype=name)
    theirs = np.dtype(getattr(ml_dtypes, name, name))
    assert np.dtype(x.dtype) == theirs == x.dtype == x.dtype.dtype == x.dtype.__numpy_dtype__ == x.dtype.numpy()
    assert np.zeros(2, dtype=x.dtype).dtype == theirs == x.numpy().dtype
    assert np.result_type(x.dtype, x.dtype) == theirs
    if name in NAMES:
        assert np.issubdtype(x.dtype, np.inexact) == np.issubdtype(theirs, np.inexact)


def test_arrays_and_other_things_are_no_types() -> None:
    for other in (None, 3, object(), np.zeros(1), State([1.0]), "float", [1.0]):
        same = syntonic.float32 == other
        assert same is False or not np.asarray(same).any()
    for wrong in ("float7", "", "<", object(), np.longdouble, np.dtype("M8[ns]"), np.dtype([("a", "f4")]), str):
        with pytest.raises(syntonic.DTypeError, match="unknown dtype"):
            DType(wrong)


def test_bytes_in_another_order_have_a_way_out() -> None:
    for swapped in (">f8", np.dtype(">f8"), "!f8"):
        assert syntonic.float64 != swapped
        with pytest.raises(syntonic.DTypeError, match=r'order of other machines; hint: .*"float64"'):
            DType(swapped)
    assert State(np.arange(3.0).astype(">f8")).tolist() == [0.0, 1.0, 2.0]


def test_types_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    # As PyTorch's own: a class of this name, whose objects say what they are as text only.
    class dtype:  # noqa: N801
        def __init__(self, name: str) -> None:
            self.text = f"torch.{name}"

        def __repr__(self) -> str:
            return self.text

    torch = types.ModuleType("torch")
    for name in WRITTEN:
        setattr(torch, name, dtype(name))
    monkeypatch.setitem(sys.modules, "torch", torch)
    for name in WRITTEN:
        ours, theirs = getattr(syntonic, name), getattr(torch, name)
        assert DType(theirs) == ours == theirs and theirs == ours and ours.torch() is theirs
        assert syntonic.zeros(1, dtype=theirs).dtype == ours
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="install torch"):
        syntonic.float32.torch()


def test_importing_the_package_does_not_import_numpy() -> None:
    import subprocess

    text = "import sys, syntonic; syntonic.float32 == syntonic.DType('f4'); syntonic.ones(2).sum(); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", text], check=True)
