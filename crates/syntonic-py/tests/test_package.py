"""The package as installed: the two halves fit together."""

from importlib import metadata

import syntonic


def test_the_module_and_the_wheel_have_one_version() -> None:
    assert syntonic.__version__ == metadata.version("syntonic")
