"""Arguments of the wrong kind, at every place of every function: what refuses them names the function and speaks Python."""

import inspect
import re
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from calls import MODULES

import syntonic
from syntonic import State

HOSTILE: dict[str, Any] = {
    "None": None,
    "text": "text",
    "fraction": 1.5,
    "negative": -1,
    "object": object(),
    "nan": float("nan"),
    "empty list": [],
    "huge": 10**400,
    "large": 2**70,
    "number": 3,
    "true": True,
    "complex": 1j,
    "ragged": [[1.0], [2.0, 3.0]],
    "strings": ["a", "b"],
    "dict": {"a": 1},
    "State": State([1.0, 2.0]),
}
# Names of Rust in a message say that nobody has thought about it.
RUST = re.compile(
    r"\b(usize|isize|[iuf](8|16|32|64|128)|Option<|Vec<|&str|Bound<|PyAny|DType::|unwrap|Some\(|None\)\)|\.cast\(|&device|Result<)"
)
X = State([[4.0, 1.0, 3.0], [2.0, 6.0, 5.0]])
MODEL = syntonic.infer.DiscreteModel([[[0.5, 0.25], [0.5, 0.75]]], [[[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]])
# Whose parameters are not what these tests are about: paths are written to, and threads of a GPU are waited for.
LEFT = {"save", "load", "load_with_metadata", "cuda.Event", "cuda.Stream"}


@pytest.fixture(autouse=True)
def precision_is_put_back() -> Iterator[None]:
    """A whole number is a tolerance of products, which the tests after these have not asked for."""
    former = syntonic.get_matmul_precision()
    yield
    syntonic.set_matmul_precision(former)


def valid(name: str, parameter: inspect.Parameter) -> Any:
    """Something that suits most parameters of this name, so that the others are reached."""
    known: dict[str, Any] = {
        "axis": 0, "axes": (1, 0), "shape": (3, 2), "dtype": "float64", "device": "cpu", "num": 3, "n_rows": 2, "k": 1, "n": 3,
        "repeats": 2, "repetitions": (1, 2), "shift": 1, "sections": 1, "widths": 1, "equation": "ij->j", "indices": [0],
        "source": 0, "destination": 1, "start": 0, "stop": 3, "low": 0, "high": 2, "mean": 0.0, "std": 1.0, "index": 1, "seed": 1,
        "objective": lambda x: x.sum(axis=1), "fill_value": 1.0, "channels": 3, "q": 0.5, "type": "float64", "to": "float32",
        "kind": "integral", "norms": [0.0, 1.0, 4.0], "count": 4, "name": "golden", "variance": 1.0,
        "model": MODEL, "observations": 0, "beliefs": [[0.5, 0.5]], "actions": [0], "policies": [[[0]], [[1]]], "horizon": 2,
        "posterior": [0.5, 0.5], "marginals": [[0.5, 0.5]], "negative_efe": [0.0, 1.0],
    }  # fmt: skip
    if name == "quantile" or name.startswith("infer"):
        known.pop("mean")
    return known.get(parameter.name, X)


def functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for name in syntonic.__all__:
        thing = getattr(syntonic, name)
        if inspect.isfunction(thing) and name not in LEFT:
            yield name, thing
    for module in MODULES:
        whole = getattr(syntonic, module)
        for name in whole.__all__:
            thing = getattr(whole, name)
            if inspect.isfunction(thing) and getattr(syntonic, name, None) is not thing and f"{module}.{name}" not in LEFT:
                yield f"{module}.{name}", thing
    generator = syntonic.random.Generator(5)
    for name in ("uniform", "normal", "integers", "permutation", "fork"):
        yield f"Generator.{name}", getattr(generator, name)
    yield "random.Generator", syntonic.random.Generator
    yield "evolve.RES", lambda x0=None, **options: syntonic.evolve.RES([1.0, 2.0] if x0 is None else x0, **options)
    yield "nn.BatchNormState", syntonic.nn.BatchNormState
    yield "nn.GoldenNormMode.custom", syntonic.nn.GoldenNormMode.custom
    yield "infer.DiscreteModel", lambda likelihoods, transitions: syntonic.infer.DiscreteModel(likelihoods, transitions)
    yield "resonant.Modes", lambda norms, dtype: syntonic.resonant.Modes(norms, dtype)
    for name in dir(State):
        method = inspect.getattr_static(State, name)
        if not name.startswith("_") and inspect.ismethoddescriptor(method):
            yield f"State.{name}", getattr(X.copy(), name)


FUNCTIONS = dict(functions())


def parameters(name: str, function: Callable[..., object]) -> list[inspect.Parameter]:
    if name == "evolve.RES":
        return [p for p in inspect.signature(syntonic.evolve.RES).parameters.values()]
    return list(inspect.signature(function).parameters.values())


def attempts(name: str, function: Callable[..., object]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Calls with one hostile argument each."""
    known = parameters(name, function)
    needed = [p for p in known if p.default is p.empty and p.kind is not p.VAR_POSITIONAL and p.kind is not p.VAR_KEYWORD]
    for parameter in known:
        for what, value in HOSTILE.items():
            positional, named = [], {}
            for p in known:
                if p is parameter:
                    given = value
                elif p in needed:
                    given = valid(name, p)
                else:
                    continue
                if p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL):
                    positional.append(given)
                else:
                    named[p.name] = given
            yield f"{parameter.name} is {what}", lambda a=positional, n=named: function(*a, **n)


class Slow(BaseException):
    pass


def too_long(number: int, frame: object) -> None:
    raise Slow


@pytest.mark.parametrize("name", FUNCTIONS)
def test_hostile_arguments(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function = FUNCTIONS[name]
    short = name.rsplit(".", 1)[-1]
    wrong = []
    former = signal.signal(signal.SIGALRM, too_long)
    try:
        for what, attempt in attempts(name, function):
            signal.setitimer(signal.ITIMER_REAL, 1.0)
            try:
                attempt()
            except Slow:
                wrong.append(f"{what}: took longer than a second")
            except syntonic.InternalError as error:
                wrong.append(f"{what}: {error}")
            except Exception as error:
                text = str(error)
                ours = isinstance(error, syntonic.SyntonicError)
                if not ours and not (isinstance(error, TypeError) and short in text):
                    wrong.append(f"{what}: {type(error).__name__}: {text}")
                elif RUST.search(text):
                    wrong.append(f"{what}: speaks Rust: {text}")
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, former)
    assert not wrong, "\n".join(wrong)


def in_numpy(value: Any) -> Any:
    """The same with NumPy's integers in place of Python's."""
    if isinstance(value, (tuple, list)):
        return type(value)(in_numpy(item) for item in value)
    return np.int64(value) if isinstance(value, int) and not isinstance(value, bool) else value


def plain(result: object) -> object:
    """A result as text, with the values of States and none of their addresses."""
    return re.sub(r"0x[0-9a-f]+", "", repr(result))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_integers_of_numpy_are_integers(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function = FUNCTIONS[name]
    if name.startswith(("Generator", "random.")):
        # These draw on: their integers have a test of their own.
        return
    known = parameters(name, function)
    needed = {p.name: valid(name, p) for p in known if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)}
    optional = {
        p.name: 1 if p.name in ("axis", "axes") else p.default
        for p in known
        if p.name in ("axis", "axes") or isinstance(p.default, int) and not isinstance(p.default, bool)
    }
    for extra in ({}, *({key: value} for key, value in optional.items())):
        given = {**needed, **extra}

        def call(change: Callable[[Any], Any], given: dict[str, Any] = given) -> object:
            changed = {key: change(value) for key, value in given.items()}
            positional = [changed.pop(p.name) for p in known if p.kind is p.POSITIONAL_ONLY and p.name in changed]
            positional += [X for p in known if p.kind is p.VAR_POSITIONAL]
            return function(*positional, **changed)

        try:
            want = plain(call(lambda value: value))
        except (syntonic.SyntonicError, TypeError) as refused:
            # What does not suit this function does not suit it as a NumPy integer either.
            with pytest.raises(type(refused)):
                call(in_numpy)
            continue
        assert plain(call(in_numpy)) == want, extra


INDICES: dict[str, Any] = {
    **{key: value for key, value in HOSTILE.items() if key not in ("None", "negative", "true", "empty list")},
    "slice of text": slice("a", None),
    "slice of fractions": slice(0.5, 2),
    "slice without steps": slice(None, None, 0),
    "slice of text with an array": (slice("a", None), [0]),
    "two ellipses": (..., ...),
    "too many": (0, 0, 0),
    "huge negative": -(10**400),
    "far": 2**63,
    "text within": (0, "a"),
    "mask of another length": State([True, False, True]),
    "array out of range": [7],
    "list of huge integers": [10**400],
}


@pytest.mark.parametrize("what", INDICES)
def test_hostile_indices(what: str) -> None:
    x = X.copy()
    for attempt in (lambda: x[INDICES[what]], lambda: x.__setitem__(INDICES[what], 1.0)):
        with pytest.raises((syntonic.SyntonicError, TypeError)) as refused:
            attempt()
        assert isinstance(refused.value, syntonic.SyntonicError), refused.value
        assert not RUST.search(str(refused.value))
    assert x.tolist() == X.tolist()


def test_out_of_range_is_an_index_error() -> None:
    for index in (2, -3, 2**63, 10**400, -(10**400)):
        for key in (index, (index, 0), (index, [0]), (0, 4 * index)):
            with pytest.raises(IndexError):
                X[key]


def test_slices_beyond_all_bounds_are_cut() -> None:
    assert X[: 10**30].tolist() == X.tolist() and X[-(10**30) :, [0]].tolist() == [[4.0], [2.0]]


def test_texts_speak_python() -> None:
    with pytest.raises(TypeError, match=r"convert with \.astype\(\.\.\.\)"):
        X << 1
    with pytest.raises(TypeError, match=r"\.astype\(\.\.\.\)"):
        syntonic.take(X, [0.5])
    with pytest.raises(TypeError, match=r"\.astype\(\.\.\.\)"):
        syntonic.nn.layer_norm(syntonic.ones((2, 2), dtype="int64"))
    with pytest.raises(ValueError, match=r'strategy="separable"'):
        syntonic.evolve.RES([0.0] * 100_000, strategy="full")


@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "full"])
def test_what_fills_goes_by_its_own_name(name: str) -> None:
    more = (0,) if name == "full" else ()
    for shape in (-1, (2, -1), "text", None):
        with pytest.raises(syntonic.SyntonicError, match=f"^{name}: "):
            getattr(syntonic, name)(shape, *more)
    with pytest.raises(OverflowError, match="^full_like: 300 does not fit uint8"):
        syntonic.full_like(syntonic.zeros(2, dtype="uint8"), 300)


def test_goals_are_spelled_either_way() -> None:
    found = []
    for goal in ("maximise", "maximize", "minimise", "minimize", None):
        search = syntonic.evolve.RES([1.0, 2.0], goal=goal, seed=3)
        for _ in range(5):
            search.tell((-(search.ask() - 3.0) ** 2).sum(axis=1))
        found.append(search.best_value)
    assert found[0] == found[1] and found[2] == found[3] == found[4] and found[0] > found[2]
    same = [syntonic.evolve.RES([1.0, 2.0], sigma=sigma, seed=0).ask().tolist() for sigma in (None, 0.3)]
    assert same[0] == same[1]
    with pytest.raises(syntonic.ArgumentError, match="RES: goal is 'best'.*\"minimise\""):
        syntonic.evolve.RES([1.0], goal="best")
