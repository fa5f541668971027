"""Layers of golden networks: phi-residual, golden norms, syntonic softmax, activations, and attention."""

from __future__ import annotations

from enum import Enum

from syntonic import _attention, _core, _modules, _rows
from syntonic._attention import *  # noqa: F403
from syntonic._elementwise import (
    elu,
    gelu,
    gelu_erf,
    leaky_relu,
    log_sigmoid,
    mish,
    relu,
    sigmoid,
    silu,
    softplus,
)
from syntonic._modules import *  # noqa: F403
from syntonic._rows import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike, DeviceLike

__all__ = [
    "BatchNormState",
    "GoldenNormMode",
    "PhiResidualMode",
    "SyntonicSoftmaxMode",
    "elu",
    "gelu",
    "gelu_erf",
    "golden_batch_norm_1d",
    "golden_batch_norm_1d_backward",
    "golden_batch_norm_2d",
    "golden_batch_norm_2d_backward",
    "golden_gelu",
    "golden_gelu_backward",
    "layer_norm",
    "layer_norm_backward",
    "leaky_relu",
    "linear",
    "linear_backward",
    "log_sigmoid",
    "mish",
    "phi_residual",
    "phi_residual_backward",
    "phi_residual_gelu",
    "phi_residual_layer_norm",
    "phi_residual_layer_norm_backward",
    "phi_residual_relu",
    "relu",
    "sigmoid",
    "silu",
    "softmax",
    "softmax_backward",
    "softplus",
    "syntonic_softmax",
    "syntonic_softmax_backward",
    "syntonic_softmax_gradients",
]
__all__ += _attention.__all__
__all__ += _modules.__all__
__all__ += _rows.__all__


class PhiResidualMode(Enum):
    """How the residual joins the identity."""

    PHI = "phi"
    """x + r/phi."""
    PHI_SYMMETRIC = "phi_symmetric"
    """(x + r)/phi."""
    STANDARD = "standard"
    """x + r."""


class SyntonicSoftmaxMode(Enum):
    """Where the weights of the classes come from."""

    LEARNED = "learned"
    """From mode norms: w_i = e^(-|n_i|^2/phi)."""
    PROVIDED = "provided"
    """From the caller, one weight for each element."""
    IDENTITY = "identity"
    """All 1: the ordinary softmax."""


class GoldenNormMode:
    """The variance a norm aims at: GoldenNormMode("golden") is 1/phi, "standard" is 1, custom(v) any positive number."""

    GOLDEN: GoldenNormMode
    STANDARD: GoldenNormMode
    name: str
    target_variance: float

    def __init__(self, name: str = "golden") -> None:
        if not isinstance(name, str) or name not in ("golden", "standard"):
            raise _core.ArgumentError(
                f'GoldenNormMode: {name!r:.40} is unknown; hint: "golden", "standard", or GoldenNormMode.custom(variance)'
            )
        self.name = name
        self.target_variance = _core.INV_PHI if name == "golden" else 1.0

    @classmethod
    def custom(cls, variance: float) -> GoldenNormMode:
        """Any positive variance."""
        if not 0.0 < _number(variance) < float("inf"):
            raise _core.ArgumentError(f"GoldenNormMode: custom: variance {variance!r:.40} is not a positive number")
        mode = cls("standard")
        mode.name, mode.target_variance = "custom", float(variance)
        return mode

    def __repr__(self) -> str:
        return f"GoldenNormMode.custom({self.target_variance})" if self.name == "custom" else f"GoldenNormMode({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self.target_variance == other.target_variance if isinstance(other, GoldenNormMode) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.target_variance)


GoldenNormMode.GOLDEN = GoldenNormMode("golden")
GoldenNormMode.STANDARD = GoldenNormMode("standard")


def _mode(mode: PhiResidualMode | str) -> str:
    return mode.value if isinstance(mode, PhiResidualMode) else mode


def _variance(op: str, mode: GoldenNormMode | str) -> float:
    if isinstance(mode, str):
        mode = GoldenNormMode(mode)
    if not isinstance(mode, GoldenNormMode):
        raise _core.ArgumentTypeError(
            f'{op}: mode is of type {type(mode).__name__}; it must be "golden", "standard" or a GoldenNormMode'
        )
    return mode.target_variance


def _number(value: object) -> float:
    """The real number that `value` is, NaN where it is none."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def linear(x: ArrayLike, w: ArrayLike, bias: ArrayLike | None = None, *, activation: str = "none") -> State:
    """activation(x @ w + bias), rounded once: `x [.., k]`, `w [k, n]`, `bias [n]` -> `[.., n]`. The activation is "none",
    "relu", "gelu", "gelu_erf", "silu", "sigmoid" or "tanh"."""
    return _core.linear(x, w, bias, activation)


def phi_residual(
    x: ArrayLike, residual: ArrayLike, mode: PhiResidualMode | str = PhiResidualMode.PHI, *, activation: str = "none"
) -> State:
    """x + r/phi, or the sum of another mode, then "none", "relu", "gelu" or "gelu_erf". Nothing is broadcast."""
    return _core.residual(x, residual, _mode(mode), activation)


def phi_residual_relu(
    x: ArrayLike, residual: ArrayLike, mode: PhiResidualMode | str = PhiResidualMode.PHI
) -> State:
    """max(x + r/phi, 0), or the sum of another mode."""
    return _core.residual(x, residual, _mode(mode), "relu")


def phi_residual_gelu(
    x: ArrayLike, residual: ArrayLike, mode: PhiResidualMode | str = PhiResidualMode.PHI
) -> State:
    """GELU (tanh form) of x + r/phi, or of the sum of another mode."""
    return _core.residual(x, residual, _mode(mode), "gelu")


def phi_residual_layer_norm(
    x: ArrayLike,
    residual: ArrayLike,
    gamma: ArrayLike,
    beta: ArrayLike,
    mode: PhiResidualMode | str = PhiResidualMode.PHI,
    *,
    activation: str = "none",
    eps: float = 1e-5,
) -> State:
    """The phi-residual followed by layer norm over the last axis, in one pass."""
    return _core.phi_residual_layer_norm(x, residual, gamma, beta, _mode(mode), activation, eps)


def layer_norm(
    x: ArrayLike,
    gamma: ArrayLike | None = None,
    beta: ArrayLike | None = None,
    *,
    mode: GoldenNormMode | str = "golden",
    axes: int = 1,
    eps: float = 1e-5,
) -> State:
    """sqrt(v) (x - mean)/sqrt(var + eps) * gamma + beta over the last `axes` axes, with v the variance of the mode; eps >= 0."""
    return _core.layer_norm(x, gamma, beta, _variance("layer_norm", mode), axes, eps)


class BatchNormState:
    """Running mean and variance per channel: averages of the batches seen, weighted towards the latest.

    `mean` and `var` are the very States that evaluation reads, so writing to them changes it; an update puts new ones in their place."""

    mean: State
    var: State
    momentum: float

    def __init__(self, channels: int, *, momentum: float = 0.1, device: DeviceLike | None = None) -> None:
        self.mean = _core.full(channels, 0, _core.float64, device)
        self.var = _core.full(channels, 1, _core.float64, device)
        self.momentum = _number(momentum)
        if not 0.0 <= self.momentum <= 1.0:
            raise _core.ArgumentError(f"BatchNormState: momentum is {momentum!r:.40}; it must be a number from 0 to 1")

    def update(self, mean: State, var: State, count: int) -> None:
        """Takes in a batch; the variance is divided by one less than `count`, and left alone for a single position."""
        self.mean, self.var = _core.running_update(self.mean, self.var, mean, var, count, self.momentum)


def _batch_norm(
    op: str,
    x: ArrayLike,
    planes: bool,
    mode: GoldenNormMode | str,
    eps: float,
    gamma: ArrayLike | None,
    beta: ArrayLike | None,
    running: BatchNormState | None,
    training: bool,
) -> State:
    if running is not None and not isinstance(running, BatchNormState):
        raise _core.ArgumentTypeError(f"{op}: running is of type {type(running).__name__}; it must be a BatchNormState")
    if gamma is not None or beta is not None:
        like = _core.asarray(x)
        channels = like.shape[1] if like.ndim > 1 else 1
        gamma = _core.full(channels, 1, like.dtype, like.device) if gamma is None else gamma
        beta = _core.full(channels, 0, like.dtype, like.device) if beta is None else beta
    if not training:
        if running is None:
            raise _core.ArgumentError(f"{op}: evaluation needs running statistics; hint: running=BatchNormState(channels)")
        dtype = _core.asarray(x).dtype
        if dtype in (_core.float16, _core.bfloat16):  # which do not hold their variances
            dtype = _core.float32
        mean, var = running.mean.astype(dtype), running.var.astype(dtype)
        return _core.batch_norm_eval(x, planes, mean, var, gamma, beta, _variance(op, mode), eps)
    y, mean, var, count = _core.batch_norm(x, planes, gamma, beta, _variance(op, mode), eps)
    if running is not None:
        running.update(mean, var, count)
    return y


def golden_batch_norm_1d(
    x: ArrayLike,
    mode: GoldenNormMode | str = "golden",
    eps: float = 1e-5,
    gamma: ArrayLike | None = None,
    beta: ArrayLike | None = None,
    *,
    running: BatchNormState | None = None,
    training: bool = True,
) -> State:
    """Batch norm of `[B, F]` whose result has the variance of the mode, 1/phi by default, per feature.

    In training the statistics are those of the batch, and `running` takes them in; otherwise those of `running` are used.
    """
    return _batch_norm("golden_batch_norm_1d", x, False, mode, eps, gamma, beta, running, training)


def golden_batch_norm_2d(
    x: ArrayLike,
    mode: GoldenNormMode | str = "golden",
    eps: float = 1e-5,
    gamma: ArrayLike | None = None,
    beta: ArrayLike | None = None,
    *,
    running: BatchNormState | None = None,
    training: bool = True,
) -> State:
    """Batch norm of `[B, C, H, W]` whose result has the variance of the mode, 1/phi by default, per channel."""
    return _batch_norm("golden_batch_norm_2d", x, True, mode, eps, gamma, beta, running, training)


def softmax(x: ArrayLike, *, axis: int = -1) -> State:
    """e^x over its sum along an axis, without overflow."""
    return _core.syntonic_softmax(x, "identity", None, axis, 1.0, False)


def syntonic_softmax(
    x: ArrayLike,
    *,
    axis: int = -1,
    mode: SyntonicSoftmaxMode | str | None = None,
    mode_norms: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    log_weights: ArrayLike | None = None,
    scale: float = 1.0,
    masked_zero: bool = False,
) -> State:
    """p_i = w_i^s e^(x_i) / sum_j w_j^s e^(x_j) along an axis of C classes.

    The weights come from `mode_norms` ([C]: w = e^(-|n|^2/phi)), from `log_weights` ([C]), or from `weights` of the
    shape of `x`; without any of them all are 1. `scale` is s. A row of nothing but minus infinities gives NaN, or zeros
    with `masked_zero`.
    """
    kind, values = _weights("syntonic_softmax", mode, mode_norms, weights, log_weights)
    return _core.syntonic_softmax(x, kind, values, axis, scale, masked_zero)


def _weights(
    op: str,
    mode: SyntonicSoftmaxMode | str | None,
    mode_norms: ArrayLike | None,
    weights: ArrayLike | None,
    log_weights: ArrayLike | None,
) -> tuple[str, ArrayLike | None]:
    name = mode.value if isinstance(mode, SyntonicSoftmaxMode) else mode
    given = [
        (kind, values)
        for kind, values in (("norms", mode_norms), ("log", log_weights), ("provided", weights))
        if values is not None
    ]
    if len(given) > 1:
        raise _core.ArgumentError(f"{op}: give one of mode_norms, log_weights and weights")
    kind, values = given[0] if given else ("identity", None)
    if name is not None and not isinstance(name, str):
        raise _core.ArgumentTypeError(f"{op}: mode is of type {type(name).__name__}; it must be a SyntonicSoftmaxMode or its name")
    wanted = {None: (kind,), "learned": ("norms", "log"), "provided": ("provided",), "identity": ("identity",)}.get(name)
    if wanted is None or kind not in wanted:
        raise _core.ArgumentError(
            f"{op}: mode {name!r} does not fit the weights given; hint: learned needs mode_norms or "
            "log_weights, provided needs weights, identity none"
        )
    return kind, values


def golden_gelu(x: ArrayLike) -> State:
    """x / (1 + e^(-phi x)), computed at once; half types are rounded once. In a longer chain `syntonic.golden_gelu` is lazy."""
    return _core.golden_gelu(x)


def golden_gelu_backward(grad: ArrayLike, x: ArrayLike) -> State:
    """The gradient of `golden_gelu` at `x`: grad times s + phi x s (1 - s), with s = 1/(1 + e^(-phi x))."""
    return _core.golden_gelu_backward(grad, x)


def linear_backward(
    grad: ArrayLike,
    x: ArrayLike,
    w: ArrayLike,
    *,
    inner: ArrayLike | None = None,
    output: ArrayLike | None = None,
    activation: str = "none",
) -> tuple[State, State, State]:
    """The gradients of `linear` by `x`, `w` and the bias, from that of its result. `inner` is x @ w + bias; the `output` is
    enough for "relu", "sigmoid" and "tanh", and nothing is needed for "none"."""
    return _core.linear_backward(grad, x, w, inner, output, activation)


def phi_residual_backward(
    grad: ArrayLike,
    x: ArrayLike,
    residual: ArrayLike,
    mode: PhiResidualMode | str = PhiResidualMode.PHI,
    *,
    activation: str = "none",
) -> tuple[State, State]:
    """The gradients of `phi_residual` with respect to `x` and `residual`, from that of its result.

    With g the gradient times the slope of the activation, they are g and g/phi; for phi_symmetric both are g/phi, for
    standard both are g. The slope of relu at 0 is 0.
    """
    return _core.phi_residual_backward(grad, x, residual, _mode(mode), activation)


def phi_residual_layer_norm_backward(
    grad: ArrayLike,
    x: ArrayLike,
    residual: ArrayLike,
    gamma: ArrayLike,
    mode: PhiResidualMode | str = PhiResidualMode.PHI,
    *,
    activation: str = "none",
    eps: float = 1e-5,
) -> tuple[State, State, State, State]:
    """The gradients of `phi_residual_layer_norm` with respect to `x`, `residual`, `gamma` and `beta`, in one pass.

    Mean and variance are computed again from `x` and `residual`.
    """
    return _core.phi_residual_layer_norm_backward(grad, x, residual, gamma, _mode(mode), activation, eps)


def layer_norm_backward(
    grad: ArrayLike,
    x: ArrayLike,
    gamma: ArrayLike | None = None,
    *,
    mode: GoldenNormMode | str = "golden",
    axes: int = 1,
    eps: float = 1e-5,
) -> tuple[State, State | None, State | None]:
    """The gradients of `layer_norm` with respect to `x`, `gamma` and `beta`; without `gamma` the last two are None."""
    return _core.layer_norm_backward(grad, x, gamma, _variance("layer_norm_backward", mode), axes, eps)


def _stats(mean: ArrayLike | None, var: ArrayLike | None) -> tuple[ArrayLike, ArrayLike] | None:
    if mean is None and var is None:
        return None
    if mean is None or var is None:
        raise _core.ArgumentError("golden_batch_norm_backward: mean and var come together or not at all")
    return mean, var


def golden_batch_norm_1d_backward(
    grad: ArrayLike,
    x: ArrayLike,
    mode: GoldenNormMode | str = "golden",
    eps: float = 1e-5,
    gamma: ArrayLike | None = None,
    *,
    mean: ArrayLike | None = None,
    var: ArrayLike | None = None,
) -> tuple[State, State | None, State | None]:
    """The gradients of `golden_batch_norm_1d` in training with respect to `x`, `gamma` and `beta`.

    Without `gamma` the last two are None. `mean` and `var` are those of the batch, where they are at hand (the variance
    divided by the number of positions); otherwise they are computed again.
    """
    return _core.batch_norm_backward(grad, x, False, gamma, _stats(mean, var), _variance("golden_batch_norm_1d_backward", mode), eps)


def golden_batch_norm_2d_backward(
    grad: ArrayLike,
    x: ArrayLike,
    mode: GoldenNormMode | str = "golden",
    eps: float = 1e-5,
    gamma: ArrayLike | None = None,
    *,
    mean: ArrayLike | None = None,
    var: ArrayLike | None = None,
) -> tuple[State, State | None, State | None]:
    """The gradients of `golden_batch_norm_2d` in training: as `golden_batch_norm_1d_backward`, per channel."""
    return _core.batch_norm_backward(grad, x, True, gamma, _stats(mean, var), _variance("golden_batch_norm_2d_backward", mode), eps)


def softmax_backward(grad: ArrayLike, output: ArrayLike, *, axis: int = -1) -> State:
    """The gradient of `softmax` with respect to its operand, from its result p: p (grad - sum(p grad))."""
    return _core.syntonic_softmax_backward(grad, output, axis)


def syntonic_softmax_backward(grad: ArrayLike, output: ArrayLike, *, axis: int = -1) -> State:
    """The gradient of `syntonic_softmax` with respect to the logits, from its result, whatever the weights were."""
    return _core.syntonic_softmax_backward(grad, output, axis)


def syntonic_softmax_gradients(
    grad: ArrayLike,
    output: ArrayLike,
    *,
    axis: int = -1,
    mode: SyntonicSoftmaxMode | str | None = None,
    mode_norms: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    log_weights: ArrayLike | None = None,
    scale: float = 1.0,
) -> tuple[State, State | None, State]:
    """The gradients of `syntonic_softmax` with respect to the logits, to what the weights come from, and to the scale.

    The second is None where all weights are 1.
    """
    kind, values = _weights("syntonic_softmax_gradients", mode, mode_norms, weights, log_weights)
    return _core.syntonic_softmax_gradients(grad, output, kind, values, axis, scale)
