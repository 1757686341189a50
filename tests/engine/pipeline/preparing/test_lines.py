"""Prepared segments, and positions in the raw text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from anaphora_nmt.imported.vocabulary import ImportedVocabulary
from anaphora_nmt.pipeline.preparing.lines import (
    CHUNK_PIECES,
    MAX_SOURCE,
    chunks,
    prepare_source,
    prepare_target,
    raw_span,
)
from anaphora_nmt.text.vocabulary import Vocabulary, train_vocabulary, vocabulary_from_pieces


@pytest.fixture(scope="module")
def pieces() -> Vocabulary:
    lines = [
        "使用 os.path 函数，把数据放到目录里。",
        "The function puts the data into the directory.",
        "服务器的配置文件；请打开它",
    ]
    return Vocabulary(train_vocabulary((line + str(n % 7) for n in range(60) for line in lines), 345, 1.0))


def test_words_have_positions_in_the_raw_text(pieces: Vocabulary) -> None:
    raw = "使用 {1}os.path.join{/1} 函数，把 {2/} 放到 2019 里。"
    source = prepare_source(raw, pieces)
    for word in source.words:
        start, end = raw_span(source.line.tags, word.start, word.end)
        assert raw[start:end] == word.text
    texts = [word.text for word in source.words]
    assert {"os.path.join", "{2/}", "2019"} <= set(texts)
    assert source.required == (1, 1, 1)
    assert source.words[0].pieces[0] == 0
    assert source.words[-1].pieces[1] == len(source.ids)


OTHERS = {
    "供应商在三十天内交付产品。": "供应商 在 三十天 内 交付 产品 。",
    "用 os.path 函数": "用 os . path 函数",
    "人々は契約に署名しました。": "人々 は 契約 に 署名 し まし た 。",
    "ผู้ซื้อชำระเงินภายในสิบวัน": "ผู้ซื้อ ชำระเงิน ภายใน สิบ วัน",
    "계약이 체결되었습니다.": "계약이 체결되었습니다 .",
    "विक्रेता माल देता है": "विक्रेता माल देता है",
    "Договор подписан.": "Договор подписан .",
}
"""Texts in other scripts, and their words."""


@pytest.fixture(scope="module")
def other_pieces() -> Vocabulary:
    """A vocabulary without placeholders, like in other toolkits; most pieces are single letters."""
    letters = sorted(
        {letter for text in OTHERS for letter in text if letter.isalnum() or not letter.isspace()}
    )
    longer = ["▁", "供应", "的产", "品数", "据", "产", "▁os", "path", "契約"]
    found = vocabulary_from_pieces([(piece, -3.0) for piece in dict.fromkeys([*longer, *letters])])
    known = Vocabulary(found)
    return ImportedVocabulary(found, [known.piece(number) for number in range(len(known))])


@pytest.mark.parametrize("raw", [*OTHERS])
def test_words_follow_the_script(other_pieces: Vocabulary, raw: str) -> None:
    for line in (prepare_target(raw, (), other_pieces), prepare_source(raw, other_pieces)):
        assert [word.text for word in line.words] == OTHERS[raw].split()
        bounds = [word.pieces for word in line.words]
        assert bounds[0][0] == 0 and bounds[-1][1] == len(line.ids)
        assert all(one[1] == two[0] for one, two in pairwise(bounds)), "each piece is in one word"


def test_a_short_source_is_one_part(pieces: Vocabulary) -> None:
    source = prepare_source("打开 12.5 服务器", pieces)
    (part,) = chunks(source, pieces)
    assert part.ids[1:-1] == source.ids
    assert part.required == (1,)


@pytest.mark.parametrize("clause", ["服务器的配置文件，", "配置文件", "请打开它。"])
def test_five_thousand_characters_are_cut_into_parts_that_fit(pieces: Vocabulary, clause: str) -> None:
    raw = (clause * 2500)[:5000]
    source = prepare_source(raw, pieces)
    parts = chunks(source, pieces)
    assert len(source.ids) <= MAX_SOURCE
    assert all(len(part.ids) - 2 <= CHUNK_PIECES + 1 for part in parts)
    text = "".join(pieces.decode(part.ids) for part in parts)
    assert text.replace(" ", "") == raw.replace(" ", "")
    if clause.endswith("，"):
        assert all(pieces.decode(part.ids).endswith("，") for part in parts[:-1])


def test_each_part_counts_its_placeholders_from_the_first(pieces: Vocabulary) -> None:
    raw = "服务器 3.11 的配置文件，" * 60 + "端口 8080。"
    parts = chunks(prepare_source(raw, pieces), pieces)
    assert len(parts) > 1
    assert all(part.strings[0] == "3.11" for part in parts[:-1])
    assert sum(part.required[part.strings.index("3.11")] for part in parts if "3.11" in part.strings) == 60
    alone = chunks(prepare_source("配置文件，" * 100 + "端口 8080 和 3.11。", pieces), pieces)[-1]
    assert alone.strings == ("8080", "3.11")
    assert alone.required == (1, 1)
    assert "\ue000" in pieces.decode(alone.ids)


def test_line_breaks_after_sentences_split_a_source_and_are_restored(pieces: Vocabulary) -> None:
    raw = "打开服务器。\n请读 3.11 的配置文件：\n\n端口\n是 8080"
    parts = chunks(prepare_source(raw, pieces), pieces)
    assert [part.separator for part in parts] == ["\n", "\n\n", " "]
    assert [part.strings for part in parts] == [(), ("3.11",), ("8080",)]
    assert len(chunks(prepare_source("打开\n服务器", pieces), pieces)) == 1


def test_the_number_of_an_article_is_a_separate_line(pieces: Vocabulary) -> None:
    parts = chunks(prepare_source("第三条 请打开服务器。", pieces), pieces)
    assert [(part.strings, part.separator) for part in parts] == [(("Article 3",), " "), ((), " ")]
    assert parts[1].text == "请打开服务器。"
    assert chunks(prepare_source("第三条：请打开服务器。", pieces), pieces)[0].separator == ": "
    assert len(chunks(prepare_source("2.1 请打开服务器。", pieces), pieces)) == 2
    for amount in ("2019 请打开服务器。", "2.1 倍的服务器。", "2.1请打开服务器。", "2.1 GB 内存"):
        assert len(chunks(prepare_source(amount, pieces), pieces)) == 1
