"""Arrays between PyTorch and States by the exchange API of DLPack 1.3."""

import pytest
import syntonic as syn
import torch

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int64, torch.uint8, torch.complex64, torch.bool]


def test_both_types_show_the_table():
    for kind in (syn.State, torch.Tensor):
        assert "dlpack_exchange_api" in repr(kind.__dlpack_c_exchange_api__)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_memory_is_shared_both_ways(dtype):
    x = torch.arange(12).reshape(3, 4).to(dtype)
    state = syn.asarray(x)
    assert state.shape == (3, 4) and state.dtype == str(dtype).removeprefix("torch.")
    x[1, 2] = 0
    assert torch.equal(torch.from_dlpack(state), x)
    back = torch.from_dlpack(state)
    back[0, 1] = 0
    assert x[0, 1] == 0 and syn.all(syn.asarray(x) == state)


def test_strides_offsets_and_empty_arrays():
    x = torch.arange(24.0).reshape(2, 3, 4)
    for view in (x.mT, x[:, 1:, ::2], x[1], x[0, 0, 0], x[:0], x.expand(5, 2, 3, 4)):
        assert torch.equal(torch.from_dlpack(syn.asarray(view)), view)


def test_what_needs_a_gradient_is_refused():
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(BufferError, match="grad"):
        syn.asarray(x)
    assert syn.asarray(x.detach()).shape == (3,)


def test_lazy_bits_are_refused_or_resolved():
    z = torch.tensor([1 + 2j, 3 - 1j])
    try:
        got = syn.asarray(z.conj())
    except BufferError:
        return
    assert got.tolist() == [1 - 2j, 3 + 1j]


def test_memory_outlives_its_first_owner():
    state = syn.asarray(torch.arange(1000.0))
    assert syn.sum(state).item() == 499500
    tensor = torch.from_dlpack(syn.arange(1000.0))
    assert tensor.sum().item() == 499500
