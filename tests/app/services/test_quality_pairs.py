"""Warnings about translations between other languages than Chinese into English."""

from __future__ import annotations

import pytest

from anaphora.core.language_pair import LanguagePair
from anaphora.services.quality import check_target
from anaphora.services.quality_mending import mended

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
    ("en", "zh", "Open the file?", "打开文件。", ["the translation is none"]),
    ("en", "zh", "Open the file, then close it.", "打开文件,然后关闭。", ["The mark , is a Latin one"]),
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
    ("en", "de", "Open the file.", "Die Datei Datei öffnen .", ["doubled", "blank"]),
    ("en", "ar", "Do you sign?", "نوقع العقد.", ["the translation is none"]),
    ("ru", "en", "Мы подпишем договор.", "We sign the договор.", ["source's letters is left: “договор”"]),
    ("ja", "zh", "契約を結ぶ", "签订契約を结", ["source's letters is left: “を”"]),
    ("zh", "de", "合同 15 页", "Vertrag, 合同 15 Seiten", ["Chinese text is left"]),
]


@pytest.mark.parametrize(("source", "target", "text", "said", "warnings"), BAD)
def test_bad_translations_give_theirs(
    source: str, target: str, text: str, said: str, warnings: list[str]
) -> None:
    found = check_target(text, said, pair=LanguagePair(source, target))
    assert len(found) == len(warnings), found
    for warning, each in zip(warnings, found, strict=True):
        assert warning in each


def test_a_french_blank_before_a_question_mark_is_no_mistake_and_an_english_one_is() -> None:
    assert check_target("Signe?", "Vous signez ?", pair=LanguagePair("de", "fr")) == ()
    (found,) = check_target("Signe?", "You sign ?", pair=LanguagePair("de", "en"))
    assert mended("Signe?", "You sign ?", found, LanguagePair("de", "en")) == "You sign?"


def test_what_goes_against_the_pair_is_not_judged_by_it() -> None:
    assert check_target("合同", "Contract", pair=LanguagePair("en", "zh")) == ()
