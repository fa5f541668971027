"""A transformer block and a ResNet block in PyTorch, trained with our operators and with PyTorch's own: losses and times.

    python3 blocks.py ROWS.json

Both have the same layers, weights and batches. What differs is the norm, the activation and the residual: `syntonic.torch`, or
the same formulas in PyTorch's functions, each called eagerly, compiled as a whole, compiled into CUDA graphs
(`mode="reduce-overhead"`), and into CUDA graphs without a layout of the compiler's own: it turns convolutions to channels-last, which
pays for some. A time is a forward and a backward pass. Losses are those of the steps of SGD; they have to agree as far
as the type does.
"""

import argparse
import json
import pathlib
import statistics

import torch
from timing import by_events, warm
from torch import nn
from torch.nn import functional

PHI = (1 + 5**0.5) / 2
STEPS = 20
#: How far two losses may be apart after some steps, as a part of the loss: sums of thousands of rounded terms, and what training makes
#: of the difference.
CLOSE = {"float32": 1e-3, "bfloat16": 3e-2}


class Plain:
    """The layers in PyTorch's functions."""

    @staticmethod
    def residual_norm(x, residual, weight, bias):
        return functional.layer_norm(x + residual / PHI, weight.shape, weight, bias)

    @staticmethod
    def gelu(x):
        return x * torch.sigmoid(PHI * x)

    @staticmethod
    def batch_norm(x, weight, bias):
        return functional.batch_norm(x, None, None, weight * PHI**-0.5, bias, True)

    @staticmethod
    def residual_relu(x, residual):
        return torch.relu(x + residual / PHI)


def ours():
    """The layers by our operators, under the same names."""
    from syntonic import torch as st

    class Ours:
        residual_norm = staticmethod(st.phi_residual_layer_norm)
        gelu = staticmethod(st.gelu)

        @staticmethod
        def batch_norm(x, weight, bias):
            return st.batch_norm(x, None, None, weight, bias, True)

        @staticmethod
        def residual_relu(x, residual):
            return st.phi_residual(x, residual, activation="relu")

    return Ours


class Transformer(nn.Module):
    """A block of attention and a network of two layers, each with its residual and its norm after it."""

    shape = (8, 1024, 1024)

    def __init__(self, layers, heads=16):
        super().__init__()
        width = self.shape[-1]
        self.layers, self.heads = layers, heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms = nn.ParameterList([torch.ones(width), torch.zeros(width), torch.ones(width), torch.zeros(width)])

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        mixed = self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        x = self.layers.residual_norm(x, mixed, self.norms[0], self.norms[1])
        return self.layers.residual_norm(x, self.down(self.layers.gelu(self.up(x))), self.norms[2], self.norms[3])


class ResNet(nn.Module):
    """A basic block of two convolutions of 3 x 3, each with its norm."""

    #: As many images as a card trains at once; with a quarter of them Python's own time hides the GPU's.
    shape = (256, 128, 28, 28)

    def __init__(self, layers):
        super().__init__()
        channels = self.shape[1]
        self.layers = layers
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norms = nn.ParameterList([torch.ones(channels), torch.zeros(channels), torch.ones(channels), torch.zeros(channels)])

    def forward(self, x):
        y = self.layers.gelu(self.layers.batch_norm(self.first(x), self.norms[0], self.norms[1]))
        y = self.layers.batch_norm(self.second(y), self.norms[2], self.norms[3])
        return self.layers.residual_relu(x, y)


#: How a module is called.
WAYS = {
    "eager": lambda module: module,
    "compiled": lambda module: torch.compile(module, fullgraph=True),
    "graphs": lambda module: torch.compile(module, fullgraph=True, mode="reduce-overhead"),
    "graphs in order": lambda module: torch.compile(module, fullgraph=True, options={"triton.cudagraphs": True, "layout_optimization": False}),
}


def made(block, layers, dtype):
    torch.manual_seed(7)
    return block(layers).to("cuda", dtype)


def batch(block, dtype):
    make = torch.Generator("cuda").manual_seed(11)
    x, target = (torch.randn(block.shape, device="cuda", generator=make) for _ in range(2))
    return x.to(dtype), target.to(dtype)


def loss_of(model, x, target):
    return functional.mse_loss(model(x).float(), target.float())


def losses(model, x, target):
    optimizer = torch.optim.SGD(model.parameters(), 0.5)
    found = []
    for _ in range(STEPS):
        loss = loss_of(model, x, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.detach())
    return [float(loss) for loss in found]


def median_us(model, x, target):
    def step():
        model.zero_grad(set_to_none=True)
        loss_of(model, x, target).backward()

    sets = [()]
    about = warm(step, sets, torch.cuda.synchronize)
    event = lambda: torch.cuda.Event(enable_timing=True)  # noqa: E731
    times = by_events(step, sets, event, torch.cuda.synchronize, lambda a, b: a.elapsed_time(b), about)
    return round(statistics.median(times), 1)


def row_of(block, dtype, mine):
    kind = getattr(torch, dtype)
    x, target = batch(block, kind)
    row = {"block": block.__name__, "dtype": dtype, "shape": list(block.shape), "us": {}, "losses": {}}
    for name, layers in (("syntonic", mine), ("torch", Plain)):
        for way, turn in WAYS.items():
            torch._dynamo.reset()
            row["us"][f"{name} {way}"] = median_us(turn(made(block, layers, kind)), x, target)
            row["losses"][f"{name} {way}"] = losses(turn(made(block, layers, kind)), x, target)
    # Like with like: each way of ours beside the same way of PyTorch's, and the best of each.
    row["ratios"] = {way: round(row["us"][f"torch {way}"] / row["us"][f"syntonic {way}"], 3) for way in WAYS}
    best = {name: min(row["us"][f"{name} {way}"] for way in WAYS) for name in ("syntonic", "torch")}
    row["ratios"]["best"] = round(best["torch"] / best["syntonic"], 3)
    reference = row["losses"]["torch eager"]
    apart = [abs(a - b) / b for found in row["losses"].values() for a, b in zip(found, reference, strict=True)]
    row["apart"] = max(apart)
    row["learnt"] = reference[-1] < reference[0]
    row["holds"] = row["apart"] <= CLOSE[dtype] and row["learnt"]
    return row


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path, help="where the rows go, as JSON")
    options = parser.parse_args(words)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    mine, rows = ours(), []
    for block in (Transformer, ResNet):
        for dtype in CLOSE:
            row = row_of(block, dtype, mine)
            rows.append(row)
            times = ", ".join(f"{name} {us:.0f}" for name, us in row["us"].items())
            said = "the same" if row["holds"] else "NOT THE SAME"
            ratios = ", ".join(f"{way} {ratio:.2f}" for way, ratio in row["ratios"].items())
            print(f"{row['block']:12} {dtype:9} us: {times}; PyTorch's over ours: {ratios}; losses {said}, {row['apart']:.1e}")
    options.out.write_text(json.dumps(rows))
    return 0 if all(row["holds"] for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
