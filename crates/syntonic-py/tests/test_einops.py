"""einops finds States, whichever of the two packages is imported first; here it is a package of the same structure."""

import subprocess
import sys
from pathlib import Path

import pytest

BACKENDS = """
class AbstractBackend:
    def shape(self, x):
        return x.shape

    def reshape(self, x, shape):
        return x.reshape(shape)

    def transpose(self, x, axes):
        return x.transpose(axes)

    def reduce(self, x, operation, axes):
        return getattr(x, operation)(axis=axes)


def get_backend(tensor):
    made = [kind() for kind in AbstractBackend.__subclasses__()]
    (found,) = [backend for backend in made if backend.is_appropriate_type(tensor)]
    return found
"""

PROGRAM = """
x = syntonic.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
backend = einops._backends.get_backend(x)
assert backend.framework_name == "syntonic" and not backend.is_appropriate_type(numpy.ones(2))
assert backend.transpose(x, (1, 0)).shape == (3, 2) and backend.reshape(x, (6,)).shape == (6,)
assert backend.reshape(x, (3, 2)).tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
assert backend.reduce(x, "sum", (1,)).tolist() == [3.0, 12.0] and backend.reduce(x, "max", (0, 1)).item() == 5.0
assert backend.add_axis(x, 1).shape == (2, 1, 3) and backend.tile(x, (2, 1)).shape == (4, 3)
assert backend.stack_on_zeroth_dimension([x, x]).shape == (2, 2, 3) and backend.concat([x, x], axis=1).shape == (2, 6)
assert backend.einsum("ab,cb->ac", x, x).tolist() == [[5.0, 14.0], [14.0, 50.0]]
assert backend.is_float_type(x) and not backend.is_float_type(x > 1) and backend.arange(2, 4).tolist() == [2, 3]
assert backend.to_numpy(backend.from_numpy(numpy.ones(2))).tolist() == [1.0, 1.0]
"""


@pytest.mark.parametrize("first", ["import einops._backends, syntonic", "import syntonic, einops._backends"])
def test_einops_finds_states(first: str, tmp_path: Path) -> None:
    package = tmp_path / "einops"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "_backends.py").write_text(BACKENDS)
    program = f"import sys, numpy\nsys.path.insert(0, {str(tmp_path)!r})\n{first}\nimport einops\n{PROGRAM}"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]


def test_nothing_is_there_without_einops(tmp_path: Path) -> None:
    program = "import sys, syntonic\nassert not any('einops' == name.partition('.')[0] for name in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
