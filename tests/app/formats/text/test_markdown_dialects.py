"""Markdown's dialects: a new text begins none of their lines, and what only looks like theirs is text."""

from __future__ import annotations

import pytest
from rendering import render

from anaphora.formats.registry import read_bytes


def sources(text: str) -> list[str]:
    return [segment.source for segment in read_bytes(text.encode(), "a.md").segments]


def translate(text: str, target: str) -> str:
    """Translate the one segment of a text."""
    document = read_bytes(text.encode(), "a.md")
    (segment,) = document.segments
    return render(document.data, "markdown", {segment.id: target}).decode()


@pytest.mark.parametrize("behind", ["", "\n```{figure} a.png\n```\n"], ids=["plain", "MyST"])
@pytest.mark.parametrize("before", ["", "> ", "- "], ids=["paragraph", "quote", "list"])
@pytest.mark.parametrize(
    "target",
    [
        "!!! note", "??? note", '=== "tab"', ":::tip", ": definition", "~ definition", "/// note",
        "/// note | a", "+++ {a}", "@tab a", "@tab:b a", "(a)=", "*[a]: b", "[!NOTE] a", "% a",
    ],
)  # fmt: skip
def test_new_text_begins_no_line_of_a_dialect(target: str, before: str, behind: str) -> None:
    written = translate(f"{before}文字。\n{behind}", target)
    assert written == f"{before}\\{target}\n{behind}"
    assert sources(written) == [target]


def test_an_escaped_footnote_is_text() -> None:
    assert sources("见\\[^1]与[^1]。\n") == ["见[^1]与{1/}。"]
    assert sources("\\[^1]: 注。\n") == ["[^1]: 注。"]
    assert translate("文字。\n", "[^1] a") == "\\[^1\\] a\n"
    assert translate("文字。\n", "[^1]: a") == "\\[^1]: a\n"
    assert sources("\\[^1\\] a\n\n\\[^1]: a\n") == ["[^1] a", "[^1]: a"]
