"""The modules of `syntonic.torch.nn`: names, states and training as PyTorch's own."""

import pytest
import syntonic as syn
import torch
from syntonic.torch import nn

DEVICES = ["cpu"] + ["cuda"] * torch.cuda.is_available()
SCALE = float(syn.phi) ** -0.5

PAIRS = {
    "LayerNorm": (lambda m: m.LayerNorm(8), (4, 8)),
    "RMSNorm": (lambda m: m.RMSNorm(8), (4, 8)),
    "BatchNorm1d": (lambda m: m.BatchNorm1d(8), (16, 8)),
    "BatchNorm2d": (lambda m: m.BatchNorm2d(3), (4, 3, 5, 5)),
    "Linear": (lambda m: m.Linear(8, 3), (4, 8)),
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", PAIRS)
def test_a_state_of_pytorch_s_module_loads_and_gives_its_values(name, device):
    make, shape = PAIRS[name]
    theirs, ours = make(torch.nn).to(device), make(nn).to(device)
    assert isinstance(ours, getattr(torch.nn.modules.batchnorm, "_BatchNorm") if "Batch" in name else getattr(torch.nn, name))
    generator = torch.Generator().manual_seed(3)
    for p in theirs.parameters():
        p.data.copy_(torch.randn(p.shape, generator=generator))
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(shape, generator=generator).to(device)
    for train in (True, True, False):
        theirs.train(train), ours.train(train)
        got, want = ours(x), theirs(x)
        if name != "Linear":
            # The golden norms have the variance 1/phi before weight and bias.
            bias = getattr(theirs, "bias", None)
            bias = torch.zeros(()) if bias is None else bias
            bias = (bias.view(1, -1, 1, 1) if x.ndim == 4 else bias).to(device)
            want = (want - bias) * SCALE + bias
        torch.testing.assert_close(got, want, rtol=1e-5, atol=2e-5)
    for key, value in theirs.state_dict().items():
        torch.testing.assert_close(ours.state_dict()[key], value, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("device", DEVICES)
def test_a_block_learns(device):
    torch.manual_seed(0)
    block = torch.nn.Sequential(
        nn.PhiResidual(torch.nn.Sequential(nn.LayerNorm(8), torch.nn.Linear(8, 8), nn.GELU())), nn.Linear(8, 3), nn.Softmax()
    ).to(device)
    x = torch.randn(64, 8, device=device)
    target = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
    optimizer = torch.optim.Adam(block.parameters(), 1e-2)
    losses = []
    for _ in range(60):
        loss = torch.nn.functional.nll_loss(torch.log(block(x)), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_wrong_inputs():
    with pytest.raises(ValueError, match=r"\[B, C\]"):
        nn.BatchNorm1d(3)(torch.ones(2, 3, 4))
    with pytest.raises(ValueError, match=r"\[B, C, H, W\]"):
        nn.BatchNorm2d(3)(torch.ones(2, 3))


def test_what_a_module_shows():
    assert "mode='golden'" in repr(nn.LayerNorm(4)) and "(8,)" in repr(nn.RMSNorm((8,)))
    assert nn.PhiResidualLayerNorm(8)(torch.ones(2, 8), torch.ones(2, 8)).shape == (2, 8)
