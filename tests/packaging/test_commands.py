"""Pages and manuals give commands that exist; with `--help`, a script only explains itself."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    str(path.relative_to(ROOT))
    for folder in ("packaging", "tests/benchmarks", "tests/golden")
    for path in (ROOT / folder).rglob("*.py")
    if 'if __name__ == "__main__"' in path.read_text("utf-8")
)
PROGRAMS = {
    "anaphora": "anaphora.main",
    "anaphora-nmt": "anaphora_nmt.cli",
    "-m experiments": "experiments.__main__",
    "-m experiments.gpu": "experiments.gpu.__main__",
}
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8").replace(r"\-", "-")
    for folder in (".", "app", "engine", "packaging", "resources", "tests/benchmarks", "tests/golden/genres")
    for path in (ROOT / folder).glob("*.md" if folder == "." else "**/*.[m1]*")
    if path.suffix in (".md", ".1") and path.name != "CHANGELOG.md"  # has removed commands
}
_REST = r"(?P<rest>(?:\\\n|[^`\n;&|#])*)"
OF_SCRIPT = re.compile(rf"python(?:3\.11)? (?P<name>(?:packaging|tests)/[\w/]+\.py)\b{_REST}")
OF_PROGRAM = re.compile(
    rf"(?<![\w./-])(?P<name>-m experiments(?:\.gpu)?|anaphora(?:-nmt)?) (?P<command>[a-z][\w,-]*){_REST}"
)
SELECTED = re.compile(r"(tests/[\w/]+(?:\.py)?(?![\w./]))(?: -k (\w+))?")


def found(pattern: re.Pattern[str]) -> Iterator[tuple[str, re.Match[str], list[str]]]:
    """Page, match and options of each command."""
    for page, text in PAGES.items():
        for match in pattern.finditer(text):
            yield page, match, re.findall(r"(?<!\S)--[\w-]+", match["rest"])


def help_of(run: Callable[[], object], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        run()
    return capsys.readouterr().out if end.value.code in (0, None) else ""


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_explains_itself_and_does_nothing_else(script, monkeypatch, capsys) -> None:
    def forbidden(*given: object, **named: object) -> None:
        raise AssertionError("the script starts to work")

    monkeypatch.setattr(sys, "argv", [script, "--help"])
    monkeypatch.syspath_prepend(str((ROOT / script).parent))
    for owner, name in ((subprocess, "Popen"), (Path, "write_text"), (Path, "write_bytes")):
        monkeypatch.setattr(owner, name, forbidden)
    explained = help_of(partial(runpy.run_path, str(ROOT / script), run_name="__main__"), capsys)
    assert re.search(rf"usage|{Path(script).name}", explained)


def test_pages_name_scripts_and_options_that_exist() -> None:
    for page, match, options in found(OF_SCRIPT):
        assert (ROOT / match["name"]).is_file(), page
        source = (ROOT / match["name"]).read_text("utf-8")
        assert not [option for option in options if f'"{option}"' not in source], (page, match[0])


def test_pages_give_commands_and_options_of_the_programs(capsys) -> None:
    helps: dict[tuple[str, ...], str] = {}
    for page, match, options in found(OF_PROGRAM):
        command = [match["command"]]
        command += match["rest"].split()[:1] if command == ["models"] else []
        key = (match["name"], *command)
        if key not in helps:
            main = import_module(PROGRAMS[match["name"]]).main
            helps[key] = help_of(partial(main, [*command, "--help"]), capsys)
        assert helps[key], (page, match[0])
        assert not [option for option in options if option not in helps[key]], (page, match[0])


def test_pages_select_tests_that_exist() -> None:
    for page, text in PAGES.items():
        for path, words in SELECTED.findall(text):
            place = ROOT / path
            assert place.exists(), (page, path)
            files = [place] if place.is_file() else place.rglob("test_*.py")
            trees = [ast.parse(file.read_text("utf-8")) for file in files if words]
            names = [each.name for tree in trees for each in tree.body if isinstance(each, ast.FunctionDef)]
            assert not words or any(words in name for name in names), (page, path, words)
