"""The optimizer that the peers run: a step of AdamW over all parameters of a GPT-2.

The size of a row is `[layers, width, vocabulary, positions]`, as `optimizer_rows.rs` has it.
"""

import numpy as np

#: Of PyTorch and Syntonic: a rate that changes every number of a half type, and the usual decay.
RATE, DECAY, EPS = 0.25, 0.01, 1e-8
#: Numbers of a parameter that are compared.
SAMPLE = 4096


def is_optimizer(row):
    return row["kind"] == "adamw"


def parameters(row):
    """Shapes of the parameters: embeddings of tokens and positions, the blocks, and the last norm."""
    layers, width, vocabulary, positions = row["size"]
    norm = [(width,), (width,)]
    linear = lambda inner, outer: [(inner, outer), (outer,)]
    attention = [*linear(width, 3 * width), *linear(width, width)]
    block = [*norm, *attention, *norm, *linear(width, 4 * width), *linear(4 * width, width)]
    return [(vocabulary, width), (positions, width), *block * layers, *norm]


def shapes(row):
    """Of the operands: the parameters, then their gradients. Moments begin as zeros."""
    return parameters(row) * 2


def fused(torch, row):
    """PyTorch's own kernel over all parameters, which steps in place. Its moments have the type of the parameters: of `bfloat16` a
    weight moves 14 bytes there, and 22 where moments are `float32`."""
    held = []

    def begun(xs):
        half = len(xs) // 2
        own = [x.clone().requires_grad_() for x in xs[:half]]
        for parameter, gradient in zip(own, xs[half:], strict=True):
            parameter.grad = gradient
        return own, torch.optim.AdamW(own, lr=RATE, eps=EPS, weight_decay=DECAY, fused=True)

    def call(*xs):
        if not held:
            held.append(begun(xs))
        own, optimizer = held[0]
        optimizer.step()
        return own

    return call


def wrong_step(row, results, xs, wide):
    """What is wrong with parameters after their first step, or None: there both moments are those of the gradient alone."""
    half = len(xs) // 2
    for got, x, gradient in zip(results, xs[:half], xs[half:], strict=True):
        got, x, gradient = (wide(t.reshape(-1)[:SAMPLE]) for t in (got, x, gradient))
        want = x * (1 - RATE * DECAY) - RATE * gradient / (np.abs(gradient) + EPS)
        error = np.abs(got - want).max()
        # NaN is close to nothing.
        if not error <= {"float64": 1e-9, "float32": 1e-5, "bfloat16": 0.02}[row["dtype"]]:
            return f"differs from NumPy by {error:.1e}"
    return None
