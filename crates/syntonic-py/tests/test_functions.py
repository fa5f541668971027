"""Sorting, products, rearrangements and running sums against NumPy; the details are tested in the engine."""

import doctest
import inspect

import numpy as np
import pytest
from arrays import numbers, same

import syntonic
from syntonic import State

N = numbers((4, 5), "float64")
X = State(N)


def close(state: State, want: object) -> None:
    np.testing.assert_allclose(np.asarray(state), want, rtol=1e-13)


def test_sorting() -> None:
    same(syntonic.sort(X, axis=0), np.sort(N, axis=0))
    same(syntonic.sort(X, descending=True), np.sort(N)[:, ::-1])
    same(syntonic.argsort(X), np.argsort(N, kind="stable"))
    values, places = syntonic.topk(X, 2)
    same(values, np.sort(N)[:, :-3:-1])
    same(syntonic.take_along_axis(X, places), np.asarray(values))
    same(syntonic.searchsorted(State([1.0, 3.0]), X, side="right"), np.searchsorted([1.0, 3.0], N, side="right"))
    same(syntonic.isin(X, State([3.0, 7.0])), np.isin(N, [3.0, 7.0]))
    for ours, theirs in zip(syntonic.unique_all(X), np.unique_all(N), strict=True):
        same(ours, theirs)
    same(syntonic.unique_values(X), np.unique_values(N))
    same(syntonic.bincount(State([1, 1, 3])), np.bincount([1, 1, 3]))


def test_statistics() -> None:
    close(syntonic.median(X, axis=1), np.median(N, axis=1))
    close(syntonic.quantile(X, 0.3), np.quantile(N, 0.3))
    close(syntonic.quantile(X, [0.1, 0.9], axis=0), np.quantile(N, [0.1, 0.9], axis=0))
    close(syntonic.cumulative_sum(X, axis=1), np.cumsum(N, axis=1))
    close(syntonic.cumulative_prod(X, axis=0, include_initial=True)[1:], np.cumprod(N, axis=0))
    close(syntonic.linalg.vector_norm(X, axis=1), np.linalg.norm(N, axis=1))
    close(syntonic.logsumexp(X, axis=0), np.log(np.exp(N).sum(0)))


def test_products() -> None:
    close(syntonic.einsum("ij,kj->ik", X, X), N @ N.T)
    close(syntonic.outer(X[0], X[1]), np.outer(N[0], N[1]))
    close(syntonic.kron(X, X), np.kron(N, N))
    close(syntonic.vecdot(X, X), (N * N).sum(-1))
    close(syntonic.tensordot(X, X.T, axes=1), N @ N.T)
    close(syntonic.tensordot(X, X, axes=([0, 1], [0, 1])), (N * N).sum())
    close(syntonic.trace(X, offset=1), np.trace(N, 1))
    close(syntonic.bmm(X[None], X.T[None]), (N @ N.T)[None])
    close(syntonic.linalg.diagonal(X, offset=-1), np.diagonal(N, -1))


def test_chain() -> None:
    x, y0, w, v = N[0], N[:, 1], N[:, 2], N[:, 3]
    y = 0.5 * N @ x - 2.0 * y0
    z = 3.0 * y + 0.25 * w
    terms = {"alpha": 0.5, "y0": State(y0), "beta": -2.0, "a": 3.0, "w": State(w), "b": 0.25, "v": State(v)}
    numbers_of_z = {"sum": z.sum(), "sum_of_squares": (z * z).sum(), "max_abs": np.abs(z).max(), "dot": z @ v}
    for reduce, want in numbers_of_z.items():
        out = syntonic.linalg.gemv_chain(X, x, reduce=reduce, keep="both", **terms)
        assert out.y is not None and out.z is not None and out.r is not None
        np.testing.assert_allclose(np.asarray(out.y), y, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(np.asarray(out.z), z, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(np.asarray(out.r), want, rtol=1e-11, atol=1e-11)
    only = syntonic.linalg.gemv_chain(X.T, N[:, 0])
    assert only.y is None and only.r is None and only.z is not None
    np.testing.assert_allclose(np.asarray(only.z), N.T @ N[:, 0], rtol=1e-12)
    with pytest.raises(syntonic.ArgumentError, match="dot"):
        syntonic.linalg.gemv_chain(X, x, reduce="dot")
    with pytest.raises(syntonic.ArgumentError, match="keep"):
        syntonic.linalg.gemv_chain(X, x, keep="all")  # type: ignore[arg-type]


def test_rearrangements() -> None:
    same(syntonic.tile(X, (2, 1)), np.tile(N, (2, 1)))
    same(syntonic.repeat(X, 2, axis=1), np.repeat(N, 2, axis=1))
    same(syntonic.repeat(X, State([0, 1, 2, 1]), axis=0), np.repeat(N, [0, 1, 2, 1], axis=0))
    same(syntonic.roll(X, 2, axis=1), np.roll(N, 2, axis=1))
    same(syntonic.roll(X, 3), np.roll(N, 3))
    same(syntonic.tril(X, k=-1), np.tril(N, -1))
    same(syntonic.triu(X), np.triu(N))
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        same(syntonic.pad(X, ((1, 2), (0, 1)), mode=mode), np.pad(N, ((1, 2), (0, 1)), mode=mode))
    same(syntonic.pad(X, 1, value=9), np.pad(N, 1, constant_values=9))
    with pytest.raises(ValueError):
        syntonic.pad(X, -1)


def test_clip_and_where() -> None:
    same(syntonic.clip(X, 2, 5), np.clip(N, 2, 5))
    same(syntonic.clip(X, max=5), np.clip(N, None, 5))
    same(syntonic.clip(X), N)
    same(syntonic.where(X > 4, X, -1.0), np.where(N > 4, N, -1.0))


@pytest.mark.parametrize("name", syntonic.__all__)
def test_functions_have_signatures_and_say_what_they_do(name: str) -> None:
    thing = getattr(syntonic, name)
    if inspect.isfunction(thing):
        assert thing.__doc__ and inspect.signature(thing)




@pytest.mark.parametrize("name", syntonic._elementwise.__all__)
def test_every_element_wise_function_is_callable(name: str) -> None:
    function = getattr(syntonic, name)
    count = sum(p.kind is p.POSITIONAL_ONLY and p.default is p.empty for p in inspect.signature(function).parameters.values())
    kinds = [State([True]), State([1]), State([0.5])]
    results = []
    for kind in kinds:
        try:
            results.append(function(*[kind] * count))
        except syntonic.DTypeError:
            continue
    assert results and all(result.shape == (1,) for result in results)


def test_methods_named_as_numpy_names_them() -> None:
    in_order, want = State(N), N.copy()
    assert in_order.sort(axis=0) is None
    want.sort(axis=0)
    same(in_order, want)
    same(X.argsort(descending=True), np.argsort(-N, kind="stable"))
    same(State([1.0, 3.0]).searchsorted(X, side="right"), np.array([1.0, 3.0]).searchsorted(N, side="right"))
    for axis in (None, 0, -1):
        close(X.cumsum(axis=axis), N.cumsum(axis=axis))
        close(X.cumprod(axis=axis), N.cumprod(axis=axis))
    same(X.cumsum(dtype="float32"), N.cumsum(dtype="float32"))
    same(X.take([0, 2], axis=1), N.take([0, 2], axis=1))
    same(X.repeat(2), N.repeat(2))
    for ours, theirs in zip(X.nonzero(), N.nonzero(), strict=True):
        same(ours, theirs)
    close(X.trace(1), N.trace(1))
    same((X / 4).round(), (N / 4).round())
    z = numbers((3, 2), "complex64")
    same(State(z).conj(), z.conj())
    same(State(z).conjugate(), z.conjugate())
    assert X.to_device("cpu") is X


def test_clip_writes_to_out_and_broadcasts() -> None:
    for bounds in ((2, 5), (2, None), (None, 5), (None, None)):
        same(X.clip(*bounds), N if bounds == (None, None) else N.clip(*bounds))
    out = State(np.zeros_like(N))
    assert X.clip(State([1.0, 2, 3, 4, 5]), 6, out=out) is out
    same(out, N.clip([1.0, 2, 3, 4, 5], 6))
    with pytest.raises(syntonic.ArgumentError, match="side"):
        X.ravel().searchsorted(1.0, side="middle")


def test_differences() -> None:
    for axis in (0, 1, -1):
        for n in (0, 1, 2, 9):
            same(syntonic.diff(X, axis=axis, n=n), np.diff(N, n=n, axis=axis))
    same(syntonic.diff(X, axis=0, prepend=0.0, append=X), np.diff(N, axis=0, prepend=0.0, append=N))
    flags = N > N.mean()
    same(syntonic.diff(State(flags)), np.diff(flags))
    assert syntonic.diff(X, n=0) is not X
    with pytest.raises(ValueError, match=r"^diff: axis 2 is out of range"):
        syntonic.diff(X, axis=2)
    with pytest.raises(ValueError, match=r"^diff: n is -1; it must not be negative"):
        syntonic.diff(X, n=-1)


def test_shapes_broadcast() -> None:
    assert syntonic.broadcast_shapes() == ()
    for shapes in ([(3, 1), (1, 4)], [(), (2, 0)], [(1,), (5, 1, 1), 7], [(2, 3)]):
        assert syntonic.broadcast_shapes(*shapes) == np.broadcast_shapes(*shapes)
    with pytest.raises(ValueError, match=r"^broadcast_shapes: \[2\] and \[3\] do not fit; hint"):
        syntonic.broadcast_shapes((2,), (3,))
    with pytest.raises(ValueError, match="negative"):
        syntonic.broadcast_shapes((-1,))
    assert isinstance(syntonic.broadcast_arrays(X, 1.0), tuple)


def test_where_of_a_condition_alone_is_nonzero() -> None:
    for ours, theirs in zip(syntonic.where(X > 3), np.where(N > 3), strict=True):
        same(ours, theirs)
    for wrong in (lambda: syntonic.where(X, 1), lambda: syntonic.where(X, out=X), lambda: syntonic.where(X, None, 1)):  # type: ignore[call-overload]
        with pytest.raises(TypeError, match="^where: x1 and x2 go together"):
            wrong()


def test_results_of_unique_have_names() -> None:
    for name in ("unique_all", "unique_counts", "unique_inverse"):
        ours, theirs = getattr(syntonic, name)(X), getattr(np, name)(N)
        assert ours._fields == theirs._fields
        for field in ours._fields:
            same(getattr(ours, field), getattr(theirs, field))


def test_diagonals_beyond_every_corner() -> None:
    for k in (-(2**70), -(2**63) - 1, 2**63, 2**70):
        same(syntonic.eye(3, k=k), np.zeros((3, 3)))
        same(syntonic.tril(X, k=k), N if k > 0 else 0 * N)
        same(syntonic.triu(X, k=k), N if k < 0 else 0 * N)


def test_the_namespace_says_what_the_standard_names() -> None:
    info = syntonic.__array_namespace_info__()
    assert isinstance(info.devices(), tuple)
    assert info.default_device() in info.devices()
    assert set(info.dtypes()) == set(np.__array_namespace_info__().dtypes())
    assert info.dtypes(kind="real floating") == {"float32": "float32", "float64": "float64"}


def test_examples_hold() -> None:
    from syntonic import _manipulation

    run = doctest.testmod(_manipulation)
    assert run.attempted >= 5
    assert run.failed == 0
