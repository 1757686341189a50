"""No pattern takes time by the square of a text's length: Python's `re` lets no other thread run meanwhile.

A line of a file may have a million characters, a segment 20,000. A pattern that looks at the rest of a run
again from each of its characters took 1.5 s of a segment of letters, for which the window stood still.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest
import regex
from growth import takes_less_than

import anaphora
import anaphora_nmt
import anaphora_text

Pattern: TypeAlias = re.Pattern[Any] | regex.Pattern[Any]
LIBRARIES: Mapping[str, Any] = {"re": re, "regex": regex}
LENGTH, MAX_S = 6000, 0.03
"""What takes longer is tried on four times the text, too: a slow processor takes four times as long for it,
a square sixteen times. What takes less than half of a sixteenth for a quarter of the text is no square."""
UNITS = (
    *("x", "X", "账", "1", " ", "\t", "\n", "-", ".", ",", "/", "\\", "'", '"', "(", "[", "{"),
    *("<", "&", "%", "$"),
    *("_", "*", "`", "#", "=", "@", ":", "|", "’", "。", "、", "“", "第", "一", "年", "é", "😀"),
    *("x ", "x-", "x.", "x'", "x:", "x|", "x/", "x@", "a1", "Xx", "1,", "1.", "1:", "1-", "1/", "1年", "账 "),
    *("{1}", "<a ", "<a b=", "%(", "${", "$1", "::", "--", "http://", "00:", "[x", "]("),
)
BOUNDED = {
    "anaphora.system.interface_language._MNEMONIC": "texts of the window itself",
    "anaphora.features.checks.segment.wording._space": "spaces are one at a time there",
    "anaphora.features.drafting.completions._TWICE": "drafts, which are as long as a model makes them",
    "anaphora.formats.text.markdown_inline._HARD_BREAK": "handed on to be matched at one place",
    "anaphora.formats.text.markdown_inline._SOFT_BREAK": "handed on to be matched at one place",
    "anaphora.editor.widgets.sentence._PART": "texts of the window itself",
    "anaphora_nmt.search.out_of_vocabulary._COMPOUND_END": "beginnings of drafts",
    "anaphora_nmt.text.tags._WORD_BEFORE": "60 characters",
}
"""Patterns that are given short texts alone, or looked for at one place."""
AT_ONE_PLACE = {"match", "fullmatch"}
SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}
ASKS = re.compile(rf"\.\s*(?:{'|'.join(sorted(AT_ONE_PLACE | SEARCHES | {'compile'}))})\b")


def modules() -> Iterator[ModuleType]:
    for package in (anaphora, anaphora_text, anaphora_nmt):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith((".__main__", "anaphora.main")):
                yield importlib.import_module(found.name)


def uses(module: ModuleType) -> tuple[dict[str, set[str]], list[tuple[str, Pattern, str]]]:
    """The uses of each name in a module; patterns written in functions, with the function and the use."""
    source = Path(module.__file__ or "").read_text("utf-8")
    asked: dict[str, set[str]] = defaultdict(set)
    written: list[tuple[str, Pattern, str]] = []
    if ASKS.search(source) is None:
        return asked, written
    nodes = list(ast.walk(ast.parse(source)))
    for node in nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in AT_ONE_PLACE | SEARCHES:
            continue
        if isinstance(node.value, ast.Name):
            asked[node.value.id].add(node.attr)
    functions = (each for each in nodes if isinstance(each, ast.FunctionDef))
    holders = {id(node): each.name for each in functions for node in ast.walk(each)}
    asked_at_once: dict[int, str] = {}
    for node in nodes:
        if not (id(node) in holders and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        method, where = node.func.attr, node.func.value
        if method in AT_ONE_PLACE | SEARCHES and isinstance(where, ast.Call):
            asked_at_once[id(where)] = method
        elif method in AT_ONE_PLACE | SEARCHES | {"compile"} and isinstance(where, ast.Name) and node.args:
            # Patterns that are only passed on count as searched with.
            method = asked_at_once.get(id(node), "finditer") if method == "compile" else method
            found = _written(module, node.args[0], where.id)
            written += [(holders[id(node)], pattern, method) for pattern in found]
    return asked, written


def _written(module: ModuleType, node: ast.expr, library: str) -> Iterator[Pattern]:
    """The value of a call's argument; empty if it is computed from the function's arguments."""
    if library not in LIBRARIES:
        return
    try:
        text = eval(compile(ast.Expression(node), module.__name__, "eval"), vars(module))
    except NameError:
        return
    yield LIBRARIES[library].compile(text)


@cache
def patterns() -> list[tuple[str, Pattern, set[str]]]:
    """Each pattern of the program, with its place and use."""
    return list(_patterns())


def _patterns() -> Iterator[tuple[str, Pattern, set[str]]]:
    used = {module: uses(module) for module in modules()}
    public: dict[str, set[str]] = defaultdict(set)
    for asked, _ in used.values():
        for name, methods in asked.items():
            if not name.startswith("_"):
                public[name] |= methods
    for module, (asked, written) in used.items():
        for name, value in vars(module).items():
            for pattern in _within(value):
                yield f"{module.__name__}.{name}", pattern, {**asked, **public}.get(name) or {"finditer"}
        for function, pattern, method in written:
            yield f"{module.__name__}.{function}", pattern, {method}


def _within(value: object) -> Iterator[Pattern]:
    """The patterns of a module's attribute, which may be a table of them."""
    if isinstance(value, re.Pattern | regex.Pattern):
        yield value
    elif isinstance(value, Mapping):
        for each in value.items():
            yield from _within(each)
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _within(each)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _within(getattr(value, field.name, None))


@cache
def texts(length: int) -> dict[str, str]:
    """Texts of so many characters that make a pattern look again and again, by name."""
    return {
        **{unit: (unit * length)[:length] for unit in UNITS},
        **{f"{unit}…!": unit * length + "!" for unit in ("x", "账", "1")},
        " …x": " " * length + "x",
    }


def seconds(pattern: Pattern, methods: set[str], text: str | bytes) -> float:
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
        if taken < MAX_S:
            break
    return taken


def slow(pattern: Pattern, methods: set[str], length: int = LENGTH) -> tuple[str, float] | None:
    """A text that takes a pattern too long, and how long."""
    for name, text in texts(length).items():
        if seconds(pattern, methods, _for(pattern, texts(length // 4)[name])) < MAX_S / 32:
            continue
        taken = seconds(pattern, methods, _for(pattern, text))
        if taken > MAX_S:
            once, longer = (_for(pattern, each) for each in (text, texts(4 * length)[name]))
            took = partial(seconds, pattern, methods)
            if not takes_less_than(8, partial(took, once), partial(took, longer)):
                return name, taken
    return None


def _for(pattern: Pattern, text: str) -> str | bytes:
    return text.encode() if isinstance(pattern.pattern, bytes) else text


def test_a_pattern_that_looks_at_a_run_again_from_each_character_is_found(monkeypatch) -> None:
    monkeypatch.setattr("growth.ROUNDS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules[__name__], "MAX_S", MAX_S / 10)
        assert slow(re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+"), {"finditer"}, LENGTH // 6) is not None
    assert slow(re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:-[^\W\d_]++)+"), {"finditer"}) is None


def test_patterns_in_tables_in_functions_of_bytes_and_of_the_other_library_are_tried() -> None:
    found = patterns()
    assert {type(pattern) for _, pattern, _ in found} == {re.Pattern, regex.Pattern}
    assert {type(pattern.pattern) for _, pattern, _ in found} == {str, bytes}
    place = "anaphora.features.checks.segment.wording."
    wide = [pattern.pattern for where, pattern, _ in found if where.startswith(place)]
    assert any("[，、；" in text for text in wide), "put together where it is used"
    assert any(where == "anaphora_text.numbers.time_readings.TIME_RULES" for where, _, _ in found), (
        "in a table"
    )


@pytest.mark.slow
def test_no_pattern_takes_time_by_the_square_of_a_text() -> None:
    found = {
        where: (pattern.pattern, methods, text)
        for where, pattern, methods in patterns()
        if where not in BOUNDED and (text := slow(pattern, methods)) is not None
    }
    assert not found, "\n".join(f"{where}: {said}" for where, said in found.items())
