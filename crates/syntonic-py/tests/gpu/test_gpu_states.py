"""States on a GPU: how they get there, what they do there, and what they refuse."""

import copy
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from gpu_arrays import NAMES, numbers

import syntonic
import syntonic.info
from syntonic import State, cuda


@pytest.mark.parametrize("name", NAMES)
def test_there_and_back(name: str) -> None:
    array = numbers((3, 4), name)
    x = State(array).cuda()
    assert x.device == "cuda:0" and x.dtype == name and x.shape == (3, 4)
    np.testing.assert_array_equal(x.cpu().numpy(), array)
    np.testing.assert_array_equal(x[1:, ::-2].cpu().numpy(), array[1:, ::-2])
    assert x.tolist() == array.tolist() and x[1, 2].item() == array[1, 2].item()


def test_bfloat16_there_and_back() -> None:
    x = State([1.5, -2.0], dtype="bfloat16", device="cuda")
    assert x.dtype == "bfloat16" and x.tolist() == [1.5, -2.0] and (x + x).cpu().tolist() == [3.0, -4.0]


def test_many_ways_to_say_where() -> None:
    x = State([1.0, 2.0])
    here = x.cuda()
    for moved in (x.cuda(0), x.cuda("cuda:0"), x.to("cuda"), x.to(here), x.to_device(here.device), x.to(here.device)):
        assert moved.device == "cuda:0" and moved.dtype == "float64" and moved.tolist() == [1.0, 2.0]
    assert here.cuda() is here and here.to("cuda") is here and here.to(here) is here
    assert here.to("cpu", "float32").dtype == "float32" and here.to("float32").device == "cuda:0"
    assert here.to("cuda", copy=True) is not here
    assert (here.device.type, here.device.index) == ("cuda", 0)


def test_new_states_on_the_gpu() -> None:
    made = [
        State([1, 2], device="cuda"),
        syntonic.zeros((2, 3), device="cuda"),
        syntonic.ones(3, dtype="complex128", device="cuda"),
        syntonic.full(4, 7, device="cuda"),
        syntonic.arange(5, device="cuda"),
        syntonic.linspace(0, 1, 3, device="cuda"),
        syntonic.eye(3, device="cuda"),
        syntonic.asarray(np.arange(3), device="cuda"),
        syntonic.random.normal(10, device="cuda"),
    ]
    assert [str(x.device) for x in made] == ["cuda:0"] * len(made)
    assert made[3].tolist() == [7] * 4 and made[4].tolist() == list(range(5)) and made[2].tolist() == [1 + 0j] * 3
    assert syntonic.zeros_like(made[0]).device == "cuda:0"
    assert made[6].tolist() == np.eye(3).tolist()


def test_the_block_is_where_new_states_go() -> None:
    before = State([1.0])
    with syntonic.device("cuda:0") as gpu:
        assert gpu == "cuda:0" and syntonic.default_device() == gpu
        assert syntonic.zeros(3).device == gpu and State([1, 2]).device == gpu and State(np.ones(2)).device == gpu
        assert syntonic.asarray(np.ones(2)).device == gpu and syntonic.random.uniform(3).device == gpu
        # A State has a place already.
        assert syntonic.asarray(before).device == "cpu" and State(before).device == "cpu"
        with syntonic.device("cpu"):
            assert syntonic.zeros(3).device == "cpu"
        assert syntonic.zeros(3).device == gpu
    assert syntonic.zeros(3).device == "cpu"
    with pytest.raises(KeyError), syntonic.device("cuda"):
        raise KeyError
    assert syntonic.default_device() == "cpu"


def test_the_same_random_bits() -> None:
    for draw in (
        lambda g, d: g.uniform((3, 5), device=d),
        lambda g, d: g.normal(1000, dtype="float32", device=d),
        lambda g, d: g.integers(-5, 9, 100, device=d),
        lambda g, d: g.permutation(1000, device=d),
    ):
        ours, theirs = draw(syntonic.random.Generator(3), "cuda"), draw(syntonic.random.Generator(3), "cpu")
        assert ours.device == "cuda:0"
        np.testing.assert_array_equal(ours.cpu().numpy(), theirs.numpy())


def test_shown_like_any_other() -> None:
    small = State([[1, 2], [3, 4]])
    assert repr(small.cuda()) == repr(small).replace("'cpu'", "'cuda:0'")
    large = syntonic.arange(3000).reshape(3, 1000)
    assert str(large.cuda()) == str(large) and str(large.cuda().T) == str(large.T)
    assert f"{State(1.5).cuda():.3f}" == "1.500" and "cuda:0" in large.cuda()._repr_html_()


def test_numbers_one_by_one() -> None:
    x = State([1.5, 0.0], device="cuda")
    assert float(x[0]) == 1.5 and int(x[0]) == 1 and complex(x[0]) == 1.5 and bool(x[0]) and not bool(x[1])
    assert [row.item() for row in x] == [1.5, 0.0] and len(x) == 2
    assert [10, 20, 30][State(1, device="cuda")] == 20


def test_nothing_moves_unasked() -> None:
    x = State([1.0, 2.0], device="cuda")
    for take in (x.numpy, lambda: np.asarray(x), lambda: np.add(np.ones(2), np.asarray(x))):
        with pytest.raises(TypeError, match=r"\.cpu\(\)") as caught:
            take()
        assert "cuda:0" in str(caught.value)
    with pytest.raises(syntonic.TransferError):
        x.numpy()
    with pytest.raises(BufferError, match=r"\.cpu\(\)"):
        memoryview(x)
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        np.from_dlpack(x)


def test_operands_on_two_devices_are_named() -> None:
    x, y = State([1.0, 2.0], device="cuda"), State([1.0, 2.0])
    for mix in (
        lambda: x + y,
        lambda: y * x,
        lambda: syntonic.add(x, y),
        lambda: x + np.ones(2),
        lambda: x @ y,
        lambda: x.__setitem__(0, y[0]),
        lambda: syntonic.where(x > 1, y, y),
        lambda: syntonic.concat([x, y]),
        lambda: x[State([0, 1])],
    ):
        with pytest.raises(syntonic.DeviceError) as caught:
            mix()
        assert "cuda:0" in str(caught.value) and "cpu" in str(caught.value) and "hint" in str(caught.value)
    assert x.tolist() == [1.0, 2.0] and y.tolist() == [1.0, 2.0]


def test_numbers_and_lists_have_no_device() -> None:
    x = State([1.0, 2.0, 3.0], device="cuda")
    assert (x + 1).tolist() == [2, 3, 4] and (2 - x).tolist() == [1, 0, -1]
    assert (x + [1, 2, 3]).tolist() == [2, 4, 6] and ([1, 2, 3] + x).device == "cuda:0"
    assert syntonic.maximum(x, [2, 2, 2]).tolist() == [2, 2, 3]
    x += [1, 1, 1]
    x[0] = 9
    x[1:] = [7, 8]
    assert x.tolist() == [9, 7, 8]


def test_indices_of_lists() -> None:
    x = State([1.0, 2.0, 3.0], device="cuda")
    assert x[[2, 0]].tolist() == [3.0, 1.0] and x[[True, False, True]].tolist() == [1.0, 3.0]
    assert syntonic.take(x, [1]).tolist() == [2.0]
    x[[0, 2]] = 0
    assert x.tolist() == [0.0, 2.0, 0.0]


def test_lists_of_states_are_stacked_where_they_are() -> None:
    x = State([1.0, 2.0], dtype="float32", device="cuda")
    made = State([x, x * 2, [5, 6]])
    assert made.device == "cuda:0" and made.dtype == "float32" and made.tolist() == [[1.0, 2.0], [2.0, 4.0], [5.0, 6.0]]
    half = syntonic.asarray([[x[0], 2.5], (True, State(7, device="cuda"))])
    assert half.device == "cuda:0" and half.dtype == "float32" and half.tolist() == [[1.0, 2.5], [1.0, 7.0]]
    assert State([x[0], 1j]).dtype == State([State([1.0], dtype="float32"), [1j]]).dtype and State([x], dtype="int16").tolist() == [[1, 2]]
    assert State([x, x], device="cpu").device == "cpu"
    before = x.tolist()
    for ragged in ([x, [1.0]], [x, 3.0], [[x], x]):
        with pytest.raises(syntonic.ShapeError, match="every list at one depth needs one length"):
            State(ragged)
    with pytest.raises(syntonic.DeviceError, match="State"):
        State([x, State([1.0, 2.0])])
    with pytest.raises(syntonic.DTypeError, match="8-bit floats"):
        State([x, State([1.0, 2.0], dtype="float8_e4m3fn", device="cuda")])
    with pytest.raises(OverflowError, match="int8"):
        State([State([1], dtype="int8", device="cuda"), [300]], dtype="int8")
    assert x.tolist() == before


def test_views_share_memory() -> None:
    x = syntonic.zeros((3, 4), device="cuda")
    x[1] = 5
    x[:, 2] += 1
    x.T[0] = 9
    want = np.zeros((3, 4))
    want[1] = 5
    want[:, 2] += 1
    want.T[0] = 9
    assert x.tolist() == want.tolist()


def test_copies_and_pickles() -> None:
    x = State([1.0, 2.0, 3.0], device="cuda")
    for other in (copy.copy(x), copy.deepcopy(x), x.copy(), pickle.loads(pickle.dumps(x))):
        assert other.device == "cuda:0" and other.tolist() == x.tolist()
        other[0] = 9
    assert x[0].item() == 1.0
    assert pickle.loads(pickle.dumps(x[::2])).tolist() == [1.0, 3.0]


def test_files(tmp_path: Path) -> None:
    x = State([[1.0, 2.0], [3.0, 4.0]], device="cuda")
    syntonic.save(tmp_path / "x.npy", x.T)
    assert np.load(tmp_path / "x.npy").tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert syntonic.load(tmp_path / "x.npy").device == "cpu"


def test_an_expression_over_every_kind_of_number() -> None:
    z = numbers((50, 3), "complex128")
    x = State(z).cuda()
    np.testing.assert_allclose((x * x / (x + 2) - 1j).cpu().numpy(), z * z / (z + 2) - 1j, rtol=1e-14)
    np.testing.assert_allclose((x @ x.T).cpu().numpy(), z @ z.T, rtol=1e-13)


def test_what_the_gpu_is() -> None:
    assert cuda.is_available() and cuda.why_unavailable() is None
    assert cuda.device_count() >= 1 and "NVIDIA" in cuda.device_name() and cuda.device_name(0) == cuda.device_name("cuda")
    devices = syntonic.__array_namespace_info__().devices()
    assert len(devices) == 1 + cuda.device_count() and "cuda:0" in [str(device) for device in devices]
    last = cuda.device_count()
    with pytest.raises(syntonic.DeviceError, match=rf"cuda:{last} is not available.*shows {last} GPU"):
        State([1]).cuda(last)
    with pytest.raises(syntonic.DeviceError, match=f"cuda:{last}"), syntonic.device(f"cuda:{last}"):
        pass


def test_a_report_names_the_gpu() -> None:
    facts = dict(syntonic.info.describe())
    assert "CUDA" in facts["cuda"] and cuda.device_name(0) in facts["cuda:0"] and "GiB free" in facts["cuda:0"]


def test_memory_is_counted_limited_and_given_back() -> None:
    cuda.empty_cache()
    before = cuda.memory_stats()
    assert set(before) == {"in_use", "peak", "cached", "free", "total"} and before["cached"] == 0
    x = syntonic.zeros(32 << 20, dtype="uint8", device="cuda")
    grown = cuda.memory_stats()
    assert grown["in_use"] - before["in_use"] >= 32 << 20 and grown["peak"] >= grown["in_use"]
    del x
    assert cuda.memory_stats()["cached"] >= 32 << 20
    cuda.empty_cache()
    assert cuda.memory_stats()["cached"] == 0 and cuda.memory_stats()["in_use"] == before["in_use"]
    cuda.set_memory_limit(before["in_use"] + (64 << 20))
    try:
        with pytest.raises(syntonic.OutOfMemoryError) as caught:
            syntonic.zeros(128 << 20, dtype="uint8", device="cuda")
        text = str(caught.value)
        assert "cuda:0" in text and str(128 << 20) in text and "in use" in text and "cached" in text
        assert isinstance(caught.value, MemoryError)
        assert syntonic.zeros(16 << 20, dtype="uint8", device="cuda").device == "cuda:0"
    finally:
        cuda.set_memory_limit(None)
    with pytest.raises(syntonic.OutOfMemoryError):
        syntonic.zeros(1 << 46, dtype="uint8", device="cuda")
    assert syntonic.ones(3, device="cuda").tolist() == [1.0] * 3


def test_a_forked_child_is_told() -> None:
    x = State([1.0, 2.0], device="cuda")
    reader, writer = os.pipe()
    if os.fork() == 0:
        lines = []
        for use in (lambda: State([1]).cuda(), lambda: (x + 1).tolist(), cuda.synchronize):
            try:
                use()
                lines.append("no error")
            except syntonic.DeviceError as error:
                lines.append("spawn" if "spawn" in str(error) else str(error))
        # Work on the CPU goes on.
        lines.append(str((State([1.0]) + 1).tolist()))
        os.write(writer, "\n".join(lines).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answers:
        said = answers.read()
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
    assert said.splitlines() == ["spawn", "spawn", "spawn", "[2.0]"], said
    assert (x + 1).tolist() == [2.0, 3.0]


def test_arguments_follow_the_state() -> None:
    x = State([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5]], dtype="float32")
    y = x.cuda()
    for work in (
        lambda t: syntonic.syntonic_softmax(t, mode_norms=[0, 1, 4]),
        lambda t: syntonic.phi_residual(t, [[1.0, 2.0, 3.0]] * 2),
        lambda t: syntonic.golden_batch_norm_1d(t, gamma=[1.0, 2.0, 3.0]),
        syntonic.resonant.syntony,
        lambda t: syntonic.searchsorted(syntonic.sort(t[0]), [0.0, 9.0]),
        lambda t: syntonic.isin(t, [1.0, 2.0]),
        lambda t: syntonic.sum(t, axis=0),
    ):
        ours, theirs = work(y), work(x)
        assert ours.device == "cuda:0"
        np.testing.assert_allclose(ours.cpu().numpy(), theirs.numpy(), rtol=1e-6, atol=1e-7)


def test_elements_are_values_and_wait_for_nobody() -> None:
    import random

    x = syntonic.arange(50, device="cuda")
    random.Random(3).shuffle(x)
    assert sorted(x.tolist()) == list(range(50))
    y = syntonic.arange(5.0, device="cuda")
    y[0], y[1] = y[1], y[0]
    old, kept = y[0], y[2]
    assert old.is_pending
    # Read where it lies, and computed by who writes the memory.
    assert old.item() == 1.0 and old.is_pending
    y[:] = 7.0
    assert not kept.is_pending and (old.item(), kept.item(), y[2].item()) == (1.0, 2.0, 7.0)
    for dtype in ("bool", "int8", "float16", "bfloat16", "complex64", "float8_e4m3fn"):
        z = syntonic.ones(3, device="cuda").astype(dtype)
        one = z[1]
        z[:] = syntonic.zeros(3, device="cuda").astype(dtype)
        assert one.astype("float32").item() == 1.0
    y[1] += 2
    assert y.tolist() == [7.0, 9.0, 7.0, 7.0, 7.0]
    assert [v.item() for v in y] == y.tolist() and [v.item() for v in reversed(y)] == y.tolist()[::-1]
    assert f"{y[1]:.1f}" == "9.0" and y.tobytes() == y.cpu().tobytes()
