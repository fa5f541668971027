"""Runs guides and notebooks, and writes all pages for Sphinx: `python -m pages --tree ROOT --table FILE --out DIR`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import catalogue, error, example, facts, operator, repository, speed

DOCS = Path(__file__).resolve().parents[1]
#: Documents that are run.
PROGRAMS = ("guides", "notebooks")
#: Seconds that a document may take, also on a machine that others use.
_LIMIT = 300


def main() -> None:
    """Everything, or a list of the documents that are wrong."""
    parser = argparse.ArgumentParser(prog="pages", description=__doc__)
    parser.add_argument("--tree", type=Path, required=True, help="the root of the repository")
    parser.add_argument("--table", type=Path, required=True, help="what the example elementwise_table prints")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the pages, which is made anew")
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    started = time.monotonic()
    wrong = run_documents(options.out)
    print(f"guides and notebooks: {time.monotonic() - started:.1f} s", flush=True)
    if wrong:
        sys.exit("\n".join(wrong))
    started = time.monotonic()
    shutil.copy(DOCS / "index.md", options.out)
    count = write_names(options.tree, options.table, options.out / operator.FOLDER)
    write_repository(options.tree, options.out)
    print(f"{count} pages of names: {time.monotonic() - started:.1f} s", flush=True)


def run_documents(out: Path) -> list[str]:
    """Runs each document in a process of its own, as many at once as there are processors; what is wrong with them."""
    documents = [document for folder in PROGRAMS for document in sorted((DOCS / folder).glob("*.md"))]
    for folder in PROGRAMS:
        (out / folder).mkdir()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda document: run_document(document, out / document.parent.name), documents)
    return [outcome for outcome in outcomes if outcome]


def run_document(document: Path, out: Path) -> str:
    """Runs one document; what is wrong with it, or nothing."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(DOCS), os.environ.get("PYTHONPATH", "")]), "MPLBACKEND": "Agg"}
    started = time.monotonic()
    # Programs may write files, which are nobody's.
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pages.program", str(document), str(out.resolve())]
        try:
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_LIMIT)
        except subprocess.TimeoutExpired:
            return f"{document.parent.name}/{document.name} takes more than {_LIMIT} seconds; hint: all documents together are to take less than 40"
    print(f"  {document.parent.name}/{document.name}: {time.monotonic() - started:.1f} s", flush=True)
    return (run.stderr.strip() or f"{document.name} ended with {run.returncode}") if run.returncode else ""


def write_names(tree: Path, table: Path, out: Path) -> int:
    """Writes the pages of all public names; how many."""
    declared = facts.primitives(table)
    known = operator.Known(declared, facts.gradients(), error.of_composites(set(declared)), example.examples(), speed.records(tree))
    pages = operator.Pages(catalogue.entries(), known)
    out.mkdir()
    written = 0
    for name, text in pages.all(catalogue.modules()):
        (out / name).write_text(text, encoding="utf-8")
        written += 1
    return written


def write_repository(tree: Path, out: Path) -> None:
    """Writes the documents of the repository, and the files that guides include."""
    for path in repository.DOCUMENTS:
        _write(out / repository.FOLDER / path, repository.page(tree, path))
    for guide in sorted((DOCS / "guides").glob("*.md")):
        for path in repository.included(guide.read_text(encoding="utf-8")):
            if path not in repository.DOCUMENTS:
                _write(out / repository.FOLDER / path, (tree / path).read_text(encoding="utf-8"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
