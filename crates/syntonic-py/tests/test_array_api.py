"""What the public suite of the Array API looks at and no other file does, and where we differ from it: CI has no checkout of it."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from arrays import same

import syntonic
from syntonic import State

FOLDER = Path(__file__).parent / "array_api"
EXCEPTIONS = json.loads((FOLDER / "exceptions.json").read_text())
OUTCOME = json.loads((FOLDER / "outcome.json").read_text())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floor_division_by_infinity_is_that_of_python(dtype: str) -> None:
    for x, y in ((1.0, -math.inf), (-1.0, math.inf), (1.0, math.inf), (-1.0, -math.inf)):
        a, b = State([x], dtype=dtype), State([y], dtype=dtype)
        want = x // y
        for found in (syntonic.floor_divide(a, b), a // b, a.__ifloordiv__(b)):
            assert found.item() == want and math.copysign(1, found.item()) == math.copysign(1, want)


def test_zeros_keep_their_sign_through_expm1() -> None:
    for dtype in ("complex64", "complex128"):
        for z in (complex(0.0, 0.0), complex(-0.0, 0.0)):
            found = syntonic.expm1(State([z], dtype=dtype)).item()
            assert found == 0 and math.copysign(1, found.real) == math.copysign(1, z.real)
            assert math.copysign(1, found.imag) == 1


def test_the_zero_of_tanh_has_the_sign_of_the_double_sine() -> None:
    for b in (0.5, 1.0, 2.0, 3.0, 4.0, -0.5, -2.0):
        found = syntonic.tanh(State([complex(math.inf, b)])).item()
        assert found == 1 and math.copysign(1, found.imag) == math.copysign(1, math.sin(2 * b)), b
        np.testing.assert_array_equal(np.signbit(np.tanh(complex(math.inf, b)).imag), np.signbit(found.imag))


def test_every_exception_has_a_reason_and_a_test() -> None:
    here = Path(__file__)
    for name, row in EXCEPTIONS.items():
        assert len(row["reason"]) > 40, name
        assert set(row["devices"]) <= {"cpu", "cuda"} and row["devices"] and row["tests"], name
        file, function = row["held_by"].split("::")
        assert f"def {function}(" in (here.parent / file).read_text(), name


def test_the_committed_outcome_has_no_other_failures() -> None:
    for device, outcome in OUTCOME.items():
        assert outcome["failed"] == [], device
        excused = sum(row["tests"] for row in outcome["exceptions"].values())
        assert outcome["passed"] + len(outcome["skipped"]) + excused == outcome["tests"], device
        for name, row in outcome["exceptions"].items():
            assert device in EXCEPTIONS[name]["devices"] and row["reason"] == EXCEPTIONS[name]["reason"]
            assert row["tests"] <= len(EXCEPTIONS[name]["tests"])


def test_results_that_the_standard_names_have_those_names() -> None:
    square = State([[2.0, 1.0], [1.0, 3.0]])
    for name, fields in {
        "eigh": ("eigenvalues", "eigenvectors"),
        "eig": ("eigenvalues", "eigenvectors"),
        "qr": ("Q", "R"),
        "slogdet": ("sign", "logabsdet"),
        "svd": ("U", "S", "Vh"),
    }.items():
        assert getattr(syntonic.linalg, name)(square)._fields == fields
    assert syntonic.unique_all(square)._fields == ("values", "indices", "inverse_indices", "counts")
    same(syntonic.unique_counts(square).values, [1.0, 2.0, 3.0])
