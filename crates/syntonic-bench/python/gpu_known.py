"""What a committed record of the same kernels says already: stages that it has need not be run again."""

import json

#: What each stage puts into a record.
FIELDS = {
    "parity": ("tests", "unused_kernels", "kernel_sources"),
    "python": ("tests", "python"),
    "start": ("start",),
    "demo": ("demo",),
    "overlap": ("overlap",),
    "two_gpus": ("two_gpus",),
    "sanitizer": ("sanitizer", "sanitizer_open"),
    "soak": ("soak",),
    "bench": ("copy_tbps", "peer_rows_left_out", "suites", "slower", "rows", "driver", "cuda", "peers"),
}
#: Their tests are counted together, so both are of one time.
COUNTED = {"parity", "python"}


def known(folder, kernels_hash):
    """The record of these kernels in a folder of records, if there is one."""
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text())
        if record.get("kernels_hash") == kernels_hash:
            return record
    return {}


def of_gpu(folder, gpu):
    """The record of a GPU in a folder of records, whatever its kernels were, if there is one."""
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text())
        if record.get("gpu") == gpu:
            return record
    return {}


def has_done(record, stage):
    """True for a stage that ended, with nothing left open."""
    left = (record.get("sanitizer_open") or {}) if stage == "sanitizer" else {}
    return stage in record.get("stages", {}) and not any(left.values())


def completed(record, before):
    """The record with what one before it has and it has not, if that is of the same GPU."""
    stages = record["stages"]
    if before.get("gpu") != record["gpu"]:
        return record
    again = COUNTED if COUNTED & stages.keys() else set()
    left = [stage for stage in before["stages"] if stage not in stages and stage not in again]
    for stage in left:
        record = record | {field: before.get(field) for field in FIELDS[stage]}
        stages = stages | {stage: before["stages"][stage]}
    return record | {"stages": stages}
