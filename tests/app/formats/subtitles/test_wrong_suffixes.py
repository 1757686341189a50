"""Subtitles with the suffix of another format are read and written in their real format."""

from __future__ import annotations

import dataclasses

import pytest

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import fill, read_bytes

TEXTS = {
    "vtt": "WEBVTT - 字幕\n\nNOTE 说明\n\n1\n00:01.000 --> 00:02.000\n<v 甲>账本 &amp; 节点</v>\n",
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n<i>账本</i>\n\n2\n00:00:03,000 --> 00:00:04,000\n节点\n",
    "ass": "[Script Info]\n; 注\n\n[Events]\nFormat: Layer, Start, End, Text\n"
    "Dialogue: 0,0:00:01.00,0:00:02.00,{\\i1}账本\\N节点\n",
}


@pytest.mark.parametrize("ending", ["srt", "vtt", "ass", "ssa"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize("kind", [*TEXTS])
def test_format_is_recognised_by_content(kind: str, encoding: str, ending: str) -> None:
    data = TEXTS[kind].encode(encoding)
    found = read_bytes(data, f"a.{ending}")
    usual = read_bytes(data, f"a.{kind}")
    assert found.format == usual.format == kind and found.segments == usual.segments != ()
    done = [
        dataclasses.replace(each, state=SegmentState("Done", Status.CONFIRMED)) for each in found.segments
    ]
    written = fill(data, found.format, done)
    assert read_bytes(written, f"a.{ending}").segments[0].source.endswith("Done")


def test_webvtt_with_subrip_times_stays_webvtt() -> None:
    first, second = "00:00:01.000 --> 00:00:02.000\n甲 &lt; 乙\n", "00:00:03.000 --> 00:00:04.000\n丙\n"
    text = f"WEBVTT\n\n{first}\nNOTE 不是字幕\n\n{second}"
    assert [each.source for each in read_bytes(text.encode(), "a.srt").segments] == ["甲 < 乙", "丙"]


@pytest.mark.parametrize("ending", ["srt", "vtt", "ass"])
def test_wrong_content_is_refused_with_file_name(ending: str) -> None:
    with pytest.raises(FormatError, match=f"a.{ending}"):
        read_bytes("账本很大。\n".encode(), f"a.{ending}")
