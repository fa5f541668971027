"""Whether what a peer computed is right: samples of its results beside NumPy in double precision."""

import numpy as np
import optimizers
import pipelines
import products
from formulas import numpy_functions, steps
from layers import axis_of, is_backward, layer_of, sample_of_result, wanted
from searches import is_search, wrong_search

#: How close the peers have to be to NumPy in double precision, as a part of the result.
CLOSE = {"bfloat16": 0.05, "float16": 0.01, "float32": 1e-3, "complex64": 1e-3, "float64": 1e-9, "complex128": 1e-9}
SAMPLE = 4096


def wide(x):
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def differs(row, got, want):
    error = np.abs(wide(got) - want).max() / max(1.0, np.abs(want).max())
    # NaN is close to nothing.
    return None if error <= CLOSE[row["dtype"]] else f"differs from NumPy by {error:.1e}"


def check_layer(row, library, call, given, xs):
    """Compares samples of a layer's results, or of its first gradient, with the table's formula."""
    layer, cotangent = layer_of(row), xs[: is_backward(row)]
    operands = layer.operands(library.module, *xs[len(cotangent) :])
    want, fair = wanted(np, row, [*cotangent, *operands], lambda t: wide(library.host(t)))
    results = call(*given)
    results = results if isinstance(results, (tuple, list)) else [results]
    for result, part in zip(results, want, strict=False):
        got = library.host(sample_of_result(layer, result))
        wrong = differs(row, got[fair], part[fair]) if is_backward(row) else differs(row, got, part)
        if wrong:
            return wrong
    return None


def check(row, library, call, xs):
    """Compares samples of a result with NumPy in double precision; sums of whole matrices are left to the other rows."""
    kind = row["kind"]
    if is_search(row):
        return wrong_search(row, *map(library.host, call(*xs)))
    if pipelines.is_pipeline(row):
        return pipelines.wrong_pipeline(row, call(*xs), xs, lambda x: wide(library.host(x)))
    if optimizers.is_optimizer(row):
        # Of the first step: those that were timed went on from each other.
        first = optimizers.fused(library.module, row)
        return optimizers.wrong_step(row, first(*xs), xs, lambda x: wide(library.host(x)))
    if products.is_decomposition(row):
        return products.wrong_factors(row, library.host, call(*xs), xs)
    if products.is_product(row):
        return differs(row, *products.compared(row, library.host, call(*xs), xs))
    result = library.host(call(*xs))
    if kind in ("map", "graph"):
        want = steps(row, [wide(library.host(x[:SAMPLE])) for x in xs], numpy_functions(np))
        got = result[:SAMPLE]
    elif kind == "transpose":
        want, got = wide(library.host(xs[0][:, :4])).T, result[:4]
    elif kind in ("sum", "max", "var", "argmax"):
        axis = axis_of(row)
        part = xs[0][:4] if axis == 1 else xs[0][:, :4] if axis == 0 else xs[0]
        want = getattr(np, kind)(wide(library.host(part)), axis=axis)
        got = result[:4] if axis is not None else result
    elif kind == "cumsum":
        axis = axis_of(row)
        part = xs[0][:4] if axis == 1 else xs[0][:, :4]
        want, got = np.cumsum(wide(library.host(part)), axis=axis), result[:4] if axis == 1 else result[:, :4]
    elif kind == "permute":
        want, got = library.host(xs[0]).transpose(2, 0, 1), result
    elif kind == "sort":
        want, got = np.sort(library.host(xs[0])), result
    elif kind == "topk":
        want, got = np.sort(library.host(xs[0][:4]), axis=1)[:, : -65 : -1], result[:4]
    elif kind == "normal":
        want, got = np.array([0.0, 1.0]), np.array([result.mean(), result.std()])
        return None if np.abs(got - want).max() < 0.01 else f"moments {got}"
    else:
        want, got = library.host(xs[0][:SAMPLE]), result[:SAMPLE]
    return differs(row, got, want)
