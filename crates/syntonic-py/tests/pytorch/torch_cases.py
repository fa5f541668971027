"""The operators of `syntonic.torch` beside their formulas in PyTorch's own arithmetic, as tables that the tests go through."""

import math
from dataclasses import dataclass

import syntonic as syn
import torch
from syntonic import torch as st

DEVICES = ["cpu"] + ["cuda"] * torch.cuda.is_available()
PHI = float(syn.phi)
HALVES = [torch.float16, torch.bfloat16]
DTYPES = [torch.float32, torch.float64, *HALVES]


def golden_norm(x, mean, var, eps, variance=1 / PHI):
    return (x - mean) / torch.sqrt(var + eps) * math.sqrt(variance)


def phi_residual(x, r, mode="phi", activation="none"):
    y = {"phi": x + r / PHI, "phi_symmetric": (x + r) / PHI, "standard": x + r}[mode]
    return {
        "none": lambda y: y,
        "relu": torch.relu,
        "gelu": lambda y: torch.nn.functional.gelu(y, approximate="tanh"),
        "gelu_erf": torch.nn.functional.gelu,
    }[activation](y)


def layer_norm(x, weight=None, bias=None, axes=1, eps=1e-5, mode="golden"):
    over = tuple(range(-axes, 0))
    y = golden_norm(x, x.mean(over, True), x.var(over, correction=0, keepdim=True), eps, 1 / PHI if mode == "golden" else 1.0)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def rms_norm(x, weight, eps=1e-6, mode="golden"):
    y = x / torch.sqrt(x.square().mean(-1, True) + eps) * weight
    return y / math.sqrt(PHI) if mode == "golden" else y


def batch_norm(x, weight, bias, eps=1e-5):
    over = (0,) if x.ndim == 2 else (0, 2, 3)
    y = golden_norm(x, x.mean(over, True), x.var(over, correction=0, keepdim=True), eps)
    channels = (1, -1) if x.ndim == 2 else (1, -1, 1, 1)
    return y * weight.view(channels) + bias.view(channels)


def running(w):
    """Running statistics of as many channels."""
    return (torch.linspace(low, 2, w.shape[0], dtype=w.dtype, device=w.device) for low in (-1, 0.5))


def normalized(x, dim):
    # No function of PyTorch's: the forward-mode derivative of that one cannot be differentiated again.
    e = torch.exp(x - x.detach().amax(dim, True))
    return e / e.sum(dim, True)


def softmax(x, norms=None, log_weights=None, scale=1.0, dim=-1):
    lead = [1] * x.ndim
    lead[dim] = -1
    if norms is not None:
        x = x - scale * norms.view(lead) / PHI
    if log_weights is not None:
        x = x + scale * log_weights.view(lead)
    return normalized(x, dim)


@dataclass
class Case:
    """An operator: our function, its formula, and the shapes of its operands."""

    ours: object
    formula: object
    shapes: list


CASES = {
    "phi_residual": Case(st.phi_residual, phi_residual, [(5, 7), (5, 7)]),
    **{
        f"phi_residual {mode} {act}": Case(
            lambda x, r, mode=mode, act=act: st.phi_residual(x, r, mode, activation=act),
            lambda x, r, mode=mode, act=act: phi_residual(x, r, mode, act),
            [(4, 33), (4, 33)],
        )
        for mode in ("phi", "phi_symmetric", "standard")
        for act in ("relu", "gelu", "gelu_erf")
    },
    "phi_residual_layer_norm": Case(
        st.phi_residual_layer_norm,
        lambda x, r, w, b: layer_norm(phi_residual(x, r), w, b, mode="standard"),
        [(3, 4, 65), (3, 4, 65), (65,), (65,)],
    ),
    "layer_norm": Case(
        lambda x, w, b: st.layer_norm(x, w.shape, w, b), layer_norm, [(3, 4, 129), (129,), (129,)]
    ),
    "layer_norm of two axes": Case(
        lambda x, w, b: st.layer_norm(x, w.shape, w, b),
        lambda x, w, b: layer_norm(x, w, b, axes=2),
        [(5, 4, 9), (4, 9), (4, 9)],
    ),
    "layer_norm without parameters": Case(lambda x: st.layer_norm(x, x.shape[-1:]), layer_norm, [(6, 40)]),
    "layer_norm without bias": Case(lambda x, w: st.layer_norm(x, w.shape, w), layer_norm, [(6, 40), (40,)]),
    "layer_norm without weight": Case(
        lambda x, b: st.layer_norm(x, b.shape, None, b), lambda x, b: layer_norm(x, None, b), [(6, 40), (40,)]
    ),
    "layer_norm standard": Case(
        lambda x, w, b: st.layer_norm(x, w.shape, w, b, mode="standard"),
        lambda x, w, b: layer_norm(x, w, b, mode="standard"),
        [(6, 40), (40,), (40,)],
    ),
    "rms_norm": Case(lambda x, w: st.rms_norm(x, w.shape, w, 1e-6), rms_norm, [(3, 5, 64), (64,)]),
    "rms_norm without weight": Case(
        lambda x: st.rms_norm(x, x.shape[-1:], eps=1e-6), lambda x: rms_norm(x, 1.0), [(9, 31)]
    ),
    "rms_norm standard": Case(
        lambda x, w: st.rms_norm(x, w.shape, w, 1e-6, mode="standard"),
        lambda x, w: rms_norm(x, w, mode="standard"),
        [(9, 31), (31,)],
    ),
    "batch_norm": Case(
        lambda x, w, b: st.batch_norm(x, None, None, w, b, True), batch_norm, [(32, 6), (6,), (6,)]
    ),
    "batch_norm of planes": Case(
        lambda x, w, b: st.batch_norm(x, None, None, w, b, True), batch_norm, [(4, 3, 5, 7), (3,), (3,)]
    ),
    "batch_norm in evaluation": Case(
        lambda x, w, b: st.batch_norm(x, *running(w), w, b),
        lambda x, w, b: golden_norm(x, *running(w), 1e-5) * w + b,
        [(8, 6), (6,), (6,)],
    ),
    "softmax": Case(st.softmax, softmax, [(5, 17)]),
    "softmax with norms": Case(
        lambda x, n: st.softmax(x, mode_norms=n, scale=0.5), lambda x, n: softmax(x, n, scale=0.5), [(5, 17), (17,)]
    ),
    "softmax with log weights": Case(
        lambda x, w: st.softmax(x, 1, log_weights=w), lambda x, w: softmax(x, log_weights=w, dim=1), [(2, 9, 3), (9,)]
    ),
    "softmax with weights": Case(
        lambda x, w: st.softmax(x, weights=w.square() + 0.5, scale=2.0),
        lambda x, w: normalized(x + 2.0 * (w.square() + 0.5).log(), -1),
        [(5, 17), (5, 17)],
    ),
    "softmax that masks to zero": Case(lambda x: st.softmax(x, 0, masked_zero=True), lambda x: softmax(x, dim=0), [(17, 3)]),
    "gelu": Case(st.gelu, lambda x: x * torch.sigmoid(PHI * x), [(4, 65)]),
    "matmul": Case(st.matmul, torch.matmul, [(9, 33), (33, 5)]),
    "matmul medium": Case(lambda a, b: st.matmul(a, b, precision="medium"), torch.matmul, [(9, 33), (33, 5)]),
    "matmul of batches": Case(st.matmul, torch.matmul, [(2, 1, 9, 12), (3, 12, 5)]),
}


def operands(case, device, dtype, grad=False):
    # The same numbers for every type: exact in float64, rounded where they are narrower.
    generator = torch.Generator().manual_seed(len(case.shapes))
    made = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in case.shapes]
    return [t.to(device, dtype).requires_grad_(grad) for t in made]


def bound(case, dtype, inputs):
    """Rows are sums of n terms, in at least float32; the result is rounded to its type once or twice, intermediates less."""
    n = max(shape[-1] if len(shape) < 4 else math.prod(shape) for shape in case.shapes)
    inner = torch.finfo(torch.float32 if dtype.itemsize < 4 else dtype).eps
    largest = max(float(t.detach().abs().max()) for t in inputs) + 1
    return (4 * n * inner + 2 * torch.finfo(dtype).eps) * largest**3
