"""The peers' times for the rows of `gpu_cases.json`: PyTorch eager, fused and compiled, Liger, CuPy, JAX, evosax.

    python3 peers.py ROWS.json [SECONDS] [--suite SUITE] [--case CASE] [--libraries torch,torch.native]

A time is a call's share of a sample of calls one after the other, between two events of the device where the library has
them. JAX has none: its samples are by the host's clock until the last result is there, and copies are timed so one by one.
A result that is not close to NumPy's on samples is an error, not a time. Rows out of SECONDS' reach are counted.
"""

import argparse
import functools
import json
import os
import pathlib
import time

# Before the first import of JAX: it would take most of the GPU's memory.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("JAX_ENABLE_X64", "1")

import numpy as np
import optimizers
import pipelines
import products
from checks import check, check_layer
from formulas import BETWEEN, is_written, numpy_functions, steps
from layers import EPS, INV_PHI, PHI, axis_of, drawn, is_backward, layer_of, prepared, work
from searches import Evosax, by_torch, counted, is_search
from suites import ALONE
from timing import MOST_REPEATS, WARM, by_events, by_host, copy_bandwidth, replayed, warm

HERE = pathlib.Path(__file__).resolve().parent
#: Operands of one call and more are larger than four times the second-level cache together.
PAST_CACHE = 256 << 20


def numbers(row, count):
    """The width and the beginning of the interval that operands are drawn from, and their shapes."""
    if products.is_product(row):
        return 2.0, -1.0, products.shapes(row)
    if pipelines.is_pipeline(row):
        return 1.0, 0.5, pipelines.shapes(row)
    if optimizers.is_optimizer(row):
        return 1.0, 0.5, optimizers.shapes(row)
    if is_written(row):
        return *BETWEEN, [row["size"]] * count
    return 1.0, 0.5, [row["size"]] * count


def only_pytorch(row):
    """Whether PyTorch's programs are the only peers."""
    return is_written(row) or is_search(row) or pipelines.is_pipeline(row) or optimizers.is_optimizer(row)


class Torch:
    name = "torch"

    def __init__(self):
        import torch

        self.torch = self.module = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        self.functions = numpy_functions(torch)

    def inputs(self, row, count, seed):
        torch = self.torch
        kind = getattr(torch, row["dtype"])
        make = torch.Generator(device="cuda").manual_seed(seed)
        real = {"complex64": torch.float32, "complex128": torch.float64}.get(row["dtype"], torch.float32)
        real = torch.float64 if row["dtype"] == "float64" else real

        width, low, shapes = numbers(row, count)

        def draw(shape):
            return torch.rand(shape, dtype=real, device="cuda", generator=make) * width + low

        xs = [torch.complex(draw(shape), draw(shape)) if kind.is_complex else draw(shape).to(kind) for shape in shapes]
        return [x.cpu() for x in xs] if row["kind"] == "upload" else xs

    def native(self, row):
        """A layer by PyTorch's own functions where it has them, else by the table's formula."""
        functional, sigmoid = self.torch.nn.functional, self.torch.sigmoid
        if "torch" in row:
            return functools.partial(eval(row["torch"], {}), functional)

        def batch_norm(x, gamma, beta, mean=None, var=None):
            given = [t if t is None else t.reshape(-1) for t in (mean, var, gamma, beta)]
            return functional.batch_norm(x, *given, mean is None, 0.0, EPS)

        own = {
            "residual": lambda x, r: functional.relu(x + r * INV_PHI),
            "residual_norm": lambda x, r, gamma, beta: functional.layer_norm(
                x + r * INV_PHI, gamma.shape, gamma, beta, EPS
            ),
            "layer_norm": lambda x, gamma, beta: functional.layer_norm(x, gamma.shape, gamma, beta, EPS),
            "batch_norm": batch_norm,
            "batch_norm_features": batch_norm,
            "batch_norm_eval": lambda x, mean, var, gamma, beta: batch_norm(x, gamma, beta, mean, var),
            "softmax": lambda x, w: functional.softmax(x + w, -1),
            "softmax_leading": lambda x, w: functional.softmax(x + w, 0),
            "golden_gelu": lambda x: x * sigmoid(PHI * x),
        }
        kind = row["kind"].removesuffix("_backward")
        return own.get(kind) or (lambda *given: layer_of(row).forward(self.torch, *given))

    def prepare(self, row, xs):
        """The forward run is done here: what is timed is the way back alone, as `loss.backward()` takes it."""
        if products.is_product(row):
            return products.prepared(row, xs)
        if not is_backward(row):
            return prepared(self.torch, row, xs)
        layer, (g, *rest) = layer_of(row), xs
        operands = layer.operands(self.torch, *rest)
        leaves = [t.detach().requires_grad_() for t in operands[: layer.variables]]
        return [self.native(row)(*leaves, *operands[layer.variables :]), leaves, g]

    def call(self, row):
        torch, kind, axis = self.torch, row["kind"], axis_of(row)
        torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
        if products.is_product(row):
            return products.eager(torch, row)
        if pipelines.is_pipeline(row):
            return pipelines.call_of(torch, row)
        if optimizers.is_optimizer(row):
            return optimizers.fused(torch, row)
        if is_backward(row):
            return lambda y, leaves, g: torch.autograd.grad(y, leaves, g, retain_graph=True)
        if layer_of(row):
            return self.native(row)
        if is_search(row):
            return by_torch(torch, row)
        if kind in ("map", "graph"):
            chain = lambda *x: steps(row, x, self.functions)  # noqa: E731
            return replayed(torch, chain) if kind == "graph" else chain
        reduced = {} if axis is None else {"dim": axis}
        return {
            "transpose": lambda x: x.T.contiguous(),
            "sum": lambda x: torch.sum(x, **reduced),
            "max": lambda x: torch.amax(x, **reduced),
            "var": lambda x: torch.var(x, correction=0, **reduced),
            "argmax": lambda x: torch.argmax(x, **reduced),
            "permute": lambda x: x.permute(2, 0, 1).contiguous(),
            "cumsum": lambda x: torch.cumsum(x, axis),
            "sort": lambda x: torch.sort(x)[0],
            "topk": lambda x: torch.topk(x, 64)[0],
            "normal": lambda: torch.randn(row["size"], dtype=getattr(torch, row["dtype"]), device="cuda"),
            "upload": lambda x: x.cuda(),
            "download": lambda x: x.cpu(),
        }[kind]

    def host(self, x):
        # NumPy has neither.
        narrow = x.dtype in (self.torch.bfloat16, self.torch.float8_e4m3fn)
        x = x.detach()
        return (x.float() if narrow else x).cpu().numpy()

    def wait(self):
        self.torch.cuda.synchronize()

    def times(self, call, sets, row):
        torch = self.torch
        about = warm(call, sets, self.wait)
        if row["kind"] in ("upload", "download"):
            return by_host(call, sets, self.wait)
        event = functools.partial(torch.cuda.Event, enable_timing=True)
        return by_events(call, sets, event, self.wait, lambda a, b: a.elapsed_time(b), about)

    def rest(self):
        self.torch.cuda.empty_cache()


class Native(Torch):
    """Functions of PyTorch that say more than one operator: a product with its end."""

    name = "torch.native"

    def call(self, row):
        self.torch.backends.cuda.matmul.allow_tf32 = False
        return products.native(self.torch, row)


class Compiled(Torch):
    name = "torch.compile"

    def call(self, row):
        # A product alone is the same call.
        if products.is_product(row) and not products.is_fused(row):
            return None
        # Copies of the host are the same call, random numbers another generator's, and a fused step is one kernel already.
        if row["kind"] in ("upload", "download", "normal", "sort", "topk") or optimizers.is_optimizer(row):
            return None
        self.torch._dynamo.reset()
        if pipelines.is_pipeline(row):
            return pipelines.compiled(self.torch, row)
        if is_search(row):
            return by_torch(self.torch, row, lambda step: self.torch.compile(step, dynamic=False))
        if row["kind"] == "graph":
            return replayed(self.torch, self.call({**row, "kind": "map"}))
        call = work(self.torch, row) if is_backward(row) else super().call(row)
        return self.torch.compile(call, dynamic=False)

    def prepare(self, row, xs):
        return products.prepared(row, xs) if products.is_product(row) else prepared(self.torch, row, xs)


class Liger(Torch):
    """Hand-written Triton kernels of the `liger-kernel` package, for the formulas it has."""

    name = "liger"

    def __init__(self):
        super().__init__()
        from liger_kernel.ops.layer_norm import LigerLayerNormFunction
        from liger_kernel.ops.rms_norm import LigerRMSNormFunction
        from liger_kernel.ops.softmax import LigerSoftmaxFunction

        self.own = {
            "written_softmax": LigerSoftmaxFunction.apply,
            "written_layer_norm": lambda x, gamma, beta: LigerLayerNormFunction.apply(x, gamma, beta, EPS),
            "written_rms_norm": lambda x, w: LigerRMSNormFunction.apply(x, w, EPS),
        }

    def call(self, row):
        return self.own.get(row["kind"])


class Cupy:
    name = "cupy"

    def __init__(self):
        import cupy

        self.cupy = self.module = cupy
        self.functions = numpy_functions(cupy)

    def inputs(self, row, count, seed):
        cupy = self.cupy
        make = cupy.random.RandomState(seed)
        real = "float64" if row["dtype"] in ("float64", "complex128") else "float32"

        width, low, shapes = numbers(row, count)

        def draw(shape):
            x = make.random_sample(shape, dtype=real)
            x *= width
            x += low
            return x

        whole = row["dtype"].startswith("complex")
        parts = lambda shape: draw(shape) + 1j * draw(shape) if whole else draw(shape)
        xs = [parts(shape).astype(row["dtype"], copy=False) for shape in shapes]
        return [x.get() for x in xs] if row["kind"] == "upload" else xs

    def prepare(self, row, xs):
        return prepared(self.cupy, row, xs)

    def call(self, row):
        # Written formulas are compared with what PyTorch makes of them.
        if row["dtype"] == "bfloat16" or only_pytorch(row):
            return None
        cupy, kind, axis = self.cupy, row["kind"], axis_of(row)
        if products.is_product(row):
            return products.plain(row)
        if layer_of(row):
            return work(cupy, row)
        if kind in ("map", "graph"):
            return lambda *x: steps(row, x, self.functions)
        return {
            "transpose": lambda x: cupy.ascontiguousarray(x.T),
            "sum": lambda x: x.sum(axis=axis),
            "max": lambda x: x.max(axis=axis),
            "var": lambda x: x.var(axis=axis),
            "argmax": lambda x: x.argmax(axis=axis),
            "permute": lambda x: cupy.ascontiguousarray(x.transpose(2, 0, 1)),
            "cumsum": lambda x: cupy.cumsum(x, axis=axis),
            "sort": cupy.sort,
            "topk": None,
            "normal": lambda: cupy.random.standard_normal(row["size"], dtype=row["dtype"]),
            "upload": cupy.asarray,
            "download": lambda x: x.get(),
        }[kind]

    def host(self, x):
        return x.get() if hasattr(x, "get") else x

    def times(self, call, sets, row):
        wait = self.cupy.cuda.Device().synchronize
        about = warm(call, sets, wait)
        if row["kind"] in ("upload", "download"):
            return by_host(call, sets, wait)
        return by_events(call, sets, self.cupy.cuda.Event, wait, self.cupy.cuda.get_elapsed_time, about)

    def rest(self):
        self.cupy.get_default_memory_pool().free_all_blocks()


class Jax:
    name = "jax"

    def __init__(self):
        import jax

        self.jax, self.module = jax, jax.numpy
        jax.config.update("jax_default_matmul_precision", "highest")
        self.functions = numpy_functions(jax.numpy)

    def inputs(self, row, count, seed):
        random, kind = self.jax.random, row["dtype"]
        real = "float64" if kind in ("float64", "complex128") else "float32"
        width, low, shapes = numbers(row, count)
        keys = iter(random.split(random.key(seed), 2 * len(shapes) + 1))

        def draw(shape):
            return random.uniform(next(keys), shape, dtype=real, minval=low, maxval=low + width)

        lax, complex_ = self.jax.lax, kind.startswith("complex")
        xs = [lax.complex(draw(shape), draw(shape)) if complex_ else draw(shape).astype(kind) for shape in shapes]
        return [np.array(x) for x in xs] if row["kind"] == "upload" else xs

    def prepare(self, row, xs):
        return prepared(self.jax.numpy, row, xs)

    def call(self, row):
        jax, jnp, kind, axis = self.jax, self.jax.numpy, row["kind"], axis_of(row)
        if only_pytorch(row):
            return None
        if products.is_product(row):
            call = products.plain(row)
            return call and jax.jit(call)
        if kind in ("upload", "download"):
            # A download is kept by the array, so a second one would be free.
            return jax.device_put if kind == "upload" else None
        if kind in ("map", "graph"):
            return jax.jit(lambda *x: steps(row, x, self.functions))
        if layer_of(row):
            return jax.jit(work(jnp, row))
        if kind == "normal":
            keys = jax.random.key(1)
            draw = jax.jit(lambda key: jax.random.normal(key, tuple(row["size"]), dtype=row["dtype"]))
            return lambda: draw(keys)
        return jax.jit(
            {
                "transpose": lambda x: x.T,
                "sum": lambda x: jnp.sum(x, axis=axis),
                "max": lambda x: jnp.max(x, axis=axis),
                "var": lambda x: jnp.var(x, axis=axis),
                "argmax": lambda x: jnp.argmax(x, axis=axis),
                "permute": lambda x: jnp.transpose(x, (2, 0, 1)),
                "cumsum": lambda x: jnp.cumsum(x, axis=axis),
                "sort": jnp.sort,
                "topk": lambda x: jax.lax.top_k(x, 64)[0],
            }[kind]
        )

    def host(self, x):
        x = np.asarray(x)
        return x.astype(np.float32) if x.dtype.name == "bfloat16" else x

    def times(self, call, sets, row):
        wait = self.jax.block_until_ready
        for k in range(WARM):
            wait(call(*sets[k % len(sets)]))
        if row["kind"] in ("upload", "download"):
            return by_host(lambda *x: wait(call(*x)), sets, lambda: None)
        times = []
        for _ in range(5):
            # Calls follow each other without a wait, as those of the others do: work on one device is done in order.
            start = time.perf_counter()
            for k in range(MOST_REPEATS):
                last = call(*sets[k % len(sets)])
            wait(last)
            times.append((time.perf_counter() - start) * 1e6 / MOST_REPEATS)
        return times

    def rest(self):
        """Its memory goes back with its arrays. What it compiled stays: most rows draw their operands in the same shapes."""


def measure(row, library):
    out = {"suite": row["suite"], "case": row["case"], "dtype": row["dtype"], "size": row["size"], "impl": library.name, "bytes": row["bytes"]}
    try:
        call = library.call(row)
        if call is None:
            return None
        seeds = range(min(8, -(-PAST_CACHE // row["bytes"])))
        sets = [library.prepare(row, library.inputs(row, drawn(row), seed)) for seed in seeds]
        times = sorted(library.times(call, sets, row))
        if layer_of(row):
            # The same numbers again: some of them are not part of what a call takes.
            wrong = check_layer(row, library, call, sets[0], library.inputs(row, drawn(row), 0))
        else:
            wrong = check(row, library, call, sets[0])
        median = times[len(times) // 2]
        out |= {"error": wrong} if wrong else {"median_us": median, "min_us": times[0]} | counted(row, median, call)
    except Exception as problem:  # A peer that cannot do a row says so, and the others go on.
        out["error"] = f"{type(problem).__name__}: {problem}"[:200].replace(str(HERE), ".")
    library.rest()
    return out


# The last one sets JAX to single precision.
LIBRARIES = (Torch, Native, Evosax, Compiled, Liger, Cupy, Jax)


def libraries(names):
    for kind in LIBRARIES:
        if kind.name not in names:
            continue
        try:
            yield kind()
        except Exception as problem:
            print(f"{kind.name} is not here: {problem}"[:300].replace(str(HERE), "."))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", type=pathlib.Path, help="where the rows go")
    parser.add_argument("seconds", type=float, nargs="?", default=1e9, help="how long it may take")
    parser.add_argument("--suite", help="only the rows of this suite")
    parser.add_argument("--case", default="", help="only the rows whose name contains this")
    parser.add_argument("--libraries", default=",".join(kind.name for kind in LIBRARIES), help="only these, with commas")
    options = parser.parse_args()
    target, end = options.target, time.monotonic() + options.seconds
    # Layers and folds first, where libraries differ most.
    cases = sorted(json.loads((HERE / "gpu_cases.json").read_text()), key=lambda row: row["suite"] != "memory")
    asked = lambda row: options.suite in (None, row["suite"]) and options.case in row["case"] and row["suite"] not in ALONE
    done = {"copy_tbps": copy_bandwidth(), "rows": [], "left_out": 0}
    # Library by library: should the time run out, every row has its first peers.
    for library in libraries(options.libraries.split(",")):
        begun = time.monotonic()
        for row in filter(asked, cases):
            if time.monotonic() > end:
                done["left_out"] += 1
                continue
            outcome = measure(row, library)
            if outcome:
                done["rows"].append(outcome)
        target.write_text(json.dumps(done))
        rows = sum(r.get("impl") == library.name and "median_us" in r for r in done["rows"])
        print(f"{library.name}: {rows} rows in {time.monotonic() - begun:.0f} s", flush=True)
    print(done["left_out"], "rows were not reached")


if __name__ == "__main__":
    main()
