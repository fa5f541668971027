"""Every operator of `syntonic.torch` beside its formula in PyTorch's own arithmetic, and PyTorch's own checks of operators.

On the CPU, and on a GPU where there is one. A bound is the number of roundings of the formula, times the unit roundoff of the
type, times the largest magnitude that enters them.
"""

import math

import pytest
import syntonic as syn
import torch
from syntonic import torch as st
from torch.library import opcheck
from torch_cases import CASES, DEVICES, DTYPES, HALVES, PHI, batch_norm, bound, golden_norm, layer_norm, operands, rms_norm


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


@pytest.mark.parametrize("name", CASES)
def test_second_derivatives(name):
    case = CASES[name]
    mine, theirs = (operands(case, "cpu", torch.float64, grad=True) for _ in range(2))

    def bent(f, values):
        slopes = torch.autograd.grad(f(*values).square().sum(), values, create_graph=True)
        return torch.autograd.grad(sum(slope.sin().sum() for slope in slopes), values)

    torch.testing.assert_close(bent(case.ours, mine), bent(case.formula, theirs), rtol=1e-9, atol=1e-9)


def test_second_derivatives_of_operands_that_hang_on_each_other():
    # The residual is a function of x, and x is both operands: each way counts once.
    x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    for f in (lambda x: st.phi_residual(x, x.sin(), activation="gelu"), lambda x: st.phi_residual(x, x, activation="gelu_erf")):
        assert torch.autograd.gradgradcheck(f, x)


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


def extremes(dtype):
    """Numbers of every size that a type has, zeros of both signs, and the smallest; a row of each."""
    info = torch.finfo(dtype)
    largest, least = math.log2(info.max), math.log2(info.smallest_normal)
    sizes = [2.0 ** (least + (largest - least) * k / 24) for k in range(24)]
    row = torch.tensor([0.0, -0.0, info.smallest_normal * info.eps, info.max, 1.0, 0.5, *sizes], dtype=torch.float64)
    return torch.cat([row, -row]).to(dtype)


def of_rows(x):
    """Parameters for rows of x: exact in every type."""
    n = x.shape[-1]
    return torch.arange(1, n + 1, dtype=x.dtype, device=x.device) / 16, torch.zeros(n, dtype=x.dtype, device=x.device)


#: Functions of rows of one magnitude, and their formula, of which every term has one sign or is taken from its mean.
ROWS = {
    "layer_norm": (lambda x: st.layer_norm(x, x.shape[-1:], *of_rows(x), 0.0), lambda x: layer_norm(x, *of_rows(x), eps=0.0)),
    "rms_norm": (lambda x: st.rms_norm(x, x.shape[-1:], of_rows(x)[0], 0.0), lambda x: rms_norm(x, of_rows(x)[0], 0.0)),
    "batch_norm": (
        lambda x: st.batch_norm(x, None, None, *of_rows(x), training=True, eps=0.0), lambda x: batch_norm(x, *of_rows(x), eps=0.0)
    ),
    "phi_residual_layer_norm": (
        lambda x: st.phi_residual_layer_norm(x, -x, *of_rows(x), eps=0.0),
        lambda x: layer_norm(x - x / PHI, *of_rows(x), eps=0.0, mode="standard"),
    ),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", ROWS)
def test_norms_of_any_magnitude(name, dtype, device):
    ours, formula = ROWS[name]
    generator = torch.Generator().manual_seed(3)
    n, info = 16, torch.finfo(dtype)
    inner = torch.finfo(torch.float32).eps if dtype in HALVES else info.eps
    x = torch.randn(n, n, generator=generator, dtype=torch.float64)
    # Squares stay numbers of the type that calculates.
    most = min(math.log2(info.max), math.log2(torch.finfo(torch.float32 if dtype in HALVES else dtype).max) / 2) - 6
    for power in (0, most, -most + 8 if dtype is not torch.float16 else -10):
        scaled = (x * 2.0**power).to(dtype)
        got, want = ours(scaled.to(device)).cpu().double(), formula(scaled.double())
        # One rounding, and in the calculating type sums of n terms of at most 4 sigma, times weights of at most 1.
        tolerance = info.eps / 2 * want.abs() + 16 * n * inner
        assert ((got - want).abs() <= tolerance).all(), power


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("kind", ["none", "norms", "log", "weights", "masked"])
def test_softmax_of_large_exponents(kind, dtype, device):
    generator = torch.Generator().manual_seed(4)
    x = (40 * torch.randn(6, 48, generator=generator, dtype=torch.float64)).to(dtype)
    norms = torch.arange(48, dtype=torch.float64).to(dtype) * 3
    weights = torch.rand(6, 48, generator=generator, dtype=torch.float64).to(dtype) + 0.125
    if kind == "masked":
        x[0] = -math.inf
        x[1, ::2] = -math.inf
    options = {
        "none": ({}, 0),
        "norms": ({"mode_norms": norms, "scale": 0.75}, -0.75 / PHI * norms.double()),
        "log": ({"log_weights": -norms, "scale": 0.75}, -0.75 * norms.double()),
        "weights": ({"weights": weights, "scale": 3.0}, 3 * weights.double().log()),
        "masked": ({"masked_zero": True}, 0),
    }
    given, logs = options[kind]
    got = st.softmax(x.to(device), **{k: v.to(device) if isinstance(v, torch.Tensor) else v for k, v in given.items()})
    z = x.double() + logs
    want = torch.softmax(z, -1).nan_to_num(0.0) if kind == "masked" else torch.softmax(z, -1)
    info = torch.finfo(dtype)
    inner = torch.finfo(torch.float32).eps if dtype in HALVES else info.eps
    # An exponent's roundings are the result's: it is at most 450, and rounded four times.
    tolerance = want * (info.eps / 2 + 4 * 450 * inner) + 2 * info.smallest_normal * info.eps
    assert ((got.cpu().double() - want).abs() <= tolerance).all()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_evaluation_rounds_half_types_once(dtype, device):
    generator = torch.Generator().manual_seed(6)
    x, mean, var, w, b = (torch.rand(s, generator=generator, dtype=torch.float64).to(dtype) for s in [(32, 8), (8,), (8,), (8,), (8,)])
    got = st.batch_norm(x.to(device), *(t.to(device) for t in (mean, var, w, b)))
    assert got.dtype == dtype
    want = golden_norm(x.double(), mean.double(), var.double(), 1e-5) * w.double() + b.double()
    # PyTorch adds a product of x and one of the mean: eight roundings of float32 of their size, at most sqrt(1/var) = 316.
    assert ((got.cpu().double() - want).abs() <= torch.finfo(dtype).eps / 2 * want.abs() + 8 * 2.0**-24 * 316 + 2.0**-24).all()


#: Functions of single elements, their formula in float64, and the roundings of the formula in the type that calculates: each step by so
#: many units of what it makes, the largest last.
POINTWISE = {
    "gelu": (st.gelu, lambda x: torch.where(x < -1000, -0.0, x * torch.sigmoid(PHI * x))),
    "phi_residual": (lambda x: st.phi_residual(x, x.flip(0)), lambda x: x + x.flip(0) / PHI),
    "phi_residual relu": (lambda x: st.phi_residual(x, -x, activation="relu"), lambda x: torch.relu(x - x / PHI)),
    "phi_residual gelu": (
        lambda x: st.phi_residual(x / 2, x / 4, "standard", activation="gelu_erf"),
        lambda x: torch.nn.functional.gelu(x / 2 + x / 4),
    ),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", POINTWISE)
def test_extremes_of_single_elements(name, dtype, device):
    ours, formula = POINTWISE[name]
    x = extremes(dtype)
    got, exact = ours(x.to(device)).cpu(), formula(x.double())
    # Beyond the largest number of the type the rounded result is infinite.
    want = exact.to(dtype)
    info = torch.finfo(dtype)
    inner = torch.finfo(torch.float32).eps if dtype in HALVES else info.eps
    # Half a unit for the one rounding to the type, and the error of an exponent: e^(-phi x) has phi |x| units of the calculating type,
    # where it is not 0. A sum has an error of its operands' size; what is below the normal numbers has the smallest one's.
    size = x.double().abs() + x.double().flip(0).abs()
    tolerance = info.eps / 2 * exact.abs() + 8 * inner * (exact.abs() * (1 + PHI * x.double().abs().clamp(max=200)) + size.clamp(max=info.max / 8))
    if name == "gelu":
        tolerance = info.eps / 2 * exact.abs() + 8 * inner * exact.abs() * (1 + PHI * x.double().abs().clamp(max=2000))
    tolerance = tolerance + 2 * info.smallest_normal * info.eps + (torch.finfo(torch.float32).smallest_normal if dtype in HALVES else info.smallest_normal)
    same = (got == want) | ((got.double() - exact).abs() <= tolerance)
    assert same.all(), (x[~same], got[~same], exact[~same])
