"""What is said of a document as a whole when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.application.languages import Language, install_language
from anaphora.reading.documents import import_notes, read_document


@pytest.mark.parametrize(
    ("name", "text", "english", "chinese"),
    [
        (
            "a.md",
            "第一句。\n\n<div>块</div>\n",
            "Blocks of HTML stay as they are; so many hold words to translate: 1.",
            "HTML 块保持原样；其中含有待译文字的：1 处。",
        ),
        (
            "a.html",
            "<p>第一句。</p><pre>代码</pre>",
            "Preformatted text (code) stays as it is; so many blocks of it hold words to translate: 1.",
            "预格式化文本（代码）保持原样；其中含有待译文字的：1 块。",
        ),
        (
            "a.csv",
            "key,zh,en\nk,第一句。,\n",
            "Columns of the table that are translated: 2 (zh).",
            "表格中要翻译的列：2 (zh)。",
        ),
    ],
)
def test_notes_of_readers_are_in_the_language_of_the_window(
    qapp, tmp_path: Path, name: str, text: str, english: str, chinese: str
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert import_notes(read_document(path))[0] == english
    install_language(qapp, Language.CHINESE)
    try:
        assert import_notes(read_document(path))[0] == chinese
    finally:
        install_language(qapp, Language.ENGLISH)
