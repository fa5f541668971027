"""Gradients of the layers in closed form, for any module with NumPy's names: what the peers compute.

A library that has gradients of its own takes those instead.
"""

# The reciprocal of the golden ratio.
INV_PHI = 0.6180339887498949


def residual_backward(module, g, x, r):
    through = module.where(x + r * INV_PHI > 0, g, 0)
    return through, through * INV_PHI


def norm_backward(x, mean, rate, g, gamma, axis, others):
    """The gradients of normed values, of the factor and of the term, from the mean and one over the deviation."""
    n, h = (x - mean) * rate, g * gamma
    through = (h - h.mean(axis=axis, keepdims=True) - n * (h * n).mean(axis=axis, keepdims=True)) * rate
    return through, (g * n).sum(axis=others), g.sum(axis=others)


def statistics(x, axis):
    mean = x.mean(axis=axis, keepdims=True)
    centred = x - mean
    return mean, ((centred * centred).mean(axis=axis, keepdims=True) + 1e-5) ** -0.5


def residual_norm_backward(g, x, r, gamma):
    y = x + r * INV_PHI
    through, of_gamma, of_beta = norm_backward(y, *statistics(y, -1), g, gamma, -1, 0)
    return through, through * INV_PHI, of_gamma, of_beta


#: Axes of the statistics of planes.
PLANES = (0, 2, 3)


def backward(module, row):
    """The closed form of a layer's gradient: what a call of `prepared` operands computes."""
    return {
        "residual_backward": lambda g, x, r: residual_backward(module, g, x, r),
        "residual_norm_backward": residual_norm_backward,
        "batch_norm_backward": lambda g, x, mean, rate, gamma: norm_backward(x, mean, rate, g, gamma, PLANES, PLANES),
        "softmax_backward": lambda g, p: (p * (g - (p * g).sum(axis=-1, keepdims=True)),),
    }[row["kind"]]


def prepared(module, row, xs):
    """The operands of a layer's gradient: the cotangent, then what the forward run had or has left."""
    kind = row["kind"]
    if kind == "residual_backward":
        return [xs[0], xs[1], xs[2] - 2.5]
    if kind == "residual_norm_backward":
        return [*xs, xs[1][0]]
    if kind == "batch_norm_backward":
        g, x = xs
        return [g, x, *statistics(x, PLANES), x[0, :, :1, :1]]
    g, e = xs[0], module.exp(xs[1])
    return [g, e / e.sum(axis=-1, keepdims=True)]


def is_backward(row):
    return row["kind"].endswith("_backward")
