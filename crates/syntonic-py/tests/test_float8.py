"""8-bit floats: what is stored, moved and cast, and that everything else refuses them."""

import pickle
import random
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from calls import CALLS, operand

import syntonic
from syntonic import State

NAMES = ("float8_e4m3fn", "float8_e5m2")
# Functions whose work is to move elements, make them or say something of the State.
MOVES = (
    "State T array_namespace array asarray astype base broadcast_arrays broadcast_to compress concat copy cpu cuda device diagonal dtype"
    " empty empty_like eval expand_dims fill flat flatten flip from_dlpack full full_like is_pending is_pinned item itemsize load"
    " ctypes data flags load_with_metadata mT matrix_transpose moveaxis nbytes ndim numpy ones ones_like pad permute_dims pin_memory put ravel repeat reshape"
    " roll save scatter shape size split squeeze stack strides swapaxes take take_along_axis tile to to_device tobytes tofile tolist"
    " byteswap dump dumps resize setflags transpose unstack zeros zeros_like fft.fftshift fft.ifftshift"
).split()
# And those that read the numbers as Python's, or hand a State on as it is.
READS = "as_integer_ratio is_integer nonzero positive real imag clip finfo can_cast isdtype result_type stop_gradient tree.leaves".split()
# Of no State, or not of the one that is handed in.
APART = (
    *("cuda.", "random.", "evolve.", "distributed.", "DType", "Device", "__array_namespace_info__", "golden.", "nn.BatchNormState", "nn.GoldenNormMode"),
    # What takes no State but its size.
    *("exact.GoldenInt", "exact.GoldenRational", "exact.fibonacci", "exact.lucas", "exact.phi_power", "resonant.Attractors.__new__", "captured.graphs", "captured.clear"),
    *(f"pipeline.Plan.{name}" for name in ("__init__", "__repr__", "digest", "inputs", "load", "name", "outputs", "save", "source")),
    *("geometry.e8_", "geometry.heat_kernel", "geometry.theta", "geometry.winding_count", "geometry.winding_zeta"),
    # What computes nothing, and former names.
    *("State.__dir__", "State.matmul_async", "State.prefetch_to_gpu", "State.reshape_inplace"),
)
OTHERS = (
    "device default_device set_default_device set_default_rounding get_matmul_precision set_matmul_precision matmul_precision matmul_precision.__enter__ arange eye"
    " broadcast_shapes fft.fftfreq fft.rfftfreq linspace meshgrid GoldenNormMode geometry.windings resonant.mode_norms linalg.GemvChain linalg.MatmulReport linalg.scaled_matmul eager rounding explain"
).split()


def _codes(name: str) -> np.ndarray:
    return np.arange(256, dtype=np.uint8).view(getattr(ml_dtypes, name))


def _bits(x: State) -> np.ndarray:
    return np.asarray(x.numpy()).view(np.uint8)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wide", ["float16", "bfloat16", "float32", "float64"])
def test_every_code_is_widened_as_by_ml_dtypes(name: str, wide: str) -> None:
    codes = _codes(name)
    got = syntonic.asarray(codes).astype(wide).astype("float64").numpy()
    np.testing.assert_array_equal(got, codes.astype(np.float64))
    assert np.array_equal(np.signbit(got)[~np.isnan(got)], np.signbit(codes.astype(np.float64))[~np.isnan(got)])


@pytest.mark.parametrize("name", NAMES)
def test_every_float16_is_rounded_as_by_ml_dtypes(name: str) -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        want = halves.astype(getattr(ml_dtypes, name))
    got = _bits(syntonic.asarray(halves).astype(name))
    numbers = ~np.isnan(want.astype(np.float32))
    assert np.array_equal(got[numbers], want.view(np.uint8)[numbers])
    # What is no number has one code, with the sign only of what overflowed.
    assert set(got[~numbers].tolist()) <= {0x7F, 0xFF}


@pytest.mark.parametrize("name", NAMES)
def test_float32_is_rounded_as_by_ml_dtypes(name: str) -> None:
    rng = np.random.default_rng(5)
    x = (rng.standard_normal(50_000) * 2.0 ** rng.integers(-20, 18, 50_000)).astype(np.float32)
    with np.errstate(all="ignore"):
        want = x.astype(getattr(ml_dtypes, name))
    numbers = ~np.isnan(want.astype(np.float32))
    got = _bits(syntonic.asarray(x).astype(name))
    assert np.array_equal(got[numbers], want.view(np.uint8)[numbers])


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_ml_dtypes_are_shared(name: str) -> None:
    source = _codes(name).reshape(16, 16).copy()
    for array in (source, source.T, source[:, ::-2]):
        x = syntonic.asarray(array)
        assert x.dtype == name and x.numpy().dtype == array.dtype
        assert x.numpy().tobytes() == array.tobytes() and np.shares_memory(x.numpy(), source)
    with pytest.raises(BufferError, match=name):
        memoryview(State([1.0], dtype=name))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_comes_back(name: str, tmp_path: Path) -> None:
    x = syntonic.asarray(_codes(name)).reshape(16, 16).mT
    syntonic.save(tmp_path / "x.safetensors", {"x": x})
    for back in (
        syntonic.load(tmp_path / "x.safetensors")["x"],
        pickle.loads(pickle.dumps(x)),
        syntonic.from_dlpack(x),
        syntonic.concat([x[:4], x[4:]]),
        syntonic.take(x, syntonic.arange(16), axis=0),
        x.copy(),
    ):
        assert back.dtype == name and np.array_equal(_bits(back), _bits(x))
    for ending in ("npy", "npz"):
        with pytest.raises(syntonic.DTypeError, match="NumPy has no"):
            syntonic.save(tmp_path / f"x.{ending}", x if ending == "npy" else {"x": x})


def test_numbers_are_shown_by_their_value() -> None:
    x = State([1.0, -0.0, 300.0, 1e4], dtype="float8_e4m3fn")
    assert x.tolist()[:3] == [1.0, -0.0, 288.0] and str(x) == "[  1.,  -0., 288.,  nan]"
    assert State([1e6, 57344.0], dtype="float8_e5m2").tolist() == [float("inf"), 57344.0]


def test_types_of_storage_are_no_numbers_of_the_standard() -> None:
    info = syntonic.__array_namespace_info__()
    for name in NAMES:
        dtype = getattr(syntonic, name)
        stored = getattr(ml_dtypes, name)
        limits, theirs = syntonic.finfo(dtype), ml_dtypes.finfo(stored)
        assert (limits.max, limits.eps, limits.smallest_normal) == (
            float(theirs.max),
            float(theirs.eps),
            float(theirs.smallest_normal),
        )
        assert name not in info.dtypes() and not syntonic.isdtype(dtype, "numeric")
        assert syntonic.can_cast(dtype, "float16") and not syntonic.can_cast("float16", dtype)
        assert syntonic.result_type(dtype, dtype) == dtype == syntonic.result_type(dtype, 1.0)
        for other in ("float32", "bool", NAMES[1 - NAMES.index(name)]):
            with pytest.raises(syntonic.DTypeError, match="cast to float16 first"):
                syntonic.result_type(dtype, other)
            with pytest.raises(syntonic.DTypeError, match="cast to float16 first"):
                syntonic.concat([syntonic.ones(2, dtype=dtype), syntonic.ones(2, dtype=other)])
        with pytest.raises(syntonic.DTypeError, match="cast to float16 first"):
            State([syntonic.ones(2, dtype=dtype), syntonic.ones(2)])
        with pytest.raises(syntonic.DTypeError, match="storage"):
            syntonic.add(1.0, syntonic.ones(2), out=syntonic.ones(2, dtype=dtype))


def _takes_storage(name: str) -> bool:
    last = name.removeprefix("State.").strip("_")
    special = name.startswith("State.__") and last in (
        "array array_interface array_namespace arrow_array bool bytes ceil complex copy cuda_array_interface deepcopy delitem dlpack"
        " dlpack_device float floor format getitem int iter len new pos reduce repr reversed round setitem trunc"
    ).split()
    moves = last.removeprefix("linalg.") in (*MOVES, *READS) or name == "State._repr_html_"
    return special or moves or name in OTHERS or name.startswith(APART)


@pytest.mark.parametrize("dtype", NAMES)
def test_every_function_that_computes_refuses_storage(dtype: str) -> None:
    wrong, refused = [], 0
    for call in CALLS:
        x = operand(call, 64).astype(dtype).eval()
        if _takes_storage(call.name):
            continue
        try:
            call(x, random.Random(3))
        except syntonic.DTypeError:
            refused += 1
        except Exception as error:
            wrong.append(f"{call.name}: {error!r}")
        else:
            wrong.append(f"{call.name} took it")
    assert not wrong, "\n".join(wrong)
    assert refused > 200, refused


@pytest.mark.parametrize("out", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 0)])
def test_scaled_products(first: int, second: int, out: str) -> None:
    rng = np.random.default_rng(7)
    a = rng.standard_normal((9, 33)).astype(getattr(ml_dtypes, NAMES[first]))
    b = rng.standard_normal((17, 33)).astype(getattr(ml_dtypes, NAMES[second])).T
    got = syntonic.linalg.scaled_matmul(a, b, scale_a=0.5, scale_b=3, out_dtype=out)
    x, y = a.astype(np.float64), b.astype(np.float64)
    size = 1.5 * (np.abs(x) @ np.abs(y))
    unit = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}[out]
    # 33 products and the scale in float32, and one rounding to the result.
    bound = size * (35 * 2.0**-24 + unit)
    assert got.dtype == out and np.all(np.abs(got.astype("float64").numpy() - 1.5 * (x @ y)) <= bound)


def test_scaled_products_refuse_what_they_are_not_for() -> None:
    a, b = syntonic.ones((2, 3), dtype=NAMES[0]), syntonic.ones((3, 2), dtype=NAMES[1])
    product = syntonic.linalg.scaled_matmul
    with pytest.raises(syntonic.DTypeError, match="two float8_e5m2"):
        product(b, b.mT, scale_a=1.0, scale_b=1.0)
    with pytest.raises(syntonic.DTypeError, match="float32, float16 or bfloat16"):
        product(a, b, scale_a=1.0, scale_b=1.0, out_dtype="float64")
    with pytest.raises(syntonic.DTypeError, match="matmul multiplies the others"):
        product(a.astype("float16"), b, scale_a=1.0, scale_b=1.0)
    with pytest.raises(syntonic.ShapeError):
        product(a, a, scale_a=1.0, scale_b=1.0)
    with pytest.raises(syntonic.ArgumentTypeError, match="scale_a"):
        product(a, b, scale_a="much", scale_b=1.0)
