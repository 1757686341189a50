"""Documents of projects are read in the encoding recorded when they were first opened.

The detection of encodings may change with the app's versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.installed_model import LANGUAGES_SETTING
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.encoding import decode
from anaphora.formats.registry import read_bytes
from anaphora.project.changes import update_from_files
from anaphora.project.exporting.writing import snapshot, write_export
from anaphora.project.importing.external_changes import changed_originals
from anaphora.project.importing.sentence_rules import user_segmenter
from anaphora.project.opening import LoadedProject, open_paths, open_project
from anaphora.project.rescuing import rescue
from anaphora.project.store.project import ProjectStore
from anaphora.system.locations import autosave_path

TURKISH = "Sözleşme imzalandı.", "Alıcı ödeyecek.", "Işık ve gölge."
HUNGARIAN = "A vevő fizet."
"""A text with a letter that Turkish encodings lack."""
FILES = {
    "a.txt": "{}\n{}\n\n{}\n",
    "a.md": "# {}\n\n{}\n\n* {}\n",
    "a.html": "<html><body><p>{}</p><p>{}</p><p>{}</p></body></html>\n",
    "a.srt": (
        "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,000\n{}\n\n"
        "3\n00:00:05,000 --> 00:00:06,000\n{}\n"
    ),
    "a.ass": (
        "[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Text\n"
        "Dialogue: 0,0:00:01.00,0:00:02.00,{}\nDialogue: 0,0:00:03.00,0:00:04.00,{}\n"
        "Dialogue: 0,0:00:05.00,0:00:06.00,{}\n"
    ),
    "a.po": 'msgid "{}"\nmsgstr ""\n\nmsgid "{}"\nmsgstr ""\n\nmsgid "{}"\nmsgstr ""\n',
}


def project_with_encoding(file: Path, language: str, encoding: str) -> None:
    """Make a project with this recorded encoding."""
    data = file.read_bytes()
    assert decode(data, language).text != data.decode(encoding), "the example must differ"
    source = read_bytes(data, file.name, file, user_segmenter(language), encoding)
    assert source.encoding == encoding
    store = ProjectStore.create(autosave_path(file, source.sha256), source)
    store.set_setting(LANGUAGES_SETTING, LanguagePair(language, "hu").to_text())
    store.close()


@contextmanager
def opened_as_before(file: Path, data: bytes, language: str, encoding: str) -> Iterator[LoadedProject]:
    """A project whose file would now be detected in another encoding."""
    file.write_bytes(data)
    project_with_encoding(file, language, encoding)
    opened = open_paths([file])
    try:
        yield opened
    finally:
        opened.store.close()


def confirm(opened: LoadedProject, row: int, target: str) -> None:
    segment = opened.document.at(row)
    state = SegmentState(target, Status.CONFIRMED)
    opened.store.save(ChangeSet((Edit(segment.id, segment.state, state),)))


def export(opened: LoadedProject) -> bytes:
    (info,) = opened.store.documents()
    states = snapshot(opened.store.load_document())
    place = Path(info.path).with_name(f"out{Path(info.name).suffix}")
    return write_export(opened.store, info, states, place, names_language=False).read_bytes()


@pytest.mark.parametrize("name", [name for name in FILES if name != "a.po"])
def test_an_export_changes_only_translated_text(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    with opened_as_before(file, FILES[name].format(*TURKISH).encode("cp1254"), "tr", "cp1250") as opened:
        assert "Sözleţme imzalandý." in opened.document.at(0).source, "as in the window"
        confirm(opened, 1, HUNGARIAN)
        expected = file.read_bytes().replace(TURKISH[1].encode("cp1254"), HUNGARIAN.encode("cp1250"))
        assert export(opened) == expected


def test_a_catalogue_keeps_its_messages(tmp_path: Path) -> None:
    file = tmp_path / "a.po"
    with opened_as_before(file, FILES["a.po"].format(*TURKISH).encode("cp1254"), "tr", "cp1250") as opened:
        confirm(opened, 1, HUNGARIAN)
        written = export(opened)
        assert [f'msgid "{text}"'.encode("cp1254") in written for text in TURKISH] == [True] * 3
        assert f'msgstr "{HUNGARIAN}"'.encode("cp1250") in written


def test_a_changed_file_keeps_its_translations(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    with opened_as_before(file, FILES["a.txt"].format(*TURKISH).encode("cp1254"), "tr", "cp1250") as opened:
        confirm(opened, 1, HUNGARIAN)
        file.write_bytes(file.read_bytes().replace(TURKISH[2].encode("cp1254"), b"Son."))
        (changed,) = changed_originals(opened.store, opened.documents)
        update_from_files([changed], opened.store)
        kept = [(segment.source, segment.target) for segment in opened.store.load_document()]
        assert kept == [("Sözleţme imzalandý.", ""), ("Alýcý ödeyecek.", HUNGARIAN), ("Son.", "")]
        assert [info.encoding for info in opened.store.documents()] == ["cp1250"]


def test_a_rescued_project_is_read_as_before(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    with opened_as_before(file, FILES["a.txt"].format(*TURKISH).encode("cp1254"), "tr", "cp1250") as opened:
        confirm(opened, 1, HUNGARIAN)
    rescued = open_project(rescue(opened.store.path).project)
    assert [each.source for each in rescued.document] == [each.source for each in opened.document]
    assert rescued.document.at(1).target == HUNGARIAN
    rescued.store.close()


def test_a_file_saved_again_in_unicode_is_read_as_unicode(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    with opened_as_before(file, FILES["a.txt"].format(*TURKISH).encode("cp1254"), "tr", "cp1250") as opened:
        file.write_text(FILES["a.txt"].format(*TURKISH), "utf-8")
        (changed,) = changed_originals(opened.store, opened.documents)
        update_from_files([changed], opened.store)
        assert [segment.source for segment in opened.store.load_document()] == [*TURKISH]
        assert [info.encoding for info in opened.store.documents()] == ["utf-8"]


def test_an_encoding_that_no_longer_fits_is_detected_again() -> None:
    korean = "계약이 체결되었습니다. 구매자는 대금을 지불합니다.\n"
    for recorded in ("utf-8", "no such encoding", "ascii", ""):
        found = decode(korean.encode("cp949"), "ko", recorded)
        assert (found.text, found.encoding) == (korean, "cp949")
    found = decode(korean.encode("cp949"), "ko", "gb18030")
    assert found.encoding == "gb18030" and found.encode(found.text) == korean.encode("cp949")
