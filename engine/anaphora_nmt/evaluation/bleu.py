"""BLEU and chrF of a corpus by sacrebleu, with its signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.metrics import BLEU, CHRF

from anaphora_nmt.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Score:
    """A score from 0 to 100, and sacrebleu's signature, which makes it reproducible."""

    value: float
    signature: str


def corpus_bleu(
    outputs: Sequence[str], references: Sequence[Sequence[str]], lowercase: bool = False
) -> Score:
    """BLEU of detokenised translations. CorpusError: there are no outputs, or the lengths differ."""
    return _score(bleu_metric(lowercase), outputs, references)


def corpus_chrf(
    outputs: Sequence[str], references: Sequence[Sequence[str]], lowercase: bool = False
) -> Score:
    """chrF2 of a corpus; arguments and errors as for `corpus_bleu`."""
    return _score(chrf_metric(lowercase), outputs, references)


def document_bleu(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    documents: Sequence[object],
    lowercase: bool = False,
) -> Score:
    """BLEU with each run of equal `documents` as one segment, in which n-grams may match anywhere."""
    check_parallel(outputs, [*references, documents])
    joined = [join_documents(reference, documents) for reference in references]
    return corpus_bleu(join_documents(outputs, documents), joined, lowercase)


def join_documents(lines: Sequence[str], documents: Sequence[object]) -> list[str]:
    """One line for each run of equal `documents`."""
    joined: list[list[str]] = []
    for number, line in enumerate(lines):
        if number == 0 or documents[number] != documents[number - 1]:
            joined.append([])
        joined[-1].append(line)
    return [" ".join(parts) for parts in joined]


def bleu_metric(lowercase: bool = False) -> BLEU:
    # `force` only silences a warning about outputs that end in " ."
    return BLEU(lowercase=lowercase, force=True)


def chrf_metric(lowercase: bool = False) -> CHRF:
    return CHRF(lowercase=lowercase)


def check_parallel(outputs: Sequence[str], others: Sequence[Sequence[object]]) -> None:
    """Raise CorpusError if there are no outputs, or if another list has a different length."""
    if not outputs:
        raise CorpusError("there is no output to evaluate")
    for other in others:
        if len(other) != len(outputs):
            raise CorpusError(
                f"{len(outputs)} outputs, but {len(other)} lines to compare them with; use the same test set"
            )


def _score(metric: BLEU | CHRF, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    check_parallel(outputs, references)
    score = metric.corpus_score(list(outputs), [list(reference) for reference in references]).score
    return Score(float(score), str(metric.get_signature()))
