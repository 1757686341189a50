"""Punctuation marks are listed in one module, and each list matches its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from anaphora_text.punctuation import WIDE_MARKS

ROOT = Path(__file__).parents[2]
EXCEPTIONS = {
    "app/anaphora/features/segments/view/sentence_rules.py": "a text to try rules on",
    "app/anaphora/cli/translate_all.py": "a text to warm the engine up",
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
    """The literals of a module except docstrings; none for a module without punctuation marks or escapes."""
    source = path.read_text(encoding="utf-8")
    if not set(source) & set(WIDE_MARKS) and not re.search(r"\\[uUN]", source):
        return
    nodes = list(ast.walk(ast.parse(source)))
    bare = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.value
