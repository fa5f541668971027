"""Peers of the device searches: evosax under jit and one scan over all generations, and PyTorch by hand under a CUDA graph.

A row is a rule on a function, `search/RULE/FUNCTION`, a population of candidates of n float32 numbers, and the generations of one
call. Everybody begins at 3 in each coordinate with step size 1 and takes what the rule's paper says. What RES with a deviation for each
coordinate is compared with is SNES, the cheapest rule that the peers have of that kind; with a full matrix, evosax's CMA-ES, and in
PyTorch matrix adaptation, since a CUDA graph takes no decomposition.
"""

import math
import time

import numpy as np

START, SIGMA, RATE = 3.0, 1.0, 1.0
#: The rules of evosax, by ours.
EVOSAX = {"res": "CMA_ES", "separable": "SNES", "snes": "SNES", "open_ai": "Open_ES", "separable_cma": "Sep_CMA_ES"}
#: Samples of a library without events.
SAMPLES = 5


def is_search(row):
    return row["kind"].startswith("search/")


def rule_and_function(row):
    return row["kind"].split("/")[1:]


def sphere(m, x):
    return (x * x).sum(-1)


def rastrigin(m, x):
    return 10 * x.shape[-1] + (x * x - 10 * m.cos(2 * math.pi * x)).sum(-1)


def ackley(m, x):
    return -20 * m.exp(-0.2 * m.sqrt((x * x).mean(-1))) - m.exp(m.cos(2 * math.pi * x).mean(-1)) + 20 + math.e


FUNCTIONS = {"sphere": sphere, "rastrigin": rastrigin, "ackley": ackley}
#: About the value of a candidate of the first generation: of the normal distribution around 3, divided by the coordinates but for ackley.
USUAL = {"sphere": 10.0, "rastrigin": 20.0, "ackley": 11.09}


def wrong_search(row, mean, scores):
    """What is wrong with a mean and the best scores of the first generation and of all, or None."""
    n, function = row["size"][1], rule_and_function(row)[1]
    mean, (first, best) = np.asarray(mean, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if mean.shape != (n,) or not np.isfinite([*mean, first, best]).all():
        return "a mean that is not finite, or of another length"
    usual = USUAL[function] * (1 if function == "ackley" else n)
    # Scores of a generation deviate by at most 0.62 / sqrt(n) of that, and the best of 16384 by four deviations.
    if abs(first / usual - 1) > 3 / math.sqrt(n):
        return f"the first generation has the score {first:.4g} and not some {usual:.4g}"
    return None if best < first else f"no generation is better than the first: {first:.6g}"


def counted(row, micros, call):
    """What is said of a row of searches besides its time."""
    if not is_search(row):
        return {}
    numbers = math.prod(row["size"]) * row["generations"]
    more = {"generation_us": micros / row["generations"], "giga_numbers": numbers / micros / 1e3}
    held = getattr(call, "held", {}).get("bytes")
    return more if held is None else more | {"call_bytes": held}


def snes(torch, row, state, function):
    """Wierstra et al., 2014, algorithm 6."""
    population, n = row["size"]
    ranks = torch.arange(1, population + 1, device=state.device, dtype=torch.float32)
    w = (math.log(population / 2 + 1) - torch.log(ranks)).clamp(min=0)
    w = w / w.sum() - 1 / population
    rate = 0.5 * (3 + math.log(n)) / (5 * math.sqrt(n))
    mean, deviation = state[0], state[1]

    def step(best):
        z = torch.randn(population, n, device=state.device)
        scores = function(torch, mean + deviation * z)
        u = torch.empty_like(w).index_put((torch.argsort(scores),), w)
        shift, growth = u @ z, u @ (z * z)
        mean.add_(deviation * shift)
        deviation.mul_(torch.exp(rate * growth))
        best.copy_(torch.minimum(best, scores.min()))

    return step


def open_ai(torch, row, state, function):
    """Salimans et al., 2017, with mirrored pairs and centred ranks."""
    population, n = row["size"]
    w = torch.linspace(0.5, -0.5, population, device=state.device)
    mean, deviation = state[0], state[1]

    def step(best):
        z = torch.randn(population // 2, n, device=state.device)
        y = deviation * z
        scores = torch.cat([function(torch, mean + y), function(torch, mean - y)])
        u = torch.empty_like(w).index_put((torch.argsort(scores),), w)
        mean.add_((u[: population // 2] - u[population // 2 :]) @ z * (RATE / (population * SIGMA)))
        best.copy_(torch.minimum(best, scores.min()))

    return step


def recombination(torch, row, state):
    """Weights of ranks and their mass; the rate and the damping of the path that sets the step size, and the expected length of noise."""
    population, n = row["size"]
    ranks = torch.arange(1, population + 1, device=state.device, dtype=torch.float32)
    w = (math.log(population / 2 + 0.5) - torch.log(ranks)).clamp(min=0)
    w = w / w.sum()
    mass = 1 / (w * w).sum().item()
    c_path = (mass + 2) / (n + mass + 5)
    damping = 1 + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1) + c_path
    return w, mass, c_path, damping, math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))


def separable_cma(torch, row, state, function):
    """Ros and Hansen, 2008; the step size by the length of its path."""
    population, n = row["size"]
    w, mass, c_path, damping, length = recombination(torch, row, state)
    c_shape = (4 + mass / n) / (n + 4 + 2 * mass / n)
    rank_one = 2 / ((n + 1.3) ** 2 + mass) * (n + 2) / 3
    rank_mu = min(1 - rank_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass) * (n + 2) / 3)
    mean, variance, path, shape_path, size = state[0], state[1], state[2], state[3], state[4]

    def step(best):
        z = torch.randn(population, n, device=state.device)
        y = torch.sqrt(variance) * z
        scores = function(torch, mean + size * y)
        u = torch.empty_like(w).index_put((torch.argsort(scores),), w)
        moved, squares = u @ y, u @ (y * y)
        mean.add_(size * moved)
        path.mul_(1 - c_path).add_(math.sqrt(c_path * (2 - c_path) * mass) * (u @ z))
        shape_path.mul_(1 - c_shape).add_(math.sqrt(c_shape * (2 - c_shape) * mass) * moved)
        variance.mul_(1 - rank_one - rank_mu).add_(rank_one * shape_path * shape_path + rank_mu * squares)
        size.mul_(torch.exp(c_path / damping * (torch.sqrt((path * path).sum()) / length - 1)))
        best.copy_(torch.minimum(best, scores.min()))

    return step


def matrix_adaptation(torch, row, state, function):
    """Beyer and Sendhoff, 2017 ("Simplify your covariance matrix adaptation evolution strategy"), by products alone."""
    population, n = row["size"]
    w, mass, c_path, damping, length = recombination(torch, row, state)
    rank_one = 2 / ((n + 1.3) ** 2 + mass)
    rank_mu = min(1 - rank_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
    # Of the matrix what it has beyond the identity, so that all of a state begins at zero but mean and step size.
    mean, path, size, beyond = state[0], state[2], state[4], state[5:]
    identity = torch.eye(n, device=state.device)

    def step(best):
        z = torch.randn(population, n, device=state.device)
        y = z + z @ beyond.T
        scores = function(torch, mean + size * y)
        u = torch.empty_like(w).index_put((torch.argsort(scores),), w)
        mean.add_(size * (u @ y))
        path.mul_(1 - c_path).add_(math.sqrt(c_path * (2 - c_path) * mass) * (u @ z))
        change = rank_one / 2 * (path[:, None] * path - identity) + rank_mu / 2 * ((z * u[:, None]).T @ z - identity)
        beyond.add_(change + beyond @ change)
        size.mul_(torch.exp(c_path / damping * (torch.sqrt((path * path).sum()) / length - 1)))
        best.copy_(torch.minimum(best, scores.min()))

    return step


def lines(row):
    """Rows of a state: mean, deviation, and what one rule or the other needs, of which the fifth is one number for all; then a matrix."""
    return 5 + (row["size"][1] if rule_and_function(row)[0] == "res" else 0)


RULES = {"res": matrix_adaptation, "separable": snes, "snes": snes, "open_ai": open_ai, "separable_cma": separable_cma}


def by_torch(torch, row, compiled=lambda step: step, device="cuda"):
    """All generations as replays of one CUDA graph of a generation, which `compiled` may have made of it."""
    rule, function = rule_and_function(row)
    held = {}

    def begin(state, best):
        best.fill_(math.inf)
        state.fill_(0.0)
        state[0].fill_(START)
        state[1].fill_(SIGMA)
        state[4].fill_(SIGMA)

    def capture():
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        state = torch.empty(lines(row), row["size"][1], device=device)
        best = torch.empty((), device=device)
        begin(state, best)
        step = compiled(RULES[rule](torch, row, state, FUNCTIONS[function]))
        side, current = torch.cuda.Stream(), torch.cuda.current_stream()
        side.wait_stream(current)
        with torch.cuda.stream(side):
            for _ in range(3):
                step(best)
        current.wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step(best)
        held.update(state=state, best=best, graph=graph, bytes=torch.cuda.max_memory_allocated() - before)

    def call():
        if not held:
            capture()
        state, best, graph = held["state"], held["best"], held["graph"]
        begin(state, best)
        graph.replay()
        first = best.clone()
        for _ in range(row["generations"] - 1):
            graph.replay()
        return state[0].clone(), torch.stack([first, best])

    call.held = held
    return call


class Evosax:
    """The evosax package under jit, all generations in one scan: no word passes between host and GPU meanwhile."""

    name = "evosax"

    def __init__(self):
        import evosax.algorithms
        import jax
        import optax

        # What it draws would be float64, and its products exact, where the rows of JAX before it want that.
        jax.config.update("jax_enable_x64", False)
        jax.config.update("jax_default_matmul_precision", None)
        self.jax, self.module, self.optax, self.algorithms = jax, jax.numpy, optax, evosax.algorithms

    def inputs(self, row, count, seed):
        return []

    def prepare(self, row, xs):
        return xs

    def call(self, row):
        if not is_search(row):
            return None
        jax, jnp, (population, n) = self.jax, self.module, row["size"]
        rule, function = rule_and_function(row)
        more = {"optimizer": self.optax.sgd(RATE)} if rule == "open_ai" else {}
        search = getattr(self.algorithms, EVOSAX[rule])(population_size=population, solution=jnp.zeros(n), **more)
        parameters, value = search.default_params, FUNCTIONS[function]

        def step(state, key):
            asked, told = jax.random.split(key)
            x, state = search.ask(asked, state, parameters)
            scores = value(jnp, x)
            state, _ = search.tell(told, x, scores, state, parameters)
            return state, scores.min()

        def run(state, keys):
            state, scores = jax.lax.scan(step, state, keys)
            return state.mean, jnp.stack([scores[0], scores.min()])

        state = search.init(jax.random.key(0), jnp.full(n, START), parameters)
        keys = jax.random.split(jax.random.key(1), row["generations"])
        made = jax.jit(run).lower(state, keys).compile()
        call = lambda: made(state, keys)
        asked = made.memory_analysis()
        call.held = {} if asked is None else {"bytes": asked.temp_size_in_bytes + asked.output_size_in_bytes}
        return call

    def host(self, x):
        return np.asarray(x)

    def wait(self):
        """What is timed waits for its own results."""

    def times(self, call, sets, row):
        times = []
        for k in range(SAMPLES + 2):
            start = time.perf_counter()
            self.jax.block_until_ready(call())
            if k > 1:
                times.append((time.perf_counter() - start) * 1e6)
        return times

    def rest(self):
        """Its memory goes back with its arrays."""
        self.jax.clear_caches()
