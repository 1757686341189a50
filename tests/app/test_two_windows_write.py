"""Shared files, written by two windows at once: hundreds of writes each, and nothing is lost."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from anaphora.core.project import DocumentInfo
from anaphora.project.opener import RecentFiles
from anaphora.project.store.own_originals import own_ids
from anaphora.project.store.terms.table import TermBase, TermFile
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory

WRITES = 500
WHOLE = ("words", "settings", "recent")
"""Files that are written as a whole, in turns: without them a quarter of the writes loses many."""
HEAD = """
import os, sys
from pathlib import Path
folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
"""
WRITE = {
    "memory": """
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.core.matching import Unit
memory = TranslationMemory("shared", MemoryFile.open(folder / "memory.sqlite"))
for number in range(count):
    memory.add([Unit(f"{name}第{number}句。", f"Sentence {number} of {name}.")])
""",
    "followed": """
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.core.matching import Unit
memory = TranslationMemory("shared", MemoryFile.open(folder / "memory.sqlite"))
for number in range(count):
    memory.update([Unit(f"{name}第{number}句。", f"Sentence {number} of {name}.", key=f"{name}/{number}")])
""",
    "terms": """
from anaphora.project.store.terms.table import TermBase
from anaphora.core.term_entries import TermEntry, TargetTerm
from anaphora.project.store.terms.table import TermFile
base = TermBase("shared", TermFile.open(folder / "terms.sqlite"))
for number in range(count):
    base.put(TermEntry(f"{name}{number}", (TargetTerm(f"{name} {number}"),)))
""",
    "words": """
from anaphora.features.spelling.speller import Speller
speller = Speller(folder, folder / "dictionary.txt", None)
for number in range(count):
    speller.add(f"{name}{number}")
""",
    "settings": """
from PySide6.QtCore import QCoreApplication
from anaphora.system.window_settings import WindowSettings
application = QCoreApplication([])
settings = WindowSettings(folder / "window.ini")
for number in range(count):
    settings.setValue(f"{name}/{number}", number)
    settings.finish(60)
""",
    "recent": """
from anaphora.project import opener as recent_files
recent_files._LOCK_TIMEOUT = 60
recent = recent_files.RecentFiles(folder / "recent.json", limit=10**6)
for number in range(count):
    recent.add(folder / f"{name}{number}")
""",
    "originals": """
from anaphora.core.project import DocumentInfo
from anaphora.project.store.own_originals import remember
os.environ["ANAPHORA_DATA"] = str(folder)
for number in range(count):
    remember([DocumentInfo("1", "a", f"/{name}/{number}/{k}", "txt", "", "", 0, 0, "") for k in range(3)])
""",
}


def writes(kind: str) -> int:
    return WRITES // 4 if kind in WHOLE else WRITES


def memory_of(folder: Path) -> set[str]:
    file = MemoryFile.open(folder / "memory.sqlite")
    found = {unit.source for unit in TranslationMemory("shared", file).units()}
    file.close()
    return found


def terms_of(folder: Path) -> set[str]:
    file = TermFile.open(folder / "terms.sqlite")
    found = {entry.source for entry in TermBase("shared", file).entries()}
    file.close()
    return found


def originals_of(folder: Path) -> set[str]:
    os.environ["ANAPHORA_DATA"] = str(folder)
    documents = [
        DocumentInfo(f"{name}{number}", "a", f"/{name}/{number}/2", "txt", "", "", 0, 0, "")
        for name in ("one", "two")
        for number in range(writes("originals"))
    ]
    return set(own_ids(documents))


READ: dict[str, tuple[Callable[[Path], set[str]], str]] = {
    "memory": (memory_of, "{0}第{1}句。"),
    "followed": (memory_of, "{0}第{1}句。"),
    "terms": (terms_of, "{0}{1}"),
    "words": (lambda folder: set((folder / "dictionary.txt").read_text("utf-8").split()), "{0}{1}"),
    "settings": (
        lambda folder: set(QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat).allKeys()),
        "{0}/{1}",
    ),
    "recent": (
        lambda folder: {each.name for each in RecentFiles(folder / "recent.json", limit=10**6).paths()},
        "{0}{1}",
    ),
    "originals": (originals_of, "{0}{1}"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITE)
def test_two_processes_write_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path))  # restored at the end, despite other changes
    command = [sys.executable, "-c", HEAD + WRITE[kind], str(tmp_path)]
    both = [subprocess.Popen([*command, name, str(writes(kind))]) for name in ("one", "two")]
    assert [each.wait(600) for each in both] == [0, 0]
    read, form = READ[kind]
    wanted = {form.format(name, number) for name in ("one", "two") for number in range(writes(kind))}
    found = read(tmp_path)
    assert len(wanted - found) == 0, f"{len(wanted - found)} of {len(wanted)} are lost"
    for file in tmp_path.glob("*.sqlite"):
        connection = sqlite3.connect(file)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
    assert list(tmp_path.glob(".*.lock")) == []
