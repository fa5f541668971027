"""What a NumPy user writes: methods with NumPy's arguments, and NumPy's functions and ufuncs over States."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arrays import numbers

import syntonic
from syntonic import State

N = numbers((4, 5), "float64") - 4
I = numbers((4, 5), "int64") - 4
B = numbers((4, 5), "int64") % 2 == 0
V = numbers((6,), "float64")
S = N[:4, :4] + 9 * np.eye(4)
C = numbers((3, 2), "complex128")
MASK = numbers((5,), "int64") % 3 > 0


def agrees(ours: Any, theirs: Any) -> None:
    """The same values, shape and type, a State for every array, in the same tuples and lists."""
    if isinstance(theirs, (tuple, list)):
        assert isinstance(ours, type(theirs)) or hasattr(theirs, "_fields")
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            agrees(one, other)
    elif isinstance(theirs, (np.ndarray, np.generic)):
        assert type(ours) is State, type(ours)
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype, (ours.dtype, theirs.dtype)
        # Sums in another order, which float32 rounds at each step in NumPy, and functions within 4 units of the last place.
        bound = 1e-5 if theirs.dtype == np.float32 else 1e-13
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=bound, atol=bound)
    else:
        assert ours == theirs and type(ours) is type(theirs)


def both(call: Callable[..., Any], *arrays: np.ndarray) -> None:
    """The call of States and of arrays of the same values."""
    agrees(call(*(State(a) for a in arrays)), call(*(a.copy() for a in arrays)))


# Methods and functions with everything that NumPy's take.
REDUCTIONS: list[dict[str, Any]] = [
    {},
    {"axis": 0},
    {"axis": (0, -1), "keepdims": True},
    {"axis": 1, "where": MASK},
    {"axis": 1, "where": MASK, "keepdims": True},
    {"where": True},
]
STARTS: list[dict[str, Any]] = [{"initial": 3}, {"axis": 0, "initial": 2, "where": B}]
TYPED: list[dict[str, Any]] = [{"dtype": "float32"}, {"axis": 0, "dtype": np.float64}]
MOMENTS: list[dict[str, Any]] = [{"ddof": 1}, {"axis": 0, "ddof": 1, "where": B}, {"dtype": "float32"}]
ASKED = {
    "sum": REDUCTIONS + STARTS + TYPED,
    "prod": REDUCTIONS + STARTS + TYPED,
    "mean": REDUCTIONS + TYPED,
    "std": REDUCTIONS + MOMENTS,
    "var": REDUCTIONS + MOMENTS,
    "min": [*REDUCTIONS[:3], *STARTS],
    "max": [*REDUCTIONS[:3], *STARTS],
    "any": REDUCTIONS,
    "all": REDUCTIONS,
    "argmax": [{}, {"axis": 0}, {"axis": -1, "keepdims": True}],
    "argmin": [{}, {"axis": 0}, {"axis": -1, "keepdims": True}],
    "cumsum": [{}, {"axis": 0}, {"axis": 1, "dtype": "float32"}],
    "cumprod": [{}, {"axis": 0}, {"axis": 1, "dtype": "float32"}],
    "round": [{}, {"decimals": 1}, {"decimals": -1}],
    "clip": [{"min": -1, "max": 2}, {"min": 0}],
    "take": [{"indices": [0, 2]}, {"indices": [1, 9], "axis": 1, "mode": "wrap"}, {"indices": [-3, 40], "mode": "clip"}],
    "repeat": [{"repeats": 2}, {"repeats": [0, 1, 2, 3], "axis": 0}],
    "squeeze": [{}],
    "diagonal": [{}, {"offset": 1}],
    "trace": [{}, {"offset": -1, "axis1": 1, "axis2": 0, "dtype": "float32"}],
    "nonzero": [{}],
    "ravel": [{}, {"order": "F"}],
    "argsort": [{"kind": "stable"}, {"axis": 0, "stable": True}],
}


@pytest.mark.parametrize("name", ASKED)
def test_methods_take_what_numpys_take(name: str) -> None:
    for asked in ASKED[name]:
        for a in (N, N / 3, I, B):
            if name in ("squeeze", "cumsum", "clip", "round") and a is B or name in ("argmax", "argmin", "argsort", "max", "min") and a is B:
                continue
            both(lambda x, asked=asked: getattr(x, name)(**asked), a)
            if name != "mode":
                both(lambda x, asked=asked: getattr(np, name)(x, **asked), a)


def test_results_go_to_out() -> None:
    for name in ("sum", "mean", "std", "max", "prod", "cumsum", "argmax", "any"):
        want = getattr(N, name)(axis=0)
        for out in (syntonic.zeros(want.shape, dtype=want.dtype), np.zeros(want.shape, want.dtype)):
            for call in (lambda **o: getattr(State(N), name)(axis=0, **o), lambda **o: getattr(np, name)(State(N), axis=0, **o)):
                out[...] = 0
                call(out=out)
                np.testing.assert_allclose(np.asarray(out), want, rtol=1e-14)
            assert getattr(np, name)(State(N), axis=0, out=out) is out
    out = syntonic.zeros(5)
    assert syntonic.sum(N, 0, out=out) is out and out.tolist() == N.sum(0).tolist()
    with pytest.raises(syntonic.ShapeError, match="shape of the result"):
        State(N).sum(axis=0, out=syntonic.zeros(4))
    with pytest.raises(syntonic.ArgumentTypeError, match="out is True"):
        State(N).sum(0, None, True)
    with pytest.raises(syntonic.DTypeError):
        State(N).mean(0, out=syntonic.zeros(5, dtype="int64"))


def test_reductions_that_have_no_answer() -> None:
    with pytest.raises(syntonic.ArgumentError, match="give initial as well"):
        State(N).max(where=State(B))
    with pytest.raises(syntonic.ArgumentError, match="two names of one number"):
        State(N).std(ddof=1, correction=1)
    with pytest.raises(syntonic.ShapeError):
        State(N).sum(where=[True, False])
    assert syntonic.max(syntonic.zeros((0, 2)), 0, initial=-3.0).tolist() == [-3.0, -3.0]
    assert State([1, 2]).max(initial=7, where=[False, False]).item() == 7
    assert np.isnan(State(N).mean(where=False).item())


def test_other_methods() -> None:
    both(lambda x: x.reshape(2, 10, order="F"), N)
    both(lambda x: x.reshape((5, -1), order="F"), N)
    both(lambda x: x.flatten(order="F"), N)
    both(lambda x: x.copy(order="F"), N)
    both(lambda x: x.dot(x.T), N)
    both(lambda x: x.dot(2.0), N)
    both(lambda x: x.dot(x[0]), N)
    both(lambda x: x[None].dot(x.T[None]), N)
    both(lambda x: x.astype("int8", casting="unsafe", order="F"), N)
    both(lambda x: (x.item(3), x.item(1, 2), x.item((0, 4)), x.item(-1)), N)
    both(lambda x: x.swapaxes(0, 1), N)
    agrees(round(State(N / 3)), (N / 3).round())
    agrees(round(State(N / 3), 2), (N / 3).round(2))
    for asked in ({"mode": "raise"}, {"mode": "wrap"}, {"mode": "clip"}):
        ours, theirs = State(I), I.copy()
        ours.put([0, 7, -2], [50, 60], **asked)
        theirs.put([0, 7, -2], [50, 60], **asked)
        agrees(ours, theirs)
    with pytest.raises(syntonic.OutOfRangeError):
        State(I).put([99], 1)
    x, a = State(I), I.copy()
    for target in (x, a):
        target.flat[::6] = 7
        target.T[:2].flat = [-1, -2, -3]
    agrees(x, a)
    agrees(x.flat[3:5], a.flat[3:5])
    for target in (x, a):
        target.T.flat[1::4] = [3, 4]
    agrees(x, a)
    view = State(I)
    view[1:, ::2].put([0, 1], -9)
    assert view[1, 0].item() == -9 == view[1, 2].item()
    kinds = ["bool", "int8", "uint8", "int32", "uint32", "int64", "float16", "float32", "float64", "complex64", "complex128"]
    for source in kinds:
        for target in kinds:
            for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
                allowed = np.can_cast(np.dtype(source), np.dtype(target), casting)
                if allowed:
                    State([1], dtype=source).astype(target, casting=casting)
                else:
                    with pytest.raises(syntonic.DTypeError, match='casting="unsafe"'):
                        State([1], dtype=source).astype(target, casting=casting)
    with pytest.raises(syntonic.ArgumentError, match="no fields"):
        State(N).sort(order="a")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ptp": lambda x: np.ptp(x, axis=0),
    "median": lambda x: np.median(x, axis=1, keepdims=True),
    "quantile": lambda x: np.quantile(x, [0.25, 0.5], axis=0),
    "percentile": lambda x: np.percentile(x, 30),
    "quantile by another method": lambda x: np.quantile(x, 0.3, method="hazen"),
    "where": lambda x: np.where(x > 0, x, 0.0),
    "where of one": lambda x: np.where(x > 0),
    "argwhere": lambda x: np.argwhere(x > 0),
    "flatnonzero": lambda x: np.flatnonzero(x),
    "count_nonzero": lambda x: np.count_nonzero(x, axis=0),
    "reshape": lambda x: np.reshape(x, (5, 4), order="F"),
    "transpose": lambda x: np.transpose(x, (1, 0)),
    "moveaxis": lambda x: np.moveaxis(x, 0, 1),
    "expand_dims": lambda x: np.expand_dims(x, (0, 2)),
    "broadcast_to": lambda x: np.broadcast_to(x, (2, 4, 5)),
    "broadcast_arrays": lambda x: np.broadcast_arrays(x, x[0]),
    "flip": lambda x: (np.flip(x), np.flipud(x), np.fliplr(x), np.flip(x, 1)),
    "rot90": lambda x: np.rot90(x),
    "roll": lambda x: np.roll(x, 2, axis=0),
    "tile": lambda x: np.tile(x, (2, 1)),
    "repeat": lambda x: np.repeat(x, 2),
    "tril": lambda x: (np.tril(x, 1), np.triu(x, -1)),
    "pad": lambda x: (np.pad(x, 1), np.pad(x, ((1, 0), (2, 1)), constant_values=7), np.pad(x, 1, mode="edge")),
    "pad otherwise": lambda x: np.pad(x, 1, mode="linear_ramp", end_values=2),
    "concatenate": lambda x: (np.concatenate([x, x]), np.concatenate((x, x), axis=None), np.concatenate([x, x], 1, dtype="float32")),
    "stack": lambda x: (np.stack([x, x], axis=-1), np.vstack([x, x[0]]), np.hstack([x, x]), np.column_stack([x[:, 0], x])),
    "split": lambda x: (np.split(x, 2), np.split(x, [1, 3], axis=1), np.array_split(x, 3), np.array_split(x, [1], axis=-1)),
    "split ways": lambda x: (np.array_split(x, 7, axis=1), np.hsplit(x, [1]), np.vsplit(x, 2), np.dsplit(x[..., None], 1), np.hsplit(x[0], [2])),
    "meshgrid": lambda x: tuple(np.meshgrid(x[0], x[1])),
    "atleast": lambda x: (np.atleast_1d(x[0, 0]), np.atleast_2d(x[0]), np.atleast_1d(x, x[0])),
    "like": lambda x: (np.zeros_like(x), np.ones_like(x, dtype="int32"), np.full_like(x, 3), np.zeros_like(x, shape=(2,))),
    "copy": lambda x: np.copy(x),
    "sort": lambda x: (np.sort(x, axis=0), np.sort(x, axis=None), np.argsort(x, axis=None, kind="stable")),
    "searchsorted": lambda x: np.searchsorted(np.sort(x[0]), x, side="right"),
    "unique": lambda x: (np.unique(x), *np.unique(x, return_index=True, return_inverse=True, return_counts=True)),
    "isin": lambda x: np.isin(x, [1.0, 3.0], invert=True),
    "take_along_axis": lambda x: np.take_along_axis(x, np.argsort(x, axis=1, kind="stable"), axis=1),
    "dot": lambda x: (np.dot(x, x.T), np.inner(x, x), np.vdot(x, x), np.outer(x, x), np.kron(x, x)),
    "tensordot": lambda x: (np.tensordot(x, x, axes=([0, 1], [0, 1])), np.einsum("ij,kj->ik", x, x)),
    "norm": lambda x: (np.linalg.norm(x), np.linalg.norm(x, axis=1), np.linalg.norm(x, 1)),
    "close": lambda x: (np.isclose(x, x + 1e-9), np.allclose(x, x), np.array_equal(x, x), np.array_equal(x, x[0])),
    "size": lambda x: (np.shape(x), np.ndim(x), np.size(x), np.size(x, 1)),
    "parts": lambda x: (np.real(x), np.imag(x)),
    "cumulative": lambda x: np.cumulative_sum(x, axis=1, include_initial=True) if hasattr(np, "cumulative_sum") else None,
    # NumPy's own, of arrays over the same memory.
    "nan functions": lambda x: (np.nansum(x), np.nanmax(x, axis=0), np.nanstd(x)),
    "diff": lambda x: (np.diff(x, axis=0), np.gradient(x)[0]),
    "interp": lambda x: np.interp(x, [0.0, 5.0], [1.0, 2.0]),
    "histogram": lambda x: np.histogram(x, bins=4),
    "convolve": lambda x: np.convolve(x[0], x[1]),
    "cov": lambda x: (np.cov(x), np.corrcoef(x)),
    "average": lambda x: np.average(x, axis=1, weights=x[0] + 9),
    "digitize": lambda x: np.digitize(x, [0.0, 2.0]),
    "apply_along_axis": lambda x: np.apply_along_axis(lambda row: row.sum(), 1, x),
    "nan_to_num": lambda x: np.nan_to_num(x),
    "trapezoid": lambda x: np.trapezoid(x, axis=1),
    "fft": lambda x: np.fft.fft(x, axis=0),
    "select": lambda x: np.select([x > 2, x > 0], [x, -x], 0),
    "partition": lambda x: np.partition(x, 2, axis=1)[:, 2],
    "block": lambda x: np.block([[x, x], [x, x]]),
    "types": lambda x: (np.result_type(x, np.float32), np.can_cast(x, np.complex128), np.iscomplexobj(x)) if isinstance(x, np.ndarray) else (np.dtype("f8"), True, False),
    "pieces": lambda x: np.piecewise(x, [x < 0, x >= 0], [-1.0, 1.0]),
    "text": lambda x: np.array2string(x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_numpy_give_states(name: str) -> None:
    both(FUNCTIONS[name], N)


@pytest.mark.parametrize("name", ["inv", "det", "slogdet", "solve", "qr", "svd", "eigvals", "eigvalsh", "eigh", "cholesky", "matrix_power", "matrix_rank", "pinv", "lstsq", "svdvals", "multi_dot", "cond"])
def test_linear_algebra_of_numpy(name: str) -> None:
    sym = S @ S.T
    extra = {"solve": (N[:, 0],), "matrix_power": (3,), "lstsq": (N[:, 0],)}.get(name, ())
    take = [sym, sym] if name == "multi_dot" else sym
    ours = getattr(np.linalg, name)([State(s) for s in take] if name == "multi_dot" else State(sym), *extra)
    theirs = getattr(np.linalg, name)(take, *extra)
    pairs = zip(ours, theirs, strict=True) if isinstance(theirs, tuple) else [(ours, theirs)]
    for mine, other in pairs:
        assert isinstance(mine, State) == isinstance(other, (np.ndarray, np.generic))
        # Vectors and factors are defined up to a sign or a phase.
        np.testing.assert_allclose(np.sort(np.abs(np.asarray(mine)).ravel()), np.sort(np.abs(np.asarray(other)).ravel()), rtol=1e-8, atol=1e-8)


UFUNCS: dict[str, Callable[..., Any]] = {
    "ours": lambda x: (np.add(x, 1), np.sqrt(abs(x)), np.arctan2(x, x + 9), np.power(x, 2), np.isnan(x)),
    "not ours": lambda x: (np.float_power(x, 2), np.heaviside(x, 0.5), np.cbrt(x), np.rad2deg(x), np.fmod(x, 3.0), np.fmax(x, 1)),
    "several results": lambda x: (np.divmod(x, 3.0), np.modf(x), np.frexp(x)),
    "reduce": lambda x: (np.add.reduce(x), np.add.reduce(x, axis=None), np.maximum.reduce(x, axis=1, keepdims=True), np.multiply.reduce(x, 1)),
    "reduce with more": lambda x: (np.add.reduce(x, axis=0, initial=2.0), np.minimum.reduce(x, axis=1, where=MASK, initial=9.0)),
    "reduce of truth": lambda x: (np.logical_and.reduce(x), np.logical_or.reduce(x, axis=1), np.logical_xor.reduce(x)),
    "reduce otherwise": lambda x: (np.subtract.reduce(x), np.hypot.reduce(x, axis=1)),
    "accumulate": lambda x: (np.add.accumulate(x), np.multiply.accumulate(x, axis=1), np.maximum.accumulate(x)),
    "reduceat": lambda x: np.add.reduceat(x, [0, 2, 1]),
    "outer": lambda x: (np.multiply.outer(x[0], x[:, 0]), np.subtract.outer(x, x), np.fmod.outer(x[0], x[0] + 10)),
    "where": lambda x: np.add(x, 1.0, out=x * 0, where=x > 0),
    "dtype": lambda x: np.add(x, 1, dtype="float32", casting="same_kind"),
    "array and State": lambda x: (np.add(x, N), np.add(N, x), N + x, x + N, N @ x.T),
    "matmul": lambda x: (np.matmul(x, x.T), np.matmul(x, x[0])),
}


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_of_numpy_give_states(name: str) -> None:
    both(UFUNCS[name], N)


def test_ufuncs_write_to_out() -> None:
    for out in (syntonic.zeros((4, 5)), np.zeros((4, 5))):
        for call in (
            lambda **o: np.exp(State(N), **o),
            lambda **o: np.cbrt(State(N), **o),
            lambda **o: np.add(N, State(N), **o),
            lambda **o: np.matmul(State(S), State(N), **o),
            lambda **o: np.add.accumulate(State(N), **o),
        ):
            out[...] = 0
            assert call(out=out) is out
            np.testing.assert_allclose(np.asarray(out), np.asarray(call()), rtol=1e-14)
    first, second = syntonic.zeros((4, 5)), np.zeros((4, 5))
    for call in (lambda **o: np.divmod(State(N), 3.0, **o), lambda **o: np.modf(State(N / 4), **o)):
        results = call(out=(first, second))
        assert results[0] is first and results[1] is second
        for got, want in zip(results, call(), strict=True):
            np.testing.assert_allclose(np.asarray(got), np.asarray(want))
    with pytest.raises(TypeError):
        np.exp(State(N), out=syntonic.zeros((4, 5), dtype="int64"))
    array = N.copy()
    array += State(N)
    assert type(array) is np.ndarray and array.tolist() == (2 * N).tolist()


def test_what_numpy_changes_in_place_is_the_state() -> None:
    x, a = State(N), N.copy()
    for target in (x, a):
        np.add.at(target, ([0, 0, 1], [1, 1, 2]), 5.0)
        np.copyto(target, target * 2, where=target > 0)
        np.fill_diagonal(target, 7.0)
        np.put(target, [3, 4], [1.5, 2.5])
        np.clip(target, -2, 6, out=target)
        np.multiply.at(target, [0, 0], 2.0)
        np.negative(target, out=target, where=target > 3)
    agrees(x, a)


def test_functions_of_users_and_other_libraries() -> None:
    from scipy import special

    both(lambda x: (special.erf(x), special.expit(x), special.gammaln(x + 9), special.xlogy(x + 9, 2.0)), N)
    mine = np.frompyfunc(lambda a, b: a - b, 2, 1)
    assert mine(State([3.0]), 1.0).tolist() == [2.0]

    class Other:
        def __array_function__(self, *_: Any) -> str:
            return "theirs"

    assert np.concatenate([State(V), Other()]) == "theirs"  # type: ignore[list-item]


def test_numbers_of_numpy_keep_their_type() -> None:
    for dtype in ("float16", "float32", "float64", "int8", "int64", "complex64"):
        x, a = syntonic.ones(2, dtype=dtype), np.ones(2, dtype)
        for number in (np.float64(3), np.float32(3), np.complex128(1j), np.complex64(1), 3.0, True, np.array(2.5), np.True_):
            got, want = (x * number).dtype, (a * number).dtype
            # Of integers and floats the Array API says nothing, and the float keeps its type here.
            if syntonic.isdtype(dtype, "integral") and getattr(number, "dtype", None) not in (None, np.float64, np.complex128, np.bool_):
                continue
            assert got == want == (number * x).dtype == np.multiply(number, x).dtype, (dtype, number)
        if syntonic.isdtype(dtype, "integral"):
            assert (x * np.int16(3)).dtype == (a * np.int16(3)).dtype


def test_memory_by_the_interface_of_numpy() -> None:
    x = State(N)[1:, ::-2]
    seen = x.__array_interface__
    assert seen["typestr"] == "<f8" and seen["shape"] == (3, 3) and seen["version"] == 3

    class Holder:
        __array_interface__ = seen
        state = x

    view = np.asarray(Holder())
    agrees(x, view)
    view[0, 0] = 99
    assert x[0, 0].item() == 99
    assert not hasattr(State([1.0], dtype="bfloat16"), "__array_interface__")
    assert not syntonic.broadcast_to(x, (2, 3, 3)).__array_interface__["data"][1] is False


def test_the_order_of_arguments_is_numpys() -> None:
    agrees(syntonic.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32))
    agrees(syntonic.ones(3, int), np.ones(3, int))
    agrees(syntonic.full((2,), 3, "i1"), np.full((2,), 3, "i1"))
    agrees(syntonic.array([1, 2], float), np.array([1, 2], float))
    agrees(syntonic.asarray([1, 2], "f4"), np.asarray([1, 2], "f4"))
    agrees(syntonic.linspace(0, 1), np.linspace(0, 1))
    for name in ("sort", "argsort", "flip", "sum", "max", "std", "argmax"):
        agrees(getattr(syntonic, name)(N, 0), np.argsort(N, 0, kind="stable") if name == "argsort" else getattr(np, name)(N, 0))
    agrees(syntonic.concat([N, N], 1), np.concat([N, N], 1))
    agrees(syntonic.stack([N, N], 1), np.stack([N, N], 1))
    agrees(syntonic.take(N, [0, 2], 1), np.take(N, [0, 2], 1))
    agrees(syntonic.repeat(N, 2, 1), np.repeat(N, 2, 1))
    agrees(syntonic.roll(N, 2, 1), np.roll(N, 2, 1))


def test_names_of_numpys_say_what_is_here() -> None:
    from syntonic import _other_names

    with pytest.raises(AttributeError, match=r"no attribute 'concatenate'; hint: here it is concat; syntonic\.numpy has NumPy's names, and numpy\.concatenate takes States too"):
        syntonic.concatenate  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'nonsense'$"):
        syntonic.nonsense  # type: ignore[attr-defined]
    for theirs, ours in _other_names._INSTEAD.items():
        assert theirs not in syntonic.__all__ and (hasattr(np, theirs) or theirs == "float_")
        assert any(word in syntonic.__all__ for word in ours.replace("(", " ").replace(",", " ").split()) or ours.startswith("x.")


def test_names_of_the_first_designs_say_what_is_here() -> None:
    from syntonic import _other_names

    for name in _other_names._FIRST:
        with pytest.raises(AttributeError, match=f"{name}'; hint: here it is "):
            getattr(syntonic, name)
    with pytest.raises(AttributeError, match=r"no attribute 'mm_tn'; hint: here it is syntonic\.golden\.mm_tn"):
        syntonic.linalg.mm_tn  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'nonsense'$"):
        syntonic.linalg.nonsense  # type: ignore[attr-defined]


def test_former_names_of_a_state_say_what_is_here() -> None:
    x = State([[1.0, 2.0]])
    for name, here in {"reshape_inplace": r"x\.reshape\(", "matmul_async": "x @ y", "prefetch_to_gpu": r'x\.to\("cuda"\)'}.items():
        assert not hasattr(x, name) and name not in dir(x)
        with pytest.raises(AttributeError, match=f"'State' object has no attribute '{name}'; hint: here it is .*{here}") as caught:
            getattr(x, name)
        assert (caught.value.name, caught.value.obj) == (name, x)
    with pytest.raises(AttributeError, match=r"'syntonic\.State' object has no attribute 'nonsense'$"):
        x.nonsense  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="nonsense"):
        x.nonsense = 1  # type: ignore[attr-defined]


def test_names_of_the_compiled_module_are_the_packages() -> None:
    from syntonic import _core

    made: Any = _core
    mode = made.PhiResidualMode("phi")
    x, r = State([[1.0, -4.0], [2.0, 3.0]]), State([[2.0, 1.0], [-8.0, 1.0]])
    agrees(made.phi_residual(x, r, mode), np.asarray(x) + np.asarray(r) / syntonic.phi)
    agrees(made.phi_residual_relu(x, r, mode), np.maximum(np.asarray(x) + np.asarray(r) / syntonic.phi, 0))
    normed = made.golden_batch_norm_1d_py(x, made.GoldenNormMode("golden"))
    agrees(normed, np.asarray(syntonic.golden_batch_norm_1d(x)))
    agrees(made.golden_batch_norm_2d_py(x[None, None]), np.asarray(syntonic.golden_batch_norm_2d(x[None, None])))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        made.nonsense


def test_ranges_are_arrays() -> None:
    agrees(syntonic.asarray(range(3)), np.asarray(range(3)))
    agrees(State(range(9, -2, -3), dtype="float32"), np.asarray(range(9, -2, -3), dtype="float32"))
    agrees(State([1, 2, 3]) + range(3), np.array([1, 2, 3]) + range(3))
    assert State(range(0)).shape == (0,)
    with pytest.raises(syntonic.ArgumentError, match="64 bits"):
        State(range(2**70))


def test_a_state_on_a_gpu_is_not_brought_over(monkeypatch: pytest.MonkeyPatch) -> None:
    from syntonic import _numpy

    x = State(N)
    monkeypatch.setattr(_numpy, "_elsewhere", lambda value: "cuda:0")
    for call in (lambda: np.array2string(x), lambda: np.pad(x, 1, mode="mean"), lambda: np.add.reduceat(x, [0], dtype="float32")):
        with pytest.raises(syntonic.TransferError, match=r"numpy\.\w+(\.\w+)?: NumPy computes in memory of the host, .*cuda:0; hint: \.cpu\(\) first"):
            call()
    assert type(np.exp(x)) is State and type(np.sum(x)) is State
    # What is composed of ours goes on.
    assert np.add(x, 1, dtype="float32").dtype == "float32"
    want = N.copy()
    for target in (x, want):
        np.add.at(target, ([0, 0], [1, 1]), 5.0)
        np.multiply.at(target, [1, 1], 2.0)
        np.maximum.at(target, ([0, 0], [0, 0]), [7.0, 3.0])
    agrees(x, want)
    for call in (lambda: np.add(x, 1, signature="dd->d"), lambda: np.quantile(x, 0.3, method="hazen")):
        with pytest.raises(syntonic.TransferError, match="cuda:0"):
            call()


def test_corners_that_random_programs_found() -> None:
    whole, floats = np.array([[1, -3], [2, 5]], np.int8), np.array([[0.5, -1.5], [2.25, 4.0]], np.float32)
    both(np.rint, whole)
    for dtype in ("int64", "int8", bool):
        both(lambda x, dtype=dtype: np.mean(x, dtype=dtype), whole)
    # Positions with a type of their own count as operands.
    for q in (25, 25.0, [25, 50], np.float32(25), np.float64(25), np.array([25.0], np.float16)):
        both(lambda x, q=q: np.percentile(x, q, axis=0), floats)
    for q in (0.25, np.float64(0.25), [0.25], np.float32(0.25), [0, 1]):
        both(lambda x, q=q: np.quantile(x, q, axis=0), floats)

    def assigned(x: Any, value: Any, *index: Any) -> Any:
        x = x.copy()
        for at in index:
            x[at] = value
        return x

    # Leading axes of length 1 say nothing in an assignment.
    both(lambda x: assigned(x, np.full((1, 1, 2), 7), 0, [0], x[:, 0] > 1), floats)
    both(lambda x: assigned(x.reshape(4)[:1], np.full((1, 1), 7), ...), floats)
    with pytest.raises(syntonic.ShapeError):
        State(floats)[0] = np.zeros((2, 2))

    def put(x: Any, value: Any) -> Any:
        x = x.copy()
        x.put([0, -1], value)
        return x

    both(lambda x: put(x, 1), whole > 0)
    both(lambda x: put(x, 2.75), whole)
    both(lambda x: put(x, type(x)(np.array([2.75, -1.5])) if isinstance(x, State) else np.array([2.75, -1.5])), whole)
    both(lambda x: put(x, [3, 0]), whole > 0)
    with pytest.raises(syntonic.DTypeError):
        State(whole).put([0], State([1j]))
    with pytest.raises(syntonic.DTypeError):
        State(whole).put([0], 1j)


def test_a_result_is_repeated_along_the_axes_of_out() -> None:
    out = syntonic.zeros((2, 3))
    assert np.add(State([1.0, 2.0, 3.0]), 1.0, out=out) is out and out.tolist() == [[2.0, 3.0, 4.0]] * 2
    assert syntonic.multiply(2.0, 4.0, out=out) is out and out.tolist() == [[8.0] * 3] * 2
    for wrong in (syntonic.zeros(2), syntonic.zeros((2, 1)), syntonic.zeros(())):
        with pytest.raises(syntonic.ShapeError, match="out must have the shape of the result"):
            syntonic.add(State([1.0, 2.0, 3.0]), 1.0, out=wrong)


def test_ravel_lies_one_behind_the_other() -> None:
    a = np.arange(12.0).reshape(3, 4)
    for view in (lambda x: x, lambda x: x[1:], lambda x: x[::-1], lambda x: x[0, ::2], lambda x: x[:, 1], lambda x: x.T):
        for order in ("C", "F"):
            x, n = State(a), a.copy()
            ours, theirs = view(x).ravel(order), view(n).ravel(order)
            assert ours.strides == theirs.strides
            ours[0] = theirs[0] = 100.0
            np.testing.assert_array_equal(x.numpy(), n)
