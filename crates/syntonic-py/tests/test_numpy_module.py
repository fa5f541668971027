"""`syntonic.numpy`: every name of NumPy's has a place in its table, and what is here gives what NumPy gives."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pickle
import subprocess
import sys
import zlib
from typing import Any

import numpy
import numpy_names
import numpy_page
import pytest

import syntonic.numpy as snp
from syntonic import _numpy
from syntonic.numpy import _names, _table

SEEDS = range(6)


def test_the_package_does_not_load_it() -> None:
    code = "import sys, syntonic; assert 'syntonic.numpy' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("module", ["", "linalg", "fft"])
def test_the_table_names_every_public_name_of_numpy(module: str) -> None:
    unknown = [name for name in _names.public(module) if not _names.where(module, name)]
    assert not unknown, f"add to a row of _numpy_*.py or to numpy/_table.py: {unknown}"


def test_the_table_has_each_name_once_and_none_too_many() -> None:
    parts = {"OURS": set(_table.OURS), "OBJECTS": set(_table.OBJECTS), "HOST": set(_table.HOST), "REFUSED": set(_table.REFUSED)}
    names = [*parts]
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            assert not parts[one] & parts[other], (one, other)
    for path in parts["HOST"]:
        theirs = getattr(numpy, path, None)
        assert theirs is None or theirs not in _numpy.FUNCTIONS, f"{path} has a row and is no longer NumPy's"


@pytest.mark.parametrize("module", ["", ".exceptions", ".fft", ".linalg", ".random"])
def test_examples_of_the_modules_show_what_they_say(module: str) -> None:
    # Of the module alone: functions that were asked for have NumPy's own examples.
    text = importlib.import_module(f"syntonic.numpy{module}").__doc__ or ""
    tried = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(text, {}, module, None, None))
    assert tried.attempted and not tried.failed


@pytest.mark.parametrize("module", ["_classes", "_generator", "_kinds"])
def test_examples_of_the_classes_show_what_they_say(module: str) -> None:
    tried = doctest.testmod(importlib.import_module(f"syntonic.numpy.{module}"))
    assert tried.attempted and not tried.failed


@pytest.mark.parametrize("name", sorted(_table.REFUSED))
def test_what_is_not_here_says_what_there_is(name: str) -> None:
    with pytest.raises(AttributeError, match="hint: "):
        getattr(snp, name)


def test_a_name_of_nobody_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nor has NumPy"):
        snp.no_such_name  # noqa: B018


def test_functions_are_objects_as_numpys_are() -> None:
    class Holder:
        made = snp.array

    assert Holder().made([1, 2], dtype="float32").dtype == "float32"
    for thing in (snp.sum, snp.add, snp.linalg.norm):
        assert pickle.loads(pickle.dumps(thing)) is thing and thing.__name__ in repr(thing)
    assert list(inspect.signature(snp.clip).parameters)[0] == "a"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(numpy_names.ROWS))
def test_a_name_gives_what_numpys_gives(name: str) -> None:
    for k, call in enumerate(numpy_names.ROWS[name]):
        for seed in SEEDS:
            start = zlib.crc32(f"{name}{k}".encode()) + seed
            theirs = call(numpy, numpy_names.Source(start, numpy))
            ours = call(snp, numpy_names.Source(start, snp))
            numpy_names.agrees(ours, theirs, f"{name}, row {k}, seed {seed}")


def test_every_function_is_compared() -> None:
    listed = {name for row in numpy_names.ROWS for name in (row, row.split(".")[0])}
    # Files, what only another library makes, and a class that nobody calls.
    others = set("fromfile fromregex genfromtxt load loadtxt row_stack save savetxt savez savez_compressed fft flatiter linalg random".split())
    missing = []
    for module in ("", "linalg", "fft"):
        for name in _names.public(module):
            path = f"{module}.{name}" if module else name
            if _names.where(module, name) in ("each device", "host") and path not in listed | others:
                missing.append(path)
    assert not missing, missing


def test_differences_are_those_of_names_that_are_here() -> None:
    for path in _table.DIFFERENCES:
        module, _, name = path.rpartition(".")
        assert _names.where(module, name) not in ("", "not here"), path


def test_the_page_of_names_is_that_of_the_table() -> None:
    if os.environ.get("SYNTONIC_RENEW_NUMPY_NAMES"):
        numpy_page.PAGE.write_text(numpy_page.page(), encoding="utf-8")
    # Another NumPy may have other names; the test of the table finds those.
    if numpy.__version__.split(".")[:2] == ["2", "4"]:
        assert numpy_page.PAGE.read_text(encoding="utf-8") == numpy_page.page(), "set SYNTONIC_RENEW_NUMPY_NAMES=1 and run this test"


def test_corners_that_random_indices_found() -> None:
    for axis in (0, -1):
        one = numpy.array(5.0)
        for call in (
            lambda m, x, axis=axis: m.take(x, [0, 0], axis=axis),
            lambda m, x, axis=axis: m.take(x, [[0]], axis),
            lambda m, x, axis=axis: m.repeat(x, 3, axis=axis),
            lambda m, x, axis=axis: m.compress([True], x, axis=axis),
        ):
            numpy_names.agrees(call(snp, snp.asarray(one)), call(numpy, one), f"axis {axis}")
    x = snp.arange(6.0).reshape(2, 3)
    for refused in (lambda: snp.rot90(x[0, 0, ...]), lambda: snp.insert(x, [[0, 1]], 1.0, axis=1), lambda: snp.rot90(x, axes=(0, 2))):
        with pytest.raises(ValueError, match="rot90|insert"):
            refused()
    assert snp.ravel_multi_index((snp.zeros((0, 1), dtype=int), snp.asarray([9])), (0, 6)).shape == (0, 1)
    with pytest.raises(TypeError):
        snp.digitize(x, snp.asarray([1j, 2j]))
