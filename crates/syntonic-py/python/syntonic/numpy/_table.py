"""What is done with each public name of NumPy's, where it is no function of ours: tests compare this with the installed NumPy."""

from __future__ import annotations

__all__ = ["DIFFERENCES", "HOST", "OBJECTS", "OURS", "REFUSED"]

# Names under which something of our own stands: a module of this package and a name in it.
OURS = {
    "broadcast": "_classes:broadcast",
    "c_": "_index_tricks:c_",
    "dtype": "_classes:dtype",
    "fft": "fft",
    "finfo": "_classes:finfo",
    "iinfo": "_classes:iinfo",
    "isscalar": "_classes:isscalar",
    "linalg": "linalg",
    "mgrid": "_index_tricks:mgrid",
    "ndarray": "_classes:ndarray",
    "ndenumerate": "_classes:ndenumerate",
    "ogrid": "_index_tricks:ogrid",
    "r_": "_index_tricks:r_",
    "random": "random",
    "ufunc": "_ufuncs:ufunc",
    "vectorize": "_classes:vectorize",
}

# Types, constants and settings of NumPy's, which are the same objects here.
OBJECTS = frozenset(
    """
    False_ ScalarType True_ bool bool_ byte bytes_ cdouble character clongdouble complex128 complex256 complex64 complexfloating csingle
    datetime64 double e euler_gamma flexible float128 float16 float32 float64 floating generic half inexact inf int16 int32 int64 int8 int_
    intc integer intp little_endian long longdouble longlong nan newaxis number object_ pi short signedinteger single str_ timedelta64 ubyte
    uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unsignedinteger ushort void
    base_repr binary_repr broadcast_shapes errstate exceptions format_float_positional format_float_scientific get_include get_printoptions
    getbufsize geterr geterrcall index_exp info iterable ndindex printoptions s_ sctypeDict set_printoptions setbufsize seterr seterrcall
    show_config show_runtime testing typecodes typename typing issubdtype mintypecode datetime_data dtypes
    linalg.LinAlgError
    """.split()
)

_OWN_NUMPY = "import it from numpy itself, which it belongs to"
_TEXTS = "arrays of texts, dates and objects are not here; numpy has them"
_MATRICES = "matrices are arrays of two axes, with @ for the product"
# Names that are not here, and what to do.
REFUSED = {
    "asmatrix": _MATRICES,
    "bmat": "block([[a, b], [c, d]]) joins arrays",
    "busday_count": _TEXTS,
    "busday_offset": _TEXTS,
    "busdaycalendar": _TEXTS,
    "char": _TEXTS,
    "core": _OWN_NUMPY,
    "ctypeslib": _OWN_NUMPY,
    "datetime_as_string": _TEXTS,
    "emath": "give complex numbers: sqrt(x.astype(complex))",
    "f2py": _OWN_NUMPY,
    "flatiter": "x.flat is an array of one axis here",
    "frompyfunc": "its results are objects; vectorize(f) gives arrays of numbers",
    "is_busday": _TEXTS,
    "isnat": _TEXTS,
    "lib": _OWN_NUMPY,
    "ma": "masks are arrays of truth values: where, x[mask], and where= of the reductions",
    "matrix": _MATRICES,
    "memmap": "numpy.memmap makes one, and asarray takes it, as a copy where it is read-only",
    "nditer": "write the formula of whole arrays, or loop over ndindex(x.shape)",
    "nested_iters": "loop over ndindex(x.shape)",
    "poly1d": "polyval, polyfit, polymul and the others take coefficients",
    "polynomial": _OWN_NUMPY,
    "rec": "arrays of records are not here; a dictionary of arrays is one for each field",
    "recarray": "arrays of records are not here; a dictionary of arrays is one for each field",
    "record": "arrays of records are not here; a dictionary of arrays is one for each field",
    "strings": _TEXTS,
    "test": _OWN_NUMPY,
}

# Functions that NumPy computes in memory of the host.
HOST = frozenset(
    """
    array2string array_repr array_str einsum_path frexp frombuffer fromfile fromiter fromregex fromstring gcd genfromtxt i0 kaiser lcm
    ldexp load loadtxt packbits row_stack save savetxt savez savez_compressed unpackbits
    """.split()
)

# What a name does otherwise than NumPy's.
DIFFERENCES: dict[str, str] = {}
