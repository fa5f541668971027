"""Executors of every library that is installed, and objectives that their workers can import."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import Any

Make = Callable[[int], AbstractContextManager[Executor]]


@contextmanager
def processes(workers: int) -> Any:
    """Processes that begin anew, as they do on every system but Linux."""
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield pool
    finally:
        # A part that sleeps is not waited for.
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def dask(workers: int) -> Any:
    from distributed import Client, LocalCluster

    with LocalCluster(workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client.get_executor()


EXECUTORS: dict[str, Make] = {"threads": ThreadPoolExecutor, "processes": processes}
if find_spec("distributed"):
    EXECUTORS["dask"] = dask


def sphere(x: Any) -> Any:
    return (x * x).sum(axis=-1)


def with_numpy(x: Any) -> Any:
    import numpy

    return (numpy.asarray(x) ** 2).sum(axis=-1)


def raises(x: Any) -> Any:
    values = sphere(x)
    if float(values.max()) > 20.0:
        raise LookupError("mine")
    return values


def dies(x: Any) -> Any:
    os._exit(3)


def sleeps(x: Any) -> Any:
    time.sleep(20.0)
    return sphere(x)


def says_too_little(x: Any) -> Any:
    return sphere(x)[1:]
