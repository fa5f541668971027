"""Resonant states: syntony, the D phase that spreads, the H phase that draws together.

`Crystallized` owns exact integers of the golden lattice, `Flux` owns floats; both are tensors of states whose last axis has modes:

    >>> import syntonic as syn
    >>> from syntonic import resonant
    >>> from syntonic.exact import GoldenInt
    >>> phi = GoldenInt(0, 1)
    >>> a = resonant.Crystallized([3.0, 1.0, 2.0])
    >>> (2 * a + phi**3 * a)[1:].points
    GoldenArray([3 + 2φ, 6 + 4φ], shape=[2])
    >>> resonant.stack([a, a]).shape
    (2, 3)
    >>> (a @ syn.exact.GoldenArray([[1], [0], [1]], [[0], [1], [0]])).points
    GoldenArray([5 + 1φ], shape=[1])

An element that is moved keeps its mode: by an index, a reshape, a transpose, `stack` and `concat`. One made of an element, or of
two at the same place, keeps their mode, and the modes of two states must agree; `with_norms` gives others. What is made of several
elements, as a product of matrices is, has the usual modes 0, 1, 4, ... along its last axis. An element alone is a number, and no state.

Floats make a `Flux`, on the tape where they are: `softmax`, `syntonic_softmax`, `layer_norm`, `batch_norm`, `phi_residual`, and `map`
with any function of a State. A `Crystallized` wakes first.

    >>> flux = a.wake()
    >>> round((flux / 2 - 0.5).softmax().values.sum().item(), 12)
    1.0
    >>> syn.grad(lambda x: resonant.Flux(x).syntony())(syn.asarray([1.0, 1.0]))[0].item() > 0
    True
"""

from __future__ import annotations

import os

from syntonic import _core
from syntonic._core import Attractors, Crystallized, Flux, Modes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    from syntonic._core import State

    _States = TypeVar("_States", Crystallized, Flux)
    from syntonic._typing import ArrayLike, DeviceLike

__all__ = [
    "Attractors",
    "Crystallized",
    "Flux",
    "Modes",
    "concat",
    "cycle",
    "differentiate",
    "golden_recursion",
    "golden_recursion_inverse",
    "golden_weights",
    "harmonize",
    "load",
    "mode_norms",
    "stack",
    "syntony",
]


def mode_norms(n: int, *, device: DeviceLike | None = None) -> State:
    """The default squared mode norms of n modes: 0, 1, 4, ..., (n-1)^2."""
    return _core.mode_norms(n, device)


def golden_weights(norms: ArrayLike) -> State:
    """w = e^(-|n|^2/phi) of squared mode norms."""
    return _core.golden_weights(norms)


def _norms(psi: State, norms: ArrayLike | Modes | None) -> ArrayLike | Modes:
    return _core.mode_norms(psi.shape[-1] if psi.ndim else 1, psi.device) if norms is None else norms


def _no_strength(op: str, noise: ArrayLike | None, strength: object) -> None:
    """What there is no noise for has no strength."""
    if noise is None and isinstance(strength, (int, float)) and strength != 1.0:
        raise _core.ArgumentError(f"{op}: strength={strength!r:.40} without noise; hint: give noise, or leave it out")


def syntony(psi: ArrayLike, norms: ArrayLike | Modes | None = None) -> State:
    """S = sum |psi_i|^2 w_i / sum |psi_i|^2 along the last axis: `[..., n] -> [...]`. A state of zeros has 0.

    `norms` are squared mode norms `[n]`, 0, 1, 4, ... where none are given; `Modes(norms, dtype)` in their place has
    the weights already, for many calls.
    """
    psi = _core.asarray(psi)
    return _core.syntony(psi, _norms(psi, norms))


def differentiate(
    psi: ArrayLike,
    norms: ArrayLike | Modes | None = None,
    s: ArrayLike | None = None,
    *,
    noise: ArrayLike | None = None,
    strength: float = 1.0,
) -> State:
    """The D phase, psi_i (1 + (1 - S)/phi^2 |n_i|), plus noise where it is given; at syntony `s`, else at that of psi."""
    _no_strength("differentiate", noise, strength)
    psi = _core.asarray(psi)
    norms = _norms(psi, norms)
    return _core.differentiate(psi, norms, _core.syntony(psi, norms) if s is None else s, noise, strength)


def harmonize(psi: ArrayLike, norms: ArrayLike | Modes | None = None, s: ArrayLike | None = None) -> State:
    """The H phase, psi_i (1 - S/phi (1 - w_i)); at syntony `s`, else at that of psi."""
    psi = _core.asarray(psi)
    norms = _norms(psi, norms)
    return _core.harmonize(psi, norms, _core.syntony(psi, norms) if s is None else s)


def cycle(
    psi: ArrayLike, norms: ArrayLike | Modes | None = None, *, noise: ArrayLike | None = None, strength: float = 1.0
) -> tuple[State, State]:
    """D, then H, both at the syntony before, in one pass: the new state, and its syntony."""
    _no_strength("cycle", noise, strength)
    psi = _core.asarray(psi)
    return _core.cycle(psi, _norms(psi, norms), noise, strength)


def golden_recursion(n: ArrayLike) -> State:
    """floor(phi n) of integers, exactly: `[..] -> [..]`, int64. The lower Wythoff numbers 0, 1, 3, 4, 6, ... of 0, 1, 2, ..."""
    return _core.golden_recursion(n)


def golden_recursion_inverse(m: ArrayLike) -> State:
    """ceil(m / phi) of integers, exactly, which undoes `golden_recursion`: `[..] -> [..]`, int64."""
    return _core.golden_recursion_undo(m)


def stack(states: Sequence[_States], axis: int = 0) -> _States:
    """States of one kind and shape along a new axis, each element with its mode; a bound is that of the first.

    >>> from syntonic.resonant import Flux, stack
    >>> stack([Flux([1.0, 2.0]), Flux([3.0, 4.0])]).syntony().shape
    (2,)
    """
    return _core.states_join("stack", states, axis)


def concat(states: Sequence[_States], axis: int = 0) -> _States:
    """States of one kind one behind the other along an axis that they have, each element with its mode; a bound is that of the first.

    >>> from syntonic.resonant import Flux, concat
    >>> concat([Flux([1.0, 2.0]), Flux([3.0, 4.0])]).norms.tolist()
    [0.0, 1.0, 0.0, 1.0]
    """
    return _core.states_join("concat", states, axis)


def load(path: str | os.PathLike[str]) -> Crystallized | Flux:
    """The states in a .npz or .safetensors file that `save` of a `Crystallized` or a `Flux` wrote, on the CPU.

    A file that is damaged or holds something else is a FileError.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise _core.ArgumentTypeError(f"load: path is of type {type(path).__name__}; it must be a str or an os.PathLike")
    return _core.states_load(path)
