"""One program of NPBench by one library, in a process of its own; and the comparison of what two made of it."""

from __future__ import annotations

import ast
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
#: As the suite compares where it says nothing of a program: each element, or all together.
RTOL, ATOL, NORM = 1e-5, 1e-8, 1e-5
MOST_CALLS = 50


def is_here(library: str) -> bool:
    return importlib.util.find_spec("syntonic" if library == "captured" else library) is not None


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


class Captured(Syntonic):
    """Each program as one graph, taken down at its first call."""

    def ready(self, function: Callable[..., Any]) -> Callable[..., Any]:
        graphs: Callable[..., Any] = self.module.captured(function)
        return graphs


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


KINDS: dict[str, type[Library]] = {"numpy": Library, "syntonic": Syntonic, "captured": Captured, "cupy": Cupy, "jax": Jax}


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


def names_returned(text: str, function: str) -> list[str]:
    """The names of what a function returns, where its last line says them; an expression has none."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == function and isinstance(node.body[-1], ast.Return):
            value = node.body[-1].value
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
            return [part.id if isinstance(part, ast.Name) else "" for part in parts]
    return []


def labelled(returned: list[Any], names: list[str]) -> dict[str, Any]:
    """What is returned, by place and name."""
    names = names if len(names) == len(returned) else [""] * len(returned)
    return {f"returned {k} {name}".strip(): value for k, (value, name) in enumerate(zip(returned, names, strict=True))}


def run(job: dict[str, Any]) -> dict[str, Any]:
    program, library = job["program"], KINDS[job["library"]](job["device"])
    folder = Path(job["suite"], "npbench", "benchmarks", program["relative_path"])
    path = folder / f"{program['module_name']}_{library.postfix}.py"
    if not path.is_file():
        return {"error": "the suite has no version for it"}
    # Random numbers of `initialize` are the same in every process.
    np.random.seed(0)
    given = inputs(folder, program, job["size"])
    # What NumPy's version changes, which its own run finds out; JAX changes nothing in place, and returns what others change.
    arrays = [name for name in program["input_args"] if isinstance(given[name], np.ndarray)]
    changed = [] if library.postfix == "jax" else job.get("changed", arrays)
    with library.here():
        function = library.ready(getattr(loaded(path, library.replaced), program["func_name"]))
        placed = {name: library.place(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}

        def call() -> tuple[float, list[Any], dict[str, Any]]:
            arguments = {name: library.copied(placed[name]) for name in program["input_args"]}
            library.wait(list(arguments.values()))
            started = time.perf_counter()
            returned = flat(function(*arguments.values()))
            library.wait([*returned, *(arguments[name] for name in changed)])
            return time.perf_counter() - started, returned, arguments

        first, returned, arguments = call()
        results = labelled(returned, names_returned(path.read_text(), program["func_name"]))
        results |= {f"argument {name}": arguments[name] for name in changed}
        results = {label: library.read(value) for label, value in results.items()}
        if library.postfix == "numpy" and library.replaced is None:
            changed = [name for name in arrays if not same(results[f"argument {name}"], given[name])]
            if not changed and not returned:
                # Written with what they had.
                changed = [name for name in program.get("output_args", []) if name in arrays]
            results = {label: value for label, value in results.items() if label.startswith("returned") or label.split()[1] in changed}
        np.savez(job["results"], **results)
        times, ends = [], time.perf_counter() + job["seconds"]
        while len(times) < MOST_CALLS and (time.perf_counter() < ends or len(times) < 2) and not (times and first > 20.0):
            times.append(call()[0])
    return {"ms": 1e3 * median(times), "first_ms": 1e3 * first, "changed": changed}


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def pairs(want: dict[str, np.ndarray], got: dict[str, np.ndarray]) -> list[tuple[str, np.ndarray, np.ndarray | None]]:
    """NumPy's results, each beside the other library's: of the same label, else of the same name, else in turn, or the one of its shape.

    A library that changes nothing in place returns what others change. What NumPy's version changes beside what it returns may be room to
    work in, and has no other side then.
    """
    found = {label: got.get(label) for label in want if label.startswith("argument")}
    named = {label.split()[2]: value for label, value in got.items() if label.startswith("returned") and len(label.split()) > 2}
    returned = [label for label in want if label.startswith("returned")]
    rest = {label: value for label, value in got.items() if label.startswith("returned")}
    if not returned and any(value is None for value in found.values()):
        # All that counts is changed in place, and here returned.
        for label in found:
            name = label.split()[1]
            if name in named:
                found[label] = named[name]
                rest = {label: value for label, value in rest.items() if value is not named[name]}
        missing = [label for label, value in found.items() if value is None]
        if len(missing) == len(rest):
            found |= dict(zip(missing, rest.values(), strict=True))
        for label in missing:
            fits = [value for value in rest.values() if value.shape == want[label].shape]
            if found[label] is None and len(fits) == 1:
                found[label] = fits[0]
    else:
        for label, value in zip(returned, rest.values(), strict=False):
            found[label] = value
        for label in [label for label in found if found[label] is None and label.startswith("argument")]:
            found[label] = named.get(label.split()[1])
            if found[label] is None:
                del found[label]
    return [(label, value, found.get(label)) for label, value in want.items() if label in found or label.startswith("returned")]


def difference(wanted: Path, found: Path, program: dict[str, Any]) -> str | None:
    """What differs between the results of NumPy and those of another library."""
    with np.load(wanted) as ours, np.load(found) as theirs:
        want, got = dict(ours), dict(theirs)
    both = pairs(want, got)
    if not both:
        return "gives nothing that NumPy's version gives"
    for label, a, b in both:
        if b is None:
            return f"no {label}"
        if a.shape != b.shape:
            return f"{label} is {list(b.shape)} for {list(a.shape)}"
        if a.dtype.kind in "biu":
            if not np.array_equal(a, b):
                return f"{label} differs"
        elif not np.allclose(a, b, rtol=program.get("rtol", RTOL), atol=program.get("atol", ATOL), equal_nan=True):
            off = np.linalg.norm((a - b).ravel()) / max(np.linalg.norm(a.ravel()), ATOL)
            if not off <= program.get("norm_error", NORM):
                return f"{label} differs by {off:.1e} of its length"
    return None


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(run(json.loads(sys.argv[1]))))
