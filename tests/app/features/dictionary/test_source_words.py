"""Words of a source that the dictionary has."""

from __future__ import annotations

import pytest

from anaphora.features.dictionary.entries import source_words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("他们把新的合同放在桌子上，然后慢慢离开。", ["合同", "桌子", "离开"]),  # no function words
        ("合同与合同", ["合同"]),
        ("因不可抗力不能履行合同", ["不可抗力", "不能", "履行", "合同"]),  # a phrase, and a compound's parts
        ("没有解决失业问题", ["没有", "解决", "失业", "问题"]),
        ("办公设备的买卖", ["办公", "设备", "买卖"]),
        ("本合同规定，楼梯上有脚步声", ["合同", "规定", "楼梯", "脚步"]),
        ("", []),
        ("API {1/} 2025", []),
    ],
)
def test_content_words_are_found_once(dictionary, source, words) -> None:
    assert [word.text for word in source_words(source, dictionary)] == words


def test_a_word_has_the_position_of_its_first_occurrence(dictionary) -> None:
    source = "请看{1}雷管{/1}，没有解决失业问题，雷管"
    for word in source_words(source, dictionary):
        assert source[word.start : word.end] == word.text
        assert word.start == source.index(word.text)
