"""Remarks about translations between other languages than Chinese into English."""

from __future__ import annotations

import pytest

from anaphora.core.language_pair import LanguagePair
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.checks.quality import check_others, check_segment, check_target
from anaphora.features.checks.quick_fixes import fix_remark

GOOD = [
    ("en", "zh", "The contract ends on May 5, 2024.", "本合同于2024年5月5日终止。"),
    ("en", "zh", "It costs $3.5 million.", "费用为350万美元。"),
    ("en", "zh", "In the 1990s there were 30,000 of them.", "20世纪90年代有3万个。"),
    ("en", "zh", "Open the file?", "打开文件吗？"),
    ("en", "zh", "Run git on Linux, then stop.", "在 Linux 上运行 git，然后停止。"),
    ("en", "zh", "Linux", "Linux"),
    ("en", "zh", "Both parties sign (twice).", "双方签字（两次）。"),
    ("en", "de", "The price is 1,234.50 euros.", "Der Preis beträgt 1.234,50 Euro."),
    ("en", "de", "Page 3 of the contract", "Die dritte Seite des Vertrags"),
    ("en", "de", "The one that the others see", "Die, die die anderen sehen"),
    ("en", "fr", "Do you sign the contract?", "Vous signez le contrat ?"),
    ("en", "ar", "Do you sign on 3 May 2024?", "هل توقع في ٣ مايو ٢٠٢٤؟"),
    ("ru", "en", "Договор от 15.03.2024", "Contract of 2024-03-15"),
    ("ja", "en", "契約は30日後に終わる。", "The contract ends after 30 days."),
    ("ja", "zh", "契約を結ぶ", "签订契约"),
    ("xx", "yy", "契約", "договор"),
]


@pytest.mark.parametrize(("source", "target", "text", "said"), GOOD)
def test_good_translations_give_no_warning(source: str, target: str, text: str, said: str) -> None:
    assert check_target(text, said, pair=LanguagePair(source, target)) == ()


BAD = [
    (
        "en",
        "zh",
        "The contract has 15 pages.",
        "本合同共有16页。",
        ["15 is missing", "16 is not in the source"],
    ),
    ("en", "zh", "It costs $3.5 million.", "费用为350美元。", ["3.5 is missing", "350 is not in the source"]),
    ("en", "zh", "Open the file?", "打开文件。", ["but the translation is not"]),
    (
        "en",
        "zh",
        "Open the file, then close it.",
        "打开文件,然后关闭。",
        ["Latin punctuation mark in Chinese text: ,"],
    ),
    ("en", "zh", "Each node reads the register " * 5, "节点读取", ["very short"]),
    ("en", "zh", "Open all of the files.", "Open all of the files.", ["same as the source"]),
    ("en", "zh", "Both parties (twice).", "双方（两次。", ["One of the pair ( )"]),
    ("en", "zh", "There are %d files", "文件", ["format string %d is missing"]),
    (
        "en",
        "de",
        "The price is 1,234 euros.",
        "Der Preis beträgt 1.243 Euro.",
        ["1,234 is missing", "1.243 is not"],
    ),
    ("en", "de", "Open the file.", "Die Datei Datei öffnen .", ["Repeated word", "extra space"]),
    ("en", "ar", "Do you sign?", "نوقع العقد.", ["but the translation is not"]),
    ("ru", "en", "Мы подпишем договор.", "We sign the договор.", ["Untranslated source text: “договор”"]),
    ("ja", "zh", "契約を結ぶ", "签订契約を结", ["Untranslated source text: “を”"]),
    ("zh", "de", "合同 15 页", "Vertrag, 合同 15 Seiten", ["Untranslated Chinese text"]),
]


@pytest.mark.parametrize(("source", "target", "text", "said", "warnings"), BAD)
def test_bad_translations_give_the_expected_warnings(
    source: str, target: str, text: str, said: str, warnings: list[str]
) -> None:
    found = check_target(text, said, pair=LanguagePair(source, target))
    assert len(found) == len(warnings), found
    for warning, each in zip(warnings, found, strict=True):
        assert warning in each


def test_a_space_before_a_question_mark_is_right_in_french_only() -> None:
    assert check_target("Signe?", "Vous signez ?", pair=LanguagePair("de", "fr")) == ()
    (found,) = check_target("Signe?", "You sign ?", pair=LanguagePair("de", "en"))
    assert fix_remark("Signe?", "You sign ?", found, LanguagePair("de", "en")) == "You sign?"


def test_texts_in_the_opposite_direction_are_not_checked() -> None:
    assert check_target("合同", "Contract", pair=LanguagePair("en", "zh")) == ()


def told(texts: list[tuple[str, str]], source: str, target: str) -> dict[str, tuple[str, ...]]:
    """The remarks from comparing segments, by segment number."""
    segments = [
        Segment(str(number), text, SegmentState(said, Status.EDITED))
        for number, (text, said) in enumerate(texts)
    ]
    found = check_others(segments, pair=LanguagePair(source, target))
    return {key: tuple(map(str, said)) for key, said in found.items()}


def test_a_translation_used_twice_is_found_in_all_languages() -> None:
    said = told(
        [("The buyer pays at once.", "买方立即付款。"), ("Nobody signs it.", "买方立即付款。")], "en", "zh"
    )
    assert set(said) == {"0", "1"} and "Another text has the same" in said["0"][0]
    assert told([("Yes.", "好的。"), ("Nobody signs it.", "好的。")], "en", "zh") == {}, "labels may be equal"
    german = [
        ("Der Käufer zahlt sofort.", "Покупатель платит сразу."),
        ("Es endet.", "Покупатель платит сразу."),
    ]
    assert set(told(german, "de", "ru")) == {"0", "1"}
    assert told(german, "zh", "ru") == {}, "sources in another script are not compared"


def test_names_are_compared_in_languages_without_inflection() -> None:
    english = [
        ("Herr Pellworm kommt.", "Today Pellworm came."),
        ("Herr Pellworm geht.", "Then Pellworm left."),
        ("Herr Pellworm lacht.", "Then Pelworm laughed."),
    ]
    said = told(english, "de", "en")
    assert set(said) == {"2"} and "Pellworm" in said["2"][0]
    nouns = [
        ("The treaty ends today.", "Heute endet der Vertrag."),
        ("The treaty ended again.", "Wieder endete der Vertrag."),
        ("The treaty says it.", "Das steht im Vertrage."),
    ]
    assert told(nouns, "en", "de") == {}, "German nouns are capitalised and inflected"


@pytest.mark.parametrize(
    ("target", "text", "speed"),
    [
        (
            "zh",
            "最旧的记录在缓存满之前就离开缓存。",
            "Too fast to read: 17 characters per second (at most 9).",
        ),
        ("zh", "x" * 18, ""),
        ("fr", "x" * 18, "Too fast to read: 18 characters per second (at most 17)."),
        ("en", "x" * 18, ""),
        ("ja", "契約終わり", "Too fast to read: 5 characters per second (at most 4)."),
        ("ja", "契約終了", ""),
    ],
)
def test_reading_speed_depends_on_the_language(target: str, text: str, speed: str) -> None:
    note = Note(NoteKind.TIME, "0:00:05.00 → 0:00:06.00")
    segment = Segment("1", "Любой текст", SegmentState(text, Status.EDITED), notes=(note,))
    warnings = map(str, check_segment(segment, pair=LanguagePair("ru", target)))
    said = "".join(each for each in warnings if "characters per second" in each)
    assert said.startswith(speed) and bool(said) == bool(speed)
