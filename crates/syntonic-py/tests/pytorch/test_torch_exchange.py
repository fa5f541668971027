"""Arrays between PyTorch and States by the exchange API of DLPack 1.3."""

import warnings

import pytest
import syntonic as syn
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

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


Z = torch.tensor([[1 + 2j, 3 - 1j], [-2 + 0.5j, 4j]])
#: Tensors whose memory does not hold their values, by PyTorch's bits for it.
LAZY = {
    "conjugate": Z.conj(),
    "negative": Z.conj().imag,
    "negative, strided": Z.conj().imag.mT[:, ::2],
    "conjugate of a view": Z.mT[:1].conj(),
    "negative of a conjugate": torch._neg_view(Z.conj()),
    "negative integers": torch._neg_view(torch.arange(4)),
    "zeros": torch._efficientzerotensor(2, 3),
}
#: The ways in, each to a State.
WAYS = {
    "asarray": syn.asarray,
    "asarray, copied": lambda x: syn.asarray(x, copy=True),
    "asarray, cast": lambda x: syn.asarray(x, dtype=syn.complex128),
    "State": syn.State,
    "from_dlpack": syn.from_dlpack,
    "from_dlpack, copied": lambda x: syn.from_dlpack(x, copy=True),
    "list": lambda x: syn.State([x, x])[0],
    "nested list": lambda x: syn.asarray([[x], [x]])[0, 0],
    "operand": lambda x: syn.zeros((), dtype=syn.int64) + x,
    "assigned": lambda x: assigned(x),
    "joined": lambda x: syn.stack([syn.asarray(x), syn.asarray(x)])[1],
}


def values(x):
    return x.clone().tolist()


def assigned(x):
    state = syn.zeros(tuple(x.shape), dtype=syn.complex128)
    state[...] = x
    return state


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", LAZY)
def test_lazy_bits_are_resolved(kind, way):
    x = LAZY[kind]
    assert WAYS[way](x).tolist() == values(x)


@pytest.mark.parametrize("kind", LAZY)
def test_lazy_tensors_share_nothing(kind):
    x = LAZY[kind]
    state = syn.asarray(x)
    before = values(x)
    state[...] = 7
    assert values(x) == before
    for ask in (lambda: syn.asarray(x, copy=False), lambda: syn.from_dlpack(x, copy=False)):
        with pytest.raises(syn.ArgumentError, match="hint"):
            ask()
    # Nothing that is written into what it resolves to would reach it.
    with pytest.raises(syn.ArgumentTypeError, match="out"):
        syn.add(syn.asarray(x), 1, out=x)
    assert values(x) == before


def test_overlapping_memory_is_no_target():
    x = torch.zeros(3)
    for target in (x[:1].expand(3), torch.as_strided(x, (2, 2), (1, 1))):
        with pytest.raises(syn.SyntonicError):
            syn.add(syn.ones(tuple(target.shape), dtype=syn.float32), 1.0, out=target)
    assert x.tolist() == [0, 0, 0]


@pytest.fixture(scope="module")
def odd():
    """Tensors that are no plain memory, and what the error says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = torch.ones(4, 4)
        with FakeTensorMode() as mode:
            fake = mode.from_tensor(x)
        return {
            "sparse": (x.to_sparse(), "sparse.*to_dense"),
            "csr": (x.to_sparse_csr(), "sparse.*to_dense"),
            "mkldnn": (x.to_mkldnn(), "oneDNN.*to_dense"),
            "quantised": (torch.quantize_per_tensor(x, 0.1, 0, torch.qint8), "quantised.*dequantize"),
            "nested": (torch.nested.nested_tensor([x, x]), "nested.*unbind"),
            "jagged": (torch.nested.nested_tensor([x, x], layout=torch.jagged), "nested.*unbind"),
            "meta": (x.to("meta"), "no values.*device"),
            "fake": (fake, "no memory|address is null"),
            "wrapper": (Wrapper(x), "no memory|address is null"),
            "gradient": (x.clone().requires_grad_(), "detach"),
        }


class Wrapper(torch.Tensor):
    """A subclass whose numbers lie elsewhere."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype, device=inner.device)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


ODD = ["sparse", "csr", "mkldnn", "quantised", "nested", "jagged", "meta", "fake", "wrapper", "gradient"]
INTO = {
    "asarray": syn.asarray,
    "State": syn.State,
    "from_dlpack": syn.from_dlpack,
    "list": lambda x: syn.State([x]),
    "operand": lambda x: syn.ones((4, 4)) + syn.asarray(x),
}


@pytest.mark.parametrize("way", INTO)
@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_plain_memory_is_refused(odd, kind, way):
    x, words = odd[kind]
    with pytest.raises((syn.SyntonicError, BufferError), match=words):
        INTO[way](x)


@pytest.mark.parametrize("transform", ["vmap", "grad", "jvp", "functionalize"])
def test_operands_of_transforms_are_no_memory(transform):
    def f(x):
        return torch.from_dlpack(syn.asarray(x)).sum()

    apply = {
        "vmap": lambda: torch.vmap(f)(torch.ones(2, 3)),
        "grad": lambda: torch.func.grad(f)(torch.ones(3)),
        "jvp": lambda: torch.func.jvp(f, (torch.ones(3),), (torch.ones(3),)),
        "functionalize": lambda: torch.func.functionalize(f)(torch.ones(3)),
    }
    with pytest.raises((syn.SyntonicError, BufferError, RuntimeError), match="storage|transform|memory|gradient"):
        apply[transform]()


def test_memory_outlives_its_first_owner():
    state = syn.asarray(torch.arange(1000.0))
    assert syn.sum(state).item() == 499500
    tensor = torch.from_dlpack(syn.arange(1000.0))
    assert tensor.sum().item() == 499500
