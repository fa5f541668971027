"""Formulas over rows that are written out, as somebody writes them who knows elements, sums and means: what the peers run,
one operation after the other or compiled as a whole.

Each is plain arithmetic for any module `m` with NumPy's names.
"""

import math

EPS = 1e-5
ROOT_2_OVER_PI = math.sqrt(2 / math.pi)
CUBIC = 0.044715
#: The width and the beginning of the interval that operands are drawn from.
BETWEEN = 4.0, -2.0
#: The mask is true of what is drawn above.
MASKED_BELOW = -1.0


def mean(x, axis=-1):
    return x.mean(axis=axis, keepdims=True)


def total(x):
    return x.sum(axis=-1, keepdims=True)


def largest(m, x):
    # PyTorch's `max` along an axis comes with places; the Array API has no other name.
    top = m.amax if hasattr(m, "amax") else m.max
    return top(x, axis=-1, keepdims=True)


def softmax(m, x):
    e = m.exp(x - largest(m, x))
    return e / total(e)


def masked_softmax(m, x, mask):
    return softmax(m, m.where(mask, x, -math.inf))


def rms_norm(m, x, w):
    return x / m.sqrt(mean(x * x) + EPS) * w


def normed(m, x):
    d = x - mean(x)
    return d / m.sqrt(mean(d * d) + EPS)


def standardised(axis):
    return lambda m, x: (x - mean(x, axis)) / m.std(x, axis=axis, correction=0, keepdims=True)


def loss(m, x, t):
    top = largest(m, x)
    logs = m.log(total(m.exp(x - top))) + top
    return (logs[:, 0] - t).mean()


def cosine(m, x, y):
    return (x * y).sum(axis=-1) / (m.sqrt((x * x).sum(axis=-1)) * m.sqrt((y * y).sum(axis=-1)))


def gelu_of_norm(m, x):
    n = normed(m, x)
    return n * 0.5 * (m.tanh((n + n * n * n * CUBIC) * ROOT_2_OVER_PI) + 1)


def entropy(m, x):
    p = softmax(m, x)
    return -(p * m.log(p)).sum(axis=-1)


def alone(m, x):
    return [x]


def pair(m, x, y):
    return [x, y]


def rows_of(count):
    """Operands of one row beside `x`: copies, not views of it."""
    return lambda m, x: [x, *(x[k] + 0 for k in range(1, 1 + count))]


#: By the kind of a row: how many arrays are drawn; from the module and those to what the call takes; the call; what of
#: operands and results is compared.
FORMULAS = {
    "written_softmax": (1, alone, softmax, "rows"),
    "written_masked_softmax": (2, lambda m, x, drawn: [x, drawn > MASKED_BELOW], masked_softmax, "rows"),
    "written_rms_norm": (1, rows_of(1), rms_norm, "rows"),
    "written_layer_norm": (1, rows_of(2), lambda m, x, gamma, beta: normed(m, x) * gamma + beta, "rows"),
    "written_standard_rows": (1, alone, standardised(-1), "rows"),
    "written_standard_columns": (1, alone, standardised(0), "columns"),
    "written_loss": (2, lambda m, x, drawn: [x, drawn[:, 0] + 0], loss, "whole"),
    "written_squared_error": (2, pair, lambda m, x, y: ((x - y) ** 2).mean(), "whole"),
    "written_distances": (1, rows_of(1), lambda m, x, c: ((x - c) ** 2).sum(axis=-1), "rows"),
    "written_cosine": (2, pair, cosine, "rows"),
    "written_gelu_of_norm": (1, alone, gelu_of_norm, "rows"),
    "written_entropy": (1, alone, entropy, "rows"),
}


def is_written(row):
    return row["kind"] in FORMULAS


def steps(row, xs, functions):
    """The last step of a map."""
    nodes = list(xs)
    for name, *operands in row["steps"]:
        nodes.append(functions[name](*(nodes[k] for k in operands)))
    return nodes[-1]


def numpy_functions(module):
    names = "add subtract multiply divide minimum maximum negative abs square exp sin cos tanh sqrt log".split()
    return {name: getattr(module, name) for name in names} | {"pow": getattr(module, "pow", None) or module.power}
