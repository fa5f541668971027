"""One program of NPBench by one library, in a process of its own; and the comparison of what two made of it."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
import types
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

IMPORT = "import numpy as np"
#: As the suite compares: each element, or all together.
RTOL, ATOL, NORM = 1e-5, 1e-8, 1e-5
MOST_CALLS = 50


def is_here(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


def versions() -> dict[str, str]:
    found = {}
    for name in ("syntonic", "numpy", "cupy-cuda13x", "jax"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def loaded(path: Path, replaced: str | None = None) -> types.ModuleType:
    """A module of the suite's, with another import in place of NumPy's if one is given."""
    text = path.read_text()
    if replaced is not None:
        if IMPORT not in text:
            raise ValueError(f"{path.name} has no line {IMPORT!r}")
        text = text.replace(IMPORT, replaced)
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module


class Library:
    """NumPy, and what the others have in common with it."""

    postfix = "numpy"
    replaced: str | None = None

    def __init__(self, device: str) -> None:
        self.device = device

    def place(self, value: np.ndarray) -> Any:
        return value

    def copied(self, value: Any) -> Any:
        return value.copy() if hasattr(value, "copy") else value

    def wait(self, results: list[Any]) -> None:
        """Until results are there."""

    def read(self, result: Any) -> np.ndarray:
        return np.asarray(result)

    def here(self) -> Any:
        """Where arrays are made that a program makes."""
        return nullcontext()

    def ready(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return function


class Syntonic(Library):
    replaced = "import syntonic.numpy as np"

    def __init__(self, device: str) -> None:
        super().__init__(device)
        import syntonic

        self.module = syntonic
        if importlib.util.find_spec("syntonic.numpy") is None:
            self.replaced = "import syntonic as np"

    def here(self) -> Any:
        return self.module.device(self.device)

    def place(self, value: np.ndarray) -> Any:
        return self.module.array(value, device=self.device)

    def wait(self, results: list[Any]) -> None:
        for result in results:
            if isinstance(result, self.module.State):
                result.eval()
        if self.device != "cpu":
            self.module.cuda.synchronize(self.device)

    def read(self, result: Any) -> np.ndarray:
        return result.cpu().numpy() if isinstance(result, self.module.State) else np.asarray(result)


class Cupy(Library):
    postfix = "cupy"

    def __init__(self, device: str) -> None:
        super().__init__(device)
        import cupy

        self.module = cupy

    def place(self, value: np.ndarray) -> Any:
        return self.module.asarray(value)

    def wait(self, results: list[Any]) -> None:
        self.module.cuda.Device().synchronize()

    def read(self, result: Any) -> np.ndarray:
        return self.module.asnumpy(result)


class Jax(Library):
    postfix = "jax"

    def __init__(self, device: str) -> None:
        super().__init__(device)
        import jax

        jax.config.update("jax_enable_x64", True)
        self.module = jax

    def place(self, value: np.ndarray) -> Any:
        return self.module.numpy.array(value)

    def wait(self, results: list[Any]) -> None:
        self.module.block_until_ready(results)


KINDS: dict[str, type[Library]] = {"numpy": Library, "syntonic": Syntonic, "cupy": Cupy, "jax": Jax}


def inputs(folder: Path, program: dict[str, Any], size: str) -> dict[str, Any]:
    """What the suite's own `initialize` makes, by name, and the sizes."""
    values: dict[str, Any] = dict(program["parameters"][size])
    init = program.get("init")
    if init:
        module = loaded(folder / f"{program['module_name']}.py")
        made = getattr(module, init["func_name"])(*(values[name] for name in init["input_args"]))
        names = init["output_args"]
        values |= dict(zip(names, made if len(names) > 1 else [made], strict=True))
    return values


def flat(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in flat(item)]
    return [value]


def run(job: dict[str, Any]) -> dict[str, Any]:
    program, library = job["program"], KINDS[job["library"]](job["device"])
    folder = Path(job["suite"], "npbench", "benchmarks", program["relative_path"])
    path = folder / f"{program['module_name']}_{library.postfix}.py"
    if not path.is_file():
        return {"error": "the suite has no version for it"}
    # Random numbers of `initialize` are the same in every process.
    np.random.seed(0)
    given = inputs(folder, program, job["size"])
    with library.here():
        function = library.ready(getattr(loaded(path, library.replaced), program["func_name"]))
        placed = {name: library.place(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}
        changed = [program["input_args"].index(name) for name in program.get("output_args", [])]

        def call() -> tuple[float, list[Any]]:
            arguments = [library.copied(placed[name]) for name in program["input_args"]]
            library.wait(arguments)
            started = time.perf_counter()
            returned = function(*arguments)
            # JAX changes nothing in place: its versions return what others change.
            results = flat(returned) + [arguments[k] for k in changed if library.postfix != "jax"]
            library.wait(results)
            return time.perf_counter() - started, results

        first, results = call()
        np.savez(job["results"], *(library.read(result) for result in results))
        times, ends = [], time.perf_counter() + job["seconds"]
        while len(times) < MOST_CALLS and (time.perf_counter() < ends or len(times) < 2) and not (times and first > 20.0):
            times.append(call()[0])
    return {"ms": 1e3 * median(times), "first_ms": 1e3 * first}


def difference(wanted: Path, found: Path) -> str | None:
    """What differs between the results of two libraries."""
    with np.load(wanted) as ours, np.load(found) as theirs:
        want, got = [ours[name] for name in ours.files], [theirs[name] for name in theirs.files]
    if len(want) != len(got):
        return f"{len(got)} results for {len(want)}"
    for k, (a, b) in enumerate(zip(want, got, strict=True)):
        if a.shape != b.shape:
            return f"result {k} is {list(b.shape)} for {list(a.shape)}"
        if a.dtype.kind in "biu":
            if not np.array_equal(a, b):
                return f"result {k} differs"
        elif not np.allclose(a, b, rtol=RTOL, atol=ATOL, equal_nan=True):
            off = np.linalg.norm((a - b).ravel()) / max(np.linalg.norm(a.ravel()), ATOL)
            if not off <= NORM:
                return f"result {k} differs by {off:.1e} of its length"
    return None


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(run(json.loads(sys.argv[1]))))
