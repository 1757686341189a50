"""Marks of words by the engine's measurements."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

from anaphora.core.influence_marks import InfluenceMark, mark_under
from anaphora.features.explain.marking import (
    influence_marks,
    is_followed,
    is_from_memory,
    needs_comparison,
    with_remembered_word,
)
from anaphora_nmt.types import Explanation, MemoryUse, MemoryVersion, MemoryView, SourceWord, TokenTrace

REMARKS = Path(__file__).parents[3] / "golden" / "remarks" / "remarks.tsv"
DECISIVE_USE = MemoryUse(
    "confirmed", "register", "2", 0.7, 9.3, confirmed=True, decisive=True, translates="账本"
)
OPPOSING_USE = replace(DECISIVE_USE, strength=0.47, influence=-0.6, decisive=False, is_clear=True)


def explained(word: str, *uses: MemoryUse, without: str | None = None) -> Explanation:
    """An explanation of a text whose last word has these uses."""
    source = tuple(SourceWord(each, at * 2, at * 2 + 2) for at, each in enumerate(("读取", "账本")))
    tokens = (
        TokenTrace("Reads", 0, 5, -0.1, (0.9, 0.1)),
        TokenTrace(word, 6, 6 + len(word), -0.1, (0.1, 0.9), uses, without_memory=without),
    )
    view = MemoryView("9", MemoryVersion("d", 1))
    return Explanation("9", f"Reads {word}", source, tokens, view)


def marks(word: str, *uses: MemoryUse, without: str | None = None) -> tuple[InfluenceMark, ...]:
    """The marks of such a text, whose draft without memory has the other word."""
    plain = None if without is None else f"Reads {without}"
    return influence_marks(replace(explained(word, *uses, without=without), draft_without_memory=plain))


def test_a_word_from_the_memory_is_marked() -> None:
    assert marks("register", DECISIVE_USE, without="ledger") == (
        InfluenceMark(6, 14, "register", "2", "账本", True),
    )


def test_words_of_the_topic_and_recent_words_are_marked_too() -> None:
    recent = replace(DECISIVE_USE, memory="word_caches", section="dynamic")
    topic = replace(recent, segment="", section="topic", confirmed=False, translates="")
    assert marks("register", recent, without="ledger") == marks("register", DECISIVE_USE, without="ledger")
    assert marks("register", topic, without="ledger") == (InfluenceMark(6, 14, "register", "", "", True),)


def test_words_of_the_draft_without_memory_are_not_marked() -> None:
    unknown = explained("register", DECISIVE_USE, without="ledger")
    assert needs_comparison(unknown) and influence_marks(unknown) == (), "not yet compared"
    assert is_from_memory(unknown, unknown.tokens[1]) is None
    same = replace(unknown, draft_without_memory="Reads the register")
    assert not needs_comparison(same) and influence_marks(same) == ()
    assert is_from_memory(same, same.tokens[1]) is False
    other = replace(unknown, draft_without_memory="Reads the ledger")
    assert is_from_memory(other, other.tokens[1]) is True and len(influence_marks(other)) == 1
    assert not needs_comparison(explained("ledger", OPPOSING_USE)), "no word comes from the memory"
    assert not needs_comparison(replace(unknown, repeats="2")), "the whole text was confirmed"


def test_a_text_that_repeats_a_confirmed_segment_has_a_single_mark() -> None:
    repeated = replace(explained("register", DECISIVE_USE), repeats="2")
    assert influence_marks(repeated) == (
        InfluenceMark(0, 14, "Reads register", "2", "", followed=True, is_repetition=True),
    )


def test_a_supporting_word_is_followed_in_any_form() -> None:
    token = explained("registers").tokens[1]
    assert is_followed(DECISIVE_USE, token) and is_followed(replace(DECISIVE_USE, decisive=False), token)
    assert not is_followed(OPPOSING_USE, token), "it supported another word"
    assert not is_followed(DECISIVE_USE, explained("ledger").tokens[1])
    assert not is_followed(replace(DECISIVE_USE, label="the"), explained("the").tokens[1])


def test_a_word_of_a_draft_is_marked_as_such() -> None:
    (mark,) = marks("register", replace(DECISIVE_USE, confirmed=False), without="ledger")
    assert mark.followed and mark.is_drafted


def test_words_without_effect_are_not_marked() -> None:
    supporting = replace(DECISIVE_USE, decisive=False)
    assert marks("register", supporting) == (), "the word would be chosen anyway"
    assert marks("register", replace(DECISIVE_USE, segment="")) == (), "not a word of the document"
    assert marks("ledger", replace(OPPOSING_USE, influence=-0.01)) == ()
    assert marks("ledger", replace(OPPOSING_USE, strength=0.05)) == (), "too weak to be offered"


def test_an_ignored_confirmed_word_is_offered() -> None:
    assert marks("ledger", OPPOSING_USE) == (InfluenceMark(6, 12, "register", "2", "账本", False),)
    louder = replace(OPPOSING_USE, label="book", strength=0.5)
    assert marks("ledger", OPPOSING_USE, louder)[0].word == "book"
    assert marks("ledger", replace(OPPOSING_USE, translates="节点")) == (), (
        "its source word is not in this segment"
    )
    assert marks("ledger", replace(OPPOSING_USE, translates="")) == ()
    assert marks("ledger", replace(OPPOSING_USE, confirmed=False)) == ()
    assert marks("register", replace(OPPOSING_USE, label="Register")) == (), "it is in the text already"
    for confirmed, stands in (
        ("tokens", "Token"),
        ("tensor", "tensors"),
        ("basic", "basics"),
        ("array-based", "arrays"),
    ):
        assert marks(stands, replace(OPPOSING_USE, label=confirmed)) == (), (
            "it is in the text in another form"
        )
    aside = replace(explained("ledger", OPPOSING_USE), source_words=explained("").source_words[::-1])
    assert influence_marks(aside) == (), "another word renders its source word"
    assert marks("ledger", replace(OPPOSING_USE, label="The")) == (), "useless alone"
    assert marks("书", OPPOSING_USE) == (), "a single letter is not replaced"
    assert marks("书册", OPPOSING_USE)


def test_a_used_word_is_capitalised_as_the_one_before() -> None:
    mark = InfluenceMark(0, 6, "register", "2", "账本", False)
    assert with_remembered_word("Ledger of all.", mark) == "Register of all."
    assert with_remembered_word("ledger of all.", mark) == "register of all."
    assert with_remembered_word("Ledger of all.", replace(mark, word="XML")) == "XML of all."
    assert mark_under((mark,), 6) == mark
    assert mark_under((mark,), 7) is None


def test_uncertain_alignments_are_not_reported() -> None:
    assert marks("ledger", replace(OPPOSING_USE, sentence="The register is read.")), (
        "its sentence has that word"
    )
    for sentence in ("The registers of the ledger", "Reads ledgers", "A bookledger", "Ledgered registers"):
        assert marks("ledger", replace(OPPOSING_USE, sentence=sentence)) == (), "unclear which one renders it"
    assert marks("ledger", replace(OPPOSING_USE, rivals=("static",))) == (), "unclear rendering"
    assert marks("ledger", replace(OPPOSING_USE, rivals=("of", "the"))), "not a rendering"
    assert marks("ledger", replace(OPPOSING_USE, strength=0.2)) == (), "offered, but not clear"
    assert marks("ledger", replace(OPPOSING_USE, label="ensures", expected=-12.0)) == (), (
        "not expected by the model"
    )
    assert marks("账本", OPPOSING_USE) == (), "copied, not rendered"
    for word in ("over", "so", "you", "please"):
        assert marks("ledger", replace(OPPOSING_USE, label=word)) == () == marks(word, OPPOSING_USE)


def test_words_that_render_a_source_word_less_are_not_reported() -> None:
    text = explained("ledger", OPPOSING_USE)
    first, last = text.tokens
    assert influence_marks(replace(text, tokens=(replace(first, attention=(0.2, 0.8)), last)))
    assert not influence_marks(replace(text, tokens=(replace(first, attention=(0.05, 0.95)), last)))


def is_reported(row: dict[str, str]) -> bool:
    """True if the app would give this recorded remark."""
    source, _, label = row["remark"].rpartition(" → ")
    before, here, behind = row["source"].partition(source)
    places = (0, len(before), len(before) + len(here))
    pieces = zip((before, here, behind), places, strict=True)
    words = tuple(SourceWord(word, place, place + len(word)) for word, place in pieces)
    use = replace(OPPOSING_USE, label=label, translates=source, sentence=row["confirmed"])
    use = replace(
        use, strength=float(row["strength"] or OPPOSING_USE.strength), rivals=tuple(row["rivals"].split())
    )
    use = replace(use, expected=float(row["expected"] or 0), is_clear=row["clear"] == "yes")
    token = TokenTrace(row["word"], 0, len(row["word"]), -0.1, (0.0, 1.0, 0.0), (use,))
    return bool(
        influence_marks(replace(explained(""), text=row["word"], source_words=words, tokens=(token,)))
    )


def test_nine_of_ten_shown_remarks_are_true() -> None:
    """Evaluate the app's rule for recorded remarks."""
    with REMARKS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    said = [row for row in rows if row["said"] == "yes"]
    assert sum(row["verdict"] == "true" for row in said) >= 0.9 * len(said)
    for row in rows:
        if row["said"] == "yes":
            assert is_reported(row), f"{row['remark']} is reported"
        elif row["by"] == "app" and row["word"] not in row["source"]:  # copies depend on the source alone
            assert not is_reported(row), f"{row['remark']} is not reported"


def test_unexpected_nouns_that_are_clearly_rendered_are_reported() -> None:
    chosen = replace(OPPOSING_USE, expected=-9.0)
    assert marks("ledger", chosen), "the user chose it against the model"
    assert (
        marks("ledger", replace(chosen, is_clear=False))
        == ()
        == marks("ledger", replace(OPPOSING_USE, is_clear=False))
    )
    assert marks("ledger", replace(chosen, label="ensures")) == (), "not a noun"
    assert marks("ledger", replace(OPPOSING_USE, label="ensures")), "but expected"


def test_a_short_form_does_not_ignore_the_word() -> None:
    assert (
        marks("application", replace(OPPOSING_USE, label="apps"))
        == ()
        == marks("app", replace(OPPOSING_USE, label="Application"))
    )


def test_parts_of_words_are_not_reported() -> None:
    # 天 is remembered, 天地 stands here.
    whole = explained("earth", replace(OPPOSING_USE, label="sky", translates="天"))
    places = (SourceWord("读取", 0, 2), SourceWord("天地", 2, 4))
    assert influence_marks(replace(whole, source_words=places)) == ()
    assert influence_marks(replace(whole, source_words=(places[0], SourceWord("天", 2, 3))))


def test_a_mark_is_found_at_both_ends_of_its_word() -> None:
    first, second = InfluenceMark(2, 5, "a", "1", "", True), InfluenceMark(6, 9, "b", "1", "", True)
    found = [mark_under((first, second), offset) for offset in (1, 2, 5, 6, 9, 10)]
    assert found == [None, first, first, second, second, None]
