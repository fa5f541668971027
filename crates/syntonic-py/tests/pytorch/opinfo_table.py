"""PyTorch's operators by the name that its own database has for them, and how each is called here.

A row is our function, and how far its result may be from PyTorch's. Parameters have PyTorch's names: that is what its samples are.
"""

import math
from dataclasses import dataclass

import syntonic as syn
import torch
from opinfo_bounds import Backward, Conditioned, Exact, Largest, Power, Terms, Ulps
from syntonic import fft, linalg, nn


@dataclass
class Row:
    """Our function, the bound, and whether PyTorch is asked in the type of the sample (`native`) or in double precision.

    `compare` puts in the place of both results what has to be the same, where a result is not unique; `theirs` stands for PyTorch's
    operator where the sample leaves open what ours determines.
    """

    ours: object
    bound: object
    native: bool = False
    compare: object = None
    theirs: object = None


ROWS = {}


def named(bound, names, **renamed):
    """Functions that take the operands in PyTorch's order, by the same name or by the one that is given."""
    for theirs, ours in {**{name: name for name in names.split()}, **renamed}.items():
        ROWS[theirs] = Row(getattr(syn, ours), bound)


def row(name, bound, ours, compare=None, native=False, theirs=None):
    ROWS[name] = Row(ours, bound, native, compare, theirs)


def one_axis(function):
    """For PyTorch a tensor without axes has one, of length 1, when an axis is named; for the Array API it has none."""

    def called(input, *operands, **options):
        if not isinstance(input, syn.State) or input.ndim:
            return function(input, *operands, **options)
        lifted = (x.reshape((1,)) if isinstance(x, syn.State) and x.ndim == 0 and x.dtype == input.dtype else x for x in operands)
        result = function(input.reshape((1,)), *lifted, **options)
        return tuple(map(flat, result)) if isinstance(result, tuple) else flat(result)

    return called


def one_axis_kept(function):
    return lambda input, *operands, **options: function(input if input.ndim else input.reshape((1,)), *operands, **options)


def flat(result):
    """A result without the axis that `one_axis` put there."""
    return result.reshape(result.shape[:-1]) if isinstance(result, syn.State) and result.shape[-1:] == (1,) else result


EXACT = Exact()

# One element each.
named(EXACT, "positive floor ceil trunc conj real imag isfinite isinf isnan signbit logical_not")
named(EXACT, "", neg="negative", bitwise_not="bitwise_invert", conj_physical="conj", resolve_conj="positive", resolve_neg="positive")
named(EXACT, "maximum minimum logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor")
named(EXACT, "bitwise_left_shift bitwise_right_shift copysign complex", eq="equal", ne="not_equal", lt="less", le="less_equal")
named(EXACT, "", gt="greater", ge="greater_equal", clamp_max="minimum", clamp_min="maximum")
named(Ulps(4), "abs acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp exp2 expm1 log log10 log1p log2 sqrt rsqrt")
named(Ulps(4), "reciprocal square erf atan2 hypot sign", sgn="sign", mul="multiply")
ROWS["true_divide"] = Row(syn.divide, Ulps(4))
named(Ulps(8), "erfc sigmoid")
# A logarithm near 1 and an exponential of a large product: as well as their operands determine them.
named(Conditioned(4), "logaddexp")
named(Power(0, 1), "pow")
row("nextafter", EXACT, syn.nextafter, native=True)
row("max@binary", EXACT, syn.maximum)
row("min@binary", EXACT, syn.minimum)
row("abs", Ulps(2), syn.abs)
row("add", Largest(2, 2), lambda input, other, alpha=1: input + other if alpha == 1 else input + alpha * other)
row("sub", Largest(2, 2), lambda input, other, alpha=1: input - other if alpha == 1 else input - alpha * other)
row("rsub", Largest(2, 2), lambda input, other, alpha=1: other - input if alpha == 1 else other - alpha * input)
row("div@no_rounding_mode", Ulps(4), lambda input, other: input / other)
row("div@floor_rounding", EXACT, lambda input, other, rounding_mode: syn.floor_divide(input, other))
row("floor_divide", EXACT, syn.floor_divide)
row("remainder", Largest(1), syn.remainder)
row("fmod", EXACT, lambda input, other: fmod(*syn.broadcast_arrays(input, other)))
row("frac", EXACT, lambda input: input - syn.trunc(input))
row("round", EXACT, syn.round)
for suffix in ("0", "3", "neg_3"):
    row(f"round@decimals_{suffix}", Largest(4), lambda input, decimals: syn.round(input, decimals))
row("__radd__", Largest(1), lambda input, other: other + input)
row("__rsub__", Largest(1), lambda input, other: other - input)
row("__rmul__", Ulps(2), lambda input, other: other * input)
row("__rdiv__", Ulps(4), lambda input, other: other / input)
row("__rand__", EXACT, lambda input, other: other & input)
row("__ror__", EXACT, lambda input, other: other | input)
row("__rxor__", EXACT, lambda input, other: other ^ input)
row("__rmod__", Largest(1), lambda input, other: other % input)
row("__rpow__", Power(1, 0), lambda input, other: other**input)
row("__rmatmul__", Terms(), lambda input, other: other @ input)
row("float_power", Power(0, 1), lambda input, exponent: syn.pow(doubled(input), doubled(exponent)))
row("clamp", EXACT, lambda input, min=None, max=None: syn.clip(input, min, max))
row("fmax", EXACT, lambda input, other: syn.where(syn.isnan(input), other, syn.where(syn.isnan(other), input, syn.maximum(input, other))))
row("fmin", EXACT, lambda input, other: syn.where(syn.isnan(input), other, syn.where(syn.isnan(other), input, syn.minimum(input, other))))
row("lerp", Largest(4, 3), syn.lerp)
row("addcmul", Largest(8, 3), lambda input, tensor1, tensor2, value=1: input + value * tensor1 * tensor2)
row("addcdiv", Terms(8, 4), lambda input, tensor1, tensor2, value=1: input + value * tensor1 / tensor2)
row("deg2rad", Ulps(4, 2), lambda input: input * (math.pi / 180))
row("rad2deg", Ulps(4, 2), lambda input: input * (180 / math.pi))
row("isposinf", EXACT, lambda input: syn.isinf(input) & (input > 0))
row("isneginf", EXACT, lambda input: syn.isinf(input) & (input < 0))
row("isreal", EXACT, lambda input: syn.imag(input) == 0)
row("angle", Ulps(4, 2), lambda input: syn.atan2(syn.imag(input), syn.real(input)))
row(
    "heaviside",
    EXACT,
    lambda input, values: syn.where(syn.isnan(input), input, syn.where(input == 0, values, syn.astype(input > 0, input.dtype))),
)
row("isclose", EXACT, lambda input, other, rtol=1e-5, atol=1e-8, equal_nan=False: isclose(input, other, rtol, atol, equal_nan))
row("allclose", EXACT, lambda input, other, rtol=1e-5, atol=1e-8, equal_nan=False: syn.all(isclose(input, other, rtol, atol, equal_nan)))
row("equal", EXACT, lambda input, other: input.shape == other.shape and syn.all(input == other))
row("polar", Ulps(8, 3), lambda input, angle: syn.complex(input * syn.cos(angle), input * syn.sin(angle)))
row("xlogy", Ulps(4, 2), lambda input, other: syn.where(syn.isnan(other), other, syn.where(input == 0, 0, input * syn.log(other))))
row("ldexp", Ulps(4, 2), lambda input, other: scaled(input, other))
row("logit", Conditioned(8, chain=True), lambda input, eps=None: logit(input if eps is None else syn.where(input < eps, eps, syn.where(input > 1 - eps, 1 - eps, input))))
row("where", EXACT, lambda input, condition, other: syn.where(condition, input, other))
row(
    "special.xlog1py",
    Ulps(8, 2),
    lambda input, other: syn.where(syn.isnan(other), other, syn.where(input == 0, 0, input * syn.log1p(other))),
)
row("special.ndtr", Conditioned(8, chain=True), lambda input: 0.5 * syn.erfc(input * -math.sqrt(0.5)))
row("special.entr", Ulps(4, 2), lambda input: entr(input))


def doubled(x):
    return x.astype("complex128" if syn.isdtype(x.dtype, "complex floating") else "float64") if isinstance(x, syn.State) else x


def fmod(a, b):
    rest = syn.remainder(abs(a), abs(b))
    return syn.copysign(rest, a) if syn.isdtype(a.dtype, "real floating") else syn.where(a < 0, 0 - rest, rest)


def entr(x):
    x = x if syn.isdtype(x.dtype, "real floating") else doubled(x)
    return syn.where(x < 0, -math.inf, syn.where(x == 0, 0.0, -x * syn.log(x)))


def isclose(input, other, rtol, atol, equal_nan):
    import numpy as np

    return np.isclose(input, other, rtol=rtol, atol=atol, equal_nan=equal_nan)


def scaled(x, exponent):
    """An integer exponent leaves a number its type."""
    y = x * 2.0**exponent
    is_whole = syn.isdtype(exponent.dtype, ("integral", "bool")) and not syn.isdtype(x.dtype, ("integral", "bool"))
    return y.astype(x.dtype) if is_whole else y


def linear(x, weight, bias):
    """With a weight of one axis, PyTorch's result has no axis for it."""
    if weight.ndim == 2:
        return nn.linear(x, weight.T, bias)
    return x @ weight if bias is None else x @ weight + bias


def logit(x):
    return syn.log(x / (1 - x))


# Activations and layers.
F = "nn.functional."
row(F + "relu", EXACT, nn.relu)
row(F + "relu6", EXACT, lambda input: syn.clip(input, 0, 6))
row(F + "hardtanh", EXACT, lambda input, min_val=-1.0, max_val=1.0: hardtanh(input, min_val, max_val))
row(F + "silu", Ulps(8), nn.silu)
row(F + "silu@complex", Ulps(16), nn.silu)
row(F + "logsigmoid", Ulps(8), nn.log_sigmoid)
row(F + "mish", Ulps(16), nn.mish)
row(F + "elu", Ulps(8), lambda input, alpha=1.0: nn.elu(input, alpha))
row(F + "celu", Ulps(8, 2), lambda input, alpha=1.0: syn.where(input > 0, input, alpha * syn.expm1(input / alpha)))
row(F + "leaky_relu", Ulps(2), lambda input, negative_slope=0.01: nn.leaky_relu(input, negative_slope))
row(F + "gelu", Largest(8), lambda input, approximate="none": nn.gelu(input) if approximate == "tanh" else nn.gelu_erf(input))
row(F + "softplus", Conditioned(8, chain=True), lambda input, beta=1, threshold=20: softplus(input, beta, threshold))
row(F + "softsign", Ulps(8, 2), lambda input: input / (1 + abs(input)))
row(F + "tanhshrink", Largest(4, 2), lambda input: input - syn.tanh(input))
row(F + "hardshrink", EXACT, lambda input, lambd=0.5: syn.where((input >= -lambd) & (input <= lambd), 0, input))
row(F + "threshold", EXACT, lambda input, threshold, value: syn.where(input > threshold, input, value))
row(F + "prelu", Ulps(2), lambda input, weight: syn.where(input > 0, input, channels(weight, input.ndim) * input))
row(F + "glu", Ulps(8, 2), lambda input, dim=-1: glu(*syn.split(input, 2, axis=dim)))
row(F + "hardsigmoid", Largest(4, 3), lambda input: syn.clip(input + 3, 0, 6) / 6)
row(F + "hardswish", Largest(8, 4), lambda input: input * syn.clip(input + 3, 0, 6) / 6)
row("softmax", Largest(16), one_axis(lambda input, dim, dtype=None: nn.softmax(typed(input, dtype), axis=dim)))
row("softmax@with_dtype", Largest(16), ROWS["softmax"].ours)
row(
    "torch.ops.aten._safe_softmax.default",
    Largest(16),
    lambda input, dim, dtype=None: syn.syntonic_softmax(typed(input, dtype), axis=dim, masked_zero=True),
)
row(F + "softmin", Largest(16), one_axis(lambda input, dim, dtype=None: nn.softmax(typed(-input, dtype), axis=dim)))
row(F + "softmin@with_dtype", Largest(16), ROWS[F + "softmin"].ours)
row("log_softmax", Largest(16, 3), one_axis(lambda input, dim, dtype=None: log_softmax(typed(input, dtype), dim)))
row("log_softmax@with_dtype", Largest(16, 3), ROWS["log_softmax"].ours)
row(F + "layer_norm", Backward(2), lambda input, shape, weight=None, bias=None, eps=1e-5: layer_norm(input, shape, weight, bias, eps))
row(F + "rms_norm", Backward(2, chain=True), lambda input, shape, weight=None, eps=None: rms_norm(input, shape, weight, eps))
row(F + "batch_norm", Backward(2, chain=True), lambda *operands, **options: batch_norm(*operands, **options))
row(F + "normalize", Backward(2), one_axis(lambda input, p=2.0, dim=1, eps=1e-12: normalize(input, p, dim, eps)))
row(
    F + "cosine_similarity",
    Largest(16),
    one_axis(lambda input, other, dim=1, eps=1e-8: nn.cosine_similarity(*syn.broadcast_arrays(input, other), axis=dim, eps=eps)),
)
row(F + "linear", Terms(4, 2), lambda input, weight, bias=None: linear(input, weight, bias))
row(F + "mse_loss", Backward(1, chain=True), lambda input, target, reduction="mean": reduced(syn.square(input - target), reduction))
row(F + "l1_loss", Backward(1, chain=True), lambda input, target, reduction="mean": reduced(abs(input - target), reduction))
row(F + "one_hot", EXACT, lambda input, num_classes=-1: one_hot(input, num_classes))
row(F + "embedding", EXACT, lambda input, weight, padding_idx=None: syn.take(input, weight, axis=0))
row(
    F + "pairwise_distance",
    Backward(1, chain=True),
    lambda a, b, p=2.0, eps=1e-6, keepdim=False: linalg.vector_norm(a - b + eps, ord=p, axis=-1, keepdims=keepdim),
)
row(F + "scaled_dot_product_attention", Backward(2, chain=True), lambda *operands, **options: attention(*operands, **options))


def hardtanh(x, low, high):
    # PyTorch cuts the limits for integers.
    return syn.clip(x, int(low), int(high)) if syn.isdtype(x.dtype, "integral") else syn.clip(x, low, high)


def typed(x, dtype):
    return x if dtype is None else x.astype(dtype)


def softplus(x, beta, threshold):
    return syn.where(x * beta > threshold, x, syn.softplus(x * beta) / beta)


def channels(weight, ndim):
    return weight.reshape((-1,) + (1,) * (ndim - 2)) if weight.size > 1 and ndim > 1 else weight.reshape(()) if weight.size == 1 else weight


def glu(a, b):
    return a * syn.sigmoid(b)


def log_softmax(x, dim):
    return x - syn.logsumexp(x, axis=dim, keepdims=True)


def layer_norm(x, shape, weight, bias, eps):
    return nn.layer_norm(x, weight, bias, mode="standard", axes=len(shape), eps=eps)


def rms_norm(x, shape, weight, eps):
    over = tuple(range(-len(shape), 0))
    eps = syn.finfo(x.dtype).eps if eps is None else eps
    if weight is not None and len(shape) == 1 and syn.isdtype(x.dtype, "real floating"):
        return nn.rms_norm(x, weight, eps=eps)
    # In float32: the square of a half is often above its range.
    wide = x.astype("float32") if x.dtype in (syn.float16, syn.bfloat16) else x
    y = (wide / syn.sqrt(syn.mean(wide * wide, axis=over, keepdims=True) + eps)).astype(x.dtype)
    return y if weight is None else y * weight


def batch_norm(x, mean, var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if x.size == 0:
        return x
    over = (0, *range(2, x.ndim))
    shape = [x.shape[1] if axis == 1 else 1 for axis in range(x.ndim)] if x.ndim > 1 else x.shape
    mean = syn.mean(x, axis=over) if training else mean
    var = syn.var(x, axis=over) if training else var
    y = (x - mean.reshape(shape)) * syn.rsqrt(var.reshape(shape) + eps)
    y = y if weight is None else y * weight.reshape(shape)
    return y if bias is None else y + bias.reshape(shape)


def normalize(x, p, dim, eps):
    if p == 2:
        return nn.normalize(x, axis=dim, eps=eps)
    return x / syn.maximum(linalg.vector_norm(x, axis=dim, ord=p, keepdims=True), eps)


def reduced(loss, reduction):
    return {"mean": syn.mean, "sum": syn.sum, "none": lambda x: x}[reduction](loss)


def one_hot(x, classes):
    classes = int(syn.max(x).item()) + 1 if classes == -1 else classes
    return (syn.expand_dims(x, -1) == syn.arange(classes)).astype("int64")


def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if enable_gqa:
        k, v = (syn.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = q @ syn.matrix_transpose(k) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if is_causal:
        attn_mask = syn.tril(syn.ones(scores.shape[-2:], dtype="bool", device=q.device))
    if attn_mask is not None and attn_mask.dtype == syn.bool:
        scores = syn.where(attn_mask, scores, -math.inf)
    elif attn_mask is not None:
        scores = scores + attn_mask
    return nn.softmax(scores, axis=-1) @ v


# Products.
row("matmul", Terms(), syn.matmul)
row("mm", Terms(), syn.matmul)
row("mv", Terms(), syn.matmul)
row("bmm", Terms(), syn.bmm)
row("dot", Terms(), syn.matmul)
row("vdot", Terms(), syn.vecdot)
row(
    "inner",
    Terms(),
    lambda input, other: input * other if 0 in (input.ndim, other.ndim) else syn.tensordot(input, other, axes=([-1], [-1])),
)
row("outer", Ulps(2), syn.outer)
row("kron", Ulps(2), syn.kron)
row("tensordot", Terms(), lambda input, other, dims: syn.tensordot(input, other, axes=dims))
row("einsum", Terms(), lambda operands, equation: syn.einsum(equation, *operands))
row("addmm", Terms(4, 4), lambda input, a, b, beta=1, alpha=1: added(input, beta, a @ b, alpha))
row("addmm@decomposed", Terms(4, 4), ROWS["addmm"].ours)
row("addmv", Terms(4, 4), ROWS["addmm"].ours)
row("baddbmm", Terms(4, 4), ROWS["addmm"].ours)
row("addbmm", Terms(4, 4), lambda input, a, b, beta=1, alpha=1: added(input, beta, syn.einsum("bij,bjk->ik", a, b), alpha))
row("addr", Terms(4, 4), lambda input, a, b, beta=1, alpha=1: added(input, beta, syn.outer(a if alpha == 1 else alpha * a, b), 1))
row("linalg.cross", Backward(1, chain=True), lambda input, other, dim=-1: cross(input, other, dim))
row("cross", Backward(1, chain=True), lambda input, other, dim=None: cross(input, other, dim))
row("linalg.vecdot", Terms(), lambda input, other, dim=-1: syn.vecdot(input, other, axis=dim))
row("linalg.multi_dot", Terms(4, 8), lambda operands: multi_dot(operands))


def added(input, beta, product, alpha):
    """PyTorch does not look at `input` where beta is 0."""
    product = product if alpha == 1 else alpha * product
    return product if beta == 0 else (input if beta == 1 else beta * input) + product


def multi_dot(operands):
    product = operands[0]
    for operand in operands[1:]:
        product = product @ operand
    return product


def cross(a, b, dim):
    dim = next(axis for axis, n in enumerate(a.shape) if n == 3) if dim is None else dim
    return linalg.cross(a, b, axis=dim)


# Decompositions and what is made of them.
def first(results):
    return results[0] if isinstance(results, (tuple, list)) else results


row("linalg.det", Backward(), linalg.det)
row("linalg.slogdet", Backward(), linalg.slogdet)
row("logdet", Backward(), lambda input: logdet(linalg.slogdet(input)))
row("linalg.inv", Backward(), linalg.inv)
row("linalg.inv_ex", Backward(), linalg.inv, first)
row("linalg.solve", Backward(), lambda a, b, left=True: solve(a, b, left))
row("linalg.solve_ex", Backward(), ROWS["linalg.solve"].ours, first)
row("linalg.cholesky", Backward(), lambda input, upper=False: linalg.cholesky(input, upper=upper))
row("linalg.cholesky_ex", Backward(), ROWS["linalg.cholesky"].ours, first)
row("cholesky", Backward(), lambda input, upper=False: linalg.cholesky(input, upper=upper))
row("linalg.eigvalsh", Backward(), lambda input, UPLO="L": linalg.eigvalsh(input, UPLO=UPLO))
row("linalg.svdvals", Backward(), linalg.svdvals)
row("linalg.cond", Backward(), linalg.cond)
row("linalg.matrix_power", Backward(), linalg.matrix_power)
row("matrix_exp", Backward(), linalg.expm)
row("linalg.pinv", Backward(), lambda input, rtol=None: linalg.pinv(input, rtol=rtol))
row("linalg.pinv@hermitian", Backward(), lambda input, hermitian=True: linalg.pinv(mirrored(input)))
row("pinverse", Backward(), lambda input, rcond=1e-15: linalg.pinv(input, rtol=rcond))
row("linalg.matrix_rank", EXACT, lambda *operands, **options: matrix_rank(*operands, **options))
row("linalg.matrix_rank@hermitian", EXACT, ROWS["linalg.matrix_rank"].ours)
row(
    "linalg.eigh",
    Backward(),
    lambda input, UPLO="L": linalg.eigh(input, UPLO=UPLO),
    lambda r: (r[0], (r[1] * r[0].unsqueeze(-2)) @ r[1].mH),
)
row("linalg.eigvals", Backward(64), linalg.eigvals, lambda r: power_sums(r))
row("linalg.eig", Backward(64), linalg.eig, lambda r: (power_sums(r[0]), (r[1] * r[0].unsqueeze(-2)) @ torch.linalg.inv(r[1])))
row("linalg.qr", Backward(), lambda input, mode="reduced": linalg.qr(input, mode=mode), lambda r: (r[0] @ r[1], r[1].abs(), r[0].mH @ r[0]))
row("qr", Backward(), lambda input, some=True: linalg.qr(input, mode="reduced" if some else "complete"), ROWS["linalg.qr"].compare)
row("linalg.svd", Backward(), lambda input, full_matrices=True: linalg.svd(input, full_matrices=full_matrices), lambda r: svd_of(*r))
row("svd", Backward(), lambda *operands, **options: old_svd(*operands, **options), lambda r: svd_of(r[0], r[1], r[2].mH))
row("linalg.lstsq", Backward(), lambda a, b, driver=None: linalg.lstsq(a, b), first)
row("trace", Terms(), syn.trace)
row(
    "linalg.vector_norm",
    Backward(),
    one_axis(
        lambda input, ord=2, dim=None, keepdim=False, dtype=None: linalg.vector_norm(
            typed(input, dtype), ord=ord, axis=axes(dim), keepdims=keepdim
        )
    ),
)
row(
    "linalg.matrix_norm",
    Backward(),
    lambda input, ord="fro", dim=(-2, -1), keepdim=False: linalg.norm(input, ord=ord, axis=tuple(dim), keepdims=keepdim),
)
row("linalg.norm", Backward(), lambda input, ord=None, dim=None, keepdim=False: linalg.norm(input, ord, axes(dim), keepdim))
row("linalg.norm@subgradients_at_zero", Backward(), ROWS["linalg.norm"].ours)
row("norm", Backward(), one_axis(lambda input, p="fro", dim=None, keepdim=False: norm(input, p, axes(dim), keepdim)))
for suffix in ("nuc", "fro", "inf"):
    row(f"norm@{suffix}", Backward(), ROWS["norm"].ours)
row("dist", Backward(1, chain=True), lambda input, other, p=2: linalg.vector_norm(input - other, ord=p))
row(
    "linalg.vander",
    Ulps(32, 4),
    one_axis_kept(lambda input, N=None: syn.expand_dims(input, -1) ** syn.arange(input.shape[-1] if N is None else N)),
)


def matrix_rank(x, rtol=None, hermitian=False, atol=None):
    x = mirrored(x) if hermitian else x
    if atol is None:
        return linalg.matrix_rank(x, rtol=rtol)
    # Ours has no absolute tolerance; it is a comparison more.
    values = linalg.svdvals(x)
    largest = syn.max(values, axis=-1, keepdims=True, initial=0)
    atol, rtol = (syn.expand_dims(syn.asarray(0.0 if t is None else t, device=x.device), -1) for t in (atol, rtol))
    return syn.sum(values > syn.maximum(atol, rtol * largest), axis=-1)


def solve(a, b, left):
    if left:
        # One vector for each matrix is no operand of the Array API's solve, whose vectors have one axis.
        vectors = b.ndim == a.ndim - 1 and b.ndim > 1 and b.shape == a.shape[:-1]
        return syn.squeeze(linalg.solve(a, syn.expand_dims(b, -1)), axis=-1) if vectors else linalg.solve(a, b)
    return syn.matrix_transpose(linalg.solve(syn.matrix_transpose(a), syn.matrix_transpose(b)))


def mirrored(x):
    """The Hermitian matrix of which PyTorch reads one triangle."""
    lower = syn.tril(x, k=-1)
    return lower + syn.conj(syn.matrix_transpose(lower)) + syn.real(x) * syn.eye(x.shape[-1], dtype=x.dtype, device=x.device)


def logdet(signed):
    return syn.log(signed.sign) + signed.logabsdet


def norm(x, p, dim, keepdim):
    if p == "nuc" or (p == "fro" and dim is not None and len(axes(dim)) == 2):
        return linalg.norm(x, p, (-2, -1) if dim is None else dim, keepdim)
    return linalg.vector_norm(x, ord=2 if p in ("fro", None) else p, axis=dim, keepdims=keepdim)


def axes(dim):
    return tuple(dim) if isinstance(dim, (list, tuple)) else dim


def power_sums(values):
    """What does not depend on the order of the values: the sums of their first powers."""
    return torch.stack([(values**power).sum(-1) for power in (1, 2)])


def svd_of(u, s, vh):
    """The values, the matrix, and how far the factors are from unitary."""
    k = s.shape[-1]
    return s, (u[..., :k] * s.unsqueeze(-2)) @ vh[..., :k, :], u.mH @ u, vh @ vh.mH


def old_svd(input, some=True, compute_uv=True):
    u, s, vh = linalg.svd(input, full_matrices=not some)
    return u, s, syn.conj(syn.matrix_transpose(vh))


# Transforms.
for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    row(
        f"fft.{name}",
        Backward(8),
        lambda input, n=None, dim=-1, norm=None, f=getattr(fft, name): f(input, n=n, axis=dim, norm=norm or "backward"),
    )
for name in ("fft", "ifft", "rfft", "irfft"):
    row(
        f"fft.{name}n",
        Backward(8),
        lambda input, s=None, dim=None, norm=None, f=getattr(fft, name + "n"): f(input, s=s, axes=last(s, dim), norm=norm or "backward"),
    )
    row(
        f"fft.{name}2",
        Backward(8),
        lambda input, s=None, dim=(-2, -1), norm=None, f=getattr(fft, name + "n"): f(
            input, s=s, axes=last(s, dim), norm=norm or "backward"
        ),
    )
row("fft.fftshift", EXACT, lambda input, dim=None: fft.fftshift(input, axes=axes(dim)))
row("fft.ifftshift", EXACT, lambda input, dim=None: fft.ifftshift(input, axes=axes(dim)))


def last(s, dim):
    if dim is None:
        return None if s is None else tuple(range(-len(s), 0))
    return (dim,) if isinstance(dim, int) else tuple(dim)
