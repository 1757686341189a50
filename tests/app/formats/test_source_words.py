"""The document's language decides which other texts of a file are translated or counted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.language_pair import LanguagePair
from anaphora.core.term_entries import TargetTerm, TermEntry
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.bilingual.tmx_units import read_tmx, survey_tmx
from anaphora.formats.registry import read_bytes
from anaphora.formats.terminology.table import read_table
from anaphora.formats.terminology.tbx import read_tbx, write_tbx
from anaphora.project.importing.sentence_rules import user_segmenter

GOLDEN = Path(__file__).parents[2] / "golden"
ENGLISH_INTO_CHINESE = LanguagePair("en", "zh")


def english(data: bytes, name: str) -> SourceDocument:
    """The texts to translate of an English file."""
    document = read_bytes(data, name, segmenter=user_segmenter("en"))
    return document


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("", "标题 Title", True), ("", "Title", False), ("zh", "Title", False),
        ("en", "Title", True), ("en", "o", False), ("en", "%1)", False), ("en", "标题", False),
        ("ja", "あ", True), ("ru", "Глава", True), ("ru", "Chapter", False), ("xx", "Title", True),
    ],
)  # fmt: skip
def test_words_are_recognised_by_the_letters_of_the_language(language: str, text: str, words: bool) -> None:
    assert SourceWords(language).in_text(text) is words


def test_code_is_not_text_in_languages_with_latin_letters() -> None:
    english, chinese = SourceWords("en"), SourceWords("")
    assert not english.in_code("sin(x)") and chinese.in_code("正弦(x)") and SourceWords("ru").in_code("если")
    assert english.in_strings('IF(A1="yes",1,2)') and not english.in_strings("SUM(A1:B2)")
    assert chinese.in_strings('IF(A1="是",1,2)') and chinese.in_strings("表单!A1")
    assert english.in_markup("<b>Send it</b>") and not english.in_markup('<div style="x">1</div>')


def test_memories_and_term_bases_use_project_languages(tmp_path: Path) -> None:
    path = GOLDEN / "translation_memories" / "omegat.tmx"
    survey = survey_tmx(path, pair=ENGLISH_INTO_CHINESE)
    assert (survey.source_language, survey.target_language) == ("en", "zh")
    units = [unit for unit in read_tmx(path, survey) if unit is not None]
    turned = [unit for unit in read_tmx(path, survey_tmx(path)) if unit is not None]
    assert [(unit.source, unit.target) for unit in units] == [(unit.target, unit.source) for unit in turned]
    file = io.StringIO()
    entry = TermEntry("cache", (TargetTerm("缓存"),))
    write_tbx(file, [entry], ENGLISH_INTO_CHINESE)
    (tmp_path / "a.tbx").write_text(file.getvalue(), "utf-8")
    assert list(read_tbx(tmp_path / "a.tbx", ENGLISH_INTO_CHINESE)) == [entry]
    (other,) = read_tbx(tmp_path / "a.tbx")
    assert other is not None and (other.source, other.targets[0].text) == ("缓存", "cache")


@pytest.mark.parametrize(
    ("text", "pair", "found"),
    [
        ("zh,en\n缓存,cache\n", ("en", "zh"), ("cache", "缓存")),
        ("zh,en\n缓存,cache\n", ("zh", "en"), ("缓存", "cache")),
        ("缓存,cache\n队列,queue\n", ("en", "zh"), ("cache", "缓存")),
        ("缓存,cache\n队列,queue\n", ("zh", "en"), ("缓存", "cache")),
        ("French,German (DE)\nle contrat,der Vertrag\n", ("de", "fr"), ("der Vertrag", "le contrat")),
        ("le contrat,der Vertrag\n", ("fr", "de"), ("le contrat", "der Vertrag")),
        ("英文,中文\ncache,缓存\n", ("zh_Hans", "eng_Latn"), ("缓存", "cache")),
        ("source,target\ncache,缓存\n", ("zh", "en"), ("cache", "缓存")),
    ],
)
def test_table_columns_use_project_languages(
    tmp_path: Path, text: str, pair: tuple[str, str], found: tuple[str, str]
) -> None:
    (tmp_path / "a.csv").write_text(text, "utf-8")
    first = next(each for each in read_table(tmp_path / "a.csv", LanguagePair(*pair)) if each is not None)
    assert (first.source, first.targets[0].text) == found
