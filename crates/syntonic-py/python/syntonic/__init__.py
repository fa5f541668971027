"""Tensors with fused formulas, and the operators of the golden ratio."""

import os as _os

from syntonic import _accumulation, _core, _creation, _einops, _elementwise, _manipulation, _methods, _ordering, _products, _quantiles, _reductions, _unique
from syntonic._core import (
    ArgumentError,
    ArgumentTypeError,
    AxisError,
    Device,
    DeviceError,
    DType,
    DTypeError,
    EmptyReductionError,
    FileAccessError,
    FileError,
    GradientError,
    GraphError,
    GroupError,
    IntegerOverflowError,
    InternalError,
    LinAlgError,
    MissingFileError,
    OperatorError,
    OutOfMemoryError,
    OutOfRangeError,
    ShapeError,
    State,
    SyntonicError,
    TransferError,
    __version__,
    bfloat16,
    bool,
    complex64,
    complex128,
    default_device,
    float8_e4m3fn,
    float8_e5m2,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    set_default_device,
    set_default_rounding,
    uint8,
    uint16,
    uint32,
    uint64,
)
from syntonic._accumulation import *
from syntonic._creation import *
from syntonic._custom import custom_op
from syntonic._dtypes import astype, can_cast, finfo, iinfo, isdtype, result_type
from syntonic._elementwise import *
from syntonic._evaluation import eager, explain, rounding
from syntonic._files import load, load_with_metadata, save
from syntonic._gradients import grad, stop_gradient, value_and_grad, vjp
from syntonic._graphs import Graph, captured
from syntonic._inspection import __array_api_version__, __array_namespace_info__
from syntonic._loops import fori_loop, while_loop
from syntonic._manipulation import *
from syntonic._ordering import *
from syntonic._precision import get_matmul_precision, matmul_precision, set_matmul_precision
from syntonic._products import *
from syntonic._profile import profile
from syntonic._quantiles import *
from syntonic._reductions import *
from syntonic._rounding import round
from syntonic._unique import *
from syntonic._spread import WorkerError, WorkerTimeoutError
from syntonic import cuda, distributed, evolve, exact, fft, geometry, golden, infer, information, linalg, nn, optim, pipeline, random, resonant, tree
from syntonic._advisor import Advice, Advisor
from syntonic.information import transfer_entropy
from syntonic.nn import (
    GoldenNormMode,
    PhiResidualMode,
    SyntonicSoftmaxMode,
    golden_batch_norm_1d,
    golden_batch_norm_2d,
    phi_residual,
    phi_residual_relu,
    syntonic_softmax,
)

TYPE_CHECKING = False
if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "numpy":
            # Loads NumPy, which the package itself does without.
            from importlib import import_module

            return import_module("syntonic.numpy")
        from syntonic._other_names import missing

        raise missing(name)

    def _moved(name):
        from syntonic._other_names import missing_from_core

        return missing_from_core(name)

    _core.__getattr__ = _moved


_einops.register()
_methods.register()

device = Device
e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None
pi = 3.141592653589793
phi = _core.PHI

# A wheel brings kernels along as machine code; a build from source does without.
_core._use_cubins(_os.path.join(_os.path.dirname(__file__), "_cubins"))

__all__ = [
    "Advice",
    "Advisor",
    "ArgumentError",
    "ArgumentTypeError",
    "AxisError",
    "DType",
    "DTypeError",
    "Device",
    "DeviceError",
    "EmptyReductionError",
    "FileAccessError",
    "FileError",
    "GoldenNormMode",
    "GradientError",
    "Graph",
    "GraphError",
    "GroupError",
    "IntegerOverflowError",
    "InternalError",
    "LinAlgError",
    "MissingFileError",
    "OperatorError",
    "OutOfMemoryError",
    "OutOfRangeError",
    "PhiResidualMode",
    "ShapeError",
    "State",
    "SyntonicError",
    "SyntonicSoftmaxMode",
    "TransferError",
    "WorkerError",
    "WorkerTimeoutError",
    "__array_api_version__",
    "__array_namespace_info__",
    "__version__",
    "astype",
    "bfloat16",
    "bool",
    "can_cast",
    "captured",
    "complex128",
    "complex64",
    "cuda",
    "custom_op",
    "default_device",
    "device",
    "distributed",
    "e",
    "eager",
    "evolve",
    "exact",
    "explain",
    "fft",
    "finfo",
    "float16",
    "float32",
    "float64",
    "float8_e4m3fn",
    "float8_e5m2",
    "fori_loop",
    "get_matmul_precision",
    "geometry",
    "golden",
    "golden_batch_norm_1d",
    "golden_batch_norm_2d",
    "grad",
    "iinfo",
    "inf",
    "infer",
    "information",
    "int16",
    "int32",
    "int64",
    "int8",
    "isdtype",
    "linalg",
    "load",
    "load_with_metadata",
    "matmul_precision",
    "nan",
    "newaxis",
    "nn",
    "optim",
    "phi",
    "pipeline",
    "profile",
    "phi_residual",
    "phi_residual_relu",
    "pi",
    "random",
    "resonant",
    "result_type",
    "rounding",
    "save",
    "set_default_device",
    "set_default_rounding",
    "set_matmul_precision",
    "stop_gradient",
    "syntonic_softmax",
    "transfer_entropy",
    "tree",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "value_and_grad",
    "vjp",
    "while_loop",
]
__all__ += _accumulation.__all__
__all__ += _creation.__all__
__all__ += _elementwise.__all__
__all__ += _manipulation.__all__
__all__ += _ordering.__all__
__all__ += _products.__all__
__all__ += _quantiles.__all__
__all__ += _reductions.__all__
__all__ += _unique.__all__
