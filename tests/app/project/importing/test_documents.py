"""Notes about a whole document after reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.project.importing.collecting import conversion_notes, read_document
from anaphora.system.interface_language import UiLanguage, install_language


@pytest.mark.parametrize(
    ("name", "text", "english", "chinese"),
    [
        (
            "a.md",
            "第一句。\n\n<div>块</div>\n",
            "HTML blocks are not translated. Blocks that contain text: 1.",
            "HTML 块不翻译，其中 1 处含有文字。",
        ),
        (
            "a.html",
            "<p>第一句。</p><pre>代码</pre>",
            "Code and formulas are not translated. Places that contain text: 1.",
            "代码和公式不翻译，其中 1 处含有文字。",
        ),
        (
            "a.csv",
            "key,zh,en\nk,第一句。,\n",
            "Columns to translate: 2 (zh).",
            "要翻译的列：2 (zh)。",
        ),
    ],
)
def test_notes_of_readers_are_in_the_language_of_the_window(
    qapp, tmp_path: Path, name: str, text: str, english: str, chinese: str
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert read_document(path).notes[0] == english
    install_language(qapp, UiLanguage.CHINESE)
    try:
        assert read_document(path).notes[0] == chinese
    finally:
        install_language(qapp, UiLanguage.ENGLISH)


def test_a_completely_read_document_has_no_notes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("账本。\n缓存。\n", "utf-8")
    source = read_document(path, name="folder/a.txt")
    assert source.notes == ()
    assert (source.name, source.modified) == ("folder/a.txt", path.stat().st_mtime_ns)
    assert read_document(path).name == "a.txt"


def test_the_conversion_of_a_file_is_explained() -> None:
    (note,) = conversion_notes("letter.doc")
    assert note.startswith("LibreOffice converts .doc to .docx for reading"), note
    assert conversion_notes("letter.docx") == () and conversion_notes("letter.txt") == ()
