"""Files as Python sees them: places, names, limits, and runs whose checkpoints cannot be written."""

import io
import os
import socket
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import syntonic
from syntonic.evolve import RES, DeviceSearch

Save = Callable[[Path, int], None]
Load = Callable[[Path], int]


def saved_npy(path: Path, number: int) -> None:
    syntonic.save(path, syntonic.full((5000,), number, dtype="int64"))


def saved_many(path: Path, number: int) -> None:
    syntonic.save(path, {name: syntonic.full((3000,), number, dtype="int64") for name in "ab"})


def saved_search(path: Path, number: int) -> None:
    RES([0.5] * 1000, seed=number).save(path)


def saved_device_search(path: Path, number: int) -> None:
    DeviceSearch(syntonic.full(1000, float(number)), rule="separable").save(path)


def number_of(state: syntonic.State) -> int:
    values = set(state.tolist())
    assert len(values) == 1
    return int(values.pop())


def loaded_many(path: Path) -> int:
    first, second = (number_of(state) for state in syntonic.load(path).values())
    assert first == second
    return first


def loaded_search(path: Path) -> int:
    search = RES.load(path)
    wanted = [seed for seed in range(10) if (RES([0.5] * 1000, seed=seed).ask() == search.ask()).all()]
    return wanted[0]


FORMATS: list[tuple[str, Save, Load]] = [
    ("x.npy", saved_npy, lambda path: number_of(syntonic.load(path))),
    ("x.npz", saved_many, loaded_many),
    ("x.safetensors", saved_many, loaded_many),
    ("x.search", saved_search, loaded_search),
    ("x.device", saved_device_search, lambda path: number_of(DeviceSearch.load(path).mean)),
]
formats = pytest.mark.parametrize(("name", "save", "load"), FORMATS, ids=[name for name, _, _ in FORMATS])


@formats
def test_modes_and_links(tmp_path: Path, name: str, save: Save, load: Load) -> None:
    path = tmp_path / name
    save(path, 1)
    like = tmp_path / "like"
    like.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(like.stat().st_mode)
    path.chmod(0o640)
    link = tmp_path / f"link.{name}"
    link.symlink_to(name)
    save(link, 2)
    assert link.is_symlink() and load(path) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.unlink()
    save(link, 3)
    assert link.is_symlink() and load(path) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, link.name, "like"])


@formats
def test_what_is_no_file(tmp_path: Path, name: str, save: Save, load: Load) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    for refused in (lambda: save(path, 1), lambda: load(path)):
        with pytest.raises(syntonic.FileError, match="pipe"):
            refused()
    path.unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        for refused in (lambda: save(path, 1), lambda: load(path)):
            with pytest.raises(syntonic.FileError, match="socket"):
                refused()
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError):
        save(path, 1)
    with pytest.raises(syntonic.FileError, match="folder"):
        load(path)
    with pytest.raises(OSError):
        save(tmp_path / "missing" / name, 1)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing" / name)


FULL = """
import resource, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_files import FORMATS
for name, save, load in FORMATS:
    save(Path({folder!r}) / name, 1)
# Python ignores the signal that would end a process which writes further.
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
for name, save, load in FORMATS:
    try:
        save(Path({folder!r}) / name, 2)
    except OSError as refused:
        assert refused.errno, refused
    else:
        raise AssertionError(name)
    assert load(Path({folder!r}) / name) == 1
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


def test_a_full_disk_leaves_the_old_files(tmp_path: Path) -> None:
    done = run(FULL.format(tests=str(Path(__file__).parent), folder=str(tmp_path)))
    assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(name for name, _, _ in FORMATS)


@formats
def test_files_of_others_stay(tmp_path: Path, name: str, save: Save, load: Load) -> None:
    """Whatever names they have, also that of the file that is written before it takes the place of the old one."""
    path = tmp_path / name
    theirs = {tmp_path / f"{dot}{name}.{k}.part": f"{dot}{k}".encode() * 99 for dot in ("", ".") for k in range(3)}
    theirs |= {tmp_path / f".{name}.{end}": b"mine" for end in ("part", "tmp", "lock", "3.part~")}
    theirs[tmp_path / f".{name}.4.part"] = b""
    for file, content in theirs.items():
        file.write_bytes(content)
    for number in range(1, 4):
        save(path, number)
        assert load(path) == number
    with pytest.raises((OSError, syntonic.SyntonicError)):
        save(tmp_path / "missing" / name, 1)
    for file, content in theirs.items():
        assert file.read_bytes() == content, file
    assert len(list(tmp_path.iterdir())) == len(theirs) + 1


KILLED = """
import signal, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_files import FORMATS
(save,) = (save for name, save, _ in FORMATS if name == {name!r})
# Ends the process, most likely while it writes.
signal.setitimer(signal.ITIMER_REAL, 0.3)
while True:
    save(Path({path!r}), 1)
"""


@formats
def test_what_a_killed_writer_left_is_told_from_a_file_of_that_name(tmp_path: Path, name: str, save: Save, load: Load) -> None:
    path = tmp_path / name
    for _ in range(20):
        run(KILLED.format(tests=str(Path(__file__).parent), name=name, path=str(path)))
        left = [file for file in tmp_path.iterdir() if file != path]
        if left:
            break
    else:
        pytest.fail("no writer was killed while it wrote")
    assert [file.name for file in left] == [f".{name}.0.part"]
    content, mode = left[0].read_bytes(), left[0].stat().st_mode
    # A copy of it is a user's file.
    left[0].unlink()
    left[0].write_bytes(content)
    save(path, 2)
    assert left[0].read_bytes() == content and load(path) == 2
    # And this is as the writer left it.
    left[0].chmod(stat.S_IMODE(mode))
    save(path, 3)
    assert load(path) == 3 and list(tmp_path.iterdir()) == [path]


def test_endings_in_capitals(tmp_path: Path) -> None:
    for name, save, load in FORMATS[:3]:
        path = tmp_path / name.upper()
        save(path, 4)
        assert load(path) == 4
    with pytest.raises(ValueError, match="end in"):
        syntonic.load(tmp_path / "x.pt")


def test_single_tensors_of_a_file(tmp_path: Path) -> None:
    states = {"a": syntonic.arange(5), "b": syntonic.ones((2, 2)), "c": syntonic.zeros(3)}
    for name in ("x.npz", "x.safetensors"):
        syntonic.save(tmp_path / name, states)
        some = syntonic.load(tmp_path / name, names=["c", "a"])
        assert sorted(some) == ["a", "c"] and some["a"].tolist() == [0, 1, 2, 3, 4]
        assert syntonic.load(tmp_path / name, names=[]) == {}
        with pytest.raises(ValueError, match='holds no "d"; hint: it holds "a", "b", "c"'):
            syntonic.load(tmp_path / name, names=["a", "d"])
        with pytest.raises(ValueError, match="one string"):
            syntonic.load(tmp_path / name, names="a")
    syntonic.save(tmp_path / "x.npy", states["a"])
    with pytest.raises(ValueError, match="names"):
        syntonic.load(tmp_path / "x.npy", names=["a"])
    with pytest.raises(ValueError, match="most_bytes"):
        syntonic.load(tmp_path / "x.npy", most_bytes=3)


def test_an_archive_that_unpacks_to_too_much(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|u1", "fortran_order": False, "shape": (2 << 30,)}
    )
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("x.npy", "w", force_zip64=True) as member,
    ):
        member.write(header.getvalue())
        for _ in range(2 << 10):
            member.write(bytes(1 << 20))
    assert path.stat().st_size < 20 << 20
    with pytest.raises(syntonic.FileError, match=r"unpack to 21474\d+, more than.*hint.*most_bytes"):
        syntonic.load(path)
    np.savez_compressed(tmp_path / "zeros.npz", z=np.zeros(1 << 20), y=np.ones(3))
    assert syntonic.load(tmp_path / "zeros.npz")["z"].shape == (1 << 20,)
    with pytest.raises(syntonic.FileError, match="most_bytes"):
        syntonic.load(tmp_path / "zeros.npz", most_bytes=1 << 20)
    assert syntonic.load(tmp_path / "zeros.npz", names=["y"], most_bytes=1 << 20)["y"].tolist() == [1.0] * 3


def test_pickles_are_refused(tmp_path: Path) -> None:
    array = np.array([{"a": 1}], dtype=object)
    np.save(tmp_path / "x.npy", array)
    np.savez(tmp_path / "x.npz", x=array)
    for name in ("x.npy", "x.npz"):
        with pytest.raises(syntonic.FileError, match="pickle"):
            syntonic.load(tmp_path / name)


def sphere(x: syntonic.State) -> syntonic.State:
    return (x * x).sum(axis=1)


def test_a_checkpoint_that_cannot_be_written_is_found_at_the_start(tmp_path: Path) -> None:
    calls: list[int] = []

    def counted(x: syntonic.State) -> syntonic.State:
        calls.append(1)
        return sphere(x)

    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, wrong in (("missing/x", FileNotFoundError), ("folder", OSError), ("pipe", syntonic.FileError)):
        with pytest.raises(wrong):
            RES([1.0] * 3).run(counted, generations=5, checkpoint=tmp_path / name)
    assert not calls
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "pipe"]


def test_bad_checkpoints_say_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "search"
    RES([1.0] * 3).save(path)
    good = path.read_bytes()
    for bad, why in (
        (good[:-20], "cut short"),
        (good[:200] + bytes([good[200] ^ 4]) + good[201:], "damaged"),
        (b"", "cut short"),
        (b"something else", "no checkpoint"),
    ):
        path.write_bytes(bad)
        with pytest.raises(syntonic.FileError, match=why):
            RES.load(path)


# The folder of the checkpoint goes while the objective runs, so that no later save succeeds.
BROKEN = """
import os, shutil, signal, sys, warnings, syntonic
signal.signal(signal.SIGINT, signal.default_int_handler)
search = syntonic.evolve.RES([3.0] * 4, seed=5)
def objective(x):
    if search.generation == 3:
        shutil.rmtree({folder!r})
    if search.generation == 7:
        {end}
    return (x * x).sum(axis=1)
try:
    search.run(objective, checkpoint={path!r}, checkpoint_every=2, generations=9)
except BaseException as raised:
    print(type(raised).__name__, *getattr(raised, "__notes__", []))
    print(search.generation)
"""


@pytest.mark.parametrize(
    ("end", "raised", "generation"),
    [
        ("raise KeyError('mine')", "KeyError", 7),
        ("os.kill(os.getpid(), signal.SIGINT)", "KeyboardInterrupt", 7),
        ("sys.exit(3)", "SystemExit", 7),
        ("pass", "MissingFileError", 9),
    ],
)
def test_a_failing_checkpoint_hides_nothing(tmp_path: Path, end: str, raised: str, generation: int) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = run(BROKEN.format(folder=str(folder), path=str(folder / "search"), end=end))
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith(raised)
    assert ("the checkpoint could not be written" in first) == (end != "pass")
    # A signal may come one generation later.
    assert generation <= int(second) <= generation + 1
    assert "RuntimeWarning: the checkpoint could not be written, the run goes on" in done.stderr


@pytest.mark.parametrize("end", ["raise KeyError('mine')", "os.kill(os.getpid(), signal.SIGINT)"])
def test_what_ends_a_run_leaves_a_checkpoint(tmp_path: Path, end: str) -> None:
    program = f"""
import os, signal, syntonic
signal.signal(signal.SIGINT, signal.default_int_handler)
search = syntonic.evolve.RES([3.0] * 4, seed=5)
def objective(x):
    if search.generation == 7:
        {end}
    return (x * x).sum(axis=1)
try:
    search.run(objective, checkpoint="search", checkpoint_every=0)
except BaseException as raised:
    print(type(raised).__name__, getattr(raised, "__notes__", None))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] in ("KeyError", "KeyboardInterrupt") and done.stdout.split()[1] == "None"
    resumed = RES.load(tmp_path / "search")
    assert 7 <= resumed.generation <= 8
    whole = RES([3.0] * 4, seed=5)
    whole.run(sphere, generations=20)
    resumed.run(sphere, generations=20)
    assert resumed.centre.tolist() == whole.centre.tolist()


def test_a_line_of_progress_that_nobody_reads_ends_nothing() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    kept, sys.stderr = sys.stderr, Gone()
    try:
        outcome = RES([1.0] * 3).run(sphere, seconds=0.5, generations=None, stagnation=False, progress=True)
    finally:
        sys.stderr = kept
    assert outcome.reason == "time"


def test_a_long_history_is_thinned() -> None:
    search = RES([1.0] * 2, population=4)
    search.run(sphere, generations=5000, stagnation=False)
    history = search.history
    assert len(history) == 2500 and history[-1]["generation"] == 5000
    assert all(record["generation"] % 2 == 0 for record in history)
