"""What a kernel of one's own says before it is launched: signatures, PTX and arguments. Launches are in `gpu/test_gpu_custom.py`."""

from __future__ import annotations

import pytest
import syntonic
from syntonic import ArgumentError, ArgumentTypeError, DeviceError
from syntonic.cuda import kernel

SOURCE = """
// __global__ void other(int not_this);
template <typename T> __device__ T twice(T x) { return x + x; }
extern "C" __global__ void __launch_bounds__(256)
scale(const float* __restrict__ x, /* written */ float *y,
      const unsigned long long n, unsigned k, double a, const void *any, __half h)
{ if (n) y[0] = twice(x[0]); }
"""
PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 x, .param .align 8 .u64 y, .param .u32 n)
{ ret; }
"""


def test_the_signature_is_read_from_cuda_c() -> None:
    scale = kernel(SOURCE, "scale")
    said = "scale(const float* __restrict__ x, float *y, const unsigned long long n, unsigned k, double a, const void *any, __half h)"
    assert repr(scale) == f"Kernel({said})"
    assert kernel('extern "C" __global__ void f() {}', "f").signature == ""
    assert kernel(SOURCE, "scale", signature="float*, int").signature == "float*, int"


def test_ptx_is_held_against_its_signature() -> None:
    assert kernel(PTX, "scale", "const float*, float*, int").name == "scale"
    with pytest.raises(ArgumentError, match="PTX does not tell pointers from integers"):
        kernel(PTX, "scale")
    with pytest.raises(ArgumentError, match="the PTX has no entry other; it has scale"):
        kernel(PTX, "other", "int")
    for wrong in ("float*", "const float*, float*, long long", "const float*, float*, int, int"):
        with pytest.raises(ArgumentError, match="takes parameters of 64, 64, 32 bits"):
            kernel(PTX, "scale", wrong)


def test_signatures_that_nobody_knows() -> None:
    with pytest.raises(ArgumentError, match="no __global__ function missing"):
        kernel(SOURCE, "missing")
    for wrong in ("Point p", "float**", "std::vector<float> x", "float2 z"):
        with pytest.raises(ArgumentError, match="has a parameter"):
            kernel(SOURCE, "scale", wrong)
    with pytest.raises(ArgumentTypeError, match="code is a str"):
        kernel(b"bytes", "scale")  # type: ignore[arg-type]


def test_arguments_are_looked_at_before_anything_runs() -> None:
    scale, x = kernel(PTX, "scale", "const float*, float*, int"), syntonic.zeros(3, dtype="float32")
    with pytest.raises(ArgumentTypeError, match=r"2 arguments for the 3 parameters \(const float\*, float\*, int\)"):
        scale[1, 32](x, x)
    with pytest.raises(syntonic.DTypeError, match=r"argument 0, const float\*, is float64\[3\] on cpu"):
        scale[1, 32](syntonic.zeros(3), x, 3)
    with pytest.raises(ArgumentTypeError, match=r"argument 1, float\*, is 3; it must be a State"):
        scale[1, 32](x, 3, 3)
    for number in (2**31, "three", 0.5, None):
        with pytest.raises(ArgumentTypeError, match="argument 2, int, .*a number that fits"):
            scale[1, 32](x, x, number)
    with pytest.raises(ArgumentError, match="with strides"):
        scale[1, 32](syntonic.zeros((3, 2), dtype="float32").T, x, 3)
    for grid in (0, (1, 2, 3, 4), "x", -1):
        with pytest.raises(ArgumentError, match="grid is .*one to three positive integers"):
            scale[grid, 32](x, x, 3)
    with pytest.raises(ArgumentTypeError, match="args is a tuple"):
        scale(1, 32, x)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="shared_mem"):
        scale[1]  # type: ignore[index]
    with pytest.raises(DeviceError, match="scale: runs on GPUs, and its operands are float32"):
        scale(1, 32, (x, x, 3))
