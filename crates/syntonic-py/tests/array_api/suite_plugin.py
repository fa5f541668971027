"""A plugin of pytest for the public suite: names the device that its arrays go to, and writes down what became of each test."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import syntonic

OUTCOMES: dict[str, dict[str, str]] = {}
#: The device of the suite's arrays stays the default one until the process ends.
DEVICE = syntonic.Device(os.environ["SYNTONIC_SUITE_DEVICE"])


def pytest_configure(config: Any) -> None:
    DEVICE.__enter__()


def pytest_runtest_logreport(report: Any) -> None:
    """Keeps the outcome of a test: that of its call, unless it never came to one or its tear-down failed."""
    if report.when == "call" or report.outcome != "passed":
        text = "" if report.outcome == "passed" else str(report.longrepr)
        OUTCOMES[report.nodeid] = {"outcome": report.outcome, "said": text[-2000:]}


def pytest_sessionfinish(session: Any) -> None:
    Path(os.environ["SYNTONIC_SUITE_OUTCOMES"]).write_text(json.dumps(OUTCOMES))
