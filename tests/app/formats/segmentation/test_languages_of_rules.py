"""The language of a text chooses its sentence rules: abbreviations, ordinals, dates."""

from __future__ import annotations

from pathlib import Path

import pytest
from sentence_samples import OTHERS

from anaphora.core.language_pair import LanguagePair
from anaphora.formats.registry import read_bytes
from anaphora.formats.segmentation.segmenter import (
    DEFAULT_SEGMENTER,
    Rule,
    Segmenter,
    default_rules,
    read_srx,
    write_srx,
)
from anaphora.project.changes import read_additions
from anaphora.project.importing.sentence_rules import user_segmenter

SENTENCES = {
    "de": ["Am 2. Oktober fiel die Fa. Meier auf.", "Der 30. Januar 2021 kam.", "Das kostet 3 Mio. Euro."],
    "es": ["La Lic. Pérez llegó con el Arq. López.", "Creo que no.", "5 personas lo vieron.", "Fig. 3."],
    "fr": ["Mlles. Durand et le Pr. Martin viennent.", "Il est là où il est.", "Voir art. 5 du code."],
    "pt": ["A Profa. Lima e o Eng. Costa vieram.", "Ver p. ex. A lista.", "Cap. 2 trata disso."],
    "it": ["Parla il Mons. Bianchi.", "Vedi cap. 3 del libro.", "Spett. Ditta Rossi, buongiorno."],
    "nl": ["Dat kostte ca. 5 euro.", "Drs. Bakker kwam i.v.m. Kerstmis.", "Zie hfst. 2 daarover."],
    "pl": ["To ks. Nowak i gen. Sikorski.", "Urodził się 12. 5. 1960 w Łodzi.", "Koniec."],
    "cs": ["Přišel MUDr. Novák.", "Bylo to 12. 5. 2024 ráno.", "Sídlí na nám. Míru.", "Konec."],
    "sv": ["Se kap. 3 och resp. Bilaga 2.", "Det kom i sept. 2020.", "Slut."],
    "da": ["Det koster f.eks. 5 kroner.", "Mødet er kl. 5 hos hr. Jensen.", "Den 3. 5. 2024 kom han."],
    "fi": ["Tämä on esim. Helsingissä.", "Kokous on klo. 5 tänään.", "Se päättyi 3. 5. 2024 illalla."],
    "hu": ["Ifj. Nagy Pál jött.", "Lásd köt. 2 elejét.", "A 2024. 05. 12. ülés.", "Vége."],
    "ro": ["Vine dl. Ionescu cu d-na. Pop.", "Vezi art. 5 din lege.", "Gata."],
    "tr": ["Av. Demir ile Sn. Kaya geldi.", "2. Dünya Savaşı bitti.", "Son."],
    "ru": ["Он живёт на просп. Мира.", "Это инж. Петров.", "Тысячи небесных тел.", "Да."],
    "uk": ["Живе на просп. Миру.", "Це інж. Петренко.", "Так."],
    "el": ["Ήρθε ο δρ. Νίκος.", "Βλ. κεφ. Πέντε και εικ. 2 εδώ.", "Τέλος."],
    "vi": ["Ông là KTS. Nam và BS. Hoa.", "Hết."],
    "id": ["Kepada Yth. Bapak Budi.", "Lihat hlm. 5 dan Ny. Sari.", "Selesai."],
    "hi": ["डॉ. शर्मा आए।", "वह पृ. 5 है।"],
    "ar": ["انظر مج. الثاني أمس.", "نعم."],
}  # fmt: skip


def cut(text: str, language: str) -> list[str]:
    segmenter = Segmenter(default_rules(), language)
    return [text[start:end] for start, end in segmenter.spans(text)]


@pytest.mark.parametrize("language", OTHERS)
def test_rules_of_one_language_cut_like_general_rules(language: str) -> None:
    assert cut(("" if language == "ja" else " ").join(OTHERS[language]), language) == OTHERS[language]


@pytest.mark.parametrize("language", SENTENCES)
def test_each_language_has_its_abbreviations(language: str) -> None:
    text = " ".join(SENTENCES[language])
    assert cut(text, language) == SENTENCES[language]
    unsaid = [text[start:end] for start, end in DEFAULT_SEGMENTER.spans(text)]
    assert unsaid != SENTENCES[language], "otherwise the language would not matter"


def test_abbreviations_of_other_languages_do_not_count() -> None:
    assert cut("Il est là où il est. Elle part.", "fr") == ["Il est là où il est.", "Elle part."]
    assert cut("Il est là où il est. Elle part.", "") == ["Il est là où il est. Elle part."], "as before"


def test_a_rule_for_german_counts_in_german_only() -> None:
    rules = write_srx((Rule(True, ";", r"\s", "de.*"), *read_srx(default_rules())))
    text = "Eins; zwei. Drei."

    def spans(language: str) -> int:
        return len(Segmenter(rules, language).spans(text))

    assert [spans("de"), spans("fr"), spans("")] == [3, 2, 2]


def test_the_language_is_kept_with_the_document() -> None:
    data = b"Il est. Elle part.\n"
    source = read_bytes(data, "a.txt", None, Segmenter(default_rules(), "fr"))
    assert source.language == "fr" and len(source.segments) == 2


@pytest.mark.parametrize(
    ("code", "kept"),
    [("", ""), ("zh", ""), ("zho_Hans", ""), ("eng_Latn", "en"), ("deu_Latn", "de"), ("xx", "xx")],
)
def test_chinese_is_not_stored_as_language(code: str, kept: str) -> None:
    assert user_segmenter(code).language == kept


@pytest.mark.parametrize(
    "text", ["See Dr. Wang. 他说：“好。”走了。 He left.", "好。走了。", "It works! 3.5 is one."]
)
def test_english_documents_are_cut_by_their_letters_too(text: str) -> None:
    assert user_segmenter("en").spans(text) == user_segmenter("").spans(text)


def test_added_documents_use_the_project_language(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Il est là où il est. Elle part.\n", "utf-8")
    pairs = LanguagePair("fra_Latn", "en"), LanguagePair("", "en")
    counts = [len(read_additions((tmp_path,), (), pair).sources[0].segments) for pair in pairs]
    assert counts == [2, 1]
