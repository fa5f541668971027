"""PyTorch's own database of operators: each sample of each type, through PyTorch and through us, to the bound of the operator.

On the CPU, and on a GPU where there is one. What may differ is a row of `opinfo_exceptions`; `opinfo.py` prints the counts.
"""

import pytest
import torch
from opinfo_bounds import mapped
from opinfo_exceptions import EXCEPTIONS
from opinfo_run import DTYPES, OPERATORS, outcome, run, samples, shown, survey
from opinfo_table import ROWS

pytestmark = pytest.mark.filterwarnings("ignore")
DEVICES = ["cpu"] + ["cuda"] * torch.cuda.is_available()
CASES = [(name, dtype) for name, info in OPERATORS.items() for dtype in DTYPES if dtype in info.dtypes]
# Their results have a shape and a type alone.
SHAPES_ALONE = ("empty_like", "new_empty", "broadcast_shapes")


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Samples are small: threads of PyTorch cost more than they save."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("name", "dtype"), CASES, ids=[f"{name}-{str(dtype).removeprefix('torch.')}" for name, dtype in CASES])
def test_same_as_pytorch(name, dtype, device):
    wrong = []
    for sample in samples(OPERATORS[name], dtype):
        found = run(name, sample, dtype, device)
        if found.kind in ("different", "refused") and found.exception is None:
            wrong.append(f"{found.kind}: {shown(sample)}: {found.said}")
    assert not wrong, "\n".join(wrong)


def test_most_of_the_database_is_there():
    assert len(OPERATORS) >= 328
    # What no version of PyTorch has is a misspelt row.
    assert len(ROWS) - len(OPERATORS) <= 8


def spoiled(value):
    """A result that is off by a hundredth of its largest number, by 1, or by its truth."""
    if not isinstance(value, torch.Tensor) or value.numel() == 0:
        return value
    if value.dtype == torch.bool:
        return ~value
    if not (value.is_floating_point() or value.is_complex()):
        return value + 1 if value.dtype != torch.uint64 else (value.to(torch.int64) + 1).to(torch.uint64)
    largest = float(value.abs().nan_to_num(0.0, 0.0).max())
    return value + 0.01 * (largest or 1.0)


@pytest.mark.parametrize("name", [name for name in OPERATORS if name not in SHAPES_ALONE])
def test_bounds_notice_what_is_off(name):
    info = OPERATORS[name]
    dtype = next(d for d in (torch.float64, torch.float32, torch.int64, torch.bool, torch.complex64, torch.float16) if d in info.dtypes)
    seen = {outcome(name, sample, "cpu", lambda result: mapped(result, spoiled)).kind for sample in samples(info, dtype)}
    assert "different" in seen


@pytest.mark.parametrize("title", EXCEPTIONS)
def test_what_is_excepted_still_is(title):
    seen = set()
    survey(
        [name for name in EXCEPTIONS[title].operators if name in OPERATORS],
        tell=lambda name, dtype, sample, found: seen.add(found.exception),
    )
    assert title in seen
