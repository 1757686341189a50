"""The results page's tables of what was measured beside BLEU."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from experiments.page.markdown import NONE, NOT_RUN, Json, commands, numbers, percents, probability, table
from experiments.page.results import SETS, Results, RunResult

_COMMAND = commands("python -m experiments measure RUNS/NAME --data DATA")
_CACHES = ("first_topic", "document_topic", "document_both", "sentence_topic", "sentence_both")
_ALIGNMENT = """\
On 100 pairs of docs-dev that were aligned by hand. AER: under forced decoding each English token is linked
with the Chinese token that it attends to most; attention of pieces is summed to words. Under- and
over-translated: share of the source's content words, estimated on the systems' own outputs by a lexicon
counted in the training text's alignments (`measures/adequacy.py` says how). Printed (Meng et al., 2018):
AER 39.97 → 35.39 from RNNSearch to two rounds with the EOS objective (Table 2); under-translated 13.1 % →
9.7 %, over-translated 2.7 % → 1.3 %, counted by people (Table 3)."""


@dataclass(frozen=True)
class _Kind:
    """A table for each test set: what it says, its columns, and their values in a file of measures."""

    title: str
    text: str
    columns: tuple[str, ...]
    cells: Callable[[Json], list[str]]


_KINDS = (
    _Kind(
        "Words shared with the caches",
        """\
Words of the translations that the topic cache, or either cache, holds, once a sentence; averages, and how far
documents' sentences are from their reference's (nearer is better; more than the reference has is no gain).
Printed, every repetition counted (Kuang et al., 2018, Tables 3 and 4): 1.78 → 1.96 words of a document's
first sentence are in the topic cache, reference 2.09; of the system with both caches 30.27 and 81.16 words a
document, 2.61 and 6.73 a sentence. Here the caches are those that each system's own text makes, whether it
has caches or not, so that baselines and the reference can be compared.""",
        (
            "first sentence, topic",
            "document, topic",
            "document, both",
            "sentence, topic",
            "sentence, both",
            "from the reference",
        ),
        lambda measures: [
            *numbers(measures.get("cache_types"), _CACHES, 2),
            _distance(measures, "cache_types"),
        ],
    ),
    _Kind(
        "Coherence",
        """\
Mean cosine of adjacent sentences. Printed: 0.4259 → 0.4274, reference 0.4347 (Kuang et al., 2018, Table 6,
word2vec); 0.62 → 0.66, reference 0.67 (CAMN, Table 5, BERT). Word vectors: truncated SVD of the training
text's positive PMI. Encoder: multilingual-e5-small, all layers.""",
        ("word vectors", "encoder"),
        lambda measures: numbers(measures.get("coherence"), ("vectors", "encoder"), 4),
    ),
    _Kind(
        "Consistency",
        """\
Content words of a sentence that the three sentences before, or after, have too, once a sentence, and how far
documents are from their reference before (nearer is better; more than the reference has is no gain).
Printed, every repetition counted: 1.04 → 1.12 and 1.05 → 1.15, reference 1.22 and 1.23 (CAMN, Table 3). Terms
alike: of a source term's occurrences in a document, the pairs that are rendered by the same word; then the
terms with one rendering only. More than the reference has is no gain there either.""",
        ("3 before", "3 after", "from the reference", "terms alike", "terms with one rendering"),
        lambda measures: [
            *numbers(measures.get("context_types"), ("previous", "following"), 2),
            _distance(measures, "context_types"),
            *percents(measures.get("terms"), ("share", "single")),
        ],
    ),
    _Kind(
        "Disambiguation",
        """\
Standard deviation of the counts of an ambiguous word's translations: the words' mean, and all counts
together; the nearer to the reference the better. Printed: 2691.81 → 1380.87, reference 652.15 (CAMN, Table
4), by another dictionary on a larger set.""",
        ("mean deviation", "pooled deviation", "dictionary"),
        lambda measures: [
            *numbers(measures.get("disambiguation"), ("deviation", "pooled"), 2),
            str((measures.get("disambiguation") or {}).get("dictionary", NONE)),
        ],
    ),
)


def _distance(measures: Json, kind: str) -> str:
    return numbers((measures.get(kind) or {}).get("from_reference"), ("distance",), 2)[0]


def alignment_section(results: Results) -> str:
    """AER, and under- and over-translation (Meng et al., 2018, Tables 2 and 3)."""
    columns = [
        "system",
        "AER",
        "Δ",
        "p (pairs)",
        "of each round",
        "precision",
        "recall",
        "under-translated",
        "over-translated",
    ]
    rows = [_alignment_row(run) for run in results.measured() if run.model or "docs-dev" in run.sets]
    shown = table(*_used(columns, rows)) if rows else NOT_RUN
    return f"## Alignment and adequacy\n\n{_ALIGNMENT}\n\n{shown}\n\n{_COMMAND}"


def context_section(results: Results) -> str:
    """Words shared with the caches, coherence, consistency, disambiguation."""
    sections = []
    for kind in _KINDS:
        if tables := [shown for name in SETS if (shown := _table(results, name, kind))]:
            sections.append(f"### {kind.title}\n\n{kind.text}\n\n" + "\n\n".join(tables))
    if not sections:
        return ""
    return "## Words, consistency, coherence\n\n" + "\n\n".join(sections) + f"\n\n{_COMMAND}"


def _alignment_row(run: RunResult) -> list[str]:
    error = (run.model or {}).get("alignment", {}).get("error", {})
    rounds = error.get("rounds", ())
    return [
        run.label,
        *percents(error, ("rate",)),
        *_alignment_difference(run),
        " → ".join(f"{rate:.1%}" for rate in rounds) if len(rounds) > 1 else NONE,
        *percents(error, ("precision", "recall")),
        *percents(run.sets.get("docs-dev", {}).get("adequacy"), ("under_share", "over_share")),
    ]


def _alignment_difference(run: RunResult) -> list[str]:
    """The difference from its baseline's AER, in points, and the paired bootstrap over the pairs."""
    tested = (run.model or {}).get("alignment", {}).get("difference")
    return [f"{tested['difference']:+.2f}", probability(tested)] if tested else [NONE] * 2


def _table(results: Results, name: str, kind: _Kind) -> str:
    """Rows of the runs with any of the values; columns that none of them has are left out."""
    found = [(run.label, kind.cells(run.sets[name])) for run in results.measured() if name in run.sets]
    rows = [[label, *cells] for label, cells in found if set(cells) != {NONE}]
    if not rows:
        return ""
    reference = results.references.get(name)
    last = [["reference", *kind.cells(reference)]] if reference is not None else []
    return table(*_used([name, *kind.columns], rows, last))


def _used(
    columns: list[str], rows: list[list[str]], last: Sequence[list[str]] = ()
) -> tuple[list[str], list[list[str]]]:
    """A table without the columns in which no row says anything; the last rows do not count."""
    kept = [0, *(place for place in range(1, len(columns)) if any(row[place] != NONE for row in rows))]
    return [columns[place] for place in kept], [[row[place] for place in kept] for row in (*rows, *last)]
