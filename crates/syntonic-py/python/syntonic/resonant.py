"""Resonant states: syntony, the D phase that spreads, the H phase that draws together."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import Attractors, Crystallized, Flux, Modes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from syntonic._core import State
    from syntonic._typing import ArrayLike, DeviceLike

__all__ = [
    "Attractors",
    "Crystallized",
    "Flux",
    "Modes",
    "cycle",
    "differentiate",
    "golden_recursion",
    "golden_recursion_inverse",
    "golden_weights",
    "harmonize",
    "mode_norms",
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
