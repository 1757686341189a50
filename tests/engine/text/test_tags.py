"""Paired tags leave the text and come back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.text.tags import Tag, insert_tags, strip_tags, transfer_tags
from anaphora_text.tags import PAIRED


def test_strip_and_insert() -> None:
    plain, tags = strip_tags("用{1}粗体{/1}写{2/}。")
    assert plain == "用粗体写{2/}。"
    assert tags == (Tag("{1}", 1), Tag("{/1}", 3))
    assert insert_tags(plain, tags) == "用{1}粗体{/1}写{2/}。"


@given(st.lists(st.sampled_from(["字", "a", " ", "{1}", "{/1}", "{2}", "{/2}", "{3/}"]), max_size=12))
def test_stripping_loses_nothing(parts: list[str]) -> None:
    text = "".join(parts)
    assert insert_tags(*strip_tags(text)) == text


def spans(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for word in text.split(" "):
        found.append((start, start + len(word)))
        start += len(word) + 1
    return found


def test_a_pair_follows_its_words() -> None:
    _, tags = strip_tags("点击 {1}保存 按钮{/1} 。")
    target = "Click the Save button ."
    carried = transfer_tags(tags, spans("点击 保存 按钮 。"), spans(target), [0, 2, 1, 2, 3], len(target))
    assert insert_tags(target, carried) == "Click {1}the Save button{/1} ."


def test_a_pair_around_everything_stays_around_everything() -> None:
    _, tags = strip_tags("{1}保存 文件{/1}")
    carried = transfer_tags(tags, spans("保存 文件"), spans("Save files"), [None, 0], 10)
    assert insert_tags("Save files", carried) == "{1}Save files{/1}"


@given(
    st.permutations(["{1}", "{/1}", "{2}", "{/2}", "甲", "乙", "丙"]),
    st.lists(st.one_of(st.none(), st.integers(0, 2)), min_size=4, max_size=4),
)
def test_every_tag_comes_back_once(parts: list[str], links: list[int | None]) -> None:
    plain, tags = strip_tags("".join(parts))
    words = [(n, n + 1) for n in range(len(plain))]
    target = "aa bb cc dd"
    text = insert_tags(target, transfer_tags(tags, words, spans(target), links, len(target)))
    assert sorted(PAIRED.findall(text)) == ["{/1}", "{/2}", "{1}", "{2}"]
    assert strip_tags(text)[0] == target
