"""Three classic control problems without gradients: RES moves the weights of small networks that drive a pendulum, a cart and an acrobot.

The dynamics and rewards are those of Gymnasium's Pendulum-v1, CartPole-v1 and Acrobot-v1 (M. Towers et al., "Gymnasium: a standard interface
for reinforcement learning environments", arXiv:2407.17032), written for tensors `[policies, starts]`: every policy of a
generation is tried from every start at the same time. A cost is a reward with the other sign, summed over a run and averaged over the starts.

RES begins at weights of zero and is told nothing but costs. The policy that it found is tried from starts that the search never saw.
`--device cuda --population 1024` is the same search by `DeviceSearch`, on a GPU.
"""

import argparse
import json
import math
import time

import syntonic as syn
from syntonic import evolve


def between(x, least, most):
    return syn.minimum(syn.maximum(x, least), most)


def turned(angle):
    """The same angle between -pi and pi."""
    return syn.remainder(angle + math.pi, 2 * math.pi) - math.pi


class Pendulum:
    """A rod of 1 m and 1 kg that a torque of 2 N m at most has to swing up and hold; the cost is that of angle, speed and torque."""

    STEPS, STEP, GRAVITY = 200, 0.05, 10.0
    SEEN, WIDTH = 3, (math.pi, 1.0)

    @staticmethod
    def seen(state):
        angle, speed = state
        return [syn.cos(angle), syn.sin(angle), speed / 8]

    @classmethod
    def move(cls, state, output):
        """The next state, and what the step costs."""
        angle, speed = state
        torque = 2 * syn.tanh(output)
        off = turned(angle)
        cost = off * off + 0.1 * speed * speed + 0.001 * torque * torque
        speed = between(speed + cls.STEP * (1.5 * cls.GRAVITY * syn.sin(angle) + 3 * torque), -8.0, 8.0)
        return (angle + cls.STEP * speed, speed), cost


class CartPole:
    """A cart that is pushed to the left or to the right, with a pole to balance; the cost is the number of steps without it."""

    STEPS, STEP, GRAVITY = 500, 0.02, 9.8
    SEEN, WIDTH = 4, (0.05, 0.05, 0.05, 0.05)
    CART, POLE, HALF = 1.0, 0.1, 0.5

    @staticmethod
    def seen(state):
        x, v, angle, turning = state
        return [x / 2.4, v / 2, angle * 5, turning / 2]

    @classmethod
    def move(cls, state, output):
        x, v, angle, turning = state
        force = 10 * syn.where(output > 0, 1.0, -1.0)
        sine, cosine, whole = syn.sin(angle), syn.cos(angle), cls.CART + cls.POLE
        pull = (force + cls.POLE * cls.HALF * turning * turning * sine) / whole
        spin = (cls.GRAVITY * sine - cosine * pull) / (cls.HALF * (4 / 3 - cls.POLE * cosine * cosine / whole))
        push = pull - cls.POLE * cls.HALF * spin * cosine / whole
        # Places move by the speeds before the step.
        x, v, angle, turning = x + cls.STEP * v, v + cls.STEP * push, angle + cls.STEP * turning, turning + cls.STEP * spin
        lost = syn.logical_or(syn.abs(x) > 2.4, syn.abs(angle) > math.radians(12))
        # A lost cart waits outside for the end of the run.
        return (syn.where(lost, 3.0, x), syn.where(lost, 0.0, v), angle, syn.where(lost, 0.0, turning)), syn.where(lost, 1.0, 0.0)


class Acrobot:
    """Two links that hang; a torque of 1 N m between them has to bring the end a link's length above the joint; the cost is the number of
    steps until then."""

    STEPS, STEP, GRAVITY = 500, 0.2, 9.8
    SEEN, WIDTH = 6, (0.1, 0.1, 0.1, 0.1)

    @staticmethod
    def seen(state):
        first, second, turning, bending = state
        return [syn.cos(first), syn.sin(first), syn.cos(second), syn.sin(second), turning / 4, bending / 8]

    @classmethod
    def slopes(cls, state, torque):
        """How fast a state changes (Sutton and Barto, "Reinforcement learning", 1998): links of 1 kg, 1 m and an inertia of 1 kg m²."""
        first, second, turning, bending = state
        cosine, sine = syn.cos(second), syn.sin(second)
        d1 = 0.25 + (1.25 + cosine) + 2
        d2 = 0.25 + 0.5 * cosine + 1
        pull2 = 0.5 * cls.GRAVITY * syn.sin(first + second)
        pull1 = 1.5 * cls.GRAVITY * syn.sin(first) + pull2 - (0.5 * bending * bending + bending * turning) * sine
        bend = (torque + d2 / d1 * pull1 - 0.5 * turning * turning * sine - pull2) / (1.25 - d2 * d2 / d1)
        return turning, bending, -(d2 * bend + pull1) / d1, bend

    @classmethod
    def move(cls, state, output):
        torque = syn.where(output > 0.5, 1.0, syn.where(output < -0.5, -1.0, 0.0))
        before = cls.is_up(state)
        # One step of the classical Runge-Kutta method.
        k1 = cls.slopes(state, torque)
        k2 = cls.slopes([(x + cls.STEP / 2 * k).eval() for x, k in zip(state, k1, strict=True)], torque)
        k3 = cls.slopes([(x + cls.STEP / 2 * k).eval() for x, k in zip(state, k2, strict=True)], torque)
        k4 = cls.slopes([(x + cls.STEP * k).eval() for x, k in zip(state, k3, strict=True)], torque)
        moved = [x + cls.STEP / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4, strict=True)]
        first, second, turning, bending = moved
        moved = (
            turned(first),
            turned(second),
            between(turning, -4 * math.pi, 4 * math.pi),
            between(bending, -9 * math.pi, 9 * math.pi),
        )
        # Whoever is up stays where he is.
        moved = [syn.where(before, x, new).eval() for x, new in zip(state, moved, strict=True)]
        return moved, syn.where(cls.is_up(moved), 0.0, 1.0)

    @staticmethod
    def is_up(state):
        first, second = state[:2]
        return -syn.cos(first) - syn.cos(first + second) > 1


PROBLEMS = {"pendulum": Pendulum, "cartpole": CartPole, "acrobot": Acrobot}


class Task:
    """The costs of candidates: weights of networks with one hidden layer, or of linear policies where it has no units."""

    def __init__(self, problem, hidden=8, starts=8, seed=1, device="cpu"):
        self.problem, self.hidden = problem, hidden
        drawn = syn.random.Generator(seed).uniform((len(problem.WIDTH), 1, starts), -1.0, 1.0)
        self.starts = [(width * row).to(device) for width, row in zip(problem.WIDTH, drawn, strict=True)]
        inputs = problem.SEEN + 1
        self.parameters = inputs * hidden + hidden + 1 if hidden else inputs

    def output(self, weights, seen):
        """What the policies say to what they see, [K, S, inputs]; the last input is always 1."""
        inputs = self.problem.SEEN + 1
        if not self.hidden:
            return syn.matmul(seen, syn.reshape(weights, (-1, inputs, 1)))[..., 0]
        at = inputs * self.hidden
        layer = syn.tanh(syn.matmul(seen, syn.reshape(weights[:, :at], (-1, inputs, self.hidden))))
        last = syn.reshape(weights[:, at:-1], (-1, self.hidden, 1))
        return syn.matmul(layer, last)[..., 0] + weights[:, -1:]

    def __call__(self, weights):
        """The mean cost of each row of weights, [K]."""
        rows = syn.zeros_like(weights[:, :1])
        state = [rows + syn.astype(start, weights.dtype) for start in self.starts]
        total = syn.zeros_like(state[0])
        for _ in range(self.problem.STEPS):
            seen = self.problem.seen(state)
            seen = syn.stack([*seen, syn.ones_like(seen[0])], axis=-1)
            state, cost = self.problem.move(state, self.output(weights, seen))
            state = [part.eval() for part in state]
            total = (total + cost).eval()
        return syn.mean(total, axis=-1)


def evolved(task, evaluations, sigma=1.0, seed=1, population=None, device="cpu", progress=False):
    """The best weights that a search found, and their cost: RES on the CPU, or by the same rule on another device."""
    if device == "cpu":
        search = evolve.RES(syn.zeros(task.parameters), sigma=sigma, seed=seed, population=population)
        outcome = search.run(task, evaluations=evaluations, progress=progress)
        return outcome.best, outcome.value
    population = population or 1024
    start = syn.zeros(task.parameters).to(device)
    search = evolve.DeviceSearch(start, sigma, population, rule="res", seed=seed)
    for _ in range(evaluations // population):
        search.step(task)
    best, cost = search.best
    return best, cost.item()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--evaluations", type=int, default=6000)
    parser.add_argument("--hidden", type=int, default=8)
    parser.add_argument("--starts", type=int, default=8)
    parser.add_argument("--population", type=int)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="also write the results to FILE")
    return parser.parse_args()


def main():
    given = arguments()
    results = {}
    for name in given.problems.split(","):
        problem = PROBLEMS[name]
        started = time.monotonic()
        task = Task(problem, given.hidden, given.starts, given.seed, given.device)
        best, cost = evolved(task, given.evaluations, 1.0, given.seed, given.population, given.device)
        seconds = time.monotonic() - started
        others = Task(problem, given.hidden, 64, given.seed + 1, given.device)
        row = {"cost": round(cost, 1), "cost of other starts": round(others(best[None, :]).item(), 1), "seconds": round(seconds, 1)}
        results[name] = row
        print(f"{name:>9}  {row}", flush=True)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(results, file)


if __name__ == "__main__":
    main()
