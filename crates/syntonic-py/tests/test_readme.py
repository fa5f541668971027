"""Every Python example of a README that shows what it prints is run, and must print that."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
READMES = [ROOT / "README.md", *sorted((ROOT / "crates").glob("*/README.md"))]
EXAMPLE = re.compile(r"```python\n(?P<program>.*?)```\s+```text\n(?P<printed>.*?)```", re.DOTALL)


def examples() -> list[tuple[str, str, str]]:
    """Place, program and expected output of each example."""
    return [
        (f"{readme.relative_to(ROOT)}:{text[: match.start()].count(chr(10)) + 1}", match["program"], match["printed"])
        for readme in READMES
        for text in [readme.read_text(encoding="utf-8")]
        for match in EXAMPLE.finditer(text)
    ]


def test_the_main_readme_has_an_example() -> None:
    assert any(place.startswith("README.md") for place, _, _ in examples())


@pytest.mark.parametrize(("place", "program", "printed"), examples(), ids=[place for place, _, _ in examples()])
def test_prints_what_it_says(place: str, program: str, printed: str, tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, f"{place}: {run.stderr}"
    assert run.stdout == printed, place
