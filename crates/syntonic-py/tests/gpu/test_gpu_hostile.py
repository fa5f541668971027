"""What does no harm on the CPU does none on a GPU: short memory, hostile shapes, indices out of range.

No other library is needed, so that this file also runs with the stand-in for the driver."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import numpy
import pytest
import syntonic
from calls import CALLS, Call, operand
from hostile import REFUSALS, SHAPES, attempt
from syntonic import State, cuda

#: Elements of an operand: two blocks of the pool at least, whatever the type; fewer where kernels are simulated.
SIZE = 1 << 12 if "SYNTONIC_SIMULATOR_CAPABILITY" in os.environ else 1 << 18
#: The first use of a kernel includes its way through the driver's assembler, in seconds.
FIRST_USE = 10.0
#: What a function may use beyond what is in use, in multiples of its operand.
SHARES = (0.0, 0.3, 1.0, 3.0)


def outcome_of(call: Call, x: State) -> object:
    try:
        found = call(x, random.Random(1))
        return found.eval() if isinstance(found, State) else found
    except syntonic.InternalError:
        raise
    except REFUSALS as error:
        return error


@pytest.fixture
def limited() -> Iterator[None]:
    """Whatever happens, the limit is lifted afterwards."""
    cuda.empty_cache()
    yield
    cuda.set_memory_limit(None)
    cuda.empty_cache()


def there(call: Call) -> State:
    return operand(call, SIZE).cuda()


def test_every_function_under_a_memory_limit(limited: None) -> None:
    short = 0
    for k, call in enumerate(CALLS):
        if call.name.startswith("cuda."):
            continue
        x = there(call)
        before = x.cpu().numpy()
        cuda.synchronize()
        cuda.empty_cache()
        for share in SHARES:
            cuda.set_memory_limit(cuda.memory_stats()["in_use"] + int(share * x.nbytes))
            found = outcome_of(call, x)
            if isinstance(found, MemoryError):
                short += 1
                assert isinstance(found, syntonic.OutOfMemoryError), f"row {k}, {call.name}: {found!r}"
                after = x.cpu().numpy()
                numpy.testing.assert_array_equal(after, before, err_msg=f"row {k}, {call.name}")
            del found
            cuda.set_memory_limit(None)
            cuda.empty_cache()
    # At a limit of what is in use already, most have no room for their result.
    assert short > len(CALLS) / 2, f"{short} calls had no room"


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_function_takes_or_refuses(shape: tuple[int, ...]) -> None:
    refused = 0
    for k, call in enumerate(CALLS):
        x = syntonic.ones(shape, dtype=call.dtype, device="cuda")
        found = attempt(lambda c=call, x=x: c(x, random.Random(1)), f"row {k}, {call.name}", FIRST_USE)
        refused += isinstance(found, BaseException)
    assert refused < 0.6 * len(CALLS), f"{refused} of {len(CALLS)} calls were refused"


#: Calls with a position that there is not: of the State, and of an array of positions of which one is far out.
OUT_OF_RANGE = {
    "x[[9]]": lambda x, far: x[far],
    "take": lambda x, far: syntonic.take(x, far, axis=0),
    "take_along_axis": lambda x, far: syntonic.take_along_axis(x, far, axis=0),
    "scatter": lambda x, far: syntonic.scatter(x, 0, far, far.astype(x.dtype)),
    "scatter_add": lambda x, far: syntonic.scatter_add(x, 0, far, far.astype(x.dtype)),
    "x[[9]] = 1": lambda x, far: x.__setitem__(far, 1.0),
    "x[9]": lambda x, far: x[int(far[1])],
    "x[9] = 1": lambda x, far: x.__setitem__(int(far[1]), 1.0),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
@pytest.mark.parametrize("place", [4, 9, -5, 2**62, -(2**62)])
def test_indices_out_of_range(name: str, place: int) -> None:
    x = State([0.0, 1.0, 2.0, 3.0], dtype="float32", device="cuda")
    far = State([1, place], device="cuda")
    with pytest.raises(syntonic.OutOfRangeError, match=str(place)):
        found = OUT_OF_RANGE[name](x, far)
        if isinstance(found, State):
            found.eval()
        cuda.synchronize()
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert (x + 1).tolist() == [1.0, 2.0, 3.0, 4.0]
