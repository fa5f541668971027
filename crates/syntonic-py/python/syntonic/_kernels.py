"""Kernels that a program brings: CUDA C or PTX, launched over the memory of States."""

from __future__ import annotations

from syntonic import _core
from syntonic._core import ArgumentError, ArgumentTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from syntonic import DType

# Types of CUDA C by what they are called, and ours.
_TYPES: dict[str, DType] = {
    name: dtype
    for names, dtype in (
        ("bool", _core.bool),
        ("char, signed char, int8_t", _core.int8),
        ("unsigned char, uint8_t", _core.uint8),
        ("short, short int, int16_t", _core.int16),
        ("unsigned short, unsigned short int, uint16_t", _core.uint16),
        ("int, signed, signed int, int32_t", _core.int32),
        ("unsigned, unsigned int, uint32_t", _core.uint32),
        ("long long, long long int, int64_t, ptrdiff_t", _core.int64),
        ("unsigned long long, unsigned long long int, uint64_t, size_t", _core.uint64),
        ("half, __half", _core.float16),
        ("__nv_bfloat16, nv_bfloat16", _core.bfloat16),
        ("float", _core.float32),
        ("double", _core.float64),
        ("float2, cuFloatComplex, cuComplex", _core.complex64),
        ("double2, cuDoubleComplex", _core.complex128),
    )
    for name in names.split(", ")
}
_SKIPPED = {"__restrict__", "__restrict", "restrict", "volatile", "struct"}
# What PTX calls the bytes of a parameter.
_BYTES = {"8": 1, "16": 2, "32": 4, "64": 8}


class Kernel:
    """A kernel that is launched over States. Made by `cuda.kernel`.

    `k[grid, block](*args)` launches as numba has it, `k[grid, block, shared_mem](*args)` with so many bytes of dynamic shared memory, and
    `k(grid, block, args, shared_mem=0)` as CuPy's `RawKernel`. Grid and block are integers, or tuples of up to three.
    """

    name: str
    signature: str
    _code: _core.KernelCode

    def __init__(self, name: str, signature: str, code: _core.KernelCode) -> None:
        self.name, self.signature, self._code = name, signature, code

    def __call__(self, grid: int | tuple[int, ...], block: int | tuple[int, ...], args: Sequence[Any], *, shared_mem: int = 0) -> None:
        """Launches the kernel on this thread's stream; it returns when the GPU was asked."""
        if not isinstance(args, (tuple, list)):
            raise ArgumentTypeError(f"{self.name}: args is a tuple of arguments, not {type(args)}; hint: k(grid, block, (x, y)), or k[grid, block](x, y)")
        self._code.launch(grid, block, tuple(args), shared_mem)

    def __getitem__(self, spread: tuple[Any, ...]) -> _Spread:
        if not isinstance(spread, tuple) or len(spread) not in (2, 3):
            raise ArgumentTypeError(f"{self.name}: k[grid, block] or k[grid, block, shared_mem], not {spread!r:.60}")
        return _Spread(self, *spread)

    def __repr__(self) -> str:
        return f"Kernel({self.name}({self.signature}))"


class _Spread:
    """A kernel over a grid, to be called with its arguments."""

    def __init__(self, kernel: Kernel, grid: Any, block: Any, shared_mem: int = 0) -> None:
        self._all = kernel, grid, block, shared_mem

    def __call__(self, *args: Any) -> None:
        kernel, grid, block, shared_mem = self._all
        kernel._code.launch(grid, block, args, shared_mem)


def kernel(code: str, name: str, signature: str | None = None, *, options: Sequence[str] = ()) -> Kernel:
    """A kernel of one's own, by its name in `code`: CUDA C, or PTX.

    CUDA C is compiled by NVIDIA's NVRTC at the first launch on a GPU, where it is installed (`pip install nvidia-cuda-nvrtc`); say `extern "C"`
    in front of the kernel. `options` are NVRTC's. PTX needs nothing but the driver. `signature` has the C types of the parameters, such as
    `"const float*, float*, int"`; in CUDA C it is read from the source.

    A pointer takes a State on a GPU of its element type, row-major: `const T*` is read, `T*` is read and written, and `void*` takes any type. A number takes
    one of Python or NumPy that fits its type. The launch follows earlier work on its States and precedes later work, on whatever stream, and
    graphs capture it. The kernel has to stay inside the States: as in CUDA, nothing else checks that.

    ArgumentTypeError for another number or kind of arguments, DTypeError for another element type, DeviceError for States that are elsewhere, a text that
    does not compile or assemble, with the log, and where NVRTC is absent.

    >>> import syntonic as syn
    >>> source = 'extern "C" __global__ void twice(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }'
    >>> twice = syn.cuda.kernel(source, "twice")
    >>> twice
    Kernel(twice(const float* x, float* y, int n))
    """
    for what, text in (("code", code), ("name", name), *((("signature", signature),) if signature is not None else ())):
        if not isinstance(text, str):
            raise ArgumentTypeError(f"kernel: {what} is a str, not {type(text)}")
    import re  # what a plain import of the package does without

    is_ptx = re.search(r"^\s*\.version\s", code, re.MULTILINE) is not None
    if signature is None:
        if is_ptx:
            raise ArgumentError(f'kernel: PTX does not tell pointers from integers; hint: give the signature of {name}, such as "const float*, float*, int"')
        signature = _found(code, name)
    given = [part.strip() for part in signature.split(",")] if signature.strip() not in ("", "void") else []
    parameters = [_parameter(name, part) for part in given]
    if is_ptx:
        _check_ptx(code, name, given, parameters)
    options = [options] if isinstance(options, str) else list(options)
    return Kernel(name, ", ".join(given), _core.KernelCode(name, code, not is_ptx, options, parameters))


def _found(source: str, name: str) -> str:
    """The parameters of a kernel in CUDA C."""
    import re

    plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.DOTALL)
    match = re.search(rf"__global__\b[^;{{}}]*?\b{re.escape(name)}\s*\(([^()]*)\)", plain, re.DOTALL)
    if match is None:
        raise ArgumentError(f'kernel: the source has no __global__ function {name} whose parameters can be read; hint: give signature="const float*, int"')
    return " ".join(match.group(1).split())


def _parameter(name: str, declared: str) -> tuple[str, str, DType | None]:
    """A parameter: how it is declared, what it is, and its type."""
    import re

    words = re.findall(r"\w+|\*|\S", declared)
    words = [word for word in words if word not in _SKIPPED]
    is_pointer, is_const = "*" in words, "const" in words[: words.index("*")] if "*" in words else False
    kinds = [word for word in (words[: words.index("*")] if is_pointer else words) if word != "const"]
    if not is_pointer and " ".join(kinds) not in _TYPES:
        # What comes last is the parameter's own name.
        kinds = kinds[:-1]
    named = " ".join(kinds)
    dtype = _TYPES.get(named)
    if words.count("*") > 1 or (dtype is None and not (is_pointer and named == "void")):
        raise ArgumentError(f"kernel: {name} has a parameter {declared!r}, whose type is none that is known; hint: {', '.join(sorted(_TYPES))}, or pointers to them")
    if is_pointer:
        return declared, "in" if is_const else "out", dtype
    if dtype in (_core.complex64, _core.complex128):
        raise ArgumentError(f"kernel: {name} has a parameter {declared!r}; hint: give a complex number as two floats")
    return declared, "number", dtype


def _check_ptx(code: str, name: str, given: list[str], parameters: list[tuple[str, str, DType | None]]) -> None:
    """An error unless the entry takes as many parameters of these sizes."""
    import re

    entry = re.search(rf"\.entry\s+{re.escape(name)}\s*(?:\(([^()]*)\))?", code)
    if entry is None:
        raise ArgumentError(f"kernel: the PTX has no entry {name}; it has {', '.join(re.findall(r'[.]entry +([^ (]+)', code)) or 'none'}")
    found = re.findall(r"\.param\s+(?:\.align\s+\d+\s+)?\.[a-z](\d+)", entry.group(1) or "")
    wanted = [8 if role != "number" or dtype is None else dtype.itemsize for _, role, dtype in parameters]
    # A number of one byte may be declared wider.
    if len(found) != len(wanted) or any(_BYTES.get(bits, 0) < size for bits, size in zip(found, wanted)):
        raise ArgumentError(f"kernel: {name} takes parameters of {', '.join(found) or 'no'} bits, and its signature is {', '.join(given) or 'empty'}")
