"""What the checks find: planted errors of every kind, and false alarms on references.

    python tests/benchmarks/measure_checks.py DEV.jsonl.xz

Into references of the corpus that no check says anything of, 15 errors of each kind are planted, drawn at
random (seed 7, each kind by itself): how many are found, for how many a mend is offered, and how many mends
are the text without the error. Those of the last six kinds stand in their document, which is checked as a
whole. Then right translations with what is easily misread (tests/golden/checks), and all references as they
are: an alarm counts as false, though some of them are wrong.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from anaphora.checks.fixes import mended_all
from anaphora.checks.quality import check_others, check_segment, check_target, check_terms_of
from anaphora.core.notes import Note, NoteKind
from anaphora.core.remarks import Remark
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.text import HAN
from anaphora.shipped import dictionaries, used_words
from anaphora.spelling.speller import Speller, words_of
from anaphora.term_base.entries import Entry, TargetTerm, Usage
from anaphora.term_base.recognition import Recogniser
from anaphora.term_base.usage import check_terms

EACH = 15
RIGHT_PAIRS = Path(__file__).parents[1] / "golden" / "checks" / "right_pairs.tsv"
Planted = tuple[str, str, str]
Planter = Callable[[str, str, random.Random], Planted | None]
"""Gives source, target with an error, and target without; None where the pair has no place for it."""

TERM = Entry("配置", (TargetTerm("configuration"), TargetTerm("setup", Usage.FORBIDDEN)))

PIECES = Entry("数据集", (TargetTerm("dataset"),))


def _is_used(source: str, target: str) -> bool:
    """Whether the term stands in a source, and its translation uses it."""
    return "configuration" in target and bool(Recogniser([TERM]).find(source))


def _words(target: str) -> list[re.Match[str]]:
    return [match for match in re.finditer(r"\b[a-z]{3,}\b", target)]


def change_digit(source: str, target: str, chance: random.Random) -> Planted | None:
    numbers = [match for match in re.finditer(r"\b\d+\b", target) if match.group() in source]
    if not numbers:
        return None
    match = chance.choice(numbers)
    return source, target[: match.start()] + str(int(match.group()) + 7) + target[match.end() :], target


def lose_number(source: str, target: str, chance: random.Random) -> Planted | None:
    numbers = [match for match in re.finditer(r" \d{2,}\b", target) if match.group().strip() in source]
    if not numbers:
        return None
    match = chance.choice(numbers)
    return source, target[: match.start()] + target[match.end() :], target


def appended(text: str, right: str, wrong: str) -> Planter:
    """A phrase behind the source, and its wrong translation behind the target."""

    def plant(source: str, target: str, chance: random.Random) -> Planted | None:
        source, whole = source + text, f"{target} {right}"
        return None if check_target(source, whole) else (source, f"{target} {wrong}", whole)

    return plant


def at_word(change: Callable[[str], str], right: str = "{}") -> Planter:
    """Something at a word of the target; `right` is what should stand there, {} the word."""

    def plant(source: str, target: str, chance: random.Random) -> Planted | None:
        words = _words(target)
        if not words:
            return None
        match = chance.choice(words)
        before, word, after = target[: match.start()], match.group(), target[match.end() :]
        return source, before + change(word) + after, before + right.format(word) + after

    return plant


def lose_half(source: str, target: str, chance: random.Random) -> Planted | None:
    return (source, " ".join(target.split()[:3]), target) if len(HAN.findall(source)) > 25 else None


def blow_up(source: str, target: str, chance: random.Random) -> Planted | None:
    blown = " ".join([target] * 4)
    return (source, blown, target) if len(HAN.findall(source)) > 10 else None


def lose_question(source: str, target: str, chance: random.Random) -> Planted | None:
    if not source.endswith("。") or not target.endswith("."):
        return None
    return source[:-1] + "？", target, target[:-1] + "?"


def ignored_term(source: str, target: str, chance: random.Random) -> Planted | None:
    if not _is_used(source, target):
        return None
    return source, target.replace("configurations", "layouts").replace("configuration", "layout"), target


def forbidden_term(source: str, target: str, chance: random.Random) -> Planted | None:
    if not _is_used(source, target):
        return None
    return source, target.replace("configuration", "setup"), target


def term_in_pieces(source: str, target: str, chance: random.Random) -> Planted | None:
    if "dataset" not in target or not Recogniser([PIECES]).find(source):
        return None
    return source, re.sub(r"\bdataset", "data set", target), target


PLANTERS: dict[str, Planter] = {
    "a digit changed": change_digit,
    "a number lost": lose_number,
    "Chinese numeral wrong": appended("共五百二十三页。", "523 pages.", "532 pages."),
    "Chinese date wrong": appended("二〇二五年六月三十日。", "June 30, 2025.", "June 3, 2025."),
    "month wrong": appended("2025年6月30日。", "June 30, 2025.", "July 30, 2025."),
    "money of another scale": appended("三十七亿元。", "3.7 billion yuan.", "37 million yuan."),
    "range wrong": appended("10至25个。", "10 to 25.", "10 to 20."),
    "tag lost": appended("见{1}文档{/1}。", "See {1}the document{/1}.", "See the document."),
    "tags crossed": appended("见{1}文档{/1}。", "See {1}the document{/1}.", "See {/1}the document{1}."),
    "address lost": appended("见 https://a.example/b。", "See https://a.example/b.", "See the page."),
    "Chinese left": at_word(lambda word: "缓存"),
    "word doubled": at_word(lambda word: f"{word} {word}"),
    "blanks doubled": at_word(lambda word: f"{word}  x", "{} x"),
    "blank before a mark": at_word(lambda word: f"{word} , x", "{}, x"),
    "Chinese punctuation": at_word(lambda word: f"{word}，", "{},"),
    "bracket lost": at_word(lambda word: f"({word}"),
    "question lost": lose_question,
    "much too short": lose_half,
    "much too long": blow_up,
    "ellipsis of a numeral": appended("价格是三万五元。", "It costs 35,000 yuan.", "It costs 30,005 yuan."),
    "traditional numeral wrong": appended("三十七億元。", "3.7 billion yuan.", "37 yuan."),
    "decade wrong": appended("20世纪90年代。", "In the 1990s.", "In the 1980s."),
    "discount wrong": appended("打八折。", "20% off.", "8% off."),
    "time of day wrong": appended("下午三点半。", "At 3:30 p.m.", "At 3:20 p.m."),
    "minus lost": appended("零下5度。", "It is -5 degrees.", "It is 5 degrees."),
    "unit lost": appended("10个工作日内。", "Within 10 working days.", "Within 10."),
    "percent lost": appended("占 30%。", "It is 30% of it.", "It is 30 of it."),
    "phrase said twice": appended(
        "按照协议。", "Under the Agreement.", "Under the Agreement under the Agreement."
    ),
    "quotation mark lost": appended("点“确定”。", "Click “OK”.", "Click “OK."),
    "closing mark lost": appended("如下开始：", "Start as follows:", "Start as follows:a"),
    "e-mail address changed": appended(
        "写信给 a@b.example。", "Write to a@b.example.", "Write to a@c.example."
    ),
    "key changed": appended("按 Ctrl+C 键。", "Press Ctrl+C.", "Press Ctrl+X."),
    "ICU keyword lost": appended(
        "{n, plural, other {# 个}}。", "{n, plural, other {# of them}}.", "{n, plural, one {# of them}}."
    ),
    "format string lost": appended("共 %d 个。", "%d in all.", "Many in all."),
    "format string changed": appended("你好，{name}。", "Hello, {name}.", "Hello, {nombre}."),
    "term ignored": ignored_term,
    "forbidden term": forbidden_term,
    "term in pieces": term_in_pieces,
}


Document = list[Segment]
DocumentPlanter = Callable[[Document, random.Random], str | None]
"""Changes a document, gives the id of the segment with the error; None where there is no place for it."""


def finished(key: str, source: str, target: str, notes: tuple[Note, ...] = ()) -> Segment:
    return Segment(key, source, SegmentState(target, Status.EDITED), notes=notes)


def repeat_otherwise(document: Document, chance: random.Random) -> str:
    """A segment stands there three times, once with a word less."""
    segment = chance.choice([each for each in document if len(each.target.split()) > 4])
    changed = " ".join(segment.target.split()[:-2])
    document += [finished("+1", segment.source, segment.target), finished("+2", segment.source, changed)]
    return "+2"


def translate_the_wrong_one(document: Document, chance: random.Random) -> str:
    """A segment gets the translation of another one."""
    long = [each for each in document if len(HAN.findall(each.source)) > 8 and len(each.target.split()) > 4]
    place = document.index(chance.choice(long[1:]))
    document[place] = finished(document[place].id, document[place].source, long[0].target)
    return document[place].id


def write_a_name_otherwise(document: Document, chance: random.Random) -> str:
    """A name stands there three times, once with another letter."""
    han, name = chance.choice([("王志强", "Zhiqiang"), ("柯里昂", "Corleone"), ("索菲亚", "Sophia")])
    place = chance.randrange(1, len(name) - 1)
    wrong = name[:place] + chance.choice([x for x in "aeioulnr" if x != name[place]]) + name[place + 1 :]
    for number, written in enumerate((name, name, wrong)):
        document.append(finished(f"+{number}", f"第一次见到{han}。", f"I saw {written} for the first time."))
    return "+2"


def show_too_short(document: Document, chance: random.Random) -> str:
    """A subtitle that is seen for a third of the time that its letters need."""
    segment = chance.choice([each for each in document if len(each.target) > 30])
    end = 60 + len(segment.target) / 60
    notes = (Note(NoteKind.TIME, f"00:01:00,000 → 00:{end // 60:02.0f}:{end % 60:06.3f}".replace(".", ",")),)
    document.append(finished("+1", segment.source, segment.target, notes))
    return "+1"


def invent_a_word(document: Document, chance: random.Random) -> str | None:
    """A word gets the ending of another one: "transaction" becomes "transacture"."""
    places = [
        (number, word)
        for number, segment in enumerate(document)
        for word in _words(segment.target)
        if word.group().islower() and len(word.group()) > 7 and word.group() not in segment.source
    ]
    if not places:
        return None
    number, word = chance.choice(places)
    ending = chance.choice(["ture", "iate", "ness", "able", "ment", "tize"])
    target = document[number].target
    target = target[: word.end() - 3] + ending + target[word.end() :]
    document[number] = finished(document[number].id, document[number].source, target)
    return document[number].id


def invent_a_word_twice(document: Document, chance: random.Random) -> str | None:
    """The same, and the segment stands there once more: a draft's mistake that it made again."""
    key = invent_a_word(document, chance)
    if key is not None:
        segment = next(each for each in document if each.id == key)
        document.append(finished("+1", segment.source, segment.target))
    return key


DOCUMENT_PLANTERS: dict[str, DocumentPlanter] = {
    "repeated otherwise": repeat_otherwise,
    "another's translation": translate_the_wrong_one,
    "name written otherwise": write_a_name_otherwise,
    "subtitle too fast": show_too_short,
    "invented word": invent_a_word,
    "invented word, twice": invent_a_word_twice,
}


def documents_of(path: Path) -> Iterator[Document]:
    """The segments of each document, with their references."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            pairs = json.loads(line)["segments"]
            yield [finished(str(number), *pair) for number, pair in enumerate(pairs)]


SPELLER = Speller(dictionaries(), Path("no-file"), used_words())


def inventions_of(segment: Segment) -> tuple[str, ...]:
    """As the window asks, without a term base and the user's own words."""
    return SPELLER.invented("en_US", segment.target, words_of([segment.source]))


def document_warnings(document: Document) -> dict[str, tuple[Remark, ...]]:
    """What the checks say of each segment in its document."""
    others = check_others(document, inventions=inventions_of)
    return {each.id: (*check_segment(each), *others.get(each.id, ())) for each in document}


def planted_in(documents: list[Document], plant: DocumentPlanter, chance: random.Random) -> list[bool]:
    """Whether each of the errors is found that were planted in the documents drawn."""
    hits = []
    for document in chance.sample([each for each in documents if len(each) > 12], EACH):
        changed = list(document)
        before, key = document_warnings(document), plant(changed, chance)
        if key is not None:
            hits.append(len(document_warnings(changed)[key]) > len(before.get(key, ())))
    return hits


def warnings(recogniser: Recogniser, source: str, target: str) -> tuple[Remark, ...]:
    """All that the checks say."""
    segment = Segment("1", source, SegmentState(target, Status.EDITED))
    terms = check_terms_of(segment, check_terms(recogniser.find(source), target))
    return (*check_target(source, target), *terms)


def right_pairs() -> list[tuple[str, str]]:
    """Right translations that have raised, or could raise, a false alarm."""
    source_and_target = (line.split("\t") for line in RIGHT_PAIRS.read_text(encoding="utf-8").splitlines())
    return [(source, target) for source, target in source_and_target]


def main() -> None:
    """Print the share found of each kind, and the false alarms."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    options = parser.parse_args()
    documents = list(documents_of(options.corpus))
    pairs = [(segment.source, segment.target) for document in documents for segment in document]
    recogniser = Recogniser([TERM, PIECES])
    alarms = sum(bool(said) for document in documents for said in document_warnings(document).values())
    clean = [pair for pair in pairs if HAN.search(pair[0]) and not warnings(recogniser, *pair)]
    total = found = mended = right_ones = 0
    print(f"{'':26}{'found':>10}{'mended':>10}{'right':>7}")
    for name, plant in PLANTERS.items():
        chance = random.Random(f"7 {name}")
        drawn = chance.sample(clean, len(clean))
        planted = [made for pair in drawn if (made := plant(*pair, chance)) is not None][:EACH]
        said = [warnings(recogniser, source, wrong) for source, wrong, _ in planted]
        mends = [
            (mended_all(source, wrong, remarks), right)
            for (source, wrong, right), remarks in zip(planted, said, strict=True)
        ]
        hits, made_right = sum(map(bool, said)), sum(mend == right for mend, right in mends)
        offered = sum(bool(mend) for mend, _ in mends)
        total, found = total + len(planted), found + hits
        mended, right_ones = mended + offered, right_ones + made_right
        print(f"{name:26}{hits:4} of {len(planted)}{offered:10}{made_right:7}")
    for name, in_document in DOCUMENT_PLANTERS.items():
        hit = planted_in(documents, in_document, random.Random(f"7 {name}"))
        total, found = total + len(hit), found + sum(hit)
        print(f"{name:26}{sum(hit):4} of {len(hit)}")
    print(
        f"planted errors: {found} of {total} found ({found / total:.1%}), "
        f"{mended} mended, {right_ones} of them right"
    )
    right = right_pairs()
    misjudged = [source for source, target in right if check_target(source, target)]
    print(f"right pairs: {len(misjudged)} of {len(right)} with an alarm", *misjudged)
    share = 1000 * alarms / len(pairs)
    print(f"false alarms: {alarms} of {len(pairs)} references, {share:.1f} in 1,000")


if __name__ == "__main__":
    main()
