"""The layers that the peers run: one table, from which a forward row and the row of its gradient both take their formula.

A formula is plain arithmetic for any module `m` with NumPy's names. A library that has a layer of its own runs that one,
and its own gradient where it has that too; what does not depend on the data is computed beforehand.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from formulas import FORMULAS

#: The golden ratio, its reciprocal, and the root of that, which is the scale of a golden norm.
PHI = 1.618033988749895
INV_PHI = 0.6180339887498949
SQRT_INV_PHI = 0.7861513777574233
LN_TWO_PI = 1.8378770664093456
EPS = 1e-5
#: Axes of the statistics of planes and of features.
PLANES, FEATURES = (0, 2, 3), (0,)
#: Operands of row operators that are one row for all.
ROWS_FOR_ALL = ("weight", "bias")
#: Elements, and rows or columns, of a sample.
SAMPLE, LINES = 4096, 4


@dataclass(frozen=True)
class Layer:
    #: Arrays of the row's size that are drawn.
    arrays: int
    #: From the module and those arrays to what the call takes.
    operands: Callable
    #: From the module and the operands to the result.
    forward: Callable
    #: What a sample takes of every operand: `elements`, `rows`, `columns` or the `whole`.
    cut: str
    #: From the module, operands and result to what the way back needs.
    kept: Callable | None = None
    #: From the module, the cotangent and what was kept to the gradients.
    gradient: Callable | None = None
    #: The first so many operands have gradients.
    variables: int = 1


def statistics(x, axis):
    """The mean and one over the deviation."""
    mean = x.mean(axis=axis, keepdims=True)
    centred = x - mean
    return mean, ((centred * centred).mean(axis=axis, keepdims=True) + EPS) ** -0.5


def normed(x, axis, gamma, beta):
    mean, rate = statistics(x, axis)
    return (x - mean) * rate * gamma + beta


def norm_gradients(g, x, mean, rate, gamma, axis, others):
    """Of the elements, of the factor and of the term."""
    n, h = (x - mean) * rate, g * gamma
    through = (h - h.mean(axis=axis, keepdims=True) - n * (h * n).mean(axis=axis, keepdims=True)) * rate
    return through, (g * n).sum(axis=others), g.sum(axis=others)


def softmax(m, x, axis):
    # PyTorch's `max` along an axis comes with places.
    largest = x.amax if hasattr(x, "amax") else x.max
    e = m.exp(x - largest(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def share(x, weights):
    """Syntony: the part of the energy that lies in low modes."""
    energy = x * x
    return (energy * weights).sum(axis=-1) / energy.sum(axis=-1)


def apart(*parts):
    """Copies: operands are not views of the data."""
    return [part + 0 for part in parts]


def channels(x, count, axes):
    """One number a channel, `count` times over, made of the data, in the shape in which it meets them."""
    taken = (x[k, :, 0, 0] if x.ndim == 4 else x[k] for k in range(count))
    return [t.reshape((-1,) + (1,) * (len(axes) - 1)) for t in apart(*taken)]


def golden(gamma, *others):
    """The factor of a golden norm has the norm's scale in it."""
    return [gamma * SQRT_INV_PHI, *others]


def modes(m, x, *names):
    """What is made of the norms 0, 1, 4, ... of the last axis: slopes of the D phase, weights, losses of the H phase."""
    import numpy as np

    root = np.arange(x.shape[-1], dtype=np.float64)
    weights = np.exp(-root * root * INV_PHI)
    made = {"slope": INV_PHI * INV_PHI * root, "weights": weights, "loss": INV_PHI * (1 - weights)}
    return [m.asarray(made[name], dtype=x.dtype, **beside(m, x)) for name in names]


def beside(m, x):
    return {"device": x.device} if m.__name__ == "torch" else {}


def batch_norm(axes):
    return Layer(
        arrays=1,
        operands=lambda m, x: [x, *golden(*channels(x, 2, axes))],
        forward=lambda m, x, gamma, beta: normed(x, axes, gamma, beta),
        cut="columns",
        kept=lambda m, x, gamma, beta, y: [x, *statistics(x, axes), gamma],
        gradient=lambda m, g, x, mean, rate, gamma: norm_gradients(g, x, mean, rate, gamma, axes, axes),
        variables=3,
    )


def syntonic_softmax(axis, cut, weights):
    return Layer(
        arrays=1,
        operands=lambda m, x: [x, *apart(weights(x))],
        forward=lambda m, x, w: softmax(m, x + w, axis),
        cut=cut,
        kept=lambda m, x, w, p: [p],
        gradient=lambda m, g, p: (p * (g - (p * g).sum(axis=axis, keepdims=True)),),
    )


def residual_gradient(m, g, x, r):
    through = m.where(x + r * INV_PHI > 0, g, 0)
    return through, through * INV_PHI


def residual_norm_gradient(m, g, x, r, gamma):
    y = x + r * INV_PHI
    through, of_gamma, of_beta = norm_gradients(g, y, *statistics(y, -1), gamma, -1, 0)
    return through, through * INV_PHI, of_gamma, of_beta


def golden_gelu_gradient(m, g, x):
    s = 1 / (1 + m.exp(-PHI * x))
    return (g * (s + PHI * x * s * (1 - s)),)


def cycle(m, x, slope, weights, loss):
    s = share(x, weights)[..., None]
    moved = x * ((1 - s) * slope + 1) * (1 - s * loss)
    return moved, share(moved, weights)


def kl_divergence(m, mean_q, mean_p, var_q, var_p):
    ratio, d = var_q / var_p, mean_q - mean_p
    return 0.5 * (ratio - 1 - m.log(ratio) + d * d / var_p).sum(axis=-1)


def accuracy(m, observation, prediction, precision):
    d = observation - prediction
    return -0.5 * (precision * d * d - m.log(precision) + LN_TWO_PI).sum(axis=-1)


SYNTONY = Layer(1, lambda m, x: [x, *modes(m, x, "weights")], lambda m, x, w: share(x, w), "rows")
KL_DIVERGENCE = Layer(4, lambda m, *x: list(x), kl_divergence, "rows")
ACCURACY = Layer(3, lambda m, *x: list(x), accuracy, "rows")

#: Every layer by the kind of its rows.
LAYERS = {
    "residual": Layer(
        arrays=2,
        operands=lambda m, x, r: [x, r - 2.5],
        forward=lambda m, x, r: m.maximum(x + r * INV_PHI, m.zeros_like(x)),
        cut="elements",
        kept=lambda m, x, r, y: [x, r],
        gradient=residual_gradient,
        variables=2,
    ),
    "residual_norm": Layer(
        arrays=2,
        operands=lambda m, x, r: [x, r, *apart(x[0], x[1])],
        forward=lambda m, x, r, gamma, beta: normed(x + r * INV_PHI, -1, gamma, beta),
        cut="rows",
        kept=lambda m, x, r, gamma, beta, y: [x, r, gamma],
        gradient=residual_norm_gradient,
        variables=4,
    ),
    "layer_norm": Layer(
        arrays=1,
        operands=lambda m, x: [x, *golden(*apart(x[0], x[1]))],
        forward=lambda m, x, gamma, beta: normed(x, -1, gamma, beta),
        cut="rows",
        kept=lambda m, x, gamma, beta, y: [x, gamma],
        gradient=lambda m, g, x, gamma: norm_gradients(g, x, *statistics(x, -1), gamma, -1, 0),
        variables=3,
    ),
    "batch_norm": batch_norm(PLANES),
    "batch_norm_features": batch_norm(FEATURES),
    "batch_norm_eval": Layer(
        arrays=1,
        operands=lambda m, x: (lambda mean, var, *affine: [x, mean, var, *golden(*affine)])(*channels(x, 4, PLANES)),
        forward=lambda m, x, mean, var, gamma, beta: (x - mean) * (var + EPS) ** -0.5 * gamma + beta,
        cut="columns",
    ),
    "softmax": syntonic_softmax(-1, "rows", lambda x: x[0]),
    "softmax_leading": syntonic_softmax(0, "columns", lambda x: x[:, :1]),
    "golden_gelu": Layer(
        arrays=1,
        operands=lambda m, x: [x - 1],
        forward=lambda m, x: x / (1 + m.exp(-PHI * x)),
        cut="elements",
        kept=lambda m, x, y: [x],
        gradient=golden_gelu_gradient,
    ),
    "syntony": SYNTONY,
    "syntony_rows": SYNTONY,
    "differentiate": Layer(
        arrays=1,
        operands=lambda m, x: [x, *apart(x[:, :1]), *modes(m, x, "slope")],
        forward=lambda m, x, s, slope: x * ((1 - s) * slope + 1),
        cut="rows",
    ),
    "harmonize": Layer(
        arrays=1,
        operands=lambda m, x: [x, *apart(x[:, :1]), *modes(m, x, "loss")],
        forward=lambda m, x, s, loss: x * (1 - s * loss),
        cut="rows",
    ),
    "cycle": Layer(1, lambda m, x: [x, *modes(m, x, "slope", "weights", "loss")], cycle, "rows"),
    "kl_divergence": KL_DIVERGENCE,
    "kl_divergence_rows": KL_DIVERGENCE,
    "accuracy": ACCURACY,
    "accuracy_rows": ACCURACY,
    **{kind: Layer(*parts) for kind, parts in FORMULAS.items()},
}


def is_backward(row):
    return row["kind"].endswith("_backward")


def row_operator(row):
    """What the list says of a row operator: operands of `ROWS_FOR_ALL` are one row."""
    formula = eval(row["formula"], {})
    names = list(inspect.signature(formula).parameters)[1:]
    whole = [name for name in names if name not in ROWS_FOR_ALL]

    def operands(m, *xs):
        given = dict(zip(whole, xs, strict=True))
        return [given[name] if name in given else xs[0][1 + k] + 0 for k, name in enumerate(names)]

    return Layer(len(whole), operands, formula, "rows")


def layer_of(row):
    """The layer of a row, forward or backward; None where the row is no layer's."""
    if "formula" in row:
        return row_operator(row)
    return LAYERS.get(row["kind"].removesuffix("_backward"))


def axis_of(row):
    """The axis that a row's name says; None for all."""
    return {"rows": 1, "cols": 0}.get(row["case"].split("_")[-1])


def drawn(row):
    """How many arrays of its size a row draws."""
    layer = layer_of(row)
    if layer:
        return layer.arrays + is_backward(row)
    return row.get("inputs", {"normal": 0}.get(row["kind"], 1))


def prepared(m, row, xs):
    """What a call takes: what was drawn, a layer's operands, or the cotangent with what the forward run has or has left."""
    layer = layer_of(row)
    if layer is None:
        return xs
    if not is_backward(row):
        return layer.operands(m, *xs)
    g, *rest = xs
    operands = layer.operands(m, *rest)
    return [g, *layer.kept(m, *operands, layer.forward(m, *operands))]


def work(m, row):
    """The call, of what `prepared` gives."""
    layer = layer_of(row)
    formula = layer.gradient if is_backward(row) else layer.forward
    return lambda *given: formula(m, *given)


def sample(layer, x):
    """The part of an operand that is compared."""
    if layer.cut == "whole":
        return x
    if layer.cut == "elements":
        return x[:SAMPLE]
    if layer.cut == "columns":
        return x[:, :LINES] if x.ndim in (2, 4) else x[:LINES]
    return x[:LINES] if x.ndim > 1 else x


def sample_of_result(layer, y):
    """The same part of a result, which may have lost its last axis."""
    return y[:LINES] if layer.cut == "rows" and y.ndim > 0 else sample(layer, y)


def wanted(np, row, xs, host):
    """What NumPy makes of the samples, in double precision, and where the comparison is fair: the corner of a relu is
    decided by roundings. `xs` are what was drawn, with its operands in place of it."""
    layer = layer_of(row)
    cotangent = [sample_of_result(layer, xs[0])] if is_backward(row) else []
    operands = [host(sample(layer, t)) for t in xs[len(cotangent) :]]
    y = layer.forward(np, *operands)
    fair = True
    if row["kind"] == "residual_backward":
        fair = np.abs(operands[0] + operands[1] * INV_PHI) > 0.05
    if is_backward(row):
        return [layer.gradient(np, host(cotangent[0]), *layer.kept(np, *operands, y))[0]], fair
    return list(y) if isinstance(y, tuple) else [y], fair
