"""Handwritten digits without gradients: a phi-residual network whose weights are evolved by RES.

The 1,797 images of 8 x 8 pixels that scikit-learn ships, split 80/20. A network of phi-residual blocks, golden layer
norm and syntonic softmax; RES moves its weights, told nothing but the loss of each candidate.
Writes digits.safetensors, learning_curve.svg and learning_curve.png to the current folder, or to the one of --out.

A generation is one call of the loss, for all candidates together. On a GPU a generation of thirty leaves most of the card
idle: --population 1024 --evaluations 400000 is the same search with more candidates a generation.
"""

import argparse
import json
import pathlib
import time

import syntonic as syn
from syntonic import evolve, nn

PIXELS, WIDTH, BLOCKS, CLASSES = 64, 32, 2, 10
# Name and shape of every weight of the network, in the order in which they lie in RES's vector.
SHAPES = {"embed": (PIXELS + 1, WIDTH)}
for k in range(BLOCKS):
    SHAPES |= {f"block{k}": (WIDTH, WIDTH), f"block{k}_bias": (1, WIDTH)}
# The classes are equally frequent: the read-out needs no bias.
SHAPES |= {"read": (WIDTH, CLASSES)}
# Syntonic softmax weighs class i by e^(-norm_i/phi): a gentle slope, which the read-out learns to offset.
MODE_NORMS = [0.1 * i for i in range(CLASSES)]


def unpack(vectors):
    """[K, n] vectors as weights [K, rows, columns], all of them views."""
    weights, at = {}, 0
    for name, (rows, columns) in SHAPES.items():
        weights[name] = syn.reshape(vectors[:, at : at + rows * columns], (-1, rows, columns))
        at += rows * columns
    return weights


def network(weights, images):
    """Class probabilities [K, images, classes] of K networks."""
    # Read twice below, so written once; what is not evaluated is fused with what reads it.
    x = syn.matmul(images, weights["embed"])
    for k in range(BLOCKS):
        branch = syn.matmul(nn.layer_norm(nn.golden_gelu(x)), weights[f"block{k}"]) + weights[f"block{k}_bias"]
        # The phi-residual, x + branch / phi, in one pass with the bias.
        x = syn.fma_phi_inv(branch, x).eval()
    logits = syn.matmul(nn.layer_norm(x), weights["read"])
    return nn.syntonic_softmax(logits, mode_norms=syn.asarray(MODE_NORMS, dtype=x.dtype, device=x.device))


def pixels_and_classes(file=None):
    """Pixels from 0 to 16 and classes, from scikit-learn or from an archive of its arrays `data` and `target`."""
    if file is not None:
        archive = syn.load(file)
        return archive["data"], archive["target"]
    from sklearn import datasets

    data = datasets.load_digits()
    return syn.State(data.data), syn.State(data.target)


def load_digits(device, file=None, seed=0):
    """Images and their classes: train and test, shuffled by the seed."""
    data, target = pixels_and_classes(file)
    order = syn.random.Generator(seed).permutation(len(target))
    # A pixel that is always 1 carries the bias.
    pixels = syn.concat([data / 16.0, syn.ones((len(target), 1))], axis=1)
    images = syn.astype(pixels, "float32")[order].to(device)
    classes = syn.astype(target, "int64")[order].to(device)
    cut = len(target) * 4 // 5
    return (images[:cut], classes[:cut]), (images[cut:], classes[cut:])


def loss(vectors, images, classes):
    """Mean cross-entropy of each of K candidates, [K]."""
    chosen = syn.take_along_axis(network(unpack(vectors), images), classes[None, :, None], axis=-1)[..., 0]
    return syn.mean(-syn.log(chosen + 1e-12), axis=-1)


class Objective:
    """What RES asks: the losses of its candidates. Counts the seconds from candidates on the device to losses that are back
    from it, but of the first generation, which finds kernels and memory unprepared."""

    def __init__(self, images, classes, device):
        self.images, self.classes, self.device = images, classes, device
        self.seconds, self.evaluations, self.warm = 0.0, 0, False

    def here(self, vectors):
        return syn.astype(vectors, "float32").to(self.device)

    def __call__(self, candidates):
        vectors = self.here(candidates).eval()
        if vectors.device != "cpu":
            syn.cuda.synchronize()
        started = time.perf_counter()
        losses = loss(vectors, self.images, self.classes).cpu().eval()
        if self.warm:
            self.seconds += time.perf_counter() - started
            self.evaluations += len(losses)
        self.warm = True
        return losses

    def tflops(self):
        """2 x parameters x samples x evaluations in a second, in 10^12."""
        parameters = sum(rows * columns for rows, columns in SHAPES.values())
        return 2e-12 * parameters * len(self.images) * self.evaluations / self.seconds if self.seconds else 0.0


def accuracy(vector, images, classes):
    guesses = syn.argmax(network(unpack(vector[None, :]), images)[0], axis=-1)
    return round(float(syn.mean(syn.astype(guesses == classes, "float64"))), 4)


def first_weights(seed):
    """Normal weights whose products keep the size of what they multiply; biases of zero."""
    draw = syn.random.Generator(seed)
    return syn.concat([draw.normal((r * c,)) / r**0.5 if r > 1 else syn.zeros(c) for r, c in SHAPES.values()])


def plot(curve, folder):
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("no learning curve is drawn: matplotlib is not installed")
        return
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    evaluations, train, test = zip(*curve, strict=True)
    axes.plot(evaluations, train, color="#8a6d00", label="train")
    axes.plot(evaluations, test, color="#1f4e79", label="test")
    axes.set(xlabel="evaluations of the loss", ylabel="accuracy", ylim=(0.4, 1.02), title="Digits, evolved by RES")
    axes.legend(loc="lower right")
    figure.savefig(folder / "learning_curve.svg")
    figure.savefig(folder / "learning_curve.png", dpi=120)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a short run that shows that all parts work")
    parser.add_argument("--json", metavar="FILE", help="also write the result to FILE")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--population", type=int, metavar="K", help="candidates of a generation; RES chooses if not given")
    parser.add_argument("--evaluations", type=int, metavar="N", help="evaluations of the loss; 20,000 if not given")
    parser.add_argument("--data", metavar="FILE", help="an .npz with the arrays of scikit-learn's digits, data and target")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path, default=pathlib.Path(), help="where the files go")
    return parser.parse_args()


def main():
    options = arguments()
    started = time.monotonic()
    train, test = load_digits(options.device, options.data)
    objective, curve = Objective(*train, options.device), []
    search = evolve.RES(first_weights(seed=1), sigma=0.05, seed=1, population=options.population)

    def accuracies():
        centre = objective.here(search.centre)
        return accuracy(centre, *train), accuracy(centre, *test)

    def watch(record):
        if record["generation"] % 20 == 0:
            curve.append((record["evaluations"], *accuracies()))

    limit = options.evaluations or (2_000 if options.quick else 20_000)
    search.run(objective, evaluations=limit, callback=watch, progress=True)
    result = dict(zip(("train_accuracy", "test_accuracy"), accuracies(), strict=True))
    result |= {"evaluations": search.evaluations, "population": search.evaluations // max(search.generation, 1)}
    result |= {"seconds": round(time.monotonic() - started, 1), "device": options.device}
    result |= {"objective_seconds": round(objective.seconds, 3), "objective_tflops": round(objective.tflops(), 4)}
    centre = objective.here(search.centre)
    syn.save(options.out / "digits.safetensors", {name: w[0] for name, w in unpack(centre[None, :]).items()})
    plot(curve, options.out)
    for name, value in result.items():
        print(f"{name:>17}  {value}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file)


if __name__ == "__main__":
    main()
