"""What the committed records of GPUs say of an operator."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BENCH = "crates/syntonic-bench"

#: The operator that a kind of rows measures, by the path of its page. What stands behind a slash in a kind is a number or an objective.
OPERATORS = {
    "accuracy": "infer.accuracy",
    "accuracy_rows": "infer.accuracy",
    "adamw": "optim.AdamW",
    "argmax": "argmax",
    "batch_norm": "golden_batch_norm_2d",
    "batch_norm_backward": "nn.golden_batch_norm_2d_backward",
    "batch_norm_eval": "golden_batch_norm_2d",
    "batch_norm_features": "golden_batch_norm_1d",
    "batch_norm_features_backward": "nn.golden_batch_norm_1d_backward",
    "belief_update": "infer.belief_update",
    "bmm": "bmm",
    "bmm_high": "bmm",
    "cholesky": "linalg.cholesky",
    "cumsum": "cumulative_sum",
    "cycle": "resonant.cycle",
    "differentiate": "resonant.differentiate",
    "download": "State",
    "eigh": "linalg.eigh",
    "free_energy": "infer.free_energy",
    "gemv": "matmul",
    "golden_gelu": "nn.golden_gelu",
    "golden_gelu_backward": "nn.golden_gelu_backward",
    "graph": "Graph",
    "harmonize": "resonant.harmonize",
    "kl_divergence": "infer.kl_divergence",
    "kl_divergence_rows": "infer.kl_divergence",
    "layer_norm": "nn.layer_norm",
    "layer_norm_backward": "nn.layer_norm_backward",
    "linear_gelu": "nn.linear",
    "linear_relu_high": "nn.linear",
    "matmul": "matmul",
    "matmul_high": "matmul",
    "max": "max",
    "mm_corrected": "golden.mm_corrected",
    "mm_phi": "golden.mm_phi",
    "mm_tn": "golden.mm_tn",
    "normal": "random.normal",
    "permute": "permute_dims",
    "phi_bracket": "golden.phi_bracket",
    "residual": "phi_residual_relu",
    "residual_backward": "nn.phi_residual_backward",
    "residual_norm": "nn.phi_residual_layer_norm",
    "residual_norm_backward": "nn.phi_residual_layer_norm_backward",
    "scaled_fp8": "linalg.scaled_matmul",
    "scaled_int8": "linalg.scaled_matmul",
    "search": "evolve.DeviceSearch",
    "snap": "exact.snap",
    "softmax": "syntonic_softmax",
    "softmax_backward": "nn.syntonic_softmax_backward",
    "softmax_leading": "syntonic_softmax",
    "softmax_leading_backward": "nn.syntonic_softmax_backward",
    "solve": "linalg.solve",
    "sort": "sort",
    "sum": "sum",
    "svd": "linalg.svd",
    "syntony": "resonant.syntony",
    "syntony_rows": "resonant.syntony",
    "te": "transfer_entropy",
    "te_matrix": "information.transfer_entropy_matrix",
    "tf32": "matmul",
    "thin": "matmul",
    "topk": "topk",
    "transpose": "matrix_transpose",
    "upload": "State",
    "var": "var",
}
#: Kinds that are several operators at once, or no operator of ours: they are drawn by `cargo xtask bench --report` alone.
SEVERAL = {"biased", "biased_gelu", "gemv_chain", "inference_chain", "mlp", "two_products"}
#: A formula that is written as calls begins with this, and so does each row of such a formula.
WRITTEN = "written_"

_PEERS = ("torch", "torch.compile", "torch.native", "cupy", "jax")


@dataclass(frozen=True)
class Row:
    """One measured computation: time in microseconds, the part of a copy's bandwidth, and the times of peers over ours."""

    suite: str
    case: str
    dtype: str
    size: tuple[int, ...]
    micros: float
    fraction: float | None
    rate: str
    ratios: dict[str, float]


@dataclass(frozen=True)
class Record:
    """A run on one GPU: the card, the commit that ran, the versions of peers, and rows by the path of their operator."""

    file: str
    gpu: str
    commit: str
    peers: str
    rows: dict[str, list[Row]]


def operator_of(case: dict[str, Any]) -> str | None:
    """The path of the operator that a row of `gpu_cases.json` measures; None where it measures several."""
    kind, _, rest = case["kind"].partition("/")
    if kind == "map":
        steps = case["steps"]
        return str(steps[0][0]) if len(steps) == 1 else None
    if kind == "row_operator":
        return f"nn.{rest}"
    if kind in SEVERAL or kind.startswith(WRITTEN):
        return None
    if kind not in OPERATORS:
        raise ValueError(f"{case['case']}: rows of the kind {kind!r} are of no operator; hint: name it in OPERATORS or SEVERAL of {__name__}")
    return OPERATORS[kind]


def records(tree: Path) -> list[Record]:
    """All committed records, by file name."""
    cases = json.loads((tree / BENCH / "gpu_cases.json").read_text(encoding="utf-8"))
    operators = {_key(case): operator_of(case) for case in cases}
    return [_record(path, operators) for path in sorted((tree / BENCH / "records").glob("*.json"))]


def section(records: list[Record], path: str) -> str:
    """The part of a page on speed, or nothing where no record has the operator."""
    parts = []
    for record in records:
        rows = record.rows.get(path)
        if rows:
            parts.append(_told(record, rows))
    return "\n\n".join(["## Speed", *parts]) if parts else ""


def _key(row: dict[str, Any]) -> tuple[str, str, str, tuple[int, ...]]:
    return row["suite"], row["case"], row["dtype"], tuple(row["size"])


def _record(path: Path, operators: dict[tuple[str, str, str, tuple[int, ...]], str | None]) -> Record:
    told = json.loads(path.read_text(encoding="utf-8"))
    rows: dict[str, list[Row]] = {}
    for row in told["rows"]:
        operator = operators.get(_key(row)) if row["impl"] == "syntonic" else None
        if operator is not None and row.get("median_us"):
            rows.setdefault(operator, []).append(_row(row))
    peers = ", ".join(f"{name} {version}" for name, version in told["peers"].items())
    return Record(path.name, told["gpu"], told["commit"][:8], peers, rows)


def _row(row: dict[str, Any]) -> Row:
    # Arithmetic bounds products and decompositions, and the bus copies of the host: a part of the copy bandwidth says nothing there.
    by_bytes = "tflops" not in row and "giga_numbers" not in row and row["suite"] not in ("copies", "evolve")
    rate = f"{row['tflops']:.1f} TFLOP/s" if row.get("tflops") else f"{row['giga_numbers']:.1f} G numbers/s" if row.get("giga_numbers") else ""
    fraction = row.get("fraction") if by_bytes and row.get("fraction", 0) >= 0.01 else None
    ratios = {name: ratio for name, ratio in (row.get("ratios") or {}).items() if ratio}
    return Row(row["suite"], row["case"], row["dtype"], tuple(row["size"]), row["median_us"], fraction, rate, ratios)


def _told(record: Record, rows: list[Row]) -> str:
    peers = [peer for peer in _PEERS if any(peer in row.ratios for row in rows)]
    heads = ["row", "dtype", "shape", "time", "of a copy, or rate", *peers]
    lines = [" | ".join(heads), " | ".join(["---"] * 3 + ["--:"] * (len(heads) - 3))]
    for row in rows:
        reached = row.rate or (f"{row.fraction:.2f}" if row.fraction is not None else "")
        ratios = [f"{row.ratios[peer]:.2f}" if peer in row.ratios else "" for peer in peers]
        lines.append(" | ".join([f"`{row.case}`", row.dtype, " × ".join(map(str, row.size)), _time(row.micros), reached, *ratios]))
    table = "\n".join(f"| {line} |" for line in lines)
    cases = sorted({(row.suite, row.case) for row in rows})
    commands = "\n".join(f"syntonic-gpu bench --cases {BENCH}/gpu_cases.json --suite {suite} --case {case}" for suite, case in cases)
    beside = f" Beside a peer stands its time over ours: above 1 we are faster. Peers: {record.peers}." if peers else ""
    return (
        f"On one {record.gpu}, the median of calls in the steady state, of commit `{record.commit}` (`{BENCH}/records/{record.file}`). "
        f'"Of a copy" is the bytes that have to be moved, over the time, over the bandwidth of a copy in the same run.{beside}\n\n{table}\n\n'
        f"To measure these again on a GPU (peers: `python3 run.py --force bench` of the bundle):\n\n```sh\n{commands}\n```"
    )


def _time(micros: float) -> str:
    if micros < 1e3:
        return f"{micros:.3g} µs" if micros < 100 else f"{micros:.0f} µs"
    return f"{micros / 1e3:.3g} ms" if micros < 1e5 else f"{micros / 1e3:.0f} ms"
