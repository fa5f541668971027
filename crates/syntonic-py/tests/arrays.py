"""Random arrays for property tests: NumPy's own, and a State over the same values in the same layout."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import syntonic

NAMES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
).split()

shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)


def numbers(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Small whole numbers that every type holds, different from place to place."""
    count = int(np.prod(shape))
    values = (np.arange(count) * 7 + 3) % 11
    if dtype.startswith("complex"):
        return (values + 1j * (values % 3)).astype(dtype).reshape(shape)
    return values.astype(dtype).reshape(shape)


@st.composite
def pairs(draw: st.DrawFn, dtypes: list[str] = NAMES) -> tuple[np.ndarray, syntonic.State]:
    """An array with some layout, and a State that shares no memory with it but has the same views applied."""
    shape = draw(shapes)
    base = numbers(shape, draw(st.sampled_from(dtypes)))
    state = syntonic.State(base)
    for _ in range(draw(st.integers(0, 2))):
        order = draw(st.permutations(range(base.ndim)))
        steps = tuple(slice(None, None, draw(st.sampled_from([1, 2, -1]))) for _ in range(base.ndim))
        if base.ndim:
            base, state = base.transpose(order)[steps], state.transpose(*order)[steps]
    return base, state


def same(state: syntonic.State, array: object) -> None:
    """Equal values, shape and type."""
    array = np.asarray(array)
    assert state.shape == array.shape
    assert state.dtype.name == array.dtype.name
    np.testing.assert_array_equal(np.asarray(state), array)
