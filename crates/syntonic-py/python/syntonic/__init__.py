"""Tensors with fused formulas, and the operators of the golden ratio."""

from syntonic._core import __version__

__all__ = ["__version__"]
