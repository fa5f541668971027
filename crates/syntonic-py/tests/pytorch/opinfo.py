"""How many samples of PyTorch's database of operators give the same here: `python opinfo.py [--device cuda] [--json FILE] [OPERATOR ...]`.

Prints counts, each exception with its reason, and whatever else is not the same; writes nothing unless asked.
"""

import argparse
import json
import sys
import warnings
from collections import Counter
from pathlib import Path

import torch
from opinfo_exceptions import EXCEPTIONS
from opinfo_run import OPERATORS, shown, survey


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", help="where our functions compute; PyTorch's always on the CPU")
    parser.add_argument("--json", type=Path, help="where the counts go; those of other devices that stand there stay")
    parser.add_argument("operators", nargs="*", help="some operators in place of all")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)

    def tell(name, dtype, sample, found):
        if found.kind in ("different", "refused") and found.exception is None:
            print(f"{found.kind}: {name} {dtype} {shown(sample)}: {found.said}")

    by_operator = survey(options.operators or OPERATORS, options.device, tell)
    counts = sum(by_operator.values(), Counter())
    kinds = Counter({kind: 0 for kind in ("same", "different", "refused", "none")})
    exceptions = Counter()
    for (kind, exception), count in counts.items():
        kinds[kind] += count
        if exception is not None:
            exceptions[exception] += count
    total = kinds["same"] + kinds["different"] + kinds["refused"]
    documented = sum(count for name, count in exceptions.items() if EXCEPTIONS[name].kind != "fault")
    share = kinds["same"] / max(total - documented, 1)
    print(
        f"PyTorch {torch.__version__}, {options.device}: {len(by_operator)} operators, {total} samples: {kinds['same']} the same, ", end=""
    )
    print(f"{kinds['different']} different, {kinds['refused']} refused; {share:.3%} the same without what is documented")
    for name, count in exceptions.most_common():
        print(f"{count:6} {EXCEPTIONS[name].kind}: {name}: {EXCEPTIONS[name].reason}")
    if options.json is not None:
        table = json.loads(options.json.read_text()) if options.json.is_file() else {}
        table[options.device.split(":")[0]] = {
            "pytorch": torch.__version__,
            "operators": len(by_operator),
            "samples": total,
            **{kind: kinds[kind] for kind in ("same", "different", "refused")},
            "exceptions": dict(sorted(exceptions.items())),
        }
        options.json.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n")
    return int(sum(kinds[kind] for kind in ("different", "refused")) > sum(exceptions.values()))


if __name__ == "__main__":
    sys.exit(main())
