"""The pages of the documentation: every public name has one, records are read to the right page, and a wrong document is no page."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import syntonic

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "crates/syntonic-py/docs"
sys.path.insert(0, str(DOCS))

from pages import catalogue, docstring, error, example, facts, operator, program, repository, signature, speed  # noqa: E402

PRIMITIVES = ROOT / "crates/syntonic-core/src/fuse/prim.rs"
ENTRIES = {entry.path: entry for entry in catalogue.entries()}
RECORDS = speed.records(ROOT)


EXAMPLES = example.examples()


def pages(gradients: dict[str, str] | None = None) -> dict[str, str]:
    known = operator.Known({"exp": facts.Declared("Inexact", "Same", 2)}, gradients or {}, {"gelu": error.Measured(1.68e7, (-5.558,), 5e-7)}, EXAMPLES, RECORDS)
    return dict(operator.Pages(catalogue.entries(), known).all(catalogue.modules()))


PAGES = pages()


def test_every_public_name_has_a_page_or_a_line() -> None:
    for module, whole in catalogue.modules().items():
        index = PAGES[f"module-{module or 'syntonic'}.md"]
        for name in whole.__all__:
            path = f"{module}.{name}".lstrip(".")
            known = [entry for entry in ENTRIES.values() if path in (entry.path, *entry.also)]
            if path in catalogue.modules():
                assert f"module-{path}.md" in PAGES
                continue
            assert len(known) == 1, path
            assert (f"{known[0].path}.md" in PAGES) == known[0].has_page
            assert f"`{name} <{known[0].path}>`" in index or f"- `{name}`" in index, path


def test_what_has_no_page_is_a_type_or_a_number() -> None:
    for entry in ENTRIES.values():
        assert entry.has_page or isinstance(entry.thing, (syntonic.DType, float, int, str, type(None))), entry.path


def test_every_page_has_a_summary_and_a_signature() -> None:
    for entry in ENTRIES.values():
        if not entry.has_page:
            continue
        told = docstring.summary(entry.thing.__doc__)
        assert len(told) > 2 and not told.endswith("."), entry.path
        page = PAGES[f"{entry.path}.md"]
        assert page.startswith(f"---\norphan: true\n---\n\n# {entry.name}\n"), entry.path
        assert f"syntonic.{entry.path}" in page
        if entry.kind == "function":
            assert f"}} syntonic.{entry.path}(" in page, entry.path


def test_a_name_with_two_paths_has_one_page() -> None:
    assert ENTRIES["relu"].also == ("nn.relu",)
    assert "nn.relu.md" not in PAGES
    assert "Also `syntonic.nn.relu`." in PAGES["relu.md"]


def test_signatures_are_those_of_the_sources() -> None:
    assert signature.of_function(syntonic.exp) == ["(x: ArrayLike, /, *, out: State | None = None) -> State"]
    # Of the stub, where there is no Python.
    assert signature.of_function(syntonic.exact.fibonacci) == ["(n: int) -> int", "(n: ArrayLike) -> State"]
    assert signature.of_class(syntonic.infer.DiscreteModel).startswith("(likelihoods: Arrays, transitions: Arrays, preferences: ")
    # A class of Python and a native one may have one name.
    assert signature.of_member(syntonic.information.TransferEntropy, "values")[0].startswith("(source: ArrayLike, target: ArrayLike")
    assert "mode: PhiResidualMode | str = PhiResidualMode.PHI" in signature.of_function(syntonic.nn.phi_residual_layer_norm)[0]


def test_rows_of_a_record_stand_on_the_page_of_their_operator() -> None:
    record = json.loads((ROOT / "crates/syntonic-bench/records/nvidia-h100-80gb-hbm3.json").read_text(encoding="utf-8"))
    (row,) = [
        row
        for row in record["rows"]
        if row["case"] == "residual_norm" and row["impl"] == "syntonic" and row["size"] == [65536, 1024] and row["dtype"] == "float32"
    ]
    page = PAGES["nn.phi_residual_layer_norm.md"]
    (line,) = [line for line in page.splitlines() if "`residual_norm`" in line and "65536 × 1024" in line and "float32" in line]
    assert f"{row['median_us']:.0f} µs" in line
    assert f"| {row['fraction']:.2f} |" in line and f"| {row['ratios']['torch']:.2f} |" in line
    assert record["gpu"] in page and record["commit"][:8] in page
    assert "syntonic-gpu bench --cases crates/syntonic-bench/gpu_cases.json --suite memory --case residual_norm" in page
    # No record has it, so its page says nothing.
    assert "## Speed" not in PAGES["isnan.md"]


def test_every_measured_kind_is_an_operator_or_says_that_it_is_several() -> None:
    cases = json.loads((ROOT / "crates/syntonic-bench/gpu_cases.json").read_text(encoding="utf-8"))
    for case in cases:
        path = speed.operator_of(case)
        assert path is None or path in ENTRIES, (case["case"], path)
    kinds = {case["kind"].partition("/")[0] for case in cases}
    assert set(speed.OPERATORS) | speed.SEVERAL <= kinds
    with pytest.raises(ValueError, match="hint: name it in OPERATORS or SEVERAL"):
        speed.operator_of({"case": "new", "kind": "new"})
    shown = sum(len(rows) for rows in RECORDS[0].rows.values())
    # Chains, written formulas and products of several operators are the rest.
    assert shown > 200


def test_accuracy_is_that_of_the_table(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("exp\tx\te^x.\tInexact\tSame\t2\nequal\tx1 x2\ta == b.\tAny\tBool\t0\nrelu\tx\tmax(x, 0).\n", encoding="utf-8")
    found = facts.primitives(table)
    assert set(found) == {"exp", "equal"}
    assert "at most 2 units of the last place" in facts.types(found["exp"])
    assert "last place" not in facts.types(found["equal"])
    assert "at most 2 units" in PAGES["exp.md"]


def test_errors_are_measured_and_within_what_is_declared() -> None:
    rows = re.findall(r'^    \w+ +"(\w+)" +\d (\w+) (\w+) (\d+) "', PRIMITIVES.read_text(encoding="utf-8"), re.MULTILINE)
    declared = {name: ulp for name, accepts, yields, ulp in rows if (accepts, yields) == ("Inexact", "Same")}
    assert len(declared) > 20 and declared["exp"] == "2"
    for name, ulp in declared.items():
        found = error.measured(name)
        # One that is rounded exactly is off by half a unit, and float64 by as good as nothing of float32's.
        assert found is not None and found.ulp <= max(int(ulp), 0.51), (name, found)
    # relu picks a number, and sigmoid rounds an exponential, a sum and a quotient.
    composites = error.of_composites({row[0] for row in rows})
    assert composites["relu"] == error.Measured(0.0, (-8.0,), 0.0)
    assert 0.5 < composites["sigmoid"].ulp < 8 and "exp" not in composites
    assert "16,800,000 units of the last place of the result, at -5.558; the largest absolute error is 5.0e-07" in PAGES["gelu.md"]


def test_gradients_are_tried() -> None:
    found = facts.gradients()
    assert found["exp"].startswith("On the tape")
    assert found["linalg.eigvals"].startswith("None")
    # Its result hangs on no operand, and that of the next has no floats.
    assert "ones_like" not in found and "argmax" not in found
    assert "## Gradient" in pages(found)["linalg.svd.md"]


def test_examples_give_what_they_show() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for name, told in EXAMPLES.items():
        session = told.removeprefix("```pycon\n").removesuffix("\n```") + "\n"
        told_wrong: list[str] = []
        outcome = runner.run(parser.get_doctest(session, {}, name, None, None), out=told_wrong.append)
        assert outcome.failed == 0 and outcome.attempted == 3, "".join(told_wrong)
    assert "## Example" in PAGES["exp.md"] and "syntonic.exp(x)" in PAGES["exp.md"]
    # Its docstring has one.
    assert "## Example" not in PAGES["linalg.svd.md"]
    functions = [entry for entry in ENTRIES.values() if entry.kind == "function"]
    assert sum(">>>" in PAGES[f"{entry.path}.md"] for entry in functions) > 0.8 * len(functions)


def test_docstrings_keep_their_words() -> None:
    text = "Sums a*b and c_d [n].\n\nname      what it is,\n          and more\nother     else\n\n>>> 1 + 1\n2\n\n    x = 1\n"
    assert docstring.markdown(text) == (
        "Sums a\\*b and c\\_d \\[n\\].\n\n- `name`: what it is, and more\n- `other`: else\n\n```pycon\n>>> 1 + 1\n2\n```\n\n```python\nx = 1\n```"
    )
    assert docstring.prose("see `x_1` or `relu`", lambda code: "LINK" if code == "relu" else None) == "see `x_1` or LINK"
    assert docstring.summary("sum(x_i), see `a.b` e.g. here. More. ") == "sum(x_i), see `a.b` e.g. here"
    assert docstring.summary("0, 1, ... or more. Or") == "0, 1, ... or more"
    assert docstring.markdown("- one *\n- two") == "- one \\*\n- two"
    assert docstring.markdown("1. not a list") == "1\\. not a list"


def fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```\n"


def test_a_document_becomes_what_it_prints(tmp_path: Path) -> None:
    document = "# T\n\n" + fence("python", "x = 2\nprint(x)") + "\n" + fence("text", "2") + "\nmore\n\n" + fence("python", "print(x + 1)")
    page = program.run(document, "g.md", tmp_path / "g.svg")
    assert page == document + "\n" + fence("text", "3")
    cells = json.loads(program.notebook(document, "g.md"))["cells"]
    assert [cell["cell_type"] for cell in cells] == ["markdown", "code", "markdown", "code"]
    assert cells[1]["source"] == ["x = 2\n", "print(x)"]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (fence("python", "print(1)") + "\n" + fence("text", "2"), "g.md:6: the page shows\n2\nand the program prints\n1"),
        ("a\n\n" + fence("python", "x = 1\nassert x == 2"), 'File "g.md", line 5'),
        (fence("python", "def"), "g.md:2: the program is none"),
        (fence("python needs nothing_of_this_name", "def"), "g.md:2: the program is none"),
        (fence("{code-block} python", "x = 1"), "which nothing checks"),
        (fence("rust", "fn main() {}"), "Rust is included from an example"),
        (fence("", "x"), "no language"),
    ],
)
def test_a_wrong_document_is_no_page(tmp_path: Path, document: str, told: str) -> None:
    with pytest.raises(program.Wrong) as wrong:
        program.run(document, "g.md", tmp_path / "g.svg")
    assert told in str(wrong.value)


def test_a_program_whose_library_is_not_there_is_shown_and_says_so(tmp_path: Path) -> None:
    missing = fence("python needs nothing_of_this_name", "print(nothing)") + "\n" + fence("text", "2")
    page = program.run(missing + fence("python needs json", "print(3)"), "g.md", tmp_path / "g.svg")
    assert page.count("was not there when the page was made") == 1 and "needs `nothing_of_this_name`" in page
    assert page.rstrip().endswith("```text\n3\n```")


def test_a_wrong_document_ends_the_command(tmp_path: Path) -> None:
    source = tmp_path / "guides" / "wrong.md"
    source.parent.mkdir()
    source.write_text(fence("python", "raise KeyError('gone')"), encoding="utf-8")
    run = subprocess.run([sys.executable, "-m", "pages.program", source, tmp_path], cwd=DOCS, capture_output=True, text=True, timeout=120)
    assert run.returncode != 0 and "guides/wrong.md:2: the program fails" in run.stderr and "KeyError" in run.stderr
    assert not (tmp_path / "wrong.md").exists()


def test_figures_are_drawn_beneath_their_block(tmp_path: Path) -> None:
    drawn = "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
    another = fence("python", "plt.plot([2, 1])\nplt.title('Another')")
    page = program.run(fence("python", drawn + "plt.title('A line')") + another, "g.md", tmp_path / "g.svg")
    assert "![A line](g-1.svg)" in page and page.rstrip().endswith("![Another](g-2.svg)")
    assert (tmp_path / "g-1.svg").read_text(encoding="utf-8").startswith("<?xml")
    with pytest.raises(program.Wrong, match="a figure without a title"):
        program.run(fence("python", drawn), "g.md", tmp_path / "g.svg")


def test_links_of_documents_lead_to_pages_or_are_words() -> None:
    readme = repository.page(ROOT, "README.md")
    assert "[ARCHITECTURE.md](ARCHITECTURE.md)" in readme
    assert "[crates/syntonic-core](crates/syntonic-core/README.md)" in readme
    # A record is a file of the repository and no page.
    assert "nvidia-h100-80gb-hbm3.json](" not in readme and "nvidia-h100-80gb-hbm3.json" in readme
    assert "](examples/" not in repository.page(ROOT, "crates/syntonic-core/README.md")


def test_guides_and_notebooks_are_all_in_the_contents() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8").splitlines()
    for folder in ("guides", "notebooks"):
        for document in (DOCS / folder).glob("*.md"):
            assert f"{folder}/{document.stem}" in index, document


def test_what_guides_include_is_there() -> None:
    included = {path for guide in (DOCS / "guides").glob("*.md") for path in repository.included(guide.read_text(encoding="utf-8"))}
    assert len(included) > 5
    assert all((ROOT / path).is_file() for path in included)
    # An example that is included is one that runs as a test.
    assert all(path.endswith(".md") or "/examples/0" in path for path in included)
