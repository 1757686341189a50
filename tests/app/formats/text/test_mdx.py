"""MDX: code stays, text between tags and in attributes is translated, and new text is not code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendering import render

from anaphora.core.document import SourceDocument
from anaphora.core.notes import NoteKind
from anaphora.formats.registry import read_bytes

PAGE = """---
title: 安装
---

import Tabs from '@theme/Tabs';
import {
  A,

  B } from './x';

export const meta = {
  title: '元数据',
}

# 标题

<Tabs groupId="os" style={{ color: 'red' }}
  title="系统 &amp; 版本">
  <TabItem value="a" label="苹果">
    内容在这里。还有**粗体**和 {count} 个文件。

    ```js
    <Foo title="代码">{x}</Foo>
    ```
  </TabItem>
</Tabs>

{/* 注释 */}

请按 <Key name={a > b} label="回车">回车</Key> 键，<b>重要</b>。

<div>块里的文字</div>

- <Icon /> 项 `{code}` 与 $\\frac{a}{b}$

1 \\{不是表达式\\}

    缩进的文字
"""


def read(text: str) -> SourceDocument:
    return read_bytes(text.encode(), "page.mdx")


def translate(text: str, targets: dict[str, str]) -> str:
    document = read(text)
    chosen = {each.id: targets[each.source] for each in document.segments if each.source in targets}
    assert len(chosen) == len(targets)
    return render(document.data, "mdx", chosen).decode()


def test_text_is_read_but_code_is_not() -> None:
    document = read(PAGE)
    assert [each.source for each in document.segments] == [
        "安装",
        "标题",
        "系统 & 版本",
        "苹果",
        "内容在这里。",
        "还有{1}粗体{/1}和 {2/} 个文件。",
        "请按 {1}回车{/1} 键，{2}重要{/2}。",
        "块里的文字",
        "项 {1/} 与 {2/}",
        "1 {不是表达式}",
        "缩进的文字",
    ]
    label = document.segments[3]
    assert [(note.kind, note.text) for note in label.notes] == [(NoteKind.PLACE, "label")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_untouched_page_is_byte_identical(line_end: str) -> None:
    data = PAGE.replace("\n", line_end).encode()
    document = read_bytes(data, "page.mdx")
    assert len(document.segments) == 11
    assert render(data, "mdx", {}) == data


def test_only_the_translated_text_changes() -> None:
    result = translate(
        PAGE,
        {
            "系统 & 版本": 'Systems & "versions"',
            "苹果": "Apple {x}",
            "内容在这里。": "The content is here.",
            "还有{1}粗体{/1}和 {2/} 个文件。": "Also {1}bold{/1} and {2/} files.",
            "请按 {1}回车{/1} 键，{2}重要{/2}。": "Press {1}Enter{/1}: {2}important{/2}.",
            "1 {不是表达式}": "1 {no expression}",
            "缩进的文字": "a < b",
        },
    )
    expected = PAGE
    for old, new in (
        ("系统 &amp; 版本", "Systems &amp; &quot;versions&quot;"),
        ("苹果", "Apple {x}"),
        (
            "内容在这里。还有**粗体**和 {count} 个文件。",
            "The content is here. Also **bold** and {count} files.",
        ),
        (
            '请按 <Key name={a > b} label="回车">回车</Key> 键，<b>重要</b>。',
            'Press <Key name={a > b} label="回车">Enter</Key>: <b>important</b>.',
        ),
        ("\\{不是表达式\\}", "\\{no expression\\}"),
        ("缩进的文字", "a \\< b"),
    ):
        expected = expected.replace(old, new)
    assert result == expected


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("{x} 你好\n", ["{1/} 你好"]),
        ("{/* 见上 */} 你好\n", ["你好"]),
        ("第一句。{x}还有。\n", ["第一句。", "{1/}还有。"]),
        ("第一句。{/* 见上 */}还有。\n", ["第一句。", "还有。"]),
        ("前半{/* 见上 */}后半。\n", ["前半{1/}后半。"]),
    ],
)
def test_expression_counts_as_word_but_comment_does_not(text: str, sources: list[str]) -> None:
    assert [each.source for each in read(text).segments] == sources


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["中文。", "<A>", "</A>", "<A b={", "{", "}", "{/*", "*/}", '"', "\n", "\n\n", "`", "```",
             "import a", "export const a = {", "  ", "[[", "]]", "|", "> ", "- ", "\\", "$", "<b c='中'>", 
             "/>", 'a title="中"']
        ),
        max_size=24,
    )
)  # fmt: skip
def test_any_page_can_be_read_and_written(parts: list[str]) -> None:
    data = "".join(parts).encode()
    document = read_bytes(data, "page.mdx")
    assert render(data, "mdx", {}) == data
    render(data, "mdx", {each.id: each.source for each in document.segments})
