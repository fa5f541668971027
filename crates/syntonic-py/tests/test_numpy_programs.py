"""Random programs over States and over NumPy's arrays. SYNTONIC_NUMPY_PROGRAMS says how many, SYNTONIC_NUMPY_SEED names the first."""

import os
from typing import Any

import numpy
import pytest
from numpy_programs import differences, program

import syntonic.numpy

COUNT = int(os.environ.get("SYNTONIC_NUMPY_PROGRAMS", "200"))
FIRST = int(os.environ.get("SYNTONIC_NUMPY_SEED", "0"))


@pytest.mark.parametrize("names", [numpy, syntonic.numpy], ids=["numpy", "syntonic.numpy"])
def test_programs_give_what_numpy_gives(names: Any) -> None:
    steps, wrong = 0, []
    for seed in range(FIRST, FIRST + COUNT):
        made = program(seed)
        steps += len(made.steps)
        found = differences(made, names)
        if found:
            wrong.append(made.text() + "\n" + "\n".join(found))
    assert steps > 2 * COUNT
    assert not wrong, f"{len(wrong)} of {COUNT} differ\n\n" + "\n\n".join(wrong[:10])
