"""One sample of PyTorch's database through PyTorch and through us, and whether the two are the same."""

from collections import Counter
from dataclasses import dataclass
from itertools import islice

import opinfo_shapes  # noqa: F401  (its rows)
import syntonic as syn
import torch
from opinfo_bounds import Call, leaves, mapped
from opinfo_exceptions import excepted
from opinfo_table import ROWS
from torch.testing._internal.common_methods_invocations import op_db

DTYPES = [
    *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
]
# So many samples of an operator in a type, spread over all that it has; so many of all are looked at.
SAMPLES, LOOKED_AT = 200, 600
# Where and how tensors lie says nothing to a State.
UNSAID = ("device", "layout", "requires_grad", "memory_format", "pin_memory")


def name_of(info):
    return f"{info.name}@{info.variant_test_name}" if info.variant_test_name else info.name


OPERATORS = {name_of(info): info for info in op_db if name_of(info) in ROWS}


def samples(info, dtype):
    """Those of the operator for the type, on the CPU: the same in every run."""
    torch.manual_seed(0)
    # `sample_inputs` would look for the test that asks, through all frames of the stack.
    found = list(islice(info.sample_inputs_func(info, "cpu", dtype, False), LOOKED_AT))
    # A dropout of more than nothing is drawn, and no two libraries draw the same.
    found = [sample for sample in found if not sample.kwargs.get("dropout_p")]
    step = max(1, -(-len(found) // SAMPLES))
    return found[::step]


def state(value, device):
    """What stands for a leaf of a sample in our call."""
    if isinstance(value, torch.Tensor):
        return syn.asarray(value.detach().resolve_conj().resolve_neg().to(device))
    if isinstance(value, torch.dtype):
        return syn.DType(str(value).removeprefix("torch."))
    return value


def tensor(value):
    if isinstance(value, syn.State):
        return torch.from_dlpack(value).cpu()
    if isinstance(value, torch.Tensor):
        # Some samples ask PyTorch for another device.
        return value.cpu()
    return torch.asarray(value) if isinstance(value, (bool, int, float, complex)) else value


@dataclass
class Outcome:
    """What became of one sample: `same`, `different`, `refused`, or `none` where PyTorch itself refuses; the name of its exception."""

    kind: str
    said: str = ""
    exception: str | None = None


def run(name, sample, dtype, device="cpu"):
    """What becomes of one sample, with the exception that it is."""
    found = outcome(name, sample, device)
    if found.kind in ("different", "refused"):
        found.exception = excepted(name, dtype, found, sample)
    return found


def outcome(name, sample, device, changed=lambda result: result):
    """The comparison alone; `changed` is put between our result and it, to see what the bound lets pass."""
    row, info = ROWS[name], OPERATORS[name]
    operands, options = (sample.input, *sample.args), dict(sample.kwargs)
    asked = {key: value for key, value in options.items() if key not in UNSAID}
    mine = mapped((operands, asked), lambda value: state(value, device) if value is not torch.strided else None)
    try:
        # Integers become the default type of PyTorch, which is NumPy's and ours here.
        torch.set_default_dtype(torch.float64)
        function = row.theirs or info.op
        call = Call(function, operands, options)
        copies = mapped((operands, options), lambda value: value.clone() if isinstance(value, torch.Tensor) else value)
        try:
            native = function(*copies[0], **copies[1])
            wide = native if row.native else call()
        except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError) as error:
            return Outcome("none", f"{type(error).__name__}: {error}")
        try:
            # What a row makes of nothing is made on the same device.
            with syn.Device(device):
                got = row.ours(*mine[0], **mine[1])
            got = mapped(got, lambda value: value.eval() if isinstance(value, syn.State) else value)
        except syn.SyntonicError as error:
            return Outcome("refused", f"{type(error).__name__}: {error}")
        except TypeError as error:
            if "unexpected keyword argument" not in str(error):
                raise
            return Outcome("refused", f"option: {error}")
        return compared(row, call, changed(mapped(got, tensor)), mapped(native, tensor), mapped(wide, tensor))
    finally:
        torch.set_default_dtype(torch.float32)


def compared(row, call, got, native, wide):
    if row.compare is not None:
        if row.native:
            wide = native
        shown = row.compare
        function = call.function
        call = Call(lambda *operands, **options: shown(mapped(function(*operands, **options), tensor)), call.operands, call.options)
        got, native, wide = shown(got), shown(native), shown(wide)
    got, native, wide = leaves(got), leaves(native), leaves(wide)
    if len(got) != len(native):
        return Outcome("different", f"{len(got)} results, not {len(native)}")
    for place, (ours, theirs, exact) in enumerate(zip(got, native, wide)):
        if not isinstance(ours, torch.Tensor):
            return Outcome("different", f"result {place} is {ours!r}")
        if ours.shape != theirs.shape:
            return Outcome("different", f"shape {list(ours.shape)}, not {list(theirs.shape)}")
        if ours.dtype != theirs.dtype and (ours.dtype, theirs.dtype) != (torch.uint64, torch.int64):
            return Outcome("different", f"dtype {ours.dtype}, not {theirs.dtype}")
        wrong = differing(row.bound, call, place, ours, exact, theirs.dtype)
        if wrong is not None:
            return Outcome("different", wrong)
    return Outcome("same")


def differing(bound, call, place, got, want, dtype):
    """Which element is off by more than the bound, in words."""
    if not (dtype.is_floating_point or dtype.is_complex):
        got, want = got.to(torch.int64), want.to(torch.int64)
        bad = got != want
        allowed = torch.zeros(want.shape)
    else:
        # Rounded once to the type of the result: what is above its range is infinite.
        rounded = want.to(dtype)
        wide = torch.complex128 if dtype.is_complex else torch.float64
        got, want, rounded = got.to(wide), want.to(wide), rounded.to(wide)
        finite = want.isfinite() & rounded.isfinite()
        same = (got == rounded) | (got.isnan() & rounded.isnan()) | (~finite & got.isinf() & rounded.isinf() & dtype.is_complex)
        if bool(same.all()):
            return None
        allowed = bound.allowed(call, place, want, dtype)
        bad = ~(same | (finite & ((got - want).abs() <= allowed.expand(want.shape))))
    if not bool(bad.any()):
        return None
    at = tuple(int(k) for k in bad.nonzero()[0])
    return f"{int(bad.sum())} of {bad.numel()} elements of result {place}; {got[at].item()} at {at}, not {want[at].item()} within {float(allowed.expand(want.shape)[at]):.3g}"


def shown(sample):
    """A sample in one line."""

    def leaf(value):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}" if isinstance(value, torch.Tensor) else value

    return f"{mapped((sample.input, *sample.args), leaf)} {mapped(sample.kwargs, leaf)}"[:200]


def survey(names, device="cpu", tell=None):
    """How many samples ended how, by operator; `tell` is called with each that is not the same."""
    counts = {}
    for name in names:
        info, counts[name] = OPERATORS[name], Counter()
        for dtype in DTYPES:
            if dtype not in info.dtypes:
                continue
            for sample in samples(info, dtype):
                found = run(name, sample, dtype, device)
                counts[name][(found.kind, found.exception)] += 1
                if tell is not None and found.kind != "same":
                    tell(name, dtype, sample, found)
    return counts
