"""Views whose elements share memory: refused in every way of writing, whatever is taken from them first."""

import ctypes
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import syntonic
from syntonic import State


def base() -> State:
    return State([[1.0, 2.0, 3.0]])


def windows() -> State:
    """Windows over memory of NumPy, each of which begins one element after the one before."""
    array = np.arange(6.0)
    return syntonic.asarray(np.lib.stride_tricks.as_strided(array, (4, 3), (8, 8)))


def repeated() -> State:
    array = np.arange(3.0)
    return syntonic.asarray(np.lib.stride_tricks.as_strided(array, (4, 3), (0, 8)))


READ_ONLY: dict[str, Callable[[], State]] = {
    "broadcast_to": lambda: syntonic.broadcast_to(base(), (4, 3)),
    "broadcast_to of its own shape": lambda: syntonic.broadcast_to(State([[1.0, 2.0, 3.0]] * 4), (4, 3)),
    "broadcast_arrays": lambda: syntonic.broadcast_arrays(base(), syntonic.zeros((4, 1)))[0],
    "overlapping windows": windows,
    "memory of NumPy that repeats": repeated,
}
# What is taken from such a view has no elements that share memory, or fewer, and is read-only all the same.
VIEWS: dict[str, Callable[[State], State]] = {
    "itself": lambda v: v,
    "transposed": lambda v: v.T,
    "a row": lambda v: v[1],
    "a slice": lambda v: v[1:2, ::-1],
    "an element": lambda v: v[0, 0],
    "a new axis": lambda v: v[None, 0],
    "reshaped": lambda v: v[0].reshape(3, 1),
    "squeezed": lambda v: v[0:1].squeeze(),
    "diagonal": lambda v: v.diagonal(),
    "flipped": lambda v: syntonic.flip(v, axis=1),
    "split": lambda v: syntonic.split(v[0], 1)[0],
    "unstacked": lambda v: syntonic.unstack(v)[0],
    "from iteration": lambda v: next(iter(v)),
    "moved axes": lambda v: syntonic.moveaxis(v, 0, 1),
    "evaluated": lambda v: v.eval(),
    "asarray": lambda v: syntonic.asarray(v),
}


def set_item(key: object) -> Callable[[State], object]:
    def write(v: State) -> object:
        v[key] = 7.0  # type: ignore[index]
        return None

    return write


def in_place(name: str) -> Callable[[State], object]:
    return lambda v: getattr(v, name)(2.0)


def everywhere(v: State) -> State:
    return syntonic.ones(v.shape, dtype="bool")


WRITES: dict[str, Callable[[State], object]] = {
    "x[...]": set_item(...),
    "x[first]": lambda v: set_item((0,) * v.ndim)(v),
    "x[slices]": lambda v: set_item((slice(None),) * v.ndim)(v),
    "x[mask]": lambda v: set_item(everywhere(v))(v),
    "x[mask] = list": lambda v: v.__setitem__(everywhere(v), [7.0] * v.size),
    "x[array]": lambda v: set_item([0] if v.ndim else ...)(v),
    "x[None]": set_item(None),
    "fill": lambda v: v.fill(7.0),
    "sort": lambda v: v.sort() if v.ndim else v.fill(0),
    "real": lambda v: setattr(v, "real", 7.0),
    "out of a function": lambda v: syntonic.sqrt(v.copy(), out=v),
    "out of add": lambda v: syntonic.add(v.copy(), 1.0, out=v),
    "out of where": lambda v: syntonic.where(everywhere(v), 1.0, v.copy(), out=v),
    "out of clip": lambda v: syntonic.clip(v.copy(), 0, 1, out=v),
    "out of a product": lambda v: syntonic.matmul(syntonic.eye(v.shape[0]), v.copy(), out=v) if v.ndim == 2 else v.fill(0),
    "out of NumPy": lambda v: np.add(v.copy(), 1.0, out=v),
    "@=": lambda v: v.__imatmul__(syntonic.eye(v.shape[-1])) if v.ndim == 2 else v.fill(0),
    **{
        name: in_place(f"__{name}__")
        for name in ("iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "iand", "ior", "ixor", "ilshift", "irshift")
    },
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", READ_ONLY)
def test_read_only_views_are_not_written(kind: str, view: str) -> None:
    whole = READ_ONLY[kind]()
    part = VIEWS[view](whole)
    before = np.array(whole)
    for way, write in WRITES.items():
        with pytest.raises(syntonic.ArgumentError) as refused:
            write(part)
        text = str(refused.value)
        assert "read-only" in text and ".copy()" in text, way
        np.testing.assert_array_equal(np.asarray(whole), before, err_msg=way)
    with pytest.raises(BufferError, match=r"\.copy\(\)"):
        request(part, WRITABLE | STRIDES)
    assert np.asarray(part).flags.writeable is False
    lent = np.from_dlpack(part)
    assert lent.flags.writeable is False or not np.shares_memory(lent, np.asarray(whole))
    copied = part.copy()
    copied[...] = 7.0
    np.testing.assert_array_equal(np.asarray(copied), np.full(part.shape, 7.0))
    np.testing.assert_array_equal(np.asarray(whole), before)


def test_complex_parts_of_read_only_views() -> None:
    whole = syntonic.broadcast_to(State([1 + 2j, 3 + 4j]), (2, 2))
    for part in (whole.real, whole.imag, whole[0].real, whole[0].imag[0]):
        with pytest.raises(syntonic.ArgumentError, match=r"read-only.*\.copy\(\)"):
            part[...] = 7.0
    for name in ("real", "imag"):
        with pytest.raises(syntonic.ArgumentError, match="read-only"):
            setattr(whole[0], name, 7.0)
    assert whole.tolist() == [[1 + 2j, 3 + 4j]] * 2
    half = syntonic.broadcast_to(State([1.5], dtype="bfloat16"), (2,))
    assert half.numpy().flags.writeable is False and half[:1].numpy().flags.writeable is False


def test_views_that_share_nothing_are_written() -> None:
    x = State(np.arange(12.0).reshape(3, 4))
    views = (x.T, x[1], x[:, ::-2], x.diagonal(), x[None], x.reshape(4, 3), syntonic.flip(x), x.squeeze(), syntonic.moveaxis(x, 0, 1))
    for view in (*views, *syntonic.split(x, 2, axis=1), *syntonic.unstack(x)):
        view[...] = 5.0
        assert float(view.sum()) == 5.0 * view.size
        assert np.asarray(view).flags.writeable
    (x + 1)[0, 0] = 2.0


# What a consumer of the buffer protocol can ask for.
SIMPLE, WRITABLE, FORMAT, ND, STRIDES = 0x0, 0x1, 0x4, 0x8, 0x18


class Buffer(ctypes.Structure):
    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)),
        ("internal", ctypes.c_void_p),
    ]


def request(x: State, flags: int) -> tuple[int, bool, bytes | None, bool, bool]:
    """Asks for a buffer as C does: its length, whether it is read-only, its format, and whether shape and strides came."""
    view = Buffer()
    get = ctypes.pythonapi.PyObject_GetBuffer
    get.argtypes = (ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int)
    get(x, ctypes.byref(view), flags)
    found = (view.len, bool(view.readonly), view.format, bool(view.shape), bool(view.strides))
    release = ctypes.pythonapi.PyBuffer_Release
    release.argtypes = (ctypes.POINTER(Buffer),)
    release(ctypes.byref(view))
    return found


def test_a_buffer_tells_shape_and_type_or_is_refused() -> None:
    plain = {
        "matrix": State([[1.0, 2.0], [3.0, 4.0]]),
        "vector": State([1.0, 2.0]),
        "number": State(1.0),
        "empty": syntonic.zeros((0, 3)),
        "bytes of two axes": syntonic.zeros((2, 2), dtype="uint8"),
        "signed bytes": syntonic.zeros(3, dtype="int8"),
    }
    for x in plain.values():
        for flags in (SIMPLE, WRITABLE, FORMAT, WRITABLE | FORMAT):
            with pytest.raises(BufferError, match="memoryview"):
                request(x, flags)
        length = x.size * x.itemsize
        code = np.asarray(x).dtype.char.encode()
        assert request(x, ND) == (length, False, None, True, False)
        assert request(x, STRIDES | FORMAT) == (length, False, code, True, True)
        assert request(x, STRIDES | FORMAT | WRITABLE) == (length, False, code, True, True)
    # Bytes are what they are.
    raw = State([1, 2, 3], dtype="uint8")
    assert request(raw, SIMPLE) == (3, False, None, False, False)
    assert request(raw, WRITABLE) == (3, False, None, False, False)
    assert bytes(memoryview(plain["matrix"]).cast("B")) == np.asarray(plain["matrix"]).tobytes()


def test_what_runs_backwards_is_lent_as_a_copy() -> None:
    x = State(np.arange(6.0).reshape(2, 3))
    for view in (x[::-1], x[:, ::-1], x.T[::-1], syntonic.flip(x)):
        for version in (None, (1, 0)):
            with pytest.raises(BufferError, match="copy=None"):
                view.__dlpack__(max_version=version, copy=False)
        lent = np.from_dlpack(view)
        np.testing.assert_array_equal(lent, np.asarray(view))
        assert not np.shares_memory(lent, np.asarray(x)) and min(lent.strides) >= 0
    # One position has no direction.
    for view in (x[:, ::2], x[:, :1][:, ::-1]):
        assert np.shares_memory(np.from_dlpack(view), np.asarray(x))
    # Nothing is walked where there is nothing.
    assert np.from_dlpack(x[:0][::-1]).shape == (0, 3)


def test_what_cannot_be_written_is_lent_so_or_as_a_copy() -> None:
    x = State([[1.0, 2.0]])
    view = syntonic.broadcast_to(x, (3, 2))
    assert np.shares_memory(np.from_dlpack(view), np.asarray(x))
    with pytest.raises(BufferError, match="version 1"):
        view.__dlpack__(copy=False)
    # The form before version 1 has no way to say so: whoever writes writes to a copy.
    assert "dltensor" in repr(view.__dlpack__())
    with pytest.raises(syntonic.ArgumentError, match="read-only"):
        syntonic.from_dlpack(view, copy=False)
    assert syntonic.from_dlpack(view).tolist() == [[1.0, 2.0]] * 3


def test_the_warning_free_ways_stay_free_of_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.asarray(syntonic.broadcast_to(State([1.0]), (2,))).tolist() == [1.0, 1.0]
