"""Handwritten digits without gradients: a phi-residual network whose weights are evolved by RES.

The 1,797 images of 8 x 8 pixels that scikit-learn ships, split 80/20. A network of phi-residual blocks, golden layer
norm and syntonic softmax; RES moves its weights, told nothing but the loss of each candidate.
Writes digits.safetensors, learning_curve.svg and learning_curve.png to the current folder.
"""

import argparse
import json
import time

import syntonic as syn
from syntonic import evolve, nn

PIXELS, WIDTH, BLOCKS, CLASSES = 64, 32, 2, 10
# Name and shape of every weight of the network, in the order in which they lie in RES's vector.
SHAPES = {"embed": (PIXELS, WIDTH), "embed_bias": (1, WIDTH)}
for k in range(BLOCKS):
    SHAPES |= {f"block{k}": (WIDTH, WIDTH), f"block{k}_bias": (1, WIDTH)}
SHAPES |= {"read": (WIDTH, CLASSES), "read_bias": (1, CLASSES)}
# Syntonic softmax weighs class i by e^(-norm_i/phi): a gentle slope, which the read-out learns to offset.
MODE_NORMS = [0.1 * i for i in range(CLASSES)]


def unpack(vectors):
    """[K, n] vectors as weights [K, rows, columns]."""
    weights, at = {}, 0
    for name, (rows, columns) in SHAPES.items():
        weights[name] = syn.reshape(vectors[:, at : at + rows * columns], (-1, rows, columns))
        at += rows * columns
    return weights


def network(weights, images):
    """Class probabilities [K, images, classes] of K networks."""
    x = syn.matmul(images, weights["embed"]) + weights["embed_bias"]
    for k in range(BLOCKS):
        branch = syn.matmul(nn.layer_norm(nn.golden_gelu(x)), weights[f"block{k}"]) + weights[f"block{k}_bias"]
        x = nn.phi_residual(x, branch)
    logits = syn.matmul(nn.layer_norm(x), weights["read"]) + weights["read_bias"]
    return nn.syntonic_softmax(logits, mode_norms=syn.asarray(MODE_NORMS, dtype=x.dtype, device=x.device))


def load_digits(device, seed=0):
    """Images and one-hot labels: train and test, shuffled by the seed."""
    from sklearn import datasets

    data = datasets.load_digits()
    order = syn.random.Generator(seed).permutation(len(data.target))
    images = syn.astype(syn.State(data.data, device=device) / 16.0, "float32")[order]
    labels = syn.astype(syn.State(data.target, device=device)[order][:, None] == syn.arange(CLASSES), "float32")
    cut = len(data.target) * 4 // 5
    return (images[:cut], labels[:cut]), (images[cut:], labels[cut:])


def loss(vectors, images, labels):
    """Mean cross-entropy of each of K candidates, [K]."""
    chosen = syn.sum(network(unpack(vectors), images) * labels, axis=-1)
    return syn.mean(-syn.log(chosen + 1e-12), axis=-1)


def accuracy(vector, images, labels):
    guesses = syn.argmax(network(unpack(vector[None, :]), images)[0], axis=-1)
    return round(float(syn.mean(syn.astype(guesses == syn.argmax(labels, axis=-1), "float64"))), 4)


def first_weights(seed):
    """Normal weights whose products keep the size of what they multiply; biases of zero."""
    draw = syn.random.Generator(seed)
    return syn.concat([draw.normal((r * c,)) / r**0.5 if r > 1 else syn.zeros(c) for r, c in SHAPES.values()])


def plot(curve):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    evaluations, train, test = zip(*curve, strict=True)
    axes.plot(evaluations, train, color="#8a6d00", label="train")
    axes.plot(evaluations, test, color="#1f4e79", label="test")
    axes.set(xlabel="evaluations of the loss", ylabel="accuracy", ylim=(0.4, 1.02), title="Digits, evolved by RES")
    axes.legend(loc="lower right")
    figure.savefig("learning_curve.svg")
    figure.savefig("learning_curve.png", dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a short run that shows that all parts work")
    parser.add_argument("--json", metavar="FILE", help="also write the result to FILE")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    started = time.monotonic()
    train, test = load_digits(options.device)
    search, curve = evolve.RES(first_weights(seed=1), sigma=0.05, seed=1), []

    def here(vectors):
        return syn.astype(vectors, "float32").to(options.device)

    def watch(record):
        if record["generation"] % 20 == 0:
            curve.append((record["evaluations"], *(accuracy(here(search.centre), *part) for part in (train, test))))

    limit = 2_000 if options.quick else 20_000
    search.run(lambda x: loss(here(x), *train), evaluations=limit, callback=watch, progress=True)
    centre = here(search.centre)
    result = {"train_accuracy": accuracy(centre, *train), "test_accuracy": accuracy(centre, *test)}
    result |= {"evaluations": search.evaluations, "seconds": round(time.monotonic() - started, 1), "device": options.device}
    syn.save("digits.safetensors", {name: w[0] for name, w in unpack(centre[None, :]).items()})
    plot(curve)
    for name, value in result.items():
        print(f"{name:>16}  {value}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file)


if __name__ == "__main__":
    main()
