"""The random programs of `syntonic-gpu anything`, written out for PyTorch and compiled as a whole, beside the times of ours.

    python3 anything.py ROWS.json [--least-mb 32] [--most 60] [--json FILE]

`ROWS.json` is what `syntonic-gpu anything --json` wrote in the same session: a ratio of times holds for one card. Both are the
replay of a captured graph of twenty runs.
"""

import argparse
import json
import math
import sys
from pathlib import Path

RUNS, REPLAYS = 20, 5
#: Primitives whose name in PyTorch is another, or that are operators.
WRITTEN = {
    "negative": "-{0}",
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "pow": "{0} ** {1}",
    "floor_divide": "{0} // {1}",
    "remainder": "{0} % {1}",
    "bitwise_and": "{0} & {1}",
    "bitwise_right_shift": "{0} >> {1}",
    "logical_and": "{0} & {1}",
    "less": "{0} < {1}",
    "greater": "{0} > {1}",
}
FOLDS = {"Sum": "sum", "Mean": "mean", "Max": "amax", "Min": "amin"}


def source(program):
    """The program as a Python function of its operands."""
    names = [f"x{k}" for k in range(len(program["operands"]))]

    def named(value):
        (kind, what), = value.items()
        if kind == "Number":
            return repr(int(what) if float(what).is_integer() else what)
        return f"x{what}" if kind == "Operand" else f"v{what}"

    lines = [f"def program({', '.join(names)}):"]
    for k, statement in enumerate(program["statements"]):
        if "Apply" in statement:
            name, args = statement["Apply"]
            written = [named(arg) for arg in args]
            if name in ("maximum", "minimum") and "Number" in args[-1]:
                name = {"maximum": "clamp_min", "minimum": "clamp_max"}[name]
            text = WRITTEN.get(name, f"torch.{name}({', '.join(written)})").format(*written)
        else:
            kind, value, axes = statement["Fold"]
            text = f"torch.{FOLDS[kind]}({named(value)}, dim={tuple(axes)}, keepdim=True)"
        lines.append(f"    v{k} = {text}")
    lines.append(f"    return v{len(program['statements']) - 1}")
    return "\n".join(lines)


def of_axis(axis):
    """Elements before the first, and the step, along an axis of so many places: what an operand has of its memory."""
    if isinstance(axis, dict):
        return axis["Behind"], 1
    return 0, 2 if axis == "Every2nd" else 1


def operand(torch, about, shape):
    """Values between the operand's bounds that lie in memory as it says."""
    lengths = []
    for axis, n in zip(about["axes"], shape):
        start, step = of_axis(axis)
        lengths.append(1 if axis == "Repeated" else start + step * n)
    order = about["order"]
    memory = torch.rand([lengths[k] for k in order], device="cuda")
    dtype = getattr(torch, about["dtype"])
    memory = memory < 0.5 if dtype == torch.bool else (about["low"] + (about["high"] - about["low"]) * memory)
    if dtype.is_complex:
        memory = torch.complex(memory, memory.flip(0))
    x = memory.to(dtype).permute([order.index(k) for k in range(len(order))])
    for k, axis in enumerate(about["axes"]):
        start, step = of_axis(axis)
        if axis != "Repeated":
            x = x[(slice(None),) * k + (slice(start, None, step),)]
    return x


def call_of(torch, program):
    """What is compiled: the program, or the gradient of its mean for every operand of floats."""
    scope = {"torch": torch}
    exec(source(program), scope)  # noqa: S102
    plain = scope["program"]
    if not program["gradient"]:
        return plain
    floats = tuple(k for k, x in enumerate(program["operands"]) if x["dtype"] != "bool")
    return torch.func.grad(lambda *xs: plain(*xs).mean(), argnums=floats)


def micros(torch, call, xs):
    """Microseconds of a run, in a graph of twenty; the quickest replay."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            call(*xs)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(RUNS):
            call(*xs)
    graph.replay()
    times = []
    for _ in range(REPLAYS):
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        graph.replay()
        last.record()
        torch.cuda.synchronize()
        times.append(first.elapsed_time(last) * 1e3 / RUNS)
    return min(times)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("--least-mb", type=float, default=32.0, help="only programs that move so many megabytes")
    parser.add_argument("--most", type=int, default=60, help="so many programs at most")
    parser.add_argument("--json")
    options = parser.parse_args()
    import torch

    rows = [row for row in json.loads(Path(options.rows).read_text())["rows"] if row.get("us")]
    rows = [row for row in rows if row["bytes"] >= options.least_mb * 1e6][: options.most]
    for row in rows:
        program = row["program"]
        try:
            xs = [operand(torch, about, program["shape"]) for about in program["operands"]]
            row["torch_us"] = micros(torch, torch.compile(call_of(torch, program), dynamic=False), xs)
        except Exception as error:  # noqa: BLE001
            row["torch_error"] = f"{type(error).__name__}: {str(error)[:200]}"
        told = f"{row['torch_us'] / row['us']:.2f}" if "torch_us" in row else row["torch_error"]
        print(row["class"], row["dtype"], program["shape"], f"{row['us']:.1f} us, compiled", told, flush=True)
        xs = None
        torch._dynamo.reset()
        torch.cuda.empty_cache()
    ratios = sorted(row["torch_us"] / row["us"] for row in rows if "torch_us" in row)
    print(f"{len(ratios)} programs: compiled takes {geometric_mean(ratios):.2f} of our time, one of ten {ratios[len(ratios) // 10]:.2f}")
    if options.json:
        Path(options.json).write_text(json.dumps(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
