"""Small catalogues and subtitles with which the fuzz run begins."""

# ruff: noqa: E501

from __future__ import annotations

SMALL: dict[str, bytes] = {
    "a.vtt": (
        "WEBVTT 题\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE 注\r\n\r\n开\r\n00:01.000 --> 00:02.000 line:0\r\n"
        "<v 老师>你<c.a>好</c>，&amp;世界\r\n- <i>行</i><00:01.500>完\r\n\r\n00:00:03.000 --> 00:00:04.000\r\n第二\r\n"
    ).encode(),
    "a.json": (
        '{"a": "你好，{{name}}", "b": ["甲", 1, null, {"c_one": "<b>一</b> %s", "c_other": "多\\n\\u4e2d"}],\n "i": "有{n, plural,'
        ' =0 {无} one {# 只{x}} other {{g, select, f {她} other {他}}}}了。", "t": "题", "@t": {"description": "注"}}'
    ).encode(),
    "a.arb": '{"@@locale": "zh", "a": "\\u4f60\\ud83d\\ude00 {x}", "m": {"message": "$A$ 好", "description": "x"}}'.encode(),
}
