"""Whether the renderings that the ledger of terms shows are those that a reader finds.

    python tests/benchmarks/measure_ledger.py [--evidence both|model] [--list]

Counts against `tests/golden/terms/gold.tsv`. Each genre is one document, of its references and of its drafts.
A rendering is right if it is the reader's, articles and inflections apart. A term with several annotated
occurrences is inconsistent if their renderings differ. Evidence are what the model looks at and what it
loses by leaving a term out, and statistics over the texts of a genre, in which references count as confirmed;
both, as in the ledger, or the model alone.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.core.consistency import Occurrence, Term, group_renderings, normal_form
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.terms.link_statistics import LinkStatistics
from anaphora.terms.renderings import in_project, readings_of, settled, stretches_of
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import Explanation, SourceSegment

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True, slots=True)
class Gold:
    """An occurrence as a reader sees it.

    Attributes:
        segment: such as "reference 3".
        rendering: the words; empty where there are none.
    """

    genre: str
    segment: str
    term: str
    rendering: str


@dataclass(slots=True)
class Score:
    """What was found, against what there is."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __str__(self) -> str:
        """Precision and recall."""
        found, wanted = self.right + self.wrong, self.right + self.missed
        return (
            f"precision {self.right / max(found, 1):.3f} ({self.right} of {found}), "
            f"recall {self.right / max(wanted, 1):.3f} ({self.right} of {wanted})"
        )


def read_gold() -> list[Gold]:
    """The list that was made by hand."""
    with (GOLDEN / "terms" / "gold.tsv").open(encoding="utf-8", newline="") as file:
        return [
            Gold(row["genre"], f"{row['text']} {row['row']}", row["term"], row["rendering"])
            for row in csv.DictReader(file, delimiter="\t")
        ]


def read_texts(genre: str) -> dict[str, tuple[str, str]]:
    """Source and target of each segment of a genre: those of the references, and those of the drafts."""
    folder = GOLDEN / ("terms" if genre == "manual" else "genres")
    (document,) = read_documents(folder / f"{genre}.jsonl")
    texts = {f"reference {number}": pair for number, pair in enumerate(document.pairs)}
    parts = re.split(r"^# (\w+)\n", (GOLDEN / "terms" / "drafts.txt").read_text("utf-8"), flags=re.M)
    drafts = dict(zip(parts[1::2], parts[2::2], strict=True)).get(genre, "")
    for number, draft in enumerate(re.findall(r"^  (?!\()(.+)$", drafts, re.M)):
        texts[f"draft {number}"] = document.pairs[number][0], draft
    return texts


def align(
    translator: Translator, genre: str, texts: dict[str, tuple[str, str]], terms: Sequence[str]
) -> dict[str, Explanation]:
    """The model's word alignments, and what each place of a term did for each target word."""
    translator.open_document(genre, [SourceSegment(name, source) for name, (source, _) in texts.items()])
    found = {}
    for name, (source, target) in texts.items():
        places = tuple(dict.fromkeys(place for term in terms for place in stretches_of(term, source)))
        stretches = translator.stretch_influences(genre, name, target, places)
        explanation = translator.explain(genre, name, target, influence=False)
        found[name] = replace(explanation, stretches=stretches)
    return found


def count_words(texts: dict[str, tuple[str, str]]) -> LinkStatistics:
    """The statistics of a genre."""
    statistics = LinkStatistics()
    statistics.follow(
        Segment(
            name,
            source,
            SegmentState(target, Status.CONFIRMED if name.startswith("reference") else Status.DRAFT),
        )
        for name, (source, target) in texts.items()
    )
    return statistics


def count_renderings(gold: Sequence[Gold], found: Iterable[Occurrence], show: bool, score: Score) -> None:
    """Count what is right of the occurrences of one term."""
    texts: dict[str, list[str]] = defaultdict(list)
    for occurrence in found:
        texts[occurrence.segment].append(occurrence.text)
    for each in gold:
        said = list(dict.fromkeys(texts[each.segment]))
        wanted = normal_form(each.rendering)
        right = [text for text in said if wanted and normal_form(text) == wanted]
        score.right += bool(right)
        score.missed += bool(wanted) and not right
        score.wrong += len(said) - len(right)
        if show and (len(said) > len(right) or (wanted and not right)):
            print(f"    {each.genre}, {each.segment}: {each.term} is “{each.rendering}”, found {said}")


def is_inconsistent(term: str, occurrences: Sequence[Occurrence]) -> bool:
    """What the ledger says of a term."""
    places = tuple(dict.fromkeys(each.segment for each in occurrences))
    return not group_renderings(Term(term, places, len(occurrences)), occurrences).consistent


def main() -> None:
    """Print precision and recall of renderings, and of what is called inconsistent."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evidence", choices=("both", "model"), default="both")
    parser.add_argument("--list", action="store_true", help="name every difference")
    options = parser.parse_args()
    gold = read_gold()
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    renderings, flags = Score(), Score()
    for genre in dict.fromkeys(each.genre for each in gold):
        texts = read_texts(genre)
        terms = tuple(dict.fromkeys(each.term for each in gold if each.genre == genre))
        alignments, statistics = align(translator, genre, texts, terms), count_words(texts)
        for term in terms:
            wanted = [each for each in gold if (each.genre, each.term) == (genre, term)]
            holders = [name for name, (source, _) in texts.items() if stretches_of(term, source)]
            readings = [
                (name, reading)
                for name in holders
                for reading in readings_of(term, texts[name][0], alignments[name])
            ]
            if options.evidence == "both":
                readings = in_project(term, readings, statistics)
            found = settled(readings)
            count_renderings(wanted, found, options.list, renderings)
            places = {each.segment for each in wanted}
            said = is_inconsistent(term, [each for each in found if each.segment in places])
            forms = {normal_form(each.rendering) for each in wanted if each.rendering}
            flags.right += said and len(forms) > 1
            flags.wrong += said and len(forms) < 2
            flags.missed += len(forms) > 1 and not said
            if options.list and said != (len(forms) > 1):
                print(f"    {genre}: {term} has {sorted(forms)}")
    print(f"{len(gold)} occurrences in five genres")
    print(f"renderings: {renderings}")
    print(f"inconsistent terms: {flags}")


if __name__ == "__main__":
    main()
