"""What the rows of the bench come to: fractions and ratios row by row, and one line a suite."""

import math

#: What a row counts that gave no result, or has nobody to be compared with.
MISSING = 0.1
#: Nobody tells less than this from being level.
LEVEL = 0.97
#: PyTorch as it is called one operation after the other.
EAGER = "torch"


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


def mean(ratios):
    """The geometric mean; of a ratio that is not there, 0.1."""
    logs = [math.log(ratio or MISSING) for ratio in ratios]
    return round(math.exp(sum(logs) / len(logs)), 3)


def suites(cases, rows):
    """By suite of the list `cases`, in its order: how many rows, the geometric means of the best peer's and of PyTorch's
    time over ours, how many rows have no such ratio, and how many reach 0.97 of the best."""
    ours = {key(row): row.get("ratios", {}) for row in rows if row["impl"] == "syntonic" and "error" not in row}
    made = {}
    for name in dict.fromkeys(case["suite"] for case in cases):
        found = [ours.get(key(case), {}) for case in cases if case["suite"] == name]
        best = [min(ratios.values(), default=None) for ratios in found]
        eager = [ratios.get(EAGER) for ratios in found]
        made[name] = {
            "rows": len(found),
            "best": mean(best),
            "best_missing": best.count(None),
            "eager": mean(eager),
            "eager_missing": eager.count(None),
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
        print(f"{name} {row['median_us']:10.1f} us  {row.get('fraction', 0):.2f}  {ratios}")
    for name, suite in suites.items():
        print(
            f"{name:10} best peer {suite['best']:.3f}, eager {suite['eager']:.3f}, "
            f"{suite['level']} of {suite['rows']} rows at {LEVEL} of the best, {suite['best_missing']} missing"
        )
