"""How long a fresh process takes to its first results, with the driver's cache off: each measurement in a process of its own.

    python3 start.py START.json

`bare` makes a context and loads one cubin, by nothing but the driver's own interface: no program can start faster. `add` is from
`import syntonic` to the values of `ones + 1`. The others are first calls after a context exists: of six element-wise functions that
nobody asked for before (`chain`), of the named layers, and a search's first generation.
Without the wheel's cubins (`ptx`) the driver assembles.
"""

import argparse
import ctypes
import json
import lzma
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
#: Times that each is measured; the median counts.
REPEATS = 5
NO_CACHE = {"CUDA_CACHE_DISABLE": "1"}
#: No process takes so many seconds.
LIMIT = 60


def bare(cubin):
    """Seconds for a context and a module."""
    start = time.perf_counter()
    driver = ctypes.CDLL("libcuda.so.1")
    device, context, module = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    codes = [
        driver.cuInit(0),
        driver.cuDeviceGet(ctypes.byref(device), 0),
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
        driver.cuCtxSetCurrent(context),
        driver.cuModuleLoadData(ctypes.byref(module), cubin),
        driver.cuCtxSynchronize(),
    ]
    if any(codes):
        raise RuntimeError(f"the driver said {codes}")
    return time.perf_counter() - start


def small_cubin(folder):
    """The cubin of `fill` for this card, out of a file of cubins as `syntonic_cuda::cubins` reads it."""
    query = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    card = subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0].replace(".", "")
    data = (folder / f"sm_{card}.cubins").read_bytes()
    head, blocks = data.split(b"\n\n", 1)
    start = 0
    for line in head.decode().splitlines()[1:]:
        name, _, length = line.rpartition(" ")
        if name == "block":
            packed, place = blocks[start : start + int(length)], 0
            start += int(length)
        elif name == "fill":
            return lzma.decompress(packed)[place : place + int(length)]
        else:
            place += int(length)
    raise RuntimeError("there is no cubin of fill")


def add():
    """Seconds from the import to the values of a sum."""
    start = time.perf_counter()
    import syntonic

    values = (syntonic.ones(1000, device="cuda") + 1).cpu()
    seconds = time.perf_counter() - start
    if values[999].item() != 2:
        raise RuntimeError("ones + 1 is not 2")
    return seconds


#: Named layers and a chain: the expression of `s`, which is the package, and of float32 matrices `x` and `r` on the GPU.
CALLS = {
    "chain": "s.tanh(s.exp(-s.abs(x * 0.5 + r)) - 0.25)",
    "softmax": "s.nn.softmax(x, axis=1)",
    "phi_residual": "s.phi_residual(x, r)",
    "phi_residual_gelu": "s.nn.phi_residual_gelu(x, r)",
    "phi_residual_layer_norm": "s.nn.phi_residual_layer_norm(x, r, n, n)",
    "layer_norm": "s.nn.layer_norm(x)",
    "golden_batch_norm_1d": "s.nn.golden_batch_norm_1d(x)",
    "syntonic_softmax": "s.nn.syntonic_softmax(x, mode_norms=n)",
    "golden_gelu": "s.nn.golden_gelu(x)",
    "syntony": "s.resonant.syntony(x)",
    "cycle": "s.resonant.cycle(x)",
    # The first generation of a search in 256 coordinates.
    "search": "s.evolve.DeviceSearch(n, 1.0, 64).run('rastrigin', 1)",
}


def call(name):
    """Seconds of the first call of one of `CALLS`, until its result is on the host, with context and operands there."""
    import syntonic

    host = syntonic.arange(64 * 256, dtype="float32").reshape(64, 256) / 4096
    x, r, n = (state.cuda() for state in (host, host + 1, syntonic.arange(256, dtype="float32")))
    syntonic.cuda.synchronize()
    start = time.perf_counter()
    result = eval(CALLS[name], {"s": syntonic, "x": x, "r": r, "n": n})
    for state in result if isinstance(result, tuple) else (result,):
        state.cpu()
    return time.perf_counter() - start


def in_a_process(what, cubins, variables):
    """Milliseconds that a process of its own measured."""
    command = [sys.executable, __file__, "--one", what, "--cubins", cubins]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT, env=os.environ | NO_CACHE | variables, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{what}: {done.stderr[-500:]}")
    return float(done.stdout.splitlines()[-1]) * 1e3


def measured(cubins):
    """Medians in milliseconds, with the package's cubins and without."""
    outcome = {}
    for kind, variables in (("cubins", {}), ("ptx", {"SYNTONIC_CUBINS": ""})):
        rows = {}
        for what in ("bare", "add", *CALLS):
            repeats = REPEATS if kind == "cubins" else 1
            rows[what] = statistics.median(in_a_process(what, cubins, variables) for _ in range(repeats))
        outcome[kind] = {what: round(value, 2) for what, value in rows.items()}
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=pathlib.Path, nargs="?", help="where the times go")
    parser.add_argument("--cubins", type=pathlib.Path, default=HERE / "programs" / "cubins", help="the folder of cubins")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one == "bare":
        print(bare(small_cubin(options.cubins)))
    elif options.one == "add":
        print(add())
    elif options.one:
        print(call(options.one))
    else:
        outcome = measured(options.cubins)
        options.target.write_text(json.dumps(outcome))
        for what in outcome["cubins"]:
            print(f"{what:26} {outcome['cubins'][what]:8.1f} ms   from PTX {outcome['ptx'][what]:8.1f} ms")


if __name__ == "__main__":
    main()
