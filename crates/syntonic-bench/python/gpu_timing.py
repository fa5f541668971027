"""How the calls of a peer are timed: by events of the device, or by the host's clock."""

import itertools
import math
import time

#: Calls before the clock runs.
WARM = 3
SAMPLES = 11
#: About how long a sample takes, in microseconds, and its calls at most: two events around each call would cost up to a tenth
#: of it. Syntonic's rows are measured in the same way.
SAMPLE_US, MOST_REPEATS = 500.0, 16
#: A call that takes longer is a sample of its own; its samples take about so long together, and are so many at least.
SLOW_US, SLOW_SAMPLES_US, FEWEST = 2e5, 6e6, 3


def warm(call, sets, wait):
    """About how many microseconds a call takes, of the last of these. The first may load and compile."""
    for k in range(WARM):
        start = time.perf_counter()
        call(*sets[k % len(sets)])
        wait()
        about = (time.perf_counter() - start) * 1e6
        if k > 0 and about > SLOW_US:
            break
    return about


def slow_samples(about):
    """How many samples there are of a call of so many microseconds."""
    return max(FEWEST, min(SAMPLES, int(SLOW_SAMPLES_US / about)))


def by_events(call, sets, event, wait, elapsed_ms, about):
    """Microseconds of a call in each sample, of a call that takes about so many."""

    def samples(count, repeats):
        turns = itertools.cycle(sets)
        events = [event() for _ in range(count + 1)]
        events[0].record()
        for end in events[1:]:
            for xs in itertools.islice(turns, repeats):
                call(*xs)
            end.record()
        wait()
        return [elapsed_ms(a, b) * 1e3 / repeats for a, b in itertools.pairwise(events)]

    if about > SLOW_US:
        return samples(slow_samples(about), 1)
    once = min(samples(3, 1))
    return samples(SAMPLES, max(1, min(MOST_REPEATS, math.ceil(SAMPLE_US / once))))


def by_host(call, sets, wait):
    times = []
    for k in range(5):
        start = time.perf_counter()
        result = call(*sets[k % len(sets)])
        wait()
        times.append((time.perf_counter() - start) * 1e6)
        del result
    return times


def copy_bandwidth():
    """TB/s of a copy of 4 GiB within the GPU, bytes read and written."""
    import torch

    source = torch.zeros(4 << 30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    events = [torch.cuda.Event(enable_timing=True) for _ in range(12)]
    for event in events:
        event.record()
        target.copy_(source)
    torch.cuda.synchronize()
    times = sorted(a.elapsed_time(b) for a, b in zip(events[2:], events[3:]))
    del source, target
    torch.cuda.empty_cache()
    return round(2 * (4 << 30) / times[len(times) // 2] / 1e9, 4)


def replayed(torch, work, still=()):
    """A call as one CUDA graph of PyTorch's: operands are copied into its memory, and results out of it, as our replays do. Operands at the
    places `still` are read where they lie, with a graph for each."""
    graphs = {}

    def capture(xs):
        own = [x if k in still else x.clone() for k, x in enumerate(xs)]
        side, current = torch.cuda.Stream(), torch.cuda.current_stream()
        side.wait_stream(current)
        with torch.cuda.stream(side):
            work(*own)
        current.wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = work(*own)
        return graph, own, result

    def call(*xs):
        key = tuple(xs[k].data_ptr() for k in still)
        if key not in graphs:
            graphs[key] = capture(xs)
        graph, own, result = graphs[key]
        for k, (to, x) in enumerate(zip(own, xs, strict=True)):
            if k not in still:
                to.copy_(x)
        graph.replay()
        return tuple(r.clone() for r in result) if isinstance(result, tuple) else result.clone()

    return call
