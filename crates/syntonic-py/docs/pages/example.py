"""Examples for functions whose docstring has none: valid calls from the table that the tests use, with what they give."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import calls
import syntonic

#: Whose results are whatever lies in memory.
_ARBITRARY = {"empty", "empty_like"}
#: Elements of the operand, and lines of a result that is still an example.
_ELEMENTS, _LINES = 8, 12


def examples() -> dict[str, str]:
    """A session for each function that has a call of the operand alone, by its name in the table: the first of its calls that is short."""
    found: dict[str, str] = {}
    for name, expression, dtype, ndim in [*_written(), *_made()]:
        if name not in found and name not in _ARBITRARY:
            told = _session(expression, calls.Call(name, lambda x, rng: x, dtype, ndim))
            if told:
                found[name] = told
    return found


def _written() -> Iterator[tuple[str, str, str, int | None]]:
    """Name, expression, type and axes of the rows that stand in the table with a call of `x` and constants."""
    for node in ast.walk(ast.parse(Path(calls.__file__).read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Call" and len(node.args) >= 2):
            continue
        name, run, *rest = node.args
        keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg in ("dtype", "ndim")}
        given = any(keyword.arg == "given" for keyword in node.keywords)
        if given or not (isinstance(name, ast.Constant) and isinstance(run, ast.Lambda)):
            continue
        used = {part.id for part in ast.walk(run.body) if isinstance(part, ast.Name)}
        if used == {"x", "syntonic"} and all(isinstance(part, ast.Constant) for part in rest):
            dtype = rest[0].value if rest and isinstance(rest[0], ast.Constant) else keywords.get("dtype", "float64")
            yield str(name.value), ast.unparse(run.body), str(dtype), keywords.get("ndim")


def _made() -> Iterator[tuple[str, str, str, int | None]]:
    """The same of the rows that the table makes for whole modules: element-wise functions, reductions, operators over rows."""
    types = {call.name: call.dtype for call in calls.CALLS}
    whole = [("", name) for name in syntonic._elementwise.__all__] + [("nn.", name) for name in syntonic._rows.__all__]
    for module, name in whole:
        parameters = inspect.signature(getattr(syntonic.nn if module else syntonic, name)).parameters.values()
        count = sum(parameter.kind is not parameter.KEYWORD_ONLY and parameter.default is parameter.empty for parameter in parameters)
        dtype = types[module + name]
        operands = ["x", *("x" if dtype == "bool" else f"x + {k}" for k in range(1, count))]
        yield module + name, f"syntonic.{module}{name}({', '.join(operands)})", dtype, None
    for name in syntonic._reductions.__all__:
        yield name, f"syntonic.{name}(x, axis=-1)", types[name], None


def _session(expression: str, call: calls.Call) -> str:
    """What an interpreter shows for the call, or nothing where the call or its result is no example."""
    x = calls.operand(call, _ELEMENTS)
    try:
        shown = repr(eval(expression, {"syntonic": syntonic, "x": x}))
    except (syntonic.SyntonicError, TypeError, ValueError):
        return ""
    # Where an object lies is no result, None is not shown, and an empty line ends what a session shows.
    if shown == "None" or shown.count("\n") >= _LINES or " at 0x" in shown or "\n\n" in shown:
        return ""
    made = f"syntonic.asarray({x.tolist()}, dtype={call.dtype!r})"
    return "\n".join(["```pycon", ">>> import syntonic", f">>> x = {made}", f">>> {expression}", shown, "```"])
