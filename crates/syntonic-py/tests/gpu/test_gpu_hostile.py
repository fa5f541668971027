"""What does no harm on the CPU does none on a GPU: short memory, a full card, hostile shapes, indices out of range, memory and
streams that their owner took away."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Iterator

import numpy
import pytest
import syntonic
from calls import CALLS, Call, operand
from hostile import REFUSALS, SHAPES, attempt
from syntonic import State, cuda

#: Elements of an operand: two blocks of the pool at least, whatever the type.
SIZE = 1 << 18
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
        found = attempt(lambda c=call, x=x: c(x, random.Random(1)), f"row {k}, {call.name}")
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


#: Programs that take something away from under our feet, each in a process of its own; the last line that each prints is "well".
SCENES = {
    # Another library has all of the memory: what finds no room says so, and goes on once there is room.
    "a full card": """
        import random, sys
        import cupy, syntonic
        from calls import CALLS, operand
        from hostile import REFUSALS
        from syntonic import State, cuda
        sys.setrecursionlimit(10_000)
        calls = [call for call in CALLS if not call.name.startswith("cuda.")]
        operands = [operand(call, 1 << 18).cuda() for call in calls]
        cuda.synchronize()
        cuda.empty_cache()
        cupy.cuda.set_allocator(None)
        hoard, piece = [], 1 << 34
        while piece >= 1 << 20:
            try:
                hoard.append(cupy.cuda.alloc(piece))
            except cupy.cuda.memory.OutOfMemoryError:
                piece //= 2
        short = 0
        for k, (call, x) in enumerate(zip(calls, operands)):
            try:
                found = call(x, random.Random(1))
                if isinstance(found, State):
                    found.eval()
                found = None
                cuda.empty_cache()
            except syntonic.InternalError:
                raise
            except MemoryError as error:
                assert isinstance(error, syntonic.OutOfMemoryError), (k, call.name, error)
                short += 1
            except syntonic.DeviceError as error:
                assert "context is lost" not in str(error), (k, call.name, error)
                print(k, call.name, error)
            except REFUSALS:
                pass
        assert short > len(calls) / 10, short
        hoard.clear()
        assert (State([1.0, 2.0], device="cuda") + 1).tolist() == [2.0, 3.0]
        print("well")
    """,
    # The owner gives memory back that we still see: the card faults, and the process goes on without it.
    "memory that is gone": """
        import cupy, syntonic
        from syntonic import State, cuda
        address = cupy.cuda.runtime.malloc(1 << 22)
        class Lent:
            __cuda_array_interface__ = {
                "shape": (1 << 20,), "typestr": "<f4", "data": (address, False), "version": 3, "strides": None
            }
        x = syntonic.asarray(Lent())
        assert x.device == "cuda:0"
        cupy.cuda.runtime.free(address)
        try:
            print(float(syntonic.sum(x)))
            print("the card did not fault: the memory is there still")
        except syntonic.DeviceError as error:
            assert "context is lost" in str(error), error
            for use in (cuda.synchronize, lambda: State([1.0]).cuda(), lambda: (x + 1).tolist()):
                try:
                    use()
                    raise SystemExit("a lost context was used")
                except syntonic.DeviceError as later:
                    assert "context is lost" in str(later), later
        assert (State([1.0]) + 1).tolist() == [2.0]
        print("well")
    """,
    # The owner destroys a stream that is current with us.
    "a stream that is gone": """
        import cupy, syntonic
        from syntonic import State, cuda
        number = cupy.cuda.runtime.streamCreate()
        stream = cuda.Stream.adopt(number)
        x = syntonic.ones(1000, device="cuda")
        with stream:
            y = (x + 1).eval()
        cuda.synchronize()
        cupy.cuda.runtime.streamDestroy(number)
        for use in (lambda: (x + 2).eval(), lambda: syntonic.sum(x).item(), cuda.synchronize, stream.synchronize):
            try:
                with stream:
                    use()
                print("no error")
            except syntonic.DeviceError as error:
                print(error)
        assert (x + 1).tolist() == [2.0] * 1000 and y.tolist() == [2.0] * 1000
        print("well")
    """,
}


@pytest.mark.parametrize("name", SCENES)
def test_what_is_taken_away(name: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    program = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(SCENES[name])]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "well", f"{done.returncode}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    assert "panicked" not in done.stderr, done.stderr[-3000:]
