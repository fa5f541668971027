"""NumPy's functions over States: ours where we have them, else NumPy's own over the same memory. Loaded when NumPy first meets a State."""

from __future__ import annotations

import sys

import numpy as np

import syntonic
from syntonic import (
    _core,
    _elementwise,
    _numpy_bits,
    _numpy_creation,
    _numpy_fourier,
    _numpy_grids,
    _numpy_histograms,
    _numpy_kinds,
    _numpy_linalg,
    _numpy_lines,
    _numpy_missing,
    _numpy_pieces,
    _numpy_polynomials,
    _numpy_products,
    _numpy_reductions,
    _numpy_sets,
    _numpy_shapes,
)
from syntonic._numpy_along import accumulated, reduced, reduced_between, repeated
from syntonic._core import State
from syntonic._evaluation import rounding
from syntonic._numpy_elementwise import FORMULAS
from syntonic._numpy_errors import called
from syntonic._numpy_orders import COMPARED, extreme, is_complex
from syntonic._numpy_table import FUNCTIONS, NumpysOwn, need
from syntonic._other_names import RENAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# What fills the table.
_ROWS = (
    _numpy_bits,
    _numpy_creation,
    _numpy_fourier,
    _numpy_grids,
    _numpy_histograms,
    _numpy_kinds,
    _numpy_linalg,
    _numpy_lines,
    _numpy_missing,
    _numpy_pieces,
    _numpy_polynomials,
    _numpy_products,
    _numpy_reductions,
    _numpy_sets,
    _numpy_shapes,
)
# Where NumPy's name is not the Array API's.
_NAMES = RENAMED
# Those of scipy.special.
_SPECIAL = {"erf": "erf", "erfc": "erfc", "expit": "sigmoid", "log_expit": "log_sigmoid"}
# What a ufunc does along an axis.
_REDUCE = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any"}
_ACCUMULATE = {"add": "cumulative_sum", "multiply": "cumulative_prod"}
# What can be done to elements of a State on a GPU, several times where a position occurs several times.
_AT = {"add": "add_at", "multiply": "multiply_at"}


def ufunc(function: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any] | None) -> Any:
    """Answers `__array_ufunc__`."""
    options = dict(options or {})
    out = options.get("out", ())
    out = out if isinstance(out, tuple) else (out,)
    name = f"numpy.{function.__name__}" + ("" if method == "__call__" else f".{method}")
    if any(map(is_masked, inputs)):
        # Its mask goes with what NumPy makes of it.
        return by_numpy(name, getattr(function, method), inputs, options)
    try:
        with rounding("each"):
            result = called(_ufunc, (function, method, inputs, options, out), {})
            if method != "__call__" and out and isinstance(out[0], State) and isinstance(result, State) and out[0].shape != result.shape:
                raise _core.ShapeError(f"{name}: out has shape {list(out[0].shape)}, and the result {list(result.shape)}; hint: they are the same")
            return _with_out(result, out)
    except (NumpysOwn, BufferError, _core.DTypeError, _core.IntegerOverflowError) as error:
        ordered = COMPARED.get(function.__name__)
        if ordered is not None and method == "__call__" and set(options) <= {"out"} and any(map(is_complex, inputs)):
            return _with_out(ordered(*inputs), out)
        if ordered is not None and method == "reduce" and function in (np.maximum, np.minimum) and is_complex(inputs[0]) and set(options) <= {"axis", "keepdims"}:
            return extreme(function.__name__[:3], inputs[0], **{"axis": 0, **options})
        # NumPy computes with types that we do not, and says best which of them it does not either; 8-bit floats are storage here.
        refused = error if isinstance(error, _core.DTypeError) else None
        if refused is not None and (_elsewhere((inputs, options)) is not None or any(isinstance(x, State) and x.dtype.kind == "V" for x in inputs)):
            raise
    try:
        return by_numpy(name, getattr(function, method), inputs, options)
    except TypeError as error:
        if refused is None or isinstance(error, _core.SyntonicError):
            raise
        raise type(refused)(f"{refused}; in NumPy's words: {error}") from None


def array_function(function: Any, types: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Answers `__array_function__`."""
    if not all(issubclass(kind, (State, np.ndarray)) for kind in types):
        return NotImplemented
    ours = FUNCTIONS.get(function)
    if ours is not None:
        try:
            with rounding("each"):
                return called(ours, arguments, options, function)
        except NumpysOwn:
            pass
        except _core.DTypeError:
            found, answer = _of_objects(function, arguments, options)
            if found:
                return answer
            raise
    return by_numpy(f"{function.__module__}.{function.__name__}", function, arguments, options)


def _of_objects(function: Callable[..., Any], arguments: Any, options: Any) -> tuple[bool, Any]:
    """Whether NumPy has an answer that is no array of numbers, where a State stands beside what is no number; and the answer."""
    if not any(map(_is_object, arguments)) or "out" in options or _elsewhere((arguments, options)) is not None:
        return False, None
    try:
        answer = by_numpy(function.__name__, function, arguments, options)
    except (TypeError, ValueError):
        return False, None
    parts = answer if isinstance(answer, (list, tuple)) else (answer,)
    return not all(isinstance(part, State) or part is None for part in parts), answer


def _is_object(value: Any) -> bool:
    """True for what no State is made of: None, a text, an array of objects, or a list with one of them."""
    if isinstance(value, (list, tuple)):
        return any(map(_is_object, value))
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind not in "biufcV"
    return value is None or isinstance(value, (str, bytes))


def by_numpy(name: str, function: Callable[..., Any], arguments: Any, options: Any) -> Any:
    """What NumPy makes of the arguments, States as arrays over the same memory; what it returns, as States."""
    device = _elsewhere((arguments, options))
    if device is not None:
        raise _core.TransferError(f"{name}: NumPy computes in memory of the host, and a State is on {device}; hint: .cpu() first")
    out = options.get("out")
    lent: dict[int, Any] = {id(array): array for array in (out if isinstance(out, tuple) else (out,)) if isinstance(array, np.ndarray)}
    arguments, options = _lend(arguments, lent), _lend(options, lent)
    return _take_back(called(function, arguments, options), lent)


def _elsewhere(value: Any) -> Any:
    """The device of the first State that is not in memory of the host."""
    if isinstance(value, State):
        return None if value.device == "cpu" else value.device
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        return next((found for found in map(_elsewhere, value) if found is not None), None)
    return None


def is_special(value: Any) -> bool:
    """True for arrays of a class below NumPy's own, such as those with masks, of which a State has only the numbers. A file in memory is none."""
    return isinstance(value, np.ndarray) and type(value) not in (np.ndarray, np.memmap)


def is_masked(value: Any) -> bool:
    """True for an array with a mask."""
    return isinstance(value, np.ndarray) and hasattr(value, "filled")


def has_state(value: Any) -> bool:
    """True for a State, and for a list, a tuple or a dictionary with one."""
    value = tuple(value.values()) if isinstance(value, dict) else value
    return isinstance(value, State) or (isinstance(value, (list, tuple)) and any(map(has_state, value)))


def _lend(value: Any, lent: dict[int, Any]) -> Any:
    """States as arrays over the same memory, also within lists, tuples and dictionaries."""
    if isinstance(value, State):
        array = value.numpy()
        lent[id(array)] = value
        return array
    if isinstance(value, dict):
        return {key: _lend(item, lent) for key, item in value.items()}
    if type(value) in (list, tuple) and has_state(value):
        return type(value)(_lend(item, lent) for item in value)
    return value


def _take_back(value: Any, lent: dict[int, Any]) -> Any:
    """Arrays and numbers of NumPy as States; those that were lent, or handed over, as what they are."""
    if isinstance(value, (np.ndarray, np.generic)):
        if id(value) in lent:
            return lent[id(value)]
        if is_special(value):
            return value
        try:
            return _core.asarray(value)
        except (_core.DTypeError, BufferError):
            return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_take_back(item, lent) for item in value))
    if type(value) in (list, tuple):
        return type(value)(_take_back(item, lent) for item in value)
    return value


def _function(function: Any, names: dict[str, str]) -> Any:
    """Ours for a ufunc by the table, or by its own name."""
    name = function.__name__
    if getattr(np, name, None) is function:
        if names is _NAMES and name in FORMULAS:
            return FORMULAS[name]
        name = names.get(name, name if names is _NAMES else "")
    elif names is _NAMES and getattr(sys.modules.get("scipy.special"), name, None) is function:
        name = _SPECIAL.get(name, "")
    else:
        raise NumpysOwn
    if name not in syntonic.__all__:
        raise NumpysOwn
    return getattr(syntonic, name)


def _ufunc(function: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any], out: tuple[Any, ...]) -> Any:
    """The result by ours, which may be in `out` already."""
    options = {key: value for key, value in options.items() if key != "out"}
    if method == "__call__":
        if function in (np.equal, np.not_equal) and not options and any(map(_is_object, inputs)):
            # No operand of a function of ours, but of the operator.
            state, other = inputs if isinstance(inputs[0], State) else reversed(inputs)
            need(isinstance(state, State))
            return state == other if function is np.equal else state != other
        if options:
            return _typed(function, inputs, options, out)
        ours = _function(function, _NAMES)
        if len(out) == 1 and isinstance(out[0], State) and ours.__name__ in _elementwise.__all__:
            return ours(*inputs, out=out[0])
        return ours(*inputs)
    if method == "reduce":
        if getattr(function, "__name__", "") not in _REDUCE and _elsewhere(inputs) is not None:
            return reduced(_function(function, _NAMES), inputs, options)
        ours = _function(function, _REDUCE)
        x, axis = inputs[0], options.pop("axis", inputs[1] if len(inputs) > 1 else 0)
        if len(inputs) > 2:
            raise NumpysOwn
        axis = None if axis in (0, -1) and not np.ndim(x) else axis
        if "dtype" in options and options["dtype"] is None or ours in (syntonic.max, syntonic.min, syntonic.any, syntonic.all):
            if options.pop("dtype", None) is not None:
                raise NumpysOwn
        return ours(x, axis=axis, **_given(options))
    if method == "accumulate":
        if getattr(function, "__name__", "") not in _ACCUMULATE and _elsewhere(inputs) is not None:
            return accumulated(_function(function, _NAMES), inputs, options)
        ours = _function(function, _ACCUMULATE)
        x, axis = inputs[0], options.pop("axis", inputs[1] if len(inputs) > 1 else 0)
        return ours(x, axis=axis, **_given(options))
    if method == "reduceat" and _elsewhere(inputs) is not None:
        ours = _function(function, _REDUCE) if function.__name__ in _REDUCE else lambda part, axis: reduced(_function(function, _NAMES), (part,), {"axis": axis})
        return reduced_between(ours, inputs, options)
    if method == "outer" and not options:
        a, b = map(_core.asarray, inputs)
        return _function(function, _NAMES)(a.reshape((*a.shape, *(1,) * b.ndim)), b)
    if method == "at" and _elsewhere(inputs[0]) is not None:
        x, index, *values = inputs
        if function is np.subtract:
            function, values = np.add, [-_core.asarray(values[0], None, x.device)]
        if function.__name__ in _AT:
            x[...] = _function(function, _AT)(x, index, *values)
        else:
            repeated(_function(function, _NAMES), x, index, tuple(values))
        return None
    raise NumpysOwn


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that say something."""
    silent = {"where": True, "keepdims": False, "dtype": None, "initial": None}
    return {key: value for key, value in options.items() if value is not silent.get(key, ...) and value is not np._NoValue}


def direct(function: Any) -> Callable[..., Any]:
    """Ours for a ufunc, for calls of States without options."""
    return _function(function, _NAMES)  # type: ignore[no-any-return]


def _typed(function: Any, inputs: tuple[Any, ...], options: dict[str, Any], out: tuple[Any, ...]) -> Any:
    """A call with options: in memory of the host NumPy knows them all, on a GPU there are a type to compute in and a mask."""
    device = _elsewhere((inputs, out))
    need(device is not None and set(options) <= {"dtype", "where", "casting", "order", "subok"})
    dtype, where = options.get("dtype"), options.get("where", True)
    if dtype is not None:
        inputs = tuple(x.astype(dtype, copy=False) if isinstance(x, State) else x for x in inputs)
    result = _function(function, _NAMES)(*inputs)
    if where is True:
        return result
    need(isinstance(result, State))
    # What the mask leaves out keeps what `out` has; without `out` NumPy says nothing of it, and here it is 0.
    target = out[0] if out and out[0] is not None else syntonic.zeros_like(result)
    return syntonic.where(_core.asarray(where, None, device), result, target)


def _with_out(result: Any, out: tuple[Any, ...]) -> Any:
    """The result, or what it was to be written to."""
    if not any(target is not None for target in out):
        return result
    if len(out) > 1:
        return tuple(_with_out(one, (target,)) for one, target in zip(result, out, strict=True))
    target = out[0]
    if isinstance(target, State):
        return result if result is target else syntonic.where(True, result, result, out=target)
    np.copyto(target, np.asarray(result), casting="same_kind")
    return target
