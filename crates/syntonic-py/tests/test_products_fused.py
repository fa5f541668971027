"""Products as people write them: what follows a product runs with it, and a precision is kept and told."""

import math

import numpy as np
import pytest

import syntonic as syn

DTYPES = ["float16", "float32", "float64"]


def pair(dtype: str = "float32", shape: tuple[int, int, int] = (120, 80, 130)) -> tuple[syn.State, syn.State, syn.State]:
    m, k, n = shape
    g = np.random.default_rng(1)
    x, w, b = g.standard_normal((m, k)), g.standard_normal((k, n)), g.standard_normal(n)
    # Copies: memory that NumPy may write is read at once.
    return tuple(syn.asarray(t.astype(dtype), copy=True) for t in (x, w, b))


def within(got: syn.State, want: np.ndarray, dtype: str, k: int = 80) -> None:
    # k roundings of each product's sum, whose magnitudes add up to no more than k * 16 here, and some of the other steps.
    unit = {"float16": 2.0**-24, "float32": 2.0**-24, "float64": 2.0**-53}[dtype]
    last = {"float16": 2.0**-9}.get(dtype, 0.0)
    np.testing.assert_allclose(got.numpy().astype("float64"), want, rtol=8 * last, atol=k * k * 16 * unit + 40 * last)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_layer_in_plain_python_is_one_product(dtype: str) -> None:
    x, w, b = pair(dtype)
    y = syn.relu(x @ w + b)
    assert y.is_pending
    told = syn.explain(y)
    assert told.count("one product") == 1 and "over its sums" in told, told
    product = (x @ w).eval()
    assert np.array_equal(y.numpy(), syn.relu(product + b).numpy())
    wide = x.numpy().astype("float64") @ w.numpy().astype("float64") + b.numpy()
    within(y, np.maximum(wide, 0), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_eager_products_have_the_same_bits(dtype: str) -> None:
    x, w, b = pair(dtype)
    with syn.rounding("each"):
        later = syn.tanh((x @ w) * 0.25 - b)
    with syn.eager():
        product = x @ w
        assert not product.is_pending
        now = syn.tanh(product * 0.25 - b)
    assert np.array_equal(later.numpy(), now.numpy())


def test_a_product_with_a_name_is_computed_once() -> None:
    x, w, b = pair()
    h = x @ w
    assert h.is_pending
    y = h + b
    y.eval()
    assert not h.is_pending
    assert np.array_equal(y.numpy(), h.numpy() + b.numpy())


def test_a_product_holds_its_operands_as_they_were() -> None:
    x, w, b = pair()
    want = syn.relu((x @ w).eval() + b).numpy()
    y = syn.relu(x @ w + b)
    x[:] = 0
    w[0, 0] = math.nan
    assert np.array_equal(y.numpy(), want)


def test_views_reductions_and_writes_read_the_plain_product() -> None:
    x, w, b = pair()
    want = (x @ w).numpy().copy()
    assert np.array_equal((x @ w)[3:9, ::2].numpy(), want[3:9, ::2])
    assert np.array_equal((x @ w).T.numpy(), want.T)
    np.testing.assert_allclose(float(syn.sum(x @ w)), want.astype("float64").sum(), rtol=1e-6)
    h = x @ w
    h += b
    assert np.array_equal(h.numpy(), want + b.numpy())
    square = syn.ones((100, 100)) @ syn.ones((100, 100))
    square @= square
    assert float(square[0, 0]) == 1_000_000.0


def test_nan_goes_through_relu() -> None:
    x, w, b = pair()
    x[5, 5] = math.nan
    for y in (syn.relu(x @ w + b), syn.nn.linear(x, w, b, activation="relu")):
        rows = np.isnan(y.numpy()).all(axis=1)
        assert rows[5] and rows.sum() == 1


@pytest.mark.parametrize("activation", ["none", "relu", "gelu", "gelu_erf", "silu", "sigmoid", "tanh"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_linear_is_the_function_of_its_name(dtype: str, activation: str) -> None:
    x, w, b = pair(dtype, (9, 20, 7))
    act = {"none": lambda t: t, "tanh": syn.tanh}.get(activation) or getattr(syn.nn, activation)
    wide = [syn.asarray(t, dtype="float64") for t in (x, w, b)]
    want = act(wide[0] @ wide[1] + wide[2]).numpy()
    got = syn.nn.linear(x, w, b, activation=activation)
    assert got.dtype == x.dtype
    within(got, want, dtype, 20)
    assert syn.nn.linear(x[0], w).shape == (7,)


def test_gradients_of_linear_are_differences() -> None:
    x, w, b = pair("float64", (4, 5, 3))
    grad = syn.asarray(np.random.default_rng(2).standard_normal((4, 3)))

    def loss(*args: np.ndarray) -> float:
        return float(syn.sum(grad * syn.nn.linear(*map(syn.asarray, args), activation="tanh")))

    operands = [t.numpy().copy() for t in (x, w, b)]
    kept = {"output": syn.nn.linear(x, w, b, activation="tanh"), "inner": x @ w + b}
    for name, value in kept.items():
        found = syn.nn.linear_backward(grad, x, w, activation="tanh", **{name: value})
        for which, got in enumerate(found):
            for at in np.ndindex(*got.shape):
                ends = []
                for step in (1e-5, -1e-5):
                    moved = [t.copy() for t in operands]
                    moved[which][at] += step
                    ends.append(loss(*moved))
                # Truncation and cancellation of a central difference with this step.
                assert abs(float(got[at]) - (ends[0] - ends[1]) / 2e-5) < 1e-7
    with pytest.raises(syn._core.SyntonicError, match="inner"):
        syn.nn.linear_backward(grad, x, w, activation="relu")
    with pytest.raises(syn._core.SyntonicError, match="gelu"):
        syn.nn.linear_backward(grad, x, w, output=grad, activation="gelu")


def test_the_precision_of_the_process() -> None:
    assert syn.get_matmul_precision() == "highest"
    x, w, _ = pair()
    want = (x @ w).numpy()
    with syn.matmul_precision("medium"):
        assert syn.get_matmul_precision() == "medium"
        with syn.matmul_precision(1e-3):
            assert syn.get_matmul_precision() == 1e-3
            assert np.array_equal((x @ w).numpy(), want)
        assert syn.set_matmul_precision("high") == "medium"
    assert syn.get_matmul_precision() == "highest"
    for wrong in ("precise", -1.0, math.nan, None, True):
        with pytest.raises((ValueError, TypeError)):
            syn.set_matmul_precision(wrong)  # type: ignore[arg-type]
    assert syn.get_matmul_precision() == "highest"


@pytest.mark.parametrize("precision", ["highest", "high", "medium", 1e-2, 1e-5])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_report_says_what_was_done(dtype: str, precision: str | float) -> None:
    x, w, _ = pair(dtype)
    out, report = syn.linalg.matmul_report(x, w, precision=precision)
    assert (report.asked, report.chosen, report.retries) == (precision, "native", 0)
    assert report.estimated_error is not None and report.estimated_error < (1e-3 if dtype == "float16" else 1e-6)
    assert np.array_equal(out.numpy(), (x @ w).numpy())
    assert np.array_equal(syn.matmul(x, w, precision=precision).numpy(), out.numpy())
    assert syn.linalg.matmul_report(x, w, precision=precision)[1] == report


def test_more_than_the_type_has_is_computed_in_double_precision() -> None:
    x, w, _ = pair()
    out, report = syn.linalg.matmul_report(x, w, precision=0.0)
    assert report.chosen == "float64"
    wide = x.numpy().astype("float64") @ w.numpy().astype("float64")
    # One rounding of sums whose own error does not show in float32, but where it lies on the edge of two numbers.
    assert np.abs(out.numpy() - wide).max() <= np.abs(wide).max() * 2.0**-24 * 1.001


def test_integers_are_exact_whatever_is_asked() -> None:
    x = syn.asarray(np.arange(12_000).reshape(120, 100))
    out, report = syn.linalg.matmul_report(x, x.T, precision="medium")
    assert report.estimated_error is None
    assert np.array_equal(out.numpy(), x.numpy() @ x.numpy().T)
    assert np.array_equal(syn.relu(x @ x.T - 5).numpy(), np.maximum(x.numpy() @ x.numpy().T - 5, 0))


def test_mistakes_appear_at_the_call() -> None:
    x, w, b = pair()
    with pytest.raises(syn._core.ShapeError):
        x @ x
    with pytest.raises(syn._core.ShapeError, match="linear"):
        syn.nn.linear(x, w.T)
    with pytest.raises(syn._core.ShapeError, match="bias"):
        syn.nn.linear(x, w, b[:-1])
    with pytest.raises(syn._core.DTypeError, match="relu"):
        syn.nn.linear(syn.astype(x, "complex64"), syn.astype(w, "complex64"), activation="relu")
    with pytest.raises(ValueError, match="activation"):
        syn.nn.linear(x, w, activation="softmax")
    with pytest.raises(ValueError, match="precision"):
        syn.matmul(x, w, precision="exact")
