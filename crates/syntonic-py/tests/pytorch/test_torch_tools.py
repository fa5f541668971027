"""PyTorch's tools over modules of `syntonic.torch.nn`: each leaves their values as they are, or refuses in words."""

import copy
import io
import pickle
import warnings

import pytest
import syntonic as syn
import torch
from syntonic.torch import nn
from torch.ao.quantization import fuse_modules
from torch.ao.quantization.quantize_fx import fuse_fx
from torch.fx.experimental import optimization
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval
from torch.optim.swa_utils import AveragedModel, update_bn

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

IMAGES = torch.randn(4, 3, 5, 4, generator=torch.Generator().manual_seed(2))
ROWS = IMAGES[:, :, 0, 0].contiguous()
MODULES = {
    "LayerNorm": (lambda: nn.LayerNorm(4), IMAGES),
    "RMSNorm": (lambda: nn.RMSNorm(4), IMAGES),
    "RMSNorm with eps": (lambda: nn.RMSNorm(4, 1e-4), IMAGES),
    "BatchNorm1d": (lambda: nn.BatchNorm1d(3), ROWS),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(3), IMAGES),
    "BatchNorm2d by means": (lambda: nn.BatchNorm2d(3, momentum=None), IMAGES),
    "GELU": (nn.GELU, IMAGES),
    "Softmax": (lambda: nn.Softmax(mode_norms=torch.tensor([0.0, 1.0, 1.0, 4.0])), IMAGES),
    "Linear": (lambda: nn.Linear(4, 3), IMAGES),
    "PhiResidual": (lambda: nn.PhiResidual(nn.LayerNorm(4), activation="relu"), IMAGES),
    "PhiResidualLayerNorm": (lambda: Both(nn.PhiResidualLayerNorm(4)), IMAGES),
}


class Both(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x, x.sin())


def made(name):
    """A module in a model, with parameters and running statistics that are none of those it begins with, and its input."""
    make, x = MODULES[name]
    torch.manual_seed(4)
    model = torch.nn.Sequential(make(), torch.nn.Identity())
    with torch.no_grad():
        for p in model.parameters():
            p.uniform_(0.5, 2)
        for _ in range(2):
            model(2 * x + 1)
    return model, x


def saved(model):
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


def of_a_state(model):
    other = copy.deepcopy(model)
    with torch.no_grad():
        for t in [*other.parameters(), *other.buffers()]:
            t.zero_()
    other.load_state_dict(model.state_dict())
    return other


#: What may be done to a model and leaves it a model of the same values.
KEEPING = {
    "deepcopy": lambda model, x: copy.deepcopy(model),
    "pickle": lambda model, x: pickle.loads(pickle.dumps(model)),
    "torch.save": lambda model, x: saved(model),
    "state_dict": lambda model, x: of_a_state(model),
    "replica": lambda model, x: replica(model),
    "AveragedModel": lambda model, x: AveragedModel(model),
    "symbolic_trace": lambda model, x: torch.fx.symbolic_trace(model),
    "fuse_fx": lambda model, x: fuse_fx(model) if not model.training else model,
    "optimization.fuse": lambda model, x: optimization.fuse(model) if not model.training else model,
    "compile": lambda model, x: torch.compile(model, fullgraph=True, backend="aot_eager"),
    "functional_call": lambda model, x: lambda x: torch.func.functional_call(
        model, {**dict(model.named_parameters()), **{k: b.clone() for k, b in model.named_buffers()}}, (x,)
    ),
    "jit.trace": lambda model, x: torch.jit.trace(copy.deepcopy(model), x, check_trace=False),
    "export": lambda model, x: torch.export.export(model, (x,)).module(),
}


def replica(model):
    other = model._replicate_for_data_parallel()
    other._modules = {key: m._replicate_for_data_parallel() for key, m in model._modules.items()}
    for key, m in model._modules.items():
        other._modules[key]._parameters = {k: None if p is None else p.detach().clone() for k, p in m._parameters.items()}
        other._modules[key]._modules = {k: copy.deepcopy(n) for k, n in m._modules.items()}
    return other


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("way", KEEPING)
@pytest.mark.parametrize("name", MODULES)
def test_tools_keep_values(name, way, training):
    model, x = made(name)
    model.train(training)
    torch._dynamo.reset()
    want = copy.deepcopy(model)(x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = KEEPING[way](model, x)
    # A formula that the compiler fuses has the roundings of its own operations.
    torch.testing.assert_close(other(x), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["BatchNorm1d", "BatchNorm2d", "BatchNorm2d by means"])
def test_a_graph_of_a_batch_norm_trains_and_evaluates(name):
    model, x = made(name)
    ours = copy.deepcopy(model)
    traced = torch.fx.symbolic_trace(model)
    written, before = torch.jit.trace(copy.deepcopy(model), x, check_trace=False), copy.deepcopy(model)
    for _ in range(3):
        torch.testing.assert_close(written(2 * x), before(2 * x), rtol=1e-6, atol=1e-6)
    counted = copy.deepcopy(model)
    counted(x), [counted(2 * x) for _ in range(3)]
    torch.testing.assert_close(dict(written.named_buffers())["0.running_mean"], counted[0].running_mean, rtol=1e-5, atol=1e-6)
    for training in (True, False, True):
        torch.testing.assert_close(traced.train(training)(x), ours.train(training)(x), rtol=0, atol=0)
    for key, value in ours.state_dict().items():
        torch.testing.assert_close(traced.state_dict()[key], value, rtol=0, atol=0)


@pytest.mark.parametrize("name", ["LayerNorm", "RMSNorm", "Linear", "Softmax", "BatchNorm2d"])
def test_an_ensemble_by_vmap(name):
    models = [made(name)[0].eval() for _ in range(3)]
    x = MODULES[name][1]
    with torch.no_grad():
        for k, model in enumerate(models):
            for p in model.parameters():
                p.add_(k)
    base = copy.deepcopy(models[0]).to("meta")
    state = torch.func.stack_module_state(models)
    together = torch.vmap(lambda p, b, x: torch.func.functional_call(base, (p, b), (x,)), (0, 0, None))
    torch.testing.assert_close(together(*state, x), torch.stack([model(x) for model in models]), rtol=1e-5, atol=1e-6)


GOLDEN = {
    "fuse_conv_bn_eval": lambda norm: fuse_conv_bn_eval(torch.nn.Conv2d(3, 3, 1).eval(), norm),
    "fuse_linear_bn_eval": lambda norm: fuse_linear_bn_eval(torch.nn.Linear(3, 3).eval(), norm),
    "ao.fuse_modules": lambda norm: fuse_modules(torch.nn.Sequential(torch.nn.Conv2d(3, 3, 1), norm).eval(), [["0", "1"]]),
    "convert_sync_batchnorm": lambda norm: torch.nn.SyncBatchNorm.convert_sync_batchnorm(norm)(IMAGES),
    "functional.batch_norm": lambda norm: torch.nn.functional.batch_norm(
        IMAGES, norm.running_mean, norm.running_var, norm.weight, norm.bias, eps=norm.eps
    ),
    "by hand": lambda norm: (norm.running_var + norm.eps).sqrt(),
}


@pytest.mark.parametrize("way", GOLDEN)
def test_what_would_drop_the_golden_factor_is_refused(way):
    norm = made("BatchNorm2d")[0][0].eval()
    with pytest.raises((syn.ArgumentError, AssertionError), match="golden norm.*hint|did not find fuser method.*syntonic"):
        GOLDEN[way](norm)


def test_norms_of_rows_refuse_it_too():
    x = torch.randn(3, 4)
    for norm in (nn.LayerNorm(4), nn.RMSNorm(4), nn.RMSNorm(4, 1e-3)):
        function = torch.nn.functional.layer_norm if isinstance(norm, nn.LayerNorm) else torch.nn.functional.rms_norm
        with pytest.raises(syn.ArgumentError, match="golden norm.*hint"):
            function(x, (4,), norm.weight, eps=norm.eps)


def test_a_standard_norm_is_pytorch_s_to_every_tool():
    convolution = torch.nn.Conv2d(3, 3, 1).eval()
    norm = nn.BatchNorm2d(3, mode="standard")
    norm(IMAGES), norm.eval()
    fused = fuse_conv_bn_eval(convolution, norm)
    torch.testing.assert_close(fused(IMAGES), norm(convolution(IMAGES)), rtol=1e-5, atol=1e-5)
    assert nn.LayerNorm(4, eps=1e-3, mode="standard").eps == 1e-3 and nn.RMSNorm(4, mode="standard").eps is None


def test_eps_is_read_and_set():
    norm = nn.BatchNorm2d(3, eps=1e-3)
    assert float(norm.eps) == 1e-3 and "eps=0.001" in repr(norm)
    x = IMAGES
    norm.eps = 0.25
    torch.testing.assert_close(norm(x), nn.BatchNorm2d(3, eps=0.25)(x), rtol=0, atol=0)
    norm.eps = nn.LayerNorm(3, eps=0.5).eps
    assert float(norm.eps) == 0.5
    with pytest.raises(TypeError, match="distance of 1"):
        float(nn.RMSNorm(4).eps)


def test_operands_by_name():
    assert nn.RMSNorm(4)(x=IMAGES).shape == nn.PhiResidualLayerNorm(4)(x=IMAGES, residual=IMAGES).shape == IMAGES.shape


def test_running_statistics_are_made_anew():
    model, x = made("BatchNorm2d")
    loader = [x, 3 * x + 1]
    update_bn(loader, model)
    torch.testing.assert_close(model[0].running_var, sum(b.var((0, 2, 3)) for b in loader) / 2, rtol=1e-5, atol=1e-6)
    assert model[0].momentum == 0.1
    stripped = torch.func.replace_all_batch_norm_modules_(copy.deepcopy(model))
    torch.testing.assert_close(torch.vmap(stripped)(torch.stack([x, 2 * x]))[0], stripped(x), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("both", [True, False])
def test_an_encoder_takes_no_short_cut_past_a_golden_norm(both):
    torch.manual_seed(1)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    layer.norm1 = nn.LayerNorm(8)
    layer.norm2 = nn.LayerNorm(8) if both else layer.norm2
    encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=True).eval()
    x = torch.randn(2, 5, 8)
    with torch.no_grad():
        got = encoder(x)
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            want = encoder(x)
        finally:
            torch.backends.mha.set_fastpath_enabled(True)
    torch.testing.assert_close(got, want, rtol=1e-5, atol=1e-6)
