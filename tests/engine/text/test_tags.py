"""Paired tags are removed from a text and restored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.text.tags import Tag, Words, insert_tags, strip_tags, transfer_tags
from anaphora_text.tags import PAIRED


def test_strip_and_insert() -> None:
    plain, tags = strip_tags("用{1}粗体{/1}写{2/}。")
    assert plain == "用粗体写{2/}。"
    assert tags == (Tag("{1}", 1), Tag("{/1}", 3))
    assert insert_tags(plain, tags) == "用{1}粗体{/1}写{2/}。"


def spans(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for word in text.split(" "):
        found.append((start, start + len(word)))
        start += len(word) + 1
    return found


def words(text: str) -> Words:
    return Words(text, spans(text))


def test_a_pair_follows_its_words() -> None:
    _, tags = strip_tags("点击 {1}保存 按钮{/1} 。")
    target = "Click the Save button ."
    carried = transfer_tags(tags, words("点击 保存 按钮 。"), words(target), [0, 2, 1, 2, 3])
    assert insert_tags(target, carried) == "Click {1}the Save button{/1} ."


def test_a_pair_around_everything_stays_around_everything() -> None:
    _, tags = strip_tags("{1}保存 文件{/1}")
    carried = transfer_tags(tags, words("保存 文件"), words("Save files"), [None, 0])
    assert insert_tags("Save files", carried) == "{1}Save files{/1}"


@given(
    st.permutations(["{1}", "{/1}", "{2}", "{/2}", "甲", "乙", "丙"]),
    st.lists(st.one_of(st.none(), st.integers(0, 2)), min_size=4, max_size=4),
)
def test_every_tag_is_restored_once(parts: list[str], links: list[int | None]) -> None:
    plain, tags = strip_tags("".join(parts))
    source = Words(plain, [(n, n + 1) for n in range(len(plain))])
    target = "aa bb cc dd"
    text = insert_tags(target, transfer_tags(tags, source, words(target), links))
    assert sorted(PAIRED.findall(text)) == ["{/1}", "{/2}", "{1}", "{2}"]
    assert strip_tags(text)[0] == target


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("二氧化碳 CO{1}2{/1}", "carbon dioxide CO2", "carbon dioxide CO{1}2{/1}"),
        ("面积 25m{1}2{/1} 体积 60m{2}3{/2}", "area 25m2 volume 60m3", "area 25m{1}2{/1} volume 60m{2}3{/2}"),
        ("水 H{1}2{/1}O 与 H{2}2{/2}", "H2 and water H2O", "H{2}2{/2} and water H{1}2{/1}O"),
        ("SO{1}4{/1}{2}2-{/2}", "the SO42- ion", "the SO{1}4{/1}{2}2-{/2} ion"),
        ("他 说 {1}[1]{/1}", "he said that [1]", "he said that {1}[1]{/1}"),
        ("{1}[1]{/1} 和 {2}[1]{/2}", "[1] and [1]", "{1}[1]{/1} and {2}[1]{/2}"),
        ("{1}水 CO{2}2{/2}{/1} 气", "CO2 water gas", "{1}CO{2}2{/2} water{/1} gas"),
    ],
)
def test_pair_stays_on_unchanged_text(source: str, target: str, expected: str) -> None:
    plain, tags = strip_tags(source)
    links = [0 if word[1] - word[0] > 3 else None for word in spans(target)]
    assert insert_tags(target, transfer_tags(tags, words(plain), words(target), links)) == expected


def test_a_pair_around_chinese_words_follows_the_alignment() -> None:
    """The same characters elsewhere in the translation do not count."""
    _, tags = strip_tags("{1}按钮{/1} Save")
    carried = transfer_tags(tags, words("按钮 Save"), words("button 按钮"), [0, None])
    assert insert_tags("button 按钮", carried) == "{1}button{/1} 按钮"
