"""No pattern takes time by the square of a text's length: Python's `re` lets no other thread run meanwhile.

A line of a file may have a million characters, a segment 20,000. A pattern that looks at the rest of a run
again from each of its characters took 1.5 s of a segment of letters, for which the window stood still.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import pytest

import anaphora
import anaphora_nmt
import anaphora_text

LENGTH, MOST_S = 6000, 0.03
"""What takes longer grows with the square: the slowest that does not takes a tenth of it."""
UNITS = (
    *("x", "X", "账", "1", " ", "\t", "\n", "-", ".", ",", "/", "\\", "'", '"', "(", "[", "{"),
    *("<", "&", "%", "$"),
    *("_", "*", "`", "#", "=", "@", ":", "|", "’", "。", "、", "“", "第", "一", "年", "é", "😀"),
    *("x ", "x-", "x.", "x'", "x:", "x|", "x/", "x@", "a1", "Xx", "1,", "1.", "1:", "1-", "1/", "1年", "账 "),
    *("{1}", "<a ", "<a b=", "%(", "${", "$1", "::", "--", "http://", "00:", "[x", "]("),
)
TEXTS = {
    **{unit: (unit * LENGTH)[:LENGTH] for unit in UNITS},
    **{f"{unit}…!": unit * LENGTH + "!" for unit in ("x", "账", "1")},
    " …x": " " * LENGTH + "x",
}
BOUNDED = {
    "anaphora.application.languages._MNEMONIC": "texts of the window itself",
    "anaphora.checks.fixes": "spaces are one at a time there",
    "anaphora.core.suggestions._TWICE": "drafts, which are as long as a model makes them",
    "anaphora.formats.office.xlsx_names._REFERENCE": "formulas of 8,192 characters",
    "anaphora.formats.text.markdown_inline._HARD_BREAK": "handed on to be matched at one place",
    "anaphora.views.widgets.breaking_label._PART": "texts of the window itself",
    "anaphora_nmt.search.out_of_vocabulary._COMPOUND_END": "beginnings of drafts",
    "anaphora_text.held_words._WORD_BEFORE": "60 characters",
}
"""Patterns that are given short texts alone, or looked for at one place."""
AT_ONE_PLACE = {"match", "fullmatch"}
SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}


def modules() -> Iterator[ModuleType]:
    for package in (anaphora, anaphora_text, anaphora_nmt):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith((".__main__", "anaphora.main")):
                yield importlib.import_module(found.name)


def uses(module: ModuleType) -> tuple[dict[str, set[str]], list[tuple[str, str]]]:
    """What is asked of each name in a module; patterns written where they are used, and for what."""
    tree = ast.parse(Path(module.__file__ or "").read_text("utf-8"))
    asked: dict[str, set[str]] = defaultdict(set)
    written: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in AT_ONE_PLACE | SEARCHES:
            continue
        if isinstance(node.value, ast.Name):
            asked[node.value.id].add(node.attr)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        first, where = node.args[0], node.func.value
        if not (isinstance(where, ast.Name) and where.id == "re" and isinstance(first, ast.Constant)):
            continue
        if node.func.attr in AT_ONE_PLACE | SEARCHES and isinstance(first.value, str):
            written.append((first.value, node.func.attr))
    return asked, written


def patterns() -> Iterator[tuple[str, re.Pattern[str], set[str]]]:
    """Each pattern of the program, where it stands and what it is asked for."""
    used = {module: uses(module) for module in modules()}
    public: dict[str, set[str]] = defaultdict(set)
    for asked, _ in used.values():
        for name, methods in asked.items():
            if not name.startswith("_"):
                public[name] |= methods
    for module, (asked, written) in used.items():
        yield from _of(module, {**asked, **public}, written)


def _of(
    module: ModuleType, asked: Mapping[str, set[str]], written: list[tuple[str, str]]
) -> Iterator[tuple[str, re.Pattern[str], set[str]]]:
    for name, value in vars(module).items():
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            # What is only handed on is taken for searched with.
            yield f"{module.__name__}.{name}", value, asked.get(name) or {"finditer"}
    for text, method in written:
        yield module.__name__, re.compile(text), {method}


def seconds(pattern: re.Pattern[str], methods: set[str], text: str) -> float:
    """Processor time; of two runs the shorter one, where the first is long."""
    taken = 0.0
    for _ in range(2):
        begun = time.thread_time()
        if methods & SEARCHES:
            for _ in pattern.finditer(text):
                pass
        if "match" in methods:
            pattern.match(text)
        if "fullmatch" in methods:
            pattern.fullmatch(text)
        now = time.thread_time() - begun
        taken = min(taken, now) if taken else now
        if taken < MOST_S:
            break
    return taken


def slow(pattern: re.Pattern[str], methods: set[str]) -> tuple[str, float] | None:
    """A text that takes a pattern too long."""
    for name, text in TEXTS.items():
        if (taken := seconds(pattern, methods, text)) > MOST_S:
            return name, taken
    return None


def test_a_pattern_that_looks_at_a_run_again_from_each_character_is_found() -> None:
    assert slow(re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+"), {"finditer"}) is not None
    assert slow(re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:-[^\W\d_]++)+"), {"finditer"}) is None


@pytest.mark.slow
def test_no_pattern_takes_time_by_the_square_of_a_text() -> None:
    found = {
        where: (pattern.pattern, methods, text)
        for where, pattern, methods in patterns()
        if where not in BOUNDED and (text := slow(pattern, methods)) is not None
    }
    assert not found, "\n".join(f"{where}: {said}" for where, said in found.items())
