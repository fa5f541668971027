"""What the peers run of the suite `pipelines`: transfer entropy by brute force, the sums of active inference as formulas, and belief
updates step by step, which a CUDA graph replays.

Shapes, histories, surrogates and steps are in a row's kind and size, as `pipeline_rows.rs` has them.
"""

import math

import numpy as np
from timing import replayed

NEIGHBOUR, RATE = 4, 1e-7
#: Pairs of points that are compared at a time: a few arrays of 1 GB.
AT_A_TIME = 1 << 28
#: Estimates are in nats; a near tie that two roundings decide differently moves one by less.
CLOSE_NATS = 1e-4

#: Divergence and accuracy alone are rows of the layers.
NAMES = ("te", "te_matrix", "free_energy", "belief_update", "inference_chain")


def is_pipeline(row):
    return name_of(row) in NAMES


def name_of(row):
    return row["kind"].split("/")[0]


def numbers_of(row):
    return [int(word) for word in row["kind"].split("/")[1:]]


def shapes(row):
    """Of the operands."""
    name, size = name_of(row), row["size"]
    counts = {"te": 2, "te_matrix": 1, "free_energy": 7}
    if name in counts:
        return [size] * counts[name]
    m, n = size
    belief = [[n], [m, n], [m], [m], [n], [n]]
    return belief if name == "belief_update" else [*belief, [n], [n]]


def kl_divergence(m, mean_q, mean_p, var_q, var_p):
    ratio, apart = var_q / var_p, mean_q - mean_p
    return 0.5 * (ratio - 1 - m.log(ratio) + apart * apart / var_p).sum(-1)


def accuracy(m, observation, prediction, precision):
    apart = observation - prediction
    return -0.5 * (precision * apart * apart - m.log(precision) + math.log(2 * math.pi)).sum(-1)


def free_energy(m, mean_q, mean_p, var_q, var_p, *seen):
    complexity, fits = kl_divergence(m, mean_q, mean_p, var_q, var_p), accuracy(m, *seen)
    return complexity - fits, complexity, fits


def belief_update(m, steps, mu, jacobian, observation, precision, prior_mean, prior_precision):
    for _ in range(steps):
        error = precision * (observation - jacobian @ mu)
        mu = mu + RATE * (jacobian.T @ error - prior_precision * (mu - prior_mean))
    return mu


def inference_chain(m, steps, mu, jacobian, observation, precision, prior_mean, prior_precision, var_q, var_p):
    return (
        belief_update(m, steps, mu, jacobian, observation, precision, prior_mean, prior_precision),
        kl_divergence(m, mu, prior_mean, var_q, var_p),
        accuracy(m, observation, jacobian @ mu, precision),
    )


def past(x, history):
    """`[..., n]` as `[..., n - history, history]`: the samples before each, the newest first."""
    n = x.shape[-1]
    return [x[..., history - 1 - d : n - 1 - d] for d in range(history)]


def brute_force(torch, sources, target, history, order=None):
    """Transfer entropy of `[S, n]` to `[n]` by comparing all points with all: `[S]`. `order` puts the pasts of a source in another order."""
    pasts = torch.stack(past(sources, history), -1)
    if order is not None:
        pasts = pasts.gather(1, order[..., None].expand(-1, -1, history))
    now, own = target[history:, None], torch.stack(past(target, history), -1)
    count, n = pasts.shape[0], own.shape[0]
    rows = max(1, min(n, AT_A_TIME // (count * n)))
    infinite = float("inf")
    total = torch.zeros(count, dtype=torch.float64, device=target.device)
    for start in range(0, n, rows):
        part = slice(start, min(start + rows, n))
        z = torch.cdist(own[part], own, p=infinite)
        yz = torch.maximum(z, torch.cdist(now[part], now, p=infinite))
        x = torch.cdist(pasts[:, part], pasts, p=infinite)
        every = torch.arange(part.start, part.stop, device=target.device)
        joint = torch.maximum(x, yz)
        joint[:, every - start, every] = infinite
        eps = joint.topk(NEIGHBOUR, largest=False).values[..., -1:]
        # A point is nearer to itself than its k-th neighbour, unless that is at its place.
        own_place = (eps[..., 0] > 0).to(torch.int64)
        psi = lambda near: torch.digamma((near.sum(-1) - own_place + 1).to(torch.float64))
        total += (psi(z < eps) - psi(yz < eps) - psi(torch.maximum(x, z) < eps)).sum(-1)
    return total / n + float(torch.digamma(torch.tensor(float(NEIGHBOUR), dtype=torch.float64)))


def standardised(x):
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


def transfer_entropy(torch, row):
    history, *surrogates = numbers_of(row)
    held = {}

    def call(x, y):
        x, y = standardised(x), standardised(y)
        if not surrogates:
            return brute_force(torch, x[None], y, history)
        n = x.shape[0] - history
        if "order" not in held:
            orders = [torch.arange(n, device=x.device)] + [torch.randperm(n, device=x.device) for _ in range(surrogates[0])]
            held["order"] = torch.stack(orders)
        return brute_force(torch, x.expand(1 + surrogates[0], -1), y, history, held["order"])

    return call


def matrix(torch, row):
    (history,) = numbers_of(row)

    def call(series):
        series = standardised(series)
        others = [[s for s in range(len(series)) if s != t] for t in range(len(series))]
        return torch.cat([brute_force(torch, series[sources], series[t], history) for t, sources in enumerate(others)])

    return call


def stepping(row):
    """The work of a row that a graph can hold."""
    (steps,) = numbers_of(row)
    work = {"belief_update": belief_update, "inference_chain": inference_chain}[name_of(row)]
    return lambda m, *x: work(m, steps, *x)


def call_of(torch, row):
    """What PyTorch runs, one operation after the other or from a graph."""
    name = name_of(row)
    if name == "te":
        return transfer_entropy(torch, row)
    if name == "te_matrix":
        return matrix(torch, row)
    if name == "free_energy":
        return lambda *x: free_energy(torch, *x)
    work = stepping(row)
    # The matrix is read where it lies.
    return replayed(torch, lambda *x: work(torch, *x), still=(1,))


def compiled(torch, row):
    """What `torch.compile` makes one kernel of: sums. Brute force is its own baseline, and steps are in a graph."""
    return torch.compile(call_of(torch, row), dynamic=False) if name_of(row) == "free_energy" else None


def digamma(n):
    """Of whole numbers, by the recurrence."""
    table = np.concatenate([[-0.5772156649015329], 1.0 / np.arange(1, int(np.max(n)) + 1)]).cumsum()
    return table[np.asarray(n, dtype=np.int64) - 1]


def by_definition(x, y, history, standardise=True):
    """One estimate with NumPy, point by point."""
    if standardise:
        x, y = ((a - a.mean()) / a.std(ddof=1) for a in (x, y))
    xs, ys = np.stack(past(x, history)), np.stack(past(y, history))
    now, n = y[history:], len(y) - history
    total = 0.0
    for i in range(n):
        far = [np.abs(a - a[:, i : i + 1]).max(0) for a in (now[None], xs, ys)]
        joint = np.maximum(np.maximum(*far[:2]), far[2])
        joint[i] = np.inf
        eps = np.partition(joint, NEIGHBOUR - 1)[NEIGHBOUR - 1]
        own = int(eps > 0)
        near = lambda d: np.count_nonzero(d < eps) - own + 1
        total += digamma(near(far[2])) - digamma(near(np.maximum(far[0], far[2]))) - digamma(near(np.maximum(far[1], far[2])))
    return total / n + float(digamma(NEIGHBOUR))


#: Points beyond which the definition takes minutes; those rows are compared by the smaller ones of the same kind.
MOST_POINTS = 20_000


def wrong_pipeline(row, results, xs, wide):
    """What is wrong with results, or None. `wide` makes NumPy's doubles of an operand."""
    name, xs = name_of(row), [wide(x) for x in xs]
    results = [wide(r) for r in (results if isinstance(results, tuple) else (results,))]
    if name in ("te", "te_matrix"):
        history = numbers_of(row)[0]
        if not np.isfinite(results[0]).all():
            return "an estimate that is not finite"
        x, y = (xs[0], xs[1]) if name == "te" else (xs[0][1], xs[0][0])
        if len(x) > MOST_POINTS:
            return None
        want = by_definition(x, y, history)
        error = abs(results[0].reshape(-1)[0] - want)
        return None if error < CLOSE_NATS else f"{results[0].reshape(-1)[0]} nats and not {want}"
    want = free_energy(np, *xs) if name == "free_energy" else stepping(row)(np, *xs)
    want = want if isinstance(want, tuple) else (want,)
    close = {"float64": 1e-9, "float32": 1e-3, "bfloat16": 0.05}[row["dtype"]]
    for got, right in zip(results, want, strict=True):
        error = np.abs(got - right).max() / max(1.0, np.abs(right).max())
        # NaN is close to nothing.
        if not error <= close:
            return f"differs from NumPy by {error:.1e}"
    return None
