"""Files without a target language get the project's."""

from __future__ import annotations

from pathlib import Path

import pytest
from rendering import render

from anaphora.core.installed_model import MODEL_SETTING, ChosenModel
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.registry import read_bytes
from anaphora.project.exporting.writing import export_all
from anaphora.project.opening import open_paths

GERMAN = "Die Datei ist gut."
FRENCH = "Le fichier est bon."
TEMPLATE = (
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n"Language: \\n"\n'
    '"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n\n'
    'msgid "{0}"\nmsgid_plural "{0}"\nmsgstr[0] ""\nmsgstr[1] ""\n'
)


def xliff(source: str) -> str:
    return (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de"><file id="f">'
        f'<unit id="1"><segment><source>{source}</source></segment></unit></file></xliff>'
    )


def written(text: str, name: str, target: str, pair: LanguagePair) -> str:
    source = read_bytes(text.encode(), name)
    statuses = {segment.id: Status.CONFIRMED for segment in source.segments}
    return render(
        source.data, source.format, dict.fromkeys(statuses, target), statuses=statuses, pair=pair
    ).decode()


@pytest.mark.parametrize(
    ("source", "target", "pair", "declared"),
    [
        (GERMAN, FRENCH, LanguagePair("deu_Latn", "fra_Latn"), "fr"),
        (GERMAN, "文件很好。", LanguagePair("de", "zh-CN"), "zh"),
        ("文件很好。", "The file is good.", CHINESE_TO_ENGLISH, "en"),
        ("The file is good.", "文件很好。", CHINESE_TO_ENGLISH, "zh"),
        (GERMAN, FRENCH, LanguagePair("", ""), "und"),
    ],
)
def test_xliff_declares_target_language(source: str, target: str, pair: LanguagePair, declared: str) -> None:
    assert f' trgLang="{declared}"' in written(xliff(source), "a.xlf", target, pair)


@pytest.mark.parametrize(
    ("source", "target", "pair", "declared", "plurals"),
    [
        (GERMAN, FRENCH, LanguagePair("de", "fr"), "fr", "nplurals=2; plural=(n > 1);"),
        (FRENCH, GERMAN, LanguagePair("fr", "de"), "de", "nplurals=2; plural=(n != 1);"),
        (GERMAN, "Это файл.", LanguagePair("de", "ru"), "ru", "nplurals=2; plural=(n != 1);"),
        ("文件", "file", CHINESE_TO_ENGLISH, "en", "nplurals=2; plural=(n != 1);"),
        ("file", "文件", CHINESE_TO_ENGLISH, "zh", "nplurals=INTEGER; plural=EXPRESSION;"),
        (GERMAN, FRENCH, LanguagePair("", ""), "", "nplurals=INTEGER; plural=EXPRESSION;"),
    ],
)
def test_catalogue_declares_target_language(
    source: str, target: str, pair: LanguagePair, declared: str, plurals: str
) -> None:
    text = written(TEMPLATE.format(source), "a.po", target, pair)
    assert f'"Language: {declared}\\n"' in text and f"Plural-Forms: {plurals}\\n" in text


def test_export_declares_language_of_project(tmp_path: Path) -> None:
    file = tmp_path / "a.xlf"
    file.write_text(xliff(GERMAN), "utf-8")
    opened = open_paths((file,))
    try:
        opened.store.set_setting(MODEL_SETTING, ChosenModel("m", "M", "de", "fr").to_text())
        info = opened.store.documents()[0]
        (segment,) = opened.document
        segments = {info.id: [segment.with_state(SegmentState(FRENCH, Status.EDITED))]}
        (out,) = export_all(opened.store, [info], segments, tmp_path / "out").written
    finally:
        opened.store.close()
    assert 'trgLang="fr"' in out.read_text("utf-8")
