"""Inflected forms of English terms, such as "ledgers" for "ledger"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from anaphora_text.function_words import PRONOUNS

_VERB_TAGS = ("VB", "VBZ", "VBD", "VBN", "VBG", "VBP")
_MAX_WORDS = 8


_PARTICLES = "up down in out on off over away back to into onto with from for at about by"
PARTICLES = frozenset(_PARTICLES.split())
_WITH_VERBS = PARTICLES | {"the", "a", "an", "it", "its", "one", "all", "them"}
_LIGHT_VERBS = frozenset(("take", "make", "give", "have", "do", "get", "keep", "put"))


def certain_forms(term: str) -> tuple[str, ...]:
    """The `inflections` that are certainly correct, so that a draft may be required to use one of them.

    "Accounted book" is not a form of "account book", and "warned" is not a form of "warning".
    """
    words = term.split()
    if words and (is_only_plural(term) or words[0].lower() in PRONOUNS):
        return (term,)
    if len(words) == 1 and _is_noun_in_ing(term):
        return tuple(dict.fromkeys((term, *_noun_forms(term))))
    if len(words) < 2 or words[1].lower() in _WITH_VERBS or words[0].lower() in _LIGHT_VERBS:
        return inflections(term)
    return tuple(form for form in inflections(term) if form.split()[0] == words[0])


@lru_cache(maxsize=8_000)
def inflections(term: str) -> tuple[str, ...]:
    """A term and its inflected forms; the term comes first. The first call is slow.

    The last word is inflected as a noun, and the first word as a verb if it can be one and is not a name
    ("Party A"); a single word is inflected in all ways. Words in capitals only get a plural.
    """
    words = term.split()
    if not words or len(words) > _MAX_WORDS or not term.isascii():
        return (term,)
    forms = [term]
    if len(words) == 1:
        forms += _all_forms(words[0])
    else:
        forms += [" ".join([*words[:-1], form]) for form in _noun_forms(words[-1])]
        if words[0].islower():
            forms += [" ".join([form, *words[1:]]) for form in _verb_forms(words[0])]
    return tuple(dict.fromkeys(forms))


def forms_like(term: str, replaced: str, kinds: str = "NVJ") -> tuple[str, ...]:
    """The forms of a term with the same inflection as the words `replaced`, which the term replaces.

    The result is empty if no form fits. If the words are unknown, it is `certain_forms`.

    Args:
        kinds: the parts of speech allowed in place of `replaced`, as the first letters of Penn tags: N, V, J.
    """
    forms, tags = certain_forms(term), _phrase_tags(replaced)
    if is_only_plural(replaced) and regular_singular(replaced) != replaced:
        tags -= {"NN"}  # "troops" is never singular; "data" may be
    form_tags = {form: _phrase_tags(form) | _own_plural(form) for form in forms}
    if _is_phrasal(term):
        tags = frozenset(tag for tag in tags if tag[0] == "V") or tags
    if not tags or not all(form_tags.values()):
        return () if tags and not may_be(replaced, "NJ") else forms  # unknown words count as nouns
    numbers = _number_tags(replaced)  # not "fire channels" for "fire lane", although "fire" can be a verb
    form_tags = {form: own for form, own in form_tags.items() if not numbers or numbers & own} or form_tags
    # The term itself is preferred if it fits the grammar.
    if form_tags.get(term, frozenset()) & (tags if kinds != "V" else {tag for tag in tags if tag[0] == "V"}):
        return (term,)
    wanted = {tag for tag in tags if tag[0] in kinds} or tags
    return tuple(form for form, own in form_tags.items() if own & wanted)


def fits(term: str, replaced: str, kinds: str) -> bool:
    """True if a term is unknown, can be one of the `kinds`, or is a participle like the replaced words.

    Every term fits if `kinds` is "V" and the replaced words cannot be a verb.
    """
    term_tags, tags = _phrase_tags(term), _phrase_tags(replaced)
    is_known = term_tags or (kinds == "V" and term != term.lower())
    if not is_known or (kinds == "V" and not may_be(replaced, "V")):
        return True
    return bool(term_tags & tags & {"VBG", "VBN"}) or may_be(term, kinds)


def may_be(term: str, kinds: str) -> bool:
    return any(tag[0] in kinds for tag in _phrase_tags(term))


def may_take_place_of(term: str, replaced: str) -> bool:
    """True if a term may replace words as it is (not "involved" for "participate"), or if one is unknown."""
    term_tags, tags = _phrase_tags(term), _phrase_tags(replaced)
    are_nominal = any(tag[0] in "NJ" for tag in term_tags) and any(tag[0] in "NJ" for tag in tags)
    return not term_tags or not tags or are_nominal or bool(term_tags & tags)


def in_singular(term: str, other: str) -> tuple[str, str]:
    """Two terms with their last words in the singular; both stay unchanged unless both have a singular."""
    first, second = _singular(term), _singular(other)
    return (first, second) if first and second else (term, other)


def is_plural(term: str) -> bool:
    return "NNS" in penn_tags(term.split()[-1])


def is_only_plural(term: str) -> bool:
    """True if a term's last word is a plural with its own meaning: "goods", "damages"."""
    return is_plural(term) and "NN" in penn_tags(term.split()[-1])


def _singular(term: str) -> str:
    from lemminflect import getAllLemmas

    head, space, word = term.rpartition(" ")
    if not is_plural(term) or is_only_plural(term):
        return ""
    (form, *_) = _with_case_of(word, getAllLemmas(word.lower()).get("NOUN", (word.lower(),)))
    return f"{head}{space}{form}"


def _phrase_tags(phrase: str) -> frozenset[str]:
    words = phrase.split()
    verb = frozenset(tag for tag in penn_tags(words[0]) if tag[0] == "V")
    return verb if verb and _is_phrasal(phrase) else verb | penn_tags(words[-1])


def _own_plural(phrase: str) -> frozenset[str]:
    """The tag NNS if the last word is its own plural: "people", "personnel"."""
    last = phrase.split()[-1]
    return frozenset({"NNS"} if _plurals(last) == (last,) else ())


def _number_tags(phrase: str) -> frozenset[str]:
    *before, last = phrase.split()
    return penn_tags(last) & {"NN", "NNS"} if before else frozenset()


def _is_phrasal(phrase: str) -> bool:
    words = phrase.split()
    return len(words) == 2 and words[1].lower() in PARTICLES


@lru_cache(maxsize=8_000)
def penn_tags(word: str) -> frozenset[str]:
    """The Penn tags, except VBP, that a word may have as a noun, verb or adjective: NN, NNS, VB, JJ …"""
    from lemminflect import getAllInflections, getAllLemmas

    lower = word.lower()
    inflected = {lemma: getAllInflections(lemma) for group in getAllLemmas(lower).values() for lemma in group}
    tags = {
        tag
        for lemma, known in inflected.items()
        for tag, forms in known.items()
        if lower in forms and tag[0] in "NVJ" and tag != "VBP" and not (tag == "NNS" and lower == lemma)
    }
    if any(lower in known.get("VBD", ()) and "VBN" not in known for known in inflected.values()):
        tags.add("VBN")  # the dictionary omits participles that equal the past tense
    if lower == "complete":
        tags.add("JJ")  # the dictionary lacks this adjective
    return frozenset(tags)


def _is_noun_in_ing(word: str) -> bool:
    """True for a noun that looks like a form of a verb, but has its own entry: "warning", "setting"."""
    from lemminflect import getAllLemmas

    lower = word.lower()
    lemmas = getAllLemmas(lower)
    return lower.endswith("ing") and lower in lemmas.get("NOUN", ()) and lower not in lemmas.get("VERB", ())


def is_noun(term: str) -> bool:
    """True if a term's last word may be a noun, such as a name or an unknown word. The first call is slow."""
    from lemminflect import getAllLemmas

    word = term.split()[-1].rpartition("-")[2]
    lemmas = getAllLemmas(word.lower())
    return not lemmas or "NOUN" in lemmas or word[:1].isupper()


def plural(term: str) -> str:
    """A term with its last word in the plural; "" unless this word is a noun with exactly one plural."""
    from lemminflect import getAllLemmas

    head, space, word = term.rpartition(" ")
    if not word.isascii() or not word.isalpha() or len(word) < 2:
        return ""
    if word.isupper():
        return f"{term}s"
    lower = word.lower()
    lemmas = getAllLemmas(lower)
    if lower not in lemmas.get("NOUN", () if lemmas or word != lower else (lower,)):
        return ""
    forms = [form for form in _with_case_of(word, _plurals(lower)) if form != word]
    return f"{head}{space}{forms[0]}" if len(forms) == 1 else ""


def regular_singular(word: str) -> str:
    """A word without its regular plural ending: "policies" → "policy"; "class" stays."""
    lower = word.lower()
    if len(word) < 4 or not lower.endswith("s") or lower.endswith(("ss", "us", "is", "'s", "’s")):
        return word
    if lower.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if lower.endswith(("sses", "shes", "xes", "zzes", "tches", "nches", "rches")):
        return word[:-2]
    return word[:-1]


def _all_forms(word: str) -> Iterator[str]:
    yield from _noun_forms(word)
    yield from _verb_forms(word)
    if _is_plain(word):
        from lemminflect import getAllInflections

        for tag in ("JJR", "JJS", "RBR", "RBS"):
            yield from _with_case_of(word, getAllInflections(word.lower()).get(tag, ()))


def _noun_forms(word: str) -> Iterator[str]:
    from lemminflect import getAllLemmas

    head, hyphen, last = word.rpartition("-")
    if not last.isalpha() or len(last) < 2:
        return
    if last.isupper():
        yield word + "s"
        return
    lower = last.lower()
    lemmas = getAllLemmas(lower)
    if not lemmas and last != lower:
        return  # a name
    for lemma in lemmas.get("NOUN", () if lemmas else (lower,)):
        for form in _with_case_of(last, (lemma, *_plurals(lemma))):
            yield head + hyphen + form


def _plurals(noun: str) -> tuple[str, ...]:
    from lemminflect import getAllInflections, getAllInflectionsOOV

    forms = (getAllInflections(noun) or getAllInflectionsOOV(noun, "NOUN")).get("NNS", ())
    return (noun,) if forms[:1] == (noun,) else forms


def _verb_forms(word: str) -> Iterator[str]:
    if not _is_plain(word):
        return
    from lemminflect import getAllInflections, getAllLemmas

    for lemma in getAllLemmas(word.lower()).get("VERB", ()):
        known = getAllInflections(lemma)
        for tag in _VERB_TAGS:
            yield from _with_case_of(word, known.get(tag, ()))


def _is_plain(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and not word.isupper()


def _with_case_of(word: str, forms: tuple[str, ...]) -> Iterator[str]:
    for form in forms:
        yield form[:1].upper() + form[1:] if word[:1].isupper() else form
