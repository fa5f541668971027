"""The products that the peers run: operands, PyTorch's calls, and what must come out.

The size of a row is `[.., m, k, n]`. Operands lie between -1 and 1.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import factors
import numpy as np

INV_PHI = 0.6180339887498949
PHI = 1.618033988749895
#: The factor of the correction by the rank of E8, 1 + q/8.
CORRECTION = 1 + (2 * PHI + math.e / (2 * PHI**2)) / (PHI**4 * (math.exp(math.pi) - math.pi)) / 8
#: Layers of the perceptron.
DEEP = 4
#: Lines of a result that are compared, at its beginning, its end, and between.
LINES = 4
#: Larger rows are left to PyTorch and Syntonic: the others call the same library for them.
LARGE = 8192


@dataclass(frozen=True)
class Product:
    #: From the leading lengths, m, k and n to the shapes of the operands.
    shapes: Callable
    #: What must come out at the lines of `at`, in double precision, where `all` gives an operand whole.
    want: Callable | None = None
    #: The call in operators that every library has.
    plain: Callable | None = None
    #: The call in PyTorch, where it has more to say.
    eager: Callable | None = None
    #: The call in PyTorch's fused functions.
    native: Callable | None = None
    #: What is done to what was drawn, before the clock runs.
    prepare: Callable | None = None
    #: Of a decomposition, instead of `want`: how far its factors are from giving its operand again, and how far they may be.
    again: Callable | None = None


def pair(lead, m, k, n):
    return [(*lead, m, k), (*lead, k, n)]


def alone(lead, m, k, n):
    return [(*lead, m, k)]


def layer(lead, m, k, n):
    # PyTorch's weights have a row for each result.
    return [(m, k), (n, k), (n,)]


def written(lead, m, k, n):
    return [(m, k), (k, n), (n,)]


def cast(x, kind):
    """Of PyTorch in the type of this name; NumPy's doubles hold the numbers of all of them."""
    if isinstance(x, np.ndarray):
        return x
    import torch

    return x.to(getattr(torch, kind))


def scaled_operands(kind, largest):
    """Of numbers between -1 and 1: whole ones of matrices, positive scales of vectors."""

    def operands(a, b, rows, columns):
        whole = [cast((cast(x, "float32") * largest).round(), kind) for x in (a, b)]
        return [*whole, *(abs(cast(x, "float32")) + 0.5 for x in (rows, columns))]

    return operands


def scaled_8_bit(kind, largest, eager):
    """A product of 8-bit numbers with a scale for each row and column. The second factor is the transpose of a row-major matrix."""
    return Product(
        lambda lead, m, k, n: [(m, k), (n, k), (m,), (n,)],
        lambda at, whole, a, b, rows, columns: at(a) @ whole(b).T * at(rows)[:, None] * whole(columns),
        eager=eager,
        prepare=scaled_operands(kind, largest),
    )


def int_mm(torch, a, b, rows, columns):
    """PyTorch's product of int8 gives sums; what follows is a pass, which a compiler takes into one."""
    return cast(torch._int_mm(a, b.T) * rows[:, None] * columns, "bfloat16")


def scaled_mm(torch, a, b, rows, columns):
    return torch._scaled_mm(a, b.T, rows[:, None], columns[None, :], out_dtype=torch.bfloat16)


def multiply(a, b):
    return a @ b


def want_multiply(at, whole, a, b):
    return at(a) @ whole(b)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def relu(x):
    return np.maximum(x, 0)


def perceptron(torch, x, *layers):
    functional = torch.nn.functional
    for w, bias in zip(layers[::2], layers[1::2], strict=True):
        x = functional.relu(functional.linear(x, w, bias))
    return x


def want_perceptron(at, whole, x, *layers):
    y = at(x)
    for w, bias in zip(layers[::2], layers[1::2], strict=True):
        y = relu(y @ whole(w).T + whole(bias))
    return y


def chain(torch, a, x, y0, w):
    z = 1.5 * torch.addmv(y0, a, x, beta=0.5) - w
    return z, (z * z).sum()


def bracket(torch, a, b):
    first = a @ b
    return torch.addmm(first, b, a, alpha=-INV_PHI, out=first)


def scaled(by):
    return Product(
        pair,
        lambda at, whole, a, b: by * (at(a) @ whole(b)),
        plain=lambda a, b: by * (a @ b),
        # With beta 0 the summand is not read.
        native=lambda torch, a, b: torch.addmm(a, a, b, beta=0, alpha=by),
    )


PLAIN = Product(pair, want_multiply, plain=multiply)
#: At a precision that only some libraries know.
CHOSEN = Product(pair, want_multiply, eager=lambda torch, a, b: a @ b)

PRODUCTS = {
    "matmul": PLAIN,
    "matmul_high": CHOSEN,
    "tf32": CHOSEN,
    "bmm": PLAIN,
    "bmm_high": CHOSEN,
    "thin": PLAIN,
    "gemv": Product(lambda lead, m, k, n: [(m, k), (k,)], want_multiply, plain=multiply),
    "linear_gelu": Product(
        layer,
        lambda at, whole, x, w, bias: gelu(at(x) @ whole(w).T + whole(bias)),
        eager=lambda torch, x, w, bias: torch.nn.functional.gelu(
            torch.nn.functional.linear(x, w, bias), approximate="tanh"
        ),
        native=lambda torch, x, w, bias: torch._addmm_activation(bias, x, w.T, use_gelu=True),
    ),
    "biased": Product(
        written,
        lambda at, whole, x, w, bias: at(x) @ whole(w) + whole(bias),
        eager=lambda torch, x, w, bias: x @ w + bias,
    ),
    "biased_gelu": Product(
        written,
        lambda at, whole, x, w, bias: gelu(at(x) @ whole(w) + whole(bias)),
        eager=lambda torch, x, w, bias: torch.nn.functional.gelu(x @ w + bias, approximate="tanh"),
    ),
    "scaled_int8": scaled_8_bit("int8", 127, int_mm),
    # As Syntonic has it: sums of such numbers are exact on every card.
    "scaled_fp8": scaled_8_bit("float8_e4m3fn", 7, scaled_mm),
    "linear_relu_high": Product(
        layer,
        lambda at, whole, x, w, bias: relu(at(x) @ whole(w).T + whole(bias)),
        eager=perceptron,
        native=lambda torch, x, w, bias: torch._addmm_activation(bias, x, w.T, use_gelu=False),
    ),
    "mlp": Product(lambda lead, m, k, n: [(m, k), *[(n, k), (n,)] * DEEP], want_perceptron, eager=perceptron),
    "gemv_chain": Product(
        lambda lead, m, k, n: [(m, k), (k,), (m,), (m,)],
        lambda at, whole, a, x, y0, w: 1.5 * (at(a) @ whole(x) + 0.5 * at(y0)) - at(w),
        eager=chain,
    ),
    "phi_bracket": Product(
        pair,
        lambda at, whole, a, b: at(a) @ whole(b) - INV_PHI * (at(b) @ whole(a)),
        eager=bracket,
    ),
    "two_products": Product(pair, want_multiply, plain=lambda a, b: (a @ b, b @ a)),
    "mm_phi": scaled(PHI),
    "mm_tn": Product(
        lambda lead, m, k, n: [(k, m), (k, n)],
        lambda at, whole, a, b: at(a.T) @ whole(b),
        plain=lambda a, b: a.T @ b,
    ),
    "mm_corrected": scaled(CORRECTION),
    "solve": Product(pair, eager=lambda torch, a, b: torch.linalg.solve(a, b), again=factors.solve),
    "cholesky": Product(
        alone, eager=lambda torch, a: torch.linalg.cholesky(a), prepare=factors.definite, again=factors.cholesky
    ),
    "svd": Product(alone, eager=lambda torch, a: torch.linalg.svd(a, full_matrices=False), again=factors.svd),
    "eigh": Product(
        alone, eager=lambda torch, a: torch.linalg.eigh(a), prepare=factors.definite, again=factors.eigh
    ),
}


def is_product(row):
    return row["kind"] in PRODUCTS


def shapes(row):
    """Of the operands."""
    *lead, m, k, n = row["size"]
    return PRODUCTS[row["kind"]].shapes(lead, m, k, n)


def is_fused(row):
    """Whether a compiler has anything to do."""
    product = PRODUCTS[row["kind"]]
    return product.plain is None and product.again is None and product is not CHOSEN


def prepared(row, xs):
    """The operands of the call, of what was drawn."""
    prepare = PRODUCTS[row["kind"]].prepare
    return prepare(*xs) if prepare else xs


def eager(torch, row):
    product = PRODUCTS[row["kind"]]
    return product.plain or (lambda *x: product.eager(torch, *x))


def native(torch, row):
    call = PRODUCTS[row["kind"]].native if is_product(row) else None
    return call and (lambda *x: call(torch, *x))


def plain(row):
    """The call of a library that is no PyTorch; None where it has another meaning there, or nothing new to say."""
    return PRODUCTS[row["kind"]].plain if max(row["size"]) < LARGE else None


def lines(x):
    """A few rows of a matrix or of every matrix, or a few elements of a vector."""
    if x.ndim == 1:
        return [x[start : start + LINES] for start in starts(len(x))]
    return [x[..., start : start + LINES, :] for start in starts(x.shape[-2])]


def starts(length):
    return 0, length // 3, max(length - LINES, 0)


def readers(host):
    """What gives the compared lines of an array of the library or NumPy, and what gives all of it, in double precision."""

    def whole(x):
        x = x if isinstance(x, np.ndarray) else host(x)
        return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)

    def at(x):
        axis = -1 if x.ndim == 1 else -2
        return np.concatenate([whole(part) for part in lines(x)], axis=axis)

    return at, whole


def is_decomposition(row):
    return is_product(row) and PRODUCTS[row["kind"]].again is not None


def wrong_factors(row, host, result, xs):
    """None where factors give their operand again, else what is wrong."""
    at, whole = readers(host)
    results = result if isinstance(result, tuple) else (result,)
    pairs = PRODUCTS[row["kind"]].again(at, whole, factors.ROUNDING[row["dtype"]], *xs, *results)
    return factors.wrong(pairs)


def compared(row, host, result, xs):
    """What came out at those lines, and what should have, in double precision."""
    at, whole = readers(host)
    result = result[0] if isinstance(result, tuple) else result
    return at(result), PRODUCTS[row["kind"]].want(at, whole, *xs)
