"""Normalisation of source and target texts."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.normalize import normalize_source, normalize_target


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＡＢＣ１２３", "ABC123"),
        ("你好，世界！（测试）：；？", "你好，世界！（测试）：；？"),
        ("\ufeff零\u200b宽\u00ad字符", "零宽字符"),
        ("  两个　空格\t\n结尾 ", "两个 空格 结尾"),
        ("e\u0301", "é"),
        ("", ""),
    ],
)
def test_source_is_normalised(text: str, expected: str) -> None:
    assert normalize_source(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“It’s” – fine…", '"It\'s" - fine...'),
        ("a\u00a0b  c", "a b c"),
        ("caf\u0065\u0301", "café"),
    ],
)
def test_target_is_normalised(text: str, expected: str) -> None:
    assert normalize_target(text) == expected
