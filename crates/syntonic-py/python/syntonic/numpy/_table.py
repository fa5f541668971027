"""What is done with each public name of NumPy's, where it is no function of ours: tests compare this with the installed NumPy."""

from __future__ import annotations

__all__ = ["DIFFERENCES", "HOST", "OBJECTS", "OURS", "REFUSED"]

# Names under which something of our own stands: a module of this package and a name in it.
OURS = {
    "broadcast": "_classes:broadcast",
    "c_": "_index_tricks:c_",
    "complexfloating": "_kinds:complexfloating",
    "dtype": "_classes:dtype",
    "exceptions": "exceptions",
    "fft": "fft",
    "finfo": "_classes:finfo",
    "flatiter": "_classes:flatiter",
    "floating": "_kinds:floating",
    "generic": "_kinds:generic",
    "iinfo": "_classes:iinfo",
    "inexact": "_kinds:inexact",
    "integer": "_kinds:integer",
    "isscalar": "_classes:isscalar",
    "issubdtype": "_kinds:issubdtype",
    "linalg": "linalg",
    "linalg.LinAlgError": "_classes:LinAlgError",
    "mgrid": "_index_tricks:mgrid",
    "ndarray": "_classes:ndarray",
    "ndenumerate": "_classes:ndenumerate",
    "number": "_kinds:number",
    "ogrid": "_index_tricks:ogrid",
    "r_": "_index_tricks:r_",
    "random": "random",
    "signedinteger": "_kinds:signedinteger",
    "ufunc": "_ufuncs:ufunc",
    "unsignedinteger": "_kinds:unsignedinteger",
    "vectorize": "_classes:vectorize",
}

# Types, constants and settings of NumPy's, which are the same objects here.
OBJECTS = frozenset(
    """
    False_ ScalarType True_ bool bool_ byte bytes_ cdouble character clongdouble complex128 complex256 complex64 csingle
    datetime64 double e euler_gamma flexible float128 float16 float32 float64 half inf int16 int32 int64 int8 int_
    intc intp little_endian long longdouble longlong nan newaxis object_ pi short single str_ timedelta64 ubyte
    uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong ushort void
    base_repr binary_repr broadcast_shapes errstate format_float_positional format_float_scientific get_include get_printoptions
    getbufsize geterr geterrcall index_exp info iterable ndindex printoptions s_ sctypeDict set_printoptions setbufsize seterr seterrcall
    show_config show_runtime testing typecodes typename typing mintypecode datetime_data dtypes
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
    array2string array_repr array_str einsum_path frombuffer fromfile fromiter fromregex fromstring genfromtxt
    load loadtxt row_stack save savetxt savez savez_compressed
    """.split()
)

_INTEGERS = "integers of 8 and 16 bits become float64, which are float16 and float32 in NumPy"
# What a name does otherwise than NumPy's, besides what the guide says of all.
DIFFERENCES = {
    **dict.fromkeys("arccos arccosh arcsin arcsinh arctan arctan2 arctanh cos cosh exp exp2 expm1 hypot log log10 log1p log2 logaddexp".split(), _INTEGERS),
    **dict.fromkeys("sin sinh sqrt tan tanh".split(), _INTEGERS),
    "argpartition": "a whole order, which is one of those that NumPy may give",
    "array": "no arrays of objects; texts and dates stay NumPy's arrays",
    "broadcast": "no attributes index and iters",
    "can_cast": "by NumPy's rules; bfloat16 and 8-bit floats are none of its types",
    "conjugate": "never a view of real numbers",
    "dtype": "makes syntonic.DType; types that are none of ours are NumPy's",
    "einsum": "never a view; of two forms of arguments the one with a text",
    "errstate": "says nothing of our operators, which never warn: NumPy's setting for what NumPy computes",
    "floor_divide": "an infinite number divided is infinite; integers divided by 0 are 0, without a warning",
    "finfo": "for bfloat16 and 8-bit floats ours, with fewer attributes",
    "geomspace": "ends that are numbers of one sign; others in memory of the host",
    "histogram": "bins by the names sqrt, sturges, rice and scott; others in memory of the host. A range is read from the array",
    "histogram_bin_edges": "as histogram",
    "isscalar": "true for an array without axes, which is what an element is",
    "linalg.cond": "no singular values of an empty matrix",
    "load": "arrays of a .npz file are NumPy's; syntonic.load gives States",
    "lexsort": "keys are arrays of one axis or more",
    "nanargmax": "reads from the array whether a row has numbers, for the error",
    "nanargmin": "reads from the array whether a row has numbers, for the error",
    "ndarray": "a class for isinstance, and to make arrays; it has no subclasses",
    "ndenumerate": "elements are arrays without axes",
    "partition": "a whole order, which is one of those that NumPy may give",
    "pad": "modes constant, edge, reflect, symmetric and wrap; others in memory of the host",
    "power": "a negative exponent of integers gives 0 except for bases 1 and -1, where NumPy refuses it",
    "promote_types": "integers beside floats take the type of the floats",
    "quantile": "methods linear, lower, higher, nearest and midpoint; others, and weights, in memory of the host",
    "random": "other numbers than NumPy's of the same seed, the same bits on every device; every bit generator is the one there is",
    "remainder": "integers by 0 are 0, without a warning",
    "result_type": "integers beside floats take the type of the floats",
    "seterr": "as errstate",
    "set_printoptions": "says how NumPy prints, and not how States do",
    "printoptions": "as set_printoptions",
    "shares_memory": "on a GPU refused, unless the devices differ",
    "may_share_memory": "as shares_memory",
    "sort": "always stable",
    "testing": "NumPy's module: arrays on a GPU are refused there",
    "unique_values": "in order",
    "vectorize": "calls in memory of the host, as NumPy's; for arrays on a GPU one call, with whole arrays, of a function that is made of operators",
}
