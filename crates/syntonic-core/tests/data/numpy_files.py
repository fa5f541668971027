"""Writes archives with NumPy.

numpy_arrays.npz: every element type, byte order and axis order, deflated. numpy_long.npz: every longer form that an
archive has, which would otherwise take 4 GiB, a name that is not ASCII, sizes behind the members, and a comment.
"""

import io
import zipfile
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


class Pipe(io.RawIOBase):
    """Cannot seek, so sizes are written behind what they are the sizes of."""

    def __init__(self, to):
        self.to = to

    def writable(self):
        return True

    def write(self, data):
        return self.to.write(data)


zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 0
with Path(__file__).with_name("numpy_long.npz").open("wb") as file, zipfile.ZipFile(Pipe(file), "w") as archive:
    archive.comment = b"a comment"
    for name, x in {"größe": np.arange(5), "b": np.ones((2, 3))}.items():
        with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
            np.save(member, x)
