"""Redrafts drafts that are probably poor, with hints from the dictionary.

A hint is a noun of the source that the draft does not render, with its glosses. The model often does not
know such a word: 乌鸦 became "scabs". Hints constrain the search like terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from anaphora.core.draft_report import DraftReport, Hint
from anaphora.engine.jobs import EngineContext, without_overlaps
from anaphora.features.dictionary.entries import (
    PLACEHOLDERS,
    Dictionary,
    SourceWord,
    source_words,
    unrendered_words,
)
from anaphora.features.quality.expected_quality import is_unsure
from anaphora_nmt.types import Correction, DraftQuality, SearchOptions, SourceTerm, Suggestion
from anaphora_text.chinese_words import frequency, word_class
from anaphora_text.function_words import clashes
from anaphora_text.inflections import is_noun, plural
from anaphora_text.punctuation import AROUND_WORDS

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

FindHints = Callable[[str, Sequence[Correction]], Sequence[SourceTerm]]
"""Returns the hints for a draft, given the corrections that apply to its segment; see `lacking_words`."""
MAX_FREQUENCY = 5000
"""A word with a higher frequency in jieba's dictionary, such as 问题, gets no hint: the model knows it."""
MIN_LONG_DRAFT, MAX_DRAFT = 20, 25
"""Drafts of at least `MIN_LONG_DRAFT` words get hints only for source words of at least `MIN_PLAIN_WORD`
characters. Drafts of more than `MAX_DRAFT` words get no hints, because hints disturb their other words."""
MIN_PLAIN_WORD = 3
"""Source words with at least this many characters mostly have only one meaning (违约金, 麻醉药品)."""
MAX_HINTS = 6
MIN_GOOD_QUALITY = 0.45
"""Drafts get hints only if their expected chrF2 is below this, or if they are unsure (`is_unsure`)."""
MAX_LOSS = 0.15
"""Maximum by which the expected chrF2 of an accepted redraft may be below that of the first draft."""
_CLASSES = frozenset("nli")
"""Initials of jieba's classes of words that get hints: nouns, phrases and idioms. Hints for verbs would often
disturb the words around the verb ("has been fell")."""
_MAX_WORDS = 3
"""Maximum number of words in a gloss used as a hint; longer glosses are explanations."""


def lacking_words(
    source: str,
    draft: str,
    dictionary: Dictionary,
    confirmed: Iterable[tuple[str, str]] = (),
    corrections: Sequence[Correction] = (),
    current_draft: str = "",
) -> tuple[SourceTerm, ...]:
    """Nouns of a source that a draft does not render, with their translations in the dictionary.

    If confirmed sources contain a word, only the translations in their targets are returned or, if there are
    none, those in the current draft.

    Args:
        confirmed: pairs (source, target) of confirmed text.
        corrections: their rejected translations also count as translations in confirmed targets.
        current_draft: the segment's current target or tentative draft, which may differ from `draft`.
    """
    words = filter(_may_be_unknown, source_words(source, dictionary))
    lacking = [(word, forms) for word in unrendered_words(words, draft) if (forms := tuple(_forms(word)))]
    if not lacking:
        return ()
    context = [*confirmed], corrections, current_draft
    chosen = ((word, _consistent_forms(word.text, forms, *context)) for word, forms in lacking)
    usable = ((word, forms) for word, forms in chosen if forms)
    return tuple(
        SourceTerm(word.start, word.end, forms, clashes=clashes(forms), guessed=True)
        for word, forms in islice(usable, MAX_HINTS)
    )


def _consistent_forms(
    word: str,
    forms: tuple[str, ...],
    confirmed: Iterable[tuple[str, str]],
    corrections: Iterable[Correction],
    current_draft: str,
) -> tuple[str, ...]:
    targets = [target for source, target in confirmed if word in source]
    if not targets:
        return forms
    used = " / ".join((*targets, *(each.rejected for each in corrections if each.source == word)))

    def forms_in(text: str) -> tuple[str, ...]:
        return tuple(form for form in forms if Correction(word, "", form).chosen_in(text))

    return forms_in(used) or forms_in(current_draft)


def draft_with_hints(
    translator: Translator,
    document: str,
    segment: str,
    options: SearchOptions,
    cancel: Callable[[], bool] | None,
    terms: Sequence[SourceTerm],
    find_hints: FindHints,
) -> tuple[Suggestion, tuple[SourceTerm, ...]]:
    """Draft a segment, and redraft it with hints if the draft is short and probably poor.

    Returns:
        the draft, which counts in the memory unless it is unusable, and the hints used for it.
    Raises:
        Cancelled: `cancel()` returned True; by then, the memory may contain the first draft.
    """
    draft = translator.translate(document, segment, options, cancel, terms)
    hints: tuple[SourceTerm, ...] = ()
    if _needs_hints(draft.quality):
        corrections = [each for each in translator.corrections(document) if each.applies_in(segment)]
        hints = without_overlaps(_suitable_hints(find_hints(draft.text, corrections), draft.quality), terms)
    if hints:
        redraft = translator.translate(document, segment, options, cancel, (*terms, *hints))
        if _is_acceptable(draft, redraft):
            draft = redraft
        else:
            translator.restore(document, [(segment, draft.text, False)])
            hints = ()
    if draft.quality is not None and draft.quality.unusable:
        translator.count_draft(document, segment, False)
    return draft, hints


def drafter_with_hints(
    find_hints: Callable[[str, str, Sequence[Correction]], Sequence[SourceTerm]],
) -> Callable[[EngineContext, str, str], tuple[Suggestion, tuple[SourceTerm, ...]]]:
    """A drafter for the engine's thread; `find_hints` gets a segment's id, draft and corrections."""

    def draft(
        context: EngineContext, document: str, segment: str
    ) -> tuple[Suggestion, tuple[SourceTerm, ...]]:
        translator, options, terms = context.translator, context.options, context.terms(segment)
        find = partial(find_hints, segment)
        return draft_with_hints(translator, document, segment, options, context.stop, terms, find)

    return draft


def report_of(suggestion: Suggestion, hints: Sequence[SourceTerm] = ()) -> DraftReport | None:
    """The report to store with a draft; None if it would be empty. `draft_with_hints` returns the hints."""
    forms = ((term, term.form_in(suggestion.text)) for term in hints)
    words = tuple(Hint(term.start, term.end, form) for term, form in forms if form)
    quality = _without_invented(suggestion.quality, [hint.form for hint in words])
    return DraftReport.of(quality, suggestion.warnings, words)


def _without_invented(quality: DraftQuality | None, forms: Sequence[str]) -> DraftQuality | None:
    if quality is None or not forms:
        return quality
    known = {word for form in forms for word in form.casefold().split()}
    words = tuple(
        replace(word, invented=word.invented and word.word.strip(AROUND_WORDS).casefold() not in known)
        for word in quality.words
    )
    return replace(quality, words=words)


def _may_be_unknown(word: SourceWord) -> bool:
    return word_class(word.text)[:1] in _CLASSES and frequency(word.text) <= MAX_FREQUENCY


def _needs_hints(quality: DraftQuality | None) -> bool:
    if quality is None or not 0 < len(quality.words) <= MAX_DRAFT:
        return False
    return quality.expected < MIN_GOOD_QUALITY or is_unsure(quality)


def _suitable_hints(hints: Sequence[SourceTerm], quality: DraftQuality | None) -> tuple[SourceTerm, ...]:
    is_short = quality is not None and len(quality.words) < MIN_LONG_DRAFT
    return tuple(each for each in hints if is_short or each.end - each.start >= MIN_PLAIN_WORD)


def _is_acceptable(first: Suggestion, redraft: Suggestion) -> bool:
    if first.quality is None or redraft.quality is None:
        return False
    if not all(each.chosen_in(redraft.text) for each in first.corrections):
        return False
    return redraft.quality.expected >= first.quality.expected - MAX_LOSS


def _forms(word: SourceWord) -> Iterator[str]:
    """The short glosses that are nouns, each followed by its plural; none if the word is mainly a verb."""
    if word.entry.glosses[0].startswith("to "):
        return
    for gloss in word.entry.glosses:
        parts = gloss.split()
        is_plain = len(parts) <= _MAX_WORDS and gloss.isascii() and not PLACEHOLDERS & {*parts}
        if is_plain and parts[0] != "to" and is_noun(gloss):
            yield gloss
            if "of" not in parts and (plural_form := plural(gloss)) and plural_form not in word.entry.glosses:
                yield plural_form
