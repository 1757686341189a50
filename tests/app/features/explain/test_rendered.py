"""Source words that an output word renders; the attention is that of a real model."""

from __future__ import annotations

import pytest

from anaphora.features.explain.rendered import (
    contains_words,
    remembered_source,
    source_text,
)
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace

Shares = tuple[float, ...]


def explained(words: str, output: dict[str, Shares], probability: float = -0.1) -> Explanation:
    """An explanation from the model's source words, and output words with their attention."""
    source, place = [], 0
    for word in words.split(" "):
        source.append(SourceWord(word, place, place + len(word)))
        place += len(word)
    tokens = tuple(TokenTrace(word, 0, len(word), probability, shares) for word, shares in output.items())
    return Explanation("1", "", tuple(source), tokens, MemoryView("1", MemoryVersion("d", 1)))


def rendered(words: str, word: str, *attention: float, probability: float = -0.1, **others: Shares) -> str:
    """The source words of an output word among others."""
    return source_text(explained(words, {word: attention, **others}, probability), 0)


def test_whole_words_are_rendered_whatever_the_models_pieces() -> None:
    assert rendered("张 量 是", "tensor", 0.6, 0.2, 0.2) == "张量"
    assert rendered("训练 循 环", "loop", 0.04, 0.46, 0.5) == "循环"
    assert rendered("训练 循环", "training", 0.7, 0.3) == "训练"
    assert rendered("对 张 量 的", "tensors", 0.1, 0.4, 0.3, 0.15) == "张量"
    assert rendered("聚类 计算", "clustering", 0.55, 0.4) == "聚类计算", "two words with similar attention"
    assert rendered("聚类 计算 的 模型", "clustering", 0.5, 0.38, 0.02, 0.02) == "聚类计算"
    assert rendered("张 量 是", "tensor", 0.6, 0.2) == "张量", "no attention was measured for the last word"
    assert rendered("", "word") == ""


def test_content_words_do_not_render_function_words() -> None:
    # 基于 … 数值 → "Multi", 从 → "Previously", 后 Databend → "Databend".
    assert rendered("从 模型 中", "Previously", 0.7, 0.2, 0.1) == ""
    assert rendered("事务 。", "transaction", 0.5, 0.5) == "事务"
    assert rendered("的 梯度", "gradients", 0.45, 0.5) == "梯度"
    assert rendered("在 Dashboard 中", "Dashboard", 0.2, 0.7, 0.1) == "Dashboard"


def test_numbers_addresses_and_code_are_rendered_as_wholes() -> None:
    assert rendered("人民币 1,200, 000.00 元 。", "1,200,000.00", 0.1, 0.3, 0.5, 0.1) == "1,200,000.00"
    assert (
        rendered("请 看 https:// example.org /a", "https", 0.0, 0.1, 0.3, 0.4, 0.2) == "https://example.org/a"
    )
    assert rendered("打开 config _file.yaml", "config", 0.1, 0.5, 0.3) == "config_file.yaml"


def test_a_verb_does_not_render_please() -> None:
    assert rendered("请 检查 合同", "check", 0.5, 0.4, 0.1) == "检查"


def test_the_place_with_the_most_attention_is_rendered() -> None:
    assert rendered("撤消 在 期间 所有", "undoes", 0.5, 0.0, 0.1, 0.3) == "撤消"


def test_a_source_word_belongs_to_the_word_that_renders_it_most() -> None:
    # 利用…求解 → "solving": "using" has most of 利用.
    assert rendered("利用 方程 求解", "solving", 0.41, 0.2, 0.3, using=(0.75, 0.1, 0.1)) == ""
    # 转换关键点: "keypoints" attends to 转换, too, which "converting" renders.
    words, keypoints, converting = "转换 关键点", (0.35, 0.45), (0.95, 0.02)
    assert rendered(words, "keypoints", *keypoints, converting=converting) == "关键点"


def test_the_second_half_of_a_word_does_not_count_alone() -> None:
    assert rendered("优化 器 概述", "optimizers", 0.2, 0.6, 0.1, Overview=(0.6, 0.1, 0.3)) == ""


def test_typed_text_that_the_model_does_not_expect_renders_nothing() -> None:
    # "快速 览 → lot": any typed word gets some attention.
    words = "快速 浏览 Keras"
    assert rendered(words, "lot", 0.3, 0.6, 0.1, probability=-9.6) == ""
    assert rendered(words, "tour", 0.3, 0.6, 0.1, probability=-4.6) == "快速浏览"
    assert rendered(words, "Keras", 0.1, 0.1, 0.8, probability=-9.6) == "Keras"
    assert rendered(words, "The", 0.3, 0.6, 0.1) == "", "an article"
    assert rendered(words, "42", 0.3, 0.6, 0.1) == "快速浏览"
    assert rendered("长度 r 元组", "tuples", 0.1, 0.6, 0.3) == "", "a letter of a formula"


def use(label: str, translates: str, expected: float = -1.0) -> MemoryUse:
    return MemoryUse("confirmed", label, "0", translates=translates, expected=expected)


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ("的梯度", "梯度"),
        ("拆分：", "拆分"),
        ("在 Dashboard", "Dashboard"),
        ("新的", "新"),
        ("从", ""),
        ("", ""),
    ],
)
def test_only_content_words_of_a_remembered_source_are_shown(told: str, named: str) -> None:
    assert remembered_source(use("word", told)) == named


def test_a_remembered_pair_is_shown_only_if_the_model_expects_it() -> None:
    assert remembered_source(use("single-statement", "单语句事务", -9.0)) == ""


def test_a_word_renders_its_remembered_source_again() -> None:
    # 启动新线程…已注册的函数: most of the attention of "registered" lies on 新.
    explanation = explained("新 线程 注册", {"registered": (0.57, 0.1, 0.3), "new": (0.9, 0.1, 0.0)})
    assert source_text(explanation, 0) == ""
    assert source_text(explanation, 0, use("registered", "注册")) == "注册"
    assert source_text(explanation, 0, use("register", "注册")) == "注册"
    assert source_text(explanation, 0, use("login", "注册")) == "", "another word"
    assert source_text(explanation, 0, use("registered", "登记")) == "", "not in this source"


def test_source_words_are_whole_at_word_boundaries() -> None:
    explanation = explained("天地 是 一个 开始", {"world": (1.0, 0.0, 0.0, 0.0)})
    for found in ("天地", "是", "一个开始", "天地是一个开始", "开始"):
        assert contains_words(explanation, found), found
    for part in ("天", "地是", "始", "一", "开始天地", "天地一个"):
        assert not contains_words(explanation, part), part
