"""The documents of the repository as pages: what a README says is said there and nowhere else."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

#: Documents of the repository that are pages, by path.
DOCUMENTS = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "crates/syntonic-core/README.md",
    "crates/syntonic-srt/README.md",
    "crates/syntonic-cuda/README.md",
    "crates/syntonic-py/README.md",
    "crates/syntonic-bench/README.md",
    "kernels/README.md",
    "kernels/notes/README.md",
    "xtask/simulator/README.md",
)
#: The folder of their copies, and of the sources that guides include.
FOLDER = "tree"

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\n]+)\]\((?P<target>[^)\s]+)\)")
_INCLUDED = re.compile(rf"^```\{{(?:literalinclude|include)\}} /{FOLDER}/(?P<path>\S+)$", re.MULTILINE)


def page(tree: Path, path: str) -> str:
    """A document, whose links to other pages stay links; those to files that are no pages are their text alone."""
    text = (tree / path).read_text(encoding="utf-8")

    def kept(link: re.Match[str]) -> str:
        target, _, _ = link["target"].partition("#")
        if "://" in target or not target:
            return link[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        for document in (place, f"{place}/README.md"):
            if document in DOCUMENTS:
                return f"[{link['text']}]({posixpath.relpath(document, posixpath.dirname(path) or '.')})"
        return link["text"]

    return _LINK.sub(kept, text)


def included(guide: str) -> list[str]:
    """The files of the repository that a guide includes."""
    return [match["path"] for match in _INCLUDED.finditer(guide)]
