"""Drafts that are likely to be poor are made again with nouns of the dictionary that they lack.

In drafts that are probably poor, the model often does not know a word at all: 乌鸦 became "scabs".
A gloss constrains search like a term; the model chooses the gloss and its form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from anaphora.core.draft_report import DraftReport, Hint
from anaphora.engine.context import EngineContext, beside_terms
from anaphora.features.dictionary.entries import PLACEHOLDERS, Dictionary
from anaphora.features.dictionary.source_words import SourceWord, source_words
from anaphora.features.dictionary.unrendered import unrendered
from anaphora.features.quality.expected_quality import is_unsure
from anaphora_nmt.types import Correction, DraftQuality, SearchOptions, SourceTerm, Suggestion
from anaphora_text.chinese_words import frequency, word_class
from anaphora_text.determiners import clashes
from anaphora_text.inflections import is_noun, plural
from anaphora_text.punctuation import AROUND_WORDS

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

Lacking = Callable[[str, Sequence[Correction]], Sequence[SourceTerm]]
"""Finds the dictionary's words for source words that a draft does not render."""
COMMON = 5000
"""Words that occur more often than this in jieba's dictionary, such as 问题, the model knows."""
SHORT, SHORTER_THAN = 20, 26
"""Words of drafts: those below the first get all hints; those below the second only hints of words that the
draft plainly misses, for of a longer one a word is a small part, and disturbs the rest."""
PLAIN = 3
"""Characters from which on a word is plainly missed: it has one meaning mostly (违约金, 麻醉药品)."""
MOST_HINTS = 6
"""One draft gets no more hints than this."""
HINTED_BELOW = 0.45
"""A draft that is expected to have less chrF2 than this gets hints; a better one has its own words."""
MOST_LOST = 0.15
"""A draft that is expected to have so much less chrF2 than the one before is given up."""
_CLASSES = frozenset("nli")
"""Nouns, phrases and idioms. Verbs were tried: half of them disturb what stands around ("has been fell")."""
_MOST_WORDS = 3
"""Longer glosses are explanations."""


def lacking_words(
    source: str,
    draft: str,
    dictionary: Dictionary,
    confirmed: Iterable[tuple[str, str]] = (),
    corrections: Sequence[Correction] = (),
    before: str = "",
) -> tuple[SourceTerm, ...]:
    """Nouns of a source of which a draft has nothing, and what the dictionary calls them.

    A confirmed word is translated as it was confirmed, or as it was before a correction, which
    the draft then follows. Otherwise as in the draft before, or it is left to the memory.

    Args:
        source: with its tags.
        confirmed: confirmed sources and translations.
        corrections: that hold in the segment.
        before: the draft that stands there.
    """
    words = filter(_may_be_unknown, source_words(source, dictionary))
    lacking = [(word, forms) for word in unrendered(words, draft) if (forms := tuple(_forms(word)))]
    if not lacking:
        return ()
    settled = [*confirmed]
    called = ((word, _settled(word.text, forms, settled, corrections, before)) for word, forms in lacking)
    given = ((word, forms) for word, forms in called if forms)
    return tuple(
        SourceTerm(word.start, word.end, forms, clashes=clashes(forms), guessed=True)
        for word, forms in islice(given, MOST_HINTS)
    )


def _settled(
    word: str,
    forms: tuple[str, ...],
    confirmed: Iterable[tuple[str, str]],
    corrections: Iterable[Correction],
    before: str,
) -> tuple[str, ...]:
    """Of the forms of a word those that its confirmed translations have, or had before they were corrected,
    or those of the draft before; all, where nothing was confirmed."""
    targets = [target for source, target in confirmed if word in source]
    if not targets:
        return forms
    said = " / ".join((*targets, *(each.rejected for each in corrections if each.source == word)))

    def found(text: str) -> tuple[str, ...]:
        return tuple(form for form in forms if Correction(word, "", form).chosen_in(text))

    return found(said) or found(before)


def draft_with_words(
    translator: Translator,
    document: str,
    segment: str,
    options: SearchOptions,
    cancel: Callable[[], bool] | None,
    terms: Sequence[SourceTerm],
    lacking: Lacking,
) -> tuple[Suggestion, tuple[SourceTerm, ...]]:
    """A segment's draft, made again with words that it lacks if it is likely to be poor.

    The draft that is returned is the one that counts in the memory, unless it is unusable: what does not
    stand in the document teaches nothing. The first one need not be searched for once more to be put back.

    Returns:
        the draft, and the words that it was made again with; none, if that gained nothing.
    Raises:
        Cancelled: `cancel()` returned True; the first draft may count in the memory.
    """
    draft = translator.translate(document, segment, options, cancel, terms)
    words: tuple[SourceTerm, ...] = ()
    if _may_get_hints(draft.quality):
        kept = [each for each in translator.corrections(document) if each.applies_in(segment)]
        words = beside_terms(_worth_it(lacking(draft.text, kept), draft.quality), terms)
    if words:
        second = translator.translate(document, segment, options, cancel, (*terms, *words))
        if _is_acceptable(draft, second):
            draft = second
        else:
            translator.restore(document, [(segment, draft.text, False)])
            words = ()
    if draft.quality is not None and draft.quality.unusable:
        translator.count_draft(document, segment, False)
    return draft, words


def hinted(
    lacking: Callable[[str, str, Sequence[Correction]], Sequence[SourceTerm]],
) -> Callable[[EngineContext, str, str], tuple[Suggestion, tuple[SourceTerm, ...]]]:
    """Drafts a segment in the engine's thread, with hints where its draft is probably poor.
    `lacking`: words that a draft of a segment lacks, by its id."""

    def draft(
        context: EngineContext, document: str, segment: str
    ) -> tuple[Suggestion, tuple[SourceTerm, ...]]:
        translator, options, terms = context.translator, context.options, context.terms(segment)
        lacks = partial(lacking, segment)
        return draft_with_words(translator, document, segment, options, context.stop, terms, lacks)

    return draft


def report_of(suggestion: Suggestion, hints: Sequence[SourceTerm] = ()) -> DraftReport | None:
    """The stored report of a draft. `hints`: as `draft_with_words` returned it."""
    forms = ((term, term.form_in(suggestion.text)) for term in hints)
    words = tuple(Hint(term.start, term.end, form) for term, form in forms if form)
    quality = _without_invented(suggestion.quality, [hint.form for hint in words])
    return DraftReport.of(quality, suggestion.warnings, words)


def _without_invented(quality: DraftQuality | None, forms: Sequence[str]) -> DraftQuality | None:
    """The report of a draft, in which words of the dictionary do not count as invented."""
    if quality is None or not forms:
        return quality
    known = {word for form in forms for word in form.casefold().split()}
    words = tuple(
        replace(word, invented=word.invented and word.word.strip(AROUND_WORDS).casefold() not in known)
        for word in quality.words
    )
    return replace(quality, words=words)


def _may_be_unknown(word: SourceWord) -> bool:
    return word_class(word.text)[:1] in _CLASSES and frequency(word.text) <= COMMON


def _may_get_hints(quality: DraftQuality | None) -> bool:
    """True if a draft is short and probably poor; models without a fitted estimate judge no words."""
    if quality is None or not 0 < len(quality.words) < SHORTER_THAN:
        return False
    return quality.expected < HINTED_BELOW or is_unsure(quality)


def _worth_it(words: Sequence[SourceTerm], quality: DraftQuality | None) -> tuple[SourceTerm, ...]:
    """The hints that a draft of its length may get."""
    is_short = quality is not None and len(quality.words) < SHORT
    return tuple(word for word in words if is_short or word.end - word.start >= PLAIN)


def _is_acceptable(first: Suggestion, second: Suggestion) -> bool:
    if first.quality is None or second.quality is None:
        return False
    if not all(each.chosen_in(second.text) for each in first.corrections):
        return False
    return second.quality.expected >= first.quality.expected - MOST_LOST


def _forms(word: SourceWord) -> Iterator[str]:
    """The glosses that are nouns, and their plurals, each once; of what is a verb first of all, none."""
    if word.entry.glosses[0].startswith("to "):
        return
    for gloss in word.entry.glosses:
        parts = gloss.split()
        short = len(parts) <= _MOST_WORDS and gloss.isascii() and not PLACEHOLDERS & {*parts}
        if short and parts[0] != "to" and is_noun(gloss):
            yield gloss
            if "of" not in parts and (several := plural(gloss)) and several not in word.entry.glosses:
                yield several
