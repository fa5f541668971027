"""Handwritten digits, twice: phi-residual networks evolved by RES, its separable variant, and trained by gradient.

The 1,797 images of 8 x 8 pixels that scikit-learn ships, split 80/20. Networks of phi-residual blocks and golden layer
norm: RES moves the weights of one, told nothing but the loss of each candidate; AdamW those of the other, along gradients.
Writes digits.safetensors, digits_by_gradient.safetensors, learning_curve.svg and learning_curve.png to the current folder, or
to the one of --out.

A generation is one call of the loss, for all candidates together, and the search lives where the images do. On a GPU a generation is
captured once and replayed as one launch. Thirty-two candidates leave most of a card idle: --population 1024 --evaluations 300000
is the same search with more candidates a generation.
"""

import argparse
import json
import math
import pathlib
import time

import syntonic as syn
from syntonic import evolve, nn

PIXELS, WIDTH, BLOCKS, CLASSES = 64, 32, 2, 10
# Name and shape of every weight of the network, in the order in which they lie in a candidate.
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


def network(weights, images, norms):
    """Class probabilities [K, images, classes] of K networks."""
    # Read twice below, so written once; what is not evaluated is fused with what reads it.
    x = syn.matmul(images, weights["embed"])
    for k in range(BLOCKS):
        branch = syn.matmul(nn.layer_norm(nn.golden_gelu(x)), weights[f"block{k}"]) + weights[f"block{k}_bias"]
        # The phi-residual, x + branch / phi, in one pass with the bias.
        x = syn.fma_phi_inv(branch, x).eval()
    logits = syn.matmul(nn.layer_norm(x), weights["read"])
    return nn.syntonic_softmax(logits, mode_norms=norms)


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


class Task:
    """The losses of candidates, on the device of its images, which is all that a search asks for."""

    def __init__(self, images, classes):
        self.images, self.classes = images, classes
        self.norms = syn.asarray(MODE_NORMS, dtype=images.dtype, device=images.device)
        self.wanted = syn.astype(classes[:, None] == syn.arange(CLASSES, device=images.device), images.dtype).eval()

    def __call__(self, vectors):
        """Mean cross-entropy of each of K candidates, [K]."""
        chosen = syn.sum(network(unpack(vectors), self.images, self.norms) * self.wanted, axis=-1)
        return syn.mean(-syn.log(chosen + 1e-12), axis=-1)

    def accuracy(self, vector):
        return self.share_of(network(unpack(vector[None, :]), self.images, self.norms)[0])

    def share_of(self, scores):
        """The part of the images whose class has the largest score, [images, classes]."""
        hits = syn.argmax(scores, axis=-1) == self.classes
        return round(float(syn.mean(syn.astype(hits, "float64"))), 4)


def first_weights(seed):
    """Normal weights whose products keep the size of what they multiply; biases of zero."""
    draw = syn.random.Generator(seed)
    return syn.concat([draw.normal((r * c,)) / r**0.5 if r > 1 else syn.zeros(c) for r, c in SHAPES.values()])


def modules(width, seed, device):
    """A network of the same kind as modules, which gradients are taken of."""
    settings = {"generator": syn.random.Generator(seed), "dtype": "float32", "device": device}

    def block():
        norm = nn.GoldenNorm(width, dtype="float32", device=device)
        return nn.PhiResidual(nn.Sequential(nn.golden_gelu, norm, nn.Linear(width, width, **settings)))

    return nn.Sequential(
        nn.Linear(PIXELS + 1, width, bias=False, **settings),
        *(block() for _ in range(BLOCKS)),
        nn.GoldenNorm(width, dtype="float32", device=device),
        nn.Linear(width, CLASSES, **settings),
    )


def cross_entropy(model, images, wanted):
    """Mean cross-entropy of a model, one number. `wanted` is 1 at the class of each image, else 0."""
    scores = model(images)
    return syn.mean(syn.logsumexp(scores, axis=-1) - syn.sum(scores * wanted, axis=-1))


def train_by_gradient(task, epochs, batch=64, width=64, seed=1):
    """A model after so many passes over the images of a task, and how many steps of AdamW they were."""
    model = modules(width, seed, task.images.device)
    count = len(task.images)
    steps = epochs * (count // batch)
    # Half a cosine: large steps first, and none in the end.
    optimizer = syn.optim.AdamW(lambda step: 2e-3 * (1 + math.cos(math.pi * step / steps)), weight_decay=0.05)
    state = optimizer.init(model)
    loss_and_gradient = syn.value_and_grad(cross_entropy)
    draw = syn.random.Generator(seed)
    for _ in range(epochs):
        order = draw.permutation(count).to(task.images.device)
        for start in range(0, count - batch + 1, batch):
            chosen = order[start : start + batch]
            images, wanted = task.images[chosen], task.wanted[chosen]
            # No image is seen twice as it was, so none is learnt by heart.
            images = images + 0.1 * draw.normal(images.shape, dtype=images.dtype, device=images.device)
            _, gradient = loss_and_gradient(model, images, wanted)
            model, state = optimizer.step(model, gradient, state)
    return model, steps


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


def print_table(result):
    """The two ways beside each other, and what else is known of the search."""
    trained = result["gradient"]
    print(f"{'':>15}{'work':>20}{'train accuracy':>16}{'test accuracy':>15}{'seconds':>9}")
    for name, work, found, seconds in (
        ("evolved by RES", f"{result['evaluations']:,} evaluations", result, result["search_seconds"]),
        ("by gradient", f"{trained['steps']:,} steps", trained, trained["seconds"]),
    ):
        print(f"{name:>15}{work:>20}{found['train_accuracy']:>16.4f}{found['test_accuracy']:>15.4f}{seconds:>9.2f}")
    print(f"on {result['device']}; the search had {result['population']} candidates a generation and did {result['search_tflops']} TFLOP/s")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a short run that shows that all parts work")
    parser.add_argument("--json", metavar="FILE", help="also write the result to FILE")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--population", type=int, metavar="K", default=32, help="candidates of a generation; 32 if not given")
    parser.add_argument("--evaluations", type=int, metavar="N", help="evaluations of the loss; 20,000 if not given")
    parser.add_argument("--data", metavar="FILE", help="an .npz with the arrays of scikit-learn's digits, data and target")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path, default=pathlib.Path(), help="where the files go")
    return parser.parse_args()


def main():
    options = arguments()
    started = time.monotonic()
    train, test = (Task(*part) for part in load_digits(options.device, options.data))
    start = syn.astype(first_weights(seed=1), "float32").to(options.device)
    search = evolve.DeviceSearch(start, sigma=0.05, seed=1, population=options.population, rule="separable")
    limit = options.evaluations or (2_000 if options.quick else 20_000)
    generations, curve = -(-limit // search.population), []
    watch, searching = max(generations // 30, 1), 0.0
    for done in range(0, generations, watch):
        before = time.monotonic()
        # On the CPU there is no launch to save.
        search.run(train, min(watch, generations - done), capture=options.device != "cpu")[-1].item()
        searching += time.monotonic() - before
        curve.append((search.generation * search.population, train.accuracy(search.mean), test.accuracy(search.mean)))
    result = dict(zip(("evaluations", "train_accuracy", "test_accuracy"), curve[-1], strict=True))
    result |= {"population": search.population}
    result |= {"seconds": round(time.monotonic() - started, 2), "search_seconds": round(searching, 3), "device": options.device}
    # 2 x parameters x images x evaluations in a second of the search, its first generation and its capture included.
    result |= {"search_tflops": round(2e-12 * len(search.mean) * len(train.images) * result["evaluations"] / searching, 4)}
    weights = unpack(search.mean[None, :])
    syn.save(options.out / "digits.safetensors", {name: w[0] for name, w in weights.items()})
    plot(curve, options.out)
    started = time.monotonic()
    model, steps = train_by_gradient(train, epochs=4 if options.quick else 40)
    accuracies = {name: task.share_of(model(task.images)) for name, task in (("train_accuracy", train), ("test_accuracy", test))}
    by_gradient = {"steps": steps} | accuracies | {"seconds": round(time.monotonic() - started, 2)}
    syn.save(options.out / "digits_by_gradient.safetensors", model.state_dict())
    result |= {"gradient": by_gradient}
    print_table(result)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file)


if __name__ == "__main__":
    main()
