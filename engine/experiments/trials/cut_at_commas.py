"""Corpora whose segments are parts of sentences, so that a segment needs the ones before it.

    python -m experiments.trials.cut_at_commas D/docs-zh-en/train.jsonl.xz=OUT/docs-train.jsonl.xz \\
        D/general-zh-en/train.jsonl.xz=OUT/articles-train.jsonl.xz [--source NAME …]

A pair is cut at a Chinese and an English comma (or semicolon, or colon) that stand at the same place: every
word before one is aligned with a word before the other, every word after with one after it (as Lupo et al.,
2022, "Divide and Rule", cut sentences in half to train context). All corpora of one call are aligned
together, by eflomal, which needs some ten thousand pairs; texts are written normalised. A document's "parts"
say how many segments each pair became.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.training.alignment import align_lines
from anaphora_text.punctuation import COLONS, COMMAS, PAUSES, SEMICOLONS
from experiments.measures.tokens import Token, chinese_tokens, english_tokens, is_word

FEWEST = 3
"""Words of either side of a part, at least."""
_LINKED = 2
"""Links of a part, at least: fewer say nothing about where it belongs."""
_CHINESE, _ENGLISH = frozenset(f"{COMMAS[:2]}{SEMICOLONS}{COLONS}"), frozenset(PAUSES)
Link = tuple[int, int]


@dataclass(frozen=True)
class CutDocument:
    """A document whose pairs are parts.

    Attributes:
        document: with the parts as its pairs.
        parts: how many of them each pair of the whole document became.
    """

    document: ParallelDocument
    parts: tuple[int, ...]


def cut(sources: Sequence[Token], targets: Sequence[Token], links: Iterable[Link]) -> list[tuple[int, int]]:
    """Where a pair can be cut: numbers of the tokens after which each side's part ends, in order.

    A cut is taken where no link of two words crosses it, and the parts on both sides of it are long enough.
    """
    words = [
        (source, target)
        for source, target in links
        if is_word(sources[source].text) and is_word(targets[target].text)
    ]
    found: list[tuple[int, int]] = []
    after = (-1, -1)
    for source in (number for number, token in enumerate(sources) if token.text in _CHINESE):
        for target in (number for number, token in enumerate(targets) if token.text in _ENGLISH):
            here = source, target
            ends = len(sources) - 1, len(targets) - 1
            if (
                target > after[1]
                and all((s <= source) == (t <= target) for s, t in words)
                and _is_part(after, here, sources, targets, words)
                and _is_part(here, ends, sources, targets, words)
            ):
                found.append(here)
                after = here
                break
    return found


def _is_part(
    start: Link, end: Link, sources: Sequence[Token], targets: Sequence[Token], links: Sequence[Link]
) -> bool:
    """Whether the tokens after `start` up to `end` are enough to stand by themselves."""
    enough = all(
        sum(is_word(token.text) for token in tokens[first + 1 : last + 1]) >= FEWEST
        for tokens, first, last in ((sources, start[0], end[0]), (targets, start[1], end[1]))
    )
    inside = sum(start[0] < s <= end[0] and start[1] < t <= end[1] for s, t in links)
    return enough and inside >= _LINKED


def cut_documents(documents: Sequence[ParallelDocument]) -> list[CutDocument]:
    """The documents with every pair in as many parts as can be told apart."""
    pairs = [pair for document in documents for pair in document.pairs]
    tokens = [(chinese_tokens(source), english_tokens(target)) for source, target in pairs]
    links = align_lines((_line(sources) for sources, _ in tokens), (_line(targets) for _, targets in tokens))
    given = zip(pairs, tokens, links, strict=True)
    found = []
    for document in documents:
        parts = [
            _parts(pair, sides, cut(*sides, links))
            for pair, sides, links in (next(given) for _ in document.pairs)
        ]
        whole = ParallelDocument(
            document.id, document.source_name, document.licence, tuple(chain.from_iterable(parts))
        )
        found.append(CutDocument(whole, tuple(map(len, parts))))
    return found


def _line(tokens: Sequence[Token]) -> str:
    return " ".join("".join(token.text.lower().split()) or "_" for token in tokens)


def _parts(
    pair: tuple[str, str], sides: tuple[list[Token], list[Token]], cuts: Sequence[Link]
) -> list[tuple[str, str]]:
    from anaphora_nmt.text.normalize import normalize_source, normalize_target

    if not cuts:
        return [pair]
    texts = []
    for text, tokens, ends in (
        (normalize_source(pair[0]), sides[0], [source for source, _ in cuts]),
        (normalize_target(pair[1]), sides[1], [target for _, target in cuts]),
    ):
        places = [0, *(tokens[end].end for end in ends), len(text)]
        texts.append([text[start:end].strip() for start, end in pairwise(places)])
    return list(zip(*texts, strict=True))


def write(path: Path, documents: Iterable[CutDocument]) -> None:
    """Write a corpus file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for each in documents:
            document = each.document
            record = {"doc": document.id, "source": document.source_name, "licence": document.licence}
            rest = {"segments": document.pairs, "parts": each.parts}
            file.write(json.dumps({**record, **rest}, ensure_ascii=False) + "\n")


def main() -> None:
    """Cut the corpora, aligned together."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpora", nargs="+", metavar="IN=OUT")
    parser.add_argument(
        "--source", action="append", default=[], help="only documents of this source, or these"
    )
    arguments = parser.parse_args()
    paths = [tuple(map(Path, given.split("=", 1))) for given in arguments.corpora]
    corpora = [list(_chosen(read_documents(path), arguments.source)) for path, _ in paths]
    done: Iterator[CutDocument] = iter(cut_documents(list(chain.from_iterable(corpora))))
    for (path, out), documents in zip(paths, corpora, strict=True):
        some = [next(done) for _ in documents]
        write(out, some)
        whole, parts = sum(len(each.parts) for each in some), sum(sum(each.parts) for each in some)
        print(f"{path}: {whole:,} segments, {parts:,} parts")


def _chosen(documents: Iterable[ParallelDocument], names: Sequence[str]) -> Iterator[ParallelDocument]:
    return (document for document in documents if not names or document.source_name in names)


if __name__ == "__main__":
    main()
