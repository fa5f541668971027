"""Random programs that write in place, over States and over NumPy's arrays: plain, captured, and on a GPU where there is one.

SYNTONIC_NUMPY_PLACES says how many, SYNTONIC_NUMPY_SEED names the first.
"""

import os
from typing import Any

import pytest
from numpy_places import Program, differences, expected, program

import syntonic
import syntonic.numpy as np

COUNT = int(os.environ.get("SYNTONIC_NUMPY_PLACES", "300"))
FIRST = int(os.environ.get("SYNTONIC_NUMPY_SEED", "0"))
#: A graph cannot do what needs the host at each run, such as masks that pick elements.
REFUSED = 0.6
DEVICES = ["cpu", "cuda"] if syntonic.cuda.is_available() else ["cpu"]


def run(made: Program, device: str) -> list[list[Any]]:
    given = [syntonic.array(x, device=device) for x in made.inputs]
    return [[*made.function()(np, *given), *given]]


def replayed(made: Program, device: str) -> list[list[Any]]:
    """Of a call that captures, of one with other matrices, and of two with the same ones, which then may be used where they lie."""
    function = made.function()
    captured = syntonic.captured(lambda *x: tuple(function(np, *x)))
    found = []
    for call in range(4):
        if call < 3:
            given = [syntonic.array(x, device=device) for x in made.inputs]
        else:
            for x, start in zip(given, made.inputs, strict=True):
                x[...] = syntonic.array(start, device=device)
        found.append([x.copy() for x in (*captured(*given), *given)])
    return found


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("how", [run, replayed], ids=["plain", "captured"])
def test_programs_that_write_in_place_give_numpys_bits(how: Any, device: str) -> None:
    wrong, refused = [], 0
    for seed in range(FIRST, FIRST + COUNT):
        made = program(seed)
        want = expected(made)
        if want is None:
            refused += 1
            continue
        try:
            found = [f"{text}, call {call}" for call, got in enumerate(how(made, device)) for text in differences(made, want, [x.cpu() for x in got])]
        except syntonic.GraphError:
            refused += how is replayed
            continue
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        if found:
            wrong.append(f"seed {seed}, {made.inputs[0].dtype}{list(made.inputs[0].shape)}\n{made.text()}" + "\n".join(found))
    assert not wrong, f"{len(wrong)} of {COUNT} differ\n\n" + "\n\n".join(wrong[:5])
    assert refused <= (REFUSED * COUNT if how is replayed else COUNT / 20)


def test_a_difference_is_seen() -> None:
    made = program(FIRST)
    want = expected(made)
    assert want is not None and not differences(made, want, [x.copy() for x in want])
    other = [x.copy() for x in want]
    other[1][0, 0] += 1
    assert differences(made, want, other) == [f"B differs at 1 places, first [0, 0]: {other[1][0, 0]}, NumPy's {want[1][0, 0]}"]
    assert "NumPy's float32" in differences(made, [x.astype("float32") for x in want], [x.astype("float64") for x in want])[0]
