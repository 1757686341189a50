"""Evaluation of systems: scores, copied strings, repetition, comparison with a baseline, and tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anaphora_nmt.data.binary_corpus import length_ratio
from anaphora_nmt.errors import CorpusError
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
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_text.protected import find_protected

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LETTER = re.compile("[A-Za-z]")


@dataclass(frozen=True, slots=True)
class KeptStrings:
    """Number of strings in the sources (`total`), and of those that the outputs contain (`found`)."""

    found: int
    total: int

    @property
    def share(self) -> float:
        """found / total; 1 if `total` is 0."""
        return self.found / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class Copying:
    """Counts of the sources' protected strings (`find_protected`); "1,000" equals "1000".

    Attributes:
        numbers: strings without an ASCII letter, which are mostly numbers.
        identifiers: strings with an ASCII letter, such as code-like tokens, file names and addresses.
    """

    numbers: KeptStrings
    identifiers: KeptStrings


def measure_copying(sources: Iterable[str], outputs: Iterable[str]) -> Copying:
    """Count each source's strings in its output; a string counts at most as often as in the source."""
    found: Counter[bool] = Counter()
    total: Counter[bool] = Counter()
    for source, output in zip(sources, outputs, strict=True):
        output = _THOUSANDS.sub("", normalize_target(output))
        for string, times in _strings(source).items():
            is_number = _LETTER.search(string) is None
            total[is_number] += times
            found[is_number] += min(times, _occurrences(string, output))
    return Copying(KeptStrings(found[True], total[True]), KeptStrings(found[False], total[False]))


def _strings(source: str) -> Counter[str]:
    source = _THOUSANDS.sub("", normalize_source(source))
    return Counter(source[start:end] for start, end in find_protected(source))


def _occurrences(string: str, output: str) -> int:
    return len(re.findall(rf"(?<![A-Za-z0-9_]){re.escape(string)}(?![A-Za-z0-9_])", output))


_MAX_LENGTH_RATIO = 3.0


@dataclass(frozen=True, slots=True)
class Repetition:
    """Numbers of all outputs and of broken outputs of a test set.

    Attributes:
        outputs: all outputs.
        looping: outputs that repeat an n-gram immediately (see `has_loop`).
        empty: outputs without text.
        runaway: outputs more than three times as long as expected for their source.
    """

    outputs: int
    looping: int
    empty: int
    runaway: int

    @property
    def share(self) -> float:
        return self.looping / self.outputs if self.outputs else 0.0


def measure_repetition(sources: Iterable[str], outputs: Iterable[str]) -> Repetition:
    """Count the broken outputs; an output's loop does not count if the source has a loop, too."""
    pairs = list(zip(sources, outputs, strict=True))
    return Repetition(
        len(pairs),
        sum(has_loop(output) and not has_loop(source) for source, output in pairs),
        sum(not output.strip() for _, output in pairs),
        sum(is_runaway(source, output) for source, output in pairs),
    )


def is_runaway(source: str, output: str) -> bool:
    """True if the output is more than `_MAX_LENGTH_RATIO` times as long as expected for the source."""
    return length_ratio(source, output) > _MAX_LENGTH_RATIO


MIN_DOCUMENTS = 10  # minimum for the bootstrap, because resampling fewer documents is not meaningful


@dataclass(frozen=True)
class EvaluationSet:
    """The sources, one list for each set of references, and the document of each segment."""

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

    `by_document` tests BLEU by resampling whole documents; None with fewer than `MIN_DOCUMENTS`.
    """

    evaluation: Evaluation
    bleu: PairedDifference | None = None
    chrf: PairedDifference | None = None
    by_document: PairedDifference | None = None
    signs: SignTest | None = None


def evaluate(name: str, test: EvaluationSet, outputs: Sequence[str]) -> Evaluation:
    """Score one system. CorpusError if there are no outputs, or not as many as sources and references."""
    check_parallel(outputs, [test.sources, *test.references])
    by_document = None
    if test.documents:
        by_document = document_bleu(outputs, test.references, test.documents, test.lowercase)
    return Evaluation(
        name,
        len(outputs),
        corpus_bleu(outputs, test.references, test.lowercase),
        corpus_chrf(outputs, test.references, test.lowercase),
        by_document,
        measure_copying(test.sources, outputs),
        measure_repetition(test.sources, outputs),
    )


def compare(
    test: EvaluationSet, systems: Mapping[str, Sequence[str]], baseline: str, samples: int = 1000
) -> list[Comparison]:
    """Evaluate every system and test it against the baseline, whose result comes first.

    Raises CorpusError as `evaluate` does, and if `baseline` is not among the systems.
    """
    if baseline not in systems:
        raise CorpusError(f"there is no system {baseline!r}; available: {', '.join(systems)}")
    baseline_counts = _match_counts(test, systems[baseline])
    comparisons = [Comparison(evaluate(baseline, test, systems[baseline]))]
    is_resampled = test.documents and len(join_documents(test.sources, test.documents)) >= MIN_DOCUMENTS
    for name, outputs in systems.items():
        if name == baseline:
            continue
        counts, by_document = _match_counts(test, outputs), None
        if is_resampled:
            first, second = (each[0].by_document(test.documents) for each in (baseline_counts, counts))
            by_document = paired_bootstrap(first, second, samples)
        bleu, chrf = (paired_bootstrap(*pair, samples) for pair in zip(baseline_counts, counts, strict=True))
        signs = sign_test(baseline_counts[0], counts[0])
        comparisons.append(Comparison(evaluate(name, test, outputs), bleu, chrf, by_document, signs))
    return comparisons


def _match_counts(test: EvaluationSet, outputs: Sequence[str]) -> tuple[MatchCounts, MatchCounts]:
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
    minimum = 2 / (test.samples + 1) if isinstance(test, PairedDifference) else 0.001
    return f"≤ {minimum:.3f}" if test.p <= minimum else f"{test.p:.3f}"


def _percent(kept: KeptStrings) -> str:
    return f"{kept.share:.1%}" if kept.total else "–"
