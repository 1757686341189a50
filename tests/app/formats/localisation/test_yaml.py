"""YAML catalogues: string values change; keys, comments, anchors and quoting stay."""

from __future__ import annotations

import pytest
import yaml
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

FILE = """# 注释
zh-CN:
  hello: 你好😀 # 尾注
  q: "引\\n号 %{name}"
  s: '单''引'
  n: 5
  yes: yes
  date: 2024-01-01
  list: [甲, 乙, {k: "丙"}]
  anchor: &a !!str 锚
  alias: *a
  days:
    one: 一天
    other: "%{count} 天"
  lit: |-
    第一行
      缩进

    第三行
  # 之间
  fold: >
    折叠
    继续

    新段

  last: 多行
    平文
"""


def opened(text: str):
    return read_bytes(text.encode(), "zh.yml")


def put(text: str, wanted: dict[str, str]) -> str:
    return render(text.encode(), "yaml", {f"/zh-CN/{key}": value for key, value in wanted.items()}).decode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_string_values_are_read_by_key(end: str) -> None:
    document = opened(FILE.replace("\n", end))
    assert {segment.block[7:]: segment.source for segment in document.segments} == {
        "hello": "你好😀",
        "q": "引\n号 {1/}",
        "s": "单'引",
        "list/0": "甲",
        "list/1": "乙",
        "list/2/k": "丙",
        "anchor": "锚",
        "days/one": "一天",
        "days/other": "{1/} 天",
        "lit": "第一行\n  缩进\n\n第三行",
        "fold": "折叠 继续\n新段",
        "last": "多行 平文",
    }
    notes = {segment.block[7:]: segment.notes for segment in document.segments}
    assert notes["days/other"] == (Note(NoteKind.NAME, "zh-CN.days.other"), Note(NoteKind.CONTEXT, "other"))
    assert render(document.data, "yaml", {}) == document.data


def test_quoting_style_stays_if_possible() -> None:
    wanted = {
        "hello": "Hello",
        "q": 'A "quote"\n{1/}',
        "s": "It's",
        "list/0": "one, two",
        "list/1": "B?",
        "anchor": "yes",
        "days/one": "- one: day",
        "lit": "First\n\n    indented\nlast",
        "fold": "Folded: one\nnew",
        "last": "two\nlines",
    }
    text = put(FILE, wanted)
    assert text == (
        FILE.replace("你好😀 #", "Hello #")
        .replace('"引\\n号 %{name}"', '"A \\"quote\\"\\n%{name}"')
        .replace("'单''引'", "'It''s'")
        .replace("[甲, 乙,", "['one, two', 'B?',")
        .replace("!!str 锚", "!!str 'yes'")
        .replace("one: 一天", "one: '- one: day'")
        .replace("第一行\n      缩进\n\n    第三行", "First\n\n        indented\n    last")
        .replace("折叠\n    继续\n\n    新段", "Folded: one\n\n    new")
        .replace("last: 多行\n    平文", 'last: "two\\nlines"')
    )
    read = yaml.safe_load(text)["zh-CN"]
    assert read["lit"] == wanted["lit"] and read["fold"] == wanted["fold"] + "\n"
    assert read["alias"] == "yes" and read["days"]["one"] == "- one: day"


def test_text_unfit_for_a_block_is_quoted() -> None:
    text = "zh-CN:\n  a: |\n    文\n  b: >-\n    文\n"
    wanted = {"a": "x \ny", "b": "x\n  y"}
    assert yaml.safe_load(put(text, wanted)) == {"zh-CN": {"a": "x \ny\n", "b": "x\n  y"}}


@pytest.mark.parametrize("header", ["|2-", "|4", ">2"])
def test_a_block_whose_first_line_is_indented_is_replaced_to_its_end(header: str) -> None:
    text = f"zh-CN:\n  a: {header}\n        缩进\n      文\n\n  # 注释\n  b: 甲\n"
    source = opened(text).segments[0].source
    read = yaml.safe_load(put(text, {"a": source.replace("文", "x")}))["zh-CN"]
    assert read == {"a": yaml.safe_load(text)["zh-CN"]["a"].replace("文", "x"), "b": "甲"}


def test_broken_files_are_refused_with_their_line() -> None:
    for text in ("a: [甲", "a: 甲\n b: 乙", "a: '甲", "[" * 300, "a: @x"):
        with pytest.raises(FormatError, match=r"Line \d of the file is not valid YAML") as caught:
            opened(text)
        assert caught.value.advice
