"""Useless alternatives are recognised; the examples are drafts of development documents."""

from __future__ import annotations

import pytest

from anaphora.features.drafting.completions import differs_in_words, is_junk

JUNK = (
    ("策略必须返回 BOOLEAN。", "The policy must return BOOLEAN.", "The policy must return BOOLAAN."),
    (
        "让我们从安装 Gradio 开始吧！",
        "Let's start by installing Gradio!",
        "Let's start by installing a Grotcast!",
    ),
    ("如下所示 🤯：", "as shown in 💡:", "as shown in 🤗\ufffd:"),
    ("15:30 开会", "Meeting at 15:30", "1530::"),
    ("15:30 开会", "Meeting at 15:30", "Meeting at 1530"),
    ("下午三点半", "At 15:30", "1530::"),
    ("他来了。", "He came.", "He came.,,"),
    ("本协议的条款", "Terms of the Agreement", "Terms of the Agreement of the Agreement"),
    ("他每天出海。", "He went to sea every day.", "He went to sea and went to sea every day."),
    ("他跳出了圈子。", "He jumped out of the circle.", "He jumped out (of the circle."),
    ("他沿着河边的小路慢慢地走回家去。", "He walked slowly home along the path by the river.", "He walked."),
    ("端口 8080", "Port 8080", "Port"),
    ("端口 8080", "Port 8080", "Port 8088"),
    ("账本", "Ledger", "账 book"),
    ("账本", "Ledger", "..."),
    ("账本", "Ledger", "  "),
)
FINE = (
    ("示例", "Example", "Examples"),
    ("语法", "Syntax", "The syntax"),
    ("你我的权利", "Your and my rights", "The rights of you and the rights of me"),
    ("就是这样！", "That's it!", "That's that!"),
    ("看看下面的例子：", "Consider the following example:", "Consider this example:"),
    (
        "当前行访问策略定义不支持子查询谓词。 :::",
        "Not supported by the key. :::",
        "Not supported by the term. :::",
    ),
    ("默认值为1。", "The default is 1.", "Defaults to one."),
    ("三万五千元", "35,000 yuan", "35 thousand yuan"),
    ("等等……", "Wait...", "And so on..."),
    ("二维电磁场可视化", "2D electromagnetic field visualization", "2-D electromagnetic field visualization"),
    ("ON (...) 中列出的列", "The columns listed in ON (...)", "Columns that are listed in ON (...)"),
    ("15:30 开会", "Meeting at 15:30", "We meet at 15:30"),
    ("Use the cache.", "使用缓存。", "请使用缓存。"),
)


@pytest.mark.parametrize(("source", "draft", "text"), JUNK)
def test_junk_is_distinguished_from_its_source_and_the_draft(source: str, draft: str, text: str) -> None:
    assert is_junk(source, text, draft)


@pytest.mark.parametrize(("source", "draft", "text"), FINE)
def test_another_wording_is_offered(source: str, draft: str, text: str) -> None:
    assert not is_junk(source, text, draft)


def test_a_best_draft_is_compared_only_with_its_source() -> None:
    assert is_junk("账本", "::", "") and is_junk("15:30 开会", "Meeting at 1530::", "")
    assert not is_junk("三万五千元", "35,000 yuan", "") and not is_junk("账本", "Ledger", "")


DRAFT = "The ledger keeps every transaction of the network."


@pytest.mark.parametrize(
    "text",
    [
        DRAFT,
        "A ledger keeps each transaction in this network",
        "the Ledger kept all transactions, on its networks!",
        "{1}The ledger{/1} keeps every transaction of the network.",
        "The ledger’s keeping every transaction of the network.",
    ],
)
def test_articles_prepositions_inflection_marks_case_and_tags_add_nothing_new(text: str) -> None:
    assert not differs_in_words(text, [DRAFT])


@pytest.mark.parametrize(
    "text",
    [
        "The register keeps every transaction of the network.",
        "The ledger stores every transaction of the network.",
        "The ledger keeps every transaction.",
        "The ledger keeps every single transaction of the network.",
        "Every transaction of the network is kept in the ledger.",
        "The ledger does not keep every transaction of the network.",
        "",
    ],
)
def test_another_content_word_another_order_or_a_not_change_the_meaning(text: str) -> None:
    assert differs_in_words(text, [DRAFT])


def test_known_texts_are_not_offered_again() -> None:
    other = "The register keeps every transaction."
    assert differs_in_words(other, []) and differs_in_words(other, [DRAFT])
    assert not differs_in_words("A register keeps all transactions", [DRAFT, other])


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("It can't be opened.", "It cannot be opened."),
        ("This won’t run.", "This will not run."),
        ("Don't run it.", "Do not run it."),
        ("He wrote to us.", "He writes to us"),
    ],
)
def test_shortened_words_and_irregular_forms_are_the_same(text: str, known: str) -> None:
    assert not differs_in_words(text, [known])


def test_texts_without_content_words_are_compared_by_all_words() -> None:
    assert differs_in_words("That's that!", ["That's it!"]) and not differs_in_words("That is", ["that is."])
