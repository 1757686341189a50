"""Plain text: encodings and line ends stay; binary data is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendering import render

from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import read_bytes

STORY = """第一章　开始

　　老张每天早上六点起床，先去河边跑步。他说：“跑完步，一天都有精神！”然后回家吃早饭。
今年是2024年，他已经六十五岁了……
    没有标点的一行

The end. Good night.
----------
"""
SEGMENTS = [
    "第一章　开始",
    "老张每天早上六点起床，先去河边跑步。",
    "他说：“跑完步，一天都有精神！”",
    "然后回家吃早饭。",
    "今年是2024年，他已经六十五岁了……",
    "没有标点的一行",
    "The end.",
    "Good night.",
]


def translated(data: bytes, targets: dict[str, str]) -> bytes:
    document = read_bytes(data, "a.txt")
    return render(data, "txt", {s.id: targets[s.source] for s in document.segments if s.source in targets})


LEGACY = {
    "ru": ("cp1251 koi8_r cp866", "Договор расторгается сторонами."),
    "ja": ("cp932 euc_jp", "本契約は二年後に終了する。"),
    "ko": ("cp949", "계약은 이 년 후에 종료된다."),
    "el": ("cp1253", "Η σύμβαση λήγει."),
    "pl": ("cp1250 iso8859_2", "Umowa wygasa po dwóch latach, później nie."),
    "de": ("cp1252", "Der Käufer prüft die Ware – „binnen zehn Tagen“."),
    "ar": ("cp1256", "ينتهي العقد بعد سنتين."),
    "th": ("cp874", "สัญญาสิ้นสุด"),
    "zh-TW": ("big5", "合約於兩年後終止，雙方簽署本合約。"),
}


@pytest.mark.parametrize(
    ("language", "codec", "text"),
    [(code, codec, text) for code, (codecs, text) in LEGACY.items() for codec in codecs.split()],
)
def test_legacy_encodings_of_document_language_are_tried(language: str, codec: str, text: str) -> None:
    data = f"{text}\r\n".encode(codec)
    found = decode(data, language)
    assert (found.text, found.codec, found.encode(found.text)) == (f"{text}\r\n", codec, data)


def test_encoding_of_another_language_is_recognised() -> None:
    chinese = "本合同于两年后终止，双方签署本合同。" * 3
    for language in ("de", "pl", "ru", "el", "ja"):
        assert decode(chinese.encode("gb18030"), language).text == chinese, language


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16-le"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32-le"),
        ("gb18030", "gb18030"),
        ("gbk", "gb18030"),
    ],
)
def test_encoding_and_line_ends_are_found_and_kept(codec: str, name: str, line_end: str) -> None:
    data = STORY.replace("\n", line_end).encode(codec)
    document = read_bytes(data, "故事.txt")
    assert (document.format, document.encoding) == ("txt", name)
    assert [segment.source for segment in document.segments] == SEGMENTS
    assert render(data, "txt", {}) == data
    result = translated(data, {SEGMENTS[1]: "He gets up at six.", SEGMENTS[3]: "Then he eats — “well”."})
    expected = STORY.replace(SEGMENTS[1], "He gets up at six.").replace(
        SEGMENTS[3], " Then he eats — “well”."
    )
    assert result == expected.replace("\n", line_end).encode(codec)


def test_traditional_chinese_in_big5() -> None:
    text = "這是一個繁體中文的檔案，裡面有很多的字。我們今天去學校，他們也來了。" * 3
    document = read_bytes(text.encode("big5"), "a.txt")
    assert document.encoding == "big5"
    target = "Café"  # big5 lacks é, so the whole file becomes UTF-8
    result = render(document.data, "txt", {document.segments[0].id: target})
    assert result.decode("utf-8").startswith("Café")


def test_sentences_get_a_space_between_their_translations() -> None:
    data = "你好。再见！（完）".encode()
    assert translated(data, {"你好。": "Hello.", "再见！": "Bye!", "（完）": "(end)"}) == b"Hello. Bye! (end)"
    assert translated(data, {"你好。": "Hello."}).decode() == "Hello.再见！（完）"


def test_chinese_sentences_have_no_space_between_them() -> None:
    document = read_bytes(b"It ends.  It begins. 3.5 is much.\n", "a.txt")
    ids = [segment.id for segment in document.segments]
    chinese = dict(zip(ids, ("结束了。", "开始了。", "3.5 很多。"), strict=True))
    assert render(document.data, "txt", chinese).decode() == "结束了。开始了。 3.5 很多。\n"
    assert (
        render(document.data, "txt", {ids[0]: "结束了。"}).decode() == "结束了。  It begins. 3.5 is much.\n"
    )


def test_literal_tags_are_text() -> None:
    data = "参数 {1} 和 {2/}。".encode()
    assert read_bytes(data, "a.txt").segments[0].source == "参数 {1} 和 {2/}。"
    result = translated(data, {"参数 {1} 和 {2/}。": "{2/} and {1} and {3}."})
    assert result == b"{2/} and {1} and {3}."


def test_line_breaks_in_target_become_those_of_file() -> None:
    assert translated("甲\r\n乙\r\n".encode(), {"甲": "a\nb"}) == "a\r\nb\r\n乙\r\n".encode()


@pytest.mark.parametrize("data", [b"", b"\n \n\t\n", b"\xef\xbb\xbf", "123\n----\n".encode("utf-16")])
def test_a_document_without_text_is_empty(data: bytes) -> None:
    document = read_bytes(data, "a.txt")
    assert document.segments == ()
    assert render(data, "txt", {}) == data


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 a package",
        b"%PDF-1.7 a document",
        b"\x89PNG\r\n\x1a\n",
        b"\x7fELF\x02\x01\x01",
        bytes(range(256)) * 8,
        b"text\x00with\x00zeros!",
        b"\xff\xfe\x00\xd8",
        b"\xef\xbb\xbf\xff\xfe broken",
        "文字".encode() + b"\x01\x02",
    ],
    ids=lambda data: repr(data[:8]),
)
def test_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read_bytes(data, "a.txt")
    assert "a.txt" in caught.value.message and caught.value.advice


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=80))
@pytest.mark.slow
def test_any_bytes_are_read_faithfully_or_refused(data: bytes) -> None:
    try:
        document = read_bytes(data, "a.txt")
    except FormatError:
        return
    assert render(data, "txt", {}) == data
    render(data, "txt", {segment.id: "x" for segment in document.segments})


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="中文。！ab .\r\n\t{1}", max_size=60))
def test_identical_translation_adds_only_spaces(text: str) -> None:
    document = read_bytes(text.encode(), "a.txt")
    result = render(document.data, "txt", {segment.id: segment.source for segment in document.segments})
    assert result.decode().replace(" ", "") == text.replace(" ", "")


@pytest.mark.slow
def test_a_whole_book_on_one_line_opens() -> None:
    data = ("这是一句话。" * 30_000 + "\n" + "{" + "1" * 5000 + "}字").encode()
    document = read_bytes(data, "a.txt")
    assert len(document.segments) == 30_001
    result = render(data, "txt", {segment.id: "One." for segment in document.segments[:-1]})
    assert result.startswith(b"One. One. One. ")
