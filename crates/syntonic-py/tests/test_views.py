"""Views share storage, as NumPy's do; pending expressions keep what they were built from."""

import numpy as np
import pytest
from arrays import numbers, pairs, same
from hypothesis import given
from hypothesis import strategies as st

import syntonic
from syntonic import State


def test_a_change_through_a_view_is_seen() -> None:
    a = State(numbers((3, 4), "float32"))
    b = a[0]
    b += 1
    c = a.T[1:, ::-1]
    c[...] = 7
    want = numbers((3, 4), "float32")
    want[0] += 1
    want.T[1:, ::-1][...] = 7
    same(a, want)


@given(st.data())
def test_writes_through_views_are_numpys(data: st.DataObject) -> None:
    base, state = data.draw(pairs(["float64", "int32", "complex64"]))
    if base.ndim == 0:
        return
    cut = tuple(slice(data.draw(st.integers(-3, 3)), None, data.draw(st.sampled_from([1, 2, -1]))) for _ in base.shape)
    view, ours = base[cut], state[cut]
    view *= 2
    ours *= 2
    same(state, base)
    base[cut] = 5
    state[cut] = 5
    same(state, base)


def test_overlapping_writes() -> None:
    a, n = State(np.arange(10.0)), np.arange(10.0)
    a[1:] += a[:-1]
    n[1:] += n[:-1].copy()
    same(a, n)
    a[::-1] = a
    same(a, n[::-1])


@pytest.mark.parametrize("size", [10, 20_000])
def test_pending_expressions_are_snapshots(size: int) -> None:
    a = syntonic.ones(size)
    b = a + 1
    c = b * 2
    a[:] = 100
    b += 10
    assert b[0].item() == 12 and c[-1].item() == 4 and a[0].item() == 100


def test_shared_memory_is_read_at_the_call() -> None:
    outside = np.ones(20_000)
    a = syntonic.asarray(outside, copy=False)
    b = a + 1
    outside[:] = 50
    assert b[7].item() == 2 and a[7].item() == 50
    mine = syntonic.ones(20_000)
    lent = np.asarray(mine)
    c = mine * 3
    lent[:] = 9
    assert c[7].item() == 3 and mine[7].item() == 9


def test_laziness_is_for_large_results_and_can_be_switched_off() -> None:
    a = syntonic.ones(100_000)
    assert (a + 1).is_pending and not (a[:10] + 1).is_pending
    with syntonic.eager():
        assert not (a + 1).is_pending
    assert (a + 1).is_pending
    text = syntonic.explain(syntonic.exp(a * 2 + 1))
    assert "3 expressions fused" in text


def test_a_broadcast_view_is_not_written() -> None:
    view = syntonic.broadcast_to(State([1.0]), (3,))
    with pytest.raises(ValueError, match="read-only.*copy"):
        view += 1
    assert np.asarray(view).flags.writeable is False


def test_parts_of_complex_numbers_are_views() -> None:
    z = State([1 + 2j, 3 + 4j])
    z.real[0] = 10
    z.imag = [7, 8]
    same(z, np.array([10 + 7j, 3 + 8j]))
    x = State([1.0, 2.0])
    x.real[0] = 5
    same(x, np.array([5.0, 2.0]))
    same(x.imag, np.zeros(2))


@given(pairs())
def test_shapes_changed(pair: tuple[np.ndarray, State]) -> None:
    base, state = pair
    same(state.T, base.T)
    same(state.reshape(-1), base.reshape(-1)) if base.size else None
    same(state.ravel(), base.ravel())
    same(syntonic.expand_dims(state, axis=0), np.expand_dims(base, 0))
    same(state[None].squeeze(0), base)
    same(syntonic.flip(state), np.flip(base))
    if base.ndim > 1:
        same(state.mT, base.swapaxes(-1, -2))
        same(syntonic.moveaxis(state, 0, -1), np.moveaxis(base, 0, -1))


def test_reshape_says_whether_it_copies() -> None:
    a = State(numbers((2, 3), "int64"))
    syntonic.reshape(a, (3, 2))[0, 0] = 50
    assert a[0, 0].item() == 50
    with pytest.raises(ValueError, match="copy"):
        syntonic.reshape(a.T, (6,), copy=False)
    syntonic.reshape(a, (6,), copy=True)[0] = 1
    assert a[0, 0].item() == 50


def test_views_of_many_axes_and_few() -> None:
    array = np.arange(2.0**6)
    state = syntonic.State(array)
    for shape in ((2,) * 6, (4, 16), (-1, 2), (2, 2, 2, 2, -1), (1,) * 3 + (64,), (64,)):
        a, s = array.reshape(shape), state.reshape(*shape)
        assert (s.shape, s.strides) == (a.shape, a.strides)
        assert (s.T.shape, s.T.strides) == (a.T.shape, a.T.strides)
        for key in ((slice(None, None, -1), None, ...), (..., None, 0), (None, 0, ..., None)):
            np.testing.assert_array_equal(np.asarray(s[key]), a[key])
        np.testing.assert_array_equal(np.asarray(s[-1]), a[-1])
    for wrong in ((3, -1), (-1, -1), (-2, 32), (65,)):
        with pytest.raises(syntonic.ShapeError):
            state.reshape(*wrong)
    with pytest.raises(IndexError, match="axis 1"):
        state.reshape(4, 16)[0, 16]


def test_views_live_and_die_like_any_object() -> None:
    import gc
    import weakref

    state = syntonic.State([1.0, 2.0, 3.0])
    view = state[1:]
    died = []
    reference = weakref.ref(view, died.append)
    assert reference() is view
    gc.collect()
    del state
    assert view.tolist() == [2.0, 3.0]
    del view
    assert len(died) == 1
