"""Kernels and operators of one's own on a GPU."""

from __future__ import annotations

from typing import Any

import pytest
import syntonic
from syntonic import DeviceError, GradientError, OperatorError, State, captured, custom_op, grad
from syntonic.cuda import kernel

# y[i] = a x[i] + x[i]^2 for i < n.
PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry bent(.param .u64 px, .param .u64 py, .param .f32 pa, .param .u32 pn)
{
    .reg .pred %out;
    .reg .b32 %n, %i, %b, %t, %w;
    .reg .f32 %a, %x, %y;
    .reg .b64 %p, %q, %o;
    ld.param.u32 %n, [pn];
    mov.u32 %b, %ctaid.x;
    mov.u32 %w, %ntid.x;
    mov.u32 %t, %tid.x;
    mad.lo.u32 %i, %b, %w, %t;
    setp.ge.u32 %out, %i, %n;
    @%out ret;
    mul.wide.u32 %o, %i, 4;
    ld.param.u64 %p, [px];
    ld.param.u64 %q, [py];
    add.u64 %p, %p, %o;
    add.u64 %q, %q, %o;
    ld.param.f32 %a, [pa];
    ld.global.f32 %x, [%p];
    mul.rn.f32 %a, %x, %a;
    mul.rn.f32 %y, %x, %x;
    add.rn.f32 %y, %a, %y;
    st.global.f32 [%q], %y;
    ret;
}
"""
SIGNATURE = "const float*, float*, float, unsigned"
bent_kernel = kernel(PTX, "bent", SIGNATURE)


def on_gpu(x: State, a: float, out: State) -> None:
    bent_kernel[-(-x.size // 128), 128](x, out, a, x.size)


def slope(g: State, out: State, x: State, a: float) -> State:
    return (a + 2 * x) * g


bent = custom_op("gpu_tests::bent", cpu=lambda x, a: a * x + x * x, gpu=on_gpu, gradient=slope)


def wave(n: int, step: float = 0.3) -> State:
    return syntonic.sin(syntonic.arange(n, dtype="float32") * step)


def test_a_kernel_runs_as_numba_and_cupy_have_it() -> None:
    x = wave(300).cuda()
    y = syntonic.zeros_like(x)
    earlier = y + 1  # waits to read what is written
    bent_kernel[(3,), (128, 1)](x, y, 2.0, x.size)
    assert y.tolist() == (2 * x + x * x).tolist()
    assert earlier.tolist() == [1.0] * 300
    bent_kernel((3, 1, 1), 128, (x * 2, y, 1.0, 300), shared_mem=16)
    assert y.tolist() == (2 * x + 4 * (x * x)).tolist()


def test_mistakes_have_their_errors() -> None:
    x = wave(8)
    with pytest.raises(DeviceError, match="operands on different devices"):
        bent_kernel[1, 8](x, x.cuda(), 1.0, 8)
    with pytest.raises(syntonic.ArgumentError, match="read-only|with strides"):
        bent_kernel[1, 8](x.cuda(), syntonic.broadcast_to(x[:1].cuda(), (8,)), 1.0, 8)
    with pytest.raises(GradientError):
        grad(lambda x: bent_kernel[1, 8](x, x, 1.0, 8))(x.cuda())
    broken = kernel(PTX.rstrip().rstrip("}"), "bent", SIGNATURE)  # without its end
    with pytest.raises(DeviceError, match="load"):
        broken[1, 8](x.cuda(), x.cuda(), 1.0, 8)


def test_an_operator_has_its_kernel_its_gradient_and_its_graph() -> None:
    x = wave(500)
    for operand in (x, x[::-1], 2 * x):
        assert bent(operand.cuda(), 1.5).tolist() == bent(operand, 1.5).tolist()
    assert grad(lambda x: bent(x, 1.5).sum())(x.cuda()).tolist() == grad(lambda x: bent(x, 1.5).sum())(x).tolist()
    calls: list[Any] = []

    def counted(x: State, out: State) -> None:
        calls.append(1)
        on_gpu(x, 1.0, out)

    step = captured(lambda x: custom_op("gpu_tests::counted", gpu=counted)(x + 1) * 2)
    for k in range(3):
        y = wave(500, 0.1 * (k + 1))
        assert step(y.cuda()).tolist() == (bent(y + 1, 1.0) * 2).tolist()
    # Once to have its kernels ready, and once to be captured.
    assert len(calls) == 2


def test_an_operator_without_a_kernel_is_an_error() -> None:
    x = wave(10).cuda()
    with pytest.raises(OperatorError, match=r"alone: it has no function for cuda:0; hint: give custom_op a function gpu="):
        custom_op("alone", cpu=lambda x: x)(x)
    with pytest.raises(OperatorError, match="idle: its GPU function did not write result 0"):
        custom_op("idle", gpu=lambda x, out: None)(x)

    def assign(x: State, out: State) -> None:
        out[...] = x * 3

    assert custom_op("assigns", gpu=assign)(x).tolist() == (x * 3).tolist()


def test_source_is_compiled_or_says_what_is_missing() -> None:
    source = 'extern "C" __global__ void twice(const float* x, float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = 2 * x[i]; }'
    twice, x = kernel(source, "twice"), wave(32).cuda()
    y = syntonic.zeros_like(x)
    try:
        twice[1, 32](x, y, 32)
    except DeviceError as error:
        assert "pip install nvidia-cuda-nvrtc" in str(error)
        return
    assert y.tolist() == (2 * x).tolist()
    with pytest.raises(DeviceError, match="NVRTC says"):
        kernel('extern "C" __global__ void f(int n) { nonsense }', "f")[1, 1](1)
