"""What Python adds to transfer entropy: names, tables, plots, and estimators that are prepared once."""

import math
import warnings

import numpy as np
import pytest
import syntonic
from syntonic import information


@pytest.fixture
def series():
    x, noise = syntonic.State(np.random.default_rng(7).standard_normal((2, 400)))
    return x, syntonic.roll(x, 2) + noise


def test_delays_have_names_and_the_right_one_tells_most(series):
    found = syntonic.transfer_entropy(*series, delay=[1, 2, 3])
    assert list(found.to_dict()) == [1, 2, 3]
    assert max(found.to_dict(), key=found.to_dict().get) == 2
    assert found.table().splitlines()[1].startswith("2  ")


def test_a_prepared_estimator_gives_what_the_function_gives(series):
    x, y = series
    settings = {"k": 3, "target_history": 2, "surrogates": 9, "scheme": "blocks", "block": 10, "seed": 3, "jitter": 1e-6}
    plain = syntonic.transfer_entropy(x, y, **settings)
    for captured in (False, True):
        prepared = information.TransferEntropy(x, y, captured=captured, **settings)
        for _ in range(2):
            found = prepared(x, y)
            assert (found.value, found.surrogates, found.p_value) == (plain.value, plain.surrogates, plain.p_value)
        values = prepared.values(x, y)
        assert values.shape == (1, 10)
        assert values[0, 0].item() == plain.value
        with pytest.raises(syntonic.ArgumentError, match="prepared for"):
            prepared(x[:-1], y[:-1])
    graph = syntonic.Graph.capture(information.TransferEntropy(x, y, **settings).values, x, y)
    assert graph(x, y)[0, 0].item() == plain.value


def test_what_is_not_finite_is_nan_on_the_device_and_an_error_where_it_is_read(series):
    x, y = series
    prepared = information.TransferEntropy(x, y)
    broken = x / 0.0
    assert math.isnan(prepared.values(broken, y).item())
    with pytest.raises(syntonic.ArgumentError, match="NaN or an infinity"):
        prepared(broken, y)


@pytest.mark.filterwarnings("ignore::syntonic.information.TiesWarning")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounded_series_have_the_information_of_the_series(dtype):
    x, noise, other = np.random.default_rng(3).standard_normal((3, 2000))
    y, closed = 0.6 * x + 0.8 * noise, -0.5 * math.log(1 - 0.36)
    for parts in (64, 32, 16, 8, 4, 2):
        rounded = [syntonic.State(np.round(v * parts) / parts, dtype=dtype) for v in (x, y, other)]
        shared = information.mutual_information(*rounded[:2]).value
        # A spread of about 0.02 for so many points, and what the rounding loses.
        assert abs(shared - closed) < 0.06
        assert abs(information.mutual_information(rounded[0], rounded[2]).value) < 0.06
        # Eighths are exact in either type, and so are their sums with 3.
        moved = information.mutual_information(rounded[0] + 3.0, rounded[1]).value
        assert moved == pytest.approx(shared, abs=1e-12 if dtype == "float64" else 2e-3)
        # In units of the series: the noise is of their deviation.
        small = [v * 2.0**-40 for v in rounded[:2]]
        assert abs(information.mutual_information(*small, standardise=False).value - closed) < 0.06


def test_ties_are_counted_and_many_are_told_once():
    x, y = np.random.default_rng(3).standard_normal((2, 500))
    rounded = np.round(4 * x) / 4
    _, places, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    tied = int((counts[places] > 1).sum())
    few = y.copy()
    few[:50] = 0.0  # a tenth
    calls = [
        (lambda x, y, **k: syntonic.transfer_entropy(x, y, **k), "source"),
        (lambda x, y, **k: information.TransferEntropy(x, y, **k)(x, y), "source"),
        (lambda x, y, **k: information.mutual_information(x, y, **k), "x"),
        (lambda x, y, **k: information.conditional_mutual_information(x, y, y + x, **k), "x"),
        (lambda x, y, **k: information.transfer_entropy_matrix(np.stack([x, y]), **k), r"series \[0\]"),
    ]
    for call, name in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert call(x, few).ties[:2] == [0, 50]
            assert call(x.astype("float32"), y.astype("float32")).ties[:2] == [0, 0]
        for jitter, told in ((1e-8, "noise of 1e-08"), (0, "nothing parts them")):
            with pytest.warns(information.TiesWarning, match=f"of 500 samples.* {tied} of {name}; {told}") as all_told:
                assert call(rounded, y, jitter=jitter).ties[:2] == [tied, 0]
            assert [told.filename for told in all_told] == [__file__]
    pairs = np.stack([x, rounded])[:, None, :]
    with pytest.warns(information.TiesWarning, match=rf"{tied} of source \[1\], {tied} of target \[0\], {tied} of condition \[1\];"):
        found = syntonic.transfer_entropy(pairs, pairs[::-1].copy(), pairs)
    assert found.ties == [0, tied, tied, 0, 0, tied]


def test_the_result_names_the_scheme_that_ran(series):
    def made(**settings):
        found = syntonic.transfer_entropy(*series, k=2, **settings)
        return found.scheme, found.block

    assert made() == (None, None)
    assert made(surrogates=19) == ("shift", None)
    # There are 361 shifts by a twentieth of 399 points or more.
    assert (made(surrogates=360), made(surrogates=361)) == (("shift", None), ("blocks", 20))
    assert made(surrogates=2, scheme="permutation") == ("permutation", None)
    assert made(surrogates=2, scheme="blocks", block=7) == ("blocks", 7)
    matrix = information.transfer_entropy_matrix(syntonic.stack(list(series)), surrogates=3)
    assert matrix.scheme == "shift"


def test_p_values_of_independent_series_are_even_whatever_their_own_rhythm():
    generator = np.random.default_rng(1)
    for slope in (0.0, 0.9):
        rows = generator.standard_normal((2, 150, 250))
        for t in range(1, 250):
            rows[:, :, t] += slope * rows[:, :, t - 1]
        found = syntonic.transfer_entropy(*rows, surrogates=19)
        # 5 of 100, give or take 2; permutations reject 9 of 100 of the second.
        assert 0.0 < np.mean(np.array(found.p_values) <= 0.05) < 0.1


def test_several_variables_are_taken_together(series):
    x, y = series
    both = syntonic.stack([x, y])[None]
    found = syntonic.transfer_entropy(both, y[None, None], source_history=2)
    assert len(found.values) == 1
    with pytest.raises(syntonic.ShapeError, match="pairs"):
        syntonic.transfer_entropy(both, y[None])


def test_a_matrix_is_a_table(series):
    x, y = series
    rows = syntonic.stack([x, y, x + y])
    found = information.transfer_entropy_matrix(rows, delay=2, surrogates=4, k=3)
    lines = found.table(["left", "right", "sum"]).splitlines()
    assert [line.split()[0] for line in lines] == ["from", "left", "right", "sum"]
    assert f"{found.to_dict()[0, 1]:.4g}" in lines[1]
    assert lines[1].split()[1] == "-"
    with pytest.raises(syntonic.ArgumentError, match="2 names for 3 series"):
        found.table(["left", "right"])


def test_plots_show_what_was_found(series):
    pytest.importorskip("matplotlib")
    x, y = series
    rows = syntonic.stack([x, y, x + y])
    image = information.transfer_entropy_matrix(rows, k=3).plot()
    assert image.images[0].get_array().shape == (3, 3)
    line = syntonic.transfer_entropy(x, y, delay=[1, 2, 3]).plot()
    assert list(line.lines[0].get_xdata()) == [1, 2, 3]
    histogram = syntonic.transfer_entropy(x, y, surrogates=19).plot()
    assert sum(bar.get_height() for bar in histogram.patches) == 19
    assert histogram.plot is not None


@pytest.mark.parametrize("bad", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("n", [100, 129, 256])
def test_series_that_are_not_finite_are_refused_and_nothing_else(bad, n):
    x, y = np.random.default_rng(n).standard_normal((2, n))
    # The last points too: they share a leaf of the search with places that hold none.
    x[[3, n - 2]] = bad
    y[[5, n - 1]] = -bad
    for standardise in (True, False):
        for other in (x, np.zeros(n)):
            with pytest.raises(syntonic.ArgumentError, match="NaN or an infinity"):
                syntonic.transfer_entropy(other, y, standardise=standardise)
            with pytest.raises(syntonic.ArgumentError, match="NaN or an infinity"):
                information.mutual_information(y, other, standardise=standardise)
