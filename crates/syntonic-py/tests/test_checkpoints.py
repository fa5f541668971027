"""Searches that outlive their process: saved, resumed, restarted, and killed at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import syntonic
from syntonic.evolve import RES, DeviceSearch

State = syntonic.State
# How often each search is killed: `SYNTONIC_HOSTILE_KILLS=50` is the length of `cargo xtask hostile`.
KILLS = int(os.environ.get("SYNTONIC_HOSTILE_KILLS", "2"))


def rastrigin(x: State) -> State:
    return (x * x - 10.0 * syntonic.cos(6.283185307179586 * x) + 10.0).sum(-1)


def device_search(**settings: Any) -> DeviceSearch:
    return DeviceSearch(syntonic.full(4, 2.0, dtype="float64"), 1.0, 8, **{"seed": 3, **settings})


def schwefel(x: State) -> State:
    """Each coordinate depends on all others (H.-P. Schwefel, 1981, problem 1.2)."""
    return (syntonic.cumulative_sum(x, axis=-1) ** 2).sum(-1)


def res(strategy: str) -> RES:
    return RES([2.0] * 4, sigma=1.0, population=8, seed=3, strategy=strategy, restarts="growing")


def turning() -> RES:
    """Begins separable, and becomes full on the way."""
    return RES([2.0] * 70, sigma=1.0, population=16, seed=3, restarts="growing")


def run_res(search: RES, generations: int, path: Path | None, objective: Callable[[State], State] = rastrigin) -> None:
    search.run(objective, generations=generations, evaluations=10**9, checkpoint=path, checkpoint_every=2, progress=False)


def run_device(search: DeviceSearch, generations: int, path: Path | None, objective: str | Callable[[State], State] = rastrigin) -> None:
    search.run(objective, generations - search.generation, checkpoint=path, checkpoint_every=2)


def run_named(search: DeviceSearch, generations: int, path: Path | None) -> None:
    run_device(search, generations, path, "rastrigin")


def seen_of_res(search: RES) -> object:
    assert search.best is not None
    return [search.centre.tolist(), search.best.tolist(), search.best_value, search.sigma, search.history, search.restarts, search.strategy]


def seen_of_device(search: DeviceSearch) -> object:
    history = () if isinstance(search._search, syntonic._core.MatrixSearch) else search.history
    tensors = [search.mean, search.deviation, *search.best, *history]
    return [[x.tolist() for x in tensors], search.generation, search.population, search.restarts]


def run_turning(search: RES, generations: int, path: Path | None) -> None:
    run_res(search, generations, path, schwefel)


Kind = tuple[Callable[[], Any], Callable[[Path], Any], Callable[[Any, int, Path | None], None], Callable[[Any], object]]


def of_res(strategy: str) -> Kind:
    return lambda: res(strategy), RES.load, run_res, seen_of_res


def on_device(run: Callable[[Any, int, Path | None], None], **settings: Any) -> Kind:
    return lambda: device_search(**settings), DeviceSearch.load, run, seen_of_device


# Each: what makes the search, takes it up again, runs it up to a generation, and sees all of it.
KINDS: dict[str, Kind] = {
    **{f"RES, {strategy}": of_res(strategy) for strategy in ("full", "separable", "isotropic", "elitist")},
    "RES, turning": (turning, RES.load, run_turning, seen_of_res),
    **{f"device, {rule}": on_device(run_named, rule=rule, restarts="growing") for rule in ("res", "separable", "separable_cma")},
    "device, snes, called": on_device(run_device, rule="snes", restarts="growing"),
    "device, openai, bounded": on_device(run_device, rule="openai", bounds=(-3, 3)),
    "device, cma": on_device(run_named, rule="cma"),
    "device, cr_fm_nes, called, bounded": on_device(run_device, rule="cr_fm_nes", bounds=(-3, 3)),
}

WITHOUT_RESTARTS = ("device, openai, bounded", "device, cma", "device, cr_fm_nes, called, bounded", "RES, turning")

CHILD = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_checkpoints import KINDS
begin, load, run, _ = KINDS[{kind!r}]
path = Path({path!r})
search = load(path) if path.exists() else begin()
print("begun", flush=True)
# Far beyond the moment at which it is killed.
run(search, search.generation + 1000, path)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_search_is_the_one_that_was_not(tmp_path: Path, kind: str) -> None:
    begin, load, run, seen = KINDS[kind]
    path = tmp_path / "search"
    program = CHILD.format(tests=str(Path(__file__).parent), kind=kind, path=str(path))
    chance, generation, saves = random.Random(7), 0, 0
    for _ in range(KILLS):
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None and child.stdout.readline() == "begun\n"
        # At any moment from the first save on; one time in four there need not be one.
        saves_first = chance.random() < 0.75
        before, patience = path.stat().st_mtime_ns if path.exists() else 0, time.monotonic() + 60
        while saves_first and (not path.exists() or path.stat().st_mtime_ns == before):
            assert time.monotonic() < patience and child.poll() is None, "the child saves nothing"
        time.sleep(chance.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert child.returncode == -signal.SIGKILL, child.returncode
        reached = load(path).generation if path.exists() else 0
        assert reached >= generation + saves_first
        saves += (reached - generation + 1) // 2
        generation = reached
    # Far enough for another attempt of most, and for the matrix of the search that turns.
    whole, resumed, end = begin(), load(path) if path.exists() else begin(), max(generation + 21, 250)
    run(resumed, end, path)
    run(whole, end, None)
    assert resumed.generation == load(path).generation == end
    assert kind != "RES, turning" or whole.strategy == "full"
    assert seen(resumed) == seen(load(path)) == seen(whole)
    # What killed writers left is gone.
    assert [p.name for p in tmp_path.iterdir()] == ["search"]
    print(f"{kind}: {KILLS} kills, some {saves} saves, {end} generations, {whole.restarts} restarts")


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_is_resumed_anywhere(tmp_path: Path, kind: str) -> None:
    begin, load, run, seen = KINDS[kind]
    whole, part = begin(), begin()
    run(whole, 400, None)
    for generations in (1, 63, 64, 65, 201, 400):
        run(part, generations, tmp_path / "search")
        part = load(tmp_path / "search")
    assert seen(part) == seen(whole)
    assert whole.restarts > 0 or kind in WITHOUT_RESTARTS


def test_runs_and_types_come_back(tmp_path: Path) -> None:
    for dtype in ("float32", "float64"):
        search = DeviceSearch(syntonic.full((2, 3), 1.0, dtype=dtype), 0.5, 6, rule="separable_cma", bounds=(-9, [9, 8, 7]))
        search.run("ackley", 5)
        search.save(tmp_path / "search")
        other = DeviceSearch.load(tmp_path / "search", device="cpu")
        assert other.mean.dtype == search.mean.dtype and seen_of_device(other) == seen_of_device(search)
        assert other.ask().tolist() == search.ask().tolist() and other.history[1].shape == (2, 5)


def test_the_file_is_one_of_safetensors(tmp_path: Path) -> None:
    search = device_search(restarts="growing")
    search.run("sphere", 3)
    path = tmp_path / "x.safetensors"
    search.save(path)
    tensors, metadata = syntonic.load_with_metadata(path)
    assert tensors["state"].shape == (1, 8 * 4 + 12) and tensors["history"].shape == (1, 3)
    about = json.loads(metadata["search"])
    assert metadata["version"] == "3" and about["generation"] == 3 and about["rule"] == "res" and about["seed"] == 3


@pytest.mark.parametrize("rule", ["res", "cma", "cr_fm_nes"])
def test_bad_files_say_what_is_wrong(tmp_path: Path, rule: str) -> None:
    path = tmp_path / "search"
    device_search(rule=rule).save(path)
    good = path.read_bytes()
    syntonic.save(tmp_path / "x.safetensors", {"state": syntonic.zeros(3)})
    for bad, why in (
        (good[:-20], "cut short"),
        (good[:300], "cut short"),
        (good[:-20] + bytes([good[-20] ^ 4]) + good[-19:], "damaged"),
        (b"", "cut short"),
        (b"something else", "no checkpoint"),
        ((tmp_path / "x.safetensors").read_bytes(), "no checkpoint"),
    ):
        path.write_bytes(bad)
        with pytest.raises(syntonic.FileError, match=why):
            DeviceSearch.load(path)
    with pytest.raises(syntonic.FileError, match="no checkpoint"):
        RES.load(tmp_path / "x.safetensors")
    with pytest.raises(FileNotFoundError):
        DeviceSearch.load(tmp_path / "none")
    with pytest.raises(syntonic.ArgumentError, match="NaN"):
        DeviceSearch([1.0, float("nan")], 0.5).save(path)


@pytest.mark.parametrize("end", ["raise KeyError('mine')", "os.kill(os.getpid(), signal.SIGINT)"])
@pytest.mark.parametrize("every", [0, 1, 5])
def test_what_ends_a_run_leaves_a_checkpoint(tmp_path: Path, end: str, every: int) -> None:
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_checkpoints import device_search, rastrigin
signal.signal(signal.SIGINT, signal.default_int_handler)
search = device_search()
def objective(x):
    if search.generation == 7:
        {end}
    return rastrigin(x)
try:
    search.run(objective, 1000, checkpoint="search", checkpoint_every={every})
except BaseException as raised:
    print(type(raised).__name__, getattr(raised, "__notes__", None))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] in ("KeyError", "KeyboardInterrupt") and done.stdout.split()[1] == "None"
    resumed, whole = DeviceSearch.load(tmp_path / "search"), device_search()
    assert 7 <= resumed.generation <= 8
    for search in (resumed, whole):
        run_device(search, 20, None)
    assert seen_of_device(resumed) == seen_of_device(whole)


def test_ctrl_c_in_a_launch_leaves_a_checkpoint(tmp_path: Path) -> None:
    program = """
import os, signal, threading
import syntonic
signal.signal(signal.SIGINT, signal.default_int_handler)
search = syntonic.evolve.DeviceSearch(syntonic.full(2000, 2.0), 1.0, 64, rule="separable")
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    search.run("ackley", 10**6, checkpoint="search", checkpoint_every=10)
except KeyboardInterrupt:
    print("interrupted", search.generation)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    said, generation = done.stdout.split()
    assert said == "interrupted" and DeviceSearch.load(tmp_path / "search").generation == int(generation)


def test_a_checkpoint_that_cannot_be_written(tmp_path: Path) -> None:
    search = device_search()
    with pytest.raises(FileNotFoundError):
        search.run("sphere", 5, checkpoint=tmp_path / "missing" / "x")
    assert search.generation == 0
    folder = tmp_path / "gone"
    folder.mkdir()

    def objective(x: State) -> State:
        if search.generation == 3:
            for left in folder.iterdir():
                left.unlink()
            folder.rmdir()
        return rastrigin(x)

    with pytest.warns(RuntimeWarning, match="the run goes on") as warned, pytest.raises(FileNotFoundError):
        search.run(objective, 6, checkpoint=folder / "x", checkpoint_every=2)
    assert search.generation == 6 and warned[0].filename == __file__


def test_restarts_find_the_best_of_many_minima() -> None:
    for rule, objective in (("res", "rastrigin"), ("snes", rastrigin)):
        restarts = []
        for seed in range(3):
            search = device_search(rule=rule, restarts="growing", seed=seed)
            history = search.run(objective, 4000, target=1e-8)
            assert history.shape[0] < 4000 and search.best[1].item() <= 1e-8
            assert search.population == 8 * 2**search.restarts
            restarts.append(search.restarts)
        assert any(restarts), restarts
    for settings, why in (({"restarts": "auto"}, "restarts"), ({"restarts": "growing", "rule": "openai"}, "OpenAI")):
        with pytest.raises(syntonic.ArgumentError, match=why):
            device_search(**settings)
    with pytest.raises(syntonic.ArgumentError, match="matrix of starts"):
        DeviceSearch(syntonic.zeros((2, 3)), 1.0, restarts="growing")
