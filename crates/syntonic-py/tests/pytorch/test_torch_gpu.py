"""What only a GPU shows of `syntonic.torch`: PyTorch's streams, memory and CUDA graphs. Collected where there is one."""

import gc

import pytest
import syntonic as syn
import torch
from syntonic import torch as st


def norm(x, w, b):
    return st.layer_norm(x, w.shape, w, b)


def operands(rows=512, n=1030, dtype=torch.float32):
    make = torch.Generator("cuda").manual_seed(5)
    return [torch.randn(s, device="cuda", generator=make).to(dtype) for s in [(rows, n), (n,), (n,)]]


def test_results_are_pytorch_s_memory():
    x, w, b = operands()
    norm(x, w, b)
    gc.collect()
    before, ours = torch.cuda.memory_allocated(), syn.cuda.memory_stats()["in_use"]
    y = norm(x, w, b)
    assert torch.cuda.memory_allocated() - before == y.numel() * 4
    assert syn.cuda.memory_stats()["in_use"] == ours
    del y
    assert torch.cuda.memory_allocated() == before


def test_the_current_stream_is_taken():
    x, w, b = operands()
    want = norm(x, w, b)
    side = torch.cuda.Stream()
    for _ in range(5):
        with torch.cuda.stream(side):
            # The operand is written late on the stream that the operator is asked on.
            torch.cuda._sleep(20_000_000)
            late = x * 1.0
            y = norm(late, w, b)
            z = y + 1
        side.synchronize()
        assert torch.equal(z, want + 1)


def test_a_graph_of_pytorch_captures_them():
    x, w, b = operands()
    x.requires_grad_()

    def step(x):
        y = st.phi_residual(x, st.gelu(norm(x, w, b)))
        (slope,) = torch.autograd.grad(y.sum(), x)
        return y, slope, st.batch_norm(x.detach(), None, None, w, b, True), torch.sum(st.softmax(x.detach()), 0)

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        step(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = step(x)
    for seed in range(3):
        with torch.no_grad():
            x.copy_(torch.randn(x.shape, generator=torch.Generator().manual_seed(seed)))
        graph.replay()
        for got, want in zip(results, step(x)):
            assert torch.equal(got, want)


def test_kernels_may_load_inside_a_capture():
    # A row length and a type that no other test has: the kernel's first use is the capture.
    x = torch.randn(33, 77, device="cuda", dtype=torch.float64)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = st.rms_norm(x, (77,), torch.ones(77, device="cuda", dtype=torch.float64), 1e-6)
    graph.replay()
    assert torch.equal(y, st.rms_norm(x, (77,), torch.ones(77, device="cuda", dtype=torch.float64), 1e-6))


def test_a_capture_has_the_kernels_of_its_formulas():
    x, r, grad = (torch.randn(1 << 22, device="cuda", dtype=torch.float64) for _ in range(3))

    def slopes():
        return torch.ops.syntonic.phi_residual_backward(grad, x, r, "phi_symmetric", "gelu_erf")

    slopes(), slopes()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = slopes()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        graph.replay()
        torch.cuda.synchronize()
    names = [event.key for event in profile.key_averages()]
    assert any(name.startswith("map_") for name in names), names
    for got, want in zip(captured, slopes()):
        assert torch.equal(got, want)


def test_reduce_overhead():
    x, w, b = operands()
    torch._dynamo.reset()
    model = torch.compile(lambda x: st.gelu(norm(x * 2, w, b)) + 1, mode="reduce-overhead", fullgraph=True)
    want = st.gelu(norm(x * 2, w, b)) + 1
    for _ in range(4):
        torch.compiler.cudagraph_mark_step_begin()
        got = model(x).clone()
    torch.testing.assert_close(got, want)


@pytest.mark.parametrize("channels_last", [False, True])
def test_reduce_overhead_over_images(channels_last):
    # Channels-last, the norm's blocks share words of memory, which outlive the passes before the capture.
    order = torch.channels_last if channels_last else torch.contiguous_format
    torch._dynamo.reset()
    layer = torch.nn.Sequential(torch.nn.Conv2d(32, 32, 3, padding=1, bias=False), st.nn.BatchNorm2d(32), st.nn.GELU()).cuda()
    model = torch.compile(layer.to(memory_format=order), mode="reduce-overhead", fullgraph=True)
    for seed in range(5):
        x = torch.randn(16, 32, 28, 28, device="cuda", generator=torch.Generator("cuda").manual_seed(seed))
        x = x.contiguous(memory_format=order).requires_grad_()
        torch.compiler.cudagraph_mark_step_begin()
        (got,) = torch.autograd.grad(model(x).square().sum(), x)
        (want,) = torch.autograd.grad(layer(x).square().sum(), x)
        # Sums of thousands of terms of float32, in another order.
        torch.testing.assert_close(got, want, rtol=1e-2, atol=1e-2)


def test_want_of_memory_is_pytorch_s_error():
    x = torch.empty(1, device="cuda").expand(1 << 20, 1 << 20)
    with pytest.raises(torch.OutOfMemoryError):
        st.gelu(x)
    assert torch.equal(st.gelu(torch.ones(3, device="cuda")), st.gelu(torch.ones(3)).cuda())


def test_tensors_of_two_devices_are_refused():
    with pytest.raises(syn.DeviceError, match="cuda"):
        st.phi_residual(torch.ones(3, device="cuda"), torch.ones(3))


@pytest.mark.parametrize("precision", ["highest", "high"])
def test_a_product_as_exact_as_float32(precision):
    make = torch.Generator("cuda").manual_seed(1)
    a, b = (torch.randn(1024, 1024, device="cuda", generator=make) for _ in range(2))
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        got = st.matmul(a, b, precision=precision)
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False
    exact = a.double() @ b.double()
    # A sum of n products in float32, in the Frobenius norm: far below what TF32's 11 bits give (3e-4).
    error = torch.linalg.norm(got - exact) / torch.linalg.norm(exact)
    assert error < 2e-6


def test_streams_of_states_and_of_tensors_order_themselves():
    x = torch.randn(1 << 20, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        torch.cuda._sleep(20_000_000)
        y = x + 1
        state = syn.asarray(y)
    assert syn.all(state == syn.asarray(x) + 1)
