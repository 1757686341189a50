"""Java's .properties: values change; keys, comments, line ends and the style of escaping stay."""

from __future__ import annotations

import pytest
from rendering import render

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.registry import read_bytes

FILE = r"""# 文件
! 说明

# 问候
hello = 你好，{0}！'{'
path:C\:\\文 \
     续行
k\ ey\=x 值\u4e2d\n完
\u952e=键
empty=
alone
url=https://a.b/c
"""


def sources(data: bytes) -> dict[str, str]:
    return {segment.block: segment.source for segment in read_bytes(data, "a.properties").segments}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_values_are_read_and_replaced(end: str) -> None:
    data = FILE.replace("\n", end).encode()
    document = read_bytes(data, "messages.properties")
    assert sources(data) == {
        "hello": "你好，{1/}！{2/}",
        "path": "C:\\文 续行",
        "k ey=x": "值中\n完",
        "键": "键",
    }
    assert document.segments[0].notes == (Note(NoteKind.NAME, "hello"), Note(NoteKind.COMMENT, "问候"))
    assert render(data, "properties", {}) == data
    text = render(data, "properties", {"hello": "It's {1/}{2/}", "path": "a\\b: it's\nç", "键": "# key"})
    expected = (
        FILE.replace("你好，{0}！'{'", "It''s {0}'{'")
        .replace("C\\:\\\\文 \\\n     续行", "a\\\\b: it's\\nç")
        .replace("=键", "=# key")
    )
    assert text.decode() == expected.replace("\n", end)


@pytest.mark.parametrize(
    ("text", "codec"),
    [("", "ascii"), ("# 说明", "utf-8"), ("c=有文件", "gb18030"), ("c=© Société", "latin-1")],
)
def test_files_with_coded_values_are_read_and_written_as_java_does(text: str, codec: str) -> None:
    data = text.encode(codec) + b"\r\na=\\u4f60\\u597D\nb=x\\ud83d\\ude00y"
    assert sources(data).items() <= {"a": "你好", "b": "x😀y", "c": text[2:]}.items()
    written = render(data, "properties", {"a": "é“😀”"})
    assert written == data.replace(b"\\u4f60\\u597D", b"\\u00e9\\u201c\\ud83d\\ude00\\u201d")


def test_latin_letters_in_utf_16_without_a_mark_are_text() -> None:
    data = "a=höher\r\n".encode("utf-16-le")
    written = render(data, "properties", {"a": "higher"})
    assert written == "a=higher\r\n".encode("utf-16-le")
    assert sources(written) == {"a": "higher"}


def test_special_characters_of_values_are_escaped() -> None:
    written = render(b"a=Upper\\u597D", "properties", {"a": "x\ty\\\\z\nq!"})
    assert written == b"a=x\\ty\\\\\\\\z\\nq!"


def test_apostrophes_are_doubled_in_messages_with_arguments_only() -> None:
    translations = {"a": "It's {1/}, isn''t it?"}
    assert render("a=有{0}个".encode(), "properties", translations) == b"a=It''s {0}, isn''t it?"
    assert render("a=有个".encode(), "properties", {"a": "It's"}) == b"a=It's"


@pytest.mark.parametrize(
    ("value", "source", "target", "written"),
    [
        ("文件 ''{0}'' 不存在", "文件 ''{1/}'' 不存在", "No file ''{1/}''", "No file ''{0}''"),
        ("文件 ''{0}''", "文件 ''{1/}''", "File '{1/}'", "File ''{0}''"),
        ("''{0}'' 与 ''{1}''", "''{1/}'' 与 ''{2/}''", "''{1/}'', ''{2/}''", "''{0}'', ''{1}''"),
        ("写 '{0}' 和 {1}", "写 {1/} 和 {2/}", "Write {1/}, it's {2/}", "Write '{0}', it''s {1}"),
        ("写 ''''{0}", "写 ''''{1/}", "Say ''{1/}", "Say ''{0}"),
        ("于{0,date,yyyy'年'}", "于{0,date,yyyy'年'}", "It's {0,date,yyyy'y'}", "It''s {0,date,yyyy'y'}"),
        ("{0,number,#'#'}个", "{1/}个", "{1/} item's", "{0,number,#'#'} item''s"),
        ("不能''打开''", "不能''打开''", "Can't open", "Can''t open"),
        ("写 '{''}' 和 {1}", "写 {1/} 和 {2/}", "Write {1/}, {2/}", "Write '{''}', {1}"),
    ],
)
def test_doubled_apostrophe_is_one_and_quotes_nothing(value, source, target, written) -> None:
    data = f"a={value}\n".encode()
    assert sources(data) == {"a": source}
    assert render(data, "properties", {"a": source}).decode().count("'") % 2 == 0
    assert render(data, "properties", {"a": target}) == f"a={written}\n".encode()
