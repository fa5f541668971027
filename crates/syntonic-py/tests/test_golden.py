"""The golden-ratio operators, RES, random numbers and files, as Python sees them."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from arrays import same

import syntonic
from syntonic import (
    GoldenNormMode,
    PhiResidualMode,
    State,
    SyntonicSoftmaxMode,
    golden_batch_norm_1d,
    golden_batch_norm_2d,
    phi_residual,
    phi_residual_relu,
    syntonic_softmax,
)
from syntonic.evolve import RES

PHI = (1 + math.sqrt(5)) / 2


def close(state: State, want: object, tolerance: float = 1e-13) -> None:
    np.testing.assert_allclose(np.asarray(state), want, rtol=tolerance, atol=tolerance)


def test_phi_residual() -> None:
    x, r = np.array([1.0, -3.0]), np.array([2.0, 1.0])
    close(phi_residual(x, r), x + r / PHI)
    close(phi_residual(x, r, PhiResidualMode.PHI_SYMMETRIC), (x + r) / PHI)
    close(phi_residual(x, r, "standard"), x + r)
    close(phi_residual_relu(x, r), np.maximum(x + r / PHI, 0))
    with pytest.raises(ValueError):
        phi_residual(x, r, "golden")
    with pytest.raises(ValueError):
        phi_residual(x, r[:1])


def test_golden_norms() -> None:
    x = np.random.default_rng(0).normal(3, 2, (64, 5))
    mean, var = x.mean(0), x.var(0)
    close(golden_batch_norm_1d(x), (x - mean) / np.sqrt(var + 1e-5) * math.sqrt(1 / PHI), 1e-12)
    close(golden_batch_norm_1d(x, "standard"), (x - mean) / np.sqrt(var + 1e-5), 1e-12)
    close(golden_batch_norm_1d(x, GoldenNormMode.custom(4.0)), (x - mean) / np.sqrt(var + 1e-5) * 2, 1e-12)
    planes = x.reshape(4, 5, 4, 4)
    close(
        golden_batch_norm_2d(planes, gamma=np.full(5, 2.0)),
        (planes - planes.mean((0, 2, 3), keepdims=True))
        / np.sqrt(planes.var((0, 2, 3), keepdims=True) + 1e-5) * math.sqrt(1 / PHI) * 2,
        1e-12,
    )  # fmt: skip
    running = syntonic.nn.BatchNormState(5)
    golden_batch_norm_1d(x, running=running)
    close(running.mean, 0.1 * mean)
    close(running.var, 0.9 + 0.1 * x.var(0, ddof=1))
    close(
        golden_batch_norm_1d(x, "standard", running=running, training=False),
        (x - 0.1 * mean) / np.sqrt(0.9 + 0.1 * x.var(0, ddof=1) + 1e-5),
        1e-12,
    )
    with pytest.raises(ValueError):
        GoldenNormMode.custom(0.0)


def test_syntonic_softmax() -> None:
    x = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]])
    norms = np.array([0.0, 1.0, 4.0])
    plain = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    close(syntonic_softmax(x), plain)
    close(syntonic_softmax(x, mode=SyntonicSoftmaxMode.IDENTITY), plain)
    weighted = np.exp(x - norms / PHI)
    close(syntonic_softmax(x, mode="learned", mode_norms=norms), weighted / weighted.sum(1, keepdims=True))
    given = np.exp(x) * (1 + x)
    close(syntonic_softmax(x, mode="provided", weights=1 + x), given / given.sum(1, keepdims=True))
    with pytest.raises(ValueError, match="mode_norms"):
        syntonic_softmax(x, mode="learned")


def test_syntony() -> None:
    assert syntonic.resonant.syntony([1.0, 0.0]).item() == 1.0
    close(syntonic.resonant.syntony([0.0, 1.0]), math.exp(-1 / PHI))
    state, after = syntonic.resonant.cycle([[1.0, 2.0, 3.0]])
    assert state.shape == (1, 3) and 0 < after.item() < 1


def test_modes_are_made_once() -> None:
    norms = np.array([0.0, 1.0, 4.0])
    modes = syntonic.resonant.Modes(norms, "float64")
    psi = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 0.0]])
    for plain, made in [
        (syntonic.resonant.syntony(psi, norms), syntonic.resonant.syntony(psi, modes)),
        (syntonic.resonant.harmonize(psi, norms), syntonic.resonant.harmonize(psi, modes)),
        (syntonic.resonant.differentiate(psi, norms), syntonic.resonant.differentiate(psi, modes)),
        *zip(syntonic.resonant.cycle(psi, norms), syntonic.resonant.cycle(psi, modes), strict=True),
    ]:
        assert np.array_equal(np.asarray(plain), np.asarray(made))
    with pytest.raises(TypeError, match="another type"):
        syntonic.resonant.cycle(psi.astype("float32"), modes)


def test_kl_divergence() -> None:
    mq, mp = np.array([[0.5, -1.0, 2.0], [0.0, 0.0, 0.0]]), np.array([0.0, 1.0, 2.0])
    vq, vp = np.array([[1.0, 0.3, 5.0], [1.0, 1.0, 1.0]]), np.array([2.0, 0.3, 0.1])
    ratio = vq / vp
    close(syntonic.infer.kl_divergence(mq, mp, vq, vp), 0.5 * (ratio - 1 - np.log(ratio) + (mq - mp) ** 2 / vp).sum(-1))
    close(syntonic.infer.kl_divergence([0.0], [1.0], [1.0], [1.0]), 0.5)
    assert math.isinf(syntonic.infer.kl_divergence([0.0], [0.0], [0.0], [1.0]).item())
    assert math.isnan(syntonic.infer.kl_divergence([0.0], [0.0], [-1.0], [1.0]).item())
    close(syntonic.infer.categorical_kl_divergence([0.5, 0.5], [0.25, 0.75]), math.log(2 / math.sqrt(3)))
    with pytest.raises(ValueError, match="kl_divergence"):
        syntonic.infer.kl_divergence(mq, mp[:2], vq, vp)
    with pytest.raises(TypeError, match="float"):
        syntonic.infer.kl_divergence([1], [1], [1], [1])


def test_accuracy() -> None:
    o, g = np.array([[0.5, -1.0], [2.0, 3.0]]), np.array([0.0, 1.0])
    pi, v = np.array([4.0, 0.5]), np.array([0.1, 0.2])
    want = -0.5 * (pi * (o - g) ** 2 - np.log(pi) + math.log(2 * math.pi)).sum(-1)
    close(syntonic.infer.accuracy(o, g, pi), want)
    close(syntonic.infer.accuracy(o, g, pi, variance=v), want - 0.5 * (pi * v).sum())
    assert syntonic.infer.accuracy([1.0], [1.0], [math.inf]).item() == math.inf
    assert syntonic.infer.accuracy([1.0], [0.0], [0.0]).item() == -math.inf


def test_golden_gelu_as_a_layer() -> None:
    x = np.linspace(-3, 3, 13)
    close(syntonic.nn.golden_gelu(x), x / (1 + np.exp(-PHI * x)))
    narrow = syntonic.asarray(x).astype("bfloat16")
    once = syntonic.nn.golden_gelu(narrow.astype("float32")).astype("bfloat16")
    assert np.array_equal(
        np.asarray(syntonic.nn.golden_gelu(narrow).astype("float32")), np.asarray(once.astype("float32"))
    )


def sphere(x: State) -> State:
    return (x * x).sum(axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_res_on_the_sphere(seed: int) -> None:
    outcome = RES([3.0] * 10, sigma=2.0, seed=seed).run(sphere, target=1e-8)
    assert outcome.reason == "target" and outcome.evaluations <= 2000
    assert outcome.value is not None and outcome.value <= 1e-8


def test_res_resumes_to_the_bit(tmp_path: Path) -> None:
    whole = RES([1.0] * 5, seed=3)
    whole.run(sphere, generations=20)
    part = RES([1.0] * 5, seed=3)
    part.run(sphere, generations=11, checkpoint=tmp_path / "part.json")
    resumed = RES.load(tmp_path / "part.json")
    resumed = pickle.loads(pickle.dumps(resumed._search)) and resumed
    resumed.run(sphere, generations=20)
    assert resumed.best_value == whole.best_value
    assert resumed.centre.tolist() == whole.centre.tolist()
    assert [r["best"] for r in resumed.history] == [r["best"] for r in whole.history]


def test_res_restarts_where_evaluations_are_left(tmp_path: Path) -> None:
    def raised(x: State) -> State:
        return 1.0 + sphere(x)

    once = RES([1.0] * 4, seed=2, restarts="off")
    assert once.run(raised, evaluations=20_000).reason == "tolfun" and once.restarts == 0
    agreed = RES([1.0] * 4, seed=2)
    assert agreed.run(raised, evaluations=20_000).reason == "tolfun" and agreed.restarts == 2
    again = RES([1.0] * 4, seed=2, restarts="growing")
    outcome = again.run(raised, evaluations=20_000, checkpoint=tmp_path / "again")
    assert outcome.reason == "evaluations" and outcome.evaluations <= 20_000 and again.restarts > 1
    assert again.ask().shape[0] == 8 * 2**again.restarts
    assert RES.load(tmp_path / "again").restarts == again.restarts
    assert RES([1.0] * 4, seed=2).run(raised).reason == "tolfun"
    assert RES([1.0] * 4, seed=2).run(raised, tolfun=False, tolx=1e-3).reason == "tolx"
    assert RES([1.0] * 4, seed=2).run(raised, tolfun=False, tolx=False, stagnation=30).reason == "stagnation"
    with pytest.raises(ValueError, match="tolfun"):
        RES([1.0]).run(sphere, tolfun=-1.0)
    with pytest.raises(ValueError, match="tolx"):
        RES([1.0]).run(sphere, tolx=math.nan)
    with pytest.raises(ValueError, match="restarts"):
        RES([1.0], restarts="often")


def test_res_mistakes() -> None:
    search = RES([1.0, 2.0])
    with pytest.raises(ValueError, match="ask"):
        search.tell([1.0])
    with pytest.raises(ValueError, match="expected"):
        search.run(lambda x: [1.0])
    with pytest.raises(ValueError):
        RES([])
    with pytest.raises(ValueError, match="survivors"):
        RES([1.0], population=4, survivors=5)
    with pytest.raises(ValueError, match="goal"):
        RES([1.0], goal="best")

    class Odd(Exception):
        pass

    error = Odd("mine")

    def broken(x: State) -> State:
        raise error

    with pytest.raises(Odd) as caught:
        search.run(broken)
    assert caught.value is error and search.generation == 0


def test_res_progress_and_callback(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []

    def callback(record: dict[str, object]) -> bool:
        seen.append(int(str(record["generation"])))
        return len(seen) < 3

    outcome = RES([1.0] * 3).run(sphere, callback=callback)
    assert outcome.reason == "stopped" and seen == [1, 2, 3]
    assert capsys.readouterr().err == ""
    RES([1.0] * 3).run(sphere, seconds=0.5, generations=None, stagnation=False, progress=True)
    assert "RES: generation" in capsys.readouterr().err
    assert RES([1.0]).run(lambda x: x[:, 0] * math.nan, generations=3).value is None


def test_generators_are_two_integers() -> None:
    one, two = syntonic.random.Generator(7), syntonic.random.Generator(7)
    first = one.normal(10)
    saved = one.state
    second = one.uniform((2, 3), -1.0, 1.0)
    two.state = saved
    same(two.uniform((2, 3), -1.0, 1.0), np.asarray(second))
    assert pickle.loads(pickle.dumps(one)) == one
    whole = syntonic.random.Generator(7).normal(25)
    same(first, np.asarray(whole)[:10])
    assert sorted(one.permutation(50).tolist()) == list(range(50))
    drawn = one.integers(5, 9, (1000,))
    assert drawn.min().item() == 5 and drawn.max().item() == 8
    assert one.normal(3, dtype="float32").dtype == "float32"
    with pytest.raises(ValueError):
        one.integers(3, 3)
    with pytest.raises(TypeError):
        one.normal(3, dtype="int32")


def test_files(tmp_path: Path) -> None:
    states = {"a": State([[1.0, 2.0]]), "z": State([1 + 2j]), "b": State([True])}
    for ending in ("safetensors", "npz"):
        syntonic.save(tmp_path / f"x.{ending}", states)
        back = syntonic.load(tmp_path / f"x.{ending}")
        for name, state in states.items():
            same(back[name], np.asarray(state))
    syntonic.save(tmp_path / "x.npy", states["a"])
    same(syntonic.load(tmp_path / "x.npy"), np.load(tmp_path / "x.npy"))
    syntonic.save(tmp_path / "m.safetensors", states, metadata={"who": "me"})
    assert syntonic.load_with_metadata(tmp_path / "m.safetensors")[1] == {"who": "me"}
    with pytest.raises(ValueError, match="end in"):
        syntonic.save(tmp_path / "x.txt", states)
