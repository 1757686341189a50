"""The table of jieba's words beside the dictionaries that jieba reads itself."""

from __future__ import annotations

import random

import jieba
import pytest

from anaphora_text.chinese_words import cut, segmenter, tagger
from anaphora_text.word_table import WordTable, _Column

TEXTS = (
    "本合同由甲乙双方于二〇二五年六月三十日在北京签订。",
    "王强和欧阳娜娜在远山科技有限公司研究多维张量的分布式存储。",
    "她把信放在桌上，没有再说一句话；魑魅魍魉，C++与AT&T。",
)


def test_it_says_what_jieba_reads() -> None:
    frequencies, total = jieba.Tokenizer.gen_pfdict(jieba.dt.get_dict_file())
    tags = {}
    with jieba.dt.get_dict_file() as file:
        for line in file:
            word, _, tag = line.decode("utf-8").split()
            tags[word] = tag
    found, classes = segmenter().FREQ, tagger().word_tag_tab
    assert segmenter().total == total
    assert all(found.get(word) == count for word, count in frequencies.items())
    assert all(classes.get(word) == tag for word, tag in tags.items())
    letters = sorted({letter for word in frequencies for letter in word})
    values = random.Random(1)
    for _ in range(20_000):
        word = "".join(values.choices(letters, k=values.randint(1, 4)))
        assert (word in found) == (word in frequencies) and (word in classes) == (word in tags)
        assert found.get(word, 7) == frequencies.get(word, 7) and classes.get(word, "x") == tags.get(
            word, "x"
        )
    with pytest.raises(KeyError):
        found["没有这个词"]


def test_texts_are_cut_as_jieba_cuts_them() -> None:
    own = jieba.Tokenizer()
    own.FREQ, own.total = own.gen_pfdict(own.get_dict_file())
    own.initialized = True
    for text in TEXTS:
        for guess in (False, True):
            assert cut(text, guess) == own.lcut(text, HMM=guess)
    reading = jieba.posseg.POSTokenizer(own)
    for text in TEXTS:
        found, wanted = ([(pair.word, pair.flag) for pair in each.cut(text)] for each in (tagger(), reading))
        assert found == wanted


@pytest.mark.parametrize("dictionary", ["人 5", "人 五 n", "人 5 n 1", "人", "人 5 n\n民 5"])
def test_another_form_is_refused(dictionary: str) -> None:
    with pytest.raises(ValueError, match=r"dictionary|int\("):
        WordTable(dictionary.encode())


def test_words_and_what_begins_them() -> None:
    table = WordTable("人民币 5 n\n人 2 v\n人间 7 nz\nA 1 x\n".encode())
    assert table.total == 15
    found = [table.frequencies.get(word) for word in ("人", "人民", "人民币", "人民币值", "民", "A", "a", "")]
    assert found == [2, 0, 5, None, None, 1, None, 0]
    assert [table.classes.get(word) for word in ("人间", "人民", "A")] == ["nz", None, "x"]
    assert "人民" in table.frequencies and "人民" not in table.classes


def test_what_was_looked_up_is_kept_for_a_while() -> None:
    asked: list[str] = []

    def find(word: str) -> str | None:
        asked.append(word)
        return word.upper() if word.startswith("a") else None

    table = _Column(find)
    assert [table.get(word) for word in ("ab", "b", "ab", "b", "ac")] == ["AB", None, "AB", None, "AC"]
    assert asked == ["ab", "b", "ac"], "each once, also what is not there"
    assert table.get("b", "else") == "else"


def test_no_more_is_kept_than_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anaphora_text.word_table._MOST_KNOWN", 2)
    asked: list[str] = []

    def find(word: str) -> int | None:
        asked.append(word)
        return len(word)

    table = _Column(find)
    for word in ("a", "bb", "a", "bb", "ccc", "ccc", "bb"):
        assert table[word] == len(word)
    assert asked == ["a", "bb", "ccc", "bb"], "two are kept, then one begins anew"


@pytest.mark.parametrize("at_once", [1, 2, 3, 4])
def test_frequencies_are_summed_of_all_lines(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr("anaphora_text.word_table._AT_ONCE", at_once)
    assert WordTable(b"a 1 n\nb 20 n\nc 300 v").total == 321
    assert WordTable(b"").total == 0


def test_only_words_are_asked_for_and_none_is_listed() -> None:
    table = WordTable("人 2 v\n".encode())
    assert "人" in table.classes and 5 not in table.classes and "\ud800" not in table.frequencies
    assert table.classes["人"] == "v"
    for each in (iter, len):
        with pytest.raises(TypeError, match="not listed"):
            each(table.classes)  # type: ignore[operator]
