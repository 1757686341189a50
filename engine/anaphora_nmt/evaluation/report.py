"""Evaluation results and tables of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.evaluation.repetition import Copying, Kept, Repetition, measure_copying, measure_repetition
from anaphora_nmt.evaluation.significance import (
    MatchCounts,
    PairedDifference,
    Score,
    SignTest,
    check_parallel,
    corpus_bleu,
    corpus_chrf,
    count_matches,
    document_bleu,
    join_documents,
    paired_bootstrap,
    sign_test,
)

FEWEST_DOCUMENTS = 10  # resampling fewer is not meaningful


@dataclass(frozen=True)
class EvaluationSet:
    """Sources, one list for each set of references, and the document of each segment, if known."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    documents: Sequence[object] = ()
    lowercase: bool = False


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A system's scores on one test set; `document_bleu` is None without document boundaries."""

    name: str
    segments: int
    bleu: Score
    chrf: Score
    document_bleu: Score | None
    copying: Copying
    repetition: Repetition


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system compared with a baseline; the tests are None for the baseline itself.

    `by_document` is the bootstrap of BLEU over whole documents; None for fewer than `FEWEST_DOCUMENTS`.
    """

    evaluation: Evaluation
    bleu: PairedDifference | None = None
    chrf: PairedDifference | None = None
    by_document: PairedDifference | None = None
    signs: SignTest | None = None


def evaluate(name: str, test: EvaluationSet, outputs: Sequence[str]) -> Evaluation:
    """Score one system. CorpusError: the number of outputs is 0 or differs from that of the segments."""
    check_parallel(outputs, [test.sources, *test.references])
    whole = None
    if test.documents:
        whole = document_bleu(outputs, test.references, test.documents, test.lowercase)
    return Evaluation(
        name,
        len(outputs),
        corpus_bleu(outputs, test.references, test.lowercase),
        corpus_chrf(outputs, test.references, test.lowercase),
        whole,
        measure_copying(test.sources, outputs),
        measure_repetition(test.sources, outputs),
    )


def compare(
    test: EvaluationSet, systems: Mapping[str, Sequence[str]], baseline: str, samples: int = 1000
) -> list[Comparison]:
    """Evaluate every system and test each against the baseline, which comes first.

    CorpusError: as for `evaluate`, or `baseline` is not among the systems.
    """
    if baseline not in systems:
        raise CorpusError(f"there is no system {baseline!r}; there are: {', '.join(systems)}")
    before = _count(test, systems[baseline])
    comparisons = [Comparison(evaluate(baseline, test, systems[baseline]))]
    enough = test.documents and len(join_documents(test.sources, test.documents)) >= FEWEST_DOCUMENTS
    for name, outputs in systems.items():
        if name == baseline:
            continue
        after, by_document = _count(test, outputs), None
        if enough:
            one, other = (counts[0].by_document(test.documents) for counts in (before, after))
            by_document = paired_bootstrap(one, other, samples)
        bleu, chrf = (paired_bootstrap(*pair, samples) for pair in zip(before, after, strict=True))
        signs = sign_test(before[0], after[0])
        comparisons.append(Comparison(evaluate(name, test, outputs), bleu, chrf, by_document, signs))
    return comparisons


def _count(test: EvaluationSet, outputs: Sequence[str]) -> tuple[MatchCounts, MatchCounts]:
    """Match counts for BLEU and chrF2."""
    bleu, chrf = (
        count_matches(metric, outputs, test.references, test.lowercase) for metric in ("BLEU", "chrF2")
    )
    return bleu, chrf


_COLUMNS = (
    *("system", "BLEU", "p", "p (documents)", "better / worse", "p (signs)", "chrF2", "p", "document BLEU"),
    *("numbers kept", "identifiers kept", "loops", "empty", "runaway"),
)


def markdown_table(comparisons: Sequence[Comparison]) -> str:
    """A Markdown table with a row for each system, and the metrics' signatures below it."""
    lines = [_row(_COLUMNS), _row(["---"] + ["---:"] * (len(_COLUMNS) - 1))]
    lines += [markdown_row(comparison) for comparison in comparisons]
    scores = [
        score
        for comparison in comparisons
        for score in (comparison.evaluation.bleu, comparison.evaluation.chrf)
    ]
    signatures = dict.fromkeys(score.signature for score in scores)
    return "\n".join([*lines, "", *(f"`{signature}`  " for signature in signatures)]) + "\n"


def markdown_row(comparison: Comparison) -> str:
    system, signs = comparison.evaluation, comparison.signs
    name = system.name.replace("\\", "\\\\").replace("|", "\\|")
    cells = [
        name,
        _with_difference(system.bleu, comparison.bleu),
        _probability(comparison.bleu),
        _probability(comparison.by_document),
        f"{signs.better} / {signs.worse}" if signs else "",
        _probability(signs),
        _with_difference(system.chrf, comparison.chrf),
        _probability(comparison.chrf),
        f"{system.document_bleu.value:.2f}" if system.document_bleu else "",
        _percent(system.copying.numbers),
        _percent(system.copying.identifiers),
        f"{system.repetition.share:.1%}",
        str(system.repetition.empty),
        str(system.repetition.runaway),
    ]
    return _row(cells)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _with_difference(score: Score, difference: PairedDifference | None) -> str:
    return f"{score.value:.2f}" + (f" ({difference.difference:+.2f})" if difference else "")


def _probability(test: PairedDifference | SignTest | None) -> str:
    if test is None:
        return ""
    least = 2 / (test.samples + 1) if isinstance(test, PairedDifference) else 0.001
    return f"≤ {least:.3f}" if test.p <= least else f"{test.p:.3f}"


def _percent(kept: Kept) -> str:
    return f"{kept.share:.1%}" if kept.total else "–"
