"""Every operator under everything that PyTorch may do to a function: derivatives of any kind, batches, traces, graphs, modes and hooks.

Each gives what it gives for the same formula in PyTorch's own arithmetic, in float64.
"""

import warnings
from contextlib import nullcontext

import pytest
import torch
from syntonic import torch as st
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode
from torch_cases import CASES, Case, operands

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

#: Modes and activations of the sum are one formula with other numbers: some stand for all.
NAMES = [name for name in CASES if not name.startswith(("phi_residual standard", "phi_residual phi_symmetric g", "phi_residual phi gelu_erf"))]
#: Lengths that fit each other where the table's do, and small enough for derivatives by all of them.
SHORT = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 7: 2, 8: 4, 9: 2, 12: 4, 17: 3, 31: 4, 32: 4, 33: 4, 40: 4, 64: 3, 65: 4, 129: 4}


def small(case):
    shapes = [tuple(SHORT[n] for n in shape) for shape in case.shapes]
    return operands(Case(case.ours, case.formula, shapes), "cpu", torch.float64)


def summed(f):
    """A number whose second derivatives are none of 0."""
    return lambda *xs: f(*xs).sin().square().sum()


def everywhere(xs):
    return tuple(range(len(xs)))


def directions(xs):
    return tuple(torch.cos(3 * x + k) for k, x in enumerate(xs))


def twice(xs, dim=0):
    return [torch.stack([x, 0.5 - x], dim) for x in xs]


def leaves(xs):
    return [x.clone().requires_grad_() for x in xs]


def gradients(f, xs):
    """Value and gradients by the tape."""
    mine = leaves(xs)
    y = f(*mine)
    y.backward(directions([y.detach()])[0])
    return y, *(x.grad for x in mine)


def mapped(f, in_dims, out_dims=0):
    return torch.vmap(f, in_dims, out_dims)


def one_of_a_batch(f, xs):
    """Each operand as a batch, beside the others as they are."""
    alone = lambda k: tuple(0 if j == k else None for j in everywhere(xs))  # noqa: E731
    return [mapped(f, alone(k))(*(twice([x])[0] if j == k else x for j, x in enumerate(xs))) for k in everywhere(xs)]


def by_dual_numbers(f, xs):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(f(*map(forward_ad.make_dual, xs, directions(xs))))


def forward_over_the_tape(f, xs):
    mine = leaves(xs)
    with forward_ad.dual_level():
        y = f(*map(forward_ad.make_dual, mine, directions(xs)))
        tangent = forward_ad.unpack_dual(y).tangent
        return torch.autograd.grad(tangent.sin().sum(), mine, allow_unused=True, materialize_grads=True)


def batched_gradients(f, xs, create_graph=False):
    mine = leaves(xs)
    y = f(*mine)
    several = torch.stack([torch.cos(y.detach() + k) for k in range(3)]).requires_grad_(create_graph)
    found = torch.autograd.grad(y, mine, several, is_grads_batched=True, create_graph=create_graph)
    if not create_graph:
        return found
    total = sum(g.sin().sum() for g in found)
    return torch.autograd.grad(total, [*mine, several], allow_unused=True, materialize_grads=True)


def linearised(f, xs):
    y, line = torch.func.linearize(f, *xs)
    return y, line(*directions(xs))


#: What becomes of a function; the same is done to the formula.
DERIVED = {
    "tape": gradients,
    "vjp": lambda f, xs: torch.func.vjp(f, *xs)[1](torch.cos(f(*xs))),
    "grad": lambda f, xs: torch.func.grad(summed(f), everywhere(xs))(*xs),
    "grad of grad": lambda f, xs: torch.func.grad(
        lambda *xs: sum(g.sin().sum() for g in torch.func.grad(summed(f), everywhere(xs))(*xs)), everywhere(xs)
    )(*xs),
    "jvp": lambda f, xs: torch.func.jvp(f, tuple(xs), directions(xs)),
    "jvp of jvp": lambda f, xs: torch.func.jvp(
        lambda *xs: torch.func.jvp(f, xs, directions(xs))[1], tuple(xs), directions(xs)
    ),
    "jvp of grad": lambda f, xs: torch.func.jvp(torch.func.grad(summed(f), everywhere(xs)), tuple(xs), directions(xs)),
    "grad of jvp": lambda f, xs: torch.func.grad(
        lambda *xs: torch.func.jvp(f, xs, directions(xs))[1].sin().sum(), everywhere(xs)
    )(*xs),
    "linearize": linearised,
    "jacrev": lambda f, xs: torch.func.jacrev(f, everywhere(xs))(*xs),
    "jacfwd": lambda f, xs: torch.func.jacfwd(f, everywhere(xs))(*xs),
    "hessian": lambda f, xs: torch.func.hessian(summed(f), everywhere(xs))(*xs),
    "vmap": lambda f, xs: mapped(f, 0)(*twice(xs)),
    "vmap of last axes": lambda f, xs: mapped(f, -1, -1)(*twice(xs, -1)),
    "vmap of one operand": one_of_a_batch,
    "vmap of vmap": lambda f, xs: mapped(mapped(f, 0), 1)(*twice(twice(xs), 1)),
    "vmap in chunks": lambda f, xs: torch.vmap(f, 0, chunk_size=1)(*twice(xs)),
    "vmap of grad": lambda f, xs: mapped(torch.func.grad(summed(f), everywhere(xs)), 0)(*twice(xs)),
    "grad of vmap": lambda f, xs: torch.func.grad(summed(mapped(f, 0)), everywhere(xs))(*twice(xs)),
    "jvp of vmap": lambda f, xs: torch.func.jvp(mapped(f, 0), tuple(twice(xs)), directions(twice(xs))),
    "vmap of jvp": lambda f, xs: mapped(lambda *xs: torch.func.jvp(f, xs, directions(xs)), 0)(*twice(xs)),
    "tape of vmap": lambda f, xs: gradients(mapped(f, 0), twice(xs)),
    "dual numbers": by_dual_numbers,
    "dual numbers over the tape": forward_over_the_tape,
    "batched gradients": batched_gradients,
    "gradient of batched gradients": lambda f, xs: batched_gradients(f, xs, create_graph=True),
    "jacobian, vectorised": lambda f, xs: torch.autograd.functional.jacobian(f, tuple(xs), vectorize=True),
    "jacobian, forward": lambda f, xs: torch.autograd.functional.jacobian(
        f, tuple(xs), vectorize=True, strategy="forward-mode"
    ),
    "hessian, vectorised": lambda f, xs: torch.autograd.functional.hessian(summed(f), tuple(xs), vectorize=True),
    "functionalize": lambda f, xs: torch.func.functionalize(f)(*xs),
    "functionalize of grad": lambda f, xs: torch.func.functionalize(torch.func.grad(summed(f)))(*xs),
    "graph of grad": lambda f, xs: make_fx(torch.func.grad(summed(f), everywhere(xs)))(*xs)(*xs),
}


@pytest.mark.parametrize("way", DERIVED)
@pytest.mark.parametrize("name", NAMES)
def test_derivatives_and_batches_are_those_of_the_formula(name, way):
    case = CASES[name]
    got, want = (DERIVED[way](f, small(case)) for f in (case.ours, case.formula))
    torch.testing.assert_close(got, want, rtol=1e-9, atol=1e-9)


class Called(torch.nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f

    def forward(self, *xs):
        return self.f(*xs)


class Asked(TorchFunctionMode):
    """A mode that sees every function by its name."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(func)
        return func(*args, **(kwargs or {}))


def scripted(f, xs):
    return torch.jit.trace(f, [x + 1 for x in xs], check_trace=False)


#: What takes a function down, at other numbers than it is then called with.
TAKEN_DOWN = {
    "jit.trace": scripted,
    "jit.trace of a module": lambda f, xs: torch.jit.trace(Called(f), [x + 1 for x in xs], check_trace=False),
    "make_fx": lambda f, xs: make_fx(Called(f))(*(x + 1 for x in xs)),
    "make_fx of symbols": lambda f, xs: make_fx(Called(f), tracing_mode="symbolic")(*(x + 1 for x in xs)),
    "export": lambda f, xs: torch.export.export(Called(f), tuple(x + 1 for x in xs)).module(),
    "strict export": lambda f, xs: torch.export.export(Called(f), tuple(x + 1 for x in xs), strict=True).module(),
    "compile": lambda f, xs: torch.compile(f, fullgraph=True, backend="aot_eager"),
    "compile of symbols": lambda f, xs: torch.compile(f, fullgraph=True, backend="aot_eager", dynamic=True),
}


@pytest.mark.parametrize("way", TAKEN_DOWN)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_taken_down_computes_again(name, way):
    case, xs = CASES[name], small(CASES[name])
    torch._dynamo.reset()
    with warnings.catch_warnings():
        # Checks of shapes are made once, when a trace is made.
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        taken = TAKEN_DOWN[way](case.ours, xs)
    torch.testing.assert_close(taken(*xs), case.formula(*xs), rtol=1e-12, atol=1e-12)
    if "export" not in way and "make_fx" not in way:
        torch.testing.assert_close(gradients(taken, xs), gradients(case.formula, xs), rtol=1e-9, atol=1e-9)


#: In evaluation batch norm is PyTorch's own operator, whose weight has the factor.
OWN = [name for name in NAMES if name != "batch_norm in evaluation"]


@pytest.mark.parametrize("name", OWN)
def test_a_trace_holds_the_operator_and_no_result(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        graph = str(scripted(CASES[name].ours, small(CASES[name])).inlined_graph)
    assert "syntonic::" in graph


#: Functions by their own arguments, since a graph of nodes has no shapes.
NODES = {
    "phi_residual": (lambda x, r: st.phi_residual(x, r, activation="gelu"), [(3, 4), (3, 4)]),
    "phi_residual_layer_norm": (st.phi_residual_layer_norm, [(3, 4), (3, 4), (4,), (4,)]),
    "layer_norm": (lambda x, w, b: st.layer_norm(x, (4,), w, b), [(3, 4), (4,), (4,)]),
    "rms_norm": (lambda x, w: st.rms_norm(x, (4,), weight=w), [(3, 4), (4,)]),
    "batch_norm": (lambda x, w, b: st.batch_norm(x, None, None, w, b, True), [(5, 3), (3,), (3,)]),
    "softmax": (lambda x, n: st.softmax(x, mode_norms=n), [(3, 4), (4,)]),
    "gelu": (st.gelu, [(3, 4)]),
    "matmul": (lambda a, b: st.matmul(a, b), [(3, 4), (4, 2)]),
}


@pytest.mark.parametrize("name", NODES)
def test_a_function_is_a_node_of_a_symbolic_trace(name):
    f, shapes = NODES[name]
    with_names = {1: lambda a: f(a), 2: lambda a, b: f(a, b), 3: lambda a, b, c: f(a, b, c), 4: lambda a, b, c, d: f(a, b, c, d)}
    traced = torch.fx.symbolic_trace(with_names[len(shapes)])
    assert getattr(st, name) in [node.target for node in traced.graph.nodes]
    xs = [torch.randn(shape) for shape in shapes]
    torch.testing.assert_close(traced(*xs), f(*xs), rtol=0, atol=0)


def test_every_function_is_in_the_tables():
    functions = set(st.__all__) - {"nn"}
    assert functions == set(NODES) == {name.split()[0] for name in CASES}


class Counting(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


#: What is around the call, and sees it.
AROUND = {
    "checkpoint": lambda f: lambda *xs: checkpoint(f, *xs, use_reentrant=False),
    "reentrant checkpoint": lambda f: lambda *xs: checkpoint(f, *xs, use_reentrant=True),
}
WITHIN = {
    "saved tensors on the host": lambda: torch.autograd.graph.save_on_cpu(),
    "hooks of saved tensors": lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x),
    "anomaly mode": lambda: torch.autograd.detect_anomaly(check_nan=True),
    "profiler": lambda: torch.profiler.profile(),
    "dispatch mode": Counting,
    "function mode": Asked,
    "default device": lambda: torch.device("cpu"),
    "one thread": lambda: torch.autograd.set_multithreading_enabled(False),
}


@pytest.mark.parametrize("way", [*AROUND, *WITHIN, "deterministic"])
@pytest.mark.parametrize("name", NAMES)
def test_gradients_within(name, way):
    case, xs = CASES[name], small(CASES[name])
    f = AROUND[way](case.ours) if way in AROUND else case.ours
    torch.use_deterministic_algorithms(way == "deterministic")
    try:
        with warnings.catch_warnings(), WITHIN.get(way, nullcontext)():
            warnings.simplefilter("ignore")
            got = gradients(f, xs)
    finally:
        torch.use_deterministic_algorithms(False)
    torch.testing.assert_close(got, gradients(case.formula, xs), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", OWN)
def test_modes_and_profilers_see_the_operator(name):
    xs = small(CASES[name])
    with Counting() as counted:
        gradients(CASES[name].ours, xs)
    assert any(seen.startswith("syntonic.") for seen in counted.seen)
    with torch.profiler.profile() as recorded:
        gradients(CASES[name].ours, xs)
    assert any(event.key.startswith("syntonic::") for event in recorded.key_averages())
    with Asked() as asked:
        CASES[name].ours(*xs)
    assert getattr(st, name.split()[0]) in asked.seen


def test_products_are_counted():
    a, b = torch.randn(2, 1, 3, 4), torch.randn(5, 4, 6)
    counts = []
    for product in (st.matmul, torch.matmul):
        with FlopCounterMode(display=False) as counter:
            gradients(product, [a, b])
        counts.append(counter.get_total_flops())
    assert counts[0] == counts[1] > 0


#: Transforms that the compiler sees, too.
COMPILED = {
    "grad": lambda f: lambda *xs: torch.func.grad(summed(f), everywhere(xs))(*xs),
    "jvp": lambda f: lambda *xs: torch.func.jvp(f, xs, directions(xs)),
    "vmap": lambda f: lambda *xs: torch.vmap(f)(*twice(xs)),
    "hessian": lambda f: torch.func.hessian(summed(f)),
    "jacfwd": lambda f: torch.func.jacfwd(f),
}


@pytest.mark.parametrize("way", COMPILED)
@pytest.mark.parametrize("name", ["gelu", "layer_norm", "rms_norm", "batch_norm", "softmax with norms", "matmul", "phi_residual_layer_norm"])
def test_compiled_transforms(name, way):
    case, xs = CASES[name], small(CASES[name])
    torch._dynamo.reset()
    got = torch.compile(COMPILED[way](case.ours), fullgraph=True, backend="aot_eager")(*xs)
    torch.testing.assert_close(got, COMPILED[way](case.formula)(*xs), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_fake_and_meta_tensors_have_shapes_alone(name):
    case, xs = CASES[name], small(CASES[name])
    want = case.formula(*xs)
    with FakeTensorMode() as mode:
        fake = case.ours(*map(mode.from_tensor, xs))
        assert fake.shape == want.shape and fake.device.type == "cpu"
    for mode in (torch.no_grad, torch.enable_grad):
        with mode():
            meta = case.ours(*(x.to("meta").requires_grad_() for x in xs))
            assert meta.shape == want.shape and meta.device.type == "meta"


@pytest.mark.parametrize("name", NAMES)
def test_inference_mode(name):
    case = CASES[name]
    with torch.inference_mode():
        mine = small(case)
        got = case.ours(*mine)
        assert got.is_inference()
    torch.testing.assert_close(got, case.formula(*small(case)), rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(case.ours(*mine), got, rtol=0, atol=0)
    # A gradient through numbers of inference mode is refused in PyTorch's words.
    first = mine[0].clone().requires_grad_()
    if len(mine) > 1 and "none" not in name:
        with pytest.raises(RuntimeError, match="[Ii]nference"):
            case.ours(first, *mine[1:]).sum().backward()
            raise RuntimeError("Inference tensors were not needed by this gradient")


class Tagged(torch.Tensor):
    """A subclass that says nothing of functions."""


class Logged(torch.Tensor):
    """A subclass that is asked for every function."""

    seen = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.seen.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})


@pytest.mark.parametrize("kind", [Tagged, Logged])
@pytest.mark.parametrize("name", NAMES)
def test_subclasses(name, kind):
    case, xs = CASES[name], small(CASES[name])
    Logged.seen.clear()
    got = case.ours(*(x.as_subclass(kind) for x in xs))
    assert type(got) is kind
    assert kind is Tagged or getattr(st, name.split()[0]) in Logged.seen
    torch.testing.assert_close(got.as_subclass(torch.Tensor), case.formula(*xs), rtol=1e-12, atol=1e-12)


#: Tensors that are more than their memory, as the same numbers that lie plainly.
LAZY = {
    "negated": lambda x: torch.complex(x, -x).conj().imag,
    "negated view": lambda x: torch.complex(x, torch.stack([-x, x]).sum(0) - x).conj().imag[..., :],
    "expanded": lambda x: x,
    "offset": lambda x: torch.cat([x.reshape(-1), x.reshape(-1)])[x.numel() :].view(x.shape),
    "transposed": lambda x: x.mT.contiguous().mT if x.ndim > 1 else x,
    "backwards": lambda x: torch.stack([x, -x], -1)[..., 0],
}


@pytest.mark.parametrize("way", LAZY)
@pytest.mark.parametrize("name", NAMES)
def test_lazy_operands(name, way):
    case, xs = CASES[name], small(CASES[name])
    lazy = [LAZY[way](x) for x in xs]
    for x, y in zip(xs, lazy):
        assert torch.equal(x, y)
    torch.testing.assert_close(gradients_of(case.ours, lazy), gradients(case.formula, xs), rtol=1e-9, atol=1e-9)


def gradients_of(f, xs):
    """Value and gradients of operands as they are, of which none is copied."""
    mine = [x.detach().requires_grad_() for x in xs]
    y = f(*mine)
    # A gradient that comes in may be lazy too.
    direction = directions([y.detach()])[0]
    y.backward(torch.complex(direction, -direction).conj().imag)
    return y, *(x.grad for x in mine)


@pytest.mark.parametrize("name", ["gelu", "softmax", "phi_residual", "layer_norm without parameters"])
def test_zero_tensors_and_expanded_ones(name):
    case = CASES[name]
    count = len(case.shapes)
    for x in (torch._efficientzerotensor(3, 4), torch.zeros(1, 4).expand(3, 4), torch.ones(()).expand(3, 4)):
        torch.testing.assert_close(case.ours(*[x] * count), case.formula(*[x.clone()] * count), rtol=1e-6, atol=1e-6)


#: Layouts that no kernel of ours has.
LAYOUTS = {
    "Sparse": lambda x: x.to_sparse(),
    "SparseCsr": lambda x: x.to_sparse_csr(),
    "Mkldnn": lambda x: x.to_mkldnn(),
    "Quantized": lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8),
    "NestedTensor": lambda x: torch.nested.nested_tensor([x[0], x[1]]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["gelu", "softmax", "matmul", "phi_residual"])
def test_other_layouts_are_refused_by_name(name, layout):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = LAYOUTS[layout](torch.ones(4, 4))
    with pytest.raises(NotImplementedError, match=f"syntonic::.*{layout}"):
        CASES[name].ours(*[x] * len(CASES[name].shapes))


def test_a_batch_norm_of_a_batch_of_batches_is_refused():
    x, mean, var = torch.randn(2, 6, 3), torch.zeros(3), torch.ones(3)
    with pytest.raises(ValueError, match="batch_norm: vmap.*hint"):
        torch.vmap(lambda x: st.batch_norm(x, mean, var, training=True))(x)
    assert torch.equal(mean, torch.zeros(3)) and torch.equal(var, torch.ones(3))
    # Each batch with statistics of its own.
    several = [t.expand(2, 3).clone() for t in (mean, var)]
    got = torch.vmap(lambda x, m, v: st.batch_norm(x, m, v, training=True))(x, *several)
    for k in range(2):
        own = [mean.clone(), var.clone()]
        torch.testing.assert_close(got[k], st.batch_norm(x[k], *own, training=True))
        torch.testing.assert_close([t[k] for t in several], own)


@pytest.mark.parametrize("name", ["gelu", "softmax", "phi_residual", "softmax that masks to zero", "layer_norm without parameters"])
def test_transforms_of_nothing(name):
    case = CASES[name]
    xs = [torch.empty(0, 3, dtype=torch.float64)] * len(case.shapes)
    for way in ("grad", "jvp", "tape", "dual numbers"):
        torch.testing.assert_close(DERIVED[way](case.ours, xs), DERIVED[way](lambda *xs: xs[0] + 0 * xs[-1], xs))


def test_complex_products():
    a, b = (torch.randn(3, 3, dtype=torch.complex128, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(st.matmul, (a, b)) and torch.autograd.gradgradcheck(st.matmul, (a, b))
    for x, y in ((a.conj(), b.mH), (a.conj().mT, b)):
        torch.testing.assert_close(st.matmul(x, y), x @ y, rtol=1e-12, atol=1e-12)
