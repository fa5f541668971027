"""A pole swung up and balanced without gradients: a policy network, evolved by SNES on a cart that the same tensors simulate.

A cart of 1 kg on a track carries a pole of 1 m that hangs down. A network of 113 weights sees place, speed, angle and turning speed and
pushes the cart with 10 N at most. All candidates of a generation drive their carts at the same time, [population, starts] numbers
a step, and the search lives on the same device: --device cuda --population 4096 is the same program. The mean of the search is
the policy; it is tried on sixteen starts, of which the search saw four.
"""

import argparse
import json
import time

import syntonic as syn
from syntonic import evolve

SEEN, HIDDEN = 5, 16
PARAMETERS = (SEEN + 1) * HIDDEN + HIDDEN + 1
# Kilogrammes, metres from the joint to the middle of the pole, metres and newtons by seconds.
CART, POLE, HALF, GRAVITY, FORCE = 1.0, 0.5, 0.5, 9.81, 10.0
# Seconds of a step, and steps of a run: eight seconds.
STEP, STEPS = 0.04, 200


def push(weights, state):
    """What a policy does with states (x, v, angle, turning), each [K, S]: forces [K, S] for weights [K, PARAMETERS]."""
    x, v, angle, turning = state
    seen = syn.stack([x / 2, v / 4, syn.cos(angle), syn.sin(angle), turning / 8, syn.ones_like(x)], axis=-1)
    at = (SEEN + 1) * HIDDEN
    first = syn.reshape(weights[:, :at], (-1, SEEN + 1, HIDDEN))
    second = syn.reshape(weights[:, at : at + HIDDEN], (-1, HIDDEN, 1))
    hidden = syn.tanh(syn.matmul(seen, first))
    return FORCE * syn.tanh(syn.matmul(hidden, second)[..., 0] + weights[:, at + HIDDEN :])


def move(state, force, step=STEP):
    """A step of the cart and its pole without friction (Florian, 2007): speeds first, then places by the new speeds."""
    x, v, angle, turning = state
    sine, cosine, whole = syn.sin(angle), syn.cos(angle), CART + POLE
    pull = (force + POLE * HALF * turning * turning * sine) / whole
    spin = (GRAVITY * sine - cosine * pull) / (HALF * (4 / 3 - POLE * cosine * cosine / whole))
    turning = turning + step * spin
    v = v + step * (pull - POLE * HALF * spin * cosine / whole)
    return [part.eval() for part in (x + step * v, v, angle + step * turning, turning)]


def energy(state):
    """Of a cart and its pole, which no force changes."""
    _, v, angle, turning = state
    swing = HALF * turning
    moving = 0.5 * (CART + POLE) * v * v + POLE * v * swing * syn.cos(angle) + POLE * swing * swing * 2 / 3
    return moving + POLE * GRAVITY * HALF * syn.cos(angle)


def hanging(policies, starts, device):
    """States of so many carts, the poles within half a radian of hanging down: [policies, starts], the same for each policy."""
    lean = syn.linspace(-0.5, 0.5, starts, dtype="float32").to(device)
    zero = syn.zeros((policies, starts), dtype="float32", device=device)
    return [zero, zero, zero + lean + 3.14159265, zero]


def drive(weights, starts):
    """Mean cost and share of the last two seconds upright, each [K]: 0 for a pole that stands in the middle all the time."""
    state = hanging(weights.shape[0], starts, weights.device)
    cost, upright, last = 0.0, 0.0, round(2 / STEP)
    for k in range(STEPS):
        state = move(state, push(weights, state))
        height = syn.cos(state[2])
        # A run that ends upright counts more than one that is there soon.
        cost = (cost + (1 - height + 0.1 * state[0] * state[0]) * (0.5 + k / STEPS)).eval()
        if k >= STEPS - last:
            upright = (upright + syn.astype(height > 0.95, "float32")).eval()
    return syn.mean(cost, axis=-1) / STEPS, syn.mean(upright, axis=-1) / last


def evolved(generations, population, device="cpu", seed=1, starts=4, progress=False):
    """A search after so many generations."""
    start = syn.zeros(PARAMETERS, dtype="float32").to(device)
    search = evolve.DeviceSearch(start, 0.5, population, rule="snes", seed=seed)
    for k in range(generations):
        search.step(lambda weights: drive(weights, starts)[0])
        if progress and (k + 1) % 25 == 0:
            print(f"generation {k + 1:4}  best cost {search.best[1].item():.4f}", flush=True)
    return search


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--generations", type=int, default=250)
    parser.add_argument("--population", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="also write the result to FILE")
    return parser.parse_args()


def main():
    options = arguments()
    started = time.monotonic()
    search = evolved(options.generations, options.population, options.device, options.seed, progress=True)
    seconds = time.monotonic() - started
    cost, upright = drive(search.mean[None, :], 16)
    result = {"cost": round(cost.item(), 4), "upright": round(upright.item(), 4), "seconds": round(seconds, 1)}
    result |= {"evaluations": options.generations * options.population, "device": options.device}
    for name, value in result.items():
        print(f"{name:>17}  {value}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file)


if __name__ == "__main__":
    main()
