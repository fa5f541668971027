"""Docstrings as Markdown: the words stay, what means something to Markdown alone is escaped."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable

#: What Markdown reads as a mark wherever it stands.
_MARKS = re.compile(r"([\\*_\[\]<>#|$~{}])")
_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
#: A name, two blanks or more, and what it is: a row of a table.
_ROW = re.compile(r"^(?P<name>\S(?:.*?\S)?) {2,}(?P<text>\S.*)$")
#: A line that Markdown would take for an item of a list.
_ITEM = re.compile(r"^([-+]|\d+[.)])(?=\s)")
_BULLET = re.compile(r"^- ")

#: From the text of a piece of code to what stands in its place, or None.
Link = Callable[[str], "str | None"]


def summary(doc: str) -> str:
    """The first sentence, or what there is of the first paragraph."""
    first = " ".join(inspect.cleandoc(doc).split("\n\n")[0].split())
    # The period of a sentence is followed by a capital letter or nothing; code may have others.
    outside = _CODE.sub(lambda match: "\0" * len(match[0]), first)
    end = re.search(r"(?<!e\.g)(?<!i\.e)(?<!\.)\.(?=\s+[A-Z`\0]|\s*$)", outside)
    return first[: end.start()].strip() if end else first


def markdown(doc: str, link: Link = lambda _: None) -> str:
    """The whole docstring."""
    paragraphs = re.split(r"\n[ \t]*\n", inspect.cleandoc(doc))
    return "\n\n".join(_paragraph(text.strip("\n"), link) for text in paragraphs)


def prose(text: str, link: Link = lambda _: None) -> str:
    """Text with code in backticks, escaped; code goes to `link` first."""
    pieces, at = [], 0
    for code in _CODE.finditer(text):
        pieces += [_MARKS.sub(r"\\\1", text[at : code.start()]), link(code[2]) or code[0]]
        at = code.end()
    pieces.append(_MARKS.sub(r"\\\1", text[at:]))
    return "".join(pieces)


def _paragraph(text: str, link: Link) -> str:
    lines = text.split("\n")
    if lines[0].startswith("    ") and not lines[0].lstrip().startswith(">>>"):
        return "\n".join(["```python", textwrap.dedent(text), "```"])
    lines = textwrap.dedent(text).split("\n")
    example = next((at for at, line in enumerate(lines) if line.startswith(">>>")), None)
    if example is not None:
        before = [_paragraph("\n".join(lines[:example]), link)] if example else []
        return "\n\n".join([*before, "\n".join(["```pycon", *lines[example:], "```"])])
    if _is_table(lines):
        return _table(lines, link)
    if _BULLET.match(text):
        return prose(text, link)
    escaped = [_ITEM.sub(lambda match: match[1][:-1] + "\\" + match[1][-1], line) for line in prose(text, link).split("\n")]
    return "\n".join(escaped)


def _is_table(lines: list[str]) -> bool:
    """Whether each line is a row, or goes on with one."""
    return len(lines) > 1 and bool(_ROW.match(lines[0])) and all(_ROW.match(line) or line[:1] == " " for line in lines)


def _table(lines: list[str], link: Link) -> str:
    rows: list[list[str]] = []
    for line in lines:
        match = None if line[:1] == " " else _ROW.match(line)
        if match is None:
            rows[-1][1] += " " + line.strip()
        else:
            rows.append([match["name"], match["text"]])
    return "\n".join(f"- {_name(name)}: {prose(text, link)}" for name, text in rows)


def _name(name: str) -> str:
    return name if "`" in name else f"`{name}`"
