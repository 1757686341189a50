"""A lexicon counted in alignments of pieces, and CC-CEDICT."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.vocabulary import Vocabulary, vocabulary_from_pieces
from experiments.measures.lexicon import Lexicon, count_lexicon, read_cedict


def test_links_of_pieces_count_for_their_words(tmp_path: Path) -> None:
    source = Vocabulary(vocabulary_from_pieces([(piece, -3.0) for piece in ("▁", "服务", "器", "配置")]))
    spelling = ["▁ser", "ver", "s", "▁set", "tings", "▁The"]
    target = Vocabulary(vocabulary_from_pieces([(piece, -3.0) for piece in spelling]))
    pairs = [(0, "服务器配置", "servers settings"), (0, "服务器", "The server"), (0, "服务器", "servers")]
    corpus = encode_corpus(pairs, source, target)
    # positions: source <s> ▁ 服务 器 配置 </s>; servers = ser ver s, settings = set tings
    links = [[(2, 0), (3, 1), (3, 2), (4, 3), (4, 4)], [(2, 1), (3, 2), (2, 0)], [(3, 0), (2, 2)]]
    offsets = np.cumsum([0, *map(len, links)])
    flat = np.array([link for found in links for link in found], np.uint16)
    lexicon = count_lexicon(corpus, (flat, offsets), source, target)
    assert lexicon.of("服务器") == {"servers": 0.5}  # "server" and "the" were seen once
    assert lexicon.of("服务器", 0.6) == lexicon.of("配置") == {}
    lexicon.save(tmp_path / "deeper" / "lexicon.json.gz")
    assert Lexicon.load(tmp_path / "deeper" / "lexicon.json.gz") == lexicon
    (tmp_path / "bad.json.gz").write_bytes(b"no")
    with pytest.raises(CorpusError, match="delete it"):
        Lexicon.load(tmp_path / "bad.json.gz")


@pytest.mark.slow
def test_cedict_gives_single_words() -> None:
    dictionary = read_cedict()
    assert {"use", "employ"} <= dictionary["使用"]
    assert dictionary["猫"] >= {"cat"} and not any(" " in word for word in dictionary["猫"])
    assert all(words for words in dictionary.values())
