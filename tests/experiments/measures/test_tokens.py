"""The tokens that alignments and word counts share."""

from __future__ import annotations

from anaphora_nmt.text.normalize import normalize_source, normalize_target
from experiments.measures.tokens import chinese_tokens, content_words, english_tokens


def test_protected_strings_are_one_token_on_both_sides() -> None:
    assert [token.text for token in chinese_tokens("将--style为os.path.join。")] == [
        "将",
        "--style",
        "为",
        "os.path.join",
        "。",
    ]
    assert [token.text for token in english_tokens("Set --style to os.path.join.")] == [
        "Set",
        "--style",
        "to",
        "os.path.join",
        ".",
    ]


def test_tokens_know_where_they_stand_in_the_normalised_line() -> None:
    chinese, english = "使用  ＧＰＵ 的数量，默认为１２。", "The front-end developers' 12 “tools”"
    for raw, tokens, text in (
        (chinese, chinese_tokens(chinese), normalize_source(chinese)),
        (english, english_tokens(english), normalize_target(english)),
    ):
        assert all(text[token.start : token.end] == token.text for token in tokens), raw
        assert "".join(token.text for token in tokens) == text.replace(" ", "")


def test_content_words_leave_out_what_every_text_has() -> None:
    assert content_words("The 3 servers, and a Server's x: is front-end code.") == [
        "servers",
        "server's",
        "front-end",
        "code",
    ]
