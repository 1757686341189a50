"""Directives of MyST: what they say and is not offered is counted in a note."""

from __future__ import annotations

import pytest

from anaphora.formats.registry import read_bytes
from anaphora.reading.segmenters import user_segmenter

LEFT = {
    "an option of a figure": "```{figure} a.png\n:alt: 一只猫\n\n图注\n```\n",
    "an option between colons": ":::{figure} a.png\n:width: 50%\n:alt: 一只猫\n\n图注\n:::\n",
    "options as YAML": "```{image} a.png\n---\nalt: 一只猫\nwidth: 50%\n---\n```\n",
    "the caption of code": "```{code-block} python\n:caption: 打开文件\n\nopen(x)\n```\n",
    "the caption of contents": "```{toctree}\n:caption: 目录\n\nindex\n```\n",
    "a table as a list": "```{list-table} 表格标题\n* - 甲\n  - 乙\n```\n",
    "the body of a glossary": "````{glossary}\n词条\n  解释\n````\n",
    "a title that is not read": ":::{prf:theorem} 勾股定理\n正文\n:::\n",
    "reStructuredText": "```{eval-rst}\n.. note:: 说明\n```\n",
    "behind code": "```python\nx = 1\n```\n\n```{image} a.png\n:alt: 一只猫\n```\n",
    "in a quotation": "> ```{csv-table} 标题\n> 甲,乙\n> ```\n",
}
READ = {
    "a title and a body": "```{note} 标题\n正文\n```\n",
    "a title between colons": ":::{tip} 标题\n:class: wide\n正文\n:::\n",
    "code": "```{code-block} python\n:linenos:\n\n# 注释\n```\n",
    "code of a language": "```python\n# 注释 {note} 标题\n```\n",
    "a directive shown in code": "````markdown\n```{image} a.png\n:alt: 一只猫\n```\n````\n",
    "a directive behind other code": "````markdown\nSee:\n```{image} a.png\n:alt: 一只猫\n```\n````\n",
    "a role": "甲{ref}`乙 <c>`丙\n",
}
NOTE = "Options and tables of MyST's directives stay; so many directives hold words: 1."


@pytest.mark.parametrize("name", LEFT)
def test_what_directives_say_and_is_not_offered_is_counted(name: str) -> None:
    document = read_bytes(f"# 甲\n\n{LEFT[name]}\n末段。\n".encode(), "a.md")
    assert NOTE in document.notes
    assert document.segments[-1].source == "末段。"


@pytest.mark.parametrize("name", READ)
def test_what_is_offered_or_code_is_not_counted(name: str) -> None:
    assert not any("directives" in note for note in read_bytes(READ[name].encode(), "a.md").notes)


def test_in_a_language_with_latin_letters_only_options_that_are_text_count() -> None:
    text = "```{figure} pictures/cat.png\n:class: wide\n%s\n\nA cat.\n```\n"
    quiet, said = (text % line for line in (":name: the-cat", ":alt: A cat on a table"))
    assert not read_bytes(quiet.encode(), "a.md", segmenter=user_segmenter("en")).notes
    assert NOTE in read_bytes(said.encode(), "a.md", segmenter=user_segmenter("en")).notes


def test_each_directive_counts_once_also_those_side_by_side() -> None:
    text = "```{image} a.png\n:alt: 一只猫\n:title: 猫\n```\n```{image} b.png\n:alt: 一只狗\n```\n正文。\n"
    assert f"{NOTE[:-2]}2." in read_bytes(text.encode(), "a.md").notes


def test_a_directive_that_nothing_closes_goes_to_the_end() -> None:
    text = "```{list-table}\n:width: 50%\n\n* - a\n  - 乙"
    assert NOTE in read_bytes(text.encode(), "a.md").notes
