"""Pinned and unified memory, copies that do not wait and batches that come ahead, as far as they go without a GPU."""

from collections.abc import Callable

import pytest

import syntonic
from syntonic import State, cuda


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.pin_memory(),
        lambda x: x.cuda(non_blocking=True),
        lambda x: x.to("cuda", non_blocking=True),
        lambda x: cuda.pinned_empty((2, 3), "float32"),
        lambda x: cuda.managed_empty((2, 3), "float32"),
        lambda x: cuda.managed(x),
        lambda x: cuda.prefetch([x]),
        lambda x: cuda.Stream(priority="high"),
    ],
)
def test_without_a_gpu_each_says_why(call: Callable[[State], object]) -> None:
    if cuda.is_available():
        call(syntonic.arange(3))
        return
    with pytest.raises(syntonic.DeviceError, match="cuda:0 is not available"):
        call(syntonic.arange(3))


def test_nothing_is_pinned_by_itself() -> None:
    x = syntonic.arange(3)
    assert not x.is_pinned and not (x + 1).is_pinned


def test_unified_memory_is_asked_for() -> None:
    x = syntonic.arange(3)
    assert not cuda.is_managed(x)
    for call in (lambda: cuda.prefetch_to(x, "cpu"), lambda: cuda.advise(x, "read_mostly")):
        with pytest.raises(syntonic.SyntonicError, match="not in unified memory; hint"):
            call()
    with pytest.raises(syntonic.SyntonicError, match="advise.*advice.*read_mostly"):
        cuda.advise(x, "often")  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentTypeError, match="managed.*a State"):
        cuda.managed([1, 2])  # type: ignore[arg-type]


@pytest.mark.parametrize("non_blocking", [False, True])
def test_copy_writes_through_every_view(non_blocking: bool) -> None:
    x = syntonic.zeros((2, 3), dtype="float32")
    row, later = x[1], x + 1
    assert x.copy_(syntonic.asarray([1, 2, 3]), non_blocking=non_blocking) is x
    assert x.tolist() == [[1.0, 2.0, 3.0]] * 2 and row.tolist() == [1.0, 2.0, 3.0]
    assert later.tolist() == [[1.0] * 3] * 2
    assert x.copy_(x[::-1], non_blocking).tolist() == [[1.0, 2.0, 3.0]] * 2
    assert x.to("cpu", non_blocking=non_blocking) is x


def test_copy_refuses_what_does_not_fit() -> None:
    x = syntonic.zeros((2, 3))
    with pytest.raises(syntonic.ShapeError, match=r"float64\[2\].*hint"):
        x.copy_(syntonic.zeros(2))
    with pytest.raises(syntonic.DTypeError, match="hint"):
        x.copy_(syntonic.asarray(1j))
    with pytest.raises(syntonic.ArgumentTypeError, match="copy_.*values"):
        x.copy_([1, 2, 3])  # type: ignore[arg-type]
    with pytest.raises(syntonic.ArgumentTypeError, match="non_blocking"):
        x.copy_(x, non_blocking="yes")  # type: ignore[arg-type]
    with pytest.raises(syntonic.SyntonicError, match="read-only"):
        syntonic.broadcast_to(syntonic.zeros(3), (2, 3)).copy_(x)


def test_priorities_are_words() -> None:
    with pytest.raises(syntonic.ArgumentError, match="priority.*high"):
        cuda.Stream(priority="highest")  # type: ignore[arg-type]


def test_batches_for_the_cpu_are_handed_on() -> None:
    batches = [syntonic.arange(3), {"x": syntonic.arange(2)}]
    assert all(got is want for got, want in zip(cuda.prefetch(batches, device="cpu"), batches, strict=True))
    with pytest.raises(syntonic.ArgumentError, match="depth is 0"):
        cuda.prefetch(batches, device="cpu", depth=0)
