"""Calls of SciPy and scikit-learn that dispatch to the namespace of their arrays, each of arrays that `arrays` makes.

Run by itself this module prints, as JSON, what every call gave over States beside what it gave over NumPy's arrays: both libraries read at
import whether they dispatch, so that it needs a process of its own.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

import numpy as np
import sklearn
from scipy import cluster, differentiate, fft, integrate, linalg, ndimage, optimize, signal, spatial, special, stats
from scipy.cluster import hierarchy, vq
from scipy.optimize import elementwise
from scipy.spatial import distance, transform
from sklearn import calibration, decomposition, linear_model, mixture, model_selection, naive_bayes, pipeline
from sklearn import metrics as M
from sklearn import preprocessing as P
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.kernel_approximation import Nystroem

from syntonic import State

Call = tuple[Callable[..., Any], tuple[np.ndarray, ...]]

rng = np.random.default_rng(0)
X, Y, POSITIVE = rng.standard_normal((60, 4)), rng.standard_normal((60, 4)), rng.random((60, 3))
V, W, U = rng.standard_normal(30), rng.standard_normal(30), rng.random(30)
SQUARE = X.T @ X
LABELS, GUESSES = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
TRUTH, SAID, SCORE = rng.integers(0, 2, 60), rng.integers(0, 2, 60), rng.random(60)
TARGET = X @ np.array([1.0, 2.0, -1.0, 0.5]) + 0.1 * rng.standard_normal(60)
NEAR = TARGET + 0.2 * rng.standard_normal(60)
CHANCES = POSITIVE / POSITIVE.sum(1, keepdims=True)
MANY, OTHERS = rng.integers(0, 2, (60, 3)), rng.integers(0, 2, (60, 3))
CLASSES = (X[:, 0] + X[:, 1] > 0).astype(np.int64) + (X[:, 2] > 1)


def _named(module: Any, names: str, *arrays: np.ndarray) -> dict[str, Call]:
    prefix = module.__name__.rpartition(".")[2]
    return {f"{prefix}.{name}": (getattr(module, name), arrays) for name in names.split()}


def _statistics() -> dict[str, Call]:
    one = "skew kurtosis zscore sem kstat variation differential_entropy skewtest kurtosistest normaltest iqr describe"
    two = "pearsonr bartlett levene fligner linregress mannwhitneyu spearmanrho chatterjeexi brunnermunzel kruskal cramervonmises_2samp"
    limits = (-1.0, 1.0)
    return {
        **_named(stats, one, V),
        **_named(stats, "gmean hmean entropy circmean circvar circstd gstd gzscore chisquare", POSITIVE),
        **_named(stats, two, V, W),
        **_named(stats, "ttest_ind ttest_rel f_oneway zmap", X, Y),
        **_named(stats, "rankdata kstatvar jarque_bera lmoment", V),
        "stats.ttest_1samp": (lambda a: stats.ttest_1samp(a, 0.1), (X,)),
        "stats.moment": (lambda a: stats.moment(a, 3), (X,)),
        "stats.pmean": (lambda a: stats.pmean(a, 2), (POSITIVE,)),
        "stats.power_divergence": (lambda a: stats.power_divergence(a, lambda_=1.0), (POSITIVE,)),
        "stats.combine_pvalues": (lambda a: stats.combine_pvalues(a, axis=0), (POSITIVE,)),
        "stats.trim_mean": (lambda a: stats.trim_mean(a, 0.1), (X,)),
        "stats.quantile": (lambda a: stats.quantile(a, 0.3), (V,)),
        "stats.mode": (stats.mode, (np.round(X),)),
        "stats.directional_stats": (lambda a: stats.directional_stats(a).mean_direction, (X,)),
        "stats.boxcox_llf": (lambda a: stats.boxcox_llf(1.0, a), (U,)),
        "stats.wilcoxon": (lambda a, b: stats.wilcoxon(a, b, method="asymptotic"), (V, W)),
        "stats.friedmanchisquare": (stats.friedmanchisquare, (V, W, U)),
        **{
            f"stats.{name}": (lambda a, name=name: getattr(stats, name)(a, limits), (X,))
            for name in ("tmean", "tvar", "tstd", "tsem")
        },
    }


def _functions() -> dict[str, Call]:
    one = "erf erfc gammaln ndtr ndtri log_ndtr expit logit entr i0 i1 i0e i1e"
    two = "xlogy rel_entr gammainc gammaincc betaln kl_div"
    return {
        **_named(special, one, POSITIVE),
        **_named(special, two, POSITIVE, POSITIVE + 1),
        "special.logsumexp": (lambda a: special.logsumexp(a, axis=0), (X,)),
        "special.softmax": (lambda a: special.softmax(a, axis=1), (X,)),
        "special.log_softmax": (lambda a: special.log_softmax(a, axis=1), (X,)),
        "special.betainc": (lambda a: special.betainc(a + 1, a + 2, a), (POSITIVE,)),
    }


def _arrays() -> dict[str, Call]:
    return {
        **_named(signal, "convolve correlate fftconvolve oaconvolve", V, W),
        **_named(signal, "detrend hilbert envelope", V),
        "signal.medfilt": (lambda a: signal.medfilt(a, 3), (V,)),
        "signal.resample_poly": (lambda a: signal.resample_poly(a, 2, 1), (V,)),
        "signal.savgol_filter": (lambda a: signal.savgol_filter(a, 5, 2), (V,)),
        "vq.whiten": (vq.whiten, (X,)),
        "vq.vq": (lambda a, b: vq.vq(a, b[:4]), (X, Y)),
        "vq.kmeans": (lambda a, b: vq.kmeans(a, b[:4]), (X, Y)),
        "hierarchy.linkage": (hierarchy.linkage, (X,)),
        "hierarchy.cophenet": (lambda a: hierarchy.cophenet(hierarchy.linkage(a)), (X,)),
        "hierarchy.fcluster": (lambda a: hierarchy.fcluster(hierarchy.linkage(a), 1.0), (X,)),
        "ndimage.gaussian_filter": (lambda a: ndimage.gaussian_filter(a, 1), (X,)),
        "ndimage.median_filter": (lambda a: ndimage.median_filter(a, 3), (X,)),
        "ndimage.laplace": (ndimage.laplace, (X,)),
        "ndimage.zoom": (lambda a: ndimage.zoom(a, 2), (X,)),
        "ndimage.label": (lambda a: ndimage.label(a > 0), (X,)),
        "linalg.inv": (linalg.inv, (SQUARE,)),
        "linalg.expm": (linalg.expm, (SQUARE / 60,)),
        "fft.fft": (fft.fft, (V,)),
        "fft.irfft": (lambda a: fft.irfft(fft.rfft(a)), (V,)),
        "fft.dct": (fft.dct, (V,)),
        "integrate.trapezoid": (integrate.trapezoid, (V,)),
        "integrate.simpson": (integrate.simpson, (V,)),
        "integrate.cumulative_trapezoid": (integrate.cumulative_trapezoid, (V,)),
        "integrate.tanhsinh": (lambda a: integrate.tanhsinh(lambda q: q * q, a * 0.0, a * 0 + 1.0).integral, (V,)),
        "differentiate.derivative": (lambda a: differentiate.derivative(lambda q: q * q * q, a).df, (V,)),
        "elementwise.find_root": (lambda a: elementwise.find_root(lambda q: q**3 - 1.0, (a * 0.0, a * 0 + 2.0)).x, (V,)),
        "optimize.rosen": (optimize.rosen, (V,)),
        "Rotation": (lambda a: transform.Rotation.from_rotvec(a).as_matrix(), (POSITIVE,)),
        "distance.cdist": (distance.cdist, (X, Y)),
        "distance.pdist": (distance.pdist, (X,)),
    }


def _metrics() -> dict[str, Call]:
    classes = "accuracy_score balanced_accuracy_score cohen_kappa_score confusion_matrix zero_one_loss matthews_corrcoef"
    numbers = (
        "r2_score mean_squared_error mean_absolute_error max_error median_absolute_error explained_variance_score root_mean_squared_error"
        " d2_absolute_error_score mean_pinball_loss mean_absolute_percentage_error"
    )
    pairs = "cosine_similarity cosine_distances euclidean_distances linear_kernel rbf_kernel polynomial_kernel manhattan_distances laplacian_kernel"
    return {
        **_named(M, classes, LABELS, GUESSES),
        **_named(M, numbers, TARGET, NEAR),
        **_named(M, "mean_gamma_deviance mean_poisson_deviance mean_squared_log_error", abs(TARGET) + 0.1, abs(NEAR) + 0.1),
        **_named(M.pairwise, pairs, X, Y),
        **_named(M, "precision_recall_curve roc_curve roc_auc_score average_precision_score brier_score_loss det_curve", TRUTH, SCORE),
        **_named(M, "hamming_loss", MANY, OTHERS),
        **_named(M, "log_loss d2_log_loss_score", LABELS, CHANCES),
        **{
            f"metrics.{name}": (lambda a, b, name=name: getattr(M, name)(a, b, average="macro"), (LABELS, GUESSES))
            for name in ("f1_score", "jaccard_score", "precision_score", "recall_score")
        },
    }


def _estimators() -> dict[str, Call]:
    def fitted(make: Callable[[], Any], method: str) -> Callable[..., Any]:
        return lambda a, *b: getattr(make().fit(a, *b), method)(a)

    ridge = linear_model.Ridge(solver="svd")
    classifier = linear_model.RidgeClassifier(solver="svd")
    return {
        "PCA full": (fitted(lambda: decomposition.PCA(2, svd_solver="full", whiten=True), "transform"), (X,)),
        "PCA covariance": (fitted(lambda: decomposition.PCA(2, svd_solver="covariance_eigh"), "transform"), (X,)),
        "Ridge": (fitted(lambda: sklearn.clone(ridge), "predict"), (X, TARGET)),
        "RidgeCV": (fitted(linear_model.RidgeCV, "predict"), (X, TARGET)),
        "RidgeClassifier": (fitted(lambda: sklearn.clone(classifier), "predict"), (X, CLASSES)),
        "LogisticRegression": (fitted(linear_model.LogisticRegression, "predict"), (X, CLASSES)),
        "LinearDiscriminantAnalysis": (fitted(LinearDiscriminantAnalysis, "predict"), (X, CLASSES)),
        "GaussianNB": (fitted(naive_bayes.GaussianNB, "predict"), (X, CLASSES)),
        "GaussianMixture": (fitted(lambda: mixture.GaussianMixture(2, random_state=0, init_params="random"), "predict"), (X,)),
        "Nystroem": (fitted(lambda: Nystroem(n_components=10, random_state=0), "transform"), (X,)),
        "CalibratedClassifierCV": (
            fitted(lambda: calibration.CalibratedClassifierCV(sklearn.clone(classifier), method="temperature"), "predict_proba"),
            (X, CLASSES),
        ),
        **{
            name: (fitted(getattr(P, name), "transform"), (X,))
            for name in ("Binarizer", "MaxAbsScaler", "MinMaxScaler", "Normalizer", "StandardScaler", "PolynomialFeatures")
        },
        "KernelCenterer": (lambda a: P.KernelCenterer().fit_transform(a @ a.T), (X,)),
        "LabelEncoder": (lambda a: P.LabelEncoder().fit_transform(a), (LABELS,)),
        "LabelBinarizer": (lambda a: P.LabelBinarizer().fit_transform(a), (LABELS,)),
        "pipeline": (fitted(lambda: pipeline.make_pipeline(P.StandardScaler(), sklearn.clone(ridge)), "predict"), (X, TARGET)),
        "train_test_split": (lambda a, b: model_selection.train_test_split(a, b, random_state=0), (X, TARGET)),
        "cross_val_predict": (lambda a, b: model_selection.cross_val_predict(sklearn.clone(ridge), a, b), (X, TARGET)),
    }


def _flat(result: Any) -> list[Any]:
    """The numbers and arrays of a result."""
    if result is None or isinstance(result, str):
        return []
    if isinstance(result, (tuple, list)):
        return [one for item in result for one in _flat(item)]
    if hasattr(result, "statistic") and hasattr(result, "pvalue"):
        return [*_flat(result.statistic), *_flat(result.pvalue)]
    return [result]


def difference(call: Call) -> str | None:
    """What is different over States, or nothing. Iterations end within the tolerances of their own functions."""
    run, arrays = call
    want = _flat(run(*(a.copy() for a in arrays)))
    try:
        got = _flat(run(*(State(a) for a in arrays)))
        assert len(got) == len(want), f"{len(got)} results, not {len(want)}"
        for ours, theirs in zip(got, want, strict=True):
            np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-5, atol=1e-7)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).strip()[:300]}"
    return None


def table() -> dict[str, dict[str, Call]]:
    """The calls of both libraries."""
    return {
        "scipy": {**_statistics(), **_functions(), **_arrays()},
        "scikit-learn": {**_metrics(), **_estimators()},
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sklearn.set_config(array_api_dispatch=True)
    assert cluster and spatial
    json.dump({library: {name: difference(call) for name, call in calls.items()} for library, calls in table().items()}, sys.stdout)
