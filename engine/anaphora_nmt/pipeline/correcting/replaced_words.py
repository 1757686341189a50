"""Replacement of a rejected rendering in the text of a draft, with matching inflection, case and article.

The rest of the sentence does not change. A new search with a required word would continue differently after
the word, and sometimes worse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import islice, product

from anaphora_nmt.corrections import Correction
from anaphora_nmt.pipeline.correcting.aligned_words import Span, TargetWords
from anaphora_text.function_words import FUNCTION_WORDS, article
from anaphora_text.inflections import certain_forms, fits, forms_like, is_plural, may_be, regular_singular
from anaphora_text.word_forms import lemmas, stem

_MAX_VERSIONS = 6
"""Maximum number of versions of a draft."""
_BEFORE_VERB = re.compile(
    r"to|will|would|can|could|may|might|must|shall|should|not|we|you|they|i|\w+(al|ous|ive|ate)ly"
)
_BEFORE_NOUN = re.compile("an?|the|this|that|these|those|of|in|for|with|by|on|its|their|your|each|any")
_DESCRIBED = re.compile(r"\ban? [\w-]+ $", re.IGNORECASE)
_OBJECT = re.compile(r" (an?|the|its|their|our|your|this|these|those|any|all) ", re.IGNORECASE)
_BEFORE_ONE = re.compile("1|one|an?|this|each|every|another|single")
ARTICLES = {"a", "an", "the"}
_WORD = re.compile(r"[\w'’-]+")
_MAX_NEIGHBOUR = 100
"""Maximum number of characters to search for the word next to a span."""
_PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
_VERB = re.compile(r" (is|was|has|does)\b")
_AFTER_PREPOSITION = re.compile(
    r"\b(of|in|on|at|for|with|to|from|by)\s+((the|an?|this|that)\s+)?$", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)


@dataclass(frozen=True)
class Replacement:
    """The replacement of a span of a draft.

    Attributes:
        start, end: character positions.
        texts: the fitting forms, without duplicates.
    """

    start: int
    end: int
    texts: tuple[str, ...]


def replacements(
    draft: str,
    words: TargetWords,
    sources: range,
    corrections: Sequence[Correction],
    neighbours: Set[int] | None = None,
) -> list[Replacement] | None:
    """Replacements of the rejected renderings of a phrase in a draft.

    Args:
        words: words of the draft.
        sources: source words of the phrase.
        corrections: corrections of the phrase.
        neighbours: numbers of the content words next to the phrase; None if unknown.
    Returns:
        the replacements; None if there is a place where no form of a chosen rendering fits.
    """
    places = {match.span(): match for each in corrections for match in each.rejected_places(draft)}
    aligned = [span for span in places if words.has_translation(sources, span)]
    fitting: list[Replacement] = []
    is_title = _is_title(draft)
    for span in sorted(aligned or places, key=lambda each: (each[0], -each[1])):
        if fitting and span[0] < fitting[-1].end:
            continue
        if _is_described(draft, span) and all(map(_describes, corrections)):
            continue
        forms = (form for each in corrections for form in _forms(draft, span, each, is_title))
        texts = dict.fromkeys(form for form in forms if not _doubles_a_word(draft, span, form))
        if not texts:
            return None
        end = span[1] if neighbours is None else _rendering_end(words, sources, span[1], neighbours)
        end = _compound_end(draft, end, texts)
        fitting.append(_agree_in_number(draft, Replacement(span[0], end, tuple(texts))))
    return fitting


def _agree_in_number(draft: str, new: Replacement) -> Replacement:
    """If a plural replaces a singular, extend the replacement to the article before and the verb after."""
    if not all(map(is_plural, new.texts)) or is_plural(draft[new.start : new.end]):
        return new
    article, verb = _ARTICLE.search(draft, 0, new.start), _VERB.match(draft, new.end)
    if _AFTER_PREPOSITION.search(draft, 0, new.start):
        verb = None  # the verb belongs to another noun: "the packaging of the goods is"
    start = new.start if article is None else article.start()
    texts = new.texts if verb is None else [f"{text} {_PLURAL[verb[1].lower()]}" for text in new.texts]
    return Replacement(start, new.end if verb is None else verb.end(), tuple(texts))


def _rendering_end(words: TargetWords, sources: range, end: int, neighbours: Set[int]) -> int:
    """The end of a rendering, including following words that translate the same source words.

    The end does not change if a content word beside the phrase has no translation, because the following
    words may be its translation.
    """
    content = words.content(words.whole)
    if not neighbours <= {words.renders[word] for word in content} - {*sources}:
        return end
    for word in content:
        if words.raw[word][0] == end + 1 and words.renders[word] in sources:
            end = words.raw[word][1]
    return end


def _compound_end(draft: str, end: int, texts: Iterable[str]) -> int:
    """The end of a rendering, including the next word if all texts end in it ("ship" in "spaceship")."""
    after = _WORD.match(draft, end + 1) if draft[end : end + 1] == " " else None
    word = "" if after is None else after[0].casefold()
    is_inside = len(word) > 2 and all(text.casefold().endswith(word) for text in texts)
    return after.end() if after is not None and is_inside else end


def _doubles_a_word(draft: str, span: Span, form: str) -> bool:
    """True if a form begins or ends like the word beside it: "stroke stroke", "head of the head"."""
    neighbours = draft[max(span[0] - _MAX_NEIGHBOUR, 0) : span[0]], draft[span[1] : span[1] + _MAX_NEIGHBOUR]
    words, before, after = (_WORD.findall(text.casefold()) for text in (form, *neighbours))
    left, right = ([word for word in near if word not in ARTICLES | {"of"}] for near in (before, after))
    return words[:1] == left[-1:] or [*map(stem, words[-1:])] == [*map(stem, right[:1])]


def _is_described(draft: str, span: Span) -> bool:
    """True if a content word comes right before a span, as "state" before "check"."""
    last = draft[: span[0]].rsplit(" ", 2)[-2:-1] if draft[: span[0]].endswith(" ") else []
    return any(word.isalpha() and word.casefold() not in FUNCTION_WORDS for word in last)


def _describes(correction: Correction) -> bool:
    """True if the chosen rendering adds words before the rejected one: "status check" for "check"."""
    head, rejected = correction.chosen.casefold().split(), correction.rejected.casefold().split()
    return len(head) > len(rejected) > 0 and stem(head[-1]) == stem(rejected[-1])


def apply_replacements(draft: str, changes: Sequence[Replacement]) -> list[str]:
    """At most `_MAX_VERSIONS` drafts with combinations of the replacements' forms, first forms first."""
    texts = []
    for forms in islice(product(*(each.texts for each in changes)), _MAX_VERSIONS):
        parts, end = [], 0
        for each, form in zip(changes, forms, strict=True):
            parts += [_with_article(draft[end : each.start], form), form]
            end = each.end
        texts.append("".join((*parts, draft[end:])))
    return texts


def _forms(draft: str, span: Span, correction: Correction, is_title: bool) -> tuple[str, ...]:
    """The forms of a chosen rendering that fit in the place of a span, in the span's letter case.

    A chosen rendering with a single form replaces only the rejected rendering itself, singular or plural.
    """
    old, before, chosen = draft[slice(*span)], draft[: span[0]].rsplit(None, 1), correction.chosen
    previous = before[-1].casefold().lstrip("(“") if before else ""
    kinds = "VN"
    is_base = lemmas(old.casefold()) == (old.casefold(),)
    if _BEFORE_NOUN.fullmatch(previous) or (is_base and _DESCRIBED.search(draft, 0, span[0])):
        kinds = "NJ"
    elif _BEFORE_VERB.fullmatch(previous) or (_OBJECT.match(draft, span[1]) and may_be(old, "V")):
        kinds = "V"
    elif "be" in lemmas(previous) and fits("defined", old, "J"):
        kinds = "J"  # "is preset to"
    singular, rejected = (regular_singular(text.casefold()) for text in (old, correction.rejected))
    if singular != rejected and certain_forms(chosen) == (chosen,):
        return ()
    forms = forms_like(chosen, old, kinds)
    if old.casefold() == correction.rejected.casefold():
        forms = tuple(dict.fromkeys((chosen, *forms)))  # in either number: "premises" for "store"
    fitting = [form for form in forms if kinds == "VN" or fits(form, old, kinds)]
    fitting = [form for form in fitting if form not in FUNCTION_WORDS]  # "including" for "containing"
    if _BEFORE_ONE.fullmatch(previous):
        fitting = [form for form in fitting if not is_plural(form)] or fitting
    return tuple(_in_case(form, old, is_title) for form in fitting)


def _is_title(draft: str) -> bool:
    words = draft.split()
    return sum(word[:1].isupper() for word in words) * 2 > len(words) > 1


def _in_case(form: str, old: str, is_title: bool) -> str:
    if old.isupper() and len(old) > 1:
        return form.upper()
    if not old[:1].isupper():
        return form
    if is_title:
        return " ".join(word[:1].upper() + word[1:] for word in form.split(" "))
    return form[:1].upper() + form[1:]


def _with_article(before: str, form: str) -> str:
    """The text before a form, with the matching indefinite article ("a" or "an") at its end."""
    old, right = _ARTICLE.search(before), article(form)
    if old is None or not right or old[1].casefold() == right:
        return before
    new = right.capitalize() if old[1][0].isupper() else right
    return before[: old.start()] + new + old[2]
