"""Streams and events from Python."""

import threading

import numpy as np
import torch

import syntonic
from syntonic import cuda

SLEEP = 200_000_000


def test_work_on_two_streams_is_right() -> None:
    x = syntonic.arange(1 << 20, dtype="float32", device="cuda")
    first, second = cuda.Stream(), cuda.Stream()
    with first:
        y = (x * 2).eval()
    with second:
        z = (y + 1).eval()
    want = np.arange(1 << 20, dtype="float32") * 2 + 1
    np.testing.assert_array_equal(z.cpu().numpy(), want)
    assert first != second and first.device == "cuda:0" and first.handle != second.handle


def test_the_block_chooses_the_stream_of_the_thread() -> None:
    own = cuda.current_stream()
    with cuda.Stream() as outer:
        assert cuda.current_stream() == outer
        with cuda.Stream() as inner:
            assert cuda.current_stream() == inner
        assert cuda.current_stream() == outer
        seen = []
        thread = threading.Thread(target=lambda: seen.append(cuda.current_stream()))
        thread.start()
        thread.join()
        assert seen == [own]
    assert cuda.current_stream() == own and own.__cuda_stream__() == (0, own.handle)


def test_events() -> None:
    torch_stream = torch.cuda.Stream()
    stream = cuda.Stream.adopt(torch_stream)
    assert stream.handle == torch_stream.cuda_stream
    start, end = cuda.Event(), cuda.Event()
    with stream:
        start.record()
        with torch.cuda.stream(torch_stream):
            torch.cuda._sleep(SLEEP)
        end.record()
    assert not end.query()
    end.synchronize()
    assert end.query() and start.elapsed_time(end) > 20.0
    stream.synchronize()


def test_one_stream_waits_for_another() -> None:
    slow = torch.cuda.Stream()
    x = torch.zeros(1 << 20, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(slow):
        torch.cuda._sleep(SLEEP)
        x.fill_(3)
    done = cuda.Stream.adopt(slow.cuda_stream).record()
    fast = cuda.Stream()
    fast.wait(done)
    fast.synchronize()
    assert done.query() and bool((x == 3).all())


def test_synchronize_waits_for_the_current_stream() -> None:
    slow = torch.cuda.Stream()
    with cuda.Stream.adopt(slow) as stream:
        with torch.cuda.stream(slow):
            torch.cuda._sleep(SLEEP)
        event = stream.record()
        cuda.synchronize()
        assert event.query()
