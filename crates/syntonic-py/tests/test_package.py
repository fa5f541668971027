"""The package as installed: the two halves fit together."""

from importlib import metadata

import syntonic


def test_the_module_and_the_wheel_have_one_version() -> None:
    assert syntonic.__version__ == metadata.version("syntonic")


def test_an_install_brings_numpy_and_an_extra_the_libraries_of_one_cuda() -> None:
    wanted = metadata.requires("syntonic") or []
    extras = {name: [r for r in wanted if f"'{name}'" in r.replace('"', "'")] for name in ("cuda12", "cuda13")}
    assert [r for r in wanted if "extra" not in r] == ["numpy>=2"]
    for name, ending in (("cuda12", "-cu12"), ("cuda13", "")):
        packages = sorted(r.split(">")[0].strip() for r in extras[name])
        assert packages == [f"nvidia-{library}{ending}" for library in ("cublas", "cufft", "cusolver")]
