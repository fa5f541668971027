"""Every operator of `syntonic.torch` beside its formula in PyTorch's own arithmetic, and PyTorch's own checks of operators.

On the CPU, and on a GPU where there is one. A bound is the number of roundings of the formula, times the unit roundoff of the
type, times the largest magnitude that enters them.
"""

import math
from dataclasses import dataclass, field

import pytest
import syntonic as syn
import torch
from syntonic import torch as st
from torch.library import opcheck

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


def softmax(x, norms=None, log_weights=None, scale=1.0, dim=-1):
    lead = [1] * x.ndim
    lead[dim] = -1
    if norms is not None:
        x = x - scale * norms.view(lead) / PHI
    if log_weights is not None:
        x = x + scale * log_weights.view(lead)
    return torch.softmax(x, dim)


@dataclass
class Case:
    """An operator: our function, its formula, the shapes of its operands, and the options of the first."""

    ours: object
    formula: object
    shapes: list
    options: dict = field(default_factory=dict)


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
    "layer_norm standard": Case(
        lambda x, w, b: st.layer_norm(x, w.shape, w, b, mode="standard"),
        lambda x, w, b: torch.nn.functional.layer_norm(x, w.shape, w, b),
        [(6, 40), (40,), (40,)],
    ),
    "rms_norm": Case(lambda x, w: st.rms_norm(x, w.shape, w, 1e-6), rms_norm, [(3, 5, 64), (64,)]),
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
    "softmax": Case(st.softmax, softmax, [(5, 17)]),
    "softmax with norms": Case(
        lambda x, n: st.softmax(x, mode_norms=n, scale=0.5), lambda x, n: softmax(x, n, scale=0.5), [(5, 17), (17,)]
    ),
    "softmax with log weights": Case(
        lambda x, w: st.softmax(x, 1, log_weights=w), lambda x, w: softmax(x, log_weights=w, dim=1), [(2, 9, 3), (9,)]
    ),
    "gelu": Case(st.gelu, lambda x: x * torch.sigmoid(PHI * x), [(4, 65)]),
    "matmul": Case(st.matmul, torch.matmul, [(9, 33), (33, 5)]),
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


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_are_those_of_the_formula(name, dtype, device):
    case = CASES[name]
    mine = operands(case, device, dtype, grad=True)
    # What float64 makes of the operands as they are in the type.
    exact = [t.detach().cpu().double().requires_grad_() for t in mine]
    got, want = case.ours(*mine), case.formula(*exact)
    assert got.dtype == dtype and got.shape == want.shape
    tolerance = bound(case, dtype, exact)
    torch.testing.assert_close(got.cpu().double(), want, rtol=0, atol=tolerance)
    direction = torch.randn(want.shape, generator=torch.Generator().manual_seed(9), dtype=torch.float64)
    direction = direction.to(dtype)
    got.backward(direction.to(device))
    want.backward(direction.double())
    rows = max(math.prod(shape) for shape in case.shapes) ** 0.5
    for ours, theirs in zip(mine, exact):
        torch.testing.assert_close(ours.grad.cpu().double(), theirs.grad, rtol=0, atol=8 * rows * tolerance)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", CASES)
def test_gradcheck(name, device):
    case = CASES[name]
    assert torch.autograd.gradcheck(case.ours, operands(case, device, torch.float64, grad=True))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", CASES)
def test_compiled_without_a_graph_break(name, device):
    case = CASES[name]
    torch._dynamo.reset()
    compiled = torch.compile(case.ours, fullgraph=True, backend="aot_eager" if device == "cpu" else "inductor")
    mine, theirs = (operands(case, device, torch.float32, grad=True) for _ in range(2))
    got, want = compiled(*mine), case.ours(*theirs)
    # What works element by element is the compiler's own arithmetic; the rest is the same kernel.
    tolerance = bound(case, torch.float32, theirs) if name.startswith(("gelu", "phi_residual")) else 0
    torch.testing.assert_close(got, want, rtol=0, atol=tolerance)
    got.sum().backward()
    want.sum().backward()
    for a, b in zip(mine, theirs):
        torch.testing.assert_close(a.grad, b.grad, rtol=1e-6, atol=max(1e-6, tolerance))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", ["gelu", "phi_residual", "phi_residual phi_symmetric gelu", "phi_residual standard relu"])
def test_compiled_formulas_round_half_types_once(name, dtype, device):
    case = CASES[name]
    torch._dynamo.reset()
    compiled = torch.compile(case.ours, fullgraph=True, backend="aot_eager" if device == "cpu" else "inductor")
    mine = operands(case, device, dtype)
    want = case.formula(*(t.cpu().double() for t in mine))
    got = compiled(*mine)
    assert got.dtype == dtype
    # Half a unit in the last place of the result, and what float32 makes of the sum before it.
    tolerance = torch.finfo(dtype).eps / 2 * want.abs() + bound(case, torch.float32, mine)
    assert ((got.cpu().double() - want).abs() <= tolerance).all()


def test_compiled_formulas_refuse_what_the_operators_refuse():
    x = torch.randn(4, 8)
    with pytest.raises(Exception, match="phi_residual"):
        torch.compile(st.phi_residual, backend="eager")(x, x[:1])


#: Operators over images, which stay channels-last where they are.
IMAGES = {
    "phi_residual": lambda x, r, w, b: st.phi_residual(x, r, activation="gelu"),
    "gelu": lambda x, r, w, b: st.gelu(x),
    "batch_norm": lambda x, r, w, b: st.batch_norm(x, None, None, w, b, True),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("way", ["eager", "compiled"])
@pytest.mark.parametrize("name", IMAGES)
def test_images_stay_channels_last(name, way, device):
    torch._dynamo.reset()
    ours = IMAGES[name]
    if way == "compiled":
        ours = torch.compile(ours, fullgraph=True, backend="aot_eager" if device == "cpu" else "inductor")
    generator = torch.Generator().manual_seed(5)
    shapes = [(3, 5, 4, 6), (3, 5, 4, 6), (5,), (5,)]
    first = [torch.randn(shape, generator=generator, dtype=torch.float64).to(device) for shape in shapes]
    direction = torch.randn(shapes[0], generator=generator, dtype=torch.float64).to(device)
    plain = [t.clone().requires_grad_() for t in first]
    want = IMAGES[name](*plain)
    want.backward(direction)
    # Each operand, and the gradient that comes in, in either order.
    last = torch.channels_last
    for orders in [(last, last), (last, torch.contiguous_format), (torch.contiguous_format, last)]:
        images = [t.clone(memory_format=order).requires_grad_() for t, order in zip(first, orders)]
        mine = [*images, *(t.clone().requires_grad_() for t in first[2:])]
        for incoming in (direction, direction.contiguous(memory_format=last)):
            for t in mine:
                t.grad = None
            got = ours(*mine)
            if way == "eager":
                assert got.is_contiguous(memory_format=orders[0])
            torch.testing.assert_close(got, want, rtol=1e-13, atol=1e-13)
            got.backward(incoming)
            for a, b in zip(mine, plain):
                assert (a.grad is None) == (b.grad is None)
                if b.grad is not None:
                    torch.testing.assert_close(a.grad, b.grad, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", CASES)
def test_strided_operands(name, device):
    case = CASES[name]
    plain = operands(case, device, torch.float64)
    # The same numbers, every other one of a wider tensor, backwards through its axes.
    strided = []
    for t in plain:
        wide = torch.empty([2 * n for n in reversed(t.shape)], dtype=t.dtype, device=device)
        view = wide[tuple(slice(None, None, 2) for _ in t.shape)].permute(*reversed(range(t.ndim)))
        strided.append(view.copy_(t))
    torch.testing.assert_close(case.ours(*strided), case.ours(*plain), rtol=1e-12, atol=1e-12)


def calls(device):
    """One call of every operator that the library registers, by name."""

    def t(*shape, grad=True):
        return torch.randn(*shape, device=device, requires_grad=grad)

    x, w, b, c = t(4, 8), t(8), t(8), t(8, 5)
    flat = t(4, 8, grad=False)
    p = torch.softmax(flat, -1)
    v = 1 / PHI
    mean, var = t(8, grad=False), t(8, grad=False).square()
    return {
        "phi_residual": (x, t(4, 8), "phi", "gelu"),
        "phi_residual_backward": (flat, flat, flat, "phi", "gelu"),
        "phi_residual_layer_norm": (x, t(4, 8), w, b, "phi", "none", 1e-5),
        "phi_residual_layer_norm_backward": (flat, flat, flat, w.detach(), "phi", "none", 1e-5),
        "layer_norm": (x, w, b, v, 1, 1e-5),
        "layer_norm_backward": (flat, flat, w.detach(), v, 1, 1e-5),
        "layer_norm_backward_plain": (flat, flat, v, 1, 1e-5),
        "rms_norm": (x, w, "golden", 1e-6),
        "rms_norm_backward": (flat, flat, w.detach(), "golden", 1e-6),
        "batch_norm": (x, w, b, v, 1e-5),
        "batch_norm_backward": (flat, flat, w.detach(), mean, var, v, 1e-5),
        "syntonic_softmax": (x, w, "norms", -1, 1.0, False),
        "syntonic_softmax_backward": (flat, p, -1),
        "syntonic_softmax_gradients": (flat, p, w.detach(), "norms", -1, 1.0),
        "golden_gelu": (x,),
        "golden_gelu_backward": (flat, flat),
        "matmul": (x, c, "high"),
    }


OPERATORS = sorted(calls("cpu"))


def test_every_operator_has_a_call():
    schemas = torch._C._dispatch_get_all_op_names()
    registered = {name.removeprefix("syntonic::").split(".")[0] for name in schemas if name.startswith("syntonic::")}
    assert registered == set(OPERATORS)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", OPERATORS)
def test_opcheck(name, device):
    outcome = opcheck(getattr(torch.ops.syntonic, name).default, calls(device)[name])
    assert set(outcome.values()) == {"SUCCESS"}


@pytest.mark.parametrize("device", DEVICES)
def test_opcheck_of_images(device):
    x, grad = (torch.randn(2, 3, 4, 5, device=device).contiguous(memory_format=torch.channels_last) for _ in range(2))
    w, mean, var = (torch.rand(3, device=device) for _ in range(3))
    v = 1 / PHI
    inputs = {
        "phi_residual": (x, grad, "phi", "relu"),
        "phi_residual_backward": (grad, x, x.contiguous(), "phi", "relu"),
        "batch_norm": (x, w, mean, v, 1e-5),
        "batch_norm_backward": (grad.contiguous(), x, w, mean, var, v, 1e-5),
        "golden_gelu": (x,),
        "golden_gelu_backward": (grad, x),
    }
    for name, arguments in inputs.items():
        outcome = opcheck(getattr(torch.ops.syntonic, name).default, arguments)
        assert set(outcome.values()) == {"SUCCESS"}, name


@pytest.mark.parametrize("device", DEVICES)
def test_autocast(device):
    x, w, b = (torch.randn(s, device=device) for s in [(4, 8), (8,), (8,)])
    half = x.bfloat16()
    with torch.autocast(device, torch.bfloat16):
        # As PyTorch's own: norms and softmax in float32, sums in the widest type, activations in their own.
        assert st.layer_norm(half, (8,), w, b).dtype == torch.float32
        assert st.rms_norm(half, (8,), w, 1e-6).dtype == torch.float32
        assert st.softmax(half).dtype == torch.float32
        assert st.phi_residual(x, half).dtype == torch.float32
        assert st.phi_residual(half, half).dtype == torch.bfloat16
        assert st.gelu(half).dtype == torch.bfloat16
        # The product that is as exact as float32 stays it.
        exact = st.matmul(x, x.mT)
        assert exact.dtype == torch.float32
    torch.testing.assert_close(exact.double(), x.double() @ x.double().mT, rtol=0, atol=8 * 8 * 2.0**-24 * 16)


def test_second_derivatives():
    a, b = (torch.randn(3, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    # A product's gradient is made of products, and what works element by element is differentiated as its formula.
    for twice in (st.matmul, lambda a, b: st.gelu(a) * b, lambda a, b: st.phi_residual(a, b, "phi_symmetric", activation="gelu_erf")):
        assert torch.autograd.gradgradcheck(twice, (a, b))
    (slope,) = torch.autograd.grad(st.phi_residual(a, b.detach(), activation="gelu").sum(), a, create_graph=True)
    (bend,) = torch.autograd.grad(slope.sum(), a)
    assert bend.abs().sum() > 0
    # The operators of norms and softmax have one derivative.
    (slope,) = torch.autograd.grad(st.softmax(a).square().sum(), a, create_graph=True)
    with pytest.raises(syn.GradientError, match="syntonic_softmax_backward.*hint"):
        slope.sum().backward()


def test_errors_name_what_is_wrong():
    x = torch.randn(4, 8)
    with pytest.raises(syn.ShapeError, match="normalized_shape"):
        st.layer_norm(x, (7,))
    with pytest.raises(syn.ShapeError, match="phi_residual"):
        st.phi_residual(x, x[:, :3])
    with pytest.raises(syn.DTypeError):
        st.layer_norm(x, (8,), torch.ones(8, dtype=torch.float64), torch.zeros(8, dtype=torch.float64))
    with pytest.raises(syn.ArgumentError, match="mode"):
        st.layer_norm(x, (8,), mode="silver")
    with pytest.raises(syn.ArgumentError, match="one of"):
        st.softmax(x, mode_norms=torch.ones(8), log_weights=torch.ones(8))
    with pytest.raises(syn.ArgumentError, match="running"):
        st.batch_norm(x, None, None)


@pytest.mark.parametrize("device", DEVICES)
def test_empty_and_single(device):
    for shape in [(0, 4), (1, 1), (3, 1)]:
        x = torch.randn(shape, device=device, requires_grad=True)
        w, b = torch.ones(shape[-1], device=device), torch.zeros(shape[-1], device=device)
        for y in (st.gelu(x), st.phi_residual(x, x), st.layer_norm(x, shape[-1:], w, b), st.softmax(x)):
            assert y.shape == shape and y.device == x.device
            y.sum().backward()
            assert x.grad is not None and torch.isfinite(x.grad).all()
