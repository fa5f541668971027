"""The example of an operator of one's own."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PATH = Path(__file__).resolve().parents[1] / "examples" / "01_an_operator_of_ones_own.py"
SPECIFICATION = importlib.util.spec_from_file_location("an_operator", PATH)
example = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(example)


def test_it_computes_differentiates_and_replays() -> None:
    values, total, gradient, replayed = example.main()
    assert values == [1.0, 8.0, 27.0] and total == 36.0
    assert gradient == [3.0, 12.0, 27.0]
    assert replayed == [8.0, 27.0, 64.0]
