"""General text is cleaned, names become placeholders, and a model's vocabularies can grow."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.models.bundle import Bundle, load_bundle
from experiments.general import clean, dictionary_pairs, enlarge, name_pairs, name_table


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return load_bundle(embedded_model())


def test_half_of_the_chapters_get_modern_punctuation() -> None:
    verse = [["耶和华的话又临到我说、你去．", "Go."]]
    found = [
        clean.clean_all({"source": "bible", "doc": f"bible/genesis/{number}"}, verse)[0][0]
        for number in range(1, 51)
    ]
    assert set(found) == {verse[0][0], "耶和华的话又临到我说，你去；"}
    assert 10 < found.count(verse[0][0]) < 40


def test_articles_lose_the_marks_of_their_format() -> None:
    pair = ["持续集成 ======", "translating by lujun9972 Continuous ====== integration"]
    assert clean.clean_all({"source": "articles", "doc": "a"}, [pair]) == [
        ["持续集成", "Continuous integration"]
    ]
    assert clean.clean_all({"source": "law-tw", "doc": "a"}, [pair]) == [pair]


def test_names_on_both_sides_become_tokens() -> None:
    assert name_pairs.with_tokens("汤姆喜欢玛丽。", "Tom likes Mary's cat.") == (
        "N_1喜欢N_2。",
        "N_1 likes N_2's cat.",
    )
    assert name_pairs.with_tokens("汤姆喜欢猫。", "He likes Tommy.") is None


@pytest.mark.slow
def test_a_vocabulary_keeps_its_pieces_and_gets_words(bundle: Bundle) -> None:
    texts = ["The harpsichord of the marsupial."] * enlarge.MIN_COUNT + ["An unheardofword."]
    words = enlarge.new_words(texts, bundle.target, 2)
    assert {word for word, _ in words} == {"▁harpsichord", "▁marsupial"}
    larger = enlarge.extend_vocabulary(bundle.target, words)
    size = len(bundle.target)
    assert len(larger) == size + 2
    assert [larger.piece(number) for number in range(size)] == [
        bundle.target.piece(number) for number in range(size)
    ]
    assert set(larger.encode("The harpsichord marsupial")) >= {size, size + 1}
    assert larger.decode(larger.encode(texts[0])) == texts[0]
    table = torch.randn(size, 4)
    grown = enlarge.extend_table(table, bundle.target, words)
    assert torch.equal(grown[:size], table)
    spelled = bundle.target.encode(words[0][0].removeprefix("▁"))
    assert len(spelled) > 1 and torch.allclose(grown[size], table[spelled].mean(0))


def test_dictionary_names_must_agree_with_parallel_text() -> None:
    entries = name_table.read_entries(
        [
            "# a comment",
            "阿巴丹 阿巴丹 [A1 ba1 dan1] /Abadan, city in Iran/",
            "中國 中国 [Zhong1 guo2] /China/",
            "北京市 北京市 [Bei3 jing1 shi4] /Beijing municipality (capital)/",
            "海鹽縣 海盐县 [Hai3 yan2 xian4] /Haiyan county in Jiaxing/",
            "王 王 [Wang2] /surname Wang/",
            "大連 大连 [Da4 lian2] /Dalian/",
            "大連 大连 [da4 lian2] /to join/",
            "三月 三月 [San1 yue4] /March/",
        ]
    )
    assert entries == {
        "阿巴丹": ["Abadan"],
        "中国": ["China"],
        "北京市": ["Beijing"],
        "海盐县": ["Haiyan County"],
    }
    pairs = [("中国法律", "Chinese law")] * 3 + [("去中国", "to China"), ("北京市", "Beijing's")]
    assert name_table.choose_renderings(entries, frozenset(), pairs).keys() == entries.keys() - {"中国"}
    assert name_table.choose_renderings(entries, frozenset(entries), pairs) == {"北京市": "Beijing"}


def test_rare_words_replace_words_with_certain_translation() -> None:
    def entry(word: str, *definitions: str, pinyin: str = "x") -> dict[str, object]:
        return {"simplified": word, "pinyin": pinyin, "definitions": definitions}

    known = dictionary_pairs.read_dictionary(
        [
            entry("合同", "(business) contract", "CL:個|个[ge4]"),
            entry("押金", "deposit", "down payment"),
            entry("誊写", "to transcribe", " to make a fair copy"),
            entry("北京", "Beijing", pinyin="Bei3 jing1"),
            entry("检查", "inspection", "to examine", "to inspect"),
            entry("没有", "haven't"),
        ],
        {"合同": "n", "押金": "n", "誊写": "v", "检查": "vn", "北京": "ns", "没有": "v"},
    )
    assert {each.word: (each.kind, each.glosses) for each in known.values()} == {
        "合同": ("noun", ("contract",)),
        "押金": ("noun", ("deposit", "down payment")),
        "誊写": ("verb", ("transcribe",)),
        "检查": ("verb", ("inspection", "examine", "inspect")),
    }
    rare = dictionary_pairs.rare_words(known, {"合同": 500, "检查": 90, "押金": 29}, {"押金": 92, "誊写": 3})
    assert [each.word for each in rare] == ["押金", "誊写"]
    exchange = dictionary_pairs.Exchange(known, rare)
    assert exchange(["检查", "一", "份", "合同"], "Examine an contract_x.") == (
        "誊写一份合同",
        "Transcribe an contract_x.",
    )
    assert exchange(["两", "份", "合同"], "Two contracts") == ("两份押金", "Two deposits")
    assert exchange(["合同", "和", "合同"], "a contract and a contract") is None
    assert exchange(["合同"], "the agreement") is None
