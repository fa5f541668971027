"""The comparison with the CPU, in parts that several processes make at the same time: most of it is the driver's compiling."""

import concurrent.futures
import json

#: Neighbours in the list of checks, which load the same kernels.
PARTS = 96
#: Processes that one GPU has memory for, beside those of checks of more than 2^31 elements.
PROCESSES = 16


def workers(gpus, processors):
    """Processes at the same time."""
    return max(1, min(processors, PROCESSES * len(gpus)))


def merged(reports):
    """One report of those of all parts, of which a part that gave none is `None`. What no part used is not used."""
    given = [report for report in reports if report is not None]
    failed = [failure for report in given for failure in report["failed"]]
    failed += [[f"part {k} of {len(reports)}", "no report"] for k, r in enumerate(reports, 1) if r is None]
    sources = [report.get("sources") or {} for report in given]
    unused = set.intersection(*(set(report["unused"]) for report in given)) if given else set()
    return {
        "passed": sum(report["passed"] for report in given),
        "failed": len(failed),
        "skipped": sum(report["skipped"] for report in given),
        "failures": failed[:50],
        "unused_kernels": sorted(unused),
        "kernel_sources": {kind: sum(one.get(kind, 0) for one in sources) for kind in ("cubins", "ptx")},
    }


def parity(call, clock, program, folder, gpus, processors):
    """Makes every check; `call` runs a command within the clock's time and gives its status and output."""

    def part(number):
        path = folder / f"parity-{number:02}.json"
        path.unlink(missing_ok=True)
        gpu = gpus[number % len(gpus)]
        call([program, "parity", "--part", f"{number}/{PARTS}", "--json", path], clock, CUDA_VISIBLE_DEVICES=gpu)
        return json.loads(path.read_text()) if path.is_file() else None

    with concurrent.futures.ThreadPoolExecutor(workers(gpus, processors)) as pool:
        outcome = merged(list(pool.map(part, range(1, PARTS + 1))))
    return {"ok": outcome["failed"] == outcome["skipped"] == 0 < outcome["passed"], **outcome}
