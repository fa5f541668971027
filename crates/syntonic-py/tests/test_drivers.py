"""Drivers that are none, half, or refuse: the package works on, and says what is the matter and what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = r"""
#include <stdlib.h>
static int number(const char *name) { const char *text = getenv(name); return text ? atoi(text) : 0; }
int cuInit(unsigned flags) { return number("FAKE_INIT"); }
int cuDriverGetVersion(int *out) { *out = number("FAKE_VERSION"); return 0; }
#ifndef WITHOUT_COUNT
int cuDeviceGetCount(int *out) { *out = number("FAKE_COUNT"); return number("FAKE_COUNT_CODE"); }
#endif
"""

LOOK = """
import sys, time
import syntonic as syn
assert not syn.cuda.is_available() and syn.cuda.device_count() == 0
why = syn.cuda.why_unavailable()
start = time.perf_counter()
for work in (lambda: syn.zeros(3, device="cuda"), lambda: syn.ones(2).cuda(), syn.cuda.synchronize):
    try:
        work()
        raise SystemExit("a GPU that is not there")
    except syn.DeviceError as e:
        assert str(e).endswith(why), (str(e), why)
assert time.perf_counter() - start < 2
assert syn.sum(syn.ones(10)) == 10 and why in dict(syn._core.build_info())["cuda"]
print(why)
"""

# What lies where the driver's library should be: text, bytes, a folder, or flags for the compiler; the environment; and what is said.
CASES: dict[str, tuple[object, dict[str, str], list[str]]] = {
    "none": (None, {}, ["could be opened", "install NVIDIA's driver"]),
    "a text": (b"not a library at all\n", {}, ["could be opened", "libcuda.so.1: ", "install NVIDIA's driver"]),
    "an empty file": (b"", {}, ["could be opened", "libcuda.so.1: "]),
    "half a header": (b"\x7fELF\x02\x01\x01", {}, ["could be opened", "libcuda.so.1: "]),
    "another machine's": (b"\x7fELF\x02\x02\x01" + bytes(9) + b"\0\x03\0\x15" + bytes(44), {}, ["libcuda.so.1: "]),
    "a folder": ("folder", {}, ["libcuda.so.1: "]),
    "no count": (["-DWITHOUT_COUNT"], {}, ["lacks the function cuDeviceGetCount", "install NVIDIA's driver"]),
    "half a driver": ([], {}, ["lacks the function cu", "install NVIDIA's driver"]),
    "too old": ([], {"FAKE_VERSION": "11080"}, ["CUDA 11.8", "update the NVIDIA driver"]),
    "no GPU": ([], {"FAKE_COUNT": "0"}, ["shows no GPU", "nvidia-smi"]),
    "every GPU hidden": ([], {"FAKE_INIT": "100", "CUDA_VISIBLE_DEVICES": "-1"}, ["shows no GPU", 'CUDA_VISIBLE_DEVICES is "-1"']),
    "an empty list of GPUs": ([], {"FAKE_COUNT": "0", "CUDA_VISIBLE_DEVICES": ""}, ['CUDA_VISIBLE_DEVICES is ""', "unset"]),
    "a count that fails": ([], {"FAKE_COUNT_CODE": "999"}, ["refused cuDeviceGetCount with code 999"]),
    **{
        f"code {code}": ([], {"FAKE_INIT": str(code)}, [f"refused cuInit with code {code}", said])
        for code, said in {
            2: "memory",
            3: "container",
            34: "stub",
            35: "update the NVIDIA driver",
            46: "another process",
            304: "container",
            802: "fabric manager",
            803: "reboot",
            804: "compatibility",
            999: "kernel module",
            12345: "CUresult",
        }.items()
    },
}


# Where a driver is installed that the search finds after the broken one: its GPUs are hidden, and it says so.
INSTALLED = [
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/run/opengl-driver/lib/libcuda.so.1",
]


@pytest.mark.parametrize("name", CASES)
def test_a_driver_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    what, environment, said = CASES[name]
    library = tmp_path / "libcuda.so.1"
    if isinstance(what, bytes):
        library.write_bytes(what)
    elif isinstance(what, list):
        source = tmp_path / "driver.c"
        source.write_text(SOURCE)
        subprocess.run(["cc", "-shared", "-fPIC", *what, "-o", library, source], check=True)
    elif what == "folder":
        library.mkdir()
    if not isinstance(what, list) and any(Path(place).exists() for place in INSTALLED):
        environment, said = {"CUDA_VISIBLE_DEVICES": "-1"}, ["shows no GPU"]
    kept = {k: v for k, v in os.environ.items() if k != "CUDA_VISIBLE_DEVICES"}
    done = subprocess.run(
        [sys.executable, "-c", LOOK],
        capture_output=True,
        text=True,
        timeout=60,
        env={**kept, "LD_LIBRARY_PATH": str(tmp_path), "FAKE_VERSION": "13000", "FAKE_COUNT": "1", **environment},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for part in said:
        assert part in done.stdout, done.stdout
