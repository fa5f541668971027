"""The peers' formulas, with NumPy in the place of a library: each layer's gradient is that of its forward run."""

import importlib.util
import json
import pathlib
import sys
import types

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
layers = load("layers", "gpu_layers.py")
peers = load("peers", "gpu_peers.py")


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
    return [draw.uniform(0.5, 1.5, row["size"]) for _ in range(layers.drawn(row))]


KINDS = {row["kind"]: small(row) for row in ROWS if layers.layer_of(row)}


def test_every_row_has_a_suite_and_a_layer_or_another_call() -> None:
    assert {row["suite"] for row in ROWS} == {"latency", "maps", "chains", "products", "memory", "copies"}
    others = {row["kind"] for row in ROWS} - set(KINDS)
    assert others == {
        *("map", "matmul", "transpose", "permute", "sum", "max", "var", "argmax", "cumsum", "sort", "topk", "normal"),
        *("upload", "download"),
    }
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
