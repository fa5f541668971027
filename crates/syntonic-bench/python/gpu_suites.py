"""What the rows of the bench come to: fractions and ratios row by row, and one line a suite.

    python3 suites.py OURS.json THEIRS.json [--suite SUITE]

prints that of what `syntonic-gpu bench` and `peers.py` wrote.
"""

import argparse
import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent

#: What a row counts that gave no result, or has nobody to be compared with.
MISSING = 0.1
#: Nobody tells less than this from being level.
LEVEL = 0.97
#: Two records of one tree, on two hosts with an H100: of 283 rows, those of 50 us and more differed by at most 12 %, shorter ones by 27 %.
SPREAD, SPREAD_SHORT, SHORT_US = 0.15, 0.35, 50.0
#: Suites that nobody else can run, or not within minutes: their rows stand for themselves, with the fraction of a copy.
ALONE = {"exact", "pipelines_alone"}
#: PyTorch as it is called one operation after the other.
EAGER = "torch"
#: And compiled as a whole.
COMPILED = "torch.compile"


def key(row):
    """A case may be measured at several sizes."""
    return row["case"], row["dtype"], tuple(row["size"])


def merge_rows(mine, others):
    """Every implementation's rows, ours with the fraction of the copy bandwidth and the ratio to each peer."""
    speed = others["copy_tbps"]
    times = {}
    for row in others["rows"]:
        if "median_us" in row and "error" not in row:
            times.setdefault(key(row), {})[row["impl"]] = row["median_us"]
    for row in mine:
        if "median_us" not in row:
            continue
        if speed:
            row["fraction"] = round(row["bytes"] / row["median_us"] / 1e6 / speed, 4)
        peers = times.get(key(row), {})
        row["ratios"] = {name: round(time / row["median_us"], 3) for name, time in peers.items()}
    return mine + others["rows"]


def slower(rows, copy_tbps, before):
    """Lines about our rows that take longer than in the record `before`, in units of what a copy takes in each run, by more
    than two runs of one tree differ."""
    old = {key(row): row["median_us"] for row in before.get("rows", []) if row["impl"] == "syntonic" and "median_us" in row}
    lines = []
    for row in rows:
        was = old.get(key(row))
        if row["impl"] != "syntonic" or "median_us" not in row or was is None or not copy_tbps:
            continue
        now, was = row["median_us"] * copy_tbps, was * before["copy_tbps"]
        part = now / was - 1
        if part > (SPREAD_SHORT if row["median_us"] < SHORT_US else SPREAD):
            name = f"{row['case']} {row['dtype']} {row['size']}"
            lines.append(f"{name}: {row['median_us']:.1f} us, {part:.0%} more than in the record of {before['commit'][:8]}")
    return lines


def mean(ratios):
    """The geometric mean; of a ratio that is not there, 0.1."""
    logs = [math.log(ratio or MISSING) for ratio in ratios]
    return round(math.exp(sum(logs) / len(logs)), 3)


def mean_of_known(values):
    """The geometric mean of those that are there, and how many are; null where none is."""
    known = [value for value in values if value is not None]
    return (mean(known) if known else None), len(known)


def suites(cases, rows):
    """By suite of the list `cases`, in its order: how many rows, the geometric means of the best peer's and of PyTorch's
    time over ours, how many rows have no such ratio, and how many reach 0.97 of the best. Compiled PyTorch runs some rows only:
    its mean is over those. So is that of the fraction of a copy's bandwidth, over rows with a result."""
    right = {key(row): row for row in rows if row["impl"] == "syntonic" and "error" not in row}
    ours = {name: row.get("ratios", {}) for name, row in right.items()}
    made = {}
    for name in dict.fromkeys(case["suite"] for case in cases if case["suite"] not in ALONE):
        found = [ours.get(key(case), {}) for case in cases if case["suite"] == name]
        best = [min(ratios.values(), default=None) for ratios in found]
        eager = [ratios.get(EAGER) for ratios in found]
        compiled, compiled_rows = mean_of_known(ratios.get(COMPILED) for ratios in found)
        parts = (right.get(key(case), {}).get("fraction") for case in cases if case["suite"] == name)
        made[name] = {
            "rows": len(found),
            "best": mean(best),
            "best_missing": best.count(None),
            "eager": mean(eager),
            "eager_missing": eager.count(None),
            "compiled": compiled,
            "compiled_rows": compiled_rows,
            "fraction": mean_of_known(parts)[0],
            "level": sum(ratio is not None and ratio >= LEVEL for ratio in best),
        }
    return made


def table(rows, suites, speed):
    print(f"copy: {speed} TB/s; fraction of it, and peer time over ours")
    for row in rows:
        if row["impl"] != "syntonic":
            continue
        name = f"{row['case']:28} {row['dtype']:10}"
        if "error" in row:
            print(name, "FAILED", row["error"][:100])
            continue
        ratios = " ".join(f"{peer} {ratio:.2f}" for peer, ratio in row.get("ratios", {}).items())
        counted = f"{row['giga_numbers']:.3f} G/s  " if "giga_numbers" in row else ""
        print(f"{name} {row['size']!s:18} {row['median_us']:10.1f} us  {row.get('fraction', 0):.2f}  {counted}{ratios}".rstrip())
    for name, suite in suites.items():
        compiled = f"compiled {suite['compiled']:.3f}, " if suite["compiled_rows"] else ""
        fraction = f"{suite['fraction']:.3f} of a copy, " if suite["fraction"] else ""
        print(
            f"{name:10} {fraction}best peer {suite['best']:.3f}, eager {suite['eager']:.3f}, {compiled}"
            f"{suite['level']} of {suite['rows']} rows at {LEVEL} of the best, {suite['best_missing']} missing"
        )


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", type=pathlib.Path, help="the rows of `syntonic-gpu bench --json`")
    parser.add_argument("theirs", type=pathlib.Path, help="the rows of `peers.py`")
    parser.add_argument("--suite", help="only this suite")
    options = parser.parse_args(words)
    others = json.loads(options.theirs.read_text())
    rows = merge_rows(json.loads(options.ours.read_text()), others)
    rows = [row for row in rows if options.suite in (None, row["suite"])]
    cases = json.loads((HERE / "gpu_cases.json").read_text())
    cases = [case for case in cases if options.suite in (None, case["suite"])]
    table(rows, suites(cases, rows), others["copy_tbps"])


if __name__ == "__main__":
    main()
