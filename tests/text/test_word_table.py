"""The table of words equals the dictionaries that jieba reads itself."""

from __future__ import annotations

import random

import jieba
import pytest

from anaphora_text.chinese_words import WordTable, cut, segmenter, tagger

TEXTS = (
    "本合同由甲乙双方于二〇二五年六月三十日在北京签订。",
    "王强和欧阳娜娜在远山科技有限公司研究多维张量的分布式存储。",
    "她把信放在桌上，没有再说一句话；魑魅魍魉，C++与AT&T。",
)


def test_table_equals_jieba_dictionary() -> None:
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


def test_texts_are_segmented_like_jieba() -> None:
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
def test_other_file_format_is_refused(dictionary: str) -> None:
    with pytest.raises(ValueError, match=r"dictionary|int\("):
        WordTable(dictionary.encode())
