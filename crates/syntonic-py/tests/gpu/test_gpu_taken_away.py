"""What another library takes away from under our feet: all of the memory, memory that we see, a stream that we use."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

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
        hoard = []
        def take_the_rest():
            piece = 1 << 34
            while piece >= 1 << 20:
                try:
                    hoard.append(cupy.cuda.alloc(piece))
                except (cupy.cuda.memory.OutOfMemoryError, cupy.cuda.runtime.CUDARuntimeError):
                    piece //= 2
        short = 0
        for k, (call, x) in enumerate(zip(calls, operands)):
            # Again each time: a program beside us may have given memory back.
            take_the_rest()
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
                # Some calls have operands on the CPU; NVIDIA's libraries say only that they cannot begin.
                known = ("different devices", "cublas", "cusolver", "cufft")
                assert any(words in str(error).lower() for words in known), (k, call.name, error)
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
    # The owner lets go of its stream: the object that was adopted lives as long as ours, and work that was asked for is done.
    "a stream that nobody else holds": """
        import gc
        import cupy, syntonic
        from syntonic import State, cuda
        theirs = cupy.cuda.Stream(non_blocking=True)
        stream = cuda.Stream.adopt(theirs)
        x = syntonic.ones(1 << 20, device="cuda")
        del theirs
        gc.collect()
        with stream:
            y = x + 2
            total = syntonic.sum(y)
        assert total.item() == 3 << 20
        own = cuda.Stream()
        with own:
            z = (y * 2).eval()
        del own, stream
        gc.collect()
        assert float(syntonic.sum(z).item()) == 6 << 20 and (x + 1).tolist()[:3] == [2.0] * 3
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
