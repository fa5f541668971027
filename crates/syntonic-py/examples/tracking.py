"""Thrown balls tracked from noisy positions by descent on the free energy, beside the Kalman filter.

Balls fly for two seconds through air that brakes them and in gusts; a camera sees where each is twenty times a second, to half a metre.
The tracker knows gravity and no drag, which it takes for noise of the acceleration. Its belief is a Gaussian of place and speed. All balls
are tracked at once: `infer.belief_update` steps their means down the free energy, whose value per step, from `infer.free_energy`, says how
surprising an observation was. `--device cuda --balls 100000` is the same program.
"""

import argparse
import math

import syntonic as syn
from syntonic import infer

# Seconds of a step and steps; metres by seconds squared; metres that the camera is off; what drag takes by metre; speeds that gusts add.
STEP, STEPS, GRAVITY, OFF, DRAG, GUST = 0.05, 40, 9.81, 0.5, 0.02, 0.1
# What the tracker takes for the deviation of accelerations, of places and of speeds at the start.
PUSH, START, SPEED = 6.0, 1.0, 5.0


def thrown(balls, seed=1, device="cpu"):
    """True states (x, y, vx, vy) `[STEPS, balls, 4]` and what the camera sees `[STEPS, balls, 2]`."""
    draw = syn.random.Generator(seed)
    place = syn.zeros((balls, 2))
    speed = syn.asarray([12.0, 14.0]) + SPEED * draw.normal((balls, 2))
    down, states = syn.asarray([0.0, -GRAVITY]), []
    for _ in range(STEPS):
        pace = syn.sqrt((speed * speed).sum(axis=-1, keepdims=True))
        speed = speed + STEP * (down - DRAG * pace * speed) + GUST * draw.normal((balls, 2))
        place = (place + STEP * speed).eval()
        states.append(syn.concat([place, speed], axis=-1))
    states = syn.stack(states)
    seen = states[..., :2] + OFF * draw.normal((STEPS, balls, 2))
    return states.to(device), seen.to(device)


def model(device="cpu"):
    """What the tracker knows: a step of states, what gravity adds, the noise of a step, what is seen of a state, and the belief at first."""
    still, turned = syn.eye(2), syn.zeros((2, 2))
    move = syn.concat([syn.concat([still, STEP * still], axis=1), syn.concat([turned, still], axis=1)], axis=0)
    fall = syn.asarray([0.0, -GRAVITY * STEP * STEP / 2, 0.0, -GRAVITY * STEP])
    push = syn.concat([STEP * STEP / 2 * still, STEP * still], axis=0)
    noise = PUSH * PUSH * push @ push.T
    shown = syn.concat([still, turned], axis=1)
    mean = syn.asarray([0.0, 0.0, 12.0, 14.0])
    spread = syn.asarray([START**2, START**2, SPEED**2, SPEED**2]) * syn.eye(4)
    return [part.to(device) for part in (move, fall, noise, shown, mean, spread)]


def tracked(seen):
    """Means `[STEPS, balls, 4]`, deviations of them `[STEPS, 4]` and free energies `[STEPS, balls]` by active inference.

    A belief of infer has variances alone. So it is one of coordinates z, with state = predicted + basis z, in which neither the prior nor the
    posterior has a covariance: the prior is of variance 1, and the posterior of 1 / (1 + bend) along the directions that the camera tells apart.
    """
    move, fall, noise, shown, mean, spread = model(seen.device)
    precision = syn.full((2,), OFF**-2, device=seen.device)
    none, one = syn.zeros((4,), device=seen.device), syn.ones((4,), device=seen.device)
    means, deviations, energies = [], [], []
    for observation in seen:
        predicted, spread = mean @ move.T + fall, move @ spread @ move.T + noise
        root = syn.linalg.cholesky(spread)
        bend, turn = syn.linalg.eigh((shown @ root).T @ (shown @ root) / OFF**2)
        basis, bend = root @ turn, syn.maximum(bend, 0.0)
        jacobian, reference = shown @ basis, predicted @ shown.T
        start = syn.zeros((seen.shape[1], 4), device=seen.device)
        rate = 2 / (2 + syn.max(bend).item())
        found = infer.belief_update(
            start, jacobian, observation, precision, prior_mean=none, prior_precision=one, reference=reference, rate=rate, steps=400, tolerance=1e-13
        )
        z, variance = found.mean, 1 / (1 + bend)
        energy = infer.free_energy(z, none, variance, one, observation, reference + z @ jacobian.T, precision, jacobian=jacobian)
        mean, spread = (predicted + z @ basis.T).eval(), (basis * variance @ basis.T).eval()
        means.append(mean)
        deviations.append(syn.sqrt(syn.linalg.diagonal(spread)))
        energies.append(energy.free_energy)
    return syn.stack(means), syn.stack(deviations), syn.stack(energies)


def kalman(seen):
    """The same by the equations of Kalman (1960), with minus the logarithm of how probable each observation was."""
    move, fall, noise, shown, mean, spread = model(seen.device)
    means, surprises = [], []
    for observation in seen:
        mean, spread = mean @ move.T + fall, move @ spread @ move.T + noise
        expected = shown @ spread @ shown.T + OFF**2 * syn.eye(2, device=seen.device)
        apart, gain = observation - mean @ shown.T, spread @ shown.T @ syn.linalg.inv(expected)
        distance = (apart @ syn.linalg.inv(expected) * apart).sum(axis=-1)
        surprises.append(0.5 * (distance + syn.log(syn.linalg.det(expected)) + 2 * math.log(2 * math.pi)))
        mean, spread = (mean + apart @ gain.T).eval(), (spread - gain @ shown @ spread).eval()
        means.append(mean)
    return syn.stack(means), syn.stack(surprises)


def error(places, states):
    """The root of the mean square distance from where balls are, in metres."""
    apart = places[..., :2] - states[..., :2]
    return math.sqrt((apart * apart).sum(axis=-1).mean().item())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--balls", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    states, seen = thrown(options.balls, options.seed, options.device)
    (means, deviations, energies), (exact, surprises) = tracked(seen), kalman(seen)
    print("seconds  seen m  tracked m  Kalman m  believed m  free energy  Kalman's")
    for k in range(0, STEPS, 3):
        off = [error(places[k], states[k]) for places in (seen, means, exact)]
        believed = math.hypot(*deviations[k, :2].tolist())
        energy, surprise = energies[k].mean().item(), surprises[k].mean().item()
        print(f"{STEP * (k + 1):7.2f}{off[0]:8.3f}{off[1]:11.3f}{off[2]:10.3f}{believed:12.3f}{energy:13.4f}{surprise:10.4f}")
    print(f"all steps: seen {error(seen, states):.4f} m, tracked {error(means, states):.4f} m, Kalman {error(exact, states):.4f} m")


if __name__ == "__main__":
    main()
