"""Writes numpy_arrays.npz with NumPy: every element type, byte order and axis order, deflated."""

from pathlib import Path

import numpy as np

arrays = {}
for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split():
    dtype = np.dtype(name)
    x = (np.arange(24).reshape(2, 3, 4) % 2 if name == "bool" else np.arange(24).reshape(2, 3, 4)).astype(dtype)
    if dtype.kind == "c":
        x = x - dtype.type(0.5j) * x
    arrays[f"{name}.little"] = x.astype(dtype.newbyteorder("<"))
    arrays[f"{name}.big"] = x.astype(dtype.newbyteorder(">"))
    arrays[f"{name}.fortran"] = np.asfortranarray(x)
    arrays[f"{name}.empty"] = np.zeros((0, 5), dtype)
    arrays[f"{name}.scalar"] = np.asarray(x[1, 2, 3])
np.savez_compressed(Path(__file__).with_name("numpy_arrays.npz"), **arrays)
