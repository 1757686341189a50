"""`anaphora check` on real files: output, exit status and imports."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from forked_command import ForkedCommands

from anaphora.core.draft_report import DraftReport
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.segment import SegmentState, Status
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.features.checks.dismissals import DISMISSED_SETTING
from anaphora.features.checks.quality import check_target
from anaphora.features.checks.registry import CHECK_NAMES, check_name
from anaphora.formats.registry import read
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermBase
from anaphora_nmt.types import DraftQuality, WordQuality

PO = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "共 42 个节点。"
msgstr "There are nodes."

msgid "账本"
msgstr "Ledger"

msgid "节点在哪里？"
msgstr "Where is the the node."
"""
XLIFF = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a.txt" source-language="zh" target-language="en" datatype="plaintext"><body>
<trans-unit id="1"><source>共 42 个节点。</source><target>There are 42 nodes.</target></trans-unit>
<trans-unit id="2"><source>账本</source><target></target></trans-unit>
</body></file></xliff>
"""


ENVIRONMENT = {"LANG": "C", "QT_QPA_PLATFORM": "none"}
Check = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def commands() -> Iterator[ForkedCommands]:
    modules = ["anaphora.main", "anaphora.cli.check"]
    with ForkedCommands(modules, {**os.environ, **ENVIRONMENT}) as commands:
        yield commands


@pytest.fixture
def check(commands: ForkedCommands) -> Check:
    """The command in a separate process."""

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, **ENVIRONMENT, **environment}
        return commands.run(["check", *map(str, arguments)], variables)

    return run


def kinds(done: subprocess.CompletedProcess[str]) -> list[tuple[int, str]]:
    """(number of the segment, kind) of each line."""
    lines = [re.findall(r":(\d+): ([a-z-]+): ", line)[0] for line in done.stdout.splitlines()]
    return [(int(number), kind) for number, kind in lines]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def project(tmp_path: Path, data_folder: Path) -> Path:
    """Two documents: a doubtful draft, an ignored term, a dismissed and an open issue."""
    sources = [
        read(write(tmp_path / "一.txt", "共 42 个节点。\n账本很大。\n")),
        read(write(tmp_path / "二.txt", "还有 7 个。\n")),
    ]
    store = ProjectStore.create(tmp_path / "guide.anaphora", *sources)
    invented = WordQuality("nodles", 10, 16, 0.1, True, True)
    states = [
        SegmentState("There are nodles.", Status.DRAFT, DraftReport.of(DraftQuality(0.2, True, (invented,)))),
        SegmentState("The account book is large.", Status.CONFIRMED),
        SegmentState("There are more.", Status.EDITED),
    ]
    document = store.load_document()
    store.save(
        ChangeSet(tuple(Edit(s.id, s.state, state) for s, state in zip(document, states, strict=True)))
    )
    TermBase("project", store).put(
        TermEntry("账本", (TargetTerm("ledger"), TargetTerm("account book", Usage.FORBIDDEN)))
    )
    (number,) = check_target("还有 7 个。", "There are more.")
    store.set_setting(DISMISSED_SETTING, json.dumps([[document.at(2).id, number.key]]))
    store.close()
    return store.path


def test_a_bilingual_file_is_checked_and_sets_the_exit_status(check: Check, tmp_path: Path) -> None:
    path = write(tmp_path / "app.po", PO)
    done = check(path)
    assert done.returncode == 1 and kinds(done) == [
        (1, "number-missing"),
        (3, "word-doubled"),
        (3, "question-lost"),
    ]
    assert done.stdout.splitlines()[0] == f"{path}:1: number-missing: The number 42 is missing."
    assert done.stderr == f"{path}: 2 of 3 segments have issues; 3 are translated\n"
    clean = check(write(tmp_path / "a.xlf", XLIFF))
    assert (clean.returncode, clean.stdout) == (0, "")


def test_kinds_are_chosen_or_left_out(check: Check, tmp_path: Path) -> None:
    path = write(tmp_path / "app.po", PO)
    assert kinds(check(path, "--kinds", "word-doubled")) == [(3, "word-doubled")]
    rest = check(path, "--ignore", "number-missing,word-doubled,question-lost")
    assert (rest.returncode, rest.stdout) == (0, "")
    unknown = check(path, "--kinds", "numbers-missing")
    assert (
        unknown.returncode == 2 and "no such kind: numbers-missing" in unknown.stderr and not unknown.stdout
    )
    done = check("--help")
    assert done.returncode == 0 and all(kind in done.stdout for kind in CHECK_NAMES)


def test_a_project_is_checked_as_in_its_window(check: Check, project: Path) -> None:
    before = project.read_bytes()
    done = check(project)
    assert done.returncode == 1
    assert kinds(done) == [(1, "number-missing"), (1, "word-invented"), (2, "term-forbidden")]
    assert f"{project}#一.txt:2: term-forbidden: " in done.stdout
    assert project.read_bytes() == before, "it is only read"


def test_an_unreadable_file_does_not_stop_the_others(check: Check, tmp_path: Path) -> None:
    done = check(tmp_path / "gone.po", write(tmp_path / "app.po", PO), write(tmp_path / "b.xlf", "<x"))
    assert done.returncode == 2 and len(kinds(done)) == 3, "the readable file was checked"
    complaints = [line.split(": ")[1] for line in done.stderr.splitlines() if line.startswith("anaphora: ")]
    assert [Path(name).name for name in complaints] == ["gone.po", "b.xlf"]
    assert "Traceback" not in done.stderr


def test_json_agrees_with_the_lines(check: Check, tmp_path: Path, project: Path) -> None:
    lines = kinds(check(project))
    findings = json.loads(check(project, "--format", "json").stdout)["findings"]
    assert [(each["number"], each["kind"]) for each in findings] == lines
    assert findings[0]["source"] == "共 42 个节点。" and findings[0]["target"] == "There are nodles."
    out = tmp_path / "found.json"
    done = check(project, "--format", "json", "-o", out)
    assert done.returncode == 1 and not done.stdout
    assert json.loads(out.read_text("utf-8"))["findings"] == findings


def test_messages_are_localised_and_kinds_are_not(check: Check, tmp_path: Path) -> None:
    path = write(tmp_path / "app.po", PO)
    english, chinese = check(path, "--language", "en"), check(path, "--language", "zh")
    assert kinds(english) == kinds(chinese) and "缺少数字 42。" in chinese.stdout
    printed = check(tmp_path / "gone.md", "--language", "zh").stderr
    assert any("\u4e00" <= char <= "\u9fff" for char in printed)


def test_terms_of_a_file_are_checked(check: Check, tmp_path: Path) -> None:
    terms = write(tmp_path / "t.csv", "zh,en\n账本,register\n")
    done = check(write(tmp_path / "app.po", PO), "--terms", terms, "--kinds", "term-ignored")
    assert kinds(done) == [(2, "term-ignored")]


def test_neither_a_window_nor_the_engine_is_loaded(tmp_path: Path) -> None:
    path = write(tmp_path / "app.po", PO)
    code = (
        "import sys; from anaphora.main import main; status = main(sys.argv[1:]);"
        "heavy = {'PySide6.QtWidgets', 'PySide6.QtGui', 'torch', 'anaphora_nmt.api'};"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "check", str(path)], capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == "[]"


def test_every_finding_has_a_kind() -> None:
    assert {check_name(remark) for remark in check_target("共 42 个节点。", "There are the the nodes.")} == {
        "number-missing",
        "word-doubled",
    }


def test_folders_are_checked_by_their_bilingual_files(check: Check, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    path = write(tmp_path / "sub" / "b.po", PO)
    write(tmp_path / "c.txt", "没有译文。\n")
    done = check(tmp_path)
    assert done.returncode == 1 and {line.split(":")[0] for line in done.stdout.splitlines()} == {str(path)}
    path.unlink()
    assert "neither a bilingual file" in check(tmp_path).stderr
    assert check(tmp_path / "c.txt").returncode == 2


def test_an_impossible_file_name_is_reported_without_a_traceback(check: Check, tmp_path: Path) -> None:
    done = check(tmp_path / f"{'a' * 300}.po")
    assert done.returncode == 2 and "File name too long" in done.stderr and "Traceback" not in done.stderr
