"""Marks of punctuation are listed in one module, and each list holds what its name says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from anaphora_text import punctuation
from anaphora_text.punctuation import CLOSING, NARROW, OPENING, WIDE_MARKS, one_of

ROOT = Path(__file__).parents[2]
EXCEPTIONS = {
    "app/anaphora/document/view/sentence_rules.py": "a text to try rules on",
    "app/anaphora/command_line/translate_all.py": "a text to warm the engine up",
    "engine/anaphora_text/punctuation.py": "the lists",
    "engine/anaphora_text/names/person_names.py": "expressions of titles, which begin or end with a mark",
    "engine/experiments/general/clean.py": "old marks of one corpus",
}


def test_no_other_module_keeps_a_list_of_chinese_marks() -> None:
    engine = ROOT / "engine"
    folders = (
        ROOT / "app/anaphora",
        *(engine / name for name in ("anaphora_nmt", "anaphora_text", "experiments")),
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in folder.rglob("*.py")
        for text in _texts(path)
        if set(text) & set(WIDE_MARKS)
    }

    assert found == set(EXCEPTIONS), "take them from anaphora_text.punctuation"


def _texts(path: Path) -> Iterator[str]:
    """The literals of a module that are no docstrings; none where neither a mark nor an escape stands."""
    source = path.read_text(encoding="utf-8")
    if not set(source) & set(WIDE_MARKS) and not re.search(r"\\[uUN]", source):
        return
    nodes = list(ast.walk(ast.parse(source)))
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def test_every_wide_mark_has_a_narrow_one() -> None:
    assert set(NARROW) == set(WIDE_MARKS) and not set("".join(NARROW.values())) & set(WIDE_MARKS)
    assert NARROW["《"] == "“" and NARROW["、"] == "," and NARROW["】"] == "]"


def test_brackets_and_quotation_marks_open_or_close() -> None:
    assert set(OPENING) & set(CLOSING) == {'"', "'"}
    assert all(ord(mark) != ord("}") for mark in CLOSING), "tags end with it"


def test_each_list_is_a_class_of_an_expression() -> None:
    for name, marks in vars(punctuation).items():
        if name.isupper() and isinstance(marks, str) and name != "WIDE_FORMS":
            assert all(re.fullmatch(one_of(marks), mark) for mark in marks)
            assert len(set(marks)) == len(marks), name
            assert not re.search(one_of(marks), "aé中1")
