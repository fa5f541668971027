"""Guides and notebooks are programs: their blocks of Python run one after the other, and what they print is what the page says.

A block that is followed by a block of text must print that text, to the letter. What another block prints is put beneath it, and the
figures that it leaves open. A block of `python needs LIBRARY` runs where that library is installed, and is only compiled where it is not;
the page says which. `python -m pages.program FILE OUT` runs one document in this process and writes its page into the folder OUT.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

_FENCE = re.compile(r"^```(?P<language>[^\n`]*)\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
#: What a document may show besides programs. Rust is included from examples, which are compiled and run as tests.
_SHOWN = {"text", "sh", "toml"}
#: What of Sphinx a document may use.
_DIRECTIVES = {"{include}", "{literalinclude}", "{only}", "{raw}", "{toctree}"}


class Wrong(Exception):
    """A document that does not do what it says."""


@dataclass(frozen=True)
class Block:
    """A piece of a document: prose, a program, or what the program before it prints. `line` is where its text begins, `needs` the library
    that a program does not run without."""

    kind: str
    text: str
    line: int
    needs: str = ""

    @property
    def runs(self) -> bool:
        """Whether this interpreter has what the program needs."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None


def blocks(document: str, name: str) -> list[Block]:
    """The pieces of a document in their order: "prose" as it stands, "python" and "printed" without their fences."""
    found: list[Block] = []
    at = 0
    for fence in _FENCE.finditer(document):
        line = document.count("\n", 0, fence.start()) + 2
        language, _, needs = fence["language"].strip().partition(" needs ")
        before = document[at : fence.start()]
        if language == "python":
            found += [Block("prose", before, 0), Block("python", fence["text"], line, needs)]
        elif language == "text" and not before.strip() and found and found[-1].kind == "python":
            found.append(Block("printed", fence["text"], line))
        elif language in _SHOWN or language.split(" ")[0] in _DIRECTIVES:
            found.append(Block("prose", document[at : fence.end()], 0))
        else:
            told = f"a block of {language or 'no language'!r}, which nothing checks; hint: python runs, Rust is included from an example"
            raise Wrong(f"{name}:{line - 1}: {told}")
        at = fence.end()
    return [*found, Block("prose", document[at:], 0)]


def run(document: str, name: str, figures: Path) -> str:
    """The document with what its programs print. Figures are written beside `figures`, whose stem their names begin with.

    Raises `Wrong` with the place, for a program that fails, prints another text than the page shows, or leaves a figure without a title.
    """
    page: list[str] = []
    names: dict[str, Any] = {"__name__": "__main__"}
    drawn = 0
    pieces = blocks(document, name)
    for at, piece in enumerate(pieces):
        if piece.kind == "prose":
            page.append(piece.text)
        elif piece.kind == "python":
            page.append(f"```python\n{piece.text}```")
            if not piece.runs:
                _compiled(piece, name)
                page.append(f"\n\nThis needs `{piece.needs}`, which was not there when the page was made.")
                continue
            printed = _executed(piece, name, names)
            if pieces[at + 1].kind == "printed":
                shown = pieces[at + 1]
                # A block of text ends with one end of line, whatever the program's last print ended with.
                if printed.rstrip("\n") != shown.text.rstrip("\n"):
                    raise Wrong(f"{name}:{shown.line}: the page shows\n{shown.text}and the program prints\n{printed}")
            elif printed:
                page.append(_shown(printed))
            links = _figures(figures, drawn, f"{name}:{piece.line}")
            drawn += len(links)
            page += links
        else:
            page.append(f"\n\n```text\n{piece.text}```")
    return "".join(page)


def notebook(document: str, name: str) -> str:
    """The document for Jupyter, without outputs (nbformat 4.5)."""
    cells: list[dict[str, Any]] = []
    for piece in blocks(document, name):
        text = piece.text.strip("\n")
        if piece.kind == "printed" or not text:
            continue
        cell: dict[str, Any] = {"id": f"cell-{len(cells)}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if piece.kind == "python":
            cell |= {"cell_type": "code", "execution_count": None, "outputs": []}
        else:
            cell["cell_type"] = "markdown"
        cells.append(cell)
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1)


def _executed(block: Block, name: str, names: dict[str, Any]) -> str:
    """What the block prints; its names go on to the next one."""
    printed = io.StringIO()
    code = _compiled(block, name)
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, names)
    except Exception as error:
        raise Wrong(f"{name}:{block.line}: the program fails\n{printed.getvalue()}{''.join(traceback.format_exception(error))}") from error
    return printed.getvalue()


def _compiled(block: Block, name: str) -> CodeType:
    """The code of the block, with lines before it, so that a traceback has those of the document."""
    try:
        return compile("\n" * (block.line - 1) + block.text, name, "exec")
    except SyntaxError as error:
        raise Wrong(f"{name}:{block.line}: the program is none: {error}") from error


def _shown(printed: str) -> str:
    return f"\n\n```text\n{printed.rstrip(chr(10))}\n```"


def _figures(base: Path, drawn: int, place: str) -> list[str]:
    """Links to the figures that are open, which are written and closed."""
    plots = sys.modules.get("matplotlib.pyplot")
    links: list[str] = []
    for number in plots.get_fignums() if plots is not None else []:
        figure = plots.figure(number)  # type: ignore[union-attr]
        titles = [figure.get_suptitle(), *(axes.get_title() for axes in figure.axes)]
        title = next((title for title in titles if title), None)
        if title is None:
            raise Wrong(f"{place}: a figure without a title, which readers who do not see it are told")
        file = base.with_name(f"{base.stem}-{drawn + len(links) + 1}.svg")
        # Neither the time nor names made of it: a page is the same each time it is made.
        plots.rcParams["svg.hashsalt"] = file.name  # type: ignore[union-attr]
        figure.savefig(file, metadata={"Date": None})
        plots.close(figure)  # type: ignore[union-attr]
        links.append(f"\n\n![{title}]({file.name})")
    return links


def main() -> None:
    """Runs the document that the command line names."""
    source, out = Path(sys.argv[1]), Path(sys.argv[2])
    document = source.read_text(encoding="utf-8")
    name = f"{source.parent.name}/{source.name}"
    try:
        page = run(document, name, out / source.with_suffix(".svg").name)
    except Wrong as wrong:
        sys.exit(str(wrong))
    if any(piece.kind == "python" for piece in blocks(document, name)):
        jupyter = source.with_suffix(".ipynb").name
        (out / jupyter).write_text(notebook(document, name), encoding="utf-8")
        page += f"\nThe programs of this page for Jupyter: {{download}}`{jupyter}`.\n"
    (out / source.name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
