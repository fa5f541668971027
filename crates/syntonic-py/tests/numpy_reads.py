"""What code for NumPy reads of an array and does with it: attributes, conversions, and calls of libraries. Each row is tried on
NumPy's array and on a State of the same numbers, and the answers are compared.

Rows of libraries that are not pinned run where these are installed.
"""

from __future__ import annotations

import array
import binascii
import copy
import ctypes
import hashlib
import io
import json
import math
import operator
import pickle
import struct
import sys
import zlib
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np

import syntonic

Read = Callable[[Any], Any]

# One expression each, of an array `x`.
ATTRIBUTES = """
x.shape x.ndim x.size x.strides x.nbytes x.itemsize len(x) x.T.shape x.T.strides x.flat[1]
x.flags.c_contiguous x.flags.f_contiguous x.flags.writeable x.flags.aligned x.flags.owndata x.flags.contiguous x.flags.forc x.flags.fnc
x.flags.carray x.flags.farray x.flags.behaved x.flags.writebackifcopy x.flags.num x.flags['C_CONTIGUOUS'] x.flags['F'] x.flags['WRITEABLE']
x.T.flags.c_contiguous x.T.flags.f_contiguous x.T.flags.fnc x[::2].flags.c_contiguous x[:,::2].flags.forc
x.base x.data.tobytes() x.data.shape x.data.readonly x.data.nbytes x.data.format x.ctypes.shape[:] x.ctypes.strides[:]
x.real x.imag x.tobytes() x.tobytes('F') x.tobytes(order='A') x.T.tobytes() x.T.tobytes('A') x.T.tobytes('F') x[:,1].tobytes() x[::-1].tobytes()
x.dtype.kind x.dtype.char x.dtype.str x.dtype.name x.dtype.num x.dtype.itemsize x.dtype.alignment x.dtype.byteorder x.dtype.isnative
x.dtype.isbuiltin x.dtype.hasobject x.dtype.names x.dtype.fields x.dtype.subdtype x.dtype.shape x.dtype.ndim x.dtype.type x.dtype.base
x.dtype.flags x.dtype.descr x.dtype.metadata x.dtype.isalignedstruct x.dtype.newbyteorder('=') x.dtype.newbyteorder('>').str
x.dtype.type(3) x.dtype.kind=='f' x.dtype.kind=='i' x.dtype.kind=='u' x.dtype.kind=='b' x.dtype.char=='d' x.dtype.str[1:] hash(x.dtype)==hash(x.dtype)
x.dtype==np.dtype(x.dtype) np.dtype(x.dtype).name np.issubdtype(x.dtype,np.integer) np.issubdtype(x.dtype,np.floating) np.can_cast(x.dtype,'float64')
np.result_type(x.dtype,np.float32) np.promote_types(x.dtype,np.int8)
""".split()

EXPRESSIONS = [
    # Conversions of arrays with axes and without.
    *(
        f"{function}({value})"
        for function in ("int", "float", "complex", "bool", "len", "list", "bytes", "hash", "iter", "hex", "range", "operator.index")
        for value in ("x", "x[0, 1]", "x[:1, 1]", "x[:1, :1]", "x[:0]", "np.asarray(x)[0, 1]")
        if not (function in ("iter", "hash") and value == "x[0, 1]")
    ),
    *(f"{function}({value})" for function in ("math.sqrt", "math.floor", "math.ceil", "math.isfinite") for value in ("x", "x[0, 1]", "x[:1, 1]")),
    "[10, 20, 30][x[0, 1]]",
    "[10, 20, 30][x[:1, 1]]",
    "'ab' * x[:1, 1]",
    "bytearray(x)",
    "bytearray(x[:1, 1])",
    "x in [x]",
    "x in [1, x]",
    "[1, x].index(x)",
    "x.dtype.type is np.dtype(x.dtype).type",
    "x[1:].base is None",
    "x[0, 1] in {0: 1}.values()",
    "x == None",
    "x != None",
    "1 in x",
    "None in x",
    "'a' in x",
    "divmod(x, 2)",
    "f'{x[0, 1]:>9}'",
    "'%5.1f' % x[0, 1]",
    "'%d' % x[0, 1]",
    "'{:.3e}'.format(float(x[0, 1]))",
    "memoryview(x).shape",
    "memoryview(x).tolist()",
    "memoryview(x.T).tolist()",
    "memoryview(x).cast('B').tobytes()",
    "np.frombuffer(x, dtype=x.dtype.str)",
    "np.frombuffer(x.tobytes(), dtype=np.dtype(x.dtype))",
    "np.ndarray(x.shape, np.dtype(x.dtype), x)",
    "hashlib.sha256(x).hexdigest()",
    "hashlib.md5(x.T.tobytes()).hexdigest()",
    "zlib.crc32(x)",
    "zlib.compress(x)",
    "binascii.hexlify(x)",
    "io.BytesIO(x).getvalue()",
    "io.BytesIO().write(x)",
    "b''.join([x, x])",
    "bytes(x) + x.tobytes()",
    "struct.unpack_from('=b', x)",
    "array.array('b', x.tobytes())",
    "array.array('d', [float(v) for v in x[0]])",
    "json.dumps(x.tolist())",
    "json.dumps(x[0, 1].item())",
    "pickle.loads(pickle.dumps(x))",
    "copy.copy(x)",
    "copy.deepcopy([x])[0]",
    "sys.getsizeof(x) > 0",
    "ctypes.string_at(x.ctypes.data, x.nbytes)",
    "np.array(x) is x",
    "np.asarray(x).dtype",
    "np.shares_memory(x, np.asarray(x))",
    "Fraction(float(x[0, 1]))",
    "operator.itemgetter(0)(x)",
    "operator.length_hint(x)",
    "x.item(1)",
    "x.item(0, 1)",
    "x.tolist()",
    # NumPy's functions beside what is no number, or with numbers in its own shapes.
    "np.broadcast_arrays(x, None)[0]",
    "np.broadcast_arrays(x, None)[1]",
    "np.broadcast_arrays(x, 'a', 1.5)[2]",
    "np.broadcast_arrays(x[0], x[:, :1], 2)[1]",
    "np.array_equal(x, None)",
    "np.array_equal(x, 'text')",
    "np.where(x > 1, x, None)",
    "np.atleast_1d(x, None)[1]",
    "np.pad(x, ((1,), (2,)))",
    "np.pad(x, (1, 2))",
    "np.pad(x, 1)",
    "np.pad(x, (2,))",
    "np.pad(x, [[1, 2]])",
    "np.pad(x, ((1, 2), (3, 4)))",
    "np.pad(x, [[1], [2]], mode='edge')",
    "np.pad(x, np.array([[1], [0]]), mode='wrap')",
    "np.pad(x, ((1,), (2,)), constant_values=((1, 2), (3, 4)))",
    "np.pad(x, ((1,), (2,)), constant_values=5)",
    "np.pad(x, {0: (1, 2), 1: 1})",
    "np.pad(x, (1, 2, 3))",
    "np.pad(x, -1)",
    "np.isscalar(x)",
    "np.iterable(x)",
    "np.ndim(x)",
    "np.shape(x)",
    "np.size(x, 1)",
    "np.array_split(x, 2)[1]",
    "np.array([x, x])",
    "np.array([x[0, 0], x[0, 1]])",
    "np.asarray([v for v in x.ravel()])",
    "np.fromiter(x.ravel(), dtype='float64')",
    "np.array2string(np.asarray(x))",
    "np.broadcast(x, x[0]).shape",
    "np.ravel_multi_index(tuple(np.argwhere(np.asarray(x) > 1)[0]), x.shape)",
    "np.expand_dims(x, (0, 2)).shape",
    "np.zeros(x.shape, x.dtype)",
    "np.empty_like(x).shape",
    "np.iinfo(np.dtype(x.dtype)).max if x.dtype.kind in 'iu' else 0",
]

LIBRARIES = {
    "scipy.sparse": [
        f"{of}(np.eye(3)) {operation} {value}" if not operation.startswith(".") else f"{of}(np.eye(3)){operation}({value})"
        for of in ("csr", "csr_array", "csc", "coo", "dia")
        for operation in ("@", "*", ".dot", ".multiply")
        for value in ("x.T.astype('float64')", "x[0].astype('float64')")
    ]
    + [
        "x.astype('float64') @ csr(np.eye(3))",
        "x.astype('float64') @ csr_array(np.eye(3))",
        "x[0].astype('float64') @ csc(np.eye(3))",
        "csr(np.ones((2, 3))) @ x.T.astype('float64')",
        "csr_array(np.ones((2, 3))) @ x.T[:, 0].astype('float64')",
        "csr(x.astype('float64')).toarray()",
        "coo((x[0].astype('float64'), (np.arange(3), np.arange(3)))).toarray()",
        "csr(np.eye(3))[np.asarray(x[0]) > -9].toarray()",
    ],
    "matplotlib": ["drawn(lambda axes: axes.bar([0, 1, 2], x[0]))"]
    + [
        f"drawn(lambda axes: axes.{call})"
        for call in (
            "plot(x[0], x[1])",
            "plot(x.T)",
            "scatter(x[0], x[1], c=x[0], s=x[1] + 5)",
            "bar(x[0], x[1], width=x[0] * 0 + 0.5)",
            "barh(x[0], x[1])",
            "hist(x[0], bins=3)",
            "hist2d(x[0], x[1], bins=2)",
            "imshow(x)",
            "pcolormesh(x)",
            "contour(x[:, :2].astype('float64') + 0.0)",
            "errorbar(x[0], x[1], yerr=x[0] * 0 + 1)",
            "fill_between(x[0], x[1], 0)",
            "step(x[0], x[1])",
            "stem(x[0], x[1])",
            "boxplot(x[0])",
            "violinplot(x[0])",
            "pie(x[0] + 1)",
            "stackplot(x[0], x)",
            "quiver(x[0], x[1], x[0], x[1])",
            "hlines(x[0], 0, 1)",
            "vlines(x[0], 0, x[1])",
            "eventplot(x)",
            "set_xticks(x[0])",
            "set_xlim(x[0, 0], x[0, 2] + 1)",
            "axhline(x[0, 1])",
            "text(x[0, 1], x[1, 1], 'here')",
            "annotate('here', (x[0, 1], x[1, 1]))",
            "matshow(x)",
            "spy(x)",
            "stairs(x[0])",
            "hexbin(x[0], x[1], gridsize=3)",
        )
    ],
    "PIL": [
        "np.asarray(Image.fromarray(x.astype('uint8')))",
        "Image.fromarray(x.astype('float32')).mode",
        "Image.fromarray(x.astype('uint8')).tobytes()",
        "Image.frombytes('L', (3, 2), x.astype('uint8').tobytes()).size",
    ],
    "pandas": [
        "pd.DataFrame(x).to_numpy()",
        "pd.DataFrame(x, columns=list('abc'))['b'].to_numpy()",
        "pd.Series(x[0]).to_numpy()",
        "pd.Series(x[0]).dtype",
        "pd.DataFrame({'a': x[0], 'b': x[1]}).sum().to_numpy()",
        "pd.Series([1.0, 2.0, 3.0]) + np.asarray(x[0])",
        "pd.DataFrame({'a': x[0]}).assign(b=x[1])['b'].to_numpy()",
        "pd.Index(x[0]).to_numpy()",
        "pd.cut(np.asarray(x[0]), 2).codes",
        "pd.api.types.is_list_like(x)",
        "pd.api.types.is_numeric_dtype(np.dtype(x.dtype))",
    ],
    "pyarrow": [
        "pa.array(x[0]).to_pylist()",
        "pa.array(x[0]).type",
        "pa.array(x[0], type=pa.float64()).to_pylist()",
        "pa.array(x[:, 1]).to_pylist()",
        "pa.table({'a': x[0], 'b': x[1]}).column('b').to_pylist()",
        "pa.array([v.item() for v in x[0]]).to_pylist()",
        "pa.py_buffer(x).size",
        "pa.chunked_array([x[0], x[1]]).to_pylist()",
    ],
    "einops": [
        "rearrange(x, 'a b -> b a')",
        "rearrange(x, 'a b -> (a b)')",
        "rearrange([x, x], 'k a b -> a k b')",
        "reduce(x, 'a b -> a', 'sum')",
        "reduce(x.astype('float64'), 'a b -> b', 'mean')",
        "reduce(x, 'a b -> ', 'max')",
        "repeat(x, 'a b -> a b c', c=2)",
        "repeat(x, 'a b -> (2 a) b')",
        "einops.pack([x, x[0]], '* b')[0]",
        "einops.unpack(x, [(1,), (1,)], '* b')[0]",
        "einops.einsum(x, x, 'a b, c b -> a c')",
        "einops.parse_shape(x, 'a b')",
    ],
    "tqdm": ["[v.tolist() for v in tqdm(x, disable=True)]", "tqdm(x, disable=True).total", "len(tqdm(x, disable=True))"],
}


# What a State answers otherwise, on purpose.
_ONE_ELEMENT = "one element converts, also with axes, as it does in NumPy before 2.4"
_PLAIN_BYTES = "bytes without a shape and a type are handed out by tobytes() and memoryview(x).cast('B') alone"
DIFFERENT = {
    **{f"{function}({value})": _ONE_ELEMENT for function in ("int", "float", "complex") for value in ("x[:1, 1]", "x[:1, :1]")},
    **{f"math.{function}(x[:1, 1])": _ONE_ELEMENT for function in ("sqrt", "floor", "ceil", "isfinite")},
    "'%5.1f' % x[:1, 1]": _ONE_ELEMENT,
    **{
        row: _PLAIN_BYTES
        for row in (
            "hashlib.sha256(x).hexdigest()",
            "zlib.crc32(x)",
            "zlib.compress(x)",
            "binascii.hexlify(x)",
            "b''.join([x, x])",
            "struct.unpack_from('=b', x)",
        )
    },
}


def _names(library: str) -> dict[str, Any]:
    """What the rows of a library are written with."""
    if library == "scipy.sparse":
        from scipy import sparse

        return {"csr": sparse.csr_matrix, "csr_array": sparse.csr_array, "csc": sparse.csc_matrix, "coo": sparse.coo_array, "dia": sparse.dia_array}
    if library == "matplotlib":
        import matplotlib

        matplotlib.use("Agg")
        return {"drawn": _drawn}
    if library == "PIL":
        from PIL import Image

        return {"Image": Image}
    if library == "pandas":
        import pandas

        return {"pd": pandas}
    if library == "pyarrow":
        import pyarrow

        return {"pa": pyarrow}
    if library == "einops":
        import einops

        return {"einops": einops, "rearrange": einops.rearrange, "reduce": einops.reduce, "repeat": einops.repeat}
    if library == "tqdm":
        from tqdm import tqdm

        return {"tqdm": tqdm}
    modules = [array, binascii, copy, ctypes, hashlib, io, json, math, operator, pickle, struct, sys, zlib]
    return {**{module.__name__: module for module in modules}, "Fraction": Fraction}


def _drawn(draw: Callable[[Any], Any]) -> bytes:
    """The pixels of what was drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2, 2), dpi=50)
    canvas = FigureCanvasAgg(figure)
    draw(figure.add_subplot())
    canvas.draw()
    return bytes(canvas.buffer_rgba())


def _plain(value: Any) -> Any:
    """What of an answer is compared."""
    if isinstance(value, syntonic.DType):
        return str(value)
    if isinstance(value, np.dtype):
        return value.name
    if isinstance(value, (syntonic.State, np.ndarray, np.generic)):
        whole = np.asarray(value)
        return ("array", whole.shape, whole.dtype.str, whole.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "toarray"):
        return _plain(value.toarray())
    if hasattr(value, "to_numpy"):
        return _plain(value.to_numpy())
    if type(value).__name__.endswith("iterator") or type(value).__name__ == "Rows":
        return [_plain(item) for item in value]
    return value


# One of these says as much as another.
_REFUSALS = (TypeError, ValueError, IndexError, BufferError, NotImplementedError)


def _answer(row: str, x: Any, names: dict[str, Any]) -> Any:
    try:
        return _plain(eval(row, {"np": np, "x": x, **names}))
    except _REFUSALS:
        return "refused"


def installed() -> list[str]:
    """The libraries of the table that are there."""
    return [library for library in LIBRARIES if find_spec(library.partition(".")[0]) is not None]


def difference(row: str, array: np.ndarray, names: dict[str, Any]) -> str | None:
    """What a State answers differently from NumPy's array, or nothing."""
    want = _answer(row, array.copy(), names)
    got = _answer(row, syntonic.State(array), names)
    if isinstance(want, float) and math.isnan(want) and isinstance(got, float) and math.isnan(got):
        return None
    return None if got == want else f"{row} of {array.dtype}: {got!r:.300}, not {want!r:.300}"


def rows(library: str | None = None, dtype: Any = "float64") -> list[str]:
    """The rows of a library, or of NumPy and Python. A complex number is no real one here, where NumPy drops a part of it, so
    that attributes alone are compared."""
    if library:
        return LIBRARIES[library]
    return ATTRIBUTES if np.dtype(dtype).kind == "c" else [*ATTRIBUTES, *EXPRESSIONS]


def names(library: str | None = None) -> dict[str, Any]:
    """What its rows are written with."""
    return _names(library or "")
