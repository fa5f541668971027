"""The peers' formulas, with NumPy in the place of a library: each layer's gradient is that of its forward run."""

import importlib.util
import json
import pathlib
import sys
import types
from collections.abc import Callable

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROWS = json.loads((HERE.parent / "gpu_cases.json").read_text())


def load(name: str, file: str) -> types.ModuleType:
    specification = importlib.util.spec_from_file_location(name, HERE / file)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


# In a bundle the files have shorter names.
formulas = load("formulas", "gpu_formulas.py")
layers = load("layers", "gpu_layers.py")
timing = load("timing", "gpu_timing.py")
searches = load("searches", "gpu_searches.py")
factors = load("factors", "gpu_factors.py")
products = load("products", "gpu_products.py")
pipelines = load("pipelines", "gpu_pipelines.py")
optimizers = load("optimizers", "gpu_optimizers.py")
suites = load("suites", "gpu_suites.py")
load("checks", "gpu_checks.py")
peers = load("peers", "gpu_peers.py")
first = load("first", "gpu_first.py")


class Library:
    """NumPy as a library of the list; every number is double, whatever the row says."""

    name = "numpy"
    module = np

    @staticmethod
    def host(x: np.ndarray) -> np.ndarray:
        return np.asarray(x)


def small(row: dict) -> dict:
    sizes = {1: [5000], 2: [12, 15], 3: [6, 5, 7], 4: [6, 5, 3, 4]}
    return row | {"size": sizes[len(row["size"])], "dtype": "float64"}


def arrays(row: dict, seed: int = 0) -> list[np.ndarray]:
    draw = np.random.default_rng(seed)
    width, low, shapes = peers.numbers(row, layers.drawn(row))
    return [draw.uniform(low, low + width, shape) for shape in shapes]


KINDS = {row["kind"]: small(row) for row in ROWS if layers.layer_of(row)}


def test_every_row_has_a_suite_and_a_layer_or_another_call() -> None:
    assert {row["suite"] for row in ROWS} == {"latency", "maps", "chains", "products", "memory", "formulas", "copies", "evolve", "exact", "pipelines", "pipelines_alone"}
    assert {row["kind"] for row in ROWS if row["suite"] == "products"} == set(products.PRODUCTS)
    assert all(searches.is_search(row) == (row["suite"] == "evolve") for row in ROWS)
    assert {row["suite"] for row in ROWS} >= suites.ALONE
    assert {pipelines.name_of(row) for row in ROWS if row["suite"] == "pipelines"} - set(layers.LAYERS) == set(pipelines.NAMES)
    plain = [row for row in ROWS if row["suite"] not in ("evolve", "exact") and not pipelines.is_pipeline(row)]
    others = {row["kind"] for row in plain if "formula" not in row} - set(KINDS) - set(products.PRODUCTS)
    assert others == {
        *("map", "transpose", "permute", "sum", "max", "var", "argmax", "cumsum", "sort", "topk", "normal", "graph"),
        *("upload", "download", "adamw"),
    }
    assert {row["kind"] for row in WRITTEN} == set(formulas.FORMULAS)
    # A row operator is told by its name, and what PyTorch runs of it is the same formula or PyTorch's own.
    assert all(row["kind"] == f"row_operator/{row['case']}" for row in ROWS if "formula" in row)
    # Whatever has a gradient is measured both ways.
    backward = {kind.removesuffix("_backward") for kind in KINDS if kind.endswith("_backward")}
    assert backward == {kind for kind, layer in layers.LAYERS.items() if layer.gradient}
    keys = [(row["case"], row["dtype"], tuple(row["size"])) for row in ROWS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("kind", KINDS)
def test_a_right_result_passes_and_a_wrong_one_does_not(kind: str) -> None:
    row = KINDS[kind]
    drawn = arrays(row)
    given = layers.prepared(np, row, drawn)
    call = layers.work(np, row)
    assert peers.check_layer(row, Library, call, given, drawn) is None

    for error in (1e-3, np.nan):

        def wrong(*given: np.ndarray, error: float = error) -> object:
            results = call(*given)
            return (results[0] + error, *results[1:]) if isinstance(results, tuple) else results + error

        assert "differs" in peers.check_layer(row, Library, wrong, given, drawn)


WRITTEN = [row for row in ROWS if row["suite"] == "formulas" and "formula" not in row]


@pytest.mark.parametrize("row", WRITTEN, ids=lambda row: f"{row['case']}-{row['dtype']}-{row['size'][1]}")
def test_a_written_formula_moves_what_goes_in_and_out(row: dict) -> None:
    little = row | {"size": [12, 15], "dtype": "float64"}
    given = layers.prepared(np, little, arrays(little))
    moved = [*given, layers.work(np, little)(*given)]
    rows, length = row["size"]
    counts = {(12, 15): rows * length, (12,): rows, (15,): length, (): 1}
    width = {"float32": 4, "bfloat16": 2}[row["dtype"]]
    size = lambda x: counts[x.shape] * (1 if x.dtype == bool else width)
    assert row["bytes"] == sum(size(np.asarray(x)) for x in moved)


def test_written_formulas_are_run_by_pytorch_alone() -> None:
    eager, compiled = object.__new__(peers.Torch), object.__new__(peers.Compiled)
    torch = types.SimpleNamespace(
        backends=types.SimpleNamespace(cuda=types.SimpleNamespace(matmul=types.SimpleNamespace())),
        nn=types.SimpleNamespace(functional=None),
        sigmoid=None,
        _dynamo=types.SimpleNamespace(reset=lambda: None),
        compile=lambda call, dynamic: call,
    )
    for name in ("exp", "amax", "where", "sqrt", "std", "log", "tanh"):
        setattr(torch, name, getattr(np, name))
    eager.torch = compiled.torch = torch
    for row in WRITTEN:
        xs = arrays(row | {"size": [12, 15]})
        assert peers.Cupy.call(types.SimpleNamespace(cupy=None), row) is None
        assert peers.Jax.call(types.SimpleNamespace(jax=types.SimpleNamespace(numpy=None)), row) is None
        assert peers.Native.call(eager, row) is None
        for library in (eager, compiled):
            given = layers.prepared(np, row, xs)
            got, want = library.call(row)(*given), layers.work(np, row)(*given)
            assert np.array_equal(got, want)


def test_a_compiler_has_no_cache_at_the_first_result(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def process(command: list, **settings: object) -> types.SimpleNamespace:
        started.append((command, settings["env"]))
        said = "a warning\n" + json.dumps({"first_us": 3000.0, "second_us": 2.0})
        return types.SimpleNamespace(returncode=int(len(started) > 2), stdout=said, stderr="no memory")

    monkeypatch.setattr(first.subprocess, "run", process)
    row = WRITTEN[0]
    rows = list(first.measured([row, row | {"case": "other"}], ["torch", "torch.compile"]))
    assert [r.get("first_us") for r in rows] == [3000.0, 3000.0, None, None] and rows[3]["error"] == "no memory"
    for command, environment in started:
        assert json.loads(command[command.index("--row") + 1])["kind"] == row["kind"]
        assert environment["CUDA_CACHE_DISABLE"] == "1" and environment["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] == "1"
    folders = {environment[name] for _, environment in started for name in first.FOLDERS}
    assert len(folders) == 8
    ours = [row | {"impl": "syntonic", "first_us": 1500.0}, row | {"case": "third", "error": "wrong"}]
    lines = [" ".join(line.split()) for line in first.beside(ours, rows)]
    assert lines[0].endswith("1.5 ms torch 3.0 torch.compile 3.0") and lines[1].endswith("FAILED wrong")


def test_the_first_call_is_timed_with_its_wait() -> None:
    waits = []
    row = WRITTEN[0] | {"size": [12, 15]}

    class Timed(Library):
        call = staticmethod(lambda row: layers.work(np, row))
        inputs = staticmethod(lambda row, count, seed: arrays(row))
        prepare = staticmethod(lambda row, xs: layers.prepared(np, row, xs))
        wait = staticmethod(lambda: waits.append(1))

    times = first.timed(row, Timed)
    assert set(times) == {"first_us", "second_us"} and min(times.values()) > 0 and len(waits) == 3


def addmm(c: np.ndarray, a: np.ndarray, b: np.ndarray, beta: float = 1, alpha: float = 1, out: object = None) -> object:
    return alpha * (a @ b) + (beta * c if beta else 0)


def scaled_mm(a: np.ndarray, b: np.ndarray, rows: np.ndarray, columns: np.ndarray, out_dtype: object) -> np.ndarray:
    assert rows.shape == (len(a), 1) and columns.shape == (1, b.shape[1])
    return (a @ b) * rows * columns


def end(bias: np.ndarray, x: np.ndarray, w: np.ndarray, use_gelu: bool) -> np.ndarray:
    return (products.gelu if use_gelu else products.relu)(x @ w + bias)


#: What PyTorch's functions say they do.
TORCH = types.SimpleNamespace(
    addmm=addmm,
    addmv=lambda y, a, x, beta: beta * y + a @ x,
    _addmm_activation=end,
    _int_mm=lambda a, b: a @ b,
    _scaled_mm=scaled_mm,
    bfloat16=None,
    linalg=types.SimpleNamespace(
        solve=np.linalg.solve,
        cholesky=np.linalg.cholesky,
        svd=lambda a, full_matrices: tuple(np.linalg.svd(a, full_matrices)),
        eigh=lambda a: tuple(np.linalg.eigh(a)),
    ),
    nn=types.SimpleNamespace(
        functional=types.SimpleNamespace(
            linear=lambda x, w, bias: x @ w.T + bias, relu=products.relu, gelu=lambda x, approximate: products.gelu(x)
        )
    ),
)


@pytest.mark.parametrize("kind", products.PRODUCTS)
def test_every_call_of_a_product_is_the_product(kind: str) -> None:
    row = next(row for row in ROWS if row["kind"] == kind)
    row = row | {"size": [min(n, 33) for n in row["size"]], "dtype": "float64"}
    draw = np.random.default_rng(0)
    width, low, shapes = peers.numbers(row, 2)
    xs = products.prepared(row, [draw.uniform(low, low + width, shape) for shape in shapes])
    calls = [products.eager(TORCH, row), products.native(TORCH, row), products.plain(row)]
    calls = [call for call in calls if call is not None]
    for call in calls:
        assert peers.check(row, Library, call, xs) is None

        def wrong(*xs: np.ndarray, call: object = call) -> tuple:
            results = call(*xs)
            first, *rest = results if isinstance(results, tuple) else (results,)
            result = np.array(first)
            result[..., -1] += 1e-3
            return (result, *rest)

        assert "differs" in peers.check(row, Library, wrong, xs)


def test_codes_of_a_scaled_product_are_whole_numbers_of_their_type() -> None:
    draw = np.random.default_rng(3)
    xs = [draw.uniform(-1, 1, shape) for shape in products.PRODUCTS["scaled_fp8"].shapes([], 64, 32, 48)]
    for kind, largest in (("scaled_int8", 127), ("scaled_fp8", 7)):
        a, b, rows, columns = products.prepared({"kind": kind}, xs)
        assert all(np.array_equal(x, np.round(x)) and np.abs(x).max() == largest for x in (a, b))
        assert rows.min() >= 0.5 and columns.min() >= 0.5


class Parameter:
    """What PyTorch's AdamW takes."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.grad = values, None

    def clone(self) -> "Parameter":
        return Parameter(self.values.copy())

    def requires_grad_(self) -> "Parameter":
        return self

    def reshape(self, length: int) -> np.ndarray:
        return self.values.reshape(length)


class AdamW:
    """Loshchilov and Hutter's, as PyTorch says it."""

    def __init__(self, parameters: list, lr: float, eps: float, weight_decay: float, fused: bool) -> None:
        assert fused
        self.parameters, self.lr, self.eps, self.decay = parameters, lr, eps, weight_decay
        self.moments, self.steps = [(0.0, 0.0) for _ in parameters], 0

    def step(self) -> None:
        self.steps += 1
        for k, p in enumerate(self.parameters):
            g, (m, v) = p.grad.values, self.moments[k]
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            self.moments[k] = m, v
            root = np.sqrt(v / (1 - 0.999**self.steps)) + self.eps
            p.values -= self.lr * self.decay * p.values + self.lr * m / (1 - 0.9**self.steps) / root


def test_a_step_over_all_parameters_of_gpt_2() -> None:
    (row,) = (row for row in ROWS if optimizers.is_optimizer(row))
    parameters = optimizers.parameters(row)
    weights = sum(int(np.prod(shape)) for shape in parameters)
    assert (len(parameters), weights, row["bytes"]) == (148, 124_439_808, 22 * weights)
    little = row | {"size": [1, 8, 12, 5], "dtype": "float64"}
    xs = [Parameter(x) for x in arrays(little)]
    torch = types.SimpleNamespace(optim=types.SimpleNamespace(AdamW=AdamW))
    call = optimizers.fused(torch, little)
    wrong = lambda results: optimizers.wrong_step(little, results, xs, lambda x: x)
    assert wrong(call(*xs)) is None
    # It steps on, and what it was given stays as it is.
    assert "differs" in wrong(call(*xs)) and "differs" in wrong(xs[: len(xs) // 2])


class Foreign:
    """An array of a library that NumPy does not know."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.ndim, self.shape = values, values.ndim, values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: object) -> "Foreign":
        return Foreign(self.values[key])


class Abroad(Library):
    @staticmethod
    def host(x: Foreign) -> np.ndarray:
        return x.values


DECOMPOSITIONS = [kind for kind, product in products.PRODUCTS.items() if product.again]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", DECOMPOSITIONS)
def test_a_wrong_number_in_any_factor_is_found(kind: str, dtype: str) -> None:
    row = next(row for row in ROWS if row["kind"] == kind)
    row = row | {"size": [min(n, 60) for n in row["size"]], "dtype": dtype}
    draw = np.random.default_rng(1)
    width, low, shapes = peers.numbers(row, 2)
    xs = products.prepared(row, [draw.uniform(low, low + width, shape).astype(dtype) for shape in shapes])
    results = products.eager(TORCH, row)(*xs)
    results = results if isinstance(results, tuple) else (results,)
    assert all(result.dtype == dtype for result in results)
    abroad = tuple(map(Foreign, results))
    assert peers.check(row, Abroad, lambda *xs: abroad, list(map(Foreign, xs))) is None

    def told(k: int, change: Callable) -> str | None:
        changed = np.array(results[k])
        changed.reshape(-1)[min(57 * 60 + 20, changed.size - 2)] += change(changed)
        return peers.check(row, Library, lambda *xs: (*results[:k], changed, *results[k + 1 :]), xs)

    for k, result in enumerate(results):
        assert told(k, lambda x: 0.0) is None
        assert "differs" in told(k, lambda x: 0.01 * max(1.0, np.abs(x).max()))
        assert "differs" in told(k, lambda x: np.nan)
        nothing = (*results[:k], np.zeros_like(result), *results[k + 1 :])
        assert "differs" in peers.check(row, Library, lambda *xs, nothing=nothing: nothing, xs)


def test_factors_whose_product_is_right_may_be_wrong() -> None:
    row = {"kind": "svd", "dtype": "float64"}
    a = np.random.default_rng(2).uniform(-1, 1, (40, 40))
    assert "differs" in peers.check(row, Library, lambda a: (a, np.ones(40), np.eye(40)), [a])
    u, s, vh = np.linalg.svd(a)
    backwards = u[:, ::-1], s[::-1], vh[::-1]
    assert "differs" in peers.check(row, Library, lambda a: backwards, [a])
    assert "differs" in peers.check(row, Library, lambda a: (-u, -s, vh), [a])

    (b,) = factors.definite(a)
    w, v = np.linalg.eigh(b)
    assert np.array_equal(b, b.T) and w[0] > 20
    row["kind"] = "cholesky"
    assert "differs" in peers.check(row, Library, lambda b: (v * np.sqrt(w)) @ v.T, [b])
    row["kind"] = "eigh"
    assert peers.check(row, Library, lambda b: (w, -v), [b]) is None
    assert "differs" in peers.check(row, Library, lambda b: (w[::-1], v[:, ::-1]), [b])


def test_decompositions_are_run_by_eager_pytorch_alone() -> None:
    assert set(DECOMPOSITIONS) == {"solve", "cholesky", "svd", "eigh"}
    for row in ROWS:
        if row["kind"] in DECOMPOSITIONS:
            assert products.plain(row) is None and products.native(TORCH, row) is None and not products.is_fused(row)


def test_a_slow_call_has_few_samples() -> None:
    assert [timing.slow_samples(about) for about in (2e5, 1e6, 1.8e6, 1e9)] == [11, 6, 3, 3]
    calls: list[int] = []
    # Events are the numbers of calls before them, and a call takes what it says.
    for about, many in ((1.8e6, 3), (1e3, 3 + 11)):
        calls.clear()

        def event() -> types.SimpleNamespace:
            made = types.SimpleNamespace(at=0)
            made.record = lambda: setattr(made, "at", len(calls))
            return made

        apart = lambda a, b, about=about: (b.at - a.at) * about / 1e3
        times = timing.by_events(calls.append, [[0]], event, lambda: None, apart, about)
        assert len(calls) == many and np.allclose(times, about)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.endswith("_backward")])
def test_gradients_are_those_of_the_forward_run(kind: str) -> None:
    row = KINDS[kind]
    layer = layers.layer_of(row)
    g, *rest = arrays(row)
    operands = layer.operands(np, *rest)
    made = layers.work(np, row)(*layers.prepared(np, row, [g, *rest]))
    assert len(made) == layer.variables
    draw = np.random.default_rng(1)
    for k in range(layer.variables):
        step = draw.uniform(-1, 1, operands[k].shape)

        def loss(by: float, k: int = k, step: np.ndarray = step) -> float:
            moved = [t + by * step if j == k else t for j, t in enumerate(operands)]
            return float((g * layer.forward(np, *moved)).sum())

        # Differences of fourth order; a corner of relu that a step of 1e-4 crosses is rare and small.
        h = 1e-4
        slope = (8 * (loss(h) - loss(-h)) - (loss(2 * h) - loss(-2 * h))) / (12 * h)
        along = float((made[k].reshape(operands[k].shape) * step).sum())
        size = float(np.abs(made[k].reshape(operands[k].shape) * step).sum())
        tolerance = 1e-3 if kind == "residual_backward" else 1e-8
        assert abs(slope - along) <= tolerance * max(size, 1.0), (k, slope, along)


def test_golden_values() -> None:
    one = np.array([1.0])
    assert abs(layers.LAYERS["golden_gelu"].forward(np, one)[0] - 0.8345238143358263) < 1e-15
    divergence = layers.kl_divergence(np, one * 0, one, one, one)
    assert abs(divergence - 0.5) < 1e-15
    assert abs(layers.accuracy(np, one, one, one) + 0.9189385332046727) < 1e-15
    psi, norms = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([0.0, 1.0, 4.0, 9.0])
    w = np.exp(-norms * layers.INV_PHI)
    assert abs(layers.share(psi, w)[0] - 0.13256967866314404) < 1e-15
    slope, weights, loss = layers.modes(np, psi, "slope", "weights", "loss")
    moved, after = layers.cycle(np, psi, slope, weights, loss)
    want = [1.0, 2.5620874547873664, 4.613790102205588, 7.324966343898677]
    assert np.abs(moved[0] - want).max() < 1e-13 and abs(after[0] - 0.07927771839558931) < 1e-14
