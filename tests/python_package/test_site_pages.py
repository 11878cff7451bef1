"""Every Python and shell block of the site's pages is run, page by page, in one folder and one session.

A block whose first line is `# sketch: REASON` needs more than this machine has; its syntax is checked.
A text block is the output of the Python block before it. C++ blocks are not run.
"""

import ast
import importlib
import json
import os
import pathlib
import re
import subprocess

import pytest

from structhash import _core
from conftest import ROOT

PAGES = ["get-started", "choosing", "how-it-works", "troubleshooting", "home"]
PAGES += [f"tutorials/{path.stem}" for path in sorted((ROOT / "docs/tutorials").glob("*.md"))]
ENGINES = {"tutorials/engines": ["faiss", "chdb", "pyarrow"]}  # run by scripts/test_interop.sh, which installs them
COMMAND = pathlib.Path(os.environ.get("STRUCTHASH_COMMAND", ROOT / "build/release/bin/structhash"))


def blocks_of(page):
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / f"docs/{page}.md").read_text(), flags=re.DOTALL | re.MULTILINE)


def run_shell(text, folder):
    if not COMMAND.exists():
        pytest.skip(f"there is no {COMMAND}")
    path = f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env={**os.environ, "PATH": path},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def check_syntax(language, text):
    if language == "python":
        ast.parse(text)
    else:
        subprocess.run(["bash", "-n", "-c", text], check=True)


@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_a_page(page, tmp_path, monkeypatch, capsys):
    for module in ENGINES.get(page, []):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for language, text in blocks_of(page):
        if text.startswith("# sketch: "):
            check_syntax(language, text)
        elif language == "python":
            capsys.readouterr()
            exec(compile(text, f"docs/{page}.md", "exec"), names)  # noqa: S102  (our own pages)
        elif language == "bash":
            run_shell(text, tmp_path)
        elif language == "text":
            assert capsys.readouterr().out == text
        else:
            assert language == "cpp", f"docs/{page}.md: a block of {language or 'no language'} is not run"


def test_every_tutorial_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    assert all(f"{page}.md" in navigation for page in PAGES if page != "home")  # index.md in the site


def test_pages_quote_the_numbers_of_the_picture():
    measured = json.loads((ROOT / "scripts/quality_bytes.json").read_text())
    tutorial, home = ((ROOT / f"docs/{name}.md").read_text() for name in ("tutorials/shrink", "home"))
    for row in measured["rows"]:
        value = f"{row['map']:.2f}".removeprefix("0")
        assert f"| {row['bytes']:,} | {value} |" in tutorial
    readme = (ROOT / "README.md").read_text()
    assert "StructHash has .86 with 2 bytes and .90 with 8 bytes; float32 vectors of 1,536 bytes have .52" in readme
    without = {row["name"]: f"{row['map']:.2f}"[1:] for row in measured["without_training_rows_in_the_database"]}
    sentence = (f"64 learned bits have an mAP of {without['StructHash, 64 bits']}, the float vectors "
                f"{without['float32, cosine']} and OPQ with 8 bytes {without['OPQ, 8 bytes']}.")
    assert sentence in " ".join(home.split())


@pytest.fixture
def leaderboard(monkeypatch):
    """The script that writes the page."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return importlib.import_module("leaderboard")


def test_leaderboard_is_made_from_its_rows(leaderboard):
    notes, table = leaderboard.read_table()
    assert leaderboard.PAGE.read_text() == leaderboard.page(notes, table)
    known = {method["name"] for method in _core.methods()}
    assert all({method for method, _ in methods} == known for methods in table.values())
    assert leaderboard.with_interval([0.1, 0.2, 0.3]) == ".200 ± .248"  # 4.303 x .1 / sqrt(3)


def test_choosing_quotes_the_leaderboard(leaderboard):
    _, table = leaderboard.read_table()
    page = (ROOT / "docs/choosing.md").read_text()
    columns, _, *rows = page[page.index("| method | functions |"):].partition("\n\n")[0].splitlines()
    names = {title.partition(",")[0]: name for name, title in leaderboard.TITLES.items()}
    sets = [names[column] for column in columns.strip("| ").split(" | ")[2:-1]]
    assert len(sets) >= 3 and len(rows) >= 5
    for row in rows:
        method, functions, *values, seconds = row.strip("| ").split(" | ")
        key = method.strip("`"), functions
        assert values == [leaderboard.short(leaderboard.mean_ap(table[name][key], 64)) for name in sets], row
        assert seconds == leaderboard.seconds_text(table["banking77"][key][64]["train_seconds"]), row


def test_cpp_reference_has_every_public_header(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    pages = "".join(importlib.import_module("cpp_reference").pages().values())
    headers = [path.relative_to(ROOT / "include").as_posix() for path in (ROOT / "include").rglob("*/*/*.hpp")]
    assert len(headers) > 30
    assert all(f"#include <{header}>" in pages for header in headers)
    assert "### CodeIndex\n\nIds are 0, 1, 2, ..." in pages
    assert "private:" not in pages


def test_markdown_is_wrapped_without_changing_its_meaning(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    wrap = importlib.import_module("wrap_markdown").wrap
    line = "word " * 20  # 99 columns and a space
    assert wrap(f"{line}{line}") == f"{line.strip()}\n{line.strip()}"
    assert wrap(f"- {line}") == f"- {'word ' * 19}".rstrip() + "\n  word"
    assert wrap(f"{line}- end") == f"{'word ' * 19}".rstrip() + "\nword - end"  # a dash must not start a list
    for verbatim in (f"# {line}{line}", f"| {line}{line} |", f"```text\n{line}{line}\n```", f"    {line}{line}"):
        assert wrap(verbatim) == verbatim


def test_a_broken_block_is_noticed():
    with pytest.raises(SyntaxError):
        check_syntax("python", "# sketch: none\nfor\n")
    with pytest.raises(subprocess.CalledProcessError):
        check_syntax("bash", "if")
